/* The order of the passes, and the tools they share. */
#include "compile/compile.h"

#include <string.h>

#include "base/dtype.h"
#include "base/error.h"
#include "base/shape.h"
#include "graph/record.h"

static const struct {
  uint64_t bit;
  const char *name;
  wnn_pass_fn *run;
} passes[] = {
    {WNN_PASS_SIMPLIFY, "simplify", wnn_pass_simplify},
    {WNN_PASS_FOLD, "parameters", wnn_pass_fold_parameters}, /* all but weights in few bits: */
    {WNN_PASS_PATTERNS, "quantize", wnn_pass_quantize},      /* this one wants them as they are */
    {WNN_PASS_FOLD, "fold", wnn_pass_fold},
    {WNN_PASS_DEDUPLICATE, "dedup", wnn_pass_deduplicate},
    {WNN_PASS_PATTERNS, "patterns", wnn_pass_patterns},
    {WNN_PASS_ATTENTION, "attention", wnn_pass_attention}, /* before a mask becomes a post */
    {WNN_PASS_FUSE, "fuse", wnn_pass_fuse_posts},
    {WNN_PASS_LAYOUT, "layout", wnn_pass_layout},
    {WNN_PASS_LAYOUT, "bytes", wnn_pass_relayout_bytes},
    {WNN_PASS_PATTERNS, "addnorm", wnn_pass_add_norm},
    {WNN_PASS_FUSE, "chain", wnn_pass_chain},
};

/* Passes read rows and small constants as numbers: those that lie askew are aligned once. Saved graphs keep them. */
static bool align_rows(wnn_ir *ir) {
  for (size_t i = 0; i < ir->value_count; i++) {
    wnn_value *value = &ir->values[i];
    if (value->kind != WNN_VALUE_CONSTANT || !value->blob) continue;
    size_t longest = 1;
    for (uint32_t d = 0; d < value->desc.rank; d++)
      if (value->desc.shape[d] > longest) longest = value->desc.shape[d];
    if (value->blob->size > WNN_SMALL_CONSTANT && wnn_elements(&value->desc) != longest) continue;
    wnn_blob_read(value->blob);
    if (!wnn_blob_aligned(value->blob, wnn_data_type_size(value->desc.data_type))) return false;
  }
  return true;
}

wnn_status wnn_compile(wnn_ir *ir, const wnn_compile_options *options, wnn_error *error) {
  if (!align_rows(ir)) return wnn_error_oom(error);
  wnn_record_places(ir->record);
  for (size_t i = 0; i < sizeof passes / sizeof passes[0]; i++) {
    if (options->disabled_passes & passes[i].bit) continue;
    if (!passes[i].run(ir, options)) return wnn_error_oom(error);
    const char *why = wnn_ir_verify(ir);
    if (why)
      return wnn_error_set(error, WNN_OPERATION_ERROR, "The compiler pass %s left the graph malformed: %s.",
                           passes[i].name, why);
  }
  return WNN_OK;
}

const char *wnn_ir_verify(const wnn_ir *ir) {
  for (size_t i = 0; i < ir->value_count; i++) {
    const wnn_value *value = &ir->values[i];
    if (!wnn_desc_valid(&value->desc, NULL)) return "a descriptor is not valid";
    if (value->kind == WNN_VALUE_CONSTANT && value->blob && value->blob->size != wnn_bytes(&value->desc))
      return "a constant has the wrong size";
  }
  for (size_t n = 0; n < ir->node_count; n++) {
    const wnn_node *node = &ir->nodes[n];
    if (node->op >= WNN_IR_END || node->op == WNN_IR_FIRST) return "an operation is unknown";
    for (uint32_t i = 0; i < node->input_count; i++) {
      uint32_t id = node->inputs[i];
      if (id == WNN_NONE) continue;
      if (id >= ir->value_count) return "an input is out of range";
      const wnn_value *value = &ir->values[id];
      if (value->kind == WNN_VALUE_RESULT && value->node >= n) return "nodes are not in topological order";
      if (value->kind == WNN_VALUE_CONSTANT && !value->blob) return "a constant has no data";
    }
    for (uint32_t i = 0; i < node->output_count; i++) {
      if (node->outputs[i] >= ir->value_count) return "an output is out of range";
      const wnn_value *value = &ir->values[node->outputs[i]];
      if (value->kind != WNN_VALUE_RESULT || value->node != n || value->slot != i)
        return "a result has another producer";
    }
    for (uint32_t i = 0; i < node->post_count; i++)
      if (node->posts[i].input != WNN_NONE && node->posts[i].input >= node->input_count)
        return "a fused operation's input is out of range";
  }
  for (size_t i = 0; i < ir->output_count; i++)
    if (ir->outputs[i].value >= ir->value_count) return "a graph output is out of range";
  return NULL;
}

