/* One callback for every operation: reads arguments and options by the operation's row of the table. */
#include <stdlib.h>
#include <string.h>

#include "binding.h"

/* Converts one parameter into its place in the argument struct. */
static bool read_param(node_call *call, const wnn_param_info *param, napi_value value, char *args) {
  void *slot = args + param->offset;
  switch (param->kind) {
  case WNN_PARAM_BOOL: return node_to_bool(call, value, slot);
  case WNN_PARAM_U32: return node_to_u32(call, value, param->name, param->modulo, slot);
  case WNN_PARAM_I32: return node_to_i32(call, value, param->name, slot);
  case WNN_PARAM_F64: return node_to_double(call, value, param->name, slot);
  case WNN_PARAM_NUMBER: return node_to_number(call, value, slot);
  case WNN_PARAM_ENUM:
    return node_to_enum(call, value, param->name, param->enumeration->name, param->enumeration->values,
                        param->enumeration->count, slot);
  case WNN_PARAM_DATA_TYPE: return node_to_data_type(call, value, param->name, slot);
  case WNN_PARAM_U32_LIST: return node_to_u32_list(call, value, param->name, param->modulo, slot);
  case WNN_PARAM_F32_LIST: return node_to_f32_list(call, value, param->name, slot);
  case WNN_PARAM_ENUM_LIST: return node_to_enum_list(call, value, param->name, param->enumeration, slot);
  case WNN_PARAM_SPLITS: {
    wnn_splits splits = {NULL, 0};
    bool sequence;
    wnn_u32_list sizes;
    if (!node_to_u32_list_or(call, value, param->name, &sequence, &sizes)) return false;
    if (sequence)
      splits = (wnn_splits){sizes.data, sizes.count};
    else if (!node_to_u32(call, value, param->name, false, &splits.count))
      return false;
    memcpy(slot, &splits, sizeof splits);
    return true;
  }
  }
  return false;
}

/* The operands of a call; a variadic row has any number. */
typedef struct operands {
  wnn_operand **list;
  size_t count, capacity;
} operands;

static bool push_operand(node_call *call, operands *all, napi_value value, const char *name) {
  node_operand *operand = NULL;
  if (value && !(operand = node_to_object(call, value, name, NODE_OPERAND))) return false;
  if (all->count == all->capacity) {
    wnn_operand **list = node_call_alloc(call, 2 * all->capacity * sizeof(wnn_operand *));
    if (!list) return false;
    memcpy(list, all->list, all->count * sizeof(wnn_operand *));
    all->list = list;
    all->capacity *= 2;
  }
  all->list[all->count++] = operand ? operand->handle : NULL;
  return true;
}

static bool push_sequence(node_call *call, operands *all, napi_value value, const char *name) {
  node_iteration iteration;
  napi_value item;
  if (!node_iterate(call, value, name, &iteration, NULL)) return false;
  for (;;) {
    if (!node_next(call, &iteration, &item)) return false;
    if (!item) return true;
    if (!push_operand(call, all, item, name)) return false;
  }
}

static bool read_options(node_call *call, const wnn_op_info *row, napi_value options, char *args, operands *all) {
  napi_value member;
  const char *label;
  bool ok;
  if (!node_dictionary_given(call, options, "options", &ok)) return ok;
  /* label belongs to the base dictionary, whose members come first. */
  if (!node_member(call, options, "label", &member)) return false;
  if (member) {
    if (!node_to_string(call, member, &label)) return false;
    memcpy(args + row->label_offset, &label, sizeof label);
  }
  for (int i = 0; i < row->option_count; i++) {
    int index = row->option_order[i];
    const char *name = index < 0 ? row->operands[~index].name : row->params[index].name;
    if (!node_member(call, options, name, &member)) return false;
    if (!member) continue;
    if (index >= 0) {
      if (!read_param(call, &row->params[index], member, args)) return false;
    } else {
      node_operand *operand = node_to_object(call, member, name, NODE_OPERAND);
      if (!operand) return false;
      all->list[~index] = operand->handle;
      memcpy(args + row->operands[~index].offset, &operand->handle, sizeof operand->handle);
    }
  }
  return true;
}

static uint32_t positional_operands(const wnn_op_info *row) {
  uint32_t count = 0;
  while (count < row->operand_count && !row->operands[count].in_options) count++;
  return count;
}

static uint32_t positional_params(const wnn_op_info *row) {
  uint32_t count = 0;
  while (count < row->param_count && row->params[count].positional) count++;
  return count;
}

