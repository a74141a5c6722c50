/* Values seen in place. */
#include "compile/strided.h"

#include <string.h>

#include "base/shape.h"
#include "compile/compile.h"

/* Adds a factor to dimension `rank`, which grows; joins it with the one outside when their elements are evenly apart.
 */
static bool push(wnn_strided *s, size_t size, size_t step) {
  uint32_t end = s->first[s->rank + 1];
  if (size == 1) return true;
  if (end > s->first[s->rank] && s->factors[end - 1].step == size * step) {
    s->factors[end - 1] = (wnn_factor){s->factors[end - 1].size * size, step};
    return true;
  }
  if (end == WNN_STRIDED_FACTORS) return false;
  s->factors[end] = (wnn_factor){size, step};
  s->first[s->rank + 1]++;
  return true;
}

static void open_dimension(wnn_strided *s) { s->first[s->rank + 1] = s->first[s->rank]; }

static wnn_strided without_dimensions(const wnn_strided *s) {
  return (wnn_strided){.source = s->source, .offset = s->offset, .scale = s->scale};
}

void wnn_strided_dense(const wnn_ir *ir, uint32_t value, wnn_strided *s) {
  const wnn_desc *desc = &ir->values[value].desc;
  size_t steps[WNN_MAX_RANK];
  wnn_shape_strides(desc, steps);
  *s = (wnn_strided){.source = value, .scale = 1};
  for (; s->rank < desc->rank; s->rank++) {
    open_dimension(s);
    push(s, desc->shape[s->rank], steps[s->rank]);
  }
}

static bool copy_dimension(wnn_strided *s, const wnn_strided *from, uint32_t dimension) {
  for (uint32_t i = from->first[dimension]; i < from->first[dimension + 1]; i++)
    if (!push(s, from->factors[i].size, from->factors[i].step)) return false;
  return true;
}

bool wnn_strided_reshape(wnn_strided *s, uint32_t rank, const size_t *shape) {
  wnn_strided flat = without_dimensions(s), to = without_dimensions(s);
  open_dimension(&flat);
  for (uint32_t d = 0; d < s->rank; d++)
    if (!copy_dimension(&flat, s, d)) return false;
  uint32_t at = 0;
  for (; to.rank < rank; to.rank++) {
    open_dimension(&to);
    for (size_t need = shape[to.rank]; need > 1;) {
      if (at == flat.first[1]) return false;
      wnn_factor *f = &flat.factors[at];
      size_t taken = f->size < need ? f->size : need;
      if (need % taken || f->size % taken || !push(&to, taken, f->step * (f->size / taken))) return false;
      need /= taken;
      f->size /= taken;
      if (f->size == 1) at++;
    }
  }
  if (at != flat.first[1]) return false;
  *s = to;
  return true;
}

static size_t dimension_size(const wnn_strided *s, uint32_t dimension) {
  size_t size = 1;
  for (uint32_t i = s->first[dimension]; i < s->first[dimension + 1]; i++) size *= s->factors[i].size;
  return size;
}

bool wnn_strided_broadcast(wnn_strided *s, uint32_t rank, const uint32_t *shape) {
  if (s->rank > rank) return false;
  wnn_strided to = without_dimensions(s);
  for (; to.rank < rank; to.rank++) {
    open_dimension(&to);
    uint32_t missing = rank - s->rank;
    size_t size = to.rank < missing ? 1 : dimension_size(s, to.rank - missing);
    bool fine = size == shape[to.rank] ? to.rank < missing || copy_dimension(&to, s, to.rank - missing)
                                       : size == 1 && push(&to, shape[to.rank], 0);
    if (!fine) return false;
  }
  *s = to;
  return true;
}

static bool transpose(wnn_strided *s, const wnn_u32_list *permutation) {
  wnn_strided to = without_dimensions(s);
  for (; to.rank < permutation->count; to.rank++) {
    open_dimension(&to);
    if (!copy_dimension(&to, s, permutation->data[to.rank])) return false;
  }
  *s = to;
  return true;
}

/* Elements start, start + stride, ... of each dimension. */
static bool slice(wnn_strided *s, const uint32_t *starts, const uint32_t *strides, const uint32_t *sizes) {
  wnn_strided to = without_dimensions(s);
  for (; to.rank < s->rank; to.rank++) {
    open_dimension(&to);
    size_t step, stride = strides ? strides[to.rank] : 1;
    if (sizes[to.rank] == dimension_size(s, to.rank)) {
      if (!copy_dimension(&to, s, to.rank)) return false;
      continue;
    }
    if (!wnn_strided_step(s, to.rank, &step) || !push(&to, sizes[to.rank], step * stride)) return false;
    to.offset += starts[to.rank] * step;
  }
  *s = to;
  return true;
}

