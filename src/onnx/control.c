/* If, Loop, Scan. Branches with a constant condition are inlined, loops with a known number of rounds unrolled. */
#include <string.h>

#include "import.h"

static const ox_graph *graph_of(ox_call *c, const char *name) {
  const ox_attr *attr = ox_attr_find(c, name);
  if (attr && attr->g) return attr->g;
  OX_BAD(c, "attribute '%s' is missing", name);
  return NULL;
}

static bool same_desc(const wnn_desc *a, const wnn_desc *b) {
  return a->data_type == b->data_type && a->rank == b->rank && !memcmp(a->shape, b->shape, a->rank * sizeof *a->shape);
}

/* ---- If ------------------------------------------------------------------------------------------------------------
 */

/* Both branches run, the condition selects: they have no side effects. */
static bool select_branches(ox_call *c, const ox_graph *then_graph, const ox_graph *else_graph) {
  size_t count = c->out_count;
  ox_value **a = ox_temp(c, count, sizeof *a), **b = ox_temp(c, count, sizeof *b);
  if (!a || !b) return false;
  if (!ox_run_subgraph(c, then_graph, NULL, 0, a, count) || !ox_run_subgraph(c, else_graph, NULL, 0, b, count))
    return false;
  wnn_operand *condition = ox_reshape(c, ox_in(c, 0), 0, NULL);
  for (size_t i = 0; i < count; i++) {
    if (a[i] == b[i] || a[i]->lost) {
      if (!ox_out_value(c, i, a[i])) return false;
      continue;
    }
    if (!b[i]->lost && !same_desc(&a[i]->desc, &b[i]->desc)) {
      return OX_UNSUPPORTED(
          c, "the condition ('%.100s') is computed from data and the branches give different shapes or types",
          ox_in_name(c, 0));
    }
    if (b[i]->lost ? !ox_out_value(c, i, b[i])
                   : !ox_out(c, i, ox_where(c, condition, ox_use(c, a[i]), ox_use(c, b[i]))))
      return false;
  }
  return true;
}

static bool lower_if(ox_call *c) {
  const ox_graph *then_graph = graph_of(c, "then_branch"), *else_graph = graph_of(c, "else_branch");
  if (!then_graph || !else_graph) return false;
  const ox_value *condition = c->in[0];
  size_t elements;
  if (condition->desc.data_type != WNN_UINT8 || !ox_count_elements(&condition->desc, &elements) || elements != 1)
    return OX_BAD(c, "the condition is not one boolean");
  /* A condition that one input decides is a switch of the model: the caller should set it. */
  if (!condition->constant && condition->steer && !c->im->options->both_branches) return ox_need(c, 0, "the condition");
  if (!condition->constant) return select_branches(c, then_graph, else_graph);
  ox_value **outputs = ox_temp(c, c->out_count, sizeof *outputs);
  const ox_graph *chosen = ox_load_int(WNN_UINT8, condition->data, 0) ? then_graph : else_graph;
  if (!outputs || !ox_run_subgraph(c, chosen, NULL, 0, outputs, c->out_count)) return false;
  for (size_t i = 0; i < c->out_count; i++) {
    if (!ox_out_value(c, i, outputs[i])) return false;
  }
  return true;
}

/* ---- Results of rounds
 * ----------------------------------------------------------------------------------------------- */

static ox_value *constant_number(ox_call *c, wnn_data_type type, int64_t number) {
  void *data = ox_keep_alloc(c, 1, 8);
  if (!data) return NULL;
  wnn_number_store(wnn_number_int64(number), type, data);
  ox_value *value = ox_value_const(c->im, &(wnn_desc){type, 0, {0}}, data);
  if (!value) ox_no_memory(c);
  return value;
}

