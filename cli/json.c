/* Tensors as JSON: {"name": {"dataType": "float32", "shape": [2, 2], "data": [1, 2, 3, 4]}} or nested arrays. */
#include <json-c/json.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"

static bool nested_shape(struct json_object *value, cli_array *array) {
  array->rank = 0;
  while (json_object_is_type(value, json_type_array)) {
    if (array->rank == WNN_MAX_RANK) return false;
    size_t length = json_object_array_length(value);
    if (length > INT32_MAX) return false;
    array->shape[array->rank++] = (uint32_t)length;
    if (!length) break;
    value = json_object_array_get_idx(value, 0);
  }
  return true;
}

static bool given_shape(struct json_object *value, cli_array *array) {
  size_t rank = json_object_array_length(value);
  if (rank > WNN_MAX_RANK) return false;
  for (size_t i = 0; i < rank; i++) {
    int64_t size = json_object_get_int64(json_object_array_get_idx(value, i));
    if (size < 0 || size > INT32_MAX) return false;
    array->shape[i] = (uint32_t)size;
  }
  array->rank = (uint32_t)rank;
  return true;
}

/* Whether nested arrays have the lengths of the shape at every depth. */
static bool fits(struct json_object *value, const cli_array *array, uint32_t depth) {
  bool list = json_object_is_type(value, json_type_array);
  if (depth == array->rank) return !list;
  if (!list || json_object_array_length(value) != array->shape[depth]) return false;
  for (size_t i = 0; i < json_object_array_length(value); i++)
    if (!fits(json_object_array_get_idx(value, i), array, depth + 1)) return false;
  return true;
}

/* A list of numbers only. */
static bool flat(struct json_object *value) {
  if (!json_object_is_type(value, json_type_array)) return false;
  for (size_t i = 0; i < json_object_array_length(value); i++)
    if (json_object_is_type(json_object_array_get_idx(value, i), json_type_array)) return false;
  return true;
}

static bool is_number(struct json_object *value) {
  return json_object_is_type(value, json_type_int) || json_object_is_type(value, json_type_double) ||
         json_object_is_type(value, json_type_boolean) || json_object_is_type(value, json_type_string) ||
         json_object_is_type(value, json_type_null);
}

static bool whole(struct json_object *value) {
  if (!json_object_is_type(value, json_type_array)) return json_object_is_type(value, json_type_int);
  for (size_t i = 0; i < json_object_array_length(value); i++)
    if (!whole(json_object_array_get_idx(value, i))) return false;
  return true;
}

/* Appends all numbers in order; null is NaN, strings may say Infinity, -Infinity, NaN. */
static bool append(struct json_object *value, cli_array *array, uint64_t count, uint64_t *used) {
  if (json_object_is_type(value, json_type_array)) {
    for (size_t i = 0; i < json_object_array_length(value); i++)
      if (!append(json_object_array_get_idx(value, i), array, count, used)) return false;
    return true;
  }
  if (!is_number(value) || *used >= count) return false;
  if (array->kind == 'i')
    ((int64_t *)array->data)[(*used)++] = json_object_get_int64(value);
  else
    ((double *)array->data)[(*used)++] =
        json_object_is_type(value, json_type_null) ? NAN : json_object_get_double(value);
  return true;
}

static bool to_array(struct json_object *value, const char *name, cli_array *array) {
  struct json_object *data = value, *shape = NULL;
  bool good = true;
  *array = (cli_array){'f', 8, 0, {0}, NULL};
  if (json_object_is_type(value, json_type_object)) {
    json_object_object_get_ex(value, "shape", &shape);
    if (!json_object_object_get_ex(value, "data", &data)) good = false;
    if (shape && !json_object_is_type(shape, json_type_array)) good = false;
  }
  if (good) good = shape ? given_shape(shape, array) : nested_shape(data, array);
  uint64_t count = 0, used = 0;
  good = good && (fits(data, array, 0) || (shape && flat(data)));
  if (good && whole(data)) array->kind = 'i';
  if (good && !cli_array_alloc(array, name)) return false;
  good = good && cli_count(array->rank, array->shape, &count) && append(data, array, count, &used) && used == count;
  if (good) return true;
  cli_fail("\"%s\" is no tensor: give nested arrays of numbers, or an object with shape and data of as many elements.",
           name);
  cli_array_free(array);
  return false;
}

bool cli_read_json(const char *path, cli_array_fn take, void *user) {
  size_t size;
  char *text = cli_read_file(path, &size);
  if (!text) return false;
  enum json_tokener_error error;
  struct json_object *root = json_tokener_parse_verbose(text, &error);
  free(text);
  bool done = json_object_is_type(root, json_type_object) || json_object_is_type(root, json_type_array);
  if (!done) cli_fail("%s: %s.", path, root ? "it holds no object of tensors" : json_tokener_error_desc(error));
  cli_array array;
  if (done && json_object_is_type(root, json_type_array)) {
    done = to_array(root, path, &array) && take(user, "", &array);
  } else if (done) {
    json_object_object_foreach(root, name, value) {
      if (done) done = to_array(value, name, &array) && take(user, name, &array);
    }
  }
  json_object_put(root);
  return done;
}

struct json_object *cli_tensor_json(const wnn_desc *desc, const void *data) {
  struct json_object *out = json_object_new_object(), *shape = json_object_new_array(), *list = json_object_new_array();
  uint64_t count = 0;
  for (uint32_t i = 0; i < desc->rank; i++) json_object_array_add(shape, json_object_new_int64(desc->shape[i]));
  cli_count(desc->rank, desc->shape, &count);
  for (uint64_t i = 0; i < count; i++) {
    double value = cli_element(desc, data, i);
    struct json_object *item;
    if (desc->data_type == WNN_INT64) {
      int64_t exact;
      memcpy(&exact, (const char *)data + i * 8, 8);
      item = json_object_new_int64(exact);
    } else if (desc->data_type == WNN_UINT64) {
      uint64_t exact;
      memcpy(&exact, (const char *)data + i * 8, 8);
      item = json_object_new_uint64(exact);
    } else if (!cli_is_float(desc->data_type)) {
      item = json_object_new_int64((int64_t)value);
    } else if (isfinite(value)) {
      char text[32];
      snprintf(text, sizeof text, "%.9g", value);
      item = json_object_new_double_s(value, text);
    } else {
      item = json_object_new_string(isnan(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity");
    }
    json_object_array_add(list, item);
  }
  json_object_object_add(out, "dataType", json_object_new_string(wnn_data_type_name(desc->data_type)));
  json_object_object_add(out, "shape", shape);
  json_object_object_add(out, "data", list);
  return out;
}

bool cli_write_json(const char *path, struct json_object *object) {
  FILE *file = strcmp(path, "-") ? fopen(path, "w") : stdout;
  const char *text = json_object_to_json_string_ext(object, JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_NOSLASHESCAPE);
  bool done = file && fprintf(file, "%s\n", text) > 0;
  if (file && file != stdout && fclose(file)) done = false;
  if (!done) cli_fail("%s cannot be written.", path);
  return done;
}
