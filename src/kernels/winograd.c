/* 3 x 3 convolution by Winograd's method. A unit transforms some tiles of the input, multiplies each of their
 * elements' matrices with that of the weights, and transforms the products back, all within its scratch memory. */
#include "kernels/winograd.h"

#include "base/sizes.h"

enum {
  SCRATCH_BYTES = 1024 * 1024, /* of transformed tiles and products: about a level 2 cache */
  PRODUCT_COLUMNS = 64,        /* columns whose products wait to be transformed back */
  LEAST_CHANNELS = 16,         /* with fewer the transforms would cost more than they save */
  /* Costs in multiplications. */
  TRANSFORM = 10,
  NEAR_WEIGHT = 8,
  FAR_WEIGHT = 16,
  NEAR_BYTES = 4 * 1024 * 1024 /* weights that are found in a level 3 cache again */
};

static double weight_cost(size_t elements, double area) {
  return (double)elements * area * sizeof(float) > NEAR_BYTES ? FAR_WEIGHT : NEAR_WEIGHT;
}

static double tiles_cost(size_t elements, size_t tiles, size_t inputs, size_t outputs) {
  double area = (double)inputs * (double)outputs, transforms = TRANSFORM * (double)(inputs + outputs);
  return (double)elements * (area * (1.1 * (double)tiles + weight_cost(elements, area)) + transforms * (double)tiles);
}

uint32_t wnn_winograd_choose(size_t inputs, size_t outputs, size_t out_h, size_t out_w) {
  if (inputs < LEAST_CHANNELS || outputs < LEAST_CHANNELS) return 0;
  const double area = (double)inputs * (double)outputs;
  double best = 9 * area * ((double)out_h * (double)out_w + weight_cost(9, area));
  uint32_t choice = 0;
  for (uint32_t edge = 2; edge <= 4; edge += 2) {
    size_t tiles = wnn_ceil_div(out_h, edge) * wnn_ceil_div(out_w, edge);
    double cost = tiles_cost((edge + 2) * (edge + 2), tiles, inputs, outputs);
    if (cost < best) best = cost, choice = edge;
  }
  return choice;
}

/* Floats between the elements of tiles, or of products. Were that a power of two, the elements of a pixel would meet
 * in the same few places of a cache. */
static size_t element_step(size_t floats) { return wnn_round_up(floats, 16) + 16; }

static size_t elements_of(const wnn_winograd *w) { return (size_t)(w->edge + 2) * (w->edge + 2); }

static size_t product_columns(const wnn_winograd *w) { return wnn_min_size(w->n_block, PRODUCT_COLUMNS); }

size_t wnn_winograd_plan(wnn_winograd *w, unsigned threads) {
  const size_t mr = w->u->gemm_mr, nr = (size_t)w->u->gemm_nv[mr] * w->u->vl, elements = elements_of(w);
  w->tiles_h = wnn_ceil_div(w->out_h, w->edge);
  w->tiles_w = wnn_ceil_div(w->out_w, w->edge);
  w->tiles = w->tiles_h * w->tiles_w;
  size_t most = SCRATCH_BYTES / (elements * (w->inputs + PRODUCT_COLUMNS) * sizeof(float));
  if (most < 2 * mr) most = 2 * mr;
  const size_t least = wnn_ceil_div(w->tiles, most), cuts = wnn_min_size(wnn_ceil_div(w->tiles, mr), least + threads);
  /* Each block of columns transforms the tiles anew, each block of tiles reads the weights anew. */
  double best = 0;
  for (size_t parts = 1; parts <= wnn_min_size(threads, wnn_ceil_div(w->outputs, nr)); parts++) {
    size_t n_block = wnn_min_size(w->outputs, wnn_round_up(wnn_ceil_div(w->outputs, parts), nr));
    size_t n_blocks = wnn_ceil_div(w->outputs, n_block);
    for (size_t cut = least; cut <= cuts; cut++) {
      size_t block = wnn_ceil_div(w->tiles, cut), blocks = wnn_ceil_div(w->tiles, block);
      double rounds = (double)wnn_ceil_div(w->batches * blocks * n_blocks, threads);
      double cost = rounds * tiles_cost(elements, block, w->inputs, n_block);
      if (best && cost >= best) continue;
      best = cost;
      w->block = block, w->blocks = blocks, w->n_block = n_block, w->n_blocks = n_blocks;
    }
  }
  return w->batches * w->blocks * w->n_blocks;
}

