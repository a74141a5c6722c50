/* 3 x 3 convolution by Winograd's method. A unit transforms some tiles of the input, multiplies each of their
 * elements' matrices with that of the weights, and transforms the products back, all within its scratch memory. */
#include "kernels/winograd.h"

#include "base/sizes.h"

enum { SCRATCH_BYTES = 320 * 1024 }; /* of transformed tiles and products: what stays in a level 2 cache */

uint32_t wnn_winograd_choose(size_t inputs, size_t outputs, size_t out_h, size_t out_w) {
  if (inputs < 16 || outputs < 16) return 0; /* the transforms would cost more than they save */
  /* In multiplications; a weight read from far away costs about as much as WEIGHT of them. */
  enum { WEIGHT = 24, TRANSFORM = 10 };
  double pixels = (double)out_h * (double)out_w, area = (double)inputs * (double)outputs;
  double best = 9 * area * (pixels + WEIGHT);
  uint32_t choice = 0;
  for (uint32_t edge = 2; edge <= 4; edge += 2) {
    double elements = (edge + 2) * (edge + 2), tiles = (double)(wnn_ceil_div(out_h, edge) * wnn_ceil_div(out_w, edge));
    double cost = elements * (area * (1.1 * tiles + WEIGHT) + tiles * TRANSFORM * (double)(inputs + outputs));
    if (cost < best) best = cost, choice = edge;
  }
  return choice;
}

size_t wnn_winograd_plan(wnn_winograd *w, unsigned threads) {
  size_t side = w->edge + 2, nr = (size_t)w->u->gemm_nv[w->u->gemm_mr] * w->u->vl;
  w->tiles_h = wnn_ceil_div(w->out_h, w->edge);
  w->tiles_w = wnn_ceil_div(w->out_w, w->edge);
  w->tiles = w->tiles_h * w->tiles_w;
  w->n_block = w->outputs;
  size_t tile_bytes = side * side * (w->inputs + w->n_block) * sizeof(float), mr = w->u->gemm_mr;
  w->block = SCRATCH_BYTES / tile_bytes / mr * mr;
  if (w->block < 2 * mr) w->block = 2 * mr;
  w->blocks = wnn_ceil_div(w->tiles, w->block);
  /* Enough units for all threads: more blocks of tiles, then of columns (each transforms its tiles anew). */
  size_t want = threads > 1 ? 2 * threads : 1;
  while (w->batches * w->blocks < want && w->block > 2 * mr) {
    w->block -= mr;
    w->blocks = wnn_ceil_div(w->tiles, w->block);
  }
  w->block = wnn_ceil_div(w->tiles, w->blocks);
  w->blocks = wnn_ceil_div(w->tiles, w->block);
  size_t units = w->batches * w->blocks;
  if (threads > 1 && units % threads && units < 2 * threads)
    w->n_block = wnn_min_size(w->outputs, wnn_round_up(wnn_ceil_div(w->outputs, threads), nr));
  w->n_blocks = wnn_ceil_div(w->outputs, w->n_block);
  return units * w->n_blocks;
}

size_t wnn_winograd_scratch(const wnn_winograd *w) {
  size_t side = w->edge + 2;
  return (w->block * side * side * (w->inputs + w->n_block)) * sizeof(float) + 64;
}

size_t wnn_winograd_weights_size(const wnn_ukernels *u, const wnn_filter *filter, uint32_t edge) {
  return wnn_round_up(filter->outputs, u->vl) * filter->inputs * (edge + 2) * (edge + 2);
}

void wnn_winograd_pack(const wnn_task *task, size_t begin, size_t end, void *scratch) {
  (void)scratch;
  const wnn_winograd_filter *f = task->params;
  size_t elements = (size_t)(f->edge + 2) * (f->edge + 2), row = f->filter.inputs * f->u->vl;
  for (size_t p = begin; p < end; p++) {
    float *panel = (float *)task->outputs[0].data + p * elements * row, *taps = panel + (elements - 9) * row;
    wnn_filter_pack_panel(f->u, &f->filter, task->inputs[0].data, p, taps);
    f->u->f32_winograd_filter(f->edge, f->filter.inputs, panel);
  }
}

/* ---- The kernel ---- */

/* Pointers to the pixels under a tile, zeros outside the image. */
static void find_pixels(const wnn_winograd *w, const float *image, size_t tile, const float **pixels) {
  int64_t y0 = (int64_t)(tile / w->tiles_w * w->edge) - w->top, x0 = (int64_t)(tile % w->tiles_w * w->edge) - w->left;
  for (int64_t y = y0; y < y0 + w->edge + 2; y++)
    for (int64_t x = x0; x < x0 + w->edge + 2; x++, pixels++)
      *pixels = y >= 0 && y < w->in_h && x >= 0 && x < w->in_w ? image + ((size_t)y * w->in_w + (size_t)x) * w->inputs
                                                               : w->zeros;
}

