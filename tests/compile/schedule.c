/* Jobs of independent steps: what depends on one another stays in order and apart, what pays comes together, and graphs
 * with branches give the same bits with any number of threads. */
#include "base/alloc.h"
#include "compile/compile.h"
#include "support/test.h"

static bool depend(const wnn_schedule_step *a, const wnn_schedule_step *b) {
  for (uint32_t i = 0; i < a->use_count; i++)
    for (uint32_t k = 0; k < b->use_count; k++) {
      const wnn_schedule_use *x = &a->uses[i], *y = &b->uses[k];
      bool apart = x->writes && y->writes && x->part != y->part && x->part != WNN_NONE && y->part != WNN_NONE;
      if (x->memory == y->memory && (x->writes || y->writes) && !apart) return true;
    }
  return false;
}

/* Checks all that is promised; returns the number of jobs. */
static uint32_t check(wnn_schedule_step *steps, size_t count, unsigned threads) {
  static uint32_t order[400];
  static bool seen[400];
  memset(seen, 0, sizeof seen);
  CHECK(wnn_schedule(&wnn_default_allocator, steps, count, threads, 4000, order));
  uint32_t job = 0;
  for (size_t i = 0; i < count; i++) {
    CHECK(order[i] < count && !seen[order[i]]);
    seen[order[i]] = true;
    CHECK(steps[order[i]].job == job || (i && steps[order[i]].job == job + 1));
    job = steps[order[i]].job;
  }
  for (size_t i = 0; i < count; i++)
    for (size_t k = i + 1; k < count; k++)
      if (depend(&steps[i], &steps[k]))
        CHECK_MSG(steps[i].job < steps[k].job, "step %zu depends on %zu, jobs %u and %u", k, i, steps[k].job,
                  steps[i].job);
  return count ? job + 1 : 0;
}

static void random_steps(void) {
  uint64_t seed = 20261130;
  uint32_t joined = 0;
  for (int round = 0; round < 300; round++) {
    static wnn_schedule_use uses[400][4];
    static wnn_schedule_step steps[400];
    size_t count = test_random(&seed) % 400;
    uint32_t memories = 1 + (uint32_t)(test_random(&seed) % 200);
    for (size_t i = 0; i < count; i++) {
      uint32_t n = (uint32_t)(test_random(&seed) % 5);
      for (uint32_t k = 0; k < n; k++) {
        bool writes = test_random(&seed) % 3 == 0;
        uint32_t part = writes && test_random(&seed) % 2 ? (uint32_t)(test_random(&seed) % 4) : WNN_NONE;
        uses[i][k] = (wnn_schedule_use){(uint32_t)(test_random(&seed) % memories), part, writes};
      }
      steps[i] = (wnn_schedule_step){.uses = uses[i],
                                     .use_count = n,
                                     .divisible = test_random(&seed) % 2,
                                     .cost_ns = (double)(test_random(&seed) % 100000)};
    }
    joined += (uint32_t)count - check(steps, count, 2 + (unsigned)(round % 15));
  }
  CHECK(joined > 1000);
}

static void what_comes_together(void) {
  const wnn_schedule_use in = {0, WNN_NONE, false}, a = {1, WNN_NONE, true}, b = {2, WNN_NONE, true};
  const wnn_schedule_use left = {3, 10, true}, right = {3, 11, true}, whole = {3, WNN_NONE, true};
  const wnn_schedule_use from_a[] = {{1, WNN_NONE, false}, b}, to_a[] = {in, a}, to_b[] = {in, b};
  const struct {
    const char *name;
    wnn_schedule_step first, second;
    uint32_t jobs;
  } cases[] = {
      {"one input, two results", {to_a, 2, true, 20000, 0}, {to_b, 2, true, 20000, 0}, 1},
      {"a chain", {to_a, 2, true, 20000, 0}, {from_a, 2, true, 20000, 0}, 2},
      {"a result that is read before", {from_a, 2, true, 20000, 0}, {to_a, 2, true, 20000, 0}, 2},
      {"the same result", {to_a, 2, true, 20000, 0}, {to_a, 2, true, 20000, 0}, 2},
      {"parts of a result", {&left, 1, true, 20000, 0}, {&right, 1, true, 20000, 0}, 1},
      {"the same part", {&left, 1, true, 20000, 0}, {&left, 1, true, 20000, 0}, 2},
      {"a part and the whole", {&left, 1, true, 20000, 0}, {&whole, 1, true, 20000, 0}, 2},
      {"both on one thread", {to_a, 2, false, 20000, 0}, {to_b, 2, false, 20000, 0}, 1},
      {"too short to hand over", {to_a, 2, false, 3000, 0}, {to_b, 2, false, 3000, 0}, 2},
      {"a short one beside a shared one", {to_a, 2, false, 3000, 0}, {to_b, 2, true, 20000, 0}, 1},
      {"so long that nothing is gained", {to_a, 2, true, 1e7, 0}, {to_b, 2, true, 1e7, 0}, 2},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    wnn_schedule_step steps[] = {cases[i].first, cases[i].second};
    uint32_t jobs = check(steps, 2, 2);
    CHECK_MSG(jobs == cases[i].jobs, "%s: %u jobs", cases[i].name, jobs);
  }
}

/* ---- Graphs ------------------------------------------------------------------------------------------ */

enum { ROWS = 24, WIDTH = 48, HEADS = 5 };

/* Five products of one input; two are joined, one is halved in place beside a reader of it, one is a chain of two.
 * Outputs: the joined, the halved, their reader, the end of the chain. */
