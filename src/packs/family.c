/* Families of variants: one text with placeholders, written out for each of its cases. */
#include "packs/manifest.h"

/* A family may grow its text many times over; this bounds the number of variants written out. */
enum { MAX_VARIANTS = 4096 };

typedef struct filler {
  pk_vm *vm;
  const pk_map *values;
  const char *path;
} filler;

/* The length of a placeholder "{name}" at text, or 0. */
static size_t placeholder(const char *text) {
  if (*text != '{') return 0;
  size_t n = 1;
  for (; text[n] && text[n] != '}'; n++) {
    char c = text[n];
    bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_', digit = c >= '0' && c <= '9';
    if (!letter && (n == 1 || !digit)) return 0;
  }
  return text[n] == '}' && n > 1 ? n + 1 : 0;
}

static const pk_value *placeholder_value(const filler *f, const char *text, size_t length) {
  return pk_map_get(f->values, text + 1, length - 2);
}

/* The value that a text which is one placeholder stands for, or NULL. */
static const pk_value *whole_value(const filler *f, pk_value text) {
  if (text.kind != PK_STRING) return NULL;
  size_t length = placeholder(text.as.text);
  return length && length == text.length ? placeholder_value(f, text.as.text, length) : NULL;
}

static pk_value fill_text(filler *f, pk_value text, const char *where) {
  pk_text out = {0};
  for (size_t i = 0; i < text.length && !f->vm->failed;) {
    size_t length = placeholder(text.as.text + i);
    const pk_value *value = length ? placeholder_value(f, text.as.text + i, length) : NULL;
    if (!value) {
      pk_text_add(f->vm, &out, text.as.text + i, 1);
      i++;
      continue;
    }
    if (value->kind == PK_NULL || value->kind == PK_LIST || value->kind == PK_MAP)
      pk_fail(f->vm, WNN_DATA_ERROR, "%s: \"%.*s\" at %s must be the whole text to stand for %s", f->path, (int)length,
              text.as.text + i, where, pk_kind_name(*value));
    pk_value plain = *value;
    if (plain.kind == PK_FLOAT) plain.kind = PK_INT;
    pk_print(f->vm, &out, plain);
    i += length;
  }
  return pk_text_value(f->vm, &out);
}

/* Fills a template. *omit: the value stands for nothing and its key goes. key: the member's name, NULL in lists. */
static pk_value fill(filler *f, pk_value value, const char *key, const char *where, uint32_t depth, bool *omit) {
  pk_vm *vm = f->vm;
  *omit = false;
  if (!pk_step(vm, 1)) return pk_undefined();
  if (depth > PK_MAX_DEPTH) {
    pk_fail(vm, WNN_DATA_ERROR, "%s is nested too deeply", f->path);
    return pk_undefined();
  }
  if (value.kind == PK_STRING) {
    const pk_value *whole = whole_value(f, value);
    if (!whole) return fill_text(f, value, where);
    if (whole->kind != PK_NULL) return *whole;
    if (!key || !strcmp(key, "id") || (depth == 1 && !strcmp(key, "passes")))
      pk_fail(vm, WNN_DATA_ERROR, "%s: %s cannot be removed by null", f->path, where);
    *omit = true;
    return pk_undefined();
  }
  if (value.kind == PK_LIST) {
    pk_value out = pk_list_new(vm, value.as.list->count);
    for (uint32_t i = 0; i < value.as.list->count && !vm->failed; i++) {
      pk_value item = value.as.list->items[i];
      const pk_value *whole = whole_value(f, item);
      if (whole && whole->kind == PK_LIST) { /* a list in a list is spliced in */
        for (uint32_t j = 0; j < whole->as.list->count; j++) pk_list_push(vm, out.as.list, whole->as.list->items[j]);
        continue;
      }
      bool gone;
      pk_value filled = fill(f, item, NULL, pk_path(vm, "%s[%u]", where, i), depth + 1, &gone);
      if (!vm->failed) pk_list_push(vm, out.as.list, filled);
    }
    return out;
  }
  if (value.kind == PK_MAP) {
    pk_value out = pk_map_new(vm);
    for (uint32_t i = 0; i < value.as.map->count && !vm->failed; i++) {
      const pk_entry *entry = &value.as.map->entries[i];
      pk_value name =
          fill_text(f, (pk_value){.kind = PK_STRING, .length = entry->length, .as.text = entry->key}, where);
      if (vm->failed) break;
      if (pk_map_get(out.as.map, name.as.text, name.length))
        pk_fail(vm, WNN_DATA_ERROR, "%s: the key \"%s\" comes twice in %s", f->path, name.as.text, where);
      bool gone;
      pk_value filled =
          fill(f, entry->value, name.as.text, pk_path(vm, "%s.%s", where, name.as.text), depth + 1, &gone);
      if (!vm->failed && !gone) pk_map_set(vm, out.as.map, name.as.text, name.length, filled);
    }
    return out;
  }
  return value;
}

