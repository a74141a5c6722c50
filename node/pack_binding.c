/* Kernel packs for JavaScript: loading, devices, tensors and calls behind node/kernels.mjs. */
#include "binding.h"

#ifdef WEBNN_HAS_PACKS

#include <stdlib.h>
#include <string.h>
#include <webnn/webnn_pack.h>

/* Numbers of the tags of what is wrapped here. */
enum { KERNEL = NODE_KIND_COUNT, DEVICE, TENSOR };

/* ---- Values ------------------------------------------------------------------------------------------------- */

static napi_value number_value(napi_env env, double number) {
  napi_value value = NULL;
  napi_create_double(env, number, &value);
  return value;
}
static napi_value bool_value(napi_env env, bool flag) {
  napi_value value = NULL;
  napi_get_boolean(env, flag, &value);
  return value;
}

static napi_valuetype type_of(napi_env env, napi_value value) {
  napi_valuetype type = napi_undefined;
  if (value) napi_typeof(env, value, &type);
  return type;
}

/* A member, or NULL when it is absent or undefined. */
static napi_value member(napi_env env, napi_value object, const char *name) {
  napi_value value = NULL;
  if (type_of(env, object) != napi_object || napi_get_named_property(env, object, name, &value) != napi_ok) return NULL;
  napi_valuetype type = type_of(env, value);
  return type == napi_undefined || type == napi_null ? NULL : value;
}
static napi_value item(napi_env env, napi_value list, uint32_t index) {
  napi_value value = NULL;
  return napi_get_element(env, list, index, &value) == napi_ok ? value : NULL;
}
static uint32_t length_of(napi_env env, napi_value list) {
  uint32_t length = 0;
  bool is_array = false;
  if (list && napi_is_array(env, list, &is_array) == napi_ok && is_array) napi_get_array_length(env, list, &length);
  return length;
}

/* A copy of a string that lives as long as the bag; NULL for other values. */
typedef struct bag {
  void **items;
  size_t count, capacity;
} bag;
static void *bag_alloc(bag *b, size_t size) {
  if (b->count == b->capacity) {
    size_t capacity = b->capacity ? b->capacity * 2 : 32;
    void **items = realloc(b->items, capacity * sizeof *items);
    if (!items) return NULL;
    b->items = items;
    b->capacity = capacity;
  }
  void *memory = calloc(1, size ? size : 1);
  if (memory) b->items[b->count++] = memory;
  return memory;
}
static void bag_free(bag *b) {
  for (size_t i = 0; i < b->count; i++) free(b->items[i]);
  free(b->items);
  *b = (bag){0};
}
static char *text_of(napi_env env, bag *b, napi_value value) {
  size_t length = 0;
  if (type_of(env, value) != napi_string || napi_get_value_string_utf8(env, value, NULL, 0, &length) != napi_ok)
    return NULL;
  char *text = bag_alloc(b, length + 1);
  if (text) napi_get_value_string_utf8(env, value, text, length + 1, &length);
  return text;
}
static double number_of(napi_env env, napi_value value, double fallback) {
  double number = fallback;
  if (type_of(env, value) == napi_number) napi_get_value_double(env, value, &number);
  return number;
}
static bool flag_of(napi_env env, napi_value value, bool fallback) {
  bool flag = fallback;
  if (type_of(env, value) == napi_boolean) napi_get_value_bool(env, value, &flag);
  return flag;
}

/* Bytes of a view, copied: what JavaScript does with the array afterwards is of no consequence. */
static bool copy_bytes(napi_env env, bag *b, napi_value view, void **data, size_t *size) {
  void *bytes = NULL;
  size_t length = 0;
  napi_typedarray_type type;
  if (napi_get_typedarray_info(env, view, &type, &length, &bytes, NULL, NULL) != napi_ok || type != napi_uint8_array)
    return false;
  *data = bag_alloc(b, length);
  *size = length;
  if (*data && length) memcpy(*data, bytes, length);
  return *data != NULL;
}

