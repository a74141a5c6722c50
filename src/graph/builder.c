/* Builder: inputs, constants, operations, and the checks and extraction at the start of build(). */
#include "graph/builder.h"

#include <string.h>

#include "base/error.h"
#include "base/shape.h"
#include "graph/record.h"

void wnn_builder_init(wnn_builder *builder, const wnn_builder_host *host) {
  builder->host = *host;
  wnn_ir_init(&builder->ir, host->allocator);
  wnn_arena_init(&builder->handles, host->allocator);
}

static void release_tensors(wnn_builder *builder) {
  for (size_t i = 0; i < builder->ir.value_count; i++) {
    if (builder->ir.values[i].tensor) builder->host.tensor_release(builder->ir.values[i].tensor);
    builder->ir.values[i].tensor = NULL;
  }
}

void wnn_builder_destroy(wnn_builder *builder) {
  release_tensors(builder);
  wnn_ir_free(&builder->ir);
  wnn_arena_free(&builder->handles);
  wnn_mem_free(builder->host.allocator, builder->names, builder->name_capacity * sizeof *builder->names);
}

const wnn_desc *wnn_operand_desc(const wnn_operand *operand) { return &operand->desc; }
wnn_builder *wnn_operand_builder(const wnn_operand *operand) { return operand->builder; }
wnn_context *wnn_builder_context(const wnn_builder *builder) { return builder->host.context; }

static wnn_status check_state(const wnn_builder *builder, const char *what, wnn_error *error) {
  if (builder->built)
    return wnn_error_set(error, WNN_INVALID_STATE, "%s: The builder has already built its graph.", what);
  if (builder->host.is_lost(builder->host.context))
    return wnn_error_set(error, WNN_INVALID_STATE, "%s: The context is lost.", what);
  return WNN_OK;
}

static wnn_status check_desc(const wnn_desc *desc, const char *what, wnn_error *error) {
  const char *why;
  char text[WNN_DESC_TEXT];
  if (wnn_desc_valid(desc, &why)) return WNN_OK;
  return wnn_error_set(error, WNN_TYPE_ERROR, "%s: The descriptor %s is not valid: %s.", what,
                       wnn_desc_format(desc, text), why);
}

static wnn_operand *new_operand(wnn_builder *builder, uint32_t value, const wnn_desc *desc) {
  wnn_operand *operand = wnn_arena_alloc(&builder->handles, sizeof *operand);
  if (operand) *operand = (wnn_operand){builder, value, *desc};
  return operand;
}

wnn_status wnn_builder_set_savable(wnn_builder *builder, wnn_error *error) {
  wnn_status status = check_state(builder, "savable", error);
  if (status || builder->ir.record) return status;
  builder->ir.record = wnn_record_create(builder->host.allocator);
  return builder->ir.record ? WNN_OK : wnn_error_oom(error);
}

/* ---- Inputs ---- */

static size_t hash(const char *name) {
  uint64_t h = UINT64_C(0xCBF29CE484222325);
  for (; *name; name++) h = (h ^ (unsigned char)*name) * UINT64_C(0x100000001B3);
  return (size_t)(h ^ h >> 32);
}

/* The slot that holds `name`, or the free one where it goes. */
static uint32_t *find_name(const wnn_builder *builder, const char *name) {
  size_t mask = builder->name_capacity - 1;
  for (size_t i = hash(name) & mask;; i = (i + 1) & mask) {
    uint32_t id = builder->names[i];
    if (!id || !strcmp(builder->ir.values[id - 1].name, name)) return &builder->names[i];
  }
}

static bool grow_names(wnn_builder *builder) {
  if (builder->ir.input_count * 2 + 2 <= builder->name_capacity) return true;
  uint32_t *old = builder->names;
  size_t old_capacity = builder->name_capacity, capacity = old_capacity ? old_capacity * 2 : 16;
  uint32_t *names = wnn_mem_zalloc(builder->host.allocator, capacity * sizeof *names);
  if (!names) return false;
  builder->names = names;
  builder->name_capacity = capacity;
  for (size_t i = 0; i < old_capacity; i++)
    if (old[i]) *find_name(builder, builder->ir.values[old[i] - 1].name) = old[i];
  wnn_mem_free(builder->host.allocator, old, old_capacity * sizeof *old);
  return true;
}

