/* Quantised operators of the standard: the pair itself, integer products, and what runs between a dequantisation and a
 * quantisation. The parts stay visible in the graph, for kernels that compute in integers. */
#include <math.h>
#include <string.h>

#include "quantized.h"

/* A scale or zero point in the rank of x: of all, of one axis, or of blocks. */
wnn_operand *ox_q_param(ox_call *c, wnn_operand *param, const wnn_desc *x, int64_t axis) {
  if (!param) return NULL;
  const wnn_desc *p = ox_desc(param);
  uint32_t shape[WNN_MAX_RANK], at;
  if (p->rank == x->rank && p->rank > 1) return param;
  for (uint32_t i = 0; i < x->rank; i++) shape[i] = 1;
  if (wnn_desc_elements(p) != 1) {
    if (p->rank != 1 || !ox_axis(c, axis, x->rank, &at)) {
      OX_BAD(c, "scale or zero point do not fit the input");
      return NULL;
    }
    shape[at] = p->shape[0];
  }
  return ox_reshape(c, param, x->rank, shape);
}

static wnn_operand *zeros_like(ox_call *c, wnn_operand *scale, wnn_data_type type) {
  return scale ? ox_fill(c, type, ox_desc(scale)->rank, ox_desc(scale)->shape, 0) : NULL;
}

wnn_operand *ox_dequantize(ox_call *c, wnn_operand *x, wnn_operand *scale, wnn_operand *zero, int64_t axis) {
  if (!x || !scale) return NULL;
  const wnn_desc d = *ox_desc(x);
  wnn_data_type type = d.data_type;
  scale = ox_q_param(c, scale, &d, axis);
  zero = zero ? ox_q_param(c, zero, &d, axis) : zeros_like(c, scale, type);
  if (!scale || !zero) return NULL;
  if (memcmp(ox_desc(zero)->shape, ox_desc(scale)->shape, d.rank * sizeof *d.shape))
    zero = ox_expand(c, zero, d.rank, ox_desc(scale)->shape);
  return ox_op_n(c, WNN_OP_DEQUANTIZE_LINEAR, NULL, (wnn_operand *const[]){x, scale, ox_cast(c, zero, type)}, 3);
}

wnn_operand *ox_quantize(ox_call *c, wnn_operand *x, wnn_operand *scale, wnn_operand *zero, wnn_data_type type,
                         int64_t axis) {
  if (!x || !scale) return NULL;
  const wnn_desc d = *ox_desc(x);
  scale = ox_q_param(c, scale, &d, axis);
  zero = zero ? ox_q_param(c, zero, &d, axis) : zeros_like(c, scale, type);
  if (!scale || !zero) return NULL;
  return ox_op_n(c, WNN_OP_QUANTIZE_LINEAR, NULL, (wnn_operand *const[]){x, ox_cast(c, scale, d.data_type), zero}, 3);
}

static bool lower_dequantize(ox_call *c) {
  return ox_out(c, 0, ox_dequantize(c, ox_in(c, 0), ox_in(c, 1), ox_in_optional(c, 2), ox_attr_i(c, "axis")));
}

/* Types narrower than what carries them saturate at their own limits. */
static wnn_operand *saturate(ox_call *c, wnn_operand *x, int32_t type) {
  switch (type) {
  case OX_INT16: return ox_clamp(c, x, -32768, 32767);
  case OX_UINT16: return ox_clamp(c, x, 0, 65535);
  case OX_INT4: return ox_clamp(c, x, -8, 7);
  case OX_UINT4: return ox_clamp(c, x, 0, 15);
  default: return x;
  }
}

static bool quantize_convolution(ox_call *c, bool *done);

static bool lower_quantize(ox_call *c) {
  bool done = false;
  if (!quantize_convolution(c, &done) || done) return done && !c->failed;
  wnn_operand *x = ox_in(c, 0), *zero = ox_in_optional(c, 2);
  int32_t given = (int32_t)ox_attr_i(c, "output_dtype"), named = ox_has(c, 2) ? c->in[2]->onnx_type
                                                                 : given      ? given
                                                                              : OX_UINT8;
  wnn_data_type type = WNN_UINT8;
  if (!ox_has(c, 2) && !ox_type_carrier(named, &type))
    return OX_UNSUPPORTED(c, "WebNN has no data type for %s", ox_type_name(named));
  if (x && ox_desc(x)->data_type != WNN_FLOAT32 && ox_desc(x)->data_type != WNN_FLOAT16) x = ox_cast(c, x, WNN_FLOAT32);
  return ox_out(c, 0, saturate(c, ox_quantize(c, x, ox_in(c, 1), zero, type, ox_attr_i(c, "axis")), named));
}

