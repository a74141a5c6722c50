/* Data movement: transposes, joins, repetitions, padding, blocks. */
#include <string.h>

#include "import.h"

static bool lower_transpose(ox_call *c) {
  const wnn_desc *in = ox_in_desc(c, 0);
  uint32_t permutation[WNN_MAX_RANK];
  ox_ints list;
  bool given = ox_attr_ints(c, "perm", &list), seen[WNN_MAX_RANK] = {false};
  if (given && list.count != in->rank)
    return OX_BAD(c, "attribute 'perm' has %zu entries for rank %u", list.count, in->rank);
  for (uint32_t i = 0; i < in->rank; i++) {
    int64_t from = given ? list.at[i] : (int64_t)in->rank - 1 - i;
    if (from < 0 || from >= in->rank || seen[from]) return OX_BAD(c, "attribute 'perm' is no permutation");
    seen[from] = true;
    permutation[i] = (uint32_t)from;
  }
  if (ox_empty(c, 0)) {
    wnn_desc desc = *in;
    for (uint32_t i = 0; i < in->rank; i++) desc.shape[i] = in->shape[permutation[i]];
    return ox_out_const(c, 0, &desc, NULL);
  }
  return ox_out(c, 0, ox_transpose(c, ox_in(c, 0), permutation));
}

/* Parts without elements do not count. */
static bool lower_concat(ox_call *c) {
  uint32_t axis;
  const wnn_desc *first = ox_in_desc(c, 0);
  int64_t given = ox_attr_find(c, "axis") || c->op->since < 4 ? ox_attr_i(c, "axis") : INT64_MIN;
  if (given == INT64_MIN) return OX_BAD(c, "attribute 'axis' is missing");
  if (!ox_axis(c, given, first->rank, &axis)) return false;
  wnn_operand **parts = ox_temp(c, c->in_count, sizeof *parts);
  size_t count = 0, last = 0;
  wnn_desc desc = *first;
  desc.shape[axis] = 0;
  for (size_t i = 0; parts && i < c->in_count; i++) {
    if (!ox_has(c, i)) return OX_BAD(c, "input %zu is missing", i);
    if (ox_in_desc(c, i)->rank == desc.rank && desc.shape[axis] <= INT32_MAX - (uint64_t)ox_in_desc(c, i)->shape[axis])
      desc.shape[axis] += ox_in_desc(c, i)->shape[axis];
    if (ox_empty(c, i)) continue;
    parts[count] = ox_in(c, i);
    if (!parts[count++]) return false;
    last = i;
  }
  if (!parts) return false;
  if (!count) return ox_out_const(c, 0, &desc, NULL);
  if (count == 1) return ox_out_value(c, 0, c->in[last]);
  return ox_out(c, 0, ox_concat(c, parts, count, axis));
}

static bool lower_expand(ox_call *c) {
  const wnn_desc *in = ox_in_desc(c, 0);
  ox_ints target;
  if (!ox_const_ints(c, 1, "the shape", &target)) return false;
  uint32_t rank = target.count > in->rank ? (uint32_t)target.count : in->rank;
  if (target.count > WNN_MAX_RANK) return OX_UNSUPPORTED(c, "rank %zu is above %d", target.count, WNN_MAX_RANK);
  wnn_desc desc = {in->data_type, rank, {0}};
  for (uint32_t i = 0; i < rank; i++) {
    int64_t a = i + in->rank >= rank ? in->shape[i + in->rank - rank] : 1;
    int64_t b = i + target.count >= rank ? target.at[i + target.count - rank] : 1;
    if (b < 0 || b > INT32_MAX || (a != b && a != 1 && b != 1))
      return OX_BAD(c, "dimension %u of the input is %lld, it cannot become %lld", i, (long long)a, (long long)b);
    desc.shape[i] = (uint32_t)(a == 1 ? b : a);
  }
  size_t count;
  if (!ox_count_elements(&desc, &count)) return OX_BAD(c, "the result is too large");
  if (!count) return ox_out_const(c, 0, &desc, NULL);
  return ox_out(c, 0, ox_expand(c, ox_in(c, 0), rank, desc.shape));
}

