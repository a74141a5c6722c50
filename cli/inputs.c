/* Sizes, shapes, values and inputs: what the command line says about the inputs of a model. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "request.h"

/* The right side of NAME=REST when NAME is an input; names may hold '=', so the longest one wins. */
static const char *split(const cli_request *r, const char *text, int *input) {
  for (const char *at = text + strlen(text); at > text; at--) {
    if (at[-1] != '=') continue;
    char *name = strndup(text, (size_t)(at - 1 - text));
    *input = name ? wnn_onnx_find_input(r->model, name) : -1;
    free(name);
    if (*input >= 0) return at;
  }
  return NULL;
}

static bool no_input(const cli_request *r, const char *option, const char *text) {
  char list[400] = "";
  size_t used = 0, count = wnn_onnx_get_info(r->model)->input_count;
  for (size_t i = 0; i < count && used + 2 < sizeof list; i++)
    used += (size_t)snprintf(list + used, sizeof list - used, "%s\"%s\"", i ? ", " : "",
                             wnn_onnx_get_input(r->model, i)->name);
  cli_fail("%s%s\"%s\" names no input; the model has %s.", option, *option ? " " : "", text, count ? list : "none");
  return false;
}

static void wanted_of(const cli_request *r, int input, cli_wanted *wanted) {
  const wnn_onnx_port *port = wnn_onnx_get_input(r->model, (size_t)input);
  *wanted = (cli_wanted){-1, {0}};
  if (!port->has_shape || port->rank > WNN_MAX_RANK) return;
  wanted->rank = (int)port->rank;
  for (uint32_t i = 0; i < port->rank; i++) {
    wanted->dims[i] = port->dims[i].size;
    for (size_t k = 0; k < r->session.import.size_count && wanted->dims[i] < 0; k++) {
      const wnn_onnx_size *size = &r->session.import.sizes[k];
      if (size->symbol ? !strcmp(size->symbol, port->dims[i].symbol)
                       : !strcmp(size->input, port->name) && size->axis == i)
        wanted->dims[i] = size->size;
    }
  }
  for (size_t k = 0; k < r->session.import.shape_count; k++) {
    const wnn_onnx_shape *shape = &r->session.import.shapes[k];
    if (strcmp(shape->input, port->name)) continue;
    wanted->rank = (int)shape->rank;
    for (uint32_t i = 0; i < shape->rank; i++) wanted->dims[i] = shape->shape[i];
  }
}

/* An array in the shape that the input declares, when only ones at the front differ (a scalar as [1]). */
static void adapt_rank(const cli_wanted *wanted, cli_array *array) {
  if (wanted->rank < 0) return;
  uint32_t rank = (uint32_t)wanted->rank;
  while (array->rank > rank && array->shape[0] == 1) {
    memmove(array->shape, array->shape + 1, --array->rank * sizeof *array->shape);
  }
  while (array->rank < rank) {
    memmove(array->shape + 1, array->shape, array->rank++ * sizeof *array->shape);
    array->shape[0] = 1;
  }
}

static bool add_array(cli_request *r, int input, cli_array *array, cli_tensors *to) {
  const wnn_onnx_port *port = wnn_onnx_get_input(r->model, (size_t)input);
  cli_wanted wanted;
  cli_tensor tensor;
  wanted_of(r, input, &wanted);
  adapt_rank(&wanted, array);
  bool done = port->has_data_type;
  if (!done) cli_fail("Input \"%s\" is a %s, which no tensor carries.", port->name, port->type);
  done = done && cli_array_convert(array, port->name, port->data_type, &tensor) && cli_tensors_add(to, &tensor);
  cli_array_free(array);
  return done;
}

typedef struct pick {
  cli_request *r;
  const char *name; /* the input that a lone or like-named array is for; NULL: all by name */
  bool found;
} pick;

static bool take_array(void *user, const char *name, cli_array *array) {
  pick *p = user;
  int input = wnn_onnx_find_input(p->r->model, p->name && !*name ? p->name : name);
  if (p->name ? input < 0 || strcmp(wnn_onnx_get_input(p->r->model, (size_t)input)->name, p->name) : input < 0) {
    cli_array_free(array);
    return p->name || no_input(p->r, "", name);
  }
  p->found = true;
  return add_array(p->r, input, array, &p->r->inputs);
}

