/* Memory: all of it is given back, a dispatch takes none, and running short at any point is survived. */
#include <sched.h>

#include "gate.h"
#include "sample.h"
#include "support/alloc.h"

static test_allocator memory;
static wnn_allocator allocator;
static wnn_error error;

static wnn_context_options with_allocator(void) {
  wnn_context_options options = WNN_CONTEXT_OPTIONS_INIT;
  options.allocator = &allocator;
  options.threads = 2;
  return options;
}

static void check_all_back(void) {
  CHECK_EQ(memory.bytes, 0);
  CHECK_EQ(memory.blocks, 0);
  CHECK_EQ(memory.misuse, 0);
}

/* Queued or run at the call: once warm, dispatches, writes at rest and waiting reads allocate nothing. */
static void steady_state_allocates_nothing(void) {
  static const uint32_t sizes[] = {16, 100000};
  for (size_t k = 0; k < 4; k++) {
    wnn_context_options options = with_allocator();
    wnn_context *context;
    wnn_graph *graph;
    wnn_tensor *a, *b, *out;
    uint32_t size = sizes[k & 1];
    float *data = calloc(size, sizeof *data);
    gate.slow = k >= 2;
    REQUIRE(data);
    REQUIRE_OK(wnn_context_create_on(gate_factory, &options, &context, &error), error);
    REQUIRE_OK(sample_graph(context, size, &graph, &error), error);
    REQUIRE_OK(sample_tensor(context, size, 1, &a, &error), error);
    REQUIRE_OK(sample_tensor(context, size, 2, &b, &error), error);
    REQUIRE_OK(sample_tensor(context, size, 0, &out, &error), error);
    long long before = 0;
    for (int i = 0; i < 200; i++) {
      if (i == 20) before = memory.calls;
      CHECK_OK(wnn_context_write_tensor(context, a, data, size * sizeof *data, &error), error);
      CHECK_OK(sample_dispatch(context, graph, a, b, out, &error), error);
      /* a second one behind it, which needs a second block when the first is queued */
      if (i % 2) CHECK_OK(sample_dispatch(context, graph, out, b, a, &error), error);
      CHECK_OK(wnn_context_read_tensor(context, out, data, size * sizeof *data, &error), error);
      wnn_context_finish(context);
    }
    CHECK_EQ(memory.calls, before);
    wnn_tensor_release(a);
    wnn_graph_release(graph);
    wnn_tensor_release(b);
    wnn_tensor_release(out);
    wnn_context_release(context);
    free(data);
    check_all_back();
  }
}

/* Blocks of queued dispatches are recycled: as many as were ever queued at once, however many follow. */
static void blocks_are_recycled(void) {
  wnn_context_options options = with_allocator();
  wnn_context *context;
  wnn_graph *graph;
  wnn_tensor *a, *b, *out;
  gate.slow = true;
  REQUIRE_OK(wnn_context_create_on(gate_factory, &options, &context, &error), error);
  REQUIRE_OK(sample_graph(context, 4, &graph, &error), error);
  REQUIRE_OK(sample_tensor(context, 4, 1, &a, &error), error);
  REQUIRE_OK(sample_tensor(context, 4, 2, &b, &error), error);
  REQUIRE_OK(sample_tensor(context, 4, 0, &out, &error), error);
  long long before = 0;
  for (int round = 0; round < 10; round++) {
    gate_set(true);
    for (int i = 0; i < 50; i++) CHECK_OK(sample_dispatch(context, graph, a, b, out, &error), error);
    gate_set(false);
    wnn_context_finish(context);
    if (round == 0) before = memory.calls;
  }
  CHECK_EQ(memory.calls, before);
  wnn_tensor_release(a);
  wnn_tensor_release(b);
  wnn_tensor_release(out);
  wnn_graph_release(graph);
  wnn_context_release(context);
  check_all_back();
}

