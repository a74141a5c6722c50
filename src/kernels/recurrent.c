/* LSTM and GRU over sequences: packing of weights, and the walk over time. */
#include "kernels/recurrent.h"

#include <sched.h>
#include <stdatomic.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cpu.h"
#include "base/dtype.h"
#include "base/sizes.h"

void wnn_recurrent_plan(wnn_recurrent *r) {
  size_t vl = r->u->vl;
  r->blocks = (r->hidden + vl - 1) / vl;
  r->padded = r->blocks * vl;
  r->products = r->padded * r->gates;
  r->input_floats = r->products * r->input;
  size_t heads = r->padded * WNN_RECURRENT_HEAD, weights = r->padded * r->hidden;
  r->late_offset = heads + weights * 2;
  r->recurrent_floats = heads + weights * r->gates;
  r->state_floats = r->directions * r->batch * r->padded;
}

static size_t states_bytes(const wnn_recurrent *r) {
  size_t states = WNN_RECURRENT_STATES + (r->progress_lines ? WNN_RECURRENT_PARTIAL : 0);
  return wnn_align_up(states * r->state_floats * sizeof(float));
}
size_t wnn_recurrent_states(const wnn_recurrent *r) { return states_bytes(r) + r->progress_lines * WNN_ALIGN; }

/* ---- Packing ---- */

/* Element of an operand; 0 when it is absent. */
static float element(const wnn_recurrent *r, const wnn_view *view, size_t i) {
  if (!view->data) return 0;
  return r->type == WNN_FLOAT16 ? wnn_f16_to_f32(((const uint16_t *)view->data)[i]) : ((const float *)view->data)[i];
}

/* `features` rows of `depth` elements of a weight, from element `first` on, as a panel of vectors that are `step`
 * floats apart. */
static void pack_panel(const wnn_recurrent *r, const wnn_view *view, size_t first, size_t features, size_t depth,
                       size_t step, float *to) {
  enum { DEPTH = 64, MAX_VL = 16 };
  float wide[MAX_VL * DEPTH], panel[DEPTH * MAX_VL];
  size_t vl = r->u->vl;
  for (size_t k = 0; k < depth; k += DEPTH) {
    size_t count = wnn_min_size(DEPTH, depth - k);
    if (r->type == WNN_FLOAT16) {
      for (size_t j = 0; j < features; j++)
        r->u->f32_widen(count, (const uint16_t *)view->data + first + j * depth + k, wide + j * DEPTH);
      r->u->f32_pack_columns(count, features, wide, DEPTH, 1, 1, panel);
    } else {
      r->u->f32_pack_columns(count, features, (const float *)view->data + first + k, depth, 1, 1, panel);
    }
    for (size_t i = 0; i < count; i++) memcpy(to + (k + i) * step, panel + i * vl, vl * sizeof *to);
  }
}

/* Vector number `slot` of a head: the sum of two operands' elements from `first` on. */
static void pack_head(const wnn_recurrent *r, const wnn_view *a, const wnn_view *b, size_t first, size_t features,
                      float *head, size_t slot) {
  for (size_t j = 0; j < r->u->vl; j++) {
    float value = 0;
    if (j < features) value = element(r, a, first + j) + (b ? element(r, b, first + j) : 0);
    head[slot * r->u->vl + j] = value;
  }
}

static void pack_heads(const wnn_recurrent *r, const wnn_view *in, size_t direction, size_t block, size_t features,
                       float *head) {
  size_t feature = block * r->u->vl;
  memset(head, 0, WNN_RECURRENT_HEAD * r->u->vl * sizeof *head);
  for (size_t g = 0; g < r->gates; g++) {
    size_t first = (direction * r->gates + r->source[g]) * r->hidden + feature;
    bool apart = !r->lstm && g == 2; /* the two biases of the new gate go different ways */
    pack_head(r, &in[2], apart ? NULL : &in[3], first, features, head, g);
    if (apart) pack_head(r, &in[3], NULL, first, features, head, 3);
  }
  for (size_t p = 0; r->peephole && p < 3; p++)
    pack_head(r, &in[4], NULL, (direction * 3 + p) * r->hidden + feature, features, head, WNN_RECURRENT_PEEPHOLES + p);
}

void wnn_recurrent_pack(const wnn_task *task, size_t begin, size_t end, void *scratch) {
  (void)scratch;
  const wnn_recurrent *r = task->params;
  const wnn_view *in = task->inputs;
  size_t vl = r->u->vl, main_gates = r->early ? 2 : r->gates;
  for (size_t i = begin; i < end; i++) {
    size_t direction = i / r->blocks, block = i % r->blocks, features = wnn_min_size(vl, r->hidden - block * vl);
    float *inputs = (float *)task->outputs[0].data + direction * r->input_floats;
    float *recurrent = (float *)task->outputs[1].data + direction * r->recurrent_floats;
    float *weights = recurrent + WNN_RECURRENT_HEAD * r->padded + block * r->hidden * main_gates * vl;
    for (size_t g = 0; g < r->gates; g++) {
      size_t row = (direction * r->gates + r->source[g]) * r->hidden + block * vl;
      pack_panel(r, &in[0], row * r->input, features, r->input, vl, inputs + (block * r->gates + g) * r->input * vl);
      if (g < main_gates) {
        pack_panel(r, &in[1], row * r->hidden, features, r->hidden, main_gates * vl, weights + g * vl);
      } else {
        pack_panel(r, &in[1], row * r->hidden, features, r->hidden, vl,
                   recurrent + r->late_offset + block * r->hidden * vl);
      }
    }
    pack_heads(r, in, direction, block, features, recurrent + block * WNN_RECURRENT_HEAD * vl);
  }
}

