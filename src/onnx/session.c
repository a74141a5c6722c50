/* Sessions: compiled graphs of a model, one for each set of input shapes (and of values that the graph needs). */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cache.h"
#include "lower.h"

typedef struct key_input {
  bool given;
  wnn_desc desc;
  void *value; /* bytes of a bound input, in the entry's arena; NULL when it is fed */
  size_t size;
} key_input;

typedef struct output_slot {
  wnn_desc desc;
  size_t graph_output; /* SIZE_MAX: the output has no elements */
} output_slot;

typedef struct entry {
  struct entry *next;
  ox_arena arena;
  uint64_t used; /* last use, in runs */
  bool pinned;   /* handed out: stays as long as the session */
  key_input *key;
  wnn_graph *graph;
  wnn_named_tensor *inputs, *outputs; /* of the graph; tensors of the session, NULL until a run needs them */
  size_t input_count, output_count;
  size_t *input_ports; /* model input of each graph input */
  output_slot *slots;  /* for each model output */
} entry;

struct wnn_onnx_session {
  pthread_mutex_t lock;
  wnn_context *context, *fold_context;
  wnn_tensor *anchor; /* an object of the context keeps it alive */
  wnn_onnx_model *model;
  ox_arena arena; /* copies of the options */
  wnn_onnx_options options;
  bool fixed_inputs, *bound; /* bound: model inputs whose value graphs turned out to need */
  uint32_t cache;
  const char *cache_folder; /* NULL: none, or the model cannot be told from others */
  uint64_t model_hash;
  entry *entries;
  uint64_t clock;
  wnn_onnx_stats stats;
};

struct wnn_onnx_result {
  ox_arena arena;
  wnn_onnx_tensor *tensors;
  size_t count;
};

static double now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static size_t port_count(const wnn_onnx_session *s) { return s->model->proto.graph->inputs.count; }
static wnn_status no_memory(wnn_error *error) { return ox_error(error, WNN_OUT_OF_MEMORY, "memory is short"); }

/* ---- Life
 * ------------------------------------------------------------------------------------------------------------ */

static const char *copy_text(ox_arena *arena, const char *text) {
  if (!text) return NULL;
  size_t length = strlen(text) + 1;
  char *copy = ox_alloc(arena, length);
  return copy ? memcpy(copy, text, length) : NULL;
}

static bool copy_options(wnn_onnx_session *s, const wnn_onnx_options *from) {
  ox_arena *arena = &s->arena;
  s->options = *from;
  wnn_onnx_size *sizes = ox_alloc_array(arena, from->size_count, sizeof *sizes);
  wnn_onnx_shape *shapes = ox_alloc_array(arena, from->shape_count, sizeof *shapes);
  wnn_onnx_value *values = ox_alloc_array(arena, from->value_count, sizeof *values);
  if (!sizes || !shapes || !values) return false;
  for (size_t i = 0; i < from->size_count; i++) {
    sizes[i] = from->sizes[i];
    sizes[i].symbol = copy_text(arena, from->sizes[i].symbol);
    sizes[i].input = copy_text(arena, from->sizes[i].input);
    if ((from->sizes[i].symbol && !sizes[i].symbol) || (from->sizes[i].input && !sizes[i].input)) return false;
  }
  for (size_t i = 0; i < from->shape_count; i++) {
    shapes[i] = from->shapes[i];
    shapes[i].input = copy_text(arena, from->shapes[i].input);
    if (from->shapes[i].input && !shapes[i].input) return false;
  }
  for (size_t i = 0; i < from->value_count; i++) {
    values[i] = from->values[i];
    values[i].input = copy_text(arena, from->values[i].input);
    void *data = ox_alloc(arena, values[i].size);
    if (!data || (from->values[i].input && !values[i].input)) return false;
    if (values[i].size && values[i].data) memcpy(data, values[i].data, values[i].size);
    if (values[i].data) values[i].data = data;
  }
  s->options.sizes = sizes;
  s->options.shapes = shapes;
  s->options.values = values;
  return true;
}

