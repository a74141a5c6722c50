/* JSON into values of the pack language. */
#include "packs/manifest.h"

#include <json-c/json.h>

static pk_value convert(pk_vm *vm, json_object *object, uint32_t depth, const char *what) {
  if (!pk_step(vm, 1)) return pk_undefined();
  if (depth > PK_MAX_DEPTH) {
    pk_fail(vm, WNN_DATA_ERROR, "%s is nested too deeply", what);
    return pk_undefined();
  }
  switch (json_object_get_type(object)) {
  case json_type_null: return pk_null();
  case json_type_boolean: return pk_bool(json_object_get_boolean(object));
  case json_type_double:
  case json_type_int: return pk_number(json_object_get_double(object));
  case json_type_string:
    return pk_string(vm, json_object_get_string(object), (size_t)json_object_get_string_len(object));
  case json_type_array: {
    size_t count = json_object_array_length(object);
    pk_value list = pk_list_new(vm, (uint32_t)count);
    for (size_t i = 0; i < count && !vm->failed; i++)
      pk_list_push(vm, list.as.list, convert(vm, json_object_array_get_idx(object, i), depth + 1, what));
    return list;
  }
  case json_type_object: {
    pk_value map = pk_map_new(vm);
    struct json_object_iterator at = json_object_iter_begin(object), end = json_object_iter_end(object);
    for (; !json_object_iter_equal(&at, &end) && !vm->failed; json_object_iter_next(&at)) {
      const char *name = json_object_iter_peek_name(&at);
      json_object *member = json_object_iter_peek_value(&at);
      if (!strcmp(name, "$comment")) {
        if (!json_object_is_type(member, json_type_string))
          pk_fail(vm, WNN_DATA_ERROR, "%s: $comment must be a string", what);
        continue;
      }
      pk_value key = pk_string(vm, name, strlen(name));
      pk_value value = convert(vm, member, depth + 1, what);
      if (!vm->failed) pk_map_set(vm, map.as.map, key.as.text, key.length, value);
    }
    return map;
  }
  }
  return pk_undefined();
}

pk_value pk_json_parse(pk_vm *vm, const char *data, size_t length, const char *what) {
  if (vm->failed) return pk_undefined();
  /* the reader keeps a few times the text, so the text itself is held to a part of the memory limit */
  if (length > vm->max_bytes / 4 || length > INT32_MAX / 2) {
    pk_fail(vm, WNN_DATA_ERROR, "%s is too large (%zu bytes)", what, length);
    return pk_undefined();
  }
  if (length >= 3 && !memcmp(data, "\xEF\xBB\xBF", 3)) {
    data += 3;
    length -= 3;
  }
  struct json_tokener *reader = json_tokener_new_ex(PK_MAX_DEPTH);
  if (!reader) {
    pk_fail(vm, WNN_OUT_OF_MEMORY, "out of memory");
    return pk_undefined();
  }
  json_tokener_set_flags(reader, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
  json_object *object = json_tokener_parse_ex(reader, data, (int)length);
  enum json_tokener_error problem = json_tokener_get_error(reader);
  size_t end = json_tokener_get_parse_end(reader);
  if (problem == json_tokener_continue && !object) { /* a number may be at the end of the text */
    object = json_tokener_parse_ex(reader, "", 1);
    problem = json_tokener_get_error(reader);
    end = length;
  }
  if (problem != json_tokener_success) {
    size_t line = 1;
    for (size_t i = 0; i < end && i < length; i++) line += data[i] == '\n';
    pk_fail(vm, WNN_DATA_ERROR, "%s, line %zu: %s", what, line, json_tokener_error_desc(problem));
  }
  while (end < length && strchr(" \t\r\n", data[end])) end++;
  if (end < length && data[end]) pk_fail(vm, WNN_DATA_ERROR, "%s: text behind the end of the value", what);
  pk_value value = vm->failed ? pk_undefined() : convert(vm, object, 0, what);
  json_object_put(object);
  json_tokener_free(reader);
  return value;
}
