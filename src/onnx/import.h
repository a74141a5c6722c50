/* Lowering of one model into one builder. The walk over the nodes lives in import.c; a lowering function sees a call:
 * one node with its inputs resolved, a builder to add operations to, and slots for the results.
 *
 * Every tensor of the model is a value: either a constant on the host, or an operand of the builder that is made, or
 * both. Nodes whose inputs are all constants are folded: their lowering runs in a builder of a small context of its
 * own and the results are read back. So shape arithmetic needs no second implementation. */
#ifndef WNN_ONNX_IMPORT_H
#define WNN_ONNX_IMPORT_H

#include "tensor.h"

/* Memory of constants that graphs borrow; counted, freed with the last user. */
typedef struct ox_keep {
  atomic_uint references;
  ox_arena arena;
  wnn_onnx_model *model;
} ox_keep;
ox_keep *ox_keep_create(wnn_onnx_model *model);
void ox_keep_release(void *keep);

typedef struct ox_value {
  const char *name;
  wnn_desc desc; /* may hold zeros: no elements, always constant */
  bool lost;     /* of an unsupported node, in a check */
  bool constant; /* data is there (or pending) */
  const void *data;
  const ox_tensor *pending; /* initializer not loaded yet */
  const ox_sparse *pending_sparse;
  wnn_operand *operand;        /* in the builder of the import, made when first needed */
  int32_t onnx_type;           /* as the file has it, for tensors of the file; else 0 */
  const struct ox_call *maker; /* the node it is a result of, when that was lowered into the graph */
  uint32_t steer;              /* 1 + the graph input that alone decides this value; 0: none or several */
} ox_value;

/* Attributes of the call of a model function, for references from its body. */
struct ox_call;
typedef struct ox_scope {
  struct ox_scope *parent;      /* of subgraphs: outer names are visible */
  const struct ox_call *caller; /* of functions: attributes are visible */
  const ox_function *function;
  const ox_list *opsets; /* ox_opset */
  const char **keys;     /* interned names, open addressing */
  ox_value **values;
  size_t capacity, count;
} ox_scope;

struct ox_op;
typedef struct ox_import {
  wnn_onnx_model *model;
  const wnn_onnx_options *options;
  wnn_builder *builder;
  wnn_context *fold_context; /* made when first needed */
  bool own_fold_context;
  ox_keep *keep;
  ox_arena arena;
  uint32_t nodes, max_nodes;
  uint64_t host_bytes; /* computed at import */
  int depth;           /* of subgraphs and functions */
  uint64_t folded, lowered;
  ox_value **inputs; /* of the main graph, in the order of the model's ports; NULL when not declared */
  ox_value **outputs;
  ox_value absent; /* stands for an optional input of a function that the call leaves out */
  wnn_error error;
  bool failed;
  uint32_t need;             /* 1 + the graph input whose value the failure asks for; 0: none */
  wnn_onnx_report_fn report; /* set in a check */
  void *user;
  size_t unsupported;
} ox_import;

typedef struct ox_result {
  wnn_operand *operand;
  ox_value *value; /* wins: an existing or constant value */
} ox_result;

typedef struct ox_call {
  ox_import *im;
  ox_scope *scope;
  const ox_node *node;
  const struct ox_op *op;
  int64_t opset;
  wnn_builder *builder;
  bool folding;
  ox_value **in;
  size_t in_count;
  wnn_operand **in_operands; /* of constants, while folding */
  ox_result *out;
  size_t out_count;
  const char *label;
  bool failed;
} ox_call;

typedef bool ox_lower_fn(ox_call *c);

/* A row of the operator table. attrs: "name:type=default" separated by blanks; types i f s I F S t g p (integer, float,
 * string, lists of them, tensor, graph, sparse tensor). A row holds from its version to that of the next row of the
 * same operator. */
