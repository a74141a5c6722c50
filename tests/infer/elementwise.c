/* Rules and shapes of elementwise operations, cast, clamp and where. */
#include <math.h>

#include "infer.h"

static wnn_error error;

static void broadcasting(void) {
  wnn_builder b;
  start_builder(&b);
  wnn_operand *a = INPUT(&b, WNN_FLOAT16, 3, 1, 5), *c = INPUT(&b, WNN_FLOAT16, 4, 1), *out = NULL;
  REQUIRE_OK(wnn_add(&b, a, c, NULL, &out, &error), error);
  CHECK_DESC(out, "float16 [3, 4, 5]");
  REQUIRE_OK(wnn_add(&b, SCALAR_INPUT(&b, WNN_FLOAT16), c, NULL, &out, &error), error);
  CHECK_DESC(out, "float16 [4, 1]");
  REQUIRE_OK(wnn_greater_or_equal(&b, c, a, NULL, &out, &error), error);
  CHECK_DESC(out, "uint8 [3, 4, 5]");
  REQUIRE_OK(wnn_prelu(&b, c, a, NULL, &out, &error), error);
  CHECK_DESC(out, "float16 [3, 4, 5]");
  wnn_operand *d = INPUT(&b, WNN_FLOAT16, 2, 5);
  CHECK_FAILS(wnn_mul(&b, d, INPUT(&b, WNN_FLOAT16, 3, 5), NULL, &out, &error), error, WNN_TYPE_ERROR,
              "The shapes of a [2, 5] and b [3, 5] do not broadcast");
  CHECK_FAILS(wnn_mul(&b, d, INPUT(&b, WNN_FLOAT32, 2, 5), NULL, &out, &error), error, WNN_TYPE_ERROR, "float32");
  wnn_operator_options options = {.label = "gate"};
  CHECK_FAILS(wnn_prelu(&b, d, INPUT(&b, WNN_FLOAT16, 5, 1, 2), &options, &out, &error), error, WNN_TYPE_ERROR,
              "[gate] prelu: ");
  wnn_builder_destroy(&b);
}

static void broadcast_result_is_checked(void) {
  wnn_builder b;
  start_builder(&b);
  wnn_operand *out = NULL;
  CHECK_FAILS(wnn_add(&b, INPUT(&b, WNN_FLOAT32, 65536, 1), INPUT(&b, WNN_FLOAT32, 65536), NULL, &out, &error), error,
              WNN_TYPE_ERROR, "65536");
  CHECK(!out);
  wnn_builder_destroy(&b);
}

static void where_broadcasts_values_first(void) {
  wnn_builder b;
  start_builder(&b);
  wnn_operand *condition = INPUT(&b, WNN_UINT8, 2, 1, 1), *yes = INPUT(&b, WNN_INT64, 3, 1),
              *no = INPUT(&b, WNN_INT64, 4), *out = NULL;
  REQUIRE_OK(wnn_where(&b, condition, yes, no, NULL, &out, &error), error);
  CHECK_DESC(out, "int64 [2, 3, 4]");
  CHECK_FAILS(wnn_where(&b, condition, INPUT(&b, WNN_INT64, 3), no, NULL, &out, &error), error, WNN_TYPE_ERROR,
              "trueValue [3] and falseValue [4]");
  CHECK_FAILS(wnn_where(&b, INPUT(&b, WNN_UINT8, 5, 1), yes, no, NULL, &out, &error), error, WNN_TYPE_ERROR,
              "the broadcast values [3, 4] and condition [5, 1]");
  CHECK_FAILS(wnn_where(&b, INPUT(&b, WNN_INT32, 1), yes, no, NULL, &out, &error), error, WNN_TYPE_ERROR, "condition");
  CHECK_FAILS(wnn_where(&b, condition, yes, INPUT(&b, WNN_INT32, 4), NULL, &out, &error), error, WNN_TYPE_ERROR,
              "falseValue");
  wnn_builder_destroy(&b);
}

