/* Chooses channels-last for images, once for the whole graph. Convolutions are rewritten to it, and what stands
 * between them follows, so that transposes remain only where images enter and leave. Nodes keep their meaning: each
 * rewritten one is an ordinary operation on transposed descriptors. */
#include <string.h>

#include "base/dtype.h"
#include "base/shape.h"
#include "compile/compile.h"

static const uint32_t to_last[4] = {0, 2, 3, 1}; /* dimension i of NHWC is dimension to_last[i] of NCHW */
static const uint32_t from_last[4] = {0, 3, 1,
                                      2}; /* the reverse; also: NCHW dimension d is NHWC dimension from_last[d] */

typedef struct layout {
  wnn_ir *ir;
  uint32_t *twins; /* of each value of the old graph: the same channels-last, WNN_NONE when there is none yet */
  bool *plain;     /* of each: a node of the new graph (or none) makes it */
  bool *convolved; /* of each: it is the image of a convolution */
  size_t count;
  bool failed;
} layout;

static const wnn_desc *desc_of(const layout *l, uint32_t value) { return &l->ir->values[value].desc; }

static wnn_desc permuted(const wnn_desc *desc, const uint32_t order[4]) {
  wnn_desc out = *desc;
  for (int i = 0; i < 4; i++) out.shape[i] = desc->shape[order[i]];
  return out;
}

/* True when channels-last and plain memory are the same. */
static bool same_memory(const wnn_desc *desc) {
  return desc->shape[1] == 1 || (desc->shape[2] == 1 && desc->shape[3] == 1);
}

/* ---- New nodes ---- */

static uint32_t new_value(layout *l, const wnn_desc *desc) {
  uint32_t id = wnn_ir_value(l->ir, &(wnn_value){.desc = *desc, .kind = WNN_VALUE_RESULT});
  if (id == WNN_NONE) l->failed = true;
  return id;
}

static uint32_t *new_ids(layout *l, uint32_t count) {
  uint32_t *ids = wnn_arena_array(&l->ir->arena, count + 1u, sizeof *ids);
  if (!ids) l->failed = true;
  return ids;
}

static void append(layout *l, const wnn_node *node) {
  if (wnn_ir_node(l->ir, node) == WNN_NONE) l->failed = true;
}

/* A node with one input, one output and a copy of args. */
static void append_unary(layout *l, int op, const void *args, uint32_t input, uint32_t output) {
  uint32_t *ids = new_ids(l, 2);
  void *copy = wnn_ir_copy_args(&l->ir->arena, op, args);
  if (!copy) l->failed = true;
  if (l->failed) return;
  ids[0] = input, ids[1] = output;
  append(l, &(wnn_node){.op = (uint16_t)op,
                        .input_count = 1,
                        .output_count = 1,
                        .inputs = ids,
                        .outputs = ids + 1,
                        .args = copy,
                        .label = ""});
}

static void append_transpose(layout *l, const uint32_t order[4], uint32_t input, uint32_t output) {
  wnn_transpose_args args = {.options = {.permutation = {order, 4}}};
  append_unary(l, WNN_OP_TRANSPOSE, &args, input, output);
}

static void append_reshape(layout *l, uint32_t input, uint32_t output) {
  wnn_desc desc = *desc_of(l, output);
  static const uint32_t nothing[1];
  wnn_reshape_args args = {.new_shape = {desc.rank ? desc.shape : nothing, desc.rank}};
  append_unary(l, WNN_OP_RESHAPE, &args, input, output);
}

/* Moves from plain to channels-last or back, as a reshape where the memory is the same. */
static void append_move(layout *l, const uint32_t order[4], uint32_t input, uint32_t output) {
  const wnn_desc *plain = desc_of(l, order == to_last ? input : output);
  bool wide = plain->data_type == WNN_FLOAT32 || wnn_data_type_size(plain->data_type) == 1;
  if (same_memory(plain)) {
    append_reshape(l, input, output);
  } else {
    append_transpose(l, order, input, output);
    if (wide && !l->failed) l->ir->nodes[l->ir->node_count - 1].op = WNN_IR_RELAYOUT;
  }
}

