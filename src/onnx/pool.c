/* Pooling of one to three dimensions, and over everything. */
#include <math.h>
#include <string.h>

#include "quantized.h"

/* One planar pool over two dimensions of the window, numbers h and w of it. */
static wnn_operand *pool2d(ox_call *c, int op, wnn_operand *x, const ox_window *window, uint32_t h, uint32_t w,
                           bool ceil_mode) {
  if (!x) return NULL;
  bool line = h == w; /* one dimension only, the other is of size 1 */
  const uint32_t kernel[] = {line ? 1 : window->kernel[h], window->kernel[w]};
  const uint32_t strides[] = {line ? 1 : window->strides[h], window->strides[w]};
  const uint32_t dilations[] = {line ? 1 : window->dilations[h], window->dilations[w]};
  const uint32_t padding[] = {line ? 0 : window->before[h], line ? 0 : window->after[h], window->before[w],
                              window->after[w]};
  const wnn_desc in = *ox_desc(x);
  wnn_max_pool2d_args args = {WNN_POOL2D_OPTIONS_INIT};
  args.options.window_dimensions = (wnn_u32_list){kernel, 2};
  args.options.strides = (wnn_u32_list){strides, 2};
  args.options.dilations = (wnn_u32_list){dilations, 2};
  args.options.padding = (wnn_u32_list){padding, 4};
  args.options.output_shape_rounding = ceil_mode ? WNN_ROUNDING_CEIL : WNN_ROUNDING_FLOOR;
  wnn_operand *y = ox_op_n(c, op, &args, &x, 1);
  if (!ceil_mode || !y) return y;
  /* A last window that starts in the padding at the end is dropped. */
  for (uint32_t i = 0; i < 2; i++) {
    uint32_t size = ox_desc(y)->shape[2 + i];
    if (size > 1 && (uint64_t)(size - 1) * strides[i] >= (uint64_t)in.shape[2 + i] + padding[2 * i])
      y = ox_slice(c, y, 2 + i, 0, size - 1);
  }
  return y;
}

/* Rows of zeros (or of another value) instead of the padding of the window. */
static wnn_operand *pad_window(ox_call *c, wnn_operand *x, ox_window *window) {
  uint32_t before[WNN_MAX_RANK] = {0}, after[WNN_MAX_RANK] = {0};
  for (uint32_t i = 0; i < window->rank; i++) {
    before[2 + i] = window->before[i];
    after[2 + i] = window->after[i];
    window->before[i] = window->after[i] = 0;
  }
  return ox_pad(c, x, before, after, WNN_PADDING_MODE_CONSTANT, 0);
}

/* Maximum, mean (over what lies inside) and root of squares fall apart into planes and depth. */
static wnn_operand *pool(ox_call *c, int op, wnn_operand *x, const ox_window *window, bool ceil_mode) {
  if (!x) return NULL;
  if (window->rank == 2) return pool2d(c, op, x, window, 0, 1, ceil_mode);
  if (window->rank == 1) return ox_drop_1d(c, pool2d(c, op, ox_lift_1d(c, x), window, 0, 0, ceil_mode));
  const wnn_desc in = *ox_desc(x);
  uint32_t n = in.shape[0], channels = in.shape[1], depth = in.shape[2];
  wnn_operand *planes =
      pool2d(c, op, OX_RESHAPE(c, x, n * channels, depth, in.shape[3], in.shape[4]), window, 1, 2, ceil_mode);
  if (!planes) return NULL;
  uint32_t h = ox_desc(planes)->shape[2], w = ox_desc(planes)->shape[3];
  wnn_operand *columns = OX_TRANSPOSE(c, OX_RESHAPE(c, planes, n * channels, 1, depth, h * w), 0, 1, 3, 2);
  columns = OX_TRANSPOSE(c, pool2d(c, op, columns, window, 0, 0, ceil_mode), 0, 1, 3, 2);
  return columns ? OX_RESHAPE(c, columns, n, channels, ox_desc(columns)->shape[2], h, w) : NULL;
}

/* A window larger than the padded input, by less than a step, still gives one result of what lies inside it: so do all
 * engines, whose rounding of the negative size is toward zero. */
static void reach_end(const wnn_desc *in, ox_window *window) {
  for (uint32_t i = 0; i < window->rank; i++) {
    uint64_t padded = (uint64_t)in->shape[2 + i] + window->before[i] + window->after[i],
             extent = ox_window_extent(window, i);
    if (padded < extent && extent - padded < window->strides[i]) window->after[i] += (uint32_t)(extent - padded);
  }
}

