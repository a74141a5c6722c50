/* Adapter, device, waiting, errors of the library. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "backend/webgpu/state.h"

/* ---- Waiting --------------------------------------------------------------------------------------------------- */

/* Long enough for any kernel on a software adapter; a device that is silent for longer is given up. */
enum { WAIT_SECONDS = 600 };

wnn_status wnn_gpu_wait(wnn_gpu *gpu, wgpu_future future, volatile uint32_t *done, wnn_error *error) {
  struct timespec start, now;
  clock_gettime(CLOCK_MONOTONIC, &start);
  bool timed = true;
  while (!*done) {
    if (timed) {
      wgpu_wait wait = {future, 0};
      uint32_t status = gpu->api.instance_wait_any(gpu->instance, 1, &wait, UINT64_C(200000000));
      if (status != WGPU_WAIT_SUCCESS && status != WGPU_WAIT_TIMED_OUT)
        timed = false; /* an instance without timed waits */
      if (status == WGPU_WAIT_SUCCESS && !*done) gpu->api.instance_process_events(gpu->instance);
    } else {
      gpu->api.instance_process_events(gpu->instance);
      if (!*done) nanosleep(&(struct timespec){0, 20000}, NULL);
    }
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (!*done && now.tv_sec - start.tv_sec > WAIT_SECONDS)
      return wnn_error_set(error, WNN_OPERATION_ERROR, "WebGPU did not answer within %d seconds", WAIT_SECONDS);
  }
  return WNN_OK;
}

static void copy_text(char *to, size_t room, wgpu_string text) {
  size_t length = !text.data ? 0 : text.length == WGPU_LENGTH ? strlen(text.data) : text.length;
  if (length >= room)
    for (length = room - 1; length && ((unsigned char)text.data[length] & 0xC0) == 0x80;)
      length--; /* not half a character */
  if (length) memcpy(to, text.data, length);
  to[length] = 0;
}

/* ---- Errors ------------------------------------------------------------------------------------------------------ */

static void mail_release(wnn_gpu_mail *mail) {
  pthread_mutex_lock(&mail->lock);
  bool last = --mail->references == 0;
  pthread_mutex_unlock(&mail->lock);
  if (!last) return;
  pthread_mutex_destroy(&mail->lock);
  wnn_mem_free(&wnn_default_allocator, mail, sizeof *mail);
}

static void on_lost(const wgpu_handle *device, uint32_t reason, wgpu_string message, void *user1, void *user2) {
  (void)device, (void)user2;
  wnn_gpu_mail *mail = user1;
  if (reason != WGPU_LOST_DESTROYED) {
    pthread_mutex_lock(&mail->lock);
    if (!mail->lost) copy_text(mail->message, sizeof mail->message, message);
    mail->lost = true;
    pthread_mutex_unlock(&mail->lock);
  }
  mail_release(mail); /* it is called exactly once */
}

static void on_uncaptured(const wgpu_handle *device, uint32_t type, wgpu_string message, void *user1, void *user2) {
  (void)device, (void)type;
  (void)user2;
  wnn_gpu_mail *mail = user1;
  pthread_mutex_lock(&mail->lock);
  if (!mail->lost && !mail->uncaptured) copy_text(mail->message, sizeof mail->message, message);
  mail->uncaptured = true;
  pthread_mutex_unlock(&mail->lock);
}

wnn_status wnn_gpu_check(wnn_gpu *gpu, wnn_error *error) {
  wnn_status status = WNN_OK;
  pthread_mutex_lock(&gpu->mail->lock);
  if (gpu->mail->lost) {
    status = wnn_error_set(error, WNN_INVALID_STATE, "the WebGPU device is lost: %s", gpu->mail->message);
  } else if (gpu->mail->uncaptured) {
    status = wnn_error_set(error, WNN_OPERATION_ERROR, "WebGPU: %s", gpu->mail->message);
    gpu->mail->uncaptured = false;
  }
  pthread_mutex_unlock(&gpu->mail->lock);
  return status;
}

typedef struct scope_result {
  volatile uint32_t done;
  uint32_t status, type;
  char message[440];
} scope_result;

static void on_scope(uint32_t status, uint32_t type, wgpu_string message, void *user1, void *user2) {
  (void)user2;
  scope_result *result = user1;
  result->status = status;
  result->type = type;
  copy_text(result->message, sizeof result->message, message);
  result->done = 1;
}

