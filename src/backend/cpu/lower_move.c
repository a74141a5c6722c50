/* Data movement: strided copies that serve transpose, expand, tile, slice, reverse, concat and split; pad; triangular;
 * gather. */
#include "backend/cpu/lower_move.h"

#include <string.h>
#include <webnn/webnn_ops.h>

#include "backend/cpu/lower.h"
#include "kernels/index.h"
#include "kernels/ukernels.h"

/* ---- Strided copies ---- */

typedef enum copy_mode { RUNS, TRANSPOSE, ELEMENTS } copy_mode;
/* Units of fewer elements are copied element by element across units, so many units at a time as stay in a level 1
 * cache. */
enum { FEW_ELEMENTS = 8, NEAR_UNITS = 256 };

typedef struct copy_params {
  const wnn_ukernels *u;
  copy_mode mode;
  uint32_t size, rank; /* of the dimensions outside a unit */
  size_t dims[WNN_COPY_RANK], from[WNN_COPY_RANK], to[WNN_COPY_RANK];
  size_t from_base, to_base;
  size_t count, step;          /* innermost dimension: elements, and stride of the source; the target's is 1 */
  size_t piece;                /* of it in a unit */
  size_t columns, column_step; /* TRANSPOSE: the dimension that is innermost in the source, its stride in the target */
  size_t column_piece, column_pieces;
  size_t pieces; /* units of one index outside */
  bool joined;   /* units along the last dimension outside are copied together */
} copy_params;

/* `runs` runs of so many bytes, from_step and to_step bytes apart (modulo 2^64: they may go backwards). Short ones are
 * copied without a call: as one power of two, or as two of them that overlap. */
static void copy_runs(char *restrict to, size_t to_step, const char *restrict from, size_t from_step, size_t bytes,
                      size_t runs) {
#define MOVE(at, n) memcpy(to + (ptrdiff_t)(i * to_step) + (at), from + (ptrdiff_t)(i * from_step) + (at), n)
#define RUNS_OF(n)                                                                                                     \
  if (bytes == (n)) {                                                                                                  \
    for (size_t i = 0; i < runs; i++) MOVE(0, n);                                                                      \
    return;                                                                                                            \
  }                                                                                                                    \
  if (bytes < 2 * (n)) {                                                                                               \
    for (size_t i = 0; i < runs; i++) MOVE(0, n), MOVE(bytes - (n), n);                                                \
    return;                                                                                                            \
  }
  RUNS_OF(1)
  RUNS_OF(2)
  RUNS_OF(4)
  RUNS_OF(8)
  RUNS_OF(16)
  RUNS_OF(32)
  for (size_t i = 0; i < runs; i++) MOVE(0, bytes);
#undef RUNS_OF
#undef MOVE
}

static void copy_elements(char *to, const char *from, size_t count, size_t step, size_t size) {
  if (!step && size == 1)
    memset(to, *(const unsigned char *)from, count);
  else
    copy_runs(to, size, from, step * size, size, count);
}

static size_t part_of(size_t whole, size_t piece, size_t first) {
  return whole - first < piece ? whole - first : piece;
}

static void copy_unit(const copy_params *p, const char *from, char *to, size_t unit) {
  const size_t first = unit / p->column_pieces * p->piece, column = unit % p->column_pieces * p->column_piece;
  const size_t count = part_of(p->count, p->piece, first), columns = part_of(p->columns, p->column_piece, column);
  to += (first + column * p->column_step) * p->size;
  from += (ptrdiff_t)((first * p->step + column) * p->size);
  if (p->mode == RUNS) {
    memcpy(to, from, count * p->size);
  } else if (p->mode == ELEMENTS) {
    copy_elements(to, from, count, p->step, p->size);
  } else {
    switch (p->size) {
    case 1: p->u->transpose_1(count, columns, from, p->step, to, p->column_step); break;
    case 2: p->u->transpose_2(count, columns, from, p->step, to, p->column_step); break;
    case 4: p->u->f32_transpose(count, columns, (const float *)from, p->step, (float *)to, p->column_step); break;
    default: p->u->transpose_8(count, columns, from, p->step, to, p->column_step); break;
    }
  }
}

