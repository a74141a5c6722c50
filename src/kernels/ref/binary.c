/* Reference kernel of elementwise operations with two operands: arithmetic, comparison, logic, prelu. */
#include "kernels/ref/util.h"

static double maximum(double a, double b) {
  if (a != a || b != b) return NAN;
  return a > b || (a == b && !signbit(a)) ? a : b;
}

static double minimum(double a, double b) {
  if (a != a || b != b) return NAN;
  return a < b || (a == b && signbit(a)) ? a : b;
}

/* Sums, products and quotients of float32 and float16 numbers may be rounded to double first: double has
 * more than twice their digits, so the second rounding gives what one rounding would. */
static double apply(uint32_t op, double a, double b) {
  switch (op) {
  case WNN_OP_ADD: return a + b;
  case WNN_OP_SUB: return a - b;
  case WNN_OP_MUL: return a * b;
  case WNN_OP_DIV: return a / b;
  case WNN_OP_MAX: return maximum(a, b);
  case WNN_OP_MIN: return minimum(a, b);
  case WNN_OP_POW: return pow(a, b);
  case WNN_OP_PRELU: return a >= 0 ? a : b * a;
  default: return 0;
  }
}

/* Truncates; division by zero gives 0, the least number divided by -1 itself. */
static uint64_t divide(uint64_t a, uint64_t b, bool is_signed) {
  if (!b) return 0;
  if (!is_signed) return a / b;
  if (b == UINT64_MAX) return 0 - a;
  return (uint64_t)((int64_t)a / (int64_t)b);
}

/* Modulo 2^64. A negative exponent leaves a fraction, which is cut to 0, except for the bases 1 and -1. */
static uint64_t power(uint64_t base, uint64_t exponent, bool is_signed) {
  if (is_signed && (int64_t)exponent < 0) {
    if (base == UINT64_MAX) return exponent & 1 ? base : 1;
    return base == 1;
  }
  uint64_t result = 1;
  for (; exponent; exponent >>= 1) {
    if (exponent & 1) result *= base;
    base *= base;
  }
  return result;
}

/* Whether a < b. */
static bool below(uint64_t a, uint64_t b, bool is_signed) { return is_signed ? (int64_t)a < (int64_t)b : a < b; }

/* Operands extended to 64 bits; the result wraps when stored. */
static uint64_t apply_integer(uint32_t op, uint64_t a, uint64_t b, bool is_signed) {
  switch (op) {
  case WNN_OP_ADD: return a + b;
  case WNN_OP_SUB: return a - b;
  case WNN_OP_MUL: return a * b;
  case WNN_OP_DIV: return divide(a, b, is_signed);
  case WNN_OP_MAX: return below(a, b, is_signed) ? b : a;
  case WNN_OP_MIN: return below(b, a, is_signed) ? b : a;
  case WNN_OP_POW: return power(a, b, is_signed);
  case WNN_OP_PRELU: return (int64_t)a >= 0 ? a : a * b;
  default: return 0;
  }
}

/* less, equal: the relation of a to b; neither with NaN in the game, when greater is false, too. */
static uint8_t compare(uint32_t op, bool less, bool equal, bool greater) {
  switch (op) {
  case WNN_OP_EQUAL: return equal;
  case WNN_OP_NOT_EQUAL: return !equal;
  case WNN_OP_GREATER: return greater;
  case WNN_OP_GREATER_OR_EQUAL: return greater || equal;
  case WNN_OP_LESSER: return less;
  default: return less || equal;
  }
}

static uint8_t logic(uint32_t op, bool a, bool b) {
  return op == WNN_OP_LOGICAL_AND ? a && b : op == WNN_OP_LOGICAL_OR ? a || b : a != b;
}

static bool is_logical(uint32_t op) {
  return op == WNN_OP_LOGICAL_AND || op == WNN_OP_LOGICAL_OR || op == WNN_OP_LOGICAL_XOR;
}

static bool is_comparison(uint32_t op) {
  return op == WNN_OP_EQUAL || op == WNN_OP_NOT_EQUAL || op == WNN_OP_GREATER || op == WNN_OP_GREATER_OR_EQUAL ||
         op == WNN_OP_LESSER || op == WNN_OP_LESSER_OR_EQUAL;
}

void wnn_ref_binary(const wnn_task *task, size_t begin, size_t end, void *scratch) {
  (void)scratch;
  const wnn_desc *target = &task->outputs[0].desc;
  const void *a = task->inputs[0].data, *b = task->inputs[1].data;
  void *out = task->outputs[0].data;
  wnn_data_type type = task->inputs[0].desc.data_type;
  bool is_signed = wnn_is_signed(type), logical = is_logical(task->op), comparison = is_comparison(task->op);
  wnn_ref_walk walk;
  wnn_ref_walk_init(&walk, target, begin);
  wnn_ref_walk_add_broadcast(&walk, &task->inputs[0].desc, target);
  wnn_ref_walk_add_broadcast(&walk, &task->inputs[1].desc, target);
  for (size_t i = begin; i < end; i++, wnn_ref_walk_next(&walk)) {
    size_t at = walk.offset[0], bt = walk.offset[1];
    if (logical) {
      ((uint8_t *)out)[i] = logic(task->op, ((const uint8_t *)a)[at] != 0, ((const uint8_t *)b)[bt] != 0);
    } else if (wnn_is_float(type)) {
      double x = (double)wnn_ref_get_f32(a, type, at), y = (double)wnn_ref_get_f32(b, type, bt);
      if (comparison)
        ((uint8_t *)out)[i] = compare(task->op, x<y, x == y, x> y);
      else
        wnn_ref_put_f64(out, type, i, apply(task->op, x, y));
    } else {
      uint64_t x = wnn_ref_get_u64(a, type, at), y = wnn_ref_get_u64(b, type, bt);
      if (comparison)
        ((uint8_t *)out)[i] = compare(task->op, below(x, y, is_signed), x == y, below(y, x, is_signed));
      else
        wnn_ref_put_u64(out, type, i, apply_integer(task->op, x, y, is_signed));
    }
  }
}
