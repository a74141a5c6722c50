/* Elementwise operations and chains of them, as programs of vector steps. */
#include <math.h>
#include <string.h>
#include <webnn/webnn_ops.h>

#include "backend/cpu/lower.h"
#include "base/dtype.h"
#include "base/shape.h"
#include "compile/chain.h"
#include "kernels/program.h"

/* ---- Lanes ---- */

typedef enum lanes { FLOATS, INTS, UNSIGNED, LONGS, UNSIGNED_LONGS } lanes;

static lanes lanes_of(wnn_data_type type) {
  switch (type) {
  case WNN_FLOAT32:
  case WNN_FLOAT16: return FLOATS;
  case WNN_UINT32: return UNSIGNED;
  case WNN_INT64: return LONGS;
  case WNN_UINT64: return UNSIGNED_LONGS;
  default: return INTS;
  }
}
static uint32_t lane_size(lanes lane) { return lane >= LONGS ? 8 : 4; }

/* What loads an element type into its lanes, and what stores it; WNN_VOP_END: it is in lanes. */
static uint16_t load_of(wnn_data_type type) {
  switch (type) {
  case WNN_FLOAT16: return WNN_V_LOAD_F16;
  case WNN_INT8: return WNN_V_LOAD_I8;
  case WNN_UINT8: return WNN_V_LOAD_U8;
  default: return WNN_VOP_END;
  }
}
static uint16_t store_of(wnn_data_type type) {
  switch (type) {
  case WNN_FLOAT16: return WNN_V_STORE_F16;
  case WNN_INT8:
  case WNN_UINT8: return WNN_V_STORE_8;
  default: return WNN_VOP_END;
  }
}

/* ---- The program while it is written ---- */

typedef struct value { /* what a register holds */
  wnn_data_type type;
  bool exact; /* of float16 and 8-bit types: no digits beyond the type's; else rounding is due before the next use */
} value;

typedef struct writer {
  wnn_vstep steps[WNN_PROGRAM_STEPS];
  uint32_t step_count, register_count;
  uint32_t sizes[WNN_VREGS]; /* of lanes */
  value values[WNN_VREGS];
  double cost; /* of an element, about in flops */
  bool full;
} writer;

static wnn_vparam number(lanes lane, double x) {
  wnn_vparam p = {.u64 = 0};
  if (lane == FLOATS) p.f32 = (float)x;
  if (lane == INTS) p.i32 = (int32_t)x;
  return p;
}

/* A step with a new register as result. */
static uint8_t emit(writer *w, uint16_t op, value result, uint8_t a, uint8_t b, uint8_t c, wnn_vparam p, wnn_vparam q) {
  if (w->step_count == WNN_PROGRAM_STEPS || w->register_count == WNN_VREGS) {
    w->full = true;
    return 0;
  }
  uint8_t to = (uint8_t)w->register_count++;
  w->sizes[to] = lane_size(lanes_of(result.type));
  w->values[to] = result;
  w->steps[w->step_count++] = (wnn_vstep){op, to, {a, b, c}, p, q};
  return to;
}
static const wnn_vparam none = {.u64 = 0};
static uint8_t emit_plain(writer *w, uint16_t op, value result, uint8_t a, uint8_t b) {
  return emit(w, op, result, a, b, a, none, none);
}

/* Rounds an intermediate result to what its data type holds. */
static uint8_t settle(writer *w, uint8_t reg) {
  value v = w->values[reg];
  if (v.exact) return reg;
  uint16_t op = v.type == WNN_FLOAT16 ? WNN_V_ROUND_F16 : v.type == WNN_INT8 ? WNN_V_WRAP_I8 : WNN_V_WRAP_U8;
  return emit_plain(w, op, (value){v.type, true}, reg, reg);
}

static bool is_narrow(wnn_data_type type) { return type == WNN_FLOAT16 || type == WNN_INT8 || type == WNN_UINT8; }

/* ---- Operations ---- */

static float float_of(wnn_data_type type, double x) {
  return type == WNN_FLOAT16 ? wnn_f16_to_f32(wnn_f64_to_f16(x)) : (float)x;
}