typedef struct ox_op {
  const char *domain, *name;
  uint16_t since;
  uint8_t min_inputs, max_inputs; /* OX_MANY: any number */
  uint8_t max_outputs;
  const char *attrs;
  ox_lower_fn *lower;
  int arg; /* for the lowering: often a wnn_op */
  uint32_t flags;
} ox_op;
enum { OX_MANY = 255 };
enum {
  OX_NO_FOLD = 1,   /* stays in the graph unless tiny: kernels want to see it */
  OX_INLINE = 2,    /* handles constants itself, never run in a folding builder */
  OX_LOST_OK = 4,   /* looks only at inputs it needs */
  OX_AXES_INPUT = 8 /* axes come as the second input, not as an attribute */
};

typedef struct ox_family {
  const ox_op *ops;
  size_t count;
} ox_family;
#define OX_FAMILY_LIST(X)                                                                                              \
  X(elementwise)                                                                                                       \
  X(activation)                                                                                                        \
  X(conv)                                                                                                              \
  X(pool)                                                                                                              \
  X(shape) X(move) X(slice) X(index) X(scatter) X(resize) X(matrix) X(norm) X(reduce) X(recurrent) X(quantized)        \
      X(blocks) X(attention) X(transformer) X(host) X(control) X(sample) X(signal) X(linear)
#define X(name) extern const ox_family ox_##name##_family;
OX_FAMILY_LIST(X)
#undef X
#define OX_FAMILY(name, rows) const ox_family ox_##name##_family = {rows, sizeof(rows) / sizeof *(rows)}

/* The row for an operator at an opset version; known tells whether the operator has any row. */
const ox_op *ox_find_op(const char *domain, const char *name, int64_t opset, bool *known);

/* ---- import.c ------------------------------------------------------------------------------------- */

/* The first failure of an import is kept. All give false / NULL. */
__attribute__((format(printf, 3, 4))) bool ox_fail(ox_call *c, wnn_status status, const char *format, ...);
/* Counts one of the nodes that a model may become; false after their limit, which has been reported then. */
bool ox_spend(ox_call *c);
#define OX_UNSUPPORTED(c, ...) ox_fail(c, WNN_NOT_SUPPORTED, __VA_ARGS__)
#define OX_BAD(c, ...) ox_fail(c, WNN_DATA_ERROR, __VA_ARGS__)
bool ox_no_memory(ox_call *c);

wnn_status ox_import_model(ox_import *im);
void ox_import_free(ox_import *im);
/* Runs a subgraph with values for its inputs; outer names are visible in it. */
bool ox_run_subgraph(ox_call *c, const ox_graph *graph, ox_value *const *inputs, size_t input_count, ox_value **outputs,
                     size_t output_count);

ox_scope *ox_scope_create(ox_import *im, ox_scope *parent);
bool ox_scope_set(ox_import *im, ox_scope *scope, const char *name, ox_value *value);
ox_value *ox_scope_get(const ox_scope *scope, const char *name);
/* A constant value over host memory that lives in keep (or in the file). */
ox_value *ox_value_const(ox_import *im, const wnn_desc *desc, const void *data);
ox_value *ox_value_operand(ox_import *im, wnn_operand *operand);
/* Memory for constants. */
void *ox_keep_alloc(ox_call *c, size_t count, size_t size);
/* Temporary memory of the import. */
void *ox_temp(ox_call *c, size_t count, size_t size);

/* ---- call.c: inputs, attributes, results ------------------------------------------------------------ */

/* The value of an input, NULL when absent. */
ox_value *ox_value_in(const ox_call *c, size_t index);
bool ox_has(const ox_call *c, size_t index);
bool ox_empty(const ox_call *c, size_t index); /* present, without elements */
/* Shape and type of a present input; a rank 0 descriptor when absent. */
const wnn_desc *ox_in_desc(const ox_call *c, size_t index);
const char *ox_in_name(const ox_call *c, size_t index);
/* The operand of an input; fails when it is absent or has no elements. */
wnn_operand *ox_in(ox_call *c, size_t index);
/* The same, NULL without failure when absent. */
wnn_operand *ox_in_optional(ox_call *c, size_t index);
/* The operand of any value. */
wnn_operand *ox_use(ox_call *c, ox_value *value);

