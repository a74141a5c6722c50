/* From an IR to a program: steps are emitted node by node, then buffers get lifetimes, places and
 * addresses. */
#include <string.h>

#include "backend/cpu/program.h"
#include "base/error.h"
#include "base/sizes.h"
#include "compile/compile.h"
#include "graph/record.h"
#include "kernels/ref/ref.h"

/* Where a buffer's memory is. */
typedef enum place { PLACE_ARENA, PLACE_INPUT, PLACE_OUTPUT, PLACE_CONSTANT } place;

/* Who reads a value. */
typedef struct readers {
  uint32_t last;  /* the last node that does */
  uint32_t count; /* uses by nodes and graph outputs */
} readers;

/* One per value of the IR, then one per temp. */
typedef struct buffer {
  uint32_t alias; /* the buffer whose memory this one is, itself for a root */
  size_t offset;  /* into the alias */
  size_t bytes;
  place place;
  uint32_t binding;     /* of PLACE_INPUT and PLACE_OUTPUT */
  uint32_t first, last; /* steps, of roots; first NEVER: not used */
  uint32_t plan;        /* index of the planned buffer */
  bool in_use;          /* of constants: a step, an alias or an output needs the bytes where they are */
  bool placed;          /* rows within the alias that nothing else writes */
} buffer;
enum { FOREVER = 0xFFFFFFFE };
static const uint32_t NEVER = UINT32_MAX;

typedef struct emitted {
  wnn_step_desc desc;
  const uint32_t *inputs, *outputs;
  const char *label;
  uint32_t op, job;
} emitted;

/* Memory for the lowering of one node; kept for the next one that asks. */
typedef struct spare {
  struct spare *next;
  void *data;
  size_t size;
  bool taken;
} spare;

struct wnn_lowering {
  wnn_cpu_backend *backend;
  wnn_ir *ir;
  wnn_program *program;
  const wnn_allocator *allocator;
  buffer *buffers;
  size_t buffer_count, buffer_capacity;
  readers *readers; /* one per value of the IR */
  emitted *steps;
  size_t step_count, step_capacity;
  size_t constants_left; /* bytes of constants of nodes to come: a guess of the packed weights that will be needed */
  spare *spares;
  bool out_of_memory;
};

const wnn_ir *wnn_lower_ir(const wnn_lowering *l) { return l->ir; }
const struct wnn_ukernels *wnn_lower_ukernels(const wnn_lowering *l) { return &l->backend->ukernels; }
unsigned wnn_lower_threads(const wnn_lowering *l) { return wnn_pool_threads(l->backend->options.pool); }
bool wnn_lower_enabled(const wnn_lowering *l, wnn_pass pass) {
  return !(l->backend->options.disabled_passes & (uint64_t)pass);
}
const wnn_desc *wnn_lower_desc(const wnn_lowering *l, uint32_t value) { return &l->ir->values[value].desc; }

bool wnn_lower_is_constant(const wnn_lowering *l, uint32_t value) {
  return value != WNN_NONE && l->ir->values[value].kind == WNN_VALUE_CONSTANT;
}

const void *wnn_lower_constant(const wnn_lowering *l, uint32_t value) {
  return wnn_lower_is_constant(l, value) ? wnn_blob_read(l->ir->values[value].blob) : NULL;
}

typedef struct fetch_run {
  char *to;
  const char *from;
} fetch_run;

static void fetch_share(void *argument, size_t begin, size_t end, unsigned thread) {
  const fetch_run *run = argument;
  (void)thread;
  wnn_mem_read(run->to + begin, run->from + begin, end - begin);
}

const void *wnn_lower_source(wnn_lowering *l, uint32_t value) {
  enum { LEAST = 4 << 10, SHARE = 256 << 10 };
  if (!wnn_lower_is_constant(l, value)) return NULL;
  const wnn_blob *blob = l->ir->values[value].blob;
  if (!blob->borrowed || blob->size < LEAST) return blob->data;
  fetch_run run = {wnn_lower_scratch(l, blob->size), blob->data};
  if (run.to) wnn_pool_run(l->backend->options.pool, fetch_share, &run, blob->size, SHARE);
  return run.to;
}

const void *wnn_lower_aligned(wnn_lowering *l, uint32_t value) {
  if (!wnn_lower_is_constant(l, value)) return NULL;
  const wnn_value *v = &l->ir->values[value];
  const void *data = wnn_blob_aligned(v->blob, wnn_data_type_size(v->desc.data_type));
  if (!data) l->out_of_memory = true;
  return data;
}

