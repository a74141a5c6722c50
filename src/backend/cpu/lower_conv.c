/* Lowering of convolutions: through packed panels, or by sliding windows when they are depthwise. */
#include <string.h>

#include "backend/cpu/lower.h"
#include "backend/cpu/lower_image.h"
#include "kernels/plane.h"
#include "kernels/window.h"
#include "kernels/winograd.h"

enum { MERGE_CHANNELS = 16 }; /* with fewer channels, neighbouring pixels are multiplied as one */

/* Inputs of a step under construction. */
typedef struct operands {
  uint32_t ids[5], count;
} operands;

static uint32_t add_operand(operands *list, uint32_t id) {
  list->ids[list->count] = id;
  return list->count++;
}

/* Packs the filter: a constant one now (returned in *packed), else by a step into a temp, whose id is returned. */
static uint32_t pack_filter(wnn_lowering *l, const wnn_node *node, uint32_t value, const wnn_filter *filter,
                            bool depthwise, const float **packed) {
  const wnn_ukernels *u = wnn_lower_ukernels(l);
  size_t panels = filter->groups * ((filter->outputs + u->vl - 1) / u->vl);
  size_t size =
      depthwise ? (size_t)filter->groups * filter->taps_h * filter->taps_w : wnn_filter_panels_size(u, filter);
  if (wnn_lower_is_constant(l, value)) {
    bool fill;
    float *weights = wnn_lower_weights(l, size * sizeof *weights, &fill);
    const wnn_loose *floats = weights && fill ? wnn_lower_floats(l, value) : NULL;
    if (floats && depthwise) wnn_filter_pack_depthwise(filter, floats, weights);
    const wnn_filter_params how = {u, *filter};
    if (floats && !depthwise)
      wnn_lower_run(l, wnn_f32_filter_pack, &how, floats, weights, panels,
                    wnn_lower_grain(0, 8.0 * (double)(size / panels)));
    *packed = weights;
    return WNN_NONE;
  }
  uint32_t wide = wnn_lower_widen(l, node, value), temp = wnn_lower_temp(l, size * sizeof(float));
  wnn_filter_params *params = wnn_lower_alloc(l, sizeof *params);
  if (!params || temp == WNN_NONE) return WNN_NONE;
  *params = (wnn_filter_params){u, *filter};
  wnn_step_desc step = {.kernel = "f32_filter_pack",
                        .fn = depthwise ? wnn_f32_filter_pack_depthwise : wnn_f32_filter_pack,
                        .inputs = &wide,
                        .outputs = &temp,
                        .input_count = 1,
                        .output_count = 1,
                        .op = node->op,
                        .params = params,
                        .range = depthwise ? 1 : panels,
                        .grain = wnn_lower_grain(0, 8.0 * (double)size / (double)panels),
                        .bytes = 8.0 * (double)size};
  wnn_lower_step(l, node, &step);
  return temp;
}

/* The tensor that conv2d keeps its filter in: strides of output channel, input channel, height, width. */
static void filter_strides(const wnn_desc *desc, const uint8_t order[4], size_t strides[4]) {
  size_t all[WNN_MAX_RANK];
  wnn_shape_strides(desc, all);
  for (int i = 0; i < 4; i++) strides[i] = all[order[i]];
}

/* What the lowering of a node knows. */
typedef struct conv {
  int layout;
  wnn_image_shape in, out;
  wnn_fused fused;
  uint32_t bias;                    /* of the operation, or fused; WNN_NONE */
  uint32_t input, residual, output; /* channels-last float32 values */
  size_t row;                       /* floats between pixels of the output */
} conv;

/* Common start: shapes and fused operations; nothing is emitted when it fails. */
static bool begin_conv(const wnn_lowering *l, const wnn_node *node, int layout, conv *c) {
  if (!wnn_lower_is_float(l, node->outputs[0])) return false;
  *c = (conv){.layout = layout,
              .in = wnn_lower_image_shape(l, node->inputs[0], layout),
              .out = wnn_lower_image_shape(l, node->outputs[0], layout)};
  if (!wnn_lower_fused(l, node, c->out.channels, &c->fused)) return false;
  c->bias = node->input_count > 2 ? node->inputs[2] : WNN_NONE;
  if (c->fused.init == WNN_NONE) return true;
  if (c->bias != WNN_NONE) return false;
  c->bias = c->fused.init;
  return true;
}

