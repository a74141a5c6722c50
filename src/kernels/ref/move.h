/* Moving elements by their size alone: bits stay as they are. */
#ifndef WNN_KERNELS_REF_MOVE_H
#define WNN_KERNELS_REF_MOVE_H

#include <string.h>

#include "base/shape.h"
#include "kernels/index.h"

/* Element `to` of out becomes element `from` of in. Sizes are constants in each case, so that copies are loads and
 * stores. */
static inline void wnn_move_element(void *out, size_t to, const void *in, size_t from, size_t size) {
  unsigned char *o = (unsigned char *)out + to * size;
  const unsigned char *i = (const unsigned char *)in + from * size;
  switch (size) {
  case 1: *o = *i; break;
  case 2: memcpy(o, i, 2); break;
  case 4: memcpy(o, i, 4); break;
  default: memcpy(o, i, 8); break;
  }
}

/* The same for `count` neighbouring elements. */
static inline void wnn_move_run(void *out, size_t to, const void *in, size_t from, size_t count, size_t size) {
  memcpy((unsigned char *)out + to * size, (const unsigned char *)in + from * size, count * size);
}

/* Moves to the next coordinates of a shape over its first `rank` dimensions, last one fastest. */
static inline void wnn_next_coordinates(const wnn_desc *desc, uint32_t rank, size_t coordinates[WNN_MAX_RANK]) {
  for (uint32_t i = rank; i-- > 0;) {
    if (++coordinates[i] < desc->shape[i]) return;
    coordinates[i] = 0;
  }
}

#endif
