/* Plans: passes with sources, bindings, uniforms and dispatch sizes. */
#include "packs/plan.h"
#include "packs/device.h"

#include <math.h>

enum { MAX_REPEAT = 65535, MAX_PASSES = 131072, MAX_SOURCE = 4 << 20 };

/* A pass of the variant written out: repeat groups unrolled. */
typedef struct instance {
  const pk_step_node *pass;
  const char *id;
  pk_value repeat;
} instance;

typedef struct builder {
  pk_plan *plan;
  pk_vm *vm; /* the plan's */
  pk_request *q;
  const pk_variant *variant;
  const pk_assets *assets;
  instance *instances;
  uint32_t count, capacity;
  bool all_empty;
  pk_map *sources; /* rendered texts, by text */
} builder;

static bool add_instance(builder *b, const pk_step_node *pass, const char *prefix, pk_value repeat) {
  if (b->count >= MAX_PASSES)
    return pk_fail(b->vm, WNN_DATA_ERROR, "variant %s has more than %d passes", b->variant->id, MAX_PASSES), false;
  if (b->count == b->capacity) {
    uint32_t capacity = b->capacity ? b->capacity * 2 : 8;
    instance *grown = pk_array(b->vm, capacity, sizeof *grown);
    if (!grown) return false;
    if (b->count) memcpy(grown, b->instances, b->count * sizeof *grown);
    b->instances = grown;
    b->capacity = capacity;
  }
  b->instances[b->count++] = (instance){pass, *prefix ? pk_path(b->vm, "%s%s", prefix, pass->id) : pass->id, repeat};
  return !b->vm->failed;
}

static void unroll(builder *b, const pk_step_node *steps, uint32_t count, const char *prefix, pk_value repeat) {
  pk_vm *vm = b->vm;
  for (uint32_t i = 0; i < count && !vm->failed; i++) {
    const pk_step_node *step = &steps[i];
    if (!step->repeat) {
      add_instance(b, step, prefix, repeat);
      continue;
    }
    b->q->repeat = repeat;
    pk_source source = pk_request_source(b->q);
    pk_value times = pk_eval_term(vm, &step->count, &source);
    if (vm->failed) return;
    if (!pk_is_integer(times) || times.as.number < 0 || times.as.number > MAX_REPEAT) {
      pk_fail(vm, WNN_DATA_ERROR, "repeat group %s: count must be an integer from 0 to %d, got %s", step->id,
              MAX_REPEAT, pk_show(vm, times));
      return;
    }
    pk_value count_name = pk_static(pk_path(vm, "%s_count", step->index));
    for (uint32_t k = 0; k < (uint32_t)times.as.number && pk_step(vm, 1); k++) {
      pk_value inner = pk_map_new(vm);
      for (uint32_t j = 0; j < repeat.as.map->count && !vm->failed; j++) {
        const pk_entry *entry = &repeat.as.map->entries[j];
        pk_map_set(vm, inner.as.map, entry->key, entry->length, entry->value);
      }
      if (vm->failed) return;
      pk_map_put(vm, inner.as.map, "index", pk_int(k));
      pk_map_put(vm, inner.as.map, "count", times);
      pk_map_put(vm, inner.as.map, step->index, pk_int(k));
      pk_map_put(vm, inner.as.map, count_name.as.text, times);
      unroll(b, step->steps, step->step_count, pk_path(vm, "%s%s[%u].", prefix, step->id, k), inner);
    }
  }
}

/* ---- Intermediates ------------------------------------------------------------------------------------------ */

