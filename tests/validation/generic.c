/* What follows from the table: breaks a valid call of every operation in one way at a time. */
#include <math.h>

#include "support/test.h"
#include "validation/calls.h"

static wnn_context *context;
static wnn_builder *builder;
static call valid;

/* The message is "[label] op: sentence Operands: ..."; the sentence has to name what is wrong. */
static void expect_error(const call *c, wnn_status status, const wnn_error *error, const char *name, const char *what) {
  char text[sizeof error->message], start[128];
  snprintf(text, sizeof text, "%s", error->message);
  char *operands = strstr(text, " Operands: ");
  if (operands) *operands = 0;
  snprintf(start, sizeof start, "[the label] %s: ", c->row->name);
  CHECK_MSG(status == WNN_TYPE_ERROR, "%s, %s of %s: %s", c->row->name, what, name, wnn_status_name(status));
  if (!status) return;
  CHECK_MSG(error->status == status, "%s, %s of %s: error has status %s", c->row->name, what, name,
            wnn_status_name(error->status));
  CHECK_MSG(!strncmp(text, start, strlen(start)), "%s, %s of %s: no label in \"%s\"", c->row->name, what, name, text);
  CHECK_MSG(strstr(text, name) != NULL, "%s, %s: no %s in \"%s\"", c->row->name, what, name, text);
}

static void expect_broken(const call *c, const char *name, const char *what) {
  wnn_error error = {0};
  wnn_status status = call_add(c, builder, "the label", &error);
  expect_error(c, status, &error, name, what);
  /* The status does not depend on the error being asked for. */
  CHECK_EQ(call_add(c, builder, NULL, NULL), status);
}

static void expect_valid(const call *c, const char *what) {
  wnn_error error = {0};
  wnn_status status = call_add(c, builder, "the label", &error);
  CHECK_MSG(!status, "%s, %s: %s", c->row->name, what, error.message);
}

static const wnn_operand_info *info_of(const call *c, size_t i) {
  return &c->row->operands[i < c->row->operand_count ? i : c->row->operand_count - 1u];
}

/* ---- Operands ------------------------------------------------------------------------------------------ */

static void operand_counts(void) {
  wnn_operand *operands[CALL_OPERANDS + 1];
  wnn_error error = {0};
  call_operands(&valid, builder, operands);
  if (valid.row->operands[0].variadic) {
    expect_error(&valid, call_add_with(&valid, builder, operands, 0, "the label", &error), &error, "inputs",
                 "no operand");
    return;
  }
  operands[valid.operand_count] = operands[0];
  wnn_status status = call_add_with(&valid, builder, operands, valid.operand_count + 1, "the label", &error);
  expect_error(&valid, status, &error, "operands", "one more operand");
  status = call_add_with(&valid, builder, operands, valid.operand_count - 1, "the label", &error);
  expect_error(&valid, status, &error, "operands", "one operand less");
}

static void missing_and_foreign(void) {
  wnn_builder *other = NULL;
  wnn_error error = {0};
  REQUIRE_OK(wnn_builder_create(context, &other, &error), error);
  for (size_t i = 0; i < valid.operand_count; i++) {
    const wnn_operand_info *info = info_of(&valid, i);
    call broken = valid;
    broken.present[i] = false;
    if (info->optional)
      expect_valid(&broken, "without an optional operand");
    else
      expect_broken(&broken, info->name, "absence");
    wnn_operand *operands[CALL_OPERANDS + 1];
    call_operands(&valid, builder, operands);
    operands[i] = call_input(other, &valid.descs[i]);
    wnn_status status = call_add_with(&valid, builder, operands, valid.operand_count, "the label", &error);
    expect_error(&valid, status, &error, info->name, "another builder");
  }
  wnn_builder_release(other);
}

/* Gives operand i a data type, and those that must have the same one. */
static void set_type(call *c, size_t i, wnn_data_type type) {
  for (size_t j = 0; j < c->operand_count; j++) {
    const wnn_operand_info *info = info_of(c, j);
    if (j == i || info->same_as == (int)i || info->variadic) c->descs[j].data_type = type;
  }
}

