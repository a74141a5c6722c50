/* A loaded pack. */
#ifndef WNN_PACKS_KERNEL_H
#define WNN_PACKS_KERNEL_H

#include "packs/device.h"
#include "packs/plan.h"
#include "packs/twin.h"

enum { PK_MAX_PLANS = 128, PK_MAX_FILE = 32 << 20 };

typedef struct pk_asset {
  const char *name;
  pk_template template;
  struct pk_asset *next;
} pk_asset;

typedef struct pk_blob {
  const char *name, *data;
  size_t size;
  struct pk_blob *next;
} pk_blob;

struct wnn_kernel {
  atomic_uint references;
  wnn_allocator allocator;
  pthread_mutex_t lock; /* guards everything below that changes after loading */
  pk_vm vm;             /* manifest, metadata, templates */
  pk_manifest manifest;
  pk_metadata metadata;
  char *location;   /* folder, or "" */
  char *repository; /* for fetching, or NULL */
  char *revision;
  char *cache;
  bool verify, strict;
  wnn_pack_fetch_fn fetch;
  void *fetch_user;
  pk_asset *assets; /* templates */
  pk_blob *files;   /* given by the caller */
  wnn_device *device;
  wnn_device_kind device_kind;
  const pk_twin *twin;
  pk_plan *plans[PK_MAX_PLANS];
  uint64_t clock;
};

/* A file of the pack: from its folder, from memory, from the cache or fetched; checked against its digest.
 * *data is freed with wnn_mem_free(&kernel->allocator, data, size + 1) and ends with a zero byte. */
wnn_status pk_read_file(wnn_kernel *kernel, const char *file, char **data, size_t *size, wnn_error *error);
/* Template of the kernel, with includes filled in. With the kernel's lock held. */
const pk_template *pk_kernel_template(void *kernel, pk_vm *vm, const char *file);
/* The device, made at first use. */
wnn_status pk_kernel_device(wnn_kernel *kernel, wnn_device **device, wnn_error *error);
/* The plan of a call, pinned: from the cache or made, its pipelines compiled. With the device's lock held. */
wnn_status pk_kernel_plan(wnn_kernel *kernel, wnn_device *device, const wnn_kernel_call *call, pk_plan **plan,
                          wnn_error *error);
void pk_plan_free(pk_plan *plan, wnn_device *device, const wnn_allocator *allocator);
/* Turns a failure of a vm into a status. */
wnn_status pk_vm_status(const pk_vm *vm, wnn_error *error);

#endif
