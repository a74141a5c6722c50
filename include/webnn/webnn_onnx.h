/* ONNX models: open a file, look at it, lower it to WebNN operations, run it.
 *
 * There are three levels, each standing on the one before:
 *
 *   wnn_onnx_model    a parsed file: inputs, outputs, operators, metadata. Immutable after opening and safe to
 *                     use from several threads at once. The file is mapped; weights are used where they lie.
 *   wnn_onnx_lower    the model's graph as operands of a wnn_builder, for callers who go on building.
 *   wnn_onnx_session  a model ready to run: compiles a graph for each set of input shapes it meets.
 *
 * WebNN tensors have a fixed shape, so every dimension that the file leaves open needs a number: by its
 * symbolic name, by input and position (wnn_onnx_size), as a whole shape (wnn_onnx_shape), or, in a session,
 * from the tensors of each run. Inputs that steer the graph (a sample rate that picks a branch, a sequence
 * length that becomes a shape) are bound to a value (wnn_onnx_value); a session binds them by itself.
 *
 * Data types: bool is carried as uint8 (0 or 1), double and bfloat16 as float32, int16 and uint16 as int32, 4-bit
 * integers as int8 and uint8. Strings, complex numbers, sequences and 8-bit floats are refused by name.
 *
 * Errors: WNN_IO_ERROR for files that cannot be read, WNN_DATA_ERROR for malformed models, WNN_NOT_SUPPORTED for
 * what WebNN cannot express, WNN_TYPE_ERROR for wrong or missing arguments. Messages name the node (or, when it has
 * no name, its first output), the operator and the reason.
 *
 * Example: run a model once.
 *
 *   wnn_onnx_model *model;
 *   wnn_onnx_session *session;
 *   wnn_onnx_result *result;
 *   wnn_error error;
 *   float pixels[1 * 3 * 48 * 320];  // filled by the caller
 *   if (wnn_onnx_open("rec.onnx", &model, &error)) return fail(&error);
 *   if (wnn_onnx_session_create(context, model, NULL, &session, &error)) return fail(&error);
 *   wnn_onnx_tensor input = {"x", {WNN_FLOAT32, 4, {1, 3, 48, 320}}, pixels, sizeof pixels};
 *   if (wnn_onnx_session_run(session, &input, 1, NULL, 0, &result, &error)) return fail(&error);
 *   const wnn_onnx_tensor *output = wnn_onnx_result_get(result, 0);  // name, shape, data
 *   ...
 *   wnn_onnx_result_release(result);
 *   wnn_onnx_session_release(session);
 *   wnn_onnx_release(model);
 */
#ifndef WEBNN_WEBNN_ONNX_H
#define WEBNN_WEBNN_ONNX_H

#include <webnn/webnn.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Models -------------------------------------------------------------------------------------- */

typedef struct wnn_onnx_model wnn_onnx_model;

/* Maps and parses a model file. The file must not change while the model, a graph made from it or a session is in
 * use. External tensor data is looked for beside the file and mapped when needed; paths that leave that folder are
 * refused. */
WNN_API wnn_status wnn_onnx_open(const char *path, wnn_onnx_model **model, wnn_error *error);
/* Parses a model in memory; the bytes are copied. folder: where external data lies, NULL to refuse it. */
WNN_API wnn_status wnn_onnx_open_bytes(const void *data, size_t size, const char *folder, wnn_onnx_model **model,
                                       wnn_error *error);
/* The same without a copy: release(user) is called once, when nothing needs the bytes any more, also when the call
 * fails. release may be NULL. */
WNN_API wnn_status wnn_onnx_open_borrowed(const void *data, size_t size, const char *folder, wnn_release_fn release,
                                          void *user, wnn_onnx_model **model, wnn_error *error);
/* Gives the model back; accepts NULL. Sessions and graphs keep what they need. */
WNN_API void wnn_onnx_release(wnn_onnx_model *model);

