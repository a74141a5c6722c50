/* Shared by the reference recurrent kernels: one step's operands of one direction and sample. */
#ifndef WNN_KERNELS_REF_RECURRENT_H
#define WNN_KERNELS_REF_RECURRENT_H

#include "kernels/ref/util.h"

/* Doubles of scratch for each hidden feature: hidden state, its successor, cell state, reset state. */
enum { WNN_REF_RECURRENT_VECTORS = 4 };

/* A view from an element on; data NULL when the operand is absent. */
typedef struct wnn_ref_part {
  const void *data;
  wnn_data_type type;
  size_t offset;
} wnn_ref_part;

static inline wnn_ref_part wnn_ref_part_of(const wnn_view *view, size_t offset) {
  return (wnn_ref_part){view->data, view->desc.data_type, offset};
}
/* Element i; zero when the operand is absent. */
static inline double wnn_ref_part_get(const wnn_ref_part *part, size_t i) {
  return part->data ? (double)wnn_ref_get_f32(part->data, part->type, part->offset + i) : 0;
}

static inline double wnn_ref_activate(int32_t activation, double x) {
  switch (activation) {
  case WNN_ACTIVATION_RELU: return x > 0 || x != x ? x : 0;
  case WNN_ACTIVATION_TANH: return tanh(x);
  default: return x >= 0 ? 1 / (1 + exp(-x)) : exp(x) / (1 + exp(x));
  }
}

/* One direction of one sample. Weights are those of the direction, x is the sample's input of the step. */
typedef struct wnn_ref_recurrent {
  size_t input, hidden;
  wnn_ref_part x, weight, recurrent_weight, bias, recurrent_bias, peephole;
  const int32_t *activations;
  double *state, *next, *cell, *reset; /* in scratch, `hidden` numbers each */
} wnn_ref_recurrent;

static inline void wnn_ref_recurrent_scratch_set(wnn_ref_recurrent *r, void *scratch) {
  r->state = scratch;
  r->next = r->state + r->hidden;
  r->cell = r->next + r->hidden;
  r->reset = r->cell + r->hidden;
}

/* W x + b for feature j of gate number `gate`. */
static inline double wnn_ref_input_sum(const wnn_ref_recurrent *r, size_t gate, size_t j) {
  size_t row = gate * r->hidden + j;
  double sum = wnn_ref_part_get(&r->bias, row);
  for (size_t k = 0; k < r->input; k++)
    sum += wnn_ref_part_get(&r->weight, row * r->input + k) * wnn_ref_part_get(&r->x, k);
  return sum;
}
/* R h + rb, h being `state`. */
static inline double wnn_ref_recurrent_sum(const wnn_ref_recurrent *r, size_t gate, size_t j, const double *state) {
  size_t row = gate * r->hidden + j;
  double sum = wnn_ref_part_get(&r->recurrent_bias, row);
  for (size_t k = 0; k < r->hidden; k++) sum += wnn_ref_part_get(&r->recurrent_weight, row * r->hidden + k) * state[k];
  return sum;
}

static inline void wnn_ref_recurrent_swap(wnn_ref_recurrent *r) {
  double *state = r->state;
  r->state = r->next;
  r->next = state;
}

/* Loads a state vector, zeros when the operand is absent; stores one, rounded to the output's type. */
static inline void wnn_ref_state_load(double *state, const wnn_view *view, size_t offset, size_t hidden) {
  wnn_ref_part part = wnn_ref_part_of(view, offset);
  for (size_t j = 0; j < hidden; j++) state[j] = wnn_ref_part_get(&part, j);
}
static inline void wnn_ref_state_store(const double *state, const wnn_view *view, size_t offset, size_t hidden) {
  for (size_t j = 0; j < hidden; j++) wnn_ref_put_f64(view->data, view->desc.data_type, offset + j, state[j]);
}

/* Directions, samples and steps of a sequence operation, and the step that comes at position i. */
typedef struct wnn_ref_sequence {
  size_t steps, batch, input, directions, hidden;
} wnn_ref_sequence;
static inline wnn_ref_sequence wnn_ref_sequence_of(const wnn_task *task) {
  const wnn_desc *x = &task->inputs[0].desc, *state = &task->outputs[0].desc;
  return (wnn_ref_sequence){x->shape[0], x->shape[1], x->shape[2], state->shape[0], state->shape[2]};
}
static inline size_t wnn_ref_step_at(const wnn_ref_sequence *s, wnn_direction direction, size_t d, size_t i) {
  return direction == WNN_DIRECTION_BACKWARD || d == 1 ? s->steps - 1 - i : i;
}

#endif
