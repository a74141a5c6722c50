/* Tiles of float32 matrix products. */
#include "kernels/simd/simd.h"
#include "kernels/ukernels.h"

/* MR: most rows of a tile. DEPTH_STEPS: terms of the sums between branches; only where multiply-adds are so few that
 * what stands beside them counts. */
#ifdef WNN_ISA_AVX512
enum { MR = 12, DEPTH_STEPS = 2 };
#else
enum { MR = 6, DEPTH_STEPS = 1 };
#endif
enum { MOST_VECTORS = 4 }; /* of a tile of few rows */

/* What of the last vector of columns is there: all of it, a part, or so little that it is cheaper to make two rows in
 * one vector, half of it each. */
enum { WHOLE, PART, HALF };

/* The body for M rows and N vectors, both constants, so that the accumulators stay in registers. */
WNN_INLINE void tile_body(const wnn_f32_tile *tile, const int M, const int N, const int LAST) {
  const bool partial = LAST != WHOLE;
  wnn_vf acc[MR][MOST_VECTORS];
  size_t last = tile->n - (size_t)(N - 1) * WNN_VL;
  if (tile->accumulate) {
    WNN_UNROLL
    for (int i = 0; i < M; i++) WNN_UNROLL
    for (int j = 0; j < N; j++) {
      const float *c = tile->c + i * tile->c_stride + j * WNN_VL;
      acc[i][j] = partial && j == N - 1 ? wnn_vf_load_n(c, last) : wnn_vf_load(c);
    }
  } else {
    WNN_UNROLL
    for (int j = 0; j < N; j++) {
      wnn_vf start = {0};
      if (tile->init) {
        const float *p = tile->init + j * WNN_VL;
        start = partial && j == N - 1 ? wnn_vf_load_n(p, last) : wnn_vf_load(p);
      }
      WNN_UNROLL
      for (int i = 0; i < M; i++) acc[i][j] = start;
    }
  }
  if (tile->residual) { /* the tile below comes next; addresses past the end are harmless here */
    uintptr_t more = (uintptr_t)tile->residual + M * tile->residual_stride * sizeof(float);
    WNN_UNROLL
    for (int i = 0; i < M; i++) WNN_UNROLL
    for (int j = 0; j < N * WNN_VL; j += 16)
      __builtin_prefetch((const void *)(more + (i * tile->residual_stride + j) * sizeof(float)), 0);
  }
  const int FULL = LAST == HALF ? N - 1 : N; /* vectors of one row */
  wnn_vf pairs[MR / 2];
  if (LAST == HALF) {
    WNN_UNROLL
    for (int i = 0; i < M; i += 2)
      pairs[i / 2] = wnn_vf_join_halves(acc[i][FULL], wnn_vf_swap_halves(acc[i + 1 < M ? i + 1 : i][FULL]));
  }
  const float *b = tile->b;
  const size_t panel = tile->b_panel, count = tile->k;
  const float *ahead = tile->ahead ? tile->ahead : b;
  const float *const *rows = tile->a;
  for (uint32_t t = 0; t < tile->taps; t++, rows += tile->a_step) {
    const float *a[MR];
    WNN_UNROLL
    for (int i = 0; i < M; i++) a[i] = rows[i] + tile->a_offset;
#define STEPS(COUNT)                                                                                                   \
  for (; k + COUNT <= count; k += COUNT) {                                                                             \
    WNN_UNROLL                                                                                                         \
    for (int s = 0; s < COUNT; s++) {                                                                                  \
      wnn_vf column[MOST_VECTORS];                                                                                     \
      WNN_UNROLL                                                                                                       \
      for (int j = 0; j < FULL; j++) column[j] = wnn_vf_load(b + s * WNN_VL + j * panel);                              \
      if (LAST == HALF) column[FULL] = wnn_vf_load_twice(b + s * WNN_VL + FULL * panel);                               \
      __builtin_prefetch(ahead + s * WNN_VL, 0);                                                                       \
      wnn_vf even = {0};                                                                                               \
      WNN_UNROLL                                                                                                       \
      for (int i = 0; i < M; i++) {                                                                                    \
        wnn_vf x = wnn_vf_set(a[i][k + s]);                                                                            \
        WNN_UNROLL                                                                                                     \
        for (int j = 0; j < FULL; j++) acc[i][j] += x * column[j];                                                     \
        if (LAST == HALF && i % 2) pairs[i / 2] += wnn_vf_join_halves(even, x) * column[FULL];                         \
        if (LAST == HALF && i % 2 == 0 && i + 1 == M) pairs[i / 2] += x * column[FULL];                                \
        even = x;                                                                                                      \
      }                                                                                                                \
    }                                                                                                                  \
    b += COUNT * WNN_VL, ahead += COUNT * WNN_VL;                                                                      \
  }
    size_t k = 0;
    if (DEPTH_STEPS > 1) STEPS(DEPTH_STEPS)
    STEPS(1)
#undef STEPS
  }
  if (LAST == HALF) {
    WNN_UNROLL
    for (int i = 0; i < M; i++) acc[i][FULL] = i % 2 ? wnn_vf_swap_halves(pairs[i / 2]) : pairs[i / 2];
  }
  if (tile->residual) {
    WNN_UNROLL
    for (int i = 0; i < M; i++) WNN_UNROLL
    for (int j = 0; j < N; j++) {
      const float *p = tile->residual + i * tile->residual_stride + j * WNN_VL;
      acc[i][j] += partial && j == N - 1 ? wnn_vf_load_n(p, last) : wnn_vf_load(p);
    }
  }
  if (tile->limit) {
    wnn_vf lo = wnn_vf_set(tile->lo), hi = wnn_vf_set(tile->hi);
    WNN_UNROLL
    for (int i = 0; i < M; i++) WNN_UNROLL
    for (int j = 0; j < N; j++) acc[i][j] = wnn_vf_lower(wnn_vf_raise(acc[i][j], lo), hi);
  }
  float *c = tile->c;
  const size_t c_stride = tile->c_stride; /* which stores might change */
  WNN_UNROLL
  for (int i = 0; i < M; i++, c += c_stride) WNN_UNROLL
  for (int j = 0; j < N; j++) {
    if (partial && j == N - 1) {
      wnn_vf_store_n(c + j * WNN_VL, acc[i][j], last);
    } else {
      wnn_vf_store(c + j * WNN_VL, acc[i][j]);
    }
  }
}