/* What a file says about itself. Strings are never NULL and live as long as the model. */
typedef struct wnn_onnx_info {
  int64_t ir_version, model_version;
  const char *producer_name, *producer_version, *domain, *graph_name, *doc;
  size_t input_count; /* without initializers that are listed as inputs */
  size_t output_count, node_count, initializer_count, function_count, opset_count, metadata_count;
  uint64_t parameter_count; /* elements of initializers and of Constant nodes, subgraphs included */
  uint64_t parameter_bytes;
  uint64_t file_bytes;
} wnn_onnx_info;
WNN_API const wnn_onnx_info *wnn_onnx_get_info(const wnn_onnx_model *model);

typedef struct wnn_onnx_opset {
  const char *domain; /* "" is the standard one */
  int64_t version;
} wnn_onnx_opset;
/* NULL past the end, as for all functions here that take an index. */
WNN_API const wnn_onnx_opset *wnn_onnx_get_opset(const wnn_onnx_model *model, size_t index);

typedef struct wnn_onnx_metadata {
  const char *key, *value;
} wnn_onnx_metadata;
WNN_API const wnn_onnx_metadata *wnn_onnx_get_metadata(const wnn_onnx_model *model, size_t index);

typedef struct wnn_onnx_dim {
  int64_t size;       /* -1 when the file leaves it open */
  const char *symbol; /* its name, "" when it has none or a size */
} wnn_onnx_dim;

/* An input or output as declared. */
typedef struct wnn_onnx_port {
  const char *name;
  const char *type;        /* ONNX's name, such as "float", "int64", "bool", "sequence" */
  bool has_data_type;      /* false when no WebNN tensor can carry it */
  wnn_data_type data_type; /* that carries it */
  bool has_shape;          /* false when even the rank is open */
  bool has_default;        /* an initializer of the same name exists */
  uint32_t rank;
  const wnn_onnx_dim *dims;
} wnn_onnx_port;
WNN_API const wnn_onnx_port *wnn_onnx_get_input(const wnn_onnx_model *model, size_t index);
WNN_API const wnn_onnx_port *wnn_onnx_get_output(const wnn_onnx_model *model, size_t index);
/* Position of an input by name, or -1. */
WNN_API int wnn_onnx_find_input(const wnn_onnx_model *model, const char *name);

/* A node of the main graph. */
typedef struct wnn_onnx_node {
  const char *name;   /* "" when it has none */
  const char *output; /* its first named output */
  const char *op, *domain;
  const char *const *inputs; /* tensor names, "" where absent; valid as long as the model */
  const char *const *outputs;
  size_t input_count, output_count;
} wnn_onnx_node;
WNN_API bool wnn_onnx_get_node(const wnn_onnx_model *model, size_t index, wnn_onnx_node *node);

/* ---- Lowering ------------------------------------------------------------------------------------ */

/* Size of an open dimension: by symbol, or by input and axis (symbol NULL). */
typedef struct wnn_onnx_size {
  const char *symbol;
  const char *input;
  uint32_t axis, size;
} wnn_onnx_size;

/* Shape of an input. 0 is allowed for tensors without elements, such as an empty cache; they do not become inputs of
 * the graph. Naming an input that has a default makes it a real input. */
typedef struct wnn_onnx_shape {
  const char *input;
  uint32_t rank;
  uint32_t shape[WNN_MAX_RANK];
} wnn_onnx_shape;

/* Value of an input, which then is a constant of the graph and no input any more. The bytes are copied. */
typedef struct wnn_onnx_value {
  const char *input;
  wnn_desc desc;
  const void *data;
  size_t size;
} wnn_onnx_value;

/* Called for each named result of a node while a model is lowered, in order, nodes of inlined subgraphs and functions
 * included (depth above 0). operand is NULL when the result is a constant; otherwise it may become an output of the
 * builder's graph, which is how intermediate tensors are looked at. Strings live as long as the model. */
