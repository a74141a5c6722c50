/* Filters, tests and methods of values. */
#include "packs/ast.h"

#include <math.h>
#include <stdlib.h>

/* ---- Arguments ------------------------------------------------------------------------------------------ */

uint32_t pk_positional(const pk_value *args, uint32_t count) {
  return count && args[count - 1].kind == PK_KEYWORDS ? count - 1 : count;
}

const pk_value *pk_keyword(const pk_value *args, uint32_t count, const char *name) {
  return count && args[count - 1].kind == PK_KEYWORDS ? pk_map_find(args[count - 1].as.map, name) : NULL;
}

/* An argument by position or by name; undefined when absent. */
static pk_value argument(const pk_value *args, uint32_t count, uint32_t index, const char *name) {
  if (index < pk_positional(args, count)) return args[index];
  const pk_value *named = pk_keyword(args, count, name);
  return named ? *named : pk_undefined();
}

/* A boolean argument, false when absent. */
static bool flag_argument(pk_vm *vm, const pk_value *args, uint32_t count, uint32_t index, const char *name) {
  pk_value value = argument(args, count, index, name);
  if (value.kind != PK_UNDEFINED && value.kind != PK_BOOL) pk_fail(vm, WNN_DATA_ERROR, "%s must be a boolean", name);
  return value.kind == PK_BOOL && value.as.boolean;
}

static pk_value unfit(pk_vm *vm, pk_value value) {
  pk_fail(vm, WNN_DATA_ERROR, "cannot be applied to %s", pk_kind_name(value));
  return pk_undefined();
}

/* ---- Text ------------------------------------------------------------------------------------------------- */

static bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

static pk_value stripped(pk_vm *vm, pk_value text, bool left, bool right) {
  uint32_t from = 0, to = text.length;
  while (left && from < to && is_space(text.as.text[from])) from++;
  while (right && to > from && is_space(text.as.text[to - 1])) to--;
  return pk_string(vm, text.as.text + from, to - from);
}

typedef enum letter_case { CASE_UPPER, CASE_LOWER, CASE_TITLE, CASE_CAPITAL } letter_case;

static pk_value recased(pk_vm *vm, pk_value text, letter_case rule) {
  pk_value copy = pk_string(vm, text.as.text, text.length);
  if (vm->failed) return copy;
  char *s = (char *)(uintptr_t)copy.as.text; /* fresh, so it may still be written */
  bool start = true;
  for (uint32_t i = 0; i < copy.length; i++) {
    bool lower = s[i] >= 'a' && s[i] <= 'z', upper = s[i] >= 'A' && s[i] <= 'Z';
    bool up = rule == CASE_UPPER || (rule == CASE_TITLE && start) || (rule == CASE_CAPITAL && i == 0);
    if (lower && up) s[i] = (char)(s[i] - 32);
    if (upper && rule == CASE_LOWER) s[i] = (char)(s[i] + 32);
    start = !(lower || upper || (s[i] >= '0' && s[i] <= '9') || s[i] == '_');
  }
  return copy;
}

/* Length as JavaScript counts it: UTF-16 units. */
static double text_length(pk_value text) {
  double count = 0;
  for (uint32_t i = 0; i < text.length; i++) {
    unsigned char c = (unsigned char)text.as.text[i];
    if ((c & 0xC0) != 0x80) count += c >= 0xF0 ? 2 : 1;
  }
  return count;
}

static pk_value replaced(pk_vm *vm, pk_value text, const pk_value *args, uint32_t count) {
  pk_value limit = argument(args, count, 2, "count");
  if (pk_positional(args, count) < 2 || args[0].kind != PK_STRING || args[1].kind != PK_STRING) {
    pk_fail(vm, WNN_DATA_ERROR, "two strings are needed");
    return pk_undefined();
  }
  double left = limit.kind == PK_INT && limit.as.number >= 0 ? limit.as.number : HUGE_VAL;
  pk_text out = {0};
  size_t at = 0;
  while (left > 0 && !vm->failed) {
    int64_t hit = pk_search(vm, text.as.text, text.length, args[0].as.text, args[0].length, at);
    if (hit < 0) break;
    size_t place = (size_t)hit;
    if (!args[0].length) { /* the empty text is found in front of every character and at the end */
      pk_text_add(vm, &out, args[1].as.text, args[1].length);
      if (place >= text.length) break;
      pk_text_add(vm, &out, text.as.text + place, 1);
      at = place + 1;
    } else {
      pk_text_add(vm, &out, text.as.text + at, place - at);
      pk_text_add(vm, &out, args[1].as.text, args[1].length);
      at = place + args[0].length;
    }
    left--;
    pk_step(vm, 1);
  }
  if (at < text.length) pk_text_add(vm, &out, text.as.text + at, text.length - at);
  return pk_text_value(vm, &out);
}

