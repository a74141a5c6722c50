/* One row of EmbedLayerNormalization: sum of table rows, statistics, normalisation. Compiled once an instruction set.
 */
#ifndef WNN_PACKS_EMBED_ROW_H
#define WNN_PACKS_EMBED_ROW_H

#include <stddef.h>

typedef struct pk_embed_row {
  const void *word, *position, *segment; /* segment may be NULL */
  const void *gamma, *beta;
  void *output, *sum;    /* sum may be NULL */
  float *scratch;        /* a row */
  const void *next_word; /* fetched ahead; may be NULL */
  size_t size;
  float epsilon;
} pk_embed_row;

typedef void pk_embed_row_fn(const pk_embed_row *row);

/* float32 adds (word + position) + segment; float16 adds (word + segment) + position and rounds each sum.
 * Statistics are of the rounded sum, in float32. */
#define PK_EMBED_ROWS(isa)                                                                                             \
  pk_embed_row_fn pk_embed_row_f32_##isa;                                                                              \
  pk_embed_row_fn pk_embed_row_f16_##isa
PK_EMBED_ROWS(baseline);
#if defined(__x86_64__)
PK_EMBED_ROWS(avx2);
PK_EMBED_ROWS(avx512);
#endif

#endif
