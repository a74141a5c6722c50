/* webnn kernel: shows, tests, measures and renders kernel packs. */
#include "cli.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <webnn/webnn_pack.h>

typedef struct kernel_options {
  const char *action, *pack, *device, *variant, *only, *library, *path;
  long version, rounds, threads;
  bool strict, explain;
} kernel_options;

static bool take_value(int argc, char **argv, int *at, const char *name, const char **value) {
  size_t length = strlen(name);
  if (strncmp(argv[*at], name, length)) return false;
  if (argv[*at][length] == '=') {
    *value = argv[*at] + length + 1;
    return true;
  }
  if (argv[*at][length] || *at + 1 >= argc) return false;
  *value = argv[++*at];
  return true;
}

static int parse(int argc, char **argv, kernel_options *o) {
  const char *number;
  for (int i = 1; i < argc; i++) {
    if (take_value(argc, argv, &i, "--device", &o->device) || take_value(argc, argv, &i, "--variant", &o->variant) ||
        take_value(argc, argv, &i, "--case", &o->only) || take_value(argc, argv, &i, "--library", &o->library) ||
        take_value(argc, argv, &i, "--path", &o->path))
      continue;
    if (take_value(argc, argv, &i, "--version", &number)) {
      o->version = strtol(number, NULL, 10);
    } else if (take_value(argc, argv, &i, "--rounds", &number)) {
      o->rounds = strtol(number, NULL, 10);
    } else if (take_value(argc, argv, &i, "--threads", &number)) {
      o->threads = strtol(number, NULL, 10);
    } else if (!strcmp(argv[i], "--strict")) {
      o->strict = true;
    } else if (!strcmp(argv[i], "--explain")) {
      o->explain = true;
    } else if (argv[i][0] == '-' && argv[i][1]) {
      return cli_usage("kernel", "unknown option %s", argv[i]);
    } else if (!o->action) {
      o->action = argv[i];
    } else if (!o->pack) {
      o->pack = argv[i];
    } else {
      return cli_usage("kernel", "one pack at a time: %s is too much", argv[i]);
    }
  }
  if (!o->action || !o->pack) return cli_usage("kernel", "an action (info, test, bench, render) and a pack are needed");
  if (o->device && strcmp(o->device, "cpu") && strcmp(o->device, "webgpu")) return cli_usage("kernel", "--device is cpu or webgpu");
  return CLI_OK;
}

/* A pack by its folder when there is one, else by its name. */
static wnn_status load(const kernel_options *o, wnn_device *device, wnn_device_kind kind, wnn_kernel **kernel, wnn_error *error) {
  wnn_kernel_options options = WNN_KERNEL_OPTIONS_INIT;
  char folder[4096];
  struct stat facts;
  const char *location = o->pack;
  if (!stat(o->pack, &facts) && S_ISDIR(facts.st_mode) && o->pack[0] != '/' && o->pack[0] != '.' && strlen(o->pack) + 3 < sizeof folder) {
    snprintf(folder, sizeof folder, "./%s", o->pack);
    location = folder;
  } else if (!strchr(o->pack, '/') && strlen(o->pack) + 16 < sizeof folder) {
    snprintf(folder, sizeof folder, "webgpu-kernels/%s", o->pack);
    location = folder;
  }
  options.version = location[0] == '/' || location[0] == '.' ? -1 : o->version;
  options.trust = true;
  options.path = o->path;
  options.strict = o->strict;
  options.device = device;
  options.device_kind = kind;
  return wnn_kernel_load(location, &options, kernel, error);
}

/* ---- info --------------------------------------------------------------------------------------------------- */

static void print_types(uint32_t types) {
  bool first = true;
  for (int i = 0; i < WNN_PACK_TYPE_COUNT; i++) {
    if (!(types >> i & 1)) continue;
    printf("%s%s", first ? "" : " ", wnn_pack_type_name((wnn_pack_type)i));
    first = false;
  }
}

