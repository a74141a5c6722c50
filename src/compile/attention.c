/* Recognises attention: matmul(q, k^T), a scale, a mask, softmax, matmul(.., v), with the reshapes and transposes of
 * heads around, which become steps through memory. */
#include "compile/attention.h"

#include <math.h>
#include <string.h>

#include "base/shape.h"
#include "compile/compile.h"
#include "compile/strided.h"

typedef struct matcher {
  wnn_ir *ir;
  uint32_t *uses, *user; /* of each value: how many, and a node among them */
  size_t count;
} matcher;

static const wnn_desc *desc_of(const matcher *m, uint32_t value) { return &m->ir->values[value].desc; }
static uint32_t last_of(const wnn_desc *desc) { return desc->shape[desc->rank - 1]; }

/* The node that makes a value which nothing else needs. */
static const wnn_node *sole_maker(const matcher *m, uint32_t value) {
  const wnn_node *node = wnn_ir_producer(m->ir, value);
  return node && m->uses[value] == 1 && !node->post_count ? node : NULL;
}

/* The node that alone reads a value. */
static const wnn_node *sole_user(const matcher *m, uint32_t value) {
  if (m->uses[value] != 1 || m->user[value] == WNN_NONE) return NULL;
  const wnn_node *node = &m->ir->nodes[m->user[value]];
  return node->post_count ? NULL : node;
}

/* A reshape that leaves rows of the last dimension whole. */
static bool keeps_rows(const matcher *m, const wnn_node *node) {
  if (node->op != WNN_OP_RESHAPE) return false;
  const wnn_desc *in = desc_of(m, node->inputs[0]), *out = desc_of(m, node->outputs[0]);
  return in->rank && out->rank && last_of(in) == last_of(out);
}

/* ---- The parts ---- */

typedef struct found {
  const wnn_node *product; /* of queries and keys */
  const wnn_node *sum;     /* of scores and mask, or NULL */
  uint32_t mask;
  double scale;
  const wnn_node *result; /* of weights and values */
} found;

/* From a value back to the product, through scales and reshapes. */
static const wnn_node *product_behind(const matcher *m, uint32_t value, double *scale) {
  for (;;) {
    const wnn_node *node = sole_maker(m, value);
    double number;
    if (!node) return NULL;
    if (node->op == WNN_OP_MATMUL) return node;
    if (keeps_rows(m, node)) {
      value = node->inputs[0];
    } else if (node->op == WNN_OP_MUL || node->op == WNN_OP_DIV) {
      uint32_t number_at = wnn_ir_scalar(m->ir, node->inputs[1], &number) ? 1 : 0;
      if (!number_at && (node->op == WNN_OP_DIV || !wnn_ir_scalar(m->ir, node->inputs[0], &number))) return NULL;
      value = node->inputs[1 - number_at];
      if (!wnn_desc_equal(desc_of(m, value), desc_of(m, node->outputs[0]))) return NULL;
      *scale = node->op == WNN_OP_DIV ? *scale / number : *scale * number;
    } else {
      return NULL;
    }
  }
}

static bool find_scores(const matcher *m, uint32_t value, found *f) {
  const wnn_node *node = sole_maker(m, value);
  while (node && keeps_rows(m, node)) node = sole_maker(m, value = node->inputs[0]);
  f->scale = 1;
  if (!node) return false;
  if (node->op != WNN_OP_ADD) return (f->product = product_behind(m, value, &f->scale)) != NULL;
  for (uint32_t i = 0; i < 2; i++) {
    f->scale = 1;
    if (!wnn_desc_equal(desc_of(m, node->inputs[i]), desc_of(m, value))) continue;
    if (!(f->product = product_behind(m, node->inputs[i], &f->scale))) continue;
    f->sum = node;
    f->mask = node->inputs[1 - i];
    return true;
  }
  return false;
}

