/* Joins elementwise operations whose results nothing else needs into chains. */
#include "compile/chain.h"

#include <string.h>

#include "base/dtype.h"
#include "base/shape.h"
#include "compile/compile.h"

static bool broadcasts_to(const wnn_desc *from, const wnn_desc *to) {
  if (from->rank > to->rank) return false;
  for (uint32_t i = 1; i <= from->rank; i++) {
    uint32_t size = from->shape[from->rank - i];
    if (size != 1 && size != to->shape[to->rank - i]) return false;
  }
  return true;
}

static bool is_byte(wnn_data_type type) { return type == WNN_INT8 || type == WNN_UINT8; }

static bool is_elementwise(uint32_t op, wnn_data_type in, wnn_data_type out) {
  switch (op) {
  case WNN_OP_IDENTITY: return false;
  case WNN_OP_POW: return wnn_is_float(in);
  case WNN_OP_QUANTIZE_LINEAR: return is_byte(out);
  case WNN_OP_DEQUANTIZE_LINEAR: return is_byte(in);
  case WNN_OP_CAST:
  case WNN_OP_CLAMP:
  case WNN_OP_WHERE: return true;
  case WNN_OP_SOFTMAX: return false;
  default: return op <= WNN_OP_TANH;
  }
}

bool wnn_chainable(const wnn_ir *ir, const wnn_node *node) {
  if (node->op >= WNN_OP_COUNT || node->output_count != 1 || node->post_count) return false;
  if (!node->input_count || node->input_count > WNN_CHAIN_OPERANDS || node->inputs[0] == WNN_NONE) return false;
  const wnn_value *out = &ir->values[node->outputs[0]];
  if (!is_elementwise(node->op, ir->values[node->inputs[0]].desc.data_type, out->desc.data_type)) return false;
  for (uint32_t i = 0; i < node->input_count; i++) {
    if (node->inputs[i] == WNN_NONE) return false;
    const wnn_value *in = &ir->values[node->inputs[i]];
    if (!broadcasts_to(&in->desc, &out->desc)) return false;
  }
  return true;
}

/* A chain while it grows, from its last step backwards. members[0] is the last. */
typedef struct growing {
  uint32_t members[WNN_CHAIN_STEPS], count; /* node indices, falling */
  uint32_t inputs[WNN_CHAIN_INPUTS + WNN_CHAIN_OPERANDS], input_count;
} growing;

static bool has(const uint32_t *list, uint32_t count, uint32_t value) {
  for (uint32_t i = 0; i < count; i++)
    if (list[i] == value) return true;
  return false;
}

static bool add_inputs(growing *g, const wnn_node *node) {
  for (uint32_t i = 0; i < node->input_count; i++) {
    if (has(g->inputs, g->input_count, node->inputs[i])) continue;
    if (g->input_count >= WNN_CHAIN_INPUTS) return false;
    g->inputs[g->input_count++] = node->inputs[i];
  }
  return true;
}

/* Takes the producer of input `at` in when all its uses are inside and the shape is that of the chain. */
static bool absorb(growing *g, const wnn_ir *ir, const uint32_t *uses, const bool *taken, uint32_t at) {
  uint32_t value = g->inputs[at];
  const wnn_node *node = wnn_ir_producer(ir, value);
  if (!node || g->count == WNN_CHAIN_STEPS || !wnn_chainable(ir, node)) return false;
  if (node->op == WNN_OP_QUANTIZE_LINEAR) return false; /* chains that end in bytes have kernels of their own */
  uint32_t index = ir->values[value].node;
  const wnn_desc *shape = &ir->values[ir->nodes[g->members[0]].outputs[0]].desc;
  if (taken[index] || !wnn_shape_equal(&ir->values[value].desc, shape)) return false;
  uint32_t inside = 0;
  for (uint32_t m = 0; m < g->count; m++)
    for (uint32_t i = 0; i < ir->nodes[g->members[m]].input_count; i++)
      inside += ir->nodes[g->members[m]].inputs[i] == value;
  if (inside != uses[value]) return false;
  growing next = *g;
  next.inputs[at] = next.inputs[--next.input_count];
  if (!add_inputs(&next, node)) return false;
  uint32_t place = next.count++;
  for (; next.members[place - 1] < index; place--) next.members[place] = next.members[place - 1];
  next.members[place] = index;
  *g = next;
  return true;
}

static bool replace(wnn_ir *ir, const growing *g) {
  wnn_chain *chain = wnn_arena_alloc(&ir->arena, sizeof *chain);
  wnn_chain_step *steps = wnn_arena_array(&ir->arena, g->count, sizeof *steps);
  uint32_t *inputs = wnn_arena_array(&ir->arena, g->input_count, sizeof *inputs);
  if (!chain || !steps || !inputs) return false;
  memcpy(inputs, g->inputs, g->input_count * sizeof *inputs);
  for (uint32_t s = 0; s < g->count; s++) {
    const wnn_node *node = &ir->nodes[g->members[g->count - 1 - s]];
    steps[s] = (wnn_chain_step){.op = node->op,
                                .operand_count = (uint8_t)node->input_count,
                                .type = ir->values[node->outputs[0]].desc.data_type,
                                .args = node->args};
    for (uint32_t i = 0; i < node->input_count; i++) {
      uint32_t at = 0;
      while (at < g->input_count && inputs[at] != node->inputs[i]) at++;
      if (at == g->input_count)
        for (uint32_t m = 0; m < s; m++)
          if (ir->nodes[g->members[g->count - 1 - m]].outputs[0] == node->inputs[i]) at = g->input_count + m;
      steps[s].operands[i] = (uint8_t)at;
    }
  }
  *chain = (wnn_chain){g->count, steps};
  wnn_node *last = &ir->nodes[g->members[0]];
  last->op = WNN_IR_CHAIN;
  last->args = chain;
  last->inputs = inputs;
  last->input_count = g->input_count;
  return true;
}

bool wnn_pass_chain(wnn_ir *ir, const wnn_compile_options *options) {
  size_t count, nodes = ir->node_count;
  uint32_t *uses = wnn_ir_count_uses(ir, &count);
  bool *taken = wnn_mem_zalloc(options->allocator, nodes + 1);
  bool fine = uses && taken;
  for (size_t n = nodes; fine && n-- > 0;) {
    if (taken[n] || !wnn_chainable(ir, &ir->nodes[n])) continue;
    growing g = {.members = {(uint32_t)n}, .count = 1};
    if (!add_inputs(&g, &ir->nodes[n])) continue;
    for (uint32_t at = 0; at < g.input_count;) at = absorb(&g, ir, uses, taken, at) ? 0 : at + 1;
    if (g.count < 2) continue;
    for (uint32_t m = 0; m < g.count; m++) taken[g.members[m]] = true;
    fine = replace(ir, &g);
  }
  fine = fine && wnn_ir_settle(ir, NULL);
  wnn_mem_free(options->allocator, uses, count * sizeof *uses);
  wnn_mem_free(options->allocator, taken, nodes + 1);
  return fine;
}