static int run_info(const kernel_options *o) {
  wnn_error error = {0};
  wnn_kernel *kernel;
  if (load(o, NULL, WNN_DEVICE_AUTO, &kernel, &error) != WNN_OK) return cli_fail("%s", error.message);
  printf("%s%s%s\n", cli_bold(stdout), wnn_kernel_op(kernel), cli_plain(stdout));
  printf("  version %s, %s, %s\n", wnn_kernel_metadata(kernel, "version"), wnn_kernel_metadata(kernel, "license"), wnn_kernel_metadata(kernel, "id"));
  printf("  %s\n  native kernel: %s\n", wnn_kernel_location(kernel), wnn_kernel_has_cpu(kernel) ? "yes" : "no");
  wnn_kernel_port port;
  for (int pass = 0; pass < 2; pass++) {
    printf("\n%s%s%s\n", cli_bold(stdout), pass ? "Outputs" : "Inputs", cli_plain(stdout));
    for (size_t i = 0; wnn_kernel_get_port(kernel, i, &port); i++) {
      if (pass ? !port.output : !port.input) continue;
      printf("  %-20s %-18s %-6s %-8s rank %-4s ", port.name, port.onnx, port.type, port.optional ? "optional" : "required", port.rank[0] ? port.rank : "-");
      print_types(port.types);
      if (port.storage[0]) printf(", stored as %s", port.storage);
      printf("\n");
      if (port.shape[0]) printf("  %-20s shape %s\n", "", port.shape);
      if (port.description[0]) printf("  %-20s %s%s%s\n", "", cli_dim(stdout), port.description, cli_plain(stdout));
    }
  }
  wnn_kernel_setting setting;
  if (wnn_kernel_get_setting(kernel, 0, &setting)) printf("\n%sSettings%s\n", cli_bold(stdout), cli_plain(stdout));
  for (size_t i = 0; wnn_kernel_get_setting(kernel, i, &setting); i++) {
    printf("  %-20s %-10s default %s", setting.name, setting.kind, setting.default_value[0] ? setting.default_value : "-");
    if (setting.values[0]) printf(", one of %s", setting.values);
    printf("%s\n", setting.required ? ", required" : "");
    if (setting.description[0]) printf("  %-20s %s%s%s\n", "", cli_dim(stdout), setting.description, cli_plain(stdout));
  }
  wnn_kernel_variant variant;
  printf("\n%sVariants%s\n", cli_bold(stdout), cli_plain(stdout));
  for (size_t i = 0; wnn_kernel_get_variant(kernel, i, &variant); i++)
    printf("  %-44s priority %-4g %u pass%s  %s\n", variant.id, variant.priority, variant.pass_count, variant.pass_count == 1 ? "  " : "es", variant.description);
  wnn_kernel_release(kernel);
  return CLI_OK;
}

/* ---- test ----------------------------------------------------------------------------------------------------- */

typedef struct tally {
  unsigned passed, failed, skipped;
  const char *device;
} tally;

static void on_case(void *user, const wnn_pack_report *report) {
  tally *t = user;
  if (report->skipped) {
    t->skipped++;
    printf("%-6s  skip  %s: %s\n", t->device, report->name, report->message);
  } else if (report->status == WNN_OK) {
    t->passed++;
    printf("%-6s  %sok%s    %s", t->device, cli_green(stdout), cli_plain(stdout), report->name);
    if (report->variant[0]) printf("  (%s, largest error %.2g)", report->variant, report->largest_error);
    printf("\n");
  } else {
    t->failed++;
    printf("%-6s  %sFAIL%s  %s: %s\n", t->device, cli_red(stdout), cli_plain(stdout), report->name, report->message);
  }
}

/* The devices that the options ask for: one, or the processor and WebGPU. */
static wnn_status open_device(const kernel_options *o, wnn_device_kind kind, wnn_device **device, wnn_error *error) {
  wnn_device_options options = WNN_DEVICE_OPTIONS_INIT;
  options.kind = kind;
  options.webgpu_library = o->library;
  options.threads = o->threads > 0 ? (uint32_t)o->threads : 0;
  return wnn_device_create(&options, device, error);
}

static const char *kind_name(wnn_device_kind kind) { return kind == WNN_DEVICE_CPU ? "cpu" : "webgpu"; }
static bool wanted(const kernel_options *o, wnn_device_kind kind) { return !o->device || !strcmp(o->device, kind_name(kind)); }

static int run_test(const kernel_options *o) {
  static const wnn_device_kind kinds[] = {WNN_DEVICE_CPU, WNN_DEVICE_WEBGPU};
  tally t = {0};
  for (int i = 0; i < 2; i++) {
    if (!wanted(o, kinds[i])) continue;
    wnn_error error = {0};
    wnn_device *device = NULL;
    wnn_kernel *kernel = NULL;
    t.device = kind_name(kinds[i]);
    wnn_status status = load(o, NULL, kinds[i], &kernel, &error);
    if (status != WNN_OK) return cli_fail("%s", error.message);
    bool possible = kinds[i] != WNN_DEVICE_CPU || wnn_kernel_has_cpu(kernel);
    wnn_kernel_release(kernel);
    kernel = NULL;
    if (possible) status = open_device(o, kinds[i], &device, &error);
    if (!possible || status == WNN_NOT_SUPPORTED) {
      printf("%-6s  skip  %s\n", t.device, possible ? error.message : "the pack has no native kernel");
      t.skipped++;
      continue;
    }
    if (status == WNN_OK) status = load(o, device, kinds[i], &kernel, &error);
    if (status == WNN_OK) status = wnn_kernel_test(kernel, on_case, &t, &error);
    if (status != WNN_OK) {
      printf("%-6s  %sFAIL%s  %s\n", t.device, cli_red(stdout), cli_plain(stdout), error.message);
      t.failed++;
    }
    wnn_kernel_release(kernel);
    wnn_device_release(device);
  }
  printf("%u passed, %u failed, %u skipped\n", t.passed, t.failed, t.skipped);
  return t.failed ? CLI_FAILED : CLI_OK;
}

