/* Depthwise convolution and pooling of planes: one channel of an image, its rows one after the other. */
#include "kernels/simd/math.h"
#include "kernels/ukernels.h"

/* ---- Depthwise ---- */

/* Elements of the vector that begins at column x that are inside a row. */
WNN_INLINE wnn_part part_inside(ptrdiff_t x, ptrdiff_t width) {
  ptrdiff_t from = x < 0 ? -x : 0, to = width - x;
  from = from > WNN_VL ? WNN_VL : from;
  to = to > WNN_VL ? WNN_VL : to < from ? from : to;
  return wnn_part_of((int)from, (int)to);
}

#ifdef WNN_ISA_BASELINE
/* Without masks these are loops with branches: one copy of them, not one for each tap of each block. */
static __attribute__((noinline)) wnn_vf load_part(const float *base, ptrdiff_t offset, wnn_part part) {
  return wnn_vf_load_part(base, offset, part);
}
#else
WNN_INLINE wnn_vf load_part(const float *base, ptrdiff_t offset, wnn_part part) {
  return wnn_vf_load_part(base, offset, part);
}
#endif

#ifdef WNN_ISA_AVX512
enum { MOST_LINES = 14 }; /* that are made at once */
#else
enum { MOST_LINES = 8 };
#endif

/* What all rows have in common. */
typedef struct fixed {
  const wnn_f32_plane *d;
  wnn_vf start;
} fixed;

/* Residual, limit and store: n columns of LINES rows. */
WNN_INLINE void finish(const wnn_f32_plane *d, wnn_vf *acc, size_t at, size_t n, const int LINES, const bool edge) {
  const size_t step = d->out_w;
  const bool whole = !edge || n == WNN_VL;
  if (d->residual) {
    const float *from = d->residual + at;
    WNN_UNROLL
    for (int i = 0; i < LINES; i++, from += step) acc[i] += whole ? wnn_vf_load(from) : wnn_vf_load_n(from, n);
  }
  if (d->limit) {
    const wnn_vf lo = wnn_vf_set(d->lo), hi = wnn_vf_set(d->hi);
    WNN_UNROLL
    for (int i = 0; i < LINES; i++) acc[i] = wnn_vf_lower(wnn_vf_raise(acc[i], lo), hi);
  }
  float *to = d->output + at;
  if (whole) {
    WNN_UNROLL
    for (int i = 0; i < LINES; i++, to += step) wnn_vf_store(to, acc[i]);
  } else {
    WNN_UNROLL
    for (int i = 0; i < LINES; i++, to += step) wnn_vf_store_n(to, acc[i], n);
  }
}

/* A vector of columns of LINES rows under a window of SIDE x SIDE neighbours: each input is loaded once for all rows.
 */
WNN_INLINE void lines_body(const fixed *f, const wnn_vf *taps, const float *const *rows, const wnn_part *parts,
                           size_t at, ptrdiff_t column, size_t n, const int LINES, const int SIDE, const bool edge) {
  wnn_vf acc[MOST_LINES];
  WNN_UNROLL
  for (int i = 0; i < LINES; i++) acc[i] = f->start;
  WNN_UNROLL
  for (int r = 0; r < LINES + SIDE - 1; r++) {
    WNN_UNROLL
    for (int q = 0; q < SIDE; q++) {
      wnn_vf value = wnn_vf_keep(edge ? load_part(rows[r], column + q, parts[q]) : wnn_vf_load(rows[r] + column + q));
      WNN_UNROLL
      for (int i = 0; i < LINES; i++)
        if (r - i >= 0 && r - i < SIDE) acc[i] += value * taps[(r - i) * SIDE + q];
    }
  }
  finish(f->d, acc, at, n, LINES, edge);
}

