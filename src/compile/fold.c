/* Constant folding: nodes whose inputs are all constants are computed now. */
#include "base/dtype.h"
#include "base/shape.h"
#include "compile/compile.h"
#include "graph/record.h"

/* Results up to this size are always worth keeping; larger ones only when they are not much larger than
 * what they come from, so that an expanded or tiled constant does not fill the memory. */
enum { SMALL_BYTES = 1 << 16, GROWTH = 2 };

static bool all_constant(const wnn_ir *ir, const wnn_node *node) {
  for (uint32_t i = 0; i < node->input_count; i++)
    if (node->inputs[i] != WNN_NONE && ir->values[node->inputs[i]].kind != WNN_VALUE_CONSTANT) return false;
  return true;
}

/* Weights in few bits, which the quantize pass wants to see as they are. */
static bool is_weights(const wnn_ir *ir, const wnn_node *node) {
  return node->op == WNN_OP_DEQUANTIZE_LINEAR && wnn_data_type_size(ir->values[node->inputs[0]].desc.data_type) == 1;
}

static bool worth_keeping(const wnn_ir *ir, const wnn_node *node) {
  if (is_weights(ir, node)) return true; /* they are packed as floats anyhow */
  size_t in = 0, out = 0;
  for (uint32_t i = 0; i < node->input_count; i++)
    if (node->inputs[i] != WNN_NONE) in += wnn_bytes(&ir->values[node->inputs[i]].desc);
  for (uint32_t i = 0; i < node->output_count; i++) out += wnn_bytes(&ir->values[node->outputs[i]].desc);
  return out <= SMALL_BYTES || out <= in * GROWTH;
}

static bool evaluate(wnn_ir *ir, const wnn_node *node, const wnn_compile_options *options, wnn_blob **blobs) {
  if (node->op == WNN_OP_RESHAPE || node->op == WNN_OP_IDENTITY) { /* the same bytes: mapped weights stay mapped */
    blobs[0] = wnn_blob_retain(ir->values[node->inputs[0]].blob);
    return true;
  }
  if (wnn_record_replays(ir->record)) {
    for (uint32_t i = 0; i < node->output_count; i++) {
      blobs[i] = wnn_record_next_constant(ir->record, wnn_bytes(&ir->values[node->outputs[i]].desc));
      if (blobs[i]) continue;
      while (i) wnn_blob_release(blobs[--i]);
      return false;
    }
    return true;
  }
  if (!options->evaluate(options->user, ir, node, blobs)) return false;
  for (uint32_t i = 0; i < node->output_count; i++) wnn_record_constant(ir->record, blobs[i]);
  return true;
}

static bool fold(wnn_ir *ir, const wnn_compile_options *options, bool weights) {
  enum { MOST_OUTPUTS = 64 };
  wnn_blob *blobs[MOST_OUTPUTS];
  for (size_t n = 0; n < ir->node_count; n++) {
    const wnn_node *node = &ir->nodes[n];
    if (node->op >= WNN_OP_COUNT || node->output_count > MOST_OUTPUTS || !all_constant(ir, node) ||
        !worth_keeping(ir, node) || (!weights && is_weights(ir, node)))
      continue;
    if (!evaluate(ir, node, options, blobs)) return false;
    for (uint32_t i = 0; i < node->output_count; i++) {
      wnn_value *value = &ir->values[node->outputs[i]];
      value->kind = WNN_VALUE_CONSTANT;
      value->blob = blobs[i];
    }
  }
  /* Folded nodes make nothing that is used as a result any more; take them out. */
  size_t kept = 0;
  for (size_t n = 0; n < ir->node_count; n++)
    if (ir->values[ir->nodes[n].outputs[0]].kind == WNN_VALUE_RESULT) ir->nodes[kept++] = ir->nodes[n];
  ir->node_count = kept;
  return wnn_ir_settle(ir, NULL);
}

bool wnn_pass_fold(wnn_ir *ir, const wnn_compile_options *options) { return fold(ir, options, true); }
bool wnn_pass_fold_parameters(wnn_ir *ir, const wnn_compile_options *options) { return fold(ir, options, false); }