static napi_value make_error(napi_env env, const wnn_error *error) {
  napi_value result = NULL, code = node_string_value(env, wnn_status_name(error->status)),
             message = node_string_value(env, error->message);
  if (error->status == WNN_TYPE_ERROR)
    napi_create_type_error(env, code, message, &result);
  else
    napi_create_error(env, code, message, &result);
  return result;
}
static napi_value throw_status(napi_env env, const wnn_error *error) {
  napi_throw(env, make_error(env, error));
  return NULL;
}
static napi_value throw_text(napi_env env, const char *message) {
  napi_throw_type_error(env, "WNN_TYPE_ERROR", message);
  return NULL;
}

static void *unwrap(napi_env env, napi_value value, unsigned kind) {
  bool tagged = false;
  void *data = NULL;
  napi_valuetype type = type_of(env, value);
  if (type != napi_object && type != napi_external) return NULL;
  napi_type_tag tag = node_tag(kind);
  if (napi_check_object_type_tag(env, value, &tag, &tagged) != napi_ok || !tagged) return NULL;
  napi_unwrap(env, value, &data);
  return data;
}
static napi_value wrap(napi_env env, void *data, napi_finalize finalize, unsigned kind) {
  napi_value object = NULL;
  if (napi_create_object(env, &object) != napi_ok || napi_wrap(env, object, data, finalize, NULL, NULL) != napi_ok) {
    finalize(env, data, NULL);
    return NULL;
  }
  napi_type_tag tag = node_tag(kind);
  return napi_type_tag_object(env, object, &tag) == napi_ok ? object : NULL;
}
static void free_kernel(napi_env env, void *data, void *hint) {
  (void)env, (void)hint;
  wnn_kernel_release(data);
}

static void free_device(napi_env env, void *data, void *hint) {
  (void)env, (void)hint;
  wnn_device_release(data);
}

static void free_tensor(napi_env env, void *data, void *hint) {
  (void)env, (void)hint;
  wnn_pack_tensor_release(data);
}

static bool read_desc(napi_env env, napi_value type, napi_value shape, wnn_pack_desc *desc) {
  double number = number_of(env, type, -1);
  uint32_t rank = length_of(env, shape);
  if (!(number >= 0 && number < WNN_PACK_TYPE_COUNT) || rank > WNN_MAX_RANK) return false;
  desc->type = (wnn_pack_type)number;
  desc->rank = rank;
  for (uint32_t i = 0; i < rank; i++) {
    double d = number_of(env, item(env, shape, i), -1);
    if (!(d >= 0 && d <= 4294967295.0) || d != (double)(uint32_t)d) return false;
    desc->shape[i] = (uint32_t)d;
  }
  return wnn_pack_desc_bytes(desc) != SIZE_MAX;
}

static napi_value shape_value(napi_env env, const wnn_pack_desc *desc) {
  napi_value shape = NULL;
  napi_create_array_with_length(env, desc->rank, &shape);
  for (uint32_t i = 0; i < desc->rank; i++) napi_set_element(env, shape, i, number_value(env, desc->shape[i]));
  return shape;
}

/* ---- Work on another thread ------------------------------------------------------------------------------------ */

typedef struct job job;
struct job {
  napi_async_work work;
  napi_deferred deferred;
  bag memory;
  napi_ref held; /* the arguments, so that what they wrap stays */
  wnn_status status;
  wnn_error error;
  void (*run)(job *j);
  napi_value (*finish)(napi_env env, job *j);
  void (*drop)(job *j);
  /* what the kinds of work use: */
  wnn_device_options device_options;
  wnn_device *device;
  wnn_pack_tensor *tensor;
  wnn_pack_desc desc;
  void *data;
  size_t size, count;
  wnn_kernel_item *items;
  wnn_kernel_call *calls;
  wnn_kernel_result **results;
};

