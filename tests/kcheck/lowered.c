/* Lowered operations against the reference kernels: random shapes and options, at every set of processor features.
 * Inputs are small whole numbers, so that sums are exact in any order and results must be equal. */
#include <inttypes.h>
#include <math.h>

#include "base/dtype.h"
#include "support/test.h"

enum { MOST_OPERANDS = 3, MOST_SIDE = 40 };

/* One operation with everything it needs. */
typedef struct trial {
  int op;
  const void *args;
  wnn_desc descs[MOST_OPERANDS];
  bool present[MOST_OPERANDS], constant[MOST_OPERANDS];
  int activation; /* an operation on the result, or -1 */
  uint32_t operand_count;
  void *data[MOST_OPERANDS];
  size_t sizes[MOST_OPERANDS];
} trial;

static uint64_t seed;
static uint32_t pick(uint32_t low, uint32_t high) { return low + (uint32_t)(test_random(&seed) % (high - low + 1)); }
static bool chance(uint32_t one_in) { return pick(1, one_in) == 1; }

static void fill(trial *t) {
  for (uint32_t i = 0; i < t->operand_count; i++) {
    if (!t->present[i]) continue;
    size_t count = (size_t)wnn_desc_elements(&t->descs[i]);
    t->sizes[i] = (size_t)wnn_desc_bytes(&t->descs[i]);
    t->data[i] = malloc(t->sizes[i]);
    for (size_t j = 0; j < count; j++) {
      float value = (float)pick(0, 8) - 4;
      if (t->descs[i].data_type == WNN_FLOAT16)
        ((uint16_t *)t->data[i])[j] = wnn_f32_to_f16(value);
      else
        ((float *)t->data[i])[j] = value;
    }
  }
}

/* Runs the trial in a context; returns the output's bytes from malloc, NULL when the operation was refused. */
static void *run(const trial *t, const wnn_context_options *options, wnn_desc *desc) {
  wnn_error error = {WNN_OK, ""};
  wnn_context *context = NULL;
  wnn_builder *builder = NULL;
  wnn_graph *graph = NULL;
  void *result = NULL;
  CHECK_OK(wnn_context_create(options, &context, &error), error);
  CHECK_OK(wnn_builder_create(context, &builder, &error), error);
  wnn_operand *operands[MOST_OPERANDS] = {0}, *output = NULL;
  wnn_named_tensor inputs[MOST_OPERANDS], outputs[1];
  static const char *const names[] = {"a", "b", "c"};
  size_t input_count = 0;
  for (uint32_t i = 0; i < t->operand_count; i++) {
    if (!t->present[i]) continue;
    if (t->constant[i]) {
      CHECK_OK(wnn_builder_constant(builder, &t->descs[i], t->data[i], t->sizes[i], &operands[i], &error), error);
    } else {
      CHECK_OK(wnn_builder_input(builder, names[i], &t->descs[i], &operands[i], &error), error);
      inputs[input_count].name = names[i];
      CHECK_OK(
          wnn_context_create_tensor(context, &t->descs[i], WNN_TENSOR_WRITABLE, &inputs[input_count].tensor, &error),
          error);
      CHECK_OK(wnn_context_write_tensor(context, inputs[input_count++].tensor, t->data[i], t->sizes[i], &error), error);
    }
  }
  if (wnn_builder_add(builder, t->op, t->args, operands, t->operand_count, &output, 1, NULL, &error)) goto done;
  if (t->activation >= 0) {
    wnn_clamp_args clamp = {WNN_CLAMP_OPTIONS_INIT};
    clamp.options.min_value = wnn_number_double(-3);
    clamp.options.max_value = wnn_number_double(5);
    wnn_operand *before = output;
    CHECK_OK(wnn_builder_add(builder, t->activation, t->activation == WNN_OP_CLAMP ? &clamp : NULL, &before, 1, &output,
                             1, NULL, &error),
             error);
  }
  *desc = *wnn_operand_desc(output);
  wnn_named_operand named = {"y", output};
  wnn_status built = wnn_builder_build(builder, &named, 1, &graph, &error);
  if (built) { /* no input reaches the output */
    CHECK_MSG(!input_count, "%s", error.message);
    goto done;
  }
  outputs[0].name = "y";
  CHECK_OK(wnn_context_create_tensor(context, desc, WNN_TENSOR_READABLE, &outputs[0].tensor, &error), error);
  CHECK_OK(wnn_context_dispatch(context, graph, inputs, input_count, outputs, 1, &error), error);
  size_t size = (size_t)wnn_desc_bytes(desc);
  result = malloc(size);
  CHECK_OK(wnn_context_read_tensor(context, outputs[0].tensor, result, size, &error), error);
  wnn_tensor_release(outputs[0].tensor);
done:
  for (size_t i = 0; i < input_count; i++) wnn_tensor_release(inputs[i].tensor);
  wnn_graph_release(graph);
  wnn_builder_release(builder);
  wnn_context_release(context);
  return result;
}

