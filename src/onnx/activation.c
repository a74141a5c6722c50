/* Activation functions and the functions of one variable that WebNN lacks. */
#include <math.h>
#include <string.h>

#include "import.h"

static wnn_operand *scaled(ox_call *c, wnn_operand *x, double factor) { return ox_mul(c, x, ox_like(c, x, factor)); }
static wnn_operand *plus(ox_call *c, wnn_operand *x, double add) { return ox_add(c, x, ox_like(c, x, add)); }
static wnn_operand *un(ox_call *c, int op, wnn_operand *x) { return ox_un(c, op, x); }

static bool lower_direct(ox_call *c) {
  if (ox_empty(c, 0)) return ox_out_const(c, 0, ox_in_desc(c, 0), NULL);
  return ox_out(c, 0, ox_un_wide(c, c->op->arg, ox_in(c, 0)));
}

static bool lower_relu(ox_call *c) {
  wnn_operand *x = ox_in(c, 0);
  bool direct = wnn_op_get(WNN_OP_RELU)->operands[0].allowed & WNN_TYPE_BIT(ox_desc(x)->data_type);
  return ox_out(c, 0, direct ? un(c, WNN_OP_RELU, x) : ox_max(c, x, ox_like(c, x, 0)));
}

static wnn_operand *elu(ox_call *c, wnn_operand *x, double alpha) {
  wnn_elu_args args = {{NULL, alpha}};
  return x ? ox_op_n(c, WNN_OP_ELU, &args, &x, 1) : NULL;
}

static wnn_operand *leaky_relu(ox_call *c, wnn_operand *x, double alpha) {
  wnn_leaky_relu_args args = {{NULL, alpha}};
  return x ? ox_op_n(c, WNN_OP_LEAKY_RELU, &args, &x, 1) : NULL;
}

static wnn_operand *hard_sigmoid(ox_call *c, wnn_operand *x, double alpha, double beta) {
  wnn_hard_sigmoid_args args = {{NULL, alpha, beta}};
  return x ? ox_op_n(c, WNN_OP_HARD_SIGMOID, &args, &x, 1) : NULL;
}

static wnn_operand *thresholded(ox_call *c, wnn_operand *x, double alpha) {
  return ox_where(c, ox_bin(c, WNN_OP_GREATER, x, ox_like(c, x, alpha)), x, ox_like(c, x, 0));
}

static bool lower_elu(ox_call *c) { return ox_out(c, 0, elu(c, ox_in(c, 0), ox_attr_f(c, "alpha"))); }
static bool lower_leaky_relu(ox_call *c) { return ox_out(c, 0, leaky_relu(c, ox_in(c, 0), ox_attr_f(c, "alpha"))); }
static bool lower_thresholded(ox_call *c) { return ox_out(c, 0, thresholded(c, ox_in(c, 0), ox_attr_f(c, "alpha"))); }

static bool lower_hard_sigmoid(ox_call *c) {
  return ox_out(c, 0, hard_sigmoid(c, ox_in(c, 0), ox_attr_f(c, "alpha"), ox_attr_f(c, "beta")));
}

/* The slope broadcasts toward x only; before opset 7 a slope of one dimension lay along axis 1. */
static bool lower_prelu(ox_call *c) {
  wnn_operand *x = ox_in(c, 0), *slope = ox_in(c, 1);
  const wnn_desc *desc = ox_desc(x), *part = ox_desc(slope);
  if (c->op->since < 7 && part->rank == 1 && desc->rank > 1) {
    uint32_t shape[WNN_MAX_RANK] = {part->shape[0]}, rank = desc->rank - 1;
    for (uint32_t i = 1; i < rank; i++) shape[i] = 1;
    slope = ox_reshape(c, slope, rank, shape);
  }
  return ox_out(c, 0, ox_bin_wide(c, WNN_OP_PRELU, x, slope));
}

