/* Windows that slide over channels-last images without mixing channels: depthwise convolution and pooling. */
#ifndef WNN_KERNELS_WINDOW_H
#define WNN_KERNELS_WINDOW_H

#include "kernels/igemm.h"

typedef void wnn_run_fn(const wnn_f32_run *run);

typedef struct wnn_sliding {
  wnn_run_fn *run; /* a slot of the table */
  wnn_window image;
  const float *weights; /* depthwise: [kernel_h][kernel_w][channels]; NULL: input 1 */
  const float *init;    /* or NULL: init_input, or zero */
  uint32_t init_input, residual_input;
  bool average; /* scale by the number of taps inside */
  bool limit;
  float lo, hi;
} wnn_sliding;

/* Inputs: images, then (depthwise, when not constant) weights, then what init_input and residual_input name. Output:
 * images. Range: output rows of all images. */
wnn_kernel_fn wnn_f32_slide;

#endif
