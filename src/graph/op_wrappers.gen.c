/* Generated from ops/ops.json by tools/gen.mjs; edit the table, not this file. */
#include <webnn/webnn.h>

wnn_status wnn_add(wnn_builder *builder, wnn_operand *a, wnn_operand *b, const wnn_operator_options *options, wnn_operand **output, wnn_error *error) {
  static const wnn_operator_options defaults = WNN_OPERATOR_OPTIONS_INIT;
  wnn_binary_args args = {.options = options ? *options : defaults};
  wnn_operand *const operands[] = {a, b};
  return wnn_builder_add(builder, WNN_OP_ADD, &args, operands, 2, output, 1, NULL, error);
}

wnn_status wnn_sub(wnn_builder *builder, wnn_operand *a, wnn_operand *b, const wnn_operator_options *options, wnn_operand **output, wnn_error *error) {
  static const wnn_operator_options defaults = WNN_OPERATOR_OPTIONS_INIT;
  wnn_binary_args args = {.options = options ? *options : defaults};
  wnn_operand *const operands[] = {a, b};
  return wnn_builder_add(builder, WNN_OP_SUB, &args, operands, 2, output, 1, NULL, error);
}

wnn_status wnn_mul(wnn_builder *builder, wnn_operand *a, wnn_operand *b, const wnn_operator_options *options, wnn_operand **output, wnn_error *error) {
  static const wnn_operator_options defaults = WNN_OPERATOR_OPTIONS_INIT;
  wnn_binary_args args = {.options = options ? *options : defaults};
  wnn_operand *const operands[] = {a, b};
  return wnn_builder_add(builder, WNN_OP_MUL, &args, operands, 2, output, 1, NULL, error);
}

wnn_status wnn_div(wnn_builder *builder, wnn_operand *a, wnn_operand *b, const wnn_operator_options *options, wnn_operand **output, wnn_error *error) {
  static const wnn_operator_options defaults = WNN_OPERATOR_OPTIONS_INIT;
  wnn_binary_args args = {.options = options ? *options : defaults};
  wnn_operand *const operands[] = {a, b};
  return wnn_builder_add(builder, WNN_OP_DIV, &args, operands, 2, output, 1, NULL, error);
}

wnn_status wnn_max(wnn_builder *builder, wnn_operand *a, wnn_operand *b, const wnn_operator_options *options, wnn_operand **output, wnn_error *error) {
  static const wnn_operator_options defaults = WNN_OPERATOR_OPTIONS_INIT;
  wnn_binary_args args = {.options = options ? *options : defaults};
  wnn_operand *const operands[] = {a, b};
  return wnn_builder_add(builder, WNN_OP_MAX, &args, operands, 2, output, 1, NULL, error);
}

wnn_status wnn_min(wnn_builder *builder, wnn_operand *a, wnn_operand *b, const wnn_operator_options *options, wnn_operand **output, wnn_error *error) {
  static const wnn_operator_options defaults = WNN_OPERATOR_OPTIONS_INIT;
  wnn_binary_args args = {.options = options ? *options : defaults};
  wnn_operand *const operands[] = {a, b};
  return wnn_builder_add(builder, WNN_OP_MIN, &args, operands, 2, output, 1, NULL, error);
}

wnn_status wnn_pow(wnn_builder *builder, wnn_operand *a, wnn_operand *b, const wnn_operator_options *options, wnn_operand **output, wnn_error *error) {
  static const wnn_operator_options defaults = WNN_OPERATOR_OPTIONS_INIT;
  wnn_binary_args args = {.options = options ? *options : defaults};
  wnn_operand *const operands[] = {a, b};
  return wnn_builder_add(builder, WNN_OP_POW, &args, operands, 2, output, 1, NULL, error);
}

wnn_status wnn_equal(wnn_builder *builder, wnn_operand *a, wnn_operand *b, const wnn_operator_options *options, wnn_operand **output, wnn_error *error) {
  static const wnn_operator_options defaults = WNN_OPERATOR_OPTIONS_INIT;
  wnn_comparison_args args = {.options = options ? *options : defaults};
  wnn_operand *const operands[] = {a, b};
  return wnn_builder_add(builder, WNN_OP_EQUAL, &args, operands, 2, output, 1, NULL, error);
}

wnn_status wnn_not_equal(wnn_builder *builder, wnn_operand *a, wnn_operand *b, const wnn_operator_options *options, wnn_operand **output, wnn_error *error) {
  static const wnn_operator_options defaults = WNN_OPERATOR_OPTIONS_INIT;
  wnn_comparison_args args = {.options = options ? *options : defaults};
  wnn_operand *const operands[] = {a, b};
  return wnn_builder_add(builder, WNN_OP_NOT_EQUAL, &args, operands, 2, output, 1, NULL, error);
}

wnn_status wnn_greater(wnn_builder *builder, wnn_operand *a, wnn_operand *b, const wnn_operator_options *options, wnn_operand **output, wnn_error *error) {
  static const wnn_operator_options defaults = WNN_OPERATOR_OPTIONS_INIT;
  wnn_comparison_args args = {.options = options ? *options : defaults};
  wnn_operand *const operands[] = {a, b};
  return wnn_builder_add(builder, WNN_OP_GREATER, &args, operands, 2, output, 1, NULL, error);
}

wnn_status wnn_greater_or_equal(wnn_builder *builder, wnn_operand *a, wnn_operand *b, const wnn_operator_options *options, wnn_operand **output, wnn_error *error) {
  static const wnn_operator_options defaults = WNN_OPERATOR_OPTIONS_INIT;
  wnn_comparison_args args = {.options = options ? *options : defaults};
  wnn_operand *const operands[] = {a, b};
  return wnn_builder_add(builder, WNN_OP_GREATER_OR_EQUAL, &args, operands, 2, output, 1, NULL, error);
}

wnn_status wnn_lesser(wnn_builder *builder, wnn_operand *a, wnn_operand *b, const wnn_operator_options *options, wnn_operand **output, wnn_error *error) {
  static const wnn_operator_options defaults = WNN_OPERATOR_OPTIONS_INIT;
  wnn_comparison_args args = {.options = options ? *options : defaults};
  wnn_operand *const operands[] = {a, b};
  return wnn_builder_add(builder, WNN_OP_LESSER, &args, operands, 2, output, 1, NULL, error);
}

