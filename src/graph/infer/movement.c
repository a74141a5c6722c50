/* Shape rules of the operations that only move elements. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/shape.h"
#include "graph/infer/infer.gen.h"

enum { LIST_TEXT = 128 };

/* Writes "[1, 2]" for messages; long lists are cut. */
static const char *list_text(const uint32_t *data, uint32_t count, char text[LIST_TEXT]) {
  int n = snprintf(text, LIST_TEXT, "[");
  for (uint32_t i = 0; i < count && n < LIST_TEXT - 24; i++)
    n += snprintf(text + n, (size_t)(LIST_TEXT - n), i ? ", %" PRIu32 : "%" PRIu32, data[i]);
  snprintf(text + n, (size_t)(LIST_TEXT - n), n < LIST_TEXT - 24 ? "]" : ", ...]");
  return text;
}

static wnn_status fail_length(const wnn_call *call, const char *name, uint32_t count, uint32_t rank) {
  return wnn_fail(call, "The length of %s is %" PRIu32 "; it must be the rank of input, %" PRIu32 ".", name, count,
                  rank);
}

static wnn_status fail_axis(const wnn_call *call, const char *name, uint32_t axis, uint32_t rank) {
  return wnn_fail(call, "%s is %" PRIu32 "; it must be below the rank of %s, %" PRIu32 ".", name, axis,
                  call->row->operands[0].name, rank);
}

static wnn_status fail_dimension(const wnn_call *call, uint32_t i, uint64_t size) {
  return wnn_fail(call, "Dimension %" PRIu32 " of the output would be %" PRIu64 "; it must be from 1 to %u.", i, size,
                  WNN_MAX_DIMENSION);
}

static void set_shape(wnn_desc *output, const wnn_desc *source) {
  output->rank = source->rank;
  memcpy(output->shape, source->shape, sizeof output->shape);
}

/* Sets the shape of output 0 from a list; the dimensions themselves are checked with the descriptor. */
static wnn_status set_new_shape(const wnn_call *call, wnn_u32_list shape) {
  if (shape.count > WNN_MAX_RANK)
    return wnn_fail(call, "The length of newShape is %" PRIu32 "; the highest rank of a tensor is %d.", shape.count,
                    WNN_MAX_RANK);
  wnn_desc *output = &call->outputs[0];
  output->rank = shape.count;
  memset(output->shape, 0, sizeof output->shape);
  for (uint32_t i = 0; i < shape.count; i++) {
    output->shape[i] = shape.data[i];
    if (shape.data[i] < 1 || shape.data[i] > WNN_MAX_DIMENSION)
      return wnn_fail(call, "newShape[%" PRIu32 "] is %" PRIu32 "; it must be from 1 to %u.", i, shape.data[i],
                      WNN_MAX_DIMENSION);
  }
  return WNN_OK;
}

/* Each axis below the rank and named once. */
static wnn_status check_axes(const wnn_call *call, const char *name, wnn_u32_list axes, uint32_t rank) {
  char text[LIST_TEXT];
  uint32_t seen = 0;
  for (uint32_t i = 0; i < axes.count; i++) {
    if (axes.data[i] >= rank)
      return wnn_fail(call, "%s is %s; each of its items must be below the rank of input, %" PRIu32 ".", name,
                      list_text(axes.data, axes.count, text), rank);
    if (seen & 1u << axes.data[i])
      return wnn_fail(call, "%s is %s; %" PRIu32 " is in it more than once.", name,
                      list_text(axes.data, axes.count, text), axes.data[i]);
    seen |= 1u << axes.data[i];
  }
  return WNN_OK;
}

/* Memory for a default list of rank items; never NULL for rank 0, so that the list counts as present. */
static uint32_t *default_list(const wnn_call *call, wnn_u32_list *list, uint32_t rank) {
  uint32_t *data = wnn_arena_array(call->arena, rank ? rank : 1, sizeof *data);
  *list = (wnn_u32_list){data, rank};
  return data;
}

