/* Winograd transforms F(2x2, 3x3) and F(4x4, 3x3): filters, input tiles, output tiles, channels-last. */
#include "kernels/simd/simd.h"
#include "kernels/ukernels.h"

/* One dimension of each transform, over values `step` apart. The points are 0, 1, -1 (, 2, -2), infinity. */

WNN_INLINE void filter_line(const int EDGE, const wnn_vf *g, const int step, wnn_vf *out, const int out_step) {
  wnn_vf a = g[0], b = g[step], c = g[2 * step];
  if (EDGE == 2) {
    wnn_vf even = (a + c) * 0.5f, odd = b * 0.5f;
    out[0] = a, out[out_step] = even + odd, out[2 * out_step] = even - odd, out[3 * out_step] = c;
  } else {
    wnn_vf even = (a + c) * (-1.0f / 6), odd = b * (1.0f / 6);
    wnn_vf even2 = a * (1.0f / 24) + c * (1.0f / 6), odd2 = b * (1.0f / 12);
    out[0] = a * 0.25f, out[out_step] = even - odd, out[2 * out_step] = even + odd;
    out[3 * out_step] = even2 + odd2, out[4 * out_step] = even2 - odd2, out[5 * out_step] = c;
  }
}

WNN_INLINE void input_line(const int EDGE, const wnn_vf *d, const int step, wnn_vf *out, const int out_step) {
  if (EDGE == 2) {
    wnn_vf a = d[0], b = d[step], c = d[2 * step], e = d[3 * step];
    out[0] = a - c, out[out_step] = b + c, out[2 * out_step] = c - b, out[3 * out_step] = b - e;
  } else {
    wnn_vf d1 = d[step], d2 = d[2 * step], d3 = d[3 * step], d4 = d[4 * step];
    wnn_vf s = d4 - d2 * 4.0f, t = d3 - d1 * 4.0f, u = d4 - d2, v = (d3 - d1) * 2.0f;
    out[0] = d[0] * 4.0f - d2 * 5.0f + d4;
    out[out_step] = s + t, out[2 * out_step] = s - t;
    out[3 * out_step] = u + v, out[4 * out_step] = u - v;
    out[5 * out_step] = d1 * 4.0f - d3 * 5.0f + d[5 * step];
  }
}

WNN_INLINE void output_line(const int EDGE, const wnn_vf *m, const int step, wnn_vf *out, const int out_step) {
  wnn_vf s = m[step] + m[2 * step], t = m[step] - m[2 * step];
  if (EDGE == 2) {
    out[0] = m[0] + s, out[out_step] = t - m[3 * step];
  } else {
    wnn_vf u = m[3 * step] + m[4 * step], v = m[3 * step] - m[4 * step];
    out[0] = m[0] + s + u, out[out_step] = t + v * 2.0f;
    out[2 * out_step] = s + u * 4.0f, out[3 * out_step] = t + v * 8.0f + m[5 * step];
  }
}

WNN_INLINE void filter_body(const int EDGE, size_t k, float *panel) {
  const int SIDE = EDGE + 2;
  const size_t step = k * WNN_VL, taps = (size_t)(SIDE * SIDE - 9);
  for (size_t c = 0; c < k; c++) {
    wnn_vf g[9], half[18], out[36];
    float *at = panel + c * WNN_VL;
    WNN_UNROLL
    for (int i = 0; i < 9; i++) g[i] = wnn_vf_load(at + (taps + (size_t)i) * step);
    WNN_UNROLL
    for (int i = 0; i < 3; i++) filter_line(EDGE, g + i, 3, half + i, 3);
    WNN_UNROLL
    for (int i = 0; i < SIDE; i++) filter_line(EDGE, half + 3 * i, 1, out + SIDE * i, 1);
    WNN_UNROLL
    for (int i = 0; i < SIDE * SIDE; i++) wnn_vf_store(at + (size_t)i * step, out[i]);
  }
}

