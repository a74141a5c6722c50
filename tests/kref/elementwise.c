/* Special values of the elementwise reference kernels: what the vectors of the conformance suite leave out. */
#include "kref.h"

#define BINARY(op, type, a, b, out, count)                                                                             \
  run_elements(wnn_ref_binary, op, NULL, (wnn_view[]){VIEW(type, a, count), VIEW(type, b, count)}, 2,                  \
               VIEW(type, out, count))
#define UNARY(op, args, type, in, out, count)                                                                          \
  run_elements(wnn_ref_unary, op, args, (wnn_view[]){VIEW(type, in, count)}, 1, VIEW(type, out, count))

static void integer_division(void) {
  int32_t a[] = {-7, 7, 5, INT32_MIN, INT32_MIN, 0}, b[] = {2, -2, 0, -1, 1, 0}, out[6];
  BINARY(WNN_OP_DIV, WNN_INT32, a, b, out, 6);
  CHECK_INTS(out, -3, -3, 0, INT32_MIN, INT32_MIN, 0);
  int64_t c[] = {INT64_MIN, INT64_MIN, INT64_MAX, -9}, d[] = {-1, 0, -1, 4}, wide[4];
  BINARY(WNN_OP_DIV, WNN_INT64, c, d, wide, 4);
  CHECK_INTS(wide, INT64_MIN, 0, -INT64_MAX, -2);
  uint64_t e[] = {UINT64_MAX, UINT64_MAX, 9}, f[] = {UINT64_MAX, 2, 0}, big[3];
  BINARY(WNN_OP_DIV, WNN_UINT64, e, f, big, 3);
  CHECK_INTS(big, 1, INT64_MAX, 0);
  int8_t g[] = {-128, -128, 127}, h[] = {-1, 3, -1}, small[3];
  BINARY(WNN_OP_DIV, WNN_INT8, g, h, small, 3);
  CHECK_INTS(small, -128, -42, -127);
}

static void integers_wrap(void) {
  int32_t a[] = {INT32_MAX, INT32_MIN, INT32_MIN, 65536}, b[] = {1, -1, INT32_MIN, 65536}, out[4];
  BINARY(WNN_OP_ADD, WNN_INT32, a, b, out, 4);
  CHECK_INTS(out, INT32_MIN, INT32_MAX, 0, 131072);
  BINARY(WNN_OP_MUL, WNN_INT32, a, b, out, 4);
  CHECK_INTS(out, INT32_MAX, INT32_MIN, 0, 0);
  uint8_t c[] = {0, 200, 255}, d[] = {1, 100, 255}, bytes[3];
  BINARY(WNN_OP_SUB, WNN_UINT8, c, d, bytes, 3);
  CHECK_INTS(bytes, 255, 100, 0);
  int64_t e[] = {INT64_MAX, INT64_MIN}, f[] = {1, -1}, wide[2];
  BINARY(WNN_OP_ADD, WNN_INT64, e, f, wide, 2);
  CHECK_INTS(wide, INT64_MIN, INT64_MAX);
  BINARY(WNN_OP_PRELU, WNN_INT64, e, f, wide, 2);
  CHECK_INTS(wide, INT64_MAX, INT64_MIN);
}

static void integer_power(void) {
  int32_t a[] = {2, 3, -1, -1, 1, 0, 0, 5, -2, 2}, b[] = {10, 0, -3, -4, -7, -1, 0, -1, 3, 32}, out[10];
  BINARY(WNN_OP_POW, WNN_INT32, a, b, out, 10);
  CHECK_INTS(out, 1024, 1, -1, 1, 1, 0, 1, 0, -8, 0);
  uint64_t c[] = {3, UINT64_MAX, 2}, d[] = {40, 2, UINT64_MAX}, wide[3];
  BINARY(WNN_OP_POW, WNN_UINT64, c, d, wide, 3);
  CHECK_INTS(wide, 12157665459056928801u, 1, 0);
}

