/* Lowered data movement, reductions and broadcasts against the reference kernels: random shapes and options, every data
 * type, at every set of processor features with one to three threads. Movement must agree in every bit. KCHECK_SEED
 * repeats one case. */
#include <inttypes.h>
#include <math.h>

#include "base/dtype.h"
#include "support/test.h"

static uint64_t seed;
static uint32_t pick(uint32_t low, uint32_t high) { return low + (uint32_t)(test_random(&seed) % (high - low + 1)); }
static bool chance(uint32_t one_in) { return pick(1, one_in) == 1; }
static uint32_t pick_size(void) { return chance(5) ? pick(1, 70) : pick(1, 8); }

enum { OPERANDS = 2 };
typedef struct trial {
  int op;
  const void *args;
  uint32_t count; /* of operands */
  wnn_desc descs[OPERANDS];
  void *data[OPERANDS];
  size_t sizes[OPERANDS];
  double tolerance; /* negative: every bit */
} trial;

/* The result's bytes from malloc; NULL where the operation is refused. */
static void *run(const trial *t, const wnn_context_options *options, wnn_desc *desc) {
  static const char *const names[] = {"a", "b"};
  wnn_error error = {WNN_OK, ""};
  wnn_context *context = NULL;
  wnn_builder *builder = NULL;
  wnn_graph *graph = NULL;
  wnn_operand *operands[OPERANDS], *output = NULL;
  wnn_named_tensor inputs[OPERANDS], to = {.name = "y"};
  void *result = NULL;
  CHECK_OK(wnn_context_create(options, &context, &error), error);
  CHECK_OK(wnn_builder_create(context, &builder, &error), error);
  for (uint32_t i = 0; i < t->count; i++) {
    inputs[i].name = names[i];
    CHECK_OK(wnn_builder_input(builder, names[i], &t->descs[i], &operands[i], &error), error);
    CHECK_OK(wnn_context_create_tensor(context, &t->descs[i], WNN_TENSOR_WRITABLE, &inputs[i].tensor, &error), error);
    CHECK_OK(wnn_context_write_tensor(context, inputs[i].tensor, t->data[i], t->sizes[i], &error), error);
  }
  if (!wnn_builder_add(builder, t->op, t->args, operands, t->count, &output, 1, NULL, &error)) {
    *desc = *wnn_operand_desc(output);
    const wnn_named_operand named = {"y", output};
    CHECK_OK(wnn_builder_build(builder, &named, 1, &graph, &error), error);
    CHECK_OK(wnn_context_create_tensor(context, desc, WNN_TENSOR_READABLE, &to.tensor, &error), error);
    CHECK_OK(wnn_context_dispatch(context, graph, inputs, t->count, &to, 1, &error), error);
    size_t size = (size_t)wnn_desc_bytes(desc);
    result = malloc(size);
    CHECK_OK(wnn_context_read_tensor(context, to.tensor, result, size, &error), error);
    wnn_tensor_release(to.tensor);
  }
  for (uint32_t i = 0; i < t->count; i++) wnn_tensor_release(inputs[i].tensor);
  wnn_graph_release(graph);
  wnn_builder_release(builder);
  wnn_context_release(context);
  return result;
}

static double element(const void *data, wnn_data_type type, size_t i) {
  return type == WNN_FLOAT16 ? (double)wnn_f16_to_f32(((const uint16_t *)data)[i]) : (double)((const float *)data)[i];
}

static bool same(const trial *t, const wnn_desc *desc, const void *actual, const void *expected, size_t i) {
  size_t size = wnn_data_type_size(desc->data_type);
  if (!memcmp((const char *)actual + i * size, (const char *)expected + i * size, size)) return true;
  if (t->tolerance < 0) return false;
  double a = element(actual, desc->data_type, i), e = element(expected, desc->data_type, i);
  return a == e || (isnan(a) && isnan(e)) || fabs(a - e) <= t->tolerance * (fabs(e) + 1);
}