static void entry_free(entry *e) {
  for (size_t i = 0; e->inputs && i < e->input_count; i++) wnn_tensor_release(e->inputs[i].tensor);
  for (size_t i = 0; e->outputs && i < e->output_count; i++) wnn_tensor_release(e->outputs[i].tensor);
  wnn_graph_release(e->graph);
  ox_arena_free(&e->arena);
  free(e);
}

void wnn_onnx_session_release(wnn_onnx_session *s) {
  if (!s) return;
  while (s->entries) {
    entry *next = s->entries->next;
    entry_free(s->entries);
    s->entries = next;
  }
  wnn_tensor_release(s->anchor);
  wnn_context_release(s->fold_context);
  wnn_onnx_release(s->model);
  pthread_mutex_destroy(&s->lock);
  ox_arena_free(&s->arena);
  free(s);
}

wnn_status wnn_onnx_session_create(wnn_context *context, wnn_onnx_model *model, const wnn_onnx_session_options *options,
                                   wnn_onnx_session **session, wnn_error *error) {
  static const wnn_onnx_session_options defaults = WNN_ONNX_SESSION_OPTIONS_INIT;
  if (!context || !model) return ox_error(error, WNN_TYPE_ERROR, "context or model is missing");
  if (!options) options = &defaults;
  for (size_t i = 0; i < options->import.value_count; i++) {
    if (wnn_onnx_find_input(model, options->import.values[i].input) < 0) {
      return ox_error(error, WNN_TYPE_ERROR, "the model has no input '%.100s' to bind",
                      options->import.values[i].input ? options->import.values[i].input : "");
    }
  }
  wnn_onnx_session *s = calloc(1, sizeof *s);
  if (!s) return no_memory(error);
  if (pthread_mutex_init(&s->lock, NULL)) {
    free(s);
    return no_memory(error);
  }
  s->cache = options->cache ? options->cache : 8;
  s->fixed_inputs = options->fixed_inputs;
  s->context = context;
  s->model = model;
  ox_model_retain(model);
  s->bound = ox_alloc_array(&s->arena, port_count(s), sizeof *s->bound);
  if (!s->bound || !copy_options(s, &options->import)) {
    wnn_onnx_session_release(s);
    return no_memory(error);
  }
  wnn_status status = wnn_context_create_tensor(context, &(wnn_desc){WNN_UINT8, 0, {0}}, 0, &s->anchor, error);
  if (status) {
    wnn_onnx_session_release(s);
    return status;
  }
  if (options->cache_folder && ox_model_hash(model, &s->model_hash)) {
    s->cache_folder = copy_text(&s->arena, options->cache_folder);
    if (!s->cache_folder) {
      wnn_onnx_session_release(s);
      return no_memory(error);
    }
  }
  *session = s;
  return WNN_OK;
}

wnn_onnx_model *wnn_onnx_session_model(const wnn_onnx_session *s) { return s->model; }

void wnn_onnx_session_get_stats(wnn_onnx_session *s, wnn_onnx_stats *stats) {
  pthread_mutex_lock(&s->lock);
  *stats = s->stats;
  stats->cached = 0;
  for (const entry *e = s->entries; e; e = e->next) stats->cached++;
  pthread_mutex_unlock(&s->lock);
}

/* ---- Inputs of a run
 * --------------------------------------------------------------------------------------------------- */

static bool fixed_by_options(const wnn_onnx_session *s, const char *name) {
  for (size_t i = 0; i < s->options.value_count; i++) {
    if (s->options.values[i].input && !strcmp(s->options.values[i].input, name)) return true;
  }
  return false;
}

