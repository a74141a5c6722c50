/* Operators that WebNN cannot compute, evaluated here when their inputs are constant; and those that no static graph
 * can hold, refused with the reason. */
#include <math.h>
#include <string.h>

#include "import.h"

/* ---- Ranges and diagonals ---------------------------------------------------------------------------------------- */

static bool lower_range(ox_call *c) {
  wnn_data_type type = ox_in_desc(c, 0)->data_type;
  bool real = type == WNN_FLOAT32 || type == WNN_FLOAT16;
  double first, last, step, count;
  int64_t istart = 0, iend = 0, istep = 0;
  if (!ox_const_double(c, 0, "the start", &first) || !ox_const_double(c, 1, "the limit", &last) ||
      !ox_const_double(c, 2, "the step", &step))
    return false;
  if (step == 0) return OX_BAD(c, "the step is 0");
  if (real) {
    count = fmax(ceil((last - first) / step), 0);
  } else {
    if (!ox_const_int(c, 0, "the start", &istart) || !ox_const_int(c, 1, "the limit", &iend) ||
        !ox_const_int(c, 2, "the step", &istep))
      return false;
    bool up = istep > 0;
    uint64_t span = up ? (uint64_t)iend - (uint64_t)istart : (uint64_t)istart - (uint64_t)iend;
    uint64_t stride = up ? (uint64_t)istep : (uint64_t)0 - (uint64_t)istep;
    bool none = up ? iend <= istart : iend >= istart;
    count = none ? 0 : (double)((span - 1) / stride + 1);
  }
  if (!(count <= (double)(WNN_MAX_TENSOR_BYTES / 8))) return OX_BAD(c, "the range is too long");
  uint32_t n = (uint32_t)count;
  size_t size = wnn_data_type_size(type);
  char *data = ox_keep_alloc(c, n, size);
  for (uint32_t i = 0; data && i < n; i++) {
    if (real)
      ox_store_double(type, data, i, first + i * step);
    else
      wnn_number_store(wnn_number_int64((int64_t)((uint64_t)istart + i * (uint64_t)istep)), type, data + i * size);
  }
  return data && ox_out_const(c, 0, &(wnn_desc){type, 1, {n}}, data);
}

static bool lower_eye_like(ox_call *c) {
  wnn_desc desc = *ox_in_desc(c, 0);
  int64_t k = ox_attr_i(c, "k");
  if (desc.rank != 2) return OX_BAD(c, "an input of rank %u", desc.rank);
  if (ox_attr_find(c, "dtype")) {
    int64_t type = ox_attr_i(c, "dtype");
    if (!ox_type_carrier(type > 0 && type < 256 ? (int32_t)type : 0, &desc.data_type))
      return OX_UNSUPPORTED(c, "WebNN has no such data type");
  }
  size_t count;
  if (!ox_count_elements(&desc, &count)) return OX_BAD(c, "the result is too large");
  void *data = ox_keep_alloc(c, count, wnn_data_type_size(desc.data_type));
  for (uint32_t i = 0; data && i < desc.shape[0]; i++) {
    if (k > INT32_MAX || k < INT32_MIN || i + k < 0 || i + k >= desc.shape[1]) continue;
    ox_store_double(desc.data_type, data, (size_t)i * desc.shape[1] + (size_t)(i + k), 1);
  }
  return data && ox_out_const(c, 0, &desc, data);
}

/* ---- Results whose length depends on values -----------------------------------------------------------------------
 */

static bool lower_non_zero(ox_call *c) {
  if (!ox_need(c, 0, "the input of an operator whose result has no fixed length")) return false;
  const ox_value *x = c->in[0];
  size_t total, found = 0;
  if (!ox_count_elements(&x->desc, &total)) return OX_BAD(c, "the input is too large");
  for (size_t i = 0; i < total; i++) found += ox_load_double(x->desc.data_type, x->data, i) != 0;
  wnn_desc desc = {WNN_INT64, 2, {x->desc.rank, (uint32_t)found}};
  int64_t *data = ox_keep_alloc(c, found * (x->desc.rank ? x->desc.rank : 1), sizeof *data);
  if (!data) return false;
  size_t next = 0;
  for (size_t i = 0; i < total; i++) {
    if (ox_load_double(x->desc.data_type, x->data, i) == 0) continue;
    size_t rest = i;
    for (uint32_t d = x->desc.rank; d-- > 0;) {
      data[d * found + next] = (int64_t)(rest % x->desc.shape[d]);
      rest /= x->desc.shape[d];
    }
    next++;
  }
  return ox_out_const(c, 0, &desc, data);
}

