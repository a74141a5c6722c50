/* The timeline: order, waiting, callbacks, and every way to end things while work is queued. */
#include <sched.h>
#include <time.h>

#include "gate.h"
#include "sample.h"

enum { N = 8 };
static const size_t BYTES = N * sizeof(float);
static wnn_error error;

/* What a callback left behind. */
typedef struct note {
  atomic_uint calls;
  wnn_status status;
  char message[512];
  wnn_graph *graph;
} note;

static void note_done(void *user, wnn_status status, const wnn_error *why) {
  note *n = user;
  n->status = status;
  snprintf(n->message, sizeof n->message, "%s", why ? why->message : "");
  if (!!why != (status != WNN_OK) || (why && why->status != status)) CHECK_MSG(false, "status and error differ");
  atomic_fetch_add(&n->calls, 1);
}

static void note_built(void *user, wnn_status status, wnn_graph *graph, const wnn_error *why) {
  note *n = user;
  n->graph = graph;
  CHECK((graph == NULL) == (status != WNN_OK));
  note_done(user, status, why);
}

static void await(note *n) {
  while (!atomic_load(&n->calls)) sched_yield();
}

/* A context behind the gate with a slow graph: every dispatch is queued. */
typedef struct world {
  wnn_context *context;
  wnn_graph *graph;
  wnn_tensor *a, *b, *out;
} world;

static bool make(world *w) {
  memset(w, 0, sizeof *w);
  gate_set(false);
  gate.slow = true;
  gate.fail = false;
  atomic_store(&gate.dispatches, 0);
  wnn_context_options options = WNN_CONTEXT_OPTIONS_INIT;
  options.threads = 2;
  bool fine = !wnn_context_create_on(gate_factory, &options, &w->context, &error) &&
              !sample_graph(w->context, N, &w->graph, &error) && !sample_tensor(w->context, N, 1, &w->a, &error) &&
              !sample_tensor(w->context, N, 2, &w->b, &error) && !sample_tensor(w->context, N, 0, &w->out, &error);
  CHECK_MSG(fine, "setting up failed: %s", error.message);
  return fine;
}

/* What is left of the world. */
static void end(world *w) {
  gate_set(false);
  wnn_tensor_release(w->a);
  wnn_tensor_release(w->b);
  wnn_tensor_release(w->out);
  wnn_graph_release(w->graph);
  wnn_context_release(w->context);
  CHECK_EQ(gate.programs, 0);
  CHECK_EQ(gate.overlaps, 0);
}

static wnn_status queue(world *w) { return sample_dispatch(w->context, w->graph, w->a, w->b, w->out, &error); }

static void write_value(world *w, wnn_tensor *tensor, float value) {
  float data[N];
  for (int i = 0; i < N; i++) data[i] = value;
  CHECK_OK(wnn_context_write_tensor(w->context, tensor, data, BYTES, &error), error);
  memset(data, 0x7F, sizeof data); /* copied before the call returned */
}

/* Each read sees what was queued before it and nothing behind it. */
static void order_of_calls(void) {
  world w;
  float results[20][N];
  note notes[20] = {0};
  if (!make(&w)) return;
  gate_set(true);
  for (int i = 0; i < 20; i++) {
    write_value(&w, w.a, (float)i);
    CHECK_OK(queue(&w), error);
    CHECK_OK(wnn_context_read_tensor_async(w.context, w.out, results[i], BYTES, note_done, &notes[i], &error), error);
  }
  gate_await();
  for (int i = 0; i < 20; i++) CHECK_EQ(notes[i].calls, 0);
  gate_set(false);
  CHECK_EQ(sample_first(w.context, w.out), 19 + 2 + 1);
  for (int i = 0; i < 20; i++) {
    CHECK_EQ(notes[i].calls, 1);
    CHECK_EQ(notes[i].status, WNN_OK);
    CHECK_EQ(results[i][N - 1], i + 3);
  }
  CHECK_EQ(gate.dispatches, 20);
  end(&w);
}