static size_t make_heads(wnn_builder *builder, wnn_named_operand *outputs) {
  wnn_error error;
  wnn_operand *x, *head[HEADS], *joined, *half, *halved, *row, *sum;
  const wnn_desc in = {WNN_FLOAT32, 2, {ROWS, WIDTH}}, square = {WNN_FLOAT32, 2, {WIDTH, WIDTH}};
  CHECK_OK(wnn_builder_input(builder, "x", &in, &x, &error), error);
  for (int h = 0; h < HEADS; h++) {
    static float weights[WIDTH * WIDTH];
    wnn_operand *w;
    for (int i = 0; i < WIDTH * WIDTH; i++) weights[i] = (float)((i * 7 + h * 13) % 31 - 15) / 64;
    CHECK_OK(wnn_builder_constant(builder, &square, weights, sizeof weights, &w, &error), error);
    CHECK_OK(wnn_matmul(builder, h == 4 ? head[3] : x, w, NULL, &head[h], &error), error);
  }
  CHECK_OK(wnn_concat(builder, (wnn_operand *const *)head, 2, 1, NULL, &joined, &error), error);
  CHECK_OK(wnn_softmax(builder, head[2], 1, NULL, &half, &error), error);
  CHECK_OK(wnn_sqrt(builder, half, NULL, &halved, &error), error);
  CHECK_OK(wnn_reduce_sum(builder, half, NULL, &row, &error), error);
  CHECK_OK(wnn_tanh(builder, head[4], NULL, &sum, &error), error);
  outputs[0] = (wnn_named_operand){"joined", joined};
  outputs[1] = (wnn_named_operand){"halved", halved};
  outputs[2] = (wnn_named_operand){"row", row};
  outputs[3] = (wnn_named_operand){"chain", sum};
  return 4;
}

enum { OUTPUTS = 4, OUTPUT_MOST = ROWS * WIDTH * 2 };
typedef struct heads {
  float data[OUTPUTS][OUTPUT_MOST];
  size_t beside; /* steps that have another of their job before them */
} heads;

static void run_heads(const wnn_context_options *options, heads *r) {
  wnn_error error;
  wnn_context *context;
  wnn_builder *builder;
  wnn_graph *graph;
  wnn_named_operand named[OUTPUTS];
  wnn_named_tensor in = {"x", NULL}, out[OUTPUTS];
  float x[ROWS * WIDTH];
  memset(r, 0, sizeof *r);
  for (int i = 0; i < ROWS * WIDTH; i++) x[i] = (float)(i * 11 % 37 - 18) / 16;
  REQUIRE_OK(wnn_context_create(options, &context, &error), error);
  REQUIRE_OK(wnn_builder_create(context, &builder, &error), error);
  size_t count = make_heads(builder, named);
  REQUIRE_OK(wnn_builder_build(builder, named, count, &graph, &error), error);
  wnn_builder_release(builder);
  wnn_step_info step;
  for (uint32_t i = 0, last = UINT32_MAX; wnn_graph_step(graph, i, &step); last = step.job, i++)
    r->beside += step.job == last;
  REQUIRE_OK(wnn_context_create_tensor(context, wnn_graph_input_desc(graph, 0), WNN_TENSOR_WRITABLE, &in.tensor, &error),
             error);
  CHECK_OK(wnn_context_write_tensor(context, in.tensor, x, sizeof x, &error), error);
  for (size_t i = 0; i < count; i++) {
    out[i].name = wnn_graph_output_name(graph, i);
    REQUIRE_OK(wnn_context_create_tensor(context, wnn_graph_output_desc(graph, i), WNN_TENSOR_READABLE, &out[i].tensor,
                                         &error),
               error);
  }
  for (int round = 0; round < 20; round++)
    CHECK_OK(wnn_context_dispatch(context, graph, &in, 1, out, count, &error), error);
  for (size_t i = 0; i < count; i++) {
    CHECK_OK(wnn_context_read_tensor(context, out[i].tensor, r->data[i],
                                     wnn_desc_bytes(wnn_graph_output_desc(graph, i)), &error),
             error);
    wnn_tensor_release(out[i].tensor);
  }
  wnn_tensor_release(in.tensor);
  wnn_graph_release(graph);
  wnn_context_release(context);
}

static void same_bits(void) {
  static const uint64_t masks[] = {0, WNN_CPU_AVX2, UINT64_MAX};
  static heads alone, together;
  for (size_t m = 0; m < sizeof masks / sizeof *masks; m++) {
    if (masks[m] != UINT64_MAX && (masks[m] & wnn_cpu_detect()) != masks[m]) continue;
    wnn_context_options options = WNN_CONTEXT_OPTIONS_INIT;
    options.cpu_features = masks[m];
    options.threads = 1;
    run_heads(&options, &alone);
    CHECK_EQ(alone.beside, 0);
    for (uint32_t threads = 2; threads <= 5; threads++) {
      options.threads = threads;
      options.disabled_passes = 0;
      run_heads(&options, &together);
      CHECK(together.beside > 0);
      CHECK(!memcmp(alone.data, together.data, sizeof alone.data));
      options.disabled_passes = WNN_PASS_PARALLEL;
      run_heads(&options, &together);
      CHECK_EQ(together.beside, 0);
      CHECK(!memcmp(alone.data, together.data, sizeof alone.data));
    }
  }
}

int main(int argc, char **argv) {
  test_begin(argc, argv);
  TEST(random_steps);
  TEST(what_comes_together);
  TEST(same_bits);
  return test_end();
}
