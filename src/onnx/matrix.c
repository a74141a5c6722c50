/* Matrix products. */
#include <string.h>

#include "import.h"

static bool is_float(wnn_data_type type) { return type == WNN_FLOAT32 || type == WNN_FLOAT16; }

/* Integer products are computed in float32, exact while sums stay below 2^24. */
static wnn_operand *as_float(ox_call *c, wnn_operand *x) {
  return x && !is_float(ox_desc(x)->data_type) ? ox_cast(c, x, WNN_FLOAT32) : x;
}

/* numpy's matmul: vectors on either side become matrices and back. */
wnn_operand *ox_np_matmul(ox_call *c, wnn_operand *a, wnn_operand *b) {
  if (!a || !b) return NULL;
  const wnn_desc da = *ox_desc(a), db = *ox_desc(b);
  wnn_data_type type = da.data_type;
  if (!da.rank || !db.rank) {
    OX_BAD(c, "a product of scalars");
    return NULL;
  }
  a = as_float(c, a);
  b = as_float(c, b);
  if (da.rank == 1) a = OX_RESHAPE(c, a, 1, da.shape[0]);
  if (db.rank == 1) b = OX_RESHAPE(c, b, db.shape[0], 1);
  wnn_operand *y = ox_matmul(c, a, b);
  if (!y) return NULL;
  const wnn_desc *dy = ox_desc(y);
  uint32_t shape[WNN_MAX_RANK], rank = 0;
  for (uint32_t i = 0; i < dy->rank; i++) {
    bool dropped = (i + 2 == dy->rank && da.rank == 1) || (i + 1 == dy->rank && db.rank == 1);
    if (!dropped) shape[rank++] = dy->shape[i];
  }
  return ox_cast(c, ox_reshape(c, y, rank, shape), type);
}

static bool lower_matmul(ox_call *c) { return ox_out(c, 0, ox_np_matmul(c, ox_in(c, 0), ox_in(c, 1))); }

static wnn_operand *gemm(ox_call *c, wnn_operand *a, wnn_operand *b, wnn_operand *third) {
  if (!a || !b) return NULL;
  wnn_data_type type = ox_desc(a)->data_type;
  wnn_gemm_args args = {WNN_GEMM_OPTIONS_INIT};
  args.options.alpha = ox_attr_f(c, "alpha");
  args.options.beta = ox_attr_f(c, "beta");
  args.options.a_transpose = ox_attr_i(c, "transA") != 0;
  args.options.b_transpose = ox_attr_i(c, "transB") != 0;
  args.options.c = as_float(c, third);
  return ox_cast(
      c, ox_op_n(c, WNN_OP_GEMM, &args, (wnn_operand *const[]){as_float(c, a), as_float(c, b), args.options.c}, 3),
      type);
}

static bool lower_gemm(ox_call *c) { return ox_out(c, 0, gemm(c, ox_in(c, 0), ox_in(c, 1), ox_in_optional(c, 2))); }

static bool lower_fused_gemm(ox_call *c) {
  wnn_operand *y = gemm(c, ox_in(c, 0), ox_in(c, 1), ox_in_optional(c, 2));
  char name[64];
  bool has_alpha = ox_attr_find(c, "activation_alpha") != NULL, has_beta = ox_attr_find(c, "activation_beta") != NULL;
  if (*ox_attr_text(c, "activation", name)) {
    y = ox_activate(c, y, name, ox_attr_f(c, "activation_alpha"), ox_attr_f(c, "activation_beta"), has_alpha, has_beta);
  }
  return ox_out(c, 0, y);
}

static bool lower_gemm_fast_gelu(ox_call *c) {
  wnn_operand *y = ox_np_matmul(c, ox_in(c, 0), ox_in(c, 1));
  if (ox_has(c, 2)) y = ox_add(c, y, ox_in(c, 2));
  return ox_out(c, 0, ox_gelu_tanh(c, y));
}

/* transBatch: the first dimension goes to the place before the last. */
static wnn_operand *fused_operand(ox_call *c, wnn_operand *x, bool transpose, bool batch) {
  if (!x) return NULL;
  uint32_t rank = ox_desc(x)->rank, permutation[WNN_MAX_RANK];
  if (batch && rank > 2) {
    for (uint32_t i = 0; i + 2 < rank; i++) permutation[i] = i + 1;
    permutation[rank - 2] = 0;
    permutation[rank - 1] = rank - 1;
    x = ox_transpose(c, x, permutation);
  }
  return transpose && rank > 1 ? ox_swap_last(c, x) : x;
}