static void wide_integers_compare_exactly(void) {
  int64_t a[] = {INT64_C(9007199254740993), -1}, b[] = {INT64_C(9007199254740992), INT64_MIN}, wide[2];
  uint8_t out[2];
  wnn_view in[] = {VIEW(WNN_INT64, a, 2), VIEW(WNN_INT64, b, 2)};
  run_elements(wnn_ref_binary, WNN_OP_GREATER, NULL, in, 2, VIEW(WNN_UINT8, out, 2));
  CHECK_INTS(out, 1, 1);
  run_elements(wnn_ref_binary, WNN_OP_EQUAL, NULL, in, 2, VIEW(WNN_UINT8, out, 2));
  CHECK_INTS(out, 0, 0);
  run_elements(wnn_ref_binary, WNN_OP_MIN, NULL, in, 2, VIEW(WNN_INT64, wide, 2));
  CHECK_INTS(wide, INT64_C(9007199254740992), INT64_MIN);
  uint64_t c[] = {UINT64_MAX, 1}, d[] = {1, UINT64_MAX}, big[2];
  wnn_view unsigned_in[] = {VIEW(WNN_UINT64, c, 2), VIEW(WNN_UINT64, d, 2)};
  run_elements(wnn_ref_binary, WNN_OP_LESSER, NULL, unsigned_in, 2, VIEW(WNN_UINT8, out, 2));
  CHECK_INTS(out, 0, 1);
  run_elements(wnn_ref_binary, WNN_OP_MAX, NULL, unsigned_in, 2, VIEW(WNN_UINT64, big, 2));
  CHECK(big[0] == UINT64_MAX && big[1] == UINT64_MAX);
}

static void comparison_with_nan(void) {
  float a[] = {NAN, 1, NAN, 0, -INFINITY}, b[] = {1, NAN, NAN, -0.0f, INFINITY};
  uint8_t out[5];
  static const struct {
    uint32_t op;
    uint8_t expected[5];
  } rows[] = {{WNN_OP_EQUAL, {0, 0, 0, 1, 0}},   {WNN_OP_NOT_EQUAL, {1, 1, 1, 0, 1}},
              {WNN_OP_GREATER, {0, 0, 0, 0, 0}}, {WNN_OP_GREATER_OR_EQUAL, {0, 0, 0, 1, 0}},
              {WNN_OP_LESSER, {0, 0, 0, 0, 1}},  {WNN_OP_LESSER_OR_EQUAL, {0, 0, 0, 1, 1}}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    wnn_view in[] = {VIEW(WNN_FLOAT32, a, 5), VIEW(WNN_FLOAT32, b, 5)};
    run_elements(wnn_ref_binary, rows[i].op, NULL, in, 2, VIEW(WNN_UINT8, out, 5));
    CHECK_BYTES(out, rows[i].expected, 5);
  }
}

static void float_pairs(void) {
  float a[] = {NAN, 1, -0.0f, 0.0f, INFINITY}, b[] = {1, NAN, 0.0f, -0.0f, -INFINITY}, out[5];
  BINARY(WNN_OP_MAX, WNN_FLOAT32, a, b, out, 5);
  CHECK_FLOATS(out, NAN, NAN, 0.0f, 0.0f, INFINITY);
  BINARY(WNN_OP_MIN, WNN_FLOAT32, a, b, out, 5);
  CHECK_FLOATS(out, NAN, NAN, -0.0f, -0.0f, -INFINITY);
  float c[] = {NAN, 1, -8, -8, 0, 2}, d[] = {0, NAN, 1.0f / 3, 3, -1, 200}, power[6];
  BINARY(WNN_OP_POW, WNN_FLOAT32, c, d, power, 6);
  CHECK_FLOATS(power, 1, 1, NAN, -512, INFINITY, INFINITY);
  float e[] = {1, -1, 0, 0x1p-149f}, f[] = {0, 0, 0, 2}, quotient[4];
  BINARY(WNN_OP_DIV, WNN_FLOAT32, e, f, quotient, 4);
  CHECK_FLOATS(quotient, INFINITY, -INFINITY, NAN, 0);
  float g[] = {NAN, -INFINITY, INFINITY, -0.0f}, h[] = {0, 0.5f, 0, 3}, sloped[4];
  BINARY(WNN_OP_PRELU, WNN_FLOAT32, g, h, sloped, 4);
  CHECK_FLOATS(sloped, NAN, -INFINITY, INFINITY, -0.0f);
}

