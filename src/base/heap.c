/* Blocks in huge pages. A region is some whole pages. The last one is cut into units, which blocks of up to a page take
 * and give back; the pages in front of it belong to a larger block, which ends in the first units of the last page. */
#include "base/heap.h"

#include <pthread.h>
#include <string.h>

#include "base/sizes.h"

enum { UNIT = 16 << 10, UNITS = WNN_HUGE_PAGE / UNIT, WORD = 64 };

/* Blocks from this size on are the heap's; address sanitizers see the ends of those of the C library only. */
#if defined __has_feature
#if __has_feature(address_sanitizer)
#define WNN_HEAP_FROM SIZE_MAX
#endif
#endif
#if defined __SANITIZE_ADDRESS__
#define WNN_HEAP_FROM SIZE_MAX
#elif !defined WNN_HEAP_FROM
#define WNN_HEAP_FROM UNIT
#endif

typedef struct region {
  char *base;
  size_t bytes;                 /* whole pages */
  bool front;                   /* a larger block has the pages in front of the last one */
  uint64_t taken[UNITS / WORD]; /* units of the last page, a bit each */
} region;

struct wnn_heap {
  pthread_mutex_t lock;
  region *regions; /* by address */
  size_t count, capacity;
  bool spare; /* there is a region of which nothing is taken: the one page that is kept for the next block */
};

static const wnn_allocator *const below = &wnn_default_allocator;

static size_t units_of(size_t bytes) { return wnn_ceil_div(bytes, UNIT); }
static char *last_page(const region *r) { return r->base + r->bytes - WNN_HUGE_PAGE; }
static bool is_taken(const region *r, size_t unit) { return r->taken[unit / WORD] >> unit % WORD & 1; }

static bool is_empty(const region *r) {
  uint64_t any = r->front;
  for (size_t i = 0; i < UNITS / WORD; i++) any |= r->taken[i];
  return !any;
}

static void flip(region *r, size_t first, size_t count) {
  for (size_t i = first; i < first + count; i++) r->taken[i / WORD] ^= UINT64_C(1) << i % WORD;
}

/* The first of so many free units in a row; UNITS: there are none. */
static size_t find_units(const region *r, size_t count) {
  for (size_t i = 0, run = 0; i < UNITS; i++) {
    run = is_taken(r, i) ? 0 : run + 1;
    if (run == count) return i + 1 - count;
  }
  return UNITS;
}

/* How many regions begin at or below an address. */
static size_t regions_up_to(const wnn_heap *heap, const char *address) {
  size_t low = 0, high = heap->count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if ((uintptr_t)heap->regions[middle].base <= (uintptr_t)address)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static region *add_region(wnn_heap *heap, size_t bytes) {
  if (!wnn_mem_reserve(below, (void **)&heap->regions, &heap->capacity, heap->count + 1, sizeof *heap->regions))
    return NULL;
  char *base = wnn_mem_alloc(below, bytes);
  if (!base) return NULL;
  size_t at = regions_up_to(heap, base);
  memmove(&heap->regions[at + 1], &heap->regions[at], (heap->count++ - at) * sizeof *heap->regions);
  heap->regions[at] = (region){.base = base, .bytes = bytes};
  return &heap->regions[at];
}

static void *take(wnn_heap *heap, size_t size) {
  if (size > SIZE_MAX / 2) return NULL;
  size_t in_front = (size - 1) / WNN_HUGE_PAGE * WNN_HUGE_PAGE, count = units_of(size - in_front), at = UNITS;
  region *r = NULL;
  for (size_t i = 0; !in_front && i < heap->count && at == UNITS; i++) {
    r = &heap->regions[i];
    at = find_units(r, count);
  }
  if (at == UNITS) {
    r = add_region(heap, in_front + WNN_HUGE_PAGE);
    if (!r) return NULL;
    r->front = in_front != 0;
    at = 0;
  } else if (is_empty(r)) {
    heap->spare = false;
  }
  flip(r, at, count);
  return in_front ? r->base : last_page(r) + at * UNIT;
}

static void give_back(wnn_heap *heap, char *block, size_t size) {
  region *r = &heap->regions[regions_up_to(heap, block) - 1];
  size_t in_front = (size - 1) / WNN_HUGE_PAGE * WNN_HUGE_PAGE;
  if (in_front) r->front = false;
  flip(r, in_front ? 0 : (size_t)(block - last_page(r)) / UNIT, units_of(size - in_front));
  if (!is_empty(r)) {
    if (in_front) wnn_mem_forget(block, in_front);
  } else if (r->bytes == WNN_HUGE_PAGE && !heap->spare) {
    heap->spare = true;
  } else {
    wnn_mem_free(below, r->base, r->bytes);
    memmove(r, r + 1, (size_t)(heap->regions + --heap->count - r) * sizeof *r);
  }
}

static void *heap_realloc(void *user, void *pointer, size_t old_size, size_t size, size_t alignment) {
  wnn_heap *heap = user;
  bool from_below = !pointer || old_size < WNN_HEAP_FROM, to_below = size < WNN_HEAP_FROM;
  if (from_below && to_below) return below->realloc(below->user, pointer, old_size, size, alignment);
  void *fresh = NULL;
  if (to_below) {
    if (size) fresh = below->realloc(below->user, NULL, 0, size, alignment);
  } else {
    pthread_mutex_lock(&heap->lock);
    fresh = take(heap, size);
    pthread_mutex_unlock(&heap->lock);
  }
  if (!pointer || (size && !fresh)) return fresh;
  if (size) memcpy(fresh, pointer, old_size < size ? old_size : size);
  if (from_below) {
    below->realloc(below->user, pointer, old_size, 0, alignment);
  } else {
    pthread_mutex_lock(&heap->lock);
    give_back(heap, pointer, old_size);
    pthread_mutex_unlock(&heap->lock);
  }
  return fresh;
}

wnn_heap *wnn_heap_create(void) {
  wnn_heap *heap = wnn_mem_zalloc(below, sizeof *heap);
  if (!heap || !pthread_mutex_init(&heap->lock, NULL)) return heap;
  wnn_mem_free(below, heap, sizeof *heap);
  return NULL;
}

void wnn_heap_destroy(wnn_heap *heap) {
  if (!heap) return;
  for (size_t i = 0; i < heap->count; i++) wnn_mem_free(below, heap->regions[i].base, heap->regions[i].bytes);
  wnn_mem_free(below, heap->regions, heap->capacity * sizeof *heap->regions);
  pthread_mutex_destroy(&heap->lock);
  wnn_mem_free(below, heap, sizeof *heap);
}

wnn_allocator wnn_heap_allocator(wnn_heap *heap) { return (wnn_allocator){heap_realloc, heap}; }

bool wnn_heap_gives_zeros(const wnn_allocator *allocator, size_t size) {
  return allocator->realloc == heap_realloc && size > WNN_HUGE_PAGE;
}
