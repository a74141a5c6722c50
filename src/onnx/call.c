/* What a lowering function sees of its node: inputs, constants, attributes, results. */
#include <stdlib.h>
#include <string.h>

#include "import.h"

static const wnn_desc scalar_desc = {WNN_FLOAT32, 0, {0}};

/* ---- Inputs --------------------------------------------------------------------------------------- */

ox_value *ox_value_in(const ox_call *c, size_t index) { return index < c->in_count ? c->in[index] : NULL; }
bool ox_has(const ox_call *c, size_t index) { return ox_value_in(c, index) != NULL; }

bool ox_empty(const ox_call *c, size_t index) {
  const ox_value *value = ox_value_in(c, index);
  if (!value) return false;
  for (uint32_t i = 0; i < value->desc.rank; i++) {
    if (!value->desc.shape[i]) return true;
  }
  return false;
}

const wnn_desc *ox_in_desc(const ox_call *c, size_t index) {
  const ox_value *value = ox_value_in(c, index);
  return value ? &value->desc : &scalar_desc;
}

const char *ox_in_name(const ox_call *c, size_t index) {
  return index < c->node->inputs.count ? *OX_AT(c->node->inputs, const char *, index) : "";
}

enum { COPY_BYTES = 256 }; /* smaller constants are copied into the graph */

/* A constant that a graph borrows. */
typedef struct lent {
  ox_keep *keep;
  size_t size;
} lent;

static void take_back(void *user) {
  lent *l = user;
  ox_model_forget(l->keep->model, l->size);
  ox_keep_release(l->keep);
  free(l);
}

static wnn_status lend(ox_call *c, wnn_builder *builder, const wnn_desc *desc, const void *data, size_t size,
                       wnn_operand **operand, wnn_error *error) {
  lent *l = malloc(sizeof *l);
  if (!l) return wnn_builder_constant(builder, desc, data, size, operand, error);
  *l = (lent){c->im->keep, size};
  atomic_fetch_add(&c->im->keep->references, 1);
  return wnn_builder_constant_borrowed(builder, desc, data, size, take_back, l, operand, error);
}

static wnn_operand *make_constant(ox_call *c, wnn_builder *builder, const wnn_desc *desc, const void *data, bool keep) {
  wnn_operand *operand;
  wnn_error error;
  size_t bytes = (size_t)wnn_desc_bytes(desc);
  if (!bytes) {
    ox_fail(c, WNN_NOT_SUPPORTED, "a tensor without elements cannot be used here");
    return NULL;
  }
  wnn_status status;
  if (bytes < COPY_BYTES) {
    status = wnn_builder_constant(builder, desc, data, bytes, &operand, &error);
  } else if (keep) {
    status = lend(c, builder, desc, data, bytes, &operand, &error);
  } else {
    status = wnn_builder_constant_borrowed(builder, desc, data, bytes, NULL, NULL, &operand, &error);
  }
  if (!status) return operand;
  ox_fail(c, status == WNN_OUT_OF_MEMORY ? status : WNN_DATA_ERROR, "%s", error.message);
  return NULL;
}

wnn_operand *ox_use(ox_call *c, ox_value *value) {
  if (!value || c->failed) return NULL;
  if (value->lost) {
    ox_fail(c, WNN_NOT_SUPPORTED, "tensor '%.100s' comes from an unsupported node", value->name);
    return NULL;
  }
  /* Constants of a folding builder live only as long as the call. */
  if (c->folding) return make_constant(c, c->builder, &value->desc, value->data, false);
  if (!value->operand) value->operand = make_constant(c, c->builder, &value->desc, value->data, true);
  return value->operand;
}

wnn_operand *ox_in_optional(ox_call *c, size_t index) {
  ox_value *value = ox_value_in(c, index);
  if (!value || c->failed) return NULL;
  if (ox_empty(c, index)) {
    ox_fail(c, WNN_NOT_SUPPORTED, "input '%.100s' has no elements", ox_in_name(c, index));
    return NULL;
  }
  if (!c->folding) return ox_use(c, value);
  if (!c->in_operands[index]) c->in_operands[index] = ox_use(c, value);
  return c->in_operands[index];
}

wnn_operand *ox_in(ox_call *c, size_t index) {
  if (!ox_has(c, index)) {
    ox_fail(c, WNN_DATA_ERROR, "input %zu is missing", index);
    return NULL;
  }
  return ox_in_optional(c, index);
}

/* ---- Constants ------------------------------------------------------------------------------------ */

bool ox_is_const(ox_call *c, size_t index) {
  ox_value *value = ox_value_in(c, index);
  return value && value->constant && !value->lost;
}

