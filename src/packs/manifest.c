/* Reader of manifest.json: ports, types, attributes, arguments, derived values. */
#include "packs/manifest.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

/* ---- Names and members ------------------------------------------------------------------------------------ */

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool pk_is_identifier(const char *name) {
  if (!is_letter(*name) && *name != '_') return false;
  for (name++; *name; name++)
    if (!is_letter(*name) && !is_digit(*name) && *name != '_') return false;
  return true;
}

bool pk_is_variant_id(const char *name) {
  if (!is_letter(*name) && !is_digit(*name)) return false;
  for (name++; *name; name++)
    if (!is_letter(*name) && !is_digit(*name) && *name != '_') return false;
  return true;
}

static bool is_domain(const char *name) {
  if (!(*name >= 'a' && *name <= 'z')) return false;
  for (bool first = true; *name; name++) {
    if (*name == '.') {
      if (!is_letter(name[1])) return false;
      first = false;
    } else if (!(is_digit(*name) || (first ? *name >= 'a' && *name <= 'z' : is_letter(*name) || *name == '_'))) {
      return false;
    }
  }
  return true;
}

static bool in_list(const char *list, const char *word) {
  size_t length = strlen(word);
  for (const char *at = list; *at;) {
    const char *end = strchr(at, ' ');
    size_t size = end ? (size_t)(end - at) : strlen(at);
    if (size == length && !memcmp(at, word, size)) return true;
    at += size + (end != NULL);
  }
  return false;
}

bool pk_is_plain_name(const char *name) {
  return !in_list("constructor __defineGetter__ __defineSetter__ hasOwnProperty __lookupGetter__ __lookupSetter__ "
                  "isPrototypeOf propertyIsEnumerable toString valueOf __proto__ toLocaleString",
                  name);
}

bool pk_is_reserved(const pk_manifest *manifest, const char *name) {
  if (in_list("repeat tunables dtypes logicalDtypes tensorDtypes ranks shapes present args attrs device env constants "
              "derive source DISPATCH_FOLD_WIDTH f16Ok ceil floor min max pow ceilDiv pow2ceil log2ceil numel dim rows "
              "outer inner prefix suffix fill moveAxis permuteShape reversedAxes broadcastShape matmulShape "
              "broadcastable sameShape hasAxis axisValue isUniqueIntList has dtypeBytes onnxDtypeCode pick true false "
              "none True False None range loop namespace dict",
              name))
    return true;
  for (uint32_t i = 0; i < manifest->variable_count; i++)
    if (manifest->variables[i].types && !strcmp(manifest->variables[i].name, name)) return true;
  return false;
}

const char *pk_path(pk_vm *vm, const char *format, ...) {
  char text[300];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  pk_value value = pk_string(vm, text, strlen(text));
  return vm->failed ? "" : value.as.text;
}

const pk_map *pk_need_map(pk_vm *vm, pk_value value, const char *path) {
  if (value.kind == PK_MAP) return value.as.map;
  pk_fail(vm, WNN_DATA_ERROR, "%s must be an object, not %s", path, pk_show(vm, value));
  return NULL;
}

bool pk_check_keys(pk_vm *vm, const pk_map *map, const char *path, const char *allowed) {
  for (uint32_t i = 0; map && i < map->count; i++)
    if (!in_list(allowed, map->entries[i].key))
      pk_fail(vm, WNN_DATA_ERROR, "%s has the unknown key \"%.80s\"", path, map->entries[i].key);
  return !vm->failed;
}

const char *pk_text_member(pk_vm *vm, const pk_map *map, const char *key, const char *path) {
  const pk_value *value = pk_map_find(map, key);
  if (!value) return NULL;
  if (value->kind == PK_STRING && value->length) return value->as.text;
  pk_fail(vm, WNN_DATA_ERROR, "%s.%s must be a non-empty string", path, key);
  return NULL;
}

