/* BufferSource arguments: which bytes they have and which data types they may carry. */
#include <stdio.h>
#include <string.h>

#include "binding.h"

enum { ANY_TYPE = (1 << WNN_DATA_TYPE_COUNT) - 1 };

static bool view_bytes(node_call *call, napi_value value, node_bytes *bytes) {
  /* Views that a version of Node-API has no number for leave the type as it is. */
  napi_typedarray_type type = (napi_typedarray_type)-1;
  size_t length = 0, offset = 0;
  napi_value buffer;
  if (napi_get_typedarray_info(call->env, value, &type, &length, &bytes->data, &buffer, &offset) != napi_ok)
    return false;
  static const struct {
    uint16_t types;
    uint8_t size;
    const char *name;
  } views[] = {[napi_int8_array] = {WNN_TYPE_BIT(WNN_INT8), 1, "Int8Array"},
               [napi_uint8_array] = {ANY_TYPE, 1, "Uint8Array"},
               [napi_uint8_clamped_array] = {0, 1, "Uint8ClampedArray"},
               [napi_int16_array] = {0, 2, "Int16Array"},
               [napi_uint16_array] = {WNN_TYPE_BIT(WNN_FLOAT16), 2, "Uint16Array"}, /* bits */
               [napi_int32_array] = {WNN_TYPE_BIT(WNN_INT32), 4, "Int32Array"},
               [napi_uint32_array] = {WNN_TYPE_BIT(WNN_UINT32), 4, "Uint32Array"},
               [napi_float32_array] = {WNN_TYPE_BIT(WNN_FLOAT32), 4, "Float32Array"},
               [napi_float64_array] = {0, 8, "Float64Array"},
               [napi_bigint64_array] = {WNN_TYPE_BIT(WNN_INT64), 8, "BigInt64Array"},
               [napi_biguint64_array] = {WNN_TYPE_BIT(WNN_UINT64), 8, "BigUint64Array"}};
  if ((size_t)type < sizeof views / sizeof *views) {
    bytes->types = views[type].types;
    bytes->view = views[type].name;
    bytes->size = length * views[type].size;
  } else {
    /* The only other kind of view is Float16Array. */
    bytes->types = WNN_TYPE_BIT(WNN_FLOAT16);
    bytes->view = "Float16Array";
    bytes->size = length * 2;
  }
  return true;
}

bool node_to_bytes(node_call *call, napi_value value, const char *what, node_bytes *bytes) {
  bool is = false;
  *bytes = (node_bytes){0};
  if (napi_is_typedarray(call->env, value, &is) == napi_ok && is) return view_bytes(call, value, bytes);
  if (napi_is_arraybuffer(call->env, value, &is) == napi_ok && is) {
    bytes->types = ANY_TYPE;
    bytes->view = "ArrayBuffer";
    return napi_get_arraybuffer_info(call->env, value, &bytes->data, &bytes->size) == napi_ok;
  }
  if (napi_is_dataview(call->env, value, &is) == napi_ok && is) {
    bytes->view = "DataView"; /* a BufferSource, but never one of the accepted views */
    return true;
  }
  /* Node-API has no test for shared buffers. */
  napi_value receiver, view;
  napi_valuetype type;
  napi_get_undefined(call->env, &receiver);
  if (napi_call_function(call->env, receiver, node_value_get(call->state, NODE_VALUE_SHARED_VIEW), 1, &value, &view) !=
          napi_ok ||
      napi_typeof(call->env, view, &type) != napi_ok)
    return false;
  if (type == napi_undefined) return node_throw(call, "%s: The value is not an ArrayBuffer or a view.", what);
  if (!view_bytes(call, view, bytes)) return false;
  bytes->view = "SharedArrayBuffer";
  return true;
}

bool node_bytes_match(node_call *call, const node_bytes *bytes, const wnn_desc *desc, const char *what) {
  if (!(bytes->types & WNN_TYPE_BIT(desc->data_type)))
    return node_throw(call, "%s: A %s cannot hold elements of type %s.", what, bytes->view,
                      wnn_data_type_name(desc->data_type));
  uint64_t size = wnn_desc_bytes(desc);
  if (bytes->size != size)
    return node_throw(call, "%s: The buffer has %zu bytes, the tensor %llu.", what, bytes->size,
                      (unsigned long long)size);
  return true;
}

napi_value node_buffer_new(node_env *state, size_t size, void **data) {
  napi_value receiver, length, buffer, error;
  size_t same;
  if (napi_get_undefined(state->env, &receiver) == napi_ok &&
      napi_create_double(state->env, (double)size, &length) == napi_ok &&
      napi_call_function(state->env, receiver, node_value_get(state, NODE_VALUE_BUFFER), 1, &length, &buffer) ==
          napi_ok &&
      napi_get_arraybuffer_info(state->env, buffer, data, &same) == napi_ok)
    return buffer;
  napi_get_and_clear_last_exception(state->env, &error);
  return node_throw_memory(state);
}

napi_value node_buffer_copy(node_env *state, const void *bytes, size_t size) {
  void *data;
  napi_value buffer = node_buffer_new(state, size, &data);
  if (buffer && size) memcpy(data, bytes, size);
  return buffer;
}