/* scale * (max(x, 0) + alpha * (exp(min(x, 0)) - 1)) */
static wnn_operand *selu(ox_call *c, wnn_operand *x, double alpha, double gamma) {
  return scaled(c, elu(c, x, alpha), gamma);
}
static bool lower_selu(ox_call *c) {
  return ox_out(c, 0, selu(c, ox_in(c, 0), ox_attr_f(c, "alpha"), ox_attr_f(c, "gamma")));
}

/* max(x, 0) + min(0, a (exp(x / a) - 1)) = a elu(x / a) below zero */
static bool lower_celu(ox_call *c) {
  double alpha = ox_attr_f(c, "alpha");
  if (alpha == 0) return OX_BAD(c, "attribute 'alpha' is 0");
  wnn_operand *x = ox_in(c, 0), *zero = ox_like(c, x, 0);
  wnn_operand *low = scaled(c, elu(c, ox_div(c, x, ox_like(c, x, alpha)), 1), alpha);
  return ox_out(c, 0, ox_add(c, ox_max(c, x, zero), ox_min(c, low, zero)));
}

static bool lower_mish(ox_call *c) {
  wnn_operand *x = ox_in(c, 0);
  return ox_out(c, 0, ox_mul(c, x, un(c, WNN_OP_TANH, un(c, WNN_OP_SOFTPLUS, x))));
}

static bool lower_shrink(ox_call *c) {
  double lambd = ox_attr_f(c, "lambd"), bias = ox_attr_f(c, "bias");
  wnn_data_type type = ox_in_desc(c, 0)->data_type;
  bool real = type == WNN_FLOAT32 || type == WNN_FLOAT16;
  wnn_operand *x = real ? ox_in(c, 0) : ox_cast(c, ox_in(c, 0), WNN_FLOAT32);
  wnn_operand *low = ox_bin(c, WNN_OP_LESSER, x, ox_like(c, x, -lambd)),
              *high = ox_bin(c, WNN_OP_GREATER, x, ox_like(c, x, lambd));
  wnn_operand *out = ox_where(c, low, plus(c, x, bias), ox_where(c, high, plus(c, x, -bias), ox_like(c, x, 0)));
  return ox_out(c, 0, ox_cast(c, out, type));
}

/* x * sigmoid(alpha x) */
static wnn_operand *swish(ox_call *c, wnn_operand *x, double alpha) {
  return ox_mul(c, x, un(c, WNN_OP_SIGMOID, alpha == 1 ? x : scaled(c, x, alpha)));
}
static bool lower_swish(ox_call *c) { return ox_out(c, 0, swish(c, ox_in(c, 0), ox_attr_f(c, "alpha"))); }

static bool lower_swiglu(ox_call *c) {
  return ox_out(c, 0, ox_mul(c, swish(c, ox_in(c, 0), ox_attr_f(c, "alpha")), ox_in(c, 1)));
}

/* ---- GELU -------------------------------------------------------------------------------------------- */

wnn_operand *ox_gelu_tanh(ox_call *c, wnn_operand *x) {
  wnn_operand *cube = scaled(c, ox_mul(c, ox_mul(c, x, x), x), 0.044715);
  wnn_operand *inner = scaled(c, ox_add(c, x, cube), 0.7978845608028654); /* sqrt(2 / pi) */
  return ox_mul(c, scaled(c, x, 0.5), plus(c, un(c, WNN_OP_TANH, inner), 1));
}

static bool lower_gelu(ox_call *c) {
  wnn_operand *x = ox_in(c, 0);
  if (ox_attr_is(c, "approximate", "tanh")) return ox_out(c, 0, ox_gelu_tanh(c, x));
  if (!ox_attr_is(c, "approximate", "none"))
    return OX_UNSUPPORTED(c, "attribute 'approximate' is neither none nor tanh");
  return ox_out(c, 0, un(c, WNN_OP_GELU, x));
}

static bool lower_bias_gelu(ox_call *c) {
  return ox_out(c, 0, un(c, WNN_OP_GELU, ox_add(c, ox_in(c, 0), ox_in(c, 1))));
}

