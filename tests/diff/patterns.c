/* Operations that arrive in parts: each pattern must become one step, and agree with the parts run by the reference. */
#include <math.h>

#include "support/test.h"

enum { ROWS = 7, COLUMNS = 50 };

static wnn_builder *b;
static wnn_error error;

static wnn_operand *make(int op, const void *args, wnn_operand *x, wnn_operand *y) {
  wnn_operand *operands[] = {x, y, NULL}, *out = NULL;
  CHECK_OK(wnn_builder_add(b, op, args, operands, wnn_op_get(op)->operand_count, &out, 1, NULL, &error), error);
  return out;
}
static wnn_operand *number(float value) {
  const wnn_desc scalar = {.data_type = WNN_FLOAT32};
  wnn_operand *out = NULL;
  CHECK_OK(wnn_builder_constant(b, &scalar, &value, sizeof value, &out, &error), error);
  return out;
}
static wnn_operand *row(float first) {
  const wnn_desc desc = {.data_type = WNN_FLOAT32, .rank = 1, .shape = {COLUMNS}};
  float values[COLUMNS];
  for (int i = 0; i < COLUMNS; i++) values[i] = first + (float)i * 0.01f;
  wnn_operand *out = NULL;
  CHECK_OK(wnn_builder_constant(b, &desc, values, sizeof values, &out, &error), error);
  return out;
}
static wnn_operand *reduce(int op, wnn_operand *x) {
  static const uint32_t axes[] = {1};
  const wnn_reduce_options options = {.axes = {axes, 1}, .keep_dimensions = true};
  return make(op, &options, x, NULL);
}

static wnn_operand *gelu_in_parts(wnn_operand *x, wnn_operand *y) {
  (void)y;
  wnn_operand *erf = make(WNN_OP_ERF, NULL, make(WNN_OP_DIV, NULL, x, number(1.41421356f)), NULL);
  return make(WNN_OP_MUL, NULL, make(WNN_OP_MUL, NULL, x, make(WNN_OP_ADD, NULL, erf, number(1))), number(0.5f));
}
static wnn_operand *gelu_half_first(wnn_operand *x, wnn_operand *y) {
  (void)y;
  wnn_operand *erf = make(WNN_OP_ERF, NULL, make(WNN_OP_MUL, NULL, number(0.70710678f), x), NULL);
  return make(WNN_OP_MUL, NULL, make(WNN_OP_MUL, NULL, number(0.5f), x), make(WNN_OP_ADD, NULL, number(1), erf));
}
static wnn_operand *softmax_in_parts(wnn_operand *x, wnn_operand *y) {
  (void)y;
  wnn_operand *e = make(WNN_OP_EXP, NULL, make(WNN_OP_SUB, NULL, x, reduce(WNN_OP_REDUCE_MAX, x)), NULL);
  return make(WNN_OP_DIV, NULL, e, reduce(WNN_OP_REDUCE_SUM, e));
}
static wnn_operand *norm_of(wnn_operand *x, bool by_power) {
  wnn_operand *d = make(WNN_OP_SUB, NULL, x, reduce(WNN_OP_REDUCE_MEAN, x));
  wnn_operand *square = by_power ? make(WNN_OP_POW, NULL, d, number(2)) : make(WNN_OP_MUL, NULL, d, d);
  wnn_operand *sum = make(WNN_OP_ADD, NULL, reduce(WNN_OP_REDUCE_MEAN, square), number(1e-5f));
  wnn_operand *normal = make(WNN_OP_DIV, NULL, d, make(WNN_OP_SQRT, NULL, sum, NULL));
  return make(WNN_OP_ADD, NULL, make(WNN_OP_MUL, NULL, normal, row(0.7f)), row(-0.3f));
}
static wnn_operand *layer_norm_in_parts(wnn_operand *x, wnn_operand *y) {
  (void)y;
  return norm_of(x, true);
}

static wnn_operand *layer_norm_by_product(wnn_operand *x, wnn_operand *y) {
  (void)y;
  return norm_of(x, false);
}

