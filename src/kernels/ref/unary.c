/* Reference kernel of elementwise operations with one operand. */
#include "kernels/ref/util.h"

/* alpha and beta of the operations that have them, rounded to the operand's type. */
typedef struct coefficients {
  double alpha, beta;
} coefficients;

static coefficients read_coefficients(const wnn_task *task) {
  coefficients c = {0, 0};
  switch (task->op) {
  case WNN_OP_ELU: c.alpha = ((const wnn_elu_args *)task->params)->options.alpha; break;
  case WNN_OP_LEAKY_RELU: c.alpha = ((const wnn_leaky_relu_args *)task->params)->options.alpha; break;
  case WNN_OP_HARD_SIGMOID:
    c.alpha = ((const wnn_hard_sigmoid_args *)task->params)->options.alpha;
    c.beta = ((const wnn_hard_sigmoid_args *)task->params)->options.beta;
    break;
  case WNN_OP_LINEAR:
    c.alpha = ((const wnn_linear_args *)task->params)->options.alpha;
    c.beta = ((const wnn_linear_args *)task->params)->options.beta;
    break;
  default: break;
  }
  wnn_data_type type = task->inputs[0].desc.data_type;
  c.alpha = wnn_ref_round_to(type, c.alpha);
  c.beta = wnn_ref_round_to(type, c.beta);
  return c;
}

/* NaN stays NaN. */
static double limit(double x, double low, double high) { return x < low ? low : x > high ? high : x; }

/* The exponential of a number that is not positive, so that it cannot overflow. */
static double sigmoid(double x) {
  if (x >= 0) return 1 / (1 + exp(-x));
  double e = exp(x);
  return e / (1 + e);
}

/* erfc keeps the digits of the negative tail, which 1 + erf loses. */
static double gelu(double x) { return x == -INFINITY ? 0 : 0.5 * x * erfc(x * -0.70710678118654752440); }

static double softsign(double x) { return isinf(x) ? copysign(1, x) : x / (1 + fabs(x)); }

static double apply(uint32_t op, double x, coefficients c) {
  switch (op) {
  case WNN_OP_ABS: return fabs(x);
  case WNN_OP_NEG: return -x;
  case WNN_OP_SIGN: return x > 0 ? 1 : x < 0 ? -1 : 0;
  case WNN_OP_CEIL: return ceil(x);
  case WNN_OP_COS: return cos(x);
  case WNN_OP_ERF: return erf(x);
  case WNN_OP_EXP: return exp(x);
  case WNN_OP_FLOOR: return floor(x);
  case WNN_OP_LOG: return log(x);
  case WNN_OP_RECIPROCAL: return 1 / x;
  case WNN_OP_ROUND_EVEN: return wnn_ref_round_even(x);
  case WNN_OP_SIN: return sin(x);
  case WNN_OP_SQRT: return sqrt(x);
  case WNN_OP_TAN: return tan(x);
  case WNN_OP_ELU: return x >= 0 ? x : c.alpha * expm1(x);
  case WNN_OP_GELU: return gelu(x);
  case WNN_OP_HARD_SIGMOID: return limit(c.alpha * x + c.beta, 0, 1);
  case WNN_OP_HARD_SWISH: return x * limit(x + 3, 0, 6) / 6;
  case WNN_OP_LEAKY_RELU: return x >= 0 ? x : c.alpha * x;
  case WNN_OP_LINEAR: return c.alpha * x + c.beta;
  case WNN_OP_RELU: return x < 0 ? 0 : x;
  case WNN_OP_SIGMOID: return sigmoid(x);
  case WNN_OP_SOFTPLUS: return (x > 0 ? x : 0) + log1p(exp(-fabs(x)));
  case WNN_OP_SOFTSIGN: return softsign(x);
  case WNN_OP_TANH: return tanh(x);
  default: return x;
  }
}

/* Signed integers only; the sign and the magnitude come from 64 bits, the result wraps when stored. */
static uint64_t apply_integer(uint32_t op, uint64_t x) {
  bool negative = (int64_t)x < 0;
  switch (op) {
  case WNN_OP_ABS: return negative ? 0 - x : x;
  case WNN_OP_NEG: return 0 - x;
  case WNN_OP_SIGN: return negative ? UINT64_MAX : x != 0;
  case WNN_OP_RELU: return negative ? 0 : x;
  default: return x;
  }
}

/* Operations with a uint8 result. */
static uint8_t test(uint32_t op, const wnn_view *input, size_t i) {
  if (op == WNN_OP_LOGICAL_NOT) return ((const uint8_t *)input->data)[i] == 0;
  float x = wnn_ref_get_f32(input->data, input->desc.data_type, i);
  return op == WNN_OP_IS_NAN ? x != x : x == INFINITY || x == -INFINITY;
}

void wnn_ref_unary(const wnn_task *task, size_t begin, size_t end, void *scratch) {
  (void)scratch;
  const wnn_view *input = &task->inputs[0];
  void *out = task->outputs[0].data;
  wnn_data_type type = input->desc.data_type;
  switch (task->op) {
  case WNN_OP_IDENTITY: {
    size_t size = wnn_data_type_size(type);
    memmove((char *)out + begin * size, (const char *)input->data + begin * size, (end - begin) * size);
    return;
  }
  case WNN_OP_LOGICAL_NOT:
  case WNN_OP_IS_NAN:
  case WNN_OP_IS_INFINITE:
    for (size_t i = begin; i < end; i++) ((uint8_t *)out)[i] = test(task->op, input, i);
    return;
  default: break;
  }
  if (!wnn_is_float(type)) {
    for (size_t i = begin; i < end; i++)
      wnn_ref_put_u64(out, type, i, apply_integer(task->op, wnn_ref_get_u64(input->data, type, i)));
    return;
  }
  coefficients c = read_coefficients(task);
  for (size_t i = begin; i < end; i++)
    wnn_ref_put_f64(out, type, i, apply(task->op, (double)wnn_ref_get_f32(input->data, type, i), c));
}