static bool lower_fused_matmul(ox_call *c) {
  wnn_operand *a = fused_operand(c, ox_in(c, 0), ox_attr_i(c, "transA") != 0, ox_attr_i(c, "transBatchA") != 0);
  wnn_operand *b = fused_operand(c, ox_in(c, 1), ox_attr_i(c, "transB") != 0, ox_attr_i(c, "transBatchB") != 0);
  wnn_operand *y = ox_np_matmul(c, a, b);
  double alpha = ox_attr_f(c, "alpha");
  if (alpha != 1) y = ox_mul(c, y, ox_like(c, y, alpha));
  char name[64];
  if (*ox_attr_text(c, "activation", name)) {
    bool has_alpha = ox_attr_find(c, "activation_alpha") != NULL, has_beta = ox_attr_find(c, "activation_beta") != NULL;
    y = ox_activate(c, y, name, ox_attr_f(c, "activation_alpha"), ox_attr_f(c, "activation_beta"), has_alpha, has_beta);
  }
  return ox_out(c, 0, y);
}

/* ---- Einsum ------------------------------------------------------------------------------------------------ */

enum { LABELS = 64 }; /* letters, and numbers for the dimensions of an ellipsis */
typedef struct term {
  wnn_operand *x;
  uint8_t labels[WNN_MAX_RANK];
  uint32_t rank;
} term;

static int label_of(char letter) {
  if (letter >= 'a' && letter <= 'z') return letter - 'a';
  if (letter >= 'A' && letter <= 'Z') return letter - 'A' + 26;
  return -1;
}

/* Labels of one term of the equation; the ellipsis takes the dimensions that are left. False when it does not fit. */
static bool parse_term(const char *text, size_t length, uint32_t rank, uint8_t *labels, uint32_t *count,
                       uint32_t *ellipsis) {
  uint32_t letters = 0, n = 0;
  for (size_t i = 0; i < length; i++) letters += label_of(text[i]) >= 0;
  bool dots = false;
  for (size_t i = 0; i < length; i++) {
    int label = label_of(text[i]);
    if (text[i] == ' ') continue;
    if (text[i] == '.') {
      if (dots || i + 2 >= length || text[i + 1] != '.' || text[i + 2] != '.') return false;
      dots = true;
      i += 2;
      uint32_t extra = rank != UINT32_MAX ? rank - letters : *ellipsis;
      if (rank != UINT32_MAX && (letters > rank || extra > WNN_MAX_RANK)) return false;
      if (extra > *ellipsis) *ellipsis = extra;
      /* Ellipsis dimensions line up at the end. */
      for (uint32_t k = extra; k-- > 0;) {
        if (n >= WNN_MAX_RANK) return false;
        labels[n++] = (uint8_t)(52 + k);
      }
      continue;
    }
    if (label < 0 || n >= WNN_MAX_RANK) return false;
    labels[n++] = (uint8_t)label;
  }
  *count = n;
  return rank == UINT32_MAX || n == rank;
}

static int find_label(const term *t, uint8_t label) {
  for (uint32_t i = 0; i < t->rank; i++) {
    if (t->labels[i] == label) return (int)i;
  }
  return -1;
}

/* A label twice in one term: its diagonal, by masking with an identity and summing. */
static bool take_diagonals(ox_call *c, term *t) {
  for (uint32_t i = 0; i < t->rank; i++) {
    for (uint32_t k = i + 1; k < t->rank; k++) {
      if (t->labels[i] != t->labels[k]) continue;
      const wnn_desc d = *ox_desc(t->x);
      if (d.shape[i] != d.shape[k]) return OX_BAD(c, "a repeated label has two sizes");
      wnn_operand *same = ox_bin(c, WNN_OP_EQUAL, ox_iota(c, WNN_INT32, d.rank, i, d.shape[i]),
                                 ox_iota(c, WNN_INT32, d.rank, k, d.shape[k]));
      t->x = ox_reduce1(c, WNN_OP_REDUCE_SUM, ox_where(c, same, t->x, ox_like(c, t->x, 0)), k, false);
      for (uint32_t m = k; m + 1 < t->rank; m++) t->labels[m] = t->labels[m + 1];
      t->rank--;
      k--;
    }
  }
  return t->x != NULL;
}

static bool sum_out(ox_call *c, term *t, const bool *needed) {
  uint32_t axes[WNN_MAX_RANK], count = 0, kept = 0;
  for (uint32_t i = 0; i < t->rank; i++) {
    if (!needed[t->labels[i]])
      axes[count++] = i;
    else
      t->labels[kept++] = t->labels[i];
  }
  if (count) t->x = ox_reduce(c, WNN_OP_REDUCE_SUM, t->x, axes, count, false);
  t->rank = kept;
  return t->x != NULL;
}