static pk_value split(pk_vm *vm, pk_value text, const pk_value *args, uint32_t count) {
  pk_value separator = argument(args, count, 0, "sep"), most = argument(args, count, 1, "maxsplit");
  double left = most.kind == PK_INT && most.as.number >= 0 ? most.as.number : HUGE_VAL;
  pk_value list = pk_list_new(vm, 4);
  size_t at = 0;
  if (separator.kind == PK_STRING && !separator.length) pk_fail(vm, WNN_DATA_ERROR, "the separator is empty");
  if (separator.kind != PK_STRING) {
    while (!vm->failed) {
      while (at < text.length && is_space(text.as.text[at])) at++;
      if (at >= text.length) break;
      size_t end = at;
      while (end < text.length && (left <= 0 || !is_space(text.as.text[end]))) end++;
      pk_list_push(vm, list.as.list, pk_string(vm, text.as.text + at, end - at));
      at = end;
      left--;
    }
    return list;
  }
  while (!vm->failed) {
    int64_t hit = left > 0 ? pk_search(vm, text.as.text, text.length, separator.as.text, separator.length, at) : -1;
    size_t end = hit < 0 ? text.length : (size_t)hit;
    pk_list_push(vm, list.as.list, pk_string(vm, text.as.text + at, end - at));
    if (hit < 0) break;
    at = end + separator.length;
    left--;
  }
  return list;
}

static bool has_affix(pk_value text, pk_value affix, bool front) {
  return affix.kind == PK_STRING && affix.length <= text.length &&
         !memcmp(text.as.text + (front ? 0 : text.length - affix.length), affix.as.text, affix.length);
}

static pk_value affix(pk_vm *vm, pk_value text, const pk_value *args, uint32_t count, bool front) {
  if (!count || (args[0].kind != PK_STRING && args[0].kind != PK_LIST)) {
    pk_fail(vm, WNN_DATA_ERROR, "a string or a list of strings is needed");
    return pk_undefined();
  }
  if (args[0].kind == PK_STRING) return pk_bool(has_affix(text, args[0], front));
  for (uint32_t i = 0; i < args[0].as.list->count; i++)
    if (has_affix(text, args[0].as.list->items[i], front)) return pk_bool(true);
  return pk_bool(false);
}

static pk_value indented(pk_vm *vm, pk_value text, const pk_value *args, uint32_t count) {
  pk_value width = argument(args, count, 0, "width");
  bool first = flag_argument(vm, args, count, 1, "first"), blank = flag_argument(vm, args, count, 2, "blank");
  double spaces = width.kind == PK_UNDEFINED ? 4 : width.kind == PK_INT ? width.as.number : -1;
  if (!(spaces >= 0 && spaces <= 1000)) pk_fail(vm, WNN_DATA_ERROR, "width must be a number from 0 to 1000");
  pk_text out = {0};
  for (size_t at = 0, line = 0; !vm->failed; line++) {
    size_t end = at;
    while (end < text.length && text.as.text[end] != '\n') end++;
    if ((line || first) && (end > at || blank))
      for (double i = 0; i < spaces; i++) pk_text_add(vm, &out, " ", 1);
    pk_text_add(vm, &out, text.as.text + at, end - at);
    if (end >= text.length) break;
    pk_text_add(vm, &out, "\n", 1);
    at = end + 1;
  }
  return pk_text_value(vm, &out);
}