/* ---- Values in the form that is needed ---- */

static void need_plain(layout *l, uint32_t value) {
  if (value == WNN_NONE || value >= l->count || l->plain[value]) return;
  l->plain[value] = true;
  append_move(l, from_last, l->twins[value], value);
}

/* A constant seen with rank 4, its elements moved to channels-last. */
static uint32_t move_constant(layout *l, uint32_t value) {
  wnn_desc plain = {.data_type = desc_of(l, value)->data_type, .rank = 4, .shape = {1, 1, 1, 1}};
  const wnn_desc *desc = desc_of(l, value);
  memcpy(plain.shape + 4 - desc->rank, desc->shape, desc->rank * sizeof *desc->shape);
  wnn_desc last = permuted(&plain, to_last);
  const char *from = wnn_blob_read(l->ir->values[value].blob);
  uint32_t id = wnn_ir_constant(l->ir, &last, from);
  if (id == WNN_NONE) {
    l->failed = true;
    return id;
  }
  if (same_memory(&plain)) return id;
  char *to;
  memcpy(&to, &l->ir->values[id].blob->data, sizeof to);
  size_t size = wnn_data_type_size(plain.data_type), pixels = (size_t)plain.shape[2] * plain.shape[3];
  size_t channels = plain.shape[1];
  for (size_t n = 0; n < plain.shape[0]; n++)
    for (size_t p = 0; p < pixels; p++)
      for (size_t c = 0; c < channels; c++, to += size)
        memcpy(to, from + ((n * channels + c) * pixels + p) * size, size);
  return id;
}

/* True when a transpose from channels-last makes this value. */
static const wnn_node *entering_transpose(const layout *l, const wnn_node *producer) {
  if (!producer || producer->op != WNN_OP_TRANSPOSE || desc_of(l, producer->outputs[0])->rank != 4) return NULL;
  const wnn_u32_list *order = &((const wnn_transpose_args *)producer->args)->options.permutation;
  return memcmp(order->data, from_last, sizeof from_last) ? NULL : producer;
}

/* The value channels-last, seen with rank 4. Shorter values are aligned at their last dimension. */
static uint32_t need_last(layout *l, uint32_t value) {
  if (l->twins[value] != WNN_NONE) return l->twins[value];
  const wnn_value *v = &l->ir->values[value];
  if (v->kind == WNN_VALUE_CONSTANT) return l->twins[value] = move_constant(l, value);
  wnn_desc plain = {.data_type = v->desc.data_type, .rank = 4, .shape = {1, 1, 1, 1}};
  memcpy(plain.shape + 4 - v->desc.rank, v->desc.shape, v->desc.rank * sizeof *v->desc.shape);
  uint32_t source = value;
  if (v->desc.rank < 4) {
    source = new_value(l, &plain);
    if (l->failed) return WNN_NONE;
    append_reshape(l, value, source);
  }
  wnn_desc last = permuted(&plain, to_last);
  uint32_t id = new_value(l, &last);
  if (l->failed) return WNN_NONE;
  append_move(l, to_last, source, id);
  return l->twins[value] = id;
}

/* ---- Which nodes follow, and how ---- */

static bool is_elementwise(int op) {
  if (op >= WNN_OP_ADD && op <= WNN_OP_TANH) return op != WNN_OP_SOFTMAX;
  return op == WNN_OP_CAST || op == WNN_OP_CLAMP || op == WNN_OP_WHERE || op == WNN_OP_DEQUANTIZE_LINEAR ||
         op == WNN_OP_QUANTIZE_LINEAR;
}

static bool is_reduction(int op) { return op >= WNN_OP_REDUCE_L1 && op <= WNN_OP_REDUCE_SUM_SQUARE; }

