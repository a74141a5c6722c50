/* Parts of a concat that are written where they belong: every kind of product, and what must be copied all the same. */
#include <math.h>

#include "support/test.h"

static wnn_builder *b;
static wnn_error error;
static uint64_t seed;

static wnn_operand *input(const wnn_desc *desc) {
  wnn_operand *out = NULL;
  CHECK_OK(wnn_builder_input(b, "x", desc, &out, &error), error);
  return out;
}

/* Whole numbers, so that sums are the same in any order. */
static wnn_operand *numbers(wnn_desc desc) {
  size_t count = (size_t)wnn_desc_elements(&desc);
  float *data = malloc(count * sizeof *data);
  for (size_t i = 0; i < count; i++) data[i] = (float)(test_random(&seed) % 7) - 3;
  wnn_operand *out = NULL;
  CHECK_OK(wnn_builder_constant(b, &desc, data, count * sizeof *data, &out, &error), error);
  free(data);
  return out;
}

/* A convolution of a channels-last image that keeps its height and width. */
static wnn_operand *conv(wnn_operand *x, uint32_t channels, uint32_t side, uint32_t groups) {
  wnn_conv2d_options options = WNN_CONV2D_OPTIONS_INIT;
  const uint32_t in = wnn_operand_desc(x)->shape[3], before = side / 2, padding[] = {before, before, before, before};
  options.input_layout = WNN_INPUT_LAYOUT_NHWC;
  options.filter_layout = WNN_CONV2D_FILTER_LAYOUT_OHWI;
  options.groups = groups;
  options.padding = (wnn_u32_list){padding, 4};
  options.bias = numbers((wnn_desc){WNN_FLOAT32, 1, {channels}});
  wnn_operand *y = NULL, *filter = numbers((wnn_desc){WNN_FLOAT32, 4, {channels, side, side, in / groups}});
  CHECK_OK(wnn_conv2d(b, x, filter, &options, &y, &error), error);
  return y;
}

static wnn_operand *enlarge(wnn_operand *x, uint32_t channels, uint32_t side) {
  wnn_conv_transpose2d_options options = WNN_CONV_TRANSPOSE2D_OPTIONS_INIT;
  const uint32_t in = wnn_operand_desc(x)->shape[3], two[] = {2, 2};
  options.input_layout = WNN_INPUT_LAYOUT_NHWC;
  options.filter_layout = WNN_CONV_TRANSPOSE2D_FILTER_LAYOUT_HWOI;
  options.strides = (wnn_u32_list){two, 2};
  wnn_operand *y = NULL, *filter = numbers((wnn_desc){WNN_FLOAT32, 4, {side, side, channels, in}});
  CHECK_OK(wnn_conv_transpose2d(b, x, filter, &options, &y, &error), error);
  return y;
}

static wnn_operand *join(wnn_operand *x, wnn_operand *y, uint32_t axis) {
  wnn_operand *out = NULL, *parts[] = {x, y};
  CHECK_OK(wnn_concat(b, parts, 2, axis, NULL, &out, &error), error);
  return out;
}

static wnn_operand *relu(wnn_operand *x) {
  wnn_operand *y = NULL;
  CHECK_OK(wnn_relu(b, x, NULL, &y, &error), error);
  return y;
}

static wnn_operand *add(wnn_operand *x, wnn_operand *y) {
  wnn_operand *out = NULL;
  CHECK_OK(wnn_add(b, x, y, NULL, &out, &error), error);
  return out;
}

static wnn_operand *matmul(wnn_operand *x, uint32_t columns) {
  const wnn_desc *desc = wnn_operand_desc(x);
  wnn_operand *y = NULL, *weights = numbers((wnn_desc){WNN_FLOAT32, 2, {desc->shape[desc->rank - 1], columns}});
  CHECK_OK(wnn_matmul(b, x, weights, NULL, &y, &error), error);
  return y;
}

/* Matrices of each batch of their own. */
static wnn_operand *batched(wnn_operand *x, uint32_t columns) {
  const wnn_desc *desc = wnn_operand_desc(x);
  wnn_operand *y = NULL;
  wnn_operand *weights = numbers((wnn_desc){WNN_FLOAT32, 3, {desc->shape[0], desc->shape[2], columns}});
  CHECK_OK(wnn_matmul(b, x, weights, NULL, &y, &error), error);
  return y;
}