static void open_images(wnn_lowering *l, const wnn_node *node, conv *c) {
  c->input = wnn_lower_channels_last(l, node, node->inputs[0], c->layout);
  c->residual = wnn_lower_channels_last(l, node, c->fused.residual, c->layout);
  c->output = wnn_lower_channels_last_output(l, node->outputs[0], c->layout);
  c->row = c->out.channels;
}

/* The same for steps that can leave room between the pixels of the output; a residual lies like the output. */
static void open_images_with_rows(wnn_lowering *l, const wnn_node *node, conv *c) {
  open_images(l, node, c);
  if (c->residual == WNN_NONE) c->row = wnn_lower_place_rows(l, c->output, c->row);
}

static double image_bytes(const wnn_image_shape *s) {
  return 4.0 * (double)s->batches * s->channels * s->height * s->width;
}

/* Depthwise convolution of images that are planes already, where they are. False: nothing was emitted. */
static bool plane_step(wnn_lowering *l, const wnn_node *node, const conv *c, const wnn_filter *f, const wnn_window *w) {
  if (w->stride_w != 1 || !wnn_lower_has_planes(l, node->inputs[0], c->layout)) return false;
  if (!wnn_lower_is_constant(l, node->inputs[1])) return false;
  if (c->bias != WNN_NONE && !wnn_lower_is_constant(l, c->bias)) return false;
  bool fill;
  size_t taps = (size_t)f->taps_h * f->taps_w, channels = c->out.channels;
  wnn_planes *params = wnn_lower_alloc(l, sizeof *params);
  float *weights = wnn_lower_weights(l, channels * taps * sizeof *weights, &fill);
  const wnn_loose *floats = fill ? wnn_lower_floats(l, node->inputs[1]) : NULL;
  float *zeros = wnn_lower_alloc(l, c->in.width * sizeof *zeros);
  if (!params || !weights || (fill && !floats) || !zeros) return true;
  params->weights = weights;
  for (size_t g = 0; fill && g < channels; g++)
    for (uint32_t p = 0; p < f->taps_h; p++)
      for (uint32_t q = 0; q < f->taps_w; q++)
        *weights++ = floats[g * f->group_stride + p * f->height_stride + q * f->width_stride];
  params->run = wnn_lower_ukernels(l)->f32_plane_depthwise;
  params->channels = channels;
  params->plane = wnn_lower_plane(w);
  params->plane.zeros = zeros;
  params->plane.limit = c->fused.limit, params->plane.lo = c->fused.lo, params->plane.hi = c->fused.hi;
  wnn_lower_row(l, node, c->bias, channels, &params->init);
  operands list = {{wnn_lower_widen(l, node, node->inputs[0])}, 1};
  uint32_t residual = c->fused.residual == WNN_NONE ? WNN_NONE : wnn_lower_widen(l, node, c->fused.residual);
  if (residual != WNN_NONE) params->residual_input = add_operand(&list, residual);
  uint32_t output = wnn_lower_wide_output(l, node->outputs[0]);
  double pixels = (double)c->out.height * c->out.width, planes = (double)c->out.batches * (double)channels;
  wnn_step_desc step = {.kernel = "f32_depthwise_planes",
                        .fn = wnn_f32_planes,
                        .inputs = list.ids,
                        .outputs = &output,
                        .input_count = list.count,
                        .output_count = 1,
                        .op = node->op,
                        .params = params,
                        .range = c->out.batches * channels,
                        .grain = wnn_lower_grain(2 * pixels * (double)taps, 8 * pixels),
                        .flops = 2 * pixels * (double)taps * planes,
                        .bytes = image_bytes(&c->in) + image_bytes(&c->out)};
  wnn_lower_step(l, node, &step);
  wnn_lower_narrow(l, node, output, node->outputs[0]);
  return true;
}