static bool lower_average_pool(ox_call *c) {
  ox_window window;
  wnn_operand *x = ox_in(c, 0);
  if (!x || !ox_window_read(c, ox_desc(x), NULL, true, &window)) return false;
  reach_end(ox_desc(x), &window);
  if (ox_attr_i(c, "count_include_pad")) x = pad_window(c, x, &window);
  return ox_out(c, 0, pool(c, WNN_OP_AVERAGE_POOL2D, x, &window, ox_attr_i(c, "ceil_mode") != 0));
}

/* com.microsoft: dequantised, pooled, quantised. */
static bool lower_qlinear_average_pool(ox_call *c) {
  ox_window window;
  bool last = ox_attr_i(c, "channels_last") != 0;
  wnn_operand *x = ox_dequantize(c, ox_in(c, 0), ox_in(c, 1), ox_in_optional(c, 2), 0);
  if (last && x && ox_desc(x)->rank != 4) return OX_UNSUPPORTED(c, "channels last in rank %u", ox_desc(x)->rank);
  if (last && x) x = OX_TRANSPOSE(c, x, 0, 3, 1, 2);
  if (!x || !ox_window_read(c, ox_desc(x), NULL, true, &window)) return false;
  reach_end(ox_desc(x), &window);
  if (ox_attr_i(c, "count_include_pad")) x = pad_window(c, x, &window);
  wnn_operand *y = pool(c, WNN_OP_AVERAGE_POOL2D, x, &window, ox_attr_i(c, "ceil_mode") != 0);
  if (last && y) y = OX_TRANSPOSE(c, y, 0, 2, 3, 1);
  return ox_out(c, 0, ox_quantize(c, y, ox_in(c, 3), ox_in_optional(c, 4), ox_in_desc(c, 0)->data_type, 0));
}

/* Where one tap of the window lands in the input for every result: numbers within a plane, and whether it is inside. */
static void tap_places(ox_call *c, const wnn_desc *in, const wnn_desc *out, const ox_window *window,
                       const uint32_t *tap, int64_t *place, int64_t *inside, bool *all_inside) {
  uint64_t total = 1;
  bool columns_first = ox_attr_i(c, "storage_order") != 0;
  *all_inside = true;
  for (uint32_t i = 0; i < window->rank; i++) total *= out->shape[2 + i];
  for (uint64_t p = 0; p < total; p++) {
    uint64_t rest = p;
    int64_t at[OX_MAX_SPATIAL], number = 0;
    inside[p] = 1;
    for (uint32_t i = window->rank; i-- > 0; rest /= out->shape[2 + i]) {
      at[i] = (int64_t)(rest % out->shape[2 + i]) * window->strides[i] + (int64_t)tap[i] * window->dilations[i] -
              window->before[i];
      inside[p] = inside[p] && at[i] >= 0 && at[i] < in->shape[2 + i];
    }
    for (uint32_t i = 0; i < window->rank; i++) {
      uint32_t axis = columns_first ? window->rank - 1 - i : i;
      number = number * in->shape[2 + axis] + at[axis];
    }
    place[p] = inside[p] ? number : 0;
    *all_inside = *all_inside && inside[p];
  }
}

enum { TAP_LIMIT = 1024 };

/* The place of each maximum: taps from the last to the first, so that the first of equals stays. */
static wnn_operand *max_places(ox_call *c, wnn_operand *x, wnn_operand *y, const ox_window *window) {
  if (!x || !y) return NULL;
  const wnn_desc in = *ox_desc(x), out = *ox_desc(y);
  uint32_t before[WNN_MAX_RANK] = {0}, after[WNN_MAX_RANK] = {0}, shape[WNN_MAX_RANK] = {1, 1}, taps = 1;
  uint64_t total = 1, plane = 1;
  for (uint32_t i = 0; i < window->rank; i++) {
    uint64_t reach = (uint64_t)(out.shape[2 + i] - 1) * window->strides[i] + ox_window_extent(window, i);
    uint64_t have = (uint64_t)in.shape[2 + i] + window->before[i];
    before[2 + i] = window->before[i];
    after[2 + i] = reach > have ? (uint32_t)(reach - have) : 0;
    shape[2 + i] = out.shape[2 + i];
    total *= out.shape[2 + i];
    plane *= in.shape[2 + i];
    if (window->kernel[i] > TAP_LIMIT || (taps *= window->kernel[i]) > TAP_LIMIT) {
      OX_UNSUPPORTED(c, "Indices of a window of more than %d elements", TAP_LIMIT);
      return NULL;
    }
  }
  int64_t *place = ox_temp(c, total, sizeof *place), *inside = ox_temp(c, total, sizeof *inside);
  if (!place || !inside) return NULL;
  wnn_operand *padded = ox_pad(c, x, before, after, WNN_PADDING_MODE_CONSTANT, 0), *result = NULL;
  for (uint32_t t = taps; t-- > 0 && !c->failed;) {
    uint32_t tap[OX_MAX_SPATIAL], rest = t, starts[WNN_MAX_RANK] = {0}, sizes[WNN_MAX_RANK], strides[WNN_MAX_RANK];
    for (uint32_t i = 0; i < 2; i++) {
      sizes[i] = in.shape[i];
      strides[i] = 1;
    }
    for (uint32_t i = window->rank; i-- > 0; rest /= window->kernel[i]) {
      tap[i] = rest % window->kernel[i];
      starts[2 + i] = tap[i] * window->dilations[i];
      strides[2 + i] = window->strides[i];
      sizes[2 + i] = (out.shape[2 + i] - 1) * window->strides[i] + 1;
    }
    bool all;
    tap_places(c, &in, &out, window, tap, place, inside, &all);
    wnn_operand *here = ox_constant_ints(c, WNN_INT64, in.rank, shape, place);
    wnn_operand *hit = ox_bin(c, WNN_OP_EQUAL, ox_stepped(c, padded, starts, sizes, strides), y);
    if (!all) hit = ox_bin(c, WNN_OP_LOGICAL_AND, hit, ox_constant_ints(c, WNN_UINT8, in.rank, shape, inside));
    result = ox_where(c, hit, here, result ? result : ox_number(c, WNN_INT64, 0));
  }
  for (uint32_t i = 0; i < window->rank; i++) shape[2 + i] = 1;
  shape[0] = in.shape[0];
  shape[1] = in.shape[1];
  wnn_operand *planes = ox_reshape(c, ox_iota(c, WNN_INT64, 1, 0, in.shape[0] * in.shape[1]), in.rank, shape);
  return ox_add(c, result, ox_mul(c, planes, ox_number(c, WNN_INT64, (double)plane)));
}