/* All columns of LINES rows: row by row through memory, so that it can be fetched ahead. */
WNN_INLINE void band_body(const fixed *f, const wnn_vf *taps, size_t y, const int LINES, const int SIDE) {
  const wnn_f32_plane *d = f->d;
  const ptrdiff_t width = (ptrdiff_t)d->in_w, out_w = (ptrdiff_t)d->out_w;
  const float *rows[MOST_LINES + 4];
  for (int r = 0; r < LINES + SIDE - 1; r++) {
    ptrdiff_t row = (ptrdiff_t)y + r - d->top;
    rows[r] = row < 0 || row >= (ptrdiff_t)d->in_h ? d->zeros : d->input + row * width;
  }
  for (ptrdiff_t next = 0; next < out_w; next += WNN_VL) {
    /* The last vector overlaps the one before it rather than being cut off. */
    ptrdiff_t x = next + WNN_VL > out_w && out_w >= WNN_VL ? out_w - WNN_VL : next;
    size_t n = out_w < WNN_VL ? (size_t)out_w : WNN_VL, at = y * d->out_w + (size_t)x;
    ptrdiff_t column = x - d->left;
    wnn_part parts[5];
    if (column >= 0 && column + SIDE - 1 + WNN_VL <= width) {
      lines_body(f, taps, rows, parts, at, column, n, LINES, SIDE, false);
    } else {
      WNN_UNROLL
      for (int q = 0; q < SIDE; q++) parts[q] = part_inside(column + q, width);
      lines_body(f, taps, rows, parts, at, column, n, LINES, SIDE, true);
    }
  }
}

WNN_INLINE void side_body(const fixed *f, const int SIDE) {
  const wnn_f32_plane *d = f->d;
  wnn_vf taps[25];
  WNN_UNROLL
  for (int t = 0; t < SIDE * SIDE; t++) taps[t] = wnn_vf_set(d->weights[t]);
  size_t y = 0;
#ifndef WNN_ISA_BASELINE /* fewer registers, and each size is much code */
  /* Most networks halve 224 rows again and again: 7, 14 and 28 leave no small rest of sevens. */
  if (SIDE == 3 && d->out_h % 7 == 0 && d->out_h % 8) {
#ifdef WNN_ISA_AVX512
    for (; y + 14 <= d->out_h; y += 14) band_body(f, taps, y, 14, SIDE);
#endif
    for (; y < d->out_h; y += 7) band_body(f, taps, y, 7, SIDE);
  }
  for (; y + 8 <= d->out_h; y += 8) band_body(f, taps, y, 8, SIDE);
#endif
  for (; y + 4 <= d->out_h; y += 4) band_body(f, taps, y, 4, SIDE);
#ifndef WNN_ISA_BASELINE
  for (; y + 2 <= d->out_h; y += 2) band_body(f, taps, y, 2, SIDE);
#endif
  for (; y < d->out_h; y++) band_body(f, taps, y, 1, SIDE);
}

static void side_3(const fixed *f) { side_body(f, 3); }
static void side_5(const fixed *f) { side_body(f, 5); }

static void any_window(const fixed *f) {
  const wnn_f32_plane *d = f->d;
  for (ptrdiff_t x = 0; x < (ptrdiff_t)d->out_w; x += WNN_VL) {
    size_t left = d->out_w - (size_t)x, n = left < WNN_VL ? left : WNN_VL;
    for (size_t y = 0; y < d->out_h; y++) {
      wnn_vf acc = f->start;
      for (uint32_t p = 0; p < d->kernel_h; p++) {
        ptrdiff_t row = (ptrdiff_t)(y * d->stride_h + (size_t)p * d->dilation_h) - d->top;
        if (row < 0 || row >= (ptrdiff_t)d->in_h) continue;
        const float *line = d->input + row * (ptrdiff_t)d->in_w, *taps = d->weights + (size_t)p * d->kernel_w;
        for (uint32_t q = 0; q < d->kernel_w; q++) {
          ptrdiff_t column = x + (ptrdiff_t)((size_t)q * d->dilation_w) - d->left;
          acc += load_part(line, column, part_inside(column, (ptrdiff_t)d->in_w)) * wnn_vf_set(taps[q]);
        }
      }
      finish(d, &acc, y * d->out_w + (size_t)x, n, 1, true);
    }
  }
}

