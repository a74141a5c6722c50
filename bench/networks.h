/* The networks of the benchmark through the builder. */
#ifndef BENCH_NETWORKS_H
#define BENCH_NETWORKS_H

#include <webnn/webnn.h>

/* Adds a network to a builder and returns its result; inputs are named x0, x1. Ends the process when it cannot. */
wnn_operand *bench_network(const char *name, wnn_builder *builder);

#endif
