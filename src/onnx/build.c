/* Operations of the builder for lowering functions: shorter, labelled, with failures that pass through. */
#include <math.h>
#include <string.h>

#include "import.h"

enum { MAX_ARGS = 512 };
static const wnn_desc scalar_desc = {WNN_FLOAT32, 0, {0}};

static bool builder_failed(ox_call *c, wnn_status status, const wnn_error *error) {
  bool data = status == WNN_TYPE_ERROR || status == WNN_OPERATION_ERROR;
  return ox_fail(c, data ? WNN_DATA_ERROR : status, "%s", error->message);
}

bool ox_op_outs(ox_call *c, int op, const void *args, wnn_operand *const *operands, size_t count, wnn_operand **outs,
                size_t out_count) {
  if (c->failed) return false;
  const wnn_op_info *info = wnn_op_get(op);
  union {
    char bytes[MAX_ARGS];
    max_align_t align;
  } copy;
  if (info->args_size > sizeof copy)
    return ox_fail(c, WNN_UNKNOWN_ERROR, "the arguments of %s are too large", info->name);
  memcpy(copy.bytes, args ? args : info->defaults, info->args_size);
  memcpy(copy.bytes + info->label_offset, &c->label, sizeof c->label);
  for (size_t i = 0; i < count; i++) {
    bool optional = i < info->operand_count && info->operands[i].optional;
    if (!operands[i] && !optional) return ox_fail(c, WNN_DATA_ERROR, "an operand of %s is missing", info->name);
  }
  wnn_error error;
  size_t made;
  wnn_status status = wnn_builder_add(c->builder, op, copy.bytes, operands, count, outs, out_count, &made, &error);
  if (status) return builder_failed(c, status, &error);
  if (made < out_count) return ox_fail(c, WNN_UNKNOWN_ERROR, "%s made too few results", info->name);
  return true;
}

wnn_operand *ox_op_n(ox_call *c, int op, const void *args, wnn_operand *const *operands, size_t count) {
  wnn_operand *out;
  return ox_op_outs(c, op, args, operands, count, &out, 1) ? out : NULL;
}

wnn_operand *ox_un(ox_call *c, int op, wnn_operand *x) { return x ? ox_op_n(c, op, NULL, &x, 1) : NULL; }

wnn_operand *ox_bin(ox_call *c, int op, wnn_operand *a, wnn_operand *b) {
  return a && b ? ox_op_n(c, op, NULL, (wnn_operand *const[]){a, b}, 2) : NULL;
}

const wnn_desc *ox_desc(const wnn_operand *x) { return x ? wnn_operand_desc(x) : &scalar_desc; }

/* ---- Wider types ------------------------------------------------------------------------------------ */

static bool holds(wnn_data_type wide, wnn_data_type type) {
  switch (type) {
  case WNN_UINT8:
  case WNN_INT8: return wide == WNN_INT32 || wide == WNN_INT64 || wide == WNN_FLOAT32 || wide == WNN_FLOAT16;
  case WNN_INT32: return wide == WNN_INT64 || wide == WNN_FLOAT32;
  case WNN_UINT32: return wide == WNN_INT64 || wide == WNN_UINT64 || wide == WNN_FLOAT32;
  default: return wide == WNN_FLOAT32;
  }
}

wnn_data_type ox_wide_type(int op, wnn_data_type type) {
  static const wnn_data_type order[] = {WNN_INT32, WNN_INT64, WNN_UINT64, WNN_FLOAT32};
  uint16_t allowed = wnn_op_get(op)->operands[0].allowed;
  if (allowed & WNN_TYPE_BIT(type)) return type;
  for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
    if ((allowed & WNN_TYPE_BIT(order[i])) && holds(order[i], type)) return order[i];
  }
  return type;
}

wnn_operand *ox_un_wide(ox_call *c, int op, wnn_operand *x) {
  wnn_data_type type = ox_desc(x)->data_type;
  return ox_cast(c, ox_un(c, op, ox_cast(c, x, ox_wide_type(op, type))), type);
}

