/* Calls of operations written as text, for the validation tests. */
#ifndef WEBNN_TESTS_VALIDATION_CALLS_H
#define WEBNN_TESTS_VALIDATION_CALLS_H

#include <webnn/webnn.h>

enum { CALL_OPERANDS = 12, CALL_ARGS = 256, CALL_LISTS = 8, CALL_ITEMS = 16 };

/* One call in the making; tests change it before calling. */
typedef struct call {
  int op;
  const wnn_op_info *row;
  wnn_desc descs[CALL_OPERANDS];
  bool present[CALL_OPERANDS];
  size_t operand_count;
  union {
    unsigned char bytes[CALL_ARGS];
    double align;
  } args;
  uint32_t lists[CALL_LISTS][CALL_ITEMS];
  uint32_t list_count;
} call;

/* A valid call of every operation, with all its optional operands and lists. */
typedef struct valid_call {
  const char *op, *operands, *params;
} valid_call;
extern const valid_call valid_calls[WNN_OP_COUNT];

/* operands: "input:f32[2,3] bias:f32[3]", any order; params: "axis=1 padding=[1,1] mode=edge". Ends the program on
 * text it cannot read. */
void call_parse(call *c, const char *op, const char *operands, const char *params);
/* Sets one parameter from text. */
void call_set(call *c, const char *name, const char *value);
/* Makes inputs of the descriptors in a builder and adds the operation under a label. outputs: room for one pointer for
 * each output of the call. */
wnn_status call_add(const call *c, wnn_builder *builder, const char *label, wnn_error *error);
/* Fresh inputs of a builder for the operands that are present. */
void call_operands(const call *c, wnn_builder *builder, wnn_operand *operands[CALL_OPERANDS + 1]);
/* Adds with operands made before. */
wnn_status call_add_with(const call *c, wnn_builder *builder, wnn_operand *const *operands, size_t count,
                         const char *label, wnn_error *error);
wnn_operand *call_input(wnn_builder *builder, const wnn_desc *desc);

#endif
