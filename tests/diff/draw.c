/* Draws random graphs: values with bounds that follow the operations. */
#include "diff/draw.h"

static uint64_t seed;
uint32_t pick(uint32_t low, uint32_t high) { return low + (uint32_t)(test_random(&seed) % (high - low + 1)); }
bool chance(uint32_t one_in) { return pick(1, one_in) == 1; }

double unit_of(wnn_data_type type) { return type == WNN_FLOAT32 ? 0x1p-23 : type == WNN_FLOAT16 ? 0x1p-10 : 0; }

/* A value of a type (or any float), of some rank range; NULL when there is none. */
value *choose(drawing *d, bool (*fits)(const value *)) {
  for (int i = 0; i < 30; i++) {
    value *v = &d->values[pick(0, d->count - 1)];
    if (fits(v)) return v;
  }
  return NULL;
}
static bool is_float(const value *v) { return wnn_is_float(v->desc.data_type); }
bool tame(const value *v) { return is_float(v) && v->bound <= 50; }
static bool exact(const value *v) { return v->error == 0; }
static bool exact_float(const value *v) { return is_float(v) && v->error == 0 && v->bound <= 50; }
static bool integer(const value *v) { return !is_float(v); }
static bool is_byte(const value *v) { return v->desc.data_type == WNN_UINT8; }
bool image(const value *v) { return tame(v) && v->desc.rank == 4; }
bool has_axis(const value *v) { return v->desc.rank > 0; }
static bool tame_axis(const value *v) { return tame(v) && v->desc.rank > 0; }

bool add(drawing *d, int op, const void *args, value *const *operands, uint32_t count, uint32_t outputs, double bound,
         double error) {
  wnn_operand *in[10] = {0}, *out[4] = {0};
  wnn_error failure;
  for (uint32_t i = 0; i < count; i++) in[i] = operands[i] ? operands[i]->operand : NULL;
  if (d->count + outputs > MOST_VALUES) return false;
  if (wnn_builder_add(d->builder, op, args, in, count, out, outputs, NULL, &failure)) return false;
  for (uint32_t i = 0; i < outputs; i++) {
    const wnn_desc *desc = wnn_operand_desc(out[i]);
    if (wnn_desc_elements(desc) > MOST_ELEMENTS) return false;
    double type_error = wnn_is_float(desc->data_type) ? error : 0;
    d->values[d->count++] = (value){out[i], *desc, bound, type_error, false};
  }
  for (uint32_t i = 0; i < count; i++)
    if (operands[i]) operands[i]->used = true;
  size_t length = strlen(d->text);
  char shape[WNN_DESC_TEXT];
  snprintf(d->text + length, sizeof d->text - length, " %s %s;", wnn_op_get(op)->name,
           wnn_desc_format(wnn_operand_desc(out[0]), shape));
  d->nodes++;
  d->times[op]++;
  return true;
}

value weight(drawing *d, const wnn_desc *desc, double low, double high, bool may_be_input) {
  value v = {.desc = *desc, .bound = fmax(fabs(low), fabs(high))};
  wnn_error error;
  if (may_be_input && d->input_count < MOST_INPUTS && chance(3)) {
    v.bound = 2;
    d->inputs[d->input_count] = *desc;
    CHECK_OK(wnn_builder_input(d->builder, input_names[d->input_count++], desc, &v.operand, &error), error);
    return v;
  }
  size_t count = (size_t)wnn_desc_elements(desc), size = wnn_data_type_size(desc->data_type);
  char *data = malloc(count * size);
  for (size_t i = 0; data && i < count; i++)
    wnn_number_store(wnn_number_double(test_uniform(&seed, low, high)), desc->data_type, data + i * size);
  CHECK_OK(wnn_builder_constant(d->builder, desc, data, count * size, &v.operand, &error), error);
  free(data);
  return v;
}

value integers_of(drawing *d, const wnn_desc *desc, const int64_t *items) {
  value v = {.desc = *desc, .bound = 1e9};
  wnn_error error;
  size_t count = (size_t)wnn_desc_elements(desc), size = wnn_data_type_size(desc->data_type);
  char *data = malloc(count * size);
  for (size_t i = 0; data && i < count; i++)
    wnn_number_store(wnn_number_int64(items[i]), desc->data_type, data + i * size);
  CHECK_OK(wnn_builder_constant(d->builder, desc, data, count * size, &v.operand, &error), error);
  free(data);
  return v;
}

