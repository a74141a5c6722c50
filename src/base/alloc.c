/* Memory through the caller's allocator, and arenas. */
#define _GNU_SOURCE 1 /* madvise, process_vm_readv */
#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#ifdef __linux__
#include <sys/prctl.h>
#include <sys/uio.h>
#include <unistd.h>
#endif

#include "base/heap.h"

/* Large blocks (weights, arenas) are mapped: they go back to the system as soon as they are freed, begin as zeros, and
 * get huge pages where the system has them, which means a fraction of the page faults while they are filled, and fewer
 * address lookups while they are read. Their size alone tells them from blocks of the heap. */
enum { LARGE = 1 << 20, SMALLEST_PAGE = 4 << 10, LARGEST_PAGE = 64 << 10 };

static size_t round_up(size_t size, size_t unit) { return (size + unit - 1) & ~(unit - 1); }

/* No huge page begins before the block or ends behind it, so that no memory is taken that nobody asked for. */
static void *map(size_t size) {
  if (size > SIZE_MAX / 2) return NULL;
  size_t bytes = round_up(size, LARGEST_PAGE), slack = size >= WNN_HUGE_PAGE ? WNN_HUGE_PAGE : 0;
  char *start = mmap(NULL, bytes + slack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (start == MAP_FAILED) return NULL;
  if (!slack) return start;
  size_t before = (size_t) - (uintptr_t)start & (WNN_HUGE_PAGE - 1);
  if (before) munmap(start, before);
  if (slack - before) munmap(start + before + bytes, slack - before);
#ifdef MADV_HUGEPAGE
  madvise(start + before, size & ~(size_t)(WNN_HUGE_PAGE - 1), MADV_HUGEPAGE);
#endif
  return start + before;
}

static void *allocate(size_t size, size_t alignment) {
  if (size >= LARGE && alignment <= SMALLEST_PAGE) return map(size);
  void *fresh = NULL;
  if (alignment < sizeof(void *)) alignment = sizeof(void *);
  return posix_memalign(&fresh, alignment, size) ? NULL : fresh;
}

static void release(void *pointer, size_t size, size_t alignment) {
  if (pointer && size >= LARGE && alignment <= SMALLEST_PAGE)
    munmap(pointer, round_up(size, LARGEST_PAGE));
  else
    free(pointer);
}

static void *default_realloc(void *user, void *pointer, size_t old_size, size_t size, size_t alignment) {
  (void)user;
  if (!size) {
    release(pointer, old_size, alignment);
    return NULL;
  }
  void *fresh = allocate(size, alignment);
  if (fresh && pointer) {
    memcpy(fresh, pointer, old_size < size ? old_size : size);
    release(pointer, old_size, alignment);
  }
  return fresh;
}

const wnn_allocator wnn_default_allocator = {default_realloc, NULL};

void *wnn_mem_alloc(const wnn_allocator *allocator, size_t size) {
  return size ? allocator->realloc(allocator->user, NULL, 0, size, WNN_ALIGN) : NULL;
}

void *wnn_mem_zalloc(const wnn_allocator *allocator, size_t size) {
  void *pointer = wnn_mem_alloc(allocator, size);
  bool mapped = (allocator->realloc == default_realloc && size >= LARGE) || wnn_heap_gives_zeros(allocator, size);
  if (pointer && !mapped) memset(pointer, 0, size); /* zeros that are not touched cost nothing */
  return pointer;
}

void wnn_mem_free(const wnn_allocator *allocator, void *pointer, size_t size) {
  if (pointer) allocator->realloc(allocator->user, pointer, size, 0, WNN_ALIGN);
}

#ifdef __linux__
/* Filters of system calls may end a process for one that they do not know. */
static bool is_filtered(void) { return prctl(PR_GET_SECCOMP) != 0; }
#endif

/* The system finds the pages and reads them where it has them, so that the process does not touch them. */
void wnn_mem_read(void *to, const void *from, size_t size) {
#ifdef __linux__
  struct iovec target = {to, size}, source = {.iov_len = size};
  memcpy(&source.iov_base, &from, sizeof from);
  if (!is_filtered() && process_vm_readv(getpid(), &target, 1, &source, 1, 0) == (ssize_t)size) return;
#endif
  memcpy(to, from, size);
}

void wnn_mem_forget(void *pages, size_t size) { madvise(pages, size, MADV_DONTNEED); }

bool wnn_mem_reserve(const wnn_allocator *allocator, void **items, size_t *capacity, size_t need, size_t item_size) {
  if (need <= *capacity) return true;
  size_t grown = *capacity > SIZE_MAX / 2 ? need : *capacity * 2;
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
