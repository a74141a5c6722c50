/* From a model to nodes and edges. */
#include "net.h"

#include <stdlib.h>
#include <string.h>

/* What is known about a tensor: who makes it, whether it ended as a constant, its shape. */
typedef struct fact {
  const char *name;
  uint32_t maker; /* 1 + node of the net */
  bool tapped, constant;
  wnn_desc desc;
  const void *operand;
} fact;

/* A node of an inlined subgraph or function, and the tensor of the main graph that it led to. */
typedef struct inner_node {
  wnn_onnx_tapped tapped;
  const char *owner;
} inner_node;

typedef struct facts {
  fact *at;
  size_t room, count;
  inner_node *inner;
  size_t inner_room, inner_count, owned; /* owned: those whose owner is known */
  bool short_of_memory;
} facts;

static uint64_t hash(const char *name) {
  uint64_t h = UINT64_C(14695981039346656037);
  for (; *name; name++) h = (h ^ (unsigned char)*name) * UINT64_C(1099511628211);
  return h;
}

static fact *slot(fact *at, size_t room, const char *name) {
  size_t i = (size_t)hash(name) & (room - 1);
  while (at[i].name && strcmp(at[i].name, name)) i = (i + 1) & (room - 1);
  return &at[i];
}

static fact *find(const facts *f, const char *name) {
  if (!f->room || !*name) return NULL;
  fact *found = slot(f->at, f->room, name);
  return found->name ? found : NULL;
}

static fact *make(facts *f, const char *name) {
  if (2 * (f->count + 1) > f->room) {
    size_t room = f->room ? f->room * 2 : 256;
    fact *grown = calloc(room, sizeof *grown);
    if (!grown) {
      f->short_of_memory = true;
      return NULL;
    }
    for (size_t i = 0; i < f->room; i++)
      if (f->at[i].name) *slot(grown, room, f->at[i].name) = f->at[i];
    free(f->at);
    f->at = grown;
    f->room = room;
  }
  fact *found = slot(f->at, f->room, name);
  if (!found->name) {
    found->name = name;
    f->count++;
  }
  return found;
}

static void keep_inner(facts *f, const wnn_onnx_tapped *tapped) {
  if (!tapped->operand || tapped->input) return;
  if (f->inner_count == f->inner_room) {
    size_t room = f->inner_room ? f->inner_room * 2 : 256;
    inner_node *grown = realloc(f->inner, room * sizeof *grown);
    if (!grown) {
      f->short_of_memory = true;
      return;
    }
    f->inner = grown;
    f->inner_room = room;
  }
  f->inner[f->inner_count++] = (inner_node){*tapped, NULL};
}

static void tap(void *user, const wnn_onnx_tapped *tapped) {
  facts *f = user;
  if (tapped->depth) {
    keep_inner(f, tapped);
    return;
  }
  while (f->owned < f->inner_count) f->inner[f->owned++].owner = tapped->tensor;
  fact *made = make(f, tapped->tensor);
  if (!made) return;
  made->tapped = true;
  made->constant = !tapped->operand;
  made->desc = tapped->desc;
  made->operand = tapped->operand;
}

/* Lowers the model to learn shapes and constants. A failure only means that they stay unknown. */
static void learn(cli_request *r, facts *f) {
  wnn_context *context;
  wnn_builder *builder;
  wnn_onnx_options import = r->session.import;
  wnn_context_options plain = WNN_CONTEXT_OPTIONS_INIT;
  plain.threads = 1;
  for (size_t i = 0; i < wnn_onnx_get_info(r->model)->input_count; i++)
    if (!cli_input_settled(r, (int)i)) return;
  size_t count, room = wnn_onnx_get_info(r->model)->output_count + 1;
  wnn_named_operand *outputs = calloc(room, sizeof *outputs);
  if (!outputs || wnn_context_create(&plain, &context, NULL)) {
    free(outputs);
    return;
  }
  import.tap = tap;
  import.tap_user = f;
  if (!wnn_builder_create(context, &builder, NULL)) {
    wnn_onnx_lower(r->model, builder, &import, outputs, room, &count, NULL);
    wnn_builder_release(builder);
  }
  wnn_context_release(context);
  free(outputs);
}

static bool add_node(cli_net *net, cli_net_node node) {
  if (net->node_count == net->node_room) {
    size_t room = net->node_room ? net->node_room * 2 : 256;
    cli_net_node *grown = realloc(net->nodes, room * sizeof *grown);
    if (!grown) return false;
    net->nodes = grown;
    net->node_room = room;
  }
  net->nodes[net->node_count++] = node;
  return true;
}

static bool add_edge(cli_net *net, uint32_t from, uint32_t to) {
  if (net->edge_count == net->edge_room) {
    size_t room = net->edge_room ? net->edge_room * 2 : 256;
    cli_net_edge *grown = realloc(net->edges, room * sizeof *grown);
    if (!grown) return false;
    net->edges = grown;
    net->edge_room = room;
  }
  net->edges[net->edge_count++] = (cli_net_edge){from, to};
  return true;
}

