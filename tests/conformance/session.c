/* Building and running the graph of a test vector: every call goes through the rows of wnn_op_get. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/vectors.h"

struct kept {
  struct kept *next;
  double memory[];
};

void *session_keep(session *s, size_t size) {
  struct kept *kept = calloc(1, sizeof *kept + size);
  if (!kept) abort();
  kept->next = s->kept;
  s->kept = kept;
  return kept->memory;
}

bool session_begin(session *s, wnn_context *context, operand_source source, char why[WHY]) {
  memset(s, 0, sizeof *s);
  s->context = context;
  s->source = source;
  wnn_error error;
  if (!wnn_builder_create(context, &s->builder, &error) && !wnn_builder_set_savable(s->builder, &error)) return true;
  snprintf(why, WHY, "builder: %.400s", error.message);
  return false;
}

void session_end(session *s) {
  for (size_t i = 0; i < s->name_count; i++) tensor_free(&s->names[i].tensor);
  while (s->kept) {
    struct kept *next = s->kept->next;
    free(s->kept);
    s->kept = next;
  }
  wnn_builder_release(s->builder);
}

wnn_operand *session_find(const session *s, const char *name) {
  for (size_t i = s->name_count; name && i-- > 0;)
    if (!strcmp(s->names[i].name, name)) return s->names[i].operand;
  return NULL;
}

bool session_add(session *s, const char *name, wnn_operand *operand) {
  if (s->name_count == MAX_NAMES) return false;
  s->names[s->name_count].name = name;
  s->names[s->name_count].operand = operand;
  s->name_count++;
  return true;
}

bool session_inputs(session *s, json_object *inputs, wnn_status *status, char why[WHY]) {
  *status = WNN_OK;
  json_object_object_foreach(inputs, name, json) {
    wnn_operand *operand = NULL;
    wnn_error error = {0};
    tensor t;
    if (!tensor_parse(json, s->widen, &t, why)) return false;
    bool constant = s->source == SOURCE_ALL_CONSTANT || (s->source == SOURCE_AS_GIVEN && t.constant);
    *status = constant && t.bytes ? wnn_builder_constant(s->builder, &t.desc, t.bytes, t.size, &operand, &error)
                                  : wnn_builder_input(s->builder, name, &t.desc, &operand, &error);
    if (*status || !session_add(s, name, operand)) {
      snprintf(why, WHY, "input %s: %.800s", name, *status ? error.message : "too many names");
      tensor_free(&t);
      return false;
    }
    s->names[s->name_count - 1].tensor = t;
    s->names[s->name_count - 1].is_input = !(constant && t.bytes);
  }
  return true;
}

static const char *operand_name(json_object *json) {
  if (json_object_is_type(json, json_type_object)) json = json_object_object_get(json, "ref");
  return json_object_is_type(json, json_type_string) ? json_object_get_string(json) : NULL;
}

/* ---- Arguments by the row ------------------------------------------------------------------------- */

typedef struct call {
  const wnn_op_info *row;
  unsigned char *args;
  wnn_operand **operands;
  size_t operand_count;
} call;

static bool read_u32(json_object *json, uint32_t *out) {
  int64_t value = json_object_get_int64(json);
  *out = (uint32_t)value;
  return json_object_is_type(json, json_type_int) && value >= 0 && value <= UINT32_MAX;
}

static bool read_double(json_object *json, double *out) {
  if (json_object_is_type(json, json_type_string)) {
    const char *text = json_object_get_string(json);
    char *end;
    *out = strtod(text, &end); /* takes "NaN" and "Infinity" too */
    return end != text && !*end;
  }
  *out = json_object_get_double(json);
  return json_object_is_type(json, json_type_int) || json_object_is_type(json, json_type_double);
}

static bool read_name(json_object *json, const char *const *values, uint32_t count, int32_t *out) {
  const char *text = json_object_get_string(json);
  for (uint32_t i = 0; i < count; i++)
    if (text && !strcmp(text, values[i])) {
      *out = (int32_t)i;
      return true;
    }
  return false;
}

