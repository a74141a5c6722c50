/* Generated from ops/ops.json by tools/gen.mjs; edit the table, not this file. */
#ifndef WEBNN_WEBNN_OPS_H
#define WEBNN_WEBNN_OPS_H

#include <webnn/webnn.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Operations, in the order of the table. Values are stable: new operations are appended. */
typedef enum wnn_op {
  WNN_OP_ADD = 0,
  WNN_OP_SUB = 1,
  WNN_OP_MUL = 2,
  WNN_OP_DIV = 3,
  WNN_OP_MAX = 4,
  WNN_OP_MIN = 5,
  WNN_OP_POW = 6,
  WNN_OP_EQUAL = 7,
  WNN_OP_NOT_EQUAL = 8,
  WNN_OP_GREATER = 9,
  WNN_OP_GREATER_OR_EQUAL = 10,
  WNN_OP_LESSER = 11,
  WNN_OP_LESSER_OR_EQUAL = 12,
  WNN_OP_LOGICAL_NOT = 13,
  WNN_OP_LOGICAL_AND = 14,
  WNN_OP_LOGICAL_OR = 15,
  WNN_OP_LOGICAL_XOR = 16,
  WNN_OP_IS_NAN = 17,
  WNN_OP_IS_INFINITE = 18,
  WNN_OP_ABS = 19,
  WNN_OP_NEG = 20,
  WNN_OP_SIGN = 21,
  WNN_OP_IDENTITY = 22,
  WNN_OP_CEIL = 23,
  WNN_OP_COS = 24,
  WNN_OP_ERF = 25,
  WNN_OP_EXP = 26,
  WNN_OP_FLOOR = 27,
  WNN_OP_LOG = 28,
  WNN_OP_RECIPROCAL = 29,
  WNN_OP_ROUND_EVEN = 30,
  WNN_OP_SIN = 31,
  WNN_OP_SQRT = 32,
  WNN_OP_TAN = 33,
  WNN_OP_ELU = 34,
  WNN_OP_GELU = 35,
  WNN_OP_HARD_SIGMOID = 36,
  WNN_OP_HARD_SWISH = 37,
  WNN_OP_LEAKY_RELU = 38,
  WNN_OP_LINEAR = 39,
  WNN_OP_PRELU = 40,
  WNN_OP_RELU = 41,
  WNN_OP_SIGMOID = 42,
  WNN_OP_SOFTMAX = 43,
  WNN_OP_SOFTPLUS = 44,
  WNN_OP_SOFTSIGN = 45,
  WNN_OP_TANH = 46,
  WNN_OP_CONV2D = 47,
  WNN_OP_CONV_TRANSPOSE2D = 48,
  WNN_OP_AVERAGE_POOL2D = 49,
  WNN_OP_L2_POOL2D = 50,
  WNN_OP_MAX_POOL2D = 51,
  WNN_OP_BATCH_NORMALIZATION = 52,
  WNN_OP_INSTANCE_NORMALIZATION = 53,
  WNN_OP_LAYER_NORMALIZATION = 54,
  WNN_OP_GEMM = 55,
  WNN_OP_MATMUL = 56,
  WNN_OP_TRIANGULAR = 57,
  WNN_OP_ARG_MAX = 58,
  WNN_OP_ARG_MIN = 59,
  WNN_OP_CUMULATIVE_SUM = 60,
  WNN_OP_REDUCE_L1 = 61,
  WNN_OP_REDUCE_L2 = 62,
  WNN_OP_REDUCE_LOG_SUM = 63,
  WNN_OP_REDUCE_LOG_SUM_EXP = 64,
  WNN_OP_REDUCE_MAX = 65,
  WNN_OP_REDUCE_MEAN = 66,
  WNN_OP_REDUCE_MIN = 67,
  WNN_OP_REDUCE_PRODUCT = 68,
  WNN_OP_REDUCE_SUM = 69,
  WNN_OP_REDUCE_SUM_SQUARE = 70,
  WNN_OP_CAST = 71,
  WNN_OP_CLAMP = 72,
  WNN_OP_CONCAT = 73,
  WNN_OP_EXPAND = 74,
  WNN_OP_PAD = 75,
  WNN_OP_RESHAPE = 76,
  WNN_OP_REVERSE = 77,
  WNN_OP_SLICE = 78,
  WNN_OP_SPLIT = 79,
  WNN_OP_TILE = 80,
  WNN_OP_TRANSPOSE = 81,
  WNN_OP_GATHER = 82,
  WNN_OP_GATHER_ELEMENTS = 83,
  WNN_OP_GATHER_ND = 84,
  WNN_OP_SCATTER_ELEMENTS = 85,
  WNN_OP_SCATTER_ND = 86,
  WNN_OP_WHERE = 87,
  WNN_OP_DEQUANTIZE_LINEAR = 88,
  WNN_OP_QUANTIZE_LINEAR = 89,
  WNN_OP_GRU = 90,
  WNN_OP_GRU_CELL = 91,
  WNN_OP_LSTM = 92,
  WNN_OP_LSTM_CELL = 93,
  WNN_OP_RESAMPLE2D = 94,
  WNN_OP_COUNT = 95
} wnn_op;

/* ---- Enumerations ---- */

typedef enum wnn_input_layout { /* MLInputOperandLayout */
  WNN_INPUT_LAYOUT_NCHW = 0,
  WNN_INPUT_LAYOUT_NHWC = 1,
} wnn_input_layout;

typedef enum wnn_conv2d_filter_layout { /* MLConv2dFilterOperandLayout */
  WNN_CONV2D_FILTER_LAYOUT_OIHW = 0,
  WNN_CONV2D_FILTER_LAYOUT_HWIO = 1,
  WNN_CONV2D_FILTER_LAYOUT_OHWI = 2,
  WNN_CONV2D_FILTER_LAYOUT_IHWO = 3,
} wnn_conv2d_filter_layout;

typedef enum wnn_conv_transpose2d_filter_layout { /* MLConvTranspose2dFilterOperandLayout */
  WNN_CONV_TRANSPOSE2D_FILTER_LAYOUT_IOHW = 0,
  WNN_CONV_TRANSPOSE2D_FILTER_LAYOUT_HWOI = 1,
  WNN_CONV_TRANSPOSE2D_FILTER_LAYOUT_OHWI = 2,
} wnn_conv_transpose2d_filter_layout;

typedef enum wnn_gru_weight_layout { /* MLGruWeightLayout */
  WNN_GRU_WEIGHT_LAYOUT_ZRN = 0,
  WNN_GRU_WEIGHT_LAYOUT_RZN = 1,
} wnn_gru_weight_layout;

typedef enum wnn_activation { /* MLRecurrentNetworkActivation */
  WNN_ACTIVATION_RELU = 0,
  WNN_ACTIVATION_SIGMOID = 1,
  WNN_ACTIVATION_TANH = 2,
} wnn_activation;

typedef enum wnn_direction { /* MLRecurrentNetworkDirection */
  WNN_DIRECTION_FORWARD = 0,
  WNN_DIRECTION_BACKWARD = 1,
  WNN_DIRECTION_BOTH = 2,
} wnn_direction;

typedef enum wnn_lstm_weight_layout { /* MLLstmWeightLayout */
  WNN_LSTM_WEIGHT_LAYOUT_IOFG = 0,
  WNN_LSTM_WEIGHT_LAYOUT_IFGO = 1,
} wnn_lstm_weight_layout;

