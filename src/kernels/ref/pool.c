/* Reference pooling: average, l2 and maximum over the elements of a window that lie inside the input. */
#include "kernels/ref/image.h"

/* Taps of a window along one axis that lie inside the input: first .. last - 1. */
typedef struct taps {
  int64_t start; /* position of tap 0, may be outside */
  int64_t first, last;
} taps;

static taps inside_taps(int64_t output, uint32_t stride, uint32_t begin, uint32_t window, uint32_t dilation,
                        int64_t size) {
  taps t = {output * stride - begin, 0, 0};
  if (t.start < 0) t.first = (-t.start + dilation - 1) / dilation;
  if (t.start < size) t.last = (size - 1 - t.start) / dilation + 1;
  if (t.last > (int64_t)window) t.last = window;
  if (t.last < t.first) t.last = t.first;
  return t;
}

/* What a window's elements are combined into. */
typedef struct pooled {
  double sum;      /* of the elements, or of their squares */
  int64_t count;   /* of the elements */
  float maximum;   /* of floats */
  int64_t largest; /* of integers but uint64 */
  uint64_t ularge; /* of uint64 */
} pooled;

static void combine(pooled *acc, uint32_t op, const void *data, wnn_data_type type, size_t i) {
  acc->count++;
  if (wnn_is_float(type)) {
    float x = wnn_ref_get_f32(data, type, i);
    if (op == WNN_OP_AVERAGE_POOL2D)
      acc->sum += (double)x;
    else if (op == WNN_OP_L2_POOL2D)
      acc->sum += (double)x * (double)x;
    else
      acc->maximum = wnn_ref_max_f32(acc->maximum, x);
  } else if (type == WNN_UINT64) {
    uint64_t x = wnn_ref_get_u64(data, type, i);
    if (x > acc->ularge) acc->ularge = x;
  } else {
    int64_t x = wnn_ref_get_i64(data, type, i);
    if (x > acc->largest) acc->largest = x;
  }
}

void wnn_ref_pool2d(const wnn_task *task, size_t begin, size_t end, void *scratch) {
  (void)scratch;
  const wnn_pool2d_options *options = task->params; /* the argument structs hold nothing else */
  const void *x = task->inputs[0].data;
  void *y = task->outputs[0].data;
  const wnn_desc *output = &task->outputs[0].desc;
  wnn_data_type type = output->data_type;
  const uint8_t *order = wnn_ref_image_orders[options->layout];
  wnn_ref_image in = wnn_ref_image_of(&task->inputs[0].desc, order);
  const uint32_t *strides = options->strides.data, *dilations = options->dilations.data;
  const uint32_t *padding = options->padding.data, *window = options->window_dimensions.data;

  for (size_t index = begin; index < end; index++) {
    int64_t at[4];
    wnn_ref_image_unravel(output, order, index, at);
    taps rows = inside_taps(at[2], strides[0], padding[0], window[0], dilations[0], in.size[2]);
    taps columns = inside_taps(at[3], strides[1], padding[2], window[1], dilations[1], in.size[3]);
    size_t plane = (size_t)at[0] * in.stride[0] + (size_t)at[1] * in.stride[1];
    pooled acc = {.maximum = -INFINITY, .largest = wnn_ref_int_min(type)};
    for (int64_t p = rows.first; p < rows.last; p++) {
      size_t row = plane + (size_t)(rows.start + p * dilations[0]) * in.stride[2];
      for (int64_t q = columns.first; q < columns.last; q++)
        combine(&acc, task->op, x, type, row + (size_t)(columns.start + q * dilations[1]) * in.stride[3]);
    }
    /* A window with nothing inside gives 0, or the lowest value for the maximum. */
    if (task->op == WNN_OP_AVERAGE_POOL2D)
      wnn_ref_put_f64(y, type, index, acc.count ? acc.sum / (double)acc.count : 0);
    else if (task->op == WNN_OP_L2_POOL2D)
      wnn_ref_put_f64(y, type, index, sqrt(acc.sum));
    else if (wnn_is_float(type))
      wnn_ref_put_f32(y, type, index, acc.maximum);
    else
      wnn_ref_put_u64(y, type, index, type == WNN_UINT64 ? acc.ularge : (uint64_t)acc.largest);
  }
}
