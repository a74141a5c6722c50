/* Depthwise convolution and pooling of images whose channels are planes. */
#ifndef WNN_KERNELS_PLANE_H
#define WNN_KERNELS_PLANE_H

#include "kernels/ukernels.h"

typedef void wnn_plane_fn(const wnn_f32_plane *plane);

typedef struct wnn_planes {
  wnn_plane_fn *run;   /* a slot of the table */
  wnn_f32_plane plane; /* what all planes have in common */
  size_t channels;
  const float *weights, *init; /* depthwise: of all channels; init may be NULL */
  uint32_t residual_input;     /* position among the inputs, 0: none */
} wnn_planes;

size_t wnn_planes_scratch(const wnn_planes *planes);
/* Inputs: images, then what residual_input names. Output: images. Range: channels of all images. */
wnn_kernel_fn wnn_f32_planes;

#endif
