/* Calls against the contract: names, types, settings, shapes of outputs. */
#include "packs/request.h"
#include "packs/device.h"

#include <math.h>

/* ---- Names ---------------------------------------------------------------------------------------------------- */

static pk_value f16_ok(pk_vm *vm, pk_value self, const pk_value *args, uint32_t count) {
  (void)vm;
  bool half = count && (pk_equals(args[0], "f16") || pk_equals(args[0], "float16"));
  return pk_bool(!half || self.as.boolean);
}

static bool look_up_derived(pk_request *q, const char *name, size_t length, pk_value *value);

static bool look_up(void *user, const char *name, size_t length, pk_value *value) {
  pk_request *q = user;
  if (look_up_derived(q, name, length, value)) return true;
  const struct {
    const char *name;
    const pk_value *value;
  } spaces[] = {{"shapes", &q->shapes},
                {"ranks", &q->ranks},
                {"tensorDtypes", &q->tensor_dtypes},
                {"logicalDtypes", &q->logical_dtypes},
                {"dtypes", &q->dtypes},
                {"present", &q->present},
                {"args", &q->args},
                {"attrs", &q->attrs},
                {"tunables", &q->tunables},
                {"device", &q->facts->device},
                {"repeat", &q->repeat},
                {"env", &q->env}};
  for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++)
    if (strlen(spaces[i].name) == length && !memcmp(spaces[i].name, name, length)) {
      *value = *spaces[i].value;
      return value->kind != PK_UNDEFINED;
    }
  pk_value wanted = {.kind = PK_STRING, .length = (uint32_t)length, .as.text = name};
  if (pk_equals(wanted, "derive")) {
    *value = (pk_value){.kind = PK_MAP, .as.map = q->derived};
    return true;
  }
  if (pk_equals(wanted, "DISPATCH_FOLD_WIDTH")) {
    *value = pk_int(65535);
    return true;
  }
  if (pk_equals(wanted, "f16Ok")) {
    *value = pk_builtin_value(q->vm, "f16Ok", f16_ok, pk_bool(q->facts->float16));
    return true;
  }
  *value = pk_helper(q->vm, name, length);
  return value->kind != PK_UNDEFINED;
}

pk_source pk_request_source(pk_request *request) { return (pk_source){look_up, request}; }

/* While shapes are inferred a derived value that fails is as good as missing. */
static bool look_up_derived(pk_request *q, const char *name, size_t length, pk_value *value) {
  const pk_value *known = pk_map_get(q->derived, name, length);
  if (known) {
    *value = *known;
    return true;
  }
  if (!q->inferring) return false;
  const pk_derives *derives = &q->m->derive;
  for (uint32_t i = 0; i < derives->count; i++) {
    if (strlen(derives->items[i].name) != length || memcmp(derives->items[i].name, name, length)) continue;
    if (q->derive_state[i]) return false;
    q->derive_state[i] = 1;
    pk_source source = pk_request_source(q);
    *value = pk_eval_term(q->vm, &derives->items[i].term, &source);
    if (q->vm->failed) {
      if (q->vm->status == WNN_OUT_OF_MEMORY) return false;
      q->vm->failed = false;
      q->derive_state[i] = 3;
      return false;
    }
    q->derive_state[i] = 2;
    return pk_map_set(q->vm, q->derived, derives->items[i].name, length, *value);
  }
  return false;
}

bool pk_request_derive(pk_request *q, const pk_derives *derives) {
  pk_value copy = pk_map_new(q->vm);
  for (uint32_t i = 0; i < q->derived->count && !q->vm->failed; i++) {
    const pk_entry *entry = &q->derived->entries[i];
    pk_map_set(q->vm, copy.as.map, entry->key, entry->length, entry->value);
  }
  if (q->vm->failed) return false;
  q->derived = copy.as.map;
  pk_source source = pk_request_source(q);
  for (uint32_t i = 0; i < derives->count && !q->vm->failed; i++) {
    pk_value value = pk_eval_term(q->vm, &derives->items[i].term, &source);
    if (q->vm->failed)
      pk_context(q->vm, "derive.%s", derives->items[i].name);
    else
      pk_map_put(q->vm, q->derived, derives->items[i].name, value);
  }
  return !q->vm->failed;
}