static void port_shape(const wnn_onnx_port *port, char text[CLI_SHAPE_TEXT]) {
  size_t used = 0;
  text[0] = 0;
  if (!port->has_shape) return;
  if (!port->rank) snprintf(text, CLI_SHAPE_TEXT, "scalar");
  for (uint32_t i = 0; i < port->rank && used < CLI_SHAPE_TEXT; i++) {
    if (port->dims[i].size >= 0)
      used +=
          (size_t)snprintf(text + used, CLI_SHAPE_TEXT - used, "%s%lld", i ? "x" : "", (long long)port->dims[i].size);
    else
      used += (size_t)snprintf(text + used, CLI_SHAPE_TEXT - used, "%s?", i ? "x" : "");
  }
}

static bool add_inputs(const cli_request *r, cli_net *net, facts *f) {
  for (size_t i = 0; i < wnn_onnx_get_info(r->model)->input_count; i++) {
    const wnn_onnx_port *port = wnn_onnx_get_input(r->model, i);
    cli_net_node node = {CLI_NET_INPUT, port->name, "input", port->name, "", NULL, 0, 0, 0, 0, 0};
    port_shape(port, node.shape);
    fact *made = make(f, port->name);
    if (!made || !add_node(net, node)) return false;
    made->maker = (uint32_t)net->node_count;
  }
  return true;
}

/* A node stays when something that is no constant goes in (or nothing at all does and it is no constant). */
static bool stays(const facts *f, const wnn_onnx_node *node, bool all) {
  bool live = false, tapped = false;
  if (all) return true;
  for (size_t i = 0; i < node->output_count; i++) {
    const fact *out = find(f, node->outputs[i]);
    if (out && out->tapped) tapped = true;
    if (out && out->tapped && !out->constant) live = true;
  }
  if (tapped) return live;
  for (size_t i = 0; i < node->input_count; i++) {
    const fact *in = find(f, node->inputs[i]);
    live = live || (in && in->maker);
  }
  return live;
}

static bool add_model_node(cli_net *net, facts *f, const wnn_onnx_node *from) {
  cli_net_node node = {
      CLI_NET_NODE, *from->name ? from->name : from->output, from->op, from->output, "", NULL, 0, 0, 0, 0, 0};
  const fact *first = find(f, from->output);
  if (first && first->tapped) cli_shape_text(first->desc.rank, first->desc.shape, node.shape);
  if (!add_node(net, node)) return false;
  for (size_t i = 0; i < from->output_count; i++) {
    fact *made = *from->outputs[i] ? make(f, from->outputs[i]) : NULL;
    if (made) made->maker = (uint32_t)net->node_count;
  }
  return true;
}

static bool link_inner(cli_net *net, const facts *outer, const facts *names, const inner_node *n) {
  uint32_t to = (uint32_t)net->node_count - 1;
  for (size_t i = 0; i < n->tapped.input_count; i++) {
    const fact *from = find(names, n->tapped.inputs[i]);
    if (!from || !from->maker) from = find(outer, n->tapped.inputs[i]);
    if (from && from->maker && from->maker <= to && !add_edge(net, from->maker - 1, to)) return false;
  }
  return true;
}

static bool owns(const facts *f, const wnn_onnx_node *node, const inner_node *n, bool *result) {
  bool owner = false;
  for (size_t i = 0; i < node->output_count; i++) {
    const fact *out = find(f, node->outputs[i]);
    owner = owner || !strcmp(node->outputs[i], n->owner);
    *result = *result || (out && out->operand == n->tapped.operand);
  }
  return owner;
}

/* 1 + the node that made an operand before: results of subgraphs are passed on under other names, and a node may have
 * several results. */
static uint32_t maker_of(const facts *f, const facts *names, size_t end) {
  const wnn_onnx_tapped *t = &f->inner[end].tapped;
  for (size_t i = end; i > 0 && i + 64 > end; i--) {
    const fact *made = find(names, f->inner[i - 1].tapped.tensor);
    if (f->inner[i - 1].tapped.operand == t->operand && made && made->maker) return made->maker;
  }
  const wnn_onnx_tapped *before = end ? &f->inner[end - 1].tapped : NULL;
  if (!before || !before->input_count || before->inputs != t->inputs) return 0;
  const fact *made = find(names, before->tensor);
  return made ? made->maker : 0;
}

enum { MOST_SINKS = 16 };
typedef struct sinks {
  uint32_t at[MOST_SINKS], count, last; /* last: 1 + node; 0: none */
} sinks;

/* Nodes of the subgraphs of a main node, before it. Rounds of a loop have the same names: the first round is drawn.
 * sinks: the nodes that make the results of the main node, or else the last one. */
