/* One call of a kernel as the manifest's language sees it: types, shapes, settings, derived values. */
#ifndef WNN_PACKS_REQUEST_H
#define WNN_PACKS_REQUEST_H

#include "packs/manifest.h"

/* What expressions see as `device`. */
typedef struct pk_facts {
  pk_vm vm;
  pk_value device;
  const pk_map *features, *limits, *adapter; /* inside device */
  pk_value matrix_configs;                   /* list, or undefined when the device does not tell */
  bool float16;
  double max_groups; /* workgroups a dimension, at most 65535 */
} pk_facts;

typedef struct pk_named_limit {
  const char *name;
  double value;
} pk_named_limit;
typedef struct pk_facts_source {
  const char *const *features, *const *language;
  size_t feature_count, language_count;
  const pk_named_limit *limits; /* those that differ from WebGPU's defaults */
  size_t limit_count;
  const char *vendor, *architecture;
  uint32_t subgroup_min_size, subgroup_max_size; /* 0: not told */
  bool fallback;
} pk_facts_source;
bool pk_facts_init(pk_facts *facts, const wnn_allocator *allocator, const pk_facts_source *source);
void pk_facts_free(pk_facts *facts);
double pk_facts_limit(const pk_facts *facts, const char *name);

typedef struct pk_tensor_fact {
  bool present;
  bool given; /* by the caller, as an input or as a destination */
  int logical, storage;
  uint32_t rank, shape[WNN_MAX_RANK];
} pk_tensor_fact;

typedef struct pk_request {
  pk_vm *vm;
  const pk_manifest *m;
  const pk_facts *facts;
  const wnn_kernel_call *call;
  pk_tensor_fact *tensors;            /* by port */
  int *bound_logical, *bound_storage; /* by type variable, -1 when free */
  pk_value shapes, ranks, tensor_dtypes, logical_dtypes, dtypes, present, args, attrs, tunables, repeat, env;
  pk_map *derived;
  /* While output shapes are worked out, derived values are evaluated when asked for. */
  bool inferring;
  uint8_t *derive_state; /* by derive of the manifest: 0 untouched, 1 in work, 2 known, 3 failed */
} pk_request;

/* Checks a call against the contract, works out the outputs, evaluates the manifest's derived values.
 * Fails with WNN_TYPE_ERROR for what does not fit. */
bool pk_request_open(pk_request *request, pk_vm *vm, const pk_manifest *manifest, const pk_facts *facts,
                     const wnn_kernel_call *call);
/* The names of the request, for expressions and templates. */
pk_source pk_request_source(pk_request *request);
/* Adds derived values to the request's, which become a copy. */
bool pk_request_derive(pk_request *request, const pk_derives *derives);
bool pk_request_tunables(pk_request *request, const pk_tunable *tunables, uint32_t count);
/* Elements and bytes on the device. */
double pk_fact_elements(const pk_tensor_fact *fact);

#endif