/* Operation, the vector operation on floats, flops about, and whether the result stays within narrow types. */
static const struct {
  uint16_t op, vop;
  uint8_t cost;
  bool exact;
} float_ops[] = {
    {WNN_OP_ADD, WNN_VF_ADD, 1, false},
    {WNN_OP_SUB, WNN_VF_SUB, 1, false},
    {WNN_OP_MUL, WNN_VF_MUL, 1, false},
    {WNN_OP_DIV, WNN_VF_DIV, 4, false},
    {WNN_OP_MAX, WNN_VF_MAX, 2, true},
    {WNN_OP_MIN, WNN_VF_MIN, 2, true},
    {WNN_OP_POW, WNN_VF_POW, 120, false},
    {WNN_OP_PRELU, WNN_VF_PRELU, 2, false},
    {WNN_OP_ABS, WNN_VF_ABS, 1, true},
    {WNN_OP_NEG, WNN_VF_NEG, 1, true},
    {WNN_OP_SIGN, WNN_VF_SIGN, 3, true},
    {WNN_OP_CEIL, WNN_VF_CEIL, 1, true},
    {WNN_OP_FLOOR, WNN_VF_FLOOR, 1, true},
    {WNN_OP_ROUND_EVEN, WNN_VF_ROUND_EVEN, 1, true},
    {WNN_OP_COS, WNN_VF_COS, 40, false},
    {WNN_OP_SIN, WNN_VF_SIN, 40, false},
    {WNN_OP_TAN, WNN_VF_TAN, 50, false},
    {WNN_OP_ERF, WNN_VF_ERF, 45, false},
    {WNN_OP_EXP, WNN_VF_EXP, 20, false},
    {WNN_OP_LOG, WNN_VF_LOG, 30, false},
    {WNN_OP_RECIPROCAL, WNN_VF_RECIPROCAL, 4, false},
    {WNN_OP_SQRT, WNN_VF_SQRT, 6, false},
    {WNN_OP_ELU, WNN_VF_ELU, 20, false},
    {WNN_OP_GELU, WNN_VF_GELU, 45, false},
    {WNN_OP_HARD_SIGMOID, WNN_VF_HARD_SIGMOID, 4, false},
    {WNN_OP_HARD_SWISH, WNN_VF_HARD_SWISH, 6, false},
    {WNN_OP_LEAKY_RELU, WNN_VF_LEAKY_RELU, 3, false},
    {WNN_OP_LINEAR, WNN_VF_LINEAR, 2, false},
    {WNN_OP_RELU, WNN_VF_RELU, 1, true},
    {WNN_OP_SIGMOID, WNN_VF_SIGMOID, 25, false},
    {WNN_OP_SOFTPLUS, WNN_VF_SOFTPLUS, 55, false},
    {WNN_OP_SOFTSIGN, WNN_VF_SOFTSIGN, 6, false},
    {WNN_OP_TANH, WNN_VF_TANH, 35, false},
    {WNN_OP_EQUAL, WNN_VF_EQUAL, 1, true},
    {WNN_OP_NOT_EQUAL, WNN_VF_NOT_EQUAL, 1, true},
    {WNN_OP_GREATER, WNN_VF_GREATER, 1, true},
    {WNN_OP_GREATER_OR_EQUAL, WNN_VF_GREATER_OR_EQUAL, 1, true},
    {WNN_OP_LESSER, WNN_VF_LESSER, 1, true},
    {WNN_OP_LESSER_OR_EQUAL, WNN_VF_LESSER_OR_EQUAL, 1, true},
    {WNN_OP_IS_NAN, WNN_VF_IS_NAN, 1, true},
    {WNN_OP_IS_INFINITE, WNN_VF_IS_INFINITE, 1, true},
};

static void coefficients(const wnn_chain_step *step, double *p, double *q) {
  switch (step->op) {
  case WNN_OP_ELU: *p = ((const wnn_elu_args *)step->args)->options.alpha; break;
  case WNN_OP_LEAKY_RELU: *p = ((const wnn_leaky_relu_args *)step->args)->options.alpha; break;
  case WNN_OP_HARD_SIGMOID:
    *p = ((const wnn_hard_sigmoid_args *)step->args)->options.alpha;
    *q = ((const wnn_hard_sigmoid_args *)step->args)->options.beta;
    break;
  case WNN_OP_LINEAR:
    *p = ((const wnn_linear_args *)step->args)->options.alpha;
    *q = ((const wnn_linear_args *)step->args)->options.beta;
    break;
  default: break;
  }
}

