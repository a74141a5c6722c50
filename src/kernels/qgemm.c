/* Products of 8-bit integers: packing, blocks around the tiles, windows. */
#include "kernels/qgemm.h"

#include <string.h>

#include "base/sizes.h"

static int32_t read_byte(const void *data, bool is_signed, size_t i) {
  return is_signed ? ((const int8_t *)data)[i] : ((const uint8_t *)data)[i];
}

/* ---- Images ---- */

static void group_bytes(const wnn_q_groups *g, const uint8_t *from, uint8_t *to) {
  size_t padded = wnn_q_groups_of(g) * 4;
  const uint8_t flip = g->is_signed ? 128 : 0; /* int8 plus 128 is the same bits with the first one flipped */
  for (uint32_t part = 0; part < g->parts; part++, from += g->channels * g->channel_stride, to += padded) {
    if (g->channel_stride == 1 && g->channels >= 16)
      g->u->q_flip(g->channels, from, flip, to);
    else
      for (size_t c = 0; c < g->channels; c++) to[c] = from[c * g->channel_stride] ^ flip;
    for (size_t c = g->channels; c < padded; c++) to[c] = wnn_q_padding(g);
  }
}

static void group_pairs(const wnn_q_groups *g, const uint8_t *from, int16_t *to) {
  size_t padded = wnn_q_groups_of(g) * 2;
  for (uint32_t part = 0; part < g->parts; part++, from += g->channels * g->channel_stride, to += padded) {
    if (g->channel_stride == 1 && g->channels >= 16)
      g->u->q_center(g->channels, from, g->is_signed, g->zero, to);
    else
      for (size_t c = 0; c < g->channels; c++)
        to[c] = (int16_t)(read_byte(from, g->is_signed, c * g->channel_stride) - g->zero);
    for (size_t c = g->channels; c < padded; c++) to[c] = 0;
  }
}

void wnn_q_group_images(const wnn_task *task, size_t begin, size_t end, void *scratch) {
  (void)scratch;
  const wnn_q_groups *g = task->params;
  const uint8_t *from = task->inputs[0].data;
  size_t pixel = wnn_q_groups_of(g) * g->parts * 4, channels = g->channels * g->parts;
  char *to = (char *)task->outputs[0].data + begin * pixel;
  /* Dense pixels without a rest are one long line. */
  if (g->channel_stride == 1 && g->pixel_stride == channels && g->channels % g->group == 0) {
    size_t first = begin * channels, count = (end - begin) * channels;
    if (g->group == 4)
      g->u->q_flip(count, from + first, g->is_signed ? 128 : 0, (uint8_t *)to);
    else
      g->u->q_center(count, from + first, g->is_signed, g->zero, (int16_t *)(void *)to);
    return;
  }
  /* Few channels, pixels dense: a group a pixel. */
  if (g->group == 4 && g->parts == 1 && g->channel_stride == 1 && g->pixel_stride == channels && channels < 4) {
    const uint32_t flip = g->is_signed ? 128 : 0, rest = wnn_q_padding(g);
    uint32_t filling = channels == 1   ? rest << 8 | rest << 16 | rest << 24
                       : channels == 2 ? rest << 16 | rest << 24
                                       : rest << 24;
    const uint8_t *at = from + begin * channels;
    for (size_t index = begin; index < end; index++, to += 4, at += channels) {
      uint32_t word = filling | (at[0] ^ flip);
      if (channels > 1) word |= (at[1] ^ flip) << 8;
      if (channels > 2) word |= (at[2] ^ flip) << 16;
      const uint8_t bytes[] = {(uint8_t)word, (uint8_t)(word >> 8), (uint8_t)(word >> 16), (uint8_t)(word >> 24)};
      memcpy(to, bytes, 4);
    }
    return;
  }
  for (size_t index = begin; index < end; index++, to += pixel) {
    const uint8_t *at = from + index / g->pixels * g->pixels * channels + index % g->pixels * g->pixel_stride;
    if (g->group == 4)
      group_bytes(g, at, (uint8_t *)to);
    else
      group_pairs(g, at, (int16_t *)(void *)to);
  }
}

/* ---- Weights ---- */

