/* Arrays and tensors: memory, conversion, names of shapes. */
#include "array.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

bool cli_count(uint32_t rank, const uint32_t *shape, uint64_t *count) {
  *count = 1;
  bool empty = false;
  for (uint32_t i = 0; i < rank; i++) {
    if (!shape[i]) empty = true;
    if (shape[i] && *count > (uint64_t)CLI_MAX_ELEMENTS / shape[i]) return false;
    if (shape[i]) *count *= shape[i];
  }
  if (empty) *count = 0;
  return true;
}

bool cli_array_alloc(cli_array *array, const char *what) {
  uint64_t count;
  array->data = NULL;
  if (!cli_count(array->rank, array->shape, &count)) {
    cli_fail("%s: more than %d elements.", what, CLI_MAX_ELEMENTS);
    return false;
  }
  array->data = calloc(count ? (size_t)count : 1, (size_t)array->size);
  if (!array->data) cli_fail("%s: memory is short.", what);
  return array->data != NULL;
}

void cli_array_free(cli_array *array) {
  free(array->data);
  array->data = NULL;
}

double cli_half(uint16_t bits) {
  int exponent = bits >> 10 & 31, fraction = bits & 1023;
  double value = exponent == 31 ? (fraction ? NAN : INFINITY)
                 : exponent     ? ldexp(1024 + fraction, exponent - 25)
                                : ldexp(fraction, -24);
  return bits & 0x8000 ? -value : value;
}

static wnn_number number_at(char kind, int size, const void *data, uint64_t index) {
  const char *at = (const char *)data + index * (uint64_t)size;
  union {
    uint64_t u64;
    uint32_t u32;
    uint16_t u16;
    uint8_t u8;
    float f32;
    double f64;
  } v = {0};
  memcpy(&v, at, (size_t)size);
  if (kind == 'f') return wnn_number_double(size == 8 ? v.f64 : size == 4 ? (double)v.f32 : cli_half(v.u16));
  if (kind == 'b') return wnn_number_uint64(v.u8 != 0);
  if (kind == 'u') return wnn_number_uint64(size == 8 ? v.u64 : size == 4 ? v.u32 : size == 2 ? v.u16 : v.u8);
  int64_t wide;
  memcpy(&wide, &v.u64, sizeof wide);
  return wnn_number_int64(size == 8 ? wide : size == 4 ? (int32_t)v.u32 : size == 2 ? (int16_t)v.u16 : (int8_t)v.u8);
}

static void kind_of(wnn_data_type type, char *kind, int *size) {
  *size = (int)wnn_data_type_size(type);
  *kind = cli_is_float(type) ? 'f' : type == WNN_UINT8 || type == WNN_UINT32 || type == WNN_UINT64 ? 'u' : 'i';
}

bool cli_array_convert(const cli_array *array, const char *name, wnn_data_type type, cli_tensor *tensor) {
  uint64_t count;
  size_t size = wnn_data_type_size(type);
  *tensor = (cli_tensor){strdup(name), {type, array->rank, {0}}, NULL, 0};
  memcpy(tensor->desc.shape, array->shape, sizeof array->shape);
  if (!cli_count(array->rank, array->shape, &count)) return false;
  tensor->size = (size_t)count * size;
  tensor->data = malloc(tensor->size ? tensor->size : 1);
  if (!tensor->name || !tensor->data) {
    cli_tensor_free(tensor);
    cli_fail("Memory is short.");
    return false;
  }
  for (uint64_t i = 0; i < count; i++)
    wnn_number_store(number_at(array->kind, array->size, array->data, i), type, (char *)tensor->data + i * size);
  return true;
}

double cli_element(const wnn_desc *desc, const void *data, uint64_t index) {
  char kind;
  int size;
  kind_of(desc->data_type, &kind, &size);
  wnn_number n = number_at(kind, size, data, index);
  return n.kind == WNN_NUMBER_DOUBLE  ? n.value.f64
         : n.kind == WNN_NUMBER_INT64 ? (double)n.value.i64
                                      : (double)n.value.u64;
}

bool cli_is_float(wnn_data_type type) { return type == WNN_FLOAT32 || type == WNN_FLOAT16; }

