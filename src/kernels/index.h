/* Indices of gather and scatter, made safe. */
#ifndef WNN_KERNELS_INDEX_H
#define WNN_KERNELS_INDEX_H

#include "kernels/kernel.h"

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

#endif
