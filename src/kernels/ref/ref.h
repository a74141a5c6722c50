/* Reference kernels: complete for every data type, plain, the truth for the fast ones. params is the
 * operation's completed argument struct; op tells members of a family apart. float16 is computed in
 * float32 (or wider) and rounded once. */
#ifndef WNN_KERNELS_REF_REF_H
#define WNN_KERNELS_REF_REF_H

#include "kernels/kernel.h"

wnn_kernel_fn wnn_ref_unary; /* abs ... tan, activations with one operand, logicalNot, isNaN, isInfinite */
wnn_kernel_fn wnn_ref_binary; /* arithmetic, comparison, logical, prelu */
wnn_kernel_fn wnn_ref_where;
wnn_kernel_fn wnn_ref_clamp;
wnn_kernel_fn wnn_ref_cast;
wnn_kernel_fn wnn_ref_softmax;
wnn_kernel_fn wnn_ref_quantize_linear;
wnn_kernel_fn wnn_ref_dequantize_linear;
wnn_kernel_fn wnn_ref_batch_normalization;
wnn_kernel_fn wnn_ref_instance_normalization;
wnn_kernel_fn wnn_ref_layer_normalization;
wnn_kernel_fn wnn_ref_reduce;
wnn_kernel_fn wnn_ref_arg_min_max;
wnn_kernel_fn wnn_ref_cumulative_sum;

wnn_kernel_fn wnn_ref_conv2d;
wnn_kernel_fn wnn_ref_conv_transpose2d;
wnn_kernel_fn wnn_ref_pool2d;
wnn_kernel_fn wnn_ref_gemm;
wnn_kernel_fn wnn_ref_matmul;
wnn_kernel_fn wnn_ref_triangular;
wnn_kernel_fn wnn_ref_resample2d;
wnn_kernel_fn wnn_ref_gru;
wnn_kernel_fn wnn_ref_gru_cell;
wnn_kernel_fn wnn_ref_lstm;
wnn_kernel_fn wnn_ref_lstm_cell;
/* Scratch bytes of the four above. */
size_t wnn_ref_recurrent_scratch(const wnn_task *task);

wnn_kernel_fn wnn_ref_copy; /* reshape */
wnn_kernel_fn wnn_ref_concat;
wnn_kernel_fn wnn_ref_expand;
wnn_kernel_fn wnn_ref_pad;
wnn_kernel_fn wnn_ref_reverse;
wnn_kernel_fn wnn_ref_slice;
wnn_kernel_fn wnn_ref_split;
wnn_kernel_fn wnn_ref_tile;
wnn_kernel_fn wnn_ref_transpose;
wnn_kernel_fn wnn_ref_gather;
wnn_kernel_fn wnn_ref_gather_elements;
wnn_kernel_fn wnn_ref_gather_nd;
wnn_kernel_fn wnn_ref_scatter_elements;
wnn_kernel_fn wnn_ref_scatter_nd;

#endif
