/* Slots of the integer family: products of 8-bit integers, and the way between them and floats. */
#ifndef WNN_KERNELS_UKERNELS_QUANT_H
#define WNN_KERNELS_UKERNELS_QUANT_H

#include "kernels/kernel.h"

/* What becomes of an int32 sum: itself; or x = sum * scale + init + residual, limited, as float32; or x = sum * scale +
 * init, limited, rounded to even, plus zero, as the low byte of that. */
typedef enum wnn_q_result { WNN_Q_INT32, WNN_Q_FLOAT32, WNN_Q_BYTE } wnn_q_result;

typedef struct wnn_q_finish {
  wnn_q_result result;
  bool limit;                /* of float32; bytes always have limits */
  float lo, hi;              /* of x */
  int32_t zero;              /* of bytes */
  const int32_t *shift;      /* where the sum of each column starts */
  const float *scale, *init; /* one a column; init may be NULL */
  const float *residual;     /* or NULL; bytes have none */
  size_t residual_stride;    /* floats between rows */
  void *c;
  size_t c_stride; /* elements between rows */
} wnn_q_finish;

enum { WNN_Q_MAX_ROWS = 32 };

/* One tile of C = A B in groups of 4 bytes: m rows, n columns, n at most two vectors, four for m <= q_few.
 * A: for tap t and row i, k groups at a[t * a_step + i] + a_offset bytes. B: panels of vl columns, b_panel groups
 * apart; a panel holds taps * k rows of vl groups, the columns past n zero. */
typedef struct wnn_q_tile {
  uint32_t m, n, taps, k, a_step;
  const void *const *a;
  size_t a_offset;
  const int32_t *b;
  size_t b_panel;
  const void *ahead; /* one cache line is fetched from here for each k, NULL: none */
  wnn_q_finish finish;
} wnn_q_tile;

/* A pixel of a depthwise convolution: for tap t and channel c, the byte a[t][c] times the weight of that tap. Weights
 * are pairs of taps: [tap / 2][channel][2] int16, an odd last tap paired with zeros. */
typedef struct wnn_q_depthwise {
  uint32_t taps;
  bool is_signed;
  size_t channels;
  const void *const *a;
  const int16_t *weights;
  wnn_q_finish finish; /* one row, its columns are the channels */
} wnn_q_depthwise;

/* n numbers between float32 and bytes with scale and zero: one for all, or (each) one a number. */
typedef struct wnn_q_line {
  size_t n;
  bool is_signed, each;
  const float *scale;
  const void *zero; /* bytes */
  const float *floats;
  const void *bytes;
  void *to;
} wnn_q_line;

/* Two lines of bytes with one scale and zero each, combined: a + b or a * b, relu or not, to a third. */
typedef struct wnn_q_side {
  const void *bytes;
  bool is_signed;
  float scale;
  int32_t zero;
} wnn_q_side;
typedef struct wnn_q_pair {
  size_t n;
  bool multiply, relu;
  wnn_q_side a, b;
  bool is_signed; /* the result, and its scale and zero */
  float scale;
  int32_t zero;
  void *to;
} wnn_q_pair;

/* q_pairs_tile: groups are two int16.
 * q_flip: n bytes, each exclusive-or flip. q_center: n bytes less zero, as int16.
 * q_pool_max: to[c] is the largest of a[t][c], t < taps, of which there is at least one.
 * q_quantize: to[i] = limited(round(floats[i] / scale) + zero); q_dequantize: to[i] = (bytes[i] - zero) * scale. */
#define WNN_UKERNEL_QUANT(X)                                                                                           \
  X(q_pairs_tile, (const wnn_q_tile *tile))                                                                            \
  X(q_depthwise, (const wnn_q_depthwise *pixel))                                                                       \
  X(q_flip, (size_t n, const uint8_t *from, uint8_t flip, uint8_t *to))                                                \
  X(q_center, (size_t n, const void *from, bool is_signed, int32_t zero, int16_t *to))                                 \
  X(q_pool_max, (uint32_t taps, bool is_signed, size_t channels, const void *const *a, void *to))                      \
  X(q_quantize, (const wnn_q_line *line))                                                                              \
  X(q_dequantize, (const wnn_q_line *line))                                                                            \
  X(q_pair, (const wnn_q_pair *pair))

#endif
