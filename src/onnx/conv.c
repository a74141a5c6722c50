/* Convolutions of one to three dimensions, plain and transposed. */
#include <string.h>

#include "window.h"

/* ---- Attributes -------------------------------------------------------------------------------------- */

static bool read_list(ox_call *c, const char *name, uint32_t rank, uint32_t fallback, uint32_t *out) {
  ox_ints list;
  for (uint32_t i = 0; i < rank; i++) out[i] = fallback;
  if (!ox_attr_ints(c, name, &list) || !list.count) return true;
  if (list.count != rank) return OX_BAD(c, "attribute '%s' has %zu entries for %u dimensions", name, list.count, rank);
  for (uint32_t i = 0; i < rank; i++) {
    if (list.at[i] < 1 || list.at[i] > INT32_MAX) return OX_BAD(c, "attribute '%s' has an entry out of range", name);
    out[i] = (uint32_t)list.at[i];
  }
  return true;
}

static bool read_pads(ox_call *c, ox_window *out) {
  ox_ints list;
  if (!ox_attr_ints(c, "pads", &list) || !list.count) return true;
  if (list.count != 2 * out->rank)
    return OX_BAD(c, "attribute 'pads' has %zu entries for %u dimensions", list.count, out->rank);
  for (uint32_t i = 0; i < out->rank; i++) {
    int64_t before = list.at[i], after = list.at[i + out->rank];
    if (before < 0 || after < 0 || before > INT32_MAX || after > INT32_MAX)
      return OX_UNSUPPORTED(c, "attribute 'pads' is negative or too large");
    out->before[i] = (uint32_t)before;
    out->after[i] = (uint32_t)after;
  }
  return true;
}

/* Half of the padding on each side; LOWER puts the odd one first. */
static bool same_padding(ox_call *c, const wnn_desc *input, ox_window *out, bool lower) {
  for (uint32_t i = 0; i < out->rank; i++) {
    uint64_t size = input->shape[2 + i], steps = (size + out->strides[i] - 1) / out->strides[i];
    uint64_t need = (steps - 1) * out->strides[i] + ox_window_extent(out, i);
    uint64_t total = need > size ? need - size : 0;
    if (total > INT32_MAX) return OX_BAD(c, "the padding is too large");
    out->before[i] = (uint32_t)(lower ? total - total / 2 : total / 2);
    out->after[i] = (uint32_t)total - out->before[i];
  }
  return true;
}

bool ox_window_read(ox_call *c, const wnn_desc *input, const uint32_t *kernel, bool resolve, ox_window *out) {
  memset(out, 0, sizeof *out);
  if (input->rank < 3 || input->rank > 2 + OX_MAX_SPATIAL)
    return OX_UNSUPPORTED(c, "an input of rank %u; ranks 3 to 5 are supported", input->rank);
  out->rank = input->rank - 2;
  int64_t groups = ox_attr_i(c, "group");
  if (groups < 0 || groups > INT32_MAX) return OX_BAD(c, "attribute 'group' is out of range");
  out->groups = groups ? (uint32_t)groups : 1;
  if (!read_list(c, "kernel_shape", out->rank, 0, out->kernel) ||
      !read_list(c, "strides", out->rank, 1, out->strides) || !read_list(c, "dilations", out->rank, 1, out->dilations))
    return false;
  for (uint32_t i = 0; i < out->rank; i++) {
    if (kernel && out->kernel[i] && out->kernel[i] != kernel[i])
      return OX_BAD(c, "attribute 'kernel_shape' differs from the filter");
    if (kernel) out->kernel[i] = kernel[i];
    if (!out->kernel[i]) return OX_BAD(c, "attribute 'kernel_shape' is missing");
    if (ox_window_extent(out, i) > INT32_MAX) return OX_BAD(c, "the window is too large");
  }
  if (ox_attr_is(c, "auto_pad", "VALID")) return true;
  if (ox_attr_is(c, "auto_pad", "NOTSET") || ox_attr_is(c, "auto_pad", "")) return read_pads(c, out);
  bool upper = ox_attr_is(c, "auto_pad", "SAME_UPPER"), lower = ox_attr_is(c, "auto_pad", "SAME_LOWER");
  if (!upper && !lower) return OX_BAD(c, "attribute 'auto_pad' has an unknown value");
  return resolve ? same_padding(c, input, out, lower) : true;
}

