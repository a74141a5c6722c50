/* Sessions and lowering through the public header: listings, dimensions, bound values, the cache, tensors, checks. */
#include <sys/stat.h>
#include <webnn/webnn_onnx.h>

#include "onnx/encode.h"
#include "support/folder.h"
#include "support/test.h"

static wnn_context *context;

/* y = x + x over [N, 2], flag: an input that picks twice or thrice. */
static const char switched[] =
    "{\"opset\":13,\"nodes\":[{\"opType\":\"If\",\"inputs\":[\"flag\"],\"outputs\":[\"y\"],\"attributes\":{"
    "\"then_branch\":{\"nodes\":[{\"opType\":\"Mul\",\"inputs\":[\"x\",\"two\"],\"outputs\":[\"a\"]}]},"
    "\"else_branch\":{\"nodes\":[{\"opType\":\"Mul\",\"inputs\":[\"x\",\"three\"],\"outputs\":[\"b\"]}]}}},"
    "{\"opType\":\"Shape\",\"inputs\":[\"x\"],\"outputs\":[\"s\"]}],"
    "\"graphInputs\":[\"x\",\"flag\"],\"graphOutputs\":[\"y\",\"s\"],\"initializers\":{"
    "\"two\":{\"dataType\":\"float32\",\"shape\":[],\"data\":[2]},\"three\":{\"dataType\":\"float32\",\"shape\":[],"
    "\"data\":[3]}}}";

/* A model whose input x has open dimensions ["N", unnamed]. */
static wnn_onnx_model *open_model(const char *json) {
  json_object *model = json_tokener_parse(json);
  bytes encoded = {0};
  wnn_onnx_model *out = NULL;
  wnn_error error;
  json_object *feeds = json_tokener_parse("{\"x\":{\"dataType\":\"float32\",\"shape\":[-1,-1]}}");
  CHECK(encode_model(model, feeds, &encoded));
  CHECK_OK(wnn_onnx_open_bytes(encoded.data, encoded.size, NULL, &out, &error), error);
  bytes_free(&encoded);
  json_object_put(model);
  json_object_put(feeds);
  return out;
}

static wnn_onnx_tensor rows(const float *data, uint32_t n) {
  return (wnn_onnx_tensor){"x", {WNN_FLOAT32, 2, {n, 2}}, data, n * 2 * sizeof *data};
}

static wnn_onnx_tensor flag(const uint8_t *value) { return (wnn_onnx_tensor){"flag", {WNN_UINT8, 0, {0}}, value, 1}; }

static void listing(void) {
  wnn_onnx_model *model = open_model(switched);
  REQUIRE(model);
  const wnn_onnx_info *info = wnn_onnx_get_info(model);
  CHECK_EQ(info->input_count, 2);
  CHECK_EQ(info->output_count, 2);
  CHECK_EQ(info->node_count, 2);
  CHECK_EQ(info->parameter_count, 2);
  CHECK_EQ(wnn_onnx_find_input(model, "flag"), 1);
  CHECK_EQ(wnn_onnx_find_input(model, "y"), -1);
  CHECK_STR(wnn_onnx_get_input(model, 1)->type, "bool");
  CHECK_EQ(wnn_onnx_get_input(model, 0)->rank, 2);
  CHECK_EQ(wnn_onnx_get_input(model, 0)->dims[0].size, -1);
  CHECK(!wnn_onnx_get_input(model, 2) && !wnn_onnx_get_output(model, 2));
  wnn_onnx_node node;
  REQUIRE(wnn_onnx_get_node(model, 0, &node));
  CHECK_STR(node.op, "If");
  CHECK_STR(node.output, "y");
  CHECK(!wnn_onnx_get_node(model, 2, &node));
  CHECK(wnn_onnx_knows("", "Conv", 11) && wnn_onnx_knows("ai.onnx", "Relu", 6) &&
        wnn_onnx_knows("com.microsoft", "Attention", 1));
  CHECK(!wnn_onnx_knows("", "NonMaxSuppression", 11) && !wnn_onnx_knows("", "Erf", 8));
  wnn_onnx_release(model);
}