/* parseInt and parseFloat: as much of the text as is a number. NaN when nothing is. */
static double leading_number(pk_value text, bool fraction) {
  const char *s = text.as.text;
  while (is_space(*s)) s++;
  const char *start = s;
  if (*s == '-' || *s == '+') s++;
  const char *digits = s;
  while (*s >= '0' && *s <= '9') s++;
  bool any = s > digits;
  if (fraction && *s == '.') {
    const char *rest = ++s;
    while (*s >= '0' && *s <= '9') s++;
    any = any || s > rest;
  }
  if (!any) return (double)NAN;
  char buffer[64];
  const char *end = s;
  if (fraction && (*s == 'e' || *s == 'E')) {
    const char *exponent = s + 1;
    if (*exponent == '-' || *exponent == '+') exponent++;
    if (*exponent >= '0' && *exponent <= '9') {
      while (*exponent >= '0' && *exponent <= '9') exponent++;
      end = exponent;
    }
  }
  size_t length = (size_t)(end - start);
  if (length >= sizeof buffer) length = sizeof buffer - 1;
  memcpy(buffer, start, length);
  buffer[length] = 0;
  return strtod(buffer, NULL);
}

/* ---- Lists -------------------------------------------------------------------------------------------------- */

int pk_compare(pk_vm *vm, pk_value a, pk_value b, bool case_sensitive) {
  if (a.kind <= PK_NULL && a.kind == b.kind) return 0;
  bool a_number = pk_is_number(a) || a.kind == PK_BOOL, b_number = pk_is_number(b) || b.kind == PK_BOOL;
  if (a_number && b_number) {
    double x = a.kind == PK_BOOL ? a.as.boolean : a.as.number, y = b.kind == PK_BOOL ? b.as.boolean : b.as.number;
    return x < y ? -1 : x > y;
  }
  if (a.kind != PK_STRING || b.kind != PK_STRING) {
    pk_fail(vm, WNN_DATA_ERROR, "cannot compare %s with %s", pk_kind_name(a), pk_kind_name(b));
    return 0;
  }
  for (uint32_t i = 0; i < a.length && i < b.length; i++) {
    unsigned char x = (unsigned char)a.as.text[i], y = (unsigned char)b.as.text[i];
    if (!case_sensitive && x >= 'A' && x <= 'Z') x = (unsigned char)(x + 32);
    if (!case_sensitive && y >= 'A' && y <= 'Z') y = (unsigned char)(y + 32);
    if (x != y) return x < y ? -1 : 1;
  }
  return a.length < b.length ? -1 : a.length > b.length;
}

/* A member named by a path such as "a.b.0". */
static pk_value attribute(pk_vm *vm, pk_value value, pk_value path) {
  char number[PK_NUMBER_TEXT];
  const char *at = path.as.text;
  size_t length = path.length;
  if (path.kind == PK_INT) {
    length = pk_number_format(path.as.number, number);
    at = number;
  }
  while (!vm->failed) {
    const char *dot = memchr(at, '.', length);
    size_t part = dot ? (size_t)(dot - at) : length;
    const pk_value *found = NULL;
    if (pk_is_map(value)) {
      found = pk_map_get(value.as.map, at, part);
    } else if (value.kind == PK_LIST && part && at[0] >= '0' && at[0] <= '9') {
      unsigned long index = strtoul(at, NULL, 10);
      if (index < value.as.list->count) found = &value.as.list->items[index];
    }
    if (!found) return pk_undefined();
    value = *found;
    if (!dot) break;
    at += part + 1;
    length -= part + 1;
  }
  return value;
}

typedef struct sort_rule {
  bool reverse, case_sensitive;
  pk_value attribute; /* null for the item itself */
} sort_rule;

static int order(pk_vm *vm, const sort_rule *rule, pk_value a, pk_value b) {
  if (rule->attribute.kind != PK_NULL) {
    a = attribute(vm, a, rule->attribute);
    b = attribute(vm, b, rule->attribute);
  }
  int result = pk_compare(vm, a, b, rule->case_sensitive);
  return rule->reverse ? -result : result;
}