/* ---- Convolution --------------------------------------------------------------------------------------- */

wnn_operand *ox_lift_1d(ox_call *c, wnn_operand *x) {
  const wnn_desc *desc = ox_desc(x);
  return x ? OX_RESHAPE(c, x, desc->shape[0], desc->shape[1], 1, desc->shape[2]) : NULL;
}

wnn_operand *ox_drop_1d(ox_call *c, wnn_operand *x) {
  const wnn_desc *desc = ox_desc(x);
  return x ? OX_RESHAPE(c, x, desc->shape[0], desc->shape[1], desc->shape[3]) : NULL;
}

static wnn_operand *conv2d(ox_call *c, wnn_operand *x, wnn_operand *filter, wnn_operand *bias,
                           const ox_window *window) {
  if (!x || !filter) return NULL;
  uint32_t h = window->rank - 2, w = window->rank - 1; /* the last two dimensions of the window */
  const uint32_t strides[] = {window->strides[h], window->strides[w]},
                 dilations[] = {window->dilations[h], window->dilations[w]};
  const uint32_t padding[] = {window->before[h], window->after[h], window->before[w], window->after[w]};
  wnn_conv2d_args args = {WNN_CONV2D_OPTIONS_INIT};
  args.options.bias = bias;
  args.options.groups = window->groups;
  args.options.strides = (wnn_u32_list){strides, 2};
  args.options.dilations = (wnn_u32_list){dilations, 2};
  args.options.padding = (wnn_u32_list){padding, 4};
  return ox_op_n(c, WNN_OP_CONV2D, &args, (wnn_operand *const[]){x, filter, bias}, 3);
}

static void widen(ox_window *window) {
  window->rank = 2;
  window->kernel[1] = window->kernel[0];
  window->strides[1] = window->strides[0];
  window->dilations[1] = window->dilations[0];
  window->before[1] = window->before[0];
  window->after[1] = window->after[0];
  window->kernel[0] = window->strides[0] = window->dilations[0] = 1;
  window->before[0] = window->after[0] = 0;
}

/* [N, C, D, H, W] to [N D, C, H, W]. */
static wnn_operand *depth_to_batch(ox_call *c, wnn_operand *x) {
  const wnn_desc d = *ox_desc(x);
  return OX_RESHAPE(c, OX_TRANSPOSE(c, x, 0, 2, 1, 3, 4), d.shape[0] * d.shape[2], d.shape[1], d.shape[3], d.shape[4]);
}

static wnn_operand *batch_to_depth(ox_call *c, wnn_operand *x, uint32_t batch, uint32_t depth) {
  const wnn_desc d = *ox_desc(x);
  return OX_TRANSPOSE(c, OX_RESHAPE(c, x, batch, depth, d.shape[1], d.shape[2], d.shape[3]), 0, 2, 1, 3, 4);
}

/* Every stride-th slice along an axis. */
static wnn_operand *stepped(ox_call *c, wnn_operand *x, uint32_t axis, uint32_t start, uint32_t count,
                            uint32_t stride) {
  if (!x) return NULL;
  const wnn_desc *desc = ox_desc(x);
  uint32_t starts[WNN_MAX_RANK] = {0}, sizes[WNN_MAX_RANK], strides[WNN_MAX_RANK];
  for (uint32_t i = 0; i < desc->rank; i++) {
    sizes[i] = desc->shape[i];
    strides[i] = 1;
  }
  starts[axis] = start;
  sizes[axis] = (count - 1) * stride + 1;
  strides[axis] = stride;
  wnn_slice_args args = {{starts, desc->rank}, {sizes, desc->rank}, {NULL, {strides, desc->rank}}};
  return ox_op_n(c, WNN_OP_SLICE, &args, &x, 1);
}

