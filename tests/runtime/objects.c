/* Contexts, tensors, graphs: every check of creation, write, read and dispatch, in its order. */
#define _GNU_SOURCE /* sched_getaffinity */
#include "runtime/runtime.h"

#include <sched.h>

#include "base/cpu.h"
#include "sample.h"

static wnn_error error;

static void context_facts(void) {
  wnn_context_options options = WNN_CONTEXT_OPTIONS_INIT;
  wnn_context *context;
  options.threads = 3;
  options.accelerated = false;
  REQUIRE_OK(wnn_context_create(&options, &context, &error), error);
  CHECK_EQ(wnn_context_threads(context), 3);
  CHECK(!wnn_context_accelerated(context));
  CHECK(!wnn_context_is_lost(context));
  wnn_limits limits;
  wnn_context_limits(context, &limits);
  CHECK_EQ(limits.max_tensor_byte_length, 2147483647);
  CHECK_EQ(limits.preferred_input_layout, WNN_INPUT_LAYOUT_NCHW);
  CHECK_EQ(limits.input.data_types, 0xFF);
  CHECK_EQ(limits.constant.max_rank, 8);
  CHECK_EQ(limits.output.min_rank, 0);
  wnn_context_finish(context);
  wnn_context_release(context);
  REQUIRE_OK(wnn_context_create(NULL, &context, NULL), error);
  CHECK(wnn_context_threads(context) >= 1);
  CHECK(wnn_context_accelerated(context));
  wnn_context_release(context);
  wnn_context_release(NULL);
}

typedef struct place {
  atomic_uint calls;
  int count;
  bool right;
  uint32_t processor;
} place;

static void note_place(void *user, wnn_status status, const wnn_error *why) {
  place *p = user;
  cpu_set_t set;
  (void)why;
  if (!status && !sched_getaffinity(0, sizeof set, &set)) {
    p->count = CPU_COUNT(&set);
    p->right = CPU_ISSET(p->processor, &set);
  }
  atomic_fetch_add(&p->calls, 1);
}

static void context_processors(void) {
  wnn_context_options options = WNN_CONTEXT_OPTIONS_INIT;
  wnn_context *context = NULL;
  place p = {0};
  while (p.processor < 1024 && !wnn_cpu_allows(p.processor)) p.processor++;
  REQUIRE(p.processor < 1024);
  const uint32_t twice[] = {p.processor, p.processor}, none[] = {p.processor, 100000};
  options.processors = twice;
  options.processor_count = 2;
  CHECK_FAILS(wnn_context_create(&options, &context, &error), error, WNN_TYPE_ERROR, "listed twice");
  options.processors = none;
  CHECK_FAILS(wnn_context_create(&options, &context, &error), error, WNN_TYPE_ERROR, "may not use processor 100000");
  options.processor_count = 1;
  REQUIRE_OK(wnn_context_create(&options, &context, &error), error);
  CHECK_EQ(wnn_context_threads(context), 1);
  /* a read too long for the call is done by the worker of the timeline */
  enum { FLOATS = 1 << 20 };
  float *data = malloc(FLOATS * sizeof *data);
  wnn_tensor *tensor = NULL;
  REQUIRE(data);
  REQUIRE_OK(sample_tensor(context, FLOATS, 1, &tensor, &error), error);
  CHECK_OK(wnn_context_read_tensor_async(context, tensor, data, FLOATS * sizeof *data, note_place, &p, &error), error);
  while (!atomic_load(&p.calls)) sched_yield();
  CHECK_EQ(p.count, 1);
  CHECK(p.right);
  wnn_tensor_release(tensor);
  wnn_context_release(context);
  free(data);
}