/* Distinct slices of a tensor along an axis (of the flat tensor, without one), for constants of small models. */
enum { UNIQUE_LIMIT = 4096 };

typedef struct slices {
  wnn_data_type type;
  const void *data;
  size_t before, count, after; /* the tensor as [before, count, after] */
} slices;

static int compare_elements(const slices *s, size_t a, size_t b) {
  if (s->type == WNN_FLOAT32 || s->type == WNN_FLOAT16) {
    double x = ox_load_double(s->type, s->data, a), y = ox_load_double(s->type, s->data, b);
    if (isnan(x) || isnan(y)) return !!isnan(x) - !!isnan(y); /* one value, the greatest */
    return x < y ? -1 : x > y;
  }
  if (s->type == WNN_UINT64) {
    uint64_t x, y;
    memcpy(&x, (const char *)s->data + 8 * a, 8);
    memcpy(&y, (const char *)s->data + 8 * b, 8);
    return x < y ? -1 : x > y;
  }
  int64_t x = ox_load_int(s->type, s->data, a), y = ox_load_int(s->type, s->data, b);
  return x < y ? -1 : x > y;
}

static int compare_slices(const slices *s, size_t a, size_t b) {
  for (size_t i = 0; i < s->before; i++) {
    for (size_t k = 0; k < s->after; k++) {
      size_t row = i * s->count;
      int order = compare_elements(s, (row + a) * s->after + k, (row + b) * s->after + k);
      if (order) return order;
    }
  }
  return 0;
}

static bool read_slices(ox_call *c, slices *s, uint32_t *axis) {
  const ox_value *x = c->in[0];
  size_t total;
  *s = (slices){x->desc.data_type, x->data, 1, 1, 1};
  *axis = 0;
  if (!ox_count_elements(&x->desc, &total)) return OX_BAD(c, "the input is too large");
  if (!ox_attr_find(c, "axis")) {
    s->count = total;
  } else {
    if (!ox_axis(c, ox_attr_i(c, "axis"), x->desc.rank, axis)) return false;
    for (uint32_t i = 0; i < x->desc.rank; i++)
      *(i < *axis ? &s->before : i == *axis ? &s->count : &s->after) *= x->desc.shape[i];
  }
  if (s->count <= UNIQUE_LIMIT && total <= (size_t)UNIQUE_LIMIT * UNIQUE_LIMIT) return true;
  return OX_UNSUPPORTED(c, "more than %d elements", UNIQUE_LIMIT);
}

static bool lower_unique(ox_call *c) {
  if (!ox_need(c, 0, "the input of an operator whose result has no fixed length")) return false;
  slices s;
  uint32_t axis;
  if (!read_slices(c, &s, &axis)) return false;
  bool sorted = ox_attr_i(c, "sorted") != 0;
  size_t count = 0, size = wnn_data_type_size(s.type);
  int64_t *first = ox_keep_alloc(c, s.count, sizeof *first), *times = ox_keep_alloc(c, s.count, sizeof *times);
  int64_t *inverse = ox_keep_alloc(c, s.count, sizeof *inverse);
  char *data = ox_keep_alloc(c, s.count * s.before * s.after, size);
  size_t *starts = ox_temp(c, s.count, sizeof *starts), *order = ox_temp(c, s.count, sizeof *order);
  size_t *rank = ox_temp(c, s.count, sizeof *rank);
  if (!first || !times || !inverse || !data || !starts || !order || !rank) return false;
  /* Kinds of slices are numbered as they come; order lists them from the least. */
  for (size_t i = 0; i < s.count; i++) {
    size_t low = 0, high = count;
    while (low < high) {
      size_t middle = low + (high - low) / 2;
      if (compare_slices(&s, starts[order[middle]], i) < 0)
        low = middle + 1;
      else
        high = middle;
    }
    if (low == count || compare_slices(&s, starts[order[low]], i)) {
      memmove(order + low + 1, order + low, (count - low) * sizeof *order);
      order[low] = count;
      starts[count++] = i;
    }
    inverse[i] = (int64_t)order[low];
  }
  for (size_t i = 0; i < count; i++) rank[order[i]] = sorted ? i : order[i];
  for (size_t i = 0; i < count; i++) first[rank[i]] = (int64_t)starts[i];
  for (size_t i = 0; i < s.count; i++) {
    inverse[i] = (int64_t)rank[inverse[i]];
    times[inverse[i]]++;
  }
  for (size_t i = 0; i < s.before; i++) {
    for (size_t k = 0; k < count; k++)
      memcpy(data + (i * count + k) * s.after * size,
             (const char *)s.data + (i * s.count + (size_t)first[k]) * s.after * size, s.after * size);
  }
  wnn_desc values = {s.type, 1, {(uint32_t)count}};
  if (ox_attr_find(c, "axis")) {
    values = c->in[0]->desc;
    values.shape[axis] = (uint32_t)count;
  }
  const wnn_desc indices = {WNN_INT64, 1, {(uint32_t)count}}, back = {WNN_INT64, 1, {(uint32_t)s.count}};
  return ox_out_const(c, 0, &values, data) && ox_out_const(c, 1, &indices, first) &&
         ox_out_const(c, 2, &back, inverse) && ox_out_const(c, 3, &indices, times);
}