bool small_half(wnn_data_type type, double bound) { return type != WNN_FLOAT16 || bound < 30000; }

static bool add_unary(drawing *d, int op) {
  value *v = choose(d, tame);
  /* How much the function stretches differences on [-50, 50], and its bound. */
  double stretch = 1, bound = v ? v->bound : 0;
  switch (op) {
  case WNN_OP_CEIL:
  case WNN_OP_FLOOR:
  case WNN_OP_ROUND_EVEN:
  case WNN_OP_SIGN:
    v = choose(d, exact_float);
    bound = v ? v->bound + 1 : 0;
    break;
  case WNN_OP_EXP:
    if (v && v->bound > 4) return false;
    bound = exp(bound), stretch = bound;
    break;
  case WNN_OP_LOG:
  case WNN_OP_SQRT:
  case WNN_OP_RECIPROCAL:
  case WNN_OP_TAN:
    v = choose(d, exact_float); /* steep: only where there is no error to stretch; poles compare as infinities */
    if (!v) return false;
    return add(d, op, NULL, &v, 1, 1, 1e9, 1e9); /* an end: nothing is built on it */
  case WNN_OP_ERF:
  case WNN_OP_TANH:
  case WNN_OP_SIGMOID:
  case WNN_OP_SOFTSIGN:
  case WNN_OP_SIN:
  case WNN_OP_COS: bound = 1, stretch = 2; break;
  case WNN_OP_SOFTPLUS: bound += 1; break;
  case WNN_OP_GELU:
  case WNN_OP_HARD_SWISH: stretch = 2; break;
  case WNN_OP_ELU: bound = bound > 1 ? bound : 1; break;
  case WNN_OP_HARD_SIGMOID: bound = 1; break;
  default: break;
  }
  if (!v) return false;
  bool moves = op == WNN_OP_ABS || op == WNN_OP_NEG || op == WNN_OP_RELU || op == WNN_OP_IDENTITY ||
               op == WNN_OP_SIGN || op == WNN_OP_CEIL || op == WNN_OP_FLOOR || op == WNN_OP_ROUND_EVEN;
  double error = moves ? v->error : stretch * v->error + 8 * unit_of(v->desc.data_type) * (bound + v->bound);
  return add(d, op, NULL, &v, 1, 1, bound, error);
}

/* Another value of the same type; mostly one that broadcasts. */
static value *partner(drawing *d, const value *a) {
  wnn_desc shape;
  for (int i = 0; i < 60; i++) {
    value *b = &d->values[pick(0, d->count - 1)];
    if (b->desc.data_type == a->desc.data_type && (integer(b) || b->bound <= 50) &&
        wnn_shape_broadcast(&a->desc, &b->desc, &shape))
      return b;
  }
  return NULL;
}

static bool add_binary(drawing *d, int op) {
  value *pair[2];
  pair[0] = choose(d, chance(4) ? integer : tame);
  if (!pair[0]) return false;
  pair[1] = partner(d, pair[0]);
  if (!pair[1]) return false;
  if (chance(2)) {
    value *swap = pair[0];
    pair[0] = pair[1], pair[1] = swap;
  }
  wnn_data_type type = pair[0]->desc.data_type;
  if (!wnn_is_float(type)) return add(d, op, NULL, pair, 2, 1, 1e9, 0);
  double a = pair[0]->bound, b = pair[1]->bound, ea = pair[0]->error, eb = pair[1]->error, unit = unit_of(type);
  switch (op) {
  case WNN_OP_ADD:
  case WNN_OP_SUB: return add(d, op, NULL, pair, 2, 1, a + b, ea + eb + unit * (a + b));
  case WNN_OP_MUL: return add(d, op, NULL, pair, 2, 1, a * b, a * eb + b * ea + ea * eb + unit * a * b);
  case WNN_OP_PRELU:
    return add(d, op, NULL, pair, 2, 1, a * (b > 1 ? b : 1), a * eb + (b > 1 ? b : 1) * ea + unit * (a * b + a));
  case WNN_OP_MAX:
  case WNN_OP_MIN: return add(d, op, NULL, pair, 2, 1, fmax(a, b), ea + eb);
  case WNN_OP_DIV:
  case WNN_OP_POW: return !ea && !eb && add(d, op, NULL, pair, 2, 1, 1e9, 1e9); /* an end, too */
  default: return !ea && !eb && add(d, op, NULL, pair, 2, 1, 1, 0);             /* tests */
  }
}

