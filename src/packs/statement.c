/* Evaluation of templates: statements, macros, loops. */
#include "packs/ast.h"

/* ---- Macros --------------------------------------------------------------------------------------------- */

/* Binds arguments to the parameters of a macro or call block. */
static void bind_arguments(pk_vm *vm, const char *name, pk_node *const *parameters, uint32_t parameter_count,
                           const pk_value *args, uint32_t count, pk_scope *scope) {
  uint32_t positional = pk_positional(args, count), used = 0;
  const pk_map *keywords = positional < count ? args[positional].as.map : NULL;
  pk_value more = pk_list_new(vm, 0), named = pk_map_new(vm);
  for (uint32_t i = 0; i < parameter_count && !vm->failed; i++) {
    pk_value key = parameters[i]->value, value = pk_undefined();
    const pk_value *keyword = pk_map_get(keywords, key.as.text, key.length);
    if (i < positional) {
      value = args[i];
    } else if (keyword) {
      value = *keyword;
      used++;
    } else if (parameters[i]->kind == PK_N_KEYWORD) {
      continue; /* defaults are evaluated last, when all given arguments are bound */
    }
    pk_map_set(vm, &scope->vars, key.as.text, key.length, value);
  }
  for (uint32_t i = parameter_count; i < positional && !vm->failed; i++) pk_list_push(vm, more.as.list, args[i]);
  for (uint32_t i = 0; keywords && used < keywords->count && i < keywords->count && !vm->failed; i++) {
    const pk_entry *entry = &keywords->entries[i];
    bool declared = false;
    for (uint32_t j = 0; j < parameter_count; j++) declared = declared || pk_equals(parameters[j]->value, entry->key);
    if (!declared) pk_map_set(vm, named.as.map, entry->key, entry->length, entry->value);
  }
  if (vm->failed) return;
  pk_map_put(vm, &scope->vars, "varargs", more);
  pk_map_put(vm, &scope->vars, "kwargs", named);
  for (uint32_t i = positional; i < parameter_count && !vm->failed; i++) {
    pk_value key = parameters[i]->value;
    if (parameters[i]->kind != PK_N_KEYWORD || pk_map_get(&scope->vars, key.as.text, key.length)) continue;
    pk_value value = pk_eval(vm, parameters[i]->a, scope);
    pk_map_set(vm, &scope->vars, key.as.text, key.length, value);
  }
  if (vm->failed) pk_context(vm, "macro %s", name);
}

static bool mentions(pk_vm *vm, const pk_node *node, const char *name) {
  if (!node || !pk_step(vm, 1)) return false;
  if (node->kind == PK_N_NAME && pk_equals(node->value, name)) return true;
  bool found = mentions(vm, node->a, name) || mentions(vm, node->b, name) || mentions(vm, node->c, name);
  for (uint32_t i = 0; i < node->item_count && !found; i++) found = mentions(vm, node->items[i], name);
  for (uint32_t i = 0; i < node->other_count && !found; i++) found = mentions(vm, node->other[i], name);
  return found;
}

pk_value pk_call_macro(pk_vm *vm, const pk_function *macro, const pk_value *args, uint32_t count, pk_scope *scope) {
  const pk_node *node = macro->macro;
  /* A call block sees the names where it was written, a macro those where it is called. */
  pk_scope *inner = pk_scope_new(vm, macro->scope ? macro->scope : scope);
  if (!inner) return pk_undefined();
  bind_arguments(vm, macro->name, node->other, node->other_count, args, count, inner);
  if (vm->failed) return pk_undefined();
  const pk_value *more = pk_map_find(&inner->vars, "varargs"), *named = pk_map_find(&inner->vars, "kwargs");
  if (more && more->as.list->count && !mentions(vm, node, "varargs")) {
    pk_fail(vm, WNN_DATA_ERROR, "macro %s takes at most %u arguments", macro->name, node->other_count);
    return pk_undefined();
  }
  if (named && named->as.map->count && !mentions(vm, node, "kwargs")) {
    pk_fail(vm, WNN_DATA_ERROR, "macro %s has no parameter %s", macro->name, named->as.map->entries[0].key);
    return pk_undefined();
  }
  pk_text text = {0};
  pk_render_block(vm, node->items, node->item_count, inner, &text);
  return pk_text_value(vm, &text);
}

