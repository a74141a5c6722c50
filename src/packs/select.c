/* Choice of the variant. */
#include "packs/plan.h"

#include <stdio.h>

typedef enum verdict { VERDICT_OPEN, VERDICT_WORKING, VERDICT_FIT, VERDICT_DEMOTED, VERDICT_REJECTED } verdict;
typedef struct judgement {
  verdict verdict;
  const char *reason;
} judgement;

/* The most storage and uniform buffers of any pass. */
static void count_buffers(const pk_step_node *steps, uint32_t count, uint32_t *storage, uint32_t *uniform) {
  for (uint32_t i = 0; i < count; i++) {
    if (steps[i].repeat) {
      count_buffers(steps[i].steps, steps[i].step_count, storage, uniform);
      continue;
    }
    uint32_t uniforms = 0;
    for (uint32_t j = 0; j < steps[i].binding_count; j++) uniforms += steps[i].bindings[j]->buffer == PK_BUFFER_UNIFORM;
    if (uniforms > *uniform) *uniform = uniforms;
    if (steps[i].binding_count - uniforms > *storage) *storage = steps[i].binding_count - uniforms;
  }
}

static bool config_matches(const pk_matrix_config *config, pk_value reported) {
  if (reported.kind != PK_MAP) return false;
  const struct {
    const char *key, *text;
    double number;
  } parts[] = {{"componentType", config->component, 0},
               {"resultComponentType", config->result, 0},
               {"M", NULL, config->m},
               {"N", NULL, config->n},
               {"K", NULL, config->k}};
  for (int i = 0; i < 5; i++) {
    const pk_value *value = pk_map_find(reported.as.map, parts[i].key);
    if (parts[i].text && !(value && pk_equals(*value, parts[i].text))) return false;
    if (parts[i].number && !(value && pk_is_number(*value) && value->as.number == parts[i].number)) return false;
  }
  return true;
}

static const char *unmet(pk_request *q, const pk_variant *variant) {
  const pk_requires *need = &variant->requires;
  const pk_facts *facts = q->facts;
  for (uint32_t i = 0; i < need->feature_count; i++)
    if (!facts->features || !pk_map_find(facts->features, need->features[i]))
      return pk_path(q->vm, "requires the feature %s", need->features[i]);
  for (uint32_t i = 0; i < need->limit_count; i++)
    if (pk_facts_limit(facts, need->limits[i].name) < need->limits[i].value)
      return pk_path(q->vm, "requires %s >= %.17g", need->limits[i].name, need->limits[i].value);
  if (need->subgroup_min_size > 0) {
    const pk_value *size = pk_map_find(facts->adapter, "subgroupMinSize");
    if (!size) return "requires a subgroup size, which the adapter does not tell";
    if (size->as.number < need->subgroup_min_size)
      return pk_path(q->vm, "requires subgroupMinSize >= %.17g", need->subgroup_min_size);
  }
  if (need->config_count && facts->matrix_configs.kind == PK_LIST) {
    bool match = false;
    for (uint32_t i = 0; i < need->config_count; i++)
      for (uint32_t j = 0; j < facts->matrix_configs.as.list->count; j++)
        match = match || config_matches(&need->configs[i], facts->matrix_configs.as.list->items[j]);
    if (!match) return "requires a subgroup matrix configuration that the adapter lacks";
  }
  uint32_t storage = 0, uniform = 0;
  count_buffers(variant->steps, variant->step_count, &storage, &uniform);
  if (storage > pk_facts_limit(facts, "maxStorageBuffersPerShaderStage"))
    return pk_path(q->vm, "needs %u storage buffers in a shader, the device allows %.0f", storage,
                   pk_facts_limit(facts, "maxStorageBuffersPerShaderStage"));
  if (uniform > pk_facts_limit(facts, "maxUniformBuffersPerShaderStage"))
    return pk_path(q->vm, "needs %u uniform buffers in a shader, the device allows %.0f", uniform,
                   pk_facts_limit(facts, "maxUniformBuffersPerShaderStage"));
  return NULL;
}

/* The value of a clause; an error becomes a reason instead of a failure. */
static pk_value clause_value(pk_request *q, const pk_expr *clause, const char *kind, const char **reason) {
  pk_vm *vm = q->vm;
  pk_source source = pk_request_source(q);
  pk_value value = pk_eval_expr(vm, clause, &source);
  if (!vm->failed || vm->status == WNN_OUT_OF_MEMORY || vm->steps >= vm->max_steps) return value;
  vm->failed = false;
  vm->depth = 0;
  *reason = pk_path(vm, "%s `%.120s` failed: %.150s", kind, clause->source, vm->message);
  return pk_undefined();
}

