/* What lowerings to float32 kernels share. */
#include "backend/cpu/lower_float.h"

#include <math.h>
#include <string.h>

#include "base/sizes.h"

/* ---- float16 at the edges ---- */

typedef struct convert_params {
  const wnn_ukernels *u;
} convert_params;

static void widen_kernel(const wnn_task *task, size_t begin, size_t end, void *scratch) {
  (void)scratch;
  const convert_params *params = task->params;
  params->u->f32_widen(end - begin, (const uint16_t *)task->inputs[0].data + begin,
                       (float *)task->outputs[0].data + begin);
}

static void narrow_kernel(const wnn_task *task, size_t begin, size_t end, void *scratch) {
  (void)scratch;
  const convert_params *params = task->params;
  params->u->f32_narrow(end - begin, (const float *)task->inputs[0].data + begin,
                        (uint16_t *)task->outputs[0].data + begin);
}

static void convert_step(wnn_lowering *l, const wnn_node *node, const char *name, wnn_kernel_fn *fn, uint32_t from,
                         uint32_t to, size_t count) {
  convert_params *params = wnn_lower_alloc(l, sizeof *params);
  if (!params) return;
  params->u = wnn_lower_ukernels(l);
  wnn_step_desc step = {.kernel = name,
                        .fn = fn,
                        .inputs = &from,
                        .outputs = &to,
                        .input_count = 1,
                        .output_count = 1,
                        .op = WNN_OP_CAST,
                        .params = params,
                        .range = count,
                        .grain = wnn_lower_grain(1, 6),
                        .bytes = 6.0 * (double)count};
  wnn_lower_step(l, node, &step);
}

bool wnn_lower_is_float(const wnn_lowering *l, uint32_t value) {
  return wnn_is_float(wnn_lower_desc(l, value)->data_type);
}

uint32_t wnn_lower_widen(wnn_lowering *l, const wnn_node *node, uint32_t value) {
  if (value == WNN_NONE || wnn_lower_desc(l, value)->data_type != WNN_FLOAT16) return value;
  size_t count = wnn_elements(wnn_lower_desc(l, value));
  uint32_t temp = wnn_lower_temp(l, count * sizeof(float));
  if (temp != WNN_NONE) convert_step(l, node, "f16_widen", widen_kernel, value, temp, count);
  return temp;
}

uint32_t wnn_lower_wide_output(wnn_lowering *l, uint32_t value) {
  const wnn_desc *desc = wnn_lower_desc(l, value);
  return desc->data_type == WNN_FLOAT16 ? wnn_lower_temp(l, wnn_elements(desc) * sizeof(float)) : value;
}

void wnn_lower_narrow(wnn_lowering *l, const wnn_node *node, uint32_t wide, uint32_t value) {
  if (wide == value || wide == WNN_NONE) return;
  convert_step(l, node, "f16_narrow", narrow_kernel, wide, value, wnn_elements(wnn_lower_desc(l, value)));
}

const wnn_loose *wnn_lower_floats(wnn_lowering *l, uint32_t value) {
  const wnn_desc *desc = value == WNN_NONE ? NULL : wnn_lower_desc(l, value);
  if (!desc || desc->data_type != WNN_FLOAT16) return wnn_lower_source(l, value);
  const uint16_t *data = wnn_lower_aligned(l, value);
  if (!data) return NULL;
  size_t count = wnn_elements(desc);
  float *floats = wnn_lower_scratch(l, count * sizeof *floats);
  if (floats) wnn_lower_ukernels(l)->f32_widen(count, data, floats);
  return floats;
}

uint32_t wnn_lower_row(wnn_lowering *l, const wnn_node *node, uint32_t value, size_t count, const float **row) {
  if (value == WNN_NONE) return value;
  if (!wnn_lower_is_constant(l, value)) return wnn_lower_widen(l, node, value);
  bool fill;
  float *copy = wnn_lower_weights(l, count * sizeof *copy, &fill);
  const wnn_loose *floats = copy && fill ? wnn_lower_floats(l, value) : NULL;
  if (floats) memcpy(copy, floats, count * sizeof *copy);
  *row = copy;
  return WNN_NONE;
}

/* ---- Transposition ---- */

typedef struct transpose_params {
  const wnn_ukernels *u;
  size_t size; /* of an element: 4 or 1 */
  size_t rows, columns;
  size_t row_band, column_band; /* a unit is a band of rows, or of columns where there are few rows */
  size_t bands;
} transpose_params;

