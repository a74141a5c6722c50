/* Reference kernels of concat and split: blocks along one dimension. */
#include "kernels/ref/move.h"
#include "kernels/ref/ref.h"

/* Copies between a whole tensor and its parts along axis: one run of a part for each combination of the dimensions
 * before the axis. */
static void copy_parts(const wnn_view *whole, const wnn_view *parts, uint32_t count, uint32_t axis, bool join) {
  size_t size = wnn_data_type_size(whole->desc.data_type);
  size_t outer = wnn_shape_product(&whole->desc, 0, axis);
  size_t row = wnn_shape_product(&whole->desc, axis, whole->desc.rank), offset = 0;
  for (uint32_t p = 0; p < count; p++) {
    size_t run = wnn_shape_product(&parts[p].desc, axis, parts[p].desc.rank);
    for (size_t o = 0; o < outer; o++) {
      if (join)
        wnn_move_run(whole->data, o * row + offset, parts[p].data, o * run, run, size);
      else
        wnn_move_run(parts[p].data, o * run, whole->data, o * row + offset, run, size);
    }
    offset += run;
  }
}

void wnn_ref_concat(const wnn_task *task, size_t begin, size_t end, void *scratch) {
  (void)begin, (void)end, (void)scratch;
  const wnn_concat_args *args = task->params;
  copy_parts(&task->outputs[0], task->inputs, task->input_count, args->axis, true);
}

void wnn_ref_split(const wnn_task *task, size_t begin, size_t end, void *scratch) {
  (void)begin, (void)end, (void)scratch;
  const wnn_split_args *args = task->params;
  copy_parts(&task->inputs[0], task->outputs, task->output_count, args->options.axis, false);
}
