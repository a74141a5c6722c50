/* Removes operations that change nothing, joins chains of reshapes and transposes, and leaves padding to the
 * convolution or pooling behind it. */
#include <math.h>
#include <string.h>

#include "base/dtype.h"
#include "base/shape.h"
#include "compile/compile.h"

static const wnn_desc *input_desc(const wnn_ir *ir, const wnn_node *node) { return &ir->values[node->inputs[0]].desc; }
static const wnn_desc *output_desc(const wnn_ir *ir, const wnn_node *node) {
  return &ir->values[node->outputs[0]].desc;
}

static const wnn_u32_list *permutation_of(const wnn_node *node) {
  return &((const wnn_transpose_args *)node->args)->options.permutation;
}

/* True when a transpose moves only dimensions of size 1: the memory stays as it is. */
static bool keeps_order(const wnn_desc *desc, const wnn_u32_list *permutation) {
  uint32_t last = 0;
  for (uint32_t i = 0; i < permutation->count; i++) {
    uint32_t axis = permutation->data[i];
    if (desc->shape[axis] == 1) continue;
    if (axis + 1 < last) return false;
    last = axis + 1;
  }
  return true;
}

static bool is_one(const wnn_ir *ir, uint32_t value) {
  double number;
  return wnn_ir_scalar(ir, value, &number) && number == 1;
}

/* True for a node whose first output is its first input, bit for bit. */
static bool changes_nothing(const wnn_ir *ir, const wnn_node *node) {
  const wnn_desc *in = input_desc(ir, node), *out = output_desc(ir, node);
  if (!wnn_desc_equal(in, out)) return false;
  switch (node->op) {
  case WNN_OP_IDENTITY:
  case WNN_OP_RESHAPE:
  case WNN_OP_CAST:
  case WNN_OP_EXPAND:
  case WNN_OP_CONCAT: /* of one tensor, since the shape is the same */
  case WNN_OP_PAD:
  case WNN_OP_TILE:
  case WNN_OP_SLICE: return true;
  case WNN_OP_SPLIT: return node->output_count == 1;
  case WNN_OP_REVERSE: {
    const wnn_u32_list *axes = &((const wnn_reverse_args *)node->args)->options.axes;
    for (uint32_t i = 0; i < axes->count; i++)
      if (in->shape[axes->data[i]] != 1) return false;
    return true;
  }
  case WNN_OP_TRANSPOSE: return keeps_order(in, permutation_of(node));
  case WNN_OP_MUL:
  case WNN_OP_DIV: return wnn_is_float(in->data_type) && is_one(ir, node->inputs[1]);
  default: return false;
  }
}

/* A node's own copy of a transpose's arguments with another permutation. */
static bool set_permutation(wnn_ir *ir, wnn_node *node, const uint32_t *permutation, uint32_t rank) {
  wnn_transpose_args *args = wnn_arena_copy(&ir->arena, node->args, sizeof *args);
  uint32_t *list = wnn_arena_copy(&ir->arena, permutation, rank * sizeof *list);
  if (!args || !list) return false;
  args->options.permutation = (wnn_u32_list){list, rank};
  node->args = args;
  return true;
}

static bool become_reshape(wnn_ir *ir, wnn_node *node) {
  const wnn_desc *out = output_desc(ir, node);
  wnn_reshape_args *args = wnn_arena_alloc(&ir->arena, sizeof *args);
  uint32_t *shape = wnn_arena_copy(&ir->arena, out->shape, sizeof out->shape);
  if (!args || !shape) return false;
  args->new_shape = (wnn_u32_list){shape, out->rank};
  args->options.label = node->label;
  node->op = WNN_OP_RESHAPE;
  node->args = args;
  return true;
}

/* Looks through the producer of a reshape or transpose. False when memory is short. */
static bool join_chain(wnn_ir *ir, wnn_node *node, const uint32_t *map) {
  if (node->op != WNN_OP_RESHAPE && node->op != WNN_OP_TRANSPOSE) return true;
  const wnn_node *before = wnn_ir_producer(ir, node->inputs[0]);
  if (before && before->op == node->op) {
    if (node->op == WNN_OP_TRANSPOSE) {
      uint32_t joined[WNN_MAX_RANK];
      const wnn_u32_list *first = permutation_of(before), *second = permutation_of(node);
      for (uint32_t i = 0; i < second->count; i++) joined[i] = first->data[second->data[i]];
      if (!set_permutation(ir, node, joined, second->count)) return false;
    }
    node->inputs[0] = wnn_ir_follow(map, before->inputs[0]);
  }
  if (node->op == WNN_OP_TRANSPOSE && keeps_order(input_desc(ir, node), permutation_of(node)))
    return become_reshape(ir, node);
  return true;
}

/* ---- Padding ---- */