void WNN_K(f32_plane_depthwise)(const wnn_f32_plane *d) {
  const fixed f = {d, wnn_vf_set(d->init)};
  bool neighbours = d->stride_h == 1 && d->dilation_h == 1 && d->dilation_w == 1 && d->kernel_h == d->kernel_w;
  if (neighbours && d->kernel_h == 3)
    side_3(&f);
  else if (neighbours && d->kernel_h == 5)
    side_5(&f);
  else
    any_window(&f);
}

/* ---- Pooling: down the rows of windows first, then along the rows of results ---- */

enum { MAX, AVERAGE, L2 };

WNN_INLINE wnn_vf join(wnn_vf a, wnn_vf b, const int MODE) {
  if (MODE == MAX) return wnn_vf_max(a, b);
  return a + b;
}

WNN_INLINE wnn_vf nothing(const int MODE) { return wnn_vf_set(MODE == MAX ? -__builtin_inff() : 0.0f); }

/* The factors of an average of so many rows. */
static void set_scales(const wnn_f32_plane *d, uint32_t rows, float *scales) {
  for (size_t x = 0; x < d->out_w; x++) {
    float taps = d->columns[x] * (float)rows;
    scales[x] = taps > 0 ? 1.0f / taps : 0.0f;
  }
}

/* n results. */
WNN_INLINE void store_windows(wnn_vf acc, size_t n, const float *scales, float *to, const int MODE) {
  if (MODE == AVERAGE) acc *= n == WNN_VL ? wnn_vf_load(scales) : wnn_vf_load_n(scales, n);
  if (MODE == L2) acc = wnn_vf_sqrt(acc);
  if (n == WNN_VL)
    wnn_vf_store(to, acc);
  else
    wnn_vf_store_n(to, acc, n);
}

/* Every second of two vectors of floats, from the first on or from the second on. */
WNN_INLINE wnn_vf every_second(wnn_vf a, wnn_vf b, const bool odd) {
#if defined(WNN_ISA_AVX512)
  const __m512i even = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
  return (wnn_vf)_mm512_permutex2var_ps((__m512)a, odd ? _mm512_add_epi32(even, _mm512_set1_epi32(1)) : even,
                                        (__m512)b);
#elif defined(WNN_ISA_AVX2)
  __m256 mixed = odd ? _mm256_shuffle_ps((__m256)a, (__m256)b, 0xDD) : _mm256_shuffle_ps((__m256)a, (__m256)b, 0x88);
  return (wnn_vf)_mm256_permute4x64_pd((__m256d)mixed, 0xD8);
#else
  return odd ? WNN_QUAD_SHUFFLE(a, b, 1, 3, 5, 7) : WNN_QUAD_SHUFFLE(a, b, 0, 2, 4, 6);
#endif
}

/* ---- Windows of 2 x 2 and 3 x 3, their columns 2 apart, rows all inside: nothing but the result is stored ---- */

/* The last element of a, then b without its last. */
WNN_INLINE wnn_vf delayed(wnn_vf a, wnn_vf b) {
#if defined(WNN_ISA_AVX512)
  return (wnn_vf)_mm512_alignr_epi32((__m512i)b, (__m512i)a, 15);
#elif defined(WNN_ISA_AVX2)
  return (wnn_vf)_mm256_alignr_epi8((__m256i)b, _mm256_permute2x128_si256((__m256i)a, (__m256i)b, 0x21), 12);
#else
  return WNN_QUAD_SHUFFLE(a, b, 3, 4, 5, 6);
#endif
}