size_t wnn_winograd_scratch(const wnn_winograd *w) {
  size_t floats = element_step(w->block * w->inputs) + element_step(w->block * product_columns(w));
  return elements_of(w) * floats * sizeof(float);
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

static void transform_input(const wnn_winograd *w, const float *image, size_t first, size_t count, float *tiles) {
  for (size_t t = 0; t < count; t++) {
    const float *pixels[36];
    find_pixels(w, image, first + t, pixels);
    w->u->f32_winograd_input(w->edge, w->inputs, pixels, tiles + t * w->inputs, element_step(count * w->inputs));
  }
}

/* Rows x inputs times inputs x n, for one element of the tiles. */
static void multiply(const wnn_winograd *w, const float *a, size_t rows, const float *b, size_t n, float *c) {
  const wnn_ukernels *u = w->u;
  const size_t matrix = w->inputs * u->vl, tallest = wnn_even_part(rows, u->gemm_mr),
               width = (size_t)u->gemm_nv[tallest] * u->vl;
  const float *pointers[WNN_GEMM_MAX_ROWS];
  wnn_f32_tile tile = {.taps = 1,
                       .k = (uint32_t)w->inputs,
                       .a_step = WNN_GEMM_MAX_ROWS,
                       .a = pointers,
                       .b_panel = elements_of(w) * matrix,
                       .c_stride = n};
  for (size_t j = 0; j < n; j += width) {
    tile.n = (uint32_t)wnn_min_size(width, n - j);
    tile.b = b + j / u->vl * tile.b_panel;
    /* Weights come from far away: while those of an element are used, those of the next are fetched. */
    const float *ahead = tile.b + matrix;
    for (size_t i = 0, panels = wnn_ceil_div(tile.n, u->vl); i < rows; i += tile.m) {
      tile.m = (uint32_t)wnn_even_part(rows - i, tallest);
      for (size_t r = 0; r < tile.m; r++) pointers[r] = a + (i + r) * w->inputs;
      tile.c = c + i * n + j;
      tile.ahead = panels ? ahead : NULL;
      u->f32_gemm_tile(&tile);
      if (panels) ahead += tile.b_panel, panels--;
    }
  }
}

void wnn_f32_winograd(const wnn_task *task, size_t begin, size_t end, void *scratch) {
  const wnn_winograd *w = task->params;
  const size_t elements = elements_of(w), columns = product_columns(w);
  const float *init = w->init ? w->init : w->init_input ? task->inputs[w->init_input].data : NULL;
  const float *residual = w->residual_input ? task->inputs[w->residual_input].data : NULL;
  size_t in_size = (size_t)w->in_h * w->in_w * w->inputs, out_size = (size_t)w->out_h * w->out_w * w->out_row;
  float *tiles = scratch, *products = tiles + elements * element_step(w->block * w->inputs);
  size_t have = SIZE_MAX;
  for (size_t index = begin; index < end; index++) {
    size_t n_index = index % w->n_blocks, place = index / w->n_blocks;
    size_t batch = place / w->blocks, first = place % w->blocks * w->block;
    size_t count = wnn_min_size(w->block, w->tiles - first);
    if (place != have) transform_input(w, (const float *)task->inputs[0].data + batch * in_size, first, count, tiles);
    have = place;
    size_t n_end = wnn_min_size(w->outputs, (n_index + 1) * w->n_block);
    for (size_t n0 = n_index * w->n_block; n0 < n_end; n0 += columns) {
      size_t n = wnn_min_size(columns, n_end - n0);
      size_t tile_step = element_step(count * w->inputs), product_step = element_step(count * n);
      const float *weights = w->weights + n0 * elements * w->inputs;
      for (size_t e = 0; e < elements; e++)
        multiply(w, tiles + e * tile_step, count, weights + e * w->inputs * w->u->vl, n, products + e * product_step);
      for (size_t t = 0; t < count; t++) {
        size_t y = (first + t) / w->tiles_w * w->edge, x = (first + t) % w->tiles_w * w->edge;
        size_t at = batch * out_size + (y * w->out_w + x) * w->out_row + n0;
        wnn_f32_winograd_out out = {
            .channels = n,
            .from_step = product_step,
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
        w->u->f32_winograd_output(w->edge, &out);
      }
    }
  }
}
