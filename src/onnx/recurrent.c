/* LSTM, GRU and RNN. What WebNN's own operations say is used directly; the rest (other activations, clipping, lengths
 * of single rows, peepholes on the new cell, plain RNN) is unrolled over the time steps. */
#include <math.h>
#include <string.h>

#include "import.h"

typedef enum cell { CELL_LSTM, CELL_GRU, CELL_RNN } cell;
enum { MAX_STEPS = 4096, MAX_ACTIVATIONS = 6 };

typedef struct activation {
  char name[24];
  double alpha, beta;
  bool has_alpha, has_beta;
} activation;

typedef struct recurrent {
  cell kind;
  uint32_t gates, directions, steps, batch, hidden;
  bool backward_first, batch_first, linear_before_reset, input_forget;
  double clip; /* 0: none */
  activation activations[MAX_ACTIVATIONS];
  uint32_t functions;                                        /* for each direction */
  wnn_operand *x, *w, *r, *b, *h, *cell_state, *p, *lengths; /* lengths NULL: all rows are full */
} recurrent;

/* ---- Reading ----------------------------------------------------------------------------------------------- */

static bool takes(const char *name, bool beta) {
  static const char *const with_alpha[] = {"LeakyRelu",  "ThresholdedRelu", "Elu",
                                           "ScaledTanh", "HardSigmoid",     "Affine"};
  for (size_t i = beta ? 3 : 0; i < 6; i++) {
    if (!strcmp(name, with_alpha[i])) return true;
  }
  return false;
}

static bool read_activations(ox_call *c, recurrent *r) {
  static const char *const standard[3][3] = {
      {"Sigmoid", "Tanh", "Tanh"}, {"Sigmoid", "Tanh", NULL}, {"Tanh", NULL, NULL}};
  const ox_attr *names = ox_attr_find(c, "activations");
  const float *alpha = NULL, *beta = NULL;
  size_t alphas = 0, betas = 0, next_alpha = 0, next_beta = 0;
  ox_attr_floats(c, "activation_alpha", &alpha, &alphas);
  ox_attr_floats(c, "activation_beta", &beta, &betas);
  uint32_t count = r->functions * r->directions;
  if (names && names->strings.count && names->strings.count != count)
    return OX_BAD(c, "attribute 'activations' has %zu entries, not %u", names->strings.count, count);
  for (uint32_t i = 0; i < count; i++) {
    activation *a = &r->activations[i];
    if (names && names->strings.count) {
      ox_bytes text = *OX_AT(names->strings, ox_bytes, i);
      if (text.size >= sizeof a->name) return OX_UNSUPPORTED(c, "attribute 'activations' has an unknown entry");
      if (text.size) memcpy(a->name, text.data, text.size);
    } else {
      strcpy(a->name, standard[r->kind][i % r->functions]);
    }
    /* Parameters are listed only for functions that have them. */
    if (takes(a->name, false) && next_alpha < alphas) {
      a->alpha = (double)alpha[next_alpha++];
      a->has_alpha = true;
    }
    if (takes(a->name, true) && next_beta < betas) {
      a->beta = (double)beta[next_beta++];
      a->has_beta = true;
    }
  }
  return true;
}

static bool read_lengths(ox_call *c, recurrent *r) {
  if (!ox_has(c, 4)) return true;
  if (ox_is_const(c, 4)) {
    ox_ints lengths;
    bool full = true;
    if (!ox_const_ints(c, 4, "sequence_lens", &lengths)) return false;
    for (size_t i = 0; i < lengths.count; i++) full = full && lengths.at[i] == r->steps;
    if (full) return true;
  }
  r->lengths = ox_cast(c, ox_in(c, 4), WNN_INT64);
  return r->lengths != NULL;
}