static void transpose_kernel(const wnn_task *task, size_t begin, size_t end, void *scratch) {
  (void)scratch;
  const transpose_params *p = task->params;
  for (size_t i = begin; i < end; i++) {
    size_t matrix = i / p->bands * p->rows * p->columns, band = i % p->bands;
    size_t row = p->row_band < p->rows ? band * p->row_band : 0,
           column = p->row_band < p->rows ? 0 : band * p->column_band;
    size_t rows = p->rows - row < p->row_band ? p->rows - row : p->row_band;
    size_t columns = p->columns - column < p->column_band ? p->columns - column : p->column_band;
    const char *from = (const char *)task->inputs[0].data + (matrix + row * p->columns + column) * p->size;
    char *to = (char *)task->outputs[0].data + (matrix + column * p->rows + row) * p->size;
    if (p->size == 1)
      p->u->transpose_1(rows, columns, from, p->columns, to, p->rows);
    else
      p->u->f32_transpose(rows, columns, (const float *)(const void *)from, p->columns, (float *)(void *)to, p->rows);
  }
}

void wnn_lower_transpose(wnn_lowering *l, const wnn_node *node, uint32_t from, uint32_t to, size_t size, size_t batches,
                         size_t rows, size_t columns) {
  transpose_params *params = wnn_lower_alloc(l, sizeof *params);
  if (!params) return;
  /* High bands write several lines of a target row at once, and pages of the target are visited less often; source rows
   * that lie multiples of 1 KB apart would then push each other out of a level 1 cache. */
  enum { BAND = 16, HIGH_BAND = 64, ALIKE = 256 };
  size_t band = columns % ALIKE || rows % ALIKE == 0 ? HIGH_BAND : HIGH_BAND / 2;
  while (band > BAND && rows / band < 4 * (size_t)wnn_lower_threads(l)) band /= 2;
  *params = (transpose_params){wnn_lower_ukernels(l), size, rows, columns, band, columns, wnn_ceil_div(rows, band)};
  if (rows <= BAND || size == 1) {
    params->row_band = rows;
    params->column_band = size == 1 ? (rows < 64 ? 16384 / rows / BAND * BAND : 256) : 64 * BAND / rows;
    params->bands = (columns + params->column_band - 1) / params->column_band;
  }
  double bytes = 2.0 * (double)(size * batches * rows * columns);
  wnn_step_desc step = {.kernel = size == 1 ? "transpose_1" : "f32_transpose",
                        .fn = transpose_kernel,
                        .inputs = &from,
                        .outputs = &to,
                        .input_count = 1,
                        .output_count = 1,
                        .op = WNN_OP_TRANSPOSE,
                        .params = params,
                        .range = batches * params->bands,
                        .grain = wnn_lower_grain(0, bytes / (double)(batches * params->bands)),
                        .bytes = bytes};
  wnn_lower_step(l, node, &step);
}

/* ---- Fused operations ---- */

static double number_of(wnn_number number, double absent) {
  if (number.kind == WNN_NUMBER_ABSENT) return absent;
  float value;
  wnn_number_store(number, WNN_FLOAT32, &value);
  return isnan(value) ? absent : (double)value;
}

static void add_limit(wnn_fused *fused, float lo, float hi) {
  if (!fused->limit) {
    fused->limit = true, fused->lo = lo, fused->hi = hi;
    return;
  }
  /* min(max(x, lo), hi) applied twice is one such pair again. */
  float low = fused->lo > lo ? fused->lo : lo;
  low = low < hi ? low : hi;
  float high = fused->hi > lo ? fused->hi : lo;
  fused->hi = high < hi ? high : hi;
  fused->lo = low;
}

bool wnn_lower_fused(const wnn_lowering *l, const wnn_node *node, size_t columns, wnn_fused *fused) {
  *fused = (wnn_fused){.init = WNN_NONE, .residual = WNN_NONE, .scale = WNN_NONE};
  const wnn_desc *output = wnn_lower_desc(l, node->outputs[0]);
  for (uint32_t i = 0; i < node->post_count; i++) {
    const wnn_post *post = &node->posts[i];
    if (post->op == WNN_OP_MUL && !i) {
      fused->scale = node->inputs[post->input];
    } else if (post->op == WNN_OP_QUANTIZE_LINEAR) {
      fused->requantize = post->args;
    } else if (post->op == WNN_OP_RELU) {
      add_limit(fused, 0, INFINITY);
    } else if (post->op == WNN_OP_CLAMP) {
      const wnn_clamp_options *options = &((const wnn_clamp_args *)post->args)->options;
      add_limit(fused, (float)number_of(options->min_value, -INFINITY), (float)number_of(options->max_value, INFINITY));
    } else if (post->op == WNN_OP_ADD && !fused->limit && post->input != WNN_NONE) {
      uint32_t other = node->inputs[post->input];
      if (fused->residual == WNN_NONE && wnn_shape_equal(wnn_lower_desc(l, other), output)) {
        fused->residual = other;
      } else if (fused->init == WNN_NONE && wnn_elements(wnn_lower_desc(l, other)) == columns) {
        fused->init = other;
      } else {
        return false;
      }
    } else {
      return false;
    }
  }
  return true;
}
