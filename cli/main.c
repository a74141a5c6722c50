/* The webnn command: picks the subcommand, prints help. */
#include "cli.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const cli_command cli_commands[] = {
    {"ops", "list the operations, or show one with its limits",
     "webnn ops [--json] [OPERATION]\n\n"
     "  Without OPERATION: all operations by category, with a line each.\n"
     "  With OPERATION (conv2d, add, ...): its operands, parameters, data types and ranks.\n\n"
     "  --json   the same as JSON\n",
     cli_ops},
#ifdef WEBNN_HAS_ONNX
#define X(name, function, summary) {#name, summary, cli_##name##_usage, function},
    CLI_MODEL_COMMANDS(X)
#undef X
#endif
#ifdef WEBNN_HAS_PACKS
        {"kernel", "look into kernel packs, test and measure them",
         "webnn kernel info|test|bench|render PACK [OPTIONS]\n\n"
         "  info     the contract of a kernel pack: inputs, outputs, attributes, tunings\n"
         "  test     runs its cases and compares the results\n"
         "  bench    measures its cases\n"
         "  render   prints the shader of a case; --explain tells what each part became\n\n"
         "    webnn kernel test packs/com.microsoft.EmbedLayerNormalization --device cpu\n\n"
         "  PACK               a folder, or a name such as webgpu-kernels/com.microsoft.EmbedLayerNormalization\n"
         "  --device cpu|webgpu  where it runs (default webgpu); --library FILE  the WebGPU library\n"
         "  --variant NAME     one variant; --case NAME  one case; --version N\n"
         "  --rounds N, --threads N, --path FOLDER, --strict\n",
         wnn_cli_kernel},
#endif
    {0},
};

static void complain(const char *format, va_list args) {
  fprintf(stderr, "%swebnn:%s ", cli_red(stderr), cli_plain(stderr));
  vfprintf(stderr, format, args);
  fputc('\n', stderr);
}

int cli_fail(const char *format, ...) {
  va_list args;
  va_start(args, format);
  complain(format, args);
  va_end(args);
  return CLI_FAILED;
}

int cli_usage(const char *command, const char *format, ...) {
  va_list args;
  va_start(args, format);
  complain(format, args);
  va_end(args);
  fprintf(stderr, "See webnn %s%s--help\n", command, *command ? " " : "");
  return CLI_USAGE;
}

static const char *sequence(FILE *stream, const char *text) {
  const char *term = getenv("TERM"), *off = getenv("NO_COLOR");
  return isatty(fileno(stream)) && !(off && *off) && term && strcmp(term, "dumb") ? text : "";
}

const char *cli_bold(FILE *stream) { return sequence(stream, "\033[1m"); }
const char *cli_dim(FILE *stream) { return sequence(stream, "\033[2m"); }
const char *cli_red(FILE *stream) { return sequence(stream, "\033[31m"); }
const char *cli_green(FILE *stream) { return sequence(stream, "\033[32m"); }
const char *cli_plain(FILE *stream) { return sequence(stream, "\033[0m"); }

static void help(FILE *out) {
  fprintf(out, "webnn %s: runs, inspects, checks and measures neural networks\n\nusage: webnn COMMAND [OPTIONS]\n\n",
          wnn_version());
  for (const cli_command *c = cli_commands; c->name; c++)
    fprintf(out, "  %s%-8s%s %s\n", cli_bold(out), c->name, cli_plain(out), c->summary);
  fprintf(out, "\nwebnn COMMAND --help explains a command. Exit code: 0 done, 1 failed, 2 wrong usage.\n");
}

static const cli_command *find(const char *name) {
  for (const cli_command *c = cli_commands; c->name; c++)
    if (!strcmp(c->name, name)) return c;
  return NULL;
}

static bool asks_for_help(int argc, char **argv) {
  for (int i = 1; i < argc && strcmp(argv[i], "--"); i++)
    if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h")) return true;
  return false;
}

int main(int argc, char **argv) {
  const char *name = argc > 1 ? argv[1] : "--help";
  if (!strcmp(name, "--version") || !strcmp(name, "-V")) {
    printf("webnn %s\n", wnn_version());
    return CLI_OK;
  }
  if (!strcmp(name, "--help") || !strcmp(name, "-h") || !strcmp(name, "help")) {
    const cli_command *about = argc > 2 ? find(argv[2]) : NULL;
    if (about)
      printf("usage: %s", about->usage);
    else
      help(argc > 1 ? stdout : stderr);
    return argc > 1 ? CLI_OK : CLI_USAGE;
  }
  const cli_command *command = find(name);
  if (!command) return cli_usage("", "There is no command \"%s\".", name);
  if (asks_for_help(argc - 1, argv + 1)) {
    printf("usage: %s", command->usage);
    return CLI_OK;
  }
  return command->run(argc - 1, argv + 1);
}
