/* Saved graphs: loaded ones compute the same bits, and damaged or foreign files are refused. */
#include <stdio.h>
#include <unistd.h>

#include "runtime/save.h"
#include "sample.h"
#include "support/folder.h"

enum { INNER = 512, OUTER = 256 }; /* of the product of bytes */
enum { CHANNELS = 32, SIDE = 12, COLUMNS = 40, PIXELS = CHANNELS * SIDE * SIDE };

static wnn_error error;

/* A file in memory, aligned as one that is mapped. */
typedef struct image {
  unsigned char *data;
  size_t size, capacity;
} image;

static bool append(void *user, const void *data, size_t size) {
  image *to = user;
  if (to->size + size > to->capacity) {
    size_t capacity = (to->size + size) * 2 / 64 * 64 + 64;
    unsigned char *fresh = aligned_alloc(64, capacity);
    if (!fresh) return false;
    if (to->size) memcpy(fresh, to->data, to->size);
    free(to->data);
    to->data = fresh, to->capacity = capacity;
  }
  memcpy(to->data + to->size, data, size);
  to->size += size;
  return true;
}

static wnn_status constant(wnn_builder *builder, wnn_desc desc, uint32_t seed, wnn_operand **operand) {
  float *data = malloc(wnn_desc_bytes(&desc));
  size_t count = wnn_desc_elements(&desc);
  for (size_t i = 0; data && i < count; i++) data[i] = (float)((i * 7 + seed * 13) % 31) / 31 - 0.4f;
  wnn_status status = wnn_builder_constant(builder, &desc, data, wnn_desc_bytes(&desc), operand, &error);
  free(data);
  return status;
}

/* Convolution with a normalization to fold, a product with a transposed constant, a constant that stays, a softmax. */
static wnn_status make(wnn_context *context, bool savable, wnn_graph **graph) {
  wnn_builder *b;
  wnn_operand *x, *f, *mean, *variance, *w, *row, *t;
  wnn_status s = wnn_builder_create(context, &b, &error);
  if (s) return s;
  wnn_desc image_desc = {WNN_FLOAT32, 4, {1, CHANNELS, SIDE, SIDE}},
           filter = {WNN_FLOAT32, 4, {CHANNELS, CHANNELS, 3, 3}};
  wnn_desc channels = {WNN_FLOAT32, 1, {CHANNELS}}, weights = {WNN_FLOAT32, 2, {COLUMNS, CHANNELS * SIDE * SIDE}};
  wnn_desc added = {WNN_FLOAT32, 2, {1, COLUMNS}};
  wnn_conv2d_options conv = WNN_CONV2D_OPTIONS_INIT;
  conv.padding = WNN_U32(1, 1, 1, 1);
  if (savable) s = wnn_builder_set_savable(b, &error);
  if (!s) s = wnn_builder_input(b, "x", &image_desc, &x, &error);
  if (!s) s = constant(b, filter, 1, &f);
  if (!s) s = constant(b, channels, 2, &mean);
  if (!s) s = constant(b, weights, 3, &w);
  if (!s) s = constant(b, added, 4, &row);
  if (!s) s = wnn_conv2d(b, x, f, &conv, &t, &error);
  if (!s) s = wnn_mul(b, mean, mean, NULL, &variance, &error);
  if (!s) s = wnn_batch_normalization(b, t, mean, variance, NULL, &t, &error);
  if (!s) s = wnn_relu(b, t, NULL, &t, &error);
  if (!s) s = wnn_reshape(b, t, WNN_U32(1, PIXELS), NULL, &t, &error);
  if (!s) s = wnn_transpose(b, w, NULL, &w, &error);
  if (!s) s = wnn_matmul(b, t, w, NULL, &t, &error);
  if (!s) s = wnn_div(b, row, t, NULL, &t, &error);
  if (!s) s = wnn_softmax(b, t, 1, NULL, &t, &error);
  if (!s) s = wnn_builder_build(b, &(wnn_named_operand){"y", t}, 1, graph, &error);
  wnn_builder_release(b);
  return s;
}