double pk_fact_elements(const pk_tensor_fact *fact) {
  double count = 1;
  for (uint32_t i = 0; i < fact->rank; i++) count *= fact->shape[i];
  return count;
}

/* ---- Settings --------------------------------------------------------------------------------------------------- */

static pk_value setting_value(pk_vm *vm, const wnn_setting *setting) {
  switch (setting->kind) {
  case WNN_SETTING_NUMBER: return pk_number(setting->number);
  case WNN_SETTING_BOOL: return pk_bool(setting->number != 0);
  case WNN_SETTING_STRING:
    return pk_string(vm, setting->text ? setting->text : "", strlen(setting->text ? setting->text : ""));
  case WNN_SETTING_NULL: return pk_null();
  case WNN_SETTING_NUMBERS: {
    pk_value list = pk_list_new(vm, setting->count);
    for (uint32_t i = 0; i < setting->count && !vm->failed; i++)
      pk_list_push(vm, list.as.list, pk_number(setting->numbers[i]));
    return list;
  }
  }
  return pk_undefined();
}

static void add_known(pk_vm *vm, pk_text *text, const char *name) {
  if (text->length) pk_text_puts(vm, text, ", ");
  pk_text_puts(vm, text, name);
}

static void fail_unknown(pk_vm *vm, const char *kind, const char *name, pk_text *known) {
  pk_text_add(vm, known, "", 1);
  pk_fail(vm, WNN_TYPE_ERROR, "unknown %s \"%.60s\" (known: %s)", kind, name ? name : "",
          known->length > 1 ? known->data : "none");
}

static bool same_scalar(pk_value a, pk_value b) {
  if (pk_is_number(a) && pk_is_number(b)) return (float)a.as.number == (float)b.as.number;
  return a.kind == b.kind && a.kind != PK_LIST && a.kind != PK_MAP && pk_same(a, b);
}

static void open_attributes(pk_request *q) {
  pk_vm *vm = q->vm;
  const pk_manifest *m = q->m;
  q->attrs = pk_map_new(vm);
  for (uint32_t i = 0; i < m->attribute_count && !vm->failed; i++)
    if (m->attributes[i].has_default) pk_map_put(vm, q->attrs.as.map, m->attributes[i].name, m->attributes[i].value);
  for (size_t i = 0; i < q->call->attr_count && !vm->failed; i++) {
    const wnn_setting *setting = &q->call->attrs[i];
    uint32_t at = 0;
    while (at < m->attribute_count && (!setting->name || strcmp(m->attributes[at].name, setting->name))) at++;
    if (at == m->attribute_count) {
      pk_text known = {0};
      for (uint32_t j = 0; j < m->attribute_count; j++) add_known(vm, &known, m->attributes[j].name);
      fail_unknown(vm, "attribute", setting->name, &known);
      return;
    }
    pk_map_put(vm, q->attrs.as.map, m->attributes[at].name, setting_value(vm, setting));
  }
  for (uint32_t i = 0; i < m->attribute_count && !vm->failed; i++) {
    const pk_attribute *attribute = &m->attributes[i];
    const pk_value *value = pk_map_find(q->attrs.as.map, attribute->name);
    if (attribute->required && !value) pk_fail(vm, WNN_TYPE_ERROR, "the attribute %s is required", attribute->name);
    if (!value || attribute->values.kind != PK_LIST) continue;
    bool allowed = false;
    for (uint32_t j = 0; j < attribute->values.as.list->count; j++)
      allowed = allowed || same_scalar(attribute->values.as.list->items[j], *value);
    if (!allowed)
      pk_fail(vm, WNN_TYPE_ERROR, "attribute %s must be one of %s, got %s", attribute->name,
              pk_show(vm, attribute->values), pk_show(vm, *value));
  }
}

