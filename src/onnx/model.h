/* An open model. */
#ifndef WNN_ONNX_MODEL_H
#define WNN_ONNX_MODEL_H

#include <pthread.h>
#include <stdatomic.h>
#include <webnn/webnn_onnx.h>

#include "proto.h"

/* A file of external tensor data, mapped once. */
typedef struct ox_file {
  const char *location;
  ox_bytes bytes;
  struct ox_file *next;
} ox_file;

struct wnn_onnx_model {
  atomic_uint references;
  ox_arena arena;
  ox_names names;
  ox_bytes file;
  bool mapped, owned;
  wnn_release_fn release; /* of borrowed bytes */
  void *user;
  char *folder; /* NULL: external data is refused */
  ox_model_proto proto;
  wnn_onnx_info info;
  wnn_onnx_port *inputs, *outputs;
  const ox_port **input_ports; /* the declarations, in the order of inputs */
  atomic_size_t forgotten;     /* bytes since memory was given back */
  pthread_mutex_t lock;        /* guards what follows */
  ox_arena file_arena;
  ox_file *files;
};

void ox_model_retain(wnn_onnx_model *model);
/* Bytes of an external file, mapped on first use. */
wnn_status ox_model_external(wnn_onnx_model *model, const char *location, ox_bytes *bytes, wnn_error *error);
/* Says that `size` bytes of weights are not needed any more: from time to time the memory of mapped files goes back to
 * the system, which reads them again where they are touched. */
void ox_model_forget(wnn_onnx_model *model, size_t size);
/* The initializer of a name in a graph, or NULL. */
const ox_tensor *ox_graph_initializer(const ox_graph *graph, const char *name);

#endif
