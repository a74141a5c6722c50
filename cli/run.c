/* webnn run: a model on inputs from files; results as a table, JSON, .npy or a ranking. */
#include <json-c/json.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "request.h"

const char cli_run_usage[] =
    "webnn run [OPTIONS] MODEL.onnx [NAME=FILE ...]\n\n"
    "  Runs a model once and shows its outputs.\n\n"
    "    webnn run model.onnx --fill random                     any input will do\n"
    "    webnn run cls.onnx x=photo.jpg --size 224x224 --mean 0.485,0.456,0.406 \\\n"
    "          --std 0.229,0.224,0.225 --top 5 --labels words.txt\n"
    "    webnn run vad.onnx input=speech.npy state=state.npy --value sr=16000 --save out\n\n"
    "Results\n"
    "  --top K                largest K values along the last axis of each output\n"
    "  --labels FILE          names for them, one a line\n"
    "  --output NAME=FILE     write an output to .npy or .json\n"
    "  --save DIR             write every output to DIR/NAME.npy (odd characters as %XX)\n"
    "  --rows N               rows of a table shown (default 8)\n"
    "  --json                 everything as JSON\n" CLI_INPUT_OPTIONS CLI_MODEL_OPTIONS CLI_ENGINE_OPTIONS;

enum { OWN_TOP = CLI_OWN, OWN_LABELS, OWN_OUTPUT, OWN_SAVE, OWN_ROWS, MAX_OUTPUTS = 64 };
static const struct option own_options[] = {
    {"top", required_argument, NULL, OWN_TOP},       {"labels", required_argument, NULL, OWN_LABELS},
    {"output", required_argument, NULL, OWN_OUTPUT}, {"save", required_argument, NULL, OWN_SAVE},
    {"rows", required_argument, NULL, OWN_ROWS},     {0}};

typedef struct run_options {
  uint32_t top, rows;
  const char *labels_path, *save;
  const char *outputs[MAX_OUTPUTS];
  size_t output_count;
  char *labels_text;
  const char **labels;
  size_t label_count;
} run_options;

static bool take(void *user, int option, const char *text) {
  run_options *o = user;
  switch (option) {
  case OWN_TOP: return cli_parse_count("--top", text, 1, 100000, &o->top);
  case OWN_ROWS: return cli_parse_count("--rows", text, 1, 1000000, &o->rows);
  case OWN_LABELS: o->labels_path = text; return true;
  case OWN_SAVE: o->save = text; return true;
  default:
    if (o->output_count == MAX_OUTPUTS) return cli_fail("--output: at most %d.", MAX_OUTPUTS), false;
    o->outputs[o->output_count++] = text;
    return true;
  }
}

static bool read_labels(run_options *o) {
  size_t size, room = 0;
  if (!o->labels_path) return true;
  o->labels_text = cli_read_file(o->labels_path, &size);
  if (!o->labels_text) return false;
  for (char *line = o->labels_text; *line;) {
    size_t length = strcspn(line, "\n");
    bool last = !line[length];
    if (o->label_count == room) {
      const char **grown = realloc(o->labels, (room = room ? room * 2 : 1024) * sizeof *grown);
      if (!grown) return cli_fail("Memory is short."), false;
      o->labels = grown;
    }
    line[length] = 0;
    if (length && line[length - 1] == '\r') line[length - 1] = 0;
    o->labels[o->label_count++] = line;
    line += length + !last;
  }
  return true;
}

/* ---- Tables ---------------------------------------------------------------------------------------- */

static void print_value(const wnn_onnx_tensor *t, uint64_t index) {
  if (cli_is_float(t->desc.data_type))
    printf(" %11.6g", cli_element(&t->desc, t->data, index));
  else
    printf(" %8.0f", cli_element(&t->desc, t->data, index));
}

static void print_table(const wnn_onnx_tensor *t, uint64_t count, uint32_t rows) {
  enum { COLUMNS = 8 };
  uint64_t width = t->desc.rank ? t->desc.shape[t->desc.rank - 1] : 1, lines = width ? count / width : 0;
  for (uint64_t y = 0; y < lines && y < rows; y++) {
    printf("  ");
    for (uint64_t x = 0; x < width && x < COLUMNS; x++) print_value(t, y * width + x);
    puts(width > COLUMNS ? "  ..." : "");
  }
  if (lines > rows) printf("   ... %llu rows in all\n", (unsigned long long)lines);
}