static bool read_input(cli_request *r, int input, const char *path) {
  cli_array array;
  cli_wanted wanted;
  wanted_of(r, input, &wanted);
  if (cli_has_suffix(path, ".npz") || cli_has_suffix(path, ".json")) {
    pick p = {r, wnn_onnx_get_input(r->model, (size_t)input)->name, false};
    bool done = cli_has_suffix(path, ".npz") ? cli_read_npz(path, take_array, &p) : cli_read_json(path, take_array, &p);
    if (done && !p.found) cli_fail("%s holds no array for \"%s\".", path, p.name);
    return done && p.found;
  }
  bool done;
  if (cli_has_suffix(path, ".png") || cli_has_suffix(path, ".jpg") || cli_has_suffix(path, ".jpeg"))
    done = cli_read_picture(path, &r->picture, &wanted, &array);
  else if (cli_has_suffix(path, ".wav") || cli_has_suffix(path, ".flac"))
    done = cli_read_sound(path, &wanted, &array);
  else
    done = cli_read_npy(path, &array);
  return done && add_array(r, input, &array, &r->inputs);
}

static bool take_input(cli_request *r, const char *text) {
  int input;
  const char *path = split(r, text, &input);
  if (path) return read_input(r, input, path);
  pick all = {r, NULL, false};
  if (!strchr(text, '=') || !access(text, R_OK)) {
    if (cli_has_suffix(text, ".npz")) return cli_read_npz(text, take_array, &all);
    if (cli_has_suffix(text, ".json")) return cli_read_json(text, take_array, &all);
    if (wnn_onnx_get_info(r->model)->input_count == 1) return read_input(r, 0, text);
  }
  return no_input(r, "", text);
}

/* ---- Sizes, shapes, values -------------------------------------------------------------------------- */

/* One more element at the end of a list that is only read elsewhere. */
static void *grow(const void *list, size_t count, size_t size) {
  void *grown = realloc((void *)list, (count + 1) * size);
  if (!grown) cli_fail("Memory is short.");
  return grown;
}

static bool take_dim(cli_request *r, const char *text) {
  wnn_onnx_size size = {NULL, NULL, 0, 0};
  const char *equal = strrchr(text, '=');
  if (!equal || equal == text) {
    cli_fail("--dim takes NAME=N or INPUT@AXIS=N.");
    return false;
  }
  if (!cli_parse_count("--dim", equal + 1, 0, INT32_MAX, &size.size)) return false;
  bool known = false;
  for (size_t i = 0; i < wnn_onnx_get_info(r->model)->input_count && !known; i++) {
    const wnn_onnx_port *port = wnn_onnx_get_input(r->model, i);
    size_t length = strlen(port->name);
    for (uint32_t d = 0; d < port->rank && !known; d++) {
      const char *symbol = port->dims[d].symbol;
      if (*symbol && strlen(symbol) == (size_t)(equal - text) && !strncmp(symbol, text, (size_t)(equal - text))) {
        size.symbol = symbol;
        known = true;
      } else if (!strncmp(text, port->name, length) && text[length] == '@' &&
                 strtoul(text + length + 1, NULL, 10) == d && text[length + 1] != '=') {
        size.input = port->name;
        size.axis = d;
        known = true;
      }
    }
  }
  if (!known) {
    cli_fail("--dim %s: no input has such a dimension; webnn info shows them.", text);
    return false;
  }
  wnn_onnx_options *import = &r->session.import;
  wnn_onnx_size *grown = grow(import->sizes, import->size_count, sizeof size);
  if (!grown) return false;
  grown[import->size_count++] = size;
  import->sizes = grown;
  return true;
}

static bool take_shape(cli_request *r, const char *text) {
  int input;
  const char *at = split(r, text, &input);
  if (!at) return no_input(r, "--shape", text);
  wnn_onnx_shape shape = {wnn_onnx_get_input(r->model, (size_t)input)->name, 0, {0}};
  if (!cli_parse_shape(at, &shape.rank, shape.shape)) {
    cli_fail("--shape %s: sizes are separated by x, such as 1x3x48x320.", text);
    return false;
  }
  wnn_onnx_options *import = &r->session.import;
  wnn_onnx_shape *grown = grow(import->shapes, import->shape_count, sizeof shape);
  if (!grown) return false;
  grown[import->shape_count++] = shape;
  import->shapes = grown;
  return true;
}

