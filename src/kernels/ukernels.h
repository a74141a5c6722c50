/* Microkernels: one table of function pointers, filled for the processor at hand.
 *
 * To add a slot: one line X(name, (parameters)) in the list of its family (ukernels_<family>.h, which may
 * also define parameter structs), and in one src/kernels/simd/<family>_tmpl.c
 *
 *     void WNN_K(name)(parameters) { ... }
 *
 * That file is compiled once per instruction set, so every slot exists for every set: wnn_name__baseline,
 * wnn_name__avx2, ... Templates include "kernels/simd/simd.h" (vectors of WNN_VL floats) and this header,
 * which declares the functions of the instruction set being compiled. Everything else in a template is
 * static. Add a case to tests/kcheck that compares the slot with plain code.
 *
 * A new family adds its list header and its name to WNN_UKERNEL_LIST. */
#ifndef WNN_KERNELS_UKERNELS_H
#define WNN_KERNELS_UKERNELS_H

#include "kernels/kernel.h"
#include "kernels/ukernels_matrix.h"
#include "kernels/ukernels_quant.h"
#include "kernels/ukernels_recurrent.h"
#include "kernels/ukernels_vector.h"

#define WNN_UKERNEL_LIST(X) WNN_UKERNEL_MATRIX(X) WNN_UKERNEL_QUANT(X) WNN_UKERNEL_VECTOR(X) WNN_UKERNEL_RECURRENT(X)

typedef struct wnn_ukernels {
#define X(slot, parameters) void(*slot) parameters;
  WNN_UKERNEL_LIST(X)
#undef X
  /* A tile over four uint8 of A and int8 of B, NULL where there is no instruction for it: then q_pairs_tile serves. */
  void (*q_bytes_tile)(const wnn_q_tile *tile);
  bool q_narrow; /* q_bytes_tile adds neighbouring products as int16: for the weights of wnn_q_fits_bytes only */
  /* The same of at most WNN_Q_MAX_ROWS rows and two vectors of columns in a matrix unit, NULL where there is none. The
   * thread has called q_matrix_begin before and calls q_matrix_end after its last tile. */
  void (*q_matrix_tile)(const wnn_q_tile *tile);
  void (*q_matrix_begin)(void), (*q_matrix_end)(void);
  uint32_t q_mr, q_few; /* most rows of the other integer tiles: with two vectors of columns, with four */
  uint64_t features;    /* wnn_cpu_feature bits in use */
  uint32_t vl;          /* floats in a vector: columns of a packed panel */
  uint32_t gemm_mr;     /* most rows of a tile */
  /* Vectors of columns that a tile of m rows takes at most. */
  uint8_t gemm_nv[WNN_GEMM_MAX_ROWS + 1];
  const char *isa; /* "baseline", "avx2", "avx512" */
} wnn_ukernels;

/* Fills the table for a set of features (already cut with wnn_cpu_detect()): the baseline first, then each
 * instruction set in ascending order. */
void wnn_ukernels_init(wnn_ukernels *table, uint64_t features);

#ifdef WNN_ISA
#define WNN_K_JOIN2(name, isa) wnn_##name##__##isa
#define WNN_K_JOIN(name, isa) WNN_K_JOIN2(name, isa)
#define WNN_K(name) WNN_K_JOIN(name, WNN_ISA)
#define X(slot, parameters) void WNN_K(slot) parameters;
WNN_UKERNEL_LIST(X)
#undef X
#endif

#endif
