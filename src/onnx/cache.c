/* Saved graphs of models in a folder: what names them. */
#include "cache.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tensor.h"

uint64_t ox_hash_text(const char *text, uint64_t seed) {
  return text ? wnn_hash(text, strlen(text) + 1, seed) : wnn_hash("", 0, seed);
}

typedef struct hashing {
  wnn_onnx_model *model;
  uint64_t hash;
  size_t read; /* bytes */
} hashing;

static void add_bytes(hashing *h, const void *data, size_t size) {
  h->hash = wnn_hash(data, size, h->hash);
  h->read += size;
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
  hashing h = {.model = model};
  add_bytes(&h, model->file.data, model->file.size);
  bool whole = add_graph(&h, model->proto.graph);
  for (size_t i = 0; i < model->proto.functions.count && whole; i++)
    whole = add_nodes(&h, &OX_AT(model->proto.functions, ox_function, i)->nodes);
  ox_model_forget(model, h.read);
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
