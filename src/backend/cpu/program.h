/* A compiled program of the CPU backend: a flat list of steps over one arena. */
#ifndef WNN_BACKEND_CPU_PROGRAM_H
#define WNN_BACKEND_CPU_PROGRAM_H

#include "backend/cpu/cpu.h"
#include "kernels/ukernels.h"

typedef struct wnn_cpu_backend {
  wnn_backend base;
  wnn_backend_options options;
  wnn_ukernels ukernels;
} wnn_cpu_backend;

typedef struct wnn_step {
  wnn_kernel_fn *fn;
  wnn_task task;
  size_t range, grain;
  uint32_t op;  /* of the node */
  uint32_t job; /* steps of a job are neighbours */
  double cost_ns;
  /* Listing and profile */
  const char *kernel, *label;
  double flops, bytes;
  uint64_t runs, total_ns, min_ns;
} wnn_step;

/* Whether threads share the range of a step. */
static inline bool wnn_step_is_divisible(size_t range, size_t grain) { return grain && range > grain; }

/* A part of a step; step NULL: nothing. */
typedef struct wnn_unit {
  const wnn_step *step;
  size_t begin, end;
} wnn_unit;

/* Steps that run side by side. */
typedef struct wnn_job_plan {
  uint32_t first, step_count;
  wnn_unit *units; /* of more than one step: as many for each thread */
  size_t unit_count;
} wnn_job_plan;

/* A view whose memory is a bound tensor. */
typedef struct wnn_patch {
  void **data;
  uint32_t binding;
  size_t offset;
} wnn_patch;

/* A piece of memory that packed weights are cut from. */
typedef struct wnn_slab {
  struct wnn_slab *next;
  char *data;
  size_t size, used;
} wnn_slab;

struct wnn_program {
  wnn_cpu_backend *backend;
  wnn_arena memory; /* steps, views, parameters */
  wnn_step *steps;
  size_t step_count;
  wnn_job_plan *jobs;
  size_t job_count;
  wnn_patch *patches;
  size_t patch_count;
  char *arena;                       /* intermediates, then one scratch block a thread */
  size_t arena_bytes, scratch_bytes; /* scratch of one thread */
  wnn_blob **blobs;                  /* constants that steps point to */
  size_t blob_count;
  wnn_slab *slabs; /* packed weights, newest first */
  uint64_t node_count, constant_bytes, borrowed_bytes;
  double cost_ns;
};

/* Lowers every node, plans memory and binds addresses. Keeps references to the constants it uses; takes those it has
 * packed from the IR. */
wnn_status wnn_cpu_lower(wnn_cpu_backend *backend, wnn_ir *ir, wnn_program **program, wnn_error *error);
void wnn_cpu_program_destroy(wnn_program *program);
/* bindings: inputs, then outputs. */
void wnn_cpu_run(wnn_program *program, void *const *bindings);

#endif
