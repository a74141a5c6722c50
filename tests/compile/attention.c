/* The attention pass: which graphs become one operation, which must not, and that results stay those of the parts. */
#include <math.h>

#include "support/test.h"

static wnn_builder *b;
static wnn_error error;

static wnn_operand *add_op(int op, const void *args, wnn_operand *x, wnn_operand *y) {
  wnn_operand *operands[] = {x, y, NULL}, *out[4] = {NULL};
  CHECK_OK(wnn_builder_add(b, op, args, operands, wnn_op_get(op)->operand_count, out, 4, NULL, &error), error);
  return out[0];
}
static wnn_operand *binary(int op, wnn_operand *x, wnn_operand *y) { return add_op(op, NULL, x, y); }
static wnn_operand *matmul(wnn_operand *x, wnn_operand *y) { return binary(WNN_OP_MATMUL, x, y); }

static wnn_operand *number(double value) {
  wnn_operand *out = NULL;
  CHECK_OK(wnn_builder_constant_number(b, WNN_FLOAT32, wnn_number_double(value), &out, &error), error);
  return out;
}

#define LIST(...) ((wnn_u32_list){(const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / 4})
static wnn_operand *reshape(wnn_operand *x, wnn_u32_list shape) {
  wnn_operand *out = NULL;
  CHECK_OK(wnn_reshape(b, x, shape, NULL, &out, &error), error);
  return out;
}
static wnn_operand *transpose(wnn_operand *x, wnn_u32_list order) {
  wnn_transpose_options options = WNN_TRANSPOSE_OPTIONS_INIT;
  options.permutation = order;
  wnn_operand *out = NULL;
  CHECK_OK(wnn_transpose(b, x, &options, &out, &error), error);
  return out;
}
static wnn_operand *slice(wnn_operand *x, wnn_u32_list starts, wnn_u32_list sizes) {
  wnn_operand *out = NULL;
  CHECK_OK(wnn_slice(b, x, starts, sizes, NULL, &out, &error), error);
  return out;
}
static wnn_operand *expand(wnn_operand *x, wnn_u32_list shape) {
  wnn_operand *out = NULL;
  CHECK_OK(wnn_expand(b, x, shape, NULL, &out, &error), error);
  return out;
}
static wnn_operand *softmax(wnn_operand *x, uint32_t axis) {
  wnn_operand *out = NULL;
  CHECK_OK(wnn_softmax(b, x, axis, NULL, &out, &error), error);
  return out;
}

/* ---- Graphs: from up to four inputs to one or two outputs ---- */

enum { B = 2, N = 3, S = 19, T = 21, H = 20, W = 12, G = 2 };
typedef struct graph_case {
  const char *name;
  wnn_desc inputs[4];
  wnn_operand *(*make)(wnn_operand *const *in, wnn_operand **second);
  bool whole; /* becomes one step */
} graph_case;
#define F32(...)                                                                                                       \
  {                                                                                                                    \
    WNN_FLOAT32, sizeof((uint32_t[]){__VA_ARGS__}) / 4, { __VA_ARGS__ }                                                \
  }

static wnn_operand *heads(wnn_operand *x, uint32_t length, uint32_t size) {
  return transpose(reshape(x, LIST(B, length, N, size)), LIST(0, 2, 1, 3));
}
static wnn_operand *join(wnn_operand *x, uint32_t length, uint32_t size) {
  return reshape(transpose(x, LIST(0, 2, 1, 3)), LIST(B, length, N * size));
}
static wnn_operand *keys_of(wnn_operand *x) { return transpose(reshape(x, LIST(B, T, N, H)), LIST(0, 2, 3, 1)); }

