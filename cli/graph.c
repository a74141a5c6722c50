/* webnn graph: the picture of a model, as SVG or DOT. */
#include <errno.h>
#include <string.h>

#include "net.h"

const char cli_graph_usage[] =
    "webnn graph [OPTIONS] MODEL.onnx\n\n"
    "  Draws a model. Constants and what is computed from them alone are left out. Boxes show the\n"
    "  operator, the node and, when every dimension has a size, the shape of the result. Subgraphs\n"
    "  of a node (If, Loop, Scan) and bodies of functions then stand before it, dashed (a frame\n"
    "  in DOT); of a loop the first round.\n\n"
    "    webnn graph rec.onnx --shape x=1x3x48x320 --out rec.svg\n"
    "    webnn graph rec.onnx --out rec.dot\n\n"
    "  --out FILE             .svg or .dot (default: SVG on standard output)\n"
    "  --format svg|dot       instead of by the name\n"
    "  --all                  constants too\n" CLI_MODEL_OPTIONS;

enum { OWN_OUT = CLI_OWN, OWN_FORMAT, OWN_ALL };
static const struct option own_options[] = {{"out", required_argument, NULL, OWN_OUT},
                                            {"format", required_argument, NULL, OWN_FORMAT},
                                            {"all", no_argument, NULL, OWN_ALL},
                                            {0}};
typedef struct graph_options {
  const char *out, *format;
  bool all;
} graph_options;

static bool take(void *user, int option, const char *text) {
  graph_options *o = user;
  if (option == OWN_OUT) o->out = text;
  if (option == OWN_ALL) o->all = true;
  if (option != OWN_FORMAT) return true;
  o->format = text;
  return !strcmp(text, "svg") || !strcmp(text, "dot") || (cli_fail("--format takes svg or dot."), false);
}

int cli_graph(int argc, char **argv) {
  cli_request r;
  cli_net net = {0};
  graph_options o = {0};
  int code = cli_request_read(&r, argc, argv, own_options, take, &o);
  if (!code) {
    bool dot =
        o.format ? !strcmp(o.format, "dot") : o.out && (cli_has_suffix(o.out, ".dot") || cli_has_suffix(o.out, ".gv"));
    bool done = cli_net_make(&r, o.all, &net) && (dot || cli_net_layout(&net));
    FILE *out = !done ? NULL : o.out ? fopen(o.out, "w") : stdout;
    if (done && !out) {
      cli_fail("%s cannot be written: %s.", o.out, strerror(errno));
      done = false;
    }
    if (done && dot) cli_net_dot(&net, out);
    if (done && !dot) cli_net_svg(&net, out);
    if (out && out != stdout && (ferror(out) | fclose(out))) {
      cli_fail("%s cannot be written.", o.out);
      done = false;
    }
    code = done ? CLI_OK : CLI_FAILED;
  }
  cli_net_free(&net);
  cli_request_free(&r);
  return code;
}
