/* Slots of the matrix family: matrix product, convolution, depthwise convolution, pooling. */
#ifndef WNN_KERNELS_UKERNELS_MATRIX_H
#define WNN_KERNELS_UKERNELS_MATRIX_H

#include "base/dtype.h"
#include "kernels/kernel.h"

enum { WNN_GEMM_MAX_ROWS = 12 };

/* One tile of C = A B: m rows, n columns.
 * A: for tap t and row i, k floats at a[t * a_step + i] + a_offset; a row of zeros stands for padding.
 * B: panels of vl columns, b_panel floats apart; a panel holds taps * k rows of vl floats, the columns
 * past n zero. Each result starts from c (accumulate), init[column] or 0; then the residual is added and the
 * value limited to [lo, hi], NaN staying NaN. */
typedef struct wnn_f32_tile {
  uint32_t m, n, taps, k, a_step;
  bool accumulate, limit;
  float lo, hi;
  const float *const *a;
  size_t a_offset;
  const float *b;
  size_t b_panel;
  const float *ahead; /* taps * k * vl floats, as of a panel, that are fetched meanwhile, or NULL */
  const float *init;  /* n floats or NULL */
  float *c;
  size_t c_stride;
  const float *residual; /* or NULL */
  size_t residual_stride;
} wnn_f32_tile;

/* f32_pack_rows and f32_pack_columns read a source that may lie at any address.
 * f32_pack_rows: one panel of B from k rows of n floats (1 <= n <= vl), `stride` floats apart, times scale.
 * f32_pack_columns: the same from the transposed matrix: n rows of k floats. Source column q goes to row
 * (q % taps) * (k / taps) + q / taps of the panel (taps divides k), which turns filters that keep their
 * window innermost into panels that keep their channels innermost.
 * f32_transpose: to[c * to_stride + r] = from[r * from_stride + c].
 * f32_widen, f32_narrow: n elements from and to float16. */

/* A run of pixels in each of some output rows (lines), channels-last. Output pixel i of line y combines the taps (p,
 * q), p < rows, q < columns, at input + y * input_line + i * pixel_step + p * row_step + q * column_step; the caller
 * cuts taps that lie outside. */
typedef struct wnn_f32_run {
  uint32_t rows, columns;
  size_t lines, count, channels;
  const float *input;
  size_t input_line, pixel_step, row_step, column_step;
  float *output;
  size_t output_line, output_step;
  /* Depthwise: tap (p, q) has channels floats at weights + p * weights_row + q * channels; the sum starts from init
   * (channels floats or NULL), then residual (NULL or laid out like output) is added. */
  const float *weights, *init, *residual;
  size_t weights_row;
  bool limit;
  float lo, hi;
  /* Pooling */
  float scale; /* average: 1 / number of taps */
} wnn_f32_run;

/* One channel of an image, its rows one after the other; all output rows. Positions outside the image count as nothing.
 */
typedef struct wnn_f32_plane {
  uint32_t in_h, in_w, out_h, out_w;
  uint32_t kernel_h, kernel_w, stride_h, stride_w, dilation_h, dilation_w;
  int32_t top, left; /* padding before */
  const float *input;
  float *output;
  /* Depthwise, stride_w 1: kernel_h x kernel_w taps; residual is NULL or laid out like output. */
  const float *weights, *residual, *zeros; /* zeros: in_w of them */
  float init;
  bool limit;
  float lo, hi;
  /* Pooling: dilation_w 1. */
  const float *columns; /* average: how many columns of each window are inside */
  float *scratch;       /* WNN_PLANE_SCRATCH floats */
} wnn_f32_plane;
/* Pooling: a padded row is as long as whole vectors of results reach, and a vector of them more; whole cache lines. */
#define WNN_PLANE_ROW(out_w, stride_w, kernel_w) ((((size_t)(out_w) + 32) * (stride_w) + (kernel_w) + 15) / 16 * 16)
enum { WNN_PLANE_LINES = 4 }; /* padded rows at a time */
/* Floats for the padded rows and a row of scales. */
#define WNN_PLANE_SCRATCH(out_w, stride_w, kernel_w)                                                                   \
  (WNN_PLANE_LINES * WNN_PLANE_ROW(out_w, stride_w, kernel_w) + (out_w))

/* One output tile of a Winograd convolution: the products of its (edge + 2)^2 elements are from_step floats apart;
 * the first `rows` x `columns` results go to the image, after init (channels floats or NULL), residual (NULL or laid
 * out like the image) and the limit. */
typedef struct wnn_f32_winograd_out {
  size_t channels, from_step, row_step, pixel_step;
  uint32_t rows, columns;
  const float *from, *init, *residual;
  float *to;
  bool limit;
  float lo, hi;
} wnn_f32_winograd_out;

/* f32_winograd_filter: replaces the 3 x 3 taps in the last 9 of (edge + 2)^2 blocks of k * vl floats, each a part of a
 * panel of B, by the transformed filter in all of them. edge is 2 or 4.
 * f32_winograd_input: (edge + 2)^2 pixels to as many rows, step floats apart.
 * f32_depthwise: as above. f32_pool_max (NaN when a tap is NaN), f32_pool_average, f32_pool_l2.
 * f32_plane_...: the same for planes. */
#define WNN_UKERNEL_MATRIX(X)                                                                                          \
  X(f32_gemm_tile, (const wnn_f32_tile *tile))                                                                         \
  X(f32_pack_rows, (size_t k, size_t n, const wnn_loose *source, size_t stride, float scale, float *panel))            \
  X(f32_pack_columns,                                                                                                  \
    (size_t k, size_t n, const wnn_loose *source, size_t stride, float scale, size_t taps, float *panel))              \
  X(f32_transpose, (size_t rows, size_t columns, const float *from, size_t from_stride, float *to, size_t to_stride))  \
  X(f32_widen, (size_t n, const uint16_t *from, float *to))                                                            \
  X(f32_narrow, (size_t n, const float *from, uint16_t *to))                                                           \
  X(f32_winograd_filter, (uint32_t edge, size_t k, float *panel))                                                      \
  X(f32_winograd_input, (uint32_t edge, size_t channels, const float *const *pixels, float *to, size_t step))          \
  X(f32_winograd_output, (uint32_t edge, const wnn_f32_winograd_out *out))                                             \
  X(f32_depthwise, (const wnn_f32_run *run))                                                                           \
  X(f32_pool_max, (const wnn_f32_run *run))                                                                            \
  X(f32_pool_average, (const wnn_f32_run *run))                                                                        \
  X(f32_pool_l2, (const wnn_f32_run *run))                                                                             \
  X(f32_plane_depthwise, (const wnn_f32_plane *plane))                                                                 \
  X(f32_plane_max, (const wnn_f32_plane *plane))                                                                       \
  X(f32_plane_average, (const wnn_f32_plane *plane))                                                                   \
  X(f32_plane_l2, (const wnn_f32_plane *plane))

#endif
