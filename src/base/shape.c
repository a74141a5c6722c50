/* Shapes: checks, byte lengths, broadcasting, index arithmetic. */
#include "base/shape.h"

#include <stdio.h>
#include <string.h>

bool wnn_desc_valid(const wnn_desc *desc, const char **why) {
  const char *ignored;
  if (!why) why = &ignored;
  size_t size = wnn_data_type_size(desc->data_type);
  *why = "unknown data type";
  if (!size) return false;
  *why = "the rank is above 8";
  if (desc->rank > WNN_MAX_RANK) return false;
  *why = "each dimension must be from 1 to 2147483647";
  for (uint32_t i = 0; i < desc->rank; i++)
    if (desc->shape[i] < 1 || desc->shape[i] > WNN_MAX_DIMENSION) return false;
  uint64_t count = 1;
  *why = "the element count is above 2147483647";
  for (uint32_t i = 0; i < desc->rank; i++) {
    count *= desc->shape[i]; /* both factors are below 2^31 */
    if (count > WNN_MAX_DIMENSION) return false;
  }
  *why = "the byte length is above 2147483647";
  if (count * size > WNN_MAX_TENSOR_BYTES) return false;
  *why = "";
  return true;
}

uint64_t wnn_desc_elements(const wnn_desc *desc) { return wnn_desc_valid(desc, NULL) ? wnn_elements(desc) : 0; }
uint64_t wnn_desc_bytes(const wnn_desc *desc) { return wnn_desc_valid(desc, NULL) ? wnn_bytes(desc) : 0; }

bool wnn_shape_equal(const wnn_desc *a, const wnn_desc *b) {
  return a->rank == b->rank && !memcmp(a->shape, b->shape, a->rank * sizeof a->shape[0]);
}

bool wnn_desc_equal(const wnn_desc *a, const wnn_desc *b) {
  return a->data_type == b->data_type && wnn_shape_equal(a, b);
}

bool wnn_shape_broadcast(const wnn_desc *a, const wnn_desc *b, wnn_desc *out) {
  uint32_t rank = a->rank > b->rank ? a->rank : b->rank, shape[WNN_MAX_RANK] = {0};
  for (uint32_t i = 0; i < rank; i++) { /* from the last dimension */
    uint32_t x = i < a->rank ? a->shape[a->rank - 1 - i] : 1, y = i < b->rank ? b->shape[b->rank - 1 - i] : 1;
    if (x != y && x != 1 && y != 1) return false;
    shape[rank - 1 - i] = x == 1 ? y : x;
  }
  out->rank = rank;
  memcpy(out->shape, shape, sizeof shape);
  return true;
}

void wnn_shape_strides(const wnn_desc *desc, size_t strides[WNN_MAX_RANK]) {
  size_t stride = 1;
  for (uint32_t i = desc->rank; i-- > 0;) {
    strides[i] = stride;
    stride *= desc->shape[i];
  }
}

void wnn_shape_broadcast_strides(const wnn_desc *desc, const wnn_desc *target, size_t strides[WNN_MAX_RANK]) {
  size_t stride = 1;
  memset(strides, 0, WNN_MAX_RANK * sizeof strides[0]);
  for (uint32_t i = 0; i < desc->rank; i++) {
    uint32_t size = desc->shape[desc->rank - 1 - i];
    if (size != 1) strides[target->rank - 1 - i] = stride;
    stride *= size;
  }
}

void wnn_shape_unravel(const wnn_desc *desc, size_t index, size_t coordinates[WNN_MAX_RANK]) {
  for (uint32_t i = desc->rank; i-- > 0;) {
    coordinates[i] = index % desc->shape[i];
    index /= desc->shape[i];
  }
}

const char *wnn_desc_format(const wnn_desc *desc, char text[WNN_DESC_TEXT]) {
  int n = snprintf(text, WNN_DESC_TEXT, "%s [", wnn_data_type_name(desc->data_type));
  for (uint32_t i = 0; i < desc->rank && i < WNN_MAX_RANK && n < WNN_DESC_TEXT; i++)
    n += snprintf(text + n, (size_t)(WNN_DESC_TEXT - n), "%s%u", i ? ", " : "", desc->shape[i]);
  if (n < WNN_DESC_TEXT) snprintf(text + n, (size_t)(WNN_DESC_TEXT - n), "]");
  return text;
}
