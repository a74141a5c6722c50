/* The blocked loops around the tile kernel, and the rows of A for convolutions. */
#include "kernels/igemm.h"

#include <string.h>

#include "base/sizes.h"

/* ---- Blocks ---- */

enum {
  BLOCK_DEPTH = 768,        /* about the depth of a block: longer sums go through C in several rounds */
  BLOCK_BYTES = 192 * 1024, /* of A and of B that a unit goes over again and again: parts of a level 2 cache */
  FAR_BYTES = 32 * 1024,    /* weights of this size are not found in a level 1 cache */
  NEAR_BYTES = 256 * 1024,  /* weights up to this size stay in a level 2 cache beside what passes through it */
  UNITS_A_THREAD = 6        /* for an even end */
};

/* Cuts C into blocks of about so many rows and columns; returns the number of units. */
static size_t cut_blocks(wnn_igemm *g, size_t rows, size_t columns) {
  const wnn_ukernels *u = g->u;
  if (g->c_line) rows = g->image.out_w; /* rows of pixels do not follow each other in C */
  g->m_blocks = wnn_ceil_div(g->m, rows);
  /* Tiles of equal height, as near to the tallest as that allows. */
  size_t tiles = wnn_ceil_div(wnn_ceil_div(g->m, g->m_blocks), u->gemm_mr);
  g->tile_rows = wnn_ceil_div(g->m, g->m_blocks * tiles);
  g->m_block = g->c_line ? rows : g->tile_rows * tiles;
  g->m_blocks = wnn_ceil_div(g->m, g->m_block);
  g->n_block = columns < g->n ? wnn_round_up(columns, u->vl) : g->n;
  g->n_blocks = wnn_ceil_div(g->n, g->n_block);
  return g->batches * g->groups * g->m_blocks * g->n_blocks;
}

/* Elements of C that the first thread begins with: it has the most. */
static size_t first_share(const wnn_igemm *g, bool by_rows, size_t units, unsigned threads) {
  size_t share = wnn_ceil_div(units, threads), across = by_rows ? g->n_blocks : g->m_blocks;
  size_t whole = by_rows ? g->n : g->m, part = by_rows ? g->n_block : g->m_block;
  size_t elements = share / across * whole + wnn_min_size(share % across * part, whole);
  return elements * (by_rows ? g->m_block : g->n_block);
}