/* Dimensions of a term in a given order of labels; absent ones get size 1. */
static wnn_operand *arrange(ox_call *c, const term *t, const uint8_t *order, uint32_t count) {
  uint32_t permutation[WNN_MAX_RANK], shape[WNN_MAX_RANK], next = 0;
  for (uint32_t i = 0; i < count; i++) {
    int at = find_label(t, order[i]);
    shape[i] = at < 0 ? 1 : ox_desc(t->x)->shape[at];
    if (at >= 0) permutation[next++] = (uint32_t)at;
  }
  return ox_reshape(c, ox_transpose(c, t->x, permutation), count, shape);
}

/* [batch, free, contracted] times [batch, contracted, free]. */
static bool contract(ox_call *c, term *a, term *b, const bool *needed) {
  uint8_t batch[WNN_MAX_RANK], free_a[WNN_MAX_RANK], free_b[WNN_MAX_RANK], inner[WNN_MAX_RANK];
  uint32_t nb = 0, na = 0, nf = 0, ni = 0;
  for (uint32_t i = 0; i < a->rank; i++) {
    uint8_t label = a->labels[i];
    if (find_label(b, label) < 0)
      free_a[na++] = label;
    else if (needed[label])
      batch[nb++] = label;
    else
      inner[ni++] = label;
  }
  for (uint32_t i = 0; i < b->rank; i++) {
    if (find_label(a, b->labels[i]) < 0) free_b[nf++] = b->labels[i];
  }
  if (nb + na + nf > WNN_MAX_RANK)
    return OX_UNSUPPORTED(c, "an intermediate result has more than %d dimensions", WNN_MAX_RANK);
  uint8_t order[2 * WNN_MAX_RANK];
  uint32_t out_shape[WNN_MAX_RANK], sizes_a[WNN_MAX_RANK], sizes_b[WNN_MAX_RANK];
  uint32_t m = 1, n = 1, ka = 1, kb = 1;
  memcpy(order, batch, nb);
  memcpy(order + nb, free_a, na);
  memcpy(order + nb + na, inner, ni);
  wnn_operand *left = arrange(c, a, order, nb + na + ni);
  memcpy(order + nb, inner, ni);
  memcpy(order + nb + ni, free_b, nf);
  wnn_operand *right = arrange(c, b, order, nb + ni + nf);
  if (!left || !right) return false;
  const wnn_desc dl = *ox_desc(left), dr = *ox_desc(right);
  for (uint32_t i = 0; i < nb; i++) {
    sizes_a[i] = dl.shape[i];
    sizes_b[i] = dr.shape[i];
    out_shape[i] = dl.shape[i] == 1 ? dr.shape[i] : dl.shape[i];
  }
  for (uint32_t i = 0; i < na; i++) m *= out_shape[nb + i] = dl.shape[nb + i];
  for (uint32_t i = 0; i < ni; i++) ka *= dl.shape[nb + na + i];
  for (uint32_t i = 0; i < ni; i++) kb *= dr.shape[nb + i];
  for (uint32_t i = 0; i < nf; i++) n *= out_shape[nb + na + i] = dr.shape[nb + ni + i];
  if (nb + 2 > WNN_MAX_RANK) return OX_UNSUPPORTED(c, "too many batch dimensions");
  sizes_a[nb] = m;
  sizes_a[nb + 1] = ka;
  sizes_b[nb] = kb;
  sizes_b[nb + 1] = n;
  wnn_data_type type = dl.data_type;
  wnn_operand *y;
  if (ni || !is_float(type)) {
    y = ox_cast(c,
                ox_matmul(c, as_float(c, ox_reshape(c, left, nb + 2, sizes_a)),
                          as_float(c, ox_reshape(c, right, nb + 2, sizes_b))),
                type);
  } else { /* an outer product needs no matmul */
    y = ox_mul(c, ox_reshape(c, left, nb + 2, sizes_a), ox_reshape(c, right, nb + 2, sizes_b));
  }
  a->x = ox_reshape(c, y, nb + na + nf, out_shape);
  a->rank = nb + na + nf;
  memcpy(a->labels, batch, nb);
  memcpy(a->labels + nb, free_a, na);
  memcpy(a->labels + nb + na, free_b, nf);
  return a->x != NULL;
}

/* Without an arrow: the ellipsis, then labels that occur once, in alphabetical order (capitals first). */
static uint32_t implicit_output(const char *equation, uint32_t ellipsis, uint8_t *labels) {
  uint32_t counts[LABELS] = {0}, n = 0;
  for (const char *at = equation; *at; at++) {
    if (label_of(*at) >= 0) counts[label_of(*at)]++;
  }
  for (uint32_t k = ellipsis; k-- > 0 && n < WNN_MAX_RANK;) labels[n++] = (uint8_t)(52 + k);
  for (uint32_t i = 0; i < 52 && n < WNN_MAX_RANK; i++) {
    uint32_t label = i < 26 ? i + 26 : i - 26;
    if (counts[label] == 1) labels[n++] = (uint8_t)label;
  }
  return n;
}

