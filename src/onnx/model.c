/* Opening models: mapping, parsing, listings. */
#define _XOPEN_SOURCE 700 /* realpath */
#define _DEFAULT_SOURCE 1 /* madvise */
#include "model.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static wnn_status map_file(const char *path, ox_bytes *bytes, wnn_error *error) {
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return ox_error(error, WNN_IO_ERROR, "cannot open %s: %s", path, strerror(errno));
  struct stat facts;
  wnn_status status = WNN_OK;
  if (fstat(file, &facts) || !S_ISREG(facts.st_mode)) {
    status = ox_error(error, WNN_IO_ERROR, "cannot read %s: not a regular file", path);
  } else if (facts.st_size == 0) {
    *bytes = (ox_bytes){(const uint8_t *)"", 0};
  } else {
    void *memory = mmap(NULL, (size_t)facts.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    if (memory == MAP_FAILED)
      status = ox_error(error, WNN_IO_ERROR, "cannot map %s: %s", path, strerror(errno));
    else
      *bytes = (ox_bytes){memory, (size_t)facts.st_size};
  }
  close(file);
  return status;
}

static void unmap(ox_bytes bytes) {
  if (bytes.size) munmap((void *)(uintptr_t)bytes.data, bytes.size);
}

static void forget(ox_bytes file) {
  if (file.size) madvise((void *)(uintptr_t)file.data, file.size, MADV_DONTNEED);
}

void ox_model_forget(wnn_onnx_model *model, size_t size) {
  enum { ENOUGH = 1 << 20 }; /* each time costs about as much as reading some ten pages again */
  if (atomic_fetch_add(&model->forgotten, size) + size < ENOUGH) return;
  atomic_store(&model->forgotten, 0);
  if (model->mapped) forget(model->file);
  pthread_mutex_lock(&model->lock);
  for (const ox_file *file = model->files; file; file = file->next) forget(file->bytes);
  pthread_mutex_unlock(&model->lock);
}

void ox_model_retain(wnn_onnx_model *model) { atomic_fetch_add(&model->references, 1); }

void wnn_onnx_release(wnn_onnx_model *model) {
  if (!model || atomic_fetch_sub(&model->references, 1) != 1) return;
  for (ox_file *file = model->files; file; file = file->next) unmap(file->bytes);
  if (model->mapped)
    unmap(model->file);
  else if (model->owned)
    free((void *)(uintptr_t)model->file.data);
  else if (model->release)
    model->release(model->user);
  pthread_mutex_destroy(&model->lock);
  free(model->folder);
  ox_arena_free(&model->file_arena);
  ox_arena_free(&model->arena);
  free(model);
}

/* ---- External data ------------------------------------------------------------------------------- */

/* Only plain relative paths without ".." stay inside the folder. */
static bool location_is_safe(const char *location) {
  if (!*location || *location == '/' || strchr(location, '\\')) return false;
  for (const char *part = location; part;) {
    const char *end = strchr(part, '/');
    size_t length = end ? (size_t)(end - part) : strlen(part);
    if (length == 2 && part[0] == '.' && part[1] == '.') return false;
    part = end ? end + 1 : NULL;
  }
  return true;
}

/* Also links may not lead out of the folder. */
static wnn_status open_external(const wnn_onnx_model *model, const char *location, ox_bytes *bytes, wnn_error *error) {
  size_t length = strlen(model->folder) + strlen(location) + 2;
  char *path = malloc(length);
  if (!path) return ox_error(error, WNN_OUT_OF_MEMORY, "memory is short");
  strcpy(path, model->folder);
  strcat(path, "/");
  strcat(path, location);
  char *real_folder = realpath(model->folder, NULL), *real_path = realpath(path, NULL);
  wnn_status status;
  size_t prefix = real_folder ? strlen(real_folder) : 0;
  if (prefix == 1) prefix = 0; /* the root folder already ends with the slash that is looked for */
  if (!real_path || !real_folder) {
    status = ox_error(error, WNN_IO_ERROR, "cannot find the external data file %s", path);
  } else if (strncmp(real_path, real_folder, prefix) || real_path[prefix] != '/') {
    status = ox_error(error, WNN_DATA_ERROR, "external data \"%s\" lies outside the model's folder", location);
  } else {
    status = map_file(real_path, bytes, error);
  }
  free(real_folder);
  free(real_path);
  free(path);
  return status;
}

