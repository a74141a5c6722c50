/* Reference convTranspose2d: each output element gathers what the scattering form would add to it. */
#include "kernels/ref/image.h"

/* Positions of input channel, output channel, height and width in the filter's shape. */
static const uint8_t filter_orders[][4] = {
    [WNN_CONV_TRANSPOSE2D_FILTER_LAYOUT_IOHW] = {0, 1, 2, 3},
    [WNN_CONV_TRANSPOSE2D_FILTER_LAYOUT_HWOI] = {3, 2, 0, 1},
    [WNN_CONV_TRANSPOSE2D_FILTER_LAYOUT_OHWI] = {3, 0, 1, 2},
};

/* The input position that tap number `tap` carries to `target` (a position before cropping), or -1. */
static int64_t source_of(int64_t target, int64_t tap, uint32_t dilation, uint32_t stride, int64_t size) {
  int64_t distance = target - tap * dilation;
  if (distance < 0 || distance % stride != 0) return -1;
  return distance / stride < size ? distance / stride : -1;
}

void wnn_ref_conv_transpose2d(const wnn_task *task, size_t begin, size_t end, void *scratch) {
  (void)scratch;
  const wnn_conv_transpose2d_options *options = &((const wnn_conv_transpose2d_args *)task->params)->options;
  const void *x = task->inputs[0].data, *w = task->inputs[1].data, *bias = task->inputs[2].data;
  const wnn_desc *output = &task->outputs[0].desc;
  wnn_data_type type = output->data_type;
  const uint8_t *order = wnn_ref_image_orders[options->input_layout];
  wnn_ref_image in = wnn_ref_image_of(&task->inputs[0].desc, order);
  wnn_ref_image filter = wnn_ref_image_of(&task->inputs[1].desc, filter_orders[options->filter_layout]);
  int64_t outputs_per_group = filter.size[1], inputs_per_group = in.size[1] / options->groups;
  const uint32_t *strides = options->strides.data, *dilations = options->dilations.data;
  const uint32_t *padding = options->padding.data;

  for (size_t index = begin; index < end; index++) {
    int64_t at[4];
    wnn_ref_image_unravel(output, order, index, at);
    int64_t group = at[1] / outputs_per_group, filter_output = at[1] % outputs_per_group;
    int64_t target_row = at[2] + padding[0], target_column = at[3] + padding[2];
    double sum = bias ? (double)wnn_ref_get_f32(bias, type, (size_t)at[1]) : 0;
    for (int64_t p = 0; p < filter.size[2]; p++) {
      int64_t row = source_of(target_row, p, dilations[0], strides[0], in.size[2]);
      if (row < 0) continue;
      for (int64_t q = 0; q < filter.size[3]; q++) {
        int64_t column = source_of(target_column, q, dilations[1], strides[1], in.size[3]);
        if (column < 0) continue;
        size_t element = (size_t)at[0] * in.stride[0] + (size_t)row * in.stride[2] + (size_t)column * in.stride[3];
        size_t tap =
            (size_t)filter_output * filter.stride[1] + (size_t)p * filter.stride[2] + (size_t)q * filter.stride[3];
        for (int64_t c = group * inputs_per_group; c < (group + 1) * inputs_per_group; c++)
          sum += (double)wnn_ref_get_f32(x, type, element + (size_t)c * in.stride[1]) *
                 (double)wnn_ref_get_f32(w, type, tap + (size_t)c * filter.stride[0]);
      }
    }
    wnn_ref_put_f64(task->outputs[0].data, type, index, sum);
  }
}