typedef enum wnn_padding_mode { /* MLPaddingMode */
  WNN_PADDING_MODE_CONSTANT = 0,
  WNN_PADDING_MODE_EDGE = 1,
  WNN_PADDING_MODE_REFLECTION = 2,
} wnn_padding_mode;

typedef enum wnn_rounding { /* MLRoundingType */
  WNN_ROUNDING_FLOOR = 0,
  WNN_ROUNDING_CEIL = 1,
} wnn_rounding;

typedef enum wnn_interpolation_mode { /* MLInterpolationMode */
  WNN_INTERPOLATION_MODE_NEAREST_NEIGHBOR = 0,
  WNN_INTERPOLATION_MODE_LINEAR = 1,
} wnn_interpolation_mode;

/* ---- Options. Start from the INIT macro and set what differs; NULL stands for all defaults. ---- */

typedef struct wnn_operator_options { /* MLOperatorOptions */
  const char *label; /* Names the operation in messages; may be NULL. */
} wnn_operator_options;
#define WNN_OPERATOR_OPTIONS_INIT {NULL}

typedef struct wnn_elu_options { /* MLEluOptions */
  const char *label; /* Names the operation in messages; may be NULL. */
  double alpha; /* Factor alpha. Default 1. */
} wnn_elu_options;
#define WNN_ELU_OPTIONS_INIT {NULL, 1.0}

typedef struct wnn_hard_sigmoid_options { /* MLHardSigmoidOptions */
  const char *label; /* Names the operation in messages; may be NULL. */
  double alpha; /* Factor alpha. Default 0.2. */
  double beta; /* Factor or offset beta. Default 0.5. */
} wnn_hard_sigmoid_options;
#define WNN_HARD_SIGMOID_OPTIONS_INIT {NULL, 0.2, 0.5}

typedef struct wnn_leaky_relu_options { /* MLLeakyReluOptions */
  const char *label; /* Names the operation in messages; may be NULL. */
  double alpha; /* Factor alpha. Default 0.01. */
} wnn_leaky_relu_options;
#define WNN_LEAKY_RELU_OPTIONS_INIT {NULL, 0.01}

typedef struct wnn_linear_options { /* MLLinearOptions */
  const char *label; /* Names the operation in messages; may be NULL. */
  double alpha; /* Factor alpha. Default 1. */
  double beta; /* Factor or offset beta. Default 0. */
} wnn_linear_options;
#define WNN_LINEAR_OPTIONS_INIT {NULL, 1.0, 0.0}

typedef struct wnn_conv2d_options { /* MLConv2dOptions */
  const char *label; /* Names the operation in messages; may be NULL. */
  wnn_operand *bias; /* Added values. */
  wnn_u32_list dilations; /* Spacing of the window taps: height, width. Length 2. */
  wnn_conv2d_filter_layout filter_layout; /* Layout of the filter. Default oihw. */
  uint32_t groups; /* Number of channel groups. Default 1. */
  wnn_input_layout input_layout; /* Layout of input and output. Default nchw. */
  wnn_u32_list padding; /* Zero padding: top, bottom, left, right. Length 4. */
  wnn_u32_list strides; /* Step for each dimension. Length 2. */
} wnn_conv2d_options;
#define WNN_CONV2D_OPTIONS_INIT {NULL, NULL, {NULL, 0}, WNN_CONV2D_FILTER_LAYOUT_OIHW, 1, WNN_INPUT_LAYOUT_NCHW, {NULL, 0}, {NULL, 0}}

typedef struct wnn_conv_transpose2d_options { /* MLConvTranspose2dOptions */
  const char *label; /* Names the operation in messages; may be NULL. */
  wnn_operand *bias; /* Added values. */
  wnn_u32_list dilations; /* Spacing of the window taps: height, width. Length 2. */
  wnn_conv_transpose2d_filter_layout filter_layout; /* Layout of the filter. Default iohw. */
  uint32_t groups; /* Number of channel groups. Default 1. */
  wnn_input_layout input_layout; /* Layout of input and output. Default nchw. */
  wnn_u32_list output_padding; /* Rows and columns added at the end of the output. Length 2. */
  wnn_u32_list output_sizes; /* Output height and width; overrides what would be computed. Length 2. */
  wnn_u32_list padding; /* Zero padding: top, bottom, left, right. Length 4. */
  wnn_u32_list strides; /* Step for each dimension. Length 2. */
} wnn_conv_transpose2d_options;
#define WNN_CONV_TRANSPOSE2D_OPTIONS_INIT {NULL, NULL, {NULL, 0}, WNN_CONV_TRANSPOSE2D_FILTER_LAYOUT_IOHW, 1, WNN_INPUT_LAYOUT_NCHW, {NULL, 0}, {NULL, 0}, {NULL, 0}, {NULL, 0}}

typedef struct wnn_pool2d_options { /* MLPool2dOptions */
  const char *label; /* Names the operation in messages; may be NULL. */
  wnn_u32_list dilations; /* Spacing of the window taps: height, width. Length 2. */
  wnn_input_layout layout; /* Order of the data. Default nchw. */
  wnn_rounding output_shape_rounding; /* Rounding of the computed output size. Default floor. */
  wnn_u32_list output_sizes; /* Output height and width; overrides what would be computed. Length 2. */
  wnn_u32_list padding; /* Zero padding: top, bottom, left, right. Length 4. */
  wnn_u32_list strides; /* Step for each dimension. Length 2. */
  wnn_u32_list window_dimensions; /* Window height and width; the whole image when absent. Length 2. */
} wnn_pool2d_options;
#define WNN_POOL2D_OPTIONS_INIT {NULL, {NULL, 0}, WNN_INPUT_LAYOUT_NCHW, WNN_ROUNDING_FLOOR, {NULL, 0}, {NULL, 0}, {NULL, 0}, {NULL, 0}}

typedef struct wnn_batch_normalization_options { /* MLBatchNormalizationOptions */
  const char *label; /* Names the operation in messages; may be NULL. */
  uint32_t axis; /* Dimension the operation works along. Default 1. */
  wnn_operand *bias; /* Added values. */
  double epsilon; /* Added to the variance before the root. Default 0.00001. */
  wnn_operand *scale; /* Factors. */
} wnn_batch_normalization_options;
#define WNN_BATCH_NORMALIZATION_OPTIONS_INIT {NULL, 1, NULL, 0.00001, NULL}

typedef struct wnn_instance_normalization_options { /* MLInstanceNormalizationOptions */
  const char *label; /* Names the operation in messages; may be NULL. */
  wnn_operand *bias; /* Added values. */
  double epsilon; /* Added to the variance before the root. Default 0.00001. */
  wnn_input_layout layout; /* Order of the data. Default nchw. */
  wnn_operand *scale; /* Factors. */
} wnn_instance_normalization_options;
#define WNN_INSTANCE_NORMALIZATION_OPTIONS_INIT {NULL, NULL, 0.00001, WNN_INPUT_LAYOUT_NCHW, NULL}

typedef struct wnn_layer_normalization_options { /* MLLayerNormalizationOptions */
  const char *label; /* Names the operation in messages; may be NULL. */
  wnn_u32_list axes; /* Dimensions the operation works over; each at most once. */
  wnn_operand *bias; /* Added values. */
  double epsilon; /* Added to the variance before the root. Default 0.00001. */
  wnn_operand *scale; /* Factors. */
} wnn_layer_normalization_options;
#define WNN_LAYER_NORMALIZATION_OPTIONS_INIT {NULL, {NULL, 0}, NULL, 0.00001, NULL}

