/* Tensors: creation, destruction, and the counting that keeps storage under queued work. */
#include <stddef.h>
#include <string.h>

#include "base/error.h"
#include "base/shape.h"
#include "base/sizes.h"
#include "runtime/runtime.h"

/* Storage is whole cache lines, so that dead storages can be chained through their first bytes. */
static size_t storage_size(const wnn_tensor *tensor) { return wnn_align_up(tensor->bytes); }

static wnn_status memory_short(const wnn_desc *desc, wnn_error *error) {
  char text[WNN_DESC_TEXT];
  return wnn_error_set(error, WNN_UNKNOWN_ERROR, "createTensor: There is not enough memory for a tensor %s.",
                       wnn_desc_format(desc, text));
}

/* The common beginning: checks and the struct. */
static wnn_status new_tensor(wnn_context *context, const wnn_desc *desc, const char *method, wnn_tensor **tensor,
                             wnn_error *error) {
  const char *why;
  char text[WNN_DESC_TEXT];
  if (wnn_context_is_lost(context)) return wnn_error_set(error, WNN_INVALID_STATE, "%s: The context is lost.", method);
  if (!wnn_desc_valid(desc, &why))
    return wnn_error_set(error, WNN_TYPE_ERROR, "%s: The descriptor %s is not valid: %s.", method,
                         wnn_desc_format(desc, text), why);
  wnn_tensor *fresh = wnn_mem_zalloc(&context->allocator, sizeof *fresh);
  if (!fresh) return memory_short(desc, error);
  fresh->context = context;
  fresh->desc = *desc;
  fresh->bytes = wnn_bytes(desc);
  fresh->references = fresh->uses = 1;
  wnn_link_init(&fresh->live);
  wnn_link_init(&fresh->reads);
  *tensor = fresh;
  return WNN_OK;
}

static void free_content(wnn_tensor *tensor) {
  wnn_mem_free(&tensor->context->allocator, tensor->storage, storage_size(tensor));
  wnn_blob_release(tensor->blob);
}

/* Enters a finished tensor into the context, or frees it when the context was lost meanwhile. */
static wnn_status enter_tensor(wnn_tensor *fresh, const char *method, wnn_tensor **tensor, wnn_error *error) {
  wnn_context *context = fresh->context;
  wnn_context_lock(context);
  bool lost = atomic_load(&context->lost);
  if (!lost) {
    wnn_link_append(&context->tensors, &fresh->live);
    wnn_context_retain_internal(context);
  }
  wnn_context_unlock(context);
  if (lost) {
    free_content(fresh);
    wnn_mem_free(&context->allocator, fresh, sizeof *fresh);
    return wnn_error_set(error, WNN_INVALID_STATE, "%s: The context is lost.", method);
  }
  *tensor = fresh;
  return WNN_OK;
}

wnn_status wnn_context_create_tensor(wnn_context *context, const wnn_desc *desc, uint32_t flags, wnn_tensor **tensor,
                                     wnn_error *error) {
  wnn_tensor *fresh = NULL;
  wnn_status status = new_tensor(context, desc, "createTensor", &fresh, error);
  if (status) return status;
  fresh->readable = flags & WNN_TENSOR_READABLE;
  fresh->writable = flags & WNN_TENSOR_WRITABLE;
  fresh->storage = wnn_mem_zalloc(&context->allocator, storage_size(fresh));
  if (!fresh->storage) {
    wnn_mem_free(&context->allocator, fresh, sizeof *fresh);
    return memory_short(desc, error);
  }
  return enter_tensor(fresh, "createTensor", tensor, error);
}

wnn_status wnn_context_create_constant_tensor(wnn_context *context, const wnn_desc *desc, const void *data, size_t size,
                                              wnn_tensor **tensor, wnn_error *error) {
  wnn_tensor *fresh = NULL;
  wnn_status status = new_tensor(context, desc, "createConstantTensor", &fresh, error);
  if (status) return status;
  char text[WNN_DESC_TEXT];
  if (size != fresh->bytes || !data)
    status = wnn_error_set(error, WNN_TYPE_ERROR, "createConstantTensor: The data has %zu bytes, but %s needs %zu.",
                           data ? size : 0, wnn_desc_format(desc, text), fresh->bytes);
  else if (!(fresh->blob = wnn_blob_create(&context->allocator, size)))
    status = memory_short(desc, error);
  if (status) {
    wnn_mem_free(&context->allocator, fresh, sizeof *fresh);
    return status;
  }
  fresh->constant = true;
  void *bytes;
  memcpy(&bytes, &fresh->blob->data, sizeof bytes); /* ours until it is handed out */
  memcpy(bytes, data, size);
  return enter_tensor(fresh, "createConstantTensor", tensor, error);
}

