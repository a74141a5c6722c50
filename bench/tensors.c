/* Tensors of the benchmark: the same pseudo-random inputs for every engine. */
#include "engine.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void bench_die(const char *format, ...) {
  va_list list;
  va_start(list, format);
  fputs("webnn-bench: ", stderr);
  vfprintf(stderr, format, list);
  fputc('\n', stderr);
  va_end(list);
  exit(1);
}

static const struct type {
  const char *name;
  int onnx;
  size_t size;
} types[] = {{"float32", 1, 4}, {"uint8", 2, 1}, {"int8", 3, 1}, {"int32", 6, 4}, {"int64", 7, 8}, {"bool", 9, 1}};

size_t bench_type_size(int onnx_type) {
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (types[i].onnx == onnx_type) return types[i].size;
  return 0;
}

/* A linear congruential step. */
static uint32_t next(uint32_t *state) { return *state = *state * 1664525u + 1013904223u; }
static float unit(uint32_t *state) { return (float)(next(state) >> 8) / 16777216.0f; }

static void fill_floats(float *data, size_t count, const char *fill, uint32_t seed) {
  for (size_t i = 0; i < count; i++) {
    if (!strcmp(fill, "uniform"))
      data[i] = 2 * unit(&seed) - 1;
    else if (!strcmp(fill, "positive"))
      data[i] = 0.1f + unit(&seed);
    else if (!strcmp(fill, "zero"))
      data[i] = 0;
    else
      bench_die("unknown fill %s of float32", fill);
  }
}

static void fill_integers(const bench_tensor *tensor, size_t count, const char *fill, uint32_t seed) {
  const bool ids = !strncmp(fill, "ids:", 4), value = !strncmp(fill, "value:", 6);
  const long argument = ids ? atol(fill + 4) : value ? atol(fill + 6) : 0;
  if (ids && argument <= 0) bench_die("bad fill %s", fill);
  for (size_t i = 0; i < count; i++) {
    const uint32_t random = next(&seed) >> 8;
    const int64_t item = ids ? (int64_t)(random % (uint32_t)argument) : value ? argument : (int64_t)(random & 127);
    if (tensor->onnx_type == 7)
      memcpy((char *)tensor->data + 8 * i, &item, 8);
    else if (tensor->onnx_type == 6)
      ((int32_t *)tensor->data)[i] = (int32_t)item;
    else
      ((uint8_t *)tensor->data)[i] = (uint8_t)item;
  }
}

void bench_tensor_make(bench_tensor *tensor, const char *name, const char *type, const char *dims, const char *fill) {
  *tensor = (bench_tensor){.name = name, .value = !strncmp(fill, "value:", 6)};
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (!strcmp(types[i].name, type)) tensor->onnx_type = types[i].onnx, tensor->size = types[i].size;
  if (!tensor->onnx_type) bench_die("unknown type %s", type);
  size_t count = 1;
  for (const char *at = dims; *at && strcmp(dims, "-");) {
    char *end;
    errno = 0;
    const unsigned long dim = strtoul(at, &end, 10);
    if (end == at || errno || !dim || dim > 1u << 30 || tensor->rank == BENCH_MAX_RANK || (*end && *end != ','))
      bench_die("bad dimensions %s", dims);
    tensor->dims[tensor->rank++] = (uint32_t)dim;
    count *= dim;
    at = *end ? end + 1 : end;
  }
  const size_t element = tensor->size;
  tensor->size = count * element;
  if (posix_memalign(&tensor->data, 64, tensor->size)) bench_die("no memory for %s", name);
  uint32_t seed = 99;
  for (const char *c = name; *c; c++) seed = seed * 31 + (unsigned char)*c;
  if (tensor->onnx_type == 1)
    fill_floats(tensor->data, count, fill, seed);
  else
    fill_integers(tensor, count, fill, seed);
}
