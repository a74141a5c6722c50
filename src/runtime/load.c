/* Saved graphs, the reading side: checks a file, then builds its graph again from description and blocks. */
#define _DEFAULT_SOURCE 1 /* madvise, MAP_ANONYMOUS */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/shape.h"
#include "base/sizes.h"
#include "graph/builder.h"
#include "graph/record.h"
#include "runtime/save.h"

wnn_saved_header wnn_saved_header_of(const wnn_context *context) {
  wnn_saved_header header = {.magic = "WEBNNSA",
                             .byte_order = 0x01020304,
                             .format = 1,
                             .build = WNN_VERSION " " WNN_SOURCES_HASH,
                             .features = context->features,
                             .disabled_passes = context->disabled_passes,
                             .reference = context->reference,
                             .word = sizeof(void *)};
  header.magic[7] = 'V';
  return header;
}

uint64_t wnn_saved_header_hash(const wnn_saved_header *header) {
  wnn_saved_header copy = *header;
  copy.header_hash = 0;
  return wnn_hash(&copy, sizeof copy, WNN_SAVED_SEED);
}

uint64_t wnn_context_fingerprint(const wnn_context *context) {
  wnn_saved_header header = wnn_saved_header_of(context);
  return wnn_saved_header_hash(&header);
}

static wnn_status damaged(wnn_error *error, const char *what) {
  return wnn_error_set(error, WNN_DATA_ERROR, "load: The saved graph is damaged: %s.", what);
}

/* ---- Checks ---- */

static wnn_status check_header(const wnn_context *context, const wnn_saved_header *h, size_t size, wnn_error *error) {
  const wnn_saved_header mine = wnn_saved_header_of(context);
  if (memcmp(h->magic, mine.magic, sizeof h->magic)) return damaged(error, "it does not begin like one");
  if (h->byte_order != mine.byte_order || h->format != mine.format || h->word != mine.word ||
      memcmp(h->build, mine.build, sizeof h->build))
    return wnn_error_set(error, WNN_NOT_SUPPORTED, "load: The graph was saved by another build of the library.");
  if (h->header_hash != wnn_saved_header_hash(h)) return damaged(error, "the header has another checksum");
  if (h->features != mine.features || h->disabled_passes != mine.disabled_passes || h->reference != mine.reference)
    return wnn_error_set(error, WNN_NOT_SUPPORTED,
                         "load: The graph was saved by a context with other processor features, passes or kernels.");
  if (h->file_size != size || h->data_offset > size || h->data_offset % WNN_ALIGN || h->data_offset < sizeof *h)
    return damaged(error, "it has another size");
  uint64_t meta = h->data_offset - sizeof *h;
  if (h->block_count > meta / sizeof(wnn_saved_block) || h->text_size > meta - h->block_count * sizeof(wnn_saved_block))
    return damaged(error, "its parts overlap");
  return WNN_OK;
}

/* Fills the blocks of the record; hollow ones get room among zeros. */
static wnn_status read_blocks(wnn_record *record, const wnn_saved_header *h, wnn_error *error) {
  const char *image = record->image, *data = image + h->data_offset;
  uint64_t data_size = h->file_size - h->data_offset, stored = 0, hollow = 0, hash = WNN_SAVED_SEED;
  size_t count = (size_t)h->block_count;
  if (!wnn_mem_reserve(record->allocator, (void **)&record->blocks, &record->capacity, count + 1,
                       sizeof *record->blocks))
    return wnn_error_oom(error);
  for (size_t i = 0; i < count; i++) {
    wnn_saved_block block;
    memcpy(&block, image + sizeof *h + i * sizeof block, sizeof block);
    if (block.stored > 1 || block.offset % WNN_ALIGN || block.size > SIZE_MAX / 4) return damaged(error, "a block");
    if (block.stored && (block.offset > data_size || block.size > data_size - block.offset))
      return damaged(error, "a block lies outside");
    /* Blocks follow one another, or are another's bytes once more. */
    uint64_t *end = block.stored ? &stored : &hollow, padded = wnn_align_up((size_t)block.size);
    if (block.offset > *end || (block.offset < *end && padded > *end - block.offset) || *end > SIZE_MAX / 4)
      return damaged(error, "a block lies elsewhere");
    if (block.offset == *end && block.stored) hash = wnn_hash(data + block.offset, (size_t)block.size, hash);
    if (block.offset == *end) *end += padded;
    record->blocks[i] = (wnn_block){.data = block.stored ? data + block.offset : NULL, .size = (size_t)block.size};
  }
  if (hash != h->data_hash) return damaged(error, "the data has another checksum");
  if (stored != data_size) return damaged(error, "it has another size");
  if (hollow) {
    int flags = MAP_PRIVATE | MAP_ANONYMOUS;
#ifdef MAP_NORESERVE
    flags |= MAP_NORESERVE;
#endif
    void *room = mmap(NULL, (size_t)hollow, PROT_READ, flags, -1, 0);
    if (room == MAP_FAILED) return wnn_error_oom(error);
    record->hollow = room;
    record->hollow_size = (size_t)hollow;
    for (size_t i = 0; i < count; i++) {
      wnn_saved_block block;
      memcpy(&block, image + sizeof *h + i * sizeof block, sizeof block);
      if (!block.stored) record->blocks[i].data = (const char *)room + block.offset;
    }
  }
  record->count = count;
  return WNN_OK;
}

