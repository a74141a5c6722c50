/* Mathematical functions over vectors. Each comment states the greatest error that tests sweep for, in units
 * in the last place (ULP) of the float32 result against the exact value; without a multiply-add instruction
 * the bound is one higher. NaN gives NaN, infinities and zeros give what libm gives. Coefficients are minimax
 * fits of our own. */
#ifndef WNN_KERNELS_SIMD_MATH_H
#define WNN_KERNELS_SIMD_MATH_H

#include <math.h>

#include "kernels/simd/pieces.h"
#include "kernels/simd/simd.h"

/* ---- Doubles: half as many in a vector of the same size ---- */

typedef double wnn_vd __attribute__((vector_size(4 * WNN_VL), may_alias));
typedef int64_t wnn_vl __attribute__((vector_size(4 * WNN_VL), may_alias));
typedef double wnn_vd_unaligned __attribute__((vector_size(4 * WNN_VL), may_alias, aligned(8)));
WNN_INLINE wnn_vd wnn_vd_set(double x) { return x - (wnn_vd){0}; }
WNN_INLINE wnn_vd wnn_vd_load(const double *p) { return *(const wnn_vd_unaligned *)p; }
WNN_INLINE void wnn_vd_store(double *p, wnn_vd x) { *(wnn_vd_unaligned *)p = x; }

/* The lower and the upper half of a vector of floats as doubles, and back. */
#if defined(WNN_ISA_AVX512)
WNN_INLINE wnn_vd wnn_vd_low(wnn_vf x) { return (wnn_vd)_mm512_cvtps_pd(_mm512_castps512_ps256((__m512)x)); }
WNN_INLINE wnn_vd wnn_vd_high(wnn_vf x) { return (wnn_vd)_mm512_cvtps_pd(_mm512_extractf32x8_ps((__m512)x, 1)); }
WNN_INLINE wnn_vf wnn_vd_join(wnn_vd low, wnn_vd high) {
  return (wnn_vf)_mm512_insertf32x8(_mm512_castps256_ps512(_mm512_cvtpd_ps((__m512d)low)),
                                    _mm512_cvtpd_ps((__m512d)high), 1);
}
#elif defined(WNN_ISA_AVX2)
WNN_INLINE wnn_vd wnn_vd_low(wnn_vf x) { return (wnn_vd)_mm256_cvtps_pd(_mm256_castps256_ps128((__m256)x)); }
WNN_INLINE wnn_vd wnn_vd_high(wnn_vf x) { return (wnn_vd)_mm256_cvtps_pd(_mm256_extractf128_ps((__m256)x, 1)); }
WNN_INLINE wnn_vf wnn_vd_join(wnn_vd low, wnn_vd high) {
  return (wnn_vf)_mm256_insertf128_ps(_mm256_castps128_ps256(_mm256_cvtpd_ps((__m256d)low)),
                                      _mm256_cvtpd_ps((__m256d)high), 1);
}
#else
WNN_INLINE wnn_vd wnn_vd_low(wnn_vf x) { return (wnn_vd){(double)x[0], (double)x[1]}; }
WNN_INLINE wnn_vd wnn_vd_high(wnn_vf x) { return (wnn_vd){(double)x[2], (double)x[3]}; }
WNN_INLINE wnn_vf wnn_vd_join(wnn_vd low, wnn_vd high) {
  return (wnn_vf){(float)low[0], (float)low[1], (float)high[0], (float)high[1]};
}
#endif
/* The nearest number to x from -most to most; NaN stays. */
#if defined(WNN_ISA_AVX512)
WNN_INLINE wnn_vd wnn_vd_within(wnn_vd x, double most) {
  return (wnn_vd)_mm512_max_pd(_mm512_set1_pd(-most), _mm512_min_pd(_mm512_set1_pd(most), (__m512d)x));
}
#elif defined(WNN_ISA_AVX2)
WNN_INLINE wnn_vd wnn_vd_within(wnn_vd x, double most) {
  return (wnn_vd)_mm256_max_pd(_mm256_set1_pd(-most), _mm256_min_pd(_mm256_set1_pd(most), (__m256d)x));
}
#else
WNN_INLINE wnn_vd wnn_vd_within(wnn_vd x, double most) {
  wnn_vl outside = (wnn_vl)(x > wnn_vd_set(most)) | (wnn_vl)(x < wnn_vd_set(-most));
  wnn_vl sign = (wnn_vl)x & INT64_MIN;
  return (wnn_vd)((outside & ((wnn_vl)wnn_vd_set(most) | sign)) | (~outside & (wnn_vl)x));
}
#endif

/* True when any element of a mask is set. */
#if defined(WNN_ISA_AVX512)
WNN_INLINE bool wnn_vi_any(wnn_vi mask) { return _mm512_test_epi32_mask((__m512i)mask, (__m512i)mask) != 0; }
#elif defined(WNN_ISA_AVX2)
WNN_INLINE bool wnn_vi_any(wnn_vi mask) { return !_mm256_testz_si256((__m256i)mask, (__m256i)mask); }
#else
WNN_INLINE bool wnn_vi_any(wnn_vi mask) {
  int32_t any = 0;
  for (int i = 0; i < WNN_VL; i++) any |= mask[i];
  return any != 0;
}
#endif

