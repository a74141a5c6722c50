/* Fast lowerings, one per family, named in the rows of ops.c. */
#ifndef WNN_BACKEND_CPU_LOWER_H
#define WNN_BACKEND_CPU_LOWER_H

#include "backend/cpu/cpu.h"

/* lower_alias.c */
wnn_lower_fn wnn_lower_same_memory, wnn_lower_slice_alias, wnn_lower_split_alias;

/* lower_matrix.c */
wnn_lower_fn wnn_lower_gemm, wnn_lower_matmul;

#endif
