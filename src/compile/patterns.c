/* Recognises operations that arrive in parts: layer normalization, gelu, softmax; and layer normalization of sums and
 * of embeddings. */
#include <math.h>
#include <string.h>

#include "base/dtype.h"
#include "base/shape.h"
#include "compile/compile.h"

typedef struct matcher {
  wnn_ir *ir;
  uint32_t *uses;
  size_t count;
} matcher;

static const wnn_desc *desc_of(const matcher *m, uint32_t value) { return &m->ir->values[value].desc; }

/* The node of operation `op` that makes a value. */
static const wnn_node *made_by(const matcher *m, uint32_t value, uint32_t op) {
  const wnn_node *node = value < m->count ? wnn_ir_producer(m->ir, value) : NULL;
  return node && node->op == op && !node->post_count ? node : NULL;
}
static bool used_once(const matcher *m, uint32_t value) { return value < m->count && m->uses[value] == 1; }

/* A constant of one element near a number: float16 constants and decimal ones are rounded. */
static bool is_number(const matcher *m, uint32_t value, double wanted) {
  double number;
  if (!wnn_ir_scalar(m->ir, value, &number)) return false;
  double slack = m->ir->values[value].desc.data_type == WNN_FLOAT16 ? 0x1p-10 : 0x1p-20;
  return fabs(number - wanted) <= slack * fabs(wanted);
}

/* The other operand when one of two is the constant. */
static uint32_t beside_number(const matcher *m, const wnn_node *node, double wanted) {
  if (is_number(m, node->inputs[1], wanted)) return node->inputs[0];
  return is_number(m, node->inputs[0], wanted) ? node->inputs[1] : WNN_NONE;
}

/* Makes a node another operation; one that only the compiler makes keeps the node's arguments. False when memory is
 * short. */
static bool become(matcher *m, wnn_node *node, int op, const void *args, const uint32_t *inputs, uint32_t count) {
  wnn_arena *arena = &m->ir->arena;
  uint32_t *ids = wnn_arena_copy(arena, inputs, count * sizeof *inputs);
  void *copy = op < WNN_OP_COUNT ? wnn_ir_copy_args(arena, op, args) : node->args;
  if (!ids || !copy) return false;
  node->op = (uint16_t)op;
  node->args = copy;
  node->inputs = ids;
  node->input_count = count;
  return true;
}

/* ---- Gelu: x, 1/2 and 1 + erf(x / sqrt(2)) multiplied in any order ---- */

static uint32_t gelu_argument(const matcher *m, uint32_t value) {
  const wnn_node *sum = made_by(m, value, WNN_OP_ADD);
  if (!sum || !used_once(m, value)) return WNN_NONE;
  uint32_t inner = beside_number(m, sum, 1);
  const wnn_node *erf = inner == WNN_NONE || !used_once(m, inner) ? NULL : made_by(m, inner, WNN_OP_ERF);
  if (!erf || !used_once(m, erf->inputs[0])) return WNN_NONE;
  const wnn_node *scaled = made_by(m, erf->inputs[0], WNN_OP_DIV);
  if (scaled) return is_number(m, scaled->inputs[1], sqrt(2)) ? scaled->inputs[0] : WNN_NONE;
  scaled = made_by(m, erf->inputs[0], WNN_OP_MUL);
  return scaled ? beside_number(m, scaled, sqrt(0.5)) : WNN_NONE;
}

/* Factors of a product of two products at most. */
static uint32_t factors_of(const matcher *m, const wnn_node *node, uint32_t factors[4]) {
  uint32_t count = 0;
  for (int i = 0; i < 2; i++) {
    const wnn_node *inner = used_once(m, node->inputs[i]) ? made_by(m, node->inputs[i], WNN_OP_MUL) : NULL;
    if (inner && count < 3) {
      factors[count++] = inner->inputs[0];
      factors[count++] = inner->inputs[1];
    } else {
      factors[count++] = node->inputs[i];
    }
  }
  return count;
}

static bool match_gelu(matcher *m, wnn_node *node) {
  if (node->op != WNN_OP_MUL || node->post_count) return true;
  uint32_t factors[4];
  if (factors_of(m, node, factors) != 3) return true;
  uint32_t x = WNN_NONE, at = 0;
  for (uint32_t i = 0; i < 3 && x == WNN_NONE; i++) x = gelu_argument(m, factors[at = i]);
  if (x == WNN_NONE) return true;
  uint32_t a = factors[at ? 0 : 1], b = factors[at == 2 ? 1 : 2];
  if (!((a == x && is_number(m, b, 0.5)) || (b == x && is_number(m, a, 0.5)))) return true;
  if (!wnn_desc_equal(desc_of(m, x), desc_of(m, node->outputs[0]))) return true;
  return become(m, node, WNN_OP_GELU, &(wnn_float_unary_args){{NULL}}, &x, 1);
}

