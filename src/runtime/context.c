/* Contexts: creation, loss, end. */
#include <stddef.h>

#include "base/cpu.h"
#include "base/error.h"
#include "runtime/runtime.h"

wnn_status wnn_context_create(const wnn_context_options *options, wnn_context **context, wnn_error *error) {
  return wnn_context_create_on(wnn_cpu_backend_create, options, context, error);
}

static void free_context(wnn_context *context) {
  wnn_heap *heap = context->heap;
  wnn_allocator allocator = context->allocator;
  wnn_mem_free(&allocator, context, sizeof *context);
  wnn_heap_destroy(heap);
}

static wnn_status check_processors(const wnn_context_options *options, wnn_error *error) {
  for (uint32_t i = 0; options->processors && i < options->processor_count; i++) {
    uint32_t processor = options->processors[i];
    for (uint32_t k = 0; k < i; k++)
      if (options->processors[k] == processor)
        return wnn_error_set(error, WNN_TYPE_ERROR, "processors: processor %u is listed twice, at %u and %u.", processor,
                             k, i);
    if (!wnn_cpu_allows(processor))
      return wnn_error_set(error, WNN_TYPE_ERROR, "processors: this process may not use processor %u.", processor);
  }
  return WNN_OK;
}

wnn_status wnn_context_create_on(wnn_backend_factory *factory, const wnn_context_options *options,
                                 wnn_context **context, wnn_error *error) {
  static const wnn_context_options defaults = WNN_CONTEXT_OPTIONS_INIT;
  if (!options) options = &defaults;
  wnn_status status = check_processors(options, error);
  if (status) return status;
  wnn_heap *heap = options->allocator ? NULL : wnn_heap_create();
  if (!options->allocator && !heap) return wnn_error_oom(error);
  const wnn_allocator allocator = heap ? wnn_heap_allocator(heap) : *options->allocator;
  wnn_context *fresh = wnn_mem_zalloc(&allocator, sizeof *fresh);
  if (!fresh) {
    wnn_heap_destroy(heap);
    return wnn_error_oom(error);
  }
  atomic_init(&fresh->references, 1);
  atomic_init(&fresh->lost, false);
  fresh->allocator = allocator;
  fresh->heap = heap;
  fresh->accelerated = options->accelerated;
  fresh->profile = options->profile;
  fresh->reference = options->reference;
  fresh->features = options->cpu_features & wnn_cpu_detect();
  fresh->disabled_passes = options->disabled_passes;
  wnn_link_init(&fresh->tensors);
  wnn_link_init(&fresh->graphs);
  wnn_link_init(&fresh->builds);
  if (!wnn_timeline_init(&fresh->timeline)) {
    free_context(fresh);
    return wnn_error_oom(error);
  }
  const wnn_placement placement = {options->processors, options->processors ? options->processor_count : 0};
  if (placement.count) {
    fresh->timeline.placed = true;
    fresh->timeline.processor = placement.processors[0];
  }
  unsigned threads = options->threads ? options->threads : placement.count ? placement.count : wnn_cpu_processors();
  fresh->pool = wnn_pool_create(&fresh->allocator, threads, &placement);
  status = fresh->pool ? WNN_OK : wnn_error_oom(error);
  if (!status) {
    wnn_backend_options backend = {.allocator = &fresh->allocator,
                                   .pool = fresh->pool,
                                   .cpu_features = fresh->features,
                                   .disabled_passes = options->disabled_passes,
                                   .reference = options->reference,
                                   .profile = options->profile};
    status = factory(&backend, &fresh->backend, error);
  }
  if (status) {
    wnn_pool_destroy(fresh->pool);
    wnn_timeline_end(&fresh->timeline);
    free_context(fresh);
    return status;
  }
  *context = fresh;
  return WNN_OK;
}


void wnn_context_retain_internal(wnn_context *context) {
  atomic_fetch_add_explicit(&context->references, 1, memory_order_relaxed);
}

void wnn_context_release_internal(wnn_context *context) {
  if (atomic_fetch_sub_explicit(&context->references, 1, memory_order_acq_rel) != 1) return;
  wnn_timeline_end(&context->timeline);
  context->backend->vtable->destroy(context->backend);
  wnn_pool_destroy(context->pool);
  free_context(context);
}

void wnn_context_release(wnn_context *context) {
  if (!context) return;
  wnn_context_lock(context);
  /* A callback of this context cannot wait for the job that it is part of: jobs hold what they need. */
  if (!wnn_timeline_inside(&context->timeline)) wnn_timeline_drain(&context->timeline);
  /* Nobody is left to hear of a loss. */
  context->on_lost = NULL;
  wnn_context_unlock(context);
  wnn_context_release_internal(context);
}

static void run_nothing(wnn_job *job) { (void)job; }

void wnn_context_finish(wnn_context *context) {
  wnn_job marker = {.run = run_nothing};
  wnn_context_retain_internal(context);
  wnn_context_lock(context);
  if (!wnn_timeline_idle(&context->timeline) && !wnn_timeline_inside(&context->timeline))
    wnn_timeline_wait(&context->timeline, &marker);
  wnn_context_unlock(context);
  wnn_context_release_internal(context);
}

/* ---- Loss ------------------------------------------------------------------------------------------------ */

static const char lost_message[] = "The context was lost: it was destroyed by a call of destroy().";

static void destroy_objects(wnn_context *context) {
  wnn_context_lock(context);
  while (!wnn_link_empty(&context->graphs)) {
    wnn_graph *graph = WNN_LINK_OWNER(context->graphs.next, wnn_graph, live);
    graph->references++; /* its handle may be released meanwhile */
    wnn_context_unlock(context);
    wnn_graph_destroy(graph);
    wnn_graph_release(graph);
    wnn_context_lock(context);
  }
  while (!wnn_link_empty(&context->tensors)) {
    wnn_tensor *tensor = WNN_LINK_OWNER(context->tensors.next, wnn_tensor, live);
    tensor->references++;
    wnn_context_unlock(context);
    wnn_tensor_destroy_because(tensor, lost_message);
    wnn_tensor_release(tensor);
    wnn_context_lock(context);
  }
  wnn_context_unlock(context);
}

void wnn_context_destroy(wnn_context *context) {
  wnn_context_lock(context);
  if (atomic_load(&context->lost)) {
    wnn_context_unlock(context);
    return;
  }
  /* From here on nothing is added to the lists of live objects. */
  atomic_store(&context->lost, true);
  wnn_lost_fn callback = context->on_lost;
  void *user = context->on_lost_user;
  context->on_lost = NULL;
  wnn_context_unlock(context);

  wnn_context_retain_internal(context); /* callbacks may release the handle */
  if (callback) callback(user, lost_message);
  destroy_objects(context);
  wnn_context_cancel_builds(context, lost_message);
  wnn_context_release_internal(context);
}

bool wnn_context_is_lost(const wnn_context *context) { return atomic_load(&context->lost); }

void wnn_context_on_lost(wnn_context *context, wnn_lost_fn callback, void *user) {
  wnn_context_lock(context);
  bool lost = atomic_load(&context->lost);
  if (!lost) {
    context->on_lost = callback;
    context->on_lost_user = user;
  }
  wnn_context_unlock(context);
  if (lost && callback) callback(user, lost_message);
}

bool wnn_context_accelerated(const wnn_context *context) { return context->accelerated; }
uint32_t wnn_context_threads(const wnn_context *context) { return wnn_pool_threads(context->pool); }
