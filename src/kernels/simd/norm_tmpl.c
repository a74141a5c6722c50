/* Layer normalization of rows, and what remains of a channel of batch normalization. Rows: two passes over differences
 * from the row's first element, so that a large mean does not eat the digits of the variance. */
#include "kernels/simd/math.h"
#include "kernels/ukernels.h"

/* Sums the sources into `to` and returns the sum of its differences from the first element. */
static double gather_row(const wnn_f32_norm *s, float *to) {
  const size_t n = s->n;
  double total = 0;
  float first = s->sources[0][0];
  for (uint32_t k = 1; k < s->source_count; k++) first += s->sources[k][0];
  const wnn_vf shift = wnn_vf_set(first);
  enum { PIECE = 1024 };
  for (size_t start = 0; start < n; start += PIECE) {
    size_t end = n - start < PIECE ? n : start + PIECE, i = start;
    wnn_vf sums[2] = {{0}, {0}};
    for (; i + 2 * WNN_VL <= end; i += 2 * WNN_VL)
      for (int j = 0; j < 2; j++) {
        size_t at = i + (size_t)j * WNN_VL;
        wnn_vf x = wnn_vf_load(s->sources[0] + at);
        for (uint32_t k = 1; k < s->source_count; k++) x += wnn_vf_load(s->sources[k] + at);
        if (s->source_count > 1) wnn_vf_store(to + at, x);
        sums[j] += x - shift;
      }
    for (; i < end; i += WNN_VL) {
      size_t m = end - i < WNN_VL ? end - i : WNN_VL;
      wnn_vf x = wnn_vf_load_n(s->sources[0] + i, m);
      for (uint32_t k = 1; k < s->source_count; k++) x += wnn_vf_load_n(s->sources[k] + i, m);
      if (s->source_count > 1) wnn_vf_store_n(to + i, x, m);
      sums[0] += wnn_vf_first(x - shift, m);
    }
    total += (double)wnn_vf_total(sums[0] + sums[1]);
  }
  return total;
}

/* The difference from the mean, which is the sum of three parts. */
WNN_INLINE wnn_vf centred(wnn_vf x, wnn_vf shift, wnn_vf mean, wnn_vf rest) { return x - shift - mean - rest; }

static double squares(const float *x, size_t n, wnn_vf shift, wnn_vf mean, wnn_vf rest) {
  double total = 0;
  enum { PIECE = 1024 };
  for (size_t start = 0; start < n; start += PIECE) {
    size_t end = n - start < PIECE ? n : start + PIECE, i = start;
    wnn_vf sums[4] = {{0}, {0}, {0}, {0}};
    for (; i + 4 * WNN_VL <= end; i += 4 * WNN_VL)
      for (int j = 0; j < 4; j++) {
        wnn_vf d = centred(wnn_vf_load(x + i + j * WNN_VL), shift, mean, rest);
        sums[j] += d * d;
      }
    for (; i < end; i += WNN_VL) {
      size_t m = end - i < WNN_VL ? end - i : WNN_VL;
      wnn_vf d = wnn_vf_first(centred(wnn_vf_load_n(x + i, m), shift, mean, rest), m);
      sums[0] += d * d;
    }
    total += (double)wnn_vf_total((sums[0] + sums[1]) + (sums[2] + sums[3]));
  }
  return total;
}

WNN_INLINE wnn_vf scaled(const wnn_f32_norm *s, wnn_vf d, size_t i, size_t m) {
  if (s->uniform) {
    if (s->scale) d *= s->scale[0];
    if (s->bias) d += s->bias[0];
    return d;
  }
  if (m == WNN_VL) {
    if (s->scale) d *= wnn_vf_load(s->scale + i);
    if (s->bias) d += wnn_vf_load(s->bias + i);
    return d;
  }
  if (s->scale) d *= wnn_vf_load_n(s->scale + i, m);
  if (s->bias) d += wnn_vf_load_n(s->bias + i, m);
  return d;
}

/* Rows so short that doubles cost nothing, and numbers whose squares float32 cannot hold. */
enum { SHORT = 16 };
static void exact_row(const wnn_f32_norm *s, const float *x) {
  double sum = 0, square = 0;
  for (size_t i = 0; i < s->n; i++) sum += (double)x[i];
  double mean = sum / (double)s->n;
  for (size_t i = 0; i < s->n; i++) square += ((double)x[i] - mean) * ((double)x[i] - mean);
  double deviation = sqrt(square / (double)s->n + s->epsilon);
  for (size_t i = 0; i < s->n; i++) {
    double scale = s->scale ? (double)s->scale[s->uniform ? 0 : i] : 1;
    double bias = s->bias ? (double)s->bias[s->uniform ? 0 : i] : 0;
    s->to[i] = (float)(((double)x[i] - mean) / deviation * scale + bias);
  }
}

void WNN_K(f32_norm)(const wnn_f32_norm *s) {
  const size_t n = s->n;
  float *sum = s->sum ? s->sum : s->to;
  double total = gather_row(s, sum);
  const float *x = s->source_count > 1 ? sum : s->sources[0];
  const float first = x[0];
  const double middle = total / (double)n;
  const wnn_vf shift = wnn_vf_set(first), mean = wnn_vf_set((float)middle);
  const wnn_vf rest = wnn_vf_set((float)(middle - (double)(float)middle));
  double variance = squares(x, n, shift, mean, rest) / (double)n;
  if (n <= SHORT || !(variance < 1e36) || (variance < 1e-24 && s->epsilon < 1e-24)) {
    exact_row(s, x);
    return;
  }
  const wnn_vf factor = wnn_vf_set((float)(1 / sqrt(variance + s->epsilon)));
  size_t i = 0;
  for (; i + WNN_VL <= n; i += WNN_VL)
    wnn_vf_store(s->to + i, scaled(s, centred(wnn_vf_load(x + i), shift, mean, rest) * factor, i, WNN_VL));
  if (i < n)
    wnn_vf_store_n(s->to + i, scaled(s, centred(wnn_vf_load_n(x + i, n - i), shift, mean, rest) * factor, i, n - i),
                   n - i);
}

WNN_INLINE wnn_vf affine(wnn_vf x, wnn_vf mean, wnn_vf factor, wnn_vf bias) { return (x - mean) * factor + bias; }

void WNN_K(f32_affine)(size_t n, const float *from, float mean, float factor, float bias, float *to) {
  const wnn_vf m = wnn_vf_set(mean), f = wnn_vf_set(factor), b = wnn_vf_set(bias);
  size_t i = 0;
  for (; i + 4 * WNN_VL <= n; i += 4 * WNN_VL) {
    wnn_vf x[4];
    WNN_UNROLL
    for (int k = 0; k < 4; k++) x[k] = affine(wnn_vf_load(from + i + k * WNN_VL), m, f, b);
    WNN_UNROLL
    for (int k = 0; k < 4; k++) wnn_vf_store(to + i + k * WNN_VL, x[k]);
  }
  for (; i + WNN_VL <= n; i += WNN_VL) wnn_vf_store(to + i, affine(wnn_vf_load(from + i), m, f, b));
  if (i < n) wnn_vf_store_n(to + i, affine(wnn_vf_load_n(from + i, n - i), m, f, b), n - i);
}
