/* Models that are broken or mean harm: every one gives an error with a message, or works; none crashes, leaks or takes
 * memory by its claims alone. */
#include <sys/stat.h>
#include <webnn/webnn_onnx.h>

#include "onnx/encode.h"
#include "support/folder.h"
#include "support/test.h"

static wnn_context *context;

static const char *const sources[] = {
    "{\"opset\":13,\"nodes\":[{\"opType\":\"Conv\",\"inputs\":[\"x\",\"w\"],\"outputs\":[\"a\"],\"attributes\":{"
    "\"pads\":[1,1,1,1]}},"
    "{\"opType\":\"Relu\",\"inputs\":[\"a\"],\"outputs\":[\"b\"]},{\"opType\":\"Shape\",\"inputs\":[\"b\"],\"outputs\":"
    "[\"s\"]},"
    "{\"opType\":\"Reshape\",\"inputs\":[\"b\",\"s\"],\"outputs\":[\"y\"]}],\"graphInputs\":[\"x\"],\"graphOutputs\":["
    "\"y\"],"
    "\"initializers\":{\"w\":{\"dataType\":\"float32\",\"shape\":[1,1,3,3],\"data\":[1,2,3,4,5,6,7,8,9]}}}",
    "{\"opset\":16,\"nodes\":[{\"opType\":\"Loop\",\"inputs\":[\"n\",\"\",\"x\"],\"outputs\":[\"z\",\"y\"],"
    "\"attributes\":{\"body\":{"
    "\"inputs\":[\"i\",\"c\",\"v\"],\"outputs\":[\"c2\",\"v2\",\"s\"],\"nodes\":[{\"opType\":\"Identity\",\"inputs\":["
    "\"c\"],\"outputs\":[\"c2\"]},"
    "{\"opType\":\"Add\",\"inputs\":[\"v\",\"v\"],\"outputs\":[\"v2\"]},{\"opType\":\"Neg\",\"inputs\":[\"v\"],"
    "\"outputs\":[\"s\"]}]}}}],"
    "\"graphInputs\":[\"x\"],\"graphOutputs\":[\"y\",\"z\"],\"initializers\":{\"n\":{\"dataType\":\"int64\",\"shape\":["
    "],\"data\":[3]}}}",
    "{\"opset\":14,\"nodes\":[{\"opType\":\"LSTM\",\"inputs\":[\"x\",\"w\",\"r\"],\"outputs\":[\"y\",\"h\"],"
    "\"attributes\":{\"hidden_size\":1}},"
    "{\"opType\":\"Slice\",\"inputs\":[\"y\",\"a\",\"b\"],\"outputs\":[\"q\"]}],\"graphInputs\":[\"x\"],"
    "\"graphOutputs\":[\"q\",\"h\"],\"initializers\":{"
    "\"w\":{\"dataType\":\"float32\",\"shape\":[1,4,2],\"data\":[1,2,3,4,5,6,7,8]},\"r\":{\"dataType\":\"float32\","
    "\"shape\":[1,4,1],\"data\":[1,2,3,4]},"
    "\"a\":{\"dataType\":\"int64\",\"shape\":[1],\"data\":[0]},\"b\":{\"dataType\":\"int64\",\"shape\":[1],\"data\":[1]"
    "}}}",
};
static const char *const feeds[] = {
    "{\"x\":{\"dataType\":\"float32\",\"shape\":[1,1,4,4],\"data\":[]}}",
    "{\"x\":{\"dataType\":\"float32\",\"shape\":[2],\"data\":[]}}",
    "{\"x\":{\"dataType\":\"float32\",\"shape\":[2,1,2],\"data\":[]}}",
};
enum { SOURCES = sizeof sources / sizeof *sources };

static bytes source(int i) {
  json_object *model = json_tokener_parse(sources[i]), *given = json_tokener_parse(feeds[i]);
  bytes out = {0};
  CHECK(encode_model(model, given, &out));
  json_object_put(model);
  json_object_put(given);
  return out;
}

static void ignore(void *user, const wnn_onnx_report *report) { *(size_t *)user += report->reason[0] != 0; }

/* Opens, checks and lowers; a failure must have its status and a message. */
static wnn_status attempt(const void *data, size_t size, wnn_error *error) {
  wnn_onnx_model *model;
  wnn_onnx_options options = WNN_ONNX_OPTIONS_INIT;
  wnn_named_operand outputs[16];
  wnn_builder *builder;
  size_t count, reasons = 0;
  memset(error, 0, sizeof *error);
  options.max_nodes = 2000;
  wnn_status status = wnn_onnx_open_bytes(data, size, NULL, &model, error);
  if (!status) {
    wnn_onnx_check(model, context, &options, ignore, &reasons, NULL, error);
    memset(error, 0, sizeof *error);
    status = wnn_builder_create(context, &builder, error);
    if (!status) {
      status = wnn_onnx_lower(model, builder, &options, outputs, 16, &count, error);
      wnn_builder_release(builder);
    }
    wnn_onnx_release(model);
  }
  CHECK(status == WNN_OK ||
        (error->status == status && error->message[0] && strlen(error->message) < sizeof error->message));
  return status;
}

