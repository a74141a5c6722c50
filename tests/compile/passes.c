/* Each compiler pass on its own: what it removes, what it must leave, and that results stay the same. */
#include "compile/compile.h"
#include "graph/builder.h"
#include "support/test.h"

/* A builder over a real context, and the IR that build() would compile. */
typedef struct bench {
  wnn_context *context;
  wnn_builder *builder;
  wnn_error error;
} bench;

static void open_bench(bench *b) {
  wnn_context_options options = WNN_CONTEXT_OPTIONS_INIT;
  options.threads = 1;
  if (wnn_context_create(&options, &b->context, &b->error) || wnn_builder_create(b->context, &b->builder, &b->error))
    abort();
}

static void close_bench(bench *b) {
  wnn_builder_release(b->builder);
  wnn_context_release(b->context);
}

static wnn_operand *input(bench *b, const char *name, uint32_t rows, uint32_t columns) {
  wnn_desc desc = {WNN_FLOAT32, 2, {rows, columns}};
  wnn_operand *operand;
  CHECK_OK(wnn_builder_input(b->builder, name, &desc, &operand, &b->error), b->error);
  return operand;
}

static wnn_operand *constant(bench *b, float value) {
  wnn_operand *operand;
  CHECK_OK(wnn_builder_constant_number(b->builder, WNN_FLOAT32, wnn_number_double((double)value), &operand, &b->error),
           b->error);
  return operand;
}

static void prepare(bench *b, wnn_operand *output, wnn_ir *ir) {
  wnn_named_operand named = {"y", output};
  CHECK_OK(wnn_builder_prepare(b->builder, &named, 1, ir, &b->error), b->error);
}

static bool no_evaluation(void *user, const wnn_ir *ir, const wnn_node *node, wnn_blob **outputs) {
  (void)ir, (void)outputs, (void)node;
  ++*(int *)user;
  return false;
}

static size_t count_op(const wnn_ir *ir, int op) {
  size_t count = 0;
  for (size_t i = 0; i < ir->node_count; i++) count += ir->nodes[i].op == op;
  return count;
}

static void run_pass(wnn_pass_fn *pass, wnn_ir *ir) {
  int evaluations = 0;
  wnn_compile_options options = {&wnn_default_allocator, 0, no_evaluation, &evaluations};
  CHECK(pass(ir, &options));
  const char *why = wnn_ir_verify(ir);
  CHECK_MSG(!why, "%s", why);
}

static void simplify_removes_what_changes_nothing(void) {
  bench b;
  wnn_ir ir;
  open_bench(&b);
  wnn_operand *x = input(&b, "x", 2, 3), *t = x;
  uint32_t shape[] = {2, 3}, flat[] = {6}, swap[] = {1, 0}, zeros[] = {0, 0};
  wnn_transpose_options transpose = WNN_TRANSPOSE_OPTIONS_INIT;
  transpose.permutation = (wnn_u32_list){swap, 2};
  CHECK_OK(wnn_identity(b.builder, t, NULL, &t, &b.error), b.error);
  CHECK_OK(wnn_reshape(b.builder, t, (wnn_u32_list){flat, 1}, NULL, &t, &b.error), b.error);
  CHECK_OK(wnn_reshape(b.builder, t, (wnn_u32_list){shape, 2}, NULL, &t, &b.error), b.error);
  CHECK_OK(wnn_transpose(b.builder, t, &transpose, &t, &b.error), b.error);
  CHECK_OK(wnn_transpose(b.builder, t, &transpose, &t, &b.error), b.error);
  CHECK_OK(wnn_cast(b.builder, t, WNN_FLOAT32, NULL, &t, &b.error), b.error);
  CHECK_OK(wnn_slice(b.builder, t, (wnn_u32_list){zeros, 2}, (wnn_u32_list){shape, 2}, NULL, &t, &b.error), b.error);
  CHECK_OK(wnn_pad(b.builder, t, (wnn_u32_list){zeros, 2}, (wnn_u32_list){zeros, 2}, NULL, &t, &b.error), b.error);
  CHECK_OK(wnn_mul(b.builder, t, constant(&b, 1), NULL, &t, &b.error), b.error);
  CHECK_OK(wnn_relu(b.builder, t, NULL, &t, &b.error), b.error);
  prepare(&b, t, &ir);
  run_pass(wnn_pass_simplify, &ir);
  CHECK_EQ(ir.node_count, 1);
  CHECK_EQ(ir.nodes[0].op, WNN_OP_RELU);
  CHECK_EQ(ir.values[ir.nodes[0].inputs[0]].kind, WNN_VALUE_INPUT);
  wnn_ir_free(&ir);
  close_bench(&b);
}

/* x + 0 turns -0 into +0, so an addition of zero is not nothing; a transpose of two real axes is not either. */
static void simplify_leaves_what_matters(void) {
  bench b;
  wnn_ir ir;
  open_bench(&b);
  wnn_operand *t = input(&b, "x", 2, 3);
  CHECK_OK(wnn_add(b.builder, t, constant(&b, 0), NULL, &t, &b.error), b.error);
  CHECK_OK(wnn_transpose(b.builder, t, NULL, &t, &b.error), b.error);
  prepare(&b, t, &ir);
  run_pass(wnn_pass_simplify, &ir);
  CHECK_EQ(ir.node_count, 2);
  wnn_ir_free(&ir);
  close_bench(&b);
}