/* Stable merge sort, bottom up. */
static pk_value sorted(pk_vm *vm, pk_value list, const sort_rule *rule) {
  uint32_t count = list.as.list->count;
  pk_value from = pk_list_new(vm, count), to = pk_list_new(vm, count);
  if (vm->failed) return from;
  if (count) memcpy(from.as.list->items, list.as.list->items, count * sizeof(pk_value));
  from.as.list->count = to.as.list->count = count;
  for (uint64_t width = 1; width < count; width *= 2) {
    pk_value *a = from.as.list->items, *b = to.as.list->items;
    for (uint64_t start = 0; start < count && !vm->failed; start += 2 * width) {
      uint64_t middle = start + width < count ? start + width : count,
               end = start + 2 * width < count ? start + 2 * width : count;
      uint64_t i = start, j = middle;
      for (uint64_t k = start; k < end && pk_step(vm, 1); k++)
        b[k] = i < middle && (j >= end || order(vm, rule, a[i], a[j]) <= 0) ? a[i++] : a[j++];
    }
    pk_value swap = from;
    from = to;
    to = swap;
    if (vm->failed) break;
  }
  return from;
}

static pk_value unique(pk_vm *vm, pk_value list) {
  pk_value out = pk_list_new(vm, 0);
  for (uint32_t i = 0; i < list.as.list->count && !vm->failed; i++) {
    bool seen = false;
    pk_step(vm, out.as.list->count / 8 + 1);
    for (uint32_t j = 0; j < out.as.list->count && !seen; j++)
      seen = pk_same(out.as.list->items[j], list.as.list->items[i]);
    if (!seen) pk_list_push(vm, out.as.list, list.as.list->items[i]);
  }
  return out;
}

static pk_value joined(pk_vm *vm, pk_value list, pk_value separator) {
  pk_text out = {0};
  for (uint32_t i = 0; i < list.as.list->count && !vm->failed; i++) {
    pk_value item = list.as.list->items[i];
    if (item.kind == PK_FLOAT) item.kind = PK_INT;
    if (i && separator.kind == PK_STRING) pk_text_add(vm, &out, separator.as.text, separator.length);
    pk_print(vm, &out, item);
  }
  return pk_text_value(vm, &out);
}

static pk_value reversed(pk_vm *vm, pk_value list) {
  pk_value out = pk_list_new(vm, list.as.list->count);
  for (uint32_t i = list.as.list->count; i-- && !vm->failed;) pk_list_push(vm, out.as.list, list.as.list->items[i]);
  return out;
}

/* selectattr and rejectattr: arguments name an attribute, perhaps a test and its argument. */
static pk_value chosen(pk_vm *vm, pk_value list, const pk_value *args, uint32_t count, bool select) {
  pk_value out = pk_list_new(vm, 0);
  if (!count || args[0].kind != PK_STRING || (count > 1 && args[1].kind != PK_STRING)) {
    pk_fail(vm, WNN_DATA_ERROR, "the names of an attribute and of a test are needed");
    return out;
  }
  for (uint32_t i = 0; i < list.as.list->count && pk_step(vm, 1); i++) {
    pk_value item = list.as.list->items[i];
    if (!pk_is_map(item)) return unfit(vm, item);
    const pk_value *found = pk_map_get(item.as.map, args[0].as.text, args[0].length);
    bool good =
        found && (count > 1 ? pk_apply_test(vm, *found, args[1].as.text, args[1].length, count > 2 ? &args[2] : NULL)
                            : pk_truthy(*found));
    if (good == select) pk_list_push(vm, out.as.list, item);
  }
  return out;
}

static pk_value mapped(pk_vm *vm, pk_value list, const pk_value *args, uint32_t count) {
  const pk_value *path = pk_keyword(args, count, "attribute"), *absent = pk_keyword(args, count, "default");
  pk_value out = pk_list_new(vm, list.as.list->count);
  if (!path || path->kind != PK_STRING) {
    pk_fail(vm, WNN_DATA_ERROR, "attribute=\"name\" is needed");
    return out;
  }
  for (uint32_t i = 0; i < list.as.list->count && pk_step(vm, 1); i++) {
    if (!pk_is_map(list.as.list->items[i])) return unfit(vm, list.as.list->items[i]);
    pk_value value = attribute(vm, list.as.list->items[i], *path);
    pk_list_push(vm, out.as.list, value.kind == PK_UNDEFINED && absent ? *absent : value);
  }
  return out;
}

