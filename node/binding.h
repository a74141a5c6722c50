/* What the files of the addon share: the state of an environment, wrapped objects, conversions. */
#ifndef WEBNN_NODE_BINDING_H
#define WEBNN_NODE_BINDING_H

#define NAPI_VERSION 8
#include <node_api.h>
#include <pthread.h>
#include <stdatomic.h>
#include <webnn/webnn.h>

/* ---- Environment: one per JavaScript thread that loads the addon ---- */

typedef struct node_env node_env;
typedef struct node_request node_request;
typedef struct node_context node_context;

typedef enum node_kind {
  NODE_CONTEXT,
  NODE_BUILDER,
  NODE_GRAPH,
  NODE_OPERAND,
  NODE_TENSOR,
  NODE_MODEL,
  NODE_KIND_COUNT
} node_kind;
/* Interface names, as in messages. */
extern const char *const node_kind_names[NODE_KIND_COUNT];

/* Values of JavaScript that the addon needs again and again. */
typedef enum node_value {
  NODE_VALUE_TOKEN, /* what lets constructors know the addon */
  NODE_VALUE_DOM_EXCEPTION,
  NODE_VALUE_SYMBOL_ITERATOR,
  NODE_VALUE_ARRAY_VALUES, /* Array.prototype.values */
  NODE_VALUE_TO_NUMERIC,   /* value => ToNumeric(value) */
  NODE_VALUE_ENUMERABLE,   /* (object, key) => whether it has an own enumerable property of that key */
  NODE_VALUE_SHARED_VIEW,  /* SharedArrayBuffer => Uint8Array over it; other values => undefined */
  NODE_VALUE_BUFFER,       /* size => new ArrayBuffer(size) */
  NODE_VALUE_LOSE,         /* (context, message) => settles its lost promise */
  NODE_VALUE_SOON,         /* () => calls deliver() in a microtask */
  NODE_VALUE_LATER,        /* () => calls deliver() in the next turn of the event loop */
  NODE_VALUE_CLASSES,      /* first of the constructors, in the order of node_kind */
  NODE_VALUE_COUNT = NODE_VALUE_CLASSES + NODE_KIND_COUNT
} node_value;

typedef struct node_op {
  node_env *state;
  int op;
} node_op;

struct node_env {
  napi_env env;
  size_t references; /* the instance data and every wrapped object */
  napi_ref values[NODE_VALUE_COUNT];
  node_op ops[WNN_OP_COUNT];
  napi_threadsafe_function notify; /* runs node_deliver on the thread of the environment */
  pthread_t thread;                /* of the environment */
  bool inside;                     /* a call of the library that may complete a request at once is running */
  unsigned row;                    /* deliveries since the event loop certainly turned */
  size_t pending;                  /* requests whose promise is not settled; this thread only */
  node_context *contexts;          /* all; this thread only */
  atomic_bool losses;              /* a context of the list has been lost by itself */

  pthread_mutex_t lock; /* guards what follows */
  pthread_cond_t idle;
  size_t running; /* requests that the library has not called back for */
  bool closing;   /* the environment is going away: nothing may be delivered */
  node_request *first, *last;
};

/* The state of an environment that has loaded the addon. */
node_env *node_env_get(napi_env env);
napi_value node_value_get(node_env *state, node_value which);
void node_env_release(node_env *state);

/* ---- Wrapped objects: counted, since queued requests use them too ---- */

typedef struct node_object {
  node_kind kind;
  node_env *state;
  size_t references;
  int64_t external; /* bytes announced to the garbage collector */
} node_object;

struct node_context {
  node_object object;
  wnn_context *handle;
  napi_ref self;                 /* weak */
  atomic_bool lost;              /* set by the library's callback */
  bool told;                     /* the lost promise is settled */
  node_context *previous, *next; /* list of the environment */
};
typedef struct node_builder {
  node_object object;
  wnn_builder *handle;
  node_context *context;
} node_builder;
typedef struct node_graph {
  node_object object;
  wnn_graph *handle;
} node_graph;
typedef struct node_operand {
  node_object object;
  wnn_operand *handle;
  node_builder *builder;
} node_operand;
typedef struct node_tensor {
  node_object object;
  wnn_tensor *handle;
  bool destroyed;
} node_tensor;

