/* Values of the pack language: memory with limits, lists, maps, text, printing. */
#include "packs/value.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- Limits and failures ----------------------------------------------------------------------- */

void pk_vm_init(pk_vm *vm, const wnn_allocator *allocator, uint64_t max_steps, size_t max_bytes) {
  *vm = (pk_vm){.max_steps = max_steps, .max_bytes = max_bytes};
  wnn_arena_init(&vm->arena, allocator);
}

void pk_vm_free(pk_vm *vm) { wnn_arena_free(&vm->arena); }

void pk_fail(pk_vm *vm, wnn_status status, const char *format, ...) {
  if (vm->failed) return;
  vm->failed = true;
  vm->status = status;
  va_list args;
  va_start(args, format);
  vsnprintf(vm->message, sizeof vm->message, format, args);
  va_end(args);
}

void pk_context(pk_vm *vm, const char *format, ...) {
  char text[sizeof vm->message];
  va_list args;
  va_start(args, format);
  int length = vsnprintf(text, sizeof text, format, args);
  va_end(args);
  if (length < 0 || (size_t)length + 3 >= sizeof text) return;
  size_t room = sizeof text - (size_t)length - 3, rest = strlen(vm->message);
  if (rest > room) rest = room;
  memcpy(text + length, ": ", 2);
  memcpy(text + length + 2, vm->message, rest);
  text[(size_t)length + 2 + rest] = 0;
  memcpy(vm->message, text, sizeof text);
}

bool pk_step(pk_vm *vm, uint64_t steps) {
  if (vm->failed) return false;
  if (steps > vm->max_steps - vm->steps) {
    vm->steps = vm->max_steps;
    pk_fail(vm, WNN_DATA_ERROR, "too much work: more than %llu evaluation steps", (unsigned long long)vm->max_steps);
    return false;
  }
  vm->steps += steps;
  return true;
}

void *pk_alloc(pk_vm *vm, size_t size) {
  if (vm->failed) return NULL;
  if (size > vm->max_bytes || vm->arena.total > vm->max_bytes - size) {
    pk_fail(vm, WNN_DATA_ERROR, "too much memory: more than %zu bytes", vm->max_bytes);
    return NULL;
  }
  void *pointer = wnn_arena_alloc(&vm->arena, size);
  if (!pointer) pk_fail(vm, WNN_OUT_OF_MEMORY, "out of memory");
  return pointer;
}

void *pk_array(pk_vm *vm, size_t count, size_t size) {
  return pk_alloc(vm, count && size > SIZE_MAX / count ? SIZE_MAX : count * size);
}

/* ---- Making values -------------------------------------------------------------------------------- */

pk_value pk_number(double n) { return n == floor(n) && !isinf(n) ? pk_int(n) : pk_float(n); /* NaN is a float */ }

pk_value pk_string(pk_vm *vm, const char *text, size_t length) {
  if (length > UINT32_MAX - 1) {
    pk_fail(vm, WNN_DATA_ERROR, "text of %zu bytes", length);
    return pk_undefined();
  }
  char *copy = pk_alloc(vm, length + 1);
  if (!copy) return pk_undefined();
  if (length) memcpy(copy, text, length);
  return (pk_value){.kind = PK_STRING, .length = (uint32_t)length, .as.text = copy};
}

pk_value pk_static(const char *text) {
  return (pk_value){.kind = PK_STRING, .length = (uint32_t)strlen(text), .as.text = text};
}

pk_value pk_list_new(pk_vm *vm, uint32_t capacity) {
  pk_list *list = pk_alloc(vm, sizeof *list);
  if (!list) return pk_undefined();
  if (capacity) {
    list->items = pk_array(vm, capacity, sizeof *list->items);
    if (!list->items) return pk_undefined();
    list->capacity = capacity;
  }
  return (pk_value){.kind = PK_LIST, .as.list = list};
}

bool pk_list_push(pk_vm *vm, pk_list *list, pk_value value) {
  if (list->count == list->capacity) {
    uint32_t capacity = list->capacity ? list->capacity * 2 : 4;
    if (capacity < list->capacity) return pk_fail(vm, WNN_DATA_ERROR, "list is too long"), false;
    pk_value *items = pk_array(vm, capacity, sizeof *items);
    if (!items) return false;
    if (list->count) memcpy(items, list->items, list->count * sizeof *items);
    list->items = items;
    list->capacity = capacity;
  }
  list->items[list->count++] = value;
  return true;
}