void wnn_gpu_push_scopes(wnn_gpu *gpu) {
  gpu->api.device_push_scope(gpu->device, WGPU_FILTER_MEMORY);
  gpu->api.device_push_scope(gpu->device, WGPU_FILTER_INTERNAL);
  gpu->api.device_push_scope(gpu->device, WGPU_FILTER_VALIDATION);
}

wnn_status wnn_gpu_pop_scopes(wnn_gpu *gpu, const char *what, wnn_error *error) {
  wnn_status status = WNN_OK;
  for (int i = 0; i < 3; i++) {
    /* on the heap: should waiting time out, the library may still write to it */
    scope_result *result = wnn_mem_zalloc(&gpu->allocator, sizeof *result);
    if (!result) return wnn_error_oom(error);
    wgpu_callback callback = {.mode = WGPU_CALLBACK_PROCESS_EVENTS, .call = (void (*)(void))on_scope, .user1 = result};
    wgpu_future future = gpu->api.device_pop_scope(gpu->device, callback);
    wnn_status waited = wnn_gpu_wait(gpu, future, &result->done, status == WNN_OK ? error : NULL);
    if (waited != WNN_OK) return waited;
    if (status == WNN_OK && result->status == WGPU_SUCCESS && result->type != WGPU_ERROR_NONE)
      status = wnn_error_set(error, result->type == WGPU_ERROR_MEMORY ? WNN_OUT_OF_MEMORY : WNN_OPERATION_ERROR,
                             "WebGPU, %s: %s", what, result->message);
    wnn_mem_free(&gpu->allocator, result, sizeof *result);
  }
  wnn_error lost;
  if (wnn_gpu_check(gpu, &lost) == WNN_INVALID_STATE)
    return wnn_error_set(error, WNN_INVALID_STATE, "%s", lost.message);
  return status;
}

/* ---- Adapter and device --------------------------------------------------------------------------------------------
 */

typedef struct request {
  volatile uint32_t done;
  uint32_t status;
  wgpu_handle object;
  char message[300];
} request;

static void on_request(uint32_t status, wgpu_handle object, wgpu_string message, void *user1, void *user2) {
  (void)user2;
  request *result = user1;
  result->status = status;
  result->object = object;
  copy_text(result->message, sizeof result->message, message);
  result->done = 1;
}

static wgpu_callback request_callback(request *result) {
  return (wgpu_callback){.mode = WGPU_CALLBACK_PROCESS_EVENTS, .call = wnn_gpu_cast(on_request), .user1 = result};
}

/* Numbers of features: they moved when the interface was settled. */
static uint32_t feature_number(const wgpu_api *api, const char *name) {
  if (!strcmp(name, "timestamp-query")) return api->fresh ? 9 : 3;
  if (!strcmp(name, "shader-f16")) return api->fresh ? 0xB : 0xA;
  return api->fresh ? 0x12 : 0x11; /* subgroups */
}

static wnn_status open_instance(wnn_gpu *gpu, wnn_error *error) {
  static const uint32_t timed_wait = 1;
  wgpu_instance_desc desc = {0};
  if (gpu->api.fresh) {
    desc.as.fresh.feature_count = 1;
    desc.as.fresh.features = &timed_wait;
  } else {
    desc.as.old.timed_wait_enable = 1;
    desc.as.old.timed_wait_max = 8;
  }
  gpu->instance = gpu->api.create_instance(&desc);
  if (!gpu->instance) gpu->instance = gpu->api.create_instance(NULL);
  return gpu->instance ? WNN_OK : wnn_error_set(error, WNN_NOT_SUPPORTED, "the WebGPU library made no instance");
}

static wnn_status open_adapter(wnn_gpu *gpu, bool low_power, wnn_error *error) {
  wgpu_adapter_options options = {.feature_level = WGPU_FEATURE_LEVEL_CORE,
                                  .power = low_power ? WGPU_POWER_LOW : WGPU_POWER_HIGH,
                                  .backend = WGPU_BACKEND_VULKAN};
  request *result = wnn_mem_zalloc(&gpu->allocator, sizeof *result);
  if (!result) return wnn_error_oom(error);
  wgpu_future future = gpu->api.instance_request_adapter(gpu->instance, &options, request_callback(result));
  wnn_status status = wnn_gpu_wait(gpu, future, &result->done, error);
  if (status != WNN_OK) return status; /* the result stays: the library may still write to it */
  gpu->adapter = result->object;
  if (result->status != WGPU_SUCCESS || !gpu->adapter)
    status = wnn_error_set(error, WNN_NOT_SUPPORTED, "no WebGPU adapter (is a Vulkan driver installed?)%s%s",
                           result->message[0] ? ": " : "", result->message);
  wnn_mem_free(&gpu->allocator, result, sizeof *result);
  return status;
}

