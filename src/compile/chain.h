/* Elementwise chains: what the arguments of a WNN_IR_CHAIN node hold. */
#ifndef WNN_COMPILE_CHAIN_H
#define WNN_COMPILE_CHAIN_H

#include "graph/ir.h"

enum { WNN_CHAIN_INPUTS = 10, WNN_CHAIN_STEPS = 24, WNN_CHAIN_OPERANDS = 3 };

typedef struct wnn_chain_step {
  uint16_t op; /* wnn_op */
  uint8_t operand_count;
  /* Below the node's input count: that input; from there on: the result of an earlier step. */
  uint8_t operands[WNN_CHAIN_OPERANDS];
  wnn_data_type type; /* of the result */
  const void *args;   /* argument struct of op */
} wnn_chain_step;

/* Every step's result has the shape of the node's output, which is the result of the last one. */
typedef struct wnn_chain {
  uint32_t step_count;
  const wnn_chain_step *steps;
} wnn_chain;

/* Whether a node of the table can be a step: its operation works element by element over operands that broadcast to
 * the output's shape. */
bool wnn_chainable(const wnn_ir *ir, const wnn_node *node);

#endif
