/* Elementwise programs over tensors: blocks, broadcasting, registers. */
#ifndef WNN_KERNELS_PROGRAM_H
#define WNN_KERNELS_PROGRAM_H

#include "kernels/ukernels.h"

enum { WNN_PROGRAM_INPUTS = 12, WNN_PROGRAM_STEPS = 100 };

/* An input as the block loop sees it. It is converted to lanes by `load` (WNN_VOP_END: it is in lanes already). */
typedef struct wnn_program_input {
  size_t strides[WNN_MAX_RANK]; /* elements, over the merged dimensions */
  uint32_t size;                /* bytes an element */
  uint16_t load;
  bool dense;           /* laid out like the output */
  wnn_spread spread;    /* over the two innermost dimensions, for tiles */
  size_t expand, lanes; /* offsets in scratch: the broadcast block, the loaded block */
  size_t repeat;        /* offset of 64 bytes for a repeated element */
} wnn_program_input;

/* Parameters of wnn_program_kernel. Register i is input i; the others are `slots`, the last one the output. */
typedef struct wnn_elementwise {
  const wnn_ukernels *u;
  uint32_t rank, input_count, register_count, step_count, output_size;
  size_t dims[WNN_MAX_RANK]; /* of the output, neighbours merged where every input allows */
  wnn_program_input inputs[WNN_PROGRAM_INPUTS];
  size_t slots[WNN_VREGS]; /* offsets in scratch of registers that are not inputs */
  size_t block;            /* elements */
  size_t rows;             /* of a tile of whole rows of the innermost dimension; 0: no tiles */
  size_t blocks; /* in a row of the innermost dimension; or tiles in the last but one; 0: blocks run over rows */
  size_t total;  /* elements of the output */
  const wnn_vstep *steps;
} wnn_elementwise;

/* Units: blocks, or tiles. */
void wnn_program_kernel(const wnn_task *task, size_t begin, size_t end, void *scratch);

#endif
