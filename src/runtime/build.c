/* Builds on the timeline: from an IR to a graph with a program. */
#include <stddef.h>
#include <string.h>

#include "base/error.h"
#include "graph/record.h"
#include "runtime/runtime.h"

/* Planned time below which a dispatch runs at the call when nothing is queued. */
static const double QUICK_NS = 10000;

/* ---- Making the object ------------------------------------------------------------------------------------- */

/* Insertion into a sorted prefix; graphs have few ports, and declaration order is often sorted already. */
static bool sort_ports(wnn_arena *arena, wnn_ports *ports) {
  ports->sorted = wnn_arena_array(arena, ports->count, sizeof *ports->sorted);
  if (!ports->sorted) return false;
  for (uint32_t i = 0; i < ports->count; i++) {
    uint32_t low = 0, high = i;
    while (low < high) {
      uint32_t middle = (low + high) / 2;
      if (strcmp(ports->items[ports->sorted[middle]].name, ports->items[i].name) < 0)
        low = middle + 1;
      else
        high = middle;
    }
    memmove(&ports->sorted[low + 1], &ports->sorted[low], (i - low) * sizeof *ports->sorted);
    ports->sorted[low] = i;
  }
  return true;
}

static bool copy_ports(wnn_graph *graph, const wnn_ir *ir) {
  graph->inputs.count = (uint32_t)ir->input_count;
  graph->outputs.count = (uint32_t)ir->output_count;
  graph->inputs.items = wnn_arena_array(&graph->arena, ir->input_count, sizeof(wnn_port));
  graph->outputs.items = wnn_arena_array(&graph->arena, ir->output_count, sizeof(wnn_port));
  if (!graph->inputs.items || !graph->outputs.items) return false;
  for (size_t i = 0; i < ir->input_count; i++) {
    const wnn_value *value = &ir->values[ir->inputs[i]];
    graph->inputs.items[i] = (wnn_port){wnn_arena_string(&graph->arena, value->name), value->desc};
    if (!graph->inputs.items[i].name) return false;
  }
  for (size_t i = 0; i < ir->output_count; i++) {
    const wnn_ir_output *output = &ir->outputs[i];
    graph->outputs.items[i] = (wnn_port){wnn_arena_string(&graph->arena, output->name), ir->values[output->value].desc};
    if (!graph->outputs.items[i].name) return false;
  }
  return sort_ports(&graph->arena, &graph->inputs) && sort_ports(&graph->arena, &graph->outputs);
}

/* A graph without a program and without a reference to the context. */
static wnn_graph *new_graph(wnn_context *context, const wnn_ir *ir) {
  wnn_graph *graph = wnn_mem_zalloc(&context->allocator, sizeof *graph);
  if (!graph) return NULL;
  graph->context = context;
  graph->references = graph->uses = 1;
  wnn_link_init(&graph->live);
  wnn_arena_init(&graph->arena, &context->allocator);
  if (copy_ports(graph, ir) && wnn_dispatch_prepare(graph)) return graph;
  wnn_graph_free(graph);
  return NULL;
}

/* ---- Build --------------------------------------------------------------------------------------------------- */

typedef struct build_job {
  wnn_job job;
  wnn_context *context; /* a reference */
  wnn_ir ir;
  wnn_graph *graph; /* without a program until compiled; NULL after failure */
  wnn_status status;
  wnn_error error;
  wnn_link pending;      /* in context->builds */
  wnn_built_fn callback; /* NULL: the job is on the stack of a waiting thread */
  void *user;
} build_job;

static wnn_status lost_build(wnn_error *error) {
  return wnn_error_set(error, WNN_INVALID_STATE, "build: The context was lost before the graph was built.");
}

/* A build whose record failed: memory was short, or what was saved does not fit the graph. */
static wnn_status incomplete(build_job *build, wnn_program *program) {
  if (!build->status) build->context->backend->vtable->program_destroy(program);
  if (!build->ir.record->replay) return wnn_error_oom(&build->error);
  return wnn_error_set(&build->error, WNN_DATA_ERROR, "load: The saved blocks do not fit the graph.");
}

