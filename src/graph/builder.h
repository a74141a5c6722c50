/* Builder: operands as handles over the values of an IR, and the start of build(). Knows a context only
 * as an opaque pointer with the few facts below. */
#ifndef WNN_GRAPH_BUILDER_H
#define WNN_GRAPH_BUILDER_H

#include "graph/ir.h"
#include "graph/op_table.h"

struct wnn_operand {
  wnn_builder *builder;
  uint32_t value;
  wnn_desc desc;
};

/* What a builder needs of its context; set by wnn_builder_create. */
typedef struct wnn_builder_host {
  wnn_context *context;
  const wnn_allocator *allocator;
  bool (*is_lost)(const wnn_context *context);
  /* The tensor's bytes for builder.constant(tensor), with the checks of that form up to "not a constant
   * tensor"; a reference for the caller, or NULL with the error filled in. */
  wnn_blob *(*constant_blob)(wnn_context *context, wnn_tensor *tensor, wnn_error *error);
  bool (*tensor_destroyed)(const wnn_tensor *tensor);
  void (*tensor_retain)(wnn_tensor *tensor); /* internal reference */
  void (*tensor_release)(wnn_tensor *tensor);
  const wnn_desc *(*tensor_desc)(const wnn_tensor *tensor);
  /* Limits of the context, for the checks against opSupportLimits. */
  wnn_tensor_limits (*operand_limits)(const wnn_context *context, int op, uint32_t index);
} wnn_builder_host;

struct wnn_builder {
  wnn_builder_host host;
  wnn_ir ir;         /* its arena moves into the graph at build() */
  wnn_arena handles; /* the operands */
  bool built;
  /* Input names, open addressing: value id + 1, 0 for free. A power of two, at most half full. */
  uint32_t *names;
  size_t name_capacity;
};

/* Fills a zeroed builder; wnn_builder_destroy undoes it (the memory of the struct stays the caller's). */
void wnn_builder_init(wnn_builder *builder, const wnn_builder_host *host);
void wnn_builder_destroy(wnn_builder *builder);

/* Steps 1 to 6 of build() (webnn-objects): can build, outputs present, names, ownership, kinds, destroyed
 * constant tensors. On success fills `graph` (an uninitialised IR) with a copy of what the outputs reach,
 * and marks the builder as built. On failure `graph` is not touched and the builder may go on. */
wnn_status wnn_builder_prepare(wnn_builder *builder, const wnn_named_operand *outputs, size_t count, wnn_ir *graph,
                               wnn_error *error);

/* The table's checks of one call, and inference; see validate.c. descs: room for output_capacity. On
 * success *args is the completed argument struct in the arena. */
wnn_status wnn_validate_call(wnn_builder *builder, int op, const void *args, wnn_operand *const *operands,
                             size_t operand_count, void **completed, wnn_desc *descs, uint32_t output_capacity,
                             uint32_t *output_count, wnn_error *error);

#endif