typedef struct wnn_gemm_options { /* MLGemmOptions */
  const char *label; /* Names the operation in messages; may be NULL. */
  bool a_transpose; /* Transposes a first. Default false. */
  double alpha; /* Factor alpha. Default 1. */
  bool b_transpose; /* Transposes b first. Default false. */
  double beta; /* Factor or offset beta. Default 1. */
  wnn_operand *c; /* Added matrix, broadcast to the result. */
} wnn_gemm_options;
#define WNN_GEMM_OPTIONS_INIT {NULL, false, 1.0, false, 1.0, NULL}

typedef struct wnn_triangular_options { /* MLTriangularOptions */
  const char *label; /* Names the operation in messages; may be NULL. */
  int32_t diagonal; /* Offset of the diagonal; positive is above the main one. Default 0. */
  bool upper; /* Keeps the upper triangle, else the lower. Default true. */
} wnn_triangular_options;
#define WNN_TRIANGULAR_OPTIONS_INIT {NULL, 0, true}

typedef struct wnn_arg_min_max_options { /* MLArgMinMaxOptions */
  const char *label; /* Names the operation in messages; may be NULL. */
  bool keep_dimensions; /* Keeps reduced dimensions with size 1. Default false. */
  wnn_data_type output_data_type; /* Data type of the indices. Default int32. */
} wnn_arg_min_max_options;
#define WNN_ARG_MIN_MAX_OPTIONS_INIT {NULL, false, WNN_INT32}

typedef struct wnn_cumulative_sum_options { /* MLCumulativeSumOptions */
  const char *label; /* Names the operation in messages; may be NULL. */
  bool exclusive; /* Leaves the element itself out of its sum. Default false. */
  bool reversed; /* Sums from the end. Default false. */
} wnn_cumulative_sum_options;
#define WNN_CUMULATIVE_SUM_OPTIONS_INIT {NULL, false, false}

typedef struct wnn_reduce_options { /* MLReduceOptions */
  const char *label; /* Names the operation in messages; may be NULL. */
  wnn_u32_list axes; /* Dimensions the operation works over; each at most once. */
  bool keep_dimensions; /* Keeps reduced dimensions with size 1. Default false. */
} wnn_reduce_options;
#define WNN_REDUCE_OPTIONS_INIT {NULL, {NULL, 0}, false}

typedef struct wnn_clamp_options { /* MLClampOptions */
  const char *label; /* Names the operation in messages; may be NULL. */
  wnn_number max_value; /* Upper limit; none when absent. */
  wnn_number min_value; /* Lower limit; none when absent. */
} wnn_clamp_options;
#define WNN_CLAMP_OPTIONS_INIT {NULL, {WNN_NUMBER_ABSENT, {0}}, {WNN_NUMBER_ABSENT, {0}}}

typedef struct wnn_pad_options { /* MLPadOptions */
  const char *label; /* Names the operation in messages; may be NULL. */
  wnn_padding_mode mode; /* Method. Default constant. */
  wnn_number value; /* Fill value of constant padding. Default 0. */
} wnn_pad_options;
#define WNN_PAD_OPTIONS_INIT {NULL, WNN_PADDING_MODE_CONSTANT, {WNN_NUMBER_DOUBLE, {0.0}}}

typedef struct wnn_reverse_options { /* MLReverseOptions */
  const char *label; /* Names the operation in messages; may be NULL. */
  wnn_u32_list axes; /* Dimensions the operation works over; each at most once. */
} wnn_reverse_options;
#define WNN_REVERSE_OPTIONS_INIT {NULL, {NULL, 0}}

typedef struct wnn_slice_options { /* MLSliceOptions */
  const char *label; /* Names the operation in messages; may be NULL. */
  wnn_u32_list strides; /* Step for each dimension. */
} wnn_slice_options;
#define WNN_SLICE_OPTIONS_INIT {NULL, {NULL, 0}}

typedef struct wnn_split_options { /* MLSplitOptions */
  const char *label; /* Names the operation in messages; may be NULL. */
  uint32_t axis; /* Dimension the operation works along. Default 0. */
} wnn_split_options;
#define WNN_SPLIT_OPTIONS_INIT {NULL, 0}

typedef struct wnn_transpose_options { /* MLTransposeOptions */
  const char *label; /* Names the operation in messages; may be NULL. */
  wnn_u32_list permutation; /* Output dimension i is input dimension permutation[i]; reversed when absent. */
} wnn_transpose_options;
#define WNN_TRANSPOSE_OPTIONS_INIT {NULL, {NULL, 0}}

typedef struct wnn_gather_options { /* MLGatherOptions */
  const char *label; /* Names the operation in messages; may be NULL. */
  uint32_t axis; /* Dimension the operation works along. Default 0. */
} wnn_gather_options;
#define WNN_GATHER_OPTIONS_INIT {NULL, 0}

typedef struct wnn_scatter_options { /* MLScatterOptions */
  const char *label; /* Names the operation in messages; may be NULL. */
  uint32_t axis; /* Dimension the operation works along. Default 0. */
} wnn_scatter_options;
#define WNN_SCATTER_OPTIONS_INIT {NULL, 0}

typedef struct wnn_gru_options { /* MLGruOptions */
  const char *label; /* Names the operation in messages; may be NULL. */
  wnn_enum_list activations; /* Activation functions of the gates. Length 2. */
  wnn_operand *bias; /* Added values. */
  wnn_direction direction; /* Order of the time steps, or both. Default forward. */
  wnn_operand *initial_hidden_state; /* Hidden state before the first step; zeros when absent. */
  wnn_gru_weight_layout layout; /* Order of the data. Default zrn. */
  wnn_operand *recurrent_bias; /* Recurrent bias, gates packed. */
  bool reset_after; /* Applies the reset gate after the recurrent product. Default true. */
  bool return_sequence; /* Also returns the hidden state of every step. Default false. */
} wnn_gru_options;
#define WNN_GRU_OPTIONS_INIT {NULL, {NULL, 0}, NULL, WNN_DIRECTION_FORWARD, NULL, WNN_GRU_WEIGHT_LAYOUT_ZRN, NULL, true, false}

typedef struct wnn_gru_cell_options { /* MLGruCellOptions */
  const char *label; /* Names the operation in messages; may be NULL. */
  wnn_enum_list activations; /* Activation functions of the gates. Length 2. */
  wnn_operand *bias; /* Added values. */
  wnn_gru_weight_layout layout; /* Order of the data. Default zrn. */
  wnn_operand *recurrent_bias; /* Recurrent bias, gates packed. */
  bool reset_after; /* Applies the reset gate after the recurrent product. Default true. */
} wnn_gru_cell_options;
#define WNN_GRU_CELL_OPTIONS_INIT {NULL, {NULL, 0}, NULL, WNN_GRU_WEIGHT_LAYOUT_ZRN, NULL, true}

