/* LSTM and GRU over sequences: packing of weights, and the walk over time. */
#include "kernels/recurrent.h"

#include <string.h>

#include "base/dtype.h"

static size_t min_size(size_t a, size_t b) { return a < b ? a : b; }

void wnn_recurrent_plan(wnn_recurrent *r) {
  size_t vl = r->u->vl;
  r->blocks = (r->hidden + vl - 1) / vl;
  r->padded = r->blocks * vl;
  r->products = r->padded * r->gates;
  r->input_floats = r->products * r->input;
  size_t heads = r->padded * WNN_RECURRENT_HEAD, weights = r->padded * r->hidden;
  r->late_offset = heads + weights * 2;
  r->recurrent_floats = heads + weights * r->gates;
  r->state_floats = r->directions * r->batch * r->padded;
}

/* ---- Packing ---- */

/* Element of an operand; 0 when it is absent. */
static float element(const wnn_recurrent *r, const wnn_view *view, size_t i) {
  if (!view->data) return 0;
  return r->type == WNN_FLOAT16 ? wnn_f16_to_f32(((const uint16_t *)view->data)[i]) : ((const float *)view->data)[i];
}

/* `features` rows of `depth` elements of a weight, from element `first` on, as a panel of vectors that are `step`
 * floats apart. */
static void pack_panel(const wnn_recurrent *r, const wnn_view *view, size_t first, size_t features, size_t depth,
                       size_t step, float *to) {
  enum { DEPTH = 64, MAX_VL = 16 };
  float wide[MAX_VL * DEPTH], panel[DEPTH * MAX_VL];
  size_t vl = r->u->vl;
  for (size_t k = 0; k < depth; k += DEPTH) {
    size_t count = min_size(DEPTH, depth - k);
    if (r->type == WNN_FLOAT16) {
      for (size_t j = 0; j < features; j++)
        r->u->f32_widen(count, (const uint16_t *)view->data + first + j * depth + k, wide + j * DEPTH);
      r->u->f32_pack_columns(count, features, wide, DEPTH, 1, 1, panel);
    } else {
      r->u->f32_pack_columns(count, features, (const float *)view->data + first + k, depth, 1, 1, panel);
    }
    for (size_t i = 0; i < count; i++) memcpy(to + (k + i) * step, panel + i * vl, vl * sizeof *to);
  }
}

/* Vector number `slot` of a head: the sum of two operands' elements from `first` on. */
static void pack_head(const wnn_recurrent *r, const wnn_view *a, const wnn_view *b, size_t first, size_t features,
                      float *head, size_t slot) {
  for (size_t j = 0; j < r->u->vl; j++) {
    float value = 0;
    if (j < features) value = element(r, a, first + j) + (b ? element(r, b, first + j) : 0);
    head[slot * r->u->vl + j] = value;
  }
}

static void pack_heads(const wnn_recurrent *r, const wnn_view *in, size_t direction, size_t block, size_t features,
                       float *head) {
  size_t feature = block * r->u->vl;
  memset(head, 0, WNN_RECURRENT_HEAD * r->u->vl * sizeof *head);
  for (size_t g = 0; g < r->gates; g++) {
    size_t first = (direction * r->gates + r->source[g]) * r->hidden + feature;
    bool apart = !r->lstm && g == 2; /* the two biases of the new gate go different ways */
    pack_head(r, &in[2], apart ? NULL : &in[3], first, features, head, g);
    if (apart) pack_head(r, &in[3], NULL, first, features, head, 3);
  }
  for (size_t p = 0; r->peephole && p < 3; p++)
    pack_head(r, &in[4], NULL, (direction * 3 + p) * r->hidden + feature, features, head, WNN_RECURRENT_PEEPHOLES + p);
}

void wnn_recurrent_pack(const wnn_task *task, size_t begin, size_t end, void *scratch) {
  const wnn_recurrent *r = task->params;
  const wnn_view *in = task->inputs;
  size_t vl = r->u->vl, main_gates = r->early ? 2 : r->gates;
  for (size_t i = begin; i < end; i++) {
    size_t direction = i / r->blocks, block = i % r->blocks, features = min_size(vl, r->hidden - block * vl);
    float *inputs = (float *)task->outputs[0].data + direction * r->input_floats;
    float *recurrent = (float *)task->outputs[1].data + direction * r->recurrent_floats;
    float *weights = recurrent + WNN_RECURRENT_HEAD * r->padded + block * r->hidden * main_gates * vl;
    for (size_t g = 0; g < r->gates; g++) {
      size_t row = (direction * r->gates + r->source[g]) * r->hidden + block * vl;
      pack_panel(r, &in[0], row * r->input, features, r->input, vl, inputs + (block * r->gates + g) * r->input * vl);
      if (g < main_gates) {
        pack_panel(r, &in[1], row * r->hidden, features, r->hidden, main_gates * vl, weights + g * vl);
      } else {
        pack_panel(r, &in[1], row * r->hidden, features, r->hidden, vl,
                   recurrent + r->late_offset + block * r->hidden * vl);
      }
    }
    pack_heads(r, in, direction, block, features, recurrent + block * WNN_RECURRENT_HEAD * vl);
  }
}

