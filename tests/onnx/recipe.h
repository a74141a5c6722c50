/* Inputs of golden files, made from their recipes. */
#ifndef WEBNN_TESTS_ONNX_RECIPE_H
#define WEBNN_TESTS_ONNX_RECIPE_H

#include <json-c/json.h>
#include <webnn/webnn_onnx.h>

/* Descriptor from {"dtype", "shape"}; false when the runner does not know it. bool is uint8. */
bool recipe_desc(json_object *json, wnn_desc *desc);
/* Elements of an input of the descriptor, from malloc; NULL with a reason. font: the folder's font5x7.json. previous:
 * outputs of the step before, for "prev". */
void *recipe_data(json_object *recipe, const wnn_desc *desc, json_object *font, const wnn_onnx_result *previous,
                  const char **why);
/* Element number index of host memory as a double. */
double recipe_element(wnn_data_type type, const void *data, size_t index);

#endif
