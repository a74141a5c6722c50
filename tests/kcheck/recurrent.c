/* Lowered LSTM and GRU against the reference kernels: odd sizes, every option, every set of processor features. */
#include <inttypes.h>
#include <math.h>

#include "base/dtype.h"
#include "support/test.h"

enum { MOST_OPERANDS = 8, MOST_OUTPUTS = 3 };

typedef union arguments {
  wnn_gru_args gru;
  wnn_gru_cell_args gru_cell;
  wnn_lstm_args lstm;
  wnn_lstm_cell_args lstm_cell;
} arguments;

typedef struct trial {
  int op;
  arguments args;
  int32_t activations[3];
  uint32_t steps, batch, input, hidden, directions, gates;
  wnn_data_type type;
  bool constants; /* weights are known at build */
  wnn_desc descs[MOST_OPERANDS];
  bool present[MOST_OPERANDS];
  uint32_t operand_count;
  void *data[MOST_OPERANDS];
} trial;

typedef struct results {
  size_t count;
  wnn_desc descs[MOST_OUTPUTS];
  void *data[MOST_OUTPUTS];
} results;

static uint64_t seed;
static uint32_t pick(uint32_t low, uint32_t high) { return low + (uint32_t)(test_random(&seed) % (high - low + 1)); }
static bool chance(uint32_t one_in) { return pick(1, one_in) == 1; }

static wnn_desc desc_of(const trial *t, bool directions, uint32_t a, uint32_t b) {
  wnn_desc d = {t->type, 0, {0}};
  if (directions) d.shape[d.rank++] = t->directions;
  d.shape[d.rank++] = a;
  if (b) d.shape[d.rank++] = b;
  return d;
}

/* Small numbers, so that sums over many features stay where activations are curved. */
static void fill(trial *t) {
  for (uint32_t i = 0; i < t->operand_count; i++) {
    if (!t->present[i]) continue;
    size_t count = (size_t)wnn_desc_elements(&t->descs[i]);
    float scale = i == 1 || i == 2 ? 1.5f / sqrtf((float)(i == 1 ? t->input : t->hidden)) : 1.0f;
    t->data[i] = malloc((size_t)wnn_desc_bytes(&t->descs[i]));
    for (size_t j = 0; j < count; j++) {
      float value = ((float)pick(0, 2000) - 1000) / 1000 * scale;
      if (t->type == WNN_FLOAT16)
        ((uint16_t *)t->data[i])[j] = wnn_f32_to_f16(value);
      else
        ((float *)t->data[i])[j] = value;
    }
  }
}

static void free_trial(trial *t) {
  for (uint32_t i = 0; i < t->operand_count; i++) free(t->data[i]);
}

static void free_results(results *r) {
  for (size_t i = 0; i < r->count; i++) free(r->data[i]);
}

/* Positions: 0 input, 1 weight, 2 recurrent weight; then as in the table. */
static void set_operands(trial *t, bool cell) {
  bool lstm = t->op == WNN_OP_LSTM || t->op == WNN_OP_LSTM_CELL;
  uint32_t packed = t->gates * t->hidden, states = lstm ? 2 : 1, n = 3;
  wnn_desc input = {t->type, 3, {t->steps, t->batch, t->input}};
  wnn_desc cell_input = {t->type, 2, {t->batch, t->input}};
  t->descs[0] = cell ? cell_input : input;
  t->descs[1] = desc_of(t, !cell, packed, t->input);
  t->descs[2] = desc_of(t, !cell, packed, t->hidden);
  t->present[0] = t->present[1] = t->present[2] = true;
  for (uint32_t i = 0; cell && i < states; i++, n++) {
    t->descs[n] = desc_of(t, false, t->batch, t->hidden);
    t->present[n] = true;
  }
  for (uint32_t i = 0; i < 2; i++, n++) { /* biases */
    t->descs[n] = desc_of(t, !cell, packed, 0);
    t->present[n] = !chance(3);
  }
  if (lstm) {
    t->descs[n] = desc_of(t, !cell, 3 * t->hidden, 0);
    t->present[n++] = chance(2);
  }
  for (uint32_t i = 0; !cell && i < states; i++, n++) {
    t->descs[n] = desc_of(t, true, t->batch, t->hidden);
    t->present[n] = chance(2);
  }
  t->operand_count = n;
  fill(t);
}

