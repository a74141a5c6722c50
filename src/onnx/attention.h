/* Pieces of the attention operators. B batch, N heads, S queries, T keys, H head size. */
#ifndef WNN_ONNX_ATTENTION_H
#define WNN_ONNX_ATTENTION_H

#include "import.h"

/* [B, S, N H] to [B, N, S, H] and back. */
wnn_operand *ox_split_heads(ox_call *c, wnn_operand *x, uint32_t heads);
wnn_operand *ox_join_heads(ox_call *c, wnn_operand *x);

typedef struct ox_attention {
  wnn_operand *q, *k, *v; /* [B, N, S, H], [B, kvN, T, H], [B, kvN, T, Hv]; kvN divides N */
  wnn_operand *mask;      /* added to the scores, broadcast to [B, N, S, T]; NULL: none */
  wnn_operand *sink;      /* [N] a score that only takes weight; NULL: none */
  double scale;           /* 0: 1 / sqrt(H) */
  double softcap;         /* 0: none */
  wnn_operand **scores;   /* where to leave scores, for qk outputs; NULL: nowhere */
  int scores_at;          /* 0 scaled, 1 masked, 2 capped, 3 softmax */
} ox_attention;
/* Scaled dot product attention: [B, N, S, Hv]. */
wnn_operand *ox_attend(ox_call *c, const ox_attention *a);

/* 0 where key <= query + offset (and key > query + offset - window, when window > 0), else `hidden`: [1, 1, S, T]. */
wnn_operand *ox_causal_mask(ox_call *c, wnn_data_type type, uint32_t queries, uint32_t keys, int64_t offset,
                            int64_t window, double hidden);
/* 0 where keep is not zero, else hidden. */
wnn_operand *ox_mask_from(ox_call *c, wnn_operand *keep, wnn_data_type type, double hidden);
wnn_operand *ox_add_masks(ox_call *c, wnn_operand *a, wnn_operand *b); /* either may be NULL */

/* Rotates x [B, S, N, H] with cos and sin [B or 1, S, R / 2]. */
wnn_operand *ox_rotate(ox_call *c, wnn_operand *x, wnn_operand *cos, wnn_operand *sin, bool interleaved);

/* Hides a score: the lowest finite number of the type. */
double ox_hidden(wnn_data_type type);

#endif
