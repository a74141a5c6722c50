/* Evaluation of expressions. */
#include "packs/ast.h"

#include <math.h>
#include <stdlib.h>

/* ---- Names -------------------------------------------------------------------------------------------- */

pk_scope *pk_scope_new(pk_vm *vm, const pk_scope *parent) {
  pk_scope *scope = pk_alloc(vm, sizeof *scope);
  if (scope && parent) {
    scope->parent = parent;
    scope->source = parent->source;
  }
  return scope;
}

static pk_value look_up(pk_vm *vm, pk_value name, const pk_scope *scope) {
  (void)vm;
  if (pk_equals(name, "true") || pk_equals(name, "True")) return pk_bool(true);
  if (pk_equals(name, "false") || pk_equals(name, "False")) return pk_bool(false);
  if (pk_equals(name, "none") || pk_equals(name, "None")) return pk_null();
  for (; scope; scope = scope->parent) {
    const pk_value *value = pk_map_get(&scope->vars, name.as.text, name.length);
    if (value) return *value;
    if (!scope->parent) {
      pk_value found = pk_undefined();
      if (scope->source->lookup(scope->source->user, name.as.text, name.length, &found)) return found;
    }
  }
  return pk_undefined();
}

/* ---- Operators ----------------------------------------------------------------------------------------- */

static bool same_text(pk_value a, pk_value b) {
  return a.length == b.length && !memcmp(a.as.text, b.as.text, a.length);
}

static double loose_number(pk_value v) {
  if (v.kind == PK_BOOL) return v.as.boolean ? 1 : 0;
  if (v.kind != PK_STRING) return pk_is_number(v) ? v.as.number : (double)NAN;
  char *end;
  double number = strtod(v.as.text, &end);
  while (*end == ' ' || *end == '\n' || *end == '\t' || *end == '\r') end++;
  return end == v.as.text + v.length ? number : (double)NAN;
}

bool pk_same(pk_value a, pk_value b) {
  bool a_none = a.kind == PK_UNDEFINED || a.kind == PK_NULL, b_none = b.kind == PK_UNDEFINED || b.kind == PK_NULL;
  if (a_none || b_none) return a_none && b_none;
  if (a.kind == PK_STRING && b.kind == PK_STRING) return same_text(a, b);
  if (a.kind == PK_LIST || b.kind == PK_LIST) return a.kind == b.kind && a.as.list == b.as.list;
  if (a.kind >= PK_MAP || b.kind >= PK_MAP)
    return a.kind == b.kind && (a.kind == PK_FUNCTION ? a.as.function == b.as.function : a.as.map == b.as.map);
  return loose_number(a) == loose_number(b);
}

/* The stricter === of list membership. */
static bool identical(pk_value a, pk_value b) {
  if (pk_is_number(a) && pk_is_number(b)) return a.as.number == b.as.number;
  return a.kind == b.kind && pk_same(a, b);
}

/* What concatenation makes of an operand: numbers without the point of a float. */
static bool add_plain(pk_vm *vm, pk_text *text, pk_value v) {
  if (v.kind == PK_FLOAT) v.kind = PK_INT;
  if (v.kind != PK_LIST) return pk_print(vm, text, v);
  for (uint32_t i = 0; i < v.as.list->count && !vm->failed; i++) {
    if (i) pk_text_add(vm, text, ",", 1);
    pk_print(vm, text, v.as.list->items[i]);
  }
  return !vm->failed;
}

static pk_value concatenate(pk_vm *vm, pk_value a, pk_value b) {
  pk_text text = {0};
  add_plain(vm, &text, a);
  add_plain(vm, &text, b);
  return pk_text_value(vm, &text);
}

static pk_value power(pk_vm *vm, pk_value a, pk_value b) {
  double base = loose_number(a), exponent = loose_number(b), result = pow(base, exponent);
  if ((base == 1 || base == -1) && (isinf(exponent) || isnan(exponent))) result = (double)NAN;
  if (isnan(result) || isinf(result)) {
    pk_fail(vm, WNN_DATA_ERROR, "the result of ** is not a finite number");
    return pk_undefined();
  }
  return a.kind == PK_FLOAT || b.kind == PK_FLOAT || exponent < 0 ? pk_float(result) : pk_int(result);
}

