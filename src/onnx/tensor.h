/* Tensors of a model file as plain memory. */
#ifndef WNN_ONNX_TENSOR_H
#define WNN_ONNX_TENSOR_H

#include "model.h"

/* A tensor on the host. Unlike a WebNN descriptor, desc may hold zero dimensions: then there are no elements and data
 * is a valid pointer to nothing. data may be unaligned when it lies in the file. */
typedef struct ox_const {
  wnn_desc desc;
  size_t elements;
  const void *data;
} ox_const;

/* Elements of a shape that may hold zeros; false when the tensor would be larger than WebNN allows. */
bool ox_count_elements(const wnn_desc *desc, size_t *elements);

/* Loads a tensor of the model: in place where the file's bytes can be used, else converted into arena. */
/* The bytes of a tensor whose data is in another file. */
wnn_status ox_tensor_external(wnn_onnx_model *model, const ox_tensor *tensor, ox_bytes *raw, wnn_error *error);
wnn_status ox_tensor_load(wnn_onnx_model *model, const ox_tensor *tensor, ox_arena *arena, ox_const *out,
                          wnn_error *error);
/* Loads a sparse tensor, filled up with zeros. */
wnn_status ox_sparse_load(wnn_onnx_model *model, const ox_sparse *sparse, ox_arena *arena, ox_const *out,
                          wnn_error *error);

/* Element number index of host memory, as a 64-bit integer (floats truncate, saturating) or a double. */
int64_t ox_load_int(wnn_data_type type, const void *data, size_t index);
double ox_load_double(wnn_data_type type, const void *data, size_t index);
/* Stores a double, rounded to nearest even and limited to the range of an integer type. */
void ox_store_double(wnn_data_type type, void *data, size_t index, double value);

#endif
