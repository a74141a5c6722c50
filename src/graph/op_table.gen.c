/* Generated from ops/ops.json by tools/gen.mjs; edit the table, not this file. */
#include "graph/op_table.h"

#include "graph/infer/infer.gen.h"

/* clang-format off */
static const char *const values_input_layout[] = {"nchw", "nhwc"};
static const wnn_enum_info enum_input_layout = {"MLInputOperandLayout", values_input_layout, 2};
static const char *const values_conv2d_filter_layout[] = {"oihw", "hwio", "ohwi", "ihwo"};
static const wnn_enum_info enum_conv2d_filter_layout = {"MLConv2dFilterOperandLayout", values_conv2d_filter_layout, 4};
static const char *const values_conv_transpose2d_filter_layout[] = {"iohw", "hwoi", "ohwi"};
static const wnn_enum_info enum_conv_transpose2d_filter_layout = {"MLConvTranspose2dFilterOperandLayout", values_conv_transpose2d_filter_layout, 3};
static const char *const values_gru_weight_layout[] = {"zrn", "rzn"};
static const wnn_enum_info enum_gru_weight_layout = {"MLGruWeightLayout", values_gru_weight_layout, 2};
static const char *const values_activation[] = {"relu", "sigmoid", "tanh"};
static const wnn_enum_info enum_activation = {"MLRecurrentNetworkActivation", values_activation, 3};
static const char *const values_direction[] = {"forward", "backward", "both"};
static const wnn_enum_info enum_direction = {"MLRecurrentNetworkDirection", values_direction, 3};
static const char *const values_lstm_weight_layout[] = {"iofg", "ifgo"};
static const wnn_enum_info enum_lstm_weight_layout = {"MLLstmWeightLayout", values_lstm_weight_layout, 2};
static const char *const values_padding_mode[] = {"constant", "edge", "reflection"};
static const wnn_enum_info enum_padding_mode = {"MLPaddingMode", values_padding_mode, 3};
static const char *const values_rounding[] = {"floor", "ceil"};
static const wnn_enum_info enum_rounding = {"MLRoundingType", values_rounding, 2};
static const char *const values_interpolation_mode[] = {"nearest-neighbor", "linear"};
static const wnn_enum_info enum_interpolation_mode = {"MLInterpolationMode", values_interpolation_mode, 2};

static const wnn_operand_info operands_binary[] = {
  {"a", "First operand.", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32) | WNN_TYPE_BIT(WNN_UINT32) | WNN_TYPE_BIT(WNN_INT64) | WNN_TYPE_BIT(WNN_UINT64) | WNN_TYPE_BIT(WNN_INT8) | WNN_TYPE_BIT(WNN_UINT8), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32), -1, 0, WNN_MAX_RANK, 0, 5, false, false, false, 0},
  {"b", "Second operand.", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32) | WNN_TYPE_BIT(WNN_UINT32) | WNN_TYPE_BIT(WNN_INT64) | WNN_TYPE_BIT(WNN_UINT64) | WNN_TYPE_BIT(WNN_INT8) | WNN_TYPE_BIT(WNN_UINT8), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32), 0, 0, WNN_MAX_RANK, 0, 5, false, false, false, 0},
};
static const wnn_output_info outputs_binary[] = {
  {"output", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32) | WNN_TYPE_BIT(WNN_UINT32) | WNN_TYPE_BIT(WNN_INT64) | WNN_TYPE_BIT(WNN_UINT64) | WNN_TYPE_BIT(WNN_INT8) | WNN_TYPE_BIT(WNN_UINT8), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32), 0, 0, WNN_MAX_RANK, 0, 5},
};
static const wnn_binary_args defaults_binary = {WNN_OPERATOR_OPTIONS_INIT};

static const wnn_operand_info operands_comparison[] = {
  {"a", "First operand.", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32) | WNN_TYPE_BIT(WNN_UINT32) | WNN_TYPE_BIT(WNN_INT64) | WNN_TYPE_BIT(WNN_UINT64) | WNN_TYPE_BIT(WNN_INT8) | WNN_TYPE_BIT(WNN_UINT8), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32), -1, 0, WNN_MAX_RANK, 0, 5, false, false, false, 0},
  {"b", "Second operand.", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32) | WNN_TYPE_BIT(WNN_UINT32) | WNN_TYPE_BIT(WNN_INT64) | WNN_TYPE_BIT(WNN_UINT64) | WNN_TYPE_BIT(WNN_INT8) | WNN_TYPE_BIT(WNN_UINT8), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32), 0, 0, WNN_MAX_RANK, 0, 5, false, false, false, 0},
};
static const wnn_output_info outputs_comparison[] = {
  {"output", WNN_TYPE_BIT(WNN_UINT8), WNN_TYPE_BIT(WNN_UINT8), -1, 0, WNN_MAX_RANK, 0, 5},
};
static const wnn_comparison_args defaults_comparison = {WNN_OPERATOR_OPTIONS_INIT};

static const wnn_operand_info operands_logical_not[] = {
  {"a", "First operand.", WNN_TYPE_BIT(WNN_UINT8), WNN_TYPE_BIT(WNN_UINT8), -1, 0, WNN_MAX_RANK, 0, 5, false, false, false, 0},
};
static const wnn_output_info outputs_logical_not[] = {
  {"output", WNN_TYPE_BIT(WNN_UINT8), WNN_TYPE_BIT(WNN_UINT8), -1, 0, WNN_MAX_RANK, 0, 5},
};
static const wnn_logical_not_args defaults_logical_not = {WNN_OPERATOR_OPTIONS_INIT};

static const wnn_operand_info operands_logical_binary[] = {
  {"a", "First operand.", WNN_TYPE_BIT(WNN_UINT8), WNN_TYPE_BIT(WNN_UINT8), -1, 0, WNN_MAX_RANK, 0, 5, false, false, false, 0},
  {"b", "Second operand.", WNN_TYPE_BIT(WNN_UINT8), WNN_TYPE_BIT(WNN_UINT8), 0, 0, WNN_MAX_RANK, 0, 5, false, false, false, 0},
};
static const wnn_output_info outputs_logical_binary[] = {
  {"output", WNN_TYPE_BIT(WNN_UINT8), WNN_TYPE_BIT(WNN_UINT8), -1, 0, WNN_MAX_RANK, 0, 5},
};
static const wnn_logical_binary_args defaults_logical_binary = {WNN_OPERATOR_OPTIONS_INIT};

static const wnn_operand_info operands_float_test[] = {
  {"a", "First operand.", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), -1, 0, WNN_MAX_RANK, 0, 5, false, false, false, 0},
};
static const wnn_output_info outputs_float_test[] = {
  {"output", WNN_TYPE_BIT(WNN_UINT8), WNN_TYPE_BIT(WNN_UINT8), -1, 0, WNN_MAX_RANK, 0, 5},
};
static const wnn_float_test_args defaults_float_test = {WNN_OPERATOR_OPTIONS_INIT};

static const wnn_operand_info operands_signed_unary[] = {
  {"input", "Input tensor.", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32) | WNN_TYPE_BIT(WNN_INT64) | WNN_TYPE_BIT(WNN_INT8), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32), -1, 0, WNN_MAX_RANK, 0, 5, false, false, false, 0},
};
static const wnn_output_info outputs_signed_unary[] = {
  {"output", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32) | WNN_TYPE_BIT(WNN_INT64) | WNN_TYPE_BIT(WNN_INT8), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32), 0, 0, WNN_MAX_RANK, 0, 5},
};
static const wnn_signed_unary_args defaults_signed_unary = {WNN_OPERATOR_OPTIONS_INIT};

static const wnn_operand_info operands_identity[] = {
  {"input", "Input tensor.", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32) | WNN_TYPE_BIT(WNN_UINT32) | WNN_TYPE_BIT(WNN_INT64) | WNN_TYPE_BIT(WNN_UINT64) | WNN_TYPE_BIT(WNN_INT8) | WNN_TYPE_BIT(WNN_UINT8), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32), -1, 0, WNN_MAX_RANK, 0, 5, false, false, false, 0},
};
static const wnn_output_info outputs_identity[] = {
  {"output", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32) | WNN_TYPE_BIT(WNN_UINT32) | WNN_TYPE_BIT(WNN_INT64) | WNN_TYPE_BIT(WNN_UINT64) | WNN_TYPE_BIT(WNN_INT8) | WNN_TYPE_BIT(WNN_UINT8), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32), 0, 0, WNN_MAX_RANK, 0, 5},
};
static const wnn_identity_args defaults_identity = {WNN_OPERATOR_OPTIONS_INIT};

static const wnn_operand_info operands_float_unary[] = {
  {"input", "Input tensor.", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), -1, 0, WNN_MAX_RANK, 0, 5, false, false, false, 0},
};
static const wnn_output_info outputs_float_unary[] = {
  {"output", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), 0, 0, WNN_MAX_RANK, 0, 5},
};
static const wnn_float_unary_args defaults_float_unary = {WNN_OPERATOR_OPTIONS_INIT};

static const wnn_operand_info operands_elu[] = {
  {"input", "Input tensor.", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), -1, 0, WNN_MAX_RANK, 0, 5, false, false, false, 0},
};
static const wnn_param_info params_elu[] = {
  {"alpha", "Factor alpha.", WNN_PARAM_F64, false, false, offsetof(wnn_elu_args, options.alpha), 0, 0, NULL},
};
static const wnn_output_info outputs_elu[] = {
  {"output", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), 0, 0, WNN_MAX_RANK, 0, 5},
};
static const int8_t order_elu[] = {0};
static const wnn_elu_args defaults_elu = {WNN_ELU_OPTIONS_INIT};

static const wnn_operand_info operands_hard_sigmoid[] = {
  {"input", "Input tensor.", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), -1, 0, WNN_MAX_RANK, 0, 5, false, false, false, 0},
};
static const wnn_param_info params_hard_sigmoid[] = {
  {"alpha", "Factor alpha.", WNN_PARAM_F64, false, false, offsetof(wnn_hard_sigmoid_args, options.alpha), 0, 0, NULL},
  {"beta", "Factor or offset beta.", WNN_PARAM_F64, false, false, offsetof(wnn_hard_sigmoid_args, options.beta), 0, 0, NULL},
};
static const wnn_output_info outputs_hard_sigmoid[] = {
  {"output", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), 0, 0, WNN_MAX_RANK, 0, 5},
};
static const int8_t order_hard_sigmoid[] = {0, 1};
static const wnn_hard_sigmoid_args defaults_hard_sigmoid = {WNN_HARD_SIGMOID_OPTIONS_INIT};

static const wnn_operand_info operands_leaky_relu[] = {
  {"input", "Input tensor.", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), -1, 0, WNN_MAX_RANK, 0, 5, false, false, false, 0},
};
static const wnn_param_info params_leaky_relu[] = {
  {"alpha", "Factor alpha.", WNN_PARAM_F64, false, false, offsetof(wnn_leaky_relu_args, options.alpha), 0, 0, NULL},
};
static const wnn_output_info outputs_leaky_relu[] = {
  {"output", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), 0, 0, WNN_MAX_RANK, 0, 5},
};
static const int8_t order_leaky_relu[] = {0};
static const wnn_leaky_relu_args defaults_leaky_relu = {WNN_LEAKY_RELU_OPTIONS_INIT};

static const wnn_operand_info operands_linear[] = {
  {"input", "Input tensor.", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), -1, 0, WNN_MAX_RANK, 0, 5, false, false, false, 0},
};
static const wnn_param_info params_linear[] = {
  {"alpha", "Factor alpha.", WNN_PARAM_F64, false, false, offsetof(wnn_linear_args, options.alpha), 0, 0, NULL},
  {"beta", "Factor or offset beta.", WNN_PARAM_F64, false, false, offsetof(wnn_linear_args, options.beta), 0, 0, NULL},
};
static const wnn_output_info outputs_linear[] = {
  {"output", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), 0, 0, WNN_MAX_RANK, 0, 5},
};
static const int8_t order_linear[] = {0, 1};
static const wnn_linear_args defaults_linear = {WNN_LINEAR_OPTIONS_INIT};

static const wnn_operand_info operands_prelu[] = {
  {"input", "Input tensor.", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32) | WNN_TYPE_BIT(WNN_INT64) | WNN_TYPE_BIT(WNN_INT8), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), -1, 0, WNN_MAX_RANK, 0, 5, false, false, false, 0},
  {"slope", "Slope for negative elements.", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32) | WNN_TYPE_BIT(WNN_INT64) | WNN_TYPE_BIT(WNN_INT8), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), 0, 0, WNN_MAX_RANK, 0, 5, false, false, false, 0},
};
static const wnn_output_info outputs_prelu[] = {
  {"output", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32) | WNN_TYPE_BIT(WNN_INT64) | WNN_TYPE_BIT(WNN_INT8), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), 0, 0, WNN_MAX_RANK, 0, 5},
};
static const wnn_prelu_args defaults_prelu = {WNN_OPERATOR_OPTIONS_INIT};

static const wnn_operand_info operands_relu[] = {
  {"input", "Input tensor.", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32) | WNN_TYPE_BIT(WNN_INT64) | WNN_TYPE_BIT(WNN_INT8), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), -1, 0, WNN_MAX_RANK, 0, 5, false, false, false, 0},
};
static const wnn_output_info outputs_relu[] = {
  {"output", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32) | WNN_TYPE_BIT(WNN_INT64) | WNN_TYPE_BIT(WNN_INT8), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), 0, 0, WNN_MAX_RANK, 0, 5},
};
static const wnn_relu_args defaults_relu = {WNN_OPERATOR_OPTIONS_INIT};

static const wnn_operand_info operands_softmax[] = {
  {"input", "Input tensor.", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), -1, 1, WNN_MAX_RANK, 1, 5, false, false, false, 0},
};
static const wnn_param_info params_softmax[] = {
  {"axis", "Dimension the operation works along.", WNN_PARAM_U32, true, false, offsetof(wnn_softmax_args, axis), 0, 0, NULL},
};
static const wnn_output_info outputs_softmax[] = {
  {"output", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), 0, 1, WNN_MAX_RANK, 1, 5},
};
static const wnn_softmax_args defaults_softmax = {0, WNN_OPERATOR_OPTIONS_INIT};

