/* Keeps 8-bit integers as they are for as long as possible: products of dequantized tensors take the integers
 * themselves (compile/quantize.h), what only moves or picks elements does so before they are dequantized, and pairs of
 * quantizeLinear and dequantizeLinear that undo each other vanish. */
#include "compile/quantize.h"

#include <math.h>
#include <string.h>

#include "base/shape.h"
#include "compile/compile.h"

static bool is_byte(wnn_data_type type) { return type == WNN_INT8 || type == WNN_UINT8; }

bool wnn_is_integer_product(const wnn_ir *ir, const wnn_node *node) {
  return (node->op == WNN_OP_CONV2D || node->op == WNN_OP_MATMUL) &&
         is_byte(ir->values[node->inputs[0]].desc.data_type);
}

static bool is_constant(const wnn_ir *ir, uint32_t value) { return ir->values[value].kind == WNN_VALUE_CONSTANT; }

/* An 8-bit constant's element. */
static int32_t byte_of(const wnn_ir *ir, uint32_t value, size_t i) {
  const wnn_value *v = &ir->values[value];
  return v->desc.data_type == WNN_INT8 ? ((const int8_t *)v->blob->data)[i] : ((const uint8_t *)v->blob->data)[i];
}

bool wnn_requantize_of(const wnn_ir *ir, const wnn_node *node, wnn_requantize *how) {
  uint32_t scale = node->inputs[1], zero = node->inputs[2];
  bool to = node->op == WNN_OP_QUANTIZE_LINEAR;
  if (!to && node->op != WNN_OP_DEQUANTIZE_LINEAR) return false;
  const wnn_desc *bytes = &ir->values[to ? node->outputs[0] : node->inputs[0]].desc,
                 *floats = &ir->values[to ? node->inputs[0] : node->outputs[0]].desc;
  if (!is_byte(bytes->data_type) || floats->data_type != WNN_FLOAT32) return false;
  if (!is_constant(ir, scale) || !is_constant(ir, zero) || wnn_elements(&ir->values[scale].desc) != 1) return false;
  memcpy(&how->scale, ir->values[scale].blob->data, sizeof how->scale);
  how->zero = byte_of(ir, zero, 0);
  return how->scale > 1e-30f && how->scale < 1e30f;
}

/* ---- The pass ---- */

/* A value that is a slice of another, or (of int32 sums) a product over slices of both operands. */
typedef struct part {
  struct part *next;
  uint32_t value, source, weights; /* weights and zero points: of sums */
  uint32_t zeros[2];
  uint32_t product; /* the result of one product of the sum: the others are like it */
  uint32_t axis, start, size;
} part;

typedef struct quantizer {
  wnn_ir *ir;
  const wnn_compile_options *options;
  uint32_t *map; /* of values that turn out to be others */
  uint32_t *uses;
  size_t count; /* of both: the values that were there at the start */
  part *slices, *sums;
  bool failed;
} quantizer;

static const wnn_desc *desc_of(const quantizer *q, uint32_t value) { return &q->ir->values[value].desc; }

static uint32_t new_constant(quantizer *q, const wnn_desc *desc, const void *data) {
  uint32_t id = wnn_ir_constant(q->ir, desc, data);
  if (id == WNN_NONE) q->failed = true;
  return id;
}

static void *new_memory(quantizer *q, size_t count, size_t size) {
  void *memory = wnn_arena_array(&q->ir->arena, count + 1, size);
  if (!memory) q->failed = true;
  return memory;
}

static void emit(quantizer *q, const wnn_node *node) {
  uint32_t at = wnn_ir_node(q->ir, node);
  if (at == WNN_NONE) q->failed = true;
  for (uint32_t i = 0; !q->failed && i < node->output_count; i++) q->ir->values[node->outputs[i]].node = at;
}

/* A node like another with other inputs; its own lists. */
static wnn_node with_inputs(quantizer *q, const wnn_node *node, const uint32_t *inputs, uint32_t count) {
  wnn_node copy = *node;
  copy.inputs = new_memory(q, count, sizeof *inputs);
  copy.input_count = count;
  if (copy.inputs) memcpy(copy.inputs, inputs, count * sizeof *inputs);
  return copy;
}