static wnn_operand *gemm(wnn_operand *x, uint32_t columns) {
  wnn_gemm_options options = WNN_GEMM_OPTIONS_INIT;
  options.c = numbers((wnn_desc){WNN_FLOAT32, 1, {columns}});
  wnn_operand *y = NULL, *weights = numbers((wnn_desc){WNN_FLOAT32, 2, {wnn_operand_desc(x)->shape[1], columns}});
  CHECK_OK(wnn_gemm(b, x, weights, &options, &y, &error), error);
  return y;
}

/* ---- Graphs: each returns its number of outputs ---- */

enum { MOST_OUTPUTS = 3 };
typedef size_t graph_fn(wnn_operand *x, wnn_operand **out);

static size_t fire(wnn_operand *x, wnn_operand **out) {
  out[0] = join(relu(conv(x, 21, 1, 1)), relu(conv(x, 19, 3, 1)), 3);
  return 1;
}
static size_t fires(wnn_operand *x, wnn_operand **out) {
  x = relu(conv(join(relu(conv(x, 32, 1, 1)), relu(conv(x, 48, 3, 1)), 3), 16, 1, 1));
  out[0] = join(relu(conv(x, 64, 1, 1)), relu(conv(x, 64, 3, 1)), 3);
  return 1;
}
static size_t grouped(wnn_operand *x, wnn_operand **out) {
  out[0] = relu(join(conv(x, 8, 3, 2), conv(x, 5, 5, 1), 3));
  return 1;
}
static size_t deep(wnn_operand *x, wnn_operand **out) {
  x = conv(x, 300, 1, 1);
  out[0] = join(conv(x, 7, 1, 1), conv(x, 9, 5, 1), 3);
  return 1;
}
static size_t enlarged(wnn_operand *x, wnn_operand **out) {
  out[0] = join(enlarge(x, 5, 3), enlarge(x, 18, 3), 3);
  out[1] = join(enlarge(x, 5, 1), enlarge(x, 18, 1), 3);
  out[2] = enlarge(x, 13, 1);
  return 3;
}
static size_t twice(wnn_operand *x, wnn_operand **out) {
  wnn_operand *y = conv(x, 6, 1, 1);
  out[0] = join(y, y, 3);
  return 1;
}
static size_t read_elsewhere(wnn_operand *x, wnn_operand **out) {
  wnn_operand *y = conv(x, 16, 1, 1);
  out[0] = join(y, conv(y, 16, 3, 1), 3);
  return 1;
}
static size_t also_output(wnn_operand *x, wnn_operand **out) {
  out[0] = conv(x, 9, 1, 1);
  out[1] = join(out[0], conv(x, 4, 1, 1), 3);
  out[2] = relu(out[1]);
  return 3;
}
static size_t other_axis(wnn_operand *x, wnn_operand **out) {
  out[0] = join(conv(x, 9, 1, 1), conv(x, 9, 1, 1), 2);
  out[1] = join(conv(x, 9, 1, 1), conv(x, 9, 3, 1), 0);
  return 2;
}
static size_t nested(wnn_operand *x, wnn_operand **out) {
  wnn_operand *y = join(conv(x, 3, 1, 1), conv(x, 17, 3, 1), 3);
  out[0] = join(join(y, conv(x, 8, 1, 1), 3), join(conv(x, 2, 1, 1), x, 3), 3);
  return 1;
}
/* The inner concat is a part of memory that the outer one makes. */
static size_t nested_outside(wnn_operand *x, wnn_operand **out) {
  out[0] = join(join(conv(x, 3, 1, 1), conv(x, 5, 1, 1), 3), join(conv(x, 6, 3, 1), conv(x, 2, 1, 1), 3), 0);
  return 1;
}
static size_t residual(wnn_operand *x, wnn_operand **out) {
  wnn_operand *y = conv(x, 16, 1, 1);
  out[0] = join(add(conv(y, 16, 1, 1), y), add(conv(y, 16, 3, 1), y), 3);
  return 1;
}
/* What the concat makes is changed in place, and read by what comes later. */
static size_t in_place(wnn_operand *x, wnn_operand **out) {
  wnn_operand *y = join(conv(x, 24, 1, 1), conv(x, 24, 3, 1), 3), *z = NULL;
  CHECK_OK(wnn_abs(b, y, NULL, &z, &error), error);
  out[0] = join(conv(z, 24, 1, 1), conv(y, 24, 1, 1), 3);
  return 1;
}
static size_t matmuls(wnn_operand *x, wnn_operand **out) {
  out[0] = join(matmul(x, 21), matmul(x, 40), 2);
  out[1] = join(batched(x, 5), batched(x, 33), 2);
  out[2] = join(batched(x, 5), batched(x, 5), 1);
  return 3;
}
static size_t gemms(wnn_operand *x, wnn_operand **out) {
  out[0] = join(gemm(x, 5), join(gemm(x, 3), gemm(x, 64), 1), 1);
  out[1] = join(gemm(x, 5), gemm(x, 5), 0);
  return 2;
}