/* Prose may be empty. */
static const char *prose_member(pk_vm *vm, const pk_map *map, const char *path) {
  const pk_value *value = pk_map_find(map, "description");
  if (value && value->kind != PK_STRING) pk_fail(vm, WNN_DATA_ERROR, "%s.description must be a string", path);
  return value && value->kind == PK_STRING ? value->as.text : NULL;
}

bool pk_bool_member(pk_vm *vm, const pk_map *map, const char *key, const char *path, bool fallback) {
  const pk_value *value = pk_map_find(map, key);
  if (!value) return fallback;
  if (value->kind != PK_BOOL) pk_fail(vm, WNN_DATA_ERROR, "%s.%s must be true or false", path, key);
  return value->kind == PK_BOOL && value->as.boolean;
}

/* No key anywhere may be a name that objects of the original format have by birth. */
static bool check_plain_keys(pk_vm *vm, pk_value value, uint32_t depth) {
  if (!pk_step(vm, 1) || depth > PK_MAX_DEPTH) return !vm->failed;
  if (value.kind == PK_LIST)
    for (uint32_t i = 0; i < value.as.list->count; i++) check_plain_keys(vm, value.as.list->items[i], depth + 1);
  if (value.kind == PK_MAP)
    for (uint32_t i = 0; i < value.as.map->count; i++) {
      if (!pk_is_plain_name(value.as.map->entries[i].key))
        pk_fail(vm, WNN_DATA_ERROR, "the key \"%s\" is reserved; rename it", value.as.map->entries[i].key);
      check_plain_keys(vm, value.as.map->entries[i].value, depth + 1);
    }
  return !vm->failed;
}

/* ---- Expressions --------------------------------------------------------------------------------------------- */

const pk_expr *pk_read_expr(pk_reader *r, pk_value text, const char *path) {
  pk_vm *vm = r->vm;
  if (vm->failed) return NULL;
  if (text.kind != PK_STRING || !text.length) {
    pk_fail(vm, WNN_DATA_ERROR, "%s must be an expression (a non-empty string), not %s", path, pk_show(vm, text));
    return NULL;
  }
  const pk_value *known = pk_map_get(r->manifest->exprs, text.as.text, text.length);
  if (known) return (const pk_expr *)(const void *)known->as.text;
  const pk_expr *expr = pk_parse_expr(vm, text.as.text, text.length);
  if (!expr) {
    pk_context(vm, "%s", path);
    return NULL;
  }
  pk_map_set(vm, r->manifest->exprs, text.as.text, text.length,
             (pk_value){.kind = PK_STRING, .as.text = (const char *)(const void *)expr});
  return expr;
}

static bool read_term(pk_reader *r, pk_value value, const char *path, pk_term *term, uint32_t depth) {
  pk_vm *vm = r->vm;
  *term = (pk_term){.kind = PK_TERM_CONSTANT, .constant = value};
  if (depth > PK_MAX_DEPTH) return pk_fail(vm, WNN_DATA_ERROR, "%s is nested too deeply", path), false;
  if (value.kind == PK_STRING) {
    term->kind = PK_TERM_EXPR;
    term->expr = pk_read_expr(r, value, path);
  } else if (value.kind == PK_LIST || value.kind == PK_MAP) {
    bool map = value.kind == PK_MAP;
    term->kind = map ? PK_TERM_MAP : PK_TERM_LIST;
    term->count = map ? value.as.map->count : value.as.list->count;
    term->items = pk_array(vm, term->count, sizeof *term->items);
    if (map) term->keys = pk_array(vm, term->count, sizeof *term->keys);
    for (uint32_t i = 0; i < term->count && !vm->failed; i++) {
      if (map) term->keys[i] = value.as.map->entries[i].key;
      read_term(r, map ? value.as.map->entries[i].value : value.as.list->items[i], path, &term->items[i], depth + 1);
    }
  }
  return !vm->failed;
}

