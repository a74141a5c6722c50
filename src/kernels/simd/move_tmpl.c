/* Transposition of matrices with elements of 1, 2 and 8 bytes, in tiles of one cache line. */
#include <string.h>

#include "kernels/simd/simd.h"
#include "kernels/ukernels.h"

#define TRANSPOSE(bytes, type)                                                                                         \
  static void tile_##bytes(size_t rows, size_t columns, const char *from, size_t from_stride, char *to,                \
                           size_t to_stride) {                                                                         \
    for (size_t c = 0; c < columns; c++)                                                                               \
      for (size_t r = 0; r < rows; r++)                                                                                \
        memcpy(to + (c * to_stride + r) * bytes, from + (r * from_stride + c) * bytes, bytes);                         \
  }                                                                                                                    \
  void WNN_K(transpose_##bytes)(size_t rows, size_t columns, const void *from, size_t from_stride, void *to,           \
                                size_t to_stride) {                                                                    \
    enum { SIDE = 8 };                                                                                                 \
    for (size_t r = 0; r < rows; r += SIDE)                                                                            \
      for (size_t c = 0; c < columns; c += SIDE) {                                                                     \
        const char *source = (const char *)from + (r * from_stride + c) * bytes;                                       \
        char *target = (char *)to + (c * to_stride + r) * bytes;                                                       \
        size_t height = rows - r < SIDE ? rows - r : SIDE, width = columns - c < SIDE ? columns - c : SIDE;            \
        if (height == SIDE && width == SIDE)                                                                           \
          tile_##bytes(SIDE, SIDE, source, from_stride, target, to_stride);                                            \
        else                                                                                                           \
          tile_##bytes(height, width, source, from_stride, target, to_stride);                                         \
      }                                                                                                                \
  }
TRANSPOSE(1, uint8_t)
TRANSPOSE(2, uint16_t)
TRANSPOSE(8, uint64_t)
