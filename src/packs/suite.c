/* Reader of test.json and bench.json: cases, their tensors and settings. */
#include "packs/suite.h"

#include <math.h>

#include "base/dtype.h"
#include "base/error.h"

const pk_list *pk_suite_read(pk_vm *vm, wnn_kernel *kernel, const char *file, pk_value *top, wnn_error *error) {
  char *data;
  size_t size;
  if (pk_read_file(kernel, file, &data, &size, error) != WNN_OK) return NULL;
  *top = pk_json_parse(vm, data, size, file);
  wnn_mem_free(&kernel->allocator, data, size + 1);
  const pk_value *cases = !vm->failed && top->kind == PK_MAP ? pk_map_find(top->as.map, "cases") : NULL;
  if (!cases || cases->kind != PK_LIST) pk_fail(vm, WNN_DATA_ERROR, "%s: cases must be a list", file);
  if (!vm->failed) return cases->as.list;
  pk_vm_status(vm, error);
  return NULL;
}

/* ---- Data -------------------------------------------------------------------------------------------------------- */

double pk_element(const wnn_pack_desc *desc, const void *data, uint64_t index) {
  const char *at = (const char *)data + index * pk_types[desc->type].bytes;
  union {
    float f32;
    uint16_t u16;
    int16_t i16;
    int32_t i32;
    uint32_t u32;
    int64_t i64;
    int8_t i8;
    uint8_t u8;
  } v;
  memcpy(&v, at, pk_types[desc->type].bytes);
  switch (desc->type) {
  case WNN_PACK_FLOAT32: return (double)v.f32;
  case WNN_PACK_FLOAT16: return (double)wnn_f16_to_f32(v.u16);
  case WNN_PACK_INT32: return v.i32;
  case WNN_PACK_UINT32: return v.u32;
  case WNN_PACK_INT64: return (double)v.i64;
  case WNN_PACK_INT16: return v.i16;
  case WNN_PACK_INT8: return v.i8;
  case WNN_PACK_UINT8:
  case WNN_PACK_BOOL: return v.u8;
  }
  return 0;
}

static void store_element(const wnn_pack_desc *desc, void *data, uint64_t index, double n) {
  char *at = (char *)data + index * pk_types[desc->type].bytes;
  bool floating = desc->type == WNN_PACK_FLOAT32 || desc->type == WNN_PACK_FLOAT16;
  if (!floating && !(n >= -9.2e18 && n <= 9.2e18)) n = 0;
  float f = fabs(n) > 3.4028235677973366e38 ? (n > 0 ? HUGE_VALF : -HUGE_VALF) : (float)n;
  uint16_t half = wnn_f64_to_f16(n);
  int64_t whole = floating ? 0 : (int64_t)n;
  switch (desc->type) {
  case WNN_PACK_FLOAT32: memcpy(at, &f, 4); break;
  case WNN_PACK_FLOAT16: memcpy(at, &half, 2); break;
  case WNN_PACK_BOOL: *at = n != 0; break;
  default: memcpy(at, &whole, pk_types[desc->type].bytes); /* little-endian: the low bytes */
  }
}

static double number_member(const pk_map *map, const char *key, double fallback) {
  const pk_value *value = pk_map_find(map, key);
  return value && pk_is_number(*value) ? value->as.number : fallback;
}

/* Numbers, and the texts that stand for those JSON has not. */
static double case_number(pk_vm *vm, pk_value value, const char *path) {
  if (pk_is_number(value)) return value.as.number;
  if (value.kind == PK_BOOL) return value.as.boolean;
  if (pk_equals(value, "NaN")) return (double)NAN;
  if (pk_equals(value, "Infinity")) return HUGE_VAL;
  if (pk_equals(value, "-Infinity")) return -HUGE_VAL;
  if (pk_equals(value, "-0")) return -0.0;
  pk_fail(vm, WNN_DATA_ERROR, "%s has %s among its values", path, pk_show(vm, value));
  return 0;
}

