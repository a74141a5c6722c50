/* Reference kernel of cumulativeSum. */
#include "kernels/ref/util.h"

/* Sums of one slice in float64 or modulo 2^64; the element is read before the sum may replace it. */
static void slice(const wnn_task *task, size_t at, size_t count, size_t stride) {
  const wnn_cumulative_sum_options *options = &((const wnn_cumulative_sum_args *)task->params)->options;
  const void *in = task->inputs[0].data;
  void *out = task->outputs[0].data;
  wnn_data_type type = task->inputs[0].desc.data_type;
  double sum = 0;
  uint64_t whole = 0;
  for (size_t k = 0; k < count; k++) {
    size_t i = at + (options->reversed ? count - 1 - k : k) * stride;
    if (wnn_is_float(type)) {
      double before = sum;
      sum += (double)wnn_ref_get_f32(in, type, i);
      wnn_ref_put_f64(out, type, i, options->exclusive ? before : sum);
    } else {
      uint64_t before = whole;
      whole += wnn_ref_get_u64(in, type, i);
      wnn_ref_put_u64(out, type, i, options->exclusive ? before : whole);
    }
  }
}

void wnn_ref_cumulative_sum(const wnn_task *task, size_t begin, size_t end, void *scratch) {
  (void)begin, (void)end;
  (void)scratch;
  const wnn_cumulative_sum_args *args = task->params;
  wnn_ref_axis axis = wnn_ref_split_axis(&task->inputs[0].desc, args->axis);
  for (size_t outer = 0; outer < axis.outer; outer++)
    for (size_t inner = 0; inner < axis.inner; inner++)
      slice(task, outer * axis.extent * axis.inner + inner, axis.extent, axis.inner);
}
