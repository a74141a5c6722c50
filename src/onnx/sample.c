/* Reading between the elements: GridSample, AffineGrid, RoiAlign, MaxRoiPool, DeformConv. Every place to read at
 * becomes rows of a flattened input that are gathered, weighed and added. */
#include <math.h>

#include "window.h"

typedef enum outside { ZEROS, BORDER, REFLECTION } outside;
enum { MAX_TAPS = 4 };

/* Along one axis: rows to read (whole numbers as floats, inside the axis) and their weights. */
typedef struct taps {
  int count;
  wnn_operand *index[MAX_TAPS], *weight[MAX_TAPS], *inside[MAX_TAPS]; /* inside: NULL where all are */
} taps;

static wnn_operand *number(ox_call *c, double value) { return ox_number(c, WNN_FLOAT32, value); }
static wnn_operand *plus(ox_call *c, wnn_operand *x, double value) { return ox_add(c, x, number(c, value)); }
static wnn_operand *times(ox_call *c, wnn_operand *x, double value) { return ox_mul(c, x, number(c, value)); }

/* The kernel of cubic convolution (a = -0.75) at distance s: 1 to 2 for the outer taps, 0 to 1 for the inner ones. */
static wnn_operand *cubic_weight(ox_call *c, wnn_operand *s, bool outer) {
  const double a = -0.75;
  if (outer) {
    wnn_operand *sum = plus(c, ox_mul(c, plus(c, times(c, s, a), -5 * a), s), 8 * a);
    return plus(c, ox_mul(c, sum, s), -4 * a);
  }
  wnn_operand *sum = plus(c, times(c, s, a + 2), -(a + 3));
  return plus(c, ox_mul(c, ox_mul(c, sum, s), s), 1);
}

/* Whole numbers mirrored at the ends of 0 .. size-1; half: at the outer edges of the end cells, not at their middles.
 */
static wnn_operand *mirrored(ox_call *c, wnn_operand *x, uint32_t size, bool half) {
  double period = half ? 2.0 * size : 2.0 * (size - 1);
  if (period == 0) return times(c, x, 0);
  wnn_operand *turns = ox_un(c, WNN_OP_FLOOR, times(c, x, 1 / period));
  wnn_operand *rest = ox_sub(c, x, times(c, turns, period));
  return ox_min(c, rest, ox_sub(c, number(c, half ? period - 1 : period), rest));
}

static void place_tap(ox_call *c, taps *t, wnn_operand *at, wnn_operand *weight, uint32_t size, outside rule,
                      bool corners) {
  int k = t->count++;
  wnn_operand *clamped = ox_clamp(c, rule == REFLECTION ? mirrored(c, at, size, !corners) : at, 0, size - 1.0);
  t->index[k] = clamped;
  t->weight[k] = weight;
  t->inside[k] = rule == ZEROS ? ox_bin(c, WNN_OP_EQUAL, at, clamped) : NULL;
}

/* order: 1 the nearest (ties to even), 2 linear, 4 cubic. */
static taps axis_taps(ox_call *c, wnn_operand *at, uint32_t size, int order, outside rule, bool corners) {
  taps t = {0};
  if (order == 1) {
    place_tap(c, &t, ox_un(c, WNN_OP_ROUND_EVEN, at), NULL, size, rule, corners);
    return t;
  }
  wnn_operand *low = ox_un(c, WNN_OP_FLOOR, at), *part = ox_sub(c, at, low);
  wnn_operand *left = ox_sub(c, number(c, 1), part); /* the distance to the next row */
  if (order == 2) {
    place_tap(c, &t, low, left, size, rule, corners);
    place_tap(c, &t, plus(c, low, 1), part, size, rule, corners);
    return t;
  }
  place_tap(c, &t, plus(c, low, -1), cubic_weight(c, plus(c, part, 1), true), size, rule, corners);
  place_tap(c, &t, low, cubic_weight(c, part, false), size, rule, corners);
  place_tap(c, &t, plus(c, low, 1), cubic_weight(c, left, false), size, rule, corners);
  place_tap(c, &t, plus(c, low, 2), cubic_weight(c, plus(c, left, 1), true), size, rule, corners);
  return t;
}

