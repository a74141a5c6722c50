/* Constants and shapes: operators that change what a tensor is called, not its elements. They work on constants without
 * a copy, so weights stay in the file. */
#include <math.h>
#include <string.h>

#include "import.h"

wnn_number ox_number_of(const ox_value *value) {
  wnn_data_type type = value->desc.data_type;
  if (type == WNN_FLOAT32 || type == WNN_FLOAT16) return wnn_number_double(ox_load_double(type, value->data, 0));
  if (type == WNN_UINT64) {
    uint64_t bits;
    memcpy(&bits, value->data, sizeof bits);
    return wnn_number_uint64(bits);
  }
  return wnn_number_int64(ox_load_int(type, value->data, 0));
}

bool ox_out_reshaped(ox_call *c, size_t index, ox_value *value, uint32_t rank, const uint32_t *shape) {
  wnn_desc desc = {value->desc.data_type, rank, {0}};
  if (rank) memcpy(desc.shape, shape, rank * sizeof *shape);
  if (rank == value->desc.rank && !memcmp(desc.shape, value->desc.shape, rank * sizeof *shape))
    return ox_out_value(c, index, value);
  if (value->constant) return ox_out_value(c, index, ox_value_const(c->im, &desc, value->data));
  return ox_out(c, index, ox_reshape(c, ox_use(c, value), rank, desc.shape));
}

static bool elements_of(ox_call *c, const wnn_desc *desc, uint64_t *count) {
  size_t elements;
  if (!ox_count_elements(desc, &elements)) return OX_BAD(c, "a tensor is too large");
  *count = elements;
  return true;
}

/* ---- Reshape and kin ------------------------------------------------------------------------------------- */

static bool lower_reshape(ox_call *c) {
  const wnn_desc *in = ox_in_desc(c, 0);
  ox_ints target;
  if (c->op->since < 5) {
    if (!ox_attr_ints(c, "shape", &target)) return OX_BAD(c, "attribute 'shape' is missing");
  } else if (!ox_const_ints(c, 1, "the shape", &target)) {
    return false;
  }
  if (target.count > WNN_MAX_RANK) return OX_UNSUPPORTED(c, "rank %zu is above %d", target.count, WNN_MAX_RANK);
  bool keep_zero = ox_attr_i(c, "allowzero") != 0;
  uint32_t shape[WNN_MAX_RANK] = {0}, rank = (uint32_t)target.count, open = rank;
  uint64_t total = 0, known = 1;
  if (!elements_of(c, in, &total)) return false;
  for (uint32_t i = 0; i < rank; i++) {
    int64_t size = target.at[i];
    if (size == -1) {
      if (open != rank) return OX_BAD(c, "the shape has more than one -1");
      open = i;
      continue;
    }
    if (size == 0 && !keep_zero) {
      if (i >= in->rank) return OX_BAD(c, "the shape copies dimension %u, which the input lacks", i);
      size = in->shape[i];
    }
    if (size < 0 || size > INT32_MAX) return OX_BAD(c, "the shape has an entry out of range");
    shape[i] = (uint32_t)size;
    if (size && known > UINT64_MAX / (uint64_t)size) return OX_BAD(c, "the shape is too large");
    known *= (uint64_t)size;
  }
  if (open != rank) {
    if (!known || total % known) return OX_BAD(c, "%llu elements do not fit the shape", (unsigned long long)total);
    if (total / known > INT32_MAX) return OX_BAD(c, "the shape is too large");
    shape[open] = (uint32_t)(total / known);
  } else if (known != total) {
    return OX_BAD(c, "%llu elements do not fit a shape of %llu", (unsigned long long)total, (unsigned long long)known);
  }
  return ox_out_reshaped(c, 0, c->in[0], rank, shape);
}

