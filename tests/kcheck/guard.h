/* Buffers between forbidden pages, and numbers that kernels find hard. */
#ifndef WEBNN_TESTS_KCHECK_GUARD_H
#define WEBNN_TESTS_KCHECK_GUARD_H

#include <math.h>
#include <sys/mman.h>
#include <unistd.h>

#include "support/test.h"

/* Memory that ends where a forbidden page begins, so that reading or writing past the end stops the program; before
 * it lie bytes of a pattern. */
typedef struct guarded {
  char *map;
  size_t map_size, before, size;
  char *data;
} guarded;
enum { GUARD_BYTE = 0x5A };

static TEST_UNUSED guarded guard_alloc(size_t size) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE), used = (size + 256 + page - 1) / page * page;
  guarded g = {.map_size = used + page, .size = size};
  g.map = mmap(NULL, g.map_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (g.map == MAP_FAILED || mprotect(g.map + used, page, PROT_NONE)) {
    perror("mmap");
    exit(1);
  }
  g.before = used - size;
  memset(g.map, GUARD_BYTE, used);
  g.data = g.map + g.before;
  return g;
}

/* Whether the bytes before the data are as they were. */
static TEST_UNUSED bool guard_intact(const guarded *g) {
  for (size_t i = 0; i < g->before; i++)
    if (g->map[i] != GUARD_BYTE) return false;
  return true;
}

static TEST_UNUSED void guard_free(guarded *g) { munmap(g->map, g->map_size); }

/* What a buffer is filled with. Small whole numbers make sums exact in any order. */
typedef enum filling { WHOLE, LARGE, SPECIAL, FILLINGS } filling;

static TEST_UNUSED float guard_number(uint64_t *seed, filling kind) {
  static const float special[] = {NAN,     INFINITY, -INFINITY, 0.0f,      -0.0f,      1e-40f,
                                  -1e-45f, 1.0f,     -1.0f,     3.402e38f, -3.402e38f, 1.1754944e-38f};
  uint64_t random = test_random(seed);
  if (kind == WHOLE) return (float)(random >> 32 & 15) - 8;
  if (kind == LARGE) return (float)test_uniform(seed, -1, 1) * 1e15f;
  return random % 8 ? (float)(random >> 32 & 7) - 4
                    : special[random >> 40 & 7 ? random >> 43 & 7 : (random >> 50) % 12];
}

static TEST_UNUSED guarded guard_floats(size_t count, uint64_t *seed, filling kind) {
  guarded g = guard_alloc(count * sizeof(float));
  for (size_t i = 0; i < count; i++) {
    float value = guard_number(seed, kind);
    memcpy(g.data + i * sizeof value, &value, sizeof value);
  }
  return g;
}

static TEST_UNUSED const float *guard_read(const guarded *g) { return (const float *)(const void *)g->data; }
static TEST_UNUSED float *guard_write(guarded *g) { return (float *)(void *)g->data; }

/* The same number, or near enough: `bound` is the sum of the magnitudes that went into it. */
static TEST_UNUSED bool guard_same(float actual, double expected, double bound, double tolerance) {
  if (isnan(expected) || isnan(actual)) return isnan(expected) && isnan(actual);
  if ((double)actual == expected || (double)actual == (double)(float)expected) return true;
  return isfinite(actual) && fabs((double)actual - expected) <= tolerance * bound;
}

#endif
