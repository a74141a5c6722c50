/* Promises that the library settles from its threads, and the end of an environment. */
#include <stdlib.h>
#include <string.h>

#include "binding.h"

/* ---- Requests ---- */

node_request *node_request_new(node_env *state, node_context *context) {
  node_request *request = calloc(1, sizeof *request);
  if (!request) return node_throw_memory(state);
  request->state = state;
  request->context = context;
  if (context) node_object_retain(context);
  /* While promises are pending the event loop stays alive. */
  if (!state->pending++) napi_ref_threadsafe_function(state->env, state->notify);
  pthread_mutex_lock(&state->lock);
  state->running++;
  pthread_mutex_unlock(&state->lock);
  return request;
}

static void request_free(node_request *request) {
  node_env *state = request->state;
  if (request->result && request->dispose) request->dispose(request);
  if (request->value && !state->closing) napi_delete_reference(state->env, request->value);
  node_object_release(request->object);
  node_object_release(request->context);
  free(request->staging);
  free(request->message);
  free(request);
  if (!--state->pending && !state->closing) napi_unref_threadsafe_function(state->env, state->notify);
}

void node_wake(node_env *state) {
  pthread_mutex_lock(&state->lock);
  if (!state->closing) napi_call_threadsafe_function(state->notify, NULL, napi_tsfn_nonblocking);
  pthread_mutex_unlock(&state->lock);
}

/* With the lock. Returns whether nothing is on its way yet that will deliver. */
static bool append(node_env *state, node_request *request) {
  bool alone = !state->first;
  if (state->last)
    state->last->next = request;
  else
    state->first = request;
  state->last = request;
  if (!--state->running) pthread_cond_signal(&state->idle);
  return alone && !state->closing;
}

/* Has completed requests delivered without the way through another thread: in a microtask, that is when the script
 * that runs now has come to its end, or every now and then in a new turn of the event loop, so that a row of quick
 * requests cannot keep timers and sockets waiting. */
enum { DELIVERIES_IN_A_ROW = 32 };

static void deliver_without_wake(node_env *state) {
  napi_value receiver, result;
  napi_get_undefined(state->env, &receiver);
  napi_call_function(state->env, receiver,
                     node_value_get(state, state->row < DELIVERIES_IN_A_ROW ? NODE_VALUE_SOON : NODE_VALUE_LATER), 0,
                     NULL, &result);
}

void node_complete_here(node_request *request) {
  node_env *state = request->state;
  pthread_mutex_lock(&state->lock);
  bool alone = append(state, request);
  pthread_mutex_unlock(&state->lock);
  if (alone) deliver_without_wake(state);
}

void node_complete(node_request *request, wnn_status status, const char *message) {
  node_env *state = request->state;
  request->status = status;
  if (status && message) request->message = strdup(message);
  if (pthread_equal(pthread_self(), state->thread) && state->inside) {
    node_complete_here(request);
    return;
  }
  pthread_mutex_lock(&state->lock);
  /* One wake-up serves all requests that complete before it is handled. */
  if (append(state, request)) napi_call_threadsafe_function(state->notify, NULL, napi_tsfn_nonblocking);
  pthread_mutex_unlock(&state->lock);
}

napi_value node_request_drop(node_request *request, wnn_status status, const char *message) {
  node_env *state = request->state;
  pthread_mutex_lock(&state->lock);
  state->running--;
  pthread_mutex_unlock(&state->lock);
  request_free(request);
  return node_throw_status(state->env, state, status, message);
}

napi_value node_request_promise(node_request *request) {
  napi_value promise = NULL;
  if (napi_create_promise(request->state->env, &request->deferred, &promise) != napi_ok) request->deferred = NULL;
  return promise;
}

/* ---- Delivery ---- */