/* ---- Maps ----------------------------------------------------------------------------------------------------- */

static pk_value map_items(pk_vm *vm, const pk_map *map, bool keys, bool values) {
  pk_value list = pk_list_new(vm, map->count);
  for (uint32_t i = 0; i < map->count && !vm->failed; i++) {
    pk_value key = keys ? pk_string(vm, map->entries[i].key, map->entries[i].length) : pk_undefined();
    if (keys && values) {
      pk_value pair = pk_list_new(vm, 2);
      if (vm->failed) return list;
      pk_list_push(vm, pair.as.list, key);
      pk_list_push(vm, pair.as.list, map->entries[i].value);
      pk_list_push(vm, list.as.list, pair);
    } else {
      pk_list_push(vm, list.as.list, keys ? key : map->entries[i].value);
    }
  }
  return list;
}

static pk_value dict_sorted(pk_vm *vm, pk_value map, const pk_value *args, uint32_t count) {
  sort_rule rule = {.case_sensitive = flag_argument(vm, args, count, 0, "case_sensitive"),
                    .reverse = flag_argument(vm, args, count, 2, "reverse")};
  pk_value by = argument(args, count, 1, "by");
  if (by.kind != PK_UNDEFINED && !pk_equals(by, "key") && !pk_equals(by, "value"))
    pk_fail(vm, WNN_DATA_ERROR, "by must be key or value");
  rule.attribute = pk_int(pk_equals(by, "value") ? 1 : 0);
  pk_value items = map_items(vm, map.as.map, true, true);
  return vm->failed ? pk_undefined() : sorted(vm, items, &rule);
}

/* ---- Methods ---------------------------------------------------------------------------------------------------- */

static pk_value m_upper(pk_vm *vm, pk_value s, const pk_value *a, uint32_t n) {
  (void)a, (void)n;
  return recased(vm, s, CASE_UPPER);
}
static pk_value m_lower(pk_vm *vm, pk_value s, const pk_value *a, uint32_t n) {
  (void)a, (void)n;
  return recased(vm, s, CASE_LOWER);
}
static pk_value m_title(pk_vm *vm, pk_value s, const pk_value *a, uint32_t n) {
  (void)a, (void)n;
  return recased(vm, s, CASE_TITLE);
}
static pk_value m_capitalize(pk_vm *vm, pk_value s, const pk_value *a, uint32_t n) {
  (void)a, (void)n;
  return recased(vm, s, CASE_CAPITAL);
}
static pk_value m_strip(pk_vm *vm, pk_value s, const pk_value *a, uint32_t n) {
  (void)a, (void)n;
  return stripped(vm, s, true, true);
}
static pk_value m_lstrip(pk_vm *vm, pk_value s, const pk_value *a, uint32_t n) {
  (void)a, (void)n;
  return stripped(vm, s, true, false);
}
static pk_value m_rstrip(pk_vm *vm, pk_value s, const pk_value *a, uint32_t n) {
  (void)a, (void)n;
  return stripped(vm, s, false, true);
}
static pk_value m_startswith(pk_vm *vm, pk_value s, const pk_value *a, uint32_t n) { return affix(vm, s, a, n, true); }
static pk_value m_endswith(pk_vm *vm, pk_value s, const pk_value *a, uint32_t n) { return affix(vm, s, a, n, false); }
static pk_value m_split(pk_vm *vm, pk_value s, const pk_value *a, uint32_t n) { return split(vm, s, a, n); }
static pk_value m_replace(pk_vm *vm, pk_value s, const pk_value *a, uint32_t n) { return replaced(vm, s, a, n); }
static pk_value m_items(pk_vm *vm, pk_value s, const pk_value *a, uint32_t n) {
  (void)a, (void)n;
  return map_items(vm, s.as.map, true, true);
}
static pk_value m_keys(pk_vm *vm, pk_value s, const pk_value *a, uint32_t n) {
  (void)a, (void)n;
  return map_items(vm, s.as.map, true, false);
}
static pk_value m_values(pk_vm *vm, pk_value s, const pk_value *a, uint32_t n) {
  (void)a, (void)n;
  return map_items(vm, s.as.map, false, true);
}
static pk_value m_dictsort(pk_vm *vm, pk_value s, const pk_value *a, uint32_t n) { return dict_sorted(vm, s, a, n); }
static pk_value m_get(pk_vm *vm, pk_value s, const pk_value *a, uint32_t n) {
  if (!n || a[0].kind != PK_STRING) {
    pk_fail(vm, WNN_DATA_ERROR, "a string is needed");
    return pk_undefined();
  }
  const pk_value *value = pk_map_get(s.as.map, a[0].as.text, a[0].length);
  return value ? *value : pk_positional(a, n) > 1 ? a[1] : pk_null();
}