static void cached_graphs(void) {
  wnn_onnx_model *model = open_model(switched);
  wnn_onnx_session_options options = WNN_ONNX_SESSION_OPTIONS_INIT;
  wnn_onnx_session *session;
  wnn_onnx_stats stats;
  wnn_error error;
  static const float data[] = {1, 2, 3, 4, 5, 6};
  static const uint8_t on = 1, off = 0;
  options.cache = 2;
  REQUIRE(model);
  REQUIRE_OK(wnn_onnx_session_create(context, model, &options, &session, &error), error);
  wnn_onnx_release(model); /* the session keeps it */
  for (int round = 0; round < 6; round++) {
    uint32_t n = round < 4 ? 1 + (uint32_t)(round & 1) : 3;
    const uint8_t *chosen = round == 5 ? &off : &on;
    wnn_onnx_tensor inputs[] = {flag(chosen), rows(data, n)};
    wnn_onnx_result *result;
    REQUIRE_OK(wnn_onnx_session_run(session, inputs, 2, NULL, 0, &result, &error), error);
    CHECK_EQ(wnn_onnx_result_count(result), 2);
    const wnn_onnx_tensor *y = wnn_onnx_result_find(result, "y"), *s = wnn_onnx_result_get(result, 1);
    CHECK(y && y->desc.shape[0] == n && ((const float *)y->data)[1] == (round == 5 ? 6 : 4));
    CHECK(((const int64_t *)s->data)[0] == n);
    wnn_onnx_result_release(result);
  }
  wnn_onnx_session_get_stats(session, &stats);
  CHECK_EQ(stats.runs, 6);
  CHECK_EQ(stats.compiled, 4);
  CHECK_EQ(stats.hits, 2);
  CHECK_EQ(stats.evicted, 2);
  CHECK_EQ(stats.cached, 2);
  wnn_onnx_session_release(session);
}

/* Leaves half of every file in a folder; returns how many there are. */
static int spoil_files(const char *folder) {
  char path[TEST_PATH + 300];
  int count = 0;
  DIR *listing = opendir(folder);
  for (struct dirent *e; listing && (e = readdir(listing));) {
    struct stat facts;
    snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
    if (e->d_name[0] != '.' && !stat(path, &facts)) count += !truncate(path, facts.st_size / 2);
  }
  if (listing) closedir(listing);
  return count;
}

/* A later session finds the graph of an earlier one; a file that is not whole is not believed. */
static void saved_graphs(void) {
  char folder[TEST_PATH];
  REQUIRE(test_folder(folder));
  static const float data[] = {1, 2, 3, 4};
  static const uint8_t on = 1;
  static const struct {
    uint32_t rows;
    int loaded;
    bool spoil;
  } runs[] = {{1, 0, false}, {1, 1, false}, {2, 0, false}, {2, 1, true}, {2, 0, false}, {2, 1, false}};
  for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
    wnn_onnx_model *model = open_model(switched);
    wnn_onnx_session_options options = WNN_ONNX_SESSION_OPTIONS_INIT;
    wnn_onnx_session *session;
    wnn_onnx_stats stats;
    wnn_error error;
    options.cache_folder = folder;
    REQUIRE(model);
    REQUIRE_OK(wnn_onnx_session_create(context, model, &options, &session, &error), error);
    wnn_onnx_release(model);
    wnn_onnx_tensor inputs[] = {flag(&on), rows(data, runs[i].rows)};
    wnn_onnx_result *result;
    REQUIRE_OK(wnn_onnx_session_run(session, inputs, 2, NULL, 0, &result, &error), error);
    const wnn_onnx_tensor *y = wnn_onnx_result_find(result, "y"), *s = wnn_onnx_result_get(result, 1);
    REQUIRE(y && y->desc.shape[0] == runs[i].rows);
    for (uint32_t k = 0; k < 2 * runs[i].rows; k++) CHECK(((const float *)y->data)[k] == 2 * data[k]);
    CHECK(((const int64_t *)s->data)[0] == runs[i].rows);
    wnn_onnx_result_release(result);
    wnn_onnx_session_get_stats(session, &stats);
    CHECK_EQ(stats.loaded, runs[i].loaded);
    wnn_onnx_session_release(session);
    if (runs[i].spoil) CHECK(spoil_files(folder) >= 2);
  }
  CHECK(test_remove_folder(folder) >= 2);
}