/* Rewrites four numbers that belong to the dimensions. */
static void move_list(layout *l, wnn_u32_list *list) {
  uint32_t *moved = new_ids(l, 4);
  if (!moved) return;
  for (int i = 0; i < 4; i++) moved[i] = list->data[to_last[i]];
  *list = (wnn_u32_list){moved, 4};
}

/* Rewrites a list of dimensions. */
static void move_axes(layout *l, wnn_u32_list *axes) {
  uint32_t *moved = new_ids(l, axes->count);
  if (!moved) return;
  for (uint32_t i = 0; i < axes->count; i++) moved[i] = from_last[axes->data[i]];
  *axes = (wnn_u32_list){moved, axes->count};
}

/* Whether a reduction over axes without keeping them leaves the other dimensions in the same order. */
static bool keeps_order(const wnn_u32_list *axes) {
  bool reduced[4] = {0};
  for (uint32_t i = 0; i < axes->count; i++) reduced[axes->data[i]] = true;
  return reduced[1] || (reduced[2] && reduced[3]);
}

/* What a node can do with channels-last images. */
typedef enum ability {
  NOTHING,
  MOVES,  /* channels-last in, channels-last out */
  LEAVES, /* channels-last in, the output as it was */
} ability;

static ability ability_of(const wnn_node *node) {
  if (is_elementwise(node->op)) return MOVES;
  if (is_reduction(node->op)) {
    const wnn_reduce_options *options = &((const wnn_any_reduce_args *)node->args)->options;
    return options->keep_dimensions ? MOVES : keeps_order(&options->axes) ? LEAVES : NOTHING;
  }
  switch (node->op) {
  case WNN_OP_CONV2D:
    return ((const wnn_conv2d_args *)node->args)->options.input_layout == WNN_INPUT_LAYOUT_NCHW ? MOVES : NOTHING;
  case WNN_OP_CONV_TRANSPOSE2D:
    return ((const wnn_conv_transpose2d_args *)node->args)->options.input_layout == WNN_INPUT_LAYOUT_NCHW ? MOVES
                                                                                                          : NOTHING;
  case WNN_OP_AVERAGE_POOL2D:
  case WNN_OP_L2_POOL2D:
  case WNN_OP_MAX_POOL2D:
    return ((const wnn_float_pool2d_args *)node->args)->options.layout == WNN_INPUT_LAYOUT_NCHW ? MOVES : NOTHING;
  case WNN_OP_INSTANCE_NORMALIZATION:
    return ((const wnn_instance_normalization_args *)node->args)->options.layout == WNN_INPUT_LAYOUT_NCHW ? MOVES
                                                                                                          : NOTHING;
  case WNN_OP_ARG_MAX:
  case WNN_OP_ARG_MIN: {
    const wnn_arg_min_max_args *args = node->args;
    return args->options.keep_dimensions ? MOVES : args->axis == 1 ? LEAVES : NOTHING;
  }
  case WNN_OP_RESAMPLE2D: {
    /* Only two neighbouring dimensions may be resized. */
    const wnn_u32_list *axes = &((const wnn_resample2d_args *)node->args)->options.axes;
    return axes->data[0] == 2 && axes->data[1] == 3 ? MOVES : NOTHING;
  }
  case WNN_OP_BATCH_NORMALIZATION:
  case WNN_OP_CONCAT:
  case WNN_OP_CUMULATIVE_SUM:
  case WNN_OP_PAD:
  case WNN_OP_REVERSE:
  case WNN_OP_SLICE:
  case WNN_OP_SOFTMAX:
  case WNN_OP_SPLIT:
  case WNN_OP_TILE: return MOVES;
  default: return NOTHING;
  }
}