/* 2048 + 1 is a tie that goes to the even 2048, 2050 + 1 one that goes to 2052; 65504 + 16 is the least sum
 * that overflows. */
static void float16_rounds_once(void) {
  float x[] = {2048, 2050, 65504, 65504}, y[] = {1, 1, 15, 16};
  uint16_t a[4], b[4], out[4];
  halves(x, a, 4);
  halves(y, b, 4);
  BINARY(WNN_OP_ADD, WNN_FLOAT16, a, b, out, 4);
  CHECK_INTS(out, 0x6800, 0x6802, 0x7BFF, 0x7C00);
}

static void signs(void) {
  float in[] = {NAN, -0.0f, 0.0f, -3, INFINITY, -INFINITY}, out[6];
  UNARY(WNN_OP_SIGN, NULL, WNN_FLOAT32, in, out, 6);
  CHECK_FLOATS(out, 0, 0, 0, -1, 1, -1);
  UNARY(WNN_OP_NEG, NULL, WNN_FLOAT32, in, out, 6);
  CHECK_FLOATS(out, NAN, 0.0f, -0.0f, 3, -INFINITY, INFINITY);
  UNARY(WNN_OP_ABS, NULL, WNN_FLOAT32, in, out, 6);
  CHECK_FLOATS(out, NAN, 0.0f, 0.0f, 3, INFINITY, INFINITY);
  int8_t bytes[] = {-128, -1, 127}, byte_out[3];
  UNARY(WNN_OP_ABS, NULL, WNN_INT8, bytes, byte_out, 3);
  CHECK_INTS(byte_out, -128, 1, 127);
  int64_t wide[] = {INT64_MIN, INT64_MAX, 0}, wide_out[3];
  UNARY(WNN_OP_NEG, NULL, WNN_INT64, wide, wide_out, 3);
  CHECK_INTS(wide_out, INT64_MIN, -INT64_MAX, 0);
  UNARY(WNN_OP_SIGN, NULL, WNN_INT64, wide, wide_out, 3);
  CHECK_INTS(wide_out, -1, 1, 0);
  UNARY(WNN_OP_RELU, NULL, WNN_INT64, wide, wide_out, 3);
  CHECK_INTS(wide_out, 0, INT64_MAX, 0);
}

static void rounding(void) {
  float in[] = {0.5f, 1.5f, 2.5f, -0.5f, -1.5f, 0.49999997f, 8388609, NAN, -INFINITY, -3.5f}, out[10];
  UNARY(WNN_OP_ROUND_EVEN, NULL, WNN_FLOAT32, in, out, 10);
  CHECK_FLOATS(out, 0, 2, 2, -0.0f, -2, 0, 8388609, NAN, -INFINITY, -4);
  UNARY(WNN_OP_CEIL, NULL, WNN_FLOAT32, in, out, 4);
  CHECK_FLOATS(out, 1, 2, 3, -0.0f);
}

