/* Reading of options, model and inputs. */
#include "request.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
  OPT_THREADS = CLI_TEXT_KINDS,
  OPT_PROCESSORS,
  OPT_REFERENCE,
  OPT_CACHE,
  OPT_FEATURES,
  OPT_WITHOUT,
  OPT_DEFAULT_DIM,
  OPT_FILL,
  OPT_SEED,
  OPT_SIZE,
  OPT_MEAN,
  OPT_STD,
  OPT_SCALE,
  OPT_LAYOUT,
  OPT_CHANNELS,
  OPT_BGR,
  OPT_JSON,
  OPT_QUIET
};
static const struct option shared_options[] = {{"threads", required_argument, NULL, OPT_THREADS},
                                               {"processors", required_argument, NULL, OPT_PROCESSORS},
                                               {"reference", no_argument, NULL, OPT_REFERENCE},
                                               {"cache", required_argument, NULL, OPT_CACHE},
                                               {"features", required_argument, NULL, OPT_FEATURES},
                                               {"without", required_argument, NULL, OPT_WITHOUT},
                                               {"dim", required_argument, NULL, CLI_TEXT_DIM},
                                               {"shape", required_argument, NULL, CLI_TEXT_SHAPE},
                                               {"value", required_argument, NULL, CLI_TEXT_VALUE},
                                               {"default-dim", required_argument, NULL, OPT_DEFAULT_DIM},
                                               {"input", required_argument, NULL, CLI_TEXT_INPUT},
                                               {"input-json", required_argument, NULL, CLI_TEXT_INPUT_JSON},
                                               {"fill", required_argument, NULL, OPT_FILL},
                                               {"seed", required_argument, NULL, OPT_SEED},
                                               {"size", required_argument, NULL, OPT_SIZE},
                                               {"mean", required_argument, NULL, OPT_MEAN},
                                               {"std", required_argument, NULL, OPT_STD},
                                               {"scale", required_argument, NULL, OPT_SCALE},
                                               {"layout", required_argument, NULL, OPT_LAYOUT},
                                               {"channels", required_argument, NULL, OPT_CHANNELS},
                                               {"bgr", no_argument, NULL, OPT_BGR},
                                               {"json", no_argument, NULL, OPT_JSON},
                                               {"quiet", no_argument, NULL, OPT_QUIET}};
enum { SHARED = sizeof shared_options / sizeof *shared_options, OWN_MAX = 16 };

bool cli_parse_count(const char *option, const char *text, uint32_t lowest, uint32_t highest, uint32_t *value) {
  char *end;
  errno = 0;
  unsigned long long number = strtoull(text, &end, 10);
  if (*text < '0' || *text > '9' || *end || errno || number < lowest || number > highest) {
    cli_fail("%s: \"%s\" is no number from %u to %u.", option, text, lowest, highest);
    return false;
  }
  *value = (uint32_t)number;
  return true;
}

static bool parse_real(const char *option, const char *text, double *value, char **end) {
  errno = 0;
  *value = strtod(text, end);
  if (*end != text && !errno) return true;
  cli_fail("%s: \"%s\" is no number.", option, text);
  return false;
}

static bool parse_triple(const char *option, const char *text, double triple[3]) {
  char *end;
  int count = 0;
  for (;;) {
    if (count == 3 || !parse_real(option, text, &triple[count++], &end)) break;
    if (!*end) {
      for (int i = count; i < 3; i++) triple[i] = triple[0];
      if (count != 2) return true;
      break;
    }
    if (*end != ',') break;
    text = end + 1;
  }
  cli_fail("%s takes one number, or three separated by commas.", option);
  return false;
}

typedef struct named_bit {
  const char *name;
  uint64_t bit;
} named_bit;
static const named_bit features[] = {
#define X(constant, bit, name) {name, UINT64_C(1) << bit},
    WNN_CPU_FEATURE_LIST(X)
#undef X
};
static const named_bit passes[] = {
#define X(constant, bit, name) {name, UINT64_C(1) << bit},
    WNN_PASS_LIST(X)
#undef X
};

