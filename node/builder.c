/* MLGraphBuilder without its operations, and MLOperand. */
#include <string.h>

#include "binding.h"

void node_builder_free(node_builder *builder) {
  wnn_builder_release(builder->handle);
  node_object_release(builder->context);
}

napi_value node_operand_wrap(node_builder *builder, wnn_operand *handle) {
  node_operand *operand = node_object_new(builder->object.state, NODE_OPERAND, sizeof *operand);
  if (!operand) return NULL;
  operand->handle = handle;
  operand->builder = builder;
  node_object_retain(builder);
  return node_wrap(operand);
}

/* Called with the object under construction as receiver. */
static napi_value builder_init(napi_env env, napi_callback_info info) {
  node_call call;
  node_context *context;
  node_builder *builder;
  wnn_error error;
  if (!node_call_begin(&call, env, info, "MLGraphBuilder", "constructor", 1)) return NULL;
  if ((context = node_to_object(&call, call.argv[0], "context", NODE_CONTEXT)) &&
      (builder = node_object_new(call.state, NODE_BUILDER, sizeof *builder))) {
    wnn_status status = wnn_builder_create(context->handle, &builder->handle, &error);
    if (status) {
      builder->handle = NULL;
      node_throw_status(env, call.state, status, error.message);
      node_object_release(builder);
    } else {
      builder->context = context;
      node_object_retain(context);
      if (!node_wrap_this(call.self, builder)) node_throw(&call, "The object cannot be a builder.");
    }
  }
  node_call_end(&call);
  return NULL;
}

static napi_value builder_input(napi_env env, napi_callback_info info) {
  node_call call;
  node_builder *builder;
  const char *name;
  wnn_desc desc;
  wnn_operand *operand;
  wnn_error error;
  napi_value result = NULL;
  if (!node_call_begin(&call, env, info, "MLGraphBuilder", "input", 2)) return NULL;
  if ((builder = node_call_self(&call, NODE_BUILDER)) && node_to_string(&call, call.argv[0], &name) &&
      node_to_desc(&call, call.argv[1], "descriptor", &desc, NULL)) {
    wnn_status status = wnn_builder_input(builder->handle, name, &desc, &operand, &error);
    result = status ? node_throw_status(env, call.state, status, error.message) : node_operand_wrap(builder, operand);
  }
  node_call_end(&call);
  return result;
}

/* constant(descriptor, buffer) */
static wnn_status constant_bytes(node_call *call, node_builder *builder, wnn_operand **operand, wnn_error *error) {
  wnn_desc desc;
  node_bytes bytes;
  if (!node_to_desc(call, call->argv[0], "descriptor", &desc, NULL) ||
      !node_to_bytes(call, call->argv[1], "buffer", &bytes))
    return WNN_TYPE_ERROR;
  /* The library tests state and descriptor first; it does not know views, and no bytes never match. */
  bool fits = bytes.types & WNN_TYPE_BIT(desc.data_type);
  wnn_status status = wnn_builder_constant(builder->handle, &desc, bytes.data, fits ? bytes.size : 0, operand, error);
  if (status == WNN_TYPE_ERROR && !fits && wnn_desc_bytes(&desc)) node_bytes_match(call, &bytes, &desc, "buffer");
  if (!status) node_object_account(builder, builder->object.external + (int64_t)bytes.size);
  return status;
}

static napi_value builder_constant(napi_env env, napi_callback_info info) {
  node_call call;
  node_builder *builder;
  wnn_operand *operand;
  napi_value result = NULL;
  wnn_error error = {WNN_OK, ""};
  wnn_status status = WNN_TYPE_ERROR;
  if (!node_call_begin(&call, env, info, "MLGraphBuilder", "constant", 1)) return NULL;
  if ((builder = node_call_self(&call, NODE_BUILDER))) {
    napi_valuetype type;
    napi_typeof(env, call.argv[0], &type);
    if (call.argc < 2) {
      node_tensor *tensor = node_to_object(&call, call.argv[0], "tensor", NODE_TENSOR);
      if (tensor) status = wnn_builder_constant_tensor(builder->handle, tensor->handle, &operand, &error);
    } else if (type == napi_undefined || type == napi_null || node_is_object(env, call.argv[0])) {
      status = constant_bytes(&call, builder, &operand, &error);
    } else {
      int32_t data_type;
      wnn_number number;
      if (node_to_data_type(&call, call.argv[0], "dataType", &data_type) &&
          node_to_number(&call, call.argv[1], &number))
        status = wnn_builder_constant_number(builder->handle, (wnn_data_type)data_type, number, &operand, &error);
    }
    bool pending = false;
    napi_is_exception_pending(env, &pending);
    if (!status)
      result = node_operand_wrap(builder, operand);
    else if (!pending)
      node_throw_status(env, call.state, status, error.message);
  }
  node_call_end(&call);
  return result;
}

