/* Arithmetic, comparison and logic, element by element. */
#include <math.h>
#include <string.h>

#include "import.h"

/* ---- Without elements: shapes still broadcast ------------------------------------------------------ */

static bool empty_broadcast(ox_call *c, wnn_data_type type) {
  wnn_desc out = {type, 0, {0}};
  for (size_t i = 0; i < c->in_count; i++)
    out.rank = ox_in_desc(c, i)->rank > out.rank ? ox_in_desc(c, i)->rank : out.rank;
  for (uint32_t d = 0; d < out.rank; d++) {
    out.shape[d] = 1;
    for (size_t i = 0; i < c->in_count; i++) {
      const wnn_desc *in = ox_in_desc(c, i);
      uint32_t skip = out.rank - in->rank;
      if (d >= skip && in->shape[d - skip] != 1) out.shape[d] = in->shape[d - skip];
    }
  }
  return ox_out_const(c, 0, &out, NULL);
}

static bool any_empty(const ox_call *c) {
  for (size_t i = 0; i < c->in_count; i++) {
    if (ox_empty(c, i)) return true;
  }
  return false;
}

/* ---- Unary ------------------------------------------------------------------------------------------ */

static bool lower_unary(ox_call *c) {
  if (ox_empty(c, 0)) return ox_out_const(c, 0, ox_in_desc(c, 0), NULL);
  wnn_data_type type = ox_in_desc(c, 0)->data_type;
  bool is_unsigned = type == WNN_UINT8 || type == WNN_UINT32 || type == WNN_UINT64;
  if (c->op->arg == WNN_OP_ABS && is_unsigned) return ox_out_value(c, 0, c->in[0]);
  return ox_out(c, 0, ox_un_wide(c, c->op->arg, ox_in(c, 0)));
}

static bool lower_not(ox_call *c) {
  if (ox_empty(c, 0)) return ox_out_const(c, 0, ox_in_desc(c, 0), NULL);
  return ox_out(c, 0, ox_un(c, WNN_OP_LOGICAL_NOT, ox_in(c, 0)));
}

static bool lower_is_nan(ox_call *c) { return ox_out(c, 0, ox_un(c, WNN_OP_IS_NAN, ox_in(c, 0))); }

static bool lower_is_inf(ox_call *c) {
  bool negative = ox_attr_i(c, "detect_negative") != 0, positive = ox_attr_i(c, "detect_positive") != 0;
  wnn_operand *x = ox_in(c, 0), *out = ox_un(c, WNN_OP_IS_INFINITE, x);
  if (negative && positive) return ox_out(c, 0, out);
  if (!negative && !positive) return ox_out(c, 0, ox_fill(c, WNN_UINT8, ox_desc(x)->rank, ox_desc(x)->shape, 0));
  wnn_operand *side = ox_bin(c, positive ? WNN_OP_GREATER : WNN_OP_LESSER, x, ox_like(c, x, 0));
  return ox_out(c, 0, ox_bin(c, WNN_OP_LOGICAL_AND, out, side));
}

/* ---- Binary ----------------------------------------------------------------------------------------- */

/* Before opset 7, B lines up with A at an axis, when broadcasting was asked for at all. */
static wnn_operand *second_operand(ox_call *c) {
  wnn_operand *b = ox_in(c, 1);
  if (!b || c->op->since >= 7 || !ox_attr_i(c, "broadcast") || !ox_attr_find(c, "axis")) return b;
  const wnn_desc *a_desc = ox_in_desc(c, 0), *b_desc = ox_in_desc(c, 1);
  uint32_t axis, shape[WNN_MAX_RANK];
  if (!b_desc->rank) return b;
  if (!ox_axis(c, ox_attr_i(c, "axis"), a_desc->rank, &axis)) return NULL;
  uint32_t rank = a_desc->rank - axis;
  if (b_desc->rank > rank) {
    OX_BAD(c, "the second input does not fit at axis %u", axis);
    return NULL;
  }
  for (uint32_t i = 0; i < rank; i++) shape[i] = i < b_desc->rank ? b_desc->shape[i] : 1;
  return ox_reshape(c, b, rank, shape);
}