void *wnn_lower_alloc(wnn_lowering *l, size_t size) {
  void *memory = wnn_arena_alloc(&l->program->memory, size);
  if (!memory) l->out_of_memory = true;
  return memory;
}

/* Room for `size` bytes, and for weights to come: many small blocks of memory would waste a part of a page each. Panels
 * are a little larger than what they are made of; room that is not needed is not touched. */
static wnn_slab *add_slab(wnn_lowering *l, size_t size) {
  enum { LEAST = 16 << 10, MOST = 64 << 20 };
  size_t room = l->constants_left < MOST ? l->constants_left + l->constants_left / 8 : MOST;
  if (room < LEAST) room = LEAST;
  if (room < size) room = size;
  wnn_slab *slab = wnn_mem_alloc(l->allocator, sizeof *slab);
  void *data = slab ? wnn_mem_alloc(l->allocator, room) : NULL;
  if (!data) {
    wnn_mem_free(l->allocator, slab, sizeof *slab);
    return NULL;
  }
  *slab = (wnn_slab){l->program->slabs, data, room, 0};
  l->program->slabs = slab;
  return slab;
}

void *wnn_lower_weights(wnn_lowering *l, size_t size, bool *fill) {
  wnn_program *p = l->program;
  wnn_slab *slab = p->slabs;
  size = wnn_align_up(size);
  *fill = !wnn_record_replays(l->ir->record);
  if (!*fill) {
    const void *saved = wnn_record_next(l->ir->record, size);
    void *same;
    memcpy(&same, &saved, sizeof same); /* programs only read their weights */
    if (!saved) l->out_of_memory = true;
    p->borrowed_bytes += size;
    return same;
  }
  if (!slab || slab->size - slab->used < size) {
    slab = add_slab(l, size);
    if (!slab) {
      l->out_of_memory = true;
      return NULL;
    }
  }
  void *memory = slab->data + slab->used;
  slab->used += size;
  p->constant_bytes += size;
  wnn_record_weights(l->ir->record, memory, size);
  return memory;
}

void *wnn_lower_scratch(wnn_lowering *l, size_t size) {
  spare *at = l->spares;
  while (at && at->taken) at = at->next;
  if (!at) {
    at = wnn_mem_zalloc(l->allocator, sizeof *at);
    if (at) at->next = l->spares, l->spares = at;
  }
  if (at && at->size < size) {
    wnn_mem_free(l->allocator, at->data, at->size);
    at->data = wnn_mem_alloc(l->allocator, size);
    at->size = at->data ? size : 0;
  }
  if (!at || !at->data) {
    l->out_of_memory = true;
    return NULL;
  }
  at->taken = true;
  return at->data;
}

static void free_spares(wnn_lowering *l) {
  for (spare *at = l->spares, *next; at; at = next) {
    next = at->next;
    wnn_mem_free(l->allocator, at->data, at->size);
    wnn_mem_free(l->allocator, at, sizeof *at);
  }
}

typedef struct pack_run {
  wnn_kernel_fn *fn;
  wnn_task task;
} pack_run;

static void pack_share(void *argument, size_t begin, size_t end, unsigned thread) {
  const pack_run *run = argument;
  (void)thread;
  run->fn(&run->task, begin, end, NULL);
}

void wnn_lower_run(wnn_lowering *l, wnn_kernel_fn *fn, const void *params, const void *from, void *to, size_t range,
                   size_t grain) {
  wnn_view source = {0}, target = {.data = to};
  memcpy(&source.data, &from, sizeof from); /* kernels only read their inputs */
  pack_run run = {fn, {.input_count = 1, .output_count = 1, .inputs = &source, .outputs = &target, .params = params}};
  wnn_pool_run(l->backend->options.pool, pack_share, &run, range, grain);
}

static bool reserve_buffer(wnn_lowering *l) {
  if (l->buffer_count < FOREVER &&
      wnn_mem_reserve(l->allocator, (void **)&l->buffers, &l->buffer_capacity, l->buffer_count + 1, sizeof *l->buffers))
    return true;
  l->out_of_memory = true;
  return false;
}

uint32_t wnn_lower_temp(wnn_lowering *l, size_t bytes) {
  if (!reserve_buffer(l)) return WNN_NONE;
  uint32_t id = (uint32_t)l->buffer_count++;
  l->buffers[id] = (buffer){.alias = id, .bytes = bytes ? bytes : 1, .first = NEVER};
  return id;
}

void wnn_lower_alias(wnn_lowering *l, uint32_t value, uint32_t source, size_t offset) {
  l->buffers[value].alias = source;
  l->buffers[value].offset = offset;
  if (source != WNN_NONE) l->buffers[source].in_use = true;
}