static const wnn_operand_info operands_conv2d[] = {
  {"input", "Input tensor.", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), -1, 4, 4, 4, 4, false, false, false, 0},
  {"filter", "Filter tensor.", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), 0, 4, 4, 4, 4, false, false, false, 0},
  {"bias", "Added values.", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), 0, 1, 1, 1, 1, true, false, true, offsetof(wnn_conv2d_args, options.bias)},
};
static const wnn_param_info params_conv2d[] = {
  {"padding", "Zero padding: top, bottom, left, right.", WNN_PARAM_U32_LIST, false, false, offsetof(wnn_conv2d_args, options.padding), 4, 0, NULL},
  {"strides", "Step for each dimension.", WNN_PARAM_U32_LIST, false, false, offsetof(wnn_conv2d_args, options.strides), 2, 1, NULL},
  {"dilations", "Spacing of the window taps: height, width.", WNN_PARAM_U32_LIST, false, false, offsetof(wnn_conv2d_args, options.dilations), 2, 1, NULL},
  {"groups", "Number of channel groups.", WNN_PARAM_U32, false, false, offsetof(wnn_conv2d_args, options.groups), 0, 1, NULL},
  {"inputLayout", "Layout of input and output.", WNN_PARAM_ENUM, false, false, offsetof(wnn_conv2d_args, options.input_layout), 0, 0, &enum_input_layout},
  {"filterLayout", "Layout of the filter.", WNN_PARAM_ENUM, false, false, offsetof(wnn_conv2d_args, options.filter_layout), 0, 0, &enum_conv2d_filter_layout},
};
static const wnn_output_info outputs_conv2d[] = {
  {"output", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), 0, 4, 4, 4, 4},
};
static const int8_t order_conv2d[] = {-3, 2, 5, 3, 4, 0, 1};
static const wnn_conv2d_args defaults_conv2d = {WNN_CONV2D_OPTIONS_INIT};

static const wnn_operand_info operands_conv_transpose2d[] = {
  {"input", "Input tensor.", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), -1, 4, 4, 4, 4, false, false, false, 0},
  {"filter", "Filter tensor.", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), 0, 4, 4, 4, 4, false, false, false, 0},
  {"bias", "Added values.", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), 0, 1, 1, 1, 1, true, false, true, offsetof(wnn_conv_transpose2d_args, options.bias)},
};
static const wnn_param_info params_conv_transpose2d[] = {
  {"padding", "Zero padding: top, bottom, left, right.", WNN_PARAM_U32_LIST, false, false, offsetof(wnn_conv_transpose2d_args, options.padding), 4, 0, NULL},
  {"strides", "Step for each dimension.", WNN_PARAM_U32_LIST, false, false, offsetof(wnn_conv_transpose2d_args, options.strides), 2, 1, NULL},
  {"dilations", "Spacing of the window taps: height, width.", WNN_PARAM_U32_LIST, false, false, offsetof(wnn_conv_transpose2d_args, options.dilations), 2, 1, NULL},
  {"outputPadding", "Rows and columns added at the end of the output.", WNN_PARAM_U32_LIST, false, false, offsetof(wnn_conv_transpose2d_args, options.output_padding), 2, 0, NULL},
  {"outputSizes", "Output height and width; overrides what would be computed.", WNN_PARAM_U32_LIST, false, false, offsetof(wnn_conv_transpose2d_args, options.output_sizes), 2, 0, NULL},
  {"groups", "Number of channel groups.", WNN_PARAM_U32, false, false, offsetof(wnn_conv_transpose2d_args, options.groups), 0, 1, NULL},
  {"inputLayout", "Layout of input and output.", WNN_PARAM_ENUM, false, false, offsetof(wnn_conv_transpose2d_args, options.input_layout), 0, 0, &enum_input_layout},
  {"filterLayout", "Layout of the filter.", WNN_PARAM_ENUM, false, false, offsetof(wnn_conv_transpose2d_args, options.filter_layout), 0, 0, &enum_conv_transpose2d_filter_layout},
};
static const wnn_output_info outputs_conv_transpose2d[] = {
  {"output", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), 0, 4, 4, 4, 4},
};
static const int8_t order_conv_transpose2d[] = {-3, 2, 7, 5, 6, 3, 4, 0, 1};
static const wnn_conv_transpose2d_args defaults_conv_transpose2d = {WNN_CONV_TRANSPOSE2D_OPTIONS_INIT};

static const wnn_operand_info operands_float_pool2d[] = {
  {"input", "Input tensor.", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), -1, 4, 4, 4, 4, false, false, false, 0},
};
static const wnn_param_info params_float_pool2d[] = {
  {"windowDimensions", "Window height and width; the whole image when absent.", WNN_PARAM_U32_LIST, false, false, offsetof(wnn_float_pool2d_args, options.window_dimensions), 2, 1, NULL},
  {"padding", "Zero padding: top, bottom, left, right.", WNN_PARAM_U32_LIST, false, false, offsetof(wnn_float_pool2d_args, options.padding), 4, 0, NULL},
  {"strides", "Step for each dimension.", WNN_PARAM_U32_LIST, false, false, offsetof(wnn_float_pool2d_args, options.strides), 2, 1, NULL},
  {"dilations", "Spacing of the window taps: height, width.", WNN_PARAM_U32_LIST, false, false, offsetof(wnn_float_pool2d_args, options.dilations), 2, 1, NULL},
  {"layout", "Order of the data.", WNN_PARAM_ENUM, false, false, offsetof(wnn_float_pool2d_args, options.layout), 0, 0, &enum_input_layout},
  {"outputShapeRounding", "Rounding of the computed output size.", WNN_PARAM_ENUM, false, false, offsetof(wnn_float_pool2d_args, options.output_shape_rounding), 0, 0, &enum_rounding},
  {"outputSizes", "Output height and width; overrides what would be computed.", WNN_PARAM_U32_LIST, false, false, offsetof(wnn_float_pool2d_args, options.output_sizes), 2, 0, NULL},
};
static const wnn_output_info outputs_float_pool2d[] = {
  {"output", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), 0, 4, 4, 4, 4},
};
static const int8_t order_float_pool2d[] = {3, 4, 5, 6, 1, 2, 0};
static const wnn_float_pool2d_args defaults_float_pool2d = {WNN_POOL2D_OPTIONS_INIT};

static const wnn_operand_info operands_max_pool2d[] = {
  {"input", "Input tensor.", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32) | WNN_TYPE_BIT(WNN_UINT32) | WNN_TYPE_BIT(WNN_INT64) | WNN_TYPE_BIT(WNN_UINT64) | WNN_TYPE_BIT(WNN_INT8) | WNN_TYPE_BIT(WNN_UINT8), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), -1, 4, 4, 4, 4, false, false, false, 0},
};
static const wnn_param_info params_max_pool2d[] = {
  {"windowDimensions", "Window height and width; the whole image when absent.", WNN_PARAM_U32_LIST, false, false, offsetof(wnn_max_pool2d_args, options.window_dimensions), 2, 1, NULL},
  {"padding", "Zero padding: top, bottom, left, right.", WNN_PARAM_U32_LIST, false, false, offsetof(wnn_max_pool2d_args, options.padding), 4, 0, NULL},
  {"strides", "Step for each dimension.", WNN_PARAM_U32_LIST, false, false, offsetof(wnn_max_pool2d_args, options.strides), 2, 1, NULL},
  {"dilations", "Spacing of the window taps: height, width.", WNN_PARAM_U32_LIST, false, false, offsetof(wnn_max_pool2d_args, options.dilations), 2, 1, NULL},
  {"layout", "Order of the data.", WNN_PARAM_ENUM, false, false, offsetof(wnn_max_pool2d_args, options.layout), 0, 0, &enum_input_layout},
  {"outputShapeRounding", "Rounding of the computed output size.", WNN_PARAM_ENUM, false, false, offsetof(wnn_max_pool2d_args, options.output_shape_rounding), 0, 0, &enum_rounding},
  {"outputSizes", "Output height and width; overrides what would be computed.", WNN_PARAM_U32_LIST, false, false, offsetof(wnn_max_pool2d_args, options.output_sizes), 2, 0, NULL},
};
static const wnn_output_info outputs_max_pool2d[] = {
  {"output", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32) | WNN_TYPE_BIT(WNN_UINT32) | WNN_TYPE_BIT(WNN_INT64) | WNN_TYPE_BIT(WNN_UINT64) | WNN_TYPE_BIT(WNN_INT8) | WNN_TYPE_BIT(WNN_UINT8), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), 0, 4, 4, 4, 4},
};
static const int8_t order_max_pool2d[] = {3, 4, 5, 6, 1, 2, 0};
static const wnn_max_pool2d_args defaults_max_pool2d = {WNN_POOL2D_OPTIONS_INIT};

static const wnn_operand_info operands_batch_normalization[] = {
  {"input", "Input tensor.", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), -1, 1, WNN_MAX_RANK, 3, 5, false, false, false, 0},
  {"mean", "Mean of each channel.", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), 0, 1, 1, 1, 1, false, false, false, 0},
  {"variance", "Variance of each channel.", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), 0, 1, 1, 1, 1, false, false, false, 0},
  {"scale", "Factors.", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), 0, 1, 1, 1, 1, true, false, true, offsetof(wnn_batch_normalization_args, options.scale)},
  {"bias", "Added values.", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), 0, 1, 1, 1, 1, true, false, true, offsetof(wnn_batch_normalization_args, options.bias)},
};
static const wnn_param_info params_batch_normalization[] = {
  {"axis", "Dimension the operation works along.", WNN_PARAM_U32, false, false, offsetof(wnn_batch_normalization_args, options.axis), 0, 0, NULL},
  {"epsilon", "Added to the variance before the root.", WNN_PARAM_F64, false, false, offsetof(wnn_batch_normalization_args, options.epsilon), 0, 0, NULL},
};
static const wnn_output_info outputs_batch_normalization[] = {
  {"output", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), 0, 1, WNN_MAX_RANK, 3, 5},
};
static const int8_t order_batch_normalization[] = {0, -5, 1, -4};
static const wnn_batch_normalization_args defaults_batch_normalization = {WNN_BATCH_NORMALIZATION_OPTIONS_INIT};

static const wnn_operand_info operands_instance_normalization[] = {
  {"input", "Input tensor.", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), -1, 4, 4, 4, 4, false, false, false, 0},
  {"scale", "Factors.", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), 0, 1, 1, 1, 1, true, false, true, offsetof(wnn_instance_normalization_args, options.scale)},
  {"bias", "Added values.", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), 0, 1, 1, 1, 1, true, false, true, offsetof(wnn_instance_normalization_args, options.bias)},
};
static const wnn_param_info params_instance_normalization[] = {
  {"epsilon", "Added to the variance before the root.", WNN_PARAM_F64, false, false, offsetof(wnn_instance_normalization_args, options.epsilon), 0, 0, NULL},
  {"layout", "Order of the data.", WNN_PARAM_ENUM, false, false, offsetof(wnn_instance_normalization_args, options.layout), 0, 0, &enum_input_layout},
};
static const wnn_output_info outputs_instance_normalization[] = {
  {"output", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), 0, 4, 4, 4, 4},
};
static const int8_t order_instance_normalization[] = {-3, 0, 1, -2};
static const wnn_instance_normalization_args defaults_instance_normalization = {WNN_INSTANCE_NORMALIZATION_OPTIONS_INIT};

static const wnn_operand_info operands_layer_normalization[] = {
  {"input", "Input tensor.", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), -1, 0, WNN_MAX_RANK, 0, 5, false, false, false, 0},
  {"scale", "Factors.", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), 0, 0, WNN_MAX_RANK, 0, 5, true, false, true, offsetof(wnn_layer_normalization_args, options.scale)},
  {"bias", "Added values.", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), 0, 0, WNN_MAX_RANK, 0, 5, true, false, true, offsetof(wnn_layer_normalization_args, options.bias)},
};
static const wnn_param_info params_layer_normalization[] = {
  {"axes", "Dimensions the operation works over; each at most once.", WNN_PARAM_U32_LIST, false, false, offsetof(wnn_layer_normalization_args, options.axes), 0, 0, NULL},
  {"epsilon", "Added to the variance before the root.", WNN_PARAM_F64, false, false, offsetof(wnn_layer_normalization_args, options.epsilon), 0, 0, NULL},
};
static const wnn_output_info outputs_layer_normalization[] = {
  {"output", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), 0, 0, WNN_MAX_RANK, 0, 5},
};
static const int8_t order_layer_normalization[] = {0, -3, 1, -2};
static const wnn_layer_normalization_args defaults_layer_normalization = {WNN_LAYER_NORMALIZATION_OPTIONS_INIT};

static const wnn_operand_info operands_gemm[] = {
  {"a", "First operand.", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), -1, 2, 2, 2, 2, false, false, false, 0},
  {"b", "Second operand.", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), 0, 2, 2, 2, 2, false, false, false, 0},
  {"c", "Added matrix, broadcast to the result.", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), 0, 0, 2, 0, 2, true, false, true, offsetof(wnn_gemm_args, options.c)},
};
static const wnn_param_info params_gemm[] = {
  {"alpha", "Factor alpha.", WNN_PARAM_F64, false, false, offsetof(wnn_gemm_args, options.alpha), 0, 0, NULL},
  {"beta", "Factor or offset beta.", WNN_PARAM_F64, false, false, offsetof(wnn_gemm_args, options.beta), 0, 0, NULL},
  {"aTranspose", "Transposes a first.", WNN_PARAM_BOOL, false, false, offsetof(wnn_gemm_args, options.a_transpose), 0, 0, NULL},
  {"bTranspose", "Transposes b first.", WNN_PARAM_BOOL, false, false, offsetof(wnn_gemm_args, options.b_transpose), 0, 0, NULL},
};
static const wnn_output_info outputs_gemm[] = {
  {"output", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), 0, 2, 2, 2, 2},
};
static const int8_t order_gemm[] = {2, 0, 3, 1, -3};
static const wnn_gemm_args defaults_gemm = {WNN_GEMM_OPTIONS_INIT};

static const wnn_operand_info operands_matmul[] = {
  {"a", "First operand.", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), -1, 2, WNN_MAX_RANK, 2, 5, false, false, false, 0},
  {"b", "Second operand.", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), 0, 2, WNN_MAX_RANK, 2, 5, false, false, false, 0},
};
static const wnn_output_info outputs_matmul[] = {
  {"output", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), 0, 2, WNN_MAX_RANK, 2, 5},
};
static const wnn_matmul_args defaults_matmul = {WNN_OPERATOR_OPTIONS_INIT};

static const wnn_operand_info operands_triangular[] = {
  {"input", "Input tensor.", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32) | WNN_TYPE_BIT(WNN_UINT32) | WNN_TYPE_BIT(WNN_INT64) | WNN_TYPE_BIT(WNN_UINT64) | WNN_TYPE_BIT(WNN_INT8) | WNN_TYPE_BIT(WNN_UINT8), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), -1, 2, WNN_MAX_RANK, 2, 5, false, false, false, 0},
};
static const wnn_param_info params_triangular[] = {
  {"upper", "Keeps the upper triangle, else the lower.", WNN_PARAM_BOOL, false, false, offsetof(wnn_triangular_args, options.upper), 0, 0, NULL},
  {"diagonal", "Offset of the diagonal; positive is above the main one.", WNN_PARAM_I32, false, false, offsetof(wnn_triangular_args, options.diagonal), 0, 0, NULL},
};
static const wnn_output_info outputs_triangular[] = {
  {"output", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32) | WNN_TYPE_BIT(WNN_UINT32) | WNN_TYPE_BIT(WNN_INT64) | WNN_TYPE_BIT(WNN_UINT64) | WNN_TYPE_BIT(WNN_INT8) | WNN_TYPE_BIT(WNN_UINT8), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), 0, 2, WNN_MAX_RANK, 2, 5},
};
static const int8_t order_triangular[] = {1, 0};
static const wnn_triangular_args defaults_triangular = {WNN_TRIANGULAR_OPTIONS_INIT};