wnn_status ox_model_external(wnn_onnx_model *model, const char *location, ox_bytes *bytes, wnn_error *error) {
  if (!model->folder) {
    return ox_error(error, WNN_DATA_ERROR, "external data \"%s\" needs a model opened from a file or folder", location);
  }
  if (!location_is_safe(location)) {
    return ox_error(error, WNN_DATA_ERROR, "external data \"%s\" lies outside the model's folder", location);
  }
  pthread_mutex_lock(&model->lock);
  ox_file *file = model->files;
  while (file && strcmp(file->location, location)) file = file->next;
  wnn_status status = WNN_OK;
  if (!file) {
    file = ox_alloc(&model->file_arena, sizeof *file);
    status = file ? open_external(model, location, &file->bytes, error)
                  : ox_error(error, WNN_OUT_OF_MEMORY, "memory is short");
    if (!status) {
      file->location = location;
      file->next = model->files;
      model->files = file;
    }
  }
  if (!status) *bytes = file->bytes;
  pthread_mutex_unlock(&model->lock);
  return status;
}

/* ---- Listings ------------------------------------------------------------------------------------ */

const ox_tensor *ox_graph_initializer(const ox_graph *graph, const char *name) {
  for (size_t i = 0; i < graph->initializers.count; i++) {
    const ox_tensor *tensor = OX_AT(graph->initializers, ox_tensor, i);
    if (tensor->name == name) return tensor;
  }
  for (size_t i = 0; i < graph->sparse.count; i++) {
    const ox_sparse *sparse = OX_AT(graph->sparse, ox_sparse, i);
    if (sparse->values && sparse->values->name == name) return sparse->values;
  }
  return NULL;
}

static const char *type_text(const ox_port *port) {
  const ox_type_proto *type = port->type;
  if (!type) return "undefined";
  if (type->tensor) return ox_type_name(type->tensor->type);
  return type->has_sequence   ? "sequence"
         : type->has_map      ? "map"
         : type->has_optional ? "optional"
         : type->has_sparse   ? "sparse"
                              : "undefined";
}

static bool describe_port(wnn_onnx_model *model, const ox_port *port, wnn_onnx_port *out) {
  out->name = port->name;
  out->type = type_text(port);
  const ox_tensor_type *type = port->type ? port->type->tensor : NULL;
  out->has_data_type = type && ox_type_carrier(type->type, &out->data_type);
  if (!type || !type->shape) return true;
  out->has_shape = true;
  out->rank = type->shape->dims.count > UINT32_MAX ? UINT32_MAX : (uint32_t)type->shape->dims.count;
  wnn_onnx_dim *dims = ox_alloc_array(&model->arena, out->rank, sizeof *dims);
  if (!dims) return false;
  for (uint32_t i = 0; i < out->rank; i++) {
    const ox_dim *dim = OX_AT(type->shape->dims, ox_dim, i);
    bool fixed = dim->has_size && dim->size >= 0;
    dims[i].size = fixed ? dim->size : -1;
    dims[i].symbol = fixed ? "" : dim->symbol;
  }
  out->dims = dims;
  return true;
}

static void count_tensor(wnn_onnx_info *info, const ox_tensor *tensor) {
  uint64_t elements = 1;
  for (size_t i = 0; i < tensor->dims.count; i++) {
    int64_t size = *OX_AT(tensor->dims, int64_t, i);
    if (size < 0 || (size && elements > (UINT64_C(1) << 48) / (uint64_t)size)) return;
    elements *= (uint64_t)size;
  }
  wnn_data_type carrier;
  uint64_t bits = tensor->type == OX_DOUBLE                                                              ? 64
                  : tensor->type == OX_BFLOAT16 || tensor->type == OX_INT16 || tensor->type == OX_UINT16 ? 16
                  : tensor->type == OX_INT4 || tensor->type == OX_UINT4                                  ? 4
                  : ox_type_carrier(tensor->type, &carrier) ? 8 * wnn_data_type_size(carrier)
                                                            : 8;
  info->parameter_count += elements;
  info->parameter_bytes += (elements * bits + 7) / 8;
}

