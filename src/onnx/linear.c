/* Steps of linear algebra that go on from one another: determinants, running products, linear attention. */
#include <math.h>
#include <string.h>

#include "window.h"

/* ---- Det
 * ------------------------------------------------------------------------------------------------------------- */

enum { DET_LIMIT = 64 };

/* Takes the row with the largest first element out of [m, n, n]: its first element is a factor of the determinant, with
 * a sign where it was not the first row. Leaves [m, n - 1, n - 1]. */
static wnn_operand *eliminate(ox_call *c, wnn_operand *a, wnn_operand **det) {
  const wnn_desc d = *ox_desc(a);
  uint32_t n = d.shape[1];
  wnn_operand *column = ox_slice(c, a, 2, 0, 1), *size = ox_un(c, WNN_OP_ABS, column);
  wnn_arg_min_max_args args = {1, {NULL, true, WNN_INT32}};
  wnn_operand *best = size ? ox_op_n(c, WNN_OP_ARG_MAX, &args, &size, 1) : NULL; /* [m, 1, 1] */
  wnn_operand *chosen = ox_bin(c, WNN_OP_EQUAL, ox_iota(c, WNN_INT32, 3, 1, n), best);
  wnn_operand *row = ox_reduce1(c, WNN_OP_REDUCE_SUM, ox_where(c, chosen, a, ox_like(c, a, 0)), 1, true);
  wnn_operand *pivot = ox_slice(c, row, 2, 0, 1), *zero = ox_like(c, a, 0);
  wnn_operand *moved = ox_bin(c, WNN_OP_GREATER, best, ox_number(c, WNN_INT32, 0));
  wnn_operand *factor = ox_where(c, moved, ox_un(c, WNN_OP_NEG, pivot), pivot);
  *det = *det ? ox_mul(c, *det, factor) : factor;
  if (n == 1) return a;
  /* The first row goes to where the chosen one was. */
  wnn_operand *rest = ox_slice(c, ox_where(c, chosen, ox_slice(c, a, 1, 0, 1), a), 1, 1, n - 1);
  wnn_operand *divisor = ox_where(c, ox_bin(c, WNN_OP_EQUAL, pivot, zero), ox_like(c, a, 1), pivot);
  wnn_operand *share = ox_div(c, ox_slice(c, rest, 2, 0, 1), divisor);
  rest = ox_sub(c, rest, ox_mul(c, share, row));
  rest = ox_slice(c, rest, 2, 1, n - 1);
  return rest;
}

static bool lower_det(ox_call *c) {
  wnn_operand *a = ox_in(c, 0), *det = NULL;
  if (!a) return false;
  const wnn_desc d = *ox_desc(a);
  uint32_t m = 1, n = d.rank < 2 ? 0 : d.shape[d.rank - 1];
  if (!n || d.shape[d.rank - 2] != n) return OX_BAD(c, "the last two dimensions are not those of a square matrix");
  if (n > DET_LIMIT) return OX_UNSUPPORTED(c, "a matrix of more than %d rows", DET_LIMIT);
  for (uint32_t i = 0; i + 2 < d.rank; i++) m *= d.shape[i];
  a = OX_RESHAPE(c, a, m, n, n);
  for (uint32_t i = 0; i < n && a; i++) a = eliminate(c, a, &det);
  return ox_out(c, 0, ox_reshape(c, det, d.rank - 2, d.shape));
}

/* ---- CumProd
 * --------------------------------------------------------------------------------------------------------- */

/* The tensor moved on by a number of rows, ones before it. */
static wnn_operand *shifted(ox_call *c, wnn_operand *x, uint32_t axis, uint32_t by, bool reverse) {
  if (!x) return NULL;
  uint32_t shape[WNN_MAX_RANK], n = ox_desc(x)->shape[axis], rank = ox_desc(x)->rank;
  memcpy(shape, ox_desc(x)->shape, sizeof shape);
  shape[axis] = by < n ? by : n;
  wnn_operand *ones = ox_fill(c, ox_desc(x)->data_type, rank, shape, 1);
  if (by >= n) return ones;
  wnn_operand *part = ox_slice(c, x, axis, reverse ? by : 0, n - by);
  return ox_concat(c, (wnn_operand *const[]){reverse ? part : ones, reverse ? ones : part}, 2, axis);
}

