/* Tensor data in every form that a model file may hold it: raw bytes, each typed field, sparse lists, external files.
 */
#include <fcntl.h>
#include <math.h>
#include <webnn/webnn_onnx.h>

#include "onnx/encode.h"
#include "support/folder.h"
#include "support/test.h"

static wnn_context *context;

enum { RAW = 9, FLOATS = 4, INT32S = 5, INT64S = 7, DOUBLES = 10, UINT64S = 11 };

/* The model's only result; NULL with the error when it fails. */
static wnn_onnx_result *result_of(bytes *model, const char *folder, wnn_error *error) {
  wnn_onnx_model *opened;
  wnn_onnx_session *session = NULL;
  wnn_onnx_result *result = NULL;
  memset(error, 0, sizeof *error);
  wnn_status status = wnn_onnx_open_bytes(model->data, model->size, folder, &opened, error);
  bytes_free(model);
  if (status) return NULL;
  status = wnn_onnx_session_create(context, opened, NULL, &session, error);
  if (!status) status = wnn_onnx_session_run(session, NULL, 0, NULL, 0, &result, error);
  wnn_onnx_session_release(session);
  wnn_onnx_release(opened);
  return status ? NULL : result;
}

static bytes model_of(bytes *tensor, uint32_t field) {
  bytes graph = {0}, model = {0};
  put_message(&graph, field, tensor);
  put_node(&graph, "Identity", "w", "y");
  put_port(&graph, 12, "y", 0, NULL, 0);
  finish_model(&graph, &model);
  return model;
}

static void expect(bytes *model, const char *folder, const char *what, wnn_data_type type, uint32_t count,
                   const void *data) {
  wnn_error error;
  wnn_onnx_result *result = result_of(model, folder, &error);
  CHECK_MSG(result, "%s: %s", what, error.message);
  if (!result) return;
  const wnn_onnx_tensor *y = wnn_onnx_result_get(result, 0);
  CHECK_MSG(y->desc.data_type == type, "%s is %s", what, wnn_data_type_name(y->desc.data_type));
  CHECK_EQ(wnn_desc_elements(&y->desc), count);
  CHECK_MSG(y->size == count * wnn_data_type_size(type) && !memcmp(y->data, data, y->size), "%s differs", what);
  wnn_onnx_result_release(result);
}

static void refuse(bytes *model, const char *folder, wnn_status status, const char *part) {
  wnn_error error;
  wnn_onnx_result *result = result_of(model, folder, &error);
  CHECK_MSG(!result && error.status == status && strstr(error.message, part), "%s: \"%s\", expected \"%s\"",
            wnn_status_name(error.status), error.message, part);
  wnn_onnx_result_release(result);
}

static bytes tensor_head(int type, uint32_t count, const char *name) {
  bytes tensor = {0};
  put_int(&tensor, 1, count);
  put_int(&tensor, 2, type);
  put_text(&tensor, 8, name);
  return tensor;
}

/* ---- Typed fields ------------------------------------------------------------------------------------------------ */

typedef struct form {
  const char *name;
  int type;
  uint32_t field, elements, wire_count;
  const void *wire; /* int64_t for integer fields, float or double, or raw bytes (wire_count of them) */
  wnn_data_type carrier;
  const void *expected;
} form;

#define I64(...) ((const int64_t[]){__VA_ARGS__})
#define U8(...) ((const uint8_t[]){__VA_ARGS__})