static pk_value arithmetic(pk_op op, pk_value a, pk_value b, bool *known) {
  double x = a.as.number, y = b.as.number, result;
  *known = true;
  switch (op) {
  case PK_OP_LT: return pk_bool(x < y);
  case PK_OP_GT: return pk_bool(x > y);
  case PK_OP_LE: return pk_bool(x <= y);
  case PK_OP_GE: return pk_bool(x >= y);
  case PK_OP_DIV: return pk_float(x / y);
  case PK_OP_ADD: result = x + y; break;
  case PK_OP_SUB: result = x - y; break;
  case PK_OP_MUL: result = x * y; break;
  case PK_OP_FLOOR_DIV: result = floor(x / y); break;
  case PK_OP_MOD: result = fmod(x, y); break;
  default: *known = false; return pk_undefined();
  }
  return a.kind == PK_FLOAT || b.kind == PK_FLOAT ? pk_float(result) : pk_int(result);
}

int64_t pk_search(pk_vm *vm, const char *text, size_t length, const char *part, size_t part_length, size_t from) {
  if (part_length > length) return -1;
  if (!pk_step(vm, (length / 64 + 1) * (part_length / 16 + 1))) return -1;
  for (size_t i = from; i + part_length <= length; i++)
    if (!part_length || (text[i] == part[0] && !memcmp(text + i, part, part_length))) return (int64_t)i;
  return -1;
}

static const char *op_name(pk_op op) {
  static const char *const names[] = {"or",     "and", "not", "==", "!=", "<", ">",  "<=", ">=", "in",
                                      "not in", "+",   "-",   "~",  "*",  "/", "//", "%",  "**"};
  return names[op];
}

static pk_value binary(pk_vm *vm, pk_op op, pk_value a, pk_value b) {
  bool known, in = op == PK_OP_IN || op == PK_OP_NOT_IN;
  if (op == PK_OP_EQ || op == PK_OP_NE) return pk_bool(pk_same(a, b) == (op == PK_OP_EQ));
  if (in && b.kind == PK_UNDEFINED) return pk_bool(op == PK_OP_NOT_IN);
  if (a.kind <= PK_NULL || b.kind <= PK_NULL) {
    pk_fail(vm, WNN_DATA_ERROR, "%s cannot be applied to %s", op_name(op),
            a.kind <= PK_NULL ? pk_kind_name(a) : pk_kind_name(b));
    return pk_undefined();
  }
  if (op == PK_OP_CONCAT) return concatenate(vm, a, b);
  if (op == PK_OP_POW && a.kind <= PK_FLOAT && b.kind <= PK_FLOAT) return power(vm, a, b);
  if (pk_is_number(a) && pk_is_number(b)) {
    pk_value result = arithmetic(op, a, b, &known);
    if (known) return result;
  } else if (a.kind == PK_LIST && b.kind == PK_LIST && op == PK_OP_ADD) {
    pk_value list = pk_list_new(vm, a.as.list->count + b.as.list->count);
    for (uint32_t i = 0; i < a.as.list->count && !vm->failed; i++) pk_list_push(vm, list.as.list, a.as.list->items[i]);
    for (uint32_t i = 0; i < b.as.list->count && !vm->failed; i++) pk_list_push(vm, list.as.list, b.as.list->items[i]);
    pk_step(vm, ((uint64_t)a.as.list->count + b.as.list->count) / 8);
    return list;
  } else if (b.kind == PK_LIST && in) {
    pk_step(vm, b.as.list->count / 8);
    bool found = false;
    for (uint32_t i = 0; i < b.as.list->count && !found; i++) found = identical(a, b.as.list->items[i]);
    return pk_bool(found == (op == PK_OP_IN));
  }
  if ((a.kind == PK_STRING || b.kind == PK_STRING) && op == PK_OP_ADD) return concatenate(vm, a, b);
  if (a.kind == PK_STRING && b.kind == PK_STRING && in)
    return pk_bool((pk_search(vm, b.as.text, b.length, a.as.text, a.length, 0) >= 0) == (op == PK_OP_IN));
  if (a.kind == PK_STRING && b.kind == PK_MAP && in)
    return pk_bool((pk_map_get(b.as.map, a.as.text, a.length) != NULL) == (op == PK_OP_IN));
  pk_fail(vm, WNN_DATA_ERROR, "%s cannot be applied to %s and %s", op_name(op), pk_kind_name(a), pk_kind_name(b));
  return pk_undefined();
}