static bool parse_values(const char *text, cli_array *array) {
  size_t count = 1;
  for (const char *at = text; *at; at++) count += *at == ',';
  *array = (cli_array){'f', 8, 1, {(uint32_t)count}, NULL};
  if (count > 65536 || !cli_array_alloc(array, "--value")) return false;
  bool whole = !text[strspn(text, "0123456789,-")];
  if (whole) array->kind = 'i';
  for (size_t i = 0; i < count; i++) {
    char *end;
    if (whole)
      ((int64_t *)array->data)[i] = strtoll(text, &end, 10);
    else
      ((double *)array->data)[i] = strtod(text, &end);
    if (end == text || *end != (i + 1 < count ? ',' : 0)) {
      cli_fail("--value: \"%s\" is no number.", text);
      cli_array_free(array);
      return false;
    }
    text = end + 1;
  }
  return true;
}

static bool take_value(cli_request *r, const char *text) {
  int input;
  cli_array array;
  cli_wanted wanted;
  const char *at = split(r, text, &input);
  if (!at) return no_input(r, "--value", text);
  if (!parse_values(at, &array)) return false;
  /* Several numbers take a declared shape of as many elements. */
  wanted_of(r, input, &wanted);
  uint64_t product = 1;
  bool fixed = wanted.rank >= 1;
  for (int i = 0; i < wanted.rank; i++) {
    fixed = fixed && wanted.dims[i] > 0 && wanted.dims[i] <= 65536 && product <= 65536;
    if (fixed) product *= (uint64_t)wanted.dims[i];
  }
  if (fixed && product == array.shape[0]) {
    array.rank = (uint32_t)wanted.rank;
    for (uint32_t i = 0; i < array.rank; i++) array.shape[i] = (uint32_t)wanted.dims[i];
  }
  return add_array(r, input, &array, &r->values);
}

static bool bind_values(cli_request *r) {
  wnn_onnx_value *values = calloc(r->values.count + 1, sizeof *values);
  if (!values) return false;
  for (size_t i = 0; i < r->values.count; i++) {
    const cli_tensor *t = &r->values.at[i];
    values[i] = (wnn_onnx_value){t->name, t->desc, t->data, t->size};
  }
  r->session.import.values = values;
  r->session.import.value_count = r->values.count;
  return true;
}

int cli_request_texts(cli_request *r) {
  /* Sizes first: how a picture is scaled depends on them. */
  for (int inputs = 0; inputs < 2; inputs++) {
    for (size_t i = 0; i < r->text_count; i++) {
      const char *text = r->texts[i];
      bool done = true;
      if (inputs && r->text_kinds[i] == CLI_TEXT_INPUT) done = take_input(r, text);
      if (inputs && r->text_kinds[i] == CLI_TEXT_INPUT_JSON)
        done = cli_read_json(text, take_array, &(pick){r, NULL, false});
      if (!inputs && r->text_kinds[i] == CLI_TEXT_DIM) done = take_dim(r, text);
      if (!inputs && r->text_kinds[i] == CLI_TEXT_SHAPE) done = take_shape(r, text);
      if (!inputs && r->text_kinds[i] == CLI_TEXT_VALUE) done = take_value(r, text);
      if (!done)
        return r->text_kinds[i] == CLI_TEXT_INPUT || r->text_kinds[i] == CLI_TEXT_INPUT_JSON ? CLI_FAILED : CLI_USAGE;
    }
  }
  return bind_values(r) ? CLI_OK : CLI_FAILED;
}

/* ---- Inputs that are not given ------------------------------------------------------------------------ */

static uint32_t random_bits(cli_request *r) {
  r->random = r->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(r->random >> 33);
}