static wnn_operand *plain(wnn_operand *const *in, wnn_operand **second) {
  (void)second;
  return matmul(softmax(matmul(in[0], in[1]), 1), in[2]);
}
static wnn_operand *encoder(wnn_operand *const *in, wnn_operand **second) {
  (void)second;
  wnn_operand *scores = binary(WNN_OP_DIV, matmul(heads(in[0], S, H), keys_of(in[1])), number(sqrt(H)));
  wnn_operand *weights = softmax(binary(WNN_OP_ADD, scores, in[3]), 3);
  return join(matmul(weights, heads(in[2], T, W)), S, W);
}
/* Roots of the scale on queries and keys; the mask comes first. */
static wnn_operand *scaled_operands(wnn_operand *const *in, wnn_operand **second) {
  (void)second;
  wnn_operand *root = number(pow(H, -0.25));
  wnn_operand *q = binary(WNN_OP_MUL, heads(in[0], S, H), root), *k = binary(WNN_OP_MUL, root, keys_of(in[1]));
  wnn_operand *weights = softmax(binary(WNN_OP_ADD, in[3], matmul(q, k)), 3);
  return join(matmul(weights, heads(in[2], T, W)), S, W);
}
/* One product gave queries, keys and values. */
static wnn_operand *slices(wnn_operand *const *in, wnn_operand **second) {
  (void)second;
  wnn_operand *part[3];
  for (uint32_t i = 0; i < 3; i++) {
    wnn_operand *x = slice(in[0], LIST(0, 0, i * N * H), LIST(B, S, N * H));
    part[i] = transpose(reshape(x, LIST(B, S, N, H)), LIST(0, 2, 1, 3));
  }
  wnn_operand *scores = matmul(part[0], transpose(part[1], LIST(0, 1, 3, 2)));
  return join(matmul(softmax(binary(WNN_OP_MUL, scores, number(0.2)), 3), part[2]), S, H);
}
/* Groups of queries share keys: as rows of one product. */
static wnn_operand *grouped(wnn_operand *const *in, wnn_operand **second) {
  (void)second;
  wnn_operand *q = transpose(reshape(in[0], LIST(B, S, N * G, H)), LIST(0, 2, 1, 3));
  wnn_operand *k = heads(in[1], T, H), *v = heads(in[2], T, W);
  wnn_operand *scores = matmul(reshape(q, LIST(B, N, G * S, H)), transpose(k, LIST(0, 1, 3, 2)));
  scores = binary(WNN_OP_MUL, reshape(scores, LIST(B, N * G, S, T)), number(0.3));
  wnn_operand *weights = softmax(binary(WNN_OP_ADD, scores, in[3]), 3);
  wnn_operand *y = matmul(reshape(weights, LIST(B, N, G * S, T)), v);
  y = transpose(reshape(y, LIST(B, N * G, S, W)), LIST(0, 2, 1, 3));
  return reshape(y, LIST(B, S, N * G * W));
}
/* The same with keys and values repeated. */
static wnn_operand *repeated(wnn_operand *const *in, wnn_operand **second) {
  (void)second;
  wnn_operand *q = transpose(reshape(in[0], LIST(B, S, N * G, H)), LIST(0, 2, 1, 3));
  wnn_operand *k = expand(reshape(heads(in[1], T, H), LIST(B, N, 1, T, H)), LIST(B, N, G, T, H));
  wnn_operand *v = expand(reshape(heads(in[2], T, W), LIST(B, N, 1, T, W)), LIST(B, N, G, T, W));
  k = transpose(reshape(k, LIST(B, N * G, T, H)), LIST(0, 1, 3, 2));
  wnn_operand *scores = binary(WNN_OP_ADD, binary(WNN_OP_MUL, matmul(q, k), number(0.3)), in[3]);
  wnn_operand *y = matmul(softmax(scores, 3), reshape(v, LIST(B, N * G, T, W)));
  return reshape(transpose(y, LIST(0, 2, 1, 3)), LIST(B, S, N * G * W));
}
/* All heads have one key and one value, the mask has a row for each query and head. */
static wnn_operand *one_key(wnn_operand *const *in, wnn_operand **second) {
  (void)second;
  wnn_operand *scores = matmul(heads(in[0], S, H), transpose(in[1], LIST(0, 2, 1)));
  return matmul(softmax(binary(WNN_OP_ADD, scores, in[3]), 3), in[2]);
}
/* The softmax, too, is wanted. */
static wnn_operand *weights_wanted(wnn_operand *const *in, wnn_operand **second) {
  *second = softmax(matmul(in[0], in[1]), 1);
  return matmul(*second, in[2]);
}
static wnn_operand *wrong_axis(wnn_operand *const *in, wnn_operand **second) {
  (void)second;
  return matmul(softmax(matmul(in[0], in[1]), 0), in[2]);
}
static wnn_operand *weights_at_right(wnn_operand *const *in, wnn_operand **second) {
  (void)second;
  return matmul(in[2], softmax(matmul(in[0], in[1]), 1));
}
/* A scale for each query is no scale, a mask for each query no mask. */
static wnn_operand *scale_of_rows(wnn_operand *const *in, wnn_operand **second) {
  (void)second;
  return matmul(softmax(binary(WNN_OP_MUL, matmul(in[0], in[1]), in[3]), 1), in[2]);
}
static wnn_operand *mask_of_rows(wnn_operand *const *in, wnn_operand **second) {
  (void)second;
  return matmul(softmax(binary(WNN_OP_ADD, matmul(in[0], in[1]), in[3]), 1), in[2]);
}
/* The mask is scaled, too. */
static wnn_operand *scaled_mask(wnn_operand *const *in, wnn_operand **second) {
  (void)second;
  wnn_operand *sum = binary(WNN_OP_ADD, matmul(in[0], in[1]), in[3]);
  return matmul(softmax(binary(WNN_OP_MUL, sum, number(0.5)), 1), in[2]);
}
/* The products have their batches in different orders: steps cannot say so, copies stay. */
static wnn_operand *swapped_batches(wnn_operand *const *in, wnn_operand **second) {
  (void)second;
  wnn_operand *weights = softmax(matmul(in[0], in[1]), 3);
  return matmul(transpose(weights, LIST(1, 0, 2, 3)), in[2]);
}

