/* Thread pool for sub-millisecond work.
 *
 * A run splits its range into one part a participant, so that a participant meets the same data again in the
 * next run. Everybody takes chunks from its own part, then from the others': nobody waits for a thread that has
 * not woken yet, its part is simply taken by the others.
 *
 * All coordination is one word, `state`: number of the run, whether it is open, and how many workers are inside.
 * A worker enters by raising the count while the run is open and is inside until it lowers it. The caller
 * closes the run when no chunk is left and waits for the count to reach zero; only then may the run's fields
 * change. A late worker therefore never sees a run that is over.
 *
 * Workers spin for a moment after a run, because the next step of a graph follows within microseconds, then
 * sleep. They are started by the first run that has work for them. */
#include "base/pool.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>

#include "base/alloc.h"
#include "base/cpu.h"

enum {
  SPIN_NS = 50000,     /* a sleeping worker takes about this long to come back */
  PARTS_PER_SHARE = 4, /* chunks that a participant's part is cut into */
  RELAX_COUNT = 4000 /* rounds of waiting before the processor is offered to others */
};

/* state: run number above OPEN, then OPEN, STOP and the number of workers inside. */
#define INSIDE UINT64_C(0xFFFF)
#define OPEN UINT64_C(0x10000)
#define STOP UINT64_C(0x20000)
#define RUN UINT64_C(0x40000)

/* One participant's part of the range, on its own cache line. */
typedef struct part {
  _Alignas(WNN_ALIGN) atomic_size_t next;
  size_t end;
} part;

typedef struct worker {
  wnn_pool *pool;
  pthread_t thread;
  unsigned index;
  bool placed;
  uint32_t processor; /* when placed */
} worker;

struct wnn_pool {
  const wnn_allocator *allocator;
  unsigned threads;
  unsigned started; /* workers that exist */
  unsigned processors; /* that the workers are placed on; 0: not placed */
  bool ready;       /* starting them has been tried */
  bool spin;
  part *parts;     /* one a participant */
  worker *workers; /* threads - 1 */
  /* the run; written while it is closed and nobody is inside */
  wnn_pool_fn *fn;
  void *argument;
  size_t chunk;
  unsigned part_count;

  _Alignas(WNN_ALIGN) atomic_uint_fast64_t state;
  _Alignas(WNN_ALIGN) atomic_uint sleepers;
  pthread_mutex_t mutex; /* of sleeping and waking only */
  pthread_cond_t wake;
};