static uint32_t list[4][WNN_MAX_RANK];

static bool add_reduction(drawing *d, int op) {
  value *v = choose(d, tame_axis);
  if (!v) return false;
  wnn_reduce_options options = WNN_REDUCE_OPTIONS_INIT;
  uint32_t count = 0;
  double n = 1;
  for (uint32_t i = 0; i < v->desc.rank; i++)
    if (chance(2)) list[0][count++] = i, n *= v->desc.shape[i];
  options.axes = (wnn_u32_list){list[0], count};
  options.keep_dimensions = chance(2);
  double b = v->bound, e = v->error, u = unit_of(v->desc.data_type) * 4;
  switch (op) {
  case WNN_OP_REDUCE_MAX:
  case WNN_OP_REDUCE_MIN: return add(d, op, &options, &v, 1, 1, b, e);
  case WNN_OP_REDUCE_MEAN: return add(d, op, &options, &v, 1, 1, b, e + u * b);
  case WNN_OP_REDUCE_L1:
  case WNN_OP_REDUCE_SUM:
    return small_half(v->desc.data_type, n * b) && add(d, op, &options, &v, 1, 1, n * b, n * e + u * n * b);
  case WNN_OP_REDUCE_L2: return add(d, op, &options, &v, 1, 1, sqrt(n) * b, sqrt(n) * (e + u * b));
  case WNN_OP_REDUCE_SUM_SQUARE:
    return small_half(v->desc.data_type, n * b * b) &&
           add(d, op, &options, &v, 1, 1, n * b * b, n * (2 * b * e + e * e + u * b * b));
  case WNN_OP_REDUCE_LOG_SUM_EXP: return add(d, op, &options, &v, 1, 1, b + log(n), e + u * (b + log(n) + 1));
  case WNN_OP_REDUCE_LOG_SUM: /* of numbers that are far from 0 */
    if (b > 4 || e != 0 || !add(d, WNN_OP_SIGMOID, NULL, &v, 1, 1, 1, u)) return false;
    v = &d->values[d->count - 1];
    return add(d, op, &options, &v, 1, 1, log(n) + 4, 4 * u * (log(n) + 5));
  default: return exact(v) && add(d, op, &options, &v, 1, 1, 1e9, 1e9);
  }
}