/* A quick graph on an idle timeline is done when the call returns, on the thread of the call. */
static void quick_graphs_run_at_the_call(void) {
  world w;
  if (!make(&w)) return;
  gate.slow = false;
  wnn_graph *quick;
  REQUIRE_OK(sample_graph(w.context, N, &quick, &error), error);
  for (unsigned i = 0; i < 10; i++) {
    CHECK_OK(sample_dispatch(w.context, quick, w.a, w.b, w.out, &error), error);
    CHECK_EQ(gate.dispatches, i + 1);
  }
  CHECK(!w.context->timeline.started); /* no thread was needed for any of this */
  float data[N];
  note n = {0};
  CHECK_OK(wnn_context_read_tensor_async(w.context, w.out, data, BYTES, note_done, &n, &error), error);
  CHECK_EQ(n.calls, 1);
  CHECK_EQ(data[0], 4);
  /* not when something is queued before it */
  gate_set(true);
  CHECK_OK(queue(&w), error);
  gate_await();
  CHECK_OK(sample_dispatch(w.context, quick, w.a, w.b, w.out, &error), error);
  CHECK_EQ(gate.dispatches, 10);
  gate_set(false);
  wnn_context_finish(w.context);
  CHECK_EQ(gate.dispatches, 12);
  wnn_graph_release(quick);
  end(&w);
}

/* Who waits runs what was dispatched; what nobody waits for is run all the same, soon, also after the worker has gone
 * to sleep. */
static void dispatches_wait_for_the_caller(void) {
  enum { ROUNDS = 200 };
  world w;
  if (!make(&w)) return;
  unsigned own = 0;
  for (int i = 0; i < ROUNDS; i++) {
    CHECK_OK(queue(&w), error);
    wnn_context_finish(w.context);
    CHECK_EQ(atomic_load(&gate.dispatches), i + 1);
    own += pthread_equal(gate.runner, pthread_self()) != 0;
  }
  CHECK_MSG(own > ROUNDS / 2, "%u of %d dispatches were run by the thread that waited", own, ROUNDS);
  for (int i = 0; i < 6; i++) {
    const struct timespec pause = {0, i * 10000000};
    nanosleep(&pause, NULL);
    atomic_store(&gate.dispatches, 0);
    CHECK_OK(queue(&w), error);
    while (!atomic_load(&gate.dispatches)) sched_yield();
    /* a second one does not wait */
    CHECK_OK(queue(&w), error);
    CHECK_OK(queue(&w), error);
    while (atomic_load(&gate.dispatches) < 3) sched_yield();
  }
  end(&w);
}

static void destroy_ends_pending_reads(void) {
  world w;
  float data[3][N];
  note notes[3] = {0};
  if (!make(&w)) return;
  gate_set(true);
  CHECK_OK(queue(&w), error);
  gate_await();
  for (int i = 0; i < 3; i++)
    CHECK_OK(
        wnn_context_read_tensor_async(w.context, i == 1 ? w.a : w.out, data[i], BYTES, note_done, &notes[i], &error),
        error);
  CHECK_OK(queue(&w), error);
  memset(data, 0, sizeof data);
  wnn_tensor_destroy(w.out); /* while both dispatches still write it */
  CHECK_EQ(notes[0].calls, 1);
  CHECK_EQ(notes[0].status, WNN_INVALID_STATE);
  CHECK_CONTAINS(notes[0].message, "tensor was destroyed");
  CHECK_EQ(notes[1].calls, 0);
  CHECK_EQ(notes[2].calls, 1);
  CHECK_EQ(notes[2].status, WNN_INVALID_STATE);
  CHECK_FAILS(queue(&w), error, WNN_TYPE_ERROR, "output \"out\" is destroyed");
  wnn_tensor_destroy(w.out);
  CHECK_EQ(notes[0].calls, 1);
  gate_set(false);
  wnn_context_finish(w.context);
  CHECK_EQ(gate.dispatches, 2);
  CHECK_EQ(notes[1].calls, 1);
  CHECK_EQ(notes[1].status, WNN_OK);
  CHECK_EQ(data[1][0], 1);
  CHECK_EQ(data[0][0], 0); /* not touched */
  end(&w);
}

typedef struct reader {
  world *w;
  float data[N];
  wnn_status status;
  wnn_error error;
} reader;

static void *read_out(void *argument) {
  reader *r = argument;
  r->status = wnn_context_read_tensor(r->w->context, r->w->out, r->data, BYTES, &r->error);
  return NULL;
}

static bool has_pending_read(wnn_tensor *tensor) {
  wnn_context_lock(tensor->context);
  bool pending = !wnn_link_empty(&tensor->reads);
  wnn_context_unlock(tensor->context);
  return pending;
}

static void destroy_ends_blocking_reads(void) {
  world w;
  pthread_t thread;
  for (int how = 0; how < 2; how++) {
    if (!make(&w)) return;
    reader r = {.w = &w};
    gate_set(true);
    CHECK_OK(queue(&w), error);
    gate_await();
    REQUIRE(!pthread_create(&thread, NULL, read_out, &r));
    while (!has_pending_read(w.out)) sched_yield();
    if (how)
      wnn_context_destroy(w.context);
    else
      wnn_tensor_destroy(w.out);
    pthread_join(thread, NULL); /* at once: the dispatch is still at the gate */
    CHECK_EQ(r.status, WNN_INVALID_STATE);
    CHECK_CONTAINS(r.error.message, "destroy");
    end(&w);
  }
}

