/* Runs the bug cases of a folder on the reference and the fast kernels. Where the specification leaves a result open,
 * only the recommended one passes: the library documents it, and so the answer is the same in every configuration. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cases/cases.h"
#include "support/test.h"

enum { MAX_FILES = 512 };

/* Every call before the last must succeed, the last must fail as the case says. */
static bool run_validation(wnn_context *context, json_object *graph, char why[WHY]) {
  json_object *inputs = json_object_object_get(graph, "inputs"),
              *operators = json_object_object_get(graph, "operators");
  json_object *error = json_object_object_get(json_object_object_get(graph, "expected"), "error");
  const char *type = json_object_get_string(json_object_object_get(error, "type"));
  size_t count = json_object_array_length(operators), i = 0;
  session s;
  wnn_status status = WNN_OK;
  if (!session_begin(&s, context, SOURCE_AS_GIVEN, why)) return false;
  bool good = session_inputs(&s, inputs, &status, why);
  for (; good && i < count; i++)
    good = session_operator(&s, json_object_array_get_idx(operators, i), "case", &status, why);
  session_end(&s);
  bool last = !good && i == count;
  if (!last || !type || !status || strcmp(type, wnn_status_exception(status))) {
    char text[WHY];
    snprintf(text, sizeof text, "%s", why);
    snprintf(why, WHY, "expected %s of the last call: %.900s", type ? type : "?", good ? "it succeeded" : text);
    return false;
  }
  if (count) return true;
  /* A case about a descriptor holds for tensors too. */
  json_object_object_foreach(inputs, name, json) {
    tensor t;
    wnn_tensor *made = NULL;
    if (!tensor_parse(json, false, &t, why)) return false;
    status = wnn_context_create_tensor(context, &t.desc, 0, &made, NULL);
    tensor_free(&t);
    wnn_tensor_release(made);
    if (!status || strcmp(type, wnn_status_exception(status))) {
      snprintf(why, WHY, "createTensor of %s: status %s", name, wnn_status_name(status));
      return false;
    }
  }
  return true;
}

static bool run_compute(wnn_context *context, json_object *json, operand_source source, char why[WHY]) {
  json_object *graph = json_object_object_get(json, "graph"), *bound = json_object_object_get(json, "tolerance");
  tolerance allowed = {METRIC_RELATIVE, json_object_get_double(json_object_object_get(bound, "relative")),
                       json_object_get_double(json_object_object_get(bound, "absolute"))};
  if (!bound || json_object_get_boolean(json_object_object_get(bound, "exact")))
    allowed = (tolerance){METRIC_ULP, 0, 0};
  session s;
  wnn_status status;
  if (!session_begin(&s, context, source, why)) return false;
  s.widen = true;
  bool good = session_inputs(&s, json_object_object_get(graph, "inputs"), &status, why);
  json_object *operators = json_object_object_get(graph, "operators");
  for (size_t i = 0; good && i < json_object_array_length(operators); i++)
    good = session_operator(&s, json_object_array_get_idx(operators, i), "case", &status, why);
  good = good && session_run(&s, json_object_object_get(graph, "expected"), allowed, why);
  session_end(&s);
  return good;
}

static bool run_case(wnn_context *context, json_object *json, const char *kind, operand_source source, char why[WHY]) {
  if (!strcmp(kind, "compute")) return run_compute(context, json, source, why);
  if (!strcmp(kind, "validation")) return run_validation(context, json_object_object_get(json, "graph"), why);
  if (!strcmp(kind, "sequence")) return run_sequence(context, json, why);
  snprintf(why, WHY, "unknown kind %s", kind);
  return false;
}

static void run_file(const char *path) {
  json_object *json = json_object_from_file(path);
  const char *id = json_object_get_string(json_object_object_get(json, "id"));
  const char *name = json_object_get_string(json_object_object_get(json, "name"));
  const char *kind = json_object_get_string(json_object_object_get(json, "kind"));
  if (!id || !name || !kind) {
    test_failed("%s: cannot be read", path);
  } else if (!test_selected(id) && !test_selected(name)) {
  } else if (!strcmp(kind, "onnx")) {
    test_skipped("%s %s: belongs to the importer's tests", id, name);
  } else {
    uint64_t detected = wnn_cpu_detect();
    const struct {
      const char *name;
      bool reference;
      uint64_t features;
      uint32_t threads;
      operand_source source;
    } configs[] = {{"reference", true, detected, 1, SOURCE_AS_GIVEN},
                   {"baseline", false, 0, 1, SOURCE_AS_GIVEN},
                   {"avx2", false, detected & WNN_CPU_AVX2, 2, SOURCE_AS_GIVEN},
                   {"detected", false, detected, 1, SOURCE_AS_GIVEN},
                   {"two threads", false, detected, 2, SOURCE_ALL_INPUTS},
                   {"constants", false, detected, 2, SOURCE_ALL_CONSTANT}};
    for (size_t i = 0; i < sizeof configs / sizeof *configs; i++) {
      char why[WHY] = "";
      wnn_context_options options = WNN_CONTEXT_OPTIONS_INIT;
      options.reference = configs[i].reference;
      options.cpu_features = configs[i].features;
      options.threads = configs[i].threads;
      wnn_context *context = NULL;
      wnn_error error;
      if (wnn_context_create(&options, &context, &error)) snprintf(why, WHY, "context: %s", error.message);
      if (context && run_case(context, json, kind, configs[i].source, why))
        test_passed();
      else
        test_failed("%s %s (%s): %s", id, name, configs[i].name, why);
      wnn_context_release(context);
    }
  }
  json_object_put(json);
}

static int compare_names(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

int main(int argc, char **argv) {
  test_begin(argc, argv);
  char dir[4096], path[4096 + 300];
  const char *found = test_shared("cases/README.md");
  if (!found) {
    test_skipped("../shared is missing");
    return test_end();
  }
  snprintf(dir, sizeof dir, "%s", found);
  *strrchr(dir, '/') = 0;
  char *names[MAX_FILES];
  size_t count = 0;
  DIR *folder = opendir(dir);
  for (struct dirent *entry; folder && (entry = readdir(folder)) && count < MAX_FILES;) {
    size_t length = strlen(entry->d_name);
    if (length > 5 && !strcmp(entry->d_name + length - 5, ".json")) names[count++] = strdup(entry->d_name);
  }
  if (folder) closedir(folder);
  if (!count) test_failed("%s: no cases", dir);
  qsort(names, count, sizeof *names, compare_names);
  for (size_t i = 0; i < count; i++) {
    snprintf(path, sizeof path, "%s/%s", dir, names[i]);
    run_file(path);
    free(names[i]);
  }
  return test_end();
}