/* A weight without its zero point: -255 to 255. */
static int32_t weight(const wnn_filter *f, const wnn_q_weights *w, size_t part, size_t o, size_t i, uint32_t tap) {
  size_t at = part * f->group_stride + o * f->output_stride + i * f->input_stride + tap / f->taps_w * f->height_stride +
              tap % f->taps_w * f->width_stride;
  size_t zero = w->zero_count > 1 ? part * f->outputs + o : 0;
  return read_byte(w->data, w->is_signed, at) - read_byte(w->zeros, w->zeros_are_signed, zero);
}

static int32_t weight_zero(const wnn_q_weights *w, size_t output) {
  return read_byte(w->zeros, w->zeros_are_signed, w->zero_count > 1 ? output : 0);
}

/* count weights, `stride` apart, without their zero point. Narrow sums: the parts of a pair that have the same sign add
 * up to at most 128, since 128 times 255 fits int16. */
static bool fits_bytes(const wnn_q_weights *w, size_t at, size_t count, size_t stride, int32_t zero, bool narrow) {
  int32_t above = 0, below = 0;
  for (size_t i = 0; i < count; i++, at += stride) {
    int32_t value = read_byte(w->data, w->is_signed, at) - zero;
    if (value < -128 || value > 127) return false;
    if (i % 2 == 0) above = below = 0;
    *(value > 0 ? &above : &below) += value;
    if (narrow && (above > 128 || below < -128)) return false;
  }
  return true;
}

bool wnn_q_fits_bytes(const wnn_ukernels *u, const wnn_filter *f, const wnn_q_weights *w) {
  bool plain = w->is_signed; /* int8 with zero points 0 */
  for (size_t i = 0; plain && i < w->zero_count; i++) plain = !read_byte(w->zeros, w->zeros_are_signed, i);
  if (plain && !u->q_narrow) return true;
  for (size_t o = 0; o < f->groups * f->outputs; o++) {
    size_t from = o / f->outputs * f->group_stride + o % f->outputs * f->output_stride;
    for (uint32_t p = 0; p < f->taps_h; p++)
      for (uint32_t q = 0; q < f->taps_w; q++)
        if (!fits_bytes(w, from + p * f->height_stride + q * f->width_stride, f->inputs, f->input_stride,
                        weight_zero(w, o), u->q_narrow))
          return false;
  }
  return true;
}

/* Sums of integers that wrap as the tiles' do. */
static int32_t wrap(uint32_t sum) { return (int32_t)sum; }

/* One group of weights of an output, `count` of them there; returns their sum. */
static int32_t pack_group(const wnn_q_weights *w, size_t at, size_t stride, int32_t zero, size_t count, uint32_t group,
                          char *to) {
  int32_t sum = 0;
  for (uint32_t e = 0; e < group; e++, at += stride) {
    int32_t value = e < count ? read_byte(w->data, w->is_signed, at) - zero : 0;
    sum += value;
    if (group == 4)
      ((int8_t *)to)[e] = (int8_t)value;
    else
      ((int16_t *)(void *)to)[e] = (int16_t)value;
  }
  return sum;
}

void wnn_q_pack(const wnn_ukernels *u, const wnn_filter *f, const wnn_q_weights *w, const wnn_q_groups *g,
                const int32_t *bias, void *panels, int32_t *shift, int32_t *unit) {
  size_t vl = u->vl, channels = wnn_q_groups_of(g), total = f->groups * f->outputs;
  char *to = panels;
  for (size_t o = 0; o < total; o++) shift[o] = 0; /* sums of weights at first */
  for (size_t part = 0; part < f->groups; part++)
    for (size_t panel = 0; panel < f->outputs; panel += vl)
      for (uint32_t t = 0; t < f->taps_h * f->taps_w; t++) {
        size_t from = part * f->group_stride + t / f->taps_w * f->height_stride + t % f->taps_w * f->width_stride;
        for (size_t c = 0; c < channels; c++)
          for (size_t j = 0; j < vl; j++, to += 4) {
            size_t o = panel + j, i = c * g->group, own = part * f->outputs + o;
            if (o < f->outputs)
              shift[own] =
                  wrap((uint32_t)shift[own] + (uint32_t)pack_group(w, from + o * f->output_stride + i * f->input_stride,
                                                                   f->input_stride, weight_zero(w, own), f->inputs - i,
                                                                   g->group, to));
            else
              memset(to, 0, 4);
          }
      }
  /* Pairs of int16 have lost the zero point already. int8 images count from -128. */
  uint32_t zero = (uint32_t)(g->group == 4 ? g->zero + (g->is_signed ? 128 : 0) : 0);
  for (size_t o = 0; o < total; o++) {
    uint32_t sum = (uint32_t)shift[o];
    if (unit) unit[o] = wrap(sum);
    shift[o] = wrap((bias ? (uint32_t)bias[o] : 0) - zero * sum);
  }
}

