/* Lowering of quantizeLinear and dequantizeLinear of 8-bit integers, and of what keeps such integers: sums and products
 * of two tensors between dequantization and quantization, maximum pooling. */
#include <math.h>
#include <string.h>

#include "backend/cpu/lower.h"
#include "backend/cpu/lower_image.h"
#include "compile/chain.h"
#include "compile/quantize.h"
#include "kernels/qgemm.h"

static bool is_byte(const wnn_lowering *l, uint32_t value) {
  wnn_data_type type = wnn_lower_desc(l, value)->data_type;
  return type == WNN_INT8 || type == WNN_UINT8;
}

/* ---- Lines ---- */

enum { LINE_RANK = 2 * WNN_MAX_RANK, PIECE = 4096 };

/* A tensor as lines of its innermost dimensions, along which scale and zero point are either one or one an element.
 * The outer dimensions say where in the parameters a line finds its own. */
typedef struct lines {
  const wnn_ukernels *u;
  bool quantize, is_signed, each;
  uint32_t rank; /* of the outer dimensions */
  size_t dims[LINE_RANK], strides[LINE_RANK];
  size_t line, pieces; /* elements, and units in a line */
} lines;

static void lines_kernel(const wnn_task *task, size_t begin, size_t end, void *scratch) {
  (void)scratch;
  const lines *p = task->params;
  size_t line = begin / p->pieces, piece = begin % p->pieces, at[LINE_RANK], parameter = 0, rest = line;
  for (uint32_t d = p->rank; d-- > 0; rest /= p->dims[d]) {
    at[d] = rest % p->dims[d];
    parameter += at[d] * p->strides[d];
  }
  const float *scales = task->inputs[1].data;
  const char *zeros = task->inputs[2].data;
  for (size_t unit = begin; unit < end; unit++) {
    size_t first = piece * PIECE, n = p->line - first < PIECE ? p->line - first : PIECE, from = line * p->line + first;
    size_t own = parameter + (p->each ? first : 0);
    wnn_q_line l = {.n = n, .is_signed = p->is_signed, .each = p->each, .scale = scales + own, .zero = zeros + own};
    if (p->quantize) {
      l.floats = (const float *)task->inputs[0].data + from;
      l.to = (char *)task->outputs[0].data + from;
      p->u->q_quantize(&l);
    } else {
      l.bytes = (const char *)task->inputs[0].data + from;
      l.to = (float *)task->outputs[0].data + from;
      p->u->q_dequantize(&l);
    }
    if (++piece < p->pieces) continue;
    piece = 0, line++;
    for (uint32_t d = p->rank; d-- > 0;) {
      parameter += p->strides[d];
      if (++at[d] < p->dims[d]) break;
      parameter -= p->dims[d] * p->strides[d];
      at[d] = 0;
    }
  }
}

/* Dimensions of the tensor with the strides of the parameters, blocks as dimensions of their own, neighbours merged. */
static void split_lines(lines *p, const wnn_desc *in, const wnn_desc *scale) {
  size_t strides[WNN_MAX_RANK];
  wnn_shape_strides(scale, strides);
  p->rank = 0;
  for (uint32_t i = 0; i < in->rank; i++) {
    size_t parts[2][2] = {{scale->shape[i], strides[i]}, {in->shape[i] / scale->shape[i], 0}};
    for (int k = 0; k < 2; k++) {
      size_t size = parts[k][0], stride = parts[k][1];
      if (size == 1) continue;
      if (p->rank && p->strides[p->rank - 1] == stride * size) {
        p->dims[p->rank - 1] *= size;
        p->strides[p->rank - 1] = stride;
      } else {
        p->dims[p->rank] = size, p->strides[p->rank++] = stride;
      }
    }
  }
  p->line = 1, p->each = false;
  if (!p->rank) return;
  p->rank--;
  p->line = p->dims[p->rank];
  p->each = p->strides[p->rank] != 0;
}