static void depthwise_step(wnn_lowering *l, const wnn_node *node, conv *c, const wnn_filter *filter,
                           const wnn_window *window) {
  wnn_sliding *params = wnn_lower_alloc(l, sizeof *params);
  if (!params) return;
  open_images(l, node, c);
  operands list = {{c->input}, 1};
  params->run = wnn_lower_ukernels(l)->f32_depthwise;
  params->image = *window;
  uint32_t weights = pack_filter(l, node, node->inputs[1], filter, true, &params->weights);
  if (weights != WNN_NONE) add_operand(&list, weights);
  uint32_t bias = wnn_lower_row(l, node, c->bias, c->out.channels, &params->init);
  if (bias != WNN_NONE) params->init_input = add_operand(&list, bias);
  if (c->residual != WNN_NONE) params->residual_input = add_operand(&list, c->residual);
  params->limit = c->fused.limit, params->lo = c->fused.lo, params->hi = c->fused.hi;
  double pixels = (double)c->out.width * c->out.channels, taps = (double)filter->taps_h * filter->taps_w;
  size_t rows = (size_t)c->out.batches * c->out.height;
  wnn_step_desc step = {.kernel = "f32_depthwise",
                        .fn = wnn_f32_slide,
                        .inputs = list.ids,
                        .outputs = &c->output,
                        .input_count = list.count,
                        .output_count = 1,
                        .op = node->op,
                        .params = params,
                        .range = rows,
                        .grain = wnn_lower_rows_grain(l, rows, wnn_lower_grain(2 * pixels * taps, 8 * pixels)),
                        .flops = 2 * pixels * taps * (double)rows,
                        .bytes = image_bytes(&c->in) + image_bytes(&c->out)};
  wnn_lower_step(l, node, &step);
  wnn_lower_from_channels_last(l, node, c->output, node->outputs[0], c->layout);
}

/* The step of one convolution through panels; g knows its taps, window and where C is. */
static void panel_step(wnn_lowering *l, const wnn_node *node, const conv *c, wnn_igemm *g, uint32_t filter,
                       uint32_t bias) {
  wnn_igemm *params = wnn_lower_alloc(l, sizeof *params);
  if (!params) return;
  operands list = {{c->input}, 1};
  if (!g->b) add_operand(&list, filter);
  if (bias != WNN_NONE) g->init_input = add_operand(&list, bias);
  if (c->residual != WNN_NONE) g->residual_input = add_operand(&list, c->residual);
  g->limit = c->fused.limit, g->lo = c->fused.lo, g->hi = c->fused.hi;
  *params = *g;
  size_t units = wnn_igemm_plan(params, wnn_lower_threads(l));
  double flops = wnn_igemm_flops(params);
  double bytes = image_bytes(&c->in) + image_bytes(&c->out) + 4.0 * (double)(g->taps * g->k * g->n * g->groups);
  wnn_step_desc step = {.kernel = g->window ? "f32_conv" : "f32_conv_1x1",
                        .fn = wnn_f32_igemm,
                        .inputs = list.ids,
                        .outputs = &c->output,
                        .input_count = list.count,
                        .output_count = 1,
                        .op = node->op,
                        .params = params,
                        .range = units,
                        .grain = wnn_lower_grain(flops / (double)units, bytes / (double)units),
                        .scratch = wnn_igemm_scratch(params),
                        .flops = flops,
                        .bytes = bytes};
  wnn_lower_step(l, node, &step);
}

/* Everything of wnn_igemm but the weights, for a window over dense images that are open. */
static bool window_igemm(wnn_lowering *l, const conv *c, const wnn_window *w, uint32_t groups, wnn_igemm *g) {
  size_t inputs = c->in.channels / groups;
  *g = (wnn_igemm){.u = wnn_lower_ukernels(l),
                   .m = (size_t)w->out_h * w->out_w,
                   .n = c->out.channels / groups,
                   .k = inputs,
                   .taps = w->kernel_h * w->kernel_w,
                   .groups = groups,
                   .batches = c->in.batches,
                   .a_row = c->in.channels,
                   .c_row = c->row,
                   .c_batch = (size_t)c->out.height * c->out.width * c->row,
                   .image = *w,
                   .image_size = (size_t)w->in_h * w->in_w * c->in.channels};
  bool dense = w->kernel_h == 1 && w->kernel_w == 1 && w->stride_h == 1 && w->stride_w == 1 && !w->top && !w->left &&
               w->in_h == w->out_h && w->in_w == w->out_w && w->in_h == c->out.height && w->in_w == c->out.width;
  if (dense) {
    g->m *= g->batches;
    g->batches = 1;
    return true;
  }
  g->window = true;
  if (groups == 1 && inputs < MERGE_CHANNELS && w->kernel_w > 1 && w->dilation_w == 1) {
    g->merged = true;
    g->taps = w->kernel_h;
    g->k = inputs * w->kernel_w;
  }
  size_t zeros = g->k > c->in.channels ? g->k : c->in.channels;
  g->zeros = wnn_lower_alloc(l, zeros * sizeof(float));
  return g->zeros;
}

