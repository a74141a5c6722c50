/* Reference kernel of cast. */
#include "kernels/ref/util.h"

/* Truncates toward zero, saturates, NaN gives 0. The bounds are powers of two, so exact as doubles. */
static uint64_t to_integer(double x, wnn_data_type type) {
  if (x != x) return 0;
  int64_t low = wnn_ref_int_min(type);
  uint64_t high = wnn_ref_int_max(type);
  x = trunc(x);
  if (x <= (double)low) return (uint64_t)low;
  /* (double)high + 1 is the exact power of two above high for every type: for 64-bit types the conversion
   * itself rounds up to it. */
  double bound = high >> 53 ? (double)high : (double)high + 1;
  if (x >= bound) return high;
  return x < 0 ? (uint64_t)(int64_t)x : (uint64_t)x;
}

/* An integer extended to 64 bits rounded once to float32 or float16. */
static void put_integer(void *out, wnn_data_type type, size_t i, uint64_t bits, bool is_signed) {
  if (type == WNN_FLOAT32) {
    ((float *)out)[i] = is_signed ? (float)(int64_t)bits : (float)bits;
    return;
  }
  /* Whatever double cannot hold exactly is far above the greatest float16. */
  ((uint16_t *)out)[i] = wnn_f64_to_f16(is_signed ? (double)(int64_t)bits : (double)bits);
}

void wnn_ref_cast(const wnn_task *task, size_t begin, size_t end, void *scratch) {
  (void)scratch;
  const void *in = task->inputs[0].data;
  void *out = task->outputs[0].data;
  wnn_data_type from = task->inputs[0].desc.data_type, to = task->outputs[0].desc.data_type;
  if (from == to) {
    size_t size = wnn_data_type_size(from);
    memmove((char *)out + begin * size, (const char *)in + begin * size, (end - begin) * size);
    return;
  }
  for (size_t i = begin; i < end; i++) {
    if (wnn_is_float(from)) {
      float x = wnn_ref_get_f32(in, from, i);
      if (wnn_is_float(to))
        wnn_ref_put_f32(out, to, i, x);
      else
        wnn_ref_put_u64(out, to, i, to_integer((double)x, to));
    } else {
      uint64_t x = wnn_ref_get_u64(in, from, i);
      if (wnn_is_float(to))
        put_integer(out, to, i, x, wnn_is_signed(from));
      else
        wnn_ref_put_u64(out, to, i, x);
    }
  }
}
