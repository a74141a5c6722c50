/* A WebGPU device for computing: buffers, pipelines, one encoder for many dispatches. */
#ifndef WNN_BACKEND_WEBGPU_GPU_H
#define WNN_BACKEND_WEBGPU_GPU_H

#include "backend/webgpu/wgpu.h"
#include "base/alloc.h"

typedef struct wnn_gpu wnn_gpu;
typedef struct wnn_gpu_pipeline wnn_gpu_pipeline;
typedef void (*wnn_gpu_proc)(void);

typedef struct wnn_gpu_options {
  const char *library; /* path, or NULL to search */
  wnn_gpu_proc (*get_proc)(const char *name);
  void *instance, *device; /* of the caller */
  bool low_power, timestamps;
} wnn_gpu_options;

/* WNN_NOT_SUPPORTED without a library or an adapter. One thread at a time may use a gpu. */
wnn_status wnn_gpu_create(const wnn_gpu_options *options, const wnn_allocator *allocator, wnn_gpu **gpu,
                          wnn_error *error);
void wnn_gpu_destroy(wnn_gpu *gpu);

typedef struct wnn_gpu_info {
  const char *vendor, *architecture, *device, *description;
  bool software, float16, subgroups, timestamps;
  uint32_t subgroup_min, subgroup_max;
  uint32_t language[64]; /* numbers of WGSL language features */
  size_t language_count;
  wgpu_limits limits;
} wnn_gpu_info;
const wnn_gpu_info *wnn_gpu_get_info(const wnn_gpu *gpu);
void *wnn_gpu_instance(const wnn_gpu *gpu);
void *wnn_gpu_device(const wnn_gpu *gpu);
void *wnn_gpu_queue(const wnn_gpu *gpu);
/* WNN_INVALID_STATE with WebGPU's message once the device is lost. */
wnn_status wnn_gpu_check(wnn_gpu *gpu, wnn_error *error);

/* A storage buffer that can be copied from and to, of at least size bytes (rounded up to 4); it may come
 * from the pool, with old contents. */
wnn_status wnn_gpu_buffer(wnn_gpu *gpu, uint64_t size, wgpu_handle *buffer, wnn_error *error);
/* Gives a buffer of that size back to the pool. Work that uses it must have been submitted. */
void wnn_gpu_recycle(wnn_gpu *gpu, wgpu_handle buffer, uint64_t size);
/* Forgets bind groups with a buffer that is not of the pool. */
void wnn_gpu_forget(wnn_gpu *gpu, wgpu_handle buffer);
/* A uniform buffer with constant contents; released with wnn_gpu_uniform_release. size: a multiple of 16. */
wnn_status wnn_gpu_uniform(wnn_gpu *gpu, const void *data, uint32_t size, wgpu_handle *buffer, wnn_error *error);
void wnn_gpu_uniform_release(wnn_gpu *gpu, wgpu_handle buffer);
/* size: a multiple of 4. Ordered with submissions. */
wnn_status wnn_gpu_write(wnn_gpu *gpu, wgpu_handle buffer, uint64_t offset, const void *data, size_t size,
                         wnn_error *error);
/* Waits for everything submitted. */
wnn_status wnn_gpu_read(wnn_gpu *gpu, wgpu_handle buffer, uint64_t offset, void *data, size_t size, wnn_error *error);

/* Compiles a shader, entry point main; types: WGPU_BINDING_* of bindings 0 .. count-1 of group 0. Cached by
 * text and types. Given back with wnn_gpu_unuse, after which the gpu may forget it. */
wnn_status wnn_gpu_compile(wnn_gpu *gpu, const char *source, size_t length, const uint32_t *types, uint32_t count,
                           const char *label, wnn_gpu_pipeline **pipeline, wnn_error *error);
void wnn_gpu_unuse(wnn_gpu *gpu, wnn_gpu_pipeline *pipeline);

typedef struct wnn_gpu_binding {
  wgpu_handle buffer;
  uint64_t offset, size;
} wnn_gpu_binding;

/* Recording: begin, any number of dispatches, clears and copies, then submit. */
wnn_status wnn_gpu_begin(wnn_gpu *gpu, bool measure, wnn_error *error);
wnn_status wnn_gpu_dispatch(wnn_gpu *gpu, wnn_gpu_pipeline *pipeline, const wnn_gpu_binding *bindings, uint32_t count,
                            const uint32_t groups[3], wnn_error *error);
void wnn_gpu_clear(wnn_gpu *gpu, wgpu_handle buffer, uint64_t offset, uint64_t size);
void wnn_gpu_copy(wnn_gpu *gpu, wgpu_handle from, uint64_t from_offset, wgpu_handle to, uint64_t to_offset,
                  uint64_t size);
/* Submits what was recorded so far and goes on recording. */
wnn_status wnn_gpu_split(wnn_gpu *gpu, wnn_error *error);
/* Ends recording. wait: returns when the GPU is done. nanoseconds: of the compute passes, when begun with measure. */
wnn_status wnn_gpu_submit(wnn_gpu *gpu, bool wait, double *nanoseconds, wnn_error *error);
void wnn_gpu_abandon(wnn_gpu *gpu);

/* A buffer that the processor can read after a copy into it; grows as needed. */
wnn_status wnn_gpu_staging(wnn_gpu *gpu, uint64_t size, wgpu_handle *buffer, wnn_error *error);
/* Maps the staging buffer, hands its bytes to `take`, unmaps it. */
wnn_status wnn_gpu_take_staging(wnn_gpu *gpu, uint64_t size, void (*take)(void *user, const void *data), void *user,
                                wnn_error *error);

/* ---- Between the files of this folder ---------------------------------------------------------------- */

/* Opens a library, or resolves through get_proc; *handle is for dlclose. */
wnn_status wnn_gpu_open(const wnn_gpu_options *options, wgpu_api *api, void **handle, wnn_error *error);

#endif