static bool lower_flatten(ox_call *c) {
  const wnn_desc *in = ox_in_desc(c, 0);
  int64_t axis = ox_attr_i(c, "axis");
  if (axis < -(int64_t)in->rank || axis > (int64_t)in->rank)
    return OX_BAD(c, "axis %lld is out of range", (long long)axis);
  if (axis < 0) axis += in->rank;
  uint64_t sizes[2] = {1, 1};
  for (uint32_t i = 0; i < in->rank; i++) sizes[i >= axis] *= in->shape[i];
  if (sizes[0] > INT32_MAX || sizes[1] > INT32_MAX) return OX_BAD(c, "the result is too large");
  return ox_out_reshaped(c, 0, c->in[0], 2, (const uint32_t[]){(uint32_t)sizes[0], (uint32_t)sizes[1]});
}

/* Axes from the attribute (before opset 13) or the second input, as a mask over `rank` dimensions. */
static bool axes_mask(ox_call *c, uint32_t rank, bool *present, bool mask[WNN_MAX_RANK]) {
  ox_ints axes;
  memset(mask, 0, WNN_MAX_RANK * sizeof *mask);
  *present = c->op->since < 13 ? ox_attr_ints(c, "axes", &axes) : ox_has(c, 1);
  if (!*present) return true;
  if (c->op->since >= 13 && !ox_const_ints(c, 1, "the axes", &axes)) return false;
  for (size_t i = 0; i < axes.count; i++) {
    uint32_t axis;
    if (!ox_axis(c, axes.at[i], rank, &axis)) return false;
    if (mask[axis]) return OX_BAD(c, "axis %u is given twice", axis);
    mask[axis] = true;
  }
  return true;
}

static bool lower_squeeze(ox_call *c) {
  const wnn_desc *in = ox_in_desc(c, 0);
  bool mask[WNN_MAX_RANK], present;
  uint32_t shape[WNN_MAX_RANK], rank = 0;
  if (!axes_mask(c, in->rank, &present, mask)) return false;
  for (uint32_t i = 0; i < in->rank; i++) {
    if (mask[i] && in->shape[i] != 1) return OX_BAD(c, "dimension %u is %u, not 1", i, in->shape[i]);
    if (present ? !mask[i] : in->shape[i] != 1) shape[rank++] = in->shape[i];
  }
  return ox_out_reshaped(c, 0, c->in[0], rank, shape);
}

static bool lower_unsqueeze(ox_call *c) {
  const wnn_desc *in = ox_in_desc(c, 0);
  ox_ints axes;
  if (c->op->since < 13 ? !ox_attr_ints(c, "axes", &axes) : !ox_const_ints(c, 1, "the axes", &axes)) {
    return OX_BAD(c, "the axes are missing");
  }
  if (in->rank + axes.count > WNN_MAX_RANK)
    return OX_UNSUPPORTED(c, "rank %zu is above %d", in->rank + axes.count, WNN_MAX_RANK);
  bool mask[WNN_MAX_RANK], present;
  uint32_t shape[WNN_MAX_RANK], rank = in->rank + (uint32_t)axes.count, next = 0;
  if (!axes_mask(c, rank, &present, mask)) return false;
  for (uint32_t i = 0; i < rank; i++) shape[i] = mask[i] ? 1 : in->shape[next++];
  return ox_out_reshaped(c, 0, c->in[0], rank, shape);
}

static bool lower_identity(ox_call *c) { return ox_out_value(c, 0, c->in[0]); }

static bool out_ones(ox_call *c, size_t index, const wnn_desc *shape) {
  wnn_desc desc = *shape;
  size_t count;
  desc.data_type = WNN_UINT8;
  if (!ox_count_elements(&desc, &count)) return OX_BAD(c, "a tensor is too large");
  if (count > 1024 * 1024) return ox_out(c, index, ox_fill(c, WNN_UINT8, desc.rank, desc.shape, 1));
  void *data = ox_keep_alloc(c, count, 1);
  if (!data) return false;
  memset(data, 1, count);
  return ox_out_const(c, index, &desc, data);
}