static void print_summary(const wnn_onnx_tensor *t, uint64_t count) {
  double low = INFINITY, high = -INFINITY, sum = 0;
  uint64_t odd = 0;
  for (uint64_t i = 0; i < count; i++) {
    double v = cli_element(&t->desc, t->data, i);
    if (!isfinite(v)) {
      odd++;
      continue;
    }
    low = fmin(low, v);
    high = fmax(high, v);
    sum += v;
  }
  char text[CLI_SHAPE_TEXT];
  printf("%s%s%s  %s%s", cli_bold(stdout), t->name, cli_plain(stdout), cli_dim(stdout), cli_desc_text(&t->desc, text));
  if (count > odd) printf("  min %.6g, max %.6g, mean %.6g", low, high, sum / (double)(count - odd));
  if (odd) printf("  %s%llu not finite", cli_red(stdout), (unsigned long long)odd);
  printf("%s\n", cli_plain(stdout));
}

/* Index of the largest value not taken yet; NaN is never the largest. */
static bool best_of(const wnn_onnx_tensor *t, uint64_t start, uint64_t width, const uint64_t *taken, uint32_t count,
                    uint64_t *best) {
  bool found = false;
  double high = 0;
  for (uint64_t i = 0; i < width; i++) {
    double v = cli_element(&t->desc, t->data, start + i);
    bool used = isnan(v);
    for (uint32_t k = 0; k < count && !used; k++) used = taken[k] == i;
    if (used || (found && v <= high)) continue;
    found = true;
    high = v;
    *best = i;
  }
  return found;
}

static bool print_top(const wnn_onnx_tensor *t, uint64_t count, const run_options *o, struct json_object *json) {
  uint64_t width = t->desc.rank ? t->desc.shape[t->desc.rank - 1] : 1, lines = width ? count / width : 0;
  uint64_t *taken = malloc(sizeof *taken * o->top);
  if (!taken) return cli_fail("Memory is short."), false;
  for (uint64_t y = 0; y < lines && (json || y < o->rows); y++) {
    struct json_object *list = json ? json_object_new_array() : NULL;
    if (!json && lines > 1) printf("  row %llu\n", (unsigned long long)y);
    for (uint32_t k = 0; k < o->top && best_of(t, y * width, width, taken, k, &taken[k]); k++) {
      double value = cli_element(&t->desc, t->data, y * width + taken[k]);
      const char *label = taken[k] < o->label_count ? o->labels[taken[k]] : "";
      if (!json) {
        printf("  %12.6g  %6llu  %s\n", value, (unsigned long long)taken[k], label);
        continue;
      }
      struct json_object *item = json_object_new_object();
      json_object_object_add(item, "index", json_object_new_int64((int64_t)taken[k]));
      json_object_object_add(item, "value",
                             isfinite(value) ? json_object_new_double(value)
                                             : json_object_new_string(value > 0 ? "Infinity" : "-Infinity"));
      if (*label) json_object_object_add(item, "label", json_object_new_string(label));
      json_object_array_add(list, item);
    }
    if (json) json_object_array_add(json, list);
  }
  free(taken);
  return true;
}

/* ---- Files ------------------------------------------------------------------------------------------- */

static bool write_output(const wnn_onnx_tensor *t, const char *path) {
  if (!cli_has_suffix(path, ".json")) return cli_write_npy(path, &t->desc, t->data, t->size);
  struct json_object *object = cli_tensor_json(&t->desc, t->data);
  bool done = cli_write_json(path, object);
  json_object_put(object);
  return done;
}

static bool save_all(const wnn_onnx_result *result, const char *folder) {
  if (mkdir(folder, 0777) && !cli_is_folder(folder)) return cli_fail("%s cannot be made.", folder), false;
  for (size_t i = 0; i < wnn_onnx_result_count(result); i++) {
    const wnn_onnx_tensor *t = wnn_onnx_result_get(result, i);
    char path[1024];
    cli_file_name(folder, t->name, ".npy", path, sizeof path);
    if (!cli_write_npy(path, &t->desc, t->data, t->size)) return false;
  }
  return true;
}

