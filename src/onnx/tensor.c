/* Tensor data: raw bytes, typed fields, external files and sparse lists, converted to the types WebNN carries. Bytes of
 * the file are little-endian, as is every machine this library builds for. */
#include "tensor.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "model files are read in place");

bool ox_count_elements(const wnn_desc *desc, size_t *elements) {
  uint64_t count = 1;
  bool empty = false;
  for (uint32_t i = 0; i < desc->rank; i++) {
    if (desc->shape[i] == 0)
      empty = true;
    else if (desc->shape[i] > INT32_MAX || count > WNN_MAX_TENSOR_BYTES / desc->shape[i])
      return false;
    else
      count *= desc->shape[i];
  }
  *elements = empty ? 0 : (size_t)count;
  return empty || count * wnn_data_type_size(desc->data_type) <= WNN_MAX_TENSOR_BYTES;
}

/* Bits of an element on disk. */
static unsigned disk_bits(int32_t type) {
  switch (type) {
  case OX_DOUBLE:
  case OX_INT64:
  case OX_UINT64: return 64;
  case OX_FLOAT:
  case OX_INT32:
  case OX_UINT32: return 32;
  case OX_UINT2:
  case OX_INT2: return 2;
  case OX_UINT4:
  case OX_INT4: return 4;
  case OX_UINT8:
  case OX_INT8:
  case OX_BOOL: return 8;
  default: return 16;
  }
}

static bool same_on_disk(int32_t type) {
  wnn_data_type carrier;
  return ox_type_carrier(type, &carrier) && disk_bits(type) == 8 * wnn_data_type_size(carrier);
}

static float bfloat_bits(uint16_t bits) {
  uint32_t wide = (uint32_t)bits << 16;
  float value;
  memcpy(&value, &wide, 4);
  return value;
}

/* One disk element, given by its bits, into carrier memory. */
static void store_bits(int32_t type, void *data, size_t index, uint64_t bits) {
  char *bytes = data;
  switch (type) {
  case OX_DOUBLE: {
    double value;
    memcpy(&value, &bits, 8);
    ox_store_double(WNN_FLOAT32, data, index, value);
    return;
  }
  case OX_BFLOAT16: {
    float value = bfloat_bits((uint16_t)bits);
    memcpy(bytes + 4 * index, &value, 4);
    return;
  }
  case OX_INT16:
  case OX_UINT16: {
    int32_t value = type == OX_INT16 ? (int16_t)(uint16_t)bits : (int32_t)(uint16_t)bits;
    memcpy(bytes + 4 * index, &value, 4);
    return;
  }
  case OX_BOOL: bytes[index] = bits != 0; return;
  case OX_INT4: bytes[index] = (char)((int)((bits & 15) ^ 8) - 8); return;
  case OX_INT2: bytes[index] = (char)((int)((bits & 3) ^ 2) - 2); return;
  case OX_UINT4: bytes[index] = (char)(bits & 15); return;
  case OX_UINT2: bytes[index] = (char)(bits & 3); return;
  default: {
    wnn_data_type carrier = WNN_UINT8;
    ox_type_carrier(type, &carrier);
    size_t size = wnn_data_type_size(carrier);
    memcpy(bytes + size * index, &bits, size);
  }
  }
}

static wnn_status bad(wnn_error *error, const ox_tensor *tensor, const char *why) {
  return ox_error(error, WNN_DATA_ERROR, "tensor '%.128s': %s", tensor->name, why);
}

static wnn_status tensor_desc(const ox_tensor *tensor, ox_const *out, wnn_error *error) {
  if (!ox_type_carrier(tensor->type, &out->desc.data_type)) {
    return ox_error(error, WNN_NOT_SUPPORTED, "tensor '%.128s': WebNN has no data type for %s", tensor->name,
                    ox_type_name(tensor->type));
  }
  if (tensor->dims.count > WNN_MAX_RANK) {
    return ox_error(error, WNN_NOT_SUPPORTED, "tensor '%.128s': rank %zu is above %d", tensor->name, tensor->dims.count,
                    WNN_MAX_RANK);
  }
  out->desc.rank = (uint32_t)tensor->dims.count;
  for (uint32_t i = 0; i < out->desc.rank; i++) {
    int64_t size = *OX_AT(tensor->dims, int64_t, i);
    if (size < 0 || size > INT32_MAX) return bad(error, tensor, "a dimension is negative or too large");
    out->desc.shape[i] = (uint32_t)size;
  }
  if (!ox_count_elements(&out->desc, &out->elements)) return bad(error, tensor, "it is larger than 2147483647 bytes");
  return WNN_OK;
}

