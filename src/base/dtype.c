/* Data types: names, sizes, exact conversion of numbers. */
#include "base/dtype.h"

#include <math.h>

const char *wnn_data_type_name(wnn_data_type type) {
  switch (type) {
#define X(constant, value, name, bytes)                                                                                \
  case constant: return name;
    WNN_DATA_TYPE_LIST(X)
#undef X
  }
  return "?";
}

size_t wnn_data_type_size(wnn_data_type type) {
  switch (type) {
#define X(constant, value, name, bytes)                                                                                \
  case constant: return bytes;
    WNN_DATA_TYPE_LIST(X)
#undef X
  }
  return 0;
}

uint16_t wnn_f64_to_f16(double value) {
  if (isnan(value)) return wnn_f32_to_f16((float)value);
  float f = (float)value;
  /* Round to odd on the way to float32, which has more than twice float16's precision: the second
   * rounding then sees whether anything was cut off. */
  if (!isinf(f) && (double)f != value) {
    uint32_t bits;
    memcpy(&bits, &f, 4);
    if (fabs((double)f) > fabs(value)) bits--;
    bits |= 1;
    memcpy(&f, &bits, 4);
  }
  return wnn_f32_to_f16(f);
}

wnn_number wnn_number_double(double value) { return (wnn_number){WNN_NUMBER_DOUBLE, {.f64 = value}}; }
wnn_number wnn_number_int64(int64_t value) { return (wnn_number){WNN_NUMBER_INT64, {.i64 = value}}; }
wnn_number wnn_number_uint64(uint64_t value) { return (wnn_number){WNN_NUMBER_UINT64, {.u64 = value}}; }

/* Rounds an integer given as sign and magnitude to float16 through an exact sticky reduction. */
static uint16_t integer_to_f16(bool negative, uint64_t magnitude) {
  double value = magnitude >= UINT64_C(1) << 53 ? INFINITY : (double)magnitude;
  return wnn_f64_to_f16(negative ? -value : value);
}

static int64_t clamp_double(double value, double low, double high, int64_t low_int, int64_t high_int) {
  if (isnan(value)) return 0;
  if (value <= low) return low_int;
  if (value >= high) return high_int;
  return (int64_t)nearbyint(value);
}

static int64_t clamp_int(int64_t value, int64_t low, int64_t high) {
  return value < low ? low : value > high ? high : value;
}

/* To a signed range [low, high] that fits int64. */
static int64_t number_to_range(wnn_number number, int64_t low, int64_t high) {
  switch (number.kind) {
  case WNN_NUMBER_INT64: return clamp_int(number.value.i64, low, high);
  case WNN_NUMBER_UINT64:
    return number.value.u64 > (uint64_t)high ? high : clamp_int((int64_t)number.value.u64, low, high);
  default: return clamp_double(number.value.f64, (double)low, (double)high, low, high);
  }
}

static uint64_t number_to_u64(wnn_number number) {
  if (number.kind == WNN_NUMBER_UINT64) return number.value.u64;
  if (number.kind == WNN_NUMBER_INT64) return number.value.i64 < 0 ? 0 : (uint64_t)number.value.i64;
  double value = number.value.f64;
  if (isnan(value) || value <= 0) return 0;
  return value >= 0x1p64 ? UINT64_MAX : (uint64_t)nearbyint(value);
}

void wnn_number_store(wnn_number number, wnn_data_type type, void *element) {
  if (number.kind == WNN_NUMBER_ABSENT) number = wnn_number_double(0);
  switch (type) {
  case WNN_FLOAT32: {
    float f = number.kind == WNN_NUMBER_INT64    ? (float)number.value.i64
              : number.kind == WNN_NUMBER_UINT64 ? (float)number.value.u64
                                                 : (float)number.value.f64;
    memcpy(element, &f, 4);
    break;
  }
  case WNN_FLOAT16: {
    uint16_t h;
    if (number.kind == WNN_NUMBER_INT64) {
      int64_t v = number.value.i64;
      h = integer_to_f16(v < 0, v < 0 ? 0 - (uint64_t)v : (uint64_t)v);
    } else if (number.kind == WNN_NUMBER_UINT64) {
      h = integer_to_f16(false, number.value.u64);
    } else {
      h = wnn_f64_to_f16(number.value.f64);
    }
    memcpy(element, &h, 2);
    break;
  }
  case WNN_INT32: {
    int32_t v = (int32_t)number_to_range(number, INT32_MIN, INT32_MAX);
    memcpy(element, &v, 4);
    break;
  }
  case WNN_UINT32: {
    uint32_t v = (uint32_t)number_to_range(number, 0, UINT32_MAX);
    memcpy(element, &v, 4);
    break;
  }
  case WNN_INT64: {
    int64_t v = number_to_range(number, INT64_MIN, INT64_MAX);
    memcpy(element, &v, 8);
    break;
  }
  case WNN_UINT64: {
    uint64_t v = number_to_u64(number);
    memcpy(element, &v, 8);
    break;
  }
  case WNN_INT8: *(int8_t *)element = (int8_t)number_to_range(number, INT8_MIN, INT8_MAX); break;
  case WNN_UINT8: *(uint8_t *)element = (uint8_t)number_to_range(number, 0, UINT8_MAX); break;
  }
}
