/* Graphs: accessors and lifetime. */
#include <stddef.h>

#include "graph/record.h"
#include "runtime/runtime.h"

size_t wnn_graph_input_count(const wnn_graph *graph) { return graph->inputs.count; }
size_t wnn_graph_output_count(const wnn_graph *graph) { return graph->outputs.count; }

static const wnn_port *port(const wnn_ports *ports, size_t index) {
  return index < ports->count ? &ports->items[index] : NULL;
}

const char *wnn_graph_input_name(const wnn_graph *graph, size_t index) {
  const wnn_port *input = port(&graph->inputs, index);
  return input ? input->name : NULL;
}

const wnn_desc *wnn_graph_input_desc(const wnn_graph *graph, size_t index) {
  const wnn_port *input = port(&graph->inputs, index);
  return input ? &input->desc : NULL;
}

const char *wnn_graph_output_name(const wnn_graph *graph, size_t index) {
  const wnn_port *output = port(&graph->outputs, index);
  return output ? output->name : NULL;
}

const wnn_desc *wnn_graph_output_desc(const wnn_graph *graph, size_t index) {
  const wnn_port *output = port(&graph->outputs, index);
  return output ? &output->desc : NULL;
}

void wnn_graph_get_stats(const wnn_graph *graph, wnn_graph_stats *stats) { *stats = graph->stats; }

typedef struct step_job {
  wnn_job job;
  const wnn_graph *graph;
  size_t index;
  wnn_step_info *info;
  bool found;
} step_job;

/* As the runner, since a dispatch updates the times and destroy() ends the program. */
static void run_step(wnn_job *job) {
  step_job *step = WNN_LINK_OWNER(job, step_job, job);
  const wnn_program *program = step->graph->program;
  step->found = program && step->graph->context->backend->vtable->step(program, step->index, step->info);
}

void wnn_context_perform(wnn_context *context, wnn_job *job) {
  wnn_context_lock(context);
  if (wnn_timeline_inside(&context->timeline)) {
    wnn_context_unlock(context);
    job->run(job);
    return;
  }
  if (wnn_timeline_take(&context->timeline)) {
    wnn_context_unlock(context);
    job->run(job);
    wnn_context_lock(context);
    wnn_timeline_give(&context->timeline);
  } else {
    wnn_timeline_wait(&context->timeline, job);
  }
  wnn_context_unlock(context);
}

bool wnn_graph_step(const wnn_graph *graph, size_t index, wnn_step_info *info) {
  step_job step = {.job.run = run_step, .graph = graph, .index = index, .info = info};
  wnn_context_perform(graph->context, &step.job);
  return step.found;
}

/* ---- Lifetime ------------------------------------------------------------------------------------------------ */

void wnn_graph_free(wnn_graph *graph) {
  while (graph->idle) wnn_dispatch_free(graph, graph->idle);
  wnn_arena_free(&graph->arena);
  wnn_record_free(graph->record);
  wnn_mem_free(&graph->context->allocator, graph, sizeof *graph);
}

/* The references are counted here, the program is given up when its uses end or the graph does. */
void wnn_graph_drop(wnn_graph *graph, wnn_dead *dead) {
  bool last = --graph->references == 0;
  if (--graph->uses == 0 || last) {
    dead->program = graph->program;
    graph->program = NULL;
  }
  if (last) {
    wnn_link_remove(&graph->live);
    dead->graph = graph;
  }
}

/* The runner gives up one reference and the program. */
static void run_burial(wnn_job *job) {
  wnn_graph *graph = WNN_LINK_OWNER(job, wnn_graph, burial);
  wnn_context *context = graph->context;
  wnn_dead dead = {0};
  wnn_context_lock(context);
  dead.program = graph->program;
  graph->program = NULL;
  if (--graph->references == 0) {
    wnn_link_remove(&graph->live);
    dead.graph = graph;
  }
  wnn_context_unlock(context);
  wnn_bury(context, &dead);
}

/* With the lock, which is released: gives up one reference and the program, now or when the timeline allows. */
static void bury_graph(wnn_graph *graph) {
  wnn_context *context = graph->context;
  wnn_timeline *timeline = &context->timeline;
  bool inside = wnn_timeline_inside(timeline);
  wnn_context_retain_internal(context); /* the graph's may be the last */
  if (inside || wnn_timeline_take(timeline)) {
    wnn_context_unlock(context);
    run_burial(&graph->burial);
    wnn_context_lock(context);
    if (!inside) wnn_timeline_give(timeline);
  } else {
    graph->burial.run = run_burial;
    wnn_timeline_push(timeline, &graph->burial, false);
  }
  wnn_context_unlock(context);
  wnn_context_release_internal(context);
}

void wnn_graph_destroy(wnn_graph *graph) {
  if (!graph) return;
  wnn_context *context = graph->context;
  wnn_context_lock(context);
  bool first = !graph->destroyed;
  graph->destroyed = true;
  wnn_link_remove(&graph->live);
  if (first && --graph->uses == 0) {
    graph->references++; /* of the burial */
    bury_graph(graph);
  } else {
    wnn_context_unlock(context);
  }
}

void wnn_graph_release(wnn_graph *graph) {
  if (!graph) return;
  wnn_context *context = graph->context;
  wnn_context_lock(context);
  if (graph->references == 1) { /* nothing is queued: this reference becomes that of the burial */
    graph->destroyed = true;    /* the burial may wait in the queue: nobody must find the graph and bury it again */
    wnn_link_remove(&graph->live);
    bury_graph(graph);
    return;
  }
  graph->references--;
  wnn_context_unlock(context);
}