wnn_status ox_tensor_external(wnn_onnx_model *model, const ox_tensor *tensor, ox_bytes *raw, wnn_error *error) {
  const char *location = NULL, *offset_text = "0", *length_text = NULL;
  for (size_t i = 0; i < tensor->external.count; i++) {
    const ox_entry *entry = OX_AT(tensor->external, ox_entry, i);
    if (!strcmp(entry->key, "location"))
      location = entry->value;
    else if (!strcmp(entry->key, "offset"))
      offset_text = entry->value;
    else if (!strcmp(entry->key, "length"))
      length_text = entry->value;
  }
  if (!location) return bad(error, tensor, "external data without a location");
  ox_bytes file;
  wnn_status status = ox_model_external(model, location, &file, error);
  if (status) return status;
  char *end;
  unsigned long long offset = strtoull(offset_text, &end, 10);
  if (*end || offset_text[0] == '-' || offset > file.size)
    return bad(error, tensor, "its external data lies past the end of the file");
  unsigned long long length = file.size - offset;
  if (length_text) {
    unsigned long long given = strtoull(length_text, &end, 10);
    if (*end || length_text[0] == '-' || given > length)
      return bad(error, tensor, "its external data lies past the end of the file");
    length = given;
  }
  *raw = (ox_bytes){file.data + offset, (size_t)length};
  return WNN_OK;
}

static bool bools_are_clean(ox_bytes raw) {
  for (size_t i = 0; i < raw.size; i++) {
    if (raw.data[i] > 1) return false;
  }
  return true;
}

static wnn_status load_raw(const ox_tensor *tensor, ox_bytes raw, ox_arena *arena, ox_const *out, wnn_error *error) {
  unsigned bits = disk_bits(tensor->type);
  size_t need = (size_t)(((uint64_t)out->elements * bits + 7) / 8);
  if (raw.size < need || (raw.size > need && tensor->location != 1)) {
    return ox_error(error, WNN_DATA_ERROR, "tensor '%.128s': its data has %zu bytes, its shape and type need %zu",
                    tensor->name, raw.size, need);
  }
  raw.size = need;
  if (same_on_disk(tensor->type) && (tensor->type != OX_BOOL || bools_are_clean(raw))) {
    out->data = raw.data;
    return WNN_OK;
  }
  void *data = ox_alloc_array(arena, out->elements, wnn_data_type_size(out->desc.data_type));
  if (!data) return ox_error(error, WNN_OUT_OF_MEMORY, "memory is short for tensor '%.128s'", tensor->name);
  for (size_t i = 0; i < out->elements; i++) {
    uint64_t value = 0;
    if (bits < 8)
      value = (uint64_t)raw.data[i * bits / 8] >> (i * bits % 8);
    else
      memcpy(&value, raw.data + i * (bits / 8), bits / 8);
    store_bits(tensor->type, data, i, value);
  }
  out->data = data;
  return WNN_OK;
}

typedef struct ox_fill {
  int32_t type;
  void *data;
  size_t next, count;
  unsigned packed; /* elements in one wire element: 4-bit types hold several */
} ox_fill;

static bool fill_element(void *user, uint64_t bits) {
  ox_fill *fill = user;
  if (fill->next >= fill->count) return false;
  for (unsigned i = 0; i < fill->packed && fill->next < fill->count; i++) {
    store_bits(fill->type, fill->data, fill->next++, bits >> (8 / fill->packed * i));
  }
  return true;
}

static wnn_status load_typed(const ox_tensor *tensor, ox_arena *arena, ox_const *out, wnn_error *error) {
  uint32_t tag = 5;
  switch (tensor->type) {
  case OX_FLOAT: tag = 4; break;
  case OX_DOUBLE: tag = 10; break;
  case OX_INT64: tag = 7; break;
  case OX_UINT32:
  case OX_UINT64: tag = 11; break;
  default: break;
  }
  /* Every element takes at least a byte on the wire (sub-byte types: a byte for several). */
  unsigned packed = disk_bits(tensor->type) < 8 ? 8 / disk_bits(tensor->type) : 1;
  if (out->elements / packed > tensor->message.size) return bad(error, tensor, "it has fewer elements than its shape");
  size_t size = wnn_data_type_size(out->desc.data_type);
  void *data = ox_alloc_array(arena, out->elements, size);
  if (!data) return ox_error(error, WNN_OUT_OF_MEMORY, "memory is short for tensor '%.128s'", tensor->name);
  ox_fill fill = {tensor->type, data, 0, out->elements, packed};
  if (!ox_tensor_field(tensor->message, tag, fill_element, &fill))
    return bad(error, tensor, "its data is malformed or longer than its shape");
  if (fill.next != out->elements) return bad(error, tensor, "it has fewer elements than its shape");
  out->data = data;
  return WNN_OK;
}

wnn_status ox_tensor_load(wnn_onnx_model *model, const ox_tensor *tensor, ox_arena *arena, ox_const *out,
                          wnn_error *error) {
  *out = (ox_const){.data = ""};
  if (tensor->has_segment) return bad(error, tensor, "segmented tensors are not part of any opset");
  wnn_status status = tensor_desc(tensor, out, error);
  if (status || !out->elements) return status;
  if (tensor->location == 1) {
    ox_bytes raw;
    status = ox_tensor_external(model, tensor, &raw, error);
    return status ? status : load_raw(tensor, raw, arena, out, error);
  }
  if (tensor->location != 0) return bad(error, tensor, "unknown place of its data");
  return tensor->has_raw ? load_raw(tensor, tensor->raw, arena, out, error) : load_typed(tensor, arena, out, error);
}

