/* Shared parts of the reference kernels: elements of any type, rounding stores, walks over indices. */
#ifndef WNN_KERNELS_REF_UTIL_H
#define WNN_KERNELS_REF_UTIL_H

#include <math.h>
#include <webnn/webnn_ops.h>

#include "base/dtype.h"
#include "base/shape.h"
#include "kernels/ref/ref.h"

/* ---- Elements. data points to a dense array of `type`, i counts elements. ------------------------- */

/* A float16 or float32 element. */
static inline float wnn_ref_get_f32(const void *data, wnn_data_type type, size_t i) {
  return type == WNN_FLOAT16 ? wnn_f16_to_f32(((const uint16_t *)data)[i]) : ((const float *)data)[i];
}

/* An element of an integer type with its value extended to 64 bits; uint64 keeps its bit pattern. */
static inline uint64_t wnn_ref_get_u64(const void *data, wnn_data_type type, size_t i) {
  switch (type) {
  case WNN_INT32: return (uint64_t)(int64_t)((const int32_t *)data)[i];
  case WNN_UINT32: return ((const uint32_t *)data)[i];
  case WNN_INT64: return (uint64_t)((const int64_t *)data)[i];
  case WNN_UINT64: return ((const uint64_t *)data)[i];
  case WNN_INT8: return (uint64_t)(int64_t)((const int8_t *)data)[i];
  case WNN_UINT8: return ((const uint8_t *)data)[i];
  default: return 0;
  }
}

/* An integer element; a uint64 of 2^63 and up wraps to a negative number. */
static inline int64_t wnn_ref_get_i64(const void *data, wnn_data_type type, size_t i) {
  return (int64_t)wnn_ref_get_u64(data, type, i);
}

/* An element of any type; exact except for 64-bit integers beyond 2^53. */
static inline double wnn_ref_get_f64(const void *data, wnn_data_type type, size_t i) {
  if (wnn_is_float(type)) return (double)wnn_ref_get_f32(data, type, i);
  uint64_t bits = wnn_ref_get_u64(data, type, i);
  return type == WNN_UINT64 ? (double)bits : (double)(int64_t)bits;
}

/* Stores a number as float32 or float16, rounded once. */
static inline void wnn_ref_put_f64(void *data, wnn_data_type type, size_t i, double value) {
  if (type == WNN_FLOAT16)
    ((uint16_t *)data)[i] = wnn_f64_to_f16(value);
  else
    ((float *)data)[i] = (float)value;
}

static inline void wnn_ref_put_f32(void *data, wnn_data_type type, size_t i, float value) {
  if (type == WNN_FLOAT16)
    ((uint16_t *)data)[i] = wnn_f32_to_f16(value);
  else
    ((float *)data)[i] = value;
}

/* Stores the low bits of an integer. */
static inline void wnn_ref_put_u64(void *data, wnn_data_type type, size_t i, uint64_t bits) {
  switch (wnn_data_type_size(type)) {
  case 1: ((uint8_t *)data)[i] = (uint8_t)bits; break;
  case 4: ((uint32_t *)data)[i] = (uint32_t)bits; break;
  case 8: ((uint64_t *)data)[i] = bits; break;
  default: break;
  }
}

/* Copies one element of `size` bytes (1, 2, 4 or 8) bit for bit. */
static inline void wnn_ref_copy_element(void *to, size_t to_index, const void *from, size_t from_index, size_t size) {
  switch (size) {
  case 1: ((uint8_t *)to)[to_index] = ((const uint8_t *)from)[from_index]; break;
  case 2: ((uint16_t *)to)[to_index] = ((const uint16_t *)from)[from_index]; break;
  case 4: ((uint32_t *)to)[to_index] = ((const uint32_t *)from)[from_index]; break;
  default: ((uint64_t *)to)[to_index] = ((const uint64_t *)from)[from_index]; break;
  }
}

/* Value range of an integer type: least value as int64, greatest as uint64. */
static inline int64_t wnn_ref_int_min(wnn_data_type type) {
  switch (type) {
  case WNN_INT32: return INT32_MIN;
  case WNN_INT64: return INT64_MIN;
  case WNN_INT8: return INT8_MIN;
  default: return 0;
  }
}
static inline uint64_t wnn_ref_int_max(wnn_data_type type) {
  switch (type) {
  case WNN_INT32: return INT32_MAX;
  case WNN_UINT32: return UINT32_MAX;
  case WNN_INT64: return INT64_MAX;
  case WNN_UINT64: return UINT64_MAX;
  case WNN_INT8: return INT8_MAX;
  default: return UINT8_MAX;
  }
}

