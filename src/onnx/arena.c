/* Memory that is freed all at once, and error messages. */
#include "arena.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OX_CHUNK = 64 * 1024, OX_HEADER = 64 };
typedef struct ox_chunk {
  struct ox_chunk *next;
} ox_chunk;

static bool grow(ox_arena *arena, size_t size) {
  size_t need = size + OX_HEADER;
  if (need < OX_CHUNK) need = OX_CHUNK;
  need = (need + 63) & ~(size_t)63;
  ox_chunk *chunk = aligned_alloc(64, need);
  if (!chunk) return false;
  chunk->next = arena->chunks;
  arena->chunks = chunk;
  arena->used = OX_HEADER;
  arena->size = need;
  arena->total += need;
  return true;
}

void *ox_alloc(ox_arena *arena, size_t size) {
  if (size > SIZE_MAX / 4) return NULL;
  size_t align = size >= 1024 ? 64 : 16;
  size_t start = (arena->used + align - 1) & ~(align - 1);
  if (!arena->chunks || start > arena->size || size > arena->size - start) {
    if (!grow(arena, size)) return NULL;
    start = arena->used;
  }
  char *pointer = (char *)arena->chunks + start;
  arena->used = start + size;
  memset(pointer, 0, size);
  return pointer;
}

void *ox_alloc_array(ox_arena *arena, size_t count, size_t size) {
  if (size && count > SIZE_MAX / size) return NULL;
  return ox_alloc(arena, count * size);
}

void ox_arena_free(ox_arena *arena) {
  ox_chunk *chunk = arena->chunks;
  while (chunk) {
    ox_chunk *next = chunk->next;
    free(chunk);
    chunk = next;
  }
  memset(arena, 0, sizeof *arena);
}

wnn_status ox_error(wnn_error *error, wnn_status status, const char *format, ...) {
  if (!error) return status;
  error->status = status;
  va_list list;
  va_start(list, format);
  vsnprintf(error->message, sizeof error->message, format, list);
  va_end(list);
  return status;
}
