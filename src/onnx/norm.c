/* Normalizations. */
#include <math.h>
#include <string.h>

#include "import.h"

static wnn_operand *along_channels(ox_call *c, wnn_operand *x, uint32_t rank) {
  uint32_t shape[WNN_MAX_RANK];
  if (!x) return NULL;
  for (uint32_t i = 0; i < rank; i++) shape[i] = i == 1 ? ox_desc(x)->shape[0] : 1;
  return ox_reshape(c, x, rank, shape);
}

static bool lower_batch_norm(ox_call *c) {
  if (ox_attr_i(c, "training_mode")) return OX_UNSUPPORTED(c, "training mode");
  if (c->op->since >= 9 || ox_attr_i(c, "spatial")) {
    wnn_operand *x = ox_in(c, 0);
    wnn_batch_normalization_args args = {WNN_BATCH_NORMALIZATION_OPTIONS_INIT};
    wnn_operand *operands[5] = {x, ox_in(c, 3), ox_in(c, 4), ox_in(c, 1), ox_in(c, 2)};
    if (c->failed) return false;
    /* Statistics may be of a wider type than the data. */
    for (int i = 1; i < 5; i++) operands[i] = ox_cast(c, operands[i], ox_desc(x)->data_type);
    args.options.scale = operands[3];
    args.options.bias = operands[4];
    args.options.epsilon = ox_attr_f(c, "epsilon");
    return ox_out(c, 0, ox_op_n(c, WNN_OP_BATCH_NORMALIZATION, &args, operands, 5));
  }
  /* spatial=0: statistics for each element behind the batch. */
  wnn_operand *x = ox_in(c, 0), *centred = ox_sub(c, x, ox_in(c, 3)), *variance = ox_in(c, 4);
  wnn_operand *deviation = ox_un(c, WNN_OP_SQRT, ox_add(c, variance, ox_like(c, x, ox_attr_f(c, "epsilon"))));
  return ox_out(c, 0, ox_add(c, ox_mul(c, ox_div(c, centred, deviation), ox_in(c, 1)), ox_in(c, 2)));
}

/* ---- Layer normalization ---------------------------------------------------------------------------------- */

static bool lower_layer_norm(ox_call *c) {
  const wnn_desc *in = ox_in_desc(c, 0);
  uint32_t axis, axes[WNN_MAX_RANK], count = 0;
  if (!ox_axis(c, ox_attr_i(c, "axis"), in->rank, &axis)) return false;
  double epsilon = ox_attr_f(c, "epsilon");
  wnn_operand *x = ox_in(c, 0);
  for (uint32_t i = axis; i < in->rank; i++) axes[count++] = i;
  if (!ox_out(c, 0, ox_layer_norm(c, x, axis, ox_in(c, 1), ox_in_optional(c, 2), epsilon))) return false;
  if (!ox_wants(c, 1) && !ox_wants(c, 2)) return true;
  wnn_operand *wide = ox_cast(c, x, WNN_FLOAT32), *mean = ox_reduce(c, WNN_OP_REDUCE_MEAN, wide, axes, count, true);
  wnn_operand *centred = ox_sub(c, wide, mean);
  wnn_operand *variance = ox_reduce(c, WNN_OP_REDUCE_MEAN, ox_mul(c, centred, centred), axes, count, true);
  wnn_operand *inverse =
      ox_un(c, WNN_OP_RECIPROCAL, ox_un(c, WNN_OP_SQRT, ox_add(c, variance, ox_like(c, variance, epsilon))));
  return ox_out(c, 1, mean) && ox_out(c, 2, inverse);
}

wnn_operand *ox_rms_norm(ox_call *c, wnn_operand *x, uint32_t first_axis, wnn_operand *scale, double epsilon,
                         wnn_operand **inverse) {
  uint32_t axes[WNN_MAX_RANK], count = 0;
  if (!x) return NULL;
  wnn_data_type type = ox_desc(x)->data_type;
  for (uint32_t i = first_axis; i < ox_desc(x)->rank; i++) axes[count++] = i;
  wnn_operand *wide = ox_cast(c, x, WNN_FLOAT32);
  wnn_operand *mean = ox_reduce(c, WNN_OP_REDUCE_MEAN, ox_mul(c, wide, wide), axes, count, true);
  wnn_operand *root = ox_un(c, WNN_OP_SQRT, ox_add(c, mean, ox_like(c, mean, epsilon)));
  if (inverse) *inverse = ox_un(c, WNN_OP_RECIPROCAL, root);
  wnn_operand *y = ox_cast(c, ox_div(c, wide, root), type);
  return scale ? ox_mul(c, y, scale) : y;
}

