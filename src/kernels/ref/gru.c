/* Reference gru and gruCell: states in double, rounded where they leave. */
#include "kernels/ref/recurrent.h"

typedef struct gru_gates {
  size_t update, reset, candidate;
} gru_gates;
static const gru_gates gates_of[] = {
    [WNN_GRU_WEIGHT_LAYOUT_ZRN] = {0, 1, 2},
    [WNN_GRU_WEIGHT_LAYOUT_RZN] = {1, 0, 2},
};

static void gru_step(wnn_ref_recurrent *r, gru_gates gates, bool reset_after) {
  const int32_t *f = r->activations;
  const double *h = r->state;
  for (size_t j = 0; j < r->hidden; j++)
    r->reset[j] =
        wnn_ref_activate(f[0], wnn_ref_input_sum(r, gates.reset, j) + wnn_ref_recurrent_sum(r, gates.reset, j, h));
  /* With the reset first, the product takes r * h in place of h; the cell state's vector is free for it. */
  for (size_t j = 0; j < r->hidden; j++) r->cell[j] = r->reset[j] * h[j];
  for (size_t j = 0; j < r->hidden; j++) {
    double z =
        wnn_ref_activate(f[0], wnn_ref_input_sum(r, gates.update, j) + wnn_ref_recurrent_sum(r, gates.update, j, h));
    double recurrent = reset_after ? r->reset[j] * wnn_ref_recurrent_sum(r, gates.candidate, j, h)
                                   : wnn_ref_recurrent_sum(r, gates.candidate, j, r->cell);
    double n = wnn_ref_activate(f[1], wnn_ref_input_sum(r, gates.candidate, j) + recurrent);
    r->next[j] = z * h[j] + (1 - z) * n;
  }
  wnn_ref_recurrent_swap(r);
}

/* Operands: input, weight, recurrentWeight, bias, recurrentBias, initialHiddenState. */
void wnn_ref_gru(const wnn_task *task, size_t begin, size_t end, void *scratch) {
  (void)begin, (void)end;
  const wnn_gru_options *options = &((const wnn_gru_args *)task->params)->options;
  const wnn_view *in = task->inputs;
  wnn_ref_sequence s = wnn_ref_sequence_of(task);
  for (size_t d = 0; d < s.directions; d++) {
    for (size_t b = 0; b < s.batch; b++) {
      size_t rows = d * 3 * s.hidden, state = (d * s.batch + b) * s.hidden;
      wnn_ref_recurrent r = {.input = s.input,
                             .hidden = s.hidden,
                             .weight = wnn_ref_part_of(&in[1], rows * s.input),
                             .recurrent_weight = wnn_ref_part_of(&in[2], rows * s.hidden),
                             .bias = wnn_ref_part_of(&in[3], rows),
                             .recurrent_bias = wnn_ref_part_of(&in[4], rows),
                             .activations = options->activations.data};
      wnn_ref_recurrent_scratch_set(&r, scratch);
      wnn_ref_state_load(r.state, &in[5], state, s.hidden);
      for (size_t i = 0; i < s.steps; i++) {
        size_t t = wnn_ref_step_at(&s, options->direction, d, i);
        r.x = wnn_ref_part_of(&in[0], (t * s.batch + b) * s.input);
        gru_step(&r, gates_of[options->layout], options->reset_after);
        if (options->return_sequence)
          wnn_ref_state_store(r.state, &task->outputs[1], ((t * s.directions + d) * s.batch + b) * s.hidden, s.hidden);
      }
      wnn_ref_state_store(r.state, &task->outputs[0], state, s.hidden);
    }
  }
}

/* Operands: input, weight, recurrentWeight, hiddenState, bias, recurrentBias. */
void wnn_ref_gru_cell(const wnn_task *task, size_t begin, size_t end, void *scratch) {
  (void)begin, (void)end;
  const wnn_gru_cell_options *options = &((const wnn_gru_cell_args *)task->params)->options;
  const wnn_view *in = task->inputs;
  size_t batch = in[0].desc.shape[0], input = in[0].desc.shape[1], hidden = task->outputs[0].desc.shape[1];
  for (size_t b = 0; b < batch; b++) {
    wnn_ref_recurrent r = {.input = input,
                           .hidden = hidden,
                           .x = wnn_ref_part_of(&in[0], b * input),
                           .weight = wnn_ref_part_of(&in[1], 0),
                           .recurrent_weight = wnn_ref_part_of(&in[2], 0),
                           .bias = wnn_ref_part_of(&in[4], 0),
                           .recurrent_bias = wnn_ref_part_of(&in[5], 0),
                           .activations = options->activations.data};
    wnn_ref_recurrent_scratch_set(&r, scratch);
    wnn_ref_state_load(r.state, &in[3], b * hidden, hidden);
    gru_step(&r, gates_of[options->layout], options->reset_after);
    wnn_ref_state_store(r.state, &task->outputs[0], b * hidden, hidden);
  }
}

size_t wnn_ref_recurrent_scratch(const wnn_task *task) {
  const wnn_desc *state = &task->outputs[0].desc;
  return (size_t)WNN_REF_RECURRENT_VECTORS * state->shape[state->rank - 1] * sizeof(double);
}
