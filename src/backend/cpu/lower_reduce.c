/* Reductions, argMin and argMax, cumulative sums of floats. */
#include <math.h>
#include <string.h>
#include <webnn/webnn_ops.h>

#include "backend/cpu/lower.h"
#include "backend/cpu/lower_float.h"

/* ---- Reductions ---- */

/* The dimensions, merged: those of the output and those reduced, each with its stride in the input. The innermost one
 * stands apart: `run` elements that are reduced, or `columns` of the output. */
typedef struct reduce_params {
  const wnn_ukernels *u;
  uint32_t op;
  wnn_fold fold;
  uint32_t kept_rank, reduced_rank;
  size_t kept[WNN_MAX_RANK], kept_strides[WNN_MAX_RANK], reduced[WNN_MAX_RANK], reduced_strides[WNN_MAX_RANK];
  size_t run, columns;
  size_t chunk, chunks; /* of columns; a unit is a chunk */
  size_t count;         /* elements for one of the output */
  size_t piece, pieces; /* of them, where one of the output is the work of several threads */
} reduce_params;

/* Offset of element number `index` of some dimensions. */
static size_t offset_of(uint32_t rank, const size_t *dims, const size_t *strides, size_t index) {
  size_t offset = 0;
  for (uint32_t d = rank; d-- > 0; index /= dims[d]) offset += index % dims[d] * strides[d];
  return offset;
}

static double start_of(wnn_fold fold) {
  switch (fold) {
  case WNN_FOLD_PRODUCT: return 1;
  case WNN_FOLD_MAX: return -INFINITY;
  case WNN_FOLD_MIN: return INFINITY;
  default: return 0;
  }
}

static float finished(const reduce_params *p, double x) {
  switch (p->op) {
  case WNN_OP_REDUCE_L2: return (float)sqrt(x);
  case WNN_OP_REDUCE_LOG_SUM: return (float)log(x);
  case WNN_OP_REDUCE_MEAN: return (float)(x / (double)p->count);
  default: return (float)x;
  }
}

/* Of elements first .. last - 1 among those that are reduced. */
static double fold_range(const reduce_params *p, wnn_fold fold, const float *from, size_t first, size_t last,
                         double shift) {
  double result = start_of(fold);
  while (first < last) {
    size_t at = first % p->run, n = p->run - at < last - first ? p->run - at : last - first;
    size_t offset = offset_of(p->reduced_rank, p->reduced, p->reduced_strides, first / p->run) + at;
    p->u->f32_fold(fold, n, from + offset, shift, &result);
    first += n;
  }
  return result;
}

static void reduce_runs(const wnn_task *task, size_t begin, size_t end, void *scratch) {
  (void)scratch;
  const reduce_params *p = task->params;
  float *to = task->outputs[0].data;
  for (size_t i = begin; i < end; i++) {
    const float *from = (const float *)task->inputs[0].data + offset_of(p->kept_rank, p->kept, p->kept_strides, i);
    double value = fold_range(p, p->op == WNN_OP_REDUCE_LOG_SUM_EXP ? WNN_FOLD_MAX : p->fold, from, 0, p->count, 0);
    if (p->op == WNN_OP_REDUCE_LOG_SUM_EXP)
      to[i] =
          isfinite(value) ? (float)(value + log(fold_range(p, WNN_FOLD_EXP, from, 0, p->count, value))) : (float)value;
    else
      to[i] = finished(p, value);
  }
}

/* Sums and means of short runs one after the other. */
static void reduce_short_runs(const wnn_task *task, size_t begin, size_t end, void *scratch) {
  (void)scratch;
  const reduce_params *p = task->params;
  const float *from = task->inputs[0].data;
  p->u->f32_mean_runs(end - begin, p->run, from + begin * p->run, p->op == WNN_OP_REDUCE_MEAN ? (float)p->count : 1.0f,
                      (float *)task->outputs[0].data + begin);
}