static bool read_node(ox_call *c, recurrent *r) {
  static const uint32_t gates[] = {4, 3, 1}, functions[] = {3, 2, 1};
  r->kind = (cell)c->op->arg;
  r->gates = gates[r->kind];
  r->functions = functions[r->kind];
  bool both = ox_attr_is(c, "direction", "bidirectional");
  r->backward_first = ox_attr_is(c, "direction", "reverse");
  if (!both && !r->backward_first && !ox_attr_is(c, "direction", "forward"))
    return OX_BAD(c, "attribute 'direction' has an unknown value");
  r->directions = both ? 2 : 1;
  r->batch_first = ox_attr_i(c, "layout") != 0;
  r->clip = ox_attr_f(c, "clip");
  r->linear_before_reset = ox_attr_i(c, "linear_before_reset") != 0;
  r->input_forget = ox_attr_i(c, "input_forget") != 0;
  r->x = ox_in(c, 0);
  r->w = ox_in(c, 1);
  r->r = ox_in(c, 2);
  r->b = ox_in_optional(c, 3);
  r->h = ox_in_optional(c, 5);
  r->cell_state = r->kind == CELL_LSTM ? ox_in_optional(c, 6) : NULL;
  r->p = r->kind == CELL_LSTM ? ox_in_optional(c, 7) : NULL;
  if (c->failed) return false;
  if (r->batch_first) {
    if (ox_desc(r->x)->rank != 3) return OX_BAD(c, "the input has rank %u, not 3", ox_desc(r->x)->rank);
    r->x = OX_TRANSPOSE(c, r->x, 1, 0, 2);
    if (r->h) r->h = OX_TRANSPOSE(c, r->h, 1, 0, 2);
    if (r->cell_state) r->cell_state = OX_TRANSPOSE(c, r->cell_state, 1, 0, 2);
  }
  const wnn_desc *x = ox_desc(r->x), *w = ox_desc(r->w), *rec = ox_desc(r->r);
  bool ranks =
      x->rank == 3 && w->rank == 3 && rec->rank == 3 && rec->shape[0] == r->directions && w->shape[0] == r->directions;
  if (!ranks || rec->shape[1] != (uint64_t)r->gates * rec->shape[2] || w->shape[1] != rec->shape[1])
    return OX_BAD(c, "the weights do not fit together");
  r->steps = x->shape[0];
  r->batch = x->shape[1];
  r->hidden = rec->shape[2];
  int64_t hidden = ox_attr_i(c, "hidden_size");
  if (hidden && hidden != r->hidden) return OX_BAD(c, "attribute 'hidden_size' is not that of the weights");
  if (r->b && (ox_desc(r->b)->rank != 2 || ox_desc(r->b)->shape[1] != (uint64_t)2 * r->gates * r->hidden))
    return OX_BAD(c, "the bias does not fit the weights");
  return read_activations(c, r) && read_lengths(c, r);
}

/* ---- Direct -------------------------------------------------------------------------------------------------- */

static bool direct_activations(const recurrent *r, int32_t codes[3]) {
  static const char *const names[] = {"Relu", "Sigmoid", "Tanh"};
  for (uint32_t i = 0; i < r->functions; i++) {
    codes[i] = -1;
    for (int k = 0; k < 3; k++) {
      if (!strcmp(r->activations[i].name, names[k])) codes[i] = k;
    }
    bool agree = r->directions == 1 || !strcmp(r->activations[i].name, r->activations[i + r->functions].name);
    if (codes[i] < 0 || !agree) return false;
  }
  return true;
}

static bool is_direct(const recurrent *r, int32_t codes[3]) {
  return r->kind != CELL_RNN && r->clip == 0 && !r->input_forget && !r->p && !r->lengths &&
         direct_activations(r, codes);
}

/* Y is [steps, directions, batch, hidden], the states [directions, batch, hidden]. */
static bool out_states(ox_call *c, const recurrent *r, wnn_operand *y, wnn_operand *h, wnn_operand *cell_state) {
  if (ox_wants(c, 0) && !ox_out(c, 0, r->batch_first && y ? OX_TRANSPOSE(c, y, 2, 0, 1, 3) : y)) return false;
  if (ox_wants(c, 1) && !ox_out(c, 1, r->batch_first && h ? OX_TRANSPOSE(c, h, 1, 0, 2) : h)) return false;
  if (!ox_wants(c, 2)) return !c->failed;
  return ox_out(c, 2, r->batch_first && cell_state ? OX_TRANSPOSE(c, cell_state, 1, 0, 2) : cell_state);
}

