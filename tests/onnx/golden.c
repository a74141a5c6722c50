/* Golden files: real models, inputs by recipe, the outputs of another engine. Every case runs in reference and in fast
 * mode, with one and with two threads, and with a graph that an earlier session saved.
 *
 *   webnn-golden [--models DIR] [--golden DIR] [NAME...]
 *
 * DIR/packages/PACKAGE/package/... and DIR/derived/ hold the models (WEBNN_MODELS overrides the default build/models).
 */
#include <dirent.h>
#include <limits.h>
#include <math.h>
#include <sys/stat.h>

#include "onnx/recipe.h"
#include "support/folder.h"
#include "support/test.h"

enum { PATH_SIZE = 4096, MAX_INPUTS = 32, MAX_FILES = 256 };

typedef struct mode {
  const char *name;
  bool reference;
  uint32_t threads;
  bool saved; /* twice: the first time saves the graphs, the second time loads them */
} mode;
static const mode modes[] = {{"reference, 1 thread", true, 1, false},
                             {"reference, 2 threads", true, 2, false},
                             {"fast, 1 thread", false, 1, false},
                             {"fast, 2 threads", false, 2, false},
                             {"fast, 2 threads, saved", false, 2, true}};

static json_object *get(json_object *json, const char *name) { return json_object_object_get(json, name); }
static const char *text_of(json_object *json, const char *name) { return json_object_get_string(get(json, name)); }

/* "@scope/name" lies in the folder scope-name. */
static bool model_path(json_object *model, const char *folder, char path[PATH_SIZE]) {
  const char *derived = text_of(model, "derived"), *package = text_of(model, "package"),
             *inside = text_of(model, "path");
  if (derived) return snprintf(path, PATH_SIZE, "%s/derived/%s", folder, derived) < PATH_SIZE;
  if (!package || !inside) return false;
  char name[256];
  snprintf(name, sizeof name, "%s", package + (package[0] == '@'));
  for (char *c = name; *c; c++) {
    if (*c == '/') *c = '-';
  }
  return snprintf(path, PATH_SIZE, "%s/packages/%s/%s", folder, name, inside) < PATH_SIZE;
}

/* ---- Comparison ------------------------------------------------------------------------------------- */

typedef struct verdict {
  double worst; /* largest difference in units of what is allowed */
  size_t at, close, count;
  double got, want;
} verdict;

static void compare(verdict *v, const wnn_onnx_tensor *got, size_t index, double want, double atol, double rtol) {
  double value = recipe_element(got->desc.data_type, got->data, index), allowed = atol + rtol * fabs(want);
  double off = fabs(value - want) / (allowed > 0 ? allowed : 1e-300);
  if (value == want) off = 0;
  v->count++;
  v->close += fabs(value - want) <= 1e-3;
  if (off <= v->worst && !isnan(off)) return;
  v->worst = isnan(off) ? (double)INFINITY : off;
  v->at = index;
  v->got = value;
  v->want = want;
}

static void compare_list(verdict *v, const wnn_onnx_tensor *got, json_object *pairs, double atol, double rtol) {
  json_object *indices = get(pairs, "index"), *values = get(pairs, "value");
  for (size_t i = 0; indices && i < json_object_array_length(indices); i++) {
    size_t index = (size_t)json_object_get_int64(json_object_array_get_idx(indices, i));
    if (index < got->size / wnn_data_type_size(got->desc.data_type))
      compare(v, got, index, json_object_get_double(json_object_array_get_idx(values, i)), atol, rtol);
    else
      v->worst = (double)INFINITY;
  }
}

static bool check_output(const wnn_onnx_tensor *got, json_object *expected, const char *name, char *why, size_t size) {
  wnn_desc desc;
  if (!got) return snprintf(why, size, "output %s is missing", name) < 0;
  bool fits = recipe_desc(expected, &desc) && desc.data_type == got->desc.data_type && desc.rank == got->desc.rank &&
              !memcmp(desc.shape, got->desc.shape, desc.rank * sizeof *desc.shape);
  if (!fits) return snprintf(why, size, "output %s has another shape or type", name) < 0;
  json_object *tolerance = get(expected, "tolerance"), *values = get(expected, "values");
  double atol = json_object_get_double(get(tolerance, "atol")), rtol = json_object_get_double(get(tolerance, "rtol"));
  verdict v = {0};
  for (size_t i = 0; values && i < json_object_array_length(values); i++)
    compare(&v, got, i, json_object_get_double(json_object_array_get_idx(values, i)), atol, rtol);
  if (!values) {
    compare_list(&v, got, get(expected, "samples"), atol, rtol);
    compare_list(&v, got, get(expected, "top"), atol, rtol);
  }
  if (!v.count) return snprintf(why, size, "nothing to compare for output %s", name) < 0;
  if (v.worst > 1) {
    snprintf(why, size, "output %s, element %zu: %.9g, expected %.9g (%.3g times the tolerance)", name, v.at, v.got,
             v.want, v.worst);
    return false;
  }
  json_object *share = get(tolerance, "share_within_1e_3");
  if (share && (double)v.close < json_object_get_double(share) * (double)v.count) {
    snprintf(why, size, "output %s: only %zu of %zu elements are within 1e-3", name, v.close, v.count);
    return false;
  }
  return true;
}