static bool find_parts(const matcher *m, const wnn_node *softmax, found *f) {
  *f = (found){.mask = WNN_NONE};
  const wnn_desc *desc = desc_of(m, softmax->outputs[0]);
  if (desc->data_type != WNN_FLOAT32 || ((const wnn_softmax_args *)softmax->args)->axis + 1 != desc->rank) return false;
  if (!find_scores(m, softmax->inputs[0], f)) return false;
  uint32_t weights = softmax->outputs[0];
  const wnn_node *next = sole_user(m, weights);
  while (next && keeps_rows(m, next)) next = sole_user(m, weights = next->outputs[0]);
  if (!next || next->op != WNN_OP_MATMUL || next->inputs[0] != weights || next->inputs[1] == weights) return false;
  f->result = next;
  return true;
}

/* ---- Steps through memory: lists of factors over all rows of scores ---- */

/* All dimensions before the last `inner` ones, seen through `shape`; those inner ones' steps go to steps. */
static bool split_inner(const wnn_strided *s, uint32_t inner, const wnn_desc *shape, wnn_strided *outer,
                        size_t steps[2]) {
  for (uint32_t i = 0; i < inner; i++)
    if (!wnn_strided_step(s, s->rank - inner + i, &steps[i])) return false;
  *outer = *s;
  outer->rank -= inner;
  return wnn_strided_broadcast(outer, shape->rank - 2, shape->shape);
}

/* Leading dimensions of `shape` and `rows` repetitions, flat. */
static bool flatten_repeated(wnn_strided *s, uint32_t rows) {
  size_t total = rows;
  uint32_t shape[WNN_MAX_RANK] = {0};
  for (uint32_t d = 0; d < s->rank; d++) {
    size_t size = 1;
    for (uint32_t i = s->first[d]; i < s->first[d + 1]; i++) size *= s->factors[i].size;
    shape[d] = (uint32_t)size;
    total *= size;
  }
  if (s->rank == WNN_MAX_RANK) return false;
  shape[s->rank] = rows;
  /* A dimension of size 1 behind the others, repeated. */
  s->first[s->rank + 1] = s->first[s->rank];
  s->rank++;
  return wnn_strided_broadcast(s, s->rank, shape) && wnn_strided_reshape(s, 1, &total);
}

/* A matrix of keys or values under `product`, whose rows are dimension 0 of its last two. */
static bool place_matrix(const matcher *m, const wnn_node *product, bool scaled, wnn_strided *rows, size_t steps[2],
                         double *scale) {
  const wnn_desc *out = desc_of(m, product->outputs[0]);
  wnn_strided s;
  wnn_strided_of(m->ir, product->inputs[1], scaled, &s);
  for (int dense = 0; dense < 2; dense++) {
    if (split_inner(&s, 2, out, rows, steps) && (steps[0] == 1 || steps[1] == 1) &&
        flatten_repeated(rows, out->shape[out->rank - 2])) {
      *scale *= s.scale;
      return true;
    }
    wnn_strided_dense(m->ir, product->inputs[1], &s);
  }
  return false;
}

/* Rows of queries or of the mask under the shape `out`, of which each is one run. */
static bool place_rows(const matcher *m, uint32_t value, bool scaled, const wnn_desc *out, bool leading_only,
                       wnn_strided *rows, double *scale) {
  wnn_strided s;
  wnn_strided_of(m->ir, value, scaled, &s);
  for (int dense = 0; dense < 2; dense++) {
    wnn_strided whole = s;
    wnn_desc shape = *out;
    size_t step, total = wnn_shape_product(out, 0, out->rank - 1);
    if (leading_only) shape.shape[out->rank - 1] = last_of(desc_of(m, value));
    if (wnn_strided_broadcast(&whole, shape.rank, shape.shape) && wnn_strided_step(&whole, shape.rank - 1, &step) &&
        step == 1) {
      whole.rank--;
      if (wnn_strided_reshape(&whole, 1, &total)) {
        *rows = whole;
        *scale *= s.scale;
        return true;
      }
    }
    wnn_strided_dense(m->ir, value, &s);
  }
  return false;
}