/* Constant inputs on the host. Fails when the input is not constant; need says what for. */
typedef struct ox_ints {
  int64_t *at;
  size_t count;
} ox_ints;
typedef struct ox_doubles {
  double *at;
  size_t count;
} ox_doubles;
bool ox_is_const(ox_call *c, size_t index);
bool ox_need(ox_call *c, size_t index, const char *what); /* fails unless the input is present and constant */
bool ox_const_ints(ox_call *c, size_t index, const char *what, ox_ints *out);
bool ox_const_doubles(ox_call *c, size_t index, const char *what, ox_doubles *out);
bool ox_const_int(ox_call *c, size_t index, const char *what, int64_t *out);
bool ox_const_double(ox_call *c, size_t index, const char *what, double *out);

const ox_attr *ox_attr_find(const ox_call *c, const char *name);
int64_t ox_attr_i(const ox_call *c, const char *name);
double ox_attr_f(const ox_call *c, const char *name);
bool ox_attr_is(const ox_call *c, const char *name, const char *text);
/* Copy of a string attribute, terminated, cut to 63 bytes. */
const char *ox_attr_text(const ox_call *c, const char *name, char text[64]);
/* False when absent. */
bool ox_attr_ints(const ox_call *c, const char *name, ox_ints *out);
bool ox_attr_floats(const ox_call *c, const char *name, const float **items, size_t *count);
bool ox_check_attrs(ox_call *c);

/* Results. Each gives false when its operand is NULL (a failure happened before). */
bool ox_out(ox_call *c, size_t index, wnn_operand *operand);
bool ox_out_value(ox_call *c, size_t index, ox_value *value);
/* data NULL: there are no elements, which is checked. */
bool ox_out_const(ox_call *c, size_t index, const wnn_desc *desc, const void *data);
bool ox_wants(const ox_call *c, size_t index);

/* An axis made positive; fails when out of range. */
bool ox_axis(ox_call *c, int64_t axis, uint32_t rank, uint32_t *out);

/* ---- build.c: operations. NULL operands pass through, so calls can be nested. ------------------------ */

wnn_operand *ox_op_n(ox_call *c, int op, const void *args, wnn_operand *const *operands, size_t count);
bool ox_op_outs(ox_call *c, int op, const void *args, wnn_operand *const *operands, size_t count, wnn_operand **outs,
                size_t out_count);
wnn_operand *ox_un(ox_call *c, int op, wnn_operand *x);
wnn_operand *ox_bin(ox_call *c, int op, wnn_operand *a, wnn_operand *b);
/* The same with the element types that the operation lacks: computed in a wider type. */
wnn_operand *ox_un_wide(ox_call *c, int op, wnn_operand *x);
wnn_operand *ox_bin_wide(ox_call *c, int op, wnn_operand *a, wnn_operand *b);
/* A type of the operation's first operand that can hold `type`. */
wnn_data_type ox_wide_type(int op, wnn_data_type type);

const wnn_desc *ox_desc(const wnn_operand *x); /* a rank 0 descriptor for NULL */
wnn_operand *ox_number(ox_call *c, wnn_data_type type, double value);
wnn_operand *ox_like(ox_call *c, wnn_operand *x, double value); /* a number of x's type */
wnn_operand *ox_constant(ox_call *c, const wnn_desc *desc, const void *data);
wnn_operand *ox_constant_ints(ox_call *c, wnn_data_type type, uint32_t rank, const uint32_t *shape,
                              const int64_t *values);
wnn_operand *ox_constant_doubles(ox_call *c, wnn_data_type type, uint32_t rank, const uint32_t *shape,
                                 const double *values);
/* 0 .. n-1 along an axis of a shape of ones. */
wnn_operand *ox_iota(ox_call *c, wnn_data_type type, uint32_t rank, uint32_t axis, uint32_t n);
wnn_operand *ox_fill(ox_call *c, wnn_data_type type, uint32_t rank, const uint32_t *shape, double value);