static bool lower_binary(ox_call *c) {
  if (any_empty(c)) return empty_broadcast(c, ox_in_desc(c, 0)->data_type);
  wnn_operand *a = ox_in(c, 0), *b = second_operand(c);
  return ox_out(c, 0, ox_bin_wide(c, c->op->arg, a, b));
}

static bool lower_compare(ox_call *c) {
  if (any_empty(c)) return empty_broadcast(c, WNN_UINT8);
  wnn_operand *a = ox_in(c, 0), *b = second_operand(c);
  return ox_out(c, 0, ox_bin(c, c->op->arg, a, b));
}

/* The exponent may have another type than the base. */
static bool lower_pow(ox_call *c) {
  if (any_empty(c)) return empty_broadcast(c, ox_in_desc(c, 0)->data_type);
  wnn_operand *a = ox_in(c, 0), *b = second_operand(c);
  if (!a || !b) return false;
  wnn_data_type base = ox_desc(a)->data_type, exponent = ox_desc(b)->data_type;
  bool integer = base != WNN_FLOAT32 && base != WNN_FLOAT16, real = exponent == WNN_FLOAT32 || exponent == WNN_FLOAT16;
  if (!integer || !real) return ox_out(c, 0, ox_bin(c, WNN_OP_POW, a, ox_cast(c, b, base)));
  /* An integer to a real power is computed in floats and truncated. */
  return ox_out(c, 0, ox_cast(c, ox_bin(c, WNN_OP_POW, ox_cast(c, a, WNN_FLOAT32), ox_cast(c, b, WNN_FLOAT32)), base));
}

static bool lower_variadic(ox_call *c) {
  if (any_empty(c)) return empty_broadcast(c, ox_in_desc(c, 0)->data_type);
  wnn_operand *out = ox_in(c, 0);
  bool mean = !strcmp(c->op->name, "Mean");
  for (size_t i = 1; i < c->in_count; i++) out = ox_bin_wide(c, c->op->arg, out, ox_in(c, i));
  if (mean && c->in_count > 1) out = ox_div(c, out, ox_like(c, out, (double)c->in_count));
  return c->in_count == 1 ? ox_out_value(c, 0, c->in[0]) : ox_out(c, 0, out);
}

static bool lower_where(ox_call *c) {
  if (any_empty(c)) return empty_broadcast(c, ox_in_desc(c, 1)->data_type);
  return ox_out(c, 0, ox_where(c, ox_in(c, 0), ox_in(c, 1), ox_in(c, 2)));
}

/* ---- Mod --------------------------------------------------------------------------------------------- */

static wnn_operand *truncated(ox_call *c, wnn_operand *x) {
  return ox_mul(c, ox_un(c, WNN_OP_SIGN, x), ox_un(c, WNN_OP_FLOOR, ox_un(c, WNN_OP_ABS, x)));
}

static bool lower_mod(ox_call *c) {
  if (any_empty(c)) return empty_broadcast(c, ox_in_desc(c, 0)->data_type);
  wnn_operand *a = ox_in(c, 0), *b = ox_in(c, 1);
  wnn_data_type type = ox_desc(a)->data_type;
  bool real = type == WNN_FLOAT32 || type == WNN_FLOAT16, c_style = ox_attr_i(c, "fmod") != 0;
  wnn_operand *quotient = ox_div(c, a, b); /* of integers: truncated already */
  if (real) quotient = truncated(c, quotient);
  wnn_operand *rest = ox_sub(c, a, ox_mul(c, quotient, b));
  if (c_style || type == WNN_UINT8 || type == WNN_UINT32 || type == WNN_UINT64) return ox_out(c, 0, rest);
  /* The result takes the sign of the divisor. */
  wnn_operand *zero = ox_like(c, rest, 0);
  wnn_operand *differ =
      ox_bin(c, WNN_OP_LOGICAL_XOR, ox_bin(c, WNN_OP_LESSER, rest, zero), ox_bin(c, WNN_OP_LESSER, b, zero));
  wnn_operand *fix = ox_bin(c, WNN_OP_LOGICAL_AND, differ, ox_bin(c, WNN_OP_NOT_EQUAL, rest, zero));
  return ox_out(c, 0, ox_where(c, fix, ox_add(c, rest, b), rest));
}

