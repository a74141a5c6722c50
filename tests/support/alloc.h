/* Allocators for tests: one that counts what is outstanding and fails on demand. Any thread.
 *
 *   static test_allocator memory;
 *   const wnn_allocator allocator = test_allocator_make(&memory);
 *   memory.fail_at = 3;               // the third call from now on fails, and all behind it
 *   ...
 *   CHECK_EQ(memory.bytes, 0);        // everything was given back
 */
#ifndef WEBNN_TESTS_SUPPORT_ALLOC_H
#define WEBNN_TESTS_SUPPORT_ALLOC_H

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <webnn/webnn.h>

typedef struct test_allocator {
  atomic_llong bytes;   /* outstanding */
  atomic_llong blocks;  /* outstanding */
  atomic_llong calls;   /* that ask for memory, ever */
  atomic_llong fail_at; /* ordinal (from 1) of the first call that fails, counted by `calls`; 0: none */
  atomic_bool once;     /* only that call fails */
  atomic_llong misuse;  /* blocks given back with another size than they had, or misaligned requests */
} test_allocator;

/* Each block is preceded by its size; the header keeps the alignment. */
static void *test_allocator_realloc(void *user, void *pointer, size_t old_size, size_t size, size_t alignment) {
  enum { HEADER = 64 };
  test_allocator *memory = user;
  char *old = pointer ? (char *)pointer - HEADER : NULL;
  if (alignment & (alignment - 1) || alignment > HEADER) atomic_fetch_add(&memory->misuse, 1);
  if (old) {
    size_t noted;
    memcpy(&noted, old, sizeof noted);
    if (noted != old_size) atomic_fetch_add(&memory->misuse, 1);
  }
  char *fresh = NULL;
  if (size) {
    long long call = atomic_fetch_add(&memory->calls, 1) + 1, fail_at = atomic_load(&memory->fail_at);
    if (fail_at && (atomic_load(&memory->once) ? call == fail_at : call >= fail_at)) return NULL;
    void *block = NULL;
    if (posix_memalign(&block, HEADER, HEADER + size)) return NULL;
    fresh = block;
    memcpy(fresh, &size, sizeof size);
    memset(fresh + HEADER, 0xA5, size); /* nobody may rely on zeros */
    atomic_fetch_add(&memory->bytes, (long long)size);
    atomic_fetch_add(&memory->blocks, 1);
    if (old) memcpy(fresh + HEADER, pointer, old_size < size ? old_size : size);
  }
  if (old) {
    atomic_fetch_sub(&memory->bytes, (long long)old_size);
    atomic_fetch_sub(&memory->blocks, 1);
    free(old);
  }
  return fresh ? fresh + HEADER : NULL;
}

static inline wnn_allocator test_allocator_make(test_allocator *memory) {
  return (wnn_allocator){test_allocator_realloc, memory};
}

#endif
