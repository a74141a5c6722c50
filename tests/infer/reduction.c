/* Rules and shapes of reductions, normalizations, softmax and quantization. */
#include "infer.h"

static wnn_error error;
static const uint32_t none[1];

/* The completed arguments of the newest node. */
static const void *newest_args(const wnn_builder *builder) {
  return builder->ir.nodes[builder->ir.node_count - 1].args;
}

static void reduce_axes(void) {
  wnn_builder b;
  start_builder(&b);
  wnn_operand *input = INPUT(&b, WNN_FLOAT32, 2, 3, 4), *out = NULL;
  wnn_reduce_options options = WNN_REDUCE_OPTIONS_INIT;
  REQUIRE_OK(wnn_reduce_sum(&b, input, NULL, &out, &error), error);
  CHECK_DESC(out, "float32 []");
  const wnn_reduce_options *completed = newest_args(&b);
  CHECK(completed->axes.count == 3 && completed->axes.data[2] == 2);
  options.keep_dimensions = true;
  REQUIRE_OK(wnn_reduce_max(&b, input, &options, &out, &error), error);
  CHECK_DESC(out, "float32 [1, 1, 1]");
  options.axes = (wnn_u32_list){none, 0}; /* present and empty: reduces nothing */
  REQUIRE_OK(wnn_reduce_l2(&b, input, &options, &out, &error), error);
  CHECK_DESC(out, "float32 [2, 3, 4]");
  completed = newest_args(&b);
  CHECK(completed->axes.data && completed->axes.count == 0);
  options.keep_dimensions = false;
  options.axes = WNN_U32(2, 0);
  REQUIRE_OK(wnn_reduce_mean(&b, input, &options, &out, &error), error);
  CHECK_DESC(out, "float32 [3]");
  options.axes = WNN_U32(1, 3);
  CHECK_FAILS(wnn_reduce_product(&b, input, &options, &out, &error), error, WNN_TYPE_ERROR,
              "Item 1 of axes is 3, but must be below the rank of input, which is 3.");
  options.axes = WNN_U32(1, 1);
  CHECK_FAILS(wnn_reduce_min(&b, input, &options, &out, &error), error, WNN_TYPE_ERROR, "1 more than once");
  options.axes = WNN_U32(UINT32_MAX);
  CHECK_FAILS(wnn_reduce_min(&b, input, &options, &out, &error), error, WNN_TYPE_ERROR, "4294967295");
  wnn_operand *scalar = SCALAR_INPUT(&b, WNN_INT32);
  REQUIRE_OK(wnn_reduce_l1(&b, scalar, NULL, &out, &error), error);
  CHECK_DESC(out, "int32 []");
  options.axes = WNN_U32(0);
  CHECK_FAILS(wnn_reduce_l1(&b, scalar, &options, &out, &error), error, WNN_TYPE_ERROR, "Item 0 of axes is 0");
  wnn_builder_destroy(&b);
}

static void arg_and_cumulative(void) {
  wnn_builder b;
  start_builder(&b);
  wnn_operand *input = INPUT(&b, WNN_UINT64, 2, 3), *out = NULL;
  wnn_arg_min_max_options options = WNN_ARG_MIN_MAX_OPTIONS_INIT;
  REQUIRE_OK(wnn_arg_max(&b, input, 1, NULL, &out, &error), error);
  CHECK_DESC(out, "int32 [2]");
  options.keep_dimensions = true;
  options.output_data_type = WNN_INT64;
  REQUIRE_OK(wnn_arg_min(&b, input, 0, &options, &out, &error), error);
  CHECK_DESC(out, "int64 [1, 3]");
  CHECK_FAILS(wnn_arg_min(&b, input, 2, &options, &out, &error), error, WNN_TYPE_ERROR, "The axis is 2");
  options.output_data_type = WNN_UINT32;
  CHECK_FAILS(wnn_arg_min(&b, input, 0, &options, &out, &error), error, WNN_TYPE_ERROR,
              "outputDataType is uint32, but must be int32 or int64.");
  REQUIRE_OK(wnn_cumulative_sum(&b, input, 1, NULL, &out, &error), error);
  CHECK_DESC(out, "uint64 [2, 3]");
  CHECK_FAILS(wnn_cumulative_sum(&b, input, UINT32_MAX, NULL, &out, &error), error, WNN_TYPE_ERROR, "4294967295");
  CHECK_FAILS(wnn_cumulative_sum(&b, INPUT(&b, WNN_INT8, 4), 0, NULL, &out, &error), error, WNN_TYPE_ERROR, "int8");
  wnn_builder_destroy(&b);
}