static void activations_saturate(void) {
  float in[] = {NAN, -INFINITY, INFINITY, -1e30f, 1e30f}, out[5];
  UNARY(WNN_OP_SIGMOID, NULL, WNN_FLOAT32, in, out, 5);
  CHECK_FLOATS(out, NAN, 0, 1, 0, 1);
  UNARY(WNN_OP_TANH, NULL, WNN_FLOAT32, in, out, 5);
  CHECK_FLOATS(out, NAN, -1, 1, -1, 1);
  UNARY(WNN_OP_SOFTPLUS, NULL, WNN_FLOAT32, in, out, 5);
  CHECK_FLOATS(out, NAN, 0, INFINITY, 0, 1e30f);
  UNARY(WNN_OP_SOFTSIGN, NULL, WNN_FLOAT32, in, out, 5);
  CHECK_FLOATS(out, NAN, -1, 1, -1, 1);
  UNARY(WNN_OP_GELU, NULL, WNN_FLOAT32, in, out, 5);
  CHECK_FLOATS(out, NAN, 0, INFINITY, -0.0f, 1e30f);
  UNARY(WNN_OP_RELU, NULL, WNN_FLOAT32, in, out, 5);
  CHECK_FLOATS(out, NAN, 0, INFINITY, 0, 1e30f);
  wnn_elu_args elu = {{NULL, 2}};
  UNARY(WNN_OP_ELU, &elu, WNN_FLOAT32, in, out, 5);
  CHECK_FLOATS(out, NAN, -2, INFINITY, -2, 1e30f);
  wnn_leaky_relu_args leaky = {{NULL, 0}};
  UNARY(WNN_OP_LEAKY_RELU, &leaky, WNN_FLOAT32, in + 2, out, 3);
  CHECK_FLOATS(out, INFINITY, -0.0f, 1e30f);
  wnn_hard_sigmoid_args hard = {{NULL, 0.2, 0.5}};
  UNARY(WNN_OP_HARD_SIGMOID, &hard, WNN_FLOAT32, in, out, 5);
  CHECK_FLOATS(out, NAN, 0, 1, 0, 1);
}

/* Relative error of the tail, where 1 + erf has no digits left. */
static void gelu_tail(void) {
  float in[] = {-5, -8, -12}, out[3];
  UNARY(WNN_OP_GELU, NULL, WNN_FLOAT32, in, out, 3);
  const double expected[] = {-1.43325785939597e-06, -4.97676845941743e-15, -2.13177853449322e-32};
  for (int i = 0; i < 3; i++)
    CHECK_MSG(fabs((double)out[i] / expected[i] - 1) < 1e-6, "gelu(%g) is %.9g, expected %.9g", (double)in[i],
              (double)out[i], expected[i]);
}

/* A factor of 1e6 is infinite as a float16. */
static void coefficients_are_rounded_first(void) {
  float x = 1000;
  uint16_t in[1], out[1];
  halves(&x, in, 1);
  wnn_linear_args args = {{NULL, 1e6, 0}};
  UNARY(WNN_OP_LINEAR, &args, WNN_FLOAT16, in, out, 1);
  CHECK_INTS(out, 0x7C00);
  in[0] = 0; /* an infinite factor times zero */
  UNARY(WNN_OP_LINEAR, &args, WNN_FLOAT16, in, out, 1);
  CHECK(isnan(wnn_f16_to_f32(out[0])));
  float one = 1;
  halves(&one, in, 1);
  args.options.alpha = 0.1;
  UNARY(WNN_OP_LINEAR, &args, WNN_FLOAT16, in, out, 1);
  CHECK_INTS(out, 0x2E66);
  float f = 1, result;
  UNARY(WNN_OP_LINEAR, &args, WNN_FLOAT32, &f, &result, 1);
  CHECK_FLOATS(&result, 0.1f);
}

static void tests_of_floats(void) {
  uint16_t in[] = {0x7C00, 0xFC00, 0x7C01, 0xFFFF, 0x7BFF, 0x8000};
  uint8_t out[6];
  wnn_view view[] = {VIEW(WNN_FLOAT16, in, 6)};
  run_elements(wnn_ref_unary, WNN_OP_IS_NAN, NULL, view, 1, VIEW(WNN_UINT8, out, 6));
  CHECK_INTS(out, 0, 0, 1, 1, 0, 0);
  run_elements(wnn_ref_unary, WNN_OP_IS_INFINITE, NULL, view, 1, VIEW(WNN_UINT8, out, 6));
  CHECK_INTS(out, 1, 1, 0, 0, 0, 0);
}

static void identity_keeps_bits(void) {
  uint32_t in[] = {0x7F800001, 0xFFC12345, 0x80000000}, out[3];
  UNARY(WNN_OP_IDENTITY, NULL, WNN_FLOAT32, in, out, 3);
  CHECK_BYTES(out, in, sizeof in);
}