WNN_INLINE void input_vector(const int EDGE, const float *const *pixels, size_t c, size_t n, float *to, size_t step,
                             const bool partial) {
  const int SIDE = EDGE + 2;
  wnn_vf half[36];
  WNN_UNROLL
  for (int i = 0; i < SIDE; i++) {
    wnn_vf d[6];
    WNN_UNROLL
    for (int j = 0; j < SIDE; j++)
      d[j] = partial ? wnn_vf_load_n(pixels[j * SIDE + i] + c, n) : wnn_vf_load(pixels[j * SIDE + i] + c);
    input_line(EDGE, d, 1, half + i, SIDE);
  }
  WNN_UNROLL
  for (int i = 0; i < SIDE; i++) {
    wnn_vf out[6];
    input_line(EDGE, half + SIDE * i, 1, out, 1);
    WNN_UNROLL
    for (int j = 0; j < SIDE; j++) {
      float *p = to + (size_t)(i * SIDE + j) * step + c;
      if (partial) {
        wnn_vf_store_n(p, out[j], n);
      } else {
        wnn_vf_store(p, out[j]);
      }
    }
  }
}

WNN_INLINE void input_body(const int EDGE, size_t channels, const float *const *pixels, float *to, size_t step) {
  size_t c = 0;
  for (; c + WNN_VL <= channels; c += WNN_VL) input_vector(EDGE, pixels, c, 0, to, step, false);
  if (c < channels) input_vector(EDGE, pixels, c, channels - c, to, step, true);
}

WNN_INLINE void output_vector(const int EDGE, const wnn_f32_winograd_out *o, size_t c, size_t n, const bool partial) {
  const int SIDE = EDGE + 2;
  wnn_vf half[24];
  WNN_UNROLL
  for (int i = 0; i < SIDE; i++) {
    wnn_vf m[6];
    WNN_UNROLL
    for (int j = 0; j < SIDE; j++) {
      const float *p = o->from + (size_t)(j * SIDE + i) * o->from_step + c;
      m[j] = partial ? wnn_vf_load_n(p, n) : wnn_vf_load(p);
    }
    output_line(EDGE, m, 1, half + i, SIDE);
  }
  wnn_vf start = {0};
  if (o->init) start = partial ? wnn_vf_load_n(o->init + c, n) : wnn_vf_load(o->init + c);
  wnn_vf lo = wnn_vf_set(o->lo), hi = wnn_vf_set(o->hi);
  WNN_UNROLL
  for (int i = 0; i < EDGE; i++) {
    wnn_vf out[4];
    output_line(EDGE, half + SIDE * i, 1, out, 1);
    if ((uint32_t)i >= o->rows) break;
    WNN_UNROLL
    for (int j = 0; j < EDGE; j++) {
      if ((uint32_t)j >= o->columns) break;
      size_t at = (size_t)i * o->row_step + (size_t)j * o->pixel_step + c;
      wnn_vf x = out[j] + start;
      if (o->residual) x += partial ? wnn_vf_load_n(o->residual + at, n) : wnn_vf_load(o->residual + at);
      if (o->limit) x = wnn_vf_lower(wnn_vf_raise(x, lo), hi);
      if (partial) {
        wnn_vf_store_n(o->to + at, x, n);
      } else {
        wnn_vf_store(o->to + at, x);
      }
    }
  }
}

WNN_INLINE void output_body(const int EDGE, const wnn_f32_winograd_out *o) {
  size_t c = 0;
  for (; c + WNN_VL <= o->channels; c += WNN_VL) output_vector(EDGE, o, c, 0, false);
  if (c < o->channels) output_vector(EDGE, o, c, o->channels - c, true);
}

void WNN_K(f32_winograd_filter)(uint32_t edge, size_t k, float *panel) {
  if (edge == 2) {
    filter_body(2, k, panel);
  } else {
    filter_body(4, k, panel);
  }
}

void WNN_K(f32_winograd_input)(uint32_t edge, size_t channels, const float *const *pixels, float *to, size_t step) {
  if (edge == 2) {
    input_body(2, channels, pixels, to, step);
  } else {
    input_body(4, channels, pixels, to, step);
  }
}

void WNN_K(f32_winograd_output)(uint32_t edge, const wnn_f32_winograd_out *out) {
  if (edge == 2) {
    output_body(2, out);
  } else {
    output_body(4, out);
  }
}
