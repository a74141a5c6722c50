/* Fast lowerings, one per family, named in the rows of ops.c. */
#ifndef WNN_BACKEND_CPU_LOWER_H
#define WNN_BACKEND_CPU_LOWER_H

#include "backend/cpu/cpu.h"

/* lower_alias.c */
wnn_lower_fn wnn_lower_same_memory, wnn_lower_slice_alias, wnn_lower_split_alias;

/* lower_matrix.c, lower_attention.c */
wnn_lower_fn wnn_lower_gemm, wnn_lower_matmul, wnn_lower_attention;
/* lower_conv.c, lower_pool.c, lower_image.c */
wnn_lower_fn wnn_lower_conv2d, wnn_lower_conv_transpose2d, wnn_lower_pool2d, wnn_lower_relayout;

/* lower_elementwise.c */
wnn_lower_fn wnn_lower_elementwise, wnn_lower_chain;

/* lower_bytes.c: false for all but 8-bit integers */
wnn_lower_fn wnn_lower_quantization, wnn_lower_byte_pair, wnn_lower_byte_pool;

/* lower_norm.c */
wnn_lower_fn wnn_lower_softmax, wnn_lower_layer_normalization, wnn_lower_instance_normalization;
wnn_lower_fn wnn_lower_batch_normalization, wnn_lower_add_norm, wnn_lower_embed_norm;
/* lower_reduce.c */
wnn_lower_fn wnn_lower_reduce, wnn_lower_arg, wnn_lower_cumulative_sum;
/* lower_move.c, lower_resample.c */
wnn_lower_fn wnn_lower_transposed, wnn_lower_expand, wnn_lower_tile, wnn_lower_reverse, wnn_lower_slice;
wnn_lower_fn wnn_lower_split, wnn_lower_concat, wnn_lower_pad, wnn_lower_triangular, wnn_lower_gather;
wnn_lower_fn wnn_lower_resample2d;

/* lower_recurrent.c */
wnn_lower_fn wnn_lower_gru, wnn_lower_gru_cell, wnn_lower_lstm, wnn_lower_lstm_cell;

#endif