static wnn_operand *half_bias(ox_call *c, const recurrent *r, uint32_t half) {
  uint32_t size = r->gates * r->hidden;
  return r->b ? ox_slice(c, r->b, 1, half * size, size) : NULL;
}

static bool lower_direct(ox_call *c, const recurrent *r, const int32_t codes[3]) {
  wnn_direction direction = r->directions == 2  ? WNN_DIRECTION_BOTH
                            : r->backward_first ? WNN_DIRECTION_BACKWARD
                                                : WNN_DIRECTION_FORWARD;
  wnn_operand *bias = half_bias(c, r, 0), *recurrent_bias = half_bias(c, r, 1), *outs[3] = {NULL};
  bool sequence = ox_wants(c, 0);
  if (c->failed) return false;
  if (r->kind == CELL_LSTM) {
    wnn_lstm_args args = {r->steps, r->hidden, WNN_LSTM_OPTIONS_INIT};
    args.options.activations = (wnn_enum_list){codes, 3};
    args.options.direction = direction;
    args.options.return_sequence = sequence;
    args.options.bias = bias;
    args.options.recurrent_bias = recurrent_bias;
    args.options.initial_hidden_state = r->h;
    args.options.initial_cell_state = r->cell_state;
    wnn_operand *const in[] = {r->x, r->w, r->r, bias, recurrent_bias, NULL, r->h, r->cell_state};
    if (!ox_op_outs(c, WNN_OP_LSTM, &args, in, 8, outs, sequence ? 3 : 2)) return false;
    return out_states(c, r, outs[2], outs[0], outs[1]);
  }
  wnn_gru_args args = {r->steps, r->hidden, WNN_GRU_OPTIONS_INIT};
  args.options.activations = (wnn_enum_list){codes, 2};
  args.options.direction = direction;
  args.options.return_sequence = sequence;
  args.options.reset_after = r->linear_before_reset;
  args.options.bias = bias;
  args.options.recurrent_bias = recurrent_bias;
  args.options.initial_hidden_state = r->h;
  wnn_operand *const in[] = {r->x, r->w, r->r, bias, recurrent_bias, r->h};
  if (!ox_op_outs(c, WNN_OP_GRU, &args, in, 6, outs, sequence ? 2 : 1)) return false;
  return out_states(c, r, outs[1], outs[0], NULL);
}

/* ---- Unrolled -------------------------------------------------------------------------------------------------- */

typedef struct direction_state {
  uint32_t index;
  wnn_operand *xw;           /* [steps, batch, gates * hidden], with the input bias */
  wnn_operand *rt;           /* [hidden, gates * hidden] */
  wnn_operand *rb;           /* [1, gates * hidden] or NULL */
  wnn_operand *pi, *po, *pf; /* [1, hidden] or NULL */
  wnn_operand *h, *cell_state;
} direction_state;

static wnn_operand *direction_of(ox_call *c, wnn_operand *x, uint32_t index) {
  if (!x) return NULL;
  wnn_desc d = *ox_desc(ox_slice(c, x, 0, index, 1));
  return ox_reshape(c, ox_slice(c, x, 0, index, 1), d.rank - 1, d.shape + 1);
}

static wnn_operand *act(ox_call *c, const recurrent *r, const direction_state *d, uint32_t function, wnn_operand *x) {
  const activation *a = &r->activations[d->index * r->functions + function];
  if (r->clip > 0) x = ox_clamp(c, x, -r->clip, r->clip);
  return ox_activate(c, x, a->name, a->alpha, a->beta, a->has_alpha, a->has_beta);
}

static wnn_operand *gate(ox_call *c, const recurrent *r, wnn_operand *x, uint32_t index) {
  return ox_slice(c, x, 1, index * r->hidden, r->hidden);
}

static wnn_operand *peep(ox_call *c, wnn_operand *x, wnn_operand *weight, wnn_operand *state) {
  return weight ? ox_add(c, x, ox_mul(c, weight, state)) : x;
}