#define CAST(from, in, to, out, count)                                                                                 \
  run_elements(wnn_ref_cast, WNN_OP_CAST, NULL, (wnn_view[]){VIEW(from, in, count)}, 1, VIEW(to, out, count))

static void casts_from_floats(void) {
  float in[] = {NAN, INFINITY, -INFINITY, 2.9f, -2.9f, -0.9f, 255.9f, 256, 0x1p31f, -0x1p31f, 0x1p63f, 0x1p64f};
  int32_t i32[12];
  CAST(WNN_FLOAT32, in, WNN_INT32, i32, 12);
  CHECK_INTS(i32, 0, INT32_MAX, INT32_MIN, 2, -2, 0, 255, 256, INT32_MAX, INT32_MIN, INT32_MAX, INT32_MAX);
  uint8_t u8[12];
  CAST(WNN_FLOAT32, in, WNN_UINT8, u8, 12);
  CHECK_INTS(u8, 0, 255, 0, 2, 0, 0, 255, 255, 255, 0, 255, 255);
  int8_t i8[12];
  CAST(WNN_FLOAT32, in, WNN_INT8, i8, 12);
  CHECK_INTS(i8, 0, 127, -128, 2, -2, 0, 127, 127, 127, -128, 127, 127);
  uint32_t u32[12];
  CAST(WNN_FLOAT32, in, WNN_UINT32, u32, 12);
  CHECK_INTS(u32, 0, UINT32_MAX, 0, 2, 0, 0, 255, 256, 0x80000000LL, 0, UINT32_MAX, UINT32_MAX);
  int64_t i64[12];
  CAST(WNN_FLOAT32, in, WNN_INT64, i64, 12);
  CHECK_INTS(i64, 0, INT64_MAX, INT64_MIN, 2, -2, 0, 255, 256, 0x80000000LL, -0x80000000LL, INT64_MAX, INT64_MAX);
  uint64_t u64[12];
  CAST(WNN_FLOAT32, in, WNN_UINT64, u64, 12);
  CHECK_INTS(u64, 0, -1, 0, 2, 0, 0, 255, 256, 0x80000000LL, 0, INT64_MIN, -1);
  uint16_t h[] = {0x7E00, 0x7C00, 0xBC00, 0x7BFF};
  CAST(WNN_FLOAT16, h, WNN_INT8, i8, 4);
  CHECK_INTS(i8, 0, 127, -1, 127);
}

/* 2^24 + 1 is a tie; rounding 2^60 + 2^36 + 1 by way of float64 would make it one. */
static void casts_to_floats(void) {
  int64_t in[] = {16777217, 16777219, INT64_C(0x1000001000000001), INT64_MIN, 65519, 65520};
  float out[6];
  CAST(WNN_INT64, in, WNN_FLOAT32, out, 6);
  CHECK_FLOATS(out, 16777216, 16777220, 0x1.000002p60f, -0x1p63f, 65519, 65520);
  uint16_t h[6];
  CAST(WNN_INT64, in + 3, WNN_FLOAT16, h, 3);
  CHECK_INTS(h, 0xFC00, 0x7BFF, 0x7C00);
  uint64_t big[] = {UINT64_MAX, UINT64_C(1) << 63};
  CAST(WNN_UINT64, big, WNN_FLOAT32, out, 2);
  CHECK_FLOATS(out, 0x1p64f, 0x1p63f);
  float wide[] = {65519.996f, 65520, 0x1p-25f, 0x1.000002p-25f, NAN};
  CAST(WNN_FLOAT32, wide, WNN_FLOAT16, h, 5);
  CHECK_INTS(h, 0x7BFF, 0x7C00, 0, 1, 0x7E00);
}

static void casts_of_integers(void) {
  int32_t in[] = {300, -1, INT32_MIN};
  int8_t i8[3];
  uint64_t u64[3];
  CAST(WNN_INT32, in, WNN_INT8, i8, 3);
  CHECK_INTS(i8, 44, -1, 0);
  CAST(WNN_INT32, in, WNN_UINT64, u64, 3);
  CHECK_INTS(u64, 300, -1, INT32_MIN);
}