/* Allocates an object with one reference; NULL with a pending exception when memory is short. */
void *node_object_new(node_env *state, node_kind kind, size_t size);
void node_object_retain(void *object);
void node_object_release(void *object);
/* What each kind does before its memory goes. */
void node_context_free(node_context *context);
void node_builder_free(node_builder *builder);
void node_model_free(void *model);
/* Tells the garbage collector how much memory an object holds outside its heap. */
void node_object_account(void *object, int64_t bytes);

/* Makes a JavaScript object of the class and hands it the reference; NULL when an exception is pending
 * (the reference is given back). */
napi_value node_wrap(void *object);
/* The same around an object under construction. */
bool node_wrap_this(napi_value target, void *object);
/* The tag of our objects of a kind, or of classes of other files with numbers above. */
napi_type_tag node_tag(unsigned kind);
/* The object behind a value, or NULL (and no exception) when it is not of the kind. */
void *node_peek(napi_env env, napi_value value, node_kind kind);

/* ---- Calls ---- */

enum { NODE_MAX_ARGUMENTS = 10, NODE_SCRATCH = 2048 };

/* A method call in progress: what conversions need for messages and temporary memory. */
typedef struct node_call {
  napi_env env;
  node_env *state;
  const char *interface, *method;
  size_t argc;
  napi_value self, argv[NODE_MAX_ARGUMENTS];
  void *blocks; /* heap memory of the call */
  size_t used;
  _Alignas(16) char scratch[NODE_SCRATCH];
} node_call;

/* Starts a call; false with a pending exception when there are fewer than `required` arguments. */
bool node_call_begin(node_call *call, napi_env env, napi_callback_info info, const char *interface, const char *method,
                     size_t required);
/* The receiver, or NULL with a pending TypeError. */
void *node_call_self(node_call *call, node_kind kind);
/* Temporary memory until node_call_end; NULL with a pending exception when memory is short. */
void *node_call_alloc(node_call *call, size_t size);
void node_call_end(node_call *call);

