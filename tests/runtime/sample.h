/* A small world for tests of the runtime: a context and graphs over float32 vectors. */
#ifndef WEBNN_TESTS_RUNTIME_SAMPLE_H
#define WEBNN_TESTS_RUNTIME_SAMPLE_H

#include <webnn/webnn_ops.h>

#include "support/test.h"

static inline wnn_desc sample_desc(uint32_t size) {
  return (wnn_desc){.data_type = WNN_FLOAT32, .rank = 1, .shape = {size}};
}

/* Operands of `out` = a + b (+ 1 as a constant) on a builder of the context; spent by the caller. */
static TEST_UNUSED wnn_status sample_builder(wnn_context *context, uint32_t size, wnn_builder **builder,
                                             wnn_operand **out, wnn_error *error) {
  wnn_desc desc = sample_desc(size);
  wnn_operand *a, *b, *one, *sum;
  wnn_status status = wnn_builder_create(context, builder, error);
  if (status) return status;
  status = wnn_builder_input(*builder, "a", &desc, &a, error);
  if (!status) status = wnn_builder_input(*builder, "b", &desc, &b, error);
  if (!status) status = wnn_builder_constant_number(*builder, WNN_FLOAT32, wnn_number_double(1), &one, error);
  if (!status) status = wnn_add(*builder, a, b, NULL, &sum, error);
  if (!status) status = wnn_add(*builder, sum, one, NULL, out, error);
  if (status) {
    wnn_builder_release(*builder);
    *builder = NULL;
  }
  return status;
}

/* Graph with inputs "a" and "b" and output "out" = a + b + 1. */
static TEST_UNUSED wnn_status sample_graph(wnn_context *context, uint32_t size, wnn_graph **graph, wnn_error *error) {
  wnn_builder *builder;
  wnn_operand *out;
  wnn_status status = sample_builder(context, size, &builder, &out, error);
  if (status) return status;
  wnn_named_operand outputs[] = {{"out", out}};
  status = wnn_builder_build(builder, outputs, 1, graph, error);
  wnn_builder_release(builder);
  return status;
}

/* A readable and writable tensor filled with one value. */
static TEST_UNUSED wnn_status sample_tensor(wnn_context *context, uint32_t size, float value, wnn_tensor **tensor,
                                            wnn_error *error) {
  wnn_desc desc = sample_desc(size);
  float *data = malloc(size * sizeof *data);
  wnn_status status =
      wnn_context_create_tensor(context, &desc, WNN_TENSOR_READABLE | WNN_TENSOR_WRITABLE, tensor, error);
  for (uint32_t i = 0; data && i < size; i++) data[i] = value;
  if (!status && value != 0) status = wnn_context_write_tensor(context, *tensor, data, size * sizeof *data, error);
  free(data);
  return status;
}

static TEST_UNUSED wnn_status sample_dispatch(wnn_context *context, wnn_graph *graph, wnn_tensor *a, wnn_tensor *b,
                                              wnn_tensor *out, wnn_error *error) {
  wnn_named_tensor inputs[] = {{"a", a}, {"b", b}}, outputs[] = {{"out", out}};
  return wnn_context_dispatch(context, graph, inputs, 2, outputs, 1, error);
}

/* First element, read with waiting; NaN after a failure. */
static TEST_UNUSED float sample_first(wnn_context *context, wnn_tensor *tensor) {
  size_t bytes = wnn_desc_bytes(wnn_tensor_desc(tensor));
  float *data = malloc(bytes), first;
  wnn_error error;
  if (!data || wnn_context_read_tensor(context, tensor, data, bytes, &error)) {
    free(data);
    return 0.0f / 0.0f;
  }
  first = data[0];
  free(data);
  return first;
}

#endif