/* ---- Refused by name ------------------------------------------------------------------------------------------------
 */

enum { VALUES, RANDOM, STRINGS, SEQUENCES, TRAINING, SPARSE, PRECISION };
static const char *const reasons[] = {
    "the length of its result depends on values, WebNN tensors have fixed shapes: end the graph before it",
    "WebNN has no random numbers",
    "WebNN has no strings",
    "WebNN has no sequences or optional values",
    "training is no part of WebNN",
    "WebNN has no loops over generated tokens or sparse dispatch",
    "WebNN has no operation for it",
};

static bool lower_refused(ox_call *c) { return OX_UNSUPPORTED(c, "%s", reasons[c->op->arg]); }

#define REFUSED(domain, name, why)                                                                                     \
  { domain, name, 1, 0, OX_MANY, OX_MANY, "*", lower_refused, why, OX_INLINE }
static const ox_op ops[] = {
    {"", "Range", 11, 3, 3, 1, "", lower_range, 0, OX_INLINE},
    {"", "EyeLike", 9, 1, 1, 1, "dtype:i k:i=0", lower_eye_like, 0, OX_INLINE},
    {"", "NonZero", 9, 1, 1, 1, "", lower_non_zero, 0, OX_INLINE},
    {"", "Unique", 11, 1, 1, 4, "axis:i sorted:i=1", lower_unique, 0, OX_INLINE},
    REFUSED("", "NonMaxSuppression", VALUES),
    REFUSED("", "RandomNormal", RANDOM),
    REFUSED("", "RandomNormalLike", RANDOM),
    REFUSED("", "RandomUniform", RANDOM),
    REFUSED("", "RandomUniformLike", RANDOM),
    REFUSED("", "Multinomial", RANDOM),
    REFUSED("", "Bernoulli", RANDOM),
    REFUSED("", "StringNormalizer", STRINGS),
    REFUSED("", "StringConcat", STRINGS),
    REFUSED("", "StringSplit", STRINGS),
    REFUSED("", "RegexFullMatch", STRINGS),
    REFUSED("", "TfIdfVectorizer", STRINGS),
    REFUSED("", "SequenceConstruct", SEQUENCES),
    REFUSED("", "SequenceEmpty", SEQUENCES),
    REFUSED("", "SequenceInsert", SEQUENCES),
    REFUSED("", "SequenceErase", SEQUENCES),
    REFUSED("", "SequenceAt", SEQUENCES),
    REFUSED("", "SequenceLength", SEQUENCES),
    REFUSED("", "SequenceMap", SEQUENCES),
    REFUSED("", "SplitToSequence", SEQUENCES),
    REFUSED("", "ConcatFromSequence", SEQUENCES),
    REFUSED("", "Optional", SEQUENCES),
    REFUSED("", "OptionalGetElement", SEQUENCES),
    REFUSED("", "OptionalHasElement", SEQUENCES),
    REFUSED("", "ImageDecoder", PRECISION),
    REFUSED("", "SoftmaxCrossEntropyLoss", TRAINING),
    REFUSED("", "NegativeLogLikelihoodLoss", TRAINING),
    REFUSED("com.microsoft", "BeamSearch", SPARSE),
    REFUSED("com.microsoft", "GreedySearch", SPARSE),
    REFUSED("com.microsoft", "Sampling", SPARSE),
    REFUSED("com.microsoft", "MoE", SPARSE),
    REFUSED("com.microsoft", "QMoE", SPARSE),
    REFUSED("com.microsoft", "PackedAttention", SPARSE),
    REFUSED("com.microsoft", "PackedMultiHeadAttention", SPARSE),
    REFUSED("com.microsoft", "PagedAttention", SPARSE),
};
OX_FAMILY(host, ops);