static const form forms[] = {
    {"float", 1, FLOATS, 2, 2, (const float[]){1.5f, -2}, WNN_FLOAT32, (const float[]){1.5f, -2}},
    {"float, raw", 1, RAW, 1, 4, U8(0, 0, 0xC0, 0x3F), WNN_FLOAT32, (const float[]){1.5f}},
    {"double", 11, DOUBLES, 3, 3, (const double[]){0.1, -3, 1e300}, WNN_FLOAT32, (const float[]){0.1f, -3, INFINITY}},
    {"double, raw", 11, RAW, 1, 8, U8(0, 0, 0, 0, 0, 0, 0xF8, 0xBF), WNN_FLOAT32, (const float[]){-1.5f}},
    {"int64", 7, INT64S, 3, 3, I64(INT64_MIN, -1, INT64_MAX), WNN_INT64, I64(INT64_MIN, -1, INT64_MAX)},
    {"int64, raw", 7, RAW, 1, 8, U8(0xFE, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF), WNN_INT64, I64(-2)},
    {"uint64", 13, UINT64S, 2, 2, I64(-1, 7), WNN_UINT64, (const uint64_t[]){UINT64_MAX, 7}},
    {"uint32", 12, UINT64S, 2, 2, I64(4294967295, 7), WNN_UINT32, (const uint32_t[]){UINT32_MAX, 7}},
    {"uint32, raw", 12, RAW, 1, 4, U8(0xFF, 0xFF, 0xFF, 0x80), WNN_UINT32, (const uint32_t[]){0x80FFFFFF}},
    {"int32", 6, INT32S, 2, 2, I64(-5, INT32_MAX), WNN_INT32, (const int32_t[]){-5, INT32_MAX}},
    {"int16", 5, INT32S, 2, 2, I64(-32768, 7), WNN_INT32, (const int32_t[]){-32768, 7}},
    {"int16, raw", 5, RAW, 2, 4, U8(0xFF, 0xFF, 2, 1), WNN_INT32, (const int32_t[]){-1, 258}},
    {"uint16", 4, INT32S, 2, 2, I64(65535, 7), WNN_INT32, (const int32_t[]){65535, 7}},
    {"uint16, raw", 4, RAW, 1, 2, U8(0xFF, 0xFF), WNN_INT32, (const int32_t[]){65535}},
    {"int8", 3, INT32S, 2, 2, I64(-128, 7), WNN_INT8, (const int8_t[]){-128, 7}},
    {"uint8", 2, INT32S, 2, 2, I64(255, 7), WNN_UINT8, U8(255, 7)},
    {"bool", 9, INT32S, 3, 3, I64(1, 0, 1), WNN_UINT8, U8(1, 0, 1)},
    {"bool, raw", 9, RAW, 3, 3, U8(1, 0, 7), WNN_UINT8, U8(1, 0, 1)},
    {"float16", 10, INT32S, 3, 3, I64(0x3C00, 0xC000, 0x7C00), WNN_FLOAT16, (const uint16_t[]){0x3C00, 0xC000, 0x7C00}},
    {"float16, raw", 10, RAW, 1, 2, U8(0, 0x3C), WNN_FLOAT16, (const uint16_t[]){0x3C00}},
    {"bfloat16", 16, INT32S, 2, 2, I64(0x3FC0, 0xC000), WNN_FLOAT32, (const float[]){1.5f, -2}},
    {"bfloat16, raw", 16, RAW, 2, 4, U8(0xC0, 0x3F, 0, 0xC0), WNN_FLOAT32, (const float[]){1.5f, -2}},
    {"uint4", 21, INT32S, 3, 2, I64(0xF1, 0x07), WNN_UINT8, U8(1, 15, 7)},
    {"uint4, raw", 21, RAW, 3, 2, U8(0xF1, 0x07), WNN_UINT8, U8(1, 15, 7)},
    {"int4", 22, INT32S, 3, 2, I64(0x8F, 0x07), WNN_INT8, (const int8_t[]){-1, -8, 7}},
    {"int4, raw", 22, RAW, 4, 2, U8(0x8F, 0x17), WNN_INT8, (const int8_t[]){-1, -8, 7, 1}},
    {"uint2", 25, INT32S, 5, 2, I64(0xE4, 0x02), WNN_UINT8, U8(0, 1, 2, 3, 2)},
    {"uint2, raw", 25, RAW, 5, 2, U8(0xE4, 0x02), WNN_UINT8, U8(0, 1, 2, 3, 2)},
    {"int2, raw", 26, RAW, 4, 1, U8(0xE4), WNN_INT8, (const int8_t[]){0, 1, -2, -1}},
};