/* ---- Building ---- */

typedef struct loader {
  wnn_builder *builder;
  wnn_record *record;
  wnn_reader reader;
  wnn_arena arena;
  wnn_operand **values; /* in the order of the description */
  size_t count, capacity;
  wnn_error *error;
} loader;

static bool reserve(loader *l, size_t more) {
  return more <= UINT32_MAX &&
         wnn_mem_reserve(l->arena.allocator, (void **)&l->values, &l->capacity, l->count + more, sizeof(wnn_operand *));
}

static wnn_status load_input(loader *l) {
  const char *name = wnn_read_text(&l->reader);
  wnn_desc desc = wnn_read_desc(&l->reader);
  if (l->reader.failed) return WNN_OK;
  return wnn_builder_input(l->builder, name, &desc, &l->values[l->count++], l->error);
}

static wnn_status load_constant(loader *l) {
  wnn_desc desc = wnn_read_desc(&l->reader);
  if (l->reader.failed) return WNN_OK;
  if (!wnn_desc_valid(&desc, NULL)) return damaged(l->error, "a descriptor");
  const void *data = wnn_record_next(l->record, wnn_bytes(&desc));
  if (!data) return damaged(l->error, "a constant has another size");
  return wnn_builder_constant_borrowed(l->builder, &desc, data, wnn_bytes(&desc), NULL, NULL, &l->values[l->count++],
                                       l->error);
}

static wnn_status load_node(loader *l) {
  uint32_t op = wnn_read_u32(&l->reader);
  const wnn_op_info *row = op < WNN_OP_COUNT ? wnn_op_get((int)op) : NULL;
  if (!row) return damaged(l->error, "an operation is unknown");
  const char *label = wnn_read_text(&l->reader);
  char *args = wnn_read_args(&l->reader, &l->arena, (int)op);
  uint32_t outputs = wnn_read_u32(&l->reader), inputs = wnn_read_u32(&l->reader);
  if (!args || l->reader.failed || outputs > WNN_MAX_TENSOR_COUNT || inputs > l->reader.left / sizeof(uint32_t))
    return damaged(l->error, "an operation");
  memcpy(args + row->label_offset, &label, sizeof label);
  wnn_operand **operands = wnn_arena_array(&l->arena, (size_t)inputs + 1, sizeof *operands);
  if (!operands || !reserve(l, outputs)) return wnn_error_oom(l->error);
  for (uint32_t i = 0; i < inputs; i++) {
    uint32_t id = wnn_read_u32(&l->reader);
    if (id == WNN_NONE) continue;
    if (id >= l->count) return damaged(l->error, "an operand");
    operands[i] = l->values[id];
  }
  size_t made = 0;
  wnn_status status =
      wnn_builder_add(l->builder, (int)op, args, operands, inputs, l->values + l->count, outputs, &made, l->error);
  if (!status && made != outputs) status = damaged(l->error, "an operation has other results");
  if (!status) l->count += made;
  return status;
}

static wnn_status load_outputs(loader *l, wnn_graph **graph) {
  uint32_t count = wnn_read_u32(&l->reader);
  if (count > l->reader.left / sizeof(uint32_t)) return damaged(l->error, "outputs");
  wnn_named_operand *outputs = wnn_arena_array(&l->arena, (size_t)count + 1, sizeof *outputs);
  if (!outputs) return wnn_error_oom(l->error);
  for (uint32_t i = 0; i < count; i++) {
    outputs[i].name = wnn_read_text(&l->reader);
    uint32_t id = wnn_read_u32(&l->reader);
    if (l->reader.failed || id >= l->count) return damaged(l->error, "an output");
    outputs[i].operand = l->values[id];
  }
  if (l->reader.failed || l->reader.left) return damaged(l->error, "the description does not end");
  l->builder->ir.record = l->record; /* from here on the builder's, then the graph's */
  l->record = NULL;
  return wnn_builder_build(l->builder, outputs, count, graph, l->error);
}

