/* What a call comes down to: a variant, its passes, their sources, bindings, uniforms and sizes. */
#ifndef WNN_PACKS_PLAN_H
#define WNN_PACKS_PLAN_H

#include "packs/request.h"

typedef enum pk_target { PK_TARGET_PORT, PK_TARGET_SCRATCH, PK_TARGET_UNIFORM } pk_target;
typedef struct pk_plan_binding {
  const char *name;
  pk_buffer buffer;
  pk_target target;
  uint32_t index;     /* of the port or intermediate */
  uint64_t min_bytes; /* of a binding with a fixed length */
  const void *uniform;
  uint32_t uniform_bytes;
  void *uniform_buffer; /* of the device, kept by the plan */
} pk_plan_binding;

typedef struct pk_plan_pass {
  const char *id, *name;
  const char *source; /* WGSL; NULL when the pass is skipped */
  size_t source_length;
  pk_plan_binding *bindings;
  uint32_t binding_count;
  uint32_t groups[3];
  bool skipped; /* a dispatch size of zero */
  bool submit_after;
  uint32_t *alias; /* pairs of binding numbers */
  uint32_t alias_count;
  void *pipeline; /* of the device, held by the plan */
} pk_plan_pass;

typedef struct pk_plan_scratch {
  const char *id;
  int type;
  uint64_t bytes;
  bool zero, used;
} pk_plan_scratch;

typedef struct pk_plan {
  pk_vm vm;
  const char *key;
  size_t key_length;
  const pk_variant *variant;
  pk_tensor_fact *tensors; /* by port */
  pk_plan_pass *passes;
  uint32_t pass_count;
  pk_plan_scratch *scratches;
  uint32_t scratch_count;
  uint64_t used; /* clock of the cache */
  uint32_t pins; /* calls that are using it */
} pk_plan;

/* Templates by file name; parsed once. NULL and a failure when the pack has no such file. */
typedef struct pk_assets {
  const pk_template *(*get)(void *user, pk_vm *vm, const char *file);
  void *user;
} pk_assets;

/* Chooses the variant; NULL and a failure that says why each one was rejected. pinned: the only one allowed,
 * or NULL. explain: when not NULL receives a line a variant. */
const pk_variant *pk_select(pk_request *request, const char *pinned, pk_text *explain);
/* Completes a plan for the chosen variant: everything lands in the plan's vm. */
bool pk_plan_build(pk_plan *plan, pk_request *request, const pk_variant *variant, const pk_assets *assets);
/* Text that is equal for calls that have the same plan. */
pk_value pk_plan_key(pk_vm *vm, const wnn_kernel_call *call);

/* ---- wgsl.c ------------------------------------------------------------------------------------------------ */

/* Declarations of a pass's bindings; derived: where "$name" is looked up. Also sets the plan bindings' min_bytes. */
pk_value pk_wgsl_declarations(pk_vm *vm, const pk_step_node *pass, const pk_map *derived, pk_plan_binding *bindings);
/* Puts the enable lines in front that the text needs and lacks. */
pk_value pk_wgsl_enable(pk_vm *vm, pk_value source);
/* Fails when the text computes with one of the named int64 bindings, whose elements may only be moved. */
bool pk_wgsl_check_int64(pk_vm *vm, pk_value source, const char *const *names, uint32_t count);
/* The type that an element type, perhaps "$name", stands for; NULL and a failure when it has none. */
const char *pk_wgsl_element(pk_vm *vm, const char *element, const pk_map *derived, const char *binding);

#endif
