/* The CPU backend's entry points: compile, run, constant folding by its own kernels, listings. */
#include <string.h>

#include "backend/cpu/program.h"
#include "base/error.h"
#include "compile/compile.h"

static wnn_cpu_backend *of(wnn_backend *backend) { return (wnn_cpu_backend *)backend; }

static void destroy(wnn_backend *backend) {
  const wnn_allocator *allocator = of(backend)->options.allocator;
  wnn_mem_free(allocator, backend, sizeof(wnn_cpu_backend));
}

static uint16_t types(const wnn_backend *backend, int op) {
  (void)backend;
  return wnn_cpu_ops[op].reference ? WNN_TYPES_ANY : 0;
}

/* Runs one node on its constants: a program of its own, so that folding has the speed of the engine. */
static bool evaluate(void *user, const wnn_ir *ir, const wnn_node *node, wnn_blob **outputs) {
  wnn_cpu_backend *backend = user;
  const wnn_allocator *allocator = backend->options.allocator;
  wnn_ir single;
  wnn_ir_init(&single, allocator);
  wnn_node copy = *node;
  copy.inputs = wnn_arena_array(&single.arena, node->input_count, sizeof *copy.inputs);
  copy.outputs = wnn_arena_array(&single.arena, node->output_count, sizeof *copy.outputs);
  single.outputs = wnn_arena_array(&single.arena, node->output_count, sizeof *single.outputs);
  void **bindings = wnn_arena_array(&single.arena, node->output_count, sizeof *bindings);
  bool fine = copy.inputs && copy.outputs && single.outputs && bindings;
  for (uint32_t i = 0; fine && i < node->input_count; i++) {
    copy.inputs[i] = WNN_NONE;
    if (node->inputs[i] == WNN_NONE) continue;
    wnn_value value = ir->values[node->inputs[i]];
    copy.inputs[i] = wnn_ir_value(&single, &value);
    fine = copy.inputs[i] != WNN_NONE;
    if (fine) wnn_blob_retain(value.blob);
  }
  uint32_t made = 0;
  for (uint32_t i = 0; fine && i < node->output_count; i++) {
    wnn_value value = {.desc = ir->values[node->outputs[i]].desc, .kind = WNN_VALUE_RESULT, .slot = i};
    copy.outputs[i] = wnn_ir_value(&single, &value);
    single.outputs[i] = (wnn_ir_output){"", copy.outputs[i]};
    outputs[i] = wnn_blob_create(allocator, wnn_bytes(&value.desc));
    fine = copy.outputs[i] != WNN_NONE && outputs[i];
    if (outputs[i]) made++;
    if (fine) memcpy(&bindings[i], &outputs[i]->data, sizeof bindings[i]);
  }
  single.output_count = node->output_count;
  wnn_program *program = NULL;
  fine = fine && wnn_ir_node(&single, &copy) != WNN_NONE && wnn_cpu_lower(backend, &single, &program, NULL) == WNN_OK;
  if (fine)
    wnn_cpu_run(program, bindings);
  else
    for (uint32_t i = 0; i < made; i++) wnn_blob_release(outputs[i]);
  wnn_cpu_program_destroy(program);
  wnn_ir_free(&single);
  return fine;
}

static wnn_status compile(wnn_backend *backend, wnn_ir *ir, wnn_program **program, wnn_error *error) {
  wnn_cpu_backend *cpu = of(backend);
  uint64_t nodes = ir->node_count;
  if (!cpu->options.reference) {
    wnn_compile_options options = {.allocator = cpu->options.allocator,
                                   .disabled_passes = cpu->options.disabled_passes,
                                   .evaluate = evaluate,
                                   .user = cpu};
    wnn_status status = wnn_compile(ir, &options, error);
    if (status) return status;
  }
  wnn_status status = wnn_cpu_lower(cpu, ir, program, error);
  if (status) return status;
  (*program)->node_count = nodes;
  wnn_arena_join(&(*program)->memory, &ir->arena); /* the arguments and labels that steps point to */
  return WNN_OK;
}

static void stats(const wnn_program *program, wnn_graph_stats *out) {
  *out = (wnn_graph_stats){.node_count = program->node_count,
                           .step_count = program->step_count,
                           .arena_bytes = program->arena_bytes,
                           .constant_bytes = program->constant_bytes,
                           .borrowed_bytes = program->borrowed_bytes,
                           .cost_ns = program->cost_ns};
}

static bool step(const wnn_program *program, size_t index, wnn_step_info *info) {
  if (index >= program->step_count) return false;
  const wnn_step *s = &program->steps[index];
  *info = (wnn_step_info){.kernel = s->kernel,
                          .op = wnn_ir_op_name(s->op),
                          .label = s->label,
                          .job = s->job,
                          .flops = s->flops,
                          .bytes = s->bytes,
                          .runs = s->runs,
                          .total_ns = (double)s->total_ns,
                          .min_ns = (double)s->min_ns};
  if (s->task.output_count) info->output = s->task.outputs[0].desc;
  return true;
}

static const wnn_backend_vtable vtable = {.name = "cpu",
                                          .destroy = destroy,
                                          .types = types,
                                          .compile = compile,
                                          .program_destroy = wnn_cpu_program_destroy,
                                          .dispatch = wnn_cpu_run,
                                          .stats = stats,
                                          .step = step};

wnn_status wnn_cpu_backend_create(const wnn_backend_options *options, wnn_backend **backend, wnn_error *error) {
  wnn_cpu_backend *cpu = wnn_mem_zalloc(options->allocator, sizeof *cpu);
  if (!cpu) return wnn_error_oom(error);
  cpu->base.vtable = &vtable;
  cpu->options = *options;
  wnn_ukernels_init(&cpu->ukernels, options->cpu_features);
  *backend = &cpu->base;
  return WNN_OK;
}
