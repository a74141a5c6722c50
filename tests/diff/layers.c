/* Layers with weights, and operations with indices: convolutions, recurrent networks, gathers, scatters. */
#include "diff/draw.h"

static uint32_t list[6][WNN_MAX_RANK];

static wnn_desc desc_of(wnn_data_type type, uint32_t rank, const uint32_t *shape) {
  wnn_desc desc = {.data_type = type, .rank = rank};
  memcpy(desc.shape, shape, rank * sizeof *shape);
  return desc;
}

/* ---- Convolutions --------------------------------------------------------------------------------------------- */

/* Places of output channels, input channels, height and width in each filter layout. */
static const uint8_t conv_places[][4] = {
    [WNN_CONV2D_FILTER_LAYOUT_OIHW] = {0, 1, 2, 3},
    [WNN_CONV2D_FILTER_LAYOUT_HWIO] = {3, 2, 0, 1},
    [WNN_CONV2D_FILTER_LAYOUT_OHWI] = {0, 3, 1, 2},
    [WNN_CONV2D_FILTER_LAYOUT_IHWO] = {3, 0, 1, 2},
};
static const uint8_t transposed_places[][4] = {
    [WNN_CONV_TRANSPOSE2D_FILTER_LAYOUT_IOHW] = {1, 0, 2, 3},
    [WNN_CONV_TRANSPOSE2D_FILTER_LAYOUT_HWOI] = {2, 3, 0, 1},
    [WNN_CONV_TRANSPOSE2D_FILTER_LAYOUT_OHWI] = {0, 3, 1, 2},
};

bool add_convolution(drawing *d, int op) {
  value *v = choose(d, image);
  if (!v) return false;
  bool plain = op == WNN_OP_CONV2D, last = chance(2);
  uint32_t channels = v->desc.shape[last ? 3 : 1], groups = 1, kernel[2] = {pick(1, 3), pick(1, 3)}, shape[4];
  for (uint32_t i = 2; i <= channels; i++)
    if (channels % i == 0 && chance(3)) groups = i;
  uint32_t inner = channels / groups, out = pick(1, groups > 4 ? 2 : 9);
  uint32_t layout = plain ? pick(0, 3) : pick(0, 2);
  const uint8_t *place = plain ? conv_places[layout] : transposed_places[layout];
  shape[place[0]] = plain ? out * groups : out;
  shape[place[1]] = plain ? inner : channels;
  shape[place[2]] = kernel[0];
  shape[place[3]] = kernel[1];
  wnn_desc filter_desc = desc_of(v->desc.data_type, 4, shape),
           bias_desc = desc_of(v->desc.data_type, 1, (const uint32_t[]){out * groups});
  value filter = weight(d, &filter_desc, -1, 1, true), bias = weight(d, &bias_desc, -2, 2, true);
  value *operands[3] = {v, &filter, chance(3) ? NULL : &bias};
  for (int i = 0; i < 4; i++) {
    list[0][i] = pick(0, 2);
    list[1][i] = pick(1, 2);
    list[2][i] = pick(1, 2);
  }
  const wnn_u32_list padding = {list[0], 4}, strides = {list[1], 2}, dilations = {list[2], 2};
  double taps = (double)inner * kernel[0] * kernel[1], bound = taps * v->bound * filter.bound + 2;
  double error = taps * filter.bound * v->error + 2 * sqrt(taps + 1) * unit_of(v->desc.data_type) * bound;
  if (!small_half(v->desc.data_type, bound)) return false;
  if (plain) {
    wnn_conv2d_args args = {.options = WNN_CONV2D_OPTIONS_INIT};
    args.options.padding = padding, args.options.strides = strides, args.options.dilations = dilations;
    args.options.groups = groups;
    args.options.filter_layout = (wnn_conv2d_filter_layout)layout;
    args.options.input_layout = last ? WNN_INPUT_LAYOUT_NHWC : WNN_INPUT_LAYOUT_NCHW;
    return add(d, op, &args, operands, 3, 1, bound, error);
  }
  wnn_conv_transpose2d_args args = {.options = WNN_CONV_TRANSPOSE2D_OPTIONS_INIT};
  args.options.padding = padding, args.options.strides = strides, args.options.dilations = dilations;
  args.options.groups = groups;
  args.options.filter_layout = (wnn_conv_transpose2d_filter_layout)layout;
  args.options.input_layout = last ? WNN_INPUT_LAYOUT_NHWC : WNN_INPUT_LAYOUT_NCHW;
  for (int i = 0; i < 2; i++) list[3][i] = pick(0, list[1][i] - 1);
  args.options.output_padding = (wnn_u32_list){list[3], 2};
  return add(d, op, &args, operands, 3, 1, bound, error);
}

