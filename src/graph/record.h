/* What is noted of a build so that its graph can be saved, and what a build takes from a saved graph.
 *
 * A saved graph is its description (the operations as they were added to the builder) and the blocks of bytes that
 * compilation made: the constants, then in the order of their making folded constants and packed weights. Loading
 * builds the graph again from its description, by the builder's own checks, but takes each block from the file instead
 * of computing it. Constants that were only read to make other blocks are not saved; they are hollow then, zeros that
 * nobody needs. */
#ifndef WNN_GRAPH_RECORD_H
#define WNN_GRAPH_RECORD_H

#include "graph/ir.h"

/* Constants up to this size are always kept: passes read them. */
#define WNN_SMALL_CONSTANT ((size_t)1 << 16)

typedef struct wnn_block {
  wnn_blob *blob;   /* of a constant that may be needed; one reference */
  const void *data; /* of packed weights, which belong to the program; in a replay of any block */
  size_t size;
  /* Of constants of the graph: where the bytes were when the passes began. Passes merge constants that are the same
   * memory, so that those have to be the same memory in a replay. */
  const void *place;
} wnn_block;

struct wnn_record {
  const wnn_allocator *allocator;
  bool replay;
  bool failed; /* memory was short, or a replay asked for other blocks than there are */
  wnn_block *blocks;
  size_t count, capacity;
  size_t next; /* of a replay */
  /* The description: of a build it belongs to the record, of a replay to the image. */
  unsigned char *text;
  size_t text_size, text_capacity;
  /* Of a replay: the saved bytes, and the room of hollow constants. */
  const void *image;
  size_t image_size;
  void (*release)(void *user, const void *image, size_t size);
  void *user;
  void *hollow;
  size_t hollow_size;
};

wnn_record *wnn_record_create(const wnn_allocator *allocator);
void wnn_record_free(wnn_record *record); /* accepts NULL */

/* At the start of a build: describes the graph and notes its constants. The following do nothing without a record, and
 * note their failure in it. */
void wnn_record_graph(wnn_record *record, const wnn_ir *ir);
/* Before the passes: notes the places of the constants. */
void wnn_record_places(wnn_record *record);
/* Notes a constant that compilation made. */
void wnn_record_constant(wnn_record *record, wnn_blob *blob);
/* Notes packed weights, which live as long as the program. */
void wnn_record_weights(wnn_record *record, const void *data, size_t size);
/* The build does not need a constant (NULL: of no bytes) any more: lets go of it unless it was read by more than the
 * makers of blocks. */
void wnn_record_drop(wnn_record *record, wnn_blob *blob);
/* At the end of a build: lets go of all that nobody needs. */
void wnn_record_finish(wnn_record *record);

static inline bool wnn_record_replays(const wnn_record *record) { return record && record->replay; }
/* The next block of a replay; NULL when it has another size (noted as a failure). */
const void *wnn_record_next(wnn_record *record, size_t size);
/* The same as a constant; NULL also when memory is short. */
wnn_blob *wnn_record_next_constant(wnn_record *record, size_t size);

/* ---- The description ------------------------------------------------------------------------------------- */

/* Reads what wnn_record_graph wrote, one thing after the other. Nothing is read past the end: then `failed` is set and
 * zeros are given. */
typedef struct wnn_reader {
  const unsigned char *at;
  size_t left;
  bool failed;
} wnn_reader;

typedef enum wnn_record_tag {
  WNN_RECORD_INPUT = 1,
  WNN_RECORD_CONSTANT,
  WNN_RECORD_NODE,
  WNN_RECORD_OUTPUTS
} wnn_record_tag;

uint32_t wnn_read_u32(wnn_reader *reader);
/* Points into the description; "" after a failure. */
const char *wnn_read_text(wnn_reader *reader);
wnn_desc wnn_read_desc(wnn_reader *reader);
/* An argument struct of the operation, in arena; NULL after a failure. */
void *wnn_read_args(wnn_reader *reader, wnn_arena *arena, int op);

#endif
