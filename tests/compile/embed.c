/* Embeddings become one operation: sums of gathered rows (and of whole tensors) under a layer normalization. */
#include <math.h>

#include "base/dtype.h"
#include "support/test.h"

enum { BATCH = 2, STEPS = 5, ROWS = 11, PLACES = 7, KINDS = 2, TERMS = 3 };

typedef struct embed_case {
  const char *name;
  uint32_t width;
  uint32_t terms;                   /* 2 without segments */
  bool folded, swapped, double_use; /* positions are a constant; the sum is table + (table + table); it is used twice */
  bool column;                      /* positions differ by batch, not by step */
  bool one_step;
} embed_case;

static wnn_builder *b;
static wnn_error error;
static wnn_data_type type;

static wnn_operand *input(const char *name, wnn_data_type of, uint32_t rank, const uint32_t *shape) {
  wnn_desc desc = {.data_type = of, .rank = rank};
  memcpy(desc.shape, shape, rank * sizeof *shape);
  wnn_operand *out = NULL;
  CHECK_OK(wnn_builder_input(b, name, &desc, &out, &error), error);
  return out;
}

static wnn_operand *numbers(uint32_t rank, const uint32_t *shape, uint64_t seed) {
  wnn_desc desc = {.data_type = type, .rank = rank};
  memcpy(desc.shape, shape, rank * sizeof *shape);
  size_t count = wnn_desc_elements(&desc);
  float *floats = malloc(count * sizeof *floats);
  uint16_t *halves = malloc(count * sizeof *halves);
  for (size_t i = 0; i < count; i++) {
    floats[i] = (float)test_uniform(&seed, -2, 3);
    halves[i] = wnn_f32_to_f16(floats[i]);
  }
  wnn_operand *out = NULL;
  const void *data = type == WNN_FLOAT32 ? (const void *)floats : halves;
  CHECK_OK(wnn_builder_constant(b, &desc, data, wnn_desc_bytes(&desc), &out, &error), error);
  free(floats), free(halves);
  return out;
}

static wnn_operand *gather(wnn_operand *table, wnn_operand *indices) {
  wnn_operand *out = NULL;
  CHECK_OK(wnn_gather(b, table, indices, NULL, &out, &error), error);
  return out;
}
static wnn_operand *add(wnn_operand *x, wnn_operand *y) {
  wnn_operand *out = NULL;
  CHECK_OK(wnn_add(b, x, y, NULL, &out, &error), error);
  return out;
}

static wnn_operand *make(const embed_case *c) {
  const uint32_t n = c->width, ids_shape[] = {BATCH, STEPS}, one_row[] = {1, STEPS}, column[] = {BATCH, 1};
  const uint32_t words[] = {ROWS, n}, places[] = {PLACES, n}, kinds[] = {KINDS, n}, row[] = {1, STEPS, n};
  wnn_operand *term[TERMS] = {NULL}, *sum, *y = NULL;
  term[0] = gather(numbers(2, words, 1), input("ids", WNN_INT64, 2, ids_shape));
  if (c->folded)
    term[1] = numbers(3, row, 2);
  else
    term[1] = gather(numbers(2, places, 2), input("places", WNN_UINT32, 2, c->column ? column : one_row));
  if (c->terms == TERMS) term[2] = gather(numbers(2, kinds, 3), input("kinds", WNN_INT32, 2, ids_shape));
  if (c->terms == 2)
    sum = add(term[0], term[1]);
  else
    sum = c->swapped ? add(term[2], add(term[1], term[0])) : add(add(term[0], term[1]), term[2]);
  wnn_layer_normalization_options options = WNN_LAYER_NORMALIZATION_OPTIONS_INIT;
  const uint32_t axes[] = {2};
  options.axes = (wnn_u32_list){axes, 1};
  options.epsilon = 1e-3;
  options.scale = numbers(1, &n, 4);
  if (!c->folded) options.bias = numbers(1, &n, 5);
  CHECK_OK(wnn_layer_normalization(b, sum, &options, &y, &error), error);
  return c->double_use ? add(y, sum) : y;
}

/* Indices of a type, some of them outside of the table. */
static void write_indices(wnn_context *context, wnn_graph *graph, size_t input, wnn_named_tensor *to) {
  static const int64_t values[] = {3, 0, -1, 10, 99, 5, -200, 1, 6, INT32_MAX};
  const wnn_desc *desc = wnn_graph_input_desc(graph, input);
  char data[BATCH * STEPS * 8];
  for (size_t i = 0; i < wnn_desc_elements(desc); i++) {
    int32_t small = (int32_t)values[i];
    uint32_t positive = (uint32_t)(values[i] < 0 ? 4 : values[i]);
    if (desc->data_type == WNN_INT64)
      memcpy(data + 8 * i, &values[i], 8);
    else
      memcpy(data + 4 * i, desc->data_type == WNN_INT32 ? (const void *)&small : &positive, 4);
  }
  to->name = wnn_graph_input_name(graph, input);
  CHECK_OK(wnn_context_create_tensor(context, desc, WNN_TENSOR_WRITABLE, &to->tensor, &error), error);
  CHECK_OK(wnn_context_write_tensor(context, to->tensor, data, wnn_desc_bytes(desc), &error), error);
}