static void data_types(void) {
  for (size_t i = 0; i < valid.operand_count; i++) {
    const wnn_operand_info *info = info_of(&valid, i);
    wnn_tensor_limits limits = wnn_context_operand_limits(context, valid.op, info->variadic ? 0 : (uint32_t)i);
    CHECK_MSG((limits.data_types & info->required) == info->required, "%s: limits of %s lack a required type",
              valid.row->name, info->name);
    CHECK_MSG(!(limits.data_types & ~info->allowed), "%s: limits of %s exceed the allowed types", valid.row->name,
              info->name);
    for (int t = 0; t < WNN_DATA_TYPE_COUNT; t++) {
      call changed = valid;
      bool supported = limits.data_types & WNN_TYPE_BIT(t);
      if (info->same_as < 0 && supported && !(info->variadic && i)) {
        set_type(&changed, i, (wnn_data_type)t);
        expect_valid(&changed, wnn_data_type_name((wnn_data_type)t));
      } else {
        if (supported && t == (int)valid.descs[i].data_type) continue;
        changed.descs[i].data_type = (wnn_data_type)t;
        expect_broken(&changed, info->name, wnn_data_type_name((wnn_data_type)t));
      }
    }
  }
}

static void ranks(void) {
  for (size_t i = 0; i < valid.operand_count; i++) {
    const wnn_operand_info *info = info_of(&valid, i);
    wnn_tensor_limits limits = wnn_context_operand_limits(context, valid.op, info->variadic ? 0 : (uint32_t)i);
    CHECK_MSG(limits.min_rank <= info->required_min_rank && limits.max_rank >= info->required_max_rank,
              "%s: limits of %s do not cover the required ranks", valid.row->name, info->name);
    call broken = valid;
    if (info->min_rank) {
      broken.descs[i].rank = info->min_rank - 1u;
      expect_broken(&broken, info->name, "low rank");
    }
    if (info->max_rank < WNN_MAX_RANK) {
      broken = valid;
      for (uint32_t d = broken.descs[i].rank; d <= info->max_rank; d++) broken.descs[i].shape[d] = 1;
      broken.descs[i].rank = info->max_rank + 1u;
      expect_broken(&broken, info->name, "high rank");
    }
  }
}

/* ---- Parameters ---------------------------------------------------------------------------------------- */

static void set_bytes(call *c, const wnn_param_info *param, const void *value, size_t size) {
  memcpy(c->args.bytes + param->offset, value, size);
}

static void broken_list(const wnn_param_info *param) {
  wnn_u32_list list; /* every list struct has this form */
  call broken = valid;
  memcpy(&list, valid.args.bytes + param->offset, sizeof list);
  if (!list.data) {
    CHECK_MSG(param->kind == WNN_PARAM_SPLITS, "%s: the valid call has no %s", valid.row->name, param->name);
    return;
  }
  uint32_t items[CALL_ITEMS];
  memcpy(items, list.data, sizeof items);
  wnn_u32_list changed = {items, list.count};
  if (param->length) {
    items[list.count] = items[0];
    changed.count = list.count + 1;
    set_bytes(&broken, param, &changed, sizeof changed);
    expect_broken(&broken, param->name, "a longer list");
    changed.count = list.count - 1;
    set_bytes(&broken, param, &changed, sizeof changed);
    expect_broken(&broken, param->name, "a shorter list");
    changed.count = list.count;
  }
  set_bytes(&broken, param, &changed, sizeof changed);
  if (param->kind == WNN_PARAM_U32_LIST && param->minimum) {
    items[list.count - 1] = param->minimum - 1;
    expect_broken(&broken, param->name, "an item below the minimum");
  }
  if (param->kind == WNN_PARAM_ENUM_LIST) {
    items[list.count - 1] = param->enumeration->count;
    expect_broken(&broken, param->name, "an item past the enumeration");
    items[list.count - 1] = UINT32_MAX;
    expect_broken(&broken, param->name, "a negative item");
  }
  if (param->kind == WNN_PARAM_F32_LIST) {
    const float odd[] = {NAN, INFINITY, -INFINITY};
    for (size_t i = 0; i < 3; i++) {
      memcpy(&items[1], &odd[i], sizeof odd[i]);
      expect_broken(&broken, param->name, "an item that is not finite");
    }
  }
  if (param->positional && param->kind != WNN_PARAM_SPLITS) {
    changed = (wnn_u32_list){NULL, list.count};
    set_bytes(&broken, param, &changed, sizeof changed);
    expect_broken(&broken, param->name, "a list without data");
  }
}