/* ---- What a person would read ------------------------------------------------------------------------- */

static size_t arg_max(const float *row, size_t n) {
  size_t best = 0;
  for (size_t i = 1; i < n; i++) {
    if (row[i] > row[best]) best = i;
  }
  return best;
}

static bool check_argmax(const wnn_onnx_tensor *out, json_object *expected, char *why, size_t size) {
  size_t classes = out->desc.shape[2];
  for (size_t t = 0; t < json_object_array_length(expected); t++) {
    size_t want = (size_t)json_object_get_int64(json_object_array_get_idx(expected, t)),
           got = arg_max((const float *)out->data + t * classes, classes);
    if (got == want) continue;
    snprintf(why, size, "step %zu reads class %zu, not %zu", t, got, want);
    return false;
  }
  return true;
}

static bool check_box(const wnn_onnx_tensor *out, json_object *decoded, char *why, size_t size) {
  json_object *box = get(decoded, "box");
  long x0 = LONG_MAX, y0 = LONG_MAX, x1 = -1, y1 = -1, pixels = 0, w = out->desc.shape[3];
  const float *data = out->data;
  for (long i = 0; i < w * (long)out->desc.shape[2]; i++) {
    if (!(data[i] > 0.3f)) continue;
    long x = i % w, y = i / w;
    pixels++;
    x0 = x < x0 ? x : x0;
    x1 = x > x1 ? x : x1;
    y0 = y < y0 ? y : y0;
    y1 = y > y1 ? y : y1;
  }
  bool good = x0 == json_object_get_int64(get(box, "x0")) && x1 == json_object_get_int64(get(box, "x1")) &&
              y0 == json_object_get_int64(get(box, "y0")) && y1 == json_object_get_int64(get(box, "y1"));
  long want = (long)json_object_get_int64(get(decoded, "pixels"));
  /* A pixel at the very threshold may fall on either side. */
  if (good && labs(pixels - want) <= 2) return true;
  snprintf(why, size, "box %ld..%ld x %ld..%ld of %ld pixels", x0, x1, y0, y1, pixels);
  return false;
}

static bool check_decoded(const wnn_onnx_result *result, json_object *decoded, char *why, size_t size) {
  const wnn_onnx_tensor *out = wnn_onnx_result_get(result, 0);
  if (get(decoded, "argmax")) return check_argmax(out, get(decoded, "argmax"), why, size);
  if (get(decoded, "box")) return check_box(out, decoded, why, size);
  return true;
}

/* ---- Cases ---------------------------------------------------------------------------------------------- */

static bool run_step(wnn_onnx_session *session, json_object *step, json_object *font, wnn_onnx_result **previous,
                     char *why, size_t size) {
  wnn_onnx_tensor inputs[MAX_INPUTS];
  size_t count = 0;
  bool good = true;
  json_object_object_foreach(get(step, "inputs"), name, spec) {
    const char *reason = "its type is unknown to the runner";
    if (!good || count == MAX_INPUTS) break;
    wnn_onnx_tensor *in = &inputs[count];
    *in = (wnn_onnx_tensor){.name = name};
    if (recipe_desc(spec, &in->desc)) in->data = recipe_data(get(spec, "recipe"), &in->desc, font, *previous, &reason);
    in->size = (size_t)wnn_desc_bytes(&in->desc);
    if (in->data)
      count++;
    else
      good = snprintf(why, size, "input %s: %s", name, reason) < 0;
  }
  wnn_onnx_result *result = NULL;
  wnn_error error;
  if (good && wnn_onnx_session_run(session, inputs, count, NULL, 0, &result, &error))
    good = snprintf(why, size, "%s", error.message) < 0;
  for (size_t i = 0; i < count; i++) free((void *)(uintptr_t)inputs[i].data);
  wnn_onnx_result_release(*previous);
  *previous = result;
  if (!good) return false;
  json_object_object_foreach(get(step, "outputs"), output, expected) {
    if (good) good = check_output(wnn_onnx_result_find(result, output), expected, output, why, size);
  }
  return good;
}