/* n whole units that follow each other in the last dimension outside. */
static void copy_units(const copy_params *p, const char *from, char *to, size_t n) {
  const size_t size = p->size, from_step = p->from[p->rank - 1] * size, to_step = p->to[p->rank - 1] * size;
  if (p->mode == RUNS) {
    copy_runs(to, to_step, from, from_step, p->count * size, n);
  } else if (p->count >= FEW_ELEMENTS || p->count >= n) {
    for (size_t i = 0; i < n; i++)
      copy_elements(to + i * to_step, from + (ptrdiff_t)(i * from_step), p->count, p->step, size);
  } else { /* loops across units are longer than those within */
    for (size_t i = 0; i < n; i += NEAR_UNITS) {
      const size_t near = part_of(n, NEAR_UNITS, i);
      for (size_t k = 0; k < p->count; k++)
        copy_runs(to + i * to_step + k * size, to_step, from + (ptrdiff_t)(i * from_step + k * p->step * size),
                  from_step, size, near);
    }
  }
}

static void copy_kernel(const wnn_task *task, size_t begin, size_t end, void *scratch) {
  (void)scratch;
  const copy_params *p = task->params;
  size_t at[WNN_COPY_RANK], from = p->from_base, to = p->to_base, piece = begin % p->pieces, rest = begin / p->pieces;
  for (uint32_t d = p->rank; d-- > 0; rest /= p->dims[d]) {
    at[d] = rest % p->dims[d];
    from += at[d] * p->from[d];
    to += at[d] * p->to[d];
  }
  for (size_t unit = begin; unit < end; unit++) {
    const char *source = (const char *)task->inputs[0].data + from * p->size;
    char *target = (char *)task->outputs[0].data + to * p->size;
    if (p->joined) {
      const uint32_t d = p->rank - 1;
      const size_t n = part_of(p->dims[d], end - unit, at[d]), more = n - 1;
      copy_units(p, source, target, n);
      unit += more, at[d] += more, from += more * p->from[d], to += more * p->to[d];
    } else {
      copy_unit(p, source, target, piece);
      if (++piece < p->pieces) continue;
      piece = 0;
    }
    for (uint32_t d = p->rank; d-- > 0;) {
      from += p->from[d], to += p->to[d];
      if (++at[d] < p->dims[d]) break;
      from -= p->dims[d] * p->from[d], to -= p->dims[d] * p->to[d];
      at[d] = 0;
    }
  }
}

/* Drops dimensions of size 1 and merges those that follow each other in both views. */
static void merge(copy_params *p, const wnn_copy *copy) {
  size_t dense[WNN_COPY_RANK], step = 1;
  for (uint32_t d = copy->rank; d-- > 0; step *= copy->dims[d]) dense[d] = step;
  for (uint32_t d = 0; d < copy->rank; d++) {
    size_t size = copy->dims[d], from = copy->from ? copy->from[d] : dense[d], to = copy->to ? copy->to[d] : dense[d];
    if (size == 1) continue;
    uint32_t last = p->rank - 1;
    if (!p->rank || p->from[last] != from * size || p->to[last] != to * size) {
      p->dims[p->rank] = 1;
      last = p->rank++;
    }
    p->dims[last] *= size, p->from[last] = from, p->to[last] = to;
  }
}

static void remove_dimension(copy_params *p, uint32_t at) {
  p->rank--;
  for (uint32_t d = at; d < p->rank; d++)
    p->dims[d] = p->dims[d + 1], p->from[d] = p->from[d + 1], p->to[d] = p->to[d + 1];
}