/* Fails when a placeholder is left. */
static void check_filled(pk_vm *vm, pk_value value, const char *path, uint32_t depth) {
  if (!pk_step(vm, 1) || depth > PK_MAX_DEPTH) return;
  if (value.kind == PK_STRING) {
    for (const char *at = strchr(value.as.text, '{'); at; at = strchr(at + 1, '{'))
      if (placeholder(at)) {
        pk_fail(vm, WNN_DATA_ERROR, "%s leaves the placeholder %.*s unfilled", path, (int)placeholder(at), at);
        return;
      }
  } else if (value.kind == PK_LIST) {
    for (uint32_t i = 0; i < value.as.list->count; i++) check_filled(vm, value.as.list->items[i], path, depth + 1);
  } else if (value.kind == PK_MAP) {
    for (uint32_t i = 0; i < value.as.map->count; i++) {
      check_filled(vm, pk_static(value.as.map->entries[i].key), path, depth + 1);
      check_filled(vm, value.as.map->entries[i].value, path, depth + 1);
    }
  }
}

/* ---- Cases and axes ----------------------------------------------------------------------------------------- */

static const pk_map *check_case(pk_vm *vm, pk_value value, const char *path, bool may_be_empty) {
  const pk_map *map = pk_need_map(vm, value, path);
  if (map && !map->count && !may_be_empty) pk_fail(vm, WNN_DATA_ERROR, "%s must not be empty", path);
  for (uint32_t i = 0; map && i < map->count && !vm->failed; i++)
    if (!pk_is_identifier(map->entries[i].key))
      pk_fail(vm, WNN_DATA_ERROR, "%s: the key \"%s\" must be an identifier", path, map->entries[i].key);
  return map;
}

static void merge(pk_vm *vm, pk_map *into, const pk_map *from, const char *skip_a, const char *skip_b) {
  for (uint32_t i = 0; from && i < from->count && !vm->failed; i++) {
    const pk_entry *entry = &from->entries[i];
    if ((skip_a && !strcmp(entry->key, skip_a)) || (skip_b && !strcmp(entry->key, skip_b))) continue;
    pk_map_set(vm, into, entry->key, entry->length, entry->value);
  }
}

typedef struct axes {
  const char *names[2];
  const pk_list *items[2];
} axes;

static const char *item_key(pk_value item) {
  const pk_value *key = item.kind == PK_MAP ? pk_map_find(item.as.map, "$key") : NULL;
  return key && key->kind == PK_STRING ? key->as.text : NULL;
}