/* Throws a TypeError "Failed to execute 'method' on 'interface': text". Always returns false. */
bool node_throw(node_call *call, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Throws what a status stands for. Always returns NULL. */
napi_value node_throw_status(napi_env env, node_env *state, wnn_status status, const char *message);
/* Makes the exception without throwing it. */
napi_value node_error_value(napi_env env, node_env *state, wnn_status status, const char *message);
/* Throws UnknownError for failed allocations unless an exception is pending. Always returns NULL. */
void *node_throw_memory(node_env *state);

/* ---- Conversions of Web IDL (convert.c); false: an exception is pending ---- */

bool node_to_u32(node_call *call, napi_value value, const char *what, bool modulo, uint32_t *out);
bool node_to_i32(node_call *call, napi_value value, const char *what, int32_t *out);
bool node_to_double(node_call *call, napi_value value, const char *what, double *out); /* finite */
bool node_to_float(node_call *call, napi_value value, const char *what, float *out);   /* finite */
bool node_to_bool(node_call *call, napi_value value, bool *out);
bool node_to_number(node_call *call, napi_value value, wnn_number *out);
/* USVString in UTF-8. U+0000 inside becomes the two bytes C0 80, so that names stay distinct in C. */
bool node_to_string(node_call *call, napi_value value, const char **out);
bool node_to_enum(node_call *call, napi_value value, const char *what, const char *type, const char *const *values,
                  uint32_t count, int32_t *out);
bool node_to_data_type(node_call *call, napi_value value, const char *what, int32_t *out);
bool node_to_u32_list(node_call *call, napi_value value, const char *what, bool modulo, wnn_u32_list *out);
/* For the union with a number: *sequence tells whether the value is iterable; if not, nothing is read. */
bool node_to_u32_list_or(node_call *call, napi_value value, const char *what, bool *sequence, wnn_u32_list *out);
bool node_to_f32_list(node_call *call, napi_value value, const char *what, wnn_f32_list *out);
bool node_to_enum_list(node_call *call, napi_value value, const char *what, const wnn_enum_info *info,
                       wnn_enum_list *out);
/* The object of a kind behind a value; NULL with a pending TypeError. */
void *node_to_object(node_call *call, napi_value value, const char *what, node_kind kind);
/* Whether a value is an object or function. */
bool node_is_object(napi_env env, napi_value value);
/* Whether a dictionary argument is given; false with *ok false: it is not an object (TypeError). */
bool node_dictionary_given(node_call *call, napi_value value, const char *what, bool *ok);
/* Reads a dictionary member; *value is NULL when it is undefined. */
bool node_member(node_call *call, napi_value dictionary, const char *name, napi_value *value);
/* MLOperandDescriptor, or MLTensorDescriptor when flags is not NULL. */
bool node_to_desc(node_call *call, napi_value value, const char *what, wnn_desc *desc, uint32_t *flags);

/* Iteration over sequences. */
typedef struct node_iteration {
  bool array;
  uint32_t index;
  napi_value object, next; /* the array, or the iterator and its next method */
} node_iteration;
/* found NULL: a value that is not iterable is a TypeError; otherwise it is reported there. */
bool node_iterate(node_call *call, napi_value value, const char *what, node_iteration *iteration, bool *found);
/* *value is NULL at the end. */
bool node_next(node_call *call, node_iteration *iteration, napi_value *value);

/* Record of names to objects: own enumerable string keys in order. */
typedef struct node_entry {
  const char *name;
  void *object;
} node_entry;
bool node_to_record(node_call *call, napi_value value, const char *what, node_kind kind, node_entry **entries,
                    size_t *count);

/* ---- Buffers (buffer.c) ---- */

typedef struct node_bytes {
  void *data; /* NULL when empty or detached */
  size_t size;
  uint16_t types;   /* mask of the data types whose elements the view has */
  const char *view; /* name of the class in messages */
} node_bytes;
/* BufferSource; false with a pending TypeError when it is none. */
bool node_to_bytes(node_call *call, napi_value value, const char *what, node_bytes *bytes);
/* Whether bytes match a descriptor, else a pending TypeError. */
bool node_bytes_match(node_call *call, const node_bytes *bytes, const wnn_desc *desc, const char *what);
/* A new ArrayBuffer; NULL with a pending exception when memory is short, where napi_create_arraybuffer ends the
 * process. */
napi_value node_buffer_new(node_env *state, size_t size, void **data);
napi_value node_buffer_copy(node_env *state, const void *bytes, size_t size);

/* ---- Requests: promises that the library settles from its threads (async.c) ---- */

struct node_request {
  node_request *next;
  node_env *state;
  napi_deferred deferred;
  /* Runs on the environment's thread when the library is done: gives the value to resolve with, or NULL
   * with request->status set (or with an exception pending, which then rejects). */
  napi_value (*finish)(node_request *request, napi_env env);
  /* Gives back `result` when it is not handed out; may be NULL. */
  void (*dispose)(node_request *request);
  node_context *context;
  node_object *object; /* tensor or model, may be NULL */
  napi_ref value;      /* JavaScript value kept for the result, may be NULL */
  void *staging;       /* malloc'ed bytes, may be NULL */
  size_t size;
  void *result; /* of the library: a graph, a tensor; NULL once handed out */
  wnn_status status;
  char *message; /* owned, NULL for the status's own text */
};

bool node_async_init(node_env *state, napi_value exports);
/* A request, counted as running; NULL with an exception pending. context may be NULL. Then either
 * node_complete is called once, from any thread, or node_request_drop here. */
node_request *node_request_new(node_env *state, node_context *context);
void node_complete(node_request *request, wnn_status status, const char *message);
/* The same on the environment's own thread, from within a call. */
void node_complete_here(node_request *request);
/* Takes a request back whose call failed: throws that failure. Returns NULL. */
napi_value node_request_drop(node_request *request, wnn_status status, const char *message);
/* The promise of a request that is on its way (it may be complete, but is not delivered yet). */
napi_value node_request_promise(node_request *request);
/* Wakes the environment's thread. From any thread. */
void node_wake(node_env *state);
/* Settles the promises of all completed requests. */
void node_deliver(node_env *state);

/* ---- Registration: functions of each file, put on the module's exports ---- */

bool node_export(napi_env env, napi_value exports, const char *name, napi_callback callback, void *data);
bool node_context_register(node_env *state, napi_value exports);
bool node_builder_register(node_env *state, napi_value exports);
bool node_ops_register(node_env *state, napi_value exports);
bool node_model_register(node_env *state, napi_value exports);
bool node_pack_register(node_env *state, napi_value exports);

/* A new MLOperand. */
napi_value node_operand_wrap(node_builder *builder, wnn_operand *operand);
/* Ends the use of a context's handle when the environment goes away. */
void node_context_close(node_context *context);
/* {dataType, shape} getters of operands and tensors. */
napi_value node_shape_value(napi_env env, const wnn_desc *desc);
napi_value node_string_value(napi_env env, const char *text);

#endif
