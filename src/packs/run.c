/* Calls: plan, run, results. */
#include "packs/run.h"

#include <time.h>

#include "base/error.h"

wnn_pack_desc pk_fact_desc(const pk_tensor_fact *fact) {
  wnn_pack_desc desc = {.type = (wnn_pack_type)fact->logical, .rank = fact->rank};
  memcpy(desc.shape, fact->shape, fact->rank * sizeof *desc.shape);
  return desc;
}

/* ---- Results ----------------------------------------------------------------------------------------------------- */

void wnn_kernel_result_release(wnn_kernel_result *result) {
  if (!result) return;
  for (size_t i = 0; i < result->count; i++) wnn_pack_tensor_release(result->values[i].tensor);
  pthread_mutex_lock(&result->device->lock);
  for (size_t i = 0; i < result->count; i++)
    pk_give_block(result->device, (void *)(uintptr_t)result->values[i].data, result->values[i].size);
  pthread_mutex_unlock(&result->device->lock);
  wnn_device_release(result->device);
  wnn_arena_free(&result->arena);
  wnn_allocator allocator = result->allocator;
  wnn_mem_free(&allocator, result, sizeof *result);
}

size_t wnn_kernel_result_count(const wnn_kernel_result *result) { return result->count; }
const wnn_kernel_value *wnn_kernel_result_get(const wnn_kernel_result *result, size_t index) {
  return index < result->count ? &result->values[index] : NULL;
}
const wnn_kernel_value *wnn_kernel_result_find(const wnn_kernel_result *result, const char *name) {
  for (size_t i = 0; i < result->count; i++)
    if (!strcmp(result->values[i].name, name)) return &result->values[i];
  return NULL;
}
wnn_pack_tensor *wnn_kernel_result_take(wnn_kernel_result *result, const char *name) {
  for (size_t i = 0; i < result->count; i++) {
    if (strcmp(result->values[i].name, name)) continue;
    wnn_pack_tensor *tensor = result->values[i].tensor;
    result->values[i].tensor = NULL;
    return tensor;
  }
  return NULL;
}
const char *wnn_kernel_result_variant(const wnn_kernel_result *result) { return result->variant; }
double wnn_kernel_result_time(const wnn_kernel_result *result) { return result->nanoseconds; }

/* A value for every output that is there, with room for what is returned in memory. */
static wnn_status make_result(pk_flight *f, wnn_device *device, wnn_error *error) {
  const pk_manifest *m = &f->kernel->manifest;
  wnn_kernel_result *result = wnn_mem_zalloc(&f->kernel->allocator, sizeof *result);
  if (!result) return wnn_error_oom(error);
  f->result = result;
  result->allocator = f->kernel->allocator;
  result->device = device;
  pk_device_retain(device);
  wnn_arena_init(&result->arena, &result->allocator);
  result->values = wnn_arena_array(&result->arena, m->port_count, sizeof *result->values);
  result->variant = wnn_arena_string(&result->arena, device->gpu ? f->plan->variant->id : "native");
  if (!result->values || !result->variant) return wnn_error_oom(error);
  for (uint32_t i = 0; i < m->port_count; i++) {
    const pk_tensor_fact *fact = &f->plan->tensors[i];
    if (!m->ports[i].output || !fact->present) continue;
    wnn_kernel_value *value = &result->values[result->count];
    value->name = wnn_arena_string(&result->arena, m->ports[i].name);
    value->desc = pk_fact_desc(fact);
    wnn_pack_tensor *given = f->outputs[i] ? f->outputs[i]->tensor : NULL;
    if (m->ports[i].input && f->inputs[i] && f->inputs[i]->tensor) given = f->inputs[i]->tensor;
    if (!value->name) return wnn_error_oom(error);
    if (given) {
      if (given->device != device)
        return wnn_error_set(error, WNN_TYPE_ERROR, "the tensor given for %s is on another device", m->ports[i].name);
      pk_tensor_retain(given);
      value->tensor = given;
    } else if (f->call->resident) {
      wnn_status status = pk_tensor_make(device, &value->desc, fact->storage, &value->tensor, error);
      if (status != WNN_OK) return status;
    } else {
      value->size = wnn_pack_desc_bytes(&value->desc);
      value->data = pk_take_block(device, value->size);
      if (!value->data) return wnn_error_oom(error);
    }
    f->values[i] = value;
    result->count++;
  }
  return WNN_OK;
}

