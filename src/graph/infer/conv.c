/* Shapes of conv2d and convTranspose2d. */
#include "graph/infer/window.h"

/* Positions of the output channels, input channels, height and width in a filter's shape. */
typedef struct filter_axes {
  uint32_t output, input, spatial[2];
} filter_axes;

static const filter_axes conv2d_filters[] = {
    [WNN_CONV2D_FILTER_LAYOUT_OIHW] = {0, 1, {2, 3}},
    [WNN_CONV2D_FILTER_LAYOUT_HWIO] = {3, 2, {0, 1}},
    [WNN_CONV2D_FILTER_LAYOUT_OHWI] = {0, 3, {1, 2}},
    [WNN_CONV2D_FILTER_LAYOUT_IHWO] = {3, 0, {1, 2}},
};
static const filter_axes conv_transpose2d_filters[] = {
    [WNN_CONV_TRANSPOSE2D_FILTER_LAYOUT_IOHW] = {1, 0, {2, 3}},
    [WNN_CONV_TRANSPOSE2D_FILTER_LAYOUT_HWOI] = {2, 3, {0, 1}},
    [WNN_CONV_TRANSPOSE2D_FILTER_LAYOUT_OHWI] = {0, 3, {1, 2}},
};

static void set_output(wnn_call *call, wnn_image_axes axes, uint32_t channels, const uint32_t spatial[2]) {
  wnn_desc *output = &call->outputs[0];
  output->rank = 4;
  output->shape[0] = call->operands[0]->shape[0];
  output->shape[axes.channels] = channels;
  output->shape[axes.spatial[0]] = spatial[0];
  output->shape[axes.spatial[1]] = spatial[1];
}

static wnn_status check_bias(const wnn_call *call, uint32_t channels) {
  return wnn_infer_expect_shape(call, 2, &channels, 1, "one value for each output channel");
}

wnn_status wnn_infer_conv2d(wnn_call *call) {
  wnn_conv2d_options *options = &((wnn_conv2d_args *)call->args)->options;
  const wnn_desc *input = call->operands[0], *filter = call->operands[1];
  wnn_image_axes axes = wnn_image_axes_of(options->input_layout);
  filter_axes places = conv2d_filters[options->filter_layout];
  wnn_status status = wnn_infer_window_defaults(call, &options->padding, &options->strides, &options->dilations);
  if (status) return status;

  uint32_t channels = input->shape[axes.channels], groups = options->groups;
  uint32_t filter_inputs = filter->shape[places.input], outputs = filter->shape[places.output];
  if (channels % groups)
    return wnn_fail(call,
                    "The input has %" PRIu32 " channels, but their number must be a multiple of groups, %" PRIu32 ".",
                    channels, groups);
  if (channels / groups != filter_inputs)
    return wnn_fail(call,
                    "The filter has %" PRIu32 " input channels, but must have %" PRIu32 " (%" PRIu32
                    " channels of the input in %" PRIu32 " groups).",
                    filter_inputs, channels / groups, channels, groups);
  if (outputs % groups)
    return wnn_fail(
        call, "The filter has %" PRIu32 " output channels, but their number must be a multiple of groups, %" PRIu32 ".",
        outputs, groups);
  if ((status = check_bias(call, outputs))) return status;

  uint32_t sizes[2];
  for (int i = 0; i < 2; i++) {
    uint32_t window = filter->shape[places.spatial[i]], dilation = options->dilations.data[i];
    const uint32_t *padding = options->padding.data + 2 * i;
    int64_t slack = wnn_window_slack(input->shape[axes.spatial[i]], window, dilation, padding[0], padding[1]);
    if (slack < 0)
      return wnn_fail(
          call, "The filter spans a %s of %" PRIu64 ", but must fit into the padded input, which has %" PRIu64 ".",
          wnn_spatial_names[i], (uint64_t)(window - 1) * dilation + 1,
          (uint64_t)input->shape[axes.spatial[i]] + padding[0] + padding[1]);
    uint64_t size = (uint64_t)slack / options->strides.data[i] + 1;
    if (size > WNN_MAX_DIMENSION)
      return wnn_fail(call, "The output %s is %" PRIu64 ", but must be at most %u.", wnn_spatial_names[i], size,
                      WNN_MAX_DIMENSION);
    sizes[i] = (uint32_t)size;
  }
  set_output(call, axes, outputs, sizes);
  return WNN_OK;
}

