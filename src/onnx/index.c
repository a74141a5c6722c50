/* Selection by index: gathers, one-hot, compress, top k, reversed sequences. */
#include <string.h>

#include "import.h"

static bool empty_like(ox_call *c, wnn_data_type type, const uint32_t *shape, uint32_t rank) {
  wnn_desc desc = {type, rank, {0}};
  if (rank > WNN_MAX_RANK) return OX_UNSUPPORTED(c, "rank %u is above %d", rank, WNN_MAX_RANK);
  if (rank) memcpy(desc.shape, shape, rank * sizeof *shape);
  return ox_out_const(c, 0, &desc, NULL);
}

/* Indices of a type that gathers take. */
static wnn_operand *index_input(ox_call *c, size_t input) {
  wnn_operand *x = ox_in(c, input);
  if (!x) return NULL;
  return wnn_op_get(WNN_OP_GATHER)->operands[1].allowed & WNN_TYPE_BIT(ox_desc(x)->data_type)
             ? x
             : ox_cast(c, x, WNN_INT64);
}

static bool lower_gather(ox_call *c) {
  const wnn_desc *in = ox_in_desc(c, 0), *at = ox_in_desc(c, 1);
  uint32_t axis, shape[2 * WNN_MAX_RANK], rank = 0;
  if (!ox_axis(c, ox_attr_i(c, "axis"), in->rank, &axis)) return false;
  for (uint32_t i = 0; i < axis; i++) shape[rank++] = in->shape[i];
  for (uint32_t i = 0; i < at->rank; i++) shape[rank++] = at->shape[i];
  for (uint32_t i = axis + 1; i < in->rank; i++) shape[rank++] = in->shape[i];
  for (uint32_t i = 0; i < rank; i++) {
    if (!shape[i]) return empty_like(c, in->data_type, shape, rank);
  }
  return ox_out(c, 0, ox_gather(c, ox_in(c, 0), index_input(c, 1), axis));
}

static bool lower_gather_elements(ox_call *c) {
  const wnn_desc *in = ox_in_desc(c, 0), *at = ox_in_desc(c, 1);
  uint32_t axis;
  if (!ox_axis(c, ox_attr_i(c, "axis"), in->rank, &axis)) return false;
  if (at->rank != in->rank) return OX_BAD(c, "data and indices differ in rank");
  if (ox_empty(c, 1)) return empty_like(c, in->data_type, at->shape, at->rank);
  wnn_operand *x = ox_in(c, 0), *indices = index_input(c, 1);
  /* Indices may cover a part of the data only. */
  for (uint32_t i = 0; i < in->rank; i++) {
    if (i == axis || at->shape[i] == in->shape[i]) continue;
    if (at->shape[i] > in->shape[i]) return OX_BAD(c, "the indices are larger than the data");
    x = ox_slice(c, x, i, 0, at->shape[i]);
  }
  if (!x || !indices) return false;
  wnn_gather_elements_args args = {{NULL, axis}};
  return ox_out(c, 0, ox_op_n(c, WNN_OP_GATHER_ELEMENTS, &args, (wnn_operand *const[]){x, indices}, 2));
}

/* Batch dimensions become leading coordinates. */
static bool lower_gather_nd(ox_call *c) {
  wnn_operand *x = ox_in(c, 0), *indices = index_input(c, 1);
  int64_t batch = ox_attr_i(c, "batch_dims");
  if (!x || !indices) return false;
  const wnn_desc at = *ox_desc(indices);
  if (!at.rank || batch < 0 || batch >= at.rank || batch >= ox_desc(x)->rank)
    return OX_BAD(c, "attribute 'batch_dims' is out of range");
  if (batch) {
    wnn_operand *columns[WNN_MAX_RANK + 1];
    uint32_t shape[WNN_MAX_RANK];
    memcpy(shape, at.shape, sizeof shape);
    shape[at.rank - 1] = 1;
    for (uint32_t i = 0; i < batch; i++) {
      columns[i] = ox_expand(c, ox_iota(c, at.data_type, at.rank, i, at.shape[i]), at.rank, shape);
    }
    columns[batch] = indices;
    indices = ox_concat(c, columns, (size_t)batch + 1, at.rank - 1);
  }
  return ox_out(c, 0, ox_bin(c, WNN_OP_GATHER_ND, x, indices));
}

