/* Arithmetic of sizes and counts; results must fit. */
#ifndef WNN_BASE_SIZES_H
#define WNN_BASE_SIZES_H

#include <stddef.h>

#include "base/alloc.h"

static inline size_t wnn_min_size(size_t a, size_t b) { return a < b ? a : b; }
static inline size_t wnn_ceil_div(size_t a, size_t b) { return (a + b - 1) / b; }
static inline size_t wnn_round_up(size_t a, size_t unit) { return wnn_ceil_div(a, unit) * unit; }
/* Whole cache lines, as allocations are aligned. */
static inline size_t wnn_align_up(size_t size) { return (size + WNN_ALIGN - 1) & ~(size_t)(WNN_ALIGN - 1); }

#endif
