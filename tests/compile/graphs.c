/* Whole graphs at the edges: very long ones, aliased outputs, borrowed constants, names and reachability. */
#include "support/test.h"

static wnn_context *open_context(bool reference) {
  wnn_context_options options = WNN_CONTEXT_OPTIONS_INIT;
  options.reference = reference;
  options.threads = 2;
  wnn_context *context = NULL;
  wnn_error error;
  CHECK_OK(wnn_context_create(&options, &context, &error), error);
  return context;
}

/* Dispatches with one input "x" (may be absent) and the graph's outputs, all float32; results go to out[i]. */
static void run(wnn_context *context, wnn_graph *graph, const float *x, float *const *out) {
  wnn_error error;
  wnn_named_tensor in = {"x", NULL}, results[8];
  size_t inputs = wnn_graph_input_count(graph), outputs = wnn_graph_output_count(graph);
  if (inputs) {
    const wnn_desc *desc = wnn_graph_input_desc(graph, 0);
    REQUIRE_OK(wnn_context_create_tensor(context, desc, WNN_TENSOR_WRITABLE, &in.tensor, &error), error);
    CHECK_OK(wnn_context_write_tensor(context, in.tensor, x, wnn_desc_bytes(desc), &error), error);
  }
  for (size_t i = 0; i < outputs; i++) {
    results[i].name = wnn_graph_output_name(graph, i);
    REQUIRE_OK(wnn_context_create_tensor(context, wnn_graph_output_desc(graph, i), WNN_TENSOR_READABLE,
                                         &results[i].tensor, &error),
               error);
  }
  CHECK_OK(wnn_context_dispatch(context, graph, &in, inputs, results, outputs, &error), error);
  for (size_t i = 0; i < outputs; i++) {
    CHECK_OK(wnn_context_read_tensor(context, results[i].tensor, out[i],
                                     wnn_desc_bytes(wnn_graph_output_desc(graph, i)), &error),
             error);
    wnn_tensor_release(results[i].tensor);
  }
  wnn_tensor_release(in.tensor);
}

static void chain_of_100000(bool reference) {
  enum { LENGTH = 100000 };
  wnn_error error;
  wnn_context *context = open_context(reference);
  wnn_builder *builder;
  wnn_operand *t, *one;
  wnn_desc desc = {WNN_FLOAT32, 1, {4}};
  REQUIRE_OK(wnn_builder_create(context, &builder, &error), error);
  REQUIRE_OK(wnn_builder_input(builder, "x", &desc, &t, &error), error);
  REQUIRE_OK(wnn_builder_constant_number(builder, WNN_FLOAT32, wnn_number_double(1), &one, &error), error);
  for (int i = 0; i < LENGTH; i++) {
    /* Not one long run of additions, so that fusion alone does not shorten it. */
    if (i % 3 == 2)
      REQUIRE_OK(wnn_reverse(builder, t, NULL, &t, &error), error);
    else
      REQUIRE_OK(wnn_add(builder, t, one, NULL, &t, &error), error);
  }
  wnn_named_operand named = {"y", t};
  wnn_graph *graph;
  REQUIRE_OK(wnn_builder_build(builder, &named, 1, &graph, &error), error);
  float x[4] = {0, 1, 2, 3}, y[4], sum = LENGTH - LENGTH / 3;
  run(context, graph, x, (float *const[]){y});
  bool reversed = LENGTH / 3 % 2;
  for (int i = 0; i < 4; i++) CHECK_MSG(y[i] == x[reversed ? 3 - i : i] + sum, "y[%d] is %g", i, (double)y[i]);
  wnn_graph_release(graph);
  wnn_builder_release(builder);
  wnn_context_release(context);
}

static void long_chain_reference(void) { chain_of_100000(true); }
static void long_chain_fast(void) { chain_of_100000(false); }

/* One value under two names, a reshape of an input, of a constant, and of another output: each output gets its bytes
 * although no kernel produces some of them. */
