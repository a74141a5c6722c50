/* Small models with known results: the `onnx` cases of ../shared/cases and the operator vectors beside this file. Every
 * case runs in reference and in fast mode.
 *
 *   test_onnx_cases [NAME...]
 *   test_onnx_cases --write DIR [NAME...]    writes the models instead, one for each operator: seeds for fuzzing */
#include <dirent.h>
#include <math.h>
#include <webnn/webnn_onnx.h>

#include "onnx/encode.h"
#include "support/test.h"

enum { MAX_TENSORS = 32, WHY = 1024, MAX_FILES = 512 };

static json_object *get(json_object *json, const char *name) { return json_object_object_get(json, name); }

/* ---- Tensors in the types that carry them --------------------------------------------------------------- */

static bool carrier(const char *name, wnn_data_type *type) {
  static const struct {
    const char *name;
    wnn_data_type type;
  } types[] = {{"float32", WNN_FLOAT32}, {"float16", WNN_FLOAT16}, {"float64", WNN_FLOAT32}, {"bfloat16", WNN_FLOAT32},
               {"int8", WNN_INT8},       {"uint8", WNN_UINT8},     {"bool", WNN_UINT8},      {"int16", WNN_INT32},
               {"uint16", WNN_INT32},    {"int32", WNN_INT32},     {"uint32", WNN_UINT32},   {"int64", WNN_INT64},
               {"uint64", WNN_UINT64},   {"int4", WNN_INT8},       {"uint4", WNN_UINT8}};
  for (size_t i = 0; name && i < sizeof types / sizeof *types; i++) {
    if (strcmp(name, types[i].name)) continue;
    *type = types[i].type;
    return true;
  }
  return false;
}

static double real_of(json_object *json) {
  const char *text = json_object_is_type(json, json_type_string) ? json_object_get_string(json) : NULL;
  if (!text) return json_object_get_double(json);
  if (!strcmp(text, "NaN")) return (double)NAN;
  if (!strcmp(text, "Infinity")) return (double)INFINITY;
  if (!strcmp(text, "-Infinity")) return -(double)INFINITY;
  return strtod(text, NULL);
}

static wnn_number number_of(json_object *json, wnn_data_type type) {
  if (type == WNN_FLOAT32 || type == WNN_FLOAT16 || json_object_is_type(json, json_type_double))
    return wnn_number_double(real_of(json));
  if (json_object_is_type(json, json_type_string))
    return wnn_number_int64(strtoll(json_object_get_string(json), NULL, 10));
  if (type == WNN_UINT64) return wnn_number_uint64(json_object_get_uint64(json));
  return wnn_number_int64(json_object_get_int64(json));
}

static bool desc_of(json_object *json, wnn_desc *desc) {
  json_object *shape = get(json, "shape");
  memset(desc, 0, sizeof *desc);
  if (!carrier(json_object_get_string(get(json, "dataType")), &desc->data_type) ||
      json_object_array_length(shape) > WNN_MAX_RANK)
    return false;
  desc->rank = (uint32_t)json_object_array_length(shape);
  for (uint32_t i = 0; i < desc->rank; i++)
    desc->shape[i] = (uint32_t)json_object_get_int64(json_object_array_get_idx(shape, i));
  return true;
}

static bool tensor_of(json_object *json, const char *name, wnn_onnx_tensor *out) {
  *out = (wnn_onnx_tensor){.name = name};
  if (!desc_of(json, &out->desc)) return false;
  json_object *data = get(json, "data");
  size_t count = json_object_array_length(data), width = wnn_data_type_size(out->desc.data_type);
  out->size = count * width;
  if (out->size != wnn_desc_bytes(&out->desc)) return false;
  char *memory = malloc(out->size ? out->size : 1);
  for (size_t i = 0; memory && i < count; i++)
    wnn_number_store(number_of(json_object_array_get_idx(data, i), out->desc.data_type), out->desc.data_type,
                     memory + i * width);
  out->data = memory;
  return memory != NULL;
}