/* 1 / x for normal x below 2^126, good to 1 ULP: where division is slow, by an estimate and a correction. */
#if defined(WNN_ISA_AVX512)
WNN_INLINE wnn_vf wnn_vf_inverse(wnn_vf x) {
  wnn_vf y = (wnn_vf)_mm512_rcp14_ps((__m512)x);
  return (1.0f - x * y) * y + y;
}
#else
WNN_INLINE wnn_vf wnn_vf_inverse(wnn_vf x) { return 1.0f / x; }
#endif

/* Sum, and largest where there is no NaN, of all elements. */
#if defined(WNN_ISA_AVX512)
WNN_INLINE float wnn_vf_total(wnn_vf x) { return _mm512_reduce_add_ps((__m512)x); }
WNN_INLINE float wnn_vf_most(wnn_vf x) { return _mm512_reduce_max_ps((__m512)x); }
#elif defined(WNN_ISA_AVX2)
WNN_INLINE float wnn_vf_total(wnn_vf x) {
  __m128 y = _mm_add_ps(_mm256_castps256_ps128((__m256)x), _mm256_extractf128_ps((__m256)x, 1));
  y = _mm_add_ps(y, _mm_movehl_ps(y, y));
  return _mm_cvtss_f32(_mm_add_ss(y, _mm_movehdup_ps(y)));
}
WNN_INLINE float wnn_vf_most(wnn_vf x) {
  __m128 y = _mm_max_ps(_mm256_castps256_ps128((__m256)x), _mm256_extractf128_ps((__m256)x, 1));
  y = _mm_max_ps(y, _mm_movehl_ps(y, y));
  return _mm_cvtss_f32(_mm_max_ss(y, _mm_movehdup_ps(y)));
}
#else
WNN_INLINE float wnn_vf_total(wnn_vf x) { return wnn_vf_sum(x); }
WNN_INLINE float wnn_vf_most(wnn_vf x) { return wnn_vf_max_across(x); }
#endif

/* Both of them in every element. */
#if defined(WNN_ISA_AVX512)
WNN_INLINE wnn_vf wnn_vf_spread_total(wnn_vf x) {
  __m512 y = _mm512_add_ps((__m512)x, _mm512_shuffle_f32x4((__m512)x, (__m512)x, 0x4E));
  y = _mm512_add_ps(y, _mm512_shuffle_f32x4(y, y, 0xB1));
  y = _mm512_add_ps(y, _mm512_permute_ps(y, 0x4E));
  return (wnn_vf)_mm512_add_ps(y, _mm512_permute_ps(y, 0xB1));
}
WNN_INLINE wnn_vf wnn_vf_spread_most(wnn_vf x) {
  __m512 y = _mm512_max_ps((__m512)x, _mm512_shuffle_f32x4((__m512)x, (__m512)x, 0x4E));
  y = _mm512_max_ps(y, _mm512_shuffle_f32x4(y, y, 0xB1));
  y = _mm512_max_ps(y, _mm512_permute_ps(y, 0x4E));
  return (wnn_vf)_mm512_max_ps(y, _mm512_permute_ps(y, 0xB1));
}
#elif defined(WNN_ISA_AVX2)
WNN_INLINE wnn_vf wnn_vf_spread_total(wnn_vf x) {
  __m256 y = _mm256_add_ps((__m256)x, _mm256_permute2f128_ps((__m256)x, (__m256)x, 1));
  y = _mm256_add_ps(y, _mm256_permute_ps(y, 0x4E));
  return (wnn_vf)_mm256_add_ps(y, _mm256_permute_ps(y, 0xB1));
}
WNN_INLINE wnn_vf wnn_vf_spread_most(wnn_vf x) {
  __m256 y = _mm256_max_ps((__m256)x, _mm256_permute2f128_ps((__m256)x, (__m256)x, 1));
  y = _mm256_max_ps(y, _mm256_permute_ps(y, 0x4E));
  return (wnn_vf)_mm256_max_ps(y, _mm256_permute_ps(y, 0xB1));
}
#else
WNN_INLINE wnn_vf wnn_vf_spread_total(wnn_vf x) { return wnn_vf_set(wnn_vf_total(x)); }
WNN_INLINE wnn_vf wnn_vf_spread_most(wnn_vf x) { return wnn_vf_set(wnn_vf_most(x)); }
#endif

/* Where a sum is below the least normal number of floats: adding it leaves the nearest integer in the low bits. */
#define WNN_SHIFT 0x1.8p+23f

/* 2^n for n in [-126, 127]. */
WNN_INLINE wnn_vf wnn_vf_power_of_two(wnn_vi n) { return (wnn_vf)(((wnn_vu)n << 23) + 0x3F800000u); }

/* x = n ln 2 + r for a whole n and |r| <= 0.35. Returns r, and n + WNN_SHIFT. */
WNN_INLINE wnn_vf wnn_vf_reduce(wnn_vf x, wnn_vf *shifted) {
  *shifted = x * 0x1.715476p+0f + WNN_SHIFT;
  wnn_vf n = *shifted - WNN_SHIFT;
  return x - n * 0x1.62e4p-1f - n * 0x1.7f7d1cp-20f;
}