/* An input [n, channels, spatial...] as rows of channels. */
typedef struct source {
  uint32_t n, channels, rank, size[OX_MAX_SPATIAL], plane;
  wnn_operand *rows; /* [n plane (+ 1 row of zeros), channels] */
  bool zero_row;
} source;

static bool read_source(ox_call *c, wnn_operand *x, bool zero_row, source *s) {
  if (!x) return false;
  const wnn_desc d = *ox_desc(x);
  if (d.rank < 3 || d.rank > 2 + OX_MAX_SPATIAL)
    return OX_UNSUPPORTED(c, "an input of rank %u; ranks 3 to 5 are supported", d.rank);
  *s = (source){.n = d.shape[0], .channels = d.shape[1], .rank = d.rank - 2, .plane = 1, .zero_row = zero_row};
  for (uint32_t i = 0; i < s->rank; i++) {
    s->size[i] = d.shape[2 + i];
    s->plane *= d.shape[2 + i];
    if (s->size[i] > 1 << 22) return OX_UNSUPPORTED(c, "a dimension of %u", s->size[i]);
  }
  wnn_operand *rows = OX_TRANSPOSE(c, OX_RESHAPE(c, x, s->n, s->channels, s->plane), 0, 2, 1);
  wnn_operand *parts[2] = {rows ? OX_RESHAPE(c, rows, s->n * s->plane, s->channels) : NULL, NULL};
  if (zero_row) parts[1] = ox_fill(c, d.data_type, 2, (const uint32_t[]){1, s->channels}, 0);
  s->rows = ox_concat(c, parts, zero_row ? 2 : 1, 0);
  return s->rows != NULL;
}

/* One combination of taps, one of each axis. place: [groups, points] rows of the source; weight: the product, or NULL.
 */
static wnn_operand *read_taps(ox_call *c, const source *s, const taps *axes, const int *pick, wnn_operand *first,
                              wnn_operand **weight) {
  wnn_operand *place = first, *inside = NULL;
  uint32_t stride = s->plane;
  *weight = NULL;
  for (uint32_t i = 0; i < s->rank; i++) {
    const taps *t = &axes[i];
    int k = pick[i];
    stride /= s->size[i];
    place = ox_add(c, place, ox_mul(c, ox_cast(c, t->index[k], WNN_INT32), ox_number(c, WNN_INT32, stride)));
    if (t->weight[k]) *weight = *weight ? ox_mul(c, *weight, t->weight[k]) : t->weight[k];
    if (t->inside[k]) inside = inside ? ox_bin(c, WNN_OP_LOGICAL_AND, inside, t->inside[k]) : t->inside[k];
  }
  if (inside) place = ox_where(c, inside, place, ox_number(c, WNN_INT32, (double)s->n * s->plane));
  return ox_gather(c, s->rows, place, 0);
}

/* Takes in one combination of taps: value [groups, points, channels], weight [groups, points] or NULL. */
typedef wnn_operand *combine_fn(ox_call *c, wnn_operand *sum, wnn_operand *value, wnn_operand *weight);

static wnn_operand *weigh(ox_call *c, wnn_operand *value, wnn_operand *weight) {
  if (!weight || !value) return value;
  const wnn_desc *d = ox_desc(weight);
  return ox_mul(c, ox_cast(c, value, WNN_FLOAT32), OX_RESHAPE(c, weight, d->shape[0], d->shape[1], 1));
}

static wnn_operand *combine_sum(ox_call *c, wnn_operand *sum, wnn_operand *value, wnn_operand *weight) {
  value = weigh(c, value, weight);
  return sum ? ox_add(c, sum, value) : value;
}

static wnn_operand *combine_max(ox_call *c, wnn_operand *sum, wnn_operand *value, wnn_operand *weight) {
  value = weigh(c, value, weight);
  return sum ? ox_max(c, sum, value) : value;
}

