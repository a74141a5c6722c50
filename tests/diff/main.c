/* Random graphs of up to 50 operations over the rows of the table, run by the reference kernels and by the compiled
 * engine at every set of processor features. Each value carries a bound of its magnitude and of its rounding error,
 * which follow the operations, so that results are held to what the arithmetic allows; integers and moved values must
 * be equal. DIFF_SEED runs one graph, DIFF_COUNT so many; DIFF_OPS prints how often each operation occurs. */
#include <inttypes.h>

#include "diff/draw.h"

static void fill(void *data, const wnn_desc *desc, uint64_t *state) {
  size_t count = (size_t)wnn_desc_elements(desc);
  for (size_t i = 0; i < count; i++) {
    /* Quarters mix in, so that ties and exact zeros occur. */
    double x = test_random(state) & 1 ? test_uniform(state, -2, 2) : (double)(test_random(state) % 17) / 4 - 2;
    uint64_t bits = test_random(state) & 3 ? test_random(state) % 7 : test_random(state);
    if (desc->data_type == WNN_FLOAT32)
      ((float *)data)[i] = (float)x;
    else if (desc->data_type == WNN_FLOAT16)
      ((uint16_t *)data)[i] = wnn_f64_to_f16(x);
    else
      memcpy((char *)data + i * wnn_data_type_size(desc->data_type), &bits, wnn_data_type_size(desc->data_type));
  }
}

/* All results that nothing uses, and some that are used. */
enum { MOST_OUTPUTS = 24 };
typedef struct results {
  uint32_t count;
  wnn_desc descs[MOST_OUTPUTS];
  double errors[MOST_OUTPUTS];
  void *data[MOST_OUTPUTS];
} results;

static void run(uint64_t from, const wnn_context_options *options, drawing *d, results *r) {
  static const char *const names[MOST_OUTPUTS] = {"o0",  "o1",  "o2",  "o3",  "o4",  "o5",  "o6",  "o7",
                                                  "o8",  "o9",  "o10", "o11", "o12", "o13", "o14", "o15",
                                                  "o16", "o17", "o18", "o19", "o20", "o21", "o22", "o23"};
  wnn_error error;
  wnn_context *context;
  wnn_graph *graph = NULL;
  memset(d, 0, sizeof *d);
  memset(r, 0, sizeof *r);
  REQUIRE_OK(wnn_context_create(options, &context, &error), error);
  REQUIRE_OK(wnn_builder_create(context, &d->builder, &error), error);
  draw(d, from);
  wnn_named_operand outputs[MOST_OUTPUTS];
  wnn_named_tensor in[MOST_INPUTS], out[MOST_OUTPUTS];
  uint64_t state = from + 99;
  for (uint32_t i = d->given; i < d->count && r->count < MOST_OUTPUTS; i++) {
    if (d->values[i].used && test_random(&state) % 6) continue;
    r->descs[r->count] = d->values[i].desc;
    r->errors[r->count] = d->values[i].error;
    outputs[r->count] = (wnn_named_operand){names[r->count], d->values[i].operand};
    r->count++;
  }
  if (r->count) CHECK_OK(wnn_builder_build(d->builder, outputs, r->count, &graph, &error), error);
  size_t in_count = 0;
  for (uint32_t i = 0; i < d->input_count; i++) {
    size_t size = (size_t)wnn_desc_bytes(&d->inputs[i]);
    void *data = malloc(size);
    fill(data, &d->inputs[i], &state);
    bool wanted = false; /* inputs that the outputs do not need are not in the graph */
    for (size_t k = 0; graph && k < wnn_graph_input_count(graph); k++)
      wanted = wanted || !strcmp(wnn_graph_input_name(graph, k), input_names[i]);
    if (wanted) {
      in[in_count].name = input_names[i];
      CHECK_OK(wnn_context_create_tensor(context, &d->inputs[i], WNN_TENSOR_WRITABLE, &in[in_count].tensor, &error),
               error);
      CHECK_OK(wnn_context_write_tensor(context, in[in_count++].tensor, data, size, &error), error);
    }
    free(data);
  }
  for (uint32_t i = 0; i < r->count; i++) {
    out[i].name = names[i];
    CHECK_OK(wnn_context_create_tensor(context, &r->descs[i], WNN_TENSOR_READABLE, &out[i].tensor, &error), error);
  }
  if (graph) CHECK_OK(wnn_context_dispatch(context, graph, in, in_count, out, r->count, &error), error);
  for (uint32_t i = 0; i < r->count; i++) {
    size_t size = (size_t)wnn_desc_bytes(&r->descs[i]);
    r->data[i] = malloc(size);
    CHECK_OK(wnn_context_read_tensor(context, out[i].tensor, r->data[i], size, &error), error);
    wnn_tensor_release(out[i].tensor);
  }
  for (size_t i = 0; i < in_count; i++) wnn_tensor_release(in[i].tensor);
  wnn_graph_release(graph);
  wnn_builder_release(d->builder);
  wnn_context_release(context);
}

