/* webnn diff: a model on two engines, tensor by tensor; names the first operation whose results part. */
#include <json-c/json.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tapping.h"

const char cli_diff_usage[] =
    "webnn diff [OPTIONS] MODEL.onnx [NAME=FILE ...]\n\n"
    "  Runs a model on two engines and compares first its outputs, then every intermediate tensor in\n"
    "  the order of the model, and names the first operation whose results part, with numbers.\n"
    "  Engine A is set by the options of engines below (default: fast), engine B by those with --b-\n"
    "  (default: the reference kernels). Exit code: 0 alike, 1 they part.\n\n"
    "    webnn diff rec.onnx --shape x=1x3x48x320                      fast against reference\n"
    "    webnn diff rec.onnx --shape x=1x3x48x320 --threads 1 --b-fast --b-threads 4\n"
    "    webnn diff rec.onnx --shape x=1x3x48x320 --b-fast --b-features none\n"
    "    webnn diff rec.onnx x=x.npy --save here                       all tensors to here/*.npy\n"
    "    webnn diff rec.onnx x=x.npy --saved there                     against files of another machine\n\n"
    "  Two numbers part when |a - b| > rtol |b| + atol m, m being the largest |b| of the tensor.\n"
    "  All tensors are looked at together, which keeps fused operations apart. When that hides the\n"
    "  difference, tensors are looked at one at a time, halving the model.\n\n"
    "Comparison\n"
    "  --rtol X, --atol X     tolerances (default 1e-3 and 1e-4)\n"
    "  --all                  list every tensor, do not stop at the first that parts\n"
    "  --outputs-only         only the outputs of the model\n"
    "  --saved DIR            B is DIR/NAME.npy, as webnn run --save and webnn diff --save write them\n"
    "  --save DIR             write all tensors of A\n"
    "  --b-fast               B is the fast engine\n"
    "  --b-threads N, --b-features LIST, --b-without LIST\n"
    "  --json                 the result as JSON\n" CLI_INPUT_OPTIONS CLI_MODEL_OPTIONS CLI_ENGINE_OPTIONS;

enum {
  OWN_RTOL = CLI_OWN,
  OWN_ATOL,
  OWN_ALL,
  OWN_OUTPUTS,
  OWN_SAVED,
  OWN_SAVE,
  OWN_B_FAST,
  OWN_B_THREADS,
  OWN_B_FEATURES,
  OWN_B_WITHOUT
};
static const struct option own_options[] = {{"rtol", required_argument, NULL, OWN_RTOL},
                                            {"atol", required_argument, NULL, OWN_ATOL},
                                            {"all", no_argument, NULL, OWN_ALL},
                                            {"outputs-only", no_argument, NULL, OWN_OUTPUTS},
                                            {"saved", required_argument, NULL, OWN_SAVED},
                                            {"save", required_argument, NULL, OWN_SAVE},
                                            {"b-fast", no_argument, NULL, OWN_B_FAST},
                                            {"b-threads", required_argument, NULL, OWN_B_THREADS},
                                            {"b-features", required_argument, NULL, OWN_B_FEATURES},
                                            {"b-without", required_argument, NULL, OWN_B_WITHOUT},
                                            {0}};

typedef struct diff {
  cli_request *r;
  double rtol, atol;
  bool all, outputs_only;
  const char *saved, *save;
  wnn_context_options b_engine;
  wnn_context *a, *b;
  struct json_object *list; /* of compared tensors, with --json */
  size_t compared, parted;
} diff;

static bool take_real(const char *option, const char *text, double *value) {
  char *end;
  *value = strtod(text, &end);
  if (end != text && !*end && *value >= 0 && isfinite(*value)) return true;
  cli_fail("%s: \"%s\" is no tolerance.", option, text);
  return false;
}

static bool take(void *user, int option, const char *text) {
  diff *d = user;
  switch (option) {
  case OWN_RTOL: return take_real("--rtol", text, &d->rtol);
  case OWN_ATOL: return take_real("--atol", text, &d->atol);
  case OWN_ALL: d->all = true; return true;
  case OWN_OUTPUTS: d->outputs_only = true; return true;
  case OWN_SAVED: d->saved = text; return true;
  case OWN_SAVE: d->save = text; return true;
  case OWN_B_FAST: d->b_engine.reference = false; return true;
  case OWN_B_THREADS: return cli_parse_count("--b-threads", text, 1, 1024, &d->b_engine.threads);
  case OWN_B_FEATURES: return cli_parse_features(text, &d->b_engine.cpu_features);
  default: return cli_parse_passes("--b-without", text, &d->b_engine.disabled_passes);
  }
}