/* Stacks equal tensors along a new axis. */
static bool stack(ox_call *c, size_t out, ox_value **parts, uint32_t count, int64_t axis_given, bool reversed) {
  if (!count) return OX_UNSUPPORTED(c, "no rounds: output %zu has no elements", out);
  wnn_desc desc = parts[0]->desc;
  uint32_t axis;
  if (desc.rank + 1 > WNN_MAX_RANK) return OX_UNSUPPORTED(c, "rank %u is above %d", desc.rank + 1, WNN_MAX_RANK);
  if (!ox_axis(c, axis_given, desc.rank + 1, &axis)) return false;
  memmove(desc.shape + axis + 1, desc.shape + axis, (desc.rank - axis) * sizeof *desc.shape);
  desc.shape[axis] = 1;
  desc.rank++;
  bool constant = axis == 0;
  size_t elements;
  if (!ox_count_elements(&desc, &elements)) return OX_BAD(c, "the result is too large");
  for (uint32_t i = 0; i < count; i++) {
    if (parts[i]->lost) return ox_out_value(c, out, parts[i]);
    if (!same_desc(&parts[i]->desc, &parts[0]->desc))
      return OX_UNSUPPORTED(c, "output %zu changes its shape from round to round", out);
    constant = constant && parts[i]->constant;
  }
  if (constant || !elements) {
    size_t bytes = elements * wnn_data_type_size(desc.data_type);
    char *data = ox_keep_alloc(c, count, bytes);
    for (uint32_t i = 0; data && bytes && i < count; i++)
      memcpy(data + i * bytes, parts[reversed ? count - 1 - i : i]->data, bytes);
    desc.shape[axis] = count;
    return data && ox_out_const(c, out, &desc, data);
  }
  wnn_operand **operands = ox_temp(c, count, sizeof *operands);
  for (uint32_t i = 0; operands && i < count; i++)
    operands[i] = ox_reshape(c, ox_use(c, parts[reversed ? count - 1 - i : i]), desc.rank, desc.shape);
  return operands && ox_out(c, out, ox_concat(c, operands, count, axis));
}

/* Growing list of what a round scanned out. */
typedef struct scans {
  ox_value **items;
  uint32_t count, capacity;
} scans;

static bool push(ox_call *c, scans *list, ox_value *value) {
  if (list->count == list->capacity) {
    uint32_t capacity = list->capacity ? list->capacity * 2 : 16;
    ox_value **items = ox_temp(c, capacity, sizeof *items);
    if (!items) return false;
    if (list->count) memcpy(items, list->items, list->count * sizeof *items);
    list->items = items;
    list->capacity = capacity;
  }
  list->items[list->count++] = value;
  return true;
}

/* ---- Loop
 * -------------------------------------------------------------------------------------------------------------- */

static bool loop_condition(ox_call *c, const ox_value *value, bool *go) {
  size_t elements;
  if (value->lost) return OX_UNSUPPORTED(c, "its condition comes from an unsupported node");
  if (!value->constant)
    return OX_UNSUPPORTED(
        c, "its condition is computed from data: only loops with a known number of rounds can be unrolled");
  if (!ox_count_elements(&value->desc, &elements) || elements != 1)
    return OX_BAD(c, "the condition is not one boolean");
  *go = ox_load_int(value->desc.data_type, value->data, 0) != 0;
  return true;
}

static bool lower_loop(ox_call *c) {
  const ox_graph *body = graph_of(c, "body");
  if (!body) return false;
  size_t carried = c->node->inputs.count > 2 ? c->node->inputs.count - 2 : 0;
  if (body->inputs.count != carried + 2 || body->outputs.count < carried + 1)
    return OX_BAD(c, "the body has %zu inputs and %zu outputs for %zu carried values", body->inputs.count,
                  body->outputs.count, carried);
  size_t scanned = body->outputs.count - 1 - carried;
  int64_t rounds = INT64_MAX;
  bool go = true;
  if (ox_has(c, 0) && !ox_const_int(c, 0, "the number of rounds", &rounds)) return false;
  if (ox_has(c, 1)) {
    if (!ox_need(c, 1, "the condition") || !loop_condition(c, c->in[1], &go)) return false;
  }
  ox_value **in = ox_temp(c, carried + 2, sizeof *in), **out = ox_temp(c, body->outputs.count, sizeof *out);
  scans *lists = ox_temp(c, scanned, sizeof *lists);
  if (!in || !out || !lists) return false;
  for (size_t i = 0; i < carried; i++) {
    in[i + 2] = ox_value_in(c, i + 2);
    if (!in[i + 2]) return OX_BAD(c, "the carried value %zu is missing", i);
  }
  for (int64_t round = 0; round < rounds && go; round++) {
    /* An empty body would not use up the limit of nodes. */
    if (++c->im->nodes > c->im->max_nodes)
      return OX_UNSUPPORTED(c, "more than %u nodes after unrolling", c->im->max_nodes);
    in[0] = constant_number(c, WNN_INT64, round);
    in[1] = constant_number(c, WNN_UINT8, 1);
    if (!in[0] || !in[1] || !ox_run_subgraph(c, body, in, carried + 2, out, body->outputs.count)) return false;
    if (!loop_condition(c, out[0], &go)) return false;
    for (size_t i = 0; i < carried; i++) in[i + 2] = out[i + 1];
    for (size_t i = 0; i < scanned; i++) {
      if (!push(c, &lists[i], out[1 + carried + i])) return false;
    }
  }
  for (size_t i = 0; i < carried; i++) {
    if (ox_wants(c, i) && !ox_out_value(c, i, in[i + 2])) return false;
  }
  for (size_t i = 0; i < scanned; i++) {
    if (ox_wants(c, carried + i) && !stack(c, carried + i, lists[i].items, lists[i].count, 0, false)) return false;
  }
  return true;
}