pk_value pk_list_of_u32(pk_vm *vm, const uint32_t *items, uint32_t count) {
  pk_value list = pk_list_new(vm, count);
  if (vm->failed) return list;
  for (uint32_t i = 0; i < count; i++) pk_list_push(vm, list.as.list, pk_int(items[i]));
  return list;
}

pk_value pk_map_new(pk_vm *vm) {
  pk_map *map = pk_alloc(vm, sizeof *map);
  return map ? (pk_value){.kind = PK_MAP, .as.map = map} : pk_undefined();
}

static uint32_t hash_key(const char *key, size_t length) {
  uint32_t hash = 2166136261u;
  for (size_t i = 0; i < length; i++) hash = (hash ^ (unsigned char)key[i]) * 16777619u;
  return hash;
}

static pk_entry *find_entry(const pk_map *map, const char *key, size_t length, uint32_t hash) {
  if (map->slots) {
    for (uint32_t at = hash & (map->slot_count - 1);; at = (at + 1) & (map->slot_count - 1)) {
      if (!map->slots[at]) return NULL;
      pk_entry *entry = &map->entries[map->slots[at] - 1];
      if (entry->hash == hash && entry->length == length && !memcmp(entry->key, key, length)) return entry;
    }
  }
  for (uint32_t i = 0; i < map->count; i++) {
    pk_entry *entry = &map->entries[i];
    if (entry->hash == hash && entry->length == length && !memcmp(entry->key, key, length)) return entry;
  }
  return NULL;
}

static bool grow_map(pk_vm *vm, pk_map *map) {
  uint32_t capacity = map->capacity ? map->capacity * 2 : 4;
  if (capacity > UINT32_MAX / 4) return pk_fail(vm, WNN_DATA_ERROR, "map is too large"), false;
  pk_entry *entries = pk_array(vm, capacity, sizeof *entries);
  if (!entries) return false;
  if (map->count) memcpy(entries, map->entries, map->count * sizeof *entries);
  map->entries = entries;
  map->capacity = capacity;
  if (capacity < 16) return true;
  map->slots = NULL; /* a smaller index would be wrong; without one look-ups stay right */
  uint32_t slot_count = capacity * 2;
  uint32_t *slots = pk_array(vm, slot_count, sizeof *slots);
  if (!slots) return false;
  for (uint32_t i = 0; i < map->count; i++) {
    uint32_t at = entries[i].hash & (slot_count - 1);
    while (slots[at]) at = (at + 1) & (slot_count - 1);
    slots[at] = i + 1;
  }
  map->slots = slots;
  map->slot_count = slot_count;
  return true;
}

bool pk_map_set(pk_vm *vm, pk_map *map, const char *key, size_t length, pk_value value) {
  uint32_t hash = hash_key(key, length);
  pk_entry *entry = find_entry(map, key, length, hash);
  if (entry) {
    entry->value = value;
    return true;
  }
  if (length > UINT32_MAX - 1) return pk_fail(vm, WNN_DATA_ERROR, "key of %zu bytes", length), false;
  if (map->count == map->capacity && !grow_map(vm, map)) return false;
  map->entries[map->count] = (pk_entry){key, (uint32_t)length, hash, value};
  map->count++;
  if (map->slots) {
    uint32_t at = hash & (map->slot_count - 1);
    while (map->slots[at]) at = (at + 1) & (map->slot_count - 1);
    map->slots[at] = map->count;
  }
  return true;
}

bool pk_map_put(pk_vm *vm, pk_map *map, const char *key, pk_value value) {
  return pk_map_set(vm, map, key, strlen(key), value);
}

const pk_value *pk_map_get(const pk_map *map, const char *key, size_t length) {
  if (!map) return NULL;
  const pk_entry *entry = find_entry(map, key, length, hash_key(key, length));
  return entry ? &entry->value : NULL;
}