static void plan_scratches(builder *b) {
  pk_vm *vm = b->vm;
  const pk_variant *variant = b->variant;
  b->plan->scratches = pk_array(vm, variant->intermediate_count, sizeof *b->plan->scratches);
  for (uint32_t i = 0; i < variant->intermediate_count && !vm->failed; i++) {
    const pk_intermediate *one = &variant->intermediates[i];
    pk_plan_scratch *scratch = &b->plan->scratches[i];
    *scratch = (pk_plan_scratch){.id = one->id, .type = one->type, .zero = one->zero};
    b->plan->scratch_count = i + 1;
    if (b->all_empty) continue;
    pk_source source = pk_request_source(b->q);
    pk_value shape = pk_eval_term(vm, &one->shape, &source);
    if (vm->failed) {
      pk_context(vm, "shape of the intermediate %s", one->id);
      return;
    }
    if (shape.kind != PK_LIST) { /* a single dimension may stand alone */
      pk_value list = pk_list_new(vm, 1);
      if (!vm->failed) pk_list_push(vm, list.as.list, shape);
      shape = list;
    }
    double bytes = pk_types[one->type].storage_bytes;
    bool good = !vm->failed && shape.as.list->count > 0;
    for (uint32_t j = 0; good && j < shape.as.list->count; j++) {
      good = pk_is_integer(shape.as.list->items[j]) && shape.as.list->items[j].as.number >= 0;
      if (good) bytes *= shape.as.list->items[j].as.number;
    }
    if (!good || !(bytes < 281474976710656.0)) {
      pk_fail(vm, WNN_DATA_ERROR, "the shape of the intermediate %s came out as %s", one->id, pk_show(vm, shape));
      return;
    }
    scratch->bytes = (uint64_t)bytes;
  }
}

/* ---- Passes --------------------------------------------------------------------------------------------------- */

static void plan_dispatch(builder *b, const pk_step_node *pass, pk_plan_pass *out) {
  pk_vm *vm = b->vm;
  const pk_term *const axes[] = {&pass->x, &pass->y, &pass->z};
  pk_source source = pk_request_source(b->q);
  for (int i = 0; i < 3 && !vm->failed; i++) {
    pk_value size = pk_eval_term(vm, axes[i], &source);
    if (vm->failed) return;
    if (!pk_is_integer(size) || size.as.number < 0)
      pk_fail(vm, WNN_DATA_ERROR, "dispatch.%c must be a whole number of 0 or more, got %s", "xyz"[i],
              pk_show(vm, size));
    else if (size.as.number > b->q->facts->max_groups)
      pk_fail(vm, WNN_NOT_SUPPORTED, "dispatch.%c is %.0f, over maxComputeWorkgroupsPerDimension (%.0f)", "xyz"[i],
              size.as.number, b->q->facts->max_groups);
    else
      out->groups[i] = (uint32_t)size.as.number;
    out->skipped = out->skipped || out->groups[i] == 0;
  }
}

static void fill_uniform(builder *b, const pk_binding *binding, pk_plan_binding *out) {
  pk_vm *vm = b->vm;
  uint32_t words = (binding->field_count + 3) / 4 * 4;
  uint32_t *data = pk_array(vm, words, sizeof *data);
  pk_source source = pk_request_source(b->q);
  for (uint32_t i = 0; i < binding->field_count && !vm->failed; i++) {
    const pk_field *field = &binding->fields[i];
    const pk_value *arg = pk_map_find(b->q->args.as.map, field->name);
    pk_value value = field->value.kind != PK_TERM_NONE ? pk_eval_term(vm, &field->value, &source)
                     : arg                             ? *arg
                                                       : pk_eval_term(vm, &field->fallback, &source);
    if (vm->failed) break;
    if (value.kind == PK_UNDEFINED && field->value.kind == PK_TERM_NONE) {
      if (field->required) pk_fail(vm, WNN_DATA_ERROR, "%s.%s has no value", binding->name, field->name);
      continue;
    }
    double n = pk_is_number(value) ? value.as.number : (double)NAN;
    bool whole = pk_is_integer(value);
    if (isnan(n) || (isinf(n) && field->type != 'f'))
      pk_fail(vm, WNN_DATA_ERROR, "%s.%s must be a finite number, got %s", binding->name, field->name,
              pk_show(vm, value));
    else if (field->type == 'u' && !(whole && n >= 0 && n <= 4294967295.0))
      pk_fail(vm, WNN_DATA_ERROR, "%s.%s must be a u32, got %s", binding->name, field->name, pk_show(vm, value));
    else if (field->type == 'i' && !(whole && n >= -2147483648.0 && n <= 2147483647.0))
      pk_fail(vm, WNN_DATA_ERROR, "%s.%s must be an i32, got %s", binding->name, field->name, pk_show(vm, value));
    if (vm->failed) break;
    if (field->type == 'f') {
      float f = fabs(n) > 3.4028234663852886e38 && !isinf(n) ? (n > 0 ? HUGE_VALF : -HUGE_VALF) : (float)n;
      memcpy(&data[i], &f, 4);
    } else {
      data[i] = field->type == 'u' ? (uint32_t)n : (uint32_t)(int32_t)n;
    }
  }
  out->uniform = data;
  out->uniform_bytes = words * 4;
}