bool wnn_lower_quantization(wnn_lowering *l, const wnn_node *node) {
  bool quantize = node->op == WNN_OP_QUANTIZE_LINEAR;
  uint32_t bytes = quantize ? node->outputs[0] : node->inputs[0];
  if (!is_byte(l, bytes) || node->post_count) return false;
  lines *p = wnn_lower_alloc(l, sizeof *p);
  if (!p) return true;
  const wnn_desc *in = wnn_lower_desc(l, node->inputs[0]);
  *p = (lines){
      .u = wnn_lower_ukernels(l), .quantize = quantize, .is_signed = wnn_lower_desc(l, bytes)->data_type == WNN_INT8};
  split_lines(p, in, wnn_lower_desc(l, node->inputs[1]));
  p->pieces = (p->line + PIECE - 1) / PIECE;
  size_t count = wnn_elements(in), units = count / p->line * p->pieces;
  uint32_t inputs[] = {quantize ? wnn_lower_widen(l, node, node->inputs[0]) : node->inputs[0],
                       wnn_lower_widen(l, node, node->inputs[1]), node->inputs[2]},
           output = quantize ? node->outputs[0] : wnn_lower_wide_output(l, node->outputs[0]);
  wnn_step_desc step = {.kernel = quantize ? "q_quantize" : "q_dequantize",
                        .fn = lines_kernel,
                        .inputs = inputs,
                        .outputs = &output,
                        .input_count = 3,
                        .output_count = 1,
                        .op = node->op,
                        .params = p,
                        .range = units,
                        .grain = wnn_lower_grain(0, 5.0 * (double)count / (double)units),
                        .flops = 4.0 * (double)count,
                        .bytes = 5.0 * (double)count};
  wnn_lower_step(l, node, &step);
  if (!quantize) wnn_lower_narrow(l, node, output, node->outputs[0]);
  return true;
}

/* ---- Two tensors ---- */

typedef struct pair {
  const wnn_ukernels *u;
  wnn_q_pair line;
  uint32_t inputs[2]; /* positions of the operands among the task's */
} pair;

static void pair_kernel(const wnn_task *task, size_t begin, size_t end, void *scratch) {
  (void)scratch;
  const pair *p = task->params;
  wnn_q_pair line = p->line;
  size_t first = begin * PIECE, last = end * PIECE < line.n ? end * PIECE : line.n;
  line.n = last - first;
  line.a.bytes = (const char *)task->inputs[p->inputs[0]].data + first;
  line.b.bytes = (const char *)task->inputs[p->inputs[1]].data + first;
  line.to = (char *)task->outputs[0].data + first;
  p->u->q_pair(&line);
}

/* Scale and zero point of a step, when they are constants of one element. */
static bool read_parameters(const wnn_lowering *l, const wnn_node *node, const wnn_chain_step *step, float *scale,
                            int32_t *zero) {
  uint32_t at[2] = {step->operands[1], step->operands[2]};
  if (step->operand_count != 3 || at[0] >= node->input_count || at[1] >= node->input_count) return false;
  uint32_t ids[2] = {node->inputs[at[0]], node->inputs[at[1]]};
  const void *s = wnn_lower_constant(l, ids[0]), *z = wnn_lower_constant(l, ids[1]);
  const wnn_desc *desc = wnn_lower_desc(l, ids[0]), *zeros = wnn_lower_desc(l, ids[1]);
  if (!s || !z || desc->data_type != WNN_FLOAT32 || wnn_elements(desc) != 1 || wnn_elements(zeros) != 1) return false;
  memcpy(scale, s, sizeof *scale);
  if (zeros->data_type == WNN_INT8)
    *zero = *(const int8_t *)z;
  else if (zeros->data_type == WNN_UINT8)
    *zero = *(const uint8_t *)z;
  else
    return false;
  return isfinite(*scale) && fabsf(*scale) > 1e-30f && fabsf(*scale) < 1e30f;
}

/* An operand that a dequantizeLinear of the chain makes. */
static bool read_side(const wnn_lowering *l, const wnn_node *node, const wnn_chain *chain, uint32_t operand,
                      wnn_q_side *side, uint32_t *input) {
  if (operand < node->input_count) return false;
  const wnn_chain_step *step = &chain->steps[operand - node->input_count];
  *input = step->operands[0];
  if (step->op != WNN_OP_DEQUANTIZE_LINEAR || step->type != WNN_FLOAT32 || *input >= node->input_count) return false;
  const wnn_desc *desc = wnn_lower_desc(l, node->inputs[*input]), *out = wnn_lower_desc(l, node->outputs[0]);
  if (!wnn_shape_equal(desc, out) || !read_parameters(l, node, step, &side->scale, &side->zero)) return false;
  side->is_signed = desc->data_type == WNN_INT8;
  return is_byte(l, node->inputs[*input]);
}

