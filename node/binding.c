/* The module: state of an environment, wrapped objects, calls and exceptions. */
#include "binding.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const node_kind_names[NODE_KIND_COUNT] = {"MLContext", "MLGraphBuilder", "MLGraph",
                                                      "MLOperand", "MLTensor",       "Model"};

/* Brands: a value is ours when its object carries the tag of the kind. The address keeps copies of the addon in one
 * process apart, to which each other's objects mean nothing. */
napi_type_tag node_tag(unsigned kind) { return (napi_type_tag){(uintptr_t)node_kind_names, kind}; }

/* ---- Environment ---- */

node_env *node_env_get(napi_env env) {
  void *state = NULL;
  napi_get_instance_data(env, &state);
  return state;
}

napi_value node_value_get(node_env *state, node_value which) {
  napi_value value = NULL;
  napi_get_reference_value(state->env, state->values[which], &value);
  return value;
}

void node_env_release(node_env *state) {
  if (--state->references) return;
  pthread_cond_destroy(&state->idle);
  pthread_mutex_destroy(&state->lock);
  free(state);
}

static void env_finalize(napi_env env, void *data, void *hint) {
  (void)env;
  (void)hint;
  node_env_release(data);
}

/* ---- Objects ---- */

void *node_object_new(node_env *state, node_kind kind, size_t size) {
  node_object *object = calloc(1, size);
  if (!object) return node_throw_memory(state);
  object->kind = kind;
  object->state = state;
  object->references = 1;
  state->references++;
  return object;
}

void node_object_retain(void *object) { ((node_object *)object)->references++; }

void node_object_release(void *pointer) {
  node_object *object = pointer;
  if (!object || --object->references) return;
  switch (object->kind) {
  case NODE_CONTEXT: node_context_free(pointer); break;
  case NODE_BUILDER: node_builder_free(pointer); break;
  case NODE_GRAPH: wnn_graph_release(((node_graph *)pointer)->handle); break;
  case NODE_OPERAND: node_object_release(((node_operand *)pointer)->builder); break;
  case NODE_TENSOR: wnn_tensor_release(((node_tensor *)pointer)->handle); break;
  case NODE_MODEL: node_model_free(pointer); break;
  case NODE_KIND_COUNT: break;
  }
  node_object_account(pointer, 0);
  node_env *state = object->state;
  free(pointer);
  node_env_release(state);
}

void node_object_account(void *pointer, int64_t bytes) {
  node_object *object = pointer;
  int64_t change = bytes - object->external, total;
  object->external = bytes;
  if (change && !object->state->closing) napi_adjust_external_memory(object->state->env, change, &total);
}

static void object_finalize(napi_env env, void *data, void *hint) {
  (void)env;
  (void)hint;
  node_object_release(data);
}

bool node_wrap_this(napi_value target, void *pointer) {
  node_object *object = pointer;
  napi_env env = object->state->env;
  if (napi_wrap(env, target, object, object_finalize, NULL, NULL) != napi_ok) return false;
  /* From here on the collector owns the reference. */
  napi_type_tag tag = node_tag(object->kind);
  return napi_type_tag_object(env, target, &tag) == napi_ok;
}

napi_value node_wrap(void *pointer) {
  node_object *object = pointer;
  node_env *state = object->state;
  napi_value constructor = node_value_get(state, (node_value)(NODE_VALUE_CLASSES + object->kind));
  napi_value token = node_value_get(state, NODE_VALUE_TOKEN), value = NULL;
  if (napi_new_instance(state->env, constructor, 1, &token, &value) != napi_ok ||
      napi_wrap(state->env, value, object, object_finalize, NULL, NULL) != napi_ok) {
    node_object_release(pointer);
    return NULL;
  }
  napi_type_tag tag = node_tag(object->kind);
  return napi_type_tag_object(state->env, value, &tag) == napi_ok ? value : NULL;
}

void *node_peek(napi_env env, napi_value value, node_kind kind) {
  bool ours = false;
  void *object = NULL;
  napi_valuetype type; /* the test below would convert, and throw for undefined */
  if (napi_typeof(env, value, &type) != napi_ok || type != napi_object) return NULL;
  napi_type_tag tag = node_tag(kind);
  if (napi_check_object_type_tag(env, value, &tag, &ours) != napi_ok || !ours) return NULL;
  return napi_unwrap(env, value, &object) == napi_ok ? object : NULL;
}

/* ---- Calls ---- */

bool node_call_begin(node_call *call, napi_env env, napi_callback_info info, const char *interface, const char *method,
                     size_t required) {
  call->env = env;
  call->state = node_env_get(env);
  call->interface = interface;
  call->method = method;
  call->blocks = NULL;
  call->used = 0;
  call->argc = NODE_MAX_ARGUMENTS;
  if (napi_get_cb_info(env, info, &call->argc, call->argv, &call->self, NULL) != napi_ok) return false;
  if (call->argc < required)
    return node_throw(call, "%zu argument%s required, but only %zu present.", required, required == 1 ? "" : "s",
                      call->argc);
  return true;
}

void *node_call_self(node_call *call, node_kind kind) {
  void *object = node_peek(call->env, call->self, kind);
  if (!object) napi_throw_type_error(call->env, NULL, "Illegal invocation");
  return object;
}

