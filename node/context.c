/* ML, MLContext, MLTensor and MLGraph: everything on them that is not a graph builder. */
#include <stdlib.h>
#include <string.h>

#include "binding.h"

/* ---- Life of a context ---- */

static void lost(void *user, const char *message) {
  node_context *context = user;
  (void)message;
  atomic_store(&context->lost, true);
  atomic_store(&context->object.state->losses, true);
  node_wake(context->object.state);
}

void node_context_close(node_context *context) {
  wnn_context_on_lost(context->handle, NULL, NULL);
  wnn_context_destroy(context->handle);
}

/* Giving a handle back waits for what the context computes at the moment: not on this thread. */
typedef struct release_work {
  napi_async_work work;
  wnn_context *handle;
} release_work;

static void release_run(napi_env env, void *data) {
  (void)env;
  wnn_context_release(((release_work *)data)->handle);
}

static void release_done(napi_env env, napi_status status, void *data) {
  (void)status;
  if (env) napi_delete_async_work(env, ((release_work *)data)->work);
  free(data);
}

static bool release_elsewhere(node_env *state, wnn_context *handle) {
  release_work *work = state->closing ? NULL : malloc(sizeof *work);
  napi_handle_scope scope;
  if (!work) return false;
  work->handle = handle;
  bool queued = false;
  if (napi_open_handle_scope(state->env, &scope) == napi_ok) {
    if (napi_create_async_work(state->env, NULL, node_string_value(state->env, "webnn"), release_run, release_done,
                               work, &work->work) == napi_ok) {
      queued = napi_queue_async_work(state->env, work->work) == napi_ok;
      if (!queued) napi_delete_async_work(state->env, work->work);
    }
    napi_close_handle_scope(state->env, scope);
  }
  if (!queued) free(work);
  return queued;
}

void node_context_free(node_context *context) {
  node_env *state = context->object.state;
  if (context->handle) {
    /* Nothing can see the results of what is still queued. */
    node_context_close(context);
    if (!release_elsewhere(state, context->handle)) wnn_context_release(context->handle);
    if (context->previous)
      context->previous->next = context->next;
    else
      state->contexts = context->next;
    if (context->next) context->next->previous = context->previous;
  }
  if (context->self && !state->closing) napi_delete_reference(state->env, context->self);
}

/* createContext(options) => MLContext */
static napi_value create_context(napi_env env, napi_callback_info info) {
  static const char *const preferences[] = {"default", "high-performance", "low-power"};
  node_call call;
  wnn_context_options options = WNN_CONTEXT_OPTIONS_INIT;
  wnn_error error;
  napi_value member, result = NULL;
  int32_t preference;
  bool ok = true;
  if (!node_call_begin(&call, env, info, "ML", "createContext", 0)) return NULL;
  if (call.argc && node_dictionary_given(&call, call.argv[0], "options", &ok)) {
    ok = node_member(&call, call.argv[0], "accelerated", &member) &&
         (!member || node_to_bool(&call, member, &options.accelerated)) &&
         node_member(&call, call.argv[0], "powerPreference", &member);
    if (ok && member) {
      ok = node_to_enum(&call, member, "powerPreference", "MLPowerPreference", preferences, 3, &preference);
      options.power_preference = ok ? (wnn_power_preference)preference : WNN_POWER_DEFAULT;
    }
  }
  node_context *context = ok ? node_object_new(call.state, NODE_CONTEXT, sizeof *context) : NULL;
  if (context) {
    wnn_status status = wnn_context_create(&options, &context->handle, &error);
    if (status) {
      context->handle = NULL;
      node_object_release(context);
      node_throw_status(env, call.state, status, error.message);
    } else {
      atomic_init(&context->lost, false);
      context->next = call.state->contexts;
      if (context->next) context->next->previous = context;
      call.state->contexts = context;
      result = node_wrap(context);
      if (result && napi_create_reference(env, result, 0, &context->self) != napi_ok) result = NULL;
      if (result) wnn_context_on_lost(context->handle, lost, context);
    }
  }
  node_call_end(&call);
  return result;
}

