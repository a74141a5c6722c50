/* webnn-bench: loads one model into one engine, then measures on command.
 *
 *   webnn-bench ours|peer --model FILE [--library FILE] [--network NAME] [--threads N] [--features MASK] [--disable
 * MASK] [--profile]
 *               [--in NAME TYPE DIMS FILL]... [--out NAME]...
 *
 * It answers each line of its input with one JSON line: at the start {build_ms, first_ms}; to "run SECONDS"
 * {count, min_ms, median_ms}; to "dump PREFIX" (outputs into files) {outputs}; to "peak" {peak_kb}; "steps"
 * prints a profile. "quit" or the end of input ends it. Alternating two such processes keeps their memory, threads and
 * caches apart. */
#include "engine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MAX_RUNS = 20000, MIN_RUNS = 3 };

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

/* A turn: a warm-up of a tenth of the time, then runs until it is over. */
static void turn(const bench_engine *engine, void *state, double seconds) {
  static double times[MAX_RUNS];
  size_t count = 0;
  const double start = now();
  do engine->run(state);
  while (now() < start + 100 * seconds);
  const double end = now() + 1000 * seconds;
  while (count < MIN_RUNS || (count < MAX_RUNS && now() < end)) {
    const double before = now();
    engine->run(state);
    times[count++] = now() - before;
  }
  qsort(times, count, sizeof *times, ascending);
  printf("{\"count\":%zu,\"min_ms\":%.6f,\"median_ms\":%.6f}\n", count, times[0], times[count / 2]);
}

static void dump(const bench_engine *engine, void *state, const char *prefix) {
  size_t count = 0, size;
  for (const void *data; (data = engine->output(state, count, &size)); count++) {
    char path[700];
    if (snprintf(path, sizeof path, "%s.%zu", prefix, count) >= (int)sizeof path) bench_die("too long a path");
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(data, 1, size, file) != size || fclose(file)) bench_die("cannot write %s", path);
  }
  printf("{\"outputs\":%zu}\n", count);
}

/* The process's own high-water mark: what getrusage gives starts from the memory of the process that started it. */
static void peak(void) {
  long kb = 0;
  char line[200];
  FILE *file = fopen("/proc/self/status", "r");
  while (file && !kb && fgets(line, sizeof line, file))
    if (!strncmp(line, "VmHWM:", 6)) kb = atol(line + 6);
  if (file) fclose(file);
  printf("{\"peak_kb\":%ld}\n", kb);
}

static const bench_engine *parse(int argc, char **argv, bench_job *job) {
  const bench_engine *engine = NULL;
  if (argc > 1 && !strcmp(argv[1], "ours")) engine = &bench_ours;
  if (argc > 1 && !strcmp(argv[1], "peer")) engine = &bench_peer;
  for (int i = 2; engine && i < argc; i++) {
    const int left = argc - i - 1;
    if (!strcmp(argv[i], "--profile"))
      job->profile = true;
    else if (!strcmp(argv[i], "--model") && left)
      job->model = argv[++i];
    else if (!strcmp(argv[i], "--library") && left)
      job->library = argv[++i];
    else if (!strcmp(argv[i], "--network") && left)
      job->network = argv[++i];
    else if (!strcmp(argv[i], "--threads") && left)
      job->threads = (unsigned)atoi(argv[++i]);
    else if (!strcmp(argv[i], "--features") && left)
      job->features = strtoull(argv[++i], NULL, 0);
    else if (!strcmp(argv[i], "--disable") && left)
      job->disabled_passes = strtoull(argv[++i], NULL, 0);
    else if (!strcmp(argv[i], "--in") && left >= 4 && job->input_count < BENCH_MAX_TENSORS) {
      bench_tensor_make(&job->inputs[job->input_count++], argv[i + 1], argv[i + 2], argv[i + 3], argv[i + 4]);
      i += 4;
    } else if (!strcmp(argv[i], "--out") && left && job->output_count < BENCH_MAX_TENSORS)
      job->outputs[job->output_count++] = argv[++i];
    else
      bench_die("unknown or incomplete argument %s", argv[i]);
  }
  return job->model ? engine : NULL;
}

int main(int argc, char **argv) {
  static bench_job job = {.threads = 1, .features = UINT64_MAX};
  const bench_engine *engine = parse(argc, argv, &job);
  if (!engine)
    bench_die(
        "usage: webnn-bench ours|peer --model FILE [--library FILE] [--network NAME] [--threads N] [--features MASK] "
        "[--disable MASK] [--profile] [--in NAME TYPE DIMS FILL]... [--out NAME]...");
  setvbuf(stdout, NULL, _IOLBF, 0);
  const double start = now();
  void *state = engine->load(&job);
  const double loaded = now();
  engine->run(state);
  printf("{\"build_ms\":%.3f,\"first_ms\":%.3f}\n", loaded - start, now() - loaded);
  char line[600];
  while (fgets(line, sizeof line, stdin)) {
    line[strcspn(line, "\n")] = 0;
    if (!strncmp(line, "run ", 4))
      turn(engine, state, atof(line + 4));
    else if (!strncmp(line, "dump ", 5))
      dump(engine, state, line + 5);
    else if (!strcmp(line, "peak"))
      peak();
    else if (!strcmp(line, "steps"))
      engine->steps(state), puts("{}");
    else if (!strcmp(line, "quit"))
      break;
    else
      bench_die("unknown command %s", line);
  }
  return 0;
}
