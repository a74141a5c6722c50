/* Vectors of one instruction set, the one that WNN_ISA names. A template written with them serves all.
 *
 * wnn_vf, wnn_vi, wnn_vu: WNN_VL floats, int32s, uint32s; the operators + - * / & | ^ ~ << >> work element by
 * element, a * b + c becomes one multiply-add where there is one. Comparisons give wnn_vi masks of 0 and -1.
 * Floats are compared by IEEE rules. Loads and stores need the alignment of the element only; the _n forms
 * touch n elements, 0 <= n <= WNN_VL, and load zeros for the others. */
#ifndef WNN_KERNELS_SIMD_SIMD_H
#define WNN_KERNELS_SIMD_SIMD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/dtype.h"

#if defined(__x86_64__)
#include <immintrin.h>
#define WNN_SSE2 1
#endif

#if defined(WNN_ISA_AVX512)
#define WNN_VL 16
#elif defined(WNN_ISA_AVX2)
#define WNN_VL 8
#else
#define WNN_VL 4
#endif

#define WNN_INLINE static inline __attribute__((always_inline, unused))

/* Before a loop with a small constant count: unrolled whole, so that arrays of vectors stay in registers. */
#if defined(__clang__)
#pragma clang diagnostic ignored "-Wpass-failed" /* a loop with a variable inner loop may stay one */
#define WNN_UNROLL _Pragma("clang loop unroll(full)")
#else
#define WNN_UNROLL _Pragma("GCC unroll 32")
#endif

typedef float wnn_vf __attribute__((vector_size(4 * WNN_VL), may_alias));
typedef int32_t wnn_vi __attribute__((vector_size(4 * WNN_VL), may_alias));
typedef uint32_t wnn_vu __attribute__((vector_size(4 * WNN_VL), may_alias));
typedef float wnn_vf_unaligned __attribute__((vector_size(4 * WNN_VL), may_alias, aligned(4)));
typedef float wnn_vf_loose __attribute__((vector_size(4 * WNN_VL), may_alias, aligned(1)));
typedef int32_t wnn_vi_unaligned __attribute__((vector_size(4 * WNN_VL), may_alias, aligned(4)));

/* ---- Loads, stores, constants ---- */

WNN_INLINE wnn_vf wnn_vf_set(float x) { return x - (wnn_vf){0}; }
WNN_INLINE wnn_vi wnn_vi_set(int32_t x) { return x - (wnn_vi){0}; }
WNN_INLINE wnn_vf wnn_vf_load_loose(const wnn_loose *p) { return *(const wnn_vf_loose *)p; }
WNN_INLINE wnn_vf wnn_vf_load(const float *p) { return *(const wnn_vf_unaligned *)p; }
WNN_INLINE void wnn_vf_store(float *p, wnn_vf x) { *(wnn_vf_unaligned *)p = x; }
WNN_INLINE wnn_vi wnn_vi_load(const int32_t *p) { return *(const wnn_vi_unaligned *)p; }
WNN_INLINE void wnn_vi_store(int32_t *p, wnn_vi x) { *(wnn_vi_unaligned *)p = x; }

/* The same value, from here on in a register: a compiler would rather load it again for each use. */
WNN_INLINE wnn_vf wnn_vf_keep(wnn_vf x) {
#if defined(WNN_ISA_AVX512)
  __asm__("" : "+v"(x));
#elif defined(WNN_SSE2)
  __asm__("" : "+x"(x));
#elif defined(__aarch64__)
  __asm__("" : "+w"(x));
#endif
  return x;
}

