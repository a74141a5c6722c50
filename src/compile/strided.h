/* Values seen in place: where the elements of a value lie in the memory of another one, from which reshapes,
 * transposes, slices and broadcasts make it. */
#ifndef WNN_COMPILE_STRIDED_H
#define WNN_COMPILE_STRIDED_H

#include "graph/ir.h"

enum { WNN_STRIDED_FACTORS = 24 };

/* `size` elements, `step` apart. */
typedef struct wnn_factor {
  size_t size, step;
} wnn_factor;

/* A dimension is a mixed-radix number whose digits are factors, outermost first; none: it has size 1. */
typedef struct wnn_strided {
  uint32_t source; /* the value in whose memory it lies */
  size_t offset;
  double scale; /* what the elements are multiplied by */
  uint32_t rank;
  uint32_t first[WNN_MAX_RANK + 1]; /* dimension d has the factors first[d] .. first[d + 1] - 1 */
  wnn_factor factors[WNN_STRIDED_FACTORS];
} wnn_strided;

/* The value itself. */
void wnn_strided_dense(const wnn_ir *ir, uint32_t value, wnn_strided *s);
/* As far back as movement goes; with `scaled` also through products with and quotients by a number. */
void wnn_strided_of(const wnn_ir *ir, uint32_t value, bool scaled, wnn_strided *s);

/* Each is false, with *s undefined, when it cannot be expressed. */
/* What `node`, which moves s, makes as its output number `slot`. */
bool wnn_strided_apply(const wnn_ir *ir, const wnn_node *node, uint32_t slot, wnn_strided *s);
bool wnn_strided_reshape(wnn_strided *s, uint32_t rank, const size_t *shape);
bool wnn_strided_broadcast(wnn_strided *s, uint32_t rank, const uint32_t *shape);
/* Where the elements of the source lie in s, which holds each exactly once: the other way round, as one dimension. */
bool wnn_strided_invert(const wnn_strided *s, uint32_t value, wnn_strided *inverse);
/* The step of a dimension that is one factor; of a dimension of size 1, 1. */
bool wnn_strided_step(const wnn_strided *s, uint32_t dimension, size_t *step);

#endif