/* v of e^r = 1 + r + r^2 v, square = r^2. Short chains of operations here and below: the next vectors wait for them. */
WNN_INLINE wnn_vf wnn_vf_exp_rest(wnn_vf r, wnn_vf square) {
  wnn_vf p = square * 0x1.6a23ccp-10f + (r * 0x1.123a12p-7f + 0x1.5558f2p-5f);
  return p * square + (r * 0x1.555492p-3f + 0x1.fffffcp-2f);
}

/* The entries of a table (pieces.h) that the low bits of each index name: one instruction. WNN_SHIFT_PARTS is like
 * WNN_SHIFT, but keeps as many parts as tables have entries: the low bits are the index of a power of two. */
#if defined(WNN_ISA_AVX512)
enum { WNN_PARTS = 32 };
#define WNN_SHIFT_PARTS 0x1.8p+18f
WNN_INLINE wnn_vf wnn_vf_lookup(const float table[WNN_PARTS], wnn_vi index) {
  return (wnn_vf)_mm512_permutex2var_ps(_mm512_load_ps(table), (__m512i)index, _mm512_load_ps(table + 16));
}
#elif defined(WNN_ISA_AVX2)
enum { WNN_PARTS = 8 };
#define WNN_SHIFT_PARTS 0x1.8p+20f
WNN_INLINE wnn_vf wnn_vf_lookup(const float table[WNN_PARTS], wnn_vi index) {
  return (wnn_vf)_mm256_permutevar8x32_ps(_mm256_load_ps(table), (__m256i)index);
}
#endif

#if defined(WNN_SHIFT_PARTS)
/* a b - c and c - a b, the product unrounded whatever the level of optimization. */
#if defined(WNN_ISA_AVX512)
WNN_INLINE wnn_vf wnn_vf_product_less(wnn_vf a, wnn_vf b, wnn_vf c) {
  return (wnn_vf)_mm512_fmsub_ps((__m512)a, (__m512)b, (__m512)c);
}
WNN_INLINE wnn_vf wnn_vf_less_product(wnn_vf a, wnn_vf b, wnn_vf c) {
  return (wnn_vf)_mm512_fnmadd_ps((__m512)a, (__m512)b, (__m512)c);
}
#else
WNN_INLINE wnn_vf wnn_vf_product_less(wnn_vf a, wnn_vf b, wnn_vf c) {
  return (wnn_vf)_mm256_fmsub_ps((__m256)a, (__m256)b, (__m256)c);
}
WNN_INLINE wnn_vf wnn_vf_less_product(wnn_vf a, wnn_vf b, wnn_vf c) {
  return (wnn_vf)_mm256_fnmadd_ps((__m256)a, (__m256)b, (__m256)c);
}
#endif

/* x = m ln 2 + r with a whole number of parts m and |r| <= ln 2 / 2 / WNN_PARTS. Returns r, and m + WNN_SHIFT_PARTS. */
WNN_INLINE wnn_vf wnn_vf_reduce_parts(wnn_vf x, wnn_vf *shifted) {
  *shifted = x * 0x1.715476p+0f + WNN_SHIFT_PARTS;
  wnn_vf m = *shifted - WNN_SHIFT_PARTS;
  /* m times the first part of ln 2 has more digits than a float: it may not be rounded before it is taken away. */
  wnn_vf r = wnn_vf_less_product(m, wnn_vf_set(0x1.62e4p-1f), x);
  return wnn_vf_less_product(m, wnn_vf_set(0x1.7f7d1cp-20f), r);
}

/* e^r - 1 for such an r; the error is small against 1. */
WNN_INLINE wnn_vf wnn_vf_exp_parts(wnn_vf r) {
#if defined(WNN_ISA_AVX512)
  return ((r * 0x1.5555cep-3f + 0x1.000088p-1f) * r + 1.0f) * r;
#else
  return ((r * 0x1.555f96p-3f + 0x1.0007bp-1f) * r + 1.0f) * r;
#endif
}
#endif

#if defined(WNN_ISA_AVX512)
/* 2^(m + f) for |f| <= 1 / 64, 2 ULP, without the whole part of m: the shifted m names the rest. */
WNN_INLINE wnn_vf wnn_vf_power_parts(wnn_vf shifted, wnn_vf f) {
  wnn_vf power = wnn_vf_lookup(wnn_exp2_table, (wnn_vi)shifted);
  return (f * 0x1.ebfce6p-3f + 0x1.62e586p-1f) * f * power + power;
}

/* x 2^floor(n). */
WNN_INLINE wnn_vf wnn_vf_scale(wnn_vf x, wnn_vf n) { return (wnn_vf)_mm512_scalef_ps((__m512)x, (__m512)n); }

/* e^x for x in [-105, 89] or NaN, 2 ULP. */
WNN_INLINE wnn_vf wnn_vf_exp_within(wnn_vf x) {
  wnn_vf shifted, q = wnn_vf_exp_parts(wnn_vf_reduce_parts(x, &shifted)),
                  power = wnn_vf_lookup(wnn_exp2_table, (wnn_vi)shifted);
  return wnn_vf_scale(q * power + power, shifted - WNN_SHIFT_PARTS);
}
#elif defined(WNN_ISA_AVX2)
/* 2^m by the shifted m, for a normal result. */
WNN_INLINE wnn_vf wnn_vf_power_of_parts(wnn_vf shifted) {
  return (wnn_vf)((wnn_vu)wnn_vf_lookup((const float *)wnn_exp2_bits, (wnn_vi)shifted) + ((wnn_vu)shifted << 20));
}

