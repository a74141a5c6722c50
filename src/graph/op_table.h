/* The operation table inside the library: rows, shape inference, error helper. */
#ifndef WNN_GRAPH_OP_TABLE_H
#define WNN_GRAPH_OP_TABLE_H

#include "base/alloc.h"

extern const wnn_op_info wnn_op_rows[WNN_OP_COUNT];

/* An operation being added: what infer functions see. The generic checks of the table (operand count,
 * ownership, data types, same_as, ranks, list lengths, minima, enums, finite doubles) are done before. */
typedef struct wnn_call {
  const wnn_op_info *row;
  int op;
  const char *label;                      /* never NULL */
  uint32_t operand_count;                 /* of the row, or more for a variadic row */
  const wnn_desc *const *operands;        /* NULL entries: absent optional operands */
  void *args;                             /* the argument struct, a copy; infer completes it, see below */
  wnn_arena *arena;                       /* for what args point to */
  wnn_desc *outputs;                      /* room for output_capacity; data type preset where the row says same_as */
  uint32_t output_capacity, output_count; /* count preset to the row's number of outputs */
  wnn_error *error;
} wnn_call;

/* Checks what the table cannot say, fills the output descriptors, and completes args: on success every
 * list that was absent and has a default is present (in call->arena or static), so that kernels need no
 * default rules. The caller then checks each output descriptor (wnn_desc_valid). */
typedef wnn_status wnn_infer_fn(wnn_call *call);
extern wnn_infer_fn *const wnn_op_infer[WNN_OP_COUNT];

/* Fails a call: message "[label] op: <text> Operands: a float32 [2], …" (the label part only if there is
 * one). The text is a full sentence with the offending value and what was expected. Returns
 * WNN_TYPE_ERROR. */
wnn_status wnn_fail(const wnn_call *call, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Fails with WNN_OUT_OF_MEMORY. */
wnn_status wnn_fail_memory(const wnn_call *call);

#endif