bool wnn_lower_byte_pair(wnn_lowering *l, const wnn_node *node) {
  const wnn_chain *chain = node->args;
  const uint32_t count = chain->step_count, inputs = node->input_count;
  if (count < 4 || count > 5 || !is_byte(l, node->outputs[0])) return false;
  const wnn_chain_step *last = &chain->steps[count - 1], *relu = count == 5 ? &chain->steps[3] : NULL,
                       *both = &chain->steps[2];
  pair made = {.u = wnn_lower_ukernels(l)};
  wnn_q_pair *line = &made.line;
  if (last->op != WNN_OP_QUANTIZE_LINEAR || last->operands[0] != inputs + count - 2 ||
      !read_parameters(l, node, last, &line->scale, &line->zero))
    return false;
  if (relu && (relu->operands[0] != inputs + 2 || relu->op != WNN_OP_RELU)) return false;
  line->relu = relu;
  if ((both->op != WNN_OP_ADD && both->op != WNN_OP_MUL) || both->type != WNN_FLOAT32) return false;
  if (!read_side(l, node, chain, both->operands[0], &line->a, &made.inputs[0]) ||
      !read_side(l, node, chain, both->operands[1], &line->b, &made.inputs[1]))
    return false;
  line->multiply = both->op == WNN_OP_MUL;
  line->is_signed = wnn_lower_desc(l, node->outputs[0])->data_type == WNN_INT8;
  line->n = wnn_elements(wnn_lower_desc(l, node->outputs[0]));
  pair *p = wnn_lower_alloc(l, sizeof *p);
  if (!p) return true;
  *p = made;
  wnn_step_desc step = {.kernel = line->multiply ? "q_mul" : "q_add",
                        .fn = pair_kernel,
                        .inputs = node->inputs,
                        .outputs = node->outputs,
                        .input_count = inputs,
                        .output_count = 1,
                        .op = node->op,
                        .params = p,
                        .range = (line->n + PIECE - 1) / PIECE,
                        .grain = wnn_lower_grain(12.0 * PIECE, 3.0 * PIECE),
                        .flops = 8.0 * (double)line->n,
                        .bytes = 3.0 * (double)line->n};
  wnn_lower_step(l, node, &step);
  return true;
}

/* ---- Maximum pooling ---- */

bool wnn_lower_byte_pool(wnn_lowering *l, const wnn_node *node) {
  const wnn_pool2d_options *options = node->args; /* the argument structs hold nothing else */
  int layout = (int)options->layout;
  wnn_image_shape in = wnn_lower_image_shape(l, node->inputs[0], layout),
                  out = wnn_lower_image_shape(l, node->outputs[0], layout);
  wnn_window window;
  if (node->op != WNN_OP_MAX_POOL2D || !is_byte(l, node->inputs[0]) || layout != WNN_INPUT_LAYOUT_NHWC ||
      in.channels % 4 ||
      !wnn_lower_window(&window, &in, &out, options->window_dimensions.data[0], options->window_dimensions.data[1],
                        options->strides.data, options->dilations.data, options->padding.data))
    return false;
  wnn_q_sliding *s = wnn_lower_alloc(l, sizeof *s);
  void *padding = wnn_lower_alloc(l, in.channels);
  if (!s || !padding) return true;
  bool is_signed = wnn_lower_desc(l, node->inputs[0])->data_type == WNN_INT8;
  memset(padding, is_signed ? 0x80 : 0, in.channels);
  window.channels /= 4;
  *s = (wnn_q_sliding){.u = wnn_lower_ukernels(l),
                       .rows = {.taps = window.kernel_h * window.kernel_w,
                                .k = window.channels,
                                .image = window,
                                .zeros = padding,
                                .tile_rows = 1,
                                .window = true},
                       .channels = in.channels,
                       .is_signed = is_signed,
                       .element = 1};
  double line = (double)out.width * out.channels, taps = (double)s->rows.taps;
  size_t rows = (size_t)out.batches * out.height;
  wnn_step_desc step = {.kernel = "q_pool_max",
                        .fn = wnn_q_slide,
                        .inputs = node->inputs,
                        .outputs = node->outputs,
                        .input_count = 1,
                        .output_count = 1,
                        .op = node->op,
                        .params = s,
                        .range = rows,
                        .grain = wnn_lower_grain(0, line * taps / 4),
                        .scratch = wnn_q_sliding_scratch(s),
                        .bytes = (double)in.batches * in.height * in.width * in.channels + line * (double)rows};
  wnn_lower_step(l, node, &step);
  return true;
}
