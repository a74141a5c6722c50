/* Reader of manifest.json: bindings and requirements. */
#include "packs/manifest.h"

#include <math.h>

/* ---- Bindings ------------------------------------------------------------------------------------------------ */

static void read_field(pk_reader *r, pk_value value, const char *path, pk_field *field) {
  pk_vm *vm = r->vm;
  const pk_map *map = pk_need_map(vm, value, path);
  if (!map) return;
  const char *name = pk_text_member(vm, map, "name", path), *type = pk_text_member(vm, map, "type", path);
  if (!name || !pk_is_identifier(name) || !pk_is_plain_name(name))
    pk_fail(vm, WNN_DATA_ERROR, "%s.name must be an identifier", path);
  if (!type || (strcmp(type, "u32") && strcmp(type, "i32") && strcmp(type, "f32")))
    pk_fail(vm, WNN_DATA_ERROR, "%s.type must be u32, i32 or f32", path);
  pk_check_keys(vm, map, path, "name type value required internal default");
  bool internal = pk_bool_member(vm, map, "internal", path, false);
  if (vm->failed) return;
  *field = (pk_field){.name = name, .type = type[0], .required = pk_bool_member(vm, map, "required", path, !internal)};
  const pk_value *source = pk_map_find(map, "value"), *fallback = pk_map_find(map, "default");
  if (source && source->kind != PK_NULL) pk_read_term(r, *source, pk_path(vm, "%s.value", path), &field->value);
  if (fallback) pk_read_term(r, *fallback, pk_path(vm, "%s.default", path), &field->fallback);
}

static void read_struct(pk_reader *r, const pk_map *map, const char *path, pk_binding *binding) {
  pk_vm *vm = r->vm;
  const pk_value *fields = pk_map_find(map, "struct");
  if (pk_map_find(map, "elementType") || pk_map_find(map, "length"))
    pk_fail(vm, WNN_DATA_ERROR, "%s: a uniform binding has struct, not elementType or length", path);
  if (!fields || fields->kind != PK_LIST || !fields->as.list->count)
    pk_fail(vm, WNN_DATA_ERROR, "%s.struct must be a non-empty list of fields", path);
  if (vm->failed) return;
  const char *struct_name = pk_text_member(vm, map, "structName", path);
  if (struct_name && !pk_is_identifier(struct_name))
    pk_fail(vm, WNN_DATA_ERROR, "%s.structName must be an identifier", path);
  binding->struct_name = struct_name ? struct_name : "Params";
  binding->fields = pk_array(vm, fields->as.list->count, sizeof *binding->fields);
  for (uint32_t i = 0; i < fields->as.list->count && !vm->failed; i++) {
    read_field(r, fields->as.list->items[i], pk_path(vm, "%s.struct[%u]", path, i), &binding->fields[i]);
    for (uint32_t j = 0; j < i && !vm->failed; j++)
      if (!strcmp(binding->fields[i].name, binding->fields[j].name))
        pk_fail(vm, WNN_DATA_ERROR, "%s.struct names the field %s twice", path, binding->fields[i].name);
    binding->field_count = i + 1;
  }
}

static const pk_intermediate *find_intermediate(const pk_variant *variant, const char *id) {
  for (uint32_t i = 0; variant && id && i < variant->intermediate_count; i++)
    if (!strcmp(variant->intermediates[i].id, id)) return &variant->intermediates[i];
  return NULL;
}

/* The WGSL scalar of a port, or "$T" when its type is a variable. */
static const char *port_scalar(pk_vm *vm, const pk_port *port, const char *path) {
  if (port->storage >= 0) return pk_types[port->storage].scalar;
  if (port->type >= 0) return pk_types[port->type].scalar;
  if (port->dtype) return pk_path(vm, "$%s", port->dtype);
  pk_fail(vm, WNN_DATA_ERROR, "%s.elementType is needed: the tensor %s has no dtype", path, port->name);
  return NULL;
}

