/* Runs flat conformance vectors (flatten.mjs) with nothing but the core library and the C library: the test of ports.
 *
 *   flat FILE [--only TEXT] [--threads N]      every engine configuration of this processor */
#include "flat.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_NAMES = 256, MAX_OPERANDS = 256, MAX_LIST = 64, KEPT = 4096, WHY = 600, MAX_CONFIGS = 16 };
enum value_kind { NO, YES, DOUBLE, INT64, UINT64, STRING, OPERAND, LIST };

typedef struct config {
  const char *name;
  wnn_context *context;
  bool inputs; /* constants of the vectors become inputs */
} config;

/* A case being built. Lists of arguments live in kept until it has run. */
typedef struct run {
  const config *config;
  wnn_builder *builder;
  struct {
    text name;
    wnn_operand *operand;
    flat_tensor tensor;
    bool input;
  } names[MAX_NAMES];
  size_t name_count, kept_count;
  uint32_t kept[KEPT];
  char why[WHY];
} run;

static bool fail(run *s, const char *what, const char *message) {
  if (!s->why[0]) snprintf(s->why, WHY, "%.60s: %.500s", what, message);
  return false;
}

static bool add_name(run *s, text name, wnn_operand *operand) {
  if (s->name_count == MAX_NAMES) return fail(s, "case", "too many names");
  s->names[s->name_count].name = name;
  s->names[s->name_count].input = false;
  s->names[s->name_count++].operand = operand;
  return true;
}

static wnn_operand *find(const run *s, text name) {
  for (size_t i = s->name_count; i-- > 0;)
    if (s->names[i].name.size == name.size && !memcmp(s->names[i].name.data, name.data, name.size))
      return s->names[i].operand;
  return NULL;
}

static bool add_input(run *s, reader *r) {
  wnn_error error = {0};
  wnn_operand *operand = NULL;
  flat_tensor t;
  char name[64];
  if (!read_tensor(r, &t)) return fail(s, "file", "a tensor cannot be read");
  text_copy(t.name, name, sizeof name);
  const bool constant = t.constant && !s->config->inputs;
  void *bytes = constant ? flat_expand(&t) : NULL;
  const wnn_status status =
      constant ? wnn_builder_constant(s->builder, &t.desc, bytes, (size_t)wnn_desc_bytes(&t.desc), &operand, &error)
               : wnn_builder_input(s->builder, name, &t.desc, &operand, &error);
  free(bytes);
  if (status) return fail(s, name, error.message);
  if (!add_name(s, t.name, operand)) return false;
  s->names[s->name_count - 1].tensor = t;
  s->names[s->name_count - 1].input = !constant;
  return true;
}

/* ---- Arguments ---- */

typedef struct call {
  const wnn_op_info *row;
  _Alignas(16) unsigned char args[1024];
  wnn_operand *operands[MAX_OPERANDS];
  size_t operand_count;
} call;

/* A number, read after its kind. */
static bool read_number(reader *r, uint32_t kind, wnn_number *out) {
  if (kind == DOUBLE)
    *out = wnn_number_double(read_f64(r));
  else if (kind == INT64)
    *out = wnn_number_int64((int64_t)read_u64(r));
  else if (kind == UINT64)
    *out = wnn_number_uint64(read_u64(r));
  return kind == DOUBLE || kind == INT64 || kind == UINT64;
}

static double as_double(wnn_number n) {
  return n.kind == WNN_NUMBER_DOUBLE  ? n.value.f64
         : n.kind == WNN_NUMBER_INT64 ? (double)n.value.i64
                                      : (double)n.value.u64;
}

static bool read_word(reader *r, const wnn_param_info *param, uint32_t kind, void *out) {
  wnn_number n;
  int32_t found = -1;
  if (kind == STRING) {
    const text name = read_text(r);
    for (uint32_t i = 0; param->enumeration && i < param->enumeration->count; i++)
      if (text_is(name, param->enumeration->values[i])) found = (int32_t)i;
    for (int t = 0; param->kind == WNN_PARAM_DATA_TYPE && t < WNN_DATA_TYPE_COUNT; t++)
      if (text_is(name, wnn_data_type_name((wnn_data_type)t))) found = t;
    memcpy(out, &found, sizeof found);
    return found >= 0;
  }
  if (!read_number(r, kind, &n) || (param->kind != WNN_PARAM_F32_LIST && n.kind == WNN_NUMBER_DOUBLE)) return false;
  const float single = (float)as_double(n);
  const uint32_t word = (uint32_t)n.value.u64;
  memcpy(out, param->kind == WNN_PARAM_F32_LIST ? (const void *)&single : (const void *)&word, sizeof word);
  return true;
}

