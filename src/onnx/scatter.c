/* Scatters. WebNN only replaces; sums, products and extremes are built from comparisons. */
#include <string.h>

#include "import.h"

typedef enum reduction { REPLACE, ADD, MUL, MAX, MIN } reduction;

static bool read_reduction(ox_call *c, reduction *out) {
  static const char *const names[] = {"none", "add", "mul", "max", "min"};
  for (int i = 0; i < 5; i++) {
    if (!ox_attr_is(c, "reduction", names[i])) continue;
    *out = (reduction)i;
    return true;
  }
  return OX_UNSUPPORTED(c, "attribute 'reduction' has an unknown value");
}

static const int combine_op[] = {0, WNN_OP_ADD, WNN_OP_MUL, WNN_OP_MAX, WNN_OP_MIN};
static const int reduce_op[] = {0, WNN_OP_REDUCE_SUM, WNN_OP_REDUCE_PRODUCT, WNN_OP_REDUCE_MAX, WNN_OP_REDUCE_MIN};

static wnn_operand *scatter_nd(ox_call *c, wnn_operand *data, wnn_operand *indices, wnn_operand *updates) {
  if (!data || !indices || !updates) return NULL;
  return ox_op_n(c, WNN_OP_SCATTER_ND, NULL, (wnn_operand *const[]){data, indices, updates}, 3);
}

/* Row numbers of coordinates [rows, k] in the first k dimensions of data. */
static wnn_operand *linear_rows(ox_call *c, wnn_operand *indices, const wnn_desc *data, uint32_t rows, uint32_t k) {
  wnn_operand *at = OX_RESHAPE(c, ox_cast(c, indices, WNN_INT64), rows, k);
  int64_t sizes[WNN_MAX_RANK], strides[WNN_MAX_RANK];
  int64_t stride = 1;
  for (uint32_t i = k; i-- > 0;) {
    sizes[i] = data->shape[i];
    strides[i] = stride;
    stride *= data->shape[i];
  }
  wnn_operand *below = ox_bin(c, WNN_OP_LESSER, at, ox_number(c, WNN_INT64, 0));
  at = ox_where(c, below, ox_add(c, at, ox_constant_ints(c, WNN_INT64, 1, &k, sizes)), at);
  return ox_reduce1(c, WNN_OP_REDUCE_SUM, ox_mul(c, at, ox_constant_ints(c, WNN_INT64, 1, &k, strides)), 1,
                    true); /* [rows, 1] */
}

enum { MASK_LIMIT = 32 * 1024 * 1024 };

/* Stored into a narrower type, the extremes become its own: infinities or the limits of an integer. */
static double neutral(reduction how) { return how == ADD ? 0 : how == MUL ? 1 : how == MAX ? -1e300 : 1e300; }

/* Every place collects the updates that point at it. */
static wnn_operand *collect(ox_call *c, reduction how, wnn_operand *data, wnn_operand *indices, wnn_operand *updates) {
  const wnn_desc desc = *ox_desc(data), at = *ox_desc(indices);
  uint32_t k = at.shape[at.rank - 1];
  uint64_t rows = 1, places = 1, width = 1;
  if (k > desc.rank) {
    OX_BAD(c, "the indices have more coordinates than the data has dimensions");
    return NULL;
  }
  for (uint32_t i = 0; i + 1 < at.rank; i++) rows *= at.shape[i];
  for (uint32_t i = 0; i < desc.rank; i++) *(i < k ? &places : &width) *= desc.shape[i];
  if (rows * places * width > MASK_LIMIT) {
    OX_UNSUPPORTED(c, "reduction over %llu updates of %llu places is too large", (unsigned long long)rows,
                   (unsigned long long)places);
    return NULL;
  }
  wnn_data_type type = desc.data_type, wide = ox_wide_type(reduce_op[how], type);
  wnn_operand *row = linear_rows(c, indices, &desc, (uint32_t)rows, k);
  wnn_operand *hit = ox_bin(c, WNN_OP_EQUAL, row, ox_iota(c, WNN_INT64, 2, 1, (uint32_t)places));
  hit = OX_RESHAPE(c, hit, (uint32_t)rows, (uint32_t)places, 1);
  wnn_operand *values = OX_RESHAPE(c, ox_cast(c, updates, wide), (uint32_t)rows, 1, (uint32_t)width);
  wnn_operand *parts = ox_where(c, hit, values, ox_number(c, wide, neutral(how)));
  wnn_operand *sum = ox_reshape(c, ox_reduce1(c, reduce_op[how], parts, 0, false), desc.rank, desc.shape);
  return ox_cast(c, ox_bin(c, combine_op[how], ox_cast(c, data, wide), sum), type);
}

