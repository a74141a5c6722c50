/* Softmax, layer, instance and batch normalization. */
#include <math.h>
#include <string.h>
#include <webnn/webnn_ops.h>

#include "backend/cpu/lower.h"
#include "backend/cpu/lower_float.h"
#include "backend/cpu/lower_move.h"
#include "kernels/embed.h"

/* ---- Softmax ---- */

typedef struct softmax_params {
  const wnn_ukernels *u;
  size_t extent, inner, chunk, chunks; /* chunks of columns in each outer index; inner 1: units are rows */
} softmax_params;

static void softmax_kernel(const wnn_task *task, size_t begin, size_t end, void *scratch) {
  (void)scratch;
  const softmax_params *p = task->params;
  const float *from = task->inputs[0].data;
  float *to = task->outputs[0].data;
  if (p->inner == 1) {
    p->u->f32_softmax(end - begin, p->extent, from + begin * p->extent, to + begin * p->extent);
    return;
  }
  for (size_t i = begin; i < end; i++) {
    size_t first = i % p->chunks * p->chunk, at = i / p->chunks * p->extent * p->inner + first;
    size_t columns = p->inner - first < p->chunk ? p->inner - first : p->chunk;
    p->u->f32_softmax_columns(p->extent, columns, p->inner, from + at, to + at);
  }
}

bool wnn_lower_softmax(wnn_lowering *l, const wnn_node *node) {
  const wnn_desc *desc = wnn_lower_desc(l, node->inputs[0]);
  uint32_t axis = ((const wnn_softmax_args *)node->args)->axis;
  softmax_params *p = wnn_lower_alloc(l, sizeof *p);
  uint32_t from = wnn_lower_widen(l, node, node->inputs[0]), to = wnn_lower_wide_output(l, node->outputs[0]);
  if (!p || from == WNN_NONE || to == WNN_NONE) return true;
  size_t outer = wnn_shape_product(desc, 0, axis), count = wnn_elements(desc);
  *p = (softmax_params){
      .u = wnn_lower_ukernels(l), .extent = desc->shape[axis], .inner = wnn_shape_product(desc, axis + 1, desc->rank)};
  p->chunk = 64;
  p->chunks = p->inner == 1 ? 1 : (p->inner + p->chunk - 1) / p->chunk;
  size_t units = outer * p->chunks;
  double flops = 30.0 * (double)count;
  wnn_step_desc step = {.kernel = p->inner == 1 ? "f32_softmax" : "f32_softmax_columns",
                        .fn = softmax_kernel,
                        .inputs = &from,
                        .outputs = &to,
                        .input_count = 1,
                        .output_count = 1,
                        .op = node->op,
                        .params = p,
                        .range = units,
                        .grain = wnn_lower_grain(flops / (double)units, 0),
                        .in_place = true,
                        .flops = flops,
                        .bytes = 8.0 * (double)count};
  wnn_lower_step(l, node, &step);
  wnn_lower_narrow(l, node, to, node->outputs[0]);
  return true;
}

/* ---- Layer and instance normalization ---- */

typedef struct norm_params {
  const wnn_ukernels *u;
  size_t n, channels; /* channels: scale and bias are one element a row, which repeat after that many rows; or 0 */
  double epsilon;
  uint32_t sources; /* inputs: the sources, then scale and bias. A second output gets the sums. */
} norm_params;

static void norm_kernel(const wnn_task *task, size_t begin, size_t end, void *scratch) {
  (void)scratch;
  const norm_params *p = task->params;
  const float *scale = task->inputs[p->sources].data, *bias = task->inputs[p->sources + 1].data;
  for (size_t row = begin; row < end; row++) {
    wnn_f32_norm norm = {.source_count = p->sources, .n = p->n, .epsilon = p->epsilon, .uniform = p->channels != 0};
    for (uint32_t i = 0; i < p->sources; i++) norm.sources[i] = (const float *)task->inputs[i].data + row * p->n;
    size_t channel = p->channels ? row % p->channels : 0;
    norm.scale = scale ? scale + channel : NULL;
    norm.bias = bias ? bias + channel : NULL;
    norm.to = (float *)task->outputs[0].data + row * p->n;
    if (task->output_count > 1) norm.sum = (float *)task->outputs[1].data + row * p->n;
    p->u->f32_norm(&norm);
  }
}