static void check_arg(pk_vm *vm, const pk_arg *arg, pk_value value) {
  double n = value.as.number;
  switch (arg->kind) {
  case PK_ARG_STRING:
    if (value.kind != PK_STRING) pk_fail(vm, WNN_TYPE_ERROR, "argument %s must be a string", arg->name);
    if (!vm->failed && arg->one_of.kind == PK_LIST) {
      bool found = false;
      for (uint32_t i = 0; i < arg->one_of.as.list->count; i++)
        found = found || same_scalar(arg->one_of.as.list->items[i], value);
      if (!found) pk_fail(vm, WNN_TYPE_ERROR, "argument %s must be one of %s", arg->name, pk_show(vm, arg->one_of));
    }
    return;
  case PK_ARG_BOOL:
    if (value.kind != PK_BOOL) pk_fail(vm, WNN_TYPE_ERROR, "argument %s must be true or false", arg->name);
    return;
  case PK_ARG_U32:
    if (!pk_is_integer(value) || n < 0 || n > 4294967295.0)
      pk_fail(vm, WNN_TYPE_ERROR, "argument %s must be a u32", arg->name);
    return;
  case PK_ARG_I32:
    if (!pk_is_integer(value) || n < -2147483648.0 || n > 2147483647.0)
      pk_fail(vm, WNN_TYPE_ERROR, "argument %s must be an i32", arg->name);
    return;
  case PK_ARG_F32:
    if (!pk_is_number(value) || !isfinite(n))
      pk_fail(vm, WNN_TYPE_ERROR, "argument %s must be a finite number", arg->name);
    return;
  }
}

static void open_args(pk_request *q) {
  pk_vm *vm = q->vm;
  const pk_manifest *m = q->m;
  q->args = pk_map_new(vm);
  for (size_t i = 0; i < q->call->arg_count && !vm->failed; i++) {
    const wnn_setting *setting = &q->call->args[i];
    uint32_t at = 0;
    while (at < m->arg_count && (!setting->name || strcmp(m->args[at].name, setting->name))) at++;
    if (at == m->arg_count) {
      pk_text known = {0};
      for (uint32_t j = 0; j < m->arg_count; j++) add_known(vm, &known, m->args[j].name);
      fail_unknown(vm, "argument", setting->name, &known);
      return;
    }
    pk_value value = setting_value(vm, setting);
    if (!vm->failed) check_arg(vm, &m->args[at], value);
    if (!vm->failed) pk_map_put(vm, q->args.as.map, m->args[at].name, value);
  }
  for (uint32_t i = 0; i < m->arg_count && !vm->failed; i++)
    if (m->args[i].required && !pk_map_find(q->args.as.map, m->args[i].name))
      pk_fail(vm, WNN_TYPE_ERROR, "the argument %s is required", m->args[i].name);
}

bool pk_request_tunables(pk_request *q, const pk_tunable *tunables, uint32_t count) {
  pk_vm *vm = q->vm;
  const pk_manifest *m = q->m;
  q->tunables = pk_map_new(vm);
  for (uint32_t i = 0; i < m->tunable_count && !vm->failed; i++)
    pk_map_put(vm, q->tunables.as.map, m->tunables[i].name, m->tunables[i].value);
  for (uint32_t i = 0; i < count && !vm->failed; i++)
    pk_map_put(vm, q->tunables.as.map, tunables[i].name, tunables[i].value);
  for (size_t i = 0; i < q->call->tunable_count && !vm->failed; i++) {
    const wnn_setting *setting = &q->call->tunables[i];
    pk_value value = setting_value(vm, setting);
    bool known = false;
    for (uint32_t j = 0; j < m->tunable_count; j++)
      known = known || (setting->name && !strcmp(m->tunables[j].name, setting->name));
    for (uint32_t v = 0; v < m->variant_count; v++)
      for (uint32_t j = 0; j < m->variants[v].tunable_count; j++)
        known = known || (setting->name && !strcmp(m->variants[v].tunables[j].name, setting->name));
    if (!known) {
      pk_text names = {0};
      for (uint32_t j = 0; j < m->tunable_count; j++) add_known(vm, &names, m->tunables[j].name);
      fail_unknown(vm, "tunable", setting->name, &names);
    }
    if (!vm->failed) {
      pk_value name = pk_string(vm, setting->name, strlen(setting->name));
      if (!vm->failed) pk_map_set(vm, q->tunables.as.map, name.as.text, name.length, value);
    }
  }
  return !vm->failed;
}