#if defined(WNN_ISA_AVX512)
WNN_INLINE __mmask16 wnn_mask_n(size_t n) { return (__mmask16)((1u << n) - 1u); }
WNN_INLINE wnn_vf wnn_vf_load_n(const float *p, size_t n) { return (wnn_vf)_mm512_maskz_loadu_ps(wnn_mask_n(n), p); }
WNN_INLINE void wnn_vf_store_n(float *p, wnn_vf x, size_t n) { _mm512_mask_storeu_ps(p, wnn_mask_n(n), (__m512)x); }
WNN_INLINE wnn_vi wnn_vi_load_n(const int32_t *p, size_t n) {
  return (wnn_vi)_mm512_maskz_loadu_epi32(wnn_mask_n(n), p);
}
WNN_INLINE void wnn_vi_store_n(int32_t *p, wnn_vi x, size_t n) {
  _mm512_mask_storeu_epi32(p, wnn_mask_n(n), (__m512i)x);
}
#elif defined(WNN_ISA_AVX2)
WNN_INLINE __m256i wnn_mask_n(size_t n) {
  return _mm256_cmpgt_epi32(_mm256_set1_epi32((int)n), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}
WNN_INLINE wnn_vf wnn_vf_load_n(const float *p, size_t n) { return (wnn_vf)_mm256_maskload_ps(p, wnn_mask_n(n)); }
WNN_INLINE void wnn_vf_store_n(float *p, wnn_vf x, size_t n) { _mm256_maskstore_ps(p, wnn_mask_n(n), (__m256)x); }
WNN_INLINE wnn_vi wnn_vi_load_n(const int32_t *p, size_t n) { return (wnn_vi)_mm256_maskload_epi32(p, wnn_mask_n(n)); }
WNN_INLINE void wnn_vi_store_n(int32_t *p, wnn_vi x, size_t n) { _mm256_maskstore_epi32(p, wnn_mask_n(n), (__m256i)x); }
#else
WNN_INLINE wnn_vf wnn_vf_load_n(const float *p, size_t n) {
  wnn_vf x = {0};
  for (size_t i = 0; i < n; i++) x[i] = p[i];
  return x;
}
WNN_INLINE void wnn_vf_store_n(float *p, wnn_vf x, size_t n) {
  for (size_t i = 0; i < n; i++) p[i] = x[i];
}
WNN_INLINE wnn_vi wnn_vi_load_n(const int32_t *p, size_t n) {
  wnn_vi x = {0};
  for (size_t i = 0; i < n; i++) x[i] = p[i];
  return x;
}
WNN_INLINE void wnn_vi_store_n(int32_t *p, wnn_vi x, size_t n) {
  for (size_t i = 0; i < n; i++) p[i] = x[i];
}
#endif

/* The first n elements, zeros for the others. */
#if defined(WNN_ISA_AVX512)
WNN_INLINE wnn_vf wnn_vf_first(wnn_vf x, size_t n) { return (wnn_vf)_mm512_maskz_mov_ps(wnn_mask_n(n), (__m512)x); }
#elif defined(WNN_ISA_AVX2)
WNN_INLINE wnn_vf wnn_vf_first(wnn_vf x, size_t n) { return (wnn_vf)((__m256i)x & wnn_mask_n(n)); }
#else
WNN_INLINE wnn_vf wnn_vf_first(wnn_vf x, size_t n) {
  for (size_t i = n; i < WNN_VL; i++) x[i] = 0;
  return x;
}
#endif

/* A vector of which only the elements from .. to - 1 are there (0 <= from, to <= WNN_VL, perhaps none): it begins
 * `offset` floats after base, which may be before anything that may be read. The others load as zeros. */
#if defined(WNN_ISA_AVX512)
typedef __mmask16 wnn_part;
WNN_INLINE wnn_part wnn_part_of(int from, int to) {
  return (__mmask16)((1u << to) - 1u) & (__mmask16) ~((1u << from) - 1u);
}
WNN_INLINE wnn_vf wnn_vf_load_part(const float *base, ptrdiff_t offset, wnn_part part) {
  uintptr_t at = (uintptr_t)base + (uintptr_t)offset * sizeof *base;
  return (wnn_vf)_mm512_maskz_loadu_ps(part, (const void *)at);
}
#elif defined(WNN_ISA_AVX2)
typedef __m256i wnn_part;
WNN_INLINE wnn_part wnn_part_of(int from, int to) {
  __m256i index = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  return _mm256_andnot_si256(_mm256_cmpgt_epi32(_mm256_set1_epi32(from), index),
                             _mm256_cmpgt_epi32(_mm256_set1_epi32(to), index));
}
WNN_INLINE wnn_vf wnn_vf_load_part(const float *base, ptrdiff_t offset, wnn_part part) {
  uintptr_t at = (uintptr_t)base + (uintptr_t)offset * sizeof *base;
  return (wnn_vf)_mm256_maskload_ps((const float *)at, part);
}
#else
typedef struct wnn_part {
  int from, to;
} wnn_part;
WNN_INLINE wnn_part wnn_part_of(int from, int to) { return (wnn_part){from, to}; }
WNN_INLINE wnn_vf wnn_vf_load_part(const float *base, ptrdiff_t offset, wnn_part part) {
  wnn_vf x = {0};
  for (int i = part.from; i < part.to; i++) x[i] = base[offset + i];
  return x;
}
#endif

/* ---- Halves ---- */

/* load_twice: half a vector, in both halves. swap_halves: they change places. join_halves: the first one of a, the
 * second one of b. */
#if defined(WNN_ISA_AVX512)
WNN_INLINE wnn_vf wnn_vf_load_twice(const float *p) { return (wnn_vf)_mm512_broadcast_f32x8(_mm256_loadu_ps(p)); }
WNN_INLINE wnn_vf wnn_vf_swap_halves(wnn_vf x) { return (wnn_vf)_mm512_shuffle_f32x4((__m512)x, (__m512)x, 0x4E); }
WNN_INLINE wnn_vf wnn_vf_join_halves(wnn_vf a, wnn_vf b) {
  return (wnn_vf)_mm512_mask_blend_ps(0xFF00, (__m512)a, (__m512)b);
}
#elif defined(WNN_ISA_AVX2)
WNN_INLINE wnn_vf wnn_vf_load_twice(const float *p) {
  return (wnn_vf)_mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)p));
}
WNN_INLINE wnn_vf wnn_vf_swap_halves(wnn_vf x) { return (wnn_vf)_mm256_permute2f128_ps((__m256)x, (__m256)x, 1); }
WNN_INLINE wnn_vf wnn_vf_join_halves(wnn_vf a, wnn_vf b) { return (wnn_vf)_mm256_blend_ps((__m256)a, (__m256)b, 0xF0); }
#else
WNN_INLINE wnn_vf wnn_vf_load_twice(const float *p) { return (wnn_vf){p[0], p[1], p[0], p[1]}; }
WNN_INLINE wnn_vf wnn_vf_swap_halves(wnn_vf x) { return (wnn_vf){x[2], x[3], x[0], x[1]}; }
WNN_INLINE wnn_vf wnn_vf_join_halves(wnn_vf a, wnn_vf b) { return (wnn_vf){a[0], a[1], b[2], b[3]}; }
#endif