/* Which inputs are images: of elementwise operations all, else the first; posts bring images of the output's shape. */
static bool input_moves(const layout *l, const wnn_node *node, uint32_t i) {
  if (node->inputs[i] == WNN_NONE) return false;
  if (is_elementwise(node->op) || node->op == WNN_OP_CONCAT) return true;
  if (!i) return true;
  for (uint32_t p = 0; p < node->post_count; p++)
    if (node->posts[p].input == i) return wnn_shape_equal(desc_of(l, node->inputs[i]), desc_of(l, node->outputs[0]));
  return false;
}

/* Changes the parameters (a copy) of a node from NCHW to NHWC. */
static void move_args(layout *l, int op, void *args) {
  if (is_reduction(op)) move_axes(l, &((wnn_any_reduce_args *)args)->options.axes);
  switch (op) {
  case WNN_OP_CONV2D: ((wnn_conv2d_args *)args)->options.input_layout = WNN_INPUT_LAYOUT_NHWC; break;
  case WNN_OP_CONV_TRANSPOSE2D:
    ((wnn_conv_transpose2d_args *)args)->options.input_layout = WNN_INPUT_LAYOUT_NHWC;
    break;
  case WNN_OP_AVERAGE_POOL2D:
  case WNN_OP_L2_POOL2D:
  case WNN_OP_MAX_POOL2D: ((wnn_float_pool2d_args *)args)->options.layout = WNN_INPUT_LAYOUT_NHWC; break;
  case WNN_OP_INSTANCE_NORMALIZATION:
    ((wnn_instance_normalization_args *)args)->options.layout = WNN_INPUT_LAYOUT_NHWC;
    break;
  case WNN_OP_ARG_MAX:
  case WNN_OP_ARG_MIN: ((wnn_arg_min_max_args *)args)->axis = from_last[((wnn_arg_min_max_args *)args)->axis]; break;
  case WNN_OP_RESAMPLE2D: move_axes(l, &((wnn_resample2d_args *)args)->options.axes); break;
  case WNN_OP_BATCH_NORMALIZATION: {
    uint32_t *axis = &((wnn_batch_normalization_args *)args)->options.axis;
    *axis = from_last[*axis];
    break;
  }
  case WNN_OP_CONCAT: ((wnn_concat_args *)args)->axis = from_last[((wnn_concat_args *)args)->axis]; break;
  case WNN_OP_CUMULATIVE_SUM:
    ((wnn_cumulative_sum_args *)args)->axis = from_last[((wnn_cumulative_sum_args *)args)->axis];
    break;
  case WNN_OP_PAD:
    move_list(l, &((wnn_pad_args *)args)->beginning_padding);
    move_list(l, &((wnn_pad_args *)args)->ending_padding);
    break;
  case WNN_OP_REVERSE: move_axes(l, &((wnn_reverse_args *)args)->options.axes); break;
  case WNN_OP_SLICE: {
    wnn_slice_args *slice = args;
    move_list(l, &slice->starts);
    move_list(l, &slice->sizes);
    move_list(l, &slice->options.strides);
    break;
  }
  case WNN_OP_SOFTMAX: ((wnn_softmax_args *)args)->axis = from_last[((wnn_softmax_args *)args)->axis]; break;
  case WNN_OP_SPLIT: ((wnn_split_args *)args)->options.axis = from_last[((wnn_split_args *)args)->options.axis]; break;
  case WNN_OP_TILE: move_list(l, &((wnn_tile_args *)args)->repetitions); break;
  default: break;
  }
}

/* One channel in, one out, and no convolution next: planes cost less than moving there and back. */
static bool stays_planes(const layout *l, const wnn_node *node) {
  if (node->op != WNN_OP_CONV2D || desc_of(l, node->inputs[0])->data_type != WNN_FLOAT32) return false;
  const wnn_conv2d_options *options = &((const wnn_conv2d_args *)node->args)->options;
  uint32_t channels = desc_of(l, node->inputs[0])->shape[1];
  return !l->convolved[node->outputs[0]] && channels > 1 && options->groups == channels &&
         desc_of(l, node->outputs[0])->shape[1] == channels && options->strides.data[1] == 1;
}

