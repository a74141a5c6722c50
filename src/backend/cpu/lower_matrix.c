/* Lowering of gemm and matmul to packed panels. */
#include "backend/cpu/lower.h"
#include "backend/cpu/lower_float.h"
#include "kernels/igemm.h"

/* Memory bandwidth that a unit needs matters for the grain only; arithmetic dominates. */
static void igemm_step(wnn_lowering *l, const wnn_node *node, const wnn_igemm *igemm, const uint32_t *inputs,
                       uint32_t input_count, uint32_t output) {
  wnn_igemm *params = wnn_lower_alloc(l, sizeof *params);
  if (!params) return;
  *params = *igemm;
  size_t units = wnn_igemm_plan(params, wnn_lower_threads(l));
  double flops = wnn_igemm_flops(params);
  double bytes = 4.0 * (double)(params->batches * (params->m * (params->k + params->n) + params->k * params->n));
  wnn_step_desc step = {.kernel = "f32_gemm",
                        .fn = wnn_f32_igemm,
                        .inputs = inputs,
                        .outputs = &output,
                        .input_count = input_count,
                        .output_count = 1,
                        .op = node->op,
                        .params = params,
                        .range = units,
                        .grain = wnn_lower_grain(flops / (double)units, bytes / (double)units),
                        .scratch = wnn_igemm_scratch(params),
                        .flops = flops,
                        .bytes = bytes};
  wnn_lower_step(l, node, &step);
}

/* Packs B (batches of k x n, or n x k when transposed): at build into igemm->b when it is constant, else by a step
 * into a temp. Returns the value that holds the panels, WNN_NONE when igemm->b does. */
static uint32_t pack_b(wnn_lowering *l, const wnn_node *node, uint32_t b, size_t batches, bool transposed, float scale,
                       wnn_igemm *igemm) {
  const wnn_ukernels *u = igemm->u;
  size_t k = igemm->k, n = igemm->n, size = wnn_pack_size(u, k, n), stride = transposed ? k : n;
  if (wnn_lower_is_constant(l, b)) {
    bool fill;
    float *panels = wnn_lower_weights(l, batches * size * sizeof *panels, &fill);
    const wnn_loose *constant = panels && fill ? wnn_lower_floats(l, b) : NULL;
    const wnn_pack_params how = {u, k, n, stride, k * n, transposed, scale};
    if (constant)
      wnn_lower_run(l, wnn_f32_pack, &how, constant, panels, batches * (size / k / u->vl),
                    wnn_lower_grain(0, 8.0 * (double)(k * u->vl)));
    igemm->b = panels;
    return WNN_NONE;
  }
  uint32_t wide = wnn_lower_widen(l, node, b), temp = wnn_lower_temp(l, batches * size * sizeof(float));
  wnn_pack_params *params = wnn_lower_alloc(l, sizeof *params);
  if (!params || temp == WNN_NONE || wide == WNN_NONE) return WNN_NONE;
  *params = (wnn_pack_params){u, k, n, stride, k * n, transposed, scale};
  size_t panels = batches * (size / k / u->vl);
  wnn_step_desc step = {.kernel = "f32_pack",
                        .fn = wnn_f32_pack,
                        .inputs = &wide,
                        .outputs = &temp,
                        .input_count = 1,
                        .output_count = 1,
                        .op = node->op,
                        .params = params,
                        .range = panels,
                        .grain = wnn_lower_grain(0, 8.0 * (double)(k * u->vl)),
                        .bytes = 8.0 * (double)(batches * k * n)};
  wnn_lower_step(l, node, &step);
  return temp;
}

/* ---- c of gemm ---- */

/* Expands beta * c to rows x columns. */
typedef struct expand_params {
  size_t rows, columns, row_stride, column_stride;
  float beta;
} expand_params;

static void expand_row(const expand_params *p, const wnn_loose *c, size_t row, float *to) {
  for (size_t j = 0; j < p->columns; j++) to[j] = p->beta * c[row * p->row_stride + j * p->column_stride];
}

static void expand_kernel(const wnn_task *task, size_t begin, size_t end, void *scratch) {
  (void)scratch;
  const expand_params *p = task->params;
  for (size_t i = begin; i < end; i++)
    expand_row(p, task->inputs[0].data, i, (float *)task->outputs[0].data + i * p->columns);
}