static bool read_number(json_object *json, wnn_number *out) {
  double value;
  if (!read_double(json, &value)) return false;
  if (json_object_is_type(json, json_type_int))
    *out = wnn_number_int64(json_object_get_int64(json));
  else if (json_object_is_type(json, json_type_string) && isfinite(value) &&
           strcmp(json_object_get_string(json), "-0")) {
    const char *text = json_object_get_string(json);
    *out = text[0] == '-' ? wnn_number_int64(strtoll(text, NULL, 10)) : wnn_number_uint64(strtoull(text, NULL, 10));
  } else
    *out = wnn_number_double(value);
  return true;
}

static bool set_list(session *s, const wnn_param_info *param, json_object *json, void *field) {
  if (!json_object_is_type(json, json_type_array)) return false;
  uint32_t count = (uint32_t)json_object_array_length(json);
  uint32_t *data = session_keep(s, (count + 1) * sizeof *data);
  for (uint32_t i = 0; i < count; i++) {
    json_object *item = json_object_array_get_idx(json, i);
    double value;
    bool good;
    if (param->kind == WNN_PARAM_F32_LIST) {
      good = read_double(item, &value);
      ((float *)data)[i] = (float)value;
    } else if (param->kind == WNN_PARAM_ENUM_LIST)
      good = read_name(item, param->enumeration->values, param->enumeration->count, (int32_t *)data + i);
    else
      good = read_u32(item, data + i);
    if (!good) return false;
  }
  if (param->kind == WNN_PARAM_F32_LIST)
    *(wnn_f32_list *)field = (wnn_f32_list){(float *)data, count};
  else if (param->kind == WNN_PARAM_ENUM_LIST)
    *(wnn_enum_list *)field = (wnn_enum_list){(int32_t *)data, count};
  else if (param->kind == WNN_PARAM_SPLITS)
    *(wnn_splits *)field = (wnn_splits){data, count};
  else
    *(wnn_u32_list *)field = (wnn_u32_list){data, count};
  return true;
}

static bool set_param(session *s, const call *c, const wnn_param_info *param, json_object *json) {
  void *field = c->args + param->offset;
  switch (param->kind) {
  case WNN_PARAM_BOOL:
    *(bool *)field = json_object_get_boolean(json);
    return json_object_is_type(json, json_type_boolean);
  case WNN_PARAM_U32: return read_u32(json, field);
  case WNN_PARAM_I32:
    *(int32_t *)field = (int32_t)json_object_get_int64(json);
    return json_object_is_type(json, json_type_int);
  case WNN_PARAM_F64: return read_double(json, field);
  case WNN_PARAM_NUMBER: return read_number(json, field);
  case WNN_PARAM_ENUM: return read_name(json, param->enumeration->values, param->enumeration->count, field);
  case WNN_PARAM_DATA_TYPE:
    for (int t = 0; t < WNN_DATA_TYPE_COUNT; t++)
      if (!strcmp(json_object_get_string(json), wnn_data_type_name((wnn_data_type)t))) {
        *(int32_t *)field = t;
        return true;
      }
    return false;
  case WNN_PARAM_SPLITS:
    if (json_object_is_type(json, json_type_array)) return set_list(s, param, json, field);
    ((wnn_splits *)field)->sizes = NULL;
    return read_u32(json, &((wnn_splits *)field)->count);
  default: return set_list(s, param, json, field);
  }
}

static bool set_operand(session *s, call *c, uint32_t index, json_object *json) {
  if (c->row->operands[index].variadic) {
    if (!json_object_is_type(json, json_type_array)) return false;
    c->operand_count = json_object_array_length(json);
    c->operands = session_keep(s, (c->operand_count + 1) * sizeof *c->operands);
    for (size_t i = 0; i < c->operand_count; i++) {
      c->operands[i] = session_find(s, operand_name(json_object_array_get_idx(json, i)));
      if (!c->operands[i]) return false;
    }
    return true;
  }
  c->operands[index] = session_find(s, operand_name(json));
  return c->operands[index] != NULL;
}