static bool add_movement(drawing *d, int op) {
  value *v = choose(d, has_axis);
  if (!v) return false;
  const wnn_desc *s = &v->desc;
  union {
    wnn_transpose_args transpose;
    wnn_reverse_args reverse;
    wnn_slice_args slice;
    wnn_tile_args tile;
    wnn_pad_args pad;
    wnn_expand_args expand;
    wnn_reshape_args reshape;
    wnn_split_args split;
    wnn_triangular_args triangular;
    wnn_cumulative_sum_args sum;
  } args;
  memset(&args, 0, sizeof args);
  const wnn_u32_list first = {list[0], s->rank}, second = {list[1], s->rank}, third = {list[2], s->rank};
  double bound = v->bound, error = v->error;
  switch (op) {
  case WNN_OP_TRANSPOSE:
    for (uint32_t i = 0; i < s->rank; i++) list[0][i] = i;
    for (uint32_t i = s->rank; i-- > 1;) {
      uint32_t j = pick(0, i), swap = list[0][i];
      list[0][i] = list[0][j], list[0][j] = swap;
    }
    args.transpose.options.permutation = first;
    break;
  case WNN_OP_REVERSE: {
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->rank; i++)
      if (chance(2)) list[0][count++] = i;
    args.reverse.options.axes = (wnn_u32_list){list[0], count};
    break;
  }
  case WNN_OP_SLICE:
    for (uint32_t i = 0; i < s->rank; i++) {
      list[0][i] = pick(0, s->shape[i] - 1);
      list[1][i] = pick(1, s->shape[i] - list[0][i]);
      list[2][i] = pick(1, 2);
    }
    args.slice.starts = first, args.slice.sizes = second, args.slice.options.strides = third;
    break;
  case WNN_OP_TILE:
    for (uint32_t i = 0; i < s->rank; i++) list[0][i] = pick(1, 2);
    args.tile.repetitions = first;
    break;
  case WNN_OP_PAD:
    for (uint32_t i = 0; i < s->rank; i++) list[0][i] = pick(0, 2), list[1][i] = pick(0, 2);
    args.pad.beginning_padding = first, args.pad.ending_padding = second;
    args.pad.options.mode = (wnn_padding_mode)pick(0, 2);
    args.pad.options.value = wnn_number_double(pick(0, 1));
    bound = bound > 1 ? bound : 1;
    break;
  case WNN_OP_EXPAND:
    for (uint32_t i = 0; i < s->rank; i++) list[0][i] = s->shape[i] == 1 ? pick(1, 5) : s->shape[i];
    args.expand.new_shape = first;
    break;
  case WNN_OP_RESHAPE: {
    size_t total = (size_t)wnn_desc_elements(s);
    uint32_t rows = 1;
    for (uint32_t i = 2; i < 9; i++)
      if (total % (rows * i) == 0 && chance(2)) rows *= i;
    list[0][0] = rows, list[0][1] = (uint32_t)(total / rows);
    args.reshape.new_shape = (wnn_u32_list){list[0], 2};
    break;
  }
  case WNN_OP_SPLIT: {
    uint32_t axis = pick(0, s->rank - 1);
    if (s->shape[axis] < 2) return false;
    list[0][0] = pick(1, s->shape[axis] - 1), list[0][1] = s->shape[axis] - list[0][0];
    args.split.splits = (wnn_splits){list[0], 2};
    args.split.options.axis = axis;
    break;
  }
  case WNN_OP_TRIANGULAR:
    args.triangular.options.upper = chance(2);
    args.triangular.options.diagonal = (int32_t)pick(0, 4) - 2;
    break;
  default: { /* cumulative sum */
    if (!tame(v)) return false;
    args.sum.axis = pick(0, s->rank - 1);
    args.sum.options.exclusive = chance(2), args.sum.options.reversed = chance(2);
    double n = s->shape[args.sum.axis];
    if (!small_half(s->data_type, n * bound)) return false;
    error = n * error + 4 * unit_of(s->data_type) * n * bound, bound *= n;
    break;
  }
  }
  return add(d, op, &args, &v, 1, op == WNN_OP_SPLIT ? 2 : 1, bound, error);
}

static bool add_joined(drawing *d) {
  value *v = choose(d, has_axis), *parts[3];
  if (!v) return false;
  uint32_t count = pick(1, 3), axis = pick(0, v->desc.rank - 1);
  double bound = v->bound, error = v->error;
  parts[0] = v;
  for (uint32_t i = 1; i < count; i++) {
    parts[i] = partner(d, v);
    if (!parts[i]) return false;
    bound = fmax(bound, parts[i]->bound), error = fmax(error, parts[i]->error);
  }
  const wnn_concat_args args = {.axis = axis};
  return add(d, WNN_OP_CONCAT, &args, parts, count, 1, bound, error);
}