static bool lower_one_hot(ox_call *c) {
  int64_t depth;
  if (!ox_const_int(c, 1, "the depth", &depth)) return false;
  if (depth < 1 || depth > INT32_MAX) return OX_BAD(c, "the depth is out of range");
  wnn_operand *indices = ox_in(c, 0), *values = ox_in(c, 2);
  if (!indices || !values) return false;
  const wnn_desc at = *ox_desc(indices);
  uint32_t axis, shape[WNN_MAX_RANK], rank = at.rank + 1;
  if (!ox_axis(c, ox_attr_i(c, "axis"), rank, &axis)) return false;
  if (rank > WNN_MAX_RANK) return OX_UNSUPPORTED(c, "rank %u is above %d", rank, WNN_MAX_RANK);
  for (uint32_t i = 0; i < rank; i++) shape[i] = i == axis ? 1 : at.shape[i - (i > axis)];
  wnn_data_type type = at.data_type == WNN_INT64 || at.data_type == WNN_INT32 ? at.data_type : WNN_INT64;
  indices = ox_reshape(c, ox_cast(c, indices, type), rank, shape);
  wnn_operand *below = ox_bin(c, WNN_OP_LESSER, indices, ox_number(c, type, 0));
  indices = ox_where(c, below, ox_add(c, indices, ox_number(c, type, (double)depth)), indices);
  wnn_operand *hit = ox_bin(c, WNN_OP_EQUAL, indices, ox_iota(c, type, rank, axis, (uint32_t)depth));
  wnn_operand *off = ox_reshape(c, ox_slice(c, values, 0, 0, 1), 0, NULL),
              *on = ox_reshape(c, ox_slice(c, values, 0, 1, 1), 0, NULL);
  return ox_out(c, 0, ox_where(c, hit, on, off));
}

static bool lower_compress(ox_call *c) {
  const wnn_desc *in = ox_in_desc(c, 0);
  ox_ints condition;
  bool flat = !ox_attr_find(c, "axis");
  uint32_t axis = 0;
  size_t total;
  if (!ox_const_ints(c, 1, "the condition", &condition) ||
      (!flat && !ox_axis(c, ox_attr_i(c, "axis"), in->rank, &axis)))
    return false;
  if (!ox_count_elements(in, &total)) return OX_BAD(c, "the input is too large");
  uint32_t size = flat ? (uint32_t)total : in->shape[axis], count = 0;
  if (condition.count > size) return OX_BAD(c, "the condition is longer than the dimension");
  int64_t *indices = ox_temp(c, condition.count, sizeof *indices);
  if (!indices) return false;
  for (size_t i = 0; i < condition.count; i++) {
    if (condition.at[i]) indices[count++] = (int64_t)i;
  }
  wnn_desc desc = *in;
  if (flat) desc = (wnn_desc){in->data_type, 1, {0}};
  desc.shape[axis] = count;
  if (!count || !total) return ox_out_const(c, 0, &desc, NULL);
  wnn_operand *x = ox_in(c, 0);
  if (flat) x = OX_RESHAPE(c, x, size);
  return ox_out(c, 0, ox_gather(c, x, ox_constant_ints(c, WNN_INT64, 1, &count, indices), axis));
}

