/* Each compiler pass on its own: what it removes, what it must leave, and that results stay the same. */
#include <math.h>

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

/* A row of 8 elements with 2 before and 3 behind it, under windows of 4, which have a padding of 1 themselves. */
typedef struct padded {
  int op;
  double fill, least;        /* least: of the row's elements, which a clamp makes; 0: any */
  uint32_t stride, dilation; /* 0: 1 */
  uint32_t channels;         /* how many are added, too */
  wnn_padding_mode mode;
  wnn_rounding rounding;
  bool absorbed;
} padded;

static wnn_operand *node(bench *b, int op, const void *args, wnn_operand *x, wnn_operand *y) {
  wnn_operand *operands[] = {x, y, NULL}, *out = NULL;
  CHECK_OK(wnn_builder_add(b->builder, op, args, operands, wnn_op_get(op)->operand_count, &out, 1, NULL, &b->error),
           b->error);
  return out;
}

static void check_padded(const padded *p) {
  bench b;
  wnn_ir ir;
  open_bench(&b);
  const wnn_desc row = {WNN_FLOAT32, 4, {1, 2, 1, 8}}, filter = {WNN_FLOAT32, 4, {1, 2 + p->channels, 1, 4}};
  const uint32_t before[] = {0, 0, 0, 2}, behind[] = {0, p->channels, 0, 3}, own[] = {0, 0, 1, 0}, window[] = {1, 4};
  const uint32_t stride[] = {1, p->stride ? p->stride : 1}, dilation[] = {1, p->dilation ? p->dilation : 1};
  const wnn_u32_list strides = {stride, 2}, dilations = {dilation, 2};
  wnn_operand *x, *w;
  CHECK_OK(wnn_builder_input(b.builder, "x", &row, &x, &b.error), b.error);
  if (p->least != 0) {
    wnn_clamp_args clamp = {.options = WNN_CLAMP_OPTIONS_INIT};
    clamp.options.min_value = wnn_number_double(p->least);
    x = node(&b, WNN_OP_CLAMP, &clamp, x, NULL);
  }
  wnn_pad_args pad = {{before, 4}, {behind, 4}, {.mode = p->mode, .value = wnn_number_double(p->fill)}};
  x = node(&b, WNN_OP_PAD, &pad, x, NULL);
  if (p->op == WNN_OP_CONV2D) {
    wnn_conv2d_args conv = {.options = WNN_CONV2D_OPTIONS_INIT};
    conv.options.padding = (wnn_u32_list){own, 4}, conv.options.strides = strides, conv.options.dilations = dilations;
    CHECK_OK(wnn_builder_input(b.builder, "w", &filter, &w, &b.error), b.error);
    x = node(&b, p->op, &conv, x, w);
  } else {
    wnn_pool2d_options pool = WNN_POOL2D_OPTIONS_INIT;
    pool.padding = (wnn_u32_list){own, 4}, pool.strides = strides, pool.dilations = dilations;
    pool.window_dimensions = (wnn_u32_list){window, 2}, pool.output_shape_rounding = p->rounding;
    x = node(&b, p->op, &pool, x, NULL);
  }
  prepare(&b, x, &ir);
  run_pass(wnn_pass_simplify, &ir);
  CHECK_EQ(count_op(&ir, WNN_OP_PAD), !p->absorbed);
  const wnn_node *last = &ir.nodes[ir.node_count - 1];
  const uint32_t *padding = p->op == WNN_OP_CONV2D ? ((const wnn_conv2d_args *)last->args)->options.padding.data
                                                   : ((const wnn_float_pool2d_args *)last->args)->options.padding.data;
  CHECK_EQ(padding[2], p->absorbed ? 3 : 1);
  CHECK_EQ(padding[3], p->absorbed ? 3 : 0);
  wnn_ir_free(&ir);
  close_bench(&b);
}

static void simplify_leaves_padding_to_windows(void) {
  const double none = -(double)INFINITY;
  const padded cases[] = {
      {.op = WNN_OP_CONV2D, .absorbed = true},
      {.op = WNN_OP_CONV2D, .stride = 2, .dilation = 2, .absorbed = true},
      {.op = WNN_OP_CONV2D, .fill = 1},
      {.op = WNN_OP_CONV2D, .channels = 1},
      {.op = WNN_OP_CONV2D, .mode = WNN_PADDING_MODE_EDGE},
      {.op = WNN_OP_CONV2D, .mode = WNN_PADDING_MODE_REFLECTION},
      {.op = WNN_OP_L2_POOL2D, .absorbed = true},
      {.op = WNN_OP_L2_POOL2D, .fill = none},
      {.op = WNN_OP_AVERAGE_POOL2D},
      {.op = WNN_OP_MAX_POOL2D, .fill = none, .absorbed = true},
      {.op = WNN_OP_MAX_POOL2D},
      {.op = WNN_OP_MAX_POOL2D, .least = -1},
      {.op = WNN_OP_MAX_POOL2D, .least = 1, .absorbed = true},
      {.op = WNN_OP_MAX_POOL2D, .least = 1, .fill = 1},
      {.op = WNN_OP_MAX_POOL2D, .least = 1, .dilation = 3}, /* windows with gaps may miss the row */
      {.op = WNN_OP_MAX_POOL2D, .least = 1, .stride = 11, .absorbed = true},
      {.op = WNN_OP_MAX_POOL2D, .least = 1, .stride = 11, .rounding = WNN_ROUNDING_CEIL}, /* one lies behind the row */
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) check_padded(&cases[i]);
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
  TEST(simplify_leaves_padding_to_windows);
  TEST(deduplicate_merges_equal_nodes_only);
  TEST(fold_asks_only_for_constant_nodes);
  TEST(fold_computes_constant_branches);
  return test_end();
}