bool ox_need(ox_call *c, size_t index, const char *what) {
  ox_value *value = ox_value_in(c, index);
  if (!value) return ox_fail(c, WNN_DATA_ERROR, "input %zu (%s) is missing", index, what);
  if (value->lost) return ox_fail(c, WNN_NOT_SUPPORTED, "tensor '%.100s' comes from an unsupported node", value->name);
  if (value->constant) return true;
  if (value->steer) {
    if (!c->im->failed) c->im->need = value->steer;
    return ox_fail(
        c, WNN_NOT_SUPPORTED,
        "%s ('%.80s') must be known when the graph is built; it depends on the input '%.80s': bind that to a "
        "value",
        what, ox_in_name(c, index), c->im->model->inputs[value->steer - 1].name);
  }
  return ox_fail(c, WNN_NOT_SUPPORTED,
                 "%s ('%.100s') must be known when the graph is built, but it is computed from data", what,
                 ox_in_name(c, index));
}

bool ox_const_ints(ox_call *c, size_t index, const char *what, ox_ints *out) {
  if (!ox_need(c, index, what)) return false;
  const ox_value *value = c->in[index];
  size_t count;
  if (!ox_count_elements(&value->desc, &count)) return ox_fail(c, WNN_DATA_ERROR, "%s is too large", what);
  out->count = count;
  out->at = ox_temp(c, count, sizeof *out->at);
  for (size_t i = 0; out->at && i < count; i++) out->at[i] = ox_load_int(value->desc.data_type, value->data, i);
  return out->at != NULL;
}

bool ox_const_doubles(ox_call *c, size_t index, const char *what, ox_doubles *out) {
  if (!ox_need(c, index, what)) return false;
  const ox_value *value = c->in[index];
  size_t count;
  if (!ox_count_elements(&value->desc, &count)) return ox_fail(c, WNN_DATA_ERROR, "%s is too large", what);
  out->count = count;
  out->at = ox_temp(c, count, sizeof *out->at);
  for (size_t i = 0; out->at && i < count; i++) out->at[i] = ox_load_double(value->desc.data_type, value->data, i);
  return out->at != NULL;
}

bool ox_const_int(ox_call *c, size_t index, const char *what, int64_t *out) {
  ox_ints list;
  if (!ox_const_ints(c, index, what, &list)) return false;
  if (list.count != 1) return ox_fail(c, WNN_DATA_ERROR, "%s must be one number", what);
  *out = list.at[0];
  return true;
}

bool ox_const_double(ox_call *c, size_t index, const char *what, double *out) {
  ox_doubles list;
  if (!ox_const_doubles(c, index, what, &list)) return false;
  if (list.count != 1) return ox_fail(c, WNN_DATA_ERROR, "%s must be one number", what);
  *out = list.at[0];
  return true;
}

/* ---- Attributes ----------------------------------------------------------------------------------- */

static const ox_attr *find_in(const ox_list *attrs, const char *name) {
  for (size_t i = 0; i < attrs->count; i++) {
    const ox_attr *attr = OX_AT(*attrs, ox_attr, i);
    if (!strcmp(attr->name, name)) return attr;
  }
  return NULL;
}

const ox_attr *ox_attr_find(const ox_call *c, const char *name) {
  const ox_attr *attr = find_in(&c->node->attrs, name);
  /* A reference names an attribute of the call of the function that this node is in, or of its defaults. The chain of
   * calls is as deep as functions are nested. */
  const ox_scope *scope = c->scope;
  while (attr && *attr->ref) {
    if (!scope || !scope->caller) return NULL;
    const char *wanted = attr->ref;
    attr = find_in(&scope->caller->node->attrs, wanted);
    if (!attr) return find_in(&scope->function->attrs, wanted);
    scope = scope->caller->scope;
  }
  return attr;
}

/* The text after "name:" in the row, or NULL. */
static const char *row_entry(const ox_call *c, const char *name) {
  size_t length = strlen(name);
  for (const char *at = c->op ? c->op->attrs : ""; *at;) {
    if (!strncmp(at, name, length) && at[length] == ':') return at + length + 1;
    at += strcspn(at, " ");
    at += strspn(at, " ");
  }
  return NULL;
}

static const char *row_default(const ox_call *c, const char *name) {
  const char *entry = row_entry(c, name);
  return entry && entry[1] == '=' ? entry + 2 : "";
}

int64_t ox_attr_i(const ox_call *c, const char *name) {
  const ox_attr *attr = ox_attr_find(c, name);
  return attr ? attr->i : strtoll(row_default(c, name), NULL, 10);
}

double ox_attr_f(const ox_call *c, const char *name) {
  const ox_attr *attr = ox_attr_find(c, name);
  return attr ? (double)attr->f : (double)strtof(row_default(c, name), NULL);
}

