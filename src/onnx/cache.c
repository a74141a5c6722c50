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

static bool hash_tensor(wnn_onnx_model *model, const ox_tensor *tensor, uint64_t *hash) {
  ox_bytes raw;
  if (tensor->location != 1) return true; /* within the file */
  if (ox_tensor_external(model, tensor, &raw, NULL)) return false;
  *hash = wnn_hash(raw.data, raw.size, *hash);
  return true;
}

/* Graph nesting is bounded by the decoder, so this recursion is too. */
static bool hash_graph(wnn_onnx_model *model, const ox_graph *graph, uint64_t *hash) {
  for (size_t i = 0; i < graph->initializers.count; i++)
    if (!hash_tensor(model, OX_AT(graph->initializers, ox_tensor, i), hash)) return false;
  for (size_t i = 0; i < graph->nodes.count; i++) {
    const ox_node *node = OX_AT(graph->nodes, ox_node, i);
    for (size_t k = 0; k < node->attrs.count; k++) {
      const ox_attr *attr = OX_AT(node->attrs, ox_attr, k);
      if (attr->g && !hash_graph(model, attr->g, hash)) return false;
      if (attr->t && !hash_tensor(model, attr->t, hash)) return false;
    }
  }
  return true;
}

bool ox_model_hash(wnn_onnx_model *model, uint64_t *hash) {
  *hash = wnn_hash(model->file.data, model->file.size, 0);
  bool whole = hash_graph(model, model->proto.graph, hash);
  ox_model_forget(model, model->file.size);
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