static void parameters(void) {
  for (uint32_t i = 0; i < valid.row->param_count; i++) {
    const wnn_param_info *param = &valid.row->params[i];
    call broken = valid;
    switch (param->kind) {
    case WNN_PARAM_U32:
      if (!param->minimum) break;
      set_bytes(&broken, param, &(uint32_t){param->minimum - 1}, sizeof(uint32_t));
      expect_broken(&broken, param->name, "a value below the minimum");
      break;
    case WNN_PARAM_F64: {
      const double odd[] = {NAN, INFINITY, -INFINITY};
      for (size_t j = 0; j < 3; j++) {
        set_bytes(&broken, param, &odd[j], sizeof odd[j]);
        expect_broken(&broken, param->name, "a value that is not finite");
      }
      break;
    }
    case WNN_PARAM_ENUM:
    case WNN_PARAM_DATA_TYPE: {
      int32_t count = param->kind == WNN_PARAM_ENUM ? (int32_t)param->enumeration->count : WNN_DATA_TYPE_COUNT;
      const int32_t odd[] = {count, -1, INT32_MIN, INT32_MAX};
      for (size_t j = 0; j < 4; j++) {
        set_bytes(&broken, param, &odd[j], sizeof odd[j]);
        expect_broken(&broken, param->name, "a value past the enumeration");
      }
      break;
    }
    case WNN_PARAM_U32_LIST:
    case WNN_PARAM_F32_LIST:
    case WNN_PARAM_ENUM_LIST:
    case WNN_PARAM_SPLITS: broken_list(param); break;
    case WNN_PARAM_BOOL:
    case WNN_PARAM_I32:
    case WNN_PARAM_NUMBER: break; /* every value is legal by itself */
    }
  }
}

/* ---- The call as a whole ------------------------------------------------------------------------------- */

/* Without args the defaults hold; missing positional parameters may make that an error, never more. */
static void null_arguments(void) {
  wnn_operand *operands[CALL_OPERANDS + 1], *outputs[CALL_ITEMS];
  wnn_error error = {0};
  call_operands(&valid, builder, operands);
  wnn_status status =
      wnn_builder_add(builder, valid.op, NULL, operands, valid.operand_count, outputs, CALL_ITEMS, NULL, &error);
  CHECK_MSG(!status || (status == WNN_TYPE_ERROR && error.status == status && error.message[0]), "%s without args: %s",
            valid.row->name, wnn_status_name(status));
  bool positional = false;
  for (uint32_t i = 0; i < valid.row->param_count; i++) positional |= valid.row->params[i].positional;
  call plain = valid;
  memcpy(plain.args.bytes, valid.row->defaults, valid.row->args_size);
  if (!positional) CHECK_EQ(status, call_add(&plain, builder, NULL, NULL));
  /* No room for the outputs. */
  wnn_operand *untouched = (wnn_operand *)operands;
  outputs[0] = untouched;
  status =
      wnn_builder_add(builder, valid.op, valid.args.bytes, operands, valid.operand_count, outputs, 0, NULL, &error);
  CHECK_EQ(status, WNN_TYPE_ERROR);
  CHECK(outputs[0] == untouched);
}

