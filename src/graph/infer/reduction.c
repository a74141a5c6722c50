/* Infer functions of reductions, argMax and argMin, cumulativeSum. */
#include "graph/infer/helpers.h"

/* The shape without the dimensions of a mask of axes, or with size 1 for them. */
static void reduce_shape(const wnn_desc *input, uint32_t mask, bool keep, wnn_desc *output) {
  output->rank = 0;
  for (uint32_t i = 0; i < input->rank; i++) {
    bool reduced = mask >> i & 1;
    if (!reduced || keep) output->shape[output->rank++] = reduced ? 1 : input->shape[i];
  }
}

/* The argument structs of all reductions begin with the options. */
wnn_status wnn_infer_reduce(wnn_call *call) {
  wnn_reduce_options *options = call->args;
  const wnn_desc *input = call->operands[0];
  wnn_status status = wnn_infer_default_range(call, &options->axes, 0, input->rank);
  if (!status) status = wnn_infer_check_axes(call, options->axes, 0);
  if (status) return status;
  uint32_t mask = 0;
  for (uint32_t i = 0; i < options->axes.count; i++) mask |= 1u << options->axes.data[i];
  reduce_shape(input, mask, options->keep_dimensions, &call->outputs[0]);
  return WNN_OK;
}

wnn_status wnn_infer_arg_min_max(wnn_call *call) {
  const wnn_arg_min_max_args *args = call->args;
  wnn_data_type type = args->options.output_data_type;
  wnn_status status = wnn_infer_check_axis(call, args->axis, 0);
  if (status) return status;
  /* Every size fits int32: a dimension is at most 2^31-1. */
  if (type != WNN_INT32 && type != WNN_INT64)
    return wnn_fail(call, "outputDataType is %s, but must be int32 or int64.", wnn_data_type_name(type));
  call->outputs[0].data_type = type;
  reduce_shape(call->operands[0], 1u << args->axis, args->options.keep_dimensions, &call->outputs[0]);
  return WNN_OK;
}

wnn_status wnn_infer_cumulative_sum(wnn_call *call) {
  const wnn_cumulative_sum_args *args = call->args;
  wnn_infer_set_shape(&call->outputs[0], call->operands[0]);
  return wnn_infer_check_axis(call, args->axis, 0);
}