/* Sorts the given tensors by model input; NULL where none is given. */
static wnn_status match_inputs(const wnn_onnx_session *s, const wnn_onnx_tensor *inputs, size_t count, bool complete,
                               const wnn_onnx_tensor **by_port, wnn_error *error) {
  for (size_t i = 0; i < count; i++) {
    int at = wnn_onnx_find_input(s->model, inputs[i].name);
    if (at < 0)
      return ox_error(error, WNN_TYPE_ERROR, "the model has no input '%.100s'", inputs[i].name ? inputs[i].name : "");
    if (by_port[at]) return ox_error(error, WNN_TYPE_ERROR, "input '%.100s' is given twice", inputs[i].name);
    const wnn_onnx_port *port = &s->model->inputs[at];
    size_t elements;
    if (!port->has_data_type)
      return ox_error(error, WNN_NOT_SUPPORTED, "input '%.100s': WebNN has no data type for %s", port->name,
                      port->type);
    if (inputs[i].desc.data_type != port->data_type) {
      return ox_error(error, WNN_TYPE_ERROR, "input '%.100s' is %s, not %s", port->name,
                      wnn_data_type_name(port->data_type), wnn_data_type_name(inputs[i].desc.data_type));
    }
    if (inputs[i].desc.rank > WNN_MAX_RANK || !ox_count_elements(&inputs[i].desc, &elements))
      return ox_error(error, WNN_TYPE_ERROR, "the shape of input '%.100s' is not valid", port->name);
    by_port[at] = &inputs[i];
  }
  for (size_t i = 0; complete && i < s->model->info.input_count; i++) {
    if (!by_port[i] && !fixed_by_options(s, s->model->inputs[i].name)) {
      return ox_error(error, WNN_TYPE_ERROR, "input '%.100s' is missing", s->model->inputs[i].name);
    }
  }
  return WNN_OK;
}

static wnn_status check_data(const wnn_onnx_tensor *tensor, wnn_error *error) {
  size_t elements;
  ox_count_elements(&tensor->desc, &elements);
  size_t need = elements * wnn_data_type_size(tensor->desc.data_type);
  if (tensor->size == need && (tensor->data || !need)) return WNN_OK;
  return ox_error(error, WNN_TYPE_ERROR, "input '%.100s' has %zu bytes, its shape needs %zu", tensor->name,
                  tensor->size, need);
}

static bool same_desc(const wnn_desc *a, const wnn_desc *b) {
  return a->data_type == b->data_type && a->rank == b->rank && !memcmp(a->shape, b->shape, a->rank * sizeof *a->shape);
}

static bool key_fits(const wnn_onnx_session *s, const entry *e, const wnn_onnx_tensor *const *by_port) {
  for (size_t i = 0; i < port_count(s); i++) {
    const wnn_onnx_tensor *given = by_port[i];
    const key_input *key = &e->key[i];
    if (key->given != (given != NULL) || (given && !same_desc(&key->desc, &given->desc))) return false;
    bool same = !key->value || (given->data && given->size == key->size &&
                                (!key->size || !memcmp(given->data, key->value, key->size)));
    if (!same) return false;
  }
  return true;
}

/* ---- Compilation
 * --------------------------------------------------------------------------------------------------------- */

static bool make_key(const wnn_onnx_session *s, entry *e, const wnn_onnx_tensor *const *by_port) {
  e->key = ox_alloc_array(&e->arena, port_count(s), sizeof *e->key);
  if (!e->key) return false;
  for (size_t i = 0; i < port_count(s); i++) {
    if (!by_port[i]) continue;
    e->key[i].given = true;
    e->key[i].desc = by_port[i]->desc;
    if (!s->bound[i] || fixed_by_options(s, s->model->inputs[i].name)) continue;
    e->key[i].size = by_port[i]->size;
    e->key[i].value = ox_alloc(&e->arena, by_port[i]->size);
    if (!e->key[i].value) return false;
    if (by_port[i]->size) memcpy(e->key[i].value, by_port[i]->data, by_port[i]->size);
  }
  return true;
}

