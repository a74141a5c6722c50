/* Calls on a GPU: buffers, one submission for all, reading back. */
#include "base/error.h"
#include "packs/run.h"

static uint32_t slot_count(const pk_flight *f) { return f->kernel->manifest.port_count + f->plan->scratch_count; }

/* ---- Buffers -------------------------------------------------------------------------------------------------------
 */

static wnn_status take_buffer(pk_flight *f, wnn_gpu *gpu, uint32_t slot, uint64_t size, wnn_error *error) {
  size = size < 4 ? 4 : (size + 3) & ~UINT64_C(3);
  wnn_status status = wnn_gpu_buffer(gpu, size, &f->buffers[slot].buffer, error);
  if (status != WNN_OK) return status;
  f->buffers[slot].size = size;
  f->temporary[slot] = true;
  return WNN_OK;
}

static void use_tensor(pk_flight *f, uint32_t slot, const wnn_pack_tensor *tensor) {
  f->buffers[slot] = (wnn_gpu_binding){tensor->buffer, tensor->offset, tensor->size};
}

static wnn_status upload(pk_flight *f, wnn_gpu *gpu, uint32_t port, wnn_error *error) {
  const pk_port *spec = &f->kernel->manifest.ports[port];
  const wnn_kernel_input *input = f->inputs[port];
  int storage = f->plan->tensors[port].storage;
  uint64_t size = pk_storage_bytes(&input->desc, storage, spec->packed);
  wnn_status status = take_buffer(f, gpu, port, size, error);
  if (status != WNN_OK) return status;
  size_t bytes = wnn_pack_desc_bytes(&input->desc);
  if (pk_same_layout(&input->desc, storage, spec->packed)) {
    size_t whole = bytes & ~(size_t)3;
    status = wnn_gpu_write(gpu, f->buffers[port].buffer, 0, input->data, whole, error);
    if (status != WNN_OK || bytes == whole) return status;
    unsigned char last[4] = {0}; /* the rest, and the padding */
    memcpy(last, (const char *)input->data + whole, bytes - whole);
    return wnn_gpu_write(gpu, f->buffers[port].buffer, whole, last, 4, error);
  }
  void *wide = wnn_mem_alloc(&f->kernel->allocator, size);
  if (!wide) return wnn_error_oom(error);
  status = pk_widen(&input->desc, storage, spec->packed, spec->narrowing, spec->name, input->data, wide, error);
  if (status == WNN_OK) status = wnn_gpu_write(gpu, f->buffers[port].buffer, 0, wide, size, error);
  wnn_mem_free(&f->kernel->allocator, wide, size);
  return status;
}

static wnn_status open_buffers(pk_flight *f, wnn_gpu *gpu, wnn_error *error) {
  const pk_manifest *m = &f->kernel->manifest;
  wnn_status status = WNN_OK;
  for (uint32_t i = 0; i < m->port_count && status == WNN_OK; i++) {
    if (!f->plan->tensors[i].present) continue;
    const wnn_kernel_value *value = f->values[i];
    if (f->inputs[i] && f->inputs[i]->tensor) {
      use_tensor(f, i, f->inputs[i]->tensor);
    } else if (f->inputs[i]) {
      status = upload(f, gpu, i, error);
      if (status == WNN_OK && value && value->tensor) /* updated in place and kept: the tensor is written instead */
        wnn_gpu_copy(gpu, f->buffers[i].buffer, 0, value->tensor->buffer, value->tensor->offset, value->tensor->size);
      if (status == WNN_OK && value && value->tensor) {
        wnn_gpu_recycle(gpu, f->buffers[i].buffer, f->buffers[i].size);
        f->temporary[i] = false;
        use_tensor(f, i, value->tensor);
      }
    } else if (value && value->tensor) {
      use_tensor(f, i, value->tensor);
    } else {
      wnn_pack_desc desc = pk_fact_desc(&f->plan->tensors[i]);
      status = take_buffer(f, gpu, i, pk_storage_bytes(&desc, f->plan->tensors[i].storage, false), error);
    }
  }
  for (uint32_t i = 0; i < f->plan->scratch_count && status == WNN_OK; i++) {
    const pk_plan_scratch *scratch = &f->plan->scratches[i];
    if (!scratch->used) continue;
    status = take_buffer(f, gpu, m->port_count + i, scratch->bytes, error);
    if (status == WNN_OK && scratch->zero)
      wnn_gpu_clear(gpu, f->buffers[m->port_count + i].buffer, 0, f->buffers[m->port_count + i].size);
  }
  return status;
}

