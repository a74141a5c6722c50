/* Products of 8-bit integers: matmul, convolution and depthwise convolution over images in groups of 4 bytes. */
#ifndef WNN_KERNELS_QGEMM_H
#define WNN_KERNELS_QGEMM_H

#include "kernels/filter.h"
#include "kernels/igemm.h"

/* ---- Images as tiles read them ---- */

/* Images as groups of `group` channels: four uint8 (int8 moved up by 128), the rest of the last group filled with the
 * zero point; or two int16 with the zero point taken away, the rest 0. Channels of each of `parts` convolution groups
 * are rounded up on their own. */
typedef struct wnn_q_groups {
  const wnn_ukernels *u;
  uint32_t group, parts;
  bool is_signed;
  int32_t zero;
  size_t pixels, channels; /* of an image; channels of a part */
  size_t pixel_stride, channel_stride;
} wnn_q_groups;
/* Input: images of 8-bit integers; output: [pixel][part][group of channels]. Range: pixels of all images. */
wnn_kernel_fn wnn_q_group_images;

static inline size_t wnn_q_groups_of(const wnn_q_groups *g) { return (g->channels + g->group - 1) / g->group; }
/* What stands for zero in every byte of a padding pixel. */
static inline uint8_t wnn_q_padding(const wnn_q_groups *g) {
  return g->group == 4 ? (uint8_t)(g->zero + (g->is_signed ? 128 : 0)) : 0;
}

/* ---- Weights ---- */

/* Constant 8-bit weights; zeros has one zero point or one an output channel (of all groups). */
typedef struct wnn_q_weights {
  const void *data;
  bool is_signed, zeros_are_signed;
  const void *zeros;
  size_t zero_count;
} wnn_q_weights;
/* Whether q_bytes_tile is exact with these weights: all fit int8 once their zero point is taken away and, where sums
 * are narrow, no two neighbours make more than an int16 of the largest bytes of images. */
bool wnn_q_fits_bytes(const wnn_ukernels *u, const wnn_filter *filter, const wnn_q_weights *weights);
/* Panels [part][panel][tap][group of channels][vl], and for each output what its sum starts from: bias (or NULL) less
 * what the zero point of the images adds. unit (or NULL) gets what an image's zero point of 1 would add. */
void wnn_q_pack(const wnn_ukernels *u, const wnn_filter *filter, const wnn_q_weights *weights,
                const wnn_q_groups *groups, const int32_t *bias, void *panels, int32_t *shift, int32_t *unit);
/* [pair of taps][channel][2] for depthwise convolution, (taps + 1) / 2 pairs, and the shift for images with this zero
 * point. */
void wnn_q_pack_depthwise(const wnn_filter *filter, const wnn_q_weights *weights, int32_t zero, const int32_t *bias,
                          int16_t *to, int32_t *shift);

/* ---- The kernels ---- */

typedef struct wnn_qgemm {
  const wnn_ukernels *u;
  void (*tile)(const wnn_q_tile *tile);
  size_t m, n; /* rows, and columns of a part */
  size_t k;    /* groups of a tap and part */
  uint32_t taps, parts;
  size_t batches;
  size_t a_row, a_batch;               /* groups between rows of a matrix, between images */
  size_t c_row, c_batch;               /* elements between rows and images of C */
  const int32_t *b;                    /* panels */
  wnn_q_finish finish;                 /* all but residual, c and their strides; over all parts */
  uint32_t init_input, residual_input; /* positions among the inputs, 0: none */
  /* A zero point of the images known only at run time: input number zero_input, with what it adds for each output. */
  uint32_t zero_input;
  bool zero_is_signed;
  const int32_t *unit;
  bool window;
  wnn_igemm rows; /* of windows: what wnn_igemm_window_rows needs */

  /* Blocks: set by wnn_qgemm_plan. */
  size_t m_block, n_block, m_blocks, n_blocks, tile_rows;
} wnn_qgemm;

/* Chooses blocks, and the matrix unit in place of q_bytes_tile where it pays. Returns the number of units (the kernel's
 * range). */
size_t wnn_qgemm_plan(wnn_qgemm *g, unsigned threads);
size_t wnn_qgemm_scratch(const wnn_qgemm *g);
double wnn_qgemm_flops(const wnn_qgemm *g);
/* Input: groups; then what the *_input members name. Output: C. */
wnn_kernel_fn wnn_q_gemm;

/* Depthwise convolution and maximum over bytes, channels-last; the window's channels count in groups of 4 bytes. */
typedef struct wnn_q_sliding {
  const wnn_ukernels *u;
  wnn_igemm rows;  /* as above, tile_rows 1 */
  size_t channels; /* of the output */
  bool is_signed;
  const int16_t *weights; /* NULL: maximum */
  wnn_q_finish finish;
  uint32_t element; /* bytes of a result */
} wnn_q_sliding;
size_t wnn_q_sliding_scratch(const wnn_q_sliding *s);
/* Range: rows of all output images. */
wnn_kernel_fn wnn_q_slide;

#endif