typedef struct wnn_lstm_options { /* MLLstmOptions */
  const char *label; /* Names the operation in messages; may be NULL. */
  wnn_enum_list activations; /* Activation functions of the gates. Length 3. */
  wnn_operand *bias; /* Added values. */
  wnn_direction direction; /* Order of the time steps, or both. Default forward. */
  wnn_operand *initial_cell_state; /* Cell state before the first step; zeros when absent. */
  wnn_operand *initial_hidden_state; /* Hidden state before the first step; zeros when absent. */
  wnn_lstm_weight_layout layout; /* Order of the data. Default iofg. */
  wnn_operand *peephole_weight; /* Cell to gate weights: input, output, forget. */
  wnn_operand *recurrent_bias; /* Recurrent bias, gates packed. */
  bool return_sequence; /* Also returns the hidden state of every step. Default false. */
} wnn_lstm_options;
#define WNN_LSTM_OPTIONS_INIT {NULL, {NULL, 0}, NULL, WNN_DIRECTION_FORWARD, NULL, NULL, WNN_LSTM_WEIGHT_LAYOUT_IOFG, NULL, NULL, false}

typedef struct wnn_lstm_cell_options { /* MLLstmCellOptions */
  const char *label; /* Names the operation in messages; may be NULL. */
  wnn_enum_list activations; /* Activation functions of the gates. Length 3. */
  wnn_operand *bias; /* Added values. */
  wnn_lstm_weight_layout layout; /* Order of the data. Default iofg. */
  wnn_operand *peephole_weight; /* Cell to gate weights: input, output, forget. */
  wnn_operand *recurrent_bias; /* Recurrent bias, gates packed. */
} wnn_lstm_cell_options;
#define WNN_LSTM_CELL_OPTIONS_INIT {NULL, {NULL, 0}, NULL, WNN_LSTM_WEIGHT_LAYOUT_IOFG, NULL, NULL}

typedef struct wnn_resample2d_options { /* MLResample2dOptions */
  const char *label; /* Names the operation in messages; may be NULL. */
  wnn_u32_list axes; /* Dimensions the operation works over; each at most once. Length 2. */
  wnn_interpolation_mode mode; /* Method. Default nearest-neighbor. */
  wnn_f32_list scales; /* Scale factor of each axis; only determines the size. Length 2. */
  wnn_u32_list sizes; /* Extent in each dimension. Length 2. */
} wnn_resample2d_options;
#define WNN_RESAMPLE2D_OPTIONS_INIT {NULL, {NULL, 0}, WNN_INTERPOLATION_MODE_NEAREST_NEIGHBOR, {NULL, 0}, {NULL, 0}}

/* ---- Argument structs for wnn_builder_add: positional parameters, then the options. ---- */

typedef struct wnn_binary_args {
  wnn_operator_options options;
} wnn_binary_args;

typedef struct wnn_comparison_args {
  wnn_operator_options options;
} wnn_comparison_args;

typedef struct wnn_logical_not_args {
  wnn_operator_options options;
} wnn_logical_not_args;

typedef struct wnn_logical_binary_args {
  wnn_operator_options options;
} wnn_logical_binary_args;

typedef struct wnn_float_test_args {
  wnn_operator_options options;
} wnn_float_test_args;

typedef struct wnn_signed_unary_args {
  wnn_operator_options options;
} wnn_signed_unary_args;

typedef struct wnn_identity_args {
  wnn_operator_options options;
} wnn_identity_args;

typedef struct wnn_float_unary_args {
  wnn_operator_options options;
} wnn_float_unary_args;

typedef struct wnn_elu_args {
  wnn_elu_options options;
} wnn_elu_args;

typedef struct wnn_hard_sigmoid_args {
  wnn_hard_sigmoid_options options;
} wnn_hard_sigmoid_args;

typedef struct wnn_leaky_relu_args {
  wnn_leaky_relu_options options;
} wnn_leaky_relu_args;

typedef struct wnn_linear_args {
  wnn_linear_options options;
} wnn_linear_args;

typedef struct wnn_prelu_args {
  wnn_operator_options options;
} wnn_prelu_args;

typedef struct wnn_relu_args {
  wnn_operator_options options;
} wnn_relu_args;

typedef struct wnn_softmax_args {
  uint32_t axis; /* Dimension the operation works along. */
  wnn_operator_options options;
} wnn_softmax_args;

typedef struct wnn_conv2d_args {
  wnn_conv2d_options options;
} wnn_conv2d_args;

typedef struct wnn_conv_transpose2d_args {
  wnn_conv_transpose2d_options options;
} wnn_conv_transpose2d_args;

typedef struct wnn_float_pool2d_args {
  wnn_pool2d_options options;
} wnn_float_pool2d_args;

typedef struct wnn_max_pool2d_args {
  wnn_pool2d_options options;
} wnn_max_pool2d_args;

typedef struct wnn_batch_normalization_args {
  wnn_batch_normalization_options options;
} wnn_batch_normalization_args;

typedef struct wnn_instance_normalization_args {
  wnn_instance_normalization_options options;
} wnn_instance_normalization_args;

typedef struct wnn_layer_normalization_args {
  wnn_layer_normalization_options options;
} wnn_layer_normalization_args;

typedef struct wnn_gemm_args {
  wnn_gemm_options options;
} wnn_gemm_args;

typedef struct wnn_matmul_args {
  wnn_operator_options options;
} wnn_matmul_args;

typedef struct wnn_triangular_args {
  wnn_triangular_options options;
} wnn_triangular_args;

typedef struct wnn_arg_min_max_args {
  uint32_t axis; /* Dimension the operation works along. */
  wnn_arg_min_max_options options;
} wnn_arg_min_max_args;

typedef struct wnn_cumulative_sum_args {
  uint32_t axis; /* Dimension the operation works along. */
  wnn_cumulative_sum_options options;
} wnn_cumulative_sum_args;

typedef struct wnn_wide_reduce_args {
  wnn_reduce_options options;
} wnn_wide_reduce_args;

typedef struct wnn_float_reduce_args {
  wnn_reduce_options options;
} wnn_float_reduce_args;

typedef struct wnn_any_reduce_args {
  wnn_reduce_options options;
} wnn_any_reduce_args;

typedef struct wnn_reduce_product_args {
  wnn_reduce_options options;
} wnn_reduce_product_args;

typedef struct wnn_cast_args {
  wnn_data_type data_type; /* Data type of the output. */
  wnn_operator_options options;
} wnn_cast_args;

typedef struct wnn_clamp_args {
  wnn_clamp_options options;
} wnn_clamp_args;

typedef struct wnn_concat_args {
  uint32_t axis; /* Dimension the operation works along. */
  wnn_operator_options options;
} wnn_concat_args;

typedef struct wnn_expand_args {
  wnn_u32_list new_shape; /* Shape of the output. */
  wnn_operator_options options;
} wnn_expand_args;

typedef struct wnn_pad_args {
  wnn_u32_list beginning_padding; /* Elements added before each dimension. */
  wnn_u32_list ending_padding; /* Elements added after each dimension. */
  wnn_pad_options options;
} wnn_pad_args;

typedef struct wnn_reshape_args {
  wnn_u32_list new_shape; /* Shape of the output. */
  wnn_operator_options options;
} wnn_reshape_args;

typedef struct wnn_reverse_args {
  wnn_reverse_options options;
} wnn_reverse_args;

typedef struct wnn_slice_args {
  wnn_u32_list starts; /* First index in each dimension. */
  wnn_u32_list sizes; /* Extent in each dimension. */
  wnn_slice_options options;
} wnn_slice_args;

typedef struct wnn_split_args {
  wnn_splits splits; /* Number of equal parts, or the size of each part. */
  wnn_split_options options;
} wnn_split_args;