/* a without its first element, then the first of b. */
WNN_INLINE wnn_vf advanced(wnn_vf a, wnn_vf b) {
#if defined(WNN_ISA_AVX512)
  return (wnn_vf)_mm512_alignr_epi32((__m512i)b, (__m512i)a, 1);
#elif defined(WNN_ISA_AVX2)
  return (wnn_vf)_mm256_alignr_epi8(_mm256_permute2x128_si256((__m256i)a, (__m256i)b, 0x21), (__m256i)a, 4);
#else
  return WNN_QUAD_SHUFFLE(a, b, 1, 2, 3, 4);
#endif
}

/* What the windows of a row of results look at. The sum of all that was seen is NaN if anything was: maxima are found
 * without a look at NaN, and again with care when there may be one. */
typedef struct seen {
  const float *line; /* the first row */
  size_t step, width;
  wnn_vf sum;
} seen;

WNN_INLINE wnn_vf join_numbers(wnn_vf a, wnn_vf b, const int MODE) {
  if (MODE == MAX) return wnn_vf_raise(a, b);
  return a + b;
}

/* A vector of columns, SIDE rows joined. whole: all columns are inside. */
WNN_INLINE wnn_vf column_vector(seen *s, size_t column, const uint32_t SIDE, const bool whole, const int MODE) {
  const ptrdiff_t at = (ptrdiff_t)column, left = (ptrdiff_t)s->width - at;
  const wnn_part part = whole ? wnn_part_of(0, WNN_VL) : part_inside(at, (ptrdiff_t)s->width);
  wnn_vf acc = {0}, sum = {0};
  WNN_UNROLL
  for (uint32_t p = 0; p < SIDE; p++) {
    const float *row = s->line + p * s->step;
    wnn_vf value = wnn_vf_keep(whole ? wnn_vf_load(row + column) : load_part(row, at, part));
    acc = p ? join_numbers(acc, value, MODE) : value;
    sum += value;
  }
  if (MODE == MAX) s->sum += sum;
  if (MODE == MAX && !whole) { /* zeros outside become -infinity */
    wnn_vi index;
    for (int32_t i = 0; i < WNN_VL; i++) index[i] = i;
    wnn_vi outside = (wnn_vi)(index >= wnn_vi_set((int32_t)left));
    acc = (wnn_vf)((wnn_vi)acc | (outside & (wnn_vi)nothing(MODE)));
  }
  return acc;
}

/* Columns with even numbers, and their neighbours. */
typedef struct pair {
  wnn_vf even, odd;
} pair;

WNN_INLINE pair pair_at(seen *s, size_t column, const uint32_t SIDE, const bool whole, const int MODE) {
  wnn_vf a = column_vector(s, column, SIDE, whole, MODE), b = column_vector(s, column + WNN_VL, SIDE, whole, MODE);
  return (pair){every_second(a, b, false), every_second(a, b, true)};
}

/* Results from number x on. known: with a column of padding before the pair before, else the pair at hand. */
WNN_INLINE wnn_vf pair_windows(seen *s, size_t x, pair *known, const uint32_t SIDE, const bool padded, const bool whole,
                               const int MODE) {
  const bool ahead = SIDE == 3 && !padded;
  const pair next = pair_at(s, 2 * (ahead ? x + WNN_VL : x), SIDE, whole, MODE), at = ahead ? *known : next;
  wnn_vf first = at.even, second = at.odd;
  if (SIDE == 3 && padded) first = delayed(known->odd, at.odd), second = at.even;
  wnn_vf acc = join_numbers(first, second, MODE);
  if (SIDE == 3) acc = join_numbers(acc, padded ? at.odd : advanced(at.even, next.even), MODE);
  *known = next;
  return acc;
}

