/* Dispatch: checks, binding by name, execution at the call or on the timeline. */
#include <stddef.h>
#include <string.h>

#include "base/error.h"
#include "base/shape.h"
#include "runtime/runtime.h"

struct wnn_dispatch {
  wnn_job job;
  wnn_graph *graph;      /* held while queued or running */
  wnn_dispatch *next;    /* in graph->idle */
  void **bindings;       /* storage of the inputs, then of the outputs, as the program wants them */
  wnn_tensor *tensors[]; /* the same order, held */
};

static uint32_t port_count(const wnn_graph *graph) { return graph->inputs.count + graph->outputs.count; }

static size_t dispatch_size(const wnn_graph *graph) {
  return sizeof(wnn_dispatch) + port_count(graph) * (sizeof(wnn_tensor *) + sizeof(void *));
}

static void run_dispatch(wnn_job *job);

bool wnn_dispatch_prepare(wnn_graph *graph) {
  wnn_context *context = graph->context;
  wnn_dispatch *fresh = wnn_mem_zalloc(&context->allocator, dispatch_size(graph));
  if (!fresh) return false;
  fresh->job.run = run_dispatch;
  fresh->graph = graph;
  fresh->bindings = (void **)(void *)&fresh->tensors[port_count(graph)];
  wnn_context_lock(context);
  fresh->next = graph->idle;
  graph->idle = fresh;
  wnn_context_unlock(context);
  return true;
}

void wnn_dispatch_free(wnn_graph *graph, wnn_dispatch *dispatch) {
  graph->idle = dispatch->next;
  wnn_mem_free(&graph->context->allocator, dispatch, dispatch_size(graph));
}

/* ---- Checks ------------------------------------------------------------------------------------------------- */

/* A call of dispatch() while it is checked, with the lock. */
typedef struct call {
  wnn_context *context;
  wnn_graph *graph;
  const wnn_named_tensor *inputs, *outputs;
  size_t input_count, output_count;
  wnn_error *error;
} call;

static const wnn_named_tensor *entry(const call *c, size_t index) {
  return index < c->input_count ? &c->inputs[index] : &c->outputs[index - c->input_count];
}

static const char *shown(const char *name) { return name ? name : ""; }

static wnn_status fail_twice(const call *c, size_t first, size_t second) {
  return wnn_error_set(c->error, WNN_TYPE_ERROR,
                       "dispatch: The same tensor is given as %s \"%s\" and as %s \"%s\"; every input and output needs "
                       "a tensor of its own.",
                       first < c->input_count ? "input" : "output", shown(entry(c, first)->name),
                       second < c->input_count ? "input" : "output", shown(entry(c, second)->name));
}

/* Tensors of this context are marked with the number of this dispatch: a mark that is there already is a repetition.
 * Those of other contexts belong to other locks and are compared one with another; the call fails anyhow. */
static wnn_status check_distinct(const call *c) {
  size_t count = c->input_count + c->output_count;
  uint64_t mark = ++c->context->mark;
  for (size_t i = 0; i < count; i++) {
    wnn_tensor *tensor = entry(c, i)->tensor;
    if (!tensor) continue;
    bool own = tensor->context == c->context;
    if (own && tensor->mark != mark) {
      tensor->mark = mark;
      continue;
    }
    for (size_t k = 0; k < i; k++)
      if (entry(c, k)->tensor == tensor) return fail_twice(c, k, i);
  }
  return WNN_OK;
}

static wnn_status check_tensors(const call *c) {
  size_t count = c->input_count + c->output_count;
  for (size_t i = 0; i < count; i++) {
    const wnn_tensor *tensor = entry(c, i)->tensor;
    const char *why = NULL;
    if (!tensor)
      why = "is missing";
    else if (tensor->context != c->context)
      why = "belongs to another context";
    else if (tensor->destroyed)
      why = "is destroyed";
    if (why)
      return wnn_error_set(c->error, WNN_TYPE_ERROR, "dispatch: The tensor of %s \"%s\" %s.",
                           i < c->input_count ? "input" : "output", shown(entry(c, i)->name), why);
  }
  return WNN_OK;
}

