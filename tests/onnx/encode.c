/* Writes ONNX models from JSON. Independent of the library's reader. */
#include "onnx/encode.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Wire format --------------------------------------------------------------------------------------- */

void put_bits(bytes *b, const void *data, size_t size) {
  if (b->size + size > b->capacity) {
    b->capacity = (b->size + size) * 2 + 64;
    b->data = realloc(b->data, b->capacity);
    if (!b->data) abort();
  }
  if (size) memcpy(b->data + b->size, data, size);
  b->size += size;
}

void bytes_free(bytes *b) {
  free(b->data);
  *b = (bytes){NULL, 0, 0};
}

void put_varint(bytes *b, uint64_t value) {
  do {
    uint8_t byte = (uint8_t)(value & 0x7F);
    value >>= 7;
    if (value) byte |= 0x80;
    put_bits(b, &byte, 1);
  } while (value);
}

void put_int(bytes *b, uint32_t field, int64_t value) {
  put_varint(b, (uint64_t)field << 3);
  put_varint(b, (uint64_t)value);
}

void put_bytes(bytes *b, uint32_t field, const void *data, size_t size) {
  put_varint(b, (uint64_t)field << 3 | 2);
  put_varint(b, size);
  put_bits(b, data, size);
}

void put_text(bytes *b, uint32_t field, const char *text) { put_bytes(b, field, text, strlen(text)); }

void put_message(bytes *b, uint32_t field, bytes *message) {
  put_bytes(b, field, message->data, message->size);
  bytes_free(message);
}

static void put_float(bytes *b, uint32_t field, double value) {
  float f = (float)value;
  put_varint(b, (uint64_t)field << 3 | 5);
  put_bits(b, &f, 4);
}

/* ---- Tensors ------------------------------------------------------------------------------------------- */

static json_object *get(json_object *json, const char *name) { return json_object_object_get(json, name); }
static size_t length_of(json_object *list) {
  return json_object_is_type(list, json_type_array) ? json_object_array_length(list) : 0;
}
static json_object *at(json_object *list, size_t i) { return json_object_array_get_idx(list, i); }

int encode_type(const char *name) {
  static const char *const names[] = {"",       "float32", "uint8",  "int8", "uint16",  "int16",
                                      "int32",  "int64",   "string", "bool", "float16", "float64",
                                      "uint32", "uint64",  "",       "",     "bfloat16"};
  for (int i = 1; name && i < (int)(sizeof names / sizeof *names); i++) {
    if (!strcmp(name, names[i])) return i;
  }
  return name && !strcmp(name, "uint4") ? 21 : name && !strcmp(name, "int4") ? 22 : 0;
}

static double number(json_object *json) {
  const char *text = json_object_is_type(json, json_type_string) ? json_object_get_string(json) : NULL;
  if (!text) return json_object_get_double(json);
  if (!strcmp(text, "NaN")) return NAN;
  if (!strcmp(text, "Infinity")) return INFINITY;
  if (!strcmp(text, "-Infinity")) return -INFINITY;
  return strtod(text, NULL);
}

static uint64_t integer(json_object *json) {
  if (json_object_is_type(json, json_type_string)) {
    const char *text = json_object_get_string(json);
    return *text == '-' ? (uint64_t)strtoll(text, NULL, 10) : strtoull(text, NULL, 10);
  }
  if (json_object_is_type(json, json_type_boolean)) return (uint64_t)json_object_get_boolean(json);
  if (json_object_is_type(json, json_type_double)) return (uint64_t)(int64_t)json_object_get_double(json);
  return json_object_get_int64(json) == INT64_MAX ? json_object_get_uint64(json)
                                                  : (uint64_t)json_object_get_int64(json);
}

static uint16_t half_bits(double value) {
  uint16_t sign = signbit(value) ? 0x8000 : 0;
  double size = fabs(value);
  if (isnan(value)) return 0x7E00;
  if (isinf(value) || size >= 65520) return (uint16_t)(sign | 0x7C00);
  if (size < ldexp(1, -14)) return (uint16_t)(sign | (uint16_t)nearbyint(ldexp(size, 24)));
  int exponent;
  double fraction = nearbyint(ldexp(frexp(size, &exponent), 11));
  if (fraction == 2048) {
    fraction = 1024;
    exponent++;
  }
  return (uint16_t)(sign | (exponent + 14) << 10 | ((int)fraction - 1024));
}