static void count_lost(void *user, const char *message) {
  CHECK_CONTAINS(message, "destroy");
  atomic_fetch_add((atomic_uint *)user, 1);
}

static void context_destroy_with_work_pending(void) {
  world w;
  float data[2][N];
  note reads[2] = {0}, builds[2] = {0};
  atomic_uint lost = 0, replaced = 0;
  if (!make(&w)) return;
  wnn_context_on_lost(w.context, count_lost, &replaced);
  wnn_context_on_lost(w.context, count_lost, &lost);
  gate_set(true);
  CHECK_OK(queue(&w), error);
  gate_await();
  for (int i = 0; i < 2; i++) {
    wnn_builder *builder;
    wnn_operand *out;
    write_value(&w, w.a, 5);
    CHECK_OK(queue(&w), error);
    CHECK_OK(wnn_context_read_tensor_async(w.context, w.out, data[i], BYTES, note_done, &reads[i], &error), error);
    REQUIRE_OK(sample_builder(w.context, N, &builder, &out, &error), error);
    wnn_named_operand outputs[] = {{"out", out}};
    CHECK_OK(wnn_builder_build_async(builder, outputs, 1, note_built, &builds[i], &error), error);
    wnn_builder_release(builder);
  }
  wnn_context_destroy(w.context);
  CHECK(wnn_context_is_lost(w.context));
  CHECK_EQ(lost, 1);
  CHECK_EQ(replaced, 0);
  for (int i = 0; i < 2; i++) {
    CHECK_EQ(reads[i].calls, 1);
    CHECK_EQ(reads[i].status, WNN_INVALID_STATE);
    CHECK_EQ(builds[i].calls, 1);
    CHECK_EQ(builds[i].status, WNN_INVALID_STATE);
    CHECK_CONTAINS(builds[i].message, "lost");
  }
  wnn_context_destroy(w.context);
  CHECK_EQ(lost, 1);
  wnn_context_on_lost(w.context, count_lost, &replaced); /* too late: at once */
  CHECK_EQ(replaced, 1);
  CHECK_FAILS(queue(&w), error, WNN_INVALID_STATE, "lost");
  gate_set(false);
  wnn_context_finish(w.context);
  CHECK_EQ(gate.dispatches, 1); /* the one that had begun; the others were dropped */
  end(&w);
}

/* The context is lost while a build is at work in the backend. */
static void context_destroy_during_build(void) {
  world w;
  note n = {0};
  wnn_builder *builder;
  wnn_operand *out;
  if (!make(&w)) return;
  gate_set(true);
  REQUIRE_OK(sample_builder(w.context, N, &builder, &out, &error), error);
  wnn_named_operand outputs[] = {{"out", out}};
  CHECK_OK(wnn_builder_build_async(builder, outputs, 1, note_built, &n, &error), error);
  CHECK_FAILS(wnn_builder_build_async(builder, outputs, 1, note_built, &n, &error), error, WNN_INVALID_STATE, "");
  wnn_builder_release(builder);
  gate_await();
  wnn_context_destroy(w.context);
  CHECK_EQ(n.calls, 0);
  gate_set(false);
  await(&n);
  CHECK_EQ(n.status, WNN_INVALID_STATE);
  wnn_context_finish(w.context);
  CHECK_EQ(n.calls, 1);
  end(&w);
}

static void failing_builds(void) {
  world w;
  note n = {0};
  wnn_builder *builder;
  wnn_operand *out;
  wnn_graph *graph = NULL;
  if (!make(&w)) return;
  gate.fail = true;
  CHECK_FAILS(sample_graph(w.context, N, &graph, &error), error, WNN_OPERATION_ERROR, "told to fail");
  CHECK(!graph);
  REQUIRE_OK(sample_builder(w.context, N, &builder, &out, &error), error);
  wnn_named_operand outputs[] = {{"out", out}};
  CHECK_OK(wnn_builder_build_async(builder, outputs, 1, note_built, &n, &error), error);
  await(&n);
  CHECK_EQ(n.status, WNN_OPERATION_ERROR);
  CHECK_CONTAINS(n.message, "told to fail");
  CHECK_FAILS(wnn_builder_build(builder, outputs, 1, &graph, &error), error, WNN_INVALID_STATE, "already built");
  wnn_builder_release(builder);
  end(&w);
}

