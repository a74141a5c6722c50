/* Values, and the scopes that find them by name. */
#include <stdlib.h>
#include <string.h>

#include "import.h"

ox_keep *ox_keep_create(wnn_onnx_model *model) {
  ox_keep *keep = calloc(1, sizeof *keep);
  if (!keep) return NULL;
  atomic_init(&keep->references, 1);
  keep->model = model;
  ox_model_retain(model);
  return keep;
}

void ox_keep_release(void *user) {
  ox_keep *keep = user;
  if (!keep || atomic_fetch_sub(&keep->references, 1) != 1) return;
  ox_arena_free(&keep->arena);
  wnn_onnx_release(keep->model);
  free(keep);
}

bool ox_no_memory(ox_call *c) { return ox_fail(c, WNN_OUT_OF_MEMORY, "memory is short"); }

/* What a model may have computed on the host, at once and in all: a few bytes of a file must not take all memory. */
#define HOST_LIMIT (UINT64_C(512) << 20)
#define HOST_TOTAL (UINT64_C(4) << 30)

static void *host_memory(ox_call *c, ox_arena *arena, size_t count, size_t size) {
  if (size && count > HOST_LIMIT / size) {
    ox_fail(c, WNN_NOT_SUPPORTED, "a tensor of %zu elements is too large to be computed at import", count);
    return NULL;
  }
  c->im->host_bytes += count * size;
  if (c->im->host_bytes > HOST_TOTAL) {
    ox_fail(c, WNN_NOT_SUPPORTED, "more than 4 GiB would be computed at import");
    return NULL;
  }
  void *memory = ox_alloc_array(arena, count, size);
  if (!memory) ox_no_memory(c);
  return memory;
}

void *ox_keep_alloc(ox_call *c, size_t count, size_t size) { return host_memory(c, &c->im->keep->arena, count, size); }
void *ox_temp(ox_call *c, size_t count, size_t size) { return host_memory(c, &c->im->arena, count, size); }

ox_value *ox_value_const(ox_import *im, const wnn_desc *desc, const void *data) {
  ox_value *value = ox_alloc(&im->arena, sizeof *value);
  if (!value) return NULL;
  value->name = "";
  value->desc = *desc;
  value->constant = true;
  value->data = data;
  return value;
}

ox_value *ox_value_operand(ox_import *im, wnn_operand *operand) {
  ox_value *value = ox_alloc(&im->arena, sizeof *value);
  if (!value) return NULL;
  value->name = "";
  value->desc = *wnn_operand_desc(operand);
  value->operand = operand;
  return value;
}

/* ---- Scopes: maps from interned names ------------------------------------------------------------- */

ox_scope *ox_scope_create(ox_import *im, ox_scope *parent) {
  ox_scope *scope = ox_alloc(&im->arena, sizeof *scope);
  if (!scope) return NULL;
  scope->parent = parent;
  if (parent) {
    scope->caller = parent->caller;
    scope->function = parent->function;
    scope->opsets = parent->opsets;
  }
  return scope;
}

static size_t slot_of(const char *const *keys, size_t capacity, const char *name) {
  size_t at = (size_t)((uintptr_t)name * UINT64_C(0x9E3779B97F4A7C15) >> 20) & (capacity - 1);
  while (keys[at] && keys[at] != name) at = (at + 1) & (capacity - 1);
  return at;
}

static bool scope_grow(ox_import *im, ox_scope *scope) {
  size_t capacity = scope->capacity ? scope->capacity * 2 : 32;
  const char **keys = ox_alloc_array(&im->arena, capacity, sizeof *keys);
  ox_value **values = ox_alloc_array(&im->arena, capacity, sizeof *values);
  if (!keys || !values) return false;
  for (size_t i = 0; i < scope->capacity; i++) {
    if (!scope->keys[i]) continue;
    size_t at = slot_of(keys, capacity, scope->keys[i]);
    keys[at] = scope->keys[i];
    values[at] = scope->values[i];
  }
  scope->keys = keys;
  scope->values = values;
  scope->capacity = capacity;
  return true;
}

bool ox_scope_set(ox_import *im, ox_scope *scope, const char *name, ox_value *value) {
  if (scope->count * 2 >= scope->capacity && !scope_grow(im, scope)) return false;
  size_t at = slot_of(scope->keys, scope->capacity, name);
  if (!scope->keys[at]) scope->count++;
  scope->keys[at] = name;
  scope->values[at] = value;
  if (value && !*value->name) value->name = name;
  return true;
}

ox_value *ox_scope_get(const ox_scope *scope, const char *name) {
  for (; scope; scope = scope->parent) {
    if (!scope->capacity) continue;
    size_t at = slot_of(scope->keys, scope->capacity, name);
    if (scope->keys[at]) return scope->values[at];
  }
  return NULL;
}
