/* Pipelines, bind groups, recording and submitting. */
#include <string.h>

#include "backend/webgpu/state.h"

/* ---- Pipelines --------------------------------------------------------------------------------------------------- */

static uint64_t hash_bytes(uint64_t hash, const void *data, size_t size) {
  const unsigned char *bytes = data;
  for (size_t i = 0; i < size; i++) hash = (hash ^ bytes[i]) * UINT64_C(1099511628211);
  return hash;
}

static wnn_status build(wnn_gpu *gpu, wnn_gpu_pipeline *pipeline, const char *label, wnn_error *error) {
  wgpu_api *api = &gpu->api;
  wgpu_layout_entry entries[WNN_GPU_MAX_BINDINGS] = {0};
  for (uint32_t i = 0; i < pipeline->count; i++) {
    entries[i].binding = i;
    entries[i].visibility = WGPU_STAGE_COMPUTE;
    entries[i].buffer.type = pipeline->types[i];
  }
  wnn_gpu_push_scopes(gpu);
  wgpu_layout_desc layout_desc = {.label = wnn_gpu_text(label), .entry_count = pipeline->count, .entries = entries};
  pipeline->layout = api->device_create_layout(gpu->device, &layout_desc);
  wgpu_pipeline_layout_desc whole = {.label = wnn_gpu_text(label), .layout_count = 1, .layouts = &pipeline->layout};
  wgpu_handle layout = api->device_create_pipeline_layout(gpu->device, &whole);
  wgpu_wgsl wgsl = {.chain = {.type = WGPU_STYPE_WGSL}, .code = {pipeline->source, pipeline->length}};
  wgpu_labelled module_desc = {.next = &wgsl.chain, .label = wnn_gpu_text(label)};
  wgpu_handle module = api->device_create_shader(gpu->device, &module_desc);
  wgpu_pipeline_desc desc = {
      .label = wnn_gpu_text(label), .layout = layout, .compute = {.module = module, .entry = wnn_gpu_text("main")}};
  pipeline->pipeline = api->device_create_pipeline(gpu->device, &desc);
  wnn_status status = wnn_gpu_pop_scopes(gpu, label, error);
  if (status == WNN_OK && !pipeline->pipeline)
    status = wnn_error_set(error, WNN_OPERATION_ERROR, "WebGPU made no pipeline for %s", label);
  if (module) api->shader_release(module);
  if (layout) api->pipeline_layout_release(layout);
  return status;
}

void wnn_gpu_free_pipeline(wnn_gpu *gpu, wnn_gpu_pipeline *pipeline) {
  for (size_t i = 0; i < WNN_GPU_GROUPS; i++) {
    if (!gpu->groups[i].group || gpu->groups[i].pipeline != pipeline) continue;
    gpu->api.bind_group_release(gpu->groups[i].group);
    gpu->groups[i] = (wnn_gpu_group){0};
  }
  if (pipeline->pipeline) gpu->api.pipeline_release(pipeline->pipeline);
  if (pipeline->layout) gpu->api.layout_release(pipeline->layout);
  wnn_mem_free(&gpu->allocator, pipeline->source, pipeline->length + 1);
  wnn_mem_free(&gpu->allocator, pipeline, sizeof *pipeline);
}

/* Drops pipelines that no plan holds: the list has the newest first, so the older half goes. */
static void forget_unused(wnn_gpu *gpu) {
  uint32_t place = 0;
  for (wnn_gpu_pipeline **at = &gpu->pipelines; *at; place++) {
    wnn_gpu_pipeline *one = *at;
    if (one->users || place < WNN_GPU_PIPELINES / 2) {
      at = &one->next;
      continue;
    }
    *at = one->next;
    gpu->pipeline_count--;
    wnn_gpu_free_pipeline(gpu, one);
  }
}

void wnn_gpu_unuse(wnn_gpu *gpu, wnn_gpu_pipeline *pipeline) {
  (void)gpu;
  if (pipeline) pipeline->users--;
}

