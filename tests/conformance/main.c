/* webnn-conformance: runs the conformance vectors of a folder in several engine configurations. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/vectors.h"
#include "support/test.h"

enum { MAX_CONFIGS = 16, MAX_FILES = 512 };

typedef struct config {
  char name[64];
  wnn_context_options options;
  operand_source source;
  wnn_context *context;
} config;

typedef struct total {
  const char *name;
  unsigned passed, failed, skipped;
} total;

static struct {
  config configs[MAX_CONFIGS];
  size_t config_count;
  total totals[WNN_OP_COUNT + 1]; /* the last one: graphs of several operations */
  const char *op, *id;
  bool verbose;
} runner;

static const char usage[] =
    "usage: webnn-conformance [options]\n"
    "  --dir DIR         folder of vectors (default: ../shared/wpt beside the checkout, or WEBNN_SHARED)\n"
    "  --mode MODE       reference, fast or all (default all)\n"
    "  --features LIST   highest processor features to use: baseline, avx2, avxvnni, avx512, vnni, amx, neon (default: "
    "each there is)\n"
    "  --sources LIST    given, constants, inputs: what operands of the graph are (default: all three)\n"
    "  --threads N       threads of the contexts (default 2)\n"
    "  --no-passes       only with all compiler passes off; default: once with and once without\n"
    "  --op NAME         only the cases of one operation\n"
    "  --id TEXT         only the cases whose id contains TEXT\n"
    "  --verbose         name every case\n";

/* ---- Configurations ---------------------------------------------------------------------------------- */

static void add_config(const char *name, wnn_context_options options, operand_source source) {
  if (runner.config_count == MAX_CONFIGS) return;
  config *c = &runner.configs[runner.config_count++];
  snprintf(c->name, sizeof c->name, "%s%s%s", name,
           source == SOURCE_ALL_CONSTANT ? " constants"
           : source == SOURCE_ALL_INPUTS ? " inputs"
                                         : "",
           options.disabled_passes ? " no-passes" : "");
  c->options = options;
  c->source = source;
}

static bool listed(const char *list, const char *name) {
  size_t length = strlen(name);
  for (const char *at = list; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
    if (!strncmp(at, name, length) && (!at[length] || at[length] == ',')) return true;
  return !list;
}

/* Masks grow by one feature at a time; variations of sources and passes run with the widest one. */
static void make_configs(const char *mode, const char *features, const char *sources, uint32_t threads,
                         bool no_passes) {
  static const struct {
    const char *name;
    uint64_t bit;
  } known[] = {{"baseline", 0},
#define X(constant, bit, name) {name, constant},
               WNN_CPU_FEATURE_LIST(X)
#undef X
  };
  wnn_context_options options = WNN_CONTEXT_OPTIONS_INIT;
  options.threads = threads;
  bool fast = strcmp(mode, "reference") != 0, all = !strcmp(mode, "all");
  if (!fast || all) {
    options.reference = true;
    add_config("reference", options, SOURCE_AS_GIVEN);
    options.reference = false;
  }
  if (!fast) return;
  uint64_t mask = 0, widest = 0;
  const char *widest_name = NULL;
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    if (known[i].bit && !(wnn_cpu_detect() & known[i].bit)) continue;
    mask |= known[i].bit;
    if (!listed(features, known[i].name)) continue;
    options.cpu_features = widest = mask;
    widest_name = known[i].name;
    if (listed(sources, "given") && !no_passes) add_config(known[i].name, options, SOURCE_AS_GIVEN);
  }
  if (!widest_name) return;
  options.cpu_features = widest;
  if (!no_passes && listed(sources, "constants")) add_config(widest_name, options, SOURCE_ALL_CONSTANT);
  if (!no_passes && listed(sources, "inputs")) add_config(widest_name, options, SOURCE_ALL_INPUTS);
  options.disabled_passes = UINT64_MAX;
  if (listed(sources, "given")) add_config(widest_name, options, SOURCE_AS_GIVEN);
}

/* Expected values that are not what the specification's formulas give, with the value that is (disputed.json). The
 * case's own tolerance holds around it. */
static json_object *disputed;

