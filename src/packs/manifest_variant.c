/* Reader of manifest.json: variants, passes, repeat groups, dispatch sizes. */
#include "packs/manifest.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- Dispatch ------------------------------------------------------------------------------------------------- */

/* A size as the text of an expression. */
static const char *size_text(pk_vm *vm, const pk_value *value, const char *path) {
  char number[PK_NUMBER_TEXT];
  if (value && value->kind == PK_STRING && value->length) return value->as.text;
  if (value && pk_is_integer(*value) && value->as.number >= 0) {
    pk_number_format(value->as.number, number);
    return pk_path(vm, "%s", number);
  }
  pk_fail(vm, WNN_DATA_ERROR, "%s must be an expression or a whole number of 0 or more", path);
  return NULL;
}

static pk_value joined(pk_vm *vm, const char *a, const char *b, const char *c, const char *d, const char *e) {
  pk_text text = {0};
  const char *const parts[] = {a, b, c, d, e};
  for (int i = 0; i < 5; i++) pk_text_puts(vm, &text, parts[i] ? parts[i] : "");
  return pk_text_value(vm, &text);
}

/* Three spellings: {x, y, z}; {threads, workgroupSize}; {workgroups}. The last two are folded into rows of
 * 65535 groups. */
static void read_dispatch(pk_reader *r, const pk_value *value, const char *path, pk_step_node *pass) {
  pk_vm *vm = r->vm;
  const char *at = pk_path(vm, "%s.dispatch", path);
  const pk_map *map = value ? pk_need_map(vm, *value, at) : NULL;
  if (!value) pk_fail(vm, WNN_DATA_ERROR, "%s is needed", at);
  if (!map) return;
  const pk_value *threads = pk_map_find(map, "threads"), *size = pk_map_find(map, "workgroupSize");
  const pk_value *groups = pk_map_find(map, "workgroups");
  if (!threads && !groups) {
    pk_term *const terms[] = {&pass->x, &pass->y, &pass->z};
    static const char *const axes[] = {"x", "y", "z"};
    if (!pk_check_keys(vm, map, at, "x y z")) return;
    for (int i = 0; i < 3 && !vm->failed; i++) {
      const pk_value *axis = pk_map_find(map, axes[i]);
      if (!axis && i == 0) pk_fail(vm, WNN_DATA_ERROR, "%s.x is needed", at);
      *terms[i] = (pk_term){.kind = PK_TERM_CONSTANT, .constant = pk_int(1)};
      if (!axis || vm->failed) continue;
      const char *axis_path = pk_path(vm, "%s.%s", at, axes[i]);
      if (axis->kind != PK_STRING && !(pk_is_integer(*axis) && axis->as.number >= 0))
        pk_fail(vm, WNN_DATA_ERROR, "%s must be an expression or a whole number of 0 or more", axis_path);
      else
        pk_read_term(r, *axis, axis_path, terms[i]);
    }
    return;
  }
  if (threads && groups) pk_fail(vm, WNN_DATA_ERROR, "%s has both threads and workgroups", at);
  if (!pk_check_keys(vm, map, at, threads ? "threads workgroupSize" : "workgroups")) return;
  if (threads && !size) pk_fail(vm, WNN_DATA_ERROR, "%s.workgroupSize is needed beside threads", at);
  const char *first =
      size_text(vm, threads ? threads : groups, pk_path(vm, "%s.%s", at, threads ? "threads" : "workgroups"));
  const char *second = threads ? size_text(vm, size, pk_path(vm, "%s.workgroupSize", at)) : NULL;
  if (vm->failed) return;
  pk_value total =
      threads ? joined(vm, "ceilDiv((", first, "), (", second, "))") : joined(vm, "(", first, ")", NULL, NULL);
  if (vm->failed) return;
  pk_value x = joined(vm, "min(", total.as.text, ", 65535)", NULL, NULL);
  pk_value y = joined(vm, "ceilDiv(", total.as.text, ", 65535)", NULL, NULL);
  if (vm->failed) return;
  pk_read_term(r, x, at, &pass->x);
  pk_read_term(r, y, at, &pass->y);
  pass->z = (pk_term){.kind = PK_TERM_CONSTANT, .constant = pk_int(1)};
}