static void execute(napi_env env, void *data) {
  (void)env;
  job *j = data;
  j->run(j);
}
static void complete(napi_env env, napi_status status, void *data) {
  job *j = data;
  napi_value value = NULL;
  if (status == napi_ok && j->status == WNN_OK) value = j->finish(env, j);
  if (value)
    napi_resolve_deferred(env, j->deferred, value);
  else {
    bool pending = false;
    napi_value reason = NULL;
    napi_is_exception_pending(env, &pending);
    if (pending)
      napi_get_and_clear_last_exception(env, &reason);
    else
      reason = make_error(env, &j->error);
    napi_reject_deferred(env, j->deferred, reason);
  }
  if (j->drop) j->drop(j);
  if (j->held) napi_delete_reference(env, j->held);
  napi_delete_async_work(env, j->work);
  bag_free(&j->memory);
  free(j);
}

static napi_value start(napi_env env, job *j, napi_value arguments) {
  napi_value promise = NULL;
  if (napi_create_promise(env, &j->deferred, &promise) != napi_ok) {
    bag_free(&j->memory);
    free(j);
    return NULL;
  }
  if (arguments) napi_create_reference(env, arguments, 1, &j->held);
  j->error = (wnn_error){.status = WNN_UNKNOWN_ERROR, .message = "The work could not be started."};
  if (napi_create_async_work(env, NULL, node_string_value(env, "libwebnn.kernel"), execute, complete, j, &j->work) !=
          napi_ok ||
      napi_queue_async_work(env, j->work) != napi_ok)
    complete(env, napi_generic_failure, j);
  return promise;
}

/* ---- Devices --------------------------------------------------------------------------------------------------- */

static void run_device(job *j) { j->status = wnn_device_create(&j->device_options, &j->device, &j->error); }

static napi_value finish_device(napi_env env, job *j) {
  wnn_device_info info;
  wnn_device_get_info(j->device, &info);
  napi_value object = wrap(env, j->device, free_device, DEVICE);
  j->device = NULL;
  if (!object) return NULL;
  napi_set_named_property(env, object, "kind", node_string_value(env, info.kind == WNN_DEVICE_CPU ? "cpu" : "webgpu"));
  napi_set_named_property(env, object, "vendor", node_string_value(env, info.vendor));
  napi_set_named_property(env, object, "architecture", node_string_value(env, info.architecture));
  napi_set_named_property(env, object, "description", node_string_value(env, info.description));
  napi_set_named_property(env, object, "name", node_string_value(env, info.name));
  napi_set_named_property(env, object, "software", bool_value(env, info.software));
  napi_set_named_property(env, object, "float16", bool_value(env, info.float16));
  napi_set_named_property(env, object, "timestamps", bool_value(env, info.timestamps));
  return object;
}

/* packDevice({kind, threads, library, lowPower}) -> promise of a device */
static napi_value pack_device(napi_env env, napi_callback_info info) {
  size_t argc = 1;
  napi_value options;
  napi_get_cb_info(env, info, &argc, &options, NULL, NULL);
  job *j = calloc(1, sizeof *j);
  if (!j) return throw_text(env, "Memory is short.");
  j->device_options = (wnn_device_options)WNN_DEVICE_OPTIONS_INIT;
  const char *kind = text_of(env, &j->memory, member(env, options, "kind"));
  j->device_options.kind = kind && !strcmp(kind, "cpu") ? WNN_DEVICE_CPU : WNN_DEVICE_WEBGPU;
  j->device_options.threads = (uint32_t)number_of(env, member(env, options, "threads"), 0);
  j->device_options.low_power = flag_of(env, member(env, options, "lowPower"), false);
  j->device_options.webgpu_library = text_of(env, &j->memory, member(env, options, "library"));
  j->run = run_device;
  j->finish = finish_device;
  return start(env, j, NULL);
}

/* ---- Kernels ------------------------------------------------------------------------------------------------------
 */

