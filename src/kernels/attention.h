/* Attention: softmax(scale * Q K^T + mask) V, for blocks of queries whose scores never leave a cache. */
#ifndef WNN_KERNELS_ATTENTION_H
#define WNN_KERNELS_ATTENTION_H

#include "kernels/igemm.h"

enum wnn_attention_part {
  WNN_ATTENTION_Q,
  WNN_ATTENTION_K,
  WNN_ATTENTION_V,
  WNN_ATTENTION_MASK,
  WNN_ATTENTION_OUT,
  WNN_ATTENTION_PARTS
};

/* Every matrix is seen in place: batch b of a part starts `offsets[b * WNN_ATTENTION_PARTS + part]` floats into its
 * tensor, and its rows are `row[part]` floats apart. Rows of Q and of the result are queries, those of the mask too
 * (0: all queries have one). Rows of K and V are keys, or (across) elements of a key or value, keys side by side. */
typedef struct wnn_attention_params {
  const wnn_ukernels *u;
  size_t batches, queries, keys, depth, width; /* depth: floats of a query and a key; width: of a value */
  const size_t *offsets;
  size_t row[WNN_ATTENTION_PARTS];
  bool k_across, v_across, masked;
  float scale;
  /* Set by wnn_attention_plan. */
  size_t block, blocks, score_row; /* queries at a time; floats between rows of scores */
  wnn_igemm scores, result;
} wnn_attention_params;

/* Chooses blocks. Returns the number of units (the kernel's range). */
size_t wnn_attention_plan(wnn_attention_params *p, unsigned threads);
size_t wnn_attention_scratch(const wnn_attention_params *p);
double wnn_attention_flops(const wnn_attention_params *p);
/* Inputs: Q, K, V and, when masked, the mask. Output: the result. */
wnn_kernel_fn wnn_f32_attention;

#endif
