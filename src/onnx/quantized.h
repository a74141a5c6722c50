/* Pieces of the quantised operators. */
#ifndef WNN_ONNX_QUANTIZED_H
#define WNN_ONNX_QUANTIZED_H

#include "window.h"

/* A scale or zero point brought to the rank of x. */
wnn_operand *ox_q_param(ox_call *c, wnn_operand *param, const wnn_desc *x, int64_t axis);
/* (x - zero) * scale; zero NULL: 0. */
wnn_operand *ox_dequantize(ox_call *c, wnn_operand *x, wnn_operand *scale, wnn_operand *zero, int64_t axis);
/* type: of the result when zero is NULL. */
wnn_operand *ox_quantize(ox_call *c, wnn_operand *x, wnn_operand *scale, wnn_operand *zero, wnn_data_type type,
                         int64_t axis);
/* x as uint8 with a scale and zero point from its own range. */
bool ox_dynamic_quantize(ox_call *c, wnn_operand *x, wnn_operand **y, wnn_operand **scale, wnn_operand **zero);
/* The exact int32 product of the 8-bit inputs a_in and b_in, zero points taken off. */
wnn_operand *ox_integer_matmul(ox_call *c, size_t a_in, size_t b_in, size_t a_zero, size_t b_zero);

#endif