bool pk_read_term(pk_reader *r, pk_value value, const char *path, pk_term *term) {
  return read_term(r, value, path, term, 0);
}

pk_value pk_eval_term(pk_vm *vm, const pk_term *term, const pk_source *source) {
  switch (term->kind) {
  case PK_TERM_NONE: return pk_undefined();
  case PK_TERM_CONSTANT: return term->constant;
  case PK_TERM_EXPR: return pk_eval_expr(vm, term->expr, source);
  case PK_TERM_LIST: {
    pk_value list = pk_list_new(vm, term->count);
    for (uint32_t i = 0; i < term->count && !vm->failed; i++)
      pk_list_push(vm, list.as.list, pk_eval_term(vm, &term->items[i], source));
    return list;
  }
  case PK_TERM_MAP: {
    pk_value map = pk_map_new(vm);
    for (uint32_t i = 0; i < term->count && !vm->failed; i++)
      pk_map_put(vm, map.as.map, term->keys[i], pk_eval_term(vm, &term->items[i], source));
    return map;
  }
  }
  return pk_undefined();
}

bool pk_read_derives(pk_reader *r, const pk_value *value, const char *path, pk_derives *derives) {
  pk_vm *vm = r->vm;
  const pk_map *map = value ? pk_need_map(vm, *value, path) : NULL;
  if (!map) return !vm->failed;
  derives->items = pk_array(vm, map->count, sizeof *derives->items);
  for (uint32_t i = 0; i < map->count && !vm->failed; i++) {
    const pk_entry *entry = &map->entries[i];
    const char *name = pk_path(vm, "%s.%s", path, entry->key);
    if (!pk_is_identifier(entry->key))
      pk_fail(vm, WNN_DATA_ERROR, "%s: names of derived values must be identifiers", name);
    if (pk_is_reserved(r->manifest, entry->key))
      pk_fail(vm, WNN_DATA_ERROR, "%s: the name is taken; rename the value", name);
    if (vm->failed) break;
    derives->items[i].name = entry->key;
    pk_read_term(r, entry->value, name, &derives->items[i].term);
    derives->count = i + 1;
  }
  return !vm->failed;
}

bool pk_read_tunables(pk_reader *r, const pk_value *value, const char *path, pk_tunable **tunables, uint32_t *count) {
  pk_vm *vm = r->vm;
  const pk_map *map = value ? pk_need_map(vm, *value, path) : NULL;
  if (!map) return !vm->failed;
  *tunables = pk_array(vm, map->count, sizeof **tunables);
  for (uint32_t i = 0; i < map->count && !vm->failed; i++) {
    const char *name = pk_path(vm, "%s.%s", path, map->entries[i].key);
    if (!pk_is_identifier(map->entries[i].key))
      pk_fail(vm, WNN_DATA_ERROR, "%s: names of tunables must be identifiers", name);
    const pk_map *entry = pk_need_map(vm, map->entries[i].value, name);
    pk_check_keys(vm, entry, name, "default description");
    if (vm->failed) break;
    const pk_value *start = pk_map_find(entry, "default");
    if (!start || !(pk_is_number(*start) || start->kind == PK_STRING || start->kind == PK_BOOL))
      pk_fail(vm, WNN_DATA_ERROR, "%s.default must be a number, a string, true or false", name);
    if (vm->failed) break;
    (*tunables)[i] = (pk_tunable){map->entries[i].key, prose_member(vm, entry, name), *start};
    *count = i + 1;
  }
  return !vm->failed;
}

const pk_expr **pk_read_clauses(pk_reader *r, const pk_value *value, const char *path, uint32_t *count) {
  pk_vm *vm = r->vm;
  *count = 0;
  if (!value || vm->failed) return NULL;
  if (value->kind != PK_LIST || !value->as.list->count) {
    pk_fail(vm, WNN_DATA_ERROR, "%s must be a non-empty list of expressions", path);
    return NULL;
  }
  const pk_expr **clauses = pk_array(vm, value->as.list->count, sizeof *clauses);
  for (uint32_t i = 0; i < value->as.list->count && !vm->failed; i++) {
    clauses[i] = pk_read_expr(r, value->as.list->items[i], pk_path(vm, "%s[%u]", path, i));
    *count = i + 1;
  }
  return clauses;
}

