/* Conversions of Web IDL: numbers, strings, enumerations, sequences, dictionaries, records. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "binding.h"

/* ---- Numbers ---- */

static bool to_double(node_call *call, napi_value value, double *out) {
  if (napi_get_value_double(call->env, value, out) == napi_ok) return true;
  napi_value number;
  return napi_coerce_to_number(call->env, value, &number) == napi_ok &&
         napi_get_value_double(call->env, number, out) == napi_ok;
}

bool node_to_u32(node_call *call, napi_value value, const char *what, bool modulo, uint32_t *out) {
  double number;
  if (!to_double(call, value, &number)) return false;
  if (modulo) {
    if (!isfinite(number)) number = 0;
    double wrapped = fmod(trunc(number), 4294967296.0);
    *out = (uint32_t)(wrapped < 0 ? wrapped + 4294967296.0 : wrapped);
    return true;
  }
  if (!isfinite(number)) return node_throw(call, "%s: The value is not a finite number.", what);
  number = trunc(number);
  if (number < 0 || number > 4294967295.0)
    return node_throw(call, "%s: The value is outside the range of unsigned long.", what);
  *out = (uint32_t)number;
  return true;
}

bool node_to_i32(node_call *call, napi_value value, const char *what, int32_t *out) {
  double number;
  if (!to_double(call, value, &number)) return false;
  if (!isfinite(number)) return node_throw(call, "%s: The value is not a finite number.", what);
  number = trunc(number);
  if (number < -2147483648.0 || number > 2147483647.0)
    return node_throw(call, "%s: The value is outside the range of long.", what);
  *out = (int32_t)number;
  return true;
}

bool node_to_double(node_call *call, napi_value value, const char *what, double *out) {
  if (!to_double(call, value, out)) return false;
  return isfinite(*out) || node_throw(call, "%s: The value is not a finite number.", what);
}

bool node_to_float(node_call *call, napi_value value, const char *what, float *out) {
  double number;
  if (!node_to_double(call, value, what, &number)) return false;
  /* Doubles that round to 2^128 have no float; the conversion would be undefined. */
  if (fabs(number) >= 0x1.ffffffp127) return node_throw(call, "%s: The value is outside the range of float.", what);
  *out = (float)number;
  return true;
}

bool node_to_bool(node_call *call, napi_value value, bool *out) {
  napi_value boolean;
  return napi_coerce_to_bool(call->env, value, &boolean) == napi_ok &&
         napi_get_value_bool(call->env, boolean, out) == napi_ok;
}

/* A bigint of more than 64 bits as a double. The last bit of the fraction is set when bits are lost, so
 * that a later rounding to a narrower format is right; clamping to integers is not affected. */
static bool wide_bigint(node_call *call, napi_value value, size_t count, wnn_number *out) {
  uint64_t *words = node_call_alloc(call, count * sizeof *words);
  int sign = 0;
  if (!words || napi_get_value_bigint_words(call->env, value, &sign, &count, words) != napi_ok) return false;
  while (count > 1 && !words[count - 1]) count--;
  if (count > 16) {
    *out = wnn_number_double(sign ? -INFINITY : INFINITY);
    return true;
  }
  uint64_t high = words[count - 1], low = count > 1 ? words[count - 2] : 0;
  int shift = 0;
  while (!(high >> 63 & 1)) high = high << 1 | low >> 63, low <<= 1, shift++;
  bool lost = (high & 0x7FF) || low;
  for (size_t i = 0; i + 2 < count; i++) lost |= words[i] != 0;
  uint64_t kept = high >> 11 | (uint64_t)lost; /* 53 bits */
  double number = ldexp((double)kept, (int)(64 * (count - 1)) + 11 - shift);
  *out = wnn_number_double(sign ? -number : number);
  return true;
}

bool node_to_number(node_call *call, napi_value value, wnn_number *out) {
  napi_valuetype type;
  double number;
  if (napi_typeof(call->env, value, &type) != napi_ok) return false;
  if (type == napi_object || type == napi_function) {
    napi_value receiver, numeric;
    napi_get_undefined(call->env, &receiver);
    if (napi_call_function(call->env, receiver, node_value_get(call->state, NODE_VALUE_TO_NUMERIC), 1, &value,
                           &numeric) != napi_ok)
      return false;
    value = numeric;
    napi_typeof(call->env, value, &type);
  }
  if (type == napi_bigint) {
    int sign = 0;
    size_t count = 1;
    uint64_t word = 0;
    /* With room for one word, count tells how many there are. */
    if (napi_get_value_bigint_words(call->env, value, &sign, &count, &word) != napi_ok) return false;
    if (count > 1 || (sign && word > (uint64_t)1 << 63)) {
      if (napi_get_value_bigint_words(call->env, value, NULL, &count, NULL) != napi_ok) return false;
      return wide_bigint(call, value, count, out);
    }
    *out = sign ? wnn_number_int64((int64_t)(0 - word)) : wnn_number_uint64(word);
    return true;
  }
  if (!to_double(call, value, &number)) return false;
  *out = wnn_number_double(number);
  return true;
}