/* ---- Passes ----------------------------------------------------------------------------------------------------- */

static const pk_binding *pass_binding(pk_reader *r, pk_value value, const char *path, const pk_variant *variant) {
  pk_vm *vm = r->vm;
  pk_manifest *m = r->manifest;
  pk_value inline_entry = value;
  const char *handle = NULL;
  if (value.kind == PK_STRING) {
    for (uint32_t i = 0; i < m->binding_count; i++)
      if (!strcmp(m->handles[i], value.as.text)) return &m->bindings[i];
    inline_entry = pk_map_new(vm);
    if (vm->failed) return NULL;
    handle = value.as.text;
    bool scratch = false;
    for (uint32_t i = 0; i < variant->intermediate_count; i++)
      scratch = scratch || !strcmp(variant->intermediates[i].id, handle);
    if (!pk_find_port(m, handle)) {
      if (!scratch) {
        pk_fail(vm, WNN_DATA_ERROR, "%s: \"%.80s\" is neither a binding, a tensor nor an intermediate", path, handle);
        return NULL;
      }
      pk_map_put(vm, inline_entry.as.map, "scratch", value);
    }
  } else if (value.kind != PK_MAP) {
    pk_fail(vm, WNN_DATA_ERROR, "%s must be a name or an object", path);
    return NULL;
  }
  pk_binding *binding = pk_alloc(vm, sizeof *binding);
  if (binding) pk_read_binding(r, inline_entry, handle, path, variant, binding);
  return vm->failed ? NULL : binding;
}

static void read_aliases(pk_reader *r, const pk_value *value, const char *path, pk_step_node *pass) {
  pk_vm *vm = r->vm;
  if (!value) return;
  if (value->kind != PK_LIST || !value->as.list->count) {
    pk_fail(vm, WNN_DATA_ERROR, "%s.viewAlias must be a non-empty list", path);
    return;
  }
  pass->alias_inputs = pk_array(vm, value->as.list->count, sizeof *pass->alias_inputs);
  pass->alias_outputs = pk_array(vm, value->as.list->count, sizeof *pass->alias_outputs);
  for (uint32_t i = 0; i < value->as.list->count && !vm->failed; i++) {
    const char *at = pk_path(vm, "%s.viewAlias[%u]", path, i);
    const pk_map *pair = pk_need_map(vm, value->as.list->items[i], at);
    const char *input = pair ? pk_text_member(vm, pair, "input", at) : NULL,
               *output = pair ? pk_text_member(vm, pair, "output", at) : NULL;
    bool read = false, write = false;
    for (uint32_t j = 0; j < pass->binding_count; j++) {
      if (input && !strcmp(pass->bindings[j]->name, input)) read = pass->bindings[j]->buffer == PK_BUFFER_READ;
      if (output && !strcmp(pass->bindings[j]->name, output)) write = pass->bindings[j]->buffer == PK_BUFFER_WRITE;
    }
    if (!read) pk_fail(vm, WNN_DATA_ERROR, "%s.input must name a read-only-storage binding of the pass", at);
    if (!write) pk_fail(vm, WNN_DATA_ERROR, "%s.output must name a storage binding of the pass", at);
    if (vm->failed) return;
    pass->alias_inputs[i] = input;
    pass->alias_outputs[i] = output;
    pass->alias_count = i + 1;
  }
}

static void check_width(pk_vm *vm, const pk_value *width, const char *path) {
  if (!width || pk_equals(*width, "portable")) return;
  double n = pk_is_integer(*width) ? width->as.number : 0;
  if (!(n == 4 || n == 8 || n == 16 || n == 32 || n == 64 || n == 128))
    pk_fail(vm, WNN_DATA_ERROR, "%s.subgroupCollectivesWidth must be \"portable\" or a power of two from 4 to 128",
            path);
}

