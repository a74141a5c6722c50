/* Intermediate tensors of a model: which there are, and their values on an engine. */
#ifndef WNN_CLI_TAPPING_H
#define WNN_CLI_TAPPING_H

#include "request.h"

typedef struct cli_tapped {
  const char *tensor, *node, *op;
  wnn_desc desc;
  bool output;          /* of the model */
  wnn_operand *operand; /* only while a graph is made */
  void *data;           /* of a run; NULL when not looked at */
} cli_tapped;
typedef struct cli_taps {
  cli_tapped *at; /* intermediate tensors in the order of the model, then its outputs */
  size_t count, outputs, room;
  bool short_of_memory;
} cli_taps;

/* The tensors of the model for the inputs of the request, without values. Binds inputs whose value the graph needs. */
bool cli_taps_find(cli_request *r, wnn_context *context, cli_taps *taps);
/* Runs the model with the tensors first .. end - 1 of `shape` as outputs, and stores their values. */
bool cli_taps_run(cli_request *r, wnn_context *context, const cli_taps *shape, size_t first, size_t end,
                  cli_taps *taps);
void cli_taps_free(cli_taps *taps);

#endif
