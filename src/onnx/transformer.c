/* Other operators of transformers: embeddings, rotary positions, grouped queries with a cache, fused sums. */
#include <math.h>
#include <string.h>

#include "attention.h"
#include "quantized.h"

/* ---- Embeddings ---------------------------------------------------------------------------------------------- */

/* Sum normalised, and the number of ones in each row of the mask. */
static bool embed_outputs(ox_call *c, wnn_operand *sum, wnn_operand *scale, wnn_operand *bias, size_t mask_in,
                          const uint32_t *batch) {
  if (!ox_out(c, 0, ox_layer_norm(c, sum, 2, scale, bias, ox_attr_f(c, "epsilon")))) return false;
  if (!ox_wants(c, 1)) return true;
  if (!ox_has(c, mask_in)) return ox_out(c, 1, ox_fill(c, WNN_INT32, 1, batch, 0));
  wnn_operand *mask = ox_cast(c, ox_bool(c, ox_in(c, mask_in)), WNN_INT32);
  return ox_out(c, 1, ox_reduce1(c, WNN_OP_REDUCE_SUM, mask, 1, false));
}

/* Word, position and segment rows are added and normalised. Ids outside a table are clamped into it by the gather. */
static bool lower_embed_norm(ox_call *c) {
  wnn_operand *ids = ox_in(c, 0), *positions = ox_in_optional(c, 8), *table = ox_in(c, 3);
  if (!ids || !table) return false;
  const wnn_desc d = *ox_desc(ids);
  if (d.rank != 2) return OX_BAD(c, "the ids have rank %u, not 2", d.rank);
  if (!positions) positions = ox_iota(c, WNN_INT32, 2, 1, d.shape[1]);
  wnn_operand *sum = ox_add(c, ox_gather(c, ox_in(c, 2), ids, 0), ox_gather(c, table, positions, 0));
  if (ox_has(c, 4) && ox_has(c, 1)) sum = ox_add(c, sum, ox_gather(c, ox_in(c, 4), ox_in(c, 1), 0));
  if (ox_wants(c, 2) && !ox_out(c, 2, sum)) return false;
  return embed_outputs(c, sum, ox_in(c, 5), ox_in(c, 6), 7, d.shape);
}

/* The same with 8-bit tables: word, position, segment, scale and bias are inputs 2 to 6, their scales 8 to 12, their
 * zero points 13 to 17. */
static bool lower_quantized_embed_norm(ox_call *c) {
  wnn_operand *ids = ox_in(c, 0), *tables[5];
  if (!ids) return false;
  const wnn_desc d = *ox_desc(ids);
  if (d.rank != 2) return OX_BAD(c, "the ids have rank %u, not 2", d.rank);
  for (size_t i = 0; i < 5; i++)
    tables[i] =
        ox_has(c, 2 + i) ? ox_dequantize(c, ox_in(c, 2 + i), ox_in(c, 8 + i), ox_in_optional(c, 13 + i), 0) : NULL;
  if (!tables[0] || !tables[1] || !tables[3] || !tables[4]) return false;
  wnn_operand *sum =
      ox_add(c, ox_gather(c, tables[0], ids, 0), ox_gather(c, tables[1], ox_iota(c, WNN_INT32, 2, 1, d.shape[1]), 0));
  if (tables[2] && ox_has(c, 1)) sum = ox_add(c, sum, ox_gather(c, tables[2], ox_in(c, 1), 0));
  return embed_outputs(c, sum, tables[3], tables[4], 7, d.shape);
}

/* ---- Rotary positions ------------------------------------------------------------------------------------------ */