static uint8_t write_float(writer *w, const wnn_chain_step *step, uint8_t a, uint8_t b, const double *exponent) {
  wnn_data_type type = w->values[a].type;
  double p = 0, q = 0;
  coefficients(step, &p, &q);
  wnn_vparam p_lane = number(FLOATS, (double)float_of(type, p)), q_lane = number(FLOATS, (double)float_of(type, q));
  value result = {step->type, !is_narrow(step->type)};
  if (step->op == WNN_OP_POW && exponent) {
    uint16_t op = *exponent == 2     ? WNN_VF_SQUARE
                  : *exponent == 3   ? WNN_VF_CUBE
                  : *exponent == 0.5 ? WNN_VF_POW_HALF
                  : *exponent == -1  ? WNN_VF_RECIPROCAL
                                     : WNN_VF_POW;
    if (op != WNN_VF_POW) {
      w->cost += 4;
      return emit_plain(w, op, result, a, a);
    }
  }
  for (size_t i = 0; i < sizeof float_ops / sizeof float_ops[0]; i++) {
    if (float_ops[i].op != step->op) continue;
    w->cost += float_ops[i].cost;
    result.exact = result.exact || float_ops[i].exact;
    return emit(w, float_ops[i].vop, result, a, b, a, p_lane, q_lane);
  }
  w->full = true;
  return 0;
}

static uint16_t by_lanes(lanes lane, uint16_t i, uint16_t u, uint16_t l, uint16_t ul) {
  return lane == INTS ? i : lane == UNSIGNED ? u : lane == LONGS ? l : ul;
}
#define BY_LANES(lane, name) by_lanes(lane, WNN_VI_##name, WNN_VI_##name##_U, WNN_VL_##name, WNN_VL_##name##_U)

static uint8_t write_integer(writer *w, const wnn_chain_step *step, uint8_t a, uint8_t b) {
  wnn_data_type type = w->values[a].type;
  lanes lane = lanes_of(type);
  value result = {step->type, !is_narrow(step->type)}, same = {step->type, true};
  w->cost += 2;
  switch (step->op) {
  case WNN_OP_ADD: return emit_plain(w, BY_LANES(lane, ADD), result, a, b);
  case WNN_OP_SUB: return emit_plain(w, BY_LANES(lane, SUB), result, a, b);
  case WNN_OP_MUL: return emit_plain(w, BY_LANES(lane, MUL), result, a, b);
  case WNN_OP_DIV: return emit_plain(w, BY_LANES(lane, DIV), result, a, b);
  case WNN_OP_MAX: return emit_plain(w, BY_LANES(lane, MAX), same, a, b);
  case WNN_OP_MIN: return emit_plain(w, BY_LANES(lane, MIN), same, a, b);
  case WNN_OP_PRELU: return emit_plain(w, BY_LANES(lane, PRELU), result, a, b);
  case WNN_OP_ABS: return emit_plain(w, BY_LANES(lane, ABS), result, a, a);
  case WNN_OP_NEG: return emit_plain(w, BY_LANES(lane, NEG), result, a, a);
  case WNN_OP_SIGN: return emit_plain(w, BY_LANES(lane, SIGN), same, a, a);
  case WNN_OP_EQUAL: return emit_plain(w, BY_LANES(lane, EQUAL), same, a, b);
  case WNN_OP_NOT_EQUAL: return emit_plain(w, BY_LANES(lane, NOT_EQUAL), same, a, b);
  case WNN_OP_GREATER: return emit_plain(w, BY_LANES(lane, GREATER), same, a, b);
  case WNN_OP_GREATER_OR_EQUAL: return emit_plain(w, BY_LANES(lane, GREATER_OR_EQUAL), same, a, b);
  case WNN_OP_LESSER: return emit_plain(w, BY_LANES(lane, LESSER), same, a, b);
  case WNN_OP_LESSER_OR_EQUAL: return emit_plain(w, BY_LANES(lane, LESSER_OR_EQUAL), same, a, b);
  case WNN_OP_RELU: {
    wnn_vparam most = {.u64 = lane_size(lane) == 8 ? INT64_MAX : INT32_MAX};
    if (lane == UNSIGNED) most.u32 = UINT32_MAX;
    if (lane == UNSIGNED_LONGS) most.u64 = UINT64_MAX;
    return emit(w, BY_LANES(lane, CLAMP), same, a, a, a, none, most);
  }
  default: w->full = true; return 0;
  }
}