/* Units: pieces of the elements for one of the output. */
static void reduce_pieces(const wnn_task *task, size_t begin, size_t end, void *scratch) {
  (void)scratch;
  const reduce_params *p = task->params;
  double *to = task->outputs[0].data;
  for (size_t unit = begin; unit < end; unit++) {
    size_t first = unit % p->pieces * p->piece, last = p->count - first < p->piece ? p->count : first + p->piece;
    const float *from =
        (const float *)task->inputs[0].data + offset_of(p->kept_rank, p->kept, p->kept_strides, unit / p->pieces);
    to[unit] = fold_range(p, p->fold, from, first, last, 0);
  }
}

static double merged(wnn_fold fold, double a, double b) {
  switch (fold) {
  case WNN_FOLD_PRODUCT: return a * b;
  case WNN_FOLD_MAX: return isnan(a) || a > b ? a : b;
  case WNN_FOLD_MIN: return isnan(a) || a < b ? a : b;
  default: return a + b;
  }
}

static void join_pieces(const wnn_task *task, size_t begin, size_t end, void *scratch) {
  (void)scratch;
  const reduce_params *p = task->params;
  const double *from = task->inputs[0].data;
  for (size_t i = begin; i < end; i++) {
    double value = from[i * p->pieces];
    for (size_t k = 1; k < p->pieces; k++) value = merged(p->fold, value, from[i * p->pieces + k]);
    ((float *)task->outputs[0].data)[i] = finished(p, value);
  }
}

/* The greatest of each column, then the powers row by row. Scratch: sums, then two rows of floats. */
static void log_sum_exp_columns(const reduce_params *p, const float *from, size_t columns, double *sums, float *to) {
  static const wnn_vstep steps[] = {{WNN_VF_SUB, 2, {0, 1, 0}, {0}, {0}}, {WNN_VF_EXP, 2, {2, 2, 2}, {0}, {0}}};
  float *greatest = (float *)(sums + p->chunk), *powers = greatest + p->chunk;
  wnn_vreg registers[] = {{NULL, WNN_SPREAD_EACH}, {greatest, WNN_SPREAD_EACH}, {powers, WNN_SPREAD_EACH}};
  const uint32_t last = p->reduced_rank - 1;
  for (size_t c = 0; c < columns; c++) sums[c] = -INFINITY;
  for (size_t i = 0; i < p->count / p->reduced[last]; i++)
    p->u->f32_fold_rows(WNN_FOLD_MAX, p->reduced[last], columns,
                        from + offset_of(last, p->reduced, p->reduced_strides, i), p->reduced_strides[last], sums);
  for (size_t c = 0; c < columns; c++) greatest[c] = (float)sums[c], sums[c] = 0;
  for (size_t i = 0; i < p->count; i++) {
    size_t offset = offset_of(p->reduced_rank, p->reduced, p->reduced_strides, i);
    memcpy(powers, from + offset, columns * sizeof *powers);
    registers[0].data = powers;
    p->u->vector_program(steps, 2, registers, 1, columns);
    p->u->f32_fold_rows(WNN_FOLD_SUM, 1, columns, powers, columns, sums);
  }
  for (size_t c = 0; c < columns; c++)
    to[c] = isfinite(greatest[c]) ? (float)((double)greatest[c] + log(sums[c])) : greatest[c];
}

/* The innermost reduced dimension is that of the rows. */
static void reduce_columns(const wnn_task *task, size_t begin, size_t end, void *scratch) {
  const reduce_params *p = task->params;
  double *sums = scratch;
  const uint32_t last = p->reduced_rank - 1;
  for (size_t unit = begin; unit < end; unit++) {
    size_t first = unit % p->chunks * p->chunk, outer = unit / p->chunks;
    size_t columns = p->columns - first < p->chunk ? p->columns - first : p->chunk;
    const float *from =
        (const float *)task->inputs[0].data + offset_of(p->kept_rank, p->kept, p->kept_strides, outer) + first;
    float *to = (float *)task->outputs[0].data + outer * p->columns + first;
    if (p->op == WNN_OP_REDUCE_LOG_SUM_EXP) {
      log_sum_exp_columns(p, from, columns, sums, to);
      continue;
    }
    for (size_t c = 0; c < columns; c++) sums[c] = start_of(p->fold);
    for (size_t i = 0; i < p->count / p->reduced[last]; i++)
      p->u->f32_fold_rows(p->fold, p->reduced[last], columns, from + offset_of(last, p->reduced, p->reduced_strides, i),
                          p->reduced_strides[last], sums);
    for (size_t c = 0; c < columns; c++) to[c] = finished(p, sums[c]);
  }
}