bool wnn_lower_is_own(const wnn_lowering *l, uint32_t value) {
  return l->ir->values[value].kind == WNN_VALUE_RESULT && l->buffers[value].alias == value;
}

size_t wnn_lower_place_rows(wnn_lowering *l, uint32_t value, size_t row) {
  if (value >= l->ir->value_count || !wnn_lower_is_own(l, value) || l->readers[value].count != 1) return row;
  const wnn_node *reader = &l->ir->nodes[l->readers[value].last];
  if (reader->op != WNN_OP_CONCAT || !wnn_lower_enabled(l, WNN_PASS_INPLACE)) return row;
  const uint32_t axis = ((const wnn_concat_args *)reader->args)->axis;
  const wnn_desc *part = wnn_lower_desc(l, value), *whole = wnn_lower_desc(l, reader->outputs[0]);
  /* A whole of one row joins parts that are dense. */
  if (wnn_shape_product(part, axis, part->rank) != row || wnn_shape_product(whole, 0, axis) == 1) return row;
  size_t before = 0;
  for (uint32_t i = 0; reader->inputs[i] != value; i++) {
    const wnn_desc *other = wnn_lower_desc(l, reader->inputs[i]);
    before += wnn_shape_product(other, axis, other->rank);
  }
  wnn_lower_alias(l, value, reader->outputs[0], before * sizeof(float));
  l->buffers[value].placed = true;
  return wnn_shape_product(whole, axis, whole->rank);
}

bool wnn_lower_is_placed(const wnn_lowering *l, uint32_t value, uint32_t whole) {
  return l->buffers[value].alias == whole;
}

void wnn_lower_step(wnn_lowering *l, const wnn_node *node, const wnn_step_desc *step) {
  if (!wnn_mem_reserve(l->allocator, (void **)&l->steps, &l->step_capacity, l->step_count + 1, sizeof *l->steps)) {
    l->out_of_memory = true;
    return;
  }
  uint32_t *ids = wnn_arena_array(&l->program->memory, step->input_count + step->output_count + 1u, sizeof *ids);
  if (!ids) {
    l->out_of_memory = true;
    return;
  }
  if (step->input_count) memcpy(ids, step->inputs, step->input_count * sizeof *ids);
  for (uint32_t i = 0; i < step->input_count; i++)
    if (ids[i] != WNN_NONE) l->buffers[ids[i]].in_use = true;
  if (step->output_count) memcpy(ids + step->input_count, step->outputs, step->output_count * sizeof *ids);
  l->steps[l->step_count++] =
      (emitted){*step, ids, ids + step->input_count, node ? node->label : "", node ? node->op : step->op, 0};
}

/* A thread is worth waking for about this much work. */
#define GRAIN_NS 4000.0
/* What one core does in a nanosecond: a conservative guess, since the plan must hold everywhere. */
#define FLOPS_PER_NS 20.0
#define BYTES_PER_NS 12.0

static double work_ns(double flops, double bytes) {
  double compute = flops / FLOPS_PER_NS, memory = bytes / BYTES_PER_NS;
  return compute > memory ? compute : memory;
}

size_t wnn_lower_grain(double flops_per_unit, double bytes_per_unit) {
  double units = GRAIN_NS / (work_ns(flops_per_unit, bytes_per_unit) + 0.01);
  return units < 1 ? 1 : units > 1e12 ? (size_t)1e12 : (size_t)units;
}

/* The step of a reference kernel: no fast way exists. */
static void lower_reference(wnn_lowering *l, const wnn_node *node) {
  const wnn_cpu_op *row = &wnn_cpu_ops[node->op];
  double in_bytes = 0, elements = 0;
  for (uint32_t i = 0; i < node->input_count; i++)
    if (node->inputs[i] != WNN_NONE) in_bytes += (double)wnn_bytes(wnn_lower_desc(l, node->inputs[i]));
  for (uint32_t i = 0; i < node->output_count; i++)
    elements += (double)wnn_elements(wnn_lower_desc(l, node->outputs[i]));
  wnn_step_desc step = {.kernel = "reference",
                        .fn = row->reference,
                        .inputs = node->inputs,
                        .outputs = node->outputs,
                        .input_count = node->input_count,
                        .output_count = node->output_count,
                        .op = node->op,
                        .params = node->args,
                        .range = 1,
                        .flops = 100 * elements, /* plain kernels cost some nanoseconds an element */
                        .bytes = in_bytes + elements};
  if (row->range == WNN_RANGE_ELEMENTS) {
    step.range = wnn_elements(wnn_lower_desc(l, node->outputs[0]));
    step.grain = 1024;
  }
  if (row->scratch) {
    wnn_view views[WNN_STEP_MAX_VIEWS] = {0};
    wnn_task task = {.op = node->op,
                     .input_count = node->input_count,
                     .output_count = node->output_count,
                     .inputs = views,
                     .outputs = views + node->input_count,
                     .params = node->args};
    for (uint32_t i = 0; i < node->input_count; i++)
      if (node->inputs[i] != WNN_NONE) views[i].desc = *wnn_lower_desc(l, node->inputs[i]);
    for (uint32_t i = 0; i < node->output_count; i++)
      views[node->input_count + i].desc = *wnn_lower_desc(l, node->outputs[i]);
    step.scratch = row->scratch(&task);
  }
  wnn_lower_step(l, node, &step);
}

