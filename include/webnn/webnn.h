/* The WebNN API in C: contexts, tensors, graph builders, graphs, the table of operations.
 *
 * The library mirrors the object model of the W3C Web Neural Network API
 * (https://www.w3.org/TR/webnn/): what the specification says about an object holds for the handle
 * of the same name here. This header documents what is particular to C.
 *
 * OWNERSHIP. Each wnn_*_create function hands out one reference; the matching wnn_*_release gives it
 * back and accepts NULL. Objects keep what they need alive: a graph may outlive its builder, a tensor
 * or graph may be released while queued work still uses it. wnn_*_destroy is the specification's
 * destroy(): it ends the use of the object (and frees its memory once queued work is done) but not the
 * handle. Operands belong to their builder and live exactly as long as it.
 *
 * THREADS. Contexts, tensors and graphs may be used from any thread at the same time. A builder and its
 * operands may be used by one thread at a time. Callbacks run on a thread of the library, or inside the
 * call that triggers them; they must not block, but may call any function that does not wait.
 *
 * TIMELINE. Each context has one timeline. Writes, dispatches, reads and builds take effect in the order
 * of the calls, whichever thread runs them. Input bytes are copied before a call returns.
 *
 * ERRORS. Fallible functions return a wnn_status. Their last parameter, a wnn_error, may be NULL; on
 * failure it receives the status and a message. Output parameters are untouched on failure unless said.
 */
#ifndef WEBNN_WEBNN_H
#define WEBNN_WEBNN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define WNN_API __attribute__((visibility("default")))

/* ---- Status and errors ------------------------------------------------------------------------ */

/* Status codes: constant, value, name of the JavaScript exception. */
#define WNN_STATUS_LIST(X)                                                                             \
  X(WNN_OK, 0, "")                                                                                     \
  X(WNN_TYPE_ERROR, 1, "TypeError")                  /* bad argument */                                \
  X(WNN_INVALID_STATE, 2, "InvalidStateError")       /* lost context, spent builder, destroyed graph */ \
  X(WNN_NOT_SUPPORTED, 3, "NotSupportedError")       /* this kind of context or feature is not there */ \
  X(WNN_OPERATION_ERROR, 4, "OperationError")        /* graph compilation failed */                    \
  X(WNN_UNKNOWN_ERROR, 5, "UnknownError")            /* memory or transfer failure */                  \
  X(WNN_OUT_OF_MEMORY, 6, "UnknownError")            /* the allocator returned NULL */                 \
  X(WNN_IO_ERROR, 7, "NotReadableError")             /* a file cannot be read or written */            \
  X(WNN_DATA_ERROR, 8, "DataError")                  /* a model, pack or file is malformed */

typedef enum wnn_status {
#define X(name, value, exception) name = value,
  WNN_STATUS_LIST(X)
#undef X
} wnn_status;

/* Out-parameter of fallible calls; owns nothing. */
typedef struct wnn_error {
  wnn_status status;
  char message[512]; /* UTF-8, always terminated */
} wnn_error;

/* The constant's name, such as "WNN_TYPE_ERROR". */
WNN_API const char *wnn_status_name(wnn_status status);
/* The name of the JavaScript exception for a status, such as "TypeError"; "" for WNN_OK. */
WNN_API const char *wnn_status_exception(wnn_status status);
/* Library version, "major.minor.patch". */
WNN_API const char *wnn_version(void);

/* ---- Data types and descriptors ---------------------------------------------------------------- */

/* Data types: constant, value, name, bytes of an element. */
#define WNN_DATA_TYPE_LIST(X)        \
  X(WNN_FLOAT32, 0, "float32", 4)    \
  X(WNN_FLOAT16, 1, "float16", 2)    \
  X(WNN_INT32, 2, "int32", 4)        \
  X(WNN_UINT32, 3, "uint32", 4)      \
  X(WNN_INT64, 4, "int64", 8)        \
  X(WNN_UINT64, 5, "uint64", 8)      \
  X(WNN_INT8, 6, "int8", 1)          \
  X(WNN_UINT8, 7, "uint8", 1)