wnn_operand *ox_bin_wide(ox_call *c, int op, wnn_operand *a, wnn_operand *b) {
  wnn_data_type type = ox_desc(a)->data_type, wide = ox_wide_type(op, type);
  wnn_operand *out = ox_bin(c, op, ox_cast(c, a, wide), ox_cast(c, b, wide));
  return wide != type && ox_desc(out)->data_type == wide ? ox_cast(c, out, type) : out;
}

/* ---- Constants --------------------------------------------------------------------------------------- */

wnn_operand *ox_constant(ox_call *c, const wnn_desc *desc, const void *data) {
  wnn_operand *out;
  wnn_error error;
  if (c->failed) return NULL;
  wnn_status status = wnn_builder_constant(c->builder, desc, data, (size_t)wnn_desc_bytes(desc), &out, &error);
  if (status) builder_failed(c, status, &error);
  return status ? NULL : out;
}

wnn_operand *ox_number(ox_call *c, wnn_data_type type, double value) {
  uint64_t bits = 0;
  wnn_number_store(wnn_number_double(value), type, &bits);
  return ox_constant(c, &(wnn_desc){type, 0, {0}}, &bits);
}

wnn_operand *ox_like(ox_call *c, wnn_operand *x, double value) {
  return x ? ox_number(c, ox_desc(x)->data_type, value) : NULL;
}

static void *constant_memory(ox_call *c, wnn_data_type type, uint32_t rank, const uint32_t *shape, wnn_desc *desc,
                             size_t *count) {
  *desc = (wnn_desc){type, rank, {0}};
  if (rank > WNN_MAX_RANK) {
    ox_fail(c, WNN_NOT_SUPPORTED, "rank %u is above %d", rank, WNN_MAX_RANK);
    return NULL;
  }
  for (uint32_t i = 0; i < rank; i++) desc->shape[i] = shape[i];
  if (!wnn_desc_elements(desc)) {
    ox_fail(c, WNN_DATA_ERROR, "a constant of this shape is empty or too large");
    return NULL;
  }
  *count = (size_t)wnn_desc_elements(desc);
  return ox_temp(c, *count, wnn_data_type_size(type));
}

wnn_operand *ox_constant_ints(ox_call *c, wnn_data_type type, uint32_t rank, const uint32_t *shape,
                              const int64_t *values) {
  wnn_desc desc;
  size_t count, size = wnn_data_type_size(type);
  if (c->failed) return NULL;
  char *data = constant_memory(c, type, rank, shape, &desc, &count);
  for (size_t i = 0; data && i < count; i++) wnn_number_store(wnn_number_int64(values[i]), type, data + i * size);
  return data ? ox_constant(c, &desc, data) : NULL;
}

wnn_operand *ox_constant_doubles(ox_call *c, wnn_data_type type, uint32_t rank, const uint32_t *shape,
                                 const double *values) {
  wnn_desc desc;
  size_t count, size = wnn_data_type_size(type);
  if (c->failed) return NULL;
  char *data = constant_memory(c, type, rank, shape, &desc, &count);
  for (size_t i = 0; data && i < count; i++) wnn_number_store(wnn_number_double(values[i]), type, data + i * size);
  return data ? ox_constant(c, &desc, data) : NULL;
}

wnn_operand *ox_iota(ox_call *c, wnn_data_type type, uint32_t rank, uint32_t axis, uint32_t n) {
  uint32_t shape[WNN_MAX_RANK];
  for (uint32_t i = 0; i < rank && i < WNN_MAX_RANK; i++) shape[i] = i == axis ? n : 1;
  int64_t *values = c->failed ? NULL : ox_temp(c, n, sizeof *values);
  for (uint32_t i = 0; values && i < n; i++) values[i] = i;
  return values ? ox_constant_ints(c, type, rank, shape, values) : NULL;
}

wnn_operand *ox_fill(ox_call *c, wnn_data_type type, uint32_t rank, const uint32_t *shape, double value) {
  return ox_expand(c, ox_number(c, type, value), rank, shape);
}

/* ---- Data movement ------------------------------------------------------------------------------------ */