/* The dequantizeLinear that makes float32 of 8-bit integers with a constant scale; else NULL. */
static const wnn_node *dequantizer(const quantizer *q, uint32_t value) {
  const wnn_node *node = wnn_ir_producer(q->ir, value);
  if (!node || node->op != WNN_OP_DEQUANTIZE_LINEAR || desc_of(q, value)->data_type != WNN_FLOAT32) return NULL;
  return is_byte(desc_of(q, node->inputs[0])->data_type) && is_constant(q->ir, node->inputs[1]) ? node : NULL;
}

static bool sole_use(const quantizer *q, uint32_t value) { return value < q->count && q->uses[value] == 1; }

/* ---- Moving elements ---- */

static bool moves_only(uint32_t op) {
  switch (op) {
  case WNN_OP_EXPAND:
  case WNN_OP_GATHER:
  case WNN_OP_MAX_POOL2D: /* scales are positive, so the largest stays the largest */
  case WNN_OP_RESHAPE:
  case WNN_OP_REVERSE:
  case WNN_OP_SLICE:
  case WNN_OP_TILE:
  case WNN_OP_TRANSPOSE: return true;
  default: return false;
  }
}

static uint32_t new_result(quantizer *q, const wnn_desc *shape, wnn_data_type type) {
  wnn_desc desc = *shape;
  desc.data_type = type;
  uint32_t id = wnn_ir_value(q->ir, &(wnn_value){.desc = desc, .kind = WNN_VALUE_RESULT});
  if (id == WNN_NONE) q->failed = true;
  return id;
}

/* The scale (or zero point) of a value, as that of the value after it was moved: the same for elements moved, unless it
 * has one number for each index of a dimension that changes; WNN_NONE then. */
static uint32_t move_parameter(quantizer *q, const wnn_node *node, uint32_t parameter) {
  wnn_desc desc = *desc_of(q, parameter);
  const wnn_desc *in = desc_of(q, node->inputs[0]), *out = desc_of(q, node->outputs[0]);
  bool single = wnn_elements(&desc) == 1;
  if (single && desc.rank == out->rank) return parameter;
  if (!is_constant(q->ir, parameter)) return WNN_NONE;
  if (node->op == WNN_OP_SLICE) {
    for (uint32_t i = 0; i < in->rank; i++)
      if (desc.shape[i] != 1 && in->shape[i] != out->shape[i]) return WNN_NONE;
    return parameter;
  }
  uint32_t along = 0; /* dimensions with more than one number */
  for (uint32_t i = 0; i < desc.rank; i++) along += desc.shape[i] != 1;
  if (single) {
    desc.rank = out->rank;
    for (uint32_t i = 0; i < out->rank; i++) desc.shape[i] = 1;
  } else if (node->op == WNN_OP_TRANSPOSE && along == 1) {
    const wnn_u32_list *order = &((const wnn_transpose_args *)node->args)->options.permutation;
    const wnn_desc before = desc;
    for (uint32_t i = 0; i < desc.rank; i++) desc.shape[i] = before.shape[order->data[i]];
  } else {
    return WNN_NONE;
  }
  return new_constant(q, &desc, q->ir->values[parameter].blob->data);
}

/* y = dequantize(bytes) in the way of another dequantizer. */
static void emit_dequantizer(quantizer *q, const wnn_node *like, uint32_t bytes, uint32_t scale, uint32_t zero,
                             uint32_t y) {
  wnn_node node = with_inputs(q, like, like->inputs, 3);
  node.outputs = new_memory(q, 1, sizeof *node.outputs);
  if (q->failed) return;
  node.inputs[0] = bytes, node.inputs[1] = scale, node.inputs[2] = zero;
  node.outputs[0] = y;
  emit(q, &node);
}

/* Makes the result of a node with constant inputs a constant. */
static void evaluate(quantizer *q, const wnn_node *node) {
  wnn_blob *blob = NULL;
  if (!q->options->evaluate(q->options->user, q->ir, node, &blob)) {
    q->failed = true;
    return;
  }
  wnn_value *value = &q->ir->values[node->outputs[0]];
  value->kind = WNN_VALUE_CONSTANT;
  value->blob = blob;
}

