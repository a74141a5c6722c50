/* Reductions: rows to one number, rows to columns; index of the extreme element. Sums end in doubles. */
#include "kernels/simd/math.h"
#include "kernels/ukernels.h"

WNN_INLINE wnn_vf mapped(wnn_fold fold, wnn_vf x, wnn_vf shift) {
  switch (fold) {
  case WNN_FOLD_ABS: return wnn_vf_abs(x);
  case WNN_FOLD_SQUARE: return x * x;
  case WNN_FOLD_EXP: return wnn_vf_exp(x - shift);
  default: return x;
  }
}

static double mapped_exactly(wnn_fold fold, double x, double shift) {
  switch (fold) {
  case WNN_FOLD_ABS: return fabs(x);
  case WNN_FOLD_SQUARE: return x * x;
  case WNN_FOLD_EXP: return exp(x - shift);
  default: return x;
  }
}

/* Of a short run, so that float32 sums lose little. */
WNN_INLINE double sum_piece(wnn_fold fold, const float *x, size_t n, double shift) {
  wnn_vf sums[4] = {{0}, {0}, {0}, {0}};
  const wnn_vf by = wnn_vf_set((float)shift);
  size_t i = 0;
  for (; i + 4 * WNN_VL <= n; i += 4 * WNN_VL)
    for (int j = 0; j < 4; j++) sums[j] += mapped(fold, wnn_vf_load(x + i + j * WNN_VL), by);
  for (; i + WNN_VL <= n; i += WNN_VL) sums[0] += mapped(fold, wnn_vf_load(x + i), by);
  double sum = (double)wnn_vf_total((sums[0] + sums[1]) + (sums[2] + sums[3]));
  /* Outside these bounds float32 may have lost what doubles keep. */
  if (fold != WNN_FOLD_EXP && !(fabs(sum) < 1e37 && (fold != WNN_FOLD_SQUARE || sum > 1e-29))) {
    sum = 0;
    for (size_t k = 0; k < i; k++) sum += mapped_exactly(fold, (double)x[k], shift);
  }
  for (; i < n; i++) sum += mapped_exactly(fold, (double)x[i], shift);
  return sum;
}

WNN_INLINE double sum_of(wnn_fold fold, const float *x, size_t n, double shift) {
  enum { PIECE = 1024 };
  double sum = 0;
  for (size_t i = 0; i < n; i += PIECE) sum += sum_piece(fold, x + i, n - i < PIECE ? n - i : PIECE, shift);
  return sum;
}

static double product_of(const float *x, size_t n) {
  double parts[4] = {1, 1, 1, 1};
  size_t i = 0;
  for (; i + 4 <= n; i += 4)
    for (int j = 0; j < 4; j++) parts[j] *= (double)x[i + (size_t)j];
  for (; i < n; i++) parts[0] *= (double)x[i];
  return parts[0] * parts[1] * (parts[2] * parts[3]);
}

static double greatest_of(const float *x, size_t n) {
  wnn_vf most[4];
  float best = x[0];
  size_t i = 0;
  for (int j = 0; j < 4; j++) most[j] = wnn_vf_set(x[0]);
  for (; i + 4 * WNN_VL <= n; i += 4 * WNN_VL)
    for (int j = 0; j < 4; j++) most[j] = wnn_vf_max(most[j], wnn_vf_load(x + i + j * WNN_VL));
  best = wnn_vf_max_across(wnn_vf_max(wnn_vf_max(most[0], most[1]), wnn_vf_max(most[2], most[3])));
  for (; i < n && best == best; i++) best = x[i] > best || x[i] != x[i] ? x[i] : best;
  return (double)best;
}

static double least_of(const float *x, size_t n) {
  wnn_vf least[4];
  size_t i = 0;
  for (int j = 0; j < 4; j++) least[j] = wnn_vf_set(x[0]);
  for (; i + 4 * WNN_VL <= n; i += 4 * WNN_VL)
    for (int j = 0; j < 4; j++) least[j] = wnn_vf_min(least[j], wnn_vf_load(x + i + j * WNN_VL));
  float best = wnn_vf_min_across(wnn_vf_min(wnn_vf_min(least[0], least[1]), wnn_vf_min(least[2], least[3])));
  for (; i < n && best == best; i++) best = x[i] < best || x[i] != x[i] ? x[i] : best;
  return (double)best;
}

static double merged(wnn_fold fold, double a, double b) {
  switch (fold) {
  case WNN_FOLD_PRODUCT: return a * b;
  case WNN_FOLD_MAX: return a != a || a > b ? a : b;
  case WNN_FOLD_MIN: return a != a || a < b ? a : b;
  default: return a + b;
  }
}

