/* Test vectors: tensors and operator calls from JSON, runs through the public API, comparison of results. */
#ifndef WEBNN_TESTS_CONFORMANCE_VECTORS_H
#define WEBNN_TESTS_CONFORMANCE_VECTORS_H

#include <json-c/json.h>
#include <webnn/webnn.h>

enum { WHY = 1024, MAX_NAMES = 512 };

typedef struct tensor {
  wnn_desc desc;
  bool constant;
  size_t count, size; /* elements, bytes */
  void *bytes;        /* NULL when the JSON has no data */
  double *wide;       /* the values before rounding to the data type; NULL for a filled tensor */
} tensor;

/* Reads {"dataType", "shape", "data" | "fill", "constant"}. int4 and uint4 become int8 and uint8 when widen is set. */
bool tensor_parse(json_object *json, bool widen, tensor *out, char why[WHY]);
void tensor_free(tensor *t);

typedef enum metric { METRIC_ULP, METRIC_ABSOLUTE, METRIC_RELATIVE } metric;
typedef struct tolerance {
  metric metric;
  double value;    /* units in the last place, or the absolute or relative bound */
  double absolute; /* METRIC_RELATIVE: added */
} tolerance;

/* Compares bytes of the expected descriptor; on failure why lists the first elements that are off. */
bool tensor_compare(const tensor *expected, const void *actual, tolerance allowed, char why[WHY]);

/* How a graph is made and run. */
typedef enum operand_source { SOURCE_AS_GIVEN, SOURCE_ALL_CONSTANT, SOURCE_ALL_INPUTS } operand_source;

/* Operands of a builder by name, and what the calls need to keep. */
typedef struct session {
  wnn_context *context;
  wnn_builder *builder;
  operand_source source;
  bool widen;
  struct {
    const char *name;
    wnn_operand *operand;
    tensor tensor; /* of inputs */
    bool is_input;
  } names[MAX_NAMES];
  size_t name_count;
  struct kept *kept;
} session;

bool session_begin(session *s, wnn_context *context, operand_source source, char why[WHY]);
void session_end(session *s);
/* Memory until session_end. */
void *session_keep(session *s, size_t size);
wnn_operand *session_find(const session *s, const char *name);
bool session_add(session *s, const char *name, wnn_operand *operand);

/* Declares every input. On failure of a call *status is its status. */
bool session_inputs(session *s, json_object *inputs, wnn_status *status, char why[WHY]);
/* One operator: {"name", "arguments": [{name: value}, ...] or {name: value, ...}, "options"?, "outputs"}. Operands are
 * {"ref": name} or plain names. */
bool session_operator(session *s, json_object *op, const char *label, wnn_status *status, char why[WHY]);
/* Checks descriptors, builds, dispatches twice and compares. */
bool session_run(session *s, json_object *expected, tolerance allowed, char why[WHY]);

#endif