/* An argument or option by name. */
static bool set_by_name(session *s, call *c, const char *name, json_object *json) {
  if (!strcmp(name, "label")) return true;
  for (uint32_t i = 0; i < c->row->operand_count; i++)
    if (!strcmp(c->row->operands[i].name, name)) return set_operand(s, c, i, json);
  for (uint32_t i = 0; i < c->row->param_count; i++)
    if (!strcmp(c->row->params[i].name, name)) return set_param(s, c, &c->row->params[i], json);
  return false;
}

/* A positional argument: operands first, then parameters. */
static bool set_by_position(session *s, call *c, size_t position, json_object *json) {
  for (uint32_t i = 0; i < c->row->operand_count; i++)
    if (!c->row->operands[i].in_options && position-- == 0) return set_operand(s, c, i, json);
  for (uint32_t i = 0; i < c->row->param_count; i++)
    if (c->row->params[i].positional && position-- == 0) return set_param(s, c, &c->row->params[i], json);
  return false;
}

static bool set_object(session *s, call *c, json_object *members, char why[WHY]) {
  json_object_object_foreach(members, name, value) {
    if (!set_by_name(s, c, name, value)) {
      snprintf(why, WHY, "%s: the runner cannot set %s to %.200s", c->row->name, name,
               json_object_to_json_string(value));
      return false;
    }
  }
  return true;
}

static bool set_positional(session *s, call *c, json_object *arguments, char why[WHY]) {
  for (size_t i = 0; i < json_object_array_length(arguments); i++) {
    json_object_object_foreach(json_object_array_get_idx(arguments, i), name, value) {
      if (!strcmp(name, "options")) {
        if (!set_object(s, c, value, why)) return false;
      } else if (!set_by_position(s, c, i, value)) {
        snprintf(why, WHY, "%s: the runner cannot set argument %zu (%s)", c->row->name, i, name);
        return false;
      }
    }
  }
  return true;
}

/* input() as an operator, in cases about names. */
static bool input_operator(session *s, json_object *arguments, json_object *options, wnn_status *status,
                           char why[WHY]) {
  tensor t;
  wnn_operand *operand;
  wnn_error error = {0};
  if (!tensor_parse(options, s->widen, &t, why)) return false;
  const char *name = json_object_get_string(json_object_object_get(arguments, "name"));
  *status = wnn_builder_input(s->builder, name, &t.desc, &operand, &error);
  snprintf(why, WHY, "input %s: %.800s", name, error.message);
  return *status == WNN_OK;
}

bool session_operator(session *s, json_object *op, const char *label, wnn_status *status, char why[WHY]) {
  const char *name = json_object_get_string(json_object_object_get(op, "name"));
  json_object *arguments = json_object_object_get(op, "arguments"), *options = json_object_object_get(op, "options");
  json_object *outputs = json_object_object_get(op, "outputs");
  *status = WNN_OK;
  if (!strcmp(name, "input")) return input_operator(s, arguments, options, status, why);
  call c = {wnn_op_get(wnn_op_find(name)), NULL, NULL, 0};
  if (!c.row) {
    snprintf(why, WHY, "no operation %s", name);
    return false;
  }
  c.args = session_keep(s, c.row->args_size);
  memcpy(c.args, c.row->defaults, c.row->args_size);
  memcpy(c.args + c.row->label_offset, &label, sizeof label);
  c.operand_count = c.row->operand_count;
  c.operands = session_keep(s, (c.operand_count + 1) * sizeof *c.operands);
  if (json_object_is_type(arguments, json_type_array) ? !set_positional(s, &c, arguments, why)
                                                      : !set_object(s, &c, arguments, why))
    return false;
  if (options && !set_object(s, &c, options, why)) return false;

  bool list = json_object_is_type(outputs, json_type_array);
  size_t wanted = list ? json_object_array_length(outputs) : 1, made = 0;
  wnn_operand **results = session_keep(s, (wanted + 1) * sizeof *results);
  wnn_error error = {0};
  *status = wnn_builder_add(s->builder, wnn_op_find(name), c.args, c.operands, c.operand_count, results, wanted, &made,
                            &error);
  if (*status) {
    snprintf(why, WHY, "%s: %s: %.800s", name, wnn_status_name(*status), error.message);
    return false;
  }
  if (made != wanted) {
    snprintf(why, WHY, "%s: %zu outputs, expected %zu", name, made, wanted);
    return false;
  }
  for (size_t i = 0; i < wanted; i++) {
    json_object *output = list ? json_object_array_get_idx(outputs, i) : outputs;
    if (!session_add(s, json_object_get_string(output), results[i])) {
      snprintf(why, WHY, "too many names");
      return false;
    }
  }
  return true;
}

