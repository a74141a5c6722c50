/* Tensors of test vectors: reading, encoding, comparing. The encoding is independent of the library's. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/vectors.h"

/* A number of the vectors: JSON numbers, and strings for special values and integers beyond 2^53. */
typedef struct number {
  double value;
  uint64_t bits; /* two's complement, for integers */
} number;

static bool number_parse(json_object *json, number *out) {
  switch (json_object_get_type(json)) {
  case json_type_int: {
    /* json-c keeps what exceeds int64 as uint64. */
    int64_t i = json_object_get_int64(json);
    uint64_t u = json_object_get_uint64(json);
    bool large = i == INT64_MAX && u > (uint64_t)INT64_MAX;
    *out = (number){large ? (double)u : (double)i, large ? u : (uint64_t)i};
    return true;
  }
  case json_type_double: {
    double d = json_object_get_double(json);
    *out = (number){d, d >= -0x1p63 && d < 0x1p63 ? (uint64_t)(int64_t)d : 0};
    return true;
  }
  case json_type_string: {
    const char *text = json_object_get_string(json);
    char *end;
    if (!strcmp(text, "NaN"))
      *out = (number){NAN, 0};
    else if (!strcmp(text, "Infinity"))
      *out = (number){INFINITY, 0};
    else if (!strcmp(text, "-Infinity"))
      *out = (number){-INFINITY, 0};
    else if (!strcmp(text, "-0"))
      *out = (number){-0.0, 0};
    else {
      out->value = strtod(text, &end);
      if (*end || end == text) return false;
      out->bits = text[0] == '-' ? (uint64_t)strtoll(text, NULL, 10) : strtoull(text, NULL, 10);
    }
    return true;
  }
  default: return false;
  }
}

/* binary16 with one rounding, for any double. */
static uint16_t to_float16(double value) {
  uint16_t sign = signbit(value) ? 0x8000 : 0;
  double magnitude = fabs(value);
  if (isnan(value)) return 0x7E00;
  if (magnitude < 0x1p-14) return (uint16_t)(sign | (uint16_t)nearbyint(magnitude * 0x1p24));
  int exponent;
  if (isinf(magnitude)) return (uint16_t)(sign | 0x7C00);
  double fraction = nearbyint(frexp(magnitude, &exponent) * 2048); /* 1024 .. 2048 */
  if (fraction == 2048) {
    fraction = 1024;
    exponent++;
  }
  if (exponent > 16) return (uint16_t)(sign | 0x7C00);
  return (uint16_t)(sign | (exponent + 14) << 10 | ((int)fraction - 1024));
}

static double from_float16(uint16_t bits) {
  int exponent = bits >> 10 & 31, fraction = bits & 1023;
  double magnitude = exponent == 31 ? (fraction ? NAN : INFINITY)
                     : exponent     ? ldexp(1024 + fraction, exponent - 25)
                                    : ldexp(fraction, -24);
  return bits & 0x8000 ? -magnitude : magnitude;
}

static void store(number n, wnn_data_type type, void *bytes, size_t i) {
  switch (type) {
  case WNN_FLOAT32: ((float *)bytes)[i] = (float)n.value; break;
  case WNN_FLOAT16: ((uint16_t *)bytes)[i] = to_float16(n.value); break;
  case WNN_INT64:
  case WNN_UINT64: ((uint64_t *)bytes)[i] = n.bits; break;
  case WNN_INT32:
  case WNN_UINT32: ((uint32_t *)bytes)[i] = (uint32_t)n.bits; break;
  default: ((uint8_t *)bytes)[i] = (uint8_t)n.bits; break;
  }
}

static bool parse_desc(json_object *json, bool widen, wnn_desc *desc, char why[WHY]) {
  const char *type = json_object_get_string(json_object_object_get(json, "dataType"));
  json_object *shape = json_object_object_get(json, "shape");
  if (!type || !json_object_is_type(shape, json_type_array)) {
    snprintf(why, WHY, "a tensor needs dataType and shape");
    return false;
  }
  if (widen && !strcmp(type, "int4")) type = "int8";
  if (widen && !strcmp(type, "uint4")) type = "uint8";
  desc->data_type = (wnn_data_type)WNN_DATA_TYPE_COUNT;
  for (int t = 0; t < WNN_DATA_TYPE_COUNT; t++)
    if (!strcmp(type, wnn_data_type_name((wnn_data_type)t))) desc->data_type = (wnn_data_type)t;
  desc->rank = (uint32_t)json_object_array_length(shape);
  if (desc->data_type == (wnn_data_type)WNN_DATA_TYPE_COUNT || desc->rank > WNN_MAX_RANK) {
    snprintf(why, WHY, "data type %s or rank %" PRIu32 " is unknown to the runner", type, desc->rank);
    return false;
  }
  for (uint32_t i = 0; i < desc->rank; i++)
    desc->shape[i] = (uint32_t)json_object_get_int64(json_object_array_get_idx(shape, i));
  return true;
}