static bool lower_tile(ox_call *c) {
  wnn_desc desc = *ox_in_desc(c, 0);
  ox_ints repeats;
  int64_t list[WNN_MAX_RANK];
  if (c->op->since < 6) {
    int64_t tiles, axis;
    uint32_t at;
    if (!ox_const_int(c, 1, "the count", &tiles) || !ox_const_int(c, 2, "the axis", &axis) ||
        !ox_axis(c, axis, desc.rank, &at))
      return false;
    for (uint32_t i = 0; i < desc.rank; i++) list[i] = i == at ? tiles : 1;
    repeats = (ox_ints){list, desc.rank};
  } else if (!ox_const_ints(c, 1, "the repeats", &repeats)) {
    return false;
  }
  if (repeats.count != desc.rank) return OX_BAD(c, "%zu repeats for rank %u", repeats.count, desc.rank);
  uint32_t times[WNN_MAX_RANK] = {0};
  for (uint32_t i = 0; i < desc.rank; i++) {
    uint64_t size = (uint64_t)repeats.at[i] * desc.shape[i];
    if (repeats.at[i] < 0 || repeats.at[i] > INT32_MAX || size > INT32_MAX)
      return OX_BAD(c, "the repeats are out of range");
    times[i] = (uint32_t)repeats.at[i];
    desc.shape[i] = (uint32_t)size;
  }
  size_t count;
  if (!ox_count_elements(&desc, &count)) return OX_BAD(c, "the result is too large");
  if (!count) return ox_out_const(c, 0, &desc, NULL);
  wnn_operand *x = ox_in(c, 0);
  wnn_tile_args args = {{times, desc.rank}, WNN_OPERATOR_OPTIONS_INIT};
  if (!desc.rank) return ox_out_value(c, 0, c->in[0]);
  return ox_out(c, 0, x ? ox_op_n(c, WNN_OP_TILE, &args, &x, 1) : NULL);
}

/* ---- Pad -------------------------------------------------------------------------------------------------- */

/* One axis: the tensor repeats on both sides. */
static wnn_operand *wrap(ox_call *c, wnn_operand *x, uint32_t axis, int64_t before, int64_t after) {
  uint32_t size = ox_desc(x)->shape[axis];
  wnn_operand *parts[3];
  size_t count = 0;
  if (before > size || after > size) {
    OX_UNSUPPORTED(c, "wrapping by more than the dimension");
    return NULL;
  }
  if (before > 0) parts[count++] = ox_slice(c, x, axis, size - (uint32_t)before, (uint32_t)before);
  parts[count++] = x;
  if (after > 0) parts[count++] = ox_slice(c, x, axis, 0, (uint32_t)after);
  return ox_concat(c, parts, count, axis);
}

static bool read_pads(ox_call *c, uint32_t rank, int64_t before[WNN_MAX_RANK], int64_t after[WNN_MAX_RANK]) {
  ox_ints pads, axes = {NULL, 0};
  if (c->op->since >= 11) {
    if (!ox_const_ints(c, 1, "the pads", &pads)) return false;
    if (ox_has(c, 3) && !ox_const_ints(c, 3, "the axes", &axes)) return false;
  } else if (!ox_attr_ints(c, c->op->since < 2 ? "paddings" : "pads", &pads)) {
    return OX_BAD(c, "the pads are missing");
  }
  bool some = c->op->since >= 11 && ox_has(c, 3);
  size_t count = some ? axes.count : rank;
  if (pads.count != 2 * count) return OX_BAD(c, "%zu pads for %zu dimensions", pads.count, count);
  for (uint32_t i = 0; i < rank; i++) before[i] = after[i] = 0;
  for (size_t i = 0; i < count; i++) {
    uint32_t axis = (uint32_t)i;
    if (some && !ox_axis(c, axes.at[i], rank, &axis)) return false;
    before[axis] = pads.at[i];
    after[axis] = pads.at[i + count];
    bool bad =
        before[axis] < -INT32_MAX || before[axis] > INT32_MAX || after[axis] < -INT32_MAX || after[axis] > INT32_MAX;
    if (bad) return OX_BAD(c, "the pads are out of range");
  }
  return true;
}

