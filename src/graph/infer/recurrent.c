/* Shapes of gru, gruCell, lstm and lstmCell. */
#include "graph/infer/helpers.h"

static const int32_t gru_activations[] = {WNN_ACTIVATION_SIGMOID, WNN_ACTIVATION_TANH};
static const int32_t lstm_activations[] = {WNN_ACTIVATION_SIGMOID, WNN_ACTIVATION_TANH, WNN_ACTIVATION_TANH};

/* What the shapes of a recurrent operation depend on. */
typedef struct extents {
  bool sequence; /* gru, lstm: operands have a leading dimension for directions */
  uint32_t gates, hidden, directions, batch, input;
} extents;

/* The packed biases of all gates together must be a legal tensor: a dimension of 2 * gates * hidden. */
static wnn_status check_hidden_size(const wnn_call *call, const extents *e) {
  uint64_t packed = (uint64_t)2 * e->gates * e->hidden;
  if (packed >= 1 && packed <= WNN_MAX_DIMENSION) return WNN_OK;
  return wnn_fail(call, "hiddenSize is %" PRIu32 ", but must be from 1 to %" PRIu32 ".", e->hidden,
                  WNN_MAX_DIMENSION / (2 * e->gates));
}

static wnn_status expect(const wnn_call *call, const extents *e, uint32_t operand, uint32_t rows, uint32_t columns,
                         const char *what) {
  uint32_t shape[3] = {e->directions, rows, columns};
  uint32_t rank = columns ? 3 : 2;
  return e->sequence ? wnn_infer_expect_shape(call, operand, shape, rank, what)
                     : wnn_infer_expect_shape(call, operand, shape + 1, rank - 1, what);
}

/* Operand positions; 0 where the operation has none. */
typedef struct positions {
  uint32_t bias, recurrent_bias, peephole, hidden, cell;
} positions;

static wnn_status check_operands(const wnn_call *call, const extents *e, positions p) {
  uint32_t packed = e->gates * e->hidden;
  wnn_status status = check_hidden_size(call, e);
  if (!status) status = expect(call, e, 1, packed, e->input, "the packed gates by the input's features");
  if (!status) status = expect(call, e, 2, packed, e->hidden, "the packed gates by hiddenSize");
  if (!status) status = expect(call, e, p.bias, packed, 0, "one value for each gate and hidden feature");
  if (!status) status = expect(call, e, p.recurrent_bias, packed, 0, "one value for each gate and hidden feature");
  if (!status && p.peephole)
    status = expect(call, e, p.peephole, 3 * e->hidden, 0, "three values for each hidden feature");
  if (!status && p.hidden) status = expect(call, e, p.hidden, e->batch, e->hidden, "the batch by hiddenSize");
  if (!status && p.cell) status = expect(call, e, p.cell, e->batch, e->hidden, "the batch by hiddenSize");
  return status;
}

static void set_activations(wnn_enum_list *list, const int32_t *defaults, uint32_t count) {
  if (!list->data) *list = (wnn_enum_list){defaults, count};
}

static extents sequence_extents(const wnn_call *call, uint32_t gates, uint32_t hidden, wnn_direction direction) {
  const wnn_desc *input = call->operands[0];
  return (extents){.sequence = true,
                   .gates = gates,
                   .hidden = hidden,
                   .directions = direction == WNN_DIRECTION_BOTH ? 2 : 1,
                   .batch = input->shape[1],
                   .input = input->shape[2]};
}

static extents cell_extents(const wnn_call *call, uint32_t gates, uint32_t hidden) {
  const wnn_desc *input = call->operands[0];
  return (extents){
      .gates = gates, .hidden = hidden, .directions = 1, .batch = input->shape[0], .input = input->shape[1]};
}

static wnn_status check_steps(const wnn_call *call, uint32_t steps) {
  uint32_t given = call->operands[0]->shape[0];
  if (steps == given) return WNN_OK;
  return wnn_fail(call, "steps is %" PRIu32 ", but must be the first dimension of the input, %" PRIu32 ".", steps,
                  given);
}

/* `states` outputs of the last step, and one of every step when wanted. */
static void set_sequence_outputs(wnn_call *call, const extents *e, uint32_t states, bool return_sequence) {
  uint32_t shape[4] = {call->operands[0]->shape[0], e->directions, e->batch, e->hidden};
  call->output_count = states + return_sequence;
  for (uint32_t i = 0; i < call->output_count; i++) {
    uint32_t skip = i < states; /* a state has no dimension for steps */
    call->outputs[i].rank = 4 - skip;
    for (uint32_t d = skip; d < 4; d++) call->outputs[i].shape[d - skip] = shape[d];
  }
}

static void set_cell_outputs(wnn_call *call, const extents *e) {
  for (uint32_t i = 0; i < call->output_count; i++) {
    call->outputs[i].rank = 2;
    call->outputs[i].shape[0] = e->batch;
    call->outputs[i].shape[1] = e->hidden;
  }
}

wnn_status wnn_infer_gru(wnn_call *call) {
  wnn_gru_args *args = call->args;
  extents e = sequence_extents(call, 3, args->hidden_size, args->options.direction);
  wnn_status status = check_steps(call, args->steps);
  if (!status) status = check_operands(call, &e, (positions){.bias = 3, .recurrent_bias = 4, .hidden = 5});
  if (status) return status;
  set_activations(&args->options.activations, gru_activations, 2);
  set_sequence_outputs(call, &e, 1, args->options.return_sequence);
  return WNN_OK;
}

wnn_status wnn_infer_gru_cell(wnn_call *call) {
  wnn_gru_cell_args *args = call->args;
  extents e = cell_extents(call, 3, args->hidden_size);
  wnn_status status = check_operands(call, &e, (positions){.hidden = 3, .bias = 4, .recurrent_bias = 5});
  if (status) return status;
  set_activations(&args->options.activations, gru_activations, 2);
  set_cell_outputs(call, &e);
  return WNN_OK;
}

wnn_status wnn_infer_lstm(wnn_call *call) {
  wnn_lstm_args *args = call->args;
  extents e = sequence_extents(call, 4, args->hidden_size, args->options.direction);
  wnn_status status = check_steps(call, args->steps);
  if (!status)
    status =
        check_operands(call, &e, (positions){.bias = 3, .recurrent_bias = 4, .peephole = 5, .hidden = 6, .cell = 7});
  if (status) return status;
  set_activations(&args->options.activations, lstm_activations, 3);
  set_sequence_outputs(call, &e, 2, args->options.return_sequence);
  return WNN_OK;
}

wnn_status wnn_infer_lstm_cell(wnn_call *call) {
  wnn_lstm_cell_args *args = call->args;
  extents e = cell_extents(call, 4, args->hidden_size);
  wnn_status status =
      check_operands(call, &e, (positions){.hidden = 3, .cell = 4, .bias = 5, .recurrent_bias = 6, .peephole = 7});
  if (status) return status;
  set_activations(&args->options.activations, lstm_activations, 3);
  set_cell_outputs(call, &e);
  return WNN_OK;
}
