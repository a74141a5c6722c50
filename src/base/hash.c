/* A hash of 64 bits: four lanes of multiplications, as fast as memory is read. */
#include <string.h>
#include <webnn/webnn.h>

static uint64_t mix(uint64_t h, uint64_t word) {
  h = (h ^ word) * UINT64_C(0x9E3779B97F4A7C15);
  return h ^ h >> 32;
}

uint64_t wnn_hash(const void *data, size_t size, uint64_t seed) {
  enum { LANES = 4, STRIDE = LANES * sizeof(uint64_t) };
  const unsigned char *at = data;
  uint64_t lanes[LANES], words[LANES];
  for (unsigned i = 0; i < LANES; i++) lanes[i] = mix(seed, i + 1);
  size_t left = size;
  for (; left >= STRIDE; left -= STRIDE, at += STRIDE) {
    memcpy(words, at, STRIDE);
    for (unsigned i = 0; i < LANES; i++) lanes[i] = mix(lanes[i], words[i]);
  }
  memset(words, 0, sizeof words);
  if (left) memcpy(words, at, left);
  uint64_t h = mix(seed, size);
  for (unsigned i = 0; i < LANES; i++) h = mix(h, mix(lanes[i], words[i]));
  return mix(h, h >> 29);
}