/* Reported limits lie between what the table requires and what it allows. */
static void limits_cover_required(void) {
  wnn_context *context;
  REQUIRE_OK(wnn_context_create(NULL, &context, &error), error);
  for (int op = 0; op < WNN_OP_COUNT; op++) {
    const wnn_op_info *row = wnn_op_get(op);
    for (uint32_t i = 0; i < row->operand_count; i++) {
      const wnn_operand_info *operand = &row->operands[i];
      wnn_tensor_limits limits = wnn_context_operand_limits(context, op, i);
      CHECK_MSG((limits.data_types & operand->required) == operand->required, "%s: %s lacks a required type", row->name,
                operand->name);
      CHECK_MSG(!(limits.data_types & ~operand->allowed), "%s: %s has a type too many", row->name, operand->name);
      CHECK(limits.max_rank <= 8 && limits.max_rank >= operand->required_max_rank);
      CHECK(limits.min_rank <= operand->required_min_rank);
    }
    for (uint32_t i = 0; i < row->output_count; i++) {
      const wnn_output_info *output = &row->outputs[i];
      wnn_tensor_limits limits = wnn_context_output_limits(context, op, i);
      CHECK_MSG((limits.data_types & output->required) == output->required, "%s: %s lacks a required type", row->name,
                output->name);
      CHECK_MSG(!(limits.data_types & ~output->allowed), "%s: %s has a type too many", row->name, output->name);
    }
    CHECK_EQ(wnn_context_operand_limits(context, op, row->operand_count).data_types, 0);
    CHECK_EQ(wnn_context_output_limits(context, op, row->output_count).data_types, 0);
  }
  CHECK_EQ(wnn_context_operand_limits(context, -1, 0).data_types, 0);
  CHECK_EQ(wnn_context_output_limits(context, WNN_OP_COUNT, 0).data_types, 0);
  wnn_context_release(context);
}

static void tensor_creation(void) {
  wnn_context *context;
  wnn_tensor *tensor = NULL;
  wnn_desc desc = {.data_type = WNN_INT64, .rank = 2, .shape = {3, 5}};
  REQUIRE_OK(wnn_context_create(NULL, &context, &error), error);
  CHECK_OK(wnn_context_create_tensor(context, &desc, WNN_TENSOR_READABLE, &tensor, &error), error);
  REQUIRE(tensor);
  CHECK(wnn_tensor_readable(tensor) && !wnn_tensor_writable(tensor) && !wnn_tensor_constant(tensor));
  CHECK_EQ(wnn_tensor_desc(tensor)->data_type, WNN_INT64);
  CHECK_EQ(wnn_tensor_desc(tensor)->shape[1], 5);
  CHECK_EQ((uintptr_t)tensor->storage % 64, 0);
  int64_t zeros[15] = {0}, data[15];
  memset(data, 0xFF, sizeof data);
  CHECK_OK(wnn_context_read_tensor(context, tensor, data, sizeof data, &error), error);
  CHECK_BYTES(data, zeros, sizeof data);
  wnn_tensor_release(tensor);

  wnn_desc scalar = {.data_type = WNN_UINT8};
  CHECK_OK(wnn_context_create_tensor(context, &scalar, 0, &tensor, &error), error);
  wnn_tensor_release(tensor);
  tensor = NULL;
  wnn_desc bad = desc;
  bad.shape[1] = 0;
  CHECK_FAILS(wnn_context_create_tensor(context, &bad, 0, &tensor, &error), error, WNN_TYPE_ERROR, "int64 [3, 0]");
  bad.rank = 9;
  CHECK_FAILS(wnn_context_create_tensor(context, &bad, 0, &tensor, &error), error, WNN_TYPE_ERROR, "rank");
  bad = (wnn_desc){.data_type = WNN_FLOAT32, .rank = 3, .shape = {2147483647, 2147483647, 2147483647}};
  CHECK_FAILS(wnn_context_create_tensor(context, &bad, 0, &tensor, &error), error, WNN_TYPE_ERROR, "element count");
  bad = (wnn_desc){.data_type = WNN_FLOAT32, .rank = 1, .shape = {536870912}};
  CHECK_FAILS(wnn_context_create_tensor(context, &bad, 0, &tensor, &error), error, WNN_TYPE_ERROR, "byte length");
  bad = (wnn_desc){.data_type = (wnn_data_type)8};
  CHECK_FAILS(wnn_context_create_tensor(context, &bad, 0, &tensor, &error), error, WNN_TYPE_ERROR, "data type");
  CHECK(!tensor);

  CHECK_FAILS(wnn_context_create_constant_tensor(context, &desc, data, 119, &tensor, &error), error, WNN_TYPE_ERROR,
              "119 bytes");
  CHECK_FAILS(wnn_context_create_constant_tensor(context, &bad, data, 119, &tensor, &error), error, WNN_TYPE_ERROR,
              "data type");
  CHECK_OK(wnn_context_create_constant_tensor(context, &desc, data, 120, &tensor, &error), error);
  CHECK(!wnn_tensor_readable(tensor) && !wnn_tensor_writable(tensor) && wnn_tensor_constant(tensor));
  CHECK_FAILS(wnn_context_write_tensor(context, tensor, data, 120, &error), error, WNN_TYPE_ERROR, "constant tensor");
  CHECK_FAILS(wnn_context_read_tensor(context, tensor, data, 120, &error), error, WNN_TYPE_ERROR, "constant tensor");
  wnn_tensor_destroy(tensor);
  wnn_tensor_destroy(tensor);
  wnn_tensor_release(tensor);
  wnn_tensor_release(NULL);
  wnn_tensor_destroy(NULL);

  wnn_context_destroy(context);
  bad.rank = 9;
  CHECK_FAILS(wnn_context_create_tensor(context, &bad, 0, &tensor, &error), error, WNN_INVALID_STATE, "lost");
  CHECK_FAILS(wnn_context_create_constant_tensor(context, &desc, data, 1, &tensor, &error), error, WNN_INVALID_STATE,
              "lost");
  wnn_context_release(context);
}

