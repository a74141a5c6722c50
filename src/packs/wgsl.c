/* The parts of WGSL that are generated or checked: declarations, enable lines, int64 bindings. */
#include "packs/plan.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- Declarations -------------------------------------------------------------------------------------------- */

const char *pk_wgsl_element(pk_vm *vm, const char *element, const pk_map *derived, const char *binding) {
  if (element[0] != '$') return element;
  const pk_value *value = pk_map_find(derived, element + 1);
  if (value && value->kind == PK_STRING) return value->as.text;
  pk_fail(vm, WNN_DATA_ERROR, "binding %s: elementType %s is not the name of a text value", binding, element);
  return NULL;
}

static bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* Bytes of an element of a WGSL type in an array; 0 for one that is not known. */
static uint32_t element_bytes(const char *type) {
  char plain[32];
  size_t n = 0;
  for (; *type && n + 1 < sizeof plain; type++)
    if (*type != ' ') plain[n++] = *type;
  plain[n] = 0;
  if (!strcmp(plain, "f32") || !strcmp(plain, "u32") || !strcmp(plain, "i32")) return 4;
  if (!strcmp(plain, "f16")) return 2;
  if (!strcmp(plain, "atomic<u32>") || !strcmp(plain, "atomic<i32>")) return 4;
  if (!strncmp(plain, "vec", 3) && plain[3] >= '2' && plain[3] <= '4' && plain[4] == '<' && n > 6 &&
      plain[n - 1] == '>') {
    plain[n - 1] = 0;
    uint32_t scalar = !strcmp(plain + 5, "f16")                                                             ? 2
                      : !strcmp(plain + 5, "f32") || !strcmp(plain + 5, "u32") || !strcmp(plain + 5, "i32") ? 4
                                                                                                            : 0;
    return scalar * (plain[3] == '3' ? 4 : (uint32_t)(plain[3] - '0'));
  }
  return 0;
}

static uint64_t fixed_length(pk_vm *vm, const pk_binding *binding, const pk_map *derived) {
  double length = binding->length;
  if (binding->length_name) {
    const pk_value *value = pk_map_find(derived, binding->length_name);
    length = value && pk_is_number(*value)       ? value->as.number
             : value && value->kind == PK_STRING ? strtod(value->as.text, NULL)
                                                 : 0;
    if (!(length >= 1 && length <= 9007199254740991.0 && length == (double)(uint64_t)length))
      pk_fail(vm, WNN_DATA_ERROR, "binding %s: length $%s is not a positive integer", binding->name,
              binding->length_name);
  }
  return vm->failed ? 0 : (uint64_t)length;
}

static void declare_struct(pk_vm *vm, pk_text *text, const pk_binding *binding) {
  pk_text_printf(vm, text, "struct %s { ", binding->struct_name);
  uint32_t total = (binding->field_count + 3) / 4 * 4;
  uint32_t pad = 0;
  for (uint32_t i = 0; i < total; i++) {
    if (i) pk_text_puts(vm, text, ", ");
    if (i < binding->field_count) {
      pk_text_printf(vm, text, "%s: %c32", binding->fields[i].name, binding->fields[i].type);
      continue;
    }
    char name[32];
    for (bool taken = true; taken; pad++) {
      taken = false;
      snprintf(name, sizeof name, "_pad%u", pad);
      for (uint32_t j = 0; j < binding->field_count; j++) taken = taken || !strcmp(binding->fields[j].name, name);
    }
    pk_text_printf(vm, text, "%s: u32", name);
  }
  pk_text_puts(vm, text, " };\n");
}

static bool same_struct(const pk_binding *a, const pk_binding *b) {
  if (a->field_count != b->field_count) return false;
  for (uint32_t i = 0; i < a->field_count; i++)
    if (strcmp(a->fields[i].name, b->fields[i].name) || a->fields[i].type != b->fields[i].type) return false;
  return true;
}

