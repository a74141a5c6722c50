/* The picture of a net: layers from top to bottom, few crossings, long edges through bends. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "net.h"

enum { BOX_WIDTH = 150, BOX_HEIGHT = 44, GAP_X = 18, GAP_Y = 34, BEND_WIDTH = 10, SWEEPS = 8, MARGIN = 20 };

/* Longest way from an input; makers have lower numbers, so one pass in order does it. */
static void find_layers(cli_net *net) {
  /* Edges are grouped by their target in rising order, each target after its makers. */
  for (size_t i = 0; i < net->edge_count; i++) {
    const cli_net_edge *e = &net->edges[i];
    if (net->nodes[e->to].layer <= net->nodes[e->from].layer) net->nodes[e->to].layer = net->nodes[e->from].layer + 1;
  }
  net->layers = 1;
  for (size_t i = 0; i < net->node_count; i++)
    if (net->nodes[i].layer >= net->layers) net->layers = net->nodes[i].layer + 1;
}

/* Splits edges over several layers; makers with several far readers share one line of bends. */
static bool add_bends(cli_net *net) {
  enum { MOST_BENDS = 200000 };
  size_t real = net->node_count, old = net->edge_count;
  cli_net_edge *edges = NULL;
  size_t count = 0, room = 0;
  uint32_t *last = calloc(real + 1, sizeof *last), *deep = calloc(real + 1, sizeof *deep); /* end of a maker's line */
  bool done = last && deep;
  for (uint32_t step = 1; done && step <= net->layers; step++) {
    for (size_t i = 0; done && i < old; i++) {
      cli_net_edge e = net->edges[i];
      if (net->nodes[e.to].layer - net->nodes[e.from].layer != step) continue;
      uint32_t from = deep[e.from] ? last[e.from] : e.from, layer = net->nodes[e.from].layer + deep[e.from];
      while (done && layer + 1 < net->nodes[e.to].layer && net->node_count - real < MOST_BENDS) {
        cli_net_node bend = {.kind = CLI_NET_BEND, .name = "", .title = "", .tensor = "", .layer = ++layer};
        if (net->node_count == net->node_room) {
          cli_net_node *grown = realloc(net->nodes, (net->node_room *= 2) * sizeof *grown);
          if (!grown) {
            done = false;
            break;
          }
          net->nodes = grown;
        }
        if (count + 2 > room) {
          cli_net_edge *grown = realloc(edges, (room = room ? room * 2 : 512) * sizeof *grown);
          if (!grown) {
            done = false;
            break;
          }
          edges = grown;
        }
        net->nodes[net->node_count++] = bend;
        edges[count++] = (cli_net_edge){from, (uint32_t)net->node_count - 1};
        from = (uint32_t)net->node_count - 1;
        last[e.from] = from;
        deep[e.from]++;
      }
      if (count + 2 > room) {
        cli_net_edge *grown = realloc(edges, (room = room ? room * 2 : 512) * sizeof *grown);
        if (!grown) done = false;
        if (grown) edges = grown;
      }
      if (done) edges[count++] = (cli_net_edge){from, e.to};
    }
  }
  free(last);
  free(deep);
  if (!done) {
    free(edges);
    return false;
  }
  free(net->edges);
  net->edges = edges;
  net->edge_count = count;
  net->edge_room = room;
  return true;
}

/* Sorts the edges by the layer they start in; starts[layer] is the first of a layer. */
static bool group_edges(cli_net *net, size_t *starts) {
  cli_net_edge *sorted = malloc((net->edge_count + 1) * sizeof *sorted);
  if (!sorted) return false;
  for (size_t i = 0; i < net->edge_count; i++) starts[net->nodes[net->edges[i].from].layer + 2]++;
  for (uint32_t layer = 0; layer < net->layers; layer++) starts[layer + 2] += starts[layer + 1];
  for (size_t i = 0; i < net->edge_count; i++)
    sorted[starts[net->nodes[net->edges[i].from].layer + 1]++] = net->edges[i];
  free(net->edges);
  net->edges = sorted;
  net->edge_room = net->edge_count + 1;
  return true;
}

typedef struct sort_item {
  double key;
  uint32_t node;
} sort_item;

static int by_key(const void *a, const void *b) {
  const sort_item *x = a, *y = b;
  if (x->key != y->key) return x->key < y->key ? -1 : 1;
  return (x->node > y->node) - (x->node < y->node);
}

static double width_of(const cli_net_node *node) { return node->kind == CLI_NET_BEND ? BEND_WIDTH : BOX_WIDTH; }