/* ---- bench ------------------------------------------------------------------------------------------------------ */

typedef struct bench_table {
  double rate; /* of copying */
  unsigned failed;
} bench_table;

static void on_row(void *user, const wnn_pack_report *report) {
  bench_table *t = user;
  if (report->status != WNN_OK) {
    printf("  %-30s %s: %s\n", report->name, report->skipped ? "skipped" : "FAILED", report->message);
    if (!report->skipped) t->failed++;
    return;
  }
  double time = report->kernel_ns > 0 ? report->kernel_ns : report->call_ns, rate = report->bytes / time;
  printf("  %-30s %-30s %9.1f us %9.1f us %9.1f GB/s %5.0f%%  %s\n", report->name, report->variant, report->kernel_ns * 1e-3, report->call_ns * 1e-3, rate,
         100 * rate * 1e9 / t->rate, report->message);
}

static int run_bench(const kernel_options *o) {
  static const wnn_device_kind kinds[] = {WNN_DEVICE_CPU, WNN_DEVICE_WEBGPU};
  bench_table table = {0};
  for (int i = 0; i < 2; i++) {
    if (!wanted(o, kinds[i])) continue;
    wnn_error error = {0};
    wnn_device *device = NULL;
    wnn_kernel *kernel = NULL;
    wnn_status status = open_device(o, kinds[i], &device, &error);
    if (status == WNN_OK) status = load(o, device, kinds[i], &kernel, &error);
    if (status == WNN_OK && kinds[i] == WNN_DEVICE_CPU && !wnn_kernel_has_cpu(kernel)) status = WNN_NOT_SUPPORTED;
    if (status == WNN_OK) status = wnn_kernel_copy_rate(kernel, kinds[i] == WNN_DEVICE_CPU ? (size_t)64 << 20 : (size_t)256 << 20, &table.rate, &error);
    if (status == WNN_OK) {
      wnn_device_info info;
      wnn_device_get_info(device, &info);
      printf("%s (%s%s%s): copying %.1f GB/s\n", kind_name(kinds[i]), info.name, info.architecture[0] ? ", " : "", info.architecture, table.rate * 1e-9);
      printf("  %-30s %-30s %12s %12s %14s %6s\n", "case", "variant", "kernel", "call", "rate", "copy");
      status = wnn_kernel_bench(kernel, o->rounds > 0 ? (uint32_t)o->rounds : 0, o->only, on_row, &table, &error);
    }
    wnn_kernel_release(kernel);
    wnn_device_release(device);
    if (status == WNN_NOT_SUPPORTED)
      printf("%s: skipped: %s\n", kind_name(kinds[i]), error.message[0] ? error.message : "the pack has no native kernel");
    else if (status != WNN_OK)
      return cli_fail("%s", error.message);
  }
  return table.failed ? CLI_FAILED : CLI_OK;
}

/* ---- render ------------------------------------------------------------------------------------------------------- */

static int run_render(const kernel_options *o) {
  wnn_error error = {0};
  wnn_device *device = NULL;
  wnn_kernel *kernel;
  if (o->device && !strcmp(o->device, "webgpu") && open_device(o, WNN_DEVICE_WEBGPU, &device, &error) != WNN_OK) return cli_fail("%s", error.message);
  char *text = NULL;
  wnn_status status = load(o, device, WNN_DEVICE_AUTO, &kernel, &error);
  if (status == WNN_OK) {
    status = wnn_kernel_render_case(kernel, o->only, o->variant, o->explain, &text, &error);
    wnn_kernel_release(kernel);
  }
  wnn_device_release(device);
  if (status != WNN_OK) return cli_fail("%s", error.message);
  fputs(text, stdout);
  wnn_pack_text_free(text);
  return CLI_OK;
}

int wnn_cli_kernel(int argc, char **argv);
int wnn_cli_kernel(int argc, char **argv) {
  static const struct {
    const char *name;
    int (*run)(const kernel_options *o);
  } actions[] = {{"info", run_info}, {"test", run_test}, {"bench", run_bench}, {"render", run_render}};
  kernel_options o = {.version = 1};
  int code = parse(argc, argv, &o);
  if (code != CLI_OK) return code;
  for (size_t i = 0; i < sizeof actions / sizeof *actions; i++)
    if (!strcmp(actions[i].name, o.action)) return actions[i].run(&o);
  return cli_usage("kernel", "unknown action %s", o.action);
}