static pk_value normalize(pk_vm *vm, pk_value value, uint32_t depth) {
  if (vm->failed || !pk_step(vm, 1)) return value;
  if (value.kind == PK_FLOAT) return pk_number(value.as.number);
  if (depth > PK_MAX_DEPTH) return pk_fail(vm, WNN_DATA_ERROR, "value is nested too deeply"), value;
  if (value.kind == PK_LIST) {
    pk_value copy = pk_list_new(vm, value.as.list->count);
    for (uint32_t i = 0; i < value.as.list->count && !vm->failed; i++)
      pk_list_push(vm, copy.as.list, normalize(vm, value.as.list->items[i], depth + 1));
    return copy;
  }
  if (value.kind == PK_MAP || value.kind == PK_NAMESPACE) {
    pk_value copy = pk_map_new(vm);
    for (uint32_t i = 0; i < value.as.map->count && !vm->failed; i++) {
      const pk_entry *entry = &value.as.map->entries[i];
      pk_map_set(vm, copy.as.map, entry->key, entry->length, normalize(vm, entry->value, depth + 1));
    }
    return copy;
  }
  return value;
}

pk_value pk_normalize(pk_vm *vm, pk_value value) { return normalize(vm, value, 0); }

bool pk_truthy(pk_value value) {
  switch ((pk_kind)value.kind) {
  case PK_UNDEFINED:
  case PK_NULL: return false;
  case PK_BOOL: return value.as.boolean;
  case PK_INT:
  case PK_FLOAT: return value.as.number != 0 && !isnan(value.as.number);
  case PK_STRING: return value.length > 0;
  case PK_LIST: return value.as.list->count > 0;
  case PK_MAP: return value.as.map->count > 0;
  case PK_NAMESPACE:
  case PK_KEYWORDS:
  case PK_FUNCTION: return true;
  }
  return false;
}

const char *pk_kind_name(pk_value value) {
  static const char *const names[] = {"undefined", "null", "boolean",   "integer", "float",   "string",
                                      "list",      "map",  "namespace", "keyword", "function"};
  return names[value.kind];
}

/* ---- Text ------------------------------------------------------------------------------------------ */

bool pk_text_add(pk_vm *vm, pk_text *text, const char *data, size_t length) {
  if (vm->failed) return false;
  if (length > text->capacity - text->length) {
    size_t need = text->length + length, capacity = text->capacity * 2;
    if (capacity < need) capacity = need;
    if (capacity < 64) capacity = 64;
    char *grown = pk_alloc(vm, capacity);
    if (!grown) return false;
    if (text->length) memcpy(grown, text->data, text->length);
    text->data = grown;
    text->capacity = capacity;
  }
  if (length) memcpy(text->data + text->length, data, length);
  text->length += length;
  return pk_step(vm, length / 64);
}

bool pk_text_puts(pk_vm *vm, pk_text *text, const char *data) { return pk_text_add(vm, text, data, strlen(data)); }

bool pk_text_printf(pk_vm *vm, pk_text *text, const char *format, ...) {
  char buffer[512];
  va_list args;
  va_start(args, format);
  int length = vsnprintf(buffer, sizeof buffer, format, args);
  va_end(args);
  if (length < 0) return false;
  if ((size_t)length < sizeof buffer) return pk_text_add(vm, text, buffer, (size_t)length);
  char *large = pk_alloc(vm, (size_t)length + 1);
  if (!large) return false;
  va_start(args, format);
  vsnprintf(large, (size_t)length + 1, format, args);
  va_end(args);
  return pk_text_add(vm, text, large, (size_t)length);
}

pk_value pk_text_value(pk_vm *vm, pk_text *text) { return pk_string(vm, text->data, text->length); }

/* ---- Printing --------------------------------------------------------------------------------------- */