static void note_slice(quantizer *q, const wnn_node *node, uint32_t source, uint32_t value) {
  if (node->op != WNN_OP_SLICE) return;
  const wnn_slice_args *args = node->args;
  const wnn_desc *in = desc_of(q, source), *out = desc_of(q, value);
  uint32_t axis = WNN_NONE;
  for (uint32_t i = 0; i < in->rank; i++) {
    if (in->shape[i] == out->shape[i]) continue;
    if (axis != WNN_NONE || args->options.strides.data[i] != 1) return;
    axis = i;
  }
  part *p = axis == WNN_NONE ? NULL : new_memory(q, 1, sizeof *p);
  if (!p) return;
  *p = (part){.next = q->slices,
              .value = value,
              .source = source,
              .axis = axis,
              .start = args->starts.data[axis],
              .size = out->shape[axis]};
  q->slices = p;
}

/* Whether each window of a pool holds some of its input: the least byte would stand for no number otherwise. */
static bool windows_meet_input(const quantizer *q, const wnn_node *node) {
  const wnn_pool2d_options *options = &((const wnn_max_pool2d_args *)node->args)->options;
  uint32_t first = options->layout == WNN_INPUT_LAYOUT_NHWC ? 1 : 2;
  for (uint32_t i = 0; i < 2; i++) {
    uint64_t in = desc_of(q, node->inputs[0])->shape[first + i], out = desc_of(q, node->outputs[0])->shape[first + i];
    uint32_t before = options->padding.data[2 * i];
    if (options->dilations.data[i] != 1 || before >= options->window_dimensions.data[i] ||
        (out - 1) * options->strides.data[i] >= in + before)
      return false;
  }
  return true;
}

/* move(dequantize(x)) becomes dequantize(move(x)). */
static bool push_move(quantizer *q, const wnn_node *node) {
  if (!moves_only(node->op) || node->output_count != 1 || node->post_count) return false;
  const wnn_node *found = dequantizer(q, node->inputs[0]);
  if (!found) return false;
  if (node->op == WNN_OP_MAX_POOL2D) {
    wnn_requantize how;
    if (!wnn_requantize_of(q->ir, found, &how) || !windows_meet_input(q, node)) return false;
  }
  bool constant = is_constant(q->ir, found->inputs[0]);
  for (uint32_t i = 1; i < node->input_count; i++)
    constant = constant && (node->inputs[i] == WNN_NONE || is_constant(q->ir, node->inputs[i]));
  if (constant && (node->op == WNN_OP_EXPAND || node->op == WNN_OP_TILE)) return false; /* folding knows their limits */
  wnn_node from = *found, moved = with_inputs(q, node, node->inputs, node->input_count);
  uint32_t scale = move_parameter(q, node, from.inputs[1]), zero = move_parameter(q, node, from.inputs[2]);
  if (q->failed) return true;
  if (scale == WNN_NONE || zero == WNN_NONE) return false;
  uint32_t y = node->outputs[0], source = from.inputs[0],
           bytes = new_result(q, desc_of(q, y), desc_of(q, source)->data_type);
  moved.outputs = new_memory(q, 1, sizeof *moved.outputs);
  if (q->failed) return true;
  moved.inputs[0] = source;
  moved.outputs[0] = bytes;
  if (constant)
    evaluate(q, &moved);
  else
    emit(q, &moved);
  if (!q->failed) note_slice(q, node, source, bytes);
  if (!q->failed) emit_dequantizer(q, &from, bytes, scale, zero, y);
  return true;
}

/* concat(dequantize(x), ...) of equal scales and zero points becomes dequantize(concat(x, ...)). */
static bool push_concat(quantizer *q, const wnn_node *node) {
  if (node->op != WNN_OP_CONCAT) return false;
  const wnn_node *first = dequantizer(q, node->inputs[0]);
  wnn_requantize how, other;
  if (!first || !wnn_requantize_of(q->ir, first, &how)) return false;
  wnn_data_type type = desc_of(q, first->inputs[0])->data_type;
  wnn_node moved = with_inputs(q, node, node->inputs, node->input_count), from = *first;
  for (uint32_t i = 0; !q->failed && i < node->input_count; i++) {
    const wnn_node *d = dequantizer(q, node->inputs[i]);
    if (!d || !wnn_requantize_of(q->ir, d, &other) || other.scale != how.scale || other.zero != how.zero ||
        desc_of(q, d->inputs[0])->data_type != type)
      return false;
    moved.inputs[i] = d->inputs[0];
  }
  uint32_t y = node->outputs[0], bytes = new_result(q, desc_of(q, y), type);
  moved.outputs = new_memory(q, 1, sizeof *moved.outputs);
  if (q->failed) return true;
  moved.outputs[0] = bytes;
  emit(q, &moved);
  if (!q->failed) emit_dequantizer(q, &from, bytes, from.inputs[1], from.inputs[2], y);
  return true;
}

