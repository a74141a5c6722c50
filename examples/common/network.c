/* A model ready to run, for the examples. */
#include "network.h"

#include <stdio.h>
#include <time.h>

bool network_context(uint32_t threads, wnn_context **context) {
  wnn_context_options options = WNN_CONTEXT_OPTIONS_INIT;
  wnn_error error;
  options.threads = threads;
  if (!wnn_context_create(&options, context, &error)) return true;
  fprintf(stderr, "%s\n", error.message);
  return false;
}

bool network_open(wnn_context *context, const char *path, network *n) {
  wnn_error error;
  *n = (network){path, NULL, NULL};
  if (!wnn_onnx_open(path, &n->model, &error) && !wnn_onnx_session_create(context, n->model, NULL, &n->session, &error))
    return true;
  fprintf(stderr, "%s: %s\n", path, error.message);
  return false;
}

wnn_onnx_result *network_run(const network *n, const wnn_onnx_tensor *inputs, size_t count) {
  wnn_onnx_result *result = NULL;
  wnn_error error;
  if (wnn_onnx_session_run(n->session, inputs, count, NULL, 0, &result, &error))
    fprintf(stderr, "%s: %s\n", n->path, error.message);
  return result;
}

void network_close(network *n) {
  wnn_onnx_session_release(n->session);
  wnn_onnx_release(n->model);
}

double network_now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}
