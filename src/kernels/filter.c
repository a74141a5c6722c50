/* Filters of convolutions, from the tensor's layout to what the kernels read. */
#include "kernels/filter.h"

static size_t panels_of(const wnn_ukernels *u, const wnn_filter *f) { return (f->outputs + u->vl - 1) / u->vl; }
static size_t depth_of(const wnn_filter *f) { return f->inputs * f->taps_h * f->taps_w; }

size_t wnn_filter_panels_size(const wnn_ukernels *u, const wnn_filter *f) {
  return f->groups * panels_of(u, f) * depth_of(f) * u->vl;
}

static size_t tap_offset(const wnn_filter *f, uint32_t p, uint32_t q) {
  return (f->rows ? f->rows[p] : p) * f->height_stride + (f->columns ? f->columns[q] : q) * f->width_stride;
}

/* Any strides: row by row of the panel. */
static void pack_plain(const wnn_ukernels *u, const wnn_filter *f, const wnn_loose *source, size_t count,
                       float *panel) {
  for (uint32_t p = 0; p < f->taps_h; p++)
    for (uint32_t q = 0; q < f->taps_w; q++) {
      const wnn_loose *tap = source + tap_offset(f, p, q);
      for (size_t i = 0; i < f->inputs; i++, panel += u->vl) {
        const wnn_loose *from = tap + i * f->input_stride;
        for (size_t j = 0; j < u->vl; j++) panel[j] = j < count ? from[j * f->output_stride] : 0;
      }
    }
}

void wnn_filter_pack_panel(const wnn_ukernels *u, const wnn_filter *f, const wnn_loose *source, size_t at, float *to) {
  size_t count = panels_of(u, f), depth = depth_of(f), taps = (size_t)f->taps_h * f->taps_w;
  bool all = !f->rows && !f->columns;
  bool window_inside = all && f->width_stride == 1 && f->height_stride == f->taps_w && f->input_stride == taps;
  bool channels_inside =
      all && f->input_stride == 1 && f->width_stride == f->inputs && f->height_stride == f->inputs * f->taps_w;
  bool outputs_inside = all && f->output_stride == 1 && f->width_stride == f->inputs * f->input_stride &&
                        f->height_stride == f->taps_w * f->width_stride;
  size_t output = at % count * u->vl;
  size_t width = f->outputs - output < u->vl ? f->outputs - output : u->vl;
  const wnn_loose *from = source + at / count * f->group_stride + output * f->output_stride;
  if (window_inside || channels_inside) {
    u->f32_pack_columns(depth, width, from, f->output_stride, 1, window_inside ? taps : 1, to);
  } else if (outputs_inside) {
    u->f32_pack_rows(depth, width, from, f->input_stride, 1, to);
  } else {
    pack_plain(u, f, from, width, to);
  }
}

void wnn_filter_pack(const wnn_ukernels *u, const wnn_filter *f, const wnn_loose *source, size_t first, size_t last,
                     float *panels) {
  for (size_t at = first; at < last; at++) wnn_filter_pack_panel(u, f, source, at, panels + at * depth_of(f) * u->vl);
}

void wnn_filter_pack_depthwise(const wnn_filter *f, const wnn_loose *source, float *to) {
  for (uint32_t p = 0; p < f->taps_h; p++)
    for (uint32_t q = 0; q < f->taps_w; q++, to += f->groups)
      for (size_t g = 0; g < f->groups; g++) to[g] = source[tap_offset(f, p, q) + g * f->group_stride];
}

void wnn_f32_filter_pack(const wnn_task *task, size_t begin, size_t end, void *scratch) {
  (void)scratch;
  const wnn_filter_params *params = task->params;
  wnn_filter_pack(params->u, &params->filter, task->inputs[0].data, begin, end, task->outputs[0].data);
}

void wnn_f32_filter_pack_depthwise(const wnn_task *task, size_t begin, size_t end, void *scratch) {
  (void)scratch;
  const wnn_filter_params *params = task->params;
  if (begin < end) wnn_filter_pack_depthwise(&params->filter, task->inputs[0].data, task->outputs[0].data);
}