/* As the runner. */
static void compile(build_job *build) {
  wnn_context *context = build->context;
  const wnn_backend_vtable *backend = context->backend->vtable;
  wnn_graph *graph = build->graph;
  wnn_program *program = NULL;
  if (wnn_context_is_lost(context)) {
    build->status = lost_build(&build->error);
  } else {
    wnn_record *record = build->ir.record;
    build->error = (wnn_error){.status = WNN_OK};
    wnn_record_graph(record, &build->ir);
    build->status = backend->compile(context->backend, &build->ir, &program, &build->error);
    wnn_record_finish(record);
    bool all = !record || !record->replay || build->status || record->next == record->count;
    bool complete = !record || (!record->failed && all);
    if (!complete) build->status = incomplete(build, program);
    graph->record = record;
    build->ir.record = NULL;
  }
  wnn_ir_free(&build->ir);
  if (!build->status) {
    backend->stats(program, &graph->stats);
    graph->quick = graph->stats.cost_ns <= QUICK_NS;
    wnn_context_lock(context);
    if (atomic_load(&context->lost)) {
      build->status = lost_build(&build->error);
    } else {
      graph->program = program;
      wnn_link_append(&context->graphs, &graph->live);
      wnn_context_retain_internal(context);
    }
    wnn_context_unlock(context);
    if (build->status) backend->program_destroy(program);
  }
  if (build->status) {
    wnn_graph_free(graph);
    build->graph = NULL;
  }
}

/* Reports to the callback and ends the job. Its reference to the context goes last. */
static void finish_build(build_job *build) {
  wnn_context *context = build->context;
  wnn_status status = build->status;
  build->callback(build->user, status, build->graph, status ? &build->error : NULL);
  wnn_mem_free(&context->allocator, build, sizeof *build);
  wnn_context_release_internal(context);
}

static void run_build(wnn_job *job) {
  build_job *build = WNN_LINK_OWNER(job, build_job, job);
  wnn_context_lock(build->context);
  wnn_link_remove(&build->pending);
  wnn_context_unlock(build->context);
  compile(build);
  if (build->callback) finish_build(build);
}

/* Fills a job whose graph is made but not compiled; frees ir on failure. */
static wnn_status begin_build(build_job *build, wnn_context *context, wnn_ir *ir, wnn_error *error) {
  *build = (build_job){.job.run = run_build, .context = context, .ir = *ir};
  wnn_link_init(&build->pending);
  build->graph = new_graph(context, ir);
  if (build->graph) return WNN_OK;
  wnn_ir_free(&build->ir);
  return wnn_error_oom(error);
}

wnn_status wnn_context_build(wnn_context *context, wnn_ir *ir, wnn_graph **graph, wnn_error *error) {
  build_job build;
  wnn_status status = begin_build(&build, context, ir, error);
  if (status) return status;
  wnn_context_retain_internal(context);
  wnn_context_lock(context);
  if (wnn_timeline_take(&context->timeline)) {
    wnn_context_unlock(context);
    compile(&build);
    wnn_context_lock(context);
    wnn_timeline_give(&context->timeline);
    wnn_context_unlock(context);
  } else {
    wnn_link_append(&context->builds, &build.pending);
    wnn_timeline_wait(&context->timeline, &build.job);
    wnn_context_unlock(context);
  }
  wnn_context_release_internal(context);
  if (build.status) return wnn_error_set(error, build.status, "%s", build.error.message);
  *graph = build.graph;
  return WNN_OK;
}

wnn_status wnn_context_build_async(wnn_context *context, wnn_ir *ir, wnn_built_fn callback, void *user,
                                   wnn_error *error) {
  build_job *build = wnn_mem_alloc(&context->allocator, sizeof *build);
  if (!build) {
    wnn_ir_free(ir);
    return wnn_error_oom(error);
  }
  wnn_status status = begin_build(build, context, ir, error);
  if (status) {
    wnn_mem_free(&context->allocator, build, sizeof *build);
    return status;
  }
  build->callback = callback;
  build->user = user;
  wnn_context_retain_internal(context);
  wnn_context_lock(context);
  wnn_link_append(&context->builds, &build->pending);
  wnn_timeline_push(&context->timeline, &build->job, false);
  wnn_context_unlock(context);
  return WNN_OK;
}

void wnn_context_cancel_builds(wnn_context *context, const char *message) {
  wnn_link rejected;
  wnn_link_init(&rejected);
  wnn_context_lock(context);
  for (wnn_link *link = context->builds.next, *next; link != &context->builds; link = next) {
    build_job *build = WNN_LINK_OWNER(link, build_job, pending);
    next = link->next;
    if (!build->callback) continue; /* its thread is waiting and fails when its turn comes, which is soon */
    wnn_link_remove(link);
    wnn_link_append(&rejected, link);
    wnn_timeline_remove(&context->timeline, &build->job);
  }
  wnn_context_unlock(context);
  while (!wnn_link_empty(&rejected)) {
    build_job *build = WNN_LINK_OWNER(rejected.next, build_job, pending);
    wnn_link_remove(&build->pending);
    wnn_ir_free(&build->ir);
    wnn_graph_free(build->graph);
    build->graph = NULL;
    build->status = wnn_error_set(&build->error, WNN_INVALID_STATE, "build: %s", message);
    finish_build(build);
  }
}
