/* Helper functions of the manifest language: integers and shapes. */
#include "packs/ast.h"
#include "packs/types.h"

#include <math.h>

/* ---- Arguments -------------------------------------------------------------------------------------------- */

static double number_at(pk_vm *vm, const pk_value *args, uint32_t count, uint32_t index) {
  if (index >= count) {
    pk_fail(vm, WNN_DATA_ERROR, "argument %u is missing", index + 1);
    return 0;
  }
  if (args[index].kind == PK_BOOL) return args[index].as.boolean;
  if (!pk_is_number(args[index]))
    pk_fail(vm, WNN_DATA_ERROR, "argument %u is %s, not a number", index + 1, pk_kind_name(args[index]));
  return vm->failed ? 0 : args[index].as.number;
}

static double integer_at(pk_vm *vm, const pk_value *args, uint32_t count, uint32_t index) {
  double n = number_at(vm, args, count, index);
  if (!vm->failed && !pk_is_integer(pk_int(n))) pk_fail(vm, WNN_DATA_ERROR, "argument %u is not an integer", index + 1);
  return n;
}

static const pk_list *list_at(pk_vm *vm, const pk_value *args, uint32_t count, uint32_t index) {
  static const pk_list empty;
  if (index >= count || args[index].kind != PK_LIST) {
    pk_fail(vm, WNN_DATA_ERROR, "argument %u is %s, not a list", index + 1,
            index < count ? pk_kind_name(args[index]) : "missing");
    return &empty;
  }
  pk_step(vm, args[index].as.list->count / 8);
  return args[index].as.list;
}

static double dimension(const pk_list *list, uint32_t index) {
  return pk_is_number(list->items[index]) ? list->items[index].as.number : (double)NAN;
}

/* An axis in 0 .. length-1; negative ones and those past the end wrap around. -1 for an empty shape. */
static int64_t wrap(double axis, uint32_t length) {
  if (!length || !(fabs(axis) < 1e15) || axis != floor(axis)) return -1;
  double wrapped = fmod(axis, length);
  return (int64_t)(wrapped < 0 ? wrapped + length : wrapped);
}

/* ---- Numbers ------------------------------------------------------------------------------------------------- */

static pk_value h_ceil(pk_vm *vm, pk_value self, const pk_value *a, uint32_t n) {
  (void)self;
  return pk_number(ceil(number_at(vm, a, n, 0)));
}
static pk_value h_floor(pk_vm *vm, pk_value self, const pk_value *a, uint32_t n) {
  (void)self;
  return pk_number(floor(number_at(vm, a, n, 0)));
}
static pk_value h_pow(pk_vm *vm, pk_value self, const pk_value *a, uint32_t n) {
  (void)self;
  double x = number_at(vm, a, n, 0);
  return pk_number(pow(x, number_at(vm, a, n, 1)));
}
static pk_value h_ceil_div(pk_vm *vm, pk_value self, const pk_value *a, uint32_t n) {
  (void)self;
  double x = number_at(vm, a, n, 0), y = number_at(vm, a, n, 1);
  return pk_number(ceil(x / y));
}
static double extreme(pk_vm *vm, const pk_value *a, uint32_t n, double sign) {
  double best = -HUGE_VAL;
  for (uint32_t i = 0; i < n && !vm->failed; i++) {
    double x = sign * number_at(vm, a, n, i);
    if (isnan(x) || isnan(best))
      best = (double)NAN;
    else if (x > best)
      best = x;
  }
  return sign * best;
}
static pk_value h_min(pk_vm *vm, pk_value self, const pk_value *a, uint32_t n) {
  (void)self;
  return pk_number(extreme(vm, a, n, -1));
}
static pk_value h_max(pk_vm *vm, pk_value self, const pk_value *a, uint32_t n) {
  (void)self;
  return pk_number(extreme(vm, a, n, 1));
}

