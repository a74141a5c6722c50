/* Merges nodes that compute the same: equal operation, inputs and arguments. */
#include <string.h>

#include "base/shape.h"
#include "compile/compile.h"
#include "graph/op_table.h"

static uint64_t mix(uint64_t h, uint64_t v) {
  h = (h ^ v) * UINT64_C(0x9E3779B97F4A7C15);
  return h ^ h >> 29;
}

static bool is_list(wnn_param_kind kind) {
  return kind == WNN_PARAM_U32_LIST || kind == WNN_PARAM_F32_LIST || kind == WNN_PARAM_ENUM_LIST ||
         kind == WNN_PARAM_SPLITS;
}

static size_t field_size(wnn_param_kind kind) {
  switch (kind) {
  case WNN_PARAM_BOOL: return sizeof(bool);
  case WNN_PARAM_F64: return sizeof(double);
  default: return sizeof(uint32_t);
  }
}

/* The bytes of a number that matter: its kind says which member counts, all of them have 8 bytes. */
static bool same_number(const char *a, const char *b) {
  wnn_number x, y;
  memcpy(&x, a, sizeof x);
  memcpy(&y, b, sizeof y);
  return x.kind == y.kind && (x.kind == WNN_NUMBER_ABSENT || x.value.u64 == y.value.u64);
}

static bool same_args(const wnn_op_info *row, const char *a, const char *b) {
  for (uint32_t i = 0; i < row->param_count; i++) {
    const wnn_param_info *param = &row->params[i];
    if (param->kind == WNN_PARAM_NUMBER) {
      if (!same_number(a + param->offset, b + param->offset)) return false;
    } else if (is_list(param->kind)) {
      wnn_u32_list x, y;
      memcpy(&x, a + param->offset, sizeof x);
      memcpy(&y, b + param->offset, sizeof y);
      if (x.count != y.count || !x.data != !y.data) return false;
      if (x.data && x.count && memcmp(x.data, y.data, x.count * sizeof *x.data)) return false;
    } else if (memcmp(a + param->offset, b + param->offset, field_size(param->kind))) {
      return false;
    }
  }
  return true;
}

static bool same_constant(const wnn_value *a, const wnn_value *b) {
  enum { COMPARE_BYTES = 256 }; /* larger constants are equal only when they are the same memory */
  if (!wnn_desc_equal(&a->desc, &b->desc)) return false;
  if (a->blob->data == b->blob->data) return true;
  return a->blob->size <= COMPARE_BYTES && !memcmp(a->blob->data, b->blob->data, a->blob->size);
}

static uint64_t hash_constant(const wnn_value *value) {
  uint64_t h = mix(value->desc.data_type, value->blob->size), word = 0;
  if (value->blob->size > 256) return mix(h, (uintptr_t)value->blob->data);
  for (size_t i = 0; i < value->blob->size; i += 8) {
    size_t n = value->blob->size - i < 8 ? value->blob->size - i : 8;
    memcpy(&word, (const char *)value->blob->data + i, n);
    h = mix(h, word);
  }
  return h;
}

static uint64_t hash_node(const wnn_node *node, const uint32_t *map) {
  uint64_t h = mix(node->op, node->input_count);
  for (uint32_t i = 0; i < node->input_count; i++) h = mix(h, wnn_ir_follow(map, node->inputs[i]));
  return h;
}

static bool same_node(const wnn_ir *ir, const wnn_node *a, const wnn_node *b, const uint32_t *map) {
  if (a->op != b->op || a->input_count != b->input_count || a->output_count != b->output_count) return false;
  for (uint32_t i = 0; i < a->input_count; i++)
    if (wnn_ir_follow(map, a->inputs[i]) != wnn_ir_follow(map, b->inputs[i])) return false;
  for (uint32_t i = 0; i < a->output_count; i++)
    if (!wnn_desc_equal(&ir->values[a->outputs[i]].desc, &ir->values[b->outputs[i]].desc)) return false;
  return same_args(&wnn_op_rows[a->op], a->args, b->args);
}

bool wnn_pass_deduplicate(wnn_ir *ir, const wnn_compile_options *options) {
  size_t count, capacity = 16, items = ir->value_count > ir->node_count ? ir->value_count : ir->node_count;
  while (capacity < items * 2) capacity *= 2;
  uint32_t *map = wnn_ir_alias_map(ir, &count);
  uint32_t *slots = wnn_mem_zalloc(options->allocator, capacity * sizeof *slots); /* index + 1 */
  bool fine = map && slots;
  for (uint32_t i = 0; fine && i < ir->value_count; i++) {
    if (ir->values[i].kind != WNN_VALUE_CONSTANT || !ir->values[i].blob) continue;
    size_t at = hash_constant(&ir->values[i]) & (capacity - 1);
    while (slots[at] && !same_constant(&ir->values[slots[at] - 1], &ir->values[i])) at = (at + 1) & (capacity - 1);
    if (slots[at])
      map[i] = slots[at] - 1;
    else
      slots[at] = i + 1;
  }
  if (fine) memset(slots, 0, capacity * sizeof *slots);
  for (uint32_t n = 0; fine && n < ir->node_count; n++) {
    const wnn_node *node = &ir->nodes[n];
    if (node->op >= WNN_OP_COUNT || node->post_count) continue;
    size_t at = hash_node(node, map) & (capacity - 1);
    while (slots[at] && !same_node(ir, &ir->nodes[slots[at] - 1], node, map)) at = (at + 1) & (capacity - 1);
    if (!slots[at]) {
      slots[at] = n + 1;
      continue;
    }
    const wnn_node *first = &ir->nodes[slots[at] - 1];
    for (uint32_t i = 0; i < node->output_count; i++) map[node->outputs[i]] = first->outputs[i];
  }
  fine = fine && wnn_ir_settle(ir, map);
  wnn_mem_free(options->allocator, map, count * sizeof *map);
  wnn_mem_free(options->allocator, slots, capacity * sizeof *slots);
  return fine;
}
