/* Integer products: tiles over 32-bit groups of small integers, depthwise pixels, and what becomes of the sums. */
#include "kernels/simd/bytes.h"
#include "kernels/ukernels.h"

#if defined(WNN_ISA_AVX512)
#define MR 12
#define FEW 4 /* rows up to which a tile takes four vectors of columns */
#else
#define MR 6
#define FEW 2
#endif

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
/* Adds the products of four uint8 of a and int8 of b, for processors that have an instruction for it. */
#if defined(WNN_ISA_AVX512)
#define DOT_BYTES(acc, a, b) (wnn_vi) _mm512_dpbusd_epi32((__m512i)(acc), (__m512i)(a), (__m512i)(b))
#define BYTES_TARGET "avx512vnni"
#define BYTES_TILE wnn_q_bytes_tile__vnni
#elif defined(WNN_ISA_AVX2)
#define DOT_BYTES(acc, a, b) (wnn_vi) _mm256_dpbusd_avx_epi32((__m256i)(acc), (__m256i)(a), (__m256i)(b))
#define BYTES_TARGET "avxvnni"
#define BYTES_TILE wnn_q_bytes_tile__avxvnni
/* The same without such an instruction, exact while two neighbouring products add up to an int16. */
#define DOT_NARROW(acc, a, b)                                                                                          \
  (wnn_vi) _mm256_add_epi32((__m256i)(acc),                                                                            \
                            _mm256_madd_epi16(_mm256_maddubs_epi16((__m256i)(a), (__m256i)(b)), _mm256_set1_epi16(1)))
#endif

/* ---- What becomes of sums ---- */

/* m rows of sums, `vectors` vectors each, to columns `first` and on; n columns in all. */
static void finish_int32(const wnn_q_finish *f, const wnn_vi *sums, uint32_t m, size_t first, size_t n) {
  for (size_t j = 0; j < n; j += WNN_VL, sums += m) {
    size_t count = n - j < WNN_VL ? n - j : WNN_VL;
    int32_t *c = (int32_t *)f->c + first + j;
    for (uint32_t i = 0; i < m; i++, c += f->c_stride) wnn_vi_store_n(c, sums[i], count);
  }
}

static void finish_float32(const wnn_q_finish *f, const wnn_vi *sums, uint32_t m, size_t first, size_t n) {
  const wnn_vf lo = wnn_vf_set(f->lo), hi = wnn_vf_set(f->hi);
  for (size_t j = 0; j < n; j += WNN_VL, sums += m) {
    size_t count = n - j < WNN_VL ? n - j : WNN_VL;
    wnn_vf scale = wnn_vf_load_n(f->scale + first + j, count), init = {0};
    if (f->init) init = wnn_vf_load_n(f->init + first + j, count);
    float *c = (float *)f->c + first + j;
    const float *residual = f->residual ? f->residual + first + j : NULL;
    for (uint32_t i = 0; i < m; i++, c += f->c_stride) {
      wnn_vf x = wnn_vi_to_vf(sums[i]) * scale + init;
      if (residual) x += wnn_vf_load_n(residual, count), residual += f->residual_stride;
      if (f->limit) x = wnn_vf_lower(wnn_vf_raise(x, lo), hi);
      wnn_vf_store_n(c, x, count);
    }
  }
}

static void finish_byte(const wnn_q_finish *f, const wnn_vi *sums, uint32_t m, size_t first, size_t n) {
  const wnn_vf lo = wnn_vf_set(f->lo), hi = wnn_vf_set(f->hi);
  const wnn_vi zero = wnn_vi_set(f->zero);
  for (size_t j = 0; j < n; j += WNN_VL, sums += m) {
    size_t count = n - j < WNN_VL ? n - j : WNN_VL;
    wnn_vf scale = wnn_vf_load_n(f->scale + first + j, count), init = {0};
    if (f->init) init = wnn_vf_load_n(f->init + first + j, count);
    uint8_t *c = (uint8_t *)f->c + first + j;
    for (uint32_t i = 0; i < m; i++, c += f->c_stride) {
      wnn_vf x = wnn_vf_lower(wnn_vf_raise(wnn_vi_to_vf(sums[i]) * scale + init, lo), hi);
      wnn_vi_store_8(c, wnn_vf_to_nearest(x) + zero, count);
    }
  }
}

static __attribute__((noinline)) void finish(const wnn_q_finish *f, const wnn_vi *sums, uint32_t m, size_t first,
                                             size_t n) {
  switch (f->result) {
  case WNN_Q_INT32: finish_int32(f, sums, m, first, n); break;
  case WNN_Q_FLOAT32: finish_float32(f, sums, m, first, n); break;
  case WNN_Q_BYTE: finish_byte(f, sums, m, first, n); break;
  }
}

