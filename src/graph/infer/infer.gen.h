/* Generated from ops/ops.json by tools/gen.mjs; edit the table, not this file. */
#ifndef WNN_GRAPH_INFER_GEN_H
#define WNN_GRAPH_INFER_GEN_H

#include "graph/op_table.h"

wnn_status wnn_infer_broadcast(wnn_call *call);
wnn_status wnn_infer_unary(wnn_call *call);
wnn_status wnn_infer_softmax(wnn_call *call);
wnn_status wnn_infer_conv2d(wnn_call *call);
wnn_status wnn_infer_conv_transpose2d(wnn_call *call);
wnn_status wnn_infer_pool2d(wnn_call *call);
wnn_status wnn_infer_batch_normalization(wnn_call *call);
wnn_status wnn_infer_instance_normalization(wnn_call *call);
wnn_status wnn_infer_layer_normalization(wnn_call *call);
wnn_status wnn_infer_gemm(wnn_call *call);
wnn_status wnn_infer_matmul(wnn_call *call);
wnn_status wnn_infer_triangular(wnn_call *call);
wnn_status wnn_infer_arg_min_max(wnn_call *call);
wnn_status wnn_infer_cumulative_sum(wnn_call *call);
wnn_status wnn_infer_reduce(wnn_call *call);
wnn_status wnn_infer_cast(wnn_call *call);
wnn_status wnn_infer_clamp(wnn_call *call);
wnn_status wnn_infer_concat(wnn_call *call);
wnn_status wnn_infer_expand(wnn_call *call);
wnn_status wnn_infer_pad(wnn_call *call);
wnn_status wnn_infer_reshape(wnn_call *call);
wnn_status wnn_infer_reverse(wnn_call *call);
wnn_status wnn_infer_slice(wnn_call *call);
wnn_status wnn_infer_split(wnn_call *call);
wnn_status wnn_infer_tile(wnn_call *call);
wnn_status wnn_infer_transpose(wnn_call *call);
wnn_status wnn_infer_gather(wnn_call *call);
wnn_status wnn_infer_gather_elements(wnn_call *call);
wnn_status wnn_infer_gather_nd(wnn_call *call);
wnn_status wnn_infer_scatter_elements(wnn_call *call);
wnn_status wnn_infer_scatter_nd(wnn_call *call);
wnn_status wnn_infer_dequantize_linear(wnn_call *call);
wnn_status wnn_infer_quantize_linear(wnn_call *call);
wnn_status wnn_infer_gru(wnn_call *call);
wnn_status wnn_infer_gru_cell(wnn_call *call);
wnn_status wnn_infer_lstm(wnn_call *call);
wnn_status wnn_infer_lstm_cell(wnn_call *call);
wnn_status wnn_infer_resample2d(wnn_call *call);

#endif
