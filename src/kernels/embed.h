/* Embeddings: rows of tables, chosen by indices, are added and normalised. */
#ifndef WNN_KERNELS_EMBED_H
#define WNN_KERNELS_EMBED_H

#include "kernels/ukernels.h"

enum { WNN_EMBED_SOURCES = 4 };

/* One row: the sum of the sources, in their order, then layer normalization. Sources, sum and result are float32, or
 * (half) float16, and then each sum is rounded; scale and bias are float32 and may be NULL. */
typedef struct wnn_embed_row {
  const wnn_ukernels *u;
  bool half;
  uint32_t source_count; /* 2 at least */
  const void *sources[WNN_EMBED_SOURCES];
  const void *next; /* a row that is read soon, or NULL */
  size_t n;
  double epsilon;
  const float *scale, *bias;
  void *to, *sum; /* sum may be NULL */
  float *scratch; /* n floats; of half alone */
} wnn_embed_row;
void wnn_embed_row_run(const wnn_embed_row *row);

/* Inputs: for each source a table of `extents` rows and its indices, `counts` of them, which repeat (data NULL: row
 * after row of the table, counts of them, which repeat); then scale and bias as float32. Range: rows of the output. */
typedef struct wnn_embed_params {
  const wnn_ukernels *u;
  bool half;
  uint32_t source_count;
  size_t n, extents[WNN_EMBED_SOURCES], counts[WNN_EMBED_SOURCES];
  double epsilon;
  const float *affine[2]; /* scale and bias, when they are no inputs */
} wnn_embed_params;
/* Scratch: n floats. */
wnn_kernel_fn wnn_embed_norm;

#endif