/* ---- build() ---- */

static void build_done(void *user, wnn_status status, wnn_graph *graph, const wnn_error *error) {
  node_request *request = user;
  request->result = graph;
  node_complete(request, status, error ? error->message : NULL);
}

static void build_dispose(node_request *request) { wnn_graph_release(request->result); }

static napi_value build_finish(node_request *request, napi_env env) {
  (void)env;
  if (wnn_context_is_lost(request->context->handle)) {
    request->status = WNN_INVALID_STATE;
    request->message = strdup("The context was lost before the graph was built.");
    return NULL;
  }
  node_graph *graph = node_object_new(request->state, NODE_GRAPH, sizeof *graph);
  if (!graph) return NULL;
  graph->handle = request->result;
  request->result = NULL;
  wnn_graph_stats stats;
  wnn_graph_get_stats(graph->handle, &stats);
  node_object_account(graph, (int64_t)(stats.constant_bytes + stats.arena_bytes));
  return node_wrap(graph);
}

static napi_value builder_build(napi_env env, napi_callback_info info) {
  node_call call;
  node_builder *builder;
  node_entry *entries;
  size_t count;
  wnn_error error;
  napi_value promise = NULL;
  if (!node_call_begin(&call, env, info, "MLGraphBuilder", "build", 1)) return NULL;
  if ((builder = node_call_self(&call, NODE_BUILDER)) &&
      node_to_record(&call, call.argv[0], "outputs", NODE_OPERAND, &entries, &count)) {
    wnn_named_operand *outputs = node_call_alloc(&call, (count ? count : 1) * sizeof *outputs);
    node_request *request = outputs ? node_request_new(call.state, builder->context) : NULL;
    if (request) {
      for (size_t i = 0; i < count; i++)
        outputs[i] = (wnn_named_operand){entries[i].name, ((node_operand *)entries[i].object)->handle};
      request->finish = build_finish;
      request->dispose = build_dispose;
      wnn_status status = wnn_builder_build_async(builder->handle, outputs, count, build_done, request, &error);
      promise = status ? node_request_drop(request, status, error.message) : node_request_promise(request);
    }
  }
  node_call_end(&call);
  return promise;
}

/* ---- Operands ---- */

static napi_value operand_attribute(napi_env env, napi_callback_info info) {
  size_t argc = 0;
  napi_value self;
  void *shape;
  if (napi_get_cb_info(env, info, &argc, NULL, &self, &shape) != napi_ok) return NULL;
  node_operand *operand = node_peek(env, self, NODE_OPERAND);
  if (!operand) {
    napi_throw_type_error(env, NULL, "Illegal invocation");
    return NULL;
  }
  const wnn_desc *desc = wnn_operand_desc(operand->handle);
  return shape ? node_shape_value(env, desc) : node_string_value(env, wnn_data_type_name(desc->data_type));
}

bool node_builder_register(node_env *state, napi_value exports) {
  return node_export(state->env, exports, "builderInit", builder_init, NULL) &&
         node_export(state->env, exports, "input", builder_input, NULL) &&
         node_export(state->env, exports, "constant", builder_constant, NULL) &&
         node_export(state->env, exports, "build", builder_build, NULL) &&
         node_export(state->env, exports, "operandDataType", operand_attribute, NULL) &&
         node_export(state->env, exports, "operandShape", operand_attribute, (void *)1);
}