wnn_status wnn_lesser_or_equal(wnn_builder *builder, wnn_operand *a, wnn_operand *b, const wnn_operator_options *options, wnn_operand **output, wnn_error *error) {
  static const wnn_operator_options defaults = WNN_OPERATOR_OPTIONS_INIT;
  wnn_comparison_args args = {.options = options ? *options : defaults};
  wnn_operand *const operands[] = {a, b};
  return wnn_builder_add(builder, WNN_OP_LESSER_OR_EQUAL, &args, operands, 2, output, 1, NULL, error);
}

wnn_status wnn_logical_not(wnn_builder *builder, wnn_operand *a, const wnn_operator_options *options, wnn_operand **output, wnn_error *error) {
  static const wnn_operator_options defaults = WNN_OPERATOR_OPTIONS_INIT;
  wnn_logical_not_args args = {.options = options ? *options : defaults};
  wnn_operand *const operands[] = {a};
  return wnn_builder_add(builder, WNN_OP_LOGICAL_NOT, &args, operands, 1, output, 1, NULL, error);
}

wnn_status wnn_logical_and(wnn_builder *builder, wnn_operand *a, wnn_operand *b, const wnn_operator_options *options, wnn_operand **output, wnn_error *error) {
  static const wnn_operator_options defaults = WNN_OPERATOR_OPTIONS_INIT;
  wnn_logical_binary_args args = {.options = options ? *options : defaults};
  wnn_operand *const operands[] = {a, b};
  return wnn_builder_add(builder, WNN_OP_LOGICAL_AND, &args, operands, 2, output, 1, NULL, error);
}

wnn_status wnn_logical_or(wnn_builder *builder, wnn_operand *a, wnn_operand *b, const wnn_operator_options *options, wnn_operand **output, wnn_error *error) {
  static const wnn_operator_options defaults = WNN_OPERATOR_OPTIONS_INIT;
  wnn_logical_binary_args args = {.options = options ? *options : defaults};
  wnn_operand *const operands[] = {a, b};
  return wnn_builder_add(builder, WNN_OP_LOGICAL_OR, &args, operands, 2, output, 1, NULL, error);
}

wnn_status wnn_logical_xor(wnn_builder *builder, wnn_operand *a, wnn_operand *b, const wnn_operator_options *options, wnn_operand **output, wnn_error *error) {
  static const wnn_operator_options defaults = WNN_OPERATOR_OPTIONS_INIT;
  wnn_logical_binary_args args = {.options = options ? *options : defaults};
  wnn_operand *const operands[] = {a, b};
  return wnn_builder_add(builder, WNN_OP_LOGICAL_XOR, &args, operands, 2, output, 1, NULL, error);
}

wnn_status wnn_is_nan(wnn_builder *builder, wnn_operand *a, const wnn_operator_options *options, wnn_operand **output, wnn_error *error) {
  static const wnn_operator_options defaults = WNN_OPERATOR_OPTIONS_INIT;
  wnn_float_test_args args = {.options = options ? *options : defaults};
  wnn_operand *const operands[] = {a};
  return wnn_builder_add(builder, WNN_OP_IS_NAN, &args, operands, 1, output, 1, NULL, error);
}

wnn_status wnn_is_infinite(wnn_builder *builder, wnn_operand *a, const wnn_operator_options *options, wnn_operand **output, wnn_error *error) {
  static const wnn_operator_options defaults = WNN_OPERATOR_OPTIONS_INIT;
  wnn_float_test_args args = {.options = options ? *options : defaults};
  wnn_operand *const operands[] = {a};
  return wnn_builder_add(builder, WNN_OP_IS_INFINITE, &args, operands, 1, output, 1, NULL, error);
}

wnn_status wnn_abs(wnn_builder *builder, wnn_operand *input, const wnn_operator_options *options, wnn_operand **output, wnn_error *error) {
  static const wnn_operator_options defaults = WNN_OPERATOR_OPTIONS_INIT;
  wnn_signed_unary_args args = {.options = options ? *options : defaults};
  wnn_operand *const operands[] = {input};
  return wnn_builder_add(builder, WNN_OP_ABS, &args, operands, 1, output, 1, NULL, error);
}

wnn_status wnn_neg(wnn_builder *builder, wnn_operand *input, const wnn_operator_options *options, wnn_operand **output, wnn_error *error) {
  static const wnn_operator_options defaults = WNN_OPERATOR_OPTIONS_INIT;
  wnn_signed_unary_args args = {.options = options ? *options : defaults};
  wnn_operand *const operands[] = {input};
  return wnn_builder_add(builder, WNN_OP_NEG, &args, operands, 1, output, 1, NULL, error);
}

wnn_status wnn_sign(wnn_builder *builder, wnn_operand *input, const wnn_operator_options *options, wnn_operand **output, wnn_error *error) {
  static const wnn_operator_options defaults = WNN_OPERATOR_OPTIONS_INIT;
  wnn_signed_unary_args args = {.options = options ? *options : defaults};
  wnn_operand *const operands[] = {input};
  return wnn_builder_add(builder, WNN_OP_SIGN, &args, operands, 1, output, 1, NULL, error);
}

wnn_status wnn_identity(wnn_builder *builder, wnn_operand *input, const wnn_operator_options *options, wnn_operand **output, wnn_error *error) {
  static const wnn_operator_options defaults = WNN_OPERATOR_OPTIONS_INIT;
  wnn_identity_args args = {.options = options ? *options : defaults};
  wnn_operand *const operands[] = {input};
  return wnn_builder_add(builder, WNN_OP_IDENTITY, &args, operands, 1, output, 1, NULL, error);
}

wnn_status wnn_ceil(wnn_builder *builder, wnn_operand *input, const wnn_operator_options *options, wnn_operand **output, wnn_error *error) {
  static const wnn_operator_options defaults = WNN_OPERATOR_OPTIONS_INIT;
  wnn_float_unary_args args = {.options = options ? *options : defaults};
  wnn_operand *const operands[] = {input};
  return wnn_builder_add(builder, WNN_OP_CEIL, &args, operands, 1, output, 1, NULL, error);
}

wnn_status wnn_cos(wnn_builder *builder, wnn_operand *input, const wnn_operator_options *options, wnn_operand **output, wnn_error *error) {
  static const wnn_operator_options defaults = WNN_OPERATOR_OPTIONS_INIT;
  wnn_float_unary_args args = {.options = options ? *options : defaults};
  wnn_operand *const operands[] = {input};
  return wnn_builder_add(builder, WNN_OP_COS, &args, operands, 1, output, 1, NULL, error);
}

