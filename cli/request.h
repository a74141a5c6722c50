/* What the commands on models share: options, the model, its inputs, a context. */
#ifndef WNN_CLI_REQUEST_H
#define WNN_CLI_REQUEST_H

#include <getopt.h>
#include <webnn/webnn_onnx.h>

#include "array.h"

enum { CLI_PROCESSORS_MAX = 1024 };
typedef enum cli_fill { CLI_FILL_NONE, CLI_FILL_RANDOM, CLI_FILL_RAMP, CLI_FILL_ZEROS, CLI_FILL_ONES } cli_fill;

typedef struct cli_request {
  const char *command;
  /* Options. */
  wnn_context_options engine;
  uint32_t processors[CLI_PROCESSORS_MAX]; /* of engine.processors */
  bool json, quiet;
  cli_fill fill;
  uint32_t seed;
  cli_picture_options picture;
  /* The model and what the options say about it. */
  const char *path;
  wnn_onnx_model *model;
  wnn_onnx_session_options session;
  cli_tensors values; /* bound by --value */
  cli_tensors inputs; /* given, then filled */
  /* Texts to be understood when the model is open. */
  const char **texts;
  int *text_kinds;
  size_t text_count;
  double open_ms;
  uint64_t random;
} cli_request;

/* Options that all commands on models take; commands add their own from CLI_OWN on. */
#define CLI_MODEL_OPTIONS                                                                                              \
  "Model options\n"                                                                                                    \
  "  --dim NAME=N           size of an open dimension, by its name in the file\n"                                      \
  "  --dim INPUT@AXIS=N     the same by input and position, for dimensions without name\n"                             \
  "  --shape INPUT=1x3x48   shape of an input (\"scalar\" for rank 0)\n"                                               \
  "  --value INPUT=V,V,...  make an input a constant: a sample rate, a switch\n"                                       \
  "  --default-dim N        size of every dimension that nothing else settles\n"
#define CLI_INPUT_OPTIONS                                                                                              \
  "Inputs\n"                                                                                                           \
  "  NAME=FILE              .npy, .npz, .json, .png, .jpg, .wav; names may hold = : / and blanks\n"                    \
  "  FILE.npz, FILE.json    several inputs by name; any FILE when the model has one input\n"                           \
  "  --fill KIND            inputs not given: random, ramp, zeros, ones; --seed N changes random\n"                    \
  "  --size WxH             scale pictures (default: as the input declares, or as they are)\n"                         \
  "  --mean, --std A,B,C    (value - mean) / std for each channel, values 0..1 (default 0 and 1)\n"                    \
  "  --scale X              instead of 1/255; 1 keeps 0..255\n"                                                        \
  "  --layout nchw|nhwc     order of axes of pictures; --channels 1|3|4; --bgr\n"
#define CLI_ENGINE_OPTIONS                                                                                             \
  "Engine\n"                                                                                                           \
  "  --threads N            threads that compute (default: one a processor)\n"                                         \
  "  --processors LIST      logical processors that its threads stay on, such as 0,2-3\n"                             \
  "  --reference            plain reference kernels, graph as built\n"                                                 \
  "  --features LIST        processor features to use: avx2,avxvnni,avx512,vnni,amx,neon or none\n"                    \
  "  --without LIST         compiler passes to leave out: fold,dedup,simplify,patterns,fuse,layout,...\n"

/* Options whose text is understood once the model is open. */
enum { CLI_TEXT_DIM = 256, CLI_TEXT_SHAPE, CLI_TEXT_VALUE, CLI_TEXT_INPUT, CLI_TEXT_INPUT_JSON, CLI_TEXT_KINDS };
int cli_request_texts(cli_request *r); /* CLI_OK, or the exit code */

enum { CLI_OWN = 512 };
/* Understands one option of the command's own; false: complained. */
typedef bool (*cli_own_fn)(void *user, int option, const char *text);

/* Parses options and positional arguments, opens the model and reads the inputs. CLI_OK, or the exit code. The request
 * is to be freed in any case. own ends with {0}, may be NULL. */
int cli_request_read(cli_request *r, int argc, char **argv, const struct option *own, cli_own_fn take, void *user);
void cli_request_free(cli_request *r);

/* Whether options, values and the file give every dimension of an input a size. */
bool cli_input_settled(const cli_request *r, int input);
/* Whether all of them have; else the failure names the option that settles the first open dimension. */
bool cli_request_settled(const cli_request *r);
/* Prints a failure of the library with the model's path in front, unless it names the file itself. CLI_FAILED. */
int cli_model_failed(const cli_request *r, const wnn_error *error);
bool cli_context_make(const cli_request *r, wnn_context **context);
/* Makes every input of the model that is neither given nor bound, by --fill; without it complains. */
bool cli_request_fill(cli_request *r, cli_fill otherwise);
/* The inputs as the importer wants them; freed by the caller. */
wnn_onnx_tensor *cli_request_inputs(const cli_request *r);
bool cli_request_session(const cli_request *r, wnn_context *context, wnn_onnx_session **session);
/* Compiles the model for the inputs, with a bar. */
bool cli_prepare(cli_request *r, wnn_context *context, wnn_onnx_session **session, wnn_graph **graph);

/* A compiled graph with tensors for its inputs, written, and its outputs. */
typedef struct cli_bound {
  wnn_graph *graph;
  wnn_named_tensor *inputs, *outputs;
  size_t input_count, output_count;
} cli_bound;
bool cli_bound_make(const cli_request *r, wnn_context *context, wnn_graph *graph, cli_bound *bound);
bool cli_bound_run(wnn_context *context, const cli_bound *bound);
void cli_bound_free(cli_bound *bound);

/* Values of an option's text. */
bool cli_parse_count(const char *option, const char *text, uint32_t lowest, uint32_t highest, uint32_t *value);
bool cli_parse_features(const char *text, uint64_t *mask);
bool cli_parse_passes(const char *option, const char *text, uint64_t *mask);

double cli_now_ms(void);
double cli_peak_mb(void);

/* A bar on standard error, when that is a terminal. total 0: a phase without measure. */
typedef struct cli_progress {
  bool shown;
  const char *what;
  double last_ms;
  size_t done, total; /* of the tap */
} cli_progress;
void cli_progress_start(cli_progress *p, const cli_request *r, const char *what);
void cli_progress_step(cli_progress *p, size_t done, size_t total);
void cli_progress_end(cli_progress *p);
/* A tap for wnn_onnx_options that moves the bar node by node; total is the number of nodes. */
void cli_progress_tap(void *user, const wnn_onnx_tapped *tapped);

/* A number with an SI prefix: "12.3 k". */
enum { CLI_NUMBER_TEXT = 24 };
const char *cli_number(double value, const char *unit, char text[CLI_NUMBER_TEXT]);
const char *cli_bytes(double bytes, char text[CLI_NUMBER_TEXT]);
/* Time in milliseconds: "1.23 ms", "45 us". */
const char *cli_time(double ms, char text[CLI_NUMBER_TEXT]);

#endif