/* Emits the convolution by Winograd's method when that is the fastest way; false: nothing was emitted. */
static bool winograd_step(wnn_lowering *l, const wnn_node *node, conv *c, const wnn_filter *filter,
                          const wnn_window *window) {
  if (filter->groups > 1 || filter->taps_h != 3 || filter->taps_w != 3 || window->stride_h != 1 ||
      window->stride_w != 1 || window->dilation_h != 1 || window->dilation_w != 1)
    return false;
  if (!wnn_lower_enabled(l, WNN_PASS_WINOGRAD) || !wnn_lower_is_constant(l, node->inputs[1])) return false;
  uint32_t edge = wnn_winograd_choose(filter->inputs, filter->outputs, window->out_h, window->out_w);
  if (!edge) return false;
  const wnn_ukernels *u = wnn_lower_ukernels(l);
  wnn_winograd *params = wnn_lower_alloc(l, sizeof *params);
  bool fill;
  float *weights = wnn_lower_weights(l, wnn_winograd_weights_size(u, filter, edge) * sizeof *weights, &fill);
  const wnn_loose *floats = fill ? wnn_lower_floats(l, node->inputs[1]) : NULL;
  float *zeros = wnn_lower_alloc(l, filter->inputs * sizeof *zeros);
  if (!params || !weights || (fill && !floats) || !zeros) return true;
  const wnn_winograd_filter how = {u, *filter, edge};
  const size_t panels = (filter->outputs + u->vl - 1) / u->vl;
  const double panel_bytes = 4.0 * (double)wnn_winograd_weights_size(u, filter, edge) / (double)panels;
  if (fill) wnn_lower_run(l, wnn_winograd_pack, &how, floats, weights, panels, wnn_lower_grain(0, panel_bytes));
  *params = (wnn_winograd){.u = u,
                           .edge = edge,
                           .batches = c->in.batches,
                           .inputs = c->in.channels,
                           .outputs = c->out.channels,
                           .in_h = window->in_h,
                           .in_w = window->in_w,
                           .out_h = window->out_h,
                           .out_w = window->out_w,
                           .top = window->top,
                           .left = window->left,
                           .weights = weights,
                           .limit = c->fused.limit,
                           .lo = c->fused.lo,
                           .hi = c->fused.hi,
                           .zeros = zeros};
  open_images_with_rows(l, node, c);
  params->out_row = c->row;
  operands list = {{c->input}, 1};
  uint32_t bias = wnn_lower_row(l, node, c->bias, c->out.channels, &params->init);
  if (bias != WNN_NONE) params->init_input = add_operand(&list, bias);
  if (c->residual != WNN_NONE) params->residual_input = add_operand(&list, c->residual);
  size_t units = wnn_winograd_plan(params, wnn_lower_threads(l));
  double flops =
      18.0 * (double)c->out.batches * c->out.height * c->out.width * (double)(c->in.channels * (size_t)c->out.channels);
  wnn_step_desc step = {.kernel = edge == 2 ? "f32_winograd_2x2" : "f32_winograd_4x4",
                        .fn = wnn_f32_winograd,
                        .inputs = list.ids,
                        .outputs = &c->output,
                        .input_count = list.count,
                        .output_count = 1,
                        .op = node->op,
                        .params = params,
                        .range = units,
                        .grain = wnn_lower_grain(flops / (double)(units * edge), 0),
                        .scratch = wnn_winograd_scratch(params),
                        .flops = flops,
                        .bytes = image_bytes(&c->in) + image_bytes(&c->out)};
  wnn_lower_step(l, node, &step);
  wnn_lower_from_channels_last(l, node, c->output, node->outputs[0], c->layout);
  return true;
}