void wnn_lower_copy(wnn_lowering *l, const wnn_node *node, uint32_t from, uint32_t to, const wnn_copy *copy) {
  copy_params *p = wnn_lower_alloc(l, sizeof *p);
  if (!p) return;
  *p = (copy_params){
      .u = wnn_lower_ukernels(l), .size = copy->size, .from_base = copy->from_base, .to_base = copy->to_base};
  merge(p, copy);
  p->count = 1, p->step = 1, p->mode = RUNS, p->columns = p->column_piece = p->column_pieces = 1;
  if (p->rank && p->to[p->rank - 1] == 1) {
    p->count = p->dims[p->rank - 1];
    p->step = p->from[p->rank - 1];
    p->rank--;
  }
  if (p->step != 1) {
    p->mode = ELEMENTS;
    for (uint32_t d = 0; d < p->rank; d++) {
      if (p->from[d] != 1 || !p->step || p->dims[d] < 4 || p->count < 4) continue;
      p->mode = TRANSPOSE;
      p->columns = p->dims[d];
      p->column_step = p->to[d];
      remove_dimension(p, d);
      break;
    }
  }
  double bytes = 2.0 * p->size * (double)p->count * (double)p->columns;
  p->piece = p->mode == TRANSPOSE ? 64 : 16384 / p->size; /* as many rows as pages are at hand */
  if (p->mode == TRANSPOSE) {
    p->column_piece = p->count < p->piece ? 16384 / p->count / 16 * 16 : 256;
    p->column_pieces = (p->columns + p->column_piece - 1) / p->column_piece;
  }
  p->pieces = (p->count + p->piece - 1) / p->piece * p->column_pieces;
  p->joined = p->mode != TRANSPOSE && p->pieces == 1 && p->rank;
  size_t units = p->pieces;
  for (uint32_t d = 0; d < p->rank; d++) units *= p->dims[d];
  static const char *const names[] = {"copy_runs", "copy_transposed", "copy_elements"};
  double per_unit = bytes / (double)p->pieces;
  if (p->mode == ELEMENTS) per_unit *= 4;
  per_unit += p->joined ? 4 + 40 / (double)p->dims[p->rank - 1] : 40;
  wnn_step_desc step = {.kernel = names[p->mode],
                        .fn = copy_kernel,
                        .inputs = &from,
                        .outputs = &to,
                        .input_count = 1,
                        .output_count = 1,
                        .op = node->op,
                        .params = p,
                        .range = units,
                        .grain = wnn_lower_grain(0, per_unit),
                        .bytes = bytes / (double)p->pieces * (double)units};
  wnn_lower_step(l, node, &step);
}

/* ---- Operations that are one strided copy ---- */

static uint32_t size_of(const wnn_lowering *l, uint32_t value) {
  return (uint32_t)wnn_data_type_size(wnn_lower_desc(l, value)->data_type);
}

static void widen_dims(const wnn_desc *desc, size_t dims[WNN_MAX_RANK]) {
  for (uint32_t i = 0; i < desc->rank; i++) dims[i] = desc->shape[i];
}

bool wnn_lower_transposed(wnn_lowering *l, const wnn_node *node) {
  const wnn_u32_list *order = &((const wnn_transpose_args *)node->args)->options.permutation;
  const wnn_desc *in = wnn_lower_desc(l, node->inputs[0]), *out = wnn_lower_desc(l, node->outputs[0]);
  size_t dims[WNN_MAX_RANK], strides[WNN_MAX_RANK], from[WNN_MAX_RANK];
  widen_dims(out, dims);
  wnn_shape_strides(in, strides);
  for (uint32_t i = 0; i < out->rank; i++) from[i] = strides[order->data[i]];
  wnn_lower_copy(l, node, node->inputs[0], node->outputs[0],
                 &(wnn_copy){.size = size_of(l, node->inputs[0]), .rank = out->rank, .dims = dims, .from = from});
  return true;
}

bool wnn_lower_expand(wnn_lowering *l, const wnn_node *node) {
  const wnn_desc *out = wnn_lower_desc(l, node->outputs[0]);
  size_t dims[WNN_MAX_RANK], from[WNN_MAX_RANK];
  widen_dims(out, dims);
  wnn_shape_broadcast_strides(wnn_lower_desc(l, node->inputs[0]), out, from);
  wnn_lower_copy(l, node, node->inputs[0], node->outputs[0],
                 &(wnn_copy){.size = size_of(l, node->inputs[0]), .rank = out->rank, .dims = dims, .from = from});
  return true;
}

bool wnn_lower_tile(wnn_lowering *l, const wnn_node *node) {
  const wnn_desc *in = wnn_lower_desc(l, node->inputs[0]);
  const wnn_u32_list *repetitions = &((const wnn_tile_args *)node->args)->repetitions;
  size_t dims[WNN_COPY_RANK], from[WNN_COPY_RANK], strides[WNN_MAX_RANK];
  wnn_shape_strides(in, strides);
  for (uint32_t i = 0; i < in->rank; i++) {
    dims[2 * i] = repetitions->data[i], from[2 * i] = 0;
    dims[2 * i + 1] = in->shape[i], from[2 * i + 1] = strides[i];
  }
  wnn_lower_copy(l, node, node->inputs[0], node->outputs[0],
                 &(wnn_copy){.size = size_of(l, node->inputs[0]), .rank = 2 * in->rank, .dims = dims, .from = from});
  return true;
}