static void put_number(bytes *out, const form *f, uint32_t i) {
  if (f->field == FLOATS)
    put_bits(out, &((const float *)f->wire)[i], 4);
  else if (f->field == DOUBLES)
    put_bits(out, &((const double *)f->wire)[i], 8);
  else
    put_varint(out, (uint64_t)((const int64_t *)f->wire)[i]);
}

/* Fields may be packed, or hold one number each. */
static bytes tensor_of(const form *f, bool packed, uint32_t count) {
  bytes tensor = tensor_head(f->type, f->elements, "w"), list = {0};
  uint32_t wire = f->field == FLOATS ? 5 : f->field == DOUBLES ? 1 : 0;
  if (f->field == RAW) {
    put_bytes(&tensor, RAW, f->wire, count);
    return tensor;
  }
  for (uint32_t i = 0; i < count; i++) {
    if (!packed) put_varint(&tensor, (uint64_t)f->field << 3 | wire);
    put_number(packed ? &list : &tensor, f, i);
  }
  if (packed) put_message(&tensor, f->field, &list);
  return tensor;
}

static void every_form(void) {
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
    for (int packed = 0; packed < 2; packed++) {
      bytes tensor = tensor_of(&forms[i], packed, forms[i].wire_count), model = model_of(&tensor, 5);
      expect(&model, NULL, forms[i].name, forms[i].carrier, forms[i].elements, forms[i].expected);
      tensor = tensor_of(&forms[i], packed, forms[i].wire_count - 1);
      model = model_of(&tensor, 5);
      refuse(&model, NULL, WNN_DATA_ERROR, forms[i].field == RAW ? "bytes" : "fewer elements");
    }
  }
}

/* What WebNN cannot carry is named. */
static void no_carrier(void) {
  static const struct {
    int type;
    const char *name;
  } types[] = {{8, "string"},          {14, "complex64"},      {15, "complex128"},
               {17, "float8e4m3fn"},   {18, "float8e4m3fnuz"}, {19, "float8e5m2"},
               {20, "float8e5m2fnuz"}, {23, "float4e2m1"},     {24, "float8e8m0"}};
  for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
    bytes tensor = tensor_head(types[i].type, 1, "w");
    put_bytes(&tensor, RAW, "\0", 1);
    bytes model = model_of(&tensor, 5);
    refuse(&model, NULL, WNN_NOT_SUPPORTED, types[i].name);
  }
}

/* ---- Sparse tensors
 * --------------------------------------------------------------------------------------------------- */

static bytes sparse_of(uint32_t count, const float *values, uint32_t width, const int64_t *indices, int64_t rows,
                       int64_t columns) {
  bytes sparse = {0}, tensor = tensor_head(1, count, "w"), places = {0};
  put_bytes(&tensor, RAW, values, count * sizeof *values);
  put_message(&sparse, 1, &tensor);
  put_int(&places, 1, count);
  if (width > 1) put_int(&places, 1, width);
  put_int(&places, 2, 7);
  put_bytes(&places, RAW, indices, count * width * sizeof *indices);
  put_message(&sparse, 2, &places);
  put_int(&sparse, 3, rows);
  put_int(&sparse, 3, columns);
  return sparse;
}

