/* Shared parts of the infer functions: axes, default lists, shape comparison with messages. */
#ifndef WNN_GRAPH_INFER_HELPERS_H
#define WNN_GRAPH_INFER_HELPERS_H

#include <inttypes.h>
#include <webnn/webnn_ops.h>

#include "base/dtype.h"
#include "base/shape.h"
#include "graph/infer/infer.gen.h"
#include "graph/op_table.h"

/* "[1, 2, 3]" of a shape. */
enum { WNN_SHAPE_TEXT = 104 };
const char *wnn_shape_format(const uint32_t *shape, uint32_t rank, char text[WNN_SHAPE_TEXT]);

/* Output descriptors: the shape of `shape`, the data type left as preset or set by the caller. */
static inline void wnn_infer_set_shape(wnn_desc *output, const wnn_desc *shape) {
  output->rank = shape->rank;
  for (uint32_t i = 0; i < shape->rank; i++) output->shape[i] = shape->shape[i];
}

/* Fails unless axis is below the rank of operand number `operand`. */
wnn_status wnn_infer_check_axis(const wnn_call *call, uint32_t axis, uint32_t operand);
/* Fails unless every axis is below the rank of operand number `operand` and none comes twice. An absent
 * list passes. */
wnn_status wnn_infer_check_axes(const wnn_call *call, wnn_u32_list axes, uint32_t operand);
/* Makes *list the numbers first, first + 1, ... last - 1 (in the arena) when it is absent; the resulting
 * list is present even when empty. */
wnn_status wnn_infer_default_range(const wnn_call *call, wnn_u32_list *list, uint32_t first, uint32_t last);
/* Makes *list `count` times `value` when it is absent. */
wnn_status wnn_infer_default_fill(const wnn_call *call, wnn_u32_list *list, uint32_t count, uint32_t value);
/* Fails unless operand number `operand`, if present, has exactly this shape. what names the shape's origin,
 * such as "the channels of the input". */
wnn_status wnn_infer_expect_shape(const wnn_call *call, uint32_t operand, const uint32_t *shape, uint32_t rank,
                                  const char *what);
/* Name of operand number `operand` in messages. */
const char *wnn_infer_operand_name(const wnn_call *call, uint32_t operand);

#endif
