/* The CPU backend behind a gate: while the gate is closed, dispatches and builds stop at it, so that tests see
 * work that is queued or running for as long as they like. One gate a program. */
#ifndef WEBNN_TESTS_RUNTIME_GATE_H
#define WEBNN_TESTS_RUNTIME_GATE_H

#include <pthread.h>
#include <stdlib.h>

#include "base/error.h"
#include "runtime/runtime.h"
#include "support/test.h"

static struct {
  pthread_mutex_t mutex;
  pthread_cond_t change;
  bool closed;
  unsigned waiting;       /* at the gate */
  bool slow;              /* graphs count as slow: they are queued */
  bool fail;              /* builds fail */
  atomic_uint dispatches; /* done */
  pthread_t runner;       /* of the last dispatch */
  atomic_int programs, runners, overlaps;
} gate = {.mutex = PTHREAD_MUTEX_INITIALIZER, .change = PTHREAD_COND_INITIALIZER};

static TEST_UNUSED void gate_set(bool closed) {
  pthread_mutex_lock(&gate.mutex);
  gate.closed = closed;
  pthread_cond_broadcast(&gate.change);
  pthread_mutex_unlock(&gate.mutex);
}

/* Returns when somebody waits at the closed gate. */
static TEST_UNUSED void gate_await(void) {
  pthread_mutex_lock(&gate.mutex);
  while (!gate.waiting) pthread_cond_wait(&gate.change, &gate.mutex);
  pthread_mutex_unlock(&gate.mutex);
}

static void gate_pass(void) {
  pthread_mutex_lock(&gate.mutex);
  gate.waiting++;
  pthread_cond_broadcast(&gate.change);
  while (gate.closed) pthread_cond_wait(&gate.change, &gate.mutex);
  gate.waiting--;
  pthread_mutex_unlock(&gate.mutex);
}

typedef struct gate_backend {
  wnn_backend base;
  wnn_backend *inner;
  const wnn_allocator *allocator;
} gate_backend;

typedef struct gate_program {
  gate_backend *backend;
  wnn_program *inner;
} gate_program;

/* Everything that the runner does must exclude everything else that the runner does. */
static void gate_enter(void) {
  if (atomic_fetch_add(&gate.runners, 1)) atomic_fetch_add(&gate.overlaps, 1);
}
static void gate_leave(void) { atomic_fetch_sub(&gate.runners, 1); }

static void gate_destroy(wnn_backend *backend) {
  gate_backend *self = (gate_backend *)backend;
  self->inner->vtable->destroy(self->inner);
  wnn_mem_free(self->allocator, self, sizeof *self);
}

static uint16_t gate_types(const wnn_backend *backend, int op) {
  const gate_backend *self = (const gate_backend *)backend;
  return self->inner->vtable->types(self->inner, op);
}

static wnn_status gate_compile(wnn_backend *backend, wnn_ir *ir, wnn_program **program, wnn_error *error) {
  gate_backend *self = (gate_backend *)backend;
  gate_enter();
  gate_pass();
  gate_program *fresh = gate.fail ? NULL : wnn_mem_alloc(self->allocator, sizeof *fresh);
  wnn_status status;
  if (gate.fail)
    status = wnn_error_set(error, WNN_OPERATION_ERROR, "The backend was told to fail.");
  else if (!fresh)
    status = wnn_error_oom(error);
  else
    status = self->inner->vtable->compile(self->inner, ir, &fresh->inner, error);
  if (status) {
    wnn_mem_free(self->allocator, fresh, sizeof *fresh);
  } else {
    fresh->backend = self;
    *program = (wnn_program *)fresh;
    atomic_fetch_add(&gate.programs, 1);
  }
  gate_leave();
  return status;
}

static void gate_program_destroy(wnn_program *program) {
  gate_program *self = (gate_program *)program;
  gate_enter();
  self->backend->inner->vtable->program_destroy(self->inner);
  wnn_mem_free(self->backend->allocator, self, sizeof *self);
  atomic_fetch_sub(&gate.programs, 1);
  gate_leave();
}

static void gate_dispatch(wnn_program *program, void *const *bindings) {
  gate_program *self = (gate_program *)program;
  gate_enter();
  gate_pass();
  self->backend->inner->vtable->dispatch(self->inner, bindings);
  gate.runner = pthread_self();
  atomic_fetch_add(&gate.dispatches, 1);
  gate_leave();
}

static void gate_stats(const wnn_program *program, wnn_graph_stats *stats) {
  const gate_program *self = (const gate_program *)program;
  self->backend->inner->vtable->stats(self->inner, stats);
  stats->cost_ns = gate.slow ? 1e9 : 100;
}

static bool gate_step(const wnn_program *program, size_t index, wnn_step_info *info) {
  const gate_program *self = (const gate_program *)program;
  return self->backend->inner->vtable->step(self->inner, index, info);
}

static TEST_UNUSED wnn_status gate_factory(const wnn_backend_options *options, wnn_backend **backend,
                                           wnn_error *error) {
  static const wnn_backend_vtable vtable = {.name = "gate",
                                            .destroy = gate_destroy,
                                            .types = gate_types,
                                            .compile = gate_compile,
                                            .program_destroy = gate_program_destroy,
                                            .dispatch = gate_dispatch,
                                            .stats = gate_stats,
                                            .step = gate_step};
  gate_backend *fresh = wnn_mem_zalloc(options->allocator, sizeof *fresh);
  if (!fresh) return wnn_error_set(error, WNN_OUT_OF_MEMORY, "out of memory");
  fresh->base.vtable = &vtable;
  fresh->allocator = options->allocator;
  wnn_status status = wnn_cpu_backend_create(options, &fresh->inner, error);
  if (status)
    wnn_mem_free(options->allocator, fresh, sizeof *fresh);
  else
    *backend = &fresh->base;
  return status;
}

#endif
