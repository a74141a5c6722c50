/* webnn info: what a model file holds, and what it becomes. */
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

#include "request.h"

const char cli_info_usage[] =
    "webnn info [OPTIONS] MODEL.onnx\n\n"
    "  Shows inputs, outputs, operators, parameters and open dimensions of a model. When every\n"
    "  dimension has a size (--dim, --shape, --default-dim), also the compiled graph and its memory.\n\n"
    "    webnn info rec.onnx\n"
    "    webnn info rec.onnx --shape x=1x3x48x320\n\n"
    "  --json                 the same as JSON\n" CLI_MODEL_OPTIONS CLI_ENGINE_OPTIONS;

typedef struct histogram_row {
  const char *domain, *op;
  size_t count;
} histogram_row;

static int by_count(const void *a, const void *b) {
  const histogram_row *x = a, *y = b;
  if (x->count != y->count) return x->count < y->count ? 1 : -1;
  return strcmp(x->op, y->op);
}

static histogram_row *histogram(const wnn_onnx_model *model, size_t *rows) {
  size_t count = wnn_onnx_get_info(model)->node_count;
  histogram_row *table = calloc(count + 1, sizeof *table);
  *rows = 0;
  for (size_t i = 0; table && i < count; i++) {
    wnn_onnx_node node;
    size_t k = 0;
    wnn_onnx_get_node(model, i, &node);
    while (k < *rows && (strcmp(table[k].op, node.op) || strcmp(table[k].domain, node.domain))) k++;
    if (k == *rows) table[(*rows)++] = (histogram_row){node.domain, node.op, 0};
    table[k].count++;
  }
  if (table)
    qsort(table, *rows, sizeof *table, by_count);
  else
    cli_fail("Memory is short.");
  return table;
}

static void print_port(const wnn_onnx_port *port) {
  printf("  %s%-28s%s %-8s ", cli_bold(stdout), port->name, cli_plain(stdout), port->type);
  if (!port->has_shape) printf("any shape");
  if (port->has_shape && !port->rank) printf("scalar");
  for (uint32_t i = 0; i < port->rank; i++) {
    if (i) printf(" x ");
    if (port->dims[i].size >= 0)
      printf("%lld", (long long)port->dims[i].size);
    else
      printf("%s%s%s", cli_green(stdout), *port->dims[i].symbol ? port->dims[i].symbol : "?", cli_plain(stdout));
  }
  printf("%s%s\n", port->has_default ? "  (has a default)" : "", port->has_data_type ? "" : "  (no tensor carries it)");
}

/* Lists open dimensions with the option that settles each; false when there is none. */
static bool print_open(const wnn_onnx_model *model) {
  bool any = false;
  for (size_t i = 0; i < wnn_onnx_get_info(model)->input_count; i++) {
    const wnn_onnx_port *port = wnn_onnx_get_input(model, i);
    if (!port->has_shape) {
      printf("%s  %s: shape            --shape \"%s=...\"\n", any ? "" : "\nOpen dimensions\n", port->name, port->name);
      any = true;
    }
    for (uint32_t d = 0; d < port->rank; d++) {
      if (port->dims[d].size >= 0) continue;
      const char *symbol = port->dims[d].symbol;
      printf("%s  %s, axis %u:  --dim \"%s%s", any ? "" : "\nOpen dimensions\n", port->name, d,
             *symbol ? symbol : port->name, *symbol ? "" : "@");
      if (!*symbol) printf("%u", d);
      printf("=N\"\n");
      any = true;
    }
  }
  return any;
}