bool encode_elements(json_object *tensor, bytes *out) {
  json_object *data = get(tensor, "data");
  int type = encode_type(json_object_get_string(get(tensor, "dataType")));
  static const size_t sizes[] = {0, 4, 1, 1, 2, 2, 4, 8, 0, 1, 2, 8, 4, 8, 0, 0, 2};
  if (!type || type == 8) return false;
  for (size_t i = 0; i < length_of(data); i++) {
    double value = number(at(data, i));
    uint64_t bits = 0;
    float f = (float)value;
    if (type == 21 || type == 22) { /* two in a byte, the low half first */
      bits = integer(at(data, i)) & 15;
      if (i + 1 < length_of(data)) bits |= (integer(at(data, ++i)) & 15) << 4;
      put_bits(out, &bits, 1);
      continue;
    }
    if (type == 1)
      memcpy(&bits, &f, 4);
    else if (type == 11)
      memcpy(&bits, &value, 8);
    else if (type == 10)
      bits = half_bits(value);
    else if (type == 16) {
      uint32_t wide;
      memcpy(&wide, &f, 4);
      bits = (wide + 0x7FFF + (wide >> 16 & 1)) >> 16;
    } else
      bits = integer(at(data, i));
    put_bits(out, &bits, sizes[type]);
  }
  return true;
}

static bool tensor_message(json_object *tensor, const char *name, bytes *out) {
  json_object *shape = get(tensor, "shape");
  bytes raw = {0};
  for (size_t i = 0; i < length_of(shape); i++) put_int(out, 1, json_object_get_int64(at(shape, i)));
  put_int(out, 2, encode_type(json_object_get_string(get(tensor, "dataType"))));
  if (*name) put_text(out, 8, name);
  bool good = encode_elements(tensor, &raw);
  put_message(out, 9, &raw);
  return good;
}

/* ---- Graphs --------------------------------------------------------------------------------------------- */

static bool graph_message(json_object *graph, json_object *feeds, bool nested, bytes *out);

static bool list_attribute(json_object *list, const char *kind, bytes *out, int *type) {
  bool reals = kind && !strcmp(kind, "floats"), texts = false;
  for (size_t i = 0; i < length_of(list); i++) {
    reals = reals || json_object_is_type(at(list, i), json_type_double);
    texts = texts || json_object_is_type(at(list, i), json_type_string);
  }
  *type = texts ? 8 : reals ? 6 : 7;
  for (size_t i = 0; i < length_of(list); i++) {
    if (texts)
      put_text(out, 9, json_object_get_string(at(list, i)));
    else if (reals)
      put_float(out, 7, json_object_get_double(at(list, i)));
    else
      put_int(out, 8, json_object_get_int64(at(list, i)));
  }
  return true;
}

static bool attribute_value(const char *name, json_object *value, bytes *out, int *type) {
  bool good = true;
  bytes inner = {0};
  switch (json_object_get_type(value)) {
  case json_type_boolean:
  case json_type_int:
    *type = 2;
    put_int(out, 3, json_object_get_int64(value));
    break;
  case json_type_double:
    *type = 1;
    put_float(out, 2, json_object_get_double(value));
    break;
  case json_type_string:
    if ((!strcmp(name, "to") || !strcmp(name, "dtype") || !strcmp(name, "output_dtype")) &&
        encode_type(json_object_get_string(value))) {
      *type = 2;
      put_int(out, 3, encode_type(json_object_get_string(value)));
    } else {
      *type = 3;
      put_text(out, 4, json_object_get_string(value));
    }
    break;
  case json_type_array: return list_attribute(value, NULL, out, type);
  case json_type_object:
    if (get(value, "float")) {
      *type = 1;
      put_float(out, 2, json_object_get_double(get(value, "float")));
    } else if (get(value, "floats")) {
      return list_attribute(get(value, "floats"), "floats", out, type);
    } else if (get(value, "ints")) {
      return list_attribute(get(value, "ints"), "ints", out, type);
    } else if (get(value, "nodes")) {
      *type = 5;
      good = graph_message(value, NULL, true, &inner);
      put_message(out, 6, &inner);
    } else {
      *type = 4;
      good = tensor_message(value, "", &inner);
      put_message(out, 5, &inner);
    }
    break;
  default: return false;
  }
  return good;
}

static bool node_message(json_object *node, bytes *out) {
  json_object *inputs = get(node, "inputs"), *outputs = get(node, "outputs"), *attributes = get(node, "attributes");
  const char *domain = json_object_get_string(get(node, "domain")), *name = json_object_get_string(get(node, "name"));
  for (size_t i = 0; i < length_of(inputs); i++) put_text(out, 1, json_object_get_string(at(inputs, i)));
  for (size_t i = 0; i < length_of(outputs); i++) put_text(out, 2, json_object_get_string(at(outputs, i)));
  if (name) put_text(out, 3, name);
  put_text(out, 4, json_object_get_string(get(node, "opType")));
  if (domain && *domain) put_text(out, 7, domain);
  bool good = true;
  if (!attributes) return true;
  json_object_object_foreach(attributes, key, value) {
    bytes attribute = {0};
    int type = 0;
    put_text(&attribute, 1, key);
    good = good && attribute_value(key, value, &attribute, &type);
    put_int(&attribute, 20, type);
    put_message(out, 5, &attribute);
  }
  return good;
}