static void set_options(trial *t, wnn_direction direction, bool returns_sequence) {
  wnn_enum_list activations = {t->activations, t->gates == 4 ? 3 : 2};
  uint32_t layout = pick(0, 1);
  bool reset_after = chance(2);
  /* relu lets numbers, and differences with them, grow with each step. */
  wnn_activation least = t->steps <= 2 ? WNN_ACTIVATION_RELU : WNN_ACTIVATION_SIGMOID;
  for (int i = 0; i < 3; i++) t->activations[i] = (int32_t)pick(least, WNN_ACTIVATION_TANH);
  switch (t->op) {
  case WNN_OP_GRU:
    t->args.gru = (wnn_gru_args){t->steps, t->hidden, WNN_GRU_OPTIONS_INIT};
    t->args.gru.options.activations = activations;
    t->args.gru.options.layout = (wnn_gru_weight_layout)layout;
    t->args.gru.options.reset_after = reset_after;
    t->args.gru.options.direction = direction;
    t->args.gru.options.return_sequence = returns_sequence;
    break;
  case WNN_OP_GRU_CELL:
    t->args.gru_cell = (wnn_gru_cell_args){t->hidden, WNN_GRU_CELL_OPTIONS_INIT};
    t->args.gru_cell.options.activations = activations;
    t->args.gru_cell.options.layout = (wnn_gru_weight_layout)layout;
    t->args.gru_cell.options.reset_after = reset_after;
    break;
  case WNN_OP_LSTM:
    t->args.lstm = (wnn_lstm_args){t->steps, t->hidden, WNN_LSTM_OPTIONS_INIT};
    t->args.lstm.options.activations = activations;
    t->args.lstm.options.layout = (wnn_lstm_weight_layout)layout;
    t->args.lstm.options.direction = direction;
    t->args.lstm.options.return_sequence = returns_sequence;
    break;
  default:
    t->args.lstm_cell = (wnn_lstm_cell_args){t->hidden, WNN_LSTM_CELL_OPTIONS_INIT};
    t->args.lstm_cell.options.activations = activations;
    t->args.lstm_cell.options.layout = (wnn_lstm_weight_layout)layout;
  }
}

/* Runs the trial in a new context. */
static void run(const trial *t, const wnn_context_options *options, results *r) {
  static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g", "h"};
  wnn_error error = {WNN_OK, ""};
  wnn_context *context = NULL;
  wnn_builder *builder = NULL;
  wnn_graph *graph = NULL;
  wnn_operand *operands[MOST_OPERANDS] = {0}, *made[MOST_OUTPUTS] = {0};
  wnn_named_tensor inputs[MOST_OPERANDS], outputs[MOST_OUTPUTS];
  wnn_named_operand named[MOST_OUTPUTS];
  size_t input_count = 0;
  CHECK_OK(wnn_context_create(options, &context, &error), error);
  CHECK_OK(wnn_builder_create(context, &builder, &error), error);
  for (uint32_t i = 0; i < t->operand_count; i++) {
    if (!t->present[i]) continue;
    size_t size = (size_t)wnn_desc_bytes(&t->descs[i]);
    if (i && t->constants) {
      CHECK_OK(wnn_builder_constant(builder, &t->descs[i], t->data[i], size, &operands[i], &error), error);
      continue;
    }
    wnn_named_tensor *input = &inputs[input_count++];
    input->name = names[i];
    CHECK_OK(wnn_builder_input(builder, names[i], &t->descs[i], &operands[i], &error), error);
    CHECK_OK(wnn_context_create_tensor(context, &t->descs[i], WNN_TENSOR_WRITABLE, &input->tensor, &error), error);
    CHECK_OK(wnn_context_write_tensor(context, input->tensor, t->data[i], size, &error), error);
  }
  CHECK_OK(wnn_builder_add(builder, t->op, &t->args, operands, t->operand_count, made, MOST_OUTPUTS, &r->count, &error),
           error);
  for (size_t i = 0; i < r->count; i++) {
    named[i] = (wnn_named_operand){names[i], made[i]};
    r->descs[i] = *wnn_operand_desc(made[i]);
    outputs[i].name = names[i];
    CHECK_OK(wnn_context_create_tensor(context, &r->descs[i], WNN_TENSOR_READABLE, &outputs[i].tensor, &error), error);
  }
  CHECK_OK(wnn_builder_build(builder, named, r->count, &graph, &error), error);
  for (int twice = 0; twice < 2; twice++) /* the second finds buffers as the first left them */
    CHECK_OK(wnn_context_dispatch(context, graph, inputs, input_count, outputs, r->count, &error), error);
  for (size_t i = 0; i < r->count; i++) {
    size_t size = (size_t)wnn_desc_bytes(&r->descs[i]);
    r->data[i] = malloc(size);
    CHECK_OK(wnn_context_read_tensor(context, outputs[i].tensor, r->data[i], size, &error), error);
    wnn_tensor_release(outputs[i].tensor);
  }
  for (size_t i = 0; i < input_count; i++) wnn_tensor_release(inputs[i].tensor);
  wnn_graph_release(graph);
  wnn_builder_release(builder);
  wnn_context_release(context);
}

static float element(const void *data, wnn_data_type type, size_t i) {
  return type == WNN_FLOAT16 ? wnn_f16_to_f32(((const uint16_t *)data)[i]) : ((const float *)data)[i];
}

