/* Lowering of gru, gruCell, lstm and lstmCell: input products of many time steps at once, then a walk over time
 * with packed recurrent weights. */
#include <string.h>

#include "backend/cpu/lower.h"
#include "backend/cpu/lower_float.h"
#include "kernels/igemm.h"
#include "kernels/recurrent.h"

/* Below this many multiplications the reference kernel takes no longer than the steps here cost by themselves,
 * and is more exact. */
enum { LEAST_WORK = 4096 };
/* Input products of a chunk of time steps, which are read back soon. */
enum { CHUNK_BYTES = 2 * 1024 * 1024 };
/* Arithmetic of a time step that is worth sharing out to threads which wait for each other. */
enum { SHARED_FLOPS = 60000 };

/* The operands in a common order; WNN_NONE where absent. */
typedef struct operands {
  uint32_t input, weight, recurrent_weight, bias, recurrent_bias, peephole, hidden, cell;
} operands;

/* ---- Packed weights ---- */

typedef struct packed {
  const float *inputs, *recurrent; /* at build, or */
  uint32_t input_value, recurrent_value;
} packed;

static bool is_constant(const wnn_lowering *l, uint32_t value) {
  return value == WNN_NONE || wnn_lower_is_constant(l, value);
}

/* False when memory is short. */
static bool pack(wnn_lowering *l, const wnn_node *node, const operands *o, const wnn_recurrent *r, packed *p) {
  const uint32_t values[5] = {o->weight, o->recurrent_weight, o->bias, o->recurrent_bias, o->peephole};
  size_t sizes[2] = {r->directions * r->input_floats * sizeof(float),
                     r->directions * r->recurrent_floats * sizeof(float)};
  bool constant = true;
  for (int i = 0; i < 5; i++) constant = constant && is_constant(l, values[i]);
  *p = (packed){NULL, NULL, WNN_NONE, WNN_NONE};
  if (constant) {
    bool fill;
    float *inputs = wnn_lower_weights(l, sizes[0], &fill), *recurrent = wnn_lower_weights(l, sizes[1], &fill);
    if (!inputs || !recurrent) return false;
    wnn_view in[5] = {{0}}, out[2] = {{.data = inputs}, {.data = recurrent}};
    for (int i = 0; i < 5 && fill; i++) {
      const void *data = wnn_lower_aligned(l, values[i]);
      memcpy(&in[i].data, &data, sizeof data); /* views have no const; packing only reads */
    }
    wnn_task task = {.op = node->op, .input_count = 5, .output_count = 2, .inputs = in, .outputs = out, .params = r};
    if (fill) wnn_recurrent_pack(&task, 0, r->directions * r->blocks, NULL);
    p->inputs = inputs;
    p->recurrent = recurrent;
    return true;
  }
  uint32_t temps[2] = {wnn_lower_temp(l, sizes[0]), wnn_lower_temp(l, sizes[1])};
  if (temps[0] == WNN_NONE || temps[1] == WNN_NONE) return false;
  p->input_value = temps[0];
  p->recurrent_value = temps[1];
  size_t range = r->directions * r->blocks;
  double bytes = 2.0 * (double)(sizes[0] + sizes[1]);
  wnn_step_desc step = {.kernel = "recurrent_pack",
                        .fn = wnn_recurrent_pack,
                        .inputs = values,
                        .outputs = temps,
                        .input_count = 5,
                        .output_count = 2,
                        .op = node->op,
                        .params = r,
                        .range = range,
                        .grain = wnn_lower_grain(0, bytes / (double)range),
                        .bytes = bytes};
  wnn_lower_step(l, node, &step);
  return true;
}

/* ---- Steps ---- */

/* Input products of the time steps first .. first + count - 1 in one direction. */
static void products_step(wnn_lowering *l, const wnn_node *node, const wnn_recurrent *r, const packed *p,
                          uint32_t input, size_t direction, size_t first, size_t count, uint32_t output) {
  wnn_igemm *g = wnn_lower_alloc(l, sizeof *g);
  size_t *offsets = wnn_lower_alloc(l, 2 * sizeof *offsets);
  if (!g || !offsets) return;
  offsets[0] = first * r->batch * r->input;
  offsets[1] = direction * r->input_floats;
  *g = (wnn_igemm){.u = r->u,
                   .m = count * r->batch,
                   .n = r->products,
                   .k = r->input,
                   .taps = 1,
                   .groups = 1,
                   .batches = 1,
                   .a_offsets = offsets,
                   .b_offsets = offsets + 1,
                   .a_row = r->input,
                   .c_row = r->products,
                   .b = p->inputs};
  size_t units = wnn_igemm_plan(g, wnn_lower_threads(l));
  double flops = wnn_igemm_flops(g);
  double bytes = 4.0 * (double)(g->m * (g->k + g->n) + g->k * g->n);
  const uint32_t inputs[2] = {input, p->input_value};
  wnn_step_desc step = {.kernel = "f32_gemm",
                        .fn = wnn_f32_igemm,
                        .inputs = inputs,
                        .outputs = &output,
                        .input_count = 2,
                        .output_count = 1,
                        .op = node->op,
                        .params = g,
                        .range = units,
                        .grain = wnn_lower_grain(flops / (double)units, bytes / (double)units),
                        .scratch = wnn_igemm_scratch(g),
                        .flops = flops,
                        .bytes = bytes};
  wnn_lower_step(l, node, &step);
}