static napi_value context_accelerated(napi_env env, napi_callback_info info) {
  node_call call;
  napi_value value = NULL;
  node_context *context;
  if (!node_call_begin(&call, env, info, "MLContext", "accelerated", 0)) return NULL;
  if ((context = node_call_self(&call, NODE_CONTEXT)))
    napi_get_boolean(env, wnn_context_accelerated(context->handle), &value);
  return value;
}

/* The JavaScript side settles the lost promise itself. */
static napi_value context_destroy(napi_env env, napi_callback_info info) {
  node_call call;
  node_context *context;
  if (!node_call_begin(&call, env, info, "MLContext", "destroy", 0)) return NULL;
  if ((context = node_call_self(&call, NODE_CONTEXT))) {
    context->told = true;
    wnn_context_destroy(context->handle);
    node_deliver(call.state);
  }
  return NULL;
}

/* Three numbers (data types, least and greatest rank) for input, constant, output and every operand and
 * output of every operation, after the layout and the byte length. */
static napi_value context_limits(napi_env env, napi_callback_info info) {
  node_call call;
  node_context *context;
  napi_value buffer, view = NULL;
  void *memory;
  if (!node_call_begin(&call, env, info, "MLContext", "opSupportLimits", 0)) return NULL;
  if (!(context = node_call_self(&call, NODE_CONTEXT))) return NULL;
  size_t count = 2 + 3 * 3;
  for (int op = 0; op < WNN_OP_COUNT; op++)
    count += 3 * (size_t)(wnn_op_get(op)->operand_count + wnn_op_get(op)->output_count);
  if (!(buffer = node_buffer_new(call.state, count * sizeof(double), &memory))) return NULL;
  double *data = memory;
  wnn_limits limits;
  wnn_context_limits(context->handle, &limits);
  *data++ = limits.preferred_input_layout;
  *data++ = (double)limits.max_tensor_byte_length;
  wnn_tensor_limits top[] = {limits.input, limits.constant, limits.output};
  for (int i = 0; i < 3; i++, data += 3)
    data[0] = top[i].data_types, data[1] = top[i].min_rank, data[2] = top[i].max_rank;
  for (int op = 0; op < WNN_OP_COUNT; op++) {
    const wnn_op_info *row = wnn_op_get(op);
    for (uint32_t i = 0; i < (uint32_t)row->operand_count + row->output_count; i++, data += 3) {
      wnn_tensor_limits one = i < row->operand_count
                                  ? wnn_context_operand_limits(context->handle, op, i)
                                  : wnn_context_output_limits(context->handle, op, i - row->operand_count);
      data[0] = one.data_types, data[1] = one.min_rank, data[2] = one.max_rank;
    }
  }
  napi_create_typedarray(env, napi_float64_array, count, buffer, 0, &view);
  return view;
}

/* ---- Tensors ---- */

static void tensor_dispose(node_request *request) { wnn_tensor_release(request->result); }

static napi_value tensor_finish(node_request *request, napi_env env) {
  (void)env;
  if (wnn_context_is_lost(request->context->handle)) {
    request->status = WNN_INVALID_STATE;
    request->message = strdup("The context was lost before the tensor was made.");
    return NULL;
  }
  node_tensor *tensor = node_object_new(request->state, NODE_TENSOR, sizeof *tensor);
  if (!tensor) return NULL;
  tensor->handle = request->result;
  request->result = NULL;
  node_object_account(tensor, (int64_t)wnn_desc_bytes(wnn_tensor_desc(tensor->handle)));
  return node_wrap(tensor);
}

/* A promise that is fulfilled with a new tensor, whose reference it takes. */
static napi_value promise_of_tensor(node_call *call, node_context *context, wnn_tensor *tensor) {
  node_request *request = node_request_new(call->state, context);
  if (!request) {
    wnn_tensor_release(tensor);
    return NULL;
  }
  request->result = tensor;
  request->finish = tensor_finish;
  request->dispose = tensor_dispose;
  napi_value promise = node_request_promise(request);
  node_complete_here(request);
  return promise;
}