/* ---- States ---- */

void wnn_recurrent_start(const wnn_task *task, size_t begin, size_t end, void *scratch) {
  const wnn_recurrent *r = task->params;
  float *states = task->outputs[0].data, *cells = states + 2 * r->state_floats;
  memset(states, 0, WNN_RECURRENT_STATES * r->state_floats * sizeof *states);
  for (size_t i = 0; i < r->directions * r->batch; i++) {
    for (size_t j = 0; j < r->hidden; j++) {
      states[i * r->padded + j] = element(r, &task->inputs[0], i * r->hidden + j);
      if (r->lstm) cells[i * r->padded + j] = element(r, &task->inputs[1], i * r->hidden + j);
    }
  }
}

static void store_state(const wnn_recurrent *r, const float *state, void *to) {
  for (size_t i = 0; i < r->directions * r->batch; i++, state += r->padded) {
    if (r->type == WNN_FLOAT16) {
      r->u->f32_narrow(r->hidden, state, (uint16_t *)to + i * r->hidden);
    } else {
      memcpy((float *)to + i * r->hidden, state, r->hidden * sizeof *state);
    }
  }
}

void wnn_recurrent_finish(const wnn_task *task, size_t begin, size_t end, void *scratch) {
  const wnn_recurrent *r = task->params;
  const float *states = task->inputs[0].data;
  store_state(r, states + r->steps % 2 * r->state_floats, task->outputs[0].data);
  if (r->lstm) store_state(r, states + 2 * r->state_floats, task->outputs[1].data);
}

/* ---- Steps ---- */

/* The features that a unit has made at time t go to the sequence. */
static void store_sequence(const wnn_recurrent *r, const wnn_f32_recurrent *step, size_t t, size_t direction,
                           size_t row, float *sequence) {
  size_t first = step->first * r->u->vl, last = min_size(step->last * r->u->vl, r->hidden);
  float *to = sequence + ((t * r->directions + direction) * r->batch + row) * r->hidden;
  for (size_t i = 0; i < step->rows; i++)
    memcpy(to + i * r->hidden + first, step->next + i * step->state_row + first, (last - first) * sizeof *to);
}

static void run_unit(const wnn_task *task, size_t unit) {
  const wnn_recurrent_stretch *s = task->params;
  const wnn_recurrent *r = s->recurrent;
  const wnn_ukernels *u = r->u;
  size_t column = unit % s->column_units * s->columns, rest = unit / s->column_units;
  size_t row = rest % s->row_units * s->rows, direction = rest / s->row_units;
  const float *part = r->packed ? r->packed : task->inputs[0].data;
  part += direction * r->recurrent_floats;
  float *states = (float *)task->outputs[0].data + (direction * r->batch + row) * r->padded;
  float *products = task->outputs[2 + direction].data, *sequence = task->outputs[1].data;
  bool backward = r->backward[direction];

  wnn_f32_recurrent step = {.rows = (uint32_t)min_size(s->rows, r->batch - row),
                            .hidden = (uint32_t)r->hidden,
                            .first = (uint32_t)column,
                            .last = (uint32_t)min_size(column + s->columns, r->blocks),
                            .products_row = r->products,
                            .heads = part,
                            .extra = states + 2 * r->state_floats,
                            .state_row = r->padded,
                            .peephole = r->peephole};
  memcpy(step.activations, r->activations, sizeof step.activations);
  const float *weights = part + WNN_RECURRENT_HEAD * r->padded, *late = part + r->late_offset;
  size_t chunk_start = backward ? r->steps - s->chunk_end : s->chunk_begin; /* in time */
  for (size_t i = s->begin; i < s->end; i++) {
    size_t t = backward ? r->steps - 1 - i : i;
    step.products = products + ((t - chunk_start) * r->batch + row) * r->products;
    step.state = states + i % 2 * r->state_floats;
    step.next = states + (i + 1) % 2 * r->state_floats;
    step.weights = weights;
    if (r->lstm) {
      u->f32_lstm_step(&step);
    } else if (!r->early) {
      u->f32_gru_step(&step);
    } else {
      if (s->pass != WNN_PASS_NEW) u->f32_gru_gates(&step);
      if (s->pass == WNN_PASS_GATES) continue;
      step.weights = late;
      u->f32_gru_new(&step);
    }
    if (r->returns_sequence) store_sequence(r, &step, t, direction, row, sequence);
  }
}

void wnn_recurrent_run(const wnn_task *task, size_t begin, size_t end, void *scratch) {
  for (size_t unit = begin; unit < end; unit++) run_unit(task, unit);
}