static uint8_t write_logic(writer *w, const wnn_chain_step *step, uint8_t a, uint8_t b) {
  value result = {WNN_UINT8, true};
  w->cost += 2;
  switch (step->op) {
  case WNN_OP_LOGICAL_NOT: return emit_plain(w, WNN_V_NOT, result, a, a);
  case WNN_OP_LOGICAL_AND: return emit_plain(w, WNN_V_AND, result, a, b);
  case WNN_OP_LOGICAL_OR: return emit_plain(w, WNN_V_OR, result, a, b);
  default: return emit_plain(w, WNN_V_XOR, result, a, b);
  }
}

static bool has_limit(wnn_number limit) {
  return limit.kind != WNN_NUMBER_ABSENT && !(limit.kind == WNN_NUMBER_DOUBLE && isnan(limit.value.f64));
}

/* A limit in lanes. */
static wnn_vparam limit_of(wnn_number limit, wnn_data_type type) {
  wnn_vparam p = {.u64 = 0};
  uint64_t element = 0;
  wnn_number_store(limit, type, &element);
  uint16_t half;
  int8_t byte;
  switch (type) {
  case WNN_FLOAT16:
    memcpy(&half, &element, 2);
    p.f32 = wnn_f16_to_f32(half);
    break;
  case WNN_INT8:
    memcpy(&byte, &element, 1);
    p.i32 = byte;
    break;
  default: memcpy(&p, &element, wnn_data_type_size(type)); break;
  }
  return p;
}

static uint8_t write_clamp(writer *w, const wnn_chain_step *step, uint8_t a) {
  const wnn_clamp_options *options = &((const wnn_clamp_args *)step->args)->options;
  wnn_data_type type = w->values[a].type;
  lanes lane = lanes_of(type);
  wnn_vparam low = {.u64 = 0}, high = {.u64 = 0};
  switch (lane) {
  case FLOATS: low.f32 = -INFINITY, high.f32 = INFINITY; break;
  case INTS: low.i32 = INT32_MIN, high.i32 = INT32_MAX; break;
  case UNSIGNED: high.u32 = UINT32_MAX; break;
  case LONGS: low.i64 = INT64_MIN, high.i64 = INT64_MAX; break;
  case UNSIGNED_LONGS: high.u64 = UINT64_MAX; break;
  }
  if (has_limit(options->min_value)) low = limit_of(options->min_value, type);
  if (has_limit(options->max_value)) high = limit_of(options->max_value, type);
  w->cost += 2;
  return emit(w, lane == FLOATS ? WNN_VF_CLAMP : BY_LANES(lane, CLAMP), (value){step->type, true}, a, a, a, low, high);
}

static uint8_t from_float(writer *w, wnn_data_type to, uint8_t a) {
  wnn_vparam p = number(FLOATS, to == WNN_INT8 ? -128 : to == WNN_UINT8 ? 0 : -0x1p31);
  wnn_vparam q = number(FLOATS, to == WNN_INT8 ? 127 : to == WNN_UINT8 ? 255 : 0x1p31);
  switch (to) {
  case WNN_FLOAT16: return emit_plain(w, WNN_V_ROUND_F16, (value){to, true}, a, a);
  case WNN_UINT32: return emit_plain(w, WNN_V_F32_TO_U32, (value){to, true}, a, a);
  case WNN_INT64: return emit_plain(w, WNN_V_F32_TO_I64, (value){to, true}, a, a);
  case WNN_UINT64: return emit_plain(w, WNN_V_F32_TO_U64, (value){to, true}, a, a);
  default: return emit(w, WNN_V_F32_TO_I32, (value){to, true}, a, a, a, p, q);
  }
}