size_t wnn_igemm_plan(wnn_igemm *g, unsigned threads) {
  const wnn_ukernels *u = g->u;
  size_t total = g->k * g->taps;
  g->k_block = g->k;
  g->tap_block = g->taps;
  if (total > BLOCK_DEPTH + BLOCK_DEPTH / 3) {
    if (g->k > BLOCK_DEPTH + BLOCK_DEPTH / 3) {
      g->tap_block = 1;
      g->k_block = wnn_round_up(wnn_ceil_div(g->k, wnn_ceil_div(g->k, BLOCK_DEPTH)), 16);
    } else {
      size_t most = BLOCK_DEPTH / g->k ? BLOCK_DEPTH / g->k : 1;
      g->tap_block = (uint32_t)wnn_ceil_div(g->taps, wnn_ceil_div(g->taps, most));
    }
  }
  size_t depth = g->k_block * g->tap_block;
  /* Few rows: B is read once, whatever the depth. */
  bool few = g->m <= 4;
  if (few) g->k_block = g->k, g->tap_block = g->taps;
  size_t rows = BLOCK_BYTES / (depth * sizeof(float));
  size_t least = 4 * u->gemm_mr, most = g->window ? 16 * u->gemm_mr : 32 * u->gemm_mr;
  rows = rows < least ? least : rows > most ? most : rows;
  size_t nr = few ? 4 * u->vl : u->gemm_nv[u->gemm_mr] * u->vl;
  size_t columns = BLOCK_BYTES / (depth * sizeof(float)) / nr * nr;
  if (columns < nr) columns = nr;
  if (columns > g->n) columns = g->n;
  size_t outer = g->batches * g->groups;
  /* What a thread made it finds in its own caches, so threads take rows as long as reading all of B each is cheaper
   * than exchanging images. */
  bool by_rows = !few && 2 * total * g->n <= g->m * (g->window ? g->k + g->n : total + g->n);
  if (threads > 1) {
    /* Narrower, then lower units until there are enough for an even end, or they get too small to pay. */
    double work = 2.0 * (double)g->m * (double)g->n * (double)total * (double)outer;
    size_t want = (size_t)threads * UNITS_A_THREAD;
    if (work < 4e6) want = threads * 2;
    if (work < 4e5) want = 1;
    if (by_rows) {
      size_t share = wnn_round_up(wnn_ceil_div(g->m * outer, want), u->gemm_mr);
      rows = wnn_min_size(rows, share > 2 * u->gemm_mr ? share : 2 * u->gemm_mr);
    }
    while (!by_rows && outer * wnn_ceil_div(g->m, rows) * wnn_ceil_div(g->n, columns) < want) {
      if (columns > 2 * nr && columns >= 2 * rows) {
        columns = wnn_round_up(columns / 2, nr);
      } else if (rows > 4 * u->gemm_mr && rows < g->m + rows / 2) {
        rows = wnn_round_up(rows / 2, u->gemm_mr);
      } else if (rows > g->m) {
        rows = wnn_round_up(g->m, u->gemm_mr);
        if (columns <= nr) break;
        columns = wnn_round_up(columns / 2, nr);
      } else if (columns > nr) {
        columns = wnn_round_up(columns / 2, nr);
      } else {
        break;
      }
    }
  }
  size_t units = cut_blocks(g, rows, columns);
  if (threads > 1 && units > 1) {
    /* Threads begin with equal numbers of units. Of a few more, somewhat smaller ones, the greatest share may be less.
     */
    const size_t m_parts = g->m_blocks, n_parts = g->n_blocks;
    size_t best = first_share(g, by_rows, units, threads);
    for (size_t more = 1; more <= threads; more++) {
      size_t lower = by_rows ? wnn_ceil_div(g->m, m_parts + more) : rows;
      size_t narrower = by_rows ? columns : wnn_round_up(wnn_ceil_div(g->n, n_parts + more), nr);
      size_t share = first_share(g, by_rows, cut_blocks(g, lower, narrower), threads);
      if (share < best) best = share, rows = lower, columns = narrower;
    }
    units = cut_blocks(g, rows, columns);
  }
  g->m_first = g->n_blocks > 1 && !by_rows;
  return units;
}

size_t wnn_igemm_scratch(const wnn_igemm *g) {
  size_t pointers = wnn_round_up(g->m_block, WNN_GEMM_MAX_ROWS) + WNN_GEMM_MAX_ROWS;
  pointers *= g->window ? g->taps : 1;
  size_t bytes = wnn_round_up(pointers * sizeof(float *), 64);
  /* Border pixels of merged taps are copied, zeros included. */
  if (g->merged) bytes += (g->m_block * g->taps * g->k) * sizeof(float);
  return bytes;
}

double wnn_igemm_flops(const wnn_igemm *g) {
  return 2.0 * (double)g->m * (double)g->n * (double)g->k * g->taps * (double)(g->batches * g->groups);
}

/* ---- Rows of A ---- */

static size_t rows_of_matrix(const wnn_igemm *g, const float *a, size_t first, size_t count, const float **rows) {
  for (size_t i = 0; i < count; i++) rows[i] = a + (first + i) * g->a_row;
  return g->tile_rows;
}

/* A run of output pixels of one row, and where its pointers go: tile by tile, taps x tile_rows each. */
typedef struct pixel_run {
  size_t first, count; /* among the block's pixels */
  int32_t x;           /* of the window of the first pixel */
} pixel_run;

/* Pointers of one tap for a run: from + i * step, zeros where the window's columns x .. x + width - 1 are not all
 * inside. */
