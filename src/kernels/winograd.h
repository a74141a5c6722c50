/* 3 x 3 convolution with stride 1 by Winograd's method, channels-last. */
#ifndef WNN_KERNELS_WINOGRAD_H
#define WNN_KERNELS_WINOGRAD_H

#include "kernels/filter.h"
#include "kernels/igemm.h"

typedef struct wnn_winograd {
  const wnn_ukernels *u;
  uint32_t edge; /* of an output tile: 2 or 4 */
  size_t batches, inputs, outputs;
  size_t out_row; /* floats between pixels of the output, and of the residual */
  uint32_t in_h, in_w, out_h, out_w;
  int32_t top, left; /* padding before */
  const float *weights;
  const float *init;   /* outputs floats, or NULL: init_input, or zero */
  uint32_t init_input; /* position among the inputs, 0: none */
  uint32_t residual_input;
  bool limit;
  float lo, hi;
  const float *zeros; /* inputs floats */

  /* Set by wnn_winograd_plan. */
  size_t tiles_h, tiles_w, tiles; /* of an image */
  size_t block, blocks;           /* tiles that a unit transforms, multiplies and transforms back */
  size_t n_block, n_blocks;       /* and the columns it makes */
} wnn_winograd;

/* The edge with which an image of this size is done in the least time by estimate; 0: directly. */
uint32_t wnn_winograd_choose(size_t inputs, size_t outputs, size_t out_h, size_t out_w);
/* Fills the blocks; returns the number of units. */
size_t wnn_winograd_plan(wnn_winograd *winograd, unsigned threads);
size_t wnn_winograd_scratch(const wnn_winograd *winograd);
/* Transformed weights: [panel][(edge + 2)^2][input][vl]. The filter must have one group and all 3 x 3 taps. */
size_t wnn_winograd_weights_size(const wnn_ukernels *u, const wnn_filter *filter, uint32_t edge);
typedef struct wnn_winograd_filter {
  const wnn_ukernels *u;
  wnn_filter filter;
  uint32_t edge;
} wnn_winograd_filter;
/* From a filter to its transformed weights; the range counts panels. */
wnn_kernel_fn wnn_winograd_pack;
wnn_kernel_fn wnn_f32_winograd;

#endif
