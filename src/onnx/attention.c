/* Scaled dot product attention, and the operators that are little more: Attention of both domains, MultiHeadAttention.
 */
#include "attention.h"

#include <math.h>
#include <string.h>

#include "quantized.h"

double ox_hidden(wnn_data_type type) { return type == WNN_FLOAT16 ? -65504.0 : -3.4028234663852886e38; }

wnn_operand *ox_split_heads(ox_call *c, wnn_operand *x, uint32_t heads) {
  if (!x) return NULL;
  const wnn_desc d = *ox_desc(x);
  if (d.rank != 3 || !heads || d.shape[2] % heads) {
    OX_BAD(c, "the hidden size does not fall into %u heads", heads);
    return NULL;
  }
  return OX_TRANSPOSE(c, OX_RESHAPE(c, x, d.shape[0], d.shape[1], heads, d.shape[2] / heads), 0, 2, 1, 3);
}

wnn_operand *ox_join_heads(ox_call *c, wnn_operand *x) {
  if (!x) return NULL;
  const wnn_desc d = *ox_desc(x);
  return OX_RESHAPE(c, OX_TRANSPOSE(c, x, 0, 2, 1, 3), d.shape[0], d.shape[2], d.shape[1] * d.shape[3]);
}

/* Softmax with one more score in the sum, which gets weight but gives nothing. */
static wnn_operand *softmax_with_sink(ox_call *c, wnn_operand *scores, wnn_operand *sink) {
  const wnn_desc d = *ox_desc(scores);
  const uint32_t column[] = {d.shape[0], d.shape[1], d.shape[2], 1};
  sink = ox_expand(c, OX_RESHAPE(c, ox_cast(c, sink, d.data_type), 1, d.shape[1], 1, 1), 4, column);
  wnn_operand *both = ox_concat(c, (wnn_operand *const[]){scores, sink}, 2, 3);
  return ox_slice(c, ox_softmax(c, both, 3), 3, 0, d.shape[3]);
}

wnn_operand *ox_attend(ox_call *c, const ox_attention *a) {
  if (!a->q || !a->k || !a->v) return NULL;
  const wnn_desc q = *ox_desc(a->q), k = *ox_desc(a->k), v = *ox_desc(a->v);
  if (q.rank != 4 || k.rank != 4 || v.rank != 4 || q.shape[1] % k.shape[1] || k.shape[1] != v.shape[1]) {
    OX_BAD(c, "the heads of query, key and value do not fit together");
    return NULL;
  }
  uint32_t b = q.shape[0], n = q.shape[1], s = q.shape[2], t = k.shape[2], kv = k.shape[1], group = n / kv;
  double scale = a->scale != 0 ? a->scale : 1 / sqrt((double)q.shape[3]);
  /* Heads that share a key are rows of one product. */
  wnn_operand *query = OX_RESHAPE(c, a->q, b, kv, group * s, q.shape[3]);
  wnn_operand *scores = ox_matmul(c, query, OX_TRANSPOSE(c, a->k, 0, 1, 3, 2));
  scores = OX_RESHAPE(c, scores, b, n, s, t);
  scores = ox_mul(c, scores, ox_like(c, scores, scale));
  if (a->scores && a->scores_at == 0) *a->scores = scores;
  if (a->softcap != 0) {
    wnn_operand *cap = ox_like(c, scores, a->softcap);
    scores = ox_mul(c, ox_un(c, WNN_OP_TANH, ox_div(c, scores, cap)), cap);
  }
  if (a->scores && a->scores_at == 2) *a->scores = scores;
  if (a->mask) scores = ox_add(c, scores, a->mask);
  if (a->scores && a->scores_at == 1) *a->scores = scores;
  if (!scores) return NULL;
  wnn_operand *weights = a->sink ? softmax_with_sink(c, scores, a->sink) : ox_softmax(c, scores, 3);
  if (a->scores && a->scores_at == 3) *a->scores = weights;
  wnn_operand *y = ox_matmul(c, OX_RESHAPE(c, weights, b, kv, group * s, t), a->v);
  return OX_RESHAPE(c, y, b, n, s, v.shape[3]);
}

wnn_operand *ox_add_masks(ox_call *c, wnn_operand *a, wnn_operand *b) { return a && b ? ox_add(c, a, b) : a ? a : b; }

wnn_operand *ox_mask_from(ox_call *c, wnn_operand *keep, wnn_data_type type, double hidden) {
  if (!keep) return NULL;
  if (ox_desc(keep)->data_type != WNN_UINT8) keep = ox_bool(c, keep);
  return ox_where(c, keep, ox_number(c, type, 0), ox_number(c, type, hidden));
}

