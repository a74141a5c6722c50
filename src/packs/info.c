/* What a kernel tells about itself: ports, settings, variants, shaders, choices. */
#include <stdlib.h>

#include "base/error.h"
#include "packs/kernel.h"

#define TEXT_STEPS UINT64_C(50000000)
#define TEXT_BYTES ((size_t)256 << 20)

const char *wnn_kernel_op(const wnn_kernel *kernel) { return kernel->manifest.op; }
const char *wnn_kernel_location(const wnn_kernel *kernel) { return kernel->location; }
bool wnn_kernel_has_cpu(const wnn_kernel *kernel) { return kernel->twin != NULL; }

static const char *or_empty(const char *text) { return text ? text : ""; }

const char *wnn_kernel_metadata(const wnn_kernel *kernel, const char *field) {
  if (!strcmp(field, "id")) return or_empty(kernel->metadata.id);
  if (!strcmp(field, "license")) return or_empty(kernel->metadata.license);
  if (!strcmp(field, "sha")) return or_empty(kernel->metadata.sha);
  if (strcmp(field, "version") || kernel->metadata.version < 0) return "";
  wnn_kernel *own = (wnn_kernel *)(uintptr_t)kernel; /* the text is made once and kept */
  pthread_mutex_lock(&own->lock);
  const char *text = pk_path(&own->vm, "%.0f", kernel->metadata.version);
  pthread_mutex_unlock(&own->lock);
  return text;
}

bool wnn_kernel_get_port(const wnn_kernel *kernel, size_t index, wnn_kernel_port *port) {
  if (index >= kernel->manifest.port_count) return false;
  const pk_port *from = &kernel->manifest.ports[index];
  uint32_t types = from->types ? from->types : from->dtype ? (1u << WNN_PACK_TYPE_COUNT) - 1 : 1u << WNN_PACK_FLOAT32;
  *port = (wnn_kernel_port){.name = from->name,
                            .onnx = or_empty(from->onnx),
                            .description = or_empty(from->description),
                            .type = from->dtype ? from->dtype : "float32",
                            .types = types,
                            .storage = from->storage >= 0 ? pk_types[from->storage].name : "",
                            .rank = or_empty(from->rank),
                            .shape = or_empty(from->shape_text),
                            .input = from->input,
                            .output = from->output,
                            .optional = from->input ? from->optional : from->output_optional};
  return true;
}

static const char *json_text(const wnn_kernel *kernel, pk_value value) {
  if (value.kind == PK_UNDEFINED) return "";
  wnn_kernel *own = (wnn_kernel *)(uintptr_t)kernel;
  pthread_mutex_lock(&own->lock);
  pk_text text = {0};
  pk_print_json(&own->vm, &text, value, &(pk_json_style){0}, 0);
  pk_value made = pk_text_value(&own->vm, &text);
  bool good = !own->vm.failed;
  own->vm.failed = false;
  pthread_mutex_unlock(&own->lock);
  return good ? made.as.text : "";
}

bool wnn_kernel_get_setting(const wnn_kernel *kernel, size_t index, wnn_kernel_setting *setting) {
  const pk_manifest *m = &kernel->manifest;
  if (index < m->attribute_count) {
    const pk_attribute *from = &m->attributes[index];
    *setting = (wnn_kernel_setting){.name = from->name,
                                    .kind = "attribute",
                                    .default_value = from->has_default ? json_text(kernel, from->value) : "",
                                    .values = json_text(kernel, from->values),
                                    .description = or_empty(from->description),
                                    .required = from->required};
    return true;
  }
  index -= m->attribute_count;
  if (index < m->arg_count) {
    static const char *const kinds[] = {"u32", "i32", "f32", "bool", "string"};
    const pk_arg *from = &m->args[index];
    *setting = (wnn_kernel_setting){.name = from->name,
                                    .kind = kinds[from->kind],
                                    .default_value = "",
                                    .values = json_text(kernel, from->one_of),
                                    .description = or_empty(from->description),
                                    .required = from->required};
    return true;
  }
  index -= m->arg_count;
  if (index >= m->tunable_count) return false;
  const pk_tunable *from = &m->tunables[index];
  *setting = (wnn_kernel_setting){.name = from->name,
                                  .kind = "tunable",
                                  .default_value = json_text(kernel, from->value),
                                  .values = "",
                                  .description = or_empty(from->description)};
  return true;
}

static uint32_t count_passes(const pk_step_node *steps, uint32_t count) {
  uint32_t passes = 0;
  for (uint32_t i = 0; i < count; i++)
    passes += steps[i].repeat ? count_passes(steps[i].steps, steps[i].step_count) : 1;
  return passes;
}

bool wnn_kernel_get_variant(const wnn_kernel *kernel, size_t index, wnn_kernel_variant *variant) {
  if (index >= kernel->manifest.variant_count) return false;
  const pk_variant *from = &kernel->manifest.variants[index];
  *variant = (wnn_kernel_variant){from->id, or_empty(from->description), from->priority,
                                  count_passes(from->steps, from->step_count)};
  return true;
}

/* ---- Questions about a call
 * -------------------------------------------------------------------------------------------- */