/* ---- Two tensors ---------------------------------------------------------------------------------------- */

typedef struct difference {
  bool parts;
  uint64_t count, beyond, at;     /* at: the worst element */
  double a, b, largest, relative; /* largest |a - b|, and over the largest |b| */
} difference;

static difference compare(const diff *d, const wnn_desc *desc, const void *a, const void *b) {
  difference out = {0};
  double most = 0, worst = -1;
  cli_count(desc->rank, desc->shape, &out.count);
  for (uint64_t i = 0; i < out.count; i++) {
    double v = fabs(cli_element(desc, b, i));
    if (isfinite(v) && v > most) most = v;
  }
  for (uint64_t i = 0; i < out.count; i++) {
    double x = cli_element(desc, a, i), y = cli_element(desc, b, i), gap = fabs(x - y);
    if (x == y || (isnan(x) && isnan(y))) gap = 0;
    bool beyond = isnan(gap) || gap > d->rtol * fabs(y) + d->atol * most;
    if (gap == INFINITY) beyond = true; /* an infinite limit proves nothing */
    if (isnan(gap)) gap = INFINITY;
    out.beyond += beyond;
    if (gap > worst) {
      worst = gap;
      out.at = i;
      out.a = x;
      out.b = y;
    }
  }
  out.largest = worst < 0 ? 0 : worst;
  out.relative = most > 0 ? out.largest / most : out.largest;
  out.parts = out.beyond > 0;
  return out;
}

/* "[0, 3, 17]" */
static const char *place_text(const wnn_desc *desc, uint64_t at, char text[128]) {
  uint32_t index[WNN_MAX_RANK] = {0};
  for (uint32_t i = desc->rank; i-- > 0;) {
    index[i] = desc->shape[i] ? (uint32_t)(at % desc->shape[i]) : 0;
    at = desc->shape[i] ? at / desc->shape[i] : 0;
  }
  int used = snprintf(text, 128, "[");
  for (uint32_t i = 0; i < desc->rank; i++)
    used += snprintf(text + used, 128 - (size_t)used, "%s%u", i ? ", " : "", index[i]);
  snprintf(text + used, 128 - (size_t)used, "]");
  return text;
}

static void note(diff *d, const cli_tapped *t, const difference *x, bool output) {
  d->compared++;
  d->parted += x->parts;
  char shape[CLI_SHAPE_TEXT], place[128];
  if (d->list) {
    struct json_object *item = json_object_new_object();
    json_object_object_add(item, "tensor", json_object_new_string(t->tensor));
    json_object_object_add(item, "node", json_object_new_string(t->node));
    json_object_object_add(item, "operator", json_object_new_string(t->op));
    json_object_object_add(item, "output", json_object_new_boolean(output));
    json_object_object_add(item, "shape", json_object_new_string(cli_desc_text(&t->desc, shape)));
    json_object_object_add(item, "parts", json_object_new_boolean(x->parts));
    json_object_object_add(item, "beyond", json_object_new_int64((int64_t)x->beyond));
    json_object_object_add(item, "elements", json_object_new_int64((int64_t)x->count));
    json_object_object_add(item, "largest",
                           isfinite(x->largest) ? json_object_new_double(x->largest)
                                                : json_object_new_string("Infinity"));
    json_object_object_add(item, "at", json_object_new_string(place_text(&t->desc, x->at, place)));
    json_object_array_add(d->list, item);
    return;
  }
  if (!output && !d->all && !x->parts) return;
  printf("%s%-6s%s ", x->parts ? cli_red(stdout) : cli_green(stdout), x->parts ? "parts" : "alike", cli_plain(stdout));
  if (output)
    printf("output %s\"%s\"%s", cli_bold(stdout), t->tensor, cli_plain(stdout));
  else
    printf("%s %s\"%s\"%s", t->op, cli_bold(stdout), *t->node ? t->node : t->tensor, cli_plain(stdout));
  printf("  %s  largest |a - b| %.3g (%.2g of the largest |b|)\n", cli_desc_text(&t->desc, shape), x->largest,
         x->relative);
  if (x->parts)
    printf("       %llu of %llu elements beyond the tolerance; worst at %s: a = %.9g, b = %.9g\n",
           (unsigned long long)x->beyond, (unsigned long long)x->count, place_text(&t->desc, x->at, place), x->a, x->b);
}