/* Filled up it may not take more; its claim costs the file nothing. */
enum { SPARSE_LIMIT = 256 * 1024 * 1024 };

wnn_status ox_sparse_load(wnn_onnx_model *model, const ox_sparse *sparse, ox_arena *arena, ox_const *out,
                          wnn_error *error) {
  if (!sparse->values || !sparse->indices)
    return ox_error(error, WNN_DATA_ERROR, "a sparse tensor lacks values or indices");
  ox_tensor dense = *sparse->values;
  dense.dims = sparse->dims;
  ox_const values, indices;
  *out = (ox_const){.data = ""};
  wnn_status status = ox_tensor_load(model, sparse->values, arena, &values, error);
  if (!status) status = ox_tensor_load(model, sparse->indices, arena, &indices, error);
  if (!status) status = tensor_desc(&dense, out, error);
  if (status) return status;
  bool linear = indices.desc.rank == 1;
  if (indices.desc.data_type != WNN_INT64 || values.desc.rank != 1 ||
      indices.elements != values.elements * (linear ? 1 : (size_t)out->desc.rank)) {
    return bad(error, &dense, "the indices of a sparse tensor do not fit its values");
  }
  size_t size = wnn_data_type_size(out->desc.data_type);
  if (out->elements > SPARSE_LIMIT / size) return bad(error, &dense, "a sparse tensor above 256 MiB");
  char *data = ox_alloc_array(arena, out->elements, size);
  if (!data) return ox_error(error, WNN_OUT_OF_MEMORY, "memory is short for tensor '%.128s'", dense.name);
  for (size_t i = 0; i < values.elements; i++) {
    uint64_t at = 0;
    for (uint32_t k = 0; k < (linear ? 1 : out->desc.rank); k++) {
      int64_t index = ox_load_int(WNN_INT64, indices.data, linear ? i : i * out->desc.rank + k);
      uint64_t limit = linear ? out->elements : out->desc.shape[k];
      if (index < 0 || (uint64_t)index >= limit)
        return bad(error, &dense, "an index of a sparse tensor is out of range");
      at = linear ? (uint64_t)index : at * limit + (uint64_t)index;
    }
    memcpy(data + at * size, (const char *)values.data + i * size, size);
  }
  out->data = data;
  return WNN_OK;
}

/* ---- Elements ------------------------------------------------------------------------------------ */

static int64_t clamp_to_int64(double value) {
  if (isnan(value)) return 0;
  if (value >= 9223372036854775808.0) return INT64_MAX;
  if (value <= -9223372036854775808.0) return INT64_MIN;
  return (int64_t)value;
}

int64_t ox_load_int(wnn_data_type type, const void *data, size_t index) {
  const char *bytes = (const char *)data + index * wnn_data_type_size(type);
  switch (type) {
  case WNN_INT64: {
    int64_t value;
    memcpy(&value, bytes, 8);
    return value;
  }
  case WNN_UINT64: {
    uint64_t value;
    memcpy(&value, bytes, 8);
    return value > INT64_MAX ? INT64_MAX : (int64_t)value;
  }
  case WNN_INT32: {
    int32_t value;
    memcpy(&value, bytes, 4);
    return value;
  }
  case WNN_UINT32: {
    uint32_t value;
    memcpy(&value, bytes, 4);
    return value;
  }
  case WNN_INT8: return *(const int8_t *)bytes;
  case WNN_UINT8: return *(const uint8_t *)bytes;
  default: return clamp_to_int64(ox_load_double(type, data, index));
  }
}

static double half_value(uint16_t bits) {
  int exponent = bits >> 10 & 31;
  double fraction = bits & 1023;
  double size = exponent == 31 ? (fraction != 0 ? (double)NAN : (double)INFINITY)
                : exponent     ? ldexp(1024 + fraction, exponent - 25)
                               : ldexp(fraction, -24);
  return bits & 0x8000 ? -size : size;
}

double ox_load_double(wnn_data_type type, const void *data, size_t index) {
  const char *bytes = (const char *)data + index * wnn_data_type_size(type);
  if (type == WNN_FLOAT32) {
    float value;
    memcpy(&value, bytes, 4);
    return value;
  }
  if (type == WNN_FLOAT16) {
    uint16_t bits;
    memcpy(&bits, bytes, 2);
    return half_value(bits);
  }
  if (type == WNN_UINT64) {
    uint64_t value;
    memcpy(&value, bytes, 8);
    return (double)value;
  }
  return (double)ox_load_int(type, data, index);
}

void ox_store_double(wnn_data_type type, void *data, size_t index, double value) {
  wnn_number_store(wnn_number_double(value), type, (char *)data + index * wnn_data_type_size(type));
}