typedef enum wnn_data_type {
#define X(constant, value, name, bytes) constant = value,
  WNN_DATA_TYPE_LIST(X)
#undef X
} wnn_data_type;
enum { WNN_DATA_TYPE_COUNT = 8 };

/* Sets of data types are masks of these bits. */
#define WNN_TYPE_BIT(type) (1u << (type))

enum {
  WNN_MAX_RANK = 8,          /* highest rank of any tensor */
  WNN_MAX_TENSOR_COUNT = 8192 /* most inputs of concat and outputs of split */
};
/* Largest byte length of a tensor. */
#define WNN_MAX_TENSOR_BYTES UINT64_C(2147483647)

/* Data type and shape of an operand or tensor. Elements lie densely in row-major order, native byte
 * order; float16 elements are 16-bit words. A rank above WNN_MAX_RANK is refused without reading shape. */
typedef struct wnn_desc {
  wnn_data_type data_type;
  uint32_t rank;
  uint32_t shape[WNN_MAX_RANK];
} wnn_desc;

/* "float32" and so on; "?" outside the enumeration. */
WNN_API const char *wnn_data_type_name(wnn_data_type type);
/* Bytes of an element; 0 outside the enumeration. */
WNN_API size_t wnn_data_type_size(wnn_data_type type);
/* Number of elements (1 for rank 0); 0 when the descriptor is not valid. */
WNN_API uint64_t wnn_desc_elements(const wnn_desc *desc);
/* Number of bytes; 0 when the descriptor is not valid. */
WNN_API uint64_t wnn_desc_bytes(const wnn_desc *desc);

/* MLNumber: a double or an integer of 64 bits, converted exactly to an operand's data type
 * (clamped, rounded to nearest even; NaN gives 0 for integer types). */
typedef enum wnn_number_kind { WNN_NUMBER_DOUBLE = 0, WNN_NUMBER_INT64 = 1, WNN_NUMBER_UINT64 = 2, WNN_NUMBER_ABSENT = 3 } wnn_number_kind;
typedef struct wnn_number {
  wnn_number_kind kind;
  union { double f64; int64_t i64; uint64_t u64; } value;
} wnn_number;
WNN_API wnn_number wnn_number_double(double value);
WNN_API wnn_number wnn_number_int64(int64_t value);
WNN_API wnn_number wnn_number_uint64(uint64_t value);
/* Writes the number as one element of a data type (the cast of section "casting an MLNumber"). */
WNN_API void wnn_number_store(wnn_number number, wnn_data_type type, void *element);

/* Lists in argument structs. data NULL means absent (the default applies); a present empty list has a
 * non-NULL pointer and count 0. Borrowed for the time of the call. */
typedef struct wnn_u32_list { const uint32_t *data; uint32_t count; } wnn_u32_list;
typedef struct wnn_f32_list { const float *data; uint32_t count; } wnn_f32_list;
typedef struct wnn_enum_list { const int32_t *data; uint32_t count; } wnn_enum_list;
/* Argument of split: sizes NULL means count equal parts, otherwise count sizes. */
typedef struct wnn_splits { const uint32_t *sizes; uint32_t count; } wnn_splits;

#ifndef __cplusplus
/* A list from literals: .strides = WNN_U32(2, 2). Lives as long as the enclosing block. */
#define WNN_U32(...) ((wnn_u32_list){(const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t)})
#endif

/* ---- Context ------------------------------------------------------------------------------------ */

typedef struct wnn_context wnn_context;
typedef struct wnn_tensor wnn_tensor;
typedef struct wnn_builder wnn_builder;
typedef struct wnn_operand wnn_operand;
typedef struct wnn_graph wnn_graph;

/* Memory callback, like realloc with more facts. size 0 frees (pointer may be NULL); pointer NULL
 * allocates. alignment is a power of two; resizing keeps the common prefix. Returns NULL on failure.
 * Called from several threads at once. */
typedef void *(*wnn_realloc_fn)(void *user, void *pointer, size_t old_size, size_t size, size_t alignment);
typedef struct wnn_allocator {
  wnn_realloc_fn realloc;
  void *user;
} wnn_allocator;

