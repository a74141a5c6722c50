/* Memory through the caller's allocator, and arenas. */
#define _DEFAULT_SOURCE 1 /* madvise */
#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* Large blocks (weights, arenas) get huge pages where the system has them: a tenth of the page faults while they are
 * filled, and fewer address lookups while they are read. */
enum { HUGE_PAGE = 2 << 20 };

static void *allocate(size_t size, size_t alignment) {
  void *fresh = NULL;
  if (alignment < sizeof(void *)) alignment = sizeof(void *);
  if (size >= HUGE_PAGE && alignment < HUGE_PAGE) alignment = HUGE_PAGE;
  if (posix_memalign(&fresh, alignment, size)) return NULL;
#ifdef MADV_HUGEPAGE
  if (size >= HUGE_PAGE) madvise(fresh, size, MADV_HUGEPAGE);
#endif
  return fresh;
}

static void *default_realloc(void *user, void *pointer, size_t old_size, size_t size, size_t alignment) {
  (void)user;
  if (!size) {
    free(pointer);
    return NULL;
  }
  if (alignment <= _Alignof(max_align_t) && size >= alignment) return realloc(pointer, size);
  void *fresh = allocate(size, alignment);
  if (fresh && pointer) {
    memcpy(fresh, pointer, old_size < size ? old_size : size);
    free(pointer);
  }
  return fresh;
}

const wnn_allocator wnn_default_allocator = {default_realloc, NULL};

void *wnn_mem_alloc(const wnn_allocator *allocator, size_t size) {
  return size ? allocator->realloc(allocator->user, NULL, 0, size, WNN_ALIGN) : NULL;
}

void *wnn_mem_zalloc(const wnn_allocator *allocator, size_t size) {
  void *pointer = wnn_mem_alloc(allocator, size);
  if (pointer) memset(pointer, 0, size);
  return pointer;
}

void wnn_mem_free(const wnn_allocator *allocator, void *pointer, size_t size) {
  if (pointer) allocator->realloc(allocator->user, pointer, size, 0, WNN_ALIGN);
}

bool wnn_mem_reserve(const wnn_allocator *allocator, void **items, size_t *capacity, size_t need, size_t item_size) {
  if (need <= *capacity) return true;
  size_t grown = *capacity + *capacity / 2;
  if (grown < need) grown = need;
  if (grown < 16) grown = 16;
  if (grown > SIZE_MAX / item_size) return false;
  void *fresh = allocator->realloc(allocator->user, *items, *capacity * item_size, grown * item_size, WNN_ALIGN);
  if (!fresh) return false;
  *items = fresh;
  *capacity = grown;
  return true;
}

struct wnn_arena_chunk {
  struct wnn_arena_chunk *next;
  size_t size; /* of the whole chunk */
};

enum { FIRST_CHUNK = 4096, LARGEST_CHUNK = 1 << 20 };

void wnn_arena_init(wnn_arena *arena, const wnn_allocator *allocator) { *arena = (wnn_arena){.allocator = allocator}; }

void wnn_arena_free(wnn_arena *arena) {
  for (struct wnn_arena_chunk *chunk = arena->chunks, *next; chunk; chunk = next) {
    next = chunk->next;
    wnn_mem_free(arena->allocator, chunk, chunk->size);
  }
  wnn_arena_init(arena, arena->allocator);
}

void *wnn_arena_alloc(wnn_arena *arena, size_t size) {
  if (size > SIZE_MAX - 2 * WNN_ALIGN) return NULL;
  size = (size + 15) & ~(size_t)15;
  if (!size) size = 16;
  if (!arena->chunks || arena->chunks->size - arena->used < size) {
    size_t want = arena->chunks ? arena->chunks->size * 2 : FIRST_CHUNK;
    if (want > LARGEST_CHUNK) want = LARGEST_CHUNK;
    size_t header = (sizeof(struct wnn_arena_chunk) + 15) & ~(size_t)15;
    if (want < size + header) want = size + header;
    struct wnn_arena_chunk *chunk = wnn_mem_alloc(arena->allocator, want);
    if (!chunk) return NULL;
    chunk->next = arena->chunks;
    chunk->size = want;
    arena->chunks = chunk;
    arena->used = header;
    arena->total += want;
  }
  void *pointer = (char *)arena->chunks + arena->used;
  arena->used += size;
  return memset(pointer, 0, size);
}

void *wnn_arena_array(wnn_arena *arena, size_t count, size_t size) {
  return count && size > SIZE_MAX / count ? NULL : wnn_arena_alloc(arena, count * size);
}

void *wnn_arena_copy(wnn_arena *arena, const void *data, size_t size) {
  void *copy = wnn_arena_alloc(arena, size);
  if (copy && size) memcpy(copy, data, size);
  return copy;
}

char *wnn_arena_string(wnn_arena *arena, const char *text) { return wnn_arena_copy(arena, text, strlen(text) + 1); }

void wnn_arena_join(wnn_arena *to, wnn_arena *from) {
  if (!from->chunks) return;
  if (!to->chunks) {
    *to = *from;
  } else { /* behind the newest chunk of `to`, which stays the one in use */
    struct wnn_arena_chunk *last = from->chunks;
    while (last->next) last = last->next;
    last->next = to->chunks->next;
    to->chunks->next = from->chunks;
    to->total += from->total;
  }
  wnn_arena_init(from, from->allocator);
}
