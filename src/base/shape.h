/* Shapes: checks, byte lengths, broadcasting, index arithmetic. */
#ifndef WNN_BASE_SHAPE_H
#define WNN_BASE_SHAPE_H

#include <webnn/webnn.h>

/* Largest dimension and element count. */
#define WNN_MAX_DIMENSION 2147483647u

/* True for a valid descriptor: known data type, rank within WNN_MAX_RANK, dimensions from 1 up, element
 * count and byte length within the limits. why (may be NULL) receives a static reason on failure. */
bool wnn_desc_valid(const wnn_desc *desc, const char **why);

/* Product of the dimensions begin .. end-1 of a valid descriptor. */
static inline size_t wnn_shape_product(const wnn_desc *desc, uint32_t begin, uint32_t end) {
  size_t product = 1;
  for (uint32_t i = begin; i < end; i++) product *= desc->shape[i];
  return product;
}
static inline size_t wnn_elements(const wnn_desc *desc) { return wnn_shape_product(desc, 0, desc->rank); }
static inline size_t wnn_bytes(const wnn_desc *desc) {
  return wnn_elements(desc) * wnn_data_type_size(desc->data_type);
}

bool wnn_desc_equal(const wnn_desc *a, const wnn_desc *b);
bool wnn_shape_equal(const wnn_desc *a, const wnn_desc *b);

/* Bidirectional broadcast of the shapes of a and b into out's rank and shape (out's data type is left
 * alone; out may be a or b). False when they do not fit. */
bool wnn_shape_broadcast(const wnn_desc *a, const wnn_desc *b, wnn_desc *out);

/* Element strides of a dense tensor. */
void wnn_shape_strides(const wnn_desc *desc, size_t strides[WNN_MAX_RANK]);
/* Element strides of `desc` seen through the shape of `target`, to which it broadcasts: 0 where it repeats. */
void wnn_shape_broadcast_strides(const wnn_desc *desc, const wnn_desc *target, size_t strides[WNN_MAX_RANK]);
/* Splits a linear element index into coordinates. */
void wnn_shape_unravel(const wnn_desc *desc, size_t index, size_t coordinates[WNN_MAX_RANK]);

/* Writes "float32 [1, 2]" and returns text. */
enum { WNN_DESC_TEXT = 128 };
const char *wnn_desc_format(const wnn_desc *desc, char text[WNN_DESC_TEXT]);

#endif
