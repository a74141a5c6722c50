/* Memory of one context in huge pages, shared by its blocks. A page that a process touches for the first time costs as
 * much as filling it several times over, on some virtual machines a hundred times, whatever its size. */
#ifndef WNN_BASE_HEAP_H
#define WNN_BASE_HEAP_H

#include "base/alloc.h"

typedef struct wnn_heap wnn_heap;

/* NULL when memory is short. */
wnn_heap *wnn_heap_create(void);
/* After its last block was freed; accepts NULL. */
void wnn_heap_destroy(wnn_heap *heap);
/* May be used by several threads. */
wnn_allocator wnn_heap_allocator(wnn_heap *heap);
/* Whether new blocks of this size are zeros from the allocator, if it is of a heap. */
bool wnn_heap_gives_zeros(const wnn_allocator *allocator, size_t size);

#endif
