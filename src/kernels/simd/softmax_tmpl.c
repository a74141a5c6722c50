/* Softmax of rows, and along columns. */
#include "kernels/simd/math.h"
#include "kernels/ukernels.h"

/* e^(x - greatest); greatest infinite or NaN gives NaN at least once, which the sum spreads. */
WNN_INLINE wnn_vf part(wnn_vf x, wnn_vf greatest) {
  return wnn_vf_exp_sum(wnn_vf_raise(x - greatest, wnn_vf_set(-105.0f)), wnn_vf_set(0.0f));
}

static void softmax_row(size_t n, const float *from, float *to) {
  wnn_vf most[4], sums[4];
  size_t i = 0;
  for (int j = 0; j < 4; j++) most[j] = wnn_vf_set(-INFINITY), sums[j] = wnn_vf_set(0.0f);
  /* NaN may get lost in the maximum here; it comes back by the sum. */
  for (; i + 4 * WNN_VL <= n; i += 4 * WNN_VL)
    for (int j = 0; j < 4; j++) most[j] = wnn_vf_raise(most[j], wnn_vf_load(from + i + j * WNN_VL));
  for (; i + WNN_VL <= n; i += WNN_VL) most[0] = wnn_vf_raise(most[0], wnn_vf_load(from + i));
  float greatest = wnn_vf_most(wnn_vf_raise(wnn_vf_raise(most[0], most[1]), wnn_vf_raise(most[2], most[3])));
  for (; i < n; i++) greatest = from[i] > greatest || from[i] != from[i] ? from[i] : greatest;
  const wnn_vf shift = wnn_vf_set(greatest);
  for (i = 0; i + 4 * WNN_VL <= n; i += 4 * WNN_VL)
    for (int j = 0; j < 4; j++) {
      wnn_vf e = part(wnn_vf_load(from + i + j * WNN_VL), shift);
      wnn_vf_store(to + i + j * WNN_VL, e);
      sums[j] += e;
    }
  for (; i + WNN_VL <= n; i += WNN_VL) {
    wnn_vf e = part(wnn_vf_load(from + i), shift);
    wnn_vf_store(to + i, e);
    sums[0] += e;
  }
  if (i < n) {
    wnn_vf e = part(wnn_vf_load_n(from + i, n - i), shift);
    wnn_vf_store_n(to + i, e, n - i);
    sums[1] += wnn_vf_load_n(to + i, n - i);
  }
  const wnn_vf factor = wnn_vf_set(1.0f / wnn_vf_total((sums[0] + sums[1]) + (sums[2] + sums[3])));
  for (i = 0; i + WNN_VL <= n; i += WNN_VL) wnn_vf_store(to + i, wnn_vf_load(to + i) * factor);
  if (i < n) wnn_vf_store_n(to + i, wnn_vf_load_n(to + i, n - i) * factor, n - i);
}

void WNN_K(f32_softmax)(size_t rows, size_t n, const float *from, float *to) {
  for (size_t r = 0; r < rows; r++) softmax_row(n, from + r * n, to + r * n);
}

void WNN_K(f32_softmax_columns)(size_t rows, size_t columns, size_t stride, const float *from, float *to) {
  for (size_t c = 0; c < columns; c += WNN_VL) {
    size_t n = columns - c < WNN_VL ? columns - c : WNN_VL;
    wnn_vf most = wnn_vf_set(-INFINITY), sum = wnn_vf_set(0.0f);
    const float *source = from + c;
    float *target = to + c;
    if (n == WNN_VL) {
      for (size_t r = 0; r < rows; r++) most = wnn_vf_max(most, wnn_vf_load(source + r * stride));
      for (size_t r = 0; r < rows; r++) {
        wnn_vf e = part(wnn_vf_load(source + r * stride), most);
        wnn_vf_store(target + r * stride, e);
        sum += e;
      }
      wnn_vf factor = 1.0f / sum;
      for (size_t r = 0; r < rows; r++) wnn_vf_store(target + r * stride, wnn_vf_load(target + r * stride) * factor);
      continue;
    }
    for (size_t r = 0; r < rows; r++) most = wnn_vf_max(most, wnn_vf_load_n(source + r * stride, n));
    for (size_t r = 0; r < rows; r++) {
      wnn_vf e = part(wnn_vf_load_n(source + r * stride, n), most);
      wnn_vf_store_n(target + r * stride, e, n);
      sum += e;
    }
    wnn_vf factor = 1.0f / sum;
    for (size_t r = 0; r < rows; r++)
      wnn_vf_store_n(target + r * stride, wnn_vf_load_n(target + r * stride, n) * factor, n);
  }
}