/* 2^(m + f) for |f| <= 1 / 16, 2 ULP, where that is normal. */
WNN_INLINE wnn_vf wnn_vf_power_parts(wnn_vf shifted, wnn_vf f) {
  wnn_vf power = wnn_vf_power_of_parts(shifted);
  return ((f * 0x1.c6be36p-5f + 0x1.ec0aa6p-3f) * f + 0x1.62e43p-1f) * f * power + power;
}

/* e^x for x in [-105, 89] or NaN, 2 ULP. */
WNN_INLINE wnn_vf wnn_vf_exp_within(wnn_vf x) {
  wnn_vf shifted, q = wnn_vf_exp_parts(wnn_vf_reduce_parts(x, &shifted));
  /* Two factors, so that results near the ends of the range come out right. */
  wnn_vu half = (wnn_vu)((wnn_vi)((wnn_vu)shifted - 0x49C00000u) >> 4) << 23;
  wnn_vf power = (wnn_vf)((wnn_vu)wnn_vf_power_of_parts(shifted) - half);
  return (q * power + power) * (wnn_vf)(half + 0x3F800000u);
}
#else
/* e^r 2^n; n may lead out of the range of normal numbers. */
WNN_INLINE wnn_vf wnn_vf_exp_scaled(wnn_vf r, wnn_vf shifted) {
  wnn_vf square = r * r, p = wnn_vf_exp_rest(r, square) * square + r;
  /* Two factors, so that results near the ends of the range come out right. */
  wnn_vi whole = (wnn_vi)((wnn_vu)shifted - 0x4B400000u), half = whole >> 1;
  return (p * wnn_vf_power_of_two(half) + wnn_vf_power_of_two(half)) * wnn_vf_power_of_two(whole - half);
}

/* e^x for x in [-105, 89] or NaN, 2 ULP. */
WNN_INLINE wnn_vf wnn_vf_exp_within(wnn_vf x) {
  wnn_vf shifted, r = wnn_vf_reduce(x, &shifted);
  return wnn_vf_exp_scaled(r, shifted);
}
#endif

/* 2 ULP. */
WNN_INLINE wnn_vf wnn_vf_exp(wnn_vf x) {
  return wnn_vf_exp_within(wnn_vf_lower(wnn_vf_raise(x, wnn_vf_set(-105.0f)), wnn_vf_set(89.0f)));
}

/* e^x - 1 for x <= 0. 3 ULP. */
WNN_INLINE wnn_vf wnn_vf_expm1_negative(wnn_vf x) {
  wnn_vf shifted, r = wnn_vf_reduce(wnn_vf_raise(x, wnn_vf_set(-40.0f)), &shifted);
  wnn_vf square = r * r, p = wnn_vf_exp_rest(r, square) * square + r;
  wnn_vf scale = (wnn_vf)(((wnn_vu)shifted << 23) + 0x3F800000u);
  /* -0 stays -0. */
  return wnn_vf_copysign(p * scale + (scale - 1.0f), x);
}

/* 2 ULP. */
WNN_INLINE wnn_vf wnn_vf_log(wnn_vf x) {
  wnn_vi small = (wnn_vi)(x < wnn_vf_set(0x1p-126f));
  wnn_vf scaled = wnn_vf_select(small, x * 0x1p24f, x);
  /* x = 2^n (1 + f), sqrt(1/2) <= 1 + f < sqrt(2) */
  wnn_vi bits = (wnn_vi)((wnn_vu)scaled - 0x3F3504F3u);
  wnn_vi whole = bits >> 23;
  wnn_vf f = (wnn_vf)((bits & 0x007FFFFF) + 0x3F3504F3) - 1.0f;
  wnn_vf n = wnn_vi_to_vf(whole) - (wnn_vf)(small & (wnn_vi)wnn_vf_set(24.0f));
  wnn_vf p = f * 0x1.1b42bp-4f - 0x1.e2e984p-4f;
  p = p * f + 0x1.e6508ep-4f;
  p = p * f - 0x1.fb4330p-4f;
  p = p * f + 0x1.2332c2p-3f;
  p = p * f - 0x1.5562e4p-3f;
  p = p * f + 0x1.99a546p-3f;
  p = p * f - 0x1.ffffeep-3f;
  p = p * f + 0x1.555546p-2f;
  wnn_vf square = f * f;
  wnn_vf y = (n * 0x1.7f7d1cp-20f + p * (square * f) - square * 0.5f + f) + n * 0x1.62e4p-1f;
  wnn_vi special = (wnn_vi)(x < wnn_vf_set(INFINITY)) & (wnn_vi)(x > wnn_vf_set(0.0f));
  wnn_vf odd = wnn_vf_select((wnn_vi)(x == wnn_vf_set(0.0f)), wnn_vf_set(-INFINITY),
                             wnn_vf_select((wnn_vi)(x < wnn_vf_set(0.0f)), wnn_vf_set(NAN), x));
  return wnn_vf_select(special, y, odd);
}

/* ---- Error function, sigmoid, tanh: by tables where there are any ---- */

