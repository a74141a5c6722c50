/* webnn profile: where the time of a model goes, kernel call by kernel call. */
#include "profile.h"

#include <errno.h>
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

const char cli_profile_usage[] =
    "webnn profile [OPTIONS] MODEL.onnx [NAME=FILE ...]\n\n"
    "  Measures every kernel call of a model: time, share, and the rate of arithmetic (GFLOP/s) or\n"
    "  of memory (GB/s). Inputs not given are random.\n\n"
    "    webnn profile rec.onnx --shape x=1x3x48x320 --threads 1\n"
    "    webnn profile rec.onnx --shape x=1x3x48x320 --by op\n"
    "    webnn profile rec.onnx --shape x=1x3x48x320 --html rec.html\n\n"
    "  --runs N               runs to measure (default 20)\n"
    "  --by step|op|kernel    a line for each call, operation or kernel (default step)\n"
    "  --top N                lines shown (default 20; 0: all)\n"
    "  --order time|graph     most expensive first, or as they run (default time)\n"
    "  --html FILE            a page with the timeline and the graph, coloured by time\n"
    "  --json                 every call as JSON\n" CLI_INPUT_OPTIONS CLI_MODEL_OPTIONS CLI_ENGINE_OPTIONS;

enum { OWN_RUNS = CLI_OWN, OWN_BY, OWN_TOP, OWN_ORDER, OWN_HTML };
enum { BY_STEP, BY_OP, BY_KERNEL, WARMUP = 3 };
static const struct option own_options[] = {
    {"runs", required_argument, NULL, OWN_RUNS}, {"by", required_argument, NULL, OWN_BY},
    {"top", required_argument, NULL, OWN_TOP},   {"order", required_argument, NULL, OWN_ORDER},
    {"html", required_argument, NULL, OWN_HTML}, {0}};
typedef struct profile_options {
  uint32_t runs, top;
  int by;
  bool as_run;
  const char *html;
} profile_options;

static bool take(void *user, int option, const char *text) {
  profile_options *o = user;
  switch (option) {
  case OWN_RUNS: return cli_parse_count("--runs", text, 1, 1000000, &o->runs);
  case OWN_TOP: return cli_parse_count("--top", text, 0, 1000000, &o->top);
  case OWN_HTML: o->html = text; return true;
  case OWN_ORDER:
    o->as_run = !strcmp(text, "graph");
    return o->as_run || !strcmp(text, "time") || (cli_fail("--order takes time or graph."), false);
  default:
    o->by = !strcmp(text, "op") ? BY_OP : !strcmp(text, "kernel") ? BY_KERNEL : BY_STEP;
    return o->by || !strcmp(text, "step") || (cli_fail("--by takes step, op or kernel."), false);
  }
}

double cli_step_ns(const wnn_step_info *step) { return step->runs ? step->total_ns / (double)step->runs : 0; }

const char *cli_step_rate(const wnn_step_info *step, char text[CLI_NUMBER_TEXT]) {
  double ns = cli_step_ns(step);
  text[0] = 0;
  if (ns <= 0) return text;
  if (step->flops > 2 * step->bytes)
    snprintf(text, CLI_NUMBER_TEXT, "%.1f GFLOP/s", step->flops / ns);
  else if (step->bytes > 0)
    snprintf(text, CLI_NUMBER_TEXT, "%.1f GB/s", step->bytes / ns);
  return text;
}

