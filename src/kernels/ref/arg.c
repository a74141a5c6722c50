/* Reference kernel of argMax and argMin. */
#include "kernels/ref/util.h"

/* The first of equal elements wins, and the first NaN wins over everything. */
static size_t pick_float(const wnn_view *input, size_t at, size_t count, size_t stride, bool greatest) {
  wnn_data_type type = input->desc.data_type;
  float best = wnn_ref_get_f32(input->data, type, at);
  size_t index = 0;
  for (size_t k = 1; k < count && best == best; k++) {
    float x = wnn_ref_get_f32(input->data, type, at + k * stride);
    if (x != x || (greatest ? x > best : x < best)) {
      best = x;
      index = k;
    }
  }
  return index;
}

static size_t pick_integer(const wnn_view *input, size_t at, size_t count, size_t stride, bool greatest) {
  wnn_data_type type = input->desc.data_type;
  /* Flipping the top bit of signed numbers makes them compare as unsigned ones. */
  uint64_t flip = wnn_is_signed(type) ? UINT64_C(1) << 63 : 0;
  uint64_t best = wnn_ref_get_u64(input->data, type, at) ^ flip;
  size_t index = 0;
  for (size_t k = 1; k < count; k++) {
    uint64_t x = wnn_ref_get_u64(input->data, type, at + k * stride) ^ flip;
    if (greatest ? x > best : x < best) {
      best = x;
      index = k;
    }
  }
  return index;
}

void wnn_ref_arg_min_max(const wnn_task *task, size_t begin, size_t end, void *scratch) {
  (void)scratch;
  const wnn_arg_min_max_args *args = task->params;
  const wnn_view *input = &task->inputs[0];
  wnn_ref_axis axis = wnn_ref_split_axis(&input->desc, args->axis);
  bool greatest = task->op == WNN_OP_ARG_MAX, is_float = wnn_is_float(input->desc.data_type);
  for (size_t i = begin; i < end; i++) {
    size_t at = i / axis.inner * axis.extent * axis.inner + i % axis.inner;
    size_t index = is_float ? pick_float(input, at, axis.extent, axis.inner, greatest)
                            : pick_integer(input, at, axis.extent, axis.inner, greatest);
    wnn_ref_put_u64(task->outputs[0].data, task->outputs[0].desc.data_type, i, index);
  }
}
