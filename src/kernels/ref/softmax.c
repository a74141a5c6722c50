/* Reference kernel of softmax. */
#include "kernels/ref/util.h"

/* One slice along the axis, count elements stride apart. NaN anywhere, infinity, and nothing but -infinity
 * all give NaN, as infinity - infinity does. */
static void slice(const void *in, void *out, wnn_data_type type, size_t at, size_t count, size_t stride) {
  float greatest = -INFINITY;
  for (size_t k = 0; k < count; k++) {
    float x = wnn_ref_get_f32(in, type, at + k * stride);
    if (!(x <= greatest)) greatest = x;
    if (x != x) break;
  }
  double sum = 0;
  for (size_t k = 0; k < count; k++) sum += exp((double)wnn_ref_get_f32(in, type, at + k * stride) - (double)greatest);
  for (size_t k = 0; k < count; k++) {
    double x = (double)wnn_ref_get_f32(in, type, at + k * stride);
    wnn_ref_put_f64(out, type, at + k * stride, exp(x - (double)greatest) / sum);
  }
}

void wnn_ref_softmax(const wnn_task *task, size_t begin, size_t end, void *scratch) {
  (void)begin, (void)end;
  (void)scratch;
  const wnn_softmax_args *args = task->params;
  const wnn_desc *desc = &task->inputs[0].desc;
  wnn_ref_axis axis = wnn_ref_split_axis(desc, args->axis);
  for (size_t outer = 0; outer < axis.outer; outer++)
    for (size_t inner = 0; inner < axis.inner; inner++)
      slice(task->inputs[0].data, task->outputs[0].data, desc->data_type, outer * axis.extent * axis.inner + inner,
            axis.extent, axis.inner);
}