static void channel_operands(void) {
  wnn_builder b;
  start_builder(&b);
  wnn_operand *input = INPUT(&b, WNN_FLOAT32, 2, 3, 4, 5), *three = INPUT(&b, WNN_FLOAT32, 3),
              *five = INPUT(&b, WNN_FLOAT32, 5), *out = NULL;
  wnn_batch_normalization_options batch = WNN_BATCH_NORMALIZATION_OPTIONS_INIT;
  REQUIRE_OK(wnn_batch_normalization(&b, input, three, three, NULL, &out, &error), error);
  CHECK_DESC(out, "float32 [2, 3, 4, 5]");
  CHECK_FAILS(wnn_batch_normalization(&b, input, five, three, NULL, &out, &error), error, WNN_TYPE_ERROR,
              "The shape of mean is [5], but must be [3]");
  CHECK_FAILS(wnn_batch_normalization(&b, input, three, five, NULL, &out, &error), error, WNN_TYPE_ERROR,
              "The shape of variance is [5], but must be [3]");
  batch.axis = 3;
  batch.bias = three;
  CHECK_FAILS(wnn_batch_normalization(&b, input, five, five, &batch, &out, &error), error, WNN_TYPE_ERROR,
              "The shape of bias is [3], but must be [5]");
  batch.axis = 4;
  CHECK_FAILS(wnn_batch_normalization(&b, input, five, five, &batch, &out, &error), error, WNN_TYPE_ERROR,
              "The axis is 4");
  CHECK_FAILS(wnn_batch_normalization(&b, five, five, five, NULL, &out, &error), error, WNN_TYPE_ERROR,
              "The axis is 1");
  wnn_instance_normalization_options instance = WNN_INSTANCE_NORMALIZATION_OPTIONS_INIT;
  instance.scale = three;
  REQUIRE_OK(wnn_instance_normalization(&b, input, &instance, &out, &error), error);
  instance.layout = WNN_INPUT_LAYOUT_NHWC;
  CHECK_FAILS(wnn_instance_normalization(&b, input, &instance, &out, &error), error, WNN_TYPE_ERROR,
              "The shape of scale is [3], but must be [5]");
  wnn_builder_destroy(&b);
}

static void layer_axes(void) {
  wnn_builder b;
  start_builder(&b);
  wnn_operand *input = INPUT(&b, WNN_FLOAT32, 2, 3, 4), *vector = INPUT(&b, WNN_FLOAT32, 4),
              *scalar = SCALAR_INPUT(&b, WNN_FLOAT32), *out = NULL;
  wnn_layer_normalization_options options = WNN_LAYER_NORMALIZATION_OPTIONS_INIT;
  options.scale = INPUT(&b, WNN_FLOAT32, 3, 4);
  REQUIRE_OK(wnn_layer_normalization(&b, input, &options, &out, &error), error);
  const wnn_layer_normalization_args *completed = newest_args(&b);
  CHECK(completed->options.axes.count == 2 && completed->options.axes.data[0] == 1);
  options.axes = WNN_U32(2, 1);
  CHECK_FAILS(wnn_layer_normalization(&b, input, &options, &out, &error), error, WNN_TYPE_ERROR,
              "The shape of scale is [3, 4], but must be [4, 3]");
  options.scale = NULL;
  options.bias = vector;
  CHECK_FAILS(wnn_layer_normalization(&b, input, &options, &out, &error), error, WNN_TYPE_ERROR,
              "The shape of bias is [4], but must be [4, 3]");
  options.axes = WNN_U32(2, 2);
  CHECK_FAILS(wnn_layer_normalization(&b, input, &options, &out, &error), error, WNN_TYPE_ERROR, "more than once");
  /* A vector has no default axes, so scale and bias are scalars. */
  options.axes = (wnn_u32_list){NULL, 0};
  CHECK_FAILS(wnn_layer_normalization(&b, vector, &options, &out, &error), error, WNN_TYPE_ERROR,
              "The shape of bias is [4], but must be []");
  options.bias = scalar;
  REQUIRE_OK(wnn_layer_normalization(&b, vector, &options, &out, &error), error);
  REQUIRE_OK(wnn_layer_normalization(&b, scalar, NULL, &out, &error), error);
  CHECK_DESC(out, "float32 []");
  wnn_builder_destroy(&b);
}