static void clamp_limits(void) {
  float in[] = {NAN, -5, 0.25f, 5, INFINITY}, out[5];
  wnn_clamp_args args = {WNN_CLAMP_OPTIONS_INIT};
  wnn_view view[] = {VIEW(WNN_FLOAT32, in, 5)};
  args.options.min_value = wnn_number_double(NAN); /* counts as missing */
  args.options.max_value = wnn_number_double(1);
  run_elements(wnn_ref_clamp, WNN_OP_CLAMP, &args, view, 1, VIEW(WNN_FLOAT32, out, 5));
  CHECK_FLOATS(out, NAN, -5, 0.25f, 1, 1);
  int64_t wide[] = {INT64_MIN, -1, INT64_MAX}, wide_out[3];
  wnn_view wide_view[] = {VIEW(WNN_INT64, wide, 3)};
  args.options.min_value = wnn_number_int64(INT64_MIN + 1);
  args.options.max_value = wnn_number_double(INFINITY);
  run_elements(wnn_ref_clamp, WNN_OP_CLAMP, &args, wide_view, 1, VIEW(WNN_INT64, wide_out, 3));
  CHECK_INTS(wide_out, INT64_MIN + 1, -1, INT64_MAX);
  uint8_t bytes[] = {0, 100, 255}, bytes_out[3];
  wnn_view byte_view[] = {VIEW(WNN_UINT8, bytes, 3)};
  args.options.min_value = wnn_number_double(-3);
  args.options.max_value = wnn_number_double(99.5);
  run_elements(wnn_ref_clamp, WNN_OP_CLAMP, &args, byte_view, 1, VIEW(WNN_UINT8, bytes_out, 3));
  CHECK_INTS(bytes_out, 0, 100, 100);
}

static void where_selects_bits(void) {
  uint8_t condition[] = {2, 0};
  uint32_t yes[] = {0x7F800001, 1}, no[] = {0xFFC00001}, out[4];
  wnn_view in[] = {VIEW(WNN_UINT8, condition, 2, 1), VIEW(WNN_FLOAT32, yes, 2), SCALAR(WNN_FLOAT32, no)};
  run_elements(wnn_ref_where, WNN_OP_WHERE, NULL, in, 3, VIEW(WNN_FLOAT32, out, 2, 2));
  CHECK_INTS(out, 0x7F800001, 1, 0xFFC00001, 0xFFC00001);
}

static void logic_takes_any_byte(void) {
  uint8_t a[] = {0, 0, 7, 128}, b[] = {0, 255, 0, 1}, out[4];
  BINARY(WNN_OP_LOGICAL_AND, WNN_UINT8, a, b, out, 4);
  CHECK_INTS(out, 0, 0, 0, 1);
  BINARY(WNN_OP_LOGICAL_OR, WNN_UINT8, a, b, out, 4);
  CHECK_INTS(out, 0, 1, 1, 1);
  BINARY(WNN_OP_LOGICAL_XOR, WNN_UINT8, a, b, out, 4);
  CHECK_INTS(out, 0, 1, 1, 0);
  UNARY(WNN_OP_LOGICAL_NOT, NULL, WNN_UINT8, a, out, 4);
  CHECK_INTS(out, 1, 1, 0, 0);
}

int main(int argc, char **argv) {
  test_begin(argc, argv);
  TEST(integer_division);
  TEST(integers_wrap);
  TEST(integer_power);
  TEST(wide_integers_compare_exactly);
  TEST(comparison_with_nan);
  TEST(float_pairs);
  TEST(float16_rounds_once);
  TEST(signs);
  TEST(rounding);
  TEST(activations_saturate);
  TEST(gelu_tail);
  TEST(coefficients_are_rounded_first);
  TEST(tests_of_floats);
  TEST(identity_keeps_bits);
  TEST(casts_from_floats);
  TEST(casts_to_floats);
  TEST(casts_of_integers);
  TEST(clamp_limits);
  TEST(where_selects_bits);
  TEST(logic_takes_any_byte);
  return test_end();
}