static void plan_bindings(builder *b, const pk_step_node *pass, pk_plan_pass *out) {
  pk_vm *vm = b->vm;
  for (uint32_t i = 0; i < pass->binding_count && !vm->failed; i++) {
    const pk_binding *binding = pass->bindings[i];
    pk_plan_binding *target = &out->bindings[i];
    target->name = binding->name;
    target->buffer = binding->buffer;
    if (binding->buffer == PK_BUFFER_UNIFORM) {
      target->target = PK_TARGET_UNIFORM;
      fill_uniform(b, binding, target);
      continue;
    }
    const char *scratch = binding->scratch ? binding->scratch : binding->name;
    bool found = false;
    for (uint32_t j = 0; j < b->plan->scratch_count && !found; j++) {
      if (strcmp(b->plan->scratches[j].id, scratch)) continue;
      found = true;
      target->target = PK_TARGET_SCRATCH;
      target->index = j;
      if (!out->skipped) b->plan->scratches[j].used = true;
    }
    if (found) continue;
    const pk_port *port = pk_find_port(b->q->m, binding->arg ? binding->arg : binding->name);
    target->target = PK_TARGET_PORT;
    target->index = (uint32_t)(port - b->q->m->ports);
    if (!out->skipped && !b->plan->tensors[target->index].present)
      pk_fail(vm, WNN_DATA_ERROR, "binding %s needs the tensor %s, which is absent", binding->name, port->name);
  }
}

/* An int64 tensor may only be bound as vec2<u32> and only be moved. */
static void check_int64(builder *b, const pk_step_node *pass, const pk_plan_pass *out, pk_value source) {
  const char *names[32];
  uint32_t count = 0;
  for (uint32_t i = 0; i < pass->binding_count && !b->vm->failed; i++) {
    const pk_plan_binding *binding = &out->bindings[i];
    if (binding->target != PK_TARGET_PORT || b->plan->tensors[binding->index].storage != WNN_PACK_INT64) continue;
    const char *element = pk_wgsl_element(b->vm, pass->bindings[i]->element, b->q->derived, binding->name);
    if (element && strncmp(element, "vec2", 4))
      pk_fail(b->vm, WNN_DATA_ERROR, "int64 binding %s must use vec2<u32>", binding->name);
    if (count < 32) names[count++] = binding->name;
  }
  if (!b->vm->failed) pk_wgsl_check_int64(b->vm, source, names, count);
}