/* What gemm adds to the product: a row that igemm->init holds, a row, or a matrix. */
typedef struct addend {
  uint32_t row, matrix;
} addend;

static addend lower_c(wnn_lowering *l, const wnn_node *node, uint32_t c, float beta, wnn_igemm *igemm) {
  addend none = {WNN_NONE, WNN_NONE};
  const wnn_desc *desc = wnn_lower_desc(l, c), *output = wnn_lower_desc(l, node->outputs[0]);
  size_t strides[WNN_MAX_RANK];
  wnn_shape_broadcast_strides(desc, output, strides);
  expand_params how = {igemm->m, igemm->n, strides[0], strides[1], beta};
  if (!how.row_stride) how.rows = 1;
  if (wnn_lower_is_constant(l, c) && how.rows == 1) {
    bool fill;
    float *row = wnn_lower_weights(l, how.columns * sizeof *row, &fill);
    const wnn_loose *constant = row && fill ? wnn_lower_floats(l, c) : NULL;
    if (constant) expand_row(&how, constant, 0, row);
    igemm->init = row;
    return none;
  }
  uint32_t wide = wnn_lower_widen(l, node, c);
  bool whole = how.column_stride == 1 && (how.rows == 1 || how.row_stride == how.columns);
  if (!whole || beta != 1.0f) {
    expand_params *params = wnn_lower_alloc(l, sizeof *params);
    uint32_t temp = wnn_lower_temp(l, how.rows * how.columns * sizeof(float));
    if (!params || temp == WNN_NONE) return none;
    *params = how;
    wnn_step_desc step = {.kernel = "f32_expand_c",
                          .fn = expand_kernel,
                          .inputs = &wide,
                          .outputs = &temp,
                          .input_count = 1,
                          .output_count = 1,
                          .op = node->op,
                          .params = params,
                          .range = how.rows,
                          .grain = wnn_lower_grain(0, 8.0 * (double)how.columns),
                          .bytes = 8.0 * (double)(how.rows * how.columns)};
    wnn_lower_step(l, node, &step);
    wide = temp;
  }
  return how.rows == 1 ? (addend){wide, WNN_NONE} : (addend){WNN_NONE, wide};
}

/* Puts the inputs of the step together and emits it. */
static void finish(wnn_lowering *l, const wnn_node *node, wnn_igemm *igemm, uint32_t a, uint32_t b, uint32_t row,
                   uint32_t matrix, const wnn_fused *fused) {
  uint32_t inputs[4] = {a, b}, count = 2;
  if (row != WNN_NONE && !igemm->init) igemm->init_input = count, inputs[count++] = row;
  if (matrix != WNN_NONE) igemm->residual_input = count, inputs[count++] = matrix;
  igemm->limit = fused->limit, igemm->lo = fused->lo, igemm->hi = fused->hi;
  uint32_t output = wnn_lower_wide_output(l, node->outputs[0]);
  if (matrix == WNN_NONE) { /* which lies like the output */
    igemm->c_row = wnn_lower_place_rows(l, output, igemm->n);
    if (igemm->c_batch) igemm->c_batch = igemm->m * igemm->c_row;
  }
  igemm_step(l, node, igemm, inputs, count, output);
  wnn_lower_narrow(l, node, output, node->outputs[0]);
}

static float round_to(wnn_data_type type, double number) {
  return type == WNN_FLOAT16 ? wnn_f16_to_f32(wnn_f64_to_f16(number)) : (float)number;
}