/* The size of one spatial axis of a transposed convolution into *size. */
static wnn_status transposed_size(const wnn_call *call, const wnn_conv_transpose2d_options *options, int i,
                                  uint32_t input, uint32_t window, uint32_t *size) {
  uint32_t stride = options->strides.data[i], extra = options->output_padding.data[i];
  uint64_t cut = (uint64_t)options->padding.data[2 * i] + options->padding.data[2 * i + 1];
  /* Each product is below 2^63, so the sum fits; far too large ones must not turn negative below. */
  uint64_t full = (uint64_t)(input - 1) * stride + (uint64_t)(window - 1) * options->dilations.data[i] + 1;
  if (full > (uint64_t)1 << 62)
    return wnn_fail(call, "The output %s is %" PRIu64 " before padding is cut off, but must be at most %u after it.",
                    wnn_spatial_names[i], full, WNN_MAX_DIMENSION);
  int64_t computed = (int64_t)full - (int64_t)cut, final = computed + extra;
  if (options->output_sizes.data) {
    uint32_t wanted = options->output_sizes.data[i];
    if (wanted < computed || wanted >= computed + (int64_t)stride)
      return wnn_fail(call,
                      "Item %d of outputSizes is %" PRIu32 ", but must be from %" PRId64 " to %" PRId64
                      ", what input, filter and stride give.",
                      i, wanted, computed, computed + (int64_t)stride - 1);
    final = wanted;
  }
  if (final < 1 || final > (int64_t)WNN_MAX_DIMENSION)
    return wnn_fail(call, "The output %s is %" PRId64 ", but must be from 1 to %u.", wnn_spatial_names[i], final,
                    WNN_MAX_DIMENSION);
  *size = (uint32_t) final;
  return WNN_OK;
}

wnn_status wnn_infer_conv_transpose2d(wnn_call *call) {
  wnn_conv_transpose2d_options *options = &((wnn_conv_transpose2d_args *)call->args)->options;
  const wnn_desc *input = call->operands[0], *filter = call->operands[1];
  wnn_image_axes axes = wnn_image_axes_of(options->input_layout);
  filter_axes places = conv_transpose2d_filters[options->filter_layout];
  wnn_status status = wnn_infer_window_defaults(call, &options->padding, &options->strides, &options->dilations);
  if (!status) status = wnn_infer_default_fill(call, &options->output_padding, 2, 0);
  if (status) return status;

  for (int i = 0; i < 2 && !options->output_sizes.data; i++)
    if (options->output_padding.data[i] >= options->strides.data[i])
      return wnn_fail(call,
                      "Item %d of outputPadding is %" PRIu32 ", but must be below the stride, which is %" PRIu32 ".", i,
                      options->output_padding.data[i], options->strides.data[i]);

  uint32_t channels = input->shape[axes.channels], groups = options->groups;
  if (channels % groups)
    return wnn_fail(call,
                    "The input has %" PRIu32 " channels, but their number must be a multiple of groups, %" PRIu32 ".",
                    channels, groups);
  if (channels != filter->shape[places.input])
    return wnn_fail(call, "The filter has %" PRIu32 " input channels, but must have %" PRIu32 " like the input.",
                    filter->shape[places.input], channels);
  uint64_t outputs = (uint64_t)filter->shape[places.output] * groups;
  if (outputs > WNN_MAX_DIMENSION)
    return wnn_fail(call,
                    "The output has %" PRIu64 " channels (%" PRIu32 " of the filter for each of %" PRIu32
                    " groups), but must have at most %u.",
                    outputs, filter->shape[places.output], groups, WNN_MAX_DIMENSION);
  if ((status = check_bias(call, (uint32_t)outputs))) return status;

  uint32_t *sizes = wnn_arena_array(call->arena, 2, sizeof *sizes);
  if (!sizes) return wnn_fail_memory(call);
  for (int i = 0; i < 2; i++) {
    status =
        transposed_size(call, options, i, input->shape[axes.spatial[i]], filter->shape[places.spatial[i]], &sizes[i]);
    if (status) return status;
  }
  options->output_sizes = (wnn_u32_list){sizes, 2};
  set_output(call, axes, (uint32_t)outputs, sizes);
  return WNN_OK;
}