void *node_call_alloc(node_call *call, size_t size) {
  size_t rounded = (size + 15) & ~(size_t)15;
  if (rounded >= size && rounded <= sizeof call->scratch - call->used) {
    void *memory = call->scratch + call->used;
    call->used += rounded;
    return memory;
  }
  /* Blocks are chained through their first 16 bytes. */
  void **block = rounded >= size && rounded <= SIZE_MAX - 16 ? malloc(rounded + 16) : NULL;
  if (!block) return node_throw_memory(call->state);
  *block = call->blocks;
  call->blocks = block;
  return (char *)block + 16;
}

void node_call_end(node_call *call) {
  while (call->blocks) {
    void **block = call->blocks;
    call->blocks = *block;
    free(block);
  }
}

/* ---- Exceptions ---- */

bool node_throw(node_call *call, const char *format, ...) {
  char text[512], message[640];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  if (strcmp(call->method, "constructor"))
    snprintf(message, sizeof message, "Failed to execute '%s' on '%s': %s", call->method, call->interface, text);
  else
    snprintf(message, sizeof message, "Failed to construct '%s': %s", call->interface, text);
  bool pending = false;
  napi_is_exception_pending(call->env, &pending);
  if (!pending) napi_throw_type_error(call->env, NULL, message);
  return false;
}

napi_value node_error_value(napi_env env, node_env *state, wnn_status status, const char *message) {
  napi_value arguments[2], error = NULL;
  if (!message || !*message) message = "The operation failed.";
  if (napi_create_string_utf8(env, message, NAPI_AUTO_LENGTH, &arguments[0]) != napi_ok) return NULL;
  if (status == WNN_TYPE_ERROR) {
    napi_create_type_error(env, NULL, arguments[0], &error);
  } else {
    arguments[1] = node_string_value(env, wnn_status_exception(status));
    napi_new_instance(env, node_value_get(state, NODE_VALUE_DOM_EXCEPTION), 2, arguments, &error);
  }
  return error;
}

napi_value node_throw_status(napi_env env, node_env *state, wnn_status status, const char *message) {
  napi_value error = node_error_value(env, state, status, message);
  if (error) napi_throw(env, error);
  return NULL;
}

void *node_throw_memory(node_env *state) {
  bool pending = false;
  napi_is_exception_pending(state->env, &pending);
  if (!pending) node_throw_status(state->env, state, WNN_OUT_OF_MEMORY, "Out of memory.");
  return NULL;
}

/* ---- Values ---- */

napi_value node_string_value(napi_env env, const char *text) {
  napi_value value = NULL;
  napi_create_string_utf8(env, text, NAPI_AUTO_LENGTH, &value);
  return value;
}

napi_value node_shape_value(napi_env env, const wnn_desc *desc) {
  napi_value shape = NULL, item;
  if (napi_create_array_with_length(env, desc->rank, &shape) != napi_ok) return NULL;
  for (uint32_t i = 0; i < desc->rank; i++) {
    napi_create_uint32(env, desc->shape[i], &item);
    napi_set_element(env, shape, i, item);
  }
  return napi_object_freeze(env, shape) == napi_ok ? shape : NULL;
}

/* ---- Module ---- */

bool node_export(napi_env env, napi_value exports, const char *name, napi_callback callback, void *data) {
  napi_value function;
  return napi_create_function(env, name, NAPI_AUTO_LENGTH, callback, data, &function) == napi_ok &&
         napi_set_named_property(env, exports, name, function) == napi_ok;
}

/* setup(values): takes the JavaScript side's objects, in the order of node_value. */
static napi_value setup(napi_env env, napi_callback_info info) {
  node_env *state = node_env_get(env);
  size_t argc = 1;
  napi_value list, value;
  if (napi_get_cb_info(env, info, &argc, &list, NULL, NULL) != napi_ok || argc < 1) return NULL;
  for (uint32_t i = 0; i < NODE_VALUE_COUNT; i++) {
    if (napi_get_element(env, list, i, &value) != napi_ok) return NULL;
    if (state->values[i]) napi_delete_reference(env, state->values[i]);
    state->values[i] = NULL;
    if (napi_create_reference(env, value, 1, &state->values[i]) != napi_ok) {
      napi_throw_error(env, NULL, "The module could not be set up.");
      return NULL;
    }
  }
  return NULL;
}

#ifdef NODE_API_MODULE_GET_API_VERSION
NAPI_MODULE_EXPORT int32_t NODE_API_MODULE_GET_API_VERSION(void);
#endif

NAPI_MODULE_INIT() {
  node_env *state = calloc(1, sizeof *state);
  if (!state) return NULL;
  state->env = env;
  state->references = 1;
  atomic_init(&state->losses, false);
  pthread_mutex_init(&state->lock, NULL);
  pthread_cond_init(&state->idle, NULL);
  if (napi_set_instance_data(env, state, env_finalize, NULL) != napi_ok) {
    node_env_release(state);
    return NULL;
  }
  if (!node_async_init(state, exports) || !node_export(env, exports, "setup", setup, NULL) ||
      !node_context_register(state, exports) || !node_builder_register(state, exports) ||
      !node_ops_register(state, exports) || !node_model_register(state, exports) || !node_pack_register(state, exports))
    return NULL;
  napi_value version = node_string_value(env, wnn_version());
  napi_set_named_property(env, exports, "version", version);
  return exports;
}
