/* Finding packs: folders beside the library, search paths, the cache, fetching. */
#define _GNU_SOURCE /* dladdr */
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "packs/locate.h"

enum { PATH_ROOM = 4096 };

/* ---- Files ------------------------------------------------------------------------------------------------------ */

bool pk_load_file(const wnn_allocator *allocator, const char *path, size_t most, char **data, size_t *size) {
  FILE *file = fopen(path, "rb");
  if (!file) return false;
  struct stat facts;
  char *bytes = NULL;
  bool good =
      !fstat(fileno(file), &facts) && S_ISREG(facts.st_mode) && facts.st_size >= 0 && (uint64_t)facts.st_size <= most;
  size_t length = good ? (size_t)facts.st_size : 0;
  if (good) bytes = wnn_mem_alloc(allocator, length + 1);
  good = good && bytes && fread(bytes, 1, length, file) == length;
  fclose(file);
  if (!good) {
    wnn_mem_free(allocator, bytes, length + 1);
    return false;
  }
  bytes[length] = 0;
  *data = bytes;
  *size = length;
  return true;
}

static bool make_folders(char *path) {
  for (char *at = path + 1; *at; at++) {
    if (*at != '/') continue;
    *at = 0;
    bool good = !mkdir(path, 0777) || errno == EEXIST;
    *at = '/';
    if (!good) return false;
  }
  return true;
}

bool pk_save_file(const char *path, const void *data, size_t size) {
  char temporary[PATH_ROOM];
  int n = snprintf(temporary, sizeof temporary, "%s.XXXXXX", path);
  if (n <= 0 || n >= PATH_ROOM || !make_folders(temporary)) return false;
  int file = mkstemp(temporary); /* a reader never sees half a file */
  if (file < 0) return false;
  bool good = true;
  for (size_t done = 0; good && done < size;) {
    ssize_t written = write(file, (const char *)data + done, size - done);
    good = written > 0;
    if (good) done += (size_t)written;
  }
  good = !close(file) && good && !rename(temporary, path);
  if (!good) unlink(temporary);
  return good;
}

/* ---- Folders ---------------------------------------------------------------------------------------------------- */

static bool is_pack(const char *folder) {
  char path[PATH_ROOM];
  int n = snprintf(path, sizeof path, "%s/metadata.json", folder);
  return n > 0 && n < PATH_ROOM && access(path, R_OK) == 0;
}

/* A pack is its files, or holds them in build/webgpu. */
bool pk_find_folder(const char *folder, char *path, size_t room) {
  int n = snprintf(path, room, "%s", folder);
  if (n > 0 && (size_t)n < room && is_pack(path)) return true;
  n = snprintf(path, room, "%s/build/webgpu", folder);
  return n > 0 && (size_t)n < room && is_pack(path);
}

static bool find_under(const char *root, size_t root_length, const char *owner, size_t owner_length, const char *name,
                       char *path, size_t room) {
  char folder[PATH_ROOM];
  int n = snprintf(folder, sizeof folder, "%.*s/%s", (int)root_length, root, name);
  if (n > 0 && n < PATH_ROOM && pk_find_folder(folder, path, room)) return true;
  n = snprintf(folder, sizeof folder, "%.*s/%.*s/%s", (int)root_length, root, (int)owner_length, owner, name);
  return n > 0 && n < PATH_ROOM && pk_find_folder(folder, path, room);
}

bool pk_find_in_path(const char *list, const char *repository, char *path, size_t room) {
  const char *slash = strchr(repository, '/');
  if (!list || !slash) return false;
  for (const char *at = list;; at++) {
    const char *end = strchr(at, ':');
    size_t length = end ? (size_t)(end - at) : strlen(at);
    if (length && length < PATH_ROOM &&
        find_under(at, length, repository, (size_t)(slash - repository), slash + 1, path, room))
      return true;
    if (!end) return false;
    at = end;
  }
}

/* Looks in packs and share/webnn/packs beside a file and in the folders above it. */
static bool find_beside(char *file, const char *repository, char *path, size_t room) {
  const char *slash = strchr(repository, '/');
  for (int level = 0; level < 7; level++) {
    char *cut = strrchr(file, '/');
    if (!cut) return false;
    *cut = 0;
    static const char *const places[] = {"packs", "share/webnn/packs"};
    for (int i = 0; i < 2; i++) {
      char root[PATH_ROOM];
      int n = snprintf(root, sizeof root, "%s/%s", file, places[i]);
      if (n > 0 && n < PATH_ROOM &&
          find_under(root, (size_t)n, repository, (size_t)(slash - repository), slash + 1, path, room))
        return true;
    }
  }
  return false;
}

bool pk_find_shipped(const char *repository, char *path, size_t room) {
  char file[PATH_ROOM];
  Dl_info info;
  void *self;
  bool (*own)(const char *, char *, size_t) = pk_find_shipped;
  memcpy(&self, &own, sizeof self); /* a function's address as an object's, which dladdr takes */
  if (dladdr(self, &info) && info.dli_fname && strchr(info.dli_fname, '/') && realpath(info.dli_fname, file) &&
      find_beside(file, repository, path, room))
    return true;
  ssize_t n = readlink("/proc/self/exe", file, sizeof file - 1);
  if (n <= 0) return false;
  file[n] = 0;
  return find_beside(file, repository, path, room);
}