/* ---- Clip -------------------------------------------------------------------------------------------- */

static bool clip_constant(ox_call *c) {
  for (size_t i = 1; i < 3; i++) {
    if (ox_has(c, i) && (!ox_is_const(c, i) || ox_empty(c, i))) return false;
  }
  return true;
}

static bool lower_clip(ox_call *c) {
  if (ox_empty(c, 0)) return ox_out_const(c, 0, ox_in_desc(c, 0), NULL);
  wnn_operand *x = ox_in(c, 0);
  bool ordered = true;
  if (ox_has(c, 1) && ox_has(c, 2) && clip_constant(c)) {
    ordered = !(ox_load_double(c->in[1]->desc.data_type, c->in[1]->data, 0) >
                ox_load_double(c->in[2]->desc.data_type, c->in[2]->data, 0));
  }
  if (clip_constant(c) && ordered) {
    if (!ox_has(c, 1) && !ox_has(c, 2)) return ox_out_value(c, 0, c->in[0]);
    wnn_clamp_args args = {WNN_CLAMP_OPTIONS_INIT};
    if (ox_has(c, 1)) args.options.min_value = ox_number_of(c->in[1]);
    if (ox_has(c, 2)) args.options.max_value = ox_number_of(c->in[2]);
    return ox_out(c, 0, x ? ox_op_n(c, WNN_OP_CLAMP, &args, &x, 1) : NULL);
  }
  /* The upper limit wins over the lower one. */
  wnn_operand *lo = ox_in_optional(c, 1), *hi = ox_in_optional(c, 2);
  if (lo) x = ox_max(c, x, ox_reshape(c, lo, 0, NULL));
  if (hi) x = ox_min(c, x, ox_reshape(c, hi, 0, NULL));
  return ox_out(c, 0, x);
}

static bool lower_clip_attributes(ox_call *c) {
  double lo = ox_attr_find(c, "min") ? ox_attr_f(c, "min") : -(double)INFINITY;
  double hi = ox_attr_find(c, "max") ? ox_attr_f(c, "max") : (double)INFINITY;
  wnn_operand *x = ox_in(c, 0);
  if (lo > hi) return ox_out(c, 0, ox_min(c, ox_max(c, x, ox_like(c, x, lo)), ox_like(c, x, hi)));
  return ox_out(c, 0, ox_clamp(c, x, lo, hi));
}

/* ---- Bits -------------------------------------------------------------------------------------------- */

/* Defined for unsigned numbers; a shift past the width gives 0. */
static bool lower_bit_shift(ox_call *c) {
  wnn_operand *x = ox_in(c, 0), *y = ox_in(c, 1);
  wnn_operand *power = ox_bin(c, WNN_OP_POW, ox_like(c, x, 2), ox_cast(c, y, ox_desc(x)->data_type));
  if (ox_attr_is(c, "direction", "LEFT")) return ox_out(c, 0, ox_mul(c, x, power));
  if (!ox_attr_is(c, "direction", "RIGHT")) return OX_BAD(c, "attribute 'direction' must be LEFT or RIGHT");
  return ox_out(c, 0, ox_div(c, x, power));
}

static unsigned bits_of(wnn_data_type type) { return 8 * (unsigned)wnn_data_type_size(type); }

static bool is_signed(wnn_data_type type) { return type == WNN_INT8 || type == WNN_INT32 || type == WNN_INT64; }

static bool lower_bit_not(ox_call *c) {
  wnn_operand *x = ox_in(c, 0);
  if (!x) return false;
  if (is_signed(ox_desc(x)->data_type)) return ox_out(c, 0, ox_sub(c, ox_like(c, x, -1), x));
  /* The complement of an unsigned number is what it lacks to the largest one; 0 - 1 wraps to that. */
  wnn_operand *ones = ox_sub(c, ox_like(c, x, 0), ox_like(c, x, 1));
  return ox_out(c, 0, ox_sub(c, ones, x));
}

static wnn_data_type unsigned_of(wnn_data_type type) {
  return type == WNN_INT8 ? WNN_UINT8 : type == WNN_INT32 ? WNN_UINT32 : type == WNN_INT64 ? WNN_UINT64 : type;
}