static wnn_status open_device(wnn_gpu *gpu, bool timestamps, wnn_error *error) {
  static const char *const names[] = {"shader-f16", "subgroups", "timestamp-query"};
  static const char *const exact_times[] = {"timestamp_quantization"};
  uint32_t features[3];
  size_t count = 0;
  for (int i = 0; i < 3; i++) {
    uint32_t number = feature_number(&gpu->api, names[i]);
    if (gpu->api.adapter_has_feature(gpu->adapter, number) && (i < 2 || timestamps)) features[count++] = number;
  }
  wgpu_limits limits = {0};
  gpu->api.adapter_get_limits(gpu->adapter, &limits);
  limits.next = NULL;
  wgpu_toggles toggles = {.chain = {.type = WGPU_STYPE_DAWN_TOGGLES}, .disabled_count = 1, .disabled = exact_times};
  wgpu_device_desc desc = {
      .next = gpu->api.dawn && !gpu->api.fresh ? &toggles.chain : NULL,
      .label = wnn_gpu_text("webnn"),
      .feature_count = count,
      .features = features,
      .limits = &limits,
      .lost = {.mode = WGPU_CALLBACK_SPONTANEOUS, .call = (void (*)(void))on_lost, .user1 = gpu->mail},
      .uncaptured = {.call = (void (*)(void))on_uncaptured, .user1 = gpu->mail}};
  request *result = wnn_mem_zalloc(&gpu->allocator, sizeof *result);
  if (!result) return wnn_error_oom(error);
  pthread_mutex_lock(&gpu->mail->lock);
  gpu->mail->references++; /* given up by on_lost */
  pthread_mutex_unlock(&gpu->mail->lock);
  wgpu_future future = gpu->api.adapter_request_device(gpu->adapter, &desc, request_callback(result));
  wnn_status status = wnn_gpu_wait(gpu, future, &result->done, error);
  if (status != WNN_OK) return status;
  gpu->device = result->object;
  if (result->status != WGPU_SUCCESS || !gpu->device)
    status = wnn_error_set(error, WNN_NOT_SUPPORTED, "WebGPU made no device: %s", result->message);
  wnn_mem_free(&gpu->allocator, result, sizeof *result);
  return status;
}

static void read_info(wnn_gpu *gpu) {
  wgpu_adapter_info info = {0};
  uint32_t known = 0;
  if (gpu->adapter)
    known = gpu->api.adapter_get_info(gpu->adapter, &info);
  else if (gpu->api.device_get_adapter_info)
    known = gpu->api.device_get_adapter_info(gpu->device, &info);
  const wgpu_string texts[] = {info.vendor, info.architecture, info.device, info.description};
  if (known == WGPU_SUCCESS)
    for (int i = 0; i < 4; i++) copy_text(gpu->texts[i], sizeof gpu->texts[i], texts[i]);
  gpu->info.vendor = gpu->texts[0];
  gpu->info.architecture = gpu->texts[1];
  gpu->info.device = gpu->texts[2];
  gpu->info.description = gpu->texts[3];
  gpu->info.software = info.type == WGPU_ADAPTER_CPU;
  gpu->info.subgroup_min = info.subgroup_min;
  gpu->info.subgroup_max = info.subgroup_max;
  if (known == WGPU_SUCCESS) gpu->api.adapter_info_free(info);
  gpu->info.float16 = gpu->api.device_has_feature(gpu->device, feature_number(&gpu->api, "shader-f16"));
  gpu->info.subgroups = gpu->api.device_has_feature(gpu->device, feature_number(&gpu->api, "subgroups"));
  gpu->info.timestamps = gpu->api.device_has_feature(gpu->device, feature_number(&gpu->api, "timestamp-query"));
  gpu->api.device_get_limits(gpu->device, &gpu->info.limits);
  gpu->info.limits.next = NULL;
  wgpu_features language = {0};
  if (gpu->api.language_features) gpu->api.language_features(gpu->instance, &language);
  for (size_t i = 0; language.items && i < language.count && gpu->info.language_count < 64; i++)
    gpu->info.language[gpu->info.language_count++] = language.items[i];
}