static bool lower_dropout(ox_call *c) {
  int64_t training = 0;
  if (c->op->since >= 12 && ox_has(c, 2) && !ox_const_int(c, 2, "training_mode", &training)) return false;
  if (training) return OX_UNSUPPORTED(c, "training mode");
  if (ox_wants(c, 1) && !out_ones(c, 1, ox_in_desc(c, 0))) return false;
  return ox_out_value(c, 0, c->in[0]);
}

/* ---- Shape, Size, constants -------------------------------------------------------------------------------- */

static bool out_ints(ox_call *c, const int64_t *values, uint32_t rank, uint32_t count) {
  int64_t *data = ox_keep_alloc(c, count, sizeof *data);
  if (!data) return false;
  if (count) memcpy(data, values, count * sizeof *data);
  return ox_out_const(c, 0, &(wnn_desc){WNN_INT64, rank, {count}}, data);
}

static bool lower_shape(ox_call *c) {
  const wnn_desc *in = ox_in_desc(c, 0);
  int64_t sizes[WNN_MAX_RANK], start = ox_attr_i(c, "start"),
                               end = ox_attr_find(c, "end") ? ox_attr_i(c, "end") : in->rank;
  if (start < 0) start += in->rank;
  if (end < 0) end += in->rank;
  if (start < 0) start = 0;
  if (end > in->rank) end = in->rank;
  uint32_t count = 0;
  for (int64_t i = start; i < end; i++) sizes[count++] = in->shape[i];
  return out_ints(c, sizes, 1, count);
}

static bool lower_size(ox_call *c) {
  uint64_t total = 0;
  if (!elements_of(c, ox_in_desc(c, 0), &total)) return false;
  int64_t size = (int64_t)total;
  return out_ints(c, &size, 0, 1);
}

static bool constant_list(ox_call *c, const ox_attr *attr, wnn_data_type type, const void *items, size_t count,
                          bool scalar) {
  size_t size = wnn_data_type_size(type);
  void *data = ox_keep_alloc(c, count, size);
  if (!data) return false;
  if (count > INT32_MAX) return OX_BAD(c, "attribute '%.60s' is too long", attr->name);
  if (count) memcpy(data, items, count * size);
  return ox_out_const(c, 0, &(wnn_desc){type, scalar ? 0 : 1, {(uint32_t)count}}, data);
}

static bool lower_constant(ox_call *c) {
  const ox_attr *attr;
  ox_const loaded;
  wnn_error error;
  wnn_status status;
  if ((attr = ox_attr_find(c, "value"))) {
    status = ox_tensor_load(c->im->model, attr->t, &c->im->keep->arena, &loaded, &error);
    if (status) return ox_fail(c, status, "%s", error.message);
    if (!ox_out_const(c, 0, &loaded.desc, loaded.data)) return false;
    if (c->out_count) c->out[0].value->onnx_type = attr->t->type;
    return true;
  }
  if ((attr = ox_attr_find(c, "sparse_value"))) {
    status = ox_sparse_load(c->im->model, attr->sparse, &c->im->keep->arena, &loaded, &error);
    return status ? ox_fail(c, status, "%s", error.message) : ox_out_const(c, 0, &loaded.desc, loaded.data);
  }
  if ((attr = ox_attr_find(c, "value_float"))) return constant_list(c, attr, WNN_FLOAT32, &attr->f, 1, true);
  if ((attr = ox_attr_find(c, "value_int"))) return constant_list(c, attr, WNN_INT64, &attr->i, 1, true);
  if ((attr = ox_attr_find(c, "value_floats")))
    return constant_list(c, attr, WNN_FLOAT32, attr->floats.items, attr->floats.count, false);
  if ((attr = ox_attr_find(c, "value_ints")))
    return constant_list(c, attr, WNN_INT64, attr->ints.items, attr->ints.count, false);
  if (ox_attr_find(c, "value_string") || ox_attr_find(c, "value_strings"))
    return OX_UNSUPPORTED(c, "WebNN has no strings");
  return OX_BAD(c, "it has no value");
}