static void sparse_tensors(void) {
  static const float values[] = {5, 6}, dense[] = {0, 5, 0, 0, 0, 6};
  bytes sparse = sparse_of(2, values, 1, I64(1, 5), 2, 3), model = model_of(&sparse, 15);
  expect(&model, NULL, "a sparse tensor by number", WNN_FLOAT32, 6, dense);
  sparse = sparse_of(2, values, 2, I64(0, 1, 1, 2), 2, 3), model = model_of(&sparse, 15);
  expect(&model, NULL, "a sparse tensor by coordinates", WNN_FLOAT32, 6, dense);
  sparse = sparse_of(2, values, 1, I64(1, 6), 2, 3), model = model_of(&sparse, 15);
  refuse(&model, NULL, WNN_DATA_ERROR, "out of range");
  sparse = sparse_of(2, values, 2, I64(0, 1, 1, 3), 2, 3), model = model_of(&sparse, 15);
  refuse(&model, NULL, WNN_DATA_ERROR, "out of range");
  sparse = sparse_of(1, values, 1, I64(-1), 2, 3), model = model_of(&sparse, 15);
  refuse(&model, NULL, WNN_DATA_ERROR, "out of range");
  sparse = sparse_of(1, values, 1, I64(0), 40000, 40000), model = model_of(&sparse, 15);
  refuse(&model, NULL, WNN_DATA_ERROR, "2147483647 bytes");
  sparse = sparse_of(1, values, 1, I64(0), 20000, 20000), model = model_of(&sparse, 15);
  refuse(&model, NULL, WNN_DATA_ERROR, "256 MiB");
}

/* The same as the value of a Constant node. */
static void sparse_constant(void) {
  static const float values[] = {5}, dense[] = {0, 5};
  bytes attribute = {0}, node = {0}, graph = {0}, model = {0}, sparse = sparse_of(1, values, 1, I64(1), 1, 2);
  put_text(&attribute, 1, "sparse_value");
  put_message(&attribute, 22, &sparse);
  put_int(&attribute, 20, 11);
  put_text(&node, 2, "y");
  put_text(&node, 4, "Constant");
  put_message(&node, 5, &attribute);
  put_message(&graph, 1, &node);
  put_port(&graph, 12, "y", 0, NULL, 0);
  finish_model(&graph, &model);
  expect(&model, NULL, "a sparse constant", WNN_FLOAT32, 2, dense);
}

/* ---- External data
 * ------------------------------------------------------------------------------------------------------ */

static bytes external_model(const char *offset, const char *length) {
  bytes tensor = tensor_head(1, 2, "w");
  const char *const entries[][2] = {{"location", "data.bin"}, {"offset", offset}, {"length", length}};
  for (int i = 0; i < 3; i++) {
    bytes entry = {0};
    put_text(&entry, 1, entries[i][0]);
    put_text(&entry, 2, entries[i][1]);
    put_message(&tensor, 13, &entry);
  }
  put_int(&tensor, 14, 1);
  return model_of(&tensor, 5);
}

/* The file is sparse: what lies before the data takes no room. */
static void behind_two_gigabytes(void) {
  char folder[TEST_PATH], path[TEST_PATH + 16];
  static const float values[] = {2.5f, -7};
  const off_t at = (off_t)5 << 30;
  REQUIRE(test_folder(folder));
  snprintf(path, sizeof path, "%s/data.bin", folder);
  int file = open(path, O_CREAT | O_WRONLY, 0600);
  REQUIRE(file >= 0);
  bool written = pwrite(file, values, sizeof values, at) == sizeof values;
  close(file);
  if (written) {
    bytes model = external_model("5368709120", "8");
    expect(&model, folder, "data behind 5 GiB", WNN_FLOAT32, 2, values);
    model = external_model("5368709120", "12");
    refuse(&model, folder, WNN_DATA_ERROR, "past the end");
    model = external_model("5368709120", "4");
    refuse(&model, folder, WNN_DATA_ERROR, "bytes");
    model = external_model("-8", "8");
    refuse(&model, folder, WNN_DATA_ERROR, "past the end");
    model = external_model("5368709120", "8x");
    refuse(&model, folder, WNN_DATA_ERROR, "past the end");
  } else {
    test_skipped("the file system holds no file of 5 GiB");
  }
  test_remove_folder(folder);
}

int main(int argc, char **argv) {
  wnn_context_options options = WNN_CONTEXT_OPTIONS_INIT;
  options.threads = 1;
  options.reference = true;
  test_begin(argc, argv);
  if (wnn_context_create(&options, &context, NULL)) return 1;
  TEST(every_form);
  TEST(no_carrier);
  TEST(sparse_tensors);
  TEST(sparse_constant);
  TEST(behind_two_gigabytes);
  wnn_context_release(context);
  return test_end();
}