static pk_value unary(pk_vm *vm, pk_op op, pk_value a) {
  if (op == PK_OP_NOT) return pk_bool(a.kind == PK_LIST || a.kind == PK_MAP ? false : !pk_truthy(a));
  if (a.kind == PK_BOOL) a = pk_int(a.as.boolean ? 1 : 0);
  if (!pk_is_number(a)) {
    pk_fail(vm, WNN_DATA_ERROR, "%s cannot be applied to %s", op_name(op), pk_kind_name(a));
    return pk_undefined();
  }
  if (op == PK_OP_SUB) a.as.number = -a.as.number;
  return a;
}

/* ---- Members, slices, calls ------------------------------------------------------------------------------ */

/* The code points of a text as texts. */
static pk_value characters(pk_vm *vm, pk_value text) {
  pk_value list = pk_list_new(vm, text.length);
  for (uint32_t i = 0; i < text.length && !vm->failed;) {
    uint32_t n = 1;
    while (i + n < text.length && ((unsigned char)text.as.text[i + n] & 0xC0) == 0x80) n++;
    pk_list_push(vm, list.as.list, pk_string(vm, text.as.text + i, n));
    i += n;
  }
  return list;
}

static pk_value member(pk_vm *vm, const pk_node *node, pk_scope *scope) {
  pk_value object = pk_eval(vm, node->a, scope);
  pk_value key = node->flag ? pk_eval(vm, node->b, scope) : node->value;
  if (vm->failed) return pk_undefined();
  if (pk_is_map(object)) {
    if (key.kind != PK_STRING) {
      pk_fail(vm, WNN_DATA_ERROR, "a map cannot be indexed with %s", pk_kind_name(key));
      return pk_undefined();
    }
    const pk_value *value = pk_map_get(object.as.map, key.as.text, key.length);
    return value ? *value : object.kind == PK_MAP ? pk_method(vm, object, key.as.text, key.length) : pk_undefined();
  }
  if ((object.kind == PK_LIST || object.kind == PK_STRING) && key.kind == PK_INT) {
    if (object.kind == PK_STRING) object = characters(vm, object);
    if (vm->failed) return pk_undefined();
    double index = key.as.number < 0 ? key.as.number + object.as.list->count : key.as.number;
    return index >= 0 && index < object.as.list->count ? object.as.list->items[(uint32_t)index] : pk_undefined();
  }
  if (key.kind != PK_STRING) {
    pk_fail(vm, WNN_DATA_ERROR, "%s cannot be indexed with %s", pk_kind_name(object), pk_kind_name(key));
    return pk_undefined();
  }
  return pk_method(vm, object, key.as.text, key.length);
}

static double bound(double at, double length, double low, double high) {
  if (at < 0) at = at + length < low ? low : at + length;
  return at > high ? high : at;
}

static pk_value slice(pk_vm *vm, const pk_node *node, pk_scope *scope) {
  pk_value object = pk_eval(vm, node->a, scope), parts[3];
  bool text = object.kind == PK_STRING;
  for (int i = 0; i < 3; i++) {
    parts[i] = node->items[i] ? pk_eval(vm, node->items[i], scope) : pk_undefined();
    if (parts[i].kind != PK_UNDEFINED && !(parts[i].kind == PK_INT && fabs(parts[i].as.number) < 1e9))
      pk_fail(vm, WNN_DATA_ERROR, "parts of a slice must be integers");
  }
  if (object.kind != PK_LIST && !text) pk_fail(vm, WNN_DATA_ERROR, "%s cannot be sliced", pk_kind_name(object));
  if (vm->failed) return pk_undefined();
  if (text) object = characters(vm, object);
  if (vm->failed) return pk_undefined();
  double step = parts[2].kind == PK_INT ? parts[2].as.number : 1, length = object.as.list->count, from, to;
  if (step == 0) {
    pk_fail(vm, WNN_DATA_ERROR, "the step of a slice must not be zero");
    return pk_undefined();
  }
  if (step > 0) {
    from = parts[0].kind == PK_INT ? bound(parts[0].as.number, length, 0, length) : 0;
    to = parts[1].kind == PK_INT ? bound(parts[1].as.number, length, 0, length) : length;
  } else {
    from = parts[0].kind == PK_INT ? bound(parts[0].as.number, length, -1, length - 1) : length - 1;
    to = parts[1].kind == PK_INT ? bound(parts[1].as.number, length, -1, length - 1) : -1;
  }
  pk_value list = pk_list_new(vm, 4);
  pk_text joined = {0};
  for (double i = from; (step > 0 ? i < to : i > to) && !vm->failed; i += step) {
    pk_value item = object.as.list->items[(uint32_t)i];
    if (text)
      pk_text_add(vm, &joined, item.as.text, item.length);
    else
      pk_list_push(vm, list.as.list, item);
    pk_step(vm, 1);
  }
  return text ? pk_text_value(vm, &joined) : list;
}