static void wrong_inputs(void) {
  wnn_onnx_model *model = open_model(switched);
  wnn_onnx_session *session;
  wnn_onnx_result *result;
  wnn_error error;
  static const float data[] = {1, 2};
  static const uint8_t on = 1;
  REQUIRE(model);
  REQUIRE_OK(wnn_onnx_session_create(context, model, NULL, &session, &error), error);
  wnn_onnx_tensor inputs[] = {rows(data, 1), flag(&on), rows(data, 1)};
  CHECK_FAILS(wnn_onnx_session_run(session, inputs, 1, NULL, 0, &result, &error), error, WNN_TYPE_ERROR,
              "'flag' is missing");
  CHECK_FAILS(wnn_onnx_session_run(session, inputs, 3, NULL, 0, &result, &error), error, WNN_TYPE_ERROR, "given twice");
  inputs[2].name = "z";
  CHECK_FAILS(wnn_onnx_session_run(session, inputs, 3, NULL, 0, &result, &error), error, WNN_TYPE_ERROR,
              "no input 'z'");
  inputs[0].size = 4;
  CHECK_FAILS(wnn_onnx_session_run(session, inputs, 2, NULL, 0, &result, &error), error, WNN_TYPE_ERROR, "has 4 bytes");
  inputs[0] = rows(data, 1);
  inputs[0].desc.data_type = WNN_INT32;
  CHECK_FAILS(wnn_onnx_session_run(session, inputs, 2, NULL, 0, &result, &error), error, WNN_TYPE_ERROR,
              "float32, not int32");
  inputs[0] = rows(data, 1);
  inputs[0].desc = (wnn_desc){WNN_FLOAT32, 1, {2}};
  CHECK_FAILS(wnn_onnx_session_run(session, inputs, 2, NULL, 0, &result, &error), error, WNN_TYPE_ERROR, "rank 2");
  inputs[0] = rows(data, 1);
  static const char *const names[] = {"nothing"};
  CHECK_FAILS(wnn_onnx_session_run(session, inputs, 2, names, 1, &result, &error), error, WNN_TYPE_ERROR,
              "no output 'nothing'");
  wnn_onnx_session_release(session);
  wnn_onnx_release(model);
}

/* Tensors of the context; the switch is bound in the options, sizes come from them too. */
static void tensors_and_options(void) {
  wnn_onnx_model *model = open_model(switched);
  wnn_onnx_session_options options = WNN_ONNX_SESSION_OPTIONS_INIT;
  wnn_onnx_session *session;
  wnn_graph *graph;
  wnn_error error;
  static const float data[] = {1, 2, 3, 4};
  static const uint8_t off = 0;
  const wnn_onnx_value bound = {"flag", {WNN_UINT8, 0, {0}}, &off, 1};
  const wnn_onnx_size sizes[] = {{NULL, "x", 0, 2}, {NULL, "x", 1, 2}};
  options.import.values = &bound;
  options.import.value_count = 1;
  options.import.sizes = sizes;
  options.import.size_count = 2;
  REQUIRE(model);
  REQUIRE_OK(wnn_onnx_session_create(context, model, &options, &session, &error), error);
  CHECK_OK(wnn_onnx_session_prepare(session, NULL, 0, &graph, &error), error);
  CHECK_EQ(wnn_graph_input_count(graph), 1);
  CHECK_EQ(wnn_graph_input_desc(graph, 0)->shape[0], 2);
  wnn_tensor *x, *y;
  float got[4] = {0};
  const wnn_desc desc = {WNN_FLOAT32, 2, {2, 2}};
  REQUIRE_OK(wnn_context_create_tensor(context, &desc, WNN_TENSOR_WRITABLE, &x, &error), error);
  REQUIRE_OK(wnn_context_create_tensor(context, &desc, WNN_TENSOR_READABLE, &y, &error), error);
  CHECK_OK(wnn_context_write_tensor(context, x, data, sizeof data, &error), error);
  CHECK_OK(wnn_onnx_session_dispatch(session, &(wnn_named_tensor){"x", x}, 1, &(wnn_named_tensor){"y", y}, 1, &error),
           error);
  CHECK_OK(wnn_context_read_tensor(context, y, got, sizeof got, &error), error);
  CHECK(got[0] == 3 && got[3] == 12);
  wnn_tensor_release(x);
  wnn_tensor_release(y);
  wnn_onnx_session_release(session);
  wnn_onnx_release(model);
}

