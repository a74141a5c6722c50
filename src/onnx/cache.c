/* Saved graphs of models in a folder: what names them. */
#define _GNU_SOURCE 1 /* process_vm_readv */
#include "cache.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/uio.h>
#endif

#include "tensor.h"

uint64_t ox_hash_text(const char *text, uint64_t seed) {
  return text ? wnn_hash(text, strlen(text) + 1, seed) : wnn_hash("", 0, seed);
}

enum { WINDOW = 256 << 10 };

typedef struct hashing {
  wnn_onnx_model *model;
  uint64_t hash;
  size_t read;  /* bytes */
  void *window; /* of WINDOW bytes, or NULL */
} hashing;

/* The bytes, copied by the system where it can, since touching pages of a mapped file costs more than that. */
static const void *through_window(const hashing *h, const unsigned char *data, size_t size) {
#ifdef __linux__
  struct iovec target = {h->window, size}, source = {(void *)(uintptr_t)data, size};
  if (h->window && process_vm_readv(getpid(), &target, 1, &source, 1, 0) == (ssize_t)size) return h->window;
#else
  (void)h, (void)size;
#endif
  return data;
}

static void add_bytes(hashing *h, const unsigned char *data, size_t size) {
  h->read += size;
  for (size_t part; size; data += part, size -= part) {
    part = size < WINDOW ? size : WINDOW;
    h->hash = wnn_hash(through_window(h, data, part), part, h->hash);
  }
}

/* What lies in other files; accepts NULL. */
static bool add_tensor(hashing *h, const ox_tensor *tensor) {
  ox_bytes raw;
  if (!tensor || tensor->location != 1) return true;
  if (ox_tensor_external(h->model, tensor, &raw, NULL)) return false;
  add_bytes(h, raw.data, raw.size);
  return true;
}

static bool add_sparse(hashing *h, const ox_sparse *sparse) {
  return !sparse || (add_tensor(h, sparse->values) && add_tensor(h, sparse->indices));
}

static bool add_graph(hashing *h, const ox_graph *graph);

/* Graph nesting is bounded by the decoder, so this recursion is too. */
static bool add_nodes(hashing *h, const ox_list *nodes) {
  for (size_t i = 0; i < nodes->count; i++) {
    const ox_node *node = OX_AT(*nodes, ox_node, i);
    for (size_t k = 0; k < node->attrs.count; k++) {
      const ox_attr *attr = OX_AT(node->attrs, ox_attr, k);
      if ((attr->g && !add_graph(h, attr->g)) || !add_tensor(h, attr->t) || !add_sparse(h, attr->sparse)) return false;
    }
  }
  return true;
}

static bool add_graph(hashing *h, const ox_graph *graph) {
  for (size_t i = 0; i < graph->initializers.count; i++)
    if (!add_tensor(h, OX_AT(graph->initializers, ox_tensor, i))) return false;
  for (size_t i = 0; i < graph->sparse.count; i++)
    if (!add_sparse(h, OX_AT(graph->sparse, ox_sparse, i))) return false;
  return add_nodes(h, &graph->nodes);
}

bool ox_model_hash(wnn_onnx_model *model, uint64_t *hash) {
  hashing h = {.model = model, .window = malloc(WINDOW)};
  add_bytes(&h, model->file.data, model->file.size);
  bool whole = add_graph(&h, model->proto.graph);
  for (size_t i = 0; i < model->proto.functions.count && whole; i++)
    whole = add_nodes(&h, &OX_AT(model->proto.functions, ox_function, i)->nodes);
  ox_model_forget(model, h.read);
  free(h.window);
  *hash = h.hash;
  return whole;
}

char *ox_cache_path(const char *folder, const wnn_context *context, uint64_t model, uint64_t key) {
  size_t size = strlen(folder) + 64;
  char *path = malloc(size);
  key = wnn_hash(&key, sizeof key, wnn_context_fingerprint(context));
  if (path) snprintf(path, size, "%s/%016" PRIx64 "-%016" PRIx64 ".graph", folder, model, key);
  return path;
}

wnn_status ox_cache_save(wnn_graph *graph, const char *folder, const char *path, wnn_error *error) {
  mkdir(folder, 0777); /* saving tells when that failed */
  return wnn_graph_save(graph, path, error);
}
