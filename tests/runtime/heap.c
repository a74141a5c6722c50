/* The heap of a context: blocks keep their bytes apart from one another, and their memory goes back. */
#include "base/heap.h"

#include <pthread.h>
#include <string.h>

#include "support/test.h"

typedef struct block {
  unsigned char *data;
  size_t size;
  unsigned char mark;
} block;

static size_t below(uint64_t *state, size_t end) { return (size_t)(test_random(state) % end); }

/* Sizes around the ends of units and pages, and anything between. */
static size_t some_size(uint64_t *state) {
  static const size_t around[] = {64, 16 << 10, 32 << 10, 1 << 20, WNN_HUGE_PAGE, WNN_HUGE_PAGE + (16 << 10),
                                  2 * WNN_HUGE_PAGE};
  const size_t count = sizeof around / sizeof *around, at = below(state, count + 1);
  return at < count ? around[at] - 1 + below(state, 3) : 1 + below(state, 300000);
}

static bool is_intact(const block *b) {
  for (size_t i = 0; i < b->size; i += i + 1 < b->size && b->size - i > 4096 ? 4093 : 1)
    if (b->data[i] != b->mark) return false;
  return true;
}

/* Takes, resizes and gives back at random; the heap may be shared with other threads. The number of wrong blocks. */
static size_t exercise(wnn_heap *heap, uint64_t seed, int rounds) {
  enum { BLOCKS = 24 };
  const wnn_allocator allocator = wnn_heap_allocator(heap);
  block blocks[BLOCKS] = {0};
  uint64_t state = seed;
  size_t wrong = 0;
  for (int round = 0; round < rounds; round++) {
    block *b = &blocks[below(&state, BLOCKS)];
    const size_t size = below(&state, 3) ? some_size(&state) : 0;
    block fresh = {NULL, size, b->mark};
    if (b->data) wrong += !is_intact(b);
    if (b->data && size && below(&state, 2)) {
      fresh.data = allocator.realloc(allocator.user, b->data, b->size, size, WNN_ALIGN);
      const block kept = {fresh.data, size < b->size ? size : b->size, b->mark};
      wrong += !fresh.data || !is_intact(&kept);
    } else {
      wnn_mem_free(&allocator, b->data, b->size);
      fresh.data = wnn_mem_alloc(&allocator, size);
      wrong += (uintptr_t)fresh.data % WNN_ALIGN || !fresh.data != !size;
    }
    fresh.mark = (unsigned char)below(&state, 256);
    if (fresh.data) memset(fresh.data, fresh.mark, size);
    *b = fresh;
  }
  for (int i = 0; i < BLOCKS; i++) wnn_mem_free(&allocator, blocks[i].data, blocks[i].size);
  return wrong;
}

static void blocks_keep_apart(void) {
  wnn_heap *heap = wnn_heap_create();
  REQUIRE(heap);
  for (uint64_t seed = 1; seed <= 4; seed++) CHECK_EQ(exercise(heap, seed, 200), 0);
  wnn_heap_destroy(heap);
  wnn_heap_destroy(NULL);
}

static void zeros_are_zeros(void) {
  wnn_heap *heap = wnn_heap_create();
  REQUIRE(heap);
  const wnn_allocator allocator = wnn_heap_allocator(heap);
  static const size_t sizes[] = {1, 16 << 10, WNN_HUGE_PAGE, WNN_HUGE_PAGE + 1, 3 * WNN_HUGE_PAGE + 5};
  for (int again = 0; again < 3; again++)
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
      block zeros = {wnn_mem_zalloc(&allocator, sizes[i]), sizes[i], 0};
      REQUIRE(zeros.data);
      CHECK(is_intact(&zeros));
      memset(zeros.data, 1, zeros.size);
      wnn_mem_free(&allocator, zeros.data, zeros.size);
    }
  CHECK(!wnn_mem_alloc(&allocator, SIZE_MAX / 2 + 1));
  CHECK(!wnn_mem_alloc(&allocator, 0));
  wnn_heap_destroy(heap);
}

typedef struct sharer {
  pthread_t thread;
  wnn_heap *heap;
  uint64_t seed;
  size_t wrong;
} sharer;

static void *exercise_thread(void *argument) {
  sharer *self = argument;
  self->wrong = exercise(self->heap, self->seed, 60);
  return NULL;
}

static void threads_share(void) {
  enum { THREADS = 3 };
  sharer sharers[THREADS] = {0};
  wnn_heap *heap = wnn_heap_create();
  REQUIRE(heap);
  for (int i = 0; i < THREADS; i++) {
    sharers[i].heap = heap, sharers[i].seed = 11 + (uint64_t)i;
    REQUIRE(!pthread_create(&sharers[i].thread, NULL, exercise_thread, &sharers[i]));
  }
  for (int i = 0; i < THREADS; i++) {
    pthread_join(sharers[i].thread, NULL);
    CHECK_EQ(sharers[i].wrong, 0);
  }
  wnn_heap_destroy(heap);
}

static void mapped_bytes_are_read(void) {
  static unsigned char from[100000], to[sizeof from];
  for (size_t i = 0; i < sizeof from; i++) from[i] = (unsigned char)(i * 7);
  wnn_mem_read(to, from, sizeof to);
  CHECK(!memcmp(from, to, sizeof to));
}

int main(int argc, char **argv) {
  test_begin(argc, argv);
  TEST(blocks_keep_apart);
  TEST(zeros_are_zeros);
  TEST(threads_share);
  TEST(mapped_bytes_are_read);
  return test_end();
}