wnn_status wnn_erf(wnn_builder *builder, wnn_operand *input, const wnn_operator_options *options, wnn_operand **output, wnn_error *error) {
  static const wnn_operator_options defaults = WNN_OPERATOR_OPTIONS_INIT;
  wnn_float_unary_args args = {.options = options ? *options : defaults};
  wnn_operand *const operands[] = {input};
  return wnn_builder_add(builder, WNN_OP_ERF, &args, operands, 1, output, 1, NULL, error);
}

wnn_status wnn_exp(wnn_builder *builder, wnn_operand *input, const wnn_operator_options *options, wnn_operand **output, wnn_error *error) {
  static const wnn_operator_options defaults = WNN_OPERATOR_OPTIONS_INIT;
  wnn_float_unary_args args = {.options = options ? *options : defaults};
  wnn_operand *const operands[] = {input};
  return wnn_builder_add(builder, WNN_OP_EXP, &args, operands, 1, output, 1, NULL, error);
}

wnn_status wnn_floor(wnn_builder *builder, wnn_operand *input, const wnn_operator_options *options, wnn_operand **output, wnn_error *error) {
  static const wnn_operator_options defaults = WNN_OPERATOR_OPTIONS_INIT;
  wnn_float_unary_args args = {.options = options ? *options : defaults};
  wnn_operand *const operands[] = {input};
  return wnn_builder_add(builder, WNN_OP_FLOOR, &args, operands, 1, output, 1, NULL, error);
}

wnn_status wnn_log(wnn_builder *builder, wnn_operand *input, const wnn_operator_options *options, wnn_operand **output, wnn_error *error) {
  static const wnn_operator_options defaults = WNN_OPERATOR_OPTIONS_INIT;
  wnn_float_unary_args args = {.options = options ? *options : defaults};
  wnn_operand *const operands[] = {input};
  return wnn_builder_add(builder, WNN_OP_LOG, &args, operands, 1, output, 1, NULL, error);
}

wnn_status wnn_reciprocal(wnn_builder *builder, wnn_operand *input, const wnn_operator_options *options, wnn_operand **output, wnn_error *error) {
  static const wnn_operator_options defaults = WNN_OPERATOR_OPTIONS_INIT;
  wnn_float_unary_args args = {.options = options ? *options : defaults};
  wnn_operand *const operands[] = {input};
  return wnn_builder_add(builder, WNN_OP_RECIPROCAL, &args, operands, 1, output, 1, NULL, error);
}

wnn_status wnn_round_even(wnn_builder *builder, wnn_operand *input, const wnn_operator_options *options, wnn_operand **output, wnn_error *error) {
  static const wnn_operator_options defaults = WNN_OPERATOR_OPTIONS_INIT;
  wnn_float_unary_args args = {.options = options ? *options : defaults};
  wnn_operand *const operands[] = {input};
  return wnn_builder_add(builder, WNN_OP_ROUND_EVEN, &args, operands, 1, output, 1, NULL, error);
}

wnn_status wnn_sin(wnn_builder *builder, wnn_operand *input, const wnn_operator_options *options, wnn_operand **output, wnn_error *error) {
  static const wnn_operator_options defaults = WNN_OPERATOR_OPTIONS_INIT;
  wnn_float_unary_args args = {.options = options ? *options : defaults};
  wnn_operand *const operands[] = {input};
  return wnn_builder_add(builder, WNN_OP_SIN, &args, operands, 1, output, 1, NULL, error);
}

wnn_status wnn_sqrt(wnn_builder *builder, wnn_operand *input, const wnn_operator_options *options, wnn_operand **output, wnn_error *error) {
  static const wnn_operator_options defaults = WNN_OPERATOR_OPTIONS_INIT;
  wnn_float_unary_args args = {.options = options ? *options : defaults};
  wnn_operand *const operands[] = {input};
  return wnn_builder_add(builder, WNN_OP_SQRT, &args, operands, 1, output, 1, NULL, error);
}

wnn_status wnn_tan(wnn_builder *builder, wnn_operand *input, const wnn_operator_options *options, wnn_operand **output, wnn_error *error) {
  static const wnn_operator_options defaults = WNN_OPERATOR_OPTIONS_INIT;
  wnn_float_unary_args args = {.options = options ? *options : defaults};
  wnn_operand *const operands[] = {input};
  return wnn_builder_add(builder, WNN_OP_TAN, &args, operands, 1, output, 1, NULL, error);
}

wnn_status wnn_elu(wnn_builder *builder, wnn_operand *input, const wnn_elu_options *options, wnn_operand **output, wnn_error *error) {
  static const wnn_elu_options defaults = WNN_ELU_OPTIONS_INIT;
  wnn_elu_args args = {.options = options ? *options : defaults};
  wnn_operand *const operands[] = {input};
  return wnn_builder_add(builder, WNN_OP_ELU, &args, operands, 1, output, 1, NULL, error);
}

wnn_status wnn_gelu(wnn_builder *builder, wnn_operand *input, const wnn_operator_options *options, wnn_operand **output, wnn_error *error) {
  static const wnn_operator_options defaults = WNN_OPERATOR_OPTIONS_INIT;
  wnn_float_unary_args args = {.options = options ? *options : defaults};
  wnn_operand *const operands[] = {input};
  return wnn_builder_add(builder, WNN_OP_GELU, &args, operands, 1, output, 1, NULL, error);
}

wnn_status wnn_hard_sigmoid(wnn_builder *builder, wnn_operand *input, const wnn_hard_sigmoid_options *options, wnn_operand **output, wnn_error *error) {
  static const wnn_hard_sigmoid_options defaults = WNN_HARD_SIGMOID_OPTIONS_INIT;
  wnn_hard_sigmoid_args args = {.options = options ? *options : defaults};
  wnn_operand *const operands[] = {input};
  return wnn_builder_add(builder, WNN_OP_HARD_SIGMOID, &args, operands, 1, output, 1, NULL, error);
}

wnn_status wnn_hard_swish(wnn_builder *builder, wnn_operand *input, const wnn_operator_options *options, wnn_operand **output, wnn_error *error) {
  static const wnn_operator_options defaults = WNN_OPERATOR_OPTIONS_INIT;
  wnn_float_unary_args args = {.options = options ? *options : defaults};
  wnn_operand *const operands[] = {input};
  return wnn_builder_add(builder, WNN_OP_HARD_SWISH, &args, operands, 1, output, 1, NULL, error);
}

