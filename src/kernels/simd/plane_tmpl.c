/* Depthwise convolution and pooling of planes: one channel of an image, its rows one after the other. */
#include "kernels/simd/simd.h"
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

/* ---- Pooling: down the rows of a window first, then along the row of results ---- */

enum { MAX, AVERAGE, L2 };

WNN_INLINE wnn_vf join(wnn_vf a, wnn_vf b, const int MODE) {
  if (MODE == MAX) return wnn_vf_max(a, b);
  return a + b;
}

/* `columns` results of the rows first .. last - 1 of a window that begins at `line`, rows `step` floats apart. */
WNN_INLINE void down(const float *line, size_t step, uint32_t rows, size_t columns, float *to, const int MODE) {
  for (size_t x = 0; x < columns; x += WNN_VL) {
    size_t n = columns - x < WNN_VL ? columns - x : WNN_VL;
    const bool whole = n == WNN_VL;
    wnn_vf acc = {0};
    for (uint32_t p = 0; p < rows; p++) {
      const float *from = line + p * step + x;
      wnn_vf value = whole ? wnn_vf_load(from) : wnn_vf_load_n(from, n);
      if (MODE == L2) value *= value;
      acc = p ? join(acc, value, MODE) : value;
    }
    if (whole)
      wnn_vf_store(to + x, acc);
    else
      wnn_vf_store_n(to + x, acc, n);
  }
}

/* Every second of two vectors of floats. */
WNN_INLINE wnn_vf every_second(const float *p) {
#if defined(WNN_ISA_AVX512)
  const __m512i even = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
  return (wnn_vf)_mm512_permutex2var_ps((__m512)wnn_vf_load(p), even, (__m512)wnn_vf_load(p + WNN_VL));
#elif defined(WNN_ISA_AVX2)
  __m256 mixed = _mm256_shuffle_ps((__m256)wnn_vf_load(p), (__m256)wnn_vf_load(p + WNN_VL), 0x88);
  return (wnn_vf)_mm256_permute4x64_pd((__m256d)mixed, 0xD8);
#else
  wnn_vf a = wnn_vf_load(p), b = wnn_vf_load(p + WNN_VL);
  return (wnn_vf){a[0], a[2], b[0], b[2]};
#endif
}

WNN_INLINE wnn_vf along(const float *row, uint32_t kernel, size_t stride, const int MODE) {
  wnn_vf acc = {0};
  for (uint32_t q = 0; q < kernel; q++, row++) {
    wnn_vf value;
    if (stride == 1) {
      value = wnn_vf_load(row);
    } else if (stride == 2) {
      value = every_second(row);
    } else {
      for (size_t i = 0; i < WNN_VL; i++) value[i] = row[i * stride];
    }
    acc = q ? join(acc, value, MODE) : value;
  }
  return acc;
}

WNN_INLINE void plane_body(const wnn_f32_plane *d, const int MODE) {
  const size_t width = ((size_t)d->out_w + WNN_VL) * d->stride_w + d->kernel_w; /* of a row with its padding */
  const float nothing = MODE == MAX ? -__builtin_inff() : 0.0f;
  float *row = d->scratch, *scales = row + (width + 15) / 16 * 16;
  uint32_t scaled = UINT32_MAX; /* rows inside for which the scales are */
  const size_t inside = d->in_w < width - (size_t)d->left ? d->in_w : width - (size_t)d->left;
  for (size_t x = 0; x < width; x++) row[x] = nothing;
  for (size_t y = 0; y < d->out_h; y++) {
    ptrdiff_t start = (ptrdiff_t)(y * d->stride_h) - d->top, first = 0, last = d->kernel_h;
    if (start < 0) first = (-start + (ptrdiff_t)d->dilation_h - 1) / (ptrdiff_t)d->dilation_h;
    ptrdiff_t room = (ptrdiff_t)d->in_h - start;
    if (room <= 0)
      last = 0;
    else if ((room - 1) / (ptrdiff_t)d->dilation_h + 1 < last)
      last = (room - 1) / (ptrdiff_t)d->dilation_h + 1;
    const uint32_t rows = first < last ? (uint32_t)(last - first) : 0;
    if (rows) {
      const float *line = d->input + (start + first * (ptrdiff_t)d->dilation_h) * (ptrdiff_t)d->in_w;
      down(line, (size_t)d->dilation_h * d->in_w, rows, inside, row + d->left, MODE);
    } else {
      for (size_t x = 0; x < inside; x++) row[(size_t)d->left + x] = nothing;
    }
    if (MODE == AVERAGE && rows != scaled) {
      for (size_t x = 0; x < d->out_w; x++) {
        float count = d->columns[x] * (float)rows;
        scales[x] = count > 0 ? 1.0f / count : 0.0f;
      }
      scaled = rows;
    }
    for (size_t x = 0; x < d->out_w; x += WNN_VL) {
      size_t n = d->out_w - x < WNN_VL ? d->out_w - x : WNN_VL;
      const float *from = row + x * d->stride_w;
      wnn_vf acc = d->stride_w == 1   ? along(from, d->kernel_w, 1, MODE)
                   : d->stride_w == 2 ? along(from, d->kernel_w, 2, MODE)
                                      : along(from, d->kernel_w, d->stride_w, MODE);
      if (MODE == AVERAGE) acc *= wnn_vf_load_n(scales + x, n);
      if (MODE == L2) acc = wnn_vf_sqrt(acc);
      wnn_vf_store_n(d->output + y * d->out_w + x, acc, n);
    }
  }
}

void WNN_K(f32_plane_max)(const wnn_f32_plane *d) { plane_body(d, MAX); }
void WNN_K(f32_plane_average)(const wnn_f32_plane *d) { plane_body(d, AVERAGE); }
void WNN_K(f32_plane_l2)(const wnn_f32_plane *d) { plane_body(d, L2); }