/* Processor features that kernels may use; bits of wnn_context_options.cpu_features. */
#define WNN_CPU_FEATURE_LIST(X)                                                \
  X(WNN_CPU_AVX2, 0, "avx2")       /* AVX2, FMA and F16C */                    \
  X(WNN_CPU_AVXVNNI, 5, "avxvnni") /* AVX-VNNI; nothing beside AVX-512 */      \
  X(WNN_CPU_AVX512, 1, "avx512")   /* AVX-512 F, BW, DQ, VL */                 \
  X(WNN_CPU_VNNI, 2, "vnni")       /* AVX-512 VNNI */                          \
  X(WNN_CPU_AMX, 4, "amx")         /* AMX tiles of 8-bit integers */           \
  X(WNN_CPU_NEON, 3, "neon")
typedef enum wnn_cpu_feature {
#define X(constant, bit, name) constant = 1 << bit,
  WNN_CPU_FEATURE_LIST(X)
#undef X
} wnn_cpu_feature;
/* Features of this processor that this build has kernels for. On Linux the process asks for the use of AMX tiles here. */
WNN_API uint64_t wnn_cpu_detect(void);

typedef enum wnn_power_preference { WNN_POWER_DEFAULT = 0, WNN_POWER_HIGH_PERFORMANCE = 1, WNN_POWER_LOW_POWER = 2 } wnn_power_preference;

typedef struct wnn_context_options {
  wnn_power_preference power_preference; /* hint; default WNN_POWER_DEFAULT */
  bool accelerated;                      /* hint; default true */
  bool reference;                        /* only the plain reference kernels, graphs as built; default false */
  bool profile;                          /* measure every step, see wnn_graph_step; default false */
  uint32_t threads;                      /* threads that compute, callers included; 0 (default): one a processor */
  uint64_t cpu_features;                 /* mask over wnn_cpu_detect(); default all bits */
  uint64_t disabled_passes;              /* mask of wnn_pass bits; default 0 */
  const wnn_allocator *allocator;        /* copied; NULL (default): the C library */
  /* Logical processors for the library's threads, copied; NULL (default): the system places them. The thread that
   * runs the timeline stays on the first, worker i of the pool on entry i modulo processor_count; threads of the
   * caller are left where they are. threads defaults to processor_count then. */
  const uint32_t *processors;
  uint32_t processor_count;
} wnn_context_options;
#define WNN_CONTEXT_OPTIONS_INIT {WNN_POWER_DEFAULT, true, false, false, 0, UINT64_MAX, 0, NULL, NULL, 0}

/* Compiler passes that can be switched off, for tests and measurements. */
#define WNN_PASS_LIST(X)                                                                    \
  X(WNN_PASS_FOLD, 0, "fold")           /* constant folding */                              \
  X(WNN_PASS_DEDUPLICATE, 1, "dedup")   /* equal nodes merged */                            \
  X(WNN_PASS_SIMPLIFY, 2, "simplify")   /* reshape/transpose/cast chains, padding */        \
  X(WNN_PASS_PATTERNS, 3, "patterns")   /* operations from parts, integer products */       \
  X(WNN_PASS_FUSE, 4, "fuse")           /* bias, activation, residual, elementwise chains */ \
  X(WNN_PASS_LAYOUT, 5, "layout")       /* channels-last inside */                          \
  X(WNN_PASS_INPLACE, 6, "inplace")     /* outputs over dying inputs */                     \
  X(WNN_PASS_WINOGRAD, 7, "winograd")   /* 3 x 3 convolutions with fewer multiplications */ \
  X(WNN_PASS_ATTENTION, 8, "attention") /* attention as one operation */                    \
  X(WNN_PASS_PARALLEL, 9, "parallel")   /* small independent steps side by side */
typedef enum wnn_pass {
#define X(constant, bit, name) constant = 1 << bit,
  WNN_PASS_LIST(X)
#undef X
} wnn_pass;

/* Creates a context on the CPU. options may be NULL. WNN_TYPE_ERROR for a processor that is listed twice or that this
 * process may not use, else WNN_OUT_OF_MEMORY on failure. */
