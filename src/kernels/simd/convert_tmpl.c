/* Transposition, and float16 to and from float32. */
#include "kernels/simd/simd.h"
#include "kernels/ukernels.h"

/* A few rows, such as the colours of a picture: four columns make four short rows, written one over the end of the
 * other; the last four are left out, since nothing comes after them. Returns the columns done. */
WNN_INLINE size_t interleave(size_t rows, size_t columns, const float *from, size_t from_stride, float *to) {
  size_t c = 0;
  for (; c + 8 <= columns; c += 4) {
    wnn_quad q[4] = {wnn_quad_load(from + c)};
    for (size_t i = 1; i < 4; i++) q[i] = wnn_quad_load(from + (i < rows ? i : 0) * from_stride + c);
    wnn_quad_transpose(q);
    for (size_t i = 0; i < 4; i++) wnn_quad_store(to + (c + i) * rows, q[i]);
  }
  return c;
}

void WNN_K(f32_transpose)(size_t rows, size_t columns, const float *from, size_t from_stride, float *to,
                          size_t to_stride) {
  if (rows == to_stride && rows >= 2 && rows <= 3) {
    size_t done =
        rows == 2 ? interleave(2, columns, from, from_stride, to) : interleave(3, columns, from, from_stride, to);
    for (size_t c = done; c < columns; c++)
      for (size_t r = 0; r < rows; r++) to[c * rows + r] = from[r * from_stride + c];
    return;
  }
  /* Bands of 16 rows, so that each line of the target is written whole while it is at hand. */
  for (size_t r0 = 0; r0 < rows; r0 += 16) {
    size_t r1 = rows - r0 < 16 ? rows : r0 + 16;
    size_t c = 0;
    for (; c + 4 <= columns; c += 4) {
      size_t r = r0;
      for (; r + 4 <= r1; r += 4) {
        wnn_quad q[4];
        for (size_t i = 0; i < 4; i++) q[i] = wnn_quad_load(from + (r + i) * from_stride + c);
        wnn_quad_transpose(q);
        for (size_t i = 0; i < 4; i++) wnn_quad_store(to + (c + i) * to_stride + r, q[i]);
      }
      for (; r < r1; r++)
        for (size_t i = 0; i < 4; i++) to[(c + i) * to_stride + r] = from[r * from_stride + c + i];
    }
    for (; c < columns; c++)
      for (size_t r = r0; r < r1; r++) to[c * to_stride + r] = from[r * from_stride + c];
  }
}

void WNN_K(f32_widen)(size_t n, const uint16_t *from, float *to) {
  size_t i = 0;
  for (; i + WNN_VL <= n; i += WNN_VL) wnn_vf_store(to + i, wnn_vf_load_f16(from + i));
  for (; i < n; i++) to[i] = wnn_f16_to_f32(from[i]);
}

void WNN_K(f32_narrow)(size_t n, const float *from, uint16_t *to) {
  size_t i = 0;
  for (; i + WNN_VL <= n; i += WNN_VL) wnn_vf_store_f16(to + i, wnn_vf_load(from + i));
  for (; i < n; i++) to[i] = wnn_f32_to_f16(from[i]);
}

/* ---- Sums of float16 ---- */

WNN_INLINE wnn_vf rounded(wnn_vf x) {
  uint16_t words[WNN_VL];
  wnn_vf_store_f16(words, x);
  return wnn_vf_load_f16(words);
}

void WNN_K(f16_add_rows)(uint32_t count, const uint16_t *const *sources, size_t n, float *to, uint16_t *sum) {
  size_t i = 0;
  for (; i + WNN_VL <= n; i += WNN_VL) {
    wnn_vf x = wnn_vf_load_f16(sources[0] + i);
    for (uint32_t k = 1; k < count; k++) x = rounded(x + wnn_vf_load_f16(sources[k] + i));
    wnn_vf_store(to + i, x);
    if (sum) wnn_vf_store_f16(sum + i, x);
  }
  if (i == n) return;
  wnn_vf x = wnn_vf_load_f16_n(sources[0] + i, n - i);
  for (uint32_t k = 1; k < count; k++) x = rounded(x + wnn_vf_load_f16_n(sources[k] + i, n - i));
  wnn_vf_store_n(to + i, x, n - i);
  if (sum) wnn_vf_store_f16_n(sum + i, x, n - i);
}
