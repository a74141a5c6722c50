/* Table-driven decoding of the ONNX schema. The varints, tags and bounds of the protobuf wire format are nanopb's; what
 * goes where is said by the field tables below (field numbers of the public schema). */
#include "proto.h"

#include <pb_decode.h>
#include <stdlib.h>
#include <string.h>

typedef enum ox_kind {
  OX_K_I64,     /* int64_t */
  OX_K_I32,     /* int32_t */
  OX_K_F32,     /* float */
  OX_K_STRING,  /* const char *, interned */
  OX_K_BYTES,   /* ox_bytes */
  OX_K_MESSAGE, /* pointer to a struct */
  OX_K_FLAG,    /* bool: the field is there */
  OX_K_I64S,    /* lists of them */
  OX_K_F32S,
  OX_K_STRINGS,
  OX_K_BYTESS,
  OX_K_MESSAGES
} ox_kind;

struct ox_schema;
typedef struct ox_field {
  uint32_t tag;
  ox_kind kind;
  size_t offset;
  const struct ox_schema *message;
} ox_field;

typedef struct ox_schema {
  const char *name;
  size_t size;
  size_t self; /* offset of an ox_bytes that receives the whole message, or NO_SELF */
  const ox_field *fields;
  size_t count;
} ox_schema;
#define NO_SELF SIZE_MAX

#define FIELD(tag, kind, type, member)                                                                                 \
  { tag, kind, offsetof(type, member), NULL }
#define NESTED(tag, kind, type, member, schema)                                                                        \
  { tag, kind, offsetof(type, member), &schema }