pk_list *pk_eval_args(pk_vm *vm, pk_node *const *items, uint32_t count, pk_scope *scope) {
  pk_value list = pk_list_new(vm, count), keywords = pk_undefined();
  for (uint32_t i = 0; i < count && !vm->failed; i++) {
    const pk_node *item = items[i];
    if (item->kind == PK_N_KEYWORD || item->kind == PK_N_SPREAD_MAP) continue;
    pk_value value = pk_eval(vm, item->kind == PK_N_SPREAD ? item->a : item, scope);
    if (item->kind != PK_N_SPREAD) {
      pk_list_push(vm, list.as.list, value);
    } else if (value.kind == PK_LIST) {
      for (uint32_t j = 0; j < value.as.list->count; j++) pk_list_push(vm, list.as.list, value.as.list->items[j]);
    } else {
      pk_fail(vm, WNN_DATA_ERROR, "%s cannot be unpacked into arguments", pk_kind_name(value));
    }
  }
  for (uint32_t i = 0; i < count && !vm->failed; i++) {
    const pk_node *item = items[i];
    if (item->kind != PK_N_KEYWORD && item->kind != PK_N_SPREAD_MAP) continue;
    pk_value value = pk_eval(vm, item->a, scope);
    if (keywords.kind == PK_UNDEFINED) keywords = pk_map_new(vm);
    if (vm->failed) return NULL;
    if (item->kind == PK_N_KEYWORD) {
      if (pk_map_get(keywords.as.map, item->value.as.text, item->value.length))
        pk_fail(vm, WNN_DATA_ERROR, "argument %s is given twice", item->value.as.text);
      pk_map_set(vm, keywords.as.map, item->value.as.text, item->value.length, value);
    } else if (value.kind == PK_MAP) {
      for (uint32_t j = 0; j < value.as.map->count; j++) {
        const pk_entry *entry = &value.as.map->entries[j];
        pk_map_set(vm, keywords.as.map, entry->key, entry->length, entry->value);
      }
    } else {
      pk_fail(vm, WNN_DATA_ERROR, "%s cannot be unpacked into named arguments", pk_kind_name(value));
    }
  }
  if (keywords.kind == PK_MAP) {
    keywords.kind = PK_KEYWORDS;
    pk_list_push(vm, list.as.list, keywords);
  }
  return vm->failed ? NULL : list.as.list;
}

pk_value pk_call(pk_vm *vm, pk_value function, const pk_value *args, uint32_t count, pk_scope *scope) {
  if (function.kind != PK_FUNCTION) {
    pk_fail(vm, WNN_DATA_ERROR, "%s cannot be called", pk_kind_name(function));
    return pk_undefined();
  }
  if (function.as.function->call) return function.as.function->call(vm, function.as.function->self, args, count);
  return pk_call_macro(vm, function.as.function, args, count, scope);
}

static pk_value call(pk_vm *vm, const pk_node *node, pk_scope *scope) {
  pk_list *args = pk_eval_args(vm, node->items, node->item_count, scope);
  pk_value function = pk_eval(vm, node->a, scope);
  if (vm->failed) return pk_undefined();
  pk_value result = pk_call(vm, function, args->items, args->count, scope);
  if (vm->failed && function.kind == PK_FUNCTION && function.as.function->call)
    pk_context(vm, "%s()", function.as.function->name);
  return result;
}

/* ---- Trees ------------------------------------------------------------------------------------------------ */