static bool write_files(const wnn_onnx_result *result, const run_options *o) {
  for (size_t i = 0; i < o->output_count; i++) {
    const wnn_onnx_tensor *t = NULL;
    const char *text = o->outputs[i], *at = text + strlen(text);
    for (; at > text && !t; at--) {
      if (at[-1] != '=') continue;
      char *name = strndup(text, (size_t)(at - 1 - text));
      t = name ? wnn_onnx_result_find(result, name) : NULL;
      free(name);
      if (t) break;
    }
    if (!t) return cli_fail("--output %s: the model has no such output; the form is NAME=FILE.", text), false;
    if (!write_output(t, at)) return false;
  }
  return !o->save || save_all(result, o->save);
}

static bool show(const wnn_onnx_result *result, const run_options *o, const cli_request *r, double ms) {
  struct json_object *root = r->json ? json_object_new_object() : NULL, *outputs = json_object_new_object();
  bool done = true;
  for (size_t i = 0; i < wnn_onnx_result_count(result) && done; i++) {
    const wnn_onnx_tensor *t = wnn_onnx_result_get(result, i);
    uint64_t count = 0;
    cli_count(t->desc.rank, t->desc.shape, &count);
    if (r->json) {
      struct json_object *tensor = cli_tensor_json(&t->desc, t->data);
      if (o->top) {
        struct json_object *top = json_object_new_array();
        done = print_top(t, count, o, top);
        json_object_object_add(tensor, "top", top);
        json_object_object_del(tensor, "data");
      }
      json_object_object_add(outputs, t->name, tensor);
      continue;
    }
    print_summary(t, count);
    if (o->top)
      done = print_top(t, count, o, NULL);
    else
      print_table(t, count, o->rows);
  }
  if (r->json) {
    json_object_object_add(root, "milliseconds", json_object_new_double(ms));
    json_object_object_add(root, "outputs", outputs);
    done = cli_write_json("-", root) && done;
    json_object_put(root);
  } else {
    json_object_put(outputs);
  }
  return done;
}

static bool run(cli_request *r, const run_options *o) {
  wnn_context *context;
  wnn_onnx_session *session = NULL;
  wnn_onnx_result *result = NULL;
  wnn_graph *graph;
  wnn_error error;
  if (!cli_request_fill(r, CLI_FILL_NONE) || !cli_context_make(r, &context)) return false;
  wnn_onnx_tensor *inputs = cli_request_inputs(r);
  bool done = inputs && cli_prepare(r, context, &session, &graph);
  double start = cli_now_ms(), ms = 0;
  if (done && wnn_onnx_session_run(session, inputs, r->inputs.count, NULL, 0, &result, &error)) {
    cli_model_failed(r, &error);
    done = false;
  }
  ms = cli_now_ms() - start;
  done = done && write_files(result, o) && show(result, o, r, ms);
  if (done && !r->json && !r->quiet) {
    char a[CLI_NUMBER_TEXT], b[CLI_NUMBER_TEXT];
    wnn_onnx_stats stats;
    wnn_onnx_session_get_stats(session, &stats);
    fprintf(stderr, "%srun %s, load and compile %s, peak memory %.1f MB%s\n", cli_dim(stderr), cli_time(ms, a),
            cli_time(r->open_ms + (stats.import_ns + stats.build_ns) * 1e-6, b), cli_peak_mb(), cli_plain(stderr));
  }
  wnn_onnx_result_release(result);
  wnn_onnx_session_release(session);
  wnn_context_release(context);
  free(inputs);
  return done;
}

int cli_run(int argc, char **argv) {
  cli_request r;
  run_options o = {.rows = 8};
  int code = cli_request_read(&r, argc, argv, own_options, take, &o);
  if (!code) code = read_labels(&o) && run(&r, &o) ? CLI_OK : CLI_FAILED;
  free(o.labels);
  free(o.labels_text);
  cli_request_free(&r);
  return code;
}