/* ---- Statements -------------------------------------------------------------------------------------------- */

static void assign(pk_vm *vm, const pk_node *target, pk_value value, pk_scope *scope) {
  if (target->kind == PK_N_NAME) {
    pk_map_set(vm, &scope->vars, target->value.as.text, target->value.length, value);
  } else if (target->kind == PK_N_TUPLE) {
    if (value.kind != PK_LIST || value.as.list->count != target->item_count) {
      pk_fail(vm, WNN_DATA_ERROR, "line %u: %u values are needed here", target->line, target->item_count);
      return;
    }
    for (uint32_t i = 0; i < target->item_count; i++)
      pk_map_set(vm, &scope->vars, target->items[i]->value.as.text, target->items[i]->value.length,
                 value.as.list->items[i]);
  } else {
    pk_value object = pk_eval(vm, target->a, scope);
    if (vm->failed) return;
    if (object.kind == PK_NAMESPACE && target->value.kind == PK_STRING)
      pk_map_set(vm, object.as.map, target->value.as.text, target->value.length, value);
    else
      pk_fail(vm, WNN_DATA_ERROR, "line %u: only members of a namespace can be set", target->line);
  }
}

static void run_set(pk_vm *vm, const pk_node *node, pk_scope *scope) {
  pk_value value;
  if (node->b) {
    value = pk_eval(vm, node->b, scope);
  } else {
    pk_text text = {0};
    pk_render_block(vm, node->items, node->item_count, scope, &text);
    value = pk_text_value(vm, &text);
  }
  if (!vm->failed) assign(vm, node->a, value, scope);
}

static void run_for(pk_vm *vm, const pk_node *node, pk_scope *outer, pk_text *text) {
  pk_scope *scope = pk_scope_new(vm, outer);
  pk_value all = scope ? pk_eval(vm, node->b, scope) : pk_undefined();
  if (vm->failed) return;
  if (all.kind == PK_MAP) {
    pk_value keys = pk_list_new(vm, all.as.map->count);
    for (uint32_t i = 0; i < all.as.map->count && !vm->failed; i++)
      pk_list_push(vm, keys.as.list, pk_string(vm, all.as.map->entries[i].key, all.as.map->entries[i].length));
    all = keys;
  }
  if (vm->failed) return;
  if (all.kind != PK_LIST) {
    pk_fail(vm, WNN_DATA_ERROR, "line %u: %s cannot be looped over", node->line, pk_kind_name(all));
    return;
  }
  if (node->c) {
    pk_value chosen = pk_list_new(vm, 0);
    for (uint32_t i = 0; i < all.as.list->count && !vm->failed; i++) {
      pk_scope *one = pk_scope_new(vm, scope);
      if (!one) return;
      assign(vm, node->a, all.as.list->items[i], one);
      if (pk_truthy(pk_eval(vm, node->c, one))) pk_list_push(vm, chosen.as.list, all.as.list->items[i]);
    }
    all = chosen;
  }
  if (vm->failed) return;
  uint32_t count = all.as.list->count;
  const pk_value *items = all.as.list->items;
  pk_value loop = pk_map_new(vm);
  bool looped = false;
  for (uint32_t i = 0; i < count && !vm->failed; i++) {
    pk_map *facts = loop.as.map;
    pk_map_put(vm, facts, "index", pk_int(i + 1.0));
    pk_map_put(vm, facts, "index0", pk_int(i));
    pk_map_put(vm, facts, "revindex", pk_int(count - i));
    pk_map_put(vm, facts, "revindex0", pk_int(count - i - 1));
    pk_map_put(vm, facts, "first", pk_bool(i == 0));
    pk_map_put(vm, facts, "last", pk_bool(i + 1 == count));
    pk_map_put(vm, facts, "length", pk_int(count));
    pk_map_put(vm, facts, "previtem", i ? items[i - 1] : pk_undefined());
    pk_map_put(vm, facts, "nextitem", i + 1 < count ? items[i + 1] : pk_undefined());
    pk_map_put(vm, &scope->vars, "loop", loop);
    assign(vm, node->a, items[i], scope);
    size_t before = text->length;
    pk_render_block(vm, node->items, node->item_count, scope, text);
    if (vm->control) {
      text->length = before; /* what a broken-off round has printed is dropped */
      bool stop = vm->control == PK_BREAK;
      vm->control = PK_RUN;
      if (stop) break;
      continue;
    }
    looped = true;
  }
  if (!looped && !vm->failed) pk_render_block(vm, node->other, node->other_count, scope, text);
}

