/* Shape of resample2d. */
#include <math.h>

#include "graph/infer/helpers.h"

wnn_status wnn_infer_resample2d(wnn_call *call) {
  wnn_resample2d_options *options = &((wnn_resample2d_args *)call->args)->options;
  const wnn_desc *input = call->operands[0];
  static const float no_change[2] = {1, 1};
  if (!options->scales.data) options->scales = (wnn_f32_list){no_change, 2};
  for (uint32_t i = 0; i < 2; i++)
    if (!(options->scales.data[i] > 0) || isinf(options->scales.data[i]))
      return wnn_fail(call, "Item %" PRIu32 " of scales is %g, but must be a finite number above 0.", i,
                      (double)options->scales.data[i]);
  wnn_status status = wnn_infer_default_range(call, &options->axes, 2, 4);
  if (!status) status = wnn_infer_check_axes(call, options->axes, 0);
  if (status) return status;

  if (!options->sizes.data) {
    uint32_t *sizes = wnn_arena_array(call->arena, 2, sizeof *sizes);
    if (!sizes) return wnn_fail_memory(call);
    for (uint32_t i = 0; i < 2; i++) {
      uint32_t extent = input->shape[options->axes.data[i]];
      double size = floor((double)extent * (double)options->scales.data[i]);
      if (!(size >= 1 && size <= (double)WNN_MAX_DIMENSION))
        return wnn_fail(call,
                        "Dimension %" PRIu32 " of the output is %.0f (%" PRIu32
                        " times %g of scales), but must be from 1 to %u.",
                        options->axes.data[i], size, extent, (double)options->scales.data[i], WNN_MAX_DIMENSION);
      sizes[i] = (uint32_t)size;
    }
    options->sizes = (wnn_u32_list){sizes, 2};
  }
  wnn_desc *output = &call->outputs[0];
  wnn_infer_set_shape(output, input);
  for (uint32_t i = 0; i < 2; i++) {
    uint32_t size = options->sizes.data[i];
    if (size < 1 || size > WNN_MAX_DIMENSION)
      return wnn_fail(call, "Item %" PRIu32 " of sizes is %" PRIu32 ", but must be from 1 to %u.", i, size,
                      WNN_MAX_DIMENSION);
    output->shape[options->axes.data[i]] = size;
  }
  return WNN_OK;
}
