/* Devices and resident tensors. */
#include "packs/device.h"

#include <unistd.h>

#include "base/error.h"

/* ---- Facts ------------------------------------------------------------------------------------------------------ */

bool pk_facts_of_nothing(pk_facts *facts, const wnn_allocator *allocator) {
  return pk_facts_init(facts, allocator, &(pk_facts_source){0});
}

/* A native kernel has none of a GPU's limits, so clauses about them hold. */
bool pk_facts_of_cpu(pk_facts *facts, const wnn_allocator *allocator) {
  static const char *const features[] = {"shader-f16", "subgroups"};
  static const pk_named_limit limits[] = {
      {"maxBufferSize", 9007199254740991.0},       {"maxStorageBufferBindingSize", 9007199254740991.0},
      {"maxStorageBuffersPerShaderStage", 64},     {"maxComputeWorkgroupStorageSize", 65536},
      {"maxComputeInvocationsPerWorkgroup", 1024}, {"maxComputeWorkgroupSizeX", 1024},
      {"maxComputeWorkgroupSizeY", 1024}};
  return pk_facts_init(
      facts, allocator,
      &(pk_facts_source){
          .features = features, .feature_count = 2, .limits = limits, .limit_count = 7, .vendor = "cpu"});
}

static bool facts_of_gpu(pk_facts *facts, const wnn_allocator *allocator, const wnn_gpu_info *info) {
  static const char *const languages[] = {NULL, "readonly_and_readwrite_storage_textures",
                                          "packed_4x8_integer_dot_product", "unrestricted_pointer_parameters",
                                          "pointer_composite_access"};
  const char *features[3], *language[64];
  size_t feature_count = 0, language_count = 0;
  if (info->float16) features[feature_count++] = "shader-f16";
  if (info->subgroups) features[feature_count++] = "subgroups";
  if (info->timestamps) features[feature_count++] = "timestamp-query";
  for (size_t i = 0; i < info->language_count; i++)
    if (info->language[i] >= 1 && info->language[i] <= 4) language[language_count++] = languages[info->language[i]];
  const wgpu_limits *l = &info->limits;
  const pk_named_limit limits[] = {{"maxStorageBuffersPerShaderStage", l->storage_buffers},
                                   {"maxUniformBuffersPerShaderStage", l->uniform_buffers},
                                   {"maxUniformBufferBindingSize", (double)l->uniform_binding_size},
                                   {"maxStorageBufferBindingSize", (double)l->storage_binding_size},
                                   {"minUniformBufferOffsetAlignment", l->uniform_alignment},
                                   {"minStorageBufferOffsetAlignment", l->storage_alignment},
                                   {"maxBindingsPerBindGroup", l->bindings_per_group},
                                   {"maxBindGroups", l->bind_groups},
                                   {"maxBufferSize", (double)l->buffer_size},
                                   {"maxComputeWorkgroupStorageSize", l->workgroup_storage},
                                   {"maxComputeInvocationsPerWorkgroup", l->invocations},
                                   {"maxComputeWorkgroupSizeX", l->size_x},
                                   {"maxComputeWorkgroupSizeY", l->size_y},
                                   {"maxComputeWorkgroupSizeZ", l->size_z},
                                   {"maxComputeWorkgroupsPerDimension", l->workgroups}};
  return pk_facts_init(facts, allocator,
                       &(pk_facts_source){.features = features,
                                          .feature_count = feature_count,
                                          .language = language,
                                          .language_count = language_count,
                                          .limits = limits,
                                          .limit_count = sizeof limits / sizeof *limits,
                                          .vendor = info->vendor,
                                          .architecture = info->architecture,
                                          .subgroup_min_size = info->subgroups ? info->subgroup_min : 0,
                                          .subgroup_max_size = info->subgroups ? info->subgroup_max : 0,
                                          .fallback = info->software});
}

/* ---- Devices ------------------------------------------------------------------------------------------------------
 */

static wnn_status open_cpu(wnn_device *device, const wnn_device_options *options, wnn_error *error) {
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  uint32_t threads = options->threads ? options->threads : processors > 0 ? (uint32_t)processors : 1;
  device->pool = wnn_pool_create(&device->allocator, threads, NULL);
  device->cpu_features = options->cpu_features & wnn_cpu_detect();
  return device->pool && pk_facts_of_cpu(&device->facts, &device->allocator) ? WNN_OK : wnn_error_oom(error);
}

