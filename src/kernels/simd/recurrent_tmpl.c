/* Steps of LSTM and GRU: recurrent products of a block of features, then its gates, without a detour over
 * memory. */
#include <webnn/webnn_ops.h>

#include "kernels/simd/math.h"
#include "kernels/ukernels.h"

WNN_INLINE wnn_vf activate(int32_t activation, wnn_vf x) {
  if (activation == WNN_ACTIVATION_SIGMOID) return wnn_vf_sigmoid(x);
  if (activation == WNN_ACTIVATION_TANH) return wnn_vf_tanh(x);
  return wnn_vf_raise(x, wnn_vf_set(0.0f));
}

/* ---- Products ---- */

enum { ROWS = WNN_VL == 16 ? 4 : 2, SUMS = 8 }; /* most rows of a tile, and most vectors of a row's sums */

/* What belongs to one row and one block. `gates` counts the vectors of a block in the products. */
typedef struct cell {
  const float *head, *state;
  float *products, *next, *extra;
} cell;
WNN_INLINE cell cell_of(const wnn_f32_recurrent *s, size_t row, size_t block, size_t gates) {
  size_t at = row * s->state_row + block * WNN_VL;
  return (cell){s->heads + block * WNN_RECURRENT_HEAD * WNN_VL, s->state + at,
                s->products + row * s->products_row + block * gates * WNN_VL, s->next + at, s->extra + at};
}

WNN_INLINE float *partial_of(const wnn_f32_recurrent *s, size_t row, size_t block, size_t gate) {
  return s->partial + row * s->partial_row + (block * WNN_RECURRENT_PARTIAL + gate) * WNN_VL;
}

/* Sums of M rows, PANELS blocks and GATES gates into sums, in this order of nesting: for each gate, the bias
 * number bias[gate] of the head, plus the input's part unless input[gate] is negative (else its position in
 * the block), plus the product of the row of x with the weights. M, PANELS, GATES and the tables are
 * constants, so that the sums stay in registers. */
WNN_INLINE void sum_products(const int M, const int PANELS, const int GATES, const int bias[], const int input[],
                             const int BLOCK, const wnn_f32_recurrent *s, const float *x, uint32_t row, uint32_t block,
                             float *sums) {
  wnn_vf acc[ROWS][SUMS + 1];
  const float *rows[ROWS];
  WNN_UNROLL
  for (int m = 0; m < M; m++) {
    rows[m] = x + (row + (size_t)m) * s->state_row;
    WNN_UNROLL
    for (int p = 0; p < PANELS; p++) {
      cell at = cell_of(s, row + (size_t)m, block + (size_t)p, (size_t)BLOCK);
      WNN_UNROLL
      for (int g = 0; g < GATES; g++) {
        if (s->stage == WNN_STAGE_SECOND) {
          acc[m][p * GATES + g] = wnn_vf_load(partial_of(s, row + (size_t)m, block + (size_t)p, (size_t)g));
          continue;
        }
        acc[m][p * GATES + g] = wnn_vf_load(at.head + bias[g] * WNN_VL);
        if (input[g] >= 0) acc[m][p * GATES + g] += wnn_vf_load(at.products + input[g] * WNN_VL);
      }
    }
  }
  /* The features to add up: one stretch, or two around those that are known. */
  const size_t count = s->hidden, panel = count * (size_t)GATES * WNN_VL;
  size_t begin[2] = {0, s->known_last}, end[2] = {count, count};
  if (s->stage == WNN_STAGE_FIRST) begin[0] = s->known_first, end[0] = s->known_last;
  if (s->stage == WNN_STAGE_SECOND) end[0] = s->known_first;
  const int stretches = s->stage == WNN_STAGE_SECOND ? 2 : 1;
  const size_t forth = s->backward ? SIZE_MAX : 1; /* to the next, modulo the range of size_t */
  for (int i = 0; i < stretches; i++) {
    size_t k = s->backward ? end[i] - 1 : begin[i];
    for (size_t left = end[i] - begin[i]; left; left--, k += forth) {
      const float *weights = s->weights + block * panel + k * (size_t)GATES * WNN_VL;
      wnn_vf factor[ROWS];
      WNN_UNROLL
      for (int m = 0; m < M; m++) factor[m] = wnn_vf_set(rows[m][k]);
      WNN_UNROLL
      for (int j = 0; j < PANELS * GATES; j++) {
        wnn_vf w = wnn_vf_load(weights + (size_t)(j / GATES) * panel + (size_t)(j % GATES) * WNN_VL);
        WNN_UNROLL
        for (int m = 0; m < M; m++) acc[m][j] += factor[m] * w;
      }
    }
  }
  WNN_UNROLL
  for (int m = 0; m < M; m++) WNN_UNROLL
  for (int i = 0; i < PANELS * GATES; i++) {
    float *to = sums + (m * PANELS * GATES + i) * WNN_VL;
    if (s->stage == WNN_STAGE_FIRST)
      to = partial_of(s, row + (size_t)m, block + (size_t)(i / GATES), (size_t)(i % GATES));
    wnn_vf_store(to, acc[m][i]);
  }
}