/* Least k with 2^k >= x. */
static double log2_ceil(double x) {
  int exponent;
  if (!(x > 1) || isinf(x)) return x > 1 ? x : 0;
  double fraction = frexp(x, &exponent);
  return fraction == 0.5 ? exponent - 1 : exponent;
}
static pk_value h_pow2ceil(pk_vm *vm, pk_value self, const pk_value *a, uint32_t n) {
  (void)self;
  return pk_number(ldexp(1, (int)fmin(log2_ceil(number_at(vm, a, n, 0)), 2000)));
}
static pk_value h_log2ceil(pk_vm *vm, pk_value self, const pk_value *a, uint32_t n) {
  (void)self;
  return pk_number(log2_ceil(number_at(vm, a, n, 0)));
}

/* ---- Sizes of shapes --------------------------------------------------------------------------------------------- */

static double product(const pk_list *list, uint32_t from, uint32_t to) {
  double result = 1;
  for (uint32_t i = from; i < to; i++) result *= dimension(list, i);
  return result;
}

static pk_value h_numel(pk_vm *vm, pk_value self, const pk_value *a, uint32_t n) {
  (void)self;
  const pk_list *shape = list_at(vm, a, n, 0);
  return pk_number(product(shape, 0, shape->count));
}
static pk_value h_dim(pk_vm *vm, pk_value self, const pk_value *a, uint32_t n) {
  (void)self;
  const pk_list *shape = list_at(vm, a, n, 0);
  int64_t axis = wrap(number_at(vm, a, n, 1), shape->count);
  return axis < 0 ? pk_null() : shape->items[axis];
}
static pk_value h_rows(pk_vm *vm, pk_value self, const pk_value *a, uint32_t n) {
  (void)self;
  const pk_list *shape = list_at(vm, a, n, 0);
  int64_t axis = wrap(number_at(vm, a, n, 1), shape->count);
  if (axis < 0) return pk_number(product(shape, 0, shape->count));
  return pk_number(product(shape, 0, (uint32_t)axis) * product(shape, (uint32_t)axis + 1, shape->count));
}
static pk_value h_outer(pk_vm *vm, pk_value self, const pk_value *a, uint32_t n) {
  (void)self;
  const pk_list *shape = list_at(vm, a, n, 0);
  int64_t axis = wrap(number_at(vm, a, n, 1), shape->count);
  return pk_number(product(shape, 0, axis < 0 ? 0 : (uint32_t)axis));
}
static pk_value h_inner(pk_vm *vm, pk_value self, const pk_value *a, uint32_t n) {
  (void)self;
  const pk_list *shape = list_at(vm, a, n, 0);
  int64_t axis = wrap(number_at(vm, a, n, 1), shape->count);
  return pk_number(product(shape, axis < 0 ? 0 : (uint32_t)axis + 1, shape->count));
}

/* ---- Shapes from shapes --------------------------------------------------------------------------------------------
 */

static pk_value part(pk_vm *vm, const pk_list *list, uint32_t from, uint32_t to) {
  pk_value out = pk_list_new(vm, to > from ? to - from : 0);
  for (uint32_t i = from; i < to && !vm->failed; i++) pk_list_push(vm, out.as.list, list->items[i]);
  return out;
}
static uint32_t clamp_count(double n, uint32_t most) { return n > 0 ? n < most ? (uint32_t)n : most : 0; }

