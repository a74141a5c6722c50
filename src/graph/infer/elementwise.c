/* Infer functions of elementwise operations: broadcasting pairs and where, unary, cast, clamp. */
#include <math.h>
#include <stdio.h>

#include "graph/infer/helpers.h"

/* Broadcasts operands a and b, or a shape found before and an operand. */
static wnn_status broadcast(const wnn_call *call, const wnn_desc *left, const char *left_name, uint32_t right,
                            wnn_desc *out) {
  const wnn_desc *desc = call->operands[right];
  if (wnn_shape_broadcast(left, desc, out)) return WNN_OK;
  char left_text[WNN_SHAPE_TEXT], right_text[WNN_SHAPE_TEXT];
  return wnn_fail(call,
                  "The shapes of %s %s and %s %s do not broadcast: counted from the last dimension, sizes must be "
                  "equal or one of them 1.",
                  left_name, wnn_shape_format(left->shape, left->rank, left_text), wnn_infer_operand_name(call, right),
                  wnn_shape_format(desc->shape, desc->rank, right_text));
}

/* Binary operations, comparisons, logical operations, prelu and where. */
wnn_status wnn_infer_broadcast(wnn_call *call) {
  wnn_desc *output = &call->outputs[0];
  const wnn_desc *const *operands = call->operands;
  if (call->row->outputs[0].same_as < 0) output->data_type = WNN_UINT8;
  if (call->op != WNN_OP_WHERE) return broadcast(call, operands[0], wnn_infer_operand_name(call, 0), 1, output);
  wnn_desc values = *operands[1];
  wnn_status status = broadcast(call, operands[1], wnn_infer_operand_name(call, 1), 2, &values);
  if (status) return status;
  return broadcast(call, &values, "the broadcast values", 0, output);
}

/* One operand, same shape. Tests and logicalNot give uint8, everything else the type of the operand. */
wnn_status wnn_infer_unary(wnn_call *call) {
  if (call->row->outputs[0].same_as < 0) call->outputs[0].data_type = WNN_UINT8;
  wnn_infer_set_shape(&call->outputs[0], call->operands[0]);
  return WNN_OK;
}

wnn_status wnn_infer_cast(wnn_call *call) {
  const wnn_cast_args *args = call->args;
  call->outputs[0].data_type = args->data_type;
  wnn_infer_set_shape(&call->outputs[0], call->operands[0]);
  return WNN_OK;
}

/* Whether a limit takes part: a missing one and NaN do not. */
static bool limits(wnn_number number) {
  return number.kind != WNN_NUMBER_ABSENT && !(number.kind == WNN_NUMBER_DOUBLE && isnan(number.value.f64));
}

/* Stored limits compared in their own type. */
static bool above(wnn_data_type type, const void *low, const void *high) {
  switch (type) {
#define CASE(constant, ctype)                                                                                          \
  case constant: {                                                                                                     \
    ctype a, b;                                                                                                        \
    memcpy(&a, low, sizeof a);                                                                                         \
    memcpy(&b, high, sizeof b);                                                                                        \
    return a > b;                                                                                                      \
  }
    CASE(WNN_FLOAT32, float)
    CASE(WNN_INT32, int32_t)
    CASE(WNN_UINT32, uint32_t)
    CASE(WNN_INT64, int64_t)
    CASE(WNN_UINT64, uint64_t)
    CASE(WNN_INT8, int8_t)
    CASE(WNN_UINT8, uint8_t)
#undef CASE
  case WNN_FLOAT16: {
    uint16_t a, b;
    memcpy(&a, low, sizeof a);
    memcpy(&b, high, sizeof b);
    return wnn_f16_to_f32(a) > wnn_f16_to_f32(b);
  }
  }
  return false;
}

enum { NUMBER_TEXT = 32 };
static const char *number_format(wnn_number number, char text[NUMBER_TEXT]) {
  switch (number.kind) {
  case WNN_NUMBER_INT64: snprintf(text, NUMBER_TEXT, "%" PRId64, number.value.i64); break;
  case WNN_NUMBER_UINT64: snprintf(text, NUMBER_TEXT, "%" PRIu64, number.value.u64); break;
  default: snprintf(text, NUMBER_TEXT, "%.9g", number.value.f64); break;
  }
  return text;
}

wnn_status wnn_infer_clamp(wnn_call *call) {
  const wnn_clamp_options *options = &((const wnn_clamp_args *)call->args)->options;
  const wnn_desc *input = call->operands[0];
  wnn_infer_set_shape(&call->outputs[0], input);
  if (!limits(options->min_value) || !limits(options->max_value)) return WNN_OK;
  uint8_t low[8], high[8];
  wnn_number_store(options->min_value, input->data_type, low);
  wnn_number_store(options->max_value, input->data_type, high);
  if (!above(input->data_type, low, high)) return WNN_OK;
  char low_text[NUMBER_TEXT], high_text[NUMBER_TEXT];
  return wnn_fail(call, "minValue is %s, but as %s must not be above maxValue, which is %s.",
                  number_format(options->min_value, low_text), wnn_data_type_name(input->data_type),
                  number_format(options->max_value, high_text));
}