/* Convolutions move, but for those that are done as well where they are; others when at least half of their images are
 * there channels-last already. */
static bool should_move(const layout *l, const wnn_node *node) {
  if (desc_of(l, node->inputs[0])->rank != 4 && !is_elementwise(node->op)) return false;
  for (uint32_t i = 0; i < node->output_count; i++) {
    const wnn_desc *out = desc_of(l, node->outputs[i]);
    if (out->rank != 4 && ability_of(node) == MOVES) return false;
  }
  if ((node->op == WNN_OP_CONV2D && !stays_planes(l, node)) || node->op == WNN_OP_CONV_TRANSPOSE2D) return true;
  size_t there = 0, missing = 0;
  for (uint32_t i = 0; i < node->input_count; i++) {
    if (!input_moves(l, node, i)) continue;
    uint32_t id = node->inputs[i];
    const wnn_desc *desc = desc_of(l, id);
    if (desc->rank < 4 && (node->op == WNN_OP_DEQUANTIZE_LINEAR || node->op == WNN_OP_QUANTIZE_LINEAR)) return false;
    if (l->ir->values[id].kind == WNN_VALUE_CONSTANT) continue;
    size_t bytes = wnn_bytes(desc);
    if (l->twins[id] != WNN_NONE && !(l->plain[id] && same_memory(desc))) {
      there += bytes;
    } else if (desc->rank != 4 || !same_memory(desc)) {
      missing += bytes;
    }
  }
  return there && there >= missing;
}

static void move_node(layout *l, const wnn_node *node, ability how) {
  wnn_node copy = *node;
  copy.inputs = new_ids(l, node->input_count);
  copy.outputs = new_ids(l, node->output_count);
  copy.args = wnn_ir_copy_args(&l->ir->arena, node->op, node->args);
  if (!copy.args) l->failed = true;
  if (l->failed) return;
  for (uint32_t i = 0; i < node->input_count && !l->failed; i++) {
    uint32_t id = node->inputs[i];
    bool single = id != WNN_NONE && wnn_elements(desc_of(l, id)) == 1 && desc_of(l, id)->rank < 4;
    if (input_moves(l, node, i) && !single) {
      copy.inputs[i] = need_last(l, id);
    } else {
      need_plain(l, id);
      copy.inputs[i] = id;
    }
  }
  if (l->failed) return;
  move_args(l, node->op, copy.args);
  for (uint32_t i = 0; i < node->output_count && !l->failed; i++) {
    uint32_t id = node->outputs[i];
    if (how == LEAVES) {
      copy.outputs[i] = id;
      continue;
    }
    wnn_desc last = permuted(desc_of(l, id), to_last);
    copy.outputs[i] = l->twins[id] = new_value(l, &last);
    l->plain[id] = false;
  }
  if (!l->failed) append(l, &copy);
}

/* ---- Transposes and reshapes of images ---- */