WNN_API wnn_status wnn_context_create(const wnn_context_options *options, wnn_context **context, wnn_error *error);
/* Gives the handle back. Queued work is completed first (its callbacks run); objects made from the
 * context keep it alive inside. */
WNN_API void wnn_context_release(wnn_context *context);
/* MLContext.destroy(): the context is lost; graphs and tensors are destroyed, pending reads and builds
 * fail with WNN_INVALID_STATE. Does nothing when already lost. */
WNN_API void wnn_context_destroy(wnn_context *context);
WNN_API bool wnn_context_is_lost(const wnn_context *context);
/* Calls back once when the context is lost, at once if it is already. message is valid during the call.
 * One callback a context; a second call replaces the first. */
typedef void (*wnn_lost_fn)(void *user, const char *message);
WNN_API void wnn_context_on_lost(wnn_context *context, wnn_lost_fn callback, void *user);
/* The accelerated option as given. */
WNN_API bool wnn_context_accelerated(const wnn_context *context);
/* Number of threads that compute. */
WNN_API uint32_t wnn_context_threads(const wnn_context *context);
/* Waits until everything queued so far is done, helping where it can. */
WNN_API void wnn_context_finish(wnn_context *context);

/* ---- Limits (MLOpSupportLimits) ------------------------------------------------------------------ */

typedef struct wnn_tensor_limits {
  uint16_t data_types; /* mask of WNN_TYPE_BIT */
  uint8_t min_rank, max_rank;
} wnn_tensor_limits;
typedef struct wnn_limits {
  int32_t preferred_input_layout; /* wnn_input_layout */
  uint64_t max_tensor_byte_length;
  wnn_tensor_limits input, constant, output;
} wnn_limits;
WNN_API void wnn_context_limits(const wnn_context *context, wnn_limits *limits);
/* Limits of operand (or output) number index of an operation, in the order of its table row; an index
 * past the end gives no types. op is a wnn_op. */
WNN_API wnn_tensor_limits wnn_context_operand_limits(const wnn_context *context, int op, uint32_t index);
WNN_API wnn_tensor_limits wnn_context_output_limits(const wnn_context *context, int op, uint32_t index);

/* ---- Tensors --------------------------------------------------------------------------------------- */

enum { WNN_TENSOR_READABLE = 1, WNN_TENSOR_WRITABLE = 2 };

/* Creates a tensor of zeros. flags: WNN_TENSOR_READABLE, WNN_TENSOR_WRITABLE. WNN_INVALID_STATE when the
 * context is lost, WNN_TYPE_ERROR for a bad descriptor, WNN_UNKNOWN_ERROR when memory is short. */
WNN_API wnn_status wnn_context_create_tensor(wnn_context *context, const wnn_desc *desc, uint32_t flags, wnn_tensor **tensor, wnn_error *error);
/* Creates a constant tensor, for wnn_builder_constant_tensor only. size must equal the byte length. */
WNN_API wnn_status wnn_context_create_constant_tensor(wnn_context *context, const wnn_desc *desc, const void *data, size_t size,
                                                      wnn_tensor **tensor, wnn_error *error);
/* Queues a write; data is copied before the call returns. */
WNN_API wnn_status wnn_context_write_tensor(wnn_context *context, wnn_tensor *tensor, const void *data, size_t size, wnn_error *error);
/* Waits for what is queued, then copies the tensor's bytes out. */
WNN_API wnn_status wnn_context_read_tensor(wnn_context *context, wnn_tensor *tensor, void *data, size_t size, wnn_error *error);
/* Queues a read into data, which must stay valid until the callback. error is NULL on success. The
 * callback runs once, also when the tensor is destroyed or the context lost (WNN_INVALID_STATE); it does
 * not run when the call itself fails. Once it has run, data is not touched again. */
typedef void (*wnn_done_fn)(void *user, wnn_status status, const wnn_error *error);
WNN_API wnn_status wnn_context_read_tensor_async(wnn_context *context, wnn_tensor *tensor, void *data, size_t size,
                                                 wnn_done_fn callback, void *user, wnn_error *error);

