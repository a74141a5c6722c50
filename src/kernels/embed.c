/* Rows of embeddings. */
#include "kernels/embed.h"

#include "kernels/index.h"

/* Starts a row on its way while another one is worked on. */
static void fetch(const void *row, size_t bytes) {
  if (!row) return;
  if (bytes > 1024) bytes = 1024; /* from there on the processor follows by itself */
  for (size_t i = 0; i < bytes; i += 64) __builtin_prefetch((const char *)row + i);
}

void wnn_embed_row_run(const wnn_embed_row *r) {
  fetch(r->next, r->n * (r->half ? sizeof(uint16_t) : sizeof(float)));
  wnn_f32_norm norm = {.n = r->n, .epsilon = r->epsilon, .scale = r->scale, .bias = r->bias};
  if (!r->half) {
    norm.source_count = r->source_count;
    for (uint32_t i = 0; i < r->source_count; i++) norm.sources[i] = r->sources[i];
    norm.to = r->to, norm.sum = r->sum;
    r->u->f32_norm(&norm);
    return;
  }
  const uint16_t *sources[WNN_EMBED_SOURCES];
  for (uint32_t i = 0; i < r->source_count; i++) sources[i] = r->sources[i];
  r->u->f16_add_rows(r->source_count, sources, r->n, r->scratch, r->sum);
  norm.source_count = 1, norm.sources[0] = norm.to = r->scratch;
  r->u->f32_norm(&norm);
  r->u->f32_narrow(r->n, r->scratch, r->to);
}

static const char *source_row(const wnn_task *task, uint32_t source, size_t row) {
  const wnn_embed_params *p = task->params;
  const wnn_view *table = &task->inputs[2 * source], *indices = table + 1;
  row %= p->counts[source];
  if (indices->data) row = wnn_index_at(indices, row, p->extents[source]);
  return (const char *)table->data + row * p->n * (p->half ? sizeof(uint16_t) : sizeof(float));
}

void wnn_embed_norm(const wnn_task *task, size_t begin, size_t end, void *scratch) {
  const wnn_embed_params *p = task->params;
  const size_t bytes = p->n * (p->half ? sizeof(uint16_t) : sizeof(float));
  wnn_embed_row row = {.u = p->u,
                       .half = p->half,
                       .source_count = p->source_count,
                       .n = p->n,
                       .epsilon = p->epsilon,
                       .scale = p->affine[0] ? p->affine[0] : task->inputs[2 * p->source_count].data,
                       .bias = p->affine[1] ? p->affine[1] : task->inputs[2 * p->source_count + 1].data,
                       .scratch = scratch};
  for (size_t i = begin; i < end; i++) {
    for (uint32_t s = 0; s < p->source_count; s++) row.sources[s] = source_row(task, s, i);
    /* The first table is the large one, of words. */
    row.next = i + 1 < end ? source_row(task, 0, i + 1) : NULL;
    row.to = (char *)task->outputs[0].data + i * bytes;
    wnn_embed_row_run(&row);
  }
}