bool wnn_lower_reverse(wnn_lowering *l, const wnn_node *node) {
  const wnn_u32_list *axes = &((const wnn_reverse_args *)node->args)->options.axes;
  const wnn_desc *in = wnn_lower_desc(l, node->inputs[0]);
  size_t dims[WNN_MAX_RANK], from[WNN_MAX_RANK], base = 0;
  widen_dims(in, dims);
  wnn_shape_strides(in, from);
  for (uint32_t i = 0; i < axes->count; i++) {
    uint32_t axis = axes->data[i];
    base += (in->shape[axis] - 1) * from[axis];
    from[axis] = 0 - from[axis];
  }
  wnn_lower_copy(
      l, node, node->inputs[0], node->outputs[0],
      &(wnn_copy){
          .size = size_of(l, node->inputs[0]), .rank = in->rank, .dims = dims, .from = from, .from_base = base});
  return true;
}

bool wnn_lower_slice(wnn_lowering *l, const wnn_node *node) {
  if (wnn_lower_slice_alias(l, node)) return true;
  const wnn_slice_args *args = node->args;
  const wnn_desc *in = wnn_lower_desc(l, node->inputs[0]), *out = wnn_lower_desc(l, node->outputs[0]);
  size_t dims[WNN_MAX_RANK], from[WNN_MAX_RANK], base = 0;
  widen_dims(out, dims);
  wnn_shape_strides(in, from);
  for (uint32_t i = 0; i < in->rank; i++) {
    base += args->starts.data[i] * from[i];
    from[i] *= args->options.strides.data[i];
  }
  wnn_lower_copy(
      l, node, node->inputs[0], node->outputs[0],
      &(wnn_copy){
          .size = size_of(l, node->inputs[0]), .rank = out->rank, .dims = dims, .from = from, .from_base = base});
  return true;
}

bool wnn_lower_split(wnn_lowering *l, const wnn_node *node) {
  if (wnn_lower_split_alias(l, node)) return true;
  const wnn_desc *in = wnn_lower_desc(l, node->inputs[0]);
  uint32_t axis = ((const wnn_split_args *)node->args)->options.axis;
  size_t dims[WNN_MAX_RANK], from[WNN_MAX_RANK], base = 0;
  wnn_shape_strides(in, from);
  for (uint32_t i = 0; i < node->output_count; i++) {
    const wnn_desc *out = wnn_lower_desc(l, node->outputs[i]);
    widen_dims(out, dims);
    wnn_lower_copy(
        l, node, node->inputs[0], node->outputs[i],
        &(wnn_copy){
            .size = size_of(l, node->inputs[0]), .rank = out->rank, .dims = dims, .from = from, .from_base = base});
    base += out->shape[axis] * from[axis];
  }
  return true;
}

bool wnn_lower_concat(wnn_lowering *l, const wnn_node *node) {
  const wnn_desc *out = wnn_lower_desc(l, node->outputs[0]);
  uint32_t axis = ((const wnn_concat_args *)node->args)->axis, size = size_of(l, node->outputs[0]);
  bool joined = wnn_shape_product(out, 0, axis) == 1; /* the parts follow each other in memory */
  size_t dims[WNN_MAX_RANK], to[WNN_MAX_RANK], base = 0;
  wnn_shape_strides(out, to);
  for (uint32_t i = 0; i < node->input_count; i++) {
    const wnn_desc *in = wnn_lower_desc(l, node->inputs[i]);
    /* Whoever makes a part may write it where it belongs. */
    if (joined && wnn_lower_is_own(l, node->inputs[i])) {
      wnn_lower_alias(l, node->inputs[i], node->outputs[0], base * size);
    } else if (joined || !wnn_lower_is_placed(l, node->inputs[i], node->outputs[0])) {
      widen_dims(in, dims);
      wnn_lower_copy(l, node, node->inputs[i], node->outputs[0],
                     &(wnn_copy){.size = size, .rank = in->rank, .dims = dims, .to = to, .to_base = base});
    }
    base += in->shape[axis] * to[axis];
  }
  return true;
}

/* ---- Pad ---- */

typedef struct pad_params {
  uint32_t size, rank; /* of the dimensions outside a run */
  size_t in[WNN_MAX_RANK], out[WNN_MAX_RANK], before[WNN_MAX_RANK], strides[WNN_MAX_RANK];
  size_t run, run_before, run_out; /* innermost, with the dimensions behind it that have no padding */
  size_t unit;                     /* elements that are padded as one */
  wnn_padding_mode mode;
  uint64_t fill;
} pad_params;