pk_value pk_builtin_value(pk_vm *vm, const char *name, pk_builtin *call, pk_value self) {
  pk_function *function = pk_alloc(vm, sizeof *function);
  if (!function) return pk_undefined();
  *function = (pk_function){.name = name, .call = call, .self = self};
  return (pk_value){.kind = PK_FUNCTION, .as.function = function};
}

static const struct {
  uint32_t kind;
  const char *name;
  pk_builtin *call;
} methods[] = {{PK_STRING, "upper", m_upper},
               {PK_STRING, "lower", m_lower},
               {PK_STRING, "title", m_title},
               {PK_STRING, "strip", m_strip},
               {PK_STRING, "lstrip", m_lstrip},
               {PK_STRING, "rstrip", m_rstrip},
               {PK_STRING, "split", m_split},
               {PK_STRING, "replace", m_replace},
               {PK_STRING, "startswith", m_startswith},
               {PK_STRING, "endswith", m_endswith},
               {PK_STRING, "capitalize", m_capitalize},
               {PK_MAP, "get", m_get},
               {PK_MAP, "items", m_items},
               {PK_MAP, "keys", m_keys},
               {PK_MAP, "values", m_values},
               {PK_MAP, "dictsort", m_dictsort}};

pk_value pk_method(pk_vm *vm, pk_value value, const char *name, size_t length) {
  bool is_length = length == 6 && !memcmp(name, "length", 6);
  if (is_length && value.kind == PK_STRING) return pk_int(text_length(value));
  if (is_length && value.kind == PK_LIST) return pk_int(value.as.list->count);
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
    if (methods[i].kind == value.kind && strlen(methods[i].name) == length && !memcmp(methods[i].name, name, length))
      return pk_builtin_value(vm, methods[i].name, methods[i].call, value);
  return pk_undefined();
}

/* ---- Tests ------------------------------------------------------------------------------------------------------- */

bool pk_apply_test(pk_vm *vm, pk_value value, const char *name, size_t length, const pk_value *with) {
  pk_value test = {.kind = PK_STRING, .length = (uint32_t)length, .as.text = name};
  if (pk_equals(test, "defined")) return value.kind != PK_UNDEFINED;
  if (pk_equals(test, "undefined")) return value.kind == PK_UNDEFINED;
  if (pk_equals(test, "none")) return value.kind == PK_NULL;
  if (pk_equals(test, "number")) return pk_is_number(value);
  if (pk_equals(test, "integer")) return value.kind == PK_INT;
  if (pk_equals(test, "string")) return value.kind == PK_STRING;
  if (pk_equals(test, "boolean")) return value.kind == PK_BOOL;
  if (pk_equals(test, "true")) return value.kind == PK_BOOL && value.as.boolean;
  if (pk_equals(test, "false")) return value.kind == PK_BOOL && !value.as.boolean;
  if (pk_equals(test, "callable")) return value.kind == PK_FUNCTION;
  if (pk_equals(test, "iterable")) return value.kind == PK_LIST || value.kind == PK_STRING;
  if (pk_equals(test, "mapping")) return value.kind == PK_MAP;
  if (pk_equals(test, "sequence")) return value.kind == PK_LIST || value.kind == PK_STRING || value.kind == PK_MAP;
  if (pk_equals(test, "odd") || pk_equals(test, "even")) {
    if (value.kind != PK_INT) {
      pk_fail(vm, WNN_DATA_ERROR, "test %s cannot be applied to %s", name, pk_kind_name(value));
      return false;
    }
    return (fmod(value.as.number, 2) != 0) == pk_equals(test, "odd");
  }
  if (pk_equals(test, "lower") || pk_equals(test, "upper")) {
    if (value.kind != PK_STRING) return false;
    pk_value other = recased(vm, value, pk_equals(test, "lower") ? CASE_LOWER : CASE_UPPER);
    return !vm->failed && pk_same(value, other);
  }
  if (pk_equals(test, "eq") || pk_equals(test, "equalto")) return pk_same(value, with ? *with : pk_undefined());
  pk_fail(vm, WNN_DATA_ERROR, "unknown test %.60s", name);
  return false;
}