wnn_operand *ox_rotate(ox_call *c, wnn_operand *x, wnn_operand *cos, wnn_operand *sin, bool interleaved) {
  if (!x || !cos || !sin) return NULL;
  const wnn_desc d = *ox_desc(x), dc = *ox_desc(cos);
  if (d.rank != 4 || dc.rank != 3 || (uint64_t)2 * dc.shape[2] > d.shape[3]) {
    OX_BAD(c, "the caches of cosines and sines do not fit the heads");
    return NULL;
  }
  uint32_t half = dc.shape[2], rest = d.shape[3] - 2 * half;
  cos = OX_RESHAPE(c, ox_cast(c, cos, d.data_type), dc.shape[0], dc.shape[1], 1, half);
  sin = OX_RESHAPE(c, ox_cast(c, sin, d.data_type), dc.shape[0], dc.shape[1], 1, half);
  wnn_operand *turned = ox_slice(c, x, 3, 0, 2 * half), *a, *b;
  const uint32_t flat[] = {d.shape[0], d.shape[1], d.shape[2], half},
                 pairs[] = {d.shape[0], d.shape[1], d.shape[2], half, 2};
  const uint32_t column[] = {d.shape[0], d.shape[1], d.shape[2], half, 1},
                 whole[] = {d.shape[0], d.shape[1], d.shape[2], 2 * half};
  if (interleaved) {
    wnn_operand *two = ox_reshape(c, turned, 5, pairs);
    a = ox_reshape(c, ox_slice(c, two, 4, 0, 1), 4, flat);
    b = ox_reshape(c, ox_slice(c, two, 4, 1, 1), 4, flat);
  } else {
    a = ox_slice(c, turned, 3, 0, half);
    b = ox_slice(c, turned, 3, half, half);
  }
  wnn_operand *ya = ox_sub(c, ox_mul(c, a, cos), ox_mul(c, b, sin)),
              *yb = ox_add(c, ox_mul(c, b, cos), ox_mul(c, a, sin));
  wnn_operand *parts[3] = {ya, yb, rest ? ox_slice(c, x, 3, 2 * half, rest) : NULL};
  if (interleaved) {
    wnn_operand *two =
        ox_concat(c, (wnn_operand *const[]){ox_reshape(c, ya, 5, column), ox_reshape(c, yb, 5, column)}, 2, 4);
    parts[0] = ox_reshape(c, two, 4, whole);
    parts[1] = parts[2];
    return ox_concat(c, parts, rest ? 2 : 1, 3);
  }
  return ox_concat(c, parts, rest ? 3 : 2, 3);
}

/* Rows of a cache at positions [B, S]. */
static wnn_operand *cache_rows(ox_call *c, wnn_operand *cache, wnn_operand *positions, uint32_t dims) {
  wnn_operand *rows = ox_gather(c, cache, positions, 0);
  return rows && dims && ox_desc(rows)->shape[2] > dims / 2 ? ox_slice(c, rows, 2, 0, dims / 2) : rows;
}

static bool lower_rotary(ox_call *c) {
  bool standard = c->op->arg != 0; /* ai.onnx puts the caches before the positions */
  size_t position_in = standard ? 3 : 1, cos_in = standard ? 1 : 2;
  wnn_operand *x = ox_in(c, 0), *cos = ox_in(c, cos_in), *sin = ox_in(c, cos_in + 1),
              *positions = ox_in_optional(c, position_in);
  if (!x || !cos || !sin || c->failed) return false;
  const wnn_desc d = *ox_desc(x);
  int64_t heads = ox_attr_i(c, "num_heads"), dims = ox_attr_i(c, "rotary_embedding_dim");
  if (d.rank != 3 && d.rank != 4) return OX_BAD(c, "an input of rank %u", d.rank);
  if (dims < 0 || dims > INT32_MAX || dims % 2) return OX_BAD(c, "attribute 'rotary_embedding_dim' is out of range");
  if (ox_attr_i(c, "is_packed_batching")) return OX_UNSUPPORTED(c, "packed batches");
  uint32_t batch = d.shape[0], steps = d.rank == 3 ? d.shape[1] : d.shape[2];
  if (positions) {
    const wnn_desc p = *ox_desc(positions);
    positions = ox_cast(c, positions, WNN_INT64);
    if (wnn_desc_elements(&p) == 1 && (p.rank < 2 || steps > 1))
      positions = ox_add(c, ox_iota(c, WNN_INT64, 2, 1, steps), OX_RESHAPE(c, positions, 1, 1));
    cos = cache_rows(c, cos, positions, (uint32_t)dims);
    sin = cache_rows(c, sin, positions, (uint32_t)dims);
    if (!cos || !sin) return false;
  }
  if (d.rank == 4) {
    wnn_operand *y = ox_rotate(c, OX_TRANSPOSE(c, x, 0, 2, 1, 3), cos, sin, ox_attr_i(c, "interleaved") != 0);
    return ox_out(c, 0, y ? OX_TRANSPOSE(c, y, 0, 2, 1, 3) : NULL);
  }
  uint32_t size = 2 * ox_desc(cos)->shape[ox_desc(cos)->rank - 1];
  if (heads < 1 && size) heads = d.shape[2] / size;
  if (heads < 1 || heads > d.shape[2] || d.shape[2] % heads)
    return OX_BAD(c, "the hidden size does not fall into heads");
  x = OX_RESHAPE(c, x, batch, steps, (uint32_t)heads, d.shape[2] / (uint32_t)heads);
  return ox_out(c, 0, ox_reshape(c, ox_rotate(c, x, cos, sin, ox_attr_i(c, "interleaved") != 0), 3, d.shape));
}