/* ---- Types ------------------------------------------------------------------------------------------------------- */

static const char *type_list(pk_vm *vm, uint32_t types) {
  pk_text text = {0};
  for (int i = 0; i < WNN_PACK_TYPE_COUNT; i++)
    if (types >> i & 1) add_known(vm, &text, pk_types[i].name);
  pk_text_add(vm, &text, "", 1);
  return text.data ? text.data : "";
}

/* Binds the type of a present tensor to its port. type: what the caller gave; storage: that of a tensor which
 * is on the device already, or -1. */
static void bind_type(pk_request *q, uint32_t index, int type, int stored) {
  pk_vm *vm = q->vm;
  const pk_port *port = &q->m->ports[index];
  pk_tensor_fact *fact = &q->tensors[index];
  if (type == WNN_PACK_INT64 && port->types && !(port->types >> WNN_PACK_INT64 & 1)) {
    pk_fail(vm, WNN_TYPE_ERROR, "%s does not admit int64 (allowed: %s)", port->name, type_list(vm, port->types));
    return;
  }
  fact->storage = stored >= 0 ? stored : type == WNN_PACK_INT64 && port->storage >= 0 ? port->storage : type;
  fact->logical = fact->storage;
  if (!port->dtype) return;
  if (port->storage >= 0 && fact->storage != port->storage) {
    pk_fail(vm, WNN_TYPE_ERROR, "%s has data type %s, but is stored as %s", port->name, pk_types[type].name,
            pk_types[port->storage].name);
    return;
  }
  if (port->type >= 0) {
    int expected = port->storage >= 0 ? port->storage : port->type;
    if (fact->storage != expected)
      pk_fail(vm, WNN_TYPE_ERROR, "%s has data type %s, not %s", port->name, pk_types[type].name,
              pk_types[port->type].name);
    fact->logical = port->type;
    return;
  }
  if (port->types == 1u << WNN_PACK_INT64) {
    if (port->storage < 0 && fact->storage != WNN_PACK_INT64) {
      pk_fail(vm, WNN_TYPE_ERROR, "%s has data type %s, not int64", port->name, pk_types[type].name);
      return;
    }
    fact->logical = WNN_PACK_INT64;
  } else if (port->types && !(port->types >> fact->storage & 1)) {
    pk_fail(vm, WNN_TYPE_ERROR, "%s has data type %s, not one of %s: %s", port->name, pk_types[type].name, port->dtype,
            type_list(vm, port->types));
    return;
  }
  int *logical = &q->bound_logical[port->variable], *storage = &q->bound_storage[port->variable];
  if (port->types && *logical >= 0 && (*logical != fact->logical || *storage != fact->storage)) {
    pk_fail(vm, WNN_TYPE_ERROR, "%s has data type %s, but %s is %s already", port->name, pk_types[type].name,
            port->dtype, pk_types[*logical].name);
    return;
  }
  *logical = fact->logical;
  *storage = fact->storage;
}

