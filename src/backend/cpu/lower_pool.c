/* Lowering of pooling: along planes where images have them, else to windows that slide over channels-last images. */
#include "backend/cpu/lower.h"
#include "backend/cpu/lower_image.h"
#include "kernels/plane.h"
#include "kernels/window.h"

/* Pooling of images that are planes already, where they are. False: nothing was emitted. */
static bool plane_step(wnn_lowering *l, const wnn_node *node, const wnn_image_shape *in, const wnn_image_shape *out,
                       const wnn_window *w, int layout) {
  /* Rows are padded to what windows one stride apart cover; a single one needs no more than itself. */
  const uint32_t stride_w = out->width == 1 ? 1 : w->stride_w;
  if (w->dilation_w != 1 || (uint64_t)w->left > (uint64_t)w->out_w * stride_w + w->kernel_w) return false;
  /* A single channel is a plane in either layout. */
  if (in->channels > 1 && !wnn_lower_has_planes(l, node->inputs[0], layout)) return false;
  wnn_planes *params = wnn_lower_alloc(l, sizeof *params);
  float *columns = wnn_lower_alloc(l, out->width * sizeof *columns);
  if (!params || !columns) return true;
  for (uint32_t x = 0; x < out->width; x++) {
    int64_t first = (int64_t)x * w->stride_w - w->left, last = first + w->kernel_w;
    first = first < 0 ? 0 : first, last = last > in->width ? in->width : last;
    columns[x] = last > first ? (float)(last - first) : 0;
  }
  const wnn_ukernels *u = wnn_lower_ukernels(l);
  params->run = node->op == WNN_OP_MAX_POOL2D       ? u->f32_plane_max
                : node->op == WNN_OP_AVERAGE_POOL2D ? u->f32_plane_average
                                                    : u->f32_plane_l2;
  params->channels = out->channels;
  params->plane = wnn_lower_plane(w);
  params->plane.stride_w = stride_w;
  params->plane.columns = columns;
  uint32_t input = wnn_lower_widen(l, node, node->inputs[0]), output = wnn_lower_wide_output(l, node->outputs[0]);
  double pixels = (double)out->height * out->width, bytes = 4 * ((double)in->height * in->width + pixels);
  double taps = (double)w->kernel_h * w->kernel_w, planes = (double)out->batches * out->channels;
  wnn_step_desc step = {.kernel = "f32_pool_planes",
                        .fn = wnn_f32_planes,
                        .inputs = &input,
                        .outputs = &output,
                        .input_count = 1,
                        .output_count = 1,
                        .op = node->op,
                        .params = params,
                        .range = (size_t)out->batches * out->channels,
                        .grain = wnn_lower_grain(pixels * taps, bytes),
                        .scratch = wnn_planes_scratch(params),
                        .flops = pixels * taps * planes,
                        .bytes = bytes * planes};
  wnn_lower_step(l, node, &step);
  wnn_lower_narrow(l, node, output, node->outputs[0]);
  return true;
}

bool wnn_lower_pool2d(wnn_lowering *l, const wnn_node *node) {
  if (node->post_count) return false;
  if (!wnn_lower_is_float(l, node->outputs[0])) return wnn_lower_byte_pool(l, node);
  const wnn_pool2d_options *options = node->args; /* the argument structs hold nothing else */
  int layout = (int)options->layout;
  wnn_image_shape in = wnn_lower_image_shape(l, node->inputs[0], layout);
  wnn_image_shape out = wnn_lower_image_shape(l, node->outputs[0], layout);
  wnn_window window;
  if (!wnn_lower_window(&window, &in, &out, options->window_dimensions.data[0], options->window_dimensions.data[1],
                        options->strides.data, options->dilations.data, options->padding.data))
    return false;
  if (plane_step(l, node, &in, &out, &window, layout)) return true;
  wnn_sliding *params = wnn_lower_alloc(l, sizeof *params);
  if (!params) return true;
  const wnn_ukernels *u = wnn_lower_ukernels(l);
  params->image = window;
  params->run = node->op == WNN_OP_MAX_POOL2D       ? u->f32_pool_max
                : node->op == WNN_OP_AVERAGE_POOL2D ? u->f32_pool_average
                                                    : u->f32_pool_l2;
  params->average = node->op == WNN_OP_AVERAGE_POOL2D;
  uint32_t input = wnn_lower_channels_last(l, node, node->inputs[0], layout);
  uint32_t output = wnn_lower_channels_last_output(l, node->outputs[0], layout);
  size_t rows = (size_t)out.batches * out.height;
  double pixels = (double)out.width * out.channels, taps = (double)window.kernel_h * window.kernel_w;
  wnn_step_desc step = {.kernel = "f32_pool",
                        .fn = wnn_f32_slide,
                        .inputs = &input,
                        .outputs = &output,
                        .input_count = 1,
                        .output_count = 1,
                        .op = node->op,
                        .params = params,
                        .range = rows,
                        .grain = wnn_lower_rows_grain(l, rows, wnn_lower_grain(pixels * taps, 8 * pixels)),
                        .flops = pixels * taps * (double)rows,
                        .bytes =
                            4.0 * in.batches * in.channels * (double)in.height * in.width + 4 * pixels * (double)rows};
  wnn_lower_step(l, node, &step);
  wnn_lower_from_channels_last(l, node, output, node->outputs[0], layout);
  return true;
}
