/* Graphs that hand out intermediate tensors. */
#include "tapping.h"

#include <stdlib.h>
#include <string.h>

static bool push(cli_taps *taps, cli_tapped tapped) {
  if (taps->count == taps->room) {
    size_t room = taps->room ? taps->room * 2 : 256;
    cli_tapped *grown = realloc(taps->at, room * sizeof *grown);
    if (!grown) {
      taps->short_of_memory = true;
      return false;
    }
    taps->at = grown;
    taps->room = room;
  }
  taps->at[taps->count++] = tapped;
  return true;
}

/* A tensor that only passes another on (Identity, a subgraph's result) has the same operand: the first name stays. */
static void collect(void *user, const wnn_onnx_tapped *t) {
  cli_taps *taps = user;
  if (!t->operand || t->input) return;
  for (size_t i = taps->count; i > 0 && i + 64 > taps->count; i--)
    if (taps->at[i - 1].operand == t->operand) return;
  push(taps, (cli_tapped){t->tensor, t->node, t->op, t->desc, false, t->operand, NULL});
}

static int by_operand(const void *a, const void *b) {
  const cli_tapped *const *x = a, *const *y = b;
  if ((*x)->operand != (*y)->operand) return (uintptr_t)(*x)->operand < (uintptr_t)(*y)->operand ? -1 : 1;
  return (*x > *y) - (*x < *y);
}

/* Drops later tensors of the same operand, wherever they are. */
static bool unique(cli_taps *taps) {
  const cli_tapped **sorted = malloc((taps->count + 1) * sizeof *sorted);
  bool *drop = calloc(taps->count + 1, sizeof *drop);
  if (!sorted || !drop) {
    free(sorted);
    free(drop);
    return false;
  }
  for (size_t i = 0; i < taps->count; i++) sorted[i] = &taps->at[i];
  qsort(sorted, taps->count, sizeof *sorted, by_operand);
  for (size_t i = 1; i < taps->count; i++)
    if (sorted[i]->operand == sorted[i - 1]->operand) drop[sorted[i] - taps->at] = true;
  size_t kept = 0;
  for (size_t i = 0; i < taps->count; i++)
    if (!drop[i]) taps->at[kept++] = taps->at[i];
  taps->count = kept;
  free(sorted);
  free(drop);
  return true;
}

/* Lowers the model; taps receive what it meets, then its outputs. */
static bool lower(cli_request *r, wnn_builder *builder, cli_taps *taps) {
  size_t room = wnn_onnx_get_info(r->model)->output_count + 1, count = 0;
  wnn_named_operand *outputs = calloc(room, sizeof *outputs);
  wnn_onnx_shape *shapes = calloc(r->inputs.count + r->session.import.shape_count + 1, sizeof *shapes);
  wnn_onnx_options import = r->session.import;
  wnn_error error = {0};
  bool done = outputs && shapes;
  if (done) {
    import.tap = collect;
    import.tap_user = taps;
    import.shapes = shapes;
    import.shape_count = 0;
    for (size_t i = 0; i < r->inputs.count; i++) {
      const cli_tensor *t = &r->inputs.at[i];
      wnn_onnx_shape *shape = &shapes[import.shape_count++];
      *shape = (wnn_onnx_shape){t->name, t->desc.rank, {0}};
      memcpy(shape->shape, t->desc.shape, sizeof shape->shape);
    }
    for (size_t i = 0; i < r->session.import.shape_count; i++)
      shapes[import.shape_count++] = r->session.import.shapes[i];
    done = !wnn_onnx_lower(r->model, builder, &import, outputs, room, &count, &error) && unique(taps);
  }
  if (done) {
    /* An output of the model is no intermediate tensor as well, but keeps the node that made it. */
    for (size_t i = 0; i < count && done; i++) {
      cli_tapped output = {outputs[i].name,    "",  "", *wnn_operand_desc(outputs[i].operand), true,
                           outputs[i].operand, NULL};
      for (size_t k = 0; k < taps->count; k++) {
        if (taps->at[k].operand != output.operand || taps->at[k].output) continue;
        output.node = taps->at[k].node;
        output.op = taps->at[k].op;
        memmove(&taps->at[k], &taps->at[k + 1], (taps->count - k - 1) * sizeof *taps->at);
        taps->count--;
        break;
      }
      done = push(taps, output);
    }
    taps->outputs = count;
  }
  if (error.status)
    cli_model_failed(r, &error);
  else if (!done || taps->short_of_memory)
    cli_fail("Memory is short.");
  free(outputs);
  free(shapes);
  return done && !taps->short_of_memory;
}

