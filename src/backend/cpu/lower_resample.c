/* resample2d: tables of source positions made at build, then rows. */
#include <string.h>
#include <webnn/webnn_ops.h>

#include "backend/cpu/lower.h"
#include "backend/cpu/lower_float.h"

/* Where output positions of an axis read: between low and high, weight of the latter; or the nearest one. Positions are
 * exact fractions, so that ties do not depend on rounding. */
typedef struct axis_table {
  uint32_t *low, *high;
  float *weights;
} axis_table;

typedef struct resample_params {
  const wnn_ukernels *u;
  size_t in_h, in_w, out_h, out_w, inner; /* inner: elements of a pixel, or its bytes when nearest */
  axis_table rows, columns;
  size_t repeats; /* elements of 4 bytes, each of which stands so often in a row, or 0 */
} resample_params;

static bool make_table(wnn_lowering *l, uint32_t in, uint32_t out, bool nearest, axis_table *table) {
  table->low = wnn_lower_alloc(l, out * sizeof *table->low);
  table->high = wnn_lower_alloc(l, out * sizeof *table->high);
  table->weights = wnn_lower_alloc(l, out * sizeof *table->weights);
  if (!table->low || !table->high || !table->weights) return false;
  for (uint32_t o = 0; o < out; o++) {
    int64_t whole = 2 * (int64_t)out, numerator = (2 * (int64_t)o + 1) * in - out, last = (int64_t)in - 1;
    if (numerator <= 0) continue;
    if (nearest) {
      int64_t at = (numerator - (int64_t)out + whole - 1) / whole;
      table->low[o] = (uint32_t)(at < last ? at : last);
      continue;
    }
    int64_t lower = numerator / whole;
    table->low[o] = table->high[o] = (uint32_t)(lower < last ? lower : last);
    if (lower >= last) continue;
    table->weights[o] = (float)((double)(numerator % whole) / (double)whole);
    if (numerator % whole) table->high[o]++;
  }
  return true;
}

/* Units: rows of the output. */
static void bilinear_kernel(const wnn_task *task, size_t begin, size_t end, void *scratch) {
  const resample_params *p = task->params;
  wnn_f32_resample row = {.count = p->out_w,
                          .channels = p->inner,
                          .low = p->columns.low,
                          .high = p->columns.high,
                          .weights = p->columns.weights,
                          .scratch = scratch};
  for (size_t i = begin; i < end; i++) {
    size_t y = i % p->out_h, line = p->in_w * p->inner;
    const float *plane = (const float *)task->inputs[0].data + i / p->out_h * p->in_h * line;
    row.top = plane + p->rows.low[y] * line;
    row.bottom = plane + p->rows.high[y] * line;
    row.weight = p->rows.weights[y];
    row.to = (float *)task->outputs[0].data + i * p->out_w * p->inner;
    p->u->f32_resample(&row);
  }
}

static void nearest_row(const resample_params *p, const char *from, char *to) {
  const uint32_t *low = p->columns.low;
  switch (p->inner) {
  case 1:
    for (size_t i = 0; i < p->out_w; i++) to[i] = from[low[i]];
    break;
  case 2:
    for (size_t i = 0; i < p->out_w; i++) memcpy(to + 2 * i, from + 2 * (size_t)low[i], 2);
    break;
  case 4:
    if (p->repeats) {
      p->u->repeat_4(p->in_w, p->repeats, from, to);
      break;
    }
    for (size_t i = 0; i < p->out_w; i++) memcpy(to + 4 * i, from + 4 * (size_t)low[i], 4);
    break;
  default:
    for (size_t i = 0; i < p->out_w; i++) memcpy(to + p->inner * i, from + p->inner * low[i], p->inner);
    break;
  }
}

static void nearest_kernel(const wnn_task *task, size_t begin, size_t end, void *scratch) {
  (void)scratch;
  const resample_params *p = task->params;
  const size_t line = p->in_w * p->inner, out_line = p->out_w * p->inner;
  const char *plane = (const char *)task->inputs[0].data + begin / p->out_h * p->in_h * line, *before = NULL;
  char *to = (char *)task->outputs[0].data + begin * out_line;
  size_t y = begin % p->out_h;
  for (size_t i = begin; i < end; i++, to += out_line) {
    const char *from = plane + p->rows.low[y] * line;
    if (from == before)
      memcpy(to, to - out_line, out_line);
    else
      nearest_row(p, from, to);
    before = from;
    if (++y == p->out_h) y = 0, plane += p->in_h * line;
  }
}

/* How often each element of a row stands in a row of the output, 0 when not all of them as often. */
static size_t repeats_of(const resample_params *p) {
  size_t times = p->out_w / p->in_w;
  if (p->out_w % p->in_w) return 0;
  for (size_t i = 0; i < p->out_w; i++)
    if (p->columns.low[i] != i / times) return 0;
  return times;
}

bool wnn_lower_resample2d(wnn_lowering *l, const wnn_node *node) {
  const wnn_resample2d_options *options = &((const wnn_resample2d_args *)node->args)->options;
  const wnn_desc *in = wnn_lower_desc(l, node->inputs[0]), *out = wnn_lower_desc(l, node->outputs[0]);
  uint32_t a = options->axes.data[0], b = options->axes.data[1];
  uint32_t axis = a < b ? a : b;
  if (a + 1 != b && b + 1 != a) return false;
  bool nearest = options->mode == WNN_INTERPOLATION_MODE_NEAREST_NEIGHBOR;
  if (!nearest && !wnn_is_float(in->data_type)) return false;
  resample_params *p = wnn_lower_alloc(l, sizeof *p);
  if (!p) return true;
  *p = (resample_params){.u = wnn_lower_ukernels(l),
                         .in_h = in->shape[axis],
                         .in_w = in->shape[axis + 1],
                         .out_h = out->shape[axis],
                         .out_w = out->shape[axis + 1],
                         .inner = wnn_shape_product(in, axis + 2, in->rank)};
  if (nearest) p->inner *= wnn_data_type_size(in->data_type);
  if (!make_table(l, in->shape[axis], out->shape[axis], nearest, &p->rows)) return true;
  if (!make_table(l, in->shape[axis + 1], out->shape[axis + 1], nearest, &p->columns)) return true;
  if (nearest && p->inner == 4) p->repeats = repeats_of(p);
  uint32_t from = node->inputs[0], to = node->outputs[0];
  if (!nearest) from = wnn_lower_widen(l, node, from), to = wnn_lower_wide_output(l, to);
  if (from == WNN_NONE || to == WNN_NONE) return true;
  size_t units = wnn_shape_product(out, 0, axis + 1);
  double per_unit = (double)(p->out_w * p->inner) * (nearest ? 2 : 12);
  wnn_step_desc step = {.kernel = nearest ? "resample_nearest" : "f32_resample",
                        .fn = nearest ? nearest_kernel : bilinear_kernel,
                        .inputs = &from,
                        .outputs = &to,
                        .input_count = 1,
                        .output_count = 1,
                        .op = node->op,
                        .params = p,
                        .range = units,
                        .grain = wnn_lower_grain(0, per_unit + 40),
                        .scratch = nearest ? 0 : 2 * p->out_w * sizeof(float),
                        .bytes = per_unit * (double)units};
  wnn_lower_step(l, node, &step);
  if (!nearest) wnn_lower_narrow(l, node, to, node->outputs[0]);
  return true;
}