/* ---- Reductions of x over axes, dimensions kept ---- */

static const wnn_reduce_options *reduces(const matcher *m, uint32_t value, uint32_t op, const wnn_node **node) {
  *node = made_by(m, value, op);
  const wnn_reduce_options *options = *node ? (*node)->args : NULL;
  return options && options->keep_dimensions ? options : NULL;
}

static bool same_axes(const wnn_u32_list *a, const wnn_u32_list *b) {
  return a->count == b->count && !memcmp(a->data, b->data, a->count * sizeof *a->data);
}

/* ---- Softmax: e / sum(e) of e = exp(x - max(x)) ---- */

static bool match_softmax(matcher *m, wnn_node *node) {
  if (node->op != WNN_OP_DIV) return true;
  const wnn_node *sum, *most;
  const wnn_reduce_options *outer = reduces(m, node->inputs[1], WNN_OP_REDUCE_SUM, &sum);
  if (!outer || sum->inputs[0] != node->inputs[0] || outer->axes.count != 1) return true;
  const wnn_node *e = made_by(m, node->inputs[0], WNN_OP_EXP);
  const wnn_node *difference = e ? made_by(m, e->inputs[0], WNN_OP_SUB) : NULL;
  if (!difference) return true;
  const wnn_reduce_options *inner = reduces(m, difference->inputs[1], WNN_OP_REDUCE_MAX, &most);
  if (!inner || most->inputs[0] != difference->inputs[0] || !same_axes(&inner->axes, &outer->axes)) return true;
  const wnn_softmax_args args = {.axis = outer->axes.data[0]};
  return become(m, node, WNN_OP_SOFTMAX, &args, &difference->inputs[0], 1);
}

/* ---- Layer normalization: (x - mean) / sqrt(mean((x - mean)^2) + epsilon) ---- */

static bool is_square_of(const matcher *m, uint32_t value, uint32_t root) {
  const wnn_node *power = made_by(m, value, WNN_OP_POW), *product = made_by(m, value, WNN_OP_MUL);
  if (power) return power->inputs[0] == root && is_number(m, power->inputs[1], 2);
  return product && product->inputs[0] == root && product->inputs[1] == root;
}

/* Whether the axes are the last dimensions in order. */
static bool are_last(const wnn_u32_list *axes, uint32_t rank) {
  for (uint32_t i = 0; i < axes->count; i++)
    if (axes->data[i] != rank - axes->count + i) return false;
  return axes->count > 0;
}

static bool match_layer_normalization(matcher *m, wnn_node *node) {
  uint32_t d, deviation;
  if (node->op == WNN_OP_DIV) {
    d = node->inputs[0], deviation = node->inputs[1];
  } else if (node->op == WNN_OP_MUL && made_by(m, node->inputs[1], WNN_OP_RECIPROCAL)) {
    d = node->inputs[0], deviation = made_by(m, node->inputs[1], WNN_OP_RECIPROCAL)->inputs[0];
  } else {
    return true;
  }
  const wnn_node *difference = made_by(m, d, WNN_OP_SUB), *root = made_by(m, deviation, WNN_OP_SQRT), *mean, *variance;
  const wnn_node *sum = root ? made_by(m, root->inputs[0], WNN_OP_ADD) : NULL;
  if (!difference || !sum) return true;
  double epsilon;
  uint32_t spread = sum->inputs[0];
  if (!wnn_ir_scalar(m->ir, sum->inputs[1], &epsilon)) {
    spread = sum->inputs[1];
    if (!wnn_ir_scalar(m->ir, sum->inputs[0], &epsilon)) return true;
  }
  uint32_t x = difference->inputs[0];
  const wnn_reduce_options *a = reduces(m, difference->inputs[1], WNN_OP_REDUCE_MEAN, &mean);
  const wnn_reduce_options *b = reduces(m, spread, WNN_OP_REDUCE_MEAN, &variance);
  if (!a || !b || mean->inputs[0] != x || !same_axes(&a->axes, &b->axes)) return true;
  if (!is_square_of(m, variance->inputs[0], d) || !are_last(&a->axes, desc_of(m, x)->rank)) return true;
  if (desc_of(m, x)->data_type != WNN_FLOAT32) return true; /* in float16 the parts round, which the whole does not */
  const wnn_layer_normalization_args args = {.options = {.axes = a->axes, .epsilon = epsilon}};
  const uint32_t inputs[] = {x, WNN_NONE, WNN_NONE};
  return become(m, node, WNN_OP_LAYER_NORMALIZATION, &args, inputs, 3);
}