/* ---- Strings and enumerations ---- */

bool node_to_string(node_call *call, napi_value value, const char **out) {
  napi_value string;
  size_t length = 0, size;
  if (napi_coerce_to_string(call->env, value, &string) != napi_ok) return false;
  if (napi_get_value_string_utf8(call->env, string, NULL, 0, &length) != napi_ok) return false;
  char *text = node_call_alloc(call, length + 1);
  if (!text) return false;
  if (napi_get_value_string_utf8(call->env, string, text, length + 1, &size) != napi_ok) return false;
  if (memchr(text, 0, size)) {
    char *escaped = node_call_alloc(call, 2 * size + 1), *at = escaped;
    if (!escaped) return false;
    for (size_t i = 0; i < size; i++) {
      if (text[i])
        *at++ = text[i];
      else
        *at++ = (char)0xC0, *at++ = (char)0x80;
    }
    *at = 0;
    text = escaped;
  }
  *out = text;
  return true;
}

bool node_to_enum(node_call *call, napi_value value, const char *what, const char *type, const char *const *values,
                  uint32_t count, int32_t *out) {
  const char *text;
  if (!node_to_string(call, value, &text)) return false;
  for (uint32_t i = 0; i < count; i++)
    if (!strcmp(text, values[i])) {
      *out = (int32_t)i;
      return true;
    }
  return node_throw(call, "%s: The value '%.100s' is not a valid %s.", what, text, type);
}

bool node_to_data_type(node_call *call, napi_value value, const char *what, int32_t *out) {
#define X(constant, number, name, bytes) name,
  static const char *const names[] = {WNN_DATA_TYPE_LIST(X)};
#undef X
  return node_to_enum(call, value, what, "MLOperandDataType", names, WNN_DATA_TYPE_COUNT, out);
}

/* ---- Sequences ---- */

bool node_is_object(napi_env env, napi_value value) {
  napi_valuetype type;
  return napi_typeof(env, value, &type) == napi_ok && (type == napi_object || type == napi_function);
}

bool node_iterate(node_call *call, napi_value value, const char *what, node_iteration *iteration, bool *found) {
  napi_value method = NULL;
  bool same = false;
  if (found) *found = false;
  if (!node_is_object(call->env, value)) return found || node_throw(call, "%s: The value is not a sequence.", what);
  if (napi_get_property(call->env, value, node_value_get(call->state, NODE_VALUE_SYMBOL_ITERATOR), &method) != napi_ok)
    return false;
  napi_valuetype type;
  napi_typeof(call->env, method, &type);
  if (type == napi_undefined || type == napi_null)
    return found || node_throw(call, "%s: The object must have a callable @@iterator property.", what);
  if (type != napi_function) return node_throw(call, "%s: The @@iterator property is not callable.", what);
  if (found) *found = true;
  /* Arrays with the built-in iterator are read by index. */
  iteration->array = false;
  if (napi_is_array(call->env, value, &iteration->array) == napi_ok && iteration->array)
    napi_strict_equals(call->env, method, node_value_get(call->state, NODE_VALUE_ARRAY_VALUES), &same);
  iteration->array = iteration->array && same;
  iteration->index = 0;
  iteration->object = value;
  if (iteration->array) return true;
  if (napi_call_function(call->env, value, method, 0, NULL, &iteration->object) != napi_ok) return false;
  if (!node_is_object(call->env, iteration->object))
    return node_throw(call, "%s: The result of @@iterator is not an object.", what);
  return napi_get_named_property(call->env, iteration->object, "next", &iteration->next) == napi_ok;
}