typedef struct wnn_tile_args {
  wnn_u32_list repetitions; /* Repeat count of each dimension. */
  wnn_operator_options options;
} wnn_tile_args;

typedef struct wnn_transpose_args {
  wnn_transpose_options options;
} wnn_transpose_args;

typedef struct wnn_gather_args {
  wnn_gather_options options;
} wnn_gather_args;

typedef struct wnn_gather_elements_args {
  wnn_gather_options options;
} wnn_gather_elements_args;

typedef struct wnn_gather_nd_args {
  wnn_operator_options options;
} wnn_gather_nd_args;

typedef struct wnn_scatter_elements_args {
  wnn_scatter_options options;
} wnn_scatter_elements_args;

typedef struct wnn_scatter_nd_args {
  wnn_operator_options options;
} wnn_scatter_nd_args;

typedef struct wnn_where_args {
  wnn_operator_options options;
} wnn_where_args;

typedef struct wnn_dequantize_linear_args {
  wnn_operator_options options;
} wnn_dequantize_linear_args;

typedef struct wnn_quantize_linear_args {
  wnn_operator_options options;
} wnn_quantize_linear_args;

typedef struct wnn_gru_args {
  uint32_t steps; /* Number of time steps. */
  uint32_t hidden_size; /* Number of features in the hidden state. */
  wnn_gru_options options;
} wnn_gru_args;

typedef struct wnn_gru_cell_args {
  uint32_t hidden_size; /* Number of features in the hidden state. */
  wnn_gru_cell_options options;
} wnn_gru_cell_args;

typedef struct wnn_lstm_args {
  uint32_t steps; /* Number of time steps. */
  uint32_t hidden_size; /* Number of features in the hidden state. */
  wnn_lstm_options options;
} wnn_lstm_args;

typedef struct wnn_lstm_cell_args {
  uint32_t hidden_size; /* Number of features in the hidden state. */
  wnn_lstm_cell_options options;
} wnn_lstm_cell_args;

typedef struct wnn_resample2d_args {
  wnn_resample2d_options options;
} wnn_resample2d_args;

/* ---- Operations. Each adds one node and stores the operand that describes its result. ----
 *
 * Failures: WNN_INVALID_STATE when the builder is spent or its context lost, WNN_TYPE_ERROR for operands of
 * another builder, data types, ranks, shapes or options that the operation does not take (the message says
 * which), WNN_OUT_OF_MEMORY. */

/* Sum a + b of each pair of elements; integers wrap. #dom-mlgraphbuilder-add */
WNN_API wnn_status wnn_add(wnn_builder *builder, wnn_operand *a, wnn_operand *b, const wnn_operator_options *options, wnn_operand **output, wnn_error *error);

/* Difference a - b of each pair of elements; integers wrap. #dom-mlgraphbuilder-sub */
WNN_API wnn_status wnn_sub(wnn_builder *builder, wnn_operand *a, wnn_operand *b, const wnn_operator_options *options, wnn_operand **output, wnn_error *error);

/* Product a * b of each pair of elements; integers wrap. #dom-mlgraphbuilder-mul */
WNN_API wnn_status wnn_mul(wnn_builder *builder, wnn_operand *a, wnn_operand *b, const wnn_operator_options *options, wnn_operand **output, wnn_error *error);

/* Quotient a / b of each pair of elements; integers truncate toward zero, division by an integer zero gives 0. #dom-mlgraphbuilder-div */
WNN_API wnn_status wnn_div(wnn_builder *builder, wnn_operand *a, wnn_operand *b, const wnn_operator_options *options, wnn_operand **output, wnn_error *error);

/* The larger element of each pair; NaN propagates. #dom-mlgraphbuilder-max */
WNN_API wnn_status wnn_max(wnn_builder *builder, wnn_operand *a, wnn_operand *b, const wnn_operator_options *options, wnn_operand **output, wnn_error *error);

/* The smaller element of each pair; NaN propagates. #dom-mlgraphbuilder-min */
WNN_API wnn_status wnn_min(wnn_builder *builder, wnn_operand *a, wnn_operand *b, const wnn_operator_options *options, wnn_operand **output, wnn_error *error);

/* a raised to the power b, element by element. #dom-mlgraphbuilder-pow */
WNN_API wnn_status wnn_pow(wnn_builder *builder, wnn_operand *a, wnn_operand *b, const wnn_operator_options *options, wnn_operand **output, wnn_error *error);

/* 1 where a equals b, else 0. #dom-mlgraphbuilder-equal */
WNN_API wnn_status wnn_equal(wnn_builder *builder, wnn_operand *a, wnn_operand *b, const wnn_operator_options *options, wnn_operand **output, wnn_error *error);

/* 1 where a differs from b, else 0. #dom-mlgraphbuilder-notequal */
WNN_API wnn_status wnn_not_equal(wnn_builder *builder, wnn_operand *a, wnn_operand *b, const wnn_operator_options *options, wnn_operand **output, wnn_error *error);

/* 1 where a is above b, else 0. #dom-mlgraphbuilder-greater */
WNN_API wnn_status wnn_greater(wnn_builder *builder, wnn_operand *a, wnn_operand *b, const wnn_operator_options *options, wnn_operand **output, wnn_error *error);

/* 1 where a is at least b, else 0. #dom-mlgraphbuilder-greaterorequal */
WNN_API wnn_status wnn_greater_or_equal(wnn_builder *builder, wnn_operand *a, wnn_operand *b, const wnn_operator_options *options, wnn_operand **output, wnn_error *error);

/* 1 where a is below b, else 0. #dom-mlgraphbuilder-lesser */
WNN_API wnn_status wnn_lesser(wnn_builder *builder, wnn_operand *a, wnn_operand *b, const wnn_operator_options *options, wnn_operand **output, wnn_error *error);

/* 1 where a is at most b, else 0. #dom-mlgraphbuilder-lesserorequal */
WNN_API wnn_status wnn_lesser_or_equal(wnn_builder *builder, wnn_operand *a, wnn_operand *b, const wnn_operator_options *options, wnn_operand **output, wnn_error *error);

/* 1 where a is zero, else 0. #dom-mlgraphbuilder-logicalnot */
WNN_API wnn_status wnn_logical_not(wnn_builder *builder, wnn_operand *a, const wnn_operator_options *options, wnn_operand **output, wnn_error *error);

/* 1 where both are non-zero, else 0. #dom-mlgraphbuilder-logicaland */
WNN_API wnn_status wnn_logical_and(wnn_builder *builder, wnn_operand *a, wnn_operand *b, const wnn_operator_options *options, wnn_operand **output, wnn_error *error);

/* 1 where either is non-zero, else 0. #dom-mlgraphbuilder-logicalor */
WNN_API wnn_status wnn_logical_or(wnn_builder *builder, wnn_operand *a, wnn_operand *b, const wnn_operator_options *options, wnn_operand **output, wnn_error *error);

/* 1 where exactly one is non-zero, else 0. #dom-mlgraphbuilder-logicalxor */
WNN_API wnn_status wnn_logical_xor(wnn_builder *builder, wnn_operand *a, wnn_operand *b, const wnn_operator_options *options, wnn_operand **output, wnn_error *error);