static void unexpected(void *user, wnn_status status, const wnn_error *why) {
  (void)user;
  CHECK_MSG(false, "a callback came (%s, %s) although the call failed", wnn_status_name(status),
            why ? why->message : "");
}

static void transfer_checks(void) {
  wnn_context *context, *other;
  wnn_tensor *both, *read_only, *write_only;
  wnn_desc desc = sample_desc(4);
  float data[5] = {1, 2, 3, 4, 5}, back[4];
  REQUIRE_OK(wnn_context_create(NULL, &context, &error), error);
  REQUIRE_OK(wnn_context_create(NULL, &other, &error), error);
  REQUIRE_OK(wnn_context_create_tensor(context, &desc, 3, &both, &error), error);
  REQUIRE_OK(wnn_context_create_tensor(context, &desc, WNN_TENSOR_READABLE, &read_only, &error), error);
  REQUIRE_OK(wnn_context_create_tensor(context, &desc, WNN_TENSOR_WRITABLE, &write_only, &error), error);

  CHECK_OK(wnn_context_write_tensor(context, both, data, 16, &error), error);
  CHECK_OK(wnn_context_read_tensor(context, both, back, 16, &error), error);
  CHECK_BYTES(back, data, 16);
  CHECK_FAILS(wnn_context_write_tensor(context, both, data, 20, &error), error, WNN_TYPE_ERROR, "20 bytes");
  CHECK_FAILS(wnn_context_write_tensor(context, both, data, 12, &error), error, WNN_TYPE_ERROR, "float32 [4]");
  CHECK_FAILS(wnn_context_read_tensor(context, both, back, 0, &error), error, WNN_TYPE_ERROR, "0 bytes");
  CHECK_FAILS(wnn_context_write_tensor(context, both, NULL, 16, &error), error, WNN_TYPE_ERROR, "0 bytes");

  /* Each check comes before those behind it: the later faults are there too. */
  CHECK_FAILS(wnn_context_write_tensor(context, read_only, data, 3, &error), error, WNN_TYPE_ERROR, "not writable");
  CHECK_FAILS(wnn_context_read_tensor(context, write_only, back, 3, &error), error, WNN_TYPE_ERROR, "not readable");
  CHECK_FAILS(wnn_context_read_tensor_async(context, write_only, back, 3, unexpected, NULL, &error), error,
              WNN_TYPE_ERROR, "not readable");
  wnn_tensor_destroy(read_only);
  wnn_tensor_destroy(write_only);
  CHECK_FAILS(wnn_context_write_tensor(context, read_only, data, 3, &error), error, WNN_TYPE_ERROR, "destroyed");
  CHECK_FAILS(wnn_context_read_tensor(context, write_only, back, 3, &error), error, WNN_TYPE_ERROR, "destroyed");
  CHECK_FAILS(wnn_context_write_tensor(other, read_only, data, 3, &error), error, WNN_TYPE_ERROR, "another context");
  CHECK_FAILS(wnn_context_read_tensor(other, write_only, back, 3, &error), error, WNN_TYPE_ERROR, "another context");
  CHECK_FAILS(wnn_context_read_tensor_async(other, both, back, 16, unexpected, NULL, &error), error, WNN_TYPE_ERROR,
              "another context");
  CHECK_EQ(wnn_tensor_desc(read_only)->shape[0], 4); /* attributes stay */
  CHECK(wnn_tensor_readable(read_only));

  wnn_context_destroy(context);
  CHECK(wnn_context_is_lost(context));
  CHECK_FAILS(wnn_context_write_tensor(context, both, data, 16, &error), error, WNN_TYPE_ERROR, "destroyed");
  CHECK_FAILS(wnn_context_read_tensor(context, both, back, 16, &error), error, WNN_TYPE_ERROR, "destroyed");
  wnn_tensor_release(both);
  wnn_tensor_release(read_only);
  wnn_tensor_release(write_only);
  wnn_context_release(context);
  wnn_context_release(other);
}

