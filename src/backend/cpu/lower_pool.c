/* Lowering of pooling to sliding windows over channels-last images. */
#include "backend/cpu/lower.h"
#include "backend/cpu/lower_image.h"
#include "kernels/window.h"

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
                        .grain = wnn_lower_grain(pixels * taps, 8 * pixels),
                        .flops = pixels * taps * (double)rows,
                        .bytes =
                            4.0 * in.batches * in.channels * (double)in.height * in.width + 4 * pixels * (double)rows};
  wnn_lower_step(l, node, &step);
  wnn_lower_from_channels_last(l, node, output, node->outputs[0], layout);
  return true;
}
