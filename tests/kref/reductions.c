/* Special values of reductions, argMax, argMin, cumulativeSum and softmax. */
#include "kref.h"

/* Reduces a vector, or with axis false each element on its own. */
static void reduce(uint32_t op, wnn_data_type type, void *in, uint32_t count, bool axis, void *out) {
  static const uint32_t zero[] = {0};
  wnn_any_reduce_args args = {{NULL, {zero, axis}, false}};
  wnn_view view[] = {VIEW(type, in, count)};
  run_elements(wnn_ref_reduce, op, &args, view, 1, axis ? SCALAR(type, out) : VIEW(type, out, count));
}

static void empty_axes_apply_the_function(void) {
  float in[] = {-2, 3}, out[2];
  reduce(WNN_OP_REDUCE_L1, WNN_FLOAT32, in, 2, false, out);
  CHECK_FLOATS(out, 2, 3);
  reduce(WNN_OP_REDUCE_L2, WNN_FLOAT32, in, 2, false, out);
  CHECK_FLOATS(out, 2, 3);
  reduce(WNN_OP_REDUCE_SUM_SQUARE, WNN_FLOAT32, in, 2, false, out);
  CHECK_FLOATS(out, 4, 9);
  reduce(WNN_OP_REDUCE_LOG_SUM, WNN_FLOAT32, in, 2, false, out);
  CHECK_FLOATS(out, NAN, 1.09861231f);
  reduce(WNN_OP_REDUCE_LOG_SUM_EXP, WNN_FLOAT32, in, 2, false, out);
  CHECK_FLOATS(out, -2, 3);
  reduce(WNN_OP_REDUCE_MEAN, WNN_FLOAT32, in, 2, false, out);
  CHECK_FLOATS(out, -2, 3);
}

static void nan_and_infinity(void) {
  float nan_first[] = {NAN, 1, 2}, nan_last[] = {1, 2, NAN}, low[] = {-INFINITY, -INFINITY}, high[] = {INFINITY, 0};
  float zeros[] = {-0.0f, 0.0f}, out;
  reduce(WNN_OP_REDUCE_MAX, WNN_FLOAT32, nan_first, 3, true, &out);
  CHECK_FLOATS(&out, NAN);
  reduce(WNN_OP_REDUCE_MIN, WNN_FLOAT32, nan_last, 3, true, &out);
  CHECK_FLOATS(&out, NAN);
  reduce(WNN_OP_REDUCE_MAX, WNN_FLOAT32, zeros, 2, true, &out);
  CHECK_FLOATS(&out, 0.0f);
  reduce(WNN_OP_REDUCE_MIN, WNN_FLOAT32, zeros, 2, true, &out);
  CHECK_FLOATS(&out, -0.0f);
  reduce(WNN_OP_REDUCE_LOG_SUM_EXP, WNN_FLOAT32, low, 2, true, &out);
  CHECK_FLOATS(&out, -INFINITY);
  reduce(WNN_OP_REDUCE_LOG_SUM_EXP, WNN_FLOAT32, high, 2, true, &out);
  CHECK_FLOATS(&out, INFINITY);
  reduce(WNN_OP_REDUCE_LOG_SUM_EXP, WNN_FLOAT32, nan_last, 3, true, &out);
  CHECK_FLOATS(&out, NAN);
}

static void range(void) {
  float big[] = {3e37f, 4e37f}, tiny[] = {3e-40f, 4e-40f}, out;
  reduce(WNN_OP_REDUCE_L2, WNN_FLOAT32, big, 2, true, &out);
  CHECK_FLOATS(&out, 5e37f);
  reduce(WNN_OP_REDUCE_L2, WNN_FLOAT32, tiny, 2, true, &out);
  CHECK_MSG(fabs((double)out / 5e-40 - 1) < 1e-4, "%.9g", (double)out);
  float values[] = {60000, 60000, -60000, 4};
  uint16_t halfs[4], half;
  halves(values, halfs, 4);
  reduce(WNN_OP_REDUCE_MEAN, WNN_FLOAT16, halfs, 4, true, &half);
  CHECK_FLOATS((float[]){wnn_f16_to_f32(half)}, 15000);
}

static void integers(void) {
  int32_t in[] = {INT32_MIN, -1, INT32_MIN}, out;
  reduce(WNN_OP_REDUCE_L1, WNN_INT32, in, 3, true, &out);
  CHECK_INTS(&out, 1);
  reduce(WNN_OP_REDUCE_SUM, WNN_INT32, in, 3, true, &out);
  CHECK_INTS(&out, -1);
  reduce(WNN_OP_REDUCE_MAX, WNN_INT32, in, 3, true, &out);
  CHECK_INTS(&out, -1);
  reduce(WNN_OP_REDUCE_L1, WNN_INT32, in, 1, false, &out);
  CHECK_INTS(&out, INT32_MIN);
  uint64_t big[] = {UINT64_MAX, 1, 2}, big_out;
  reduce(WNN_OP_REDUCE_MIN, WNN_UINT64, big, 3, true, &big_out);
  CHECK_INTS(&big_out, 1);
  reduce(WNN_OP_REDUCE_SUM_SQUARE, WNN_UINT64, big, 3, true, &big_out);
  CHECK_INTS(&big_out, 6);
  int8_t bytes[] = {-128, 127, 0}, byte;
  reduce(WNN_OP_REDUCE_MIN, WNN_INT8, bytes, 3, true, &byte);
  CHECK_INTS(&byte, -128);
}