/* Values of one lowered node. */
typedef struct values {
  uint32_t states, sequence, products[2];
} values;

static void run_step(wnn_lowering *l, const wnn_node *node, const wnn_recurrent_stretch *stretch, const packed *p,
                     const values *v) {
  const wnn_recurrent *r = stretch->recurrent;
  wnn_recurrent_stretch *params = wnn_lower_alloc(l, sizeof *params);
  if (!params) return;
  *params = *stretch;
  const uint32_t outputs[4] = {v->states, v->sequence, v->products[0], v->products[1]};
  size_t units = r->directions * stretch->row_units * stretch->column_units;
  double count = (double)(stretch->end - stretch->begin) * (double)(r->directions * r->batch);
  double flops = count * (2.0 * (double)r->hidden + 50) * (double)r->products;
  wnn_step_desc step = {.kernel = r->lstm ? "f32_lstm" : "f32_gru",
                        .fn = wnn_recurrent_run,
                        .inputs = &p->recurrent_value,
                        .outputs = outputs,
                        .input_count = 1,
                        .output_count = 2 + (uint32_t)r->directions,
                        .op = node->op,
                        .params = params,
                        .range = units,
                        .grain = wnn_lower_grain(flops / (double)units, 0),
                        .flops = flops,
                        .bytes =
                            4.0 * (double)(r->directions * r->recurrent_floats) + 4.0 * count * (double)r->products};
  wnn_lower_step(l, node, &step);
}

/* How the walks are split: over samples, or, when there are fewer of them than threads and steps are large, over
 * features too. */
static wnn_recurrent_stretch split(wnn_lowering *l, const wnn_recurrent *r) {
  size_t threads = wnn_lower_threads(l);
  wnn_recurrent_stretch s = {.recurrent = r, .rows = r->batch, .column_units = 1, .columns = r->blocks};
  double step_flops = 2.0 * (double)(r->directions * r->batch * r->hidden * r->products);
  size_t walks = (threads + r->directions - 1) / r->directions; /* wanted of each direction */
  if (walks > 1 && r->batch >= walks) s.rows = (r->batch + walks - 1) / walks;
  s.row_units = (r->batch + s.rows - 1) / s.rows;
  if (r->directions * s.row_units >= threads || step_flops < SHARED_FLOPS || r->blocks < 2) return s;
  s.columns = (r->blocks + walks - 1) / walks;
  s.column_units = (r->blocks + s.columns - 1) / s.columns;
  return s;
}

static void state_step(wnn_lowering *l, const wnn_node *node, const wnn_recurrent *r, const char *name,
                       wnn_kernel_fn *fn, const uint32_t *inputs, uint32_t input_count, const uint32_t *outputs,
                       uint32_t output_count) {
  wnn_step_desc step = {.kernel = name,
                        .fn = fn,
                        .inputs = inputs,
                        .outputs = outputs,
                        .input_count = input_count,
                        .output_count = output_count,
                        .op = node->op,
                        .params = r,
                        .range = 1,
                        .bytes = 8.0 * (double)r->state_floats};
  wnn_lower_step(l, node, &step);
}

/* Emits everything; `given` has all but what this function and wnn_recurrent_plan set. */
static bool lower(wnn_lowering *l, const wnn_node *node, const operands *o, const wnn_recurrent *given) {
  double work = (double)(given->steps * given->directions * given->batch) * (double)(given->gates * given->hidden) *
                (double)(given->input + given->hidden);
  if (work < LEAST_WORK) return false;
  wnn_recurrent *r = wnn_lower_alloc(l, sizeof *r);
  if (!r) return true;
  *r = *given;
  r->u = wnn_lower_ukernels(l);
  r->type = wnn_lower_desc(l, o->input)->data_type;
  r->peephole = o->peephole != WNN_NONE;
  wnn_recurrent_plan(r);
  wnn_recurrent_stretch stretch = split(l, r);
  if (stretch.column_units > 1) r->progress_lines = r->directions * stretch.row_units * (1 + stretch.column_units);
  packed p;
  if (!pack(l, node, o, r, &p)) return true;
  r->packed = p.recurrent;

  uint32_t input = wnn_lower_widen(l, node, o->input);
  size_t step_bytes = r->batch * r->products * sizeof(float);
  size_t chunk = step_bytes < CHUNK_BYTES ? CHUNK_BYTES / step_bytes : 1;
  if (chunk > r->steps) chunk = r->steps;
  uint32_t last = node->output_count - 1;
  values v = {.states = wnn_lower_temp(l, wnn_recurrent_states(r)),
              .sequence = r->returns_sequence ? wnn_lower_wide_output(l, node->outputs[last]) : WNN_NONE,
              .products = {wnn_lower_temp(l, chunk * step_bytes), WNN_NONE}};
  if (r->directions == 2) v.products[1] = wnn_lower_temp(l, chunk * step_bytes);

  const uint32_t initial[2] = {o->hidden, o->cell};
  state_step(l, node, r, "recurrent_start", wnn_recurrent_start, initial, 2, &v.states, 1);
  for (size_t begin = 0; begin < r->steps; begin += chunk) {
    size_t end = begin + chunk < r->steps ? begin + chunk : r->steps;
    for (size_t d = 0; d < r->directions; d++)
      products_step(l, node, r, &p, input, d, r->backward[d] ? r->steps - end : begin, end - begin, v.products[d]);
    stretch.begin = begin;
    stretch.end = end;
    run_step(l, node, &stretch, &p, &v);
  }
  state_step(l, node, r, "recurrent_finish", wnn_recurrent_finish, &v.states, 1, node->outputs, r->lstm ? 2 : 1);
  if (r->returns_sequence) wnn_lower_narrow(l, node, v.sequence, node->outputs[last]);
  return true;
}