/* Bit by bit: every bit of the result is a polynomial of the two bits. */
static bool lower_bitwise(ox_call *c) {
  wnn_data_type type = ox_in_desc(c, 0)->data_type, plain = unsigned_of(type);
  wnn_operand *a = ox_cast(c, ox_in(c, 0), plain), *b = ox_cast(c, ox_in(c, 1), plain), *out = NULL;
  wnn_operand *two = ox_like(c, a, 2), *place = ox_like(c, a, 1);
  for (unsigned i = 0; i < bits_of(plain); i++) {
    wnn_operand *half_a = ox_div(c, a, two), *half_b = ox_div(c, b, two);
    wnn_operand *bit_a = ox_sub(c, a, ox_mul(c, half_a, two)), *bit_b = ox_sub(c, b, ox_mul(c, half_b, two));
    wnn_operand *bit;
    if (c->op->arg == WNN_OP_LOGICAL_AND)
      bit = ox_mul(c, bit_a, bit_b);
    else if (c->op->arg == WNN_OP_LOGICAL_OR)
      bit = ox_max(c, bit_a, bit_b);
    else
      bit = ox_cast(c, ox_bin(c, WNN_OP_NOT_EQUAL, bit_a, bit_b), plain);
    wnn_operand *part = ox_mul(c, bit, place);
    out = out ? ox_add(c, out, part) : part;
    place = ox_mul(c, place, two);
    a = half_a;
    b = half_b;
  }
  return ox_out(c, 0, ox_cast(c, out, type));
}