#if defined(WNN_SHIFT_PARTS)
/* The polynomial in t of the piece that the index names. */
WNN_INLINE wnn_vf wnn_vf_piece(const float table[][WNN_PARTS], const int degree, wnn_vi index, wnn_vf t) {
  wnn_vf square = t * t, p = wnn_vf_lookup(table[degree], index);
  if (degree & 1) p = p * t + wnn_vf_lookup(table[degree - 1], index);
  WNN_UNROLL
  for (int i = (degree & ~1) - 2; i >= 0; i -= 2)
    p = p * square + (wnn_vf_lookup(table[i + 1], index) * t + wnn_vf_lookup(table[i], index));
  return p;
}

/* 3 ULP. */
WNN_INLINE wnn_vf wnn_vf_erf(wnn_vf x) {
  wnn_vf a = wnn_vf_lower(wnn_vf_abs(x), wnn_vf_set(3.93f)); /* 1 from there on */
#if defined(WNN_ISA_AVX512)
  wnn_vf shifted = a + 0x1.8p+20f; /* keeps eighths */
  wnn_vf y = wnn_vf_piece(wnn_erf_pieces, 4, (wnn_vi)shifted, a - (shifted - 0x1.8p+20f));
#else
  wnn_vf shifted = a * (32.0f / 17) + WNN_SHIFT;
  wnn_vf y = wnn_vf_piece(wnn_erf_pieces, 6, (wnn_vi)shifted, a - (shifted - WNN_SHIFT) * (17.0f / 32));
#endif
  return wnn_vf_copysign(y, x);
}
#endif

#if defined(WNN_ISA_AVX512)
/* 3 ULP. */
WNN_INLINE wnn_vf wnn_vf_tanh(wnn_vf x) {
  wnn_vf a = wnn_vf_lower(wnn_vf_abs(x), wnn_vf_set(9.1f)); /* 1 from there on */
  wnn_vf shifted = a * (128.0f / 37) + WNN_SHIFT;
  wnn_vf y = wnn_vf_piece(wnn_tanh_pieces, 5, (wnn_vi)shifted, a - (shifted - WNN_SHIFT) * (37.0f / 128));
  return wnn_vf_copysign(y, x);
}

/* x erfc(-x / sqrt(2)) / 2, the exact gelu; its negative tail keeps its digits. 8 ULP (16 below -5). */
WNN_INLINE wnn_vf wnn_vf_gelu(wnn_vf x) {
  x = wnn_vf_raise(x, wnn_vf_set(-14.7f)); /* too small for a number from there on */
  wnn_vf a = wnn_vf_lower(x, wnn_vf_set(6.2f));
  wnn_vf shifted = a * (32.0f / 21) + WNN_SHIFT, t = a - (shifted - WNN_SHIFT) * (21.0f / 32);
  /* The logarithm of the factor to base 2: a whole number and a small one. */
  wnn_vf y = wnn_vf_piece(wnn_gelu_pieces, 5, (wnn_vi)shifted, t);
  wnn_vf whole = wnn_vf_lookup(wnn_gelu_pieces[6], (wnn_vi)shifted);
  shifted = y + WNN_SHIFT_PARTS;
  wnn_vf m = shifted - WNN_SHIFT_PARTS;
  return wnn_vf_scale(wnn_vf_power_parts(shifted, y - m) * x, m + whole);
}

/* 3 ULP. e^-x = (q + 1) p / s, with s a power of two so that neither end overflows. */
WNN_INLINE wnn_vf wnn_vf_sigmoid(wnn_vf x) {
  x = wnn_vf_lower(wnn_vf_raise(x, wnn_vf_set(-105.0f)), wnn_vf_set(60.0f));
  wnn_vf shifted, q = wnn_vf_exp_parts(wnn_vf_reduce_parts(-x, &shifted)),
                  power = wnn_vf_lookup(wnn_exp2_below, (wnn_vi)shifted);
  wnn_vf s = wnn_vf_scale(wnn_vf_set(1.0f), WNN_SHIFT_PARTS - shifted);
  return s * wnn_vf_inverse(q * power + s + power); /* the small ones first */
}
#else
/* e^(a^2 / 2) erfc(a / sqrt(2)) / 2 for 0 <= a < 15. */
WNN_INLINE wnn_vf wnn_vf_gelu_tail(wnn_vf a) {
  wnn_vf t = wnn_vf_inverse(a + 3.0f);
  wnn_vf u = t * t;
  wnn_vf q = (t * -0x1.0b606ap+9f + 0x1.f19146p+9f) * u + (t * -0x1.5c9bdep+9f + 0x1.930768p+7f);
  q = q * u + (t * -0x1.7657dp+4f + 0x1.6bd826p+3f);
  q = q * u + (t * 0x1.6f0d06p+1f + 0x1.366bc6p+0f);
  return q * u + (t * 0x1.9811e6p-2f + 0x1.5fb7dcp-18f);
}