/* ---- Operations ---- */

static void set_gru(wnn_recurrent *r, wnn_gru_weight_layout layout, bool reset_after, const int32_t *activations) {
  static const uint8_t sources[][4] = {
      [WNN_GRU_WEIGHT_LAYOUT_ZRN] = {0, 1, 2},
      [WNN_GRU_WEIGHT_LAYOUT_RZN] = {1, 0, 2},
  };
  r->gates = 3;
  r->early = !reset_after;
  memcpy(r->source, sources[layout], sizeof r->source);
  memcpy(r->activations, activations, 2 * sizeof *activations);
}

static void set_lstm(wnn_recurrent *r, wnn_lstm_weight_layout layout, const int32_t *activations) {
  static const uint8_t sources[][4] = {
      [WNN_LSTM_WEIGHT_LAYOUT_IOFG] = {0, 1, 2, 3},
      [WNN_LSTM_WEIGHT_LAYOUT_IFGO] = {0, 3, 1, 2},
  };
  r->lstm = true;
  r->gates = 4;
  memcpy(r->source, sources[layout], sizeof r->source);
  memcpy(r->activations, activations, 3 * sizeof *activations);
}

static wnn_recurrent sequence_of(const wnn_lowering *l, uint32_t input, uint32_t hidden, wnn_direction direction,
                                 bool returns_sequence) {
  const wnn_desc *x = wnn_lower_desc(l, input);
  return (wnn_recurrent){.steps = x->shape[0],
                         .batch = x->shape[1],
                         .input = x->shape[2],
                         .hidden = hidden,
                         .directions = direction == WNN_DIRECTION_BOTH ? 2 : 1,
                         .backward = {direction == WNN_DIRECTION_BACKWARD, true},
                         .returns_sequence = returns_sequence};
}

static wnn_recurrent cell_of(const wnn_lowering *l, uint32_t input, uint32_t hidden) {
  const wnn_desc *x = wnn_lower_desc(l, input);
  return (wnn_recurrent){.steps = 1, .batch = x->shape[0], .input = x->shape[1], .hidden = hidden, .directions = 1};
}

bool wnn_lower_gru(wnn_lowering *l, const wnn_node *node) {
  const wnn_gru_args *args = node->args;
  const uint32_t *in = node->inputs;
  operands o = {in[0], in[1], in[2], in[3], in[4], WNN_NONE, in[5], WNN_NONE};
  wnn_recurrent r = sequence_of(l, in[0], args->hidden_size, args->options.direction, args->options.return_sequence);
  set_gru(&r, args->options.layout, args->options.reset_after, args->options.activations.data);
  return lower(l, node, &o, &r);
}

bool wnn_lower_gru_cell(wnn_lowering *l, const wnn_node *node) {
  const wnn_gru_cell_args *args = node->args;
  const uint32_t *in = node->inputs;
  operands o = {in[0], in[1], in[2], in[4], in[5], WNN_NONE, in[3], WNN_NONE};
  wnn_recurrent r = cell_of(l, in[0], args->hidden_size);
  set_gru(&r, args->options.layout, args->options.reset_after, args->options.activations.data);
  return lower(l, node, &o, &r);
}

bool wnn_lower_lstm(wnn_lowering *l, const wnn_node *node) {
  const wnn_lstm_args *args = node->args;
  const uint32_t *in = node->inputs;
  operands o = {in[0], in[1], in[2], in[3], in[4], in[5], in[6], in[7]};
  wnn_recurrent r = sequence_of(l, in[0], args->hidden_size, args->options.direction, args->options.return_sequence);
  set_lstm(&r, args->options.layout, args->options.activations.data);
  return lower(l, node, &o, &r);
}

bool wnn_lower_lstm_cell(wnn_lowering *l, const wnn_node *node) {
  const wnn_lstm_cell_args *args = node->args;
  const uint32_t *in = node->inputs;
  operands o = {in[0], in[1], in[2], in[5], in[6], in[7], in[3], in[4]};
  wnn_recurrent r = cell_of(l, in[0], args->hidden_size);
  set_lstm(&r, args->options.layout, args->options.activations.data);
  return lower(l, node, &o, &r);
}