wnn_status wnn_gpu_compile(wnn_gpu *gpu, const char *source, size_t length, const uint32_t *types, uint32_t count,
                           const char *label, wnn_gpu_pipeline **out, wnn_error *error) {
  if (count > WNN_GPU_MAX_BINDINGS)
    return wnn_error_set(error, WNN_NOT_SUPPORTED, "%s has %u bindings; the most is %d", label, count,
                         WNN_GPU_MAX_BINDINGS);
  uint64_t hash = hash_bytes(hash_bytes(UINT64_C(14695981039346656037), source, length), types, count * sizeof *types);
  for (wnn_gpu_pipeline *one = gpu->pipelines; one; one = one->next)
    if (one->hash == hash && one->length == length && one->count == count &&
        !memcmp(one->types, types, count * sizeof *types) && !memcmp(one->source, source, length)) {
      one->users++;
      *out = one;
      return WNN_OK;
    }
  if (gpu->pipeline_count >= WNN_GPU_PIPELINES) forget_unused(gpu);
  wnn_gpu_pipeline *pipeline = wnn_mem_zalloc(&gpu->allocator, sizeof *pipeline);
  char *copy = pipeline ? wnn_mem_alloc(&gpu->allocator, length + 1) : NULL;
  if (!copy) {
    wnn_mem_free(&gpu->allocator, pipeline, sizeof *pipeline);
    return wnn_error_oom(error);
  }
  memcpy(copy, source, length);
  copy[length] = 0;
  pipeline->source = copy;
  pipeline->length = length;
  pipeline->hash = hash;
  pipeline->count = count;
  if (count) memcpy(pipeline->types, types, count * sizeof *types);
  pipeline->id = ++gpu->next_pipeline;
  wnn_status status = build(gpu, pipeline, label, error);
  if (status != WNN_OK) {
    wnn_gpu_free_pipeline(gpu, pipeline);
    return status;
  }
  pipeline->users = 1;
  pipeline->next = gpu->pipelines;
  gpu->pipelines = pipeline;
  gpu->pipeline_count++;
  *out = pipeline;
  return WNN_OK;
}

/* ---- Bind groups --------------------------------------------------------------------------------------------------
 */

static wgpu_handle find_group(wnn_gpu *gpu, wnn_gpu_pipeline *pipeline, const wnn_gpu_binding *bindings,
                              uint32_t count) {
  uint64_t hash = hash_bytes(pipeline->id * UINT64_C(0x9E3779B97F4A7C15), bindings, count * sizeof *bindings);
  wnn_gpu_group *oldest = NULL;
  for (uint32_t probe = 0; probe < 8; probe++) {
    wnn_gpu_group *one = &gpu->groups[(hash + probe) % WNN_GPU_GROUPS];
    if (one->group && one->pipeline == pipeline && !memcmp(one->bindings, bindings, count * sizeof *bindings)) {
      one->used = ++gpu->clock;
      return one->group;
    }
    if (!oldest || one->used < oldest->used) oldest = one;
  }
  wgpu_bind_entry entries[WNN_GPU_MAX_BINDINGS] = {0};
  for (uint32_t i = 0; i < count; i++)
    entries[i] = (wgpu_bind_entry){
        .binding = i, .buffer = bindings[i].buffer, .offset = bindings[i].offset, .size = bindings[i].size};
  wgpu_bind_desc desc = {
      .label = wnn_gpu_text("pack"), .layout = pipeline->layout, .entry_count = count, .entries = entries};
  wgpu_handle group = gpu->api.device_create_bind_group(gpu->device, &desc);
  if (!group) return NULL;
  if (oldest->group) gpu->api.bind_group_release(oldest->group);
  *oldest = (wnn_gpu_group){.pipeline = pipeline, .group = group, .used = ++gpu->clock};
  memcpy(oldest->bindings, bindings, count * sizeof *bindings);
  return group;
}

/* ---- Recording ------------------------------------------------------------------------------------------------------
 */