/* x erfc(-x / sqrt(2)) / 2, the exact gelu; its negative tail keeps its digits. 8 ULP (16 below -5). */
WNN_INLINE wnn_vf wnn_vf_gelu(wnn_vf x) {
  x = wnn_vf_raise(x, wnn_vf_set(-14.7f)); /* too small for a number from there on */
  wnn_vf a = wnn_vf_lower(wnn_vf_abs(x), wnn_vf_set(14.7f)), q = wnn_vf_gelu_tail(a);
  wnn_vi negative = (wnn_vi)(x < wnn_vf_set(0.0f));
#if defined(WNN_ISA_AVX2)
  /* e^(-a^2 / 2) 2^64, so that it is normal; r counts what the square lost. */
  const float shift = WNN_SHIFT_PARTS + 64;
  wnn_vf square = a * a, lost = wnn_vf_product_less(a, a, square), shifted = square * -0x1.715476p-1f + shift;
  wnn_vf m = shifted - shift, r = wnn_vf_less_product(m, wnn_vf_set(0x1.62e4p-1f), square * -0.5f);
  r = lost * -0.5f + wnn_vf_less_product(m, wnn_vf_set(0x1.7f7d1cp-20f), r);
  wnn_vf power = wnn_vf_power_of_parts(shifted), e = (wnn_vf_exp_parts(r) * power + power) * q;
  wnn_vf back = wnn_vf_select(negative, wnn_vf_set(0x1p-64f), wnn_vf_set(1.0f));
  return x * wnn_vf_select(negative, e, 1.0f - e * 0x1p-64f) * back;
#else
  /* e^(-a^2 / 2): a in two parts, the square of the first without rounding. */
  wnn_vf head = (wnn_vf)((wnn_vi)a & (int32_t)0xFFFFF000);
  wnn_vf tail = (1.0f * a - head) * (a + head) * -0.5f;
  wnn_vf shifted, r = wnn_vf_reduce(head * head * -0.5f, &shifted) + tail;
  wnn_vf e = wnn_vf_exp_scaled(r, shifted) * q;
  return x * wnn_vf_select(negative, e, 1.0f - e);
#endif
}
#endif

#if defined(WNN_ISA_AVX2)
/* 3 ULP. e^-x = 2^n p (q + 1); both parts of the quotient are multiplied by 2^(64 - n), so that neither overflows. */
WNN_INLINE wnn_vf wnn_vf_sigmoid(wnn_vf x) {
  x = wnn_vf_lower(wnn_vf_raise(x, wnn_vf_set(-105.0f)), wnn_vf_set(18.0f)); /* 1 from there on */
  wnn_vf shifted, q = wnn_vf_exp_parts(wnn_vf_reduce_parts(-x, &shifted)),
                  p = wnn_vf_lookup(wnn_exp2_far, (wnn_vi)shifted);
  wnn_vf s = (wnn_vf)(((127u + 64) << 23) - (((wnn_vu)shifted << 20) & 0xFF800000u));
  return s / (q * p + (p + s));
}

/* 3 ULP. |x| = c + t with c of a table: (tanh c + tanh t) / (1 + tanh c tanh t). At the upper end both are equal. */
WNN_INLINE wnn_vf wnn_vf_tanh(wnn_vf x) {
  wnn_vf a = wnn_vf_lower(wnn_vf_abs(x), wnn_vf_set(0x1.1ced92p+3f)); /* 1 from there on */
  wnn_vi index = (wnn_vi)(a * (16.0f / 19) + WNN_SHIFT);
  wnn_vf t = a - wnn_vf_lookup(wnn_tanh_arguments, index), value = wnn_vf_lookup(wnn_tanh_values, index);
  wnn_vf z = t * t, p = ((z * 0x1.012d46p-6f - 0x1.ac2252p-5f) * z + 0x1.10abccp-3f) * z - 0x1.555386p-2f;
  wnn_vf y = p * (z * t) + t;
  return (wnn_vf)((wnn_vi)((value + y) / (value * y + 1.0f)) | ((wnn_vi)x & INT32_MIN));
}
#elif !defined(WNN_ISA_AVX512)
/* e^x for x <= 0, 2 ULP: 0 where the result would not be normal. */
WNN_INLINE wnn_vf wnn_vf_exp_negative(wnn_vf x) {
  wnn_vi tiny = (wnn_vi)(x < wnn_vf_set(-87.0f));
  wnn_vf shifted, r = wnn_vf_reduce(x, &shifted);
  wnn_vf square = r * r, p = wnn_vf_exp_rest(r, square) * square + r;
  wnn_vf scale = (wnn_vf)(((wnn_vu)shifted << 23) + 0x3F800000u);
  return wnn_vf_select(tiny, wnn_vf_set(0.0f), p * scale + scale);
}

/* 3 ULP. */
WNN_INLINE wnn_vf wnn_vf_erf(wnn_vf x) {
  wnn_vf a = wnn_vf_lower(wnn_vf_abs(x), wnn_vf_set(4.0f)), z = a * a;
  wnn_vf p = z * -0x1.43604cp-17f + 0x1.d817ecp-14f; /* below 1: x + x P(x^2) */
  p = p * z - 0x1.bcbc4p-11f;
  p = p * z + 0x1.5628bep-8f;
  p = p * z - 0x1.b829a4p-6f;
  p = p * z + 0x1.ce2f08p-4f;
  p = p * z - 0x1.812746p-2f;
  p = p * z + 0x1.06eba8p-3f;
  wnn_vf t = wnn_vf_inverse(a + 1.0f); /* above: 1 - e^(-x^2) Q(1 / (1 + x)) */
  wnn_vf u = t * t;
  wnn_vf q = u * -0x1.0e2572p-3f + (t * 0x1.a43a44p-1f - 0x1.6adf4ep+0f);
  q = q * u + (t * 0x1.5cc88ep-1f + 0x1.f267bep-2f);
  q = q * u + (t * 0x1.24f77ap-1f - 0x1.6a654ap-12f);
  wnn_vf large = 1.0f - wnn_vf_exp_negative(-z) * q;
  wnn_vf y = wnn_vf_select((wnn_vi)(a < wnn_vf_set(1.0f)), p * a + a, large);
  return wnn_vf_select(wnn_vf_isnan(x), x, wnn_vf_copysign(y, x));
}

