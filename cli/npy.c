/* NumPy's files: .npy (one array) and .npz (a zip of them). */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zip.h>

#include "array.h"

static const char magic[] = "\x93NUMPY";
static const union {
  uint16_t word;
  uint8_t byte;
} order = {1};

/* The value of a key of the header, a Python dictionary such as
 * {'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }. */
static const char *entry(const char *header, const char *key) {
  const char *at = strstr(header, key);
  at = at ? strchr(at, ':') : NULL;
  return at ? at + 1 + strspn(at + 1, " ") : NULL;
}

static void swap_elements(char *data, uint64_t count, int size) {
  for (uint64_t i = 0; i < count; i++, data += size)
    for (int a = 0, b = size - 1; a < b; a++, b--) {
      char byte = data[a];
      data[a] = data[b];
      data[b] = byte;
    }
}

/* Column-major elements in row-major order. */
static bool reorder(cli_array *array, uint64_t count) {
  char *from = array->data, *to = malloc(count ? (size_t)count * (size_t)array->size : 1);
  if (!to) return false;
  uint32_t at[WNN_MAX_RANK] = {0};
  for (uint64_t i = 0; i < count; i++) {
    uint64_t place = 0, step = 1;
    for (uint32_t d = 0; d < array->rank; d++) {
      place += at[d] * step;
      step *= array->shape[d];
    }
    memcpy(to + i * (uint64_t)array->size, from + place * (uint64_t)array->size, (size_t)array->size);
    for (uint32_t d = array->rank; d-- > 0 && ++at[d] == array->shape[d];) at[d] = 0;
  }
  free(from);
  array->data = to;
  return true;
}

static bool parse_header(const char *header, cli_array *array, bool *fortran, bool *swapped) {
  const char *descr = entry(header, "'descr'"), *layout = entry(header, "'fortran_order'"),
             *shape = entry(header, "'shape'");
  if (!descr || !layout || !shape || *descr != '\'' || *shape != '(') return false;
  char mark = descr[1];
  if (!mark || !strchr("<>|=", mark)) return false;
  array->kind = descr[2];
  array->size = array->kind ? atoi(descr + 3) : 0;
  bool known = (array->kind == 'f' && (array->size == 2 || array->size == 4 || array->size == 8)) ||
               ((array->kind == 'i' || array->kind == 'u') &&
                (array->size == 1 || array->size == 2 || array->size == 4 || array->size == 8)) ||
               (array->kind == 'b' && array->size == 1);
  *swapped = mark == (order.byte ? '>' : '<');
  *fortran = !strncmp(layout, "True", 4);
  array->rank = 0;
  for (shape++; known && *shape && *shape != ')';) {
    char *end;
    if (*shape == ' ' || *shape == ',') {
      shape++;
      continue;
    }
    unsigned long long size = strtoull(shape, &end, 10);
    if (end == shape || size > UINT32_MAX || array->rank == WNN_MAX_RANK) return false;
    array->shape[array->rank++] = (uint32_t)size;
    shape = end;
  }
  return known;
}

static bool parse_npy(const char *what, const char *bytes, size_t size, cli_array *array) {
  size_t start = 0, length = 0;
  const unsigned char *head = (const unsigned char *)bytes;
  if (size >= 10 && !memcmp(bytes, magic, 6) && head[6] == 1) {
    start = 10;
    length = head[8] | (size_t)head[9] << 8;
  } else if (size >= 12 && !memcmp(bytes, magic, 6) && (head[6] == 2 || head[6] == 3)) {
    start = 12;
    length = head[8] | (size_t)head[9] << 8 | (size_t)head[10] << 16 | (size_t)head[11] << 24;
  }
  if (!start || length > size - start || length > 65536) {
    cli_fail("%s is no .npy file.", what);
    return false;
  }
  char *header = strndup(bytes + start, length);
  bool fortran, swapped, known = header && parse_header(header, array, &fortran, &swapped);
  free(header);
  if (!known) {
    cli_fail("%s: arrays of this type or shape are not known (bool, integers, floats; rank up to %d).", what,
             WNN_MAX_RANK);
    return false;
  }
  uint64_t count;
  if (!cli_array_alloc(array, what) || !cli_count(array->rank, array->shape, &count)) return false;
  if (count * (uint64_t)array->size > size - start - length) {
    cli_fail("%s is cut short.", what);
    cli_array_free(array);
    return false;
  }
  memcpy(array->data, bytes + start + length, (size_t)count * (size_t)array->size);
  if (swapped) swap_elements(array->data, count, array->size);
  if (fortran && array->rank > 1 && count && !reorder(array, count)) {
    cli_fail("%s: memory is short.", what);
    cli_array_free(array);
    return false;
  }
  return true;
}

