/* Models: ONNX sessions behind 'libwebnn/onnx'. Everything slow runs on a thread of the model. */
#include <stdlib.h>
#include <string.h>

#include "binding.h"

#ifdef WEBNN_HAS_ONNX
#include <webnn/webnn_onnx.h>

typedef struct node_model node_model;

/* What the model's thread is to do. Owned by its request. */
typedef struct job {
  struct job *next;
  node_request *request;
  node_model *model;
  wnn_status (*run)(struct job *job, wnn_error *error);
  wnn_onnx_tensor *tensors; /* inputs of a run, or bound values of a model; one block with their bytes */
  size_t count;
  const char **outputs; /* one block; NULL: all */
  size_t output_count;
  wnn_onnx_result *result;
  /* Opening only. */
  char *path;
  void *bytes;
  size_t size;
  wnn_onnx_tensor *shapes;
  size_t shape_count;
  wnn_onnx_tensor *sizes; /* rank 1: the size */
  size_t size_count;
  wnn_onnx_session_options options;
} job;

struct node_model {
  node_object object;
  node_context *context;
  wnn_onnx_model *model;
  wnn_onnx_session *session;
  pthread_t thread;
  pthread_mutex_t lock;
  pthread_cond_t wake;
  bool started, stop;
  job *first, *last;
};

/* ---- The thread ---- */

static void *model_main(void *argument) {
  node_model *model = argument;
  pthread_mutex_lock(&model->lock);
  for (;;) {
    job *next = model->first;
    if (!next && model->stop) break;
    if (!next) {
      pthread_cond_wait(&model->wake, &model->lock);
      continue;
    }
    if (!(model->first = next->next)) model->last = NULL;
    pthread_mutex_unlock(&model->lock);
    wnn_error error = {WNN_OK, ""};
    wnn_status status = next->run(next, &error);
    node_complete(next->request, status, error.message);
    pthread_mutex_lock(&model->lock);
  }
  pthread_mutex_unlock(&model->lock);
  return NULL;
}

static bool model_push(node_model *model, job *added) {
  pthread_mutex_lock(&model->lock);
  if (!model->started) model->started = !pthread_create(&model->thread, NULL, model_main, model);
  bool started = model->started;
  if (started) {
    if (model->last)
      model->last->next = added;
    else
      model->first = added;
    model->last = added;
    pthread_cond_signal(&model->wake);
  }
  pthread_mutex_unlock(&model->lock);
  return started;
}

void node_model_free(void *pointer) {
  node_model *model = pointer;
  if (model->started) {
    /* No request is left, so the thread is idle. */
    pthread_mutex_lock(&model->lock);
    model->stop = true;
    pthread_cond_signal(&model->wake);
    pthread_mutex_unlock(&model->lock);
    pthread_join(model->thread, NULL);
  }
  pthread_cond_destroy(&model->wake);
  pthread_mutex_destroy(&model->lock);
  wnn_onnx_session_release(model->session);
  wnn_onnx_release(model->model);
  node_object_release(model->context);
}

static void job_free(job *old) {
  wnn_onnx_result_release(old->result);
  free(old->tensors);
  free((void *)old->outputs);
  free(old->path);
  free(old->bytes);
  free(old->shapes);
  free(old->sizes);
  free(old);
}

static void job_dispose(node_request *request) { job_free(request->result); }

/* Queues a job; gives its promise. The job is given away. */
static napi_value job_start(node_call *call, node_model *model, job *added,
                            napi_value (*finish)(node_request *request, napi_env env)) {
  node_request *request = node_request_new(call->state, model->context);
  if (!request) {
    job_free(added);
    return NULL;
  }
  request->object = &model->object;
  node_object_retain(model);
  request->finish = finish;
  request->dispose = job_dispose;
  request->result = added;
  added->request = request;
  added->model = model;
  napi_value promise = node_request_promise(request);
  if (!model_push(model, added)) {
    request->status = WNN_OUT_OF_MEMORY;
    request->message = strdup("No thread can be started.");
    node_complete_here(request);
  }
  return promise;
}

/* ---- Arguments, as prepared by onnx.mjs ---- */

/* names: array of strings; facts: Uint32Array with data type, rank and 8 sizes of each tensor; data: array of
 * Uint8Array, or undefined. All is copied into one block. */