static bool read_axes(pk_vm *vm, pk_value value, const char *path, axes *out) {
  const pk_map *map = pk_need_map(vm, value, pk_path(vm, "%s.axes", path));
  if (map && map->count != 2) pk_fail(vm, WNN_DATA_ERROR, "%s.axes must have exactly two axes", path);
  if (vm->failed) return false;
  pk_value owner = pk_map_new(vm);
  for (uint32_t a = 0; a < 2 && !vm->failed; a++) {
    const pk_entry *entry = &map->entries[a];
    const char *at = pk_path(vm, "%s.axes.%s", path, entry->key);
    if (!pk_is_identifier(entry->key)) pk_fail(vm, WNN_DATA_ERROR, "%s: names of axes must be identifiers", at);
    if (entry->value.kind != PK_LIST || !entry->value.as.list->count)
      pk_fail(vm, WNN_DATA_ERROR, "%s must be a non-empty list", at);
    if (vm->failed) return false;
    out->names[a] = entry->key;
    out->items[a] = entry->value.as.list;
    for (uint32_t i = 0; i < out->items[a]->count && !vm->failed; i++) {
      const char *item_path = pk_path(vm, "%s[%u]", at, i);
      const char *key = item_key(out->items[a]->items[i]);
      if (!key || !pk_is_identifier(key)) pk_fail(vm, WNN_DATA_ERROR, "%s.$key must be an identifier", item_path);
      for (uint32_t j = 0; j < i && key; j++)
        if (!strcmp(item_key(out->items[a]->items[j]), key))
          pk_fail(vm, WNN_DATA_ERROR, "%s.$key %s comes twice", item_path, key);
      if (vm->failed) return false;
      const pk_map *item = out->items[a]->items[i].as.map;
      for (uint32_t k = 0; k < item->count && !vm->failed; k++) {
        const char *name = item->entries[k].key;
        if (!strcmp(name, "$key")) continue;
        if (!pk_is_identifier(name))
          pk_fail(vm, WNN_DATA_ERROR, "%s: the key \"%s\" must be an identifier", item_path, name);
        if (!strcmp(name, map->entries[0].key) || !strcmp(name, map->entries[1].key))
          pk_fail(vm, WNN_DATA_ERROR, "%s.%s has the name of an axis", item_path, name);
        const pk_value *other = pk_map_find(owner.as.map, name);
        if (other && other->as.number != a) pk_fail(vm, WNN_DATA_ERROR, "%s.%s belongs to both axes", item_path, name);
        pk_map_put(vm, owner.as.map, name, pk_int(a));
      }
    }
  }
  return !vm->failed;
}

/* The cell that a selector names, as one number; -1 and a failure when it names none. */
static int64_t find_cell(pk_vm *vm, const axes *all, const pk_map *selector, const char *path) {
  int64_t place[2] = {-1, -1};
  for (int a = 0; selector && a < 2; a++) {
    const pk_value *key = pk_map_find(selector, all->names[a]);
    for (uint32_t i = 0; key && key->kind == PK_STRING && i < all->items[a]->count; i++)
      if (!strcmp(item_key(all->items[a]->items[i]), key->as.text)) place[a] = i;
    if (place[a] < 0) pk_fail(vm, WNN_DATA_ERROR, "%s must select an existing key of the axis %s", path, all->names[a]);
  }
  return vm->failed ? -1 : place[0] * (int64_t)all->items[1]->count + place[1];
}

/* The cells of two axes, without the excluded ones, with overrides; pushed as maps of values. */
static void axis_cases(pk_vm *vm, const pk_map *family, const char *path, pk_list *cases) {
  axes all;
  if (!read_axes(vm, *pk_map_find(family, "axes"), path, &all)) return;
  uint64_t cells = (uint64_t)all.items[0]->count * all.items[1]->count;
  if (cells > MAX_VARIANTS) {
    pk_fail(vm, WNN_DATA_ERROR, "%s.axes make more than %d variants", path, MAX_VARIANTS);
    return;
  }
  bool *excluded = pk_array(vm, cells, sizeof *excluded);
  const pk_map **overrides = pk_array(vm, cells, sizeof(pk_map *));
  const pk_value *lists[2] = {pk_map_find(family, "exclude"), pk_map_find(family, "cases")};
  for (int kind = 0; kind < 2 && !vm->failed; kind++) {
    const char *name = kind ? "cases" : "exclude";
    if (!lists[kind]) continue;
    if (lists[kind]->kind != PK_LIST) {
      pk_fail(vm, WNN_DATA_ERROR, "%s.%s must be a list", path, name);
      return;
    }
    for (uint32_t i = 0; i < lists[kind]->as.list->count && !vm->failed; i++) {
      const char *at = pk_path(vm, "%s.%s[%u]", path, name, i);
      const pk_map *selector = pk_need_map(vm, lists[kind]->as.list->items[i], at);
      int64_t cell = find_cell(vm, &all, selector, at);
      if (vm->failed) return;
      if (!kind && selector->count != 2) pk_fail(vm, WNN_DATA_ERROR, "%s must name exactly both axes", at);
      if (excluded[cell]) pk_fail(vm, WNN_DATA_ERROR, "%s names a cell that is excluded", at);
      if (overrides[cell]) pk_fail(vm, WNN_DATA_ERROR, "%s names a cell that has an override", at);
      check_case(vm, lists[kind]->as.list->items[i], at, true);
      if (kind)
        overrides[cell] = selector;
      else
        excluded[cell] = true;
    }
  }
  for (uint64_t cell = 0; cell < cells && !vm->failed; cell++) {
    if (excluded[cell]) continue;
    pk_value values = pk_map_new(vm);
    if (vm->failed) return;
    merge(vm, values.as.map, all.items[0]->items[cell / all.items[1]->count].as.map, "$key", NULL);
    merge(vm, values.as.map, all.items[1]->items[cell % all.items[1]->count].as.map, "$key", NULL);
    merge(vm, values.as.map, overrides[cell], all.names[0], all.names[1]);
    pk_list_push(vm, cases, values);
  }
  if (!vm->failed && !cases->count) pk_fail(vm, WNN_DATA_ERROR, "%s.exclude leaves no cell", path);
}