/* Products of 2, 4, 8 ... elements, each from two of the step before. */
static bool lower_cum_prod(ox_call *c) {
  int64_t given;
  uint32_t axis;
  if (!ox_const_int(c, 1, "the axis", &given) || !ox_axis(c, given, ox_in_desc(c, 0)->rank, &axis)) return false;
  if (ox_empty(c, 0)) return ox_out_const(c, 0, ox_in_desc(c, 0), NULL);
  bool reverse = ox_attr_i(c, "reverse") != 0;
  wnn_data_type type = ox_in_desc(c, 0)->data_type;
  wnn_operand *x = ox_cast(c, ox_in(c, 0), ox_wide_type(WNN_OP_MUL, type));
  if (ox_attr_i(c, "exclusive")) x = shifted(c, x, axis, 1, reverse);
  for (uint32_t by = 1; x && by < ox_desc(x)->shape[axis]; by *= 2) x = ox_mul(c, x, shifted(c, x, axis, by, reverse));
  return ox_out(c, 0, ox_cast(c, x, type));
}

/* ---- Linear attention: a state of [batch, heads, key, value] that every step decays and adds to
 * --------------------------- */

typedef struct linear {
  uint32_t batch, steps, heads, group, key, value; /* group: query heads that share a head of keys and values */
  bool gated, delta;
} linear;

/* Step t of [batch, steps, heads * width] as [batch, heads, rows, columns]. */
static wnn_operand *step_of(ox_call *c, const linear *l, wnn_operand *x, uint32_t t, uint32_t heads, uint32_t rows,
                            uint32_t columns) {
  return OX_RESHAPE(c, ox_slice(c, x, 1, t, 1), l->batch, heads, rows, columns);
}

static bool linear_sizes(ox_call *c, linear *l) {
  const wnn_desc *q = ox_in_desc(c, 0), *k = ox_in_desc(c, 1), *v = ox_in_desc(c, 2);
  int64_t query = ox_attr_i(c, "q_num_heads"), heads = ox_attr_i(c, "kv_num_heads");
  bool fits = q->rank == 3 && k->rank == 3 && v->rank == 3 && heads > 0 && query > 0 && query % heads == 0 &&
              q->shape[2] % query == 0 && k->shape[2] % heads == 0 && v->shape[2] % heads == 0 &&
              q->shape[2] / query == k->shape[2] / heads && q->shape[1] == k->shape[1] && q->shape[1] == v->shape[1];
  if (!fits) return OX_BAD(c, "query, key and value do not fit the numbers of heads");
  *l = (linear){.batch = q->shape[0],
                .steps = q->shape[1],
                .heads = (uint32_t)heads,
                .group = (uint32_t)(query / heads),
                .key = (uint32_t)(k->shape[2] / heads),
                .value = (uint32_t)(v->shape[2] / heads)};
  bool plain = ox_attr_is(c, "update_rule", "linear"), both = ox_attr_is(c, "update_rule", "gated_delta");
  l->gated = both || ox_attr_is(c, "update_rule", "gated");
  l->delta = both || ox_attr_is(c, "update_rule", "delta");
  if (!plain && !l->gated && !l->delta) return OX_BAD(c, "attribute 'update_rule' has an unknown value");
  if (l->gated && !ox_has(c, 4)) return OX_BAD(c, "the input decay is missing");
  if (l->delta && !ox_has(c, 5)) return OX_BAD(c, "the input beta is missing");
  return true;
}

static wnn_operand *linear_step(ox_call *c, const linear *l, wnn_operand *const in[6], wnn_operand **state,
                                uint32_t t) {
  wnn_operand *s = *state, *k = step_of(c, l, in[1], t, l->heads, l->key, 1);
  wnn_operand *v = step_of(c, l, in[2], t, l->heads, 1, l->value);
  if (l->gated) {
    bool each = ox_desc(in[4])->shape[2] == l->heads * l->key && l->key > 1;
    wnn_operand *decay = step_of(c, l, in[4], t, l->heads, each ? l->key : 1, 1);
    s = ox_mul(c, s, ox_un(c, WNN_OP_EXP, decay));
  }
  if (l->delta) {
    wnn_operand *known = ox_matmul(c, ox_swap_last(c, k), s);
    wnn_operand *beta = step_of(c, l, in[5], t, ox_desc(in[5])->shape[2], 1, 1);
    v = ox_mul(c, ox_sub(c, v, known), beta);
  }
  *state = ox_add(c, s, ox_mul(c, k, v));
  wnn_operand *y = ox_matmul(c, step_of(c, l, in[0], t, l->heads, l->group, l->key), *state);
  return y ? OX_RESHAPE(c, y, l->batch, 1, l->heads * l->group * l->value) : NULL;
}

