/* Matrix products over packed panels: gemm, matmul, convolution and transposed convolution are one kernel that
 * differs only in where the rows of A come from. */
#ifndef WNN_KERNELS_IGEMM_H
#define WNN_KERNELS_IGEMM_H

#include "kernels/ukernels.h"

/* Window of a convolution over channels-last images. */
typedef struct wnn_window {
  uint32_t in_h, in_w, channels; /* all channels of a pixel */
  uint32_t out_h, out_w;
  uint32_t kernel_h, kernel_w, stride_h, stride_w, dilation_h, dilation_w;
  int32_t top, left; /* padding before */
} wnn_window;

/* What happens to a result after the sum: init and residual inside the tile kernel, then the limit. */
typedef struct wnn_igemm {
  const wnn_ukernels *u;
  size_t m, n; /* rows, and columns of a group */
  size_t k;    /* floats of a tap */
  uint32_t taps, groups;
  size_t batches;
  const size_t *a_offsets, *b_offsets; /* in floats, one a batch; NULL: 0 */
  size_t a_row, c_row;                 /* floats between rows */
  size_t c_batch;                      /* floats between the results of batches */
  const float *b;                      /* panels; NULL: they are input 1 */
  const float *init;                   /* groups * n floats; NULL: init_input, or zero */
  uint32_t init_input;                 /* position among the inputs, 0: none */
  uint32_t residual_input;             /* the same; a tensor like c */
  bool limit;
  float lo, hi;
  /* Convolution: rows are output pixels, batches are images. Either each tap is a pixel, or (merged) each tap
   * is a row of the window and k = kernel_w * channels of neighbouring pixels. */
  bool window, merged;
  wnn_window image;
  size_t image_size;  /* floats of an input image */
  size_t c_offset;    /* floats before the first output pixel */
  size_t c_line;      /* floats between rows of output pixels when they are not dense, else 0 */
  const float *zeros; /* as many as any row of A has */

  /* Blocks: set by wnn_igemm_plan. */
  size_t m_block, n_block; /* n_block is a multiple of vl, or n */
  size_t m_blocks, n_blocks, k_block;
  uint32_t tap_block;
  size_t tile_rows; /* rows of a tile in a full block */
  bool m_first;     /* units that follow each other share columns, not rows */
} wnn_igemm;

/* Chooses blocks. Returns the number of units (the kernel's range). */
size_t wnn_igemm_plan(wnn_igemm *igemm, unsigned threads);
size_t wnn_igemm_scratch(const wnn_igemm *igemm);
double wnn_igemm_flops(const wnn_igemm *igemm);
/* Pointers to the pixels that `count` output pixels from `first` on see: tile by tile, taps x tile_rows each. Uses
 * taps, k, merged, image, zeros and tile_rows alone; a pixel has image.channels floats, or other things of 4 bytes.
 * copy: room for border pixels of merged taps. */
void wnn_igemm_window_rows(const wnn_igemm *igemm, const float *image, size_t first, size_t count, const float **rows,
                           float *copy);
/* A unit of work: some rows and columns of one batch and group. */
typedef struct wnn_igemm_unit {
  const float *const *rows; /* tile by tile: taps, then tile_rows pointers */
  const float *b, *init, *residual;
  const float *after; /* panels that are read next, or NULL */
  float *c;
  size_t m, n, a_offset, residual_row;
} wnn_igemm_unit;
/* Computes a unit of a planned product, m_block rows at most, any number of columns. */
void wnn_igemm_run(const wnn_igemm *igemm, const wnn_igemm_unit *unit);
/* Inputs: A, then B when it is not in the params, then what init_input and residual_input name. Output: C. */
wnn_kernel_fn wnn_f32_igemm;

/* Floats of a packed matrix of n columns. */
size_t wnn_pack_size(const wnn_ukernels *u, size_t k, size_t n);
/* Packs row-major k x n (or, transposed, n x k) floats into panels; stride between source rows. */
void wnn_pack_b(const wnn_ukernels *u, size_t k, size_t n, const wnn_loose *source, size_t stride, bool transposed,
                float scale, size_t taps, float *panels);

/* Packing as a step, for B that is not constant. Range: batches * panels. */
typedef struct wnn_pack_params {
  const wnn_ukernels *u;
  size_t k, n, stride, source_batch; /* floats between batches of the source */
  bool transposed;
  float scale;
} wnn_pack_params;
wnn_kernel_fn wnn_f32_pack;

#endif