size_t pk_number_format(double n, char text[PK_NUMBER_TEXT]) {
  if (isnan(n)) return (size_t)snprintf(text, PK_NUMBER_TEXT, "NaN");
  if (isinf(n)) return (size_t)snprintf(text, PK_NUMBER_TEXT, n < 0 ? "-Infinity" : "Infinity");
  if (n > -1e15 && n < 1e15 && n == (double)(int64_t)n)
    return (size_t)snprintf(text, PK_NUMBER_TEXT, "%lld", (long long)n);
  char scientific[PK_NUMBER_TEXT];
  for (int precision = 0; precision < 17; precision++) {
    snprintf(scientific, sizeof scientific, "%.*e", precision, n);
    if (strtod(scientific, NULL) == n) break;
  }
  char digits[20];
  size_t count = 0;
  const char *at = scientific;
  bool negative = *at == '-';
  if (negative) at++;
  for (; *at && *at != 'e'; at++)
    if (*at >= '0' && *at <= '9') digits[count++] = *at;
  int exponent = (int)strtol(at + 1, NULL, 10);
  while (count > 1 && digits[count - 1] == '0') count--;
  size_t length = 0;
  if (negative) text[length++] = '-';
  int point = exponent + 1; /* digits in front of the point */
  if (point > 0 && point <= 21) {
    for (int i = 0; i < point; i++) text[length++] = (size_t)i < count ? digits[i] : '0';
    if (count > (size_t)point) {
      text[length++] = '.';
      for (size_t i = (size_t)point; i < count; i++) text[length++] = digits[i];
    }
  } else if (point <= 0 && point > -6) {
    text[length++] = '0';
    text[length++] = '.';
    for (int i = point; i < 0; i++) text[length++] = '0';
    for (size_t i = 0; i < count; i++) text[length++] = digits[i];
  } else {
    text[length++] = digits[0];
    if (count > 1) {
      text[length++] = '.';
      for (size_t i = 1; i < count; i++) text[length++] = digits[i];
    }
    length +=
        (size_t)snprintf(text + length, PK_NUMBER_TEXT - length, "e%c%d", exponent < 0 ? '-' : '+', abs(exponent));
  }
  text[length] = 0;
  return length;
}

static bool print_json_text(pk_vm *vm, pk_text *text, const char *data, size_t length, bool ascii) {
  pk_text_add(vm, text, "\"", 1);
  for (size_t i = 0; i < length; i++) {
    unsigned char c = (unsigned char)data[i];
    const char *escape = c == '"'    ? "\\\""
                         : c == '\\' ? "\\\\"
                         : c == '\n' ? "\\n"
                         : c == '\r' ? "\\r"
                         : c == '\t' ? "\\t"
                         : c == '\b' ? "\\b"
                         : c == '\f' ? "\\f"
                                     : NULL;
    if (escape) {
      pk_text_puts(vm, text, escape);
    } else if (c < 0x20 || (ascii && c == 0x7F)) {
      pk_text_printf(vm, text, "\\u%04x", c);
    } else if (ascii && c >= 0xC0) {
      uint32_t more = c >= 0xF0 ? 3 : c >= 0xE0 ? 2 : 1, code = c & (0x3Fu >> more);
      for (; more && i + 1 < length && ((unsigned char)data[i + 1] & 0xC0) == 0x80; more--)
        code = code << 6 | ((unsigned char)data[++i] & 0x3F);
      if (code >= 0x10000) {
        code -= 0x10000;
        pk_text_printf(vm, text, "\\u%04x\\u%04x", 0xD800 + (code >> 10), 0xDC00 + (code & 0x3FF));
      } else {
        pk_text_printf(vm, text, "\\u%04x", code);
      }
    } else {
      pk_text_add(vm, text, data + i, 1);
    }
  }
  return pk_text_add(vm, text, "\"", 1);
}

static bool print_break(pk_vm *vm, pk_text *text, const pk_json_style *style, uint32_t depth) {
  if (!style->indent) return true;
  pk_text_add(vm, text, "\n", 1);
  for (uint64_t i = 0; i < (uint64_t)style->indent * depth; i++)
    if (!pk_text_add(vm, text, " ", 1)) return false;
  return true;
}