bool node_next(node_call *call, node_iteration *iteration, napi_value *value) {
  *value = NULL;
  if (iteration->array) {
    uint32_t length;
    if (napi_get_array_length(call->env, iteration->object, &length) != napi_ok) return false;
    return iteration->index >= length ||
           napi_get_element(call->env, iteration->object, iteration->index++, value) == napi_ok;
  }
  napi_value result, done;
  bool finished;
  napi_valuetype type;
  if (napi_typeof(call->env, iteration->next, &type) != napi_ok) return false;
  if (type != napi_function) return node_throw(call, "The iterator's next property is not callable.");
  if (napi_call_function(call->env, iteration->object, iteration->next, 0, NULL, &result) != napi_ok) return false;
  if (!node_is_object(call->env, result)) return node_throw(call, "The result of the iterator is not an object.");
  if (napi_get_named_property(call->env, result, "done", &done) != napi_ok || !node_to_bool(call, done, &finished))
    return false;
  return finished || napi_get_named_property(call->env, result, "value", value) == napi_ok;
}

/* A growing list in a call's memory. */
typedef struct list {
  char *data;
  uint32_t count, capacity;
} list;

static void *list_push(node_call *call, list *l, size_t size) {
  if (l->count == l->capacity) {
    uint32_t capacity = l->capacity ? l->capacity * 2 : 8;
    if (capacity <= l->capacity) return node_throw_memory(call->state);
    char *data = node_call_alloc(call, capacity * size);
    if (!data) return NULL;
    if (l->count) memcpy(data, l->data, l->count * size);
    l->data = data;
    l->capacity = capacity;
  }
  return l->data + l->count++ * size;
}

/* Items of an iteration as u32; an empty list still has a pointer, since NULL means absent. */
static bool read_u32_items(node_call *call, node_iteration *iteration, const char *what, bool modulo, list *items) {
  napi_value item;
  *items = (list){0};
  if (!list_push(call, items, sizeof(uint32_t))) return false;
  items->count = 0;
  for (;;) {
    uint32_t number, *slot;
    if (!node_next(call, iteration, &item)) return false;
    if (!item) return true;
    if (!node_to_u32(call, item, what, modulo, &number)) return false;
    if (!(slot = list_push(call, items, sizeof *slot))) return false;
    *slot = number;
  }
}

bool node_to_u32_list(node_call *call, napi_value value, const char *what, bool modulo, wnn_u32_list *out) {
  node_iteration iteration;
  list items;
  if (!node_iterate(call, value, what, &iteration, NULL)) return false;
  if (!read_u32_items(call, &iteration, what, modulo, &items)) return false;
  *out = (wnn_u32_list){(const uint32_t *)(const void *)items.data, items.count};
  return true;
}

bool node_to_u32_list_or(node_call *call, napi_value value, const char *what, bool *sequence, wnn_u32_list *out) {
  node_iteration iteration;
  list items;
  if (!node_iterate(call, value, what, &iteration, sequence)) return false;
  if (!*sequence) return true;
  if (!read_u32_items(call, &iteration, what, false, &items)) return false;
  *out = (wnn_u32_list){(const uint32_t *)(const void *)items.data, items.count};
  return true;
}

bool node_to_f32_list(node_call *call, napi_value value, const char *what, wnn_f32_list *out) {
  node_iteration iteration;
  list items = {0};
  napi_value item;
  if (!node_iterate(call, value, what, &iteration, NULL)) return false;
  if (!list_push(call, &items, sizeof(float))) return false;
  items.count = 0;
  for (;;) {
    float number, *slot;
    if (!node_next(call, &iteration, &item)) return false;
    if (!item) break;
    if (!node_to_float(call, item, what, &number)) return false;
    if (!(slot = list_push(call, &items, sizeof *slot))) return false;
    *slot = number;
  }
  *out = (wnn_f32_list){(const float *)(const void *)items.data, items.count};
  return true;
}

bool node_to_enum_list(node_call *call, napi_value value, const char *what, const wnn_enum_info *info,
                       wnn_enum_list *out) {
  node_iteration iteration;
  list items = {0};
  napi_value item;
  if (!node_iterate(call, value, what, &iteration, NULL)) return false;
  if (!list_push(call, &items, sizeof(int32_t))) return false;
  items.count = 0;
  for (;;) {
    int32_t number, *slot;
    if (!node_next(call, &iteration, &item)) return false;
    if (!item) break;
    if (!node_to_enum(call, item, what, info->name, info->values, info->count, &number)) return false;
    if (!(slot = list_push(call, &items, sizeof *slot))) return false;
    *slot = number;
  }
  *out = (wnn_enum_list){(const int32_t *)(const void *)items.data, items.count};
  return true;
}

/* ---- Objects, dictionaries, records ---- */

void *node_to_object(node_call *call, napi_value value, const char *what, node_kind kind) {
  void *object = node_peek(call->env, value, kind);
  if (!object) node_throw(call, "%s: The value is not of type '%s'.", what, node_kind_names[kind]);
  return object;
}

