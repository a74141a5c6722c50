/* Thread pool for sub-millisecond work: one a context. */
#ifndef WNN_BASE_POOL_H
#define WNN_BASE_POOL_H

#include <webnn/webnn.h>

typedef struct wnn_pool wnn_pool;

enum { WNN_POOL_MOST_THREADS = 256 };

/* A share [begin, end) of a range, run by participant `thread` (0 is the caller of wnn_pool_run). */
typedef void wnn_pool_fn(void *argument, size_t begin, size_t end, unsigned thread);

/* Where the threads of a pool stay: worker i on processors[i % count]; count 0: wherever the system puts them. */
typedef struct wnn_placement {
  const uint32_t *processors;
  uint32_t count;
} wnn_placement;

/* threads: participants, the caller of wnn_pool_run included, at most WNN_POOL_MOST_THREADS; 1 makes no threads. placement may be NULL; it is copied.
 * NULL on failure. */
wnn_pool *wnn_pool_create(const wnn_allocator *allocator, unsigned threads, const wnn_placement *placement);
void wnn_pool_destroy(wnn_pool *pool);
unsigned wnn_pool_threads(const wnn_pool *pool);

/* Runs fn over [0, range) in chunks of at least `grain`, on all participants, and returns when all is
 * done. One caller at a time. Allocates nothing and takes no lock while workers are awake; a range of at
 * most `grain` runs on the caller alone. */
void wnn_pool_run(wnn_pool *pool, wnn_pool_fn *fn, void *argument, size_t range, size_t grain);

#endif
