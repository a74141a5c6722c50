/* Reference kernels of gather, gatherElements and gatherND. */
#include "kernels/ref/move.h"
#include "kernels/ref/ref.h"

void wnn_ref_gather(const wnn_task *task, size_t begin, size_t end, void *scratch) {
  (void)scratch;
  const wnn_gather_args *args = task->params;
  const wnn_view *in = &task->inputs[0], *indices = &task->inputs[1], *out = &task->outputs[0];
  uint32_t axis = args->options.axis;
  size_t size = wnn_data_type_size(in->desc.data_type), extent = in->desc.shape[axis];
  size_t run = wnn_shape_product(&in->desc, axis + 1, in->desc.rank), count = wnn_elements(&indices->desc);
  while (begin < end) {
    size_t n = begin / run, within = begin % run, length = run - within;
    if (length > end - begin) length = end - begin;
    size_t position = n / count * extent + wnn_index_at(indices, n % count, extent);
    wnn_move_run(out->data, begin, in->data, position * run + within, length, size);
    begin += length;
  }
}

void wnn_ref_gather_elements(const wnn_task *task, size_t begin, size_t end, void *scratch) {
  (void)scratch;
  const wnn_gather_elements_args *args = task->params;
  const wnn_view *in = &task->inputs[0], *indices = &task->inputs[1], *out = &task->outputs[0];
  uint32_t axis = args->options.axis;
  size_t size = wnn_data_type_size(in->desc.data_type), extent = in->desc.shape[axis];
  size_t inner = wnn_shape_product(&in->desc, axis + 1, in->desc.rank), row = inner * out->desc.shape[axis];
  for (; begin < end; begin++) {
    size_t position = begin / row * extent + wnn_index_at(indices, begin, extent);
    wnn_move_element(out->data, begin, in->data, position * inner + begin % inner, size);
  }
}

void wnn_ref_gather_nd(const wnn_task *task, size_t begin, size_t end, void *scratch) {
  (void)scratch;
  const wnn_view *in = &task->inputs[0], *indices = &task->inputs[1], *out = &task->outputs[0];
  uint32_t depth = indices->desc.shape[indices->desc.rank - 1];
  size_t size = wnn_data_type_size(in->desc.data_type), run = wnn_shape_product(&in->desc, depth, in->desc.rank);
  while (begin < end) {
    size_t n = begin / run, within = begin % run, length = run - within, position = 0;
    if (length > end - begin) length = end - begin;
    for (uint32_t i = 0; i < depth; i++)
      position = position * in->desc.shape[i] + wnn_index_at(indices, n * depth + i, in->desc.shape[i]);
    wnn_move_run(out->data, begin, in->data, position * run + within, length, size);
    begin += length;
  }
}