/* Every storage binding must lead to a tensor or to an intermediate of the variant. */
static void check_target(pk_vm *vm, const pk_manifest *m, const pk_variant *variant, const pk_binding *binding,
                         const char *path) {
  if (binding->buffer == PK_BUFFER_UNIFORM) return;
  for (uint32_t i = 0; i < variant->intermediate_count; i++)
    if (!strcmp(variant->intermediates[i].id, binding->scratch ? binding->scratch : binding->name)) return;
  if (binding->scratch)
    pk_fail(vm, WNN_DATA_ERROR, "%s: binding %s names the scratch %s, which is not an intermediate", path,
            binding->name, binding->scratch);
  else if (!pk_find_port(m, binding->arg ? binding->arg : binding->name))
    pk_fail(vm, WNN_DATA_ERROR, "%s: binding %s names %s, which is neither a tensor nor an intermediate", path,
            binding->name, binding->arg ? binding->arg : binding->name);
}

static void read_pass(pk_reader *r, const pk_map *map, const char *path, uint32_t number, const pk_variant *variant,
                      pk_step_node *pass) {
  pk_vm *vm = r->vm;
  pk_check_keys(vm, map, path,
                "id name shader derive bindings dispatch profile subgroupCollectivesWidth submitAfter viewAlias");
  pass->id = pk_text_member(vm, map, "id", path);
  pass->name = pk_text_member(vm, map, "name", path);
  pass->shader = pk_text_member(vm, map, "shader", path);
  pass->submit_after = pk_bool_member(vm, map, "submitAfter", path, false);
  if (!pass->shader) pk_fail(vm, WNN_DATA_ERROR, "%s.shader must be a non-empty string", path);
  if (!pass->id) pass->id = pk_path(vm, "pass_%u", number);
  check_width(vm, pk_map_find(map, "subgroupCollectivesWidth"), path);
  const pk_value *profile = pk_map_find(map, "profile");
  if (profile) pk_need_map(vm, *profile, pk_path(vm, "%s.profile", path));
  const pk_value *bindings = pk_map_find(map, "bindings");
  if (!bindings || bindings->kind != PK_LIST || !bindings->as.list->count)
    pk_fail(vm, WNN_DATA_ERROR, "%s.bindings must be a non-empty list", path);
  if (vm->failed) return;
  read_dispatch(r, pk_map_find(map, "dispatch"), path, pass);
  pass->bindings = pk_array(vm, bindings->as.list->count, sizeof *pass->bindings);
  for (uint32_t i = 0; i < bindings->as.list->count && !vm->failed; i++) {
    const char *at = pk_path(vm, "%s.bindings[%u]", path, i);
    const pk_binding *binding = pass_binding(r, bindings->as.list->items[i], at, variant);
    if (!binding) return;
    for (uint32_t j = 0; j < i; j++)
      if (!strcmp(pass->bindings[j]->name, binding->name))
        pk_fail(vm, WNN_DATA_ERROR, "%s: the name %s is bound twice", at, binding->name);
    check_target(vm, r->manifest, variant, binding, at);
    pass->bindings[i] = binding;
    pass->binding_count = i + 1;
  }
  if (!vm->failed) pk_read_derives(r, pk_map_find(map, "derive"), pk_path(vm, "%s.derive", path), &pass->derive);
  if (!vm->failed) read_aliases(r, pk_map_find(map, "viewAlias"), path, pass);
}

typedef struct index_chain {
  const char *name;
  const struct index_chain *outer;
} index_chain;

static void read_steps(pk_reader *r, const pk_value *value, const char *path, const pk_variant *variant,
                       const index_chain *outer, uint32_t depth, pk_step_node **steps, uint32_t *count);

