/* The walk over the nodes of a model. */
#include "import.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *node_label(const ox_node *node) {
  if (*node->name) return node->name;
  for (size_t i = 0; i < node->outputs.count; i++) {
    const char *name = *OX_AT(node->outputs, const char *, i);
    if (*name) return name;
  }
  return node->op;
}

bool ox_fail(ox_call *c, wnn_status status, const char *format, ...) {
  ox_import *im = c->im;
  c->failed = true;
  if (im->failed) return false;
  im->failed = true;
  im->error.status = status;
  char *text = im->error.message;
  size_t size = sizeof im->error.message;
  const ox_node *node = c->node;
  int used = im->report
                 ? 0
                 : snprintf(text, size, "%s '%.120s' (%s%s%.60s): ", *node->name ? "node" : "node of output",
                            node_label(node), *node->domain ? node->domain : "", *node->domain ? " " : "", node->op);
  if (used < 0 || (size_t)used >= size) used = 0;
  va_list list;
  va_start(list, format);
  vsnprintf(text + used, size - (size_t)used, format, list);
  va_end(list);
  return false;
}

static bool import_fail(ox_import *im, wnn_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static bool import_fail(ox_import *im, wnn_status status, const char *format, ...) {
  if (im->failed) return false;
  im->failed = true;
  im->error.status = status;
  va_list list;
  va_start(list, format);
  vsnprintf(im->error.message, sizeof im->error.message, format, list);
  va_end(list);
  return false;
}

static bool import_memory(ox_import *im) { return import_fail(im, WNN_OUT_OF_MEMORY, "memory is short"); }

static const char *plain_domain(const char *domain) { return strcmp(domain, "ai.onnx") ? domain : ""; }

static int64_t opset_of(const ox_import *im, const ox_scope *scope, const char *domain) {
  const ox_list *lists[] = {scope->opsets, &im->model->proto.opsets};
  for (size_t k = 0; k < 2; k++) {
    for (size_t i = 0; lists[k] && i < lists[k]->count; i++) {
      const ox_opset *opset = OX_AT(*lists[k], ox_opset, i);
      if (!strcmp(plain_domain(opset->domain), domain)) return opset->version;
    }
  }
  return 1;
}

/* ---- Liveness: nodes whose results nobody asks for are not lowered --------------------------------- */

typedef struct ox_set {
  ox_scope names; /* only the keys count */
} ox_set;

static bool set_add(ox_import *im, ox_set *set, const char *name) {
  return !*name || ox_scope_set(im, &set->names, name, NULL);
}

static bool set_has(const ox_set *set, const char *name) {
  if (!set->names.capacity) return false;
  size_t mask = set->names.capacity - 1;
  size_t at = (size_t)((uintptr_t)name * UINT64_C(0x9E3779B97F4A7C15) >> 20) & mask;
  for (; set->names.keys[at]; at = (at + 1) & mask) {
    if (set->names.keys[at] == name) return true;
  }
  return false;
}

/* Everything that a node or the graphs in it name. Recursion is bounded by the nesting of the file. */
static bool add_uses(ox_import *im, ox_set *set, const ox_node *node) {
  for (size_t i = 0; i < node->inputs.count; i++) {
    if (!set_add(im, set, *OX_AT(node->inputs, const char *, i))) return false;
  }
  for (size_t i = 0; i < node->attrs.count; i++) {
    const ox_graph *graph = OX_AT(node->attrs, ox_attr, i)->g;
    if (!graph) continue;
    for (size_t k = 0; k < graph->nodes.count; k++) {
      if (!add_uses(im, set, OX_AT(graph->nodes, ox_node, k))) return false;
    }
    for (size_t k = 0; k < graph->outputs.count; k++) {
      if (!set_add(im, set, OX_AT(graph->outputs, ox_port, k)->name)) return false;
    }
  }
  return true;
}

static bool *find_live(ox_import *im, const ox_list *nodes, const char *const *wanted, size_t wanted_count) {
  bool *live = ox_alloc_array(&im->arena, nodes->count, sizeof *live);
  if (!live) return NULL;
  ox_set set = {{0}};
  for (size_t i = 0; i < wanted_count; i++) {
    if (!set_add(im, &set, wanted[i])) return NULL;
  }
  for (size_t i = nodes->count; i-- > 0;) {
    const ox_node *node = OX_AT(*nodes, ox_node, i);
    for (size_t k = 0; k < node->outputs.count; k++) {
      const char *name = *OX_AT(node->outputs, const char *, k);
      if (*name && set_has(&set, name)) live[i] = true;
    }
    if (live[i] && !add_uses(im, &set, node)) return NULL;
  }
  return live;
}

/* ---- One node -------------------------------------------------------------------------------------- */

static bool load_value(ox_call *c, ox_value *value) {
  ox_import *im = c->im;
  ox_const loaded;
  wnn_error error;
  wnn_status status = WNN_OK;
  if (value->pending)
    status = ox_tensor_load(im->model, value->pending, &im->keep->arena, &loaded, &error);
  else if (value->pending_sparse)
    status = ox_sparse_load(im->model, value->pending_sparse, &im->keep->arena, &loaded, &error);
  else
    return true;
  if (status) return ox_fail(c, status, "%s", error.message);
  value->desc = loaded.desc;
  value->data = loaded.data;
  if (value->pending) value->onnx_type = value->pending->type;
  value->pending = NULL;
  value->pending_sparse = NULL;
  return true;
}

static bool gather_inputs(ox_call *c) {
  const ox_node *node = c->node;
  c->in_count = node->inputs.count;
  c->out_count = node->outputs.count;
  c->in = ox_temp(c, c->in_count, sizeof *c->in);
  c->in_operands = ox_temp(c, c->in_count, sizeof *c->in_operands);
  c->out = ox_temp(c, c->out_count, sizeof *c->out);
  if (!c->in || !c->in_operands || !c->out) return false;
  for (size_t i = 0; i < c->in_count; i++) {
    const char *name = *OX_AT(node->inputs, const char *, i);
    if (!*name) continue;
    c->in[i] = ox_scope_get(c->scope, name);
    if (!c->in[i]) return ox_fail(c, WNN_DATA_ERROR, "tensor '%.100s' is used before any node makes it", name);
    if (c->in[i] == &c->im->absent)
      c->in[i] = NULL;
    else if (!load_value(c, c->in[i]))
      return false;
  }
  while (c->in_count && !c->in[c->in_count - 1]) c->in_count--;
  return true;
}

static bool check_arity(ox_call *c) {
  const ox_op *op = c->op;
  bool complete = c->in_count >= op->min_inputs;
  for (size_t i = 0; i < op->min_inputs && complete; i++) complete = c->in[i] != NULL;
  if (!complete) return ox_fail(c, WNN_DATA_ERROR, "it needs at least %d inputs", op->min_inputs);
  if (op->max_inputs != OX_MANY && c->in_count > op->max_inputs) {
    return ox_fail(c, WNN_DATA_ERROR, "it has %zu inputs, at most %d are known", c->in_count, op->max_inputs);
  }
  for (size_t i = op->max_outputs; op->max_outputs != OX_MANY && i < c->out_count; i++) {
    if (ox_wants(c, i)) return ox_fail(c, WNN_NOT_SUPPORTED, "its output %zu is not known", i);
  }
  return true;
}

/* The one input that alone decides all results of this node, or 0. */
static uint32_t steer_of(const ox_call *c) {
  uint32_t steer = 0;
  for (size_t i = 0; i < c->in_count; i++) {
    const ox_value *value = c->in[i];
    if (!value || value->constant) continue;
    if (!value->steer || (steer && steer != value->steer)) return 0;
    steer = value->steer;
  }
  return steer;
}

static void show_tap(const ox_call *c, const char *name, const ox_value *value) {
  const ox_import *im = c->im;
  if (!im->options->tap) return;
  wnn_onnx_tapped tapped = {.tensor = name,
                            .node = c->node->name,
                            .op = c->node->op,
                            .domain = c->node->domain,
                            .desc = value->desc,
                            .operand = value->constant ? NULL : value->operand,
                            .depth = im->depth,
                            .inputs = (const char *const *)c->node->inputs.items,
                            .input_count = c->node->inputs.count};
  for (size_t i = 0; i < im->model->proto.graph->inputs.count; i++)
    tapped.input = tapped.input || im->inputs[i] == value;
  im->options->tap(im->options->tap_user, &tapped);
}

static bool bind_results(ox_call *c) {
  uint32_t steer = steer_of(c);
  for (size_t i = 0; i < c->out_count; i++) {
    const char *name = *OX_AT(c->node->outputs, const char *, i);
    ox_value *value = c->out[i].value;
    if (!value && c->out[i].operand) {
      value = ox_value_operand(c->im, c->out[i].operand);
      if (!value) return ox_no_memory(c);
      value->steer = steer;
      value->maker = c;
    }
    if (!*name) continue;
    if (!value) return ox_fail(c, WNN_NOT_SUPPORTED, "output %zu ('%.100s') is not supported", i, name);
    if (!ox_scope_set(c->im, c->scope, name, value)) return ox_no_memory(c);
    show_tap(c, name, value);
  }
  return true;
}

static const ox_function *find_function(const ox_import *im, const ox_node *node) {
  const ox_list *functions = &im->model->proto.functions;
  for (size_t i = 0; i < functions->count; i++) {
    const ox_function *function = OX_AT(*functions, ox_function, i);
    if (function->name == node->op && !strcmp(plain_domain(function->domain), plain_domain(node->domain)))
      return function;
  }
  return NULL;
}

static bool enter(ox_call *c) {
  if (++c->im->depth <= OX_MAX_NESTING) return true;
  return ox_fail(c, WNN_DATA_ERROR, "graphs and functions are nested more than %d deep", OX_MAX_NESTING);
}

static bool run_nodes(ox_import *im, ox_scope *scope, const ox_list *nodes, const char *const *wanted, size_t count);

static bool call_function(ox_call *c, const ox_function *function) {
  ox_scope *scope = ox_scope_create(c->im, NULL);
  if (!scope) return ox_no_memory(c);
  scope->caller = c;
  scope->function = function;
  scope->opsets = &function->opsets;
  for (size_t i = 0; i < function->inputs.count; i++) {
    ox_value *value = i < c->in_count && c->in[i] ? c->in[i] : &c->im->absent;
    if (!ox_scope_set(c->im, scope, *OX_AT(function->inputs, const char *, i), value)) return ox_no_memory(c);
  }
  bool done = enter(c) && run_nodes(c->im, scope, &function->nodes, function->outputs.items, function->outputs.count);
  c->im->depth--;
  if (!done) {
    c->failed = true;
    return false;
  }
  for (size_t i = 0; i < c->out_count; i++) {
    if (!ox_wants(c, i)) continue;
    if (i >= function->outputs.count) return ox_fail(c, WNN_DATA_ERROR, "the function has no output %zu", i);
    ox_value *value = ox_scope_get(scope, *OX_AT(function->outputs, const char *, i));
    if (!value) return ox_fail(c, WNN_DATA_ERROR, "the function does not make its output %zu", i);
    c->out[i].value = value;
  }
  return true;
}

static bool all_constant(const ox_call *c) {
  for (size_t i = 0; i < c->in_count; i++) {
    if (c->in[i] && !c->in[i]->constant) return false;
  }
  return true;
}

static bool any_lost(const ox_call *c) {
  for (size_t i = 0; i < c->in_count; i++) {
    if (c->in[i] && c->in[i]->lost) return true;
  }
  return false;
}

bool ox_spend(ox_call *c) {
  return ++c->im->nodes <= c->im->max_nodes ||
         OX_UNSUPPORTED(c, "more than %u nodes after unrolling", c->im->max_nodes);
}

static bool lower_node(ox_call *c, bool *folded) {
  ox_import *im = c->im;
  const ox_node *node = c->node;
  if (!ox_spend(c) || !gather_inputs(c)) return false;
  const ox_function *function = find_function(im, node);
  if (function) return call_function(c, function) && bind_results(c);
  bool known;
  c->op = ox_find_op(plain_domain(node->domain), node->op, c->opset, &known);
  if (!c->op) {
    if (known)
      return ox_fail(c, WNN_NOT_SUPPORTED, "there is no version of this operator at opset %lld", (long long)c->opset);
    return ox_fail(c, WNN_NOT_SUPPORTED, "the operator %s%s%s is not known (opset %lld)", node->domain,
                   *node->domain ? "." : "", node->op, (long long)c->opset);
  }
  if (!check_arity(c) || !ox_check_attrs(c)) return false;
  if (any_lost(c) && !(c->op->flags & OX_LOST_OK)) return true; /* the caller sees it */
  bool done = false;
  if (!(c->op->flags & OX_INLINE) && all_constant(c)) {
    done = ox_fold_value(c);
    if (!done && c->failed) return false;
  }
  *folded = done;
  if (!done && !c->op->lower(c)) {
    if (!c->failed) ox_fail(c, WNN_DATA_ERROR, "the node cannot be lowered");
    return false;
  }
  if (c->failed) return false;
  return bind_results(c);
}

/* ---- Checks: failures are reported and the walk goes on ------------------------------------------- */

static bool input_desc(ox_import *im, const char *name, const ox_tensor_type *type, wnn_desc *desc, bool may_fail);

/* Where the file declares the shape of a lost tensor, nodes behind it can still be checked. */
static ox_value *stand_in(ox_import *im, const char *name) {
  const ox_list *infos = &im->model->proto.graph->value_info;
  for (size_t i = 0; i < infos->count; i++) {
    const ox_port *port = OX_AT(*infos, ox_port, i);
    if (port->name != name || !port->type || !port->type->tensor) continue;
    wnn_desc desc;
    wnn_operand *operand;
    if (!input_desc(im, name, port->type->tensor, &desc, true)) break;
    if (wnn_builder_input(im->builder, name, &desc, &operand, NULL)) break;
    return ox_value_operand(im, operand);
  }
  ox_value *value = ox_alloc(&im->arena, sizeof *value);
  if (!value) return NULL;
  value->name = name;
  value->lost = true;
  return value;
}

static bool lose_results(ox_call *c) {
  for (size_t i = 0; i < c->node->outputs.count; i++) {
    const char *name = *OX_AT(c->node->outputs, const char *, i);
    if (!*name) continue;
    ox_value *value = stand_in(c->im, name);
    if (!value || !ox_scope_set(c->im, c->scope, name, value)) return import_memory(c->im);
  }
  return true;
}

static bool report_node(ox_call *c, wnn_onnx_support support, bool folded, const char *reason) {
  const ox_node *node = c->node;
  wnn_onnx_report report = {.node = node->name,
                            .output = "",
                            .op = node->op,
                            .domain = node->domain,
                            .opset = c->opset,
                            .support = support,
                            .folded = folded,
                            .reason = reason};
  for (size_t i = 0; i < node->outputs.count && !*report.output; i++)
    report.output = *OX_AT(node->outputs, const char *, i);
  c->im->unsupported += support == WNN_ONNX_UNSUPPORTED;
  c->im->report(c->im->user, &report);
  return true;
}

static bool check_node(ox_call *c) {
  ox_import *im = c->im;
  bool folded = false;
  bool done = lower_node(c, &folded);
  if (done && (!c->in || !any_lost(c) || (c->op && c->op->flags & OX_LOST_OK)))
    return report_node(c, WNN_ONNX_SUPPORTED, folded, "");
  if (done) {
    return report_node(c, WNN_ONNX_UNKNOWN, false, "it waits for the result of an unsupported node") && lose_results(c);
  }
  if (im->error.status == WNN_OUT_OF_MEMORY || im->nodes > im->max_nodes) return false;
  im->failed = false;
  char reason[sizeof im->error.message];
  memcpy(reason, im->error.message, sizeof reason);
  return report_node(c, WNN_ONNX_UNSUPPORTED, false, reason) && lose_results(c);
}

/* ---- Graphs ---------------------------------------------------------------------------------------- */

static bool run_nodes(ox_import *im, ox_scope *scope, const ox_list *nodes, const char *const *wanted, size_t count) {
  bool *live = find_live(im, nodes, wanted, count);
  if (!live) return import_memory(im);
  for (size_t i = 0; i < nodes->count; i++) {
    if (!live[i] && !im->report) continue;
    const ox_node *node = OX_AT(*nodes, ox_node, i);
    ox_call *c = ox_alloc(&im->arena, sizeof *c);
    if (!c) return import_memory(im);
    *c = (ox_call){.im = im, .scope = scope, .node = node, .builder = im->builder, .label = node_label(node)};
    c->opset = opset_of(im, scope, plain_domain(node->domain));
    bool folded = false;
    if (im->report ? !check_node(c) : !lower_node(c, &folded)) return false;
    if (folded)
      im->folded++;
    else
      im->lowered++;
  }
  return true;
}

static bool add_initializers(ox_import *im, ox_scope *scope, const ox_graph *graph) {
  for (size_t i = 0; i < graph->initializers.count + graph->sparse.count; i++) {
    ox_value *value = ox_alloc(&im->arena, sizeof *value);
    if (!value) return import_memory(im);
    value->constant = true;
    if (i < graph->initializers.count) {
      value->pending = OX_AT(graph->initializers, ox_tensor, i);
      value->name = value->pending->name;
    } else {
      value->pending_sparse = OX_AT(graph->sparse, ox_sparse, i - graph->initializers.count);
      value->name = value->pending_sparse->values ? value->pending_sparse->values->name : "";
    }
    if (*value->name && !ox_scope_set(im, scope, value->name, value)) return import_memory(im);
  }
  return true;
}

bool ox_run_subgraph(ox_call *c, const ox_graph *graph, ox_value *const *inputs, size_t input_count, ox_value **outputs,
                     size_t output_count) {
  ox_import *im = c->im;
  if (graph->inputs.count != input_count)
    return ox_fail(c, WNN_DATA_ERROR, "the subgraph has %zu inputs, not %zu", graph->inputs.count, input_count);
  if (graph->outputs.count < output_count) return ox_fail(c, WNN_DATA_ERROR, "the subgraph has too few outputs");
  ox_scope *scope = ox_scope_create(im, c->scope);
  const char **wanted = ox_temp(c, graph->outputs.count, sizeof *wanted);
  if (!scope || !wanted) return ox_no_memory(c);
  if (!add_initializers(im, scope, graph)) return false;
  for (size_t i = 0; i < input_count; i++) {
    if (!ox_scope_set(im, scope, OX_AT(graph->inputs, ox_port, i)->name, inputs[i])) return ox_no_memory(c);
  }
  for (size_t i = 0; i < graph->outputs.count; i++) wanted[i] = OX_AT(graph->outputs, ox_port, i)->name;
  bool done = enter(c) && run_nodes(im, scope, &graph->nodes, wanted, graph->outputs.count);
  im->depth--;
  if (!done) {
    c->failed = true;
    return false;
  }
  for (size_t i = 0; i < output_count; i++) {
    outputs[i] = ox_scope_get(scope, wanted[i]);
    if (!outputs[i] || outputs[i] == &im->absent)
      return ox_fail(c, WNN_DATA_ERROR, "the subgraph does not make its output '%.100s'", wanted[i]);
    if (!load_value(c, outputs[i])) return false;
  }
  return true;
}

/* ---- Inputs and outputs of the model ---------------------------------------------------------------- */

static const wnn_onnx_shape *find_shape(const ox_import *im, const char *name) {
  for (size_t i = 0; i < im->options->shape_count; i++) {
    const wnn_onnx_shape *shape = &im->options->shapes[i];
    if (shape->input && !strcmp(shape->input, name)) return shape;
  }
  return NULL;
}

static const wnn_onnx_value *find_value(const ox_import *im, const char *name) {
  for (size_t i = 0; i < im->options->value_count; i++) {
    const wnn_onnx_value *value = &im->options->values[i];
    if (value->input && !strcmp(value->input, name)) return value;
  }
  return NULL;
}

static bool find_size(const ox_import *im, const char *name, uint32_t axis, const char *symbol, uint32_t *size) {
  const wnn_onnx_options *options = im->options;
  for (size_t i = 0; i < options->size_count; i++) {
    const wnn_onnx_size *given = &options->sizes[i];
    bool match = given->symbol ? *symbol && !strcmp(given->symbol, symbol)
                               : given->input && !strcmp(given->input, name) && given->axis == axis;
    if (!match) continue;
    *size = given->size;
    return true;
  }
  *size = options->default_size;
  return options->default_size != 0;
}

/* Settles type and shape of an input. */
static bool input_desc(ox_import *im, const char *name, const ox_tensor_type *type, wnn_desc *desc, bool may_fail) {
  *desc = (wnn_desc){WNN_FLOAT32, 0, {0}};
  if (!ox_type_carrier(type->type, &desc->data_type)) {
    return may_fail ? false
                    : import_fail(im, WNN_NOT_SUPPORTED, "input '%.100s': WebNN has no data type for %s", name,
                                  ox_type_name(type->type));
  }
  const wnn_onnx_shape *shape = find_shape(im, name);
  size_t rank = shape ? shape->rank : type->shape ? type->shape->dims.count : 0;
  if (rank > WNN_MAX_RANK) {
    return may_fail
               ? false
               : import_fail(im, WNN_NOT_SUPPORTED, "input '%.100s': rank %zu is above %d", name, rank, WNN_MAX_RANK);
  }
  if (shape && type->shape && type->shape->dims.count != rank) {
    return import_fail(im, WNN_TYPE_ERROR, "input '%.100s' has rank %zu in the model, not %zu", name,
                       type->shape->dims.count, rank);
  }
  if (!shape && !type->shape) {
    return may_fail ? false
                    : import_fail(im, WNN_TYPE_ERROR,
                                  "the model does not say the rank of input '%.100s': give its shape", name);
  }
  desc->rank = (uint32_t)rank;
  for (uint32_t i = 0; i < rank; i++) {
    const ox_dim *dim = type->shape ? OX_AT(type->shape->dims, ox_dim, i) : NULL;
    bool fixed = dim && dim->has_size && dim->size >= 0;
    if (shape) {
      desc->shape[i] = shape->shape[i];
      if (fixed && dim->size != shape->shape[i]) {
        return import_fail(im, WNN_TYPE_ERROR, "dimension %u of input '%.100s' is %lld in the model, not %u", i, name,
                           (long long)dim->size, shape->shape[i]);
      }
    } else if (fixed) {
      if (dim->size > INT32_MAX)
        return import_fail(im, WNN_DATA_ERROR, "dimension %u of input '%.100s' is too large", i, name);
      desc->shape[i] = (uint32_t)dim->size;
    } else if (!find_size(im, name, i, dim ? dim->symbol : "", &desc->shape[i])) {
      if (may_fail) return false;
      const char *symbol = dim ? dim->symbol : "";
      return import_fail(im, WNN_TYPE_ERROR, "dimension %u%s%.80s%s of input '%.100s' is open: give it a size", i,
                         *symbol ? " (" : "", symbol, *symbol ? ")" : "", name);
    }
  }
  size_t elements;
  if (ox_count_elements(desc, &elements)) return true;
  return may_fail ? false : import_fail(im, WNN_DATA_ERROR, "input '%.100s' is larger than 2147483647 bytes", name);
}

static ox_value *bound_value(ox_import *im, const ox_port *port, const wnn_onnx_value *given) {
  wnn_data_type carrier;
  size_t elements;
  if (!port->type || !port->type->tensor || !ox_type_carrier(port->type->tensor->type, &carrier)) {
    import_fail(im, WNN_NOT_SUPPORTED, "input '%.100s' is no tensor that WebNN can carry", port->name);
    return NULL;
  }
  if (given->desc.rank > WNN_MAX_RANK || given->desc.data_type != carrier ||
      !ox_count_elements(&given->desc, &elements) || elements * wnn_data_type_size(carrier) != given->size ||
      (given->size && !given->data)) {
    import_fail(im, WNN_TYPE_ERROR, "the value for input '%.100s' is not %s data of its shape", port->name,
                wnn_data_type_name(carrier));
    return NULL;
  }
  void *copy = ox_alloc(&im->keep->arena, given->size);
  ox_value *value = copy ? ox_value_const(im, &given->desc, copy) : NULL;
  if (!value)
    import_memory(im);
  else if (given->size)
    memcpy(copy, given->data, given->size);
  return value;
}

enum { STEER_ELEMENTS = 16 };

static bool declare_input(ox_import *im, ox_scope *scope, size_t index) {
  const ox_port *port = im->model->input_ports[index];
  const wnn_onnx_value *given = find_value(im, port->name);
  ox_value *value = NULL;
  if (!*port->name) return import_fail(im, WNN_DATA_ERROR, "input %zu has no name", index);
  if (given) {
    value = bound_value(im, port, given);
    if (!value) return false;
  } else {
    wnn_desc desc;
    size_t elements;
    if (!port->type || !port->type->tensor) {
      return import_fail(im, WNN_NOT_SUPPORTED, "input '%.100s' is a %s, not a tensor", port->name,
                         im->model->inputs[index].type);
    }
    if (!input_desc(im, port->name, port->type->tensor, &desc, false)) return false;
    ox_count_elements(&desc, &elements);
    if (!elements) {
      value = ox_value_const(im, &desc, "");
    } else {
      wnn_operand *operand;
      wnn_error error;
      wnn_status status = wnn_builder_input(im->builder, port->name, &desc, &operand, &error);
      if (status)
        return import_fail(im, status == WNN_TYPE_ERROR ? WNN_DATA_ERROR : status, "input '%.100s': %s", port->name,
                           error.message);
      value = ox_value_operand(im, operand);
      bool discrete = desc.data_type != WNN_FLOAT32 && desc.data_type != WNN_FLOAT16;
      if (value && discrete && desc.rank <= 1 && elements <= STEER_ELEMENTS) value->steer = (uint32_t)index + 1;
      im->inputs[index] = value;
    }
    if (!value) return import_memory(im);
    value->onnx_type = port->type->tensor->type;
  }
  return ox_scope_set(im, scope, port->name, value) || import_memory(im);
}

wnn_status ox_import_model(ox_import *im) {
  const ox_graph *graph = im->model->proto.graph;
  im->absent.name = "absent";
  im->max_nodes = im->options->max_nodes ? im->options->max_nodes : 1000000;
  im->keep = ox_keep_create(im->model);
  ox_scope *scope = ox_scope_create(im, NULL);
  im->inputs = ox_alloc_array(&im->arena, graph->inputs.count, sizeof *im->inputs);
  const char **wanted = ox_alloc_array(&im->arena, graph->outputs.count, sizeof *wanted);
  if (!im->keep || !scope || !im->inputs || !wanted) {
    import_memory(im);
    return im->error.status;
  }
  bool good = add_initializers(im, scope, graph);
  for (size_t i = 0; good && i < graph->inputs.count; i++) {
    const char *name = im->model->input_ports[i]->name;
    if (i >= im->model->info.input_count && !find_value(im, name) && !find_shape(im, name)) continue;
    good = declare_input(im, scope, i);
  }
  for (size_t i = 0; i < graph->outputs.count; i++) wanted[i] = OX_AT(graph->outputs, ox_port, i)->name;
  if (good && graph->outputs.count == 0) good = import_fail(im, WNN_DATA_ERROR, "the graph has no outputs");
  if (good) good = run_nodes(im, scope, &graph->nodes, wanted, graph->outputs.count);
  im->outputs = ox_alloc_array(&im->arena, graph->outputs.count, sizeof *im->outputs);
  if (good && !im->outputs) good = import_memory(im);
  for (size_t i = 0; good && i < graph->outputs.count; i++) {
    im->outputs[i] = ox_scope_get(scope, wanted[i]);
    if (!im->outputs[i]) good = import_fail(im, WNN_DATA_ERROR, "no node makes the output '%.100s'", wanted[i]);
  }
  return good ? WNN_OK : im->error.status;
}

void ox_import_free(ox_import *im) {
  if (im->own_fold_context) wnn_context_release(im->fold_context);
  ox_arena_free(&im->arena);
  ox_keep_release(im->keep);
}
