/* Fast lowerings, one per family, named in the rows of ops.c. */
#ifndef WNN_BACKEND_CPU_LOWER_H
#define WNN_BACKEND_CPU_LOWER_H

#include "backend/cpu/cpu.h"

/* lower_alias.c */
wnn_lower_fn wnn_lower_same_memory, wnn_lower_slice_alias, wnn_lower_split_alias;

/* lower_matrix.c */
wnn_lower_fn wnn_lower_gemm, wnn_lower_matmul;
/* lower_conv.c, lower_pool.c, lower_image.c */
wnn_lower_fn wnn_lower_conv2d, wnn_lower_conv_transpose2d, wnn_lower_pool2d, wnn_lower_relayout;

/* lower_elementwise.c */
wnn_lower_fn wnn_lower_elementwise, wnn_lower_chain;

/* lower_recurrent.c */
wnn_lower_fn wnn_lower_gru, wnn_lower_gru_cell, wnn_lower_lstm, wnn_lower_lstm_cell;

#endif