static bool is_vec2_u32(const char *type) {
  static const char wanted[] = "vec2<u32>";
  size_t n = 0;
  for (; *type; type++) {
    if (*type == ' ' || *type == '\t' || *type == '\n') continue;
    if (*type != wanted[n]) return false;
    n++;
  }
  return !wanted[n];
}

static void read_storage_binding(pk_reader *r, const pk_map *map, const char *path, const pk_port *port,
                                 const pk_intermediate *scratch, pk_binding *binding) {
  pk_vm *vm = r->vm;
  if (pk_map_find(map, "struct"))
    pk_fail(vm, WNN_DATA_ERROR, "%s: a storage binding has elementType, not struct", path);
  binding->element = pk_text_member(vm, map, "elementType", path);
  if (!binding->element && !vm->failed) {
    if (scratch)
      binding->element = pk_types[scratch->type].scalar;
    else if (port)
      binding->element = port_scalar(vm, port, path);
    else
      pk_fail(vm, WNN_DATA_ERROR, "%s.elementType is needed", path);
  }
  bool int64 = port && (port->storage == WNN_PACK_INT64 || (port->storage < 0 && port->types == 1u << WNN_PACK_INT64));
  if (int64 && binding->element && binding->element[0] != '$' && !is_vec2_u32(binding->element))
    pk_fail(vm, WNN_DATA_ERROR, "%s.elementType of an int64 tensor must be vec2<u32>", path);
  const pk_value *length = pk_map_find(map, "length");
  if (!length) return;
  if (pk_is_integer(*length) && length->as.number > 0)
    binding->length = length->as.number;
  else if (length->kind == PK_STRING && length->length > 1 && length->as.text[0] == '$')
    binding->length_name = length->as.text + 1;
  else
    pk_fail(vm, WNN_DATA_ERROR, "%s.length must be a positive integer or \"$name\"", path);
}

bool pk_read_binding(pk_reader *r, pk_value value, const char *handle, const char *path, const pk_variant *variant,
                     pk_binding *binding) {
  pk_vm *vm = r->vm;
  const pk_map *map = pk_need_map(vm, value, path);
  *binding = (pk_binding){0};
  if (!pk_check_keys(vm, map, path, "buffer name arg scratch elementType length structName struct")) return false;
  const char *name = pk_text_member(vm, map, "name", path), *buffer = pk_text_member(vm, map, "buffer", path);
  binding->arg = pk_text_member(vm, map, "arg", path);
  binding->scratch = pk_text_member(vm, map, "scratch", path);
  if (!name) name = handle ? handle : binding->arg ? binding->arg : binding->scratch;
  if (!name) pk_fail(vm, WNN_DATA_ERROR, "%s needs a name, an arg or a scratch", path);
  if (vm->failed) return false;
  if (!pk_is_identifier(name)) pk_fail(vm, WNN_DATA_ERROR, "%s.name must be an identifier", path);
  const char *const names[] = {name, binding->arg, binding->scratch};
  for (int i = 0; i < 3; i++)
    if (names[i] && !pk_is_plain_name(names[i]))
      pk_fail(vm, WNN_DATA_ERROR, "%s: the name %s is reserved", path, names[i]);
  binding->name = name;
  const pk_intermediate *scratch = find_intermediate(variant, binding->scratch ? binding->scratch : name);
  bool is_scratch = binding->scratch || scratch;
  const pk_port *port = is_scratch ? NULL : pk_find_port(r->manifest, binding->arg ? binding->arg : name);
  if (buffer) {
    if (!strcmp(buffer, "read-only-storage"))
      binding->buffer = PK_BUFFER_READ;
    else if (!strcmp(buffer, "storage"))
      binding->buffer = PK_BUFFER_WRITE;
    else if (!strcmp(buffer, "uniform"))
      binding->buffer = PK_BUFFER_UNIFORM;
    else
      pk_fail(vm, WNN_DATA_ERROR, "%s.buffer must be read-only-storage, storage or uniform", path);
  } else if (pk_map_find(map, "struct")) {
    binding->buffer = PK_BUFFER_UNIFORM;
  } else if (is_scratch) {
    binding->buffer = PK_BUFFER_WRITE;
  } else if (port) {
    binding->buffer = port->output ? PK_BUFFER_WRITE : PK_BUFFER_READ;
  } else {
    pk_fail(vm, WNN_DATA_ERROR, "%s.buffer is needed: %s is neither a tensor nor an intermediate", path,
            binding->arg ? binding->arg : name);
  }
  if (vm->failed) return false;
  if (binding->buffer == PK_BUFFER_UNIFORM)
    read_struct(r, map, path, binding);
  else
    read_storage_binding(r, map, path, port, scratch, binding);
  return !vm->failed;
}