/* 1 where a is not a number, else 0. #dom-mlgraphbuilder-isnan */
WNN_API wnn_status wnn_is_nan(wnn_builder *builder, wnn_operand *a, const wnn_operator_options *options, wnn_operand **output, wnn_error *error);

/* 1 where a is an infinity of either sign, else 0. #dom-mlgraphbuilder-isinfinite */
WNN_API wnn_status wnn_is_infinite(wnn_builder *builder, wnn_operand *a, const wnn_operator_options *options, wnn_operand **output, wnn_error *error);

/* Magnitude of each element. #dom-mlgraphbuilder-abs */
WNN_API wnn_status wnn_abs(wnn_builder *builder, wnn_operand *input, const wnn_operator_options *options, wnn_operand **output, wnn_error *error);

/* Each element with its sign inverted. #dom-mlgraphbuilder-neg */
WNN_API wnn_status wnn_neg(wnn_builder *builder, wnn_operand *input, const wnn_operator_options *options, wnn_operand **output, wnn_error *error);

/* -1, 0 or 1 by the sign of each element; 0 for NaN. #dom-mlgraphbuilder-sign */
WNN_API wnn_status wnn_sign(wnn_builder *builder, wnn_operand *input, const wnn_operator_options *options, wnn_operand **output, wnn_error *error);

/* An unchanged copy. #dom-mlgraphbuilder-identity */
WNN_API wnn_status wnn_identity(wnn_builder *builder, wnn_operand *input, const wnn_operator_options *options, wnn_operand **output, wnn_error *error);

/* Each element rounded up to a whole number. #dom-mlgraphbuilder-ceil */
WNN_API wnn_status wnn_ceil(wnn_builder *builder, wnn_operand *input, const wnn_operator_options *options, wnn_operand **output, wnn_error *error);

/* Cosine of each element, in radians. #dom-mlgraphbuilder-cos */
WNN_API wnn_status wnn_cos(wnn_builder *builder, wnn_operand *input, const wnn_operator_options *options, wnn_operand **output, wnn_error *error);

/* Gauss error function of each element. #dom-mlgraphbuilder-erf */
WNN_API wnn_status wnn_erf(wnn_builder *builder, wnn_operand *input, const wnn_operator_options *options, wnn_operand **output, wnn_error *error);

/* e to the power of each element. #dom-mlgraphbuilder-exp */
WNN_API wnn_status wnn_exp(wnn_builder *builder, wnn_operand *input, const wnn_operator_options *options, wnn_operand **output, wnn_error *error);

/* Each element rounded down to a whole number. #dom-mlgraphbuilder-floor */
WNN_API wnn_status wnn_floor(wnn_builder *builder, wnn_operand *input, const wnn_operator_options *options, wnn_operand **output, wnn_error *error);

/* Natural logarithm of each element. #dom-mlgraphbuilder-log */
WNN_API wnn_status wnn_log(wnn_builder *builder, wnn_operand *input, const wnn_operator_options *options, wnn_operand **output, wnn_error *error);

/* 1 / x of each element. #dom-mlgraphbuilder-reciprocal */
WNN_API wnn_status wnn_reciprocal(wnn_builder *builder, wnn_operand *input, const wnn_operator_options *options, wnn_operand **output, wnn_error *error);

/* Each element rounded to the nearest whole number, halves to the even one. #dom-mlgraphbuilder-roundeven */
WNN_API wnn_status wnn_round_even(wnn_builder *builder, wnn_operand *input, const wnn_operator_options *options, wnn_operand **output, wnn_error *error);

/* Sine of each element, in radians. #dom-mlgraphbuilder-sin */
WNN_API wnn_status wnn_sin(wnn_builder *builder, wnn_operand *input, const wnn_operator_options *options, wnn_operand **output, wnn_error *error);

/* Square root of each element. #dom-mlgraphbuilder-sqrt */
WNN_API wnn_status wnn_sqrt(wnn_builder *builder, wnn_operand *input, const wnn_operator_options *options, wnn_operand **output, wnn_error *error);

/* Tangent of each element, in radians. #dom-mlgraphbuilder-tan */
WNN_API wnn_status wnn_tan(wnn_builder *builder, wnn_operand *input, const wnn_operator_options *options, wnn_operand **output, wnn_error *error);

/* Exponential linear unit: x from 0 up, alpha * (e^x - 1) below. #dom-mlgraphbuilder-elu */
WNN_API wnn_status wnn_elu(wnn_builder *builder, wnn_operand *input, const wnn_elu_options *options, wnn_operand **output, wnn_error *error);

/* Gaussian error linear unit, the exact form with erf. #dom-mlgraphbuilder-gelu */
WNN_API wnn_status wnn_gelu(wnn_builder *builder, wnn_operand *input, const wnn_operator_options *options, wnn_operand **output, wnn_error *error);

/* alpha * x + beta, limited to 0 .. 1. #dom-mlgraphbuilder-hardsigmoid */
WNN_API wnn_status wnn_hard_sigmoid(wnn_builder *builder, wnn_operand *input, const wnn_hard_sigmoid_options *options, wnn_operand **output, wnn_error *error);

/* x * clamp(x + 3, 0, 6) / 6. #dom-mlgraphbuilder-hardswish */
WNN_API wnn_status wnn_hard_swish(wnn_builder *builder, wnn_operand *input, const wnn_operator_options *options, wnn_operand **output, wnn_error *error);

/* x from 0 up, alpha * x below. #dom-mlgraphbuilder-leakyrelu */
WNN_API wnn_status wnn_leaky_relu(wnn_builder *builder, wnn_operand *input, const wnn_leaky_relu_options *options, wnn_operand **output, wnn_error *error);

/* alpha * x + beta. #dom-mlgraphbuilder-linear */
WNN_API wnn_status wnn_linear(wnn_builder *builder, wnn_operand *input, const wnn_linear_options *options, wnn_operand **output, wnn_error *error);

/* x from 0 up, slope * x below; the slope is a tensor. #dom-mlgraphbuilder-prelu */
WNN_API wnn_status wnn_prelu(wnn_builder *builder, wnn_operand *input, wnn_operand *slope, const wnn_operator_options *options, wnn_operand **output, wnn_error *error);

/* max(x, 0). #dom-mlgraphbuilder-relu */
WNN_API wnn_status wnn_relu(wnn_builder *builder, wnn_operand *input, const wnn_operator_options *options, wnn_operand **output, wnn_error *error);

/* Logistic function 1 / (1 + e^-x). #dom-mlgraphbuilder-sigmoid */
WNN_API wnn_status wnn_sigmoid(wnn_builder *builder, wnn_operand *input, const wnn_operator_options *options, wnn_operand **output, wnn_error *error);

/* Exponentials along one axis, scaled to sum 1. #dom-mlgraphbuilder-softmax */
WNN_API wnn_status wnn_softmax(wnn_builder *builder, wnn_operand *input, uint32_t axis, const wnn_operator_options *options, wnn_operand **output, wnn_error *error);

/* ln(1 + e^x). #dom-mlgraphbuilder-softplus */
WNN_API wnn_status wnn_softplus(wnn_builder *builder, wnn_operand *input, const wnn_operator_options *options, wnn_operand **output, wnn_error *error);

/* x / (1 + |x|). #dom-mlgraphbuilder-softsign */
WNN_API wnn_status wnn_softsign(wnn_builder *builder, wnn_operand *input, const wnn_operator_options *options, wnn_operand **output, wnn_error *error);