/* quantize(concat(...)) becomes concat(quantize(...)), so that each part can be made as bytes. */
static bool pull_quantize(quantizer *q, const wnn_node *node) {
  wnn_requantize how;
  const wnn_node *found = wnn_ir_producer(q->ir, node->inputs[0]);
  if (node->op != WNN_OP_QUANTIZE_LINEAR || !found || found->op != WNN_OP_CONCAT || !sole_use(q, node->inputs[0]) ||
      !wnn_requantize_of(q->ir, node, &how))
    return false;
  wnn_node concat = with_inputs(q, found, found->inputs, found->input_count);
  wnn_data_type type = desc_of(q, node->outputs[0])->data_type;
  for (uint32_t i = 0; !q->failed && i < concat.input_count; i++) {
    uint32_t piece = concat.inputs[i], bytes = new_result(q, desc_of(q, piece), type);
    wnn_node quantize = with_inputs(q, node, node->inputs, node->input_count);
    quantize.outputs = new_memory(q, 1, sizeof *quantize.outputs);
    if (q->failed) break;
    quantize.inputs[0] = piece, quantize.outputs[0] = bytes;
    concat.inputs[i] = bytes;
    emit(q, &quantize);
  }
  concat.outputs = node->outputs;
  if (!q->failed) emit(q, &concat);
  return true;
}

/* quantize(dequantize(x)) with the same numbers is x. */
static bool cancel(quantizer *q, const wnn_node *node) {
  wnn_requantize to, from;
  if (node->op != WNN_OP_QUANTIZE_LINEAR || !wnn_requantize_of(q->ir, node, &to)) return false;
  const wnn_node *d = dequantizer(q, node->inputs[0]);
  if (!d || !wnn_requantize_of(q->ir, d, &from) || from.scale != to.scale || from.zero != to.zero ||
      !wnn_desc_equal(desc_of(q, d->inputs[0]), desc_of(q, node->outputs[0])) || node->outputs[0] >= q->count)
    return false;
  q->map[node->outputs[0]] = d->inputs[0];
  return true;
}

/* ---- Products ---- */

/* Whether a constant has one element, or one for each index of dimension `axis` of the target. */
static bool is_row(const wnn_desc *desc, const wnn_desc *target, uint32_t axis) {
  size_t count = wnn_elements(desc);
  if (count == 1) return true;
  return count == target->shape[axis] && desc->rank == target->rank && desc->shape[axis] == count;
}

static uint32_t output_axis(const wnn_conv2d_options *options) {
  bool first = options->filter_layout == WNN_CONV2D_FILTER_LAYOUT_OIHW ||
               options->filter_layout == WNN_CONV2D_FILTER_LAYOUT_OHWI;
  return first ? 0 : 3;
}

/* The kernels' index arithmetic and the integer sums have room to spare below these. */
static bool is_moderate(const wnn_desc *in, const wnn_desc *filter, const wnn_conv2d_options *options) {
  for (uint32_t i = 0; i < in->rank; i++)
    if (in->shape[i] > 65536) return false;
  for (uint32_t i = 0; i < filter->rank; i++)
    if (filter->shape[i] > 65536) return false;
  if (!options) return filter->shape[0] <= 30000 && wnn_elements(in) <= UINT32_MAX;
  for (int i = 0; i < 4; i++)
    if (options->padding.data[i] > 1024 || options->strides.data[i / 2] > 1024 || options->dilations.data[i / 2] > 256)
      return false;
  const uint32_t outputs = output_axis(options);
  for (uint32_t i = 0; i < 4; i++)
    if (i != outputs && filter->shape[i] > 4096) return false;
  return wnn_elements(filter) / filter->shape[outputs] <= 30000;
}

/* A row of floats, one a column, shaped to broadcast to the product's output. */
static uint32_t new_row(quantizer *q, const wnn_node *node, const float *row, uint32_t columns) {
  wnn_desc desc = {.data_type = WNN_FLOAT32, .rank = 1, .shape = {columns}};
  if (node->op == WNN_OP_CONV2D && ((const wnn_conv2d_args *)node->args)->options.input_layout == WNN_INPUT_LAYOUT_NCHW)
    desc = (wnn_desc){.data_type = WNN_FLOAT32, .rank = 3, .shape = {columns, 1, 1}};
  return new_constant(q, &desc, row);
}