static void expect_error(bytes *model, wnn_status status, const char *part) {
  wnn_error error;
  wnn_status got = attempt(model->data, model->size, &error);
  CHECK_MSG(got == status && strstr(error.message, part), "%s: \"%s\", expected %s with \"%s\"", wnn_status_name(got),
            error.message, wnn_status_name(status), part);
  bytes_free(model);
}

static void sound_models(void) {
  for (int i = 0; i < SOURCES; i++) {
    bytes model = source(i);
    wnn_error error;
    CHECK_OK(attempt(model.data, model.size, &error), error);
    bytes_free(&model);
  }
}

static void truncated(void) {
  for (int i = 0; i < SOURCES; i++) {
    bytes model = source(i);
    size_t refused = 0;
    for (size_t size = 0; size < model.size; size++) {
      /* A copy of its own, so that a read past the end shows. */
      void *part = malloc(size ? size : 1);
      wnn_error error;
      memcpy(part, model.data, size);
      refused += attempt(part, size, &error) != WNN_OK;
      free(part);
    }
    CHECK_EQ(refused, model.size);
    bytes_free(&model);
  }
}

static void flipped(void) {
  for (int i = 0; i < SOURCES; i++) {
    bytes model = source(i);
    for (size_t bit = 0; bit < model.size * 8; bit++) {
      wnn_error error;
      model.data[bit / 8] ^= (uint8_t)(1 << bit % 8);
      attempt(model.data, model.size, &error);
      model.data[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    bytes_free(&model);
  }
}

static void nested(void) {
  bytes inner = {0}, model = {0};
  for (int depth = 0; depth < 1000; depth++) {
    bytes attribute = {0}, node = {0}, graph = {0};
    put_text(&attribute, 1, "then_branch");
    put_message(&attribute, 6, &inner);
    put_int(&attribute, 20, 5);
    put_text(&node, 2, "y");
    put_text(&node, 4, "If");
    put_message(&node, 5, &attribute);
    put_message(&graph, 1, &node);
    inner = graph;
  }
  finish_model(&inner, &model);
  expect_error(&model, WNN_DATA_ERROR, "nested");
}

static void recursive_functions(void) {
  bytes graph = {0}, model = {0}, function = {0}, node = {0};
  static const int64_t sizes[] = {2};
  put_node(&graph, "F", "x", "y");
  put_port(&graph, 11, "x", 1, sizes, 1);
  put_port(&graph, 12, "y", 1, sizes, 1);
  put_text(&function, 1, "F");
  put_text(&function, 4, "a");
  put_text(&function, 5, "b");
  put_text(&node, 1, "a");
  put_text(&node, 2, "b");
  put_text(&node, 4, "F");
  put_message(&function, 7, &node);
  finish_model(&graph, &model);
  put_message(&model, 25, &function);
  expect_error(&model, WNN_DATA_ERROR, "nested");
}

static void cycle(void) {
  bytes graph = {0}, model = {0};
  static const int64_t sizes[] = {2};
  put_node(&graph, "Relu", "b", "a");
  put_node(&graph, "Relu", "a", "b");
  put_port(&graph, 12, "b", 1, sizes, 1);
  finish_model(&graph, &model);
  expect_error(&model, WNN_DATA_ERROR, "'b' is used before");
}

static void huge_dimensions(void) {
  static const int64_t shapes[][2] = {{INT64_MAX, INT64_MAX}, {2147483647, 2147483647}, {46341, 46341}, {-5, 2}};
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
    bytes graph = {0}, model = {0}, tensor = {0};
    wnn_error error;
    put_int(&tensor, 1, shapes[i][0]);
    put_int(&tensor, 1, shapes[i][1]);
    put_int(&tensor, 2, 1);
    put_text(&tensor, 8, "w");
    put_bytes(&tensor, 9, "1234", 4);
    put_message(&graph, 5, &tensor);
    put_node(&graph, "Relu", "w", "y");
    put_port(&graph, 12, "y", 1, shapes[i], 2);
    finish_model(&graph, &model);
    CHECK_EQ(attempt(model.data, model.size, &error), WNN_DATA_ERROR);
    CHECK_CONTAINS(error.message, "tensor 'w'");
    bytes_free(&model);
  }
}

static void huge_results(void) {
  json_object *model_json = json_tokener_parse("{\"opset\":13,\"nodes\":[{\"opType\":\"ConstantOfShape\",\"inputs\":["
                                               "\"s\"],\"outputs\":[\"y\"]}],\"graphInputs\":[],"
                                               "\"graphOutputs\":[\"y\"],\"initializers\":{\"s\":{\"dataType\":"
                                               "\"int64\",\"shape\":[3],\"data\":[100000,100000,100000]}}}");
  bytes model = {0};
  CHECK(encode_model(model_json, NULL, &model));
  json_object_put(model_json);
  expect_error(&model, WNN_DATA_ERROR, "too large");
}

static void endless_loop(void) {
  json_object *model_json = json_tokener_parse(sources[1]), *given = json_tokener_parse(feeds[1]);
  json_object *n = json_object_object_get(json_object_object_get(model_json, "initializers"), "n");
  json_object_object_add(n, "data", json_tokener_parse("[9000000000000000000]"));
  bytes model = {0};
  CHECK(encode_model(model_json, given, &model));
  json_object_put(model_json);
  json_object_put(given);
  expect_error(&model, WNN_NOT_SUPPORTED, "nodes after unrolling");
}

static bytes external_model(const char *location, const char *offset) {
  bytes graph = {0}, model = {0}, tensor = {0}, entry = {0};
  static const int64_t sizes[] = {2};
  put_int(&tensor, 1, 2);
  put_int(&tensor, 2, 1);
  put_text(&tensor, 8, "w");
  put_text(&entry, 1, "location");
  put_text(&entry, 2, location);
  put_message(&tensor, 13, &entry);
  put_text(&entry, 1, "offset");
  put_text(&entry, 2, offset);
  put_message(&tensor, 13, &entry);
  put_int(&tensor, 14, 1);
  put_message(&graph, 5, &tensor);
  put_node(&graph, "Relu", "w", "y");
  put_port(&graph, 12, "y", 1, sizes, 1);
  finish_model(&graph, &model);
  return model;
}

static wnn_status try_external(const char *folder, const char *location, const char *offset, wnn_error *error) {
  bytes bytes_of = external_model(location, offset);
  wnn_onnx_model *model;
  wnn_onnx_session *session;
  wnn_onnx_result *result = NULL;
  memset(error, 0, sizeof *error);
  wnn_status status = wnn_onnx_open_bytes(bytes_of.data, bytes_of.size, folder, &model, error);
  bytes_free(&bytes_of);
  if (status) return status;
  status = wnn_onnx_session_create(context, model, NULL, &session, error);
  if (!status) status = wnn_onnx_session_run(session, NULL, 0, NULL, 0, &result, error);
  if (!status) CHECK(((const float *)wnn_onnx_result_get(result, 0)->data)[1] == 3);
  wnn_onnx_result_release(result);
  wnn_onnx_session_release(session);
  wnn_onnx_release(model);
  return status;
}

static void external_data(void) {
  char folder[TEST_PATH], other[TEST_PATH], path[TEST_PATH + 16], outside[TEST_PATH + 16], link[TEST_PATH + 16];
  static const float values[] = {1, 2, 3};
  wnn_error error;
  REQUIRE(test_folder(folder) && test_folder(other));
  snprintf(path, sizeof path, "%s/data.bin", folder);
  snprintf(outside, sizeof outside, "%s/data.bin", other);
  for (int i = 0; i < 2; i++) {
    FILE *file = fopen(i ? outside : path, "wb");
    REQUIRE(file);
    CHECK(fwrite(values, 1, sizeof values, file) == sizeof values);
    fclose(file);
  }
  CHECK_OK(try_external(folder, "data.bin", "4", &error), error);
  CHECK_FAILS(try_external(folder, "data.bin", "8", &error), error, WNN_DATA_ERROR, "bytes");
  CHECK_FAILS(try_external(folder, "data.bin", "99999999999999999999", &error), error, WNN_DATA_ERROR, "past the end");
  CHECK_FAILS(try_external(folder, "../data.bin", "0", &error), error, WNN_DATA_ERROR, "outside");
  CHECK_FAILS(try_external(folder, outside, "0", &error), error, WNN_DATA_ERROR, "outside");
  CHECK_FAILS(try_external(folder, "gone.bin", "0", &error), error, WNN_IO_ERROR, "gone.bin");
  CHECK_FAILS(try_external(NULL, "data.bin", "0", &error), error, WNN_DATA_ERROR, "opened from a file");
  snprintf(link, sizeof link, "%s/link.bin", folder);
  REQUIRE(!symlink(outside, link));
  CHECK_FAILS(try_external(folder, "link.bin", "0", &error), error, WNN_DATA_ERROR, "outside");
  test_remove_folder(folder);
  test_remove_folder(other);
}

static void not_a_model(void) {
  wnn_error error;
  wnn_onnx_model *model;
  CHECK_FAILS(wnn_onnx_open("/nonexistent/model.onnx", &model, &error), error, WNN_IO_ERROR, "/nonexistent/model.onnx");
  CHECK_FAILS(wnn_onnx_open("/", &model, &error), error, WNN_IO_ERROR, "not a regular file");
  CHECK_FAILS(wnn_onnx_open_bytes("", 0, NULL, &model, &error), error, WNN_DATA_ERROR, "no graph");
  CHECK_FAILS(wnn_onnx_open_bytes("hello world", 11, NULL, &model, &error), error, WNN_DATA_ERROR, "malformed");
}

/* Types that do not fit: of attributes, of inputs, of data. */
static void wrong_types(void) {
  static const struct {
    const char *node, *tensor;
    wnn_status status;
    const char *part;
  } cases[] = {
      {"{\"opType\":\"Gather\",\"inputs\":[\"x\",\"w\"],\"outputs\":[\"y\"],\"attributes\":{\"axis\":\"0\"}}",
       "{\"dataType\":\"int64\",\"shape\":[1],\"data\":[0]}", WNN_DATA_ERROR, "'axis' has the wrong type"},
      {"{\"opType\":\"Gather\",\"inputs\":[\"x\",\"w\"],\"outputs\":[\"y\"],\"attributes\":{\"axis\":7}}",
       "{\"dataType\":\"int64\",\"shape\":[1],\"data\":[0]}", WNN_DATA_ERROR, "out of range"},
      {"{\"opType\":\"Concat\",\"inputs\":[\"x\",\"w\"],\"outputs\":[\"y\"],\"attributes\":{\"axis\":0}}",
       "{\"dataType\":\"int32\",\"shape\":[1,1,4,4],\"data\":[1,2,3,4,5,6,7,8,1,2,3,4,5,6,7,8]}", WNN_DATA_ERROR,
       "int32"},
      {"{\"opType\":\"Add\",\"inputs\":[\"x\",\"w\"],\"outputs\":[\"y\"]}",
       "{\"dataType\":\"float32\",\"shape\":[3],\"data\":[1,2,3]}", WNN_DATA_ERROR, "add"},
      {"{\"opType\":\"Reshape\",\"inputs\":[\"x\",\"w\"],\"outputs\":[\"y\"]}",
       "{\"dataType\":\"int64\",\"shape\":[2],\"data\":[-1,-1]}", WNN_DATA_ERROR, "more than one -1"},
      {"{\"opType\":\"Relu\",\"inputs\":[\"x\",\"w\"],\"outputs\":[\"y\"]}",
       "{\"dataType\":\"int64\",\"shape\":[1],\"data\":[0]}", WNN_DATA_ERROR, "at most 1"},
      {"{\"opType\":\"Conv\",\"inputs\":[\"x\"],\"outputs\":[\"y\"]}",
       "{\"dataType\":\"int64\",\"shape\":[1],\"data\":[0]}", WNN_DATA_ERROR, "at least 2"},
      {"{\"opType\":\"Relu\",\"inputs\":[\"x\"],\"outputs\":[\"y\"],\"attributes\":{\"slope\":1}}",
       "{\"dataType\":\"int64\",\"shape\":[1],\"data\":[0]}", WNN_NOT_SUPPORTED, "'slope' is unknown"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[1024];
    snprintf(
        text, sizeof text,
        "{\"opset\":17,\"nodes\":[%s],\"graphInputs\":[\"x\"],\"graphOutputs\":[\"y\"],\"initializers\":{\"w\":%s}}",
        cases[i].node, cases[i].tensor);
    json_object *json = json_tokener_parse(text), *given = json_tokener_parse(feeds[0]);
    bytes model = {0};
    CHECK(json && encode_model(json, given, &model));
    json_object_put(json);
    json_object_put(given);
    expect_error(&model, cases[i].status, cases[i].part);
  }
}

static void unknown_operator(void) {
  bytes graph = {0}, model = {0};
  static const int64_t sizes[] = {2};
  put_port(&graph, 11, "x", 1, sizes, 1);
  put_node(&graph, "Frobnicate", "x", "y");
  put_port(&graph, 12, "y", 1, sizes, 1);
  finish_model(&graph, &model);
  expect_error(&model, WNN_NOT_SUPPORTED, "Frobnicate");
}

int main(int argc, char **argv) {
  wnn_context_options options = WNN_CONTEXT_OPTIONS_INIT;
  options.threads = 1;
  options.reference = true;
  test_begin(argc, argv);
  if (wnn_context_create(&options, &context, NULL)) return 1;
  TEST(sound_models);
  TEST(truncated);
  TEST(flipped);
  TEST(nested);
  TEST(recursive_functions);
  TEST(cycle);
  TEST(huge_dimensions);
  TEST(huge_results);
  TEST(endless_loop);
  TEST(external_data);
  TEST(not_a_model);
  TEST(wrong_types);
  TEST(unknown_operator);
  wnn_context_release(context);
  return test_end();
}