const wnn_desc *wnn_tensor_desc(const wnn_tensor *tensor) { return &tensor->desc; }
bool wnn_tensor_readable(const wnn_tensor *tensor) { return tensor->readable; }
bool wnn_tensor_writable(const wnn_tensor *tensor) { return tensor->writable; }
bool wnn_tensor_constant(const wnn_tensor *tensor) { return tensor->constant; }

/* ---- Lifetime --------------------------------------------------------------------------------------------- */

struct dead_storage {
  void *next;
  size_t size;
};

static void drop_use(wnn_tensor *tensor, wnn_dead *dead) {
  if (--tensor->uses) return;
  if (tensor->storage) {
    struct dead_storage *storage = tensor->storage;
    *storage = (struct dead_storage){dead->storages, storage_size(tensor)};
    dead->storages = storage;
    tensor->storage = NULL;
  }
  if (tensor->blob) { /* no job uses constant tensors: there is one at most */
    dead->blob = tensor->blob;
    tensor->blob = NULL;
  }
}

static void drop_reference(wnn_tensor *tensor, wnn_dead *dead) {
  if (--tensor->references) return;
  wnn_link_remove(&tensor->live);
  tensor->dead = dead->tensors;
  dead->tensors = tensor;
}

void wnn_tensor_drop(wnn_tensor *tensor, wnn_dead *dead) {
  drop_use(tensor, dead);
  drop_reference(tensor, dead);
}

void wnn_bury(wnn_context *context, wnn_dead *dead) {
  size_t released = 0;
  if (dead->program) context->backend->vtable->program_destroy(dead->program);
  wnn_blob_release(dead->blob);
  for (struct dead_storage *storage = dead->storages, *next; storage; storage = next) {
    next = storage->next;
    wnn_mem_free(&context->allocator, storage, storage->size);
  }
  for (wnn_tensor *tensor = dead->tensors, *next; tensor; tensor = next) {
    next = tensor->dead;
    free_content(tensor);
    wnn_mem_free(&context->allocator, tensor, sizeof *tensor);
    released++;
  }
  if (dead->graph) {
    wnn_graph_free(dead->graph);
    released++;
  }
  while (released--) wnn_context_release_internal(context);
}

void wnn_tensor_destroy(wnn_tensor *tensor) {
  if (tensor) wnn_tensor_destroy_because(tensor, "The tensor was destroyed.");
}

void wnn_tensor_release(wnn_tensor *tensor) {
  if (!tensor) return;
  wnn_context *context = tensor->context;
  wnn_dead dead = {0};
  wnn_context_lock(context);
  drop_reference(tensor, &dead);
  wnn_context_unlock(context);
  wnn_bury(context, &dead);
}

void wnn_tensor_retain_internal(wnn_tensor *tensor) {
  wnn_context_lock(tensor->context);
  tensor->references++;
  wnn_context_unlock(tensor->context);
}

bool wnn_tensor_destroyed(const wnn_tensor *tensor) {
  wnn_context_lock(tensor->context);
  bool destroyed = tensor->destroyed;
  wnn_context_unlock(tensor->context);
  return destroyed;
}

wnn_blob *wnn_tensor_constant_blob(wnn_context *context, wnn_tensor *tensor, wnn_error *error) {
  wnn_blob *blob = NULL;
  const char *why = NULL;
  if (!tensor || tensor->context != context) {
    wnn_error_set(error, WNN_TYPE_ERROR, "constant: The tensor belongs to another context.");
    return NULL;
  }
  wnn_context_lock(context);
  if (tensor->destroyed)
    why = "is destroyed";
  else if (!tensor->constant)
    why = "is not a constant tensor";
  else
    blob = wnn_blob_retain(tensor->blob);
  wnn_context_unlock(context);
  char text[WNN_DESC_TEXT];
  if (why)
    wnn_error_set(error, WNN_TYPE_ERROR, "constant: The tensor %s %s.", wnn_desc_format(&tensor->desc, text), why);
  return blob;
}