void wnn_q_pack_depthwise(const wnn_filter *f, const wnn_q_weights *w, int32_t zero, const int32_t *bias, int16_t *to,
                          int32_t *shift) {
  uint32_t taps = f->taps_h * f->taps_w;
  for (uint32_t t = 0; t < wnn_round_up(taps, 2); t++)
    for (size_t c = 0; c < f->groups; c++)
      to[(t / 2 * f->groups + c) * 2 + t % 2] = t < taps ? (int16_t)weight(f, w, c, 0, 0, t) : 0;
  for (size_t c = 0; c < f->groups; c++) {
    uint32_t sum = 0;
    for (uint32_t t = 0; t < taps; t++) sum += (uint32_t)weight(f, w, c, 0, 0, t);
    shift[c] = wrap((bias ? (uint32_t)bias[c] : 0) - (uint32_t)zero * sum);
  }
}

/* ---- Blocks ---- */

enum {
  BLOCK_BYTES = 192 * 1024, /* of A and of B that a unit goes over again and again: parts of a level 2 cache */
  FAR_BYTES = 128 * 1024,   /* weights of this size are not found in a level 1 cache */
  UNITS_A_THREAD = 6        /* for an even end */
};

/* A matrix unit works on 16 rows by 16 groups at a time. */
enum { MATRIX_SIDE = 16 };

static bool uses_matrix_unit(const wnn_qgemm *g) { return g->u->q_matrix_tile && g->tile == g->u->q_matrix_tile; }

/* Most columns of a tile of so many rows. */
static size_t widest_tile(const wnn_qgemm *g, size_t rows) {
  return (rows <= g->u->q_few && !uses_matrix_unit(g) ? 4 : 2) * g->u->vl;
}

size_t wnn_qgemm_plan(wnn_qgemm *g, unsigned threads) {
  const wnn_ukernels *u = g->u;
  if (g->tile == u->q_bytes_tile && u->q_matrix_tile && g->m > u->q_few && g->k >= MATRIX_SIDE)
    g->tile = u->q_matrix_tile;
  size_t depth = g->k * g->taps * 4, vl = u->vl, mr = uses_matrix_unit(g) ? WNN_Q_MAX_ROWS : u->q_mr;
  size_t nr = widest_tile(g, g->m), outer = g->batches * g->parts;
  size_t rows = BLOCK_BYTES / depth, columns = BLOCK_BYTES / depth / nr * nr;
  rows = rows < 4 * mr ? 4 * mr : rows > 32 * mr ? 32 * mr : rows;
  columns = columns < nr ? nr : columns > g->n ? g->n : columns;
  if (threads > 1) {
    /* Narrower, then lower units until there are enough for an even end, or they get too small to pay. */
    double work = wnn_qgemm_flops(g) / 4;
    size_t want = work < 4e5 ? 1 : work < 4e6 ? threads * 2 : threads * UNITS_A_THREAD;
    while (outer * wnn_ceil_div(g->m, rows) * wnn_ceil_div(g->n, columns) < want) {
      if (rows > 2 * mr && rows < 2 * g->m)
        rows = wnn_round_up(rows / 2, mr);
      else if (rows > g->m && g->m > 2 * mr)
        rows = wnn_round_up(g->m, mr);
      else if (columns > nr)
        columns = wnn_round_up(columns / 2, nr);
      else
        break;
    }
  }
  g->m_blocks = wnn_ceil_div(g->m, rows);
  /* Tiles of equal height, as near to the tallest as that allows. */
  size_t tiles = wnn_ceil_div(wnn_ceil_div(g->m, g->m_blocks), mr);
  g->tile_rows = wnn_ceil_div(g->m, g->m_blocks * tiles);
  if (uses_matrix_unit(g)) g->tile_rows = wnn_round_up(g->tile_rows, MATRIX_SIDE);
  g->m_block = g->tile_rows * tiles;
  g->m_blocks = wnn_ceil_div(g->m, g->m_block);
  g->n_block = columns < g->n ? wnn_round_up(columns, vl) : g->n;
  g->n_blocks = wnn_ceil_div(g->n, g->n_block);
  g->rows.tile_rows = g->tile_rows;
  return outer * g->m_blocks * g->n_blocks;
}