/* ---- States ---- */

void wnn_recurrent_start(const wnn_task *task, size_t begin, size_t end, void *scratch) {
  (void)begin, (void)end;
  (void)scratch;
  const wnn_recurrent *r = task->params;
  float *states = task->outputs[0].data, *cells = states + 2 * r->state_floats;
  memset(states, 0, wnn_recurrent_states(r));
  for (size_t i = 0; i < r->directions * r->batch; i++) {
    for (size_t j = 0; j < r->hidden; j++) {
      states[i * r->padded + j] = element(r, &task->inputs[0], i * r->hidden + j);
      if (r->lstm) cells[i * r->padded + j] = element(r, &task->inputs[1], i * r->hidden + j);
    }
  }
}

static void store_state(const wnn_recurrent *r, const float *state, void *to) {
  for (size_t i = 0; i < r->directions * r->batch; i++, state += r->padded) {
    if (r->type == WNN_FLOAT16) {
      r->u->f32_narrow(r->hidden, state, (uint16_t *)to + i * r->hidden);
    } else {
      memcpy((float *)to + i * r->hidden, state, r->hidden * sizeof *state);
    }
  }
}

void wnn_recurrent_finish(const wnn_task *task, size_t begin, size_t end, void *scratch) {
  (void)begin, (void)end;
  (void)scratch;
  const wnn_recurrent *r = task->params;
  const float *states = task->inputs[0].data;
  store_state(r, states + r->steps % 2 * r->state_floats, task->outputs[0].data);
  if (r->lstm) store_state(r, states + 2 * r->state_floats, task->outputs[1].data);
}

/* ---- Steps ---- */

/* The features that a unit has made at time t go to the sequence. */
static void store_sequence(const wnn_recurrent *r, const wnn_f32_recurrent *step, size_t t, size_t direction,
                           size_t row, float *sequence) {
  size_t first = step->first * r->u->vl, last = wnn_min_size(step->last * r->u->vl, r->hidden);
  float *to = sequence + ((t * r->directions + direction) * r->batch + row) * r->hidden;
  for (size_t i = 0; i < step->rows; i++)
    memcpy(to + i * r->hidden + first, step->next + i * step->state_row + first, (last - first) * sizeof *to);
}

/* What a walk works on. */
typedef struct walk {
  const wnn_recurrent_stretch *stretch;
  size_t direction, row;
  const float *part; /* heads and recurrent weights */
  float *states, *partial, *products, *sequence;
} walk;

static size_t phases_of(const wnn_recurrent *r) { return r->early ? 2 : 1; }

/* Blocks first .. last - 1 in one phase of step i: a whole step, or one pass of two. */
static void run_phase(const walk *w, size_t i, size_t phase, size_t first, size_t last, wnn_recurrent_stage stage) {
  const wnn_recurrent_stretch *s = w->stretch;
  const wnn_recurrent *r = s->recurrent;
  size_t t = r->backward[w->direction] ? r->steps - 1 - i : i;
  size_t start = r->backward[w->direction] ? r->steps - s->end : s->begin; /* of the products, in time */
  wnn_f32_recurrent step = {.rows = (uint32_t)wnn_min_size(s->rows, r->batch - w->row),
                            .hidden = (uint32_t)r->hidden,
                            .first = (uint32_t)first,
                            .last = (uint32_t)last,
                            .products = w->products + ((t - start) * r->batch + w->row) * r->products,
                            .products_row = r->products,
                            .heads = w->part,
                            .weights = w->part + (phase ? r->late_offset : WNN_RECURRENT_HEAD * r->padded),
                            .state = w->states + i % 2 * r->state_floats,
                            .next = w->states + (i + 1) % 2 * r->state_floats,
                            .extra = w->states + 2 * r->state_floats,
                            .state_row = r->padded,
                            .peephole = r->peephole,
                            .backward = stage == WNN_STAGE_WHOLE && i % 2,
                            .stage = stage,
                            .known_first = (uint32_t)(first * r->u->vl),
                            .known_last = (uint32_t)wnn_min_size(last * r->u->vl, r->hidden),
                            .partial = w->partial,
                            .partial_row = r->padded * WNN_RECURRENT_PARTIAL};
  memcpy(step.activations, r->activations, sizeof step.activations);
  if (r->lstm)
    r->u->f32_lstm_step(&step);
  else if (!r->early)
    r->u->f32_gru_step(&step);
  else if (!phase)
    r->u->f32_gru_gates(&step);
  else
    r->u->f32_gru_new(&step);
  if (r->returns_sequence && stage != WNN_STAGE_FIRST && phase + 1 == phases_of(r))
    store_sequence(r, &step, t, w->direction, w->row, w->sequence);
}