/* ---- Running ---------------------------------------------------------------------------------------- */

typedef struct binding {
  wnn_named_tensor *items;
  size_t count;
} binding;

static bool make_tensor(session *s, binding *b, const char *name, const wnn_desc *desc, uint32_t flags, char why[WHY]) {
  wnn_error error = {0};
  b->items[b->count].name = name;
  if (wnn_context_create_tensor(s->context, desc, flags, &b->items[b->count].tensor, &error)) {
    snprintf(why, WHY, "tensor %s: %.800s", name, error.message);
    return false;
  }
  b->count++;
  return true;
}

/* Graph inputs that no output needs are not inputs of the graph; only those of the graph are bound. */
static bool bind_inputs(session *s, const wnn_graph *graph, binding *b, char why[WHY]) {
  for (size_t g = 0; g < wnn_graph_input_count(graph); g++) {
    const char *name = wnn_graph_input_name(graph, g);
    for (size_t i = 0; i < s->name_count; i++) {
      const tensor *t = &s->names[i].tensor;
      if (!s->names[i].is_input || strcmp(s->names[i].name, name)) continue;
      if (!make_tensor(s, b, s->names[i].name, &t->desc, WNN_TENSOR_WRITABLE, why)) return false;
      wnn_error error = {0};
      if (wnn_context_write_tensor(s->context, b->items[b->count - 1].tensor, t->bytes, t->size, &error)) {
        snprintf(why, WHY, "write %s: %.800s", name, error.message);
        return false;
      }
    }
  }
  return true;
}

/* Runs the graph and reads every output behind the others' bytes. */
static bool run_once(session *s, wnn_graph *graph, const binding *in, const binding *out, const tensor *expected,
                     unsigned char *bytes, char why[WHY]) {
  wnn_error error = {0};
  if (wnn_context_dispatch(s->context, graph, in->items, in->count, out->items, out->count, &error)) {
    snprintf(why, WHY, "dispatch: %.800s", error.message);
    return false;
  }
  for (size_t i = 0; i < out->count; bytes += expected[i++].size)
    if (wnn_context_read_tensor(s->context, out->items[i].tensor, bytes, expected[i].size, &error)) {
      snprintf(why, WHY, "read %s: %.800s", out->items[i].name, error.message);
      return false;
    }
  return true;
}

/* A file in memory, as large as it ever gets. */
typedef struct saved {
  unsigned char *data;
  size_t size;
} saved;

static bool append(void *user, const void *data, size_t size) {
  saved *to = user;
  size_t room = (to->size + size + 63) / 64 * 64;
  unsigned char *fresh = aligned_alloc(64, room);
  if (!fresh) return false;
  if (to->size) memcpy(fresh, to->data, to->size);
  memcpy(fresh + to->size, data, size);
  free(to->data);
  to->data = fresh;
  to->size += size;
  return true;
}

/* The same graph, saved and loaded. */
static bool load_again(const session *s, wnn_graph *graph, wnn_graph **loaded, char why[WHY]) {
  saved file = {0};
  wnn_error error;
  wnn_status status = wnn_graph_write(graph, append, &file, &error);
  if (status)
    free(file.data);
  else
    status = wnn_graph_load_bytes(s->context, file.data, file.size, free, file.data, loaded, &error);
  if (status) snprintf(why, WHY, "saved: %s: %.800s", wnn_status_name(error.status), error.message);
  return !status;
}

