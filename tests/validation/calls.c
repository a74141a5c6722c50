/* Reading calls from text, and the valid call of each operation. */
#include "validation/calls.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define UNARY(name)                                                                                                    \
  { name, "input:f32[2,3]", "" }
#define BINARY(name)                                                                                                   \
  { name, "a:f32[2,3] b:f32[3]", "" }
#define REDUCE(name)                                                                                                   \
  { name, "input:f32[2,3]", "axes=[0]" }
#define POOL(name)                                                                                                     \
  {                                                                                                                    \
    name, "input:f32[1,2,6,6]",                                                                                        \
        "windowDimensions=[3,3] padding=[0,0,0,0] strides=[2,2] dilations=[1,1] outputSizes=[2,2]"                     \
  }

/* clang-format off */
const valid_call valid_calls[WNN_OP_COUNT] = {
    BINARY("add"), BINARY("sub"), BINARY("mul"), BINARY("div"), BINARY("max"), BINARY("min"), BINARY("pow"),
    BINARY("equal"), BINARY("notEqual"), BINARY("greater"), BINARY("greaterOrEqual"), BINARY("lesser"),
    BINARY("lesserOrEqual"),
    {"logicalNot", "a:u8[2]", ""},
    {"logicalAnd", "a:u8[2] b:u8[2]", ""}, {"logicalOr", "a:u8[2] b:u8[2]", ""}, {"logicalXor", "a:u8[2] b:u8[2]", ""},
    {"isNaN", "a:f32[2]", ""}, {"isInfinite", "a:f32[2]", ""},
    UNARY("abs"), UNARY("neg"), UNARY("sign"), UNARY("identity"), UNARY("ceil"), UNARY("cos"), UNARY("erf"), UNARY("exp"),
    UNARY("floor"), UNARY("log"), UNARY("reciprocal"), UNARY("roundEven"), UNARY("sin"), UNARY("sqrt"), UNARY("tan"),
    {"elu", "input:f32[2,3]", "alpha=2.0"}, UNARY("gelu"), {"hardSigmoid", "input:f32[2,3]", "alpha=0.5 beta=0.25"},
    UNARY("hardSwish"), {"leakyRelu", "input:f32[2,3]", "alpha=0.5"}, {"linear", "input:f32[2,3]", "alpha=2.0 beta=1.0"},
    {"prelu", "input:f32[2,3] slope:f32[3]", ""},
    UNARY("relu"), UNARY("sigmoid"), {"softmax", "input:f32[2,3]", "axis=1"}, UNARY("softplus"), UNARY("softsign"),
    UNARY("tanh"),
    {"conv2d", "input:f32[1,4,5,5] filter:f32[8,2,3,3] bias:f32[8]",
     "padding=[1,1,1,1] strides=[2,2] dilations=[1,1] groups=2"},
    {"convTranspose2d", "input:f32[1,4,3,3] filter:f32[4,2,3,3] bias:f32[4]",
     "padding=[1,1,1,1] strides=[2,2] dilations=[1,1] groups=2 outputPadding=[1,1] outputSizes=[6,6]"},
    POOL("averagePool2d"), POOL("l2Pool2d"), POOL("maxPool2d"),
    {"batchNormalization", "input:f32[2,3,4] mean:f32[3] variance:f32[3] scale:f32[3] bias:f32[3]", "axis=1"},
    {"instanceNormalization", "input:f32[1,2,3,3] scale:f32[2] bias:f32[2]", ""},
    {"layerNormalization", "input:f32[2,3] scale:f32[3] bias:f32[3]", "axes=[1]"},
    {"gemm", "a:f32[2,3] b:f32[3,4] c:f32[4]", ""},
    {"matmul", "a:f32[2,3] b:f32[3,4]", ""},
    {"triangular", "input:f32[2,2]", "diagonal=1"},
    {"argMax", "input:f32[2,3]", "axis=0"}, {"argMin", "input:f32[2,3]", "axis=0"},
    {"cumulativeSum", "input:f32[2,3]", "axis=0"},
    REDUCE("reduceL1"), REDUCE("reduceL2"), REDUCE("reduceLogSum"), REDUCE("reduceLogSumExp"), REDUCE("reduceMax"),
    REDUCE("reduceMean"), REDUCE("reduceMin"), REDUCE("reduceProduct"), REDUCE("reduceSum"), REDUCE("reduceSumSquare"),
    {"cast", "input:f32[2,3]", "dataType=int32"},
    {"clamp", "input:f32[2,3]", "minValue=0 maxValue=1"},
    {"concat", "inputs:f32[2] inputs:f32[3]", "axis=0"},
    {"expand", "input:f32[3]", "newShape=[2,3]"},
    {"pad", "input:f32[2,3]", "beginningPadding=[1,1] endingPadding=[0,1]"},
    {"reshape", "input:f32[2,3]", "newShape=[6]"},
    {"reverse", "input:f32[2,3]", "axes=[0]"},
    {"slice", "input:f32[2,3]", "starts=[0,1] sizes=[1,2] strides=[1,2]"},
    {"split", "input:f32[2,3]", "splits=2"},
    {"tile", "input:f32[2,3]", "repetitions=[2,1]"},
    {"transpose", "input:f32[2,3]", "permutation=[1,0]"},
    {"gather", "input:f32[3,2] indices:i32[2]", ""},
    {"gatherElements", "input:f32[3,2] indices:i32[1,2]", ""},
    {"gatherND", "input:f32[3,2] indices:i32[2,1]", ""},
    {"scatterElements", "input:f32[3,2] indices:i32[1,2] updates:f32[1,2]", ""},
    {"scatterND", "input:f32[3,2] indices:i32[1,1] updates:f32[1,2]", ""},
    {"where", "condition:u8[2] trueValue:f32[2] falseValue:f32[2]", ""},
    {"dequantizeLinear", "input:i8[2,2] scale:f32[1,2] zeroPoint:i8[1,2]", ""},
    {"quantizeLinear", "input:f32[2,2] scale:f32[1,2] zeroPoint:i8[1,2]", ""},
    {"gru", "input:f32[2,1,3] weight:f32[1,6,3] recurrentWeight:f32[1,6,2] bias:f32[1,6] recurrentBias:f32[1,6] "
            "initialHiddenState:f32[1,1,2]", "steps=2 hiddenSize=2 activations=[sigmoid,tanh]"},
    {"gruCell", "input:f32[1,3] weight:f32[6,3] recurrentWeight:f32[6,2] hiddenState:f32[1,2] bias:f32[6] "
                "recurrentBias:f32[6]", "hiddenSize=2 activations=[sigmoid,tanh]"},
    {"lstm", "input:f32[2,1,3] weight:f32[1,8,3] recurrentWeight:f32[1,8,2] bias:f32[1,8] recurrentBias:f32[1,8] "
             "peepholeWeight:f32[1,6] initialHiddenState:f32[1,1,2] initialCellState:f32[1,1,2]",
     "steps=2 hiddenSize=2 activations=[sigmoid,tanh,tanh]"},
    {"lstmCell", "input:f32[1,3] weight:f32[8,3] recurrentWeight:f32[8,2] hiddenState:f32[1,2] cellState:f32[1,2] "
                 "bias:f32[8] recurrentBias:f32[8] peepholeWeight:f32[6]",
     "hiddenSize=2 activations=[sigmoid,tanh,tanh]"},
    {"resample2d", "input:f32[1,1,2,2]", "scales=[2,2] sizes=[4,4] axes=[2,3]"},
};
/* clang-format on */