static double made(cli_request *r, cli_fill fill, wnn_data_type type, uint64_t i, uint64_t count) {
  bool real = cli_is_float(type);
  switch (fill) {
  case CLI_FILL_ONES: return 1;
  case CLI_FILL_RAMP: return real ? (double)i / (double)count : (double)(i % 10);
  case CLI_FILL_RANDOM: return real ? (double)random_bits(r) / 1073741824.0 - 1 : (double)(random_bits(r) % 2);
  default: return 0;
  }
}

bool cli_input_settled(const cli_request *r, int input) {
  cli_wanted wanted;
  wanted_of(r, input, &wanted);
  if (cli_tensors_find(&r->values, wnn_onnx_get_input(r->model, (size_t)input)->name)) return true;
  for (int i = 0; i < wanted.rank; i++)
    if (wanted.dims[i] < 0 && !r->session.import.default_size) return false;
  return wanted.rank >= 0;
}

/* Stores the rank and sizes of an input; fails, naming the option that helps, when some are open. */
static bool settle(const cli_request *r, int input, uint32_t *rank, uint32_t shape[WNN_MAX_RANK]) {
  const wnn_onnx_port *port = wnn_onnx_get_input(r->model, (size_t)input);
  cli_wanted wanted;
  wanted_of(r, input, &wanted);
  if (wanted.rank < 0) {
    cli_fail("Input \"%s\" declares no shape; give --shape \"%s=...\".", port->name, port->name);
    return false;
  }
  *rank = (uint32_t)wanted.rank;
  for (uint32_t i = 0; i < *rank; i++) {
    if (wanted.dims[i] < 0)
      wanted.dims[i] = r->session.import.default_size ? (int64_t)r->session.import.default_size : -1;
    if (wanted.dims[i] >= 0 && wanted.dims[i] <= INT32_MAX) {
      shape[i] = (uint32_t)wanted.dims[i];
      continue;
    }
    const char *symbol = port->dims[i].symbol;
    if (*symbol)
      cli_fail("Dimension %u of input \"%s\" is open; give --dim \"%s=N\".", i, port->name, symbol);
    else
      cli_fail("Dimension %u of input \"%s\" is open; give --dim \"%s@%u=N\".", i, port->name, port->name, i);
    return false;
  }
  return true;
}

bool cli_request_settled(const cli_request *r) {
  uint32_t rank, shape[WNN_MAX_RANK];
  for (size_t i = 0; i < wnn_onnx_get_info(r->model)->input_count; i++) {
    bool bound = cli_tensors_find(&r->values, wnn_onnx_get_input(r->model, i)->name) != NULL;
    if (!bound && !settle(r, (int)i, &rank, shape)) return false;
  }
  return true;
}

static bool fill_input(cli_request *r, int input, cli_fill fill) {
  const wnn_onnx_port *port = wnn_onnx_get_input(r->model, (size_t)input);
  cli_array array = {'f', 8, 0, {0}, NULL};
  uint64_t count;
  if (!settle(r, input, &array.rank, array.shape)) return false;
  if (!cli_array_alloc(&array, port->name) || !cli_count(array.rank, array.shape, &count)) return false;
  r->random = (uint64_t)r->seed * UINT64_C(0x9E3779B97F4A7C15) + (uint64_t)input;
  for (uint64_t i = 0; i < count; i++) ((double *)array.data)[i] = made(r, fill, port->data_type, i, count);
  return add_array(r, input, &array, &r->inputs);
}

bool cli_request_fill(cli_request *r, cli_fill otherwise) {
  cli_fill fill = r->fill ? r->fill : otherwise;
  for (size_t i = 0; i < wnn_onnx_get_info(r->model)->input_count; i++) {
    const char *name = wnn_onnx_get_input(r->model, i)->name;
    if (cli_tensors_find(&r->inputs, name) || cli_tensors_find(&r->values, name)) continue;
    if (!fill) {
      cli_fail("Input \"%s\" is not given; give \"%s=FILE\", or --fill random.", name, name);
      return false;
    }
    if (!fill_input(r, (int)i, fill)) return false;
  }
  return true;
}

/* ---- From requests to runs ------------------------------------------------------------------------------ */

