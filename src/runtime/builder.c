/* The builder functions that need a context: creation, release, build. */
#include "graph/builder.h"

#include "base/error.h"
#include "runtime/runtime.h"

wnn_status wnn_builder_create(wnn_context *context, wnn_builder **builder, wnn_error *error) {
  if (wnn_context_is_lost(context))
    return wnn_error_set(error, WNN_INVALID_STATE, "MLGraphBuilder: The context is lost.");
  wnn_builder *fresh = wnn_mem_zalloc(&context->allocator, sizeof *fresh);
  if (!fresh) return wnn_error_oom(error);
  const wnn_builder_host host = {.context = context,
                                 .allocator = &context->allocator,
                                 .is_lost = wnn_context_is_lost,
                                 .constant_blob = wnn_tensor_constant_blob,
                                 .tensor_destroyed = wnn_tensor_destroyed,
                                 .tensor_retain = wnn_tensor_retain_internal,
                                 .tensor_release = wnn_tensor_release,
                                 .tensor_desc = wnn_tensor_desc,
                                 .operand_limits = wnn_context_operand_limits};
  wnn_builder_init(fresh, &host);
  wnn_context_retain_internal(context);
  *builder = fresh;
  return WNN_OK;
}

void wnn_builder_release(wnn_builder *builder) {
  if (!builder) return;
  wnn_context *context = builder->host.context;
  wnn_builder_destroy(builder);
  wnn_mem_free(&context->allocator, builder, sizeof *builder);
  wnn_context_release_internal(context);
}

wnn_status wnn_builder_build(wnn_builder *builder, const wnn_named_operand *outputs, size_t count, wnn_graph **graph,
                             wnn_error *error) {
  wnn_context *context = builder->host.context;
  wnn_context_lock(context);
  bool inside = wnn_timeline_inside(&context->timeline);
  wnn_context_unlock(context);
  if (inside)
    return wnn_error_set(error, WNN_INVALID_STATE,
                         "build: A callback of the context cannot wait for its timeline; build with a callback.");
  wnn_ir ir;
  wnn_status status = wnn_builder_prepare(builder, outputs, count, &ir, error);
  return status ? status : wnn_context_build(context, &ir, graph, error);
}

wnn_status wnn_builder_build_async(wnn_builder *builder, const wnn_named_operand *outputs, size_t count,
                                   wnn_built_fn callback, void *user, wnn_error *error) {
  wnn_ir ir;
  wnn_status status = wnn_builder_prepare(builder, outputs, count, &ir, error);
  return status ? status : wnn_context_build_async(builder->host.context, &ir, callback, user, error);
}