/* Rounds an option such as alpha or epsilon to a float type, which is where it acts. */
static inline double wnn_ref_round_to(wnn_data_type type, double value) {
  return type == WNN_FLOAT16 ? (double)wnn_f16_to_f32(wnn_f64_to_f16(value)) : (double)(float)value;
}

/* To the even neighbour on ties, whatever the rounding mode is; keeps the sign of zero. */
static inline double wnn_ref_round_even(double value) {
  double magnitude = fabs(value);
  if (!(magnitude < 0x1p52)) return value;
  double whole = floor(magnitude), rest = magnitude - whole;
  if (rest > 0.5 || (rest == 0.5 && fmod(whole, 2) != 0)) whole += 1;
  return copysign(whole, value);
}

/* Largest and smallest of two floats: NaN wins, +0 is above -0. */
static inline float wnn_ref_max_f32(float a, float b) {
  if (a != a || b != b) return a + b;
  return a > b || (a == b && !signbit(a)) ? a : b;
}
static inline float wnn_ref_min_f32(float a, float b) {
  if (a != a || b != b) return a + b;
  return a < b || (a == b && signbit(a)) ? a : b;
}

/* ---- Walks: element offsets in up to three tensors for successive positions of a shape. ------------ */

enum { WNN_REF_WALK_TENSORS = 3 };

typedef struct wnn_ref_walk {
  uint32_t rank, tensors;
  uint32_t shape[WNN_MAX_RANK];
  size_t strides[WNN_REF_WALK_TENSORS][WNN_MAX_RANK];
  size_t position[WNN_MAX_RANK];
  size_t offset[WNN_REF_WALK_TENSORS]; /* read these */
} wnn_ref_walk;

/* A walk over `target` in row-major order from linear index `begin` on, with no tensors yet. */
static inline void wnn_ref_walk_init(wnn_ref_walk *walk, const wnn_desc *target, size_t begin) {
  walk->rank = target->rank;
  walk->tensors = 0;
  for (uint32_t i = 0; i < target->rank; i++) walk->shape[i] = target->shape[i];
  wnn_shape_unravel(target, begin, walk->position);
}

/* Adds a tensor by its element stride for each dimension of the target. */
static inline void wnn_ref_walk_add(wnn_ref_walk *walk, const size_t strides[WNN_MAX_RANK]) {
  uint32_t t = walk->tensors++;
  walk->offset[t] = 0;
  for (uint32_t i = 0; i < walk->rank; i++) {
    walk->strides[t][i] = strides[i];
    walk->offset[t] += walk->position[i] * strides[i];
  }
}

/* Adds a tensor that broadcasts to the target. */
static inline void wnn_ref_walk_add_broadcast(wnn_ref_walk *walk, const wnn_desc *desc, const wnn_desc *target) {
  size_t strides[WNN_MAX_RANK];
  wnn_shape_broadcast_strides(desc, target, strides);
  wnn_ref_walk_add(walk, strides);
}

/* To the next position; past the last one it starts over. */
static inline void wnn_ref_walk_next(wnn_ref_walk *walk) {
  for (uint32_t i = walk->rank; i-- > 0;) {
    if (++walk->position[i] < walk->shape[i]) {
      for (uint32_t t = 0; t < walk->tensors; t++) walk->offset[t] += walk->strides[t][i];
      return;
    }
    walk->position[i] = 0;
    for (uint32_t t = 0; t < walk->tensors; t++) walk->offset[t] -= walk->strides[t][i] * (walk->shape[i] - 1);
  }
}

/* Dimensions before, of and after an axis multiplied out: index = (outer * extent + k) * inner + i. */
typedef struct wnn_ref_axis {
  size_t outer, extent, inner;
} wnn_ref_axis;

static inline wnn_ref_axis wnn_ref_split_axis(const wnn_desc *desc, uint32_t axis) {
  wnn_ref_axis parts = {wnn_shape_product(desc, 0, axis), desc->shape[axis],
                        wnn_shape_product(desc, axis + 1, desc->rank)};
  return parts;
}

#endif