wnn_operand *ox_causal_mask(ox_call *c, wnn_data_type type, uint32_t queries, uint32_t keys, int64_t offset,
                            int64_t window, double hidden) {
  const uint32_t shape[] = {1, 1, queries, keys};
  size_t count = (size_t)queries * keys;
  double *values = ox_temp(c, count, sizeof *values);
  if (!values) return NULL;
  for (uint32_t s = 0; s < queries; s++) {
    for (uint32_t t = 0; t < keys; t++) {
      bool seen = t <= s + offset && (window <= 0 || t > s + offset - window);
      values[(size_t)s * keys + t] = seen ? 0 : hidden;
    }
  }
  return ox_constant_doubles(c, type, 4, shape, values);
}

/* past before the new keys, when there is one with elements. */
static wnn_operand *with_past(ox_call *c, size_t input, wnn_operand *fresh) {
  if (!ox_has(c, input) || ox_empty(c, input)) return fresh;
  return ox_concat(c, (wnn_operand *const[]){ox_in(c, input), fresh}, 2, 2);
}

/* ---- com.microsoft: masks of keys ----------------------------------------------------------------------------- */

/* [B] lengths, [2B] ends and starts, [B, T] or [B, S, T] zeros and ones, as something to add to [B, N, S, T]. */
static bool key_mask(ox_call *c, size_t input, wnn_data_type type, uint32_t b, uint32_t t, double hidden,
                     wnn_operand **out) {
  *out = NULL;
  if (!ox_has(c, input)) return true;
  wnn_operand *mask = ox_in(c, input);
  if (!mask) return false;
  const wnn_desc d = *ox_desc(mask);
  if (d.rank == 1 && (d.shape[0] == b || d.shape[0] == 2 * b)) {
    wnn_operand *key = ox_cast(c, ox_iota(c, WNN_INT32, 2, 1, t), d.data_type);
    wnn_operand *end = OX_RESHAPE(c, ox_slice(c, mask, 0, 0, b), b, 1), *keep = ox_bin(c, WNN_OP_LESSER, key, end);
    if (d.shape[0] == 2 * b) {
      wnn_operand *start = OX_RESHAPE(c, ox_slice(c, mask, 0, b, b), b, 1);
      keep = ox_bin(c, WNN_OP_LOGICAL_AND, keep, ox_bin(c, WNN_OP_GREATER_OR_EQUAL, key, start));
    }
    *out = ox_mask_from(c, OX_RESHAPE(c, keep, b, 1, 1, t), type, hidden);
  } else if (d.rank == 2) {
    *out = ox_mask_from(c, OX_RESHAPE(c, mask, d.shape[0], 1, 1, d.shape[1]), type, hidden);
  } else if (d.rank == 3) {
    *out = ox_mask_from(c, OX_RESHAPE(c, mask, d.shape[0], 1, d.shape[1], d.shape[2]), type, hidden);
  } else {
    return OX_UNSUPPORTED(c, "a mask of rank %u", d.rank);
  }
  return *out != NULL;
}

static bool heads_of(ox_call *c, const char *name, uint32_t *heads) {
  int64_t n = ox_attr_i(c, name);
  if (n < 1 || n > INT32_MAX) return OX_BAD(c, "attribute '%s' is missing or out of range", name);
  *heads = (uint32_t)n;
  return true;
}

/* Attention whose queries, keys and values lie side by side in `all`, [B, S, their sizes]. past: input with earlier
 * keys and values; mask: input, see key_mask. */