static uint8_t write_cast(writer *w, wnn_data_type to, uint8_t a) {
  wnn_data_type from = w->values[a].type;
  lanes source = lanes_of(from), target = lanes_of(to);
  w->cost += 2;
  value result = {to, !is_narrow(to)};
  if (source == FLOATS) {
    /* A float16 in a float lane is a float32: a new register, since the old one may have other uses. */
    if (to == WNN_FLOAT32) {
      wnn_vparam low = {.f32 = -INFINITY}, high = {.f32 = INFINITY};
      return emit(w, WNN_VF_CLAMP, result, a, a, a, low, high);
    }
    return from_float(w, to, a);
  }
  if (target == FLOATS) {
    uint16_t op = by_lanes(source, WNN_V_I32_TO_F32, WNN_V_U32_TO_F32, WNN_V_I64_TO_F32, WNN_V_U64_TO_F32);
    return emit_plain(w, op, result, a, a);
  }
  if (lane_size(source) == 4 && lane_size(target) == 8)
    return emit_plain(w, source == UNSIGNED ? WNN_V_U32_TO_I64 : WNN_V_I32_TO_I64, result, a, a);
  if (lane_size(source) == 8 && lane_size(target) == 4) return emit_plain(w, WNN_V_I64_TO_I32, result, a, a);
  if (lane_size(source) == 8) {
    wnn_vparam low = {.u64 = 0}, high = {.u64 = UINT64_MAX};
    return emit(w, WNN_VL_CLAMP_U, result, a, a, a, low, high);
  }
  if (is_narrow(to)) return emit_plain(w, to == WNN_INT8 ? WNN_V_WRAP_I8 : WNN_V_WRAP_U8, (value){to, true}, a, a);
  wnn_vparam low = {.u64 = 0}, high = {.u32 = UINT32_MAX};
  return emit(w, WNN_VI_CLAMP_U, result, a, a, a, low, high);
}

static uint8_t write_quantize(writer *w, const wnn_chain_step *step, uint8_t x, uint8_t scale, uint8_t zero) {
  w->cost += 8;
  bool is_signed = step->type == WNN_INT8;
  uint8_t quotient = emit_plain(w, WNN_VF_DIV, (value){WNN_FLOAT32, true}, x, scale);
  return emit(w, WNN_V_QUANTIZE, (value){step->type, true}, quotient, zero, zero, number(INTS, is_signed ? -128 : 0),
              number(INTS, is_signed ? 127 : 255));
}

static uint8_t write_dequantize(writer *w, const wnn_chain_step *step, uint8_t x, uint8_t scale, uint8_t zero) {
  w->cost += 4;
  uint8_t difference = emit_plain(w, WNN_VI_SUB, (value){WNN_INT32, true}, x, zero);
  uint8_t factor = emit_plain(w, WNN_V_I32_TO_F32, (value){WNN_FLOAT32, true}, difference, difference);
  return emit_plain(w, WNN_VF_MUL, (value){step->type, !is_narrow(step->type)}, factor, scale);
}

static uint8_t write_step(writer *w, const wnn_chain_step *step, const uint8_t r[WNN_CHAIN_OPERANDS],
                          const double *exponent) {
  switch (step->op) {
  case WNN_OP_LOGICAL_NOT:
  case WNN_OP_LOGICAL_AND:
  case WNN_OP_LOGICAL_OR:
  case WNN_OP_LOGICAL_XOR: return write_logic(w, step, r[0], r[1]);
  case WNN_OP_CLAMP: return write_clamp(w, step, r[0]);
  case WNN_OP_CAST: return write_cast(w, step->type, r[0]);
  case WNN_OP_QUANTIZE_LINEAR: return write_quantize(w, step, r[0], r[1], r[2]);
  case WNN_OP_DEQUANTIZE_LINEAR: return write_dequantize(w, step, r[0], r[1], r[2]);
  case WNN_OP_WHERE:
    w->cost += 2;
    return emit(w, lane_size(lanes_of(step->type)) == 8 ? WNN_V_WHERE64 : WNN_V_WHERE32, (value){step->type, true},
                r[0], r[1], r[2], none, none);
  default:
    if (lanes_of(w->values[r[0]].type) == FLOATS) return write_float(w, step, r[0], r[1], exponent);
    return write_integer(w, step, r[0], r[1]);
  }
}

/* ---- Shapes ---- */