typedef struct concat_case {
  const char *name;
  graph_fn *make;
  size_t copies; /* of parts, that are left */
  wnn_desc desc;
} concat_case;

#define IMAGE(batches, height, width, channels)                                                                        \
  {                                                                                                                    \
    WNN_FLOAT32, 4, { batches, height, width, channels }                                                               \
  }
static const concat_case cases[] = {
    {"fire", fire, 0, IMAGE(1, 13, 11, 16)},
    {"fire of two images", fire, 0, IMAGE(2, 7, 9, 33)},
    {"fire of few channels", fire, 0, IMAGE(2, 5, 4, 3)},
    {"fire of a pixel", fire, 0, IMAGE(1, 1, 1, 8)},
    {"fires", fires, 0, IMAGE(1, 14, 14, 32)},
    {"large fires", fires, 0, IMAGE(1, 56, 55, 24)},
    {"grouped", grouped, 0, IMAGE(2, 9, 8, 6)},
    {"deep", deep, 0, IMAGE(1, 6, 7, 20)},
    {"enlarged", enlarged, 0, IMAGE(2, 6, 5, 7)},
    {"enlarged pixels", enlarged, 0, IMAGE(5, 1, 1, 7)},
    {"enlarged rows", enlarged, 0, IMAGE(3, 1, 4, 7)},
    {"enlarged columns", enlarged, 0, IMAGE(3, 4, 1, 7)},
    {"twice", twice, 2, IMAGE(1, 6, 5, 7)},
    {"read elsewhere", read_elsewhere, 1, IMAGE(1, 6, 5, 7)},
    {"also an output", also_output, 1, IMAGE(1, 6, 5, 7)},
    {"other axis", other_axis, 2, IMAGE(1, 6, 5, 7)},
    {"nested", nested, 4, IMAGE(2, 6, 5, 7)},
    {"nested outside", nested_outside, 0, IMAGE(1, 6, 5, 7)},
    {"residual", residual, 2, IMAGE(1, 6, 5, 7)},
    {"in place", in_place, 0, IMAGE(1, 10, 10, 24)},
    {"matmuls", matmuls, 2, {WNN_FLOAT32, 3, {3, 9, 12}}},
    {"gemms", gemms, 1, {WNN_FLOAT32, 2, {14, 9}}},
};

typedef struct results {
  size_t count, copies, sizes[MOST_OUTPUTS]; /* in floats */
  float *data[MOST_OUTPUTS];
} results;