/* ---- Grouped queries with a cache ------------------------------------------------------------------------------- */

typedef struct grouped {
  uint32_t batch, steps, heads, kv_heads, size, past, total, present;
  bool first;         /* nothing is in the cache yet */
  wnn_operand *start; /* [B, 1] position of the first new key of each row; NULL when first */
  wnn_data_type type;
} grouped;

static bool read_grouped(ox_call *c, grouped *g, wnn_operand *parts[3]) {
  wnn_operand *query = ox_in(c, 0), *key = ox_in_optional(c, 1), *value = ox_in_optional(c, 2);
  int64_t heads = ox_attr_i(c, "num_heads"), kv = ox_attr_i(c, "kv_num_heads"), total;
  if (!query || c->failed) return false;
  const wnn_desc d = *ox_desc(query);
  if (d.rank != 3 || heads < 1 || kv < 1 || heads % kv || heads + 2 * kv > INT32_MAX)
    return OX_BAD(c, "query or the numbers of heads are out of range");
  int64_t all = key ? heads : heads + 2 * kv;
  if (d.shape[2] % all) return OX_BAD(c, "the hidden size does not fall into %lld heads", (long long)all);
  *g = (grouped){.batch = d.shape[0],
                 .steps = d.shape[1],
                 .heads = (uint32_t)heads,
                 .kv_heads = (uint32_t)kv,
                 .size = (uint32_t)(d.shape[2] / all),
                 .type = d.data_type};
  uint32_t kv_width = g->kv_heads * g->size;
  if (!key) {
    key = ox_slice(c, query, 2, g->heads * g->size, kv_width);
    value = ox_slice(c, query, 2, g->heads * g->size + kv_width, kv_width);
    query = ox_slice(c, query, 2, 0, g->heads * g->size);
  }
  if (!ox_const_int(c, 6, "total_sequence_length", &total)) return false;
  g->past = ox_has(c, 3) && ox_in_desc(c, 3)->rank == 4 ? ox_in_desc(c, 3)->shape[2] : 0;
  if (total < 1 || total > INT32_MAX) return OX_BAD(c, "total_sequence_length is out of range");
  g->total = (uint32_t)total;
  g->present = g->past > g->total ? g->past : g->total;
  g->first = g->total == g->steps;
  parts[0] = OX_RESHAPE(c, query, g->batch, g->steps, g->heads, g->size);
  parts[1] = OX_RESHAPE(c, key, g->batch, g->steps, g->kv_heads, g->size);
  parts[2] = OX_RESHAPE(c, value, g->batch, g->steps, g->kv_heads, g->size);
  if (!g->first) {
    wnn_operand *last = OX_RESHAPE(c, ox_cast(c, ox_in(c, 5), WNN_INT64), g->batch, 1);
    g->start = ox_add(c, last, ox_number(c, WNN_INT64, 1 - (double)g->steps));
  }
  return !c->failed;
}

