/* Calls in flight, and their results. */
#ifndef WNN_PACKS_RUN_H
#define WNN_PACKS_RUN_H

#include "packs/kernel.h"

struct wnn_kernel_result {
  wnn_allocator allocator;
  wnn_device *device; /* its memory holds the values */
  wnn_arena arena;    /* descriptions and names */
  wnn_kernel_value *values;
  size_t count;
  const char *variant;
  double nanoseconds;
};

/* One call of a batch while it runs. */
typedef struct pk_flight {
  wnn_kernel *kernel;
  const wnn_kernel_call *call;
  pk_plan *plan;
  wnn_kernel_result *result;
  const wnn_kernel_input **inputs;   /* by port */
  const wnn_kernel_output **outputs; /* by port */
  wnn_kernel_value **values;         /* by port, into the result */
  wnn_gpu_binding *buffers;          /* by port; then by scratch */
  bool *temporary;                   /* buffers that go back to the pool */
  void **data;                       /* by port, of a native kernel */
  uint64_t staging_offset;           /* of the first output that is read back */
} pk_flight;

wnn_status pk_run_cpu(pk_flight *flight, wnn_device *device, wnn_error *error);
wnn_status pk_run_gpu(pk_flight *flights, size_t count, wnn_device *device, wnn_error *error);
/* Checks index values for a strict kernel on a GPU. */
wnn_status pk_check_strict(pk_flight *flight, wnn_device *device, wnn_error *error);
/* The logical descriptor of a port. */
wnn_pack_desc pk_fact_desc(const pk_tensor_fact *fact);

#endif