static bool init_buffers(wnn_lowering *l) {
  const wnn_ir *ir = l->ir;
  if (!wnn_mem_reserve(l->allocator, (void **)&l->buffers, &l->buffer_capacity, ir->value_count + 16, sizeof(buffer)))
    return false;
  for (size_t i = 0; i < ir->value_count; i++) {
    const wnn_value *value = &ir->values[i];
    l->buffers[i] = (buffer){.alias = (uint32_t)i,
                             .bytes = wnn_bytes(&value->desc),
                             .first = NEVER,
                             .place = value->kind == WNN_VALUE_CONSTANT ? PLACE_CONSTANT : PLACE_ARENA};
  }
  l->buffer_count = ir->value_count;
  for (size_t i = 0; i < ir->input_count; i++) {
    l->buffers[ir->inputs[i]].place = PLACE_INPUT;
    l->buffers[ir->inputs[i]].binding = (uint32_t)i;
  }
  return true;
}

/* False when memory is short. */
static bool find_readers(wnn_lowering *l) {
  l->readers = wnn_arena_array(&l->ir->arena, l->ir->value_count + 1, sizeof *l->readers);
  if (!l->readers) return false;
  for (size_t n = 0; n < l->ir->node_count; n++) {
    const wnn_node *node = &l->ir->nodes[n];
    for (uint32_t i = 0; i < node->input_count; i++) {
      if (node->inputs[i] == WNN_NONE) continue;
      l->readers[node->inputs[i]].last = (uint32_t)n;
      l->readers[node->inputs[i]].count++;
    }
  }
  for (size_t i = 0; i < l->ir->output_count; i++) {
    l->buffers[l->ir->outputs[i].value].in_use = true;
    l->readers[l->ir->outputs[i].value].count++;
  }
  return true;
}

static void count_constants(wnn_lowering *l) {
  for (size_t i = 0; i < l->ir->value_count; i++)
    if (l->ir->values[i].kind == WNN_VALUE_CONSTANT && l->ir->values[i].blob)
      l->constants_left += l->ir->values[i].blob->size;
}

/* Lets go of constants that were packed and that no later node reads, so that a large model's weights are in memory
 * once, not twice. */
static void drop_constants(wnn_lowering *l, const wnn_node *node, uint32_t n) {
  for (uint32_t i = 0; i < node->input_count; i++) {
    const uint32_t id = node->inputs[i];
    if (id == WNN_NONE || l->ir->values[id].kind != WNN_VALUE_CONSTANT || l->readers[id].last != n) continue;
    if (l->ir->values[id].blob && l->constants_left >= l->ir->values[id].blob->size)
      l->constants_left -= l->ir->values[id].blob->size;
    if (l->buffers[id].in_use) continue;
    wnn_record_drop(l->ir->record, l->ir->values[id].blob);
    wnn_blob_release(l->ir->values[id].blob);
    l->ir->values[id].blob = NULL;
  }
}

static void lower_node(wnn_lowering *l, const wnn_node *node) {
  if (node->op >= WNN_OP_COUNT) {
    wnn_cpu_ir_ops[node->op - WNN_IR_FIRST - 1](l, node);
    return;
  }
  wnn_lower_fn *lower = l->backend->options.reference ? NULL : wnn_cpu_ops[node->op].lower;
  if (!lower || !lower(l, node)) lower_reference(l, node);
}

static void lower_nodes(wnn_lowering *l) {
  if (!find_readers(l)) {
    l->out_of_memory = true;
    return;
  }
  count_constants(l);
  for (size_t n = 0; n < l->ir->node_count && !l->out_of_memory; n++) {
    lower_node(l, &l->ir->nodes[n]);
    drop_constants(l, &l->ir->nodes[n], (uint32_t)n);
    for (spare *at = l->spares; at; at = at->next) at->taken = false;
  }
}

