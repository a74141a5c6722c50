/* Writes and reads of tensors, and tensor.destroy(), which ends pending reads. */
#include <stddef.h>
#include <string.h>

#include "base/error.h"
#include "base/shape.h"
#include "runtime/runtime.h"

enum {
  COPY_UNDER_LOCK = 1 << 14, /* bytes that take about as long as handing the timeline over */
  COPY_AT_CALL = 1 << 18     /* bytes that a call that does not wait may copy itself */
};

/* Checks 1 to 4 of writeTensor() and readTensor(); with the lock when the tensor is of this context. */
static wnn_status check_foreign(const wnn_context *context, const wnn_tensor *tensor, const char *method,
                                wnn_error *error) {
  if (tensor && tensor->context == context) return WNN_OK;
  return wnn_error_set(error, WNN_TYPE_ERROR, "%s: The tensor belongs to another context.", method);
}

static wnn_status check_transfer(const wnn_tensor *tensor, bool granted, const char *ability, const void *data,
                                 size_t size, const char *method, wnn_error *error) {
  char text[WNN_DESC_TEXT];
  if (tensor->destroyed)
    return wnn_error_set(error, WNN_TYPE_ERROR, "%s: The tensor %s is destroyed.", method,
                         wnn_desc_format(&tensor->desc, text));
  if (!granted)
    return wnn_error_set(error, WNN_TYPE_ERROR, "%s: The tensor %s is not %s%s.", method,
                         wnn_desc_format(&tensor->desc, text), ability,
                         tensor->constant ? ", since it is a constant tensor" : "");
  if (size != tensor->bytes || !data)
    return wnn_error_set(error, WNN_TYPE_ERROR, "%s: The buffer has %zu bytes, but the tensor %s has %zu.", method,
                         data ? size : 0, wnn_desc_format(&tensor->desc, text), tensor->bytes);
  return WNN_OK;
}

/* ---- Write ---------------------------------------------------------------------------------------------- */

typedef struct write_job {
  wnn_job job;
  wnn_tensor *tensor; /* held */
  void *bytes;        /* the staging block */
  size_t size;
} write_job;

static void free_write(const wnn_allocator *allocator, write_job *write) {
  wnn_mem_free(allocator, write->bytes, write->size);
  wnn_mem_free(allocator, write, sizeof *write);
}

static void run_write(wnn_job *job) {
  write_job *write = WNN_LINK_OWNER(job, write_job, job);
  wnn_tensor *tensor = write->tensor;
  wnn_context *context = tensor->context;
  wnn_dead dead = {0};
  memcpy(tensor->storage, write->bytes, write->size);
  free_write(&context->allocator, write);
  wnn_context_lock(context);
  wnn_tensor_drop(tensor, &dead);
  wnn_context_unlock(context);
  wnn_bury(context, &dead);
}

wnn_status wnn_context_write_tensor(wnn_context *context, wnn_tensor *tensor, const void *data, size_t size,
                                    wnn_error *error) {
  wnn_status status = check_foreign(context, tensor, "writeTensor", error);
  if (status) return status;
  wnn_timeline *timeline = &context->timeline;
  wnn_context_lock(context);
  status = check_transfer(tensor, tensor->writable, "writable", data, size, "writeTensor", error);
  if (status) {
    wnn_context_unlock(context);
    return status;
  }
  /* Nothing queued touches the tensor: the order of this write does not matter to anything queued. */
  if (tensor->uses == 1 && size <= COPY_UNDER_LOCK) {
    memcpy(tensor->storage, data, size);
    wnn_context_unlock(context);
    return WNN_OK;
  }
  if (wnn_timeline_take(timeline)) {
    wnn_dead dead = {0};
    wnn_tensor_hold(tensor);
    wnn_context_unlock(context);
    memcpy(tensor->storage, data, size);
    wnn_context_lock(context);
    wnn_tensor_drop(tensor, &dead);
    wnn_timeline_give(timeline);
    wnn_context_unlock(context);
    wnn_bury(context, &dead);
    return WNN_OK;
  }
  wnn_context_unlock(context);

  write_job *write = wnn_mem_alloc(&context->allocator, sizeof *write);
  if (!write) return wnn_error_oom(error);
  *write = (write_job){.job.run = run_write, .tensor = tensor, .size = size};
  write->bytes = wnn_mem_alloc(&context->allocator, size);
  if (!write->bytes) {
    free_write(&context->allocator, write);
    return wnn_error_oom(error);
  }
  memcpy(write->bytes, data, size);
  wnn_context_lock(context);
  status = check_transfer(tensor, true, "", data, size, "writeTensor", error); /* destroyed meanwhile? */
  if (!status) {
    wnn_tensor_hold(tensor);
    wnn_timeline_push(timeline, &write->job, true);
  }
  wnn_context_unlock(context);
  if (status) free_write(&context->allocator, write);
  return status;
}

/* ---- Read ----------------------------------------------------------------------------------------------- */

typedef struct read_job {
  wnn_job job;
  wnn_tensor *tensor; /* held until the job has run or was cancelled */
  void *data;
  wnn_link pending;      /* in tensor->reads */
  const char *cancelled; /* why it failed */
  wnn_done_fn callback;  /* NULL: the job is on the stack of a waiting thread */
  void *user;
} read_job;

static void finish_read(wnn_context *context, read_job *read) {
  wnn_error error, *failure = NULL;
  if (read->cancelled) {
    wnn_error_set(&error, WNN_INVALID_STATE, "readTensor: %s", read->cancelled);
    failure = &error;
  }
  wnn_done_fn callback = read->callback;
  void *user = read->user;
  wnn_mem_free(&context->allocator, read, sizeof *read);
  callback(user, failure ? WNN_INVALID_STATE : WNN_OK, failure);
}