WNN_API const wnn_desc *wnn_tensor_desc(const wnn_tensor *tensor);
WNN_API bool wnn_tensor_readable(const wnn_tensor *tensor);
WNN_API bool wnn_tensor_writable(const wnn_tensor *tensor);
WNN_API bool wnn_tensor_constant(const wnn_tensor *tensor);
WNN_API void wnn_tensor_destroy(wnn_tensor *tensor);
WNN_API void wnn_tensor_release(wnn_tensor *tensor);

/* ---- Graphs ---------------------------------------------------------------------------------------- */

typedef struct wnn_named_tensor {
  const char *name;
  wnn_tensor *tensor;
} wnn_named_tensor;

/* Queues one execution. Checks and their order are those of MLContext.dispatch(). */
WNN_API wnn_status wnn_context_dispatch(wnn_context *context, wnn_graph *graph, const wnn_named_tensor *inputs, size_t input_count,
                                        const wnn_named_tensor *outputs, size_t output_count, wnn_error *error);

WNN_API size_t wnn_graph_input_count(const wnn_graph *graph);
WNN_API size_t wnn_graph_output_count(const wnn_graph *graph);
/* Name and descriptor of an input or output; NULL past the end. Valid as long as the graph. */
WNN_API const char *wnn_graph_input_name(const wnn_graph *graph, size_t index);
WNN_API const wnn_desc *wnn_graph_input_desc(const wnn_graph *graph, size_t index);
WNN_API const char *wnn_graph_output_name(const wnn_graph *graph, size_t index);
WNN_API const wnn_desc *wnn_graph_output_desc(const wnn_graph *graph, size_t index);

typedef struct wnn_graph_stats {
  uint64_t node_count;       /* operations reachable from the outputs, as built */
  uint64_t step_count;       /* kernels that a dispatch runs */
  uint64_t arena_bytes;      /* intermediate memory */
  uint64_t constant_bytes;   /* weights held by the graph, packed ones included */
  uint64_t borrowed_bytes;   /* weights used where the caller keeps them */
  double cost_ns;            /* estimated time of a dispatch on one thread */
} wnn_graph_stats;
WNN_API void wnn_graph_get_stats(const wnn_graph *graph, wnn_graph_stats *stats);

/* One kernel call of a compiled graph, in execution order. Times are filled only in profiling contexts. */
typedef struct wnn_step_info {
  const char *kernel; /* such as "f32_gemm" or "ref_softmax" */
  const char *op;     /* operation it comes from, such as "conv2d" */
  const char *label;  /* label of that operation, "" when it has none */
  wnn_desc output;
  uint32_t job;        /* steps with the same number run side by side; profiling contexts run them in turn */
  double flops, bytes; /* arithmetic and least traffic of one run */
  uint64_t runs;
  double total_ns, min_ns; /* over all dispatches */
} wnn_step_info;
WNN_API bool wnn_graph_step(const wnn_graph *graph, size_t index, wnn_step_info *info);

WNN_API void wnn_graph_destroy(wnn_graph *graph);
WNN_API void wnn_graph_release(wnn_graph *graph);

/* ---- Builder --------------------------------------------------------------------------------------- */

/* WNN_INVALID_STATE when the context is lost. */
WNN_API wnn_status wnn_builder_create(wnn_context *context, wnn_builder **builder, wnn_error *error);
WNN_API void wnn_builder_release(wnn_builder *builder);
/* The context, without a new reference. */
WNN_API wnn_context *wnn_builder_context(const wnn_builder *builder);

/* Declares a graph input. name: non-empty, unique among the inputs, copied. */
WNN_API wnn_status wnn_builder_input(wnn_builder *builder, const char *name, const wnn_desc *desc, wnn_operand **operand, wnn_error *error);
/* Constant from bytes, copied. */
WNN_API wnn_status wnn_builder_constant(wnn_builder *builder, const wnn_desc *desc, const void *data, size_t size, wnn_operand **operand, wnn_error *error);
/* Constant over bytes that stay where they are (a mapped file, say) and must not change. release(user) is
 * called once, when neither the builder nor a graph built from it needs them any more, or at once when
 * the call fails; it may be NULL. data may lie at any address; what kernels read where it is (not packed weights) costs
 * a copy when it is not aligned to the element size. */