/* Larger fills are made in the graph. */
enum { HOST_BYTES = 1024 * 1024 };

static bool lower_constant_of_shape(ox_call *c) {
  ox_ints shape;
  ox_const value = {{WNN_FLOAT32, 0, {0}}, 1, ""};
  static const float zero = 0;
  value.data = &zero;
  if (!ox_const_ints(c, 0, "the shape", &shape)) return false;
  const ox_attr *attr = ox_attr_find(c, "value");
  if (attr) {
    wnn_error error;
    wnn_status status = ox_tensor_load(c->im->model, attr->t, &c->im->keep->arena, &value, &error);
    if (status) return ox_fail(c, status, "%s", error.message);
    if (value.elements != 1) return OX_BAD(c, "attribute 'value' must hold one element");
  }
  if (shape.count > WNN_MAX_RANK) return OX_UNSUPPORTED(c, "rank %zu is above %d", shape.count, WNN_MAX_RANK);
  wnn_desc desc = {value.desc.data_type, (uint32_t)shape.count, {0}};
  for (uint32_t i = 0; i < desc.rank; i++) {
    if (shape.at[i] < 0 || shape.at[i] > INT32_MAX) return OX_BAD(c, "the shape has an entry out of range");
    desc.shape[i] = (uint32_t)shape.at[i];
  }
  size_t count, size = wnn_data_type_size(desc.data_type);
  if (!ox_count_elements(&desc, &count)) return OX_BAD(c, "the result is too large");
  if (count * size > HOST_BYTES) {
    wnn_operand *one = ox_constant(c, &(wnn_desc){desc.data_type, 0, {0}}, value.data);
    return ox_out(c, 0, ox_expand(c, one, desc.rank, desc.shape));
  }
  char *data = ox_keep_alloc(c, count, size);
  for (size_t i = 0; data && i < count; i++) memcpy(data + i * size, value.data, size);
  return data && ox_out_const(c, 0, &desc, data);
}

/* ---- Cast ------------------------------------------------------------------------------------------------- */

static bool cast_to(ox_call *c, int32_t to) {
  wnn_data_type type;
  if (!ox_type_carrier(to, &type)) return OX_UNSUPPORTED(c, "WebNN has no data type for %s", ox_type_name(to));
  wnn_desc desc = *ox_in_desc(c, 0);
  if (desc.data_type == type && to != OX_BOOL) return ox_out_value(c, 0, c->in[0]);
  desc.data_type = type;
  if (ox_empty(c, 0)) return ox_out_const(c, 0, &desc, NULL);
  wnn_operand *x = ox_in(c, 0);
  return ox_out(c, 0, to == OX_BOOL ? ox_bool(c, x) : ox_cast(c, x, type));
}

static int32_t type_by_name(const char *name) {
  static const char *const upper[] = {"FLOAT",  "UINT8", "INT8",    "UINT16", "INT16",  "INT32", "INT64",
                                      "STRING", "BOOL",  "FLOAT16", "DOUBLE", "UINT32", "UINT64"};
  for (int32_t i = 0; i < (int32_t)(sizeof upper / sizeof *upper); i++) {
    if (!strcmp(name, upper[i])) return i + 1;
  }
  return OX_UNDEFINED;
}

static bool lower_cast(ox_call *c) {
  char text[64];
  if (c->op->since < 6) return cast_to(c, type_by_name(ox_attr_text(c, "to", text)));
  int64_t to = ox_attr_i(c, "to");
  return cast_to(c, to > 0 && to < 256 ? (int32_t)to : OX_UNDEFINED);
}

/* Booleans and bytes share a carrier: only the file knows which is meant. */
static bool lower_cast_like(ox_call *c) {
  if (c->in[1]->onnx_type) return cast_to(c, c->in[1]->onnx_type);
  return ox_out(c, 0, ox_cast(c, ox_in(c, 0), ox_in_desc(c, 1)->data_type));
}