static void correct(json_object *json, const char *id) {
  json_object *entry = json_object_object_get(disputed, id);
  if (!entry) return;
  const char *name = json_object_get_string(json_object_object_get(entry, "output"));
  size_t element = (size_t)json_object_get_int64(json_object_object_get(entry, "element"));
  double value = json_object_get_double(json_object_object_get(entry, "value"));
  json_object *data =
      json_object_object_get(json_object_object_get(json_object_object_get(json, "expected"), name), "data");
  printf("disputed: %s %s[%zu] is %s, compared with %.9g: %s\n", id, name, element,
         json_object_to_json_string(json_object_array_get_idx(data, element)), value,
         json_object_get_string(json_object_object_get(entry, "reason")));
  json_object_array_put_idx(data, element, json_object_new_double(value));
}

/* ---- Cases ---------------------------------------------------------------------------------------------- */

static bool run_case(const config *c, json_object *json, const char *id, char why[WHY]) {
  json_object *bound = json_object_object_get(json, "tolerance");
  const char *name = json_object_get_string(json_object_object_get(bound, "metric"));
  tolerance allowed = {METRIC_ULP, json_object_get_double(json_object_object_get(bound, "value")), 0};
  if (name && !strcmp(name, "ATOL"))
    allowed.metric = METRIC_ABSOLUTE;
  else if (!name || strcmp(name, "ULP")) {
    snprintf(why, WHY, "unknown metric");
    return false;
  }
  session s;
  wnn_status status;
  if (!session_begin(&s, c->context, c->source, why)) return false;
  bool good = session_inputs(&s, json_object_object_get(json, "inputs"), &status, why);
  json_object *operators = json_object_object_get(json, "operators");
  for (size_t i = 0; good && i < json_object_array_length(operators); i++)
    good = session_operator(&s, json_object_array_get_idx(operators, i), id, &status, why);
  good = good && session_run(&s, json_object_object_get(json, "expected"), allowed, why);
  session_end(&s);
  return good;
}

/* The operation that a case counts for. Files of one operation carry its name, computed cases have it in the first
 * operator. */
static total *find_total(const char *operation, json_object *json) {
  if (!strcmp(operation, "extra")) {
    json_object *first = json_object_array_get_idx(json_object_object_get(json, "operators"), 0);
    operation = json_object_get_string(json_object_object_get(first, "name"));
  }
  int op = wnn_op_find(operation);
  return &runner.totals[op < 0 ? WNN_OP_COUNT : op];
}

/* Tensors given as one value are huge; variations of sources would only cost time. */
static bool is_huge(json_object *json) {
  json_object_object_foreach(json_object_object_get(json, "inputs"), name, input) {
    if (json_object_object_get(input, "fill")) return name[0] != 0;
  }
  return false;
}

static void run_file(const char *path) {
  json_object *file = json_object_from_file(path);
  const char *operation = json_object_get_string(json_object_object_get(file, "operation"));
  json_object *cases = json_object_object_get(file, "cases");
  if (!operation || !json_object_is_type(cases, json_type_array)) {
    test_failed("%s: cannot be read: %s", path, json_util_get_last_err() ? json_util_get_last_err() : "no cases");
    json_object_put(file);
    return;
  }
  for (size_t i = 0; i < json_object_array_length(cases); i++) {
    json_object *json = json_object_array_get_idx(cases, i), *beyond = json_object_object_get(json, "beyondSpec");
    const char *id = json_object_get_string(json_object_object_get(json, "id"));
    total *t = find_total(operation, json);
    if (runner.op && strcmp(runner.op, t->name)) continue;
    if (runner.id && !strstr(id, runner.id)) continue;
    if (beyond) {
      t->skipped++;
      test_skipped("%s %s: beyond the specification: %s", t->name, id, json_object_get_string(beyond));
      continue;
    }
    correct(json, id);
    for (size_t c = 0; c < runner.config_count; c++) {
      if (is_huge(json) && runner.configs[c].source != SOURCE_AS_GIVEN) continue;
      char why[WHY] = "";
      if (run_case(&runner.configs[c], json, id, why)) {
        if (runner.verbose) printf("passed: %s %s (%s)\n", t->name, id, runner.configs[c].name);
        t->passed++;
        test_passed();
      } else {
        t->failed++;
        test_failed("%s %s (%s): %s", t->name, id, runner.configs[c].name, why);
      }
    }
  }
  json_object_put(file);
}

