/* Loading a pack. */
#include "packs/kernel.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "packs/locate.h"

enum { PATH_ROOM = 4096 };

/* Reading a manifest may take this much; evaluation of a call has limits of its own. */
#define LOAD_STEPS UINT64_C(100000000)
#define LOAD_BYTES ((size_t)256 << 20)

struct wnn_pack_sink {
  const wnn_allocator *allocator;
  char *data;
  size_t size, capacity;
  bool failed;
};

bool wnn_pack_sink_write(wnn_pack_sink *sink, const void *data, size_t size) {
  if (size > PK_MAX_FILE || sink->size + size > PK_MAX_FILE ||
      !wnn_mem_reserve(sink->allocator, (void **)&sink->data, &sink->capacity, sink->size + size + 1, 1)) {
    sink->failed = true;
    return false;
  }
  if (size) memcpy(sink->data + sink->size, data, size);
  sink->size += size;
  return true;
}

wnn_status pk_vm_status(const pk_vm *vm, wnn_error *error) {
  return wnn_error_set(error, vm->status ? vm->status : WNN_DATA_ERROR, "%s", vm->message);
}

/* ---- Files ------------------------------------------------------------------------------------------------------- */

static wnn_status fetch_file(wnn_kernel *kernel, const char *file, char **data, size_t *size, wnn_error *error) {
  char path[PATH_ROOM];
  const wnn_allocator *allocator = &kernel->allocator;
  if (kernel->cache && kernel->repository) {
    int n = snprintf(path, sizeof path, "%s/%s/%s/build/webgpu/%s", kernel->cache, kernel->repository, kernel->revision,
                     file);
    if (n > 0 && n < PATH_ROOM && pk_load_file(allocator, path, PK_MAX_FILE, data, size)) return WNN_OK;
  }
  if (!kernel->fetch || !kernel->repository) return wnn_error_set(error, WNN_IO_ERROR, "%s is not there", file);
  int n = snprintf(path, sizeof path, "build/webgpu/%s", file);
  if (n <= 0 || n >= PATH_ROOM) return wnn_error_set(error, WNN_IO_ERROR, "the name of a file is too long");
  wnn_pack_sink sink = {.allocator = allocator};
  bool good = kernel->fetch(kernel->fetch_user, kernel->repository, kernel->revision, path, &sink) && !sink.failed;
  char *bytes = good ? wnn_mem_alloc(allocator, sink.size + 1) : NULL;
  if (bytes) {
    if (sink.size) memcpy(bytes, sink.data, sink.size);
    bytes[sink.size] = 0;
    *data = bytes;
    *size = sink.size;
  }
  wnn_mem_free(allocator, sink.data, sink.capacity);
  if (!good)
    return wnn_error_set(error, WNN_IO_ERROR, "%s of %s at %s cannot be fetched", file, kernel->repository,
                         kernel->revision);
  return bytes ? WNN_OK : wnn_error_oom(error);
}

static wnn_status raw_file(wnn_kernel *kernel, const char *file, char **data, size_t *size, wnn_error *error) {
  for (const pk_blob *one = kernel->files; one; one = one->next) {
    if (strcmp(one->name, file)) continue;
    *size = one->size;
    *data = wnn_mem_alloc(&kernel->allocator, *size + 1);
    if (!*data) return wnn_error_oom(error);
    memcpy(*data, one->data, *size + 1);
    return WNN_OK;
  }
  if (kernel->location[0]) {
    char path[PATH_ROOM];
    int n = snprintf(path, sizeof path, "%s/%s", kernel->location, file);
    if (n > 0 && n < PATH_ROOM && pk_load_file(&kernel->allocator, path, PK_MAX_FILE, data, size)) return WNN_OK;
    return wnn_error_set(error, WNN_IO_ERROR, "%.300s/%.100s cannot be read", kernel->location, file);
  }
  return fetch_file(kernel, file, data, size, error);
}

wnn_status pk_read_file(wnn_kernel *kernel, const char *file, char **data, size_t *size, wnn_error *error) {
  bool is_metadata = !strcmp(file, "metadata.json");
  const pk_digest *digest = is_metadata ? NULL : pk_metadata_file(&kernel->metadata, file);
  if (!is_metadata && !digest) return wnn_error_set(error, WNN_IO_ERROR, "the pack has no file %.100s", file);
  wnn_status status = raw_file(kernel, file, data, size, error);
  if (status != WNN_OK) return status;
  if (!is_metadata && kernel->verify && !pk_digest_matches(digest, *data, *size)) {
    wnn_mem_free(&kernel->allocator, *data, *size + 1);
    return wnn_error_set(error, WNN_DATA_ERROR, "%.100s does not have the digest that metadata.json lists", file);
  }
  if (kernel->cache && kernel->fetch && kernel->repository && !kernel->location[0]) {
    char path[PATH_ROOM];
    int n = snprintf(path, sizeof path, "%s/%s/%s/build/webgpu/%s", kernel->cache, kernel->repository, kernel->revision,
                     file);
    if (n > 0 && n < PATH_ROOM) pk_save_file(path, *data, *size); /* a cache that cannot be written is no failure */
  }
  return WNN_OK;
}

