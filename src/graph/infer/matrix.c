/* Shapes of gemm, matmul and triangular. */
#include "graph/infer/helpers.h"

wnn_status wnn_infer_gemm(wnn_call *call) {
  const wnn_gemm_options *options = &((const wnn_gemm_args *)call->args)->options;
  const wnn_desc *a = call->operands[0], *b = call->operands[1], *c = call->operands[2];
  uint32_t rows = a->shape[options->a_transpose], inner = a->shape[!options->a_transpose];
  uint32_t b_inner = b->shape[options->b_transpose], columns = b->shape[!options->b_transpose];
  if (inner != b_inner)
    return wnn_fail(
        call, "The number of columns of a%s is %" PRIu32 ", but must be the number of rows of b%s, %" PRIu32 ".",
        options->a_transpose ? " (transposed)" : "", inner, options->b_transpose ? " (transposed)" : "", b_inner);
  wnn_desc *output = &call->outputs[0];
  output->rank = 2;
  output->shape[0] = rows;
  output->shape[1] = columns;
  if (!c) return WNN_OK;
  bool fits = true; /* one-directional: aligned at the last dimension, the sizes of c equal or 1 */
  for (uint32_t i = 0; i < c->rank; i++) {
    uint32_t size = c->shape[c->rank - 1 - i];
    fits = fits && (size == 1 || size == output->shape[1 - i]);
  }
  if (fits) return WNN_OK;
  char text[WNN_SHAPE_TEXT];
  return wnn_fail(call, "The shape of c is %s, but must broadcast to the product's, [%" PRIu32 ", %" PRIu32 "].",
                  wnn_shape_format(c->shape, c->rank, text), rows, columns);
}

wnn_status wnn_infer_matmul(wnn_call *call) {
  const wnn_desc *a = call->operands[0], *b = call->operands[1];
  uint32_t inner = a->shape[a->rank - 1], b_inner = b->shape[b->rank - 2];
  if (inner != b_inner)
    return wnn_fail(call, "The last dimension of a is %" PRIu32 ", but must be the second last of b, %" PRIu32 ".",
                    inner, b_inner);
  wnn_desc batch_a = *a, batch_b = *b, *output = &call->outputs[0];
  batch_a.rank -= 2;
  batch_b.rank -= 2;
  if (!wnn_shape_broadcast(&batch_a, &batch_b, output)) {
    char text_a[WNN_SHAPE_TEXT], text_b[WNN_SHAPE_TEXT];
    return wnn_fail(call, "The leading dimensions of a are %s, but must broadcast with those of b, %s.",
                    wnn_shape_format(batch_a.shape, batch_a.rank, text_a),
                    wnn_shape_format(batch_b.shape, batch_b.rank, text_b));
  }
  output->shape[output->rank++] = a->shape[a->rank - 2];
  output->shape[output->rank++] = b->shape[b->rank - 1];
  return WNN_OK;
}

wnn_status wnn_infer_triangular(wnn_call *call) {
  wnn_infer_set_shape(&call->outputs[0], call->operands[0]);
  return WNN_OK;
}