typedef struct wnn_onnx_tapped {
  const char *tensor, *node, *op, *domain;
  wnn_desc desc; /* may hold zero dimensions, then it is a constant */
  wnn_operand *operand;
  bool input; /* the node only passes an input of the graph on */
  int depth;
  const char *const *inputs; /* of the node: names, "" where absent */
  size_t input_count;
} wnn_onnx_tapped;
typedef void (*wnn_onnx_tap_fn)(void *user, const wnn_onnx_tapped *tapped);

typedef struct wnn_onnx_options {
  const wnn_onnx_size *sizes;
  size_t size_count;
  const wnn_onnx_shape *shapes; /* win over sizes */
  size_t shape_count;
  const wnn_onnx_value *values;
  size_t value_count;
  uint32_t default_size; /* of dimensions that nothing else settles; 0 (default): an error */
  bool both_branches;    /* compute both branches of an If whose condition is an unbound input; default false */
  uint32_t max_nodes;    /* nodes after unrolling loops; 0 (default): 1000000 */
  wnn_onnx_tap_fn tap;   /* default NULL */
  void *tap_user;
} wnn_onnx_options;
#define WNN_ONNX_OPTIONS_INIT                                                                                          \
  { NULL, 0, NULL, 0, NULL, 0, 0, false, 0, NULL, NULL }

/* Lowers the model into a builder: declares its inputs under their ONNX names and stores its outputs, ready for
 * wnn_builder_build. outputs: room for capacity entries, at least the model's output_count; *count receives the number
 * stored (outputs without elements are left out). Names live as long as the model. options may be NULL. After a
 * failure the builder holds a part of the graph and is of no further use. */
WNN_API wnn_status wnn_onnx_lower(wnn_onnx_model *model, wnn_builder *builder, const wnn_onnx_options *options,
                                  wnn_named_operand *outputs, size_t capacity, size_t *count, wnn_error *error);

typedef enum wnn_onnx_support {
  WNN_ONNX_SUPPORTED = 0,   /* lowered, or folded into a constant */
  WNN_ONNX_UNSUPPORTED = 1, /* reason says why */
  WNN_ONNX_UNKNOWN = 2      /* waits for the output of an unsupported node; the operator itself is known */
} wnn_onnx_support;

typedef struct wnn_onnx_report {
  const char *node, *output, *op, *domain;
  int64_t opset;
  wnn_onnx_support support;
  bool folded;        /* computed at import */
  const char *reason; /* "" when supported */
} wnn_onnx_report;
typedef void (*wnn_onnx_report_fn)(void *user, const wnn_onnx_report *report);

/* Tries to lower every node and reports each one, in order, nodes of inlined subgraphs and functions included. Does not
 * stop at unsupported nodes. WNN_OK when the walk was possible, whatever it found; *unsupported (may be NULL) counts
 * the nodes that are not supported. */
WNN_API wnn_status wnn_onnx_check(wnn_onnx_model *model, wnn_context *context, const wnn_onnx_options *options,
                                  wnn_onnx_report_fn report, void *user, size_t *unsupported, wnn_error *error);

/* Whether the importer has a row for an operator at an opset version. */
WNN_API bool wnn_onnx_knows(const char *domain, const char *op, int64_t opset);
/* The rows themselves, for listings: name, domain and first opset version. False past the end. */
WNN_API bool wnn_onnx_get_operator(size_t index, const char **domain, const char **op, int64_t *since);

/* ---- Sessions ------------------------------------------------------------------------------------ */

typedef struct wnn_onnx_session wnn_onnx_session;
typedef struct wnn_onnx_result wnn_onnx_result;