static void graph_facts(void) {
  wnn_context *context;
  wnn_graph *graph;
  REQUIRE_OK(wnn_context_create(NULL, &context, &error), error);
  REQUIRE_OK(sample_graph(context, 6, &graph, &error), error);
  CHECK_EQ(wnn_graph_input_count(graph), 2);
  CHECK_EQ(wnn_graph_output_count(graph), 1);
  CHECK_STR(wnn_graph_input_name(graph, 0), "a");
  CHECK_STR(wnn_graph_input_name(graph, 1), "b");
  CHECK_STR(wnn_graph_output_name(graph, 0), "out");
  CHECK(!wnn_graph_input_name(graph, 2) && !wnn_graph_input_desc(graph, 2));
  CHECK(!wnn_graph_output_name(graph, 1) && !wnn_graph_output_desc(graph, 1));
  CHECK_EQ(wnn_graph_output_desc(graph, 0)->shape[0], 6);
  wnn_graph_stats stats;
  wnn_graph_get_stats(graph, &stats);
  CHECK_EQ(stats.node_count, 2);
  CHECK(stats.step_count >= 1);
  CHECK(stats.cost_ns > 0);
  wnn_step_info step;
  for (size_t i = 0; i < stats.step_count; i++) {
    REQUIRE(wnn_graph_step(graph, i, &step));
    CHECK(step.kernel && step.op && step.label);
  }
  CHECK(!wnn_graph_step(graph, stats.step_count, &step));
  wnn_graph_destroy(graph);
  CHECK(!wnn_graph_step(graph, 0, &step));
  CHECK_STR(wnn_graph_input_name(graph, 0), "a");
  wnn_graph_get_stats(graph, &stats);
  CHECK_EQ(stats.node_count, 2);
  wnn_graph_destroy(graph);
  wnn_graph_release(graph);
  wnn_graph_release(NULL);
  wnn_graph_destroy(NULL);
  wnn_context_release(context);
}