typedef void (*wnn_release_fn)(void *user);
WNN_API wnn_status wnn_builder_constant_borrowed(wnn_builder *builder, const wnn_desc *desc, const void *data, size_t size,
                                                 wnn_release_fn release, void *user, wnn_operand **operand, wnn_error *error);
/* Rank 0 constant. */
WNN_API wnn_status wnn_builder_constant_number(wnn_builder *builder, wnn_data_type type, wnn_number value, wnn_operand **operand, wnn_error *error);
/* Constant from a constant tensor of the same context. */
WNN_API wnn_status wnn_builder_constant_tensor(wnn_builder *builder, wnn_tensor *tensor, wnn_operand **operand, wnn_error *error);

WNN_API const wnn_desc *wnn_operand_desc(const wnn_operand *operand);
WNN_API wnn_builder *wnn_operand_builder(const wnn_operand *operand);

/* Adds an operation by its table row: what every operation's own function (webnn_ops.h) calls.
 * op: a wnn_op. args: the operation's argument struct (wnn_<signature>_args), NULL for all defaults where
 * there are no positional parameters. operands: in the order of the row, NULL for an absent optional one;
 * for a variadic row any number. outputs: room for output_capacity operands; the number made is stored
 * in *output_count (may be NULL). Checks and their order are the specification's; WNN_TYPE_ERROR and
 * WNN_INVALID_STATE are the only failures besides WNN_OUT_OF_MEMORY. */
WNN_API wnn_status wnn_builder_add(wnn_builder *builder, int op, const void *args, wnn_operand *const *operands, size_t operand_count,
                                   wnn_operand **outputs, size_t output_capacity, size_t *output_count, wnn_error *error);

typedef struct wnn_named_operand {
  const char *name;
  wnn_operand *operand;
} wnn_named_operand;
/* Compiles the graph; waits for the result. After the arguments are accepted the builder is spent, even
 * when compilation fails (WNN_OPERATION_ERROR). */
WNN_API wnn_status wnn_builder_build(wnn_builder *builder, const wnn_named_operand *outputs, size_t count, wnn_graph **graph, wnn_error *error);
/* The same on the timeline. graph is NULL unless status is WNN_OK, and then belongs to the callback. The
 * callback does not run when the call itself fails. The builder may be released meanwhile. */
typedef void (*wnn_built_fn)(void *user, wnn_status status, wnn_graph *graph, const wnn_error *error);
WNN_API wnn_status wnn_builder_build_async(wnn_builder *builder, const wnn_named_operand *outputs, size_t count, wnn_built_fn callback, void *user,
                                           wnn_error *error);

/* ---- Saved graphs ------------------------------------------------------------------------------------ */

/* Asks for a graph that can be saved; to be called before build. Such a graph keeps some more memory: its description
 * and its small constants. */
WNN_API wnn_status wnn_builder_set_savable(wnn_builder *builder, wnn_error *error);
/* Writes a graph to a file, under another name first, so that nobody sees a part of it. WNN_INVALID_STATE when the graph
 * is destroyed or was not asked for as savable; WNN_IO_ERROR. */
WNN_API wnn_status wnn_graph_save(wnn_graph *graph, const char *path, wnn_error *error);
/* The same piece by piece through a function, which returns false when it fails. */
typedef bool (*wnn_write_fn)(void *user, const void *data, size_t size);
WNN_API wnn_status wnn_graph_write(wnn_graph *graph, wnn_write_fn write, void *user, wnn_error *error);
/* Loads a saved graph; the file is mapped and must not change while the graph is in use. WNN_NOT_SUPPORTED when it was
 * saved by another build of the library, or by a context with other processor features, passes or kind of kernels: it
 * has to be built again then. WNN_DATA_ERROR for what is damaged. A loaded graph computes the same bits as the saved one
 * did; it can be saved again. */
WNN_API wnn_status wnn_graph_load(wnn_context *context, const char *path, wnn_graph **graph, wnn_error *error);
/* The same from memory. data: aligned to 64 bytes, unchanged until release(user) is called, once: when nothing needs the
 * bytes any more, or at once when the call fails. release may be NULL. */