static const graph_case cases[] = {
    {"plain", {F32(S, H), F32(H, T), F32(T, W)}, plain, true},
    {"one query", {F32(1, H), F32(H, T), F32(T, W)}, plain, true},
    {"one key", {F32(S, H), F32(H, 1), F32(1, W)}, plain, true},
    {"depth and width 1", {F32(S, 1), F32(1, T), F32(T, 1)}, plain, true},
    {"encoder", {F32(B, S, N *H), F32(B, T, N *H), F32(B, T, N *W), F32(B, 1, 1, T)}, encoder, true},
    {"whole mask", {F32(B, S, N *H), F32(B, T, N *H), F32(B, T, N *W), F32(B, N, S, T)}, encoder, true},
    {"mask of heads", {F32(B, S, N *H), F32(B, T, N *H), F32(B, T, N *W), F32(N, S, T)}, encoder, true},
    {"scaled operands", {F32(B, S, N *H), F32(B, T, N *H), F32(B, T, N *W), F32(S, T)}, scaled_operands, true},
    {"slices", {F32(B, S, 3 * N * H)}, slices, true},
    {"grouped", {F32(B, S, N *G *H), F32(B, T, N *H), F32(B, T, N *W), F32(1, 1, S, T)}, grouped, true},
    {"repeated", {F32(B, S, N *G *H), F32(B, T, N *H), F32(B, T, N *W), F32(1, 1, S, T)}, repeated, true},
    {"one key for all", {F32(B, S, N *H), F32(1, T, H), F32(1, 1, T, W), F32(B, N, S, T)}, one_key, true},
    {"weights wanted", {F32(S, H), F32(H, T), F32(T, W)}, weights_wanted, false},
    {"wrong axis", {F32(S, H), F32(H, T), F32(T, W)}, wrong_axis, false},
    {"weights at the right", {F32(S, H), F32(H, T), F32(W, S)}, weights_at_right, false},
    {"scale of rows", {F32(S, H), F32(H, T), F32(T, W), F32(S, 1)}, scale_of_rows, false},
    {"mask of rows", {F32(S, H), F32(H, T), F32(T, W), F32(S, 1)}, mask_of_rows, false},
    {"scaled mask", {F32(S, H), F32(H, T), F32(T, W), F32(S, T)}, scaled_mask, false},
    {"swapped batches", {F32(B, N, S, H), F32(B, N, H, T), F32(N, B, T, W)}, swapped_batches, false},
};

enum { MOST = 1 << 15 };

static float numbers[4][MOST];

