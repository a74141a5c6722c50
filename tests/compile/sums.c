/* Integer products in slices whose sums are one product, and those that only look like it. */
#include "support/test.h"

static wnn_builder *b;
static wnn_error error;

enum { MOST_PARTS = 3 };

/* sum over parts of cast(product(dequantize(slice(x)), dequantize(slice(w))), int32). Slices lie along axis x_axis of x
 * and w_axis of w. */
typedef struct sum_case {
  const char *name;
  wnn_desc x, w;
  uint32_t x_axis, w_axis;
  uint32_t sizes[MOST_PARTS]; /* 0 ends them */
  bool from_the_right;        /* s0 + (s1 + s2) */
  bool conv, channels_last;
  size_t products; /* integer products that the fast engine makes */
} sum_case;

static const sum_case cases[] = {
    {"two", {WNN_INT8, 2, {3, 8}}, {WNN_INT8, 2, {8, 20}}, 1, 0, {4, 4}, false, false, false, 1},
    {"three from the left", {WNN_UINT8, 2, {3, 9}}, {WNN_INT8, 2, {9, 5}}, 1, 0, {4, 3, 2}, false, false, false, 1},
    {"three from the right", {WNN_UINT8, 2, {3, 9}}, {WNN_INT8, 2, {9, 5}}, 1, 0, {4, 3, 2}, true, false, false, 1},
    {"batches", {WNN_INT8, 3, {2, 3, 8}}, {WNN_INT8, 2, {8, 7}}, 2, 0, {5, 3}, false, false, false, 1},
    {"more weights than data", {WNN_INT8, 2, {3, 8}}, {WNN_INT8, 2, {16, 6}}, 1, 0, {4, 4}, false, false, false, 2},
    {"some of the data", {WNN_INT8, 2, {3, 16}}, {WNN_INT8, 2, {8, 6}}, 1, 0, {4, 4}, false, false, false, 2},
    {"channels", {WNN_UINT8, 4, {2, 8, 5, 6}}, {WNN_INT8, 4, {7, 8, 3, 3}}, 1, 1, {4, 4}, false, true, false, 1},
    {"rows of images", {WNN_UINT8, 4, {1, 6, 5, 4}}, {WNN_INT8, 4, {7, 6, 3, 4}}, 1, 1, {3, 3}, false, true, true, 2},
};

static wnn_operand *constant(const wnn_desc *desc, const void *data) {
  wnn_operand *out = NULL;
  CHECK_OK(wnn_builder_constant(b, desc, data, (size_t)wnn_desc_bytes(desc), &out, &error), error);
  return out;
}

static wnn_operand *floats_of(wnn_operand *x, uint8_t zero) {
  wnn_desc desc = *wnn_operand_desc(x), scale;
  for (uint32_t i = 0; i < desc.rank; i++) desc.shape[i] = 1;
  scale = desc, scale.data_type = WNN_FLOAT32;
  const float one = 1;
  wnn_operand *y = NULL;
  CHECK_OK(wnn_dequantize_linear(b, x, constant(&scale, &one), constant(&desc, &zero), NULL, &y, &error), error);
  return y;
}

static wnn_operand *slice(wnn_operand *x, uint32_t axis, uint32_t start, uint32_t size) {
  const wnn_desc *desc = wnn_operand_desc(x);
  uint32_t starts[WNN_MAX_RANK] = {0}, sizes[WNN_MAX_RANK];
  memcpy(sizes, desc->shape, sizeof sizes);
  starts[axis] = start, sizes[axis] = size;
  wnn_operand *y = NULL;
  CHECK_OK(wnn_slice(b, x, (wnn_u32_list){starts, desc->rank}, (wnn_u32_list){sizes, desc->rank}, NULL, &y, &error),
           error);
  return y;
}

static wnn_operand *product(const sum_case *c, wnn_operand *x, wnn_operand *w) {
  wnn_operand *y = NULL;
  if (c->conv) {
    wnn_conv2d_options options = WNN_CONV2D_OPTIONS_INIT;
    const uint32_t ones[] = {1, 1, 1, 1};
    options.padding = (wnn_u32_list){ones, 4};
    if (c->channels_last) {
      options.input_layout = WNN_INPUT_LAYOUT_NHWC;
      options.filter_layout = WNN_CONV2D_FILTER_LAYOUT_OHWI;
    }
    CHECK_OK(wnn_conv2d(b, x, w, &options, &y, &error), error);
  } else {
    CHECK_OK(wnn_matmul(b, x, w, NULL, &y, &error), error);
  }
  CHECK_OK(wnn_cast(b, y, WNN_INT32, NULL, &y, &error), error);
  return y;
}