/* Strides of the inputs over the output's dimensions, then neighbours merged. */
static void merge_dimensions(const wnn_lowering *l, const wnn_node *node, wnn_elementwise *p) {
  const wnn_desc *out = wnn_lower_desc(l, node->outputs[0]);
  size_t strides[WNN_PROGRAM_INPUTS][WNN_MAX_RANK];
  for (uint32_t i = 0; i < p->input_count; i++) {
    const wnn_desc *in = wnn_lower_desc(l, node->inputs[i]);
    wnn_shape_broadcast_strides(in, out, strides[i]);
    p->inputs[i].size = (uint32_t)wnn_data_type_size(in->data_type);
    p->inputs[i].load = load_of(in->data_type);
    p->inputs[i].dense = wnn_elements(in) == wnn_elements(out);
  }
  p->rank = 0;
  for (uint32_t d = 0; d < out->rank; d++) {
    if (out->shape[d] == 1) continue;
    bool joins = p->rank > 0;
    for (uint32_t i = 0; joins && i < p->input_count; i++)
      joins = p->inputs[i].strides[p->rank - 1] == strides[i][d] * out->shape[d];
    if (!joins) p->dims[p->rank++] = 1;
    p->dims[p->rank - 1] *= out->shape[d];
    for (uint32_t i = 0; i < p->input_count; i++) p->inputs[i].strides[p->rank - 1] = strides[i][d];
  }
  if (!p->rank) {
    p->rank = 1, p->dims[0] = 1;
    for (uint32_t i = 0; i < p->input_count; i++) p->inputs[i].strides[0] = 1;
  }
  p->total = wnn_elements(out);
  p->output_size = (uint32_t)wnn_data_type_size(out->data_type);
}

/* Registers that are not inputs get places in scratch. */
typedef struct places {
  uint32_t slot[WNN_VREGS];  /* of each register */
  uint32_t sizes[WNN_VREGS]; /* of each slot: bytes of a lane */
  bool unused[WNN_VREGS];
  uint32_t count;
} places;

static void place(places *out, uint32_t reg, uint32_t size) {
  uint32_t slot = 0;
  while (slot < out->count && !(out->unused[slot] && out->sizes[slot] == size)) slot++;
  if (slot == out->count) out->sizes[out->count++] = size;
  out->unused[slot] = false;
  out->slot[reg] = slot;
}

/* A register that is read for the last time gives its place away, even to the result of that step when the lanes
 * are all equally wide. The last register is the output, which has a place of its own. */
static void place_registers(const writer *w, uint32_t input_count, places *out) {
  uint32_t last[WNN_VREGS] = {0}, output = w->register_count - 1;
  out->count = 0;
  for (uint32_t s = 0; s < w->step_count; s++)
    for (int i = 0; i < WNN_VSTEP_SOURCES; i++) last[w->steps[s].from[i]] = s;
  for (uint32_t s = 0; s < w->step_count; s++) {
    const wnn_vstep *step = &w->steps[s];
    bool even = true;
    for (int i = 0; i < WNN_VSTEP_SOURCES; i++) even = even && w->sizes[step->from[i]] == w->sizes[step->to];
    if (!even && step->to != output) place(out, step->to, w->sizes[step->to]);
    for (int i = 0; i < WNN_VSTEP_SOURCES; i++)
      if (step->from[i] >= input_count && last[step->from[i]] == s) out->unused[out->slot[step->from[i]]] = true;
    if (even && step->to != output) place(out, step->to, w->sizes[step->to]);
  }
}

enum {
  BLOCK_BYTES = 20 * 1024, /* of registers in scratch: they share the first level of the cache with the data */
  LEAST_BLOCK = 256,
  MOST_BLOCK = 4096,
  LEAST_ROW = 16, /* of a tile */
  SHORT_ROW = 192 /* shorter rows are taken several at a time */
};

static wnn_spread spread_of(const wnn_program_input *input, uint32_t rank) {
  bool row = input->strides[rank - 1], column = input->strides[rank - 2];
  return row ? column ? WNN_SPREAD_EACH : WNN_SPREAD_ROW : column ? WNN_SPREAD_COLUMN : WNN_SPREAD_REPEAT;
}

/* Rows of a tile of at most `block` elements; 0 where tiles are no use: rows too long or too short, or a row or column
 * goes where a step cannot repeat it. */