/* 3 ULP. */
WNN_INLINE wnn_vf wnn_vf_sigmoid(wnn_vf x) {
  wnn_vf e = wnn_vf_exp_within(wnn_vf_raise(-wnn_vf_abs(x), wnn_vf_set(-105.0f)));
  return wnn_vf_select((wnn_vi)(x < wnn_vf_set(0.0f)), e, wnn_vf_set(1.0f)) * wnn_vf_inverse(e + 1.0f);
}

/* 3 ULP. */
WNN_INLINE wnn_vf wnn_vf_tanh(wnn_vf x) {
  wnn_vf magnitude = wnn_vf_abs(x), z = x * x;
  wnn_vf e = wnn_vf_exp_negative(magnitude * -2.0f);
  wnn_vf large = wnn_vf_copysign((1.0f - e) * wnn_vf_inverse(e + 1.0f), x);
  /* Up to 5/8 the quotient would cancel. */
  wnn_vf p = z * 0x1.190bb2p-9f - 0x1.0c03d2p-7f;
  p = p * z + 0x1.638f2p-6f;
  p = p * z - 0x1.b9eefep-5f;
  p = p * z + 0x1.111068p-3f;
  p = p * z - 0x1.555554p-2f;
  wnn_vf y = wnn_vf_select((wnn_vi)(magnitude < wnn_vf_set(0.625f)), p * (z * x) + x, large);
  return wnn_vf_select(wnn_vf_isnan(x), x, y);
}
#endif

/* ---- Kin of the sigmoid ---- */

/* log(1 + e^x). 3 ULP. */
WNN_INLINE wnn_vf wnn_vf_softplus(wnn_vf x) {
  wnn_vf e = wnn_vf_exp_within(wnn_vf_raise(-wnn_vf_abs(x), wnn_vf_set(-105.0f)));
  wnn_vf u = e + 1.0f;
  /* The logarithm of u, and what e lost when 1 was added. */
  wnn_vf y = wnn_vf_log(u) + (e - (u - 1.0f)) / u;
  return wnn_vf_raise(x, wnn_vf_set(0.0f)) + y;
}

/* x / (1 + |x|). 2 ULP. */
WNN_INLINE wnn_vf wnn_vf_softsign(wnn_vf x) {
  wnn_vf a = wnn_vf_abs(x);
  return wnn_vf_select((wnn_vi)(a == wnn_vf_set(INFINITY)), wnn_vf_copysign(wnn_vf_set(1.0f), x), x / (a + 1.0f));
}

/* ---- Trigonometry: 2 ULP (tan 4) up to WNN_TRIG_MOST; beyond, the caller turns to libm. ---- */

#define WNN_TRIG_MOST 0x1p+20f

typedef struct wnn_angle {
  wnn_vf rest; /* in [-pi/4, pi/4] */
  wnn_vi quadrant;
} wnn_angle;

/* x = quadrant pi/2 + rest, in doubles. */
WNN_INLINE wnn_angle wnn_reduce_angle(wnn_vf x) {
  const double pi_high = 0x1.921fb544p+0, pi_low = 0x1.0b4611a626331p-34;
  wnn_vf shifted = x * 0x1.45f306p-1f + WNN_SHIFT;
  wnn_vf n = shifted - WNN_SHIFT;
  wnn_vd low = wnn_vd_low(x) - wnn_vd_low(n) * pi_high - wnn_vd_low(n) * pi_low;
  wnn_vd high = wnn_vd_high(x) - wnn_vd_high(n) * pi_high - wnn_vd_high(n) * pi_low;
  return (wnn_angle){wnn_vd_join(low, high), (wnn_vi)shifted};
}
WNN_INLINE wnn_vf wnn_sine_near(wnn_vf r, wnn_vf z) {
  wnn_vf p = z * 0x1.6cd5ecp-19f - 0x1.a00f94p-13f;
  p = p * z + 0x1.111108p-7f;
  p = p * z - 0x1.555556p-3f;
  return p * (z * r) + r;
}
WNN_INLINE wnn_vf wnn_cosine_near(wnn_vf z) {
  wnn_vf p = z * -0x1.24290ap-22f + 0x1.a01118p-16f;
  p = p * z - 0x1.6c16b8p-10f;
  p = p * z + 0x1.555556p-5f;
  return p * (z * z) + (1.0f - 0.5f * z);
}
/* The sine of x and a quarter turn times `turn`. */
WNN_INLINE wnn_vf wnn_vf_sine(wnn_vf x, int32_t turn) {
  wnn_angle a = wnn_reduce_angle(x);
  wnn_vi quadrant = (wnn_vi)((wnn_vu)a.quadrant + (uint32_t)turn);
  wnn_vf z = a.rest * a.rest;
  wnn_vi odd = -(quadrant & 1);
  wnn_vf y = wnn_vf_select(odd, wnn_cosine_near(z), wnn_sine_near(a.rest, z));
  return (wnn_vf)((wnn_vi)y ^ (wnn_vi)((wnn_vu)(quadrant & 2) << 30));
}
WNN_INLINE wnn_vf wnn_vf_tangent(wnn_vf x) {
  wnn_angle a = wnn_reduce_angle(x);
  wnn_vf z = a.rest * a.rest, s = wnn_sine_near(a.rest, z), c = wnn_cosine_near(z);
  wnn_vi odd = -(a.quadrant & 1);
  return wnn_vf_select(odd, -c, s) / wnn_vf_select(odd, s, c);
}

