/* What lowerings of image operations share: shapes, and channels-last memory. */
#ifndef WNN_BACKEND_CPU_LOWER_IMAGE_H
#define WNN_BACKEND_CPU_LOWER_IMAGE_H

#include "backend/cpu/lower_float.h"
#include "kernels/filter.h"
#include "kernels/igemm.h"

typedef struct wnn_image_shape {
  uint32_t batches, channels, height, width;
} wnn_image_shape;

/* The sizes of a rank 4 value; layout is a wnn_input_layout. */
wnn_image_shape wnn_lower_image_shape(const wnn_lowering *l, uint32_t value, int layout);
/* Whether a value's memory is not channels-last and cannot be seen so either. */
bool wnn_lower_has_planes(const wnn_lowering *l, uint32_t value, int layout);
/* The value as float32 in channels-last memory: itself, or a temp that steps fill. */
uint32_t wnn_lower_channels_last(wnn_lowering *l, const wnn_node *node, uint32_t value, int layout);
/* Where to write channels-last float32 results of `value`; then wnn_lower_from_channels_last brings them home. */
uint32_t wnn_lower_channels_last_output(wnn_lowering *l, uint32_t value, int layout);
void wnn_lower_from_channels_last(wnn_lowering *l, const wnn_node *node, uint32_t temp, uint32_t value, int layout);

/* Fills the window from lists of two (height, width) and four (top, bottom, left, right); false when a number is
 * too large for the kernels' index arithmetic. */
bool wnn_lower_window(wnn_window *window, const wnn_image_shape *in, const wnn_image_shape *out, uint32_t kernel_h,
                      uint32_t kernel_w, const uint32_t *strides, const uint32_t *dilations, const uint32_t *padding);
/* Rows that a thread takes at once where neighbouring rows read the same: few large shares. */
size_t wnn_lower_rows_grain(const wnn_lowering *l, size_t rows, size_t grain);
/* The sizes of the planes that a window slides over. */
wnn_f32_plane wnn_lower_plane(const wnn_window *window);
/* The filter of a conv2d between these numbers of channels. */
wnn_filter wnn_lower_filter(const wnn_lowering *l, const wnn_node *node, uint32_t inputs, uint32_t outputs);
/* lower_quant.c: a conv2d of integers (compile/quantize.h). */
bool wnn_lower_integer_conv2d(wnn_lowering *l, const wnn_node *node);

#endif
