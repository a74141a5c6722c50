/* Runners of test.json and bench.json. */
#include <math.h>
#include <stdio.h>
#include <time.h>

#include "base/error.h"
#include "packs/suite.h"

#define SUITE_STEPS UINT64_C(2000000000)
#define SUITE_BYTES ((size_t)3 << 30)

/* ---- Tests ---------------------------------------------------------------------------------------------------------
 */

/* Compares a value with what a case expects, or with what the native kernel gave. */
static void compare(pk_vm *vm, const wnn_kernel_value *got, const wnn_pack_desc *want_desc, const void *want,
                    double tolerance, bool allow_nan, wnn_pack_report *report, char *message, size_t room) {
  if (got->desc.type != want_desc->type || got->desc.rank != want_desc->rank ||
      memcmp(got->desc.shape, want_desc->shape, want_desc->rank * sizeof *want_desc->shape)) {
    report->status = WNN_DATA_ERROR;
    snprintf(message, room, "%s has another type or shape than expected", got->name);
    return;
  }
  uint64_t count = got->size / pk_types[got->desc.type].bytes;
  for (uint64_t i = 0; i < count && pk_step(vm, 1); i++) {
    double a = pk_element(&got->desc, got->data, i), b = pk_element(want_desc, want, i);
    if (isnan(a) && (isnan(b) || allow_nan)) continue;
    double difference = a == b ? 0 : fabs(a - b);
    if (!(difference <= report->largest_error)) report->largest_error = difference;
    if (difference <= tolerance * fmax(1, fabs(b))) continue;
    if (report->status == WNN_OK)
      snprintf(message, room, "%s[%llu] is %.9g, not %.9g", got->name, (unsigned long long)i, a, b);
    report->status = WNN_DATA_ERROR;
  }
}

static double member_number(const pk_map *map, const char *key, double fallback) {
  const pk_value *value = map ? pk_map_find(map, key) : NULL;
  return value && pk_is_number(*value) ? value->as.number : fallback;
}

/* What the case says about an output, else what the native kernel computes. */
static void check_result(pk_vm *vm, wnn_kernel *kernel, pk_value top, const pk_case *one,
                         const wnn_kernel_result *result, wnn_pack_report *report, char *message, size_t room) {
  wnn_kernel_result *reference = NULL;
  for (uint32_t i = 0; one->expected && i < one->expected->count && !vm->failed; i++) {
    const char *name = one->expected->entries[i].key;
    const pk_map *map = one->expected->entries[i].value.as.map;
    const wnn_kernel_value *got = wnn_kernel_result_find(result, name);
    if (!got) {
      report->status = WNN_DATA_ERROR;
      snprintf(message, room, "there is no output %s", name);
      break;
    }
    const pk_value *data = pk_map_find(map, "data"), *nan = pk_map_find(map, "allowNaN");
    double tolerance = member_number(map, "tolerance",
                                     got->desc.type == WNN_PACK_FLOAT16   ? 1e-2
                                     : got->desc.type == WNN_PACK_FLOAT32 ? 1e-5
                                                                          : 0);
    bool allow_nan = nan && pk_truthy(*nan);
    wnn_pack_desc desc = one->outputs[i].has_shape ? one->outputs[i].desc : got->desc;
    if (!one->outputs[i].has_type) desc.type = got->desc.type;
    if (data) {
      const void *want = pk_suite_data(vm, top, *data, &desc, name);
      if (want) compare(vm, got, &desc, want, tolerance, allow_nan, report, message, room);
      continue;
    }
    if (kernel->device && kernel->device->gpu && kernel->twin && !reference) {
      wnn_kernel_options options = WNN_KERNEL_OPTIONS_INIT;
      wnn_kernel *native;
      options.device_kind = WNN_DEVICE_CPU;
      options.verify = kernel->verify;
      wnn_kernel_call call = one->call;
      call.variant = NULL;
      if (kernel->location[0] && wnn_kernel_load(kernel->location, &options, &native, NULL) == WNN_OK) {
        if (wnn_kernel_run(native, &call, &reference, NULL) != WNN_OK) reference = NULL;
        wnn_kernel_release(native);
      }
    }
    const wnn_kernel_value *want = reference ? wnn_kernel_result_find(reference, name) : NULL;
    if (want) compare(vm, got, &want->desc, want->data, tolerance, allow_nan, report, message, room);
  }
  wnn_kernel_result_release(reference);
}