static bool add_normalization(drawing *d, int op) {
  value *v = choose(d, op == WNN_OP_INSTANCE_NORMALIZATION ? image : tame_axis), *operands[5] = {v};
  if (!v) return false;
  double unit = unit_of(v->desc.data_type), e = v->error, b = v->bound, n = (double)wnn_desc_elements(&v->desc);
  if (op == WNN_OP_SOFTMAX) {
    const wnn_softmax_args args = {.axis = pick(0, v->desc.rank - 1)};
    return add(d, op, &args, operands, 1, 1, 1, 2 * e + 16 * unit);
  }
  /* An epsilon of 1 keeps the factor below 1. */
  double error = 4 * e + 16 * unit * (b + 1) * (1 + b), bound = fmin(2 * b, sqrt(n));
  if (op == WNN_OP_INSTANCE_NORMALIZATION) {
    wnn_instance_normalization_args args = {.options = WNN_INSTANCE_NORMALIZATION_OPTIONS_INIT};
    args.options.epsilon = 1;
    args.options.layout = chance(2) ? WNN_INPUT_LAYOUT_NHWC : WNN_INPUT_LAYOUT_NCHW;
    return add(d, op, &args, operands, 3, 1, bound, error * (1 + b));
  }
  wnn_layer_normalization_args args = {.options = WNN_LAYER_NORMALIZATION_OPTIONS_INIT};
  uint32_t count = 0;
  for (uint32_t i = 0; i < v->desc.rank; i++)
    if (chance(2)) list[0][count++] = i;
  args.options.axes = (wnn_u32_list){list[0], count};
  args.options.epsilon = 1;
  return add(d, op, &args, operands, 3, 1, bound, error * (1 + b));
}

static bool add_product(drawing *d, int op) {
  value *pair[3] = {choose(d, tame_axis)};
  if (!pair[0] || pair[0]->desc.rank < 2) return false;
  pair[1] = NULL;
  for (int i = 0; i < 40 && !pair[1]; i++) {
    value *b = &d->values[pick(0, d->count - 1)];
    if (b->desc.data_type == pair[0]->desc.data_type && b->bound <= 50 && b->desc.rank >= 2 &&
        b->desc.shape[b->desc.rank - 2] == pair[0]->desc.shape[pair[0]->desc.rank - 1])
      pair[1] = b;
  }
  wnn_desc desc = {pair[0]->desc.data_type, 2, {pair[0]->desc.shape[pair[0]->desc.rank - 1], pick(1, 20)}};
  value factors;
  if (!pair[1] || chance(2)) {
    if (op == WNN_OP_GEMM && pair[0]->desc.rank != 2) return false;
    factors = weight(d, &desc, -1, 1, true);
    pair[1] = &factors;
  }
  double k = pair[0]->desc.shape[pair[0]->desc.rank - 1], a = pair[0]->bound, b = pair[1]->bound;
  double bound = k * a * b, unit = unit_of(pair[0]->desc.data_type);
  if (!small_half(pair[0]->desc.data_type, bound)) return false;
  double error = k * (a * pair[1]->error + b * pair[0]->error) + 2 * sqrt(k) * unit * bound;
  return add(d, op, NULL, pair, op == WNN_OP_GEMM ? 3 : 2, 1, bound, error);
}

static bool add_window(drawing *d, int op) {
  value *v = choose(d, image);
  if (!v) return false;
  double unit = unit_of(v->desc.data_type), b = v->bound, e = v->error;
  if (op == WNN_OP_RESAMPLE2D) {
    wnn_resample2d_args args = {.options = WNN_RESAMPLE2D_OPTIONS_INIT};
    uint32_t first = pick(1, 2);
    list[0][0] = first, list[0][1] = first + 1;
    list[1][0] = pick(1, 12), list[1][1] = pick(1, 12);
    args.options.axes = (wnn_u32_list){list[0], 2};
    args.options.sizes = (wnn_u32_list){list[1], 2};
    args.options.mode = (wnn_interpolation_mode)pick(0, 1);
    return add(d, op, &args, &v, 1, 1, b, e + 8 * unit * b);
  }
  wnn_pool2d_options args = WNN_POOL2D_OPTIONS_INIT;
  list[0][0] = pick(1, 3), list[0][1] = pick(1, 3), list[1][0] = pick(1, 2), list[1][1] = pick(1, 2);
  args.window_dimensions = (wnn_u32_list){list[0], 2};
  args.strides = (wnn_u32_list){list[1], 2};
  for (int i = 0; i < 4; i++) list[2][i] = list[0][i / 2] > 1 ? pick(0, 1) : 0;
  args.padding = (wnn_u32_list){list[2], 4};
  list[3][0] = pick(1, 2), list[3][1] = pick(1, 2);
  args.dilations = (wnn_u32_list){list[3], 2};
  args.output_shape_rounding = chance(2) ? WNN_ROUNDING_CEIL : WNN_ROUNDING_FLOOR;
  args.layout = chance(2) ? WNN_INPUT_LAYOUT_NHWC : WNN_INPUT_LAYOUT_NCHW;
  if (op == WNN_OP_MAX_POOL2D) return add(d, op, &args, &v, 1, 1, b, e);
  return add(d, op, &args, &v, 1, 1, 3 * b, 3 * (e + 4 * unit * b));
}