/* Rows x inputs times inputs x n, for one element of the tiles. */
static void multiply(const wnn_winograd *w, const float *a, size_t rows, const float *b, size_t n, float *c) {
  const wnn_ukernels *u = w->u;
  size_t elements = (size_t)(w->edge + 2) * (w->edge + 2);
  size_t step = wnn_ceil_div(rows, wnn_ceil_div(rows, u->gemm_mr)), width = (size_t)u->gemm_nv[step] * u->vl;
  const float *pointers[WNN_GEMM_MAX_ROWS];
  wnn_f32_tile tile = {.taps = 1,
                       .k = (uint32_t)w->inputs,
                       .a_step = WNN_GEMM_MAX_ROWS,
                       .a = pointers,
                       .b_panel = elements * w->inputs * u->vl,
                       .c_stride = n};
  /* Few rows of A fit a level 1 cache, whole B often does not fit a level 2: B outside. */
  for (size_t j = 0; j < n; j += width) {
    tile.n = (uint32_t)wnn_min_size(width, n - j);
    tile.b = b + j / u->vl * tile.b_panel;
    /* The panels of the next columns are fetched meanwhile; those of the next element lie behind the last ones. */
    const float *ahead = j + width < n ? tile.b + width / u->vl * tile.b_panel : b + w->inputs * u->vl;
    size_t lines = width * w->inputs / 16;
    for (size_t i = 0; i < rows; i += step) {
      tile.m = (uint32_t)wnn_min_size(step, rows - i);
      for (size_t r = 0; r < tile.m; r++) pointers[r] = a + (i + r) * w->inputs;
      tile.c = c + i * n + j;
      tile.ahead = lines ? ahead : NULL;
      u->f32_gemm_tile(&tile);
      ahead += 16 * w->inputs;
      lines -= wnn_min_size(lines, w->inputs);
    }
  }
}

void wnn_f32_winograd(const wnn_task *task, size_t begin, size_t end, void *scratch) {
  const wnn_winograd *w = task->params;
  const wnn_ukernels *u = w->u;
  size_t elements = (size_t)(w->edge + 2) * (w->edge + 2);
  const float *init = w->init ? w->init : w->init_input ? task->inputs[w->init_input].data : NULL;
  const float *residual = w->residual_input ? task->inputs[w->residual_input].data : NULL;
  size_t in_size = (size_t)w->in_h * w->in_w * w->inputs, out_size = (size_t)w->out_h * w->out_w * w->out_row;
  for (size_t index = begin; index < end; index++) {
    size_t n_index = index % w->n_blocks, block = index / w->n_blocks % w->blocks;
    size_t batch = index / w->n_blocks / w->blocks;
    size_t first = block * w->block, count = wnn_min_size(w->block, w->tiles - first);
    size_t n0 = n_index * w->n_block, n = wnn_min_size(w->n_block, w->outputs - n0);
    float *tiles = scratch, *products = tiles + wnn_round_up(elements * count * w->inputs, 16);
    for (size_t t = 0; t < count; t++) {
      const float *pixels[36];
      find_pixels(w, (const float *)task->inputs[0].data + batch * in_size, first + t, pixels);
      u->f32_winograd_input(w->edge, w->inputs, pixels, tiles + t * w->inputs, count * w->inputs);
    }
    const float *weights = w->weights + n0 / u->vl * elements * w->inputs * u->vl;
    for (size_t e = 0; e < elements; e++)
      multiply(w, tiles + e * count * w->inputs, count, weights + e * w->inputs * u->vl, n, products + e * count * n);
    for (size_t t = 0; t < count; t++) {
      size_t y = (first + t) / w->tiles_w * w->edge, x = (first + t) % w->tiles_w * w->edge;
      size_t at = batch * out_size + (y * w->out_w + x) * w->out_row + n0;
      wnn_f32_winograd_out out = {
          .channels = n,
          .from_step = count * n,
          .row_step = (size_t)w->out_w * w->out_row,
          .pixel_step = w->out_row,
          .rows = (uint32_t)wnn_min_size(w->edge, w->out_h - y),
          .columns = (uint32_t)wnn_min_size(w->edge, w->out_w - x),
          .from = products + t * n,
          .init = init ? init + n0 : NULL,
          .residual = residual ? residual + at : NULL,
          .to = (float *)task->outputs[0].data + at,
          .limit = w->limit,
          .lo = w->lo,
          .hi = w->hi,
      };
      u->f32_winograd_output(w->edge, &out);
    }
  }
}