static int compare_names(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

/* JSON files of a folder in order of their names; returns how many. */
static size_t run_folder(const char *dir) {
  char *names[MAX_FILES];
  size_t count = 0;
  DIR *folder = opendir(dir);
  if (!folder) return 0;
  for (struct dirent *entry; (entry = readdir(folder)) && count < MAX_FILES;) {
    size_t length = strlen(entry->d_name);
    if (length > 5 && !strcmp(entry->d_name + length - 5, ".json")) names[count++] = strdup(entry->d_name);
  }
  closedir(folder);
  qsort(names, count, sizeof *names, compare_names);
  for (size_t i = 0; i < count; i++) {
    char path[4096];
    if (snprintf(path, sizeof path, "%s/%s", dir, names[i]) < (int)sizeof path) run_file(path);
    free(names[i]);
  }
  return count;
}

static void print_totals(void) {
  for (int op = 0; op <= WNN_OP_COUNT; op++) {
    const total *t = &runner.totals[op];
    if (t->passed + t->failed + t->skipped)
      printf("%-24s %5u passed %5u failed %5u skipped\n", t->name, t->passed, t->failed, t->skipped);
    else if (!runner.op && !runner.id && op < WNN_OP_COUNT)
      test_failed("%s: there are no cases", t->name);
  }
}

int main(int argc, char **argv) {
  const char *dir = NULL, *mode = "all", *features = NULL, *sources = NULL;
  uint32_t threads = 2;
  bool no_passes = false;
  disputed = json_object_from_file(WEBNN_SOURCE_DIR "/tests/conformance/disputed.json");
  if (!disputed) {
    fprintf(stderr, "tests/conformance/disputed.json cannot be read\n");
    return 1;
  }
  for (int i = 1; i < argc; i++) {
    const char *value = i + 1 < argc ? argv[i + 1] : NULL;
    if (!strcmp(argv[i], "--verbose"))
      runner.verbose = true;
    else if (!strcmp(argv[i], "--no-passes"))
      no_passes = true;
    else if (value && !strcmp(argv[i], "--dir"))
      dir = argv[++i];
    else if (value && !strcmp(argv[i], "--mode"))
      mode = argv[++i];
    else if (value && !strcmp(argv[i], "--features"))
      features = argv[++i];
    else if (value && !strcmp(argv[i], "--sources"))
      sources = argv[++i];
    else if (value && !strcmp(argv[i], "--threads"))
      threads = (uint32_t)strtoul(argv[++i], NULL, 10);
    else if (value && !strcmp(argv[i], "--op"))
      runner.op = argv[++i];
    else if (value && !strcmp(argv[i], "--id"))
      runner.id = argv[++i];
    else {
      fputs(usage, stderr);
      return 2;
    }
  }
  test_begin(1, argv);
  char shared[4096];
  if (!dir) {
    const char *found = test_shared("wpt/README.md");
    if (!found) {
      test_skipped("../shared is missing");
      return test_end();
    }
    snprintf(shared, sizeof shared, "%s", found);
    *strrchr(shared, '/') = 0;
    dir = shared;
  }
  for (int op = 0; op < WNN_OP_COUNT; op++) runner.totals[op].name = wnn_op_get(op)->name;
  runner.totals[WNN_OP_COUNT].name = "subgraph";
  make_configs(mode, features, sources, threads, no_passes);
  if (!runner.config_count || (runner.op && wnn_op_find(runner.op) < 0 && strcmp(runner.op, "subgraph"))) {
    fputs(usage, stderr);
    return 2;
  }
  for (size_t i = 0; i < runner.config_count; i++) {
    wnn_error error;
    if (wnn_context_create(&runner.configs[i].options, &runner.configs[i].context, &error)) {
      test_failed("context %s: %s", runner.configs[i].name, error.message);
      return test_end();
    }
    printf("configuration: %s\n", runner.configs[i].name);
  }
  if (!run_folder(dir)) test_failed("%s: no vectors", dir);
  print_totals();
  for (size_t i = 0; i < runner.config_count; i++) wnn_context_release(runner.configs[i].context);
  return test_end();
}
