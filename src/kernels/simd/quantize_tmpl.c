/* Between floats and 8-bit integers with scale and zero point, and what is done with such integers element by element.
 * The arithmetic is that of the operations one by one: a product is rounded before it is added to. */
#include "kernels/simd/bytes.h"
#include "kernels/ukernels.h"

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("no-unswitch-loops") /* q_pair would be there in every combination of signs */
#endif

/* Keeps the compiler from making one multiply-add of x and an addition. */
#if defined(WNN_ISA_AVX512)
#define ROUNDED(x) __asm__("" : "+v"(x))
#elif defined(WNN_SSE2)
#define ROUNDED(x) __asm__("" : "+x"(x))
#elif defined(__aarch64__)
#define ROUNDED(x) __asm__("" : "+w"(x))
#else
#define ROUNDED(x) __asm__("" : "+m"(x))
#endif

/* Division by scale as a product, when that is exact: 1 / scale, else 0. */
static float exact_inverse(float scale) {
  uint32_t bits;
  memcpy(&bits, &scale, sizeof bits);
  uint32_t exponent = bits >> 23 & 255;
  return !(bits & 0x7FFFFF) && exponent > 1 && exponent < 253 ? 1.0f / scale : 0.0f;
}

/* What a quotient is rounded and limited to. */
typedef struct grid {
  wnn_vf lo, hi;
  wnn_vi zero;
} grid;

WNN_INLINE grid grid_of(wnn_vi zero, bool is_signed) {
  return (grid){wnn_vi_to_vf((is_signed ? -128 : 0) - zero), wnn_vi_to_vf((is_signed ? 127 : 255) - zero), zero};
}

WNN_INLINE wnn_vi to_grid(wnn_vf quotient, const grid *g) {
  wnn_vi number = (wnn_vi)(quotient == quotient);
  /* A NaN may wrap around before it is masked. */
  wnn_vu nearest = (wnn_vu)wnn_vf_to_nearest(wnn_vf_raise(wnn_vf_lower(quotient, g->hi), g->lo));
  return (wnn_vi)(nearest + (wnn_vu)g->zero) & number;
}

WNN_INLINE wnn_vi load_bytes(const void *bytes, bool is_signed, size_t n) {
  return is_signed ? wnn_vi_load_i8(bytes, n) : wnn_vi_load_u8(bytes, n);
}

/* For each vector of a line, element i and on, n elements: whole ones, so that masks fall away, and the rest. */
#define LINE(total, ...)                                                                                               \
  do {                                                                                                                 \
    size_t i = 0;                                                                                                      \
    for (; i + WNN_VL <= (total); i += WNN_VL) {                                                                       \
      const size_t n = WNN_VL;                                                                                         \
      __VA_ARGS__                                                                                                      \
    }                                                                                                                  \
    if (i < (total)) {                                                                                                 \
      const size_t n = (total)-i;                                                                                      \
      __VA_ARGS__                                                                                                      \
    }                                                                                                                  \
  } while (0)

static void quantize_each(const wnn_q_line *l) {
  LINE(l->n, {
    const grid g = grid_of(load_bytes((const char *)l->zero + i, l->is_signed, n), l->is_signed);
    wnn_vi y = to_grid(wnn_vf_load_n(l->floats + i, n) / wnn_vf_load_n(l->scale + i, n), &g);
    wnn_vi_store_8((char *)l->to + i, y, n);
  });
}

/* n quotients as bytes. Unsigned ones need fewer steps with AVX-512: a NaN becomes the lower limit, which is 0 in the
 * end; what lies above the range of int32 becomes 2^31, and the narrowing limits it. */
WNN_INLINE void store_grid(char *to, wnn_vf quotient, const grid *g, bool is_signed, size_t n) {
#if defined(WNN_ISA_AVX512)
  if (!is_signed) {
    __m512i whole = _mm512_cvtps_epi32(_mm512_max_ps((__m512)quotient, (__m512)g->lo));
    _mm512_mask_cvtusepi32_storeu_epi8(to, wnn_mask_n(n), _mm512_add_epi32(whole, (__m512i)g->zero));
    return;
  }
#endif
  (void)is_signed;
  wnn_vi_store_8(to, to_grid(quotient, g), n);
}

WNN_INLINE void quantize_line(const wnn_q_line *line, bool is_signed) {
  const wnn_q_line l = *line; /* which bytes that are written might change, for all the compiler knows */
  const grid g = grid_of(wnn_vi_set(is_signed ? *(const int8_t *)l.zero : *(const uint8_t *)l.zero), is_signed);
  const float inverse = exact_inverse(*l.scale);
  const wnn_vf scale = wnn_vf_set(*l.scale), factor = wnn_vf_set(inverse);
  char *to = l.to;
  if (inverse != 0.0f)
    LINE(l.n, store_grid(to + i, wnn_vf_load_n(l.floats + i, n) * factor, &g, is_signed, n););
  else
    LINE(l.n, store_grid(to + i, wnn_vf_load_n(l.floats + i, n) / scale, &g, is_signed, n););
}

void WNN_K(q_quantize)(const wnn_q_line *l) {
  if (l->each)
    quantize_each(l);
  else if (l->is_signed)
    quantize_line(l, true);
  else
    quantize_line(l, false);
}