static pk_value h_prefix(pk_vm *vm, pk_value self, const pk_value *a, uint32_t n) {
  (void)self;
  const pk_list *shape = list_at(vm, a, n, 0);
  return part(vm, shape, 0, clamp_count(number_at(vm, a, n, 1), shape->count));
}
static pk_value h_suffix(pk_vm *vm, pk_value self, const pk_value *a, uint32_t n) {
  (void)self;
  const pk_list *shape = list_at(vm, a, n, 0);
  return part(vm, shape, clamp_count(number_at(vm, a, n, 1), shape->count), shape->count);
}
static pk_value h_fill(pk_vm *vm, pk_value self, const pk_value *a, uint32_t n) {
  (void)self;
  double count = integer_at(vm, a, n, 1);
  if (!vm->failed && !(count >= 0 && count < 1e6)) pk_fail(vm, WNN_DATA_ERROR, "the count must be 0 or more");
  pk_value out = pk_list_new(vm, 0);
  for (double i = 0; i < count && pk_step(vm, 1); i++) pk_list_push(vm, out.as.list, a[0]);
  return out;
}
static pk_value h_move_axis(pk_vm *vm, pk_value self, const pk_value *a, uint32_t n) {
  (void)self;
  const pk_list *shape = list_at(vm, a, n, 0);
  double from = integer_at(vm, a, n, 1), to = integer_at(vm, a, n, 2), rank = shape->count;
  if (!vm->failed && (!shape->count || from < -rank || from >= rank || to < -rank || to >= rank))
    pk_fail(vm, WNN_DATA_ERROR, "axes must be in -%u .. %d", shape->count, (int)shape->count - 1);
  if (vm->failed) return pk_undefined();
  uint32_t source = (uint32_t)wrap(from, shape->count), target = (uint32_t)wrap(to, shape->count);
  pk_value out = part(vm, shape, 0, shape->count);
  if (vm->failed) return out;
  pk_value *items = out.as.list->items, moved = items[source];
  memmove(items + source, items + source + 1, (shape->count - source - 1) * sizeof *items);
  memmove(items + target + 1, items + target, (shape->count - target - 1) * sizeof *items);
  items[target] = moved;
  return out;
}
static pk_value h_permute_shape(pk_vm *vm, pk_value self, const pk_value *a, uint32_t n) {
  (void)self;
  const pk_list *shape = list_at(vm, a, n, 0), *axes = list_at(vm, a, n, 1);
  if (!vm->failed && axes->count != shape->count)
    pk_fail(vm, WNN_DATA_ERROR, "one axis a dimension is needed: %u for rank %u", axes->count, shape->count);
  pk_value out = pk_list_new(vm, shape->count), seen = pk_list_new(vm, shape->count);
  for (uint32_t i = 0; i < axes->count && !vm->failed; i++) {
    double axis = integer_at(vm, axes->items, axes->count, i);
    if (vm->failed || axis < -(double)axes->count || axis >= axes->count) {
      pk_fail(vm, WNN_DATA_ERROR, "axes must be in -%u .. %d", axes->count, (int)axes->count - 1);
      break;
    }
    int64_t at = wrap(axis, shape->count);
    for (uint32_t j = 0; j < i; j++)
      if (seen.as.list->items[j].as.number == (double)at) pk_fail(vm, WNN_DATA_ERROR, "axis %d comes twice", (int)at);
    pk_list_push(vm, seen.as.list, pk_int((double)at));
    pk_list_push(vm, out.as.list, shape->items[at]);
  }
  return out;
}
static pk_value h_reversed_axes(pk_vm *vm, pk_value self, const pk_value *a, uint32_t n) {
  (void)self;
  double rank = integer_at(vm, a, n, 0);
  if (!vm->failed && !(rank >= 0 && rank < 1e6)) pk_fail(vm, WNN_DATA_ERROR, "the rank must be 0 or more");
  pk_value out = pk_list_new(vm, 0);
  for (double i = rank - 1; i >= 0 && pk_step(vm, 1); i--) pk_list_push(vm, out.as.list, pk_int(i));
  return out;
}

static const char *shape_text(pk_vm *vm, const pk_list *list) {
  return pk_show(vm, (pk_value){.kind = PK_LIST, .as.list = (pk_list *)(uintptr_t)list});
}

static pk_value broadcast(pk_vm *vm, const pk_list *a, uint32_t a_count, const pk_list *b, uint32_t b_count) {
  uint32_t rank = a_count > b_count ? a_count : b_count;
  pk_value out = pk_list_new(vm, rank);
  for (uint32_t i = 0; i < rank && !vm->failed; i++) {
    double x = i + a_count < rank ? 1 : dimension(a, i + a_count - rank);
    double y = i + b_count < rank ? 1 : dimension(b, i + b_count - rank);
    if (x != y && x != 1 && y != 1)
      pk_fail(vm, WNN_DATA_ERROR, "shapes %s and %s cannot be broadcast", shape_text(vm, a), shape_text(vm, b));
    pk_list_push(vm, out.as.list, pk_number(x == 1 ? y : x));
  }
  return out;
}
static pk_value h_broadcast_shape(pk_vm *vm, pk_value self, const pk_value *a, uint32_t n) {
  (void)self;
  const pk_list *x = list_at(vm, a, n, 0), *y = list_at(vm, a, n, 1);
  return vm->failed ? pk_undefined() : broadcast(vm, x, x->count, y, y->count);
}
static pk_value h_matmul_shape(pk_vm *vm, pk_value self, const pk_value *a, uint32_t n) {
  (void)self;
  const pk_list *x = list_at(vm, a, n, 0), *y = list_at(vm, a, n, 1);
  if (!vm->failed && (!x->count || !y->count)) pk_fail(vm, WNN_DATA_ERROR, "operands must have at least one dimension");
  if (vm->failed) return pk_undefined();
  bool row = x->count == 1, column = y->count == 1;
  double inner = dimension(x, x->count - 1), other = dimension(y, column ? 0 : y->count - 2);
  if (inner != other)
    pk_fail(vm, WNN_DATA_ERROR, "inner dimensions of %s and %s differ", shape_text(vm, x), shape_text(vm, y));
  pk_value out = broadcast(vm, x, row ? 0 : x->count - 2, y, column ? 0 : y->count - 2);
  if (vm->failed) return out;
  if (!row) pk_list_push(vm, out.as.list, x->items[x->count - 2]);
  if (!column) pk_list_push(vm, out.as.list, y->items[y->count - 1]);
  return out;
}