/* Hyperbolic tangent of each element. #dom-mlgraphbuilder-tanh */
WNN_API wnn_status wnn_tanh(wnn_builder *builder, wnn_operand *input, const wnn_operator_options *options, wnn_operand **output, wnn_error *error);

/* 2-D convolution (cross-correlation) of a 4-D input with a 4-D filter. #dom-mlgraphbuilder-conv2d */
WNN_API wnn_status wnn_conv2d(wnn_builder *builder, wnn_operand *input, wnn_operand *filter, const wnn_conv2d_options *options, wnn_operand **output, wnn_error *error);

/* Transposed 2-D convolution, which upsamples by its strides. #dom-mlgraphbuilder-convtranspose2d */
WNN_API wnn_status wnn_conv_transpose2d(wnn_builder *builder, wnn_operand *input, wnn_operand *filter, const wnn_conv_transpose2d_options *options, wnn_operand **output, wnn_error *error);

/* Mean over a sliding window; padding does not count. #dom-mlgraphbuilder-averagepool2d */
WNN_API wnn_status wnn_average_pool2d(wnn_builder *builder, wnn_operand *input, const wnn_pool2d_options *options, wnn_operand **output, wnn_error *error);

/* Euclidean norm over a sliding window. #dom-mlgraphbuilder-l2pool2d */
WNN_API wnn_status wnn_l2_pool2d(wnn_builder *builder, wnn_operand *input, const wnn_pool2d_options *options, wnn_operand **output, wnn_error *error);

/* Maximum over a sliding window; padding never wins. #dom-mlgraphbuilder-maxpool2d */
WNN_API wnn_status wnn_max_pool2d(wnn_builder *builder, wnn_operand *input, const wnn_pool2d_options *options, wnn_operand **output, wnn_error *error);

/* Normalizes each channel by given mean and variance, then scales and shifts. #dom-mlgraphbuilder-batchnormalization */
WNN_API wnn_status wnn_batch_normalization(wnn_builder *builder, wnn_operand *input, wnn_operand *mean, wnn_operand *variance, const wnn_batch_normalization_options *options, wnn_operand **output, wnn_error *error);

/* Normalizes each channel of each sample by its own spatial mean and variance. #dom-mlgraphbuilder-instancenormalization */
WNN_API wnn_status wnn_instance_normalization(wnn_builder *builder, wnn_operand *input, const wnn_instance_normalization_options *options, wnn_operand **output, wnn_error *error);

/* Normalizes over the given axes by the mean and variance found there. #dom-mlgraphbuilder-layernormalization */
WNN_API wnn_status wnn_layer_normalization(wnn_builder *builder, wnn_operand *input, const wnn_layer_normalization_options *options, wnn_operand **output, wnn_error *error);

/* alpha * A * B + beta * C for matrices, either one transposed on demand. #dom-mlgraphbuilder-gemm */
WNN_API wnn_status wnn_gemm(wnn_builder *builder, wnn_operand *a, wnn_operand *b, const wnn_gemm_options *options, wnn_operand **output, wnn_error *error);

/* Matrix product; leading dimensions broadcast. #dom-mlgraphbuilder-matmul */
WNN_API wnn_status wnn_matmul(wnn_builder *builder, wnn_operand *a, wnn_operand *b, const wnn_operator_options *options, wnn_operand **output, wnn_error *error);

/* Upper or lower triangle of the last two dimensions, zero elsewhere. #dom-mlgraphbuilder-triangular */
WNN_API wnn_status wnn_triangular(wnn_builder *builder, wnn_operand *input, const wnn_triangular_options *options, wnn_operand **output, wnn_error *error);

/* Index of the largest element along an axis, the first one on a tie. #dom-mlgraphbuilder-argmax */
WNN_API wnn_status wnn_arg_max(wnn_builder *builder, wnn_operand *input, uint32_t axis, const wnn_arg_min_max_options *options, wnn_operand **output, wnn_error *error);

/* Index of the smallest element along an axis, the first one on a tie. #dom-mlgraphbuilder-argmin */
WNN_API wnn_status wnn_arg_min(wnn_builder *builder, wnn_operand *input, uint32_t axis, const wnn_arg_min_max_options *options, wnn_operand **output, wnn_error *error);

/* Running sum along an axis. #dom-mlgraphbuilder-cumulativesum */
WNN_API wnn_status wnn_cumulative_sum(wnn_builder *builder, wnn_operand *input, uint32_t axis, const wnn_cumulative_sum_options *options, wnn_operand **output, wnn_error *error);

/* Sum of magnitudes over axes. #dom-mlgraphbuilder-reducel1 */
WNN_API wnn_status wnn_reduce_l1(wnn_builder *builder, wnn_operand *input, const wnn_reduce_options *options, wnn_operand **output, wnn_error *error);

/* Square root of the sum of squares over axes. #dom-mlgraphbuilder-reducel2 */
WNN_API wnn_status wnn_reduce_l2(wnn_builder *builder, wnn_operand *input, const wnn_reduce_options *options, wnn_operand **output, wnn_error *error);

/* Logarithm of the sum over axes. #dom-mlgraphbuilder-reducelogsum */
WNN_API wnn_status wnn_reduce_log_sum(wnn_builder *builder, wnn_operand *input, const wnn_reduce_options *options, wnn_operand **output, wnn_error *error);

/* Logarithm of the sum of exponentials over axes. #dom-mlgraphbuilder-reducelogsumexp */
WNN_API wnn_status wnn_reduce_log_sum_exp(wnn_builder *builder, wnn_operand *input, const wnn_reduce_options *options, wnn_operand **output, wnn_error *error);

/* Maximum over axes; NaN propagates. #dom-mlgraphbuilder-reducemax */
WNN_API wnn_status wnn_reduce_max(wnn_builder *builder, wnn_operand *input, const wnn_reduce_options *options, wnn_operand **output, wnn_error *error);

/* Mean over axes. #dom-mlgraphbuilder-reducemean */
WNN_API wnn_status wnn_reduce_mean(wnn_builder *builder, wnn_operand *input, const wnn_reduce_options *options, wnn_operand **output, wnn_error *error);

/* Minimum over axes; NaN propagates. #dom-mlgraphbuilder-reducemin */
WNN_API wnn_status wnn_reduce_min(wnn_builder *builder, wnn_operand *input, const wnn_reduce_options *options, wnn_operand **output, wnn_error *error);

/* Product over axes. #dom-mlgraphbuilder-reduceproduct */
WNN_API wnn_status wnn_reduce_product(wnn_builder *builder, wnn_operand *input, const wnn_reduce_options *options, wnn_operand **output, wnn_error *error);

/* Sum over axes. #dom-mlgraphbuilder-reducesum */
WNN_API wnn_status wnn_reduce_sum(wnn_builder *builder, wnn_operand *input, const wnn_reduce_options *options, wnn_operand **output, wnn_error *error);

/* Sum of squares over axes. #dom-mlgraphbuilder-reducesumsquare */
WNN_API wnn_status wnn_reduce_sum_square(wnn_builder *builder, wnn_operand *input, const wnn_reduce_options *options, wnn_operand **output, wnn_error *error);

/* Converts each element to another data type. #dom-mlgraphbuilder-cast */
WNN_API wnn_status wnn_cast(wnn_builder *builder, wnn_operand *input, wnn_data_type data_type, const wnn_operator_options *options, wnn_operand **output, wnn_error *error);