/* The root of a buffer and the offset into it; shortens the way for the next time. */
static uint32_t root_of(wnn_lowering *l, uint32_t id, size_t *offset) {
  size_t sum = 0;
  uint32_t at = id;
  while (l->buffers[at].alias != at) {
    sum += l->buffers[at].offset;
    at = l->buffers[at].alias;
  }
  *offset = sum;
  while (l->buffers[id].alias != at && id != at) {
    uint32_t next = l->buffers[id].alias;
    size_t step = l->buffers[id].offset;
    l->buffers[id].alias = at;
    l->buffers[id].offset = sum;
    sum -= step;
    id = next;
  }
  return at;
}

static uint32_t root(wnn_lowering *l, uint32_t id) {
  size_t offset;
  return root_of(l, id, &offset);
}

static void copy_kernel(const wnn_task *task, size_t begin, size_t end, void *scratch) {
  (void)scratch;
  memcpy((char *)task->outputs[0].data + begin, (const char *)task->inputs[0].data + begin, end - begin);
}

/* Gives each graph output its binding: the buffer itself where it is whole and free for it, else by a copy
 * at the end into a buffer that stands for the binding. */
static void bind_outputs(wnn_lowering *l) {
  for (size_t i = 0; i < l->ir->output_count && !l->out_of_memory; i++) {
    uint32_t value = l->ir->outputs[i].value, binding = (uint32_t)(l->ir->input_count + i);
    size_t offset, bytes = l->buffers[value].bytes;
    uint32_t r = root_of(l, value, &offset);
    if (l->buffers[r].place == PLACE_ARENA && offset == 0 && l->buffers[r].bytes == bytes) {
      l->buffers[r].place = PLACE_OUTPUT;
      l->buffers[r].binding = binding;
      continue;
    }
    uint32_t out = wnn_lower_temp(l, bytes);
    if (out == WNN_NONE) return;
    l->buffers[out].place = PLACE_OUTPUT;
    l->buffers[out].binding = binding;
    wnn_step_desc copy = {.kernel = "copy",
                          .fn = copy_kernel,
                          .inputs = &value,
                          .outputs = &out,
                          .input_count = 1,
                          .output_count = 1,
                          .op = WNN_OP_IDENTITY,
                          .range = bytes,
                          .grain = wnn_lower_grain(0, 2),
                          .bytes = 2 * (double)bytes};
    wnn_lower_step(l, NULL, &copy);
  }
}

static size_t count_views(const wnn_lowering *l) {
  size_t views = 0;
  for (size_t s = 0; s < l->step_count; s++) views += l->steps[s].desc.input_count + l->steps[s].desc.output_count;
  return views;
}

/* What a step reads and writes, but for constants and inputs, which nothing writes. Returns the number of uses. */
static uint32_t find_uses(wnn_lowering *l, const emitted *step, wnn_schedule_use *uses) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < step->desc.input_count + step->desc.output_count; i++) {
    const bool writes = i >= step->desc.input_count;
    const uint32_t id = writes ? step->outputs[i - step->desc.input_count] : step->inputs[i];
    if (id == WNN_NONE) continue;
    const uint32_t memory = root(l, id);
    if (l->buffers[memory].place == PLACE_CONSTANT || l->buffers[memory].place == PLACE_INPUT) continue;
    uses[count++] = (wnn_schedule_use){memory, writes && l->buffers[id].placed ? id : WNN_NONE, writes};
  }
  return count;
}

/* Gives each step the number of its job, and brings the steps of a job together. False when memory is short. */
static bool form_jobs(wnn_lowering *l) {
  const size_t count = l->step_count;
  const wnn_backend_options *options = &l->backend->options;
  for (size_t s = 0; s < count; s++) l->steps[s].job = (uint32_t)s;
  if (options->reference || wnn_lower_threads(l) < 2 || !wnn_lower_enabled(l, WNN_PASS_PARALLEL) || count < 2)
    return true;
  wnn_schedule_step *steps = wnn_arena_array(&l->ir->arena, count, sizeof *steps);
  wnn_schedule_use *uses = wnn_arena_array(&l->ir->arena, count_views(l) + 1, sizeof *uses);
  uint32_t *order = wnn_arena_array(&l->ir->arena, count, sizeof *order);
  emitted *sorted = wnn_mem_alloc(l->allocator, l->step_capacity * sizeof *sorted);
  bool fine = steps && uses && order && sorted;
  for (size_t s = 0; fine && s < count; s++) {
    const wnn_step_desc *d = &l->steps[s].desc;
    steps[s] = (wnn_schedule_step){.uses = uses,
                                   .use_count = find_uses(l, &l->steps[s], uses),
                                   .divisible = wnn_step_is_divisible(d->range, d->grain),
                                   .cost_ns = work_ns(d->flops, d->bytes)};
    uses += steps[s].use_count;
  }
  fine = fine && wnn_schedule(l->allocator, steps, count, wnn_lower_threads(l), GRAIN_NS, order);
  for (size_t s = 0; fine && s < count; s++) {
    sorted[s] = l->steps[order[s]];
    sorted[s].job = steps[order[s]].job;
  }
  emitted *old = fine ? l->steps : sorted;
  if (fine) l->steps = sorted;
  wnn_mem_free(l->allocator, old, l->step_capacity * sizeof *old);
  return fine;
}