static napi_value kernel_facts(napi_env env, wnn_kernel *kernel, napi_value object) {
  napi_set_named_property(env, object, "op", node_string_value(env, wnn_kernel_op(kernel)));
  napi_set_named_property(env, object, "location", node_string_value(env, wnn_kernel_location(kernel)));
  napi_set_named_property(env, object, "native", bool_value(env, wnn_kernel_has_cpu(kernel)));
  napi_value ports, settings;
  napi_create_array(env, &ports);
  napi_create_array(env, &settings);
  wnn_kernel_port port;
  for (uint32_t i = 0; wnn_kernel_get_port(kernel, i, &port); i++) {
    napi_value one, types;
    napi_create_object(env, &one);
    napi_create_array(env, &types);
    for (uint32_t t = 0, n = 0; t < WNN_PACK_TYPE_COUNT; t++)
      if (port.types >> t & 1)
        napi_set_element(env, types, n++, node_string_value(env, wnn_pack_type_name((wnn_pack_type)t)));
    const struct {
      const char *key, *text;
    } texts[] = {{"name", port.name},  {"onnx", port.onnx},       {"description", port.description},
                 {"type", port.type},  {"storage", port.storage}, {"rank", port.rank},
                 {"shape", port.shape}};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
      napi_set_named_property(env, one, texts[k].key, node_string_value(env, texts[k].text));
    napi_set_named_property(env, one, "types", types);
    napi_set_named_property(env, one, "input", bool_value(env, port.input));
    napi_set_named_property(env, one, "output", bool_value(env, port.output));
    napi_set_named_property(env, one, "optional", bool_value(env, port.optional));
    napi_set_element(env, ports, i, one);
  }
  wnn_kernel_setting setting;
  for (uint32_t i = 0; wnn_kernel_get_setting(kernel, i, &setting); i++) {
    napi_value one;
    napi_create_object(env, &one);
    const struct {
      const char *key, *text;
    } texts[] = {{"name", setting.name},
                 {"kind", setting.kind},
                 {"default", setting.default_value},
                 {"values", setting.values},
                 {"description", setting.description}};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
      napi_set_named_property(env, one, texts[k].key, node_string_value(env, texts[k].text));
    napi_set_element(env, settings, i, one);
  }
  napi_set_named_property(env, object, "ports", ports);
  napi_set_named_property(env, object, "settings", settings);
  return object;
}

/* packLoad(location, {version, revision, expectedOp, path, cache, trust, verify, strict, files, device}) -> kernel */
static napi_value pack_load(napi_env env, napi_callback_info info) {
  size_t argc = 2;
  napi_value args[2];
  napi_get_cb_info(env, info, &argc, args, NULL, NULL);
  bag memory = {0};
  wnn_kernel_options options = WNN_KERNEL_OPTIONS_INIT;
  const char *location = argc > 0 ? text_of(env, &memory, args[0]) : NULL;
  napi_value o = argc > 1 ? args[1] : NULL;
  options.version = (int64_t)number_of(env, member(env, o, "version"), -1);
  options.revision = text_of(env, &memory, member(env, o, "revision"));
  options.expected_op = text_of(env, &memory, member(env, o, "expectedOp"));
  options.path = text_of(env, &memory, member(env, o, "path"));
  options.cache = text_of(env, &memory, member(env, o, "cache"));
  options.trust = flag_of(env, member(env, o, "trust"), false);
  options.verify = flag_of(env, member(env, o, "verify"), true);
  options.strict = flag_of(env, member(env, o, "strict"), false);
  options.device = unwrap(env, member(env, o, "device"), DEVICE);
  napi_value files = member(env, o, "files");
  uint32_t count = length_of(env, files);
  wnn_pack_file *list = bag_alloc(&memory, (count + 1) * sizeof *list);
  for (uint32_t i = 0; list && i < count; i++) {
    napi_value pair = item(env, files, i);
    list[i].name = text_of(env, &memory, item(env, pair, 0));
    void *data;
    if (copy_bytes(env, &memory, item(env, pair, 1), &data, &list[i].size)) list[i].data = data;
  }
  options.files = list;
  options.file_count = count;
  wnn_error error = {.status = WNN_OUT_OF_MEMORY, .message = "Memory is short."};
  wnn_kernel *kernel = NULL;
  wnn_status status = list ? wnn_kernel_load(location, &options, &kernel, &error) : WNN_OUT_OF_MEMORY;
  bag_free(&memory);
  if (status != WNN_OK) return throw_status(env, &error);
  napi_value object = wrap(env, kernel, free_kernel, KERNEL);
  return object ? kernel_facts(env, kernel, object) : NULL;
}