static void render_pass(builder *b, const pk_step_node *pass, pk_plan_pass *out) {
  pk_vm *vm = b->vm;
  pk_value declarations = pk_wgsl_declarations(vm, pass, b->q->derived, out->bindings);
  pk_value wgsl = pk_map_new(vm), env = pk_map_new(vm);
  if (vm->failed) return;
  pk_map_put(vm, wgsl.as.map, "resourceDeclarations", declarations);
  pk_map_put(vm, env.as.map, "wgsl", wgsl);
  pk_map_put(vm, env.as.map, "device", b->q->facts->device);
  const pk_template *template = b->assets->get(b->assets->user, vm, pass->shader);
  if (!template || vm->failed) return;
  b->q->env = env;
  pk_source source = pk_request_source(b->q);
  pk_value text = pk_render(vm, template, &source);
  b->q->env = pk_undefined();
  if (!vm->failed) text = pk_wgsl_enable(vm, text);
  if (!vm->failed && text.length > MAX_SOURCE)
    pk_fail(vm, WNN_DATA_ERROR, "the shader is larger than %d bytes", MAX_SOURCE);
  if (vm->failed) {
    pk_context(vm, "%s", pass->shader);
    return;
  }
  check_int64(b, pass, out, text);
  /* repeated passes often have the same text: one copy, so that they share a pipeline */
  const pk_value *same = pk_map_get(b->sources, text.as.text, text.length);
  if (same) text = *same;
  pk_map_set(vm, b->sources, text.as.text, text.length, text);
  out->source = text.as.text;
  out->source_length = text.length;
}

static void plan_aliases(builder *b, const pk_step_node *pass, pk_plan_pass *out) {
  out->alias = pk_array(b->vm, (size_t)pass->alias_count * 2, sizeof *out->alias);
  if (b->vm->failed) return;
  out->alias_count = pass->alias_count;
  for (uint32_t i = 0; i < pass->alias_count; i++)
    for (uint32_t j = 0; j < pass->binding_count; j++) {
      if (!strcmp(pass->bindings[j]->name, pass->alias_inputs[i])) out->alias[2 * i] = j;
      if (!strcmp(pass->bindings[j]->name, pass->alias_outputs[i])) out->alias[2 * i + 1] = j;
    }
}

static void plan_pass(builder *b, const instance *one, pk_plan_pass *out) {
  pk_vm *vm = b->vm;
  const pk_step_node *pass = one->pass;
  pk_request *q = b->q;
  pk_map *outer = q->derived;
  out->id = one->id;
  out->name = pass->name ? pass->name : pk_path(vm, "%s.%s.%s", q->m->op, b->variant->id, pass->id);
  out->submit_after = pass->submit_after;
  out->bindings = pk_array(vm, pass->binding_count, sizeof *out->bindings);
  out->binding_count = pass->binding_count;
  q->repeat = one->repeat;
  if (b->all_empty) {
    out->skipped = true;
    return;
  }
  /* type variables are names like derived values, behind those that are written */
  pk_value names = pk_map_new(vm);
  for (uint32_t i = 0; i < q->dtypes.as.map->count && !vm->failed; i++) {
    const pk_entry *entry = &q->dtypes.as.map->entries[i];
    pk_map_set(vm, names.as.map, entry->key, entry->length, entry->value);
  }
  for (uint32_t i = 0; i < outer->count && !vm->failed; i++)
    pk_map_set(vm, names.as.map, outer->entries[i].key, outer->entries[i].length, outer->entries[i].value);
  if (vm->failed) return;
  q->derived = names.as.map;
  if (pk_request_derive(q, &pass->derive)) plan_dispatch(b, pass, out);
  if (!vm->failed) plan_bindings(b, pass, out);
  if (!vm->failed && !out->skipped) render_pass(b, pass, out);
  if (!vm->failed) plan_aliases(b, pass, out);
  if (vm->failed) pk_context(vm, "pass %s", one->id);
  q->derived = outer;
}

static bool outputs_empty(const pk_plan *plan, const pk_manifest *m) {
  bool any = false;
  for (uint32_t i = 0; i < m->port_count; i++) {
    if (!m->ports[i].output || !plan->tensors[i].present) continue;
    any = true;
    if (pk_fact_elements(&plan->tensors[i]) > 0) return false;
  }
  return any;
}

