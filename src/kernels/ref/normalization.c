/* Reference kernels of batch, instance and layer normalization. */
#include "kernels/ref/util.h"

/* An element of operand number n of the task, or a default where that is absent. */
static double get(const wnn_task *task, uint32_t n, size_t i, double absent) {
  if (n >= task->input_count || !task->inputs[n].data) return absent;
  return (double)wnn_ref_get_f32(task->inputs[n].data, task->inputs[n].desc.data_type, i);
}

static void put(const wnn_task *task, size_t i, double value) {
  wnn_ref_put_f64(task->outputs[0].data, task->outputs[0].desc.data_type, i, value);
}

void wnn_ref_batch_normalization(const wnn_task *task, size_t begin, size_t end, void *scratch) {
  (void)scratch;
  const wnn_batch_normalization_args *args = task->params;
  const wnn_desc *desc = &task->inputs[0].desc;
  wnn_ref_axis axis = wnn_ref_split_axis(desc, args->options.axis);
  double epsilon = wnn_ref_round_to(desc->data_type, args->options.epsilon);
  for (size_t i = begin; i < end; i++) {
    size_t k = i / axis.inner % axis.extent;
    double normal = (get(task, 0, i, 0) - get(task, 1, k, 0)) / sqrt(get(task, 2, k, 0) + epsilon);
    put(task, i, normal * get(task, 3, k, 1) + get(task, 4, k, 0));
  }
}

/* Normalizes one group: the elements from `at` on that a walk over the group's own dimensions reaches.
 * Offset 0 of the walk leads through the input, offset 1 through scale and bias from index `channel` on.
 * Two passes, so that a large mean does not eat the digits of the variance. */
static void normalize(const wnn_task *task, const wnn_ref_walk *group, size_t count, size_t at, size_t channel,
                      double epsilon) {
  double sum = 0, squares = 0;
  wnn_ref_walk walk = *group;
  for (size_t k = 0; k < count; k++, wnn_ref_walk_next(&walk)) sum += get(task, 0, at + walk.offset[0], 0);
  double mean = sum / (double)count;
  for (size_t k = 0; k < count; k++, wnn_ref_walk_next(&walk)) { /* the walk has started over */
    double difference = get(task, 0, at + walk.offset[0], 0) - mean;
    squares += difference * difference;
  }
  double deviation = sqrt(squares / (double)count + epsilon);
  for (size_t k = 0; k < count; k++, wnn_ref_walk_next(&walk)) {
    size_t i = at + walk.offset[0], c = channel + walk.offset[1];
    put(task, i, (get(task, 0, i, 0) - mean) / deviation * get(task, 1, c, 1) + get(task, 2, c, 0));
  }
}

void wnn_ref_instance_normalization(const wnn_task *task, size_t begin, size_t end, void *scratch) {
  (void)begin, (void)end;
  (void)scratch;
  const wnn_instance_normalization_args *args = task->params;
  const wnn_desc *desc = &task->inputs[0].desc;
  bool last = args->options.layout == WNN_INPUT_LAYOUT_NHWC;
  double epsilon = wnn_ref_round_to(desc->data_type, args->options.epsilon);
  size_t channels = desc->shape[last ? 3 : 1], height = desc->shape[last ? 1 : 2], width = desc->shape[last ? 2 : 3];
  size_t count = height * width, step = last ? channels : 1;
  wnn_desc spatial = {desc->data_type, 1, {(uint32_t)count}};
  size_t strides[WNN_MAX_RANK] = {step}, none[WNN_MAX_RANK] = {0};
  wnn_ref_walk walk;
  wnn_ref_walk_init(&walk, &spatial, 0);
  wnn_ref_walk_add(&walk, strides);
  wnn_ref_walk_add(&walk, none);
  for (size_t n = 0; n < desc->shape[0]; n++)
    for (size_t c = 0; c < channels; c++)
      normalize(task, &walk, count, n * channels * count + (last ? c : c * count), c, epsilon);
}

void wnn_ref_layer_normalization(const wnn_task *task, size_t begin, size_t end, void *scratch) {
  (void)begin, (void)end;
  (void)scratch;
  const wnn_layer_normalization_args *args = task->params;
  const wnn_desc *desc = &task->inputs[0].desc;
  wnn_u32_list axes = args->options.axes;
  double epsilon = wnn_ref_round_to(desc->data_type, args->options.epsilon);
  size_t strides[WNN_MAX_RANK], group_strides[WNN_MAX_RANK], other_strides[WNN_MAX_RANK], dense[WNN_MAX_RANK];
  wnn_desc group = {desc->data_type, axes.count, {0}}, others = {desc->data_type, 0, {0}};
  uint32_t mask = 0;
  wnn_shape_strides(desc, strides);
  for (uint32_t i = 0; i < axes.count; i++) { /* in the order of axes, which is that of scale and bias */
    mask |= 1u << axes.data[i];
    group.shape[i] = desc->shape[axes.data[i]];
    group_strides[i] = strides[axes.data[i]];
  }
  for (uint32_t i = 0; i < desc->rank; i++) {
    if (mask >> i & 1) continue;
    other_strides[others.rank] = strides[i];
    others.shape[others.rank++] = desc->shape[i];
  }
  wnn_shape_strides(&group, dense);
  wnn_ref_walk inside, outside;
  wnn_ref_walk_init(&inside, &group, 0);
  wnn_ref_walk_add(&inside, group_strides);
  wnn_ref_walk_add(&inside, dense);
  wnn_ref_walk_init(&outside, &others, 0);
  wnn_ref_walk_add(&outside, other_strides);
  size_t groups = wnn_elements(&others), count = wnn_elements(&group);
  for (size_t g = 0; g < groups; g++, wnn_ref_walk_next(&outside))
    normalize(task, &inside, count, outside.offset[0], 0, epsilon);
}