#define OUTSIDE SIZE_MAX
static size_t pad_source(size_t at, size_t before, size_t size, wnn_padding_mode mode) {
  if (at >= before && at - before < size) return at - before;
  bool front = at < before;
  switch (mode) {
  case WNN_PADDING_MODE_EDGE: return front ? 0 : size - 1;
  case WNN_PADDING_MODE_REFLECTION: return front ? before - at : 2 * (size - 1) - (at - before);
  default: return OUTSIDE;
  }
}

static void pad_fill(const pad_params *p, char *to, size_t count) {
  if (!p->fill)
    memset(to, 0, count * p->size);
  else
    copy_elements(to, (const char *)&p->fill, count, 0, p->size);
}

/* A stretch of the border of a row: elements first .. last - 1 of it. */
static void pad_border(const pad_params *p, const char *from, char *to, size_t first, size_t last) {
  if (p->mode == WNN_PADDING_MODE_CONSTANT) {
    pad_fill(p, to + first * p->unit * p->size, (last - first) * p->unit);
    return;
  }
  size_t bytes = p->unit * p->size;
  for (size_t i = first; i < last; i++)
    memcpy(to + i * bytes, from + pad_source(i, p->run_before, p->run, p->mode) * bytes, bytes);
}

/* Units: rows of the output. */
static void pad_kernel(const wnn_task *task, size_t begin, size_t end, void *scratch) {
  (void)scratch;
  const pad_params *p = task->params;
  size_t row_bytes = p->run_out * p->unit * p->size, bytes = p->unit * p->size;
  for (size_t row = begin; row < end; row++) {
    size_t rest = row, from = 0;
    for (uint32_t d = p->rank; d-- > 0; rest /= p->out[d]) {
      size_t source = pad_source(rest % p->out[d], p->before[d], p->in[d], p->mode);
      from = source == OUTSIDE || from == OUTSIDE ? OUTSIDE : from + source * p->strides[d];
    }
    char *to = (char *)task->outputs[0].data + row * row_bytes;
    if (from == OUTSIDE) {
      pad_fill(p, to, p->run_out * p->unit);
      continue;
    }
    const char *source = (const char *)task->inputs[0].data + from * p->size;
    pad_border(p, source, to, 0, p->run_before);
    memcpy(to + p->run_before * bytes, source, p->run * bytes);
    pad_border(p, source, to, p->run_before + p->run, p->run_out);
  }
}

bool wnn_lower_pad(wnn_lowering *l, const wnn_node *node) {
  const wnn_pad_args *args = node->args;
  const wnn_desc *in = wnn_lower_desc(l, node->inputs[0]), *out = wnn_lower_desc(l, node->outputs[0]);
  if (!in->rank) return false;
  pad_params *p = wnn_lower_alloc(l, sizeof *p);
  if (!p) return true;
  uint32_t last = in->rank - 1;
  size_t strides[WNN_MAX_RANK];
  wnn_shape_strides(in, strides);
  while (last > 0 && in->shape[last] == out->shape[last]) last--;
  *p = (pad_params){.size = size_of(l, node->inputs[0]),
                    .rank = last,
                    .run = in->shape[last],
                    .run_before = args->beginning_padding.data[last],
                    .run_out = out->shape[last],
                    .unit = wnn_shape_product(in, last + 1, in->rank),
                    .mode = args->options.mode};
  wnn_number_store(args->options.value, in->data_type, &p->fill);
  for (uint32_t d = 0; d < last; d++) {
    p->in[d] = in->shape[d], p->out[d] = out->shape[d];
    p->before[d] = args->beginning_padding.data[d], p->strides[d] = strides[d];
  }
  double bytes = 2.0 * (double)(p->run_out * p->unit * p->size);
  size_t rows = wnn_shape_product(out, 0, last);
  wnn_step_desc step = {.kernel = "pad",
                        .fn = pad_kernel,
                        .inputs = node->inputs,
                        .outputs = node->outputs,
                        .input_count = 1,
                        .output_count = 1,
                        .op = node->op,
                        .params = p,
                        .range = rows,
                        .grain = wnn_lower_grain(0, bytes + 100),
                        .bytes = bytes * (double)rows};
  wnn_lower_step(l, node, &step);
  return true;
}

/* ---- Triangular ---- */

