/* Data types: sizes, float16, exact conversion of numbers. */
#ifndef WNN_BASE_DTYPE_H
#define WNN_BASE_DTYPE_H

#include <string.h>
#include <webnn/webnn.h>

/* A float at any address: weights in files. */
typedef float wnn_loose __attribute__((aligned(1)));

enum { WNN_TYPES_ANY = 0xFF };

static inline bool wnn_is_float(wnn_data_type type) { return type == WNN_FLOAT32 || type == WNN_FLOAT16; }
static inline bool wnn_is_signed(wnn_data_type type) {
  return type != WNN_UINT32 && type != WNN_UINT64 && type != WNN_UINT8;
}

/* IEEE binary16 <-> binary32; to float16 rounds to nearest even, keeps NaN quiet with its top payload bits. */
static inline float wnn_f16_to_f32(uint16_t h) {
  uint32_t sign = (uint32_t)(h & 0x8000) << 16, exponent = (h >> 10) & 31, fraction = h & 1023, bits;
  if (exponent == 31) {
    bits = sign | 0x7F800000u | fraction << 13;
  } else if (exponent) {
    bits = sign | (exponent + 112) << 23 | fraction << 13;
  } else {
    float value = (float)fraction * 0x1p-24f;
    memcpy(&bits, &value, 4);
    bits |= sign;
  }
  float out;
  memcpy(&out, &bits, 4);
  return out;
}

static inline uint16_t wnn_f32_to_f16(float value) {
  uint32_t bits;
  memcpy(&bits, &value, 4);
  uint16_t sign = (uint16_t)(bits >> 16 & 0x8000);
  bits &= 0x7FFFFFFFu;
  if (bits > 0x7F800000u) return (uint16_t)(sign | 0x7E00 | (bits >> 13 & 0x3FF));
  if (bits >= 0x477FF000u) return (uint16_t)(sign | 0x7C00); /* 65520 and up, infinity */
  if (bits < 0x38800000u) { /* below the least normal: adding 0.5 puts the rounding at the right bit */
    float magnitude;
    memcpy(&magnitude, &bits, 4);
    magnitude += 0.5f;
    memcpy(&bits, &magnitude, 4);
    return (uint16_t)(sign | (bits - 0x3F000000u));
  }
  bits += 0xFFF + (bits >> 13 & 1);
  return (uint16_t)(sign | ((bits - 0x38000000u) >> 13));
}

/* Rounds a double to float16 once (not through float32). */
uint16_t wnn_f64_to_f16(double value);

#endif
