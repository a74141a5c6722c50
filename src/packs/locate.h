/* Finding packs in folders, and files. */
#ifndef WNN_PACKS_LOCATE_H
#define WNN_PACKS_LOCATE_H

#include <string.h>

#include "base/alloc.h"

/* The whole of a regular file of at most `most` bytes, with a zero byte behind it. */
bool pk_load_file(const wnn_allocator *allocator, const char *path, size_t most, char **data, size_t *size);
/* Writes a file at once, making the folders it lies in. */
bool pk_save_file(const char *path, const void *data, size_t size);
/* The folder of a pack's files: the given one or its build/webgpu. */
bool pk_find_folder(const char *folder, char *path, size_t room);
/* Looks for repository "owner/name" in folders separated by colons, as name and as owner/name. */
bool pk_find_in_path(const char *list, const char *repository, char *path, size_t room);
/* Among the packs shipped with the library or program. */
bool pk_find_shipped(const char *repository, char *path, size_t room);

#endif
