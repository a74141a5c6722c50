/* Recognises products of dequantized 8-bit tensors: the product then takes the integers themselves (operands 0 and 1),
 * their zero points as further inputs, and multiplies its sums by the scales as its first post. */
#include "base/shape.h"
#include "compile/compile.h"

/* The dequantizeLinear that makes a value from 8-bit integers, its zero point and scale constant; else NULL. */
static const wnn_node *dequantizer(const wnn_ir *ir, uint32_t value) {
  const wnn_node *node = wnn_ir_producer(ir, value);
  if (!node || node->op != WNN_OP_DEQUANTIZE_LINEAR || ir->values[value].desc.data_type != WNN_FLOAT32) return NULL;
  wnn_data_type type = ir->values[node->inputs[0]].desc.data_type;
  bool known =
      ir->values[node->inputs[1]].kind == WNN_VALUE_CONSTANT && ir->values[node->inputs[2]].kind == WNN_VALUE_CONSTANT;
  return known && (type == WNN_UINT8 || type == WNN_INT8) ? node : NULL;
}

/* Whether a constant has one element, or one for each index of dimension `axis` of the target. */
static bool is_row(const wnn_desc *desc, const wnn_desc *target, uint32_t axis) {
  size_t count = wnn_elements(desc);
  if (count == 1) return true;
  return count == target->shape[axis] && desc->rank == target->rank && desc->shape[axis] == count;
}

/* The kernels' index arithmetic and the integer sums have room to spare below these. */
static bool is_moderate(const wnn_ir *ir, const wnn_node *node) {
  const wnn_desc *in = &ir->values[node->inputs[0]].desc, *filter = &ir->values[node->inputs[1]].desc;
  size_t terms = wnn_elements(filter);
  for (uint32_t i = 0; i < in->rank; i++)
    if (in->shape[i] > 65536) return false;
  for (uint32_t i = 0; i < filter->rank; i++)
    if (filter->shape[i] > 65536) return false;
  if (node->op == WNN_OP_MATMUL) return filter->shape[0] <= 30000;
  const wnn_conv2d_options *options = &((const wnn_conv2d_args *)node->args)->options;
  for (int i = 0; i < 4; i++)
    if (options->padding.data[i] > 1024 || options->strides.data[i / 2] > 1024 || options->dilations.data[i / 2] > 1024)
      return false;
  bool first = options->filter_layout == WNN_CONV2D_FILTER_LAYOUT_OIHW ||
               options->filter_layout == WNN_CONV2D_FILTER_LAYOUT_OHWI;
  return options->groups == 1 && terms / filter->shape[first ? 0 : 3] <= 30000;
}

static bool rewrite(wnn_ir *ir, size_t at) {
  const wnn_node *node = &ir->nodes[at];
  if ((node->op != WNN_OP_CONV2D && node->op != WNN_OP_MATMUL) || node->post_count) return true;
  const wnn_node *x = dequantizer(ir, node->inputs[0]), *w = dequantizer(ir, node->inputs[1]);
  if (!x || !w || !is_moderate(ir, node)) return true;
  const wnn_desc *weights = &ir->values[w->inputs[0]].desc, *output = &ir->values[node->outputs[0]].desc;
  bool conv = node->op == WNN_OP_CONV2D;
  if (ir->values[w->inputs[0]].kind != WNN_VALUE_CONSTANT || ir->values[x->inputs[0]].kind == WNN_VALUE_CONSTANT)
    return true;
  if (!conv && weights->rank != 2) return true;
  const wnn_conv2d_options *options = conv ? &((const wnn_conv2d_args *)node->args)->options : NULL;
  uint32_t axis = !conv ? 1
                  : options->filter_layout == WNN_CONV2D_FILTER_LAYOUT_OIHW ||
                          options->filter_layout == WNN_CONV2D_FILTER_LAYOUT_OHWI
                      ? 0
                      : 3;
  if (wnn_elements(&ir->values[x->inputs[1]].desc) != 1 || wnn_elements(&ir->values[x->inputs[2]].desc) != 1 ||
      !is_row(&ir->values[w->inputs[1]].desc, weights, axis) || !is_row(&ir->values[w->inputs[2]].desc, weights, axis))
    return true;
  /* One scale a column, shaped to broadcast to the output. */
  uint32_t columns = weights->shape[axis];
  const float *x_scale = ir->values[x->inputs[1]].blob->data, *w_scale = ir->values[w->inputs[1]].blob->data;
  size_t scales = wnn_elements(&ir->values[w->inputs[1]].desc);
  float *row = wnn_arena_array(&ir->arena, columns, sizeof *row);
  uint32_t fixed = conv ? 3 : 2, *inputs = wnn_arena_array(&ir->arena, fixed + 3u, sizeof *inputs);
  wnn_post *post = wnn_arena_alloc(&ir->arena, sizeof *post);
  if (!row || !inputs || !post) return false;
  for (uint32_t i = 0; i < columns; i++) row[i] = x_scale[0] * w_scale[scales > 1 ? i : 0];
  wnn_desc desc = {.data_type = WNN_FLOAT32, .rank = 1, .shape = {columns}};
  if (conv && options->input_layout == WNN_INPUT_LAYOUT_NCHW)
    desc = (wnn_desc){.data_type = WNN_FLOAT32, .rank = 3, .shape = {output->shape[1], 1, 1}};
  inputs[0] = x->inputs[0], inputs[1] = w->inputs[0];
  if (conv) inputs[2] = node->input_count > 2 ? node->inputs[2] : WNN_NONE;
  inputs[fixed] = x->inputs[2], inputs[fixed + 1] = w->inputs[2];
  inputs[fixed + 2] = wnn_ir_constant(ir, &desc, row);
  if (inputs[fixed + 2] == WNN_NONE) return false;
  *post = (wnn_post){.op = WNN_OP_MUL, .input = fixed + 2};
  wnn_node *changed = &ir->nodes[at];
  changed->inputs = inputs;
  changed->input_count = fixed + 3;
  changed->posts = post;
  changed->post_count = 1;
  return true;
}

bool wnn_pass_quantize(wnn_ir *ir, const wnn_compile_options *options) {
  for (size_t n = 0; n < ir->node_count; n++)
    if (!rewrite(ir, n)) return false;
  return wnn_ir_settle(ir, NULL);
}
