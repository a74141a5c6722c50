/* Fills the microkernel table for a set of processor features. */
#include "kernels/ukernels.h"

#include <string.h>

#define DECLARE(isa, slot, parameters) void wnn_##slot##__##isa parameters;
#define X(slot, parameters) DECLARE(baseline, slot, parameters)
WNN_UKERNEL_LIST(X)
#undef X
#if defined(__x86_64__)
#define X(slot, parameters) DECLARE(avx2, slot, parameters) DECLARE(avx512, slot, parameters)
WNN_UKERNEL_LIST(X)
#undef X
#endif

#if defined(__x86_64__)
void wnn_q_bytes_tile__avx2(const wnn_q_tile *tile);
void wnn_q_bytes_tile__avxvnni(const wnn_q_tile *tile);
void wnn_q_bytes_tile__vnni(const wnn_q_tile *tile);
void wnn_q_matrix_tile__amx(const wnn_q_tile *tile);
void wnn_q_matrix_begin__amx(void);
void wnn_q_matrix_end__amx(void);
#endif

void wnn_ukernels_init(wnn_ukernels *table, uint64_t features) {
#define X(slot, parameters) .slot = wnn_##slot##__baseline,
  *table =
      (wnn_ukernels){WNN_UKERNEL_LIST(X).vl = 4, .gemm_mr = 6, .gemm_nv = {0, 4, 4, 3, 3, 2, 2}, .isa = "baseline"};
#undef X
#if defined(__x86_64__)
  if (features & WNN_CPU_AVX2) {
#define X(slot, parameters) table->slot = wnn_##slot##__avx2;
    WNN_UKERNEL_LIST(X)
#undef X
    table->vl = 8, table->gemm_mr = 6, table->isa = "avx2";
    table->features |= WNN_CPU_AVX2;
  }
  if (features & WNN_CPU_AVX2 && features & WNN_CPU_AVX512) {
#define X(slot, parameters) table->slot = wnn_##slot##__avx512;
    WNN_UKERNEL_LIST(X)
#undef X
    table->vl = 16, table->gemm_mr = 12, table->isa = "avx512";
    static const uint8_t widths[] = {0, 4, 4, 4, 4, 2, 2, 2, 2, 2, 2, 2, 2};
    memcpy(table->gemm_nv, widths, sizeof widths);
    table->features |= WNN_CPU_AVX512;
  }
#elif defined(__aarch64__)
  if (features & WNN_CPU_NEON) table->isa = "neon", table->features |= WNN_CPU_NEON; /* its baseline */
#else
  (void)features;
#endif
  table->q_mr = table->vl == 16 ? 12 : 6;
  table->q_few = table->vl == 16 ? 4 : 2;
#if defined(__x86_64__)
  uint64_t integer_features = 0;
  if (table->features & WNN_CPU_AVX512) {
    if (features & WNN_CPU_VNNI) {
      integer_features |= WNN_CPU_VNNI;
      table->q_bytes_tile = wnn_q_bytes_tile__vnni;
      if (features & WNN_CPU_AMX) {
        integer_features |= WNN_CPU_AMX;
        table->q_matrix_tile = wnn_q_matrix_tile__amx;
        table->q_matrix_begin = wnn_q_matrix_begin__amx;
        table->q_matrix_end = wnn_q_matrix_end__amx;
      }
    }
  } else if (table->features & WNN_CPU_AVX2 && features & WNN_CPU_AVXVNNI) {
    integer_features |= WNN_CPU_AVXVNNI;
    table->q_bytes_tile = wnn_q_bytes_tile__avxvnni;
  } else if (table->features & WNN_CPU_AVX2) {
    table->q_bytes_tile = wnn_q_bytes_tile__avx2;
    table->q_narrow = true;
  }
  table->features |= integer_features;
#endif
}