/* ---- Requirements ------------------------------------------------------------------------------------------------ */

static bool in_names(const char *const *names, size_t count, const char *name) {
  for (size_t i = 0; i < count; i++)
    if (!strcmp(names[i], name)) return true;
  return false;
}

static void read_config(pk_vm *vm, pk_value value, const char *path, pk_matrix_config *config) {
  static const char *const scalars[] = {"f32", "f16", "u32", "i32", "u8", "i8"};
  const pk_map *map = pk_need_map(vm, value, path);
  if (!pk_check_keys(vm, map, path, "componentType resultComponentType M N K")) return;
  if (!map->count) pk_fail(vm, WNN_DATA_ERROR, "%s must constrain something", path);
  for (uint32_t i = 0; i < map->count && !vm->failed; i++) {
    const pk_entry *entry = &map->entries[i];
    if (entry->length > 1) {
      bool good = entry->value.kind == PK_STRING && in_names(scalars, 6, entry->value.as.text);
      if (!good) pk_fail(vm, WNN_DATA_ERROR, "%s.%s must be one of f32, f16, u32, i32, u8, i8", path, entry->key);
      *(entry->key[0] == 'c' ? &config->component : &config->result) = good ? entry->value.as.text : NULL;
    } else {
      bool good = pk_is_integer(entry->value) && entry->value.as.number >= 1;
      if (!good) pk_fail(vm, WNN_DATA_ERROR, "%s.%s must be a positive integer", path, entry->key);
      *(entry->key[0] == 'M'   ? &config->m
        : entry->key[0] == 'N' ? &config->n
                               : &config->k) = good ? entry->value.as.number : 0;
    }
  }
}

/* Every limit name of WebGPU. */
static const char *const limit_names[] = {"maxTextureDimension1D",
                                          "maxTextureDimension2D",
                                          "maxTextureDimension3D",
                                          "maxTextureArrayLayers",
                                          "maxBindGroups",
                                          "maxBindGroupsPlusVertexBuffers",
                                          "maxBindingsPerBindGroup",
                                          "maxDynamicUniformBuffersPerPipelineLayout",
                                          "maxDynamicStorageBuffersPerPipelineLayout",
                                          "maxSampledTexturesPerShaderStage",
                                          "maxSamplersPerShaderStage",
                                          "maxStorageBuffersPerShaderStage",
                                          "maxStorageTexturesPerShaderStage",
                                          "maxUniformBuffersPerShaderStage",
                                          "maxUniformBufferBindingSize",
                                          "maxStorageBufferBindingSize",
                                          "minUniformBufferOffsetAlignment",
                                          "minStorageBufferOffsetAlignment",
                                          "maxVertexBuffers",
                                          "maxBufferSize",
                                          "maxVertexAttributes",
                                          "maxVertexBufferArrayStride",
                                          "maxInterStageShaderVariables",
                                          "maxColorAttachments",
                                          "maxColorAttachmentBytesPerSample",
                                          "maxComputeWorkgroupStorageSize",
                                          "maxComputeInvocationsPerWorkgroup",
                                          "maxComputeWorkgroupSizeX",
                                          "maxComputeWorkgroupSizeY",
                                          "maxComputeWorkgroupSizeZ",
                                          "maxComputeWorkgroupsPerDimension",
                                          "maxImmediateSize",
                                          "maxStorageBuffersInVertexStage",
                                          "maxStorageBuffersInFragmentStage",
                                          "maxStorageTexturesInVertexStage",
                                          "maxStorageTexturesInFragmentStage"};

