/* Integer products: 8-bit images and filters as the integer tiles read them. */
#ifndef WNN_KERNELS_QUANT_H
#define WNN_KERNELS_QUANT_H

#include "kernels/filter.h"

/* Images as groups of `group` channels: four uint8 (int8 moved up by 128), the rest of the last group filled with the
 * zero point; or two int16 with the zero point taken away, the rest 0. */
typedef struct wnn_quant_groups {
  uint32_t group;
  bool is_signed;
  int32_t zero;
  size_t pixels, channels; /* of an image */
  size_t pixel_stride, channel_stride;
} wnn_quant_groups;
/* Input: images of 8-bit integers; output: [pixel][group of channels]. Range: pixels of all images. */
wnn_kernel_fn wnn_quant_group_images;

/* What stands for zero in every byte of a padding pixel. */
static inline uint8_t wnn_quant_padding(const wnn_quant_groups *g) {
  return g->group == 4 ? (uint8_t)(g->zero + (g->is_signed ? 128 : 0)) : 0;
}

/* Constant 8-bit weights; zeros has one zero point or one an output channel (of all groups). */
typedef struct wnn_quant_weights {
  const void *data;
  bool is_signed, zeros_are_signed;
  const void *zeros;
  size_t zero_count;
} wnn_quant_weights;
/* Whether all weights fit int8 once their zero point is taken away, as groups of four need. */
bool wnn_quant_fits_int8(const wnn_filter *filter, const wnn_quant_weights *weights);
/* Panels [panel][tap][group of channels][vl] of a filter with one group, and the shift of each output's sums. */
void wnn_quant_pack(const wnn_ukernels *u, const wnn_filter *filter, const wnn_quant_weights *weights,
                    const wnn_quant_groups *groups, void *panels, int32_t *shift);

#endif