/* ---- Gates: what happens to the sums of one row and block ---- */

#define GATES_FUNCTION static __attribute__((noinline)) void

enum { INPUT, OUTPUT, FORGET, CELL };
GATES_FUNCTION lstm_gates(const wnn_f32_recurrent *s, size_t row, size_t block, const float *sums) {
  cell at = cell_of(s, row, block, 4);
  wnn_vf in = wnn_vf_load(sums), out = wnn_vf_load(sums + OUTPUT * WNN_VL);
  wnn_vf forget = wnn_vf_load(sums + FORGET * WNN_VL), c = wnn_vf_load(at.extra);
  if (s->peephole) {
    const float *peepholes = at.head + WNN_RECURRENT_PEEPHOLES * WNN_VL;
    in += wnn_vf_load(peepholes) * c;
    out += wnn_vf_load(peepholes + WNN_VL) * c;
    forget += wnn_vf_load(peepholes + 2 * WNN_VL) * c;
  }
  c = activate(s->activations[0], forget) * c +
      activate(s->activations[0], in) * activate(s->activations[1], wnn_vf_load(sums + CELL * WNN_VL));
  wnn_vf_store(at.extra, c);
  wnn_vf_store(at.next, activate(s->activations[0], out) * activate(s->activations[2], c));
}

enum { UPDATE, RESET, NEW, RECURRENT_NEW };
WNN_INLINE wnn_vf gru_blend(wnn_vf z, wnn_vf h, wnn_vf n) { return z * h + (1.0f - z) * n; }

GATES_FUNCTION gru_gates(const wnn_f32_recurrent *s, size_t row, size_t block, const float *sums) {
  cell at = cell_of(s, row, block, 3);
  wnn_vf z = activate(s->activations[0], wnn_vf_load(sums + UPDATE * WNN_VL));
  wnn_vf r = activate(s->activations[0], wnn_vf_load(sums + RESET * WNN_VL));
  wnn_vf n = wnn_vf_load(at.products + NEW * WNN_VL) + wnn_vf_load(at.head + NEW * WNN_VL);
  n = activate(s->activations[1], n + r * wnn_vf_load(sums + NEW * WNN_VL));
  wnn_vf_store(at.next, gru_blend(z, wnn_vf_load(at.state), n));
}

GATES_FUNCTION early_gates(const wnn_f32_recurrent *s, size_t row, size_t block, const float *sums) {
  cell at = cell_of(s, row, block, 3);
  wnn_vf_store(at.products + UPDATE * WNN_VL, activate(s->activations[0], wnn_vf_load(sums + UPDATE * WNN_VL)));
  wnn_vf_store(at.extra, activate(s->activations[0], wnn_vf_load(sums + RESET * WNN_VL)) * wnn_vf_load(at.state));
}

GATES_FUNCTION late_gates(const wnn_f32_recurrent *s, size_t row, size_t block, const float *sums) {
  cell at = cell_of(s, row, block, 3);
  wnn_vf n = wnn_vf_load(sums) + wnn_vf_load(at.head + RECURRENT_NEW * WNN_VL);
  wnn_vf z = wnn_vf_load(at.products + UPDATE * WNN_VL);
  wnn_vf_store(at.next, gru_blend(z, wnn_vf_load(at.state), activate(s->activations[1], n)));
}

/* ---- Tiles: M rows from `row` on, PANELS blocks from `block` on ---- */