static void compute(wnn_context *context, wnn_graph *graph, const void *in, size_t in_size, void *out,
                    size_t out_size) {
  wnn_tensor *x, *y;
  REQUIRE_OK(wnn_context_create_tensor(context, wnn_graph_input_desc(graph, 0), WNN_TENSOR_WRITABLE, &x, &error),
             error);
  REQUIRE_OK(wnn_context_create_tensor(context, wnn_graph_output_desc(graph, 0), WNN_TENSOR_READABLE, &y, &error),
             error);
  CHECK_OK(wnn_context_write_tensor(context, x, in, in_size, &error), error);
  CHECK_OK(wnn_context_dispatch(context, graph, &(wnn_named_tensor){"x", x}, 1, &(wnn_named_tensor){"y", y}, 1, &error),
           error);
  CHECK_OK(wnn_context_read_tensor(context, y, out, out_size, &error), error);
  wnn_tensor_release(x);
  wnn_tensor_release(y);
}

static void run(wnn_context *context, wnn_graph *graph, float out[COLUMNS]) {
  static float in[PIXELS];
  for (int i = 0; i < PIXELS; i++) in[i] = (float)(i % 17) / 17;
  compute(context, graph, in, sizeof in, out, COLUMNS * sizeof *out);
}

static wnn_context *open_context(bool reference, uint64_t features) {
  wnn_context_options options = WNN_CONTEXT_OPTIONS_INIT;
  wnn_context *context = NULL;
  options.reference = reference;
  options.cpu_features = features;
  options.threads = 2;
  CHECK_OK(wnn_context_create(&options, &context, &error), error);
  return context;
}

static image save(wnn_context *context) {
  wnn_graph *graph;
  image saved = {0};
  wnn_status status = make(context, true, &graph);
  CHECK_OK(status, error);
  if (status) return saved;
  CHECK_OK(wnn_graph_write(graph, append, &saved, &error), error);
  wnn_graph_release(graph);
  return saved;
}

/* A product of bytes, of constant weights of more bytes than are always kept. */
static wnn_status make_integers(wnn_context *context, wnn_graph **graph) {
  static uint8_t weights[INNER * OUTER];
  static const float scale = 0.01f;
  static const uint8_t zero = 0;
  wnn_builder *b;
  wnn_operand *x, *w, *s, *z, *y;
  wnn_desc bytes = {WNN_UINT8, 2, {1, INNER}}, matrix = {WNN_INT8, 2, {INNER, OUTER}};
  wnn_desc number = {WNN_FLOAT32, 2, {1, 1}}, zero_desc = {WNN_UINT8, 2, {1, 1}};
  for (size_t i = 0; i < sizeof weights; i++) weights[i] = (uint8_t)(i * 7 + i / OUTER);
  wnn_status status = wnn_builder_create(context, &b, &error);
  if (status) return status;
  status = wnn_builder_set_savable(b, &error);
  if (!status) status = wnn_builder_constant(b, &matrix, weights, sizeof weights, &w, &error);
  if (!status) status = wnn_builder_input(b, "x", &bytes, &x, &error);
  if (!status) status = wnn_builder_constant(b, &number, &scale, sizeof scale, &s, &error);
  if (!status) status = wnn_builder_constant(b, &zero_desc, &zero, sizeof zero, &z, &error);
  if (!status) status = wnn_dequantize_linear(b, x, s, z, NULL, &x, &error);
  zero_desc.data_type = WNN_INT8;
  if (!status) status = wnn_builder_constant(b, &zero_desc, &zero, sizeof zero, &z, &error);
  if (!status) status = wnn_dequantize_linear(b, w, s, z, NULL, &w, &error);
  if (!status) status = wnn_matmul(b, x, w, NULL, &y, &error);
  if (!status) status = wnn_builder_build(b, &(wnn_named_operand){"y", y}, 1, graph, &error);
  wnn_builder_release(b);
  return status;
}

static void count_release(void *user) { ++*(int *)user; }