static bool lower_linear_attention(ox_call *c) {
  linear l = {0};
  if (!linear_sizes(c, &l)) return false;
  wnn_data_type type = ox_in_desc(c, 0)->data_type, state_type = ox_has(c, 3) ? ox_in_desc(c, 3)->data_type : type;
  wnn_operand *in[6], **parts = ox_temp(c, l.steps, sizeof *parts);
  for (size_t i = 0; i < 6; i++) in[i] = ox_cast(c, ox_in_optional(c, i), WNN_FLOAT32);
  const uint32_t shape[] = {l.batch, l.heads, l.key, l.value};
  wnn_operand *state = in[3] ? in[3] : ox_fill(c, WNN_FLOAT32, 4, shape, 0);
  for (uint32_t t = 0; parts && t < l.steps && !c->failed; t++) {
    if (!ox_spend(c)) return false;
    parts[t] = linear_step(c, &l, in, &state, t);
  }
  if (!parts || c->failed) return false;
  double scale = ox_attr_f(c, "scale");
  wnn_operand *y = ox_concat(c, parts, l.steps, 1);
  y = ox_mul(c, y, ox_number(c, WNN_FLOAT32, scale != 0 ? scale : 1 / sqrt((double)l.key)));
  return ox_out(c, 0, ox_cast(c, y, type)) && (!ox_wants(c, 1) || ox_out(c, 1, ox_cast(c, state, state_type)));
}

/* A depthwise convolution over what went before; the state is the end of that. */
static bool lower_causal_conv(ox_call *c) {
  wnn_operand *x = ox_in(c, 0), *filter = ox_in(c, 1), *bias = ox_in_optional(c, 2), *past = ox_in_optional(c, 3);
  if (!x || !filter) return false;
  const wnn_desc d = *ox_desc(x), f = *ox_desc(filter);
  if (d.rank != 3 || f.rank != 3 || f.shape[0] != d.shape[1] || f.shape[1] != 1)
    return OX_BAD(c, "the filter does not fit the input");
  uint32_t before = f.shape[2] - 1, n = d.shape[0], channels = d.shape[1];
  if (before) {
    const uint32_t shape[] = {n, channels, before};
    if (!past) past = ox_fill(c, d.data_type, 3, shape, 0);
    x = ox_concat(c, (wnn_operand *const[]){past, x}, 2, 2);
  }
  if (!x) return false;
  if (ox_wants(c, 1)) {
    if (!before) return OX_UNSUPPORTED(c, "a state without elements");
    if (!ox_out(c, 1, ox_slice(c, x, 2, ox_desc(x)->shape[2] - before, before))) return false;
  }
  const ox_window window = {.rank = 1, .kernel = {before + 1}, .strides = {1}, .dilations = {1}, .groups = channels};
  wnn_operand *y = ox_convolve(c, x, filter, bias, &window);
  if (ox_attr_is(c, "activation", "silu") || ox_attr_is(c, "activation", "swish"))
    y = ox_mul(c, y, ox_un(c, WNN_OP_SIGMOID, y));
  else if (!ox_attr_is(c, "activation", "none"))
    return OX_UNSUPPORTED(c, "attribute 'activation' has an unknown value");
  return ox_out(c, 0, ox_reshape(c, y, 3, d.shape));
}

#define LINEAR "chunk_size:i=64 kv_num_heads:i q_num_heads:i scale:f=0 update_rule:s=gated_delta"
static const ox_op ops[] = {
    {"", "Det", 11, 1, 1, 1, "", lower_det, 0, 0},
    {"", "CumProd", 26, 2, 2, 1, "exclusive:i=0 reverse:i=0", lower_cum_prod, 0, 0},
    {"", "LinearAttention", 27, 3, 6, 2, LINEAR, lower_linear_attention, 0, 0},
    {"com.microsoft", "LinearAttention", 1, 3, 6, 2, LINEAR, lower_linear_attention, 0, 0},
    {"", "CausalConvWithState", 27, 2, 4, 2, "activation:s=none", lower_causal_conv, 0, 0},
    {"com.microsoft", "CausalConvWithState", 1, 2, 4, 2, "activation:s=none ndim:i=1", lower_causal_conv, 0, 0},
};
OX_FAMILY(linear, ops);
