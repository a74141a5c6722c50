/* Inputs of golden files: constants, lists, a linear congruential generator, drawn text, outputs of the step before. */
#include "onnx/recipe.h"

#include <stdlib.h>
#include <string.h>

bool recipe_desc(json_object *json, wnn_desc *desc) {
  static const struct {
    const char *name;
    wnn_data_type type;
  } types[] = {{"float32", WNN_FLOAT32}, {"float16", WNN_FLOAT16}, {"int32", WNN_INT32},
               {"uint32", WNN_UINT32},   {"int64", WNN_INT64},     {"uint64", WNN_UINT64},
               {"int8", WNN_INT8},       {"uint8", WNN_UINT8},     {"bool", WNN_UINT8}};
  const char *name = json_object_get_string(json_object_object_get(json, "dtype"));
  json_object *shape = json_object_object_get(json, "shape");
  bool known = false;
  memset(desc, 0, sizeof *desc);
  for (size_t i = 0; name && i < sizeof types / sizeof *types; i++) {
    if (strcmp(name, types[i].name)) continue;
    desc->data_type = types[i].type;
    known = true;
  }
  if (!known || !json_object_is_type(shape, json_type_array) || json_object_array_length(shape) > WNN_MAX_RANK)
    return false;
  desc->rank = (uint32_t)json_object_array_length(shape);
  for (uint32_t i = 0; i < desc->rank; i++)
    desc->shape[i] = (uint32_t)json_object_get_int64(json_object_array_get_idx(shape, i));
  return true;
}

double recipe_element(wnn_data_type type, const void *data, size_t index) {
  switch (type) {
  case WNN_FLOAT32: return (double)((const float *)data)[index];
  case WNN_INT32: return ((const int32_t *)data)[index];
  case WNN_UINT32: return ((const uint32_t *)data)[index];
  case WNN_INT64: return (double)((const int64_t *)data)[index];
  case WNN_UINT64: return (double)((const uint64_t *)data)[index];
  case WNN_INT8: return ((const int8_t *)data)[index];
  case WNN_UINT8: return ((const uint8_t *)data)[index];
  default: {
    uint16_t bits = ((const uint16_t *)data)[index];
    int exponent = bits >> 10 & 31;
    double value = exponent ? 1024 + (bits & 1023) : bits & 1023;
    for (int i = exponent ? exponent : 1; i < 25; i++) value /= 2;
    for (int i = 25; i < exponent; i++) value *= 2;
    return bits & 0x8000 ? -value : value;
  }
  }
}

static void store_int(wnn_data_type type, char *data, size_t index, json_object *value) {
  wnn_number number = json_object_is_type(value, json_type_double) ? wnn_number_double(json_object_get_double(value))
                                                                   : wnn_number_int64(json_object_get_int64(value));
  wnn_number_store(number, type, data + index * wnn_data_type_size(type));
}

static double member(json_object *recipe, const char *name) {
  return json_object_get_double(json_object_object_get(recipe, name));
}

static void congruential(json_object *recipe, const wnn_desc *desc, char *data, size_t count) {
  uint32_t x = (uint32_t)json_object_get_int64(json_object_object_get(recipe, "seed"));
  double lo = member(recipe, "lo"), hi = member(recipe, "hi");
  for (size_t i = 0; i < count; i++) {
    x = x * 1664525u + 1013904223u;
    float value = (float)(lo + (hi - lo) * (double)(x >> 8) / 16777216.0);
    wnn_number_store(wnn_number_double((double)value), desc->data_type, data + i * wnn_data_type_size(desc->data_type));
  }
}

/* Fills one scaled dot of a letter in every channel and batch row. */
static void dot(const wnn_desc *desc, float *data, size_t x0, size_t y0, size_t scale, float value) {
  size_t h = desc->shape[2], w = desc->shape[3], planes = (size_t)desc->shape[0] * desc->shape[1];
  for (size_t p = 0; p < planes; p++) {
    for (size_t y = y0; y < y0 + scale && y < h; y++) {
      for (size_t x = x0; x < x0 + scale && x < w; x++) data[(p * h + y) * w + x] = value;
    }
  }
}

static bool text(json_object *recipe, const wnn_desc *desc, json_object *font, float *data, size_t count) {
  const char *letters = json_object_get_string(json_object_object_get(recipe, "text"));
  if (desc->rank != 4 || desc->data_type != WNN_FLOAT32 || !letters || !font) return false;
  size_t left = (size_t)member(recipe, "x"), top = (size_t)member(recipe, "y"), scale = (size_t)member(recipe, "scale");
  for (size_t i = 0; i < count; i++) data[i] = (float)member(recipe, "bg");
  json_object *glyphs = json_object_object_get(font, "glyphs");
  for (size_t i = 0; letters[i]; i++) {
    char name[2] = {letters[i], 0};
    json_object *rows = json_object_object_get(glyphs ? glyphs : font, name);
    if (!rows) return false;
    for (size_t r = 0; r < 7; r++) {
      int bits = json_object_get_int(json_object_array_get_idx(rows, r));
      for (size_t col = 0; col < 5; col++) {
        if (bits >> (4 - col) & 1)
          dot(desc, data, left + (6 * i + col) * scale, top + r * scale, scale, (float)member(recipe, "fg"));
      }
    }
  }
  size_t plane = (size_t)desc->shape[2] * desc->shape[3];
  bool turned = json_object_get_boolean(json_object_object_get(recipe, "rot180"));
  for (size_t start = 0; turned && start < count; start += plane) {
    for (size_t i = 0; i < plane / 2; i++) {
      float value = data[start + i];
      data[start + i] = data[start + plane - 1 - i];
      data[start + plane - 1 - i] = value;
    }
  }
  return true;
}

void *recipe_data(json_object *recipe, const wnn_desc *desc, json_object *font, const wnn_onnx_result *previous,
                  const char **why) {
  const char *kind = json_object_get_string(json_object_object_get(recipe, "kind"));
  size_t count = (size_t)wnn_desc_elements(desc), size = (size_t)wnn_desc_bytes(desc);
  char *data = calloc(size ? size : 1, 1);
  bool good = data && kind;
  *why = "the recipe is unknown or does not fit";
  if (!good) {
  } else if (!strcmp(kind, "const")) {
    for (size_t i = 0; i < count; i++) store_int(desc->data_type, data, i, json_object_object_get(recipe, "value"));
  } else if (!strcmp(kind, "list")) {
    json_object *values = json_object_object_get(recipe, "values");
    good = json_object_array_length(values) == count;
    for (size_t i = 0; good && i < count; i++)
      store_int(desc->data_type, data, i, json_object_array_get_idx(values, i));
  } else if (!strcmp(kind, "lcg")) {
    congruential(recipe, desc, data, count);
  } else if (!strcmp(kind, "text5x7")) {
    good = text(recipe, desc, font, (float *)(void *)data, count);
  } else if (!strcmp(kind, "prev")) {
    const wnn_onnx_tensor *from =
        previous ? wnn_onnx_result_find(previous, json_object_get_string(json_object_object_get(recipe, "output")))
                 : NULL;
    good = from && from->size == size;
    if (good) memcpy(data, from->data, size);
  } else {
    good = false;
  }
  if (good) return data;
  free(data);
  return NULL;
}