static bool lower_fast_gelu(ox_call *c) {
  wnn_operand *x = ox_in(c, 0);
  if (ox_has(c, 1)) x = ox_add(c, x, ox_in(c, 1));
  return ox_out(c, 0, ox_gelu_tanh(c, x));
}

/* (x + bias) cut in two along the last axis: a * gelu(b) */
static bool lower_bias_split_gelu(ox_call *c) {
  wnn_operand *x = ox_add(c, ox_in(c, 0), ox_in(c, 1));
  if (!x) return false;
  uint32_t axis = ox_desc(x)->rank - 1, half = ox_desc(x)->shape[axis] / 2;
  if (half * 2 != ox_desc(x)->shape[axis]) return OX_BAD(c, "the last dimension is odd");
  return ox_out(c, 0, ox_mul(c, ox_slice(c, x, axis, 0, half), un(c, WNN_OP_GELU, ox_slice(c, x, axis, half, half))));
}

/* ---- Softmax and kin ----------------------------------------------------------------------------------- */

/* Before opset 13 everything from the axis on is one dimension. Stores the shape to work on and the axis in it. */
static bool softmax_shape(ox_call *c, uint32_t *rank, uint32_t shape[WNN_MAX_RANK], uint32_t *axis) {
  const wnn_desc *desc = ox_in_desc(c, 0);
  if (!desc->rank && c->op->since < 13) {
    *rank = 2;
    shape[0] = shape[1] = 1;
    *axis = 1;
    return true;
  }
  int64_t given = ox_attr_i(c, "axis");
  if (c->op->since < 13 && given == (int64_t)desc->rank)
    given = desc->rank; /* flattens to [all, 1] */
  else if (!ox_axis(c, given, desc->rank, axis))
    return false;
  else
    given = *axis;
  if (c->op->since >= 13) {
    *rank = desc->rank;
    memcpy(shape, desc->shape, sizeof desc->shape);
    return true;
  }
  *rank = 2;
  *axis = 1;
  shape[0] = shape[1] = 1;
  for (uint32_t i = 0; i < desc->rank; i++) shape[i >= given] *= desc->shape[i];
  return true;
}

static wnn_operand *hardmax(ox_call *c, wnn_operand *x, uint32_t axis) {
  if (!x) return NULL;
  wnn_arg_min_max_args args = {axis, {NULL, true, WNN_INT32}};
  wnn_operand *first = ox_op_n(c, WNN_OP_ARG_MAX, &args, &x, 1);
  wnn_operand *iota = ox_iota(c, WNN_INT32, ox_desc(x)->rank, axis, ox_desc(x)->shape[axis]);
  return ox_cast(c, ox_bin(c, WNN_OP_EQUAL, iota, first), ox_desc(x)->data_type);
}

static wnn_operand *log_softmax(ox_call *c, wnn_operand *x, uint32_t axis) {
  wnn_operand *shifted = ox_sub(c, x, ox_reduce1(c, WNN_OP_REDUCE_MAX, x, axis, true));
  wnn_operand *sum = ox_reduce1(c, WNN_OP_REDUCE_SUM, un(c, WNN_OP_EXP, shifted), axis, true);
  return ox_sub(c, shifted, un(c, WNN_OP_LOG, sum));
}

static bool lower_softmax(ox_call *c) {
  uint32_t rank, shape[WNN_MAX_RANK], axis;
  if (ox_empty(c, 0)) return ox_out_const(c, 0, ox_in_desc(c, 0), NULL);
  if (!softmax_shape(c, &rank, shape, &axis)) return false;
  const wnn_desc *desc = ox_in_desc(c, 0);
  wnn_operand *x = ox_in(c, 0);
  /* When the rest behind the axis is of size 1, the flattened form is the plain one: no reshapes. */
  if (c->op->since < 13 && desc->rank && desc->shape[desc->rank - 1] == shape[1]) {
    rank = desc->rank;
    memcpy(shape, desc->shape, sizeof desc->shape);
    axis = rank - 1;
  }
  x = ox_reshape(c, x, rank, shape);
  if (c->op->name[0] == 'L')
    x = log_softmax(c, x, axis);
  else if (c->op->name[0] == 'H')
    x = hardmax(c, x, axis);
  else
    x = ox_softmax(c, x, axis);
  return ox_out(c, 0, ox_reshape(c, x, desc->rank, desc->shape));
}