/* {"$ref": "#/a/b"} stands for a part of the file. */
static pk_value follow(pk_value top, pk_value value) {
  const pk_value *reference = value.kind == PK_MAP ? pk_map_find(value.as.map, "$ref") : NULL;
  if (!reference || reference->kind != PK_STRING || strncmp(reference->as.text, "#/", 2)) return value;
  pk_value at = top;
  for (const char *part = reference->as.text + 2; *part;) {
    const char *end = strchr(part, '/');
    size_t length = end ? (size_t)(end - part) : strlen(part);
    const pk_value *next = at.kind == PK_MAP ? pk_map_get(at.as.map, part, length) : NULL;
    if (!next) return pk_undefined();
    at = *next;
    part += length + (end != NULL);
  }
  return at;
}

void *pk_suite_data(pk_vm *vm, pk_value top, pk_value data, const wnn_pack_desc *desc, const char *path) {
  size_t bytes = wnn_pack_desc_bytes(desc);
  const pk_map *map = pk_need_map(vm, data, path);
  char *out = map && bytes != SIZE_MAX ? pk_alloc(vm, bytes ? bytes : 1) : NULL;
  if (!out) return NULL;
  uint64_t count = bytes / pk_types[desc->type].bytes;
  const pk_value *kind = pk_map_find(map, "kind"), *listed = pk_map_find(map, "values");
  if (kind && pk_equals(*kind, "values")) {
    pk_value values = listed ? follow(top, *listed) : pk_undefined();
    if (values.kind != PK_LIST || values.as.list->count != count) {
      pk_fail(vm, WNN_DATA_ERROR, "%s.values must be a list of %llu values", path, (unsigned long long)count);
      return NULL;
    }
    for (uint32_t i = 0; i < count && !vm->failed; i++)
      store_element(desc, out, i, case_number(vm, values.as.list->items[i], path));
  } else if (kind && pk_equals(*kind, "fillFloat32")) {
    double sine = number_member(map, "sinStep", 0), cosine = number_member(map, "cosStep", 0),
           scale = number_member(map, "scale", 1);
    for (uint64_t i = 0; i < count; i++)
      store_element(desc, out, i, scale * (sin((double)i * sine) + cos((double)i * cosine)));
  } else if (kind && pk_equals(*kind, "fillInt")) { /* (start + i * step) modulo m */
    double start = number_member(map, "start", 0), step = number_member(map, "step", 1),
           modulus = number_member(map, "modulo", 0);
    for (uint64_t i = 0; i < count; i++)
      store_element(desc, out, i, modulus > 0 ? fmod(start + (double)i * step, modulus) : start + (double)i * step);
  } else if (kind && pk_equals(*kind, "constant")) {
    for (uint64_t i = 0; i < count; i++) store_element(desc, out, i, number_member(map, "value", 0));
  } else {
    pk_fail(vm, WNN_DATA_ERROR, "%s.kind is not known", path);
  }
  return vm->failed ? NULL : out;
}

/* ---- Cases ---------------------------------------------------------------------------------------------------------
 */

static bool read_desc(pk_vm *vm, const pk_map *map, const char *path, wnn_pack_desc *desc, bool *has_type,
                      bool *has_shape) {
  const pk_value *type = pk_map_find(map, "dtype"), *shape = pk_map_find(map, "shape");
  int found = type && type->kind == PK_STRING ? pk_type_find(type->as.text) : -1;
  if (type && found < 0) pk_fail(vm, WNN_DATA_ERROR, "%s.dtype is not a data type", path);
  if (shape && (shape->kind != PK_LIST || shape->as.list->count > WNN_MAX_RANK))
    pk_fail(vm, WNN_DATA_ERROR, "%s.shape must be a list of at most %d", path, WNN_MAX_RANK);
  if (vm->failed) return false;
  desc->type = found < 0 ? WNN_PACK_FLOAT32 : (wnn_pack_type)found;
  desc->rank = shape ? shape->as.list->count : 0;
  for (uint32_t i = 0; i < desc->rank; i++) {
    pk_value d = shape->as.list->items[i];
    if (!pk_is_integer(d) || d.as.number < 0 || d.as.number > 4294967295.0)
      return pk_fail(vm, WNN_DATA_ERROR, "%s.shape has %s", path, pk_show(vm, d)), false;
    desc->shape[i] = (uint32_t)d.as.number;
  }
  *has_type = type != NULL;
  *has_shape = shape != NULL;
  if (wnn_pack_desc_bytes(desc) == SIZE_MAX) pk_fail(vm, WNN_DATA_ERROR, "%s.shape is too large", path);
  return !vm->failed;
}

