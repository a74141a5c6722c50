/* Fuses what follows a convolution or matrix product into it: batch normalization into the weights; bias, residual
 * add, relu and clamp as posts, applied while the results are still in registers. */
#include <math.h>
#include <string.h>

#include "base/dtype.h"
#include "base/shape.h"
#include "compile/compile.h"
#include "compile/quantize.h"
#include "graph/record.h"

static bool is_product(uint16_t op) {
  return op == WNN_OP_CONV2D || op == WNN_OP_CONV_TRANSPOSE2D || op == WNN_OP_MATMUL || op == WNN_OP_GEMM;
}

/* The dimension of a product's output that its columns run along. */
static uint32_t column_axis(const wnn_node *node, const wnn_desc *output) {
  bool nhwc = false;
  if (node->op == WNN_OP_CONV2D)
    nhwc = ((const wnn_conv2d_args *)node->args)->options.input_layout == WNN_INPUT_LAYOUT_NHWC;
  if (node->op == WNN_OP_CONV_TRANSPOSE2D)
    nhwc = ((const wnn_conv_transpose2d_args *)node->args)->options.input_layout == WNN_INPUT_LAYOUT_NHWC;
  bool image = node->op == WNN_OP_CONV2D || node->op == WNN_OP_CONV_TRANSPOSE2D;
  return image && !nhwc ? 1 : output->rank - 1;
}

/* Whether desc broadcasts to target along `axis` alone. */
static bool is_row(const wnn_desc *desc, const wnn_desc *target, uint32_t axis) {
  if (desc->rank > target->rank) return false;
  uint32_t shift = target->rank - desc->rank;
  if (axis < shift) return false;
  for (uint32_t i = 0; i < desc->rank; i++)
    if (desc->shape[i] != (i + shift == axis ? target->shape[axis] : 1)) return false;
  return true;
}

typedef struct fuser {
  wnn_ir *ir;
  uint32_t *uses; /* of the values that were there at the start */
  bool failed;
} fuser;

/* The product that makes floats for one user alone; NULL otherwise. */
static const wnn_node *sole_product(const fuser *f, uint32_t value) {
  const wnn_node *node = wnn_ir_producer(f->ir, value);
  return node && is_product(node->op) && f->uses[value] == 1 && wnn_is_float(f->ir->values[value].desc.data_type)
             ? node
             : NULL;
}

static bool has_bias(const wnn_node *product) {
  return product->op != WNN_OP_MATMUL && product->input_count > 2 && product->inputs[2] != WNN_NONE;
}

/* ---- Posts ---- */

/* Puts the product, with one post more, in place of node number `at`, which consumed it. */
static void absorb(fuser *f, size_t at, const wnn_node *product, uint32_t other) {
  wnn_ir *ir = f->ir;
  wnn_node *node = &ir->nodes[at];
  uint32_t fixed = wnn_op_get(product->op)->operand_count;
  uint32_t count = product->input_count > fixed ? product->input_count : fixed;
  uint32_t *inputs = wnn_arena_array(&ir->arena, count + 1, sizeof *inputs);
  wnn_post *posts = wnn_arena_array(&ir->arena, product->post_count + 1u, sizeof *posts);
  if (!inputs || !posts) {
    f->failed = true;
    return;
  }
  for (uint32_t i = 0; i < count; i++) inputs[i] = i < product->input_count ? product->inputs[i] : WNN_NONE;
  if (product->post_count) memcpy(posts, product->posts, product->post_count * sizeof *posts);
  posts[product->post_count] =
      (wnn_post){.op = node->op, .input = other == WNN_NONE ? WNN_NONE : count, .args = node->args};
  if (other != WNN_NONE) inputs[count++] = other;
  uint32_t *outputs = node->outputs;
  *node = *product;
  node->inputs = inputs;
  node->input_count = count;
  node->outputs = outputs;
  node->posts = posts;
  node->post_count++;
}

/* What a product's posts contain already. */
typedef struct contents {
  bool row, matrix, limit;
} contents;

static contents contents_of(const fuser *f, const wnn_node *product) {
  contents c = {.row = has_bias(product), .matrix = product->op == WNN_OP_GEMM && has_bias(product)};
  const wnn_desc *output = &f->ir->values[product->outputs[0]].desc;
  for (uint32_t i = 0; i < product->post_count; i++) {
    const wnn_post *post = &product->posts[i];
    if (post->op == WNN_OP_MUL) continue; /* the scale of integer sums */
    if (post->op != WNN_OP_ADD) {
      c.limit = true;
    } else if (wnn_shape_equal(&f->ir->values[product->inputs[post->input]].desc, output)) {
      c.matrix = true;
    } else {
      c.row = true;
    }
  }
  return c;
}