/* Rows first .. last - 1 of the results. False: there may be NaN. */
WNN_INLINE bool pairs_body(const wnn_f32_plane *d, size_t first, size_t last, const uint32_t SIDE, const bool padded,
                           const int MODE) {
  const size_t count = d->out_w, reach = SIDE == 3 && !padded ? 4 * WNN_VL : 2 * WNN_VL, width = d->in_w;
  float *scales = d->scratch, *to = d->output + first * count;
  seen s = {d->input + (first * d->stride_h - (size_t)d->top) * width, (size_t)d->dilation_h * width, width, {0}};
  if (MODE == AVERAGE) set_scales(d, SIDE, scales);
  for (size_t y = first; y < last; y++, s.line += (size_t)d->stride_h * width, to += count) {
    pair known = {nothing(MODE), nothing(MODE)};
    if (SIDE == 3 && !padded) known = pair_at(&s, 0, SIDE, false, MODE);
    size_t x = 0;
    for (; x + WNN_VL <= count && 2 * x + reach <= width; x += WNN_VL)
      store_windows(pair_windows(&s, x, &known, SIDE, padded, true, MODE), WNN_VL, scales + x, to + x, MODE);
    for (; x < count; x += WNN_VL)
      store_windows(pair_windows(&s, x, &known, SIDE, padded, false, MODE), count - x < WNN_VL ? count - x : WNN_VL,
                    scales + x, to + x, MODE);
  }
  return !wnn_vi_any(wnn_vf_isnan(s.sum));
}

WNN_INLINE bool pairs(const wnn_f32_plane *d, size_t first, size_t last, const int MODE) {
  if (d->kernel_w == 2) return pairs_body(d, first, last, 2, false, MODE);
  if (d->left) return pairs_body(d, first, last, 3, true, MODE);
  return pairs_body(d, first, last, 3, false, MODE);
}

/* ---- All windows: down to padded rows, then along them ---- */

/* `columns` elements of `rows` rows that begin at `line`, joined. */
WNN_INLINE void down_body(const float *line, size_t step, const uint32_t rows, size_t columns, float *to,
                          const int MODE) {
  for (size_t x = 0; x < columns; x += WNN_VL) {
    const size_t n = columns - x < WNN_VL ? columns - x : WNN_VL;
    wnn_vf acc = nothing(MODE);
    WNN_UNROLL
    for (uint32_t p = 0; p < rows; p++) {
      const float *from = line + p * step + x;
      wnn_vf value = n == WNN_VL ? wnn_vf_load(from) : wnn_vf_load_n(from, n);
      if (MODE == L2) value *= value;
      acc = p ? join(acc, value, MODE) : value;
    }
    if (n == WNN_VL)
      wnn_vf_store(to + x, acc);
    else
      wnn_vf_store_n(to + x, acc, n);
  }
}

/* Joins the rows of the windows of row y of the results that are inside; returns how many. */
WNN_INLINE uint32_t down(const wnn_f32_plane *d, size_t y, size_t columns, float *to, const int MODE) {
  const size_t step = (size_t)d->dilation_h * d->in_w;
  const float *line = d->input;
  uint32_t rows = 0;
  ptrdiff_t row = (ptrdiff_t)(y * d->stride_h) - d->top;
  for (uint32_t p = 0; p < d->kernel_h; p++, row += (ptrdiff_t)d->dilation_h) {
    if (row < 0 || row >= (ptrdiff_t)d->in_h) continue;
    if (!rows++) line += (size_t)row * d->in_w;
  }
  if (rows == 3)
    down_body(line, step, 3, columns, to, MODE);
  else
    down_body(line, step, rows, columns, to, MODE);
  return rows;
}