/* Inputs that the graph of a session does not have are those it bound to their value. */
static bool bind_needed(cli_request *r, wnn_context *context) {
  wnn_onnx_session *session;
  wnn_graph *graph;
  if (!cli_prepare(r, context, &session, &graph)) return false;
  wnn_onnx_options *import = &r->session.import;
  wnn_onnx_value *values =
      realloc((void *)import->values, (import->value_count + r->inputs.count + 1) * sizeof *values);
  if (values) import->values = values;
  for (size_t i = 0; values && i < r->inputs.count; i++) {
    const cli_tensor *t = &r->inputs.at[i];
    bool there = !t->size;
    for (size_t k = 0; k < wnn_graph_input_count(graph); k++)
      there = there || !strcmp(wnn_graph_input_name(graph, k), t->name);
    for (size_t k = 0; k < import->value_count; k++) there = there || !strcmp(values[k].input, t->name);
    /* What the graph does not read at all may be bound as well. */
    if (!there) values[import->value_count++] = (wnn_onnx_value){t->name, t->desc, t->data, t->size};
  }
  wnn_onnx_session_release(session);
  return values != NULL;
}

bool cli_taps_find(cli_request *r, wnn_context *context, cli_taps *taps) {
  wnn_builder *builder;
  wnn_error error;
  *taps = (cli_taps){0};
  if (!bind_needed(r, context)) return false;
  if (wnn_builder_create(context, &builder, &error)) return cli_fail("%s", error.message), false;
  bool done = lower(r, builder, taps);
  wnn_builder_release(builder);
  for (size_t i = 0; i < taps->count; i++) taps->at[i].operand = NULL;
  return done;
}

static bool read_all(cli_taps *taps, wnn_context *context, const cli_bound *bound, const size_t *numbers) {
  wnn_error error;
  for (size_t i = 0; i < bound->output_count; i++) {
    size_t number = (size_t)strtoull(bound->outputs[i].name + 1, NULL, 10);
    cli_tapped *t = &taps->at[numbers[number]];
    size_t size = (size_t)wnn_desc_bytes(wnn_graph_output_desc(bound->graph, i));
    t->data = malloc(size ? size : 1);
    if (!t->data) return cli_fail("Memory is short."), false;
    if (wnn_context_read_tensor(context, bound->outputs[i].tensor, t->data, size, &error))
      return cli_fail("%s", error.message), false;
  }
  return true;
}

bool cli_taps_run(cli_request *r, wnn_context *context, const cli_taps *shape, size_t first, size_t end,
                  cli_taps *taps) {
  wnn_builder *builder;
  wnn_error error;
  wnn_graph *graph = NULL;
  cli_bound bound = {0};
  *taps = (cli_taps){0};
  size_t wanted = end - first;
  wnn_named_operand *outputs = calloc(wanted + 1, sizeof *outputs);
  size_t *numbers = calloc(wanted + 1, sizeof *numbers);
  char(*names)[24] = calloc(wanted + 1, sizeof *names);
  bool done = outputs && numbers && names;
  if (!done) cli_fail("Memory is short.");
  if (done && wnn_builder_create(context, &builder, &error)) {
    cli_fail("%s", error.message);
    done = false;
  }
  if (done) {
    done = lower(r, builder, taps) && taps->count == shape->count;
    for (size_t i = 0; done && i < wanted; i++) {
      snprintf(names[i], sizeof names[i], "t%zu", i);
      numbers[i] = first + i;
      outputs[i] = (wnn_named_operand){names[i], taps->at[first + i].operand};
    }
    if (done && wnn_builder_build(builder, outputs, wanted, &graph, &error)) {
      cli_model_failed(r, &error);
      done = false;
    }
    wnn_builder_release(builder);
  }
  done = done && cli_bound_make(r, context, graph, &bound) && cli_bound_run(context, &bound) &&
         read_all(taps, context, &bound, numbers);
  cli_bound_free(&bound);
  wnn_graph_release(graph);
  free(outputs);
  free(numbers);
  free(names);
  return done;
}

void cli_taps_free(cli_taps *taps) {
  for (size_t i = 0; i < taps->count; i++) free(taps->at[i].data);
  free(taps->at);
  *taps = (cli_taps){0};
}