bool node_dictionary_given(node_call *call, napi_value value, const char *what, bool *ok) {
  napi_valuetype type;
  *ok = napi_typeof(call->env, value, &type) == napi_ok;
  if (!*ok || type == napi_undefined || type == napi_null) return false;
  if (type == napi_object || type == napi_function) return true;
  *ok = node_throw(call, "%s: The value is not an object.", what);
  return false;
}

bool node_member(node_call *call, napi_value dictionary, const char *name, napi_value *value) {
  napi_valuetype type;
  if (napi_get_named_property(call->env, dictionary, name, value) != napi_ok) return false;
  napi_typeof(call->env, *value, &type);
  if (type == napi_undefined) *value = NULL;
  return true;
}

bool node_to_desc(node_call *call, napi_value value, const char *what, wnn_desc *desc, uint32_t *flags) {
  bool ok, flag;
  napi_value member;
  int32_t type = 0;
  wnn_u32_list shape;
  if (!node_dictionary_given(call, value, what, &ok))
    return ok ? node_throw(call, "%s: The required member dataType is undefined.", what) : false;
  /* The base dictionary's members come first, each dictionary's in lexicographic order. */
  if (!node_member(call, value, "dataType", &member)) return false;
  if (!member) return node_throw(call, "%s: The required member dataType is undefined.", what);
  if (!node_to_data_type(call, member, "dataType", &type)) return false;
  if (!node_member(call, value, "shape", &member)) return false;
  if (!member) return node_throw(call, "%s: The required member shape is undefined.", what);
  if (!node_to_u32_list(call, member, "shape", false, &shape)) return false;
  *desc = (wnn_desc){.data_type = (wnn_data_type)type, .rank = shape.count};
  for (uint32_t i = 0; i < shape.count && i < WNN_MAX_RANK; i++) desc->shape[i] = shape.data[i];
  if (!flags) return true;
  *flags = 0;
  static const struct {
    const char *name;
    uint32_t bit;
  } members[] = {{"readable", WNN_TENSOR_READABLE}, {"writable", WNN_TENSOR_WRITABLE}};
  for (int i = 0; i < 2; i++) {
    if (!node_member(call, value, members[i].name, &member)) return false;
    if (!member) continue;
    if (!node_to_bool(call, member, &flag)) return false;
    if (flag) *flags |= members[i].bit;
  }
  return true;
}

/* Asked anew for each key: reading the members before it can have changed the answer. */
static bool enumerable(node_call *call, napi_value object, napi_value key, bool *out) {
  napi_value receiver, answer, arguments[] = {object, key};
  return napi_get_undefined(call->env, &receiver) == napi_ok &&
         napi_call_function(call->env, receiver, node_value_get(call->state, NODE_VALUE_ENUMERABLE), 2, arguments,
                            &answer) == napi_ok &&
         napi_get_value_bool(call->env, answer, out) == napi_ok;
}

bool node_to_record(node_call *call, napi_value value, const char *what, node_kind kind, node_entry **entries,
                    size_t *count) {
  napi_value keys, key, item;
  uint32_t length;
  bool wanted;
  if (!node_is_object(call->env, value)) return node_throw(call, "%s: The value is not an object.", what);
  if (napi_get_all_property_names(call->env, value, napi_key_own_only, napi_key_all_properties,
                                  napi_key_numbers_to_strings, &keys) != napi_ok ||
      napi_get_array_length(call->env, keys, &length) != napi_ok)
    return false;
  node_entry *found = node_call_alloc(call, (length ? length : 1) * sizeof *found);
  if (!found) return false;
  size_t used = 0;
  for (uint32_t i = 0; i < length; i++) {
    const char *name;
    if (napi_get_element(call->env, keys, i, &key) != napi_ok || !enumerable(call, value, key, &wanted)) return false;
    if (!wanted) continue;
    /* A symbol cannot become a string: TypeError, as Web IDL has it. */
    if (!node_to_string(call, key, &name)) return false;
    if (napi_get_property(call->env, value, key, &item) != napi_ok) return false;
    void *object = node_peek(call->env, item, kind);
    if (!object)
      return node_throw(call, "%s: The value of '%.100s' is not of type '%s'.", what, name, node_kind_names[kind]);
    /* Keys that differ only in lone surrogates, which became U+FFFD, are one name; the later value wins, in the first
     * place. */
    size_t at = strstr(name, "\xEF\xBF\xBD") ? 0 : used;
    while (at < used && strcmp(found[at].name, name)) at++;
    found[at] = (node_entry){name, object};
    if (at == used) used++;
  }
  *entries = found;
  *count = used;
  return true;
}
