/* Reference kernels of pad and tile: source positions by a rule for each dimension. */
#include "kernels/ref/move.h"
#include "kernels/ref/ref.h"

#define OUTSIDE SIZE_MAX

/* Source coordinate of an output coordinate of one dimension with `size` elements and `before` added in front. */
static size_t pad_source(size_t coordinate, size_t before, size_t size, wnn_padding_mode mode) {
  if (coordinate >= before && coordinate - before < size) return coordinate - before;
  bool front = coordinate < before;
  switch (mode) {
  case WNN_PADDING_MODE_EDGE: return front ? 0 : size - 1;
  case WNN_PADDING_MODE_REFLECTION: /* padding is below size, so one mirroring is enough */
    return front ? before - coordinate : 2 * (size - 1) - (coordinate - before);
  default: return OUTSIDE;
  }
}

void wnn_ref_pad(const wnn_task *task, size_t begin, size_t end, void *scratch) {
  (void)scratch;
  const wnn_pad_args *args = task->params;
  const wnn_view *in = &task->inputs[0], *out = &task->outputs[0];
  size_t size = wnn_data_type_size(in->desc.data_type), strides[WNN_MAX_RANK] = {0}, at[WNN_MAX_RANK] = {0};
  uint64_t fill = 0;
  wnn_number_store(args->options.value, in->desc.data_type, &fill);
  wnn_shape_strides(&in->desc, strides);
  wnn_shape_unravel(&out->desc, begin, at);
  for (; begin < end; begin++) {
    size_t from = 0;
    for (uint32_t i = 0; i < in->desc.rank && from != OUTSIDE; i++) {
      size_t source = pad_source(at[i], args->beginning_padding.data[i], in->desc.shape[i], args->options.mode);
      from = source == OUTSIDE ? OUTSIDE : from + source * strides[i];
    }
    if (from == OUTSIDE)
      wnn_move_element(out->data, begin, &fill, 0, size);
    else
      wnn_move_element(out->data, begin, in->data, from, size);
    wnn_next_coordinates(&out->desc, out->desc.rank, at);
  }
}

void wnn_ref_tile(const wnn_task *task, size_t begin, size_t end, void *scratch) {
  (void)scratch;
  const wnn_view *in = &task->inputs[0], *out = &task->outputs[0];
  size_t size = wnn_data_type_size(in->desc.data_type), strides[WNN_MAX_RANK] = {0}, at[WNN_MAX_RANK] = {0};
  wnn_shape_strides(&in->desc, strides);
  wnn_shape_unravel(&out->desc, begin, at);
  for (; begin < end; begin++) {
    size_t from = 0;
    for (uint32_t i = 0; i < in->desc.rank; i++) from += at[i] % in->desc.shape[i] * strides[i];
    wnn_move_element(out->data, begin, in->data, from, size);
    wnn_next_coordinates(&out->desc, out->desc.rank, at);
  }
}