static void softmax_axis(void) {
  wnn_builder b;
  start_builder(&b);
  wnn_operand *out = NULL;
  REQUIRE_OK(wnn_softmax(&b, INPUT(&b, WNN_FLOAT16, 2, 3), 1, NULL, &out, &error), error);
  CHECK_DESC(out, "float16 [2, 3]");
  CHECK_FAILS(wnn_softmax(&b, INPUT(&b, WNN_FLOAT16, 2, 3), 2, NULL, &out, &error), error, WNN_TYPE_ERROR,
              "The axis is 2");
  CHECK_FAILS(wnn_softmax(&b, SCALAR_INPUT(&b, WNN_FLOAT16), 0, NULL, &out, &error), error, WNN_TYPE_ERROR, "rank");
  wnn_builder_destroy(&b);
}

static void quantization_blocks(void) {
  wnn_builder b;
  start_builder(&b);
  wnn_operand *input = INPUT(&b, WNN_FLOAT32, 4, 6), *bytes = INPUT(&b, WNN_INT8, 4, 6),
              *scale = INPUT(&b, WNN_FLOAT32, 2, 3), *zero = INPUT(&b, WNN_INT8, 2, 3), *out = NULL;
  REQUIRE_OK(wnn_quantize_linear(&b, input, scale, zero, NULL, &out, &error), error);
  CHECK_DESC(out, "int8 [4, 6]");
  REQUIRE_OK(wnn_dequantize_linear(&b, bytes, scale, zero, NULL, &out, &error), error);
  CHECK_DESC(out, "float32 [4, 6]");
  CHECK_FAILS(wnn_quantize_linear(&b, input, SCALAR_INPUT(&b, WNN_FLOAT32), zero, NULL, &out, &error), error,
              WNN_TYPE_ERROR, "The rank of scale is 0, but must be the rank of input, which is 2.");
  CHECK_FAILS(wnn_dequantize_linear(&b, bytes, scale, INPUT(&b, WNN_INT8, 3), NULL, &out, &error), error,
              WNN_TYPE_ERROR, "The rank of zeroPoint is 1");
  CHECK_FAILS(wnn_dequantize_linear(&b, bytes, scale, INPUT(&b, WNN_INT8, 1, 3), NULL, &out, &error), error,
              WNN_TYPE_ERROR, "The shape of zeroPoint is [1, 3], but must be [2, 3]");
  CHECK_FAILS(
      wnn_dequantize_linear(&b, bytes, INPUT(&b, WNN_FLOAT32, 4, 4), INPUT(&b, WNN_INT8, 4, 4), NULL, &out, &error),
      error, WNN_TYPE_ERROR, "dimension 1 is not");
  CHECK_FAILS(wnn_dequantize_linear(&b, bytes, scale, INPUT(&b, WNN_UINT8, 2, 3), NULL, &out, &error), error,
              WNN_TYPE_ERROR, "zeroPoint");
  CHECK_FAILS(wnn_quantize_linear(&b, input, INPUT(&b, WNN_FLOAT16, 2, 3), zero, NULL, &out, &error), error,
              WNN_TYPE_ERROR, "scale");
  wnn_builder_destroy(&b);
}

int main(int argc, char **argv) {
  test_begin(argc, argv);
  TEST(reduce_axes);
  TEST(arg_and_cumulative);
  TEST(channel_operands);
  TEST(layer_axes);
  TEST(softmax_axis);
  TEST(quantization_blocks);
  return test_end();
}