static bool lower_scatter_nd(ox_call *c) {
  reduction how = REPLACE;
  if (!read_reduction(c, &how)) return false;
  if (ox_empty(c, 1)) return ox_out_value(c, 0, c->in[0]);
  wnn_operand *data = ox_in(c, 0), *indices = ox_in(c, 1), *updates = ox_in(c, 2);
  if (!data || !indices || !updates) return false;
  if (!ox_desc(indices)->rank) return OX_BAD(c, "the indices are a scalar");
  return ox_out(c, 0, how == REPLACE ? scatter_nd(c, data, indices, updates) : collect(c, how, data, indices, updates));
}

/* Coordinates of every update: its own place, but the index along the axis. */
static wnn_operand *coordinates(ox_call *c, wnn_operand *indices, uint32_t axis) {
  if (!indices) return NULL;
  const wnn_desc at = *ox_desc(indices);
  wnn_operand *columns[WNN_MAX_RANK];
  uint32_t shape[WNN_MAX_RANK], total = 1;
  for (uint32_t i = 0; i < at.rank; i++) total *= at.shape[i];
  for (uint32_t i = 0; i < at.rank; i++) {
    wnn_operand *column = i == axis ? ox_cast(c, indices, WNN_INT64)
                                    : ox_expand(c, ox_iota(c, WNN_INT64, at.rank, i, at.shape[i]), at.rank, at.shape);
    shape[0] = total;
    shape[1] = 1;
    columns[i] = ox_reshape(c, column, 2, shape);
  }
  return ox_concat(c, columns, at.rank, 1);
}

static bool lower_scatter_elements(ox_call *c) {
  reduction how = REPLACE;
  const wnn_desc *in = ox_in_desc(c, 0), *at = ox_in_desc(c, 1);
  uint32_t axis;
  if (!read_reduction(c, &how) || !ox_axis(c, ox_attr_i(c, "axis"), in->rank, &axis)) return false;
  if (at->rank != in->rank) return OX_BAD(c, "data and indices differ in rank");
  if (ox_empty(c, 1)) return ox_out_value(c, 0, c->in[0]);
  wnn_operand *data = ox_in(c, 0), *indices = ox_in(c, 1), *updates = ox_in(c, 2);
  if (!data || !indices || !updates) return false;
  bool whole = true;
  for (uint32_t i = 0; i < in->rank; i++) whole = whole && (i == axis || at->shape[i] == in->shape[i]);
  if (how == REPLACE && whole) {
    wnn_scatter_elements_args args = {{NULL, axis}};
    return ox_out(c, 0, ox_op_n(c, WNN_OP_SCATTER_ELEMENTS, &args, (wnn_operand *const[]){data, indices, updates}, 3));
  }
  uint32_t total = (uint32_t)wnn_desc_elements(at);
  indices = coordinates(c, indices, axis);
  updates = OX_RESHAPE(c, updates, total);
  if (!indices || !updates) return false;
  return ox_out(c, 0, how == REPLACE ? scatter_nd(c, data, indices, updates) : collect(c, how, data, indices, updates));
}

/* Writes [B, ..., S, ...] into a cache at a position of each row of the batch. */
static bool lower_tensor_scatter(ox_call *c) {
  wnn_operand *past = ox_in(c, 0), *update = ox_in(c, 1), *positions = ox_in_optional(c, 2);
  if (!past || !update) return false;
  const wnn_desc cache = *ox_desc(past), part = *ox_desc(update);
  uint32_t axis;
  if (!ox_axis(c, ox_attr_i(c, "axis"), cache.rank, &axis) || !axis)
    return OX_BAD(c, "attribute 'axis' is out of range");
  if (part.rank != cache.rank) return OX_BAD(c, "cache and update differ in rank");
  bool circular = ox_attr_is(c, "mode", "circular");
  uint32_t shape[WNN_MAX_RANK];
  for (uint32_t i = 0; i < part.rank; i++) shape[i] = i ? 1 : part.shape[0];
  wnn_operand *at = ox_iota(c, WNN_INT64, part.rank, axis, part.shape[axis]);
  if (positions) at = ox_add(c, at, ox_reshape(c, ox_cast(c, positions, WNN_INT64), part.rank, shape));
  if (circular) {
    wnn_operand *size = ox_number(c, WNN_INT64, cache.shape[axis]);
    at = ox_sub(c, at, ox_mul(c, ox_div(c, at, size), size));
  }
  wnn_operand *indices = coordinates(c, ox_expand(c, at, part.rank, part.shape), axis);
  return ox_out(c, 0, scatter_nd(c, past, indices, OX_RESHAPE(c, update, (uint32_t)wnn_desc_elements(&part))));
}

static const ox_op ops[] = {
    {"", "ScatterND", 11, 3, 3, 1, "reduction:s=none", lower_scatter_nd, 0, 0},
    {"", "ScatterElements", 11, 3, 3, 1, "axis:i=0 reduction:s=none", lower_scatter_elements, 0, 0},
    {"", "Scatter", 9, 3, 3, 1, "axis:i=0 reduction:s=none", lower_scatter_elements, 0, 0},
    {"", "TensorScatter", 24, 2, 3, 1, "axis:i=-2 mode:s=linear", lower_tensor_scatter, 0, 0},
};
OX_FAMILY(scatter, ops);