static bool add_choice(drawing *d, int op) {
  if (op == WNN_OP_CAST) {
    static const wnn_data_type types[] = {WNN_FLOAT32, WNN_FLOAT16, WNN_INT32, WNN_UINT32,
                                          WNN_INT64,   WNN_UINT64,  WNN_INT8,  WNN_UINT8};
    value *v = choose(d, exact);
    const wnn_cast_args args = {.data_type = types[pick(0, 7)]};
    if (!v || (is_float(v) && v->bound > 1e6)) return false;
    bool to_float = wnn_is_float(args.data_type);
    double bound = !is_float(v) ? to_float ? 1e9 : 0 : v->bound;
    if (!is_float(v) && to_float) return add(d, op, &args, &v, 1, 1, 1e9, 1e9); /* numbers of any size: an end */
    return add(d, op, &args, &v, 1, 1, bound, 0);
  }
  if (op == WNN_OP_CLAMP) {
    value *v = choose(d, chance(3) ? integer : tame);
    if (!v) return false;
    wnn_clamp_args args = {.options = WNN_CLAMP_OPTIONS_INIT};
    args.options.min_value = wnn_number_double(wnn_is_signed(v->desc.data_type) ? -1 : 1);
    args.options.max_value = wnn_number_double(2);
    return add(d, op, &args, &v, 1, 1, is_float(v) ? fmax(2, v->bound) : 1e9, v->error);
  }
  if (op == WNN_OP_ARG_MAX || op == WNN_OP_ARG_MIN) {
    value *v = choose(d, exact_float);
    if (!v || !v->desc.rank) return false;
    wnn_arg_min_max_args args = {.axis = pick(0, v->desc.rank - 1), .options = WNN_ARG_MIN_MAX_OPTIONS_INIT};
    if (chance(2)) args.options.output_data_type = WNN_INT64;
    return add(d, op, &args, &v, 1, 1, 1e9, 0);
  }
  if (op == WNN_OP_LOGICAL_NOT) {
    value *v = choose(d, is_byte);
    return v && add(d, op, NULL, &v, 1, 1, 1e9, 0);
  }
  if (op == WNN_OP_IS_NAN || op == WNN_OP_IS_INFINITE) {
    value *v = choose(d, exact_float);
    return v && add(d, op, NULL, &v, 1, 1, 1e9, 0);
  }
  if (op == WNN_OP_GATHER) {
    value *v = choose(d, has_axis), *indices = choose(d, integer), *pair[2] = {v, indices};
    if (!v || !indices) return false;
    const wnn_gather_args args = {.options = {.axis = pick(0, v->desc.rank - 1)}};
    return add(d, op, &args, pair, 2, 1, v->bound, v->error);
  }
  value *three[3] = {choose(d, is_byte), choose(d, chance(3) ? integer : tame)};
  if (!three[0] || !three[1]) return false;
  three[2] = partner(d, three[1]);
  if (!three[2]) return false;
  return add(d, WNN_OP_WHERE, NULL, three, 3, 1, fmax(three[1]->bound, three[2]->bound),
             fmax(three[1]->error, three[2]->error));
}