static pk_value macro_value(pk_vm *vm, const pk_node *node, const char *name, pk_scope *scope) {
  pk_function *function = pk_alloc(vm, sizeof *function);
  if (!function) return pk_undefined();
  *function = (pk_function){.name = name, .macro = node, .scope = scope};
  return (pk_value){.kind = PK_FUNCTION, .as.function = function};
}

static void run_call_block(pk_vm *vm, const pk_node *node, pk_scope *scope, pk_text *text) {
  pk_list *args = pk_eval_args(vm, node->a->items, node->a->item_count, scope);
  pk_value function = pk_eval(vm, node->a->a, scope);
  pk_scope *inner = pk_scope_new(vm, scope);
  if (vm->failed) return;
  pk_map_put(vm, &inner->vars, "caller", macro_value(vm, node, "caller", scope));
  pk_print(vm, text, pk_call(vm, function, args->items, args->count, inner));
}

static void run_filter_block(pk_vm *vm, const pk_node *node, pk_scope *scope, pk_text *text) {
  pk_text body = {0};
  pk_render_block(vm, node->items, node->item_count, scope, &body);
  pk_value value = pk_text_value(vm, &body);
  if (!vm->failed) pk_print(vm, text, pk_apply_filter(vm, value, node->a, scope));
}

static void run_statement(pk_vm *vm, const pk_node *node, pk_scope *scope, pk_text *text) {
  switch ((pk_node_kind)node->kind) {
  case PK_N_TEXT: pk_text_add(vm, text, node->value.as.text, node->value.length); break;
  case PK_N_PRINT: {
    pk_value value = pk_eval(vm, node->a, scope);
    if (!vm->failed) pk_print(vm, text, value);
    break;
  }
  case PK_N_SET: run_set(vm, node, scope); break;
  case PK_N_IF: {
    bool yes = pk_truthy(pk_eval(vm, node->a, scope));
    if (vm->failed) break;
    if (yes)
      pk_render_block(vm, node->items, node->item_count, scope, text);
    else
      pk_render_block(vm, node->other, node->other_count, scope, text);
    break;
  }
  case PK_N_FOR: run_for(vm, node, scope, text); break;
  case PK_N_MACRO:
    pk_map_set(vm, &scope->vars, node->value.as.text, node->value.length,
               macro_value(vm, node, node->value.as.text, NULL));
    break;
  case PK_N_CALL_BLOCK: run_call_block(vm, node, scope, text); break;
  case PK_N_FILTER_BLOCK: run_filter_block(vm, node, scope, text); break;
  case PK_N_BREAK: vm->control = PK_BREAK; break;
  case PK_N_CONTINUE: vm->control = PK_CONTINUE; break;
  default: pk_fail(vm, WNN_DATA_ERROR, "line %u: not a statement", node->line);
  }
}

bool pk_render_block(pk_vm *vm, pk_node *const *body, uint32_t count, pk_scope *scope, pk_text *text) {
  if (vm->depth >= PK_MAX_EVAL) {
    pk_fail(vm, WNN_DATA_ERROR, "evaluation is nested too deeply");
    return false;
  }
  vm->depth++;
  for (uint32_t i = 0; i < count && !vm->control && pk_step(vm, 1); i++) {
    run_statement(vm, body[i], scope, text);
    if (vm->failed && strncmp(vm->message, "line ", 5)) pk_context(vm, "line %u", body[i]->line);
  }
  vm->depth--;
  return !vm->failed;
}