static void dispatch_checks(void) {
  wnn_context *context, *other;
  wnn_graph *graph;
  wnn_tensor *a, *b, *out, *longer, *foreign, *dead, *constant;
  wnn_desc desc = sample_desc(4);
  float values[4] = {0};
  REQUIRE_OK(wnn_context_create(NULL, &context, &error), error);
  REQUIRE_OK(wnn_context_create(NULL, &other, &error), error);
  REQUIRE_OK(sample_graph(context, 4, &graph, &error), error);
  REQUIRE_OK(sample_tensor(context, 4, 2, &a, &error), error);
  REQUIRE_OK(sample_tensor(context, 4, 3, &b, &error), error);
  REQUIRE_OK(sample_tensor(context, 4, 0, &out, &error), error);
  REQUIRE_OK(sample_tensor(context, 5, 0, &longer, &error), error);
  REQUIRE_OK(sample_tensor(context, 4, 0, &dead, &error), error);
  REQUIRE_OK(sample_tensor(other, 4, 0, &foreign, &error), error);
  REQUIRE_OK(wnn_context_create_constant_tensor(context, &desc, values, 16, &constant, &error), error);
  wnn_tensor_destroy(dead);

#define FAILS(status, part, in, in_count, result, result_count)                                                        \
  CHECK_FAILS(wnn_context_dispatch(context, graph, in, in_count, result, result_count, &error), error, status, part)
#define LIST(...) ((const wnn_named_tensor[]){__VA_ARGS__})
  CHECK_OK(sample_dispatch(context, graph, a, b, out, &error), error);
  CHECK_EQ(sample_first(context, out), 6);
  /* any order, by name */
  CHECK_OK(wnn_context_dispatch(context, graph, LIST({"b", b}, {"a", a}), 2, LIST({"out", out}), 1, &error), error);
  /* 1: another context, also with everything else wrong */
  CHECK_FAILS(wnn_context_dispatch(other, graph, LIST({"x", dead}, {"x", dead}), 2, NULL, 0, &error), error,
              WNN_TYPE_ERROR, "graph belongs to another context");
  /* 3: twice the same tensor, before its other faults */
  FAILS(WNN_TYPE_ERROR, "input \"a\" and as input \"b\"", LIST({"a", a}, {"b", a}), 2, LIST({"out", out}), 1);
  FAILS(WNN_TYPE_ERROR, "input \"b\" and as output \"out\"", LIST({"a", a}, {"b", b}), 2, LIST({"out", b}), 1);
  FAILS(WNN_TYPE_ERROR, "same tensor", LIST({"x", dead}, {"y", dead}), 2, NULL, 0);
  FAILS(WNN_TYPE_ERROR, "same tensor", LIST({"x", foreign}, {"b", b}), 2, LIST({"out", foreign}), 1);
  FAILS(WNN_TYPE_ERROR, "same tensor", LIST({"x", foreign}, {"b", b}), 2, LIST({"out", b}), 1);
  /* 4: foreign or destroyed tensors, before the names */
  FAILS(WNN_TYPE_ERROR, "input \"x\" belongs to another context", LIST({"x", foreign}, {"b", b}), 2, NULL, 0);
  FAILS(WNN_TYPE_ERROR, "output \"out\" belongs to another context", LIST({"x", a}), 1, LIST({"out", foreign}), 1);
  FAILS(WNN_TYPE_ERROR, "output \"y\" is destroyed", LIST({"x", a}), 1, LIST({"y", dead}), 1);
  FAILS(WNN_TYPE_ERROR, "input \"x\" is missing", LIST({"x", NULL}), 1, LIST({"y", dead}), 1);
  /* 5: inputs, before outputs */
  FAILS(WNN_TYPE_ERROR, "1 inputs are given, but the graph has 2", LIST({"a", a}), 1, NULL, 0);
  FAILS(WNN_TYPE_ERROR, "3 inputs are given", LIST({"a", a}, {"b", b}, {"c", longer}), 3, NULL, 0);
  FAILS(WNN_TYPE_ERROR, "no input named \"c\"", LIST({"a", a}, {"c", b}), 2, NULL, 0);
  FAILS(WNN_TYPE_ERROR, "no input named \"\"", LIST({"a", a}, {NULL, b}), 2, NULL, 0);
  FAILS(WNN_TYPE_ERROR, "input \"a\" is given twice", LIST({"a", a}, {"a", b}), 2, NULL, 0);
  FAILS(WNN_TYPE_ERROR, "input \"b\" is a constant tensor", LIST({"a", a}, {"b", constant}), 2, NULL, 0);
  FAILS(WNN_TYPE_ERROR, "input \"b\" is float32 [5], expected float32 [4]", LIST({"a", a}, {"b", longer}), 2, NULL, 0);
  /* 6: outputs */
  FAILS(WNN_TYPE_ERROR, "0 outputs are given, but the graph has 1", LIST({"a", a}, {"b", b}), 2, NULL, 0);
  FAILS(WNN_TYPE_ERROR, "no output named \"a\"", LIST({"a", a}, {"b", b}), 2, LIST({"a", out}), 1);
  FAILS(WNN_TYPE_ERROR, "output \"out\" is float32 [5]", LIST({"a", a}, {"b", b}), 2, LIST({"out", longer}), 1);
  FAILS(WNN_TYPE_ERROR, "output \"out\" is a constant", LIST({"a", a}, {"b", b}), 2, LIST({"out", constant}), 1);
  /* a failed call changes nothing */
  CHECK_OK(sample_dispatch(context, graph, b, a, out, &error), error);
  CHECK_EQ(sample_first(context, out), 6);
  /* 2: destroyed graph, before the tensors */
  wnn_graph_destroy(graph);
  FAILS(WNN_INVALID_STATE, "graph is destroyed", LIST({"x", dead}, {"x", dead}), 2, NULL, 0);
  wnn_context_destroy(context);
  FAILS(WNN_INVALID_STATE, "context is lost", LIST({"a", a}, {"b", b}), 2, LIST({"out", out}), 1);

  wnn_tensor *all[] = {a, b, out, longer, foreign, dead, constant};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) wnn_tensor_release(all[i]);
  wnn_graph_release(graph);
  wnn_context_release(other);
  wnn_context_release(context);
}