bool tensor_parse(json_object *json, bool widen, tensor *out, char why[WHY]) {
  memset(out, 0, sizeof *out);
  if (!parse_desc(json, widen, &out->desc, why)) return false;
  out->constant = json_object_get_boolean(json_object_object_get(json, "constant"));
  json_object *data = json_object_object_get(json, "data"), *fill = json_object_object_get(json, "fill");
  out->count = (size_t)wnn_desc_elements(&out->desc);
  out->size = (size_t)wnn_desc_bytes(&out->desc);
  if (!data && !fill) return true;
  if (!out->count || (data && json_object_array_length(data) != out->count)) {
    snprintf(why, WHY, "the data does not fit the shape");
    return false;
  }
  out->bytes = malloc(out->size);
  out->wide = data ? malloc(out->count * sizeof(double)) : NULL;
  number n = {0, 0};
  bool good = out->bytes && (!data || out->wide) && (data || number_parse(fill, &n));
  for (size_t i = 0; good && i < (data ? out->count : 1); i++) {
    if (data) {
      good = number_parse(json_object_array_get_idx(data, i), &n);
      out->wide[i] = n.value;
    }
    store(n, out->desc.data_type, out->bytes, i);
  }
  if (good && fill) { /* doubles what is filled */
    unsigned char *bytes = out->bytes;
    for (size_t done = out->size / out->count; done < out->size; done *= 2)
      memcpy(bytes + done, bytes, done < out->size - done ? done : out->size - done);
  }
  if (!good) {
    snprintf(why, WHY, "a value cannot be read");
    tensor_free(out);
  }
  return good;
}

void tensor_free(tensor *t) {
  free(t->bytes);
  free(t->wide);
  t->bytes = t->wide = NULL;
}

static double element(wnn_data_type type, const void *bytes, size_t i) {
  switch (type) {
  case WNN_FLOAT32: return (double)((const float *)bytes)[i];
  case WNN_FLOAT16: return from_float16(((const uint16_t *)bytes)[i]);
  case WNN_INT32: return ((const int32_t *)bytes)[i];
  case WNN_UINT32: return ((const uint32_t *)bytes)[i];
  case WNN_INT64: return (double)((const int64_t *)bytes)[i];
  case WNN_UINT64: return (double)((const uint64_t *)bytes)[i];
  case WNN_INT8: return ((const int8_t *)bytes)[i];
  default: return ((const uint8_t *)bytes)[i];
  }
}

static void print_element(wnn_data_type type, const void *bytes, size_t i, char text[40]) {
  if (type == WNN_INT64)
    snprintf(text, 40, "%" PRId64, ((const int64_t *)bytes)[i]);
  else if (type == WNN_UINT64)
    snprintf(text, 40, "%" PRIu64, ((const uint64_t *)bytes)[i]);
  else
    snprintf(text, 40, "%.9g", element(type, bytes, i));
}

static uint64_t difference(int64_t a, int64_t b) {
  return a > b ? (uint64_t)a - (uint64_t)b : (uint64_t)b - (uint64_t)a;
}

/* Patterns as sign-magnitude integers. */
static int64_t ordered32(uint32_t bits) { return bits >> 31 ? -(int64_t)(bits & 0x7FFFFFFF) : (int64_t)bits; }
static int64_t ordered16(uint16_t bits) { return bits >> 15 ? -(int64_t)(bits & 0x7FFF) : (int64_t)bits; }

/* Distance in units in the last place; UINT64_MAX when the two never match. */
static uint64_t ulp_distance(wnn_data_type type, const void *expected, const void *actual, size_t i) {
  double e = element(type, expected, i), a = element(type, actual, i);
  switch (type) {
  case WNN_FLOAT32:
  case WNN_FLOAT16:
    if (isnan(e) || isnan(a)) return isnan(e) && isnan(a) ? 0 : UINT64_MAX;
    if (e == a) return 0;
    if (type == WNN_FLOAT32)
      return difference(ordered32(((const uint32_t *)expected)[i]), ordered32(((const uint32_t *)actual)[i]));
    if (signbit(e) != signbit(a)) return UINT64_MAX;
    return difference(ordered16(((const uint16_t *)expected)[i]), ordered16(((const uint16_t *)actual)[i]));
  case WNN_UINT64: {
    uint64_t x = ((const uint64_t *)expected)[i], y = ((const uint64_t *)actual)[i];
    return x > y ? x - y : y - x;
  }
  case WNN_INT64: return difference(((const int64_t *)expected)[i], ((const int64_t *)actual)[i]);
  default: return difference((int64_t)e, (int64_t)a);
  }
}

/* Whether an element passes, and its distance in the metric. */
static bool passes(const tensor *expected, const void *actual, size_t i, tolerance allowed, double *distance) {
  wnn_data_type type = expected->desc.data_type;
  uint64_t ulps = ulp_distance(type, expected->bytes, actual, i);
  *distance = ulps == UINT64_MAX ? INFINITY : (double)ulps;
  if (allowed.metric == METRIC_ULP) return ulps == 0 || *distance <= allowed.value;
  if (ulps == 0) return true;
  double want = expected->wide ? expected->wide[i] : element(type, expected->bytes, i), got = element(type, actual, i);
  *distance = fabs(got - want); /* NaN for equal infinities, which passed above, and for NaN, which fails */
  double bound = allowed.metric == METRIC_ABSOLUTE ? allowed.value
                 : isinf(want)                     ? 0
                                                   : allowed.value * fabs(want) + allowed.absolute;
  return *distance <= bound;
}

bool tensor_compare(const tensor *expected, const void *actual, tolerance allowed, char why[WHY]) {
  size_t wrong = 0, used = 0;
  if (!memcmp(expected->bytes, actual, expected->size)) return true;
  for (size_t i = 0; i < expected->count; i++) {
    double distance;
    if (passes(expected, actual, i, allowed, &distance)) continue;
    if (wrong++ < 3) {
      char got[40], want[40];
      print_element(expected->desc.data_type, actual, i, got);
      print_element(expected->desc.data_type, expected->bytes, i, want);
      used += (size_t)snprintf(why + used, WHY - used, "%s[%zu] got %s, expected %s, distance %g (allowed %g)",
                               used ? "; " : "", i, got, want, distance, allowed.value);
    }
  }
  if (wrong) snprintf(why + used, WHY - used, "; %zu of %zu elements", wrong, expected->count);
  return wrong == 0;
}
