/* Reading of flat vector files, and comparison of results. */
#ifndef WEBNN_TESTS_PORT_FLAT_H
#define WEBNN_TESTS_PORT_FLAT_H

#include <stdbool.h>
#include <stddef.h>
#include <webnn/webnn.h>

/* A file in memory. Reading past the end sets failed and gives zeros. */
typedef struct reader {
  const unsigned char *data;
  size_t size, at;
  bool failed;
} reader;

/* Bytes of a length, unaligned; NULL past the end. */
const void *read_bytes(reader *r, size_t size);
uint32_t read_u32(reader *r);
uint64_t read_u64(reader *r);
double read_f64(reader *r);

/* Names are counted bytes in the file. */
typedef struct text {
  const char *data;
  uint32_t size;
} text;
text read_text(reader *r);
bool text_is(text t, const char *string);
/* A terminated copy, cut to the room. */
const char *text_copy(text t, char *room, size_t size);

typedef struct flat_tensor {
  text name;
  wnn_desc desc;
  bool constant, filled;
  const void *data;   /* one element when filled */
  const double *wide; /* values before rounding, or NULL */
} flat_tensor;
bool read_tensor(reader *r, flat_tensor *out);
/* All bytes, filled ones written out. The caller frees them; NULL when there is no memory. */
void *flat_expand(const flat_tensor *t);

/* Whether every element passes: in units in the last place, or absolutely. why describes the first that does not. */
bool flat_compare(const flat_tensor *expected, const void *actual, bool absolute, double allowed, char *why,
                  size_t room);

#endif
