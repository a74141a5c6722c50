/* Resize and Upsample. Where resample2d samples at the very same places it is used; everything else is separable:
 * nearest is a gather along each axis, the interpolations are products with a matrix built here from ONNX's formulas.
 */
#include <math.h>
#include <string.h>

#include "import.h"

typedef enum mode { NEAREST, LINEAR, CUBIC } mode;
typedef enum coordinates { HALF_PIXEL, PYTORCH, ALIGN_CORNERS, ASYMMETRIC, SYMMETRIC, TF_NEAREST, CROP } coordinates;
typedef enum rounding { PREFER_FLOOR, PREFER_CEIL, FLOOR, CEIL } rounding;

typedef struct resize {
  mode how;
  coordinates where;
  rounding round;
  bool antialias, exclude_outside;
  double cubic, extrapolation;
  uint32_t out[WNN_MAX_RANK];
  double scale[WNN_MAX_RANK], roi_start[WNN_MAX_RANK], roi_end[WNN_MAX_RANK];
} resize;

static bool pick(ox_call *c, const char *attr, const char *const *names, int count, int *out) {
  for (int i = 0; i < count; i++) {
    if (!ox_attr_is(c, attr, names[i])) continue;
    *out = i;
    return true;
  }
  char text[64];
  return OX_UNSUPPORTED(c, "attribute '%s' is '%s'", attr, ox_attr_text(c, attr, text));
}

static bool read_modes(ox_call *c, resize *r) {
  static const char *const modes[] = {"nearest", "linear", "cubic", "bilinear"};
  static const char *const wheres[] = {"half_pixel",        "pytorch_half_pixel",   "align_corners",
                                       "asymmetric",        "half_pixel_symmetric", "tf_half_pixel_for_nn",
                                       "tf_crop_and_resize"};
  static const char *const rounds[] = {"round_prefer_floor", "round_prefer_ceil", "floor", "ceil"};
  int how = 0, where = 0, round = 0;
  if (!pick(c, "mode", modes, 4, &how)) return false;
  r->how = how == 3 ? LINEAR : (mode)how;
  if (c->op->since < 11) { /* Upsample and the first Resize */
    r->where = ASYMMETRIC;
    r->round = FLOOR;
    return true;
  }
  if (!pick(c, "coordinate_transformation_mode", wheres, 7, &where) || !pick(c, "nearest_mode", rounds, 4, &round))
    return false;
  r->where = (coordinates)where;
  r->round = (rounding)round;
  r->antialias = ox_attr_i(c, "antialias") != 0;
  r->exclude_outside = ox_attr_i(c, "exclude_outside") != 0;
  r->cubic = ox_attr_f(c, "cubic_coeff_a");
  r->extrapolation = ox_attr_f(c, "extrapolation_value");
  return true;
}

/* The axes that scales, sizes and roi speak of. */
static bool read_axes(ox_call *c, uint32_t rank, uint32_t *axes, uint32_t *count) {
  ox_ints list;
  *count = rank;
  for (uint32_t i = 0; i < rank; i++) axes[i] = i;
  if (c->op->since < 18 || !ox_attr_ints(c, "axes", &list)) return true;
  if (list.count > rank) return OX_BAD(c, "attribute 'axes' is too long");
  *count = (uint32_t)list.count;
  for (uint32_t i = 0; i < *count; i++) {
    if (!ox_axis(c, list.at[i], rank, &axes[i])) return false;
  }
  return true;
}

static bool use_scales(ox_call *c, const wnn_desc *in, resize *r, const double *scales, size_t given,
                       const uint32_t *axes, uint32_t count) {
  if (given != count) return OX_BAD(c, "%zu scales for %u axes", given, count);
  for (uint32_t i = 0; i < count; i++) {
    double size = floor(in->shape[axes[i]] * scales[i]);
    if (!(scales[i] > 0) || !(size >= 1) || size > INT32_MAX) return OX_BAD(c, "a scale is out of range");
    r->scale[axes[i]] = scales[i];
    r->out[axes[i]] = (uint32_t)size;
  }
  return true;
}