static wnn_status open_gpu(wnn_device *device, const wnn_device_options *options, wnn_error *error) {
  wnn_gpu_options gpu = {.library = options->webgpu_library,
                         .get_proc = options->webgpu_get_proc,
                         .instance = options->webgpu_instance,
                         .device = options->webgpu_device,
                         .low_power = options->low_power,
                         .timestamps = options->timestamps};
  wnn_status status = wnn_gpu_create(&gpu, &device->allocator, &device->gpu, error);
  if (status != WNN_OK) return status;
  return facts_of_gpu(&device->facts, &device->allocator, wnn_gpu_get_info(device->gpu)) ? WNN_OK
                                                                                         : wnn_error_oom(error);
}

wnn_status wnn_device_create(const wnn_device_options *options, wnn_device **out, wnn_error *error) {
  wnn_device_options defaults = WNN_DEVICE_OPTIONS_INIT;
  if (!options) options = &defaults;
  if (options->kind != WNN_DEVICE_CPU && options->kind != WNN_DEVICE_WEBGPU)
    return wnn_error_set(error, WNN_TYPE_ERROR, "the kind of a device must be CPU or WebGPU");
  const wnn_allocator *allocator = options->allocator ? options->allocator : &wnn_default_allocator;
  wnn_device *device = wnn_mem_zalloc(allocator, sizeof *device);
  if (!device) return wnn_error_oom(error);
  device->allocator = *allocator;
  device->kind = options->kind;
  atomic_init(&device->references, 1);
  pthread_mutex_init(&device->lock, NULL);
  wnn_status status =
      options->kind == WNN_DEVICE_CPU ? open_cpu(device, options, error) : open_gpu(device, options, error);
  if (status != WNN_OK)
    wnn_device_release(device);
  else
    *out = device;
  return status;
}

void pk_device_retain(wnn_device *device) { atomic_fetch_add(&device->references, 1); }

void wnn_device_release(wnn_device *device) {
  if (!device || atomic_fetch_sub(&device->references, 1) != 1) return;
  wnn_gpu_destroy(device->gpu);
  for (uint32_t i = 0; i < device->block_count; i++)
    wnn_mem_free(&device->allocator, device->blocks[i].data, device->blocks[i].size);
  if (device->pool) wnn_pool_destroy(device->pool);
  pk_facts_free(&device->facts);
  pthread_mutex_destroy(&device->lock);
  wnn_mem_free(&device->allocator, device->scratch, device->scratch_size);
  wnn_allocator allocator = device->allocator;
  wnn_mem_free(&allocator, device, sizeof *device);
}

void wnn_device_get_info(const wnn_device *device, wnn_device_info *info) {
  *info = (wnn_device_info){.kind = device->kind, .vendor = "", .architecture = "", .name = "cpu", .description = ""};
  if (!device->gpu) {
    info->float16 = info->software = true;
    info->threads = wnn_pool_threads(device->pool);
    info->max_buffer_size = info->max_binding_size = SIZE_MAX;
    return;
  }
  const wnn_gpu_info *gpu = wnn_gpu_get_info(device->gpu);
  info->vendor = gpu->vendor;
  info->architecture = gpu->architecture;
  info->name = gpu->device;
  info->description = gpu->description;
  info->software = gpu->software;
  info->float16 = gpu->float16;
  info->timestamps = gpu->timestamps;
  info->subgroups = gpu->subgroups;
  info->subgroup_min_size = gpu->subgroup_min;
  info->subgroup_max_size = gpu->subgroup_max;
  info->max_buffer_size = gpu->limits.buffer_size;
  info->max_binding_size = gpu->limits.storage_binding_size;
}

void *wnn_device_webgpu(const wnn_device *device) { return device->gpu ? wnn_gpu_device(device->gpu) : NULL; }
void *wnn_device_webgpu_instance(const wnn_device *device) {
  return device->gpu ? wnn_gpu_instance(device->gpu) : NULL;
}
void *wnn_device_webgpu_queue(const wnn_device *device) { return device->gpu ? wnn_gpu_queue(device->gpu) : NULL; }

/* ---- Memory
 * ---------------------------------------------------------------------------------------------------------- */

#define BLOCK_BYTES ((size_t)256 << 20)

void *pk_take_block(wnn_device *device, size_t size) {
  if (!size) size = 1;
  for (uint32_t i = device->block_count; i--;) {
    if (device->blocks[i].size != size) continue;
    void *data = device->blocks[i].data;
    device->block_bytes -= size;
    device->blocks[i] = device->blocks[--device->block_count];
    return data;
  }
  return wnn_mem_alloc(&device->allocator, size);
}