/* inputs: sources, scale, bias (WNN_NONE where absent), all float32. */
static void norm_step(wnn_lowering *l, const wnn_node *node, const uint32_t *inputs, uint32_t sources,
                      const uint32_t *outputs, uint32_t output_count, size_t rows, size_t n, size_t channels,
                      double epsilon) {
  norm_params *p = wnn_lower_alloc(l, sizeof *p);
  if (!p) return;
  *p = (norm_params){wnn_lower_ukernels(l), n, channels, epsilon, sources};
  double bytes = 4.0 * (double)(sources + output_count) * (double)n;
  wnn_step_desc step = {.kernel = "f32_norm",
                        .fn = norm_kernel,
                        .inputs = inputs,
                        .outputs = outputs,
                        .input_count = sources + 2,
                        .output_count = output_count,
                        .op = node->op,
                        .params = p,
                        .range = rows,
                        .grain = wnn_lower_grain(10.0 * (double)n, bytes),
                        /* Scale and bias may have the size of one row. */
                        .in_place = sources == 1 && output_count == 1 && rows > 1,
                        .flops = 10.0 * (double)n * (double)rows,
                        .bytes = bytes * (double)rows};
  wnn_lower_step(l, node, &step);
}

static double rounded(wnn_data_type type, double x) {
  return type == WNN_FLOAT16 ? (double)wnn_f16_to_f32(wnn_f64_to_f16(x)) : (double)(float)x;
}

static uint32_t input_of(const wnn_node *node, uint32_t i) {
  return i < node->input_count ? node->inputs[i] : WNN_NONE;
}

/* Scale or bias as float32; false when memory is short. */
static bool wide_parameter(wnn_lowering *l, const wnn_node *node, uint32_t i, uint32_t *id) {
  *id = input_of(node, i);
  if (*id == WNN_NONE) return true;
  *id = wnn_lower_widen(l, node, *id);
  return *id != WNN_NONE;
}

bool wnn_lower_layer_normalization(wnn_lowering *l, const wnn_node *node) {
  const wnn_layer_normalization_options *options = &((const wnn_layer_normalization_args *)node->args)->options;
  const wnn_desc *desc = wnn_lower_desc(l, node->inputs[0]);
  const uint32_t rank = desc->rank, count = options->axes.count;
  size_t total = wnn_elements(desc), n = 1;
  bool trailing = true;
  for (uint32_t i = 0; i < count; i++) {
    n *= desc->shape[options->axes.data[i]];
    trailing = trailing && options->axes.data[i] == rank - count + i;
  }
  uint32_t inputs[3], to;
  inputs[0] = wnn_lower_widen(l, node, node->inputs[0]);
  if (inputs[0] == WNN_NONE || !wide_parameter(l, node, 1, &inputs[1]) || !wide_parameter(l, node, 2, &inputs[2]))
    return true;
  double epsilon = rounded(desc->data_type, options->epsilon);
  to = wnn_lower_wide_output(l, node->outputs[0]);
  if (to == WNN_NONE) return true;
  if (trailing) {
    norm_step(l, node, inputs, 1, &to, 1, total / n, n, 0, epsilon);
    wnn_lower_narrow(l, node, to, node->outputs[0]);
    return true;
  }
  /* Brought to the end, in the order of scale and bias, and back. */
  uint32_t order[WNN_MAX_RANK], at = 0, mask = 0;
  for (uint32_t i = 0; i < count; i++) mask |= 1u << options->axes.data[i];
  for (uint32_t i = 0; i < rank; i++)
    if (!(mask >> i & 1)) order[at++] = i;
  for (uint32_t i = 0; i < count; i++) order[at++] = options->axes.data[i];
  size_t strides[WNN_MAX_RANK], dims[WNN_MAX_RANK], moved[WNN_MAX_RANK];
  wnn_shape_strides(desc, strides);
  for (uint32_t i = 0; i < rank; i++) dims[i] = desc->shape[order[i]], moved[i] = strides[order[i]];
  uint32_t before = wnn_lower_temp(l, total * sizeof(float)), after = wnn_lower_temp(l, total * sizeof(float));
  if (before == WNN_NONE || after == WNN_NONE) return true;
  wnn_lower_copy(l, node, inputs[0], before, &(wnn_copy){.size = 4, .rank = rank, .dims = dims, .from = moved});
  inputs[0] = before;
  norm_step(l, node, inputs, 1, &after, 1, total / n, n, 0, epsilon);
  size_t back[WNN_MAX_RANK], dense[WNN_MAX_RANK], step = 1;
  for (uint32_t i = rank; i-- > 0; step *= dims[i]) dense[i] = step;
  for (uint32_t i = 0; i < rank; i++) back[order[i]] = dense[i];
  for (uint32_t i = 0; i < rank; i++) dims[i] = desc->shape[i];
  wnn_lower_copy(l, node, after, to, &(wnn_copy){.size = 4, .rank = rank, .dims = dims, .from = back});
  wnn_lower_narrow(l, node, to, node->outputs[0]);
  return true;
}

