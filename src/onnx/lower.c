/* The public face of the importer: lowering into a builder, checks. */
#include <string.h>

#include "lower.h"

static const ox_node no_node = {"outputs of the model", "", "", {0}, {0}, {0}};

/* Makes an operand that may be an output: neither an input nor a constant, and not one that is taken. */
static wnn_operand *output_operand(ox_import *im, ox_value *value, const wnn_named_operand *taken, size_t count) {
  ox_call c = {.im = im, .node = &no_node, .builder = im->builder, .label = value->name};
  wnn_operand *operand = ox_use(&c, value);
  bool fresh = operand && !value->constant;
  for (size_t i = 0; fresh && i < count; i++) fresh = taken[i].operand != operand;
  for (size_t i = 0; fresh && i < im->model->proto.graph->inputs.count; i++)
    fresh = !im->inputs[i] || im->inputs[i]->operand != operand;
  return fresh ? operand : ox_un(&c, WNN_OP_IDENTITY, operand);
}

static bool output_is_empty(const ox_value *value) {
  for (uint32_t i = 0; i < value->desc.rank; i++) {
    if (!value->desc.shape[i]) return true;
  }
  return false;
}

static wnn_status load_outputs(ox_import *im) {
  for (size_t i = 0; i < im->model->info.output_count; i++) {
    ox_value *value = im->outputs[i];
    if (!value->pending) continue;
    ox_const loaded;
    wnn_status status = ox_tensor_load(im->model, value->pending, &im->keep->arena, &loaded, &im->error);
    if (status) return status;
    value->desc = loaded.desc;
    value->data = loaded.data;
    value->pending = NULL;
  }
  return WNN_OK;
}

wnn_status ox_lower_model(ox_import *im, wnn_named_operand *outputs, size_t *count) {
  static const wnn_onnx_options defaults = WNN_ONNX_OPTIONS_INIT;
  if (!im->options) im->options = &defaults;
  wnn_status status = ox_import_model(im);
  if (!status) status = load_outputs(im);
  *count = 0;
  for (size_t i = 0; !status && i < im->model->info.output_count; i++) {
    ox_value *value = im->outputs[i];
    if (output_is_empty(value)) continue;
    wnn_operand *operand = output_operand(im, value, outputs, *count);
    if (!operand) return im->error.status;
    outputs[(*count)++] = (wnn_named_operand){im->model->outputs[i].name, operand};
  }
  return status;
}

wnn_status wnn_onnx_lower(wnn_onnx_model *model, wnn_builder *builder, const wnn_onnx_options *options,
                          wnn_named_operand *outputs, size_t capacity, size_t *count, wnn_error *error) {
  if (!model || !builder || (!outputs && capacity))
    return ox_error(error, WNN_TYPE_ERROR, "model, builder or outputs are missing");
  if (capacity < model->info.output_count) {
    return ox_error(error, WNN_TYPE_ERROR, "the model has %zu outputs, there is room for %zu", model->info.output_count,
                    capacity);
  }
  ox_import im = {.model = model, .builder = builder, .options = options};
  size_t made = 0;
  wnn_status status = ox_lower_model(&im, outputs, &made);
  if (status && error) *error = im.error;
  if (!status && count) *count = made;
  ox_import_free(&im);
  return status;
}

wnn_status wnn_onnx_check(wnn_onnx_model *model, wnn_context *context, const wnn_onnx_options *options,
                          wnn_onnx_report_fn report, void *user, size_t *unsupported, wnn_error *error) {
  static const wnn_onnx_options defaults = WNN_ONNX_OPTIONS_INIT;
  if (!model || !context || !report) return ox_error(error, WNN_TYPE_ERROR, "model, context or report is missing");
  ox_import im = {.model = model, .options = options ? options : &defaults, .report = report, .user = user};
  wnn_status status = wnn_builder_create(context, &im.builder, error);
  if (status) return status;
  status = ox_import_model(&im);
  if (status && error) *error = im.error;
  if (unsupported) *unsupported = im.unsupported;
  wnn_builder *builder = im.builder;
  ox_import_free(&im);
  wnn_builder_release(builder);
  return status;
}