/* The cache with the new keys or values [B, kvN, S, H] at their places: [B, kvN, present, H]. */
static wnn_operand *update_cache(ox_call *c, const grouped *g, size_t input, wnn_operand *fresh) {
  wnn_operand *cache = ox_has(c, input) && !ox_empty(c, input) ? ox_in(c, input) : NULL;
  if (!fresh) return NULL;
  if (g->first) {
    uint32_t rest = g->present - g->steps;
    if (!rest) return fresh;
    return ox_concat(c, (wnn_operand *const[]){fresh, ox_slice(c, cache, 2, g->steps, rest)}, 2, 2);
  }
  if (!cache) {
    OX_BAD(c, "the cache is missing");
    return NULL;
  }
  const uint32_t none[4] = {0}, grow[4] = {0, 0, g->present - g->past, 0};
  cache = ox_pad(c, cache, none, grow, WNN_PADDING_MODE_CONSTANT, 0);
  const uint32_t shape[] = {g->batch, g->kv_heads, g->steps, 1};
  wnn_operand *places = ox_add(c, OX_RESHAPE(c, g->start, g->batch, 1, 1, 1), ox_iota(c, WNN_INT64, 4, 2, g->steps));
  wnn_operand *columns[] = {ox_expand(c, ox_iota(c, WNN_INT64, 4, 0, g->batch), 4, shape),
                            ox_expand(c, ox_iota(c, WNN_INT64, 4, 1, g->kv_heads), 4, shape),
                            ox_expand(c, places, 4, shape)};
  wnn_operand *indices = ox_concat(c, columns, 3, 3);
  return cache && indices ? ox_op_n(c, WNN_OP_SCATTER_ND, NULL, (wnn_operand *const[]){cache, indices, fresh}, 3)
                          : NULL;
}

/* Keys behind the query (or before its window) are hidden. */
static wnn_operand *grouped_mask(ox_call *c, const grouped *g, int64_t window) {
  double hidden = ox_hidden(g->type);
  if (g->first) return ox_causal_mask(c, g->type, g->steps, g->present, 0, window, hidden);
  wnn_operand *place = ox_add(c, OX_RESHAPE(c, g->start, g->batch, 1, 1, 1), ox_iota(c, WNN_INT64, 4, 2, g->steps));
  wnn_operand *key = ox_iota(c, WNN_INT64, 4, 3, g->present), *keep = ox_bin(c, WNN_OP_LESSER_OR_EQUAL, key, place);
  if (window > 0) {
    wnn_operand *near = ox_bin(c, WNN_OP_GREATER, key, ox_sub(c, place, ox_number(c, WNN_INT64, (double)window)));
    keep = ox_bin(c, WNN_OP_LOGICAL_AND, keep, near);
  }
  return ox_mask_from(c, keep, g->type, hidden);
}

static bool rotate_grouped(ox_call *c, const grouped *g, wnn_operand *parts[3]) {
  if (!ox_attr_i(c, "do_rotary")) return true;
  bool interleaved = ox_attr_i(c, "rotary_interleaved") != 0;
  wnn_operand *places = ox_cast(c, ox_in_optional(c, 9), WNN_INT64), *iota = ox_iota(c, WNN_INT64, 2, 1, g->steps);
  if (!places) places = g->first ? iota : ox_add(c, g->start, iota);
  wnn_operand *cos = cache_rows(c, ox_in(c, 7), places, 0), *sin = cache_rows(c, ox_in(c, 8), places, 0);
  parts[0] = ox_rotate(c, parts[0], cos, sin, interleaved);
  parts[1] = ox_rotate(c, parts[1], cos, sin, interleaved);
  return !c->failed;
}

static bool lower_grouped(ox_call *c) {
  grouped g;
  wnn_operand *parts[3];
  if (ox_attr_i(c, "kv_cache_bit_width") ||
      !(ox_attr_is(c, "k_quant_type", "NONE") && ox_attr_is(c, "v_quant_type", "NONE")))
    return OX_UNSUPPORTED(c, "a quantised cache");
  if (!read_grouped(c, &g, parts) || !rotate_grouped(c, &g, parts)) return false;
  for (int i = 0; i < 3; i++) parts[i] = parts[i] ? OX_TRANSPOSE(c, parts[i], 0, 2, 1, 3) : NULL;
  ox_attention a = {.q = parts[0], .scale = ox_attr_f(c, "scale"), .softcap = ox_attr_f(c, "softcap")};
  a.k = update_cache(c, &g, 3, parts[1]);
  a.v = update_cache(c, &g, 4, parts[2]);
  a.mask = grouped_mask(c, &g, ox_attr_i(c, "local_window_size"));
  wnn_operand *bias = ox_in_optional(c, 10);
  if (bias) {
    const wnn_desc d = *ox_desc(bias);
    const uint32_t none[4] = {0},
                   more[4] = {0, 0, 0, d.rank == 4 && d.shape[3] < g.present ? g.present - d.shape[3] : 0};
    a.mask = ox_add(c, a.mask, ox_pad(c, bias, none, more, WNN_PADDING_MODE_CONSTANT, 0));
  }
  a.sink = ox_in_optional(c, 11);
  if (!a.sink && ox_attr_i(c, "smooth_softmax") > 0) a.sink = ox_fill(c, g.type, 1, &g.heads, 0);
  if (c->failed) return false;
  if (ox_wants(c, 1) && !ox_out(c, 1, a.k)) return false;
  if (ox_wants(c, 2) && !ox_out(c, 2, a.v)) return false;
  if (ox_wants(c, 3)) return OX_UNSUPPORTED(c, "the output of scores");
  return ox_out(c, 0, ox_join_heads(c, ox_attend(c, &a)));
}