wnn_status wnn_builder_input(wnn_builder *builder, const char *name, const wnn_desc *desc, wnn_operand **operand,
                             wnn_error *error) {
  wnn_status status = check_state(builder, "input", error);
  if (status) return status;
  if (!name || !*name) return wnn_error_set(error, WNN_TYPE_ERROR, "input: The name is empty.");
  if (!grow_names(builder)) return wnn_error_oom(error);
  uint32_t *slot = find_name(builder, name);
  if (*slot) return wnn_error_set(error, WNN_TYPE_ERROR, "input: There is already an input named \"%s\".", name);
  status = check_desc(desc, "input", error);
  if (status) return status;
  wnn_ir *ir = &builder->ir;
  wnn_value value = {.desc = *desc, .kind = WNN_VALUE_INPUT, .name = wnn_arena_string(&ir->arena, name)};
  if (!value.name || !wnn_mem_reserve(ir->arena.allocator, (void **)&ir->inputs, &ir->input_capacity,
                                      ir->input_count + 1, sizeof *ir->inputs))
    return wnn_error_oom(error);
  wnn_operand *result = new_operand(builder, (uint32_t)ir->value_count, desc);
  uint32_t id = result ? wnn_ir_value(ir, &value) : WNN_NONE;
  if (id == WNN_NONE) return wnn_error_oom(error);
  ir->inputs[ir->input_count++] = id;
  *slot = id + 1;
  *operand = result;
  return WNN_OK;
}

/* ---- Constants ---- */

/* Takes the reference to blob, also on failure. tensor: gets a reference when not NULL. */
static wnn_status add_constant(wnn_builder *builder, const wnn_desc *desc, wnn_blob *blob, wnn_tensor *tensor,
                               wnn_operand **operand, wnn_error *error) {
  wnn_value value = {.desc = *desc, .kind = WNN_VALUE_CONSTANT, .blob = blob, .tensor = tensor};
  wnn_operand *result = blob ? new_operand(builder, (uint32_t)builder->ir.value_count, desc) : NULL;
  if (!result || wnn_ir_value(&builder->ir, &value) == WNN_NONE) {
    wnn_blob_release(blob);
    return wnn_error_oom(error);
  }
  if (tensor) builder->host.tensor_retain(tensor);
  *operand = result;
  return WNN_OK;
}

static wnn_status check_constant(wnn_builder *builder, const wnn_desc *desc, const void *data, size_t size,
                                 wnn_error *error) {
  wnn_status status = check_state(builder, "constant", error);
  if (!status) status = check_desc(desc, "constant", error);
  if (status) return status;
  char text[WNN_DESC_TEXT];
  if (!data || size != wnn_bytes(desc))
    return wnn_error_set(error, WNN_TYPE_ERROR, "constant: The data has %zu bytes, but %s needs %zu.", size,
                         wnn_desc_format(desc, text), wnn_bytes(desc));
  return WNN_OK;
}

static wnn_blob *copy_blob(const wnn_allocator *allocator, const void *data, size_t size) {
  wnn_blob *blob = wnn_blob_create(allocator, size);
  if (blob) {
    void *to;
    memcpy(&to, &blob->data, sizeof to);
    memcpy(to, data, size);
  }
  return blob;
}

wnn_status wnn_builder_constant(wnn_builder *builder, const wnn_desc *desc, const void *data, size_t size,
                                wnn_operand **operand, wnn_error *error) {
  wnn_status status = check_constant(builder, desc, data, size, error);
  if (status) return status;
  return add_constant(builder, desc, copy_blob(builder->host.allocator, data, size), NULL, operand, error);
}