wnn_status wnn_infer_concat(wnn_call *call) {
  const wnn_concat_args *args = call->args;
  uint32_t axis = args->axis;
  if (call->operand_count < 1 || call->operand_count > WNN_MAX_TENSOR_COUNT)
    return wnn_fail(call, "The number of inputs is %" PRIu32 "; it must be from 1 to %d.", call->operand_count,
                    WNN_MAX_TENSOR_COUNT);
  const wnn_desc *first = call->operands[0];
  if (axis >= first->rank) return fail_axis(call, "axis", axis, first->rank);
  uint64_t sum = first->shape[axis];
  for (uint32_t i = 1; i < call->operand_count; i++) {
    const wnn_desc *desc = call->operands[i];
    if (desc->data_type != first->data_type)
      return wnn_fail(call, "The data type of inputs[%" PRIu32 "] is %s; it must be that of inputs[0], %s.", i,
                      wnn_data_type_name(desc->data_type), wnn_data_type_name(first->data_type));
    if (desc->rank != first->rank)
      return wnn_fail(call,
                      "The rank of inputs[%" PRIu32 "] is %" PRIu32 "; it must be that of inputs[0], %" PRIu32 ".", i,
                      desc->rank, first->rank);
    for (uint32_t d = 0; d < first->rank; d++)
      if (d != axis && desc->shape[d] != first->shape[d])
        return wnn_fail(call,
                        "Dimension %" PRIu32 " of inputs[%" PRIu32 "] is %" PRIu32
                        "; it must be that of inputs[0], %" PRIu32 ", as only dimension %" PRIu32 " may differ.",
                        d, i, desc->shape[d], first->shape[d], axis);
    sum += desc->shape[axis];
    if (sum > WNN_MAX_DIMENSION) return fail_dimension(call, axis, sum);
  }
  call->outputs[0].data_type = first->data_type;
  set_shape(&call->outputs[0], first);
  call->outputs[0].shape[axis] = (uint32_t)sum;
  return WNN_OK;
}

wnn_status wnn_infer_expand(wnn_call *call) {
  const wnn_expand_args *args = call->args;
  const wnn_desc *input = call->operands[0];
  wnn_status status = set_new_shape(call, args->new_shape);
  if (status) return status;
  wnn_desc *output = &call->outputs[0];
  bool fits = output->rank >= input->rank;
  for (uint32_t i = 0; fits && i < input->rank; i++) {
    uint32_t size = input->shape[input->rank - 1 - i];
    fits = size == 1 || size == output->shape[output->rank - 1 - i];
  }
  char text[LIST_TEXT];
  if (!fits)
    return wnn_fail(call, "The shape of input cannot be broadcast to newShape, %s.",
                    list_text(args->new_shape.data, args->new_shape.count, text));
  return WNN_OK;
}

wnn_status wnn_infer_pad(wnn_call *call) {
  const wnn_pad_args *args = call->args;
  const wnn_desc *input = call->operands[0];
  wnn_u32_list begin = args->beginning_padding, end = args->ending_padding;
  if (begin.count != input->rank) return fail_length(call, "beginningPadding", begin.count, input->rank);
  if (end.count != input->rank) return fail_length(call, "endingPadding", end.count, input->rank);
  if (args->options.mode == WNN_PADDING_MODE_REFLECTION)
    for (uint32_t i = 0; i < input->rank; i++) {
      bool first = begin.data[i] >= input->shape[i];
      if (first || end.data[i] >= input->shape[i])
        return wnn_fail(call,
                        "%s[%" PRIu32 "] is %" PRIu32 "; with mode reflection it must be below the size of the "
                        "dimension, %" PRIu32 ".",
                        first ? "beginningPadding" : "endingPadding", i, first ? begin.data[i] : end.data[i],
                        input->shape[i]);
    }
  set_shape(&call->outputs[0], input);
  for (uint32_t i = 0; i < input->rank; i++) {
    uint64_t size = (uint64_t)begin.data[i] + input->shape[i] + end.data[i];
    if (size > WNN_MAX_DIMENSION) return fail_dimension(call, i, size);
    call->outputs[0].shape[i] = (uint32_t)size;
  }
  return WNN_OK;
}

wnn_status wnn_infer_reshape(wnn_call *call) {
  const wnn_reshape_args *args = call->args;
  wnn_status status = set_new_shape(call, args->new_shape);
  if (status) return status;
  uint64_t have = wnn_elements(call->operands[0]), want = 1;
  for (uint32_t i = 0; i < args->new_shape.count && want <= WNN_MAX_DIMENSION; i++) want *= args->new_shape.data[i];
  char text[LIST_TEXT];
  if (have != want)
    return wnn_fail(call, "newShape, %s, does not have as many elements as input, %" PRIu64 ".",
                    list_text(args->new_shape.data, args->new_shape.count, text), have);
  return WNN_OK;
}

wnn_status wnn_infer_reverse(wnn_call *call) {
  wnn_reverse_args *args = call->args;
  const wnn_desc *input = call->operands[0];
  set_shape(&call->outputs[0], input);
  if (args->options.axes.data) return check_axes(call, "axes", args->options.axes, input->rank);
  uint32_t *axes = default_list(call, &args->options.axes, input->rank);
  if (!axes) return wnn_fail_memory(call);
  for (uint32_t i = 0; i < input->rank; i++) axes[i] = i;
  return WNN_OK;
}

