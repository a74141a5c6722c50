/* Reference kernels of where and clamp. */
#include "kernels/ref/util.h"

void wnn_ref_where(const wnn_task *task, size_t begin, size_t end, void *scratch) {
  (void)scratch;
  const wnn_desc *target = &task->outputs[0].desc;
  const uint8_t *condition = task->inputs[0].data;
  size_t size = wnn_data_type_size(target->data_type);
  wnn_ref_walk walk;
  wnn_ref_walk_init(&walk, target, begin);
  for (uint32_t i = 0; i < 3; i++) wnn_ref_walk_add_broadcast(&walk, &task->inputs[i].desc, target);
  for (size_t i = begin; i < end; i++, wnn_ref_walk_next(&walk)) {
    uint32_t chosen = condition[walk.offset[0]] ? 1 : 2;
    wnn_ref_copy_element(task->outputs[0].data, i, task->inputs[chosen].data, walk.offset[chosen], size);
  }
}

/* A missing limit and NaN are none. */
static bool has_limit(wnn_number number) {
  return number.kind != WNN_NUMBER_ABSENT && !(number.kind == WNN_NUMBER_DOUBLE && isnan(number.value.f64));
}

/* The limit rounded to the operand's type, or what changes nothing. */
static double float_limit(wnn_number number, wnn_data_type type, double none) {
  uint64_t element = 0;
  if (!has_limit(number)) return none;
  wnn_number_store(number, type, &element);
  return (double)wnn_ref_get_f32(&element, type, 0);
}

static uint64_t integer_limit(wnn_number number, wnn_data_type type, uint64_t none) {
  uint64_t element = 0;
  if (!has_limit(number)) return none;
  wnn_number_store(number, type, &element);
  return wnn_ref_get_u64(&element, type, 0);
}

static bool below(uint64_t a, uint64_t b, bool is_signed) { return is_signed ? (int64_t)a < (int64_t)b : a < b; }

void wnn_ref_clamp(const wnn_task *task, size_t begin, size_t end, void *scratch) {
  (void)scratch;
  const wnn_clamp_options *options = &((const wnn_clamp_args *)task->params)->options;
  const void *in = task->inputs[0].data;
  void *out = task->outputs[0].data;
  wnn_data_type type = task->inputs[0].desc.data_type;
  if (wnn_is_float(type)) {
    double low = float_limit(options->min_value, type, -INFINITY);
    double high = float_limit(options->max_value, type, INFINITY);
    for (size_t i = begin; i < end; i++) {
      double x = (double)wnn_ref_get_f32(in, type, i); /* NaN is neither below nor above */
      wnn_ref_put_f64(out, type, i, x < low ? low : x > high ? high : x);
    }
    return;
  }
  bool is_signed = wnn_is_signed(type);
  uint64_t low = integer_limit(options->min_value, type, (uint64_t)wnn_ref_int_min(type));
  uint64_t high = integer_limit(options->max_value, type, wnn_ref_int_max(type));
  for (size_t i = begin; i < end; i++) {
    uint64_t x = wnn_ref_get_u64(in, type, i);
    wnn_ref_put_u64(out, type, i, below(x, low, is_signed) ? low : below(high, x, is_signed) ? high : x);
  }
}