static void read_repeat(pk_reader *r, const pk_map *map, const char *path, uint32_t number, const pk_variant *variant,
                        const index_chain *outer, uint32_t depth, pk_step_node *group) {
  pk_vm *vm = r->vm;
  pk_check_keys(vm, map, path, "id repeat passes");
  group->repeat = true;
  group->id = pk_text_member(vm, map, "id", path);
  if (!group->id) group->id = pk_path(vm, "repeat_%u", number);
  if (!vm->failed && !pk_is_variant_id(group->id))
    pk_fail(vm, WNN_DATA_ERROR, "%s.id must be letters, digits and _", path);
  const char *at = pk_path(vm, "%s.repeat", path);
  const pk_value *spec = pk_map_find(map, "repeat");
  const pk_map *repeat = spec ? pk_need_map(vm, *spec, at) : NULL;
  pk_check_keys(vm, repeat, at, "count index");
  const pk_value *count = repeat ? pk_map_find(repeat, "count") : NULL;
  group->index = repeat ? pk_text_member(vm, repeat, "index", at) : NULL;
  if (!group->index || !pk_is_identifier(group->index))
    pk_fail(vm, WNN_DATA_ERROR, "%s.index must be an identifier", at);
  if (vm->failed) return;
  if (!strcmp(group->index, "index") || !strcmp(group->index, "count"))
    pk_fail(vm, WNN_DATA_ERROR, "%s.index may not be index or count", at);
  for (const index_chain *one = outer; one; one = one->outer)
    if (!strcmp(one->name, group->index))
      pk_fail(vm, WNN_DATA_ERROR, "%s.index %s hides that of an outer group", at, group->index);
  if (!count) pk_fail(vm, WNN_DATA_ERROR, "%s.count is needed", at);
  if (vm->failed) return;
  pk_read_term(r, *count, pk_path(vm, "%s.count", at), &group->count);
  index_chain chain = {group->index, outer};
  read_steps(r, pk_map_find(map, "passes"), pk_path(vm, "%s.passes", path), variant, &chain, depth + 1, &group->steps,
             &group->step_count);
}

static void read_steps(pk_reader *r, const pk_value *value, const char *path, const pk_variant *variant,
                       const index_chain *outer, uint32_t depth, pk_step_node **steps, uint32_t *count) {
  pk_vm *vm = r->vm;
  if (!value || value->kind != PK_LIST || !value->as.list->count)
    pk_fail(vm, WNN_DATA_ERROR, "%s must be a non-empty list", path);
  if (depth > 16) pk_fail(vm, WNN_DATA_ERROR, "%s is nested too deeply", path);
  if (vm->failed) return;
  *steps = pk_array(vm, value->as.list->count, sizeof **steps);
  for (uint32_t i = 0; i < value->as.list->count && !vm->failed; i++) {
    const char *at = pk_path(vm, "%s[%u]", path, i);
    const pk_map *map = pk_need_map(vm, value->as.list->items[i], at);
    if (!map) return;
    if (pk_map_find(map, "repeat"))
      read_repeat(r, map, at, i, variant, outer, depth, &(*steps)[i]);
    else
      read_pass(r, map, at, i, variant, &(*steps)[i]);
    *count = i + 1;
  }
}

/* ---- Variants ------------------------------------------------------------------------------------------------------
 */

static void read_intermediates(pk_reader *r, const pk_value *value, const char *path, pk_variant *variant) {
  pk_vm *vm = r->vm;
  if (!value) return;
  if (value->kind != PK_LIST) {
    pk_fail(vm, WNN_DATA_ERROR, "%s.intermediates must be a list", path);
    return;
  }
  variant->intermediates = pk_array(vm, value->as.list->count, sizeof *variant->intermediates);
  for (uint32_t i = 0; i < value->as.list->count && !vm->failed; i++) {
    const char *at = pk_path(vm, "%s.intermediates[%u]", path, i);
    const pk_map *map = pk_need_map(vm, value->as.list->items[i], at);
    if (!pk_check_keys(vm, map, at, "id dtype shape zeroInit")) return;
    pk_intermediate *one = &variant->intermediates[i];
    const char *type = pk_text_member(vm, map, "dtype", at);
    const pk_value *shape = pk_map_find(map, "shape"), *zero = pk_map_find(map, "zeroInit");
    one->id = pk_text_member(vm, map, "id", at);
    one->type = type ? pk_type_find(type) : -1;
    if (!one->id) pk_fail(vm, WNN_DATA_ERROR, "%s.id must be a non-empty string", at);
    if (one->type < 0 || one->type == WNN_PACK_INT64)
      pk_fail(vm, WNN_DATA_ERROR, "%s.dtype must be a data type other than int64", at);
    if (zero && !(zero->kind == PK_BOOL && zero->as.boolean))
      pk_fail(vm, WNN_DATA_ERROR, "%s.zeroInit must be true when present", at);
    if (!shape) pk_fail(vm, WNN_DATA_ERROR, "%s.shape is needed", at);
    if (vm->failed) return;
    one->zero = zero != NULL;
    if (pk_find_port(r->manifest, one->id))
      pk_fail(vm, WNN_DATA_ERROR, "%s.id %s is the name of a tensor", at, one->id);
    for (uint32_t j = 0; j < i; j++)
      if (!strcmp(variant->intermediates[j].id, one->id))
        pk_fail(vm, WNN_DATA_ERROR, "%s.id %s comes twice", at, one->id);
    pk_read_term(r, *shape, pk_path(vm, "%s.shape", at), &one->shape);
    variant->intermediate_count = i + 1;
  }
}