wnn_status wnn_infer_slice(wnn_call *call) {
  wnn_slice_args *args = call->args;
  const wnn_desc *input = call->operands[0];
  if (args->starts.count != input->rank) return fail_length(call, "starts", args->starts.count, input->rank);
  if (args->sizes.count != input->rank) return fail_length(call, "sizes", args->sizes.count, input->rank);
  wnn_u32_list *strides = &args->options.strides;
  if (strides->data) {
    if (strides->count != input->rank) return fail_length(call, "strides", strides->count, input->rank);
  } else {
    uint32_t *ones = default_list(call, strides, input->rank);
    if (!ones) return wnn_fail_memory(call);
    for (uint32_t i = 0; i < input->rank; i++) ones[i] = 1;
  }
  set_shape(&call->outputs[0], input);
  for (uint32_t i = 0; i < input->rank; i++) {
    uint32_t start = args->starts.data[i], size = args->sizes.data[i], stride = strides->data[i];
    if (start > input->shape[i])
      return wnn_fail(call,
                      "starts[%" PRIu32 "] is %" PRIu32 "; it must be within the dimension, whose size is %" PRIu32 ".",
                      i, start, input->shape[i]);
    if ((uint64_t)start + size > input->shape[i])
      return wnn_fail(call,
                      "starts[%" PRIu32 "] + sizes[%" PRIu32 "] is %" PRIu64
                      "; it must be at most the size of the dimension, %" PRIu32 ".",
                      i, i, (uint64_t)start + size, input->shape[i]);
    call->outputs[0].shape[i] = (size - 1) / stride + 1; /* both are at least 1 by the table's minima */
  }
  return WNN_OK;
}

wnn_status wnn_infer_split(wnn_call *call) {
  wnn_split_args *args = call->args;
  const wnn_desc *input = call->operands[0];
  uint32_t axis = args->options.axis, count = args->splits.count;
  if (axis >= input->rank) return fail_axis(call, "axis", axis, input->rank);
  if (count < 1 || count > WNN_MAX_TENSOR_COUNT)
    return wnn_fail(call, "%s is %" PRIu32 "; it must be from 1 to %d.",
                    args->splits.sizes ? "The length of splits" : "splits", count, WNN_MAX_TENSOR_COUNT);
  uint32_t size = input->shape[axis];
  if (args->splits.sizes) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < count; i++) {
      if (!args->splits.sizes[i]) return wnn_fail(call, "splits[%" PRIu32 "] is 0; it must be at least 1.", i);
      sum += args->splits.sizes[i];
    }
    char text[LIST_TEXT];
    if (sum != size)
      return wnn_fail(call, "The sum of splits, %s, is %" PRIu64 "; it must be the size of the dimension, %" PRIu32 ".",
                      list_text(args->splits.sizes, count, text), sum, size);
  } else {
    if (size % count)
      return wnn_fail(call, "splits is %" PRIu32 "; it must divide the size of the dimension, %" PRIu32 ".", count,
                      size);
    uint32_t *sizes = wnn_arena_array(call->arena, count, sizeof *sizes);
    if (!sizes) return wnn_fail_memory(call);
    for (uint32_t i = 0; i < count; i++) sizes[i] = size / count;
    args->splits.sizes = sizes;
  }
  if (count > call->output_capacity)
    return wnn_fail(call, "The call has room for %" PRIu32 " outputs; splits asks for %" PRIu32 ".",
                    call->output_capacity, count);
  call->output_count = count;
  for (uint32_t i = 0; i < count; i++) {
    call->outputs[i].data_type = input->data_type;
    set_shape(&call->outputs[i], input);
    call->outputs[i].shape[axis] = args->splits.sizes[i];
  }
  return WNN_OK;
}

wnn_status wnn_infer_tile(wnn_call *call) {
  const wnn_tile_args *args = call->args;
  const wnn_desc *input = call->operands[0];
  if (args->repetitions.count != input->rank)
    return fail_length(call, "repetitions", args->repetitions.count, input->rank);
  set_shape(&call->outputs[0], input);
  for (uint32_t i = 0; i < input->rank; i++) {
    uint64_t size = (uint64_t)input->shape[i] * args->repetitions.data[i];
    if (size > WNN_MAX_DIMENSION) return fail_dimension(call, i, size);
    call->outputs[0].shape[i] = (uint32_t)size;
  }
  return WNN_OK;
}

wnn_status wnn_infer_transpose(wnn_call *call) {
  wnn_transpose_args *args = call->args;
  const wnn_desc *input = call->operands[0];
  wnn_u32_list *permutation = &args->options.permutation;
  if (permutation->data) {
    if (permutation->count != input->rank) return fail_length(call, "permutation", permutation->count, input->rank);
    wnn_status status = check_axes(call, "permutation", *permutation, input->rank);
    if (status) return status;
  } else {
    uint32_t *reversed = default_list(call, permutation, input->rank);
    if (!reversed) return wnn_fail_memory(call);
    for (uint32_t i = 0; i < input->rank; i++) reversed[i] = input->rank - 1 - i;
  }
  set_shape(&call->outputs[0], input);
  for (uint32_t i = 0; i < input->rank; i++) call->outputs[0].shape[i] = input->shape[permutation->data[i]];
  return WNN_OK;
}
