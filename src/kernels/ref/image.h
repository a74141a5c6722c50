/* Element strides of 4-D images, by dimension instead of by layout. */
#ifndef WNN_KERNELS_REF_IMAGE_H
#define WNN_KERNELS_REF_IMAGE_H

#include "kernels/ref/util.h"

typedef struct wnn_ref_image {
  int64_t size[4];  /* samples, channels, height, width */
  size_t stride[4]; /* in elements, of the same */
} wnn_ref_image;

/* order: position in desc's shape of each of the four dimensions. */
static inline wnn_ref_image wnn_ref_image_of(const wnn_desc *desc, const uint8_t order[4]) {
  wnn_ref_image image;
  size_t strides[WNN_MAX_RANK];
  wnn_shape_strides(desc, strides);
  for (int i = 0; i < 4; i++) {
    image.size[i] = desc->shape[order[i]];
    image.stride[i] = strides[order[i]];
  }
  return image;
}

static const uint8_t wnn_ref_image_orders[2][4] = {
    [WNN_INPUT_LAYOUT_NCHW] = {0, 1, 2, 3},
    [WNN_INPUT_LAYOUT_NHWC] = {0, 3, 1, 2},
};

/* Coordinates (sample, channel, row, column) of a linear index of an image in memory order. */
static inline void wnn_ref_image_unravel(const wnn_desc *desc, const uint8_t order[4], size_t index, int64_t at[4]) {
  size_t coordinates[WNN_MAX_RANK];
  wnn_shape_unravel(desc, index, coordinates);
  for (int i = 0; i < 4; i++) at[i] = (int64_t)coordinates[order[i]];
}

#endif
