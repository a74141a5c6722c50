/* Devices and tensors of packs. */
#ifndef WNN_PACKS_DEVICE_H
#define WNN_PACKS_DEVICE_H

#include <pthread.h>
#include <stdatomic.h>

#include "backend/webgpu/gpu.h"
#include "base/pool.h"
#include "packs/request.h"

struct wnn_device {
  atomic_uint references;
  wnn_allocator allocator;
  wnn_device_kind kind;
  pthread_mutex_t lock; /* held through a call */
  wnn_gpu *gpu;         /* of a WebGPU device */
  wnn_pool *pool;       /* of a CPU device */
  uint64_t cpu_features;
  float *scratch; /* rows for each thread, for native kernels */
  size_t scratch_size;
  /* Memory of results and tensors that were given back: fresh pages cost more than the work on them. */
  struct pk_block {
    void *data;
    size_t size;
  } blocks[32];
  uint32_t block_count;
  size_t block_bytes;
  pk_facts facts;
};

struct wnn_pack_tensor {
  atomic_uint references;
  wnn_device *device;
  wnn_pack_desc desc;
  int storage;
  bool owned; /* the buffer comes from the pool */
  wgpu_handle buffer;
  uint64_t offset, size; /* on the device */
  void *data;            /* on the CPU */
  size_t data_size;
};

void pk_device_retain(wnn_device *device);
void pk_tensor_retain(wnn_pack_tensor *tensor);
/* With the device's lock held: a tensor of a logical and a storage type; buffer NULL for a fresh one. */
wnn_status pk_tensor_make(wnn_device *device, const wnn_pack_desc *desc, int storage, wnn_pack_tensor **tensor,
                          wnn_error *error);
/* Memory for `size` bytes, perhaps used before; with the device's lock held. */
void *pk_take_block(wnn_device *device, size_t size);
void pk_give_block(wnn_device *device, void *data, size_t size);
/* Facts of a device that no GPU stands behind: generous ones for native kernels, WebGPU's guarantees to render. */
bool pk_facts_of_cpu(pk_facts *facts, const wnn_allocator *allocator);
bool pk_facts_of_nothing(pk_facts *facts, const wnn_allocator *allocator);

/* Bytes on a GPU, and the same rounded up to a whole number of words. */
uint64_t pk_storage_bytes(const wnn_pack_desc *desc, int storage, bool packed);
/* Elements from the caller's memory to the device's layout (to has pk_storage_bytes, rounded up). Fails for an
 * int64 value that does not fit, naming its index. */
wnn_status pk_widen(const wnn_pack_desc *desc, int storage, bool packed, pk_narrowing narrowing, const char *name,
                    const void *from, void *to, wnn_error *error);
/* And back. */
void pk_narrow(const wnn_pack_desc *desc, int storage, const void *from, void *to);
/* True when both layouts are the same bytes. */
bool pk_same_layout(const wnn_pack_desc *desc, int storage, bool packed);

#endif