static const wnn_operand_info operands_arg_min_max[] = {
  {"input", "Input tensor.", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32) | WNN_TYPE_BIT(WNN_UINT32) | WNN_TYPE_BIT(WNN_INT64) | WNN_TYPE_BIT(WNN_UINT64) | WNN_TYPE_BIT(WNN_INT8) | WNN_TYPE_BIT(WNN_UINT8), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32), -1, 1, WNN_MAX_RANK, 1, 5, false, false, false, 0},
};
static const wnn_param_info params_arg_min_max[] = {
  {"axis", "Dimension the operation works along.", WNN_PARAM_U32, true, false, offsetof(wnn_arg_min_max_args, axis), 0, 0, NULL},
  {"keepDimensions", "Keeps reduced dimensions with size 1.", WNN_PARAM_BOOL, false, false, offsetof(wnn_arg_min_max_args, options.keep_dimensions), 0, 0, NULL},
  {"outputDataType", "Data type of the indices.", WNN_PARAM_DATA_TYPE, false, false, offsetof(wnn_arg_min_max_args, options.output_data_type), 0, 0, NULL},
};
static const wnn_output_info outputs_arg_min_max[] = {
  {"output", WNN_TYPE_BIT(WNN_INT32) | WNN_TYPE_BIT(WNN_INT64), WNN_TYPE_BIT(WNN_INT32), -1, 0, WNN_MAX_RANK, 0, 5},
};
static const int8_t order_arg_min_max[] = {1, 2};
static const wnn_arg_min_max_args defaults_arg_min_max = {0, WNN_ARG_MIN_MAX_OPTIONS_INIT};

static const wnn_operand_info operands_cumulative_sum[] = {
  {"input", "Input tensor.", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32) | WNN_TYPE_BIT(WNN_UINT32) | WNN_TYPE_BIT(WNN_INT64) | WNN_TYPE_BIT(WNN_UINT64), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32), -1, 1, WNN_MAX_RANK, 1, 5, false, false, false, 0},
};
static const wnn_param_info params_cumulative_sum[] = {
  {"axis", "Dimension the operation works along.", WNN_PARAM_U32, true, true, offsetof(wnn_cumulative_sum_args, axis), 0, 0, NULL},
  {"exclusive", "Leaves the element itself out of its sum.", WNN_PARAM_BOOL, false, false, offsetof(wnn_cumulative_sum_args, options.exclusive), 0, 0, NULL},
  {"reversed", "Sums from the end.", WNN_PARAM_BOOL, false, false, offsetof(wnn_cumulative_sum_args, options.reversed), 0, 0, NULL},
};
static const wnn_output_info outputs_cumulative_sum[] = {
  {"output", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32) | WNN_TYPE_BIT(WNN_UINT32) | WNN_TYPE_BIT(WNN_INT64) | WNN_TYPE_BIT(WNN_UINT64), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32), 0, 1, WNN_MAX_RANK, 1, 5},
};
static const int8_t order_cumulative_sum[] = {1, 2};
static const wnn_cumulative_sum_args defaults_cumulative_sum = {0, WNN_CUMULATIVE_SUM_OPTIONS_INIT};

static const wnn_operand_info operands_wide_reduce[] = {
  {"input", "Input tensor.", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32) | WNN_TYPE_BIT(WNN_UINT32) | WNN_TYPE_BIT(WNN_INT64) | WNN_TYPE_BIT(WNN_UINT64), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32), -1, 0, WNN_MAX_RANK, 0, 5, false, false, false, 0},
};
static const wnn_param_info params_wide_reduce[] = {
  {"axes", "Dimensions the operation works over; each at most once.", WNN_PARAM_U32_LIST, false, false, offsetof(wnn_wide_reduce_args, options.axes), 0, 0, NULL},
  {"keepDimensions", "Keeps reduced dimensions with size 1.", WNN_PARAM_BOOL, false, false, offsetof(wnn_wide_reduce_args, options.keep_dimensions), 0, 0, NULL},
};
static const wnn_output_info outputs_wide_reduce[] = {
  {"output", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32) | WNN_TYPE_BIT(WNN_UINT32) | WNN_TYPE_BIT(WNN_INT64) | WNN_TYPE_BIT(WNN_UINT64), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32), 0, 0, WNN_MAX_RANK, 0, 5},
};
static const int8_t order_wide_reduce[] = {0, 1};
static const wnn_wide_reduce_args defaults_wide_reduce = {WNN_REDUCE_OPTIONS_INIT};

static const wnn_operand_info operands_float_reduce[] = {
  {"input", "Input tensor.", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), -1, 0, WNN_MAX_RANK, 0, 5, false, false, false, 0},
};
static const wnn_param_info params_float_reduce[] = {
  {"axes", "Dimensions the operation works over; each at most once.", WNN_PARAM_U32_LIST, false, false, offsetof(wnn_float_reduce_args, options.axes), 0, 0, NULL},
  {"keepDimensions", "Keeps reduced dimensions with size 1.", WNN_PARAM_BOOL, false, false, offsetof(wnn_float_reduce_args, options.keep_dimensions), 0, 0, NULL},
};
static const wnn_output_info outputs_float_reduce[] = {
  {"output", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), 0, 0, WNN_MAX_RANK, 0, 5},
};
static const int8_t order_float_reduce[] = {0, 1};
static const wnn_float_reduce_args defaults_float_reduce = {WNN_REDUCE_OPTIONS_INIT};

static const wnn_operand_info operands_any_reduce[] = {
  {"input", "Input tensor.", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32) | WNN_TYPE_BIT(WNN_UINT32) | WNN_TYPE_BIT(WNN_INT64) | WNN_TYPE_BIT(WNN_UINT64) | WNN_TYPE_BIT(WNN_INT8) | WNN_TYPE_BIT(WNN_UINT8), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32), -1, 0, WNN_MAX_RANK, 0, 5, false, false, false, 0},
};
static const wnn_param_info params_any_reduce[] = {
  {"axes", "Dimensions the operation works over; each at most once.", WNN_PARAM_U32_LIST, false, false, offsetof(wnn_any_reduce_args, options.axes), 0, 0, NULL},
  {"keepDimensions", "Keeps reduced dimensions with size 1.", WNN_PARAM_BOOL, false, false, offsetof(wnn_any_reduce_args, options.keep_dimensions), 0, 0, NULL},
};
static const wnn_output_info outputs_any_reduce[] = {
  {"output", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32) | WNN_TYPE_BIT(WNN_UINT32) | WNN_TYPE_BIT(WNN_INT64) | WNN_TYPE_BIT(WNN_UINT64) | WNN_TYPE_BIT(WNN_INT8) | WNN_TYPE_BIT(WNN_UINT8), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32), 0, 0, WNN_MAX_RANK, 0, 5},
};
static const int8_t order_any_reduce[] = {0, 1};
static const wnn_any_reduce_args defaults_any_reduce = {WNN_REDUCE_OPTIONS_INIT};

static const wnn_operand_info operands_reduce_product[] = {
  {"input", "Input tensor.", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32) | WNN_TYPE_BIT(WNN_UINT32) | WNN_TYPE_BIT(WNN_INT64) | WNN_TYPE_BIT(WNN_UINT64), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), -1, 0, WNN_MAX_RANK, 0, 5, false, false, false, 0},
};
static const wnn_param_info params_reduce_product[] = {
  {"axes", "Dimensions the operation works over; each at most once.", WNN_PARAM_U32_LIST, false, false, offsetof(wnn_reduce_product_args, options.axes), 0, 0, NULL},
  {"keepDimensions", "Keeps reduced dimensions with size 1.", WNN_PARAM_BOOL, false, false, offsetof(wnn_reduce_product_args, options.keep_dimensions), 0, 0, NULL},
};
static const wnn_output_info outputs_reduce_product[] = {
  {"output", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32) | WNN_TYPE_BIT(WNN_UINT32) | WNN_TYPE_BIT(WNN_INT64) | WNN_TYPE_BIT(WNN_UINT64), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), 0, 0, WNN_MAX_RANK, 0, 5},
};
static const int8_t order_reduce_product[] = {0, 1};
static const wnn_reduce_product_args defaults_reduce_product = {WNN_REDUCE_OPTIONS_INIT};

static const wnn_operand_info operands_cast[] = {
  {"input", "Input tensor.", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32) | WNN_TYPE_BIT(WNN_UINT32) | WNN_TYPE_BIT(WNN_INT64) | WNN_TYPE_BIT(WNN_UINT64) | WNN_TYPE_BIT(WNN_INT8) | WNN_TYPE_BIT(WNN_UINT8), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32) | WNN_TYPE_BIT(WNN_INT8) | WNN_TYPE_BIT(WNN_UINT8), -1, 0, WNN_MAX_RANK, 0, 5, false, false, false, 0},
};
static const wnn_param_info params_cast[] = {
  {"dataType", "Data type of the output.", WNN_PARAM_DATA_TYPE, true, false, offsetof(wnn_cast_args, data_type), 0, 0, NULL},
};
static const wnn_output_info outputs_cast[] = {
  {"output", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32) | WNN_TYPE_BIT(WNN_UINT32) | WNN_TYPE_BIT(WNN_INT64) | WNN_TYPE_BIT(WNN_UINT64) | WNN_TYPE_BIT(WNN_INT8) | WNN_TYPE_BIT(WNN_UINT8), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32) | WNN_TYPE_BIT(WNN_INT8) | WNN_TYPE_BIT(WNN_UINT8), -1, 0, WNN_MAX_RANK, 0, 5},
};
static const wnn_cast_args defaults_cast = {WNN_FLOAT32, WNN_OPERATOR_OPTIONS_INIT};

static const wnn_operand_info operands_clamp[] = {
  {"input", "Input tensor.", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32) | WNN_TYPE_BIT(WNN_UINT32) | WNN_TYPE_BIT(WNN_INT64) | WNN_TYPE_BIT(WNN_UINT64) | WNN_TYPE_BIT(WNN_INT8) | WNN_TYPE_BIT(WNN_UINT8), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), -1, 0, WNN_MAX_RANK, 0, 5, false, false, false, 0},
};
static const wnn_param_info params_clamp[] = {
  {"minValue", "Lower limit; none when absent.", WNN_PARAM_NUMBER, false, false, offsetof(wnn_clamp_args, options.min_value), 0, 0, NULL},
  {"maxValue", "Upper limit; none when absent.", WNN_PARAM_NUMBER, false, false, offsetof(wnn_clamp_args, options.max_value), 0, 0, NULL},
};
static const wnn_output_info outputs_clamp[] = {
  {"output", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32) | WNN_TYPE_BIT(WNN_UINT32) | WNN_TYPE_BIT(WNN_INT64) | WNN_TYPE_BIT(WNN_UINT64) | WNN_TYPE_BIT(WNN_INT8) | WNN_TYPE_BIT(WNN_UINT8), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), 0, 0, WNN_MAX_RANK, 0, 5},
};
static const int8_t order_clamp[] = {1, 0};
static const wnn_clamp_args defaults_clamp = {WNN_CLAMP_OPTIONS_INIT};

static const wnn_operand_info operands_concat[] = {
  {"inputs", "Tensors to join.", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32) | WNN_TYPE_BIT(WNN_UINT32) | WNN_TYPE_BIT(WNN_INT64) | WNN_TYPE_BIT(WNN_UINT64) | WNN_TYPE_BIT(WNN_INT8) | WNN_TYPE_BIT(WNN_UINT8), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32), -1, 1, WNN_MAX_RANK, 1, 5, false, true, false, 0},
};
static const wnn_param_info params_concat[] = {
  {"axis", "Dimension the operation works along.", WNN_PARAM_U32, true, false, offsetof(wnn_concat_args, axis), 0, 0, NULL},
};
static const wnn_output_info outputs_concat[] = {
  {"output", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32) | WNN_TYPE_BIT(WNN_UINT32) | WNN_TYPE_BIT(WNN_INT64) | WNN_TYPE_BIT(WNN_UINT64) | WNN_TYPE_BIT(WNN_INT8) | WNN_TYPE_BIT(WNN_UINT8), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32), 0, 1, WNN_MAX_RANK, 1, 5},
};
static const wnn_concat_args defaults_concat = {0, WNN_OPERATOR_OPTIONS_INIT};

static const wnn_operand_info operands_expand[] = {
  {"input", "Input tensor.", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32) | WNN_TYPE_BIT(WNN_UINT32) | WNN_TYPE_BIT(WNN_INT64) | WNN_TYPE_BIT(WNN_UINT64) | WNN_TYPE_BIT(WNN_INT8) | WNN_TYPE_BIT(WNN_UINT8), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32), -1, 0, WNN_MAX_RANK, 0, 5, false, false, false, 0},
};
static const wnn_param_info params_expand[] = {
  {"newShape", "Shape of the output.", WNN_PARAM_U32_LIST, true, false, offsetof(wnn_expand_args, new_shape), 0, 1, NULL},
};
static const wnn_output_info outputs_expand[] = {
  {"output", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32) | WNN_TYPE_BIT(WNN_UINT32) | WNN_TYPE_BIT(WNN_INT64) | WNN_TYPE_BIT(WNN_UINT64) | WNN_TYPE_BIT(WNN_INT8) | WNN_TYPE_BIT(WNN_UINT8), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32), 0, 0, WNN_MAX_RANK, 0, 5},
};
static const wnn_expand_args defaults_expand = {{NULL, 0}, WNN_OPERATOR_OPTIONS_INIT};

static const wnn_operand_info operands_pad[] = {
  {"input", "Input tensor.", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32) | WNN_TYPE_BIT(WNN_UINT32) | WNN_TYPE_BIT(WNN_INT64) | WNN_TYPE_BIT(WNN_UINT64) | WNN_TYPE_BIT(WNN_INT8) | WNN_TYPE_BIT(WNN_UINT8), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), -1, 0, WNN_MAX_RANK, 0, 5, false, false, false, 0},
};
static const wnn_param_info params_pad[] = {
  {"beginningPadding", "Elements added before each dimension.", WNN_PARAM_U32_LIST, true, false, offsetof(wnn_pad_args, beginning_padding), 0, 0, NULL},
  {"endingPadding", "Elements added after each dimension.", WNN_PARAM_U32_LIST, true, false, offsetof(wnn_pad_args, ending_padding), 0, 0, NULL},
  {"mode", "Method.", WNN_PARAM_ENUM, false, false, offsetof(wnn_pad_args, options.mode), 0, 0, &enum_padding_mode},
  {"value", "Fill value of constant padding.", WNN_PARAM_NUMBER, false, false, offsetof(wnn_pad_args, options.value), 0, 0, NULL},
};
static const wnn_output_info outputs_pad[] = {
  {"output", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32) | WNN_TYPE_BIT(WNN_UINT32) | WNN_TYPE_BIT(WNN_INT64) | WNN_TYPE_BIT(WNN_UINT64) | WNN_TYPE_BIT(WNN_INT8) | WNN_TYPE_BIT(WNN_UINT8), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), 0, 0, WNN_MAX_RANK, 0, 5},
};
static const int8_t order_pad[] = {2, 3};
static const wnn_pad_args defaults_pad = {{NULL, 0}, {NULL, 0}, WNN_PAD_OPTIONS_INIT};

