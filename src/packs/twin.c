/* Native kernels of packs: com.microsoft.EmbedLayerNormalization. */
#include "packs/twin.h"

#include "base/error.h"
#include "kernels/embed.h"

int64_t pk_twin_port(const pk_twin_call *call, const char *name) {
  const pk_port *port = pk_find_port(call->m, name);
  int64_t at = port ? port - call->m->ports : -1;
  return at >= 0 && call->tensors[at].present ? at : -1;
}

/* ---- EmbedLayerNormalization --------------------------------------------------------------------------------------
 */

enum { SCRATCH_ROWS = 3 }; /* a thread: sums, scale and bias of float16 */

typedef struct embed {
  const int32_t *ids, *segment_ids, *position_ids, *mask;
  const char *word, *position, *segment, *gamma, *beta;
  char *output, *sum;
  int32_t *mask_index;
  size_t batch, sequence, hidden, words, positions, segments, position_batch;
  size_t element; /* bytes */
  float epsilon;
  float *scratch;
  size_t scratch_row;
  const wnn_ukernels *u;
} embed;

typedef struct expectation {
  const char *name;
  const pk_tensor_fact *fact; /* NULL when absent */
  void *data;
} expectation;

/* Looks a port up and checks rank and type; the manifest's own checks may be those of another pack. */
static wnn_status find(const pk_twin_call *call, const char *name, uint32_t rank, bool required, bool is_float,
                       expectation *out, wnn_error *error) {
  int64_t at = pk_twin_port(call, name);
  *out = (expectation){.name = name};
  if (at < 0) return required ? wnn_error_set(error, WNN_TYPE_ERROR, "%s is missing", name) : WNN_OK;
  out->fact = &call->tensors[at];
  out->data = call->data[at];
  bool good = is_float ? out->fact->logical == WNN_PACK_FLOAT32 || out->fact->logical == WNN_PACK_FLOAT16
                       : out->fact->logical == WNN_PACK_INT32;
  if (!good)
    return wnn_error_set(error, WNN_TYPE_ERROR, "%s has data type %s", name, pk_types[out->fact->logical].name);
  if (out->fact->rank != rank)
    return wnn_error_set(error, WNN_TYPE_ERROR, "%s has rank %u, not %u", name, out->fact->rank, rank);
  return WNN_OK;
}

static bool has_shape(const expectation *tensor, uint32_t a, uint32_t b, uint32_t c) {
  const uint32_t want[] = {a, b, c};
  return !tensor->fact || !memcmp(tensor->fact->shape, want, tensor->fact->rank * sizeof *want);
}

static wnn_status check_ids(const char *name, const int32_t *ids, const uint32_t *shape, size_t rows,
                            wnn_error *error) {
  for (size_t i = 0, count = ids ? (size_t)shape[0] * shape[1] : 0; i < count; i++)
    if (ids[i] < 0 || (size_t)ids[i] >= rows)
      return wnn_error_set(error, WNN_TYPE_ERROR, "%s[%zu, %zu] is %d, outside its table of %zu rows", name,
                           i / shape[1], i % shape[1], ids[i], rows);
  return WNN_OK;
}