static napi_value create_tensor(napi_env env, napi_callback_info info) {
  node_call call;
  node_context *context;
  wnn_desc desc;
  uint32_t flags;
  wnn_error error;
  wnn_tensor *tensor;
  napi_value promise = NULL;
  if (!node_call_begin(&call, env, info, "MLContext", "createTensor", 1)) return NULL;
  if ((context = node_call_self(&call, NODE_CONTEXT)) &&
      node_to_desc(&call, call.argv[0], "descriptor", &desc, &flags)) {
    wnn_status status = wnn_context_create_tensor(context->handle, &desc, flags, &tensor, &error);
    if (status) {
      node_throw_status(env, call.state, status, error.message);
    } else {
      promise = promise_of_tensor(&call, context, tensor);
    }
  }
  node_call_end(&call);
  return promise;
}

static napi_value create_constant_tensor(napi_env env, napi_callback_info info) {
  node_call call;
  node_context *context;
  wnn_desc desc;
  node_bytes bytes;
  wnn_error error;
  wnn_tensor *tensor;
  napi_value promise = NULL;
  if (!node_call_begin(&call, env, info, "MLContext", "createConstantTensor", 2)) return NULL;
  if ((context = node_call_self(&call, NODE_CONTEXT)) && node_to_desc(&call, call.argv[0], "descriptor", &desc, NULL) &&
      node_to_bytes(&call, call.argv[1], "inputData", &bytes)) {
    /* The state comes before the kind of view, which the library does not know. */
    bool lost_already = wnn_context_is_lost(context->handle);
    wnn_status status = WNN_OK;
    if (!lost_already && wnn_desc_bytes(&desc) && !node_bytes_match(&call, &bytes, &desc, "inputData")) {
    } else if ((status = wnn_context_create_constant_tensor(context->handle, &desc, bytes.data, bytes.size, &tensor,
                                                            &error))) {
      node_throw_status(env, call.state, status, error.message);
    } else {
      promise = promise_of_tensor(&call, context, tensor);
    }
  }
  node_call_end(&call);
  return promise;
}

static napi_value write_tensor(napi_env env, napi_callback_info info) {
  node_call call;
  node_context *context;
  node_tensor *tensor;
  node_bytes bytes;
  wnn_error error;
  if (!node_call_begin(&call, env, info, "MLContext", "writeTensor", 2)) return NULL;
  /* All failures are TypeErrors, so the view may be tested before the tensor's state. */
  if ((context = node_call_self(&call, NODE_CONTEXT)) &&
      (tensor = node_to_object(&call, call.argv[0], "tensor", NODE_TENSOR)) &&
      node_to_bytes(&call, call.argv[1], "inputData", &bytes) &&
      node_bytes_match(&call, &bytes, wnn_tensor_desc(tensor->handle), "inputData")) {
    wnn_status status = wnn_context_write_tensor(context->handle, tensor->handle, bytes.data, bytes.size, &error);
    if (status) node_throw_status(env, call.state, status, error.message);
  }
  node_call_end(&call);
  return NULL;
}

/* ---- Reading ---- */

static void read_done(void *user, wnn_status status, const wnn_error *error) {
  node_complete(user, status, error ? error->message : NULL);
}

/* A read counts as pending until its task runs: destroying the tensor or the context until then cuts it off. */
static bool read_cut_off(node_request *request) {
  node_tensor *tensor = (node_tensor *)request->object;
  if (!tensor->destroyed && !wnn_context_is_lost(request->context->handle)) return false;
  request->status = WNN_INVALID_STATE;
  request->message = strdup("The tensor was destroyed before it was read.");
  return true;
}

static napi_value read_finish_new(node_request *request, napi_env env) {
  napi_value buffer = NULL;
  if (!read_cut_off(request)) napi_get_reference_value(env, request->value, &buffer);
  return buffer;
}

