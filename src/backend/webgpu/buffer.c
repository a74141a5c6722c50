/* Buffers: pool, uniforms, transfers, reading back. */
#include <string.h>

#include "backend/webgpu/state.h"

/* Unused buffers are kept up to this much. */
#define POOL_BYTES (UINT64_C(512) << 20)

static uint64_t padded(uint64_t size) { return size < 4 ? 4 : (size + 3) & ~UINT64_C(3); }

static wnn_status create(wnn_gpu *gpu, uint64_t size, uint64_t usage, const char *label, wgpu_handle *buffer,
                         wnn_error *error) {
  if (size > gpu->info.limits.buffer_size)
    return wnn_error_set(error, WNN_NOT_SUPPORTED, "a buffer of %llu bytes is over the device's maxBufferSize of %llu",
                         (unsigned long long)size, (unsigned long long)gpu->info.limits.buffer_size);
  wgpu_buffer_desc desc = {.label = wnn_gpu_text(label), .usage = usage, .size = size};
  wnn_gpu_push_scopes(gpu);
  wgpu_handle made = gpu->api.device_create_buffer(gpu->device, &desc);
  wnn_status status = wnn_gpu_pop_scopes(gpu, label, error);
  if (status == WNN_OK && !made) status = wnn_error_set(error, WNN_OPERATION_ERROR, "WebGPU made no buffer");
  if (status == WNN_OK)
    *buffer = made;
  else if (made)
    gpu->api.buffer_release(made);
  return status;
}

wnn_status wnn_gpu_buffer(wnn_gpu *gpu, uint64_t size, wgpu_handle *buffer, wnn_error *error) {
  size = padded(size);
  for (size_t i = gpu->pool_count; i--;) {
    if (gpu->pool[i].size != size) continue;
    *buffer = gpu->pool[i].buffer;
    gpu->pool_bytes -= size;
    gpu->pool[i] = gpu->pool[--gpu->pool_count];
    return WNN_OK;
  }
  return create(gpu, size, WGPU_USAGE_STORAGE | WGPU_USAGE_COPY_SRC | WGPU_USAGE_COPY_DST, "tensor", buffer, error);
}

void wnn_gpu_forget(wnn_gpu *gpu, wgpu_handle buffer) {
  for (size_t i = 0; i < WNN_GPU_GROUPS; i++) {
    wnn_gpu_group *group = &gpu->groups[i];
    for (uint32_t j = 0; group->group && j < group->pipeline->count; j++) {
      if (group->bindings[j].buffer != buffer) continue;
      gpu->api.bind_group_release(group->group);
      *group = (wnn_gpu_group){0};
    }
  }
}

static void drop(wnn_gpu *gpu, wgpu_handle buffer) {
  wnn_gpu_forget(gpu, buffer);
  gpu->api.buffer_release(buffer);
}

void wnn_gpu_recycle(wnn_gpu *gpu, wgpu_handle buffer, uint64_t size) {
  if (!buffer) return;
  size = padded(size);
  while (gpu->pool_count && gpu->pool_bytes + size > POOL_BYTES) { /* the oldest go first */
    drop(gpu, gpu->pool[0].buffer);
    gpu->pool_bytes -= gpu->pool[0].size;
    memmove(gpu->pool, gpu->pool + 1, --gpu->pool_count * sizeof *gpu->pool);
  }
  if (size > POOL_BYTES || !wnn_mem_reserve(&gpu->allocator, (void **)&gpu->pool, &gpu->pool_capacity,
                                            gpu->pool_count + 1, sizeof *gpu->pool)) {
    drop(gpu, buffer);
    return;
  }
  gpu->pool[gpu->pool_count++] = (wnn_gpu_free){buffer, size};
  gpu->pool_bytes += size;
}

wnn_status wnn_gpu_uniform(wnn_gpu *gpu, const void *data, uint32_t size, wgpu_handle *buffer, wnn_error *error) {
  wnn_status status = create(gpu, size, WGPU_USAGE_UNIFORM | WGPU_USAGE_COPY_DST, "uniform", buffer, error);
  if (status == WNN_OK) gpu->api.queue_write(gpu->queue, *buffer, 0, data, size);
  return status;
}

void wnn_gpu_uniform_release(wnn_gpu *gpu, wgpu_handle buffer) {
  if (buffer) drop(gpu, buffer);
}