static double element(const wnn_onnx_tensor *t, size_t i) {
  switch (t->desc.data_type) {
  case WNN_FLOAT32: return (double)((const float *)t->data)[i];
  case WNN_INT32: return ((const int32_t *)t->data)[i];
  case WNN_UINT32: return ((const uint32_t *)t->data)[i];
  case WNN_INT64: return (double)((const int64_t *)t->data)[i];
  case WNN_UINT64: return (double)((const uint64_t *)t->data)[i];
  case WNN_INT8: return ((const int8_t *)t->data)[i];
  case WNN_UINT8: return ((const uint8_t *)t->data)[i];
  default: {
    uint16_t bits = ((const uint16_t *)t->data)[i];
    int exponent = bits >> 10 & 31;
    double size = exponent == 31 ? (bits & 1023 ? (double)NAN : (double)INFINITY)
                  : exponent     ? ldexp(1024 + (bits & 1023), exponent - 25)
                                 : ldexp(bits & 1023, -24);
    return bits & 0x8000 ? -size : size;
  }
  }
}

static bool matches(const wnn_onnx_tensor *got, json_object *expected, const char *name, double relative,
                    double absolute, char why[WHY]) {
  wnn_desc desc;
  json_object *data = get(expected, "data");
  if (!got) return snprintf(why, WHY, "output %s is missing", name) < 0;
  if (!desc_of(expected, &desc)) return snprintf(why, WHY, "output %s: the vector is malformed", name) < 0;
  if (desc.data_type != got->desc.data_type)
    return snprintf(why, WHY, "output %s is %s, not %s", name, wnn_data_type_name(got->desc.data_type),
                    wnn_data_type_name(desc.data_type)) < 0;
  bool same = desc.rank == got->desc.rank && !memcmp(desc.shape, got->desc.shape, desc.rank * sizeof *desc.shape);
  if (!same) {
    int used = snprintf(why, WHY, "output %s has shape [", name);
    for (uint32_t i = 0; i < got->desc.rank; i++)
      used += snprintf(why + used, WHY - (size_t)used, "%s%u", i ? ", " : "", got->desc.shape[i]);
    snprintf(why + used, WHY - (size_t)used, "]");
    return false;
  }
  size_t wrong = 0;
  for (size_t i = 0; i < json_object_array_length(data); i++) {
    json_object *json = json_object_array_get_idx(data, i);
    double want = real_of(json), value = element(got, i);
    bool good =
        value == want || (isnan(value) && isnan(want)) || fabs(value - want) <= relative * fabs(want) + absolute;
    if (desc.data_type == WNN_INT64 && !json_object_is_type(json, json_type_double)) {
      int64_t exact = json_object_is_type(json, json_type_string) ? strtoll(json_object_get_string(json), NULL, 10)
                                                                  : json_object_get_int64(json);
      good = ((const int64_t *)got->data)[i] == exact;
    }
    if (!good && !wrong++) snprintf(why, WHY, "output %s, element %zu: %.9g, expected %.9g", name, i, value, want);
  }
  if (wrong) {
    size_t used = strlen(why);
    snprintf(why + used, WHY - used, " (%zu of %zu are off)", wrong, (size_t)json_object_array_length(data));
  }
  return !wrong;
}

/* ---- Runs -------------------------------------------------------------------------------------------------- */

typedef struct run {
  wnn_context *context;
  wnn_onnx_model *model;
  wnn_onnx_tensor feeds[MAX_TENSORS];
  size_t feed_count;
} run;

static bool run_begin(run *r, json_object *one, bool reference, char why[WHY]) {
  wnn_context_options options = WNN_CONTEXT_OPTIONS_INIT;
  wnn_error error;
  bytes model = {0};
  json_object *feeds = get(one, "feeds");
  memset(r, 0, sizeof *r);
  options.reference = reference;
  options.threads = 1;
  if (!encode_model(get(one, "model"), feeds, &model)) return snprintf(why, WHY, "the model cannot be encoded") < 0;
  bool good = !wnn_context_create(&options, &r->context, &error) &&
              !wnn_onnx_open_bytes(model.data, model.size, NULL, &r->model, &error);
  if (!good) snprintf(why, WHY, "%s", error.message);
  bytes_free(&model);
  if (!feeds) return good;
  json_object_object_foreach(feeds, name, tensor) {
    if (!good || r->feed_count == MAX_TENSORS) break;
    good = tensor_of(tensor, name, &r->feeds[r->feed_count]);
    if (good)
      r->feed_count++;
    else
      snprintf(why, WHY, "feed %s is malformed", name);
  }
  return good;
}