/* Follows the result through movement to the last value whose rows are still runs; returns that value. */
static uint32_t place_result(const matcher *m, uint32_t value, wnn_strided *rows) {
  const wnn_desc *desc = desc_of(m, value);
  const size_t shape[] = {wnn_shape_product(desc, 0, desc->rank - 1), last_of(desc)};
  uint32_t last = WNN_NONE;
  wnn_strided s;
  wnn_strided_dense(m->ir, value, &s);
  for (;;) {
    wnn_strided flat;
    size_t step;
    if (wnn_strided_invert(&s, value, &flat) && wnn_strided_reshape(&flat, 2, shape) &&
        wnn_strided_step(&flat, 1, &step) && step == 1) {
      flat.rank--;
      *rows = flat;
      last = value;
    }
    const wnn_node *next = sole_user(m, value);
    if (!next || (next->op != WNN_OP_RESHAPE && next->op != WNN_OP_TRANSPOSE)) return last;
    if (!wnn_strided_apply(m->ir, next, 0, &s)) return last;
    value = next->outputs[0];
  }
}

/* Cuts the lists of all parts into the same digits, innermost first. */
static bool join_rows(wnn_strided rows[WNN_ATTEND_PARTS], size_t total, wnn_attend *a) {
  size_t dims[WNN_ATTEND_RANK + 1], steps[WNN_ATTEND_RANK + 1][WNN_ATTEND_PARTS];
  uint32_t count = 0;
  while (total > 1) {
    size_t size = total;
    for (int i = 0; i < WNN_ATTEND_PARTS; i++) {
      const wnn_factor *f = &rows[i].factors[rows[i].first[1] - 1];
      size = f->size < size ? f->size : size;
    }
    size_t step[WNN_ATTEND_PARTS];
    bool joins = count > 0;
    for (int i = 0; i < WNN_ATTEND_PARTS; i++) {
      wnn_factor *f = &rows[i].factors[rows[i].first[1] - 1];
      if (f->size % size) return false;
      step[i] = f->step;
      f->size /= size;
      f->step *= size;
      if (f->size == 1) rows[i].first[1]--;
      joins = joins && step[i] == steps[count - 1][i] * dims[count - 1];
    }
    if (joins) {
      dims[count - 1] *= size;
    } else {
      if (count > WNN_ATTEND_RANK) return false;
      dims[count] = size;
      memcpy(steps[count++], step, sizeof step);
    }
    total /= size;
  }
  /* Queries share their keys and values. */
  uint32_t first = count && !steps[0][WNN_ATTEND_K] && !steps[0][WNN_ATTEND_V];
  a->queries = first ? dims[0] : 1;
  for (int i = 0; i < WNN_ATTEND_PARTS; i++) a->row[i] = first ? steps[0][i] : 0;
  if (count - first > WNN_ATTEND_RANK) return false;
  for (; count > first; a->rank++) {
    a->dims[a->rank] = dims[--count];
    memcpy(a->steps[a->rank], steps[count], sizeof steps[count]);
  }
  return true;
}

/* ---- The pass ---- */

