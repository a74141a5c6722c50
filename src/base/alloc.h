/* Memory through the caller's allocator, and arenas: many allocations, freed at once. */
#ifndef WNN_BASE_ALLOC_H
#define WNN_BASE_ALLOC_H

#include <webnn/webnn.h>

/* Alignment of tensor storage, intermediates and packed weights: a cache line and the widest vector. */
enum { WNN_ALIGN = 64 };

/* A page of this size costs about as much to touch first as a small one. Blocks of whole ones get them where the system has
 * them. */
enum { WNN_HUGE_PAGE = 2 << 20 };

/* The allocator over the C library. */
extern const wnn_allocator wnn_default_allocator;

/* Uninitialised memory aligned to WNN_ALIGN; NULL on failure or for size 0. */
void *wnn_mem_alloc(const wnn_allocator *allocator, size_t size);
void *wnn_mem_zalloc(const wnn_allocator *allocator, size_t size);
/* size as given to the allocation; pointer may be NULL. */
void wnn_mem_free(const wnn_allocator *allocator, void *pointer, size_t size);
/* Gives the memory of whole pages back to the system; the block remains. */
void wnn_mem_forget(void *pages, size_t size);
/* Copies bytes that may lie in a mapped file and will not be read again. */
void wnn_mem_read(void *to, const void *from, size_t size);
/* Makes room for `need` items of item_size in *items, which has *capacity of them; false when memory is
 * short (the array stays as it was). Grows to the double. */
bool wnn_mem_reserve(const wnn_allocator *allocator, void **items, size_t *capacity, size_t need, size_t item_size);

/* Bump allocator. All memory lives until wnn_arena_reset or the arena's end. */
typedef struct wnn_arena {
  const wnn_allocator *allocator;
  struct wnn_arena_chunk *chunks;
  size_t used;  /* in the newest chunk */
  size_t total; /* bytes taken from the allocator */
} wnn_arena;

void wnn_arena_init(wnn_arena *arena, const wnn_allocator *allocator);
void wnn_arena_free(wnn_arena *arena);
/* Zeroed memory aligned to 16; NULL on failure. */
void *wnn_arena_alloc(wnn_arena *arena, size_t size);
/* count * size with overflow check. */
void *wnn_arena_array(wnn_arena *arena, size_t count, size_t size);
void *wnn_arena_copy(wnn_arena *arena, const void *data, size_t size);
/* Moves all memory of `from`, which ends up empty, into `to`. */
void wnn_arena_join(wnn_arena *to, wnn_arena *from);
char *wnn_arena_string(wnn_arena *arena, const char *text);

#endif
