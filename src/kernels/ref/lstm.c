/* Reference lstm and lstmCell: states in double, rounded where they leave. */
#include "kernels/ref/recurrent.h"

typedef struct lstm_gates {
  size_t input, output, forget, cell;
} lstm_gates;
static const lstm_gates gates_of[] = {
    [WNN_LSTM_WEIGHT_LAYOUT_IOFG] = {0, 1, 2, 3},
    [WNN_LSTM_WEIGHT_LAYOUT_IFGO] = {0, 3, 1, 2},
};
/* Positions of the peephole weights, in every layout. */
enum { PEEPHOLE_INPUT, PEEPHOLE_OUTPUT, PEEPHOLE_FORGET };

/* Value of feature j of a gate that looks at the cell state. */
static double gate_of(const wnn_ref_recurrent *r, size_t gate, size_t peephole, size_t j) {
  double sum = wnn_ref_input_sum(r, gate, j) + wnn_ref_recurrent_sum(r, gate, j, r->state);
  if (r->peephole.data) sum += wnn_ref_part_get(&r->peephole, peephole * r->hidden + j) * r->cell[j];
  return wnn_ref_activate(r->activations[0], sum);
}

/* All peepholes see the cell state before the step. */
static void lstm_step(wnn_ref_recurrent *r, lstm_gates gates) {
  for (size_t j = 0; j < r->hidden; j++) {
    double i = gate_of(r, gates.input, PEEPHOLE_INPUT, j), o = gate_of(r, gates.output, PEEPHOLE_OUTPUT, j);
    double f = gate_of(r, gates.forget, PEEPHOLE_FORGET, j);
    double g = wnn_ref_activate(r->activations[1], wnn_ref_input_sum(r, gates.cell, j) +
                                                       wnn_ref_recurrent_sum(r, gates.cell, j, r->state));
    r->cell[j] = f * r->cell[j] + i * g;
    r->next[j] = o * wnn_ref_activate(r->activations[2], r->cell[j]);
  }
  wnn_ref_recurrent_swap(r);
}

/* Operands: input, weight, recurrentWeight, bias, recurrentBias, peepholeWeight, initialHiddenState,
 * initialCellState. */
void wnn_ref_lstm(const wnn_task *task, size_t begin, size_t end, void *scratch) {
  (void)begin, (void)end;
  const wnn_lstm_options *options = &((const wnn_lstm_args *)task->params)->options;
  const wnn_view *in = task->inputs;
  wnn_ref_sequence s = wnn_ref_sequence_of(task);
  for (size_t d = 0; d < s.directions; d++) {
    for (size_t b = 0; b < s.batch; b++) {
      size_t rows = d * 4 * s.hidden, state = (d * s.batch + b) * s.hidden;
      wnn_ref_recurrent r = {.input = s.input,
                             .hidden = s.hidden,
                             .weight = wnn_ref_part_of(&in[1], rows * s.input),
                             .recurrent_weight = wnn_ref_part_of(&in[2], rows * s.hidden),
                             .bias = wnn_ref_part_of(&in[3], rows),
                             .recurrent_bias = wnn_ref_part_of(&in[4], rows),
                             .peephole = wnn_ref_part_of(&in[5], d * 3 * s.hidden),
                             .activations = options->activations.data};
      wnn_ref_recurrent_scratch_set(&r, scratch);
      wnn_ref_state_load(r.state, &in[6], state, s.hidden);
      wnn_ref_state_load(r.cell, &in[7], state, s.hidden);
      for (size_t i = 0; i < s.steps; i++) {
        size_t t = wnn_ref_step_at(&s, options->direction, d, i);
        r.x = wnn_ref_part_of(&in[0], (t * s.batch + b) * s.input);
        lstm_step(&r, gates_of[options->layout]);
        if (options->return_sequence)
          wnn_ref_state_store(r.state, &task->outputs[2], ((t * s.directions + d) * s.batch + b) * s.hidden, s.hidden);
      }
      wnn_ref_state_store(r.state, &task->outputs[0], state, s.hidden);
      wnn_ref_state_store(r.cell, &task->outputs[1], state, s.hidden);
    }
  }
}

/* Operands: input, weight, recurrentWeight, hiddenState, cellState, bias, recurrentBias, peepholeWeight. */
void wnn_ref_lstm_cell(const wnn_task *task, size_t begin, size_t end, void *scratch) {
  (void)begin, (void)end;
  const wnn_lstm_cell_options *options = &((const wnn_lstm_cell_args *)task->params)->options;
  const wnn_view *in = task->inputs;
  size_t batch = in[0].desc.shape[0], input = in[0].desc.shape[1], hidden = task->outputs[0].desc.shape[1];
  for (size_t b = 0; b < batch; b++) {
    wnn_ref_recurrent r = {.input = input,
                           .hidden = hidden,
                           .x = wnn_ref_part_of(&in[0], b * input),
                           .weight = wnn_ref_part_of(&in[1], 0),
                           .recurrent_weight = wnn_ref_part_of(&in[2], 0),
                           .bias = wnn_ref_part_of(&in[5], 0),
                           .recurrent_bias = wnn_ref_part_of(&in[6], 0),
                           .peephole = wnn_ref_part_of(&in[7], 0),
                           .activations = options->activations.data};
    wnn_ref_recurrent_scratch_set(&r, scratch);
    wnn_ref_state_load(r.state, &in[3], b * hidden, hidden);
    wnn_ref_state_load(r.cell, &in[4], b * hidden, hidden);
    lstm_step(&r, gates_of[options->layout]);
    wnn_ref_state_store(r.state, &task->outputs[0], b * hidden, hidden);
    wnn_ref_state_store(r.cell, &task->outputs[1], b * hidden, hidden);
  }
}
