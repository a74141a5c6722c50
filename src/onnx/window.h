/* Sliding windows: the attributes that convolutions and pools share, for 1 to 3 spatial dimensions. */
#ifndef WNN_ONNX_WINDOW_H
#define WNN_ONNX_WINDOW_H

#include "import.h"

enum { OX_MAX_SPATIAL = 3 };
typedef struct ox_window {
  uint32_t rank; /* spatial dimensions */
  uint32_t kernel[OX_MAX_SPATIAL], strides[OX_MAX_SPATIAL], dilations[OX_MAX_SPATIAL];
  uint32_t before[OX_MAX_SPATIAL], after[OX_MAX_SPATIAL]; /* padding */
  uint32_t groups;
} ox_window;

/* Reads kernel_shape (or takes `kernel`, when not NULL), strides, dilations, pads and auto_pad for an input of
 * [N, C, spatial...]. resolve: settle SAME paddings for a forward window. */
bool ox_window_read(ox_call *c, const wnn_desc *input, const uint32_t *kernel, bool resolve, ox_window *out);
/* Extent of the dilated kernel. */
static inline uint64_t ox_window_extent(const ox_window *window, uint32_t i) {
  return ((uint64_t)window->kernel[i] - 1) * window->dilations[i] + 1;
}
/* A convolution of any spatial rank; bias may be NULL. */
wnn_operand *ox_convolve(ox_call *c, wnn_operand *x, wnn_operand *filter, wnn_operand *bias, const ox_window *window);
/* The convolution of a node with its own attributes. */
wnn_operand *ox_convolve_node(ox_call *c, wnn_operand *x, wnn_operand *filter, wnn_operand *bias);
/* [N, C, L] as [N, C, 1, L] and back; [N, C, D, H, W] with depth folded into the batch: [N D, C, H, W]. */
wnn_operand *ox_lift_1d(ox_call *c, wnn_operand *x);
wnn_operand *ox_drop_1d(ox_call *c, wnn_operand *x);

#define OX_WINDOW_ATTRS "auto_pad:s=NOTSET kernel_shape:I strides:I dilations:I pads:I group:i=1"

#endif
