/* A model ready to run, for the examples. */
#ifndef EXAMPLES_NETWORK_H
#define EXAMPLES_NETWORK_H

#include <webnn/webnn_onnx.h>

typedef struct network {
  const char *path;
  wnn_onnx_model *model;
  wnn_onnx_session *session;
} network;

/* All print a message and give false (NULL) on failure. */
bool network_context(uint32_t threads, wnn_context **context);
bool network_open(wnn_context *context, const char *path, network *n);
wnn_onnx_result *network_run(const network *n, const wnn_onnx_tensor *inputs, size_t count);
void network_close(network *n);
double network_now_ms(void);

#endif