static uint64_t now_ns(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static void work(wnn_pool *pool, unsigned thread) {
  size_t chunk = pool->chunk;
  unsigned count = pool->part_count;
  for (unsigned i = 0, at = thread % count; i < count; i++, at = at + 1 == count ? 0 : at + 1) {
    part *share = &pool->parts[at];
    size_t end = share->end;
    /* A look before the claim keeps the counters from running away from their end. */
    while (atomic_load_explicit(&share->next, memory_order_relaxed) < end) {
      size_t begin = atomic_fetch_add_explicit(&share->next, chunk, memory_order_relaxed);
      if (begin >= end) break;
      pool->fn(pool->argument, begin, end - begin < chunk ? end : begin + chunk, thread);
    }
  }
}

/* Waits for a run other than `last` or for the end; returns the state seen. */
static uint64_t wait_for_run(wnn_pool *pool, uint64_t last) {
  if (pool->spin) {
    uint64_t start = now_ns();
    do {
      for (int i = 0; i < 64; i++) {
        uint64_t state = atomic_load_explicit(&pool->state, memory_order_acquire);
        if ((state & STOP) || ((state & OPEN) && state / RUN != last)) return state;
        wnn_cpu_relax();
      }
    } while (now_ns() - start < SPIN_NS);
  }
  /* The caller publishes, then looks for sleepers; a worker becomes a sleeper, then looks for a run. One of the
   * two sees the other, since both are sequentially consistent. */
  pthread_mutex_lock(&pool->mutex);
  atomic_fetch_add(&pool->sleepers, 1);
  uint64_t state;
  while (!((state = atomic_load(&pool->state)) & STOP) && (!(state & OPEN) || state / RUN == last))
    pthread_cond_wait(&pool->wake, &pool->mutex);
  atomic_fetch_sub(&pool->sleepers, 1);
  pthread_mutex_unlock(&pool->mutex);
  return state;
}

static void *worker_main(void *argument) {
  worker *self = argument;
  wnn_pool *pool = self->pool;
  uint64_t last = 0;
  if (self->placed) wnn_cpu_stay_on(self->processor);
  for (;;) {
    uint64_t state = wait_for_run(pool, last);
    if (state & STOP) return NULL;
    last = state / RUN;
    bool inside = false;
    while ((state & OPEN) && state / RUN == last && !inside)
      inside = atomic_compare_exchange_weak_explicit(&pool->state, &state, state + 1, memory_order_acquire,
                                                     memory_order_acquire);
    if (!inside) continue;
    work(pool, self->index);
    atomic_fetch_sub_explicit(&pool->state, 1, memory_order_release);
  }
}

static void start_workers(wnn_pool *pool) {
  pool->ready = true;
  pool->spin = pool->threads <= (pool->processors ? pool->processors : wnn_cpu_processors());
  sigset_t all, before;
  sigfillset(&all); /* signals are for the program's own threads */
  if (pthread_sigmask(SIG_SETMASK, &all, &before)) return;
  for (unsigned i = 0; i + 1 < pool->threads; i++) {
    worker *self = &pool->workers[i];
    if (pthread_create(&self->thread, NULL, worker_main, self)) break; /* the others do its part */
    pool->started++;
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}

wnn_pool *wnn_pool_create(const wnn_allocator *allocator, unsigned threads, const wnn_placement *placement) {
  if (threads < 1) threads = 1;
  if (threads > WNN_POOL_MOST_THREADS) threads = WNN_POOL_MOST_THREADS;
  wnn_pool *pool = wnn_mem_zalloc(allocator, sizeof *pool);
  if (!pool) return NULL;
  pool->allocator = allocator;
  pool->threads = threads;
  pool->parts = wnn_mem_zalloc(allocator, threads * sizeof *pool->parts);
  if (threads > 1) pool->workers = wnn_mem_zalloc(allocator, (threads - 1) * sizeof *pool->workers);
  if (!pool->parts || (threads > 1 && !pool->workers)) goto fail;
  pool->processors = placement ? placement->count : 0;
  for (unsigned i = 1; i < threads; i++) {
    pool->workers[i - 1] = (worker){.pool = pool, .index = i, .placed = pool->processors};
    if (pool->processors) pool->workers[i - 1].processor = placement->processors[i % pool->processors];
  }
  if (pthread_mutex_init(&pool->mutex, NULL)) goto fail;
  if (pthread_cond_init(&pool->wake, NULL)) {
    pthread_mutex_destroy(&pool->mutex);
    goto fail;
  }
  return pool;
fail:
  wnn_mem_free(allocator, pool->parts, threads * sizeof *pool->parts);
  wnn_mem_free(allocator, pool->workers, (threads - 1) * sizeof *pool->workers);
  wnn_mem_free(allocator, pool, sizeof *pool);
  return NULL;
}

void wnn_pool_destroy(wnn_pool *pool) {
  if (!pool) return;
  atomic_fetch_or(&pool->state, STOP);
  pthread_mutex_lock(&pool->mutex);
  pthread_cond_broadcast(&pool->wake);
  pthread_mutex_unlock(&pool->mutex);
  for (unsigned i = 0; i < pool->started; i++) pthread_join(pool->workers[i].thread, NULL);
  pthread_cond_destroy(&pool->wake);
  pthread_mutex_destroy(&pool->mutex);
  wnn_mem_free(pool->allocator, pool->parts, pool->threads * sizeof *pool->parts);
  wnn_mem_free(pool->allocator, pool->workers, (pool->threads - 1) * sizeof *pool->workers);
  wnn_mem_free(pool->allocator, pool, sizeof *pool);
}

unsigned wnn_pool_threads(const wnn_pool *pool) { return pool->threads; }

static void wake_workers(wnn_pool *pool, unsigned wanted) {
  unsigned sleepers = atomic_load(&pool->sleepers);
  if (!sleepers) return;
  pthread_mutex_lock(&pool->mutex);
  if (wanted >= sleepers) {
    pthread_cond_broadcast(&pool->wake);
  } else {
    while (wanted--) pthread_cond_signal(&pool->wake);
  }
  pthread_mutex_unlock(&pool->mutex);
}

void wnn_pool_run(wnn_pool *pool, wnn_pool_fn *fn, void *argument, size_t range, size_t grain) {
  if (!range) return;
  if (!grain) grain = 1;
  if (pool->threads == 1 || range <= grain) {
    fn(argument, 0, range, 0);
    return;
  }
  if (!pool->ready) start_workers(pool);

  size_t units = range / grain + (range % grain != 0); /* chunks of the least size */
  unsigned parts = units < pool->threads ? (unsigned)units : pool->threads;
  size_t share = (units + parts - 1) / parts, cut = (share + PARTS_PER_SHARE - 1) / PARTS_PER_SHARE;
  for (unsigned i = 0; i < parts; i++) {
    size_t first = (size_t)i * share, last = first + share;
    if (first > units) first = units;
    atomic_store_explicit(&pool->parts[i].next, first < units ? first * grain : range, memory_order_relaxed);
    pool->parts[i].end = last < units ? last * grain : range;
  }
  pool->fn = fn;
  pool->argument = argument;
  pool->chunk = cut * grain;
  pool->part_count = parts;

  /* Nobody is inside and the last run is closed, so that the word is the run number alone. */
  uint64_t run = atomic_load_explicit(&pool->state, memory_order_relaxed) / RUN + 1;
  atomic_store(&pool->state, run * RUN | OPEN);
  wake_workers(pool, parts - 1);
  work(pool, 0);
  uint64_t state = atomic_fetch_and_explicit(&pool->state, ~OPEN, memory_order_acquire);
  for (unsigned i = 0; state & INSIDE; i++) {
    if (i < RELAX_COUNT && pool->spin)
      wnn_cpu_relax();
    else
      sched_yield();
    state = atomic_load_explicit(&pool->state, memory_order_acquire);
  }
}