/* Graph nesting is bounded by the decoder, so this recursion is too. */
static void count_parameters(wnn_onnx_info *info, const ox_graph *graph) {
  for (size_t i = 0; i < graph->initializers.count; i++) count_tensor(info, OX_AT(graph->initializers, ox_tensor, i));
  for (size_t i = 0; i < graph->nodes.count; i++) {
    const ox_node *node = OX_AT(graph->nodes, ox_node, i);
    for (size_t k = 0; k < node->attrs.count; k++) {
      const ox_attr *attr = OX_AT(node->attrs, ox_attr, k);
      if (attr->g)
        count_parameters(info, attr->g);
      else if (attr->t && !strcmp(node->op, "Constant"))
        count_tensor(info, attr->t);
    }
  }
}

static bool describe(wnn_onnx_model *model) {
  const ox_model_proto *proto = &model->proto;
  const ox_graph *graph = proto->graph;
  model->inputs = ox_alloc_array(&model->arena, graph->inputs.count, sizeof *model->inputs);
  model->input_ports = ox_alloc_array(&model->arena, graph->inputs.count, sizeof *model->input_ports);
  model->outputs = ox_alloc_array(&model->arena, graph->outputs.count, sizeof *model->outputs);
  if (!model->inputs || !model->outputs || !model->input_ports) return false;
  size_t real = 0;
  /* Defaulted inputs come last, so that indices below info.input_count are the ones to feed. */
  for (int defaulted = 0; defaulted < 2; defaulted++) {
    for (size_t i = 0; i < graph->inputs.count; i++) {
      const ox_port *port = OX_AT(graph->inputs, ox_port, i);
      bool has_default = ox_graph_initializer(graph, port->name) != NULL;
      if (has_default != (defaulted == 1)) continue;
      model->input_ports[real] = port;
      model->inputs[real].has_default = has_default;
      if (!describe_port(model, port, &model->inputs[real++])) return false;
    }
    if (!defaulted) model->info.input_count = real;
  }
  for (size_t i = 0; i < graph->outputs.count; i++) {
    if (!describe_port(model, OX_AT(graph->outputs, ox_port, i), &model->outputs[i])) return false;
  }
  wnn_onnx_info *info = &model->info;
  info->ir_version = proto->ir_version;
  info->model_version = proto->model_version;
  info->producer_name = proto->producer_name;
  info->producer_version = proto->producer_version;
  info->domain = proto->domain;
  info->doc = proto->doc;
  info->graph_name = graph->name;
  info->output_count = graph->outputs.count;
  info->node_count = graph->nodes.count;
  info->initializer_count = graph->initializers.count + graph->sparse.count;
  info->function_count = proto->functions.count;
  info->opset_count = proto->opsets.count;
  info->metadata_count = proto->metadata.count;
  info->file_bytes = model->file.size;
  count_parameters(info, graph);
  return true;
}

/* ---- Opening -------------------------------------------------------------------------------------- */

/* Takes over the bytes on success and on failure. */
static wnn_status open_model(wnn_onnx_model *model, const char *folder, wnn_onnx_model **out, wnn_error *error) {
  wnn_status status = WNN_OK;
  if (folder) {
    model->folder = strdup(folder);
    if (!model->folder) status = ox_error(error, WNN_OUT_OF_MEMORY, "memory is short");
  }
  if (!status) status = ox_decode_model(&model->arena, &model->names, model->file, &model->proto, error);
  if (!status && !describe(model)) status = ox_error(error, WNN_OUT_OF_MEMORY, "memory is short");
  if (status)
    wnn_onnx_release(model);
  else
    *out = model;
  return status;
}

static wnn_onnx_model *new_model(void) {
  wnn_onnx_model *model = calloc(1, sizeof *model);
  if (!model) return NULL;
  atomic_init(&model->references, 1);
  if (pthread_mutex_init(&model->lock, NULL)) {
    free(model);
    return NULL;
  }
  return model;
}

