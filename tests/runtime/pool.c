/* The thread pool: every item exactly once, participants apart, idle without processor time. */
#define _GNU_SOURCE
#include "base/pool.h"

#include <sched.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cpu.h"
#include "support/alloc.h"
#include "support/test.h"

enum { ITEMS = 5000, THREADS = 8 };

typedef struct job {
  unsigned char seen[ITEMS]; /* plain: a race would be one of the pool */
  size_t range, grain;
  unsigned threads;
  atomic_int inside[THREADS];
  atomic_uint chunks, small, clash, stray;
} job;

static void count_items(void *argument, size_t begin, size_t end, unsigned thread) {
  job *j = argument;
  if (thread >= j->threads || begin >= end || end > j->range) {
    atomic_fetch_add(&j->stray, 1);
    return;
  }
  if (atomic_fetch_add(&j->inside[thread], 1)) atomic_fetch_add(&j->clash, 1);
  if (end - begin < j->grain && end != j->range) atomic_fetch_add(&j->small, 1);
  atomic_fetch_add(&j->chunks, 1);
  for (size_t i = begin; i < end; i++) j->seen[i]++;
  atomic_fetch_sub(&j->inside[thread], 1);
}

static void run_counted(wnn_pool *pool, job *j, size_t range, size_t grain) {
  memset(j->seen, 0, sizeof j->seen);
  j->range = range;
  j->grain = grain ? grain : 1;
  j->threads = wnn_pool_threads(pool);
  wnn_pool_run(pool, count_items, j, range, grain);
  for (size_t i = 0; i < ITEMS; i++)
    if (j->seen[i] != (i < range)) {
      CHECK_MSG(false, "item %zu of %zu (grain %zu) was run %u times", i, range, grain, j->seen[i]);
      return;
    }
}

static void every_item_once(void) {
  static job j;
  for (unsigned threads = 1; threads <= THREADS; threads += threads < 3 ? 1 : 5) {
    wnn_pool *pool = wnn_pool_create(&wnn_default_allocator, threads, NULL);
    REQUIRE(pool);
    CHECK_EQ(wnn_pool_threads(pool), threads);
    static const size_t sizes[] = {0, 1, 2, 3, 7, 8, 9, 63, 64, 65, 1000, 4999, 5000};
    static const size_t grains[] = {0, 1, 2, 3, 16, 100, 4999, 5000, 100000};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
      for (size_t g = 0; g < sizeof grains / sizeof *grains; g++) run_counted(pool, &j, sizes[s], grains[g]);
    uint64_t state = 7 + threads;
    for (int i = 0; i < 2000; i++)
      run_counted(pool, &j, test_random(&state) % (i % 8 ? 100 : ITEMS), test_random(&state) % 20);
    CHECK_EQ(j.clash, 0);
    CHECK_EQ(j.stray, 0);
    CHECK_EQ(j.small, 0);
    wnn_pool_destroy(pool);
  }
}

static void small_ranges_stay_here(void) {
  static job j;
  wnn_pool *pool = wnn_pool_create(&wnn_default_allocator, 4, NULL);
  REQUIRE(pool);
  atomic_store(&j.chunks, 0);
  run_counted(pool, &j, 100, 100);
  CHECK_EQ(j.chunks, 1);
  wnn_pool_destroy(pool);
}

/* Workers that have gone to sleep come back; runs with pauses between them. */
static void sleepers_wake(void) {
  static job j;
  wnn_pool *pool = wnn_pool_create(&wnn_default_allocator, 3, NULL);
  REQUIRE(pool);
  for (int i = 0; i < 60; i++) {
    run_counted(pool, &j, 1000, 1);
    struct timespec pause = {.tv_nsec = i % 3 ? 20000 : 1000000};
    nanosleep(&pause, NULL);
  }
  wnn_pool_destroy(pool);
}

static double processor_seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void idle_costs_nothing(void) {
  static job j;
  wnn_pool *pool = wnn_pool_create(&wnn_default_allocator, 4, NULL);
  REQUIRE(pool);
  run_counted(pool, &j, 1000, 1);
  struct timespec settle = {.tv_nsec = 20000000}, wait = {.tv_nsec = 300000000};
  nanosleep(&settle, NULL);
  double before = processor_seconds();
  nanosleep(&wait, NULL);
  double spent = processor_seconds() - before;
  CHECK_MSG(spent < 0.005, "an idle pool used %.1f ms of processor time in 300 ms", spent * 1e3);
  wnn_pool_destroy(pool);
}