static void bad(const char *what, const char *text) {
  printf("failed: the test cannot read %s \"%s\"\n", what, text);
  exit(2);
}

static wnn_data_type parse_type(const char *text, size_t length) {
  static const char *const names[WNN_DATA_TYPE_COUNT] = {"f32", "f16", "i32", "u32", "i64", "u64", "i8", "u8"};
  for (int t = 0; t < WNN_DATA_TYPE_COUNT; t++)
    if (strlen(names[t]) == length && !strncmp(names[t], text, length)) return (wnn_data_type)t;
  bad("the data type", text);
  return WNN_FLOAT32;
}

/* "[2,3]" */
static uint32_t parse_u32s(const char *text, uint32_t *items, uint32_t capacity) {
  uint32_t count = 0;
  if (*text++ != '[') bad("the list", text);
  while (*text != ']') {
    char *end;
    if (count == capacity) bad("the list", text);
    items[count++] = (uint32_t)strtoul(text, &end, 10);
    if (end == text) bad("the list", text);
    text = *end == ',' ? end + 1 : end;
  }
  return count;
}

static void parse_operand(call *c, const char *text) {
  const char *colon = strchr(text, ':'), *bracket = strchr(text, '[');
  if (!colon || !bracket) bad("the operand", text);
  wnn_desc desc = {parse_type(colon + 1, (size_t)(bracket - colon - 1)), 0, {0}};
  desc.rank = parse_u32s(bracket, desc.shape, WNN_MAX_RANK);
  for (uint32_t i = 0; i < c->row->operand_count; i++) {
    const char *name = c->row->operands[i].name;
    if (strlen(name) != (size_t)(colon - text) || strncmp(name, text, strlen(name))) continue;
    size_t at = c->row->operands[i].variadic ? c->operand_count++ : i;
    if (at == CALL_OPERANDS) bad("so many operands as", text);
    c->descs[at] = desc;
    c->present[at] = true;
    return;
  }
  bad("the operand", text);
}

static int32_t parse_word(const wnn_param_info *param, const char *text, size_t length) {
  uint32_t count = param->kind == WNN_PARAM_DATA_TYPE ? WNN_DATA_TYPE_COUNT : param->enumeration->count;
  for (uint32_t i = 0; i < count; i++) {
    const char *word =
        param->kind == WNN_PARAM_DATA_TYPE ? wnn_data_type_name((wnn_data_type)i) : param->enumeration->values[i];
    if (strlen(word) == length && !strncmp(word, text, length)) return (int32_t)i;
  }
  bad("the value", text);
  return 0;
}