static bool attend_projected(ox_call *c, wnn_operand *all, const uint32_t sizes[3], uint32_t heads, size_t past_in,
                             size_t mask_in, wnn_operand *bias) {
  wnn_operand *parts[3];
  uint32_t at = 0;
  if (!all) return false;
  const wnn_desc d = *ox_desc(all);
  for (int i = 0; i < 3; i++) {
    parts[i] = ox_split_heads(c, ox_slice(c, all, 2, at, sizes[i]), heads);
    at += sizes[i];
  }
  wnn_operand *k = parts[1], *v = parts[2];
  if (!k || !v) return false;
  uint32_t past = 0;
  if (ox_has(c, past_in) && !ox_empty(c, past_in)) {
    wnn_operand *state = ox_in(c, past_in);
    const wnn_desc p = *ox_desc(state);
    if (p.rank != 5) return OX_BAD(c, "past has rank %u, not 5", p.rank);
    past = p.shape[3];
    wnn_operand *halves[2];
    for (uint32_t i = 0; i < 2; i++) halves[i] = ox_reshape(c, ox_slice(c, state, 0, i, 1), 4, p.shape + 1);
    k = ox_concat(c, (wnn_operand *const[]){halves[0], k}, 2, 2);
    v = ox_concat(c, (wnn_operand *const[]){halves[1], v}, 2, 2);
  }
  if (!k || !v) return false;
  if (ox_wants(c, 1)) {
    const wnn_desc dk = *ox_desc(k);
    const uint32_t one[] = {1, dk.shape[0], dk.shape[1], dk.shape[2], dk.shape[3]};
    wnn_operand *both = ox_concat(c, (wnn_operand *const[]){ox_reshape(c, k, 5, one), ox_reshape(c, v, 5, one)}, 2, 0);
    if (!ox_out(c, 1, both)) return false;
  }
  double hidden = ox_attr_f(c, "mask_filter_value");
  ox_attention a = {.q = parts[0], .k = k, .v = v, .scale = ox_attr_f(c, "scale")};
  if (!key_mask(c, mask_in, d.data_type, d.shape[0], past + d.shape[1], hidden, &a.mask)) return false;
  if (ox_attr_i(c, "unidirectional"))
    a.mask = ox_add_masks(c, a.mask, ox_causal_mask(c, d.data_type, d.shape[1], past + d.shape[1], past, 0, hidden));
  a.mask = ox_add_masks(c, a.mask, bias);
  return !c->failed && ox_out(c, 0, ox_join_heads(c, ox_attend(c, &a)));
}

/* Ranks of the input and the weights of one product for all three. */
static bool check_projection(ox_call *c, const wnn_desc *x, const wnn_desc *w) {
  if (ox_attr_i(c, "do_rotary")) return OX_UNSUPPORTED(c, "attribute 'do_rotary'");
  if (ox_attr_i(c, "past_present_share_buffer")) return OX_UNSUPPORTED(c, "attribute 'past_present_share_buffer'");
  return (x->rank == 3 && w->rank == 2) || OX_BAD(c, "the input has rank %u and the weights %u", x->rank, w->rank);
}

/* One product gives queries, keys and values. */
static bool lower_ms_attention(ox_call *c) {
  uint32_t heads = 0;
  wnn_operand *x = ox_in(c, 0), *w = ox_in(c, 1), *bias = ox_in_optional(c, 2);
  if (!x || !w || !heads_of(c, "num_heads", &heads)) return false;
  const wnn_desc dw = *ox_desc(w);
  if (!check_projection(c, ox_desc(x), &dw)) return false;
  uint32_t sizes[3] = {dw.shape[1] / 3, dw.shape[1] / 3, dw.shape[1] / 3};
  ox_ints given;
  if (ox_attr_ints(c, "qkv_hidden_sizes", &given) && given.count == 3) {
    for (int i = 0; i < 3; i++) sizes[i] = given.at[i] > 0 && given.at[i] < INT32_MAX ? (uint32_t)given.at[i] : 0;
  }
  if (!sizes[0] || !sizes[1] || !sizes[2] || (uint64_t)sizes[0] + sizes[1] + sizes[2] != dw.shape[1])
    return OX_BAD(c, "the weights do not fall into queries, keys and values");
  wnn_operand *all = ox_matmul(c, x, w);
  if (bias) all = ox_add(c, all, bias);
  return attend_projected(c, all, sizes, heads, 4, 3, ox_in_optional(c, 5));
}

/* The same with the product in 8-bit integers: input, weights, bias, the scales of both, mask, their zero points, past.
 */
static bool lower_quantized_attention(ox_call *c) {
  uint32_t heads = 0;
  wnn_operand *x = ox_dequantize(c, ox_in(c, 0), ox_in(c, 3), ox_in_optional(c, 6), 2),
              *w = ox_dequantize(c, ox_in(c, 1), ox_in(c, 4), ox_in_optional(c, 7), 1);
  if (!x || !w || !heads_of(c, "num_heads", &heads)) return false;
  const wnn_desc dw = *ox_desc(w);
  if (!check_projection(c, ox_desc(x), &dw)) return false;
  const uint32_t size = dw.shape[1] / 3, sizes[3] = {size, size, size};
  if (!size || dw.shape[1] % 3) return OX_BAD(c, "the weights do not fall into queries, keys and values");
  return attend_projected(c, ox_add(c, ox_matmul(c, x, w), ox_in(c, 2)), sizes, heads, 8, 5, NULL);
}