static bool lower_max_pool(ox_call *c) {
  ox_window window;
  wnn_operand *x = ox_in(c, 0);
  if (!x || !ox_window_read(c, ox_desc(x), NULL, true, &window)) return false;
  reach_end(ox_desc(x), &window);
  wnn_operand *y = pool(c, WNN_OP_MAX_POOL2D, x, &window, ox_attr_i(c, "ceil_mode") != 0);
  if (ox_wants(c, 1) && !ox_out(c, 1, max_places(c, x, y, &window))) return false;
  return ox_out(c, 0, y);
}

/* Everything is zero but for the places of the maxima, numbered through the whole result. */
static bool lower_max_unpool(ox_call *c) {
  ox_window window;
  wnn_operand *x = ox_in(c, 0), *places = ox_in(c, 1);
  if (!x || !places || !ox_window_read(c, ox_desc(x), NULL, true, &window)) return false;
  const wnn_desc in = *ox_desc(x);
  wnn_desc out = in;
  ox_ints size = {NULL, 0};
  size_t total;
  for (uint32_t i = 0; i < window.rank; i++) {
    int64_t extent =
        (int64_t)(in.shape[2 + i] - 1) * window.strides[i] + window.kernel[i] - window.before[i] - window.after[i];
    if (extent < 1 || extent > INT32_MAX) return OX_BAD(c, "the padding leaves no output");
    out.shape[2 + i] = (uint32_t)extent;
  }
  if (ox_has(c, 2) && !ox_const_ints(c, 2, "the shape of the result", &size)) return false;
  if (size.count && size.count != in.rank) return OX_BAD(c, "the shape of the result does not fit");
  if (!ox_count_elements(&out, &total)) return OX_BAD(c, "the result is too large");
  uint32_t all = (uint32_t)total, count = (uint32_t)wnn_desc_elements(&in);
  if (wnn_desc_elements(ox_desc(places)) != count) return OX_BAD(c, "the indices do not fit the input");
  wnn_scatter_elements_args args = {{NULL, 0}};
  wnn_operand *zeros = ox_fill(c, in.data_type, 1, &all, 0), *y = NULL;
  x = OX_RESHAPE(c, x, count);
  places = OX_RESHAPE(c, places, count);
  if (zeros && x && places) y = ox_op_n(c, WNN_OP_SCATTER_ELEMENTS, &args, (wnn_operand *const[]){zeros, places, x}, 3);
  y = ox_reshape(c, y, out.rank, out.shape);
  uint32_t before[WNN_MAX_RANK] = {0}, after[WNN_MAX_RANK] = {0};
  for (uint32_t i = 0; i < size.count; i++) {
    if (size.at[i] < out.shape[i] || size.at[i] > INT32_MAX) return OX_BAD(c, "the shape of the result is too small");
    after[i] = (uint32_t)size.at[i] - out.shape[i];
  }
  return ox_out(c, 0, ox_pad(c, y, before, after, WNN_PADDING_MODE_CONSTANT, 0));
}