static void aliased_outputs(void) {
  for (int reference = 0; reference < 2; reference++) {
    wnn_error error;
    wnn_context *context = open_context(reference);
    wnn_builder *builder;
    wnn_operand *x, *c, *square, *flat, *from_input, *from_constant;
    wnn_desc desc = {WNN_FLOAT32, 2, {2, 2}};
    uint32_t four[] = {4};
    wnn_u32_list shape = {four, 1};
    float data[] = {1, 2, 3, 4}, out[5][4];
    REQUIRE_OK(wnn_builder_create(context, &builder, &error), error);
    CHECK_OK(wnn_builder_input(builder, "x", &desc, &x, &error), error);
    CHECK_OK(wnn_builder_constant(builder, &desc, data, sizeof data, &c, &error), error);
    CHECK_OK(wnn_mul(builder, x, x, NULL, &square, &error), error);
    CHECK_OK(wnn_reshape(builder, square, shape, NULL, &flat, &error), error);
    CHECK_OK(wnn_reshape(builder, x, shape, NULL, &from_input, &error), error);
    CHECK_OK(wnn_identity(builder, c, NULL, &from_constant, &error), error);
    wnn_named_operand outputs[] = {{"a", square}, {"b", square}, {"c", flat}, {"d", from_input}, {"e", from_constant}};
    wnn_graph *graph;
    REQUIRE_OK(wnn_builder_build(builder, outputs, 5, &graph, &error), error);
    float in[] = {5, 6, 7, 8};
    run(context, graph, in, (float *const[]){out[0], out[1], out[2], out[3], out[4]});
    for (int i = 0; i < 4; i++) {
      for (int k = 0; k < 3; k++) CHECK(out[k][i] == in[i] * in[i]);
      CHECK(out[3][i] == in[i]);
      CHECK(out[4][i] == data[i]);
    }
    wnn_graph_release(graph);
    wnn_builder_release(builder);
    wnn_context_release(context);
  }
}

static void count_release(void *user) { ++*(int *)user; }

/* Borrowed bytes are given back exactly once: by the failing call, by a builder whose graph does not need them, or by
 * the graph. */
static void borrowed_constants(void) {
  static const float data[4] = {1, 2, 3, 4};
  int failed = 0, unused = 0, used = 0;
  wnn_error error;
  wnn_context *context = open_context(false);
  wnn_builder *builder;
  wnn_operand *x, *a, *b, *t;
  wnn_desc desc = {WNN_FLOAT32, 1, {4}};
  REQUIRE_OK(wnn_builder_create(context, &builder, &error), error);
  CHECK_FAILS(wnn_builder_constant_borrowed(builder, &desc, data, 12, count_release, &failed, &a, &error), error,
              WNN_TYPE_ERROR, "16");
  CHECK_EQ(failed, 1);
  CHECK_OK(wnn_builder_constant_borrowed(builder, &desc, data, 16, count_release, &unused, &a, &error), error);
  CHECK_OK(wnn_builder_constant_borrowed(builder, &desc, data, 16, count_release, &used, &b, &error), error);
  CHECK_OK(wnn_builder_input(builder, "x", &desc, &x, &error), error);
  CHECK_OK(wnn_add(builder, x, b, NULL, &t, &error), error);
  wnn_named_operand named = {"y", t};
  wnn_graph *graph;
  REQUIRE_OK(wnn_builder_build(builder, &named, 1, &graph, &error), error);
  wnn_builder_release(builder);
  CHECK_EQ(unused, 1);
  float in[4] = {1, 1, 1, 1}, out[4];
  run(context, graph, in, (float *const[]){out});
  CHECK(out[0] == 2 && out[3] == 5);
  wnn_graph_release(graph);
  wnn_context_finish(context);
  wnn_context_release(context);
  CHECK_EQ(used, 1);
  CHECK_EQ(failed, 1);
}

