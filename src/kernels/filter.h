/* Filters of convolutions, from the tensor's layout to what the kernels read. */
#ifndef WNN_KERNELS_FILTER_H
#define WNN_KERNELS_FILTER_H

#include "kernels/ukernels.h"

/* A filter seen as output channels x taps x input channels of each group; strides in floats. Taps are counted
 * row by row, or listed (transposed convolution takes a part of them). */
typedef struct wnn_filter {
  size_t outputs, inputs; /* of a group */
  uint32_t groups, taps_h, taps_w;
  size_t output_stride, input_stride, height_stride, width_stride, group_stride;
  const uint32_t *rows, *columns; /* taps_h and taps_w positions in the window; NULL: all in order */
} wnn_filter;

/* Floats of the panels of all groups. */
size_t wnn_filter_panels_size(const wnn_ukernels *u, const wnn_filter *filter);
/* Panel number `at`, counted over groups: [tap][input][vl]. */
void wnn_filter_pack_panel(const wnn_ukernels *u, const wnn_filter *filter, const wnn_loose *source, size_t at,
                           float *to);
/* Panels for wnn_f32_igemm: [group][panel][tap][input][vl]. Writes panels first .. last - 1, counted over groups. */
void wnn_filter_pack(const wnn_ukernels *u, const wnn_filter *filter, const wnn_loose *source, size_t first,
                     size_t last, float *panels);
/* [tap][group] for depthwise convolution: one input and one output channel a group. */
void wnn_filter_pack_depthwise(const wnn_filter *filter, const wnn_loose *source, float *to);

/* The same as steps. Input: the filter; output: what is packed. Ranges: panels of all groups; 1. */
typedef struct wnn_filter_params {
  const wnn_ukernels *u;
  wnn_filter filter;
} wnn_filter_params;
wnn_kernel_fn wnn_f32_filter_pack, wnn_f32_filter_pack_depthwise;

#endif
