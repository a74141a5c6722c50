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
  wnn_f32_run run;
  size_t weights_column;
} fixed;

#if WNN_VL == 16
enum { KEPT_TAPS = 9 }; /* that stay in registers beside the sums of eight pixels */
#else
enum { KEPT_TAPS = 0 };
#endif

/* PIXELS neighbours, whose windows of ROWS x COLUMNS taps overlap: STRIDE taps apart. Each input is loaded once and
 * used by all of them. */
WNN_INLINE void block_body(const fixed *f, const float *in, const wnn_vf *w, wnn_vf start, const float *residual,
                           float *out, size_t n, const int PIXELS, const int ROWS, const int COLUMNS, const int STRIDE,
                           const bool partial) {
  wnn_vf acc[8];
  WNN_UNROLL
  for (int i = 0; i < PIXELS; i++) acc[i] = start;
  WNN_UNROLL
  for (int p = 0; p < ROWS; p++, in += f->run.row_step) {
    wnn_vf taps[5];
    WNN_UNROLL
    for (int q = 0; q < COLUMNS; q++)
      taps[q] = ROWS * COLUMNS <= KEPT_TAPS ? w[p * COLUMNS + q] : wnn_vf_keep(w[p * COLUMNS + q]);
    WNN_UNROLL
    for (int x = 0; x < (PIXELS - 1) * STRIDE + COLUMNS; x++) {
      wnn_vf value = wnn_vf_keep(load(in + (size_t)x * f->run.column_step, n, partial));
      WNN_UNROLL
      for (int i = 0; i < PIXELS; i++)
        if (x - i * STRIDE >= 0 && x - i * STRIDE < COLUMNS) acc[i] += value * taps[x - i * STRIDE];
    }
  }
  if (residual) {
    WNN_UNROLL
    for (int i = 0; i < PIXELS; i++) acc[i] += load(residual + (size_t)i * f->run.output_step, n, partial);
  }
  if (f->run.limit) {
    const wnn_vf lo = wnn_vf_set(f->run.lo), hi = wnn_vf_set(f->run.hi);
    WNN_UNROLL
    for (int i = 0; i < PIXELS; i++) acc[i] = wnn_vf_lower(wnn_vf_raise(acc[i], lo), hi);
  }
  const size_t step = f->run.output_step;
  WNN_UNROLL
  for (int i = 0; i < PIXELS; i++, out += step) store(out, acc[i], n, partial);
}

/* One pixel and any window. */
WNN_INLINE void pixel_body(const fixed *f, const float *in, const float *w, wnn_vf start, const float *residual,
                           float *out, size_t n, const bool partial) {
  wnn_vf acc = start;
  for (uint32_t p = 0; p < f->run.rows; p++, in += f->run.row_step, w += f->run.weights_row) {
    const float *at = in, *tap = w;
    for (uint32_t q = 0; q < f->run.columns; q++, at += f->run.column_step, tap += f->weights_column)
      acc += load(at, n, partial) * load(tap, n, partial);
  }
  if (residual) acc += load(residual, n, partial);
  if (f->run.limit) acc = wnn_vf_lower(wnn_vf_raise(acc, wnn_vf_set(f->run.lo)), wnn_vf_set(f->run.hi));
  store(out, acc, n, partial);
}

/* A vector of channels of all pixels: what it reads of each row is still in a level 1 cache when the next line reads it
 * again. Whether there is a residual is asked for each block: copies for each case were twice the code and not faster.
 */