static void run_end(run *r) {
  for (size_t i = 0; i < r->feed_count; i++) free((void *)(uintptr_t)r->feeds[i].data);
  wnn_onnx_release(r->model);
  wnn_context_release(r->context);
}

static bool run_session(run *r, const wnn_onnx_session_options *options, wnn_onnx_result **result, wnn_error *error) {
  wnn_onnx_session *session;
  if (wnn_onnx_session_create(r->context, r->model, options, &session, error)) return false;
  bool good = !wnn_onnx_session_run(session, r->feeds, r->feed_count, NULL, 0, result, error);
  wnn_onnx_session_release(session);
  return good;
}

static void tolerances(json_object *one, double *relative, double *absolute) {
  json_object *t = get(one, "tolerance");
  bool exact = json_object_get_boolean(get(t, "exact"));
  *relative = exact ? 0 : t ? json_object_get_double(get(t, "relative")) : 1e-4;
  *absolute = exact ? 0 : t ? json_object_get_double(get(t, "absolute")) : 1e-5;
}

static bool compare_all(json_object *one, json_object *expected, const wnn_onnx_result *result, char why[WHY]) {
  double relative, absolute;
  bool good = true;
  tolerances(one, &relative, &absolute);
  json_object_object_foreach(expected, name, tensor) {
    if (good) good = matches(wnn_onnx_result_find(result, name), tensor, name, relative, absolute, why);
  }
  return good;
}

/* "pinned INPUT=true": the input is bound to that value. */
static bool run_pinned(run *r, json_object *one, const char *key, json_object *expected, char why[WHY]) {
  char name[64];
  const char *equals = strchr(key, '=');
  snprintf(name, sizeof name, "%.*s", (int)(equals - key - 7), key + 7);
  uint8_t flag = !strcmp(equals + 1, "true");
  wnn_onnx_value value = {name, {WNN_UINT8, 0, {0}}, &flag, 1};
  wnn_onnx_session_options options = WNN_ONNX_SESSION_OPTIONS_INIT;
  options.import.values = &value;
  options.import.value_count = 1;
  wnn_onnx_result *result;
  wnn_error error;
  double relative, absolute;
  if (!run_session(r, &options, &result, &error)) return snprintf(why, WHY, "%s: %s", key, error.message) < 0;
  tolerances(one, &relative, &absolute);
  bool good = matches(wnn_onnx_result_get(result, 0), expected, key, relative, absolute, why);
  wnn_onnx_result_release(result);
  return good;
}

static bool run_not_pinned(run *r, json_object *words, char why[WHY]) {
  wnn_builder *builder;
  wnn_error error = {WNN_OK, ""};
  wnn_named_operand outputs[MAX_TENSORS];
  size_t count;
  if (wnn_builder_create(r->context, &builder, &error)) return snprintf(why, WHY, "%s", error.message) < 0;
  wnn_status status = wnn_onnx_lower(r->model, builder, NULL, outputs, MAX_TENSORS, &count, &error);
  wnn_builder_release(builder);
  if (!status) return snprintf(why, WHY, "not pinned: no error") < 0;
  for (size_t i = 0; i < json_object_array_length(words); i++) {
    const char *word = json_object_get_string(json_object_array_get_idx(words, i));
    if (!strstr(error.message, word))
      return snprintf(why, WHY, "not pinned: \"%s\" does not mention %s", error.message, word) < 0;
  }
  return true;
}

static bool run_case(json_object *one, bool reference, char why[WHY]) {
  run r;
  json_object *expected = get(one, "expected");
  bool good = run_begin(&r, one, reference, why), special = false;
  wnn_error error;
  wnn_onnx_result *result = NULL;
  if (good) {
    json_object_object_foreach(expected, key, value) {
      bool pinned = !strncmp(key, "pinned ", 7) && strchr(key, '='), open = !strcmp(key, "not pinned");
      special = special || pinned || open;
      if (good && pinned) good = run_pinned(&r, one, key, value, why);
      if (good && open) good = run_not_pinned(&r, get(get(value, "error"), "mustMention"), why);
    }
  }
  if (good && !special) {
    bool ran = run_session(&r, NULL, &result, &error);
    if (get(expected, "error")) {
      /* An error, or clamped: what counts is that nothing outside the buffers is read. */
      good = ran || error.message[0];
    } else if (!ran) {
      good = snprintf(why, WHY, "%s", error.message) < 0;
    } else {
      good = compare_all(one, expected, result, why);
    }
  }
  wnn_onnx_result_release(result);
  run_end(&r);
  return good;
}