/* Time is counted in jobs. */
static void touch(wnn_lowering *l, uint32_t id, uint32_t job) {
  if (id == WNN_NONE) return;
  buffer *b = &l->buffers[root(l, id)];
  if (b->first == NEVER) b->first = job;
  b->last = job;
}

static void find_lifetimes(wnn_lowering *l) {
  for (size_t s = 0; s < l->step_count; s++) {
    const emitted *step = &l->steps[s];
    for (uint32_t i = 0; i < step->desc.input_count; i++) touch(l, step->inputs[i], step->job);
    for (uint32_t i = 0; i < step->desc.output_count; i++) touch(l, step->outputs[i], step->job);
  }
}

static bool reads(wnn_lowering *l, const emitted *step, uint32_t memory) {
  for (uint32_t i = 0; i < step->desc.input_count; i++)
    if (step->inputs[i] != WNN_NONE && root(l, step->inputs[i]) == memory) return true;
  return false;
}

/* Whether a step that runs beside step s reads a buffer. */
static bool is_read_beside(wnn_lowering *l, size_t s, uint32_t memory) {
  const uint32_t job = l->steps[s].job;
  for (size_t k = s; k-- && l->steps[k].job == job;)
    if (reads(l, &l->steps[k], memory)) return true;
  for (size_t k = s + 1; k < l->step_count && l->steps[k].job == job; k++)
    if (reads(l, &l->steps[k], memory)) return true;
  return false;
}

/* Lets the first output of in-place steps take the memory of an input that dies there. */
static void share_in_place(wnn_lowering *l) {
  for (size_t s = 0; s < l->step_count; s++) {
    const emitted *step = &l->steps[s];
    if (!step->desc.in_place || !step->desc.output_count) continue;
    size_t offset;
    uint32_t out = root_of(l, step->outputs[0], &offset);
    if (offset || l->buffers[out].place != PLACE_ARENA || l->buffers[out].first != step->job ||
        l->buffers[out].bytes != l->buffers[step->outputs[0]].bytes)
      continue;
    for (uint32_t i = 0; i < step->desc.input_count; i++) {
      if (step->inputs[i] == WNN_NONE) continue;
      uint32_t in = root_of(l, step->inputs[i], &offset);
      const buffer *b = &l->buffers[in];
      if (offset || in == out || b->place != PLACE_ARENA || b->last != step->job || b->bytes != l->buffers[out].bytes ||
          l->buffers[step->inputs[i]].bytes != b->bytes)
        continue;
      bool shared = false; /* another operand in the same memory, seen through another shape */
      for (uint32_t j = 0; j < step->desc.input_count; j++)
        shared |= step->inputs[j] != WNN_NONE && step->inputs[j] != step->inputs[i] && root(l, step->inputs[j]) == in;
      if (shared || is_read_beside(l, s, in)) continue;
      l->buffers[out].alias = in;
      l->buffers[out].offset = 0;
      l->buffers[in].last = l->buffers[out].last;
      break;
    }
  }
}

static bool plan(wnn_lowering *l, wnn_plan_buffer **planned, size_t *planned_capacity) {
  size_t count = 0;
  for (uint32_t i = 0; i < l->buffer_count; i++)
    if (l->buffers[i].alias == i && l->buffers[i].place == PLACE_ARENA && l->buffers[i].first != NEVER) count++;
  if (count && !wnn_mem_reserve(l->allocator, (void **)planned, planned_capacity, count, sizeof **planned))
    return false;
  count = 0;
  for (uint32_t i = 0; i < l->buffer_count; i++) {
    buffer *b = &l->buffers[i];
    if (b->alias != i || b->place != PLACE_ARENA || b->first == NEVER) continue;
    b->plan = (uint32_t)count;
    (*planned)[count++] = (wnn_plan_buffer){.bytes = b->bytes, .first = b->first, .last = b->last};
  }
  size_t bytes = wnn_plan_memory(l->allocator, *planned, count);
  if (bytes == SIZE_MAX) return false;
  l->program->arena_bytes = bytes;
  return true;
}