static float element(const void *data, wnn_data_type type, size_t i) {
  return type == WNN_FLOAT16 ? wnn_f16_to_f32(((const uint16_t *)data)[i]) : ((const float *)data)[i];
}

/* Runs a trial everywhere and compares; tolerance is relative, 0 for operations that are exact. */
static bool compare(const trial *t, uint64_t from, float tolerance) {
  wnn_context_options options = WNN_CONTEXT_OPTIONS_INIT;
  options.reference = true;
  options.threads = 1;
  wnn_desc desc, again;
  void *expected = run(t, &options, &desc);
  if (!expected) return false;
  static const uint64_t masks[] = {0, WNN_CPU_AVX2, WNN_CPU_AVX2 | WNN_CPU_AVX512, UINT64_MAX};
  for (size_t m = 0; m < sizeof masks / sizeof masks[0]; m++) {
    if (m + 1 < sizeof masks / sizeof masks[0] && (masks[m] & wnn_cpu_detect()) != masks[m]) continue;
    options = (wnn_context_options)WNN_CONTEXT_OPTIONS_INIT;
    options.cpu_features = masks[m];
    options.threads = 1 + (uint32_t)(m & 1);
    void *actual = run(t, &options, &again);
    if (!actual) {
      test_report(__FILE__, __LINE__, "%s failed at mask %" PRIx64 ", seed %" PRIu64, wnn_op_get(t->op)->name, masks[m],
                  from);
      continue;
    }
    size_t count = (size_t)wnn_desc_elements(&desc), wrong = 0, first = 0;
    for (size_t i = 0; i < count; i++) {
      float a = element(actual, desc.data_type, i), e = element(expected, desc.data_type, i);
      bool same = a == e || (isnan(a) && isnan(e)) || fabsf(a - e) <= tolerance * fabsf(e);
      if (!same && !wrong++) first = i;
    }
    CHECK_MSG(!wrong, "%s: %zu of %zu elements differ at mask %" PRIx64 ", seed %" PRIu64 ": element %zu is %g, not %g",
              wnn_op_get(t->op)->name, wrong, count, masks[m], from, first,
              (double)element(actual, desc.data_type, first), (double)element(expected, desc.data_type, first));
    free(actual);
  }
  free(expected);
  return true;
}

static void free_trial(trial *t) {
  for (uint32_t i = 0; i < t->operand_count; i++) free(t->data[i]);
}

static void set_desc(trial *t, uint32_t i, wnn_data_type type, uint32_t rank, const uint32_t *shape, bool constant) {
  t->descs[i] = (wnn_desc){.data_type = type, .rank = rank};
  memcpy(t->descs[i].shape, shape, rank * sizeof *shape);
  t->present[i] = true;
  t->constant[i] = constant;
}

/* Tries until `wanted` trials were legal. */
typedef float make_fn(trial *t);
static void trials(make_fn *make, unsigned wanted) {
  const char *given = getenv("KCHECK_SEED");
  uint64_t start = given ? strtoull(given, NULL, 0) : 1;
  unsigned done = 0;
  for (uint64_t i = 0; done < wanted && i < 50 * (uint64_t)wanted; i++) {
    uint64_t from = start + i;
    seed = from * UINT64_C(0x9E3779B97F4A7C15) + 1;
    trial t = {.activation = -1};
    float tolerance = make(&t);
    fill(&t);
    if (compare(&t, from, tolerance)) done++;
    free_trial(&t);
    if (given) break;
  }
  CHECK(given || done == wanted);
}

static wnn_data_type pick_type(void) { return chance(4) ? WNN_FLOAT16 : WNN_FLOAT32; }
static int pick_activation(void) { return chance(2) ? -1 : chance(2) ? WNN_OP_RELU : WNN_OP_CLAMP; }
static uint32_t pick_size(uint32_t most) { return chance(3) ? pick(1, most) : pick(1, most < 9 ? most : 9); }