static void run_case(wnn_onnx_model *model, const char *id, json_object *one, json_object *font, const mode *m,
                     const char *folder, bool again) {
  wnn_context_options options = WNN_CONTEXT_OPTIONS_INIT;
  options.reference = m->reference;
  options.threads = m->threads;
  wnn_onnx_session_options session_options = WNN_ONNX_SESSION_OPTIONS_INIT;
  session_options.cache_folder = folder;
  wnn_context *context = NULL;
  wnn_onnx_session *session = NULL;
  wnn_onnx_result *previous = NULL;
  wnn_error error;
  char why[1024];
  bool good = !wnn_context_create(&options, &context, &error) &&
              !wnn_onnx_session_create(context, model, &session_options, &session, &error);
  if (!good) snprintf(why, sizeof why, "%s", error.message);
  json_object *steps = get(one, "steps");
  size_t done = 0;
  for (; good && done < json_object_array_length(steps); done++)
    good = run_step(session, json_object_array_get_idx(steps, done), font, &previous, why, sizeof why);
  if (good && get(one, "decoded")) good = check_decoded(previous, get(one, "decoded"), why, sizeof why);
  if (good && again) {
    wnn_onnx_stats stats;
    wnn_onnx_session_get_stats(session, &stats);
    good = stats.loaded == stats.compiled || snprintf(why, sizeof why, "the saved graph was not loaded") < 0;
  }
  wnn_onnx_result_release(previous);
  wnn_onnx_session_release(session);
  wnn_context_release(context);
  if (good)
    test_passed();
  else
    test_failed("%s, %s, %s, step %zu: %s", id, text_of(one, "name"), m->name, done, why);
}

/* Once; with saved graphs twice, in a folder of their own. */
static void run_mode(wnn_onnx_model *model, const char *id, json_object *one, json_object *font, const mode *m) {
  char folder[TEST_PATH];
  if (!m->saved) {
    run_case(model, id, one, font, m, NULL, false);
    return;
  }
  if (!test_folder(folder)) {
    test_failed("%s: no folder for saved graphs", id);
    return;
  }
  run_case(model, id, one, font, m, folder, false);
  run_case(model, id, one, font, m, folder, true);
  test_remove_folder(folder);
}

static void run_file(const char *path, const char *models, json_object *font) {
  json_object *file = json_object_from_file(path), *cases = get(file, "cases");
  const char *id = text_of(file, "id");
  char model_file[PATH_SIZE];
  size_t runs = cases ? json_object_array_length(cases) * (sizeof modes / sizeof *modes) : 0;
  if (!id || !model_path(get(file, "model"), models, model_file)) {
    test_failed("%s is malformed", path);
    json_object_put(file);
    return;
  }
  struct stat facts;
  wnn_onnx_model *model = NULL;
  wnn_error error;
  if (!test_selected(id)) {
  } else if (stat(model_file, &facts)) {
    for (size_t i = 0; i < runs; i++) test_skipped("%s: %s is missing", id, model_file);
  } else if (wnn_onnx_open(model_file, &model, &error)) {
    test_failed("%s: %s", id, error.message);
  } else {
    for (size_t i = 0; i < json_object_array_length(cases); i++) {
      for (size_t k = 0; k < sizeof modes / sizeof *modes; k++)
        if (modes[k].reference && getenv("WEBNN_GOLDEN_FAST"))
          test_skipped("%s: only fast kernels", id);
        else
          run_mode(model, id, json_object_array_get_idx(cases, i), font, &modes[k]);
    }
  }
  wnn_onnx_release(model);
  json_object_put(file);
}

static int by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

static void run_folder(const char *folder, const char *models) {
  char path[PATH_SIZE + 512], *names[MAX_FILES];
  size_t count = 0;
  DIR *listing = opendir(folder);
  for (struct dirent *e; listing && (e = readdir(listing)) && count < MAX_FILES;) {
    size_t length = strlen(e->d_name);
    if (length > 5 && !strcmp(e->d_name + length - 5, ".json") && strcmp(e->d_name, "font5x7.json"))
      names[count++] = strdup(e->d_name);
  }
  if (listing) closedir(listing);
  qsort(names, count, sizeof *names, by_name);
  snprintf(path, sizeof path, "%s/font5x7.json", folder);
  json_object *font = json_object_from_file(path);
  for (size_t i = 0; i < count; i++) {
    snprintf(path, sizeof path, "%s/%s", folder, names[i]);
    run_file(path, models, font);
    free(names[i]);
  }
  json_object_put(font);
}

int main(int argc, char **argv) {
  const char *models = getenv("WEBNN_MODELS"), *golden = NULL;
  char folder[PATH_SIZE];
  int names = 1;
  if (!models) models = WEBNN_SOURCE_DIR "/build/models";
  for (int i = 1; i < argc; i++) {
    if (!strcmp(argv[i], "--models") && i + 1 < argc)
      models = argv[++i];
    else if (!strcmp(argv[i], "--golden") && i + 1 < argc)
      golden = argv[++i];
    else
      argv[names++] = argv[i];
  }
  test_begin(names, argv);
  if (!golden) {
    const char *font = test_shared("models/golden/font5x7.json");
    if (!font) {
      test_skipped("../shared is missing");
      return test_end();
    }
    snprintf(folder, sizeof folder, "%.*s", (int)(strlen(font) - strlen("/font5x7.json")), font);
    golden = folder;
  }
  run_folder(golden, models);
  return test_end();
}
