/* The webnn command: subcommands and what they share. Uses the public headers only. */
#ifndef WNN_CLI_CLI_H
#define WNN_CLI_CLI_H

#include <stdio.h>
#include <webnn/webnn.h>

enum { CLI_OK = 0, CLI_FAILED = 1, CLI_USAGE = 2 };

typedef struct cli_command {
  const char *name, *summary;
  const char *usage;                 /* options and explanations, ends with a newline */
  int (*run)(int argc, char **argv); /* argv[0] is the subcommand's name */
} cli_command;
extern const cli_command cli_commands[]; /* ends with a NULL name */

/* One line on standard error, "webnn: ..."; return CLI_FAILED and CLI_USAGE. */
int cli_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
int cli_usage(const char *command, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Escape sequences, or "" when the stream is no terminal, NO_COLOR is set or TERM is dumb. */
const char *cli_bold(FILE *stream);
const char *cli_dim(FILE *stream);
const char *cli_red(FILE *stream);
const char *cli_green(FILE *stream);
const char *cli_plain(FILE *stream);

int cli_ops(int argc, char **argv);
int wnn_cli_kernel(int argc, char **argv); /* with kernel packs */
#ifdef WEBNN_HAS_ONNX
#define CLI_MODEL_COMMANDS(X)                                                                                          \
  X(run, cli_run, "run a model on inputs from files")                                                                  \
  X(info, cli_info, "show inputs, outputs, operators and memory of a model")                                           \
  X(check, cli_check, "say for each node of a model whether it can run, and why not")                                  \
  X(bench, cli_bench, "measure the time of a model, compare with a saved result")                                      \
  X(profile, cli_profile_run, "show where the time goes, also as an HTML page")                                        \
  X(graph, cli_graph, "draw a model as SVG or DOT")                                                                    \
  X(diff, cli_diff, "name the first operation whose results part between two engines")
#define X(name, function, summary)                                                                                     \
  int function(int argc, char **argv);                                                                                 \
  extern const char cli_##name##_usage[];
CLI_MODEL_COMMANDS(X)
#undef X
#endif

#endif