static bool add_node(drawing *d) {
  int op = (int)pick(0, WNN_OP_COUNT - 1);
  if (op <= WNN_OP_POW || (op >= WNN_OP_EQUAL && op <= WNN_OP_LESSER_OR_EQUAL) || op == WNN_OP_PRELU)
    return add_binary(d, op);
  if (op >= WNN_OP_REDUCE_L1 && op <= WNN_OP_REDUCE_SUM_SQUARE) return add_reduction(d, op);
  switch (op) {
  case WNN_OP_LOGICAL_AND:
  case WNN_OP_LOGICAL_OR:
  case WNN_OP_LOGICAL_XOR: return add_binary(d, op);
  case WNN_OP_LOGICAL_NOT:
  case WNN_OP_IS_NAN:
  case WNN_OP_IS_INFINITE:
  case WNN_OP_CAST:
  case WNN_OP_CLAMP:
  case WNN_OP_ARG_MAX:
  case WNN_OP_ARG_MIN:
  case WNN_OP_GATHER:
  case WNN_OP_WHERE: return add_choice(d, op);
  case WNN_OP_SOFTMAX:
  case WNN_OP_LAYER_NORMALIZATION:
  case WNN_OP_INSTANCE_NORMALIZATION: return add_normalization(d, op);
  case WNN_OP_GEMM:
  case WNN_OP_MATMUL: return add_product(d, op);
  case WNN_OP_MAX_POOL2D:
  case WNN_OP_AVERAGE_POOL2D:
  case WNN_OP_L2_POOL2D:
  case WNN_OP_RESAMPLE2D: return add_window(d, op);
  case WNN_OP_CONV2D:
  case WNN_OP_CONV_TRANSPOSE2D: return add_convolution(d, op);
  case WNN_OP_BATCH_NORMALIZATION: return add_batch_normalization(d);
  case WNN_OP_GRU:
  case WNN_OP_GRU_CELL:
  case WNN_OP_LSTM:
  case WNN_OP_LSTM_CELL: return add_recurrent(d, op);
  case WNN_OP_GATHER_ELEMENTS:
  case WNN_OP_GATHER_ND:
  case WNN_OP_SCATTER_ELEMENTS:
  case WNN_OP_SCATTER_ND: return add_indexed(d, op);
  case WNN_OP_QUANTIZE_LINEAR:
  case WNN_OP_DEQUANTIZE_LINEAR: return add_quantization(d, op);
  case WNN_OP_CONCAT: return add_joined(d);
  case WNN_OP_TRANSPOSE:
  case WNN_OP_REVERSE:
  case WNN_OP_SLICE:
  case WNN_OP_TILE:
  case WNN_OP_PAD:
  case WNN_OP_EXPAND:
  case WNN_OP_RESHAPE:
  case WNN_OP_SPLIT:
  case WNN_OP_TRIANGULAR:
  case WNN_OP_CUMULATIVE_SUM: return add_movement(d, op);
  default: return op <= WNN_OP_TANH && add_unary(d, op);
  }
}

const char *const input_names[MOST_INPUTS] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l",
                                              "m", "n", "o", "p", "q", "r", "s", "t", "u", "v", "w", "x"};
enum { MOST_GIVEN = 6 };

void draw(drawing *d, uint64_t from) {
  wnn_error error;
  seed = from * UINT64_C(0x9E3779B97F4A7C15) + 1;
  d->input_count = d->given = pick(2, MOST_GIVEN);
  uint32_t rank = chance(2) ? 4 : pick(1, 3), shape[4];
  for (int i = 0; i < 4; i++) shape[i] = chance(4) ? pick(10, 40) : pick(1, 9);
  static const wnn_data_type integers[] = {WNN_INT32, WNN_UINT32, WNN_INT64, WNN_UINT64, WNN_INT8, WNN_UINT8};
  wnn_data_type type = chance(5) ? WNN_FLOAT16 : WNN_FLOAT32;
  for (uint32_t i = 0; i < d->input_count; i++) {
    wnn_desc desc = {.data_type = i && chance(3) ? integers[pick(0, 5)] : type, .rank = i ? pick(0, rank) : rank};
    for (uint32_t k = 0; k < desc.rank; k++) desc.shape[k] = i && chance(4) ? 1 : shape[4 - desc.rank + k];
    d->inputs[i] = desc;
    wnn_operand *operand;
    CHECK_OK(wnn_builder_input(d->builder, input_names[i], &desc, &operand, &error), error);
    d->values[d->count++] = (value){operand, desc, wnn_is_float(desc.data_type) ? 2 : 1e9, 0, false};
  }
  uint32_t wanted = pick(1, MOST_NODES);
  for (int i = 0; i < 2000 && d->nodes < wanted && d->count < MOST_VALUES - 2; i++) add_node(d);
}