/* ---- Tensors -------------------------------------------------------------------------------------------------------
 */

static napi_value tensor_value(napi_env env, wnn_pack_tensor *tensor) {
  napi_value object = wrap(env, tensor, free_tensor, TENSOR);
  int64_t total;
  if (object) napi_adjust_external_memory(env, 0, &total);
  return object;
}

static void run_tensor(job *j) {
  j->status = wnn_pack_tensor_create(j->device, &j->desc, j->data, &j->tensor, &j->error);
}
static napi_value finish_tensor(napi_env env, job *j) { return tensor_value(env, j->tensor); }

/* packTensor(device, type, shape, bytes | undefined) -> promise of a tensor */
static napi_value pack_tensor(napi_env env, napi_callback_info info) {
  size_t argc = 4;
  napi_value args[4];
  napi_get_cb_info(env, info, &argc, args, NULL, NULL);
  job *j = calloc(1, sizeof *j);
  if (!j) return throw_text(env, "Memory is short.");
  j->device = argc > 2 ? unwrap(env, args[0], DEVICE) : NULL;
  bool good = j->device && read_desc(env, args[1], args[2], &j->desc);
  if (good && argc > 3 && type_of(env, args[3]) == napi_object)
    good = copy_bytes(env, &j->memory, args[3], &j->data, &j->size) && j->size == wnn_pack_desc_bytes(&j->desc);
  if (!good) {
    bag_free(&j->memory);
    free(j);
    return throw_text(env, "The tensor's data do not fit its type and shape.");
  }
  j->run = run_tensor;
  j->finish = finish_tensor;
  return start(env, j, args[0]);
}

static void run_read(job *j) { j->status = wnn_pack_tensor_read(j->tensor, j->data, j->size, &j->error); }
static napi_value finish_read(napi_env env, job *j) { return node_buffer_copy(node_env_get(env), j->data, j->size); }

/* packRead(tensor) -> promise of an ArrayBuffer */
static napi_value pack_read(napi_env env, napi_callback_info info) {
  size_t argc = 1;
  napi_value arg;
  napi_get_cb_info(env, info, &argc, &arg, NULL, NULL);
  wnn_pack_tensor *tensor = argc ? unwrap(env, arg, TENSOR) : NULL;
  if (!tensor) return throw_text(env, "A tensor is needed.");
  job *j = calloc(1, sizeof *j);
  if (!j) return throw_text(env, "Memory is short.");
  j->tensor = tensor;
  j->size = wnn_pack_desc_bytes(wnn_pack_tensor_desc(tensor));
  j->data = bag_alloc(&j->memory, j->size);
  j->run = run_read;
  j->finish = finish_read;
  return start(env, j, arg);
}

/* ---- Calls
 * ------------------------------------------------------------------------------------------------------------ */

