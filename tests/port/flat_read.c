/* Reading of flat vector files, little-endian on little-endian machines. */
#include "flat.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const void *read_bytes(reader *r, size_t size) {
  if (r->failed || size > r->size - r->at) {
    r->failed = true;
    return NULL;
  }
  const void *bytes = r->data + r->at;
  r->at += size;
  return bytes;
}

uint32_t read_u32(reader *r) {
  uint32_t value = 0;
  const void *bytes = read_bytes(r, sizeof value);
  if (bytes) memcpy(&value, bytes, sizeof value);
  return value;
}

uint64_t read_u64(reader *r) {
  uint64_t value = 0;
  const void *bytes = read_bytes(r, sizeof value);
  if (bytes) memcpy(&value, bytes, sizeof value);
  return value;
}

double read_f64(reader *r) {
  double value = 0;
  const void *bytes = read_bytes(r, sizeof value);
  if (bytes) memcpy(&value, bytes, sizeof value);
  return value;
}

text read_text(reader *r) {
  text t;
  t.size = read_u32(r);
  t.data = read_bytes(r, t.size);
  if (!t.data) t.size = 0;
  return t;
}

bool text_is(text t, const char *string) { return strlen(string) == t.size && !memcmp(t.data, string, t.size); }

const char *text_copy(text t, char *room, size_t size) {
  snprintf(room, size, "%.*s", (int)t.size, t.size ? t.data : "");
  return room;
}

bool read_tensor(reader *r, flat_tensor *out) {
  memset(out, 0, sizeof *out);
  out->name = read_text(r);
  const text type = read_text(r);
  out->constant = read_u32(r);
  out->filled = read_u32(r);
  out->desc.rank = read_u32(r);
  if (out->desc.rank > WNN_MAX_RANK) r->failed = true;
  for (uint32_t i = 0; !r->failed && i < out->desc.rank; i++) out->desc.shape[i] = read_u32(r);
  const bool exact = read_u32(r);
  out->desc.data_type = (wnn_data_type)WNN_DATA_TYPE_COUNT;
  for (int t = 0; !r->failed && t < WNN_DATA_TYPE_COUNT; t++)
    if (text_is(type, wnn_data_type_name((wnn_data_type)t))) out->desc.data_type = (wnn_data_type)t;
  const size_t count = (size_t)wnn_desc_elements(&out->desc), element = wnn_data_type_size(out->desc.data_type);
  if (!count || !element) r->failed = true;
  read_bytes(r, (8 - r->at % 8) % 8);
  out->data = read_bytes(r, out->filled ? element : count * element);
  if (exact) {
    read_bytes(r, (8 - r->at % 8) % 8);
    out->wide = read_bytes(r, count * sizeof(double));
  }
  return !r->failed;
}

void *flat_expand(const flat_tensor *t) {
  const size_t size = (size_t)wnn_desc_bytes(&t->desc), element = wnn_data_type_size(t->desc.data_type);
  unsigned char *bytes = malloc(size);
  if (!bytes) return NULL;
  for (size_t i = 0; t->filled && i < size; i += element) memcpy(bytes + i, t->data, element);
  if (!t->filled) memcpy(bytes, t->data, size);
  return bytes;
}
