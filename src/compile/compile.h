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

/* Runs the enabled passes in their order; the IR is checked between them in debug builds. */
wnn_status wnn_compile(wnn_ir *ir, const wnn_compile_options *options, wnn_error *error);

/* Checks that the IR is well formed: ids in range, nodes in topological order, descriptors valid, kinds
 * right. Returns NULL or a static reason. */
const char *wnn_ir_verify(const wnn_ir *ir);

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

#endif