/* The options of the session, with the shapes and values of this run. */
static bool run_options(const wnn_onnx_session *s, entry *e, wnn_onnx_options *out) {
  size_t ports = port_count(s);
  *out = s->options;
  wnn_onnx_shape *shapes = ox_alloc_array(&e->arena, ports + out->shape_count, sizeof *shapes);
  wnn_onnx_value *values = ox_alloc_array(&e->arena, ports + out->value_count, sizeof *values);
  if (!shapes || !values) return false;
  size_t shape_count = 0, value_count = out->value_count;
  if (value_count) memcpy(values, out->values, value_count * sizeof *values);
  for (size_t i = 0; i < ports; i++) {
    const key_input *key = &e->key[i];
    const char *name = s->model->inputs[i].name;
    if (!key->given || fixed_by_options(s, name)) continue;
    if (key->value) {
      values[value_count++] = (wnn_onnx_value){name, key->desc, key->value, key->size};
      continue;
    }
    wnn_onnx_shape *shape = &shapes[shape_count++];
    shape->input = name;
    shape->rank = key->desc.rank;
    memcpy(shape->shape, key->desc.shape, sizeof shape->shape);
  }
  /* The first shape of a name wins, so those of the options come last. */
  for (size_t i = 0; i < out->shape_count; i++) shapes[shape_count++] = out->shapes[i];
  out->shapes = shapes;
  out->shape_count = shape_count;
  out->values = values;
  out->value_count = value_count;
  return true;
}

static uint64_t hash_desc(const wnn_desc *desc, uint64_t hash) {
  const uint32_t facts[] = {(uint32_t)desc->data_type, desc->rank};
  return wnn_hash(desc->shape, desc->rank * sizeof *desc->shape, wnn_hash(facts, sizeof facts, hash));
}

/* All that a graph depends on besides the model. */
static uint64_t hash_options(const wnn_onnx_session *s, const wnn_onnx_options *o) {
  const uint32_t facts[] = {o->default_size,         o->both_branches,         o->max_nodes,
                            (uint32_t)o->size_count, (uint32_t)o->shape_count, (uint32_t)o->value_count};
  uint64_t hash = wnn_hash(facts, sizeof facts, s->model_hash);
  for (size_t i = 0; i < o->size_count; i++) {
    const uint32_t numbers[] = {o->sizes[i].axis, o->sizes[i].size};
    hash = wnn_hash(numbers, sizeof numbers, ox_hash_text(o->sizes[i].symbol, ox_hash_text(o->sizes[i].input, hash)));
  }
  for (size_t i = 0; i < o->shape_count; i++) {
    wnn_desc desc = {.rank = o->shapes[i].rank > WNN_MAX_RANK ? WNN_MAX_RANK : o->shapes[i].rank};
    memcpy(desc.shape, o->shapes[i].shape, desc.rank * sizeof *desc.shape);
    hash = hash_desc(&desc, ox_hash_text(o->shapes[i].input, hash));
  }
  for (size_t i = 0; i < o->value_count; i++) {
    hash = hash_desc(&o->values[i].desc, ox_hash_text(o->values[i].input, hash));
    hash = wnn_hash(o->values[i].data ? o->values[i].data : "", o->values[i].data ? o->values[i].size : 0, hash);
  }
  return hash;
}

static size_t graph_output(const wnn_graph *graph, const char *name) {
  size_t at = 0, count = wnn_graph_output_count(graph);
  while (at < count && strcmp(wnn_graph_output_name(graph, at), name)) at++;
  return at < count ? at : SIZE_MAX;
}

/* A graph is saved when all outputs of the model are outputs of it, which then describe themselves. */
static bool is_complete(const wnn_onnx_session *s, const wnn_graph *graph) {
  for (size_t i = 0; i < s->model->info.output_count; i++)
    if (graph_output(graph, s->model->outputs[i].name) == SIZE_MAX) return false;
  for (size_t i = 0; i < wnn_graph_input_count(graph); i++)
    if (wnn_onnx_find_input(s->model, wnn_graph_input_name(graph, i)) < 0) return false;
  return true;
}