/* Index of the port with a name; hint: where it is when the caller keeps the graph's order. */
static uint32_t find_port(const wnn_ports *ports, const char *name, uint32_t hint) {
  if (!name) return WNN_NONE;
  if (hint < ports->count && !strcmp(ports->items[hint].name, name)) return hint;
  uint32_t low = 0, high = ports->count;
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    int order = strcmp(ports->items[ports->sorted[middle]].name, name);
    if (!order) return ports->sorted[middle];
    if (order < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return WNN_NONE;
}

/* Matches one list with its ports and fills `bound`, which holds no tensor yet. */
static wnn_status match(const call *c, const wnn_ports *ports, const wnn_named_tensor *given, size_t count,
                        const char *kind, wnn_tensor **bound) {
  char want[WNN_DESC_TEXT], have[WNN_DESC_TEXT];
  if (count != ports->count)
    return wnn_error_set(c->error, WNN_TYPE_ERROR, "dispatch: %zu %ss are given, but the graph has %u.", count, kind,
                         ports->count);
  for (size_t i = 0; i < count; i++) {
    wnn_tensor *tensor = given[i].tensor;
    uint32_t at = find_port(ports, given[i].name, (uint32_t)i);
    if (at == WNN_NONE)
      return wnn_error_set(c->error, WNN_TYPE_ERROR, "dispatch: The graph has no %s named \"%s\".", kind,
                           shown(given[i].name));
    if (bound[at])
      return wnn_error_set(c->error, WNN_TYPE_ERROR, "dispatch: The %s \"%s\" is given twice.", kind, given[i].name);
    if (tensor->constant)
      return wnn_error_set(c->error, WNN_TYPE_ERROR, "dispatch: The tensor of %s \"%s\" is a constant tensor.", kind,
                           given[i].name);
    if (!wnn_desc_equal(&tensor->desc, &ports->items[at].desc))
      return wnn_error_set(c->error, WNN_TYPE_ERROR, "dispatch: The tensor of %s \"%s\" is %s, expected %s.", kind,
                           given[i].name, wnn_desc_format(&tensor->desc, have),
                           wnn_desc_format(&ports->items[at].desc, want));
    bound[at] = tensor;
  }
  return WNN_OK;
}

/* All checks in the order of the specification. */
static wnn_status check_call(const call *c, wnn_dispatch *dispatch) {
  wnn_graph *graph = c->graph;
  if (graph->destroyed)
    return wnn_error_set(c->error, WNN_INVALID_STATE,
                         wnn_context_is_lost(c->context)
                             ? "dispatch: The graph is destroyed, since its context is lost."
                             : "dispatch: The graph is destroyed.");
  wnn_status status = check_distinct(c);
  if (!status) status = check_tensors(c);
  if (!status) memset(dispatch->tensors, 0, port_count(graph) * sizeof dispatch->tensors[0]);
  if (!status) status = match(c, &graph->inputs, c->inputs, c->input_count, "input", dispatch->tensors);
  if (!status)
    status = match(c, &graph->outputs, c->outputs, c->output_count, "output", dispatch->tensors + graph->inputs.count);
  return status;
}

/* ---- Execution ------------------------------------------------------------------------------------------------ */

/* As the runner. Queued executions of a lost context are dropped. */
static void execute(const wnn_dispatch *dispatch) {
  const wnn_context *context = dispatch->graph->context;
  if (!wnn_context_is_lost(context)) context->backend->vtable->dispatch(dispatch->graph->program, dispatch->bindings);
}

/* With the lock: gives back what the dispatch held, and the dispatch itself. */
static void end_dispatch(wnn_dispatch *dispatch, wnn_dead *dead) {
  wnn_graph *graph = dispatch->graph;
  uint32_t count = port_count(graph);
  for (uint32_t i = 0; i < count; i++) wnn_tensor_drop(dispatch->tensors[i], dead);
  dispatch->next = graph->idle;
  graph->idle = dispatch;
  wnn_graph_drop(graph, dead);
}

static bool is_empty(const wnn_dead *dead) {
  return !dead->storages && !dead->tensors && !dead->program && !dead->graph && !dead->blob;
}

static void run_dispatch(wnn_job *job) {
  wnn_dispatch *dispatch = WNN_LINK_OWNER(job, wnn_dispatch, job);
  wnn_context *context = dispatch->graph->context;
  wnn_dead dead = {0};
  execute(dispatch);
  wnn_context_lock(context);
  end_dispatch(dispatch, &dead);
  wnn_context_unlock(context);
  if (!is_empty(&dead)) wnn_bury(context, &dead);
}

/* With the lock and as the runner: executes at the call. */
static void run_at_once(wnn_context *context, wnn_dispatch *dispatch) {
  wnn_dead dead = {0};
  wnn_context_unlock(context);
  execute(dispatch);
  wnn_context_lock(context);
  end_dispatch(dispatch, &dead);
  if (!is_empty(&dead)) { /* something was released by another thread meanwhile */
    wnn_context_unlock(context);
    wnn_bury(context, &dead);
    wnn_context_lock(context);
  }
  wnn_timeline_give(&context->timeline);
}

wnn_status wnn_context_dispatch(wnn_context *context, wnn_graph *graph, const wnn_named_tensor *inputs,
                                size_t input_count, const wnn_named_tensor *outputs, size_t output_count,
                                wnn_error *error) {
  if (!graph || graph->context != context)
    return wnn_error_set(error, WNN_TYPE_ERROR, "dispatch: The graph belongs to another context.");
  const call c = {context, graph, inputs, outputs, input_count, output_count, error};
  wnn_context_lock(context);
  while (!graph->idle && !graph->destroyed) { /* all are queued: one more from now on */
    wnn_context_unlock(context);
    if (!wnn_dispatch_prepare(graph)) return wnn_error_oom(error);
    wnn_context_lock(context);
  }
  wnn_dispatch *dispatch = graph->idle;
  wnn_status status = check_call(&c, dispatch);
  if (!status) {
    uint32_t count = port_count(graph);
    graph->idle = dispatch->next;
    graph->references++;
    graph->uses++;
    for (uint32_t i = 0; i < count; i++) {
      wnn_tensor_hold(dispatch->tensors[i]);
      dispatch->bindings[i] = dispatch->tensors[i]->storage;
    }
    if (graph->quick && wnn_timeline_take(&context->timeline))
      run_at_once(context, dispatch);
    else
      wnn_timeline_push(&context->timeline, &dispatch->job, true);
  }
  wnn_context_unlock(context);
  return status;
}
