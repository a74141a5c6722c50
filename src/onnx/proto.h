/* Model files in memory: the messages of the ONNX schema that matter here, decoded from the protobuf wire format into
 * flat structs. Strings are interned (equal names are equal pointers), tensor bytes stay where the file is. */
#ifndef WNN_ONNX_PROTO_H
#define WNN_ONNX_PROTO_H

#include "arena.h"

typedef struct ox_bytes {
  const uint8_t *data;
  size_t size;
} ox_bytes;

/* Arrays in the arena of the model. */
typedef struct ox_list {
  void *items;
  size_t count;
} ox_list;
#define OX_AT(list, type, index) ((type *)(list).items + (index))

/* Values of TensorProto.DataType. */
#define OX_TYPE_LIST(X)                                                                                                \
  X(OX_UNDEFINED, 0, "undefined")                                                                                      \
  X(OX_FLOAT, 1, "float")                                                                                              \
  X(OX_UINT8, 2, "uint8")                                                                                              \
  X(OX_INT8, 3, "int8")                                                                                                \
  X(OX_UINT16, 4, "uint16")                                                                                            \
  X(OX_INT16, 5, "int16")                                                                                              \
  X(OX_INT32, 6, "int32")                                                                                              \
  X(OX_INT64, 7, "int64")                                                                                              \
  X(OX_STRING, 8, "string")                                                                                            \
  X(OX_BOOL, 9, "bool")                                                                                                \
  X(OX_FLOAT16, 10, "float16")                                                                                         \
  X(OX_DOUBLE, 11, "double")                                                                                           \
  X(OX_UINT32, 12, "uint32")                                                                                           \
  X(OX_UINT64, 13, "uint64")                                                                                           \
  X(OX_COMPLEX64, 14, "complex64")                                                                                     \
  X(OX_COMPLEX128, 15, "complex128")                                                                                   \
  X(OX_BFLOAT16, 16, "bfloat16")                                                                                       \
  X(OX_FLOAT8E4M3FN, 17, "float8e4m3fn")                                                                               \
  X(OX_FLOAT8E4M3FNUZ, 18, "float8e4m3fnuz")                                                                           \
  X(OX_FLOAT8E5M2, 19, "float8e5m2")                                                                                   \
  X(OX_FLOAT8E5M2FNUZ, 20, "float8e5m2fnuz")                                                                           \
  X(OX_UINT4, 21, "uint4")                                                                                             \
  X(OX_INT4, 22, "int4")                                                                                               \
  X(OX_FLOAT4E2M1, 23, "float4e2m1")                                                                                   \
  X(OX_FLOAT8E8M0, 24, "float8e8m0")                                                                                   \
  X(OX_UINT2, 25, "uint2")                                                                                             \
  X(OX_INT2, 26, "int2")
typedef enum ox_type {
#define X(constant, value, name) constant = value,
  OX_TYPE_LIST(X)
#undef X
} ox_type;
const char *ox_type_name(int32_t type);
/* The WebNN type that carries an ONNX type; false when none does. */
bool ox_type_carrier(int32_t type, wnn_data_type *carrier);

typedef struct ox_entry {
  const char *key, *value;
} ox_entry;

typedef struct ox_tensor {
  const char *name;
  ox_list dims; /* int64_t */
  int32_t type;
  int32_t location; /* 1: external */
  bool has_raw;
  ox_bytes raw;
  ox_list external; /* ox_entry */
  bool has_segment;
  ox_bytes message; /* whole message: the typed fields are read when needed */
} ox_tensor;

typedef struct ox_sparse {
  ox_tensor *values, *indices;
  ox_list dims; /* int64_t */
} ox_sparse;

typedef enum ox_attr_type {
  OX_ATTR_NONE = 0,
  OX_ATTR_FLOAT = 1,
  OX_ATTR_INT = 2,
  OX_ATTR_STRING = 3,
  OX_ATTR_TENSOR = 4,
  OX_ATTR_GRAPH = 5,
  OX_ATTR_FLOATS = 6,
  OX_ATTR_INTS = 7,
  OX_ATTR_STRINGS = 8,
  OX_ATTR_TENSORS = 9,
  OX_ATTR_GRAPHS = 10,
  OX_ATTR_SPARSE = 11
} ox_attr_type;

struct ox_graph;
typedef struct ox_attr {
  const char *name, *ref;
  int32_t type;
  float f;
  int64_t i;
  ox_bytes s;
  ox_tensor *t;
  struct ox_graph *g;
  ox_sparse *sparse;
  ox_list floats;  /* float */
  ox_list ints;    /* int64_t */
  ox_list strings; /* ox_bytes */
} ox_attr;

typedef struct ox_node {
  const char *name, *op, *domain;
  ox_list inputs, outputs; /* const char *, "" where absent */
  ox_list attrs;           /* ox_attr */
} ox_node;

typedef struct ox_dim {
  bool has_size;
  int64_t size;
  const char *symbol;
} ox_dim;

typedef struct ox_shape_proto {
  ox_list dims; /* ox_dim */
} ox_shape_proto;

typedef struct ox_tensor_type {
  int32_t type;
  ox_shape_proto *shape; /* NULL: rank open */
} ox_tensor_type;

typedef struct ox_type_proto {
  ox_tensor_type *tensor;
  bool has_sequence, has_map, has_optional, has_sparse;
} ox_type_proto;

typedef struct ox_port {
  const char *name;
  ox_type_proto *type;
} ox_port;

typedef struct ox_graph {
  const char *name, *doc;
  ox_list nodes;           /* ox_node */
  ox_list initializers;    /* ox_tensor */
  ox_list sparse;          /* ox_sparse */
  ox_list inputs, outputs; /* ox_port */
  ox_list value_info;      /* ox_port */
} ox_graph;

typedef struct ox_opset {
  const char *domain;
  int64_t version;
} ox_opset;

typedef struct ox_function {
  const char *name, *domain;
  ox_list inputs, outputs, attr_names; /* const char * */
  ox_list attrs;                       /* ox_attr: those with defaults */
  ox_list nodes;                       /* ox_node */
  ox_list opsets;                      /* ox_opset */
} ox_function;

typedef struct ox_model_proto {
  int64_t ir_version, model_version;
  const char *producer_name, *producer_version, *domain, *doc;
  ox_graph *graph;
  ox_list opsets;    /* ox_opset */
  ox_list metadata;  /* ox_entry */
  ox_list functions; /* ox_function */
} ox_model_proto;

/* Unique copies of strings, in an arena. */
typedef struct ox_names {
  const char **slots;
  size_t capacity, count; /* capacity is a power of two, or 0 */
} ox_names;
/* NULL when memory is short. */
const char *ox_intern(ox_arena *arena, ox_names *names, const char *text, size_t length);

/* Deepest nesting of graphs in graphs. */
enum { OX_MAX_NESTING = 64 };

/* Decodes a ModelProto. WNN_DATA_ERROR with the place when malformed. */
wnn_status ox_decode_model(ox_arena *arena, ox_names *names, ox_bytes file, ox_model_proto *model, wnn_error *error);

/* Typed fields of a TensorProto, read on demand: float_data 4, int32_data 5, int64_data 7, double_data 10,
 * uint64_data 11. Elements as they are on the wire: 4, 8 byte floats or varints. `each` is called for every element
 * with its bits; it returns false to stop. False for malformed bytes or when stopped. */
typedef bool (*ox_element_fn)(void *user, uint64_t bits);
bool ox_tensor_field(ox_bytes message, uint32_t tag, ox_element_fn each, void *user);

#endif
