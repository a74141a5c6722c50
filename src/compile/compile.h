/* Passes over an IR, and the memory plan. Each pass keeps the meaning of the graph. */
#ifndef WNN_COMPILE_COMPILE_H
#define WNN_COMPILE_COMPILE_H

#include "base/pool.h"
#include "graph/ir.h"

/* Evaluates one node with constant inputs into fresh blobs (one an output); false when it cannot. */
typedef bool wnn_evaluate_fn(void *user, const wnn_ir *ir, const wnn_node *node, wnn_blob **outputs);

typedef struct wnn_compile_options {
  const wnn_allocator *allocator;
  uint64_t disabled_passes; /* wnn_pass bits */
  wnn_evaluate_fn *evaluate;
  void *user;
} wnn_compile_options;

/* Runs the enabled passes in their order; the IR is checked after each. */
wnn_status wnn_compile(wnn_ir *ir, const wnn_compile_options *options, wnn_error *error);

/* Checks that the IR is well formed: ids in range, nodes in topological order, descriptors valid, kinds
 * right. Returns NULL or a static reason. */
const char *wnn_ir_verify(const wnn_ir *ir);

/* A pass: rewrites the IR; false when memory is short. Listed in compile.c with its wnn_pass bit. */
typedef bool wnn_pass_fn(wnn_ir *ir, const wnn_compile_options *options);
wnn_pass_fn wnn_pass_fold_parameters, wnn_pass_fold, wnn_pass_deduplicate, wnn_pass_simplify, wnn_pass_quantize,
    wnn_pass_relayout_bytes, wnn_pass_fuse_posts, wnn_pass_layout, wnn_pass_chain;
wnn_pass_fn wnn_pass_patterns, wnn_pass_attention, wnn_pass_add_norm;

/* ---- Tools for passes ------------------------------------------------------------------------------ */

/* Identity map over value ids, to be redirected: map[old] = new. Free with wnn_mem_free (count * 4 bytes). */
uint32_t *wnn_ir_alias_map(const wnn_ir *ir, size_t *count);
/* Follows a redirect map to its end. */
static inline uint32_t wnn_ir_follow(const uint32_t *map, uint32_t value) {
  while (value != WNN_NONE && map[value] != value) value = map[value];
  return value;
}
/* Replaces values by the map in node inputs and graph outputs, removes nodes that nothing needs, frees
 * their constants, and sets node and slot of each value. Call at the end of each pass; map may be NULL. */
bool wnn_ir_settle(wnn_ir *ir, const uint32_t *map);
/* Number of uses of each value by nodes and graph outputs; an array to free like the map. */
uint32_t *wnn_ir_count_uses(const wnn_ir *ir, size_t *count);
/* The node that makes a value, NULL for inputs, constants and WNN_NONE. */
static inline wnn_node *wnn_ir_producer(const wnn_ir *ir, uint32_t value) {
  return value != WNN_NONE && ir->values[value].kind == WNN_VALUE_RESULT ? &ir->nodes[ir->values[value].node] : NULL;
}
/* Adds a constant with these bytes (copied); WNN_NONE when memory is short. */
uint32_t wnn_ir_constant(wnn_ir *ir, const wnn_desc *desc, const void *data);
/* The value of a constant of one element (float32 or float16) as a double; false for anything else. */
bool wnn_ir_scalar(const wnn_ir *ir, uint32_t value, double *number);

/* ---- Memory plan --------------------------------------------------------------------------------- */

/* One buffer: alive from the step that first writes it to the last that reads it. */
typedef struct wnn_plan_buffer {
  size_t bytes;
  uint32_t first, last;
  size_t offset; /* result */
} wnn_plan_buffer;
/* Assigns offsets (multiples of 64) so that buffers alive together do not overlap; returns the size of
 * the arena, or SIZE_MAX when memory is short. */
size_t wnn_plan_memory(const wnn_allocator *allocator, wnn_plan_buffer *buffers, size_t count);

/* ---- Schedule ------------------------------------------------------------------------------------ */

/* Memory that a step reads or writes. */
typedef struct wnn_schedule_use {
  uint32_t memory; /* buffers with different numbers are apart */
  uint32_t part;   /* of what is written: different parts are apart; WNN_NONE: any of the buffer */
  bool writes;
} wnn_schedule_use;
typedef struct wnn_schedule_step {
  const wnn_schedule_use *uses;
  uint32_t use_count;
  bool divisible; /* all threads may share it */
  double cost_ns; /* on one thread */
  uint32_t job;   /* result: steps of the same number are independent and run side by side; from 0 on without gaps */
} wnn_schedule_step;
/* Fills `order` with the numbers of the steps in the order of their jobs: a step comes after those before it that it
 * depends on. handover_ns: what it costs to have other threads take part in a step or job. False when memory is short. */
bool wnn_schedule(const wnn_allocator *allocator, wnn_schedule_step *steps, size_t count, unsigned threads,
                  double handover_ns, uint32_t *order);

#endif
