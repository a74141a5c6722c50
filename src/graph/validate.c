/* One validator for every operation: interprets the table's row, then asks the infer function. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/dtype.h"
#include "base/error.h"
#include "base/shape.h"
#include "graph/builder.h"

const wnn_op_info *wnn_op_get(int op) { return op >= 0 && op < WNN_OP_COUNT ? &wnn_op_rows[op] : NULL; }

int wnn_op_find(const char *name) {
  for (int i = 0; i < WNN_OP_COUNT; i++)
    if (!strcmp(wnn_op_rows[i].name, name)) return i;
  return -1;
}

/* Appends to a fixed text; stays terminated. */
typedef struct text {
  char *at;
  size_t left;
} text;
static void append(text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void append(text *t, const char *format, ...) {
  va_list args;
  va_start(args, format);
  int n = vsnprintf(t->at, t->left, format, args);
  va_end(args);
  if (n < 0) return;
  size_t used = (size_t)n < t->left ? (size_t)n : t->left - 1;
  t->at += used;
  t->left -= used;
}

/* Control characters, also the bidirectional ones of Unicode, become '?' in labels. */
static void append_label(text *t, const char *label) {
  append(t, "[");
  for (const unsigned char *c = (const unsigned char *)label; *c && t->left > 8; c++) {
    bool bidi = c[0] == 0xE2 &&
                ((c[1] == 0x80 && c[2] >= 0xAA && c[2] <= 0xAE) || (c[1] == 0x81 && c[2] >= 0xA6 && c[2] <= 0xA9));
    if (bidi) {
      append(t, "?");
      c += 2;
    } else {
      append(t, "%c", *c < 0x20 || *c == 0x7F ? '?' : *c);
    }
  }
  append(t, "] ");
}

wnn_status wnn_fail(const wnn_call *call, const char *format, ...) {
  if (!call->error) return WNN_TYPE_ERROR;
  char message[sizeof call->error->message];
  text t = {message, sizeof message};
  if (call->label[0]) append_label(&t, call->label);
  append(&t, "%s: ", call->row->name);
  va_list args;
  va_start(args, format);
  int n = vsnprintf(t.at, t.left, format, args);
  va_end(args);
  if (n > 0) {
    size_t used = (size_t)n < t.left ? (size_t)n : t.left - 1;
    t.at += used;
    t.left -= used;
  }
  bool first = true;
  for (uint32_t i = 0; i < call->operand_count && t.left > 1; i++) {
    if (!call->operands[i]) continue;
    char desc[WNN_DESC_TEXT];
    const wnn_operand_info *info =
        &call->row->operands[i < call->row->operand_count ? i : call->row->operand_count - 1u];
    append(&t, "%s%s", first ? " Operands: " : ", ", info->name);
    if (info->variadic) append(&t, "[%u]", i);
    append(&t, " %s", wnn_desc_format(call->operands[i], desc));
    first = false;
  }
  append(&t, "%s", first ? "" : ".");
  return wnn_error_set(call->error, WNN_TYPE_ERROR, "%s", message);
}

wnn_status wnn_fail_memory(const wnn_call *call) { return wnn_error_oom(call->error); }

static const char *type_names(uint16_t mask, char *names, size_t size) {
  text t = {names, size};
  names[0] = 0;
  for (int i = 0; i < WNN_DATA_TYPE_COUNT; i++)
    if (mask & WNN_TYPE_BIT(i)) append(&t, "%s%s", names[0] ? ", " : "", wnn_data_type_name((wnn_data_type)i));
  return names;
}

static const wnn_operand_info *operand_info(const wnn_op_info *row, uint32_t index) {
  return &row->operands[index < row->operand_count ? index : row->operand_count - 1u];
}

/* Name of an operand in messages: "bias", "inputs[3]". */
static const char *operand_name(const wnn_op_info *row, uint32_t index, char name[64]) {
  const wnn_operand_info *info = operand_info(row, index);
  if (info->variadic)
    snprintf(name, 64, "%s[%u]", info->name, index);
  else
    snprintf(name, 64, "%s", info->name);
  return name;
}

static wnn_status check_operands(const wnn_call *call, const wnn_builder *builder) {
  const wnn_op_info *row = call->row;
  char name[64], names[128];
  for (uint32_t i = 0; i < call->operand_count; i++) {
    const wnn_desc *desc = call->operands[i];
    if (!desc) continue;
    const wnn_operand_info *info = operand_info(row, i);
    wnn_tensor_limits limits = builder->host.operand_limits(builder->host.context, call->op,
                                                            i < row->operand_count ? i : row->operand_count - 1u);
    operand_name(row, i, name);
    if (!(limits.data_types & WNN_TYPE_BIT(desc->data_type)))
      return wnn_fail(call, "The data type of %s is %s, expected %s.", name, wnn_data_type_name(desc->data_type),
                      type_names(limits.data_types, names, sizeof names));
    int same = info->variadic ? 0 : info->same_as;
    if (same >= 0 && call->operands[same] && call->operands[same]->data_type != desc->data_type) {
      char other[64];
      return wnn_fail(call, "The data type of %s is %s, but it must be that of %s, %s.", name,
                      wnn_data_type_name(desc->data_type), operand_name(row, (uint32_t)same, other),
                      wnn_data_type_name(call->operands[same]->data_type));
    }
    if (desc->rank < limits.min_rank || desc->rank > limits.max_rank) {
      if (limits.min_rank == limits.max_rank)
        return wnn_fail(call, "The rank of %s is %u, expected %u.", name, desc->rank, limits.min_rank);
      return wnn_fail(call, "The rank of %s is %u, expected %u to %u.", name, desc->rank, limits.min_rank,
                      limits.max_rank);
    }
  }
  return WNN_OK;
}

static wnn_status check_list(const wnn_call *call, const wnn_param_info *param, const void *field) {
  wnn_u32_list list; /* every list struct has this form */
  memcpy(&list, field, sizeof list);
  if (!list.data) {
    if (param->positional && param->kind != WNN_PARAM_SPLITS && list.count)
      return wnn_fail(call, "%s has %u items but no data.", param->name, list.count);
    if (param->positional && param->kind != WNN_PARAM_SPLITS) return wnn_fail(call, "%s is required.", param->name);
    return WNN_OK;
  }
  if (param->length && list.count != param->length)
    return wnn_fail(call, "%s has %u items, expected %u.", param->name, list.count, param->length);
  for (uint32_t i = 0; i < list.count; i++) {
    if (param->kind == WNN_PARAM_F32_LIST) {
      float value;
      memcpy(&value, &list.data[i], sizeof value);
      if (!isfinite(value)) return wnn_fail(call, "%s[%u] is %g, expected a finite number.", param->name, i, value);
    } else if (param->kind == WNN_PARAM_ENUM_LIST) {
      if (list.data[i] >= param->enumeration->count)
        return wnn_fail(call, "%s[%u] is %d, which is no %s.", param->name, i, (int)list.data[i],
                        param->enumeration->name);
    } else if (list.data[i] < param->minimum) {
      return wnn_fail(call, "%s[%u] is %u, expected at least %u.", param->name, i, list.data[i], param->minimum);
    }
  }
  return WNN_OK;
}

static wnn_status check_params(const wnn_call *call) {
  for (uint32_t i = 0; i < call->row->param_count; i++) {
    const wnn_param_info *param = &call->row->params[i];
    const char *field = (const char *)call->args + param->offset;
    switch (param->kind) {
    case WNN_PARAM_U32: {
      uint32_t value;
      memcpy(&value, field, sizeof value);
      if (value < param->minimum)
        return wnn_fail(call, "%s is %u, expected at least %u.", param->name, value, param->minimum);
      break;
    }
    case WNN_PARAM_F64: {
      double value;
      memcpy(&value, field, sizeof value);
      if (!isfinite(value)) return wnn_fail(call, "%s is %g, expected a finite number.", param->name, value);
      break;
    }
    case WNN_PARAM_ENUM:
    case WNN_PARAM_DATA_TYPE: {
      uint32_t value, count = param->kind == WNN_PARAM_ENUM ? param->enumeration->count : WNN_DATA_TYPE_COUNT;
      memcpy(&value, field, sizeof value);
      if (value >= count)
        return wnn_fail(call, "%s is %d, which is no %s.", param->name, (int)value,
                        param->kind == WNN_PARAM_ENUM ? param->enumeration->name : "MLOperandDataType");
      break;
    }
    case WNN_PARAM_U32_LIST:
    case WNN_PARAM_F32_LIST:
    case WNN_PARAM_ENUM_LIST:
    case WNN_PARAM_SPLITS: {
      wnn_status status = check_list(call, param, field);
      if (status) return status;
      break;
    }
    case WNN_PARAM_BOOL:
    case WNN_PARAM_I32:
    case WNN_PARAM_NUMBER: break;
    }
  }
  return WNN_OK;
}

static wnn_status check_outputs(const wnn_call *call) {
  for (uint32_t i = 0; i < call->output_count; i++) {
    const wnn_output_info *info = &call->row->outputs[i < call->row->output_count ? i : call->row->output_count - 1u];
    const wnn_desc *desc = &call->outputs[i];
    const char *why;
    char text_of[WNN_DESC_TEXT], names[128];
    if (!wnn_desc_valid(desc, &why))
      return wnn_fail(call, "The result %s would be %s: %s.", info->name, wnn_desc_format(desc, text_of), why);
    if (!(info->allowed & WNN_TYPE_BIT(desc->data_type)))
      return wnn_fail(call, "The data type of the result %s would be %s, expected %s.", info->name,
                      wnn_data_type_name(desc->data_type), type_names(info->allowed, names, sizeof names));
    if (desc->rank < info->min_rank || desc->rank > info->max_rank)
      return wnn_fail(call, "The rank of the result %s would be %u, expected %u to %u.", info->name, desc->rank,
                      info->min_rank, info->max_rank);
  }
  return WNN_OK;
}

wnn_status wnn_validate_call(wnn_builder *builder, int op, const void *args, wnn_operand *const *operands,
                             size_t operand_count, void **completed, wnn_desc *descs, uint32_t output_capacity,
                             uint32_t *output_count, wnn_error *error) {
  const wnn_op_info *row = wnn_op_get(op);
  if (!row) return wnn_error_set(error, WNN_TYPE_ERROR, "There is no operation %d.", op);
  if (!args) args = row->defaults;
  const char *label;
  memcpy(&label, (const char *)args + row->label_offset, sizeof label);
  wnn_call call = {.row = row, .op = op, .label = label ? label : "", .arena = &builder->ir.arena, .error = error};
  bool variadic = row->operands[row->operand_count - 1].variadic;
  if (builder->built)
    return wnn_error_set(error, WNN_INVALID_STATE, "%s: The builder has already built its graph.", row->name);
  if (builder->host.is_lost(builder->host.context))
    return wnn_error_set(error, WNN_INVALID_STATE, "%s: The context is lost.", row->name);
  if (variadic ? operand_count < 1 || operand_count > WNN_MAX_TENSOR_COUNT : operand_count != row->operand_count)
    return variadic ? wnn_fail(&call, "%s has %zu tensors, expected 1 to %d.", row->operands[0].name, operand_count,
                               WNN_MAX_TENSOR_COUNT)
                    : wnn_fail(&call, "%zu operands are given, expected %u.", operand_count, row->operand_count);

  const wnn_desc **given = wnn_arena_array(&builder->ir.arena, operand_count, sizeof *given);
  if (!given) return wnn_error_oom(error);
  call.operands = given;
  char name[64];
  for (uint32_t i = 0; i < operand_count; i++) {
    if (!operands[i]) {
      if (operand_info(row, i)->optional) continue;
      return wnn_fail(&call, "%s is required.", operand_name(row, i, name));
    }
    if (operands[i]->builder != builder)
      return wnn_fail(&call, "%s belongs to another builder.", operand_name(row, i, name));
  }
  for (uint32_t i = 0; i < operand_count; i++) given[i] = operands[i] ? &operands[i]->desc : NULL;
  call.operand_count = (uint32_t)operand_count;

  call.args = wnn_arena_copy(&builder->ir.arena, args, row->args_size);
  if (!call.args) return wnn_error_oom(error);
  wnn_status status = check_operands(&call, builder);
  if (!status) status = check_params(&call);
  if (!status) {
    call.args = wnn_ir_copy_args(&builder->ir.arena, op, args);
    if (!call.args) return wnn_error_oom(error);
    call.outputs = descs;
    call.output_capacity = output_capacity;
    call.output_count = row->output_count < output_capacity ? row->output_count : output_capacity;
    for (uint32_t i = 0; i < output_capacity; i++) {
      int same = row->outputs[i < row->output_count ? i : row->output_count - 1u].same_as;
      descs[i] = (wnn_desc){.data_type = same >= 0 && given[same] ? given[same]->data_type : WNN_FLOAT32};
    }
    status = wnn_op_infer[op](&call);
  }
  if (!status) status = check_outputs(&call);
  if (status) return status;
  *completed = call.args;
  *output_count = call.output_count;
  return WNN_OK;
}