static bool load_saved(wnn_onnx_session *s, entry *e, const char *path) {
  wnn_graph *graph;
  if (wnn_graph_load(s->context, path, &graph, NULL)) return false;
  if (!is_complete(s, graph)) {
    wnn_graph_release(graph);
    return false;
  }
  e->graph = graph;
  s->stats.loaded++;
  return true;
}

/* im: the import that made the graph; NULL when it was loaded. */
static wnn_status describe_graph(const wnn_onnx_session *s, entry *e, const ox_import *im, wnn_error *error) {
  size_t outputs = s->model->info.output_count;
  /* Without a graph no output has elements. */
  e->input_count = e->graph ? wnn_graph_input_count(e->graph) : 0;
  e->output_count = e->graph ? wnn_graph_output_count(e->graph) : 0;
  e->inputs = ox_alloc_array(&e->arena, e->input_count, sizeof *e->inputs);
  e->outputs = ox_alloc_array(&e->arena, e->output_count, sizeof *e->outputs);
  e->input_ports = ox_alloc_array(&e->arena, e->input_count, sizeof *e->input_ports);
  e->slots = ox_alloc_array(&e->arena, outputs, sizeof *e->slots);
  if (!e->inputs || !e->outputs || !e->input_ports || !e->slots) return no_memory(error);
  for (size_t i = 0; i < e->input_count; i++) {
    e->inputs[i].name = wnn_graph_input_name(e->graph, i);
    e->input_ports[i] = (size_t)wnn_onnx_find_input(s->model, e->inputs[i].name);
  }
  for (size_t i = 0; i < e->output_count; i++) e->outputs[i].name = wnn_graph_output_name(e->graph, i);
  for (size_t i = 0; i < outputs; i++) {
    size_t at = e->graph ? graph_output(e->graph, s->model->outputs[i].name) : SIZE_MAX;
    e->slots[i] = (output_slot){im ? im->outputs[i]->desc : *wnn_graph_output_desc(e->graph, at), at};
  }
  return WNN_OK;
}

/* Tensors of the session are made when a run needs them: who prepares a graph brings their own. */
static wnn_status need_tensor(wnn_onnx_session *s, wnn_named_tensor *named, const wnn_desc *desc, uint32_t usage,
                              wnn_error *error) {
  return named->tensor ? WNN_OK : wnn_context_create_tensor(s->context, desc, usage, &named->tensor, error);
}

static wnn_status need_output(wnn_onnx_session *s, entry *e, size_t i, wnn_error *error) {
  return need_tensor(s, &e->outputs[i], wnn_graph_output_desc(e->graph, i), WNN_TENSOR_READABLE, error);
}

/* One attempt to import and build. need: 1 + the input whose value the failure asks for. path: where to save, or NULL.
 */
static wnn_status build_once(wnn_onnx_session *s, entry *e, const wnn_onnx_options *options, const char *path,
                             uint32_t *need, wnn_error *error) {
  ox_import im = {.model = s->model, .options = options, .fold_context = s->fold_context};
  wnn_status status = wnn_builder_create(s->context, &im.builder, error);
  if (status) return status;
  if (path) wnn_builder_set_savable(im.builder, NULL); /* nothing is saved when that fails */
  wnn_builder *builder = im.builder;
  size_t outputs = s->model->info.output_count, count = 0;
  wnn_named_operand *named = ox_alloc_array(&e->arena, outputs, sizeof *named);
  double start = now_ns();
  status = named ? ox_lower_model(&im, named, &count) : no_memory(&im.error);
  s->stats.import_ns += now_ns() - start;
  if (im.own_fold_context) { /* the session keeps it for the next graph */
    s->fold_context = im.fold_context;
    im.own_fold_context = false;
  }
  *need = im.need;
  if (status) {
    if (error) *error = im.error;
  } else {
    start = now_ns();
    if (count) status = wnn_builder_build(builder, named, count, &e->graph, error);
    s->stats.build_ns += now_ns() - start;
    if (!status) status = describe_graph(s, e, &im, error);
    /* A folder that cannot be written costs time only. */
    if (!status && path && e->graph && is_complete(s, e->graph)) ox_cache_save(e->graph, s->cache_folder, path, NULL);
  }
  s->stats.folded_nodes = im.folded;
  s->stats.lowered_nodes = im.lowered;
  ox_import_free(&im);
  wnn_builder_release(builder);
  return status;
}

