/* Integer products: 8-bit images and filters as the integer tiles read them. */
#include "kernels/quant.h"

static int32_t read_byte(const void *data, bool is_signed, size_t i) {
  return is_signed ? ((const int8_t *)data)[i] : ((const uint8_t *)data)[i];
}

void wnn_quant_group_images(const wnn_task *task, size_t begin, size_t end, void *scratch) {
  const wnn_quant_groups *g = task->params;
  size_t padded = (g->channels + g->group - 1) / g->group * g->group;
  for (size_t index = begin; index < end; index++) {
    size_t first = index / g->pixels * g->pixels * g->channels + index % g->pixels * g->pixel_stride;
    if (g->group == 4) {
      uint8_t *to = (uint8_t *)task->outputs[0].data + index * padded;
      const uint8_t *from = (const uint8_t *)task->inputs[0].data + first;
      uint8_t flip = g->is_signed ? 128 : 0; /* int8 plus 128 is the same bits with the first one flipped */
      for (size_t c = 0; c < g->channels; c++) to[c] = from[c * g->channel_stride] ^ flip;
      for (size_t c = g->channels; c < padded; c++) to[c] = wnn_quant_padding(g);
    } else {
      int16_t *to = (int16_t *)task->outputs[0].data + index * padded;
      for (size_t c = 0; c < g->channels; c++)
        to[c] = (int16_t)(read_byte(task->inputs[0].data, g->is_signed, first + c * g->channel_stride) - g->zero);
      for (size_t c = g->channels; c < padded; c++) to[c] = 0;
    }
  }
}

/* A weight without its zero point: -255 to 255. */
static int32_t weight(const wnn_filter *f, const wnn_quant_weights *w, size_t o, size_t i, uint32_t p, uint32_t q) {
  size_t at = o * f->output_stride + i * f->input_stride + p * f->height_stride + q * f->width_stride;
  return read_byte(w->data, w->is_signed, at) - read_byte(w->zeros, w->zeros_are_signed, w->zero_count > 1 ? o : 0);
}

bool wnn_quant_fits_int8(const wnn_filter *f, const wnn_quant_weights *w) {
  for (size_t o = 0; o < f->outputs; o++)
    for (size_t i = 0; i < f->inputs; i++)
      for (uint32_t t = 0; t < f->taps_h * f->taps_w; t++) {
        int32_t value = weight(f, w, o, i, t / f->taps_w, t % f->taps_w);
        if (value < -128 || value > 127) return false;
      }
  return true;
}

void wnn_quant_pack(const wnn_ukernels *u, const wnn_filter *f, const wnn_quant_weights *w, const wnn_quant_groups *g,
                    void *panels, int32_t *shift) {
  size_t vl = u->vl, group = g->group, channels = (f->inputs + group - 1) / group;
  int32_t zero = wnn_quant_padding(g);
  int8_t *bytes = panels;
  int16_t *pairs = panels;
  size_t at = 0;
  for (size_t o = 0; o < f->outputs; o++) shift[o] = 0;
  for (size_t panel = 0; panel < f->outputs; panel += vl)
    for (uint32_t t = 0; t < f->taps_h * f->taps_w; t++)
      for (size_t c = 0; c < channels; c++)
        for (size_t j = 0; j < vl; j++)
          for (size_t e = 0; e < group; e++, at++) {
            size_t o = panel + j, i = c * group + e;
            int32_t value = o < f->outputs && i < f->inputs ? weight(f, w, o, i, t / f->taps_w, t % f->taps_w) : 0;
            if (group == 4) {
              bytes[at] = (int8_t)value;
              if (o < f->outputs) shift[o] -= zero * value;
            } else {
              pairs[at] = (int16_t)value;
            }
          }
}