/* Sorts each layer by the mean place of its neighbours above (down) or below. */
static void sweep(cli_net *net, sort_item *items, double *sums, uint32_t *counts, const uint32_t *starts,
                  const size_t *edge_starts, bool down) {
  memset(sums, 0, net->node_count * sizeof *sums);
  memset(counts, 0, net->node_count * sizeof *counts);
  for (uint32_t step = 0; step < net->layers; step++) {
    uint32_t layer = down ? step : net->layers - 1 - step, first = starts[layer], size = starts[layer + 1] - first;
    for (uint32_t i = 0; i < size; i++) {
      uint32_t n = items[first + i].node;
      items[first + i].key = counts[n] ? sums[n] / counts[n] : net->nodes[n].order;
    }
    qsort(items + first, size, sizeof *items, by_key);
    for (uint32_t i = 0; i < size; i++) net->nodes[items[first + i].node].order = i;
    /* Hand the places on to the next layer. */
    if (!down && !layer) continue;
    uint32_t group = down ? layer : layer - 1;
    for (size_t e = edge_starts[group]; e < edge_starts[group + 1]; e++) {
      uint32_t near = down ? net->edges[e].from : net->edges[e].to, far = down ? net->edges[e].to : net->edges[e].from;
      if (net->nodes[near].layer != layer) continue;
      sums[far] += net->nodes[near].order;
      counts[far]++;
    }
  }
}

/* Boxes side by side, then pulled towards their neighbours without overlap. */
static void place(cli_net *net, const sort_item *items, const uint32_t *starts) {
  for (uint32_t layer = 0; layer < net->layers; layer++) {
    double x = 0;
    for (uint32_t i = starts[layer]; i < starts[layer + 1]; i++) {
      cli_net_node *n = &net->nodes[items[i].node];
      n->x = x + width_of(n) / 2;
      n->y = MARGIN + BOX_HEIGHT / 2.0 + layer * (double)(BOX_HEIGHT + GAP_Y);
      x += width_of(n) + GAP_X;
    }
    for (uint32_t i = starts[layer]; i < starts[layer + 1]; i++) net->nodes[items[i].node].x -= x / 2;
  }
}

static void pull(cli_net *net, const sort_item *items, double *sums, uint32_t *counts, const uint32_t *starts) {
  memset(sums, 0, net->node_count * sizeof *sums);
  memset(counts, 0, net->node_count * sizeof *counts);
  for (size_t e = 0; e < net->edge_count; e++) {
    const cli_net_edge *edge = &net->edges[e];
    sums[edge->to] += net->nodes[edge->from].x;
    sums[edge->from] += net->nodes[edge->to].x;
    counts[edge->to]++;
    counts[edge->from]++;
  }
  for (uint32_t layer = 0; layer < net->layers; layer++) {
    double edge = -INFINITY, shift = 0;
    uint32_t size = starts[layer + 1] - starts[layer];
    for (uint32_t i = starts[layer]; i < starts[layer + 1]; i++) {
      cli_net_node *n = &net->nodes[items[i].node];
      double wish = counts[items[i].node] ? sums[items[i].node] / counts[items[i].node] : n->x,
             least = edge + width_of(n) / 2 + (isfinite(edge) ? GAP_X : 0);
      n->x = wish > least ? wish : least;
      shift += wish - n->x;
      edge = n->x + width_of(n) / 2;
    }
    for (uint32_t i = starts[layer]; i < starts[layer + 1]; i++) net->nodes[items[i].node].x += shift / size;
  }
}

bool cli_net_layout(cli_net *net) {
  find_layers(net);
  if (!add_bends(net)) return cli_fail("Memory is short."), false;
  sort_item *items = calloc(net->node_count + 1, sizeof *items);
  double *sums = calloc(net->node_count + 1, sizeof *sums);
  uint32_t *counts = calloc(net->node_count + 1, sizeof *counts), *starts = calloc(net->layers + 2, sizeof *starts);
  size_t *edge_starts = calloc(net->layers + 3, sizeof *edge_starts);
  bool done = items && sums && counts && starts && edge_starts && group_edges(net, edge_starts);
  if (done) {
    for (size_t i = 0; i < net->node_count; i++) starts[net->nodes[i].layer + 1]++;
    for (uint32_t layer = 0; layer < net->layers; layer++) starts[layer + 1] += starts[layer];
    for (size_t i = 0; i < net->node_count; i++) {
      cli_net_node *n = &net->nodes[i];
      n->order = counts[n->layer]++;
      items[starts[n->layer] + n->order].node = (uint32_t)i;
    }
    for (int i = 0; i < SWEEPS; i++) sweep(net, items, sums, counts, starts, edge_starts, i % 2 == 0);
    place(net, items, starts);
    for (int i = 0; i < SWEEPS; i++) pull(net, items, sums, counts, starts);
    double left = INFINITY, right = -INFINITY;
    for (size_t i = 0; i < net->node_count; i++) {
      left = fmin(left, net->nodes[i].x - width_of(&net->nodes[i]) / 2);
      right = fmax(right, net->nodes[i].x + width_of(&net->nodes[i]) / 2);
    }
    for (size_t i = 0; i < net->node_count; i++) net->nodes[i].x += MARGIN - left;
    net->width = net->node_count ? right - left + 2 * MARGIN : 2 * MARGIN;
    net->height = 2 * MARGIN + net->layers * (double)(BOX_HEIGHT + GAP_Y) - GAP_Y;
  } else {
    cli_fail("Memory is short.");
  }
  free(items);
  free(sums);
  free(counts);
  free(starts);
  free(edge_starts);
  return done;
}