wnn_status wnn_onnx_open(const char *path, wnn_onnx_model **model, wnn_error *error) {
  if (!path) return ox_error(error, WNN_TYPE_ERROR, "the path is missing");
  wnn_onnx_model *fresh = new_model();
  if (!fresh) return ox_error(error, WNN_OUT_OF_MEMORY, "memory is short");
  wnn_status status = map_file(path, &fresh->file, error);
  if (status) {
    wnn_onnx_release(fresh);
    return status;
  }
  fresh->mapped = true;
  const char *slash = strrchr(path, '/');
  size_t length = slash ? (size_t)(slash - path) + (slash == path) : 1;
  char *folder = malloc(length + 1);
  if (!folder) {
    wnn_onnx_release(fresh);
    return ox_error(error, WNN_OUT_OF_MEMORY, "memory is short");
  }
  memcpy(folder, slash ? path : ".", length);
  folder[length] = 0;
  status = open_model(fresh, folder, model, error);
  free(folder);
  return status;
}

wnn_status wnn_onnx_open_borrowed(const void *data, size_t size, const char *folder, wnn_release_fn release, void *user,
                                  wnn_onnx_model **model, wnn_error *error) {
  wnn_onnx_model *fresh = data || !size ? new_model() : NULL;
  if (!fresh) {
    if (release) release(user);
    if (!data && size) return ox_error(error, WNN_TYPE_ERROR, "the model's bytes are missing");
    return ox_error(error, WNN_OUT_OF_MEMORY, "memory is short");
  }
  fresh->file = (ox_bytes){size ? data : "", size};
  fresh->release = release;
  fresh->user = user;
  return open_model(fresh, folder, model, error);
}

wnn_status wnn_onnx_open_bytes(const void *data, size_t size, const char *folder, wnn_onnx_model **model,
                               wnn_error *error) {
  if (!data && size) return ox_error(error, WNN_TYPE_ERROR, "the model's bytes are missing");
  void *copy = malloc(size ? size : 1);
  if (!copy) return ox_error(error, WNN_OUT_OF_MEMORY, "memory is short");
  if (size) memcpy(copy, data, size);
  return wnn_onnx_open_borrowed(copy, size, folder, free, copy, model, error);
}

const wnn_onnx_info *wnn_onnx_get_info(const wnn_onnx_model *model) { return &model->info; }

const wnn_onnx_opset *wnn_onnx_get_opset(const wnn_onnx_model *model, size_t index) {
  _Static_assert(sizeof(wnn_onnx_opset) == sizeof(ox_opset), "the decoded form is the public one");
  return index < model->proto.opsets.count ? OX_AT(model->proto.opsets, wnn_onnx_opset, index) : NULL;
}

const wnn_onnx_metadata *wnn_onnx_get_metadata(const wnn_onnx_model *model, size_t index) {
  _Static_assert(sizeof(wnn_onnx_metadata) == sizeof(ox_entry), "the decoded form is the public one");
  return index < model->proto.metadata.count ? OX_AT(model->proto.metadata, wnn_onnx_metadata, index) : NULL;
}

const wnn_onnx_port *wnn_onnx_get_input(const wnn_onnx_model *model, size_t index) {
  return index < model->proto.graph->inputs.count ? &model->inputs[index] : NULL;
}

const wnn_onnx_port *wnn_onnx_get_output(const wnn_onnx_model *model, size_t index) {
  return index < model->info.output_count ? &model->outputs[index] : NULL;
}

int wnn_onnx_find_input(const wnn_onnx_model *model, const char *name) {
  for (size_t i = 0; name && i < model->proto.graph->inputs.count && i < INT32_MAX; i++) {
    if (!strcmp(model->inputs[i].name, name)) return (int)i;
  }
  return -1;
}

bool wnn_onnx_get_node(const wnn_onnx_model *model, size_t index, wnn_onnx_node *node) {
  const ox_list *nodes = &model->proto.graph->nodes;
  if (index >= nodes->count) return false;
  const ox_node *from = OX_AT(*nodes, ox_node, index);
  *node = (wnn_onnx_node){.name = from->name,
                          .output = "",
                          .op = from->op,
                          .domain = from->domain,
                          .inputs = (const char *const *)from->inputs.items,
                          .outputs = (const char *const *)from->outputs.items,
                          .input_count = from->inputs.count,
                          .output_count = from->outputs.count};
  for (size_t i = 0; i < from->outputs.count && !*node->output; i++)
    node->output = *OX_AT(from->outputs, const char *, i);
  return true;
}