static size_t pointer_bytes(const wnn_qgemm *g) {
  size_t pointers = (wnn_round_up(g->m_block, WNN_Q_MAX_ROWS) + WNN_Q_MAX_ROWS) * (g->window ? g->taps : 1);
  return wnn_round_up(pointers * sizeof(void *), 64);
}

size_t wnn_qgemm_scratch(const wnn_qgemm *g) {
  return pointer_bytes(g) + (g->zero_input ? g->n_block * sizeof(int32_t) : 0);
}

double wnn_qgemm_flops(const wnn_qgemm *g) {
  return 8.0 * (double)g->m * (double)g->n * (double)g->k * g->taps * (double)(g->batches * g->parts);
}

/* Rows [m0, m0 + m) and columns [n0, n0 + n) of one image and part. `finish` points to their first column and row. */
typedef struct unit {
  const void *const *rows;
  const int32_t *b;
  size_t m, n, a_offset;
  uint32_t element;
  wnn_q_finish finish;
} unit;

static void run_unit(const wnn_qgemm *g, const unit *part) {
  size_t depth = g->taps * g->k, vl = g->u->vl, panel = depth * vl, step = g->tile_rows;
  size_t row_taps = g->window ? g->taps : 1, widest = widest_tile(g, wnn_min_size(step, part->m));
  const wnn_q_finish *f = &part->finish;
  /* While a panel that is at hand is used again, the next can be fetched. */
  bool far = part->m > step && depth * part->n * 4 > FAR_BYTES;
  wnn_q_tile tile = {.taps = g->taps,
                     .k = (uint32_t)g->k,
                     .a_step = (uint32_t)step,
                     .a_offset = part->a_offset,
                     .b_panel = panel,
                     .finish = *f};
  for (size_t n = 0; n < part->n; n += widest) {
    tile.n = (uint32_t)wnn_min_size(widest, part->n - n);
    tile.b = part->b + n / vl * panel;
    const char *ahead = far && n + widest < part->n ? (const char *)(tile.b + widest / vl * panel) : NULL;
    size_t lines = widest / vl * depth * vl / 16;
    tile.finish.shift = f->shift + n;
    if (f->scale) tile.finish.scale = f->scale + n;
    if (f->init) tile.finish.init = f->init + n;
    for (size_t m = 0; m < part->m; m += step) {
      tile.m = (uint32_t)wnn_min_size(step, part->m - m);
      tile.a = part->rows + m * row_taps;
      tile.finish.c = (char *)f->c + (m * g->c_row + n) * part->element;
      tile.finish.residual = f->residual ? f->residual + m * g->c_row + n : NULL;
      tile.ahead = lines ? ahead : NULL;
      g->tile(&tile);
      if (ahead) ahead += 64 * depth;
      lines -= wnn_min_size(lines, depth);
    }
  }
}

/* Shifts of columns first .. first + n - 1 for the zero point that the images turn out to have. */
static const int32_t *shift_at_run(const wnn_qgemm *g, const wnn_task *task, size_t first, size_t n, int32_t *to) {
  int32_t zero = read_byte(task->inputs[g->zero_input].data, g->zero_is_signed, 0);
  for (size_t j = 0; j < n; j++)
    to[j] = wrap((uint32_t)g->finish.shift[first + j] - (uint32_t)zero * (uint32_t)g->unit[first + j]);
  return to;
}