static wnn_setting *read_settings(pk_vm *vm, const pk_map *parent, const char *key, size_t *count) {
  const pk_value *value = pk_map_find(parent, key);
  *count = 0;
  if (!value || value->kind != PK_MAP) return NULL;
  const pk_map *map = value->as.map;
  wnn_setting *settings = pk_array(vm, map->count, sizeof *settings);
  for (uint32_t i = 0; i < map->count && !vm->failed; i++) {
    pk_value v = map->entries[i].value;
    wnn_setting *one = &settings[i];
    one->name = map->entries[i].key;
    switch ((pk_kind)v.kind) {
    case PK_INT:
    case PK_FLOAT:
      one->kind = WNN_SETTING_NUMBER;
      one->number = v.as.number;
      break;
    case PK_BOOL:
      one->kind = WNN_SETTING_BOOL;
      one->number = v.as.boolean;
      break;
    case PK_STRING:
      one->kind = WNN_SETTING_STRING;
      one->text = v.as.text;
      break;
    case PK_LIST: {
      double *numbers = pk_array(vm, v.as.list->count, sizeof *numbers);
      for (uint32_t j = 0; numbers && j < v.as.list->count; j++)
        numbers[j] = pk_is_number(v.as.list->items[j]) ? v.as.list->items[j].as.number : 0;
      one->kind = WNN_SETTING_NUMBERS;
      one->numbers = numbers;
      one->count = v.as.list->count;
      break;
    }
    default: one->kind = WNN_SETTING_NULL;
    }
    *count = i + 1;
  }
  return settings;
}

bool pk_suite_case(pk_vm *vm, pk_value top, pk_value value, bool with_data, pk_case *out) {
  *out = (pk_case){.name = "?"};
  const pk_map *map = pk_need_map(vm, value, "a case");
  if (!map) return false;
  const pk_value *name = pk_map_find(map, "name"), *inputs = pk_map_find(map, "inputs"),
                 *outputs = pk_map_find(map, "outputs");
  const pk_value *variant = pk_map_find(map, "variant");
  if (name && name->kind == PK_STRING) out->name = name->as.text;
  const pk_map *in = pk_need_map(vm, inputs ? *inputs : pk_undefined(), pk_path(vm, "%s: inputs", out->name));
  if (!in) return false;
  out->inputs = pk_array(vm, in->count, sizeof *out->inputs);
  for (uint32_t i = 0; i < in->count && !vm->failed; i++) {
    const char *path = pk_path(vm, "%s: inputs.%s", out->name, in->entries[i].key);
    const pk_map *one = pk_need_map(vm, in->entries[i].value, path);
    wnn_kernel_input *input = &out->inputs[i];
    bool has_type, has_shape;
    input->name = in->entries[i].key;
    if (!one || !read_desc(vm, one, path, &input->desc, &has_type, &has_shape)) return false;
    const pk_value *data = pk_map_find(one, "data");
    if (with_data) input->data = pk_suite_data(vm, top, data ? *data : pk_undefined(), &input->desc, path);
    out->call.input_count = i + 1;
  }
  out->call.inputs = out->inputs;
  out->expected = outputs && outputs->kind == PK_MAP ? outputs->as.map : NULL;
  if (out->expected) out->outputs = pk_array(vm, out->expected->count, sizeof *out->outputs);
  for (uint32_t i = 0; out->expected && i < out->expected->count && !vm->failed; i++) {
    const char *path = pk_path(vm, "%s: outputs.%s", out->name, out->expected->entries[i].key);
    const pk_map *one = pk_need_map(vm, out->expected->entries[i].value, path);
    wnn_kernel_output *output = &out->outputs[i];
    output->name = out->expected->entries[i].key;
    if (!one || !read_desc(vm, one, path, &output->desc, &output->has_type, &output->has_shape)) return false;
    out->call.output_count = i + 1;
  }
  out->call.outputs = out->outputs;
  out->call.attrs = read_settings(vm, map, "attrs", &out->call.attr_count);
  out->call.args = read_settings(vm, map, "args", &out->call.arg_count);
  out->call.tunables = read_settings(vm, map, "tunables", &out->call.tunable_count);
  out->call.variant = variant && variant->kind == PK_STRING ? variant->as.text : NULL;
  return !vm->failed;
}
