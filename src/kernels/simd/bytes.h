/* 8-bit integers to and from vectors of int32, and what integer results become. */
#ifndef WNN_KERNELS_SIMD_BYTES_H
#define WNN_KERNELS_SIMD_BYTES_H

#include "kernels/simd/simd.h"

typedef uint8_t wnn_bytes_u __attribute__((vector_size(WNN_VL)));
typedef int8_t wnn_bytes_i __attribute__((vector_size(WNN_VL)));

/* n <= WNN_VL bytes as int32, zeros behind them. */
#if defined(WNN_ISA_AVX512)
WNN_INLINE wnn_vi wnn_vi_load_u8(const void *p, size_t n) {
  return (wnn_vi)_mm512_cvtepu8_epi32(_mm_maskz_loadu_epi8(wnn_mask_n(n), p));
}
WNN_INLINE wnn_vi wnn_vi_load_i8(const void *p, size_t n) {
  return (wnn_vi)_mm512_cvtepi8_epi32(_mm_maskz_loadu_epi8(wnn_mask_n(n), p));
}
#elif defined(WNN_ISA_AVX2)
WNN_INLINE __m128i wnn_load_8_bytes(const void *p, size_t n) {
  if (n == WNN_VL) return _mm_loadl_epi64(p);
  int64_t bytes = 0;
  memcpy(&bytes, p, n);
  return _mm_cvtsi64_si128(bytes);
}
WNN_INLINE wnn_vi wnn_vi_load_u8(const void *p, size_t n) {
  return (wnn_vi)_mm256_cvtepu8_epi32(wnn_load_8_bytes(p, n));
}
WNN_INLINE wnn_vi wnn_vi_load_i8(const void *p, size_t n) {
  return (wnn_vi)_mm256_cvtepi8_epi32(wnn_load_8_bytes(p, n));
}
#else
WNN_INLINE wnn_vi wnn_vi_load_u8(const void *p, size_t n) {
  wnn_bytes_u bytes = {0};
  if (n == WNN_VL)
    memcpy(&bytes, p, WNN_VL);
  else
    memcpy(&bytes, p, n);
  return __builtin_convertvector(bytes, wnn_vi);
}
WNN_INLINE wnn_vi wnn_vi_load_i8(const void *p, size_t n) {
  wnn_bytes_i bytes = {0};
  if (n == WNN_VL)
    memcpy(&bytes, p, WNN_VL);
  else
    memcpy(&bytes, p, n);
  return __builtin_convertvector(bytes, wnn_vi);
}
#endif

/* The low byte of each of the first n elements. */
#if defined(WNN_ISA_AVX512)
WNN_INLINE void wnn_vi_store_8(void *p, wnn_vi x, size_t n) {
  _mm512_mask_cvtepi32_storeu_epi8(p, wnn_mask_n(n), (__m512i)x);
}
#else
WNN_INLINE void wnn_vi_store_8(void *p, wnn_vi x, size_t n) {
#if defined(WNN_ISA_AVX2)
  const __m256i low = _mm256_setr_epi8(0, 4, 8, 12, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 0, 4, 8, 12, -1, -1,
                                       -1, -1, -1, -1, -1, -1, -1, -1, -1, -1);
  __m256i picked = _mm256_shuffle_epi8((__m256i)x, low);
  __m128i bytes = _mm_unpacklo_epi32(_mm256_castsi256_si128(picked), _mm256_extracti128_si256(picked, 1));
#else
  wnn_bytes_u bytes = __builtin_convertvector((wnn_vu)x & 0xFF, wnn_bytes_u);
#endif
  if (n == WNN_VL)
    memcpy(p, &bytes, WNN_VL);
  else
    memcpy(p, &bytes, n);
}
#endif

/* Rounded to nearest, ties to even; within the range of int32. */
#if defined(WNN_ISA_AVX512)
WNN_INLINE wnn_vi wnn_vf_to_nearest(wnn_vf x) { return (wnn_vi)_mm512_cvtps_epi32((__m512)x); }
#elif defined(WNN_ISA_AVX2)
WNN_INLINE wnn_vi wnn_vf_to_nearest(wnn_vf x) { return (wnn_vi)_mm256_cvtps_epi32((__m256)x); }
#elif defined(WNN_SSE2)
WNN_INLINE wnn_vi wnn_vf_to_nearest(wnn_vf x) { return (wnn_vi)_mm_cvtps_epi32((__m128)x); }
#else
WNN_INLINE wnn_vi wnn_vf_to_nearest(wnn_vf x) { return wnn_vf_to_vi(wnn_vf_round_even(x)); }
#endif

#endif
