/* Reference kernels of scatterElements and scatterND. Updates are written in row-major order of the indices, so that
 * the last one to a place wins. */
#include "kernels/ref/move.h"
#include "kernels/ref/ref.h"

static void copy_input(const wnn_task *task) {
  if (task->outputs[0].data != task->inputs[0].data)
    memcpy(task->outputs[0].data, task->inputs[0].data, wnn_bytes(&task->inputs[0].desc));
}

void wnn_ref_scatter_elements(const wnn_task *task, size_t begin, size_t end, void *scratch) {
  (void)begin, (void)end, (void)scratch;
  const wnn_scatter_elements_args *args = task->params;
  const wnn_view *indices = &task->inputs[1], *updates = &task->inputs[2], *out = &task->outputs[0];
  uint32_t axis = args->options.axis;
  size_t size = wnn_data_type_size(out->desc.data_type), extent = out->desc.shape[axis];
  size_t inner = wnn_shape_product(&out->desc, axis + 1, out->desc.rank), row = inner * indices->desc.shape[axis];
  size_t count = wnn_elements(&indices->desc);
  copy_input(task);
  for (size_t i = 0; i < count; i++) {
    size_t position = i / row * extent + wnn_index_at(indices, i, extent);
    wnn_move_element(out->data, position * inner + i % inner, updates->data, i, size);
  }
}

void wnn_ref_scatter_nd(const wnn_task *task, size_t begin, size_t end, void *scratch) {
  (void)begin, (void)end, (void)scratch;
  const wnn_view *indices = &task->inputs[1], *updates = &task->inputs[2], *out = &task->outputs[0];
  uint32_t depth = indices->desc.shape[indices->desc.rank - 1];
  size_t size = wnn_data_type_size(out->desc.data_type), run = wnn_shape_product(&out->desc, depth, out->desc.rank);
  size_t count = wnn_elements(&indices->desc) / depth;
  copy_input(task);
  for (size_t n = 0; n < count; n++) {
    size_t position = 0;
    for (uint32_t i = 0; i < depth; i++)
      position = position * out->desc.shape[i] + wnn_index_at(indices, n * depth + i, out->desc.shape[i]);
    wnn_move_run(out->data, position * run, updates->data, n * run, run, size);
  }
}