static bool parse_bits(const char *option, const char *text, const named_bit *bits, size_t count, uint64_t *mask) {
  *mask = 0;
  if (!strcmp(text, "none")) return true;
  while (*text) {
    size_t length = strcspn(text, ","), i = 0;
    while (i < count && (strlen(bits[i].name) != length || strncmp(bits[i].name, text, length))) i++;
    if (i == count) {
      cli_fail("%s: \"%.*s\" is not known.", option, (int)length, text);
      return false;
    }
    *mask |= bits[i].bit;
    text += length + (text[length] == ',');
  }
  return true;
}

bool cli_parse_features(const char *text, uint64_t *mask) {
  return parse_bits("--features", text, features, sizeof features / sizeof *features, mask);
}

bool cli_parse_passes(const char *option, const char *text, uint64_t *mask) {
  return parse_bits(option, text, passes, sizeof passes / sizeof *passes, mask);
}

static bool keep_text(cli_request *r, int kind, const char *text) {
  const char **texts = realloc(r->texts, (r->text_count + 1) * sizeof *texts);
  if (texts) r->texts = texts;
  int *kinds = realloc(r->text_kinds, (r->text_count + 1) * sizeof *kinds);
  if (kinds) r->text_kinds = kinds;
  if (!texts || !kinds) {
    cli_fail("Memory is short.");
    return false;
  }
  texts[r->text_count] = text;
  kinds[r->text_count++] = kind;
  return true;
}

static bool parse_fill(cli_request *r, const char *text) {
  static const char *const names[] = {"", "random", "ramp", "zeros", "ones"};
  for (int i = CLI_FILL_RANDOM; i <= CLI_FILL_ONES; i++)
    if (!strcmp(text, names[i])) {
      r->fill = (cli_fill)i;
      return true;
    }
  cli_fail("--fill takes random, ramp, zeros or ones.");
  return false;
}

/* "0,2-3" */
static bool parse_processors(cli_request *r, const char *text) {
  uint32_t count = 0;
  for (const char *at = text;; at++) {
    char *end;
    if (*at < '0' || *at > '9') break;
    unsigned long first = strtoul(at, &end, 10), last = first;
    if (*end == '-') {
      at = end + 1;
      if (*at < '0' || *at > '9') break;
      last = strtoul(at, &end, 10);
    }
    if (last > UINT32_MAX - 1 || first > last || last - first >= CLI_PROCESSORS_MAX - count) break;
    while (first <= last) r->processors[count++] = (uint32_t)first++;
    at = end;
    if (!*at) {
      r->engine.processors = r->processors;
      r->engine.processor_count = count;
      return true;
    }
    if (*at != ',') break;
  }
  cli_fail("--processors: \"%s\" is no list of at most %d processors, such as 0,2-3.", text, CLI_PROCESSORS_MAX);
  return false;
}