/* ---- Templates ------------------------------------------------------------------------------------------------------
 */

typedef struct include_chain {
  const char *file;
  const struct include_chain *outer;
} include_chain;

/* The name of an included file: relative to the including one when it starts with a dot. */
static const char *resolve_include(pk_vm *vm, const char *from, const char *name, size_t length) {
  char joined[1024];
  const char *slash = strrchr(from, '/');
  int n = length && name[0] == '.' && slash
              ? snprintf(joined, sizeof joined, "%.*s/%.*s", (int)(slash - from), from, (int)length, name)
              : snprintf(joined, sizeof joined, "%.*s", (int)length, name);
  if (n < 0 || (size_t)n >= sizeof joined)
    return pk_fail(vm, WNN_DATA_ERROR, "the name of an include is too long"), NULL;
  char *out = pk_alloc(vm, (size_t)n + 1);
  size_t at = 0;
  for (char *part = joined; out && *part;) {
    char *end = strchr(part, '/');
    size_t size = end ? (size_t)(end - part) : strlen(part);
    if (size == 2 && !memcmp(part, "..", 2)) {
      if (!at) return pk_fail(vm, WNN_DATA_ERROR, "include %s leaves the pack", joined), NULL;
      while (at && out[at - 1] != '/') at--;
      if (at) at--;
    } else if (size && !(size == 1 && *part == '.')) {
      if (at) out[at++] = '/';
      memcpy(out + at, part, size);
      at += size;
    }
    part += size + (end != NULL);
  }
  if (out) out[at] = 0;
  return out;
}

/* Fills in `{% include "file" %}`. One alone on its line takes the whole line. */
static bool expand_includes(wnn_kernel *kernel, pk_vm *vm, const char *file, const include_chain *outer, uint32_t depth,
                            pk_text *out) {
  for (const include_chain *one = outer; one; one = one->outer)
    if (!strcmp(one->file, file)) return pk_fail(vm, WNN_DATA_ERROR, "%s includes itself", file), false;
  if (depth > 32) return pk_fail(vm, WNN_DATA_ERROR, "includes are nested too deeply"), false;
  char *text;
  size_t size;
  wnn_error error;
  if (pk_read_file(kernel, file, &text, &size, &error) != WNN_OK) {
    pk_fail(vm, error.status, "%s", error.message);
    return false;
  }
  include_chain chain = {file, outer};
  size_t done = 0;
  for (const char *at = strstr(text, "{%"); at && !vm->failed; at = strstr(at + 2, "{%")) {
    const char *name = at + 2 + strspn(at + 2, " \t\r\n");
    if (strncmp(name, "include", 7)) continue;
    name += 7 + strspn(name + 7, " \t\r\n");
    char quote = *name;
    const char *end = quote == '"' || quote == '\'' ? strchr(name + 1, quote) : NULL;
    if (!end) continue;
    const char *close = end + 1 + strspn(end + 1, " \t\r\n");
    if (strncmp(close, "%}", 2)) continue;
    const char *start = at, *after = close + 2, *rest = after + strspn(after, " \t");
    while (start > text + done && (start[-1] == ' ' || start[-1] == '\t')) start--;
    if (*rest == '\r') rest++;
    bool alone = (start == text || start[-1] == '\n' || start[-1] == '\r') && *rest == '\n';
    pk_text_add(vm, out, text + done, (size_t)((alone ? start : at) - (text + done)));
    const char *included = resolve_include(vm, file, name + 1, (size_t)(end - name - 1));
    if (included) expand_includes(kernel, vm, included, &chain, depth + 1, out);
    done = (size_t)((alone ? rest + 1 : after) - text);
    at = text + done - 2;
    if (at < text) at = text;
  }
  if (!vm->failed) pk_text_add(vm, out, text + done, size - done);
  wnn_mem_free(&kernel->allocator, text, size + 1);
  return !vm->failed;
}

const pk_template *pk_kernel_template(void *user, pk_vm *vm, const char *file) {
  wnn_kernel *kernel = user;
  for (const pk_asset *one = kernel->assets; one; one = one->next)
    if (!strcmp(one->name, file)) return &one->template;
  /* what is parsed stays with the kernel; the text goes with the call */
  pk_text text = {0};
  if (!expand_includes(kernel, vm, file, NULL, 0, &text)) return NULL;
  pk_vm *own = &kernel->vm;
  pk_asset *asset = pk_alloc(own, sizeof *asset);
  if (asset) pk_parse_template(own, text.data ? text.data : "", text.length, &asset->template);
  if (own->failed) {
    pk_fail(vm, own->status, "%s", own->message);
    own->failed = false;
    return NULL;
  }
  asset->name = pk_path(own, "%s", file);
  asset->next = kernel->assets;
  kernel->assets = asset;
  return &asset->template;
}

