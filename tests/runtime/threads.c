/* Many threads on one context, several contexts at once, reads against destroys. Sizes are modest so that the
 * thread sanitizer gets through. */
#include <pthread.h>
#include <sched.h>

#include "gate.h"
#include "sample.h"

enum { THREADS = 6, ROUNDS = 150 };

/* ---- One context, everybody at work ---- */

typedef struct worker {
  wnn_context *context;
  wnn_graph *graph; /* shared */
  uint32_t size;
  int index;
  uint64_t seed;
  atomic_uint callbacks;
} worker;

static void count_callback(void *user, wnn_status status, const wnn_error *why) {
  CHECK_MSG(status == WNN_OK, "a read failed: %s", why ? why->message : "");
  atomic_fetch_add((atomic_uint *)user, 1);
}

static void count_any(void *user, wnn_status status, const wnn_error *why) {
  CHECK(status == WNN_OK || (status == WNN_INVALID_STATE && why));
  atomic_fetch_add((atomic_uint *)user, 1);
}

/* Own tensors, shared graph, every result checked. */
static void *work(void *argument) {
  worker *self = argument;
  wnn_context *context = self->context;
  wnn_error error;
  wnn_tensor *a, *b, *out;
  uint32_t size = self->size;
  size_t bytes = size * sizeof(float);
  float *data = malloc(bytes);
  if (!data || sample_tensor(context, size, 1, &a, &error) || sample_tensor(context, size, 2, &b, &error) ||
      sample_tensor(context, size, 0, &out, &error)) {
    CHECK_MSG(false, "setting up failed");
    return NULL;
  }
  unsigned expected = 0;
  for (int i = 0; i < ROUNDS; i++) {
    float value = (float)(self->index * 1000 + i);
    for (uint32_t k = 0; k < size; k++) data[k] = value;
    CHECK_OK(wnn_context_write_tensor(context, a, data, bytes, &error), error);
    memset(data, 0, bytes);
    CHECK_OK(sample_dispatch(context, self->graph, a, b, out, &error), error);
    CHECK_OK(sample_dispatch(context, self->graph, out, b, a, &error), error);
    uint64_t choice = test_random(&self->seed) % 4;
    if (choice == 0) {
      CHECK_OK(wnn_context_read_tensor_async(context, a, data, bytes, count_callback, &self->callbacks, &error), error);
      expected++;
      while (atomic_load(&self->callbacks) < expected) sched_yield();
    } else {
      if (choice == 1) wnn_context_finish(context);
      CHECK_OK(wnn_context_read_tensor(context, a, data, bytes, &error), error);
    }
    CHECK_MSG(data[0] == value + 6 && data[size - 1] == value + 6, "%g and %g, expected %g", data[0], data[size - 1],
              value + 6);
    if (i % 16 == 0) { /* graphs and tensors come and go */
      wnn_graph *own = NULL;
      CHECK_OK(sample_graph(context, size, &own, &error), error);
      if (own) CHECK_OK(sample_dispatch(context, own, a, b, out, &error), error);
      wnn_graph_release(own);
      wnn_tensor_release(b);
      CHECK_OK(sample_tensor(context, size, 2, &b, &error), error);
    }
  }
  wnn_tensor_release(a);
  wnn_tensor_release(b);
  wnn_tensor_release(out);
  free(data);
  return NULL;
}

static void hammer(uint32_t size, bool slow, bool several) {
  wnn_context_options options = WNN_CONTEXT_OPTIONS_INIT;
  wnn_context *contexts[THREADS] = {0};
  wnn_graph *graphs[THREADS] = {0};
  worker workers[THREADS];
  pthread_t threads[THREADS];
  wnn_error error;
  int count = several ? THREADS : 1;
  gate.slow = slow;
  options.threads = 2;
  for (int i = 0; i < count; i++) {
    wnn_status status = several ? wnn_context_create(&options, &contexts[i], &error) /* no common exclusion */
                                : wnn_context_create_on(gate_factory, &options, &contexts[i], &error);
    REQUIRE_OK(status, error);
    REQUIRE_OK(sample_graph(contexts[i], size, &graphs[i], &error), error);
  }
  for (int i = 0; i < THREADS; i++) {
    workers[i] = (worker){
        .context = contexts[i % count], .graph = graphs[i % count], .size = size, .index = i, .seed = 77 + (uint64_t)i};
    REQUIRE(!pthread_create(&threads[i], NULL, work, &workers[i]));
  }
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  for (int i = 0; i < count; i++) {
    wnn_graph_release(graphs[i]);
    wnn_context_release(contexts[i]);
  }
  CHECK_EQ(gate.programs, 0);
  CHECK_EQ(gate.overlaps, 0);
}

static void one_context_quick_graphs(void) { hammer(16, false, false); }
static void one_context_queued_graphs(void) { hammer(16, true, false); }
static void one_context_large_tensors(void) { hammer(20000, false, false); }
static void several_contexts(void) { hammer(3000, false, true); }