/* Row t of a sequence of length n comes from n - 1 - t, rows behind its end stay. */
static bool lower_reverse_sequence(ox_call *c) {
  wnn_operand *x = ox_in(c, 0), *lengths = ox_in(c, 1);
  const wnn_desc *in = ox_in_desc(c, 0);
  uint32_t batch, time, shape[WNN_MAX_RANK];
  if (!x || !lengths || !ox_axis(c, ox_attr_i(c, "batch_axis"), in->rank, &batch) ||
      !ox_axis(c, ox_attr_i(c, "time_axis"), in->rank, &time))
    return false;
  for (uint32_t i = 0; i < in->rank; i++) shape[i] = i == batch ? in->shape[i] : 1;
  lengths = ox_reshape(c, ox_cast(c, lengths, WNN_INT64), in->rank, shape);
  wnn_operand *t = ox_iota(c, WNN_INT64, in->rank, time, in->shape[time]);
  wnn_operand *mirrored = ox_sub(c, ox_sub(c, lengths, ox_number(c, WNN_INT64, 1)), t);
  wnn_operand *indices = ox_where(c, ox_bin(c, WNN_OP_LESSER, t, lengths), mirrored, t);
  indices = ox_expand(c, indices, in->rank, in->shape);
  if (!indices) return false;
  wnn_gather_elements_args args = {{NULL, time}};
  return ox_out(c, 0, ox_op_n(c, WNN_OP_GATHER_ELEMENTS, &args, (wnn_operand *const[]){x, indices}, 2));
}

/* ---- TopK ------------------------------------------------------------------------------------------------- */

static wnn_operand *gather_elements(ox_call *c, wnn_operand *x, wnn_operand *indices, uint32_t axis) {
  wnn_gather_elements_args args = {{NULL, axis}};
  return x && indices ? ox_op_n(c, WNN_OP_GATHER_ELEMENTS, &args, (wnn_operand *const[]){x, indices}, 2) : NULL;
}

static wnn_operand *arg_top(ox_call *c, wnn_operand *x, uint32_t axis, bool largest) {
  wnn_arg_min_max_args args = {axis, {NULL, true, WNN_INT64}};
  return x ? ox_op_n(c, largest ? WNN_OP_ARG_MAX : WNN_OP_ARG_MIN, &args, &x, 1) : NULL;
}

/* Along the last axis of [m, n]: the place of each element in the sorted order is the number of elements before it. */
static wnn_operand *rank_indices(ox_call *c, wnn_operand *x, uint32_t k, bool largest) {
  const uint32_t m = ox_desc(x)->shape[0], n = ox_desc(x)->shape[1];
  wnn_operand *rows = OX_RESHAPE(c, x, m, n, 1), *columns = OX_RESHAPE(c, x, m, 1, n);
  wnn_operand *better = ox_bin(c, largest ? WNN_OP_GREATER : WNN_OP_LESSER, columns, rows);
  wnn_operand *earlier = ox_bin(c, WNN_OP_LESSER, ox_iota(c, WNN_INT32, 3, 2, n), ox_iota(c, WNN_INT32, 3, 1, n));
  wnn_operand *tie = ox_bin(c, WNN_OP_LOGICAL_AND, ox_bin(c, WNN_OP_EQUAL, columns, rows), earlier);
  wnn_operand *before = ox_cast(c, ox_bin(c, WNN_OP_LOGICAL_OR, better, tie), WNN_INT32);
  wnn_operand *place = ox_reduce1(c, WNN_OP_REDUCE_SUM, before, 2, false); /* [m, n] */
  wnn_operand *hit = ox_bin(c, WNN_OP_EQUAL, OX_RESHAPE(c, place, m, 1, n), ox_iota(c, WNN_INT32, 3, 1, k));
  wnn_operand *chosen = ox_where(c, hit, ox_iota(c, WNN_INT64, 3, 2, n), ox_number(c, WNN_INT64, 0));
  return ox_reduce1(c, WNN_OP_REDUCE_SUM, chosen, 2, false);
}

/* One round for each result: find, then hide what was found behind the worst value of the type. */
static wnn_operand *round_indices(ox_call *c, wnn_operand *x, uint32_t k, bool largest) {
  wnn_operand **found = ox_temp(c, k, sizeof *found);
  uint32_t n = ox_desc(x)->shape[1];
  wnn_operand *worst = ox_like(c, x, largest ? -1e300 : 1e300);
  for (uint32_t i = 0; found && i < k; i++) {
    found[i] = arg_top(c, x, 1, largest);
    x = ox_where(c, ox_bin(c, WNN_OP_EQUAL, ox_iota(c, WNN_INT64, 2, 1, n), found[i]), worst, x);
    if (!x) return NULL;
  }
  return found ? ox_concat(c, found, k, 1) : NULL;
}