static const ox_op ops[] = {
    {"", "Abs", 1, 1, 1, 1, "consumed_inputs:I", lower_unary, WNN_OP_ABS, 0},
    {"", "Ceil", 1, 1, 1, 1, "consumed_inputs:I", lower_unary, WNN_OP_CEIL, 0},
    {"", "Cos", 7, 1, 1, 1, "", lower_unary, WNN_OP_COS, 0},
    {"", "Erf", 9, 1, 1, 1, "", lower_unary, WNN_OP_ERF, 0},
    {"", "Exp", 1, 1, 1, 1, "consumed_inputs:I", lower_unary, WNN_OP_EXP, 0},
    {"", "Floor", 1, 1, 1, 1, "consumed_inputs:I", lower_unary, WNN_OP_FLOOR, 0},
    {"", "Log", 1, 1, 1, 1, "consumed_inputs:I", lower_unary, WNN_OP_LOG, 0},
    {"", "Neg", 1, 1, 1, 1, "consumed_inputs:I", lower_unary, WNN_OP_NEG, 0},
    {"", "Reciprocal", 1, 1, 1, 1, "consumed_inputs:I", lower_unary, WNN_OP_RECIPROCAL, 0},
    {"", "Round", 11, 1, 1, 1, "", lower_unary, WNN_OP_ROUND_EVEN, 0},
    {"", "Sign", 9, 1, 1, 1, "", lower_unary, WNN_OP_SIGN, 0},
    {"", "Sin", 7, 1, 1, 1, "", lower_unary, WNN_OP_SIN, 0},
    {"", "Sqrt", 1, 1, 1, 1, "consumed_inputs:I", lower_unary, WNN_OP_SQRT, 0},
    {"", "Tan", 7, 1, 1, 1, "", lower_unary, WNN_OP_TAN, 0},
    {"", "Not", 1, 1, 1, 1, "", lower_not, 0, 0},
    {"", "IsNaN", 9, 1, 1, 1, "", lower_is_nan, 0, 0},
    {"", "IsInf", 10, 1, 1, 1, "detect_negative:i=1 detect_positive:i=1", lower_is_inf, 0, 0},
#define LEGACY "axis:i broadcast:i=0 consumed_inputs:I"
    {"", "Add", 1, 2, 2, 1, LEGACY, lower_binary, WNN_OP_ADD, 0},
    {"", "Add", 7, 2, 2, 1, "", lower_binary, WNN_OP_ADD, 0},
    {"", "Sub", 1, 2, 2, 1, LEGACY, lower_binary, WNN_OP_SUB, 0},
    {"", "Sub", 7, 2, 2, 1, "", lower_binary, WNN_OP_SUB, 0},
    {"", "Mul", 1, 2, 2, 1, LEGACY, lower_binary, WNN_OP_MUL, 0},
    {"", "Mul", 7, 2, 2, 1, "", lower_binary, WNN_OP_MUL, 0},
    {"", "Div", 1, 2, 2, 1, LEGACY, lower_binary, WNN_OP_DIV, 0},
    {"", "Div", 7, 2, 2, 1, "", lower_binary, WNN_OP_DIV, 0},
    {"", "Pow", 1, 2, 2, 1, LEGACY, lower_pow, 0, 0},
    {"", "Pow", 7, 2, 2, 1, "", lower_pow, 0, 0},
    {"", "And", 1, 2, 2, 1, LEGACY, lower_compare, WNN_OP_LOGICAL_AND, 0},
    {"", "And", 7, 2, 2, 1, "", lower_compare, WNN_OP_LOGICAL_AND, 0},
    {"", "Or", 1, 2, 2, 1, LEGACY, lower_compare, WNN_OP_LOGICAL_OR, 0},
    {"", "Or", 7, 2, 2, 1, "", lower_compare, WNN_OP_LOGICAL_OR, 0},
    {"", "Xor", 1, 2, 2, 1, LEGACY, lower_compare, WNN_OP_LOGICAL_XOR, 0},
    {"", "Xor", 7, 2, 2, 1, "", lower_compare, WNN_OP_LOGICAL_XOR, 0},
    {"", "Equal", 1, 2, 2, 1, LEGACY, lower_compare, WNN_OP_EQUAL, 0},
    {"", "Equal", 7, 2, 2, 1, "", lower_compare, WNN_OP_EQUAL, 0},
    {"", "Greater", 1, 2, 2, 1, LEGACY, lower_compare, WNN_OP_GREATER, 0},
    {"", "Greater", 7, 2, 2, 1, "", lower_compare, WNN_OP_GREATER, 0},
    {"", "Less", 1, 2, 2, 1, LEGACY, lower_compare, WNN_OP_LESSER, 0},
    {"", "Less", 7, 2, 2, 1, "", lower_compare, WNN_OP_LESSER, 0},
    {"", "GreaterOrEqual", 12, 2, 2, 1, "", lower_compare, WNN_OP_GREATER_OR_EQUAL, 0},
    {"", "LessOrEqual", 12, 2, 2, 1, "", lower_compare, WNN_OP_LESSER_OR_EQUAL, 0},
    {"", "Max", 1, 1, OX_MANY, 1, "consumed_inputs:I", lower_variadic, WNN_OP_MAX, 0},
    {"", "Min", 1, 1, OX_MANY, 1, "consumed_inputs:I", lower_variadic, WNN_OP_MIN, 0},
    {"", "Sum", 1, 1, OX_MANY, 1, "consumed_inputs:I", lower_variadic, WNN_OP_ADD, 0},
    {"", "Mean", 1, 1, OX_MANY, 1, "consumed_inputs:I", lower_variadic, WNN_OP_ADD, 0},
    {"", "Where", 9, 3, 3, 1, "", lower_where, 0, 0},
    {"", "Mod", 10, 2, 2, 1, "fmod:i=0", lower_mod, 0, 0},
    {"", "Clip", 1, 1, 1, 1, "min:f max:f consumed_inputs:I", lower_clip_attributes, 0, 0},
    {"", "Clip", 11, 1, 3, 1, "", lower_clip, 0, 0},
    {"", "BitShift", 11, 2, 2, 1, "direction:s", lower_bit_shift, 0, 0},
    {"", "BitwiseNot", 18, 1, 1, 1, "", lower_bit_not, 0, 0},
    {"", "BitwiseAnd", 18, 2, 2, 1, "", lower_bitwise, WNN_OP_LOGICAL_AND, 0},
    {"", "BitwiseOr", 18, 2, 2, 1, "", lower_bitwise, WNN_OP_LOGICAL_OR, 0},
    {"", "BitwiseXor", 18, 2, 2, 1, "", lower_bitwise, WNN_OP_LOGICAL_XOR, 0},
};
OX_FAMILY(elementwise, ops);