wnn_status wnn_leaky_relu(wnn_builder *builder, wnn_operand *input, const wnn_leaky_relu_options *options, wnn_operand **output, wnn_error *error) {
  static const wnn_leaky_relu_options defaults = WNN_LEAKY_RELU_OPTIONS_INIT;
  wnn_leaky_relu_args args = {.options = options ? *options : defaults};
  wnn_operand *const operands[] = {input};
  return wnn_builder_add(builder, WNN_OP_LEAKY_RELU, &args, operands, 1, output, 1, NULL, error);
}

wnn_status wnn_linear(wnn_builder *builder, wnn_operand *input, const wnn_linear_options *options, wnn_operand **output, wnn_error *error) {
  static const wnn_linear_options defaults = WNN_LINEAR_OPTIONS_INIT;
  wnn_linear_args args = {.options = options ? *options : defaults};
  wnn_operand *const operands[] = {input};
  return wnn_builder_add(builder, WNN_OP_LINEAR, &args, operands, 1, output, 1, NULL, error);
}

wnn_status wnn_prelu(wnn_builder *builder, wnn_operand *input, wnn_operand *slope, const wnn_operator_options *options, wnn_operand **output, wnn_error *error) {
  static const wnn_operator_options defaults = WNN_OPERATOR_OPTIONS_INIT;
  wnn_prelu_args args = {.options = options ? *options : defaults};
  wnn_operand *const operands[] = {input, slope};
  return wnn_builder_add(builder, WNN_OP_PRELU, &args, operands, 2, output, 1, NULL, error);
}

wnn_status wnn_relu(wnn_builder *builder, wnn_operand *input, const wnn_operator_options *options, wnn_operand **output, wnn_error *error) {
  static const wnn_operator_options defaults = WNN_OPERATOR_OPTIONS_INIT;
  wnn_relu_args args = {.options = options ? *options : defaults};
  wnn_operand *const operands[] = {input};
  return wnn_builder_add(builder, WNN_OP_RELU, &args, operands, 1, output, 1, NULL, error);
}

wnn_status wnn_sigmoid(wnn_builder *builder, wnn_operand *input, const wnn_operator_options *options, wnn_operand **output, wnn_error *error) {
  static const wnn_operator_options defaults = WNN_OPERATOR_OPTIONS_INIT;
  wnn_float_unary_args args = {.options = options ? *options : defaults};
  wnn_operand *const operands[] = {input};
  return wnn_builder_add(builder, WNN_OP_SIGMOID, &args, operands, 1, output, 1, NULL, error);
}

wnn_status wnn_softmax(wnn_builder *builder, wnn_operand *input, uint32_t axis, const wnn_operator_options *options, wnn_operand **output, wnn_error *error) {
  static const wnn_operator_options defaults = WNN_OPERATOR_OPTIONS_INIT;
  wnn_softmax_args args = {.axis = axis, .options = options ? *options : defaults};
  wnn_operand *const operands[] = {input};
  return wnn_builder_add(builder, WNN_OP_SOFTMAX, &args, operands, 1, output, 1, NULL, error);
}

wnn_status wnn_softplus(wnn_builder *builder, wnn_operand *input, const wnn_operator_options *options, wnn_operand **output, wnn_error *error) {
  static const wnn_operator_options defaults = WNN_OPERATOR_OPTIONS_INIT;
  wnn_float_unary_args args = {.options = options ? *options : defaults};
  wnn_operand *const operands[] = {input};
  return wnn_builder_add(builder, WNN_OP_SOFTPLUS, &args, operands, 1, output, 1, NULL, error);
}

wnn_status wnn_softsign(wnn_builder *builder, wnn_operand *input, const wnn_operator_options *options, wnn_operand **output, wnn_error *error) {
  static const wnn_operator_options defaults = WNN_OPERATOR_OPTIONS_INIT;
  wnn_float_unary_args args = {.options = options ? *options : defaults};
  wnn_operand *const operands[] = {input};
  return wnn_builder_add(builder, WNN_OP_SOFTSIGN, &args, operands, 1, output, 1, NULL, error);
}

wnn_status wnn_tanh(wnn_builder *builder, wnn_operand *input, const wnn_operator_options *options, wnn_operand **output, wnn_error *error) {
  static const wnn_operator_options defaults = WNN_OPERATOR_OPTIONS_INIT;
  wnn_float_unary_args args = {.options = options ? *options : defaults};
  wnn_operand *const operands[] = {input};
  return wnn_builder_add(builder, WNN_OP_TANH, &args, operands, 1, output, 1, NULL, error);
}

wnn_status wnn_conv2d(wnn_builder *builder, wnn_operand *input, wnn_operand *filter, const wnn_conv2d_options *options, wnn_operand **output, wnn_error *error) {
  static const wnn_conv2d_options defaults = WNN_CONV2D_OPTIONS_INIT;
  wnn_conv2d_args args = {.options = options ? *options : defaults};
  wnn_operand *const operands[] = {input, filter, args.options.bias};
  return wnn_builder_add(builder, WNN_OP_CONV2D, &args, operands, 3, output, 1, NULL, error);
}

wnn_status wnn_conv_transpose2d(wnn_builder *builder, wnn_operand *input, wnn_operand *filter, const wnn_conv_transpose2d_options *options, wnn_operand **output, wnn_error *error) {
  static const wnn_conv_transpose2d_options defaults = WNN_CONV_TRANSPOSE2D_OPTIONS_INIT;
  wnn_conv_transpose2d_args args = {.options = options ? *options : defaults};
  wnn_operand *const operands[] = {input, filter, args.options.bias};
  return wnn_builder_add(builder, WNN_OP_CONV_TRANSPOSE2D, &args, operands, 3, output, 1, NULL, error);
}

wnn_status wnn_average_pool2d(wnn_builder *builder, wnn_operand *input, const wnn_pool2d_options *options, wnn_operand **output, wnn_error *error) {
  static const wnn_pool2d_options defaults = WNN_POOL2D_OPTIONS_INIT;
  wnn_float_pool2d_args args = {.options = options ? *options : defaults};
  wnn_operand *const operands[] = {input};
  return wnn_builder_add(builder, WNN_OP_AVERAGE_POOL2D, &args, operands, 1, output, 1, NULL, error);
}