/* Collects the operands; everything that reads and writes rely on is checked here. */
static wnn_status open_embed(const pk_twin_call *call, embed *e, wnn_error *error) {
  expectation ids, segment_ids, word, position, segment, gamma, beta, mask, position_ids, output, mask_index, sum;
  wnn_status status;
#define FIND(name, port, rank, required, is_float)                                                                     \
  if ((status = find(call, port, rank, required, is_float, &name, error)) != WNN_OK) return status
  FIND(ids, "inputIdsT", 2, true, false);
  FIND(segment_ids, "segmentIdsT", 2, false, false);
  FIND(word, "wordEmbeddingT", 2, true, true);
  FIND(position, "positionEmbeddingT", 2, true, true);
  FIND(segment, "segmentEmbeddingT", 2, false, true);
  FIND(gamma, "gammaT", 1, true, true);
  FIND(beta, "betaT", 1, true, true);
  FIND(mask, "maskT", 2, false, false);
  FIND(position_ids, "positionIdsT", 2, false, false);
  FIND(output, "outputT", 3, true, true);
  FIND(mask_index, "maskIndexT", 1, false, false);
  FIND(sum, "embeddingSumT", 3, false, true);
#undef FIND
  uint32_t batch = ids.fact->shape[0], sequence = ids.fact->shape[1], hidden = word.fact->shape[1];
  const expectation *const floats[] = {&word, &position, &segment, &gamma, &beta, &output, &sum};
  for (size_t i = 0; i < sizeof floats / sizeof *floats; i++)
    if (floats[i]->fact && floats[i]->fact->logical != word.fact->logical)
      return wnn_error_set(error, WNN_TYPE_ERROR, "%s has another data type than %s", floats[i]->name, word.name);
  const expectation *bad = NULL;
  if (!batch || !sequence) bad = &ids;
  if (!hidden || !word.fact->shape[0]) bad = &word;
  if (!position.fact->shape[0] || position.fact->shape[1] != hidden) bad = &position;
  if (segment.fact && (!segment.fact->shape[0] || segment.fact->shape[1] != hidden)) bad = &segment;
  if (!position_ids.fact && position.fact->shape[0] < sequence) bad = &position;
  if (!has_shape(&gamma, hidden, 0, 0)) bad = &gamma;
  if (!has_shape(&beta, hidden, 0, 0)) bad = &beta;
  if (!has_shape(&segment_ids, batch, sequence, 0) || (segment_ids.fact && !segment.fact)) bad = &segment_ids;
  if (!has_shape(&mask, batch, sequence, 0)) bad = &mask;
  if (position_ids.fact && (position_ids.fact->shape[1] != sequence ||
                            (position_ids.fact->shape[0] != batch && position_ids.fact->shape[0] != 1)))
    bad = &position_ids;
  if (!has_shape(&output, batch, sequence, hidden)) bad = &output;
  if (!has_shape(&sum, batch, sequence, hidden)) bad = &sum;
  if (!has_shape(&mask_index, batch, 0, 0)) bad = &mask_index;
  if (bad) return wnn_error_set(error, WNN_TYPE_ERROR, "the shape of %s does not fit", bad->name);
  const pk_value *epsilon = call->attrs ? pk_map_find(call->attrs, "epsilon") : NULL;
  *e = (embed){.ids = ids.data,
               .segment_ids = segment_ids.data,
               .position_ids = position_ids.data,
               .mask = mask.data,
               .word = word.data,
               .position = position.data,
               .segment = segment.data,
               .gamma = gamma.data,
               .beta = beta.data,
               .output = output.data,
               .sum = sum.data,
               .mask_index = mask_index.data,
               .batch = batch,
               .sequence = sequence,
               .hidden = hidden,
               .words = word.fact->shape[0],
               .positions = position.fact->shape[0],
               .segments = segment.fact ? segment.fact->shape[0] : 0,
               .position_batch = position_ids.fact ? position_ids.fact->shape[0] : 0,
               .element = word.fact->logical == WNN_PACK_FLOAT16 ? 2 : 4,
               .epsilon = epsilon && pk_is_number(*epsilon) ? (float)epsilon->as.number : 1e-12f};
  if (!call->strict) return WNN_OK;
  status = check_ids("inputIdsT", e->ids, ids.fact->shape, e->words, error);
  if (status == WNN_OK && e->segment_ids)
    status = check_ids("segmentIdsT", e->segment_ids, segment_ids.fact->shape, e->segments, error);
  if (status == WNN_OK && e->position_ids)
    status = check_ids("positionIdsT", e->position_ids, position_ids.fact->shape, e->positions, error);
  return status;
}

/* Indices outside a table are clamped into it. */
static size_t clamp_row(int32_t id, size_t rows) { return id < 0 ? 0 : (size_t)id < rows ? (size_t)id : rows - 1; }

