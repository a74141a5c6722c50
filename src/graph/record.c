/* Notes of a build for saving its graph; the description of graphs. */
#include "graph/record.h"

#include <string.h>
#include <sys/mman.h>

#include "graph/op_table.h"

wnn_record *wnn_record_create(const wnn_allocator *allocator) {
  wnn_record *record = wnn_mem_zalloc(allocator, sizeof *record);
  if (record) record->allocator = allocator;
  return record;
}

void wnn_record_free(wnn_record *record) {
  if (!record) return;
  for (size_t i = 0; i < record->count; i++) wnn_blob_release(record->blocks[i].blob);
  wnn_mem_free(record->allocator, record->blocks, record->capacity * sizeof *record->blocks);
  if (!record->replay) wnn_mem_free(record->allocator, record->text, record->text_capacity);
  if (record->hollow) munmap(record->hollow, record->hollow_size);
  if (record->release) record->release(record->user, record->image, record->image_size);
  wnn_mem_free(record->allocator, record, sizeof *record);
}

/* ---- Blocks ---- */

static void add_block(wnn_record *record, wnn_blob *blob, const void *data, size_t size) {
  if (!wnn_mem_reserve(record->allocator, (void **)&record->blocks, &record->capacity, record->count + 1,
                       sizeof *record->blocks)) {
    record->failed = true;
    return;
  }
  record->blocks[record->count++] = (wnn_block){wnn_blob_retain(blob), data, size, NULL};
  if (blob) blob->recorded = record->count;
}

void wnn_record_places(wnn_record *record) {
  for (size_t i = 0; record && !record->replay && i < record->count; i++)
    if (record->blocks[i].blob) record->blocks[i].place = record->blocks[i].blob->data;
}

void wnn_record_constant(wnn_record *record, wnn_blob *blob) {
  if (record && !record->replay) add_block(record, blob, NULL, blob->size);
}

void wnn_record_weights(wnn_record *record, const void *data, size_t size) {
  if (record && !record->replay) add_block(record, NULL, data, size);
}

static void drop_block(wnn_block *block) {
  if (!block->blob || block->blob->kept || block->size <= WNN_SMALL_CONSTANT) return;
  wnn_blob_release(block->blob);
  block->blob = NULL;
}

void wnn_record_drop(wnn_record *record, wnn_blob *blob) {
  if (!record || record->replay || !blob || !blob->recorded || blob->recorded > record->count) return;
  wnn_block *block = &record->blocks[blob->recorded - 1];
  if (block->blob == blob) drop_block(block);
}

void wnn_record_finish(wnn_record *record) {
  if (!record || record->replay) return;
  for (size_t i = 0; i < record->count; i++) drop_block(&record->blocks[i]);
}

const void *wnn_record_next(wnn_record *record, size_t size) {
  if (record->next < record->count && record->blocks[record->next].size == size)
    return record->blocks[record->next++].data;
  record->failed = true;
  return NULL;
}

wnn_blob *wnn_record_next_constant(wnn_record *record, size_t size) {
  const void *data = wnn_record_next(record, size);
  return data ? wnn_blob_borrow(record->allocator, data, size, NULL, NULL) : NULL;
}

/* ---- Writing the description ---- */

static void put(wnn_record *record, const void *data, size_t size) {
  if (record->failed || !size) return;
  if (!wnn_mem_reserve(record->allocator, (void **)&record->text, &record->text_capacity, record->text_size + size,
                       1)) {
    record->failed = true;
    return;
  }
  memcpy(record->text + record->text_size, data, size);
  record->text_size += size;
}

static void put_u32(wnn_record *record, uint32_t number) { put(record, &number, sizeof number); }

static void put_text(wnn_record *record, const char *text) {
  size_t length = strlen(text);
  put_u32(record, (uint32_t)length);
  put(record, text, length + 1);
}

static void put_desc(wnn_record *record, const wnn_desc *desc) {
  put_u32(record, desc->data_type);
  put_u32(record, desc->rank);
  put(record, desc->shape, desc->rank * sizeof *desc->shape);
}

static bool is_list(wnn_param_kind kind) {
  return kind == WNN_PARAM_U32_LIST || kind == WNN_PARAM_F32_LIST || kind == WNN_PARAM_ENUM_LIST ||
         kind == WNN_PARAM_SPLITS;
}

/* Bytes of a parameter that is no list, in the struct and in the description. */
static size_t plain_size(wnn_param_kind kind) {
  switch (kind) {
  case WNN_PARAM_BOOL: return sizeof(bool);
  case WNN_PARAM_F64: return sizeof(double);
  case WNN_PARAM_NUMBER: return sizeof(uint64_t);
  default: return sizeof(uint32_t);
  }
}

/* All lists are a pointer to items of four bytes and their count. */
static void put_list(wnn_record *record, const char *from) {
  wnn_u32_list list;
  memcpy(&list, from, sizeof list);
  put_u32(record, list.data ? 1 : 0);
  put_u32(record, list.count);
  /* Equal parts have a count alone. */
  if (list.data) put(record, list.data, (size_t)list.count * sizeof *list.data);
}

static void put_number(wnn_record *record, const char *from) {
  wnn_number number;
  memcpy(&number, from, sizeof number);
  put_u32(record, number.kind);
  put(record, &number.value, sizeof number.value);
}

