/* The loops around attention: keys and values of a batch are packed once a share, then block after block of queries
 * becomes scores, weights and results. */
#include "kernels/attention.h"

#include "base/sizes.h"

enum { SCORE_BYTES = 32 * 1024 }; /* of a block, of which a level 1 cache holds most */

size_t wnn_attention_plan(wnn_attention_params *p, unsigned threads) {
  const size_t mr = p->u->gemm_mr;
  /* Rows a multiple of 1024 bytes apart would meet in few sets of the cache. */
  p->score_row = p->keys % 256 ? p->keys : p->keys + 16;
  size_t most = SCORE_BYTES / sizeof(float) / p->score_row / mr * mr;
  if (most < mr) most = mr;
  /* Each share packs keys and values for itself: few shares of a batch. */
  size_t blocks = wnn_ceil_div(p->queries, most);
  if (p->batches < threads && blocks < threads) blocks = wnn_min_size(threads, wnn_ceil_div(p->queries, mr));
  p->block = wnn_ceil_div(p->queries, blocks);
  p->blocks = wnn_ceil_div(p->queries, p->block);
  const wnn_igemm shape = {.u = p->u, .m = p->block, .taps = 1, .groups = 1, .batches = 1};
  p->scores = p->result = shape;
  p->scores.n = p->keys, p->scores.k = p->depth, p->scores.c_row = p->score_row;
  p->result.n = p->width, p->result.k = p->keys, p->result.c_row = p->row[WNN_ATTENTION_OUT];
  wnn_igemm_plan(&p->scores, 1);
  wnn_igemm_plan(&p->result, 1);
  return p->batches * p->blocks;
}

/* Scratch: pointers to rows, packed keys, packed values, scores. */
typedef struct layout {
  size_t keys, values, scores, bytes;
} layout;

static layout layout_of(const wnn_attention_params *p) {
  layout l;
  l.keys = wnn_round_up((p->block + WNN_GEMM_MAX_ROWS) * sizeof(float *), 64);
  l.values = l.keys + wnn_round_up(wnn_pack_size(p->u, p->depth, p->keys) * sizeof(float), 64);
  l.scores = l.values + wnn_round_up(wnn_pack_size(p->u, p->keys, p->width) * sizeof(float), 64);
  l.bytes = l.scores + p->block * p->score_row * sizeof(float);
  return l;
}

size_t wnn_attention_scratch(const wnn_attention_params *p) { return layout_of(p).bytes; }

double wnn_attention_flops(const wnn_attention_params *p) {
  return (double)p->batches * (double)p->queries * (double)p->keys * (2.0 * (double)(p->depth + p->width) + 30.0);
}

static void softmax(const wnn_attention_params *p, float *scores, size_t rows) {
  if (p->score_row == p->keys) {
    p->u->f32_softmax(rows, p->keys, scores, scores);
    return;
  }
  for (size_t i = 0; i < rows; i++) p->u->f32_softmax(1, p->keys, scores + i * p->score_row, scores + i * p->score_row);
}

void wnn_f32_attention(const wnn_task *task, size_t begin, size_t end, void *scratch) {
  const wnn_attention_params *p = task->params;
  const layout at = layout_of(p);
  const float **rows = scratch;
  float *keys = (float *)((char *)scratch + at.keys), *values = (float *)((char *)scratch + at.values),
        *scores = (float *)((char *)scratch + at.scores);
  size_t have_k = SIZE_MAX, have_v = SIZE_MAX;
  for (size_t index = begin; index < end; index++) {
    const size_t *offsets = p->offsets + index / p->blocks * WNN_ATTENTION_PARTS;
    const size_t first = index % p->blocks * p->block, count = wnn_min_size(p->block, p->queries - first);
    const float *part[WNN_ATTENTION_OUT];
    for (int i = 0; i < WNN_ATTENTION_OUT; i++)
      part[i] = i == WNN_ATTENTION_MASK && !p->masked ? NULL : (const float *)task->inputs[i].data + offsets[i];
    if (offsets[WNN_ATTENTION_K] != have_k)
      wnn_pack_b(p->u, p->depth, p->keys, part[WNN_ATTENTION_K], p->row[WNN_ATTENTION_K], !p->k_across, p->scale, 1,
                 keys);
    if (offsets[WNN_ATTENTION_V] != have_v)
      wnn_pack_b(p->u, p->keys, p->width, part[WNN_ATTENTION_V], p->row[WNN_ATTENTION_V], p->v_across, 1, 1, values);
    have_k = offsets[WNN_ATTENTION_K], have_v = offsets[WNN_ATTENTION_V];
    for (size_t i = 0; i < count; i++) rows[i] = part[WNN_ATTENTION_Q] + (first + i) * p->row[WNN_ATTENTION_Q];
    wnn_igemm_unit unit = {.rows = rows, .b = keys, .c = scores, .m = count, .n = p->keys};
    if (p->masked) {
      unit.residual = part[WNN_ATTENTION_MASK] + first * p->row[WNN_ATTENTION_MASK];
      unit.residual_row = p->row[WNN_ATTENTION_MASK];
    }
    wnn_igemm_run(&p->scores, &unit);
    softmax(p, scores, count);
    for (size_t i = 0; i < count; i++) rows[i] = scores + i * p->score_row;
    float *out = (float *)task->outputs[0].data + offsets[WNN_ATTENTION_OUT];
    unit = (wnn_igemm_unit){
        .rows = rows, .b = values, .c = out + first * p->row[WNN_ATTENTION_OUT], .m = count, .n = p->width};
    wnn_igemm_run(&p->result, &unit);
  }
}
