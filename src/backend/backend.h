/* The interface between runtime and backends. A backend turns an IR into a program and runs it. */
#ifndef WNN_BACKEND_BACKEND_H
#define WNN_BACKEND_BACKEND_H

#include "base/pool.h"
#include "graph/ir.h"

typedef struct wnn_backend wnn_backend;
typedef struct wnn_program wnn_program;

/* Descriptors of what a dispatch binds; bindings are inputs, then outputs, in the IR's order. */
typedef struct wnn_backend_vtable {
  const char *name;
  void (*destroy)(wnn_backend *backend);
  /* Data types that the backend computes for an operation (mask), to be cut with the table's. */
  uint16_t (*types)(const wnn_backend *backend, int op);
  /* Compiles; consumes the IR's content, which the caller still frees. WNN_OPERATION_ERROR or
   * WNN_OUT_OF_MEMORY on failure. Runs on the timeline, may use the pool. */
  wnn_status (*compile)(wnn_backend *backend, wnn_ir *ir, wnn_program **program, wnn_error *error);
  void (*program_destroy)(wnn_program *program);
  /* Runs to completion on the calling thread and the pool. bindings: one pointer an input, then one an
   * output. Never two calls at once for the programs of one backend. Allocates nothing. */
  void (*dispatch)(wnn_program *program, void *const *bindings);
  void (*stats)(const wnn_program *program, wnn_graph_stats *stats);
  bool (*step)(const wnn_program *program, size_t index, wnn_step_info *info);
} wnn_backend_vtable;

struct wnn_backend {
  const wnn_backend_vtable *vtable;
};

/* What a backend needs from its context; copied. */
typedef struct wnn_backend_options {
  const wnn_allocator *allocator; /* outlives the backend */
  wnn_pool *pool;                 /* outlives the backend */
  uint64_t cpu_features, disabled_passes;
  bool reference, profile;
} wnn_backend_options;

wnn_status wnn_cpu_backend_create(const wnn_backend_options *options, wnn_backend **backend, wnn_error *error);

#endif