static void port_message(const char *name, json_object *tensor, bytes *out) {
  bytes type = {0}, inner = {0}, shape = {0};
  put_text(out, 1, name);
  if (!tensor) return;
  json_object *sizes = get(tensor, "shape");
  for (size_t i = 0; i < length_of(sizes); i++) {
    bytes dim = {0};
    put_int(&dim, 1, json_object_get_int64(at(sizes, i)));
    put_message(&shape, 1, &dim);
  }
  put_int(&inner, 1, encode_type(json_object_get_string(get(tensor, "dataType"))));
  put_message(&inner, 2, &shape);
  put_message(&type, 1, &inner);
  put_message(out, 2, &type);
}

/* The last node's outputs, when a subgraph does not list its own. */
static json_object *graph_outputs(json_object *graph, bool nested) {
  json_object *listed = get(graph, nested ? "outputs" : "graphOutputs"), *nodes = get(graph, "nodes");
  return listed || !length_of(nodes) ? listed : get(at(nodes, length_of(nodes) - 1), "outputs");
}

static bool graph_message(json_object *graph, json_object *feeds, bool nested, bytes *out) {
  json_object *nodes = get(graph, "nodes"), *inputs = get(graph, nested ? "inputs" : "graphInputs"),
              *outputs = graph_outputs(graph, nested);
  json_object *initializers = get(graph, "initializers");
  bool good = true;
  for (size_t i = 0; i < length_of(nodes); i++) {
    bytes node = {0};
    good = node_message(at(nodes, i), &node) && good;
    put_message(out, 1, &node);
  }
  put_text(out, 2, "graph");
  if (initializers) {
    json_object_object_foreach(initializers, name, tensor) {
      bytes message = {0};
      good = tensor_message(tensor, name, &message) && good;
      put_message(out, 5, &message);
    }
  }
  for (size_t i = 0; i < length_of(inputs); i++) {
    const char *name = json_object_get_string(at(inputs, i));
    bytes port = {0};
    json_object *feed = feeds ? get(feeds, name) : NULL;
    /* An input that no case feeds is a switch: one boolean. */
    json_object *flag = feed || nested ? NULL : json_tokener_parse("{\"dataType\":\"bool\",\"shape\":[]}");
    port_message(name, feed ? feed : flag, &port);
    json_object_put(flag);
    put_message(out, 11, &port);
  }
  for (size_t i = 0; i < length_of(outputs); i++) {
    bytes port = {0};
    port_message(json_object_get_string(at(outputs, i)), NULL, &port);
    put_message(out, 12, &port);
  }
  return good;
}

bool encode_model(json_object *model, json_object *feeds, bytes *out) {
  bytes graph = {0}, opset = {0};
  put_int(out, 1, 8);
  put_text(&opset, 1, "");
  put_int(&opset, 2, json_object_get_int64(get(model, "opset")));
  put_message(out, 8, &opset);
  json_object *more = get(model, "opsets");
  if (more) {
    json_object_object_foreach(more, domain, version) {
      put_text(&opset, 1, domain);
      put_int(&opset, 2, json_object_get_int64(version));
      put_message(out, 8, &opset);
    }
  }
  bool good = graph_message(model, feeds, false, &graph);
  put_message(out, 7, &graph);
  return good;
}

/* ---- By hand ------------------------------------------------------------------------------------------------- */

void finish_model(bytes *graph, bytes *model) {
  bytes opset = {0};
  put_int(model, 1, 8);
  put_int(&opset, 2, 17);
  put_message(model, 8, &opset);
  put_message(model, 7, graph);
}

void put_node(bytes *graph, const char *op, const char *input, const char *output) {
  bytes node = {0};
  if (input) put_text(&node, 1, input);
  put_text(&node, 2, output);
  put_text(&node, 4, op);
  put_message(graph, 1, &node);
}

void put_port(bytes *graph, uint32_t field, const char *name, int data_type, const int64_t *sizes, int count) {
  bytes port = {0}, type = {0}, inner = {0}, shape = {0};
  for (int i = 0; i < count; i++) {
    bytes dim = {0};
    put_int(&dim, 1, sizes[i]);
    put_message(&shape, 1, &dim);
  }
  put_text(&port, 1, name);
  put_int(&inner, 1, data_type);
  put_message(&inner, 2, &shape);
  put_message(&type, 1, &inner);
  put_message(&port, 2, &type);
  put_message(graph, field, &port);
}