static napi_value read_finish_into(node_request *request, napi_env env) {
  node_call call;
  node_bytes bytes;
  napi_value view, result = NULL;
  if (read_cut_off(request)) return NULL;
  call.env = env;
  call.state = request->state;
  call.interface = "MLContext";
  call.method = "readTensor";
  call.blocks = NULL;
  call.used = 0;
  if (napi_get_reference_value(env, request->value, &view) == napi_ok &&
      node_to_bytes(&call, view, "outputData", &bytes)) {
    if (bytes.size != request->size) {
      node_throw(&call, "outputData: The buffer was detached or resized while the tensor was read.");
    } else {
      memcpy(bytes.data, request->staging, request->size);
      napi_get_undefined(env, &result);
    }
  }
  node_call_end(&call);
  return result;
}

/* ONNX Runtime Web reads every data type into Int8Array views of its WebAssembly memory, as browsers let it: such a
 * view stands for bytes, like Uint8Array. The memory is known by its size, which is one of whole pages. */
static bool as_raw_bytes(node_call *call, napi_value view, node_bytes *bytes) {
  enum { WASM_PAGE = 65536 };
  napi_value buffer, length;
  int64_t size = 0;
  if (bytes->types == WNN_TYPE_BIT(WNN_INT8) &&
      napi_get_typedarray_info(call->env, view, NULL, NULL, NULL, &buffer, NULL) == napi_ok &&
      napi_get_named_property(call->env, buffer, "byteLength", &length) == napi_ok &&
      napi_get_value_int64(call->env, length, &size) == napi_ok && size > 0 && size % WASM_PAGE == 0)
    bytes->types = (1 << WNN_DATA_TYPE_COUNT) - 1;
  return true;
}

static napi_value read_tensor(napi_env env, napi_callback_info info) {
  node_call call;
  node_context *context;
  node_tensor *tensor;
  node_bytes bytes;
  wnn_error error;
  node_request *request = NULL;
  napi_value target = NULL, promise = NULL;
  void *data = NULL;
  if (!node_call_begin(&call, env, info, "MLContext", "readTensor", 1)) return NULL;
  if ((context = node_call_self(&call, NODE_CONTEXT)) &&
      (tensor = node_to_object(&call, call.argv[0], "tensor", NODE_TENSOR)) &&
      (call.argc < 2 ||
       (node_to_bytes(&call, call.argv[1], "outputData", &bytes) && as_raw_bytes(&call, call.argv[1], &bytes) &&
        node_bytes_match(&call, &bytes, wnn_tensor_desc(tensor->handle), "outputData"))) &&
      (request = node_request_new(call.state, context))) {
    request->object = &tensor->object;
    node_object_retain(tensor);
    request->size = (size_t)wnn_desc_bytes(wnn_tensor_desc(tensor->handle));
    bool ready;
    if (call.argc < 2) {
      /* Script cannot see the buffer before the promise resolves, so other threads may fill it. */
      request->finish = read_finish_new;
      ready = (target = node_buffer_new(call.state, request->size, &data)) != NULL;
    } else {
      request->finish = read_finish_into;
      target = call.argv[1];
      data = request->staging = malloc(request->size);
      ready = data != NULL;
    }
    ready = ready && napi_create_reference(env, target, 1, &request->value) == napi_ok;
    wnn_status status = WNN_OUT_OF_MEMORY;
    error.message[0] = 0;
    call.state->inside = true;
    if (ready)
      status = wnn_context_read_tensor_async(context->handle, tensor->handle, data, request->size, read_done, request,
                                             &error);
    call.state->inside = false;
    promise = status ? node_request_drop(request, status, error.message) : node_request_promise(request);
  }
  node_call_end(&call);
  return promise;
}

/* ---- dispatch() ---- */

static wnn_named_tensor *named(node_call *call, const node_entry *entries, size_t count) {
  wnn_named_tensor *tensors = node_call_alloc(call, (count ? count : 1) * sizeof *tensors);
  for (size_t i = 0; tensors && i < count; i++)
    tensors[i] = (wnn_named_tensor){entries[i].name, ((node_tensor *)entries[i].object)->handle};
  return tensors;
}

