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

/* Stacks equal tensors along a new axis; NULL after a failure. */
static ox_value *stacked(ox_call *c, ox_value **parts, uint32_t count, int64_t axis_given, bool reversed) {
  wnn_desc desc = parts[0]->desc;
  uint32_t axis;
  size_t elements;
  if (desc.rank + 1 > WNN_MAX_RANK) OX_UNSUPPORTED(c, "rank %u is above %d", desc.rank + 1, WNN_MAX_RANK);
  if (c->failed || !ox_axis(c, axis_given, desc.rank + 1, &axis)) return NULL;
  memmove(desc.shape + axis + 1, desc.shape + axis, (desc.rank - axis) * sizeof *desc.shape);
  desc.shape[axis] = 1;
  desc.rank++;
  bool constant = axis == 0;
  if (!ox_count_elements(&desc, &elements)) OX_BAD(c, "the result is too large");
  for (uint32_t i = 0; i < count; i++) {
    if (parts[i]->lost) return parts[i];
    if (!same_desc(&parts[i]->desc, &parts[0]->desc))
      OX_UNSUPPORTED(c, "a result changes its shape from round to round");
    constant = constant && parts[i]->constant;
  }
  if (c->failed) return NULL;
  ox_value *out = NULL;
  if (constant || !elements) {
    size_t bytes = elements * wnn_data_type_size(desc.data_type), total;
    desc.shape[axis] = count;
    if (!ox_count_elements(&desc, &total)) OX_BAD(c, "the result is too large");
    char *data = c->failed ? NULL : ox_keep_alloc(c, count, bytes);
    for (uint32_t i = 0; data && bytes && i < count; i++)
      memcpy(data + i * bytes, parts[reversed ? count - 1 - i : i]->data, bytes);
    if (data) out = ox_value_const(c->im, &desc, data);
  } else {
    wnn_operand **operands = ox_temp(c, count, sizeof *operands);
    for (uint32_t i = 0; operands && i < count; i++)
      operands[i] = ox_reshape(c, ox_use(c, parts[reversed ? count - 1 - i : i]), desc.rank, desc.shape);
    wnn_operand *whole = operands ? ox_concat(c, operands, count, axis) : NULL;
    if (whole) out = ox_value_operand(c->im, whole);
  }
  if (!out && !c->failed) ox_no_memory(c);
  return out;
}

