/* webnn bench: how long a model takes, and how that compares with a saved measurement. */
#include <json-c/json.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "request.h"

const char cli_bench_usage[] =
    "webnn bench [OPTIONS] MODEL.onnx [NAME=FILE ...]\n\n"
    "  Runs a model many times and shows percentiles, throughput, memory and times of preparation.\n"
    "  Inputs not given are random.\n\n"
    "    webnn bench rec.onnx --shape x=1x3x48x320 --threads 2\n"
    "    webnn bench rec.onnx --shape x=1x3x48x320 --save before.json\n"
    "    webnn bench rec.onnx --shape x=1x3x48x320 --compare before.json --tolerance 10\n\n"
    "Measurement\n"
    "  --seconds S            time to measure (default 2), at least 10 runs\n"
    "  --runs N               a fixed number of runs instead\n"
    "  --warmup N             runs before that (default 3)\n"
    "  --save FILE            write the result as JSON\n"
    "  --compare FILE         show ratios to a saved result\n"
    "  --tolerance PERCENT    with --compare: exit code 1 when the median is slower by more\n"
    "  --json                 the result as JSON\n" CLI_INPUT_OPTIONS CLI_MODEL_OPTIONS CLI_ENGINE_OPTIONS;

enum { OWN_SECONDS = CLI_OWN, OWN_RUNS, OWN_WARMUP, OWN_SAVE, OWN_COMPARE, OWN_TOLERANCE, LEAST_RUNS = 10 };
static const struct option own_options[] = {{"seconds", required_argument, NULL, OWN_SECONDS},
                                            {"runs", required_argument, NULL, OWN_RUNS},
                                            {"warmup", required_argument, NULL, OWN_WARMUP},
                                            {"save", required_argument, NULL, OWN_SAVE},
                                            {"compare", required_argument, NULL, OWN_COMPARE},
                                            {"tolerance", required_argument, NULL, OWN_TOLERANCE},
                                            {0}};

typedef struct bench_options {
  uint32_t seconds, runs, warmup, tolerance;
  bool has_tolerance;
  const char *save, *compare;
} bench_options;

static bool take(void *user, int option, const char *text) {
  bench_options *o = user;
  switch (option) {
  case OWN_SECONDS: return cli_parse_count("--seconds", text, 1, 3600, &o->seconds);
  case OWN_RUNS: return cli_parse_count("--runs", text, 1, 10000000, &o->runs);
  case OWN_WARMUP: return cli_parse_count("--warmup", text, 0, 1000000, &o->warmup);
  case OWN_TOLERANCE: o->has_tolerance = true; return cli_parse_count("--tolerance", text, 0, 10000, &o->tolerance);
  case OWN_SAVE: o->save = text; return true;
  default: o->compare = text; return true;
  }
}

/* Figures of a measurement, in the order shown. */
typedef enum figure_id { MIN, P50, P90, P99, MAX, MEAN, RATE, OPEN, IMPORT, BUILD, FIRST, PEAK, FIGURES } figure_id;
typedef struct figure {
  const char *key, *text;
  char unit; /* t: milliseconds; r: per second; m: megabytes */
} figure;
static const figure figures[FIGURES] = {{"minMs", "fastest", 't'},
                                        {"p50Ms", "median", 't'},
                                        {"p90Ms", "90 %", 't'},
                                        {"p99Ms", "99 %", 't'},
                                        {"maxMs", "slowest", 't'},
                                        {"meanMs", "mean", 't'},
                                        {"runsPerSecond", "throughput", 'r'},
                                        {"openMs", "open the file", 't'},
                                        {"importMs", "read the graph", 't'},
                                        {"buildMs", "compile", 't'},
                                        {"firstRunMs", "first run", 't'},
                                        {"peakMb", "peak memory", 'm'}};

static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double percentile(const double *sorted, size_t count, double share) {
  double at = share * (double)(count - 1);
  size_t low = (size_t)at, high = low + 1 < count ? low + 1 : low;
  return sorted[low] + (sorted[high] - sorted[low]) * (at - (double)low);
}