bool wnn_lower_instance_normalization(wnn_lowering *l, const wnn_node *node) {
  const wnn_instance_normalization_options *options = &((const wnn_instance_normalization_args *)node->args)->options;
  const wnn_desc *desc = wnn_lower_desc(l, node->inputs[0]);
  const uint32_t *s = desc->shape;
  bool last = options->layout == WNN_INPUT_LAYOUT_NHWC;
  size_t channels = s[last ? 3 : 1], pixels = last ? (size_t)s[1] * s[2] : (size_t)s[2] * s[3];
  size_t total = wnn_elements(desc);
  uint32_t inputs[3];
  inputs[0] = wnn_lower_widen(l, node, node->inputs[0]);
  if (inputs[0] == WNN_NONE || !wide_parameter(l, node, 1, &inputs[1]) || !wide_parameter(l, node, 2, &inputs[2]))
    return true;
  uint32_t to = wnn_lower_wide_output(l, node->outputs[0]), normal = to;
  if (to == WNN_NONE) return true;
  if (last && channels > 1) {
    uint32_t before = wnn_lower_temp(l, total * sizeof(float));
    normal = wnn_lower_temp(l, total * sizeof(float));
    if (before == WNN_NONE || normal == WNN_NONE) return true;
    wnn_lower_transpose(l, node, inputs[0], before, sizeof(float), s[0], pixels, channels);
    inputs[0] = before;
  }
  norm_step(l, node, inputs, 1, &normal, 1, s[0] * channels, pixels, channels,
            rounded(desc->data_type, options->epsilon));
  if (normal != to) wnn_lower_transpose(l, node, normal, to, sizeof(float), s[0], channels, pixels);
  wnn_lower_narrow(l, node, to, node->outputs[0]);
  return true;
}

/* Residual add and layer normalization over the last dimension: a, b, scale, bias; the second output is the sum. */
bool wnn_lower_add_norm(wnn_lowering *l, const wnn_node *node) {
  const wnn_desc *desc = wnn_lower_desc(l, node->outputs[0]);
  const wnn_layer_normalization_options *options = &((const wnn_layer_normalization_args *)node->args)->options;
  size_t n = desc->shape[desc->rank - 1];
  norm_step(l, node, node->inputs, node->input_count - 2, node->outputs, node->output_count, wnn_elements(desc) / n, n,
            0, (double)(float)options->epsilon);
  return true;
}

