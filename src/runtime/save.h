/* The format of saved graphs: header, table of blocks, description, data. All of it lies as in memory: a file is of use
 * to the build of the library that wrote it alone, on machines of the same kind. */
#ifndef WNN_RUNTIME_SAVE_H
#define WNN_RUNTIME_SAVE_H

#include "runtime/runtime.h"

#define WNN_SAVED_SEED UINT64_C(0x5745424E4E)

typedef struct wnn_saved_header {
  char magic[8];       /* "WEBNNSAV" */
  uint32_t byte_order; /* 0x01020304 */
  uint32_t format;
  char build[64]; /* version of the library and hash of its sources */
  uint64_t features, disabled_passes;
  uint32_t reference, word; /* bytes of a pointer */
  uint64_t file_size, data_offset;
  uint64_t block_count, text_size;
  uint64_t meta_hash; /* of the table, then the description */
  uint64_t data_hash; /* of the stored blocks, each with the hash so far as its seed */
  uint64_t header_hash;
  uint64_t reserved[4]; /* 0; the size is a multiple of 64 */
} wnn_saved_header;
_Static_assert(sizeof(wnn_saved_header) == 192, "the header keeps what follows aligned");

typedef struct wnn_saved_block {
  uint64_t size, offset; /* into the data, or into the room of hollow blocks: a multiple of 64 */
  uint64_t stored;       /* 1; 0: hollow */
} wnn_saved_block;

/* What a file of this context begins with; sizes and hashes are to be filled in. */
wnn_saved_header wnn_saved_header_of(const wnn_context *context);
uint64_t wnn_saved_header_hash(const wnn_saved_header *header);

#endif
