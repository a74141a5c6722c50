/* Memory that is freed all at once. */
#ifndef WNN_ONNX_ARENA_H
#define WNN_ONNX_ARENA_H

#include <webnn/webnn.h>

struct ox_chunk;
typedef struct ox_arena {
  struct ox_chunk *chunks;
  size_t used, size; /* of the newest chunk */
  size_t total;      /* bytes in all chunks */
} ox_arena;

/* Zeroed bytes, 64-byte aligned from 1 KiB up and else 16-byte aligned; NULL when memory is short or size is absurd. A
 * size of 0 gives a valid pointer. */
void *ox_alloc(ox_arena *arena, size_t size);
/* count * size bytes, checked. */
void *ox_alloc_array(ox_arena *arena, size_t count, size_t size);
void ox_arena_free(ox_arena *arena);

/* Fills an error and returns its status. error may be NULL. */
__attribute__((format(printf, 3, 4))) wnn_status ox_error(wnn_error *error, wnn_status status, const char *format, ...);

#endif