typedef struct wnn_onnx_session_options {
  wnn_onnx_options import; /* copied; applies to every graph of the session */
  uint32_t cache;          /* compiled graphs kept, least recently used first to go; 0 (default): 8 */
  bool fixed_inputs;       /* default false: inputs whose value the graph needs are bound to the value of the run */
  /* Where compiled graphs are saved, to be loaded by later sessions instead of being compiled again; made when it is
   * missing. Files are named by what the model and the inputs are; who can write here decides what is computed.
   * Nothing is ever removed. Graphs that are loaded call no tap. NULL (default): nowhere. */
  const char *cache_folder;
} wnn_onnx_session_options;
#define WNN_ONNX_SESSION_OPTIONS_INIT                                                                                  \
  { WNN_ONNX_OPTIONS_INIT, 0, false, NULL }

/* Creates a session; keeps context and model alive. Nothing is compiled yet. options may be NULL. A session may be
 * used from several threads; its runs follow one another. */
WNN_API wnn_status wnn_onnx_session_create(wnn_context *context, wnn_onnx_model *model,
                                           const wnn_onnx_session_options *options, wnn_onnx_session **session,
                                           wnn_error *error);
WNN_API void wnn_onnx_session_release(wnn_onnx_session *session);
WNN_API wnn_onnx_model *wnn_onnx_session_model(const wnn_onnx_session *session);

/* A named tensor in memory. desc may hold zero dimensions, then size is 0 and data is not read. */
typedef struct wnn_onnx_tensor {
  const char *name;
  wnn_desc desc;
  const void *data;
  size_t size;
} wnn_onnx_tensor;

/* Runs the model. inputs: one for each unbound input without default, in any order; values for inputs that the options
 * bind are ignored. outputs: names of the wanted
 * outputs, NULL for all. Compiles first when the shapes (or bound values) are new. The result belongs to the caller. */
WNN_API wnn_status wnn_onnx_session_run(wnn_onnx_session *session, const wnn_onnx_tensor *inputs, size_t input_count,
                                        const char *const *outputs, size_t output_count, wnn_onnx_result **result,
                                        wnn_error *error);
/* Outputs of a run, in the order asked for. Valid until the result is released. */
WNN_API size_t wnn_onnx_result_count(const wnn_onnx_result *result);
WNN_API const wnn_onnx_tensor *wnn_onnx_result_get(const wnn_onnx_result *result, size_t index);
WNN_API const wnn_onnx_tensor *wnn_onnx_result_find(const wnn_onnx_result *result, const char *name);
WNN_API void wnn_onnx_result_release(wnn_onnx_result *result);

/* Compiles without running and hands out the graph, for its descriptors, steps, statistics, or to dispatch it with
 * tensors of one's own. The graph belongs to the session and stays valid until that is released. Only descriptors of
 * inputs count, and the data of inputs whose value the graph needs. Inputs that are not given take their sizes from the
 * options. */
WNN_API wnn_status wnn_onnx_session_prepare(wnn_onnx_session *session, const wnn_onnx_tensor *inputs,
                                            size_t input_count, wnn_graph **graph, wnn_error *error);

/* Queues a run on tensors of the context, by name; the shapes are those of the tensors. Inputs whose value the graph
 * needs must be bound in the options. Outputs may be a part of the model's. */
WNN_API wnn_status wnn_onnx_session_dispatch(wnn_onnx_session *session, const wnn_named_tensor *inputs,
                                             size_t input_count, const wnn_named_tensor *outputs, size_t output_count,
                                             wnn_error *error);

typedef struct wnn_onnx_stats {
  uint64_t runs, hits, compiled, evicted; /* hits: runs that found their graph */
  uint32_t cached;                        /* graphs held now */
  double import_ns, build_ns, run_ns;     /* totals: lowering with folding, compilation, execution */
  uint64_t folded_nodes, lowered_nodes;   /* of the last graph made */
  uint64_t loaded;                        /* graphs taken from the cache folder; they count as compiled, too */
} wnn_onnx_stats;
WNN_API void wnn_onnx_session_get_stats(wnn_onnx_session *session, wnn_onnx_stats *stats);

#ifdef __cplusplus
}
#endif

#endif