/* ---- Questions
 * -------------------------------------------------------------------------------------------------------- */

static pk_value h_broadcastable(pk_vm *vm, pk_value self, const pk_value *a, uint32_t n) {
  (void)self;
  const pk_list *x = list_at(vm, a, n, 0), *y = list_at(vm, a, n, 1);
  if (x->count > y->count) return pk_bool(false);
  for (uint32_t i = 0; i < x->count; i++)
    if (dimension(x, i) != 1 && dimension(x, i) != dimension(y, i + y->count - x->count)) return pk_bool(false);
  return pk_bool(true);
}
static pk_value h_same_shape(pk_vm *vm, pk_value self, const pk_value *a, uint32_t n) {
  (void)self;
  const pk_list *x = list_at(vm, a, n, 0), *y = list_at(vm, a, n, 1);
  if (x->count != y->count) return pk_bool(false);
  for (uint32_t i = 0; i < x->count; i++)
    if (dimension(x, i) != dimension(y, i)) return pk_bool(false);
  return pk_bool(true);
}
/* Place of an axis in a list of axes, all modulo the rank; -1 when it is not there. */
static int64_t find_axis(const pk_list *axes, double axis, double rank) {
  uint32_t length = rank > 0 && rank < 1e6 ? (uint32_t)rank : 0;
  int64_t wanted = wrap(axis, length);
  for (uint32_t i = 0; wanted >= 0 && i < axes->count; i++)
    if (wrap(dimension(axes, i), length) == wanted) return i;
  return -1;
}
static pk_value h_has_axis(pk_vm *vm, pk_value self, const pk_value *a, uint32_t n) {
  (void)self;
  const pk_list *axes = list_at(vm, a, n, 0);
  double axis = number_at(vm, a, n, 1), rank = number_at(vm, a, n, 2);
  return pk_bool(find_axis(axes, axis, rank) >= 0);
}
static pk_value h_axis_value(pk_vm *vm, pk_value self, const pk_value *a, uint32_t n) {
  (void)self;
  const pk_list *values = list_at(vm, a, n, 0), *axes = list_at(vm, a, n, 1);
  double axis = number_at(vm, a, n, 2), rank = number_at(vm, a, n, 3);
  int64_t at = find_axis(axes, axis, rank);
  if (at >= 0 && at < values->count) return values->items[at];
  return n > 4 ? a[4] : pk_null();
}
static pk_value h_is_unique_int_list(pk_vm *vm, pk_value self, const pk_value *a, uint32_t n) {
  (void)self;
  if (n < 3 || a[0].kind != PK_LIST || !pk_is_integer(a[1]) || !pk_is_integer(a[2])) return pk_bool(false);
  const pk_list *list = a[0].as.list;
  double low = a[1].as.number, high = a[2].as.number, modulus = n > 3 && pk_is_number(a[3]) ? a[3].as.number : 0;
  if (high < low || modulus < 0 || modulus != floor(modulus)) return pk_bool(false);
  pk_step(vm, (uint64_t)list->count * list->count / 8);
  for (uint32_t i = 0; i < list->count && !vm->failed; i++) {
    if (!pk_is_integer(list->items[i]) || list->items[i].as.number < low || list->items[i].as.number >= high)
      return pk_bool(false);
    for (uint32_t j = 0; j < i; j++) {
      double difference = list->items[i].as.number - list->items[j].as.number;
      if (modulus ? fmod(difference, modulus) == 0 : difference == 0) return pk_bool(false);
    }
  }
  return pk_bool(true);
}
static pk_value h_has(pk_vm *vm, pk_value self, const pk_value *a, uint32_t n) {
  (void)self, (void)vm;
  return pk_bool(n > 1 && pk_is_map(a[0]) && a[1].kind == PK_STRING &&
                 pk_map_get(a[0].as.map, a[1].as.text, a[1].length));
}