bool wnn_lower_gemm(wnn_lowering *l, const wnn_node *node) {
  if (!wnn_lower_is_float(l, node->outputs[0])) return false;
  const wnn_gemm_options *options = &((const wnn_gemm_args *)node->args)->options;
  const wnn_desc *a = wnn_lower_desc(l, node->inputs[0]), *output = wnn_lower_desc(l, node->outputs[0]);
  wnn_igemm igemm = {.u = wnn_lower_ukernels(l),
                     .m = output->shape[0],
                     .n = output->shape[1],
                     .k = a->shape[!options->a_transpose],
                     .taps = 1,
                     .groups = 1,
                     .batches = 1,
                     .c_row = output->shape[1]};
  igemm.a_row = igemm.k;
  wnn_fused fused;
  if (!wnn_lower_fused(l, node, igemm.n, &fused)) return false;
  uint32_t c = node->input_count > 2 && node->inputs[2] != WNN_NONE ? node->inputs[2] : WNN_NONE;
  if (c != WNN_NONE && (fused.init != WNN_NONE || fused.residual != WNN_NONE)) return false;

  uint32_t left = wnn_lower_widen(l, node, node->inputs[0]);
  if (options->a_transpose) {
    uint32_t temp = wnn_lower_temp(l, igemm.m * igemm.k * sizeof(float));
    if (temp != WNN_NONE) wnn_lower_transpose(l, node, left, temp, sizeof(float), 1, igemm.k, igemm.m);
    left = temp;
  }
  wnn_data_type type = output->data_type;
  uint32_t panels = pack_b(l, node, node->inputs[1], 1, options->b_transpose, round_to(type, options->alpha), &igemm);
  addend add = {wnn_lower_row(l, node, fused.init, igemm.n, &igemm.init),
                wnn_lower_widen(l, node, fused.residual)};
  if (c != WNN_NONE) add = lower_c(l, node, c, round_to(type, options->beta), &igemm);
  finish(l, node, &igemm, left, panels, add.row, add.matrix, &fused);
  return true;
}

/* Element offsets of an operand's matrices for each batch of the output, matrices `size` elements apart. */
static size_t *batch_offsets(wnn_lowering *l, const wnn_desc *desc, const wnn_desc *output, size_t batches,
                             size_t size) {
  size_t *offsets = wnn_lower_alloc(l, batches * sizeof *offsets);
  if (!offsets) return NULL;
  wnn_desc leading = *desc, target = *output;
  leading.rank -= 2, target.rank -= 2;
  size_t strides[WNN_MAX_RANK], at[WNN_MAX_RANK];
  wnn_shape_broadcast_strides(&leading, &target, strides);
  for (size_t i = 0; i < batches; i++) {
    wnn_shape_unravel(&target, i, at);
    for (uint32_t d = 0; d < target.rank; d++) offsets[i] += at[d] * strides[d] * size;
  }
  return offsets;
}

bool wnn_lower_matmul(wnn_lowering *l, const wnn_node *node) {
  if (!wnn_lower_is_float(l, node->inputs[0])) return wnn_lower_integer_matmul(l, node);
  if (!wnn_lower_is_float(l, node->outputs[0])) return false;
  const wnn_desc *a = wnn_lower_desc(l, node->inputs[0]), *b = wnn_lower_desc(l, node->inputs[1]);
  const wnn_desc *output = wnn_lower_desc(l, node->outputs[0]);
  size_t a_batches = wnn_shape_product(a, 0, a->rank - 2), b_batches = wnn_shape_product(b, 0, b->rank - 2);
  wnn_igemm igemm = {.u = wnn_lower_ukernels(l),
                     .m = a->shape[a->rank - 2],
                     .n = b->shape[b->rank - 1],
                     .k = a->shape[a->rank - 1],
                     .taps = 1,
                     .groups = 1,
                     .batches = wnn_shape_product(output, 0, output->rank - 2)};
  igemm.a_row = igemm.k, igemm.c_row = igemm.n;
  wnn_fused fused;
  if (!wnn_lower_fused(l, node, igemm.n, &fused)) return false;
  if (b_batches == 1 && a_batches == igemm.batches) {
    igemm.m *= a_batches; /* one tall matrix */
    igemm.batches = 1;
  } else {
    igemm.c_batch = igemm.m * igemm.n;
    igemm.a_offsets = batch_offsets(l, a, output, igemm.batches, igemm.m * igemm.k);
    igemm.b_offsets = batch_offsets(l, b, output, igemm.batches, wnn_pack_size(igemm.u, igemm.k, igemm.n));
    if (!igemm.a_offsets || !igemm.b_offsets) return true;
  }
  uint32_t left = wnn_lower_widen(l, node, node->inputs[0]);
  uint32_t panels = pack_b(l, node, node->inputs[1], b_batches, false, 1, &igemm);
  uint32_t row = wnn_lower_row(l, node, fused.init, igemm.n, &igemm.init),
           matrix = wnn_lower_widen(l, node, fused.residual);
  finish(l, node, &igemm, left, panels, row, matrix, &fused);
  return true;
}