/* The transposed bytes of a constant matrix. */
static uint32_t transposed(quantizer *q, uint32_t value) {
  wnn_desc desc = *desc_of(q, value);
  size_t rows = desc.shape[0], columns = desc.shape[1];
  desc.shape[0] = (uint32_t)columns, desc.shape[1] = (uint32_t)rows;
  char *to;
  const char *from = wnn_blob_read(q->ir->values[value].blob);
  uint32_t id = new_constant(q, &desc, from);
  if (id == WNN_NONE) return id;
  from = q->ir->values[value].blob->data;
  memcpy(&to, &q->ir->values[id].blob->data, sizeof to);
  for (size_t i = 0; i < rows; i++)
    for (size_t j = 0; j < columns; j++) to[j * rows + i] = from[i * columns + j];
  return id;
}

/* A gemm without more than a product and a row says the same as a matmul. */
static bool gemm_is_product(const quantizer *q, const wnn_node *node) {
  const wnn_gemm_options *options = &((const wnn_gemm_args *)node->args)->options;
  if (options->alpha != 1 || options->beta != 1 || options->a_transpose) return false;
  uint32_t c = node->input_count > 2 ? node->inputs[2] : WNN_NONE;
  if (c == WNN_NONE) return true;
  const wnn_desc *desc = desc_of(q, c);
  uint32_t columns = desc_of(q, node->outputs[0])->shape[1];
  return desc->rank && desc->shape[desc->rank - 1] == columns && wnn_elements(desc) == columns;
}

/* The node as a product of integers, a post multiplying by the scales; false when it is none. */
static bool product_of(quantizer *q, const wnn_node *node, wnn_node *product) {
  bool conv = node->op == WNN_OP_CONV2D, gemm = node->op == WNN_OP_GEMM;
  if ((!conv && !gemm && node->op != WNN_OP_MATMUL) || node->post_count) return false;
  const wnn_node *x = dequantizer(q, node->inputs[0]), *w = dequantizer(q, node->inputs[1]);
  if (!x || !w || (gemm && !gemm_is_product(q, node))) return false;
  uint32_t bytes = x->inputs[0], weights = w->inputs[0], x_scale = x->inputs[1], x_zero = x->inputs[2];
  uint32_t w_scale = w->inputs[1], w_zero = w->inputs[2];
  const wnn_conv2d_options *options = conv ? &((const wnn_conv2d_args *)node->args)->options : NULL;
  if (is_constant(q->ir, bytes) || !is_constant(q->ir, weights) || !is_constant(q->ir, w_zero)) return false;
  if ((conv && !is_constant(q->ir, x_zero)) || (!conv && desc_of(q, weights)->rank != 2)) return false;
  bool turned = gemm && ((const wnn_gemm_args *)node->args)->options.b_transpose;
  uint32_t axis = conv ? output_axis(options) : turned ? 0 : 1, columns = desc_of(q, weights)->shape[axis];
  const wnn_desc *shape = desc_of(q, weights);
  if (wnn_elements(desc_of(q, x_scale)) != 1 || wnn_elements(desc_of(q, x_zero)) != 1 ||
      !is_row(desc_of(q, w_scale), shape, axis) || !is_row(desc_of(q, w_zero), shape, axis))
    return false;
  wnn_desc terms = *shape;
  if (turned) terms.shape[0] = shape->shape[1], terms.shape[1] = shape->shape[0];
  if (!is_moderate(desc_of(q, bytes), &terms, options)) return false;
  float *row = new_memory(q, columns, sizeof *row), a;
  if (!row) return true;
  memcpy(&a, q->ir->values[x_scale].blob->data, sizeof a);
  const float *scales = q->ir->values[w_scale].blob->data;
  size_t count = wnn_elements(desc_of(q, w_scale));
  for (uint32_t i = 0; i < columns; i++) {
    row[i] = a * scales[count > 1 ? i : 0];
    if (!(fabsf(row[i]) < 1e30f) || (row[i] != 0 && fabsf(row[i]) < 1e-30f)) return false;
  }
  if (turned) weights = transposed(q, weights);
  uint32_t fixed = conv ? 3 : 2, bias = node->input_count > 2 ? node->inputs[2] : WNN_NONE;
  uint32_t inputs[7] = {bytes, weights, conv ? bias : WNN_NONE};
  inputs[fixed] = x_zero, inputs[fixed + 1] = w_zero, inputs[fixed + 2] = new_row(q, node, row, columns);
  bool added = gemm && bias != WNN_NONE;
  if (added) inputs[fixed + 3] = bias;
  wnn_post *posts = new_memory(q, 2, sizeof *posts);
  if (q->failed) return true;
  *product = with_inputs(q, node, inputs, fixed + 3 + added);
  if (q->failed) return true;
  posts[0] = (wnn_post){.op = WNN_OP_MUL, .input = fixed + 2};
  if (added) posts[1] = (wnn_post){.op = WNN_OP_ADD, .input = fixed + 3};
  if (gemm) {
    wnn_matmul_args *args = wnn_arena_alloc(&q->ir->arena, sizeof *args);
    if (!args) q->failed = true;
    product->op = WNN_OP_MATMUL;
    product->args = args;
  }
  product->posts = posts;
  product->post_count = (uint8_t)(1 + added);
  return true;
}