static wnn_operand *add(wnn_operand *x, wnn_operand *y) {
  wnn_operand *sum = NULL;
  CHECK_OK(wnn_add(b, x, y, NULL, &sum, &error), error);
  return sum;
}

/* The sums; fast: how many products of integers there were. */
static int32_t *run(const sum_case *c, const wnn_context_options *options, size_t *count, size_t *products) {
  enum { MOST_BYTES = 4096 };
  uint8_t data[MOST_BYTES];
  uint64_t seed = 5;
  for (size_t i = 0; i < MOST_BYTES; i++) data[i] = (uint8_t)test_random(&seed);
  wnn_context *context = NULL;
  wnn_graph *graph = NULL;
  CHECK_OK(wnn_context_create(options, &context, &error), error);
  CHECK_OK(wnn_builder_create(context, &b, &error), error);
  wnn_operand *x = NULL, *parts[MOST_PARTS];
  CHECK_OK(wnn_builder_input(b, "x", &c->x, &x, &error), error);
  wnn_operand *left = floats_of(x, 3), *right = floats_of(constant(&c->w, data), 0);
  uint32_t n = 0;
  for (uint32_t at = 0; n < MOST_PARTS && c->sizes[n]; at += c->sizes[n++])
    parts[n] = product(c, slice(left, c->x_axis, at, c->sizes[n]), slice(right, c->w_axis, at, c->sizes[n]));
  wnn_operand *sum = parts[c->from_the_right ? n - 1 : 0];
  for (uint32_t i = 1; i < n; i++) sum = c->from_the_right ? add(parts[n - 1 - i], sum) : add(sum, parts[i]);
  wnn_named_operand output = {"y", sum};
  wnn_named_tensor in = {.name = "x"}, out = {.name = "y"};
  CHECK_OK(wnn_builder_build(b, &output, 1, &graph, &error), error);
  int32_t *result = NULL;
  *products = 0;
  if (graph) {
    const wnn_desc *shape = wnn_graph_output_desc(graph, 0);
    *count = (size_t)wnn_desc_elements(shape);
    result = calloc(*count, sizeof *result);
    CHECK_OK(wnn_context_create_tensor(context, &c->x, WNN_TENSOR_WRITABLE, &in.tensor, &error), error);
    CHECK_OK(wnn_context_create_tensor(context, shape, WNN_TENSOR_READABLE, &out.tensor, &error), error);
    CHECK_OK(wnn_context_write_tensor(context, in.tensor, data + 1000, (size_t)wnn_desc_bytes(&c->x), &error), error);
    CHECK_OK(wnn_context_dispatch(context, graph, &in, 1, &out, 1, &error), error);
    CHECK_OK(wnn_context_read_tensor(context, out.tensor, result, *count * sizeof *result, &error), error);
    wnn_step_info step;
    for (size_t i = 0; wnn_graph_step(graph, i, &step); i++) *products += !strcmp(step.kernel, "q_product");
    wnn_tensor_release(in.tensor);
    wnn_tensor_release(out.tensor);
  }
  wnn_graph_release(graph);
  wnn_builder_release(b);
  wnn_context_release(context);
  return result;
}

static void sums(void) {
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const sum_case *c = &cases[i];
    wnn_context_options options = WNN_CONTEXT_OPTIONS_INIT;
    size_t count = 0, again = 0, products;
    options.threads = 1;
    options.reference = true;
    int32_t *expected = run(c, &options, &count, &products);
    options.reference = false;
    int32_t *actual = run(c, &options, &again, &products);
    REQUIRE(expected && actual && count == again);
    CHECK_MSG(!memcmp(expected, actual, count * sizeof *actual), "%s: other sums", c->name);
    CHECK_MSG(products == c->products, "%s: %zu products, not %zu", c->name, products, c->products);
    free(expected);
    free(actual);
  }
}

int main(int argc, char **argv) {
  test_begin(argc, argv);
  TEST(sums);
  return test_end();
}