void pk_give_block(wnn_device *device, void *data, size_t size) {
  if (!data) return;
  if (!size) size = 1;
  while (device->block_count &&
         (device->block_count == 32 || device->block_bytes + size > BLOCK_BYTES)) { /* the oldest go first */
    wnn_mem_free(&device->allocator, device->blocks[0].data, device->blocks[0].size);
    device->block_bytes -= device->blocks[0].size;
    memmove(device->blocks, device->blocks + 1, --device->block_count * sizeof *device->blocks);
  }
  if (size > BLOCK_BYTES) {
    wnn_mem_free(&device->allocator, data, size);
    return;
  }
  device->blocks[device->block_count++] = (struct pk_block){data, size};
  device->block_bytes += size;
}

/* ---- Tensors --------------------------------------------------------------------------------------------------------
 */

static wnn_status new_tensor(wnn_device *device, const wnn_pack_desc *desc, int storage, wnn_pack_tensor **out,
                             wnn_error *error) {
  wnn_pack_tensor *tensor = wnn_mem_zalloc(&device->allocator, sizeof *tensor);
  if (!tensor) return wnn_error_oom(error);
  atomic_init(&tensor->references, 1);
  tensor->device = device;
  pk_device_retain(device);
  tensor->desc = *desc;
  tensor->storage = storage;
  *out = tensor;
  return WNN_OK;
}

wnn_status pk_tensor_make(wnn_device *device, const wnn_pack_desc *desc, int storage, wnn_pack_tensor **out,
                          wnn_error *error) {
  wnn_pack_tensor *tensor;
  wnn_status status = new_tensor(device, desc, storage, &tensor, error);
  if (status != WNN_OK) return status;
  if (device->gpu) {
    tensor->size = pk_storage_bytes(desc, storage, false);
    status = wnn_gpu_buffer(device->gpu, tensor->size, &tensor->buffer, error);
    tensor->owned = status == WNN_OK;
  } else {
    tensor->data_size = wnn_pack_desc_bytes(desc);
    tensor->data = pk_take_block(device, tensor->data_size);
    if (!tensor->data) status = wnn_error_oom(error);
  }
  if (status == WNN_OK) {
    *out = tensor;
  } else { /* it holds nothing yet; release would take the lock */
    wnn_mem_free(&device->allocator, tensor, sizeof *tensor);
    atomic_fetch_sub(&device->references, 1);
  }
  return status;
}

static wnn_status check_desc(const wnn_pack_desc *desc, wnn_error *error) {
  if (!desc || wnn_pack_desc_bytes(desc) == SIZE_MAX)
    return wnn_error_set(error, WNN_TYPE_ERROR, "the descriptor of the tensor is not valid");
  return WNN_OK;
}

wnn_status wnn_pack_tensor_create(wnn_device *device, const wnn_pack_desc *desc, const void *data,
                                  wnn_pack_tensor **out, wnn_error *error) {
  wnn_status status = check_desc(desc, error);
  if (status != WNN_OK) return status;
  wnn_pack_tensor *tensor;
  pthread_mutex_lock(&device->lock);
  status = pk_tensor_make(device, desc, (int)desc->type, &tensor, error);
  pthread_mutex_unlock(&device->lock);
  if (status == WNN_OK && data) status = wnn_pack_tensor_write(tensor, data, wnn_pack_desc_bytes(desc), error);
  if (status == WNN_OK)
    *out = tensor;
  else if (data)
    wnn_pack_tensor_release(tensor);
  return status;
}

wnn_status wnn_pack_tensor_wrap(wnn_device *device, const wnn_pack_desc *desc, void *buffer, uint64_t offset,
                                uint64_t size, wnn_pack_tensor **out, wnn_error *error) {
  wnn_status status = check_desc(desc, error);
  if (status != WNN_OK) return status;
  if (!device->gpu || !buffer) return wnn_error_set(error, WNN_TYPE_ERROR, "a buffer of a WebGPU device is needed");
  uint64_t need = pk_storage_bytes(desc, (int)desc->type, false);
  uint32_t alignment = wnn_gpu_get_info(device->gpu)->limits.storage_alignment;
  if (size < need)
    return wnn_error_set(error, WNN_TYPE_ERROR, "the buffer has %llu bytes, the tensor needs %llu",
                         (unsigned long long)size, (unsigned long long)need);
  if (offset % (alignment ? alignment : 4))
    return wnn_error_set(error, WNN_TYPE_ERROR, "the offset %llu is not a multiple of %u", (unsigned long long)offset,
                         alignment);
  wnn_pack_tensor *tensor;
  status = new_tensor(device, desc, (int)desc->type, &tensor, error);
  if (status != WNN_OK) return status;
  tensor->buffer = buffer;
  tensor->offset = offset;
  tensor->size = need;
  *out = tensor;
  return WNN_OK;
}

