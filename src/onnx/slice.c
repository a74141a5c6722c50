/* Slice, Split, and the selections that reduce to them. */
#include <string.h>

#include "import.h"

wnn_operand *ox_stepped(ox_call *c, wnn_operand *x, const uint32_t *starts, const uint32_t *sizes,
                        const uint32_t *strides) {
  if (!x) return NULL;
  const wnn_desc *desc = ox_desc(x);
  bool whole = true, steps = false;
  for (uint32_t i = 0; i < desc->rank; i++) {
    whole = whole && !starts[i] && sizes[i] == desc->shape[i] && strides[i] == 1;
    steps = steps || strides[i] != 1;
  }
  if (whole) return x;
  wnn_slice_args args = {
      {starts, desc->rank}, {sizes, desc->rank}, {NULL, {steps ? strides : NULL, steps ? desc->rank : 0}}};
  return ox_op_n(c, WNN_OP_SLICE, &args, &x, 1);
}

typedef struct range {
  int64_t start, count, step; /* of the result, in the input */
} range;

/* Clamps like Python's slices. */
static range clamp_range(int64_t start, int64_t end, int64_t step, int64_t size) {
  int64_t low = step > 0 ? 0 : -1, high = step > 0 ? size : size - 1;
  if (start < 0) start = start < -size ? low : start + size;
  if (end < 0) end = end < -size ? low : end + size;
  start = start < low ? low : start > high ? high : start;
  end = end < low ? low : end > high ? high : end;
  int64_t span = step > 0 ? end - start : start - end;
  uint64_t stride = step > 0 ? (uint64_t)step : (uint64_t)0 - (uint64_t)step;
  range out = {start, span > 0 ? (int64_t)(((uint64_t)span - 1) / stride) + 1 : 0, step};
  return out;
}

static bool read_list(ox_call *c, size_t input, const char *attr, bool *present, ox_ints *out) {
  *out = (ox_ints){NULL, 0};
  if (c->op->since < 10) {
    *present = ox_attr_ints(c, attr, out);
    return true;
  }
  *present = ox_has(c, input);
  return !*present || ox_const_ints(c, input, attr, out);
}

static bool lower_slice(ox_call *c) {
  const wnn_desc *in = ox_in_desc(c, 0);
  ox_ints starts, ends, axes, steps;
  bool has_starts, has_ends, has_axes, has_steps = false;
  if (!read_list(c, 1, "starts", &has_starts, &starts) || !read_list(c, 2, "ends", &has_ends, &ends) ||
      !read_list(c, 3, "axes", &has_axes, &axes))
    return false;
  steps = (ox_ints){NULL, 0};
  if (c->op->since >= 10 && !read_list(c, 4, "steps", &has_steps, &steps)) return false;
  bool fits = has_starts && has_ends && starts.count == ends.count && starts.count <= in->rank;
  if (!fits || (has_axes && axes.count != starts.count) || (has_steps && steps.count != starts.count))
    return OX_BAD(c, "starts, ends, axes and steps do not fit together");
  range ranges[WNN_MAX_RANK];
  bool seen[WNN_MAX_RANK] = {false};
  for (uint32_t i = 0; i < in->rank; i++) ranges[i] = (range){0, in->shape[i], 1};
  for (size_t i = 0; i < starts.count; i++) {
    uint32_t axis = (uint32_t)i;
    int64_t step = has_steps ? steps.at[i] : 1;
    if (has_axes && !ox_axis(c, axes.at[i], in->rank, &axis)) return false;
    if (!step || seen[axis]) return OX_BAD(c, step ? "an axis is given twice" : "a step is 0");
    seen[axis] = true;
    ranges[axis] = clamp_range(starts.at[i], ends.at[i], step, in->shape[axis]);
  }
  wnn_desc desc = *in;
  uint32_t begin[WNN_MAX_RANK], sizes[WNN_MAX_RANK], strides[WNN_MAX_RANK], flipped[WNN_MAX_RANK], flips = 0;
  bool empty = false;
  for (uint32_t i = 0; i < in->rank; i++) {
    desc.shape[i] = (uint32_t)ranges[i].count;
    empty = empty || !desc.shape[i];
    if (empty) continue;
    bool backward = ranges[i].step < 0;
    /* One element is left when the step is longer than the dimension: any stride will do. */
    uint64_t stride = backward ? (uint64_t)0 - (uint64_t)ranges[i].step : (uint64_t)ranges[i].step;
    strides[i] = desc.shape[i] == 1 ? 1 : (uint32_t)stride;
    begin[i] = (uint32_t)(backward ? in->shape[i] - 1 - ranges[i].start : ranges[i].start);
    sizes[i] = (desc.shape[i] - 1) * strides[i] + 1;
    if (backward) flipped[flips++] = i;
  }
  if (empty) return ox_out_const(c, 0, &desc, NULL);
  wnn_operand *x = ox_in(c, 0);
  if (flips && x) {
    wnn_reverse_args args = {{NULL, {flipped, flips}}};
    x = ox_op_n(c, WNN_OP_REVERSE, &args, &x, 1);
  }
  return ox_out(c, 0, ox_stepped(c, x, begin, sizes, strides));
}