static void expand_family(pk_vm *vm, const pk_map *family, const char *path, pk_list *out) {
  bool has_axes = pk_map_find(family, "axes") != NULL;
  pk_check_keys(vm, family, path,
                has_axes ? "cases variants description axes exclude" : "cases variants description axes");
  const pk_value *variants = pk_map_find(family, "variants"), *listed = pk_map_find(family, "cases");
  const pk_value *description = pk_map_find(family, "description");
  if (description && description->kind != PK_STRING)
    pk_fail(vm, WNN_DATA_ERROR, "%s.description must be a string", path);
  if (!variants || variants->kind != PK_LIST || !variants->as.list->count)
    pk_fail(vm, WNN_DATA_ERROR, "%s.variants must be a non-empty list", path);
  if (!has_axes && (!listed || listed->kind != PK_LIST || !listed->as.list->count))
    pk_fail(vm, WNN_DATA_ERROR, "%s.cases must be a non-empty list", path);
  pk_value cases = pk_list_new(vm, 0);
  if (vm->failed) return;
  if (has_axes)
    axis_cases(vm, family, path, cases.as.list);
  else
    for (uint32_t i = 0; i < listed->as.list->count && !vm->failed; i++) {
      check_case(vm, listed->as.list->items[i], pk_path(vm, "%s.cases[%u]", path, i), false);
      pk_list_push(vm, cases.as.list, listed->as.list->items[i]);
    }
  for (uint32_t i = 0; i < cases.as.list->count && !vm->failed; i++)
    for (uint32_t j = 0; j < variants->as.list->count && !vm->failed; j++) {
      filler f = {vm, cases.as.list->items[i].as.map, pk_path(vm, "%s, case %u, template %u", path, i, j)};
      bool omit;
      pk_value filled = fill(&f, variants->as.list->items[j], NULL, "variant", 0, &omit);
      if (vm->failed) return;
      check_filled(vm, filled, f.path, 0);
      if (out->count >= MAX_VARIANTS) pk_fail(vm, WNN_DATA_ERROR, "%s: more than %d variants", path, MAX_VARIANTS);
      pk_list_push(vm, out, filled);
    }
}

pk_value pk_expand_families(pk_vm *vm, pk_value variants) {
  pk_value out = pk_list_new(vm, variants.as.list->count);
  for (uint32_t i = 0; i < variants.as.list->count && !vm->failed; i++) {
    const char *path = pk_path(vm, "variants[%u]", i);
    const pk_map *map = pk_need_map(vm, variants.as.list->items[i], path);
    if (!map) break;
    if (pk_map_find(map, "cases") || pk_map_find(map, "axes") || pk_map_find(map, "exclude"))
      expand_family(vm, map, path, out.as.list);
    else
      pk_list_push(vm, out.as.list, variants.as.list->items[i]);
    if (out.as.list->count > MAX_VARIANTS) pk_fail(vm, WNN_DATA_ERROR, "%s: more than %d variants", path, MAX_VARIANTS);
  }
  return out;
}