/* ---- Flights -------------------------------------------------------------------------------------------------------
 */

static wnn_status prepare(pk_flight *f, wnn_device *device, wnn_arena *arena, wnn_error *error) {
  const pk_manifest *m = &f->kernel->manifest;
  wnn_status status = pk_kernel_plan(f->kernel, device, f->call, &f->plan, error);
  if (status != WNN_OK) return status;
  size_t slots = (size_t)m->port_count + f->plan->scratch_count;
  f->inputs = wnn_arena_array(arena, m->port_count, sizeof *f->inputs);
  f->outputs = wnn_arena_array(arena, m->port_count, sizeof *f->outputs);
  f->values = wnn_arena_array(arena, m->port_count, sizeof *f->values);
  f->data = wnn_arena_array(arena, m->port_count, sizeof *f->data);
  f->buffers = wnn_arena_array(arena, slots, sizeof *f->buffers);
  f->temporary = wnn_arena_array(arena, slots, sizeof *f->temporary);
  if (!f->inputs || !f->outputs || !f->values || !f->data || !f->buffers || !f->temporary) return wnn_error_oom(error);
  for (uint32_t i = 0; i < m->port_count; i++) {
    for (size_t j = 0; j < f->call->input_count; j++)
      if (!strcmp(f->call->inputs[j].name, m->ports[i].name)) f->inputs[i] = &f->call->inputs[j];
    for (size_t j = 0; j < f->call->output_count; j++)
      if (!strcmp(f->call->outputs[j].name, m->ports[i].name)) f->outputs[i] = &f->call->outputs[j];
    const wnn_kernel_input *input = f->inputs[i];
    if (!input) continue;
    if (input->tensor && input->tensor->device != device)
      return wnn_error_set(error, WNN_TYPE_ERROR, "the tensor given for %s is on another device", input->name);
    if (!input->tensor && !input->data && wnn_pack_desc_bytes(&input->desc))
      return wnn_error_set(error, WNN_TYPE_ERROR, "input %s has no data", input->name);
  }
  return make_result(f, device, error);
}

