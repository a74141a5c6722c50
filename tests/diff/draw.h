/* Random graphs as they are drawn: values with bounds of their magnitude and of their rounding error. */
#ifndef DIFF_DRAW_H
#define DIFF_DRAW_H

#include <math.h>

#include "base/dtype.h"
#include "base/shape.h"
#include "support/test.h"

enum { MOST_VALUES = 90, MOST_INPUTS = 24, MOST_NODES = 50, MOST_ELEMENTS = 20000 };

typedef struct value {
  wnn_operand *operand;
  wnn_desc desc;
  double bound, error; /* of floats */
  bool used;
} value;

typedef struct drawing {
  wnn_builder *builder;
  value values[MOST_VALUES];
  uint32_t count, nodes, given; /* given: values that are inputs, the first ones */
  wnn_desc inputs[MOST_INPUTS];
  uint32_t input_count;         /* weights may be inputs, too */
  uint32_t times[WNN_OP_COUNT]; /* that an operation occurs */
  char text[8192];              /* the operations, for messages */
} drawing;

extern const char *const input_names[MOST_INPUTS];

/* The graph of a seed: the same operations in every context. */
void draw(drawing *d, uint64_t from);

uint32_t pick(uint32_t low, uint32_t high);
bool chance(uint32_t one_in);
double unit_of(wnn_data_type type);
/* A value that fits, of some tries; NULL when none was found. */
value *choose(drawing *d, bool (*fits)(const value *));
bool tame(const value *v); /* a float of modest size */
bool image(const value *v);
bool has_axis(const value *v);
bool small_half(wnn_data_type type, double bound);
/* Adds a node; its outputs are kept with these bounds. */
bool add(drawing *d, int op, const void *args, value *const *operands, uint32_t count, uint32_t outputs, double bound,
         double error);
/* A constant, or (when may_be_input) sometimes an input of the graph; numbers lie in low to high, of an input in -2 to
 * 2. The bound that holds is stored. */
value weight(drawing *d, const wnn_desc *desc, double low, double high, bool may_be_input);
/* Constant integers. */
value integers_of(drawing *d, const wnn_desc *desc, const int64_t *items);

/* layers.c: operations with weights or indices. False when nothing was added. */
bool add_convolution(drawing *d, int op);
bool add_batch_normalization(drawing *d);
bool add_recurrent(drawing *d, int op);
bool add_indexed(drawing *d, int op);
bool add_quantization(drawing *d, int op);

#endif
