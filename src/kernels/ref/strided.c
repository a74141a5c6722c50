/* Reference kernels whose source position is linear in the output coordinates. */
#include "kernels/ref/move.h"
#include "kernels/ref/ref.h"

/* Output elements [begin, end) from source element base + sum of coordinate * stride. Indices are computed modulo 2^64,
 * so that strides may be negative; the sum itself is always inside the source. */
static void strided_copy(const wnn_task *task, size_t base, const size_t strides[WNN_MAX_RANK], size_t begin,
                         size_t end) {
  const wnn_view *out = &task->outputs[0];
  const void *in = task->inputs[0].data;
  size_t size = wnn_data_type_size(out->desc.data_type), coordinates[WNN_MAX_RANK] = {0};
  uint32_t rank = out->desc.rank;
  if (!rank) {
    if (begin < end) wnn_move_element(out->data, 0, in, base, size);
    return;
  }
  size_t inner = out->desc.shape[rank - 1], step = strides[rank - 1];
  wnn_shape_unravel(&out->desc, begin, coordinates);
  while (begin < end) {
    size_t from = base;
    for (uint32_t i = 0; i < rank; i++) from += coordinates[i] * strides[i];
    size_t count = inner - coordinates[rank - 1];
    if (count > end - begin) count = end - begin;
    if (step == 1)
      wnn_move_run(out->data, begin, in, from, count, size);
    else
      for (size_t i = 0; i < count; i++) wnn_move_element(out->data, begin + i, in, from + i * step, size);
    begin += count;
    coordinates[rank - 1] = 0;
    wnn_next_coordinates(&out->desc, rank - 1, coordinates);
  }
}

void wnn_ref_copy(const wnn_task *task, size_t begin, size_t end, void *scratch) {
  (void)scratch;
  if (task->outputs[0].data != task->inputs[0].data)
    wnn_move_run(task->outputs[0].data, begin, task->inputs[0].data, begin, end - begin,
                 wnn_data_type_size(task->outputs[0].desc.data_type));
}

void wnn_ref_expand(const wnn_task *task, size_t begin, size_t end, void *scratch) {
  (void)scratch;
  size_t strides[WNN_MAX_RANK];
  wnn_shape_broadcast_strides(&task->inputs[0].desc, &task->outputs[0].desc, strides);
  strided_copy(task, 0, strides, begin, end);
}

void wnn_ref_reverse(const wnn_task *task, size_t begin, size_t end, void *scratch) {
  (void)scratch;
  const wnn_reverse_args *args = task->params;
  size_t strides[WNN_MAX_RANK] = {0}, base = 0;
  wnn_shape_strides(&task->inputs[0].desc, strides);
  for (uint32_t i = 0; i < args->options.axes.count; i++) {
    uint32_t axis = args->options.axes.data[i];
    base += (task->inputs[0].desc.shape[axis] - 1) * strides[axis];
    strides[axis] = 0 - strides[axis];
  }
  strided_copy(task, base, strides, begin, end);
}

void wnn_ref_slice(const wnn_task *task, size_t begin, size_t end, void *scratch) {
  (void)scratch;
  const wnn_slice_args *args = task->params;
  size_t strides[WNN_MAX_RANK] = {0}, base = 0;
  wnn_shape_strides(&task->inputs[0].desc, strides);
  for (uint32_t i = 0; i < task->inputs[0].desc.rank; i++) {
    base += args->starts.data[i] * strides[i];
    strides[i] *= args->options.strides.data[i];
  }
  strided_copy(task, base, strides, begin, end);
}

void wnn_ref_transpose(const wnn_task *task, size_t begin, size_t end, void *scratch) {
  (void)scratch;
  const wnn_transpose_args *args = task->params;
  size_t source[WNN_MAX_RANK] = {0}, strides[WNN_MAX_RANK] = {0};
  wnn_shape_strides(&task->inputs[0].desc, source);
  for (uint32_t i = 0; i < task->inputs[0].desc.rank; i++) strides[i] = source[args->options.permutation.data[i]];
  strided_copy(task, 0, strides, begin, end);
}