static wnn_status compile_once(wnn_onnx_session *s, entry *e, uint32_t *need, wnn_error *error) {
  wnn_onnx_options options;
  if (!run_options(s, e, &options)) return no_memory(error);
  if (!s->cache_folder) return build_once(s, e, &options, NULL, need, error);
  char *path = ox_cache_path(s->cache_folder, s->context, s->model_hash, hash_options(s, &options));
  if (!path) return no_memory(error);
  double start = now_ns();
  bool loaded = load_saved(s, e, path);
  if (loaded) s->stats.build_ns += now_ns() - start;
  wnn_status status = loaded ? describe_graph(s, e, NULL, error) : build_once(s, e, &options, path, need, error);
  free(path);
  return status;
}

static void evict(wnn_onnx_session *s) {
  uint32_t count = 0;
  entry **oldest = NULL;
  for (entry **at = &s->entries; *at; at = &(*at)->next) {
    if ((*at)->pinned) continue;
    count++;
    if (!oldest || (*at)->used < (*oldest)->used) oldest = at;
  }
  if (count < s->cache) return;
  entry *gone = *oldest;
  *oldest = gone->next;
  entry_free(gone);
  s->stats.evicted++;
}

static wnn_status find_entry(wnn_onnx_session *s, const wnn_onnx_tensor *const *by_port, entry **out,
                             wnn_error *error) {
  for (entry *e = s->entries; e; e = e->next) {
    if (!key_fits(s, e, by_port)) continue;
    e->used = ++s->clock;
    s->stats.hits++;
    *out = e;
    return WNN_OK;
  }
  for (;;) {
    entry *e = calloc(1, sizeof *e);
    if (!e) return no_memory(error);
    uint32_t need = 0;
    wnn_status status = make_key(s, e, by_port) ? compile_once(s, e, &need, error) : no_memory(error);
    if (!status) {
      evict(s);
      e->used = ++s->clock;
      e->next = s->entries;
      s->entries = e;
      s->stats.compiled++;
      *out = e;
      return WNN_OK;
    }
    entry_free(e);
    bool bind = need && !s->fixed_inputs && !s->bound[need - 1] && by_port[need - 1] && by_port[need - 1]->data;
    if (!bind) return status;
    s->bound[need - 1] = true;
  }
}

/* ---- Runs
 * ------------------------------------------------------------------------------------------------------------------ */

static wnn_status execute(wnn_onnx_session *s, entry *e, const wnn_onnx_tensor *const *by_port, wnn_error *error) {
  wnn_status status = WNN_OK;
  if (!e->graph) return WNN_OK;
  for (size_t i = 0; i < e->input_count && !status; i++) {
    const wnn_onnx_tensor *given = by_port[e->input_ports[i]];
    status = need_tensor(s, &e->inputs[i], wnn_graph_input_desc(e->graph, i), WNN_TENSOR_WRITABLE, error);
    if (!status) status = wnn_context_write_tensor(s->context, e->inputs[i].tensor, given->data, given->size, error);
  }
  for (size_t i = 0; i < e->output_count && !status; i++) status = need_output(s, e, i, error);
  return status ? status
                : wnn_context_dispatch(s->context, e->graph, e->inputs, e->input_count, e->outputs, e->output_count,
                                       error);
}

