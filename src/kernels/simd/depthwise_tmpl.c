/* Depthwise convolution of pixel runs, channels-last. */
#include "kernels/simd/simd.h"
#include "kernels/ukernels.h"

WNN_INLINE wnn_vf load(const float *p, size_t n, const bool partial) {
  return partial ? wnn_vf_load_n(p, n) : wnn_vf_load(p);
}

/* One vector of channels of PIXELS neighbours, whose windows of COLUMNS taps overlap: STRIDE taps apart. Each input
 * is loaded once and used by all of them. With STRIDE 0 nothing is known about columns: PIXELS is 1. */
WNN_INLINE void vector_body(const wnn_f32_run *d, const float *input, float *output, const float *residual, size_t c,
                            size_t n, const int PIXELS, const int COLUMNS, const int STRIDE, const bool partial) {
  wnn_vf acc[4];
  wnn_vf start = {0};
  if (d->init) start = load(d->init + c, n, partial);
  WNN_UNROLL
  for (int i = 0; i < PIXELS; i++) acc[i] = start;
  const float *w = d->weights + c;
  const float *in = input + c;
  const size_t step = d->column_step, channels = d->channels;
  for (uint32_t p = 0; p < d->rows; p++, in += d->row_step, w += d->weights_row) {
    if (STRIDE) {
      wnn_vf taps[5];
      WNN_UNROLL
      for (int q = 0; q < COLUMNS; q++) taps[q] = load(w + (size_t)q * channels, n, partial);
      WNN_UNROLL
      for (int x = 0; x < (PIXELS - 1) * STRIDE + COLUMNS; x++) {
        wnn_vf value = load(in + (size_t)x * step, n, partial);
        WNN_UNROLL
        for (int i = 0; i < PIXELS; i++)
          if (x - i * STRIDE >= 0 && x - i * STRIDE < COLUMNS) acc[i] += value * taps[x - i * STRIDE];
      }
    } else {
      const float *at = in, *tap = w;
      for (uint32_t q = 0; q < d->columns; q++, at += step, tap += channels)
        acc[0] += load(at, n, partial) * load(tap, n, partial);
    }
  }
  WNN_UNROLL
  for (int i = 0; i < PIXELS; i++) {
    wnn_vf x = acc[i];
    if (residual) x += load(residual + (size_t)i * d->output_step + c, n, partial);
    if (d->limit) x = wnn_vf_lower(wnn_vf_raise(x, wnn_vf_set(d->lo)), wnn_vf_set(d->hi));
    if (partial) {
      wnn_vf_store_n(output + (size_t)i * d->output_step + c, x, n);
    } else {
      wnn_vf_store(output + (size_t)i * d->output_step + c, x);
    }
  }
}

WNN_INLINE void run_body(const wnn_f32_run *d, const int COLUMNS, const int STRIDE) {
  const float *input = d->input, *residual = d->residual;
  float *output = d->output;
  size_t whole = d->channels / WNN_VL * WNN_VL, rest = d->channels - whole, i = 0;
  if (STRIDE) {
    for (; i + 4 <= d->count; i += 4) {
      for (size_t c = 0; c < whole; c += WNN_VL)
        vector_body(d, input, output, residual, c, WNN_VL, 4, COLUMNS, STRIDE, false);
      if (rest) vector_body(d, input, output, residual, whole, rest, 4, COLUMNS, STRIDE, true);
      input += 4 * d->pixel_step;
      output += 4 * d->output_step;
      if (residual) residual += 4 * d->output_step;
    }
  }
  for (; i < d->count; i++) {
    for (size_t c = 0; c < whole; c += WNN_VL)
      vector_body(d, input, output, residual, c, WNN_VL, 1, COLUMNS, STRIDE, false);
    if (rest) vector_body(d, input, output, residual, whole, rest, 1, COLUMNS, STRIDE, true);
    if (i + 1 == d->count) break;
    input += d->pixel_step;
    output += d->output_step;
    if (residual) residual += d->output_step;
  }
}

static void run_3_1(const wnn_f32_run *d) { run_body(d, 3, 1); }
static void run_3_2(const wnn_f32_run *d) { run_body(d, 3, 2); }
static void run_5_1(const wnn_f32_run *d) { run_body(d, 5, 1); }
static void run_5_2(const wnn_f32_run *d) { run_body(d, 5, 2); }
static void run_any(const wnn_f32_run *d) { run_body(d, 0, 0); }

void WNN_K(f32_depthwise)(const wnn_f32_run *run) {
  bool one = run->pixel_step == run->column_step, two = run->pixel_step == 2 * run->column_step;
  if (run->columns == 3 && one) {
    run_3_1(run);
  } else if (run->columns == 3 && two) {
    run_3_2(run);
  } else if (run->columns == 5 && one) {
    run_5_1(run);
  } else if (run->columns == 5 && two) {
    run_5_2(run);
  } else {
    run_any(run);
  }
}