static bool use_sizes(ox_call *c, const wnn_desc *in, resize *r, const uint32_t *axes, uint32_t count) {
  ox_ints sizes;
  if (!ox_const_ints(c, 3, "the sizes", &sizes)) return false;
  if (sizes.count != count) return OX_BAD(c, "%zu sizes for %u axes", sizes.count, count);
  bool stretch = c->op->since < 18 || ox_attr_is(c, "keep_aspect_ratio_policy", "stretch"),
       larger = ox_attr_is(c, "keep_aspect_ratio_policy", "not_smaller");
  double common = larger ? 0 : (double)INFINITY;
  for (uint32_t i = 0; i < count; i++) {
    if (sizes.at[i] < 1 || sizes.at[i] > INT32_MAX) return OX_BAD(c, "a size is out of range");
    double scale = (double)sizes.at[i] / in->shape[axes[i]];
    common = larger ? fmax(common, scale) : fmin(common, scale);
    r->out[axes[i]] = (uint32_t)sizes.at[i];
    r->scale[axes[i]] = scale;
  }
  for (uint32_t i = 0; i < count && !stretch; i++) {
    double size = floor(common * in->shape[axes[i]] + 0.5);
    r->out[axes[i]] = size < 1 ? 1 : (uint32_t)size;
    r->scale[axes[i]] = common;
  }
  return true;
}

static bool read_sizes(ox_call *c, const wnn_desc *in, resize *r) {
  uint32_t axes[WNN_MAX_RANK], count;
  for (uint32_t i = 0; i < in->rank; i++) {
    r->out[i] = in->shape[i];
    r->scale[i] = r->roi_end[i] = 1;
  }
  if (!read_axes(c, in->rank, axes, &count)) return false;
  ox_doubles list;
  if (c->op->since < 9) {
    const float *scales = NULL;
    size_t given = 0;
    double wide[WNN_MAX_RANK];
    ox_attr_floats(c, "scales", &scales, &given);
    for (size_t i = 0; i < given && i < WNN_MAX_RANK; i++) wide[i] = (double)scales[i];
    return use_scales(c, in, r, wide, given, axes, count);
  }
  if (r->where == CROP) {
    if (!ox_const_doubles(c, 1, "the region", &list)) return false;
    if (list.count != 2 * (size_t)count) return OX_BAD(c, "the region does not fit the axes");
    for (uint32_t i = 0; i < count; i++) {
      r->roi_start[axes[i]] = list.at[i];
      r->roi_end[axes[i]] = list.at[i + count];
    }
  }
  size_t scales_at = c->op->since < 11 ? 1 : 2;
  if (ox_has(c, scales_at) && !ox_empty(c, scales_at)) {
    return ox_const_doubles(c, scales_at, "the scales", &list) &&
           use_scales(c, in, r, list.at, list.count, axes, count);
  }
  if (!ox_has(c, 3)) return OX_BAD(c, "neither scales nor sizes are given");
  return use_sizes(c, in, r, axes, count);
}

/* Place of output i in the input. */
static double source(const resize *r, uint32_t axis, uint32_t n, uint32_t i) {
  double m = r->out[axis], s = r->scale[axis];
  switch (r->where) {
  case PYTORCH: return m > 1 ? (i + 0.5) / s - 0.5 : 0;
  case ALIGN_CORNERS: {
    /* The standard's own tests take the length before it is rounded down. */
    double length = s * n;
    return m > 1 && length > 1 ? i * (n - 1.0) / (length - 1) : 0;
  }
  case ASYMMETRIC: return i / s;
  case SYMMETRIC: return n / 2.0 * (1 - m / (s * n)) + (i + 0.5) / s - 0.5;
  case TF_NEAREST: return (i + 0.5) / s;
  case CROP:
    if (m > 1)
      return r->roi_start[axis] * (n - 1.0) + i * (r->roi_end[axis] - r->roi_start[axis]) * (n - 1.0) / (m - 1);
    return 0.5 * (r->roi_start[axis] + r->roi_end[axis]) * (n - 1.0);
  default: return (i + 0.5) / s - 0.5;
  }
}

static uint32_t clamp_index(double at, uint32_t n) { return !(at > 0) ? 0 : at > n - 1.0 ? n - 1 : (uint32_t)at; }

static uint32_t nearest(const resize *r, uint32_t n, double at) {
  double rounded = r->round == PREFER_FLOOR  ? ceil(at - 0.5)
                   : r->round == PREFER_CEIL ? floor(at + 0.5)
                   : r->round == FLOOR       ? floor(at)
                                             : ceil(at);
  return clamp_index(rounded, n);
}

static double kernel(const resize *r, double d) {
  double a = r->cubic;
  d = fabs(d);
  if (r->how == LINEAR) return d < 1 ? 1 - d : 0;
  if (d <= 1) return ((a + 2) * d - (a + 3)) * d * d + 1;
  return d < 2 ? ((a * d - 5 * a) * d + 8 * a) * d - 4 * a : 0;
}