static const wnn_operand_info operands_reshape[] = {
  {"input", "Input tensor.", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32) | WNN_TYPE_BIT(WNN_UINT32) | WNN_TYPE_BIT(WNN_INT64) | WNN_TYPE_BIT(WNN_UINT64) | WNN_TYPE_BIT(WNN_INT8) | WNN_TYPE_BIT(WNN_UINT8), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32) | WNN_TYPE_BIT(WNN_INT8) | WNN_TYPE_BIT(WNN_UINT8), -1, 0, WNN_MAX_RANK, 0, 5, false, false, false, 0},
};
static const wnn_param_info params_reshape[] = {
  {"newShape", "Shape of the output.", WNN_PARAM_U32_LIST, true, false, offsetof(wnn_reshape_args, new_shape), 0, 1, NULL},
};
static const wnn_output_info outputs_reshape[] = {
  {"output", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32) | WNN_TYPE_BIT(WNN_UINT32) | WNN_TYPE_BIT(WNN_INT64) | WNN_TYPE_BIT(WNN_UINT64) | WNN_TYPE_BIT(WNN_INT8) | WNN_TYPE_BIT(WNN_UINT8), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32) | WNN_TYPE_BIT(WNN_INT8) | WNN_TYPE_BIT(WNN_UINT8), 0, 0, WNN_MAX_RANK, 0, 5},
};
static const wnn_reshape_args defaults_reshape = {{NULL, 0}, WNN_OPERATOR_OPTIONS_INIT};

static const wnn_operand_info operands_reverse[] = {
  {"input", "Input tensor.", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32) | WNN_TYPE_BIT(WNN_UINT32) | WNN_TYPE_BIT(WNN_INT64) | WNN_TYPE_BIT(WNN_UINT64) | WNN_TYPE_BIT(WNN_INT8) | WNN_TYPE_BIT(WNN_UINT8), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32), -1, 0, WNN_MAX_RANK, 0, 5, false, false, false, 0},
};
static const wnn_param_info params_reverse[] = {
  {"axes", "Dimensions the operation works over; each at most once.", WNN_PARAM_U32_LIST, false, false, offsetof(wnn_reverse_args, options.axes), 0, 0, NULL},
};
static const wnn_output_info outputs_reverse[] = {
  {"output", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32) | WNN_TYPE_BIT(WNN_UINT32) | WNN_TYPE_BIT(WNN_INT64) | WNN_TYPE_BIT(WNN_UINT64) | WNN_TYPE_BIT(WNN_INT8) | WNN_TYPE_BIT(WNN_UINT8), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32), 0, 0, WNN_MAX_RANK, 0, 5},
};
static const int8_t order_reverse[] = {0};
static const wnn_reverse_args defaults_reverse = {WNN_REVERSE_OPTIONS_INIT};

static const wnn_operand_info operands_slice[] = {
  {"input", "Input tensor.", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32) | WNN_TYPE_BIT(WNN_UINT32) | WNN_TYPE_BIT(WNN_INT64) | WNN_TYPE_BIT(WNN_UINT64) | WNN_TYPE_BIT(WNN_INT8) | WNN_TYPE_BIT(WNN_UINT8), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32) | WNN_TYPE_BIT(WNN_INT8) | WNN_TYPE_BIT(WNN_UINT8), -1, 0, WNN_MAX_RANK, 0, 5, false, false, false, 0},
};
static const wnn_param_info params_slice[] = {
  {"starts", "First index in each dimension.", WNN_PARAM_U32_LIST, true, false, offsetof(wnn_slice_args, starts), 0, 0, NULL},
  {"sizes", "Extent in each dimension.", WNN_PARAM_U32_LIST, true, false, offsetof(wnn_slice_args, sizes), 0, 1, NULL},
  {"strides", "Step for each dimension.", WNN_PARAM_U32_LIST, false, false, offsetof(wnn_slice_args, options.strides), 0, 1, NULL},
};
static const wnn_output_info outputs_slice[] = {
  {"output", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32) | WNN_TYPE_BIT(WNN_UINT32) | WNN_TYPE_BIT(WNN_INT64) | WNN_TYPE_BIT(WNN_UINT64) | WNN_TYPE_BIT(WNN_INT8) | WNN_TYPE_BIT(WNN_UINT8), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32) | WNN_TYPE_BIT(WNN_INT8) | WNN_TYPE_BIT(WNN_UINT8), 0, 0, WNN_MAX_RANK, 0, 5},
};
static const int8_t order_slice[] = {2};
static const wnn_slice_args defaults_slice = {{NULL, 0}, {NULL, 0}, WNN_SLICE_OPTIONS_INIT};

static const wnn_operand_info operands_split[] = {
  {"input", "Input tensor.", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32) | WNN_TYPE_BIT(WNN_UINT32) | WNN_TYPE_BIT(WNN_INT64) | WNN_TYPE_BIT(WNN_UINT64) | WNN_TYPE_BIT(WNN_INT8) | WNN_TYPE_BIT(WNN_UINT8), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32), -1, 1, WNN_MAX_RANK, 1, 5, false, false, false, 0},
};
static const wnn_param_info params_split[] = {
  {"splits", "Number of equal parts, or the size of each part.", WNN_PARAM_SPLITS, true, false, offsetof(wnn_split_args, splits), 0, 0, NULL},
  {"axis", "Dimension the operation works along.", WNN_PARAM_U32, false, false, offsetof(wnn_split_args, options.axis), 0, 0, NULL},
};
static const wnn_output_info outputs_split[] = {
  {"outputs", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32) | WNN_TYPE_BIT(WNN_UINT32) | WNN_TYPE_BIT(WNN_INT64) | WNN_TYPE_BIT(WNN_UINT64) | WNN_TYPE_BIT(WNN_INT8) | WNN_TYPE_BIT(WNN_UINT8), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32), 0, 1, WNN_MAX_RANK, 1, 5},
};
static const int8_t order_split[] = {1};
static const wnn_split_args defaults_split = {{NULL, 0}, WNN_SPLIT_OPTIONS_INIT};

static const wnn_operand_info operands_tile[] = {
  {"input", "Input tensor.", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32) | WNN_TYPE_BIT(WNN_UINT32) | WNN_TYPE_BIT(WNN_INT64) | WNN_TYPE_BIT(WNN_UINT64) | WNN_TYPE_BIT(WNN_INT8) | WNN_TYPE_BIT(WNN_UINT8), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32), -1, 0, WNN_MAX_RANK, 0, 5, false, false, false, 0},
};
static const wnn_param_info params_tile[] = {
  {"repetitions", "Repeat count of each dimension.", WNN_PARAM_U32_LIST, true, true, offsetof(wnn_tile_args, repetitions), 0, 1, NULL},
};
static const wnn_output_info outputs_tile[] = {
  {"output", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32) | WNN_TYPE_BIT(WNN_UINT32) | WNN_TYPE_BIT(WNN_INT64) | WNN_TYPE_BIT(WNN_UINT64) | WNN_TYPE_BIT(WNN_INT8) | WNN_TYPE_BIT(WNN_UINT8), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32), 0, 0, WNN_MAX_RANK, 0, 5},
};
static const wnn_tile_args defaults_tile = {{NULL, 0}, WNN_OPERATOR_OPTIONS_INIT};

static const wnn_operand_info operands_transpose[] = {
  {"input", "Input tensor.", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32) | WNN_TYPE_BIT(WNN_UINT32) | WNN_TYPE_BIT(WNN_INT64) | WNN_TYPE_BIT(WNN_UINT64) | WNN_TYPE_BIT(WNN_INT8) | WNN_TYPE_BIT(WNN_UINT8), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32), -1, 0, WNN_MAX_RANK, 0, 5, false, false, false, 0},
};
static const wnn_param_info params_transpose[] = {
  {"permutation", "Output dimension i is input dimension permutation[i]; reversed when absent.", WNN_PARAM_U32_LIST, false, false, offsetof(wnn_transpose_args, options.permutation), 0, 0, NULL},
};
static const wnn_output_info outputs_transpose[] = {
  {"output", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32) | WNN_TYPE_BIT(WNN_UINT32) | WNN_TYPE_BIT(WNN_INT64) | WNN_TYPE_BIT(WNN_UINT64) | WNN_TYPE_BIT(WNN_INT8) | WNN_TYPE_BIT(WNN_UINT8), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32), 0, 0, WNN_MAX_RANK, 0, 5},
};
static const int8_t order_transpose[] = {0};
static const wnn_transpose_args defaults_transpose = {WNN_TRANSPOSE_OPTIONS_INIT};

static const wnn_operand_info operands_gather[] = {
  {"input", "Input tensor.", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32) | WNN_TYPE_BIT(WNN_UINT32) | WNN_TYPE_BIT(WNN_INT64) | WNN_TYPE_BIT(WNN_UINT64) | WNN_TYPE_BIT(WNN_INT8) | WNN_TYPE_BIT(WNN_UINT8), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32) | WNN_TYPE_BIT(WNN_INT8) | WNN_TYPE_BIT(WNN_UINT8), -1, 1, WNN_MAX_RANK, 1, 5, false, false, false, 0},
  {"indices", "Integer indices; negative ones count from the end, others are clamped into range.", WNN_TYPE_BIT(WNN_INT32) | WNN_TYPE_BIT(WNN_UINT32) | WNN_TYPE_BIT(WNN_INT64), WNN_TYPE_BIT(WNN_INT32), -1, 0, WNN_MAX_RANK, 0, 5, false, false, false, 0},
};
static const wnn_param_info params_gather[] = {
  {"axis", "Dimension the operation works along.", WNN_PARAM_U32, false, false, offsetof(wnn_gather_args, options.axis), 0, 0, NULL},
};
static const wnn_output_info outputs_gather[] = {
  {"output", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32) | WNN_TYPE_BIT(WNN_UINT32) | WNN_TYPE_BIT(WNN_INT64) | WNN_TYPE_BIT(WNN_UINT64) | WNN_TYPE_BIT(WNN_INT8) | WNN_TYPE_BIT(WNN_UINT8), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32) | WNN_TYPE_BIT(WNN_INT8) | WNN_TYPE_BIT(WNN_UINT8), 0, 0, WNN_MAX_RANK, 0, 5},
};
static const int8_t order_gather[] = {0};
static const wnn_gather_args defaults_gather = {WNN_GATHER_OPTIONS_INIT};

static const wnn_operand_info operands_gather_elements[] = {
  {"input", "Input tensor.", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32) | WNN_TYPE_BIT(WNN_UINT32) | WNN_TYPE_BIT(WNN_INT64) | WNN_TYPE_BIT(WNN_UINT64) | WNN_TYPE_BIT(WNN_INT8) | WNN_TYPE_BIT(WNN_UINT8), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32), -1, 1, WNN_MAX_RANK, 1, 5, false, false, false, 0},
  {"indices", "Integer indices; negative ones count from the end, others are clamped into range.", WNN_TYPE_BIT(WNN_INT32) | WNN_TYPE_BIT(WNN_UINT32) | WNN_TYPE_BIT(WNN_INT64), WNN_TYPE_BIT(WNN_INT32), -1, 1, WNN_MAX_RANK, 1, 5, false, false, false, 0},
};
static const wnn_param_info params_gather_elements[] = {
  {"axis", "Dimension the operation works along.", WNN_PARAM_U32, false, false, offsetof(wnn_gather_elements_args, options.axis), 0, 0, NULL},
};
static const wnn_output_info outputs_gather_elements[] = {
  {"output", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32) | WNN_TYPE_BIT(WNN_UINT32) | WNN_TYPE_BIT(WNN_INT64) | WNN_TYPE_BIT(WNN_UINT64) | WNN_TYPE_BIT(WNN_INT8) | WNN_TYPE_BIT(WNN_UINT8), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32), 0, 1, WNN_MAX_RANK, 1, 5},
};
static const int8_t order_gather_elements[] = {0};
static const wnn_gather_elements_args defaults_gather_elements = {WNN_GATHER_OPTIONS_INIT};

static const wnn_operand_info operands_gather_nd[] = {
  {"input", "Input tensor.", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32) | WNN_TYPE_BIT(WNN_UINT32) | WNN_TYPE_BIT(WNN_INT64) | WNN_TYPE_BIT(WNN_UINT64) | WNN_TYPE_BIT(WNN_INT8) | WNN_TYPE_BIT(WNN_UINT8), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32) | WNN_TYPE_BIT(WNN_INT8) | WNN_TYPE_BIT(WNN_UINT8), -1, 1, WNN_MAX_RANK, 1, 5, false, false, false, 0},
  {"indices", "Integer indices; negative ones count from the end, others are clamped into range.", WNN_TYPE_BIT(WNN_INT32) | WNN_TYPE_BIT(WNN_UINT32) | WNN_TYPE_BIT(WNN_INT64), WNN_TYPE_BIT(WNN_INT32), -1, 1, WNN_MAX_RANK, 1, 5, false, false, false, 0},
};
static const wnn_output_info outputs_gather_nd[] = {
  {"output", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32) | WNN_TYPE_BIT(WNN_UINT32) | WNN_TYPE_BIT(WNN_INT64) | WNN_TYPE_BIT(WNN_UINT64) | WNN_TYPE_BIT(WNN_INT8) | WNN_TYPE_BIT(WNN_UINT8), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32) | WNN_TYPE_BIT(WNN_INT8) | WNN_TYPE_BIT(WNN_UINT8), 0, 0, WNN_MAX_RANK, 0, 5},
};
static const wnn_gather_nd_args defaults_gather_nd = {WNN_OPERATOR_OPTIONS_INIT};

