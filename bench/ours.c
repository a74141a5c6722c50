/* The library as an engine of the benchmark: an ONNX session, its graph dispatched on tensors made beforehand. */
#include "engine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <webnn/webnn_onnx.h>

#include "networks.h"

typedef struct ours {
  wnn_context *context;
  wnn_onnx_model *model;
  wnn_onnx_session *session;
  wnn_graph *graph;
  wnn_named_tensor inputs[BENCH_MAX_TENSORS], outputs[BENCH_MAX_TENSORS];
  size_t input_count, output_count;
  void *copies[BENCH_MAX_TENSORS];
  bool profile;
} ours;

static void ok(wnn_status status, const wnn_error *error, const char *what) {
  if (status != WNN_OK) bench_die("%s: %s: %s", what, wnn_status_name(status), error->message);
}

static wnn_data_type data_type(int onnx_type) {
  switch (onnx_type) {
  case 1: return WNN_FLOAT32;
  case 3: return WNN_INT8;
  case 6: return WNN_INT32;
  case 7: return WNN_INT64;
  default: return WNN_UINT8;
  }
}

static wnn_desc describe(const bench_tensor *tensor) {
  wnn_desc desc = {data_type(tensor->onnx_type), tensor->rank, {0}};
  memcpy(desc.shape, tensor->dims, sizeof desc.shape);
  return desc;
}

static void prepare(ours *self, const bench_job *job) {
  wnn_error error;
  wnn_onnx_value values[BENCH_MAX_TENSORS];
  wnn_onnx_tensor tensors[BENCH_MAX_TENSORS];
  wnn_onnx_session_options options = WNN_ONNX_SESSION_OPTIONS_INIT;
  for (size_t i = 0; i < job->input_count; i++) {
    const bench_tensor *tensor = &job->inputs[i];
    tensors[i] = (wnn_onnx_tensor){tensor->name, describe(tensor), tensor->data, tensor->size};
    if (tensor->value)
      values[options.import.value_count++] =
          (wnn_onnx_value){tensor->name, tensors[i].desc, tensor->data, tensor->size};
  }
  options.import.values = values;
  options.import.both_branches = true;
  ok(wnn_onnx_session_create(self->context, self->model, &options, &self->session, &error), &error, "session");
  ok(wnn_onnx_session_prepare(self->session, tensors, job->input_count, &self->graph, &error), &error, "prepare");
}

/* The network through the builder, without a file. */
static void build(ours *self, const bench_job *job) {
  wnn_error error;
  wnn_builder *builder;
  ok(wnn_builder_create(self->context, &builder, &error), &error, "builder");
  const wnn_named_operand named = {"y", bench_network(job->network, builder)};
  ok(wnn_builder_build(builder, &named, 1, &self->graph, &error), &error, "build");
  wnn_builder_release(builder);
}

static const bench_tensor *find(const bench_job *job, const char *name) {
  for (size_t i = 0; i < job->input_count; i++)
    if (!strcmp(job->inputs[i].name, name)) return &job->inputs[i];
  bench_die("no data for input %s", name);
}

static void *load(const bench_job *job) {
  ours *self = calloc(1, sizeof *self);
  wnn_error error;
  wnn_context_options options = WNN_CONTEXT_OPTIONS_INIT;
  if (!self) bench_die("no memory");
  options.threads = job->threads;
  options.cpu_features = job->features;
  options.disabled_passes = job->disabled_passes;
  options.profile = self->profile = job->profile;
  ok(wnn_context_create(&options, &self->context, &error), &error, "context");
  if (job->network) {
    build(self, job);
  } else {
    ok(wnn_onnx_open(job->model, &self->model, &error), &error, job->model);
    prepare(self, job);
  }
  for (size_t i = 0; i < wnn_graph_input_count(self->graph); i++) {
    const bench_tensor *data = find(job, wnn_graph_input_name(self->graph, i));
    wnn_named_tensor *input = &self->inputs[self->input_count++];
    input->name = data->name;
    ok(wnn_context_create_tensor(self->context, wnn_graph_input_desc(self->graph, i), WNN_TENSOR_WRITABLE,
                                 &input->tensor, &error),
       &error, "input");
    ok(wnn_context_write_tensor(self->context, input->tensor, data->data, data->size, &error), &error, data->name);
  }
  for (size_t i = 0; i < wnn_graph_output_count(self->graph); i++) {
    wnn_named_tensor *output = &self->outputs[self->output_count++];
    if (i == BENCH_MAX_TENSORS) bench_die("too many outputs");
    output->name = wnn_graph_output_name(self->graph, i);
    ok(wnn_context_create_tensor(self->context, wnn_graph_output_desc(self->graph, i), WNN_TENSOR_READABLE,
                                 &output->tensor, &error),
       &error, "output");
  }
  return self;
}

static void run(void *state) {
  ours *self = state;
  wnn_error error;
  ok(wnn_context_dispatch(self->context, self->graph, self->inputs, self->input_count, self->outputs,
                          self->output_count, &error),
     &error, "dispatch");
  wnn_context_finish(self->context);
}

static const void *output(void *state, size_t index, size_t *size) {
  ours *self = state;
  wnn_error error;
  if (index >= self->output_count) return NULL;
  *size = (size_t)wnn_desc_bytes(wnn_tensor_desc(self->outputs[index].tensor));
  if (!self->copies[index]) self->copies[index] = malloc(*size);
  if (!self->copies[index]) bench_die("no memory");
  ok(wnn_context_read_tensor(self->context, self->outputs[index].tensor, self->copies[index], *size, &error), &error,
     "read");
  return self->copies[index];
}

static void steps(void *state) {
  ours *self = state;
  wnn_graph_stats stats;
  wnn_step_info info;
  wnn_graph_get_stats(self->graph, &stats);
  fprintf(stderr, "%llu operations, %llu steps, arena %.1f MB, constants %.1f MB, borrowed %.1f MB\n",
          (unsigned long long)stats.node_count, (unsigned long long)stats.step_count, (double)stats.arena_bytes / 1e6,
          (double)stats.constant_bytes / 1e6, (double)stats.borrowed_bytes / 1e6);
  for (size_t i = 0; wnn_graph_step(self->graph, i, &info); i++) {
    fprintf(stderr, "%4zu %-28s %-22s %9.1f us %7.1f GFLOP/s %6.1f GB/s  [", i, info.kernel, info.op, info.min_ns / 1e3,
            info.min_ns > 0 ? info.flops / info.min_ns : 0, info.min_ns > 0 ? info.bytes / info.min_ns : 0);
    for (uint32_t d = 0; d < info.output.rank; d++) fprintf(stderr, d ? ",%u" : "%u", info.output.shape[d]);
    fprintf(stderr, "] %s\n", info.label);
  }
}

const bench_engine bench_ours = {"ours", load, run, output, steps};
