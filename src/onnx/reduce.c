/* Reductions, arguments of extremes, running sums. */
#include <string.h>

#include "import.h"

/* Axes of a reduction: from the attribute or the second input. all: none were given. */
static bool read_axes(ox_call *c, uint32_t rank, bool *all, uint32_t *axes, uint32_t *count) {
  ox_ints list = {NULL, 0};
  bool by_input = c->op->flags & OX_AXES_INPUT;
  if (!by_input)
    ox_attr_ints(c, "axes", &list);
  else if (ox_has(c, 1) && !ox_const_ints(c, 1, "the axes", &list))
    return false;
  bool seen[WNN_MAX_RANK] = {false};
  *all = list.count == 0;
  *count = 0;
  for (size_t i = 0; i < list.count; i++) {
    uint32_t axis;
    if (!ox_axis(c, list.at[i], rank, &axis)) return false;
    if (seen[axis]) continue;
    seen[axis] = true;
    axes[(*count)++] = axis;
  }
  return true;
}

/* Sums of nothing are 0, products 1. */
static bool reduce_empty(ox_call *c, const uint32_t *axes, uint32_t count, bool keep) {
  const wnn_desc *in = ox_in_desc(c, 0);
  bool product = c->op->arg == WNN_OP_REDUCE_PRODUCT;
  bool sum = c->op->arg == WNN_OP_REDUCE_SUM || c->op->arg == WNN_OP_REDUCE_SUM_SQUARE ||
             c->op->arg == WNN_OP_REDUCE_L1 || c->op->arg == WNN_OP_REDUCE_L2;
  if (!product && !sum) return OX_UNSUPPORTED(c, "the input has no elements");
  wnn_desc desc = {in->data_type, 0, {0}};
  for (uint32_t i = 0; i < in->rank; i++) {
    bool reduced = false;
    for (uint32_t k = 0; k < count; k++) reduced = reduced || axes[k] == i;
    if (!reduced || keep) desc.shape[desc.rank++] = reduced ? 1 : in->shape[i];
  }
  size_t total, size = wnn_data_type_size(desc.data_type);
  if (!ox_count_elements(&desc, &total)) return OX_BAD(c, "the result is too large");
  char *data = ox_keep_alloc(c, total, size);
  for (size_t i = 0; data && i < total; i++) ox_store_double(desc.data_type, data, i, product);
  return data && ox_out_const(c, 0, &desc, data);
}

static bool lower_reduce(ox_call *c) {
  const wnn_desc *in = ox_in_desc(c, 0);
  uint32_t axes[WNN_MAX_RANK], count;
  bool all, keep = ox_attr_i(c, "keepdims") != 0;
  if (!read_axes(c, in->rank, &all, axes, &count)) return false;
  bool none = all && (c->op->flags & OX_AXES_INPUT) && ox_attr_i(c, "noop_with_empty_axes");
  if (all && !none) {
    for (uint32_t i = 0; i < in->rank; i++) axes[count++] = i;
  }
  if (ox_empty(c, 0)) return reduce_empty(c, axes, count, keep);
  wnn_operand *x = ox_in(c, 0);
  wnn_data_type type = in->data_type, wide = ox_wide_type(c->op->arg, type);
  /* Without axes the function still applies to each element. */
  return ox_out(c, 0, ox_cast(c, ox_reduce(c, c->op->arg, ox_cast(c, x, wide), axes, count, keep || none), type));
}

static bool lower_arg(ox_call *c) {
  const wnn_desc *in = ox_in_desc(c, 0);
  uint32_t axis;
  if (!ox_axis(c, ox_attr_i(c, "axis"), in->rank, &axis)) return false;
  wnn_operand *x = ox_in(c, 0);
  bool last = ox_attr_i(c, "select_last_index") != 0;
  if (last && x) {
    wnn_reverse_args reverse = {{NULL, {&axis, 1}}};
    x = ox_op_n(c, WNN_OP_REVERSE, &reverse, &x, 1);
  }
  wnn_arg_min_max_args args = {axis, {NULL, ox_attr_i(c, "keepdims") != 0, WNN_INT64}};
  wnn_operand *out = x ? ox_op_n(c, c->op->arg, &args, &x, 1) : NULL;
  if (last) out = ox_sub(c, ox_like(c, out, (double)in->shape[axis] - 1), out);
  return ox_out(c, 0, out);
}

static bool lower_cum_sum(ox_call *c) {
  const wnn_desc *in = ox_in_desc(c, 0);
  int64_t given;
  uint32_t axis;
  if (!ox_const_int(c, 1, "the axis", &given) || !ox_axis(c, given, in->rank, &axis)) return false;
  wnn_operand *x = ox_in(c, 0);
  wnn_data_type type = in->data_type;
  x = ox_cast(c, x, ox_wide_type(WNN_OP_CUMULATIVE_SUM, type));
  wnn_cumulative_sum_args args = {axis, {NULL, ox_attr_i(c, "exclusive") != 0, ox_attr_i(c, "reverse") != 0}};
  return ox_out(c, 0, ox_cast(c, x ? ox_op_n(c, WNN_OP_CUMULATIVE_SUM, &args, &x, 1) : NULL, type));
}

#define OLD "axes:I keepdims:i=1"
#define NEW "keepdims:i=1 noop_with_empty_axes:i=0"
#define REDUCE(name, op, since)                                                                                        \
  {"", name, 1, 1, 1, 1, OLD, lower_reduce, op, 0}, { "", name, since, 1, 2, 1, NEW, lower_reduce, op, OX_AXES_INPUT }
static const ox_op ops[] = {
    REDUCE("ReduceL1", WNN_OP_REDUCE_L1, 18),
    REDUCE("ReduceL2", WNN_OP_REDUCE_L2, 18),
    REDUCE("ReduceLogSum", WNN_OP_REDUCE_LOG_SUM, 18),
    REDUCE("ReduceLogSumExp", WNN_OP_REDUCE_LOG_SUM_EXP, 18),
    REDUCE("ReduceMax", WNN_OP_REDUCE_MAX, 18),
    REDUCE("ReduceMean", WNN_OP_REDUCE_MEAN, 18),
    REDUCE("ReduceMin", WNN_OP_REDUCE_MIN, 18),
    REDUCE("ReduceProd", WNN_OP_REDUCE_PRODUCT, 18),
    REDUCE("ReduceSum", WNN_OP_REDUCE_SUM, 13),
    REDUCE("ReduceSumSquare", WNN_OP_REDUCE_SUM_SQUARE, 18),
    {"", "ArgMax", 1, 1, 1, 1, "axis:i=0 keepdims:i=1 select_last_index:i=0", lower_arg, WNN_OP_ARG_MAX, 0},
    {"", "ArgMin", 1, 1, 1, 1, "axis:i=0 keepdims:i=1 select_last_index:i=0", lower_arg, WNN_OP_ARG_MIN, 0},
    {"", "CumSum", 11, 2, 2, 1, "exclusive:i=0 reverse:i=0", lower_cum_sum, 0, 0},
};
OX_FAMILY(reduce, ops);