/* ---- Filters ------------------------------------------------------------------------------------------------------
 */

static pk_value to_json(pk_vm *vm, pk_value value, const pk_value *args, uint32_t count) {
  pk_json_style style = {.ascii = flag_argument(vm, args, count, UINT32_MAX, "ensure_ascii"),
                         .sort = flag_argument(vm, args, count, UINT32_MAX, "sort_keys")};
  const pk_value *indent = pk_keyword(args, count, "indent"), *separators = pk_keyword(args, count, "separators");
  if (indent && indent->kind != PK_NULL) {
    if (indent->kind != PK_INT || !(indent->as.number >= 0 && indent->as.number <= 100))
      pk_fail(vm, WNN_DATA_ERROR, "indent must be a number from 0 to 100");
    else
      style.indent = (uint32_t)indent->as.number;
  }
  if (separators && separators->kind != PK_NULL) {
    const pk_list *pair = separators->kind == PK_LIST ? separators->as.list : NULL;
    if (!pair || pair->count != 2 || pair->items[0].kind != PK_STRING || pair->items[1].kind != PK_STRING) {
      pk_fail(vm, WNN_DATA_ERROR, "separators must be two strings");
    } else {
      style.item = pair->items[0].as.text;
      style.colon = pair->items[1].as.text;
    }
  }
  pk_text text = {0};
  if (!vm->failed) pk_print_json(vm, &text, value, &style, 0);
  return pk_text_value(vm, &text);
}

static pk_value to_number(pk_vm *vm, pk_value value, bool is_int, bool called, const pk_value *args, uint32_t count) {
  pk_value absent = argument(args, count, 0, "default");
  if (absent.kind == PK_UNDEFINED) absent = is_int ? pk_int(0) : pk_float(0);
  double n;
  switch ((pk_kind)value.kind) {
  case PK_STRING: n = leading_number(value, !is_int); return isnan(n) ? absent : is_int ? pk_int(n) : pk_float(n);
  case PK_INT:
  case PK_FLOAT:
    if (called) return value; /* written with parentheses, numbers pass unchanged */
    return is_int ? pk_int(floor(value.as.number)) : pk_float(value.as.number);
  case PK_BOOL: return is_int ? pk_int(value.as.boolean) : pk_float(value.as.boolean);
  default: return unfit(vm, value);
  }
}

static pk_value filter_list(pk_vm *vm, pk_value v, pk_value name, const pk_value *args, uint32_t n) {
  const pk_list *list = v.as.list;
  if (pk_equals(name, "list")) return v;
  if (pk_equals(name, "first")) return list->count ? list->items[0] : pk_undefined();
  if (pk_equals(name, "last")) return list->count ? list->items[list->count - 1] : pk_undefined();
  if (pk_equals(name, "length")) return pk_int(list->count);
  if (pk_equals(name, "reverse")) return reversed(vm, v);
  if (pk_equals(name, "join")) return joined(vm, v, argument(args, n, 0, "separator"));
  if (pk_equals(name, "unique")) return unique(vm, v);
  if (pk_equals(name, "map")) return mapped(vm, v, args, n);
  if (pk_equals(name, "selectattr")) return chosen(vm, v, args, n, true);
  if (pk_equals(name, "rejectattr")) return chosen(vm, v, args, n, false);
  if (pk_equals(name, "sort")) {
    sort_rule rule = {.reverse = flag_argument(vm, args, n, 0, "reverse"),
                      .case_sensitive = flag_argument(vm, args, n, 1, "case_sensitive"),
                      .attribute = argument(args, n, 2, "attribute")};
    if (rule.attribute.kind != PK_STRING && rule.attribute.kind != PK_INT) rule.attribute = pk_null();
    return vm->failed ? v : sorted(vm, v, &rule);
  }
  if (pk_equals(name, "string")) {
    pk_text text = {0};
    pk_print(vm, &text, v);
    return pk_text_value(vm, &text);
  }
  return unfit(vm, v);
}