/* Scale or bias behind a layer normalization that has none yet: a product or sum with a tensor of the axes' shape. */
static bool join_affine(matcher *m, wnn_node *node) {
  if ((node->op != WNN_OP_MUL && node->op != WNN_OP_ADD) || node->post_count) return true;
  for (int i = 0; i < 2; i++) {
    uint32_t other = node->inputs[1 - i];
    const wnn_node *norm =
        used_once(m, node->inputs[i]) ? made_by(m, node->inputs[i], WNN_OP_LAYER_NORMALIZATION) : NULL;
    if (!norm || norm->input_count != 3) continue;
    const wnn_layer_normalization_options *options = &((const wnn_layer_normalization_args *)norm->args)->options;
    const wnn_desc *whole = desc_of(m, norm->outputs[0]), *part = desc_of(m, other);
    if (!are_last(&options->axes, whole->rank) || part->rank != options->axes.count) continue;
    if (memcmp(part->shape, whole->shape + whole->rank - part->rank, part->rank * sizeof *part->shape)) continue;
    if (!wnn_desc_equal(whole, desc_of(m, node->outputs[0]))) continue;
    /* The result of a scale that comes before a bias; float16 would round in between. */
    if (whole->data_type != WNN_FLOAT32 || norm->inputs[2] != WNN_NONE) continue;
    if (node->op == WNN_OP_MUL && norm->inputs[1] != WNN_NONE) continue;
    uint32_t inputs[] = {norm->inputs[0], norm->inputs[1], norm->inputs[2]};
    inputs[node->op == WNN_OP_MUL ? 1 : 2] = other;
    return become(m, node, WNN_OP_LAYER_NORMALIZATION, norm->args, inputs, 3);
  }
  return true;
}

static bool for_each(wnn_ir *ir, const wnn_compile_options *options, bool (*const *matches)(matcher *, wnn_node *),
                     size_t match_count) {
  matcher m = {.ir = ir};
  m.uses = wnn_ir_count_uses(ir, &m.count);
  bool fine = m.uses != NULL;
  for (size_t n = 0; fine && n < ir->node_count; n++)
    for (size_t i = 0; fine && i < match_count; i++) fine = matches[i](&m, &ir->nodes[n]);
  wnn_mem_free(options->allocator, m.uses, m.count * sizeof *m.uses);
  return fine && wnn_ir_settle(ir, NULL);
}

bool wnn_pass_patterns(wnn_ir *ir, const wnn_compile_options *options) {
  static bool (*const matches[])(matcher *, wnn_node *) = {match_gelu, match_softmax, match_layer_normalization,
                                                           join_affine};
  return for_each(ir, options, matches, sizeof matches / sizeof matches[0]);
}

/* ---- Layer normalization of sums ---- */

enum { MOST_SOURCES = 4 };

/* Takes sums of equal shapes apart, as long as nothing else needs them. */
static uint32_t split_sum(const matcher *m, const wnn_node *sum, uint32_t sources[MOST_SOURCES]) {
  const wnn_desc *shape = desc_of(m, sum->outputs[0]);
  uint32_t count = 2;
  sources[0] = sum->inputs[0], sources[1] = sum->inputs[1];
  for (uint32_t i = 0; i < count; i++)
    if (!wnn_desc_equal(desc_of(m, sources[i]), shape)) return 0;
  for (uint32_t i = 0; i < count && count < MOST_SOURCES;) {
    const wnn_node *inner = used_once(m, sources[i]) ? made_by(m, sources[i], WNN_OP_ADD) : NULL;
    if (inner && wnn_desc_equal(desc_of(m, inner->inputs[0]), shape) &&
        wnn_desc_equal(desc_of(m, inner->inputs[1]), shape)) {
      /* The first two are added first, as they were. */
      if (i) break;
      for (uint32_t k = count++; k > 1; k--) sources[k] = sources[k - 1];
      sources[0] = inner->inputs[0], sources[1] = inner->inputs[1];
    } else {
      i++;
    }
  }
  return count;
}

