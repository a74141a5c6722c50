/* Lowering of what works on 8-bit integers: products (compile/quantize.h), pooling, and the way from and to floats. */
#include <math.h>
#include <string.h>

#include "backend/cpu/lower.h"
#include "backend/cpu/lower_image.h"
#include "backend/cpu/lower_move.h"
#include "compile/quantize.h"
#include "kernels/qgemm.h"

static bool is_signed(const wnn_lowering *l, uint32_t value) { return wnn_lower_desc(l, value)->data_type == WNN_INT8; }

/* ---- Products ---- */

/* A product while it is lowered. */
typedef struct product {
  uint32_t zeros; /* position of the zero points among the node's inputs */
  wnn_image_shape in, out;
  bool nhwc;
  wnn_window window;
  wnn_filter filter;
  uint32_t ids[5], id_count; /* of the step: inputs */
  uint32_t output;
  wnn_fused fused;
  wnn_q_finish finish;
} product;

static uint32_t add_input(product *p, uint32_t id) {
  p->ids[p->id_count] = id;
  return p->id_count++;
}

/* A copy of a constant row of floats, times factor, that lives with the program; NULL without a row. */
static const float *copy_row(wnn_lowering *l, uint32_t value, size_t count, float factor) {
  if (!wnn_lower_is_constant(l, value)) return NULL;
  bool fill;
  float *copy = wnn_lower_weights(l, count * sizeof *copy, &fill);
  const wnn_loose *floats = copy && fill ? wnn_lower_floats(l, value) : NULL;
  for (size_t i = 0; floats && i < count; i++) copy[i] = floats[i] * factor;
  return copy;
}

/* What becomes of the sums; row: the float32 bias, WNN_NONE when there is none. */
static void plan_finish(wnn_lowering *l, const wnn_node *node, product *p, uint32_t row) {
  wnn_q_finish *f = &p->finish;
  const wnn_fused *fused = &p->fused;
  if (fused->scale == WNN_NONE) return;
  f->result = WNN_Q_FLOAT32;
  f->limit = fused->limit, f->lo = fused->lo, f->hi = fused->hi;
  float factor = 1;
  if (fused->requantize) {
    /* Scale, bias and limits are divided beforehand. */
    const wnn_requantize *how = fused->requantize;
    bool sign = is_signed(l, node->outputs[0]);
    float low = (float)((sign ? -128 : 0) - how->zero), high = (float)((sign ? 127 : 255) - how->zero);
    factor = 1 / how->scale;
    f->result = WNN_Q_BYTE;
    f->zero = how->zero;
    if (f->limit) {
      f->lo = fminf(fmaxf(f->lo * factor, low), high), f->hi = fminf(fmaxf(f->hi * factor, low), high);
    } else {
      f->lo = low, f->hi = high;
    }
  }
  f->scale = copy_row(l, fused->scale, p->out.channels, factor);
  f->init = copy_row(l, row, p->out.channels, factor);
}

/* The value that holds the input as groups; itself where it is that already. */
static uint32_t group_images(wnn_lowering *l, const wnn_node *node, const wnn_q_groups *groups, size_t batches) {
  size_t channels = groups->channels * groups->parts, bytes = wnn_q_groups_of(groups) * groups->parts * 4;
  if (groups->group == 4 && !groups->is_signed && groups->channel_stride == 1 && groups->channels % 4 == 0)
    return node->inputs[0];
  wnn_q_groups *params = wnn_lower_alloc(l, sizeof *params);
  uint32_t temp = wnn_lower_temp(l, batches * groups->pixels * bytes);
  if (!params || temp == WNN_NONE) return WNN_NONE;
  *params = *groups;
  wnn_step_desc step = {.kernel = "q_group",
                        .fn = wnn_q_group_images,
                        .inputs = node->inputs,
                        .outputs = &temp,
                        .input_count = 1,
                        .output_count = 1,
                        .op = node->op,
                        .params = params,
                        .range = batches * groups->pixels,
                        .grain = wnn_lower_grain(0, (double)(channels + bytes)),
                        .bytes = (double)(batches * groups->pixels) * (double)(channels + bytes)};
  wnn_lower_step(l, node, &step);
  return temp;
}