/* [[name, value], ...] */
static wnn_setting *read_settings(napi_env env, bag *b, napi_value list, size_t *count) {
  uint32_t length = length_of(env, list);
  wnn_setting *settings = bag_alloc(b, (length + 1) * sizeof *settings);
  for (uint32_t i = 0; settings && i < length; i++) {
    napi_value pair = item(env, list, i), value = item(env, pair, 1);
    wnn_setting *one = &settings[i];
    one->name = text_of(env, b, item(env, pair, 0));
    switch (type_of(env, value)) {
    case napi_number:
      one->kind = WNN_SETTING_NUMBER;
      one->number = number_of(env, value, 0);
      break;
    case napi_boolean:
      one->kind = WNN_SETTING_BOOL;
      one->number = flag_of(env, value, false);
      break;
    case napi_string:
      one->kind = WNN_SETTING_STRING;
      one->text = text_of(env, b, value);
      break;
    case napi_object: {
      uint32_t n = length_of(env, value);
      double *numbers = bag_alloc(b, (n + 1) * sizeof *numbers);
      for (uint32_t k = 0; numbers && k < n; k++) numbers[k] = number_of(env, item(env, value, k), 0);
      one->kind = WNN_SETTING_NUMBERS;
      one->numbers = numbers;
      one->count = numbers ? n : 0;
      break;
    }
    default: one->kind = WNN_SETTING_NULL;
    }
  }
  *count = settings ? length : 0;
  return settings;
}

/* One call: {kernel, inputs: [[name, type, shape, bytes, tensor]], attrs, args, tunables,
 * outputs: [[name, type, shape, tensor]], variant, resident, measure} */
static bool read_call(napi_env env, bag *b, napi_value value, wnn_kernel_item *out, wnn_kernel_call *call) {
  out->kernel = unwrap(env, member(env, value, "kernel"), KERNEL);
  out->call = call;
  if (!out->kernel) return false;
  napi_value inputs = member(env, value, "inputs"), outputs = member(env, value, "outputs");
  uint32_t input_count = length_of(env, inputs), output_count = length_of(env, outputs);
  wnn_kernel_input *in = bag_alloc(b, (input_count + 1) * sizeof *in);
  wnn_kernel_output *to = bag_alloc(b, (output_count + 1) * sizeof *to);
  if (!in || !to) return false;
  for (uint32_t i = 0; i < input_count; i++) {
    napi_value row = item(env, inputs, i), tensor = item(env, row, 4), bytes = item(env, row, 3);
    in[i].name = text_of(env, b, item(env, row, 0));
    in[i].tensor = unwrap(env, tensor, TENSOR);
    if (!in[i].name) return false;
    if (in[i].tensor) continue;
    void *data = NULL;
    size_t size = 0;
    if (!read_desc(env, item(env, row, 1), item(env, row, 2), &in[i].desc)) return false;
    if (type_of(env, bytes) == napi_object &&
        (!copy_bytes(env, b, bytes, &data, &size) || size != wnn_pack_desc_bytes(&in[i].desc)))
      return false;
    in[i].data = data;
  }
  for (uint32_t i = 0; i < output_count; i++) {
    napi_value row = item(env, outputs, i), type = item(env, row, 1), shape = item(env, row, 2);
    to[i].name = text_of(env, b, item(env, row, 0));
    to[i].tensor = unwrap(env, item(env, row, 3), TENSOR);
    if (!to[i].name) return false;
    if (to[i].tensor) continue;
    to[i].has_type = type_of(env, type) == napi_number;
    to[i].has_shape = type_of(env, shape) == napi_object;
    napi_value empty;
    napi_create_array(env, &empty);
    if (!read_desc(env, to[i].has_type ? type : number_value(env, 0), to[i].has_shape ? shape : empty, &to[i].desc))
      return false;
  }
  *call = (wnn_kernel_call){.inputs = in, .input_count = input_count, .outputs = to, .output_count = output_count};
  call->attrs = read_settings(env, b, member(env, value, "attrs"), &call->attr_count);
  call->args = read_settings(env, b, member(env, value, "args"), &call->arg_count);
  call->tunables = read_settings(env, b, member(env, value, "tunables"), &call->tunable_count);
  call->variant = text_of(env, b, member(env, value, "variant"));
  call->resident = flag_of(env, member(env, value, "resident"), false);
  call->measure = flag_of(env, member(env, value, "measure"), false);
  return true;
}