/* Graphs with many ports: names in an order of their own, bound in another one. */
static void many_ports(void) {
  enum { COUNT = 100 };
  wnn_context *context;
  wnn_builder *builder;
  wnn_graph *graph = NULL;
  wnn_operand *inputs[COUNT], *results[COUNT];
  wnn_named_operand outputs[COUNT];
  wnn_named_tensor given[COUNT], wanted[COUNT];
  char names[COUNT][8];
  wnn_desc desc = sample_desc(1);
  REQUIRE_OK(wnn_context_create(NULL, &context, &error), error);
  REQUIRE_OK(wnn_builder_create(context, &builder, &error), error);
  for (int i = 0; i < COUNT; i++) {
    snprintf(names[i], sizeof names[i], "n%d", i * 37 % COUNT);
    REQUIRE_OK(wnn_builder_input(builder, names[i], &desc, &inputs[i], &error), error);
  }
  for (int i = 0; i < COUNT; i++) {
    REQUIRE_OK(wnn_add(builder, inputs[i], inputs[(i + 1) % COUNT], NULL, &results[i], &error), error);
    outputs[i] = (wnn_named_operand){names[i], results[i]};
  }
  REQUIRE_OK(wnn_builder_build(builder, outputs, COUNT, &graph, &error), error);
  wnn_builder_release(builder);
  for (int i = 0; i < COUNT; i++) {
    int at = i * 7 % COUNT;
    given[i].name = wanted[i].name = names[at];
    REQUIRE_OK(sample_tensor(context, 1, (float)(at + 1), &given[i].tensor, &error), error);
    REQUIRE_OK(sample_tensor(context, 1, 0, &wanted[i].tensor, &error), error);
  }
  CHECK_OK(wnn_context_dispatch(context, graph, given, COUNT, wanted, COUNT, &error), error);
  for (int i = 0; i < COUNT; i++) {
    int at = i * 7 % COUNT;
    CHECK_EQ(sample_first(context, wanted[i].tensor), at + 1 + (at + 1) % COUNT + 1);
  }
  wnn_tensor *kept = wanted[99].tensor;
  wanted[99].tensor = given[0].tensor;
  CHECK_FAILS(wnn_context_dispatch(context, graph, given, COUNT, wanted, COUNT, &error), error, WNN_TYPE_ERROR,
              "same tensor");
  wanted[99].tensor = kept;
  for (int i = 0; i < COUNT; i++) {
    wnn_tensor_release(given[i].tensor);
    wnn_tensor_release(wanted[i].tensor);
  }
  wnn_graph_release(graph);
  wnn_context_release(context);
}

