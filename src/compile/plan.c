/* Memory plan: offsets in one arena by lifetime. */
#include <stdlib.h>

#include "base/sizes.h"
#include "compile/compile.h"

enum { SMALL = 4096 }; /* up to this many buffers the better, quadratic order is affordable */

/* Sort keys carry the index, so that the order is total and qsort needs no context. */
typedef struct key {
  size_t major;
  uint32_t index;
} key;

static int by_major(const void *a, const void *b) {
  const key *x = a, *y = b;
  if (x->major != y->major) return x->major < y->major ? -1 : 1;
  return x->index < y->index ? -1 : x->index > y->index;
}

static int by_offset(const void *a, const void *b) {
  const wnn_plan_buffer *x = *(const wnn_plan_buffer *const *)a, *y = *(const wnn_plan_buffer *const *)b;
  return x->offset < y->offset ? -1 : x->offset > y->offset;
}

/* Largest buffers first, each at the lowest gap among those placed before that live at the same time. */
static size_t plan_by_size(wnn_plan_buffer *buffers, const key *order, size_t count, wnn_plan_buffer **live) {
  size_t end = 0;
  for (size_t k = 0; k < count; k++) {
    wnn_plan_buffer *buffer = &buffers[order[k].index];
    size_t lives = 0, at = 0;
    for (size_t j = 0; j < k; j++) {
      wnn_plan_buffer *other = &buffers[order[j].index];
      if (other->first <= buffer->last && buffer->first <= other->last) live[lives++] = other;
    }
    qsort(live, lives, sizeof *live, by_offset);
    for (size_t j = 0; j < lives; j++) {
      if (live[j]->offset >= at && live[j]->offset - at >= wnn_align_up(buffer->bytes)) break;
      size_t after = live[j]->offset + wnn_align_up(live[j]->bytes);
      if (after > at) at = after;
    }
    buffer->offset = at;
    if (at + wnn_align_up(buffer->bytes) > end) end = at + wnn_align_up(buffer->bytes);
  }
  return end;
}

/* In order of birth, first fit among the live ones, which stay sorted by offset. */
static size_t plan_by_time(wnn_plan_buffer *buffers, const key *order, size_t count, wnn_plan_buffer **live) {
  size_t end = 0, lives = 0;
  for (size_t k = 0; k < count; k++) {
    wnn_plan_buffer *buffer = &buffers[order[k].index];
    size_t kept = 0, at = 0, place = SIZE_MAX, need = wnn_align_up(buffer->bytes);
    for (size_t j = 0; j < lives; j++) {
      if (live[j]->last < buffer->first) continue;
      if (place == SIZE_MAX) {
        if (live[j]->offset - at >= need)
          place = kept;
        else
          at = live[j]->offset + wnn_align_up(live[j]->bytes);
      }
      live[kept++] = live[j];
    }
    if (place == SIZE_MAX) place = kept;
    for (size_t j = kept; j > place; j--) live[j] = live[j - 1];
    live[place] = buffer;
    lives = kept + 1;
    buffer->offset = at;
    if (at + need > end) end = at + need;
  }
  return end;
}

size_t wnn_plan_memory(const wnn_allocator *allocator, wnn_plan_buffer *buffers, size_t count) {
  if (!count) return 0;
  key *order = wnn_mem_alloc(allocator, count * sizeof *order);
  wnn_plan_buffer **live = wnn_mem_alloc(allocator, (count + 1) * sizeof(void *));
  size_t end = SIZE_MAX;
  if (order && live) {
    for (size_t i = 0; i < count; i++)
      order[i] = (key){count <= SMALL ? SIZE_MAX - buffers[i].bytes : buffers[i].first, (uint32_t)i};
    qsort(order, count, sizeof *order, by_major);
    end = count <= SMALL ? plan_by_size(buffers, order, count, live) : plan_by_time(buffers, order, count, live);
  }
  wnn_mem_free(allocator, order, count * sizeof *order);
  wnn_mem_free(allocator, live, (count + 1) * sizeof(void *));
  return end;
}