static bool run_graph(session *s, wnn_graph *graph, const char *const *names, const tensor *expected, size_t count,
                      tolerance allowed, char why[WHY]) {
  binding in = {session_keep(s, (s->name_count + 1) * sizeof *in.items), 0};
  binding out = {session_keep(s, (count + 1) * sizeof *out.items), 0};
  size_t total = 0;
  for (size_t i = 0; i < count; i++) total += expected[i].size;
  unsigned char *first = malloc(total + 1), *second = malloc(total + 1);
  bool good = first && second && bind_inputs(s, graph, &in, why);
  for (size_t i = 0; good && i < count; i++)
    good = make_tensor(s, &out, names[i], &expected[i].desc, WNN_TENSOR_READABLE, why);
  good = good && run_once(s, graph, &in, &out, expected, first, why);
  size_t offset = 0;
  for (size_t i = 0; good && i < count; offset += expected[i++].size) {
    char detail[WHY];
    good = tensor_compare(&expected[i], first + offset, allowed, detail);
    if (!good) snprintf(why, WHY, "%s: %.900s", names[i], detail);
  }
  good = good && run_once(s, graph, &in, &out, expected, second, why);
  if (good && memcmp(first, second, total)) {
    snprintf(why, WHY, "the second dispatch gave other results");
    good = false;
  }
  for (size_t i = 0; i < in.count; i++) wnn_tensor_release(in.items[i].tensor);
  for (size_t i = 0; i < out.count; i++) wnn_tensor_release(out.items[i].tensor);
  free(first);
  free(second);
  return good;
}

static void format_desc(const wnn_desc *desc, char text[160]) {
  size_t n = (size_t)snprintf(text, 160, "%s [", wnn_data_type_name(desc->data_type));
  for (uint32_t i = 0; i < desc->rank; i++)
    n += (size_t)snprintf(text + n, 160 - n, i ? ", %" PRIu32 : "%" PRIu32, desc->shape[i]);
  snprintf(text + n, 160 - n, "]");
}

static bool same_desc(const wnn_desc *a, const wnn_desc *b) {
  return a->data_type == b->data_type && a->rank == b->rank &&
         !memcmp(a->shape, b->shape, a->rank * sizeof a->shape[0]);
}

bool session_run(session *s, json_object *expected, tolerance allowed, char why[WHY]) {
  size_t count = (size_t)json_object_object_length(expected), n = 0;
  tensor *tensors = session_keep(s, (count + 1) * sizeof *tensors);
  const char **names = session_keep(s, (count + 1) * sizeof *names);
  wnn_named_operand *outputs = session_keep(s, (count + 1) * sizeof *outputs);
  bool good = true;
  json_object_object_foreach(expected, name, json) {
    names[n] = name;
    outputs[n] = (wnn_named_operand){name, session_find(s, name)};
    good = good && tensor_parse(json, s->widen, &tensors[n], why);
    if (good && !outputs[n].operand) {
      snprintf(why, WHY, "no operator makes %s", name);
      good = false;
    }
    if (good && !same_desc(wnn_operand_desc(outputs[n].operand), &tensors[n].desc)) {
      char got[160], want[160];
      format_desc(wnn_operand_desc(outputs[n].operand), got);
      format_desc(&tensors[n].desc, want);
      snprintf(why, WHY, "%s is %s, expected %s", name, got, want);
      good = false;
    }
    n++;
  }
  wnn_graph *graph = NULL;
  wnn_error error = {0};
  if (good && wnn_builder_build(s->builder, outputs, count, &graph, &error)) {
    snprintf(why, WHY, "build: %s: %.800s", wnn_status_name(error.status), error.message);
    good = false;
  }
  good = good && run_graph(s, graph, names, tensors, count, allowed, why);
  wnn_graph *loaded = NULL;
  good = good && load_again(s, graph, &loaded, why) && run_graph(s, loaded, names, tensors, count, allowed, why);
  wnn_graph_release(loaded);
  wnn_graph_release(graph);
  for (size_t i = 0; i < count; i++) tensor_free(&tensors[i]);
  return good;
}