/* One row of the interpolation matrix. */
static void weights(const resize *r, uint32_t axis, uint32_t n, double at, double *row) {
  double stretch = r->antialias && r->scale[axis] < 1 ? r->scale[axis] : 1,
         reach = (r->how == LINEAR ? 1 : 2) / stretch, sum = 0;
  if (reach > n + 2.0) reach = n + 2.0;
  double centre = fmax(-4.0 - reach, fmin(n + 4.0 + reach, at));
  for (double j = floor(centre - reach); j <= ceil(centre + reach); j++) {
    double w = kernel(r, (j - centre) * stretch);
    if (w == 0 || (r->exclude_outside && (j < 0 || j >= n))) continue;
    row[clamp_index(j, n)] += w;
    sum += w;
  }
  for (uint32_t j = 0; j < n && sum != 0; j++) row[j] /= sum;
}

/* [pre, n, post] around an axis. */
static void fold_around(const wnn_desc *d, uint32_t axis, uint32_t out[3]) {
  out[0] = out[2] = 1;
  for (uint32_t i = 0; i < d->rank; i++) {
    if (i < axis) out[0] *= d->shape[i];
    if (i > axis) out[2] *= d->shape[i];
  }
  out[1] = d->shape[axis];
}

enum { MATRIX_LIMIT = 64 * 1024 * 1024 };

static wnn_operand *along_axis(ox_call *c, const resize *r, wnn_operand *x, uint32_t axis) {
  const wnn_desc d = *ox_desc(x);
  uint32_t n = d.shape[axis], m = r->out[axis], parts[3], shape[WNN_MAX_RANK];
  if (r->how == NEAREST) {
    int64_t *indices = ox_temp(c, m, sizeof *indices);
    for (uint32_t i = 0; indices && i < m; i++) indices[i] = nearest(r, n, source(r, axis, n, i));
    return indices ? ox_gather(c, x, ox_constant_ints(c, WNN_INT32, 1, &m, indices), axis) : NULL;
  }
  if ((uint64_t)n * m > MATRIX_LIMIT) {
    OX_UNSUPPORTED(c, "a dimension of %u is too large to interpolate to %u", n, m);
    return NULL;
  }
  double *matrix = ox_temp(c, (size_t)n * m, sizeof *matrix);
  if (!matrix) return NULL;
  fold_around(&d, axis, parts);
  memcpy(shape, d.shape, sizeof shape);
  shape[axis] = m;
  if (parts[2] == 1) { /* rows times the transposed matrix */
    double *row = ox_temp(c, n, sizeof *row);
    if (!row) return NULL;
    for (uint32_t i = 0; i < m; i++) {
      memset(row, 0, n * sizeof *row);
      weights(r, axis, n, source(r, axis, n, i), row);
      for (uint32_t j = 0; j < n; j++) matrix[(size_t)j * m + i] = row[j];
    }
    wnn_operand *y = ox_matmul(c, ox_reshape(c, x, 2, parts),
                               ox_constant_doubles(c, d.data_type, 2, (const uint32_t[]){n, m}, matrix));
    return ox_reshape(c, y, d.rank, shape);
  }
  for (uint32_t i = 0; i < m; i++) weights(r, axis, n, source(r, axis, n, i), matrix + (size_t)i * n);
  wnn_operand *y = ox_matmul(c, ox_constant_doubles(c, d.data_type, 2, (const uint32_t[]){m, n}, matrix),
                             ox_reshape(c, x, 3, parts));
  return ox_reshape(c, y, d.rank, shape);
}

/* tf_crop_and_resize: places outside the input get a value of their own. */
static wnn_operand *extrapolate(ox_call *c, const resize *r, wnn_operand *y, const wnn_desc *in) {
  for (uint32_t axis = 0; axis < in->rank && y; axis++) {
    uint32_t shape[WNN_MAX_RANK], n = in->shape[axis], m = r->out[axis];
    int64_t *outside = ox_temp(c, m, sizeof *outside);
    bool any = false;
    for (uint32_t i = 0; outside && i < m; i++) {
      double at = source(r, axis, n, i);
      outside[i] = at < 0 || at > n - 1.0;
      any = any || outside[i];
    }
    if (!any) continue;
    for (uint32_t i = 0; i < in->rank; i++) shape[i] = i == axis ? m : 1;
    y = ox_where(c, ox_constant_ints(c, WNN_UINT8, in->rank, shape, outside), ox_like(c, y, r->extrapolation), y);
  }
  return y;
}

