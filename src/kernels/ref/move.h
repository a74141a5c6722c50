/* Moving elements by their size alone: bits stay as they are. */
#ifndef WNN_KERNELS_REF_MOVE_H
#define WNN_KERNELS_REF_MOVE_H

#include <string.h>

#include "base/shape.h"
#include "kernels/kernel.h"

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

/* Index number i as a position in a dimension of `size` elements: clamped to [-size, size - 1], then negative ones
 * count from the end. Every value is safe. */
static inline size_t wnn_index_at(const wnn_view *indices, size_t i, size_t size) {
  int64_t value, limit = (int64_t)size;
  switch (indices->desc.data_type) {
  case WNN_INT32: value = ((const int32_t *)indices->data)[i]; break;
  case WNN_UINT32: value = ((const uint32_t *)indices->data)[i]; break;
  default: value = ((const int64_t *)indices->data)[i]; break;
  }
  if (value >= limit) value = limit - 1;
  if (value < -limit) value = -limit;
  return (size_t)(value < 0 ? value + limit : value);
}

/* Moves to the next coordinates of a shape over its first `rank` dimensions, last one fastest. */
static inline void wnn_next_coordinates(const wnn_desc *desc, uint32_t rank, size_t coordinates[WNN_MAX_RANK]) {
  for (uint32_t i = rank; i-- > 0;) {
    if (++coordinates[i] < desc->shape[i]) return;
    coordinates[i] = 0;
  }
}

#endif
