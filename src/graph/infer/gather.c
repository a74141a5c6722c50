/* Shape rules of gather and scatter. */
#include <inttypes.h>
#include <string.h>

#include "base/shape.h"
#include "graph/infer/infer.gen.h"

static wnn_status check_axis(const wnn_call *call, uint32_t axis) {
  uint32_t rank = call->operands[0]->rank;
  if (axis >= rank)
    return wnn_fail(call, "axis is %" PRIu32 "; it must be below the rank of input, %" PRIu32 ".", axis, rank);
  return WNN_OK;
}

static wnn_status check_same_rank(const wnn_call *call, uint32_t operand) {
  uint32_t rank = call->operands[0]->rank;
  if (call->operands[operand]->rank != rank)
    return wnn_fail(call, "The rank of %s is %" PRIu32 "; it must be that of input, %" PRIu32 ".",
                    call->row->operands[operand].name, call->operands[operand]->rank, rank);
  return WNN_OK;
}

/* Indices and input agree in every dimension but axis. */
static wnn_status check_off_axis(const wnn_call *call, uint32_t axis) {
  const wnn_desc *input = call->operands[0], *indices = call->operands[1];
  for (uint32_t d = 0; d < input->rank; d++)
    if (d != axis && indices->shape[d] != input->shape[d])
      return wnn_fail(call,
                      "Dimension %" PRIu32 " of indices is %" PRIu32 "; it must be that of input, %" PRIu32
                      ", as only dimension %" PRIu32 " may differ.",
                      d, indices->shape[d], input->shape[d], axis);
  return WNN_OK;
}

/* S(indices)[0:-1] ++ S(input)[k:], where k is the last size of indices. */
static wnn_status indexed_shape(const wnn_call *call, const char *what, wnn_desc *shape) {
  const wnn_desc *input = call->operands[0], *indices = call->operands[1];
  uint32_t outer = indices->rank - 1, depth = indices->shape[outer];
  if (depth > input->rank)
    return wnn_fail(call,
                    "The last dimension of indices is %" PRIu32 "; it must be at most the rank of input, %" PRIu32 ".",
                    depth, input->rank);
  uint32_t rank = outer + input->rank - depth;
  if (rank > WNN_MAX_RANK)
    return wnn_fail(call, "The rank of %s would be %" PRIu32 "; it must be at most %d.", what, rank, WNN_MAX_RANK);
  memset(shape->shape, 0, sizeof shape->shape);
  shape->rank = rank;
  for (uint32_t i = 0; i < rank; i++) shape->shape[i] = i < outer ? indices->shape[i] : input->shape[depth + i - outer];
  return WNN_OK;
}

static void set_shape(const wnn_call *call, const wnn_desc *source) {
  call->outputs[0].rank = source->rank;
  memcpy(call->outputs[0].shape, source->shape, sizeof source->shape);
}

wnn_status wnn_infer_gather(wnn_call *call) {
  const wnn_gather_args *args = call->args;
  const wnn_desc *input = call->operands[0], *indices = call->operands[1];
  uint32_t axis = args->options.axis;
  wnn_status status = check_axis(call, axis);
  if (status) return status;
  uint32_t rank = input->rank - 1 + indices->rank;
  if (rank > WNN_MAX_RANK)
    return wnn_fail(call, "The rank of output would be %" PRIu32 "; it must be at most %d.", rank, WNN_MAX_RANK);
  wnn_desc *output = &call->outputs[0];
  memset(output->shape, 0, sizeof output->shape);
  output->rank = 0;
  for (uint32_t i = 0; i < axis; i++) output->shape[output->rank++] = input->shape[i];
  for (uint32_t i = 0; i < indices->rank; i++) output->shape[output->rank++] = indices->shape[i];
  for (uint32_t i = axis + 1; i < input->rank; i++) output->shape[output->rank++] = input->shape[i];
  return WNN_OK;
}

wnn_status wnn_infer_gather_elements(wnn_call *call) {
  const wnn_gather_elements_args *args = call->args;
  wnn_status status = check_same_rank(call, 1);
  if (!status) status = check_axis(call, args->options.axis);
  if (!status) status = check_off_axis(call, args->options.axis);
  if (!status) set_shape(call, call->operands[1]);
  return status;
}

wnn_status wnn_infer_gather_nd(wnn_call *call) { return indexed_shape(call, "output", &call->outputs[0]); }

wnn_status wnn_infer_scatter_elements(wnn_call *call) {
  const wnn_scatter_elements_args *args = call->args;
  wnn_status status = check_same_rank(call, 1);
  if (!status) status = check_same_rank(call, 2);
  if (!status) status = check_axis(call, args->options.axis);
  if (!status) status = check_off_axis(call, args->options.axis);
  if (!status && !wnn_shape_equal(call->operands[2], call->operands[1]))
    status = wnn_fail(call, "The shape of updates must be that of indices.");
  if (!status) set_shape(call, call->operands[0]);
  return status;
}

wnn_status wnn_infer_scatter_nd(wnn_call *call) {
  wnn_desc expected = {call->operands[0]->data_type, 0, {0}};
  wnn_status status = indexed_shape(call, "updates", &expected);
  char text[WNN_DESC_TEXT];
  if (!status && !wnn_shape_equal(call->operands[2], &expected))
    status =
        wnn_fail(call, "updates must be %s, from the shapes of indices and input.", wnn_desc_format(&expected, text));
  if (!status) set_shape(call, call->operands[0]);
  return status;
}