WNN_API wnn_status wnn_graph_load_bytes(wnn_context *context, const void *data, size_t size, wnn_release_fn release,
                                        void *user, wnn_graph **graph, wnn_error *error);
/* A number that is the same for all contexts that can load each other's graphs. */
WNN_API uint64_t wnn_context_fingerprint(const wnn_context *context);
/* A hash, for names of files in a cache of saved graphs; the same on machines of the same byte order. */
WNN_API uint64_t wnn_hash(const void *data, size_t size, uint64_t seed);

/* ---- The table of operations ------------------------------------------------------------------------ */

typedef struct wnn_enum_info {
  const char *name; /* IDL name, such as MLInputOperandLayout */
  const char *const *values;
  uint32_t count;
} wnn_enum_info;

typedef enum wnn_param_kind {
  WNN_PARAM_BOOL,      /* bool */
  WNN_PARAM_U32,       /* uint32_t */
  WNN_PARAM_I32,       /* int32_t */
  WNN_PARAM_F64,       /* double, finite */
  WNN_PARAM_NUMBER,    /* wnn_number */
  WNN_PARAM_ENUM,      /* int32_t, one of enumeration */
  WNN_PARAM_DATA_TYPE, /* int32_t, a wnn_data_type */
  WNN_PARAM_U32_LIST,  /* wnn_u32_list */
  WNN_PARAM_F32_LIST,  /* wnn_f32_list */
  WNN_PARAM_ENUM_LIST, /* wnn_enum_list, each one of enumeration */
  WNN_PARAM_SPLITS     /* wnn_splits */
} wnn_param_kind;

typedef struct wnn_param_info {
  const char *name, *doc;
  wnn_param_kind kind;
  bool positional;     /* an argument of the method, else a member of its options */
  bool modulo;         /* plain unsigned long: converted modulo 2^32 instead of range-checked */
  uint32_t offset;     /* in the argument struct */
  uint32_t length;     /* required length of a list; 0: any */
  uint32_t minimum;    /* least value of an integer or of each list item */
  const wnn_enum_info *enumeration;
} wnn_param_info;

typedef struct wnn_operand_info {
  const char *name, *doc;
  uint16_t allowed, required; /* masks of WNN_TYPE_BIT */
  int8_t same_as;             /* index of the operand whose data type it shares, or -1 */
  uint8_t min_rank, max_rank; /* allowed; max_rank is WNN_MAX_RANK where the specification has no limit */
  uint8_t required_min_rank, required_max_rank;
  bool optional, variadic, in_options;
  uint32_t offset;            /* of the wnn_operand pointer in the argument struct, for in_options */
} wnn_operand_info;

typedef struct wnn_output_info {
  const char *name;
  uint16_t allowed, required;
  int8_t same_as;
  uint8_t min_rank, max_rank, required_min_rank, required_max_rank;
} wnn_output_info;

typedef struct wnn_op_info {
  const char *name;         /* method name */
  const char *category;     /* such as "convolution" */
  const char *doc;
  const char *anchor;       /* in the specification, "#dom-mlgraphbuilder-conv2d" */
  const char *options_type; /* IDL dictionary */
  const char *limits_type;  /* IDL dictionary */
  const wnn_operand_info *operands;
  const wnn_param_info *params;
  const wnn_output_info *outputs;
  /* Members of the options dictionary, lexicographic, without label: index of a parameter, or
   * ~index of an operand. */
  const int8_t *option_order;
  uint8_t operand_count, param_count, output_count, option_count;
  bool returns_list;
  uint32_t args_size;   /* of the argument struct */
  uint32_t label_offset; /* of its const char *label */
  const void *defaults; /* an argument struct with every default */
} wnn_op_info;

/* The row of an operation; NULL outside the enumeration. */
WNN_API const wnn_op_info *wnn_op_get(int op);
/* The operation with a method name, or -1. */
WNN_API int wnn_op_find(const char *name);

#ifdef __cplusplus
}
#endif

#include <webnn/webnn_ops.h>

#endif