static bool set_list(run *s, reader *r, const wnn_param_info *param, void *field) {
  const uint32_t count = read_u32(r);
  if (count >= KEPT - s->kept_count) return false;
  uint32_t *data = s->kept + s->kept_count;
  s->kept_count += count + 1; /* an empty list has a place too */
  for (uint32_t i = 0; i < count; i++)
    if (!read_word(r, param, read_u32(r), data + i)) return false;
  switch (param->kind) {
  case WNN_PARAM_F32_LIST: *(wnn_f32_list *)field = (wnn_f32_list){(float *)data, count}; return true;
  case WNN_PARAM_ENUM_LIST: *(wnn_enum_list *)field = (wnn_enum_list){(int32_t *)data, count}; return true;
  case WNN_PARAM_SPLITS: *(wnn_splits *)field = (wnn_splits){data, count}; return true;
  case WNN_PARAM_U32_LIST: *(wnn_u32_list *)field = (wnn_u32_list){data, count}; return true;
  default: return false;
  }
}

static bool set_param(run *s, reader *r, call *c, const wnn_param_info *param) {
  void *field = c->args + param->offset;
  const uint32_t kind = read_u32(r);
  wnn_number number;
  if (kind == LIST) return set_list(s, r, param, field);
  switch (param->kind) {
  case WNN_PARAM_BOOL: *(bool *)field = kind == YES; return kind <= YES;
  case WNN_PARAM_F64:
    if (!read_number(r, kind, &number)) return false;
    *(double *)field = as_double(number);
    return true;
  case WNN_PARAM_NUMBER: return read_number(r, kind, field);
  case WNN_PARAM_SPLITS:
    ((wnn_splits *)field)->sizes = NULL;
    return read_word(r, param, kind, &((wnn_splits *)field)->count);
  default: return read_word(r, param, kind, field);
  }
}

static bool set_operand(run *s, reader *r, call *c, uint32_t index) {
  const bool variadic = c->row->operands[index].variadic;
  const uint32_t kind = read_u32(r), count = kind == LIST ? read_u32(r) : 1;
  if (variadic != (kind == LIST) || count > MAX_OPERANDS) return false;
  if (variadic) c->operand_count = count;
  for (uint32_t i = 0; i < count; i++) {
    if ((variadic ? read_u32(r) : kind) != OPERAND) return false;
    wnn_operand **place = &c->operands[variadic ? i : index];
    *place = find(s, read_text(r));
    if (!*place) return false;
  }
  return true;
}

/* Positions count the operands that are arguments, then the parameters that are. */
static bool set_one(run *s, reader *r, call *c) {
  const int32_t position = (int32_t)read_u32(r);
  const text name = read_text(r);
  int32_t left = position;
  for (uint32_t i = 0; i < c->row->operand_count; i++) {
    const wnn_operand_info *o = &c->row->operands[i];
    if (position < 0 ? text_is(name, o->name) : !o->in_options && left-- == 0) return set_operand(s, r, c, i);
  }
  for (uint32_t i = 0; i < c->row->param_count; i++) {
    const wnn_param_info *p = &c->row->params[i];
    if (position < 0 ? text_is(name, p->name) : p->positional && left-- == 0) return set_param(s, r, c, p);
  }
  return false;
}

static bool add_operator(run *s, reader *r) {
  call c = {0};
  char name[64];
  wnn_error error = {0};
  wnn_operand *results[MAX_OPERANDS];
  size_t made = 0;
  text_copy(read_text(r), name, sizeof name);
  const int op = wnn_op_find(name);
  if (op < 0) return fail(s, name, "no such operation");
  c.row = wnn_op_get(op);
  if (c.row->args_size > sizeof c.args) return fail(s, name, "large arguments");
  memcpy(c.args, c.row->defaults, c.row->args_size);
  c.operand_count = c.row->operand_count;
  for (uint32_t n = read_u32(r); n--;)
    if (r->failed || !set_one(s, r, &c)) return fail(s, name, "an argument cannot be set");
  const uint32_t wanted = read_u32(r);
  if (wanted > MAX_OPERANDS) return fail(s, name, "too many outputs");
  if (wnn_builder_add(s->builder, op, c.args, c.operands, c.operand_count, results, wanted, &made, &error))
    return fail(s, name, error.message);
  if (made != wanted) return fail(s, name, "another number of outputs");
  for (uint32_t i = 0; i < wanted; i++)
    if (!add_name(s, read_text(r), results[i])) return false;
  return true;
}

/* ---- Running ---- */

