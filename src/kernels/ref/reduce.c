/* Reference kernel of the reductions. */
#include "kernels/ref/util.h"

/* The input split by dimensions: those of the output, and those reduced. Both descriptors only hold shapes. */
typedef struct split {
  wnn_desc kept, reduced;
  size_t kept_strides[WNN_MAX_RANK], reduced_strides[WNN_MAX_RANK];
  size_t count; /* elements for each output element */
} split;

static void split_init(split *parts, const wnn_desc *input, wnn_u32_list axes) {
  size_t strides[WNN_MAX_RANK];
  uint32_t mask = 0;
  wnn_shape_strides(input, strides);
  for (uint32_t i = 0; i < axes.count; i++) mask |= 1u << axes.data[i];
  parts->kept.rank = parts->reduced.rank = 0;
  for (uint32_t i = 0; i < input->rank; i++) {
    bool reduced = mask >> i & 1;
    wnn_desc *desc = reduced ? &parts->reduced : &parts->kept;
    (reduced ? parts->reduced_strides : parts->kept_strides)[desc->rank] = strides[i];
    desc->shape[desc->rank++] = input->shape[i];
  }
  parts->count = wnn_elements(&parts->reduced);
}

static void start(wnn_ref_walk *walk, const split *parts) {
  wnn_ref_walk_init(walk, &parts->reduced, 0);
  wnn_ref_walk_add(walk, parts->reduced_strides);
}

static float get(const wnn_view *input, size_t at, const wnn_ref_walk *walk) {
  return wnn_ref_get_f32(input->data, input->desc.data_type, at + walk->offset[0]);
}

static float extreme(const wnn_view *input, size_t at, const split *parts, bool greatest) {
  wnn_ref_walk walk;
  start(&walk, parts);
  float best = get(input, at, &walk);
  for (size_t k = 1; k < parts->count; k++) {
    wnn_ref_walk_next(&walk);
    float x = get(input, at, &walk);
    best = greatest ? wnn_ref_max_f32(best, x) : wnn_ref_min_f32(best, x);
  }
  return best;
}

/* Sum of f(x), or product of x, in float64: squares of float32 numbers neither overflow nor vanish there. */
static double fold(const wnn_view *input, size_t at, const split *parts, uint32_t op, double shift) {
  wnn_ref_walk walk;
  start(&walk, parts);
  double result = op == WNN_OP_REDUCE_PRODUCT ? 1 : 0;
  for (size_t k = 0; k < parts->count; k++, wnn_ref_walk_next(&walk)) {
    double x = (double)get(input, at, &walk);
    switch (op) {
    case WNN_OP_REDUCE_L1: result += fabs(x); break;
    case WNN_OP_REDUCE_L2:
    case WNN_OP_REDUCE_SUM_SQUARE: result += x * x; break;
    case WNN_OP_REDUCE_LOG_SUM_EXP: result += exp(x - shift); break;
    case WNN_OP_REDUCE_PRODUCT: result *= x; break;
    default: result += x; break;
    }
  }
  return result;
}

/* The greatest element taken out of the exponentials; infinite or NaN it is the result. */
static double log_sum_exp(const wnn_view *input, size_t at, const split *parts) {
  double greatest = (double)extreme(input, at, parts, true);
  if (!isfinite(greatest)) return greatest;
  return greatest + log(fold(input, at, parts, WNN_OP_REDUCE_LOG_SUM_EXP, greatest));
}

static double reduce_float(const wnn_view *input, size_t at, const split *parts, uint32_t op) {
  switch (op) {
  case WNN_OP_REDUCE_MAX: return (double)extreme(input, at, parts, true);
  case WNN_OP_REDUCE_MIN: return (double)extreme(input, at, parts, false);
  case WNN_OP_REDUCE_LOG_SUM_EXP: return log_sum_exp(input, at, parts);
  case WNN_OP_REDUCE_L2: return sqrt(fold(input, at, parts, op, 0));
  case WNN_OP_REDUCE_LOG_SUM: return log(fold(input, at, parts, op, 0));
  case WNN_OP_REDUCE_MEAN: return fold(input, at, parts, op, 0) / (double)parts->count;
  default: return fold(input, at, parts, op, 0);
  }
}

/* Extended to 64 bits; what wraps there wraps the same way in fewer bits. */
static uint64_t reduce_integer(const wnn_view *input, size_t at, const split *parts, uint32_t op) {
  wnn_data_type type = input->desc.data_type;
  uint64_t flip = wnn_is_signed(type) ? UINT64_C(1) << 63 : 0; /* makes signed numbers compare as unsigned */
  wnn_ref_walk walk;
  start(&walk, parts);
  uint64_t result = op == WNN_OP_REDUCE_PRODUCT ? 1 : 0;
  for (size_t k = 0; k < parts->count; k++, wnn_ref_walk_next(&walk)) {
    uint64_t x = wnn_ref_get_u64(input->data, type, at + walk.offset[0]);
    switch (op) {
    case WNN_OP_REDUCE_MAX: result = k && (result ^ flip) >= (x ^ flip) ? result : x; break;
    case WNN_OP_REDUCE_MIN: result = k && (result ^ flip) <= (x ^ flip) ? result : x; break;
    case WNN_OP_REDUCE_L1: result += x & flip ? 0 - x : x; break;
    case WNN_OP_REDUCE_PRODUCT: result *= x; break;
    case WNN_OP_REDUCE_SUM_SQUARE: result += x * x; break;
    default: result += x; break;
    }
  }
  return result;
}

void wnn_ref_reduce(const wnn_task *task, size_t begin, size_t end, void *scratch) {
  (void)scratch;
  const wnn_reduce_options *options = task->params; /* first in the argument struct of every reduction */
  const wnn_view *input = &task->inputs[0];
  void *out = task->outputs[0].data;
  wnn_data_type type = input->desc.data_type;
  split parts;
  split_init(&parts, &input->desc, options->axes);
  wnn_ref_walk walk;
  wnn_ref_walk_init(&walk, &parts.kept, begin);
  wnn_ref_walk_add(&walk, parts.kept_strides);
  for (size_t i = begin; i < end; i++, wnn_ref_walk_next(&walk)) {
    if (wnn_is_float(type))
      wnn_ref_put_f64(out, type, i, reduce_float(input, walk.offset[0], &parts, task->op));
    else
      wnn_ref_put_u64(out, type, i, reduce_integer(input, walk.offset[0], &parts, task->op));
  }
}