wnn_operand *ox_cast(ox_call *c, wnn_operand *x, wnn_data_type type) {
  if (!x || ox_desc(x)->data_type == type) return x;
  wnn_cast_args args = {type, WNN_OPERATOR_OPTIONS_INIT};
  return ox_op_n(c, WNN_OP_CAST, &args, &x, 1);
}

wnn_operand *ox_bool(ox_call *c, wnn_operand *x) { return ox_bin(c, WNN_OP_NOT_EQUAL, x, ox_like(c, x, 0)); }

wnn_operand *ox_reshape(ox_call *c, wnn_operand *x, uint32_t rank, const uint32_t *shape) {
  if (!x) return NULL;
  const wnn_desc *desc = ox_desc(x);
  if (desc->rank == rank && (!rank || !memcmp(desc->shape, shape, rank * sizeof *shape))) return x;
  static const uint32_t none[1] = {0};
  wnn_reshape_args args = {{rank ? shape : none, rank}, WNN_OPERATOR_OPTIONS_INIT};
  return ox_op_n(c, WNN_OP_RESHAPE, &args, &x, 1);
}

wnn_operand *ox_transpose(ox_call *c, wnn_operand *x, const uint32_t *permutation) {
  if (!x) return NULL;
  uint32_t rank = ox_desc(x)->rank;
  bool same = true;
  for (uint32_t i = 0; i < rank; i++) same = same && permutation[i] == i;
  if (same) return x;
  wnn_transpose_args args = {{NULL, {permutation, rank}}};
  return ox_op_n(c, WNN_OP_TRANSPOSE, &args, &x, 1);
}

wnn_operand *ox_swap_last(ox_call *c, wnn_operand *x) {
  uint32_t permutation[WNN_MAX_RANK], rank = ox_desc(x)->rank;
  if (!x || rank < 2) return x;
  for (uint32_t i = 0; i < rank; i++) permutation[i] = i;
  permutation[rank - 2] = rank - 1;
  permutation[rank - 1] = rank - 2;
  return ox_transpose(c, x, permutation);
}

wnn_operand *ox_expand(ox_call *c, wnn_operand *x, uint32_t rank, const uint32_t *shape) {
  if (!x) return NULL;
  const wnn_desc *desc = ox_desc(x);
  if (desc->rank == rank && (!rank || !memcmp(desc->shape, shape, rank * sizeof *shape))) return x;
  wnn_expand_args args = {{shape, rank}, WNN_OPERATOR_OPTIONS_INIT};
  return ox_op_n(c, WNN_OP_EXPAND, &args, &x, 1);
}

wnn_operand *ox_slice(ox_call *c, wnn_operand *x, uint32_t axis, uint32_t start, uint32_t size) {
  if (!x) return NULL;
  const wnn_desc *desc = ox_desc(x);
  uint32_t starts[WNN_MAX_RANK] = {0}, sizes[WNN_MAX_RANK];
  memcpy(sizes, desc->shape, sizeof sizes);
  if (axis >= desc->rank) {
    ox_fail(c, WNN_DATA_ERROR, "axis %u is out of range for rank %u", axis, desc->rank);
    return NULL;
  }
  if (start == 0 && size == sizes[axis]) return x;
  starts[axis] = start;
  sizes[axis] = size;
  wnn_slice_args args = {{starts, desc->rank}, {sizes, desc->rank}, WNN_SLICE_OPTIONS_INIT};
  return ox_op_n(c, WNN_OP_SLICE, &args, &x, 1);
}

wnn_operand *ox_concat(ox_call *c, wnn_operand *const *parts, size_t count, uint32_t axis) {
  if (count == 1) return parts[0];
  for (size_t i = 0; i < count; i++) {
    if (!parts[i]) return NULL;
  }
  wnn_concat_args args = {axis, WNN_OPERATOR_OPTIONS_INIT};
  return ox_op_n(c, WNN_OP_CONCAT, &args, parts, count);
}

wnn_operand *ox_gather(ox_call *c, wnn_operand *x, wnn_operand *indices, uint32_t axis) {
  if (!x || !indices) return NULL;
  wnn_gather_args args = {{NULL, axis}};
  return ox_op_n(c, WNN_OP_GATHER, &args, (wnn_operand *const[]){x, indices}, 2);
}

