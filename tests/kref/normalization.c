/* Corner cases of the normalizations and of quantization. */
#include "kref.h"

static void layer_without_axes(void) {
  static const uint32_t none[1];
  float in[] = {5, INFINITY}, scale[] = {3}, bias[] = {7}, out[2];
  wnn_layer_normalization_args args = {WNN_LAYER_NORMALIZATION_OPTIONS_INIT};
  args.options.axes = (wnn_u32_list){none, 0};
  wnn_view views[] = {VIEW(WNN_FLOAT32, in, 2), SCALAR(WNN_FLOAT32, scale), SCALAR(WNN_FLOAT32, bias)};
  run_whole(wnn_ref_layer_normalization, WNN_OP_LAYER_NORMALIZATION, &args, views, 3, VIEW(WNN_FLOAT32, out, 2));
  CHECK_FLOATS(out, 7, NAN);
  views[1] = views[2] = ABSENT;
  run_whole(wnn_ref_layer_normalization, WNN_OP_LAYER_NORMALIZATION, &args, views, 3, VIEW(WNN_FLOAT32, out, 2));
  CHECK_FLOATS(out, 0, NAN);
}

/* With axes [1, 0] of a [2, 3] input, scale and bias have shape [3, 2]. */
static void layer_axes_order(void) {
  static const uint32_t axes[] = {1, 0};
  float in[] = {1, 1, 1, 3, 3, 3}, scale[] = {1, 2, 3, 4, 5, 6}, bias[] = {0, 0, 0, 0, 0, 100}, out[6];
  wnn_layer_normalization_args args = {WNN_LAYER_NORMALIZATION_OPTIONS_INIT};
  args.options.axes = (wnn_u32_list){axes, 2};
  args.options.epsilon = 0;
  wnn_view views[] = {VIEW(WNN_FLOAT32, in, 2, 3), VIEW(WNN_FLOAT32, scale, 3, 2), VIEW(WNN_FLOAT32, bias, 3, 2)};
  run_whole(wnn_ref_layer_normalization, WNN_OP_LAYER_NORMALIZATION, &args, views, 3, VIEW(WNN_FLOAT32, out, 2, 3));
  CHECK_FLOATS(out, -1, -3, -5, 2, 4, 106);
}

/* float16 has no 1e-12: such an epsilon is 0 there. */
static void epsilon_is_rounded(void) {
  uint16_t in[] = {0x3C00}, mean[] = {0x3C00}, variance[] = {0}, out[1];
  wnn_batch_normalization_args args = {{NULL, 0, NULL, 1e-12, NULL}};
  wnn_view views[] = {VIEW(WNN_FLOAT16, in, 1), VIEW(WNN_FLOAT16, mean, 1), VIEW(WNN_FLOAT16, variance, 1), ABSENT,
                      ABSENT};
  run_elements(wnn_ref_batch_normalization, WNN_OP_BATCH_NORMALIZATION, &args, views, 5, VIEW(WNN_FLOAT16, out, 1));
  CHECK(isnan(wnn_f16_to_f32(out[0])));
  args.options.epsilon = 1e-5;
  run_elements(wnn_ref_batch_normalization, WNN_OP_BATCH_NORMALIZATION, &args, views, 5, VIEW(WNN_FLOAT16, out, 1));
  CHECK_INTS(out, 0);
}

#define QUANTIZE(input, scale, zero, output)                                                                           \
  run_elements(wnn_ref_quantize_linear, WNN_OP_QUANTIZE_LINEAR, NULL, (wnn_view[]){input, scale, zero}, 3, output)
#define DEQUANTIZE(input, scale, zero, output)                                                                         \
  run_elements(wnn_ref_dequantize_linear, WNN_OP_DEQUANTIZE_LINEAR, NULL, (wnn_view[]){input, scale, zero}, 3, output)