bool pk_print_json(pk_vm *vm, pk_text *text, pk_value value, const pk_json_style *style, uint32_t depth) {
  const char *item = style->item ? style->item : style->indent ? "," : ", ";
  const char *colon = style->colon ? style->colon : ": ";
  char number[PK_NUMBER_TEXT];
  if (!pk_step(vm, 1)) return false;
  if (depth > PK_MAX_DEPTH) return pk_fail(vm, WNN_DATA_ERROR, "value is nested too deeply to print"), false;
  switch ((pk_kind)value.kind) {
  case PK_UNDEFINED: return pk_text_puts(vm, text, style->undefined_text ? style->undefined_text : "null");
  case PK_NULL: return pk_text_puts(vm, text, "null");
  case PK_BOOL: return pk_text_puts(vm, text, value.as.boolean ? "true" : "false");
  case PK_INT:
  case PK_FLOAT:
    if (isnan(value.as.number) || isinf(value.as.number)) return pk_text_puts(vm, text, "null");
    return pk_text_add(vm, text, number, pk_number_format(value.as.number, number));
  case PK_STRING: return print_json_text(vm, text, value.as.text, value.length, style->ascii);
  case PK_LIST:
    pk_text_add(vm, text, "[", 1);
    for (uint32_t i = 0; i < value.as.list->count && !vm->failed; i++) {
      if (i) pk_text_puts(vm, text, item);
      print_break(vm, text, style, depth + 1);
      pk_print_json(vm, text, value.as.list->items[i], style, depth + 1);
    }
    print_break(vm, text, style, depth);
    return pk_text_add(vm, text, "]", 1);
  case PK_MAP:
  case PK_NAMESPACE:
  case PK_KEYWORDS: {
    const pk_map *map = value.as.map;
    pk_text_add(vm, text, "{", 1);
    if (style->sort && !pk_step(vm, (uint64_t)map->count * map->count / 8)) return false;
    const pk_entry *previous = NULL;
    for (uint32_t i = 0; i < map->count && !vm->failed; i++) {
      const pk_entry *entry = &map->entries[i];
      if (style->sort) { /* the least key above the previous one: maps that are printed are small */
        entry = NULL;
        for (uint32_t j = 0; j < map->count; j++) {
          const pk_entry *other = &map->entries[j];
          if (previous && strcmp(other->key, previous->key) <= 0) continue;
          if (!entry || strcmp(other->key, entry->key) < 0) entry = other;
        }
        if (!entry) break;
        previous = entry;
      }
      if (i) pk_text_puts(vm, text, item);
      print_break(vm, text, style, depth + 1);
      print_json_text(vm, text, entry->key, entry->length, style->ascii);
      pk_text_puts(vm, text, colon);
      pk_print_json(vm, text, entry->value, style, depth + 1);
    }
    print_break(vm, text, style, depth);
    return pk_text_add(vm, text, "}", 1);
  }
  case PK_FUNCTION: pk_fail(vm, WNN_DATA_ERROR, "a function cannot be written as JSON"); return false;
  }
  return false;
}

bool pk_print(pk_vm *vm, pk_text *text, pk_value value) {
  char number[PK_NUMBER_TEXT];
  switch ((pk_kind)value.kind) {
  case PK_UNDEFINED:
  case PK_NULL: return true;
  case PK_BOOL: return pk_text_puts(vm, text, value.as.boolean ? "true" : "false");
  case PK_INT: return pk_text_add(vm, text, number, pk_number_format(value.as.number, number));
  case PK_FLOAT:
    if (value.as.number == 0) return pk_text_puts(vm, text, signbit(value.as.number) ? "-0.0" : "0.0");
    pk_text_add(vm, text, number, pk_number_format(value.as.number, number));
    if (value.as.number == floor(value.as.number) && fabs(value.as.number) < 1e21) pk_text_puts(vm, text, ".0");
    return !vm->failed;
  case PK_STRING: return pk_text_add(vm, text, value.as.text, value.length);
  default: return pk_print_json(vm, text, value, &(pk_json_style){.undefined_text = "undefined"}, 0);
  }
}

const char *pk_show(pk_vm *vm, pk_value value) {
  if (value.kind == PK_UNDEFINED) return "undefined";
  if (value.kind == PK_FUNCTION) return "a function";
  if (vm->failed) return "a value";
  pk_text text = {0};
  pk_print_json(vm, &text, value, &(pk_json_style){.item = ",", .colon = ":", .undefined_text = "undefined"}, 0);
  if (text.length > 80) {
    text.length = 80;
    while (text.length && ((unsigned char)text.data[text.length] & 0xC0) == 0x80) text.length--;
    pk_text_puts(vm, &text, "...");
  }
  pk_text_add(vm, &text, "", 1);
  bool good = !vm->failed;
  vm->failed = false; /* no reason to fail: a message is being made */
  return good && text.data ? text.data : "a value";
}