/* All arguments, in their order. */
static bool read_arguments(node_call *call, const wnn_op_info *row, char *args, operands *all) {
  uint32_t at = 0, operand_count = positional_operands(row), param_count = positional_params(row);
  for (uint32_t i = 0; i < operand_count; i++, at++) {
    const wnn_operand_info *info = &row->operands[i];
    if (info->variadic ? !push_sequence(call, all, call->argv[at], info->name)
                       : !push_operand(call, all, call->argv[at], info->name))
      return false;
  }
  for (uint32_t i = operand_count; i < row->operand_count; i++)
    if (!push_operand(call, all, NULL, "")) return false;
  for (uint32_t i = 0; i < param_count; i++, at++)
    if (!read_param(call, &row->params[i], call->argv[at], args)) return false;
  return at >= call->argc || read_options(call, row, call->argv[at], args, all);
}

/* Room for the results: what the row says, or the number of parts of a split. */
static size_t output_room(const wnn_op_info *row, const char *args) {
  for (uint32_t i = 0; i < row->param_count; i++)
    if (row->params[i].kind == WNN_PARAM_SPLITS) {
      wnn_splits splits;
      memcpy(&splits, args + row->params[i].offset, sizeof splits);
      return splits.count < WNN_MAX_TENSOR_COUNT ? splits.count + 1 : WNN_MAX_TENSOR_COUNT;
    }
  return row->output_count;
}

static napi_value wrap_results(node_call *call, node_builder *builder, wnn_operand **results, size_t count, bool list) {
  if (!list) return node_operand_wrap(builder, results[0]);
  napi_value array, item;
  if (napi_create_array_with_length(call->env, count, &array) != napi_ok) return NULL;
  for (size_t i = 0; i < count; i++) {
    if (!(item = node_operand_wrap(builder, results[i]))) return NULL;
    if (napi_set_element(call->env, array, (uint32_t)i, item) != napi_ok) return NULL;
  }
  return array;
}

static napi_value add_operation(napi_env env, napi_callback_info info) {
  node_call call;
  void *data;
  size_t none = 0;
  napi_value result = NULL;
  if (napi_get_cb_info(env, info, &none, NULL, NULL, &data) != napi_ok) return NULL;
  int op = ((const node_op *)data)->op;
  const wnn_op_info *row = wnn_op_get(op);
  if (!node_call_begin(&call, env, info, "MLGraphBuilder", row->name, 0)) return NULL;
  node_builder *builder = node_call_self(&call, NODE_BUILDER);
  size_t required = positional_operands(row) + positional_params(row);
  if (builder && call.argc < required) {
    node_throw(&call, "%zu argument%s required, but only %zu present.", required, required == 1 ? "" : "s", call.argc);
    builder = NULL;
  }
  char *args = builder ? node_call_alloc(&call, row->args_size) : NULL;
  operands all = {NULL, 0, row->operand_count + 4u};
  if (args && (all.list = node_call_alloc(&call, all.capacity * sizeof(wnn_operand *)))) {
    memcpy(args, row->defaults, row->args_size);
    if (read_arguments(&call, row, args, &all)) {
      size_t room = output_room(row, args), count = 0;
      wnn_error error;
      wnn_operand **results = node_call_alloc(&call, room * sizeof(wnn_operand *));
      if (results) {
        wnn_status status =
            wnn_builder_add(builder->handle, op, args, all.list, all.count, results, room, &count, &error);
        result = status ? node_throw_status(env, call.state, status, error.message)
                        : wrap_results(&call, builder, results, count, row->returns_list);
      }
    }
  }
  node_call_end(&call);
  return result;
}

/* ---- Description of the table for the JavaScript side ---- */

static bool describe(node_env *state, int op, napi_value list) {
  napi_env env = state->env;
  const wnn_op_info *row = wnn_op_get(op);
  napi_value entry, value, names;
  state->ops[op] = (node_op){state, op};
  if (napi_create_object(env, &entry) != napi_ok) return false;
  napi_set_named_property(env, entry, "name", node_string_value(env, row->name));
  napi_create_uint32(env, positional_operands(row) + positional_params(row), &value);
  napi_set_named_property(env, entry, "length", value);
  if (!node_export(env, entry, "call", add_operation, &state->ops[op])) return false;
  napi_create_array(env, &names);
  for (uint32_t i = 0; i < (uint32_t)row->operand_count + row->output_count; i++) {
    const char *name = i < row->operand_count ? row->operands[i].name : row->outputs[i - row->operand_count].name;
    napi_set_element(env, names, i, node_string_value(env, name));
  }
  napi_set_named_property(env, entry, "limits", names);
  return napi_set_element(env, list, (uint32_t)op, entry) == napi_ok;
}

bool node_ops_register(node_env *state, napi_value exports) {
  napi_value list;
  if (napi_create_array_with_length(state->env, WNN_OP_COUNT, &list) != napi_ok) return false;
  for (int op = 0; op < WNN_OP_COUNT; op++) {
    napi_handle_scope scope;
    if (napi_open_handle_scope(state->env, &scope) != napi_ok) return false;
    bool ok = describe(state, op, list);
    napi_close_handle_scope(state->env, scope);
    if (!ok) return false;
  }
  return napi_set_named_property(state->env, exports, "ops", list) == napi_ok;
}
