/* Engines of the benchmark, and the tensors given to them. */
#ifndef BENCH_ENGINE_H
#define BENCH_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BENCH_MAX_TENSORS = 32, BENCH_MAX_RANK = 8 };

/* A tensor in memory of ours. */
typedef struct bench_tensor {
  const char *name;
  int onnx_type; /* number of the element type in ONNX */
  uint32_t rank;
  uint32_t dims[BENCH_MAX_RANK];
  size_t size; /* bytes */
  void *data;
  bool value; /* steers the graph: bound when it is made */
} bench_tensor;

typedef struct bench_job {
  const char *model, *library;
  const char *network; /* ours only: built, instead of the model read */
  unsigned threads;
  uint64_t features, disabled_passes; /* ours only */
  bool profile;
  bench_tensor inputs[BENCH_MAX_TENSORS];
  size_t input_count;
  const char *outputs[BENCH_MAX_TENSORS];
  size_t output_count;
} bench_job;

/* An engine: load makes the model ready, run executes once. Both end the process with a message on failure. */
typedef struct bench_engine {
  const char *name;
  void *(*load)(const bench_job *job);
  void (*run)(void *state);
  /* Bytes of an output after a run; valid until the next run. */
  const void *(*output)(void *state, size_t index, size_t *size);
  /* Prints what the engine knows of its steps. */
  void (*steps)(void *state);
} bench_engine;

extern const bench_engine bench_ours, bench_peer;

/* Parses a type name, dimensions such as 1,3,224,224 (or "-" for rank 0) and a fill: uniform (-1 to 1), positive (0.1
 * to 1.1), zero, ids:N, value:N. Ends the process with a message when they are malformed. */
void bench_tensor_make(bench_tensor *tensor, const char *name, const char *type, const char *dims, const char *fill);
/* Bytes of an element of an ONNX type; 0 for the unknown. */
size_t bench_type_size(int onnx_type);
/* Prints a message and ends the process. */
_Noreturn void bench_die(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