/* A sum over the kernel's depth of planar convolutions. */
static wnn_operand *conv3d(ox_call *c, wnn_operand *x, wnn_operand *filter, wnn_operand *bias,
                           const ox_window *window) {
  const uint32_t before[] = {0, 0, window->before[0], 0, 0}, after[] = {0, 0, window->after[0], 0, 0};
  x = ox_pad(c, x, before, after, WNN_PADDING_MODE_CONSTANT, 0);
  if (!x || !filter) return NULL;
  const wnn_desc in = *ox_desc(x), taps = *ox_desc(filter);
  uint64_t extent = ox_window_extent(window, 0);
  if (extent > in.shape[2]) {
    OX_BAD(c, "the window is larger than the padded input");
    return NULL;
  }
  uint32_t depth = (uint32_t)((in.shape[2] - extent) / window->strides[0]) + 1;
  wnn_operand *sum = NULL;
  for (uint32_t z = 0; z < window->kernel[0] && !c->failed; z++) {
    wnn_operand *plane = depth_to_batch(c, stepped(c, x, 2, z * window->dilations[0], depth, window->strides[0]));
    wnn_operand *tap =
        OX_RESHAPE(c, ox_slice(c, filter, 2, z, 1), taps.shape[0], taps.shape[1], taps.shape[3], taps.shape[4]);
    wnn_operand *part = conv2d(c, plane, tap, z ? NULL : bias, window);
    sum = sum ? ox_add(c, sum, part) : part;
  }
  return sum ? batch_to_depth(c, sum, in.shape[0], depth) : NULL;
}

wnn_operand *ox_convolve(ox_call *c, wnn_operand *x, wnn_operand *filter, wnn_operand *bias, const ox_window *window) {
  if (!x || !filter) return NULL;
  if (window->rank == 2) return conv2d(c, x, filter, bias, window);
  if (window->rank == 3) return conv3d(c, x, filter, bias, window);
  ox_window wide = *window;
  widen(&wide);
  return ox_drop_1d(c, conv2d(c, ox_lift_1d(c, x), ox_lift_1d(c, filter), bias, &wide));
}

static bool filter_kernel(ox_call *c, const wnn_desc *x, const wnn_desc *filter, uint32_t kernel[OX_MAX_SPATIAL]) {
  if (filter->rank != x->rank || x->rank < 3 || x->rank > 2 + OX_MAX_SPATIAL) {
    return OX_BAD(c, "an input of rank %u with a filter of rank %u", x->rank, filter->rank);
  }
  for (uint32_t i = 2; i < x->rank; i++) kernel[i - 2] = filter->shape[i];
  return true;
}

wnn_operand *ox_convolve_node(ox_call *c, wnn_operand *x, wnn_operand *filter, wnn_operand *bias) {
  uint32_t kernel[OX_MAX_SPATIAL] = {0};
  ox_window window;
  if (!x || !filter || !filter_kernel(c, ox_desc(x), ox_desc(filter), kernel)) return NULL;
  if (!ox_window_read(c, ox_desc(x), kernel, true, &window)) return NULL;
  return ox_convolve(c, x, filter, bias, &window);
}

static bool lower_conv(ox_call *c) {
  return ox_out(c, 0, ox_convolve_node(c, ox_in(c, 0), ox_in(c, 1), ox_in_optional(c, 2)));
}

/* com.microsoft: Z is added before the activation. */
static bool lower_fused_conv(ox_call *c) {
  wnn_operand *y = ox_convolve_node(c, ox_in(c, 0), ox_in(c, 1), ox_in_optional(c, 2));
  if (ox_has(c, 3)) y = ox_add(c, y, ox_in(c, 3));
  char name[64];
  const float *params = NULL;
  size_t count = 0;
  ox_attr_floats(c, "activation_params", &params, &count);
  if (*ox_attr_text(c, "activation", name)) {
    y = ox_activate(c, y, name, count > 0 ? (double)params[0] : 0, count > 1 ? (double)params[1] : 0, count > 0,
                    count > 1);
  }
  return ox_out(c, 0, y);
}

/* com.microsoft NhwcConv: channels last, filter [M, kH, kW, C / group]. */
static bool lower_nhwc_conv(ox_call *c) {
  wnn_operand *x = ox_in(c, 0), *filter = ox_in(c, 1);
  if (ox_desc(x)->rank != 4 || ox_desc(filter)->rank != 4) return OX_UNSUPPORTED(c, "only rank 4 is supported");
  wnn_operand *y =
      ox_convolve_node(c, OX_TRANSPOSE(c, x, 0, 3, 1, 2), OX_TRANSPOSE(c, filter, 0, 3, 1, 2), ox_in_optional(c, 2));
  return ox_out(c, 0, y ? OX_TRANSPOSE(c, y, 0, 2, 3, 1) : NULL);
}

