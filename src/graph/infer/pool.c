/* Shapes of averagePool2d, l2Pool2d and maxPool2d. */
#include "graph/infer/window.h"

static int64_t floor_divide(int64_t a, int64_t b) { return a / b - (a % b < 0); }

/* Output height and width, the quotients of the size formula rounded down and up. */
typedef struct quotients {
  int64_t low[2], high[2];
} quotients;

static quotients quotients_of(const wnn_desc *input, wnn_image_axes axes, const wnn_pool2d_options *options) {
  quotients q;
  for (int i = 0; i < 2; i++) {
    const uint32_t *padding = options->padding.data + 2 * i;
    int64_t slack = wnn_window_slack(input->shape[axes.spatial[i]], options->window_dimensions.data[i],
                                     options->dilations.data[i], padding[0], padding[1]);
    int64_t stride = options->strides.data[i];
    q.low[i] = floor_divide(slack, stride) + 1;
    q.high[i] = -floor_divide(-slack, stride) + 1;
  }
  return q;
}

static bool is_one_of(const uint32_t sizes[2], const quotients *q) {
  return (sizes[0] == q->low[0] && sizes[1] == q->low[1]) || (sizes[0] == q->high[0] && sizes[1] == q->high[1]);
}

/* The three operations have argument structs of the same content: the pooling options. */
wnn_status wnn_infer_pool2d(wnn_call *call) {
  wnn_pool2d_options *options = call->args;
  const wnn_desc *input = call->operands[0];
  wnn_image_axes axes = wnn_image_axes_of(options->layout);
  wnn_status status = wnn_infer_window_defaults(call, &options->padding, &options->strides, &options->dilations);
  if (status) return status;

  uint32_t *lists = wnn_arena_array(call->arena, 4, sizeof *lists);
  if (!lists) return wnn_fail_memory(call);
  if (!options->window_dimensions.data) {
    lists[0] = input->shape[axes.spatial[0]];
    lists[1] = input->shape[axes.spatial[1]];
    options->window_dimensions = (wnn_u32_list){lists, 2};
  }

  quotients q = quotients_of(input, axes, options);
  int64_t sizes[2];
  for (int i = 0; i < 2; i++) sizes[i] = options->output_shape_rounding == WNN_ROUNDING_CEIL ? q.high[i] : q.low[i];
  if (options->output_sizes.data) {
    /* The specification drops the padding when outputSizes are given, its conformance suite keeps it. So the
     * sizes tell: padding stays where they fit with it, and goes where they fit without it. */
    const uint32_t *given = options->output_sizes.data;
    if (!is_one_of(given, &q)) {
      static const uint32_t none[4] = {0, 0, 0, 0};
      options->padding = (wnn_u32_list){none, 4};
      quotients unpadded = quotients_of(input, axes, options);
      if (!is_one_of(given, &unpadded))
        return wnn_fail(call,
                        "The outputSizes are [%" PRIu32 ", %" PRIu32 "], but must be [%" PRId64 ", %" PRId64
                        "] (rounded down) or [%" PRId64 ", %" PRId64 "] (rounded up).",
                        given[0], given[1], q.low[0], q.low[1], q.high[0], q.high[1]);
    }
    for (int i = 0; i < 2; i++) sizes[i] = given[i];
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