static void run_calls(job *j) { j->status = wnn_kernel_run_all(j->items, j->count, j->results, &j->error); }
static void run_prewarm(job *j) {
  for (size_t i = 0; i < j->count && j->status == WNN_OK; i++)
    j->status = wnn_kernel_prewarm(j->items[i].kernel, j->items[i].call, &j->error);
}
static void drop_results(job *j) {
  for (size_t i = 0; i < j->count; i++) wnn_kernel_result_release(j->results[i]);
}

static napi_value finish_calls(napi_env env, job *j) {
  napi_value list = NULL;
  napi_create_array_with_length(env, j->count, &list);
  for (uint32_t i = 0; i < j->count; i++) {
    napi_value one, values;
    wnn_kernel_result *result = j->results[i];
    if (!result) continue;
    napi_create_object(env, &one);
    napi_create_array(env, &values);
    for (uint32_t k = 0; k < wnn_kernel_result_count(result); k++) {
      const wnn_kernel_value *value = wnn_kernel_result_get(result, k);
      napi_value row, data = NULL, tensor = NULL;
      napi_create_array(env, &row);
      if (value->tensor) {
        tensor = tensor_value(env, wnn_kernel_result_take(result, value->name));
        if (!tensor) return NULL;
      } else if (!(data = node_buffer_copy(node_env_get(env), value->data, value->size))) {
        return NULL;
      }
      napi_set_element(env, row, 0, node_string_value(env, value->name));
      napi_set_element(env, row, 1, number_value(env, value->desc.type));
      napi_set_element(env, row, 2, shape_value(env, &value->desc));
      if (data) napi_set_element(env, row, 3, data);
      if (tensor) napi_set_element(env, row, 4, tensor);
      napi_set_element(env, values, k, row);
    }
    napi_set_named_property(env, one, "variant", node_string_value(env, wnn_kernel_result_variant(result)));
    napi_set_named_property(env, one, "time", number_value(env, wnn_kernel_result_time(result)));
    napi_set_named_property(env, one, "values", values);
    napi_set_element(env, list, i, one);
  }
  return list;
}

/* packRun(calls, prewarm) -> promise of a list of {variant, time, values: [[name, type, shape, buffer, tensor]]} */
static napi_value pack_run(napi_env env, napi_callback_info info) {
  size_t argc = 2;
  napi_value args[2];
  napi_get_cb_info(env, info, &argc, args, NULL, NULL);
  job *j = calloc(1, sizeof *j);
  if (!j) return throw_text(env, "Memory is short.");
  bool prewarm = argc > 1 && flag_of(env, args[1], false);
  j->count = argc ? length_of(env, args[0]) : 0;
  j->items = bag_alloc(&j->memory, (j->count + 1) * sizeof *j->items);
  j->calls = bag_alloc(&j->memory, (j->count + 1) * sizeof *j->calls);
  j->results = bag_alloc(&j->memory, (j->count + 1) * sizeof *j->results);
  bool good = j->items && j->calls && j->results;
  for (uint32_t i = 0; good && i < j->count; i++)
    good = read_call(env, &j->memory, item(env, args[0], i), &j->items[i], &j->calls[i]);
  if (!good) {
    bag_free(&j->memory);
    free(j);
    return throw_text(env, "A call has tensors whose data do not fit their types and shapes.");
  }
  j->run = prewarm ? run_prewarm : run_calls;
  j->finish = finish_calls;
  j->drop = drop_results;
  return start(env, j, args[0]);
}

bool node_pack_register(node_env *state, napi_value exports) {
  static const struct {
    const char *name;
    napi_callback call;
  } functions[] = {{"packDevice", pack_device},
                   {"packLoad", pack_load},
                   {"packTensor", pack_tensor},
                   {"packRead", pack_read},
                   {"packRun", pack_run}};
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
    if (!node_export(state->env, exports, functions[i].name, functions[i].call, NULL)) return false;
  return true;
}

#else

bool node_pack_register(node_env *state, napi_value exports) {
  (void)state;
  (void)exports;
  return true; /* without packs the module says so itself */
}

#endif
