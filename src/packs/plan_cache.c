/* Plans of a kernel: made once a combination of shapes and settings, kept with their pipelines. */
#include "base/error.h"
#include "packs/kernel.h"

/* Limits of evaluating one call. */
#define CALL_STEPS UINT64_C(50000000)
#define CALL_BYTES ((size_t)256 << 20)

/* A plan is worked out in memory that also holds everything passing; what stays is copied. */
static pk_plan *copy_plan(const pk_plan *from, const pk_manifest *m, const pk_vm *work, pk_value key,
                          const wnn_allocator *allocator) {
  (void)work;
  pk_plan *plan = wnn_mem_zalloc(allocator, sizeof *plan);
  if (!plan) return NULL;
  pk_vm_init(&plan->vm, allocator, UINT64_MAX / 2, SIZE_MAX / 2);
  pk_vm *vm = &plan->vm;
  pk_value own_key = pk_string(vm, key.as.text, key.length);
  plan->variant = from->variant;
  plan->tensors = pk_array(vm, m->port_count, sizeof *plan->tensors);
  plan->passes = pk_array(vm, from->pass_count, sizeof *plan->passes);
  plan->scratches = pk_array(vm, from->scratch_count, sizeof *plan->scratches);
  if (vm->failed) goto fail;
  plan->key = own_key.as.text;
  plan->key_length = own_key.length;
  memcpy(plan->tensors, from->tensors, m->port_count * sizeof *plan->tensors);
  if (from->scratch_count) memcpy(plan->scratches, from->scratches, from->scratch_count * sizeof *plan->scratches);
  plan->scratch_count = from->scratch_count;
  for (uint32_t i = 0; i < from->pass_count; i++) {
    const pk_plan_pass *source = &from->passes[i];
    pk_plan_pass *pass = &plan->passes[i];
    *pass = *source;
    pass->id = pk_path(vm, "%s", source->id);
    pass->name = pk_path(vm, "%s", source->name);
    pass->source = NULL;
    for (uint32_t j = 0; source->source && j < i; j++) /* repeated passes share a text */
      if (from->passes[j].source == source->source) pass->source = plan->passes[j].source;
    if (source->source && !pass->source) pass->source = pk_string(vm, source->source, source->source_length).as.text;
    pass->bindings = pk_array(vm, source->binding_count, sizeof *pass->bindings);
    pass->alias = pk_array(vm, (size_t)source->alias_count * 2, sizeof *pass->alias);
    if (vm->failed) goto fail;
    if (source->alias_count) memcpy(pass->alias, source->alias, source->alias_count * 2 * sizeof *pass->alias);
    memcpy(pass->bindings, source->bindings, source->binding_count * sizeof *pass->bindings);
    for (uint32_t j = 0; j < source->binding_count; j++) {
      if (!source->bindings[j].uniform) continue;
      uint32_t *words = pk_alloc(vm, source->bindings[j].uniform_bytes);
      if (!words) goto fail;
      memcpy(words, source->bindings[j].uniform, source->bindings[j].uniform_bytes);
      pass->bindings[j].uniform = words;
    }
    plan->pass_count = i + 1;
  }
  return plan;
fail:
  pk_vm_free(vm);
  wnn_mem_free(allocator, plan, sizeof *plan);
  return NULL;
}

void pk_plan_free(pk_plan *plan, wnn_device *device, const wnn_allocator *allocator) {
  for (uint32_t i = 0; device && device->gpu && i < plan->pass_count; i++) {
    wnn_gpu_unuse(device->gpu, plan->passes[i].pipeline);
    for (uint32_t j = 0; j < plan->passes[i].binding_count; j++)
      wnn_gpu_uniform_release(device->gpu, plan->passes[i].bindings[j].uniform_buffer);
  }
  pk_vm_free(&plan->vm);
  wnn_mem_free(allocator, plan, sizeof *plan);
}

static wnn_status compile(pk_plan *plan, wnn_gpu *gpu, wnn_error *error) {
  for (uint32_t i = 0; i < plan->pass_count; i++) {
    pk_plan_pass *pass = &plan->passes[i];
    if (pass->skipped) continue;
    uint32_t types[64];
    for (uint32_t j = 0; j < pass->binding_count && j < 64; j++) {
      static const uint32_t kinds[] = {[PK_BUFFER_READ] = WGPU_BINDING_READ_ONLY,
                                       [PK_BUFFER_WRITE] = WGPU_BINDING_STORAGE,
                                       [PK_BUFFER_UNIFORM] = WGPU_BINDING_UNIFORM};
      types[j] = kinds[pass->bindings[j].buffer];
    }
    wnn_gpu_pipeline *pipeline;
    wnn_status status = wnn_gpu_compile(gpu, pass->source, pass->source_length, types, pass->binding_count, pass->name,
                                        &pipeline, error);
    if (status != WNN_OK) return status;
    pass->pipeline = pipeline;
    for (uint32_t j = 0; j < pass->binding_count; j++) {
      pk_plan_binding *binding = &pass->bindings[j];
      if (binding->target != PK_TARGET_UNIFORM) continue;
      wgpu_handle buffer;
      status = wnn_gpu_uniform(gpu, binding->uniform, binding->uniform_bytes, &buffer, error);
      if (status != WNN_OK) return status;
      binding->uniform_buffer = buffer;
    }
  }
  return WNN_OK;
}

