/* libFuzzer target: saved graphs whose checksums are right, with the description and the table of a real one changed.
 * The bytes say what is changed. Loading succeeds or fails with a status; what was loaded can be released. */
#include <stdlib.h>
#include <string.h>

#include "runtime/save.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct image {
  unsigned char *data;
  size_t size;
} image;

enum { ROOM = 1 << 20 };

static bool append(void *user, const void *data, size_t size) {
  image *to = user;
  if (size > ROOM - to->size) return false;
  memcpy(to->data + to->size, data, size);
  to->size += size;
  return true;
}

static bool make(wnn_context *context, image *saved) {
  static const float weights[16 * 16 * 9] = {0.5f, -1, 2};
  wnn_builder *b;
  wnn_operand *x, *f, *t;
  wnn_graph *graph = NULL;
  wnn_desc desc = {WNN_FLOAT32, 4, {1, 16, 8, 8}}, filter = {WNN_FLOAT32, 4, {16, 16, 3, 3}};
  if (wnn_builder_create(context, &b, NULL)) return false;
  bool fine = !wnn_builder_set_savable(b, NULL) && !wnn_builder_input(b, "x", &desc, &x, NULL) &&
              !wnn_builder_constant(b, &filter, weights, sizeof weights, &f, NULL) &&
              !wnn_conv2d(b, x, f, NULL, &t, NULL) && !wnn_relu(b, t, NULL, &t, NULL) &&
              !wnn_transpose(b, t, NULL, &t, NULL) && !wnn_softmax(b, t, 3, NULL, &t, NULL) &&
              !wnn_builder_build(b, &(wnn_named_operand){"y", t}, 1, &graph, NULL);
  fine = fine && !wnn_graph_write(graph, append, saved, NULL);
  wnn_graph_release(graph);
  wnn_builder_release(b);
  return fine;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static wnn_context *context;
  static image saved, copy;
  if (!context) {
    saved.data = aligned_alloc(64, ROOM), copy.data = aligned_alloc(64, ROOM);
    if (!saved.data || !copy.data || wnn_context_create(NULL, &context, NULL) || !make(context, &saved)) abort();
  }
  memcpy(copy.data, saved.data, saved.size);
  wnn_saved_header header;
  memcpy(&header, saved.data, sizeof header);
  unsigned char *table = copy.data + sizeof header;
  size_t table_size = header.block_count * sizeof(wnn_saved_block), meta = table_size + header.text_size;
  for (; size >= 3; size -= 3, data += 3) table[(data[0] | (size_t)data[1] << 8) % meta] = data[2];
  header.meta_hash = wnn_hash(table + table_size, header.text_size, wnn_hash(table, table_size, WNN_SAVED_SEED));
  header.header_hash = wnn_saved_header_hash(&header);
  memcpy(copy.data, &header, sizeof header);
  wnn_graph *graph;
  if (!wnn_graph_load_bytes(context, copy.data, saved.size, NULL, NULL, &graph, NULL)) wnn_graph_release(graph);
  return 0;
}