static size_t run(const embed_case *c, bool reference, uint64_t features, float *out, char *kernels, size_t size) {
  wnn_context_options options = WNN_CONTEXT_OPTIONS_INIT;
  options.reference = reference;
  options.cpu_features = features;
  wnn_context *context;
  wnn_graph *graph;
  CHECK_OK(wnn_context_create(&options, &context, &error), error);
  CHECK_OK(wnn_builder_create(context, &b, &error), error);
  const wnn_named_operand named = {"y", make(c)};
  CHECK_OK(wnn_builder_build(b, &named, 1, &graph, &error), error);
  wnn_named_tensor inputs[TERMS], output = {.name = "y"};
  size_t count = wnn_graph_input_count(graph);
  for (size_t i = 0; i < count; i++) write_indices(context, graph, i, &inputs[i]);
  const wnn_desc *desc = wnn_graph_output_desc(graph, 0);
  size_t elements = wnn_desc_elements(desc);
  uint16_t *halves = malloc(elements * sizeof *halves);
  CHECK_OK(wnn_context_create_tensor(context, desc, WNN_TENSOR_READABLE, &output.tensor, &error), error);
  CHECK_OK(wnn_context_dispatch(context, graph, inputs, count, &output, 1, &error), error);
  CHECK_OK(wnn_context_read_tensor(context, output.tensor, type == WNN_FLOAT32 ? (void *)out : halves,
                                   wnn_desc_bytes(desc), &error),
           error);
  for (size_t i = 0; type == WNN_FLOAT16 && i < elements; i++) out[i] = wnn_f16_to_f32(halves[i]);
  free(halves);
  kernels[0] = 0;
  wnn_step_info info;
  for (size_t i = 0; wnn_graph_step(graph, i, &info); i++)
    snprintf(kernels + strlen(kernels), size - strlen(kernels), "%s ", info.kernel);
  for (size_t i = 0; i < count; i++) wnn_tensor_release(inputs[i].tensor);
  wnn_tensor_release(output.tensor);
  wnn_graph_release(graph);
  wnn_builder_release(b);
  wnn_context_release(context);
  return elements;
}

static const embed_case cases[] = {
    {.name = "three tables", .width = 70, .terms = 3, .one_step = true},
    {.name = "two tables", .width = 64, .terms = 2, .one_step = true},
    {.name = "narrow", .width = 3, .terms = 3, .one_step = true},
    {.name = "constant positions", .width = 33, .terms = 3, .folded = true, .one_step = true},
    {.name = "other order", .width = 48, .terms = 3, .swapped = true, .one_step = true},
    {.name = "sum used twice", .width = 20, .terms = 3, .double_use = true},
    {.name = "positions by batch", .width = 20, .terms = 3, .column = true},
};

static void check_all(void) {
  static float expected[BATCH * STEPS * 70], actual[BATCH * STEPS * 70];
  static const uint64_t features[] = {0, WNN_CPU_AVX2, UINT64_MAX};
  char kernels[1024];
  /* float16 results may fall to either side of a rounding. */
  const float tolerance = type == WNN_FLOAT32 ? 3e-6f : 0x1p-10f;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    size_t count = run(&cases[i], true, UINT64_MAX, expected, kernels, sizeof kernels);
    for (size_t f = 0; f < sizeof features / sizeof *features; f++) {
      run(&cases[i], false, features[f], actual, kernels, sizeof kernels);
      CHECK_MSG(!strcmp(kernels, "embed_norm ") == cases[i].one_step, "%s: %s", cases[i].name, kernels);
      for (size_t k = 0; k < count; k++)
        CHECK_MSG(fabsf(actual[k] - expected[k]) <= tolerance * (1 + fabsf(expected[k])),
                  "%s: element %zu is %.9g, not %.9g", cases[i].name, k, (double)actual[k], (double)expected[k]);
    }
  }
}

static void float32(void) {
  type = WNN_FLOAT32;
  check_all();
}
static void float16(void) {
  type = WNN_FLOAT16;
  check_all();
}

int main(int argc, char **argv) {
  test_begin(argc, argv);
  TEST(float32);
  TEST(float16);
  return test_end();
}