static int find_output(const wnn_onnx_session *s, const char *name) {
  for (size_t i = 0; name && i < s->model->info.output_count; i++) {
    if (!strcmp(s->model->outputs[i].name, name)) return (int)i;
  }
  return -1;
}

static wnn_status collect(wnn_onnx_session *s, entry *e, const char *const *names, size_t count,
                          wnn_onnx_result *result, wnn_error *error) {
  result->count = names ? count : s->model->info.output_count;
  result->tensors = ox_alloc_array(&result->arena, result->count, sizeof *result->tensors);
  if (!result->tensors) return no_memory(error);
  for (size_t i = 0; i < result->count; i++) {
    int at = names ? find_output(s, names[i]) : (int)i;
    if (at < 0) return ox_error(error, WNN_TYPE_ERROR, "the model has no output '%.100s'", names[i] ? names[i] : "");
    const output_slot *slot = &e->slots[at];
    wnn_onnx_tensor *tensor = &result->tensors[i];
    tensor->name = copy_text(&result->arena, s->model->outputs[at].name);
    tensor->desc = slot->desc;
    tensor->size = slot->graph_output == SIZE_MAX ? 0 : (size_t)wnn_desc_bytes(&slot->desc);
    void *data = ox_alloc(&result->arena, tensor->size);
    if (!tensor->name || !data) return no_memory(error);
    tensor->data = data;
    if (!tensor->size) continue;
    wnn_status status =
        wnn_context_read_tensor(s->context, e->outputs[slot->graph_output].tensor, data, tensor->size, error);
    if (status) return status;
  }
  return WNN_OK;
}

wnn_status wnn_onnx_session_run(wnn_onnx_session *s, const wnn_onnx_tensor *inputs, size_t input_count,
                                const char *const *outputs, size_t output_count, wnn_onnx_result **result,
                                wnn_error *error) {
  if (!s || !result || (!inputs && input_count))
    return ox_error(error, WNN_TYPE_ERROR, "session, result or inputs are missing");
  const wnn_onnx_tensor **by_port = calloc(port_count(s) + 1, sizeof *by_port);
  wnn_onnx_result *made = calloc(1, sizeof *made);
  wnn_status status = by_port && made ? match_inputs(s, inputs, input_count, true, by_port, error) : no_memory(error);
  for (size_t i = 0; i < input_count && !status; i++) status = check_data(&inputs[i], error);
  if (!status) {
    pthread_mutex_lock(&s->lock);
    entry *e = NULL;
    status = find_entry(s, by_port, &e, error);
    double start = now_ns();
    if (!status) status = execute(s, e, by_port, error);
    if (!status) status = collect(s, e, outputs, output_count, made, error);
    s->stats.run_ns += now_ns() - start;
    s->stats.runs += !status;
    pthread_mutex_unlock(&s->lock);
  }
  free(by_port);
  if (status)
    wnn_onnx_result_release(made);
  else
    *result = made;
  return status;
}

size_t wnn_onnx_result_count(const wnn_onnx_result *result) { return result->count; }

const wnn_onnx_tensor *wnn_onnx_result_get(const wnn_onnx_result *result, size_t index) {
  return index < result->count ? &result->tensors[index] : NULL;
}

const wnn_onnx_tensor *wnn_onnx_result_find(const wnn_onnx_result *result, const char *name) {
  for (size_t i = 0; name && i < result->count; i++) {
    if (!strcmp(result->tensors[i].name, name)) return &result->tensors[i];
  }
  return NULL;
}

void wnn_onnx_result_release(wnn_onnx_result *result) {
  if (!result) return;
  ox_arena_free(&result->arena);
  free(result);
}