/* A caller that makes and ends pools, with and without work, while workers start or fall asleep. */
static void short_lives(void) {
  static job j;
  static test_allocator memory;
  const wnn_allocator allocator = test_allocator_make(&memory);
  for (int i = 0; i < 300; i++) {
    wnn_pool *pool = wnn_pool_create(&allocator, 1 + (unsigned)i % 5, NULL);
    REQUIRE(pool);
    for (int k = 0; k < i % 4; k++) run_counted(pool, &j, 50, 1);
    wnn_pool_destroy(pool);
  }
  long long calls = memory.calls;
  CHECK_EQ(memory.bytes, 0);
  CHECK_EQ(memory.misuse, 0);
  wnn_pool *pool = wnn_pool_create(&allocator, 4, NULL);
  REQUIRE(pool);
  long long made = memory.calls;
  CHECK(made > calls);
  for (int k = 0; k < 100; k++) run_counted(pool, &j, 1000, 1);
  CHECK_EQ(memory.calls, made); /* runs allocate nothing */
  wnn_pool_destroy(pool);
  for (long long n = 1; n <= made - calls; n++) {
    memory.fail_at = memory.calls + n;
    CHECK(!wnn_pool_create(&allocator, 4, NULL));
    memory.fail_at = 0;
    CHECK_EQ(memory.bytes, 0);
  }
}

static void processors_follow_affinity(void) {
  cpu_set_t before, one;
  REQUIRE(wnn_cpu_processors() >= 1);
  REQUIRE(!sched_getaffinity(0, sizeof before, &before));
  CPU_ZERO(&one);
  for (int i = 0; i < CPU_SETSIZE && !CPU_COUNT(&one); i++)
    if (CPU_ISSET(i, &before)) CPU_SET(i, &one);
  REQUIRE(!sched_setaffinity(0, sizeof one, &one));
  CHECK_EQ(wnn_cpu_processors(), 1);
  static job j; /* more threads than processors: no spinning, and it still ends */
  wnn_pool *pool = wnn_pool_create(&wnn_default_allocator, 3, NULL);
  if (pool)
    for (int i = 0; i < 50; i++) run_counted(pool, &j, 1000, 1);
  wnn_pool_destroy(pool);
  sched_setaffinity(0, sizeof before, &before);
  CHECK(pool);
}

typedef struct places {
  uint32_t first;
  atomic_uint away[2]; /* chunks run by a participant elsewhere than it should */
  atomic_uint seen[2];
} places;

static void note_place(void *argument, size_t begin, size_t end, unsigned thread) {
  places *p = argument;
  cpu_set_t set;
  bool placed = !sched_getaffinity(0, sizeof set, &set) && CPU_COUNT(&set) == 1 && CPU_ISSET(p->first, &set);
  atomic_fetch_add(&p->seen[thread], 1);
  if (placed != (thread == 1)) atomic_fetch_add(&p->away[thread], 1);
  /* leaves work for the other one */
  for (size_t i = begin; i < end; i++) sched_yield();
}

static void workers_stay_where_they_are_put(void) {
  cpu_set_t before, after;
  REQUIRE(!sched_getaffinity(0, sizeof before, &before));
  if (CPU_COUNT(&before) < 2) SKIP("one processor");
  static places p;
  while (!CPU_ISSET(p.first, &before)) p.first++;
  CHECK(wnn_cpu_allows(p.first));
  CHECK(!wnn_cpu_allows(UINT32_MAX));
  const wnn_placement placement = {&p.first, 1};
  wnn_pool *pool = wnn_pool_create(&wnn_default_allocator, 2, &placement);
  REQUIRE(pool);
  for (int i = 0; i < 10000 && !atomic_load(&p.seen[1]); i++) wnn_pool_run(pool, note_place, &p, 1000, 1);
  CHECK(p.seen[1] > 0);
  CHECK_EQ(p.away[0], 0);
  CHECK_EQ(p.away[1], 0);
  wnn_pool_destroy(pool);
  REQUIRE(!sched_getaffinity(0, sizeof after, &after));
  CHECK(CPU_EQUAL(&before, &after));
}

static void features_are_consistent(void) {
  uint64_t features = wnn_cpu_detect();
  if (features & WNN_CPU_AVX512) CHECK(features & WNN_CPU_AVX2);
  if (features & WNN_CPU_VNNI) CHECK(features & WNN_CPU_AVX512);
  if (features & WNN_CPU_AVXVNNI) CHECK(features & WNN_CPU_AVX2);
  if (features & WNN_CPU_AMX) CHECK(features & WNN_CPU_VNNI);
#if defined(__x86_64__)
  CHECK(!(features & WNN_CPU_NEON));
  CHECK_EQ((features & WNN_CPU_AVX2) != 0, __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"));
  CHECK_EQ((features & WNN_CPU_AVX512) != 0, __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                                                 __builtin_cpu_supports("avx512dq") &&
                                                 __builtin_cpu_supports("avx512vl"));
#endif
}

int main(int argc, char **argv) {
  test_begin(argc, argv);
  TEST(every_item_once);
  TEST(small_ranges_stay_here);
  TEST(sleepers_wake);
  TEST(idle_costs_nothing);
  TEST(short_lives);
  TEST(processors_follow_affinity);
  TEST(workers_stay_where_they_are_put);
  TEST(features_are_consistent);
  return test_end();
}