wnn_status wnn_builder_constant_borrowed(wnn_builder *builder, const wnn_desc *desc, const void *data, size_t size,
                                         wnn_release_fn release, void *user, wnn_operand **operand, wnn_error *error) {
  wnn_status status = check_constant(builder, desc, data, size, error);
  wnn_blob *blob = status ? NULL : wnn_blob_borrow(builder->host.allocator, data, size, release, user);
  if (!blob) {
    if (release) release(user);
    return status ? status : wnn_error_oom(error);
  }
  return add_constant(builder, desc, blob, NULL, operand, error);
}

wnn_status wnn_builder_constant_number(wnn_builder *builder, wnn_data_type type, wnn_number number,
                                       wnn_operand **operand, wnn_error *error) {
  wnn_status status = check_state(builder, "constant", error);
  if (status) return status;
  wnn_desc desc = {.data_type = type};
  status = check_desc(&desc, "constant", error);
  if (status) return status;
  uint64_t element = 0;
  wnn_number_store(number, type, &element);
  return add_constant(builder, &desc, copy_blob(builder->host.allocator, &element, wnn_data_type_size(type)), NULL,
                      operand, error);
}

wnn_status wnn_builder_constant_tensor(wnn_builder *builder, wnn_tensor *tensor, wnn_operand **operand,
                                       wnn_error *error) {
  wnn_error own;
  if (!error) error = &own;
  wnn_blob *blob = builder->host.constant_blob(builder->host.context, tensor, error);
  if (!blob) return error->status;
  wnn_status status = check_state(builder, "constant", error);
  if (status) {
    wnn_blob_release(blob);
    return status;
  }
  return add_constant(builder, builder->host.tensor_desc(tensor), blob, tensor, operand, error);
}

/* ---- Operations ---- */

/* Most outputs that a call can have: those of the row, or the parts of a split. */
static uint32_t output_bound(const wnn_op_info *row, const void *args) {
  uint32_t bound = row->output_count;
  for (uint32_t i = 0; args && i < row->param_count; i++) {
    if (row->params[i].kind != WNN_PARAM_SPLITS) continue;
    wnn_splits splits;
    memcpy(&splits, (const char *)args + row->params[i].offset, sizeof splits);
    bound = splits.count < 1 ? 1 : splits.count > WNN_MAX_TENSOR_COUNT ? WNN_MAX_TENSOR_COUNT : splits.count;
  }
  return bound;
}

wnn_status wnn_builder_add(wnn_builder *builder, int op, const void *args, wnn_operand *const *operands,
                           size_t operand_count, wnn_operand **outputs, size_t output_capacity, size_t *output_count,
                           wnn_error *error) {
  enum { FEW = 4 };
  wnn_ir *ir = &builder->ir;
  const wnn_op_info *row = wnn_op_get(op);
  wnn_desc few[FEW] = {0}, *descs = few;
  uint32_t bound = row ? output_bound(row, args) : 1, count = 0;
  if (bound > FEW) {
    descs = wnn_arena_array(&builder->handles, bound, sizeof *descs);
    if (!descs) return wnn_error_oom(error);
  }
  void *completed = NULL;
  wnn_status status =
      wnn_validate_call(builder, op, args, operands, operand_count, &completed, descs, bound, &count, error);
  if (status) return status;
  if (count > output_capacity)
    return wnn_error_set(error, WNN_TYPE_ERROR, "%s: The call has %u results, but there is room for %zu.", row->name,
                         count, output_capacity);

  const char *label;
  memcpy(&label, (const char *)completed + row->label_offset, sizeof label);
  wnn_node node = {.op = (uint16_t)op,
                   .input_count = (uint32_t)operand_count,
                   .output_count = count,
                   .args = completed,
                   .label = label ? label : "",
                   .inputs = wnn_arena_array(&ir->arena, operand_count, sizeof *node.inputs),
                   .outputs = wnn_arena_array(&ir->arena, count, sizeof *node.outputs)};
  if (!node.inputs || !node.outputs) return wnn_error_oom(error);
  for (size_t i = 0; i < operand_count; i++) node.inputs[i] = operands[i] ? operands[i]->value : WNN_NONE;
  /* All memory first, so that a failure leaves nothing half added. */
  wnn_operand *handles = wnn_arena_array(&builder->handles, count, sizeof *handles);
  if (!handles || ir->value_count + count >= WNN_NONE ||
      !wnn_mem_reserve(ir->arena.allocator, (void **)&ir->values, &ir->value_capacity, ir->value_count + count,
                       sizeof *ir->values))
    return wnn_error_oom(error);
  uint32_t id = wnn_ir_node(ir, &node);
  if (id == WNN_NONE) return wnn_error_oom(error);
  for (uint32_t i = 0; i < count; i++) {
    wnn_value value = {.desc = descs[i], .kind = WNN_VALUE_RESULT, .node = id, .slot = i};
    node.outputs[i] = wnn_ir_value(ir, &value); /* cannot fail: reserved */
    handles[i] = (wnn_operand){builder, node.outputs[i], descs[i]};
    outputs[i] = &handles[i];
  }
  if (output_count) *output_count = count;
  return WNN_OK;
}