static void parse_list(call *c, const wnn_param_info *param, const char *text, void *field) {
  if (c->list_count == CALL_LISTS) bad("so many lists as", text);
  uint32_t *items = c->lists[c->list_count++], count = 0;
  if (param->kind == WNN_PARAM_U32_LIST || param->kind == WNN_PARAM_SPLITS) {
    count = parse_u32s(text, items, CALL_ITEMS);
  } else {
    for (text++; *text != ']' && count < CALL_ITEMS; text += *text == ',') {
      size_t length = strcspn(text, ",]");
      if (param->kind == WNN_PARAM_F32_LIST) {
        float value = strtof(text, NULL);
        memcpy(&items[count], &value, sizeof value);
      } else {
        items[count] = (uint32_t)parse_word(param, text, length);
      }
      count++;
      text += length;
    }
  }
  wnn_u32_list list = {items, count}; /* every list struct has this form */
  memcpy(field, &list, sizeof list);
}

static wnn_number parse_number(const char *text) {
  if (strpbrk(text, ".nN")) return wnn_number_double(strtod(text, NULL));
  return text[0] == '-' ? wnn_number_int64(strtoll(text, NULL, 10)) : wnn_number_uint64(strtoull(text, NULL, 10));
}

void call_set(call *c, const char *name, const char *value) {
  for (uint32_t i = 0; i < c->row->param_count; i++) {
    const wnn_param_info *param = &c->row->params[i];
    if (strcmp(param->name, name)) continue;
    void *field = c->args.bytes + param->offset;
    switch (param->kind) {
    case WNN_PARAM_BOOL: *(bool *)field = !strcmp(value, "true"); return;
    case WNN_PARAM_U32: *(uint32_t *)field = (uint32_t)strtoul(value, NULL, 10); return;
    case WNN_PARAM_I32: *(int32_t *)field = (int32_t)strtol(value, NULL, 10); return;
    case WNN_PARAM_F64: *(double *)field = strtod(value, NULL); return;
    case WNN_PARAM_NUMBER: *(wnn_number *)field = parse_number(value); return;
    case WNN_PARAM_ENUM:
    case WNN_PARAM_DATA_TYPE: *(int32_t *)field = parse_word(param, value, strlen(value)); return;
    case WNN_PARAM_SPLITS:
      if (*value != '[') {
        *(wnn_splits *)field = (wnn_splits){NULL, (uint32_t)strtoul(value, NULL, 10)};
        return;
      }
      parse_list(c, param, value, field);
      return;
    default: parse_list(c, param, value, field); return;
    }
  }
  bad("the parameter", name);
}

void call_parse(call *c, const char *op, const char *operands, const char *params) {
  memset(c, 0, sizeof *c);
  c->op = wnn_op_find(op);
  c->row = wnn_op_get(c->op);
  if (!c->row || c->row->args_size > sizeof c->args || c->row->operand_count > CALL_OPERANDS) bad("the operation", op);
  memcpy(c->args.bytes, c->row->defaults, c->row->args_size);
  if (!c->row->operands[0].variadic) c->operand_count = c->row->operand_count;
  char text[512], *save;
  snprintf(text, sizeof text, "%s", operands);
  for (char *word = strtok_r(text, " ", &save); word; word = strtok_r(NULL, " ", &save)) parse_operand(c, word);
  snprintf(text, sizeof text, "%s", params);
  for (char *word = strtok_r(text, " ", &save); word; word = strtok_r(NULL, " ", &save)) {
    char *equals = strchr(word, '=');
    if (!equals) bad("the parameter", word);
    *equals = 0;
    call_set(c, word, equals + 1);
  }
}

wnn_operand *call_input(wnn_builder *builder, const wnn_desc *desc) {
  static unsigned number;
  char name[32];
  wnn_operand *operand = NULL;
  wnn_error error;
  snprintf(name, sizeof name, "input%u", number++);
  if (wnn_builder_input(builder, name, desc, &operand, &error)) {
    printf("failed: an input of a test: %s\n", error.message);
    exit(2);
  }
  return operand;
}

void call_operands(const call *c, wnn_builder *builder, wnn_operand *operands[CALL_OPERANDS + 1]) {
  for (size_t i = 0; i <= CALL_OPERANDS; i++)
    operands[i] = i < c->operand_count && c->present[i] ? call_input(builder, &c->descs[i]) : NULL;
}

wnn_status call_add_with(const call *c, wnn_builder *builder, wnn_operand *const *operands, size_t count,
                         const char *label, wnn_error *error) {
  call copy = *c;
  wnn_operand *outputs[CALL_ITEMS];
  memcpy(copy.args.bytes + c->row->label_offset, &label, sizeof label);
  return wnn_builder_add(builder, c->op, copy.args.bytes, operands, count, outputs, CALL_ITEMS, NULL, error);
}

wnn_status call_add(const call *c, wnn_builder *builder, const char *label, wnn_error *error) {
  wnn_operand *operands[CALL_OPERANDS + 1];
  call_operands(c, builder, operands);
  return call_add_with(c, builder, operands, c->operand_count, label, error);
}