static size_t plan_tiles(wnn_elementwise *p, const writer *w, size_t block) {
  if (p->rank < 2) return 0;
  const size_t inner = p->dims[p->rank - 1], height = p->dims[p->rank - 2];
  size_t rows = block / inner < height ? block / inner : height;
  if (inner < LEAST_ROW || rows < 2 || rows * inner < LEAST_BLOCK) return 0;
  for (uint32_t i = 0; i < p->input_count; i++) {
    wnn_program_input *input = &p->inputs[i];
    input->spread = spread_of(input, p->rank);
    if (input->spread == WNN_SPREAD_EACH || input->spread == WNN_SPREAD_REPEAT) continue;
    if (input->load != WNN_VOP_END) return 0;
    for (uint32_t s = 0; s < w->step_count; s++) {
      const wnn_vstep *step = &w->steps[s];
      if (step->op >= WNN_VF_ADD && step->op <= WNN_VF_PRELU) continue;
      for (int k = 0; k < WNN_VSTEP_SOURCES; k++)
        if (step->from[k] == i) return 0;
    }
  }
  return rows;
}

/* Decides the size of blocks and the layout of scratch; returns its bytes. */
static size_t plan_blocks(wnn_elementwise *p, const places *slots, const writer *w, uint32_t input_count) {
  size_t bytes = 0;
  bool rows = p->dims[p->rank - 1] >= SHORT_ROW || (p->rank == 1);
  for (uint32_t i = 0; i < slots->count; i++) bytes += slots->sizes[i];
  for (uint32_t i = 0; i < input_count; i++) {
    if (!rows && !p->inputs[i].dense) bytes += p->inputs[i].size;
    if (p->inputs[i].load != WNN_VOP_END) bytes += 4;
  }
  size_t block = bytes ? BLOCK_BYTES / bytes / 64 * 64 : MOST_BLOCK;
  block = block < LEAST_BLOCK ? LEAST_BLOCK : block > MOST_BLOCK ? MOST_BLOCK : block;
  p->rows = plan_tiles(p, w, block);
  if (p->rows) {
    p->blocks = (p->dims[p->rank - 2] + p->rows - 1) / p->rows;
    block = p->rows * p->dims[p->rank - 1];
  } else if (rows) {
    size_t inner = p->dims[p->rank - 1];
    p->blocks = (inner + block - 1) / block;
    block = ((inner + p->blocks - 1) / p->blocks + 63) / 64 * 64;
    p->blocks = (inner + block - 1) / block;
  } else if (block > p->total) {
    block = (p->total + 63) / 64 * 64;
  }
  p->block = block;
  size_t offset = 0, starts[WNN_VREGS];
  for (uint32_t i = 0; i < input_count; i++) {
    p->inputs[i].repeat = offset, offset += 64;
    p->inputs[i].lanes = offset, offset += p->inputs[i].load != WNN_VOP_END ? block * 4 : 0;
    p->inputs[i].expand = offset;
    if (!rows && !p->inputs[i].dense) offset += block * p->inputs[i].size;
  }
  for (uint32_t i = 0; i < slots->count; i++) starts[i] = offset, offset += block * slots->sizes[i];
  for (uint32_t r = input_count; r + 1 < w->register_count; r++) p->slots[r] = starts[slots->slot[r]];
  return offset;
}

/* ---- Lowering ---- */

static bool exponent_of(const wnn_lowering *l, const wnn_node *node, const wnn_chain_step *step, double *exponent) {
  if (step->op != WNN_OP_POW || step->operands[1] >= node->input_count) return false;
  uint32_t id = node->inputs[step->operands[1]];
  const void *data = wnn_lower_constant(l, id);
  const wnn_desc *desc = wnn_lower_desc(l, id);
  if (!data || wnn_elements(desc) != 1) return false;
  if (desc->data_type == WNN_FLOAT16) {
    uint16_t half;
    memcpy(&half, data, sizeof half);
    *exponent = (double)wnn_f16_to_f32(half);
  } else {
    float f;
    memcpy(&f, data, sizeof f);
    *exponent = (double)f;
  }
  return true;
}