static bool lower_rms_norm(ox_call *c) {
  uint32_t axis;
  if (!ox_axis(c, ox_attr_i(c, "axis"), ox_in_desc(c, 0)->rank, &axis)) return false;
  wnn_operand *inverse = NULL, *scale = ox_in(c, 1);
  wnn_operand *x = ox_in(c, 0), *y = ox_rms_norm(c, x, axis, ox_cast(c, scale, ox_desc(x)->data_type),
                                                 ox_attr_f(c, "epsilon"), ox_wants(c, 1) ? &inverse : NULL);
  return ox_out(c, 0, y) && (!ox_wants(c, 1) || ox_out(c, 1, inverse));
}

/* input + skip (+ bias), normalised; output 3 is the sum. Skip may lack the batch. */
static bool lower_skip_norm(ox_call *c) {
  bool simplified = c->op->arg != 0;
  size_t bias_at = simplified ? 3 : 4;
  wnn_operand *sum = ox_add(c, ox_in(c, 0), ox_in(c, 1));
  if (ox_has(c, bias_at)) sum = ox_add(c, sum, ox_in(c, bias_at));
  if (!sum) return false;
  if (ox_wants(c, 1) || ox_wants(c, 2)) return OX_UNSUPPORTED(c, "the statistics of training (outputs 1 and 2)");
  uint32_t axis = ox_desc(sum)->rank - 1;
  double epsilon = ox_attr_f(c, "epsilon");
  wnn_operand *y = simplified ? ox_rms_norm(c, sum, axis, ox_in(c, 2), epsilon, NULL)
                              : ox_layer_norm(c, sum, axis, ox_in(c, 2), ox_in_optional(c, 3), epsilon);
  return ox_out(c, 0, y) && (!ox_wants(c, 3) || ox_out(c, 3, sum));
}

/* ---- Instances and groups --------------------------------------------------------------------------------- */

static wnn_operand *instance_norm(ox_call *c, wnn_operand *x, wnn_operand *scale, wnn_operand *bias, double epsilon) {
  wnn_instance_normalization_args args = {WNN_INSTANCE_NORMALIZATION_OPTIONS_INIT};
  args.options.scale = scale;
  args.options.bias = bias;
  args.options.epsilon = epsilon;
  return x ? ox_op_n(c, WNN_OP_INSTANCE_NORMALIZATION, &args, (wnn_operand *const[]){x, scale, bias}, 3) : NULL;
}

static bool lower_instance_norm(ox_call *c) {
  wnn_operand *x = ox_in(c, 0);
  const wnn_desc in = *ox_desc(x);
  uint32_t rest = 1;
  if (in.rank < 3) return OX_BAD(c, "an input of rank %u", in.rank);
  for (uint32_t i = 3; i < in.rank; i++) rest *= in.shape[i];
  wnn_operand *y = instance_norm(c, OX_RESHAPE(c, x, in.shape[0], in.shape[1], in.shape[2], rest), ox_in(c, 1),
                                 ox_in(c, 2), ox_attr_f(c, "epsilon"));
  return ox_out(c, 0, ox_reshape(c, y, in.rank, in.shape));
}

/* [N, C, ...] with each group of channels brought to mean 0 and deviation 1. */
static wnn_operand *normalise_groups(ox_call *c, wnn_operand *x, int64_t groups, double epsilon) {
  const wnn_desc in = *ox_desc(x);
  if (!x || in.rank < 2 || groups < 1 || in.shape[1] % groups) {
    OX_BAD(c, "the channels do not fall into groups");
    return NULL;
  }
  uint64_t rest = in.shape[1] / (uint64_t)groups;
  for (uint32_t i = 2; i < in.rank; i++) rest *= in.shape[i];
  wnn_operand *flat = OX_RESHAPE(c, x, in.shape[0], (uint32_t)groups, (uint32_t)rest);
  return ox_reshape(c, ox_layer_norm(c, flat, 2, NULL, NULL, epsilon), in.rank, in.shape);
}

static bool lower_group_norm(ox_call *c) {
  wnn_operand *x = ox_in(c, 0), *scale = ox_in(c, 1), *bias = ox_in(c, 2);
  int64_t groups = ox_attr_i(c, "num_groups");
  double epsilon = ox_attr_f(c, "epsilon");
  if (!x || !scale || !bias) return false;
  const wnn_desc in = *ox_desc(x);
  wnn_operand *y = normalise_groups(c, x, groups, epsilon);
  if (!y) return false;
  if (c->op->since < 21 && ox_desc(scale)->shape[0] != in.shape[1]) {
    /* One scale for each group: seen as [N, groups, rest]. */
    uint32_t rest = (uint32_t)(wnn_desc_elements(&in) / in.shape[0] / (uint64_t)groups);
    y = OX_RESHAPE(c, y, in.shape[0], (uint32_t)groups, rest);
    y = ox_add(c, ox_mul(c, y, along_channels(c, scale, 3)), along_channels(c, bias, 3));
    return ox_out(c, 0, ox_reshape(c, y, in.rank, in.shape));
  }
  return ox_out(c, 0, ox_add(c, ox_mul(c, y, along_channels(c, scale, in.rank)), along_channels(c, bias, in.rank)));
}