static double now_ns(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

wnn_status pk_run_cpu(pk_flight *f, wnn_device *device, wnn_error *error) {
  const pk_manifest *m = &f->kernel->manifest;
  for (uint32_t i = 0; i < m->port_count; i++) {
    const wnn_kernel_input *input = f->inputs[i];
    void *source = !input ? NULL : input->tensor ? input->tensor->data : (void *)(uintptr_t)input->data;
    wnn_kernel_value *value = f->values[i];
    f->data[i] = source;
    if (!value) continue;
    f->data[i] = value->tensor ? value->tensor->data : (void *)(uintptr_t)value->data;
    if (source && f->data[i] != source && value->size) memcpy(f->data[i], source, value->size); /* updated in place */
  }
  pk_vm vm;
  pk_vm_init(&vm, &f->kernel->allocator, 1000000, 1 << 20);
  pk_value attrs = pk_map_new(&vm);
  for (uint32_t i = 0; i < m->attribute_count && !vm.failed; i++)
    if (m->attributes[i].has_default) pk_map_put(&vm, attrs.as.map, m->attributes[i].name, m->attributes[i].value);
  for (size_t i = 0; i < f->call->attr_count && !vm.failed; i++) {
    const wnn_setting *setting = &f->call->attrs[i];
    pk_value value = setting->kind == WNN_SETTING_BOOL     ? pk_bool(setting->number != 0)
                     : setting->kind == WNN_SETTING_NUMBER ? pk_number(setting->number)
                                                           : pk_null();
    pk_map_put(&vm, attrs.as.map, setting->name, value);
  }
  pk_twin_call call = {.m = m,
                       .tensors = f->plan->tensors,
                       .data = f->data,
                       .attrs = attrs.as.map,
                       .device = device,
                       .strict = f->kernel->strict};
  double start = f->call->measure ? now_ns() : 0;
  wnn_status status = vm.failed ? wnn_error_oom(error) : f->kernel->twin->run(&call, error);
  if (f->call->measure) f->result->nanoseconds = now_ns() - start;
  pk_vm_free(&vm);
  return status;
}

wnn_status wnn_kernel_run_all(const wnn_kernel_item *items, size_t count, wnn_kernel_result **results,
                              wnn_error *error) {
  if (!count) return WNN_OK;
  wnn_device *device;
  wnn_status status = pk_kernel_device(items[0].kernel, &device, error);
  for (size_t i = 1; i < count && status == WNN_OK; i++) {
    wnn_device *other;
    if (!items[i].kernel->device && items[0].kernel->device) { /* the first call made the device: the others join it */
      pthread_mutex_lock(&items[i].kernel->lock);
      if (!items[i].kernel->device &&
          (items[i].kernel->device_kind == WNN_DEVICE_AUTO || items[i].kernel->device_kind == device->kind)) {
        items[i].kernel->device = device;
        pk_device_retain(device);
      }
      pthread_mutex_unlock(&items[i].kernel->lock);
    }
    status = pk_kernel_device(items[i].kernel, &other, error);
    if (status == WNN_OK && other != device)
      status = wnn_error_set(error, WNN_TYPE_ERROR, "the kernels of call 0 and call %zu are on different devices", i);
  }
  if (status != WNN_OK) return status;
  wnn_arena arena;
  wnn_arena_init(&arena, &items[0].kernel->allocator);
  pk_flight *flights = wnn_arena_array(&arena, count, sizeof *flights);
  if (!flights) {
    wnn_arena_free(&arena);
    return wnn_error_oom(error);
  }
  pthread_mutex_lock(&device->lock);
  for (size_t i = 0; i < count && status == WNN_OK; i++) {
    flights[i].kernel = items[i].kernel;
    flights[i].call = items[i].call;
    status = prepare(&flights[i], device, &arena, error);
    if (status == WNN_OK && !device->gpu) status = pk_run_cpu(&flights[i], device, error);
    if (status == WNN_OK && device->gpu && flights[i].kernel->strict)
      status = pk_check_strict(&flights[i], device, error);
  }
  if (status == WNN_OK && device->gpu) status = pk_run_gpu(flights, count, device, error);
  for (size_t i = 0; i < count; i++)
    if (flights[i].plan) flights[i].plan->pins--;
  pthread_mutex_unlock(&device->lock);
  for (size_t i = 0; i < count; i++) {
    if (status == WNN_OK)
      results[i] = flights[i].result;
    else
      wnn_kernel_result_release(flights[i].result);
  }
  wnn_arena_free(&arena);
  return status;
}

wnn_status wnn_kernel_run(wnn_kernel *kernel, const wnn_kernel_call *call, wnn_kernel_result **result,
                          wnn_error *error) {
  return wnn_kernel_run_all(&(wnn_kernel_item){kernel, call}, 1, result, error);
}

wnn_status wnn_kernel_prewarm(wnn_kernel *kernel, const wnn_kernel_call *call, wnn_error *error) {
  wnn_device *device;
  wnn_status status = pk_kernel_device(kernel, &device, error);
  if (status != WNN_OK) return status;
  pk_plan *plan;
  pthread_mutex_lock(&device->lock);
  status = pk_kernel_plan(kernel, device, call, &plan, error);
  if (status == WNN_OK) plan->pins--;
  pthread_mutex_unlock(&device->lock);
  return status;
}