/* ---- Reads, writes and dispatches against destroys ---- */

typedef struct arena {
  wnn_context *context;
  wnn_graph *graph;
  wnn_tensor *a, *b, *out;
  atomic_bool stop;
  atomic_uint asked, answered;
} arena;

static void *use(void *argument) {
  arena *x = argument;
  wnn_error error;
  float data[16], more[64][16];
  for (unsigned i = 0; !atomic_load(&x->stop); i++) {
    for (int k = 0; k < 16; k++) data[k] = (float)i;
    wnn_status status = wnn_context_write_tensor(x->context, x->a, data, sizeof data, &error);
    CHECK(status == WNN_OK || status == WNN_TYPE_ERROR);
    status = sample_dispatch(x->context, x->graph, x->a, x->b, x->out, &error);
    CHECK(status == WNN_OK || status == WNN_TYPE_ERROR || status == WNN_INVALID_STATE);
    status = wnn_context_read_tensor(x->context, x->out, data, sizeof data, &error);
    CHECK(status == WNN_OK || status == WNN_TYPE_ERROR || status == WNN_INVALID_STATE);
    unsigned asked = 0;
    atomic_uint answered = 0;
    while (asked < i % 4) {
      if (wnn_context_read_tensor_async(x->context, x->out, more[asked], sizeof *more, count_any, &answered, &error))
        break;
      asked++;
    }
    /* whatever happens, each callback comes exactly once */
    while (atomic_load(&answered) < asked) sched_yield();
    CHECK_EQ(answered, asked);
    if (i == 0) atomic_fetch_add(&x->asked, 1);
  }
  return NULL;
}

static void uses_against_destroys(void) {
  wnn_error error;
  wnn_context_options options = WNN_CONTEXT_OPTIONS_INIT;
  options.threads = 2;
  for (int round = 0; round < 30; round++) {
    arena x = {0};
    pthread_t threads[3];
    gate.slow = round & 1;
    REQUIRE_OK(wnn_context_create_on(gate_factory, &options, &x.context, &error), error);
    REQUIRE_OK(sample_graph(x.context, 16, &x.graph, &error), error);
    REQUIRE_OK(sample_tensor(x.context, 16, 1, &x.a, &error), error);
    REQUIRE_OK(sample_tensor(x.context, 16, 1, &x.b, &error), error);
    REQUIRE_OK(sample_tensor(x.context, 16, 1, &x.out, &error), error);
    for (int i = 0; i < 3; i++) REQUIRE(!pthread_create(&threads[i], NULL, use, &x));
    while (atomic_load(&x.asked) < 1) sched_yield();
    switch (round % 5) {
    case 0: wnn_tensor_destroy(x.out); break;
    case 1: wnn_graph_destroy(x.graph); break;
    case 2: wnn_context_destroy(x.context); break;
    case 3: wnn_tensor_destroy(x.a); break;
    case 4: wnn_tensor_destroy(x.b), wnn_context_destroy(x.context); break;
    }
    for (int i = 0; i < 50; i++) sched_yield();
    atomic_store(&x.stop, true);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    wnn_tensor_release(x.a);
    wnn_graph_release(x.graph);
    wnn_tensor_release(x.out);
    wnn_context_release(x.context);
    wnn_tensor_release(x.b);
    CHECK_EQ(gate.programs, 0);
    CHECK_EQ(gate.overlaps, 0);
  }
}

/* ---- Builds from several threads ---- */

static void *build(void *argument) {
  arena *x = argument;
  for (int i = 0; i < 40; i++) {
    wnn_error error;
    wnn_graph *graph = NULL;
    wnn_status status = sample_graph(x->context, 16, &graph, &error);
    CHECK_MSG(status == WNN_OK || (status == WNN_INVALID_STATE && wnn_context_is_lost(x->context)), "%s",
              error.message);
    if (status) return NULL;
    if (i & 1) wnn_graph_destroy(graph);
    wnn_graph_release(graph);
  }
  return NULL;
}

static void builds_against_loss(void) {
  wnn_error error;
  for (int round = 0; round < 8; round++) {
    arena x = {0};
    pthread_t threads[THREADS];
    REQUIRE_OK(wnn_context_create_on(gate_factory, NULL, &x.context, &error), error);
    for (int i = 0; i < THREADS; i++) REQUIRE(!pthread_create(&threads[i], NULL, build, &x));
    if (round & 1) {
      for (int i = 0; i < round * 3; i++) sched_yield();
      wnn_context_destroy(x.context);
    }
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    wnn_context_release(x.context);
    CHECK_EQ(gate.programs, 0);
    CHECK_EQ(gate.overlaps, 0);
  }
}

int main(int argc, char **argv) {
  test_begin(argc, argv);
  TEST(one_context_quick_graphs);
  TEST(one_context_queued_graphs);
  TEST(one_context_large_tensors);
  TEST(several_contexts);
  TEST(uses_against_destroys);
  TEST(builds_against_loss);
  return test_end();
}