static void open_dimension(void) {
  wnn_onnx_model *model = open_model(switched);
  wnn_builder *builder;
  wnn_named_operand outputs[2];
  size_t count;
  wnn_error error;
  wnn_onnx_options options = WNN_ONNX_OPTIONS_INIT;
  REQUIRE(model);
  REQUIRE_OK(wnn_builder_create(context, &builder, &error), error);
  CHECK_FAILS(wnn_onnx_lower(model, builder, &options, outputs, 2, &count, &error), error, WNN_TYPE_ERROR,
              "dimension 0");
  wnn_builder_release(builder);
  /* Both branches on demand, any size. */
  options.default_size = 2;
  options.both_branches = true;
  REQUIRE_OK(wnn_builder_create(context, &builder, &error), error);
  CHECK_OK(wnn_onnx_lower(model, builder, &options, outputs, 2, &count, &error), error);
  CHECK_EQ(count, 2);
  CHECK_FAILS(wnn_onnx_lower(model, builder, &options, outputs, 1, &count, &error), error, WNN_TYPE_ERROR,
              "room for 1");
  wnn_builder_release(builder);
  wnn_onnx_release(model);
}

typedef struct seen {
  int supported, unsupported, unknown;
  char reason[256], node[64];
} seen;

static void note(void *user, const wnn_onnx_report *report) {
  seen *s = user;
  s->supported += report->support == WNN_ONNX_SUPPORTED;
  s->unknown += report->support == WNN_ONNX_UNKNOWN;
  if (report->support != WNN_ONNX_UNSUPPORTED || s->unsupported++) return;
  snprintf(s->reason, sizeof s->reason, "%s", report->reason);
  snprintf(s->node, sizeof s->node, "%s/%s", report->op, report->output);
}

static void check(void) {
  static const char json[] = "{\"opset\":13,\"nodes\":[{\"opType\":\"Relu\",\"inputs\":[\"x\"],\"outputs\":[\"a\"]},"
                             "{\"opType\":\"NonZero\",\"inputs\":[\"a\"],\"outputs\":[\"b\"]},{\"opType\":"
                             "\"Transpose\",\"inputs\":[\"b\"],\"outputs\":[\"c\"]},"
                             "{\"opType\":\"Bogus\",\"inputs\":[\"a\"],\"outputs\":[\"d\"]},{\"opType\":\"Exp\","
                             "\"inputs\":[\"a\"],\"outputs\":[\"y\"]}],"
                             "\"graphInputs\":[\"x\"],\"graphOutputs\":[\"c\",\"d\",\"y\"]}";
  wnn_onnx_model *model = open_model(json);
  wnn_onnx_options options = WNN_ONNX_OPTIONS_INIT;
  seen s = {0};
  size_t unsupported = 0;
  wnn_error error;
  options.default_size = 3;
  REQUIRE(model);
  CHECK_OK(wnn_onnx_check(model, context, &options, note, &s, &unsupported, &error), error);
  CHECK_EQ(s.supported, 2);
  CHECK_EQ(s.unsupported, 2);
  CHECK_EQ(s.unknown, 1);
  CHECK_EQ(unsupported, 2);
  CHECK_STR(s.node, "NonZero/b");
  CHECK_CONTAINS(s.reason, "no fixed length");
  wnn_onnx_release(model);
}

int main(int argc, char **argv) {
  wnn_context_options options = WNN_CONTEXT_OPTIONS_INIT;
  options.threads = 1;
  test_begin(argc, argv);
  if (wnn_context_create(&options, &context, NULL)) return 1;
  TEST(listing);
  TEST(cached_graphs);
  TEST(saved_graphs);
  TEST(wrong_inputs);
  TEST(tensors_and_options);
  TEST(open_dimension);
  TEST(check);
  wnn_context_release(context);
  return test_end();
}