static bool measure(cli_request *r, const profile_options *o, wnn_context *context, const cli_bound *bound,
                    cli_profile *p) {
  cli_progress progress;
  wnn_step_info step;
  while (wnn_graph_step(bound->graph, p->step_count, &step)) p->step_count++;
  p->steps = calloc(p->step_count + 1, sizeof *p->steps);
  if (!p->steps) return cli_fail("Memory is short."), false;
  bool done = true;
  for (int i = 0; done && i < WARMUP; i++) done = cli_bound_run(context, bound);
  for (size_t i = 0; i < p->step_count; i++) wnn_graph_step(bound->graph, i, &p->steps[i]);
  cli_progress_start(&progress, r, "Measuring");
  double start = cli_now_ms();
  for (uint32_t i = 0; done && i < o->runs; i++) {
    done = cli_bound_run(context, bound);
    cli_progress_step(&progress, i + 1, o->runs);
  }
  p->dispatch_ns = (cli_now_ms() - start) * 1e6 / o->runs;
  cli_progress_end(&progress);
  for (size_t i = 0; i < p->step_count; i++) {
    step = p->steps[i]; /* the warm-up does not count */
    wnn_graph_step(bound->graph, i, &p->steps[i]);
    p->steps[i].runs -= step.runs;
    p->steps[i].total_ns -= step.total_ns;
    p->total_ns += cli_step_ns(&p->steps[i]);
  }
  return done;
}

/* ---- Tables ------------------------------------------------------------------------------------------ */

typedef struct line {
  const wnn_step_info *step; /* the first of them */
  double ns, flops, bytes;
  size_t count, position;
} line;

static int by_time(const void *a, const void *b) {
  const line *x = a, *y = b;
  if (x->ns != y->ns) return x->ns < y->ns ? 1 : -1;
  return (x->position > y->position) - (x->position < y->position);
}

static line *lines_of(const cli_profile *p, int by, size_t *count) {
  line *lines = calloc(p->step_count + 1, sizeof *lines);
  *count = 0;
  for (size_t i = 0; lines && i < p->step_count; i++) {
    const wnn_step_info *s = &p->steps[i];
    size_t k = by == BY_STEP ? *count : 0;
    while (k < *count &&
           strcmp(by == BY_OP ? lines[k].step->op : lines[k].step->kernel, by == BY_OP ? s->op : s->kernel))
      k++;
    if (k == *count) lines[(*count)++] = (line){s, 0, 0, 0, 0, i};
    lines[k].ns += cli_step_ns(s);
    lines[k].flops += s->flops;
    lines[k].bytes += s->bytes;
    lines[k].count++;
  }
  if (!lines) cli_fail("Memory is short.");
  return lines;
}

static bool print_lines(const cli_profile *p, const profile_options *o) {
  size_t count;
  line *lines = lines_of(p, o->by, &count);
  if (!lines) return false;
  if (!o->as_run) qsort(lines, count, sizeof *lines, by_time);
  char a[CLI_NUMBER_TEXT], b[CLI_NUMBER_TEXT], shape[CLI_SHAPE_TEXT];
  printf("%s%s%s, %u thread%s, %zu runs: %s a run", cli_bold(stdout), p->path, cli_plain(stdout), p->threads,
         p->threads == 1 ? "" : "s", p->runs, cli_time(p->dispatch_ns * 1e-6, a));
  printf(", %s of it in %zu kernel calls\n\n", cli_time(p->total_ns * 1e-6, a), p->step_count);
  printf("%s      time  share  cumul. %14s  %-22s %-18s %s%s\n", cli_dim(stdout), "rate",
         o->by == BY_OP ? "operation" : "kernel", o->by == BY_STEP ? "result" : "calls", o->by == BY_STEP ? "node" : "",
         cli_plain(stdout));
  double sum = 0;
  for (size_t i = 0; i < count && (!o->top || i < o->top); i++) {
    const line *l = &lines[i];
    wnn_step_info rate = {.flops = l->flops, .bytes = l->bytes, .runs = 1, .total_ns = l->ns};
    sum += l->ns;
    printf("%10s %5.1f%%  %5.1f%% %14s  %-22s ", cli_time(l->ns * 1e-6, a), p->total_ns ? 100 * l->ns / p->total_ns : 0,
           p->total_ns ? 100 * sum / p->total_ns : 0, cli_step_rate(&rate, b),
           o->by == BY_OP ? l->step->op : l->step->kernel);
    if (o->by == BY_STEP)
      printf("%-18s %.48s\n", cli_shape_text(l->step->output.rank, l->step->output.shape, shape), l->step->label);
    else
      printf("%zu\n", l->count);
  }
  if (o->top && count > o->top)
    printf("%s  ... %zu more, --top 0 shows all%s\n", cli_dim(stdout), count - o->top, cli_plain(stdout));
  free(lines);
  return true;
}

