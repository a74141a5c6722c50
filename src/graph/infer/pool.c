/* Shapes of averagePool2d, l2Pool2d and maxPool2d. */
#include "graph/infer/window.h"

static int64_t floor_divide(int64_t a, int64_t b) { return a / b - (a % b < 0); }

/* The three operations have argument structs of the same content: the pooling options. */
wnn_status wnn_infer_pool2d(wnn_call *call) {
  wnn_pool2d_options *options = call->args;
  const wnn_desc *input = call->operands[0];
  wnn_image_axes axes = wnn_image_axes_of(options->layout);
  if (options->output_sizes.data) options->padding = (wnn_u32_list){NULL, 0}; /* such a call has no padding */
  wnn_status status = wnn_infer_window_defaults(call, &options->padding, &options->strides, &options->dilations);
  if (status) return status;

  uint32_t *lists = wnn_arena_array(call->arena, 4, sizeof *lists);
  if (!lists) return wnn_fail_memory(call);
  if (!options->window_dimensions.data) {
    lists[0] = input->shape[axes.spatial[0]];
    lists[1] = input->shape[axes.spatial[1]];
    options->window_dimensions = (wnn_u32_list){lists, 2};
  }

  int64_t low[2], high[2]; /* the quotients of the size formula, rounded down and up */
  for (int i = 0; i < 2; i++) {
    const uint32_t *padding = options->padding.data + 2 * i;
    int64_t slack = wnn_window_slack(input->shape[axes.spatial[i]], options->window_dimensions.data[i],
                                     options->dilations.data[i], padding[0], padding[1]);
    int64_t stride = options->strides.data[i];
    low[i] = floor_divide(slack, stride) + 1;
    high[i] = -floor_divide(-slack, stride) + 1;
  }
  const int64_t *sizes = options->output_shape_rounding == WNN_ROUNDING_CEIL ? high : low;
  int64_t wanted[2];
  if (options->output_sizes.data) {
    for (int i = 0; i < 2; i++) wanted[i] = options->output_sizes.data[i];
    if ((wanted[0] != low[0] || wanted[1] != low[1]) && (wanted[0] != high[0] || wanted[1] != high[1]))
      return wnn_fail(call,
                      "The outputSizes are [%" PRId64 ", %" PRId64 "], but must be [%" PRId64 ", %" PRId64
                      "] (rounded down) or [%" PRId64 ", %" PRId64 "] (rounded up).",
                      wanted[0], wanted[1], low[0], low[1], high[0], high[1]);
    sizes = wanted;
  }
  wnn_desc *output = &call->outputs[0];
  wnn_infer_set_shape(output, input);
  for (int i = 0; i < 2; i++) {
    if (sizes[i] < 1 || sizes[i] > (int64_t)WNN_MAX_DIMENSION)
      return wnn_fail(call, "The output %s is %" PRId64 ", but must be from 1 to %u.", wnn_spatial_names[i], sizes[i],
                      WNN_MAX_DIMENSION);
    output->shape[axes.spatial[i]] = lists[2 + i] = (uint32_t)sizes[i];
  }
  options->output_sizes = (wnn_u32_list){lists + 2, 2};
  return WNN_OK;
}