/* ---- Transposed ---------------------------------------------------------------------------------------- */

/* Settles padding from output_shape or auto_pad; extra: rows to add at the end. */
static bool transposed_padding(ox_call *c, const wnn_desc *input, ox_window *window, uint32_t *extra) {
  ox_ints shape;
  bool upper = ox_attr_is(c, "auto_pad", "SAME_UPPER"), same = upper || ox_attr_is(c, "auto_pad", "SAME_LOWER");
  bool given = ox_attr_ints(c, "output_shape", &shape) && shape.count;
  if (given && shape.count != window->rank && shape.count != window->rank + 2)
    return OX_BAD(c, "attribute 'output_shape' does not fit");
  if (!given && !same) return true;
  for (uint32_t i = 0; i < window->rank; i++) {
    int64_t size = given ? shape.at[shape.count - window->rank + i] : (int64_t)input->shape[2 + i] * window->strides[i];
    if (size < 1 || size > INT32_MAX) return OX_BAD(c, "attribute 'output_shape' is out of range");
    int64_t full =
        (int64_t)window->strides[i] * (input->shape[2 + i] - 1) + extra[i] + (int64_t)ox_window_extent(window, i);
    int64_t total = full - size;
    if (total < 0) {
      extra[i] += (uint32_t)-total;
      total = 0;
    }
    if (total > INT32_MAX) return OX_BAD(c, "the padding is too large");
    window->before[i] = (uint32_t)(upper ? total / 2 : total - total / 2);
    window->after[i] = (uint32_t)total - window->before[i];
  }
  return true;
}

/* One axis at a time the end may hold more rows than convTranspose2d allows: they are empty but for the bias. */
static wnn_operand *conv_transpose2d(ox_call *c, wnn_operand *x, wnn_operand *filter, wnn_operand *bias,
                                     const ox_window *window, const uint32_t *extra) {
  if (!x || !filter) return NULL;
  uint32_t h = window->rank - 2, w = window->rank - 1;
  const uint32_t strides[] = {window->strides[h], window->strides[w]},
                 dilations[] = {window->dilations[h], window->dilations[w]};
  const uint32_t padding[] = {window->before[h], window->after[h], window->before[w], window->after[w]};
  uint32_t fit[2], rest[2];
  for (int i = 0; i < 2; i++) {
    fit[i] = extra[h + (uint32_t)i] < strides[i] ? extra[h + (uint32_t)i] : strides[i] - 1;
    rest[i] = extra[h + (uint32_t)i] - fit[i];
  }
  bool late_bias = bias && (rest[0] || rest[1]);
  if ((rest[0] && padding[1]) || (rest[1] && padding[3])) {
    OX_UNSUPPORTED(c, "attribute 'output_padding' is not below the strides");
    return NULL;
  }
  wnn_conv_transpose2d_args args = {WNN_CONV_TRANSPOSE2D_OPTIONS_INIT};
  args.options.bias = late_bias ? NULL : bias;
  args.options.groups = window->groups;
  args.options.strides = (wnn_u32_list){strides, 2};
  args.options.dilations = (wnn_u32_list){dilations, 2};
  args.options.padding = (wnn_u32_list){padding, 4};
  args.options.output_padding = (wnn_u32_list){fit, 2};
  wnn_operand *y = ox_op_n(c, WNN_OP_CONV_TRANSPOSE2D, &args, (wnn_operand *const[]){x, filter, args.options.bias}, 3);
  if (!late_bias && !rest[0] && !rest[1]) return y;
  y = ox_pad(c, y, (const uint32_t[]){0, 0, 0, 0}, (const uint32_t[]){0, 0, rest[0], rest[1]},
             WNN_PADDING_MODE_CONSTANT, 0);
  return late_bias ? ox_add(c, y, OX_RESHAPE(c, bias, 1, ox_desc(bias)->shape[0], 1, 1)) : y;
}