static const wnn_operand_info operands_scatter_elements[] = {
  {"input", "Input tensor.", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32) | WNN_TYPE_BIT(WNN_UINT32) | WNN_TYPE_BIT(WNN_INT64) | WNN_TYPE_BIT(WNN_UINT64) | WNN_TYPE_BIT(WNN_INT8) | WNN_TYPE_BIT(WNN_UINT8), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32), -1, 1, WNN_MAX_RANK, 1, 5, false, false, false, 0},
  {"indices", "Integer indices; negative ones count from the end, others are clamped into range.", WNN_TYPE_BIT(WNN_INT32) | WNN_TYPE_BIT(WNN_UINT32) | WNN_TYPE_BIT(WNN_INT64), WNN_TYPE_BIT(WNN_INT32), -1, 1, WNN_MAX_RANK, 1, 5, false, false, false, 0},
  {"updates", "New values.", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32) | WNN_TYPE_BIT(WNN_UINT32) | WNN_TYPE_BIT(WNN_INT64) | WNN_TYPE_BIT(WNN_UINT64) | WNN_TYPE_BIT(WNN_INT8) | WNN_TYPE_BIT(WNN_UINT8), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32), 0, 1, WNN_MAX_RANK, 1, 5, false, false, false, 0},
};
static const wnn_param_info params_scatter_elements[] = {
  {"axis", "Dimension the operation works along.", WNN_PARAM_U32, false, false, offsetof(wnn_scatter_elements_args, options.axis), 0, 0, NULL},
};
static const wnn_output_info outputs_scatter_elements[] = {
  {"output", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32) | WNN_TYPE_BIT(WNN_UINT32) | WNN_TYPE_BIT(WNN_INT64) | WNN_TYPE_BIT(WNN_UINT64) | WNN_TYPE_BIT(WNN_INT8) | WNN_TYPE_BIT(WNN_UINT8), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32), 0, 1, WNN_MAX_RANK, 1, 5},
};
static const int8_t order_scatter_elements[] = {0};
static const wnn_scatter_elements_args defaults_scatter_elements = {WNN_SCATTER_OPTIONS_INIT};

static const wnn_operand_info operands_scatter_nd[] = {
  {"input", "Input tensor.", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32) | WNN_TYPE_BIT(WNN_UINT32) | WNN_TYPE_BIT(WNN_INT64) | WNN_TYPE_BIT(WNN_UINT64) | WNN_TYPE_BIT(WNN_INT8) | WNN_TYPE_BIT(WNN_UINT8), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32), -1, 1, WNN_MAX_RANK, 1, 5, false, false, false, 0},
  {"indices", "Integer indices; negative ones count from the end, others are clamped into range.", WNN_TYPE_BIT(WNN_INT32) | WNN_TYPE_BIT(WNN_UINT32) | WNN_TYPE_BIT(WNN_INT64), WNN_TYPE_BIT(WNN_INT32), -1, 1, WNN_MAX_RANK, 1, 5, false, false, false, 0},
  {"updates", "New values.", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32) | WNN_TYPE_BIT(WNN_UINT32) | WNN_TYPE_BIT(WNN_INT64) | WNN_TYPE_BIT(WNN_UINT64) | WNN_TYPE_BIT(WNN_INT8) | WNN_TYPE_BIT(WNN_UINT8), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32), 0, 0, WNN_MAX_RANK, 0, 5, false, false, false, 0},
};
static const wnn_output_info outputs_scatter_nd[] = {
  {"output", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32) | WNN_TYPE_BIT(WNN_UINT32) | WNN_TYPE_BIT(WNN_INT64) | WNN_TYPE_BIT(WNN_UINT64) | WNN_TYPE_BIT(WNN_INT8) | WNN_TYPE_BIT(WNN_UINT8), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32), 0, 1, WNN_MAX_RANK, 1, 5},
};
static const wnn_scatter_nd_args defaults_scatter_nd = {WNN_OPERATOR_OPTIONS_INIT};

static const wnn_operand_info operands_where[] = {
  {"condition", "uint8, non-zero is true.", WNN_TYPE_BIT(WNN_UINT8), WNN_TYPE_BIT(WNN_UINT8), -1, 0, WNN_MAX_RANK, 0, 5, false, false, false, 0},
  {"trueValue", "Values where condition holds.", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32) | WNN_TYPE_BIT(WNN_UINT32) | WNN_TYPE_BIT(WNN_INT64) | WNN_TYPE_BIT(WNN_UINT64) | WNN_TYPE_BIT(WNN_INT8) | WNN_TYPE_BIT(WNN_UINT8), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32), -1, 0, WNN_MAX_RANK, 0, 5, false, false, false, 0},
  {"falseValue", "Values elsewhere.", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32) | WNN_TYPE_BIT(WNN_UINT32) | WNN_TYPE_BIT(WNN_INT64) | WNN_TYPE_BIT(WNN_UINT64) | WNN_TYPE_BIT(WNN_INT8) | WNN_TYPE_BIT(WNN_UINT8), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32), 1, 0, WNN_MAX_RANK, 0, 5, false, false, false, 0},
};
static const wnn_output_info outputs_where[] = {
  {"output", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32) | WNN_TYPE_BIT(WNN_UINT32) | WNN_TYPE_BIT(WNN_INT64) | WNN_TYPE_BIT(WNN_UINT64) | WNN_TYPE_BIT(WNN_INT8) | WNN_TYPE_BIT(WNN_UINT8), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT32), 1, 0, WNN_MAX_RANK, 0, 5},
};
static const wnn_where_args defaults_where = {WNN_OPERATOR_OPTIONS_INIT};

static const wnn_operand_info operands_dequantize_linear[] = {
  {"input", "Input tensor.", WNN_TYPE_BIT(WNN_UINT8) | WNN_TYPE_BIT(WNN_INT8) | WNN_TYPE_BIT(WNN_UINT32) | WNN_TYPE_BIT(WNN_INT32), WNN_TYPE_BIT(WNN_UINT8) | WNN_TYPE_BIT(WNN_INT8), -1, 0, WNN_MAX_RANK, 0, 5, false, false, false, 0},
  {"scale", "Factors.", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), -1, 0, WNN_MAX_RANK, 0, 5, false, false, false, 0},
  {"zeroPoint", "Integer that stands for zero.", WNN_TYPE_BIT(WNN_UINT8) | WNN_TYPE_BIT(WNN_INT8) | WNN_TYPE_BIT(WNN_UINT32) | WNN_TYPE_BIT(WNN_INT32), WNN_TYPE_BIT(WNN_UINT8) | WNN_TYPE_BIT(WNN_INT8), 0, 0, WNN_MAX_RANK, 0, 5, false, false, false, 0},
};
static const wnn_output_info outputs_dequantize_linear[] = {
  {"output", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), 1, 0, WNN_MAX_RANK, 0, 5},
};
static const wnn_dequantize_linear_args defaults_dequantize_linear = {WNN_OPERATOR_OPTIONS_INIT};

static const wnn_operand_info operands_quantize_linear[] = {
  {"input", "Input tensor.", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), -1, 0, WNN_MAX_RANK, 0, 5, false, false, false, 0},
  {"scale", "Factors.", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), 0, 0, WNN_MAX_RANK, 0, 5, false, false, false, 0},
  {"zeroPoint", "Integer that stands for zero.", WNN_TYPE_BIT(WNN_UINT8) | WNN_TYPE_BIT(WNN_INT8) | WNN_TYPE_BIT(WNN_UINT32) | WNN_TYPE_BIT(WNN_INT32), WNN_TYPE_BIT(WNN_UINT8) | WNN_TYPE_BIT(WNN_INT8), -1, 0, WNN_MAX_RANK, 0, 5, false, false, false, 0},
};
static const wnn_output_info outputs_quantize_linear[] = {
  {"output", WNN_TYPE_BIT(WNN_UINT8) | WNN_TYPE_BIT(WNN_INT8) | WNN_TYPE_BIT(WNN_UINT32) | WNN_TYPE_BIT(WNN_INT32), WNN_TYPE_BIT(WNN_UINT8) | WNN_TYPE_BIT(WNN_INT8), 2, 0, WNN_MAX_RANK, 0, 5},
};
static const wnn_quantize_linear_args defaults_quantize_linear = {WNN_OPERATOR_OPTIONS_INIT};

static const wnn_operand_info operands_gru[] = {
  {"input", "Input tensor.", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), -1, 3, 3, 3, 3, false, false, false, 0},
  {"weight", "Input weights, gates packed.", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), 0, 3, 3, 3, 3, false, false, false, 0},
  {"recurrentWeight", "Recurrent weights, gates packed.", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), 0, 3, 3, 3, 3, false, false, false, 0},
  {"bias", "Added values.", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), 0, 2, 2, 2, 2, true, false, true, offsetof(wnn_gru_args, options.bias)},
  {"recurrentBias", "Recurrent bias, gates packed.", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), 0, 2, 2, 2, 2, true, false, true, offsetof(wnn_gru_args, options.recurrent_bias)},
  {"initialHiddenState", "Hidden state before the first step; zeros when absent.", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), 0, 3, 3, 3, 3, true, false, true, offsetof(wnn_gru_args, options.initial_hidden_state)},
};
static const wnn_param_info params_gru[] = {
  {"steps", "Number of time steps.", WNN_PARAM_U32, true, false, offsetof(wnn_gru_args, steps), 0, 1, NULL},
  {"hiddenSize", "Number of features in the hidden state.", WNN_PARAM_U32, true, false, offsetof(wnn_gru_args, hidden_size), 0, 1, NULL},
  {"resetAfter", "Applies the reset gate after the recurrent product.", WNN_PARAM_BOOL, false, false, offsetof(wnn_gru_args, options.reset_after), 0, 0, NULL},
  {"returnSequence", "Also returns the hidden state of every step.", WNN_PARAM_BOOL, false, false, offsetof(wnn_gru_args, options.return_sequence), 0, 0, NULL},
  {"direction", "Order of the time steps, or both.", WNN_PARAM_ENUM, false, false, offsetof(wnn_gru_args, options.direction), 0, 0, &enum_direction},
  {"layout", "Order of the data.", WNN_PARAM_ENUM, false, false, offsetof(wnn_gru_args, options.layout), 0, 0, &enum_gru_weight_layout},
  {"activations", "Activation functions of the gates.", WNN_PARAM_ENUM_LIST, false, false, offsetof(wnn_gru_args, options.activations), 2, 0, &enum_activation},
};
static const wnn_output_info outputs_gru[] = {
  {"output0", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), 0, 3, 3, 3, 3},
  {"output1", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), 0, 4, 4, 4, 4},
};
static const int8_t order_gru[] = {6, -4, 4, -6, 5, -5, 2, 3};
static const wnn_gru_args defaults_gru = {0, 0, WNN_GRU_OPTIONS_INIT};

static const wnn_operand_info operands_gru_cell[] = {
  {"input", "Input tensor.", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), -1, 2, 2, 2, 2, false, false, false, 0},
  {"weight", "Input weights, gates packed.", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), 0, 2, 2, 2, 2, false, false, false, 0},
  {"recurrentWeight", "Recurrent weights, gates packed.", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), 0, 2, 2, 2, 2, false, false, false, 0},
  {"hiddenState", "Hidden state before the step.", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), 0, 2, 2, 2, 2, false, false, false, 0},
  {"bias", "Added values.", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), 0, 1, 1, 1, 1, true, false, true, offsetof(wnn_gru_cell_args, options.bias)},
  {"recurrentBias", "Recurrent bias, gates packed.", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), 0, 1, 1, 1, 1, true, false, true, offsetof(wnn_gru_cell_args, options.recurrent_bias)},
};
static const wnn_param_info params_gru_cell[] = {
  {"hiddenSize", "Number of features in the hidden state.", WNN_PARAM_U32, true, false, offsetof(wnn_gru_cell_args, hidden_size), 0, 1, NULL},
  {"resetAfter", "Applies the reset gate after the recurrent product.", WNN_PARAM_BOOL, false, false, offsetof(wnn_gru_cell_args, options.reset_after), 0, 0, NULL},
  {"layout", "Order of the data.", WNN_PARAM_ENUM, false, false, offsetof(wnn_gru_cell_args, options.layout), 0, 0, &enum_gru_weight_layout},
  {"activations", "Activation functions of the gates.", WNN_PARAM_ENUM_LIST, false, false, offsetof(wnn_gru_cell_args, options.activations), 2, 0, &enum_activation},
};
static const wnn_output_info outputs_gru_cell[] = {
  {"output", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), 0, 2, 2, 2, 2},
};
static const int8_t order_gru_cell[] = {3, -5, 2, -6, 1};
static const wnn_gru_cell_args defaults_gru_cell = {0, WNN_GRU_CELL_OPTIONS_INIT};

static const wnn_operand_info operands_lstm[] = {
  {"input", "Input tensor.", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), -1, 3, 3, 3, 3, false, false, false, 0},
  {"weight", "Input weights, gates packed.", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), 0, 3, 3, 3, 3, false, false, false, 0},
  {"recurrentWeight", "Recurrent weights, gates packed.", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), 0, 3, 3, 3, 3, false, false, false, 0},
  {"bias", "Added values.", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), 0, 2, 2, 2, 2, true, false, true, offsetof(wnn_lstm_args, options.bias)},
  {"recurrentBias", "Recurrent bias, gates packed.", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), 0, 2, 2, 2, 2, true, false, true, offsetof(wnn_lstm_args, options.recurrent_bias)},
  {"peepholeWeight", "Cell to gate weights: input, output, forget.", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), 0, 2, 2, 2, 2, true, false, true, offsetof(wnn_lstm_args, options.peephole_weight)},
  {"initialHiddenState", "Hidden state before the first step; zeros when absent.", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), 0, 3, 3, 3, 3, true, false, true, offsetof(wnn_lstm_args, options.initial_hidden_state)},
  {"initialCellState", "Cell state before the first step; zeros when absent.", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), 0, 3, 3, 3, 3, true, false, true, offsetof(wnn_lstm_args, options.initial_cell_state)},
};
static const wnn_param_info params_lstm[] = {
  {"steps", "Number of time steps.", WNN_PARAM_U32, true, false, offsetof(wnn_lstm_args, steps), 0, 1, NULL},
  {"hiddenSize", "Number of features in the hidden state.", WNN_PARAM_U32, true, false, offsetof(wnn_lstm_args, hidden_size), 0, 1, NULL},
  {"returnSequence", "Also returns the hidden state of every step.", WNN_PARAM_BOOL, false, false, offsetof(wnn_lstm_args, options.return_sequence), 0, 0, NULL},
  {"direction", "Order of the time steps, or both.", WNN_PARAM_ENUM, false, false, offsetof(wnn_lstm_args, options.direction), 0, 0, &enum_direction},
  {"layout", "Order of the data.", WNN_PARAM_ENUM, false, false, offsetof(wnn_lstm_args, options.layout), 0, 0, &enum_lstm_weight_layout},
  {"activations", "Activation functions of the gates.", WNN_PARAM_ENUM_LIST, false, false, offsetof(wnn_lstm_args, options.activations), 3, 0, &enum_activation},
};
static const wnn_output_info outputs_lstm[] = {
  {"output0", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), 0, 3, 3, 3, 3},
  {"output1", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), 0, 3, 3, 3, 3},
  {"output2", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), 0, 4, 4, 4, 4},
};
static const int8_t order_lstm[] = {5, -4, 3, -8, -7, 4, -6, -5, 2};
static const wnn_lstm_args defaults_lstm = {0, 0, WNN_LSTM_OPTIONS_INIT};

