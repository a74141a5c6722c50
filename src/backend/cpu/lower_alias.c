/* Operations whose result is memory that is already there: reshape, identity, slices of outer rows. */
#include "backend/cpu/lower.h"

bool wnn_lower_same_memory(wnn_lowering *l, const wnn_node *node) {
  wnn_lower_alias(l, node->outputs[0], node->inputs[0], 0);
  return true;
}

/* First axis that is not of size 1 in the result and those before it: a window that is whole from there on
 * is one run of memory. Sets *offset in elements. */
static bool window_is_run(const wnn_desc *in, const uint32_t *starts, const wnn_desc *out, size_t *offset) {
  size_t strides[WNN_MAX_RANK];
  wnn_shape_strides(in, strides);
  *offset = 0;
  bool whole = false; /* past the axis that is cut */
  for (uint32_t i = 0; i < in->rank; i++) {
    if (whole && out->shape[i] != in->shape[i]) return false;
    if (out->shape[i] != 1) whole = true;
    *offset += starts[i] * strides[i];
  }
  return true;
}

bool wnn_lower_slice_alias(wnn_lowering *l, const wnn_node *node) {
  const wnn_slice_args *args = node->args;
  const wnn_desc *in = wnn_lower_desc(l, node->inputs[0]), *out = wnn_lower_desc(l, node->outputs[0]);
  for (uint32_t i = 0; i < args->options.strides.count; i++)
    if (args->options.strides.data[i] != 1 && out->shape[i] != 1) return false;
  size_t offset;
  if (!window_is_run(in, args->starts.data, out, &offset)) return false;
  wnn_lower_alias(l, node->outputs[0], node->inputs[0], offset * wnn_data_type_size(in->data_type));
  return true;
}

bool wnn_lower_split_alias(wnn_lowering *l, const wnn_node *node) {
  const wnn_split_args *args = node->args;
  const wnn_desc *in = wnn_lower_desc(l, node->inputs[0]);
  if (wnn_shape_product(in, 0, args->options.axis) != 1) return false;
  size_t offset = 0;
  for (uint32_t i = 0; i < node->output_count; i++) {
    wnn_lower_alias(l, node->outputs[i], node->inputs[0], offset);
    offset += wnn_bytes(wnn_lower_desc(l, node->outputs[i]));
  }
  return true;
}
