/* Small models from JSON, as bytes of the ONNX format:
 *
 *   { "opset": 18, "opsets": {"com.microsoft": 1}?, "nodes": [{"opType", "domain"?, "inputs", "outputs",
 * "attributes"?}], "graphInputs": [name], "graphOutputs": [name], "initializers": {name: TENSOR}? } TENSOR: {
 * "dataType", "shape", "data" }
 *
 * Attributes: integers, reals, strings and lists of them stand for themselves; {"float": x} and {"floats": [...]} for
 * reals that JSON would take for integers, {"ints": []} for an empty list, a TENSOR, or a graph ({"nodes", "inputs"?,
 * "outputs"?, "initializers"?}). `to` and `dtype` may be the name of a type. */
#ifndef WEBNN_TESTS_ONNX_ENCODE_H
#define WEBNN_TESTS_ONNX_ENCODE_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct bytes {
  uint8_t *data;
  size_t size, capacity;
} bytes;
void bytes_free(bytes *b);

/* feeds: TENSORs by name, for the types and shapes of the graph inputs. False when the JSON does not fit. */
bool encode_model(json_object *model, json_object *feeds, bytes *out);

/* Code of an ONNX data type by the names used here; 0 when unknown. */
int encode_type(const char *name);
/* Elements of {"dataType", "shape", "data"} as raw little-endian bytes of the type. */
bool encode_elements(json_object *tensor, bytes *out);

/* The wire format: fields of a message. */
void put_bits(bytes *b, const void *data, size_t size); /* as they are */
void put_varint(bytes *b, uint64_t value);
void put_int(bytes *b, uint32_t field, int64_t value);
void put_bytes(bytes *b, uint32_t field, const void *data, size_t size);
void put_text(bytes *b, uint32_t field, const char *text);
void put_message(bytes *b, uint32_t field, bytes *message); /* frees it */

/* Parts of a model by hand: a node with one input (NULL: none) and one output, an input (field 11) or output (12) of
 * the graph, the model around a graph, at opset 17. */
void put_node(bytes *graph, const char *op, const char *input, const char *output);
void put_port(bytes *graph, uint32_t field, const char *name, int data_type, const int64_t *sizes, int count);
void finish_model(bytes *graph, bytes *model);

#endif