wnn_status wnn_l2_pool2d(wnn_builder *builder, wnn_operand *input, const wnn_pool2d_options *options, wnn_operand **output, wnn_error *error) {
  static const wnn_pool2d_options defaults = WNN_POOL2D_OPTIONS_INIT;
  wnn_float_pool2d_args args = {.options = options ? *options : defaults};
  wnn_operand *const operands[] = {input};
  return wnn_builder_add(builder, WNN_OP_L2_POOL2D, &args, operands, 1, output, 1, NULL, error);
}

wnn_status wnn_max_pool2d(wnn_builder *builder, wnn_operand *input, const wnn_pool2d_options *options, wnn_operand **output, wnn_error *error) {
  static const wnn_pool2d_options defaults = WNN_POOL2D_OPTIONS_INIT;
  wnn_max_pool2d_args args = {.options = options ? *options : defaults};
  wnn_operand *const operands[] = {input};
  return wnn_builder_add(builder, WNN_OP_MAX_POOL2D, &args, operands, 1, output, 1, NULL, error);
}

wnn_status wnn_batch_normalization(wnn_builder *builder, wnn_operand *input, wnn_operand *mean, wnn_operand *variance, const wnn_batch_normalization_options *options, wnn_operand **output, wnn_error *error) {
  static const wnn_batch_normalization_options defaults = WNN_BATCH_NORMALIZATION_OPTIONS_INIT;
  wnn_batch_normalization_args args = {.options = options ? *options : defaults};
  wnn_operand *const operands[] = {input, mean, variance, args.options.scale, args.options.bias};
  return wnn_builder_add(builder, WNN_OP_BATCH_NORMALIZATION, &args, operands, 5, output, 1, NULL, error);
}

wnn_status wnn_instance_normalization(wnn_builder *builder, wnn_operand *input, const wnn_instance_normalization_options *options, wnn_operand **output, wnn_error *error) {
  static const wnn_instance_normalization_options defaults = WNN_INSTANCE_NORMALIZATION_OPTIONS_INIT;
  wnn_instance_normalization_args args = {.options = options ? *options : defaults};
  wnn_operand *const operands[] = {input, args.options.scale, args.options.bias};
  return wnn_builder_add(builder, WNN_OP_INSTANCE_NORMALIZATION, &args, operands, 3, output, 1, NULL, error);
}

wnn_status wnn_layer_normalization(wnn_builder *builder, wnn_operand *input, const wnn_layer_normalization_options *options, wnn_operand **output, wnn_error *error) {
  static const wnn_layer_normalization_options defaults = WNN_LAYER_NORMALIZATION_OPTIONS_INIT;
  wnn_layer_normalization_args args = {.options = options ? *options : defaults};
  wnn_operand *const operands[] = {input, args.options.scale, args.options.bias};
  return wnn_builder_add(builder, WNN_OP_LAYER_NORMALIZATION, &args, operands, 3, output, 1, NULL, error);
}

wnn_status wnn_gemm(wnn_builder *builder, wnn_operand *a, wnn_operand *b, const wnn_gemm_options *options, wnn_operand **output, wnn_error *error) {
  static const wnn_gemm_options defaults = WNN_GEMM_OPTIONS_INIT;
  wnn_gemm_args args = {.options = options ? *options : defaults};
  wnn_operand *const operands[] = {a, b, args.options.c};
  return wnn_builder_add(builder, WNN_OP_GEMM, &args, operands, 3, output, 1, NULL, error);
}

wnn_status wnn_matmul(wnn_builder *builder, wnn_operand *a, wnn_operand *b, const wnn_operator_options *options, wnn_operand **output, wnn_error *error) {
  static const wnn_operator_options defaults = WNN_OPERATOR_OPTIONS_INIT;
  wnn_matmul_args args = {.options = options ? *options : defaults};
  wnn_operand *const operands[] = {a, b};
  return wnn_builder_add(builder, WNN_OP_MATMUL, &args, operands, 2, output, 1, NULL, error);
}

wnn_status wnn_triangular(wnn_builder *builder, wnn_operand *input, const wnn_triangular_options *options, wnn_operand **output, wnn_error *error) {
  static const wnn_triangular_options defaults = WNN_TRIANGULAR_OPTIONS_INIT;
  wnn_triangular_args args = {.options = options ? *options : defaults};
  wnn_operand *const operands[] = {input};
  return wnn_builder_add(builder, WNN_OP_TRIANGULAR, &args, operands, 1, output, 1, NULL, error);
}

wnn_status wnn_arg_max(wnn_builder *builder, wnn_operand *input, uint32_t axis, const wnn_arg_min_max_options *options, wnn_operand **output, wnn_error *error) {
  static const wnn_arg_min_max_options defaults = WNN_ARG_MIN_MAX_OPTIONS_INIT;
  wnn_arg_min_max_args args = {.axis = axis, .options = options ? *options : defaults};
  wnn_operand *const operands[] = {input};
  return wnn_builder_add(builder, WNN_OP_ARG_MAX, &args, operands, 1, output, 1, NULL, error);
}

wnn_status wnn_arg_min(wnn_builder *builder, wnn_operand *input, uint32_t axis, const wnn_arg_min_max_options *options, wnn_operand **output, wnn_error *error) {
  static const wnn_arg_min_max_options defaults = WNN_ARG_MIN_MAX_OPTIONS_INIT;
  wnn_arg_min_max_args args = {.axis = axis, .options = options ? *options : defaults};
  wnn_operand *const operands[] = {input};
  return wnn_builder_add(builder, WNN_OP_ARG_MIN, &args, operands, 1, output, 1, NULL, error);
}

wnn_status wnn_cumulative_sum(wnn_builder *builder, wnn_operand *input, uint32_t axis, const wnn_cumulative_sum_options *options, wnn_operand **output, wnn_error *error) {
  static const wnn_cumulative_sum_options defaults = WNN_CUMULATIVE_SUM_OPTIONS_INIT;
  wnn_cumulative_sum_args args = {.axis = axis, .options = options ? *options : defaults};
  wnn_operand *const operands[] = {input};
  return wnn_builder_add(builder, WNN_OP_CUMULATIVE_SUM, &args, operands, 1, output, 1, NULL, error);
}