wnn_onnx_tensor *cli_request_inputs(const cli_request *r) {
  wnn_onnx_tensor *inputs = calloc(r->inputs.count + 1, sizeof *inputs);
  for (size_t i = 0; inputs && i < r->inputs.count; i++) {
    const cli_tensor *t = &r->inputs.at[i];
    inputs[i] = (wnn_onnx_tensor){t->name, t->desc, t->data, t->size};
  }
  if (!inputs) cli_fail("Memory is short.");
  return inputs;
}

bool cli_request_session(const cli_request *r, wnn_context *context, wnn_onnx_session **session) {
  wnn_error error;
  if (!wnn_onnx_session_create(context, r->model, &r->session, session, &error)) return true;
  cli_model_failed(r, &error);
  return false;
}

bool cli_prepare(cli_request *r, wnn_context *context, wnn_onnx_session **session, wnn_graph **graph) {
  cli_progress progress;
  wnn_error error;
  *session = NULL;
  wnn_onnx_tensor *inputs = cli_request_inputs(r);
  if (!inputs) return false;
  cli_progress_start(&progress, r, "Reading the graph");
  progress.total = wnn_onnx_get_info(r->model)->node_count;
  r->session.import.tap = cli_progress_tap;
  r->session.import.tap_user = &progress;
  bool made = cli_request_session(r, context, session);
  wnn_status status = made ? wnn_onnx_session_prepare(*session, inputs, r->inputs.count, graph, &error) : WNN_OK;
  cli_progress_end(&progress);
  free(inputs);
  if (status) {
    cli_model_failed(r, &error);
    wnn_onnx_session_release(*session);
    *session = NULL;
  }
  return made && !status;
}

static bool bind_one(wnn_context *context, const wnn_desc *desc, uint32_t flags, const char *name,
                     wnn_named_tensor *to) {
  wnn_error error;
  to->name = name;
  if (!wnn_context_create_tensor(context, desc, flags, &to->tensor, &error)) return true;
  cli_fail("Tensor \"%s\": %s", name, error.message);
  return false;
}

bool cli_bound_make(const cli_request *r, wnn_context *context, wnn_graph *graph, cli_bound *bound) {
  *bound = (cli_bound){graph, NULL, NULL, wnn_graph_input_count(graph), wnn_graph_output_count(graph)};
  bound->inputs = calloc(bound->input_count + 1, sizeof *bound->inputs);
  bound->outputs = calloc(bound->output_count + 1, sizeof *bound->outputs);
  if (!bound->inputs || !bound->outputs) return false;
  wnn_error error;
  for (size_t i = 0; i < bound->input_count; i++) {
    const char *name = wnn_graph_input_name(graph, i);
    const cli_tensor *given = cli_tensors_find(&r->inputs, name);
    if (!given) {
      cli_fail("Input \"%s\" is not given.", name);
      return false;
    }
    if (!bind_one(context, wnn_graph_input_desc(graph, i), WNN_TENSOR_WRITABLE, name, &bound->inputs[i])) return false;
    if (wnn_context_write_tensor(context, bound->inputs[i].tensor, given->data, given->size, &error)) {
      cli_fail("Input \"%s\": %s", name, error.message);
      return false;
    }
  }
  for (size_t i = 0; i < bound->output_count; i++)
    if (!bind_one(context, wnn_graph_output_desc(graph, i), WNN_TENSOR_READABLE, wnn_graph_output_name(graph, i),
                  &bound->outputs[i]))
      return false;
  return true;
}

bool cli_bound_run(wnn_context *context, const cli_bound *bound) {
  wnn_error error;
  if (wnn_context_dispatch(context, bound->graph, bound->inputs, bound->input_count, bound->outputs,
                           bound->output_count, &error)) {
    cli_fail("%s", error.message);
    return false;
  }
  wnn_context_finish(context);
  return true;
}

void cli_bound_free(cli_bound *bound) {
  for (size_t i = 0; bound->inputs && i < bound->input_count; i++) wnn_tensor_release(bound->inputs[i].tensor);
  for (size_t i = 0; bound->outputs && i < bound->output_count; i++) wnn_tensor_release(bound->outputs[i].tensor);
  free(bound->inputs);
  free(bound->outputs);
  *bound = (cli_bound){0};
}