static void settle(node_request *request) {
  napi_env env = request->state->env;
  napi_value value = NULL;
  bool pending = false;
  if (!request->status) value = request->finish(request, env);
  napi_is_exception_pending(env, &pending);
  if (pending) {
    napi_get_and_clear_last_exception(env, &value);
  } else if (request->status) {
    value = node_error_value(env, request->state, request->status, request->message);
    pending = true;
  }
  if (!request->deferred || !value) return; /* the environment is ending */
  if (pending)
    napi_reject_deferred(env, request->deferred, value);
  else
    napi_resolve_deferred(env, request->deferred, value);
}

static void tell_losses(node_env *state) {
  if (!atomic_exchange(&state->losses, false)) return;
  for (node_context *context = state->contexts; context; context = context->next) {
    if (context->told || !atomic_load(&context->lost)) continue;
    context->told = true;
    napi_value arguments[2] = {NULL}, receiver, result;
    if (napi_get_reference_value(state->env, context->self, &arguments[0]) != napi_ok || !arguments[0]) continue;
    arguments[1] = node_string_value(state->env, "The context was lost.");
    napi_get_undefined(state->env, &receiver);
    napi_call_function(state->env, receiver, node_value_get(state, NODE_VALUE_LOSE), 2, arguments, &result);
  }
}

void node_deliver(node_env *state) {
  pthread_mutex_lock(&state->lock);
  node_request *request = state->first;
  state->first = state->last = NULL;
  pthread_mutex_unlock(&state->lock);
  while (request) {
    node_request *next = request->next;
    napi_handle_scope scope;
    if (napi_open_handle_scope(state->env, &scope) == napi_ok) {
      settle(request);
      napi_close_handle_scope(state->env, scope);
    }
    request_free(request);
    request = next;
  }
  tell_losses(state);
}

static void notified(napi_env env, napi_value callback, void *context, void *data) {
  node_env *state = context;
  (void)callback;
  (void)data;
  if (!env) return; /* the queue is being emptied at the end of the environment */
  if (state->row < DELIVERIES_IN_A_ROW) {
    state->row++;
    node_deliver(state);
  } else {
    deliver_without_wake(state);
  }
}

/* deliver(later): what the microtask and the event loop call. */
static napi_value deliver(napi_env env, napi_callback_info info) {
  node_env *state = node_env_get(env);
  size_t argc = 0;
  if (napi_get_cb_info(env, info, &argc, NULL, NULL, NULL) != napi_ok) return NULL;
  state->row = argc ? 0 : state->row + 1;
  node_deliver(state);
  return NULL;
}

/* ---- The end ---- */

/* Runs when the thread or the process ends, before anything of the environment is taken down. Afterwards
 * no thread of the library uses memory of the environment. */
static void close_env(void *data) {
  node_env *state = data;
  pthread_mutex_lock(&state->lock);
  state->closing = true;
  pthread_mutex_unlock(&state->lock);
  for (node_context *context = state->contexts; context; context = context->next) node_context_close(context);
  pthread_mutex_lock(&state->lock);
  while (state->running) pthread_cond_wait(&state->idle, &state->lock);
  node_request *request = state->first;
  state->first = state->last = NULL;
  pthread_mutex_unlock(&state->lock);
  while (request) {
    node_request *next = request->next;
    request_free(request);
    request = next;
  }
  node_env_release(state);
}

bool node_async_init(node_env *state, napi_value exports) {
  napi_value name = node_string_value(state->env, "webnn");
  if (napi_create_threadsafe_function(state->env, NULL, NULL, name, 0, 1, NULL, NULL, state, notified,
                                      &state->notify) != napi_ok ||
      napi_unref_threadsafe_function(state->env, state->notify) != napi_ok)
    return false;
  state->thread = pthread_self();
  state->references++;
  /* Registered after the thread-safe function, so it runs before that one is closed. */
  return napi_add_env_cleanup_hook(state->env, close_env, state) == napi_ok &&
         node_export(state->env, exports, "deliver", deliver, NULL);
}