/* ---- Types and ports ------------------------------------------------------------------------------------------- */

static void read_variables(pk_reader *r, const pk_value *value) {
  pk_vm *vm = r->vm;
  const pk_map *map = value ? pk_need_map(vm, *value, "typeConstraints") : NULL;
  uint32_t count = map ? map->count : 0;
  r->manifest->variables = pk_array(vm, count + 64, sizeof *r->manifest->variables);
  for (uint32_t i = 0; i < count && !vm->failed; i++) {
    const pk_entry *entry = &map->entries[i];
    if (entry->value.kind != PK_LIST || !entry->value.as.list->count) {
      pk_fail(vm, WNN_DATA_ERROR, "typeConstraints.%s must be a non-empty list", entry->key);
      return;
    }
    pk_variable *variable = &r->manifest->variables[r->manifest->variable_count++];
    variable->name = entry->key;
    for (uint32_t j = 0; j < entry->value.as.list->count; j++) {
      pk_value type = entry->value.as.list->items[j];
      int found = type.kind == PK_STRING ? pk_type_find(type.as.text) : -1;
      if (found < 0) {
        pk_fail(vm, WNN_DATA_ERROR, "typeConstraints.%s has the unknown data type %s", entry->key, pk_show(vm, type));
        return;
      }
      variable->types |= 1u << found;
    }
  }
}

/* The number of a type variable; one that typeConstraints does not name stands for any type. */
static int find_variable(pk_reader *r, const char *name, const char *path) {
  pk_manifest *m = r->manifest;
  uint32_t named = m->variable_count;
  for (uint32_t i = 0; i < m->variable_count; i++)
    if (!strcmp(m->variables[i].name, name)) return (int)i;
  uint32_t free = 0;
  for (uint32_t i = 0; i < named; i++) free += !m->variables[i].types;
  if (free >= 64) {
    pk_fail(r->vm, WNN_DATA_ERROR, "%s: too many type variables", path);
    return -1;
  }
  m->variables[m->variable_count].name = name;
  return (int)m->variable_count++;
}

static bool only_type(uint32_t types, int type) { return types == 1u << type; }

/* storage, narrowing and layout: what may differ between the logical type and the device. */
static void read_storage(pk_reader *r, const pk_map *map, const char *path, pk_port *port, bool input) {
  pk_vm *vm = r->vm;
  const char *storage = pk_text_member(vm, map, "storage", path),
             *narrowing = pk_text_member(vm, map, "narrowing", path);
  const char *layout = pk_text_member(vm, map, "layout", path);
  bool is_int64 = only_type(port->types, WNN_PACK_INT64);
  port->storage = storage ? pk_type_find(storage) : -1;
  bool projected = port->storage == WNN_PACK_INT32 || port->storage == WNN_PACK_UINT32;
  if (storage) {
    if (port->storage < 0) pk_fail(vm, WNN_DATA_ERROR, "%s.storage %s is not a data type", path, storage);
    if (!port->types) pk_fail(vm, WNN_DATA_ERROR, "%s.storage needs a known dtype", path);
    if (is_int64 && !projected && port->storage != WNN_PACK_INT64)
      pk_fail(vm, WNN_DATA_ERROR, "%s.storage of an int64 port must be int64, int32 or uint32", path);
    if (!is_int64 && port->storage >= 0 && !only_type(port->types, port->storage))
      pk_fail(vm, WNN_DATA_ERROR, "%s.storage %s does not match the dtype %s", path, storage,
              port->dtype ? port->dtype : "?");
  }
  if (narrowing) {
    port->narrowing = !strcmp(narrowing, "checked") ? PK_NARROW_CHECKED : PK_NARROW_SATURATING;
    if (strcmp(narrowing, "checked") && strcmp(narrowing, "saturating"))
      pk_fail(vm, WNN_DATA_ERROR, "%s.narrowing must be checked or saturating", path);
    if (!input || !is_int64 || !projected)
      pk_fail(vm, WNN_DATA_ERROR, "%s.narrowing is only for int64 inputs stored as int32 or uint32", path);
  } else if (input && is_int64 && projected) {
    pk_fail(vm, WNN_DATA_ERROR, "%s.narrowing is needed: an int64 input stored in 32 bits is checked or saturating",
            path);
  }
  if (layout) {
    if (!input) pk_fail(vm, WNN_DATA_ERROR, "%s.layout is only for inputs", path);
    if (strcmp(layout, "packed")) pk_fail(vm, WNN_DATA_ERROR, "%s.layout must be packed", path);
    if (!only_type(port->types, WNN_PACK_UINT8))
      pk_fail(vm, WNN_DATA_ERROR, "%s.layout packed is only for uint8", path);
    port->packed = true;
  }
}