static atomic_uint released;
static void count_release(void *user) {
  (void)user;
  atomic_fetch_add(&released, 1);
}

typedef struct outcome {
  atomic_uint calls;
  wnn_status status;
  wnn_graph *graph;
} outcome;

static void note_read(void *user, wnn_status status, const wnn_error *why) {
  outcome *o = user;
  (void)why;
  o->status = status;
  atomic_fetch_add(&o->calls, 1);
}

static void note_build(void *user, wnn_status status, wnn_graph *graph, const wnn_error *why) {
  ((outcome *)user)->graph = graph;
  note_read(user, status, why);
}

static bool short_of_memory(wnn_status status, const char *where) {
  if (status == WNN_OK) return false;
  CHECK_MSG(status == WNN_OUT_OF_MEMORY || status == WNN_UNKNOWN_ERROR || status == WNN_OPERATION_ERROR, "%s: %s",
            where, wnn_status_name(status));
  return true;
}

/* A whole life with every kind of call. Returns true when all calls succeeded; frees everything in any case. */
static bool whole_life(bool reference) {
  enum { SIZE = 300 };
  wnn_context_options options = with_allocator();
  wnn_context *context = NULL;
  wnn_builder *builder = NULL;
  wnn_graph *graph = NULL;
  wnn_tensor *in = NULL, *out = NULL, *out2 = NULL, *constant = NULL;
  wnn_operand *x, *w, *k, *bias, *y, *z, *s, *parts[2];
  float data[SIZE], result[SIZE / 2], result2[SIZE / 2];
  outcome built = {0}, read = {0};
  bool fine = false;
  for (int i = 0; i < SIZE; i++) data[i] = (float)(i % 7);
  options.reference = reference;
  options.profile = reference;
  atomic_store(&released, 0);
  bool borrowed = false;
  wnn_desc desc = {WNN_FLOAT32, 2, {10, 30}}, square = {WNN_FLOAT32, 2, {30, 10}}, half = {WNN_FLOAT32, 2, {10, 5}};
  wnn_desc row = {WNN_FLOAT32, 1, {10}};
#define TRY(call)                                                                                                      \
  if (short_of_memory(call, #call)) goto done
  TRY(wnn_context_create_on(gate_factory, &options, &context, &error));
  TRY(wnn_context_create_tensor(context, &desc, WNN_TENSOR_WRITABLE, &in, &error));
  TRY(wnn_context_create_tensor(context, &half, WNN_TENSOR_READABLE, &out, &error));
  TRY(wnn_context_create_tensor(context, &half, WNN_TENSOR_READABLE, &out2, &error));
  TRY(wnn_context_create_constant_tensor(context, &square, data, sizeof data, &constant, &error));
  TRY(wnn_builder_create(context, &builder, &error));
  TRY(wnn_builder_input(builder, "x", &desc, &x, &error));
  TRY(wnn_builder_constant_tensor(builder, constant, &w, &error));
  borrowed = true; /* from here on release must come exactly once */
  TRY(wnn_builder_constant_borrowed(builder, &row, data, 40, count_release, NULL, &bias, &error));
  TRY(wnn_builder_constant(builder, &row, data, 40, &k, &error));
  TRY(wnn_matmul(builder, x, w, NULL, &y, &error));
  TRY(wnn_add(builder, bias, k, NULL, &s, &error)); /* folded */
  TRY(wnn_add(builder, y, s, NULL, &z, &error));
  TRY(wnn_relu(builder, z, NULL, &z, &error));
  TRY(wnn_softmax(builder, z, 1, NULL, &z, &error));
  wnn_splits splits = {NULL, 2};
  wnn_split_options along = WNN_SPLIT_OPTIONS_INIT;
  along.axis = 1;
  TRY(wnn_split(builder, z, splits, &along, parts, 2, NULL, &error));
  wnn_named_operand outputs[] = {{"left", parts[0]}, {"right", parts[1]}};
  if (reference) {
    TRY(wnn_builder_build(builder, outputs, 2, &graph, &error));
  } else {
    TRY(wnn_builder_build_async(builder, outputs, 2, note_build, &built, &error));
    while (!atomic_load(&built.calls)) sched_yield();
    graph = built.graph;
    TRY(built.status);
  }
  gate_set(true); /* so that what follows is queued */
  wnn_named_tensor inputs[] = {{"x", in}}, results[] = {{"left", out}, {"right", out2}};
  bool queued = false;
  for (int i = 0; i < 3; i++) {
    wnn_status status = wnn_context_write_tensor(context, in, data, sizeof data, &error);
    if (!status) status = wnn_context_dispatch(context, graph, inputs, 1, results, 2, &error);
    if (status) {
      gate_set(false);
      short_of_memory(status, "queueing");
      goto done;
    }
    queued = true;
  }
  wnn_status status = wnn_context_read_tensor_async(context, out, result, sizeof result / 3, note_read, &read, &error);
  gate_set(false);
  TRY(status);
  TRY(wnn_context_read_tensor(context, out2, result2, sizeof result2 / 3, &error));
  CHECK(queued);
  CHECK_EQ(read.calls, 1);
  CHECK_EQ(read.status, WNN_OK);
  float sum = 0;
  for (int i = 0; i < 5; i++) sum += result[i] + result2[i];
  CHECK_MSG(sum > 0.99f && sum < 1.01f, "the softmax sums to %g", sum);
  fine = true;
done:
  wnn_builder_release(builder);
  wnn_tensor_release(constant);
  wnn_graph_release(graph);
  wnn_tensor_release(in);
  wnn_tensor_release(out);
  wnn_tensor_release(out2);
  wnn_context_release(context);
  CHECK_EQ(released, borrowed);
  return fine;
#undef TRY
}

static void fail_everywhere(bool reference, bool once) {
  gate.slow = true; /* dispatches queue, so that blocks and staging are needed */
  long long start = memory.calls, steps = 0;
  REQUIRE(whole_life(reference));
  check_all_back();
  long long calls = memory.calls - start;
  REQUIRE(calls > 20);
  atomic_store(&memory.once, once);
  for (long long n = 1; n <= calls + 5; n++) {
    memory.fail_at = memory.calls + n;
    bool fine = whole_life(reference);
    memory.fail_at = 0;
    check_all_back();
    if (memory.bytes) break; /* one leak is enough to see */
    steps++;
    if (fine && !once) break;
  }
  atomic_store(&memory.once, false);
  CHECK_MSG(steps >= calls - 5, "%lld steps for %lld calls", steps, calls);
}

static void every_failure_reference(void) { fail_everywhere(true, false); }
static void every_failure_fast(void) { fail_everywhere(false, false); }
static void every_single_failure(void) { fail_everywhere(false, true); }

/* Nothing grows over many short lives. */
static void short_lives(void) {
  wnn_context_options options = with_allocator();
  for (int i = 0; i < 200; i++) {
    wnn_context *context;
    wnn_graph *graph;
    wnn_tensor *a;
    REQUIRE_OK(wnn_context_create(&options, &context, &error), error);
    REQUIRE_OK(sample_graph(context, 8, &graph, &error), error);
    REQUIRE_OK(sample_tensor(context, 8, 1, &a, &error), error);
    if (i % 3 == 0) wnn_context_destroy(context);
    if (i % 2) wnn_context_release(context), context = NULL;
    wnn_tensor_release(a);
    wnn_graph_release(graph);
    wnn_context_release(context);
    check_all_back();
  }
}

int main(int argc, char **argv) {
  allocator = test_allocator_make(&memory);
  test_begin(argc, argv);
  TEST(steady_state_allocates_nothing);
  TEST(blocks_are_recycled);
  TEST(every_failure_reference);
  TEST(every_failure_fast);
  TEST(every_single_failure);
  TEST(short_lives);
  return test_end();
}