void pk_tensor_retain(wnn_pack_tensor *tensor) { atomic_fetch_add(&tensor->references, 1); }

void wnn_pack_tensor_release(wnn_pack_tensor *tensor) {
  if (!tensor || atomic_fetch_sub(&tensor->references, 1) != 1) return;
  wnn_device *device = tensor->device;
  if (device->gpu && tensor->buffer) {
    pthread_mutex_lock(&device->lock);
    if (tensor->owned)
      wnn_gpu_recycle(device->gpu, tensor->buffer, tensor->size);
    else
      wnn_gpu_forget(device->gpu, tensor->buffer);
    pthread_mutex_unlock(&device->lock);
  }
  if (tensor->data) {
    pthread_mutex_lock(&device->lock);
    pk_give_block(device, tensor->data, tensor->data_size);
    pthread_mutex_unlock(&device->lock);
  }
  wnn_mem_free(&device->allocator, tensor, sizeof *tensor);
  wnn_device_release(device);
}

const wnn_pack_desc *wnn_pack_tensor_desc(const wnn_pack_tensor *tensor) { return &tensor->desc; }

void *wnn_pack_tensor_webgpu(const wnn_pack_tensor *tensor, uint64_t *offset, uint64_t *size) {
  if (offset) *offset = tensor->offset;
  if (size) *size = tensor->size;
  return tensor->buffer;
}

wnn_status wnn_pack_tensor_read(wnn_pack_tensor *tensor, void *data, size_t size, wnn_error *error) {
  if (size != wnn_pack_desc_bytes(&tensor->desc))
    return wnn_error_set(error, WNN_TYPE_ERROR, "the tensor has %zu bytes, not %zu", wnn_pack_desc_bytes(&tensor->desc),
                         size);
  if (!size) return WNN_OK;
  wnn_device *device = tensor->device;
  if (!device->gpu) {
    memcpy(data, tensor->data, size);
    return WNN_OK;
  }
  bool same = pk_same_layout(&tensor->desc, tensor->storage, false);
  size_t bytes = same ? size : (size_t)tensor->size;
  void *staging = same ? data : wnn_mem_alloc(&device->allocator, bytes);
  if (!staging) return wnn_error_oom(error);
  pthread_mutex_lock(&device->lock);
  wnn_status status = wnn_gpu_read(device->gpu, tensor->buffer, tensor->offset, staging, bytes, error);
  pthread_mutex_unlock(&device->lock);
  if (!same) {
    if (status == WNN_OK) pk_narrow(&tensor->desc, tensor->storage, staging, data);
    wnn_mem_free(&device->allocator, staging, bytes);
  }
  return status;
}

wnn_status wnn_pack_tensor_write(wnn_pack_tensor *tensor, const void *data, size_t size, wnn_error *error) {
  if (size != wnn_pack_desc_bytes(&tensor->desc))
    return wnn_error_set(error, WNN_TYPE_ERROR, "the tensor has %zu bytes, not %zu", wnn_pack_desc_bytes(&tensor->desc),
                         size);
  if (!size) return WNN_OK;
  wnn_device *device = tensor->device;
  if (!device->gpu) {
    memcpy(tensor->data, data, size);
    return WNN_OK;
  }
  void *staging = wnn_mem_alloc(&device->allocator, tensor->size);
  if (!staging) return wnn_error_oom(error);
  wnn_status status =
      pk_widen(&tensor->desc, tensor->storage, false, PK_NARROW_CHECKED, "tensor", data, staging, error);
  if (status == WNN_OK) {
    pthread_mutex_lock(&device->lock);
    status = wnn_gpu_check(device->gpu, error);
    if (status == WNN_OK)
      status = wnn_gpu_write(device->gpu, tensor->buffer, tensor->offset, staging, tensor->size, error);
    pthread_mutex_unlock(&device->lock);
  }
  wnn_mem_free(&device->allocator, staging, tensor->size);
  return status;
}