static void judge(pk_request *q, judgement *all, uint32_t number) {
  const pk_variant *variant = &q->m->variants[number];
  judgement *own = &all[number];
  if (own->verdict != VERDICT_OPEN || q->vm->failed) return;
  own->verdict = VERDICT_WORKING;
  own->reason = unmet(q, variant);
  for (uint32_t i = 0; i < variant->when_count && !own->reason && !q->vm->failed; i++) {
    pk_value value = clause_value(q, variant->when[i], "when clause", &own->reason);
    if (!own->reason && !q->vm->failed && !(value.kind == PK_BOOL && value.as.boolean))
      own->reason = pk_path(q->vm, "when clause `%.200s` is %s", variant->when[i]->source, pk_show(q->vm, value));
  }
  for (uint32_t i = 0; i < variant->superseded_count && !own->reason && !q->vm->failed; i++) {
    judge(q, all, variant->superseded[i]);
    if (all[variant->superseded[i]].verdict == VERDICT_FIT)
      own->reason = pk_path(q->vm, "superseded by %s", q->m->variants[variant->superseded[i]].id);
  }
  bool demoted = false;
  for (uint32_t i = 0; i < variant->demote_count && !own->reason && !q->vm->failed; i++) {
    pk_value value = clause_value(q, variant->demote[i], "demoteWhen clause", &own->reason);
    demoted = demoted || (value.kind == PK_BOOL && value.as.boolean);
  }
  own->verdict = own->reason ? VERDICT_REJECTED : demoted ? VERDICT_DEMOTED : VERDICT_FIT;
}

/* Says why nothing fits; variants with the same reason share a line. */
static void fail_selection(pk_request *q, const judgement *all) {
  pk_vm *vm = q->vm;
  const pk_manifest *m = q->m;
  pk_text text = {0};
  for (uint32_t i = 0; i < m->variant_count; i++) {
    const char *reason = all[m->order[i]].reason;
    bool said = false;
    uint32_t same = 0;
    for (uint32_t j = 0; j < m->variant_count; j++) {
      const char *other = all[m->order[j]].reason;
      if (!reason || !other || strcmp(reason, other)) continue;
      said = said || j < i;
      same++;
    }
    if (said || !reason) continue;
    if (text.length) pk_text_puts(vm, &text, "; ");
    if (same == m->variant_count)
      pk_text_printf(vm, &text, "%s: %s", same == 1 ? m->variants[m->order[i]].id : "every variant", reason);
    else if (same > 1)
      pk_text_printf(vm, &text, "%s and %u more: %s", m->variants[m->order[i]].id, same - 1, reason);
    else
      pk_text_printf(vm, &text, "%s: %s", m->variants[m->order[i]].id, reason);
    if (text.length > sizeof vm->message) break;
  }
  pk_text_add(vm, &text, "", 1);
  pk_fail(vm, WNN_NOT_SUPPORTED, "no supported variant for %s; rejected: %s", m->op, text.data ? text.data : "");
}

const pk_variant *pk_select(pk_request *q, const char *pinned, pk_text *explain) {
  pk_vm *vm = q->vm;
  const pk_manifest *m = q->m;
  judgement *all = pk_array(vm, m->variant_count, sizeof *all);
  if (!all) return NULL;
  const pk_variant *chosen = NULL, *second = NULL;
  bool found = !pinned;
  for (uint32_t i = 0; i < m->variant_count && !vm->failed; i++) {
    const pk_variant *variant = &m->variants[m->order[i]];
    if (pinned && strcmp(variant->id, pinned)) continue;
    found = true;
    judge(q, all, m->order[i]);
    const judgement *own = &all[m->order[i]];
    if (own->verdict == VERDICT_FIT && !chosen) chosen = variant;
    if (own->verdict == VERDICT_DEMOTED && !second) second = variant;
    if (explain) {
      pk_text_printf(vm, explain, "%s: %s%s%s\n", variant->id,
                     own->verdict == VERDICT_FIT       ? "fits"
                     : own->verdict == VERDICT_DEMOTED ? "fits, demoted"
                                                       : "rejected",
                     own->reason ? ", " : "", own->reason ? own->reason : "");
    } else if (chosen) {
      break;
    }
  }
  if (!chosen) chosen = second;
  if (!found) pk_fail(vm, WNN_TYPE_ERROR, "there is no variant \"%.80s\"", pinned);
  if (!chosen && !vm->failed) fail_selection(q, all);
  return vm->failed ? NULL : chosen;
}