static wnn_status open_queries(wnn_gpu *gpu, wnn_error *error) {
  if (gpu->query_set) return WNN_OK;
  wgpu_query_desc desc = {
      .label = wnn_gpu_text("times"), .type = WGPU_QUERY_TIMESTAMP, .count = 2 * WNN_GPU_MAX_PASSES};
  wgpu_buffer_desc resolve = {.label = wnn_gpu_text("times"),
                              .usage = WGPU_USAGE_QUERY_RESOLVE | WGPU_USAGE_COPY_SRC,
                              .size = 16 * WNN_GPU_MAX_PASSES};
  wgpu_buffer_desc staging = {.label = wnn_gpu_text("times"),
                              .usage = WGPU_USAGE_MAP_READ | WGPU_USAGE_COPY_DST,
                              .size = 16 * WNN_GPU_MAX_PASSES};
  wnn_gpu_push_scopes(gpu);
  gpu->query_set = gpu->api.device_create_query_set(gpu->device, &desc);
  gpu->query_buffer = gpu->api.device_create_buffer(gpu->device, &resolve);
  gpu->query_staging = gpu->api.device_create_buffer(gpu->device, &staging);
  return wnn_gpu_pop_scopes(gpu, "timestamps", error);
}

wnn_status wnn_gpu_begin(wnn_gpu *gpu, bool measure, wnn_error *error) {
  if (gpu->recording) wnn_gpu_abandon(gpu);
  wnn_status status = wnn_gpu_check(gpu, error);
  if (status != WNN_OK) return status;
  gpu->measure = measure && gpu->info.timestamps;
  if (gpu->measure && (status = open_queries(gpu, error)) != WNN_OK) return status;
  gpu->timed_passes = 0;
  gpu->dispatches = 0;
  wnn_gpu_push_scopes(gpu);
  gpu->recording = true;
  gpu->encoder = gpu->api.device_create_encoder(gpu->device, &(wgpu_labelled){.label = wnn_gpu_text("calls")});
  return WNN_OK;
}

static void end_pass(wnn_gpu *gpu) {
  if (!gpu->pass) return;
  gpu->api.pass_end(gpu->pass);
  gpu->api.pass_release(gpu->pass);
  gpu->pass = NULL;
  gpu->bound = NULL;
}

static void open_pass(wnn_gpu *gpu) {
  if (gpu->pass) return;
  wgpu_pass_desc desc = {.label = wnn_gpu_text("kernel")};
  wgpu_timestamps times = {.set = gpu->query_set, .begin = 2 * gpu->timed_passes, .end = 2 * gpu->timed_passes + 1};
  if (gpu->measure && gpu->timed_passes < WNN_GPU_MAX_PASSES) {
    desc.timestamps = &times;
    gpu->timed_passes++;
  }
  gpu->pass = gpu->api.encoder_begin_pass(gpu->encoder, &desc);
}

wnn_status wnn_gpu_dispatch(wnn_gpu *gpu, wnn_gpu_pipeline *pipeline, const wnn_gpu_binding *bindings, uint32_t count,
                            const uint32_t groups[3], wnn_error *error) {
  wgpu_handle group = find_group(gpu, pipeline, bindings, count);
  if (!group) return wnn_error_set(error, WNN_OPERATION_ERROR, "WebGPU made no bind group");
  open_pass(gpu);
  if (gpu->bound != pipeline) gpu->api.pass_set_pipeline(gpu->pass, pipeline->pipeline);
  gpu->bound = pipeline;
  gpu->api.pass_set_bind_group(gpu->pass, 0, group, 0, NULL);
  gpu->api.pass_dispatch(gpu->pass, groups[0], groups[1], groups[2]);
  return ++gpu->dispatches % WNN_GPU_SUBMIT_EVERY ? WNN_OK : wnn_gpu_split(gpu, error);
}

void wnn_gpu_clear(wnn_gpu *gpu, wgpu_handle buffer, uint64_t offset, uint64_t size) {
  end_pass(gpu);
  if (size) gpu->api.encoder_clear(gpu->encoder, buffer, offset, size);
}

