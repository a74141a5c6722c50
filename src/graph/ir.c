/* Graphs as flat arrays: storage, constant blobs, copies of argument structs. */
#include "graph/ir.h"

#include <string.h>

#include "graph/op_table.h"
#include "graph/record.h"

wnn_blob *wnn_blob_create(const wnn_allocator *allocator, size_t size) {
  wnn_blob *blob = wnn_mem_alloc(allocator, sizeof *blob);
  void *data = blob ? wnn_mem_alloc(allocator, size) : NULL;
  if (!data) {
    wnn_mem_free(allocator, blob, sizeof *blob);
    return NULL;
  }
  *blob = (wnn_blob){.allocator = allocator, .data = data, .size = size};
  atomic_init(&blob->references, 1);
  return blob;
}

wnn_blob *wnn_blob_borrow(const wnn_allocator *allocator, const void *data, size_t size, wnn_release_fn release,
                          void *user) {
  wnn_blob *blob = wnn_mem_alloc(allocator, sizeof *blob);
  if (!blob) return NULL;
  *blob = (wnn_blob){
      .allocator = allocator, .data = data, .size = size, .borrowed = true, .release = release, .user = user};
  atomic_init(&blob->references, 1);
  return blob;
}

const void *wnn_blob_aligned(wnn_blob *blob, size_t unit) {
  if ((uintptr_t)blob->data % unit == 0) return blob->data;
  void *copy = wnn_mem_alloc(blob->allocator, blob->size);
  if (!copy) return NULL;
  wnn_mem_read(copy, blob->data, blob->size);
  if (blob->release) blob->release(blob->user);
  blob->data = copy;
  blob->borrowed = false;
  return copy;
}

const void *wnn_blob_read(wnn_blob *blob) {
  blob->kept = true;
  return blob->data;
}

wnn_blob *wnn_blob_retain(wnn_blob *blob) {
  if (blob) atomic_fetch_add_explicit(&blob->references, 1, memory_order_relaxed);
  return blob;
}

void wnn_blob_release(wnn_blob *blob) {
  if (!blob || atomic_fetch_sub_explicit(&blob->references, 1, memory_order_acq_rel) != 1) return;
  const wnn_allocator *allocator = blob->allocator;
  if (!blob->borrowed) {
    void *data;
    memcpy(&data, &blob->data, sizeof data);
    wnn_mem_free(allocator, data, blob->size);
  } else if (blob->release) {
    blob->release(blob->user);
  }
  wnn_mem_free(allocator, blob, sizeof *blob);
}

void wnn_ir_init(wnn_ir *ir, const wnn_allocator *allocator) {
  *ir = (wnn_ir){0};
  wnn_arena_init(&ir->arena, allocator);
}

void wnn_ir_free(wnn_ir *ir) {
  const wnn_allocator *allocator = ir->arena.allocator;
  for (size_t i = 0; i < ir->value_count; i++) wnn_blob_release(ir->values[i].blob);
  wnn_mem_free(allocator, ir->values, ir->value_capacity * sizeof *ir->values);
  wnn_mem_free(allocator, ir->nodes, ir->node_capacity * sizeof *ir->nodes);
  wnn_mem_free(allocator, ir->inputs, ir->input_capacity * sizeof *ir->inputs);
  wnn_record_free(ir->record);
  wnn_arena_free(&ir->arena);
  wnn_ir_init(ir, allocator);
}

uint32_t wnn_ir_value(wnn_ir *ir, const wnn_value *value) {
  if (ir->value_count >= WNN_NONE - 1 || !wnn_mem_reserve(ir->arena.allocator, (void **)&ir->values,
                                                          &ir->value_capacity, ir->value_count + 1, sizeof *value))
    return WNN_NONE;
  ir->values[ir->value_count] = *value;
  return (uint32_t)ir->value_count++;
}

uint32_t wnn_ir_node(wnn_ir *ir, const wnn_node *node) {
  if (ir->node_count >= WNN_NONE - 1 ||
      !wnn_mem_reserve(ir->arena.allocator, (void **)&ir->nodes, &ir->node_capacity, ir->node_count + 1, sizeof *node))
    return WNN_NONE;
  ir->nodes[ir->node_count] = *node;
  return (uint32_t)ir->node_count++;
}

const char *wnn_ir_op_name(uint32_t op) {
  switch (op) {
#define X(constant, name)                                                                                              \
  case constant: return name;
    WNN_IR_OP_LIST(X)
#undef X
  }
  return op < WNN_OP_COUNT ? wnn_op_rows[op].name : "?";
}

void *wnn_ir_copy_args(wnn_arena *arena, int op, const void *args) {
  const wnn_op_info *row = &wnn_op_rows[op];
  char *copy = wnn_arena_copy(arena, args, row->args_size);
  if (!copy) return NULL;
  for (uint32_t i = 0; i < row->param_count; i++) {
    const wnn_param_info *param = &row->params[i];
    /* All list structs are a pointer to 4-byte items and a count. */
    if (param->kind != WNN_PARAM_U32_LIST && param->kind != WNN_PARAM_F32_LIST && param->kind != WNN_PARAM_ENUM_LIST &&
        param->kind != WNN_PARAM_SPLITS)
      continue;
    wnn_u32_list list;
    memcpy(&list, copy + param->offset, sizeof list);
    if (!list.data) continue;
    list.data = wnn_arena_copy(arena, list.data, (size_t)list.count * sizeof *list.data);
    if (!list.data) return NULL;
    memcpy(copy + param->offset, &list, sizeof list);
  }
  const char *label;
  memcpy(&label, copy + row->label_offset, sizeof label);
  if (label) {
    label = wnn_arena_string(arena, label);
    if (!label) return NULL;
    memcpy(copy + row->label_offset, &label, sizeof label);
  }
  return copy;
}