/* The times of all runs, sorted; NULL on failure. */
static double *measure(const cli_request *r, const bench_options *o, wnn_context *context, const cli_bound *bound,
                       size_t *count, double *first) {
  cli_progress progress;
  size_t room = 0;
  double *times = NULL, limit = o->seconds * 1e3, start = cli_now_ms();
  bool done = cli_bound_run(context, bound);
  *first = cli_now_ms() - start;
  *count = 0;
  for (uint32_t i = 1; done && i < o->warmup; i++) done = cli_bound_run(context, bound);
  cli_progress_start(&progress, r, "Measuring");
  start = cli_now_ms();
  for (double last = start; done;) {
    bool enough = o->runs ? *count >= o->runs : *count >= LEAST_RUNS && last - start >= limit;
    if (enough) break;
    if (*count == room) {
      double *grown = realloc(times, (room = room ? room * 2 : 256) * sizeof *grown);
      if (!grown) {
        cli_fail("Memory is short.");
        done = false;
        break;
      }
      times = grown;
    }
    done = cli_bound_run(context, bound);
    double now = cli_now_ms();
    times[(*count)++] = now - last;
    last = now;
    if (o->runs)
      cli_progress_step(&progress, *count, o->runs);
    else
      cli_progress_step(&progress, (size_t)((last - start) / 10), (size_t)(limit / 10));
  }
  cli_progress_end(&progress);
  if (done) {
    qsort(times, *count, sizeof *times, by_value);
  } else {
    free(times);
    times = NULL;
  }
  return times;
}

static struct json_object *to_json(const cli_request *r, const double *values, size_t runs, uint32_t threads,
                                   const wnn_graph *graph) {
  struct json_object *root = json_object_new_object(), *inputs = json_object_new_object();
  json_object_object_add(root, "model", json_object_new_string(r->path));
  json_object_object_add(root, "version", json_object_new_string(wnn_version()));
  json_object_object_add(root, "threads", json_object_new_int64(threads));
  json_object_object_add(root, "reference", json_object_new_boolean(r->engine.reference));
  json_object_object_add(root, "runs", json_object_new_int64((int64_t)runs));
  for (size_t i = 0; i < wnn_graph_input_count(graph); i++) {
    char text[CLI_SHAPE_TEXT];
    json_object_object_add(inputs, wnn_graph_input_name(graph, i),
                           json_object_new_string(cli_desc_text(wnn_graph_input_desc(graph, i), text)));
  }
  json_object_object_add(root, "inputs", inputs);
  for (int i = 0; i < FIGURES; i++) json_object_object_add(root, figures[i].key, json_object_new_double(values[i]));
  return root;
}

static const char *figure_text(int i, double value, char text[CLI_NUMBER_TEXT]) {
  if (figures[i].unit == 't') return cli_time(value, text);
  snprintf(text, CLI_NUMBER_TEXT, figures[i].unit == 'r' ? "%.1f /s" : "%.1f MB", value);
  return text;
}

/* before: values of a saved result, NAN where it has none; NULL without one. */
static void show(const cli_request *r, const double *values, const double *before, size_t runs, uint32_t threads,
                 const wnn_graph *graph) {
  char shape[CLI_SHAPE_TEXT], a[CLI_NUMBER_TEXT], b[CLI_NUMBER_TEXT];
  wnn_graph_stats g;
  wnn_graph_get_stats(graph, &g);
  printf("%s%s%s, %u thread%s%s, %zu runs\n", cli_bold(stdout), r->path, cli_plain(stdout), threads,
         threads == 1 ? "" : "s", r->engine.reference ? ", reference" : "", runs);
  for (size_t i = 0; i < wnn_graph_input_count(graph); i++)
    printf("  %s %s\n", wnn_graph_input_name(graph, i), cli_desc_text(wnn_graph_input_desc(graph, i), shape));
  for (int i = 0; i < FIGURES; i++) {
    if (i == MIN) printf("Time of a run\n");
    if (i == OPEN) printf("Preparation\n");
    if (i == PEAK) printf("Memory\n");
    printf("  %-16s %10s", figures[i].text, figure_text(i, values[i], a));
    if (before && isfinite(before[i]) && before[i] > 0) {
      double ratio = values[i] / before[i];
      bool worse = i == RATE ? ratio < 0.97 : ratio > 1.03, better = i == RATE ? ratio > 1.03 : ratio < 0.97;
      printf("   before %10s   %sx %.2f%s", figure_text(i, before[i], b),
             worse    ? cli_red(stdout)
             : better ? cli_green(stdout)
                      : "",
             ratio, cli_plain(stdout));
    }
    printf("\n");
  }
  printf("  %-16s %10s\n  %-16s %10s\n", "intermediate", cli_bytes((double)g.arena_bytes, a), "weights held",
         cli_bytes((double)g.constant_bytes, b));
}