static const char *term_text(pk_vm *vm, const pk_value *value) {
  if (!value) return NULL;
  return value->kind == PK_STRING ? value->as.text : pk_show(vm, *value);
}

static void read_port(pk_reader *r, const pk_entry *entry, const char *path, bool input, pk_port *port) {
  pk_vm *vm = r->vm;
  const pk_map *map = pk_need_map(vm, entry->value, path);
  if (!pk_is_identifier(entry->key)) pk_fail(vm, WNN_DATA_ERROR, "%s: names of tensors must be identifiers", path);
  pk_check_keys(vm, map, path, "description onnx dtype rank optional layout shape storage narrowing");
  if (vm->failed) return;
  *port = (pk_port){.name = entry->key, .type = -1, .variable = -1, .storage = -1, .input = input, .output = !input};
  port->onnx = pk_text_member(vm, map, "onnx", path);
  port->description = prose_member(vm, map, path);
  port->dtype = pk_text_member(vm, map, "dtype", path);
  bool optional = pk_bool_member(vm, map, "optional", path, false);
  *(input ? &port->optional : &port->output_optional) = optional;
  if (port->dtype) {
    port->type = pk_type_find(port->dtype);
    if (port->type < 0) port->variable = find_variable(r, port->dtype, path);
    port->types = port->type >= 0       ? 1u << port->type
                  : port->variable >= 0 ? r->manifest->variables[port->variable].types
                                        : 0;
  }
  read_storage(r, map, path, port, input);
  const pk_value *rank = pk_map_find(map, "rank"), *shape = pk_map_find(map, "shape");
  if (rank && !pk_is_integer(*rank) && rank->kind != PK_STRING)
    pk_fail(vm, WNN_DATA_ERROR, "%s.rank must be an integer or an expression", path);
  port->rank = term_text(vm, rank);
  port->shape_text = term_text(vm, shape);
  if (shape && shape->kind != PK_STRING && shape->kind != PK_LIST)
    pk_fail(vm, WNN_DATA_ERROR, "%s.shape must be an expression or a list of expressions", path);
  if (shape && !input) pk_read_term(r, *shape, pk_path(vm, "%s.shape", path), &port->shape);
}

const pk_port *pk_find_port(const pk_manifest *manifest, const char *name) {
  for (uint32_t i = 0; i < manifest->port_count; i++)
    if (!strcmp(manifest->ports[i].name, name)) return &manifest->ports[i];
  return NULL;
}