static bool read_tensors(node_call *call, napi_value names, napi_value facts, napi_value data, wnn_onnx_tensor **out,
                         size_t *count) {
  enum { FACTS = 2 + WNN_MAX_RANK };
  uint32_t length;
  napi_value item;
  node_bytes bytes, *views;
  const char **texts;
  napi_valuetype type;
  *count = 0;
  if (napi_get_array_length(call->env, names, &length) != napi_ok || !node_to_bytes(call, facts, "facts", &bytes) ||
      napi_typeof(call->env, data, &type) != napi_ok)
    return false;
  if (bytes.size < length * (size_t)FACTS * sizeof(uint32_t)) return node_throw(call, "The list is malformed.");
  const uint32_t *numbers = bytes.data;
  if (!(texts = node_call_alloc(call, (length + 1) * sizeof *texts)) ||
      !(views = node_call_alloc(call, (length + 1) * sizeof *views)))
    return false;
  size_t size = (length + 1) * sizeof(wnn_onnx_tensor);
  for (uint32_t i = 0; i < length; i++) {
    if (napi_get_element(call->env, names, i, &item) != napi_ok || !node_to_string(call, item, &texts[i])) return false;
    views[i] = (node_bytes){0};
    if (type == napi_object &&
        (napi_get_element(call->env, data, i, &item) != napi_ok || !node_to_bytes(call, item, texts[i], &views[i])))
      return false;
    size += strlen(texts[i]) + 1 + views[i].size + 63;
  }
  char *block = malloc(size), *at = block;
  if (!block) return node_throw_memory(call->state);
  wnn_onnx_tensor *list = (wnn_onnx_tensor *)(void *)block;
  at += (length + 1) * sizeof *list;
  for (uint32_t i = 0; i < length; i++, numbers += FACTS) {
    list[i] =
        (wnn_onnx_tensor){.desc = {.data_type = (wnn_data_type)numbers[0], .rank = numbers[1]}, .size = views[i].size};
    memcpy(list[i].desc.shape, numbers + 2, sizeof list[i].desc.shape);
    at = (char *)(((uintptr_t)at + 31) & ~(uintptr_t)31);
    if (views[i].size) memcpy(at, views[i].data, views[i].size);
    list[i].data = at;
    at += views[i].size;
    list[i].name = strcpy(at, texts[i]);
    at += strlen(texts[i]) + 1;
  }
  *out = list;
  *count = length;
  return true;
}

/* An array of strings, or undefined. */
static bool read_names(node_call *call, napi_value names, const char ***out, size_t *count) {
  napi_valuetype type;
  uint32_t length;
  napi_value item;
  size_t size;
  *out = NULL;
  *count = 0;
  if (napi_typeof(call->env, names, &type) != napi_ok) return false;
  if (type != napi_object) return true;
  if (napi_get_array_length(call->env, names, &length) != napi_ok) return false;
  const char **texts = node_call_alloc(call, (length + 1) * sizeof *texts);
  if (!texts) return false;
  size = (length + 1) * sizeof *texts;
  for (uint32_t i = 0; i < length; i++) {
    if (napi_get_element(call->env, names, i, &item) != napi_ok || !node_to_string(call, item, &texts[i])) return false;
    size += strlen(texts[i]) + 1;
  }
  const char **list = malloc(size);
  if (!list) return node_throw_memory(call->state);
  char *at = (char *)(void *)(list + length + 1);
  for (uint32_t i = 0; i < length; i++) {
    list[i] = strcpy(at, texts[i]);
    at += strlen(texts[i]) + 1;
  }
  *out = list;
  *count = length;
  return true;
}

/* ---- Opening ---- */

static wnn_status run_open(job *open, wnn_error *error) {
  node_model *model = open->model;
  wnn_status status;
  if (open->path) {
    status = wnn_onnx_open(open->path, &model->model, error);
  } else {
    void *bytes = open->bytes;
    open->bytes = NULL; /* the importer frees it, also on failure */
    status = wnn_onnx_open_borrowed(bytes, open->size, NULL, free, bytes, &model->model, error);
  }
  if (status) return status;
  wnn_onnx_options *import = &open->options.import;
  wnn_onnx_size *sizes = calloc(open->size_count + 1, sizeof *sizes);
  wnn_onnx_shape *shapes = calloc(open->shape_count + 1, sizeof *shapes);
  wnn_onnx_value *values = calloc(open->count + 1, sizeof *values);
  if (sizes && shapes && values) {
    for (size_t i = 0; i < open->size_count; i++)
      sizes[i] = (wnn_onnx_size){.symbol = open->sizes[i].name, .size = open->sizes[i].desc.shape[0]};
    for (size_t i = 0; i < open->shape_count; i++) {
      shapes[i] = (wnn_onnx_shape){.input = open->shapes[i].name, .rank = open->shapes[i].desc.rank};
      memcpy(shapes[i].shape, open->shapes[i].desc.shape, sizeof shapes[i].shape);
    }
    for (size_t i = 0; i < open->count; i++)
      values[i] =
          (wnn_onnx_value){open->tensors[i].name, open->tensors[i].desc, open->tensors[i].data, open->tensors[i].size};
    import->sizes = sizes;
    import->size_count = open->size_count;
    import->shapes = shapes;
    import->shape_count = open->shape_count;
    import->values = values;
    import->value_count = open->count;
    status = wnn_onnx_session_create(model->context->handle, model->model, &open->options, &model->session, error);
  } else {
    status = WNN_OUT_OF_MEMORY;
  }
  free(sizes);
  free(shapes);
  free(values);
  return status;
}