/* Limits each element to minValue .. maxValue. #dom-mlgraphbuilder-clamp */
WNN_API wnn_status wnn_clamp(wnn_builder *builder, wnn_operand *input, const wnn_clamp_options *options, wnn_operand **output, wnn_error *error);

/* Joins tensors along an axis. #dom-mlgraphbuilder-concat */
WNN_API wnn_status wnn_concat(wnn_builder *builder, wnn_operand *const *inputs, size_t inputs_count, uint32_t axis, const wnn_operator_options *options, wnn_operand **output, wnn_error *error);

/* Repeats dimensions of size 1 to reach a larger shape. #dom-mlgraphbuilder-expand */
WNN_API wnn_status wnn_expand(wnn_builder *builder, wnn_operand *input, wnn_u32_list new_shape, const wnn_operator_options *options, wnn_operand **output, wnn_error *error);

/* Adds elements around the tensor. #dom-mlgraphbuilder-pad */
WNN_API wnn_status wnn_pad(wnn_builder *builder, wnn_operand *input, wnn_u32_list beginning_padding, wnn_u32_list ending_padding, const wnn_pad_options *options, wnn_operand **output, wnn_error *error);

/* The same elements under another shape. #dom-mlgraphbuilder-reshape */
WNN_API wnn_status wnn_reshape(wnn_builder *builder, wnn_operand *input, wnn_u32_list new_shape, const wnn_operator_options *options, wnn_operand **output, wnn_error *error);

/* Reverses the order of elements along axes. #dom-mlgraphbuilder-reverse */
WNN_API wnn_status wnn_reverse(wnn_builder *builder, wnn_operand *input, const wnn_reverse_options *options, wnn_operand **output, wnn_error *error);

/* A window of the tensor, optionally strided. #dom-mlgraphbuilder-slice */
WNN_API wnn_status wnn_slice(wnn_builder *builder, wnn_operand *input, wnn_u32_list starts, wnn_u32_list sizes, const wnn_slice_options *options, wnn_operand **output, wnn_error *error);

/* Cuts the tensor into parts along an axis. #dom-mlgraphbuilder-split */
WNN_API wnn_status wnn_split(wnn_builder *builder, wnn_operand *input, wnn_splits splits, const wnn_split_options *options, wnn_operand **outputs, size_t capacity, size_t *count, wnn_error *error);

/* Repeats the whole tensor along each dimension. #dom-mlgraphbuilder-tile */
WNN_API wnn_status wnn_tile(wnn_builder *builder, wnn_operand *input, wnn_u32_list repetitions, const wnn_operator_options *options, wnn_operand **output, wnn_error *error);

/* Permutes the dimensions. #dom-mlgraphbuilder-transpose */
WNN_API wnn_status wnn_transpose(wnn_builder *builder, wnn_operand *input, const wnn_transpose_options *options, wnn_operand **output, wnn_error *error);

/* Takes slices along an axis by index. #dom-mlgraphbuilder-gather */
WNN_API wnn_status wnn_gather(wnn_builder *builder, wnn_operand *input, wnn_operand *indices, const wnn_gather_options *options, wnn_operand **output, wnn_error *error);

/* Takes single elements along an axis by index. #dom-mlgraphbuilder-gatherelements */
WNN_API wnn_status wnn_gather_elements(wnn_builder *builder, wnn_operand *input, wnn_operand *indices, const wnn_gather_options *options, wnn_operand **output, wnn_error *error);

/* Takes slices by full coordinates. #dom-mlgraphbuilder-gathernd */
WNN_API wnn_status wnn_gather_nd(wnn_builder *builder, wnn_operand *input, wnn_operand *indices, const wnn_operator_options *options, wnn_operand **output, wnn_error *error);

/* A copy of input with single elements replaced along an axis. #dom-mlgraphbuilder-scatterelements */
WNN_API wnn_status wnn_scatter_elements(wnn_builder *builder, wnn_operand *input, wnn_operand *indices, wnn_operand *updates, const wnn_scatter_options *options, wnn_operand **output, wnn_error *error);

/* A copy of input with slices replaced at full coordinates. #dom-mlgraphbuilder-scatternd */
WNN_API wnn_status wnn_scatter_nd(wnn_builder *builder, wnn_operand *input, wnn_operand *indices, wnn_operand *updates, const wnn_operator_options *options, wnn_operand **output, wnn_error *error);

/* Elements of trueValue or falseValue, chosen by condition. #dom-mlgraphbuilder-where */
WNN_API wnn_status wnn_where(wnn_builder *builder, wnn_operand *condition, wnn_operand *true_value, wnn_operand *false_value, const wnn_operator_options *options, wnn_operand **output, wnn_error *error);

/* (input - zeroPoint) * scale; scale and zeroPoint broadcast by blocks. #dom-mlgraphbuilder-dequantizelinear */
WNN_API wnn_status wnn_dequantize_linear(wnn_builder *builder, wnn_operand *input, wnn_operand *scale, wnn_operand *zero_point, const wnn_operator_options *options, wnn_operand **output, wnn_error *error);

/* roundEven(input / scale) + zeroPoint, limited to the range of the integer type. #dom-mlgraphbuilder-quantizelinear */
WNN_API wnn_status wnn_quantize_linear(wnn_builder *builder, wnn_operand *input, wnn_operand *scale, wnn_operand *zero_point, const wnn_operator_options *options, wnn_operand **output, wnn_error *error);

/* Gated recurrent unit over a whole sequence. #dom-mlgraphbuilder-gru */
WNN_API wnn_status wnn_gru(wnn_builder *builder, wnn_operand *input, wnn_operand *weight, wnn_operand *recurrent_weight, uint32_t steps, uint32_t hidden_size, const wnn_gru_options *options, wnn_operand **outputs, size_t capacity, size_t *count, wnn_error *error);

/* One step of a gated recurrent unit. #dom-mlgraphbuilder-grucell */
WNN_API wnn_status wnn_gru_cell(wnn_builder *builder, wnn_operand *input, wnn_operand *weight, wnn_operand *recurrent_weight, wnn_operand *hidden_state, uint32_t hidden_size, const wnn_gru_cell_options *options, wnn_operand **output, wnn_error *error);

/* Long short-term memory over a whole sequence. #dom-mlgraphbuilder-lstm */
WNN_API wnn_status wnn_lstm(wnn_builder *builder, wnn_operand *input, wnn_operand *weight, wnn_operand *recurrent_weight, uint32_t steps, uint32_t hidden_size, const wnn_lstm_options *options, wnn_operand **outputs, size_t capacity, size_t *count, wnn_error *error);

/* One step of a long short-term memory. #dom-mlgraphbuilder-lstmcell */
WNN_API wnn_status wnn_lstm_cell(wnn_builder *builder, wnn_operand *input, wnn_operand *weight, wnn_operand *recurrent_weight, wnn_operand *hidden_state, wnn_operand *cell_state, uint32_t hidden_size, const wnn_lstm_cell_options *options, wnn_operand **outputs, size_t capacity, size_t *count, wnn_error *error);

/* Resizes two dimensions of a 4-D tensor. #dom-mlgraphbuilder-resample2d */
WNN_API wnn_status wnn_resample2d(wnn_builder *builder, wnn_operand *input, const wnn_resample2d_options *options, wnn_operand **output, wnn_error *error);

#ifdef __cplusplus
}
#endif

#endif