/* scale = (max(x, 0) - min(x, 0)) / 255, the zero point is where 0 falls. */
bool ox_dynamic_quantize(ox_call *c, wnn_operand *x, wnn_operand **y, wnn_operand **scale, wnn_operand **zero) {
  if (!x) return false;
  uint32_t axes[WNN_MAX_RANK], rank = ox_desc(x)->rank, ones[WNN_MAX_RANK];
  for (uint32_t i = 0; i < rank; i++) {
    axes[i] = i;
    ones[i] = 1;
  }
  wnn_operand *none = ox_number(c, WNN_FLOAT32, 0);
  wnn_operand *lo = ox_min(c, ox_reduce(c, WNN_OP_REDUCE_MIN, x, axes, rank, false), none);
  wnn_operand *hi = ox_max(c, ox_reduce(c, WNN_OP_REDUCE_MAX, x, axes, rank, false), none);
  *scale = ox_div(c, ox_sub(c, hi, lo), ox_number(c, WNN_FLOAT32, 255));
  *scale = ox_where(c, ox_bin(c, WNN_OP_EQUAL, *scale, none), ox_number(c, WNN_FLOAT32, 1), *scale);
  wnn_operand *place = ox_un(c, WNN_OP_ROUND_EVEN, ox_clamp(c, ox_div(c, ox_un(c, WNN_OP_NEG, lo), *scale), 0, 255));
  *zero = ox_cast(c, place, WNN_UINT8);
  *y = ox_quantize(c, x, ox_reshape(c, *scale, rank, ones), ox_reshape(c, *zero, rank, ones), WNN_UINT8, 0);
  return *y != NULL;
}

static bool lower_dynamic_quantize(ox_call *c) {
  wnn_operand *y, *scale, *zero;
  return ox_dynamic_quantize(c, ox_in(c, 0), &y, &scale, &zero) && ox_out(c, 0, y) && ox_out(c, 1, scale) &&
         ox_out(c, 2, zero);
}

/* ---- Integer products ------------------------------------------------------------------------------------------ */

/* Integers as floats, their zero point taken off. of_rows: a zero point vector belongs to the rows. */
static wnn_operand *centred(ox_call *c, wnn_operand *x, wnn_operand *zero, int64_t axis) {
  if (!x) return NULL;
  wnn_operand *one = ox_number(c, WNN_FLOAT32, 1);
  if (zero && wnn_desc_elements(ox_desc(zero)) > 1) {
    zero = ox_q_param(c, zero, ox_desc(x), axis);
    one = zero ? ox_fill(c, WNN_FLOAT32, ox_desc(zero)->rank, ox_desc(zero)->shape, 1) : NULL;
  }
  return ox_dequantize(c, x, one, zero, axis);
}

/* Terms that a float32 sum of 8-bit products holds exactly. */
static uint32_t exact_terms(ox_call *c, size_t zero_input) {
  bool symmetric = !ox_has(c, zero_input);
  if (!symmetric && ox_is_const(c, zero_input)) {
    ox_ints zeros;
    if (!ox_const_ints(c, zero_input, "the zero point", &zeros)) return 1;
    symmetric = true;
    for (size_t i = 0; i < zeros.count; i++) symmetric = symmetric && zeros.at[i] == 0;
    symmetric = symmetric && ox_in_desc(c, zero_input)->data_type == WNN_INT8;
  }
  return (1u << 24) / (255 * (symmetric ? 128 : 255));
}

wnn_operand *ox_integer_matmul(ox_call *c, size_t a_in, size_t b_in, size_t a_zero, size_t b_zero) {
  wnn_operand *a = centred(c, ox_in(c, a_in), ox_in_optional(c, a_zero), -2),
              *b = centred(c, ox_in(c, b_in), ox_in_optional(c, b_zero), -1);
  if (!a || !b) return NULL;
  const wnn_desc da = *ox_desc(a), db = *ox_desc(b);
  uint32_t k = da.rank ? da.shape[da.rank - 1] : 0, limit = exact_terms(c, b_zero);
  if (k <= limit || da.rank < 2 || db.rank < 2) return ox_cast(c, ox_np_matmul(c, a, b), WNN_INT32);
  wnn_operand *sum = NULL;
  for (uint32_t at = 0; at < k && !c->failed; at += limit) {
    uint32_t part = k - at < limit ? k - at : limit;
    wnn_operand *y = ox_matmul(c, ox_slice(c, a, da.rank - 1, at, part), ox_slice(c, b, db.rank - 2, at, part));
    y = ox_cast(c, y, WNN_INT32);
    sum = sum ? ox_add(c, sum, y) : y;
  }
  return sum;
}