bool add_batch_normalization(drawing *d) {
  value *v = choose(d, tame);
  if (!v || !v->desc.rank) return false;
  wnn_batch_normalization_args args = {.options = WNN_BATCH_NORMALIZATION_OPTIONS_INIT};
  args.options.axis = pick(0, v->desc.rank - 1);
  wnn_desc desc = desc_of(v->desc.data_type, 1, &v->desc.shape[args.options.axis]);
  value mean = weight(d, &desc, -1, 1, true), variance = weight(d, &desc, 0.5, 2, false);
  value scale = weight(d, &desc, -2, 2, true), bias = weight(d, &desc, -1, 1, true);
  value *operands[5] = {v, &mean, &variance, chance(3) ? NULL : &scale, chance(3) ? NULL : &bias};
  double bound = 3 * (v->bound + 2) + 2;
  return add(d, WNN_OP_BATCH_NORMALIZATION, &args, operands, 5, 1, bound,
             3 * v->error + 8 * unit_of(v->desc.data_type) * bound);
}

/* ---- Recurrent networks ----------------------------------------------------------------------------------------- */

typedef struct network {
  uint32_t directions, batch, inputs, hidden, gates;
  bool cell; /* one step: no directions */
} network;

/* The shape of an operand of the row by its name. */
static wnn_desc operand_desc(const network *n, const char *name, wnn_data_type type) {
  wnn_desc desc = {.data_type = type};
  bool state = strstr(name, "State") != NULL, per_gate = strstr(name, "eight") || strstr(name, "ias");
  if (!n->cell) desc.shape[desc.rank++] = n->directions;
  if (state) desc.shape[desc.rank++] = n->batch;
  desc.shape[desc.rank++] = !strcmp(name, "peepholeWeight") ? 3 * n->hidden
                            : per_gate                      ? n->gates * n->hidden
                                                            : n->hidden;
  if (!strcmp(name, "weight")) desc.shape[desc.rank++] = n->inputs;
  if (!strcmp(name, "recurrentWeight")) desc.shape[desc.rank++] = n->hidden;
  return desc;
}

static bool sequence(const value *v) { return tame(v) && v->desc.rank == 3; }
static bool matrix(const value *v) { return tame(v) && v->desc.rank == 2; }

static int32_t activations[3];

static wnn_enum_list some_activations(uint32_t count) {
  /* A rectified candidate would let errors grow from step to step. */
  for (uint32_t i = 0; i < count; i++) activations[i] = chance(2) ? WNN_ACTIVATION_TANH : WNN_ACTIVATION_SIGMOID;
  return chance(2) ? (wnn_enum_list){activations, count} : (wnn_enum_list){NULL, 0};
}