/* Part `index` of [B, S, N, parts, H], as [B, N, S, H]. */
static wnn_operand *packed_part(ox_call *c, wnn_operand *x, uint32_t index) {
  if (!x) return NULL;
  const wnn_desc d = *ox_desc(x);
  wnn_operand *part = OX_RESHAPE(c, ox_slice(c, x, 3, index, 1), d.shape[0], d.shape[1], d.shape[2], d.shape[4]);
  return OX_TRANSPOSE(c, part, 0, 2, 1, 3);
}

static wnn_operand *biased(ox_call *c, wnn_operand *x, wnn_operand *bias, uint32_t at) {
  return bias && x ? ox_add(c, x, ox_slice(c, bias, 0, at, ox_desc(x)->shape[2])) : x;
}

static bool read_qkv(ox_call *c, uint32_t heads, ox_attention *a) {
  wnn_operand *query = ox_in(c, 0), *key = ox_in_optional(c, 1), *value = ox_in_optional(c, 2),
              *bias = ox_in_optional(c, 3);
  if (!query || c->failed) return false;
  uint32_t rank = ox_desc(query)->rank, width = rank == 3 ? ox_desc(query)->shape[2] : 0;
  if (rank == 5 && !key && !value) {
    if (bias) return OX_UNSUPPORTED(c, "a bias with packed queries, keys and values");
    a->q = packed_part(c, query, 0);
    a->k = packed_part(c, query, 1);
    a->v = packed_part(c, query, 2);
    return a->v != NULL;
  }
  if (rank != 3 || !key) return OX_BAD(c, "a query of rank %u%s", rank, key ? "" : " without a key");
  a->q = ox_split_heads(c, biased(c, query, bias, 0), heads);
  if (ox_desc(key)->rank == 5) {
    if (bias) return OX_UNSUPPORTED(c, "a bias with packed keys and values");
    a->k = packed_part(c, key, 0);
    a->v = packed_part(c, key, 1);
    return a->q && a->v;
  }
  if (!value) return OX_BAD(c, "the value is missing");
  if (ox_desc(key)->rank == 4) { /* of a cross attention, split already; their bias was added when they were made */
    a->k = key;
    a->v = value;
    return a->q != NULL;
  }
  a->k = ox_split_heads(c, biased(c, key, bias, width), heads);
  a->v = ox_split_heads(c, biased(c, value, bias, 2 * width), heads);
  return a->q && a->k && a->v;
}

static bool lower_multi_head(ox_call *c) {
  uint32_t heads = 0;
  ox_attention a = {.scale = ox_attr_f(c, "scale")};
  if (!heads_of(c, "num_heads", &heads) || !read_qkv(c, heads, &a)) return false;
  if (ox_has(c, 8) || ox_has(c, 9)) return OX_UNSUPPORTED(c, "a shared cache (inputs 8 and 9)");
  uint32_t past = ox_has(c, 6) && ox_in_desc(c, 6)->rank == 4 ? ox_in_desc(c, 6)->shape[2] : 0;
  a.k = with_past(c, 6, a.k);
  a.v = with_past(c, 7, a.v);
  if (!a.k || !a.v) return false;
  const wnn_desc q = *ox_desc(a.q), k = *ox_desc(a.k);
  double hidden = ox_attr_f(c, "mask_filter_value");
  if (!key_mask(c, 4, q.data_type, q.shape[0], k.shape[2], hidden, &a.mask)) return false;
  if (ox_attr_i(c, "unidirectional"))
    a.mask = ox_add_masks(c, a.mask, ox_causal_mask(c, q.data_type, q.shape[2], k.shape[2], past, 0, hidden));
  a.mask = ox_add_masks(c, a.mask, ox_in_optional(c, 5));
  if (c->failed) return false;
  if (ox_wants(c, 1) && !ox_out(c, 1, a.k)) return false;
  if (ox_wants(c, 2) && !ox_out(c, 2, a.v)) return false;
  wnn_operand *scores = NULL;
  if (ox_wants(c, 3)) {
    a.scores = &scores;
    a.scores_at = 3;
  }
  return ox_out(c, 0, ox_join_heads(c, ox_attend(c, &a))) && (!scores || ox_out(c, 3, scores));
}

/* ---- ai.onnx ----------------------------------------------------------------------------------------------------- */