static void point_run(const wnn_igemm *g, const float *line, const pixel_run *run, uint32_t tap, int32_t offset,
                      int32_t width, const float **rows) {
  const wnn_window *w = &g->image;
  size_t step = (size_t)w->stride_w * w->channels, tile = run->first / g->tile_rows, row = run->first % g->tile_rows;
  int32_t x = run->x + offset;
  for (size_t i = 0; i < run->count;) {
    const float **at = rows + (tile * g->taps + tap) * g->tile_rows + row;
    size_t count = wnn_min_size(g->tile_rows - row, run->count - i);
    int32_t last = x + (int32_t)((count - 1) * w->stride_w) + width;
    if (line && x >= 0 && last <= (int32_t)w->in_w) {
      const float *from = line + (size_t)x * w->channels;
      for (size_t j = 0; j < count; j++) at[j] = from + j * step;
    } else {
      for (size_t j = 0; j < count; j++) {
        int32_t column = x + (int32_t)(j * w->stride_w);
        bool inside = line && column >= 0 && column + width <= (int32_t)w->in_w;
        at[j] = inside ? line + (size_t)column * w->channels : g->zeros;
      }
    }
    i += count, x += (int32_t)(count * w->stride_w);
    row = 0, tile++;
  }
}

/* Merged taps of a pixel whose window hangs over the side: a copy with zeros. Returns where the next copy goes. */
static float *copy_pixel(const wnn_igemm *g, const float *line, int32_t x, float *copy) {
  const wnn_window *w = &g->image;
  int32_t before = x < 0 ? -x : 0, over = x + (int32_t)w->kernel_w - (int32_t)w->in_w;
  int32_t inside = (int32_t)w->kernel_w - before - (over > 0 ? over : 0);
  memset(copy, 0, g->k * sizeof *copy);
  const float *from = line + (size_t)(x + before) * w->channels;
  memcpy(copy + (size_t)before * w->channels, from, (size_t)inside * w->channels * sizeof *copy);
  return copy + g->k;
}

/* Replaces the zeros that stand for windows partly inside. */
static float *copy_borders(const wnn_igemm *g, const float *line, const pixel_run *run, uint32_t tap,
                           const float **rows, float *copy) {
  const wnn_window *w = &g->image;
  /* The first pixel whose window hangs over the right side; all between this and the left side are inside. */
  int32_t room = (int32_t)w->in_w - (int32_t)w->kernel_w - run->x;
  size_t right = room < 0 ? 0 : (size_t)room / w->stride_w + 1;
  for (size_t i = 0; i < run->count; i++) {
    if (i < right && run->x + (int32_t)(i * w->stride_w) >= 0) i = right;
    if (i >= run->count) break;
    int32_t x = run->x + (int32_t)(i * w->stride_w), end = x + (int32_t)w->kernel_w;
    if (end <= 0 || x >= (int32_t)w->in_w) continue;
    size_t pixel = run->first + i, tile = pixel / g->tile_rows, row = pixel % g->tile_rows;
    rows[(tile * g->taps + tap) * g->tile_rows + row] = copy;
    copy = copy_pixel(g, line, x, copy);
  }
  return copy;
}

void wnn_igemm_window_rows(const wnn_igemm *g, const float *image, size_t first, size_t count, const float **rows,
                           float *copy) {
  const wnn_window *w = &g->image;
  size_t oy = first / w->out_w, ox = first % w->out_w;
  for (size_t done = 0; done < count; oy++, ox = 0) {
    pixel_run run = {done, wnn_min_size(w->out_w - ox, count - done), (int32_t)(ox * w->stride_w) - w->left};
    int32_t y = (int32_t)(oy * w->stride_h) - w->top;
    for (uint32_t p = 0; p < w->kernel_h; p++, y += (int32_t)w->dilation_h) {
      const float *line = y >= 0 && y < (int32_t)w->in_h ? image + (size_t)y * w->in_w * w->channels : NULL;
      if (g->merged) {
        point_run(g, line, &run, p, 0, (int32_t)w->kernel_w, rows);
        if (line) copy = copy_borders(g, line, &run, p, rows, copy);
        continue;
      }
      for (uint32_t q = 0; q < w->kernel_w; q++)
        point_run(g, line, &run, p * w->kernel_w + q, (int32_t)(q * w->dilation_w), 1, rows);
    }
    done += run.count;
  }
}

/* ---- The kernel ---- */

/* Rows of the next tile of a unit of which `left` are to be done. Rows of matrices are shared out evenly; pixels under
 * windows have their pointers by tiles of one height. */
static size_t tile_height(const wnn_igemm *g, size_t left) {
  return g->window ? wnn_min_size(g->tile_rows, left) : wnn_even_part(left, g->tile_rows);
}

