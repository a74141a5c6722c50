/* Arithmetic of sizes and counts; results must fit. */
#ifndef WNN_BASE_SIZES_H
#define WNN_BASE_SIZES_H

#include <stddef.h>

#include "base/alloc.h"

static inline size_t wnn_min_size(size_t a, size_t b) { return a < b ? a : b; }
static inline size_t wnn_ceil_div(size_t a, size_t b) { return (a + b - 1) / b; }
static inline size_t wnn_round_up(size_t a, size_t unit) { return wnn_ceil_div(a, unit) * unit; }
/* The next part of what is left when it is cut evenly into the fewest parts of at most `most`. */
static inline size_t wnn_even_part(size_t left, size_t most) {
  return left ? wnn_ceil_div(left, wnn_ceil_div(left, most)) : 0;
}
/* Whole cache lines, as allocations are aligned. */
static inline size_t wnn_align_up(size_t size) { return (size + WNN_ALIGN - 1) & ~(size_t)(WNN_ALIGN - 1); }

#endif