/* ---- Tiles ---- */

#define BODY(M, N, DOT)                                                                                                \
  wnn_vi acc[M][N];                                                                                                    \
  size_t panel[N]; /* a vector that is not there reads the first panel, and nothing is made of it */                   \
  WNN_UNROLL                                                                                                           \
  for (int j = 0; j < (N); j++) {                                                                                      \
    size_t first = (size_t)j * WNN_VL, left = tile->n > first ? tile->n - first : 0;                                   \
    panel[j] = left ? (size_t)j * tile->b_panel : 0;                                                                   \
    acc[0][j] = wnn_vi_load_n(tile->finish.shift + (left ? first : 0), left < WNN_VL ? left : WNN_VL);                 \
    WNN_UNROLL                                                                                                         \
    for (int i = 1; i < (M); i++) acc[i][j] = acc[0][j];                                                               \
  }                                                                                                                    \
  const int32_t *b = tile->b;                                                                                          \
  const void *const *rows = tile->a;                                                                                   \
  const char *ahead = tile->ahead ? tile->ahead : (const char *)tile->b;                                               \
  for (uint32_t t = 0; t < tile->taps; t++, rows += tile->a_step) {                                                    \
    const group_unaligned *a[M];                                                                                       \
    WNN_UNROLL                                                                                                         \
    for (int i = 0; i < (M); i++) a[i] = (const group_unaligned *)((const char *)rows[i] + tile->a_offset);            \
    for (size_t k = 0; k < tile->k; k++) {                                                                             \
      wnn_vi column[N];                                                                                                \
      WNN_UNROLL                                                                                                       \
      for (int j = 0; j < (N); j++) column[j] = wnn_vi_load(b + panel[j]);                                             \
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
  wnn_vi sums[(M) * (N)];                                                                                              \
  WNN_UNROLL                                                                                                           \
  for (int j = 0; j < (N); j++) WNN_UNROLL                                                                             \
  for (int i = 0; i < (M); i++) sums[j * (M) + i] = acc[i][j];                                                         \
  finish(&tile->finish, sums, M, 0, tile->n);

#define PAIRS(M, N)                                                                                                    \
  static void pairs_##M##x##N(const wnn_q_tile *tile) { BODY(M, N, DOT_PAIRS) }
#define NAME_PAIRS_JOIN(M, N) pairs_##M##x##N,
#define NAME_PAIRS(M, N) NAME_PAIRS_JOIN(M, N)
#define BYTES(M, N)                                                                                                    \
  static __attribute__((target(BYTES_TARGET))) void bytes_##M##x##N(const wnn_q_tile *tile) { BODY(M, N, DOT_BYTES) }
#define NAME_BYTES(M, N) bytes_##M##x##N,
#define NARROW(M, N)                                                                                                   \
  static void narrow_##M##x##N(const wnn_q_tile *tile) { BODY(M, N, DOT_NARROW) }
#define NAME_NARROW(M, N) narrow_##M##x##N,

#if MR == 12
#define FEW_TILES(X) X(1, 4) X(2, 4) X(3, 4) X(4, 4)
#define MORE_TILES(X, N) X(5, N) X(6, N) X(7, N) X(8, N) X(9, N) X(10, N) X(11, N) X(12, N)
#define TILES(X, N) X(1, N) X(2, N) X(3, N) X(4, N) MORE_TILES(X, N)
#else
#define FEW_TILES(X) X(1, 4) X(2, 4)
#define TILES(X, N) X(1, N) X(2, N) X(3, N) X(4, N) X(5, N) X(6, N)
#endif

typedef void tile_fn(const wnn_q_tile *tile);
/* One vector of columns, two, more. */
WNN_INLINE void choose(const wnn_q_tile *tile, tile_fn *const one[], tile_fn *const two[], tile_fn *const four[]) {
  size_t vectors = (tile->n + WNN_VL - 1) / WNN_VL;
  (vectors == 1 ? one : vectors == 2 ? two : four)[tile->m - 1](tile);
}
/* The body of a slot over the tiles that NAME names; ALONE: the vectors of tiles for a lonely one. */
#define CHOOSE(NAME, ALONE)                                                                                            \
  static tile_fn *const one[MR] = {TILES(NAME, ALONE)}, *const two[MR] = {TILES(NAME, 2)},                             \
                        *const four[FEW] = {FEW_TILES(NAME)};                                                          \
  choose(tile, one, two, four);

#if defined(WNN_ISA_AVX512)
#define PAIRS_ALONE                                                                                                    \
  2 /* processors with AVX-512 and without VNNI are few: a lonely vector of columns goes with nothing */
#else
#define PAIRS_ALONE 1
TILES(PAIRS, 1)
#endif
TILES(PAIRS, 2)
FEW_TILES(PAIRS)
void WNN_K(q_pairs_tile)(const wnn_q_tile *tile){CHOOSE(NAME_PAIRS, PAIRS_ALONE)}

#if defined(BYTES_TILE)
TILES(BYTES, 1) TILES(BYTES, 2) FEW_TILES(BYTES) void BYTES_TILE(const wnn_q_tile *tile);
void BYTES_TILE(const wnn_q_tile *tile){CHOOSE(NAME_BYTES, 1)}
#endif

#if defined(DOT_NARROW)
TILES(NARROW, 1) TILES(NARROW, 2) FEW_TILES(NARROW) void wnn_q_bytes_tile__avx2(const wnn_q_tile *tile);
void wnn_q_bytes_tile__avx2(const wnn_q_tile *tile) { CHOOSE(NAME_NARROW, 1) }
#endif

#if defined(WNN_ISA_AVX512)
/* ---- Tiles of a matrix unit ---- */

#define MATRIX __attribute__((target("amx-tile,amx-int8")))
enum { SIDE = WNN_VL }; /* rows of a tile; it has as many groups of four bytes */

void wnn_q_matrix_begin__amx(void);
void wnn_q_matrix_end__amx(void);
void wnn_q_matrix_tile__amx(const wnn_q_tile *tile);

MATRIX void wnn_q_matrix_begin__amx(void) {
  static const struct {
    uint8_t palette, start_row, reserved[14];
    uint16_t row_bytes[16];
    uint8_t rows[16];
  } tiles = {.palette = 1,
             .row_bytes = {64, 64, 64, 64, 64, 64, 64, 64},
             .rows = {SIDE, SIDE, SIDE, SIDE, SIDE, SIDE, SIDE, SIDE}};
  _tile_loadconfig(&tiles);
}

MATRIX void wnn_q_matrix_end__amx(void) { _tile_release(); }

/* Bytes from each of SIDE rows to the next; 0 where that differs, or there are fewer rows. */
static size_t even_distance(const void *const *rows, uint32_t m) {
  if (m < SIDE) return 0;
  uint64_t first = (uintptr_t)rows[0], step = (uintptr_t)rows[1] - first;
  __m512i steps = _mm512_mullo_epi64(_mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0), _mm512_set1_epi64((long long)step));
  __m512i low = _mm512_add_epi64(steps, _mm512_set1_epi64((long long)first));
  __m512i high = _mm512_add_epi64(low, _mm512_set1_epi64((long long)(8 * step)));
  bool even = !_mm512_cmpneq_epi64_mask(low, _mm512_loadu_si512(rows)) &&
              !_mm512_cmpneq_epi64_mask(high, _mm512_loadu_si512(rows + 8));
  return even ? (size_t)step : 0;
}

/* Groups of SIDE rows of A: where they lie, or a copy in which what is past the last group is 0. */
typedef struct rows_of_a {
  const void *data;
  size_t distance;
} rows_of_a;
static rows_of_a find_rows(const void *const *rows, uint32_t m, size_t offset, size_t groups, size_t distance,
                           wnn_vi copy[SIDE]) {
  if (distance && groups >= SIDE) return (rows_of_a){(const char *)rows[0] + offset, distance};
  __mmask16 there = (__mmask16)(groups < SIDE ? (1u << groups) - 1 : 0xFFFF);
  for (uint32_t i = 0; i < m && i < SIDE; i++)
    copy[i] = (wnn_vi)_mm512_maskz_loadu_epi32(there, (const char *)rows[i] + offset);
  return (rows_of_a){copy, sizeof *copy};
}

/* Four tiles of sums, (0 1) above (2 3). Rows of A past the last give sums that nobody looks at. */
MATRIX void wnn_q_matrix_tile__amx(const wnn_q_tile *tile) {
  const uint32_t m = tile->m, n = tile->n;
  const bool second_rows = m > SIDE, second_columns = n > SIDE;
  wnn_vi sums[2][2 * SIDE], a_copy[2][SIDE], b_copy[2][SIDE];
  sums[0][0] = wnn_vi_load_n(tile->finish.shift, second_columns ? SIDE : n);
  sums[1][0] = wnn_vi_load_n(tile->finish.shift + (second_columns ? SIDE : 0), second_columns ? n - SIDE : n);
  __asm__ volatile("" ::: "memory"); /* the compiler does not know what tiles read */
  _tile_loadd(0, &sums[0][0], 0);
  _tile_loadd(1, &sums[1][0], 0);
  _tile_loadd(2, &sums[0][0], 0);
  _tile_loadd(3, &sums[1][0], 0);
  const int32_t *b = tile->b;
  const void *const *rows = tile->a;
  const char *ahead = tile->ahead ? tile->ahead : (const char *)tile->b;
  for (uint32_t t = 0; t < tile->taps; t++, rows += tile->a_step) {
    size_t distance[2] = {even_distance(rows, m), second_rows ? even_distance(rows + SIDE, m - SIDE) : 0};
    for (size_t k = 0; k < tile->k; k += SIDE) {
      size_t groups = tile->k - k, offset = tile->a_offset + 4 * k;
      rows_of_a above = find_rows(rows, m, offset, groups, distance[0], a_copy[0]), below = above;
      if (second_rows) below = find_rows(rows + SIDE, m - SIDE, offset, groups, distance[1], a_copy[1]);
      const void *left = b, *right = b + tile->b_panel;
      if (groups < SIDE) {
        for (size_t i = 0; i < groups; i++) b_copy[0][i] = wnn_vi_load(b + i * WNN_VL);
        for (size_t i = 0; second_columns && i < groups; i++)
          b_copy[1][i] = wnn_vi_load(b + tile->b_panel + i * WNN_VL);
        left = b_copy[0], right = b_copy[1];
      }
      size_t step = groups < SIDE ? groups : SIDE;
      b += step * WNN_VL;
      for (size_t i = 0; i < step; i++, ahead += 64) __builtin_prefetch(ahead, 0);
      __asm__ volatile("" ::: "memory");
      _tile_loadd(4, above.data, above.distance);
      _tile_loadd(6, left, 64);
      _tile_dpbusd(0, 4, 6);
      if (second_columns) {
        _tile_loadd(7, right, 64);
        _tile_dpbusd(1, 4, 7);
      }
      if (second_rows) {
        _tile_loadd(5, below.data, below.distance);
        _tile_dpbusd(2, 5, 6);
        if (second_columns) _tile_dpbusd(3, 5, 7);
      }
    }
  }
  _tile_stored(0, sums[0], 64);
  _tile_stored(1, sums[1], 64);
  _tile_stored(2, sums[0] + SIDE, 64);
  _tile_stored(3, sums[1] + SIDE, 64);
  finish(&tile->finish, sums[0], m, 0, second_columns ? SIDE : n);
  if (second_columns) finish(&tile->finish, sums[1], m, SIDE, n - SIDE);
}
#endif

/* ---- Depthwise ---- */

/* The pair (x of tap t, x of tap t + 1) of each channel, as int16. */
#define DEPTHWISE(name, load)                                                                                          \
  static void name(const wnn_q_depthwise *p) {                                                                         \
    for (size_t c = 0; c < p->channels; c += 2 * WNN_VL) {                                                             \
      size_t left = p->channels - c, n = left < WNN_VL ? left : WNN_VL, more = left - n < WNN_VL ? left - n : WNN_VL;  \
      const int32_t *w = (const int32_t *)(const void *)p->weights + c;                                                \
      wnn_vi acc[2] = {wnn_vi_load_n(p->finish.shift + c, n), wnn_vi_load_n(p->finish.shift + c + n, more)};           \
      for (uint32_t t = 0; t < p->taps; t += 2, w += p->channels) {                                                    \
        const char *a = (const char *)p->a[t] + c, *b = t + 1 < p->taps ? (const char *)p->a[t + 1] + c : a;           \
        wnn_vi x = (load(a, n) & 0xFFFF) | (wnn_vi)((wnn_vu)load(b, n) << 16);                                         \
        wnn_vi y = (load(a + n, more) & 0xFFFF) | (wnn_vi)((wnn_vu)load(b + n, more) << 16);                           \
        acc[0] = DOT_PAIRS(acc[0], x, wnn_vi_load_n(w, n));                                                            \
        acc[1] = DOT_PAIRS(acc[1], y, wnn_vi_load_n(w + n, more));                                                     \
      }                                                                                                                \
      finish(&p->finish, acc, 1, c, n + more);                                                                         \
    }                                                                                                                  \
  }
DEPTHWISE(depthwise_unsigned, wnn_vi_load_u8)
DEPTHWISE(depthwise_signed, wnn_vi_load_i8)

void WNN_K(q_depthwise)(const wnn_q_depthwise *pixel) {
  (pixel->is_signed ? depthwise_signed : depthwise_unsigned)(pixel);
}