static double element(const void *data, wnn_data_type type, size_t i) {
  return type == WNN_FLOAT16 ? (double)wnn_f16_to_f32(((const uint16_t *)data)[i]) : (double)((const float *)data)[i];
}

/* Number of the first element that is off, SIZE_MAX when none is. */
static size_t first_wrong(const wnn_desc *desc, const void *expected, const void *actual, double error) {
  size_t count = (size_t)wnn_desc_elements(desc), size = wnn_data_type_size(desc->data_type);
  for (size_t i = 0; i < count; i++) {
    if (!wnn_is_float(desc->data_type)) {
      if (memcmp((const char *)expected + i * size, (const char *)actual + i * size, size)) return i;
      continue;
    }
    double e = element(expected, desc->data_type, i), a = element(actual, desc->data_type, i);
    if (e == a || (isnan(e) && isnan(a))) continue;
    /* Ends have exact operands, so that their error is relative. */
    double allowed = error >= 1e9 ? 16 * unit_of(desc->data_type) * fabs(e) + 1e-38 : 2 * error;
    if (!(fabs(e - a) <= allowed)) return i;
  }
  return SIZE_MAX;
}

static uint32_t times[WNN_OP_COUNT]; /* that each operation occurs */

static void compare(uint64_t from) {
  static drawing d;
  results expected, actual;
  wnn_context_options options = WNN_CONTEXT_OPTIONS_INIT;
  options.reference = true;
  options.threads = 1;
  run(from, &options, &d, &expected);
  static const uint64_t masks[] = {0, WNN_CPU_AVX2, UINT64_MAX};
  for (int m = 0; m < 3; m++) {
    if (masks[m] != UINT64_MAX && (masks[m] & wnn_cpu_detect()) != masks[m]) continue;
    options = (wnn_context_options)WNN_CONTEXT_OPTIONS_INIT;
    options.cpu_features = masks[m];
    options.threads = 1 + (uint32_t)(from % 3);
    run(from, &options, &d, &actual);
    for (uint32_t i = 0; i < expected.count; i++) {
      const wnn_desc *desc = &expected.descs[i];
      size_t wrong = first_wrong(desc, expected.data[i], actual.data[i], expected.errors[i]);
      char text[WNN_DESC_TEXT];
      bool floats = wnn_is_float(desc->data_type);
      CHECK_MSG(wrong == SIZE_MAX,
                "seed %" PRIu64 ", mask %" PRIx64 ": output %u, %s: element %zu is %.9g, not %.9g%s%s", from, masks[m],
                i, wnn_desc_format(desc, text), wrong,
                floats && wrong != SIZE_MAX ? element(actual.data[i], desc->data_type, wrong) : 0,
                floats && wrong != SIZE_MAX ? element(expected.data[i], desc->data_type, wrong) : 0,
                getenv("DIFF_SEED") ? ";" : "", getenv("DIFF_SEED") ? d.text : "");
      free(actual.data[i]);
    }
  }
  for (uint32_t i = 0; i < expected.count; i++) free(expected.data[i]);
  for (int op = 0; op < WNN_OP_COUNT; op++) times[op] += d.times[op];
}

static void random_graphs(void) {
  const char *given = getenv("DIFF_SEED"), *wanted = getenv("DIFF_COUNT");
  if (given) {
    compare(strtoull(given, NULL, 0));
    return;
  }
  uint64_t count = wanted ? strtoull(wanted, NULL, 0) : 1500;
  for (uint64_t i = 1; i <= count; i++) compare(i);
  printf("seeds 1 to %" PRIu64 "\n", count);
  for (int op = 0; op < WNN_OP_COUNT && getenv("DIFF_OPS"); op++) printf("%6u %s\n", times[op], wnn_op_get(op)->name);
  for (int op = 0; op < WNN_OP_COUNT && count >= 300; op++)
    CHECK_MSG(times[op] > 0, "%s occurs in no graph", wnn_op_get(op)->name);
}

int main(int argc, char **argv) {
  test_begin(argc, argv);
  TEST(random_graphs);
  return test_end();
}
