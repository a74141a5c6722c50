/* Pooling of pixel runs, channels-last. */
#include "kernels/simd/simd.h"
#include "kernels/ukernels.h"

enum { MAX, AVERAGE, L2 };

/* V vectors of channels of one pixel. */
WNN_INLINE void block_body(const wnn_f32_run *d, const float *input, float *output, size_t n, const int MODE,
                           const int V, const bool partial) {
  wnn_vf acc[4];
  WNN_UNROLL
  for (int v = 0; v < V; v++) acc[v] = wnn_vf_set(MODE == MAX ? -__builtin_inff() : 0.0f);
  for (uint32_t p = 0; p < d->rows; p++) {
    const float *in = input + p * d->row_step;
    for (uint32_t q = 0; q < d->columns; q++, in += d->column_step) {
      WNN_UNROLL
      for (int v = 0; v < V; v++) {
        wnn_vf x = partial ? wnn_vf_load_n(in, n) : wnn_vf_load(in + v * WNN_VL);
        if (MODE == MAX) {
          acc[v] = wnn_vf_max(acc[v], x);
        } else if (MODE == AVERAGE) {
          acc[v] += x;
        } else {
          acc[v] += x * x;
        }
      }
    }
  }
  WNN_UNROLL
  for (int v = 0; v < V; v++) {
    wnn_vf x = acc[v];
    if (MODE == AVERAGE) x *= wnn_vf_set(d->scale);
    if (MODE == L2) x = wnn_vf_sqrt(x);
    if (d->limit) x = wnn_vf_lower(wnn_vf_raise(x, wnn_vf_set(d->lo)), wnn_vf_set(d->hi));
    if (partial) {
      wnn_vf_store_n(output, x, n);
    } else {
      wnn_vf_store(output + v * WNN_VL, x);
    }
  }
}

WNN_INLINE void pool_body(const wnn_f32_run *d, const int MODE) {
  /* Windows that are one pixel apart: the pixels of a line are as good as one with all their channels, which fills
   * vectors where there are few. */
  const bool dense = d->channels < 4 * WNN_VL && d->pixel_step == d->channels && d->output_step == d->channels;
  const size_t count = dense ? 1 : d->count, channels = dense ? d->count * d->channels : d->channels;
  for (size_t y = 0; y < d->lines; y++) {
    for (size_t i = 0; i < count; i++) {
      const float *input = d->input + y * d->input_line + i * d->pixel_step;
      float *output = d->output + y * d->output_line + i * d->output_step;
      size_t c = 0;
      for (; c + 4 * WNN_VL <= channels; c += 4 * WNN_VL) block_body(d, input + c, output + c, 0, MODE, 4, false);
      for (; c + WNN_VL <= channels; c += WNN_VL) block_body(d, input + c, output + c, 0, MODE, 1, false);
      if (c < channels) block_body(d, input + c, output + c, channels - c, MODE, 1, true);
    }
  }
}

void WNN_K(f32_pool_max)(const wnn_f32_run *run) { pool_body(run, MAX); }
void WNN_K(f32_pool_average)(const wnn_f32_run *run) { pool_body(run, AVERAGE); }
void WNN_K(f32_pool_l2)(const wnn_f32_run *run) { pool_body(run, L2); }