void WNN_K(f32_fold)(wnn_fold fold, size_t n, const float *x, double shift, double *result) {
  double value = 0;
  switch (fold) {
  case WNN_FOLD_SUM: value = sum_of(WNN_FOLD_SUM, x, n, 0); break;
  case WNN_FOLD_ABS: value = sum_of(WNN_FOLD_ABS, x, n, 0); break;
  case WNN_FOLD_SQUARE: value = sum_of(WNN_FOLD_SQUARE, x, n, 0); break;
  case WNN_FOLD_EXP: value = sum_of(WNN_FOLD_EXP, x, n, shift); break;
  case WNN_FOLD_PRODUCT: value = product_of(x, n); break;
  case WNN_FOLD_MAX: value = greatest_of(x, n); break;
  case WNN_FOLD_MIN: value = least_of(x, n); break;
  }
  *result = merged(fold, *result, value);
}

/* Each quarter of a vector on the others. */
WNN_INLINE wnn_quad quarters(wnn_vf x) {
#if defined(WNN_ISA_AVX512)
  __m256 y = _mm256_add_ps(_mm512_castps512_ps256((__m512)x),
                           _mm256_castpd_ps(_mm512_extractf64x4_pd(_mm512_castps_pd((__m512)x), 1)));
  return (wnn_quad)_mm_add_ps(_mm256_castps256_ps128(y), _mm256_extractf128_ps(y, 1));
#elif defined(WNN_ISA_AVX2)
  return (wnn_quad)_mm_add_ps(_mm256_castps256_ps128((__m256)x), _mm256_extractf128_ps((__m256)x, 1));
#else
  return (wnn_quad)x;
#endif
}

/* COUNT runs, whose sums become ready at about the same time, up to four. */
WNN_INLINE void mean_few(const int COUNT, size_t n, const float *x, float by, float *to) {
  wnn_vf sums[4] = {{0}, {0}, {0}, {0}};
  wnn_quad q[4];
  float results[4];
  size_t i = 0;
  for (; i + WNN_VL <= n; i += WNN_VL) {
    WNN_UNROLL
    for (int r = 0; r < COUNT; r++) sums[r] += wnn_vf_load(x + (size_t)r * n + i);
  }
  if (i < n) {
    WNN_UNROLL
    for (int r = 0; r < COUNT; r++) sums[r] += wnn_vf_load_n(x + (size_t)r * n + i, n - i);
  }
  WNN_UNROLL
  for (int r = 0; r < 4; r++) q[r] = quarters(sums[r]);
  wnn_quad_transpose(q);
  wnn_quad total = (q[0] + q[1]) + (q[2] + q[3]);
  wnn_quad_store(results, total / (by - (wnn_quad){0}));
  wnn_quad_store((float *)q, total);
  for (int r = 0; r < COUNT; r++) {
    to[r] = results[r];
    if (fabsf(((const float *)q)[r]) < 1e37f) continue; /* else float32 may have lost what doubles keep */
    double sum = 0;
    for (size_t k = 0; k < n; k++) sum += (double)x[(size_t)r * n + k];
    to[r] = (float)(sum / (double)by);
  }
}

void WNN_K(f32_mean_runs)(size_t runs, size_t n, const float *x, float by, float *to) {
  for (; runs >= 4; runs -= 4, x += 4 * n, to += 4) mean_few(4, n, x, by, to);
  for (; runs; runs--, x += n, to++) mean_few(1, n, x, by, to);
}

/* Four rows at a time, so that the sums are loaded and stored less. */
WNN_INLINE void sum_rows(wnn_fold fold, size_t rows, size_t columns, const float *x, size_t stride, double *sums) {
  for (size_t r = 0; r < rows; r += 4) {
    size_t count = rows - r < 4 ? rows - r : 4, c = 0;
    const float *row = x + r * stride;
    if (count == 4)
      for (; c + WNN_VL <= columns; c += WNN_VL) {
        wnn_vd low = wnn_vd_load(sums + c), high = wnn_vd_load(sums + c + WNN_VL / 2);
        for (size_t k = 0; k < 4; k++) {
          wnn_vf v = wnn_vf_load(row + k * stride + c);
          if (fold == WNN_FOLD_ABS) v = wnn_vf_abs(v);
          wnn_vd a = wnn_vd_low(v), b = wnn_vd_high(v);
          if (fold == WNN_FOLD_SQUARE) a *= a, b *= b;
          if (fold == WNN_FOLD_PRODUCT)
            low *= a, high *= b;
          else
            low += a, high += b;
        }
        wnn_vd_store(sums + c, low);
        wnn_vd_store(sums + c + WNN_VL / 2, high);
      }
    for (; c < columns; c++)
      for (size_t k = 0; k < count; k++) {
        double v = mapped_exactly(fold, (double)row[k * stride + c], 0);
        sums[c] = fold == WNN_FOLD_PRODUCT ? sums[c] * v : sums[c] + v;
      }
  }
}