uint32_t *wnn_ir_alias_map(const wnn_ir *ir, size_t *count) {
  *count = ir->value_count;
  uint32_t *map = wnn_mem_alloc(ir->arena.allocator, ir->value_count * sizeof *map);
  for (size_t i = 0; map && i < ir->value_count; i++) map[i] = (uint32_t)i;
  return map;
}

uint32_t *wnn_ir_count_uses(const wnn_ir *ir, size_t *count) {
  *count = ir->value_count;
  uint32_t *uses = wnn_mem_zalloc(ir->arena.allocator, ir->value_count * sizeof *uses);
  if (!uses) return NULL;
  for (size_t n = 0; n < ir->node_count; n++)
    for (uint32_t i = 0; i < ir->nodes[n].input_count; i++)
      if (ir->nodes[n].inputs[i] != WNN_NONE) uses[ir->nodes[n].inputs[i]]++;
  for (size_t i = 0; i < ir->output_count; i++) uses[ir->outputs[i].value]++;
  return uses;
}

bool wnn_ir_settle(wnn_ir *ir, const uint32_t *map) {
  if (map) {
    for (size_t n = 0; n < ir->node_count; n++)
      for (uint32_t i = 0; i < ir->nodes[n].input_count; i++)
        ir->nodes[n].inputs[i] = wnn_ir_follow(map, ir->nodes[n].inputs[i]);
    for (size_t i = 0; i < ir->output_count; i++) ir->outputs[i].value = wnn_ir_follow(map, ir->outputs[i].value);
  }
  bool *used = wnn_mem_zalloc(ir->arena.allocator, ir->value_count);
  if (!used) return false;
  for (size_t i = 0; i < ir->output_count; i++) used[ir->outputs[i].value] = true;
  size_t kept = ir->node_count; /* nodes move to the end of the array, from the back */
  for (size_t n = ir->node_count; n-- > 0;) {
    const wnn_node *node = &ir->nodes[n];
    bool needed = false;
    for (uint32_t i = 0; i < node->output_count; i++) needed |= used[node->outputs[i]];
    if (!needed) continue;
    for (uint32_t i = 0; i < node->input_count; i++)
      if (node->inputs[i] != WNN_NONE) used[node->inputs[i]] = true;
    ir->nodes[--kept] = *node;
  }
  ir->node_count -= kept;
  if (ir->node_count) memmove(ir->nodes, ir->nodes + kept, ir->node_count * sizeof *ir->nodes);
  for (size_t n = 0; n < ir->node_count; n++)
    for (uint32_t i = 0; i < ir->nodes[n].output_count; i++) {
      wnn_value *value = &ir->values[ir->nodes[n].outputs[i]];
      value->node = (uint32_t)n;
      value->slot = i;
    }
  for (size_t i = 0; i < ir->value_count; i++) {
    if (used[i] || ir->values[i].kind != WNN_VALUE_CONSTANT) continue;
    wnn_blob_release(ir->values[i].blob);
    ir->values[i].blob = NULL;
  }
  wnn_mem_free(ir->arena.allocator, used, ir->value_count);
  return true;
}

uint32_t wnn_ir_constant(wnn_ir *ir, const wnn_desc *desc, const void *data) {
  wnn_blob *blob = wnn_blob_create(ir->arena.allocator, wnn_bytes(desc));
  if (!blob) return WNN_NONE;
  void *to;
  memcpy(&to, &blob->data, sizeof to);
  memcpy(to, data, blob->size);
  wnn_value value = {.desc = *desc, .kind = WNN_VALUE_CONSTANT, .blob = blob};
  uint32_t id = wnn_ir_value(ir, &value);
  if (id == WNN_NONE) wnn_blob_release(blob);
  return id;
}

bool wnn_ir_scalar(const wnn_ir *ir, uint32_t value, double *number) {
  if (value == WNN_NONE) return false;
  const wnn_value *v = &ir->values[value];
  if (v->kind != WNN_VALUE_CONSTANT || !v->blob || wnn_elements(&v->desc) != 1) return false;
  if (v->desc.data_type == WNN_FLOAT32) {
    float f;
    memcpy(&f, v->blob->data, sizeof f);
    *number = (double)f;
    return true;
  }
  if (v->desc.data_type != WNN_FLOAT16) return false;
  uint16_t h;
  memcpy(&h, v->blob->data, sizeof h);
  *number = (double)wnn_f16_to_f32(h);
  return true;
}
