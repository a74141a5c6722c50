/* Lowering of attention: one step. */
#include "compile/attention.h"

#include "backend/cpu/lower.h"
#include "kernels/attention.h"

_Static_assert((int)WNN_ATTEND_PARTS == (int)WNN_ATTENTION_PARTS && (int)WNN_ATTEND_OUT == (int)WNN_ATTENTION_OUT,
               "kernel and node have the same parts in the same order");

/* Where each part of each batch starts. */
static const size_t *batch_offsets(wnn_lowering *l, const wnn_attend *a, size_t batches) {
  size_t *offsets = wnn_lower_alloc(l, batches * WNN_ATTEND_PARTS * sizeof *offsets);
  for (size_t b = 0; offsets && b < batches; b++)
    for (int part = 0; part < WNN_ATTEND_PARTS; part++) {
      size_t at = a->offset[part], rest = b;
      for (uint32_t d = a->rank; d-- > 0; rest /= a->dims[d]) at += rest % a->dims[d] * a->steps[d][part];
      offsets[b * WNN_ATTEND_PARTS + (size_t)part] = at;
    }
  return offsets;
}

bool wnn_lower_attention(wnn_lowering *l, const wnn_node *node) {
  const wnn_attend *a = node->args;
  wnn_attention_params *p = wnn_lower_alloc(l, sizeof *p);
  if (!p) return true;
  *p = (wnn_attention_params){.u = wnn_lower_ukernels(l),
                              .batches = 1,
                              .queries = a->queries,
                              .keys = a->keys,
                              .depth = a->depth,
                              .width = a->width,
                              .k_across = a->column[WNN_ATTEND_K] != 1,
                              .v_across = a->column[WNN_ATTEND_V] != 1,
                              .masked = node->inputs[WNN_ATTEND_MASK] != WNN_NONE,
                              .scale = (float)a->scale};
  for (uint32_t d = 0; d < a->rank; d++) p->batches *= a->dims[d];
  for (int i = 0; i < WNN_ATTEND_PARTS; i++) p->row[i] = a->row[i];
  if (p->k_across) p->row[WNN_ATTENTION_K] = a->column[WNN_ATTEND_K];
  if (p->v_across) p->row[WNN_ATTENTION_V] = a->column[WNN_ATTEND_V];
  if (!(p->offsets = batch_offsets(l, a, p->batches))) return true;
  size_t units = wnn_attention_plan(p, wnn_lower_threads(l));
  double flops = wnn_attention_flops(p), rows = (double)p->batches * (double)p->queries;
  double bytes = 4.0 * (rows * (double)(p->depth + p->width) +
                        (double)p->batches * (double)p->keys * (double)(p->depth + p->width));
  wnn_step_desc step = {.kernel = "f32_attention",
                        .fn = wnn_f32_attention,
                        .inputs = node->inputs,
                        .outputs = node->outputs,
                        .input_count = node->input_count,
                        .output_count = 1,
                        .op = node->op,
                        .params = p,
                        .range = units,
                        .grain = wnn_lower_grain(flops / (double)units, bytes / (double)units),
                        .scratch = wnn_attention_scratch(p),
                        .flops = flops,
                        .bytes = bytes};
  wnn_lower_step(l, node, &step);
  return true;
}
