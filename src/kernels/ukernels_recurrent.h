/* Slots of the recurrent family: LSTM and GRU steps. */
#ifndef WNN_KERNELS_UKERNELS_RECURRENT_H
#define WNN_KERNELS_UKERNELS_RECURRENT_H

#include "kernels/kernel.h"

/* Vectors of a block's head: biases of up to four sums, then peepholes of input, output and forget gate. */
enum { WNN_RECURRENT_HEAD = 7, WNN_RECURRENT_PEEPHOLES = 4 };

/* A step may be done in two stages: the first adds up the products with the features known_first .. known_last - 1 of
 * the state and leaves the sums in `partial`, the second adds the others and does the rest. */
typedef enum wnn_recurrent_stage { WNN_STAGE_WHOLE, WNN_STAGE_FIRST, WNN_STAGE_SECOND } wnn_recurrent_stage;
enum { WNN_RECURRENT_PARTIAL = 4 };

/* One time step of some samples of one direction, for blocks first .. last - 1 of vl hidden features. All
 * rows are padded to whole blocks; padded features hold zeros and stay so.
 *
 * A row of `products` holds what the input contributes: for each block, a vector a gate (LSTM: input,
 * output, forget, cell; GRU: update, reset, new). A head is WNN_RECURRENT_HEAD vectors for each block; the
 * fourth bias of a GRU is the recurrent one of the new gate. `weights` holds for each block and each of
 * `hidden` features of the state one vector a gate of the slot. */
typedef struct wnn_f32_recurrent {
  uint32_t rows, hidden, first, last;
  float *products;
  size_t products_row;
  const float *heads, *weights;
  const float *state; /* h before the step */
  float *next;        /* h after it */
  float *extra;       /* LSTM: cell state, updated; GRU: reset gate times h */
  size_t state_row;   /* of the three above */
  bool peephole;
  bool backward; /* a whole step: weights from the last to the first, for those the step before left in the caches */
  int32_t activations[3];
  wnn_recurrent_stage stage;
  uint32_t known_first, known_last;
  float *partial; /* of a row: WNN_RECURRENT_PARTIAL vectors for each block */
  size_t partial_row;
} wnn_f32_recurrent;

/* f32_lstm_step, f32_gru_step (reset after the product): the whole step; weights of all gates.
 * f32_gru_gates, f32_gru_new: the step of a GRU whose reset comes before the product, in two passes. The first
 * takes weights of update and reset gate, leaves the update gate in `products` and fills `extra`; the second
 * takes weights of the new gate, and `extra` of all features must be complete. */
#define WNN_UKERNEL_RECURRENT(X)                                                                                       \
  X(f32_lstm_step, (const wnn_f32_recurrent *step))                                                                    \
  X(f32_gru_step, (const wnn_f32_recurrent *step))                                                                     \
  X(f32_gru_gates, (const wnn_f32_recurrent *step))                                                                    \
  X(f32_gru_new, (const wnn_f32_recurrent *step))

#endif