static wnn_operand *residual_norm(wnn_operand *x, wnn_operand *y) {
  return norm_of(make(WNN_OP_ADD, NULL, x, y), true);
}
static wnn_operand *norm_of_three(wnn_operand *x, wnn_operand *y) {
  wnn_operand *third = make(WNN_OP_TANH, NULL, x, NULL);
  return norm_of(make(WNN_OP_ADD, NULL, make(WNN_OP_ADD, NULL, x, y), third), false);
}
static wnn_operand *silu_of_sum(wnn_operand *x, wnn_operand *y) {
  wnn_operand *sum = make(WNN_OP_ADD, NULL, x, y);
  return make(WNN_OP_MUL, NULL, sum, make(WNN_OP_SIGMOID, NULL, sum, NULL));
}
/* The deviation is used elsewhere, too: still right. */
static wnn_operand *norm_with_other_uses(wnn_operand *x, wnn_operand *y) {
  (void)y;
  wnn_operand *d = make(WNN_OP_SUB, NULL, x, reduce(WNN_OP_REDUCE_MEAN, x));
  wnn_operand *sum = make(WNN_OP_ADD, NULL, reduce(WNN_OP_REDUCE_MEAN, make(WNN_OP_MUL, NULL, d, d)), number(1e-5f));
  wnn_operand *root = make(WNN_OP_SQRT, NULL, sum, NULL);
  return make(WNN_OP_ADD, NULL, make(WNN_OP_DIV, NULL, d, root), root);
}

/* An image with elements around it, under windows of 3 x 3 that leave its size as it was. */
static wnn_operand *padded(wnn_operand *x, bool relu, int op, wnn_input_layout layout, double fill) {
  static const uint32_t nchw[] = {1, 2, ROWS, COLUMNS / 2}, nhwc[] = {1, ROWS, COLUMNS / 2, 2},
                        flat[] = {ROWS, COLUMNS};
  static const uint32_t around[2][4] = {{0, 0, 1, 1}, {0, 1, 1, 0}}, window[] = {3, 3};
  bool last = layout == WNN_INPUT_LAYOUT_NHWC;
  const wnn_u32_list more = {around[last], 4};
  x = make(WNN_OP_RESHAPE, &(wnn_reshape_args){.new_shape = {last ? nhwc : nchw, 4}}, x, NULL);
  if (relu) x = make(WNN_OP_RELU, NULL, x, NULL);
  x = make(WNN_OP_PAD, &(wnn_pad_args){more, more, {.value = wnn_number_double(fill)}}, x, NULL);
  if (op == WNN_OP_CONV2D) {
    const wnn_desc desc = {.data_type = WNN_FLOAT32, .rank = 4, .shape = {2, 2, 3, 3}};
    float weights[2 * 2 * 3 * 3];
    for (int i = 0; i < 36; i++) weights[i] = (float)(i % 7) * 0.1f - 0.2f;
    wnn_operand *filter;
    CHECK_OK(wnn_builder_constant(b, &desc, weights, sizeof weights, &filter, &error), error);
    wnn_conv2d_args args = {.options = WNN_CONV2D_OPTIONS_INIT};
    args.options.input_layout = layout;
    x = make(op, &args, x, filter);
  } else {
    wnn_pool2d_options args = WNN_POOL2D_OPTIONS_INIT;
    args.layout = layout, args.window_dimensions = (wnn_u32_list){window, 2};
    x = make(op, &args, x, NULL);
  }
  return make(WNN_OP_RESHAPE, &(wnn_reshape_args){.new_shape = {flat, 2}}, x, NULL);
}
static wnn_operand *padded_convolution(wnn_operand *x, wnn_operand *y) {
  (void)y;
  return padded(x, false, WNN_OP_CONV2D, WNN_INPUT_LAYOUT_NHWC, 0);
}
static wnn_operand *padded_l2_pool(wnn_operand *x, wnn_operand *y) {
  (void)y;
  return padded(x, false, WNN_OP_L2_POOL2D, WNN_INPUT_LAYOUT_NCHW, 0);
}
static wnn_operand *padded_max_pool(wnn_operand *x, wnn_operand *y) {
  (void)y;
  return padded(x, false, WNN_OP_MAX_POOL2D, WNN_INPUT_LAYOUT_NCHW, -(double)INFINITY);
}
static wnn_operand *padded_max_pool_of_relu(wnn_operand *x, wnn_operand *y) {
  (void)y;
  return padded(x, true, WNN_OP_MAX_POOL2D, WNN_INPUT_LAYOUT_NHWC, 0);
}
/* Elements that do not count as padding: still right. */
static wnn_operand *padded_max_pool_of_all(wnn_operand *x, wnn_operand *y) {
  (void)y;
  return padded(x, false, WNN_OP_MAX_POOL2D, WNN_INPUT_LAYOUT_NCHW, 0);
}
static wnn_operand *padded_average_pool(wnn_operand *x, wnn_operand *y) {
  (void)y;
  return padded(x, false, WNN_OP_AVERAGE_POOL2D, WNN_INPUT_LAYOUT_NHWC, 0);
}

typedef wnn_operand *graph_fn(wnn_operand *x, wnn_operand *y);