bool add_recurrent(drawing *d, int op) {
  bool cell = op == WNN_OP_GRU_CELL || op == WNN_OP_LSTM_CELL, lstm = op == WNN_OP_LSTM || op == WNN_OP_LSTM_CELL;
  value *v = choose(d, cell ? matrix : sequence);
  if (!v) return false;
  const wnn_op_info *row = wnn_op_get(op);
  wnn_direction direction = (wnn_direction)pick(0, 2);
  uint32_t steps = cell ? 1 : v->desc.shape[0];
  network n = {.directions = direction == WNN_DIRECTION_BOTH ? 2 : 1,
               .batch = v->desc.shape[cell ? 0 : 1],
               .inputs = v->desc.shape[cell ? 1 : 2],
               .hidden = pick(1, 5),
               .gates = lstm ? 4 : 3,
               .cell = cell};
  value weights[10], *operands[10] = {v};
  double first = 1 / (double)n.inputs, scale = first * n.inputs * v->bound;
  for (uint32_t i = 1; i < row->operand_count; i++) {
    const char *name = row->operands[i].name;
    wnn_desc desc = operand_desc(&n, name, v->desc.data_type);
    double size = !strcmp(name, "weight") ? first : !strcmp(name, "recurrentWeight") ? 0.2 : 1;
    weights[i] = weight(d, &desc, -size, size, strstr(name, "eight") == NULL);
    operands[i] = row->operands[i].optional && chance(2) ? NULL : &weights[i];
  }
  bool all = chance(2);
  /* Every step takes over what the states of the one before were off by. */
  double unit = unit_of(v->desc.data_type), error = 4 * steps * (v->error + 8 * unit * (scale + 4));
  double bound = lstm ? steps + 2 : 2;
  if (op == WNN_OP_GRU) {
    wnn_gru_args args = {steps, n.hidden, WNN_GRU_OPTIONS_INIT};
    args.options.direction = direction;
    args.options.layout = (wnn_gru_weight_layout)pick(0, 1);
    args.options.reset_after = chance(2);
    args.options.return_sequence = all;
    args.options.activations = some_activations(2);
    return add(d, op, &args, operands, row->operand_count, all ? 2 : 1, bound, error);
  }
  if (op == WNN_OP_GRU_CELL) {
    wnn_gru_cell_args args = {n.hidden, WNN_GRU_CELL_OPTIONS_INIT};
    args.options.layout = (wnn_gru_weight_layout)pick(0, 1);
    args.options.reset_after = chance(2);
    args.options.activations = some_activations(2);
    return add(d, op, &args, operands, row->operand_count, 1, bound, error);
  }
  if (op == WNN_OP_LSTM) {
    wnn_lstm_args args = {steps, n.hidden, WNN_LSTM_OPTIONS_INIT};
    args.options.direction = direction;
    args.options.layout = (wnn_lstm_weight_layout)pick(0, 1);
    args.options.return_sequence = all;
    args.options.activations = some_activations(3);
    return add(d, op, &args, operands, row->operand_count, all ? 3 : 2, bound, error);
  }
  wnn_lstm_cell_args args = {n.hidden, WNN_LSTM_CELL_OPTIONS_INIT};
  args.options.layout = (wnn_lstm_weight_layout)pick(0, 1);
  args.options.activations = some_activations(3);
  return add(d, op, &args, operands, row->operand_count, 2, bound, error);
}

/* ---- Indices ------------------------------------------------------------------------------------------------------
 */

enum { MOST_INDICES = 4096 };
static int64_t indices[MOST_INDICES];

/* Rows of an axis, each at most once, some of them counted from the end. */
static void some_rows(uint32_t size, uint32_t count) {
  int64_t rows[64];
  for (uint32_t i = 0; i < size; i++) rows[i] = i;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t j = pick(i, size - 1);
    int64_t row = rows[j];
    rows[j] = rows[i];
    indices[i] = chance(4) ? row - size : row;
  }
}

static wnn_data_type index_type(void) { return chance(2) ? WNN_INT32 : WNN_INT64; }

static bool add_elements(drawing *d, int op, value *v) {
  uint32_t axis = pick(0, v->desc.rank - 1), size = v->desc.shape[axis], inner = 1, rows[64];
  wnn_desc desc = v->desc;
  if (size > 64) return false;
  bool scatter = op == WNN_OP_SCATTER_ELEMENTS;
  desc.data_type = index_type();
  desc.shape[axis] = pick(1, scatter || size > 32 ? size : 2 * size);
  size_t count = (size_t)wnn_desc_elements(&desc);
  if (count > MOST_INDICES) return false;
  if (scatter) {
    /* The same rows everywhere, so that no element is written twice. */
    some_rows(size, desc.shape[axis]);
    for (uint32_t i = 0; i < desc.shape[axis]; i++) rows[i] = (uint32_t)indices[i];
  }
  for (uint32_t i = axis + 1; i < desc.rank; i++) inner *= desc.shape[i];
  for (size_t i = 0; i < count; i++)
    indices[i] = scatter ? (int32_t)rows[i / inner % desc.shape[axis]] : (int64_t)pick(0, 2 * size - 1) - size;
  value places = integers_of(d, &desc, indices), updates, *operands[3] = {v, &places, &updates};
  if (!scatter) {
    const wnn_gather_elements_args args = {.options = {.axis = axis}};
    return add(d, op, &args, operands, 2, 1, v->bound, v->error);
  }
  desc.data_type = v->desc.data_type;
  updates = weight(d, &desc, 0, 2, true);
  const wnn_scatter_elements_args args = {.options = {.axis = axis}};
  return add(d, op, &args, operands, 3, 1, fmax(v->bound, 2), v->error);
}