/* ---- Walks whose features are shared out ---- */

/* Phases are counted from the first step on. A unit is free for phase p when its number is 2 p; whoever makes 2 p + 1
 * of it does that phase. When all units have done a phase the next one begins. Its first stage needs nothing but what
 * the unit itself has made, and goes before the waiting. */
typedef struct claim {
  _Alignas(WNN_ALIGN) atomic_size_t number;
  atomic_size_t present; /* 1 + first step of the stretch that somebody came for */
} claim;
typedef struct progress {
  _Alignas(WNN_ALIGN) atomic_size_t done; /* phases of all units together */
  claim claims[];
} progress;

/* Rounds of waiting before the work of one who is late is taken over, and before the processor is offered to others. */
enum { PATIENCE = 3000, RELAX_COUNT = 6000 };

static void run_stage(const walk *w, size_t unit, size_t phase, wnn_recurrent_stage stage) {
  const wnn_recurrent_stretch *s = w->stretch;
  size_t first = unit * s->columns, phases = phases_of(s->recurrent);
  run_phase(w, phase / phases, phase % phases, first, wnn_min_size(first + s->columns, s->recurrent->blocks), stage);
}

static bool run_claim(const walk *w, progress *shared, size_t unit, size_t phase) {
  const wnn_recurrent_stretch *s = w->stretch;
  size_t expected = 2 * phase, phases = phases_of(s->recurrent);
  if (!atomic_compare_exchange_strong_explicit(&shared->claims[unit].number, &expected, 2 * phase + 1,
                                               memory_order_acquire, memory_order_relaxed))
    return false;
  if (phase == s->begin * phases) run_stage(w, unit, phase, WNN_STAGE_FIRST);
  run_stage(w, unit, phase, WNN_STAGE_SECOND);
  atomic_fetch_add_explicit(&shared->done, 1, memory_order_release);
  if (phase + 1 < s->end * phases) run_stage(w, unit, phase + 1, WNN_STAGE_FIRST);
  atomic_store_explicit(&shared->claims[unit].number, 2 * phase + 2, memory_order_release);
  return true;
}

static void run_shared(const walk *w, progress *shared, size_t own) {
  const wnn_recurrent_stretch *s = w->stretch;
  size_t units = s->column_units, phases = phases_of(s->recurrent);
  atomic_store_explicit(&shared->claims[own].present, s->begin + 1, memory_order_relaxed);
  for (size_t phase = s->begin * phases; phase < s->end * phases; phase++) {
    for (unsigned waited = 0; atomic_load_explicit(&shared->done, memory_order_acquire) < (phase + 1) * units;) {
      bool ran = run_claim(w, shared, own, phase);
      for (size_t other = 0; other < units && !ran; other++) {
        bool present = atomic_load_explicit(&shared->claims[other].present, memory_order_relaxed) == s->begin + 1;
        if (!present || waited > PATIENCE) ran = run_claim(w, shared, other, phase);
      }
      if (ran) {
        waited = 0;
      } else if (waited++ < RELAX_COUNT) {
        wnn_cpu_relax();
      } else {
        sched_yield();
      }
    }
  }
}

static void run_unit(const wnn_task *task, size_t unit) {
  const wnn_recurrent_stretch *s = task->params;
  const wnn_recurrent *r = s->recurrent;
  size_t number = unit / s->column_units; /* of the walk */
  walk w = {.stretch = s, .direction = number / s->row_units, .row = number % s->row_units * s->rows};
  w.part = (r->packed ? r->packed : (const float *)task->inputs[0].data) + w.direction * r->recurrent_floats;
  w.states = (float *)task->outputs[0].data + (w.direction * r->batch + w.row) * r->padded;
  w.partial = (float *)task->outputs[0].data + WNN_RECURRENT_STATES * r->state_floats +
              (w.direction * r->batch + w.row) * r->padded * WNN_RECURRENT_PARTIAL;
  w.sequence = task->outputs[1].data;
  w.products = task->outputs[2 + w.direction].data;
  if (s->column_units > 1) {
    char *lines = (char *)task->outputs[0].data + states_bytes(r);
    run_shared(&w, (progress *)(void *)(lines + number * (1 + s->column_units) * WNN_ALIGN), unit % s->column_units);
    return;
  }
  for (size_t i = s->begin; i < s->end; i++)
    for (size_t phase = 0; phase < phases_of(r); phase++) run_phase(&w, i, phase, 0, r->blocks, WNN_STAGE_WHOLE);
}

void wnn_recurrent_run(const wnn_task *task, size_t begin, size_t end, void *scratch) {
  (void)scratch;
  for (size_t unit = begin; unit < end; unit++) run_unit(task, unit);
}