/* B's side of a tensor: from its engine, or from a file; NULL with *missing when there is no such file. */
static void *saved_tensor(const diff *d, const cli_tapped *t, bool *missing) {
  char path[1024];
  cli_array array;
  cli_tensor tensor;
  cli_file_name(d->saved, t->tensor, ".npy", path, sizeof path);
  *missing = access(path, R_OK) != 0;
  if (*missing || !cli_read_npy(path, &array)) return NULL;
  bool same = array.rank == t->desc.rank && !memcmp(array.shape, t->desc.shape, array.rank * sizeof *array.shape);
  if (!same) cli_fail("%s has another shape than the tensor.", path);
  bool done = same && cli_array_convert(&array, t->tensor, t->desc.data_type, &tensor);
  cli_array_free(&array);
  if (!done) return NULL;
  free(tensor.name);
  return tensor.data;
}

/* ---- Runs of tapped graphs ------------------------------------------------------------------------------- */

typedef struct range {
  size_t first, end; /* of the tapped tensors; outputs of the model come last */
} range;

/* Compares the tensors of a range. -1: failed, 0: alike, 1: the first that parts is *where. */
static int compare_range(diff *d, const cli_taps *shape, range span, bool quiet, size_t *where) {
  cli_taps a = {0}, b = {0};
  int result = -1;
  if (!cli_taps_run(d->r, d->a, shape, span.first, span.end, &a)) goto end;
  if (!d->saved && !cli_taps_run(d->r, d->b, shape, span.first, span.end, &b)) goto end;
  result = 0;
  for (size_t i = span.first; i < span.end; i++) {
    const cli_tapped *t = &a.at[i];
    if (!t->data) continue;
    bool missing = false;
    void *loaded = d->saved ? saved_tensor(d, t, &missing) : NULL;
    const void *other = d->saved ? loaded : b.at[i].data;
    if (d->save && !quiet) {
      char path[1024];
      uint64_t count = 0;
      cli_file_name(d->save, t->tensor, ".npy", path, sizeof path);
      cli_count(t->desc.rank, t->desc.shape, &count);
      if (!cli_write_npy(path, &t->desc, t->data, (size_t)count * wnn_data_type_size(t->desc.data_type))) result = -1;
    }
    if (!other && !missing) result = -1;
    if (other && result >= 0) {
      difference x = compare(d, &t->desc, t->data, other);
      if (!quiet) note(d, t, &x, t->output);
      if (x.parts && !result) {
        result = 1;
        *where = i;
      }
    }
    free(loaded);
    if (result < 0 || (result && !d->all && !d->save && !t->output)) break;
  }
end:
  cli_taps_free(&a);
  cli_taps_free(&b);
  return result;
}

/* Looks at single tensors, halving: the first that parts when it alone is looked at. */
static int halve(diff *d, const cli_taps *shape, size_t inner, size_t *where) {
  size_t low = 0, high = inner;
  int found = 0;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    int parts = compare_range(d, shape, (range){middle, middle + 1}, true, where);
    if (parts < 0) return -1;
    if (parts) {
      high = middle;
      found = 1;
    } else {
      low = middle + 1;
    }
  }
  if (!found) return 0;
  int parts = compare_range(d, shape, (range){high, high + 1}, false, where);
  return parts < 0 ? -1 : 1;
}

