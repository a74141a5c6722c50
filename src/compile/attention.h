/* Attention as one operation: what the arguments of a WNN_IR_ATTENTION node hold. */
#ifndef WNN_COMPILE_ATTENTION_H
#define WNN_COMPILE_ATTENTION_H

#include "graph/ir.h"

/* Inputs 0 to 3 of the node, the last WNN_NONE where there is no mask, and its output. */
enum wnn_attend_part { WNN_ATTEND_Q, WNN_ATTEND_K, WNN_ATTEND_V, WNN_ATTEND_MASK, WNN_ATTEND_OUT, WNN_ATTEND_PARTS };

enum { WNN_ATTEND_RANK = 16 };

/* softmax(scale * Q K^T + mask) V of float32, for each batch. Q is queries x depth, K keys x depth, V keys x width, the
 * mask queries x keys, the output queries x width, all in the memory of the node's values as steps and offsets say. Of
 * each matrix one of the two steps is 1; of Q, mask and output that along columns. */
typedef struct wnn_attend {
  size_t queries, keys, depth, width;
  uint32_t rank; /* of the batches */
  size_t dims[WNN_ATTEND_RANK], steps[WNN_ATTEND_RANK][WNN_ATTEND_PARTS];
  size_t offset[WNN_ATTEND_PARTS], row[WNN_ATTEND_PARTS], column[WNN_ATTEND_PARTS];
  double scale;
} wnn_attend;

#endif