/* ---- SVG ------------------------------------------------------------------------------------------------ */

void cli_put_xml(FILE *out, const char *text, size_t most) {
  size_t length = strlen(text), shown = length > most ? most - 2 : length;
  while (shown < length && shown && ((unsigned char)text[shown] & 0xC0) == 0x80) shown--; /* whole UTF-8 sequences */
  for (size_t i = 0; i < shown; i++) {
    switch (text[i]) {
    case '<': fputs("&lt;", out); break;
    case '>': fputs("&gt;", out); break;
    case '&': fputs("&amp;", out); break;
    case '"': fputs("&quot;", out); break;
    default: fputc((unsigned char)text[i] < ' ' ? ' ' : text[i], out);
    }
  }
  if (shown < length) fputs("\xE2\x80\xA6", out);
}

static const char *color(const cli_net_node *n, char text[32]) {
  if (n->kind == CLI_NET_INPUT || n->kind == CLI_NET_OUTPUT) return "#dff0df";
  double heat = n->share <= 0 ? 0 : fmin(1, sqrt(n->share * 5)); /* a fifth of the time is red */
  snprintf(text, 32, "#%02x%02x%02x", (int)(232 + heat * 18), (int)(238 - heat * 130), (int)(247 - heat * 160));
  return text;
}

void cli_net_svg(const cli_net *net, FILE *out) {
  char text[32];
  fprintf(out,
          "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\" "
          "font-family=\"sans-serif\" font-size=\"11\">\n"
          "<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>\n",
          net->width, net->height, net->width, net->height);
  fprintf(out, "<g fill=\"none\" stroke=\"#8a96a8\">\n");
  for (size_t i = 0; i < net->edge_count; i++) {
    const cli_net_node *a = &net->nodes[net->edges[i].from], *b = &net->nodes[net->edges[i].to];
    double y0 = a->y + (a->kind == CLI_NET_BEND ? 0 : BOX_HEIGHT / 2.0),
           y1 = b->y - (b->kind == CLI_NET_BEND ? 0 : BOX_HEIGHT / 2.0), bow = (y1 - y0) / 2;
    fprintf(out, "<path d=\"M%.1f %.1fC%.1f %.1f %.1f %.1f %.1f %.1f\"/>\n", a->x, y0, a->x, y0 + bow, b->x, y1 - bow,
            b->x, y1);
  }
  fprintf(out, "</g>\n");
  for (size_t i = 0; i < net->node_count; i++) {
    const cli_net_node *n = &net->nodes[i];
    if (n->kind == CLI_NET_BEND) continue;
    fprintf(out, "<g text-anchor=\"middle\"><title>");
    cli_put_xml(out, n->title, 80);
    fprintf(out, " ");
    cli_put_xml(out, n->name, 200);
    if (n->group) fprintf(out, " in ");
    if (n->group) cli_put_xml(out, n->group, 200);
    if (n->share > 0) fprintf(out, " (%.1f %% of the time)", n->share * 100);
    fprintf(out,
            "</title><rect x=\"%.1f\" y=\"%.1f\" width=\"%d\" height=\"%d\" rx=\"6\" fill=\"%s\" stroke=\"#5b6b82\"%s/>"
            "<text x=\"%.1f\" y=\"%.1f\" font-weight=\"bold\">",
            n->x - BOX_WIDTH / 2.0, n->y - BOX_HEIGHT / 2.0, BOX_WIDTH, BOX_HEIGHT, color(n, text),
            n->group ? " stroke-dasharray=\"4 2\"" : "", n->x, n->y - 7);
    cli_put_xml(out, n->title, 22);
    if (n->share >= 0.001) fprintf(out, " %.1f%%", n->share * 100);
    fprintf(out, "</text><text x=\"%.1f\" y=\"%.1f\" font-size=\"9\">", n->x, n->y + 5);
    cli_put_xml(out, n->name, 27);
    fprintf(out, "</text><text x=\"%.1f\" y=\"%.1f\" font-size=\"9\" fill=\"#5b6b82\">", n->x, n->y + 16);
    cli_put_xml(out, n->shape, 27);
    fprintf(out, "</text></g>\n");
  }
  fprintf(out, "</svg>\n");
}