static void set(napi_env env, napi_value object, const char *name, napi_value value) {
  if (value) napi_set_named_property(env, object, name, value);
}

static napi_value ports_value(napi_env env, const wnn_onnx_model *model,
                              const wnn_onnx_port *(*get)(const wnn_onnx_model *, size_t)) {
  napi_value list, entry, shape, value;
  const wnn_onnx_port *port;
  if (napi_create_array(env, &list) != napi_ok) return NULL;
  for (uint32_t i = 0; (port = get(model, i)); i++) {
    if (napi_create_object(env, &entry) != napi_ok) return NULL;
    set(env, entry, "name", node_string_value(env, port->name));
    set(env, entry, "type", node_string_value(env, port->type));
    napi_get_null(env, &value);
    set(env, entry, "dataType",
        port->has_data_type ? node_string_value(env, wnn_data_type_name(port->data_type)) : value);
    shape = value;
    if (port->has_shape) {
      if (napi_create_array_with_length(env, port->rank, &shape) != napi_ok) return NULL;
      for (uint32_t k = 0; k < port->rank; k++) {
        napi_value size;
        if (port->dims[k].size >= 0)
          napi_create_int64(env, port->dims[k].size, &size);
        else
          size = port->dims[k].symbol[0] ? node_string_value(env, port->dims[k].symbol) : value;
        napi_set_element(env, shape, k, size);
      }
    }
    set(env, entry, "shape", shape);
    napi_get_boolean(env, port->has_default, &value);
    set(env, entry, "optional", value);
    napi_set_element(env, list, i, entry);
  }
  return list;
}

/* [handle, inputs, outputs, metadata] */
static napi_value finish_open(node_request *request, napi_env env) {
  node_model *model = (node_model *)request->object;
  napi_value result, handle, metadata;
  const wnn_onnx_metadata *entry;
  node_object_retain(model);
  node_object_account(model, (int64_t)wnn_onnx_get_info(model->model)->parameter_bytes);
  if (!(handle = node_wrap(model)) || napi_create_array(env, &result) != napi_ok ||
      napi_create_object(env, &metadata) != napi_ok)
    return NULL;
  for (size_t i = 0; (entry = wnn_onnx_get_metadata(model->model, i)); i++)
    set(env, metadata, entry->key, node_string_value(env, entry->value));
  napi_set_element(env, result, 0, handle);
  napi_set_element(env, result, 1, ports_value(env, model->model, wnn_onnx_get_input));
  napi_set_element(env, result, 2, ports_value(env, model->model, wnn_onnx_get_output));
  napi_set_element(env, result, 3, metadata);
  return result;
}

/* modelOpen(context, path or bytes, sizeNames, sizes, shapeNames, shapes, valueNames, values, valueData, cache) */
static napi_value model_open(napi_env env, napi_callback_info info) {
  node_call call;
  node_context *context;
  node_bytes bytes;
  napi_valuetype type;
  napi_value none, promise = NULL;
  if (!node_call_begin(&call, env, info, "Model", "loadModel", 10)) return NULL;
  napi_get_undefined(env, &none);
  job *open = calloc(1, sizeof *open);
  if (!open) node_throw_memory(call.state);
  bool ok = open && (context = node_to_object(&call, call.argv[0], "context", NODE_CONTEXT)) != NULL;
  if (ok) {
    static const wnn_onnx_session_options defaults = WNN_ONNX_SESSION_OPTIONS_INIT;
    open->options = defaults;
    open->run = run_open;
    napi_typeof(env, call.argv[1], &type);
    if (type == napi_string) {
      const char *path;
      ok = node_to_string(&call, call.argv[1], &path) && (open->path = strdup(path));
    } else if ((ok = node_to_bytes(&call, call.argv[1], "bytes", &bytes))) {
      open->bytes = malloc(bytes.size ? bytes.size : 1);
      open->size = bytes.size;
      if (open->bytes && bytes.size) memcpy(open->bytes, bytes.data, bytes.size);
      ok = open->bytes || node_throw_memory(call.state);
    }
    ok = ok && read_tensors(&call, call.argv[2], call.argv[3], none, &open->sizes, &open->size_count) &&
         read_tensors(&call, call.argv[4], call.argv[5], none, &open->shapes, &open->shape_count) &&
         read_tensors(&call, call.argv[6], call.argv[7], call.argv[8], &open->tensors, &open->count) &&
         node_to_u32(&call, call.argv[9], "cache", false, &open->options.cache);
  }
  node_model *model = ok ? node_object_new(call.state, NODE_MODEL, sizeof *model) : NULL;
  if (model) {
    pthread_mutex_init(&model->lock, NULL);
    pthread_cond_init(&model->wake, NULL);
    model->context = context;
    node_object_retain(context);
    promise = job_start(&call, model, open, finish_open);
    node_object_release(model); /* the request holds it */
  } else if (open) {
    job_free(open);
  }
  node_call_end(&call);
  return promise;
}