static bool make_product(quantizer *q, const wnn_node *node) {
  wnn_node product = *node;
  if (!product_of(q, node, &product)) return false;
  if (!q->failed) emit(q, &product);
  return true;
}

/* The product of integers that makes a value, when its sums are multiplied by 1 and nothing else is done to them. */
static const wnn_node *plain_product(const quantizer *q, uint32_t value) {
  const wnn_node *node = wnn_ir_producer(q->ir, value);
  if (!node || !wnn_is_integer_product(q->ir, node) || node->post_count != 1) return NULL;
  const wnn_value *row = &q->ir->values[node->inputs[node->posts[0].input]];
  for (size_t i = 0; i < wnn_elements(&row->desc); i++)
    if (((const float *)row->blob->data)[i] != 1) return NULL;
  return node;
}

/* The bias of conv2d as int32; WNN_NONE in *bias for none. False when it has other numbers than whole ones. */
static bool whole_bias(quantizer *q, uint32_t value, uint32_t *bias) {
  *bias = WNN_NONE;
  if (value == WNN_NONE) return true;
  const wnn_value *v = &q->ir->values[value];
  if (v->kind != WNN_VALUE_CONSTANT || v->desc.data_type != WNN_FLOAT32) return false;
  wnn_desc desc = v->desc;
  size_t count = wnn_elements(&desc);
  int32_t *whole = new_memory(q, count, sizeof *whole);
  if (!whole) return true;
  const float *floats = v->blob->data;
  for (size_t i = 0; i < count; i++) {
    if (!(fabsf(floats[i]) <= 0x1p24f) || floats[i] != truncf(floats[i])) return false;
    whole[i] = (int32_t)floats[i];
  }
  desc.data_type = WNN_INT32;
  *bias = new_constant(q, &desc, whole);
  return true;
}

/* cast(product, int32) is the sum itself. */
static bool make_sum(quantizer *q, const wnn_node *node) {
  if (node->op != WNN_OP_CAST || desc_of(q, node->outputs[0])->data_type != WNN_INT32) return false;
  const wnn_node *found = plain_product(q, node->inputs[0]);
  uint32_t bias = WNN_NONE;
  if (!found) return false;
  wnn_node sum = with_inputs(q, found, found->inputs, found->input_count - 1);
  if (q->failed || (sum.op == WNN_OP_CONV2D && !whole_bias(q, sum.inputs[2], &bias))) return q->failed;
  if (sum.op == WNN_OP_CONV2D) sum.inputs[2] = bias;
  sum.outputs = node->outputs;
  sum.posts = NULL;
  sum.post_count = 0;
  if (q->failed) return true;
  emit(q, &sum);
  /* Of slices of both operands, in the dimension that is summed over? */
  const part *a = q->slices, *b = q->slices;
  while (a && a->value != sum.inputs[0]) a = a->next;
  while (b && b->value != sum.inputs[1]) b = b->next;
  bool channels = sum.op == WNN_OP_CONV2D;
  if (!a || !b || a->start != b->start || a->size != b->size || bias != WNN_NONE) return true;
  uint32_t a_axis = desc_of(q, a->source)->rank - 1, b_axis = 0;
  if (channels) {
    const wnn_conv2d_options *options = &((const wnn_conv2d_args *)sum.args)->options;
    if (options->input_layout != WNN_INPUT_LAYOUT_NCHW || options->groups != 1 ||
        options->filter_layout != WNN_CONV2D_FILTER_LAYOUT_OIHW)
      return true;
    a_axis = b_axis = 1;
  }
  if (a->axis != a_axis || b->axis != b_axis ||
      desc_of(q, a->source)->shape[a_axis] != desc_of(q, b->source)->shape[b_axis])
    return true;
  part *p = new_memory(q, 1, sizeof *p);
  if (!p) return true;
  *p = (part){.next = q->sums,
              .value = sum.outputs[0],
              .source = a->source,
              .weights = b->source,
              .zeros = {sum.inputs[channels ? 3 : 2], sum.inputs[channels ? 4 : 3]},
              .product = sum.outputs[0],
              .axis = a->axis,
              .start = a->start,
              .size = a->size};
  q->sums = p;
  return true;
}