static bool take_desc(pk_vm *vm, const char *name, const wnn_pack_desc *desc, pk_tensor_fact *fact) {
  if ((unsigned)desc->type >= WNN_PACK_TYPE_COUNT)
    return pk_fail(vm, WNN_TYPE_ERROR, "%s has an unknown data type", name), false;
  if (desc->rank > WNN_MAX_RANK)
    return pk_fail(vm, WNN_TYPE_ERROR, "%s has rank %u; the most is %d", name, desc->rank, WNN_MAX_RANK), false;
  if (wnn_pack_desc_bytes(desc) == SIZE_MAX) return pk_fail(vm, WNN_TYPE_ERROR, "%s is too large", name), false;
  fact->rank = desc->rank;
  memcpy(fact->shape, desc->shape, desc->rank * sizeof *fact->shape);
  return true;
}

static int64_t port_number(const pk_manifest *m, const char *name) {
  for (uint32_t i = 0; name && i < m->port_count; i++)
    if (!strcmp(m->ports[i].name, name)) return i;
  return -1;
}

static void open_inputs(pk_request *q) {
  pk_vm *vm = q->vm;
  const pk_manifest *m = q->m;
  int *types = pk_array(vm, m->port_count, sizeof *types), *stored = pk_array(vm, m->port_count, sizeof *stored);
  for (size_t i = 0; i < q->call->input_count && !vm->failed; i++) {
    const wnn_kernel_input *input = &q->call->inputs[i];
    int64_t at = port_number(m, input->name);
    if (at < 0 || !m->ports[at].input) {
      pk_text known = {0};
      for (uint32_t j = 0; j < m->port_count; j++)
        if (m->ports[j].input) add_known(vm, &known, m->ports[j].name);
      fail_unknown(vm, "input", input->name, &known);
      return;
    }
    if (q->tensors[at].present) {
      pk_fail(vm, WNN_TYPE_ERROR, "input %s is given twice", input->name);
      return;
    }
    const wnn_pack_desc *desc = input->tensor ? wnn_pack_tensor_desc(input->tensor) : &input->desc;
    if (!take_desc(vm, input->name, desc, &q->tensors[at])) return;
    q->tensors[at].present = q->tensors[at].given = true;
    types[at] = (int)desc->type;
    stored[at] = input->tensor ? input->tensor->storage : -1;
    if (input->tensor && m->ports[at].packed)
      pk_fail(vm, WNN_TYPE_ERROR, "input %s is packed: give its bytes, not a tensor", input->name);
  }
  for (uint32_t i = 0; i < m->port_count && !vm->failed; i++) {
    if (q->tensors[i].present)
      bind_type(q, i, types[i], stored[i]);
    else if (m->ports[i].input && !m->ports[i].optional)
      pk_fail(vm, WNN_TYPE_ERROR, "the input %s is missing", m->ports[i].name);
  }
}

/* ---- Outputs ------------------------------------------------------------------------------------------------------
 */

static void put_tensor(pk_request *q, uint32_t index, bool whole) {
  pk_vm *vm = q->vm;
  const pk_port *port = &q->m->ports[index];
  const pk_tensor_fact *fact = &q->tensors[index];
  pk_map_put(vm, q->present.as.map, port->name, pk_bool(fact->present));
  if (!fact->present || !whole) return;
  pk_map_put(vm, q->shapes.as.map, port->name, pk_list_of_u32(vm, fact->shape, fact->rank));
  pk_map_put(vm, q->ranks.as.map, port->name, pk_int(fact->rank));
  pk_map_put(vm, q->tensor_dtypes.as.map, port->name, pk_static(pk_types[fact->storage].name));
  if (!port->dtype) return;
  pk_map_put(vm, q->logical_dtypes.as.map, port->dtype, pk_static(pk_types[fact->logical].name));
  pk_map_put(vm, q->dtypes.as.map, port->dtype, pk_static(pk_types[fact->storage].scalar));
}