/* [groups, points, channels]; first: the row where each group's input begins, [groups, 1]. */
static wnn_operand *sample(ox_call *c, const source *s, const taps *axes, wnn_operand *first, combine_fn *combine) {
  int pick[OX_MAX_SPATIAL] = {0};
  wnn_operand *sum = NULL;
  for (bool more = true; more && !c->failed;) {
    if (!ox_spend(c)) return NULL;
    wnn_operand *weight, *value = read_taps(c, s, axes, pick, first, &weight);
    sum = combine(c, sum, value, weight);
    more = false;
    for (uint32_t i = s->rank; i-- > 0 && !more;) {
      more = ++pick[i] < axes[i].count;
      if (!more) pick[i] = 0;
    }
  }
  return c->failed ? NULL : sum;
}

/* 0, step, 2 step ... as [count, 1]. */
static wnn_operand *row_starts(ox_call *c, uint32_t count, uint32_t step) {
  return ox_mul(c, ox_iota(c, WNN_INT32, 2, 0, count), ox_number(c, WNN_INT32, step));
}

/* ---- GridSample, AffineGrid ---------------------------------------------------------------------------------------
 */

static bool grid_modes(ox_call *c, int *order, outside *rule) {
  static const struct {
    const char *name;
    int order;
  } orders[] = {{"linear", 2}, {"bilinear", 2}, {"nearest", 1}, {"cubic", 4}, {"bicubic", 4}};
  static const char *const rules[] = {"zeros", "border", "reflection"};
  *order = 0;
  for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
    if (ox_attr_is(c, "mode", orders[i].name)) *order = orders[i].order;
  }
  if (!*order) return OX_BAD(c, "attribute 'mode' has an unknown value");
  for (int i = 0; i < 3; i++) {
    if (!ox_attr_is(c, "padding_mode", rules[i])) continue;
    *rule = (outside)i;
    return true;
  }
  return OX_BAD(c, "attribute 'padding_mode' has an unknown value");
}

static bool lower_grid_sample(ox_call *c) {
  wnn_operand *x = ox_in(c, 0), *grid = ox_cast(c, ox_in(c, 1), WNN_FLOAT32);
  int order;
  outside rule = ZEROS;
  source s;
  if (!grid || !grid_modes(c, &order, &rule) || !read_source(c, x, rule == ZEROS, &s)) return false;
  const wnn_desc g = *ox_desc(grid);
  bool corners = ox_attr_i(c, "align_corners") != 0;
  if (g.rank != s.rank + 2 || g.shape[0] != s.n || g.shape[g.rank - 1] != s.rank)
    return OX_BAD(c, "the grid does not fit the input");
  uint32_t points = 1, shape[WNN_MAX_RANK] = {s.n, s.channels};
  for (uint32_t i = 0; i < s.rank; i++) points *= shape[2 + i] = g.shape[1 + i];
  grid = OX_RESHAPE(c, grid, s.n, points, s.rank);
  taps axes[OX_MAX_SPATIAL];
  for (uint32_t i = 0; i < s.rank; i++) {
    /* The grid names the last dimension first: -1 and 1 are the ends. */
    wnn_operand *at = OX_RESHAPE(c, ox_slice(c, grid, 2, s.rank - 1 - i, 1), s.n, points);
    double size = s.size[i];
    at = corners ? times(c, plus(c, at, 1), (size - 1) / 2) : plus(c, times(c, plus(c, at, 1), size / 2), -0.5);
    axes[i] = axis_taps(c, at, s.size[i], order, rule, corners);
  }
  wnn_operand *y = sample(c, &s, axes, row_starts(c, s.n, s.plane), combine_sum);
  if (!y) return false;
  y = ox_cast(c, OX_TRANSPOSE(c, y, 0, 2, 1), ox_desc(x)->data_type);
  return ox_out(c, 0, ox_reshape(c, y, s.rank + 2, shape));
}

static double grid_place(uint32_t i, uint32_t size, bool corners) {
  if (!corners) return (2.0 * i + 1) / size - 1;
  return size > 1 ? 2.0 * i / (size - 1) - 1 : -1;
}