/* False where the operation was refused. */
static bool compare(const trial *t, uint64_t from) {
  static const uint64_t masks[] = {0, WNN_CPU_AVX2, WNN_CPU_AVX2 | WNN_CPU_AVX512, UINT64_MAX};
  wnn_context_options options = WNN_CONTEXT_OPTIONS_INIT;
  options.reference = true;
  options.threads = 1;
  wnn_desc desc, again;
  void *expected = run(t, &options, &desc);
  if (!expected) return false;
  for (size_t m = 0; m < sizeof masks / sizeof masks[0]; m++) {
    if (masks[m] != UINT64_MAX && (masks[m] & wnn_cpu_detect()) != masks[m]) continue;
    options = (wnn_context_options)WNN_CONTEXT_OPTIONS_INIT;
    options.cpu_features = masks[m];
    options.threads = pick(1, 3);
    void *actual = run(t, &options, &again);
    size_t count = (size_t)wnn_desc_elements(&desc), wrong = 0, first = 0;
    for (size_t i = 0; i < count && actual; i++)
      if (!same(t, &desc, actual, expected, i) && !wrong++) first = i;
    CHECK_MSG(actual && !wrong, "%s: %zu of %zu elements differ at mask %" PRIx64 ", seed %" PRIu64 ", first %zu",
              wnn_op_get(t->op)->name, wrong, count, masks[m], from, first);
    free(actual);
  }
  free(expected);
  return true;
}

/* ---- Operands ---- */

static uint32_t lists[6][WNN_MAX_RANK];
static wnn_u32_list list(int which, uint32_t count) { return (wnn_u32_list){lists[which], count}; }

static void random_shape(wnn_desc *desc, uint32_t least, uint32_t most) {
  desc->rank = pick(least, most);
  for (uint32_t i = 0; i < desc->rank; i++) desc->shape[i] = pick_size();
  if (desc->rank && chance(8)) desc->shape[pick(0, desc->rank - 1)] = pick(250, 600);
  while (wnn_desc_elements(desc) > 20000) desc->shape[pick(0, desc->rank - 1)] = pick(1, 3);
}

/* Any bits, or small whole numbers for arithmetic. */
static void fill(trial *t, uint32_t i, bool numbers) {
  t->sizes[i] = (size_t)wnn_desc_bytes(&t->descs[i]);
  unsigned char *bytes = t->data[i] = malloc(t->sizes[i]);
  for (size_t k = 0; k < t->sizes[i]; k++) bytes[k] = (unsigned char)test_random(&seed);
  for (size_t k = 0; numbers && k < (size_t)wnn_desc_elements(&t->descs[i]); k++) {
    float value = (float)pick(0, 16) - 8;
    if (t->descs[i].data_type == WNN_FLOAT16)
      ((uint16_t *)t->data[i])[k] = wnn_f32_to_f16(value);
    else
      ((float *)t->data[i])[k] = value;
  }
}

static wnn_data_type any_type(void) {
  static const wnn_data_type types[] = {WNN_FLOAT32, WNN_FLOAT16, WNN_INT32, WNN_UINT32,
                                        WNN_INT64,   WNN_UINT64,  WNN_INT8,  WNN_UINT8};
  return types[pick(0, 7)];
}

/* ---- Operations ---- */

static void make_transpose(trial *t) {
  static wnn_transpose_args args;
  args = (wnn_transpose_args){WNN_TRANSPOSE_OPTIONS_INIT};
  random_shape(&t->descs[0], 1, 5);
  uint32_t rank = t->descs[0].rank;
  for (uint32_t i = 0; i < rank; i++) lists[0][i] = i;
  for (uint32_t i = rank; i-- > 1;) {
    uint32_t j = pick(0, i), x = lists[0][i];
    lists[0][i] = lists[0][j], lists[0][j] = x;
  }
  args.options.permutation = list(0, rank);
  t->op = WNN_OP_TRANSPOSE, t->args = &args;
}

static void make_expand(trial *t) {
  static wnn_expand_args args;
  args = (wnn_expand_args){.new_shape = {0}};
  random_shape(&t->descs[0], 1, 4);
  for (uint32_t i = 0; i < t->descs[0].rank; i++) {
    lists[0][i] = t->descs[0].shape[i];
    if (chance(2)) t->descs[0].shape[i] = 1;
  }
  args.new_shape = list(0, t->descs[0].rank);
  t->op = WNN_OP_EXPAND, t->args = &args;
}