/* Powers, the mean over a window with every element inside, times the size of the window, root. */
static wnn_operand *power_pool(ox_call *c, wnn_operand *x, ox_window *window, double p, bool ceil_mode) {
  const wnn_desc *in = ox_desc(x);
  double size = 1;
  for (uint32_t i = 0; i < window->rank; i++) {
    uint64_t padded = (uint64_t)in->shape[2 + i] + window->before[i] + window->after[i],
             extent = ox_window_extent(window, i);
    size *= window->kernel[i];
    if (!ceil_mode || padded < extent) continue;
    uint64_t over = (padded - extent) % window->strides[i];
    if (over) window->after[i] += (uint32_t)(window->strides[i] - over);
  }
  wnn_operand *y = ox_un(c, WNN_OP_ABS, x);
  if (p != 1) y = ox_bin(c, WNN_OP_POW, y, ox_like(c, x, p));
  y = pool(c, WNN_OP_AVERAGE_POOL2D, pad_window(c, y, window), window, false);
  y = ox_mul(c, y, ox_like(c, x, size));
  return p == 1 ? y : ox_bin(c, WNN_OP_POW, y, ox_like(c, x, 1 / p));
}

static bool lower_lp_pool(ox_call *c) {
  ox_window window;
  wnn_operand *x = ox_in(c, 0);
  double p = c->op->since == 1 ? ox_attr_f(c, "p") : (double)ox_attr_i(c, "p");
  bool ceil_mode = ox_attr_i(c, "ceil_mode") != 0;
  if (!(p >= 1)) return OX_BAD(c, "attribute 'p' is below 1");
  if (!x || !ox_window_read(c, ox_desc(x), NULL, true, &window)) return false;
  if (p == 2) return ox_out(c, 0, pool(c, WNN_OP_L2_POOL2D, x, &window, ceil_mode));
  return ox_out(c, 0, power_pool(c, x, &window, p, ceil_mode));
}

static bool lower_global(ox_call *c) {
  wnn_operand *x = ox_in(c, 0);
  const wnn_desc *desc = ox_desc(x);
  uint32_t axes[WNN_MAX_RANK];
  if (desc->rank < 3) return OX_BAD(c, "an input of rank %u", desc->rank);
  for (uint32_t i = 2; i < desc->rank; i++) axes[i - 2] = i;
  if (c->op->arg != WNN_OP_REDUCE_L2) return ox_out(c, 0, ox_reduce(c, c->op->arg, x, axes, desc->rank - 2, true));
  double p = c->op->since == 1 ? ox_attr_f(c, "p") : (double)ox_attr_i(c, "p");
  if (!(p >= 1)) return OX_BAD(c, "attribute 'p' is below 1");
  if (p == 2) return ox_out(c, 0, ox_reduce(c, WNN_OP_REDUCE_L2, x, axes, desc->rank - 2, true));
  if (p == 1) return ox_out(c, 0, ox_reduce(c, WNN_OP_REDUCE_L1, x, axes, desc->rank - 2, true));
  wnn_operand *powers = ox_bin(c, WNN_OP_POW, ox_un(c, WNN_OP_ABS, x), ox_like(c, x, p));
  wnn_operand *sum = ox_reduce(c, WNN_OP_REDUCE_SUM, powers, axes, desc->rank - 2, true);
  return ox_out(c, 0, ox_bin(c, WNN_OP_POW, sum, ox_like(c, x, 1 / p)));
}

#define ATTRS OX_WINDOW_ATTRS " ceil_mode:i=0"
static const ox_op ops[] = {
    {"", "AveragePool", 1, 1, 1, 1, ATTRS " count_include_pad:i=0", lower_average_pool, 0, 0},
    {"com.microsoft", "QLinearAveragePool", 1, 4, 5, 1, ATTRS " count_include_pad:i=0 channels_last:i=0",
     lower_qlinear_average_pool, 0, 0},
    {"", "MaxPool", 1, 1, 1, 2, ATTRS " storage_order:i=0", lower_max_pool, 0, 0},
    {"", "MaxUnpool", 9, 2, 3, 1, "kernel_shape:I pads:I strides:I", lower_max_unpool, 0, 0},
    {"", "LpPool", 1, 1, 1, 1, ATTRS " p:f=2", lower_lp_pool, 0, 0},
    {"", "LpPool", 2, 1, 1, 1, ATTRS " p:i=2", lower_lp_pool, 0, 0},
    {"", "GlobalAveragePool", 1, 1, 1, 1, "", lower_global, WNN_OP_REDUCE_MEAN, 0},
    {"", "GlobalMaxPool", 1, 1, 1, 1, "", lower_global, WNN_OP_REDUCE_MAX, 0},
    {"", "GlobalLpPool", 1, 1, 1, 1, "p:f=2", lower_global, WNN_OP_REDUCE_L2, 0},
    {"", "GlobalLpPool", 2, 1, 1, 1, "p:i=2", lower_global, WNN_OP_REDUCE_L2, 0},
};
OX_FAMILY(pool, ops);