static int search(diff *d, const cli_taps *shape, size_t inner, bool outputs_part, size_t *where, bool *halved) {
  enum { MOST_BYTES = 192 << 20 };
  cli_progress progress;
  *halved = false;
  cli_progress_start(&progress, d->r, "Comparing tensors");
  int result = 0;
  for (size_t first = 0; first < inner && result >= 0 && (!result || d->all || d->save);) {
    size_t end = first;
    uint64_t bytes = 0;
    while (end < inner && (end == first || bytes + wnn_desc_bytes(&shape->at[end].desc) <= MOST_BYTES))
      bytes += wnn_desc_bytes(&shape->at[end++].desc);
    size_t found;
    cli_progress_end(&progress);
    int parts = compare_range(d, shape, (range){first, end}, false, &found);
    if (parts < 0) result = -1;
    if (parts > 0 && !result) {
      result = 1;
      *where = found;
    }
    first = end;
    cli_progress_step(&progress, first, inner);
  }
  cli_progress_end(&progress);
  if (result || !outputs_part || !inner || d->saved) return result;
  *halved = true;
  return halve(d, shape, inner, where);
}

static void conclude(const diff *d, const cli_taps *shape, int parts, size_t where, bool halved, bool outputs_part) {
  if (parts <= 0) {
    if (!outputs_part) printf("%sAlike%s: %zu tensors compared\n", cli_green(stdout), cli_plain(stdout), d->compared);
    if (outputs_part) printf("The outputs part, but no single tensor before them does.\n");
    return;
  }
  const cli_tapped *t = &shape->at[where];
  printf("\nFirst to part: %s%s%s, node %s\"%s\"%s, tensor \"%s\"%s\n", cli_red(stdout), t->op, cli_plain(stdout),
         cli_bold(stdout), t->node, cli_plain(stdout), t->tensor,
         halved ? " (only while fused with its neighbours)" : "");
}

static int run(diff *d) {
  cli_taps shape = {0};
  size_t where = 0;
  bool halved = false;
  if (!cli_taps_find(d->r, d->a, &shape)) return CLI_FAILED;
  if (d->save && mkdir(d->save, 0777) && !cli_is_folder(d->save)) {
    cli_taps_free(&shape);
    return cli_fail("%s cannot be made.", d->save);
  }
  size_t inner = shape.count - shape.outputs;
  int outputs = compare_range(d, &shape, (range){inner, shape.count}, false, &where), result = outputs;
  bool output_parts = outputs > 0;
  if (result >= 0 && !d->outputs_only) {
    result = search(d, &shape, inner, output_parts, &where, &halved);
    if (result == 0 && output_parts && !halved) { /* the outputs themselves are the first */
      result = 1;
      where = inner;
    }
  }
  if (result >= 0 && d->list) {
    struct json_object *root = json_object_new_object();
    json_object_object_add(root, "alike", json_object_new_boolean(!result && !output_parts));
    json_object_object_add(root, "compared", json_object_new_int64((int64_t)d->compared));
    if (result) {
      struct json_object *first = json_object_new_object();
      json_object_object_add(first, "tensor", json_object_new_string(shape.at[where].tensor));
      json_object_object_add(first, "node", json_object_new_string(shape.at[where].node));
      json_object_object_add(first, "operator", json_object_new_string(shape.at[where].op));
      json_object_object_add(first, "fused", json_object_new_boolean(halved));
      json_object_object_add(root, "first", first);
    }
    json_object_object_add(root, "tensors", d->list);
    d->list = NULL;
    if (!cli_write_json("-", root)) result = -1;
    json_object_put(root);
  } else if (result >= 0 && !d->outputs_only) {
    conclude(d, &shape, result, where, halved, output_parts);
  }
  cli_taps_free(&shape);
  return result || output_parts ? CLI_FAILED : CLI_OK;
}

int cli_diff(int argc, char **argv) {
  cli_request r;
  static const wnn_context_options plain = WNN_CONTEXT_OPTIONS_INIT;
  diff d = {.r = &r, .rtol = 1e-3, .atol = 1e-4, .b_engine = plain};
  d.b_engine.reference = true;
  int code = cli_request_read(&r, argc, argv, own_options, take, &d);
  if (!code && r.json) d.list = json_object_new_array();
  if (!code && !cli_request_fill(&r, CLI_FILL_RANDOM)) code = CLI_FAILED;
  if (!code && !cli_context_make(&r, &d.a)) code = CLI_FAILED;
  wnn_error error;
  if (!code && !d.saved && wnn_context_create(&d.b_engine, &d.b, &error)) code = cli_fail("%s", error.message);
  if (!code) code = run(&d);
  if (d.list) json_object_put(d.list);
  wnn_context_release(d.a);
  wnn_context_release(d.b);
  cli_request_free(&r);
  return code;
}
