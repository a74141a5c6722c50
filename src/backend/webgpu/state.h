/* What a gpu holds; private to this folder. */
#ifndef WNN_BACKEND_WEBGPU_STATE_H
#define WNN_BACKEND_WEBGPU_STATE_H

#include <pthread.h>

#include "backend/webgpu/gpu.h"
#include "base/error.h"

enum {
  WNN_GPU_MAX_BINDINGS = 16,
  WNN_GPU_GROUPS = 1024,      /* cached bind groups */
  WNN_GPU_PIPELINES = 256,    /* kept while nothing uses them */
  WNN_GPU_MAX_PASSES = 8,     /* pairs of timestamps of one submission */
  WNN_GPU_SUBMIT_EVERY = 4096 /* dispatches recorded before a submission is forced */
};

struct wnn_gpu_pipeline {
  wnn_gpu_pipeline *next;
  uint64_t hash, id;
  uint32_t users; /* plans that hold it */
  size_t length;
  char *source;
  uint32_t types[WNN_GPU_MAX_BINDINGS];
  uint32_t count;
  wgpu_handle pipeline, layout;
};

typedef struct wnn_gpu_group {
  wnn_gpu_pipeline *pipeline;
  wnn_gpu_binding bindings[WNN_GPU_MAX_BINDINGS];
  wgpu_handle group;
  uint64_t used;
} wnn_gpu_group;

typedef struct wnn_gpu_free {
  wgpu_handle buffer;
  uint64_t size;
} wnn_gpu_free;

/* What callbacks of the library write; lives apart from the gpu, since a lost device may still report. */
typedef struct wnn_gpu_mail {
  pthread_mutex_t lock;
  uint32_t references;
  bool lost, uncaptured;
  char message[400];
} wnn_gpu_mail;

struct wnn_gpu {
  wgpu_api api;
  void *library;
  wnn_allocator allocator;
  wgpu_handle instance, adapter, device, queue;
  bool own_device;
  wnn_gpu_info info;
  char texts[4][128];
  wnn_gpu_mail *mail;

  wnn_gpu_pipeline *pipelines;
  uint64_t next_pipeline;
  uint32_t pipeline_count;
  wnn_gpu_group *groups; /* WNN_GPU_GROUPS, by hash with linear probing over a short run */
  uint64_t clock;

  wnn_gpu_free *pool;
  size_t pool_count, pool_capacity;
  uint64_t pool_bytes;

  wgpu_handle staging;
  uint64_t staging_size;

  wgpu_handle encoder, pass;
  wnn_gpu_pipeline *bound;
  uint32_t dispatches, timed_passes;
  bool recording, measure, scoped;
  wgpu_handle query_set, query_buffer, query_staging;
};

/* Waits for a future whose callback sets *done. */
wnn_status wnn_gpu_wait(wnn_gpu *gpu, wgpu_future future, volatile uint32_t *done, wnn_error *error);
/* Error scopes around calls: push three, then pop them and turn what they caught into a status. */
void wnn_gpu_push_scopes(wnn_gpu *gpu);
wnn_status wnn_gpu_pop_scopes(wnn_gpu *gpu, const char *what, wnn_error *error);
wnn_status wnn_gpu_map(wnn_gpu *gpu, wgpu_handle buffer, uint64_t size, void (*take)(void *user, const void *data),
                       void *user, wnn_error *error);

void wnn_gpu_free_pipeline(wnn_gpu *gpu, wnn_gpu_pipeline *pipeline);

static inline wgpu_string wnn_gpu_text(const char *text) { return (wgpu_string){text, WGPU_LENGTH}; }
static inline void (*wnn_gpu_cast(wgpu_request_fn *f))(void) { return (void (*)(void))f; }

#endif