static float make_gemm(trial *t) {
  static wnn_gemm_args args;
  args = (wnn_gemm_args){WNN_GEMM_OPTIONS_INIT};
  wnn_data_type type = pick_type();
  uint32_t m = pick_size(70), k = pick_size(90), n = pick_size(70);
  args.options.a_transpose = chance(3);
  args.options.b_transpose = chance(2);
  args.options.alpha = chance(2) ? 1 : 0.5;
  args.options.beta = chance(2) ? 1 : -2;
  t->op = WNN_OP_GEMM;
  t->args = &args;
  t->operand_count = 3;
  t->activation = pick_activation();
  uint32_t a[] = {m, k}, at[] = {k, m}, b[] = {k, n}, bt[] = {n, k};
  set_desc(t, 0, type, 2, args.options.a_transpose ? at : a, false);
  set_desc(t, 1, type, 2, args.options.b_transpose ? bt : b, chance(2));
  if (chance(3)) return 0;
  uint32_t c[] = {chance(2) ? m : 1, chance(2) ? n : 1};
  uint32_t rank = pick(0, 2);
  set_desc(t, 2, type, rank, rank == 1 ? c + 1 : c, chance(2));
  return 0;
}

static float make_matmul(trial *t) {
  wnn_data_type type = pick_type();
  uint32_t batch[4], a[6], b[6], rank_a = pick(0, 3), rank_b = pick(0, 3);
  for (int i = 0; i < 4; i++) batch[i] = pick(1, 3);
  /* Aligned at the last: a missing or 1-sized dimension repeats. */
  for (uint32_t i = 0; i < rank_a; i++) a[i] = chance(4) ? 1 : batch[4 - rank_a + i];
  for (uint32_t i = 0; i < rank_b; i++) b[i] = chance(4) ? 1 : batch[4 - rank_b + i];
  uint32_t k = pick_size(60);
  a[rank_a] = pick_size(40), a[rank_a + 1] = k;
  b[rank_b] = k, b[rank_b + 1] = pick_size(70);
  t->op = WNN_OP_MATMUL;
  t->operand_count = 2;
  t->activation = pick_activation();
  set_desc(t, 0, type, rank_a + 2, a, false);
  set_desc(t, 1, type, rank_b + 2, b, chance(2));
  return 0;
}

/* Shapes from sizes in the order batch (outer), channels, height, width. */
static void image_shape(uint32_t shape[4], bool nhwc, uint32_t n, uint32_t c, uint32_t h, uint32_t w) {
  uint32_t nchw_shape[] = {n, c, h, w}, nhwc_shape[] = {n, h, w, c};
  memcpy(shape, nhwc ? nhwc_shape : nchw_shape, 4 * sizeof *shape);
}

static uint32_t lists[16];

static float make_conv2d(trial *t) {
  static wnn_conv2d_args args;
  args = (wnn_conv2d_args){WNN_CONV2D_OPTIONS_INIT};
  wnn_data_type type = pick_type();
  uint32_t groups = chance(3) ? pick(2, 40) : 1, per_group = chance(2) ? 1 : pick_size(20);
  uint32_t inputs = groups * per_group, outputs = groups * (chance(2) ? 1 : pick_size(40));
  if (groups == 1) inputs = pick_size(40), per_group = inputs, outputs = pick_size(70);
  uint32_t side[] = {chance(3) ? 3 : pick(1, 5), chance(3) ? 3 : pick(1, 5)};
  for (int i = 0; i < 4; i++) lists[i] = pick(0, 2);
  for (int i = 4; i < 8; i++) lists[i] = chance(2) ? 1 : pick(1, 3);
  if (chance(3)) lists[0] = lists[1] = lists[2] = lists[3] = 0;
  args.options.padding = (wnn_u32_list){lists, 4};
  args.options.strides = (wnn_u32_list){lists + 4, 2};
  args.options.dilations = (wnn_u32_list){lists + 6, 2};
  args.options.groups = groups;
  args.options.input_layout = chance(2) ? WNN_INPUT_LAYOUT_NHWC : WNN_INPUT_LAYOUT_NCHW;
  args.options.filter_layout = (wnn_conv2d_filter_layout)pick(0, 3);
  t->op = WNN_OP_CONV2D;
  t->args = &args;
  t->operand_count = 3;
  t->activation = pick_activation();
  uint32_t shape[4], o = outputs, i = per_group, h = side[0], w = side[1];
  image_shape(shape, args.options.input_layout == WNN_INPUT_LAYOUT_NHWC, pick(1, 2), inputs, pick_size(20),
              pick_size(30));
  set_desc(t, 0, type, 4, shape, false);
  uint32_t filters[][4] = {{o, i, h, w}, {h, w, i, o}, {o, h, w, i}, {i, h, w, o}};
  set_desc(t, 1, type, 4, filters[args.options.filter_layout], !chance(4));
  if (chance(2)) set_desc(t, 2, type, 1, &outputs, !chance(4));
  return 0;
}