/* Borrowed bytes at any address: packed, folded, or copied for a kernel that reads them in place. */
static void askew_constants(void) {
  enum { K = 24, N = 40 };
  static char bytes[(K * N + N + 1) * sizeof(float) + 3];
  float weights[K * N], row[N], in[K], expected[N], out[N];
  for (int i = 0; i < K * N; i++) weights[i] = (float)(i % 13 - 6);
  for (int i = 0; i < N; i++) row[i] = (float)(i - 20);
  for (int i = 0; i < K; i++) in[i] = (float)(i % 5);
  for (int j = 0; j < N; j++) {
    expected[j] = 2 * row[j];
    for (int i = 0; i < K; i++) expected[j] += in[i] * weights[i * N + j];
  }
  for (size_t shift = 0; shift < 4; shift++) {
    for (int reference = 0; reference < 2; reference++) {
      int released = 0;
      char *w = bytes + shift, *r = w + sizeof weights;
      memcpy(w, weights, sizeof weights);
      memcpy(r, row, sizeof row);
      wnn_error error;
      wnn_context *context = open_context(reference);
      wnn_builder *builder;
      wnn_operand *x, *a, *b, *t, *twice;
      wnn_graph *graph;
      wnn_desc x_desc = {WNN_FLOAT32, 2, {1, K}}, w_desc = {WNN_FLOAT32, 2, {K, N}}, r_desc = {WNN_FLOAT32, 1, {N}};
      REQUIRE_OK(wnn_builder_create(context, &builder, &error), error);
      CHECK_OK(wnn_builder_input(builder, "x", &x_desc, &x, &error), error);
      CHECK_OK(wnn_builder_constant_borrowed(builder, &w_desc, w, sizeof weights, count_release, &released, &a, &error),
               error);
      CHECK_OK(wnn_builder_constant_borrowed(builder, &r_desc, r, sizeof row, count_release, &released, &b, &error),
               error);
      CHECK_OK(wnn_add(builder, b, b, NULL, &twice, &error), error);
      CHECK_OK(wnn_matmul(builder, x, a, NULL, &t, &error), error);
      CHECK_OK(wnn_add(builder, t, twice, NULL, &t, &error), error);
      REQUIRE_OK(wnn_builder_build(builder, &(wnn_named_operand){"y", t}, 1, &graph, &error), error);
      wnn_builder_release(builder);
      run(context, graph, in, (float *const[]){out});
      CHECK(!memcmp(out, expected, sizeof out));
      wnn_graph_release(graph);
      wnn_context_release(context);
      CHECK_EQ(released, 2);
    }
  }
}

/* Only what the outputs reach is an input of the graph. */
static void unreachable_inputs(void) {
  wnn_error error;
  wnn_context *context = open_context(false);
  wnn_builder *builder;
  wnn_operand *x, *ignored, *t;
  wnn_desc desc = {WNN_FLOAT32, 0, {0}};
  REQUIRE_OK(wnn_builder_create(context, &builder, &error), error);
  CHECK_OK(wnn_builder_input(builder, "ignored", &desc, &ignored, &error), error);
  CHECK_OK(wnn_builder_input(builder, "x", &desc, &x, &error), error);
  CHECK_FAILS(wnn_builder_input(builder, "x", &desc, &t, &error), error, WNN_TYPE_ERROR, "\"x\"");
  CHECK_OK(wnn_neg(builder, x, NULL, &t, &error), error);
  wnn_named_operand same[] = {{"y", t}, {"y", t}}, source = {"y", x};
  wnn_graph *graph;
  CHECK_FAILS(wnn_builder_build(builder, same, 2, &graph, &error), error, WNN_TYPE_ERROR, "\"y\"");
  CHECK_FAILS(wnn_builder_build(builder, &source, 1, &graph, &error), error, WNN_TYPE_ERROR, "an input");
  CHECK_FAILS(wnn_builder_build(builder, same, 0, &graph, &error), error, WNN_TYPE_ERROR, "no outputs");
  REQUIRE_OK(wnn_builder_build(builder, same, 1, &graph, &error), error);
  CHECK_EQ(wnn_graph_input_count(graph), 1);
  CHECK_STR(wnn_graph_input_name(graph, 0), "x");
  CHECK_FAILS(wnn_builder_build(builder, same, 1, &graph, &error), error, WNN_INVALID_STATE, "already");
  CHECK_FAILS(wnn_neg(builder, x, NULL, &t, &error), error, WNN_INVALID_STATE, "already");
  wnn_graph_release(graph);
  wnn_builder_release(builder);
  wnn_context_release(context);
}

int main(int argc, char **argv) {
  test_begin(argc, argv);
  TEST(aliased_outputs);
  TEST(borrowed_constants);
  TEST(askew_constants);
  TEST(unreachable_inputs);
  TEST(long_chain_reference);
  TEST(long_chain_fast);
  return test_end();
}