void wnn_q_gemm(const wnn_task *task, size_t begin, size_t end, void *scratch) {
  const wnn_qgemm *g = task->params;
  const char *a = task->inputs[0].data;
  const float *init = g->init_input ? task->inputs[g->init_input].data : g->finish.init;
  const float *residual = g->residual_input ? task->inputs[g->residual_input].data : NULL;
  const void **rows = scratch;
  int32_t *shifts = (int32_t *)(void *)((char *)scratch + pointer_bytes(g));
  size_t part_panels = wnn_ceil_div(g->n, g->u->vl) * g->taps * g->k * g->u->vl;
  uint32_t element = g->finish.result == WNN_Q_BYTE ? 1 : 4;
  size_t have = SIZE_MAX;
  if (uses_matrix_unit(g)) g->u->q_matrix_begin();
  for (size_t index = begin; index < end; index++) {
    size_t n_index, m_index, rest = index;
    m_index = rest % g->m_blocks, rest /= g->m_blocks;
    n_index = rest % g->n_blocks, rest /= g->n_blocks;
    size_t group = rest % g->parts, batch = rest / g->parts, m0 = m_index * g->m_block, n0 = n_index * g->n_block;
    unit part = {.rows = rows,
                 .m = wnn_min_size(g->m_block, g->m - m0),
                 .n = wnn_min_size(g->n_block, g->n - n0),
                 .a_offset = group * g->k * 4,
                 .element = element,
                 .finish = g->finish};
    if (have != batch * g->m_blocks + m_index) {
      const char *matrix = a + batch * g->a_batch * 4;
      if (g->window)
        wnn_igemm_window_rows(&g->rows, (const float *)(const void *)matrix, m0, part.m, (const float **)rows, NULL);
      else
        for (size_t i = 0; i < part.m; i++) rows[i] = matrix + (m0 + i) * g->a_row * 4;
      have = batch * g->m_blocks + m_index;
    }
    size_t column = group * g->n + n0, offset = batch * g->c_batch + m0 * g->c_row + column;
    part.b = g->b + group * part_panels + n0 * g->taps * g->k;
    part.finish.shift = g->zero_input ? shift_at_run(g, task, column, part.n, shifts) : g->finish.shift + column;
    if (g->finish.scale) part.finish.scale = g->finish.scale + column;
    part.finish.init = init ? init + column : NULL;
    part.finish.c = (char *)task->outputs[0].data + offset * element;
    part.finish.residual = residual ? residual + offset : NULL;
    part.finish.c_stride = part.finish.residual_stride = g->c_row;
    run_unit(g, &part);
  }
  if (uses_matrix_unit(g)) g->u->q_matrix_end();
}

/* ---- Windows ---- */

size_t wnn_q_sliding_scratch(const wnn_q_sliding *s) {
  return (size_t)s->rows.image.out_w * s->rows.taps * sizeof(void *);
}

void wnn_q_slide(const wnn_task *task, size_t begin, size_t end, void *scratch) {
  const wnn_q_sliding *s = task->params;
  const wnn_window *w = &s->rows.image;
  const void **taps = scratch;
  for (size_t index = begin; index < end; index++) {
    size_t image = index / w->out_h, y = index % w->out_h;
    const char *from = (const char *)task->inputs[0].data + image * w->in_h * w->in_w * w->channels * 4;
    char *to = (char *)task->outputs[0].data + index * w->out_w * s->channels * s->element;
    wnn_igemm_window_rows(&s->rows, (const float *)(const void *)from, y * w->out_w, w->out_w, (const float **)taps,
                          NULL);
    wnn_q_depthwise pixel = {s->rows.taps, s->is_signed, s->channels, taps, s->weights, s->finish};
    for (size_t x = 0; x < w->out_w; x++, to += s->channels * s->element) {
      pixel.a = taps + x * s->rows.taps;
      pixel.finish.c = to;
      if (s->weights)
        s->u->q_depthwise(&pixel);
      else
        s->u->q_pool_max(s->rows.taps, s->is_signed, s->channels, pixel.a, to);
    }
  }
}