static wnn_status make_plan(wnn_kernel *kernel, wnn_device *device, pk_vm *vm, pk_value key,
                            const wnn_kernel_call *call, pk_plan **out, wnn_error *error) {
  pk_request request;
  pk_plan plan = {0};
  if (!pk_request_open(&request, vm, &kernel->manifest, &device->facts, call)) return pk_vm_status(vm, error);
  const pk_variant *variant = pk_select(&request, device->gpu ? call->variant : NULL, NULL);
  if (!variant) return pk_vm_status(vm, error);
  plan.variant = variant;
  plan.tensors = request.tensors;
  if (device->gpu) {
    pk_assets assets = {pk_kernel_template, kernel};
    pthread_mutex_lock(&kernel->lock);
    bool built = pk_plan_build(&plan, &request, variant, &assets);
    pthread_mutex_unlock(&kernel->lock);
    if (!built) return pk_vm_status(vm, error);
  }
  pk_plan *kept = copy_plan(&plan, &kernel->manifest, vm, key, &kernel->allocator);
  if (!kept) return wnn_error_oom(error);
  wnn_status status = device->gpu ? compile(kept, device->gpu, error) : WNN_OK;
  if (status == WNN_OK)
    *out = kept;
  else
    pk_plan_free(kept, device, &kernel->allocator);
  return status;
}

wnn_status pk_kernel_plan(wnn_kernel *kernel, wnn_device *device, const wnn_kernel_call *call, pk_plan **out,
                          wnn_error *error) {
  pk_vm vm;
  pk_vm_init(&vm, &kernel->allocator, CALL_STEPS, CALL_BYTES);
  pk_value key = pk_plan_key(&vm, call);
  wnn_status status = vm.failed ? pk_vm_status(&vm, error) : WNN_OK;
  pk_plan **slot = NULL;
  for (size_t i = 0; i < PK_MAX_PLANS && status == WNN_OK; i++) {
    pk_plan *plan = kernel->plans[i];
    if (plan && plan->key_length == key.length && !memcmp(plan->key, key.as.text, key.length)) {
      plan->used = ++kernel->clock;
      plan->pins++;
      *out = plan;
      pk_vm_free(&vm);
      return WNN_OK;
    }
    if (plan && plan->pins) continue;
    if (!slot || (*slot && (!plan || plan->used < (*slot)->used))) slot = &kernel->plans[i];
  }
  if (status == WNN_OK && !slot)
    status = wnn_error_set(error, WNN_OPERATION_ERROR, "too many different calls of one kernel at once");
  pk_plan *plan = NULL;
  if (status == WNN_OK) status = make_plan(kernel, device, &vm, key, call, &plan, error);
  pk_vm_free(&vm);
  if (status != WNN_OK) return status;
  if (*slot) pk_plan_free(*slot, device, &kernel->allocator);
  *slot = plan;
  plan->used = ++kernel->clock;
  plan->pins = 1;
  *out = plan;
  return WNN_OK;
}

wnn_status pk_kernel_device(wnn_kernel *kernel, wnn_device **out, wnn_error *error) {
  pthread_mutex_lock(&kernel->lock);
  wnn_status status = WNN_OK;
  if (!kernel->device) {
    wnn_device_options options = WNN_DEVICE_OPTIONS_INIT;
    wnn_device *device = NULL;
    options.allocator = &kernel->allocator;
    options.kind = kernel->device_kind == WNN_DEVICE_CPU ? WNN_DEVICE_CPU : WNN_DEVICE_WEBGPU;
    status = wnn_device_create(&options, &device, error);
    bool automatic = kernel->device_kind == WNN_DEVICE_AUTO && kernel->twin;
    if (automatic && (status == WNN_NOT_SUPPORTED || (status == WNN_OK && wnn_gpu_get_info(device->gpu)->software))) {
      if (status == WNN_OK) wnn_device_release(device);
      options.kind = WNN_DEVICE_CPU;
      status = wnn_device_create(&options, &device, error);
    }
    if (status == WNN_OK) kernel->device = device;
  }
  if (status == WNN_OK && !kernel->device->gpu && !kernel->twin)
    status = wnn_error_set(error, WNN_NOT_SUPPORTED, "%s has no native kernel: it needs a WebGPU device",
                           kernel->manifest.op);
  *out = kernel->device;
  pthread_mutex_unlock(&kernel->lock);
  return status;
}