static const wnn_operand_info operands_lstm_cell[] = {
  {"input", "Input tensor.", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), -1, 2, 2, 2, 2, false, false, false, 0},
  {"weight", "Input weights, gates packed.", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), 0, 2, 2, 2, 2, false, false, false, 0},
  {"recurrentWeight", "Recurrent weights, gates packed.", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), 0, 2, 2, 2, 2, false, false, false, 0},
  {"hiddenState", "Hidden state before the step.", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), 0, 2, 2, 2, 2, false, false, false, 0},
  {"cellState", "Cell state before the step.", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), 0, 2, 2, 2, 2, false, false, false, 0},
  {"bias", "Added values.", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), 0, 1, 1, 1, 1, true, false, true, offsetof(wnn_lstm_cell_args, options.bias)},
  {"recurrentBias", "Recurrent bias, gates packed.", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), 0, 1, 1, 1, 1, true, false, true, offsetof(wnn_lstm_cell_args, options.recurrent_bias)},
  {"peepholeWeight", "Cell to gate weights: input, output, forget.", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), 0, 1, 1, 1, 1, true, false, true, offsetof(wnn_lstm_cell_args, options.peephole_weight)},
};
static const wnn_param_info params_lstm_cell[] = {
  {"hiddenSize", "Number of features in the hidden state.", WNN_PARAM_U32, true, false, offsetof(wnn_lstm_cell_args, hidden_size), 0, 1, NULL},
  {"layout", "Order of the data.", WNN_PARAM_ENUM, false, false, offsetof(wnn_lstm_cell_args, options.layout), 0, 0, &enum_lstm_weight_layout},
  {"activations", "Activation functions of the gates.", WNN_PARAM_ENUM_LIST, false, false, offsetof(wnn_lstm_cell_args, options.activations), 3, 0, &enum_activation},
};
static const wnn_output_info outputs_lstm_cell[] = {
  {"output0", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), 0, 2, 2, 2, 2},
  {"output1", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), 0, 2, 2, 2, 2},
};
static const int8_t order_lstm_cell[] = {2, -6, 1, -8, -7};
static const wnn_lstm_cell_args defaults_lstm_cell = {0, WNN_LSTM_CELL_OPTIONS_INIT};

static const wnn_operand_info operands_resample2d[] = {
  {"input", "Input tensor.", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT8) | WNN_TYPE_BIT(WNN_UINT8), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), -1, 4, 4, 4, 4, false, false, false, 0},
};
static const wnn_param_info params_resample2d[] = {
  {"mode", "Method.", WNN_PARAM_ENUM, false, false, offsetof(wnn_resample2d_args, options.mode), 0, 0, &enum_interpolation_mode},
  {"scales", "Scale factor of each axis; only determines the size.", WNN_PARAM_F32_LIST, false, false, offsetof(wnn_resample2d_args, options.scales), 2, 0, NULL},
  {"sizes", "Extent in each dimension.", WNN_PARAM_U32_LIST, false, false, offsetof(wnn_resample2d_args, options.sizes), 2, 1, NULL},
  {"axes", "Dimensions the operation works over; each at most once.", WNN_PARAM_U32_LIST, false, false, offsetof(wnn_resample2d_args, options.axes), 2, 0, NULL},
};
static const wnn_output_info outputs_resample2d[] = {
  {"output", WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16) | WNN_TYPE_BIT(WNN_INT8) | WNN_TYPE_BIT(WNN_UINT8), WNN_TYPE_BIT(WNN_FLOAT32) | WNN_TYPE_BIT(WNN_FLOAT16), 0, 4, 4, 4, 4},
};
static const int8_t order_resample2d[] = {3, 0, 1, 2};
static const wnn_resample2d_args defaults_resample2d = {WNN_RESAMPLE2D_OPTIONS_INIT};