static bool lower_matmul_integer(ox_call *c) { return ox_out(c, 0, ox_integer_matmul(c, 0, 1, 2, 3)); }

static bool lower_conv_integer(ox_call *c) {
  wnn_operand *x = centred(c, ox_in(c, 0), ox_in_optional(c, 2), 0),
              *w = centred(c, ox_in(c, 1), ox_in_optional(c, 3), 0);
  if (!x || !w) return false;
  const wnn_desc d = *ox_desc(w);
  uint64_t taps = 1;
  for (uint32_t i = 2; i < d.rank; i++) taps *= d.shape[i];
  uint32_t limit = exact_terms(c, 3), channels = taps < limit ? (uint32_t)(limit / taps) : 1;
  if (d.shape[1] <= channels || ox_attr_i(c, "group") > 1)
    return ox_out(c, 0, ox_cast(c, ox_convolve_node(c, x, w, NULL), WNN_INT32));
  wnn_operand *sum = NULL;
  for (uint32_t at = 0; at < d.shape[1] && !c->failed; at += channels) {
    uint32_t part = d.shape[1] - at < channels ? d.shape[1] - at : channels;
    wnn_operand *y =
        ox_cast(c, ox_convolve_node(c, ox_slice(c, x, 1, at, part), ox_slice(c, w, 1, at, part), NULL), WNN_INT32);
    sum = sum ? ox_add(c, sum, y) : y;
  }
  return ox_out(c, 0, sum);
}

/* ---- Convolutions between dequantisation and quantisation
 * ------------------------------------------------------------
 *
 * The plain reading (floats in between) loses ties: the exact result may lie closer to a rounding border than a float
 * can say. With constant scales the sum is computed of the integers themselves, exactly, and scaled once. */

typedef struct qconv {
  ox_call *conv; /* whose attributes count */
  ox_value *x, *x_scale, *x_zero, *w, *w_scale, *w_zero, *bias, *y_scale;
} qconv;

static bool is_number(const ox_value *value) {
  size_t count;
  return value && value->constant && !value->pending && ox_count_elements(&value->desc, &count) && count == 1;
}

static double number_of(const ox_value *value) { return ox_load_double(value->desc.data_type, value->data, 0); }

/* The sum times x_scale * w_scale / y_scale, in the rank of the result; NULL without failure when a scale is open. */
static wnn_operand *scaled_convolution(ox_call *c, const qconv *q) {
  size_t channels;
  bool fixed =
      is_number(q->x_scale) && is_number(q->y_scale) && q->w_scale && q->w_scale->constant && !q->w_scale->pending;
  if (!fixed || q->x_scale->desc.data_type != WNN_FLOAT32 || !ox_count_elements(&q->w_scale->desc, &channels) ||
      q->w_scale->desc.rank > 1)
    return NULL;
  if (channels != 1 && channels != q->w->desc.shape[0]) return NULL;
  double *factors = ox_temp(c, channels, sizeof *factors);
  uint32_t shape[WNN_MAX_RANK];
  if (!factors) return NULL;
  for (size_t i = 0; i < channels; i++) {
    float x = (float)number_of(q->x_scale), w = (float)ox_load_double(WNN_FLOAT32, q->w_scale->data, i),
          y = (float)number_of(q->y_scale);
    factors[i] = (double)(x * w / y);
  }
  wnn_operand *x = centred(c, ox_use(c, q->x), ox_use(c, q->x_zero), 0),
              *w = centred(c, ox_use(c, q->w), ox_use(c, q->w_zero), 0);
  wnn_operand *bias = ox_cast(c, ox_use(c, q->bias), WNN_FLOAT32),
              *sum = c->failed ? NULL : ox_convolve_node(q->conv, x, w, bias);
  if (!sum) return NULL;
  uint32_t rank = ox_desc(sum)->rank;
  for (uint32_t i = 0; i < rank; i++) shape[i] = i == 1 ? (uint32_t)channels : 1;
  return ox_mul(c, sum, ox_constant_doubles(c, WNN_FLOAT32, rank, shape, factors));
}

