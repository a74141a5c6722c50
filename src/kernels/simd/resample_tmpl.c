/* Rows of bilinear resampling. */
#include "kernels/simd/math.h"
#include "kernels/ukernels.h"

/* One row, resampled along itself. */
static void stretch(const wnn_f32_resample *s, const float *from, float *to) {
  const uint32_t *low = s->low, *high = s->high;
  const float *weights = s->weights;
  for (size_t i = 0; i < s->count; i++) {
    float a = from[low[i]], b = from[high[i]], w = weights[i];
    float blend = a * (1.0f - w) + b * w;
    to[i] = w == 0.0f ? a : blend;
  }
}

static void blend_rows(const float *a, const float *b, float weight, size_t n, float *to) {
  const wnn_vf w = wnn_vf_set(weight), v = wnn_vf_set(1.0f - weight);
  size_t i = 0;
  if (weight == 0.0f) {
    memcpy(to, a, n * sizeof *to);
    return;
  }
  for (; i + WNN_VL <= n; i += WNN_VL) wnn_vf_store(to + i, wnn_vf_load(a + i) * v + wnn_vf_load(b + i) * w);
  if (i < n) wnn_vf_store_n(to + i, wnn_vf_load_n(a + i, n - i) * v + wnn_vf_load_n(b + i, n - i) * w, n - i);
}

/* Stretched rows are kept: neighbouring output rows mostly need the same two. */
static const float *stretched(wnn_f32_resample *s, const float *row, const float *other) {
  for (int i = 0; i < 2; i++)
    if (s->have[i] == row) return s->scratch + (size_t)i * s->count;
  int victim = s->have[0] == other && other ? 1 : 0;
  s->have[victim] = row;
  stretch(s, row, s->scratch + (size_t)victim * s->count);
  return s->scratch + (size_t)victim * s->count;
}

void WNN_K(f32_resample)(wnn_f32_resample *s) {
  if (s->channels == 1) {
    const float *top = stretched(s, s->top, s->bottom);
    const float *bottom = s->weight == 0.0f ? top : stretched(s, s->bottom, s->top);
    blend_rows(top, bottom, s->weight, s->count, s->to);
    return;
  }
  const size_t n = s->channels;
  for (size_t i = 0; i < s->count; i++) {
    const float *a = s->top + s->low[i] * n, *b = s->top + s->high[i] * n;
    const float *c = s->bottom + s->low[i] * n, *d = s->bottom + s->high[i] * n;
    float *to = s->to + i * n, w = s->weights[i];
    if (w == 0.0f) {
      blend_rows(a, c, s->weight, n, to);
      continue;
    }
    if (s->weight == 0.0f) {
      blend_rows(a, b, w, n, to);
      continue;
    }
    const wnn_vf right = wnn_vf_set(w), left = wnn_vf_set(1.0f - w);
    const wnn_vf below = wnn_vf_set(s->weight), above = wnn_vf_set(1.0f - s->weight);
    for (size_t k = 0; k < n; k += WNN_VL) {
      size_t m = n - k < WNN_VL ? n - k : WNN_VL;
      wnn_vf top, bottom;
      if (m == WNN_VL) {
        top = wnn_vf_load(a + k) * left + wnn_vf_load(b + k) * right;
        bottom = wnn_vf_load(c + k) * left + wnn_vf_load(d + k) * right;
        wnn_vf_store(to + k, top * above + bottom * below);
      } else {
        top = wnn_vf_load_n(a + k, m) * left + wnn_vf_load_n(b + k, m) * right;
        bottom = wnn_vf_load_n(c + k, m) * left + wnn_vf_load_n(d + k, m) * right;
        wnn_vf_store_n(to + k, top * above + bottom * below, m);
      }
    }
  }
}