/* To fill weights from: data is NULL when memory is short. */
static wnn_q_weights weights_of(wnn_lowering *l, const wnn_node *node, uint32_t zeros) {
  return (wnn_q_weights){.data = wnn_lower_source(l, node->inputs[1]),
                         .is_signed = is_signed(l, node->inputs[1]),
                         .zeros_are_signed = is_signed(l, node->inputs[zeros + 1]),
                         .zeros = wnn_lower_constant(l, node->inputs[zeros + 1]),
                         .zero_count = wnn_elements(wnn_lower_desc(l, node->inputs[zeros + 1]))};
}

/* The zero point of the images; 0 with *known false when it is not constant. */
static int32_t image_zero(const wnn_lowering *l, const wnn_node *node, uint32_t zeros, bool *known) {
  uint32_t value = node->inputs[zeros];
  const void *data = wnn_lower_constant(l, value);
  *known = data != NULL;
  if (!data) return 0;
  return is_signed(l, value) ? *(const int8_t *)data : *(const uint8_t *)data;
}

/* A window of its own for every pixel. */
static wnn_igemm window_rows(const wnn_window *w, size_t k, size_t pixel_groups, const void *padding) {
  wnn_igemm rows = {
      .taps = w->kernel_h * w->kernel_w, .k = k, .image = *w, .zeros = padding, .tile_rows = 1, .window = true};
  rows.image.channels = (uint32_t)pixel_groups;
  return rows;
}

static void *padding_row(wnn_lowering *l, size_t bytes, uint8_t value) {
  void *row = wnn_lower_alloc(l, bytes + 4);
  if (row) memset(row, value, bytes);
  return row;
}

static const int32_t *bias_of(const wnn_lowering *l, uint32_t bias) {
  return bias != WNN_NONE && wnn_lower_desc(l, bias)->data_type == WNN_INT32 ? wnn_lower_constant(l, bias) : NULL;
}

static void depthwise(wnn_lowering *l, const wnn_node *node, product *p, uint32_t bias) {
  const wnn_ukernels *u = wnn_lower_ukernels(l);
  bool known;
  int32_t zero = image_zero(l, node, p->zeros, &known);
  size_t channels = p->out.channels, taps = (size_t)p->filter.taps_h * p->filter.taps_w,
         pixels = (size_t)p->in.height * p->in.width;
  /* As bytes, padded to groups of four, but not moved: the kernel takes either sign. */
  wnn_q_groups groups = {.u = u,
                         .group = 4,
                         .parts = 1,
                         .zero = zero,
                         .pixels = pixels,
                         .channels = channels,
                         .pixel_stride = p->nhwc ? channels : 1,
                         .channel_stride = p->nhwc ? 1 : pixels};
  size_t k = wnn_q_groups_of(&groups);
  wnn_q_sliding *s = wnn_lower_alloc(l, sizeof *s);
  bool fill;
  int16_t *packed = wnn_lower_weights(l, (taps + 1) / 2 * channels * 2 * sizeof *packed, &fill);
  int32_t *shift = wnn_lower_weights(l, channels * sizeof *shift, &fill);
  void *padding = padding_row(l, k * 4, (uint8_t)zero);
  if (!s || !packed || !shift || !padding) return;
  if (fill) {
    wnn_q_weights weights = weights_of(l, node, p->zeros);
    if (!weights.data) return;
    wnn_q_pack_depthwise(&p->filter, &weights, zero, bias_of(l, bias), packed, shift);
  }
  p->finish.shift = shift;
  *s = (wnn_q_sliding){.u = u,
                       .rows = window_rows(&p->window, k, k, padding),
                       .channels = channels,
                       .is_signed = is_signed(l, node->inputs[0]),
                       .weights = packed,
                       .finish = p->finish,
                       .element = p->finish.result == WNN_Q_BYTE ? 1 : 4};
  uint32_t input = group_images(l, node, &groups, p->in.batches);
  double line = (double)p->out.width * (double)channels, rows = (double)p->out.batches * p->out.height;
  wnn_step_desc step = {.kernel = "q_depthwise",
                        .fn = wnn_q_slide,
                        .inputs = &input,
                        .outputs = &p->output,
                        .input_count = 1,
                        .output_count = 1,
                        .op = node->op,
                        .params = s,
                        .range = (size_t)p->out.batches * p->out.height,
                        .grain = wnn_lower_grain(2 * line * (double)taps, 2 * line),
                        .scratch = wnn_q_sliding_scratch(s),
                        .flops = 2 * line * (double)taps * rows,
                        .bytes = 2 * line * rows};
  wnn_lower_step(l, node, &step);
}