static void extreme_rows(bool greatest, size_t rows, size_t columns, const float *x, size_t stride, double *result) {
  size_t c = 0;
  for (; c + WNN_VL <= columns; c += WNN_VL) {
    wnn_vf best = wnn_vd_join(wnn_vd_load(result + c), wnn_vd_load(result + c + WNN_VL / 2));
    for (size_t r = 0; r < rows; r++) {
      wnn_vf v = wnn_vf_load(x + r * stride + c);
      best = greatest ? wnn_vf_max(best, v) : wnn_vf_min(best, v);
    }
    wnn_vd_store(result + c, wnn_vd_low(best));
    wnn_vd_store(result + c + WNN_VL / 2, wnn_vd_high(best));
  }
  for (; c < columns; c++)
    for (size_t r = 0; r < rows; r++)
      result[c] = merged(greatest ? WNN_FOLD_MAX : WNN_FOLD_MIN, result[c], (double)x[r * stride + c]);
}

void WNN_K(f32_fold_rows)(wnn_fold fold, size_t rows, size_t columns, const float *x, size_t stride, double *result) {
  switch (fold) {
  case WNN_FOLD_ABS: sum_rows(WNN_FOLD_ABS, rows, columns, x, stride, result); break;
  case WNN_FOLD_SQUARE: sum_rows(WNN_FOLD_SQUARE, rows, columns, x, stride, result); break;
  case WNN_FOLD_PRODUCT: sum_rows(WNN_FOLD_PRODUCT, rows, columns, x, stride, result); break;
  case WNN_FOLD_MAX: extreme_rows(true, rows, columns, x, stride, result); break;
  case WNN_FOLD_MIN: extreme_rows(false, rows, columns, x, stride, result); break;
  default: sum_rows(WNN_FOLD_SUM, rows, columns, x, stride, result); break;
  }
}

/* ---- Index of the extreme element ---- */

static size_t arg_plain(bool greatest, size_t n, const float *x) {
  float best = x[0];
  size_t index = 0;
  for (size_t k = 1; k < n && best == best; k++)
    if (x[k] != x[k] || (greatest ? x[k] > best : x[k] < best)) best = x[k], index = k;
  return index;
}

/* The value first, then where it is: both passes are faster than one that keeps indices. */
static size_t find(const float *x, size_t n, float value) {
  const wnn_vf wanted = wnn_vf_set(value);
  size_t i = 0;
  for (; i + 4 * WNN_VL <= n; i += 4 * WNN_VL) {
    wnn_vi hit = (wnn_vi)(wnn_vf_load(x + i) == wanted) | (wnn_vi)(wnn_vf_load(x + i + WNN_VL) == wanted) |
                 (wnn_vi)(wnn_vf_load(x + i + 2 * WNN_VL) == wanted) |
                 (wnn_vi)(wnn_vf_load(x + i + 3 * WNN_VL) == wanted);
    if (wnn_vi_any(hit)) break;
  }
  while (i < n && x[i] != value) i++;
  return i;
}

void WNN_K(f32_arg)(bool greatest, size_t n, const float *x, size_t *index) {
  if (n < 4 * WNN_VL) {
    *index = arg_plain(greatest, n, x);
    return;
  }
  double best = greatest ? greatest_of(x, n) : least_of(x, n);
  *index = best == best ? find(x, n, (float)best) : arg_plain(greatest, n, x);
}

void WNN_K(f32_arg_columns)(bool greatest, size_t rows, size_t columns, const float *x, size_t stride, int32_t *index) {
  for (size_t c = 0; c < columns; c += WNN_VL) {
    size_t n = columns - c < WNN_VL ? columns - c : WNN_VL;
    wnn_vf best = wnn_vf_load_n(x + c, n);
    wnn_vi at = {0};
    for (size_t r = 1; r < rows; r++) {
      wnn_vf v = n == WNN_VL ? wnn_vf_load(x + r * stride + c) : wnn_vf_load_n(x + r * stride + c, n);
      /* Better, or the first NaN. */
      wnn_vi better = greatest ? (wnn_vi)(v > best) : (wnn_vi)(v < best);
      better |= wnn_vf_isnan(v) & ~wnn_vf_isnan(best);
      best = wnn_vf_select(better, v, best);
      at = wnn_vi_select(better, wnn_vi_set((int32_t)r), at);
    }
    wnn_vi_store_n(index + c, at, n);
  }
}
