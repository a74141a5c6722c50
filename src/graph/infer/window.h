/* Sizes of sliding windows, shared by convolutions and pooling. */
#ifndef WNN_GRAPH_INFER_WINDOW_H
#define WNN_GRAPH_INFER_WINDOW_H

#include "graph/infer/helpers.h"

/* Names of the two spatial axes in messages. */
static const char *const wnn_spatial_names[2] = {"height", "width"};

/* Positions of channels, height and width in a rank 4 shape. */
typedef struct wnn_image_axes {
  uint32_t channels, spatial[2];
} wnn_image_axes;
static inline wnn_image_axes wnn_image_axes_of(wnn_input_layout layout) {
  return layout == WNN_INPUT_LAYOUT_NHWC ? (wnn_image_axes){3, {1, 2}} : (wnn_image_axes){1, {2, 3}};
}

/* Completes the lists that all sliding windows have. */
static inline wnn_status wnn_infer_window_defaults(const wnn_call *call, wnn_u32_list *padding, wnn_u32_list *strides,
                                                   wnn_u32_list *dilations) {
  wnn_status status = wnn_infer_default_fill(call, padding, 4, 0);
  if (!status) status = wnn_infer_default_fill(call, strides, 2, 1);
  if (!status) status = wnn_infer_default_fill(call, dilations, 2, 1);
  return status;
}

/* Rows that the padded input has beyond one window; negative when the window is larger. The arguments can
 * be as large as 32 bits allow: reaches that no input has are cut so that nothing leaves 64 bits. */
static inline int64_t wnn_window_slack(uint32_t input, uint32_t window, uint32_t dilation, uint32_t begin,
                                       uint32_t end) {
  int64_t padded = (int64_t)input + begin + end;
  uint64_t reach = (uint64_t)(window - 1) * dilation, most = (uint64_t)1 << 62;
  return padded - 1 - (int64_t)(reach < most ? reach : most);
}

#endif