static bool lower_affine_grid(ox_call *c) {
  wnn_operand *theta = ox_in(c, 0);
  ox_ints size;
  if (!theta || !ox_const_ints(c, 1, "the size", &size)) return false;
  const wnn_desc d = *ox_desc(theta);
  uint32_t rank = (uint32_t)size.count - 2, shape[WNN_MAX_RANK] = {d.shape[0]};
  bool corners = ox_attr_i(c, "align_corners") != 0;
  if (size.count < 4 || size.count > 5 || d.rank != 3 || d.shape[1] != rank || d.shape[2] != rank + 1)
    return OX_BAD(c, "theta and size do not fit together");
  uint64_t points = 1;
  for (uint32_t i = 0; i < rank; i++) {
    if (size.at[2 + i] < 1 || size.at[2 + i] > INT32_MAX) return OX_BAD(c, "the size is out of range");
    points *= (uint64_t)(shape[1 + i] = (uint32_t)size.at[2 + i]);
    if (points > WNN_MAX_TENSOR_BYTES / 32) return OX_BAD(c, "the result is too large");
  }
  shape[1 + rank] = rank;
  double *places = ox_temp(c, (size_t)points * (rank + 1), sizeof *places);
  for (uint64_t p = 0; places && p < points; p++) {
    double *row = places + p * (rank + 1);
    uint64_t rest = p;
    for (uint32_t i = rank; i-- > 0; rest /= (uint64_t)size.at[2 + i]) {
      uint32_t extent = (uint32_t)size.at[2 + i];
      row[rank - 1 - i] = grid_place((uint32_t)(rest % extent), extent, corners);
    }
    row[rank] = 1;
  }
  if (!places) return false;
  wnn_operand *grid = ox_constant_doubles(c, d.data_type, 2, (const uint32_t[]){(uint32_t)points, rank + 1}, places);
  return ox_out(c, 0, ox_reshape(c, ox_matmul(c, grid, OX_TRANSPOSE(c, theta, 0, 2, 1)), rank + 2, shape));
}

/* ---- Regions ------------------------------------------------------------------------------------------------------
 */

enum { MAX_SAMPLES = 64 };

typedef struct regions {
  uint32_t count, height, width;     /* of the pooled result */
  wnn_operand *start[2], *extent[2]; /* of every region, [count, 1]: rows, columns */
  wnn_operand *first;                /* the row of the source where its image begins */
} regions;

/* Column k of the boxes, scaled. */
static wnn_operand *box_column(ox_call *c, wnn_operand *boxes, uint32_t k, double scale) {
  return times(c, ox_slice(c, boxes, 1, k, 1), scale);
}

/* The number of samples along an axis in a cell of each region: fixed, or as many as the cell is wide. */
static wnn_operand *sample_counts(ox_call *c, const regions *r, int axis, int64_t fixed, uint32_t *most) {
  if (fixed > 0) {
    *most = (uint32_t)fixed;
    return number(c, (double)fixed);
  }
  if (!ox_is_const(c, 1)) {
    OX_UNSUPPORTED(c, "sampling_ratio 0 lets the boxes, which are no constants, decide how many samples are taken");
    return NULL;
  }
  ox_doubles boxes;
  if (!ox_const_doubles(c, 1, "the boxes", &boxes)) return NULL;
  double scale = ox_attr_f(c, "spatial_scale"), cells = axis ? r->width : r->height;
  bool half = c->op->since >= 16 && ox_attr_is(c, "coordinate_transformation_mode", "half_pixel");
  double *counts = ox_temp(c, r->count, sizeof *counts);
  *most = 1;
  for (uint32_t i = 0; counts && i < r->count; i++) {
    const double *box = boxes.at + 4 * (size_t)i + 1 - axis;
    double extent = (double)((float)box[2] * (float)scale) - (double)((float)box[0] * (float)scale);
    if (!half && !(extent >= 1)) extent = 1;
    double samples = ceil(extent / cells);
    counts[i] = samples >= 1 ? samples : 0;
    if (!(samples <= MAX_SAMPLES)) {
      OX_UNSUPPORTED(c, "a box of more than %d samples in a cell", MAX_SAMPLES);
      return NULL;
    }
    if (counts[i] > *most) *most = (uint32_t)counts[i];
  }
  return counts ? ox_constant_doubles(c, WNN_FLOAT32, 2, (const uint32_t[]){r->count, 1}, counts) : NULL;
}

