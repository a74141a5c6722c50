/* Graphs as flat arrays of values and nodes, addressed by ids. The builder appends to one; the compiler
 * works on a copy of the reachable part. Nodes are in topological order: no walk needs recursion. */
#ifndef WNN_GRAPH_IR_H
#define WNN_GRAPH_IR_H

#include <stdatomic.h>

#include "base/alloc.h"

#define WNN_NONE UINT32_MAX

/* Counted constant bytes, shared by builders, graphs and constant tensors. */
typedef struct wnn_blob {
  atomic_uint references;
  const wnn_allocator *allocator;
  const void *data;
  size_t size;
  bool borrowed;          /* data belongs to the caller until release, and may lie at any address */
  wnn_release_fn release; /* of borrowed bytes; may be NULL */
  void *user;
  bool kept;       /* its bytes are needed by a saved graph; see record.h */
  size_t recorded; /* 1 + the block of the record that noted it last; 0: none */
} wnn_blob;

/* Uninitialised owned bytes to fill in; NULL on failure. */
wnn_blob *wnn_blob_create(const wnn_allocator *allocator, size_t size);
/* On failure NULL, and release has not been called. */
wnn_blob *wnn_blob_borrow(const wnn_allocator *allocator, const void *data, size_t size, wnn_release_fn release,
                          void *user);
/* The bytes at an address aligned for elements of `unit` bytes. Borrowed bytes that lie askew are copied once; the blob
 * then owns the copy and has given its lender the bytes back. NULL when memory is short. */
const void *wnn_blob_aligned(wnn_blob *blob, size_t unit);
/* The bytes, at any address, for a reader whose result depends on them in other ways than through recorded blocks. */
const void *wnn_blob_read(wnn_blob *blob);
wnn_blob *wnn_blob_retain(wnn_blob *blob); /* accepts NULL */
void wnn_blob_release(wnn_blob *blob);     /* accepts NULL */

typedef enum wnn_value_kind { WNN_VALUE_INPUT, WNN_VALUE_CONSTANT, WNN_VALUE_RESULT } wnn_value_kind;

typedef struct wnn_value {
  wnn_desc desc;
  wnn_value_kind kind;
  uint32_t node;             /* producer, for results */
  uint32_t slot;             /* which output of it */
  const char *name;          /* inputs */
  wnn_blob *blob;            /* constants; one reference */
  struct wnn_tensor *tensor; /* builder only: the constant tensor it came from, one reference */
} wnn_value;

/* Operations that only the compiler makes, numbered after the table's. */
#define WNN_IR_OP_LIST(X)                                                                                              \
  X(WNN_IR_CHAIN, "elementwise")     /* fused elementwise operations: args wnn_chain (compile/chain.h) */              \
  X(WNN_IR_ADD_NORM, "addLayerNorm") /* terms of a sum, scale, bias; args of layerNormalization */                     \
  X(WNN_IR_EMBED_NORM,                                                                                                 \
    "embedLayerNorm")              /* table and indices (or WNN_NONE) of each term, scale, bias; args as above */      \
  X(WNN_IR_ATTENTION, "attention") /* args wnn_attend (compile/attention.h) */                                         \
  X(WNN_IR_RELAYOUT, "relayout")   /* transpose of images between NCHW and NHWC; args as of transpose */
typedef enum wnn_ir_op {
  WNN_IR_FIRST = WNN_OP_COUNT,
#define X(constant, name) constant,
  WNN_IR_OP_LIST(X)
#undef X
      WNN_IR_END
} wnn_ir_op;

/* Work fused into a convolution, matmul or gemm, applied in order to each result element x. */
typedef struct wnn_post {
  uint16_t op;      /* a unary activation, clamp, or a binary operation with another value */
  bool swapped;     /* the other value is the first operand */
  uint32_t input;   /* position of the other value in the node's inputs, WNN_NONE for unary */
  const void *args; /* argument struct of op */
} wnn_post;

typedef struct wnn_node {
  uint16_t op; /* wnn_op or wnn_ir_op */
  uint8_t post_count;
  uint32_t input_count, output_count;
  uint32_t *inputs;  /* value ids, WNN_NONE for absent optional operands; inputs of posts at the end */
  uint32_t *outputs; /* value ids */
  void *args;        /* completed argument struct; option operand pointers in it are meaningless here */
  const char *label; /* never NULL */
  wnn_post *posts;
} wnn_node;

typedef struct wnn_ir_output {
  const char *name;
  uint32_t value;
} wnn_ir_output;

typedef struct wnn_record wnn_record;

typedef struct wnn_ir {
  wnn_arena arena; /* names, lists, args, descriptors */
  wnn_value *values;
  size_t value_count, value_capacity;
  wnn_node *nodes;
  size_t node_count, node_capacity;
  uint32_t *inputs; /* value ids of graph inputs, in order of declaration */
  size_t input_count, input_capacity;
  wnn_ir_output *outputs; /* set by build */
  size_t output_count;
  wnn_record *record; /* of a build that is noted or replayed, or NULL; belongs to the IR */
} wnn_ir;

void wnn_ir_init(wnn_ir *ir, const wnn_allocator *allocator);
void wnn_ir_free(wnn_ir *ir);
/* Appends; WNN_NONE when memory is short. Pointers into values and nodes end with the next append. */
uint32_t wnn_ir_value(wnn_ir *ir, const wnn_value *value);
uint32_t wnn_ir_node(wnn_ir *ir, const wnn_node *node);
/* Name of a table or compiler operation. */
const char *wnn_ir_op_name(uint32_t op);
/* A copy of the argument struct of a table operation with its lists, in arena; NULL when short of memory. */
void *wnn_ir_copy_args(wnn_arena *arena, int op, const void *args);

#endif