wnn_status wnn_reduce_l1(wnn_builder *builder, wnn_operand *input, const wnn_reduce_options *options, wnn_operand **output, wnn_error *error) {
  static const wnn_reduce_options defaults = WNN_REDUCE_OPTIONS_INIT;
  wnn_wide_reduce_args args = {.options = options ? *options : defaults};
  wnn_operand *const operands[] = {input};
  return wnn_builder_add(builder, WNN_OP_REDUCE_L1, &args, operands, 1, output, 1, NULL, error);
}

wnn_status wnn_reduce_l2(wnn_builder *builder, wnn_operand *input, const wnn_reduce_options *options, wnn_operand **output, wnn_error *error) {
  static const wnn_reduce_options defaults = WNN_REDUCE_OPTIONS_INIT;
  wnn_float_reduce_args args = {.options = options ? *options : defaults};
  wnn_operand *const operands[] = {input};
  return wnn_builder_add(builder, WNN_OP_REDUCE_L2, &args, operands, 1, output, 1, NULL, error);
}

wnn_status wnn_reduce_log_sum(wnn_builder *builder, wnn_operand *input, const wnn_reduce_options *options, wnn_operand **output, wnn_error *error) {
  static const wnn_reduce_options defaults = WNN_REDUCE_OPTIONS_INIT;
  wnn_float_reduce_args args = {.options = options ? *options : defaults};
  wnn_operand *const operands[] = {input};
  return wnn_builder_add(builder, WNN_OP_REDUCE_LOG_SUM, &args, operands, 1, output, 1, NULL, error);
}

wnn_status wnn_reduce_log_sum_exp(wnn_builder *builder, wnn_operand *input, const wnn_reduce_options *options, wnn_operand **output, wnn_error *error) {
  static const wnn_reduce_options defaults = WNN_REDUCE_OPTIONS_INIT;
  wnn_float_reduce_args args = {.options = options ? *options : defaults};
  wnn_operand *const operands[] = {input};
  return wnn_builder_add(builder, WNN_OP_REDUCE_LOG_SUM_EXP, &args, operands, 1, output, 1, NULL, error);
}

wnn_status wnn_reduce_max(wnn_builder *builder, wnn_operand *input, const wnn_reduce_options *options, wnn_operand **output, wnn_error *error) {
  static const wnn_reduce_options defaults = WNN_REDUCE_OPTIONS_INIT;
  wnn_any_reduce_args args = {.options = options ? *options : defaults};
  wnn_operand *const operands[] = {input};
  return wnn_builder_add(builder, WNN_OP_REDUCE_MAX, &args, operands, 1, output, 1, NULL, error);
}

wnn_status wnn_reduce_mean(wnn_builder *builder, wnn_operand *input, const wnn_reduce_options *options, wnn_operand **output, wnn_error *error) {
  static const wnn_reduce_options defaults = WNN_REDUCE_OPTIONS_INIT;
  wnn_float_reduce_args args = {.options = options ? *options : defaults};
  wnn_operand *const operands[] = {input};
  return wnn_builder_add(builder, WNN_OP_REDUCE_MEAN, &args, operands, 1, output, 1, NULL, error);
}

wnn_status wnn_reduce_min(wnn_builder *builder, wnn_operand *input, const wnn_reduce_options *options, wnn_operand **output, wnn_error *error) {
  static const wnn_reduce_options defaults = WNN_REDUCE_OPTIONS_INIT;
  wnn_any_reduce_args args = {.options = options ? *options : defaults};
  wnn_operand *const operands[] = {input};
  return wnn_builder_add(builder, WNN_OP_REDUCE_MIN, &args, operands, 1, output, 1, NULL, error);
}

wnn_status wnn_reduce_product(wnn_builder *builder, wnn_operand *input, const wnn_reduce_options *options, wnn_operand **output, wnn_error *error) {
  static const wnn_reduce_options defaults = WNN_REDUCE_OPTIONS_INIT;
  wnn_reduce_product_args args = {.options = options ? *options : defaults};
  wnn_operand *const operands[] = {input};
  return wnn_builder_add(builder, WNN_OP_REDUCE_PRODUCT, &args, operands, 1, output, 1, NULL, error);
}

wnn_status wnn_reduce_sum(wnn_builder *builder, wnn_operand *input, const wnn_reduce_options *options, wnn_operand **output, wnn_error *error) {
  static const wnn_reduce_options defaults = WNN_REDUCE_OPTIONS_INIT;
  wnn_wide_reduce_args args = {.options = options ? *options : defaults};
  wnn_operand *const operands[] = {input};
  return wnn_builder_add(builder, WNN_OP_REDUCE_SUM, &args, operands, 1, output, 1, NULL, error);
}

wnn_status wnn_reduce_sum_square(wnn_builder *builder, wnn_operand *input, const wnn_reduce_options *options, wnn_operand **output, wnn_error *error) {
  static const wnn_reduce_options defaults = WNN_REDUCE_OPTIONS_INIT;
  wnn_wide_reduce_args args = {.options = options ? *options : defaults};
  wnn_operand *const operands[] = {input};
  return wnn_builder_add(builder, WNN_OP_REDUCE_SUM_SQUARE, &args, operands, 1, output, 1, NULL, error);
}

wnn_status wnn_cast(wnn_builder *builder, wnn_operand *input, wnn_data_type data_type, const wnn_operator_options *options, wnn_operand **output, wnn_error *error) {
  static const wnn_operator_options defaults = WNN_OPERATOR_OPTIONS_INIT;
  wnn_cast_args args = {.data_type = data_type, .options = options ? *options : defaults};
  wnn_operand *const operands[] = {input};
  return wnn_builder_add(builder, WNN_OP_CAST, &args, operands, 1, output, 1, NULL, error);
}

wnn_status wnn_clamp(wnn_builder *builder, wnn_operand *input, const wnn_clamp_options *options, wnn_operand **output, wnn_error *error) {
  static const wnn_clamp_options defaults = WNN_CLAMP_OPTIONS_INIT;
  wnn_clamp_args args = {.options = options ? *options : defaults};
  wnn_operand *const operands[] = {input};
  return wnn_builder_add(builder, WNN_OP_CLAMP, &args, operands, 1, output, 1, NULL, error);
}

wnn_status wnn_concat(wnn_builder *builder, wnn_operand *const *inputs, size_t inputs_count, uint32_t axis, const wnn_operator_options *options, wnn_operand **output, wnn_error *error) {
  static const wnn_operator_options defaults = WNN_OPERATOR_OPTIONS_INIT;
  wnn_concat_args args = {.axis = axis, .options = options ? *options : defaults};
  return wnn_builder_add(builder, WNN_OP_CONCAT, &args, inputs, inputs_count, output, 1, NULL, error);
}