static void make_tile(trial *t) {
  static wnn_tile_args args;
  args = (wnn_tile_args){.repetitions = {0}};
  random_shape(&t->descs[0], 1, 4);
  for (uint32_t i = 0; i < t->descs[0].rank; i++) lists[0][i] = pick(1, 3);
  args.repetitions = list(0, t->descs[0].rank);
  t->op = WNN_OP_TILE, t->args = &args;
}

static uint32_t some_axes(int which, uint32_t rank) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < rank; i++)
    if (chance(2)) lists[which][count++] = i;
  return count;
}

static void make_reverse(trial *t) {
  static wnn_reverse_args args;
  args = (wnn_reverse_args){WNN_REVERSE_OPTIONS_INIT};
  random_shape(&t->descs[0], 1, 4);
  args.options.axes = list(0, some_axes(0, t->descs[0].rank));
  t->op = WNN_OP_REVERSE, t->args = &args;
}

static void make_slice(trial *t) {
  static wnn_slice_args args;
  args = (wnn_slice_args){.options = WNN_SLICE_OPTIONS_INIT};
  random_shape(&t->descs[0], 1, 4);
  uint32_t rank = t->descs[0].rank;
  for (uint32_t i = 0; i < rank; i++) {
    uint32_t size = t->descs[0].shape[i];
    lists[0][i] = chance(2) ? 0 : pick(0, size - 1);
    lists[1][i] = chance(3) ? size - lists[0][i] : pick(1, size - lists[0][i]);
    lists[2][i] = chance(2) ? 1 : pick(1, 4);
  }
  args.starts = list(0, rank), args.sizes = list(1, rank), args.options.strides = list(2, rank);
  t->op = WNN_OP_SLICE, t->args = &args;
}

static void make_concat(trial *t) {
  static wnn_concat_args args;
  args = (wnn_concat_args){.axis = 0};
  random_shape(&t->descs[0], 1, 4);
  args.axis = pick(0, t->descs[0].rank - 1);
  t->count = 2;
  t->descs[1] = t->descs[0];
  t->descs[1].shape[args.axis] = pick_size();
  t->op = WNN_OP_CONCAT, t->args = &args;
}

static void make_pad(trial *t) {
  static wnn_pad_args args;
  args = (wnn_pad_args){.options = WNN_PAD_OPTIONS_INIT};
  random_shape(&t->descs[0], 1, 4);
  uint32_t rank = t->descs[0].rank;
  args.options.mode = (wnn_padding_mode)pick(0, 2);
  for (uint32_t i = 0; i < rank; i++) {
    uint32_t most = args.options.mode == WNN_PADDING_MODE_REFLECTION ? t->descs[0].shape[i] - 1 : 3;
    lists[0][i] = chance(2) ? 0 : pick(0, most), lists[1][i] = chance(2) ? 0 : pick(0, most);
  }
  if (chance(2)) args.options.value = wnn_number_double(7);
  args.beginning_padding = list(0, rank), args.ending_padding = list(1, rank);
  t->op = WNN_OP_PAD, t->args = &args;
}

static void make_triangular(trial *t) {
  static wnn_triangular_args args;
  args = (wnn_triangular_args){WNN_TRIANGULAR_OPTIONS_INIT};
  random_shape(&t->descs[0], 2, 4);
  args.options.upper = chance(2);
  args.options.diagonal = (int32_t)pick(0, 12) - 6;
  t->op = WNN_OP_TRIANGULAR, t->args = &args;
}

static void make_gather(trial *t) {
  static wnn_gather_args args;
  static const wnn_data_type types[] = {WNN_INT32, WNN_UINT32, WNN_INT64};
  args = (wnn_gather_args){WNN_GATHER_OPTIONS_INIT};
  random_shape(&t->descs[0], 1, 4);
  args.options.axis = pick(0, t->descs[0].rank - 1);
  t->count = 2;
  t->descs[1].data_type = types[pick(0, 2)];
  random_shape(&t->descs[1], 0, 2);
  t->op = WNN_OP_GATHER, t->args = &args;
}