#define SCHEMA(id, text, type, self)                                                                                   \
  static const ox_schema id = {text, sizeof(type), self, id##_fields, sizeof id##_fields / sizeof *id##_fields}

static const ox_field entry_fields[] = {FIELD(1, OX_K_STRING, ox_entry, key), FIELD(2, OX_K_STRING, ox_entry, value)};
SCHEMA(entry, "StringStringEntryProto", ox_entry, NO_SELF);

static const ox_field tensor_fields[] = {FIELD(1, OX_K_I64S, ox_tensor, dims),
                                         FIELD(2, OX_K_I32, ox_tensor, type),
                                         FIELD(3, OX_K_FLAG, ox_tensor, has_segment),
                                         FIELD(8, OX_K_STRING, ox_tensor, name),
                                         FIELD(9, OX_K_BYTES, ox_tensor, raw),
                                         FIELD(9, OX_K_FLAG, ox_tensor, has_raw),
                                         NESTED(13, OX_K_MESSAGES, ox_tensor, external, entry),
                                         FIELD(14, OX_K_I32, ox_tensor, location)};
SCHEMA(tensor, "TensorProto", ox_tensor, offsetof(ox_tensor, message));

static const ox_field sparse_fields[] = {NESTED(1, OX_K_MESSAGE, ox_sparse, values, tensor),
                                         NESTED(2, OX_K_MESSAGE, ox_sparse, indices, tensor),
                                         FIELD(3, OX_K_I64S, ox_sparse, dims)};
SCHEMA(sparse, "SparseTensorProto", ox_sparse, NO_SELF);

static const ox_schema graph;
static const ox_field attr_fields[] = {FIELD(1, OX_K_STRING, ox_attr, name),
                                       FIELD(2, OX_K_F32, ox_attr, f),
                                       FIELD(3, OX_K_I64, ox_attr, i),
                                       FIELD(4, OX_K_BYTES, ox_attr, s),
                                       NESTED(5, OX_K_MESSAGE, ox_attr, t, tensor),
                                       NESTED(6, OX_K_MESSAGE, ox_attr, g, graph),
                                       FIELD(7, OX_K_F32S, ox_attr, floats),
                                       FIELD(8, OX_K_I64S, ox_attr, ints),
                                       FIELD(9, OX_K_BYTESS, ox_attr, strings),
                                       FIELD(20, OX_K_I32, ox_attr, type),
                                       FIELD(21, OX_K_STRING, ox_attr, ref),
                                       NESTED(22, OX_K_MESSAGE, ox_attr, sparse, sparse)};
SCHEMA(attr, "AttributeProto", ox_attr, NO_SELF);

static const ox_field node_fields[] = {
    FIELD(1, OX_K_STRINGS, ox_node, inputs),        FIELD(2, OX_K_STRINGS, ox_node, outputs),
    FIELD(3, OX_K_STRING, ox_node, name),           FIELD(4, OX_K_STRING, ox_node, op),
    NESTED(5, OX_K_MESSAGES, ox_node, attrs, attr), FIELD(7, OX_K_STRING, ox_node, domain)};
SCHEMA(node, "NodeProto", ox_node, NO_SELF);

static const ox_field dim_fields[] = {FIELD(1, OX_K_I64, ox_dim, size), FIELD(1, OX_K_FLAG, ox_dim, has_size),
                                      FIELD(2, OX_K_STRING, ox_dim, symbol)};
SCHEMA(dim, "Dimension", ox_dim, NO_SELF);
static const ox_field shape_fields[] = {NESTED(1, OX_K_MESSAGES, ox_shape_proto, dims, dim)};
SCHEMA(shape, "TensorShapeProto", ox_shape_proto, NO_SELF);
static const ox_field tensor_type_fields[] = {FIELD(1, OX_K_I32, ox_tensor_type, type),
                                              NESTED(2, OX_K_MESSAGE, ox_tensor_type, shape, shape)};
SCHEMA(tensor_type, "TypeProto.Tensor", ox_tensor_type, NO_SELF);
static const ox_field type_proto_fields[] = {
    NESTED(1, OX_K_MESSAGE, ox_type_proto, tensor, tensor_type), FIELD(4, OX_K_FLAG, ox_type_proto, has_sequence),
    FIELD(5, OX_K_FLAG, ox_type_proto, has_map), FIELD(9, OX_K_FLAG, ox_type_proto, has_optional),
    FIELD(8, OX_K_FLAG, ox_type_proto, has_sparse)};
SCHEMA(type_proto, "TypeProto", ox_type_proto, NO_SELF);
static const ox_field port_fields[] = {FIELD(1, OX_K_STRING, ox_port, name),
                                       NESTED(2, OX_K_MESSAGE, ox_port, type, type_proto)};
SCHEMA(port, "ValueInfoProto", ox_port, NO_SELF);

static const ox_field graph_fields[] = {
    NESTED(1, OX_K_MESSAGES, ox_graph, nodes, node),          FIELD(2, OX_K_STRING, ox_graph, name),
    NESTED(5, OX_K_MESSAGES, ox_graph, initializers, tensor), FIELD(10, OX_K_STRING, ox_graph, doc),
    NESTED(11, OX_K_MESSAGES, ox_graph, inputs, port),        NESTED(12, OX_K_MESSAGES, ox_graph, outputs, port),
    NESTED(13, OX_K_MESSAGES, ox_graph, value_info, port),    NESTED(15, OX_K_MESSAGES, ox_graph, sparse, sparse)};
SCHEMA(graph, "GraphProto", ox_graph, NO_SELF);

static const ox_field opset_fields[] = {FIELD(1, OX_K_STRING, ox_opset, domain), FIELD(2, OX_K_I64, ox_opset, version)};
SCHEMA(opset, "OperatorSetIdProto", ox_opset, NO_SELF);
static const ox_field function_fields[] = {
    FIELD(1, OX_K_STRING, ox_function, name),           FIELD(4, OX_K_STRINGS, ox_function, inputs),
    FIELD(5, OX_K_STRINGS, ox_function, outputs),       FIELD(6, OX_K_STRINGS, ox_function, attr_names),
    NESTED(7, OX_K_MESSAGES, ox_function, nodes, node), NESTED(9, OX_K_MESSAGES, ox_function, opsets, opset),
    FIELD(10, OX_K_STRING, ox_function, domain),        NESTED(11, OX_K_MESSAGES, ox_function, attrs, attr)};
SCHEMA(function, "FunctionProto", ox_function, NO_SELF);
static const ox_field model_schema_fields[] = {FIELD(1, OX_K_I64, ox_model_proto, ir_version),
                                               FIELD(2, OX_K_STRING, ox_model_proto, producer_name),
                                               FIELD(3, OX_K_STRING, ox_model_proto, producer_version),
                                               FIELD(4, OX_K_STRING, ox_model_proto, domain),
                                               FIELD(5, OX_K_I64, ox_model_proto, model_version),
                                               FIELD(6, OX_K_STRING, ox_model_proto, doc),
                                               NESTED(7, OX_K_MESSAGE, ox_model_proto, graph, graph),
                                               NESTED(8, OX_K_MESSAGES, ox_model_proto, opsets, opset),
                                               NESTED(14, OX_K_MESSAGES, ox_model_proto, metadata, entry),
                                               NESTED(25, OX_K_MESSAGES, ox_model_proto, functions, function)};
SCHEMA(model_schema, "ModelProto", ox_model_proto, NO_SELF);
enum { MAX_FIELDS = 12 };

/* ---- Reading ------------------------------------------------------------------------------------ */

typedef struct ox_reader {
  ox_arena *arena;
  ox_names *names;
  wnn_error *error;
  int graphs; /* nesting of graphs now */
} ox_reader;

/* One field on the wire: a length-delimited payload or the bits of a number. */
typedef struct ox_wire {
  uint32_t tag;
  pb_wire_type_t type;
  ox_bytes payload;
  uint64_t bits;
} ox_wire;

typedef struct ox_cursor {
  pb_istream_t stream;
  const uint8_t *end;
} ox_cursor;

static void cursor_init(ox_cursor *cursor, ox_bytes bytes) {
  cursor->stream = pb_istream_from_buffer(bytes.data, bytes.size);
  cursor->end = bytes.size ? bytes.data + bytes.size : bytes.data;
}

/* 1: a field, 0: the end, -1: malformed. */
static int cursor_next(ox_cursor *cursor, ox_wire *wire) {
  pb_istream_t *stream = &cursor->stream;
  bool end = false;
  if (!pb_decode_tag(stream, &wire->type, &wire->tag, &end)) return end ? 0 : -1;
  wire->payload = (ox_bytes){NULL, 0};
  wire->bits = 0;
  switch (wire->type) {
  case PB_WT_VARINT: return pb_decode_varint(stream, &wire->bits) ? 1 : -1;
  case PB_WT_64BIT: return pb_decode_fixed64(stream, &wire->bits) ? 1 : -1;
  case PB_WT_32BIT: {
    uint32_t bits;
    if (!pb_decode_fixed32(stream, &bits)) return -1;
    wire->bits = bits;
    return 1;
  }
  case PB_WT_STRING: {
    uint64_t length;
    if (!pb_decode_varint(stream, &length) || length > stream->bytes_left) return -1;
    wire->payload = (ox_bytes){cursor->end - stream->bytes_left, (size_t)length};
    return pb_read(stream, NULL, (size_t)length) ? 1 : -1;
  }
  default: return -1;
  }
}

static wnn_status malformed(ox_reader *reader, const ox_schema *schema, const char *why) {
  return ox_error(reader->error, WNN_DATA_ERROR, "the model file is malformed: %s in a %s", why, schema->name);
}

static wnn_status no_memory(ox_reader *reader) {
  return ox_error(reader->error, WNN_OUT_OF_MEMORY, "memory is short while reading the model");
}

static bool is_list(ox_kind kind) { return kind >= OX_K_I64S; }

static bool wire_fits(ox_kind kind, pb_wire_type_t type) {
  switch (kind) {
  case OX_K_I64:
  case OX_K_I32: return type == PB_WT_VARINT;
  case OX_K_F32: return type == PB_WT_32BIT;
  case OX_K_I64S: return type == PB_WT_VARINT || type == PB_WT_STRING;
  case OX_K_F32S: return type == PB_WT_32BIT || type == PB_WT_STRING;
  case OX_K_FLAG: return true;
  default: return type == PB_WT_STRING;
  }
}

static size_t item_size(const ox_field *field) {
  switch (field->kind) {
  case OX_K_I64S: return sizeof(int64_t);
  case OX_K_F32S: return sizeof(float);
  case OX_K_STRINGS: return sizeof(const char *);
  case OX_K_BYTESS: return sizeof(ox_bytes);
  default: return field->message->size;
  }
}

static wnn_status decode(ox_reader *reader, const ox_schema *schema, ox_bytes bytes, void *into);

/* Elements that one occurrence of a list field adds; SIZE_MAX when malformed. */
static size_t occurrence_count(const ox_field *field, const ox_wire *wire) {
  if (wire->type != PB_WT_STRING) return 1;
  if (field->kind == OX_K_F32S) return wire->payload.size % 4 ? SIZE_MAX : wire->payload.size / 4;
  if (field->kind != OX_K_I64S) return 1;
  size_t count = 0;
  for (size_t i = 0; i < wire->payload.size; i++) count += !(wire->payload.data[i] & 0x80);
  return count;
}

static wnn_status intern_text(ox_reader *reader, const ox_schema *schema, ox_bytes text, const char **out) {
  if (text.size && memchr(text.data, 0, text.size)) return malformed(reader, schema, "a zero byte in a string");
  *out = ox_intern(reader->arena, reader->names, text.size ? (const char *)text.data : "", text.size);
  return *out ? WNN_OK : no_memory(reader);
}

static wnn_status store_numbers(ox_reader *reader, const ox_schema *schema, const ox_field *field, const ox_wire *wire,
                                char *item) {
  if (field->kind == OX_K_F32S) {
    if (wire->type == PB_WT_STRING) {
      if (wire->payload.size) memcpy(item, wire->payload.data, wire->payload.size);
    } else {
      uint32_t bits = (uint32_t)wire->bits;
      memcpy(item, &bits, 4);
    }
    return WNN_OK;
  }
  if (wire->type != PB_WT_STRING) {
    memcpy(item, &wire->bits, 8);
    return WNN_OK;
  }
  ox_cursor cursor;
  cursor_init(&cursor, wire->payload);
  while (cursor.stream.bytes_left) {
    uint64_t bits;
    if (!pb_decode_varint(&cursor.stream, &bits)) return malformed(reader, schema, "a broken number list");
    memcpy(item, &bits, 8);
    item += 8;
  }
  return WNN_OK;
}

static wnn_status store_list(ox_reader *reader, const ox_schema *schema, const ox_field *field, const ox_wire *wire,
                             ox_list *list) {
  size_t size = item_size(field);
  if (!list->items) return WNN_OK; /* every occurrence is an empty list */
  char *item = (char *)list->items + list->count * size;
  list->count += occurrence_count(field, wire);
  switch (field->kind) {
  case OX_K_I64S:
  case OX_K_F32S: return store_numbers(reader, schema, field, wire, item);
  case OX_K_STRINGS: return intern_text(reader, schema, wire->payload, (const char **)(void *)item);
  case OX_K_BYTESS: *(ox_bytes *)(void *)item = wire->payload; return WNN_OK;
  default: return decode(reader, field->message, wire->payload, item);
  }
}

static wnn_status store(ox_reader *reader, const ox_schema *schema, const ox_field *field, const ox_wire *wire,
                        void *into) {
  char *member = (char *)into + field->offset;
  if (!wire_fits(field->kind, wire->type)) return malformed(reader, schema, "a field of the wrong wire type");
  if (is_list(field->kind)) return store_list(reader, schema, field, wire, (ox_list *)(void *)member);
  switch (field->kind) {
  case OX_K_I64: memcpy(member, &wire->bits, 8); return WNN_OK;
  case OX_K_I32: {
    int32_t value = wire->bits > INT32_MAX ? -1 : (int32_t)wire->bits;
    memcpy(member, &value, 4);
    return WNN_OK;
  }
  case OX_K_F32: {
    uint32_t bits = (uint32_t)wire->bits;
    memcpy(member, &bits, 4);
    return WNN_OK;
  }
  case OX_K_STRING: return intern_text(reader, schema, wire->payload, (const char **)(void *)member);
  case OX_K_BYTES: *(ox_bytes *)(void *)member = wire->payload; return WNN_OK;
  case OX_K_FLAG: *(bool *)(void *)member = true; return WNN_OK;
  default: break;
  }
  void *message = ox_alloc(reader->arena, field->message->size);
  if (!message) return no_memory(reader);
  *(void **)(void *)member = message;
  return decode(reader, field->message, wire->payload, message);
}

/* First walk: sizes of the lists. */
static wnn_status count_lists(ox_reader *reader, const ox_schema *schema, ox_bytes bytes, void *into) {
  size_t counts[MAX_FIELDS] = {0};
  ox_cursor cursor;
  ox_wire wire;
  cursor_init(&cursor, bytes);
  int more;
  while ((more = cursor_next(&cursor, &wire)) > 0) {
    for (size_t i = 0; i < schema->count; i++) {
      const ox_field *field = &schema->fields[i];
      if (field->tag != wire.tag || !is_list(field->kind)) continue;
      if (!wire_fits(field->kind, wire.type)) return malformed(reader, schema, "a field of the wrong wire type");
      size_t add = occurrence_count(field, &wire);
      if (add == SIZE_MAX) return malformed(reader, schema, "a broken number list");
      counts[i] += add;
    }
  }
  if (more < 0) return malformed(reader, schema, "a broken or truncated field");
  for (size_t i = 0; i < schema->count; i++) {
    if (!counts[i]) continue;
    ox_list *list = (ox_list *)(void *)((char *)into + schema->fields[i].offset);
    list->items = ox_alloc_array(reader->arena, counts[i], item_size(&schema->fields[i]));
    if (!list->items) return no_memory(reader);
  }
  return WNN_OK;
}

/* Absent strings are "", not NULL. */
static void default_strings(const ox_schema *schema, void *into) {
  for (size_t i = 0; i < schema->count; i++) {
    if (schema->fields[i].kind == OX_K_STRING) *(const char **)(void *)((char *)into + schema->fields[i].offset) = "";
  }
}

/* Depth is bounded: only graphs nest without limit in the schema, and they are counted. */
static wnn_status decode(ox_reader *reader, const ox_schema *schema, ox_bytes bytes, void *into) {
  if (schema == &graph && ++reader->graphs > OX_MAX_NESTING) {
    return ox_error(reader->error, WNN_DATA_ERROR, "graphs are nested more than %d deep", OX_MAX_NESTING);
  }
  default_strings(schema, into);
  if (schema->self != NO_SELF) *(ox_bytes *)(void *)((char *)into + schema->self) = bytes;
  wnn_status status = count_lists(reader, schema, bytes, into);
  ox_cursor cursor;
  ox_wire wire;
  cursor_init(&cursor, bytes);
  while (!status && cursor_next(&cursor, &wire) > 0) {
    for (size_t i = 0; i < schema->count && !status; i++) {
      if (schema->fields[i].tag == wire.tag) status = store(reader, schema, &schema->fields[i], &wire, into);
    }
  }
  if (schema == &graph) reader->graphs--;
  return status;
}

static size_t text_hash(const char *text, size_t length) {
  uint64_t hash = UINT64_C(14695981039346656037);
  for (size_t i = 0; i < length; i++) hash = (hash ^ (uint8_t)text[i]) * UINT64_C(1099511628211);
  return (size_t)(hash ^ hash >> 29);
}

static bool names_grow(ox_arena *arena, ox_names *names) {
  size_t capacity = names->capacity ? names->capacity * 2 : 256;
  const char **slots = ox_alloc_array(arena, capacity, sizeof *slots);
  if (!slots) return false;
  for (size_t i = 0; i < names->capacity; i++) {
    if (!names->slots[i]) continue;
    size_t at = text_hash(names->slots[i], strlen(names->slots[i])) & (capacity - 1);
    while (slots[at]) at = (at + 1) & (capacity - 1);
    slots[at] = names->slots[i];
  }
  names->slots = slots;
  names->capacity = capacity;
  return true;
}

const char *ox_intern(ox_arena *arena, ox_names *names, const char *text, size_t length) {
  if (!length) return "";
  if (names->count * 2 >= names->capacity && !names_grow(arena, names)) return NULL;
  size_t at = text_hash(text, length) & (names->capacity - 1);
  for (; names->slots[at]; at = (at + 1) & (names->capacity - 1)) {
    if (!strncmp(names->slots[at], text, length) && !names->slots[at][length]) return names->slots[at];
  }
  char *copy = ox_alloc(arena, length + 1);
  if (!copy) return NULL;
  memcpy(copy, text, length);
  names->slots[at] = copy;
  names->count++;
  return copy;
}

wnn_status ox_decode_model(ox_arena *arena, ox_names *names, ox_bytes file, ox_model_proto *model, wnn_error *error) {
  ox_reader reader = {arena, names, error, 0};
  wnn_status status = decode(&reader, &model_schema, file, model);
  if (status) return status;
  if (!model->graph) return ox_error(error, WNN_DATA_ERROR, "the file holds no graph: not an ONNX model");
  return WNN_OK;
}

bool ox_tensor_field(ox_bytes message, uint32_t tag, ox_element_fn each, void *user) {
  ox_cursor cursor;
  ox_wire wire;
  cursor_init(&cursor, message);
  int more;
  size_t width = tag == 4 ? 4 : tag == 10 ? 8 : 0;
  while ((more = cursor_next(&cursor, &wire)) > 0) {
    if (wire.tag != tag) continue;
    if (wire.type != PB_WT_STRING) {
      if (!each(user, wire.bits)) return false;
      continue;
    }
    if (width && wire.payload.size % width) return false;
    ox_cursor packed;
    cursor_init(&packed, wire.payload);
    while (packed.stream.bytes_left) {
      uint64_t bits = 0;
      uint32_t bits32 = 0;
      bool good = width == 4   ? pb_decode_fixed32(&packed.stream, &bits32)
                  : width == 8 ? pb_decode_fixed64(&packed.stream, &bits)
                               : pb_decode_varint(&packed.stream, &bits);
      if (!good || !each(user, width == 4 ? bits32 : bits)) return false;
    }
  }
  return more == 0;
}

/* ---- Types -------------------------------------------------------------------------------------- */

const char *ox_type_name(int32_t type) {
  switch (type) {
#define X(constant, value, name)                                                                                       \
  case value: return name;
    OX_TYPE_LIST(X)
#undef X
  default: return "unknown";
  }
}

bool ox_type_carrier(int32_t type, wnn_data_type *carrier) {
  switch (type) {
  case OX_FLOAT:
  case OX_DOUBLE:
  case OX_BFLOAT16: *carrier = WNN_FLOAT32; return true;
  case OX_FLOAT16: *carrier = WNN_FLOAT16; return true;
  case OX_UINT16:
  case OX_INT16:
  case OX_INT32: *carrier = WNN_INT32; return true;
  case OX_UINT32: *carrier = WNN_UINT32; return true;
  case OX_INT64: *carrier = WNN_INT64; return true;
  case OX_UINT64: *carrier = WNN_UINT64; return true;
  case OX_INT4:
  case OX_INT2:
  case OX_INT8: *carrier = WNN_INT8; return true;
  case OX_BOOL:
  case OX_UINT4:
  case OX_UINT2:
  case OX_UINT8: *carrier = WNN_UINT8; return true;
  default: return false;
  }
}