static bool write_inputs(run *s, wnn_graph *graph, wnn_named_tensor *in, size_t *count) {
  wnn_error error = {0};
  for (size_t g = 0; g < wnn_graph_input_count(graph); g++) {
    const char *name = wnn_graph_input_name(graph, g);
    size_t i = 0;
    while (i < s->name_count && !(s->names[i].input && text_is(s->names[i].name, name))) i++;
    if (i == s->name_count || g == MAX_LIST) return fail(s, name, "no data");
    const flat_tensor *t = &s->names[i].tensor;
    in[g].name = name;
    if (wnn_context_create_tensor(s->config->context, &t->desc, WNN_TENSOR_WRITABLE, &in[g].tensor, &error))
      return fail(s, name, error.message);
    *count = g + 1;
    void *bytes = flat_expand(t);
    const wnn_status status =
        wnn_context_write_tensor(s->config->context, in[g].tensor, bytes, (size_t)wnn_desc_bytes(&t->desc), &error);
    free(bytes);
    if (status) return fail(s, name, error.message);
  }
  return true;
}

static bool check_output(run *s, const wnn_named_tensor *out, const flat_tensor *expected, bool absolute,
                         double allowed) {
  const size_t size = (size_t)wnn_desc_bytes(&expected->desc);
  wnn_error error = {0};
  char why[400];
  void *bytes = malloc(size);
  bool good = bytes && !wnn_context_read_tensor(s->config->context, out->tensor, bytes, size, &error);
  if (!good)
    fail(s, out->name, bytes ? error.message : "no memory");
  else if (!(good = flat_compare(expected, bytes, absolute, allowed, why, sizeof why)))
    fail(s, out->name, why);
  free(bytes);
  return good;
}

static bool run_graph(run *s, const flat_tensor *expected, uint32_t count, bool absolute, double allowed) {
  wnn_error error = {0};
  wnn_graph *graph = NULL;
  wnn_named_operand outputs[MAX_LIST];
  wnn_named_tensor in[MAX_LIST], out[MAX_LIST];
  char names[MAX_LIST][32];
  size_t in_count = 0, out_count = 0;
  bool good = true;
  for (uint32_t i = 0; good && i < count; i++) {
    outputs[i] = (wnn_named_operand){text_copy(expected[i].name, names[i], sizeof names[i]), find(s, expected[i].name)};
    const wnn_desc *desc = outputs[i].operand ? wnn_operand_desc(outputs[i].operand) : NULL;
    if (!desc || desc->data_type != expected[i].desc.data_type || desc->rank != expected[i].desc.rank ||
        memcmp(desc->shape, expected[i].desc.shape, desc->rank * sizeof *desc->shape))
      good = fail(s, names[i], "another descriptor");
  }
  if (good && wnn_builder_build(s->builder, outputs, count, &graph, &error)) good = fail(s, "build", error.message);
  good = good && write_inputs(s, graph, in, &in_count);
  for (uint32_t i = 0; good && i < count; i++) {
    out[i].name = names[i];
    if (wnn_context_create_tensor(s->config->context, &expected[i].desc, WNN_TENSOR_READABLE, &out[i].tensor, &error))
      good = fail(s, names[i], error.message);
    else
      out_count++;
  }
  if (good && wnn_context_dispatch(s->config->context, graph, in, in_count, out, out_count, &error))
    good = fail(s, "dispatch", error.message);
  for (uint32_t i = 0; good && i < count; i++) good = check_output(s, &out[i], &expected[i], absolute, allowed);
  for (size_t i = 0; i < in_count; i++) wnn_tensor_release(in[i].tensor);
  for (size_t i = 0; i < out_count; i++) wnn_tensor_release(out[i].tensor);
  wnn_graph_release(graph);
  return good;
}

/* Runs the case at the reader in one configuration; stops anywhere when it fails. */
static bool run_case(run *s, reader *r, bool absolute, double allowed) {
  wnn_error error = {0};
  flat_tensor expected[MAX_LIST];
  bool good = !wnn_builder_create(s->config->context, &s->builder, &error);
  if (!good) return fail(s, "builder", error.message);
  for (uint32_t n = read_u32(r); good && n--;) good = add_input(s, r);
  for (uint32_t n = good ? read_u32(r) : 0; good && n--;) good = add_operator(s, r);
  const uint32_t count = good ? read_u32(r) : 0;
  if (good && (!count || count > MAX_LIST)) good = fail(s, "file", "number of outputs");
  for (uint32_t i = 0; good && i < count; i++)
    good = read_tensor(r, &expected[i]) || fail(s, "file", "a tensor cannot be read");
  good = good && run_graph(s, expected, count, absolute, allowed);
  wnn_builder_release(s->builder);
  return good;
}

/* ---- The file ---- */