static bool fuse_add(fuser *f, size_t at, uint32_t value, uint32_t other) {
  const wnn_node *product = sole_product(f, value);
  if (!product || value == other || other == WNN_NONE) return false;
  const wnn_desc *output = &f->ir->values[value].desc, *added = &f->ir->values[other].desc;
  if (!wnn_desc_equal(output, &f->ir->values[f->ir->nodes[at].outputs[0]].desc)) return false;
  contents c = contents_of(f, product);
  if (c.limit) return false;
  bool matrix = wnn_shape_equal(added, output);
  if (matrix ? c.matrix : c.row || !is_row(added, output, column_axis(product, output))) return false;
  absorb(f, at, product, other);
  return true;
}

/* ---- Results as bytes ---- */

/* Whether a constant row divided by scale stays within what float32 is exact about. */
static bool divides(const wnn_ir *ir, uint32_t value, float scale) {
  const wnn_value *v = &ir->values[value];
  if (v->kind != WNN_VALUE_CONSTANT || v->desc.data_type != WNN_FLOAT32) return false;
  for (size_t i = 0; i < wnn_elements(&v->desc); i++) {
    float quotient = fabsf(((const float *)wnn_blob_read(v->blob))[i] / scale);
    if (!(quotient < 1e30f) || (quotient != 0 && quotient < 1e-30f)) return false;
  }
  return true;
}

/* A quantizeLinear behind an integer product whose rows are all constant: the tiles write bytes. */
static void fuse_quantize(fuser *f, size_t at) {
  const wnn_node *node = &f->ir->nodes[at], *product = sole_product(f, node->inputs[0]);
  wnn_requantize how;
  if (!product || !wnn_is_integer_product(f->ir, product) || !wnn_requantize_of(f->ir, node, &how)) return;
  if (product->op == WNN_OP_CONV2D && product->inputs[2] != WNN_NONE &&
      f->ir->values[product->inputs[2]].desc.data_type == WNN_FLOAT32 && !divides(f->ir, product->inputs[2], how.scale))
    return;
  for (uint32_t i = 0; i < product->post_count; i++) {
    const wnn_post *post = &product->posts[i];
    if (post->input == WNN_NONE) continue;
    uint32_t other = product->inputs[post->input];
    if (wnn_shape_equal(&f->ir->values[other].desc, &f->ir->values[product->outputs[0]].desc) ||
        !divides(f->ir, other, how.scale))
      return;
  }
  wnn_requantize *args = wnn_arena_copy(&f->ir->arena, &how, sizeof how);
  if (!args) f->failed = true;
  if (f->failed) return;
  absorb(f, at, product, WNN_NONE);
  if (f->failed) return;
  wnn_node *fused = &f->ir->nodes[at];
  fused->posts[fused->post_count - 1].args = args;
}

static void fuse_node(fuser *f, size_t at) {
  const wnn_node *node = &f->ir->nodes[at];
  if (node->post_count) return;
  if (node->op == WNN_OP_ADD) {
    uint32_t a = node->inputs[0], b = node->inputs[1];
    if (!fuse_add(f, at, a, b)) fuse_add(f, at, b, a);
  } else if (node->op == WNN_OP_RELU || node->op == WNN_OP_CLAMP) {
    const wnn_node *product = sole_product(f, node->inputs[0]);
    if (product) absorb(f, at, product, WNN_NONE);
  } else if (node->op == WNN_OP_QUANTIZE_LINEAR) {
    fuse_quantize(f, at);
  }
}

/* ---- Batch normalization ---- */

static bool is_floats(const wnn_ir *ir, uint32_t value) {
  return ir->values[value].kind == WNN_VALUE_CONSTANT && ir->values[value].desc.data_type == WNN_FLOAT32;
}

static const wnn_loose *floats_of(const wnn_ir *ir, uint32_t value) {
  return is_floats(ir, value) ? wnn_blob_read(ir->values[value].blob) : NULL;
}

/* Position of the output channel in the filter's shape, for ungrouped or grouped conv2d. */
static uint32_t output_dimension(wnn_conv2d_filter_layout layout) {
  return layout == WNN_CONV2D_FILTER_LAYOUT_OIHW || layout == WNN_CONV2D_FILTER_LAYOUT_OHWI ? 0 : 3;
}

static void scale_rows(const wnn_desc *desc, uint32_t dimension, const float *factors, float *filter) {
  size_t inner = wnn_shape_product(desc, dimension + 1, 4), channels = desc->shape[dimension];
  if (inner == 1) {
    for (size_t count = wnn_elements(desc); count; count -= channels, filter += channels)
      for (size_t c = 0; c < channels; c++) filter[c] *= factors[c];
    return;
  }
  for (size_t row = 0, rows = wnn_elements(desc) / inner; row < rows; row++, filter += inner)
    for (size_t i = 0; i < inner; i++) filter[i] *= factors[row % channels];
}