static wnn_operand *four_dimensions(ox_call *c, size_t input, const char *heads_name) {
  wnn_operand *x = ox_in(c, input);
  uint32_t heads = 0;
  if (!x || ox_desc(x)->rank == 4) return x;
  return heads_of(c, heads_name, &heads) ? ox_split_heads(c, x, heads) : NULL;
}

static bool lower_attention(ox_call *c) {
  ox_attention a = {.q = four_dimensions(c, 0, "q_num_heads"),
                    .k = four_dimensions(c, 1, "kv_num_heads"),
                    .v = four_dimensions(c, 2, "kv_num_heads"),
                    .scale = ox_attr_f(c, "scale"),
                    .softcap = ox_attr_f(c, "softcap"),
                    .scores_at = (int)ox_attr_i(c, "qk_matmul_output_mode")};
  if (!a.q || !a.k || !a.v) return false;
  bool joined = ox_in_desc(c, 0)->rank == 3;
  uint32_t past = ox_has(c, 4) && ox_in_desc(c, 4)->rank == 4 ? ox_in_desc(c, 4)->shape[2] : 0;
  a.k = with_past(c, 4, a.k);
  a.v = with_past(c, 5, a.v);
  if (!a.k || !a.v) return false;
  const wnn_desc q = *ox_desc(a.q), k = *ox_desc(a.k);
  double hidden = ox_hidden(q.data_type);
  wnn_operand *mask = ox_in_optional(c, 3);
  if (mask) {
    const wnn_desc d = *ox_desc(mask);
    bool flags = d.data_type == WNN_UINT8;
    if (flags) mask = ox_mask_from(c, mask, q.data_type, hidden);
    /* A mask may cover the first keys only; the others are hidden. */
    if (mask && d.rank && d.shape[d.rank - 1] < k.shape[2] && d.shape[d.rank - 1] != 1) {
      uint32_t before[WNN_MAX_RANK] = {0}, after[WNN_MAX_RANK] = {0};
      after[d.rank - 1] = k.shape[2] - d.shape[d.rank - 1];
      mask = ox_pad(c, mask, before, after, WNN_PADDING_MODE_CONSTANT, hidden);
    }
    a.mask = mask;
  }
  if (ox_attr_i(c, "is_causal"))
    a.mask = ox_add_masks(c, a.mask, ox_causal_mask(c, q.data_type, q.shape[2], k.shape[2], past, 0, hidden));
  if (ox_has(c, 6)) { /* valid keys of each row */
    wnn_operand *valid = OX_RESHAPE(c, ox_cast(c, ox_in(c, 6), WNN_INT64), q.shape[0], 1, 1, 1);
    wnn_operand *keep = ox_bin(c, WNN_OP_LESSER, ox_iota(c, WNN_INT64, 4, 3, k.shape[2]), valid);
    a.mask = ox_add_masks(c, a.mask, ox_mask_from(c, keep, q.data_type, hidden));
  }
  if (c->failed) return false;
  if (ox_wants(c, 1) && !ox_out(c, 1, a.k)) return false;
  if (ox_wants(c, 2) && !ox_out(c, 2, a.v)) return false;
  wnn_operand *scores = NULL;
  if (ox_wants(c, 3)) a.scores = &scores;
  wnn_operand *y = ox_attend(c, &a);
  if (joined) y = ox_join_heads(c, y);
  return ox_out(c, 0, y) && (!ox_wants(c, 3) || ox_out(c, 3, scores));
}

static const ox_op ops[] = {
    {"com.microsoft", "Attention", 1, 2, 7, 2,
     "num_heads:i unidirectional:i=0 qkv_hidden_sizes:I past_present_share_buffer:i=0 do_rotary:i=0 "
     "rotary_embedding_dim:i=0 "
     "mask_filter_value:f=-10000 scale:f=0",
     lower_ms_attention, 0, 0},
    {"com.microsoft", "QAttention", 1, 5, 9, 2,
     "num_heads:i unidirectional:i=0 past_present_share_buffer:i=0 do_rotary:i=0 mask_filter_value:f=-10000 scale:f=0",
     lower_quantized_attention, 0, 0},
    {"com.microsoft", "MultiHeadAttention", 1, 1, 10, 4,
     "num_heads:i mask_filter_value:f=-10000 scale:f=0 unidirectional:i=0", lower_multi_head, 0, 0},
    {"", "Attention", 23, 3, 7, 4,
     "is_causal:i=0 kv_num_heads:i q_num_heads:i qk_matmul_output_mode:i=0 scale:f=0 softcap:f=0 softmax_precision:i",
     lower_attention, 0, 0},
};
OX_FAMILY(attention, ops);
