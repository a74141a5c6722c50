/* Reference gemm, matmul and triangular. */
#include "kernels/ref/util.h"

/* Sum over k of a[a_at + k * a_step] * b[b_at + k * b_step]. */
static double dot(const void *a, size_t a_at, size_t a_step, const void *b, size_t b_at, size_t b_step, size_t count,
                  wnn_data_type type) {
  double sum = 0;
  for (size_t k = 0; k < count; k++)
    sum += (double)wnn_ref_get_f32(a, type, a_at + k * a_step) * (double)wnn_ref_get_f32(b, type, b_at + k * b_step);
  return sum;
}

void wnn_ref_gemm(const wnn_task *task, size_t begin, size_t end, void *scratch) {
  (void)scratch;
  const wnn_gemm_options *options = &((const wnn_gemm_args *)task->params)->options;
  const wnn_desc *a = &task->inputs[0].desc, *b = &task->inputs[1].desc, *output = &task->outputs[0].desc;
  const void *c = task->inputs[2].data;
  wnn_data_type type = output->data_type;
  size_t inner = a->shape[!options->a_transpose], columns = output->shape[1];
  size_t a_row = options->a_transpose ? 1 : inner, a_step = options->a_transpose ? a->shape[1] : 1;
  size_t b_column = options->b_transpose ? inner : 1, b_step = options->b_transpose ? 1 : b->shape[1];
  double alpha = wnn_ref_round_to(type, options->alpha), beta = wnn_ref_round_to(type, options->beta);
  size_t c_strides[WNN_MAX_RANK] = {0, 0};
  if (c) wnn_shape_broadcast_strides(&task->inputs[2].desc, output, c_strides);

  for (size_t index = begin; index < end; index++) {
    size_t i = index / columns, j = index % columns;
    double product =
        dot(task->inputs[0].data, i * a_row, a_step, task->inputs[1].data, j * b_column, b_step, inner, type);
    double value = alpha * product;
    if (c) value += beta * (double)wnn_ref_get_f32(c, type, i * c_strides[0] + j * c_strides[1]);
    wnn_ref_put_f64(task->outputs[0].data, type, index, value);
  }
}

/* Element offset of the matrix that operand `desc` contributes to matrix number `batch` of the output. */
static size_t matrix_offset(const wnn_desc *desc, const wnn_desc *output, size_t batch) {
  wnn_desc leading = *desc, target = *output;
  leading.rank -= 2;
  target.rank -= 2;
  size_t strides[WNN_MAX_RANK], coordinates[WNN_MAX_RANK], offset = 0;
  wnn_shape_broadcast_strides(&leading, &target, strides);
  wnn_shape_unravel(&target, batch, coordinates);
  for (uint32_t i = 0; i < target.rank; i++) offset += coordinates[i] * strides[i];
  return offset * desc->shape[desc->rank - 2] * desc->shape[desc->rank - 1];
}

void wnn_ref_matmul(const wnn_task *task, size_t begin, size_t end, void *scratch) {
  (void)scratch;
  const wnn_desc *a = &task->inputs[0].desc, *b = &task->inputs[1].desc, *output = &task->outputs[0].desc;
  wnn_data_type type = output->data_type;
  size_t inner = a->shape[a->rank - 1];
  size_t rows = output->shape[output->rank - 2], columns = output->shape[output->rank - 1];

  for (size_t index = begin; index < end; index++) {
    size_t batch = index / (rows * columns), i = index / columns % rows, j = index % columns;
    size_t a_at = matrix_offset(a, output, batch) + i * inner, b_at = matrix_offset(b, output, batch) + j;
    wnn_ref_put_f64(task->outputs[0].data, type, index,
                    dot(task->inputs[0].data, a_at, 1, task->inputs[1].data, b_at, columns, inner, type));
  }
}

void wnn_ref_triangular(const wnn_task *task, size_t begin, size_t end, void *scratch) {
  (void)scratch;
  const wnn_triangular_options *options = &((const wnn_triangular_args *)task->params)->options;
  const wnn_desc *output = &task->outputs[0].desc;
  size_t size = wnn_data_type_size(output->data_type);
  size_t rows = output->shape[output->rank - 2], columns = output->shape[output->rank - 1];
  for (size_t index = begin; index < end; index++) {
    int64_t above = (int64_t)(index % columns) - (int64_t)(index / columns % rows);
    bool kept = options->upper ? above >= options->diagonal : above <= options->diagonal;
    if (kept)
      wnn_ref_copy_element(task->outputs[0].data, index, task->inputs[0].data, index, size);
    else
      memset((char *)task->outputs[0].data + index * size, 0, size);
  }
}