/* Requirements of the manifest and of the variant together: all features, the larger of each limit. */
static void merge_requires(pk_reader *r, const char *path, pk_requires *own) {
  pk_vm *vm = r->vm;
  const pk_requires *base = &r->requires;
  const char **features = pk_array(vm, (size_t)base->feature_count + own->feature_count, sizeof *features);
  pk_limit *limits = pk_array(vm, (size_t)base->limit_count + own->limit_count, sizeof *limits);
  if (vm->failed) return;
  if (base->config_count && own->config_count)
    pk_fail(vm, WNN_DATA_ERROR, "%s.requires.subgroupMatrixConfigs is in the manifest's requires too", path);
  for (uint32_t i = 0; i < base->feature_count; i++) features[i] = base->features[i];
  for (uint32_t i = 0; i < own->feature_count; i++) features[base->feature_count + i] = own->features[i];
  for (uint32_t i = 0; i < base->limit_count; i++) limits[i] = base->limits[i];
  for (uint32_t i = 0; i < own->limit_count; i++) limits[base->limit_count + i] = own->limits[i];
  own->features = features;
  own->feature_count += base->feature_count;
  own->limits = limits;
  own->limit_count += base->limit_count;
  own->subgroup_min_size = fmax(own->subgroup_min_size, base->subgroup_min_size);
  if (base->config_count) {
    own->configs = base->configs;
    own->config_count = base->config_count;
  }
}

static void read_variant(pk_reader *r, pk_value value, uint32_t number, pk_variant *variant) {
  pk_vm *vm = r->vm;
  const char *path = pk_path(vm, "variants[%u]", number);
  const pk_map *map = pk_need_map(vm, value, path);
  if (!map) return;
  variant->id = pk_text_member(vm, map, "id", path);
  if (!variant->id) variant->id = pk_path(vm, "variant_%u", number);
  if (vm->failed || !pk_is_variant_id(variant->id)) {
    pk_fail(vm, WNN_DATA_ERROR, "%s.id must be letters, digits and _", path);
    return;
  }
  path = pk_path(vm, "variants[%u] (%s)", number, variant->id);
  pk_check_keys(vm, map, path,
                "id description priority when demoteWhen supersededBy requires tunables derive intermediates passes");
  const pk_value *description = pk_map_find(map, "description"), *priority = pk_map_find(map, "priority");
  if (description && description->kind != PK_STRING)
    pk_fail(vm, WNN_DATA_ERROR, "%s.description must be a string", path);
  if (priority && (!pk_is_number(*priority) || !isfinite(priority->as.number)))
    pk_fail(vm, WNN_DATA_ERROR, "%s.priority must be a number", path);
  if (vm->failed) return;
  variant->description = description ? description->as.text : NULL;
  variant->priority = priority ? priority->as.number : 0;
  uint32_t own_count;
  const pk_expr **own = pk_read_clauses(r, pk_map_find(map, "when"), pk_path(vm, "%s.when", path), &own_count);
  variant->when = pk_array(vm, (size_t)r->when_count + own_count, sizeof *variant->when);
  if (vm->failed) return;
  for (uint32_t i = 0; i < r->when_count; i++) variant->when[variant->when_count++] = r->when[i];
  for (uint32_t i = 0; i < own_count; i++) variant->when[variant->when_count++] = own[i];
  variant->demote =
      pk_read_clauses(r, pk_map_find(map, "demoteWhen"), pk_path(vm, "%s.demoteWhen", path), &variant->demote_count);
  const pk_value *better = pk_map_find(map, "supersededBy");
  if (better && !vm->failed) {
    if (better->kind != PK_LIST || !better->as.list->count) {
      pk_fail(vm, WNN_DATA_ERROR, "%s.supersededBy must be a non-empty list of variant ids", path);
      return;
    }
    variant->superseded_names = pk_array(vm, better->as.list->count, sizeof *variant->superseded_names);
    variant->superseded = pk_array(vm, better->as.list->count, sizeof *variant->superseded);
    for (uint32_t i = 0; i < better->as.list->count && !vm->failed; i++) {
      pk_value name = better->as.list->items[i];
      if (name.kind != PK_STRING || !name.length)
        pk_fail(vm, WNN_DATA_ERROR, "%s.supersededBy must hold variant ids", path);
      variant->superseded_names[i] = name.as.text;
      variant->superseded_count = i + 1;
    }
  }
  if (!vm->failed)
    pk_read_requires(r, pk_map_find(map, "requires"), pk_path(vm, "%s.requires", path), &variant->requires);
  if (!vm->failed) merge_requires(r, path, &variant->requires);
  if (!vm->failed)
    pk_read_tunables(r, pk_map_find(map, "tunables"), pk_path(vm, "%s.tunables", path), &variant->tunables,
                     &variant->tunable_count);
  if (!vm->failed) pk_read_derives(r, pk_map_find(map, "derive"), pk_path(vm, "%s.derive", path), &variant->derive);
  if (!vm->failed) read_intermediates(r, pk_map_find(map, "intermediates"), path, variant);
  if (!vm->failed)
    read_steps(r, pk_map_find(map, "passes"), pk_path(vm, "%s.passes", path), variant, NULL, 0, &variant->steps,
               &variant->step_count);
}