/* ---- Globals ------------------------------------------------------------------------------------------------ */

static pk_value global_range(pk_vm *vm, pk_value self, const pk_value *args, uint32_t count) {
  (void)self;
  double from = 0, to, step = 1;
  for (uint32_t i = 0; i < count; i++)
    if (!pk_is_number(args[i])) pk_fail(vm, WNN_DATA_ERROR, "arguments must be numbers, got %s", pk_kind_name(args[i]));
  if (!count || count > 3) pk_fail(vm, WNN_DATA_ERROR, "one to three arguments are needed");
  if (vm->failed) return pk_undefined();
  to = args[0].as.number;
  if (count > 1) {
    from = to;
    to = args[1].as.number;
  }
  if (count > 2) step = args[2].as.number;
  if (!(step > 0 || step < 0)) {
    pk_fail(vm, WNN_DATA_ERROR, "the step must not be zero");
    return pk_undefined();
  }
  pk_value list = pk_list_new(vm, 0);
  double last = from - step;
  for (double i = from; (step > 0 ? i < to : i > to) && i != last && pk_step(vm, 1); last = i, i += step)
    pk_list_push(vm, list.as.list, pk_number(i));
  return list;
}

static pk_value global_namespace(pk_vm *vm, pk_value self, const pk_value *args, uint32_t count) {
  (void)self;
  pk_value space = pk_map_new(vm);
  uint32_t positional = pk_positional(args, count);
  if (positional > 1 || (positional == 1 && args[0].kind != PK_MAP))
    pk_fail(vm, WNN_DATA_ERROR, "at most one map is accepted");
  for (uint32_t i = 0; i < count && !vm->failed; i++)
    for (uint32_t j = 0; j < args[i].as.map->count && !vm->failed; j++) {
      const pk_entry *entry = &args[i].as.map->entries[j];
      pk_map_set(vm, space.as.map, entry->key, entry->length, entry->value);
    }
  space.kind = PK_NAMESPACE;
  return vm->failed ? pk_undefined() : space;
}

static pk_value global_raise(pk_vm *vm, pk_value self, const pk_value *args, uint32_t count) {
  (void)self;
  pk_fail(vm, WNN_DATA_ERROR, "%.300s",
          count && args[0].kind == PK_STRING ? args[0].as.text : "raised by the template");
  return pk_undefined();
}

/* The globals behind the names of the caller's source. */
typedef struct globals {
  pk_vm *vm;
  const pk_source *source;
} globals;

static bool look_up_global(void *user, const char *name, size_t length, pk_value *value) {
  static const struct {
    const char *name;
    pk_builtin *call;
  } functions[] = {{"range", global_range}, {"namespace", global_namespace}, {"raise_exception", global_raise}};
  const globals *all = user;
  if (all->source->lookup(all->source->user, name, length, value)) return true;
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
    if (strlen(functions[i].name) == length && !memcmp(functions[i].name, name, length)) {
      *value = pk_builtin_value(all->vm, functions[i].name, functions[i].call, pk_undefined());
      return true;
    }
  return false;
}

pk_value pk_render(pk_vm *vm, const pk_template *template, const pk_source *source) {
  globals all = {vm, source};
  pk_source whole = {look_up_global, &all};
  pk_scope *scope = pk_scope_new(vm, NULL);
  if (!scope) return pk_undefined();
  scope->source = &whole;
  pk_text text = {0};
  pk_render_block(vm, template->body, template->count, scope, &text);
  if (vm->control && !vm->failed) pk_fail(vm, WNN_DATA_ERROR, "break or continue outside of a loop");
  vm->control = PK_RUN;
  return vm->failed ? pk_undefined() : pk_text_value(vm, &text);
}