wnn_status wnn_kernel_test(wnn_kernel *kernel, wnn_pack_report_fn report_fn, void *user, wnn_error *error) {
  wnn_device *device;
  wnn_status status = pk_kernel_device(kernel, &device, error);
  if (status != WNN_OK) return status;
  pk_vm vm;
  pk_value top;
  pk_vm_init(&vm, &kernel->allocator, SUITE_STEPS, SUITE_BYTES);
  const pk_list *cases = pk_suite_read(&vm, kernel, "test.json", &top, error);
  for (uint32_t i = 0; cases && i < cases->count; i++) {
    pk_case one;
    wnn_pack_report report = {.variant = "", .message = "", .status = WNN_OK};
    wnn_error why = {0};
    char message[600] = "";
    wnn_kernel_result *result = NULL;
    if (!pk_suite_case(&vm, top, cases->items[i], true, &one)) break;
    report.name = one.name;
    const pk_map *map = cases->items[i].as.map;
    const pk_value *skip = pk_map_find(map, "skipGpu"), *fails = pk_map_find(map, "throws");
    if (device->gpu && skip) {
      report.skipped = true;
      snprintf(message, sizeof message, "skipGpu");
    } else {
      report.status = wnn_kernel_run(kernel, &one.call, &result, &why);
      if (fails) { /* the case is about being refused */
        bool named = fails->kind != PK_STRING || strstr(why.message, fails->as.text);
        if (report.status == WNN_OK)
          snprintf(message, sizeof message, "was not refused");
        else if (!named)
          snprintf(message, sizeof message, "was refused for another reason: %s", why.message);
        report.status = report.status != WNN_OK && named ? WNN_OK : WNN_DATA_ERROR;
      } else if (report.status != WNN_OK) {
        /* without shader-f16 a float16 case cannot run there */
        report.skipped = report.status == WNN_NOT_SUPPORTED && device->gpu && !device->facts.float16 &&
                         (strstr(why.message, "f16") || strstr(why.message, "loat16"));
        snprintf(message, sizeof message, "%s", why.message);
      } else {
        report.variant = wnn_kernel_result_variant(result);
        check_result(&vm, kernel, top, &one, result, &report, message, sizeof message);
      }
    }
    if (vm.failed) {
      report.status = vm.status;
      snprintf(message, sizeof message, "%s", vm.message);
    }
    report.message = message;
    report_fn(user, &report);
    wnn_kernel_result_release(result);
    if (vm.failed) break;
  }
  status = !cases ? (error ? error->status : WNN_DATA_ERROR) : vm.failed ? pk_vm_status(&vm, error) : WNN_OK;
  pk_vm_free(&vm);
  return status;
}

/* ---- Benchmarks -----------------------------------------------------------------------------------------------------
 */