wnn_operand *ox_cast(ox_call *c, wnn_operand *x, wnn_data_type type);
wnn_operand *ox_bool(ox_call *c, wnn_operand *x); /* notEqual 0, as uint8 */
wnn_operand *ox_reshape(ox_call *c, wnn_operand *x, uint32_t rank, const uint32_t *shape);
#define OX_RESHAPE(c, x, ...)                                                                                          \
  ox_reshape(c, x, sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t), (const uint32_t[]){__VA_ARGS__})
wnn_operand *ox_transpose(ox_call *c, wnn_operand *x, const uint32_t *permutation);
#define OX_TRANSPOSE(c, x, ...) ox_transpose(c, x, (const uint32_t[]){__VA_ARGS__})
wnn_operand *ox_swap_last(ox_call *c, wnn_operand *x); /* last two dimensions */
wnn_operand *ox_expand(ox_call *c, wnn_operand *x, uint32_t rank, const uint32_t *shape);
wnn_operand *ox_slice(ox_call *c, wnn_operand *x, uint32_t axis, uint32_t start, uint32_t size);
wnn_operand *ox_concat(ox_call *c, wnn_operand *const *parts, size_t count, uint32_t axis);
wnn_operand *ox_gather(ox_call *c, wnn_operand *x, wnn_operand *indices, uint32_t axis);
wnn_operand *ox_reduce(ox_call *c, int op, wnn_operand *x, const uint32_t *axes, uint32_t count, bool keep);
wnn_operand *ox_reduce1(ox_call *c, int op, wnn_operand *x, uint32_t axis, bool keep);
wnn_operand *ox_softmax(ox_call *c, wnn_operand *x, uint32_t axis);
wnn_operand *ox_matmul(ox_call *c, wnn_operand *a, wnn_operand *b);
wnn_operand *ox_clamp(ox_call *c, wnn_operand *x, double lo, double hi); /* infinities: no limit */
wnn_operand *ox_where(ox_call *c, wnn_operand *condition, wnn_operand *a, wnn_operand *b);
wnn_operand *ox_pad(ox_call *c, wnn_operand *x, const uint32_t *before, const uint32_t *after, wnn_padding_mode mode,
                    double value);
wnn_operand *ox_layer_norm(ox_call *c, wnn_operand *x, uint32_t first_axis, wnn_operand *scale, wnn_operand *bias,
                           double epsilon);

#define ox_add(c, a, b) ox_bin(c, WNN_OP_ADD, a, b)
#define ox_sub(c, a, b) ox_bin(c, WNN_OP_SUB, a, b)
#define ox_mul(c, a, b) ox_bin(c, WNN_OP_MUL, a, b)
#define ox_div(c, a, b) ox_bin(c, WNN_OP_DIV, a, b)
#define ox_max(c, a, b) ox_bin(c, WNN_OP_MAX, a, b)
#define ox_min(c, a, b) ox_bin(c, WNN_OP_MIN, a, b)

/* Pieces that families share. */
wnn_number ox_number_of(const ox_value *value); /* shape.c: the first element of a constant, exact */
bool ox_out_reshaped(ox_call *c, size_t index, ox_value *value, uint32_t rank, const uint32_t *shape); /* shape.c */
wnn_operand *ox_stepped(ox_call *c, wnn_operand *x, const uint32_t *starts, const uint32_t *sizes,
                        const uint32_t *strides);                      /* slice.c */
wnn_operand *ox_np_matmul(ox_call *c, wnn_operand *a, wnn_operand *b); /* matrix.c */
wnn_operand *ox_gelu_tanh(ox_call *c, wnn_operand *x);                 /* activation.c */
wnn_operand *ox_activate(ox_call *c, wnn_operand *x, const char *name, double alpha, double beta, bool has_alpha,
                         bool has_beta); /* activation.c */
wnn_operand *ox_rms_norm(ox_call *c, wnn_operand *x, uint32_t first_axis, wnn_operand *scale, double epsilon,
                         wnn_operand **inverse); /* norm.c */
bool ox_fold_value(ox_call *c);                  /* fold.c */

#endif