bool cli_read_npy(const char *path, cli_array *array) {
  size_t size;
  char *bytes = cli_read_file(path, &size);
  bool done = bytes && parse_npy(path, bytes, size, array);
  free(bytes);
  return done;
}

static bool read_member(zip_t *archive, zip_uint64_t index, const char *path, cli_array_fn take, void *user) {
  zip_stat_t stat;
  if (zip_stat_index(archive, index, 0, &stat) || !(stat.valid & ZIP_STAT_SIZE) || !(stat.valid & ZIP_STAT_NAME) ||
      stat.size > (zip_uint64_t)CLI_MAX_ELEMENTS * 8) {
    cli_fail("%s: a member cannot be read.", path);
    return false;
  }
  if (!cli_has_suffix(stat.name, ".npy")) return true;
  char *bytes = malloc((size_t)stat.size + 1), *name = strndup(stat.name, strlen(stat.name) - 4);
  zip_file_t *file = zip_fopen_index(archive, index, 0);
  bool read = bytes && name && file && zip_fread(file, bytes, stat.size) == (zip_int64_t)stat.size;
  if (file) zip_fclose(file);
  cli_array array;
  if (!read) cli_fail("%s: %s cannot be read.", path, stat.name);
  bool done = read && parse_npy(stat.name, bytes, (size_t)stat.size, &array);
  free(bytes);
  if (done) done = take(user, name, &array);
  free(name);
  return done;
}

bool cli_read_npz(const char *path, cli_array_fn take, void *user) {
  int code;
  zip_t *archive = zip_open(path, ZIP_RDONLY, &code);
  if (!archive) {
    zip_error_t error;
    zip_error_init_with_code(&error, code);
    cli_fail("%s: %s.", path, zip_error_strerror(&error));
    zip_error_fini(&error);
    return false;
  }
  bool done = true;
  zip_int64_t count = zip_get_num_entries(archive, 0);
  for (zip_int64_t i = 0; done && i < count; i++) done = read_member(archive, (zip_uint64_t)i, path, take, user);
  zip_discard(archive);
  return done;
}

bool cli_write_npy(const char *path, const wnn_desc *desc, const void *data, size_t size) {
  char header[256];
  int used =
      snprintf(header, sizeof header, "{'descr': '%c%c%zu', 'fortran_order': False, 'shape': (",
               wnn_data_type_size(desc->data_type) == 1 ? '|'
               : order.byte                             ? '<'
                                                        : '>',
               cli_is_float(desc->data_type)                                                                    ? 'f'
               : desc->data_type == WNN_UINT8 || desc->data_type == WNN_UINT32 || desc->data_type == WNN_UINT64 ? 'u'
                                                                                                                : 'i',
               wnn_data_type_size(desc->data_type));
  for (uint32_t i = 0; i < desc->rank; i++)
    used +=
        snprintf(header + used, sizeof header - (size_t)used, "%u,%s", desc->shape[i], i + 1 < desc->rank ? " " : "");
  used += snprintf(header + used, sizeof header - (size_t)used, "), }");
  while ((10 + used + 1) % 64) header[used++] = ' '; /* data starts at a multiple of 64 */
  header[used++] = '\n';
  const unsigned char version[4] = {1, 0, (unsigned char)(used & 255), (unsigned char)(used >> 8)};
  FILE *file = fopen(path, "wb");
  bool done = file && fwrite(magic, 1, 6, file) == 6 && fwrite(version, 1, 4, file) == 4 &&
              fwrite(header, 1, (size_t)used, file) == (size_t)used && fwrite(data, 1, size, file) == size;
  if (file && fclose(file)) done = false;
  if (!done) cli_fail("%s cannot be written: %s.", path, strerror(errno));
  return done;
}