static void print_compiled(const wnn_graph *graph, const wnn_onnx_stats *stats, uint32_t threads) {
  char a[CLI_NUMBER_TEXT], b[CLI_NUMBER_TEXT], c[CLI_NUMBER_TEXT], shape[CLI_SHAPE_TEXT];
  wnn_graph_stats g;
  double flops = 0;
  wnn_step_info step;
  wnn_graph_get_stats(graph, &g);
  for (size_t i = 0; wnn_graph_step(graph, i, &step); i++) flops += step.flops;
  printf("\nCompiled\n");
  for (size_t i = 0; i < wnn_graph_input_count(graph); i++)
    printf("  input   %-26s %s\n", wnn_graph_input_name(graph, i),
           cli_desc_text(wnn_graph_input_desc(graph, i), shape));
  for (size_t i = 0; i < wnn_graph_output_count(graph); i++)
    printf("  output  %-26s %s\n", wnn_graph_output_name(graph, i),
           cli_desc_text(wnn_graph_output_desc(graph, i), shape));
  printf("  %llu nodes read, %llu folded to constants; %llu operations, %llu kernel calls a run\n",
         (unsigned long long)(stats->lowered_nodes + stats->folded_nodes), (unsigned long long)stats->folded_nodes,
         (unsigned long long)g.node_count, (unsigned long long)g.step_count);
  printf("  %s a run, about %s on one thread (%u used)\n", cli_number(flops, "FLOP", a), cli_time(g.cost_ns * 1e-6, b),
         threads);
  printf("  memory: intermediate %s, weights %s held and %s in place in the file; peak of this process %.1f MB\n",
         cli_bytes((double)g.arena_bytes, a), cli_bytes((double)g.constant_bytes, b),
         cli_bytes((double)g.borrowed_bytes, c), cli_peak_mb());
  printf("  time: open and read %s, compile %s\n", cli_time(stats->import_ns * 1e-6, a),
         cli_time(stats->build_ns * 1e-6, b));
}

static struct json_object *port_json(const wnn_onnx_port *port) {
  struct json_object *out = json_object_new_object(), *shape = json_object_new_array();
  json_object_object_add(out, "name", json_object_new_string(port->name));
  json_object_object_add(out, "type", json_object_new_string(port->type));
  for (uint32_t i = 0; i < port->rank; i++)
    json_object_array_add(shape, port->dims[i].size >= 0 ? json_object_new_int64(port->dims[i].size)
                                                         : json_object_new_string(port->dims[i].symbol));
  if (port->has_shape)
    json_object_object_add(out, "shape", shape);
  else
    json_object_put(shape);
  return out;
}

static void put_number(struct json_object *object, const char *key, double value) {
  json_object_object_add(object, key,
                         value == (double)(int64_t)value ? json_object_new_int64((int64_t)value)
                                                         : json_object_new_double(value));
}

static int show_json(const cli_request *r, const wnn_graph *graph) {
  const wnn_onnx_info *info = wnn_onnx_get_info(r->model);
  struct json_object *root = json_object_new_object(), *inputs = json_object_new_array(),
                     *outputs = json_object_new_array(), *operators = json_object_new_object(),
                     *opsets = json_object_new_object();
  json_object_object_add(root, "graph", json_object_new_string(info->graph_name));
  json_object_object_add(root, "producer", json_object_new_string(info->producer_name));
  put_number(root, "fileBytes", (double)info->file_bytes);
  put_number(root, "parameters", (double)info->parameter_count);
  put_number(root, "parameterBytes", (double)info->parameter_bytes);
  put_number(root, "nodes", (double)info->node_count);
  for (size_t i = 0; i < info->opset_count; i++) {
    const wnn_onnx_opset *opset = wnn_onnx_get_opset(r->model, i);
    put_number(opsets, *opset->domain ? opset->domain : "ai.onnx", (double)opset->version);
  }
  for (size_t i = 0; i < info->input_count; i++)
    json_object_array_add(inputs, port_json(wnn_onnx_get_input(r->model, i)));
  for (size_t i = 0; i < info->output_count; i++)
    json_object_array_add(outputs, port_json(wnn_onnx_get_output(r->model, i)));
  size_t rows = 0;
  histogram_row *table = histogram(r->model, &rows);
  for (size_t i = 0; table && i < rows; i++) {
    char name[160];
    snprintf(name, sizeof name, "%s%s%s", table[i].domain, *table[i].domain ? "." : "", table[i].op);
    put_number(operators, name, (double)table[i].count);
  }
  free(table);
  json_object_object_add(root, "opsets", opsets);
  json_object_object_add(root, "inputs", inputs);
  json_object_object_add(root, "outputs", outputs);
  json_object_object_add(root, "operators", operators);
  if (graph) {
    struct json_object *compiled = json_object_new_object();
    wnn_graph_stats g;
    wnn_graph_get_stats(graph, &g);
    put_number(compiled, "operations", (double)g.node_count);
    put_number(compiled, "steps", (double)g.step_count);
    put_number(compiled, "arenaBytes", (double)g.arena_bytes);
    put_number(compiled, "constantBytes", (double)g.constant_bytes);
    put_number(compiled, "borrowedBytes", (double)g.borrowed_bytes);
    put_number(compiled, "costNs", g.cost_ns);
    json_object_object_add(root, "compiled", compiled);
  }
  bool done = cli_write_json("-", root);
  json_object_put(root);
  return done ? CLI_OK : CLI_FAILED;
}

