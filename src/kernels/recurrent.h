/* LSTM and GRU over sequences: packing of weights, and the walk over time. */
#ifndef WNN_KERNELS_RECURRENT_H
#define WNN_KERNELS_RECURRENT_H

#include "kernels/ukernels.h"

typedef struct wnn_recurrent {
  const wnn_ukernels *u;
  bool lstm;
  bool early; /* GRU whose reset comes before the recurrent product */
  bool peephole, returns_sequence;
  wnn_data_type type; /* of weights and states; sequences are float32 here */
  int32_t activations[3];
  size_t steps, batch, input, hidden, directions;
  bool backward[2];
  size_t gates;        /* 4 or 3 */
  uint8_t source[4];   /* where the operands pack each gate, in the order of wnn_f32_recurrent */
  const float *packed; /* recurrent part at build; NULL: it is input 0 of the run */

  /* Set by wnn_recurrent_plan. */
  size_t blocks, padded;   /* vectors of hidden features; features they have room for */
  size_t products;         /* floats of a row of input products: blocks * gates * vl */
  size_t input_floats;     /* packed input weights of one direction: panels of wnn_f32_tile */
  size_t late_offset;      /* within the recurrent part: where weights of the new gate alone are */
  size_t recurrent_floats; /* heads and recurrent weights of one direction */
  size_t state_floats;     /* of all directions and samples, one state */
  size_t progress_lines;   /* cache lines behind the states: for each walk that is shared, one and one a column unit */
} wnn_recurrent;

void wnn_recurrent_plan(wnn_recurrent *recurrent);

/* Inputs: weight, recurrent weight, bias, recurrent bias, peephole weight. Outputs: packed input weights,
 * recurrent part. Params: wnn_recurrent. Range: directions * blocks. */
wnn_kernel_fn wnn_recurrent_pack;

/* The states are a buffer of three: hidden state, its successor (they take turns with each step), and cell
 * state (LSTM) or a work vector (GRU). */
enum { WNN_RECURRENT_STATES = 3 };
/* Inputs: initial hidden state, initial cell state. Output: states. Params: wnn_recurrent. Range: 1. */
wnn_kernel_fn wnn_recurrent_start;
/* Input: states. Outputs: hidden state, cell state (LSTM). Params: wnn_recurrent. Range: 1. */
wnn_kernel_fn wnn_recurrent_finish;

/* Steps begin .. end - 1, counted in the order of walking. Their input products lie there in the order of time.
 * Units: directions * row_units * column_units. The column units of a walk share its features out and wait for each
 * other after each step (`progress`, in the states); whoever comes does the work of those who have not come, so that
 * any number of threads may run them, one after the other or at once. */
typedef struct wnn_recurrent_stretch {
  const wnn_recurrent *recurrent;
  size_t begin, end;
  size_t row_units, rows, column_units, columns;
} wnn_recurrent_stretch;

/* Bytes of the states with the progress of walks behind them. */
size_t wnn_recurrent_states(const wnn_recurrent *recurrent);
/* Input: recurrent part, or nothing when it was packed at build. Outputs: states, sequence of float32 (or
 * nothing), input products of each direction (a GRU writes there too). Params: wnn_recurrent_stretch. */
wnn_kernel_fn wnn_recurrent_run;

#endif
