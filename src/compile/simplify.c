/* Removes operations that change nothing, and joins chains of reshapes and transposes. */
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

bool wnn_pass_simplify(wnn_ir *ir, const wnn_compile_options *options) {
  size_t count;
  uint32_t *map = wnn_ir_alias_map(ir, &count);
  bool fine = map != NULL;
  for (size_t n = 0; fine && n < ir->node_count; n++) {
    wnn_node *node = &ir->nodes[n];
    if (node->op >= WNN_OP_COUNT || node->inputs[0] == WNN_NONE) continue;
    for (uint32_t i = 0; i < node->input_count; i++) node->inputs[i] = wnn_ir_follow(map, node->inputs[i]);
    fine = join_chain(ir, node, map);
    if (fine && changes_nothing(ir, node)) map[node->outputs[0]] = node->inputs[0];
  }
  fine = fine && wnn_ir_settle(ir, map);
  wnn_mem_free(options->allocator, map, count * sizeof *map);
  return fine;
}