static void simplify_turns_a_thin_transpose_into_a_reshape(void) {
  bench b;
  wnn_ir ir;
  open_bench(&b);
  wnn_operand *t = input(&b, "x", 1, 5);
  CHECK_OK(wnn_transpose(b.builder, t, NULL, &t, &b.error), b.error);
  prepare(&b, t, &ir);
  run_pass(wnn_pass_simplify, &ir);
  CHECK_EQ(count_op(&ir, WNN_OP_TRANSPOSE), 0);
  CHECK_EQ(count_op(&ir, WNN_OP_RESHAPE), 1);
  wnn_ir_free(&ir);
  close_bench(&b);
}

static void deduplicate_merges_equal_nodes_only(void) {
  bench b;
  wnn_ir ir;
  open_bench(&b);
  wnn_operand *x = input(&b, "x", 2, 3), *e1, *e2, *l1, *l2, *s1, *s2, *t;
  wnn_leaky_relu_options leaky = WNN_LEAKY_RELU_OPTIONS_INIT;
  CHECK_OK(wnn_exp(b.builder, x, NULL, &e1, &b.error), b.error);
  CHECK_OK(wnn_exp(b.builder, x, NULL, &e2, &b.error), b.error);
  CHECK_OK(wnn_add(b.builder, e1, constant(&b, 2), NULL, &s1, &b.error), b.error);
  CHECK_OK(wnn_add(b.builder, e2, constant(&b, 2), NULL, &s2, &b.error), b.error);
  leaky.alpha = 0.1;
  CHECK_OK(wnn_leaky_relu(b.builder, s1, &leaky, &l1, &b.error), b.error);
  leaky.alpha = 0.2;
  CHECK_OK(wnn_leaky_relu(b.builder, s2, &leaky, &l2, &b.error), b.error);
  CHECK_OK(wnn_mul(b.builder, l1, l2, NULL, &t, &b.error), b.error);
  prepare(&b, t, &ir);
  run_pass(wnn_pass_deduplicate, &ir);
  CHECK_EQ(count_op(&ir, WNN_OP_EXP), 1);
  CHECK_EQ(count_op(&ir, WNN_OP_ADD), 1);
  CHECK_EQ(count_op(&ir, WNN_OP_LEAKY_RELU), 2);
  wnn_ir_free(&ir);
  close_bench(&b);
}

static void fold_asks_only_for_constant_nodes(void) {
  bench b;
  wnn_ir ir;
  open_bench(&b);
  wnn_operand *t = input(&b, "x", 2, 3);
  CHECK_OK(wnn_exp(b.builder, t, NULL, &t, &b.error), b.error);
  CHECK_OK(wnn_add(b.builder, t, constant(&b, 2), NULL, &t, &b.error), b.error);
  prepare(&b, t, &ir);
  int evaluations = 0;
  wnn_compile_options options = {&wnn_default_allocator, 0, no_evaluation, &evaluations};
  CHECK(wnn_pass_fold(&ir, &options));
  CHECK_EQ(evaluations, 0);
  CHECK_EQ(ir.node_count, 2);
  wnn_ir_free(&ir);
  close_bench(&b);
}

/* Folding through the engine: a constant branch leaves no step, and its value is right. */
static void fold_computes_constant_branches(void) {
  bench b;
  open_bench(&b);
  wnn_operand *x = input(&b, "x", 1, 2), *c = constant(&b, 3), *t;
  CHECK_OK(wnn_mul(b.builder, c, c, NULL, &c, &b.error), b.error);
  CHECK_OK(wnn_sub(b.builder, c, constant(&b, 4), NULL, &c, &b.error), b.error);
  CHECK_OK(wnn_add(b.builder, x, c, NULL, &t, &b.error), b.error);
  wnn_named_operand named = {"y", t};
  wnn_graph *graph = NULL;
  REQUIRE_OK(wnn_builder_build(b.builder, &named, 1, &graph, &b.error), b.error);
  wnn_graph_stats stats;
  wnn_graph_get_stats(graph, &stats);
  CHECK_EQ(stats.node_count, 3);
  CHECK_EQ(stats.step_count, 1);
  wnn_tensor *in, *out;
  wnn_desc desc = {WNN_FLOAT32, 2, {1, 2}};
  float data[2] = {1, -2};
  CHECK_OK(wnn_context_create_tensor(b.context, &desc, WNN_TENSOR_WRITABLE, &in, &b.error), b.error);
  CHECK_OK(wnn_context_create_tensor(b.context, &desc, WNN_TENSOR_READABLE, &out, &b.error), b.error);
  CHECK_OK(wnn_context_write_tensor(b.context, in, data, sizeof data, &b.error), b.error);
  CHECK_OK(wnn_context_dispatch(b.context, graph, &(wnn_named_tensor){"x", in}, 1, &(wnn_named_tensor){"y", out}, 1,
                                &b.error),
           b.error);
  CHECK_OK(wnn_context_read_tensor(b.context, out, data, sizeof data, &b.error), b.error);
  CHECK(data[0] == 6 && data[1] == 3);
  wnn_tensor_release(in);
  wnn_tensor_release(out);
  wnn_graph_release(graph);
  close_bench(&b);
}

int main(int argc, char **argv) {
  test_begin(argc, argv);
  TEST(simplify_removes_what_changes_nothing);
  TEST(simplify_leaves_what_matters);
  TEST(simplify_turns_a_thin_transpose_into_a_reshape);
  TEST(deduplicate_merges_equal_nodes_only);
  TEST(fold_asks_only_for_constant_nodes);
  TEST(fold_computes_constant_branches);
  return test_end();
}