static void run_read(wnn_job *job) {
  read_job *read = WNN_LINK_OWNER(job, read_job, job);
  wnn_tensor *tensor = read->tensor;
  wnn_context *context = tensor->context;
  wnn_dead dead = {0};
  memcpy(read->data, tensor->storage, tensor->bytes);
  wnn_context_lock(context);
  wnn_link_remove(&read->pending);
  wnn_context_unlock(context);
  /* The tensor, and through it the context, is held over the callback. */
  if (read->callback) finish_read(context, read);
  wnn_context_lock(context);
  wnn_tensor_drop(tensor, &dead);
  wnn_context_unlock(context);
  wnn_bury(context, &dead);
}

/* The copy of a read when nothing is queued; with the lock. Returns false when it has to be queued. */
static bool read_at_once(wnn_tensor *tensor, void *data, size_t limit) {
  wnn_context *context = tensor->context;
  if (!wnn_timeline_idle(&context->timeline) || tensor->bytes > limit) return false;
  if (tensor->bytes <= COPY_UNDER_LOCK) {
    memcpy(data, tensor->storage, tensor->bytes);
    return true;
  }
  wnn_dead dead = {0};
  wnn_timeline_take(&context->timeline);
  wnn_tensor_hold(tensor);
  wnn_context_unlock(context);
  memcpy(data, tensor->storage, tensor->bytes);
  wnn_context_lock(context);
  wnn_tensor_drop(tensor, &dead);
  wnn_timeline_give(&context->timeline);
  if (dead.storages || dead.tensors) {
    wnn_context_unlock(context);
    wnn_bury(context, &dead);
    wnn_context_lock(context);
  }
  return true;
}

wnn_status wnn_context_read_tensor(wnn_context *context, wnn_tensor *tensor, void *data, size_t size,
                                   wnn_error *error) {
  wnn_status status = check_foreign(context, tensor, "readTensor", error);
  if (status) return status;
  wnn_context_lock(context);
  status = check_transfer(tensor, tensor->readable, "readable", data, size, "readTensor", error);
  if (!status && wnn_timeline_inside(&context->timeline))
    status = wnn_error_set(error, WNN_INVALID_STATE,
                           "readTensor: A callback of the context cannot wait for its timeline; read with a callback.");
  if (status || read_at_once(tensor, data, SIZE_MAX)) {
    wnn_context_unlock(context);
    return status;
  }
  read_job read = {.job.run = run_read, .tensor = tensor, .data = data};
  wnn_context_retain_internal(context); /* jobs run meanwhile may drop everything else */
  wnn_tensor_hold(tensor);
  wnn_link_append(&tensor->reads, &read.pending);
  wnn_timeline_wait(&context->timeline, &read.job);
  wnn_context_unlock(context);
  wnn_context_release_internal(context);
  return read.cancelled ? wnn_error_set(error, WNN_INVALID_STATE, "readTensor: %s", read.cancelled) : WNN_OK;
}

wnn_status wnn_context_read_tensor_async(wnn_context *context, wnn_tensor *tensor, void *data, size_t size,
                                         wnn_done_fn callback, void *user, wnn_error *error) {
  wnn_status status = check_foreign(context, tensor, "readTensor", error);
  if (status) return status;
  wnn_context_lock(context);
  status = check_transfer(tensor, tensor->readable, "readable", data, size, "readTensor", error);
  bool done = !status && read_at_once(tensor, data, COPY_AT_CALL);
  wnn_context_unlock(context);
  if (done) callback(user, WNN_OK, NULL);
  if (status || done) return status;

  read_job *read = wnn_mem_alloc(&context->allocator, sizeof *read);
  if (!read) return wnn_error_oom(error);
  *read = (read_job){.job.run = run_read, .tensor = tensor, .data = data, .callback = callback, .user = user};
  wnn_context_lock(context);
  status = check_transfer(tensor, true, "", data, size, "readTensor", error); /* destroyed meanwhile? */
  if (!status) {
    wnn_tensor_hold(tensor);
    wnn_link_append(&tensor->reads, &read->pending);
    wnn_timeline_push(&context->timeline, &read->job, false);
  }
  wnn_context_unlock(context);
  if (status) wnn_mem_free(&context->allocator, read, sizeof *read);
  return status;
}

/* ---- Destroy ---------------------------------------------------------------------------------------------- */

void wnn_tensor_destroy_because(wnn_tensor *tensor, const char *message) {
  wnn_context *context = tensor->context;
  wnn_link rejected;
  wnn_dead dead = {0};
  wnn_link_init(&rejected);
  wnn_context_lock(context);
  if (tensor->destroyed) {
    wnn_context_unlock(context);
    return;
  }
  tensor->destroyed = true;
  wnn_link_remove(&tensor->live);
  tensor->references++; /* callbacks may release the handle */
  while (!wnn_link_empty(&tensor->reads)) {
    read_job *read = WNN_LINK_OWNER(tensor->reads.next, read_job, pending);
    wnn_link_remove(&read->pending);
    read->cancelled = message;
    if (!read->job.queued) continue; /* being copied now; the runner reports */
    wnn_tensor_drop(tensor, &dead);  /* not the last: the tensor's own use and the reference above remain */
    if (read->callback) wnn_link_append(&rejected, &read->pending);
    wnn_timeline_remove(&context->timeline, &read->job);
  }
  wnn_context_unlock(context);
  while (!wnn_link_empty(&rejected)) {
    read_job *read = WNN_LINK_OWNER(rejected.next, read_job, pending);
    wnn_link_remove(&read->pending);
    finish_read(context, read);
  }
  wnn_context_lock(context);
  wnn_tensor_drop(tensor, &dead);
  wnn_context_unlock(context);
  wnn_bury(context, &dead);
}