static void read_ports(pk_reader *r, const pk_map *top) {
  pk_vm *vm = r->vm;
  pk_manifest *m = r->manifest;
  const pk_value *inputs = pk_map_find(top, "inputs"), *outputs = pk_map_find(top, "outputs");
  const pk_map *in = pk_need_map(vm, inputs ? *inputs : pk_undefined(), "inputs");
  const pk_map *out = pk_need_map(vm, outputs ? *outputs : pk_undefined(), "outputs");
  if (vm->failed) return;
  m->ports = pk_array(vm, (size_t)in->count + out->count, sizeof *m->ports);
  for (uint32_t i = 0; i < in->count && !vm->failed; i++)
    read_port(r, &in->entries[i], pk_path(vm, "inputs.%s", in->entries[i].key), true, &m->ports[m->port_count++]);
  for (uint32_t i = 0; i < out->count && !vm->failed; i++) {
    const char *path = pk_path(vm, "outputs.%s", out->entries[i].key);
    pk_port port;
    read_port(r, &out->entries[i], path, false, &port);
    if (vm->failed) return;
    pk_port *both = (pk_port *)(uintptr_t)pk_find_port(m, port.name);
    if (!both) {
      m->ports[m->port_count++] = port;
      continue;
    }
    if (both->type != port.type || both->variable != port.variable || both->storage != port.storage)
      pk_fail(vm, WNN_DATA_ERROR, "%s must have the same dtype and storage as inputs.%s", path, port.name);
    both->output = true;
    both->output_optional = port.output_optional;
    both->shape = port.shape;
    both->shape_text = port.shape_text;
  }
}

/* ---- Arguments and attributes ---------------------------------------------------------------------------------------
 */

static void read_args(pk_reader *r, const pk_value *value) {
  static const char *const kinds[] = {"u32", "i32", "f32", "bool", "string"};
  pk_vm *vm = r->vm;
  const pk_map *map = value ? pk_need_map(vm, *value, "args") : NULL;
  if (!map) return;
  r->manifest->args = pk_array(vm, map->count, sizeof *r->manifest->args);
  for (uint32_t i = 0; i < map->count && !vm->failed; i++) {
    const char *name = map->entries[i].key, *path = pk_path(vm, "args.%s", name);
    const pk_map *entry = pk_need_map(vm, map->entries[i].value, path);
    if (!pk_is_identifier(name)) pk_fail(vm, WNN_DATA_ERROR, "%s: names of arguments must be identifiers", path);
    if (pk_find_port(r->manifest, name)) pk_fail(vm, WNN_DATA_ERROR, "%s has the name of a tensor", path);
    pk_check_keys(vm, entry, path, "kind description onnx required oneOf");
    if (vm->failed) return;
    const char *kind = pk_text_member(vm, entry, "kind", path);
    pk_arg *arg = &r->manifest->args[i];
    *arg = (pk_arg){.name = name,
                    .description = prose_member(vm, entry, path),
                    .required = pk_bool_member(vm, entry, "required", path, true)};
    int found = -1;
    for (int k = 0; kind && k < 5; k++)
      if (!strcmp(kinds[k], kind)) found = k;
    if (found < 0) {
      pk_fail(vm, WNN_DATA_ERROR, "%s.kind must be u32, i32, f32, bool or string", path);
      return;
    }
    arg->kind = (pk_arg_kind)found;
    const pk_value *one_of = pk_map_find(entry, "oneOf");
    if (one_of) {
      if (arg->kind != PK_ARG_STRING || one_of->kind != PK_LIST || !one_of->as.list->count)
        pk_fail(vm, WNN_DATA_ERROR, "%s.oneOf must be a non-empty list, on a string argument", path);
      arg->one_of = *one_of;
    }
    r->manifest->arg_count = i + 1;
  }
}

/* Attribute values are compared as the 32-bit numbers that they are in ONNX. */
static bool same_scalar(pk_value a, pk_value b) {
  if (pk_is_number(a) && pk_is_number(b)) return (float)a.as.number == (float)b.as.number;
  return a.kind == b.kind && a.kind != PK_LIST && a.kind != PK_MAP && pk_same(a, b);
}