wnn_status wnn_expand(wnn_builder *builder, wnn_operand *input, wnn_u32_list new_shape, const wnn_operator_options *options, wnn_operand **output, wnn_error *error) {
  static const wnn_operator_options defaults = WNN_OPERATOR_OPTIONS_INIT;
  wnn_expand_args args = {.new_shape = new_shape, .options = options ? *options : defaults};
  wnn_operand *const operands[] = {input};
  return wnn_builder_add(builder, WNN_OP_EXPAND, &args, operands, 1, output, 1, NULL, error);
}

wnn_status wnn_pad(wnn_builder *builder, wnn_operand *input, wnn_u32_list beginning_padding, wnn_u32_list ending_padding, const wnn_pad_options *options, wnn_operand **output, wnn_error *error) {
  static const wnn_pad_options defaults = WNN_PAD_OPTIONS_INIT;
  wnn_pad_args args = {.beginning_padding = beginning_padding, .ending_padding = ending_padding, .options = options ? *options : defaults};
  wnn_operand *const operands[] = {input};
  return wnn_builder_add(builder, WNN_OP_PAD, &args, operands, 1, output, 1, NULL, error);
}

wnn_status wnn_reshape(wnn_builder *builder, wnn_operand *input, wnn_u32_list new_shape, const wnn_operator_options *options, wnn_operand **output, wnn_error *error) {
  static const wnn_operator_options defaults = WNN_OPERATOR_OPTIONS_INIT;
  wnn_reshape_args args = {.new_shape = new_shape, .options = options ? *options : defaults};
  wnn_operand *const operands[] = {input};
  return wnn_builder_add(builder, WNN_OP_RESHAPE, &args, operands, 1, output, 1, NULL, error);
}

wnn_status wnn_reverse(wnn_builder *builder, wnn_operand *input, const wnn_reverse_options *options, wnn_operand **output, wnn_error *error) {
  static const wnn_reverse_options defaults = WNN_REVERSE_OPTIONS_INIT;
  wnn_reverse_args args = {.options = options ? *options : defaults};
  wnn_operand *const operands[] = {input};
  return wnn_builder_add(builder, WNN_OP_REVERSE, &args, operands, 1, output, 1, NULL, error);
}

wnn_status wnn_slice(wnn_builder *builder, wnn_operand *input, wnn_u32_list starts, wnn_u32_list sizes, const wnn_slice_options *options, wnn_operand **output, wnn_error *error) {
  static const wnn_slice_options defaults = WNN_SLICE_OPTIONS_INIT;
  wnn_slice_args args = {.starts = starts, .sizes = sizes, .options = options ? *options : defaults};
  wnn_operand *const operands[] = {input};
  return wnn_builder_add(builder, WNN_OP_SLICE, &args, operands, 1, output, 1, NULL, error);
}

wnn_status wnn_split(wnn_builder *builder, wnn_operand *input, wnn_splits splits, const wnn_split_options *options, wnn_operand **outputs, size_t capacity, size_t *count, wnn_error *error) {
  static const wnn_split_options defaults = WNN_SPLIT_OPTIONS_INIT;
  wnn_split_args args = {.splits = splits, .options = options ? *options : defaults};
  wnn_operand *const operands[] = {input};
  return wnn_builder_add(builder, WNN_OP_SPLIT, &args, operands, 1, outputs, capacity, count, error);
}

wnn_status wnn_tile(wnn_builder *builder, wnn_operand *input, wnn_u32_list repetitions, const wnn_operator_options *options, wnn_operand **output, wnn_error *error) {
  static const wnn_operator_options defaults = WNN_OPERATOR_OPTIONS_INIT;
  wnn_tile_args args = {.repetitions = repetitions, .options = options ? *options : defaults};
  wnn_operand *const operands[] = {input};
  return wnn_builder_add(builder, WNN_OP_TILE, &args, operands, 1, output, 1, NULL, error);
}

wnn_status wnn_transpose(wnn_builder *builder, wnn_operand *input, const wnn_transpose_options *options, wnn_operand **output, wnn_error *error) {
  static const wnn_transpose_options defaults = WNN_TRANSPOSE_OPTIONS_INIT;
  wnn_transpose_args args = {.options = options ? *options : defaults};
  wnn_operand *const operands[] = {input};
  return wnn_builder_add(builder, WNN_OP_TRANSPOSE, &args, operands, 1, output, 1, NULL, error);
}

wnn_status wnn_gather(wnn_builder *builder, wnn_operand *input, wnn_operand *indices, const wnn_gather_options *options, wnn_operand **output, wnn_error *error) {
  static const wnn_gather_options defaults = WNN_GATHER_OPTIONS_INIT;
  wnn_gather_args args = {.options = options ? *options : defaults};
  wnn_operand *const operands[] = {input, indices};
  return wnn_builder_add(builder, WNN_OP_GATHER, &args, operands, 2, output, 1, NULL, error);
}

wnn_status wnn_gather_elements(wnn_builder *builder, wnn_operand *input, wnn_operand *indices, const wnn_gather_options *options, wnn_operand **output, wnn_error *error) {
  static const wnn_gather_options defaults = WNN_GATHER_OPTIONS_INIT;
  wnn_gather_elements_args args = {.options = options ? *options : defaults};
  wnn_operand *const operands[] = {input, indices};
  return wnn_builder_add(builder, WNN_OP_GATHER_ELEMENTS, &args, operands, 2, output, 1, NULL, error);
}

wnn_status wnn_gather_nd(wnn_builder *builder, wnn_operand *input, wnn_operand *indices, const wnn_operator_options *options, wnn_operand **output, wnn_error *error) {
  static const wnn_operator_options defaults = WNN_OPERATOR_OPTIONS_INIT;
  wnn_gather_nd_args args = {.options = options ? *options : defaults};
  wnn_operand *const operands[] = {input, indices};
  return wnn_builder_add(builder, WNN_OP_GATHER_ND, &args, operands, 2, output, 1, NULL, error);
}

wnn_status wnn_scatter_elements(wnn_builder *builder, wnn_operand *input, wnn_operand *indices, wnn_operand *updates, const wnn_scatter_options *options, wnn_operand **output, wnn_error *error) {
  static const wnn_scatter_options defaults = WNN_SCATTER_OPTIONS_INIT;
  wnn_scatter_elements_args args = {.options = options ? *options : defaults};
  wnn_operand *const operands[] = {input, indices, updates};
  return wnn_builder_add(builder, WNN_OP_SCATTER_ELEMENTS, &args, operands, 3, output, 1, NULL, error);
}