/* True when the node, which reads a channels-last image, is done by a cheaper one. */
static bool pass_on(layout *l, const wnn_node *node, const wnn_node *old_nodes) {
  uint32_t input = node->inputs[0], output = node->outputs[0];
  if (node->op == WNN_OP_RESHAPE) {
    if (desc_of(l, input)->rank != 4 || l->twins[input] == WNN_NONE || l->plain[input]) return false;
    if (!same_memory(desc_of(l, input))) return false;
    append_reshape(l, l->twins[input], output);
    return true;
  }
  if (node->op != WNN_OP_TRANSPOSE) return false;
  const wnn_u32_list *order = &((const wnn_transpose_args *)node->args)->options.permutation;
  if (order->count == 4 && l->twins[input] != WNN_NONE && !l->plain[input]) {
    uint32_t moved[4];
    bool nothing = true;
    for (uint32_t i = 0; i < 4; i++) {
      moved[i] = from_last[order->data[i]];
      nothing = nothing && moved[i] == i;
    }
    if (nothing) {
      append_reshape(l, l->twins[input], output);
    } else {
      append_transpose(l, moved, l->twins[input], output);
    }
    return true;
  }
  /* [N, C, H, W] as [N, C, H * W], then transposed to [N, H * W, C]. */
  const wnn_value *v = &l->ir->values[input];
  if (order->count != 3 || order->data[0] != 0 || order->data[1] != 2 || v->kind != WNN_VALUE_RESULT) return false;
  const wnn_node *reshape = &old_nodes[v->node];
  if (reshape->op != WNN_OP_RESHAPE || desc_of(l, reshape->inputs[0])->rank != 4) return false;
  uint32_t image = reshape->inputs[0];
  const wnn_desc *four = desc_of(l, image);
  if (l->twins[image] == WNN_NONE || v->desc.shape[0] != four->shape[0] || v->desc.shape[1] != four->shape[1])
    return false;
  append_reshape(l, l->twins[image], output);
  return true;
}

static bool rewrite(layout *l, const wnn_node *nodes, size_t count) {
  for (size_t n = 0; n < count && !l->failed; n++) {
    const wnn_node *node = &nodes[n];
    if (node->input_count && node->inputs[0] != WNN_NONE && pass_on(l, node, nodes)) continue;
    ability how = node->input_count ? ability_of(node) : NOTHING;
    if (how != NOTHING && should_move(l, node)) {
      move_node(l, node, how);
      continue;
    }
    for (uint32_t i = 0; i < node->input_count; i++) need_plain(l, node->inputs[i]);
    append(l, node);
    if (entering_transpose(l, node)) l->twins[node->outputs[0]] = node->inputs[0];
  }
  for (size_t i = 0; i < l->ir->output_count; i++) need_plain(l, l->ir->outputs[i].value);
  return !l->failed;
}

bool wnn_pass_layout(wnn_ir *ir, const wnn_compile_options *options) {
  (void)options;
  bool images = false;
  for (size_t n = 0; n < ir->node_count; n++)
    images |=
        (ir->nodes[n].op == WNN_OP_CONV2D || ir->nodes[n].op == WNN_OP_CONV_TRANSPOSE2D) && ability_of(&ir->nodes[n]);
  if (!images) return true;
  const wnn_allocator *allocator = ir->arena.allocator;
  layout l = {.ir = ir, .count = ir->value_count};
  l.twins = wnn_mem_alloc(allocator, l.count * sizeof *l.twins);
  l.plain = wnn_mem_alloc(allocator, l.count * sizeof *l.plain);
  l.convolved = wnn_mem_zalloc(allocator, l.count * sizeof *l.convolved);
  wnn_node *nodes = ir->nodes;
  size_t node_count = ir->node_count, capacity = ir->node_capacity;
  bool done = false;
  if (l.twins && l.plain && l.convolved) {
    for (size_t i = 0; i < l.count; i++) {
      l.twins[i] = WNN_NONE;
      l.plain[i] = true;
    }
    for (size_t n = 0; n < node_count; n++)
      if (nodes[n].op == WNN_OP_CONV2D || nodes[n].op == WNN_OP_CONV_TRANSPOSE2D)
        l.convolved[nodes[n].inputs[0]] = true;
    ir->nodes = NULL;
    ir->node_count = ir->node_capacity = 0;
    done = rewrite(&l, nodes, node_count);
    wnn_mem_free(allocator, nodes, capacity * sizeof *nodes);
  }
  if (l.twins) wnn_mem_free(allocator, l.twins, l.count * sizeof *l.twins);
  if (l.plain) wnn_mem_free(allocator, l.plain, l.count * sizeof *l.plain);
  if (l.convolved) wnn_mem_free(allocator, l.convolved, l.count * sizeof *l.convolved);
  return done && wnn_ir_settle(ir, NULL);
}