static wnn_fold fold_of(uint32_t op) {
  switch (op) {
  case WNN_OP_REDUCE_L1: return WNN_FOLD_ABS;
  case WNN_OP_REDUCE_L2:
  case WNN_OP_REDUCE_SUM_SQUARE: return WNN_FOLD_SQUARE;
  case WNN_OP_REDUCE_LOG_SUM_EXP: return WNN_FOLD_EXP;
  case WNN_OP_REDUCE_MAX: return WNN_FOLD_MAX;
  case WNN_OP_REDUCE_MIN: return WNN_FOLD_MIN;
  case WNN_OP_REDUCE_PRODUCT: return WNN_FOLD_PRODUCT;
  default: return WNN_FOLD_SUM;
  }
}

static void split_dimensions(reduce_params *p, const wnn_desc *desc, const wnn_u32_list *axes) {
  size_t strides[WNN_MAX_RANK];
  uint32_t mask = 0;
  wnn_shape_strides(desc, strides);
  for (uint32_t i = 0; i < axes->count; i++) mask |= 1u << axes->data[i];
  bool last_reduced = true, any = false;
  for (uint32_t d = 0; d < desc->rank; d++) {
    if (desc->shape[d] == 1) continue;
    bool reduced = mask >> d & 1, joins = any && reduced == last_reduced;
    uint32_t *rank = reduced ? &p->reduced_rank : &p->kept_rank;
    size_t *dims = reduced ? p->reduced : p->kept, *steps = reduced ? p->reduced_strides : p->kept_strides;
    if (!joins) dims[(*rank)++] = 1;
    dims[*rank - 1] *= desc->shape[d];
    steps[*rank - 1] = strides[d];
    if (reduced) p->count *= desc->shape[d];
    last_reduced = reduced, any = true;
  }
  p->run = p->columns = 1;
  if (any && !last_reduced && p->reduced_rank)
    p->columns = p->kept[--p->kept_rank];
  else if (any && last_reduced)
    p->run = p->reduced[--p->reduced_rank];
}

enum { PIECE = 32768 }; /* elements, as the work of one thread */