static bool take_shared(cli_request *r, int option, const char *text) {
  cli_picture_options *p = &r->picture;
  uint32_t number, shape[WNN_MAX_RANK], rank;
  char *end;
  switch (option) {
  case OPT_THREADS: return cli_parse_count("--threads", text, 1, 1024, &r->engine.threads);
  case OPT_PROCESSORS: return parse_processors(r, text);
  case OPT_REFERENCE: r->engine.reference = true; return true;
  case OPT_CACHE: r->session.cache_folder = text; return true;
  case OPT_FEATURES: return cli_parse_features(text, &r->engine.cpu_features);
  case OPT_WITHOUT: return cli_parse_passes("--without", text, &r->engine.disabled_passes);
  case OPT_DEFAULT_DIM: return cli_parse_count("--default-dim", text, 1, INT32_MAX, &r->session.import.default_size);
  case OPT_FILL: return parse_fill(r, text);
  case OPT_SEED: return cli_parse_count("--seed", text, 0, UINT32_MAX, &r->seed);
  case OPT_SIZE:
    if (!cli_parse_shape(text, &rank, shape) || rank != 2 || !shape[0] || !shape[1]) {
      cli_fail("--size takes WIDTHxHEIGHT, such as 320x48.");
      return false;
    }
    p->width = shape[0];
    p->height = shape[1];
    return true;
  case OPT_MEAN: return parse_triple("--mean", text, p->mean);
  case OPT_STD: return parse_triple("--std", text, p->std);
  case OPT_SCALE:
    return parse_real("--scale", text, &p->scale, &end) && (!*end || !cli_fail("--scale takes a number."));
  case OPT_LAYOUT:
    p->layout = !strcmp(text, "nchw") ? 1 : !strcmp(text, "nhwc") ? 2 : 0;
    return p->layout || (cli_fail("--layout takes nchw or nhwc."), false);
  case OPT_CHANNELS:
    if (!cli_parse_count("--channels", text, 1, 4, &number)) return false;
    p->channels = (int)number;
    return number != 2 || (cli_fail("--channels takes 1, 3 or 4."), false);
  case OPT_BGR: p->bgr = true; return true;
  case OPT_JSON: r->json = r->quiet = true; return true;
  case OPT_QUIET: r->quiet = true; return true;
  default: return keep_text(r, option, text);
  }
}

/* ---- Reading everything ------------------------------------------------------------------------------ */

int cli_model_failed(const cli_request *r, const wnn_error *error) {
  bool named = strstr(error->message, r->path) != NULL;
  return cli_fail("%s%s%s", named ? "" : r->path, named ? "" : ": ", error->message);
}

static bool open_model(cli_request *r) {
  wnn_error error;
  double start = cli_now_ms();
  if (wnn_onnx_open(r->path, &r->model, &error)) {
    cli_model_failed(r, &error);
    return false;
  }
  r->open_ms = cli_now_ms() - start;
  return true;
}

int cli_request_read(cli_request *r, int argc, char **argv, const struct option *own, cli_own_fn take, void *user) {
  static const wnn_context_options engine = WNN_CONTEXT_OPTIONS_INIT;
  static const wnn_onnx_session_options session = WNN_ONNX_SESSION_OPTIONS_INIT;
  static const cli_picture_options picture = CLI_PICTURE_OPTIONS_INIT;
  memset(r, 0, sizeof *r);
  r->command = argv[0];
  r->engine = engine;
  r->session = session;
  r->picture = picture;
  r->seed = 1;
  struct option options[SHARED + OWN_MAX + 1];
  size_t count = SHARED;
  memcpy(options, shared_options, sizeof shared_options);
  for (size_t i = 0; own && own[i].name && i < OWN_MAX; i++) options[count++] = own[i];
  options[count] = (struct option){0};
  for (int c; (c = getopt_long(argc, argv, "", options, NULL)) != -1;) {
    if (c == '?') return cli_usage(argv[0], "The options are not understood.");
    if (!(c >= CLI_OWN ? take(user, c, optarg) : take_shared(r, c, optarg))) return CLI_USAGE;
  }
  if (optind == argc) return cli_usage(argv[0], "Which model?");
  r->path = argv[optind++];
  if (!open_model(r)) return CLI_FAILED;
  for (; optind < argc; optind++)
    if (!keep_text(r, CLI_TEXT_INPUT, argv[optind])) return CLI_FAILED;
  return cli_request_texts(r);
}

void cli_request_free(cli_request *r) {
  free((void *)r->session.import.sizes);
  free((void *)r->session.import.shapes);
  free((void *)r->session.import.values);
  free(r->texts);
  free(r->text_kinds);
  cli_tensors_free(&r->values);
  cli_tensors_free(&r->inputs);
  wnn_onnx_release(r->model);
}

bool cli_context_make(const cli_request *r, wnn_context **context) {
  wnn_error error;
  if (!wnn_context_create(&r->engine, context, &error)) return true;
  cli_fail("%s", error.message);
  return false;
}
