/* Saved graphs of models in a folder. */
#ifndef OX_CACHE_H
#define OX_CACHE_H

#include "model.h"

/* A hash of all bytes that a model consists of, its external data included; false when some cannot be read. */
bool ox_model_hash(wnn_onnx_model *model, uint64_t *hash);
uint64_t ox_hash_text(const char *text, uint64_t seed);
/* The file of a graph, NULL when memory is short; to be freed. */
char *ox_cache_path(const char *folder, const wnn_context *context, uint64_t model, uint64_t key);
/* Saves into the folder, which is made when it is missing. */
wnn_status ox_cache_save(wnn_graph *graph, const char *folder, const char *path, wnn_error *error);

#endif