/* ---- Hyperbolic and inverse functions ------------------------------------------------------------------ */

static wnn_operand *cosh_of(ox_call *c, wnn_operand *x) {
  return scaled(c, ox_add(c, un(c, WNN_OP_EXP, x), un(c, WNN_OP_EXP, un(c, WNN_OP_NEG, x))), 0.5);
}

static bool lower_cosh(ox_call *c) { return ox_out(c, 0, cosh_of(c, ox_in(c, 0))); }

/* tanh * cosh keeps the digits near 0. */
static bool lower_sinh(ox_call *c) {
  wnn_operand *x = ox_in(c, 0);
  return ox_out(c, 0, ox_mul(c, un(c, WNN_OP_TANH, x), cosh_of(c, x)));
}

static bool lower_asinh(ox_call *c) {
  wnn_operand *x = ox_in(c, 0), *size = un(c, WNN_OP_ABS, x);
  wnn_operand *root = un(c, WNN_OP_SQRT, plus(c, ox_mul(c, x, x), 1));
  return ox_out(c, 0, ox_mul(c, un(c, WNN_OP_SIGN, x), un(c, WNN_OP_LOG, ox_add(c, size, root))));
}

static bool lower_acosh(ox_call *c) {
  wnn_operand *x = ox_in(c, 0);
  wnn_operand *root = un(c, WNN_OP_SQRT, ox_mul(c, plus(c, x, -1), plus(c, x, 1)));
  return ox_out(c, 0, un(c, WNN_OP_LOG, ox_add(c, x, root)));
}

static bool lower_atanh(ox_call *c) {
  wnn_operand *x = ox_in(c, 0), *one = ox_like(c, x, 1);
  return ox_out(c, 0, scaled(c, un(c, WNN_OP_LOG, ox_div(c, ox_add(c, one, x), ox_sub(c, one, x))), 0.5));
}

/* Two reductions of the argument to |t| < tan(pi/8), then an odd polynomial (good to a unit or two of float32). */
static wnn_operand *atan_of(ox_call *c, wnn_operand *x) {
  static const double terms[] = {8.05374449538e-2, -1.38776856032e-1, 1.99777106478e-1, -3.33329491539e-1};
  wnn_operand *size = un(c, WNN_OP_ABS, x), *one = ox_like(c, x, 1), *zero = ox_like(c, x, 0);
  wnn_operand *big = ox_bin(c, WNN_OP_GREATER, size, ox_like(c, x, 2.414213562373095));
  wnn_operand *mid = ox_bin(c, WNN_OP_GREATER, size, ox_like(c, x, 0.414213562373095));
  wnn_operand *mid_t = ox_div(c, ox_sub(c, size, one), ox_add(c, size, one));
  wnn_operand *t = ox_where(c, big, un(c, WNN_OP_NEG, un(c, WNN_OP_RECIPROCAL, size)), ox_where(c, mid, mid_t, size));
  wnn_operand *base =
      ox_where(c, big, ox_like(c, x, 1.5707963267948966), ox_where(c, mid, ox_like(c, x, 0.7853981633974483), zero));
  wnn_operand *z = ox_mul(c, t, t), *sum = ox_like(c, x, terms[0]);
  for (int i = 1; i < 4; i++) sum = plus(c, ox_mul(c, sum, z), terms[i]);
  wnn_operand *y = ox_add(c, base, ox_add(c, ox_mul(c, ox_mul(c, sum, z), t), t));
  return ox_where(c, ox_bin(c, WNN_OP_LESSER, x, zero), un(c, WNN_OP_NEG, y), y);
}