static bool add_coordinates(drawing *d, int op, value *v) {
  bool scatter = op == WNN_OP_SCATTER_ND;
  uint32_t depth = scatter ? 1 : pick(1, v->desc.rank), most = v->desc.shape[0] < 64 ? v->desc.shape[0] : 64;
  uint32_t count = pick(1, scatter ? most : 20);
  wnn_desc desc = {.data_type = index_type(), .rank = 2, .shape = {count, depth}};
  if (v->desc.rank - depth + 1 > WNN_MAX_RANK || v->desc.shape[0] > 64) return false;
  if (scatter) {
    some_rows(v->desc.shape[0], count);
  } else {
    for (uint32_t i = 0; i < count * depth; i++) {
      uint32_t size = v->desc.shape[i % depth];
      indices[i] = (int64_t)pick(0, 2 * size - 1) - size;
    }
  }
  value places = integers_of(d, &desc, indices), updates, *operands[3] = {v, &places, &updates};
  if (!scatter) return add(d, op, NULL, operands, 2, 1, v->bound, v->error);
  desc = v->desc;
  desc.shape[0] = count;
  updates = weight(d, &desc, 0, 2, true);
  return add(d, op, NULL, operands, 3, 1, fmax(v->bound, 2), v->error);
}

bool add_indexed(drawing *d, int op) {
  value *v = choose(d, has_axis);
  if (!v) return false;
  bool elements = op == WNN_OP_GATHER_ELEMENTS || op == WNN_OP_SCATTER_ELEMENTS;
  return elements ? add_elements(d, op, v) : add_coordinates(d, op, v);
}

/* ---- Quantization ---------------------------------------------------------------------------------------------------
 */

static bool exact_real(const value *v) { return tame(v) && v->error == 0; }
static bool narrow(const value *v) { return v->desc.data_type == WNN_INT8 || v->desc.data_type == WNN_UINT8; }

/* One scale for all, for each row of an axis, or for blocks of two along it. */
static wnn_desc scale_desc(const value *v, wnn_data_type type) {
  wnn_desc desc = {.data_type = type, .rank = v->desc.rank};
  for (uint32_t i = 0; i < desc.rank; i++) desc.shape[i] = 1;
  if (!desc.rank || chance(3)) return desc;
  uint32_t axis = pick(0, desc.rank - 1), size = v->desc.shape[axis];
  desc.shape[axis] = size % 2 == 0 && chance(2) ? size / 2 : size;
  return desc;
}

bool add_quantization(drawing *d, int op) {
  bool quantize = op == WNN_OP_QUANTIZE_LINEAR;
  value *v = choose(d, quantize ? exact_real : narrow);
  if (!v) return false;
  wnn_data_type real = quantize ? v->desc.data_type : WNN_FLOAT32;
  wnn_data_type type = !quantize ? v->desc.data_type : chance(2) ? WNN_INT8 : WNN_UINT8;
  wnn_desc desc = scale_desc(v, real), zero_desc = desc;
  zero_desc.data_type = type;
  value scale = weight(d, &desc, 0.01, 0.1, false), zero = weight(d, &zero_desc, 0, 100, false);
  value *operands[3] = {v, &scale, &zero};
  if (quantize) return add(d, op, NULL, operands, 3, 1, 1e9, 0);
  return add(d, op, NULL, operands, 3, 1, 26, 4 * unit_of(real) * 26);
}
