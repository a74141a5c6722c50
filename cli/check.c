/* webnn check: whether each node of a model can run, and if not why. */
#include <json-c/json.h>
#include <string.h>

#include "request.h"

const char cli_check_usage[] = "webnn check [OPTIONS] MODEL.onnx\n\n"
                               "  Tries every node of a model and names those that cannot run, with the reason.\n"
                               "  Exit code: 0 all can run, 1 some cannot (or the file is malformed).\n\n"
                               "    webnn check model.onnx --default-dim 1\n\n"
                               "  --all                  show the supported nodes too\n"
                               "  --json                 every node as JSON\n" CLI_MODEL_OPTIONS;

enum { OWN_ALL = CLI_OWN };
static const struct option own_options[] = {{"all", no_argument, NULL, OWN_ALL}, {0}};

typedef struct checking {
  bool all;
  size_t nodes, folded, waiting, shown;
  struct json_object *list;
} checking;

static bool take(void *user, int option, const char *text) {
  (void)option;
  (void)text;
  ((checking *)user)->all = true;
  return true;
}

static void report(void *user, const wnn_onnx_report *n) {
  checking *c = user;
  static const char *const words[] = {"ok", "unsupported", "waiting"};
  c->nodes++;
  c->folded += n->folded;
  c->waiting += n->support == WNN_ONNX_UNKNOWN;
  if (c->list) {
    struct json_object *item = json_object_new_object();
    json_object_object_add(item, "node", json_object_new_string(n->node));
    json_object_object_add(item, "output", json_object_new_string(n->output));
    json_object_object_add(item, "domain", json_object_new_string(n->domain));
    json_object_object_add(item, "operator", json_object_new_string(n->op));
    json_object_object_add(item, "opset", json_object_new_int64(n->opset));
    json_object_object_add(item, "support", json_object_new_string(words[n->support]));
    json_object_object_add(item, "folded", json_object_new_boolean(n->folded));
    if (*n->reason) json_object_object_add(item, "reason", json_object_new_string(n->reason));
    json_object_array_add(c->list, item);
    return;
  }
  if (!c->all && n->support != WNN_ONNX_UNSUPPORTED) return;
  const char *color = n->support == WNN_ONNX_SUPPORTED     ? cli_green(stdout)
                      : n->support == WNN_ONNX_UNSUPPORTED ? cli_red(stdout)
                                                           : cli_dim(stdout);
  c->shown++;
  printf("%s%-11s%s  %s%s%s  %s%s\"%s\"%s%s%s\n", color, n->folded ? "folded" : words[n->support], cli_plain(stdout),
         n->domain, *n->domain ? "." : "", n->op, *n->node ? "node " : "node of output ", cli_bold(stdout),
         *n->node ? n->node : n->output, cli_plain(stdout), *n->reason ? ": " : "", n->reason);
}

int cli_check(int argc, char **argv) {
  cli_request r;
  checking c = {0};
  int code = cli_request_read(&r, argc, argv, own_options, take, &c);
  wnn_context *context = NULL;
  wnn_error error;
  size_t unsupported = 0;
  r.engine.threads = 1;
  if (!code && r.json) c.list = json_object_new_array();
  if (!code && (!cli_request_settled(&r) || !cli_context_make(&r, &context))) code = CLI_FAILED;
  if (!code && wnn_onnx_check(r.model, context, &r.session.import, report, &c, &unsupported, &error)) {
    code = cli_model_failed(&r, &error);
  } else if (!code) {
    code = unsupported ? CLI_FAILED : CLI_OK;
    if (c.list) {
      struct json_object *root = json_object_new_object();
      json_object_object_add(root, "supported", json_object_new_boolean(!unsupported));
      json_object_object_add(root, "unsupported", json_object_new_int64((int64_t)unsupported));
      json_object_object_add(root, "nodes", c.list);
      c.list = NULL;
      if (!cli_write_json("-", root)) code = CLI_FAILED;
      json_object_put(root);
    } else if (unsupported) {
      printf("%s%s%zu of %zu nodes cannot run%s", c.shown ? "\n" : "", cli_red(stdout), unsupported, c.nodes,
             cli_plain(stdout));
      if (c.waiting) printf("; %zu more wait for their results", c.waiting);
      printf("\n");
    } else {
      printf("%sAll %zu nodes can run%s (%zu folded to constants)\n", cli_green(stdout), c.nodes, cli_plain(stdout),
             c.folded);
    }
  }
  if (c.list) json_object_put(c.list);
  wnn_context_release(context);
  cli_request_free(&r);
  return code;
}