static bool write_program(const wnn_lowering *l, const wnn_node *node, const wnn_chain *chain, writer *w) {
  uint8_t results[WNN_CHAIN_STEPS + 1];
  for (uint32_t i = 0; i < node->input_count; i++) {
    wnn_data_type type = wnn_lower_desc(l, node->inputs[i])->data_type;
    w->sizes[i] = lane_size(lanes_of(type));
    w->values[i] = (value){type, true};
  }
  w->register_count = node->input_count;
  for (uint32_t s = 0; s < chain->step_count && !w->full; s++) {
    const wnn_chain_step *step = &chain->steps[s];
    uint8_t r[WNN_CHAIN_OPERANDS];
    for (uint32_t i = 0; i < step->operand_count; i++) {
      uint32_t at = step->operands[i];
      r[i] = at < node->input_count ? (uint8_t)at
                                    : (results[at - node->input_count] = settle(w, results[at - node->input_count]));
    }
    for (uint32_t i = step->operand_count; i < WNN_CHAIN_OPERANDS; i++) r[i] = r[0];
    double exponent;
    results[s] = write_step(w, step, r, exponent_of(l, node, step, &exponent) ? &exponent : NULL);
  }
  if (w->full) return false;
  uint8_t last = results[chain->step_count - 1];
  uint16_t store = store_of(w->values[last].type);
  if (store != WNN_VOP_END) emit_plain(w, store, w->values[last], last, last);
  return !w->full && w->step_count;
}

/* In place only where an input of the output's byte size is read at the position that is written. */
static bool may_be_in_place(const wnn_lowering *l, const wnn_node *node, const wnn_elementwise *p) {
  const wnn_desc *out = wnn_lower_desc(l, node->outputs[0]);
  for (uint32_t i = 0; i < node->input_count; i++) {
    const wnn_desc *in = wnn_lower_desc(l, node->inputs[i]);
    if (wnn_bytes(in) == wnn_bytes(out) && p->inputs[i].size != p->output_size) return false;
  }
  return true;
}

static bool lower_program(wnn_lowering *l, const wnn_node *node, const wnn_chain *chain) {
  if (node->input_count > WNN_PROGRAM_INPUTS) return false;
  writer w = {.step_count = 0};
  if (!write_program(l, node, chain, &w)) return false;
  wnn_elementwise *p = wnn_lower_alloc(l, sizeof *p);
  wnn_vstep *steps = wnn_lower_alloc(l, w.step_count * sizeof *steps);
  if (!p || !steps) return true;
  p->u = wnn_lower_ukernels(l);
  p->input_count = node->input_count;
  p->register_count = w.register_count;
  p->step_count = w.step_count;
  memcpy(steps, w.steps, w.step_count * sizeof *steps);
  p->steps = steps;
  merge_dimensions(l, node, p);
  places slots;
  place_registers(&w, node->input_count, &slots);
  size_t scratch = plan_blocks(p, &slots, &w, node->input_count), units = (p->total + p->block - 1) / p->block;
  if (p->blocks) units = p->total / p->dims[p->rank - 1] * p->blocks;
  if (p->rows) units /= p->dims[p->rank - 2];
  double bytes = 0;
  for (uint32_t i = 0; i < node->input_count; i++) bytes += (double)wnn_bytes(wnn_lower_desc(l, node->inputs[i]));
  bytes += (double)wnn_bytes(wnn_lower_desc(l, node->outputs[0]));
  double flops = (double)p->total * w.cost;
  wnn_step_desc step = {.kernel = "elementwise",
                        .fn = wnn_program_kernel,
                        .inputs = node->inputs,
                        .outputs = node->outputs,
                        .input_count = node->input_count,
                        .output_count = 1,
                        .op = node->op,
                        .params = p,
                        .range = units,
                        .grain = wnn_lower_grain(flops / (double)units, bytes / (double)units),
                        .scratch = scratch,
                        .in_place = may_be_in_place(l, node, p),
                        .flops = flops,
                        .bytes = bytes};
  wnn_lower_step(l, node, &step);
  return true;
}

bool wnn_lower_chain(wnn_lowering *l, const wnn_node *node) {
  return wnn_lower_byte_pair(l, node) || lower_program(l, node, node->args);
}

bool wnn_lower_elementwise(wnn_lowering *l, const wnn_node *node) {
  if (!wnn_chainable(wnn_lower_ir(l), node)) return false;
  wnn_chain_step step = {.op = node->op,
                         .operand_count = (uint8_t)node->input_count,
                         .operands = {0, 1, 2},
                         .type = wnn_lower_desc(l, node->outputs[0])->data_type,
                         .args = node->args};
  const wnn_chain chain = {1, &step};
  return lower_program(l, node, &chain);
}