static wnn_status load_description(loader *l, wnn_graph **graph) {
  for (;;) {
    uint32_t tag = wnn_read_u32(&l->reader);
    if (tag == WNN_RECORD_OUTPUTS) return load_outputs(l, graph);
    if (!reserve(l, 1)) return wnn_error_oom(l->error);
    wnn_status status = tag == WNN_RECORD_INPUT      ? load_input(l)
                        : tag == WNN_RECORD_CONSTANT ? load_constant(l)
                        : tag == WNN_RECORD_NODE     ? load_node(l)
                                                     : damaged(l->error, "the description");
    if (!status && l->reader.failed) status = damaged(l->error, "the description ends too soon");
    if (status) return status;
  }
}

/* Takes the image over: release is called when the graph does not need it any more, or now. */
static wnn_status load_image(wnn_context *context, wnn_record *record, wnn_graph **graph, wnn_error *error) {
  wnn_saved_header header;
  wnn_status status = record->image_size < sizeof header || (uintptr_t)record->image % WNN_ALIGN
                          ? damaged(error, "it is too short, or not aligned to 64 bytes")
                          : WNN_OK;
  if (!status) {
    memcpy(&header, record->image, sizeof header);
    status = check_header(context, &header, record->image_size, error);
  }
  loader l = {.record = record, .error = error};
  wnn_arena_init(&l.arena, &context->allocator);
  if (!status) {
    const unsigned char *table = (const unsigned char *)record->image + sizeof header;
    size_t table_size = (size_t)header.block_count * sizeof(wnn_saved_block);
    l.reader = (wnn_reader){.at = table + table_size, .left = (size_t)header.text_size};
    if (wnn_hash(l.reader.at, l.reader.left, wnn_hash(table, table_size, WNN_SAVED_SEED)) != header.meta_hash)
      status = damaged(error, "the description has another checksum");
  }
  if (!status) status = read_blocks(record, &header, error);
  if (!status) status = wnn_builder_create(context, &l.builder, error);
  if (!status) status = load_description(&l, graph);
  wnn_builder_release(l.builder);
  wnn_mem_free(&context->allocator, l.values, l.capacity * sizeof *l.values);
  wnn_arena_free(&l.arena);
  wnn_record_free(l.record);
  /* A description that the builder refuses is no error of the caller. */
  return status == WNN_TYPE_ERROR ? damaged(error, "an operation does not fit") : status;
}

typedef struct lender {
  wnn_release_fn release;
  void *user;
  const wnn_allocator *allocator;
} lender;

static void give_back(void *user, const void *image, size_t size) {
  (void)image, (void)size;
  lender *from = user;
  if (from->release) from->release(from->user);
  wnn_mem_free(from->allocator, from, sizeof *from);
}

wnn_status wnn_graph_load_bytes(wnn_context *context, const void *data, size_t size, wnn_release_fn release, void *user,
                                wnn_graph **graph, wnn_error *error) {
  wnn_record *record = wnn_record_create(&context->allocator);
  lender *from = wnn_mem_alloc(&context->allocator, sizeof *from);
  if (!record || !from) {
    wnn_record_free(record);
    wnn_mem_free(&context->allocator, from, sizeof *from);
    if (release) release(user);
    return wnn_error_oom(error);
  }
  *from = (lender){release, user, &context->allocator};
  record->replay = true;
  record->image = data, record->image_size = size;
  record->release = give_back, record->user = from;
  return load_image(context, record, graph, error);
}

static void unmap(void *user, const void *image, size_t size) {
  (void)user;
  munmap((void *)(uintptr_t)image, size);
}

static wnn_status map_file(const char *path, wnn_record *record, wnn_error *error) {
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return wnn_error_set(error, WNN_IO_ERROR, "load: Cannot open %s: %s.", path, strerror(errno));
  struct stat facts;
  wnn_status status = WNN_OK;
  if (fstat(file, &facts) || !S_ISREG(facts.st_mode)) {
    status = wnn_error_set(error, WNN_IO_ERROR, "load: Cannot read %s: not a regular file.", path);
  } else if (facts.st_size <= 0) {
    status = damaged(error, "it is empty");
  } else {
    size_t size = (size_t)facts.st_size;
    void *image = mmap(NULL, size, PROT_READ, MAP_PRIVATE, file, 0);
    if (image == MAP_FAILED) {
      status = wnn_error_set(error, WNN_IO_ERROR, "load: Cannot map %s: %s.", path, strerror(errno));
    } else {
      record->image = image, record->image_size = size, record->release = unmap;
#ifdef MADV_POPULATE_READ
      madvise(image, size, MADV_POPULATE_READ); /* all of it is about to be read; its pages come at once */
#endif
    }
  }
  close(file);
  return status;
}

wnn_status wnn_graph_load(wnn_context *context, const char *path, wnn_graph **graph, wnn_error *error) {
  wnn_record *record = wnn_record_create(&context->allocator);
  if (!record) return wnn_error_oom(error);
  record->replay = true;
  wnn_status status = map_file(path, record, error);
  if (!status) return load_image(context, record, graph, error);
  wnn_record_free(record);
  return status;
}