WNN_INLINE void channels_body(const fixed *f, size_t c, size_t n, const int ROWS, const int COLUMNS, const int STRIDE,
                              const bool partial) {
  const wnn_f32_run *d = &f->run;
  const float *weights = d->weights + c;
  wnn_vf taps[25], start = {0};
  if (d->init) start = load(d->init + c, n, partial);
  WNN_UNROLL
  for (int p = 0; p < ROWS; p++) WNN_UNROLL
  for (int q = 0; q < COLUMNS; q++)
    taps[p * COLUMNS + q] = load(weights + (size_t)p * d->weights_row + (size_t)q * f->weights_column, n, partial);
  const size_t count = d->count;
  for (size_t y = 0; y < d->lines; y++) {
    const float *in = d->input + y * d->input_line + c;
    float *out = d->output + y * d->output_line + c;
    const float *residual = d->residual ? d->residual + y * d->output_line + c : NULL;
    size_t i = 0;
#define BLOCKS(PIXELS)                                                                                                 \
  for (; i + PIXELS <= count; i += PIXELS) {                                                                           \
    block_body(f, in, taps, start, residual, out, n, PIXELS, ROWS, COLUMNS, STRIDE, partial);                          \
    in += PIXELS * d->pixel_step, out += PIXELS * d->output_step;                                                      \
    if (residual) residual += PIXELS * d->output_step;                                                                 \
  }
    if (ROWS) {
      BLOCKS(8)
      BLOCKS(4)
      BLOCKS(2)
      BLOCKS(1)
    } else {
      for (; i < count; i++)
        pixel_body(f, in + i * d->pixel_step, weights, start, residual ? residual + i * d->output_step : NULL,
                   out + i * d->output_step, n, partial);
    }
#undef BLOCKS
  }
}

#ifdef WNN_ISA_BASELINE
/* Without masks each partial access is a branch of its own: blocks of them, for every window, were a tenth of the
 * library. What is left of the channels goes pixel by pixel here. */
static __attribute__((noinline)) void rest_of_channels(const fixed *f, size_t c, int rows, int columns, int stride) {
  (void)columns, (void)rows;
  (void)stride;
  channels_body(f, c, f->run.channels - c, 0, 0, 0, true);
}
#else
WNN_INLINE void rest_of_channels(const fixed *f, size_t c, const int ROWS, const int COLUMNS, const int STRIDE) {
  channels_body(f, c, f->run.channels - c, ROWS, COLUMNS, STRIDE, true);
}
#endif

WNN_INLINE void run_body(const fixed *f, const int ROWS, const int COLUMNS, const int STRIDE) {
  const size_t channels = f->run.channels;
  size_t c = 0;
  for (; c + WNN_VL <= channels; c += WNN_VL) channels_body(f, c, 0, ROWS, COLUMNS, STRIDE, false);
  if (c < channels) rest_of_channels(f, c, ROWS, COLUMNS, STRIDE);
}

/* Windows that are made of unrolled blocks: X(rows, columns, stride). */
#define WINDOWS(X)                                                                                                     \
  X(1, 3, 1)                                                                                                           \
  X(2, 3, 1) X(3, 3, 1) X(2, 3, 2) X(3, 3, 2) X(3, 5, 1) X(4, 5, 1) X(5, 5, 1) X(3, 5, 2) X(4, 5, 2) X(5, 5, 2)
#define RUN(ROWS, COLUMNS, STRIDE)                                                                                     \
  static void run_##ROWS##x##COLUMNS##_##STRIDE(const fixed *f) { run_body(f, ROWS, COLUMNS, STRIDE); }
WINDOWS(RUN)

static void swap(size_t *a, size_t *b) {
  size_t old = *a;
  *a = *b;
  *b = old;
}

void WNN_K(f32_depthwise)(const wnn_f32_run *d) {
  fixed f = {*d, d->channels};
  wnn_f32_run *r = &f.run;
  if (r->count == 1) { /* one pixel of each line, as the pixels of one line */
    swap(&r->lines, &r->count);
    swap(&r->input_line, &r->pixel_step);
    swap(&r->output_line, &r->output_step);
    swap(&r->row_step, &r->column_step);
    swap(&r->weights_row, &f.weights_column);
    r->rows = d->columns, r->columns = d->rows;
  }
  uint32_t stride = r->pixel_step == r->column_step ? 1 : r->pixel_step == 2 * r->column_step ? 2 : 0;
  switch (stride && r->rows <= 5 && r->columns <= 5 ? r->rows * 100 + r->columns * 10 + stride : 0) {
#define CASE(ROWS, COLUMNS, STRIDE)                                                                                    \
  case ROWS * 100 + COLUMNS * 10 + STRIDE: run_##ROWS##x##COLUMNS##_##STRIDE(&f); break;
    WINDOWS(CASE)
  default: run_body(&f, 0, 0, 0);
  }
}
