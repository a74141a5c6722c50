/* Saved graphs, the writing side: the record of a build as a file. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "base/sizes.h"
#include "graph/record.h"
#include "runtime/save.h"

/* A block among those whose bytes were at the same place. */
typedef struct shared {
  const void *place;
  size_t size, index;
} shared;

static int by_place(const void *a, const void *b) {
  const shared *x = a, *y = b;
  if (x->place != y->place) return (uintptr_t)x->place < (uintptr_t)y->place ? -1 : 1;
  if (x->size != y->size) return x->size < y->size ? -1 : 1;
  return x->index < y->index ? -1 : x->index > y->index;
}

/* first[i]: the block whose bytes block i shares, i itself for most. Of blocks that share, all are stored if one is. */
static void find_shared(const wnn_record *record, shared *sorted, size_t *first, bool *stored) {
  size_t count = 0;
  for (size_t i = 0; i < record->count; i++) {
    const wnn_block *block = &record->blocks[i];
    first[i] = i;
    stored[i] = block->blob || block->data;
    if (block->place) sorted[count++] = (shared){block->place, block->size, i};
  }
  qsort(sorted, count, sizeof *sorted, by_place);
  for (size_t i = 1; i < count; i++) {
    size_t to = first[sorted[i - 1].index], at = sorted[i].index;
    if (sorted[i].place != sorted[i - 1].place || sorted[i].size != sorted[i - 1].size) continue;
    first[at] = to;
    stored[to] = stored[to] || stored[at];
  }
}

/* Gives each block its place, in the data or among the hollow ones. source[i]: the block that has the bytes of block i,
 * when they begin there in the data; else record->count. */
static bool plan(const wnn_record *record, wnn_saved_block *table, size_t *source, uint64_t *data_size) {
  const wnn_allocator *allocator = record->allocator;
  size_t count = record->count;
  shared *sorted = wnn_mem_alloc(allocator, (count + 1) * sizeof *sorted);
  size_t *first = wnn_mem_alloc(allocator, (count + 1) * sizeof *first);
  bool *stored = wnn_mem_alloc(allocator, count + 1);
  bool fine = sorted && first && stored;
  uint64_t end = 0, hollow = 0;
  if (fine) find_shared(record, sorted, first, stored);
  for (size_t i = 0; fine && i < count; i++) source[i] = count;
  for (size_t i = 0; fine && i < count; i++) {
    const wnn_block *block = &record->blocks[i];
    size_t f = first[i];
    if (block->blob || block->data) source[f] = i;
    if (f < i) {
      table[i] = table[f];
      continue;
    }
    uint64_t *at = stored[i] ? &end : &hollow;
    table[i] = (wnn_saved_block){.size = block->size, .offset = *at, .stored = stored[i]};
    *at += wnn_align_up(block->size);
  }
  *data_size = end;
  wnn_mem_free(allocator, sorted, (count + 1) * sizeof *sorted);
  wnn_mem_free(allocator, first, (count + 1) * sizeof *first);
  wnn_mem_free(allocator, stored, count + 1);
  return fine;
}

static const void *bytes_of(const wnn_block *block) { return block->blob ? block->blob->data : block->data; }

/* The hash of the data as it will lie in the file: of each part once. */
static uint64_t hash_data(const wnn_record *record, const size_t *source) {
  uint64_t hash = WNN_SAVED_SEED;
  for (size_t i = 0; i < record->count; i++)
    if (source[i] < record->count) hash = wnn_hash(bytes_of(&record->blocks[source[i]]), record->blocks[i].size, hash);
  return hash;
}

typedef struct write_job {
  wnn_job job;
  wnn_graph *graph;
  wnn_write_fn write;
  void *user;
  wnn_status status;
  wnn_error *error;
} write_job;

static bool emit(const write_job *w, const void *data, size_t size) { return !size || w->write(w->user, data, size); }

static bool pad(const write_job *w, size_t size) {
  static const char zeros[WNN_ALIGN] = {0};
  return emit(w, zeros, (WNN_ALIGN - size % WNN_ALIGN) % WNN_ALIGN);
}