/* The tiles of rows m .. m_end - 1, whose number of columns and B the tile has already. far: the next columns, whose
 * panels are fetched meanwhile, one a tile, or NULL. */
static void run_rows(const wnn_igemm *g, const wnn_igemm_unit *part, wnn_f32_tile *tile, size_t m, size_t m_end,
                     size_t n, const float *const *rows, bool residual, const float *far) {
  const size_t row_taps = g->window ? g->taps : 1;
  size_t panels = far ? wnn_ceil_div(tile->n, g->u->vl) : 0;
  for (size_t height; m < m_end; m += height) {
    height = tile_height(g, part->m - m);
    tile->m = (uint32_t)height;
    tile->a = rows + m * row_taps;
    tile->c = part->c + m * g->c_row + n;
    tile->residual = residual ? part->residual + m * part->residual_row + n : NULL;
    tile->ahead = NULL;
    if (panels) {
      tile->ahead = far;
      far += tile->b_panel, panels--;
    } else if (!n && !g->window && m + height < part->m && g->a_row == g->k) {
      tile->ahead =
          tile->a[height] + tile->a_offset; /* the next rows follow these in memory and are met for the first time */
    }
    g->u->f32_gemm_tile(tile);
  }
}

void wnn_igemm_run(const wnn_igemm *g, const wnn_igemm_unit *part) {
  const wnn_ukernels *u = g->u;
  size_t depth = g->taps * g->k, panel = depth * u->vl, step = g->tile_rows;
  size_t widest = (size_t)u->gemm_nv[wnn_min_size(step, part->m)] * u->vl;
  size_t bytes = depth * part->n * sizeof(float);
  /* With weights that are at hand all the time, not those of this unit alone, all columns of some rows, so that C is
   * met in the order of memory; else all rows of some columns. While a panel that is at hand is used again, the next
   * can be fetched. */
  bool rows_outside = part->m > part->n && depth * g->n * sizeof(float) <= NEAR_BYTES,
       far = part->m > step && bytes > FAR_BYTES && !rows_outside;
  size_t columns = rows_outside ? part->n : widest;
  for (uint32_t t = 0; t < g->taps; t += g->tap_block) {
    for (size_t k = 0; k < g->k; k += g->k_block) {
      wnn_f32_tile tile = {
          .taps = g->taps - t < g->tap_block ? g->taps - t : g->tap_block,
          .k = (uint32_t)wnn_min_size(g->k_block, g->k - k),
          .a_step = (uint32_t)step,
          .accumulate = t || k,
          .lo = g->lo,
          .hi = g->hi,
          .a_offset = part->a_offset + k,
          .b_panel = panel,
          .c_stride = g->c_row,
          .residual_stride = part->residual_row,
      };
      bool last = t + tile.taps == g->taps && k + tile.k == g->k;
      const float *after =
          last ? part->after : part->b + (k + tile.k < g->k ? t * g->k + k + tile.k : (t + tile.taps) * g->k) * u->vl;
      tile.limit = last && g->limit;
      for (size_t n0 = 0; n0 < part->n; n0 += columns) {
        for (size_t m = 0, m_end; m < part->m; m = m_end) {
          m_end = rows_outside ? m + tile_height(g, part->m - m) : part->m;
          for (size_t n = n0; n < wnn_min_size(part->n, n0 + columns); n += widest) {
            tile.n = (uint32_t)wnn_min_size(widest, part->n - n);
            tile.b = part->b + n / u->vl * panel + (t * g->k + k) * u->vl;
            tile.init = part->init ? part->init + n : NULL;
            const float *next = n + widest < part->n ? tile.b + widest / u->vl * panel : after;
            run_rows(g, part, &tile, m, m_end, n, part->rows + t * step, last && part->residual, far ? next : NULL);
          }
        }
      }
    }
  }
}