static void panels(wnn_lowering *l, const wnn_node *node, product *p, uint32_t bias) {
  const wnn_ukernels *u = wnn_lower_ukernels(l);
  const wnn_filter *filter = &p->filter;
  const wnn_window *w = &p->window;
  bool fill, known;
  uint32_t *fits = wnn_lower_weights(l, sizeof *fits, &fill); /* which a saved graph cannot tell from its zeros */
  if (!fits) return;
  wnn_q_weights weights = {0};
  if (fill) {
    weights = weights_of(l, node, p->zeros);
    if (!weights.data) return;
    *fits = u->q_bytes_tile && wnn_q_fits_bytes(u, filter, &weights);
  }
  bool bytes = u->q_bytes_tile && *fits;
  size_t pixels = (size_t)p->in.height * p->in.width;
  wnn_q_groups groups = {.u = u,
                         .group = bytes ? 4 : 2,
                         .parts = filter->groups,
                         .is_signed = is_signed(l, node->inputs[0]),
                         .zero = image_zero(l, node, p->zeros, &known),
                         .pixels = pixels,
                         .channels = filter->inputs,
                         .pixel_stride = p->nhwc ? p->in.channels : 1,
                         .channel_stride = p->nhwc ? 1 : pixels};
  size_t k = wnn_q_groups_of(&groups), pixel = k * filter->groups;
  wnn_qgemm *g = wnn_lower_alloc(l, sizeof *g);
  if (!g) return;
  *g = (wnn_qgemm){.u = u,
                   .tile = bytes ? u->q_bytes_tile : u->q_pairs_tile,
                   .m = (size_t)w->out_h * w->out_w,
                   .n = filter->outputs,
                   .k = k,
                   .taps = w->kernel_h * w->kernel_w,
                   .parts = filter->groups,
                   .batches = p->in.batches,
                   .a_row = pixel,
                   .a_batch = pixels * pixel,
                   .c_row = p->out.channels,
                   .c_batch = (size_t)p->out.height * p->out.width * p->out.channels};
  bool dense = g->taps == 1 && w->stride_h == 1 && w->stride_w == 1 && !w->top && !w->left && w->in_h == w->out_h &&
               w->in_w == w->out_w;
  if (dense) {
    g->m *= g->batches;
    g->batches = 1;
  } else {
    void *padding = padding_row(l, pixel * 4, wnn_q_padding(&groups));
    g->window = true;
    g->rows = window_rows(w, k, pixel, padding);
    if (!padding) return;
  }
  size_t panel_groups = filter->groups * ((filter->outputs + u->vl - 1) / u->vl) * u->vl * g->taps * k;
  int32_t *packed = wnn_lower_weights(l, panel_groups * sizeof *packed, &fill),
          *shift = wnn_lower_weights(l, p->out.channels * sizeof *shift, &fill),
          *unit = known ? NULL : wnn_lower_weights(l, p->out.channels * sizeof *unit, &fill);
  if (!packed || !shift || (!known && !unit)) return;
  if (fill) wnn_q_pack(u, filter, &weights, &groups, bias_of(l, bias), packed, shift, unit);
  g->b = packed, g->unit = unit;
  g->finish = p->finish;
  g->finish.shift = shift;
  add_input(p, group_images(l, node, &groups, p->in.batches));
  if (!known) {
    g->zero_input = add_input(p, node->inputs[p->zeros]);
    g->zero_is_signed = is_signed(l, node->inputs[p->zeros]);
  }
  if (p->fused.residual != WNN_NONE) g->residual_input = add_input(p, p->fused.residual);
  if (p->fused.init != WNN_NONE && !g->finish.init)
    g->init_input = add_input(p, wnn_lower_widen(l, node, p->fused.init));
  size_t units = wnn_qgemm_plan(g, wnn_lower_threads(l));
  double flops = wnn_qgemm_flops(g) / (bytes ? 1 : 2);
  double moved = (double)p->in.batches * (double)(pixels * pixel * 4) + (double)panel_groups * 4 +
                 (double)p->out.batches * (double)p->out.height * p->out.width * p->out.channels;
  wnn_step_desc step = {.kernel = "q_product",
                        .fn = wnn_q_gemm,
                        .inputs = p->ids,
                        .outputs = &p->output,
                        .input_count = p->id_count,
                        .output_count = 1,
                        .op = node->op,
                        .params = g,
                        .range = units,
                        .grain = wnn_lower_grain(flops / 4 / (double)units, moved / (double)units),
                        .scratch = wnn_qgemm_scratch(g),
                        .flops = flops,
                        .bytes = moved};
  wnn_lower_step(l, node, &step);
}

