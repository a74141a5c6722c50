/* A hash of 64 bits: four lanes of multiplications side by side, which take six cycles for 32 bytes. */
#include <string.h>
#include <webnn/webnn.h>

static uint64_t mix(uint64_t h, uint64_t word) {
  h = (h ^ word) * UINT64_C(0x9E3779B97F4A7C15);
  return h ^ h >> 32;
}

static uint64_t word_at(const unsigned char *at) {
  uint64_t word;
  memcpy(&word, at, sizeof word);
  return word;
}

/* Lanes are variables and no array: compilers make vectors of an array, and vectors without a multiplication of 64 bits
 * are four times as slow. */
uint64_t wnn_hash(const void *data, size_t size, uint64_t seed) {
  enum { WORD = sizeof(uint64_t), STRIDE = 4 * WORD };
  const unsigned char *at = data;
  uint64_t a = mix(seed, 1), b = mix(seed, 2), c = mix(seed, 3), d = mix(seed, 4);
  size_t left = size;
  for (; left >= STRIDE; left -= STRIDE, at += STRIDE) {
    a = mix(a, word_at(at));
    b = mix(b, word_at(at + WORD));
    c = mix(c, word_at(at + 2 * WORD));
    d = mix(d, word_at(at + 3 * WORD));
  }
  unsigned char rest[STRIDE] = {0};
  if (left) memcpy(rest, at, left);
  uint64_t h = mix(seed, size);
  h = mix(h, mix(a, word_at(rest)));
  h = mix(h, mix(b, word_at(rest + WORD)));
  h = mix(h, mix(c, word_at(rest + 2 * WORD)));
  h = mix(h, mix(d, word_at(rest + 3 * WORD)));
  return mix(h, h >> 29);
}
