/* Lowering as sessions use it. */
#ifndef WNN_ONNX_LOWER_H
#define WNN_ONNX_LOWER_H

#include "import.h"

/* Runs the import that im describes (model, builder, options set; options may be NULL) and stores the outputs that have
 * elements. On failure im->error says why. The caller frees im. */
wnn_status ox_lower_model(ox_import *im, wnn_named_operand *outputs, size_t *count);

#endif