static void link_variants(pk_reader *r) {
  pk_vm *vm = r->vm;
  pk_manifest *m = r->manifest;
  for (uint32_t i = 0; i < m->variant_count && !vm->failed; i++) {
    pk_variant *variant = &m->variants[i];
    for (uint32_t k = 0; k < variant->superseded_count; k++) {
      uint32_t other = 0;
      while (other < m->variant_count && strcmp(m->variants[other].id, variant->superseded_names[k])) other++;
      if (other == i) pk_fail(vm, WNN_DATA_ERROR, "variant %s: supersededBy names itself", variant->id);
      if (other == m->variant_count)
        pk_fail(vm, WNN_DATA_ERROR, "variant %s: supersededBy names the unknown variant %s", variant->id,
                variant->superseded_names[k]);
      if (vm->failed) return;
      const pk_variant *better = &m->variants[other];
      if (!(better->priority > variant->priority || (better->priority == variant->priority && other < i)))
        pk_fail(vm, WNN_DATA_ERROR, "variant %s: supersededBy names %s, which does not rank above it", variant->id,
                better->id);
      variant->superseded[k] = other;
    }
  }
}

bool pk_read_variants(pk_reader *r, const pk_value *value) {
  pk_vm *vm = r->vm;
  pk_manifest *m = r->manifest;
  if (!value || value->kind != PK_LIST || !value->as.list->count) {
    pk_fail(vm, WNN_DATA_ERROR, "variants must be a non-empty list");
    return false;
  }
  pk_value list = pk_expand_families(vm, *value);
  if (vm->failed) return false;
  uint32_t count = list.as.list->count;
  m->variants = pk_array(vm, count, sizeof *m->variants);
  m->order = pk_array(vm, count, sizeof *m->order);
  pk_value ids = pk_map_new(vm);
  for (uint32_t i = 0; i < count && !vm->failed; i++) {
    pk_variant *variant = &m->variants[i];
    read_variant(r, list.as.list->items[i], i, variant);
    if (vm->failed) return false;
    if (pk_map_find(ids.as.map, variant->id)) pk_fail(vm, WNN_DATA_ERROR, "variants has the id %s twice", variant->id);
    pk_map_put(vm, ids.as.map, variant->id, pk_null());
    m->variant_count = i + 1;
  }
  /* insertion keeps equal priorities in the order of the manifest */
  for (uint32_t i = 0; i < m->variant_count && pk_step(vm, 1); i++) {
    uint32_t at = i;
    for (; at && m->variants[m->order[at - 1]].priority < m->variants[i].priority; at--)
      m->order[at] = m->order[at - 1];
    m->order[at] = i;
    pk_step(vm, (i - at) / 16);
  }
  if (!vm->failed) link_variants(r);
  return !vm->failed;
}