wnn_filter wnn_lower_filter(const wnn_lowering *l, const wnn_node *node, uint32_t inputs, uint32_t outputs) {
  static const uint8_t orders[][4] = {
      [WNN_CONV2D_FILTER_LAYOUT_OIHW] = {0, 1, 2, 3},
      [WNN_CONV2D_FILTER_LAYOUT_HWIO] = {3, 2, 0, 1},
      [WNN_CONV2D_FILTER_LAYOUT_OHWI] = {0, 3, 1, 2},
      [WNN_CONV2D_FILTER_LAYOUT_IHWO] = {3, 0, 1, 2},
  };
  const wnn_conv2d_options *options = &((const wnn_conv2d_args *)node->args)->options;
  const uint8_t *order = orders[options->filter_layout];
  const wnn_desc *desc = wnn_lower_desc(l, node->inputs[1]);
  size_t strides[4];
  filter_strides(desc, order, strides);
  wnn_filter filter = {.outputs = outputs / options->groups,
                       .inputs = inputs / options->groups,
                       .groups = options->groups,
                       .taps_h = desc->shape[order[2]],
                       .taps_w = desc->shape[order[3]],
                       .output_stride = strides[0],
                       .input_stride = strides[1],
                       .height_stride = strides[2],
                       .width_stride = strides[3]};
  filter.group_stride = filter.outputs * filter.output_stride;
  return filter;
}

/* What a conv2d node says: sizes, window, filter; false when it cannot be lowered. */
static bool read_conv2d(const wnn_lowering *l, const wnn_node *node, conv *c, wnn_window *window, wnn_filter *filter) {
  const wnn_conv2d_options *options = &((const wnn_conv2d_args *)node->args)->options;
  if (!begin_conv(l, node, (int)options->input_layout, c)) return false;
  *filter = wnn_lower_filter(l, node, c->in.channels, c->out.channels);
  return wnn_lower_window(window, &c->in, &c->out, filter->taps_h, filter->taps_w, options->strides.data,
                          options->dilations.data, options->padding.data);
}

bool wnn_lower_conv2d(wnn_lowering *l, const wnn_node *node) {
  if (!wnn_lower_is_float(l, node->inputs[0])) return wnn_lower_integer_conv2d(l, node);
  conv c;
  wnn_window window;
  wnn_filter filter;
  if (!read_conv2d(l, node, &c, &window, &filter)) return false;
  if (filter.outputs == 1 && filter.inputs == 1 && filter.groups > 1) {
    if (!plane_step(l, node, &c, &filter, &window)) depthwise_step(l, node, &c, &filter, &window);
    return true;
  }
  if (winograd_step(l, node, &c, &filter, &window)) return true;
  wnn_igemm igemm;
  open_images_with_rows(l, node, &c);
  if (!window_igemm(l, &c, &window, filter.groups, &igemm)) return true;
  uint32_t panels = pack_filter(l, node, node->inputs[1], &filter, false, &igemm.b);
  uint32_t bias = wnn_lower_row(l, node, c.bias, c.out.channels, &igemm.init);
  panel_step(l, node, &c, &igemm, panels, bias);
  wnn_lower_from_channels_last(l, node, c.output, node->outputs[0], c.layout);
  return true;
}

/* ---- Transposed ---- */

/* Output rows (or columns) that are `phase` modulo the stride, as a convolution with stride 1 over the input. */
typedef struct phase {
  uint32_t size;     /* number of outputs */
  uint32_t count;    /* taps; listed by ascending input position */
  uint32_t dilation; /* between their input positions */
  int32_t before;    /* padding before */
  const uint32_t *taps;
} phase;