/* Sums over neighbouring slices are one sum; over all there is, one product. */
static bool join_sums(quantizer *q, const wnn_node *node) {
  if (node->op != WNN_OP_ADD || desc_of(q, node->outputs[0])->data_type != WNN_INT32) return false;
  const part *a = q->sums, *b = q->sums;
  while (a && a->value != node->inputs[0]) a = a->next;
  while (b && b->value != node->inputs[1]) b = b->next;
  if (!a || !b || a->source != b->source || a->weights != b->weights || a->start + a->size != b->start ||
      memcmp(a->zeros, b->zeros, sizeof a->zeros))
    return false;
  uint32_t whole = desc_of(q, a->source)->shape[a->axis], size = a->size + b->size;
  const wnn_node *like = wnn_ir_producer(q->ir, a->product);
  if (!a->start && size == whole && is_constant(q->ir, a->weights)) {
    wnn_node product = with_inputs(q, like, like->inputs, like->input_count);
    const wnn_conv2d_options *options =
        product.op == WNN_OP_CONV2D ? &((const wnn_conv2d_args *)product.args)->options : NULL;
    if (q->failed) return true;
    if (!is_moderate(desc_of(q, a->source), desc_of(q, a->weights), options)) return false;
    product.inputs[0] = a->source, product.inputs[1] = a->weights;
    product.outputs = node->outputs;
    emit(q, &product);
    return true;
  }
  part *p = new_memory(q, 1, sizeof *p);
  if (!p) return true;
  *p = *a;
  p->next = q->sums, p->value = node->outputs[0], p->size = size;
  q->sums = p;
  return false;
}

/* mul(product, row): the sums are multiplied by the row instead of 1. */
static bool scale_product(quantizer *q, const wnn_node *node) {
  if (node->op != WNN_OP_MUL) return false;
  for (int side = 0; side < 2; side++) {
    uint32_t value = node->inputs[side], other = node->inputs[1 - side], bias = WNN_NONE;
    const wnn_node *found = plain_product(q, value);
    if (!found || !sole_use(q, value) || !is_constant(q->ir, other)) continue;
    bool conv = found->op == WNN_OP_CONV2D;
    const wnn_desc *out = desc_of(q, value), *row = desc_of(q, other);
    if (!wnn_desc_equal(out, desc_of(q, node->outputs[0]))) continue;
    bool nchw = conv && ((const wnn_conv2d_args *)found->args)->options.input_layout == WNN_INPUT_LAYOUT_NCHW;
    uint32_t axis = nchw ? 1 : out->rank - 1, columns = out->shape[axis];
    size_t count = wnn_elements(row);
    uint32_t from_end = out->rank - axis; /* of the axis, in the row too */
    if (count != 1 && (count != columns || row->rank < from_end || row->shape[row->rank - from_end] != columns))
      continue;
    wnn_node product = with_inputs(q, found, found->inputs, found->input_count);
    if (q->failed || (conv && !whole_bias(q, product.inputs[2], &bias))) return q->failed;
    float *factors = new_memory(q, columns, sizeof *factors);
    if (q->failed) return true;
    const float *given = q->ir->values[other].blob->data;
    bool fine = true;
    for (uint32_t i = 0; i < columns; i++) {
      factors[i] = given[count > 1 ? i : 0];
      fine = fine && fabsf(factors[i]) < 1e30f && (factors[i] == 0 || fabsf(factors[i]) > 1e-30f);
    }
    if (!fine) continue;
    if (conv) product.inputs[2] = bias;
    uint32_t scaled = new_row(q, &product, factors, columns);
    product.inputs[product.posts[0].input] = scaled;
    product.outputs = node->outputs;
    if (!q->failed) emit(q, &product);
    return true;
  }
  return false;
}