/* filter * factor along the output channels, as a new constant. */
static uint32_t scale_filter(wnn_ir *ir, uint32_t filter, uint32_t dimension, const float *factors) {
  wnn_desc desc = ir->values[filter].desc;
  bool replay = wnn_record_replays(ir->record);
  wnn_blob *blob = replay ? wnn_record_next_constant(ir->record, wnn_bytes(&desc))
                          : wnn_blob_create(ir->arena.allocator, wnn_bytes(&desc));
  if (!blob) return WNN_NONE;
  if (!replay) {
    float *to;
    memcpy(&to, &blob->data, sizeof to);
    wnn_mem_read(to, ir->values[filter].blob->data, blob->size);
    scale_rows(&desc, dimension, factors, to);
    wnn_record_constant(ir->record, blob);
  }
  uint32_t id = wnn_ir_value(ir, &(wnn_value){.desc = desc, .kind = WNN_VALUE_CONSTANT, .blob = blob});
  if (id == WNN_NONE) wnn_blob_release(blob);
  return id;
}

static void fold_normalization(fuser *f, size_t at) {
  wnn_ir *ir = f->ir;
  const wnn_node *node = &ir->nodes[at], *product = sole_product(f, node->inputs[0]);
  if (node->op != WNN_OP_BATCH_NORMALIZATION || !product || product->op != WNN_OP_CONV2D || product->post_count) return;
  const wnn_batch_normalization_options *options = &((const wnn_batch_normalization_args *)node->args)->options;
  const wnn_desc *output = &ir->values[product->outputs[0]].desc;
  if (options->axis != column_axis(product, output)) return;
  /* Operands: input, mean, variance, scale, bias. */
  const wnn_loose *terms[5] = {0};
  for (uint32_t i = 1; i < 5; i++) {
    uint32_t id = i < node->input_count ? node->inputs[i] : WNN_NONE;
    if (id == WNN_NONE) continue;
    if (!(terms[i] = floats_of(ir, id))) return;
  }
  const wnn_loose *bias = has_bias(product) ? floats_of(ir, product->inputs[2]) : NULL;
  if (!is_floats(ir, product->inputs[1]) || (has_bias(product) && !bias)) return;
  uint32_t channels = output->shape[options->axis];
  float *factors = wnn_arena_array(&ir->arena, channels, sizeof *factors);
  float *sums = wnn_arena_array(&ir->arena, channels, sizeof *sums);
  if (!factors || !sums) {
    f->failed = true;
    return;
  }
  for (uint32_t i = 0; i < channels; i++) {
    double scale = (terms[3] ? (double)terms[3][i] : 1) / sqrt((double)terms[2][i] + options->epsilon);
    factors[i] = (float)scale;
    if (!isfinite(factors[i])) return;
    sums[i] =
        (float)(((bias ? (double)bias[i] : 0) - (double)terms[1][i]) * scale + (terms[4] ? (double)terms[4][i] : 0));
  }
  wnn_node copy = *product;
  const wnn_conv2d_options *conv = &((const wnn_conv2d_args *)product->args)->options;
  uint32_t filter = scale_filter(ir, copy.inputs[1], output_dimension(conv->filter_layout), factors);
  uint32_t row = wnn_ir_constant(ir, &(wnn_desc){.data_type = WNN_FLOAT32, .rank = 1, .shape = {channels}}, sums);
  uint32_t *inputs = wnn_arena_array(&ir->arena, 3, sizeof *inputs);
  if (filter == WNN_NONE || row == WNN_NONE || !inputs) {
    f->failed = true;
    return;
  }
  inputs[0] = copy.inputs[0], inputs[1] = filter, inputs[2] = row;
  copy.inputs = inputs;
  copy.input_count = 3;
  copy.outputs = ir->nodes[at].outputs;
  ir->nodes[at] = copy;
}

bool wnn_pass_fuse_posts(wnn_ir *ir, const wnn_compile_options *options) {
  (void)options;
  size_t count;
  fuser f = {.ir = ir, .uses = wnn_ir_count_uses(ir, &count)};
  if (!f.uses) return false;
  for (size_t n = 0; n < ir->node_count && !f.failed; n++) {
    fold_normalization(&f, n);
    if (!f.failed) fuse_node(&f, n);
    /* A node that took the place of its consumer makes the consumer's values now. */
    for (uint32_t i = 0; i < ir->nodes[n].output_count; i++) ir->values[ir->nodes[n].outputs[i]].node = (uint32_t)n;
  }
  wnn_mem_free(ir->arena.allocator, f.uses, count * sizeof *f.uses);
  return !f.failed && wnn_ir_settle(ir, NULL);
}
