/* MLOpSupportLimits: what the table allows, cut to what the backend computes. */
#include "base/dtype.h"
#include "graph/op_table.h"
#include "runtime/runtime.h"

void wnn_context_limits(const wnn_context *context, wnn_limits *limits) {
  (void)context;
  wnn_tensor_limits any = {.data_types = WNN_TYPES_ANY, .min_rank = 0, .max_rank = WNN_MAX_RANK};
  *limits = (wnn_limits){.preferred_input_layout = WNN_INPUT_LAYOUT_NCHW,
                         .max_tensor_byte_length = WNN_MAX_TENSOR_BYTES,
                         .input = any,
                         .constant = any,
                         .output = any};
}

static wnn_tensor_limits cut(const wnn_context *context, int op, uint16_t allowed, uint8_t min_rank, uint8_t max_rank) {
  const wnn_backend *backend = context->backend;
  return (wnn_tensor_limits){.data_types = allowed & backend->vtable->types(backend, op),
                             .min_rank = min_rank,
                             .max_rank = max_rank > WNN_MAX_RANK ? WNN_MAX_RANK : max_rank};
}

wnn_tensor_limits wnn_context_operand_limits(const wnn_context *context, int op, uint32_t index) {
  if (op < 0 || op >= WNN_OP_COUNT || index >= wnn_op_rows[op].operand_count) return (wnn_tensor_limits){0};
  const wnn_operand_info *operand = &wnn_op_rows[op].operands[index];
  return cut(context, op, operand->allowed, operand->min_rank, operand->max_rank);
}

wnn_tensor_limits wnn_context_output_limits(const wnn_context *context, int op, uint32_t index) {
  if (op < 0 || op >= WNN_OP_COUNT || index >= wnn_op_rows[op].output_count) return (wnn_tensor_limits){0};
  const wnn_output_info *output = &wnn_op_rows[op].outputs[index];
  return cut(context, op, output->allowed, output->min_rank, output->max_rank);
}