static void show_file(const cli_request *r) {
  const wnn_onnx_info *info = wnn_onnx_get_info(r->model);
  char a[CLI_NUMBER_TEXT], b[CLI_NUMBER_TEXT];
  printf("%s%s%s  graph \"%s\"", cli_bold(stdout), r->path, cli_plain(stdout), info->graph_name);
  if (*info->producer_name) printf(", made by %s %s", info->producer_name, info->producer_version);
  printf("\n%s, %s parameters, IR %lld, operator sets:", cli_bytes((double)info->file_bytes, a),
         cli_number((double)info->parameter_count, "", b), (long long)info->ir_version);
  for (size_t i = 0; i < info->opset_count; i++) {
    const wnn_onnx_opset *opset = wnn_onnx_get_opset(r->model, i);
    printf("%s %s %lld", i ? "," : "", *opset->domain ? opset->domain : "ai.onnx", (long long)opset->version);
  }
  printf("\n\nInputs\n");
  for (size_t i = 0; i < info->input_count; i++) print_port(wnn_onnx_get_input(r->model, i));
  printf("Outputs\n");
  for (size_t i = 0; i < info->output_count; i++) print_port(wnn_onnx_get_output(r->model, i));
  size_t rows = 0;
  histogram_row *table = histogram(r->model, &rows);
  printf("\nOperators (%zu nodes)", info->node_count);
  for (size_t i = 0; table && i < rows; i++) {
    char name[80];
    snprintf(name, sizeof name, "%s%s%s", table[i].domain, *table[i].domain ? "." : "", table[i].op);
    bool last = i % 3 == 2 || i + 1 == rows;
    printf("%s%5zu %-*s", i % 3 ? "" : "\n ", table[i].count, last ? 0 : 22, name);
  }
  printf("\n");
  free(table);
  for (size_t i = 0; i < info->metadata_count && i < 8; i++) {
    const wnn_onnx_metadata *m = wnn_onnx_get_metadata(r->model, i);
    printf("%s  %s: %.60s\n", i ? "" : "\nMetadata\n", m->key, m->value);
  }
}

/* Whether every input has a size for every dimension. */
static bool settled(cli_request *r) {
  for (size_t i = 0; i < wnn_onnx_get_info(r->model)->input_count; i++)
    if (!cli_input_settled(r, (int)i)) return false;
  return true;
}

int cli_info(int argc, char **argv) {
  cli_request r;
  int code = cli_request_read(&r, argc, argv, NULL, NULL, NULL);
  wnn_context *context = NULL;
  wnn_onnx_session *session = NULL;
  wnn_graph *graph = NULL;
  if (!code && settled(&r)) {
    bool done = cli_context_make(&r, &context) && cli_request_fill(&r, CLI_FILL_ZEROS) &&
                cli_prepare(&r, context, &session, &graph);
    if (!done) code = CLI_FAILED;
  }
  if (code != CLI_USAGE && r.model) {
    if (r.json) {
      code = show_json(&r, graph) || code ? CLI_FAILED : CLI_OK;
    } else {
      show_file(&r);
      wnn_onnx_stats stats;
      if (session) wnn_onnx_session_get_stats(session, &stats);
      if (graph) {
        stats.import_ns += r.open_ms * 1e6;
        print_compiled(graph, &stats, wnn_context_threads(context));
      } else {
        print_open(r.model);
      }
    }
  }
  wnn_onnx_session_release(session);
  wnn_context_release(context);
  cli_request_free(&r);
  return code;
}
