/* ONNX Runtime as an engine of the benchmark, through the C interface of its shared library. No header of it is needed:
 * the interface is a table of functions whose places never change, of which a few are declared here. */
#include "engine.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

enum { API_VERSION = 17, ALL_OPTIMIZATIONS = 99, LOG_ERRORS = 3 };
enum place {
  ERROR_MESSAGE = 2,
  CREATE_ENV = 3,
  CREATE_SESSION = 7,
  RUN = 9,
  CREATE_SESSION_OPTIONS = 10,
  SET_OPTIMIZATION = 23,
  SET_INTRA_THREADS = 24,
  SET_INTER_THREADS = 25,
  CREATE_TENSOR = 49,
  TENSOR_DATA = 51,
  ELEMENT_TYPE = 60,
  ELEMENT_COUNT = 64,
  TYPE_AND_SHAPE = 65,
  CREATE_MEMORY_INFO = 69
};
typedef void (*function)(void);
typedef struct api_base {
  const function *(*get)(uint32_t version);
  const char *(*version)(void);
} api_base;

typedef struct peer {
  const function *api;
  void *session;
  const char *input_names[BENCH_MAX_TENSORS];
  void *inputs[BENCH_MAX_TENSORS];
  const char *const *output_names;
  void *outputs[BENCH_MAX_TENSORS]; /* made by the first run, then written again */
  size_t input_count, output_count;
} peer;

static void ok(const function *api, void *status) {
  if (status) bench_die("peer: %s", ((const char *(*)(void *))api[ERROR_MESSAGE])(status));
}

static void add_input(peer *self, void *memory, const bench_tensor *tensor) {
  int64_t dims[BENCH_MAX_RANK];
  for (uint32_t i = 0; i < tensor->rank; i++) dims[i] = tensor->dims[i];
  self->input_names[self->input_count] = tensor->name;
  ok(self->api,
     ((void *(*)(void *, void *, size_t, const int64_t *, size_t, int, void **))self->api[CREATE_TENSOR])(
         memory, tensor->data, tensor->size, dims, tensor->rank, tensor->onnx_type, &self->inputs[self->input_count]));
  self->input_count++;
}

static void *load(const bench_job *job) {
  peer *self = calloc(1, sizeof *self);
  void *env, *options, *memory;
  void *library = dlopen(job->library, RTLD_NOW);
  if (!self || !library) bench_die("peer: %s", library ? "no memory" : dlerror());
  const api_base *(*get_base)(void);
  *(void **)&get_base = dlsym(library, "OrtGetApiBase");
  if (!get_base) bench_die("peer: %s", dlerror());
  const function *api = self->api = get_base()->get(API_VERSION);
  if (!api) bench_die("peer: no interface of version %d", API_VERSION);
  ok(api, ((void *(*)(int, const char *, void **))api[CREATE_ENV])(LOG_ERRORS, "bench", &env));
  ok(api, ((void *(*)(void **))api[CREATE_SESSION_OPTIONS])(&options));
  ok(api, ((void *(*)(void *, int))api[SET_OPTIMIZATION])(options, ALL_OPTIMIZATIONS));
  ok(api, ((void *(*)(void *, int))api[SET_INTRA_THREADS])(options, (int)job->threads));
  ok(api, ((void *(*)(void *, int))api[SET_INTER_THREADS])(options, 1));
  ok(api,
     ((void *(*)(void *, const char *, void *, void **))api[CREATE_SESSION])(env, job->model, options, &self->session));
  ok(api, ((void *(*)(int, int, void **))api[CREATE_MEMORY_INFO])(0, 0, &memory));
  for (size_t i = 0; i < job->input_count; i++) add_input(self, memory, &job->inputs[i]);
  self->output_names = job->outputs;
  self->output_count = job->output_count;
  return self;
}

static void run(void *state) {
  peer *self = state;
  ok(self->api,
     ((void *(*)(void *, void *, const char *const *, void *const *, size_t, const char *const *, size_t,
                 void **))self->api[RUN])(self->session, NULL, self->input_names, self->inputs, self->input_count,
                                          self->output_names, self->output_count, self->outputs));
}

static const void *output(void *state, size_t index, size_t *size) {
  peer *self = state;
  void *data, *info;
  size_t count;
  int type;
  if (index >= self->output_count) return NULL;
  ok(self->api, ((void *(*)(void *, void **))self->api[TYPE_AND_SHAPE])(self->outputs[index], &info));
  ok(self->api, ((void *(*)(void *, size_t *))self->api[ELEMENT_COUNT])(info, &count));
  ok(self->api, ((void *(*)(void *, int *))self->api[ELEMENT_TYPE])(info, &type));
  ok(self->api, ((void *(*)(void *, void **))self->api[TENSOR_DATA])(self->outputs[index], &data));
  *size = count * bench_type_size(type);
  return data;
}

static void steps(void *state) { (void)state; }

const bench_engine bench_peer = {"peer", load, run, output, steps};
