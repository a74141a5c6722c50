/* libFuzzer target: bytes as an ONNX model. Opening, listing, checking and lowering succeed or fail with a status and a
 * message; small graphs are built and run. */
#include <stdlib.h>
#include <string.h>
#include <webnn/webnn_onnx.h>

enum { MAX_OUTPUTS = 16, MAX_ELEMENTS = 1 << 16 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void expect(bool truth) {
  if (!truth) abort();
}

static void list(wnn_onnx_model *model) {
  const wnn_onnx_info *info = wnn_onnx_get_info(model);
  wnn_onnx_node node;
  for (size_t i = 0; wnn_onnx_get_node(model, i, &node); i++) expect(node.op && node.output && node.domain);
  for (size_t i = 0; i < info->output_count; i++) expect(wnn_onnx_get_output(model, i)->name != NULL);
  for (size_t i = 0; i < info->input_count; i++)
    expect(wnn_onnx_find_input(model, wnn_onnx_get_input(model, i)->name) >= 0);
  for (size_t i = 0; i < info->metadata_count; i++) expect(wnn_onnx_get_metadata(model, i)->key != NULL);
}

static void count(void *user, const wnn_onnx_report *report) {
  expect((report->support == WNN_ONNX_SUPPORTED) == (report->reason[0] == 0));
  ++*(size_t *)user;
}

/* Tensors without data of their own: zeros. */
static void run(wnn_context *context, wnn_onnx_model *model, wnn_graph *graph) {
  wnn_named_tensor tensors[2 * MAX_OUTPUTS];
  size_t inputs = wnn_graph_input_count(graph), outputs = wnn_graph_output_count(graph), made = 0;
  wnn_error error;
  bool small = inputs <= MAX_OUTPUTS && outputs <= MAX_OUTPUTS;
  for (size_t i = 0; small && i < inputs + outputs; i++) {
    const wnn_desc *desc = i < inputs ? wnn_graph_input_desc(graph, i) : wnn_graph_output_desc(graph, i - inputs);
    tensors[made].name = i < inputs ? wnn_graph_input_name(graph, i) : wnn_graph_output_name(graph, i - inputs);
    small = wnn_desc_elements(desc) <= MAX_ELEMENTS &&
            !wnn_context_create_tensor(context, desc, WNN_TENSOR_READABLE, &tensors[made].tensor, &error);
    made += small;
  }
  if (small) {
    wnn_context_dispatch(context, graph, tensors, inputs, tensors + inputs, outputs, &error);
    wnn_context_finish(context);
  }
  for (size_t i = 0; i < made; i++) wnn_tensor_release(tensors[i].tensor);
}

static void lower(wnn_context *context, wnn_onnx_model *model, const wnn_onnx_options *options) {
  wnn_builder *builder;
  wnn_error error = {WNN_OK, ""};
  wnn_named_operand outputs[MAX_OUTPUTS];
  size_t outputs_made;
  if (wnn_builder_create(context, &builder, &error)) return;
  wnn_status status = wnn_onnx_lower(model, builder, options, outputs, MAX_OUTPUTS, &outputs_made, &error);
  expect(status == WNN_OK || (error.status == status && error.message[0]));
  wnn_graph *graph = NULL;
  uint64_t elements = 0;
  for (size_t i = 0; !status && i < outputs_made; i++)
    elements += wnn_desc_elements(wnn_operand_desc(outputs[i].operand));
  if (!status && outputs_made && elements <= MAX_ELEMENTS &&
      !wnn_builder_build(builder, outputs, outputs_made, &graph, &error))
    run(context, model, graph);
  wnn_graph_release(graph);
  wnn_builder_release(builder);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  wnn_context_options options = WNN_CONTEXT_OPTIONS_INIT;
  options.threads = 1;
  options.reference = true;
  wnn_onnx_model *model;
  wnn_error error = {WNN_OK, ""};
  if (wnn_onnx_open_borrowed(data, size, NULL, NULL, NULL, &model, &error)) {
    expect(error.message[0] != 0);
    return 0;
  }
  list(model);
  wnn_context *context;
  if (!wnn_context_create(&options, &context, &error)) {
    wnn_onnx_options lowering = WNN_ONNX_OPTIONS_INIT;
    size_t reported = 0;
    lowering.default_size = 2;
    lowering.max_nodes = 300;
    wnn_onnx_check(model, context, &lowering, count, &reported, NULL, &error);
    lower(context, model, &lowering);
    wnn_context_release(context);
  }
  wnn_onnx_release(model);
  return 0;
}