/* Channels-last results to where NCHW ones belong. */
static void move_home(wnn_lowering *l, const wnn_node *node, uint32_t from, const wnn_image_shape *s, uint32_t size) {
  size_t pixels = (size_t)s->height * s->width, dims[] = {s->batches, s->channels, pixels},
         strides[] = {pixels * s->channels, 1, s->channels};
  wnn_copy copy = {.size = size, .rank = 3, .dims = dims, .from = strides};
  wnn_lower_copy(l, node, from, node->outputs[0], &copy);
}

/* Everything but the operands' shapes is known. */
static void lower_product(wnn_lowering *l, const wnn_node *node, product *p) {
  uint32_t bias = p->zeros == 3 ? node->inputs[2] : WNN_NONE;
  bool whole = bias != WNN_NONE && wnn_lower_desc(l, bias)->data_type == WNN_INT32;
  uint32_t row = bias != WNN_NONE && !whole ? bias : p->fused.init;
  plan_finish(l, node, p, row);
  if (p->filter.outputs == 1 && p->filter.inputs == 1 && p->filter.groups > 1 && p->fused.residual == WNN_NONE &&
      (row == WNN_NONE || p->finish.init)) {
    depthwise(l, node, p, bias);
  } else {
    if (row != WNN_NONE && !p->finish.init) p->fused.init = row;
    panels(l, node, p, bias);
  }
}

bool wnn_lower_integer_conv2d(wnn_lowering *l, const wnn_node *node) {
  const wnn_conv2d_options *options = &((const wnn_conv2d_args *)node->args)->options;
  int layout = (int)options->input_layout;
  product p = {.zeros = 3,
               .nhwc = layout == WNN_INPUT_LAYOUT_NHWC,
               .in = wnn_lower_image_shape(l, node->inputs[0], layout),
               .out = wnn_lower_image_shape(l, node->outputs[0], layout)};
  p.filter = wnn_lower_filter(l, node, p.in.channels, p.out.channels);
  if (!wnn_lower_window(&p.window, &p.in, &p.out, p.filter.taps_h, p.filter.taps_w, options->strides.data,
                        options->dilations.data, options->padding.data) ||
      !wnn_lower_fused(l, node, p.out.channels, &p.fused))
    return false;
  /* Results of 4 bytes move home as float32 do. */
  bool wide = wnn_lower_desc(l, node->outputs[0])->data_type != WNN_INT8 &&
              wnn_lower_desc(l, node->outputs[0])->data_type != WNN_UINT8;
  uint32_t moved = WNN_NONE;
  if (!p.nhwc) {
    size_t count = wnn_elements(wnn_lower_desc(l, node->outputs[0]));
    moved = wnn_lower_temp(l, count * (wide ? 4 : 1));
    if (p.fused.residual != WNN_NONE) p.fused.residual = wnn_lower_channels_last(l, node, p.fused.residual, layout);
  }
  p.output = p.nhwc ? node->outputs[0] : moved;
  lower_product(l, node, &p);
  if (!p.nhwc) move_home(l, node, moved, &p.out, wide ? 4 : 1);
  return true;
}

/* A matmul of integers: its rows are the pixels of a picture of height 1. */
bool wnn_lower_integer_matmul(wnn_lowering *l, const wnn_node *node) {
  const wnn_desc *a = wnn_lower_desc(l, node->inputs[0]), *b = wnn_lower_desc(l, node->inputs[1]);
  uint32_t rows = (uint32_t)wnn_shape_product(a, 0, a->rank - 1), inner = b->shape[0], columns = b->shape[1];
  product p = {.zeros = 2,
               .nhwc = true,
               .in = {1, inner, 1, rows},
               .out = {1, columns, 1, rows},
               .window = {1, rows, inner, 1, rows, 1, 1, 1, 1, 1, 1, 0, 0},
               .filter = {.outputs = columns,
                          .inputs = inner,
                          .groups = 1,
                          .taps_h = 1,
                          .taps_w = 1,
                          .output_stride = 1,
                          .input_stride = columns},
               .output = node->outputs[0]};
  if (!wnn_lower_fused(l, node, columns, &p.fused)) return false;
  lower_product(l, node, &p);
  return true;
}