/* Handles go in every order while two dispatches and a read are queued; all of it must still happen. */
static void release_in_any_order(void) {
  static const char *const orders[] = {"abogc", "cgoba",  "goabc",     "cabog", "ogcab",
                                       "bcago", "Gabogc", "ABOgabocG", "cO"};
  for (size_t k = 0; k < sizeof orders / sizeof *orders; k++) {
    world w;
    float data[N] = {0};
    note n = {0};
    if (!make(&w)) return;
    gate_set(true);
    CHECK_OK(queue(&w), error);
    gate_await();
    write_value(&w, w.a, 10);
    CHECK_OK(queue(&w), error);
    CHECK_OK(wnn_context_read_tensor_async(w.context, w.out, data, BYTES, note_done, &n, &error), error);
    bool cut = false;
    for (const char *step = orders[k]; *step; step++) switch (*step) {
      case 'a': wnn_tensor_release(w.a), w.a = NULL; break;
      case 'b': wnn_tensor_release(w.b), w.b = NULL; break;
      case 'o': wnn_tensor_release(w.out), w.out = NULL; break;
      case 'g': wnn_graph_release(w.graph), w.graph = NULL; break;
      case 'A': wnn_tensor_destroy(w.a); break;
      case 'B': wnn_tensor_destroy(w.b); break;
      case 'O': wnn_tensor_destroy(w.out), cut = true; break;
      case 'G': wnn_graph_destroy(w.graph); break;
      case 'c':
        gate_set(false); /* this waits */
        wnn_context_release(w.context), w.context = NULL;
        CHECK_EQ(gate.dispatches, 2);
        CHECK_EQ(n.calls, 1);
        break;
      }
    CHECK_EQ(n.calls, 1);
    CHECK_EQ(n.status, cut && strchr(orders[k], 'O') < strchr(orders[k], 'c') ? WNN_INVALID_STATE : WNN_OK);
    if (n.status == WNN_OK) CHECK_EQ(data[0], 13);
    end(&w);
  }
}

/* ---- Callbacks that use the library ---------------------------------------------------------------------- */

typedef struct chain {
  world *w;
  float data[N];
  int left;
  atomic_uint finished;
} chain;

static void chain_step(void *user, wnn_status status, const wnn_error *why) {
  chain *c = user;
  wnn_error own;
  float wanted[N];
  (void)why;
  CHECK_EQ(status, WNN_OK);
  if (!c->left--) {
    atomic_store(&c->finished, 1);
    return;
  }
  /* a <- out, out <- a + b + 1, read again: all without waiting */
  world *w = c->w;
  memcpy(wanted, c->data, sizeof wanted);
  CHECK_OK(wnn_context_write_tensor(w->context, w->a, wanted, BYTES, &own), own);
  CHECK_OK(sample_dispatch(w->context, w->graph, w->a, w->b, w->out, &own), own);
  CHECK_OK(wnn_context_read_tensor_async(w->context, w->out, c->data, BYTES, chain_step, c, &own), own);
  /* waiting is refused instead of hanging, where the callback is part of the timeline */
  if (wnn_timeline_inside(&w->context->timeline)) {
    float data[N];
    CHECK_FAILS(wnn_context_read_tensor(w->context, w->out, data, BYTES, &own), own, WNN_INVALID_STATE, "callback");
    wnn_context_finish(w->context);
  }
}

static void callbacks_continue_work(void) {
  world w;
  if (!make(&w)) return;
  chain c = {.w = &w, .left = 50};
  CHECK_OK(queue(&w), error);
  CHECK_OK(wnn_context_read_tensor_async(w.context, w.out, c.data, BYTES, chain_step, &c, &error), error);
  while (!atomic_load(&c.finished)) sched_yield();
  CHECK_EQ(c.data[0], 1 + 51 * 3);
  end(&w);
}

typedef struct closing {
  world *w;
  atomic_uint calls;
} closing;

/* A callback that gives everything back, the context included. */
static void close_world(void *user, wnn_status status, const wnn_error *why) {
  closing *c = user;
  (void)why;
  CHECK_EQ(status, WNN_OK);
  wnn_tensor_release(c->w->a);
  wnn_graph_release(c->w->graph);
  wnn_context_release(c->w->context);
  wnn_tensor_release(c->w->b);
  wnn_tensor_release(c->w->out);
  atomic_store(&c->calls, 1);
}