/* ---- Types
 * ---------------------------------------------------------------------------------------------------------------- */

static pk_value h_dtype_bytes(pk_vm *vm, pk_value self, const pk_value *a, uint32_t n) {
  (void)self;
  const char *name = n && a[0].kind == PK_STRING ? a[0].as.text : "?";
  int type = pk_type_of_scalar(name);
  if (type < 0) type = pk_type_find(name);
  if (type < 0) pk_fail(vm, WNN_DATA_ERROR, "unknown data type %.40s", name);
  return type < 0 ? pk_undefined() : pk_int(pk_types[type].storage_bytes);
}
static pk_value h_onnx_dtype_code(pk_vm *vm, pk_value self, const pk_value *a, uint32_t n) {
  (void)self;
  const char *name = n && a[0].kind == PK_STRING ? a[0].as.text : "?";
  int type = pk_type_find(name);
  if (type < 0) pk_fail(vm, WNN_DATA_ERROR, "unknown data type %.40s", name);
  return type < 0 ? pk_undefined() : pk_int(pk_types[type].onnx_code);
}
static pk_value h_pick(pk_vm *vm, pk_value self, const pk_value *a, uint32_t n) {
  (void)self;
  const pk_list *pairs = list_at(vm, a, n, 0);
  for (uint32_t i = 0; i < pairs->count && !vm->failed; i++) {
    if (pairs->items[i].kind != PK_LIST || pairs->items[i].as.list->count < 2) {
      pk_fail(vm, WNN_DATA_ERROR, "items must be pairs of a condition and a value");
      return pk_undefined();
    }
    const pk_value *pair = pairs->items[i].as.list->items;
    if (pk_truthy(pair[0]) || pair[0].kind == PK_LIST || pair[0].kind == PK_MAP) return pair[1];
  }
  return n > 1 ? a[1] : pk_null();
}

static const struct {
  const char *name;
  pk_builtin *call;
} helpers[] = {{"ceil", h_ceil},
               {"floor", h_floor},
               {"min", h_min},
               {"max", h_max},
               {"pow", h_pow},
               {"ceilDiv", h_ceil_div},
               {"pow2ceil", h_pow2ceil},
               {"log2ceil", h_log2ceil},
               {"numel", h_numel},
               {"dim", h_dim},
               {"rows", h_rows},
               {"outer", h_outer},
               {"inner", h_inner},
               {"prefix", h_prefix},
               {"suffix", h_suffix},
               {"fill", h_fill},
               {"moveAxis", h_move_axis},
               {"permuteShape", h_permute_shape},
               {"reversedAxes", h_reversed_axes},
               {"broadcastShape", h_broadcast_shape},
               {"matmulShape", h_matmul_shape},
               {"broadcastable", h_broadcastable},
               {"sameShape", h_same_shape},
               {"hasAxis", h_has_axis},
               {"axisValue", h_axis_value},
               {"isUniqueIntList", h_is_unique_int_list},
               {"has", h_has},
               {"dtypeBytes", h_dtype_bytes},
               {"onnxDtypeCode", h_onnx_dtype_code},
               {"pick", h_pick}};

pk_value pk_helper(pk_vm *vm, const char *name, size_t length) {
  for (size_t i = 0; i < sizeof helpers / sizeof *helpers; i++)
    if (strlen(helpers[i].name) == length && !memcmp(helpers[i].name, name, length))
      return pk_builtin_value(vm, helpers[i].name, helpers[i].call, pk_undefined());
  return pk_undefined();
}
