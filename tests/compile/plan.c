/* The memory plan: buffers that live together never overlap, and little memory is wasted. */
#include "base/alloc.h"
#include "compile/compile.h"
#include "support/test.h"

static void check_plan(const wnn_plan_buffer *buffers, size_t count, size_t end) {
  size_t peak = 0, steps = 0;
  for (size_t i = 0; i < count; i++) {
    CHECK_EQ(buffers[i].offset % WNN_ALIGN, 0);
    CHECK(buffers[i].offset + buffers[i].bytes <= end);
    if (buffers[i].last + 1 > steps) steps = buffers[i].last + 1;
  }
  for (size_t i = 0; i < count; i++)
    for (size_t j = 0; j < i; j++) {
      const wnn_plan_buffer *a = &buffers[i], *b = &buffers[j];
      bool together = a->first <= b->last && b->first <= a->last;
      bool apart = a->offset + a->bytes <= b->offset || b->offset + b->bytes <= a->offset;
      CHECK_MSG(!together || apart, "buffers %zu and %zu overlap", i, j);
    }
  for (size_t s = 0; s < steps; s++) {
    size_t live = 0;
    for (size_t i = 0; i < count; i++)
      if (buffers[i].first <= s && s <= buffers[i].last)
        live += (buffers[i].bytes + WNN_ALIGN - 1) / WNN_ALIGN * WNN_ALIGN;
    if (live > peak) peak = live;
  }
  CHECK_MSG(end >= peak && end <= peak * 2, "the arena has %zu bytes for a peak of %zu", end, peak);
}

static void random_plans(void) {
  uint64_t seed = 20260629;
  printf("seed %llu\n", (unsigned long long)seed);
  static wnn_plan_buffer buffers[300];
  for (int round = 0; round < 200; round++) {
    size_t count = 1 + test_random(&seed) % 300;
    for (size_t i = 0; i < count; i++) {
      uint32_t first = (uint32_t)(test_random(&seed) % 500), length = (uint32_t)(test_random(&seed) % 40);
      buffers[i] = (wnn_plan_buffer){.bytes = 1 + test_random(&seed) % 5000, .first = first, .last = first + length};
    }
    check_plan(buffers, count, wnn_plan_memory(&wnn_default_allocator, buffers, count));
  }
}

/* Above the limit of the quadratic order: a long chain must reuse two places. */
static void long_chain(void) {
  enum { COUNT = 20000 };
  wnn_plan_buffer *buffers = calloc(COUNT, sizeof *buffers);
  REQUIRE(buffers);
  for (uint32_t i = 0; i < COUNT; i++) buffers[i] = (wnn_plan_buffer){.bytes = 1000, .first = i, .last = i + 1};
  size_t end = wnn_plan_memory(&wnn_default_allocator, buffers, COUNT);
  CHECK_EQ(end, 2048);
  for (uint32_t i = 1; i < COUNT; i++) CHECK(buffers[i].offset != buffers[i - 1].offset);
  free(buffers);
}

static void nothing(void) { CHECK_EQ(wnn_plan_memory(&wnn_default_allocator, NULL, 0), 0); }

int main(int argc, char **argv) {
  test_begin(argc, argv);
  TEST(random_plans);
  TEST(long_chain);
  TEST(nothing);
  return test_end();
}
