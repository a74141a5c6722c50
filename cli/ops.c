/* webnn ops: the table of operations. */
#include <getopt.h>
#include <json-c/json.h>
#include <string.h>

#include "cli.h"

static const char *const kinds[] = {
    "bool", "u32", "i32", "f64", "number", "enum", "type", "u32 list", "f32 list", "enum list", "number or u32 list"};

static void print_types(uint16_t mask) {
  bool first = true;
  if (mask == (1u << WNN_DATA_TYPE_COUNT) - 1) {
    printf("any");
    return;
  }
  for (int t = 0; t < WNN_DATA_TYPE_COUNT; t++)
    if (mask & WNN_TYPE_BIT(t)) {
      printf("%s%s", first ? "" : ", ", wnn_data_type_name((wnn_data_type)t));
      first = false;
    }
}

static void print_tensor(const char *name, const char *note, wnn_tensor_limits limits) {
  printf("  %-20s ", name);
  if (limits.min_rank == limits.max_rank)
    printf("rank %u      ", limits.min_rank);
  else
    printf("rank %u to %u ", limits.min_rank, limits.max_rank);
  print_types(limits.data_types);
  printf("%s\n", note);
}

static void show(const wnn_context *context, int op) {
  const wnn_op_info *row = wnn_op_get(op);
  printf("%s%s%s (%s)\n%s\n\n", cli_bold(stdout), row->name, cli_plain(stdout), row->category, row->doc);
  for (uint32_t i = 0; i < row->operand_count; i++) {
    const wnn_operand_info *o = &row->operands[i];
    print_tensor(o->name,
                 o->optional   ? "  (optional)"
                 : o->variadic ? "  (one or more)"
                               : "",
                 wnn_context_operand_limits(context, op, i));
  }
  for (uint32_t i = 0; i < row->output_count; i++)
    print_tensor(row->outputs[i].name, "  (output)", wnn_context_output_limits(context, op, i));
  if (row->param_count) printf("\n");
  for (uint32_t i = 0; i < row->param_count; i++) {
    const wnn_param_info *p = &row->params[i];
    printf("  %-20s %-10s %s", p->name, kinds[p->kind], p->doc);
    for (uint32_t v = 0; p->enumeration && v < p->enumeration->count; v++)
      printf("%s%s", v ? " | " : " ", p->enumeration->values[v]);
    printf("%s\n", p->positional ? " (required)" : "");
  }
  printf("\nSpecification: %s\n", row->anchor);
}

static void list(void) {
  const char *category = "";
  for (int op = 0; op < WNN_OP_COUNT; op++) {
    const wnn_op_info *row = wnn_op_get(op);
    if (strcmp(category, row->category))
      printf("%s%s%s\n", cli_bold(stdout), category = row->category, cli_plain(stdout));
    printf("  %-22s %s\n", row->name, row->doc);
  }
}

static struct json_object *tensor_json(const char *name, wnn_tensor_limits limits) {
  struct json_object *object = json_object_new_object(), *types = json_object_new_array();
  for (int t = 0; t < WNN_DATA_TYPE_COUNT; t++)
    if (limits.data_types & WNN_TYPE_BIT(t))
      json_object_array_add(types, json_object_new_string(wnn_data_type_name((wnn_data_type)t)));
  json_object_object_add(object, "name", json_object_new_string(name));
  json_object_object_add(object, "dataTypes", types);
  json_object_object_add(object, "minRank", json_object_new_int(limits.min_rank));
  json_object_object_add(object, "maxRank", json_object_new_int(limits.max_rank));
  return object;
}

static struct json_object *op_json(const wnn_context *context, int op) {
  const wnn_op_info *row = wnn_op_get(op);
  struct json_object *object = json_object_new_object(), *operands = json_object_new_array(),
                     *params = json_object_new_array(), *outputs = json_object_new_array();
  json_object_object_add(object, "name", json_object_new_string(row->name));
  json_object_object_add(object, "category", json_object_new_string(row->category));
  json_object_object_add(object, "doc", json_object_new_string(row->doc));
  for (uint32_t i = 0; i < row->operand_count; i++) {
    struct json_object *o = tensor_json(row->operands[i].name, wnn_context_operand_limits(context, op, i));
    json_object_object_add(o, "optional", json_object_new_boolean(row->operands[i].optional));
    json_object_array_add(operands, o);
  }
  for (uint32_t i = 0; i < row->param_count; i++) {
    struct json_object *p = json_object_new_object();
    json_object_object_add(p, "name", json_object_new_string(row->params[i].name));
    json_object_object_add(p, "type", json_object_new_string(kinds[row->params[i].kind]));
    json_object_object_add(p, "required", json_object_new_boolean(row->params[i].positional));
    json_object_array_add(params, p);
  }
  for (uint32_t i = 0; i < row->output_count; i++)
    json_object_array_add(outputs, tensor_json(row->outputs[i].name, wnn_context_output_limits(context, op, i)));
  json_object_object_add(object, "operands", operands);
  json_object_object_add(object, "parameters", params);
  json_object_object_add(object, "outputs", outputs);
  return object;
}

int cli_ops(int argc, char **argv) {
  static const struct option options[] = {{"json", no_argument, NULL, 'j'}, {0}};
  bool json = false;
  for (int c; (c = getopt_long(argc, argv, "", options, NULL)) != -1;) {
    if (c != 'j') return CLI_USAGE;
    json = true;
  }
  if (argc - optind > 1) return cli_usage("ops", "Only one operation can be shown.");
  const char *name = optind < argc ? argv[optind] : NULL;
  int op = name ? wnn_op_find(name) : -1;
  if (name && op < 0) return cli_fail("There is no operation \"%s\"; webnn ops lists them.", name);
  wnn_context_options plain = WNN_CONTEXT_OPTIONS_INIT;
  plain.threads = 1;
  wnn_context *context;
  wnn_error error;
  if (wnn_context_create(&plain, &context, &error)) return cli_fail("%s", error.message);
  if (json) {
    struct json_object *out = name ? op_json(context, op) : json_object_new_array();
    for (int i = 0; !name && i < WNN_OP_COUNT; i++) json_object_array_add(out, op_json(context, i));
    puts(json_object_to_json_string_ext(out, JSON_C_TO_STRING_PRETTY));
    json_object_put(out);
  } else if (name) {
    show(context, op);
  } else {
    list();
  }
  wnn_context_release(context);
  return CLI_OK;
}
