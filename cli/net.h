/* A model as nodes and edges, laid out in layers, for pictures. */
#ifndef WNN_CLI_NET_H
#define WNN_CLI_NET_H

#include "request.h"

typedef enum cli_net_kind { CLI_NET_NODE, CLI_NET_INPUT, CLI_NET_OUTPUT, CLI_NET_BEND } cli_net_kind;
typedef struct cli_net_node {
  cli_net_kind kind;
  const char *name;  /* of the node, or of its first output; of inputs and outputs their own */
  const char *title; /* operator or "input", "output" */
  const char *tensor;
  char shape[CLI_SHAPE_TEXT]; /* of its first result, "" when not known */
  const char *group;          /* of inlined subgraphs: the node of the main graph that holds them; else NULL */
  double share;               /* of the time, 0 to 1 */
  uint32_t layer, order;
  double x, y;
} cli_net_node;
typedef struct cli_net_edge {
  uint32_t from, to;
} cli_net_edge;

typedef struct cli_net {
  cli_net_node *nodes;
  cli_net_edge *edges; /* as in the model; after layout those between neighbour layers, through bends */
  size_t node_count, edge_count, node_room, edge_room;
  uint32_t layers;
  double width, height;
} cli_net;

/* Nodes that end in constants are left out, unless all. Shapes and the insides of nodes with subgraphs are there when
 * the sizes of all inputs are settled; nodes of one group follow one another. */
bool cli_net_make(cli_request *r, bool all, cli_net *net);
bool cli_net_layout(cli_net *net);
void cli_net_free(cli_net *net);
/* The picture; cli_net_layout comes first. */
void cli_net_svg(const cli_net *net, FILE *out);
void cli_net_dot(const cli_net *net, FILE *out);

/* Text with the characters escaped that XML gives a meaning, cut to `most` bytes with dots. */
void cli_put_xml(FILE *out, const char *text, size_t most);

#endif