/* Fills a view; bound tensors get a patch. */
static void bind_view(wnn_lowering *l, const wnn_plan_buffer *planned, uint32_t id, wnn_view *view) {
  wnn_program *p = l->program;
  if (id == WNN_NONE) return;
  if (id < l->ir->value_count)
    view->desc = l->ir->values[id].desc;
  else
    view->desc = (wnn_desc){.data_type = WNN_UINT8};
  size_t offset;
  uint32_t r = root_of(l, id, &offset);
  const buffer *b = &l->buffers[r];
  if (b->place == PLACE_CONSTANT) {
    const void *data = wnn_lower_aligned(l, r);
    if (!data) return;
    memcpy(&view->data, &data, sizeof data);
    view->data = (char *)view->data + offset;
  } else if (b->place == PLACE_ARENA) {
    view->data = p->arena + planned[b->plan].offset + offset;
  } else {
    p->patches[p->patch_count++] = (wnn_patch){&view->data, b->binding, offset};
  }
}

static bool allocate(wnn_lowering *l) {
  wnn_program *p = l->program;
  for (size_t s = 0; s < l->step_count; s++)
    if (l->steps[s].desc.scratch > p->scratch_bytes) p->scratch_bytes = l->steps[s].desc.scratch;
  p->scratch_bytes = wnn_align_up(p->scratch_bytes);
  size_t threads = wnn_lower_threads(l);
  if (p->scratch_bytes > (SIZE_MAX - p->arena_bytes - WNN_ALIGN) / threads) return false;
  /* One cache line more, so that the memory is never of size 0. */
  p->arena = wnn_mem_alloc(l->allocator, p->arena_bytes + p->scratch_bytes * threads + WNN_ALIGN);
  size_t views = count_views(l);
  p->steps = wnn_arena_array(&p->memory, l->step_count + 1, sizeof *p->steps);
  p->patches = wnn_arena_array(&p->memory, views + 1, sizeof *p->patches);
  return p->arena && p->steps && p->patches;
}

static bool finish_steps(wnn_lowering *l, const wnn_plan_buffer *planned) {
  wnn_program *p = l->program;
  wnn_view *views = wnn_arena_array(&p->memory, count_views(l) + 1, sizeof *views);
  if (!views) return false;
  for (size_t s = 0; s < l->step_count; s++) {
    const emitted *e = &l->steps[s];
    const wnn_step_desc *d = &e->desc;
    double cost = work_ns(d->flops, d->bytes) + 50;
    p->steps[s] = (wnn_step){.fn = d->fn,
                             .range = d->range,
                             .grain = d->grain,
                             .op = e->op,
                             .job = e->job,
                             .cost_ns = cost,
                             .kernel = d->kernel,
                             .flops = d->flops,
                             .bytes = d->bytes,
                             .label = wnn_arena_string(&p->memory, e->label),
                             .task = {.op = d->op,
                                      .input_count = d->input_count,
                                      .output_count = d->output_count,
                                      .inputs = views,
                                      .outputs = views + d->input_count,
                                      .params = d->params}};
    if (!p->steps[s].label) return false;
    for (uint32_t i = 0; i < d->input_count; i++) bind_view(l, planned, e->inputs[i], views++);
    for (uint32_t i = 0; i < d->output_count; i++) bind_view(l, planned, e->outputs[i], views++);
    p->cost_ns += cost;
  }
  p->step_count = l->step_count;
  return !l->out_of_memory;
}

/* Shares out a job of several steps: each thread gets its part of the range of every step that can be divided, as it
 * would of that step alone, and the others go to whoever has least to do. The parts of a thread are neighbours, and all
 * threads have the same number. */
static bool share_job(wnn_lowering *l, wnn_job_plan *job) {
  const size_t threads = wnn_lower_threads(l), slots = job->step_count;
  double load[WNN_POOL_MOST_THREADS] = {0};
  size_t used[WNN_POOL_MOST_THREADS] = {0};
  job->units = wnn_arena_array(&l->program->memory, threads * slots, sizeof *job->units);
  if (!job->units) return false;
  job->unit_count = threads * slots;
  for (uint32_t i = 0; i < job->step_count; i++) {
    const wnn_step *step = &l->program->steps[job->first + i];
    const bool divisible = wnn_step_is_divisible(step->range, step->grain);
    const size_t grain = divisible ? step->grain : step->range, grains = divisible ? wnn_ceil_div(step->range, grain) : 1;
    const size_t parts = wnn_min_size(grains, threads), share = wnn_ceil_div(grains, parts);
    for (size_t begin = 0, t = 0; begin < grains; begin += share, t++) {
      size_t thread = t;
      for (size_t k = 0; parts == 1 && k < threads; k++)
        if (load[k] < load[thread]) thread = k;
      const size_t end = (begin + share) * grain;
      job->units[thread * slots + used[thread]++] =
          (wnn_unit){step, begin * grain, begin + share >= grains ? step->range : end};
      load[thread] += step->cost_ns * (double)share / (double)grains;
    }
  }
  return true;
}

