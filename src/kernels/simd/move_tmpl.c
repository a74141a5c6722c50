/* Transposition of matrices with elements of 1, 2 and 8 bytes, in tiles; repeated elements. */
#include <string.h>

#include "kernels/simd/simd.h"
#include "kernels/ukernels.h"

#define TRANSPOSE(bytes, type)                                                                                         \
  static void tile_##bytes(size_t rows, size_t columns, const char *from, size_t from_stride, char *to,                \
                           size_t to_stride) {                                                                         \
    for (size_t c = 0; c < columns; c++)                                                                               \
      for (size_t r = 0; r < rows; r++)                                                                                \
        memcpy(to + (c * to_stride + r) * bytes, from + (r * from_stride + c) * bytes, bytes);                         \
  }                                                                                                                    \
  void WNN_K(transpose_##bytes)(size_t rows, size_t columns, const void *from, size_t from_stride, void *to,           \
                                size_t to_stride) {                                                                    \
    enum { SIDE = 8 };                                                                                                 \
    for (size_t r = 0; r < rows; r += SIDE)                                                                            \
      for (size_t c = 0; c < columns; c += SIDE) {                                                                     \
        const char *source = (const char *)from + (r * from_stride + c) * bytes;                                       \
        char *target = (char *)to + (c * to_stride + r) * bytes;                                                       \
        size_t height = rows - r < SIDE ? rows - r : SIDE, width = columns - c < SIDE ? columns - c : SIDE;            \
        if (height == SIDE && width == SIDE)                                                                           \
          tile_##bytes(SIDE, SIDE, source, from_stride, target, to_stride);                                            \
        else                                                                                                           \
          tile_##bytes(height, width, source, from_stride, target, to_stride);                                         \
      }                                                                                                                \
  }
TRANSPOSE(2, uint16_t)
TRANSPOSE(8, uint64_t)

typedef uint8_t sixteen __attribute__((vector_size(16)));
#if defined(__clang__)
#define INTERLEAVE(a, b, o)                                                                                            \
  __builtin_shufflevector(a, b, o, o + 16, o + 1, o + 17, o + 2, o + 18, o + 3, o + 19, o + 4, o + 20, o + 5, o + 21,  \
                          o + 6, o + 22, o + 7, o + 23)
#else
#define INTERLEAVE(a, b, o)                                                                                            \
  __builtin_shuffle(a, b,                                                                                              \
                    (sixteen){o, o + 16, o + 1, o + 17, o + 2, o + 18, o + 3, o + 19, o + 4, o + 20, o + 5, o + 21,    \
                              o + 6, o + 22, o + 7, o + 23})
#endif

/* 16 rows of 16 bytes: each round makes twice as many rows neighbours. */
WNN_INLINE void transpose_block(const uint8_t *from, size_t from_stride, uint8_t *to, size_t to_stride) {
  sixteen x[16], y[16];
  WNN_UNROLL
  for (int i = 0; i < 16; i++) memcpy(&x[i], from + (size_t)i * from_stride, 16);
  WNN_UNROLL
  for (int round = 0; round < 2; round++) {
    WNN_UNROLL
    for (int i = 0; i < 8; i++) y[2 * i] = INTERLEAVE(x[i], x[i + 8], 0), y[2 * i + 1] = INTERLEAVE(x[i], x[i + 8], 8);
    WNN_UNROLL
    for (int i = 0; i < 8; i++) x[2 * i] = INTERLEAVE(y[i], y[i + 8], 0), x[2 * i + 1] = INTERLEAVE(y[i], y[i + 8], 8);
  }
  WNN_UNROLL
  for (int i = 0; i < 16; i++) memcpy(to + (size_t)i * to_stride, &x[i], 16);
}

void WNN_K(transpose_1)(size_t rows, size_t columns, const void *from, size_t from_stride, void *to, size_t to_stride) {
  const uint8_t *source = from;
  uint8_t *target = to;
  size_t whole_rows = rows / 16 * 16, whole = columns / 16 * 16;
  for (size_t r = 0; r < whole_rows; r += 16)
    for (size_t c = 0; c < whole; c += 16)
      transpose_block(source + r * from_stride + c, from_stride, target + c * to_stride + r, to_stride);
  for (size_t r = 0; r < rows; r++)
    for (size_t c = r < whole_rows ? whole : 0; c < columns; c++)
      target[c * to_stride + r] = source[r * from_stride + c];
}

/* ---- Repeated elements ---- */

/* The elements of x twice each, to two vectors. */
WNN_INLINE void twice(wnn_vi x, int32_t *to) {
#if defined(WNN_ISA_AVX512)
  const __m512i low = _mm512_setr_epi32(0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7);
  const __m512i high = _mm512_setr_epi32(8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13, 14, 14, 15, 15);
  wnn_vi_store(to, (wnn_vi)_mm512_permutexvar_epi32(low, (__m512i)x));
  wnn_vi_store(to + WNN_VL, (wnn_vi)_mm512_permutexvar_epi32(high, (__m512i)x));
#elif defined(WNN_ISA_AVX2)
  __m256i spread = _mm256_permute4x64_epi64((__m256i)x, 0xD8);
  wnn_vi_store(to, (wnn_vi)_mm256_unpacklo_epi32(spread, spread));
  wnn_vi_store(to + WNN_VL, (wnn_vi)_mm256_unpackhi_epi32(spread, spread));
#else
  wnn_quad all = (wnn_quad)x;
  wnn_vi_store(to, (wnn_vi)WNN_QUAD_SHUFFLE(all, all, 0, 0, 1, 1));
  wnn_vi_store(to + WNN_VL, (wnn_vi)WNN_QUAD_SHUFFLE(all, all, 2, 2, 3, 3));
#endif
}

WNN_INLINE void twice_at(const char *from, char *to, size_t i) {
  twice((wnn_vi)wnn_vf_load_loose((const wnn_loose *)(from + 4 * i)), (int32_t *)(void *)(to + 8 * i));
}

void WNN_K(repeat_4)(size_t n, size_t times, const void *from, void *to) {
  const char *source = from;
  char *target = to;
  if (times == 2 && n >= WNN_VL) {
    for (size_t i = 0; i + WNN_VL <= n; i += WNN_VL) twice_at(source, target, i);
    if (n % WNN_VL) twice_at(source, target, n - WNN_VL); /* some of them again */
    return;
  }
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < times; k++) memcpy(target + 4 * (i * times + k), source + 4 * i, 4);
}