static void unary_types(void) {
  wnn_builder b;
  start_builder(&b);
  wnn_operand *out = NULL;
  REQUIRE_OK(wnn_is_nan(&b, INPUT(&b, WNN_FLOAT16, 2, 3), NULL, &out, &error), error);
  CHECK_DESC(out, "uint8 [2, 3]");
  REQUIRE_OK(wnn_logical_not(&b, SCALAR_INPUT(&b, WNN_UINT8), NULL, &out, &error), error);
  CHECK_DESC(out, "uint8 []");
  REQUIRE_OK(wnn_relu(&b, INPUT(&b, WNN_INT8, 7), NULL, &out, &error), error);
  CHECK_DESC(out, "int8 [7]");
  CHECK_FAILS(wnn_relu(&b, INPUT(&b, WNN_UINT32, 7), NULL, &out, &error), error, WNN_TYPE_ERROR, "uint32");
  CHECK_FAILS(wnn_is_infinite(&b, INPUT(&b, WNN_INT32, 7), NULL, &out, &error), error, WNN_TYPE_ERROR, "int32");
  REQUIRE_OK(wnn_cast(&b, INPUT(&b, WNN_FLOAT32, 2, 2), WNN_UINT64, NULL, &out, &error), error);
  CHECK_DESC(out, "uint64 [2, 2]");
  wnn_builder_destroy(&b);
}

static void clamp_limits(void) {
  wnn_builder b;
  start_builder(&b);
  wnn_operand *f32 = INPUT(&b, WNN_FLOAT32, 4), *f16 = INPUT(&b, WNN_FLOAT16, 4), *u8 = INPUT(&b, WNN_UINT8, 4),
              *i64 = INPUT(&b, WNN_INT64, 4), *out = NULL;
  wnn_clamp_options options = WNN_CLAMP_OPTIONS_INIT;
  REQUIRE_OK(wnn_clamp(&b, f32, NULL, &out, &error), error);
  CHECK_DESC(out, "float32 [4]");
  options.min_value = wnn_number_double(2);
  options.max_value = wnn_number_double(1);
  CHECK_FAILS(wnn_clamp(&b, f32, &options, &out, &error), error, WNN_TYPE_ERROR, "minValue is 2");
  /* The limits count as what they are in the type of the input. */
  options.min_value = wnn_number_double(1.0001);
  REQUIRE_OK(wnn_clamp(&b, f16, &options, &out, &error), error);
  CHECK_FAILS(wnn_clamp(&b, f32, &options, &out, &error), error, WNN_TYPE_ERROR, "minValue is 1.0001");
  options.min_value = wnn_number_double(300);
  options.max_value = wnn_number_double(256);
  REQUIRE_OK(wnn_clamp(&b, u8, &options, &out, &error), error);
  options.min_value = wnn_number_int64(INT64_MAX);
  options.max_value = wnn_number_int64(INT64_MAX - 1);
  CHECK_FAILS(wnn_clamp(&b, i64, &options, &out, &error), error, WNN_TYPE_ERROR, "9223372036854775806");
  REQUIRE_OK(wnn_clamp(&b, f32, &options, &out, &error), error);
  /* NaN counts as missing, also where it would turn into 0. */
  options.min_value = wnn_number_double(NAN);
  options.max_value = wnn_number_double(-1);
  REQUIRE_OK(wnn_clamp(&b, f32, &options, &out, &error), error);
  REQUIRE_OK(wnn_clamp(&b, i64, &options, &out, &error), error);
  options.min_value = wnn_number_double(INFINITY);
  CHECK_FAILS(wnn_clamp(&b, f32, &options, &out, &error), error, WNN_TYPE_ERROR, "minValue is inf");
  wnn_builder_destroy(&b);
}

int main(int argc, char **argv) {
  test_begin(argc, argv);
  TEST(broadcasting);
  TEST(broadcast_result_is_checked);
  TEST(where_broadcasts_values_first);
  TEST(unary_types);
  TEST(clamp_limits);
  return test_end();
}