/* The same bits under another type: constants only, WebNN has no such operation. */
static bool lower_bit_cast(ox_call *c) {
  int64_t to = ox_attr_i(c, "to");
  wnn_data_type type;
  if (!ox_type_carrier(to > 0 && to < 256 ? (int32_t)to : 0, &type))
    return OX_UNSUPPORTED(c, "WebNN has no such data type");
  wnn_desc desc = *ox_in_desc(c, 0);
  if (desc.data_type == type) return ox_out_value(c, 0, c->in[0]);
  if (wnn_data_type_size(type) != wnn_data_type_size(desc.data_type)) return OX_BAD(c, "the types differ in width");
  if (!c->in[0]->constant) return OX_UNSUPPORTED(c, "WebNN has no operation for it, its input is no constant");
  desc.data_type = type;
  return ox_out_const(c, 0, &desc, c->in[0]->data);
}

static const ox_op ops[] = {
    {"", "Reshape", 1, 1, 1, 1, "shape:I consumed_inputs:I", lower_reshape, 0, OX_INLINE},
    {"", "Reshape", 5, 2, 2, 1, "allowzero:i=0", lower_reshape, 0, OX_INLINE},
    {"", "Flatten", 1, 1, 1, 1, "axis:i=1", lower_flatten, 0, OX_INLINE},
    {"", "Squeeze", 1, 1, 1, 1, "axes:I", lower_squeeze, 0, OX_INLINE},
    {"", "Squeeze", 13, 1, 2, 1, "", lower_squeeze, 0, OX_INLINE},
    {"", "Unsqueeze", 1, 1, 1, 1, "axes:I", lower_unsqueeze, 0, OX_INLINE},
    {"", "Unsqueeze", 13, 2, 2, 1, "", lower_unsqueeze, 0, OX_INLINE},
    {"", "Identity", 1, 1, 1, 1, "", lower_identity, 0, OX_INLINE},
    {"", "Dropout", 1, 1, 1, 2, "is_test:i=0 ratio:f=0.5 consumed_inputs:I", lower_dropout, 0, OX_INLINE},
    {"", "Dropout", 7, 1, 1, 2, "ratio:f=0.5", lower_dropout, 0, OX_INLINE},
    {"", "Dropout", 12, 1, 3, 2, "seed:i", lower_dropout, 0, OX_INLINE},
    {"", "Shape", 1, 1, 1, 1, "", lower_shape, 0, OX_INLINE},
    {"", "Shape", 15, 1, 1, 1, "start:i=0 end:i", lower_shape, 0, OX_INLINE},
    {"", "Size", 1, 1, 1, 1, "", lower_size, 0, OX_INLINE},
    {"", "Constant", 1, 0, 0, 1, "value:t", lower_constant, 0, OX_INLINE},
    {"", "Constant", 11, 0, 0, 1,
     "value:t sparse_value:p value_float:f value_floats:F value_int:i value_ints:I value_string:s value_strings:S",
     lower_constant, 0, OX_INLINE},
    {"", "ConstantOfShape", 9, 1, 1, 1, "value:t", lower_constant_of_shape, 0, OX_INLINE},
    {"", "Cast", 1, 1, 1, 1, "to:s", lower_cast, 0, 0},
    {"", "Cast", 6, 1, 1, 1, "to:i", lower_cast, 0, 0},
    {"", "Cast", 19, 1, 1, 1, "to:i saturate:i=1 round_mode:s=up", lower_cast, 0, 0},
    {"", "CastLike", 15, 2, 2, 1, "saturate:i=1 round_mode:s=up", lower_cast_like, 0, 0},
    {"", "BitCast", 26, 1, 1, 1, "to:i", lower_bit_cast, 0, OX_INLINE},
};
OX_FAMILY(shape, ops);
