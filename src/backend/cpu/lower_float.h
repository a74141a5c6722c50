/* What lowerings to float32 kernels share: float16 at the edges, constants as floats, fused operations. */
#ifndef WNN_BACKEND_CPU_LOWER_FLOAT_H
#define WNN_BACKEND_CPU_LOWER_FLOAT_H

#include "backend/cpu/cpu.h"
#include "kernels/ukernels.h"

/* True for float32 and float16. */
bool wnn_lower_is_float(const wnn_lowering *l, uint32_t value);
/* The value as float32: itself, or a temp that a step fills. */
uint32_t wnn_lower_widen(wnn_lowering *l, const wnn_node *node, uint32_t value);
/* Where to write float32 results of `value`: itself, or a temp; then wnn_lower_narrow brings them home. */
uint32_t wnn_lower_wide_output(wnn_lowering *l, uint32_t value);
void wnn_lower_narrow(wnn_lowering *l, const wnn_node *node, uint32_t wide, uint32_t value);
/* Elements of a constant as floats, until the lowering of this node ends: to be packed or copied. NULL when it is not
 * constant (or memory is short). */
const wnn_loose *wnn_lower_floats(wnn_lowering *l, uint32_t value);
/* One float a channel or column: constant in *row (a copy that lives with the program; WNN_NONE is returned), or a
 * float32 value. */
uint32_t wnn_lower_row(wnn_lowering *l, const wnn_node *node, uint32_t value, size_t count, const float **row);

/* Batched matrix transposition: `batches` matrices of rows x columns, elements of `size` bytes, 4 or 1. */
void wnn_lower_transpose(wnn_lowering *l, const wnn_node *node, uint32_t from, uint32_t to, size_t size, size_t batches,
                         size_t rows, size_t columns);

/* Fused operations in the form that the matrix kernels take: a row of columns is added (init), a tensor like the
 * output is added, limits are applied. */
typedef struct wnn_fused {
  uint32_t init, residual; /* value ids or WNN_NONE */
  uint32_t scale;          /* of integer sums, a row of columns; first of all */
  bool limit;
  float lo, hi;
  const struct wnn_requantize *requantize; /* last of all (compile/quantize.h), or NULL */
} wnn_fused;
/* The fused operations of a node, whose output has `columns` innermost; channels-last outputs have the channels
 * there. False when they cannot be expressed so: fusion then must not have been done. */
bool wnn_lower_fused(const wnn_lowering *l, const wnn_node *node, size_t columns, wnn_fused *fused);

/* lower_quant.c: a matmul of integers (compile/quantize.h). */
bool wnn_lower_integer_matmul(wnn_lowering *l, const wnn_node *node);

#endif