/* ---- Passes
 * ---------------------------------------------------------------------------------------------------------- */

static const char *access_name(pk_buffer buffer) { return buffer == PK_BUFFER_WRITE ? "storage" : "read-only-storage"; }

/* WebGPU forbids a buffer that is read and written, and overlapping writes, in one dispatch; said before it does. */
static wnn_status check_aliases(const pk_plan_pass *pass, const wnn_gpu_binding *bindings, wnn_error *error) {
  for (uint32_t i = 0; i < pass->binding_count; i++) {
    const pk_plan_binding *a = &pass->bindings[i];
    if (a->buffer == PK_BUFFER_UNIFORM) continue;
    for (uint32_t j = 0; j < i; j++) {
      const pk_plan_binding *b = &pass->bindings[j];
      if (b->buffer == PK_BUFFER_UNIFORM || bindings[i].buffer != bindings[j].buffer) continue;
      if (a->buffer == PK_BUFFER_READ && b->buffer == PK_BUFFER_READ) continue;
      bool apart = bindings[i].offset + bindings[i].size <= bindings[j].offset ||
                   bindings[j].offset + bindings[j].size <= bindings[i].offset;
      if (a->buffer == b->buffer && apart) continue;
      return wnn_error_set(error, WNN_TYPE_ERROR, "pass %s: %s (%s) and %s (%s) are the same buffer", pass->id, b->name,
                           access_name(b->buffer), a->name, access_name(a->buffer));
    }
  }
  return WNN_OK;
}

static bool all_aliased(const pk_plan_pass *pass, const wnn_gpu_binding *bindings) {
  for (uint32_t i = 0; i < pass->alias_count; i++)
    if (memcmp(&bindings[pass->alias[2 * i]], &bindings[pass->alias[2 * i + 1]], sizeof *bindings)) return false;
  return pass->alias_count > 0;
}

static wnn_status record_pass(pk_flight *f, const pk_plan_pass *pass, wnn_gpu *gpu, wnn_error *error) {
  wnn_gpu_binding bindings[64] = {{0}};
  uint64_t most = wnn_gpu_get_info(gpu)->limits.storage_binding_size;
  for (uint32_t i = 0; i < pass->binding_count && i < 64; i++) {
    const pk_plan_binding *binding = &pass->bindings[i];
    if (binding->target == PK_TARGET_UNIFORM) {
      bindings[i] = (wnn_gpu_binding){binding->uniform_buffer, 0, binding->uniform_bytes};
      continue;
    }
    bindings[i] = f->buffers[binding->target == PK_TARGET_PORT ? binding->index
                                                               : f->kernel->manifest.port_count + binding->index];
    if (bindings[i].size > most)
      return wnn_error_set(error, WNN_NOT_SUPPORTED,
                           "pass %s: %s has %llu bytes, over the device's maxStorageBufferBindingSize of %llu",
                           pass->id, binding->name, (unsigned long long)bindings[i].size, (unsigned long long)most);
    if (bindings[i].size < binding->min_bytes)
      return wnn_error_set(error, WNN_DATA_ERROR, "pass %s: %s has %llu bytes, its declared length needs %llu",
                           pass->id, binding->name, (unsigned long long)bindings[i].size,
                           (unsigned long long)binding->min_bytes);
  }
  if (all_aliased(pass, bindings)) return WNN_OK; /* the pass would copy a buffer onto itself */
  wnn_status status = check_aliases(pass, bindings, error);
  if (status == WNN_OK)
    status = wnn_gpu_dispatch(gpu, pass->pipeline, bindings, pass->binding_count, pass->groups, error);
  if (status == WNN_OK && pass->submit_after) status = wnn_gpu_split(gpu, error);
  return status;
}

/* ---- Reading back
 * ------------------------------------------------------------------------------------------------------ */

typedef struct readback {
  pk_flight *flights;
  size_t count;
} readback;

static bool is_read_back(const pk_flight *f, uint32_t port) {
  return f->values[port] && !f->values[port]->tensor && f->values[port]->size;
}