static void constant_tensors(void) {
  wnn_context *context, *other;
  wnn_builder *builder;
  wnn_tensor *constant, *plain, *out, *foreign;
  wnn_operand *operand, *result;
  wnn_graph *graph = NULL;
  wnn_desc desc = sample_desc(2);
  float values[2] = {4, 5};
  REQUIRE_OK(wnn_context_create(NULL, &context, &error), error);
  REQUIRE_OK(wnn_context_create(NULL, &other, &error), error);
  REQUIRE_OK(wnn_context_create_constant_tensor(context, &desc, values, 8, &constant, &error), error);
  REQUIRE_OK(wnn_context_create_constant_tensor(other, &desc, values, 8, &foreign, &error), error);
  REQUIRE_OK(sample_tensor(context, 2, 0, &plain, &error), error);
  REQUIRE_OK(sample_tensor(context, 2, 0, &out, &error), error);
  REQUIRE_OK(wnn_builder_create(context, &builder, &error), error);
  CHECK(wnn_builder_context(builder) == context);
  values[0] = 99; /* copied */
  CHECK_FAILS(wnn_builder_constant_tensor(builder, foreign, &operand, &error), error, WNN_TYPE_ERROR,
              "another context");
  CHECK_FAILS(wnn_builder_constant_tensor(builder, plain, &operand, &error), error, WNN_TYPE_ERROR,
              "not a constant tensor");
  wnn_tensor_destroy(plain);
  CHECK_FAILS(wnn_builder_constant_tensor(builder, plain, &operand, &error), error, WNN_TYPE_ERROR, "destroyed");
  REQUIRE_OK(wnn_builder_constant_tensor(builder, constant, &operand, &error), error);
  REQUIRE_OK(wnn_add(builder, operand, operand, NULL, &result, &error), error);
  wnn_named_operand outputs[] = {{"out", result}};
  wnn_tensor_release(constant); /* the builder keeps it: released is not destroyed */
  REQUIRE_OK(wnn_builder_build(builder, outputs, 1, &graph, &error), error);
  CHECK_FAILS(wnn_builder_build(builder, outputs, 1, &graph, &error), error, WNN_INVALID_STATE, "");
  wnn_named_tensor results[] = {{"out", out}};
  CHECK_OK(wnn_context_dispatch(context, graph, NULL, 0, results, 1, &error), error);
  CHECK_EQ(sample_first(context, out), 8);
  wnn_builder_release(builder);

  /* destroyed before build: refused when it is reachable */
  REQUIRE_OK(wnn_context_create_constant_tensor(context, &desc, values, 8, &constant, &error), error);
  REQUIRE_OK(wnn_builder_create(context, &builder, &error), error);
  REQUIRE_OK(wnn_builder_constant_tensor(builder, constant, &operand, &error), error);
  REQUIRE_OK(wnn_add(builder, operand, operand, NULL, &result, &error), error);
  wnn_tensor_destroy(constant);
  outputs[0].operand = result;
  wnn_graph *none = NULL;
  CHECK_FAILS(wnn_builder_build(builder, outputs, 1, &none, &error), error, WNN_TYPE_ERROR, "destroyed");
  CHECK(!none);
  wnn_context_destroy(context);
  CHECK_FAILS(wnn_builder_constant_tensor(builder, constant, &operand, &error), error, WNN_TYPE_ERROR, "destroyed");
  CHECK_FAILS(wnn_builder_build(builder, outputs, 1, &none, &error), error, WNN_INVALID_STATE, "lost");
  wnn_builder *second = NULL;
  CHECK_FAILS(wnn_builder_create(context, &second, &error), error, WNN_INVALID_STATE, "lost");
  CHECK(!second);
  wnn_builder_release(builder);
  wnn_builder_release(NULL);
  wnn_tensor_release(constant);
  wnn_tensor_release(foreign);
  wnn_tensor_release(plain);
  wnn_tensor_release(out);
  wnn_graph_release(graph);
  wnn_context_release(context);
  wnn_context_release(other);
}

int main(int argc, char **argv) {
  test_begin(argc, argv);
  TEST(context_facts);
  TEST(context_processors);
  TEST(limits_cover_required);
  TEST(tensor_creation);
  TEST(transfer_checks);
  TEST(graph_facts);
  TEST(dispatch_checks);
  TEST(many_ports);
  TEST(constant_tensors);
  return test_end();
}