/* A model that the importer must refuse: "refused" lists what the message must say. */
static bool refuse_case(json_object *one, char why[WHY]) {
  run r;
  bool good = run_begin(&r, one, true, why);
  if (good) good = run_not_pinned(&r, get(one, "refused"), why);
  run_end(&r);
  return good;
}

static void write_case(json_object *one, const char *folder) {
  json_object *nodes = get(get(one, "model"), "nodes");
  char path[4096];
  bytes model = {0};
  snprintf(path, sizeof path, "%s/%s", folder,
           json_object_get_string(get(json_object_array_get_idx(nodes, 0), "opType")));
  FILE *there = fopen(path, "rb"), *file = NULL;
  if (there)
    fclose(there);
  else if (encode_model(get(one, "model"), get(one, "feeds"), &model) && model.size <= 2048)
    file = fopen(path, "wb");
  if (file) {
    if (fwrite(model.data, 1, model.size, file) == model.size) test_passed();
    fclose(file);
  }
  bytes_free(&model);
}

static const char *write_folder;

static void count_case(json_object *one, const char *file) {
  const char *name = json_object_get_string(get(one, "name"));
  char why[WHY] = "";
  if (!test_selected(name)) return;
  if (write_folder) {
    write_case(one, write_folder);
    return;
  }
  if (get(one, "refused")) {
    if (refuse_case(one, why))
      test_passed();
    else
      test_failed("%s, %s: %s", file, name, why);
    return;
  }
  for (int reference = 1; reference >= 0; reference--) {
    if (run_case(one, reference, why))
      test_passed();
    else
      test_failed("%s, %s, %s mode: %s", file, name, reference ? "reference" : "fast", why);
  }
}

/* ---- Files ------------------------------------------------------------------------------------------------- */

static void run_file(const char *path, const char *name) {
  json_object *file = json_object_from_file(path);
  if (!file) {
    test_failed("%s is no JSON", path);
  } else if (json_object_is_type(file, json_type_array)) {
    for (size_t i = 0; i < json_object_array_length(file); i++) count_case(json_object_array_get_idx(file, i), name);
  } else if (get(file, "kind") && !strcmp(json_object_get_string(get(file, "kind")), "onnx")) {
    count_case(file, name);
  }
  json_object_put(file);
}

static int by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

static void run_folder(const char *folder) {
  char *names[MAX_FILES], path[4096];
  size_t count = 0;
  DIR *listing = opendir(folder);
  for (struct dirent *e; listing && (e = readdir(listing)) && count < MAX_FILES;) {
    size_t length = strlen(e->d_name);
    if (length > 5 && !strcmp(e->d_name + length - 5, ".json")) names[count++] = strdup(e->d_name);
  }
  if (listing) closedir(listing);
  qsort(names, count, sizeof *names, by_name);
  for (size_t i = 0; i < count; i++) {
    if (snprintf(path, sizeof path, "%s/%s", folder, names[i]) < (int)sizeof path) run_file(path, names[i]);
    free(names[i]);
  }
}

int main(int argc, char **argv) {
  bool writing = argc > 2 && !strcmp(argv[1], "--write");
  if (writing) write_folder = argv[2];
  test_begin(writing ? argc - 2 : argc, writing ? argv + 2 : argv);
  const char *readme = test_shared("cases/README.md");
  char folder[4096] = "";
  if (readme) snprintf(folder, sizeof folder, "%.*s", (int)(strlen(readme) - strlen("/README.md")), readme);
  if (*folder)
    run_folder(folder);
  else
    test_skipped("../shared is missing");
  run_folder(WEBNN_SOURCE_DIR "/tests/onnx/operators");
  return test_end();
}