WNN_INLINE void dequantize(const wnn_q_line *l, bool is_signed) {
  float *to = l->to;
  const char *from = l->bytes;
  if (l->each) {
    LINE(l->n, {
      wnn_vi zero = load_bytes((const char *)l->zero + i, is_signed, n);
      wnn_vf x = wnn_vi_to_vf(load_bytes(from + i, is_signed, n) - zero);
      wnn_vf_store_n(to + i, x * wnn_vf_load_n(l->scale + i, n), n);
    });
    return;
  }
  const wnn_vi zero = wnn_vi_set(is_signed ? *(const int8_t *)l->zero : *(const uint8_t *)l->zero);
  const wnn_vf scale = wnn_vf_set(*l->scale);
  LINE(l->n, wnn_vf_store_n(to + i, wnn_vi_to_vf(load_bytes(from + i, is_signed, n) - zero) * scale, n););
}

void WNN_K(q_dequantize)(const wnn_q_line *l) {
  if (l->is_signed)
    dequantize(l, true);
  else
    dequantize(l, false);
}

/* ---- Two lines ---- */

WNN_INLINE wnn_vf side(const wnn_q_side *s, size_t i, size_t n) {
  wnn_vi x = load_bytes((const char *)s->bytes + i, s->is_signed, n);
  wnn_vf product = wnn_vi_to_vf(x - s->zero) * s->scale;
  ROUNDED(product);
  return product;
}

WNN_INLINE void pair_line(const wnn_q_pair *pair, float inverse) {
  const wnn_q_pair line = *pair, *p = &line;
  const grid g = grid_of(wnn_vi_set(p->zero), p->is_signed);
  const wnn_vf lo = wnn_vf_set(p->relu ? 0.0f : -__builtin_inff());
  const wnn_vf scale = wnn_vf_set(p->scale), factor = wnn_vf_set(inverse);
  LINE(p->n, {
    wnn_vf a = side(&p->a, i, n), b = side(&p->b, i, n), x = p->multiply ? a * b : a + b;
    x = wnn_vf_raise(x, lo);
    wnn_vi_store_8((char *)p->to + i, to_grid(inverse != 0.0f ? x * factor : x / scale, &g), n);
  });
}

void WNN_K(q_pair)(const wnn_q_pair *p) {
  const float inverse = exact_inverse(p->scale);
  pair_line(p, inverse);
}

/* ---- For products: other forms of the same numbers ---- */

void WNN_K(q_flip)(size_t n, const uint8_t *restrict from, uint8_t flip, uint8_t *restrict to) {
  for (size_t i = 0; i < n; i++) to[i] = from[i] ^ flip;
}

void WNN_K(q_center)(size_t n, const void *from, bool is_signed, int32_t zero, int16_t *restrict to) {
  if (is_signed) {
    const int8_t *restrict bytes = from;
    for (size_t i = 0; i < n; i++) to[i] = (int16_t)(bytes[i] - zero);
  } else {
    const uint8_t *restrict bytes = from;
    for (size_t i = 0; i < n; i++) to[i] = (int16_t)(bytes[i] - zero);
  }
}

/* ---- Pooling ---- */

#if defined(WNN_ISA_AVX512)
#define BYTES_STEP 64
typedef __m512i bytes_vector;
WNN_INLINE bytes_vector bytes_load(const char *p, size_t n) {
  return _mm512_maskz_loadu_epi8(n < 64 ? (UINT64_C(1) << n) - 1 : UINT64_MAX, p);
}
WNN_INLINE void bytes_store(char *p, bytes_vector x, size_t n) {
  _mm512_mask_storeu_epi8(p, n < 64 ? (UINT64_C(1) << n) - 1 : UINT64_MAX, x);
}
#define BYTES_MAX(a, b, s) ((s) ? _mm512_max_epi8(a, b) : _mm512_max_epu8(a, b))
#else
#define BYTES_STEP 16
typedef uint8_t bytes_vector __attribute__((vector_size(16)));
typedef int8_t signed_bytes __attribute__((vector_size(16)));
WNN_INLINE bytes_vector bytes_load(const char *p, size_t n) {
  bytes_vector x = {0};
  if (n == 16)
    memcpy(&x, p, 16);
  else
    memcpy(&x, p, n);
  return x;
}
WNN_INLINE void bytes_store(char *p, bytes_vector x, size_t n) {
  if (n == 16)
    memcpy(p, &x, 16);
  else
    memcpy(p, &x, n);
}
WNN_INLINE bytes_vector bytes_max(bytes_vector a, bytes_vector b, bool is_signed) {
  bytes_vector mask = is_signed ? (bytes_vector)((signed_bytes)a > (signed_bytes)b) : (bytes_vector)(a > b);
  return (mask & a) | (~mask & b);
}
#define BYTES_MAX(a, b, s) bytes_max(a, b, s)
#endif

void WNN_K(q_pool_max)(uint32_t taps, bool is_signed, size_t channels, const void *const *a, void *to) {
  for (size_t c = 0; c < channels; c += BYTES_STEP) {
    size_t n = channels - c < BYTES_STEP ? channels - c : BYTES_STEP;
    bytes_vector best = bytes_load((const char *)a[0] + c, n);
    for (uint32_t t = 1; t < taps; t++) best = BYTES_MAX(best, bytes_load((const char *)a[t] + c, n), is_signed);
    bytes_store((char *)to + c, best, n);
  }
}