bool pk_read_requires(pk_reader *r, const pk_value *value, const char *path, pk_requires *requires) {
  static const char *const features[] = {"shader-f16",
                                         "subgroups",
                                         "subgroup-size-control",
                                         "chromium-experimental-subgroup-matrix",
                                         "timestamp-query",
                                         "texture-formats-tier1",
                                         "texture-formats-tier2"};
  pk_vm *vm = r->vm;
  const pk_map *map = value ? pk_need_map(vm, *value, path) : NULL;
  if (!map || !pk_check_keys(vm, map, path, "features limits subgroupMinSize subgroupMatrixConfigs"))
    return !vm->failed;
  const pk_value *list = pk_map_find(map, "features"), *limits = pk_map_find(map, "limits");
  const pk_value *size = pk_map_find(map, "subgroupMinSize"), *configs = pk_map_find(map, "subgroupMatrixConfigs");
  if (list && list->kind != PK_LIST) pk_fail(vm, WNN_DATA_ERROR, "%s.features must be a list of strings", path);
  if (list && !vm->failed) requires->features = pk_array(vm, list->as.list->count, sizeof *requires->features);
  for (uint32_t i = 0; list && !vm->failed && i < list->as.list->count; i++) {
    pk_value feature = list->as.list->items[i];
    if (feature.kind != PK_STRING || !in_names(features, sizeof features / sizeof *features, feature.as.text))
      pk_fail(vm, WNN_DATA_ERROR, "%s.features has the unknown feature %s", path, pk_show(vm, feature));
    else
    requires->features[requires->feature_count++] = feature.as.text;
  }
  const pk_map *limit_map = limits && !vm->failed ? pk_need_map(vm, *limits, pk_path(vm, "%s.limits", path)) : NULL;
  if (limit_map) requires->limits = pk_array(vm, limit_map->count, sizeof *requires->limits);
  for (uint32_t i = 0; limit_map && i < limit_map->count && !vm->failed; i++) {
    const pk_entry *entry = &limit_map->entries[i];
    if (!in_names(limit_names, sizeof limit_names / sizeof *limit_names, entry->key))
      pk_fail(vm, WNN_DATA_ERROR, "%s.limits has the unknown limit \"%.80s\"", path, entry->key);
    else if (!pk_is_number(entry->value))
      pk_fail(vm, WNN_DATA_ERROR, "%s.limits.%s must be a number", path, entry->key);
    else
    requires->limits[requires->limit_count++] = (pk_limit){entry->key, entry->value.as.number};
  }
  if (size && (!pk_is_integer(*size) || size->as.number < 1))
    pk_fail(vm, WNN_DATA_ERROR, "%s.subgroupMinSize must be a positive integer", path);
  if (size) requires->subgroup_min_size = size->as.number;
  if (configs && (configs->kind != PK_LIST || !configs->as.list->count))
    pk_fail(vm, WNN_DATA_ERROR, "%s.subgroupMatrixConfigs must be a non-empty list", path);
  if (configs && !vm->failed) requires->configs = pk_array(vm, configs->as.list->count, sizeof *requires->configs);
  for (uint32_t i = 0; configs && !vm->failed && i < configs->as.list->count; i++) {
    read_config(vm, configs->as.list->items[i], pk_path(vm, "%s.subgroupMatrixConfigs[%u]", path, i),
                &requires->configs[i]);
    requires->config_count = i + 1;
  }
  return !vm->failed;
}
