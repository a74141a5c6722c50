/* Infer functions of quantizeLinear and dequantizeLinear. */
#include "graph/infer/helpers.h"

/* Both take input, scale, zeroPoint: equal ranks, scale and zero point of one shape, which divides the
 * shape of the input into blocks. Data types come from the table. */
static wnn_status blockwise(wnn_call *call) {
  const wnn_desc *input = call->operands[0], *scale = call->operands[1];
  char text[WNN_SHAPE_TEXT], other[WNN_SHAPE_TEXT];
  wnn_infer_set_shape(&call->outputs[0], input);
  for (uint32_t i = 1; i <= 2; i++)
    if (call->operands[i]->rank != input->rank)
      return wnn_fail(call, "The rank of %s is %" PRIu32 ", but must be the rank of input, which is %" PRIu32 ".",
                      wnn_infer_operand_name(call, i), call->operands[i]->rank, input->rank);
  wnn_status status = wnn_infer_expect_shape(call, 2, scale->shape, scale->rank, "the shape of scale");
  if (status) return status;
  for (uint32_t i = 0; i < input->rank; i++)
    if (input->shape[i] % scale->shape[i])
      return wnn_fail(
          call,
          "The shape of scale is %s, but the sizes of input %s must be multiples of it: dimension %" PRIu32 " is not.",
          wnn_shape_format(scale->shape, scale->rank, text), wnn_shape_format(input->shape, input->rank, other), i);
  return WNN_OK;
}

wnn_status wnn_infer_quantize_linear(wnn_call *call) { return blockwise(call); }

wnn_status wnn_infer_dequantize_linear(wnn_call *call) { return blockwise(call); }
