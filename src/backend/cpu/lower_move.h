/* Copies between strided views of memory. */
#ifndef WNN_BACKEND_CPU_LOWER_MOVE_H
#define WNN_BACKEND_CPU_LOWER_MOVE_H

#include "backend/cpu/cpu.h"

enum { WNN_COPY_RANK = 2 * WNN_MAX_RANK };

/* dims, and the strides in elements of source and target (NULL: dense). Strides count modulo 2^64, so that they may
 * be negative; bases are the elements of index 0. */
typedef struct wnn_copy {
  uint32_t size; /* bytes of an element: 1, 2, 4 or 8 */
  uint32_t rank;
  const size_t *dims, *from, *to;
  size_t from_base, to_base;
} wnn_copy;
void wnn_lower_copy(wnn_lowering *l, const wnn_node *node, uint32_t from, uint32_t to, const wnn_copy *copy);

#endif