static bool emit_all(const write_job *w, const wnn_record *record, const wnn_saved_header *header,
                     const wnn_saved_block *table, const size_t *source) {
  size_t meta = record->text_size + record->count * sizeof *table;
  bool fine = emit(w, header, sizeof *header) && emit(w, table, record->count * sizeof *table) &&
              emit(w, record->text, record->text_size) && pad(w, meta);
  for (size_t i = 0; i < record->count && fine; i++)
    if (source[i] < record->count)
      fine = emit(w, bytes_of(&record->blocks[source[i]]), record->blocks[i].size) && pad(w, record->blocks[i].size);
  return fine;
}

static wnn_status write_planned(const write_job *w, const wnn_record *record, const wnn_saved_block *table,
                                const size_t *source, uint64_t data_size) {
  size_t table_size = record->count * sizeof *table;
  wnn_saved_header header = wnn_saved_header_of(w->graph->context);
  header.block_count = record->count;
  header.text_size = record->text_size;
  header.data_offset = sizeof header + wnn_align_up(table_size + record->text_size);
  header.file_size = header.data_offset + data_size;
  header.meta_hash = wnn_hash(record->text, record->text_size, wnn_hash(table, table_size, WNN_SAVED_SEED));
  header.data_hash = hash_data(record, source);
  header.header_hash = wnn_saved_header_hash(&header);
  if (emit_all(w, record, &header, table, source)) return WNN_OK;
  return wnn_error_set(w->error, WNN_IO_ERROR, "save: The graph cannot be written.");
}

static wnn_status write_record(const write_job *w, const wnn_record *record) {
  const wnn_allocator *allocator = record->allocator;
  size_t table_bytes = (record->count + 1) * sizeof(wnn_saved_block),
         source_bytes = (record->count + 1) * sizeof(size_t);
  wnn_saved_block *table = wnn_mem_zalloc(allocator, table_bytes);
  size_t *source = wnn_mem_zalloc(allocator, source_bytes);
  uint64_t data_size;
  wnn_status status = table && source && plan(record, table, source, &data_size)
                          ? write_planned(w, record, table, source, data_size)
                          : wnn_error_oom(w->error);
  wnn_mem_free(allocator, table, table_bytes);
  wnn_mem_free(allocator, source, source_bytes);
  return status;
}

/* As the runner, since destroy() ends the program, which owns the weights. */
static void run_write(wnn_job *job) {
  write_job *w = WNN_LINK_OWNER(job, write_job, job);
  const wnn_record *record = w->graph->record;
  if (!w->graph->program)
    w->status = wnn_error_set(w->error, WNN_INVALID_STATE, "save: The graph is destroyed.");
  else if (!record)
    w->status = wnn_error_set(w->error, WNN_INVALID_STATE, "save: The graph was not built to be saved.");
  else if (record->replay)
    w->status = emit(w, record->image, record->image_size)
                    ? WNN_OK
                    : wnn_error_set(w->error, WNN_IO_ERROR, "save: The graph cannot be written.");
  else
    w->status = write_record(w, record);
}

wnn_status wnn_graph_write(wnn_graph *graph, wnn_write_fn write, void *user, wnn_error *error) {
  write_job w = {.job.run = run_write, .graph = graph, .write = write, .user = user, .error = error};
  wnn_context_perform(graph->context, &w.job);
  return w.status;
}

/* A file beside `path` that nobody else has, whose name goes to `name`; a reader never sees half a graph. NULL: errno.
 */
static FILE *open_part(const char *path, char *name, size_t size) {
  for (int attempt = 0; attempt < 100; attempt++) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    int length = snprintf(name, size, "%s.%ld-%ld.part", path, (long)getpid(), now.tv_nsec + attempt);
    if (length < 0 || (size_t)length >= size) {
      errno = ENAMETOOLONG;
      return NULL;
    }
    int file = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file >= 0) return fdopen(file, "wb");
    if (errno != EEXIST) break;
  }
  return NULL;
}

static bool write_file(void *user, const void *data, size_t size) { return fwrite(data, 1, size, user) == size; }

wnn_status wnn_graph_save(wnn_graph *graph, const char *path, wnn_error *error) {
  char name[4096];
  FILE *file = open_part(path, name, sizeof name);
  if (!file) return wnn_error_set(error, WNN_IO_ERROR, "save: Cannot write %s: %s.", path, strerror(errno));
  wnn_status status = wnn_graph_write(graph, write_file, file, error);
  bool closed = !fclose(file);
  if (!status && (!closed || rename(name, path)))
    status = wnn_error_set(error, WNN_IO_ERROR, "save: Cannot write %s: %s.", path, strerror(errno));
  if (status) remove(name);
  return status;
}