bool wnn_lower_embed_norm(wnn_lowering *l, const wnn_node *node) {
  const wnn_desc *desc = wnn_lower_desc(l, node->outputs[0]);
  const wnn_layer_normalization_options *options = &((const wnn_layer_normalization_args *)node->args)->options;
  wnn_embed_params *p = wnn_lower_alloc(l, sizeof *p);
  if (!p) return true;
  *p = (wnn_embed_params){.u = wnn_lower_ukernels(l),
                          .half = desc->data_type == WNN_FLOAT16,
                          .source_count = node->input_count / 2 - 1,
                          .n = desc->shape[desc->rank - 1],
                          .epsilon = rounded(desc->data_type, options->epsilon)};
  uint32_t inputs[2 * WNN_EMBED_SOURCES + 2];
  memcpy(inputs, node->inputs, node->input_count * sizeof *inputs);
  for (uint32_t i = 0; i < p->source_count; i++) {
    p->extents[i] = wnn_elements(wnn_lower_desc(l, inputs[2 * i])) / p->n;
    p->counts[i] = inputs[2 * i + 1] == WNN_NONE ? p->extents[i] : wnn_elements(wnn_lower_desc(l, inputs[2 * i + 1]));
  }
  for (uint32_t i = 0; i < 2; i++) {
    uint32_t at = 2 * p->source_count + i;
    if (p->half && wnn_lower_is_constant(l, inputs[at])) {
      bool fill;
      float *floats = wnn_lower_weights(l, p->n * sizeof *floats, &fill);
      const uint16_t *halves = floats && fill ? wnn_lower_aligned(l, inputs[at]) : NULL;
      if (!floats || (fill && !halves)) return true;
      if (halves) p->u->f32_widen(p->n, halves, floats);
      p->affine[i] = floats, inputs[at] = WNN_NONE;
    } else if (!wide_parameter(l, node, at, &inputs[at])) {
      return true;
    }
  }
  double n = (double)p->n, bytes = (double)wnn_data_type_size(desc->data_type) * n * (p->source_count + 1.0);
  size_t rows = wnn_elements(desc) / p->n;
  wnn_step_desc step = {.kernel = "embed_norm",
                        .fn = wnn_embed_norm,
                        .inputs = inputs,
                        .outputs = node->outputs,
                        .input_count = node->input_count,
                        .output_count = 1,
                        .op = node->op,
                        .params = p,
                        .range = rows,
                        .grain = wnn_lower_grain(10 * n, bytes),
                        .scratch = p->half ? p->n * sizeof(float) : 0,
                        .flops = 10 * n * (double)rows,
                        .bytes = bytes * (double)rows};
  wnn_lower_step(l, node, &step);
  return true;
}

/* ---- Batch normalization ---- */

typedef struct batch_params {
  const wnn_ukernels *u;
  size_t channels, inner;
  double epsilon;
} batch_params;

/* The factor of each channel: scale / sqrt(variance + epsilon). */
static void batch_factors(const wnn_task *task, size_t begin, size_t end, void *scratch) {
  (void)scratch;
  const batch_params *p = task->params;
  const float *variance = task->inputs[0].data, *scale = task->inputs[1].data;
  float *to = task->outputs[0].data;
  for (size_t c = begin; c < end; c++)
    to[c] = (float)((scale ? (double)scale[c] : 1) / sqrt((double)variance[c] + p->epsilon));
}