pk_value pk_wgsl_declarations(pk_vm *vm, const pk_step_node *pass, const pk_map *derived, pk_plan_binding *bindings) {
  pk_text text = {0};
  for (uint32_t i = 0; i < pass->binding_count && !vm->failed; i++) {
    const pk_binding *binding = pass->bindings[i];
    if (binding->buffer != PK_BUFFER_UNIFORM) continue;
    bool declared = false;
    for (uint32_t j = 0; j < i; j++) {
      const pk_binding *other = pass->bindings[j];
      if (other->buffer != PK_BUFFER_UNIFORM || strcmp(other->struct_name, binding->struct_name)) continue;
      declared = true;
      if (!same_struct(binding, other))
        pk_fail(vm, WNN_DATA_ERROR, "struct %s is declared in two ways", binding->struct_name);
    }
    if (!declared) declare_struct(vm, &text, binding);
  }
  for (uint32_t i = 0; i < pass->binding_count && !vm->failed; i++) {
    const pk_binding *binding = pass->bindings[i];
    if (i) pk_text_puts(vm, &text, "\n");
    pk_text_printf(vm, &text, "@group(0) @binding(%u) ", i);
    if (binding->buffer == PK_BUFFER_UNIFORM) {
      pk_text_printf(vm, &text, "var<uniform> %s: %s;", binding->name, binding->struct_name);
      continue;
    }
    const char *element = pk_wgsl_element(vm, binding->element, derived, binding->name);
    if (!element) break;
    pk_text_printf(vm, &text, "var<storage, %s> %s: array<%s",
                   binding->buffer == PK_BUFFER_WRITE ? "read_write" : "read", binding->name, element);
    if (binding->length || binding->length_name) {
      uint64_t length = fixed_length(vm, binding, derived);
      uint32_t bytes = element_bytes(element);
      if (!bytes)
        pk_fail(vm, WNN_DATA_ERROR, "binding %s: a length needs a plain element type, not %s", binding->name, element);
      if (vm->failed) break;
      bindings[i].min_bytes = length > UINT64_MAX / bytes ? UINT64_MAX : length * bytes;
      pk_text_printf(vm, &text, ", %lluu", (unsigned long long)length);
    }
    pk_text_puts(vm, &text, ">;");
  }
  return pk_text_value(vm, &text);
}

/* ---- Enable lines ----------------------------------------------------------------------------------------------- */

/* The text without comments; block comments nest. */
static pk_value without_comments(pk_vm *vm, pk_value source) {
  pk_text out = {0};
  const char *s = source.as.text;
  for (size_t i = 0; i < source.length && !vm->failed;) {
    if (s[i] == '/' && s[i + 1] == '/') {
      while (i < source.length && s[i] != '\n') i++;
    } else if (s[i] == '/' && s[i + 1] == '*') {
      uint32_t depth = 1;
      for (i += 2; i < source.length && depth;) {
        if (s[i] == '/' && s[i + 1] == '*') {
          depth++;
          i += 2;
        } else if (s[i] == '*' && s[i + 1] == '/') {
          depth--;
          i += 2;
        } else {
          if (s[i] == '\n') pk_text_add(vm, &out, "\n", 1);
          i++;
        }
      }
    } else {
      size_t start = i;
      while (i < source.length && !(s[i] == '/' && (s[i + 1] == '/' || s[i + 1] == '*'))) i++;
      pk_text_add(vm, &out, s + start, i - start);
    }
  }
  return pk_text_value(vm, &out);
}

/* Finds a word that stands alone. */
static const char *find_word(const char *text, const char *word) {
  size_t length = strlen(word);
  for (const char *at = strstr(text, word); at; at = strstr(at + 1, word))
    if ((at == text || !is_word(at[-1])) && !is_word(at[length])) return at;
  return NULL;
}

/* True for a line `enable ..., feature, ...;`. */
static bool has_enable(const char *text, const char *feature) {
  for (const char *at = find_word(text, "enable"); at; at = find_word(at + 6, "enable")) {
    const char *start = at;
    while (start > text && (start[-1] == ' ' || start[-1] == '\t')) start--;
    const char *end = strchr(at, ';'), *hit = find_word(at, feature);
    if ((start == text || start[-1] == '\n') && end && hit && hit < end) return true;
  }
  return false;
}