/* Places of sample k in every cell along an axis, [count, cells]; near: not more than a row outside of the input. */
static wnn_operand *region_places(ox_call *c, const regions *r, int axis, uint32_t k, wnn_operand *counts,
                                  uint32_t size, wnn_operand **near) {
  uint32_t cells = axis ? r->width : r->height;
  wnn_operand *cell = times(c, r->extent[axis], 1.0 / cells);
  wnn_operand *part = ox_div(c, number(c, k + 0.5), counts);
  wnn_operand *steps = ox_add(c, ox_iota(c, WNN_FLOAT32, 2, 1, cells), part);
  wnn_operand *at = ox_add(c, r->start[axis], ox_mul(c, steps, cell));
  *near = ox_bin(c, WNN_OP_LOGICAL_AND, ox_bin(c, WNN_OP_GREATER_OR_EQUAL, at, number(c, -1)),
                 ox_bin(c, WNN_OP_LESSER_OR_EQUAL, at, number(c, size)));
  return ox_clamp(c, at, 0, size - 1.0);
}

/* [count, height] and [count, width] to [count, height * width]. */
static wnn_operand *spread(ox_call *c, const regions *r, wnn_operand *x, int axis) {
  if (!x) return NULL;
  const uint32_t whole[] = {r->count, r->height, r->width};
  x = axis ? OX_RESHAPE(c, x, r->count, 1, r->width) : OX_RESHAPE(c, x, r->count, r->height, 1);
  x = ox_expand(c, x, 3, whole);
  return x ? OX_RESHAPE(c, x, r->count, r->height * r->width) : NULL;
}

/* Sample k of every cell, [count, cells, channels]: the sum or the largest of the four weighed corners. */
static wnn_operand *region_sample(ox_call *c, const source *s, const regions *r, const uint32_t k[2],
                                  wnn_operand *const counts[2], bool max) {
  taps axes[OX_MAX_SPATIAL];
  for (int i = 0; i < 2; i++) {
    wnn_operand *near, *at = region_places(c, r, i, k[i], counts[i], s->size[i], &near);
    axes[i] = axis_taps(c, spread(c, r, at, i), s->size[i], 2, BORDER, false);
    wnn_operand *mask = ox_cast(c, spread(c, r, near, i), WNN_FLOAT32);
    for (int t = 0; t < 2; t++) axes[i].weight[t] = ox_mul(c, axes[i].weight[t], mask);
  }
  return sample(c, s, axes, r->first, max ? combine_max : combine_sum);
}

/* Regions that have fewer samples than others leave the rest out: `none` stands for those. */
static wnn_operand *where_counted(ox_call *c, const regions *r, const uint32_t k[2], wnn_operand *const counts[2],
                                  wnn_operand *value, double none) {
  wnn_operand *counted = ox_bin(c, WNN_OP_LOGICAL_AND, ox_bin(c, WNN_OP_GREATER, counts[0], number(c, k[0])),
                                ox_bin(c, WNN_OP_GREATER, counts[1], number(c, k[1])));
  return ox_where(c, OX_RESHAPE(c, counted, r->count, 1, 1), value, number(c, none));
}

static wnn_operand *align_regions(ox_call *c, const source *s, const regions *r, bool max) {
  uint32_t most[2] = {0, 0};
  int64_t ratio = ox_attr_i(c, "sampling_ratio");
  if (ratio < 0 || ratio > MAX_SAMPLES) {
    OX_UNSUPPORTED(c, "attribute 'sampling_ratio' is out of range");
    return NULL;
  }
  wnn_operand *counts[2], *all = NULL;
  double none = max ? -(double)INFINITY : 0;
  for (int i = 0; i < 2; i++) counts[i] = sample_counts(c, r, i, ratio, &most[i]);
  for (uint32_t i = 0; i < most[0] * most[1] && !c->failed; i++) {
    const uint32_t k[2] = {i / most[1], i % most[1]};
    wnn_operand *one = region_sample(c, s, r, k, counts, max);
    if (!ratio) one = where_counted(c, r, k, counts, one, none);
    all = !all ? one : max ? ox_max(c, all, one) : ox_add(c, all, one);
  }
  if (max && ratio) return all;
  if (max) return ox_where(c, ox_bin(c, WNN_OP_EQUAL, all, number(c, none)), number(c, 0), all);
  wnn_operand *total = ox_max(c, ox_mul(c, counts[0], counts[1]), number(c, 1));
  return ox_div(c, all, ratio ? total : OX_RESHAPE(c, total, r->count, 1, 1));
}

