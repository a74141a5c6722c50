/* Tiles of integer matrix products: 32-bit groups of small integers, multiplied and summed into int32. */
#include "kernels/simd/simd.h"
#include "kernels/ukernels.h"

#if defined(WNN_ISA_AVX512)
#define MR 12
#else
#define MR 6
#endif
#define NV 2

/* A group of integers, wherever it lies. */
typedef int32_t group_unaligned __attribute__((may_alias, aligned(1)));

/* Adds the products of two int16 each. */
#if defined(WNN_ISA_AVX512)
#define DOT_PAIRS(acc, a, b) (wnn_vi) _mm512_add_epi32((__m512i)(acc), _mm512_madd_epi16((__m512i)(a), (__m512i)(b)))
#elif defined(WNN_ISA_AVX2)
#define DOT_PAIRS(acc, a, b) (wnn_vi) _mm256_add_epi32((__m256i)(acc), _mm256_madd_epi16((__m256i)(a), (__m256i)(b)))
#elif defined(WNN_SSE2)
#define DOT_PAIRS(acc, a, b) (wnn_vi) _mm_add_epi32((__m128i)(acc), _mm_madd_epi16((__m128i)(a), (__m128i)(b)))
#else
WNN_INLINE wnn_vi dot_pairs(wnn_vi acc, wnn_vi a, wnn_vi b) {
  wnn_vi a_low = (wnn_vi)((wnn_vu)a << 16) >> 16, b_low = (wnn_vi)((wnn_vu)b << 16) >> 16;
  return acc + a_low * b_low + (a >> 16) * (b >> 16);
}
#define DOT_PAIRS(acc, a, b) dot_pairs(acc, a, b)
#endif
/* Adds the products of four uint8 of a and int8 of b. */
#define DOT_BYTES(acc, a, b) (wnn_vi) _mm512_dpbusd_epi32((__m512i)(acc), (__m512i)(a), (__m512i)(b))

/* From sums to floats, and to C. */
WNN_INLINE void finish(const wnn_f32_tile *tile, uint32_t i, size_t j, wnn_vi sum, size_t n) {
  float *c = tile->c + i * tile->c_stride + j;
  wnn_vf x = wnn_vi_to_vf(sum + wnn_vi_load_n(tile->shift + j, n)) * wnn_vf_load_n(tile->scale + j, n);
  if (tile->init) x += wnn_vf_load_n(tile->init + j, n);
  if (tile->residual) x += wnn_vf_load_n(tile->residual + i * tile->residual_stride + j, n);
  if (tile->limit) x = wnn_vf_lower(wnn_vf_raise(x, wnn_vf_set(tile->lo)), wnn_vf_set(tile->hi));
  wnn_vf_store_n(c, x, n);
}

#define BODY(M, N, DOT)                                                                                                \
  wnn_vi acc[MR][NV];                                                                                                  \
  WNN_UNROLL                                                                                                           \
  for (int i = 0; i < (M); i++) WNN_UNROLL                                                                             \
  for (int j = 0; j < (N); j++) acc[i][j] = (wnn_vi){0};                                                               \
  const int32_t *b = (const int32_t *)(const void *)tile->b;                                                           \
  const float *const *rows = tile->a;                                                                                  \
  const char *ahead = (const char *)(tile->ahead ? tile->ahead : tile->b);                                             \
  for (uint32_t t = 0; t < tile->taps; t++, rows += tile->a_step) {                                                    \
    const group_unaligned *a[MR];                                                                                      \
    WNN_UNROLL                                                                                                         \
    for (int i = 0; i < (M); i++) a[i] = (const group_unaligned *)(const void *)(rows[i] + tile->a_offset);            \
    for (size_t k = 0; k < tile->k; k++) {                                                                             \
      wnn_vi column[NV];                                                                                               \
      WNN_UNROLL                                                                                                       \
      for (int j = 0; j < (N); j++) column[j] = wnn_vi_load(b + (size_t)j * tile->b_panel);                            \
      b += WNN_VL;                                                                                                     \
      __builtin_prefetch(ahead, 0);                                                                                    \
      ahead += 64;                                                                                                     \
      WNN_UNROLL                                                                                                       \
      for (int i = 0; i < (M); i++) {                                                                                  \
        wnn_vi x = wnn_vi_set(a[i][k]);                                                                                \
        WNN_UNROLL                                                                                                     \
        for (int j = 0; j < (N); j++) acc[i][j] = DOT(acc[i][j], x, column[j]);                                        \
      }                                                                                                                \
    }                                                                                                                  \
  }                                                                                                                    \
  WNN_UNROLL                                                                                                           \
  for (int i = 0; i < (M); i++) WNN_UNROLL                                                                             \
  for (int j = 0; j < (N); j++) {                                                                                      \
    size_t left = tile->n - (size_t)j * WNN_VL;                                                                        \
    finish(tile, (uint32_t)i, (size_t)j *WNN_VL, acc[i][j], left < WNN_VL ? left : WNN_VL);                            \
  }

#define PAIRS(M, N)                                                                                                    \
  static void pairs_##M##x##N(const wnn_f32_tile *tile) { BODY(M, N, DOT_PAIRS) }
#define NAME_PAIRS(M, N) pairs_##M##x##N,
#define BYTES(M, N)                                                                                                    \
  static __attribute__((target("avx512vnni"))) void bytes_##M##x##N(const wnn_f32_tile *tile) { BODY(M, N, DOT_BYTES) }
#define NAME_BYTES(M, N) bytes_##M##x##N,

#if MR == 12
#define TILES(X, N) X(1, N) X(2, N) X(3, N) X(4, N) X(5, N) X(6, N) X(7, N) X(8, N) X(9, N) X(10, N) X(11, N) X(12, N)
#else
#define TILES(X, N) X(1, N) X(2, N) X(3, N) X(4, N) X(5, N) X(6, N)
#endif

typedef void tile_fn(const wnn_f32_tile *tile);
TILES(PAIRS, 1)
TILES(PAIRS, 2)
static tile_fn *const pairs[NV][MR] = {{TILES(NAME_PAIRS, 1)}, {TILES(NAME_PAIRS, 2)}};

void WNN_K(q_pairs_tile)(const wnn_f32_tile *tile) { pairs[(tile->n + WNN_VL - 1) / WNN_VL - 1][tile->m - 1](tile); }

#if defined(WNN_ISA_AVX512)
TILES(BYTES, 1)
TILES(BYTES, 2)
static tile_fn *const bytes[NV][MR] = {{TILES(NAME_BYTES, 1)}, {TILES(NAME_BYTES, 2)}};

void wnn_q_bytes_tile__vnni(const wnn_f32_tile *tile);
void wnn_q_bytes_tile__vnni(const wnn_f32_tile *tile) { bytes[(tile->n + WNN_VL - 1) / WNN_VL - 1][tile->m - 1](tile); }
#endif