static bool pad_value(ox_call *c, wnn_number *value) {
  *value = wnn_number_double(0);
  if (c->op->since < 11) {
    *value = wnn_number_double(ox_attr_f(c, "value"));
    return true;
  }
  if (!ox_has(c, 2)) return true;
  if (!ox_need(c, 2, "the padding value")) return false;
  if (ox_empty(c, 2)) return OX_BAD(c, "the padding value is empty");
  *value = ox_number_of(c->in[2]);
  return true;
}

static bool lower_pad(ox_call *c) {
  const wnn_desc *in = ox_in_desc(c, 0);
  int64_t before[WNN_MAX_RANK], after[WNN_MAX_RANK];
  wnn_pad_options options = WNN_PAD_OPTIONS_INIT;
  if (!read_pads(c, in->rank, before, after) || !pad_value(c, &options.value)) return false;
  wnn_operand *x = ox_in(c, 0);
  if (!x) return false;
  bool wrapping = ox_attr_is(c, "mode", "wrap");
  if (ox_attr_is(c, "mode", "edge"))
    options.mode = WNN_PADDING_MODE_EDGE;
  else if (ox_attr_is(c, "mode", "reflect"))
    options.mode = WNN_PADDING_MODE_REFLECTION;
  else if (!wrapping && !ox_attr_is(c, "mode", "constant"))
    return OX_UNSUPPORTED(c, "attribute 'mode' has an unknown value");
  uint32_t begin[WNN_MAX_RANK] = {0}, end[WNN_MAX_RANK] = {0};
  bool any = false;
  for (uint32_t i = 0; i < in->rank; i++) {
    if (wrapping) {
      x = wrap(c, x, i, before[i], after[i]);
      continue;
    }
    if (before[i] > 0) begin[i] = (uint32_t)before[i];
    if (after[i] > 0) end[i] = (uint32_t)after[i];
    any = any || begin[i] || end[i];
  }
  wnn_pad_args args = {{begin, in->rank}, {end, in->rank}, options};
  if (any && x) x = ox_op_n(c, WNN_OP_PAD, &args, &x, 1);
  /* Negative pads cut. */
  for (uint32_t i = 0; i < in->rank && x; i++) {
    uint32_t size = ox_desc(x)->shape[i];
    uint64_t cut = (before[i] < 0 ? (uint64_t)-before[i] : 0) + (after[i] < 0 ? (uint64_t)-after[i] : 0);
    if (!cut) continue;
    if (cut >= size) return OX_UNSUPPORTED(c, "the pads leave no elements");
    x = ox_slice(c, x, i, before[i] < 0 ? (uint32_t)-before[i] : 0, (uint32_t)(size - cut));
  }
  return ox_out(c, 0, x);
}

/* What is too long loses both ends, what is too short gets zeros at both; an odd one goes to the end. */
static bool lower_center_crop_pad(ox_call *c) {
  wnn_operand *x = ox_in(c, 0);
  ox_ints size, axes;
  if (!x || !ox_const_ints(c, 1, "the shape", &size)) return false;
  const wnn_desc d = *ox_desc(x);
  bool some = ox_attr_ints(c, "axes", &axes);
  if (size.count != (some ? axes.count : d.rank)) return OX_BAD(c, "the shape does not fit the axes");
  uint32_t before[WNN_MAX_RANK] = {0}, after[WNN_MAX_RANK] = {0};
  for (size_t i = 0; i < size.count; i++) {
    uint32_t axis;
    if (!ox_axis(c, some ? axes.at[i] : (int64_t)i, d.rank, &axis)) return false;
    if (size.at[i] < 1 || size.at[i] > INT32_MAX) return OX_BAD(c, "the shape has an entry out of range");
    uint32_t have = d.shape[axis], want = (uint32_t)size.at[i];
    if (want < have) x = ox_slice(c, x, axis, (have - want) / 2, want);
    before[axis] = want > have ? (want - have) / 2 : 0;
    after[axis] = want > have ? want - have - before[axis] : 0;
  }
  return ox_out(c, 0, ox_pad(c, x, before, after, WNN_PADDING_MODE_CONSTANT, 0));
}

/* ---- Blocks, triangles -------------------------------------------------------------------------------------- */