void wnn_f32_igemm(const wnn_task *task, size_t begin, size_t end, void *scratch) {
  const wnn_igemm *g = task->params;
  const wnn_ukernels *u = g->u;
  const float *a = task->inputs[0].data, *b = g->b ? g->b : task->inputs[1].data;
  const float *init = g->init ? g->init : g->init_input ? task->inputs[g->init_input].data : NULL;
  const float *residual = g->residual_input ? task->inputs[g->residual_input].data : NULL;
  float *c = task->outputs[0].data;
  const float **rows = scratch;
  size_t pointers = wnn_round_up(g->m_block, WNN_GEMM_MAX_ROWS) + WNN_GEMM_MAX_ROWS;
  float *copies = (float *)((char *)scratch + wnn_round_up(pointers * (g->window ? g->taps : 1) * sizeof *rows, 64));
  size_t group_panels = wnn_ceil_div(g->n, u->vl) * g->taps * g->k * u->vl;
  size_t have_batch = SIZE_MAX, have_block = SIZE_MAX;
  for (size_t index = begin; index < end; index++) {
    size_t m_index, n_index, rest = index;
    if (g->m_first) {
      m_index = rest % g->m_blocks, rest /= g->m_blocks;
      n_index = rest % g->n_blocks, rest /= g->n_blocks;
    } else {
      n_index = rest % g->n_blocks, rest /= g->n_blocks;
      m_index = rest % g->m_blocks, rest /= g->m_blocks;
    }
    size_t group = rest % g->groups, batch = rest / g->groups;
    size_t m0 = m_index * g->m_block, n0 = n_index * g->n_block;
    wnn_igemm_unit part = {
        .rows = rows, .m = wnn_min_size(g->m_block, g->m - m0), .n = wnn_min_size(g->n_block, g->n - n0)};
    if (g->window) {
      if (batch != have_batch || m_index != have_block)
        wnn_igemm_window_rows(g, a + batch * g->image_size, m0, part.m, rows, copies);
      part.a_offset = group * g->k;
    } else {
      const float *matrix = a + (g->a_offsets ? g->a_offsets[batch] : 0);
      if (batch != have_batch || m_index != have_block) rows_of_matrix(g, matrix, m0, part.m, rows);
      part.a_offset = group * g->k;
    }
    have_batch = batch, have_block = m_index;
    size_t offset =
        g->c_offset + batch * g->c_batch + (g->c_line ? m_index * g->c_line : m0 * g->c_row) + group * g->n + n0;
    part.b = b + (g->b_offsets ? g->b_offsets[batch] : 0) + group * group_panels + n0 * g->taps * g->k;
    part.init = init ? init + group * g->n + n0 : NULL;
    part.c = c + offset;
    part.residual = residual ? residual + offset : NULL;
    part.residual_row = g->c_row;
    /* Columns follow each other where all rows are done. */
    if (g->m_first && m_index + 1 == g->m_blocks && n_index + 1 < g->n_blocks && index + 1 < end)
      part.after = part.b + g->n_block * g->taps * g->k;
    wnn_igemm_run(g, &part);
  }
}

/* ---- Packing ---- */

size_t wnn_pack_size(const wnn_ukernels *u, size_t k, size_t n) { return k * wnn_round_up(n, u->vl); }

static void pack_panel(const wnn_ukernels *u, size_t k, size_t n, size_t panel, const wnn_loose *source, size_t stride,
                       bool transposed, float scale, size_t taps, float *to) {
  size_t first = panel * u->vl, count = wnn_min_size(u->vl, n - first);
  if (transposed) {
    u->f32_pack_columns(k, count, source + first * stride, stride, scale, taps, to);
  } else {
    u->f32_pack_rows(k, count, source + first, stride, scale, to);
  }
}

void wnn_pack_b(const wnn_ukernels *u, size_t k, size_t n, const wnn_loose *source, size_t stride, bool transposed,
                float scale, size_t taps, float *panels) {
  for (size_t p = 0; p < wnn_ceil_div(n, u->vl); p++)
    pack_panel(u, k, n, p, source, stride, transposed, scale, taps, panels + p * k * u->vl);
}

void wnn_f32_pack(const wnn_task *task, size_t begin, size_t end, void *scratch) {
  (void)scratch;
  const wnn_pack_params *params = task->params;
  const wnn_loose *source = task->inputs[0].data;
  float *panels = task->outputs[0].data;
  size_t count = wnn_ceil_div(params->n, params->u->vl);
  for (size_t i = begin; i < end; i++)
    pack_panel(params->u, params->k, params->n, i % count, source + i / count * params->source_batch, params->stride,
               params->transposed, params->scale, 1, panels + i * params->k * params->u->vl);
}