static unsigned char *read_file(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  long length = -1;
  if (file && !fseek(file, 0, SEEK_END)) length = ftell(file);
  unsigned char *data = length > 0 ? malloc((size_t)length) : NULL;
  if (data && (fseek(file, 0, SEEK_SET) || fread(data, 1, (size_t)length, file) != (size_t)length)) {
    free(data);
    data = NULL;
  }
  if (file) fclose(file);
  *size = data ? (size_t)length : 0;
  return data;
}

static size_t make_configs(config *configs, unsigned threads) {
  static const struct {
    const char *name;
    uint64_t bit;
  } features[] = {{"baseline", 0},
#define X(constant, bit, name) {name, constant},
                  WNN_CPU_FEATURE_LIST(X)
#undef X
  };
  size_t count = 0;
  wnn_context_options options = WNN_CONTEXT_OPTIONS_INIT;
  options.threads = threads;
  options.reference = true;
  options.cpu_features = 0;
  wnn_context_create(&options, &configs[count].context, NULL);
  configs[count++].name = "reference";
  options.reference = false;
  for (size_t i = 0; i < sizeof features / sizeof *features; i++) {
    if (features[i].bit && !(features[i].bit & wnn_cpu_detect())) continue;
    options.cpu_features |= features[i].bit;
    wnn_context_create(&options, &configs[count].context, NULL);
    configs[count++].name = features[i].name;
  }
  configs[count] = (config){"all as inputs", NULL, true};
  wnn_context_create(&options, &configs[count++].context, NULL);
  return count;
}

/* Finds the end of a case without running it. */
static void skip_value(reader *r) {
  const uint32_t kind = read_u32(r);
  if (kind == STRING || kind == OPERAND)
    read_text(r);
  else if (kind == DOUBLE || kind == INT64 || kind == UINT64)
    read_u64(r);
  else if (kind == LIST)
    for (uint32_t n = read_u32(r); !r->failed && n--;) {
      const uint32_t item = read_u32(r);
      if (item == STRING || item == OPERAND)
        read_text(r);
      else if (item > YES)
        read_u64(r);
    }
}

static void skip_case(reader *r) {
  flat_tensor t;
  for (uint32_t n = read_u32(r); n-- && read_tensor(r, &t);) {
  }
  for (uint32_t n = read_u32(r); !r->failed && n--;) {
    read_text(r);
    for (uint32_t k = read_u32(r); !r->failed && k--;) read_u32(r), read_text(r), skip_value(r);
    for (uint32_t k = read_u32(r); !r->failed && k--;) read_text(r);
  }
  for (uint32_t n = read_u32(r); n-- && read_tensor(r, &t);) {
  }
}

int main(int argc, char **argv) {
  static run state;
  static config configs[MAX_CONFIGS];
  const char *only = NULL;
  unsigned threads = 2, passed = 0, failed = 0;
  reader r = {0};
  for (int i = 2; i + 1 < argc; i += 2) {
    if (!strcmp(argv[i], "--only"))
      only = argv[i + 1];
    else if (!strcmp(argv[i], "--threads"))
      threads = (unsigned)atoi(argv[i + 1]);
  }
  if (argc > 1) r.data = read_file(argv[1], &r.size);
  const void *head = read_bytes(&r, 8);
  if (!head || memcmp(head, "WNNFLAT1", 8)) return fprintf(stderr, "usage: flat FILE [--only TEXT] [--threads N]\n"), 2;
  const size_t config_count = make_configs(configs, threads);
  for (size_t i = 0; i < config_count; i++) {
    printf("configuration: %s\n", configs[i].name);
    if (!configs[i].context) return fprintf(stderr, "no context %s\n", configs[i].name), 1;
  }
  while (r.at < r.size && !r.failed) {
    char id[64];
    if (read_u32(&r) != 1) r.failed = true;
    text_copy(read_text(&r), id, sizeof id);
    const bool absolute = read_u32(&r) == 1;
    const double allowed = read_f64(&r);
    const size_t start = r.at;
    skip_case(&r);
    if (r.failed || (only && !strstr(id, only))) continue;
    for (size_t c = 0; c < config_count; c++) {
      reader one = r;
      one.at = start;
      state.config = &configs[c];
      state.name_count = state.kept_count = 0;
      state.why[0] = 0;
      if (run_case(&state, &one, absolute, allowed) && one.at == r.at)
        passed++;
      else
        failed++, printf("failed: %s (%s): %s\n", id, configs[c].name, state.why);
    }
  }
  if (r.failed) failed++, printf("failed: the file is malformed\n");
  for (size_t i = 0; i < config_count; i++) wnn_context_release(configs[i].context);
  free((void *)(uintptr_t)r.data);
  printf("%u passed, %u failed, 0 skipped\n", passed, failed);
  return failed || !passed;
}