WNN_INLINE void along_body(const wnn_f32_plane *d, const float *row, const uint32_t kernel, const size_t stride,
                           const float *scales, float *to, const int MODE) {
  for (size_t x = 0; x < d->out_w; x += WNN_VL) {
    const float *from = row + x * stride;
    wnn_vf acc = {0};
    WNN_UNROLL
    for (uint32_t q = 0; q < kernel; q++, from++) {
      wnn_vf value;
      if (stride == 1) {
        value = wnn_vf_load(from);
      } else if (stride == 2) {
        value = every_second(wnn_vf_load(from), wnn_vf_load(from + WNN_VL), false);
      } else {
        for (size_t i = 0; i < WNN_VL; i++) value[i] = from[i * stride];
      }
      acc = q ? join(acc, value, MODE) : value;
    }
    store_windows(acc, d->out_w - x < WNN_VL ? d->out_w - x : WNN_VL, scales + x, to + x, MODE);
  }
}

WNN_INLINE void along(const wnn_f32_plane *d, const float *row, const float *scales, float *to, const int MODE) {
  if (d->stride_w == 1 && d->kernel_w == 3)
    along_body(d, row, 3, 1, scales, to, MODE);
  else if (d->stride_w == 1)
    along_body(d, row, d->kernel_w, 1, scales, to, MODE);
  else if (d->stride_w == 2)
    along_body(d, row, d->kernel_w, 2, scales, to, MODE);
  else
    along_body(d, row, d->kernel_w, d->stride_w, scales, to, MODE);
}

/* Rows first .. last - 1 of the results. Some rows at a time: what is read along a row straddles what was written down,
 * and waits until that has reached the cache. */
WNN_INLINE void rows_body(const wnn_f32_plane *d, size_t first, size_t last, const int MODE) {
  const size_t width = WNN_PLANE_ROW(d->out_w, d->stride_w, d->kernel_w);
  const size_t inside = d->in_w < width - (size_t)d->left ? d->in_w : width - (size_t)d->left;
  float *lines = d->scratch, *scales = lines + WNN_PLANE_LINES * width;
  uint32_t rows[WNN_PLANE_LINES], scaled = UINT32_MAX; /* rows inside: of the lines, and of the scales */
  for (size_t x = 0; first < last && x < WNN_PLANE_LINES * width; x++)
    lines[x] = MODE == MAX ? -__builtin_inff() : 0.0f;
  for (size_t y = first; y < last; y += WNN_PLANE_LINES) {
    const size_t count = last - y < WNN_PLANE_LINES ? last - y : WNN_PLANE_LINES;
    for (size_t i = 0; i < count; i++) rows[i] = down(d, y + i, inside, lines + i * width + d->left, MODE);
    for (size_t i = 0; i < count; i++) {
      if (MODE == AVERAGE && rows[i] != scaled) set_scales(d, scaled = rows[i], scales);
      along(d, lines + i * width, scales, d->output + (y + i) * d->out_w, MODE);
    }
  }
}

WNN_INLINE void plane_body(const wnn_f32_plane *d, const int MODE) {
  const bool padding = d->left <= (d->kernel_w == 3 ? 1 : 0);
  size_t first = 0, last = 0; /* of those that pairs does */
  if (MODE != L2 && d->stride_w == 2 && d->kernel_h == d->kernel_w && (d->kernel_w == 2 || d->kernel_w == 3) &&
      padding) {
    const size_t reach = (size_t)(d->kernel_h - 1) * d->dilation_h + 1, high = (size_t)d->in_h + (size_t)d->top;
    first = ((size_t)d->top + d->stride_h - 1) / d->stride_h;
    last = high >= reach ? (high - reach) / d->stride_h + 1 : 0;
    if (last > d->out_h) last = d->out_h;
    if (first >= last || !pairs(d, first, last, MODE)) first = last = 0;
  }
  rows_body(d, 0, first, MODE);
  rows_body(d, last, d->out_h, MODE);
}

void WNN_K(f32_plane_max)(const wnn_f32_plane *d) { plane_body(d, MAX); }
void WNN_K(f32_plane_average)(const wnn_f32_plane *d) { plane_body(d, AVERAGE); }
void WNN_K(f32_plane_l2)(const wnn_f32_plane *d) { plane_body(d, L2); }