static bool lower_roi_align(ox_call *c) {
  wnn_operand *x = ox_in(c, 0), *boxes = ox_cast(c, ox_in(c, 1), WNN_FLOAT32), *batch = ox_in(c, 2);
  source s;
  if (!boxes || !batch || !read_source(c, x, false, &s)) return false;
  int64_t height = ox_attr_i(c, "output_height"), width = ox_attr_i(c, "output_width");
  const wnn_desc *b = ox_desc(boxes);
  if (s.rank != 2 || b->rank != 2 || b->shape[1] != 4 || ox_desc(batch)->rank != 1 ||
      ox_desc(batch)->shape[0] != b->shape[0])
    return OX_BAD(c, "the boxes do not fit the input");
  if (height < 1 || width < 1 || height > 65535 || width > 65535) return OX_BAD(c, "the result's size is out of range");
  bool max = ox_attr_is(c, "mode", "max");
  if (!max && !ox_attr_is(c, "mode", "avg")) return OX_BAD(c, "attribute 'mode' is neither avg nor max");
  bool half = c->op->since >= 16 && ox_attr_is(c, "coordinate_transformation_mode", "half_pixel");
  double scale = ox_attr_f(c, "spatial_scale"), shift = half ? -0.5 : 0;
  regions r = {.count = b->shape[0], .height = (uint32_t)height, .width = (uint32_t)width};
  for (uint32_t i = 0; i < 2; i++) {
    wnn_operand *start = plus(c, box_column(c, boxes, 1 - i, scale), shift);
    wnn_operand *extent = ox_sub(c, plus(c, box_column(c, boxes, 3 - i, scale), shift), start);
    r.start[i] = start;
    r.extent[i] = half ? extent : ox_max(c, extent, number(c, 1));
  }
  batch = OX_RESHAPE(c, ox_cast(c, batch, WNN_INT32), r.count, 1);
  r.first = ox_mul(c, batch, ox_number(c, WNN_INT32, s.plane));
  wnn_operand *y = align_regions(c, &s, &r, max);
  if (!y) return false;
  y = ox_cast(c, OX_TRANSPOSE(c, y, 0, 2, 1), ox_desc(x)->data_type);
  return ox_out(c, 0, OX_RESHAPE(c, y, r.count, s.channels, r.height, r.width));
}

/* Rows (or columns) of each region that belong to cell k: [count, size], and none of them for an empty cell. */
static wnn_operand *cell_mask(ox_call *c, const regions *r, int axis, uint32_t k, uint32_t size) {
  uint32_t cells = axis ? r->width : r->height;
  wnn_operand *cell = times(c, r->extent[axis], 1.0 / cells), *at = ox_iota(c, WNN_FLOAT32, 2, 1, size);
  wnn_operand *from = ox_add(c, ox_un(c, WNN_OP_FLOOR, times(c, cell, k)), r->start[axis]);
  wnn_operand *to = ox_add(c, ox_un(c, WNN_OP_CEIL, times(c, cell, k + 1.0)), r->start[axis]);
  return ox_bin(c, WNN_OP_LOGICAL_AND, ox_bin(c, WNN_OP_GREATER_OR_EQUAL, at, from), ox_bin(c, WNN_OP_LESSER, at, to));
}

/* The largest of each cell along an axis of [count, channels, ...]; -inf where a cell is empty. */
static wnn_operand *max_cells(ox_call *c, const regions *r, wnn_operand *x, int axis) {
  uint32_t cells = axis ? r->width : r->height;
  wnn_operand **parts = ox_temp(c, cells, sizeof *parts);
  if (!parts || !x) return NULL;
  const wnn_desc d = *ox_desc(x);
  uint32_t along = 2 + (uint32_t)axis, size = d.shape[along];
  for (uint32_t k = 0; k < cells; k++) {
    if (!ox_spend(c)) return NULL;
    wnn_operand *mask = cell_mask(c, r, axis, k, size);
    mask = axis ? OX_RESHAPE(c, mask, r->count, 1, 1, size) : OX_RESHAPE(c, mask, r->count, 1, size, 1);
    parts[k] = ox_reduce1(c, WNN_OP_REDUCE_MAX, ox_where(c, mask, x, ox_like(c, x, -(double)INFINITY)), along, true);
  }
  return ox_concat(c, parts, cells, along);
}

