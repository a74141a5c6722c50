/* Constant folding: the lowering of a node runs in a builder of its own, the graph is computed at once and the results
 * are read back. */
#include <stdio.h>
#include <string.h>

#include "import.h"

/* Floats beyond this stay in the graph, where the compiler folds what is worth it. */
enum { FOLD_FLOAT_BYTES = 64 * 1024, FOLD_INT_BYTES = 8 * 1024 * 1024 };

static bool error_of(ox_call *c, const wnn_error *error) {
  return ox_fail(c, error->status == WNN_OUT_OF_MEMORY ? WNN_OUT_OF_MEMORY : WNN_DATA_ERROR, "%s", error->message);
}

static bool ensure_context(ox_call *c) {
  ox_import *im = c->im;
  if (im->fold_context) return true;
  wnn_context_options options = WNN_CONTEXT_OPTIONS_INIT;
  options.reference = true;
  options.threads = 1;
  wnn_error error;
  if (wnn_context_create(&options, &im->fold_context, &error)) return error_of(c, &error);
  im->own_fold_context = true;
  return true;
}

/* Nothing of the result may be larger than what is worth keeping on the host. */
static bool small_enough(const ox_call *c) {
  for (size_t i = 0; i < c->out_count; i++) {
    if (!c->out[i].operand) continue;
    const wnn_desc *desc = wnn_operand_desc(c->out[i].operand);
    bool is_float = desc->data_type == WNN_FLOAT32 || desc->data_type == WNN_FLOAT16;
    uint64_t limit = c->op->flags & OX_NO_FOLD ? 16 : is_float ? FOLD_FLOAT_BYTES : FOLD_INT_BYTES;
    if (wnn_desc_bytes(desc) > limit) return false;
  }
  return true;
}

static bool read_results(ox_call *c, wnn_graph *graph) {
  ox_import *im = c->im;
  size_t count = wnn_graph_output_count(graph);
  wnn_named_tensor *tensors = ox_temp(c, count, sizeof *tensors);
  if (!tensors) return false;
  wnn_error error = {WNN_OK, ""};
  wnn_status status = WNN_OK;
  for (size_t i = 0; i < count && !status; i++) {
    tensors[i].name = wnn_graph_output_name(graph, i);
    status = wnn_context_create_tensor(im->fold_context, wnn_graph_output_desc(graph, i), WNN_TENSOR_READABLE,
                                       &tensors[i].tensor, &error);
  }
  if (!status) status = wnn_context_dispatch(im->fold_context, graph, NULL, 0, tensors, count, &error);
  for (size_t i = 0; i < count && !status; i++) {
    unsigned slot = 0;
    sscanf(tensors[i].name, "%u", &slot);
    const wnn_desc *desc = wnn_tensor_desc(tensors[i].tensor);
    size_t bytes = (size_t)wnn_desc_bytes(desc);
    void *data = ox_keep_alloc(c, bytes, 1);
    if (!data) break;
    status = wnn_context_read_tensor(im->fold_context, tensors[i].tensor, data, bytes, &error);
    if (!status) {
      c->out[slot].value = ox_value_const(im, desc, data);
      if (!c->out[slot].value) break;
      c->out[slot].operand = NULL;
    }
  }
  for (size_t i = 0; i < count; i++) wnn_tensor_release(tensors[i].tensor);
  if (status) return error_of(c, &error);
  for (size_t i = 0; i < c->out_count; i++) {
    if (c->out[i].operand) return ox_no_memory(c);
  }
  return true;
}

static bool compute(ox_call *c) {
  wnn_named_operand *outputs = ox_temp(c, c->out_count, sizeof *outputs);
  char(*names)[16] = ox_temp(c, c->out_count, sizeof *names);
  if (!outputs || !names) return false;
  size_t count = 0;
  for (size_t i = 0; i < c->out_count; i++) {
    if (!c->out[i].operand) continue;
    /* A constant may not be an output itself. */
    wnn_operand *operand = ox_un(c, WNN_OP_IDENTITY, c->out[i].operand);
    if (!operand) return false;
    snprintf(names[count], sizeof names[count], "%u", (unsigned)i);
    outputs[count] = (wnn_named_operand){names[count], operand};
    count++;
  }
  if (!count) return true;
  wnn_graph *graph;
  wnn_error error;
  if (wnn_builder_build(c->builder, outputs, count, &graph, &error)) return error_of(c, &error);
  bool done = read_results(c, graph);
  wnn_graph_release(graph);
  return done;
}

/* Lowers and computes the call. False with c->failed clear: the result is too large, lower it into the graph. */
bool ox_fold_value(ox_call *c) {
  if (!ensure_context(c)) return false;
  wnn_builder *builder;
  wnn_error error;
  if (wnn_builder_create(c->im->fold_context, &builder, &error)) return error_of(c, &error);
  wnn_builder *outer = c->builder;
  c->builder = builder;
  c->folding = true;
  bool done = c->op->lower(c) && small_enough(c) && compute(c);
  wnn_builder_release(builder);
  c->builder = outer;
  c->folding = false;
  if (!done) memset(c->out, 0, c->out_count * sizeof *c->out);
  memset(c->in_operands, 0, c->in_count * sizeof *c->in_operands);
  return done;
}
