/* The objects of the runtime: contexts, tensors, graphs, and how long each lives.
 *
 * One lock a context, that of its timeline, guards all mutable state of the context, its tensors and its graphs.
 * It is held for a few instructions only, never while kernels run, memory is allocated or callbacks are called.
 *
 * Two counts tell how long a tensor or graph lives. `references` (the handle, queued jobs, builders) keeps the
 * object. `uses` (1 until destroy, and queued jobs) keeps its content: the storage of a tensor, the program of a
 * graph. A job holds one of each. Every object, builder and pending build holds a reference to the context. */
#ifndef WNN_RUNTIME_RUNTIME_H
#define WNN_RUNTIME_RUNTIME_H

#include <stdatomic.h>

#include "backend/backend.h"
#include "base/heap.h"
#include "runtime/timeline.h"

/* Entry of a ring of objects; the ring's head is an entry of its own. */
typedef struct wnn_link {
  struct wnn_link *previous, *next;
} wnn_link;

static inline void wnn_link_init(wnn_link *link) { link->previous = link->next = link; }
static inline bool wnn_link_empty(const wnn_link *head) { return head->next == head; }
static inline void wnn_link_append(wnn_link *head, wnn_link *link) {
  link->next = head;
  link->previous = head->previous;
  head->previous->next = link;
  head->previous = link;
}
/* Harmless for an entry that is in no ring. */
static inline void wnn_link_remove(wnn_link *link) {
  link->previous->next = link->next;
  link->next->previous = link->previous;
  wnn_link_init(link);
}
#define WNN_LINK_OWNER(link, type, member) ((type *)(void *)((char *)(link)-offsetof(type, member)))

/* ---- Context ---------------------------------------------------------------------------------------- */

struct wnn_context {
  atomic_size_t references;
  wnn_allocator allocator;
  wnn_heap *heap; /* behind the allocator; NULL: the allocator is the program's */
  wnn_pool *pool;
  wnn_backend *backend;
  wnn_timeline timeline;
  atomic_bool lost;
  bool accelerated, profile, reference;
  uint64_t features, disabled_passes;
  wnn_lost_fn on_lost;
  void *on_lost_user;
  wnn_link tensors, graphs; /* those not destroyed */
  wnn_link builds;          /* pending */
  uint64_t mark;            /* number of the dispatch being checked, see wnn_tensor.mark */
};

typedef wnn_status wnn_backend_factory(const wnn_backend_options *options, wnn_backend **backend, wnn_error *error);
/* wnn_context_create with another backend than the CPU's. */
wnn_status wnn_context_create_on(wnn_backend_factory *factory, const wnn_context_options *options,
                                 wnn_context **context, wnn_error *error);

void wnn_context_retain_internal(wnn_context *context);
void wnn_context_release_internal(wnn_context *context);
static inline void wnn_context_lock(wnn_context *context) { wnn_timeline_lock(&context->timeline); }
static inline void wnn_context_unlock(wnn_context *context) { wnn_timeline_unlock(&context->timeline); }

/* ---- Tensors ------------------------------------------------------------------------------------------ */

struct wnn_tensor {
  wnn_context *context;
  wnn_desc desc;
  size_t bytes;
  bool readable, writable, constant;
  size_t references, uses;
  bool destroyed;
  void *storage;    /* not of constant tensors */
  wnn_blob *blob;   /* of constant tensors */
  wnn_link live;    /* in context->tensors */
  wnn_link reads;   /* pending */
  uint64_t mark;    /* last dispatch that bound it: finds a tensor that is bound twice */
  wnn_tensor *dead; /* list of wnn_dead */
};

/* What lost its last reference or use under the lock, to be freed without it. */
typedef struct wnn_dead {
  void *storages; /* chained through their first bytes */
  wnn_blob *blob;
  wnn_tensor *tensors;
  wnn_program *program; /* destroyed by the runner only */
  wnn_graph *graph;
} wnn_dead;

static inline void wnn_tensor_hold(wnn_tensor *tensor) {
  tensor->references++;
  tensor->uses++;
}
/* With the lock: gives back what wnn_tensor_hold took. */
void wnn_tensor_drop(wnn_tensor *tensor, wnn_dead *dead);
/* Without the lock; as the runner when there is a program. Gives back the references to the context last, which
 * may end it. */
void wnn_bury(wnn_context *context, wnn_dead *dead);

/* Marks as destroyed; reads pending on it fail with the message. */
void wnn_tensor_destroy_because(wnn_tensor *tensor, const char *message);

/* Hooks of builders; any thread. */
wnn_blob *wnn_tensor_constant_blob(wnn_context *context, wnn_tensor *tensor, wnn_error *error);
bool wnn_tensor_destroyed(const wnn_tensor *tensor);
void wnn_tensor_retain_internal(wnn_tensor *tensor);

/* ---- Graphs --------------------------------------------------------------------------------------------- */

typedef struct wnn_port {
  const char *name;
  wnn_desc desc;
} wnn_port;

/* Inputs or outputs of a graph. */
typedef struct wnn_ports {
  wnn_port *items;
  uint32_t *sorted; /* indices in the order of the names */
  uint32_t count;
} wnn_ports;

typedef struct wnn_dispatch wnn_dispatch; /* a queued execution, dispatch.c */

struct wnn_graph {
  wnn_context *context;
  wnn_arena arena; /* ports */
  wnn_ports inputs, outputs;
  wnn_program *program;
  wnn_graph_stats stats;
  bool quick; /* planned to take less time than waking a thread */
  size_t references, uses;
  bool destroyed;
  wnn_link live;
  wnn_dispatch *idle; /* dispatches ready for use */
  wnn_record *record; /* of a savable or loaded graph; outlives the program */
  wnn_job burial;     /* frees program and perhaps graph when the runner comes to it */
};

/* Compiles ir (moved in, also on failure) and waits. */
wnn_status wnn_context_build(wnn_context *context, wnn_ir *ir, wnn_graph **graph, wnn_error *error);
/* On failure the callback is not called. */
wnn_status wnn_context_build_async(wnn_context *context, wnn_ir *ir, wnn_built_fn callback, void *user,
                                   wnn_error *error);
/* Fails all builds that have not begun. */
void wnn_context_cancel_builds(wnn_context *context, const char *message);

/* Runs a job as the runner and waits for it; at once in a callback of the context. */
void wnn_context_perform(wnn_context *context, wnn_job *job);

void wnn_graph_drop(wnn_graph *graph, wnn_dead *dead);
/* Frees a graph without a program, but not its reference to the context. */
void wnn_graph_free(wnn_graph *graph);
/* Adds one block to graph->idle; false when memory is short. Takes the lock itself. */
bool wnn_dispatch_prepare(wnn_graph *graph);
void wnn_dispatch_free(wnn_graph *graph, wnn_dispatch *dispatch);

#endif