static bool match_add_norm(matcher *m, wnn_node *node) {
  if (node->op != WNN_OP_LAYER_NORMALIZATION || node->input_count > 3) return true;
  const wnn_layer_normalization_options *options = &((const wnn_layer_normalization_args *)node->args)->options;
  const wnn_desc *desc = desc_of(m, node->outputs[0]);
  const wnn_node *sum = made_by(m, node->inputs[0], WNN_OP_ADD);
  if (!sum || desc->data_type != WNN_FLOAT32 || options->axes.count != 1 || !are_last(&options->axes, desc->rank))
    return true;
  if (!used_once(m, node->inputs[0])) return true;
  uint32_t sources[MOST_SOURCES], count = split_sum(m, sum, sources);
  if (!count) return true;
  uint32_t inputs[MOST_SOURCES + 2];
  memcpy(inputs, sources, count * sizeof *inputs);
  for (uint32_t i = 0; i < 2; i++) inputs[count + i] = i + 1 < node->input_count ? node->inputs[i + 1] : WNN_NONE;
  return become(m, node, WNN_IR_ADD_NORM, node->args, inputs, count + 2);
}

/* ---- Layer normalization of sums of table rows ---- */

/* Whether the rows of a term repeat over those of the sum: its shape is the end of the sum's, or 1 before that. */
static bool rows_repeat(const wnn_desc *term, const wnn_desc *sum) {
  uint32_t missing = sum->rank - term->rank, same = sum->rank;
  if (term->rank > sum->rank || !term->rank) return false;
  while (same > missing && term->shape[same - 1 - missing] == sum->shape[same - 1]) same--;
  if (same == sum->rank) return false; /* not even the rows are whole */
  while (same > missing && term->shape[same - 1 - missing] == 1) same--;
  return same == missing;
}

/* A term as a table and its indices: a gather of rows, or a tensor whose rows are taken one after the other. */
static bool embed_term(const matcher *m, uint32_t value, const wnn_desc *sum, uint32_t term[2]) {
  if (!rows_repeat(desc_of(m, value), sum)) return false;
  const wnn_node *gather = made_by(m, value, WNN_OP_GATHER);
  term[0] = value, term[1] = WNN_NONE;
  if (!gather || ((const wnn_gather_args *)gather->args)->options.axis || desc_of(m, gather->inputs[0])->rank != 2)
    return true;
  term[0] = gather->inputs[0], term[1] = gather->inputs[1];
  return true;
}

static bool match_embed_norm(matcher *m, wnn_node *node) {
  if (node->op != WNN_OP_LAYER_NORMALIZATION || node->input_count > 3) return true;
  const wnn_layer_normalization_options *options = &((const wnn_layer_normalization_args *)node->args)->options;
  const wnn_desc *desc = desc_of(m, node->outputs[0]);
  if (options->axes.count != 1 || !are_last(&options->axes, desc->rank)) return true;
  /* From the last addition back to the first one. */
  uint32_t terms[MOST_SOURCES], count = 0, value = node->inputs[0];
  for (const wnn_node *sum; count + 1 < MOST_SOURCES && used_once(m, value) && (sum = made_by(m, value, WNN_OP_ADD));) {
    bool right = made_by(m, sum->inputs[0], WNN_OP_ADD) || !made_by(m, sum->inputs[1], WNN_OP_ADD);
    terms[count++] = sum->inputs[right];
    value = sum->inputs[!right];
  }
  if (!count) return true;
  terms[count++] = value;
  uint32_t inputs[2 * MOST_SOURCES + 2], gathers = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (!embed_term(m, terms[count - 1 - i], desc, &inputs[2 * i])) return true;
    gathers += inputs[2 * i + 1] != WNN_NONE;
  }
  if (!gathers) return true;
  for (uint32_t i = 0; i < 2; i++) inputs[2 * count + i] = i + 1 < node->input_count ? node->inputs[i + 1] : WNN_NONE;
  return become(m, node, WNN_IR_EMBED_NORM, node->args, inputs, 2 * count + 2);
}

bool wnn_pass_add_norm(wnn_ir *ir, const wnn_compile_options *options) {
  static bool (*const matches[])(matcher *, wnn_node *) = {match_embed_norm, match_add_norm};
  return for_each(ir, options, matches, sizeof matches / sizeof matches[0]);
}