wnn_status wnn_gpu_write(wnn_gpu *gpu, wgpu_handle buffer, uint64_t offset, const void *data, size_t size,
                         wnn_error *error) {
  if (!size) return WNN_OK;
  if (gpu->recording) { /* scopes are open already; an error shows at the end of the submission */
    gpu->api.queue_write(gpu->queue, buffer, offset, data, size);
    return WNN_OK;
  }
  wnn_gpu_push_scopes(gpu);
  gpu->api.queue_write(gpu->queue, buffer, offset, data, size);
  return wnn_gpu_pop_scopes(gpu, "writing a tensor", error);
}

/* ---- Reading back ------------------------------------------------------------------------------------------------ */

typedef struct map_result {
  volatile uint32_t done;
  uint32_t status;
  char message[300];
} map_result;

static void on_mapped(uint32_t status, wgpu_string message, void *user1, void *user2) {
  (void)user2;
  map_result *result = user1;
  size_t length = !message.data ? 0 : message.length == WGPU_LENGTH ? strlen(message.data) : message.length;
  if (length >= sizeof result->message) length = sizeof result->message - 1;
  if (length) memcpy(result->message, message.data, length);
  result->message[length] = 0;
  result->status = status;
  result->done = 1;
}

wnn_status wnn_gpu_map(wnn_gpu *gpu, wgpu_handle buffer, uint64_t size, void (*take)(void *user, const void *data),
                       void *user, wnn_error *error) {
  map_result *result = wnn_mem_zalloc(&gpu->allocator, sizeof *result);
  if (!result) return wnn_error_oom(error);
  wgpu_callback callback = {.mode = WGPU_CALLBACK_PROCESS_EVENTS, .call = (void (*)(void))on_mapped, .user1 = result};
  wgpu_future future = gpu->api.buffer_map(buffer, WGPU_MAP_READ, 0, size, callback);
  wnn_status status = wnn_gpu_wait(gpu, future, &result->done, error);
  if (status != WNN_OK) return status; /* the result stays: the library may still write to it */
  if (result->status != WGPU_SUCCESS) {
    wnn_error lost;
    status = wnn_gpu_check(gpu, &lost);
    status = status == WNN_OK ? wnn_error_set(error, WNN_OPERATION_ERROR, "WebGPU, reading back: %s", result->message)
                              : wnn_error_set(error, status, "%s", lost.message);
  } else {
    const void *data = gpu->api.buffer_range(buffer, 0, size);
    if (data)
      take(user, data);
    else
      status = wnn_error_set(error, WNN_OPERATION_ERROR, "WebGPU mapped no memory");
    gpu->api.buffer_unmap(buffer);
  }
  wnn_mem_free(&gpu->allocator, result, sizeof *result);
  return status;
}

wnn_status wnn_gpu_staging(wnn_gpu *gpu, uint64_t size, wgpu_handle *buffer, wnn_error *error) {
  if (size > gpu->staging_size) {
    if (gpu->staging) gpu->api.buffer_release(gpu->staging);
    gpu->staging = NULL;
    gpu->staging_size = 0;
    uint64_t room = padded(size < 65536 ? 65536 : size);
    wnn_status status = create(gpu, room, WGPU_USAGE_MAP_READ | WGPU_USAGE_COPY_DST, "staging", &gpu->staging, error);
    if (status != WNN_OK) return status;
    gpu->staging_size = room;
  }
  *buffer = gpu->staging;
  return WNN_OK;
}

wnn_status wnn_gpu_take_staging(wnn_gpu *gpu, uint64_t size, void (*take)(void *user, const void *data), void *user,
                                wnn_error *error) {
  return wnn_gpu_map(gpu, gpu->staging, padded(size), take, user, error);
}

typedef struct copy_out {
  void *data;
  size_t size;
} copy_out;
static void take_copy(void *user, const void *data) {
  copy_out *out = user;
  memcpy(out->data, data, out->size);
}

wnn_status wnn_gpu_read(wnn_gpu *gpu, wgpu_handle buffer, uint64_t offset, void *data, size_t size, wnn_error *error) {
  if (!size) return WNN_OK;
  wgpu_handle staging;
  wnn_status status = wnn_gpu_staging(gpu, size, &staging, error);
  if (status == WNN_OK) status = wnn_gpu_begin(gpu, false, error);
  if (status != WNN_OK) return status;
  wnn_gpu_copy(gpu, buffer, offset, staging, 0, padded(size));
  status = wnn_gpu_submit(gpu, false, NULL, error);
  copy_out out = {data, size};
  return status == WNN_OK ? wnn_gpu_take_staging(gpu, size, take_copy, &out, error) : status;
}