/* Units: rows of all channels, which are innermost. Inputs: x, mean, factors, bias. */
static void batch_row_kernel(const wnn_task *task, size_t begin, size_t end, void *scratch) {
  (void)scratch;
  const batch_params *p = task->params;
  enum { X, MEAN, FACTOR, BIAS, OUT, PIECE = 2048 };
  static const wnn_vstep steps[] = {{WNN_VF_SUB, OUT, {X, MEAN, X}, {0}, {0}},
                                    {WNN_VF_MUL, OUT, {OUT, FACTOR, OUT}, {0}, {0}},
                                    {WNN_VF_ADD, OUT, {OUT, BIAS, OUT}, {0}, {0}}};
  const uint32_t count = task->inputs[BIAS].data ? 3 : 2;
  for (size_t i = begin; i < end; i++)
    for (size_t start = 0; start < p->channels; start += PIECE) {
      wnn_vreg registers[5];
      for (uint32_t r = MEAN; r <= BIAS; r++) {
        float *data = task->inputs[r].data;
        registers[r] = (wnn_vreg){data ? data + start : NULL, WNN_SPREAD_EACH};
      }
      size_t at = i * p->channels + start, left = p->channels - start;
      registers[X] = (wnn_vreg){(float *)task->inputs[X].data + at, WNN_SPREAD_EACH};
      registers[OUT] = (wnn_vreg){(float *)task->outputs[0].data + at, WNN_SPREAD_EACH};
      p->u->vector_program(steps, count, registers, 1, left < PIECE ? left : PIECE);
    }
}

/* Units: runs of one channel. Inputs as above. */
static void batch_plane_kernel(const wnn_task *task, size_t begin, size_t end, void *scratch) {
  (void)scratch;
  const batch_params *p = task->params;
  const float *x = task->inputs[0].data, *mean = task->inputs[1].data, *factor = task->inputs[2].data;
  const float *bias = task->inputs[3].data;
  float *to = task->outputs[0].data;
  for (size_t i = begin; i < end; i++) {
    size_t c = i % p->channels;
    /* Adding -0 changes no number. */
    p->u->f32_affine(p->inner, x + i * p->inner, mean[c], factor[c], bias ? bias[c] : -0.0f, to + i * p->inner);
  }
}

bool wnn_lower_batch_normalization(wnn_lowering *l, const wnn_node *node) {
  const wnn_batch_normalization_options *options = &((const wnn_batch_normalization_args *)node->args)->options;
  const wnn_desc *desc = wnn_lower_desc(l, node->inputs[0]);
  batch_params *p = wnn_lower_alloc(l, sizeof *p);
  uint32_t ids[5];
  if (!p) return true;
  for (uint32_t i = 0; i < 5; i++)
    if (!wide_parameter(l, node, i, &ids[i])) return true;
  *p = (batch_params){wnn_lower_ukernels(l), desc->shape[options->axis],
                      wnn_shape_product(desc, options->axis + 1, desc->rank),
                      rounded(desc->data_type, options->epsilon)};
  uint32_t factors = wnn_lower_temp(l, p->channels * sizeof(float)), to = wnn_lower_wide_output(l, node->outputs[0]);
  if (factors == WNN_NONE || to == WNN_NONE) return true;
  const uint32_t first[] = {ids[2], ids[3]}, second[] = {ids[0], ids[1], factors, ids[4]};
  wnn_step_desc step = {.kernel = "batch_factors",
                        .fn = batch_factors,
                        .inputs = first,
                        .outputs = &factors,
                        .input_count = 2,
                        .output_count = 1,
                        .op = node->op,
                        .params = p,
                        .range = p->channels,
                        .flops = 10.0 * (double)p->channels,
                        .bytes = 12.0 * (double)p->channels};
  wnn_lower_step(l, node, &step);
  double count = (double)wnn_elements(desc);
  size_t run = p->inner == 1 ? p->channels : p->inner;
  step = (wnn_step_desc){.kernel = "f32_batch_norm",
                         .fn = p->inner == 1 ? batch_row_kernel : batch_plane_kernel,
                         .inputs = second,
                         .outputs = &to,
                         .input_count = 4,
                         .output_count = 1,
                         .op = node->op,
                         .params = p,
                         .range = wnn_elements(desc) / run,
                         .grain = wnn_lower_grain(3.0 * (double)run, 8.0 * (double)run),
                         .in_place = wnn_elements(desc) > p->channels,
                         .flops = 3 * count,
                         .bytes = 8 * count};
  wnn_lower_step(l, node, &step);
  wnn_lower_narrow(l, node, to, node->outputs[0]);
  return true;
}