/* ---- Choice, limits ---- */

/* yes where the mask is set, no elsewhere. */
#if defined(WNN_ISA_AVX2) && !defined(WNN_ISA_AVX512)
WNN_INLINE wnn_vf wnn_vf_select(wnn_vi mask, wnn_vf yes, wnn_vf no) {
  return (wnn_vf)_mm256_blendv_ps((__m256)no, (__m256)yes, (__m256)mask);
}
#else
WNN_INLINE wnn_vf wnn_vf_select(wnn_vi mask, wnn_vf yes, wnn_vf no) {
  return (wnn_vf)((mask & (wnn_vi)yes) | (~mask & (wnn_vi)no));
}
#endif
WNN_INLINE wnn_vi wnn_vi_select(wnn_vi mask, wnn_vi yes, wnn_vi no) { return (mask & yes) | (~mask & no); }
WNN_INLINE wnn_vi wnn_vf_isnan(wnn_vf x) { return (wnn_vi)(x != x); }

/* The larger (smaller) of x and limit; x where it is NaN or equal to limit. One instruction on x86. */
#if defined(WNN_ISA_AVX512)
WNN_INLINE wnn_vf wnn_vf_raise(wnn_vf x, wnn_vf limit) { return (wnn_vf)_mm512_max_ps((__m512)limit, (__m512)x); }
WNN_INLINE wnn_vf wnn_vf_lower(wnn_vf x, wnn_vf limit) { return (wnn_vf)_mm512_min_ps((__m512)limit, (__m512)x); }
#elif defined(WNN_ISA_AVX2)
WNN_INLINE wnn_vf wnn_vf_raise(wnn_vf x, wnn_vf limit) { return (wnn_vf)_mm256_max_ps((__m256)limit, (__m256)x); }
WNN_INLINE wnn_vf wnn_vf_lower(wnn_vf x, wnn_vf limit) { return (wnn_vf)_mm256_min_ps((__m256)limit, (__m256)x); }
#elif defined(WNN_SSE2)
WNN_INLINE wnn_vf wnn_vf_raise(wnn_vf x, wnn_vf limit) { return (wnn_vf)_mm_max_ps((__m128)limit, (__m128)x); }
WNN_INLINE wnn_vf wnn_vf_lower(wnn_vf x, wnn_vf limit) { return (wnn_vf)_mm_min_ps((__m128)limit, (__m128)x); }
#else
WNN_INLINE wnn_vf wnn_vf_raise(wnn_vf x, wnn_vf limit) { return wnn_vf_select((wnn_vi)(limit > x), limit, x); }
WNN_INLINE wnn_vf wnn_vf_lower(wnn_vf x, wnn_vf limit) { return wnn_vf_select((wnn_vi)(limit < x), limit, x); }
#endif