/* Depth: every tap of the kernel gives planes that land `stride` apart, shifted by the tap; the planes are summed. */
static wnn_operand *conv_transpose3d(ox_call *c, wnn_operand *x, wnn_operand *filter, wnn_operand *bias,
                                     const ox_window *window, const uint32_t *extra) {
  const wnn_desc in = *ox_desc(x), taps = *ox_desc(filter);
  uint32_t n = in.shape[0], depth = in.shape[2], stride = window->strides[0];
  uint32_t full = (uint32_t)(stride * (depth - 1) + ox_window_extent(window, 0)) + extra[0];
  wnn_operand *planes = depth_to_batch(c, x), *sum = NULL;
  for (uint32_t z = 0; z < window->kernel[0] && !c->failed; z++) {
    wnn_operand *tap =
        OX_RESHAPE(c, ox_slice(c, filter, 2, z, 1), taps.shape[0], taps.shape[1], taps.shape[3], taps.shape[4]);
    wnn_operand *part = batch_to_depth(c, conv_transpose2d(c, planes, tap, NULL, window, extra), n, depth);
    if (!part) return NULL;
    const wnn_desc d = *ox_desc(part);
    part = OX_RESHAPE(c, part, n * d.shape[1], depth, 1, d.shape[3], d.shape[4]);
    part = ox_pad(c, part, (const uint32_t[]){0, 0, 0, 0, 0}, (const uint32_t[]){0, 0, stride - 1, 0, 0},
                  WNN_PADDING_MODE_CONSTANT, 0);
    part = OX_RESHAPE(c, part, n, d.shape[1], depth * stride, d.shape[3], d.shape[4]);
    part = ox_slice(c, part, 2, 0, (depth - 1) * stride + 1);
    uint32_t start = z * window->dilations[0], rest = full - start - ((depth - 1) * stride + 1);
    part = ox_pad(c, part, (const uint32_t[]){0, 0, start, 0, 0}, (const uint32_t[]){0, 0, rest, 0, 0},
                  WNN_PADDING_MODE_CONSTANT, 0);
    sum = sum ? ox_add(c, sum, part) : part;
  }
  if ((uint64_t)window->before[0] + window->after[0] >= full) {
    OX_BAD(c, "the padding leaves no output");
    return NULL;
  }
  sum = ox_slice(c, sum, 2, window->before[0], full - window->before[0] - window->after[0]);
  return bias ? ox_add(c, sum, OX_RESHAPE(c, bias, 1, ox_desc(bias)->shape[0], 1, 1, 1)) : sum;
}

/* A transposed convolution of any spatial rank; extra: rows to add at the end of each dimension. */
static wnn_operand *transposed(ox_call *c, wnn_operand *x, wnn_operand *filter, wnn_operand *bias,
                               const ox_window *window, const uint32_t *extra) {
  if (window->rank == 2) return conv_transpose2d(c, x, filter, bias, window, extra);
  if (window->rank == 3) return conv_transpose3d(c, x, filter, bias, window, extra);
  ox_window wide = *window;
  widen(&wide);
  return ox_drop_1d(
      c, conv_transpose2d(c, ox_lift_1d(c, x), ox_lift_1d(c, filter), bias, &wide, (const uint32_t[]){0, extra[0]}));
}

static bool lower_conv_transpose(ox_call *c) {
  wnn_operand *x = ox_in(c, 0), *filter = ox_in(c, 1), *bias = ox_in_optional(c, 2);
  uint32_t kernel[OX_MAX_SPATIAL] = {0}, extra[OX_MAX_SPATIAL] = {0};
  ox_window window;
  if (!x || !filter || !filter_kernel(c, ox_desc(x), ox_desc(filter), kernel)) return false;
  if (!ox_window_read(c, ox_desc(x), kernel, false, &window)) return false;
  ox_ints list;
  if (ox_attr_ints(c, "output_padding", &list) && list.count) {
    if (list.count != window.rank) return OX_BAD(c, "attribute 'output_padding' does not fit");
    for (uint32_t i = 0; i < window.rank; i++) {
      if (list.at[i] < 0 || list.at[i] > INT32_MAX) return OX_BAD(c, "attribute 'output_padding' is out of range");
      extra[i] = (uint32_t)list.at[i];
    }
  }
  if (!transposed_padding(c, ox_desc(x), &window, extra)) return false;
  return ox_out(c, 0, transposed(c, x, filter, bias, &window, extra));
}