static bool add_inner_nodes(cli_net *net, const facts *f, const wnn_onnx_node *main_node, sinks *ends) {
  facts names = {0};
  bool done = true;
  const char *group = *main_node->name ? main_node->name : main_node->output;
  for (size_t i = 0; done && i < f->owned; i++) {
    const inner_node *n = &f->inner[i];
    bool result = false;
    if (!owns(f, main_node, n, &result)) continue;
    const fact *known = find(&names, n->tapped.tensor);
    if (known && known->maker) continue;
    cli_net_node node = {.kind = CLI_NET_NODE,
                         .name = *n->tapped.node ? n->tapped.node : n->tapped.tensor,
                         .title = n->tapped.op,
                         .tensor = n->tapped.tensor,
                         .group = group};
    cli_shape_text(n->tapped.desc.rank, n->tapped.desc.shape, node.shape);
    uint32_t maker = maker_of(f, &names, i);
    if (!maker) {
      done = add_node(net, node) && link_inner(net, f, &names, n);
      maker = (uint32_t)net->node_count;
    }
    fact *made = done ? make(&names, n->tapped.tensor) : NULL;
    if (made) made->maker = maker;
    ends->last = maker;
    for (uint32_t k = 0; k < ends->count; k++) result = result && ends->at[k] != maker - 1;
    if (result && maker && ends->count < MOST_SINKS) ends->at[ends->count++] = maker - 1;
  }
  done = done && !names.short_of_memory;
  free(names.at);
  return done;
}

bool cli_net_make(cli_request *r, bool all, cli_net *net) {
  facts f = {0};
  *net = (cli_net){0};
  size_t count = wnn_onnx_get_info(r->model)->node_count;
  uint32_t *numbers = calloc(count + 1, sizeof *numbers); /* 1 + node of the net; 0: left out */
  learn(r, &f);
  bool done = numbers && add_inputs(r, net, &f);
  wnn_onnx_node node;
  /* Files list nodes so that makers come first; one that does not is drawn without that edge's order. */
  for (size_t i = 0; done && wnn_onnx_get_node(r->model, i, &node); i++) {
    if (!stays(&f, &node, all)) continue;
    sinks ends = {.count = 0};
    done = add_inner_nodes(net, &f, &node, &ends) && add_model_node(net, &f, &node);
    numbers[i] = (uint32_t)net->node_count;
    if (!ends.count && ends.last) ends.at[ends.count++] = ends.last - 1;
    for (uint32_t k = 0; done && k < ends.count; k++) done = add_edge(net, ends.at[k], numbers[i] - 1);
  }
  for (size_t i = 0; done && wnn_onnx_get_node(r->model, i, &node); i++) {
    for (size_t k = 0; done && numbers[i] && k < node.input_count; k++) {
      const fact *in = find(&f, node.inputs[k]);
      if (in && in->maker && in->maker < numbers[i]) done = add_edge(net, in->maker - 1, numbers[i] - 1);
    }
  }
  for (size_t i = 0; done && i < wnn_onnx_get_info(r->model)->output_count; i++) {
    const wnn_onnx_port *port = wnn_onnx_get_output(r->model, i);
    const fact *from = find(&f, port->name);
    cli_net_node out = {CLI_NET_OUTPUT, port->name, "output", port->name, "", NULL, 0, 0, 0, 0, 0};
    if (from && from->tapped)
      cli_shape_text(from->desc.rank, from->desc.shape, out.shape);
    else
      port_shape(port, out.shape);
    done = add_node(net, out);
    if (done && from && from->maker) done = add_edge(net, from->maker - 1, (uint32_t)net->node_count - 1);
  }
  if (!done || f.short_of_memory) cli_fail("Memory is short.");
  done = done && !f.short_of_memory;
  free(f.at);
  free(f.inner);
  free(numbers);
  return done;
}

void cli_net_free(cli_net *net) {
  free(net->nodes);
  free(net->edges);
  *net = (cli_net){0};
}

/* ---- DOT ----------------------------------------------------------------------------------------------- */

static void put_quoted(FILE *out, const char *text) {
  for (; *text; text++) {
    if (*text == '"' || *text == '\\') fputc('\\', out);
    fputc((unsigned char)*text < ' ' ? ' ' : *text, out);
  }
}

void cli_net_dot(const cli_net *net, FILE *out) {
  fprintf(out, "digraph model {\n  node [shape=box, style=\"rounded,filled\", fillcolor=\"#e8eef7\", "
               "fontname=\"sans-serif\", fontsize=11];\n");
  for (size_t i = 0; i < net->node_count; i++) {
    const cli_net_node *n = &net->nodes[i];
    if (n->kind == CLI_NET_BEND) continue;
    const char *before = i ? net->nodes[i - 1].group : NULL;
    if (before && before != n->group) fprintf(out, "  }\n");
    if (n->group && before != n->group) {
      fprintf(out, "  subgraph cluster_%zu {\n    style=\"rounded,dashed\"; label=\"", i);
      put_quoted(out, n->group);
      fprintf(out, "\";\n");
    }
    fprintf(out, "  n%zu [label=\"", i);
    put_quoted(out, n->title);
    fprintf(out, "\\n");
    put_quoted(out, n->name);
    if (*n->shape) fprintf(out, "\\n%s", n->shape);
    fprintf(out, "\"%s];\n", n->kind == CLI_NET_NODE ? "" : ", fillcolor=\"#dff0df\"");
  }
  for (size_t i = 0; i < net->edge_count; i++) fprintf(out, "  n%u -> n%u;\n", net->edges[i].from, net->edges[i].to);
  fprintf(out, "}\n");
}