/* name_bias, name_input: the tables of sum_products. The reset gate of a GRU multiplies the recurrent sum alone:
 * the input's part of the new gate comes later. */
static const int lstm_bias[] = {INPUT, OUTPUT, FORGET, CELL}, lstm_input[] = {INPUT, OUTPUT, FORGET, CELL};
static const int gru_bias[] = {UPDATE, RESET, RECURRENT_NEW}, gru_input[] = {UPDATE, RESET, -1};
static const int early_bias[] = {UPDATE, RESET}, early_input[] = {UPDATE, RESET};
static const int late_bias[] = {NEW}, late_input[] = {NEW};

#define TILE(name, M, PANELS, GATES, BLOCK, vector)                                                                    \
  static void name##_##M##x##PANELS(const wnn_f32_recurrent *s, uint32_t row, uint32_t block) {                        \
    float sums[M * PANELS * GATES * WNN_VL];                                                                           \
    sum_products(M, PANELS, GATES, name##_bias, name##_input, BLOCK, s, s->vector, row, block, sums);                  \
    for (uint32_t i = 0; i < M * PANELS && s->stage != WNN_STAGE_FIRST; i++)                                           \
      name##_gates(s, row + i / PANELS, block + i % PANELS, sums + i * GATES * WNN_VL);                                \
  }
#define LSTM(M, PANELS) TILE(lstm, M, PANELS, 4, 4, state)
#define GRU(M, PANELS) TILE(gru, M, PANELS, 3, 3, state)
#define EARLY(M, PANELS) TILE(early, M, PANELS, 2, 3, state)
#define LATE(M, PANELS) TILE(late, M, PANELS, 1, 3, extra)

/* ---- Walks over tiles: blocks outside, so that their weights stay near for the next rows ---- */

typedef void tile_fn(const wnn_f32_recurrent *s, uint32_t row, uint32_t block);

/* singles[m - 1], tiles[m - 1]: functions for m rows of one and of `panels` blocks. One row alone takes `wide`
 * blocks at once where it can, so that there are enough sums to hide the latency of the multiply-add. */
static void walk(const wnn_f32_recurrent *s, tile_fn *const singles[ROWS], tile_fn *const tiles[ROWS], uint32_t panels,
                 tile_fn *wide, uint32_t wide_panels) {
  for (uint32_t left = s->last - s->first; left;) {
    bool widest = s->rows == 1 && left >= wide_panels;
    uint32_t taken = widest ? wide_panels : left >= panels ? panels : 1;
    uint32_t block = s->backward ? s->first + left - taken : s->last - left;
    left -= taken;
    for (uint32_t row = 0; row < s->rows;) {
      uint32_t m = s->rows - row < ROWS ? s->rows - row : ROWS;
      tile_fn *tile = widest ? wide : taken == panels ? tiles[m - 1] : singles[m - 1];
      tile(s, row, block);
      row += m;
    }
  }
}

#if WNN_VL == 16
#define TILES(X, P) X(1, P) X(2, P) X(3, P) X(4, P)
#define TABLE(name, P) name##_1x##P, name##_2x##P, name##_3x##P, name##_4x##P
#else
#define TILES(X, P) X(1, P) X(2, P)
#define TABLE(name, P) name##_1x##P, name##_2x##P
#endif
#define SLOT(slot, name, P, WIDE)                                                                                      \
  void WNN_K(slot)(const wnn_f32_recurrent *step) {                                                                    \
    static tile_fn *const singles[ROWS] = {TABLE(name, 1)}, *const tiles[ROWS] = {TABLE(name, P)};                     \
    walk(step, singles, tiles, P, name##_1x##WIDE, WIDE);                                                              \
  }

TILES(LSTM, 1)
LSTM(1, 2)
SLOT(f32_lstm_step, lstm, 1, 2)

TILES(GRU, 1)
GRU(1, 3)
SLOT(f32_gru_step, gru, 1, 3)

TILES(EARLY, 1)
TILES(EARLY, 2)
EARLY(1, 4)
SLOT(f32_gru_gates, early, 2, 4)

TILES(LATE, 1)
TILES(LATE, 4)
LATE(1, 8)
SLOT(f32_gru_new, late, 4, 8)