static bool lower_atan(ox_call *c) { return ox_out(c, 0, atan_of(c, ox_in(c, 0))); }

static bool lower_asin(ox_call *c) {
  wnn_operand *x = ox_in(c, 0), *one = ox_like(c, x, 1);
  wnn_operand *root = un(c, WNN_OP_SQRT, ox_mul(c, ox_sub(c, one, x), ox_add(c, one, x)));
  return ox_out(c, 0, atan_of(c, ox_div(c, x, root)));
}

static bool lower_acos(ox_call *c) {
  wnn_operand *x = ox_in(c, 0), *one = ox_like(c, x, 1);
  wnn_operand *root = un(c, WNN_OP_SQRT, ox_div(c, ox_sub(c, one, x), ox_add(c, one, x)));
  return ox_out(c, 0, scaled(c, atan_of(c, root), 2));
}

/* ---- By name: fused activations and recurrent cells -------------------------------------------------------- */

wnn_operand *ox_activate(ox_call *c, wnn_operand *x, const char *name, double alpha, double beta, bool has_alpha,
                         bool has_beta) {
  static const struct {
    const char *name;
    int op;
  } plain[] = {{"Relu", WNN_OP_RELU},         {"Sigmoid", WNN_OP_SIGMOID},   {"Tanh", WNN_OP_TANH},
               {"Softplus", WNN_OP_SOFTPLUS}, {"Softsign", WNN_OP_SOFTSIGN}, {"HardSwish", WNN_OP_HARD_SWISH},
               {"Gelu", WNN_OP_GELU}};
  for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) {
    if (!strcmp(name, plain[i].name)) return un(c, plain[i].op, x);
  }
  if (!strcmp(name, "LeakyRelu")) return leaky_relu(c, x, has_alpha ? alpha : 0.01);
  if (!strcmp(name, "Elu")) return elu(c, x, has_alpha ? alpha : 1);
  if (!strcmp(name, "HardSigmoid")) return hard_sigmoid(c, x, has_alpha ? alpha : 0.2, has_beta ? beta : 0.5);
  if (!strcmp(name, "ThresholdedRelu")) return thresholded(c, x, has_alpha ? alpha : 1);
  if (!strcmp(name, "Affine")) return plus(c, scaled(c, x, has_alpha ? alpha : 1), has_beta ? beta : 0);
  if (!strcmp(name, "ScaledTanh"))
    return scaled(c, un(c, WNN_OP_TANH, scaled(c, x, has_beta ? beta : 1)), has_alpha ? alpha : 1);
  if (!strcmp(name, "Selu"))
    return selu(c, x, has_alpha ? alpha : 1.67326319217681884765625, has_beta ? beta : 1.05070102214813232421875);
  if (!strcmp(name, "Clip"))
    return ox_clamp(c, x, has_alpha ? alpha : -(double)INFINITY, has_beta ? beta : (double)INFINITY);
  OX_UNSUPPORTED(c, "the activation %s is not known", name);
  return NULL;
}