/* float32 adds (word + position) + segment; float16 adds (word + segment) + position. */
static void run_rows(void *argument, size_t begin, size_t end, unsigned thread) {
  const embed *e = argument;
  size_t bytes = e->hidden * e->element;
  float *scratch = e->scratch + SCRATCH_ROWS * thread * e->scratch_row;
  wnn_embed_row row = {.u = e->u,
                       .half = e->element == 2,
                       .source_count = e->segment ? 3 : 2,
                       .n = e->hidden,
                       .epsilon = (double)e->epsilon,
                       .scale = (const float *)(const void *)e->gamma,
                       .bias = (const float *)(const void *)e->beta,
                       .scratch = scratch};
  if (row.half) {
    float *scale = scratch + e->scratch_row, *bias = scale + e->scratch_row;
    e->u->f32_widen(e->hidden, (const uint16_t *)(const void *)e->gamma, scale);
    e->u->f32_widen(e->hidden, (const uint16_t *)(const void *)e->beta, bias);
    row.scale = scale, row.bias = bias;
  }
  for (size_t token = begin; token < end; token++) {
    size_t s = token % e->sequence;
    size_t position = e->position_ids    ? clamp_row(e->position_ids[e->position_batch == 1 ? s : token], e->positions)
                      : s < e->positions ? s
                                         : e->positions - 1;
    const char *segment =
        e->segment ? e->segment + (e->segment_ids ? clamp_row(e->segment_ids[token], e->segments) : 0) * bytes : NULL;
    row.sources[0] = e->word + clamp_row(e->ids[token], e->words) * bytes;
    row.sources[1] = row.half && segment ? segment : e->position + position * bytes;
    row.sources[2] = row.half ? e->position + position * bytes : segment;
    row.next = token + 1 < end ? e->word + clamp_row(e->ids[token + 1], e->words) * bytes : NULL;
    row.to = e->output + token * bytes;
    row.sum = e->sum ? e->sum + token * bytes : NULL;
    wnn_embed_row_run(&row);
  }
}

/* Position of the first zero of each mask row, or its length; 0 without a mask. */
static void run_mask(const embed *e) {
  for (size_t b = 0; b < e->batch; b++) {
    size_t s = 0;
    while (e->mask && s < e->sequence && e->mask[b * e->sequence + s] != 0) s++;
    e->mask_index[b] = (int32_t)s;
  }
}

static wnn_status run_embed(const pk_twin_call *call, wnn_error *error) {
  embed e;
  wnn_status status = open_embed(call, &e, error);
  if (status != WNN_OK) return status;
  wnn_device *device = call->device;
  e.scratch_row = (e.hidden + 15) & ~(size_t)15;
  size_t need = SCRATCH_ROWS * e.scratch_row * wnn_pool_threads(device->pool) * sizeof(float);
  if (need > device->scratch_size) {
    wnn_mem_free(&device->allocator, device->scratch, device->scratch_size);
    device->scratch_size = 0;
    device->scratch = wnn_mem_alloc(&device->allocator, need);
    if (!device->scratch) return wnn_error_oom(error);
    device->scratch_size = need;
  }
  e.scratch = device->scratch;
  wnn_ukernels kernels;
  wnn_ukernels_init(&kernels, device->cpu_features);
  e.u = &kernels;
  size_t grain = 16384 / (e.hidden + 1) + 1;
  wnn_pool_run(device->pool, run_rows, &e, e.batch * e.sequence, grain);
  if (e.mask_index) run_mask(&e);
  return WNN_OK;
}

static wnn_status check_embed(const pk_twin_call *call, wnn_error *error) {
  embed e;
  return open_embed(call, &e, error);
}

/* --------------------------------------------------------------------------------------------------------------------
 */

const pk_twin *pk_find_twin(const char *op) {
  static const char *const embed_inputs[] = {"inputIdsT", "segmentIdsT", "positionIdsT", NULL};
  static const pk_twin twins[] = {{"com.microsoft.EmbedLayerNormalization", run_embed, check_embed, embed_inputs}};
  for (size_t i = 0; i < sizeof twins / sizeof *twins; i++)
    if (!strcmp(twins[i].op, op)) return &twins[i];
  return NULL;
}