static void lstm_step(ox_call *c, const recurrent *r, direction_state *d, wnn_operand *x) {
  wnn_operand *g = ox_add(c, x, ox_matmul(c, d->h, d->rt));
  if (d->rb) g = ox_add(c, g, d->rb);
  wnn_operand *in = act(c, r, d, 0, peep(c, gate(c, r, g, 0), d->pi, d->cell_state));
  wnn_operand *forget = r->input_forget ? ox_sub(c, ox_like(c, in, 1), in)
                                        : act(c, r, d, 0, peep(c, gate(c, r, g, 2), d->pf, d->cell_state));
  wnn_operand *fresh = act(c, r, d, 1, gate(c, r, g, 3));
  d->cell_state = ox_add(c, ox_mul(c, forget, d->cell_state), ox_mul(c, in, fresh));
  wnn_operand *out = act(c, r, d, 0, peep(c, gate(c, r, g, 1), d->po, d->cell_state));
  const activation *a = &r->activations[d->index * r->functions + 2];
  d->h = ox_mul(c, out, ox_activate(c, d->cell_state, a->name, a->alpha, a->beta, a->has_alpha, a->has_beta));
}

static void gru_step(ox_call *c, const recurrent *r, direction_state *d, wnn_operand *x) {
  uint32_t two = 2 * r->hidden, last = r->hidden;
  wnn_operand *hr = ox_matmul(c, d->h, ox_slice(c, d->rt, 1, 0, two));
  wnn_operand *zr = ox_add(c, ox_slice(c, x, 1, 0, two), hr);
  if (d->rb) zr = ox_add(c, zr, ox_slice(c, d->rb, 1, 0, two));
  wnn_operand *z = act(c, r, d, 0, gate(c, r, zr, 0)), *reset = act(c, r, d, 0, gate(c, r, zr, 1));
  wnn_operand *rn = ox_slice(c, d->rt, 1, two, last), *bn = d->rb ? ox_slice(c, d->rb, 1, two, last) : NULL, *n;
  if (r->linear_before_reset) {
    n = ox_matmul(c, d->h, rn);
    if (bn) n = ox_add(c, n, bn);
    n = ox_mul(c, reset, n);
  } else {
    n = ox_matmul(c, ox_mul(c, reset, d->h), rn);
    if (bn) n = ox_add(c, n, bn);
  }
  n = act(c, r, d, 1, ox_add(c, gate(c, r, x, 2), n));
  d->h = ox_add(c, ox_mul(c, ox_sub(c, ox_like(c, z, 1), z), n), ox_mul(c, z, d->h));
}

static void rnn_step(ox_call *c, const recurrent *r, direction_state *d, wnn_operand *x) {
  wnn_operand *g = ox_add(c, x, ox_matmul(c, d->h, d->rt));
  if (d->rb) g = ox_add(c, g, d->rb);
  d->h = act(c, r, d, 0, g);
}

static bool begin(ox_call *c, const recurrent *r, direction_state *d) {
  const uint32_t state[] = {r->batch, r->hidden}, width = r->gates * r->hidden;
  wnn_data_type type = ox_desc(r->x)->data_type;
  d->xw = ox_matmul(c, r->x, ox_swap_last(c, direction_of(c, r->w, d->index)));
  d->rt = ox_swap_last(c, direction_of(c, r->r, d->index));
  if (r->b) {
    wnn_operand *b = ox_slice(c, r->b, 0, d->index, 1);
    d->xw = ox_add(c, d->xw, ox_slice(c, b, 1, 0, width));
    d->rb = ox_slice(c, b, 1, width, width);
  }
  if (r->p) {
    wnn_operand *p = ox_slice(c, r->p, 0, d->index, 1);
    d->pi = ox_slice(c, p, 1, 0, r->hidden);
    d->po = ox_slice(c, p, 1, r->hidden, r->hidden);
    d->pf = ox_slice(c, p, 1, 2 * r->hidden, r->hidden);
  }
  d->h = r->h ? direction_of(c, r->h, d->index) : ox_fill(c, type, 2, state, 0);
  if (r->kind == CELL_LSTM)
    d->cell_state = r->cell_state ? direction_of(c, r->cell_state, d->index) : ox_fill(c, type, 2, state, 0);
  return !c->failed;
}

