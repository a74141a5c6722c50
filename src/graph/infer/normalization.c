/* Infer functions of softmax and the normalizations. */
#include "graph/infer/helpers.h"

wnn_status wnn_infer_softmax(wnn_call *call) {
  const wnn_softmax_args *args = call->args;
  wnn_infer_set_shape(&call->outputs[0], call->operands[0]);
  return wnn_infer_check_axis(call, args->axis, 0);
}

/* Operands first .. last are vectors with one item for each channel. */
static wnn_status expect_channels(const wnn_call *call, uint32_t first, uint32_t last, uint32_t channels,
                                  const char *what) {
  for (uint32_t i = first; i <= last; i++) {
    wnn_status status = wnn_infer_expect_shape(call, i, &channels, 1, what);
    if (status) return status;
  }
  return WNN_OK;
}

wnn_status wnn_infer_batch_normalization(wnn_call *call) {
  const wnn_batch_normalization_args *args = call->args;
  const wnn_desc *input = call->operands[0];
  wnn_infer_set_shape(&call->outputs[0], input);
  wnn_status status = wnn_infer_check_axis(call, args->options.axis, 0);
  if (status) return status;
  return expect_channels(call, 1, 4, input->shape[args->options.axis], "the size of input along axis");
}

wnn_status wnn_infer_instance_normalization(wnn_call *call) {
  const wnn_instance_normalization_args *args = call->args;
  const wnn_desc *input = call->operands[0];
  wnn_infer_set_shape(&call->outputs[0], input);
  bool last = args->options.layout == WNN_INPUT_LAYOUT_NHWC;
  return expect_channels(call, 1, 2, input->shape[last ? 3 : 1], "the channels of input");
}

wnn_status wnn_infer_layer_normalization(wnn_call *call) {
  wnn_layer_normalization_args *args = call->args;
  wnn_u32_list *axes = &args->options.axes;
  const wnn_desc *input = call->operands[0];
  wnn_infer_set_shape(&call->outputs[0], input);
  wnn_status status = wnn_infer_default_range(call, axes, 1, input->rank); /* none for ranks 0 and 1 */
  if (!status) status = wnn_infer_check_axes(call, *axes, 0);
  uint32_t shape[WNN_MAX_RANK];
  for (uint32_t i = 0; !status && i < axes->count; i++) shape[i] = input->shape[axes->data[i]];
  for (uint32_t i = 1; !status && i <= 2; i++)
    status = wnn_infer_expect_shape(call, i, shape, axes->count, "the sizes of input along axes in their order");
  return status;
}