/* Halves away from zero, as the C function does. */
static wnn_operand *rounded(ox_call *c, wnn_operand *x) {
  wnn_operand *size = ox_un(c, WNN_OP_FLOOR, plus(c, ox_un(c, WNN_OP_ABS, x), 0.5));
  return ox_mul(c, ox_un(c, WNN_OP_SIGN, x), size);
}

static bool lower_max_roi_pool(ox_call *c) {
  wnn_operand *x = ox_in(c, 0), *boxes = ox_cast(c, ox_in(c, 1), WNN_FLOAT32);
  ox_ints pooled;
  if (!x || !boxes) return false;
  const wnn_desc d = *ox_desc(x), b = *ox_desc(boxes);
  if (!ox_attr_ints(c, "pooled_shape", &pooled) || pooled.count != 2 || pooled.at[0] < 1 || pooled.at[1] < 1 ||
      pooled.at[0] > 65535 || pooled.at[1] > 65535)
    return OX_BAD(c, "attribute 'pooled_shape' must have two sizes");
  if (d.rank != 4 || b.rank != 2 || b.shape[1] != 5) return OX_BAD(c, "the boxes do not fit the input");
  regions r = {.count = b.shape[0], .height = (uint32_t)pooled.at[0], .width = (uint32_t)pooled.at[1]};
  double scale = ox_attr_f(c, "spatial_scale");
  for (uint32_t i = 0; i < 2; i++) {
    r.start[i] = rounded(c, box_column(c, boxes, 2 - i, scale));
    wnn_operand *end = rounded(c, box_column(c, boxes, 4 - i, scale));
    r.extent[i] = ox_max(c, plus(c, ox_sub(c, end, r.start[i]), 1), number(c, 1));
  }
  wnn_operand *batch = OX_RESHAPE(c, ox_cast(c, ox_slice(c, boxes, 1, 0, 1), WNN_INT32), r.count);
  wnn_operand *y = max_cells(c, &r, max_cells(c, &r, ox_gather(c, x, batch, 0), 0), 1);
  wnn_operand *none = ox_bin(c, WNN_OP_EQUAL, y, ox_like(c, y, -(double)INFINITY));
  return ox_out(c, 0, ox_where(c, none, ox_like(c, y, 0), y));
}

/* ---- Deformable convolution -----------------------------------------------------------------------------------------
 */

/* Values that one tap of the kernel sees, [n, channels, oh, ow]. */
static wnn_operand *deformed(ox_call *c, const source *s, const ox_window *w, uint32_t tap, wnn_operand *offset,
                             wnn_operand *mask, const uint32_t out[2]) {
  const uint32_t place[2] = {tap / w->kernel[1], tap % w->kernel[1]}, points = out[0] * out[1];
  taps axes[OX_MAX_SPATIAL];
  for (uint32_t i = 0; i < 2; i++) {
    wnn_operand *grid = times(c, ox_iota(c, WNN_FLOAT32, 3, 1 + i, out[i]), w->strides[i]);
    grid = plus(c, grid, (double)place[i] * w->dilations[i] - w->before[i]);
    wnn_operand *moved = OX_RESHAPE(c, ox_slice(c, offset, 1, 2 * tap + i, 1), s->n, out[0], out[1]);
    wnn_operand *at = ox_add(c, moved, grid);
    axes[i] = axis_taps(c, at ? OX_RESHAPE(c, at, s->n, points) : NULL, s->size[i], 2, ZEROS, false);
  }
  wnn_operand *value = sample(c, s, axes, row_starts(c, s->n, s->plane), combine_sum);
  if (mask) value = weigh(c, value, OX_RESHAPE(c, ox_slice(c, mask, 1, tap, 1), s->n, points));
  return value ? OX_TRANSPOSE(c, value, 0, 2, 1) : NULL;
}

