/* Depthwise convolution of pixel runs, channels-last. */
#include "kernels/simd/simd.h"
#include "kernels/ukernels.h"

WNN_INLINE wnn_vf load(const float *p, size_t n, const bool partial) {
  return partial ? wnn_vf_load_n(p, n) : wnn_vf_load(p);
}

WNN_INLINE void store(float *p, wnn_vf x, size_t n, const bool partial) {
  if (partial) {
    wnn_vf_store_n(p, x, n);
  } else {
    wnn_vf_store(p, x);
  }
}

/* What a run has in common for all channels; a copy, which stores cannot change. */
typedef struct fixed {
  size_t row_step, column_step, output_step, weights_row, channels;
  uint32_t rows, columns;
  wnn_vf lo, hi;
} fixed;

/* One vector of channels of PIXELS neighbours, whose windows of ROWS x COLUMNS taps overlap: STRIDE taps apart. Each
 * input is loaded once and used by all of them. */
WNN_INLINE void block_body(const fixed *f, const float *in, const float *w, const float *init, const float *residual,
                           float *out, size_t n, const int PIXELS, const int ROWS, const int COLUMNS, const int STRIDE,
                           const bool partial) {
  wnn_vf acc[8], start = {0};
  if (init) start = load(init, n, partial);
  WNN_UNROLL
  for (int i = 0; i < PIXELS; i++) acc[i] = start;
  WNN_UNROLL
  for (int p = 0; p < ROWS; p++, in += f->row_step, w += f->weights_row) {
    wnn_vf taps[5];
    WNN_UNROLL
    for (int q = 0; q < COLUMNS; q++) taps[q] = load(w + (size_t)q * f->channels, n, partial);
    WNN_UNROLL
    for (int x = 0; x < (PIXELS - 1) * STRIDE + COLUMNS; x++) {
      wnn_vf value = load(in + (size_t)x * f->column_step, n, partial);
      WNN_UNROLL
      for (int i = 0; i < PIXELS; i++)
        if (x - i * STRIDE >= 0 && x - i * STRIDE < COLUMNS) acc[i] += value * taps[x - i * STRIDE];
    }
  }
  if (residual) {
    WNN_UNROLL
    for (int i = 0; i < PIXELS; i++) acc[i] += load(residual + (size_t)i * f->output_step, n, partial);
  }
  WNN_UNROLL
  for (int i = 0; i < PIXELS; i++) {
    store(out + (size_t)i * f->output_step, wnn_vf_lower(wnn_vf_raise(acc[i], f->lo), f->hi), n, partial);
  }
}

/* The same for one pixel and any window. */
WNN_INLINE void pixel_body(const fixed *f, const float *in, const float *w, const float *init, const float *residual,
                           float *out, size_t n, const bool partial) {
  wnn_vf acc = {0};
  if (init) acc = load(init, n, partial);
  for (uint32_t p = 0; p < f->rows; p++, in += f->row_step, w += f->weights_row) {
    const float *at = in, *tap = w;
    for (uint32_t q = 0; q < f->columns; q++, at += f->column_step, tap += f->channels)
      acc += load(at, n, partial) * load(tap, n, partial);
  }
  if (residual) acc += load(residual, n, partial);
  store(out, wnn_vf_lower(wnn_vf_raise(acc, f->lo), f->hi), n, partial);
}

/* All channels of PIXELS neighbours. Whether there is an initial value or a residual is asked for each vector: copies
 * for each combination were four times the code and not faster. */
WNN_INLINE void row_body(const wnn_f32_run *d, const fixed *f, size_t pixel, const int PIXELS, const int ROWS,
                         const int COLUMNS, const int STRIDE) {
  const float *in = d->input + pixel * d->pixel_step, *w = d->weights, *init = d->init;
  const float *residual = d->residual ? d->residual + pixel * d->output_step : NULL;
  float *out = d->output + pixel * d->output_step;
  size_t c = 0, channels = f->channels;
  for (; c + WNN_VL <= channels; c += WNN_VL) {
    if (PIXELS == 1)
      pixel_body(f, in + c, w + c, init ? init + c : NULL, residual ? residual + c : NULL, out + c, 0, false);
    else
      block_body(f, in + c, w + c, init ? init + c : NULL, residual ? residual + c : NULL, out + c, 0, PIXELS, ROWS,
                 COLUMNS, STRIDE, false);
  }
  if (c == channels) return;
  if (PIXELS == 1)
    pixel_body(f, in + c, w + c, init ? init + c : NULL, residual ? residual + c : NULL, out + c, channels - c, true);
  else
    block_body(f, in + c, w + c, init ? init + c : NULL, residual ? residual + c : NULL, out + c, channels - c, PIXELS,
               ROWS, COLUMNS, STRIDE, true);
}

WNN_INLINE fixed fixed_of(const wnn_f32_run *d) {
  return (fixed){d->row_step,
                 d->column_step,
                 d->output_step,
                 d->weights_row,
                 d->channels,
                 d->rows,
                 d->columns,
                 wnn_vf_set(d->limit ? d->lo : -__builtin_inff()),
                 wnn_vf_set(d->limit ? d->hi : __builtin_inff())};
}

static void rest_of_run(const wnn_f32_run *d, size_t pixel) {
  const fixed f = fixed_of(d);
  for (; pixel < d->count; pixel++) row_body(d, &f, pixel, 1, 0, 0, 0);
}

#define RUN(ROWS, COLUMNS, STRIDE)                                                                                     \
  static void run_##ROWS##x##COLUMNS##_##STRIDE(const wnn_f32_run *d) {                                                \
    const fixed f = fixed_of(d);                                                                                       \
    size_t i = 0;                                                                                                      \
    for (; i + 8 <= d->count; i += 8) row_body(d, &f, i, 8, ROWS, COLUMNS, STRIDE);                                    \
    for (; i + 4 <= d->count; i += 4) row_body(d, &f, i, 4, ROWS, COLUMNS, STRIDE);                                    \
    for (; i + 2 <= d->count; i += 2) row_body(d, &f, i, 2, ROWS, COLUMNS, STRIDE);                                    \
    rest_of_run(d, i);                                                                                                 \
  }
RUN(1, 3, 1)
RUN(2, 3, 1)
RUN(3, 3, 1)
RUN(2, 3, 2)
RUN(3, 3, 2)
RUN(3, 5, 1)
RUN(4, 5, 1)
RUN(5, 5, 1)
RUN(3, 5, 2)
RUN(4, 5, 2)
RUN(5, 5, 2)

void WNN_K(f32_depthwise)(const wnn_f32_run *d) {
  bool one = d->pixel_step == d->column_step, two = d->pixel_step == 2 * d->column_step;
  uint32_t window = (one || two) && d->count > 1 ? d->rows * 100 + d->columns * 10 + (one ? 1 : 2) : 0;
  switch (window) {
  case 131: run_1x3_1(d); break;
  case 231: run_2x3_1(d); break;
  case 331: run_3x3_1(d); break;
  case 232: run_2x3_2(d); break;
  case 332: run_3x3_2(d); break;
  case 351: run_3x5_1(d); break;
  case 451: run_4x5_1(d); break;
  case 551: run_5x5_1(d); break;
  case 352: run_3x5_2(d); break;
  case 452: run_4x5_2(d); break;
  case 552: run_5x5_2(d); break;
  default: rest_of_run(d, 0);
  }
}