/* The padding among the arguments of a convolution or pooling, and where height and width stand. */
static wnn_u32_list *padding_of(int op, void *args, uint32_t *height_axis) {
  wnn_conv2d_options *conv = &((wnn_conv2d_args *)args)->options;
  wnn_pool2d_options *pool = &((wnn_float_pool2d_args *)args)->options;
  wnn_input_layout layout = op == WNN_OP_CONV2D ? conv->input_layout : pool->layout;
  *height_axis = layout == WNN_INPUT_LAYOUT_NHWC ? 1 : 2;
  return op == WNN_OP_CONV2D ? &conv->padding : &pool->padding;
}

static bool never_negative(const wnn_node *node) {
  if (node->op != WNN_OP_CLAMP) return node->op == WNN_OP_RELU;
  wnn_number least = ((const wnn_clamp_args *)node->args)->options.min_value;
  float low;
  wnn_number_store(least, WNN_FLOAT32, &low);
  return least.kind != WNN_NUMBER_ABSENT && low >= 0;
}

/* Whether elements of this value around the image count like padding does. An average does not count padding, a maximum
 * may take zeros for it when every window has other elements and none of these is negative. */
static bool counts_as_padding(const wnn_ir *ir, const wnn_node *node, const wnn_node *pad) {
  float fill;
  wnn_number_store(((const wnn_pad_args *)pad->args)->options.value, WNN_FLOAT32, &fill);
  if (node->op == WNN_OP_CONV2D || node->op == WNN_OP_L2_POOL2D) return fill == 0;
  if (node->op != WNN_OP_MAX_POOL2D || !wnn_is_float(input_desc(ir, node)->data_type)) return false;
  if (fill == -INFINITY) return true;
  const wnn_node *source = wnn_ir_producer(ir, pad->inputs[0]);
  return fill == 0 && source && never_negative(source);
}

/* Whether each window has elements of the image, which is `size` long in dimension i of the two. */
static bool reaches_image(const wnn_pool2d_options *pool, uint32_t i, uint32_t before, uint32_t size,
                          uint32_t windows) {
  return pool->dilations.data[i] == 1 && before < pool->window_dimensions.data[i] &&
         (uint64_t)(windows - 1) * pool->strides.data[i] < (uint64_t)before + size;
}

/* False when memory is short. */
static bool absorb_padding(wnn_ir *ir, wnn_node *node) {
  if (node->op != WNN_OP_CONV2D && node->op != WNN_OP_L2_POOL2D && node->op != WNN_OP_MAX_POOL2D) return true;
  const wnn_node *pad = wnn_ir_producer(ir, node->inputs[0]);
  if (!pad || pad->op != WNN_OP_PAD) return true;
  const wnn_pad_args *around = pad->args;
  if (around->options.mode != WNN_PADDING_MODE_CONSTANT || !counts_as_padding(ir, node, pad)) return true;
  void *args = wnn_ir_copy_args(&ir->arena, node->op, node->args);
  uint32_t *sums = wnn_arena_array(&ir->arena, 4, sizeof *sums), height;
  if (!args || !sums) return false;
  wnn_u32_list *padding = padding_of(node->op, args, &height);
  for (uint32_t axis = 0; axis < 4; axis++) {
    const uint32_t more[2] = {around->beginning_padding.data[axis], around->ending_padding.data[axis]};
    uint32_t i = axis - height;
    if (i > 1) { /* neither height nor width */
      if (more[0] || more[1]) return true;
      continue;
    }
    for (uint32_t end = 0; end < 2; end++) {
      if (padding->data[2 * i + end] > WNN_MAX_DIMENSION - more[end]) return true;
      sums[2 * i + end] = padding->data[2 * i + end] + more[end];
    }
    if (node->op == WNN_OP_MAX_POOL2D &&
        !reaches_image(args, i, sums[2 * i], input_desc(ir, pad)->shape[axis], output_desc(ir, node)->shape[axis]))
      return true;
  }
  *padding = (wnn_u32_list){sums, 4};
  node->args = args;
  node->inputs[0] = pad->inputs[0];
  return true;
}

bool wnn_pass_simplify(wnn_ir *ir, const wnn_compile_options *options) {
  size_t count;
  uint32_t *map = wnn_ir_alias_map(ir, &count);
  bool fine = map != NULL;
  for (size_t n = 0; fine && n < ir->node_count; n++) {
    wnn_node *node = &ir->nodes[n];
    if (node->op >= WNN_OP_COUNT || node->inputs[0] == WNN_NONE) continue;
    for (uint32_t i = 0; i < node->input_count; i++) node->inputs[i] = wnn_ir_follow(map, node->inputs[i]);
    fine = join_chain(ir, node, map) && absorb_padding(ir, node);
    if (fine && changes_nothing(ir, node)) map[node->outputs[0]] = node->inputs[0];
  }
  fine = fine && wnn_ir_settle(ir, map);
  wnn_mem_free(options->allocator, map, count * sizeof *map);
  return fine;
}