static pk_value filter_text(pk_vm *vm, pk_value v, pk_value name, const pk_value *args, uint32_t n) {
  if (pk_equals(name, "length")) return pk_int(text_length(v));
  if (pk_equals(name, "upper")) return recased(vm, v, CASE_UPPER);
  if (pk_equals(name, "lower")) return recased(vm, v, CASE_LOWER);
  if (pk_equals(name, "title")) return recased(vm, v, CASE_TITLE);
  if (pk_equals(name, "capitalize")) return recased(vm, v, CASE_CAPITAL);
  if (pk_equals(name, "trim")) return stripped(vm, v, true, true);
  if (pk_equals(name, "indent")) return indented(vm, v, args, n);
  if (pk_equals(name, "string")) return v;
  if (pk_equals(name, "replace")) return replaced(vm, v, args, n);
  if (pk_equals(name, "join")) {
    pk_value separator = argument(args, n, 0, "separator");
    if (separator.kind != PK_STRING || !separator.length) return v;
    pk_text text = {0};
    for (uint32_t i = 0; i < v.length && !vm->failed; i++) {
      if (i && ((unsigned char)v.as.text[i] & 0xC0) != 0x80)
        pk_text_add(vm, &text, separator.as.text, separator.length);
      pk_text_add(vm, &text, v.as.text + i, 1);
    }
    return pk_text_value(vm, &text);
  }
  return unfit(vm, v);
}

pk_value pk_apply_filter(pk_vm *vm, pk_value v, const pk_node *filter, pk_scope *scope) {
  pk_value name = filter->value;
  pk_list *list = pk_eval_args(vm, filter->items, filter->item_count, scope);
  if (vm->failed) return pk_undefined();
  const pk_value *args = list->items;
  uint32_t n = list->count;
  if (pk_equals(name, "default")) {
    pk_value other = argument(args, n, 0, "default_value");
    bool falsy = flag_argument(vm, args, n, 1, "boolean");
    if (other.kind == PK_UNDEFINED && !n) other = pk_static("");
    return v.kind == PK_UNDEFINED || (falsy && !pk_truthy(v)) ? other : v;
  }
  if (pk_equals(name, "safe")) return v;
  if (pk_equals(name, "tojson")) return to_json(vm, v, args, n);
  if (pk_equals(name, "int")) return to_number(vm, v, true, filter->flag, args, n);
  if (pk_equals(name, "float")) return to_number(vm, v, false, filter->flag, args, n);
  if (v.kind == PK_LIST) return filter_list(vm, v, name, args, n);
  if (v.kind == PK_STRING) return filter_text(vm, v, name, args, n);
  if (v.kind == PK_MAP) {
    if (pk_equals(name, "length")) return pk_int(v.as.map->count);
    pk_value method = pk_method(vm, v, name.as.text, name.length);
    return method.kind == PK_FUNCTION ? pk_call(vm, method, args, n, scope) : unfit(vm, v);
  }
  if (pk_equals(name, "string") && (pk_is_number(v) || v.kind == PK_BOOL)) {
    pk_text text = {0};
    pk_print(vm, &text, v);
    return pk_text_value(vm, &text);
  }
  if (pk_equals(name, "abs") && pk_is_number(v)) {
    v.as.number = fabs(v.as.number);
    return v;
  }
  if (pk_equals(name, "bool") && v.kind == PK_BOOL) return v;
  return unfit(vm, v);
}