/* ---- Running ---- */

static wnn_status run_run(job *run, wnn_error *error) {
  return wnn_onnx_session_run(run->model->session, run->tensors, run->count, run->outputs, run->output_count,
                              &run->result, error);
}

/* [name, data type, shape, bytes, ...] */
static napi_value finish_run(node_request *request, napi_env env) {
  const job *run = request->result;
  napi_value list, buffer;
  if (napi_create_array(env, &list) != napi_ok) return NULL;
  size_t count = wnn_onnx_result_count(run->result);
  for (uint32_t i = 0; i < count; i++) {
    const wnn_onnx_tensor *tensor = wnn_onnx_result_get(run->result, i);
    if (!(buffer = node_buffer_copy(request->state, tensor->data, tensor->size))) return NULL;
    napi_set_element(env, list, 4 * i, node_string_value(env, tensor->name));
    napi_set_element(env, list, 4 * i + 1, node_string_value(env, wnn_data_type_name(tensor->desc.data_type)));
    napi_set_element(env, list, 4 * i + 2, node_shape_value(env, &tensor->desc));
    napi_set_element(env, list, 4 * i + 3, buffer);
  }
  return list;
}

/* modelRun(handle, names, facts, data, outputs) */
static napi_value model_run(napi_env env, napi_callback_info info) {
  node_call call;
  node_model *model;
  napi_value promise = NULL;
  if (!node_call_begin(&call, env, info, "Model", "run", 5)) return NULL;
  if ((model = node_to_object(&call, call.argv[0], "model", NODE_MODEL))) {
    job *run = calloc(1, sizeof *run);
    if (!run) {
      node_throw_memory(call.state);
    } else {
      run->run = run_run;
      if (read_tensors(&call, call.argv[1], call.argv[2], call.argv[3], &run->tensors, &run->count) &&
          read_names(&call, call.argv[4], &run->outputs, &run->output_count))
        promise = job_start(&call, model, run, finish_run);
      else
        job_free(run);
    }
  }
  node_call_end(&call);
  return promise;
}

static napi_value model_stats(napi_env env, napi_callback_info info) {
  node_call call;
  node_model *model;
  napi_value object = NULL, value;
  if (!node_call_begin(&call, env, info, "Model", "stats", 1)) return NULL;
  if (!(model = node_to_object(&call, call.argv[0], "model", NODE_MODEL))) return NULL;
  wnn_onnx_stats stats;
  wnn_onnx_session_get_stats(model->session, &stats);
  if (napi_create_object(env, &object) != napi_ok) return NULL;
  const struct {
    const char *name;
    double value;
  } members[] = {{"runs", (double)stats.runs},         {"hits", (double)stats.hits},
                 {"compiled", (double)stats.compiled}, {"cached", stats.cached},
                 {"importMs", stats.import_ns / 1e6},  {"buildMs", stats.build_ns / 1e6},
                 {"runMs", stats.run_ns / 1e6}};
  for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
    napi_create_double(env, members[i].value, &value);
    set(env, object, members[i].name, value);
  }
  return object;
}

bool node_model_register(node_env *state, napi_value exports) {
  return node_export(state->env, exports, "modelOpen", model_open, NULL) &&
         node_export(state->env, exports, "modelRun", model_run, NULL) &&
         node_export(state->env, exports, "modelStats", model_stats, NULL);
}

#else

void node_model_free(void *model) { (void)model; }
bool node_model_register(node_env *state, napi_value exports) {
  (void)state;
  (void)exports;
  return true; /* without the importer the module says so itself */
}

#endif
