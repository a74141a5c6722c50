/* A builder without a context, for tests of validation and shape inference. */
#ifndef WEBNN_TESTS_INFER_INFER_H
#define WEBNN_TESTS_INFER_INFER_H

#include <webnn/webnn_ops.h>

#include "base/shape.h"
#include "graph/builder.h"
#include "support/test.h"

static TEST_UNUSED bool never_lost(const wnn_context *context) {
  (void)context;
  return false;
}

/* The limits are those of the table. */
static TEST_UNUSED wnn_tensor_limits table_limits(const wnn_context *context, int op, uint32_t index) {
  (void)context;
  const wnn_operand_info *info = &wnn_op_rows[op].operands[index];
  return (wnn_tensor_limits){info->allowed, info->min_rank, info->max_rank};
}

/* builder: lives until the end of the test function, which must call wnn_builder_destroy. */
static TEST_UNUSED void start_builder(wnn_builder *builder) {
  wnn_builder_host host = {.allocator = &wnn_default_allocator, .is_lost = never_lost, .operand_limits = table_limits};
  memset(builder, 0, sizeof *builder);
  wnn_builder_init(builder, &host);
}

/* A new graph input; names count up. */
static TEST_UNUSED wnn_operand *input_of(wnn_builder *builder, wnn_data_type type, uint32_t rank,
                                         const uint32_t *shape) {
  wnn_desc desc = {type, rank, {0}};
  for (uint32_t i = 0; i < rank; i++) desc.shape[i] = shape[i];
  char name[16];
  snprintf(name, sizeof name, "x%zu", builder->ir.value_count);
  wnn_operand *operand = NULL;
  wnn_error error;
  CHECK_OK(wnn_builder_input(builder, name, &desc, &operand, &error), error);
  return operand;
}
#define INPUT(builder, type, ...)                                                                                      \
  input_of(builder, type, sizeof((uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t), (uint32_t[]){__VA_ARGS__})
#define SCALAR_INPUT(builder, type) input_of(builder, type, 0, NULL)

/* The descriptor of an operand as text, such as "float32 [1, 2]". */
#define CHECK_DESC(operand, expected)                                                                                  \
  do {                                                                                                                 \
    char text_of_[WNN_DESC_TEXT];                                                                                      \
    CHECK_STR(wnn_desc_format(wnn_operand_desc(operand), text_of_), expected);                                         \
  } while (0)

#endif