static bool run_direction(ox_call *c, const recurrent *r, direction_state *d, wnn_operand **ys) {
  bool backward = r->directions == 2 ? d->index == 1 : r->backward_first;
  if (!begin(c, r, d)) return false;
  for (uint32_t i = 0; i < r->steps && !c->failed; i++) {
    uint32_t t = backward ? r->steps - 1 - i : i;
    wnn_operand *x = OX_RESHAPE(c, ox_slice(c, d->xw, 0, t, 1), r->batch, r->gates * r->hidden);
    wnn_operand *old_h = d->h, *old_cell = d->cell_state;
    if (r->kind == CELL_LSTM)
      lstm_step(c, r, d, x);
    else if (r->kind == CELL_GRU)
      gru_step(c, r, d, x);
    else
      rnn_step(c, r, d, x);
    ys[t] = d->h;
    if (!r->lengths) continue;
    /* Rows behind their end keep the state; a backward walk so starts at each row's own end. */
    wnn_operand *inside = ox_bin(c, WNN_OP_LESSER, ox_number(c, WNN_INT64, t), OX_RESHAPE(c, r->lengths, r->batch, 1));
    ys[t] = ox_where(c, inside, d->h, ox_like(c, d->h, 0));
    d->h = ox_where(c, inside, d->h, old_h);
    if (d->cell_state) d->cell_state = ox_where(c, inside, d->cell_state, old_cell);
  }
  return !c->failed;
}

static bool lower_unrolled(ox_call *c, const recurrent *r) {
  if (r->steps > MAX_STEPS) return OX_UNSUPPORTED(c, "%u steps are too many to unroll", r->steps);
  wnn_operand **ys = ox_temp(c, (size_t)r->steps * 2, sizeof *ys), *h[2], *cells[2];
  if (!ys) return false;
  for (uint32_t k = 0; k < r->directions; k++) {
    direction_state d = {.index = k};
    if (!run_direction(c, r, &d, ys + (size_t)k * r->steps)) return false;
    h[k] = OX_RESHAPE(c, d.h, 1, r->batch, r->hidden);
    cells[k] = d.cell_state ? OX_RESHAPE(c, d.cell_state, 1, r->batch, r->hidden) : NULL;
  }
  wnn_operand *y = NULL;
  if (ox_wants(c, 0)) {
    wnn_operand *parts[2];
    for (uint32_t k = 0; k < r->directions; k++) {
      wnn_operand **list = ys + (size_t)k * r->steps;
      for (uint32_t t = 0; t < r->steps; t++) list[t] = OX_RESHAPE(c, list[t], 1, 1, r->batch, r->hidden);
      parts[k] = ox_concat(c, list, r->steps, 0);
    }
    y = ox_concat(c, parts, r->directions, 1);
  }
  return out_states(c, r, y, ox_concat(c, h, r->directions, 0),
                    r->kind == CELL_LSTM ? ox_concat(c, cells, r->directions, 0) : NULL);
}

static bool lower_recurrent(ox_call *c) {
  recurrent *r = ox_temp(c, 1, sizeof *r);
  int32_t codes[3] = {0};
  if (!r || !read_node(c, r)) return false;
  return is_direct(r, codes) ? lower_direct(c, r, codes) : lower_unrolled(c, r);
}

#define COMMON                                                                                                         \
  "activation_alpha:F activation_beta:F activations:S clip:f direction:s=forward hidden_size:i layout:i=0 "            \
  "output_sequence:i"
static const ox_op ops[] = {
    {"", "LSTM", 1, 3, 8, 3, COMMON " input_forget:i=0", lower_recurrent, CELL_LSTM, 0},
    {"", "GRU", 1, 3, 6, 2, COMMON " linear_before_reset:i=0", lower_recurrent, CELL_GRU, 0},
    {"", "RNN", 1, 3, 6, 2, COMMON, lower_recurrent, CELL_RNN, 0},
};
OX_FAMILY(recurrent, ops);
