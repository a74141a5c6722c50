/* The device as expressions see it. */
#include "packs/request.h"

#include <stdio.h>

/* What WebGPU guarantees everywhere. */
static const pk_named_limit default_limits[] = {{"maxTextureDimension1D", 8192},
                                                {"maxTextureDimension2D", 8192},
                                                {"maxTextureDimension3D", 2048},
                                                {"maxTextureArrayLayers", 256},
                                                {"maxBindGroups", 4},
                                                {"maxBindGroupsPlusVertexBuffers", 24},
                                                {"maxBindingsPerBindGroup", 1000},
                                                {"maxDynamicUniformBuffersPerPipelineLayout", 8},
                                                {"maxDynamicStorageBuffersPerPipelineLayout", 4},
                                                {"maxSampledTexturesPerShaderStage", 16},
                                                {"maxSamplersPerShaderStage", 16},
                                                {"maxStorageBuffersPerShaderStage", 10},
                                                {"maxStorageTexturesPerShaderStage", 4},
                                                {"maxUniformBuffersPerShaderStage", 12},
                                                {"maxUniformBufferBindingSize", 65536},
                                                {"maxStorageBufferBindingSize", 134217728},
                                                {"minUniformBufferOffsetAlignment", 256},
                                                {"minStorageBufferOffsetAlignment", 256},
                                                {"maxVertexBuffers", 8},
                                                {"maxBufferSize", 268435456},
                                                {"maxVertexAttributes", 16},
                                                {"maxVertexBufferArrayStride", 2048},
                                                {"maxInterStageShaderVariables", 16},
                                                {"maxColorAttachments", 8},
                                                {"maxColorAttachmentBytesPerSample", 32},
                                                {"maxComputeInvocationsPerWorkgroup", 256},
                                                {"maxComputeWorkgroupSizeX", 256},
                                                {"maxComputeWorkgroupSizeY", 256},
                                                {"maxComputeWorkgroupSizeZ", 64},
                                                {"maxComputeWorkgroupStorageSize", 16384},
                                                {"maxComputeWorkgroupsPerDimension", 65535},
                                                {"maxImmediateSize", 0}};

static pk_value set_has(pk_vm *vm, pk_value self, const pk_value *args, uint32_t count) {
  (void)vm;
  return pk_bool(count && args[0].kind == PK_STRING && pk_map_get(self.as.map, args[0].as.text, args[0].length));
}

/* A set of names with the method has. */
static pk_value name_set(pk_vm *vm, const char *const *names, size_t count, const pk_map **members) {
  pk_value set = pk_map_new(vm), object = pk_map_new(vm);
  for (size_t i = 0; i < count && !vm->failed; i++) {
    pk_value name = pk_string(vm, names[i], strlen(names[i]));
    if (!vm->failed) pk_map_set(vm, set.as.map, name.as.text, name.length, pk_bool(true));
  }
  if (vm->failed) return object;
  pk_map_put(vm, object.as.map, "size", pk_int((double)set.as.map->count));
  pk_map_put(vm, object.as.map, "has", pk_builtin_value(vm, "has", set_has, set));
  *members = set.as.map;
  return object;
}

static pk_value lower_text(pk_vm *vm, const char *text) {
  pk_value value = pk_string(vm, text ? text : "", strlen(text ? text : ""));
  if (vm->failed) return value;
  for (char *at = (char *)(uintptr_t)value.as.text; *at; at++) /* fresh, so it may still be written */
    if (*at >= 'A' && *at <= 'Z') *at = (char)(*at + 32);
  return value;
}

bool pk_facts_init(pk_facts *facts, const wnn_allocator *allocator, const pk_facts_source *source) {
  *facts = (pk_facts){0};
  pk_vm *vm = &facts->vm;
  pk_vm_init(vm, allocator, 1000000, 1 << 20);
  facts->device = pk_map_new(vm);
  const pk_map *language;
  pk_value features = name_set(vm, source->features, source->feature_count, &facts->features);
  pk_value languages = name_set(vm, source->language, source->language_count, &language);
  pk_value limits = pk_map_new(vm), adapter = pk_map_new(vm);
  if (vm->failed) return false;
  for (size_t i = 0; i < sizeof default_limits / sizeof *default_limits; i++)
    pk_map_put(vm, limits.as.map, default_limits[i].name, pk_int(default_limits[i].value));
  for (size_t i = 0; i < source->limit_count; i++)
    pk_map_put(vm, limits.as.map, source->limits[i].name, pk_number(source->limits[i].value));
  facts->limits = limits.as.map;
  facts->adapter = adapter.as.map;
  if (vm->failed) return false;
  facts->max_groups = pk_facts_limit(facts, "maxComputeWorkgroupsPerDimension");
  if (facts->max_groups > 65535) facts->max_groups = 65535;
  pk_map_put(vm, limits.as.map, "maxComputeWorkgroupsPerDimension", pk_int(facts->max_groups));
  pk_map_put(vm, adapter.as.map, "vendor", lower_text(vm, source->vendor));
  pk_map_put(vm, adapter.as.map, "architecture", lower_text(vm, source->architecture));
  if (source->subgroup_min_size) pk_map_put(vm, adapter.as.map, "subgroupMinSize", pk_int(source->subgroup_min_size));
  if (source->subgroup_max_size) pk_map_put(vm, adapter.as.map, "subgroupMaxSize", pk_int(source->subgroup_max_size));
  pk_map_put(vm, adapter.as.map, "isFallbackAdapter", pk_bool(source->fallback));
  pk_map_put(vm, facts->device.as.map, "features", features);
  pk_map_put(vm, facts->device.as.map, "wgslLanguageFeatures", languages);
  pk_map_put(vm, facts->device.as.map, "limits", limits);
  pk_map_put(vm, facts->device.as.map, "adapterInfo", adapter);
  facts->float16 = facts->features && pk_map_find(facts->features, "shader-f16");
  return !vm->failed;
}

void pk_facts_free(pk_facts *facts) { pk_vm_free(&facts->vm); }

double pk_facts_limit(const pk_facts *facts, const char *name) {
  const pk_value *value = pk_map_find(facts->limits, name);
  return value ? value->as.number : 0;
}