static napi_value dispatch(napi_env env, napi_callback_info info) {
  node_call call;
  node_context *context;
  node_graph *graph;
  node_entry *entries;
  size_t input_count, output_count;
  wnn_named_tensor *inputs, *outputs;
  wnn_error error;
  if (!node_call_begin(&call, env, info, "MLContext", "dispatch", 3)) return NULL;
  if ((context = node_call_self(&call, NODE_CONTEXT)) &&
      (graph = node_to_object(&call, call.argv[0], "graph", NODE_GRAPH)) &&
      node_to_record(&call, call.argv[1], "inputs", NODE_TENSOR, &entries, &input_count) &&
      (inputs = named(&call, entries, input_count)) &&
      node_to_record(&call, call.argv[2], "outputs", NODE_TENSOR, &entries, &output_count) &&
      (outputs = named(&call, entries, output_count))) {
    wnn_status status =
        wnn_context_dispatch(context->handle, graph->handle, inputs, input_count, outputs, output_count, &error);
    if (status) node_throw_status(env, call.state, status, error.message);
  }
  node_call_end(&call);
  return NULL;
}

/* ---- Attributes and destroy() of tensors and graphs ---- */

typedef enum attribute { DATA_TYPE, SHAPE, READABLE, WRITABLE, CONSTANT, DESTROY } attribute;

static napi_value tensor_attribute(napi_env env, napi_callback_info info) {
  size_t argc = 0;
  napi_value self, value = NULL;
  void *which;
  node_tensor *tensor;
  if (napi_get_cb_info(env, info, &argc, NULL, &self, &which) != napi_ok) return NULL;
  if (!(tensor = node_peek(env, self, NODE_TENSOR))) {
    napi_throw_type_error(env, NULL, "Illegal invocation");
    return NULL;
  }
  const wnn_desc *desc = wnn_tensor_desc(tensor->handle);
  switch ((attribute)(intptr_t)which) {
  case DATA_TYPE: return node_string_value(env, wnn_data_type_name(desc->data_type));
  case SHAPE: return node_shape_value(env, desc);
  case READABLE: napi_get_boolean(env, wnn_tensor_readable(tensor->handle), &value); return value;
  case WRITABLE: napi_get_boolean(env, wnn_tensor_writable(tensor->handle), &value); return value;
  case CONSTANT: napi_get_boolean(env, wnn_tensor_constant(tensor->handle), &value); return value;
  case DESTROY: break;
  }
  if (tensor->destroyed) return NULL;
  tensor->destroyed = true;
  node_env *state = tensor->object.state;
  node_object_retain(tensor);
  wnn_tensor_destroy(tensor->handle);
  node_object_account(tensor, 0);
  node_deliver(state);
  node_object_release(tensor);
  return NULL;
}

static napi_value graph_destroy(napi_env env, napi_callback_info info) {
  node_call call;
  node_graph *graph;
  if (!node_call_begin(&call, env, info, "MLGraph", "destroy", 0)) return NULL;
  if ((graph = node_call_self(&call, NODE_GRAPH))) {
    wnn_graph_destroy(graph->handle);
    node_object_account(graph, 0);
  }
  return NULL;
}

bool node_context_register(node_env *state, napi_value exports) {
  static const struct {
    const char *name;
    napi_callback callback;
    attribute which;
  } functions[] = {{"createContext", create_context, 0},
                   {"contextAccelerated", context_accelerated, 0},
                   {"contextDestroy", context_destroy, 0},
                   {"contextLimits", context_limits, 0},
                   {"createTensor", create_tensor, 0},
                   {"createConstantTensor", create_constant_tensor, 0},
                   {"writeTensor", write_tensor, 0},
                   {"readTensor", read_tensor, 0},
                   {"dispatch", dispatch, 0},
                   {"tensorDataType", tensor_attribute, DATA_TYPE},
                   {"tensorShape", tensor_attribute, SHAPE},
                   {"tensorReadable", tensor_attribute, READABLE},
                   {"tensorWritable", tensor_attribute, WRITABLE},
                   {"tensorConstant", tensor_attribute, CONSTANT},
                   {"tensorDestroy", tensor_attribute, DESTROY},
                   {"graphDestroy", graph_destroy, 0}};
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
    if (!node_export(state->env, exports, functions[i].name, functions[i].callback,
                     (void *)(intptr_t)functions[i].which))
      return false;
  return true;
}