static const ox_call *made_by(const ox_value *value, const char *op) {
  return value && value->maker && !strcmp(value->maker->op->name, op) && !*value->maker->op->domain ? value->maker
                                                                                                    : NULL;
}

/* QuantizeLinear over Conv over DequantizeLinear. */
static bool quantize_convolution(ox_call *c, bool *done) {
  const ox_call *conv = c->in_count ? made_by(c->in[0], "Conv") : NULL;
  if (!conv || !ox_has(c, 2)) return true;
  const ox_call *x = made_by(conv->in[0], "DequantizeLinear"), *w = made_by(conv->in[1], "DequantizeLinear");
  const ox_value *b = ox_value_in(conv, 2);
  const ox_call *bias = made_by(b, "DequantizeLinear");
  if (!x || !w || (b && !bias) || ox_attr_i(w, "axis") != 0) return true;
  if (x->in[0]->desc.data_type == WNN_INT32 || w->in[0]->desc.data_type == WNN_INT32) return true;
  qconv q = {(ox_call *)(uintptr_t)conv, x->in[0], x->in[1], ox_value_in(x, 2), w->in[0], w->in[1], ox_value_in(w, 2),
             bias ? bias->in[0] : NULL,  c->in[1]};
  if (bias) {
    /* Its scale must be the product of the other two. */
    if (!is_number(q.x_scale) || !bias->in[1]->constant || !q.w_scale->constant) return true;
    double want = number_of(q.x_scale) * number_of(q.w_scale), got = number_of(bias->in[1]);
    if (fabs(got - want) > 1e-5 * fabs(want)) return true;
  }
  wnn_operand *y = scaled_convolution(c, &q);
  if (c->failed || q.conv->failed) return false;
  if (!y) return true;
  *done = ox_out(c, 0, ox_quantize(c, y, ox_number(c, WNN_FLOAT32, 1), ox_in(c, 2), WNN_UINT8, 0));
  return *done;
}

/* ---- Between dequantisation and quantisation ----------------------------------------------------------------------
 */

/* Input `at` dequantised with the scale and zero point behind it. */
static wnn_operand *dq(ox_call *c, size_t at, int64_t axis) {
  return ox_dequantize(c, ox_in(c, at), ox_in(c, at + 1), ox_in_optional(c, at + 2), axis);
}

static bool out_q(ox_call *c, wnn_operand *y, size_t scale_at, wnn_data_type type) {
  return ox_out(c, 0, ox_quantize(c, y, ox_in(c, scale_at), ox_in_optional(c, scale_at + 1), type, 0));
}

static bool lower_qlinear_conv(ox_call *c) {
  const qconv q = {c,        c->in[0],          c->in[1],          ox_value_in(c, 2), c->in[3],
                   c->in[4], ox_value_in(c, 5), ox_value_in(c, 8), c->in[6]};
  wnn_operand *exact = scaled_convolution(c, &q);
  if (c->failed) return false;
  if (exact) return ox_out(c, 0, ox_quantize(c, exact, ox_number(c, WNN_FLOAT32, 1), ox_in(c, 7), WNN_UINT8, 0));
  wnn_operand *x_scale = ox_in(c, 1), *w_scale = ox_in(c, 4), *bias = NULL;
  if (ox_has(c, 8)) {
    wnn_operand *b = ox_in(c, 8), *scale = ox_mul(c, ox_reshape(c, x_scale, 0, NULL), w_scale);
    if (scale && ox_desc(scale)->rank == 0) scale = OX_RESHAPE(c, scale, 1);
    bias = ox_dequantize(c, b, scale, NULL, 0);
  }
  wnn_operand *y = ox_convolve_node(c, dq(c, 0, 1), dq(c, 3, 0), bias);
  return !c->failed && out_q(c, y, 6, ox_in_desc(c, 7)->data_type);
}

static bool lower_qlinear_matmul(ox_call *c) {
  wnn_operand *y = ox_np_matmul(c, dq(c, 0, -2), dq(c, 3, -1));
  return out_q(c, y, 6, ox_in_desc(c, 7)->data_type);
}