static void take_outputs(void *user, const void *data) {
  const readback *all = user;
  for (size_t i = 0; i < all->count; i++) {
    pk_flight *f = &all->flights[i];
    uint64_t at = f->staging_offset;
    for (uint32_t port = 0; port < f->kernel->manifest.port_count; port++) {
      if (!is_read_back(f, port)) continue;
      pk_narrow(&f->values[port]->desc, f->plan->tensors[port].storage, (const char *)data + at,
                (void *)(uintptr_t)f->values[port]->data);
      at += f->buffers[port].size;
    }
  }
}

wnn_status pk_run_gpu(pk_flight *flights, size_t count, wnn_device *device, wnn_error *error) {
  wnn_gpu *gpu = device->gpu;
  bool measure = false;
  for (size_t i = 0; i < count; i++) measure = measure || flights[i].call->measure;
  wnn_status status = wnn_gpu_begin(gpu, measure, error);
  for (size_t i = 0; i < count && status == WNN_OK; i++) {
    pk_flight *f = &flights[i];
    status = open_buffers(f, gpu, error);
    for (uint32_t k = 0; k < f->plan->pass_count && status == WNN_OK; k++)
      if (!f->plan->passes[k].skipped) status = record_pass(f, &f->plan->passes[k], gpu, error);
  }
  uint64_t size = 0;
  for (size_t i = 0; i < count && status == WNN_OK; i++) {
    flights[i].staging_offset = size;
    for (uint32_t port = 0; port < flights[i].kernel->manifest.port_count; port++)
      if (is_read_back(&flights[i], port)) size += flights[i].buffers[port].size;
  }
  wgpu_handle staging = NULL;
  if (status == WNN_OK && size) status = wnn_gpu_staging(gpu, size, &staging, error);
  for (size_t i = 0; i < count && status == WNN_OK; i++) {
    uint64_t at = flights[i].staging_offset;
    for (uint32_t port = 0; port < flights[i].kernel->manifest.port_count; port++) {
      if (!is_read_back(&flights[i], port)) continue;
      const wnn_gpu_binding *buffer = &flights[i].buffers[port];
      wnn_gpu_copy(gpu, buffer->buffer, buffer->offset, staging, at, buffer->size);
      at += buffer->size;
    }
  }
  double nanoseconds = 0;
  if (status == WNN_OK)
    status = wnn_gpu_submit(gpu, !size, measure ? &nanoseconds : NULL, error);
  else
    wnn_gpu_abandon(gpu);
  if (status == WNN_OK && size)
    status = wnn_gpu_take_staging(gpu, size, take_outputs, &(readback){flights, count}, error);
  for (size_t i = 0; i < count; i++) {
    if (flights[i].result) flights[i].result->nanoseconds = nanoseconds;
    for (uint32_t slot = 0; flights[i].plan && slot < slot_count(&flights[i]); slot++)
      if (flights[i].temporary[slot])
        wnn_gpu_recycle(gpu, flights[i].buffers[slot].buffer, flights[i].buffers[slot].size);
  }
  return status;
}

/* ---- Strict calls
 * --------------------------------------------------------------------------------------------------------- */

wnn_status pk_check_strict(pk_flight *f, wnn_device *device, wnn_error *error) {
  const pk_twin *twin = f->kernel->twin;
  const pk_manifest *m = &f->kernel->manifest;
  if (!twin || !twin->check) return wnn_error_set(error, WNN_NOT_SUPPORTED, "%s has no strict mode", m->op);
  wnn_arena arena;
  wnn_arena_init(&arena, &f->kernel->allocator);
  wnn_status status = WNN_OK;
  for (const char *const *name = twin->inputs; *name && status == WNN_OK; name++) {
    const pk_port *port = pk_find_port(m, *name);
    uint32_t at = port ? (uint32_t)(port - m->ports) : 0;
    const wnn_kernel_input *input = port ? f->inputs[at] : NULL;
    if (!input) continue;
    f->data[at] = (void *)(uintptr_t)input->data;
    if (!input->tensor) continue;
    f->data[at] = wnn_arena_alloc(&arena, (size_t)input->tensor->size);
    status = f->data[at] ? wnn_gpu_read(device->gpu, input->tensor->buffer, input->tensor->offset, f->data[at],
                                        (size_t)input->tensor->size, error)
                         : wnn_error_oom(error);
  }
  pk_twin_call call = {.m = m, .tensors = f->plan->tensors, .data = f->data, .strict = true};
  if (status == WNN_OK) status = twin->check(&call, error);
  wnn_arena_free(&arena);
  return status;
}