/* Maximum and minimum that are NaN when either operand is; of two zeros either one. */
#if defined(WNN_ISA_AVX512)
WNN_INLINE wnn_vf wnn_vf_max(wnn_vf a, wnn_vf b) {
  __mmask16 ordered = _mm512_cmp_ps_mask((__m512)b, (__m512)b, _CMP_ORD_Q);
  return (wnn_vf)_mm512_mask_max_ps((__m512)b, ordered, (__m512)b, (__m512)a);
}
WNN_INLINE wnn_vf wnn_vf_min(wnn_vf a, wnn_vf b) {
  __mmask16 ordered = _mm512_cmp_ps_mask((__m512)b, (__m512)b, _CMP_ORD_Q);
  return (wnn_vf)_mm512_mask_min_ps((__m512)b, ordered, (__m512)b, (__m512)a);
}
#else
WNN_INLINE wnn_vf wnn_vf_max(wnn_vf a, wnn_vf b) { return wnn_vf_select(wnn_vf_isnan(b), b, wnn_vf_raise(a, b)); }
WNN_INLINE wnn_vf wnn_vf_min(wnn_vf a, wnn_vf b) { return wnn_vf_select(wnn_vf_isnan(b), b, wnn_vf_lower(a, b)); }
#endif
WNN_INLINE wnn_vf wnn_vf_abs(wnn_vf x) { return (wnn_vf)((wnn_vi)x & 0x7FFFFFFF); }
/* Magnitude of x with the sign of s. */
WNN_INLINE wnn_vf wnn_vf_copysign(wnn_vf x, wnn_vf s) {
  return (wnn_vf)(((wnn_vi)x & 0x7FFFFFFF) | ((wnn_vi)s & (int32_t)0x80000000));
}

/* ---- Roots and rounding ---- */