wnn_status wnn_kernel_infer(wnn_kernel *kernel, const wnn_kernel_call *call, const char *output, wnn_pack_desc *desc,
                            wnn_error *error) {
  pk_vm vm;
  pk_facts facts;
  pk_vm_init(&vm, &kernel->allocator, TEXT_STEPS, TEXT_BYTES);
  pk_request request;
  wnn_status status = WNN_OK;
  if (!pk_facts_of_cpu(&facts, &kernel->allocator))
    status = wnn_error_oom(error);
  else if (!pk_request_open(&request, &vm, &kernel->manifest, &facts, call))
    status = pk_vm_status(&vm, error);
  const pk_port *port = pk_find_port(&kernel->manifest, output);
  if (status == WNN_OK && (!port || !port->output || !request.tensors[port - kernel->manifest.ports].present))
    status = wnn_error_set(error, WNN_TYPE_ERROR, "%.100s is not an output of this call", output);
  if (status == WNN_OK) {
    const pk_tensor_fact *fact = &request.tensors[port - kernel->manifest.ports];
    *desc = (wnn_pack_desc){.type = (wnn_pack_type)fact->logical, .rank = fact->rank};
    memcpy(desc->shape, fact->shape, fact->rank * sizeof *desc->shape);
  }
  pk_facts_free(&facts);
  pk_vm_free(&vm);
  return status;
}

/* The device's facts: those of the kernel's WebGPU device if there is one, else what WebGPU guarantees. */
static wnn_status open_facts(wnn_kernel *kernel, pk_facts *own, const pk_facts **facts, wnn_error *error) {
  pthread_mutex_lock(&kernel->lock);
  wnn_device *device = kernel->device && kernel->device->gpu ? kernel->device : NULL;
  pthread_mutex_unlock(&kernel->lock);
  *own = (pk_facts){0};
  *facts = device ? &device->facts : own;
  return device || pk_facts_of_nothing(own, &kernel->allocator) ? WNN_OK : wnn_error_oom(error);
}

static wnn_status hand_out(const pk_text *text, char **out, wnn_error *error) {
  char *copy = malloc(text->length + 1);
  if (!copy) return wnn_error_oom(error);
  if (text->length) memcpy(copy, text->data, text->length);
  copy[text->length] = 0;
  *out = copy;
  return WNN_OK;
}
void wnn_pack_text_free(char *text) { free(text); }

static bool add_shaders(pk_vm *vm, pk_text *text, const pk_plan *plan) {
  for (uint32_t i = 0; i < plan->pass_count && !vm->failed; i++) {
    const pk_plan_pass *pass = &plan->passes[i];
    bool repeated = false;
    for (uint32_t j = 0; j < i; j++) repeated = repeated || (pass->source && plan->passes[j].source == pass->source);
    if (pass->skipped) {
      pk_text_printf(vm, text, "// pass %s: skipped\n", pass->id);
      continue;
    }
    pk_text_printf(vm, text, "// pass %s: %u x %u x %u workgroups%s\n", pass->id, pass->groups[0], pass->groups[1],
                   pass->groups[2], repeated ? ", same shader as before" : "");
    if (repeated) continue;
    pk_text_add(vm, text, pass->source, pass->source_length);
    if (pass->source_length && pass->source[pass->source_length - 1] != '\n') pk_text_puts(vm, text, "\n");
  }
  return !vm->failed;
}

wnn_status wnn_kernel_render(wnn_kernel *kernel, const wnn_kernel_call *call, char **out, wnn_error *error) {
  pk_facts own;
  const pk_facts *facts;
  wnn_status status = open_facts(kernel, &own, &facts, error);
  pk_vm vm;
  pk_vm_init(&vm, &kernel->allocator, TEXT_STEPS, TEXT_BYTES);
  pk_request request;
  pk_text text = {0};
  if (status == WNN_OK) {
    const pk_variant *variant = pk_request_open(&request, &vm, &kernel->manifest, facts, call)
                                    ? pk_select(&request, call->variant, NULL)
                                    : NULL;
    pk_plan plan = {0};
    pk_assets assets = {pk_kernel_template, kernel};
    pthread_mutex_lock(&kernel->lock);
    bool built = variant && pk_plan_build(&plan, &request, variant, &assets);
    pthread_mutex_unlock(&kernel->lock);
    if (built) pk_text_printf(&vm, &text, "// %s, variant %s\n", kernel->manifest.op, variant->id);
    status = built && add_shaders(&vm, &text, &plan) ? hand_out(&text, out, error) : pk_vm_status(&vm, error);
  }
  pk_vm_free(&vm);
  pk_facts_free(&own);
  return status;
}

wnn_status wnn_kernel_explain(wnn_kernel *kernel, const wnn_kernel_call *call, char **out, wnn_error *error) {
  pk_facts own;
  const pk_facts *facts;
  wnn_status status = open_facts(kernel, &own, &facts, error);
  pk_vm vm;
  pk_vm_init(&vm, &kernel->allocator, TEXT_STEPS, TEXT_BYTES);
  pk_request request;
  pk_text text = {0};
  if (status == WNN_OK && pk_request_open(&request, &vm, &kernel->manifest, facts, call)) {
    pk_select(&request, call->variant, &text);
    if (vm.failed && vm.status == WNN_NOT_SUPPORTED) vm.failed = false; /* that nothing fits is an answer here */
  }
  if (status == WNN_OK) status = vm.failed ? pk_vm_status(&vm, error) : hand_out(&text, out, error);
  pk_vm_free(&vm);
  pk_facts_free(&own);
  return status;
}
