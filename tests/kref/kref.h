/* Calling reference kernels on literal arrays. */
#ifndef WEBNN_TESTS_KREF_KREF_H
#define WEBNN_TESTS_KREF_KREF_H

#include <math.h>
#include <webnn/webnn_ops.h>

#include "base/dtype.h"
#include "base/shape.h"
#include "kernels/ref/ref.h"
#include "support/test.h"

/* A dense tensor: VIEW(type, array, dimensions...); SCALAR for rank 0. */
#define VIEW(type, array, ...)                                                                                         \
  ((wnn_view){array, {type, sizeof((uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t), {__VA_ARGS__}}})
#define SCALAR(type, array) ((wnn_view){array, {type, 0, {0}}})
#define ABSENT ((wnn_view){NULL, {WNN_FLOAT32, 0, {0}}})

/* Runs a kernel whose range counts elements in three uneven shares. */
static TEST_UNUSED void run_elements(wnn_kernel_fn *kernel, uint32_t op, const void *params, const wnn_view *inputs,
                                     uint32_t input_count, wnn_view output) {
  wnn_task task = {op, input_count, 1, inputs, &output, params};
  size_t count = wnn_elements(&output.desc), cuts[] = {0, count / 3, count / 2, count};
  for (int i = 0; i < 3; i++)
    if (cuts[i] < cuts[i + 1]) kernel(&task, cuts[i], cuts[i + 1], NULL);
}

/* Runs a kernel that does everything in one call. */
static TEST_UNUSED void run_whole(wnn_kernel_fn *kernel, uint32_t op, const void *params, const wnn_view *inputs,
                                  uint32_t input_count, wnn_view output) {
  wnn_task task = {op, input_count, 1, inputs, &output, params};
  kernel(&task, 0, 1, NULL);
}

/* The same number, NaN for NaN, with the sign of zero. */
static TEST_UNUSED bool same_float(float a, float b) {
  return a == b ? !signbit(a) == !signbit(b) : isnan(a) && isnan(b);
}

#define CHECK_FLOATS(actual, ...)                                                                                      \
  do {                                                                                                                 \
    const float wanted_[] = {__VA_ARGS__};                                                                             \
    for (size_t i_ = 0; i_ < sizeof wanted_ / sizeof wanted_[0]; i_++)                                                 \
      CHECK_MSG(same_float((actual)[i_], wanted_[i_]), "%s[%zu] is %.9g, expected %.9g", #actual, i_,                  \
                (double)(actual)[i_], (double)wanted_[i_]);                                                            \
  } while (0)

/* Integers of a type with at most 64 bits; unsigned ones of 64 bits are compared by their bits. */
#define CHECK_INTS(actual, ...)                                                                                        \
  do {                                                                                                                 \
    const long long wanted_[] = {__VA_ARGS__};                                                                         \
    for (size_t i_ = 0; i_ < sizeof wanted_ / sizeof wanted_[0]; i_++)                                                 \
      CHECK_MSG((long long)(actual)[i_] == wanted_[i_], "%s[%zu] is %lld, expected %lld", #actual, i_,                 \
                (long long)(actual)[i_], wanted_[i_]);                                                                 \
  } while (0)

/* float16 bit patterns of literals. */
static TEST_UNUSED void halves(const float *from, uint16_t *to, size_t count) {
  for (size_t i = 0; i < count; i++) to[i] = wnn_f32_to_f16(from[i]);
}

#endif