/* The logical type of an output that the caller did not give. */
static int output_type(pk_request *q, const pk_port *port) {
  const pk_manifest *m = q->m;
  if (!port->dtype) return WNN_PACK_FLOAT32;
  if (port->type >= 0) return port->type;
  if (q->bound_logical[port->variable] >= 0) return q->bound_logical[port->variable];
  for (uint32_t i = 0; i < m->attribute_count && !strcmp(m->domain, "ai.onnx"); i++) {
    if (strcmp(m->attributes[i].name, "to") || !m->attributes[i].required) continue;
    const pk_value *to = pk_map_find(q->attrs.as.map, "to");
    for (int type = 0; to && type < WNN_PACK_TYPE_COUNT; type++)
      if (to->kind == PK_INT && to->as.number == pk_types[type].onnx_code && (port->types >> type & 1)) return type;
    pk_fail(q->vm, WNN_TYPE_ERROR, "the attribute to is not a data type code that %s allows", port->name);
    return 0;
  }
  for (int type = 0; type < WNN_PACK_TYPE_COUNT; type++)
    if (port->types == 1u << type) return type;
  for (uint32_t i = 0; i < m->port_count; i++)
    if (m->ports[i].input && q->tensors[i].present && (!port->types || (port->types >> q->tensors[i].storage & 1)))
      return q->tensors[i].storage;
  pk_fail(q->vm, WNN_TYPE_ERROR, "the data type of %s is not determined: give it one", port->name);
  return 0;
}

static void infer_shape(pk_request *q, const pk_port *port, pk_tensor_fact *fact) {
  pk_vm *vm = q->vm;
  pk_source source = pk_request_source(q);
  pk_value shape = pk_eval_term(vm, &port->shape, &source);
  if (vm->failed) {
    vm->status = vm->status == WNN_OUT_OF_MEMORY ? vm->status : WNN_TYPE_ERROR;
    pk_context(vm, "shape of %s", port->name);
    return;
  }
  bool good = shape.kind == PK_LIST && shape.as.list->count <= WNN_MAX_RANK;
  for (uint32_t i = 0; good && i < shape.as.list->count; i++) {
    pk_value d = shape.as.list->items[i];
    good = pk_is_integer(d) && d.as.number >= 0 && d.as.number <= 4294967295.0;
    if (good) fact->shape[i] = (uint32_t)d.as.number;
  }
  if (!good) {
    pk_fail(vm, WNN_TYPE_ERROR, "the shape of %s came out as %s", port->name, pk_show(vm, shape));
    return;
  }
  fact->rank = shape.as.list->count;
}

/* Destinations that the caller described: their types bind variables, and shapes see them. */
static void open_destinations(pk_request *q) {
  pk_vm *vm = q->vm;
  const pk_manifest *m = q->m;
  for (size_t i = 0; i < q->call->output_count && !vm->failed; i++) {
    const wnn_kernel_output *output = &q->call->outputs[i];
    int64_t at = port_number(m, output->name);
    if (at < 0 || !m->ports[at].output) {
      pk_text known = {0};
      for (uint32_t j = 0; j < m->port_count; j++)
        if (m->ports[j].output) add_known(vm, &known, m->ports[j].name);
      fail_unknown(vm, "output", output->name, &known);
      return;
    }
    pk_tensor_fact *fact = &q->tensors[at];
    if (fact->present) {
      if (!m->ports[at].input) pk_fail(vm, WNN_TYPE_ERROR, "output %s is given twice", output->name);
      continue; /* a tensor that is updated in place */
    }
    fact->present = true;
    wnn_pack_desc desc = output->tensor ? *wnn_pack_tensor_desc(output->tensor) : output->desc;
    bool has_type = output->tensor || output->has_type, has_shape = output->tensor || output->has_shape;
    if (!has_type) desc.type = (wnn_pack_type)output_type(q, &m->ports[at]);
    if (!has_shape) desc.rank = 0;
    if (vm->failed || !take_desc(vm, output->name, &desc, fact)) return;
    fact->given = has_shape;
    bind_type(q, (uint32_t)at, (int)desc.type, output->tensor ? output->tensor->storage : -1);
  }
}