static bool print_json(const cli_profile *p) {
  struct json_object *root = json_object_new_object(), *list = json_object_new_array();
  json_object_object_add(root, "model", json_object_new_string(p->path));
  json_object_object_add(root, "threads", json_object_new_int64(p->threads));
  json_object_object_add(root, "runs", json_object_new_int64((int64_t)p->runs));
  json_object_object_add(root, "meanNs", json_object_new_double(p->dispatch_ns));
  for (size_t i = 0; i < p->step_count; i++) {
    const wnn_step_info *s = &p->steps[i];
    struct json_object *item = json_object_new_object(), *shape = json_object_new_array();
    for (uint32_t d = 0; d < s->output.rank; d++)
      json_object_array_add(shape, json_object_new_int64(s->output.shape[d]));
    json_object_object_add(item, "kernel", json_object_new_string(s->kernel));
    json_object_object_add(item, "op", json_object_new_string(s->op));
    json_object_object_add(item, "node", json_object_new_string(s->label));
    json_object_object_add(item, "shape", shape);
    json_object_object_add(item, "job", json_object_new_int64(s->job));
    json_object_object_add(item, "meanNs", json_object_new_double(cli_step_ns(s)));
    json_object_object_add(item, "minNs", json_object_new_double(s->min_ns));
    json_object_object_add(item, "flops", json_object_new_double(s->flops));
    json_object_object_add(item, "bytes", json_object_new_double(s->bytes));
    json_object_array_add(list, item);
  }
  json_object_object_add(root, "steps", list);
  bool done = cli_write_json("-", root);
  json_object_put(root);
  return done;
}

/* ---- The page ------------------------------------------------------------------------------------------ */

static bool write_page(cli_request *r, const cli_profile *p, const char *path) {
  cli_net net;
  bool done = cli_net_make(r, false, &net);
  /* Labels of operations are the names of nodes. */
  for (size_t i = 0; done && i < p->step_count; i++)
    for (size_t k = 0; k < net.node_count; k++)
      if (net.nodes[k].kind == CLI_NET_NODE && *p->steps[i].label && !strcmp(net.nodes[k].name, p->steps[i].label)) {
        net.nodes[k].share += p->total_ns > 0 ? cli_step_ns(&p->steps[i]) / p->total_ns : 0;
        break;
      }
  done = done && cli_net_layout(&net);
  FILE *out = done ? fopen(path, "w") : NULL;
  if (out) cli_profile_page(p, &net, out);
  if (done && (!out || ferror(out) | fclose(out)))
    done = (cli_fail("%s cannot be written: %s.", path, strerror(errno)), false);
  cli_net_free(&net);
  return done;
}

static bool profile(cli_request *r, const profile_options *o) {
  wnn_context *context;
  wnn_onnx_session *session = NULL;
  cli_bound bound = {0};
  wnn_graph *graph;
  cli_profile p = {.path = r->path, .runs = o->runs};
  r->engine.profile = true;
  if (!cli_request_fill(r, CLI_FILL_RANDOM) || !cli_context_make(r, &context)) return false;
  bool done = cli_prepare(r, context, &session, &graph) && cli_bound_make(r, context, graph, &bound) &&
              measure(r, o, context, &bound, &p);
  p.threads = wnn_context_threads(context);
  if (done) done = r->json ? print_json(&p) : print_lines(&p, o);
  if (done && o->html) done = write_page(r, &p, o->html);
  free(p.steps);
  cli_bound_free(&bound);
  wnn_onnx_session_release(session);
  wnn_context_release(context);
  return done;
}

int cli_profile_run(int argc, char **argv) {
  cli_request r;
  profile_options o = {.runs = 20, .top = 20};
  int code = cli_request_read(&r, argc, argv, own_options, take, &o);
  if (!code) code = profile(&r, &o) ? CLI_OK : CLI_FAILED;
  cli_request_free(&r);
  return code;
}