/* com.microsoft GroupNorm and SkipGroupNorm: channels last by default, SiLU on demand. */
static bool lower_ms_group_norm(ox_call *c) {
  bool skip = c->op->arg != 0, last = ox_attr_i(c, "channels_last") != 0;
  wnn_operand *x = ox_in(c, 0);
  if (!x) return false;
  wnn_data_type type = ox_desc(x)->data_type;
  if (skip) {
    wnn_operand *other = ox_in(c, 3), *bias = ox_in_optional(c, 4);
    if (other && ox_desc(other)->rank == 2)
      other = OX_RESHAPE(c, other, ox_desc(other)->shape[0], 1, 1, ox_desc(other)->shape[1]);
    x = ox_add(c, x, other);
    if (bias) x = ox_add(c, x, bias);
    if (ox_wants(c, 1) && !ox_out(c, 1, x)) return false;
  }
  if (last) x = x ? OX_TRANSPOSE(c, x, 0, 3, 1, 2) : NULL;
  uint32_t rank = ox_desc(x)->rank;
  wnn_operand *y = normalise_groups(c, ox_cast(c, x, WNN_FLOAT32), ox_attr_i(c, "groups"), ox_attr_f(c, "epsilon"));
  y = ox_add(c, ox_mul(c, y, along_channels(c, ox_cast(c, ox_in(c, 1), WNN_FLOAT32), rank)),
             along_channels(c, ox_cast(c, ox_in(c, 2), WNN_FLOAT32), rank));
  if (ox_attr_i(c, "activation")) y = ox_mul(c, y, ox_un(c, WNN_OP_SIGMOID, y));
  if (last && y) y = OX_TRANSPOSE(c, y, 0, 2, 3, 1);
  return ox_out(c, 0, ox_cast(c, y, type));
}

/* ---- Others -------------------------------------------------------------------------------------------------- */

static bool lower_lp_norm(ox_call *c) {
  uint32_t axis;
  int64_t p = ox_attr_i(c, "p");
  wnn_operand *x = ox_in(c, 0);
  if (p != 1 && p != 2) return OX_BAD(c, "attribute 'p' is neither 1 nor 2");
  if (!ox_axis(c, ox_attr_i(c, "axis"), ox_in_desc(c, 0)->rank, &axis)) return false;
  wnn_operand *size = ox_reduce1(c, p == 1 ? WNN_OP_REDUCE_L1 : WNN_OP_REDUCE_L2, x, axis, true);
  /* A vector of zeros stays one. */
  wnn_operand *zero = ox_bin(c, WNN_OP_EQUAL, size, ox_like(c, size, 0));
  return ox_out(c, 0, ox_div(c, x, ox_where(c, zero, ox_like(c, size, 1), size)));
}

static bool lower_mean_variance(ox_call *c) {
  static const int64_t standard[] = {0, 2, 3};
  ox_ints list;
  uint32_t axes[WNN_MAX_RANK], count = 0;
  wnn_operand *x = ox_in(c, 0);
  bool given = ox_attr_ints(c, "axes", &list);
  for (size_t i = 0; i < (given ? list.count : 3) && i < WNN_MAX_RANK; i++) {
    if (!ox_axis(c, given ? list.at[i] : standard[i], ox_in_desc(c, 0)->rank, &axes[count++])) return false;
  }
  wnn_operand *centred = ox_sub(c, x, ox_reduce(c, WNN_OP_REDUCE_MEAN, x, axes, count, true));
  wnn_operand *variance = ox_reduce(c, WNN_OP_REDUCE_MEAN, ox_mul(c, centred, centred), axes, count, true);
  wnn_operand *deviation = ox_add(c, ox_un(c, WNN_OP_SQRT, variance), ox_like(c, x, 1e-9));
  return ox_out(c, 0, ox_div(c, centred, deviation));
}