wnn_status wnn_onnx_session_prepare(wnn_onnx_session *s, const wnn_onnx_tensor *inputs, size_t input_count,
                                    wnn_graph **graph, wnn_error *error) {
  if (!s || !graph || (!inputs && input_count))
    return ox_error(error, WNN_TYPE_ERROR, "session, graph or inputs are missing");
  const wnn_onnx_tensor **by_port = calloc(port_count(s) + 1, sizeof *by_port);
  wnn_status status = by_port ? match_inputs(s, inputs, input_count, false, by_port, error) : no_memory(error);
  for (size_t i = 0; i < input_count && !status; i++) {
    if (inputs[i].data) status = check_data(&inputs[i], error);
  }
  if (!status) {
    pthread_mutex_lock(&s->lock);
    entry *e = NULL;
    status = find_entry(s, by_port, &e, error);
    if (!status && !e->graph) status = ox_error(error, WNN_NOT_SUPPORTED, "no output of the model has elements");
    if (!status) {
      e->pinned = true;
      *graph = e->graph;
    }
    pthread_mutex_unlock(&s->lock);
  }
  free(by_port);
  return status;
}

wnn_status wnn_onnx_session_dispatch(wnn_onnx_session *s, const wnn_named_tensor *inputs, size_t input_count,
                                     const wnn_named_tensor *outputs, size_t output_count, wnn_error *error) {
  if (!s || (!inputs && input_count) || (!outputs && output_count))
    return ox_error(error, WNN_TYPE_ERROR, "session, inputs or outputs are missing");
  ox_arena arena = {0};
  wnn_onnx_tensor *given = ox_alloc_array(&arena, input_count, sizeof *given);
  const wnn_onnx_tensor **by_port = ox_alloc_array(&arena, port_count(s), sizeof *by_port);
  wnn_status status = given && by_port ? WNN_OK : no_memory(error);
  for (size_t i = 0; i < input_count && !status; i++) {
    if (!inputs[i].tensor)
      status = ox_error(error, WNN_TYPE_ERROR, "an input tensor is missing");
    else
      given[i] = (wnn_onnx_tensor){inputs[i].name, *wnn_tensor_desc(inputs[i].tensor), NULL, 0};
  }
  if (!status) status = match_inputs(s, given, input_count, true, by_port, error);
  if (!status) {
    pthread_mutex_lock(&s->lock);
    entry *e = NULL;
    status = find_entry(s, by_port, &e, error);
    /* The graph takes exactly its own inputs and all its outputs. */
    wnn_named_tensor *in = status ? NULL : ox_alloc_array(&arena, e->input_count, sizeof *in);
    wnn_named_tensor *out = status ? NULL : ox_alloc_array(&arena, e->output_count, sizeof *out);
    if (!status && (!in || !out)) status = no_memory(error);
    for (size_t i = 0; !status && i < e->input_count; i++) in[i] = inputs[by_port[e->input_ports[i]] - given];
    for (size_t i = 0; !status && i < e->output_count; i++) out[i].name = e->outputs[i].name;
    for (size_t i = 0; !status && i < output_count; i++) {
      int at = find_output(s, outputs[i].name);
      size_t slot = at < 0 ? SIZE_MAX : e->slots[at].graph_output;
      if (slot == SIZE_MAX)
        status = ox_error(error, WNN_TYPE_ERROR, "the model has no output '%.100s' with elements",
                          outputs[i].name ? outputs[i].name : "");
      else
        out[slot] = outputs[i];
    }
    for (size_t i = 0; !status && i < e->output_count; i++) {
      if (out[i].tensor) continue;
      status = need_output(s, e, i, error);
      out[i] = e->outputs[i];
    }
    if (!status && e->graph)
      status = wnn_context_dispatch(s->context, e->graph, in, e->input_count, out, e->output_count, error);
    s->stats.runs += !status;
    pthread_mutex_unlock(&s->lock);
  }
  ox_arena_free(&arena);
  return status;
}