#if defined(WNN_ISA_AVX512)
WNN_INLINE wnn_vf wnn_vf_sqrt(wnn_vf x) { return (wnn_vf)_mm512_sqrt_ps((__m512)x); }
WNN_INLINE wnn_vf wnn_vf_floor(wnn_vf x) { return (wnn_vf)_mm512_roundscale_ps((__m512)x, 9); }
WNN_INLINE wnn_vf wnn_vf_ceil(wnn_vf x) { return (wnn_vf)_mm512_roundscale_ps((__m512)x, 10); }
WNN_INLINE wnn_vf wnn_vf_round_even(wnn_vf x) { return (wnn_vf)_mm512_roundscale_ps((__m512)x, 8); }
#elif defined(WNN_ISA_AVX2)
WNN_INLINE wnn_vf wnn_vf_sqrt(wnn_vf x) { return (wnn_vf)_mm256_sqrt_ps((__m256)x); }
WNN_INLINE wnn_vf wnn_vf_floor(wnn_vf x) { return (wnn_vf)_mm256_round_ps((__m256)x, 9); }
WNN_INLINE wnn_vf wnn_vf_ceil(wnn_vf x) { return (wnn_vf)_mm256_round_ps((__m256)x, 10); }
WNN_INLINE wnn_vf wnn_vf_round_even(wnn_vf x) { return (wnn_vf)_mm256_round_ps((__m256)x, 8); }
#else
#if defined(WNN_SSE2)
WNN_INLINE wnn_vf wnn_vf_sqrt(wnn_vf x) { return (wnn_vf)_mm_sqrt_ps((__m128)x); }
#else
WNN_INLINE wnn_vf wnn_vf_sqrt(wnn_vf x) {
  for (int i = 0; i < WNN_VL; i++) x[i] = __builtin_sqrtf(x[i]);
  return x;
}
#endif
/* Adding and taking away 2^23 rounds what lies below; larger numbers are whole. The sign of zero stays. */
WNN_INLINE wnn_vf wnn_vf_round_even(wnn_vf x) {
  wnn_vf magnitude = wnn_vf_abs(x);
  wnn_vf rounded = wnn_vf_copysign((magnitude + 8388608.0f) - 8388608.0f, x);
  return wnn_vf_select((wnn_vi)(magnitude < wnn_vf_set(8388608.0f)), rounded, x);
}
WNN_INLINE wnn_vf wnn_vf_floor(wnn_vf x) {
  wnn_vf rounded = wnn_vf_round_even(x);
  wnn_vf one = wnn_vf_select((wnn_vi)(rounded > x), wnn_vf_set(1.0f), wnn_vf_set(0.0f));
  return wnn_vf_select((wnn_vi)(x != 0.0f), rounded - one, x);
}
WNN_INLINE wnn_vf wnn_vf_ceil(wnn_vf x) { return -wnn_vf_floor(-x); }
#endif

/* ---- Conversion ---- */

/* To int32, truncating; the value must be in range. */
WNN_INLINE wnn_vi wnn_vf_to_vi(wnn_vf x) { return __builtin_convertvector(x, wnn_vi); }
WNN_INLINE wnn_vf wnn_vi_to_vf(wnn_vi x) { return __builtin_convertvector(x, wnn_vf); }

/* float16, as 16-bit words, from and to floats: exact, and rounded to nearest even. */
#if defined(WNN_ISA_AVX512)
WNN_INLINE wnn_vf wnn_vf_load_f16(const uint16_t *p) {
  return (wnn_vf)_mm512_cvtph_ps(_mm256_loadu_si256((const __m256i *)p));
}
WNN_INLINE void wnn_vf_store_f16(uint16_t *p, wnn_vf x) {
  _mm256_storeu_si256((__m256i *)p, _mm512_cvtps_ph((__m512)x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
}
#elif defined(WNN_ISA_AVX2)
WNN_INLINE wnn_vf wnn_vf_load_f16(const uint16_t *p) {
  return (wnn_vf)_mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)p));
}
WNN_INLINE void wnn_vf_store_f16(uint16_t *p, wnn_vf x) {
  _mm_storeu_si128((__m128i *)p, _mm256_cvtps_ph((__m256)x, _MM_FROUND_TO_NEAREST_INT));
}
#else
WNN_INLINE wnn_vf wnn_vf_load_f16(const uint16_t *p) {
  wnn_vf x;
  for (int i = 0; i < WNN_VL; i++) x[i] = wnn_f16_to_f32(p[i]);
  return x;
}
WNN_INLINE void wnn_vf_store_f16(uint16_t *p, wnn_vf x) {
  for (int i = 0; i < WNN_VL; i++) p[i] = wnn_f32_to_f16(x[i]);
}
#endif
WNN_INLINE wnn_vf wnn_vf_load_f16_n(const uint16_t *p, size_t n) {
  uint16_t words[WNN_VL] = {0};
  memcpy(words, p, n * 2);
  return wnn_vf_load_f16(words);
}
WNN_INLINE void wnn_vf_store_f16_n(uint16_t *p, wnn_vf x, size_t n) {
  uint16_t words[WNN_VL];
  wnn_vf_store_f16(words, x);
  memcpy(p, words, n * 2);
}