static bool in_values(pk_value list, pk_value value) {
  for (uint32_t i = 0; i < list.as.list->count; i++)
    if (same_scalar(list.as.list->items[i], value)) return true;
  return false;
}

static void read_constraint(pk_reader *r, const pk_entry *entry) {
  pk_vm *vm = r->vm;
  const char *path = pk_path(vm, "attributeConstraints.%s", entry->key);
  pk_attribute *attribute = NULL;
  for (uint32_t i = 0; i < r->manifest->attribute_count; i++)
    if (!strcmp(r->manifest->attributes[i].name, entry->key)) attribute = &r->manifest->attributes[i];
  if (!attribute) {
    pk_fail(vm, WNN_DATA_ERROR, "%s does not name an attribute", path);
    return;
  }
  const pk_map *map = pk_need_map(vm, entry->value, path);
  pk_check_keys(vm, map, path, "required values");
  if (vm->failed) return;
  attribute->required = pk_bool_member(vm, map, "required", path, false);
  if (attribute->required && attribute->has_default)
    pk_fail(vm, WNN_DATA_ERROR, "%s.required is pointless: the attribute has a default", path);
  const pk_value *values = pk_map_find(map, "values");
  if (!values && !attribute->required) pk_fail(vm, WNN_DATA_ERROR, "%s must have required: true or values", path);
  if (!values || vm->failed) return;
  if (values->kind != PK_LIST || !values->as.list->count) {
    pk_fail(vm, WNN_DATA_ERROR, "%s.values must be a non-empty list", path);
    return;
  }
  pk_value seen = pk_list_new(vm, values->as.list->count);
  for (uint32_t i = 0; i < values->as.list->count && !vm->failed; i++) {
    pk_value one = values->as.list->items[i];
    if (one.kind == PK_LIST || one.kind == PK_MAP) pk_fail(vm, WNN_DATA_ERROR, "%s.values must hold scalars", path);
    if (!vm->failed && in_values(seen, one))
      pk_fail(vm, WNN_DATA_ERROR, "%s.values has %s twice", path, pk_show(vm, one));
    pk_list_push(vm, seen.as.list, one);
  }
  if (!vm->failed && attribute->has_default && !in_values(*values, attribute->value))
    pk_fail(vm, WNN_DATA_ERROR, "%s.values does not have the attribute's default", path);
  attribute->values = *values;
}

static void read_attributes(pk_reader *r, const pk_value *value, const pk_value *constraints) {
  pk_vm *vm = r->vm;
  const pk_map *map = value ? pk_need_map(vm, *value, "attributes") : NULL;
  if (map) r->manifest->attributes = pk_array(vm, map->count, sizeof *r->manifest->attributes);
  for (uint32_t i = 0; map && i < map->count && !vm->failed; i++) {
    const char *path = pk_path(vm, "attributes.%s", map->entries[i].key);
    const pk_map *entry = pk_need_map(vm, map->entries[i].value, path);
    if (!map->entries[i].length) pk_fail(vm, WNN_DATA_ERROR, "attributes: names must not be empty");
    pk_check_keys(vm, entry, path, "default description");
    if (vm->failed) return;
    const pk_value *start = pk_map_find(entry, "default");
    r->manifest->attributes[i] = (pk_attribute){.name = map->entries[i].key,
                                                .description = prose_member(vm, entry, path),
                                                .has_default = start != NULL,
                                                .value = start ? *start : pk_undefined()};
    r->manifest->attribute_count = i + 1;
  }
  const pk_map *rules = constraints && !vm->failed ? pk_need_map(vm, *constraints, "attributeConstraints") : NULL;
  for (uint32_t i = 0; rules && i < rules->count && !vm->failed; i++) read_constraint(r, &rules->entries[i]);
}

/* ---- The whole
 * -------------------------------------------------------------------------------------------------------- */

