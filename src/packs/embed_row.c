/* One row of EmbedLayerNormalization in plain C over a vector width; built for each instruction set. */
#include "packs/embed_row.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/dtype.h"

#if defined(WNN_ISA_AVX512)
enum { W = 16 };
#include <immintrin.h>
#elif defined(WNN_ISA_AVX2)
enum { W = 8 };
#include <immintrin.h>
#else
enum { W = 4 };
#endif

#define JOIN2(a, b) a##b
#define JOIN(a, b) JOIN2(a, b)
#define NAME(base) JOIN(base, WNN_ISA)

typedef float vector __attribute__((vector_size(W * sizeof(float))));

static inline vector load(const float *from) {
  vector v;
  memcpy(&v, from, sizeof v);
  return v;
}
static inline void store(float *to, vector v) { memcpy(to, &v, sizeof v); }
static inline float total(vector v) {
  float sum = 0;
  for (int i = 0; i < W; i++) sum += v[i];
  return sum;
}

/* Starts the next row on its way while this one is worked on. */
static inline void fetch_ahead(const void *next, size_t bytes) {
  if (!next) return;
  if (bytes > 1024) bytes = 1024; /* from there on the processor follows by itself */
  for (size_t i = 0; i < bytes; i += 64) __builtin_prefetch((const char *)next + i);
}

static float mean_square(const float *x, size_t n, float mean) {
  vector a = {0}, b = {0}, means = mean - (vector){0};
  size_t i = 0;
  for (; i + 2 * W <= n; i += 2 * W) {
    vector p = load(x + i) - means, q = load(x + i + W) - means;
    a += p * p;
    b += q * q;
  }
  float sum = total(a + b);
  for (; i < n; i++) sum += (x[i] - mean) * (x[i] - mean);
  return sum / (float)n;
}

static inline float reciprocal_deviation(float variance, float epsilon) { return 1.0f / sqrtf(variance + epsilon); }

void NAME(pk_embed_row_f32_)(const pk_embed_row *row) {
  const float *word = row->word, *position = row->position, *segment = row->segment, *gamma = row->gamma,
              *beta = row->beta;
  float *output = row->output, *x = row->sum ? row->sum : output;
  size_t n = row->size, i = 0;
  fetch_ahead(row->next_word, n * sizeof(float));
  vector a = {0}, b = {0};
  if (segment) {
    for (; i + 2 * W <= n; i += 2 * W) {
      vector p = load(word + i) + load(position + i) + load(segment + i);
      vector q = load(word + i + W) + load(position + i + W) + load(segment + i + W);
      store(x + i, p);
      store(x + i + W, q);
      a += p;
      b += q;
    }
  } else {
    for (; i + 2 * W <= n; i += 2 * W) {
      vector p = load(word + i) + load(position + i), q = load(word + i + W) + load(position + i + W);
      store(x + i, p);
      store(x + i + W, q);
      a += p;
      b += q;
    }
  }
  float sum = total(a + b);
  for (; i < n; i++) {
    x[i] = word[i] + position[i];
    if (segment) x[i] += segment[i];
    sum += x[i];
  }
  float mean = sum / (float)n, scale = reciprocal_deviation(mean_square(x, n, mean), row->epsilon);
  vector means = mean - (vector){0}, scales = scale - (vector){0};
  for (i = 0; i + W <= n; i += W) store(output + i, (load(x + i) - means) * scales * load(gamma + i) + load(beta + i));
  for (; i < n; i++) output[i] = (x[i] - mean) * scale * gamma[i] + beta[i];
}

/* ---- float16 ------------------------------------------------------------------------------------------------- */

#if defined(WNN_ISA_AVX512)
static inline vector load_half(const uint16_t *from) {
  __m256i bits;
  memcpy(&bits, from, sizeof bits);
  __m512 wide = _mm512_cvtph_ps(bits);
  vector v;
  memcpy(&v, &wide, sizeof v);
  return v;
}
static inline void store_half(uint16_t *to, vector v) {
  __m512 wide;
  memcpy(&wide, &v, sizeof v);
  __m256i bits = _mm512_cvtps_ph(wide, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
  memcpy(to, &bits, sizeof bits);
}
#elif defined(WNN_ISA_AVX2)
static inline vector load_half(const uint16_t *from) {
  __m128i bits;
  memcpy(&bits, from, sizeof bits);
  __m256 wide = _mm256_cvtph_ps(bits);
  vector v;
  memcpy(&v, &wide, sizeof v);
  return v;
}
static inline void store_half(uint16_t *to, vector v) {
  __m256 wide;
  memcpy(&wide, &v, sizeof v);
  __m128i bits = _mm256_cvtps_ph(wide, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
  memcpy(to, &bits, sizeof bits);
}
#else
static inline vector load_half(const uint16_t *from) {
  vector v;
  for (int i = 0; i < W; i++) v[i] = wnn_f16_to_f32(from[i]);
  return v;
}
static inline void store_half(uint16_t *to, vector v) {
  for (int i = 0; i < W; i++) to[i] = wnn_f32_to_f16(v[i]);
}
#endif

static inline vector rounded(vector v) {
  uint16_t bits[W];
  store_half(bits, v);
  return load_half(bits);
}
static inline float rounded_one(float v) { return wnn_f16_to_f32(wnn_f32_to_f16(v)); }

void NAME(pk_embed_row_f16_)(const pk_embed_row *row) {
  const uint16_t *word = row->word, *position = row->position, *segment = row->segment, *gamma = row->gamma,
                 *beta = row->beta;
  uint16_t *output = row->output, *kept = row->sum;
  float *x = row->scratch;
  size_t n = row->size, i = 0;
  fetch_ahead(row->next_word, n * sizeof *word);
  vector a = {0};
  for (; i + W <= n; i += W) {
    vector v = load_half(word + i);
    if (segment) v = rounded(v + load_half(segment + i));
    v = rounded(v + load_half(position + i));
    if (kept) store_half(kept + i, v);
    store(x + i, v);
    a += v;
  }
  float sum = total(a);
  for (; i < n; i++) {
    float v = wnn_f16_to_f32(word[i]);
    if (segment) v = rounded_one(v + wnn_f16_to_f32(segment[i]));
    v = rounded_one(v + wnn_f16_to_f32(position[i]));
    if (kept) kept[i] = wnn_f32_to_f16(v);
    x[i] = v;
    sum += v;
  }
  float mean = sum / (float)n, scale = reciprocal_deviation(mean_square(x, n, mean), row->epsilon);
  vector means = mean - (vector){0}, scales = scale - (vector){0};
  for (i = 0; i + W <= n; i += W)
    store_half(output + i, (load(x + i) - means) * scales * load_half(gamma + i) + load_half(beta + i));
  for (; i < n; i++)
    output[i] = wnn_f32_to_f16((x[i] - mean) * scale * wnn_f16_to_f32(gamma[i]) + wnn_f16_to_f32(beta[i]));
}