static pk_value evaluate(pk_vm *vm, const pk_node *node, pk_scope *scope) {
  switch ((pk_node_kind)node->kind) {
  case PK_N_LITERAL: return node->value;
  case PK_N_NAME: return look_up(vm, node->value, scope);
  case PK_N_LIST:
  case PK_N_TUPLE: {
    pk_value list = pk_list_new(vm, node->item_count);
    for (uint32_t i = 0; i < node->item_count && !vm->failed; i++)
      pk_list_push(vm, list.as.list, pk_eval(vm, node->items[i], scope));
    return list;
  }
  case PK_N_MAP: {
    pk_value map = pk_map_new(vm);
    for (uint32_t i = 0; i + 1 < node->item_count && !vm->failed; i += 2) {
      pk_value key = pk_eval(vm, node->items[i], scope), value = pk_eval(vm, node->items[i + 1], scope);
      if (key.kind != PK_STRING) pk_fail(vm, WNN_DATA_ERROR, "keys of a map must be strings");
      if (!vm->failed) pk_map_set(vm, map.as.map, key.as.text, key.length, value);
    }
    return map;
  }
  case PK_N_MEMBER: return member(vm, node, scope);
  case PK_N_SLICE: return slice(vm, node, scope);
  case PK_N_CALL: return call(vm, node, scope);
  case PK_N_BINARY: {
    pk_value a = pk_eval(vm, node->a, scope);
    if (vm->failed) return a;
    if (node->op == PK_OP_AND) return pk_truthy(a) ? pk_eval(vm, node->b, scope) : a;
    if (node->op == PK_OP_OR) return pk_truthy(a) ? a : pk_eval(vm, node->b, scope);
    pk_value b = pk_eval(vm, node->b, scope);
    return vm->failed ? b : binary(vm, (pk_op)node->op, a, b);
  }
  case PK_N_UNARY: {
    pk_value a = pk_eval(vm, node->a, scope);
    return vm->failed ? a : unary(vm, (pk_op)node->op, a);
  }
  case PK_N_TERNARY: {
    bool yes = pk_truthy(pk_eval(vm, node->b, scope));
    if (vm->failed) return pk_undefined();
    return yes ? pk_eval(vm, node->a, scope) : node->c ? pk_eval(vm, node->c, scope) : pk_undefined();
  }
  case PK_N_FILTER: {
    pk_value a = pk_eval(vm, node->a, scope);
    if (vm->failed) return a;
    pk_value result = pk_apply_filter(vm, a, node, scope);
    if (vm->failed) pk_context(vm, "filter %s", node->value.as.text);
    return result;
  }
  case PK_N_TEST: {
    pk_value a = pk_eval(vm, node->a, scope);
    return vm->failed ? a : pk_bool(pk_apply_test(vm, a, node->value.as.text, node->value.length, NULL) != node->flag);
  }
  default: pk_fail(vm, WNN_DATA_ERROR, "line %u: not an expression", node->line); return pk_undefined();
  }
}

pk_value pk_eval(pk_vm *vm, const pk_node *node, pk_scope *scope) {
  if (!pk_step(vm, 1)) return pk_undefined();
  if (vm->depth >= PK_MAX_EVAL) {
    pk_fail(vm, WNN_DATA_ERROR, "evaluation is nested too deeply");
    return pk_undefined();
  }
  vm->depth++;
  pk_value value = evaluate(vm, node, scope);
  vm->depth--;
  return vm->failed ? pk_undefined() : value;
}

pk_value pk_eval_expr(pk_vm *vm, const pk_expr *expr, const pk_source *source) {
  for (uint32_t i = 0; i < expr->free_count; i++) {
    pk_value ignored;
    if (!source->lookup(source->user, expr->names[i].as.text, expr->names[i].length, &ignored) && !vm->failed) {
      pk_fail(vm, WNN_DATA_ERROR, "unknown name \"%s\" in `%s`", expr->names[i].as.text, expr->source);
      return pk_undefined();
    }
  }
  pk_scope *scope = pk_scope_new(vm, NULL);
  if (!scope) return pk_undefined();
  scope->source = source;
  pk_value value = pk_eval(vm, expr->root, scope);
  return vm->failed ? pk_undefined() : pk_normalize(vm, value);
}