static bool put_together(const matcher *m, const found *f, wnn_attend *a, uint32_t inputs[4], uint32_t *output) {
  const wnn_desc *product = desc_of(m, f->product->outputs[0]), *result = desc_of(m, f->result->outputs[0]);
  const size_t total = wnn_shape_product(product, 0, product->rank - 1);
  if (wnn_shape_product(result, 0, result->rank - 1) != total) return false;
  if (desc_of(m, f->product->inputs[0])->data_type != WNN_FLOAT32) return false;
  *a = (wnn_attend){
      .keys = last_of(product), .depth = last_of(desc_of(m, f->product->inputs[0])), .width = last_of(result)};
  wnn_strided rows[WNN_ATTEND_PARTS];
  size_t keys[2], values[2];
  double scale = f->scale, one = 1;
  if (!place_rows(m, f->product->inputs[0], true, product, true, &rows[WNN_ATTEND_Q], &scale)) return false;
  if (!place_matrix(m, f->product, true, &rows[WNN_ATTEND_K], keys, &scale)) return false;
  if (!place_matrix(m, f->result, false, &rows[WNN_ATTEND_V], values, &one)) return false;
  rows[WNN_ATTEND_MASK] =
      (wnn_strided){.source = WNN_NONE, .rank = 1, .first = {0, total > 1}, .factors = {{total, 0}}};
  if (f->sum && !place_rows(m, f->mask, false, desc_of(m, f->sum->outputs[0]), false, &rows[WNN_ATTEND_MASK], &one))
    return false;
  *output = place_result(m, f->result->outputs[0], &rows[WNN_ATTEND_OUT]);
  /* Far from 1 the order of products matters. */
  if (*output == WNN_NONE || !(fabs(scale) >= 0x1p-20 && fabs(scale) <= 0x1p20)) return false;
  for (int i = 0; i < WNN_ATTEND_PARTS; i++) a->offset[i] = rows[i].offset;
  for (int i = 0; i < 4; i++) inputs[i] = rows[i].source;
  if (!join_rows(rows, total, a)) return false;
  a->scale = scale;
  /* Columns are the elements of a key in K, of a value in V. */
  a->row[WNN_ATTEND_K] = keys[1], a->column[WNN_ATTEND_K] = keys[0];
  a->row[WNN_ATTEND_V] = values[0], a->column[WNN_ATTEND_V] = values[1];
  a->column[WNN_ATTEND_Q] = a->column[WNN_ATTEND_MASK] = a->column[WNN_ATTEND_OUT] = 1;
  return true;
}

/* False when memory is short. */
static bool match(matcher *m, const wnn_node *softmax) {
  found f;
  wnn_attend a, *args;
  uint32_t inputs[4], output, *ids;
  if (!find_parts(m, softmax, &f) || !put_together(m, &f, &a, inputs, &output)) return true;
  wnn_arena *arena = &m->ir->arena;
  args = wnn_arena_copy(arena, &a, sizeof a);
  ids = wnn_arena_copy(arena, inputs, sizeof inputs);
  if (!args || !ids) return false;
  wnn_node *node = &m->ir->nodes[m->ir->values[output].node];
  node->op = WNN_IR_ATTENTION;
  node->args = args;
  node->inputs = ids;
  node->input_count = 4;
  return true;
}

bool wnn_pass_attention(wnn_ir *ir, const wnn_compile_options *options) {
  matcher m = {.ir = ir};
  m.uses = wnn_ir_count_uses(ir, &m.count);
  m.user = wnn_mem_alloc(options->allocator, m.count * sizeof *m.user);
  bool fine = m.uses && m.user;
  if (fine) {
    for (size_t i = 0; i < m.count; i++) m.user[i] = WNN_NONE;
    for (size_t n = 0; n < ir->node_count; n++)
      for (uint32_t i = 0; i < ir->nodes[n].input_count; i++)
        if (ir->nodes[n].inputs[i] != WNN_NONE) m.user[ir->nodes[n].inputs[i]] = (uint32_t)n;
  }
  for (size_t n = 0; fine && n < ir->node_count; n++)
    if (ir->nodes[n].op == WNN_OP_SOFTMAX && !ir->nodes[n].post_count) fine = match(&m, &ir->nodes[n]);
  wnn_mem_free(options->allocator, m.uses, m.count * sizeof *m.uses);
  wnn_mem_free(options->allocator, m.user, m.count * sizeof *m.user);
  return fine && wnn_ir_settle(ir, NULL);
}