/* ---- Split -------------------------------------------------------------------------------------------------- */

static bool split_sizes(ox_call *c, uint32_t size, uint32_t *sizes) {
  ox_ints given;
  bool from_input = ox_has(c, 1);
  size_t count = c->out_count;
  if (from_input ? !ox_const_ints(c, 1, "the sizes", &given) : false) return false;
  if (from_input || (c->op->since < 13 && ox_attr_ints(c, "split", &given))) {
    uint64_t total = 0;
    if (given.count != count) return OX_BAD(c, "%zu sizes for %zu outputs", given.count, count);
    for (size_t i = 0; i < count; i++) {
      if (given.at[i] < 0 || given.at[i] > INT32_MAX) return OX_BAD(c, "a size is out of range");
      sizes[i] = (uint32_t)given.at[i];
      total += sizes[i];
    }
    return total == size || OX_BAD(c, "the sizes do not add up to %u", size);
  }
  int64_t parts = ox_attr_find(c, "num_outputs") ? ox_attr_i(c, "num_outputs") : (int64_t)count;
  if (parts != (int64_t)count) return OX_BAD(c, "attribute 'num_outputs' is not the number of outputs");
  uint32_t each = (uint32_t)((size + count - 1) / count);
  for (size_t i = 0; i < count; i++) {
    uint64_t start = (uint64_t)each * i;
    sizes[i] = start >= size ? 0 : size - start < each ? (uint32_t)(size - start) : each;
  }
  return c->op->since >= 18 || size % count == 0 || OX_BAD(c, "%u does not fall into %zu equal parts", size, count);
}

static bool lower_split(ox_call *c) {
  const wnn_desc *in = ox_in_desc(c, 0);
  uint32_t axis, *sizes = ox_temp(c, c->out_count, sizeof *sizes);
  if (!sizes || !c->out_count || !ox_axis(c, ox_attr_i(c, "axis"), in->rank, &axis) ||
      !split_sizes(c, in->shape[axis], sizes))
    return false;
  wnn_operand **outs = ox_temp(c, c->out_count, sizeof *outs);
  uint32_t *parts = ox_temp(c, c->out_count, sizeof *parts), count = 0;
  if (!outs || !parts) return false;
  for (size_t i = 0; i < c->out_count; i++) {
    if (sizes[i]) parts[count++] = sizes[i];
  }
  bool empty = ox_empty(c, 0);
  if (!empty && count == 1) outs[0] = ox_in(c, 0);
  if (!empty && count > 1) {
    wnn_operand *x = ox_in(c, 0);
    wnn_split_args args = {{parts, count}, {NULL, axis}};
    if (!x || !ox_op_outs(c, WNN_OP_SPLIT, &args, &x, 1, outs, count)) return false;
  }
  for (size_t i = 0, next = 0; i < c->out_count; i++) {
    wnn_desc desc = *in;
    desc.shape[axis] = sizes[i];
    if (sizes[i] && !empty ? !ox_out(c, i, outs[next++]) : !ox_out_const(c, i, &desc, NULL)) return false;
  }
  return true;
}

static const ox_op ops[] = {
    {"", "Slice", 1, 1, 1, 1, "starts:I ends:I axes:I", lower_slice, 0, 0},
    {"", "Slice", 10, 3, 5, 1, "", lower_slice, 0, 0},
    {"", "Split", 1, 1, 2, OX_MANY, "axis:i=0 split:I", lower_split, 0, 0},
    {"", "Split", 13, 1, 2, OX_MANY, "axis:i=0", lower_split, 0, 0},
    {"", "Split", 18, 1, 2, OX_MANY, "axis:i=0 num_outputs:i", lower_split, 0, 0},
};
OX_FAMILY(slice, ops);
