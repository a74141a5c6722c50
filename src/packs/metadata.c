/* Reader of metadata.json; digests. */
#include "packs/manifest.h"

#include <sodium.h>

bool pk_digest_matches(const pk_digest *digest, const void *data, size_t size) {
  unsigned char hash[crypto_hash_sha256_BYTES];
  crypto_hash_sha256(hash, data, size);
  return !memcmp(hash, digest->sha256, sizeof hash);
}

/* Letters, digits, dot, dash and underscore in parts split by single slashes; nothing that leaves the folder. */
static bool is_file_path(const char *path) {
  size_t part = 0;
  for (const char *at = path; *at; at++) {
    bool word =
        (*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z') || (*at >= '0' && *at <= '9') || strchr("._-", *at);
    if (*at == '/' ? !part : !word) return false;
    if (*at == '.' && at[1] == '.') return false;
    part = *at == '/' ? 0 : part + 1;
  }
  if (!part) return false;
  char name[256];
  for (const char *at = path; at;) {
    const char *end = strchr(at, '/');
    size_t length = end ? (size_t)(end - at) : strlen(at);
    if (length >= sizeof name) return false;
    memcpy(name, at, length);
    name[length] = 0;
    if (!pk_is_plain_name(name)) return false;
    at = end ? end + 1 : NULL;
  }
  return true;
}

static bool is_template(const char *file) {
  size_t length = strlen(file);
  return (length > 5 && !strcmp(file + length - 5, ".wgsl")) ||
         (length > 11 && !strcmp(file + length - 11, ".wgsl.jinja"));
}

const pk_digest *pk_metadata_file(const pk_metadata *metadata, const char *file) {
  for (uint32_t i = 0; i < metadata->file_count; i++)
    if (!strcmp(metadata->files[i].file, file)) return &metadata->files[i];
  return NULL;
}

static const pk_map *member_map(pk_vm *vm, const pk_map *map, const char *key, const char *path) {
  const pk_value *value = map ? pk_map_find(map, key) : NULL;
  return map ? pk_need_map(vm, value ? *value : pk_undefined(), path) : NULL;
}

static void read_digests(pk_vm *vm, const pk_map *top, pk_metadata *metadata) {
  const pk_map *digest = member_map(vm, top, "digest", "digest");
  const pk_value *algorithm = digest ? pk_map_find(digest, "algorithm") : NULL;
  if (digest && (!algorithm || !pk_equals(*algorithm, "sha256")))
    pk_fail(vm, WNN_DATA_ERROR, "digest.algorithm must be sha256");
  const pk_map *files = member_map(vm, digest, "files", "digest.files");
  if (!files || vm->failed) return;
  metadata->files = pk_array(vm, files->count, sizeof *metadata->files);
  for (uint32_t i = 0; i < files->count && !vm->failed; i++) {
    const pk_entry *entry = &files->entries[i];
    pk_digest *file = &metadata->files[i];
    if (!is_file_path(entry->key))
      pk_fail(vm, WNN_DATA_ERROR, "digest.files: \"%.100s\" is not a plain relative path", entry->key);
    size_t length = 0;
    if (entry->value.kind != PK_STRING ||
        sodium_base642bin(file->sha256, sizeof file->sha256, entry->value.as.text, entry->value.length, NULL, &length,
                          NULL, sodium_base64_VARIANT_ORIGINAL) ||
        length != sizeof file->sha256)
      pk_fail(vm, WNN_DATA_ERROR, "digest.files[\"%.100s\"] is not a SHA-256 in base64", entry->key);
    file->file = entry->key;
    metadata->file_count = i + 1;
  }
  if (!vm->failed && !pk_metadata_file(metadata, "manifest.json"))
    pk_fail(vm, WNN_DATA_ERROR, "digest.files lacks manifest.json");
}

static void read_variants(pk_vm *vm, const pk_map *top, pk_metadata *metadata) {
  const pk_map *webgpu = member_map(vm, top, "webgpu", "webgpu");
  if (!webgpu) return;
  const pk_value *spec = pk_map_find(webgpu, "manifestSpec");
  if (!spec || !pk_equals(*spec, "2.1"))
    pk_fail(vm, WNN_DATA_ERROR, "webgpu.manifestSpec must be \"2.1\", not %s",
            pk_show(vm, spec ? *spec : pk_undefined()));
  const pk_map *variants = member_map(vm, webgpu, "variants", "webgpu.variants");
  if (!variants || vm->failed) return;
  if (!variants->count) pk_fail(vm, WNN_DATA_ERROR, "webgpu.variants lists no variant");
  for (uint32_t i = 0; i < variants->count && !vm->failed; i++) {
    const pk_entry *entry = &variants->entries[i];
    if (!pk_is_variant_id(entry->key) || !pk_is_plain_name(entry->key))
      pk_fail(vm, WNN_DATA_ERROR, "webgpu.variants: \"%.80s\" is not a variant id", entry->key);
    if (entry->value.kind != PK_LIST || !entry->value.as.list->count)
      pk_fail(vm, WNN_DATA_ERROR, "webgpu.variants.%.80s must be a non-empty list of templates", entry->key);
    for (uint32_t j = 0; !vm->failed && j < entry->value.as.list->count; j++) {
      pk_value file = entry->value.as.list->items[j];
      if (file.kind != PK_STRING || !is_template(file.as.text) || !pk_metadata_file(metadata, file.as.text))
        pk_fail(vm, WNN_DATA_ERROR, "webgpu.variants.%.80s lists %s, which is not a template in digest.files",
                entry->key, pk_show(vm, file));
    }
  }
  metadata->variants = variants;
}

bool pk_metadata_read(pk_vm *vm, const char *data, size_t length, pk_metadata *metadata) {
  *metadata = (pk_metadata){.version = -1};
  pk_value top = pk_json_parse(vm, data, length, "metadata.json");
  const pk_map *map = vm->failed ? NULL : pk_need_map(vm, top, "metadata.json");
  if (!map) return false;
  const pk_map *backend = member_map(vm, map, "backend", "backend");
  const pk_value *type = backend ? pk_map_find(backend, "type") : NULL;
  if (!type || !pk_equals(*type, "webgpu")) pk_fail(vm, WNN_DATA_ERROR, "backend.type must be webgpu");
  metadata->name = pk_text_member(vm, map, "name", "metadata");
  if (!metadata->name) pk_fail(vm, WNN_DATA_ERROR, "name must be a non-empty string");
  const pk_value *id = pk_map_find(map, "id"), *license = pk_map_find(map, "license"),
                 *version = pk_map_find(map, "version");
  if (id && id->kind == PK_STRING) metadata->id = id->as.text;
  if (license && license->kind == PK_STRING) metadata->license = license->as.text;
  if (version && pk_is_integer(*version) && version->as.number >= 0) metadata->version = version->as.number;
  const pk_value *provenance = pk_map_find(map, "provenance");
  const pk_value *kernel = provenance && provenance->kind == PK_MAP ? pk_map_find(provenance->as.map, "kernel") : NULL;
  const pk_value *sha = kernel && kernel->kind == PK_MAP ? pk_map_find(kernel->as.map, "sha") : NULL;
  if (sha && sha->kind == PK_STRING) metadata->sha = sha->as.text;
  if (!vm->failed) read_digests(vm, map, metadata);
  if (!vm->failed) read_variants(vm, map, metadata);
  if (vm->failed) pk_context(vm, "metadata.json");
  return !vm->failed;
}

static bool check_shaders(pk_vm *vm, const pk_list *files, const pk_variant *variant, const pk_step_node *steps,
                          uint32_t count) {
  for (uint32_t i = 0; i < count && !vm->failed; i++) {
    if (steps[i].repeat) {
      check_shaders(vm, files, variant, steps[i].steps, steps[i].step_count);
      continue;
    }
    bool listed = false;
    for (uint32_t j = 0; j < files->count; j++) listed = listed || pk_equals(files->items[j], steps[i].shader);
    if (!listed)
      pk_fail(vm, WNN_DATA_ERROR, "metadata.json: webgpu.variants.%s lacks %s, the shader of pass %s", variant->id,
              steps[i].shader, steps[i].id);
  }
  return !vm->failed;
}

bool pk_metadata_matches(pk_vm *vm, const pk_metadata *metadata, const pk_manifest *manifest) {
  if (strcmp(metadata->name, manifest->op))
    pk_fail(vm, WNN_DATA_ERROR, "metadata.json: name %.100s is not that of the manifest, %s", metadata->name,
            manifest->op);
  pk_value known = pk_map_new(vm);
  for (uint32_t i = 0; i < manifest->variant_count && !vm->failed; i++) {
    const pk_variant *variant = &manifest->variants[i];
    const pk_value *files = pk_map_find(metadata->variants, variant->id);
    if (!files)
      pk_fail(vm, WNN_DATA_ERROR, "metadata.json: webgpu.variants lacks %s, which the manifest has", variant->id);
    else
      check_shaders(vm, files->as.list, variant, variant->steps, variant->step_count);
    pk_map_put(vm, known.as.map, variant->id, pk_null());
  }
  for (uint32_t i = 0; i < metadata->variants->count && !vm->failed; i++)
    if (!pk_map_find(known.as.map, metadata->variants->entries[i].key))
      pk_fail(vm, WNN_DATA_ERROR, "metadata.json: webgpu.variants has %s, which the manifest lacks",
              metadata->variants->entries[i].key);
  return !vm->failed;
}