static bool stack(ox_call *c, size_t out, ox_value **parts, uint32_t count, int64_t axis, bool reversed) {
  if (!count) return OX_UNSUPPORTED(c, "no rounds: output %zu has no elements", out);
  ox_value *value = stacked(c, parts, count, axis, reversed);
  return value && ox_out_value(c, out, value);
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
    if (!ox_spend(c)) return false;
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

typedef struct scan {
  const ox_graph *body;
  size_t states, scanned, made; /* carried values, inputs cut into slices, outputs that are stacked */
  const char *directions;       /* the attribute that says which inputs run backward */
  uint32_t *axes;
  ox_value **in, **out; /* of the body */
  scans *lists;
} scan;

static bool scan_begin(ox_call *c, size_t inputs, const char *directions, scan *s) {
  int64_t given = ox_attr_i(c, "num_scan_inputs");
  *s = (scan){.body = graph_of(c, "body"), .directions = directions};
  if (!s->body) return false;
  if (given < 1 || (uint64_t)given > inputs) return OX_BAD(c, "attribute 'num_scan_inputs' is out of range");
  s->scanned = (size_t)given;
  s->states = inputs - s->scanned;
  if (s->body->inputs.count != inputs || s->body->outputs.count < s->states)
    return OX_BAD(c, "the body does not fit the inputs");
  s->made = s->body->outputs.count - s->states;
  s->axes = ox_temp(c, s->scanned, sizeof *s->axes);
  s->in = ox_temp(c, inputs, sizeof *s->in);
  s->out = ox_temp(c, s->body->outputs.count, sizeof *s->out);
  s->lists = ox_temp(c, s->made, sizeof *s->lists);
  return s->axes && s->in && s->out && s->lists;
}

/* Runs the body over all slices of the sources; s->in holds the carried values before and after. */
static bool scan_rounds(ox_call *c, scan *s, ox_value *const *sources, uint32_t length) {
  for (uint32_t t = 0; t < length; t++) {
    if (!ox_spend(c)) return false;
    for (size_t i = 0; i < s->scanned; i++) {
      bool backward = list_entry(c, s->directions, i) != 0;
      s->in[s->states + i] = slice_value(c, sources[i], s->axes[i], backward ? length - 1 - t : t);
      if (!s->in[s->states + i]) return false;
    }
    if (!ox_run_subgraph(c, s->body, s->in, s->states + s->scanned, s->out, s->states + s->made)) return false;
    for (size_t i = 0; i < s->states; i++) s->in[i] = s->out[i];
    for (size_t i = 0; i < s->made; i++) {
      if (!push(c, &s->lists[i], s->out[s->states + i])) return false;
    }
  }
  return true;
}

static bool lower_scan(ox_call *c) {
  scan s;
  size_t total = c->node->inputs.count;
  uint32_t length = 0;
  if (!scan_begin(c, total, "scan_input_directions", &s)) return false;
  for (size_t i = 0; i < total; i++) {
    if (!ox_has(c, i)) return OX_BAD(c, "input %zu is missing", i);
    s.in[i] = c->in[i];
  }
  for (size_t i = 0; i < s.scanned; i++) {
    const wnn_desc *desc = ox_in_desc(c, s.states + i);
    if (!ox_axis(c, list_entry(c, "scan_input_axes", i), desc->rank, &s.axes[i])) return false;
    if (i && desc->shape[s.axes[i]] != length) return OX_BAD(c, "the scanned inputs differ in length");
    length = desc->shape[s.axes[i]];
  }
  if (!scan_rounds(c, &s, c->in + s.states, length)) return false;
  for (size_t i = 0; i < s.states; i++) {
    if (ox_wants(c, i) && !ox_out_value(c, i, s.in[i])) return false;
  }
  for (size_t i = 0; i < s.made; i++) {
    bool backward = list_entry(c, "scan_output_directions", i) != 0;
    if (ox_wants(c, s.states + i) &&
        !stack(c, s.states + i, s.lists[i].items, s.lists[i].count, list_entry(c, "scan_output_axes", i), backward))
      return false;
  }
  return true;
}

/* The first Scan: every row of a batch is scanned by itself, along its first dimension. */
static bool lower_scan_batch(ox_call *c) {
  scan s;
  size_t total = c->node->inputs.count ? c->node->inputs.count - 1 : 0;
  if (!scan_begin(c, total, "directions", &s)) return false;
  const wnn_desc *first = ox_in_desc(c, s.states + 1);
  uint32_t batch = first->shape[0], length = first->shape[1];
  ox_value **sources = ox_temp(c, s.scanned, sizeof *sources);
  scans *rows = ox_temp(c, s.body->outputs.count, sizeof *rows);
  ox_ints lengths = {NULL, 0};
  if (!sources || !rows || (ox_has(c, 0) && !ox_const_ints(c, 0, "the lengths of the sequences", &lengths)))
    return false;
  for (size_t i = 0; i < lengths.count; i++) {
    if (lengths.at[i] != length) return OX_UNSUPPORTED(c, "sequences of different lengths");
  }
  for (size_t i = 0; i < total; i++) {
    const wnn_desc *desc = ox_in_desc(c, i + 1);
    bool is_state = i < s.states;
    if (!ox_has(c, i + 1) || desc->rank < (is_state ? 1 : 2) || desc->shape[0] != batch ||
        (!is_state && desc->shape[1] != length))
      return OX_BAD(c, "the inputs differ in batch or length");
  }
  for (uint32_t b = 0; b < batch; b++) {
    for (size_t i = 0; i < total; i++) {
      ox_value *row = slice_value(c, c->in[i + 1], 0, b);
      if (!row) return false;
      *(i < s.states ? &s.in[i] : &sources[i - s.states]) = row;
    }
    memset(s.lists, 0, s.made * sizeof *s.lists);
    if (!scan_rounds(c, &s, sources, length)) return false;
    for (size_t i = 0; i < s.body->outputs.count; i++) {
      scans *list = i < s.states ? NULL : &s.lists[i - s.states];
      if (list && !list->count) return OX_UNSUPPORTED(c, "no rounds: output %zu has no elements", i);
      ox_value *whole = list ? stacked(c, list->items, list->count, 0, false) : s.in[i];
      if (!whole || !push(c, &rows[i], whole)) return false;
    }
  }
  for (size_t i = 0; i < s.body->outputs.count; i++) {
    if (ox_wants(c, i) && !stack(c, i, rows[i].items, rows[i].count, 0, false)) return false;
  }
  return true;
}

static const ox_op ops[] = {
    {"", "If", 1, 1, 1, OX_MANY, "then_branch:g else_branch:g", lower_if, 0, OX_INLINE},
    {"", "Loop", 1, 0, OX_MANY, OX_MANY, "body:g", lower_loop, 0, OX_INLINE},
    {"", "Scan", 8, 0, OX_MANY, OX_MANY, "body:g directions:I num_scan_inputs:i", lower_scan_batch, 0, OX_INLINE},
    {"", "Scan", 9, 1, OX_MANY, OX_MANY,
     "body:g num_scan_inputs:i scan_input_axes:I scan_input_directions:I scan_output_axes:I scan_output_directions:I",
     lower_scan, 0, OX_INLINE},
};
OX_FAMILY(control, ops);