/* ---- Across a vector ---- */

WNN_INLINE float wnn_vf_sum(wnn_vf x) {
  float part[WNN_VL];
  wnn_vf_store(part, x);
  for (int half = WNN_VL / 2; half; half /= 2)
    for (int i = 0; i < half; i++) part[i] += part[i + half];
  return part[0];
}
/* Largest and smallest; NaN when any is NaN. */
WNN_INLINE float wnn_vf_max_across(wnn_vf x) {
  float part[WNN_VL], best;
  wnn_vf_store(part, x);
  best = part[0];
  for (int i = 1; i < WNN_VL; i++) best = part[i] > best || part[i] != part[i] ? part[i] : best;
  return best;
}
WNN_INLINE float wnn_vf_min_across(wnn_vf x) {
  float part[WNN_VL], best;
  wnn_vf_store(part, x);
  best = part[0];
  for (int i = 1; i < WNN_VL; i++) best = part[i] < best || part[i] != part[i] ? part[i] : best;
  return best;
}

/* ---- Four floats, for transposing ---- */

typedef float wnn_quad __attribute__((vector_size(16), may_alias));
typedef float wnn_quad_unaligned __attribute__((vector_size(16), may_alias, aligned(4)));
typedef float wnn_quad_loose __attribute__((vector_size(16), may_alias, aligned(1)));
#if defined(__clang__)
#define WNN_QUAD_SHUFFLE(a, b, i, j, k, l) __builtin_shufflevector(a, b, i, j, k, l)
#else
typedef int32_t wnn_quad_index __attribute__((vector_size(16)));
#define WNN_QUAD_SHUFFLE(a, b, i, j, k, l) __builtin_shuffle(a, b, (wnn_quad_index){i, j, k, l})
#endif
WNN_INLINE wnn_quad wnn_quad_load(const wnn_loose *p) { return *(const wnn_quad_loose *)p; }
WNN_INLINE void wnn_quad_store(float *p, wnn_quad x) { *(wnn_quad_unaligned *)p = x; }
/* Rows to columns. */
WNN_INLINE void wnn_quad_transpose(wnn_quad q[4]) {
  wnn_quad ab0 = WNN_QUAD_SHUFFLE(q[0], q[1], 0, 4, 1, 5), ab1 = WNN_QUAD_SHUFFLE(q[0], q[1], 2, 6, 3, 7);
  wnn_quad cd0 = WNN_QUAD_SHUFFLE(q[2], q[3], 0, 4, 1, 5), cd1 = WNN_QUAD_SHUFFLE(q[2], q[3], 2, 6, 3, 7);
  q[0] = WNN_QUAD_SHUFFLE(ab0, cd0, 0, 1, 4, 5), q[1] = WNN_QUAD_SHUFFLE(ab0, cd0, 2, 3, 6, 7);
  q[2] = WNN_QUAD_SHUFFLE(ab1, cd1, 0, 1, 4, 5), q[3] = WNN_QUAD_SHUFFLE(ab1, cd1, 2, 3, 6, 7);
}

#endif