/* com.microsoft: A, its scale and zero point, B the same, then those of the result. */
static bool lower_qlinear_binary(ox_call *c) {
  return out_q(c, ox_bin(c, c->op->arg, dq(c, 0, 0), dq(c, 3, 0)), 6, ox_in_desc(c, 0)->data_type);
}

static bool lower_qlinear_unary(ox_call *c) {
  wnn_operand *x = dq(c, 0, 0), *y;
  if (c->op->arg == WNN_OP_LEAKY_RELU) {
    wnn_leaky_relu_args args = {{NULL, ox_attr_f(c, "alpha")}};
    y = x ? ox_op_n(c, WNN_OP_LEAKY_RELU, &args, &x, 1) : NULL;
  } else if (c->op->arg == WNN_OP_SOFTMAX) {
    uint32_t axis;
    const wnn_desc *d = ox_in_desc(c, 0);
    if (!ox_axis(c, ox_attr_i(c, "axis"), d->rank, &axis)) return false;
    if (ox_attr_i(c, "opset") < 13 && axis + 1 != d->rank) return OX_UNSUPPORTED(c, "the flattening form of Softmax");
    y = ox_softmax(c, x, axis);
  } else {
    y = ox_un(c, c->op->arg, x);
  }
  return out_q(c, y, 3, ox_in_desc(c, 0)->data_type);
}

static bool lower_qlinear_global_pool(ox_call *c) {
  wnn_operand *x = dq(c, 0, 0);
  uint32_t rank = ox_desc(x)->rank, axes[WNN_MAX_RANK];
  bool last = ox_attr_i(c, "channels_last") != 0;
  if (rank < 3) return OX_BAD(c, "an input of rank %u", rank);
  for (uint32_t i = 0; i + 2 < rank; i++) axes[i] = i + (last ? 1 : 2);
  return out_q(c, ox_reduce(c, WNN_OP_REDUCE_MEAN, x, axes, rank - 2, true), 3, ox_in_desc(c, 0)->data_type);
}

/* Scale and zero point of the result come first, then three inputs for each part. */
static bool lower_qlinear_concat(ox_call *c) {
  size_t count = c->in_count > 2 ? (c->in_count - 2) / 3 : 0;
  wnn_operand **parts = ox_temp(c, count, sizeof *parts);
  uint32_t axis;
  if (!parts || !count) return OX_BAD(c, "no parts");
  for (size_t i = 0; i < count; i++) parts[i] = dq(c, 2 + 3 * i, 0);
  if (!ox_axis(c, ox_attr_i(c, "axis"), ox_in_desc(c, 2)->rank, &axis)) return false;
  return out_q(c, ox_concat(c, parts, count, axis), 0, ox_in_desc(c, 2)->data_type);
}

static bool lower_qlinear_where(ox_call *c) {
  return out_q(c, ox_where(c, ox_in(c, 0), dq(c, 1, 0), dq(c, 4, 0)), 7, ox_in_desc(c, 1)->data_type);
}

/* A, B, C (32 bits, scale a * b); the result stays float without a scale of its own. */
static bool lower_qgemm(ox_call *c) {
  wnn_operand *a = dq(c, 0, 0), *b = dq(c, 3, ox_attr_i(c, "transB") ? 0 : 1);
  if (ox_attr_i(c, "transA")) a = ox_swap_last(c, a);
  if (ox_attr_i(c, "transB")) b = ox_swap_last(c, b);
  wnn_operand *y = ox_matmul(c, a, b);
  double alpha = ox_attr_f(c, "alpha");
  if (alpha != 1) y = ox_mul(c, y, ox_like(c, y, alpha));
  if (ox_has(c, 6)) {
    wnn_operand *scale = ox_mul(c, ox_reshape(c, ox_in(c, 1), 0, NULL), ox_in(c, 4));
    if (alpha != 1) scale = ox_mul(c, scale, ox_like(c, scale, alpha));
    y = ox_add(c, y, ox_mul(c, ox_cast(c, ox_in(c, 6), WNN_FLOAT32), scale));
  }
  return ox_has(c, 7) ? out_q(c, y, 7, ox_in_desc(c, 0)->data_type) : ox_out(c, 0, y);
}

/* ---- Integer products that end in floats --------------------------------------------------------------------------
 */