/* ---- build() ---- */

static wnn_status check_build(const wnn_builder *builder, const wnn_named_operand *outputs, size_t count,
                              wnn_error *error) {
  wnn_status status = check_state(builder, "build", error);
  if (status) return status;
  if (!count) return wnn_error_set(error, WNN_TYPE_ERROR, "build: There are no outputs.");
  for (size_t i = 0; i < count; i++) {
    const wnn_operand *operand = outputs[i].operand;
    if (!outputs[i].name || !*outputs[i].name)
      return wnn_error_set(error, WNN_TYPE_ERROR, "build: The name of output %zu is empty.", i);
    if (!operand || operand->builder != builder)
      return wnn_error_set(error, WNN_TYPE_ERROR, "build: The output \"%s\" belongs to another builder.",
                           outputs[i].name);
    const wnn_value *value = &builder->ir.values[operand->value];
    if (value->kind != WNN_VALUE_RESULT)
      return wnn_error_set(error, WNN_TYPE_ERROR,
                           "build: The output \"%s\" is %s, expected the result of an operation (use identity).",
                           outputs[i].name, value->kind == WNN_VALUE_INPUT ? "an input" : "a constant");
  }
  return WNN_OK;
}

/* Names are unique, as keys of a record are. */
static wnn_status check_names(const wnn_allocator *allocator, const wnn_named_operand *outputs, size_t count,
                              wnn_error *error) {
  size_t capacity = 16;
  while (capacity < count * 2) capacity *= 2;
  size_t *slots = wnn_mem_zalloc(allocator, capacity * sizeof *slots); /* index + 1 */
  if (!slots) return wnn_error_oom(error);
  wnn_status status = WNN_OK;
  for (size_t i = 0; i < count && !status; i++) {
    size_t at = hash(outputs[i].name) & (capacity - 1);
    while (slots[at] && strcmp(outputs[slots[at] - 1].name, outputs[i].name)) at = (at + 1) & (capacity - 1);
    if (slots[at])
      status = wnn_error_set(error, WNN_TYPE_ERROR, "build: Two outputs are named \"%s\".", outputs[i].name);
    slots[at] = i + 1;
  }
  wnn_mem_free(allocator, slots, capacity * sizeof *slots);
  return status;
}

/* Marks in map[value] what the outputs reach; nodes are in topological order, so one pass backwards does. */
static void mark_reachable(const wnn_ir *ir, const wnn_named_operand *outputs, size_t count, uint32_t *map) {
  for (size_t i = 0; i < count; i++) map[outputs[i].operand->value] = 1;
  for (size_t n = ir->node_count; n-- > 0;) {
    const wnn_node *node = &ir->nodes[n];
    bool needed = false;
    for (uint32_t i = 0; i < node->output_count; i++) needed |= map[node->outputs[i]] != 0;
    if (!needed) continue;
    for (uint32_t i = 0; i < node->output_count; i++) map[node->outputs[i]] = 1;
    for (uint32_t i = 0; i < node->input_count; i++)
      if (node->inputs[i] != WNN_NONE) map[node->inputs[i]] = 1;
  }
}