typedef struct triangular_params {
  size_t rows, columns, size;
  int64_t diagonal;
  bool upper;
} triangular_params;

static void triangular_kernel(const wnn_task *task, size_t begin, size_t end, void *scratch) {
  (void)scratch;
  const triangular_params *p = task->params;
  const size_t bytes = p->columns * p->size;
  for (size_t i = begin; i < end; i++) {
    /* Column from which the upper part, diagonal included, goes; up to which the lower does. */
    int64_t row = (int64_t)(i % p->rows), edge = row + p->diagonal + (p->upper ? 0 : 1), most = (int64_t)p->columns;
    size_t cut = (size_t)(edge < 0 ? 0 : edge > most ? most : edge) * p->size;
    const char *from = (const char *)task->inputs[0].data + i * bytes;
    char *to = (char *)task->outputs[0].data + i * bytes;
    size_t keep = p->upper ? cut : 0, kept = p->upper ? bytes - cut : cut, zero = p->upper ? 0 : cut;
    if (to != from) memcpy(to + keep, from + keep, kept);
    memset(to + zero, 0, bytes - kept);
  }
}

bool wnn_lower_triangular(wnn_lowering *l, const wnn_node *node) {
  const wnn_triangular_options *options = &((const wnn_triangular_args *)node->args)->options;
  const wnn_desc *desc = wnn_lower_desc(l, node->inputs[0]);
  triangular_params *p = wnn_lower_alloc(l, sizeof *p);
  if (!p) return true;
  *p = (triangular_params){desc->shape[desc->rank - 2], desc->shape[desc->rank - 1], size_of(l, node->inputs[0]),
                           options->diagonal, options->upper};
  size_t rows = wnn_shape_product(desc, 0, desc->rank - 1);
  double bytes = 2.0 * (double)(p->columns * p->size);
  wnn_step_desc step = {.kernel = "triangular",
                        .fn = triangular_kernel,
                        .inputs = node->inputs,
                        .outputs = node->outputs,
                        .input_count = 1,
                        .output_count = 1,
                        .op = node->op,
                        .params = p,
                        .range = rows,
                        .grain = wnn_lower_grain(0, bytes + 60),
                        .in_place = true,
                        .bytes = bytes * (double)rows};
  wnn_lower_step(l, node, &step);
  return true;
}

/* ---- Gather ---- */

typedef struct gather_params {
  size_t count, extent, run; /* indices, positions along the axis, bytes of each */
} gather_params;

static void gather_kernel(const wnn_task *task, size_t begin, size_t end, void *scratch) {
  (void)scratch;
  const gather_params *p = task->params;
  size_t outer = begin / p->count, index = begin % p->count;
  const char *from = (const char *)task->inputs[0].data + outer * p->extent * p->run;
  char *to = (char *)task->outputs[0].data + begin * p->run;
  for (size_t i = begin; i < end; i++, to += p->run) {
    const char *source = from + wnn_index_at(&task->inputs[1], index, p->extent) * p->run;
    switch (p->run) {
    case 1: *to = *source; break;
    case 4: memcpy(to, source, 4); break;
    case 8: memcpy(to, source, 8); break;
    default: memcpy(to, source, p->run); break;
    }
    if (++index == p->count) index = 0, from += p->extent * p->run;
  }
}

bool wnn_lower_gather(wnn_lowering *l, const wnn_node *node) {
  uint32_t axis = ((const wnn_gather_args *)node->args)->options.axis;
  const wnn_desc *in = wnn_lower_desc(l, node->inputs[0]);
  gather_params *p = wnn_lower_alloc(l, sizeof *p);
  if (!p) return true;
  *p = (gather_params){wnn_elements(wnn_lower_desc(l, node->inputs[1])), in->shape[axis],
                       wnn_shape_product(in, axis + 1, in->rank) * wnn_data_type_size(in->data_type)};
  size_t units = wnn_shape_product(in, 0, axis) * p->count;
  wnn_step_desc step = {.kernel = "gather",
                        .fn = gather_kernel,
                        .inputs = node->inputs,
                        .outputs = node->outputs,
                        .input_count = 2,
                        .output_count = 1,
                        .op = node->op,
                        .params = p,
                        .range = units,
                        .grain = wnn_lower_grain(0, 2.0 * (double)p->run + 60),
                        .bytes = 2.0 * (double)p->run * (double)units};
  wnn_lower_step(l, node, &step);
  return true;
}