/* Runs a case; the result goes to out, its length is returned. */
static size_t run(const graph_case *c, bool reference, uint64_t disabled, float *out, char *kernels, size_t size) {
  wnn_context_options options = WNN_CONTEXT_OPTIONS_INIT;
  options.reference = reference;
  options.disabled_passes = disabled;
  options.threads = 2;
  static const char *const names[] = {"a", "b", "c", "d"};
  wnn_context *context;
  wnn_operand *in[4], *second = NULL;
  wnn_named_tensor inputs[4], outputs[2];
  size_t count = 0;
  CHECK_OK(wnn_context_create(&options, &context, &error), error);
  CHECK_OK(wnn_builder_create(context, &b, &error), error);
  for (; count < 4 && c->inputs[count].rank; count++)
    CHECK_OK(wnn_builder_input(b, names[count], &c->inputs[count], &in[count], &error), error);
  wnn_named_operand named[2] = {{"y", c->make(in, &second)}, {"z", NULL}};
  named[1].operand = second;
  wnn_graph *graph;
  CHECK_OK(wnn_builder_build(b, named, second ? 2 : 1, &graph, &error), error);
  for (size_t i = 0; i < count; i++) {
    inputs[i].name = names[i];
    CHECK_OK(wnn_context_create_tensor(context, &c->inputs[i], WNN_TENSOR_WRITABLE, &inputs[i].tensor, &error), error);
    CHECK_OK(wnn_context_write_tensor(context, inputs[i].tensor, numbers[i], wnn_desc_bytes(&c->inputs[i]), &error),
             error);
  }
  size_t results = wnn_graph_output_count(graph), bytes = wnn_desc_bytes(wnn_graph_output_desc(graph, 0));
  CHECK(bytes <= MOST * sizeof(float));
  for (size_t i = 0; i < results; i++) {
    outputs[i].name = wnn_graph_output_name(graph, i);
    CHECK_OK(wnn_context_create_tensor(context, wnn_graph_output_desc(graph, i), WNN_TENSOR_READABLE,
                                       &outputs[i].tensor, &error),
             error);
  }
  CHECK_OK(wnn_context_dispatch(context, graph, inputs, count, outputs, results, &error), error);
  CHECK_OK(wnn_context_read_tensor(context, outputs[0].tensor, out, bytes, &error), error);
  kernels[0] = 0;
  wnn_step_info info;
  for (size_t i = 0; wnn_graph_step(graph, i, &info); i++)
    snprintf(kernels + strlen(kernels), size - strlen(kernels), "%s ", info.kernel);
  for (size_t i = 0; i < count; i++) wnn_tensor_release(inputs[i].tensor);
  for (size_t i = 0; i < results; i++) wnn_tensor_release(outputs[i].tensor);
  wnn_graph_release(graph);
  wnn_builder_release(b);
  wnn_context_release(context);
  return bytes / sizeof(float);
}

static float expected[MOST], actual[MOST];

static void check(const graph_case *c, bool whole, uint64_t disabled) {
  char kernels[2048];
  size_t count = run(c, true, 0, expected, kernels, sizeof kernels);
  run(c, false, disabled, actual, kernels, sizeof kernels);
  if (whole)
    CHECK_MSG(!strcmp(kernels, "f32_attention "), "%s: %s", c->name, kernels);
  else
    CHECK_MSG(!strstr(kernels, "f32_attention"), "%s: %s", c->name, kernels);
  for (size_t i = 0; i < count; i++) {
    bool same = isnan(expected[i]) ? isnan(actual[i]) : fabsf(actual[i] - expected[i]) <= 4e-6f;
    CHECK_MSG(same, "%s: element %zu is %.9g, not %.9g", c->name, i, (double)actual[i], (double)expected[i]);
  }
}

static void fill(void) {
  uint64_t seed = 7;
  for (int i = 0; i < 4; i++)
    for (int k = 0; k < MOST; k++) numbers[i][k] = (float)test_uniform(&seed, -1.5, 1.5);
}

static void results(void) {
  fill();
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) check(&cases[i], cases[i].whole, 0);
}

static void switched_off(void) {
  fill();
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) check(&cases[i], false, WNN_PASS_ATTENTION);
}

/* Hidden keys take no weight, and a query that sees nothing gives NaN, as in parts. */
static void hidden_keys(void) {
  fill();
  for (int q = 0; q < S; q++)
    for (int k = 0; k < T; k++) numbers[3][q * T + k] = k > q - 1 ? -INFINITY : 0;
  const graph_case causal = {
      "causal", {F32(B, S, N * H), F32(B, T, N * H), F32(B, T, N * W), F32(S, T)}, encoder, true};
  check(&causal, true, 0);
  CHECK(isnan(actual[0]) && isfinite(actual[S * N * W - 1]));
  for (int i = 0; i < S * T; i++)
    if (numbers[3][i] != 0) numbers[3][i] = -3.4028235e38f;
  check(&causal, true, 0);
}

/* Numbers that are not finite spread as far as in parts. */
static void special_numbers(void) {
  fill();
  numbers[0][5] = NAN;
  numbers[1][3 * N * H + 1] = INFINITY;
  numbers[2][40] = NAN;
  check(&cases[4], true, 0);
}

int main(int argc, char **argv) {
  test_begin(argc, argv);
  TEST(results);
  TEST(switched_off);
  TEST(hidden_keys);
  TEST(special_numbers);
  return test_end();
}
