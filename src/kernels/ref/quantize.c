/* Reference kernels of quantizeLinear and dequantizeLinear. */
#include "kernels/ref/util.h"

/* A walk over the input that also leads through scale and zero point. Dimensions with one block or one
 * element a block are plain strides of it; the others, rarely more than one, need a division each. */
typedef struct block_walk {
  wnn_ref_walk walk;
  uint32_t count; /* dimensions of larger blocks */
  uint32_t dimension[WNN_MAX_RANK], size[WNN_MAX_RANK];
  size_t stride[WNN_MAX_RANK];
} block_walk;

static void block_walk_init(block_walk *blocks, const wnn_desc *input, const wnn_desc *scale, size_t begin) {
  size_t strides[WNN_MAX_RANK];
  blocks->count = 0;
  wnn_shape_strides(scale, strides);
  for (uint32_t i = 0; i < input->rank; i++) {
    if (scale->shape[i] == input->shape[i]) continue;
    if (scale->shape[i] != 1) {
      uint32_t n = blocks->count++;
      blocks->dimension[n] = i;
      blocks->size[n] = input->shape[i] / scale->shape[i];
      blocks->stride[n] = strides[i];
    }
    strides[i] = 0;
  }
  wnn_ref_walk_init(&blocks->walk, input, begin);
  wnn_ref_walk_add(&blocks->walk, strides);
}

/* Index into scale and zero point. */
static size_t block_index(const block_walk *blocks) {
  size_t index = blocks->walk.offset[0];
  for (uint32_t n = 0; n < blocks->count; n++)
    index += blocks->walk.position[blocks->dimension[n]] / blocks->size[n] * blocks->stride[n];
  return index;
}

/* The quotient is rounded to float32 as the division of fast kernels is, then to the even integer, then
 * shifted and limited, in integers of 64 bits. */
static uint64_t quantize(float quotient, int64_t zero, wnn_data_type type) {
  double whole = wnn_ref_round_even((double)quotient);
  if (whole != whole) return 0;
  /* Beyond 2^40 every zero point of 32 bits is out of sight. */
  int64_t value = (whole > 0x1p40 ? INT64_C(1) << 40 : whole < -0x1p40 ? -(INT64_C(1) << 40) : (int64_t)whole) + zero;
  int64_t low = wnn_ref_int_min(type), high = (int64_t)wnn_ref_int_max(type);
  return (uint64_t)(value < low ? low : value > high ? high : value);
}

void wnn_ref_quantize_linear(const wnn_task *task, size_t begin, size_t end, void *scratch) {
  (void)scratch;
  const wnn_view *input = &task->inputs[0], *scale = &task->inputs[1], *zero = &task->inputs[2];
  const wnn_view *output = &task->outputs[0];
  wnn_data_type from = input->desc.data_type, to = output->desc.data_type;
  block_walk blocks;
  block_walk_init(&blocks, &input->desc, &scale->desc, begin);
  for (size_t i = begin; i < end; i++, wnn_ref_walk_next(&blocks.walk)) {
    size_t block = block_index(&blocks);
    float quotient = wnn_ref_get_f32(input->data, from, i) / wnn_ref_get_f32(scale->data, from, block);
    wnn_ref_put_u64(output->data, to, i, quantize(quotient, wnn_ref_get_i64(zero->data, to, block), to));
  }
}

void wnn_ref_dequantize_linear(const wnn_task *task, size_t begin, size_t end, void *scratch) {
  (void)scratch;
  const wnn_view *input = &task->inputs[0], *scale = &task->inputs[1], *zero = &task->inputs[2];
  const wnn_view *output = &task->outputs[0];
  wnn_data_type from = input->desc.data_type, to = output->desc.data_type;
  block_walk blocks;
  block_walk_init(&blocks, &input->desc, &scale->desc, begin);
  for (size_t i = begin; i < end; i++, wnn_ref_walk_next(&blocks.walk)) {
    size_t block = block_index(&blocks);
    int64_t difference = wnn_ref_get_i64(input->data, from, i) - wnn_ref_get_i64(zero->data, from, block);
    double factor = (double)wnn_ref_get_f32(scale->data, to, block);
    wnn_ref_put_f64(output->data, to, i, (double)difference * factor);
  }
}