enum { RANK_LIMIT = 4 * 1024 * 1024, ROUND_LIMIT = 1024 };

static bool lower_top_k(ox_call *c) {
  const wnn_desc in = *ox_in_desc(c, 0);
  int64_t k;
  uint32_t axis, order[WNN_MAX_RANK], back[WNN_MAX_RANK];
  if (c->op->since < 10)
    k = ox_attr_i(c, "k");
  else if (!ox_const_int(c, 1, "k", &k))
    return false;
  if (!ox_axis(c, ox_attr_i(c, "axis"), in.rank, &axis)) return false;
  if (k < 0 || k > in.shape[axis]) return OX_BAD(c, "k is %lld for a dimension of %u", (long long)k, in.shape[axis]);
  wnn_desc out = in;
  out.shape[axis] = (uint32_t)k;
  if (!k) {
    wnn_desc places = out;
    places.data_type = WNN_INT64;
    return ox_out_const(c, 0, &out, NULL) && ox_out_const(c, 1, &places, NULL);
  }
  bool largest = c->op->since < 11 || ox_attr_i(c, "largest") != 0;
  wnn_operand *x = ox_in(c, 0), *indices;
  if (!x) return false;
  if (k == 1) {
    indices = arg_top(c, x, axis, largest);
    return ox_out(c, 0, gather_elements(c, x, indices, axis)) && ox_out(c, 1, indices);
  }
  /* The axis goes last, everything before it into one dimension. */
  uint32_t rank = in.rank, n = in.shape[axis], moved[WNN_MAX_RANK], last = 0;
  for (uint32_t i = 0; i < rank; i++) {
    if (i != axis) order[last++] = i;
  }
  order[last] = axis;
  uint64_t m = 1;
  for (uint32_t i = 0; i < rank; i++) {
    back[order[i]] = i;
    moved[i] = i + 1 < rank ? in.shape[order[i]] : (uint32_t)k;
    if (i + 1 < rank) m *= moved[i];
  }
  wnn_operand *flat = OX_RESHAPE(c, ox_transpose(c, x, order), (uint32_t)m, n);
  if (!flat) return false;
  if (m * n * n <= RANK_LIMIT)
    indices = rank_indices(c, flat, (uint32_t)k, largest);
  else if (k <= ROUND_LIMIT)
    indices = round_indices(c, flat, (uint32_t)k, largest);
  else
    return OX_UNSUPPORTED(c, "k is %lld of %u: WebNN has no sort, and this is too large to build one", (long long)k, n);
  indices = ox_transpose(c, ox_reshape(c, indices, rank, moved), back);
  return ox_out(c, 0, gather_elements(c, x, indices, axis)) && ox_out(c, 1, indices);
}

static const ox_op ops[] = {
    {"", "Gather", 1, 2, 2, 1, "axis:i=0", lower_gather, 0, 0},
    {"", "GatherElements", 11, 2, 2, 1, "axis:i=0", lower_gather_elements, 0, 0},
    {"", "GatherND", 11, 2, 2, 1, "batch_dims:i=0", lower_gather_nd, 0, 0},
    {"com.microsoft", "GatherND", 1, 2, 2, 1, "batch_dims:i=0", lower_gather_nd, 0, 0},
    {"", "OneHot", 9, 3, 3, 1, "axis:i=-1", lower_one_hot, 0, 0},
    {"", "Compress", 9, 2, 2, 1, "axis:i", lower_compress, 0, 0},
    {"", "ReverseSequence", 10, 2, 2, 1, "batch_axis:i=1 time_axis:i=0", lower_reverse_sequence, 0, 0},
    {"", "TopK", 1, 1, 1, 2, "axis:i=-1 k:i", lower_top_k, 0, 0},
    {"", "TopK", 10, 2, 2, 2, "axis:i=-1", lower_top_k, 0, 0},
    {"", "TopK", 11, 2, 2, 2, "axis:i=-1 largest:i=1 sorted:i=1", lower_top_k, 0, 0},
};
OX_FAMILY(index, ops);