/* ---- Power: 1 ULP ---- */

/* y log2(x), then 2 to that power, for normal x in doubles; infinite and denormal results included. */
WNN_INLINE wnn_vd wnn_power_half(wnn_vd x, wnn_vd y) {
  wnn_vl bits = (wnn_vl)x - 0x3FE6A09E667F3BCD; /* sqrt(1/2) */
  wnn_vl whole = bits >> 52;
  wnn_vd m = (wnn_vd)((bits & 0x000FFFFFFFFFFFFF) + 0x3FE6A09E667F3BCD);
  wnn_vd s = (m - 1.0) / (m + 1.0), z = s * s;
  wnn_vd square = z * z, p = z * 0x1.a61a30c574268p-2 + 0x1.2776c290e86f3p-1;
  p = p * square + (z * 0x1.ec709dc53e4a4p-1 + 0x1.71547652b825p+1);
  p = (z * 0x1.21b60499b8666p-2 + 0x1.4794ffa52a317p-2) * (square * square) + p;
  /* whole as a double: its low bits under a large number */
  wnn_vd n = (wnn_vd)(whole + 0x4338000000000000) - 0x1.8p+52;
  wnn_vd t = (p * s + n) * y;
  t = wnn_vd_within(t, 200.0);
  wnn_vd shifted = t + 0x1.8p+52, r = t - (shifted - 0x1.8p+52);
  square = r * r;
  wnn_vd e = r * 0x1.fe1788f3cc4acp-17 + 0x1.446a2038552f2p-13;
  e = e * square + (r * 0x1.5d8a708532d62p-10 + 0x1.3b29dc404cc6p-7);
  p = (r * 0x1.c6b08aaf31573p-5 + 0x1.ebfbe0a4bf5b3p-3) * square + (r * 0x1.62e42ff116242p-1 + 0x1.ffffffffabbb6p-1);
  e = e * (square * square) + p;
  return (wnn_vd)((wnn_vl)e + ((wnn_vl)shifted << 52));
}

WNN_INLINE wnn_vf wnn_vf_power(wnn_vf x, wnn_vf y) {
  const wnn_vf zero = wnn_vf_set(0.0f), one = wnn_vf_set(1.0f), infinity = wnn_vf_set(INFINITY);
  wnn_vf a = wnn_vf_abs(x), b = wnn_vf_abs(y);
  /* Finite numbers that are not 0: denormals are normal as doubles. */
  wnn_vf base = wnn_vf_select((wnn_vi)(a > zero) & (wnn_vi)(a < infinity), a, one);
  wnn_vf r =
      wnn_vd_join(wnn_power_half(wnn_vd_low(base), wnn_vd_low(y)), wnn_power_half(wnn_vd_high(base), wnn_vd_high(y)));
  /* Infinite exponents went through as such: 0 times infinity for a base of 1 is the one that went wrong. */
  wnn_vi grows = (wnn_vi)(y > zero);
  wnn_vf at_zero = wnn_vf_select(grows, zero, infinity), at_infinity = wnn_vf_select(grows, infinity, zero);
  r = wnn_vf_select((wnn_vi)(a == zero), at_zero, r);
  r = wnn_vf_select((wnn_vi)(a == infinity), at_infinity, r);
  r = wnn_vf_select((wnn_vi)(a == one), one, r);
  /* Exponents: whole from 2^23 on, even from 2^24 on. */
  wnn_vf whole = wnn_vf_floor(b);
  wnn_vi is_whole = (wnn_vi)(whole == b);
  wnn_vf half = b * 0.5f;
  wnn_vi is_odd = is_whole & (wnn_vi)(wnn_vf_floor(half) != half) & (wnn_vi)(b < wnn_vf_set(0x1p24f));
  wnn_vi negative = (wnn_vi)x >> 31;
  r = (wnn_vf)((wnn_vi)r | (negative & is_odd & (int32_t)0x80000000));
  wnn_vi invalid = (wnn_vi)(x < zero) & (wnn_vi)(a < infinity) & ~is_whole;
  r = wnn_vf_select(invalid, wnn_vf_set(NAN), r);
  wnn_vi nan = wnn_vf_isnan(x) | wnn_vf_isnan(y);
  r = wnn_vf_select(nan, x + y, r);
  wnn_vi certain = (wnn_vi)(y == zero) | (wnn_vi)(x == one);
  return wnn_vf_select(certain, one, r);
}

#endif