/* A number with the suffix h. */
static bool has_half_literal(const char *text) {
  for (const char *at = text; (at = strpbrk(at, "0123456789")) != NULL;) {
    bool starts = at == text || !(is_word(at[-1]) || at[-1] == '.');
    const char *end = at;
    bool hex = at[0] == '0' && (at[1] == 'x' || at[1] == 'X');
    if (hex) end += 2;
    while (is_word(*end) || *end == '.' ||
           ((*end == '+' || *end == '-') && (end[-1] == 'e' || end[-1] == 'E' || end[-1] == 'p' || end[-1] == 'P'))) {
      if (*end == 'h' && starts && !is_word(end[1])) return true;
      end++;
    }
    at = end > at ? end : at + 1;
  }
  return false;
}

static bool uses_subgroups(const char *text) {
  static const char *const functions[] = {"Add",
                                          "ExclusiveAdd",
                                          "InclusiveAdd",
                                          "Mul",
                                          "ExclusiveMul",
                                          "InclusiveMul",
                                          "And",
                                          "Or",
                                          "Xor",
                                          "Min",
                                          "Max",
                                          "All",
                                          "Any",
                                          "Ballot",
                                          "Elect",
                                          "Broadcast",
                                          "BroadcastFirst",
                                          "Shuffle",
                                          "ShuffleXor",
                                          "ShuffleUp",
                                          "ShuffleDown"};
  static const char *const quads[] = {"quadBroadcast", "quadSwapX", "quadSwapY", "quadSwapDiagonal"};
  static const char *const builtins[] = {"subgroup_invocation_id", "subgroup_size", "subgroup_id", "num_subgroups"};
  for (const char *at = strstr(text, "subgroup"); at; at = strstr(at + 1, "subgroup")) {
    if (at > text && is_word(at[-1])) continue;
    const char *name = at + 8, *end = name;
    while (is_word(*end)) end++;
    const char *after = end;
    while (*after == ' ' || *after == '\t' || *after == '\n') after++;
    for (size_t i = 0; *after == '(' && i < sizeof functions / sizeof *functions; i++)
      if (strlen(functions[i]) == (size_t)(end - name) && !memcmp(functions[i], name, (size_t)(end - name)))
        return true;
  }
  for (size_t i = 0; i < sizeof quads / sizeof *quads; i++) {
    const char *at = find_word(text, quads[i]);
    if (at && at[strlen(quads[i]) + strspn(at + strlen(quads[i]), " \t\n")] == '(') return true;
  }
  for (const char *at = strstr(text, "@builtin"); at; at = strstr(at + 1, "@builtin")) {
    const char *name = at + 8 + strspn(at + 8, " \t\n");
    if (*name != '(') continue;
    name += 1 + strspn(name + 1, " \t\n");
    for (size_t i = 0; i < sizeof builtins / sizeof *builtins; i++)
      if (!strncmp(name, builtins[i], strlen(builtins[i])) && !is_word(name[strlen(builtins[i])])) return true;
  }
  return false;
}

pk_value pk_wgsl_enable(pk_vm *vm, pk_value source) {
  pk_value plain = without_comments(vm, source);
  if (vm->failed) return source;
  const char *text = plain.as.text;
  pk_step(vm, plain.length / 8);
  const char *size = strstr(text, "@subgroup_size");
  bool sized = size && size[14 + strspn(size + 14, " \t\n")] == '(';
  bool half = (find_word(text, "f16") || has_half_literal(text)) && !has_enable(text, "f16");
  bool groups = uses_subgroups(text) && !has_enable(text, "subgroups");
  bool sizes = sized && !has_enable(text, "subgroup_size_control");
  if (!half && !groups && !sizes) return source;
  pk_text out = {0};
  if (half) pk_text_puts(vm, &out, "enable f16;\n");
  if (groups) pk_text_puts(vm, &out, "enable subgroups;\n");
  if (sizes) pk_text_puts(vm, &out, "enable subgroup_size_control;\n");
  pk_text_add(vm, &out, source.as.text, source.length);
  return pk_text_value(vm, &out);
}