bool wnn_lower_reduce(wnn_lowering *l, const wnn_node *node) {
  if (!wnn_lower_is_float(l, node->inputs[0])) return false;
  const wnn_desc *desc = wnn_lower_desc(l, node->inputs[0]);
  const wnn_reduce_options *options = node->args; /* first in the argument struct of every reduction */
  reduce_params *p = wnn_lower_alloc(l, sizeof *p);
  if (!p) return true;
  *p = (reduce_params){.u = wnn_lower_ukernels(l), .op = node->op, .fold = fold_of(node->op), .count = 1};
  split_dimensions(p, desc, &options->axes);
  bool columns = p->columns > 1;
  uint32_t from = wnn_lower_widen(l, node, node->inputs[0]), to = wnn_lower_wide_output(l, node->outputs[0]);
  if (from == WNN_NONE || to == WNN_NONE) return true;
  size_t outer = 1, most = 512, threads = wnn_lower_threads(l);
  for (uint32_t d = 0; d < p->kept_rank; d++) outer *= p->kept[d];
  p->chunk = p->columns;
  if (outer < 2 * threads) p->chunk = ((p->columns + threads - 1) / threads + 63) / 64 * 64;
  if (p->chunk > most) p->chunk = most;
  p->chunks = (p->columns + p->chunk - 1) / p->chunk;
  double elements = (double)wnn_elements(desc), flops = elements * (p->fold == WNN_FOLD_EXP ? 30 : 2);
  if (!columns && outer < threads && p->fold != WNN_FOLD_EXP) {
    p->piece = PIECE;
    p->pieces = (p->count + PIECE - 1) / PIECE;
  }
  bool pieces = p->pieces > 1;
  bool brief = !columns && !p->reduced_rank && p->kept_rank <= 1 && p->run <= WNN_SHORT_RUN &&
               (node->op == WNN_OP_REDUCE_SUM || node->op == WNN_OP_REDUCE_MEAN);
  size_t units = outer * (pieces ? p->pieces : p->chunks);
  uint32_t parts = pieces ? wnn_lower_temp(l, units * sizeof(double)) : WNN_NONE;
  if (pieces && parts == WNN_NONE) return true;
  wnn_step_desc step = {.kernel = columns ? "f32_reduce_columns" : "f32_reduce_runs",
                        .fn = columns  ? reduce_columns
                              : pieces ? reduce_pieces
                              : brief  ? reduce_short_runs
                                       : reduce_runs,
                        .inputs = &from,
                        .outputs = pieces ? &parts : &to,
                        .input_count = 1,
                        .output_count = 1,
                        .op = node->op,
                        .params = p,
                        .range = units,
                        .grain = wnn_lower_grain(flops / (double)units, 4 * elements / (double)units),
                        .scratch = columns ? p->chunk * (sizeof(double) + 2 * sizeof(float)) : 0,
                        .flops = flops,
                        .bytes = 4 * elements};
  wnn_lower_step(l, node, &step);
  if (pieces) {
    step = (wnn_step_desc){.kernel = "f32_reduce_pieces",
                           .fn = join_pieces,
                           .inputs = &parts,
                           .outputs = &to,
                           .input_count = 1,
                           .output_count = 1,
                           .op = node->op,
                           .params = p,
                           .range = outer,
                           .flops = (double)units,
                           .bytes = 8.0 * (double)units};
    wnn_lower_step(l, node, &step);
  }
  wnn_lower_narrow(l, node, to, node->outputs[0]);
  return true;
}

/* ---- Index of the extreme element ---- */

typedef struct arg_params {
  const wnn_ukernels *u;
  bool greatest, wide; /* indices of 64 bits */
  size_t extent, inner, chunk, chunks;
} arg_params;

static void put_index(const arg_params *p, void *to, size_t i, size_t index) {
  if (p->wide)
    ((int64_t *)to)[i] = (int64_t)index;
  else
    ((int32_t *)to)[i] = (int32_t)index;
}

static void arg_kernel(const wnn_task *task, size_t begin, size_t end, void *scratch) {
  const arg_params *p = task->params;
  const float *from = task->inputs[0].data;
  int32_t *found = scratch;
  for (size_t i = begin; i < end; i++) {
    if (p->inner == 1) {
      size_t index;
      p->u->f32_arg(p->greatest, p->extent, from + i * p->extent, &index);
      put_index(p, task->outputs[0].data, i, index);
      continue;
    }
    size_t outer = i / p->chunks, first = i % p->chunks * p->chunk;
    size_t columns = p->inner - first < p->chunk ? p->inner - first : p->chunk;
    p->u->f32_arg_columns(p->greatest, p->extent, columns, from + outer * p->extent * p->inner + first, p->inner,
                          found);
    for (size_t c = 0; c < columns; c++)
      put_index(p, task->outputs[0].data, outer * p->inner + first + c, (size_t)found[c]);
  }
}