const wnn_op_info wnn_op_rows[WNN_OP_COUNT] = {
  {"add", "binary", "Sum a + b of each pair of elements; integers wrap.", "#dom-mlgraphbuilder-add", "MLOperatorOptions", "MLBinarySupportLimits", operands_binary, NULL, outputs_binary, NULL, 2, 0, 1, 0, false, sizeof(wnn_binary_args), offsetof(wnn_binary_args, options.label), &defaults_binary},
  {"sub", "binary", "Difference a - b of each pair of elements; integers wrap.", "#dom-mlgraphbuilder-sub", "MLOperatorOptions", "MLBinarySupportLimits", operands_binary, NULL, outputs_binary, NULL, 2, 0, 1, 0, false, sizeof(wnn_binary_args), offsetof(wnn_binary_args, options.label), &defaults_binary},
  {"mul", "binary", "Product a * b of each pair of elements; integers wrap.", "#dom-mlgraphbuilder-mul", "MLOperatorOptions", "MLBinarySupportLimits", operands_binary, NULL, outputs_binary, NULL, 2, 0, 1, 0, false, sizeof(wnn_binary_args), offsetof(wnn_binary_args, options.label), &defaults_binary},
  {"div", "binary", "Quotient a / b of each pair of elements; integers truncate toward zero, division by an integer zero gives 0.", "#dom-mlgraphbuilder-div", "MLOperatorOptions", "MLBinarySupportLimits", operands_binary, NULL, outputs_binary, NULL, 2, 0, 1, 0, false, sizeof(wnn_binary_args), offsetof(wnn_binary_args, options.label), &defaults_binary},
  {"max", "binary", "The larger element of each pair; NaN propagates.", "#dom-mlgraphbuilder-max", "MLOperatorOptions", "MLBinarySupportLimits", operands_binary, NULL, outputs_binary, NULL, 2, 0, 1, 0, false, sizeof(wnn_binary_args), offsetof(wnn_binary_args, options.label), &defaults_binary},
  {"min", "binary", "The smaller element of each pair; NaN propagates.", "#dom-mlgraphbuilder-min", "MLOperatorOptions", "MLBinarySupportLimits", operands_binary, NULL, outputs_binary, NULL, 2, 0, 1, 0, false, sizeof(wnn_binary_args), offsetof(wnn_binary_args, options.label), &defaults_binary},
  {"pow", "binary", "a raised to the power b, element by element.", "#dom-mlgraphbuilder-pow", "MLOperatorOptions", "MLBinarySupportLimits", operands_binary, NULL, outputs_binary, NULL, 2, 0, 1, 0, false, sizeof(wnn_binary_args), offsetof(wnn_binary_args, options.label), &defaults_binary},
  {"equal", "logical", "1 where a equals b, else 0.", "#dom-mlgraphbuilder-equal", "MLOperatorOptions", "MLBinarySupportLimits", operands_comparison, NULL, outputs_comparison, NULL, 2, 0, 1, 0, false, sizeof(wnn_comparison_args), offsetof(wnn_comparison_args, options.label), &defaults_comparison},
  {"notEqual", "logical", "1 where a differs from b, else 0.", "#dom-mlgraphbuilder-notequal", "MLOperatorOptions", "MLBinarySupportLimits", operands_comparison, NULL, outputs_comparison, NULL, 2, 0, 1, 0, false, sizeof(wnn_comparison_args), offsetof(wnn_comparison_args, options.label), &defaults_comparison},
  {"greater", "logical", "1 where a is above b, else 0.", "#dom-mlgraphbuilder-greater", "MLOperatorOptions", "MLBinarySupportLimits", operands_comparison, NULL, outputs_comparison, NULL, 2, 0, 1, 0, false, sizeof(wnn_comparison_args), offsetof(wnn_comparison_args, options.label), &defaults_comparison},
  {"greaterOrEqual", "logical", "1 where a is at least b, else 0.", "#dom-mlgraphbuilder-greaterorequal", "MLOperatorOptions", "MLBinarySupportLimits", operands_comparison, NULL, outputs_comparison, NULL, 2, 0, 1, 0, false, sizeof(wnn_comparison_args), offsetof(wnn_comparison_args, options.label), &defaults_comparison},
  {"lesser", "logical", "1 where a is below b, else 0.", "#dom-mlgraphbuilder-lesser", "MLOperatorOptions", "MLBinarySupportLimits", operands_comparison, NULL, outputs_comparison, NULL, 2, 0, 1, 0, false, sizeof(wnn_comparison_args), offsetof(wnn_comparison_args, options.label), &defaults_comparison},
  {"lesserOrEqual", "logical", "1 where a is at most b, else 0.", "#dom-mlgraphbuilder-lesserorequal", "MLOperatorOptions", "MLBinarySupportLimits", operands_comparison, NULL, outputs_comparison, NULL, 2, 0, 1, 0, false, sizeof(wnn_comparison_args), offsetof(wnn_comparison_args, options.label), &defaults_comparison},
  {"logicalNot", "logical", "1 where a is zero, else 0.", "#dom-mlgraphbuilder-logicalnot", "MLOperatorOptions", "MLLogicalNotSupportLimits", operands_logical_not, NULL, outputs_logical_not, NULL, 1, 0, 1, 0, false, sizeof(wnn_logical_not_args), offsetof(wnn_logical_not_args, options.label), &defaults_logical_not},
  {"logicalAnd", "logical", "1 where both are non-zero, else 0.", "#dom-mlgraphbuilder-logicaland", "MLOperatorOptions", "MLBinarySupportLimits", operands_logical_binary, NULL, outputs_logical_binary, NULL, 2, 0, 1, 0, false, sizeof(wnn_logical_binary_args), offsetof(wnn_logical_binary_args, options.label), &defaults_logical_binary},
  {"logicalOr", "logical", "1 where either is non-zero, else 0.", "#dom-mlgraphbuilder-logicalor", "MLOperatorOptions", "MLBinarySupportLimits", operands_logical_binary, NULL, outputs_logical_binary, NULL, 2, 0, 1, 0, false, sizeof(wnn_logical_binary_args), offsetof(wnn_logical_binary_args, options.label), &defaults_logical_binary},
  {"logicalXor", "logical", "1 where exactly one is non-zero, else 0.", "#dom-mlgraphbuilder-logicalxor", "MLOperatorOptions", "MLBinarySupportLimits", operands_logical_binary, NULL, outputs_logical_binary, NULL, 2, 0, 1, 0, false, sizeof(wnn_logical_binary_args), offsetof(wnn_logical_binary_args, options.label), &defaults_logical_binary},
  {"isNaN", "logical", "1 where a is not a number, else 0.", "#dom-mlgraphbuilder-isnan", "MLOperatorOptions", "MLLogicalNotSupportLimits", operands_float_test, NULL, outputs_float_test, NULL, 1, 0, 1, 0, false, sizeof(wnn_float_test_args), offsetof(wnn_float_test_args, options.label), &defaults_float_test},
  {"isInfinite", "logical", "1 where a is an infinity of either sign, else 0.", "#dom-mlgraphbuilder-isinfinite", "MLOperatorOptions", "MLLogicalNotSupportLimits", operands_float_test, NULL, outputs_float_test, NULL, 1, 0, 1, 0, false, sizeof(wnn_float_test_args), offsetof(wnn_float_test_args, options.label), &defaults_float_test},
  {"abs", "unary", "Magnitude of each element.", "#dom-mlgraphbuilder-abs", "MLOperatorOptions", "MLSingleInputSupportLimits", operands_signed_unary, NULL, outputs_signed_unary, NULL, 1, 0, 1, 0, false, sizeof(wnn_signed_unary_args), offsetof(wnn_signed_unary_args, options.label), &defaults_signed_unary},
  {"neg", "unary", "Each element with its sign inverted.", "#dom-mlgraphbuilder-neg", "MLOperatorOptions", "MLSingleInputSupportLimits", operands_signed_unary, NULL, outputs_signed_unary, NULL, 1, 0, 1, 0, false, sizeof(wnn_signed_unary_args), offsetof(wnn_signed_unary_args, options.label), &defaults_signed_unary},
  {"sign", "unary", "-1, 0 or 1 by the sign of each element; 0 for NaN.", "#dom-mlgraphbuilder-sign", "MLOperatorOptions", "MLSingleInputSupportLimits", operands_signed_unary, NULL, outputs_signed_unary, NULL, 1, 0, 1, 0, false, sizeof(wnn_signed_unary_args), offsetof(wnn_signed_unary_args, options.label), &defaults_signed_unary},
  {"identity", "unary", "An unchanged copy.", "#dom-mlgraphbuilder-identity", "MLOperatorOptions", "MLSingleInputSupportLimits", operands_identity, NULL, outputs_identity, NULL, 1, 0, 1, 0, false, sizeof(wnn_identity_args), offsetof(wnn_identity_args, options.label), &defaults_identity},
  {"ceil", "unary", "Each element rounded up to a whole number.", "#dom-mlgraphbuilder-ceil", "MLOperatorOptions", "MLSingleInputSupportLimits", operands_float_unary, NULL, outputs_float_unary, NULL, 1, 0, 1, 0, false, sizeof(wnn_float_unary_args), offsetof(wnn_float_unary_args, options.label), &defaults_float_unary},
  {"cos", "unary", "Cosine of each element, in radians.", "#dom-mlgraphbuilder-cos", "MLOperatorOptions", "MLSingleInputSupportLimits", operands_float_unary, NULL, outputs_float_unary, NULL, 1, 0, 1, 0, false, sizeof(wnn_float_unary_args), offsetof(wnn_float_unary_args, options.label), &defaults_float_unary},
  {"erf", "unary", "Gauss error function of each element.", "#dom-mlgraphbuilder-erf", "MLOperatorOptions", "MLSingleInputSupportLimits", operands_float_unary, NULL, outputs_float_unary, NULL, 1, 0, 1, 0, false, sizeof(wnn_float_unary_args), offsetof(wnn_float_unary_args, options.label), &defaults_float_unary},
  {"exp", "unary", "e to the power of each element.", "#dom-mlgraphbuilder-exp", "MLOperatorOptions", "MLSingleInputSupportLimits", operands_float_unary, NULL, outputs_float_unary, NULL, 1, 0, 1, 0, false, sizeof(wnn_float_unary_args), offsetof(wnn_float_unary_args, options.label), &defaults_float_unary},
  {"floor", "unary", "Each element rounded down to a whole number.", "#dom-mlgraphbuilder-floor", "MLOperatorOptions", "MLSingleInputSupportLimits", operands_float_unary, NULL, outputs_float_unary, NULL, 1, 0, 1, 0, false, sizeof(wnn_float_unary_args), offsetof(wnn_float_unary_args, options.label), &defaults_float_unary},
  {"log", "unary", "Natural logarithm of each element.", "#dom-mlgraphbuilder-log", "MLOperatorOptions", "MLSingleInputSupportLimits", operands_float_unary, NULL, outputs_float_unary, NULL, 1, 0, 1, 0, false, sizeof(wnn_float_unary_args), offsetof(wnn_float_unary_args, options.label), &defaults_float_unary},
  {"reciprocal", "unary", "1 / x of each element.", "#dom-mlgraphbuilder-reciprocal", "MLOperatorOptions", "MLSingleInputSupportLimits", operands_float_unary, NULL, outputs_float_unary, NULL, 1, 0, 1, 0, false, sizeof(wnn_float_unary_args), offsetof(wnn_float_unary_args, options.label), &defaults_float_unary},
  {"roundEven", "unary", "Each element rounded to the nearest whole number, halves to the even one.", "#dom-mlgraphbuilder-roundeven", "MLOperatorOptions", "MLSingleInputSupportLimits", operands_float_unary, NULL, outputs_float_unary, NULL, 1, 0, 1, 0, false, sizeof(wnn_float_unary_args), offsetof(wnn_float_unary_args, options.label), &defaults_float_unary},
  {"sin", "unary", "Sine of each element, in radians.", "#dom-mlgraphbuilder-sin", "MLOperatorOptions", "MLSingleInputSupportLimits", operands_float_unary, NULL, outputs_float_unary, NULL, 1, 0, 1, 0, false, sizeof(wnn_float_unary_args), offsetof(wnn_float_unary_args, options.label), &defaults_float_unary},
  {"sqrt", "unary", "Square root of each element.", "#dom-mlgraphbuilder-sqrt", "MLOperatorOptions", "MLSingleInputSupportLimits", operands_float_unary, NULL, outputs_float_unary, NULL, 1, 0, 1, 0, false, sizeof(wnn_float_unary_args), offsetof(wnn_float_unary_args, options.label), &defaults_float_unary},
  {"tan", "unary", "Tangent of each element, in radians.", "#dom-mlgraphbuilder-tan", "MLOperatorOptions", "MLSingleInputSupportLimits", operands_float_unary, NULL, outputs_float_unary, NULL, 1, 0, 1, 0, false, sizeof(wnn_float_unary_args), offsetof(wnn_float_unary_args, options.label), &defaults_float_unary},
  {"elu", "activation", "Exponential linear unit: x from 0 up, alpha * (e^x - 1) below.", "#dom-mlgraphbuilder-elu", "MLEluOptions", "MLSingleInputSupportLimits", operands_elu, params_elu, outputs_elu, order_elu, 1, 1, 1, 1, false, sizeof(wnn_elu_args), offsetof(wnn_elu_args, options.label), &defaults_elu},
  {"gelu", "activation", "Gaussian error linear unit, the exact form with erf.", "#dom-mlgraphbuilder-gelu", "MLOperatorOptions", "MLSingleInputSupportLimits", operands_float_unary, NULL, outputs_float_unary, NULL, 1, 0, 1, 0, false, sizeof(wnn_float_unary_args), offsetof(wnn_float_unary_args, options.label), &defaults_float_unary},
  {"hardSigmoid", "activation", "alpha * x + beta, limited to 0 .. 1.", "#dom-mlgraphbuilder-hardsigmoid", "MLHardSigmoidOptions", "MLSingleInputSupportLimits", operands_hard_sigmoid, params_hard_sigmoid, outputs_hard_sigmoid, order_hard_sigmoid, 1, 2, 1, 2, false, sizeof(wnn_hard_sigmoid_args), offsetof(wnn_hard_sigmoid_args, options.label), &defaults_hard_sigmoid},
  {"hardSwish", "activation", "x * clamp(x + 3, 0, 6) / 6.", "#dom-mlgraphbuilder-hardswish", "MLOperatorOptions", "MLSingleInputSupportLimits", operands_float_unary, NULL, outputs_float_unary, NULL, 1, 0, 1, 0, false, sizeof(wnn_float_unary_args), offsetof(wnn_float_unary_args, options.label), &defaults_float_unary},
  {"leakyRelu", "activation", "x from 0 up, alpha * x below.", "#dom-mlgraphbuilder-leakyrelu", "MLLeakyReluOptions", "MLSingleInputSupportLimits", operands_leaky_relu, params_leaky_relu, outputs_leaky_relu, order_leaky_relu, 1, 1, 1, 1, false, sizeof(wnn_leaky_relu_args), offsetof(wnn_leaky_relu_args, options.label), &defaults_leaky_relu},
  {"linear", "activation", "alpha * x + beta.", "#dom-mlgraphbuilder-linear", "MLLinearOptions", "MLSingleInputSupportLimits", operands_linear, params_linear, outputs_linear, order_linear, 1, 2, 1, 2, false, sizeof(wnn_linear_args), offsetof(wnn_linear_args, options.label), &defaults_linear},
  {"prelu", "activation", "x from 0 up, slope * x below; the slope is a tensor.", "#dom-mlgraphbuilder-prelu", "MLOperatorOptions", "MLPreluSupportLimits", operands_prelu, NULL, outputs_prelu, NULL, 2, 0, 1, 0, false, sizeof(wnn_prelu_args), offsetof(wnn_prelu_args, options.label), &defaults_prelu},
  {"relu", "activation", "max(x, 0).", "#dom-mlgraphbuilder-relu", "MLOperatorOptions", "MLSingleInputSupportLimits", operands_relu, NULL, outputs_relu, NULL, 1, 0, 1, 0, false, sizeof(wnn_relu_args), offsetof(wnn_relu_args, options.label), &defaults_relu},
  {"sigmoid", "activation", "Logistic function 1 / (1 + e^-x).", "#dom-mlgraphbuilder-sigmoid", "MLOperatorOptions", "MLSingleInputSupportLimits", operands_float_unary, NULL, outputs_float_unary, NULL, 1, 0, 1, 0, false, sizeof(wnn_float_unary_args), offsetof(wnn_float_unary_args, options.label), &defaults_float_unary},
  {"softmax", "activation", "Exponentials along one axis, scaled to sum 1.", "#dom-mlgraphbuilder-softmax", "MLOperatorOptions", "MLSingleInputSupportLimits", operands_softmax, params_softmax, outputs_softmax, NULL, 1, 1, 1, 0, false, sizeof(wnn_softmax_args), offsetof(wnn_softmax_args, options.label), &defaults_softmax},
  {"softplus", "activation", "ln(1 + e^x).", "#dom-mlgraphbuilder-softplus", "MLOperatorOptions", "MLSingleInputSupportLimits", operands_float_unary, NULL, outputs_float_unary, NULL, 1, 0, 1, 0, false, sizeof(wnn_float_unary_args), offsetof(wnn_float_unary_args, options.label), &defaults_float_unary},
  {"softsign", "activation", "x / (1 + |x|).", "#dom-mlgraphbuilder-softsign", "MLOperatorOptions", "MLSingleInputSupportLimits", operands_float_unary, NULL, outputs_float_unary, NULL, 1, 0, 1, 0, false, sizeof(wnn_float_unary_args), offsetof(wnn_float_unary_args, options.label), &defaults_float_unary},
  {"tanh", "activation", "Hyperbolic tangent of each element.", "#dom-mlgraphbuilder-tanh", "MLOperatorOptions", "MLSingleInputSupportLimits", operands_float_unary, NULL, outputs_float_unary, NULL, 1, 0, 1, 0, false, sizeof(wnn_float_unary_args), offsetof(wnn_float_unary_args, options.label), &defaults_float_unary},
  {"conv2d", "convolution", "2-D convolution (cross-correlation) of a 4-D input with a 4-D filter.", "#dom-mlgraphbuilder-conv2d", "MLConv2dOptions", "MLConv2dSupportLimits", operands_conv2d, params_conv2d, outputs_conv2d, order_conv2d, 3, 6, 1, 7, false, sizeof(wnn_conv2d_args), offsetof(wnn_conv2d_args, options.label), &defaults_conv2d},
  {"convTranspose2d", "convolution", "Transposed 2-D convolution, which upsamples by its strides.", "#dom-mlgraphbuilder-convtranspose2d", "MLConvTranspose2dOptions", "MLConv2dSupportLimits", operands_conv_transpose2d, params_conv_transpose2d, outputs_conv_transpose2d, order_conv_transpose2d, 3, 8, 1, 9, false, sizeof(wnn_conv_transpose2d_args), offsetof(wnn_conv_transpose2d_args, options.label), &defaults_conv_transpose2d},
  {"averagePool2d", "pooling", "Mean over a sliding window; padding does not count.", "#dom-mlgraphbuilder-averagepool2d", "MLPool2dOptions", "MLSingleInputSupportLimits", operands_float_pool2d, params_float_pool2d, outputs_float_pool2d, order_float_pool2d, 1, 7, 1, 7, false, sizeof(wnn_float_pool2d_args), offsetof(wnn_float_pool2d_args, options.label), &defaults_float_pool2d},
  {"l2Pool2d", "pooling", "Euclidean norm over a sliding window.", "#dom-mlgraphbuilder-l2pool2d", "MLPool2dOptions", "MLSingleInputSupportLimits", operands_float_pool2d, params_float_pool2d, outputs_float_pool2d, order_float_pool2d, 1, 7, 1, 7, false, sizeof(wnn_float_pool2d_args), offsetof(wnn_float_pool2d_args, options.label), &defaults_float_pool2d},
  {"maxPool2d", "pooling", "Maximum over a sliding window; padding never wins.", "#dom-mlgraphbuilder-maxpool2d", "MLPool2dOptions", "MLSingleInputSupportLimits", operands_max_pool2d, params_max_pool2d, outputs_max_pool2d, order_max_pool2d, 1, 7, 1, 7, false, sizeof(wnn_max_pool2d_args), offsetof(wnn_max_pool2d_args, options.label), &defaults_max_pool2d},
  {"batchNormalization", "normalization", "Normalizes each channel by given mean and variance, then scales and shifts.", "#dom-mlgraphbuilder-batchnormalization", "MLBatchNormalizationOptions", "MLBatchNormalizationSupportLimits", operands_batch_normalization, params_batch_normalization, outputs_batch_normalization, order_batch_normalization, 5, 2, 1, 4, false, sizeof(wnn_batch_normalization_args), offsetof(wnn_batch_normalization_args, options.label), &defaults_batch_normalization},
  {"instanceNormalization", "normalization", "Normalizes each channel of each sample by its own spatial mean and variance.", "#dom-mlgraphbuilder-instancenormalization", "MLInstanceNormalizationOptions", "MLNormalizationSupportLimits", operands_instance_normalization, params_instance_normalization, outputs_instance_normalization, order_instance_normalization, 3, 2, 1, 4, false, sizeof(wnn_instance_normalization_args), offsetof(wnn_instance_normalization_args, options.label), &defaults_instance_normalization},
  {"layerNormalization", "normalization", "Normalizes over the given axes by the mean and variance found there.", "#dom-mlgraphbuilder-layernormalization", "MLLayerNormalizationOptions", "MLNormalizationSupportLimits", operands_layer_normalization, params_layer_normalization, outputs_layer_normalization, order_layer_normalization, 3, 2, 1, 4, false, sizeof(wnn_layer_normalization_args), offsetof(wnn_layer_normalization_args, options.label), &defaults_layer_normalization},
  {"gemm", "matrix", "alpha * A * B + beta * C for matrices, either one transposed on demand.", "#dom-mlgraphbuilder-gemm", "MLGemmOptions", "MLGemmSupportLimits", operands_gemm, params_gemm, outputs_gemm, order_gemm, 3, 4, 1, 5, false, sizeof(wnn_gemm_args), offsetof(wnn_gemm_args, options.label), &defaults_gemm},
  {"matmul", "matrix", "Matrix product; leading dimensions broadcast.", "#dom-mlgraphbuilder-matmul", "MLOperatorOptions", "MLBinarySupportLimits", operands_matmul, NULL, outputs_matmul, NULL, 2, 0, 1, 0, false, sizeof(wnn_matmul_args), offsetof(wnn_matmul_args, options.label), &defaults_matmul},
  {"triangular", "matrix", "Upper or lower triangle of the last two dimensions, zero elsewhere.", "#dom-mlgraphbuilder-triangular", "MLTriangularOptions", "MLSingleInputSupportLimits", operands_triangular, params_triangular, outputs_triangular, order_triangular, 1, 2, 1, 2, false, sizeof(wnn_triangular_args), offsetof(wnn_triangular_args, options.label), &defaults_triangular},
  {"argMax", "reduction", "Index of the largest element along an axis, the first one on a tie.", "#dom-mlgraphbuilder-argmax", "MLArgMinMaxOptions", "MLSingleInputSupportLimits", operands_arg_min_max, params_arg_min_max, outputs_arg_min_max, order_arg_min_max, 1, 3, 1, 2, false, sizeof(wnn_arg_min_max_args), offsetof(wnn_arg_min_max_args, options.label), &defaults_arg_min_max},
  {"argMin", "reduction", "Index of the smallest element along an axis, the first one on a tie.", "#dom-mlgraphbuilder-argmin", "MLArgMinMaxOptions", "MLSingleInputSupportLimits", operands_arg_min_max, params_arg_min_max, outputs_arg_min_max, order_arg_min_max, 1, 3, 1, 2, false, sizeof(wnn_arg_min_max_args), offsetof(wnn_arg_min_max_args, options.label), &defaults_arg_min_max},
  {"cumulativeSum", "reduction", "Running sum along an axis.", "#dom-mlgraphbuilder-cumulativesum", "MLCumulativeSumOptions", "MLSingleInputSupportLimits", operands_cumulative_sum, params_cumulative_sum, outputs_cumulative_sum, order_cumulative_sum, 1, 3, 1, 2, false, sizeof(wnn_cumulative_sum_args), offsetof(wnn_cumulative_sum_args, options.label), &defaults_cumulative_sum},
  {"reduceL1", "reduction", "Sum of magnitudes over axes.", "#dom-mlgraphbuilder-reducel1", "MLReduceOptions", "MLSingleInputSupportLimits", operands_wide_reduce, params_wide_reduce, outputs_wide_reduce, order_wide_reduce, 1, 2, 1, 2, false, sizeof(wnn_wide_reduce_args), offsetof(wnn_wide_reduce_args, options.label), &defaults_wide_reduce},
  {"reduceL2", "reduction", "Square root of the sum of squares over axes.", "#dom-mlgraphbuilder-reducel2", "MLReduceOptions", "MLSingleInputSupportLimits", operands_float_reduce, params_float_reduce, outputs_float_reduce, order_float_reduce, 1, 2, 1, 2, false, sizeof(wnn_float_reduce_args), offsetof(wnn_float_reduce_args, options.label), &defaults_float_reduce},
  {"reduceLogSum", "reduction", "Logarithm of the sum over axes.", "#dom-mlgraphbuilder-reducelogsum", "MLReduceOptions", "MLSingleInputSupportLimits", operands_float_reduce, params_float_reduce, outputs_float_reduce, order_float_reduce, 1, 2, 1, 2, false, sizeof(wnn_float_reduce_args), offsetof(wnn_float_reduce_args, options.label), &defaults_float_reduce},
  {"reduceLogSumExp", "reduction", "Logarithm of the sum of exponentials over axes.", "#dom-mlgraphbuilder-reducelogsumexp", "MLReduceOptions", "MLSingleInputSupportLimits", operands_float_reduce, params_float_reduce, outputs_float_reduce, order_float_reduce, 1, 2, 1, 2, false, sizeof(wnn_float_reduce_args), offsetof(wnn_float_reduce_args, options.label), &defaults_float_reduce},
  {"reduceMax", "reduction", "Maximum over axes; NaN propagates.", "#dom-mlgraphbuilder-reducemax", "MLReduceOptions", "MLSingleInputSupportLimits", operands_any_reduce, params_any_reduce, outputs_any_reduce, order_any_reduce, 1, 2, 1, 2, false, sizeof(wnn_any_reduce_args), offsetof(wnn_any_reduce_args, options.label), &defaults_any_reduce},
  {"reduceMean", "reduction", "Mean over axes.", "#dom-mlgraphbuilder-reducemean", "MLReduceOptions", "MLSingleInputSupportLimits", operands_float_reduce, params_float_reduce, outputs_float_reduce, order_float_reduce, 1, 2, 1, 2, false, sizeof(wnn_float_reduce_args), offsetof(wnn_float_reduce_args, options.label), &defaults_float_reduce},
  {"reduceMin", "reduction", "Minimum over axes; NaN propagates.", "#dom-mlgraphbuilder-reducemin", "MLReduceOptions", "MLSingleInputSupportLimits", operands_any_reduce, params_any_reduce, outputs_any_reduce, order_any_reduce, 1, 2, 1, 2, false, sizeof(wnn_any_reduce_args), offsetof(wnn_any_reduce_args, options.label), &defaults_any_reduce},
  {"reduceProduct", "reduction", "Product over axes.", "#dom-mlgraphbuilder-reduceproduct", "MLReduceOptions", "MLSingleInputSupportLimits", operands_reduce_product, params_reduce_product, outputs_reduce_product, order_reduce_product, 1, 2, 1, 2, false, sizeof(wnn_reduce_product_args), offsetof(wnn_reduce_product_args, options.label), &defaults_reduce_product},
  {"reduceSum", "reduction", "Sum over axes.", "#dom-mlgraphbuilder-reducesum", "MLReduceOptions", "MLSingleInputSupportLimits", operands_wide_reduce, params_wide_reduce, outputs_wide_reduce, order_wide_reduce, 1, 2, 1, 2, false, sizeof(wnn_wide_reduce_args), offsetof(wnn_wide_reduce_args, options.label), &defaults_wide_reduce},
  {"reduceSumSquare", "reduction", "Sum of squares over axes.", "#dom-mlgraphbuilder-reducesumsquare", "MLReduceOptions", "MLSingleInputSupportLimits", operands_wide_reduce, params_wide_reduce, outputs_wide_reduce, order_wide_reduce, 1, 2, 1, 2, false, sizeof(wnn_wide_reduce_args), offsetof(wnn_wide_reduce_args, options.label), &defaults_wide_reduce},
  {"cast", "shape", "Converts each element to another data type.", "#dom-mlgraphbuilder-cast", "MLOperatorOptions", "MLSingleInputSupportLimits", operands_cast, params_cast, outputs_cast, NULL, 1, 1, 1, 0, false, sizeof(wnn_cast_args), offsetof(wnn_cast_args, options.label), &defaults_cast},
  {"clamp", "shape", "Limits each element to minValue .. maxValue.", "#dom-mlgraphbuilder-clamp", "MLClampOptions", "MLSingleInputSupportLimits", operands_clamp, params_clamp, outputs_clamp, order_clamp, 1, 2, 1, 2, false, sizeof(wnn_clamp_args), offsetof(wnn_clamp_args, options.label), &defaults_clamp},
  {"concat", "shape", "Joins tensors along an axis.", "#dom-mlgraphbuilder-concat", "MLOperatorOptions", "MLConcatSupportLimits", operands_concat, params_concat, outputs_concat, NULL, 1, 1, 1, 0, false, sizeof(wnn_concat_args), offsetof(wnn_concat_args, options.label), &defaults_concat},
  {"expand", "shape", "Repeats dimensions of size 1 to reach a larger shape.", "#dom-mlgraphbuilder-expand", "MLOperatorOptions", "MLSingleInputSupportLimits", operands_expand, params_expand, outputs_expand, NULL, 1, 1, 1, 0, false, sizeof(wnn_expand_args), offsetof(wnn_expand_args, options.label), &defaults_expand},
  {"pad", "shape", "Adds elements around the tensor.", "#dom-mlgraphbuilder-pad", "MLPadOptions", "MLSingleInputSupportLimits", operands_pad, params_pad, outputs_pad, order_pad, 1, 4, 1, 2, false, sizeof(wnn_pad_args), offsetof(wnn_pad_args, options.label), &defaults_pad},
  {"reshape", "shape", "The same elements under another shape.", "#dom-mlgraphbuilder-reshape", "MLOperatorOptions", "MLSingleInputSupportLimits", operands_reshape, params_reshape, outputs_reshape, NULL, 1, 1, 1, 0, false, sizeof(wnn_reshape_args), offsetof(wnn_reshape_args, options.label), &defaults_reshape},
  {"reverse", "shape", "Reverses the order of elements along axes.", "#dom-mlgraphbuilder-reverse", "MLReverseOptions", "MLSingleInputSupportLimits", operands_reverse, params_reverse, outputs_reverse, order_reverse, 1, 1, 1, 1, false, sizeof(wnn_reverse_args), offsetof(wnn_reverse_args, options.label), &defaults_reverse},
  {"slice", "shape", "A window of the tensor, optionally strided.", "#dom-mlgraphbuilder-slice", "MLSliceOptions", "MLSingleInputSupportLimits", operands_slice, params_slice, outputs_slice, order_slice, 1, 3, 1, 1, false, sizeof(wnn_slice_args), offsetof(wnn_slice_args, options.label), &defaults_slice},
  {"split", "shape", "Cuts the tensor into parts along an axis.", "#dom-mlgraphbuilder-split", "MLSplitOptions", "MLSplitSupportLimits", operands_split, params_split, outputs_split, order_split, 1, 2, 1, 1, true, sizeof(wnn_split_args), offsetof(wnn_split_args, options.label), &defaults_split},
  {"tile", "shape", "Repeats the whole tensor along each dimension.", "#dom-mlgraphbuilder-tile", "MLOperatorOptions", "MLSingleInputSupportLimits", operands_tile, params_tile, outputs_tile, NULL, 1, 1, 1, 0, false, sizeof(wnn_tile_args), offsetof(wnn_tile_args, options.label), &defaults_tile},
  {"transpose", "shape", "Permutes the dimensions.", "#dom-mlgraphbuilder-transpose", "MLTransposeOptions", "MLSingleInputSupportLimits", operands_transpose, params_transpose, outputs_transpose, order_transpose, 1, 1, 1, 1, false, sizeof(wnn_transpose_args), offsetof(wnn_transpose_args, options.label), &defaults_transpose},
  {"gather", "gather-scatter", "Takes slices along an axis by index.", "#dom-mlgraphbuilder-gather", "MLGatherOptions", "MLGatherSupportLimits", operands_gather, params_gather, outputs_gather, order_gather, 2, 1, 1, 1, false, sizeof(wnn_gather_args), offsetof(wnn_gather_args, options.label), &defaults_gather},
  {"gatherElements", "gather-scatter", "Takes single elements along an axis by index.", "#dom-mlgraphbuilder-gatherelements", "MLGatherOptions", "MLGatherSupportLimits", operands_gather_elements, params_gather_elements, outputs_gather_elements, order_gather_elements, 2, 1, 1, 1, false, sizeof(wnn_gather_elements_args), offsetof(wnn_gather_elements_args, options.label), &defaults_gather_elements},
  {"gatherND", "gather-scatter", "Takes slices by full coordinates.", "#dom-mlgraphbuilder-gathernd", "MLOperatorOptions", "MLGatherSupportLimits", operands_gather_nd, NULL, outputs_gather_nd, NULL, 2, 0, 1, 0, false, sizeof(wnn_gather_nd_args), offsetof(wnn_gather_nd_args, options.label), &defaults_gather_nd},
  {"scatterElements", "gather-scatter", "A copy of input with single elements replaced along an axis.", "#dom-mlgraphbuilder-scatterelements", "MLScatterOptions", "MLScatterSupportLimits", operands_scatter_elements, params_scatter_elements, outputs_scatter_elements, order_scatter_elements, 3, 1, 1, 1, false, sizeof(wnn_scatter_elements_args), offsetof(wnn_scatter_elements_args, options.label), &defaults_scatter_elements},
  {"scatterND", "gather-scatter", "A copy of input with slices replaced at full coordinates.", "#dom-mlgraphbuilder-scatternd", "MLOperatorOptions", "MLScatterSupportLimits", operands_scatter_nd, NULL, outputs_scatter_nd, NULL, 3, 0, 1, 0, false, sizeof(wnn_scatter_nd_args), offsetof(wnn_scatter_nd_args, options.label), &defaults_scatter_nd},
  {"where", "gather-scatter", "Elements of trueValue or falseValue, chosen by condition.", "#dom-mlgraphbuilder-where", "MLOperatorOptions", "MLWhereSupportLimits", operands_where, NULL, outputs_where, NULL, 3, 0, 1, 0, false, sizeof(wnn_where_args), offsetof(wnn_where_args, options.label), &defaults_where},
  {"dequantizeLinear", "quantization", "(input - zeroPoint) * scale; scale and zeroPoint broadcast by blocks.", "#dom-mlgraphbuilder-dequantizelinear", "MLOperatorOptions", "MLQuantizeDequantizeLinearSupportLimits", operands_dequantize_linear, NULL, outputs_dequantize_linear, NULL, 3, 0, 1, 0, false, sizeof(wnn_dequantize_linear_args), offsetof(wnn_dequantize_linear_args, options.label), &defaults_dequantize_linear},
  {"quantizeLinear", "quantization", "roundEven(input / scale) + zeroPoint, limited to the range of the integer type.", "#dom-mlgraphbuilder-quantizelinear", "MLOperatorOptions", "MLQuantizeDequantizeLinearSupportLimits", operands_quantize_linear, NULL, outputs_quantize_linear, NULL, 3, 0, 1, 0, false, sizeof(wnn_quantize_linear_args), offsetof(wnn_quantize_linear_args, options.label), &defaults_quantize_linear},
  {"gru", "recurrent", "Gated recurrent unit over a whole sequence.", "#dom-mlgraphbuilder-gru", "MLGruOptions", "MLGruSupportLimits", operands_gru, params_gru, outputs_gru, order_gru, 6, 7, 2, 8, true, sizeof(wnn_gru_args), offsetof(wnn_gru_args, options.label), &defaults_gru},
  {"gruCell", "recurrent", "One step of a gated recurrent unit.", "#dom-mlgraphbuilder-grucell", "MLGruCellOptions", "MLGruCellSupportLimits", operands_gru_cell, params_gru_cell, outputs_gru_cell, order_gru_cell, 6, 4, 1, 5, false, sizeof(wnn_gru_cell_args), offsetof(wnn_gru_cell_args, options.label), &defaults_gru_cell},
  {"lstm", "recurrent", "Long short-term memory over a whole sequence.", "#dom-mlgraphbuilder-lstm", "MLLstmOptions", "MLLstmSupportLimits", operands_lstm, params_lstm, outputs_lstm, order_lstm, 8, 6, 3, 9, true, sizeof(wnn_lstm_args), offsetof(wnn_lstm_args, options.label), &defaults_lstm},
  {"lstmCell", "recurrent", "One step of a long short-term memory.", "#dom-mlgraphbuilder-lstmcell", "MLLstmCellOptions", "MLLstmCellSupportLimits", operands_lstm_cell, params_lstm_cell, outputs_lstm_cell, order_lstm_cell, 8, 3, 2, 5, true, sizeof(wnn_lstm_cell_args), offsetof(wnn_lstm_cell_args, options.label), &defaults_lstm_cell},
  {"resample2d", "resampling", "Resizes two dimensions of a 4-D tensor.", "#dom-mlgraphbuilder-resample2d", "MLResample2dOptions", "MLSingleInputSupportLimits", operands_resample2d, params_resample2d, outputs_resample2d, order_resample2d, 1, 4, 1, 4, false, sizeof(wnn_resample2d_args), offsetof(wnn_resample2d_args, options.label), &defaults_resample2d},
};