static void callback_releases_everything(void) {
  for (int i = 0; i < 20; i++) {
    world w;
    float data[N];
    if (!make(&w)) return;
    closing c = {.w = &w};
    gate_set(true);
    CHECK_OK(queue(&w), error);
    gate_await();
    CHECK_OK(wnn_context_read_tensor_async(w.context, w.out, data, BYTES, close_world, &c, &error), error);
    gate_set(false);
    while (!atomic_load(&c.calls)) sched_yield();
    while (atomic_load(&gate.programs)) sched_yield(); /* the worker ends it all after the callback */
    CHECK_EQ(data[0], 4);
  }
}

static void destroy_all(void *user, wnn_status status, const wnn_error *why) {
  (void)why;
  CHECK_EQ(status, WNN_OK);
  wnn_context_destroy(user);
}

static void callback_destroys_context(void) {
  world w;
  float data[2][N];
  note n = {0};
  if (!make(&w)) return;
  gate_set(true);
  CHECK_OK(queue(&w), error);
  gate_await();
  CHECK_OK(wnn_context_read_tensor_async(w.context, w.out, data[0], BYTES, destroy_all, w.context, &error), error);
  CHECK_OK(queue(&w), error);
  CHECK_OK(wnn_context_read_tensor_async(w.context, w.out, data[1], BYTES, note_done, &n, &error), error);
  gate_set(false);
  wnn_context_finish(w.context);
  CHECK_EQ(n.calls, 1);
  CHECK_EQ(n.status, WNN_INVALID_STATE);
  CHECK_EQ(gate.dispatches, 1);
  end(&w);
}

/* ---- Builds ------------------------------------------------------------------------------------------------ */

static void *open_gate(void *unused) {
  gate_set(false);
  return unused;
}

static void built_graphs_work(void) {
  world w;
  note n = {0};
  wnn_builder *builder;
  wnn_operand *out;
  if (!make(&w)) return;
  REQUIRE_OK(sample_builder(w.context, N, &builder, &out, &error), error);
  wnn_named_operand outputs[] = {{"out", out}};
  gate_set(true);
  CHECK_OK(queue(&w), error);
  gate_await();
  CHECK_OK(wnn_builder_build_async(builder, outputs, 1, note_built, &n, &error), error);
  wnn_builder_release(builder);
  CHECK_EQ(n.calls, 0);
  gate_set(false);
  await(&n);
  REQUIRE(n.graph);
  CHECK_OK(sample_dispatch(w.context, n.graph, w.a, w.b, w.out, &error), error);
  CHECK_EQ(sample_first(w.context, w.out), 4);
  /* a waiting build behind queued work */
  gate_set(true);
  CHECK_OK(queue(&w), error);
  gate_await();
  wnn_graph *second = NULL;
  pthread_t thread;
  REQUIRE(!pthread_create(&thread, NULL, open_gate, NULL));
  CHECK_OK(sample_graph(w.context, N, &second, &error), error);
  pthread_join(thread, NULL);
  wnn_graph_release(second);
  wnn_graph_release(n.graph);
  end(&w);
}

/* Nothing frees a graph or builder but their handles: they outlive the handle of the context. */
static void objects_outlive_the_context_handle(void) {
  world w;
  note n = {0};
  wnn_builder *builder;
  wnn_operand *out;
  if (!make(&w)) return;
  REQUIRE_OK(sample_builder(w.context, N, &builder, &out, &error), error);
  wnn_named_operand outputs[] = {{"out", out}};
  wnn_context_release(w.context);
  w.context = NULL;
  CHECK(wnn_builder_context(builder));
  CHECK_OK(wnn_builder_build_async(builder, outputs, 1, note_built, &n, &error), error);
  wnn_builder_release(builder);
  await(&n);
  CHECK_EQ(n.status, WNN_OK);
  CHECK_STR(wnn_graph_input_name(n.graph, 0), "a");
  wnn_graph_release(n.graph);
  while (atomic_load(&gate.programs) > 1) sched_yield(); /* the worker may have it */
  end(&w);
}

int main(int argc, char **argv) {
  test_begin(argc, argv);
  TEST(order_of_calls);
  TEST(quick_graphs_run_at_the_call);
  TEST(dispatches_wait_for_the_caller);
  TEST(destroy_ends_pending_reads);
  TEST(destroy_ends_blocking_reads);
  TEST(context_destroy_with_work_pending);
  TEST(context_destroy_during_build);
  TEST(failing_builds);
  TEST(release_in_any_order);
  TEST(callbacks_continue_work);
  TEST(callback_releases_everything);
  TEST(callback_destroys_context);
  TEST(built_graphs_work);
  TEST(objects_outlive_the_context_handle);
  return test_end();
}