/* ---- Elements that may only be moved ------------------------------------------------------------------------------
 */

/* The end of what a bracket opens. */
static const char *skip_brackets(const char *at) {
  uint32_t depth = 0;
  for (; *at; at++) {
    if (*at == '[') depth++;
    if (*at == ']' && --depth == 0) return at + 1;
  }
  return at;
}

static const char *skip_back(const char *from, const char *start) {
  while (from > start && strchr(" \t\n", from[-1])) from--;
  return from;
}

/* True when what stands around a moved value computes with it. */
static bool computes(const char *text, const char *begin, const char *end) {
  const char *after = end + strspn(end, " \t\n"), *before = skip_back(begin, text);
  while (before > text && before[-1] == '(' && *after == ')') { /* parentheses of its own, unless of a call */
    const char *outer = skip_back(before - 1, text);
    if (outer > text && (is_word(outer[-1]) || outer[-1] == '>')) break;
    before = outer;
    after++;
    after += strspn(after, " \t\n");
  }
  if (*after == '.' || *after == '[') return true;
  if (*after == '=' && after[1] == '=') return true;
  if (*after && strchr("+-*/%<>&|^!~", *after)) return true;
  if (before == text) return false;
  char last = before[-1];
  if (last == '=') return before - 1 > text && strchr("=!<>+-*/%&|^", before[-2]) != NULL;
  if (strchr("+-*/%<>&|^~!", last)) return true;
  if (last != '(') return false;
  const char *name_end = skip_back(before - 1, text);
  if (name_end > text && name_end[-1] == '>') { /* bitcast<u32>( */
    while (name_end > text && *name_end != '<') name_end--;
    name_end = skip_back(name_end, text);
  }
  const char *name = name_end;
  while (name > text && is_word(name[-1])) name--;
  static const char *const functions[] = {"min", "max", "abs", "clamp", "bitcast", "f32", "i32", "u32"};
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
    if (strlen(functions[i]) == (size_t)(name_end - name) && !memcmp(functions[i], name, (size_t)(name_end - name)))
      return true;
  return false;
}

bool pk_wgsl_check_int64(pk_vm *vm, pk_value source, const char *const *names, uint32_t count) {
  if (!count) return !vm->failed;
  pk_value plain = without_comments(vm, source);
  if (vm->failed) return false;
  const char *text = plain.as.text;
  for (uint32_t i = 0; i < count; i++)
    for (const char *at = find_word(text, names[i]); at; at = find_word(at + 1, names[i])) {
      const char *end = at + strlen(names[i]);
      end += strspn(end, " \t\n");
      if (*end != '[') continue;
      end = skip_brackets(end);
      if (computes(text, at, end))
        pk_fail(vm, WNN_DATA_ERROR, "the shader computes with the int64 elements of %s, which may only be moved",
                names[i]);
      /* a variable that is set to the element is the element under another name */
      const char *equals = skip_back(at, text), *word_end, *word;
      if (equals == text || equals[-1] != '=' || end[strspn(end, " \t\n")] != ';') continue;
      word_end = skip_back(equals - 1, text);
      word = word_end;
      while (word > text && (is_word(word[-1]) || strchr(":<> ", word[-1])) && word_end - word < 80) word--;
      word += strspn(word, " ");
      if (strncmp(word, "let ", 4) && strncmp(word, "var ", 4)) continue;
      word += 4;
      word += strspn(word, " ");
      size_t length = 0;
      while (is_word(word[length])) length++;
      pk_value alias = pk_string(vm, word, length);
      if (vm->failed || !length) return !vm->failed;
      for (const char *use = find_word(end, alias.as.text); use && pk_step(vm, 1);
           use = find_word(use + 1, alias.as.text))
        if (computes(text, use, use + length))
          pk_fail(vm, WNN_DATA_ERROR, "the shader computes with %s, an int64 element of %s", alias.as.text, names[i]);
    }
  return !vm->failed;
}