wnn_status wnn_gpu_create(const wnn_gpu_options *options, const wnn_allocator *allocator, wnn_gpu **out,
                          wnn_error *error) {
  if (!options->instance != !options->device)
    return wnn_error_set(error, WNN_TYPE_ERROR, "webgpu_instance and webgpu_device belong together");
  wnn_gpu *gpu = wnn_mem_zalloc(allocator, sizeof *gpu);
  wnn_gpu_mail *mail = gpu ? wnn_mem_zalloc(&wnn_default_allocator, sizeof *mail) : NULL;
  if (!mail) {
    wnn_mem_free(allocator, gpu, sizeof *gpu);
    return wnn_error_oom(error);
  }
  gpu->allocator = *allocator;
  gpu->mail = mail;
  pthread_mutex_init(&mail->lock, NULL);
  mail->references = 1;
  wnn_status status = wnn_gpu_open(options, &gpu->api, &gpu->library, error);
  if (status != WNN_OK) goto fail;
  if (options->device) {
    gpu->instance = options->instance;
    gpu->device = options->device;
    gpu->api.instance_add_ref(gpu->instance);
    gpu->api.device_add_ref(gpu->device);
  } else {
    gpu->own_device = true;
    status = open_instance(gpu, error);
    if (status == WNN_OK) status = open_adapter(gpu, options->low_power, error);
    if (status == WNN_OK) status = open_device(gpu, options->timestamps, error);
    if (status != WNN_OK) goto fail;
  }
  gpu->queue = gpu->api.device_get_queue(gpu->device);
  gpu->groups = wnn_mem_zalloc(allocator, WNN_GPU_GROUPS * sizeof *gpu->groups);
  if (!gpu->groups) {
    status = wnn_error_oom(error);
    goto fail;
  }
  read_info(gpu);
  *out = gpu;
  return WNN_OK;
fail:
  wnn_gpu_destroy(gpu);
  return status;
}

void wnn_gpu_destroy(wnn_gpu *gpu) {
  if (!gpu) return;
  wgpu_api *api = &gpu->api;
  if (gpu->recording) wnn_gpu_abandon(gpu);
  for (wnn_gpu_pipeline *pipeline = gpu->pipelines, *next; pipeline; pipeline = next) {
    next = pipeline->next;
    wnn_gpu_free_pipeline(gpu, pipeline);
  }
  for (size_t i = 0; i < gpu->pool_count; i++) {
    api->buffer_destroy(gpu->pool[i].buffer);
    api->buffer_release(gpu->pool[i].buffer);
  }
  wgpu_handle buffers[] = {gpu->staging, gpu->query_buffer, gpu->query_staging};
  for (int i = 0; i < 3; i++)
    if (buffers[i]) api->buffer_release(buffers[i]);
  if (gpu->query_set) api->query_set_release(gpu->query_set);
  if (gpu->queue) api->queue_release(gpu->queue);
  if (gpu->device && gpu->own_device) api->device_destroy(gpu->device);
  if (gpu->device) api->device_release(gpu->device);
  if (gpu->adapter) api->adapter_release(gpu->adapter);
  if (gpu->instance) api->instance_release(gpu->instance);
  /* The library stays open: threads of its own may still run code in it. */
  mail_release(gpu->mail);
  wnn_mem_free(&gpu->allocator, gpu->pool, gpu->pool_capacity * sizeof *gpu->pool);
  wnn_mem_free(&gpu->allocator, gpu->groups, WNN_GPU_GROUPS * sizeof *gpu->groups);
  wnn_mem_free(&gpu->allocator, gpu, sizeof *gpu);
}

const wnn_gpu_info *wnn_gpu_get_info(const wnn_gpu *gpu) { return &gpu->info; }
void *wnn_gpu_instance(const wnn_gpu *gpu) { return gpu->instance; }
void *wnn_gpu_device(const wnn_gpu *gpu) { return gpu->device; }
void *wnn_gpu_queue(const wnn_gpu *gpu) { return gpu->queue; }