static wnn_operand *scaled_sum(ox_call *c, wnn_operand *sum, wnn_operand *a_scale, wnn_operand *b_scale, size_t bias) {
  wnn_operand *y = ox_mul(c, ox_cast(c, sum, WNN_FLOAT32), ox_mul(c, a_scale, b_scale));
  return ox_has(c, bias) ? ox_add(c, y, ox_in(c, bias)) : y;
}

static bool lower_matmul_integer_to_float(ox_call *c) {
  return ox_out(c, 0, scaled_sum(c, ox_integer_matmul(c, 0, 1, 4, 5), ox_in(c, 2), ox_in(c, 3), 6));
}

static bool lower_dynamic_quantize_matmul(ox_call *c) {
  wnn_operand *y, *scale, *zero;
  if (!ox_dynamic_quantize(c, ox_in(c, 0), &y, &scale, &zero)) return false;
  wnn_operand *a = centred(c, y, zero, -2), *b = centred(c, ox_in(c, 1), ox_in_optional(c, 3), -1);
  return ox_out(c, 0, scaled_sum(c, ox_np_matmul(c, a, b), scale, ox_in(c, 2), 4));
}

#define MS "com.microsoft"
static const ox_op ops[] = {
    {"", "DequantizeLinear", 10, 2, 3, 1, "axis:i=1", lower_dequantize, 0, OX_NO_FOLD},
    {"", "DequantizeLinear", 21, 2, 3, 1, "axis:i=1 block_size:i=0 output_dtype:i=0", lower_dequantize, 0, OX_NO_FOLD},
    {MS, "DequantizeLinear", 1, 2, 3, 1, "axis:i=1 block_size:i=0", lower_dequantize, 0, OX_NO_FOLD},
    {"", "QuantizeLinear", 10, 2, 3, 1, "axis:i=1 saturate:i=1", lower_quantize, 0, 0},
    {"", "QuantizeLinear", 21, 2, 3, 1, "axis:i=1 saturate:i=1 block_size:i=0 output_dtype:i=0 precision:i=0",
     lower_quantize, 0, 0},
    {MS, "QuantizeLinear", 1, 2, 3, 1, "axis:i=1 block_size:i=0 saturate:i=1", lower_quantize, 0, 0},
    {"", "DynamicQuantizeLinear", 11, 1, 1, 3, "", lower_dynamic_quantize, 0, 0},
    {"", "MatMulInteger", 10, 2, 4, 1, "", lower_matmul_integer, 0, 0},
    {"", "ConvInteger", 10, 2, 4, 1, OX_WINDOW_ATTRS, lower_conv_integer, 0, 0},
    {"", "QLinearConv", 10, 8, 9, 1, OX_WINDOW_ATTRS, lower_qlinear_conv, 0, 0},
    {"", "QLinearMatMul", 10, 8, 8, 1, "", lower_qlinear_matmul, 0, 0},
    {MS, "QLinearAdd", 1, 7, 8, 1, "", lower_qlinear_binary, WNN_OP_ADD, 0},
    {MS, "QLinearMul", 1, 7, 8, 1, "", lower_qlinear_binary, WNN_OP_MUL, 0},
    {MS, "QLinearSigmoid", 1, 4, 5, 1, "", lower_qlinear_unary, WNN_OP_SIGMOID, 0},
    {MS, "QLinearLeakyRelu", 1, 4, 5, 1, "alpha:f=0.01", lower_qlinear_unary, WNN_OP_LEAKY_RELU, 0},
    {MS, "QLinearSoftmax", 1, 4, 5, 1, "axis:i=-1 opset:i", lower_qlinear_unary, WNN_OP_SOFTMAX, 0},
    {MS, "QLinearGlobalAveragePool", 1, 4, 5, 1, "channels_last:i=0", lower_qlinear_global_pool, 0, 0},
    {MS, "QLinearConcat", 1, 3, OX_MANY, 1, "axis:i", lower_qlinear_concat, 0, 0},
    {MS, "QLinearWhere", 1, 8, 9, 1, "", lower_qlinear_where, 0, 0},
    {MS, "QGemm", 1, 6, 9, 1, "alpha:f=1 transA:i=0 transB:i=0", lower_qgemm, 0, 0},
    {MS, "MatMulIntegerToFloat", 1, 4, 7, 1, "", lower_matmul_integer_to_float, 0, 0},
    {MS, "DynamicQuantizeMatMul", 1, 3, 5, 1, "", lower_dynamic_quantize_matmul, 0, 0},
};
OX_FAMILY(quantized, ops);