static bool is_scaling(const wnn_ir *ir, const wnn_node *node, double *factor, uint32_t *other) {
  if (node->op != WNN_OP_MUL && node->op != WNN_OP_DIV) return false;
  for (uint32_t i = 2; i-- > (node->op == WNN_OP_DIV ? 1u : 0u);) {
    if (!wnn_ir_scalar(ir, node->inputs[i], factor)) continue;
    *other = node->inputs[1 - i];
    if (node->op == WNN_OP_DIV) *factor = 1 / *factor;
    return wnn_desc_equal(&ir->values[*other].desc, &ir->values[node->outputs[0]].desc);
  }
  return false;
}

/* The value that a node moves (or multiplies), WNN_NONE for other nodes. */
static uint32_t moved_value(const wnn_ir *ir, const wnn_node *node, bool scaled) {
  double factor;
  uint32_t other;
  if (node->post_count) return WNN_NONE;
  switch (node->op) {
  case WNN_OP_IDENTITY:
  case WNN_OP_RESHAPE:
  case WNN_OP_TRANSPOSE:
  case WNN_OP_SLICE:
  case WNN_OP_SPLIT:
  case WNN_OP_EXPAND: return node->inputs[0];
  default: return scaled && is_scaling(ir, node, &factor, &other) ? other : WNN_NONE;
  }
}

bool wnn_strided_apply(const wnn_ir *ir, const wnn_node *node, uint32_t slot, wnn_strided *s) {
  const wnn_desc *out = &ir->values[node->outputs[slot]].desc;
  size_t shape[WNN_MAX_RANK];
  double factor;
  uint32_t starts[WNN_MAX_RANK] = {0}, other;
  for (uint32_t i = 0; i < out->rank; i++) shape[i] = out->shape[i];
  switch (node->op) {
  case WNN_OP_IDENTITY: return true;
  case WNN_OP_RESHAPE: return wnn_strided_reshape(s, out->rank, shape);
  case WNN_OP_EXPAND: return wnn_strided_broadcast(s, out->rank, out->shape);
  case WNN_OP_TRANSPOSE: return transpose(s, &((const wnn_transpose_args *)node->args)->options.permutation);
  case WNN_OP_SLICE: {
    const wnn_slice_args *args = node->args;
    return slice(s, args->starts.data, args->options.strides.count ? args->options.strides.data : NULL, out->shape);
  }
  case WNN_OP_SPLIT: {
    const uint32_t axis = ((const wnn_split_args *)node->args)->options.axis;
    for (uint32_t i = 0; i < slot; i++) starts[axis] += ir->values[node->outputs[i]].desc.shape[axis];
    return slice(s, starts, NULL, out->shape);
  }
  default:
    if (!is_scaling(ir, node, &factor, &other)) return false;
    s->scale *= factor;
    return true;
  }
}

void wnn_strided_of(const wnn_ir *ir, uint32_t value, bool scaled, wnn_strided *s) {
  enum { MOST = 16 };
  uint32_t chain[MOST], count = 0; /* values, from the last one back */
  for (uint32_t at = value; count < MOST; count++) {
    const wnn_node *node = wnn_ir_producer(ir, at);
    uint32_t before = node ? moved_value(ir, node, scaled) : WNN_NONE;
    if (before == WNN_NONE) {
      value = at;
      break;
    }
    chain[count] = at, value = at = before;
  }
  wnn_strided_dense(ir, value, s);
  while (count--) {
    const wnn_value *v = &ir->values[chain[count]];
    if (!wnn_strided_apply(ir, &ir->nodes[v->node], v->slot, s)) wnn_strided_dense(ir, chain[count], s);
  }
}

bool wnn_strided_invert(const wnn_strided *s, uint32_t value, wnn_strided *inverse) {
  wnn_factor digits[WNN_STRIDED_FACTORS]; /* step: where the digit lies in s */
  size_t steps[WNN_STRIDED_FACTORS];      /* where it lies in the source */
  uint32_t count = s->first[s->rank];
  size_t step = 1;
  if (s->offset || s->scale != 1) return false;
  for (uint32_t i = count; i-- > 0;) {
    digits[i] = (wnn_factor){s->factors[i].size, step};
    steps[i] = s->factors[i].step;
    step *= s->factors[i].size;
  }
  *inverse = (wnn_strided){.source = value, .scale = 1};
  open_dimension(inverse);
  /* The source is dense, so its digits follow each other by falling steps. */
  for (size_t whole = step; whole > 1;) {
    uint32_t most = 0;
    for (uint32_t i = 1; i < count; i++)
      if (steps[i] > steps[most]) most = i;
    if (!steps[most] || steps[most] * digits[most].size != whole) return false;
    whole = steps[most];
    if (!push(inverse, digits[most].size, digits[most].step)) return false;
    steps[most] = 0;
  }
  inverse->rank = 1;
  return true;
}

bool wnn_strided_step(const wnn_strided *s, uint32_t dimension, size_t *step) {
  uint32_t count = s->first[dimension + 1] - s->first[dimension];
  *step = count ? s->factors[s->first[dimension]].step : 1;
  return count <= 1;
}
