/* Native kernels that do a pack's work on the processor. */
#ifndef WNN_PACKS_TWIN_H
#define WNN_PACKS_TWIN_H

#include "packs/device.h"
#include "packs/plan.h"

typedef struct pk_twin_call {
  const pk_manifest *m;
  const pk_tensor_fact *tensors; /* by port */
  void *const *data;             /* by port: the caller's bytes, of inputs read only */
  const pk_map *attrs;
  wnn_device *device; /* NULL for a check */
  bool strict;
} pk_twin_call;

typedef struct pk_twin {
  const char *op;
  /* Checks everything that memory safety rests on, then runs. Called with the device's lock held. */
  wnn_status (*run)(const pk_twin_call *call, wnn_error *error);
  /* Checks values against tables, with only `inputs` (names, NULL at the end) in memory: what a strict call on a GPU
   * asks. */
  wnn_status (*check)(const pk_twin_call *call, wnn_error *error);
  const char *const *inputs;
} pk_twin;

/* NULL when there is none. */
const pk_twin *pk_find_twin(const char *op);

/* A present port by name: its number, or -1. */
int64_t pk_twin_port(const pk_twin_call *call, const char *name);

#endif