static bool share_jobs(wnn_lowering *l) {
  wnn_program *p = l->program;
  p->jobs = wnn_arena_array(&p->memory, p->step_count + 1, sizeof *p->jobs);
  if (!p->jobs) return false;
  for (uint32_t s = 0; s < p->step_count; s++) {
    if (s && p->steps[s].job == p->steps[s - 1].job)
      p->jobs[p->job_count - 1].step_count++;
    else
      p->jobs[p->job_count++] = (wnn_job_plan){.first = s, .step_count = 1};
  }
  for (size_t i = 0; i < p->job_count; i++)
    if (p->jobs[i].step_count > 1 && !share_job(l, &p->jobs[i])) return false;
  return true;
}

/* References to the constants that steps read where they are. */
static bool keep_constants(wnn_lowering *l) {
  wnn_program *p = l->program;
  size_t count = 0;
  for (size_t i = 0; i < l->ir->value_count; i++)
    count += l->buffers[i].place == PLACE_CONSTANT && l->buffers[i].first != NEVER;
  p->blobs = wnn_arena_array(&p->memory, count + 1, sizeof *p->blobs);
  if (!p->blobs) return false;
  for (size_t i = 0; i < l->ir->value_count; i++) {
    if (l->buffers[i].place != PLACE_CONSTANT || l->buffers[i].first == NEVER) continue;
    wnn_blob *blob = wnn_blob_retain(l->ir->values[i].blob);
    blob->kept = true;
    p->blobs[p->blob_count++] = blob;
    if (blob->borrowed)
      p->borrowed_bytes += blob->size;
    else
      p->constant_bytes += blob->size;
  }
  return true;
}

void wnn_cpu_program_destroy(wnn_program *program) {
  if (!program) return;
  const wnn_allocator *allocator = program->backend->options.allocator;
  for (size_t i = 0; i < program->blob_count; i++) wnn_blob_release(program->blobs[i]);
  for (wnn_slab *slab = program->slabs, *next; slab; slab = next) {
    next = slab->next;
    wnn_mem_free(allocator, slab->data, slab->size);
    wnn_mem_free(allocator, slab, sizeof *slab);
  }
  size_t threads = wnn_pool_threads(program->backend->options.pool);
  wnn_mem_free(allocator, program->arena, program->arena_bytes + program->scratch_bytes * threads + WNN_ALIGN);
  wnn_arena_free(&program->memory);
  wnn_mem_free(allocator, program, sizeof *program);
}

wnn_status wnn_cpu_lower(wnn_cpu_backend *backend, wnn_ir *ir, wnn_program **result, wnn_error *error) {
  const wnn_allocator *allocator = backend->options.allocator;
  wnn_program *program = wnn_mem_zalloc(allocator, sizeof *program);
  if (!program) return wnn_error_oom(error);
  program->backend = backend;
  program->node_count = ir->node_count;
  wnn_arena_init(&program->memory, allocator);
  wnn_lowering l = {.backend = backend, .ir = ir, .program = program, .allocator = allocator};
  wnn_plan_buffer *planned = NULL;
  size_t planned_capacity = 0;
  bool fine = init_buffers(&l);
  if (fine) {
    lower_nodes(&l);
    free_spares(&l);
    bind_outputs(&l);
    fine = !l.out_of_memory;
  }
  if (fine) {
    fine = form_jobs(&l);
  }
  if (fine) {
    find_lifetimes(&l);
    if (!backend->options.reference && !(backend->options.disabled_passes & WNN_PASS_INPLACE)) share_in_place(&l);
    fine = plan(&l, &planned, &planned_capacity) && allocate(&l) && finish_steps(&l, planned) && share_jobs(&l) &&
           keep_constants(&l);
  }
  wnn_mem_free(allocator, planned, planned_capacity * sizeof *planned);
  wnn_mem_free(allocator, l.buffers, l.buffer_capacity * sizeof *l.buffers);
  wnn_mem_free(allocator, l.steps, l.step_capacity * sizeof *l.steps);
  if (!fine) {
    wnn_cpu_program_destroy(program);
    return wnn_error_oom(error);
  }
  *result = program;
  return WNN_OK;
}