wnn_status wnn_scatter_nd(wnn_builder *builder, wnn_operand *input, wnn_operand *indices, wnn_operand *updates, const wnn_operator_options *options, wnn_operand **output, wnn_error *error) {
  static const wnn_operator_options defaults = WNN_OPERATOR_OPTIONS_INIT;
  wnn_scatter_nd_args args = {.options = options ? *options : defaults};
  wnn_operand *const operands[] = {input, indices, updates};
  return wnn_builder_add(builder, WNN_OP_SCATTER_ND, &args, operands, 3, output, 1, NULL, error);
}

wnn_status wnn_where(wnn_builder *builder, wnn_operand *condition, wnn_operand *true_value, wnn_operand *false_value, const wnn_operator_options *options, wnn_operand **output, wnn_error *error) {
  static const wnn_operator_options defaults = WNN_OPERATOR_OPTIONS_INIT;
  wnn_where_args args = {.options = options ? *options : defaults};
  wnn_operand *const operands[] = {condition, true_value, false_value};
  return wnn_builder_add(builder, WNN_OP_WHERE, &args, operands, 3, output, 1, NULL, error);
}

wnn_status wnn_dequantize_linear(wnn_builder *builder, wnn_operand *input, wnn_operand *scale, wnn_operand *zero_point, const wnn_operator_options *options, wnn_operand **output, wnn_error *error) {
  static const wnn_operator_options defaults = WNN_OPERATOR_OPTIONS_INIT;
  wnn_dequantize_linear_args args = {.options = options ? *options : defaults};
  wnn_operand *const operands[] = {input, scale, zero_point};
  return wnn_builder_add(builder, WNN_OP_DEQUANTIZE_LINEAR, &args, operands, 3, output, 1, NULL, error);
}

wnn_status wnn_quantize_linear(wnn_builder *builder, wnn_operand *input, wnn_operand *scale, wnn_operand *zero_point, const wnn_operator_options *options, wnn_operand **output, wnn_error *error) {
  static const wnn_operator_options defaults = WNN_OPERATOR_OPTIONS_INIT;
  wnn_quantize_linear_args args = {.options = options ? *options : defaults};
  wnn_operand *const operands[] = {input, scale, zero_point};
  return wnn_builder_add(builder, WNN_OP_QUANTIZE_LINEAR, &args, operands, 3, output, 1, NULL, error);
}

wnn_status wnn_gru(wnn_builder *builder, wnn_operand *input, wnn_operand *weight, wnn_operand *recurrent_weight, uint32_t steps, uint32_t hidden_size, const wnn_gru_options *options, wnn_operand **outputs, size_t capacity, size_t *count, wnn_error *error) {
  static const wnn_gru_options defaults = WNN_GRU_OPTIONS_INIT;
  wnn_gru_args args = {.steps = steps, .hidden_size = hidden_size, .options = options ? *options : defaults};
  wnn_operand *const operands[] = {input, weight, recurrent_weight, args.options.bias, args.options.recurrent_bias, args.options.initial_hidden_state};
  return wnn_builder_add(builder, WNN_OP_GRU, &args, operands, 6, outputs, capacity, count, error);
}

wnn_status wnn_gru_cell(wnn_builder *builder, wnn_operand *input, wnn_operand *weight, wnn_operand *recurrent_weight, wnn_operand *hidden_state, uint32_t hidden_size, const wnn_gru_cell_options *options, wnn_operand **output, wnn_error *error) {
  static const wnn_gru_cell_options defaults = WNN_GRU_CELL_OPTIONS_INIT;
  wnn_gru_cell_args args = {.hidden_size = hidden_size, .options = options ? *options : defaults};
  wnn_operand *const operands[] = {input, weight, recurrent_weight, hidden_state, args.options.bias, args.options.recurrent_bias};
  return wnn_builder_add(builder, WNN_OP_GRU_CELL, &args, operands, 6, output, 1, NULL, error);
}

wnn_status wnn_lstm(wnn_builder *builder, wnn_operand *input, wnn_operand *weight, wnn_operand *recurrent_weight, uint32_t steps, uint32_t hidden_size, const wnn_lstm_options *options, wnn_operand **outputs, size_t capacity, size_t *count, wnn_error *error) {
  static const wnn_lstm_options defaults = WNN_LSTM_OPTIONS_INIT;
  wnn_lstm_args args = {.steps = steps, .hidden_size = hidden_size, .options = options ? *options : defaults};
  wnn_operand *const operands[] = {input, weight, recurrent_weight, args.options.bias, args.options.recurrent_bias, args.options.peephole_weight, args.options.initial_hidden_state, args.options.initial_cell_state};
  return wnn_builder_add(builder, WNN_OP_LSTM, &args, operands, 8, outputs, capacity, count, error);
}

wnn_status wnn_lstm_cell(wnn_builder *builder, wnn_operand *input, wnn_operand *weight, wnn_operand *recurrent_weight, wnn_operand *hidden_state, wnn_operand *cell_state, uint32_t hidden_size, const wnn_lstm_cell_options *options, wnn_operand **outputs, size_t capacity, size_t *count, wnn_error *error) {
  static const wnn_lstm_cell_options defaults = WNN_LSTM_CELL_OPTIONS_INIT;
  wnn_lstm_cell_args args = {.hidden_size = hidden_size, .options = options ? *options : defaults};
  wnn_operand *const operands[] = {input, weight, recurrent_weight, hidden_state, cell_state, args.options.bias, args.options.recurrent_bias, args.options.peephole_weight};
  return wnn_builder_add(builder, WNN_OP_LSTM_CELL, &args, operands, 8, outputs, capacity, count, error);
}

wnn_status wnn_resample2d(wnn_builder *builder, wnn_operand *input, const wnn_resample2d_options *options, wnn_operand **output, wnn_error *error) {
  static const wnn_resample2d_options defaults = WNN_RESAMPLE2D_OPTIONS_INIT;
  wnn_resample2d_args args = {.options = options ? *options : defaults};
  wnn_operand *const operands[] = {input};
  return wnn_builder_add(builder, WNN_OP_RESAMPLE2D, &args, operands, 1, output, 1, NULL, error);
}