bool wnn_lower_arg(wnn_lowering *l, const wnn_node *node) {
  if (!wnn_lower_is_float(l, node->inputs[0])) return false;
  const wnn_desc *desc = wnn_lower_desc(l, node->inputs[0]);
  uint32_t axis = ((const wnn_arg_min_max_args *)node->args)->axis;
  arg_params *p = wnn_lower_alloc(l, sizeof *p);
  uint32_t from = wnn_lower_widen(l, node, node->inputs[0]);
  if (!p || from == WNN_NONE) return true;
  *p = (arg_params){.u = wnn_lower_ukernels(l),
                    .greatest = node->op == WNN_OP_ARG_MAX,
                    .wide = wnn_data_type_size(wnn_lower_desc(l, node->outputs[0])->data_type) == 8,
                    .extent = desc->shape[axis],
                    .inner = wnn_shape_product(desc, axis + 1, desc->rank),
                    .chunk = 64};
  p->chunks = p->inner == 1 ? 1 : (p->inner + p->chunk - 1) / p->chunk;
  size_t units = wnn_shape_product(desc, 0, axis) * p->chunks;
  double elements = (double)wnn_elements(desc);
  wnn_step_desc step = {.kernel = "f32_arg",
                        .fn = arg_kernel,
                        .inputs = &from,
                        .outputs = node->outputs,
                        .input_count = 1,
                        .output_count = 1,
                        .op = node->op,
                        .params = p,
                        .range = units,
                        .grain = wnn_lower_grain(0, 6 * elements / (double)units),
                        .scratch = p->chunk * sizeof(int32_t),
                        .flops = elements,
                        .bytes = 4 * elements};
  wnn_lower_step(l, node, &step);
  return true;
}

/* ---- Cumulative sums ---- */

typedef struct cumulative_params {
  size_t extent, inner, chunk, chunks;
  bool exclusive, reversed;
} cumulative_params;

static void cumulative_kernel(const wnn_task *task, size_t begin, size_t end, void *scratch) {
  const cumulative_params *p = task->params;
  double *sums = scratch;
  for (size_t i = begin; i < end; i++) {
    size_t first = i % p->chunks * p->chunk, at = i / p->chunks * p->extent * p->inner + first;
    size_t columns = p->inner - first < p->chunk ? p->inner - first : p->chunk;
    for (size_t c = 0; c < columns; c++) sums[c] = 0;
    for (size_t k = 0; k < p->extent; k++) {
      size_t row = at + (p->reversed ? p->extent - 1 - k : k) * p->inner;
      const float *from = (const float *)task->inputs[0].data + row;
      float *to = (float *)task->outputs[0].data + row;
      for (size_t c = 0; c < columns; c++) {
        double before = sums[c];
        sums[c] += (double)from[c];
        to[c] = (float)(p->exclusive ? before : sums[c]);
      }
    }
  }
}

bool wnn_lower_cumulative_sum(wnn_lowering *l, const wnn_node *node) {
  if (!wnn_lower_is_float(l, node->inputs[0])) return false;
  const wnn_desc *desc = wnn_lower_desc(l, node->inputs[0]);
  const wnn_cumulative_sum_args *args = node->args;
  cumulative_params *p = wnn_lower_alloc(l, sizeof *p);
  uint32_t from = wnn_lower_widen(l, node, node->inputs[0]), to = wnn_lower_wide_output(l, node->outputs[0]);
  if (!p || from == WNN_NONE || to == WNN_NONE) return true;
  *p = (cumulative_params){.extent = desc->shape[args->axis],
                           .inner = wnn_shape_product(desc, args->axis + 1, desc->rank),
                           .chunk = 128,
                           .exclusive = args->options.exclusive,
                           .reversed = args->options.reversed};
  p->chunks = (p->inner + p->chunk - 1) / p->chunk;
  size_t units = wnn_shape_product(desc, 0, args->axis) * p->chunks;
  double elements = (double)wnn_elements(desc);
  wnn_step_desc step = {.kernel = "f32_cumulative_sum",
                        .fn = cumulative_kernel,
                        .inputs = &from,
                        .outputs = &to,
                        .input_count = 1,
                        .output_count = 1,
                        .op = node->op,
                        .params = p,
                        .range = units,
                        .grain = wnn_lower_grain(20 * elements / (double)units, 0),
                        .scratch = p->chunk * sizeof(double),
                        .in_place = true,
                        .flops = 20 * elements,
                        .bytes = 8 * elements};
  wnn_lower_step(l, node, &step);
  wnn_lower_narrow(l, node, to, node->outputs[0]);
  return true;
}