static bool lower_deform_conv(ox_call *c) {
  wnn_operand *x = ox_in(c, 0), *filter = ox_in(c, 1), *offset = ox_cast(c, ox_in(c, 2), WNN_FLOAT32);
  wnn_operand *bias = ox_in_optional(c, 3), *mask = ox_cast(c, ox_in_optional(c, 4), WNN_FLOAT32), *sum = NULL;
  if (!x || !filter || !offset) return false;
  const wnn_desc d = *ox_desc(x), f = *ox_desc(filter), o = *ox_desc(offset);
  int64_t given = ox_attr_i(c, "offset_group");
  if (d.rank != 4 || f.rank != 4 || o.rank != 4) return OX_UNSUPPORTED(c, "only two spatial dimensions are supported");
  if (given < 1 || given > d.shape[1] || d.shape[1] % given) return OX_BAD(c, "attribute 'offset_group' does not fit");
  ox_window w;
  if (!ox_window_read(c, &d, f.shape + 2, true, &w)) return false;
  uint32_t groups = (uint32_t)given, taps_count = w.kernel[0] * w.kernel[1], out[2];
  for (uint32_t i = 0; i < 2; i++) {
    uint64_t padded = (uint64_t)d.shape[2 + i] + w.before[i] + w.after[i], extent = ox_window_extent(&w, i);
    if (padded < extent) return OX_BAD(c, "the window is larger than the padded input");
    out[i] = (uint32_t)((padded - extent) / w.strides[i]) + 1;
  }
  if (o.shape[0] != d.shape[0] || o.shape[1] != 2ull * groups * taps_count || o.shape[2] != out[0] ||
      o.shape[3] != out[1])
    return OX_BAD(c, "the offsets do not fit");
  source s;
  uint32_t rows = d.shape[0] * groups, points = out[0] * out[1];
  if (!read_source(c, OX_RESHAPE(c, x, rows, d.shape[1] / groups, d.shape[2], d.shape[3]), true, &s)) return false;
  offset = OX_RESHAPE(c, offset, rows, 2 * taps_count, points);
  if (mask) mask = OX_RESHAPE(c, mask, rows, taps_count, points);
  ox_window one = {.rank = 2, .kernel = {1, 1}, .strides = {1, 1}, .dilations = {1, 1}, .groups = w.groups};
  for (uint32_t t = 0; t < taps_count && !c->failed; t++) {
    wnn_operand *values = ox_cast(c, deformed(c, &s, &w, t, offset, mask, out), d.data_type);
    wnn_operand *part = ox_slice(c, OX_RESHAPE(c, filter, f.shape[0], f.shape[1], taps_count), 2, t, 1);
    values = values ? OX_RESHAPE(c, values, d.shape[0], d.shape[1], out[0], out[1]) : NULL;
    part = ox_convolve(c, values, OX_RESHAPE(c, part, f.shape[0], f.shape[1], 1, 1), t ? NULL : bias, &one);
    sum = sum ? ox_add(c, sum, part) : part;
  }
  return ox_out(c, 0, sum);
}

#define GRID " padding_mode:s=zeros align_corners:i=0"
#define ROI "mode:s=avg output_height:i=1 output_width:i=1 sampling_ratio:i=0 spatial_scale:f=1"
static const ox_op ops[] = {
    {"", "GridSample", 16, 2, 2, 1, "mode:s=bilinear" GRID, lower_grid_sample, 0, 0},
    {"", "GridSample", 20, 2, 2, 1, "mode:s=linear" GRID, lower_grid_sample, 0, 0},
    {"com.microsoft", "GridSample", 1, 2, 2, 1, "mode:s=bilinear" GRID, lower_grid_sample, 0, 0},
    {"", "AffineGrid", 20, 2, 2, 1, "align_corners:i=0", lower_affine_grid, 0, 0},
    {"", "RoiAlign", 10, 3, 3, 1, ROI, lower_roi_align, 0, 0},
    {"", "RoiAlign", 16, 3, 3, 1, ROI " coordinate_transformation_mode:s=half_pixel", lower_roi_align, 0, 0},
    {"", "MaxRoiPool", 1, 2, 2, 1, "pooled_shape:I spatial_scale:f=1", lower_max_roi_pool, 0, 0},
    {"", "DeformConv", 19, 3, 5, 1, OX_WINDOW_ATTRS " offset_group:i=1", lower_deform_conv, 0, 0},
};
OX_FAMILY(sample, ops);