static void put_args(wnn_record *record, const wnn_op_info *row, const char *args) {
  for (uint32_t i = 0; i < row->param_count; i++) {
    const wnn_param_info *param = &row->params[i];
    if (is_list(param->kind))
      put_list(record, args + param->offset);
    else if (param->kind == WNN_PARAM_NUMBER)
      put_number(record, args + param->offset);
    else
      put(record, args + param->offset, plain_size(param->kind));
  }
}

static void put_node(wnn_record *record, const wnn_node *node) {
  put_u32(record, WNN_RECORD_NODE);
  put_u32(record, node->op);
  put_text(record, node->label);
  put_args(record, &wnn_op_rows[node->op], node->args);
  put_u32(record, node->output_count);
  put_u32(record, node->input_count);
  put(record, node->inputs, node->input_count * sizeof *node->inputs);
}

void wnn_record_graph(wnn_record *record, const wnn_ir *ir) {
  if (!record || record->replay) return;
  for (size_t i = 0; i < ir->value_count && !record->failed; i++) {
    const wnn_value *value = &ir->values[i];
    if (value->kind == WNN_VALUE_INPUT) {
      put_u32(record, WNN_RECORD_INPUT);
      put_text(record, value->name);
      put_desc(record, &value->desc);
    } else if (value->kind == WNN_VALUE_CONSTANT) {
      put_u32(record, WNN_RECORD_CONSTANT);
      put_desc(record, &value->desc);
      wnn_record_constant(record, value->blob);
    } else if (!value->slot) { /* all results of a node follow the first one */
      put_node(record, &ir->nodes[value->node]);
    }
  }
  put_u32(record, WNN_RECORD_OUTPUTS);
  put_u32(record, (uint32_t)ir->output_count);
  for (size_t i = 0; i < ir->output_count && !record->failed; i++) {
    put_text(record, ir->outputs[i].name);
    put_u32(record, ir->outputs[i].value);
  }
}

/* ---- Reading it ---- */

static const void *take(wnn_reader *reader, size_t size) {
  if (size > reader->left) reader->failed = true;
  if (reader->failed) return NULL;
  const void *data = reader->at;
  reader->at += size;
  reader->left -= size;
  return data;
}

static void read(wnn_reader *reader, void *to, size_t size) {
  const void *from = take(reader, size);
  if (from)
    memcpy(to, from, size);
  else
    memset(to, 0, size);
}

uint32_t wnn_read_u32(wnn_reader *reader) {
  uint32_t number;
  read(reader, &number, sizeof number);
  return number;
}

const char *wnn_read_text(wnn_reader *reader) {
  uint32_t length = wnn_read_u32(reader);
  const char *text = take(reader, (size_t)length + 1);
  if (text && strnlen(text, (size_t)length + 1) == length) return text;
  reader->failed = true;
  return "";
}

wnn_desc wnn_read_desc(wnn_reader *reader) {
  wnn_desc desc = {0};
  uint32_t type = wnn_read_u32(reader), rank = wnn_read_u32(reader);
  if (type >= WNN_DATA_TYPE_COUNT || rank > WNN_MAX_RANK) {
    reader->failed = true;
    return desc;
  }
  desc.data_type = (wnn_data_type)type;
  desc.rank = rank;
  read(reader, desc.shape, rank * sizeof *desc.shape);
  return desc;
}

static void read_list(wnn_reader *reader, wnn_arena *arena, char *to) {
  wnn_u32_list list = {NULL, 0};
  uint32_t present = wnn_read_u32(reader);
  list.count = wnn_read_u32(reader);
  if (present) {
    const void *items = take(reader, (size_t)list.count * sizeof *list.data);
    /* One item more, since a present list without items is not NULL. */
    uint32_t *copy = items ? wnn_arena_array(arena, (size_t)list.count + 1, sizeof *copy) : NULL;
    if (!copy) {
      reader->failed = true;
      return;
    }
    memcpy(copy, items, (size_t)list.count * sizeof *copy);
    list.data = copy;
  }
  memcpy(to, &list, sizeof list);
}

static void read_number(wnn_reader *reader, char *to) {
  wnn_number number = {0};
  uint32_t kind = wnn_read_u32(reader);
  read(reader, &number.value, sizeof number.value);
  if (kind > WNN_NUMBER_ABSENT) {
    reader->failed = true;
    return;
  }
  number.kind = (wnn_number_kind)kind;
  memcpy(to, &number, sizeof number);
}

void *wnn_read_args(wnn_reader *reader, wnn_arena *arena, int op) {
  const wnn_op_info *row = &wnn_op_rows[op];
  char *args = wnn_arena_copy(arena, row->defaults, row->args_size);
  for (uint32_t i = 0; args && i < row->param_count && !reader->failed; i++) {
    const wnn_param_info *param = &row->params[i];
    char *to = args + param->offset;
    if (is_list(param->kind)) {
      read_list(reader, arena, to);
    } else if (param->kind == WNN_PARAM_NUMBER) {
      read_number(reader, to);
    } else if (param->kind == WNN_PARAM_BOOL) {
      unsigned char byte;
      read(reader, &byte, sizeof byte);
      bool value = byte != 0;
      memcpy(to, &value, sizeof value);
    } else {
      read(reader, to, plain_size(param->kind));
    }
  }
  return reader->failed ? NULL : args;
}