static void make_reduce(trial *t) {
  static wnn_reduce_options args;
  static const int ops[] = {WNN_OP_REDUCE_L1,          WNN_OP_REDUCE_L2,  WNN_OP_REDUCE_LOG_SUM,
                            WNN_OP_REDUCE_LOG_SUM_EXP, WNN_OP_REDUCE_MAX, WNN_OP_REDUCE_MEAN,
                            WNN_OP_REDUCE_MIN,         WNN_OP_REDUCE_SUM, WNN_OP_REDUCE_SUM_SQUARE};
  args = (wnn_reduce_options)WNN_REDUCE_OPTIONS_INIT;
  random_shape(&t->descs[0], 1, 5);
  if (chance(20)) t->descs[0] = (wnn_desc){.rank = 3, .shape = {3, 1, pick(60000, 90000)}};
  t->descs[0].data_type = chance(3) ? WNN_FLOAT16 : WNN_FLOAT32;
  args.axes = list(0, some_axes(0, t->descs[0].rank));
  args.keep_dimensions = chance(2);
  t->op = ops[pick(0, sizeof ops / sizeof ops[0] - 1)], t->args = &args;
  t->tolerance = t->descs[0].data_type == WNN_FLOAT16 ? 0x1p-10 : 2e-6;
}

/* To whole multiples of the sizes, and to any. */
static void make_resample(trial *t) {
  static wnn_resample2d_args args;
  args = (wnn_resample2d_args){WNN_RESAMPLE2D_OPTIONS_INIT};
  random_shape(&t->descs[0], 4, 4);
  uint32_t axis = chance(2) ? 2 : pick(0, 2);
  for (uint32_t i = 0; i < 2; i++) {
    lists[0][i] = axis + i;
    uint32_t size = t->descs[0].shape[axis + i];
    lists[1][i] = chance(3) ? pick(1, 40) : size * (chance(2) ? 2 : pick(1, 4));
  }
  if (chance(2)) t->descs[0].data_type = WNN_FLOAT32;
  args.options.axes = list(0, 2), args.options.sizes = list(1, 2);
  t->op = WNN_OP_RESAMPLE2D, t->args = &args;
}

/* Dimensions of either operand that repeat, in any pattern. */
static void make_broadcast(trial *t) {
  static const int ops[] = {WNN_OP_ADD, WNN_OP_SUB, WNN_OP_MUL, WNN_OP_MAX, WNN_OP_PRELU, WNN_OP_GREATER};
  random_shape(&t->descs[0], 1, 4);
  t->count = 2;
  t->op = ops[pick(0, 5)];
  if (chance(3)) t->descs[0].shape[t->descs[0].rank - 1] = pick(16, 200);
  t->descs[0].data_type = t->descs[1].data_type = chance(4) ? WNN_FLOAT16 : WNN_FLOAT32;
  t->descs[1] = t->descs[0];
  for (uint32_t i = 0; i < t->descs[0].rank; i++)
    if (chance(2)) t->descs[chance(3) && t->op != WNN_OP_PRELU ? 0 : 1].shape[i] = 1;
  t->tolerance = 0;
}

typedef void make_fn(trial *t);
static void trials(make_fn *make, unsigned wanted) {
  const char *given = getenv("KCHECK_SEED");
  uint64_t start = given ? strtoull(given, NULL, 0) : 1;
  unsigned done = 0;
  for (uint64_t i = 0; done < wanted && i < 50 * (uint64_t)wanted; i++) {
    uint64_t from = start + i;
    seed = from * UINT64_C(0x9E3779B97F4A7C15) + 1;
    trial t = {.count = 1, .tolerance = -1};
    wnn_data_type type = any_type();
    t.descs[0].data_type = t.descs[1].data_type = type;
    make(&t);
    for (uint32_t k = 0; k < t.count; k++) fill(&t, k, t.tolerance >= 0);
    if (compare(&t, from)) done++;
    for (uint32_t k = 0; k < t.count; k++) free(t.data[k]);
    if (given) break;
  }
  CHECK(given || done == wanted);
}

#define OPERATIONS(X)                                                                                                  \
  X(transpose)                                                                                                         \
  X(expand) X(tile) X(reverse) X(slice) X(concat) X(pad) X(triangular) X(gather) X(reduce) X(broadcast) X(resample)
#define X(name)                                                                                                        \
  static void name(void) { trials(make_##name, 200); }
OPERATIONS(X)
#undef X

int main(int argc, char **argv) {
  test_begin(argc, argv);
#define X(name) TEST(name);
  OPERATIONS(X)
#undef X
  return test_end();
}