/* ---- Fused sums -----------------------------------------------------------------------------------------------------
 */

static bool lower_bias_add(ox_call *c) {
  wnn_operand *y = ox_add(c, ox_in(c, 0), ox_in(c, 1));
  return ox_out(c, 0, ox_has(c, 2) ? ox_add(c, y, ox_in(c, 2)) : y);
}

/* Softmax over the dimensions from the axis on, seen as one, of data + bias. */
static bool lower_bias_softmax(ox_call *c) {
  wnn_operand *x = ox_in(c, 0), *bias = ox_in(c, 1);
  uint32_t axis;
  if (!x || !bias || !ox_axis(c, ox_attr_i(c, "axis"), ox_desc(x)->rank, &axis)) return false;
  const wnn_desc d = *ox_desc(x), b = *ox_desc(bias);
  if (!ox_attr_i(c, "is_inner_broadcast") && b.rank < d.rank) return OX_BAD(c, "data and bias differ in rank");
  if (ox_attr_i(c, "is_inner_broadcast") && b.rank == d.rank) {
    /* The bias repeats over the dimensions just before the axis. */
    for (uint32_t i = axis; i-- > 0 && b.shape[i] != d.shape[i];) {
      if (b.shape[i] != 1) return OX_UNSUPPORTED(c, "the shape of the bias");
    }
  }
  wnn_operand *sum = ox_add(c, x, bias);
  uint32_t sizes[2] = {1, 1};
  for (uint32_t i = 0; i < d.rank; i++) sizes[i >= axis] *= d.shape[i];
  return ox_out(c, 0, ox_reshape(c, ox_softmax(c, ox_reshape(c, sum, 2, sizes), 1), d.rank, d.shape));
}

#define MS "com.microsoft"
static const ox_op ops[] = {
    {MS, "EmbedLayerNormalization", 1, 1, 9, 3, "epsilon:f=1e-12 mask_index_type:i=0", lower_embed_norm, 0, 0},
    {MS, "QEmbedLayerNormalization", 1, 13, 18, 2, "epsilon:f=1e-12", lower_quantized_embed_norm, 0, 0},
    {MS, "RotaryEmbedding", 1, 4, 4, 1,
     "interleaved:i=0 num_heads:i=0 rotary_embedding_dim:i=0 scale:f=1 is_packed_batching:i=0", lower_rotary, 0, 0},
    {"", "RotaryEmbedding", 23, 3, 4, 1, "interleaved:i=0 num_heads:i=0 rotary_embedding_dim:i=0", lower_rotary, 1, 0},
    {MS, "GroupQueryAttention", 1, 1, 14, 4,
     "num_heads:i kv_num_heads:i scale:f=0 softcap:f=0 do_rotary:i=0 rotary_interleaved:i=0 local_window_size:i=-1 "
     "smooth_softmax:i=-1 "
     "qk_output:i=0 kv_cache_bit_width:i=0 k_quant_type:s=NONE v_quant_type:s=NONE",
     lower_grouped, 0, 0},
    {MS, "BiasAdd", 1, 2, 3, 1, "", lower_bias_add, 0, 0},
    {MS, "BiasSoftmax", 1, 2, 2, 1, "axis:i=1 is_inner_broadcast:i=0", lower_bias_softmax, 0, 0},
};
OX_FAMILY(transformer, ops);
