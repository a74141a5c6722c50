/* What every kernel sees: views of memory, parameters, a share of the work. */
#ifndef WNN_KERNELS_KERNEL_H
#define WNN_KERNELS_KERNEL_H

#include <webnn/webnn.h>

/* Dense row-major tensor memory. data is NULL for an absent optional operand. */
typedef struct wnn_view {
  void *data;
  wnn_desc desc;
} wnn_view;

/* One kernel call, prepared at build. Inputs never overlap outputs unless the step was declared in-place
 * (then output 0 may be the very memory of an input of equal size). */
typedef struct wnn_task {
  uint32_t op; /* wnn_op, for kernels that serve a family */
  uint32_t input_count, output_count;
  const wnn_view *inputs, *outputs;
  const void *params; /* reference kernels: the operation's completed argument struct */
} wnn_task;

/* Computes the share [begin, end) of the step's range. Shares run on several threads at once, write
 * disjoint memory and read nothing that another share writes. scratch: the step's scratch bytes of this
 * thread, 64-byte aligned, content undefined. Kernels never allocate, never fail, never read or write
 * outside their views. */
typedef void wnn_kernel_fn(const wnn_task *task, size_t begin, size_t end, void *scratch);

#endif
