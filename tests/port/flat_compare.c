/* Comparison of results with expected values. */
#include "flat.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double half(uint16_t bits) {
  const int exponent = bits >> 10 & 31, fraction = bits & 1023;
  const double magnitude = exponent == 31 ? (fraction ? NAN : INFINITY)
                           : exponent     ? ldexp(1024 + fraction, exponent - 25)
                                          : ldexp(fraction, -24);
  return bits & 0x8000 ? -magnitude : magnitude;
}

/* An element as a number, and as an integer whose differences are units in the last place. */
static double load(wnn_data_type type, const void *bytes, size_t i, int64_t *ordered) {
  const size_t size = wnn_data_type_size(type);
  uint64_t bits = 0;
  float single;
  memcpy(&bits, (const unsigned char *)bytes + i * size, size);
  switch (type) {
  case WNN_FLOAT32:
    memcpy(&single, &bits, sizeof single);
    *ordered = bits >> 31 ? -(int64_t)(bits & 0x7FFFFFFF) : (int64_t)bits;
    return (double)single;
  case WNN_FLOAT16: *ordered = bits >> 15 ? -(int64_t)(bits & 0x7FFF) : (int64_t)bits; return half((uint16_t)bits);
  case WNN_INT32: *ordered = (int32_t)bits; break;
  case WNN_INT8: *ordered = (int8_t)bits; break;
  case WNN_UINT64: memcpy(ordered, &bits, sizeof bits); return (double)bits;
  default: memcpy(ordered, &bits, sizeof bits); break;
  }
  return (double)*ordered;
}

static double distance(wnn_data_type type, double e, int64_t eo, double a, int64_t ao) {
  if (type == WNN_FLOAT32 || type == WNN_FLOAT16) {
    if (isnan(e) || isnan(a)) return isnan(e) && isnan(a) ? 0 : INFINITY;
    if (e == a) return 0;
    if (type == WNN_FLOAT16 && !signbit(e) != !signbit(a)) return INFINITY;
  }
  const bool above = type == WNN_UINT64 ? (uint64_t)eo > (uint64_t)ao : eo > ao;
  return (double)(above ? (uint64_t)eo - (uint64_t)ao : (uint64_t)ao - (uint64_t)eo);
}

bool flat_compare(const flat_tensor *expected, const void *actual, bool absolute, double allowed, char *why,
                  size_t room) {
  const wnn_data_type type = expected->desc.data_type;
  const size_t count = (size_t)wnn_desc_elements(&expected->desc);
  for (size_t i = 0; i < count; i++) {
    int64_t eo, ao;
    const double e = load(type, expected->data, expected->filled ? 0 : i, &eo), a = load(type, actual, i, &ao);
    double off = distance(type, e, eo, a, ao);
    if (absolute && off != 0) off = fabs(a - (expected->wide ? expected->wide[i] : e));
    if (off <= allowed) continue; /* NaN fails */
    snprintf(why, room, "element %zu is %.9g, expected %.9g: off by %g, allowed %g", i, a, e, off, allowed);
    return false;
  }
  return true;
}