typedef void tile_fn(const wnn_f32_tile *tile);
#define TILE(M, N)                                                                                                     \
  static void tile_##M##x##N(const wnn_f32_tile *tile) {                                                               \
    size_t last = tile->n % WNN_VL;                                                                                    \
    if (N == 2 && M > 4 && last && last <= WNN_VL / 2) {                                                               \
      tile_body(tile, M, N, HALF);                                                                                     \
    } else if (last) {                                                                                                 \
      tile_body(tile, M, N, PART);                                                                                     \
    } else {                                                                                                           \
      tile_body(tile, M, N, WHOLE);                                                                                    \
    }                                                                                                                  \
  }
#define TILES_1(X) X(1, 1) X(2, 1) X(3, 1) X(4, 1) X(5, 1) X(6, 1)
#define TILES_2(X) X(1, 2) X(2, 2) X(3, 2) X(4, 2) X(5, 2) X(6, 2)
#define TILES_3(X) X(1, 3) X(2, 3) X(3, 3) X(4, 3)
#define TILES_4(X) X(1, 4) X(2, 4) X(3, 4) X(4, 4)
#ifdef WNN_ISA_AVX512
#define TILES_1_TALL(X) X(7, 1) X(8, 1) X(9, 1) X(10, 1) X(11, 1) X(12, 1)
#define TILES_2_TALL(X) X(7, 2) X(8, 2) X(9, 2) X(10, 2) X(11, 2) X(12, 2)
#else
#define TILES_1_TALL(X)
#define TILES_2_TALL(X)
#endif
TILES_1(TILE)
TILES_1_TALL(TILE)
TILES_2(TILE)
TILES_2_TALL(TILE)
TILES_3(TILE)
TILES_4(TILE)

static tile_fn *const tiles[MOST_VECTORS][MR] = {
#define ROW(M, N) tile_##M##x##N,
    {TILES_1(ROW) TILES_1_TALL(ROW)},
    {TILES_2(ROW) TILES_2_TALL(ROW)},
    {TILES_3(ROW)},
    {TILES_4(ROW)},
};

void WNN_K(f32_gemm_tile)(const wnn_f32_tile *tile) { tiles[(tile->n + WNN_VL - 1) / WNN_VL - 1][tile->m - 1](tile); }

/* ---- Panels ---- */

void WNN_K(f32_pack_rows)(size_t k, size_t n, const wnn_loose *source, size_t stride, float scale, float *panel) {
  wnn_vf factor = wnn_vf_set(scale);
  if (n == WNN_VL) {
    for (size_t i = 0; i < k; i++) wnn_vf_store(panel + i * WNN_VL, wnn_vf_load_loose(source + i * stride) * factor);
    return;
  }
  for (size_t i = 0; i < k; i++) {
    wnn_vf row = {0};
    memcpy(&row, source + i * stride, n * sizeof *source);
    wnn_vf_store(panel + i * WNN_VL, row * factor);
  }
}

/* Place in the panel of source columns that follow each other. */
typedef struct cursor {
  size_t tap, channel, taps, channels;
} cursor;
WNN_INLINE size_t cursor_next(cursor *at) {
  size_t row = at->tap * at->channels + at->channel;
  if (++at->tap == at->taps) at->tap = 0, at->channel++;
  return row * WNN_VL;
}

/* Four columns of the source from number i on: four rows of the panel, written whole. */
WNN_INLINE void pack_quads(const wnn_loose *source, size_t n, size_t stride, size_t i, float scale,
                           const size_t rows[4], float *panel, const bool partial) {
  wnn_quad factor = {scale, scale, scale, scale};
  WNN_UNROLL
  for (size_t j = 0; j < WNN_VL; j += 4) {
    wnn_quad q[4];
    for (size_t l = 0; l < 4; l++) {
      q[l] = (wnn_quad){0};
      if (!partial || j + l < n) q[l] = wnn_quad_load(source + (j + l) * stride + i) * factor;
    }
    wnn_quad_transpose(q);
    for (size_t l = 0; l < 4; l++) wnn_quad_store(panel + rows[l] + j, q[l]);
  }
}

void WNN_K(f32_pack_columns)(size_t k, size_t n, const wnn_loose *source, size_t stride, float scale, size_t taps,
                             float *panel) {
  cursor at = {.taps = taps, .channels = k / taps};
  size_t i = 0;
  for (; i + 4 <= k; i += 4) {
    size_t rows[4];
    for (size_t l = 0; l < 4; l++) rows[l] = cursor_next(&at);
    if (n == WNN_VL)
      pack_quads(source, n, stride, i, scale, rows, panel, false);
    else
      pack_quads(source, n, stride, i, scale, rows, panel, true);
  }
  for (; i < k; i++) {
    float *row = panel + cursor_next(&at);
    for (size_t l = 0; l < WNN_VL; l++) row[l] = l < n ? source[l * stride + i] * scale : 0;
  }
}
