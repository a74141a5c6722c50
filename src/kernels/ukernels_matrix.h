/* Slots of the matrix family: matrix product, convolution, depthwise convolution, pooling. */
#ifndef WNN_KERNELS_UKERNELS_MATRIX_H
#define WNN_KERNELS_UKERNELS_MATRIX_H

#include "kernels/kernel.h"

/* One tile of C = A B: m rows, n columns.
 * A: for tap t and row i, k floats at a[t * a_step + i]; a row of zeros stands for padding.
 * B: panels of vl columns, b_panel floats apart; a panel holds taps * k rows of vl floats, the columns
 * past n zero. Each result starts from c (accumulate), init[column] or 0; then the residual is added and the
 * value limited to [lo, hi], NaN staying NaN. */
typedef struct wnn_f32_tile {
  uint32_t m, n, taps, k, a_step;
  bool accumulate, limit;
  float lo, hi;
  const float *const *a;
  const float *b;
  size_t b_panel;
  const float *init; /* n floats or NULL */
  float *c;
  size_t c_stride;
  const float *residual; /* or NULL */
  size_t residual_stride;
} wnn_f32_tile;

#define WNN_UKERNEL_MATRIX(X) X(f32_gemm_tile, (const wnn_f32_tile *tile))

#endif