bool pk_plan_build(pk_plan *plan, pk_request *q, const pk_variant *variant, const pk_assets *assets) {
  pk_vm *vm = q->vm;
  builder b = {.plan = plan, .vm = vm, .q = q, .variant = variant, .assets = assets};
  plan->variant = variant;
  plan->tensors = q->tensors;
  b.all_empty = outputs_empty(plan, q->m);
  pk_value sources = pk_map_new(vm), repeat = q->repeat;
  if (vm->failed || !pk_request_tunables(q, variant->tunables, variant->tunable_count) ||
      !pk_request_derive(q, &variant->derive)) {
    pk_context(vm, "variant %s", variant->id);
    return false;
  }
  b.sources = sources.as.map;
  plan_scratches(&b);
  unroll(&b, variant->steps, variant->step_count, "", repeat);
  if (!vm->failed && !b.count) pk_fail(vm, WNN_DATA_ERROR, "no pass is left");
  plan->passes = pk_array(vm, b.count, sizeof *plan->passes);
  for (uint32_t i = 0; i < b.count && !vm->failed; i++) {
    plan_pass(&b, &b.instances[i], &plan->passes[i]);
    plan->pass_count = i + 1;
  }
  if (vm->failed) pk_context(vm, "variant %s", variant->id);
  return !vm->failed;
}

/* ---- Keys ---------------------------------------------------------------------------------------------------------
 */

static void key_desc(pk_vm *vm, pk_text *text, const char *name, const wnn_pack_desc *desc) {
  pk_text_printf(vm, text, "%s:%d[", name ? name : "", (int)desc->type);
  for (uint32_t i = 0; i < desc->rank && i < WNN_MAX_RANK; i++) pk_text_printf(vm, text, "%u,", desc->shape[i]);
  pk_text_puts(vm, text, "]");
}

static void key_settings(pk_vm *vm, pk_text *text, const char *kind, const wnn_setting *settings, size_t count) {
  pk_text_puts(vm, text, kind);
  for (size_t i = 0; i < count; i++) {
    pk_text_printf(vm, text, "%s=%d,%.17g,", settings[i].name ? settings[i].name : "", (int)settings[i].kind,
                   settings[i].number);
    if (settings[i].kind == WNN_SETTING_STRING && settings[i].text) {
      pk_text_printf(vm, text, "%zu:", strlen(settings[i].text));
      pk_text_puts(vm, text, settings[i].text);
    }
    for (uint32_t j = 0; settings[i].kind == WNN_SETTING_NUMBERS && j < settings[i].count; j++)
      pk_text_printf(vm, text, "%.17g,", settings[i].numbers[j]);
    pk_text_puts(vm, text, ";");
  }
}

pk_value pk_plan_key(pk_vm *vm, const wnn_kernel_call *call) {
  pk_text text = {0};
  for (size_t i = 0; i < call->input_count; i++) {
    const wnn_pack_tensor *tensor = call->inputs[i].tensor;
    key_desc(vm, &text, call->inputs[i].name, tensor ? &tensor->desc : &call->inputs[i].desc);
    if (tensor) pk_text_printf(vm, &text, "r%d", tensor->storage);
  }
  pk_text_puts(vm, &text, "|");
  for (size_t i = 0; i < call->output_count; i++) {
    const wnn_kernel_output *output = &call->outputs[i];
    pk_text_printf(vm, &text, "%d%d", output->tensor || output->has_shape, output->tensor || output->has_type);
    key_desc(vm, &text, output->name, output->tensor ? &output->tensor->desc : &output->desc);
    if (output->tensor) pk_text_printf(vm, &text, "r%d", output->tensor->storage);
  }
  key_settings(vm, &text, "|a", call->attrs, call->attr_count);
  key_settings(vm, &text, "|g", call->args, call->arg_count);
  key_settings(vm, &text, "|t", call->tunables, call->tunable_count);
  if (call->variant) pk_text_printf(vm, &text, "|v%s", call->variant);
  return pk_text_value(vm, &text);
}