/* The axes may come in any order; the kept dimensions stay in theirs. */
static void axes_in_any_order(void) {
  static const uint32_t axes[] = {2, 0};
  float in[12], out[2];
  for (int i = 0; i < 12; i++) in[i] = (float)i;
  wnn_any_reduce_args args = {{NULL, {axes, 2}, true}};
  wnn_view view[] = {VIEW(WNN_FLOAT32, in, 2, 2, 3)};
  run_elements(wnn_ref_reduce, WNN_OP_REDUCE_SUM, &args, view, 1, VIEW(WNN_FLOAT32, out, 1, 2, 1));
  CHECK_FLOATS(out, 0 + 1 + 2 + 6 + 7 + 8, 3 + 4 + 5 + 9 + 10 + 11);
}

static void arg_ties_and_nan(void) {
  float in[] = {1, 3, 3, 0, NAN, 0, -0.0f, NAN, 9}; /* rows of three */
  int32_t out[3];
  int64_t wide[3];
  wnn_arg_min_max_args args = {1, WNN_ARG_MIN_MAX_OPTIONS_INIT};
  wnn_view view[] = {VIEW(WNN_FLOAT32, in, 3, 3)};
  run_elements(wnn_ref_arg_min_max, WNN_OP_ARG_MAX, &args, view, 1, VIEW(WNN_INT32, out, 3));
  CHECK_INTS(out, 1, 1, 1);
  args.axis = 0;
  run_elements(wnn_ref_arg_min_max, WNN_OP_ARG_MIN, &args, view, 1, VIEW(WNN_INT64, wide, 3));
  CHECK_INTS(wide, 1, 1, 1);
  int64_t big[] = {INT64_C(9007199254740992), INT64_C(9007199254740993), INT64_MIN};
  args.axis = 0;
  wnn_view big_view[] = {VIEW(WNN_INT64, big, 3)};
  run_elements(wnn_ref_arg_min_max, WNN_OP_ARG_MAX, &args, big_view, 1, SCALAR(WNN_INT32, out));
  CHECK_INTS(out, 1);
  uint64_t huge[] = {1, UINT64_MAX, 0};
  wnn_view huge_view[] = {VIEW(WNN_UINT64, huge, 3)};
  run_elements(wnn_ref_arg_min_max, WNN_OP_ARG_MAX, &args, huge_view, 1, SCALAR(WNN_INT32, out));
  CHECK_INTS(out, 1);
}

static void cumulative(void) {
  float in[] = {NAN, 1, 2}, out[3];
  wnn_cumulative_sum_args args = {0, {NULL, true, false}};
  wnn_view view[] = {VIEW(WNN_FLOAT32, in, 3)};
  run_whole(wnn_ref_cumulative_sum, WNN_OP_CUMULATIVE_SUM, &args, view, 1, VIEW(WNN_FLOAT32, out, 3));
  CHECK_FLOATS(out, 0, NAN, NAN);
  args.options.reversed = true;
  run_whole(wnn_ref_cumulative_sum, WNN_OP_CUMULATIVE_SUM, &args, view, 1, VIEW(WNN_FLOAT32, out, 3));
  CHECK_FLOATS(out, 3, 2, 0);
  run_whole(wnn_ref_cumulative_sum, WNN_OP_CUMULATIVE_SUM, &args, view, 1, VIEW(WNN_FLOAT32, in, 3)); /* in place */
  CHECK_FLOATS(in, 3, 2, 0);
  int32_t whole[] = {INT32_MAX, 1, -1}, whole_out[3];
  args.options.exclusive = args.options.reversed = false;
  wnn_view whole_view[] = {VIEW(WNN_INT32, whole, 3)};
  run_whole(wnn_ref_cumulative_sum, WNN_OP_CUMULATIVE_SUM, &args, whole_view, 1, VIEW(WNN_INT32, whole_out, 3));
  CHECK_INTS(whole_out, INT32_MAX, INT32_MIN, INT32_MAX);
}

static void softmax(void) {
  float in[] = {-INFINITY, -INFINITY, INFINITY, 0, 1, NAN, 1e30f, -INFINITY, 3e38f, 3e38f}, out[10];
  wnn_softmax_args args = {1, WNN_OPERATOR_OPTIONS_INIT};
  wnn_view view[] = {VIEW(WNN_FLOAT32, in, 5, 2)};
  run_whole(wnn_ref_softmax, WNN_OP_SOFTMAX, &args, view, 1, VIEW(WNN_FLOAT32, out, 5, 2));
  CHECK_FLOATS(out, NAN, NAN, NAN, NAN, NAN, NAN, 1, 0, 0.5f, 0.5f);
}

int main(int argc, char **argv) {
  test_begin(argc, argv);
  TEST(empty_axes_apply_the_function);
  TEST(nan_and_infinity);
  TEST(range);
  TEST(integers);
  TEST(axes_in_any_order);
  TEST(arg_ties_and_nan);
  TEST(cumulative);
  TEST(softmax);
  return test_end();
}
