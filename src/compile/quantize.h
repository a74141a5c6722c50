/* Products of integers as the compiler writes them.
 *
 * A conv2d or matmul whose operands 0 and 1 are 8-bit integers multiplies them less their zero points. Its inputs are
 * those of the table's operation (the bias of conv2d may be int32: then it is added to the integer sums), the zero
 * points of both, then what its posts need. Without posts the output is the int32 sum. Else the first post multiplies
 * by a float32 row, which makes floats; the last one may be a quantizeLinear with a wnn_requantize as its args, which
 * makes bytes. */
#ifndef WNN_COMPILE_QUANTIZE_H
#define WNN_COMPILE_QUANTIZE_H

#include "graph/ir.h"

typedef struct wnn_requantize {
  float scale;
  int32_t zero; /* of the type of the node's output */
} wnn_requantize;

/* Whether a node is such a product. */
bool wnn_is_integer_product(const wnn_ir *ir, const wnn_node *node);
/* Scale and zero point of a quantizeLinear to, or a dequantizeLinear from, 8-bit integers, when both are constants of
 * one element and the scale is a finite positive number; else false. */
bool wnn_requantize_of(const wnn_ir *ir, const wnn_node *node, wnn_requantize *how);

#endif
