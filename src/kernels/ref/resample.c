/* Reference resample2d: source positions as exact fractions, so that ties do not depend on rounding. */
#include "kernels/ref/util.h"

/* Where output position o of an axis reads, half-pixel centres: u = ((2o + 1) in - out) / (2 out), clamped
 * to the input. */
typedef struct sample {
  size_t nearest;      /* ceil(u - 1/2): ties go to the lower index */
  size_t lower, upper; /* floor(u) and its successor, both inside */
  int64_t part, whole; /* weight of upper: part / whole */
} sample;

static sample sample_of(size_t o, uint32_t in, uint32_t out) {
  int64_t numerator = (2 * (int64_t)o + 1) * in - out, last = (int64_t)in - 1; /* below 2^63 */
  sample s = {.whole = 2 * (int64_t)out};
  if (numerator <= 0) return s;
  /* The dividend of the ceiling is above -2 out, so that rounding up needs no negative quotient. */
  int64_t nearest = (numerator - (int64_t)out + s.whole - 1) / s.whole, lower = numerator / s.whole;
  s.nearest = (size_t)(nearest < last ? nearest : last);
  s.lower = s.upper = (size_t)(lower < last ? lower : last);
  if (lower < last) {
    s.upper++;
    s.part = numerator % s.whole;
  }
  return s;
}

/* Bilinear, v holding (lower, lower), (lower, upper), (upper, lower), (upper, upper) elements. A weight
 * of 0 leaves its element out, even one that is not finite. */
static double blend(double a, double b, const sample *s) {
  double weight = (double)s->part / (double)s->whole;
  return s->part ? a * (1 - weight) + b * weight : a;
}
static double blend_floats(const double v[4], const sample s[2]) {
  return blend(blend(v[0], v[1], &s[1]), blend(v[2], v[3], &s[1]), &s[0]);
}

/* The same for 8-bit integers, exact and rounded to the even neighbour on ties. The output has below 2^31
 * elements, so the product of the divisors is below 2^33. */
static int64_t blend_integers(const double v[4], const sample s[2]) {
  int64_t whole = s[0].whole * s[1].whole, sum = 0;
  int64_t top = s[0].whole - s[0].part, bottom = s[0].part, left = s[1].whole - s[1].part, right = s[1].part;
  const int64_t weights[4] = {top * left, top * right, bottom * left, bottom * right};
  for (int i = 0; i < 4; i++) sum += (int64_t)v[i] * weights[i];
  int64_t quotient = sum / whole - (sum % whole < 0), rest = sum - quotient * whole;
  return quotient + (2 * rest > whole || (2 * rest == whole && quotient % 2 != 0));
}

void wnn_ref_resample2d(const wnn_task *task, size_t begin, size_t end, void *scratch) {
  (void)scratch;
  const wnn_resample2d_options *options = &((const wnn_resample2d_args *)task->params)->options;
  const wnn_desc *input = &task->inputs[0].desc, *output = &task->outputs[0].desc;
  const void *x = task->inputs[0].data;
  void *y = task->outputs[0].data;
  wnn_data_type type = output->data_type;
  size_t size = wnn_data_type_size(type), strides[WNN_MAX_RANK];
  wnn_shape_strides(input, strides);

  for (size_t index = begin; index < end; index++) {
    size_t at[WNN_MAX_RANK], base = 0;
    wnn_shape_unravel(output, index, at);
    sample s[2];
    size_t stride[2];
    for (uint32_t i = 0; i < 4; i++) base += at[i] * strides[i];
    for (uint32_t i = 0; i < 2; i++) {
      uint32_t axis = options->axes.data[i];
      base -= at[axis] * strides[axis];
      stride[i] = strides[axis];
      s[i] = sample_of(at[axis], input->shape[axis], output->shape[axis]);
    }
    if (options->mode == WNN_INTERPOLATION_MODE_NEAREST_NEIGHBOR) {
      wnn_ref_copy_element(y, index, x, base + s[0].nearest * stride[0] + s[1].nearest * stride[1], size);
      continue;
    }
    double v[4];
    for (int i = 0; i < 4; i++)
      v[i] = wnn_ref_get_f64(x, type,
                             base + (i / 2 ? s[0].upper : s[0].lower) * stride[0] +
                                 (i % 2 ? s[1].upper : s[1].lower) * stride[1]);
    if (wnn_is_float(type))
      wnn_ref_put_f64(y, type, index, blend_floats(v, s));
    else
      wnn_ref_put_u64(y, type, index, (uint64_t)blend_integers(v, s));
  }
}
