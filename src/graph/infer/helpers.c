/* Shared parts of the infer functions. */
#include "graph/infer/helpers.h"

#include <stdio.h>

const char *wnn_shape_format(const uint32_t *shape, uint32_t rank, char text[WNN_SHAPE_TEXT]) {
  size_t used = 0;
  text[used++] = '[';
  for (uint32_t i = 0; i < rank && i < WNN_MAX_RANK; i++) {
    int written = snprintf(text + used, WNN_SHAPE_TEXT - used, i ? ", %" PRIu32 : "%" PRIu32, shape[i]);
    used += written > 0 ? (size_t)written : 0;
  }
  text[used++] = ']';
  text[used] = 0;
  return text;
}

const char *wnn_infer_operand_name(const wnn_call *call, uint32_t operand) {
  uint32_t last = call->row->operand_count - 1;
  return call->row->operands[operand < last ? operand : last].name;
}

wnn_status wnn_infer_check_axis(const wnn_call *call, uint32_t axis, uint32_t operand) {
  uint32_t rank = call->operands[operand]->rank;
  if (axis < rank) return WNN_OK;
  return wnn_fail(call, "The axis is %" PRIu32 ", but must be below the rank of %s, which is %" PRIu32 ".", axis,
                  wnn_infer_operand_name(call, operand), rank);
}

wnn_status wnn_infer_check_axes(const wnn_call *call, wnn_u32_list axes, uint32_t operand) {
  if (!axes.data) return WNN_OK;
  uint32_t rank = call->operands[operand]->rank, seen = 0;
  for (uint32_t i = 0; i < axes.count; i++) {
    uint32_t axis = axes.data[i];
    if (axis >= rank)
      return wnn_fail(
          call, "Item %" PRIu32 " of axes is %" PRIu32 ", but must be below the rank of %s, which is %" PRIu32 ".", i,
          axis, wnn_infer_operand_name(call, operand), rank);
    if (seen & 1u << axis)
      return wnn_fail(call, "The axes contain %" PRIu32 " more than once, but must differ from each other.", axis);
    seen |= 1u << axis;
  }
  return WNN_OK;
}

/* A present list of count items to fill in; memory for at least one item, so that data is never NULL. */
static uint32_t *default_list(const wnn_call *call, wnn_u32_list *list, uint32_t count) {
  uint32_t *items = wnn_arena_array(call->arena, count ? count : 1, sizeof *items);
  list->data = items;
  list->count = count;
  return items;
}

wnn_status wnn_infer_default_range(const wnn_call *call, wnn_u32_list *list, uint32_t first, uint32_t last) {
  if (list->data) return WNN_OK;
  uint32_t *items = default_list(call, list, last > first ? last - first : 0);
  if (!items) return wnn_fail_memory(call);
  for (uint32_t i = 0; i < list->count; i++) items[i] = first + i;
  return WNN_OK;
}

wnn_status wnn_infer_default_fill(const wnn_call *call, wnn_u32_list *list, uint32_t count, uint32_t value) {
  if (list->data) return WNN_OK;
  uint32_t *items = default_list(call, list, count);
  if (!items) return wnn_fail_memory(call);
  for (uint32_t i = 0; i < count; i++) items[i] = value;
  return WNN_OK;
}

wnn_status wnn_infer_expect_shape(const wnn_call *call, uint32_t operand, const uint32_t *shape, uint32_t rank,
                                  const char *what) {
  const wnn_desc *desc = operand < call->operand_count ? call->operands[operand] : NULL;
  if (!desc) return WNN_OK;
  bool same = desc->rank == rank;
  for (uint32_t i = 0; same && i < rank; i++) same = desc->shape[i] == shape[i];
  if (same) return WNN_OK;
  char actual[WNN_SHAPE_TEXT], expected[WNN_SHAPE_TEXT];
  return wnn_fail(call, "The shape of %s is %s, but must be %s, %s.", wnn_infer_operand_name(call, operand),
                  wnn_shape_format(desc->shape, desc->rank, actual), wnn_shape_format(shape, rank, expected), what);
}