wnn_operand *ox_pad(ox_call *c, wnn_operand *x, const uint32_t *before, const uint32_t *after, wnn_padding_mode mode,
                    double value) {
  if (!x) return NULL;
  uint32_t rank = ox_desc(x)->rank;
  bool none = true;
  for (uint32_t i = 0; i < rank; i++) none = none && !before[i] && !after[i];
  if (none) return x;
  wnn_pad_args args = {{before, rank}, {after, rank}, WNN_PAD_OPTIONS_INIT};
  args.options.mode = mode;
  args.options.value = wnn_number_double(value);
  return ox_op_n(c, WNN_OP_PAD, &args, &x, 1);
}

wnn_operand *ox_where(ox_call *c, wnn_operand *condition, wnn_operand *a, wnn_operand *b) {
  if (!condition || !a || !b) return NULL;
  return ox_op_n(c, WNN_OP_WHERE, NULL, (wnn_operand *const[]){condition, a, b}, 3);
}

/* ---- Arithmetic ---------------------------------------------------------------------------------------- */

wnn_operand *ox_reduce(ox_call *c, int op, wnn_operand *x, const uint32_t *axes, uint32_t count, bool keep) {
  if (!x) return NULL;
  static const uint32_t none[1] = {0};
  wnn_wide_reduce_args args = {{NULL, {count ? axes : none, count}, keep}};
  return ox_op_n(c, op, &args, &x, 1);
}

wnn_operand *ox_reduce1(ox_call *c, int op, wnn_operand *x, uint32_t axis, bool keep) {
  return ox_reduce(c, op, x, &axis, 1, keep);
}

wnn_operand *ox_softmax(ox_call *c, wnn_operand *x, uint32_t axis) {
  wnn_softmax_args args = {axis, WNN_OPERATOR_OPTIONS_INIT};
  return x ? ox_op_n(c, WNN_OP_SOFTMAX, &args, &x, 1) : NULL;
}

wnn_operand *ox_matmul(ox_call *c, wnn_operand *a, wnn_operand *b) { return ox_bin(c, WNN_OP_MATMUL, a, b); }

wnn_operand *ox_clamp(ox_call *c, wnn_operand *x, double lo, double hi) {
  if (!x) return NULL;
  wnn_clamp_args args = {WNN_CLAMP_OPTIONS_INIT};
  if (!isinf(lo) || lo > 0) args.options.min_value = wnn_number_double(lo);
  if (!isinf(hi) || hi < 0) args.options.max_value = wnn_number_double(hi);
  return ox_op_n(c, WNN_OP_CLAMP, &args, &x, 1);
}

wnn_operand *ox_layer_norm(ox_call *c, wnn_operand *x, uint32_t first_axis, wnn_operand *scale, wnn_operand *bias,
                           double epsilon) {
  if (!x) return NULL;
  const wnn_desc *desc = ox_desc(x);
  uint32_t axes[WNN_MAX_RANK], count = desc->rank - first_axis;
  bool exact = true; /* scale and bias have exactly the normalised dimensions */
  for (uint32_t i = 0; i < count; i++) axes[i] = first_axis + i;
  wnn_operand *parts[] = {scale, bias};
  for (int k = 0; k < 2; k++) {
    const wnn_desc *part = ox_desc(parts[k]);
    if (parts[k])
      exact = exact && part->rank == count && !memcmp(part->shape, desc->shape + first_axis, count * sizeof *axes);
  }
  wnn_layer_normalization_args args = {WNN_LAYER_NORMALIZATION_OPTIONS_INIT};
  args.options.axes = (wnn_u32_list){axes, count};
  args.options.epsilon = epsilon;
  wnn_operand *operands[3] = {x, exact ? scale : NULL, exact ? bias : NULL};
  args.options.scale = operands[1];
  args.options.bias = operands[2];
  wnn_operand *out = ox_op_n(c, WNN_OP_LAYER_NORMALIZATION, &args, operands, 3);
  if (!exact && scale) out = ox_mul(c, out, scale);
  if (!exact && bias) out = ox_add(c, out, bias);
  return out;
}