static void same_bits(void) {
  for (int reference = 0; reference < 2; reference++) {
    wnn_context *context = open_context(reference, UINT64_MAX);
    wnn_graph *graph, *loaded;
    image saved = {0}, again = {0};
    float first[COLUMNS], second[COLUMNS];
    int released = 0;
    REQUIRE_OK(make(context, true, &graph), error);
    run(context, graph, first);
    CHECK_OK(wnn_graph_write(graph, append, &saved, &error), error);
    wnn_graph_release(graph);
    REQUIRE_OK(wnn_graph_load_bytes(context, saved.data, saved.size, count_release, &released, &loaded, &error), error);
    run(context, loaded, second);
    CHECK(!memcmp(first, second, sizeof first));
    CHECK_OK(wnn_graph_write(loaded, append, &again, &error), error);
    CHECK(again.size == saved.size && !memcmp(again.data, saved.data, saved.size));
    CHECK_EQ(released, 0);
    wnn_graph_release(loaded);
    wnn_context_finish(context);
    CHECK_EQ(released, 1);
    wnn_context_release(context);
    free(saved.data);
    free(again.data);
  }
}

/* Weights of bytes are stored as they were packed, and not once more as they were given. */
static void integers_with(uint64_t features) {
  wnn_context *context = open_context(false, features);
  wnn_graph *graph, *loaded;
  image saved = {0};
  uint8_t in[INNER];
  float first[OUTER], second[OUTER];
  for (size_t i = 0; i < sizeof in; i++) in[i] = (uint8_t)(i * 11);
  REQUIRE_OK(make_integers(context, &graph), error);
  compute(context, graph, in, sizeof in, first, sizeof first);
  CHECK_OK(wnn_graph_write(graph, append, &saved, &error), error);
  wnn_graph_release(graph);
  REQUIRE(saved.data);
  wnn_saved_block weights; /* the first constant of the graph */
  memcpy(&weights, saved.data + sizeof(wnn_saved_header), sizeof weights);
  CHECK_EQ(weights.size, (uint64_t)(INNER * OUTER));
  CHECK_EQ(weights.stored, 0);
  REQUIRE_OK(wnn_graph_load_bytes(context, saved.data, saved.size, NULL, NULL, &loaded, &error), error);
  compute(context, loaded, in, sizeof in, second, sizeof second);
  CHECK(!memcmp(first, second, sizeof first));
  wnn_graph_release(loaded);
  wnn_context_release(context);
  free(saved.data);
}

static void integers(void) {
  integers_with(UINT64_MAX);
  integers_with(WNN_CPU_AVX2);
  integers_with(0);
}

static void files(void) {
  char folder[TEST_PATH], path[TEST_PATH + 16];
  REQUIRE(test_folder(folder));
  snprintf(path, sizeof path, "%s/graph", folder);
  wnn_context *context = open_context(false, UINT64_MAX);
  wnn_graph *graph, *loaded;
  float first[COLUMNS], second[COLUMNS];
  REQUIRE_OK(make(context, true, &graph), error);
  run(context, graph, first);
  CHECK_OK(wnn_graph_save(graph, path, &error), error);
  REQUIRE_OK(wnn_graph_load(context, path, &loaded, &error), error);
  CHECK(!unlink(path)); /* what is mapped stays */
  wnn_graph_release(graph);
  run(context, loaded, second);
  CHECK(!memcmp(first, second, sizeof first));
  CHECK_FAILS(wnn_graph_save(loaded, "/nonexistent/graph", &error), error, WNN_IO_ERROR, "nonexistent");
  CHECK_FAILS(wnn_graph_load(context, "/nonexistent/graph", &graph, &error), error, WNN_IO_ERROR, "nonexistent");
  CHECK_FAILS(wnn_graph_load(context, "/", &graph, &error), error, WNN_IO_ERROR, "regular");
  wnn_graph_destroy(loaded);
  CHECK_FAILS(wnn_graph_save(loaded, path, &error), error, WNN_INVALID_STATE, "destroyed");
  wnn_graph_release(loaded);
  REQUIRE_OK(make(context, false, &graph), error);
  CHECK_FAILS(wnn_graph_save(graph, path, &error), error, WNN_INVALID_STATE, "saved");
  CHECK_EQ(test_remove_folder(folder), 0); /* failures leave nothing behind */
  wnn_graph_release(graph);
  wnn_context_release(context);
}