cli_tensor *cli_tensors_find(const cli_tensors *tensors, const char *name) {
  for (size_t i = 0; i < tensors->count; i++)
    if (!strcmp(tensors->at[i].name, name)) return &tensors->at[i];
  return NULL;
}

bool cli_tensors_add(cli_tensors *tensors, cli_tensor *tensor) {
  cli_tensor *old = cli_tensors_find(tensors, tensor->name);
  if (old) {
    cli_tensor_free(old);
    *old = *tensor;
    return true;
  }
  cli_tensor *grown = realloc(tensors->at, (tensors->count + 1) * sizeof *grown);
  if (!grown) {
    cli_tensor_free(tensor);
    cli_fail("Memory is short.");
    return false;
  }
  tensors->at = grown;
  grown[tensors->count++] = *tensor;
  return true;
}

void cli_tensor_free(cli_tensor *tensor) {
  free(tensor->name);
  free(tensor->data);
  tensor->name = NULL;
  tensor->data = NULL;
}

void cli_tensors_free(cli_tensors *tensors) {
  for (size_t i = 0; i < tensors->count; i++) cli_tensor_free(&tensors->at[i]);
  free(tensors->at);
  *tensors = (cli_tensors){NULL, 0};
}

const char *cli_shape_text(uint32_t rank, const uint32_t *shape, char text[CLI_SHAPE_TEXT]) {
  size_t used = 0;
  if (!rank) snprintf(text, CLI_SHAPE_TEXT, "scalar");
  for (uint32_t i = 0; i < rank && i < WNN_MAX_RANK; i++)
    used += (size_t)snprintf(text + used, CLI_SHAPE_TEXT - used, "%s%u", i ? "x" : "", shape[i]);
  return text;
}

const char *cli_desc_text(const wnn_desc *desc, char text[CLI_SHAPE_TEXT]) {
  char shape[CLI_SHAPE_TEXT];
  cli_shape_text(desc->rank, desc->shape, shape);
  snprintf(text, CLI_SHAPE_TEXT, "%s %.80s", wnn_data_type_name(desc->data_type), shape);
  return text;
}

bool cli_parse_shape(const char *text, uint32_t *rank, uint32_t shape[WNN_MAX_RANK]) {
  *rank = 0;
  if (!strcmp(text, "scalar") || !*text) return true;
  for (;;) {
    char *end;
    if (*text < '0' || *text > '9' || *rank == WNN_MAX_RANK) return false;
    unsigned long long size = strtoull(text, &end, 10);
    if (size > INT32_MAX) return false;
    shape[(*rank)++] = (uint32_t)size;
    if (!*end) return true;
    if (!strchr("xX,", *end)) return false;
    text = end + 1;
  }
}

char *cli_read_file(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  size_t room = 1 << 16;
  char *data = file ? malloc(room) : NULL;
  *size = 0;
  while (data) {
    *size += fread(data + *size, 1, room - *size - 1, file);
    if (ferror(file) || *size < room - 1) break;
    char *grown = realloc(data, room *= 2);
    if (!grown) free(data);
    data = grown;
  }
  if (!data || ferror(file)) {
    cli_fail("%s cannot be read.", path);
    free(data);
    data = NULL;
  } else {
    data[*size] = 0;
  }
  if (file) fclose(file);
  return data;
}

bool cli_has_suffix(const char *path, const char *suffix) {
  size_t length = strlen(path), tail = strlen(suffix);
  return length > tail && !strcasecmp(path + length - tail, suffix);
}

bool cli_is_folder(const char *path) {
  struct stat facts;
  return !stat(path, &facts) && S_ISDIR(facts.st_mode);
}

void cli_file_name(const char *folder, const char *name, const char *suffix, char *path, size_t size) {
  int used = snprintf(path, size, "%s/", folder);
  for (; *name && used >= 0 && (size_t)used + 4 + strlen(suffix) < size; name++) {
    unsigned char c = (unsigned char)*name;
    bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '-' ||
                 (c == '.' && path[used - 1] != '/');
    used += snprintf(path + used, size - (size_t)used, plain ? "%c" : "%%%02X", c);
  }
  if (used >= 0 && (size_t)used < size) snprintf(path + used, size - (size_t)used, "%s", suffix);
}