/* Runs a graph; kernels receives the names of its steps. */
static void run(graph_fn *graph_of, bool reference, float *out, char *kernels, size_t size, size_t *steps) {
  const wnn_desc desc = {.data_type = WNN_FLOAT32, .rank = 2, .shape = {ROWS, COLUMNS}};
  static const char *const names[] = {"x", "y"};
  wnn_context_options options = WNN_CONTEXT_OPTIONS_INIT;
  options.reference = reference;
  wnn_context *context;
  wnn_operand *in[2];
  wnn_graph *graph;
  REQUIRE_OK(wnn_context_create(&options, &context, &error), error);
  REQUIRE_OK(wnn_builder_create(context, &b, &error), error);
  for (int i = 0; i < 2; i++) REQUIRE_OK(wnn_builder_input(b, names[i], &desc, &in[i], &error), error);
  const wnn_named_operand named = {"z", graph_of(in[0], in[1])};
  REQUIRE_OK(wnn_builder_build(b, &named, 1, &graph, &error), error);
  wnn_named_tensor inputs[2], output = {.name = "z"};
  size_t count = wnn_graph_input_count(graph);
  uint64_t seed = 5;
  for (size_t i = 0; i < count; i++) {
    float data[ROWS * COLUMNS];
    for (int k = 0; k < ROWS * COLUMNS; k++) data[k] = (float)test_uniform(&seed, -3, 5);
    inputs[i].name = wnn_graph_input_name(graph, i);
    REQUIRE_OK(wnn_context_create_tensor(context, &desc, WNN_TENSOR_WRITABLE, &inputs[i].tensor, &error), error);
    REQUIRE_OK(wnn_context_write_tensor(context, inputs[i].tensor, data, sizeof data, &error), error);
  }
  REQUIRE_OK(wnn_context_create_tensor(context, &desc, WNN_TENSOR_READABLE, &output.tensor, &error), error);
  REQUIRE_OK(wnn_context_dispatch(context, graph, inputs, count, &output, 1, &error), error);
  REQUIRE_OK(wnn_context_read_tensor(context, output.tensor, out, sizeof(float) * ROWS * COLUMNS, &error), error);
  kernels[0] = 0;
  wnn_step_info info;
  for (*steps = 0; wnn_graph_step(graph, *steps, &info); ++*steps)
    snprintf(kernels + strlen(kernels), size - strlen(kernels), "%s:%s ", info.op, info.kernel);
  for (size_t i = 0; i < count; i++) wnn_tensor_release(inputs[i].tensor);
  wnn_tensor_release(output.tensor);
  wnn_graph_release(graph);
  wnn_builder_release(b);
  wnn_context_release(context);
}

static void check(graph_fn *graph_of, size_t most_steps, const char *part) {
  static float expected[ROWS * COLUMNS], actual[ROWS * COLUMNS];
  char kernels[4096];
  size_t steps;
  run(graph_of, true, expected, kernels, sizeof kernels, &steps);
  run(graph_of, false, actual, kernels, sizeof kernels, &steps);
  CHECK_MSG(steps <= most_steps, "%zu steps: %s", steps, kernels);
  CHECK_CONTAINS(kernels, part);
  for (int i = 0; i < ROWS * COLUMNS; i++)
    CHECK_MSG(fabsf(actual[i] - expected[i]) <= 2e-6f * (1 + fabsf(expected[i])), "element %d is %.9g, not %.9g", i,
              (double)actual[i], (double)expected[i]);
}

static void gelu(void) {
  check(gelu_in_parts, 1, "gelu");
  check(gelu_half_first, 1, "gelu");
}
static void softmax(void) { check(softmax_in_parts, 1, "softmax"); }
static void layer_normalization(void) {
  check(layer_norm_in_parts, 1, "layerNormalization");
  check(layer_norm_by_product, 1, "layerNormalization");
  check(norm_with_other_uses, 20, "");
}
static void sums(void) {
  check(residual_norm, 1, "addLayerNorm");
  check(norm_of_three, 2, "addLayerNorm");
}
static void chains(void) { check(silu_of_sum, 1, "elementwise"); }

static void padding(void) {
  check(padded_convolution, 1, "conv2d");
  check(padded_l2_pool, 1, "l2Pool2d");
  check(padded_max_pool, 1, "maxPool2d");
  check(padded_max_pool_of_relu, 2, "maxPool2d");
  check(padded_max_pool_of_all, 2, "pad");
  check(padded_average_pool, 2, "pad");
}

int main(int argc, char **argv) {
  test_begin(argc, argv);
  TEST(gelu);
  TEST(softmax);
  TEST(layer_normalization);
  TEST(sums);
  TEST(chains);
  TEST(padding);
  return test_end();
}