/* ---- Loading
 * ----------------------------------------------------------------------------------------------------------- */

static bool is_repository(const char *text) {
  const char *slash = strchr(text, '/');
  if (!slash || slash == text || !slash[1] || strchr(slash + 1, '/')) return false;
  for (const char *at = text; *at; at++)
    if (!((*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z') || (*at >= '0' && *at <= '9') ||
          strchr("._-/", *at)))
      return false;
  return !strstr(text, "..");
}

static char *copy_text(const wnn_allocator *allocator, const char *text) {
  size_t size = strlen(text) + 1;
  char *copy = wnn_mem_alloc(allocator, size);
  if (copy) memcpy(copy, text, size);
  return copy;
}
static void free_text(const wnn_allocator *allocator, char *text) {
  if (text) wnn_mem_free(allocator, text, strlen(text) + 1);
}

/* Decides where the pack's files come from. */
static wnn_status locate(wnn_kernel *kernel, const char *location, const wnn_kernel_options *options,
                         wnn_error *error) {
  char path[PATH_ROOM], revision[PATH_ROOM];
  const wnn_allocator *allocator = &kernel->allocator;
  path[0] = 0;
  bool folder = location[0] == '/' || location[0] == '.';
  if (!folder && !is_repository(location))
    return wnn_error_set(error, WNN_TYPE_ERROR, "\"%.200s\" is neither owner/name nor a path that starts with / or .",
                         location);
  if (!folder) {
    if (!options->revision && options->version < 0)
      return wnn_error_set(error, WNN_TYPE_ERROR, "%.200s: give a version or a revision; there is no default",
                           location);
    if (strncmp(location, "webgpu-kernels/", 15) && !options->trust)
      return wnn_error_set(error, WNN_TYPE_ERROR,
                           "%.200s is not of the publisher webgpu-kernels: set trust to load code of others", location);
    if (options->revision)
      snprintf(revision, sizeof revision, "%s", options->revision);
    else
      snprintf(revision, sizeof revision, "v%lld", (long long)options->version);
    for (const char *at = revision; *at; at++)
      if (!((*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z') || (*at >= '0' && *at <= '9') ||
            strchr("._-", *at)) ||
          strstr(revision, ".."))
        return wnn_error_set(error, WNN_TYPE_ERROR, "revision \"%.100s\" has characters that a file name may not have",
                             revision);
    kernel->repository = copy_text(allocator, location);
    kernel->revision = copy_text(allocator, revision);
    if (!kernel->repository || !kernel->revision) return wnn_error_oom(error);
  }
  if (options->file_count) return WNN_OK;
  if (folder) {
    if (!pk_find_folder(location, path, sizeof path))
      return wnn_error_set(error, WNN_IO_ERROR, "there is no pack in %.300s", location);
  } else if (!pk_find_shipped(location, path, sizeof path) &&
             !pk_find_in_path(options->path, location, path, sizeof path) &&
             !pk_find_in_path(getenv("WEBNN_PACK_PATH"), location, path, sizeof path)) {
    path[0] = 0;
  }
  /* a commit can only be had from where commits are */
  if (path[0] && !folder && options->revision && strlen(options->revision) == 40) path[0] = 0;
  if (!path[0]) {
    const char *cache = options->cache ? options->cache : getenv("WEBNN_PACK_CACHE");
    if (cache && *cache && !(kernel->cache = copy_text(allocator, cache))) return wnn_error_oom(error);
  }
  free_text(allocator, kernel->location);
  kernel->location = copy_text(allocator, path);
  return kernel->location ? WNN_OK : wnn_error_oom(error);
}

static wnn_status keep_files(wnn_kernel *kernel, const wnn_kernel_options *options, wnn_error *error) {
  for (size_t i = 0; i < options->file_count; i++) {
    const wnn_pack_file *file = &options->files[i];
    pk_blob *one = file->size <= PK_MAX_FILE ? pk_alloc(&kernel->vm, sizeof *one) : NULL;
    char *text = one ? pk_alloc(&kernel->vm, file->size + 1) : NULL;
    if (!text) return wnn_error_set(error, WNN_OUT_OF_MEMORY, "the files of the pack are too large");
    if (file->size) memcpy(text, file->data, file->size);
    one->name = pk_path(&kernel->vm, "%s", file->name ? file->name : "");
    one->data = text;
    one->size = file->size;
    one->next = kernel->files;
    kernel->files = one;
  }
  return WNN_OK;
}

static wnn_status read_pack(wnn_kernel *kernel, const char *location, const wnn_kernel_options *options,
                            wnn_error *error) {
  char *data;
  size_t size;
  wnn_status status = pk_read_file(kernel, "metadata.json", &data, &size, error);
  if (status != WNN_OK) {
    if (status == WNN_IO_ERROR && !kernel->location[0] && !options->file_count && !options->fetch)
      return wnn_error_set(error, WNN_IO_ERROR,
                           "%.200s is not among the packs shipped, in the search path or in the cache", location);
    return status;
  }
  bool good = pk_metadata_read(&kernel->vm, data, size, &kernel->metadata);
  wnn_mem_free(&kernel->allocator, data, size + 1);
  if (!good) return pk_vm_status(&kernel->vm, error);
  status = pk_read_file(kernel, "manifest.json", &data, &size, error);
  if (status != WNN_OK) return status;
  good = pk_manifest_read(&kernel->vm, data, size, &kernel->manifest) &&
         pk_metadata_matches(&kernel->vm, &kernel->metadata, &kernel->manifest);
  wnn_mem_free(&kernel->allocator, data, size + 1);
  if (!good) return pk_vm_status(&kernel->vm, error);
  const char *op = kernel->manifest.op, *slash = kernel->repository ? strchr(kernel->repository, '/') : NULL;
  if (options->expected_op && strcmp(options->expected_op, op))
    return wnn_error_set(error, WNN_DATA_ERROR, "the pack provides %s, not %.150s", op, options->expected_op);
  if (slash && !options->expected_op && strcmp(slash + 1, op))
    return wnn_error_set(error, WNN_DATA_ERROR,
                         "the repository %.150s provides %s: it must have the name of its operator", location, op);
  if (options->version >= 0 && kernel->metadata.version >= 0 && !options->revision &&
      kernel->metadata.version != (double)options->version)
    return wnn_error_set(error, WNN_IO_ERROR, "%.150s is there in version %.0f, not %lld", location,
                         kernel->metadata.version, (long long)options->version);
  kernel->twin = pk_find_twin(op);
  return WNN_OK;
}

wnn_status wnn_kernel_load(const char *location, const wnn_kernel_options *options, wnn_kernel **out,
                           wnn_error *error) {
  wnn_kernel_options defaults = WNN_KERNEL_OPTIONS_INIT;
  if (!options) options = &defaults;
  if (!location) return wnn_error_set(error, WNN_TYPE_ERROR, "a repository or a folder is needed");
  const wnn_allocator *allocator = options->allocator ? options->allocator : &wnn_default_allocator;
  wnn_kernel *kernel = wnn_mem_zalloc(allocator, sizeof *kernel);
  if (!kernel) return wnn_error_oom(error);
  kernel->allocator = *allocator;
  atomic_init(&kernel->references, 1);
  pthread_mutex_init(&kernel->lock, NULL);
  pk_vm_init(&kernel->vm, &kernel->allocator, LOAD_STEPS, LOAD_BYTES);
  kernel->verify = options->verify;
  kernel->strict = options->strict;
  kernel->fetch = options->fetch;
  kernel->fetch_user = options->fetch_user;
  kernel->device_kind = options->device_kind;
  kernel->device = options->device;
  if (kernel->device) pk_device_retain(kernel->device);
  kernel->location = copy_text(allocator, "");
  wnn_status status = kernel->location ? locate(kernel, location, options, error) : wnn_error_oom(error);
  if (status == WNN_OK) status = keep_files(kernel, options, error);
  if (status == WNN_OK) status = read_pack(kernel, location, options, error);
  if (status == WNN_OK)
    *out = kernel;
  else
    wnn_kernel_release(kernel);
  return status;
}

void wnn_kernel_release(wnn_kernel *kernel) {
  if (!kernel || atomic_fetch_sub(&kernel->references, 1) != 1) return;
  if (kernel->device) pthread_mutex_lock(&kernel->device->lock);
  for (size_t i = 0; i < PK_MAX_PLANS; i++)
    if (kernel->plans[i]) pk_plan_free(kernel->plans[i], kernel->device, &kernel->allocator);
  if (kernel->device) pthread_mutex_unlock(&kernel->device->lock);
  wnn_device_release(kernel->device);
  pk_vm_free(&kernel->vm);
  pthread_mutex_destroy(&kernel->lock);
  free_text(&kernel->allocator, kernel->location);
  free_text(&kernel->allocator, kernel->repository);
  free_text(&kernel->allocator, kernel->revision);
  free_text(&kernel->allocator, kernel->cache);
  wnn_allocator allocator = kernel->allocator;
  wnn_mem_free(&allocator, kernel, sizeof *kernel);
}