/* The value that stands for another now; the pass's own values stand for themselves. */
static uint32_t follow(const quantizer *q, uint32_t value) {
  while (value < q->count && q->map[value] != value) value = q->map[value];
  return value;
}

static void rewrite(quantizer *q, const wnn_node *node) {
  for (uint32_t i = 0; i < node->input_count; i++) node->inputs[i] = follow(q, node->inputs[i]);
  if (node->op < WNN_OP_COUNT && node->input_count && node->inputs[0] != WNN_NONE &&
      (cancel(q, node) || push_move(q, node) || push_concat(q, node) || pull_quantize(q, node) ||
       make_product(q, node) || make_sum(q, node) || join_sums(q, node) || scale_product(q, node)))
    return;
  if (!q->failed) emit(q, node);
}

bool wnn_pass_quantize(wnn_ir *ir, const wnn_compile_options *options) {
  bool any = false;
  for (size_t n = 0; n < ir->node_count; n++) any |= ir->nodes[n].op == WNN_OP_DEQUANTIZE_LINEAR;
  if (!any) return true;
  const wnn_allocator *allocator = ir->arena.allocator;
  quantizer q = {.ir = ir, .options = options};
  q.map = wnn_ir_alias_map(ir, &q.count);
  q.uses = wnn_ir_count_uses(ir, &q.count);
  wnn_node *nodes = ir->nodes;
  size_t count = ir->node_count, capacity = ir->node_capacity;
  bool done = q.map && q.uses;
  if (done) {
    ir->nodes = NULL;
    ir->node_count = ir->node_capacity = 0;
    for (size_t n = 0; n < count && !q.failed; n++) rewrite(&q, &nodes[n]);
    wnn_mem_free(allocator, nodes, capacity * sizeof *nodes);
    for (size_t i = 0; i < ir->output_count; i++) ir->outputs[i].value = follow(&q, ir->outputs[i].value);
    done = !q.failed && wnn_ir_settle(ir, NULL);
  }
  if (q.map) wnn_mem_free(allocator, q.map, q.count * sizeof *q.map);
  if (q.uses) wnn_mem_free(allocator, q.uses, q.count * sizeof *q.uses);
  return done;
}

/* relayout(dequantize(x)) becomes dequantize(relayout(x)): a quarter of the memory moves. The two nodes change places.
 */
bool wnn_pass_relayout_bytes(wnn_ir *ir, const wnn_compile_options *options) {
  (void)options;
  size_t count;
  uint32_t *uses = wnn_ir_count_uses(ir, &count);
  bool fine = uses != NULL;
  for (size_t n = 0; fine && n < ir->node_count; n++) {
    if (ir->nodes[n].op != WNN_IR_RELAYOUT) continue;
    uint32_t between = ir->nodes[n].inputs[0];
    const wnn_value *floats = &ir->values[between];
    wnn_requantize how;
    if (floats->kind != WNN_VALUE_RESULT || uses[between] != 1 || ir->nodes[floats->node].post_count ||
        ir->nodes[floats->node].op != WNN_OP_DEQUANTIZE_LINEAR ||
        !wnn_requantize_of(ir, &ir->nodes[floats->node], &how))
      continue;
    wnn_node move = ir->nodes[n], make = ir->nodes[floats->node];
    uint32_t at = floats->node, *inputs = wnn_arena_copy(&ir->arena, make.inputs, 3 * sizeof *inputs),
             *source = wnn_arena_copy(&ir->arena, make.inputs, sizeof *source),
             *moved = wnn_arena_array(&ir->arena, 1, sizeof *moved);
    wnn_value bytes = {.desc = ir->values[move.outputs[0]].desc, .kind = WNN_VALUE_RESULT, .node = at};
    bytes.desc.data_type = ir->values[make.inputs[0]].desc.data_type;
    uint32_t id = wnn_ir_value(ir, &bytes);
    fine = inputs && source && moved && id != WNN_NONE;
    if (!fine) break;
    *moved = inputs[0] = id;
    make.outputs = move.outputs;
    make.inputs = inputs;
    move.inputs = source;
    move.outputs = moved;
    ir->nodes[at] = move;
    ir->nodes[n] = make;
  }
  if (uses) wnn_mem_free(ir->arena.allocator, uses, count * sizeof *uses);
  return fine && wnn_ir_settle(ir, NULL);
}