static const ox_op ops[] = {
    {"", "Relu", 1, 1, 1, 1, "consumed_inputs:I", lower_relu, 0, 0},
    {"", "Sigmoid", 1, 1, 1, 1, "consumed_inputs:I", lower_direct, WNN_OP_SIGMOID, 0},
    {"", "Tanh", 1, 1, 1, 1, "consumed_inputs:I", lower_direct, WNN_OP_TANH, 0},
    {"", "Softplus", 1, 1, 1, 1, "", lower_direct, WNN_OP_SOFTPLUS, 0},
    {"", "Softsign", 1, 1, 1, 1, "", lower_direct, WNN_OP_SOFTSIGN, 0},
    {"", "HardSwish", 14, 1, 1, 1, "", lower_direct, WNN_OP_HARD_SWISH, 0},
    {"", "Elu", 1, 1, 1, 1, "alpha:f=1 consumed_inputs:I", lower_elu, 0, 0},
    {"", "LeakyRelu", 1, 1, 1, 1, "alpha:f=0.01 consumed_inputs:I", lower_leaky_relu, 0, 0},
    {"", "HardSigmoid", 1, 1, 1, 1, "alpha:f=0.2 beta:f=0.5 consumed_inputs:I", lower_hard_sigmoid, 0, 0},
    {"", "PRelu", 1, 2, 2, 1, "consumed_inputs:I", lower_prelu, 0, 0},
    {"", "PRelu", 7, 2, 2, 1, "", lower_prelu, 0, 0},
    {"", "Selu", 1, 1, 1, 1, "alpha:f=1.6732 gamma:f=1.0507 consumed_inputs:I", lower_selu, 0, 0},
    {"", "Selu", 6, 1, 1, 1, "alpha:f=1.67326319217681884765625 gamma:f=1.05070102214813232421875", lower_selu, 0, 0},
    {"", "Celu", 12, 1, 1, 1, "alpha:f=1", lower_celu, 0, 0},
    {"", "Mish", 18, 1, 1, 1, "", lower_mish, 0, 0},
    {"", "ThresholdedRelu", 1, 1, 1, 1, "alpha:f=1", lower_thresholded, 0, 0},
    {"", "Shrink", 9, 1, 1, 1, "bias:f=0 lambd:f=0.5", lower_shrink, 0, 0},
    {"", "Swish", 24, 1, 1, 1, "alpha:f=1", lower_swish, 0, 0},
    {"", "SwiGLU", 28, 2, 2, 1, "alpha:f=1", lower_swiglu, 0, 0},
    {"", "Gelu", 20, 1, 1, 1, "approximate:s=none", lower_gelu, 0, 0},
    {"", "Softmax", 1, 1, 1, 1, "axis:i=1", lower_softmax, 0, 0},
    {"", "Softmax", 13, 1, 1, 1, "axis:i=-1", lower_softmax, 0, 0},
    {"", "LogSoftmax", 1, 1, 1, 1, "axis:i=1", lower_softmax, 0, 0},
    {"", "LogSoftmax", 13, 1, 1, 1, "axis:i=-1", lower_softmax, 0, 0},
    {"", "Hardmax", 1, 1, 1, 1, "axis:i=1", lower_softmax, 0, 0},
    {"", "Hardmax", 13, 1, 1, 1, "axis:i=-1", lower_softmax, 0, 0},
    {"", "Sinh", 9, 1, 1, 1, "", lower_sinh, 0, 0},
    {"", "Cosh", 9, 1, 1, 1, "", lower_cosh, 0, 0},
    {"", "Asinh", 9, 1, 1, 1, "", lower_asinh, 0, 0},
    {"", "Acosh", 9, 1, 1, 1, "", lower_acosh, 0, 0},
    {"", "Atanh", 9, 1, 1, 1, "", lower_atanh, 0, 0},
    {"", "Asin", 7, 1, 1, 1, "", lower_asin, 0, 0},
    {"", "Acos", 7, 1, 1, 1, "", lower_acos, 0, 0},
    {"", "Atan", 7, 1, 1, 1, "", lower_atan, 0, 0},
    {"com.microsoft", "Gelu", 1, 1, 1, 1, "approximate:s=none", lower_gelu, 0, 0},
    {"com.microsoft", "QuickGelu", 1, 1, 1, 1, "alpha:f=1.702", lower_swish, 0, 0},
    {"com.microsoft", "BiasGelu", 1, 2, 2, 1, "", lower_bias_gelu, 0, 0},
    {"com.microsoft", "FastGelu", 1, 1, 2, 1, "", lower_fast_gelu, 0, 0},
    {"com.microsoft", "BiasSplitGelu", 1, 2, 2, 1, "", lower_bias_split_gelu, 0, 0},
};
OX_FAMILY(activation, ops);