/* Differences relative to the largest number of a tensor: float32 sums, and gates that pass errors on. */
static void compare(const trial *t, const results *expected, const results *actual, const char *how, uint64_t from) {
  const char *name = wnn_op_get(t->op)->name;
  float tolerance = t->type == WNN_FLOAT16 ? 1.0f / 1024 : 1e-5f;
  CHECK_MSG(expected->count == actual->count, "%s: %zu outputs, not %zu", name, actual->count, expected->count);
  for (size_t o = 0; o < expected->count && o < actual->count; o++) {
    size_t count = (size_t)wnn_desc_elements(&expected->descs[o]), wrong = 0, first = 0;
    float largest = 0.125f;
    for (size_t i = 0; i < count; i++) largest = fmaxf(largest, fabsf(element(expected->data[o], t->type, i)));
    for (size_t i = 0; i < count; i++) {
      float e = element(expected->data[o], t->type, i), a = element(actual->data[o], t->type, i);
      if (!(e == a || fabsf(a - e) <= tolerance * largest) && !wrong++) first = i;
    }
    CHECK_MSG(!wrong,
              "%s steps %u batch %u input %u hidden %u directions %u, %s, seed %" PRIu64
              ": output %zu differs in %zu of %zu elements, element %zu is %g, not %g",
              name, t->steps, t->batch, t->input, t->hidden, t->directions, how, from, o, wrong, count, first,
              (double)element(actual->data[o], t->type, first), (double)element(expected->data[o], t->type, first));
  }
}

/* In the reference kernels, then at each set of features with one to three threads. */
static void check(trial *t, uint64_t from) {
  static const struct {
    uint64_t mask;
    const char *name;
  } sets[] = {{0, "baseline"}, {WNN_CPU_AVX2, "avx2"}, {WNN_CPU_AVX2 | WNN_CPU_AVX512, "avx512"}, {UINT64_MAX, "all"}};
  wnn_context_options options = WNN_CONTEXT_OPTIONS_INIT;
  results expected = {0}, actual = {0};
  options.reference = true;
  options.threads = 1;
  run(t, &options, &expected);
  for (size_t m = 0; m < sizeof sets / sizeof sets[0]; m++) {
    if (sets[m].mask != UINT64_MAX && (sets[m].mask & wnn_cpu_detect()) != sets[m].mask) continue;
    options = (wnn_context_options)WNN_CONTEXT_OPTIONS_INIT;
    options.cpu_features = sets[m].mask;
    options.threads = pick(1, 3);
    run(t, &options, &actual);
    compare(t, &expected, &actual, sets[m].name, from);
    free_results(&actual);
  }
  free_results(&expected);
}

static void random_trial(trial *t, int op, uint32_t hidden) {
  bool cell = op == WNN_OP_GRU_CELL || op == WNN_OP_LSTM_CELL;
  wnn_direction direction = cell ? WNN_DIRECTION_FORWARD : (wnn_direction)pick(0, 2);
  *t = (trial){.op = op,
               .steps = cell ? 1 : pick(1, 9),
               .batch = pick(1, 5),
               .input = pick(1, 70),
               .hidden = hidden,
               .directions = direction == WNN_DIRECTION_BOTH ? 2 : 1,
               .gates = op == WNN_OP_GRU || op == WNN_OP_GRU_CELL ? 3 : 4,
               .type = chance(4) ? WNN_FLOAT16 : WNN_FLOAT32,
               .constants = !chance(3)};
  set_options(t, direction, chance(2));
  set_operands(t, cell);
}

static void sizes(int op) {
  for (uint32_t hidden = 1; hidden <= 130; hidden++) {
    uint64_t from = seed;
    trial t;
    random_trial(&t, op, hidden);
    check(&t, from);
    free_trial(&t);
  }
}
static void gru(void) { sizes(WNN_OP_GRU); }
static void gru_cell(void) { sizes(WNN_OP_GRU_CELL); }
static void lstm(void) { sizes(WNN_OP_LSTM); }
static void lstm_cell(void) { sizes(WNN_OP_LSTM_CELL); }

/* Steps large enough to be split over threads, and sequences whose input products come in several chunks. */
static void large(void) {
  static const uint32_t shapes[][4] = {{3, 1, 20, 300}, {2, 1, 9, 513}, {40, 12, 3, 200}, {5, 7, 33, 290}};
  for (size_t i = 0; i < 2 * sizeof shapes / sizeof shapes[0]; i++) {
    uint64_t from = seed;
    trial t;
    const uint32_t *shape = shapes[i / 2];
    wnn_direction direction = (wnn_direction)pick(0, 2);
    t = (trial){.op = i % 2 ? WNN_OP_GRU : WNN_OP_LSTM,
                .steps = shape[0],
                .batch = shape[1],
                .input = shape[2],
                .hidden = shape[3],
                .directions = direction == WNN_DIRECTION_BOTH ? 2 : 1,
                .gates = i % 2 ? 3 : 4,
                .type = WNN_FLOAT32,
                .constants = true};
    set_options(&t, direction, true);
    set_operands(&t, false);
    check(&t, from);
    free_trial(&t);
  }
}

int main(int argc, char **argv) {
  test_begin(argc, argv);
  const char *given = getenv("WEBNN_TEST_SEED");
  seed = given ? strtoull(given, NULL, 10) : 1;
  TEST(gru);
  TEST(gru_cell);
  TEST(lstm);
  TEST(lstm_cell);
  TEST(large);
  return test_end();
}