/* ---- Scan
 * -------------------------------------------------------------------------------------------------------------- */

static int64_t list_entry(const ox_call *c, const char *name, size_t index) {
  ox_ints list;
  return ox_attr_ints(c, name, &list) && index < list.count ? list.at[index] : 0;
}

/* Slice t of a tensor along an axis, without that axis. */
static ox_value *slice_value(ox_call *c, ox_value *value, uint32_t axis, uint32_t t) {
  wnn_desc desc = value->desc;
  memmove(desc.shape + axis, desc.shape + axis + 1, (desc.rank - axis - 1) * sizeof *desc.shape);
  desc.rank--;
  ox_value *out;
  if (value->constant && axis == 0) {
    size_t elements;
    if (!ox_count_elements(&desc, &elements)) return NULL;
    out = ox_value_const(c->im, &desc, (const char *)value->data + t * elements * wnn_data_type_size(desc.data_type));
  } else {
    wnn_operand *part = ox_reshape(c, ox_slice(c, ox_use(c, value), axis, t, 1), desc.rank, desc.shape);
    if (!part) return NULL;
    out = ox_value_operand(c->im, part);
  }
  if (!out) ox_no_memory(c);
  return out;
}

static bool lower_scan(ox_call *c) {
  const ox_graph *body = graph_of(c, "body");
  if (!body) return false;
  int64_t given = ox_attr_i(c, "num_scan_inputs");
  size_t total = c->node->inputs.count;
  if (given < 1 || (uint64_t)given > total) return OX_BAD(c, "attribute 'num_scan_inputs' is out of range");
  size_t scan_in = (size_t)given, states = total - scan_in;
  if (body->inputs.count != total || body->outputs.count < states) return OX_BAD(c, "the body does not fit the inputs");
  size_t scan_out = body->outputs.count - states;
  uint32_t length = 0, *axes = ox_temp(c, scan_in, sizeof *axes);
  ox_value **in = ox_temp(c, total, sizeof *in), **out = ox_temp(c, body->outputs.count, sizeof *out);
  scans *lists = ox_temp(c, scan_out, sizeof *lists);
  if (!axes || !in || !out || !lists) return false;
  for (size_t i = 0; i < total; i++) {
    if (!ox_has(c, i)) return OX_BAD(c, "input %zu is missing", i);
    in[i] = c->in[i];
  }
  for (size_t i = 0; i < scan_in; i++) {
    const wnn_desc *desc = ox_in_desc(c, states + i);
    if (!ox_axis(c, list_entry(c, "scan_input_axes", i), desc->rank, &axes[i])) return false;
    if (i && desc->shape[axes[i]] != length) return OX_BAD(c, "the scanned inputs differ in length");
    length = desc->shape[axes[i]];
  }
  for (uint32_t t = 0; t < length; t++) {
    if (++c->im->nodes > c->im->max_nodes)
      return OX_UNSUPPORTED(c, "more than %u nodes after unrolling", c->im->max_nodes);
    for (size_t i = 0; i < scan_in; i++) {
      bool backward = list_entry(c, "scan_input_directions", i) != 0;
      in[states + i] = slice_value(c, c->in[states + i], axes[i], backward ? length - 1 - t : t);
      if (!in[states + i]) return false;
    }
    if (!ox_run_subgraph(c, body, in, total, out, body->outputs.count)) return false;
    for (size_t i = 0; i < states; i++) in[i] = out[i];
    for (size_t i = 0; i < scan_out; i++) {
      if (!push(c, &lists[i], out[states + i])) return false;
    }
  }
  for (size_t i = 0; i < states; i++) {
    if (ox_wants(c, i) && !ox_out_value(c, i, in[i])) return false;
  }
  for (size_t i = 0; i < scan_out; i++) {
    bool backward = list_entry(c, "scan_output_directions", i) != 0;
    if (ox_wants(c, states + i) &&
        !stack(c, states + i, lists[i].items, lists[i].count, list_entry(c, "scan_output_axes", i), backward))
      return false;
  }
  return true;
}

static const ox_op ops[] = {
    {"", "If", 1, 1, 1, OX_MANY, "then_branch:g else_branch:g", lower_if, 0, OX_INLINE},
    {"", "Loop", 1, 0, OX_MANY, OX_MANY, "body:g", lower_loop, 0, OX_INLINE},
    {"", "Scan", 9, 1, OX_MANY, OX_MANY,
     "body:g num_scan_inputs:i scan_input_axes:I scan_input_directions:I scan_output_axes:I scan_output_directions:I",
     lower_scan, 0, OX_INLINE},
};
OX_FAMILY(control, ops);