/* Blocks of columns are summed into an image: a transposed convolution whose taps are the unit vectors. */
static bool lower_col2im(ox_call *c) {
  wnn_operand *x = ox_in(c, 0);
  ox_ints image, block;
  if (!x || !ox_const_ints(c, 1, "the shape of the image", &image) ||
      !ox_const_ints(c, 2, "the shape of the blocks", &block))
    return false;
  const wnn_desc in = *ox_desc(x);
  uint32_t rank = (uint32_t)image.count, kernel[OX_MAX_SPATIAL], extra[OX_MAX_SPATIAL];
  if (image.count < 1 || image.count > OX_MAX_SPATIAL)
    return OX_UNSUPPORTED(c, "an image of %zu dimensions", image.count);
  if (block.count != rank || in.rank != 3) return OX_BAD(c, "the blocks do not fit the image");
  uint64_t taps = 1, blocks = 1;
  wnn_desc whole = {in.data_type, rank + 2, {1, 1}};
  for (uint32_t i = 0; i < rank; i++) {
    if (image.at[i] < 1 || image.at[i] > INT32_MAX || block.at[i] < 1 || block.at[i] > 65535)
      return OX_BAD(c, "a size is out of range");
    whole.shape[2 + i] = (uint32_t)image.at[i];
    taps *= kernel[i] = (uint32_t)block.at[i];
    if (taps > in.shape[1]) return OX_BAD(c, "the blocks do not fit the columns");
  }
  ox_window window;
  uint32_t shape[WNN_MAX_RANK] = {0};
  if (!ox_window_read(c, &whole, kernel, true, &window)) return false;
  for (uint32_t i = 0; i < rank; i++) {
    uint64_t padded = (uint64_t)whole.shape[2 + i] + window.before[i] + window.after[i];
    if (padded < ox_window_extent(&window, i)) return OX_BAD(c, "a block is larger than the padded image");
    uint64_t rest = padded - ox_window_extent(&window, i);
    extra[i] = (uint32_t)(rest % window.strides[i]);
    blocks *= shape[2 + i] = (uint32_t)(rest / window.strides[i]) + 1;
  }
  uint32_t tap_count = (uint32_t)taps;
  if (in.shape[1] % taps || blocks != in.shape[2]) return OX_BAD(c, "the blocks do not fit the columns");
  shape[0] = in.shape[0] * (in.shape[1] / tap_count);
  shape[1] = tap_count;
  x = ox_reshape(c, x, rank + 2, shape);
  wnn_operand *unit =
      ox_bin(c, WNN_OP_EQUAL, ox_iota(c, WNN_INT32, 2, 0, tap_count), ox_iota(c, WNN_INT32, 2, 1, tap_count));
  uint32_t filter_shape[WNN_MAX_RANK] = {tap_count, 1};
  memcpy(filter_shape + 2, kernel, rank * sizeof *kernel);
  wnn_operand *filter = ox_reshape(c, ox_cast(c, unit, in.data_type), rank + 2, filter_shape);
  wnn_operand *y = transposed(c, x, filter, NULL, &window, extra);
  shape[0] = in.shape[0];
  shape[1] = in.shape[1] / tap_count;
  memcpy(shape + 2, whole.shape + 2, rank * sizeof *shape);
  return ox_out(c, 0, ox_reshape(c, y, rank + 2, shape));
}

#define COL2IM "dilations:I pads:I strides:I"
static const ox_op ops[] = {
    {"", "Col2Im", 18, 3, 3, 1, COL2IM, lower_col2im, 0, 0},
    {"", "Conv", 1, 2, 3, 1, OX_WINDOW_ATTRS, lower_conv, 0, 0},
    {"", "ConvTranspose", 1, 2, 3, 1, OX_WINDOW_ATTRS " output_padding:I output_shape:I", lower_conv_transpose, 0, 0},
    {"com.microsoft", "FusedConv", 1, 2, 4, 1, OX_WINDOW_ATTRS " activation:s activation_params:F", lower_fused_conv, 0,
     0},
    {"com.microsoft", "NhwcConv", 1, 2, 3, 1, OX_WINDOW_ATTRS, lower_nhwc_conv, 0, 0},
};
OX_FAMILY(conv, ops);