static void other_contexts(void) {
  wnn_context *context = open_context(false, UINT64_MAX), *reference = open_context(true, UINT64_MAX);
  image saved = save(context);
  REQUIRE(saved.data);
  wnn_graph *graph;
  CHECK_FAILS(wnn_graph_load_bytes(reference, saved.data, saved.size, NULL, NULL, &graph, &error), error,
              WNN_NOT_SUPPORTED, "kernels");
  CHECK(wnn_context_fingerprint(context) != wnn_context_fingerprint(reference));
  if (wnn_cpu_detect()) {
    wnn_context *plain = open_context(false, 0);
    CHECK_FAILS(wnn_graph_load_bytes(plain, saved.data, saved.size, NULL, NULL, &graph, &error), error,
                WNN_NOT_SUPPORTED, "features");
    wnn_context_release(plain);
  }
  wnn_context_release(context);
  wnn_context_release(reference);
  free(saved.data);
}

static void expect_refusal(wnn_context *context, const image *saved, size_t size) {
  wnn_graph *graph = NULL;
  int released = 0;
  wnn_status status = wnn_graph_load_bytes(context, saved->data, size, count_release, &released, &graph, &error);
  CHECK(status == WNN_DATA_ERROR || status == WNN_NOT_SUPPORTED);
  if (!status) wnn_graph_release(graph);
  CHECK_EQ(released, 1);
}

static void damage(void) {
  wnn_context *context = open_context(false, UINT64_MAX);
  image saved = save(context);
  REQUIRE(saved.data);
  wnn_saved_header header;
  memcpy(&header, saved.data, sizeof header);
  for (size_t size = 0; size < saved.size; size += size < header.data_offset ? 7 : saved.size / 40 + 1)
    expect_refusal(context, &saved, size);
  for (size_t at = 0; at < saved.size; at += at < header.data_offset ? 3 : saved.size / 60 + 1) {
    /* What lies between the blocks is not read. */
    if (at >= sizeof header + header.block_count * sizeof(wnn_saved_block) + header.text_size &&
        at < header.data_offset)
      continue;
    saved.data[at] ^= (unsigned char)(1 << at % 8);
    expect_refusal(context, &saved, saved.size);
    saved.data[at] ^= (unsigned char)(1 << at % 8);
  }
  wnn_context_release(context);
  free(saved.data);
}

/* A file whose checksums are right says whatever its maker wants: it is refused or becomes some graph. */
static void hostile(void) {
  wnn_context *context = open_context(false, UINT64_MAX);
  image saved = save(context);
  REQUIRE(saved.data);
  wnn_saved_header header;
  memcpy(&header, saved.data, sizeof header);
  unsigned char *table = saved.data + sizeof header;
  size_t table_size = header.block_count * sizeof(wnn_saved_block), meta = table_size + header.text_size;
  unsigned refused = 0;
  static const unsigned char values[] = {0, 1, 2, 0x7F, 0x80, 0xFF};
  for (size_t at = 0; at < meta; at++) {
    unsigned char old = table[at];
    table[at] = values[at % sizeof values];
    header.meta_hash = wnn_hash(table + table_size, header.text_size, wnn_hash(table, table_size, WNN_SAVED_SEED));
    header.header_hash = wnn_saved_header_hash(&header);
    memcpy(saved.data, &header, sizeof header);
    wnn_graph *graph;
    wnn_status status = wnn_graph_load_bytes(context, saved.data, saved.size, NULL, NULL, &graph, &error);
    refused += status != WNN_OK;
    if (!status) wnn_graph_release(graph);
    table[at] = old;
  }
  CHECK(refused > meta / 4);
  wnn_context_release(context);
  free(saved.data);
}

int main(int argc, char **argv) {
  test_begin(argc, argv);
  TEST(same_bits);
  TEST(integers);
  TEST(files);
  TEST(other_contexts);
  TEST(damage);
  TEST(hostile);
  return test_end();
}
