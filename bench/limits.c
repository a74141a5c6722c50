/* webnn-limits: what this machine can do, as JSON: multiply-add peak of each instruction set and copy bandwidth of each
 * level of memory, on one thread and on two. Best of several rounds. */
#include "limits.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <webnn/webnn.h>

enum { ROUNDS = 12, MAX_THREADS = 2 };

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* What a thread does: work counts units (operations or bytes). */
typedef struct job {
  double (*peak)(long, float *);
  size_t bytes; /* of a copy's source and target together; 0: peak */
  char *memory;
  pthread_barrier_t *barrier;
  double start, end, work;
} job;

static double copy(const job *j) {
  const size_t half = j->bytes / 2, times = ((size_t)96 << 20) / half + 1;
  for (size_t i = 0; i < times; i++) {
    memcpy(j->memory + half, j->memory, half);
    __asm__ volatile("" ::: "memory");
  }
  return (double)times * (double)half * 2;
}

static void *run(void *argument) {
  job *j = argument;
  float sink[3] = {0.5f, 0.25f, 0};
  pthread_barrier_wait(j->barrier);
  j->start = now();
  j->work = j->bytes ? copy(j) : j->peak(1000000, sink);
  j->end = now();
  return NULL;
}

/* Best rate in 1e9 units a second of count threads doing the same. */
static double best(unsigned count, double (*peak)(long, float *), size_t bytes) {
  double rate = 0;
  job jobs[MAX_THREADS];
  pthread_t threads[MAX_THREADS];
  pthread_barrier_t barrier;
  for (unsigned t = 0; t < count; t++) {
    jobs[t] = (job){.peak = peak, .bytes = bytes, .barrier = &barrier};
    if (bytes) {
      if (posix_memalign((void **)&jobs[t].memory, 4096, bytes)) exit(1);
      memset(jobs[t].memory, 1, bytes);
    }
  }
  for (int round = 0; round < ROUNDS; round++) {
    pthread_barrier_init(&barrier, NULL, count);
    for (unsigned t = 0; t < count; t++)
      if (pthread_create(&threads[t], NULL, run, &jobs[t])) exit(1);
    double start = 1e300, end = 0, work = 0;
    for (unsigned t = 0; t < count; t++) {
      pthread_join(threads[t], NULL);
      if (jobs[t].start < start) start = jobs[t].start;
      if (jobs[t].end > end) end = jobs[t].end;
      work += jobs[t].work;
    }
    if (work / (end - start) * 1e-9 > rate) rate = work / (end - start) * 1e-9;
    pthread_barrier_destroy(&barrier);
  }
  for (unsigned t = 0; t < count; t++) free(jobs[t].memory);
  return rate;
}

int main(void) {
  static const struct {
    const char *name;
    size_t bytes;
  } levels[] = {{"l1", 24 << 10}, {"l2", 384 << 10}, {"l3", 8 << 20}, {"memory", (size_t)192 << 20}};
  printf("{");
  for (unsigned t = 1; t <= MAX_THREADS; t++) {
    printf("%s\"%u\":{\"baseline_gflops\":%.1f", t == 1 ? "" : ",", t, best(t, bench_peak_baseline, 0));
#ifdef __x86_64__
    const uint64_t features = wnn_cpu_detect();
    if (features & WNN_CPU_AVX2) printf(",\"avx2_gflops\":%.1f", best(t, bench_peak_avx2, 0));
    if (features & WNN_CPU_AVX512) printf(",\"avx512_gflops\":%.1f", best(t, bench_peak_avx512, 0));
#endif
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++)
      printf(",\"%s_gbs\":%.1f", levels[i].name, best(t, NULL, levels[i].bytes));
    printf("}");
  }
  printf("}\n");
  return 0;
}