/* Builder spent, context lost. */
static void invalid_states(void) {
  wnn_context *lost = NULL;
  wnn_builder *spent = NULL, *orphan = NULL;
  wnn_graph *graph = NULL;
  wnn_error error = {0};
  REQUIRE_OK(wnn_builder_create(context, &spent, &error), error);
  wnn_operand *operands[CALL_OPERANDS + 1], *result;
  call_operands(&valid, spent, operands);
  const wnn_desc desc = {WNN_FLOAT32, 1, {2}};
  REQUIRE_OK(wnn_identity(spent, call_input(spent, &desc), NULL, &result, &error), error);
  REQUIRE_OK(wnn_builder_build(spent, &(wnn_named_operand){"result", result}, 1, &graph, &error), error);
  wnn_graph_release(graph);
  CHECK_FAILS(call_add_with(&valid, spent, operands, valid.operand_count, "", &error), error, WNN_INVALID_STATE,
              valid.row->name);
  wnn_builder_release(spent);

  wnn_context_options options = WNN_CONTEXT_OPTIONS_INIT;
  options.threads = 1;
  REQUIRE_OK(wnn_context_create(&options, &lost, &error), error);
  REQUIRE_OK(wnn_builder_create(lost, &orphan, &error), error);
  call_operands(&valid, orphan, operands);
  wnn_context_destroy(lost);
  CHECK_FAILS(call_add_with(&valid, orphan, operands, valid.operand_count, "", &error), error, WNN_INVALID_STATE,
              valid.row->name);
  wnn_builder_release(orphan);
  wnn_context_release(lost);
}

static void unknown_operations(void) {
  const int odd[] = {-1, WNN_OP_COUNT, INT32_MAX, INT32_MIN};
  wnn_operand *operand = call_input(builder, &(wnn_desc){WNN_FLOAT32, 1, {2}}), *result;
  wnn_error error;
  for (size_t i = 0; i < 4; i++) {
    CHECK(!wnn_op_get(odd[i]));
    CHECK_FAILS(wnn_builder_add(builder, odd[i], NULL, &operand, 1, &result, 1, NULL, &error), error, WNN_TYPE_ERROR,
                "");
  }
  CHECK_EQ(wnn_op_find("conv3d"), -1);
  CHECK_EQ(wnn_op_find(""), -1);
}

/* The builder of each test takes the valid call before and after what it refused. */
static void (*current)(void);
static void around(void) {
  expect_valid(&valid, "the valid call");
  current();
  expect_valid(&valid, "the valid call after broken ones");
}

int main(int argc, char **argv) {
  test_begin(argc, argv);
  wnn_context_options options = WNN_CONTEXT_OPTIONS_INIT;
  options.threads = 1;
  wnn_error error;
  if (wnn_context_create(&options, &context, &error)) {
    test_failed("context: %s", error.message);
    return test_end();
  }
  static const struct {
    const char *name;
    void (*run)(void);
  } tests[] = {{"operand counts", operand_counts}, {"missing and foreign operands", missing_and_foreign},
               {"data types", data_types},         {"ranks", ranks},
               {"parameters", parameters},         {"null arguments", null_arguments},
               {"invalid states", invalid_states}};
  for (int op = 0; op < WNN_OP_COUNT; op++) {
    call_parse(&valid, valid_calls[op].op, valid_calls[op].operands, valid_calls[op].params);
    if (valid.op != op) test_failed("row %d of the valid calls is %s", op, valid_calls[op].op);
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++) {
      char name[96];
      snprintf(name, sizeof name, "%s: %s", valid.row->name, tests[i].name);
      if (wnn_builder_create(context, &builder, &error)) {
        test_failed("builder: %s", error.message);
        return test_end();
      }
      current = tests[i].run;
      test_run(name, around);
      wnn_builder_release(builder);
    }
  }
  if (wnn_builder_create(context, &builder, &error)) return test_end();
  TEST(unknown_operations);
  wnn_builder_release(builder);
  wnn_context_release(context);
  return test_end();
}