static void read_bindings(pk_reader *r, const pk_value *value) {
  pk_vm *vm = r->vm;
  const pk_map *map = value ? pk_need_map(vm, *value, "bindings") : NULL;
  if (!map) return;
  pk_manifest *m = r->manifest;
  m->bindings = pk_array(vm, map->count, sizeof *m->bindings);
  m->handles = pk_array(vm, map->count, sizeof *m->handles);
  for (uint32_t i = 0; i < map->count && !vm->failed; i++) {
    const char *path = pk_path(vm, "bindings.%s", map->entries[i].key);
    if (!pk_is_identifier(map->entries[i].key)) pk_fail(vm, WNN_DATA_ERROR, "%s: handles must be identifiers", path);
    m->handles[i] = map->entries[i].key;
    pk_read_binding(r, map->entries[i].value, map->entries[i].key, path, NULL, &m->bindings[i]);
    m->binding_count = i + 1;
  }
}

static void read_all(pk_reader *r, const pk_map *top) {
  pk_vm *vm = r->vm;
  pk_manifest *m = r->manifest;
  pk_check_keys(
      vm, top, "the manifest",
      "$schema domain name description conformance sinceVersion inputs outputs args attributes attributeConstraints "
      "typeConstraints tunables derive when requires bindings variants onnx");
  const char *domain = pk_text_member(vm, top, "domain", "manifest"),
             *name = pk_text_member(vm, top, "name", "manifest");
  if (!name) pk_fail(vm, WNN_DATA_ERROR, "name must be a non-empty string");
  if (domain && !is_domain(domain)) pk_fail(vm, WNN_DATA_ERROR, "domain \"%.80s\" is not a dotted domain name", domain);
  const pk_value *conformance = pk_map_find(top, "conformance");
  if (conformance && !pk_equals(*conformance, "internal-lowering") && !pk_equals(*conformance, "legacy-default-domain"))
    pk_fail(vm, WNN_DATA_ERROR, "conformance must be internal-lowering or legacy-default-domain");
  if (vm->failed) return;
  m->domain = domain ? domain : "ai.onnx";
  m->name = name;
  m->op = pk_path(vm, "%s.%s", m->domain, name);
  m->description = prose_member(vm, top, "manifest");
  read_variables(r, pk_map_find(top, "typeConstraints"));
  if (!vm->failed) read_ports(r, top);
  if (!vm->failed) read_args(r, pk_map_find(top, "args"));
  if (!vm->failed) read_attributes(r, pk_map_find(top, "attributes"), pk_map_find(top, "attributeConstraints"));
  if (!vm->failed) read_bindings(r, pk_map_find(top, "bindings"));
  if (!vm->failed) pk_read_derives(r, pk_map_find(top, "derive"), "derive", &m->derive);
  if (!vm->failed) pk_read_tunables(r, pk_map_find(top, "tunables"), "tunables", &m->tunables, &m->tunable_count);
  r->when = pk_read_clauses(r, pk_map_find(top, "when"), "when", &r->when_count);
  if (!vm->failed) pk_read_requires(r, pk_map_find(top, "requires"), "requires", &r->requires);
  if (!vm->failed) pk_read_variants(r, pk_map_find(top, "variants"));
}

bool pk_manifest_read(pk_vm *vm, const char *data, size_t length, pk_manifest *manifest) {
  *manifest = (pk_manifest){0};
  pk_value top = pk_json_parse(vm, data, length, "manifest.json"), exprs = pk_map_new(vm);
  if (vm->failed) return false;
  manifest->exprs = exprs.as.map;
  pk_reader reader = {.vm = vm, .manifest = manifest};
  if (check_plain_keys(vm, top, 0)) {
    const pk_map *map = pk_need_map(vm, top, "the manifest");
    if (map) read_all(&reader, map);
    if (vm->failed) pk_context(vm, "manifest.json");
  }
  return !vm->failed;
}
