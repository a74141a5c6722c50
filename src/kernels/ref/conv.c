/* Reference conv2d: each output element is the sum over its window, in double. */
#include "kernels/ref/image.h"

/* Positions of output channel, input channel, height and width in the filter's shape. */
static const uint8_t filter_orders[][4] = {
    [WNN_CONV2D_FILTER_LAYOUT_OIHW] = {0, 1, 2, 3},
    [WNN_CONV2D_FILTER_LAYOUT_HWIO] = {3, 2, 0, 1},
    [WNN_CONV2D_FILTER_LAYOUT_OHWI] = {0, 3, 1, 2},
    [WNN_CONV2D_FILTER_LAYOUT_IHWO] = {3, 0, 1, 2},
};

void wnn_ref_conv2d(const wnn_task *task, size_t begin, size_t end, void *scratch) {
  (void)scratch;
  const wnn_conv2d_options *options = &((const wnn_conv2d_args *)task->params)->options;
  const void *x = task->inputs[0].data, *w = task->inputs[1].data, *bias = task->inputs[2].data;
  const wnn_desc *output = &task->outputs[0].desc;
  wnn_data_type type = output->data_type;
  const uint8_t *order = wnn_ref_image_orders[options->input_layout];
  wnn_ref_image in = wnn_ref_image_of(&task->inputs[0].desc, order);
  wnn_ref_image filter = wnn_ref_image_of(&task->inputs[1].desc, filter_orders[options->filter_layout]);
  int64_t outputs_per_group = filter.size[0] / options->groups, inputs_per_group = filter.size[1];
  const uint32_t *strides = options->strides.data, *dilations = options->dilations.data;
  const uint32_t *padding = options->padding.data;

  for (size_t index = begin; index < end; index++) {
    int64_t at[4];
    wnn_ref_image_unravel(output, order, index, at);
    int64_t first_channel = at[1] / outputs_per_group * inputs_per_group;
    int64_t top = at[2] * strides[0] - padding[0], left = at[3] * strides[1] - padding[2];
    double sum = bias ? (double)wnn_ref_get_f32(bias, type, (size_t)at[1]) : 0;
    for (int64_t c = 0; c < inputs_per_group; c++) {
      size_t plane = (size_t)at[0] * in.stride[0] + (size_t)(first_channel + c) * in.stride[1];
      size_t taps = (size_t)at[1] * filter.stride[0] + (size_t)c * filter.stride[1];
      for (int64_t p = 0; p < filter.size[2]; p++) {
        int64_t row = top + p * dilations[0];
        if (row < 0 || row >= in.size[2]) continue;
        for (int64_t q = 0; q < filter.size[3]; q++) {
          int64_t column = left + q * dilations[1];
          if (column < 0 || column >= in.size[3]) continue;
          size_t element = plane + (size_t)row * in.stride[2] + (size_t)column * in.stride[3];
          size_t tap = taps + (size_t)p * filter.stride[2] + (size_t)q * filter.stride[3];
          sum += (double)wnn_ref_get_f32(x, type, element) * (double)wnn_ref_get_f32(w, type, tap);
        }
      }
    }
    wnn_ref_put_f64(task->outputs[0].data, type, index, sum);
  }
}