static void infer_outputs(pk_request *q) {
  pk_vm *vm = q->vm;
  const pk_manifest *m = q->m;
  for (uint32_t i = 0; i < m->port_count && !vm->failed; i++) {
    const pk_port *port = &m->ports[i];
    pk_tensor_fact *fact = &q->tensors[i];
    bool optional = port->input ? port->optional : port->output_optional;
    if (!port->output || port->input || (optional && !fact->present)) continue;
    if (port->shape.kind == PK_TERM_NONE && !fact->given) {
      pk_fail(vm, WNN_TYPE_ERROR, "%s has no shape rule: give its shape in outputs", port->name);
      return;
    }
    if (!fact->present) {
      int logical = output_type(q, port);
      if (vm->failed) return;
      fact->logical = logical;
      fact->storage = port->storage >= 0 ? port->storage : logical;
      fact->present = true;
    }
    if (port->shape.kind == PK_TERM_NONE) continue;
    pk_tensor_fact asked = *fact;
    infer_shape(q, port, fact);
    if (vm->failed) return;
    bool same = asked.rank == fact->rank && !memcmp(asked.shape, fact->shape, fact->rank * sizeof *fact->shape);
    for (size_t k = 0; k < q->call->output_count; k++)
      if (q->call->outputs[k].tensor && !strcmp(q->call->outputs[k].name, port->name) && !same)
        pk_fail(vm, WNN_TYPE_ERROR, "the tensor given for %s does not have the shape of the output", port->name);
  }
}

/* ---- The whole ------------------------------------------------------------------------------------------------------
 */

bool pk_request_open(pk_request *q, pk_vm *vm, const pk_manifest *m, const pk_facts *facts,
                     const wnn_kernel_call *call) {
  *q = (pk_request){.vm = vm, .m = m, .facts = facts, .call = call};
  q->tensors = pk_array(vm, m->port_count, sizeof *q->tensors);
  q->bound_logical = pk_array(vm, m->variable_count, sizeof *q->bound_logical);
  q->bound_storage = pk_array(vm, m->variable_count, sizeof *q->bound_storage);
  q->derive_state = pk_array(vm, m->derive.count, 1);
  pk_value *const maps[] = {&q->shapes, &q->ranks,   &q->tensor_dtypes, &q->logical_dtypes,
                            &q->dtypes, &q->present, &q->repeat};
  for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) *maps[i] = pk_map_new(vm);
  pk_value derived = pk_map_new(vm);
  if (vm->failed) return false;
  q->derived = derived.as.map;
  for (uint32_t i = 0; i < m->variable_count; i++) q->bound_logical[i] = q->bound_storage[i] = -1;
  open_attributes(q);
  if (!vm->failed) open_args(q);
  if (!vm->failed) pk_request_tunables(q, NULL, 0);
  if (!vm->failed) open_inputs(q);
  if (!vm->failed) open_destinations(q);
  for (uint32_t i = 0; i < m->port_count && !vm->failed; i++) put_tensor(q, i, q->tensors[i].given);
  q->inferring = true;
  if (!vm->failed) infer_outputs(q);
  q->inferring = false;
  for (uint32_t i = 0; i < m->port_count && !vm->failed; i++) put_tensor(q, i, true);
  for (uint32_t i = 0; i < m->arg_count && !vm->failed; i++)
    pk_map_put(vm, q->present.as.map, m->args[i].name, pk_bool(pk_map_find(q->args.as.map, m->args[i].name) != NULL));
  if (vm->failed) return false;
  derived = pk_map_new(vm);
  if (vm->failed) return false;
  q->derived = derived.as.map;
  if (!pk_request_derive(q, &m->derive) && vm->status == WNN_DATA_ERROR) vm->status = WNN_TYPE_ERROR;
  return !vm->failed;
}