static bool lower_depth_to_space(ox_call *c) {
  wnn_operand *x = ox_in(c, 0);
  const wnn_desc d = *ox_desc(x);
  int64_t size = ox_attr_i(c, "blocksize");
  if (d.rank != 4 || size < 1 || size > 32768 || d.shape[1] % (size * size))
    return OX_BAD(c, "the channels do not fall into blocks");
  uint32_t b = (uint32_t)size, depth = d.shape[1] / (b * b), n = d.shape[0], h = d.shape[2], w = d.shape[3];
  if (ox_attr_is(c, "mode", "CRD"))
    x = OX_TRANSPOSE(c, OX_RESHAPE(c, x, n, depth, b, b, h, w), 0, 1, 4, 2, 5, 3);
  else if (ox_attr_is(c, "mode", "DCR"))
    x = OX_TRANSPOSE(c, OX_RESHAPE(c, x, n, b, b, depth, h, w), 0, 3, 4, 1, 5, 2);
  else
    return OX_BAD(c, "attribute 'mode' is neither DCR nor CRD");
  return ox_out(c, 0, OX_RESHAPE(c, x, n, depth, h * b, w * b));
}

static bool lower_space_to_depth(ox_call *c) {
  wnn_operand *x = ox_in(c, 0);
  const wnn_desc d = *ox_desc(x);
  int64_t size = ox_attr_i(c, "blocksize");
  if (d.rank != 4 || size < 1 || d.shape[2] % size || d.shape[3] % size)
    return OX_BAD(c, "the rows and columns do not fall into blocks");
  uint32_t b = (uint32_t)size, n = d.shape[0], depth = d.shape[1], h = d.shape[2] / b, w = d.shape[3] / b;
  x = OX_TRANSPOSE(c, OX_RESHAPE(c, x, n, depth, h, b, w, b), 0, 3, 5, 1, 2, 4);
  return ox_out(c, 0, OX_RESHAPE(c, x, n, depth * b * b, h, w));
}

static bool lower_trilu(ox_call *c) {
  int64_t k = 0;
  if (ox_has(c, 1) && !ox_const_int(c, 1, "k", &k)) return false;
  if (ox_empty(c, 0)) return ox_out_value(c, 0, c->in[0]);
  if (k > INT32_MAX) k = INT32_MAX;
  if (k < INT32_MIN) k = INT32_MIN;
  wnn_operand *x = ox_in(c, 0);
  wnn_triangular_args args = {{NULL, (int32_t)k, ox_attr_i(c, "upper") != 0}};
  return ox_out(c, 0, x ? ox_op_n(c, WNN_OP_TRIANGULAR, &args, &x, 1) : NULL);
}

static const ox_op ops[] = {
    {"", "Transpose", 1, 1, 1, 1, "perm:I", lower_transpose, 0, 0},
    {"", "Concat", 1, 1, OX_MANY, 1, "axis:i=1", lower_concat, 0, 0},
    {"", "Concat", 4, 1, OX_MANY, 1, "axis:i", lower_concat, 0, 0},
    {"", "Expand", 8, 2, 2, 1, "", lower_expand, 0, 0},
    {"", "Tile", 1, 3, 3, 1, "", lower_tile, 0, 0},
    {"", "Tile", 6, 2, 2, 1, "", lower_tile, 0, 0},
    {"", "Pad", 1, 1, 1, 1, "mode:s=constant paddings:I value:f=0", lower_pad, 0, 0},
    {"", "Pad", 2, 1, 1, 1, "mode:s=constant pads:I value:f=0", lower_pad, 0, 0},
    {"", "Pad", 11, 2, 4, 1, "mode:s=constant", lower_pad, 0, 0},
    {"", "CenterCropPad", 18, 2, 2, 1, "axes:I", lower_center_crop_pad, 0, 0},
    {"", "DepthToSpace", 1, 1, 1, 1, "blocksize:i mode:s=DCR", lower_depth_to_space, 0, 0},
    {"", "SpaceToDepth", 1, 1, 1, 1, "blocksize:i", lower_space_to_depth, 0, 0},
    {"com.microsoft", "Trilu", 1, 1, 2, 1, "upper:i=1", lower_trilu, 0, 0},
    {"", "Trilu", 14, 1, 2, 1, "upper:i=1", lower_trilu, 0, 0},
};
OX_FAMILY(move, ops);
