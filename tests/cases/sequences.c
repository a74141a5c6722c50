/* Cases of kind sequence: the steps are prose, so each has its function here, found by the number of the case. */
#include <stdio.h>
#include <string.h>

#include "cases/cases.h"

typedef struct setup {
  session session;
  wnn_graph *graph;
  wnn_tensor *a, *b; /* one for x, one for the outputs */
  wnn_error error;
} setup;

/* Fails with the status of a call and its message. */
static bool unexpected(const setup *s, wnn_status status, const char *what, char why[WHY]) {
  snprintf(why, WHY, "%s: %s %.800s", what, wnn_status_name(status), s->error.message);
  return false;
}

/* Inputs, operators, the graph over every result, tensors a and b. */
static bool prepare(setup *s, wnn_context *context, json_object *graph, char why[WHY]) {
  memset(s, 0, sizeof *s);
  wnn_status status;
  if (!session_begin(&s->session, context, SOURCE_AS_GIVEN, why)) return false;
  if (!session_inputs(&s->session, json_object_object_get(graph, "inputs"), &status, why)) return false;
  json_object *operators = json_object_object_get(graph, "operators");
  size_t inputs = s->session.name_count, count = 0;
  for (size_t i = 0; i < json_object_array_length(operators); i++)
    if (!session_operator(&s->session, json_object_array_get_idx(operators, i), "case", &status, why)) return false;
  wnn_named_operand outputs[MAX_NAMES];
  for (size_t i = inputs; i < s->session.name_count; i++)
    outputs[count++] = (wnn_named_operand){s->session.names[i].name, s->session.names[i].operand};
  if (!count || !inputs) {
    snprintf(why, WHY, "the graph has no input or no result");
    return false;
  }
  status = wnn_builder_build(s->session.builder, outputs, count, &s->graph, &s->error);
  if (status) return unexpected(s, status, "build", why);
  const wnn_desc *x = wnn_graph_input_desc(s->graph, 0), *y = wnn_graph_output_desc(s->graph, 0);
  status = wnn_context_create_tensor(context, x, WNN_TENSOR_WRITABLE, &s->a, &s->error);
  if (!status) status = wnn_context_create_tensor(context, y, WNN_TENSOR_READABLE, &s->b, &s->error);
  return status ? unexpected(s, status, "createTensor", why) : true;
}

static void clean(setup *s) {
  wnn_tensor_release(s->a);
  wnn_tensor_release(s->b);
  wnn_graph_release(s->graph);
  session_end(&s->session);
}

/* The call that the case is about must fail with the exception the case names. */
static bool fails_with(const setup *s, wnn_status status, json_object *expected, char why[WHY]) {
  json_object *error = json_object_object_get(expected, "error");
  const char *type = json_object_get_string(json_object_object_get(error, "type"));
  if (type && status && !strcmp(type, wnn_status_exception(status)) && s->error.status == status) return true;
  snprintf(why, WHY, "status %s (%.600s), expected %s", wnn_status_name(status), s->error.message,
           type ? type : "success");
  return false;
}

static wnn_status dispatch(setup *s, const wnn_named_tensor *outputs, size_t count) {
  wnn_named_tensor input = {"x", s->a};
  return wnn_context_dispatch(s->session.context, s->graph, &input, 1, outputs, count, &s->error);
}

static bool one_tensor_for_two_outputs(setup *s, json_object *expected, char why[WHY]) {
  const float data[2] = {1, 2};
  wnn_status status = wnn_context_write_tensor(s->session.context, s->a, data, sizeof data, &s->error);
  if (status) return unexpected(s, status, "writeTensor", why);
  wnn_named_tensor outputs[2] = {{"y", s->b}, {"z", s->b}};
  return fails_with(s, dispatch(s, outputs, 2), expected, why);
}

static bool write_copies(setup *s, json_object *expected, char why[WHY]) {
  float data[2] = {1, 2}, result[2];
  wnn_status status = wnn_context_write_tensor(s->session.context, s->a, data, sizeof data, &s->error);
  data[0] = 50;
  if (status) return unexpected(s, status, "writeTensor", why);
  wnn_named_tensor output = {"y", s->b};
  status = dispatch(s, &output, 1);
  if (status) return unexpected(s, status, "dispatch", why);
  status = wnn_context_read_tensor(s->session.context, s->b, result, sizeof result, &s->error);
  if (status) return unexpected(s, status, "readTensor", why);
  tensor want;
  if (!tensor_parse(json_object_object_get(expected, "B"), false, &want, why)) return false;
  bool good = want.size == sizeof result && tensor_compare(&want, result, (tolerance){METRIC_ULP, 0, 0}, why);
  tensor_free(&want);
  return good;
}

static bool destroyed_tensor(setup *s, json_object *expected, char why[WHY]) {
  wnn_tensor_destroy(s->b);
  wnn_named_tensor output = {"y", s->b};
  return fails_with(s, dispatch(s, &output, 1), expected, why);
}

static bool builder_after_build(setup *s, json_object *expected, char why[WHY]) {
  wnn_operand *operands[2] = {session_find(&s->session, "x"), session_find(&s->session, "x")}, *result;
  wnn_status status = wnn_builder_add(s->session.builder, WNN_OP_ADD, NULL, operands, 2, &result, 1, NULL, &s->error);
  if (!fails_with(s, status, expected, why)) return false;
  /* And the graph is as it was. */
  wnn_named_tensor output = {"y", s->b};
  status = dispatch(s, &output, 1);
  return status ? unexpected(s, status, "dispatch", why) : true;
}

static bool read_not_readable(setup *s, json_object *expected, char why[WHY]) {
  float result[2];
  return fails_with(s,
                    wnn_context_read_tensor(s->session.context, s->a, result,
                                            (size_t)wnn_desc_bytes(wnn_tensor_desc(s->a)), &s->error),
                    expected, why);
}

bool run_sequence(wnn_context *context, json_object *json, char why[WHY]) {
  static const struct {
    const char *id;
    bool (*run)(setup *s, json_object *expected, char why[WHY]);
  } known[] = {{"097", one_tensor_for_two_outputs},
               {"099", write_copies},
               {"101", destroyed_tensor},
               {"103", builder_after_build},
               {"105", read_not_readable}};
  const char *id = json_object_get_string(json_object_object_get(json, "id"));
  json_object *graph = json_object_object_get(json, "graph");
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    if (strcmp(known[i].id, id)) continue;
    setup s;
    bool good = prepare(&s, context, graph, why) && known[i].run(&s, json_object_object_get(graph, "expected"), why);
    clean(&s);
    return good;
  }
  snprintf(why, WHY, "the runner does not know these steps");
  return false;
}
