/* The CPU backend: rows of operations, lowering of nodes to steps, programs. */
#ifndef WNN_BACKEND_CPU_CPU_H
#define WNN_BACKEND_CPU_CPU_H

#include "backend/backend.h"
#include "base/dtype.h"
#include "base/shape.h"
#include "kernels/kernel.h"

struct wnn_ukernels;
typedef struct wnn_lowering wnn_lowering;

/* How a reference kernel's range counts. */
typedef enum wnn_ref_range {
  WNN_RANGE_ELEMENTS, /* elements of output 0 */
  WNN_RANGE_WHOLE     /* 1: the kernel does everything in one call */
} wnn_ref_range;

/* Turns a node into steps of fast kernels. Returns false, with nothing emitted, when it has no fast way
 * for this node (data type, shape, ...): the reference kernel is used then. Memory failures are noted in
 * the lowering; return true after one. */
typedef bool wnn_lower_fn(wnn_lowering *lowering, const wnn_node *node);

/* One row per operation of the table, in backend/cpu/ops.c. */
typedef struct wnn_cpu_op {
  wnn_kernel_fn *reference;
  wnn_ref_range range;
  wnn_lower_fn *lower; /* NULL: none */
  /* Bytes of scratch that the reference kernel needs, from descriptors and params alone (data of the views
   * may be NULL); NULL: none. */
  size_t (*scratch)(const wnn_task *task);
} wnn_cpu_op;
extern const wnn_cpu_op wnn_cpu_ops[WNN_OP_COUNT];
/* Lowerings of compiler operations, indexed by op - WNN_IR_FIRST - 1; they never return false. */
extern wnn_lower_fn *const wnn_cpu_ir_ops[WNN_IR_END - WNN_IR_FIRST - 1];

/* ---- What lowering functions may use ----------------------------------------------------------- */

const wnn_ir *wnn_lower_ir(const wnn_lowering *lowering);
const struct wnn_ukernels *wnn_lower_ukernels(const wnn_lowering *lowering);
unsigned wnn_lower_threads(const wnn_lowering *lowering);
/* Whether a wnn_pass is not switched off. */
bool wnn_lower_enabled(const wnn_lowering *lowering, wnn_pass pass);
const wnn_desc *wnn_lower_desc(const wnn_lowering *lowering, uint32_t value);
/* Bytes of a constant value, at any address: to be read through wnn_loose or memcpy. NULL for a value that is not
 * constant, and for WNN_NONE. */
const void *wnn_lower_constant(const wnn_lowering *lowering, uint32_t value);
bool wnn_lower_is_constant(const wnn_lowering *lowering, uint32_t value);
/* The same to fill weights from, which alone may depend on the bytes: a saved graph has zeros there. NULL also when memory
 * is short (noted). The first form is there until the lowering of this node ends, and takes no pages of a mapped file;
 * the second is aligned for the value's elements. */
const void *wnn_lower_source(wnn_lowering *lowering, uint32_t value);
const void *wnn_lower_aligned(wnn_lowering *lowering, uint32_t value);
/* Parameters of a step: zeroed memory that lives with the program. NULL when memory is short (noted). */
void *wnn_lower_alloc(wnn_lowering *lowering, size_t size);
/* Packed weights: 64-byte aligned memory that lives with the program, counted apart; all blocks lie close together in few
 * large pieces. *fill: it is uninitialised, and to be filled from constants. Otherwise a saved graph brought the content
 * along, and nothing may be written. */
void *wnn_lower_weights(wnn_lowering *lowering, size_t size, bool *fill);
/* Memory until the lowering of this node ends. NULL when memory is short (noted). */
void *wnn_lower_scratch(wnn_lowering *lowering, size_t size);
/* Runs a kernel now, on all threads, from constant bytes to weights: packing. The kernel has one input and one output
 * without descriptors, and no scratch. */
void wnn_lower_run(wnn_lowering *lowering, wnn_kernel_fn *fn, const void *params, const void *from, void *to,
                   size_t range, size_t grain);
/* A buffer between steps of this node: 64-byte aligned; returns a value id for steps, WNN_NONE when short. */
uint32_t wnn_lower_temp(wnn_lowering *lowering, size_t bytes);
/* Makes `value` the memory of `source` from byte offset on, without a copy (reshape, slices of the outer
 * dimension). The program copies where the graph's interface demands it. */
void wnn_lower_alias(wnn_lowering *lowering, uint32_t value, uint32_t source, size_t offset);
/* True for a result that has memory of its own, so that it may still become an alias. */
bool wnn_lower_is_own(const wnn_lowering *lowering, uint32_t value);
/* For a step that writes all of a float32 result in rows of `row` elements: elements from one row to the next. They are
 * more than `row` where only a concat reads the result: then the rows go to their places in what the concat makes, and
 * the result may be read by nothing else. Nothing but memory failures may keep the step from being emitted. */
size_t wnn_lower_place_rows(wnn_lowering *lowering, uint32_t value, size_t row);
/* True for a part of a concat that has been written to its place in `whole`. */
bool wnn_lower_is_placed(const wnn_lowering *lowering, uint32_t value, uint32_t whole);

enum { WNN_STEP_MAX_VIEWS = 16 };

typedef struct wnn_step_desc {
  const char *kernel; /* name for listings, static, such as "f32_gemm" */
  wnn_kernel_fn *fn;
  const uint32_t *inputs, *outputs; /* value or temp ids; WNN_NONE gives a view with data NULL */
  uint32_t input_count, output_count;
  uint32_t op;
  const void *params; /* from wnn_lower_alloc, or the node's args */
  size_t range;       /* units of work */
  size_t grain;       /* least units a thread should get; 0 means the whole range on one thread */
  size_t scratch;     /* bytes a thread */
  bool in_place;      /* output 0 may be the memory of any input of the same byte size that dies here */
  double flops, bytes;
} wnn_step_desc;
void wnn_lower_step(wnn_lowering *lowering, const wnn_node *node, const wnn_step_desc *step);

/* Nanoseconds of work that justify waking another thread; grain = units that take at least this. */
size_t wnn_lower_grain(double flops_per_unit, double bytes_per_unit);

#endif