/* The mean of squares over neighbouring channels, divided by the full size also at the edges. */
static bool lower_lrn(ox_call *c) {
  wnn_operand *x = ox_in(c, 0);
  const wnn_desc in = *ox_desc(x);
  int64_t size = ox_attr_i(c, "size");
  if (in.rank < 3 || size < 1 || size > INT32_MAX) return OX_BAD(c, "attribute 'size' or the rank is out of range");
  uint64_t rest = 1;
  for (uint32_t i = 2; i < in.rank; i++) rest *= in.shape[i];
  uint32_t before[4] = {0, 0, (uint32_t)((size - 1) / 2), 0}, after[4] = {0, 0, (uint32_t)(size / 2), 0};
  wnn_operand *squares = OX_RESHAPE(c, ox_mul(c, x, x), in.shape[0], 1, in.shape[1], (uint32_t)rest);
  squares = ox_pad(c, squares, before, after, WNN_PADDING_MODE_CONSTANT, 0);
  const uint32_t window[2] = {(uint32_t)size, 1};
  wnn_float_pool2d_args args = {WNN_POOL2D_OPTIONS_INIT};
  args.options.window_dimensions = (wnn_u32_list){window, 2};
  wnn_operand *mean = squares ? ox_op_n(c, WNN_OP_AVERAGE_POOL2D, &args, &squares, 1) : NULL;
  mean = ox_reshape(c, mean, in.rank, in.shape);
  wnn_operand *base =
      ox_add(c, ox_mul(c, mean, ox_like(c, x, ox_attr_f(c, "alpha"))), ox_like(c, x, ox_attr_f(c, "bias")));
  return ox_out(c, 0, ox_div(c, x, ox_bin(c, WNN_OP_POW, base, ox_like(c, x, ox_attr_f(c, "beta")))));
}

#define BATCH "epsilon:f=1e-5 momentum:f=0.9"
#define SKIP "epsilon:f=1e-12"
static const ox_op ops[] = {
    {"", "BatchNormalization", 1, 5, 5, 5, BATCH " is_test:i=0 spatial:i=1 consumed_inputs:I", lower_batch_norm, 0, 0},
    {"", "BatchNormalization", 7, 5, 5, 5, BATCH " spatial:i=1", lower_batch_norm, 0, 0},
    {"", "BatchNormalization", 9, 5, 5, 5, BATCH, lower_batch_norm, 0, 0},
    {"", "BatchNormalization", 14, 5, 5, 3, BATCH " training_mode:i=0", lower_batch_norm, 0, 0},
    {"", "LayerNormalization", 1, 2, 3, 3, "axis:i=-1 epsilon:f=1e-5 stash_type:i=1", lower_layer_norm, 0, 0},
    {"", "RMSNormalization", 23, 2, 2, 1, "axis:i=-1 epsilon:f=1e-5 stash_type:i=1", lower_rms_norm, 0, 0},
    {"", "SimplifiedLayerNormalization", 1, 2, 2, 2, "axis:i=-1 epsilon:f=1e-5 stash_type:i=1", lower_rms_norm, 0, 0},
    {"com.microsoft", "SimplifiedLayerNormalization", 1, 2, 2, 2, "axis:i=-1 epsilon:f=1e-5 stash_type:i=1",
     lower_rms_norm, 0, 0},
    {"com.microsoft", "SkipLayerNormalization", 1, 3, 5, 4, SKIP, lower_skip_norm, 0, 0},
    {"com.microsoft", "SkipSimplifiedLayerNormalization", 1, 3, 4, 4, SKIP, lower_skip_norm, 1, 0},
    {"", "InstanceNormalization", 1, 3, 3, 1, "epsilon:f=1e-5 consumed_inputs:I", lower_instance_norm, 0, 0},
    {"", "GroupNormalization", 18, 3, 3, 1, "epsilon:f=1e-5 num_groups:i", lower_group_norm, 0, 0},
    {"", "GroupNormalization", 21, 3, 3, 1, "epsilon:f=1e-5 num_groups:i stash_type:i=1", lower_group_norm, 0, 0},
    {"com.microsoft", "GroupNorm", 1, 3, 3, 1, "epsilon:f=1e-5 groups:i activation:i channels_last:i=1",
     lower_ms_group_norm, 0, 0},
    {"com.microsoft", "SkipGroupNorm", 1, 4, 5, 2, "epsilon:f=1e-5 groups:i activation:i channels_last:i=1",
     lower_ms_group_norm, 1, 0},
    {"", "LpNormalization", 1, 1, 1, 1, "axis:i=-1 p:i=2", lower_lp_norm, 0, 0},
    {"", "MeanVarianceNormalization", 9, 1, 1, 1, "axes:I", lower_mean_variance, 0, 0},
    {"", "LRN", 1, 1, 1, 1, "alpha:f=0.0001 beta:f=0.75 bias:f=1 size:i", lower_lrn, 0, 0},
};
OX_FAMILY(norm, ops);
