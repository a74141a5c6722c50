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

/* A square of WNN_VL rows and columns. First the quads of rows that are four apart come together in a vector, then four
 * by four elements within each quad are all that is left to transpose. Each row is read once, as a whole: with strides
 * that are powers of two all rows share one set of the cache. */
#if defined(WNN_ISA_AVX512)
typedef __m512 wide;
#define PAIRS_LOW(a, b) _mm512_unpacklo_ps(a, b)
#define PAIRS_HIGH(a, b) _mm512_unpackhi_ps(a, b)
#define HALVES(a, b, which) _mm512_shuffle_ps(a, b, (which) ? 0xEE : 0x44)
WNN_INLINE void gather_quads(const float *from, size_t stride, wide quads[4][4]) {
  WNN_UNROLL
  for (size_t i = 0; i < 4; i++) {
    __m512 a = _mm512_loadu_ps(from + i * stride), b = _mm512_loadu_ps(from + (i + 4) * stride);
    __m512 c = _mm512_loadu_ps(from + (i + 8) * stride), d = _mm512_loadu_ps(from + (i + 12) * stride);
    __m512 ab_low = _mm512_shuffle_f32x4(a, b, 0x44), ab_high = _mm512_shuffle_f32x4(a, b, 0xEE);
    __m512 cd_low = _mm512_shuffle_f32x4(c, d, 0x44), cd_high = _mm512_shuffle_f32x4(c, d, 0xEE);
    quads[0][i] = _mm512_shuffle_f32x4(ab_low, cd_low, 0x88), quads[1][i] = _mm512_shuffle_f32x4(ab_low, cd_low, 0xDD);
    quads[2][i] = _mm512_shuffle_f32x4(ab_high, cd_high, 0x88),
    quads[3][i] = _mm512_shuffle_f32x4(ab_high, cd_high, 0xDD);
  }
}
#elif defined(WNN_ISA_AVX2)
typedef __m256 wide;
#define PAIRS_LOW(a, b) _mm256_unpacklo_ps(a, b)
#define PAIRS_HIGH(a, b) _mm256_unpackhi_ps(a, b)
#define HALVES(a, b, which) _mm256_shuffle_ps(a, b, (which) ? 0xEE : 0x44)
WNN_INLINE void gather_quads(const float *from, size_t stride, wide quads[2][4]) {
  WNN_UNROLL
  for (size_t i = 0; i < 4; i++) {
    __m256 a = _mm256_loadu_ps(from + i * stride), b = _mm256_loadu_ps(from + (i + 4) * stride);
    quads[0][i] = _mm256_permute2f128_ps(a, b, 0x20), quads[1][i] = _mm256_permute2f128_ps(a, b, 0x31);
  }
}
#endif
WNN_INLINE void transpose_square(const float *from, size_t from_stride, float *to, size_t to_stride) {
#if WNN_VL > 4
  wide quads[WNN_VL / 4][4];
  gather_quads(from, from_stride, quads);
  WNN_UNROLL
  for (size_t c = 0; c < WNN_VL / 4; c++, to += 4 * to_stride) {
    const wide *q = quads[c];
    wide ab0 = PAIRS_LOW(q[0], q[1]), ab1 = PAIRS_HIGH(q[0], q[1]);
    wide cd0 = PAIRS_LOW(q[2], q[3]), cd1 = PAIRS_HIGH(q[2], q[3]);
    wnn_vf_store(to, (wnn_vf)HALVES(ab0, cd0, 0));
    wnn_vf_store(to + to_stride, (wnn_vf)HALVES(ab0, cd0, 1));
    wnn_vf_store(to + 2 * to_stride, (wnn_vf)HALVES(ab1, cd1, 0));
    wnn_vf_store(to + 3 * to_stride, (wnn_vf)HALVES(ab1, cd1, 1));
  }
#else
  wnn_quad q[4];
  for (size_t i = 0; i < 4; i++) q[i] = wnn_quad_load(from + i * from_stride);
  wnn_quad_transpose(q);
  for (size_t i = 0; i < 4; i++) wnn_quad_store(to + i * to_stride, q[i]);
#endif
}

/* Some rows, less than a square or with columns left over. */
static void transpose_rest(size_t rows, size_t columns, const float *from, size_t from_stride, float *to,
                           size_t to_stride) {
  size_t c = 0;
  for (; c + 4 <= columns; c += 4) {
    size_t r = 0;
    for (; r + 4 <= rows; r += 4) {
      wnn_quad q[4];
      for (size_t i = 0; i < 4; i++) q[i] = wnn_quad_load(from + (r + i) * from_stride + c);
      wnn_quad_transpose(q);
      for (size_t i = 0; i < 4; i++) wnn_quad_store(to + (c + i) * to_stride + r, q[i]);
    }
    for (; r < rows; r++)
      for (size_t i = 0; i < 4; i++) to[(c + i) * to_stride + r] = from[r * from_stride + c + i];
  }
  for (; c < columns; c++)
    for (size_t r = 0; r < rows; r++) to[c * to_stride + r] = from[r * from_stride + c];
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
  /* A line of the target is written whole while it is at hand: bands of columns, all rows of each. */
  size_t squares = rows - rows % WNN_VL, c = 0;
  for (; c + WNN_VL <= columns; c += WNN_VL) {
    for (size_t r = 0; r < squares; r += WNN_VL)
      transpose_square(from + r * from_stride + c, from_stride, to + c * to_stride + r, to_stride);
    if (squares < rows)
      transpose_rest(rows - squares, WNN_VL, from + squares * from_stride + c, from_stride,
                     to + c * to_stride + squares, to_stride);
  }
  for (size_t r = 0; c < columns && r < rows; r += 16)
    transpose_rest(rows - r < 16 ? rows - r : 16, columns - c, from + r * from_stride + c, from_stride,
                   to + c * to_stride + r, to_stride);
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