static results run(const concat_case *c, wnn_context_options options) {
  static const char *const names[] = {"0", "1", "2"};
  results r = {0};
  wnn_context *context = NULL;
  wnn_graph *graph = NULL;
  wnn_operand *values[MOST_OUTPUTS];
  wnn_named_operand outputs[MOST_OUTPUTS];
  wnn_named_tensor in = {"x", NULL}, out[MOST_OUTPUTS];
  wnn_step_info step;
  seed = 5;
  CHECK_OK(wnn_context_create(&options, &context, &error), error);
  CHECK_OK(wnn_builder_create(context, &b, &error), error);
  r.count = c->make(input(&c->desc), values);
  for (size_t i = 0; i < r.count; i++) outputs[i] = (wnn_named_operand){names[i], values[i]};
  CHECK_OK(wnn_builder_build(b, outputs, r.count, &graph, &error), error);
  wnn_builder_release(b);
  for (size_t i = 0; wnn_graph_step(graph, i, &step); i++) r.copies += !strcmp(step.kernel, "copy_runs");
  size_t count = (size_t)wnn_desc_elements(&c->desc);
  float *x = malloc(count * sizeof *x);
  for (size_t i = 0; i < count; i++) x[i] = (float)(test_random(&seed) % 5) - 2;
  CHECK_OK(wnn_context_create_tensor(context, &c->desc, WNN_TENSOR_WRITABLE, &in.tensor, &error), error);
  CHECK_OK(wnn_context_write_tensor(context, in.tensor, x, count * sizeof *x, &error), error);
  free(x);
  for (size_t i = 0; i < r.count; i++) {
    const wnn_desc *desc = wnn_graph_output_desc(graph, i);
    r.sizes[i] = (size_t)wnn_desc_elements(desc);
    out[i].name = wnn_graph_output_name(graph, i);
    CHECK_OK(wnn_context_create_tensor(context, desc, WNN_TENSOR_READABLE, &out[i].tensor, &error), error);
  }
  CHECK_OK(wnn_context_dispatch(context, graph, &in, 1, out, r.count, &error), error);
  for (size_t i = 0; i < r.count; i++) {
    r.data[i] = malloc(r.sizes[i] * sizeof(float));
    CHECK_OK(wnn_context_read_tensor(context, out[i].tensor, r.data[i], r.sizes[i] * sizeof(float), &error), error);
    wnn_tensor_release(out[i].tensor);
  }
  wnn_tensor_release(in.tensor);
  wnn_graph_release(graph);
  wnn_context_release(context);
  return r;
}

static void free_results(results *r) {
  for (size_t i = 0; i < r->count; i++) free(r->data[i]);
}

static void compare(const concat_case *c) {
  static const uint64_t masks[] = {0, WNN_CPU_AVX2, WNN_CPU_AVX2 | WNN_CPU_AVX512, UINT64_MAX};
  wnn_context_options options = WNN_CONTEXT_OPTIONS_INIT;
  options.reference = true;
  results expected = run(c, options);
  for (size_t m = 0; m < 4 * sizeof masks / sizeof masks[0]; m++) {
    const uint64_t mask = masks[m / 4];
    if (mask != UINT64_MAX && (mask & wnn_cpu_detect()) != mask) continue;
    options = (wnn_context_options)WNN_CONTEXT_OPTIONS_INIT;
    options.cpu_features = mask;
    options.threads = 1 + (uint32_t)(m % 2);
    options.disabled_passes = m & 2 ? WNN_PASS_WINOGRAD : 0;
    results actual = run(c, options), copied;
    options.disabled_passes |= WNN_PASS_INPLACE;
    copied = run(c, options);
    CHECK_MSG(actual.copies == c->copies, "%s: %zu copies", c->name, actual.copies);
    for (size_t i = 0; i < expected.count; i++) {
      size_t wrong = 0;
      float greatest = 1;
      for (size_t j = 0; j < expected.sizes[i]; j++) greatest = fmaxf(greatest, fabsf(expected.data[i][j]));
      /* Winograd's method rounds, by the size of the terms; all else is whole numbers. */
      const float allowed = m & 2 ? 0 : 1e-5f * greatest;
      for (size_t j = 0; j < expected.sizes[i]; j++)
        wrong += !(fabsf(actual.data[i][j] - expected.data[i][j]) <= allowed);
      CHECK_MSG(!wrong, "%s, mask %llx, %zu: %zu of %zu differ in output %zu", c->name, (unsigned long long)mask, m,
                wrong, expected.sizes[i], i);
      CHECK_MSG(!memcmp(actual.data[i], copied.data[i], expected.sizes[i] * sizeof(float)),
                "%s, mask %llx, %zu: output %zu is not what copies make", c->name, (unsigned long long)mask, m, i);
    }
    free_results(&actual);
    free_results(&copied);
  }
  free_results(&expected);
}

static void places(void) {
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) compare(&cases[i]);
}

/* Without the pass, everything is copied. */
static void disabled(void) {
  wnn_context_options options = WNN_CONTEXT_OPTIONS_INIT;
  options.disabled_passes = WNN_PASS_INPLACE;
  results r = run(&cases[0], options);
  CHECK_EQ(r.copies, 2);
  free_results(&r);
}

int main(int argc, char **argv) {
  test_begin(argc, argv);
  TEST(places);
  TEST(disabled);
  return test_end();
}