static bool read_before(const char *path, double *before) {
  size_t size;
  char *text = cli_read_file(path, &size);
  if (!text) return false;
  struct json_object *root = json_tokener_parse(text), *value;
  free(text);
  bool done = json_object_is_type(root, json_type_object);
  if (!done) cli_fail("%s is no saved result.", path);
  for (int i = 0; i < FIGURES; i++)
    before[i] = done && json_object_object_get_ex(root, figures[i].key, &value) ? json_object_get_double(value) : NAN;
  json_object_put(root);
  return done;
}

static int bench(cli_request *r, const bench_options *o) {
  wnn_context *context;
  wnn_onnx_session *session = NULL;
  cli_bound bound = {0};
  wnn_graph *graph;
  double values[FIGURES], before[FIGURES], *times = NULL;
  size_t count = 0;
  int code = CLI_FAILED;
  if (o->compare && !read_before(o->compare, before)) return CLI_FAILED;
  if (!cli_request_fill(r, CLI_FILL_RANDOM) || !cli_context_make(r, &context)) return CLI_FAILED;
  if (cli_prepare(r, context, &session, &graph) && cli_bound_make(r, context, graph, &bound))
    times = measure(r, o, context, &bound, &count, &values[FIRST]);
  if (times && count) {
    wnn_onnx_stats stats;
    wnn_onnx_session_get_stats(session, &stats);
    values[MIN] = times[0];
    values[P50] = percentile(times, count, 0.5);
    values[P90] = percentile(times, count, 0.9);
    values[P99] = percentile(times, count, 0.99);
    values[MAX] = times[count - 1];
    values[MEAN] = 0;
    for (size_t i = 0; i < count; i++) values[MEAN] += times[i] / (double)count;
    values[RATE] = 1e3 / values[MEAN];
    values[OPEN] = r->open_ms;
    values[IMPORT] = stats.import_ns * 1e-6;
    values[BUILD] = stats.build_ns * 1e-6;
    values[PEAK] = cli_peak_mb();
    uint32_t threads = wnn_context_threads(context);
    struct json_object *root = to_json(r, values, count, threads, graph);
    bool done = !o->save || cli_write_json(o->save, root);
    if (r->json)
      done = cli_write_json("-", root) && done;
    else
      show(r, values, o->compare ? before : NULL, count, threads, graph);
    json_object_put(root);
    code = done ? CLI_OK : CLI_FAILED;
    if (o->compare && o->has_tolerance && values[P50] > before[P50] * (1 + o->tolerance / 100.0))
      code = cli_fail("The median is %.1f %% slower than in %s.", (values[P50] / before[P50] - 1) * 100, o->compare);
  }
  free(times);
  cli_bound_free(&bound);
  wnn_onnx_session_release(session);
  wnn_context_release(context);
  return code;
}

int cli_bench(int argc, char **argv) {
  cli_request r;
  bench_options o = {.seconds = 2, .warmup = 3};
  int code = cli_request_read(&r, argc, argv, own_options, take, &o);
  if (!code) code = bench(&r, &o);
  cli_request_free(&r);
  return code;
}