static bool lower_einsum(ox_call *c) {
  char equation[256];
  const ox_attr *attr = ox_attr_find(c, "equation");
  if (!attr || attr->s.size >= sizeof equation) return OX_BAD(c, "attribute 'equation' is missing or too long");
  if (attr->s.size) memcpy(equation, attr->s.data, attr->s.size);
  equation[attr->s.size] = 0;
  char *arrow = strstr(equation, "->");
  if (arrow) *arrow = 0;
  term *terms = ox_temp(c, c->in_count, sizeof *terms);
  uint32_t ellipsis = 0, out_rank;
  uint8_t out_labels[WNN_MAX_RANK];
  const char *at = equation;
  for (size_t i = 0; terms && i < c->in_count; i++) {
    const char *end = strchr(at, ',');
    size_t length = end ? (size_t)(end - at) : strlen(at);
    terms[i].x = ox_in(c, i);
    if (!terms[i].x) return false;
    if (!parse_term(at, length, ox_desc(terms[i].x)->rank, terms[i].labels, &terms[i].rank, &ellipsis))
      return OX_BAD(c, "attribute 'equation' does not fit input %zu", i);
    if ((end != NULL) != (i + 1 < c->in_count))
      return OX_BAD(c, "attribute 'equation' has another number of terms than the node has inputs");
    at = end ? end + 1 : at + length;
  }
  if (!terms) return false;
  if (!arrow)
    out_rank = implicit_output(equation, ellipsis, out_labels);
  else if (!parse_term(arrow + 2, strlen(arrow + 2), UINT32_MAX, out_labels, &out_rank, &ellipsis))
    return OX_BAD(c, "attribute 'equation' has a malformed result");
  for (size_t i = 0; i < c->in_count; i++) {
    if (!take_diagonals(c, &terms[i])) return false;
  }
  term *result = &terms[0];
  for (size_t i = 0; i < c->in_count; i++) {
    bool needed[LABELS] = {false}; /* by the result or a term that is still to come */
    for (uint32_t k = 0; k < out_rank; k++) needed[out_labels[k]] = true;
    for (size_t t = i + 1; t < c->in_count; t++) {
      for (uint32_t k = 0; k < terms[t].rank; k++) needed[terms[t].labels[k]] = true;
    }
    if (i) {
      bool alone[LABELS];
      memcpy(alone, needed, sizeof alone);
      for (uint32_t k = 0; k < result->rank; k++) alone[result->labels[k]] = true;
      if (!sum_out(c, &terms[i], alone) || !contract(c, result, &terms[i], needed)) return false;
    }
    bool with_next[LABELS];
    memcpy(with_next, needed, sizeof with_next);
    if (!sum_out(c, result, with_next)) return false;
  }
  for (uint32_t i = 0; i < out_rank; i++) {
    if (find_label(result, out_labels[i]) < 0)
      return OX_BAD(c, "the result of attribute 'equation' names an unknown label");
  }
  return ox_out(c, 0, arrange(c, result, out_labels, out_rank));
}

#define FUSED "alpha:f=1 transA:i=0 transB:i=0 transBatchA:i=0 transBatchB:i=0"
static const ox_op ops[] = {
    {"", "MatMul", 1, 2, 2, 1, "", lower_matmul, 0, 0},
    {"", "Gemm", 1, 2, 3, 1, "alpha:f=1 beta:f=1 transA:i=0 transB:i=0 broadcast:i=0", lower_gemm, 0, 0},
    {"", "Gemm", 7, 2, 3, 1, "alpha:f=1 beta:f=1 transA:i=0 transB:i=0", lower_gemm, 0, 0},
    {"", "Einsum", 12, 1, OX_MANY, 1, "equation:s", lower_einsum, 0, 0},
    {"com.microsoft", "FusedGemm", 1, 2, 3, 1,
     "alpha:f=1 beta:f=1 transA:i=0 transB:i=0 activation:s activation_alpha:f activation_beta:f activation_gamma:f",
     lower_fused_gemm, 0, 0},
    {"com.microsoft", "GemmFastGelu", 1, 2, 3, 1, "", lower_gemm_fast_gelu, 0, 0},
    {"com.microsoft", "FusedMatMul", 1, 2, 2, 1, FUSED, lower_fused_matmul, 0, 0},
    {"com.microsoft", "TransposeMatMul", 1, 2, 2, 1, FUSED, lower_fused_matmul, 0, 0},
    {"com.microsoft", "FusedMatMulActivation", 1, 2, 2, 1,
     FUSED " activation:s activation_alpha:f activation_beta:f activation_gamma:f activation_axis:i",
     lower_fused_matmul, 0, 0},
};
OX_FAMILY(matrix, ops);