wnn_infer_fn *const wnn_op_infer[WNN_OP_COUNT] = {
  wnn_infer_broadcast,
  wnn_infer_broadcast,
  wnn_infer_broadcast,
  wnn_infer_broadcast,
  wnn_infer_broadcast,
  wnn_infer_broadcast,
  wnn_infer_broadcast,
  wnn_infer_broadcast,
  wnn_infer_broadcast,
  wnn_infer_broadcast,
  wnn_infer_broadcast,
  wnn_infer_broadcast,
  wnn_infer_broadcast,
  wnn_infer_unary,
  wnn_infer_broadcast,
  wnn_infer_broadcast,
  wnn_infer_broadcast,
  wnn_infer_unary,
  wnn_infer_unary,
  wnn_infer_unary,
  wnn_infer_unary,
  wnn_infer_unary,
  wnn_infer_unary,
  wnn_infer_unary,
  wnn_infer_unary,
  wnn_infer_unary,
  wnn_infer_unary,
  wnn_infer_unary,
  wnn_infer_unary,
  wnn_infer_unary,
  wnn_infer_unary,
  wnn_infer_unary,
  wnn_infer_unary,
  wnn_infer_unary,
  wnn_infer_unary,
  wnn_infer_unary,
  wnn_infer_unary,
  wnn_infer_unary,
  wnn_infer_unary,
  wnn_infer_unary,
  wnn_infer_broadcast,
  wnn_infer_unary,
  wnn_infer_unary,
  wnn_infer_softmax,
  wnn_infer_unary,
  wnn_infer_unary,
  wnn_infer_unary,
  wnn_infer_conv2d,
  wnn_infer_conv_transpose2d,
  wnn_infer_pool2d,
  wnn_infer_pool2d,
  wnn_infer_pool2d,
  wnn_infer_batch_normalization,
  wnn_infer_instance_normalization,
  wnn_infer_layer_normalization,
  wnn_infer_gemm,
  wnn_infer_matmul,
  wnn_infer_triangular,
  wnn_infer_arg_min_max,
  wnn_infer_arg_min_max,
  wnn_infer_cumulative_sum,
  wnn_infer_reduce,
  wnn_infer_reduce,
  wnn_infer_reduce,
  wnn_infer_reduce,
  wnn_infer_reduce,
  wnn_infer_reduce,
  wnn_infer_reduce,
  wnn_infer_reduce,
  wnn_infer_reduce,
  wnn_infer_reduce,
  wnn_infer_cast,
  wnn_infer_clamp,
  wnn_infer_concat,
  wnn_infer_expand,
  wnn_infer_pad,
  wnn_infer_reshape,
  wnn_infer_reverse,
  wnn_infer_slice,
  wnn_infer_split,
  wnn_infer_tile,
  wnn_infer_transpose,
  wnn_infer_gather,
  wnn_infer_gather_elements,
  wnn_infer_gather_nd,
  wnn_infer_scatter_elements,
  wnn_infer_scatter_nd,
  wnn_infer_broadcast,
  wnn_infer_dequantize_linear,
  wnn_infer_quantize_linear,
  wnn_infer_gru,
  wnn_infer_gru_cell,
  wnn_infer_lstm,
  wnn_infer_lstm_cell,
  wnn_infer_resample2d,
};