static void quantize_ranges(void) {
  float in[] = {0.25f, 0.75f, -0.25f, -10, 1000, NAN, INFINITY, -INFINITY}, half[] = {0.5f}, one[] = {1}, zero[] = {0};
  uint8_t three[] = {3}, bytes[8];
  QUANTIZE(VIEW(WNN_FLOAT32, in, 8), VIEW(WNN_FLOAT32, half, 1), VIEW(WNN_UINT8, three, 1), VIEW(WNN_UINT8, bytes, 8));
  CHECK_INTS(bytes, 3, 5, 3, 0, 255, 0, 255, 0);
  /* The limit of int32 is not a float32, and the sum leaves 32 bits. */
  float large[] = {2147483648.f, -2147483648.f, 2147483520.f, 5};
  int32_t top[] = {INT32_MAX}, bottom[] = {INT32_MIN}, out[4];
  QUANTIZE(VIEW(WNN_FLOAT32, large, 4), VIEW(WNN_FLOAT32, one, 1), VIEW(WNN_INT32, top, 1), VIEW(WNN_INT32, out, 4));
  CHECK_INTS(out, INT32_MAX, -1, INT32_MAX, INT32_MAX);
  QUANTIZE(VIEW(WNN_FLOAT32, large, 4), VIEW(WNN_FLOAT32, one, 1), VIEW(WNN_INT32, bottom, 1), VIEW(WNN_INT32, out, 4));
  CHECK_INTS(out, 0, INT32_MIN, -128, INT32_MIN + 5);
  uint32_t high[] = {UINT32_MAX}, unsigned_out[4];
  QUANTIZE(VIEW(WNN_FLOAT32, large, 4), VIEW(WNN_FLOAT32, one, 1), VIEW(WNN_UINT32, high, 1),
           VIEW(WNN_UINT32, unsigned_out, 4));
  CHECK_INTS(unsigned_out, UINT32_MAX, INT32_MAX, UINT32_MAX, UINT32_MAX);
  QUANTIZE(VIEW(WNN_FLOAT32, in, 4), VIEW(WNN_FLOAT32, zero, 1), VIEW(WNN_UINT8, three, 1), VIEW(WNN_UINT8, bytes, 4));
  CHECK_INTS(bytes, 255, 255, 0, 0);
}

static void dequantize_is_exact(void) {
  int32_t in[] = {INT32_MAX, INT32_MIN}, zero[] = {INT32_MIN};
  float one[] = {1}, out[2];
  DEQUANTIZE(VIEW(WNN_INT32, in, 2), VIEW(WNN_FLOAT32, one, 1), VIEW(WNN_INT32, zero, 1), VIEW(WNN_FLOAT32, out, 2));
  CHECK_FLOATS(out, 0x1p32f, 0);
  uint32_t small[] = {0}, top[] = {UINT32_MAX};
  DEQUANTIZE(VIEW(WNN_UINT32, small, 1), VIEW(WNN_FLOAT32, one, 1), VIEW(WNN_UINT32, top, 1),
             VIEW(WNN_FLOAT32, out, 1));
  CHECK_FLOATS(out, -0x1p32f);
}

/* Blocks in two dimensions at once, one dimension whole and one of a single block. */
static void blocks(void) {
  uint8_t in[32], zero[4] = {0, 0, 0, 0};
  float scale[] = {1, 10, 100, 1000}, out[32];
  for (int i = 0; i < 32; i++) in[i] = 1;
  DEQUANTIZE(VIEW(WNN_UINT8, in, 4, 2, 4), VIEW(WNN_FLOAT32, scale, 2, 1, 2), VIEW(WNN_UINT8, zero, 2, 1, 2),
             VIEW(WNN_FLOAT32, out, 4, 2, 4));
  for (int i = 0; i < 32; i++) {
    float expected = scale[(i / 8 / 2) * 2 + (i % 4) / 2];
    CHECK_MSG(out[i] == expected, "out[%d] is %g, expected %g", i, (double)out[i], (double)expected);
  }
}

int main(int argc, char **argv) {
  test_begin(argc, argv);
  TEST(layer_without_axes);
  TEST(layer_axes_order);
  TEST(epsilon_is_rounded);
  TEST(quantize_ranges);
  TEST(dequantize_is_exact);
  TEST(blocks);
  return test_end();
}