void wnn_gpu_copy(wnn_gpu *gpu, wgpu_handle from, uint64_t from_offset, wgpu_handle to, uint64_t to_offset,
                  uint64_t size) {
  end_pass(gpu);
  if (size) gpu->api.encoder_copy(gpu->encoder, from, from_offset, to, to_offset, size);
}

static void send(wnn_gpu *gpu) {
  end_pass(gpu);
  wgpu_handle commands = gpu->api.encoder_finish(gpu->encoder, NULL);
  gpu->api.encoder_release(gpu->encoder);
  gpu->encoder = NULL;
  if (!commands) return;
  gpu->api.queue_submit(gpu->queue, 1, &commands);
  gpu->api.commands_release(commands);
}

wnn_status wnn_gpu_split(wnn_gpu *gpu, wnn_error *error) {
  send(gpu);
  gpu->encoder = gpu->api.device_create_encoder(gpu->device, &(wgpu_labelled){.label = wnn_gpu_text("calls")});
  return gpu->encoder ? WNN_OK : wnn_error_set(error, WNN_OPERATION_ERROR, "WebGPU made no command encoder");
}

typedef struct times {
  uint32_t passes;
  double nanoseconds;
} times;
static void take_times(void *user, const void *data) {
  times *out = user;
  for (uint32_t i = 0; i < out->passes; i++) {
    uint64_t pair[2];
    memcpy(pair, (const char *)data + 16 * i, sizeof pair);
    if (pair[1] > pair[0]) out->nanoseconds += (double)(pair[1] - pair[0]);
  }
}

typedef struct done_result {
  volatile uint32_t done;
  uint32_t status;
} done_result;
static void on_done(uint32_t status, wgpu_string message, void *user1, void *user2) {
  (void)message, (void)user2;
  done_result *result = user1;
  result->status = status;
  result->done = 1;
}

wnn_status wnn_gpu_submit(wnn_gpu *gpu, bool wait, double *nanoseconds, wnn_error *error) {
  end_pass(gpu);
  bool timed = gpu->measure && gpu->timed_passes && nanoseconds;
  if (nanoseconds) *nanoseconds = 0;
  if (timed) {
    gpu->api.encoder_resolve(gpu->encoder, gpu->query_set, 0, 2 * gpu->timed_passes, gpu->query_buffer, 0);
    gpu->api.encoder_copy(gpu->encoder, gpu->query_buffer, 0, gpu->query_staging, 0, 16 * gpu->timed_passes);
  }
  send(gpu);
  gpu->recording = false;
  wnn_status status = wnn_gpu_pop_scopes(gpu, "running", error);
  if (status != WNN_OK) return status;
  if (timed) {
    times out = {gpu->timed_passes, 0};
    status = wnn_gpu_map(gpu, gpu->query_staging, 16 * gpu->timed_passes, take_times, &out, error);
    *nanoseconds = out.nanoseconds;
    return status;
  }
  if (!wait) return WNN_OK;
  done_result *result = wnn_mem_zalloc(&gpu->allocator, sizeof *result);
  if (!result) return wnn_error_oom(error);
  wgpu_callback callback = {.mode = WGPU_CALLBACK_PROCESS_EVENTS, .call = (void (*)(void))on_done, .user1 = result};
  status = wnn_gpu_wait(gpu, gpu->api.queue_done(gpu->queue, callback), &result->done, error);
  if (status != WNN_OK) return status;
  bool good = result->status == WGPU_SUCCESS;
  wnn_mem_free(&gpu->allocator, result, sizeof *result);
  status = wnn_gpu_check(gpu, error);
  return good || status != WNN_OK ? status
                                  : wnn_error_set(error, WNN_OPERATION_ERROR, "WebGPU did not finish the work");
}

void wnn_gpu_abandon(wnn_gpu *gpu) {
  if (!gpu->recording) return;
  end_pass(gpu);
  if (gpu->encoder) gpu->api.encoder_release(gpu->encoder);
  gpu->encoder = NULL;
  gpu->recording = false;
  wnn_gpu_pop_scopes(gpu, "abandoned", NULL);
}