static double now_ns(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

/* Least times over some rounds, tensors resident. */
static wnn_status measure(wnn_kernel *kernel, wnn_device *device, const pk_case *one, const wnn_setting *tunables,
                          size_t tunable_count, uint32_t rounds, wnn_pack_report *report, char *variant, size_t room,
                          wnn_error *error) {
  wnn_kernel_call call = one->call;
  wnn_kernel_input *inputs = wnn_mem_zalloc(&kernel->allocator, (call.input_count + 1) * sizeof *inputs);
  if (!inputs) return wnn_error_oom(error);
  wnn_status status = WNN_OK;
  call.inputs = inputs;
  call.resident = true;
  call.tunables = tunables;
  call.tunable_count = tunable_count;
  report->bytes = 0;
  for (size_t i = 0; i < call.input_count && status == WNN_OK; i++) {
    inputs[i] = one->inputs[i];
    status = wnn_pack_tensor_create(device, &inputs[i].desc, inputs[i].data, &inputs[i].tensor, error);
  }
  report->kernel_ns = report->call_ns = HUGE_VAL;
  /* One call by the wall clock, then several in one submission by the device's: beginning and ending a pass takes
   * microseconds that are no part of the kernel. */
  enum { AT_ONCE = 8 };
  uint32_t at_once = device->gpu ? AT_ONCE : 1;
  wnn_kernel_item items[AT_ONCE];
  for (uint32_t i = 0; i < AT_ONCE; i++) items[i] = (wnn_kernel_item){kernel, &call};
  /* A GPU that was idle runs at a fraction of its clock for a while. */
  double warm_until = now_ns() + (device->gpu && !wnn_gpu_get_info(device->gpu)->software ? 4e8 : 0);
  while (now_ns() < warm_until && status == WNN_OK) {
    wnn_kernel_result *results[AT_ONCE];
    status = wnn_kernel_run_all(items, at_once, results, error);
    for (uint32_t i = 0; i < at_once && status == WNN_OK; i++) wnn_kernel_result_release(results[i]);
  }
  for (uint32_t round = 0; round < 2 * rounds && status == WNN_OK; round++) {
    wnn_kernel_result *results[AT_ONCE];
    uint32_t count = round & 1 ? at_once : 1;
    call.measure = round & 1;
    double start = now_ns();
    status = wnn_kernel_run_all(items, count, results, error);
    double elapsed = now_ns() - start;
    if (status != WNN_OK) break;
    if (!call.measure && elapsed < report->call_ns) report->call_ns = elapsed;
    double time = wnn_kernel_result_time(results[0]) / count;
    if (call.measure && time > 0 && time < report->kernel_ns) report->kernel_ns = time;
    if (!round)
      for (size_t i = 0; i < wnn_kernel_result_count(results[0]); i++)
        report->bytes += (double)wnn_pack_desc_bytes(&wnn_kernel_result_get(results[0], i)->desc);
    snprintf(variant, room, "%s", wnn_kernel_result_variant(results[0]));
    for (uint32_t i = 0; i < count; i++) wnn_kernel_result_release(results[i]);
  }
  if (report->kernel_ns == HUGE_VAL) report->kernel_ns = 0;
  for (size_t i = 0; i < call.input_count; i++) wnn_pack_tensor_release(inputs[i].tensor);
  wnn_mem_free(&kernel->allocator, inputs, (call.input_count + 1) * sizeof *inputs);
  return status;
}

static const pk_map *tuning_of(pk_value top, const char *name) {
  const pk_value *list = pk_map_find(top.as.map, "tuning");
  for (uint32_t i = 0; list && list->kind == PK_LIST && i < list->as.list->count; i++) {
    pk_value item = list->as.list->items[i];
    const pk_value *which = item.kind == PK_MAP ? pk_map_find(item.as.map, "case") : NULL;
    const pk_value *tunables = which && pk_equals(*which, name) ? pk_map_find(item.as.map, "tunables") : NULL;
    if (tunables && tunables->kind == PK_MAP) return tunables->as.map;
  }
  return NULL;
}

/* Least bytes that the case moves: given by it, else every tensor once. */
static double case_bytes(const pk_map *map, const pk_case *one, double outputs) {
  double given = member_number(map, "bytes", 0), bytes = outputs;
  for (size_t i = 0; i < one->call.input_count; i++) bytes += (double)wnn_pack_desc_bytes(&one->inputs[i].desc);
  return given > 0 ? given : bytes;
}

static wnn_status bench_case(pk_vm *vm, wnn_kernel *kernel, wnn_device *device, pk_value top, const pk_map *map,
                             const pk_case *one, uint32_t rounds, wnn_pack_report_fn report_fn, void *user,
                             wnn_error *error) {
  const pk_map *tuning = tuning_of(top, one->name);
  uint32_t combinations = 1, at[8] = {0};
  uint32_t count = tuning ? (tuning->count < 8 ? tuning->count : 8) : 0;
  for (uint32_t i = 0; i < count; i++)
    if (tuning->entries[i].value.kind == PK_LIST && tuning->entries[i].value.as.list->count)
      combinations *= tuning->entries[i].value.as.list->count;
  if (combinations > 1000) combinations = 1000;
  wnn_setting *settings = pk_array(vm, one->call.tunable_count + 8, sizeof *settings);
  if (!settings) return pk_vm_status(vm, error);
  for (uint32_t combination = 0; combination < combinations; combination++) {
    pk_text text = {0};
    size_t used = 0;
    for (size_t i = 0; i < one->call.tunable_count; i++) settings[used++] = one->call.tunables[i];
    for (uint32_t i = 0; i < count; i++) {
      pk_value list = tuning->entries[i].value;
      if (list.kind != PK_LIST || !list.as.list->count) continue;
      pk_value v = list.as.list->items[at[i]];
      settings[used++] = (wnn_setting){.name = tuning->entries[i].key,
                                       .kind = v.kind == PK_BOOL ? WNN_SETTING_BOOL : WNN_SETTING_NUMBER,
                                       .number = v.kind == PK_BOOL ? v.as.boolean
                                                 : pk_is_number(v) ? v.as.number
                                                                   : 0};
      pk_text_printf(vm, &text, "%s%s=%s", text.length ? " " : "", tuning->entries[i].key, pk_show(vm, v));
    }
    pk_text_add(vm, &text, "", 1);
    wnn_pack_report report = {.name = one->name, .message = text.data ? text.data : ""};
    char variant[128] = "";
    wnn_error why = {0};
    report.status = measure(kernel, device, one, settings, used, rounds, &report, variant, sizeof variant, &why);
    report.bytes = case_bytes(map, one, report.bytes);
    report.variant = variant;
    if (report.status != WNN_OK) report.message = why.message;
    report.skipped = report.status == WNN_NOT_SUPPORTED;
    report_fn(user, &report);
    for (uint32_t i = 0; i < count; i++) { /* the next combination, as an odometer */
      pk_value list = tuning->entries[i].value;
      if (list.kind != PK_LIST || !list.as.list->count) continue;
      if (++at[i] < list.as.list->count) break;
      at[i] = 0;
    }
  }
  return WNN_OK;
}

wnn_status wnn_kernel_bench(wnn_kernel *kernel, uint32_t rounds, const char *only, wnn_pack_report_fn report_fn,
                            void *user, wnn_error *error) {
  wnn_device *device;
  wnn_status status = pk_kernel_device(kernel, &device, error);
  if (status != WNN_OK) return status;
  pk_vm file;
  pk_value top;
  pk_vm_init(&file, &kernel->allocator, SUITE_STEPS, SUITE_BYTES);
  const pk_list *cases = pk_suite_read(&file, kernel, "bench.json", &top, error);
  if (!cases) status = error ? error->status : WNN_DATA_ERROR;
  for (uint32_t i = 0; cases && i < cases->count && status == WNN_OK; i++) {
    pk_vm vm; /* a case's data goes when the case is done */
    pk_case one;
    const pk_value *name = cases->items[i].kind == PK_MAP ? pk_map_find(cases->items[i].as.map, "name") : NULL;
    if (only && !(name && pk_equals(*name, only))) continue;
    pk_vm_init(&vm, &kernel->allocator, SUITE_STEPS, SUITE_BYTES);
    status = pk_suite_case(&vm, top, cases->items[i], true, &one)
                 ? bench_case(&vm, kernel, device, top, cases->items[i].as.map, &one, rounds ? rounds : 20, report_fn,
                              user, error)
                 : pk_vm_status(&vm, error);
    pk_vm_free(&vm);
  }
  pk_vm_free(&file);
  return status;
}

wnn_status wnn_kernel_render_case(wnn_kernel *kernel, const char *name, const char *variant, bool explain, char **text,
                                  wnn_error *error) {
  static const char *const files[] = {"bench.json", "test.json"};
  wnn_status status =
      wnn_error_set(error, WNN_TYPE_ERROR, "there is no case \"%.100s\" in bench.json or test.json", name ? name : "");
  bool found = false;
  for (int f = 0; f < 2 && !found; f++) {
    pk_vm vm;
    pk_value top;
    pk_vm_init(&vm, &kernel->allocator, SUITE_STEPS, SUITE_BYTES);
    const pk_list *cases = pk_suite_read(&vm, kernel, files[f], &top, NULL);
    for (uint32_t i = 0; cases && i < cases->count && !found; i++) {
      const pk_value *own = cases->items[i].kind == PK_MAP ? pk_map_find(cases->items[i].as.map, "name") : NULL;
      pk_case one;
      if (name && !(own && pk_equals(*own, name))) continue;
      found = true;
      if (!pk_suite_case(&vm, top, cases->items[i], false, &one)) {
        status = pk_vm_status(&vm, error);
        break;
      }
      if (variant) one.call.variant = variant;
      status = explain ? wnn_kernel_explain(kernel, &one.call, text, error)
                       : wnn_kernel_render(kernel, &one.call, text, error);
    }
    pk_vm_free(&vm);
  }
  return status;
}

/* ---- Copying
 * ---------------------------------------------------------------------------------------------------------- */

static void copy_part(void *argument, size_t begin, size_t end, unsigned thread) {
  (void)thread;
  char *const *pair = argument;
  memcpy(pair[1] + begin, pair[0] + begin, end - begin);
}

static wnn_status copy_gpu(wnn_device *device, wgpu_handle from, wgpu_handle to, size_t bytes, double *best,
                           wnn_error *error) {
  static const char source[] =
      "@group(0) @binding(0) var<storage, read> input: array<vec4<u32>>;\n"
      "@group(0) @binding(1) var<storage, read_write> output: array<vec4<u32>>;\n"
      "@compute @workgroup_size(256)\n"
      "fn main(@builtin(global_invocation_id) at: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {\n"
      "  let i = at.y * groups.x * 256u + at.x;\n"
      "  if (i < arrayLength(&output)) { output[i] = input[i]; }\n}\n";
  static const uint32_t types[] = {WGPU_BINDING_READ_ONLY, WGPU_BINDING_STORAGE};
  wnn_gpu_pipeline *pipeline;
  wnn_status status = wnn_gpu_compile(device->gpu, source, sizeof source - 1, types, 2, "copy", &pipeline, error);
  if (status != WNN_OK) return status;
  uint64_t groups = (bytes / 16 + 255) / 256;
  const uint32_t grid[3] = {groups < 65535 ? (uint32_t)groups : 65535, (uint32_t)((groups + 65534) / 65535), 1};
  const wnn_gpu_binding bindings[] = {{from, 0, bytes}, {to, 0, bytes}};
  for (int round = 0; round < (wnn_gpu_get_info(device->gpu)->software ? 5 : 400) && status == WNN_OK; round++) {
    double time = 0, start = now_ns();
    status = wnn_gpu_begin(device->gpu, true, error);
    if (status == WNN_OK) status = wnn_gpu_dispatch(device->gpu, pipeline, bindings, 2, grid, error);
    if (status == WNN_OK) status = wnn_gpu_submit(device->gpu, true, &time, error);
    if (time <= 0) time = now_ns() - start;
    if (status == WNN_OK && time < *best) *best = time;
  }
  wnn_gpu_unuse(device->gpu, pipeline);
  return status;
}

wnn_status wnn_kernel_copy_rate(wnn_kernel *kernel, size_t bytes, double *rate, wnn_error *error) {
  wnn_device *device;
  wnn_status status = pk_kernel_device(kernel, &device, error);
  if (status != WNN_OK) return status;
  if (!bytes) return wnn_error_set(error, WNN_TYPE_ERROR, "nothing to copy");
  if (device->gpu) {
    uint64_t most = wnn_gpu_get_info(device->gpu)->limits.storage_binding_size;
    if (bytes > most) bytes = (size_t)most;
  }
  bytes = bytes > 15 ? bytes & ~(size_t)15 : 16;
  wnn_pack_desc desc = {WNN_PACK_UINT32, 1, {(uint32_t)(bytes / 4)}};
  wnn_pack_tensor *from = NULL, *to = NULL;
  double best = HUGE_VAL;
  pthread_mutex_lock(&device->lock);
  status = pk_tensor_make(device, &desc, WNN_PACK_UINT32, &from, error);
  if (status == WNN_OK) status = pk_tensor_make(device, &desc, WNN_PACK_UINT32, &to, error);
  if (status == WNN_OK && device->gpu) status = copy_gpu(device, from->buffer, to->buffer, bytes, &best, error);
  for (int round = 0; round < 20 && status == WNN_OK && !device->gpu; round++) {
    char *pair[2] = {from->data, to->data};
    if (!round) memset(from->data, 1, bytes); /* pages that exist */
    double start = now_ns();
    wnn_pool_run(device->pool, copy_part, pair, bytes, 1 << 16);
    double time = now_ns() - start;
    if (time < best) best = time;
  }
  pthread_mutex_unlock(&device->lock);
  wnn_pack_tensor_release(from);
  wnn_pack_tensor_release(to);
  if (status == WNN_OK) *rate = 2.0 * (double)bytes / best * 1e9;
  return status;
}