static uint32_t common_divisor(uint32_t a, uint32_t b) {
  while (b) {
    uint32_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

/* Tap p carries input row i to output row i * stride + p * dilation - padding. */
static bool find_phase(wnn_lowering *l, uint32_t number, uint32_t stride, uint32_t dilation, uint32_t kernel,
                       uint32_t padding, uint32_t in, uint32_t out, phase *result) {
  uint32_t *taps = wnn_lower_alloc(l, (kernel + 1) * sizeof *taps);
  if (!taps) return false;
  *result = (phase){.size = (out - number + stride - 1) / stride, .taps = taps};
  result->dilation = dilation / common_divisor(stride, dilation);
  int64_t target = (int64_t)number + padding;
  for (uint32_t p = kernel; p-- > 0;) {
    int64_t distance = target - (int64_t)p * dilation;
    if (distance % (int64_t)stride) continue;
    if (!result->count) result->before = (int32_t)(-distance / (int64_t)stride);
    taps[result->count++] = p;
  }
  if (!result->count) { /* nothing reaches these outputs: one tap that always lies outside */
    result->count = result->dilation = 1;
    result->before = -(int32_t)in;
  }
  return true;
}

bool wnn_lower_conv_transpose2d(wnn_lowering *l, const wnn_node *node) {
  static const uint8_t orders[][4] = {
      [WNN_CONV_TRANSPOSE2D_FILTER_LAYOUT_IOHW] = {0, 1, 2, 3},
      [WNN_CONV_TRANSPOSE2D_FILTER_LAYOUT_HWOI] = {3, 2, 0, 1},
      [WNN_CONV_TRANSPOSE2D_FILTER_LAYOUT_OHWI] = {3, 0, 1, 2},
  };
  const wnn_conv_transpose2d_options *options = &((const wnn_conv_transpose2d_args *)node->args)->options;
  const uint8_t *order = orders[options->filter_layout];
  const wnn_desc *desc = wnn_lower_desc(l, node->inputs[1]);
  const uint32_t *stride = options->strides.data, *dilation = options->dilations.data;
  uint32_t kernel_h = desc->shape[order[2]], kernel_w = desc->shape[order[3]];
  conv c;
  wnn_window window;
  if (!begin_conv(l, node, (int)options->input_layout, &c) ||
      !wnn_lower_window(&window, &c.in, &c.out, kernel_h, kernel_w, stride, dilation, options->padding.data))
    return false;
  if ((uint64_t)stride[0] * stride[1] > 64) return false; /* more phases than pay */
  size_t strides[4];
  filter_strides(desc, order, strides);
  open_images_with_rows(l, node, &c);
  const float *init = NULL;
  uint32_t bias = wnn_lower_row(l, node, c.bias, c.out.channels, &init);
  for (uint32_t y = 0; y < stride[0] && y < c.out.height; y++) {
    for (uint32_t x = 0; x < stride[1] && x < c.out.width; x++) {
      phase rows, columns;
      if (!find_phase(l, y, stride[0], dilation[0], kernel_h, options->padding.data[0], c.in.height, c.out.height,
                      &rows) ||
          !find_phase(l, x, stride[1], dilation[1], kernel_w, options->padding.data[2], c.in.width, c.out.width,
                      &columns))
        return true;
      window = (wnn_window){
          c.in.height, c.in.width, c.in.channels, rows.size,        columns.size, rows.count,    columns.count,
          1,           1,          rows.dilation, columns.dilation, rows.before,  columns.before};
      wnn_igemm igemm;
      if (!window_igemm(l, &c, &window, options->groups, &igemm)) return true;
      wnn_filter filter = {.outputs = igemm.n,
                           .inputs = c.in.channels / options->groups,
                           .groups = options->groups,
                           .taps_h = rows.count,
                           .taps_w = columns.count,
                           .input_stride = strides[0],
                           .output_stride = strides[1],
                           .height_stride = strides[2],
                           .width_stride = strides[3],
                           .rows = rows.taps,
                           .columns = columns.taps};
      filter.group_stride = filter.inputs * filter.input_stride;
      igemm.init = init;
      if (igemm.window && (stride[0] > 1 || stride[1] > 1)) { /* else the only phase is all of the output */
        size_t line = (size_t)c.out.width * c.row;
        igemm.c_offset = y * line + (size_t)x * c.row;
        igemm.c_row = (size_t)stride[1] * c.row;
        igemm.c_line = stride[0] * line;
      }
      uint32_t panels = pack_filter(l, node, node->inputs[1], &filter, false, &igemm.b);
      panel_step(l, node, &c, &igemm, panels, bias);
    }
  }
  wnn_lower_from_channels_last(l, node, c.output, node->outputs[0], c.layout);
  return true;
}