bool ox_attr_is(const ox_call *c, const char *name, const char *text) {
  const ox_attr *attr = ox_attr_find(c, name);
  size_t length = strlen(text);
  if (attr) return attr->s.size == length && (!length || !memcmp(attr->s.data, text, length));
  const char *standard = row_default(c, name);
  return strcspn(standard, " ") == length && !strncmp(standard, text, length);
}

const char *ox_attr_text(const ox_call *c, const char *name, char text[64]) {
  const ox_attr *attr = ox_attr_find(c, name);
  const char *from = attr ? (const char *)attr->s.data : row_default(c, name);
  size_t length = attr ? attr->s.size : strcspn(from, " ");
  if (length > 63) length = 63;
  if (length) memcpy(text, from, length);
  text[length] = 0;
  return text;
}

bool ox_attr_ints(const ox_call *c, const char *name, ox_ints *out) {
  const ox_attr *attr = ox_attr_find(c, name);
  if (!attr) return false;
  *out = (ox_ints){attr->ints.items, attr->ints.count};
  return true;
}

bool ox_attr_floats(const ox_call *c, const char *name, const float **items, size_t *count) {
  const ox_attr *attr = ox_attr_find(c, name);
  if (!attr) return false;
  *items = attr->floats.items;
  *count = attr->floats.count;
  return true;
}

static bool type_matches(char kind, const ox_attr *attr) {
  switch (attr->type) {
  case OX_ATTR_FLOAT: return kind == 'f';
  case OX_ATTR_INT: return kind == 'i';
  case OX_ATTR_STRING: return kind == 's';
  case OX_ATTR_TENSOR: return kind == 't' && attr->t;
  case OX_ATTR_GRAPH: return kind == 'g' && attr->g;
  case OX_ATTR_FLOATS: return kind == 'F';
  case OX_ATTR_INTS: return kind == 'I';
  case OX_ATTR_STRINGS: return kind == 'S';
  case OX_ATTR_SPARSE: return kind == 'p' && attr->sparse;
  case OX_ATTR_NONE: /* files of the first IR versions leave the type out */
    return (kind != 't' || attr->t) && (kind != 'g' || attr->g) && (kind != 'p' || attr->sparse);
  default: return false;
  }
}

/* An attribute that the row does not name would change the meaning unseen: refuse it. */
bool ox_check_attrs(ox_call *c) {
  if (!strcmp(c->op->attrs, "*")) return true; /* the row refuses the operator anyway */
  for (size_t i = 0; i < c->node->attrs.count; i++) {
    const ox_attr *attr = OX_AT(c->node->attrs, ox_attr, i);
    const char *entry = row_entry(c, attr->name);
    if (!entry) return ox_fail(c, WNN_NOT_SUPPORTED, "attribute '%.100s' is unknown here", attr->name);
    const ox_attr *real = ox_attr_find(c, attr->name);
    if (real && !type_matches(*entry, real))
      return ox_fail(c, WNN_DATA_ERROR, "attribute '%.100s' has the wrong type", attr->name);
  }
  return true;
}

/* ---- Results -------------------------------------------------------------------------------------- */

bool ox_wants(const ox_call *c, size_t index) {
  return index < c->node->outputs.count && **OX_AT(c->node->outputs, const char *, index);
}

bool ox_out(ox_call *c, size_t index, wnn_operand *operand) {
  if (!operand || c->failed) {
    if (!c->failed) ox_fail(c, WNN_DATA_ERROR, "the node cannot be lowered");
    return false;
  }
  if (index < c->out_count) c->out[index] = (ox_result){operand, NULL};
  return true;
}

bool ox_out_value(ox_call *c, size_t index, ox_value *value) {
  if (!value) return c->failed ? false : ox_no_memory(c);
  if (index < c->out_count) c->out[index] = (ox_result){NULL, value};
  return !c->failed;
}

bool ox_out_const(ox_call *c, size_t index, const wnn_desc *desc, const void *data) {
  size_t elements;
  if (!ox_count_elements(desc, &elements)) return ox_fail(c, WNN_DATA_ERROR, "the result is too large");
  if (elements && !data) return ox_fail(c, WNN_DATA_ERROR, "the shapes of its inputs do not fit together");
  return ox_out_value(c, index, ox_value_const(c->im, desc, elements ? data : ""));
}

bool ox_axis(ox_call *c, int64_t axis, uint32_t rank, uint32_t *out) {
  if (axis < -(int64_t)rank || axis >= (int64_t)rank) {
    return ox_fail(c, WNN_DATA_ERROR, "axis %lld is out of range for rank %u", (long long)axis, rank);
  }
  *out = (uint32_t)(axis < 0 ? axis + rank : axis);
  return true;
}