/* Copies what map marks into graph, turning map into old id -> new id. */
static bool extract(wnn_builder *builder, const wnn_named_operand *outputs, size_t count, uint32_t *map,
                    wnn_ir *graph) {
  wnn_ir *ir = &builder->ir;
  for (size_t i = 0; i < ir->value_count; i++) {
    if (!map[i]) {
      map[i] = WNN_NONE;
      continue;
    }
    wnn_value value = ir->values[i];
    value.tensor = NULL;
    map[i] = wnn_ir_value(graph, &value);
    if (map[i] == WNN_NONE) return false;
    wnn_blob_retain(value.blob);
  }
  for (size_t i = 0; i < ir->input_count; i++) {
    if (map[ir->inputs[i]] == WNN_NONE) continue;
    if (!wnn_mem_reserve(graph->arena.allocator, (void **)&graph->inputs, &graph->input_capacity,
                         graph->input_count + 1, sizeof *graph->inputs))
      return false;
    graph->inputs[graph->input_count++] = map[ir->inputs[i]];
  }
  for (size_t n = 0; n < ir->node_count; n++) {
    wnn_node node = ir->nodes[n];
    if (map[node.outputs[0]] == WNN_NONE) continue;
    uint32_t *inputs = wnn_arena_array(&graph->arena, node.input_count, sizeof *inputs);
    uint32_t *results = wnn_arena_array(&graph->arena, node.output_count, sizeof *results);
    if (!inputs || !results) return false;
    for (uint32_t i = 0; i < node.input_count; i++)
      inputs[i] = node.inputs[i] == WNN_NONE ? WNN_NONE : map[node.inputs[i]];
    for (uint32_t i = 0; i < node.output_count; i++) results[i] = map[node.outputs[i]];
    node.inputs = inputs;
    node.outputs = results;
    uint32_t id = wnn_ir_node(graph, &node);
    if (id == WNN_NONE) return false;
    for (uint32_t i = 0; i < node.output_count; i++) graph->values[results[i]].node = id;
  }
  graph->outputs = wnn_arena_array(&graph->arena, count, sizeof *graph->outputs);
  if (!graph->outputs) return false;
  for (size_t i = 0; i < count; i++) {
    graph->outputs[i].name = wnn_arena_string(&graph->arena, outputs[i].name);
    graph->outputs[i].value = map[outputs[i].operand->value];
    if (!graph->outputs[i].name) return false;
  }
  graph->output_count = count;
  return true;
}

wnn_status wnn_builder_prepare(wnn_builder *builder, const wnn_named_operand *outputs, size_t count, wnn_ir *graph,
                               wnn_error *error) {
  wnn_status status = check_build(builder, outputs, count, error);
  if (!status) status = check_names(builder->host.allocator, outputs, count, error);
  if (status) return status;
  wnn_ir *ir = &builder->ir, fresh;
  const wnn_allocator *allocator = builder->host.allocator;
  size_t map_bytes = ir->value_count * sizeof(uint32_t);
  uint32_t *map = wnn_mem_zalloc(allocator, map_bytes);
  if (!map) return wnn_error_oom(error);
  mark_reachable(ir, outputs, count, map);
  for (size_t i = 0; i < ir->value_count && !status; i++)
    if (map[i] && ir->values[i].tensor && builder->host.tensor_destroyed(ir->values[i].tensor))
      status = wnn_error_set(error, WNN_TYPE_ERROR, "build: A constant tensor that the outputs need was destroyed.");
  wnn_ir_init(&fresh, allocator);
  if (!status && !extract(builder, outputs, count, map, &fresh)) status = wnn_error_oom(error);
  wnn_mem_free(allocator, map, map_bytes);
  if (status) {
    wnn_ir_free(&fresh);
    return status;
  }
  wnn_arena_join(&fresh.arena, &ir->arena); /* arguments, labels and names */
  fresh.record = ir->record;
  ir->record = NULL;
  builder->built = true;
  release_tensors(builder);
  wnn_ir_free(ir);
  wnn_mem_free(allocator, builder->names, builder->name_capacity * sizeof *builder->names);
  builder->names = NULL;
  builder->name_capacity = 0;
  *graph = fresh;
  return WNN_OK;
}