/* Whether resample2d takes the same samples along an axis. */
static bool same_samples(const resize *r, const wnn_desc *in, uint32_t axis) {
  uint32_t n = in->shape[axis], m = r->out[axis];
  bool whole = fabs(r->scale[axis] * n - m) < 1e-9;
  if (r->how == LINEAR) {
    bool smooth = !r->antialias || m >= n;
    return whole && smooth && (r->where == HALF_PIXEL || (r->where == PYTORCH && m > 1) || r->where == SYMMETRIC);
  }
  if (!whole || r->how == CUBIC) return false;
  if (r->where == HALF_PIXEL || (r->where == PYTORCH && m > 1)) return r->round == PREFER_FLOOR;
  return r->where == ASYMMETRIC && r->round == FLOOR && m % n == 0;
}

static wnn_operand *planar(ox_call *c, const resize *r, wnn_operand *x, const uint32_t axes[2]) {
  const uint32_t sizes[2] = {r->out[axes[0]], r->out[axes[1]]};
  wnn_resample2d_args args = {WNN_RESAMPLE2D_OPTIONS_INIT};
  args.options.mode = r->how == NEAREST ? WNN_INTERPOLATION_MODE_NEAREST_NEIGHBOR : WNN_INTERPOLATION_MODE_LINEAR;
  args.options.axes = (wnn_u32_list){axes, 2};
  args.options.sizes = (wnn_u32_list){sizes, 2};
  return ox_op_n(c, WNN_OP_RESAMPLE2D, &args, &x, 1);
}

static bool lower_resize(ox_call *c) {
  resize r = {0};
  const wnn_desc in = *ox_in_desc(c, 0);
  if (!read_modes(c, &r) || !read_sizes(c, &in, &r)) return false;
  wnn_operand *x = ox_in(c, 0);
  if (!x) return false;
  uint32_t axes[WNN_MAX_RANK], count = 0;
  bool same = true;
  for (uint32_t i = 0; i < in.rank; i++) {
    if (r.out[i] == in.shape[i] && (r.scale[i] == 1 || r.where == HALF_PIXEL) && r.where != CROP) continue;
    axes[count++] = i;
    same = same && same_samples(&r, &in, i);
  }
  if (!count) return ox_out_value(c, 0, c->in[0]);
  bool real = in.data_type == WNN_FLOAT32 || in.data_type == WNN_FLOAT16;
  if (same && in.rank == 4 && count <= 2 &&
      (real || (r.how == NEAREST && (in.data_type == WNN_INT8 || in.data_type == WNN_UINT8)))) {
    if (count == 1) { /* the second axis keeps its size */
      axes[1] = axes[0] == 3 ? 2 : 3;
      if (axes[1] < axes[0]) {
        axes[1] = axes[0];
        axes[0] = 2;
      }
    }
    return ox_out(c, 0, planar(c, &r, x, axes));
  }
  if (!real && r.how != NEAREST) x = ox_cast(c, x, WNN_FLOAT32);
  for (uint32_t i = 0; i < count && x; i++) x = along_axis(c, &r, x, axes[i]);
  if (r.where == CROP) x = extrapolate(c, &r, x, &in);
  return ox_out(c, 0, ox_cast(c, x, in.data_type));
}

#define RESIZE                                                                                                         \
  "mode:s=nearest coordinate_transformation_mode:s=half_pixel cubic_coeff_a:f=-0.75 exclude_outside:i=0 "              \
  "extrapolation_value:f=0 nearest_mode:s=round_prefer_floor"
static const ox_op ops[] = {
    {"", "Upsample", 7, 1, 1, 1, "mode:s=nearest scales:F", lower_resize, 0, 0},
    {"", "Upsample", 9, 2, 2, 1, "mode:s=nearest", lower_resize, 0, 0},
    {"", "Resize", 10, 2, 2, 1, "mode:s=nearest", lower_resize, 0, 0},
    {"", "Resize", 11, 1, 4, 1, RESIZE, lower_resize, 0, 0},
    {"", "Resize", 18, 1, 4, 1, RESIZE " antialias:i=0 axes:I keep_aspect_ratio_policy:s=stretch", lower_resize, 0, 0},
};
OX_FAMILY(resize, ops);