static float make_conv_transpose2d(trial *t) {
  static wnn_conv_transpose2d_args args;
  args = (wnn_conv_transpose2d_args){WNN_CONV_TRANSPOSE2D_OPTIONS_INIT};
  wnn_data_type type = pick_type();
  uint32_t groups = chance(3) ? pick(2, 6) : 1, inputs = groups * pick_size(12), per_group = pick_size(24);
  uint32_t outputs = groups * per_group, h = pick(1, 5), w = pick(1, 5);
  for (int i = 0; i < 4; i++) lists[i] = pick(0, 1);
  for (int i = 4; i < 8; i++) lists[i] = chance(2) ? 1 : pick(1, 3);
  for (int i = 8; i < 10; i++) lists[i] = pick(0, lists[i - 4] - 1);
  args.options.padding = (wnn_u32_list){lists, 4};
  args.options.strides = (wnn_u32_list){lists + 4, 2};
  args.options.dilations = (wnn_u32_list){lists + 6, 2};
  args.options.output_padding = (wnn_u32_list){lists + 8, 2};
  args.options.groups = groups;
  args.options.input_layout = chance(2) ? WNN_INPUT_LAYOUT_NHWC : WNN_INPUT_LAYOUT_NCHW;
  args.options.filter_layout = (wnn_conv_transpose2d_filter_layout)pick(0, 2);
  t->op = WNN_OP_CONV_TRANSPOSE2D;
  t->args = &args;
  t->operand_count = 3;
  t->activation = pick_activation();
  uint32_t shape[4];
  image_shape(shape, args.options.input_layout == WNN_INPUT_LAYOUT_NHWC, pick(1, 2), inputs, pick_size(12),
              pick_size(12));
  set_desc(t, 0, type, 4, shape, false);
  uint32_t filters[][4] = {{inputs, per_group, h, w}, {h, w, per_group, inputs}, {inputs, h, w, per_group}};
  set_desc(t, 1, type, 4, filters[args.options.filter_layout], !chance(4));
  if (chance(2)) set_desc(t, 2, type, 1, &outputs, !chance(4));
  return 0;
}

static float make_pool(trial *t) {
  static wnn_pool2d_options args;
  args = (wnn_pool2d_options)WNN_POOL2D_OPTIONS_INIT;
  wnn_data_type type = pick_type();
  static const int ops[] = {WNN_OP_MAX_POOL2D, WNN_OP_AVERAGE_POOL2D, WNN_OP_L2_POOL2D};
  t->op = ops[pick(0, 2)];
  for (int i = 0; i < 4; i++) lists[i] = pick(0, 2);
  for (int i = 4; i < 8; i++) lists[i] = chance(2) ? 1 : pick(1, 3);
  if (chance(8)) lists[pick(4, 5)] = chance(2) ? 57 : 1 << 30; /* which leaves one window */
  for (int i = 8; i < 10; i++) lists[i] = pick(1, 4);
  args.padding = (wnn_u32_list){lists, 4};
  args.strides = (wnn_u32_list){lists + 4, 2};
  args.dilations = (wnn_u32_list){lists + 6, 2};
  if (!chance(4)) args.window_dimensions = (wnn_u32_list){lists + 8, 2};
  args.output_shape_rounding = chance(2) ? WNN_ROUNDING_CEIL : WNN_ROUNDING_FLOOR;
  args.layout = chance(2) ? WNN_INPUT_LAYOUT_NHWC : WNN_INPUT_LAYOUT_NCHW;
  t->args = &args;
  t->operand_count = 1;
  uint32_t shape[4];
  image_shape(shape, args.layout == WNN_INPUT_LAYOUT_NHWC, pick(1, 2), chance(4) ? 1 : pick_size(70), pick_size(20),
              pick_size(MOST_SIDE));
  set_desc(t, 0, type, 4, shape, false);
  if (t->op == WNN_OP_MAX_POOL2D) return 0;
  return type == WNN_FLOAT16 ? 0x1p-10f : 0x1p-21f;
}

static void gemm(void) { trials(make_gemm, 200); }
static void matmul(void) { trials(make_matmul, 200); }
static void conv2d(void) { trials(make_conv2d, 500); }
static void conv_transpose2d(void) { trials(make_conv_transpose2d, 200); }
static void pool2d(void) { trials(make_pool, 400); }

int main(int argc, char **argv) {
  test_begin(argc, argv);
  TEST(gemm);
  TEST(matmul);
  TEST(conv2d);
  TEST(conv_transpose2d);
  TEST(pool2d);
  return test_end();
}
