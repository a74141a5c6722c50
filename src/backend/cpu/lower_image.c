/* What lowerings of image operations share, and the relayout operation. */
#include "backend/cpu/lower_image.h"

#include "backend/cpu/lower.h"

wnn_image_shape wnn_lower_image_shape(const wnn_lowering *l, uint32_t value, int layout) {
  const uint32_t *s = wnn_lower_desc(l, value)->shape;
  if (layout == WNN_INPUT_LAYOUT_NHWC) return (wnn_image_shape){s[0], s[3], s[1], s[2]};
  return (wnn_image_shape){s[0], s[1], s[2], s[3]};
}

bool wnn_lower_has_planes(const wnn_lowering *l, uint32_t value, int layout) {
  if (layout == WNN_INPUT_LAYOUT_NHWC) return false;
  wnn_image_shape s = wnn_lower_image_shape(l, value, layout);
  return s.channels > 1 && (s.height > 1 || s.width > 1);
}

uint32_t wnn_lower_channels_last(wnn_lowering *l, const wnn_node *node, uint32_t value, int layout) {
  if (value == WNN_NONE) return value;
  uint32_t wide = wnn_lower_widen(l, node, value);
  if (wide == WNN_NONE || !wnn_lower_has_planes(l, value, layout)) return wide;
  wnn_image_shape s = wnn_lower_image_shape(l, value, layout);
  uint32_t temp = wnn_lower_temp(l, wnn_elements(wnn_lower_desc(l, value)) * sizeof(float));
  if (temp != WNN_NONE)
    wnn_lower_transpose(l, node, wide, temp, sizeof(float), s.batches, s.channels, (size_t)s.height * s.width);
  return temp;
}

uint32_t wnn_lower_channels_last_output(wnn_lowering *l, uint32_t value, int layout) {
  if (!wnn_lower_has_planes(l, value, layout)) return wnn_lower_wide_output(l, value);
  return wnn_lower_temp(l, wnn_elements(wnn_lower_desc(l, value)) * sizeof(float));
}

void wnn_lower_from_channels_last(wnn_lowering *l, const wnn_node *node, uint32_t temp, uint32_t value, int layout) {
  if (temp == WNN_NONE) return;
  if (wnn_lower_has_planes(l, value, layout)) {
    wnn_image_shape s = wnn_lower_image_shape(l, value, layout);
    uint32_t wide = wnn_lower_wide_output(l, value);
    if (wide != WNN_NONE)
      wnn_lower_transpose(l, node, temp, wide, sizeof(float), s.batches, (size_t)s.height * s.width, s.channels);
    temp = wide;
  }
  wnn_lower_narrow(l, node, temp, value);
}

bool wnn_lower_window(wnn_window *window, const wnn_image_shape *in, const wnn_image_shape *out, uint32_t kernel_h,
                      uint32_t kernel_w, const uint32_t *strides, const uint32_t *dilations, const uint32_t *padding) {
  enum { MOST = 1 << 20 };
  if (strides[0] > MOST || strides[1] > MOST || dilations[0] > MOST || dilations[1] > MOST) return false;
  if (in->height > MOST || in->width > MOST || out->height > MOST || out->width > MOST) return false;
  for (int i = 0; i < 4; i++)
    if (padding[i] > MOST) return false;
  if ((uint64_t)kernel_h * dilations[0] > MOST || (uint64_t)kernel_w * dilations[1] > MOST) return false;
  *window = (wnn_window){.in_h = in->height,
                         .in_w = in->width,
                         .channels = in->channels,
                         .out_h = out->height,
                         .out_w = out->width,
                         .kernel_h = kernel_h,
                         .kernel_w = kernel_w,
                         .stride_h = strides[0],
                         .stride_w = strides[1],
                         .dilation_h = dilations[0],
                         .dilation_w = dilations[1],
                         .top = (int32_t)padding[0],
                         .left = (int32_t)padding[2]};
  return true;
}

wnn_f32_plane wnn_lower_plane(const wnn_window *w) {
  return (wnn_f32_plane){.in_h = w->in_h,
                         .in_w = w->in_w,
                         .out_h = w->out_h,
                         .out_w = w->out_w,
                         .kernel_h = w->kernel_h,
                         .kernel_w = w->kernel_w,
                         .stride_h = w->stride_h,
                         .stride_w = w->stride_w,
                         .dilation_h = w->dilation_h,
                         .dilation_w = w->dilation_w,
                         .top = w->top,
                         .left = w->left};
}

size_t wnn_lower_rows_grain(const wnn_lowering *l, size_t rows, size_t grain) {
  size_t threads = wnn_lower_threads(l);
  if (threads == 1) return grain;
  size_t parts = rows >= 32 * threads ? 2 * threads : threads, share = (rows + parts - 1) / parts;
  return grain > share ? grain : share;
}

/* A transpose of float32 or 8-bit images whose args (those of transpose) say which way. */
bool wnn_lower_relayout(wnn_lowering *l, const wnn_node *node) {
  const uint32_t *s = wnn_lower_desc(l, node->inputs[0])->shape;
  const wnn_u32_list *order = &((const wnn_transpose_args *)node->args)->options.permutation;
  bool to_last = order->data[3] == 1;
  size_t rows = to_last ? s[1] : (size_t)s[1] * s[2], columns = to_last ? (size_t)s[2] * s[3] : s[3];
  size_t size = wnn_data_type_size(wnn_lower_desc(l, node->inputs[0])->data_type);
  wnn_lower_transpose(l, node, node->inputs[0], node->outputs[0], size, s[0], rows, columns);
  return true;
}
