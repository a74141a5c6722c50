/* Runs a program: binds tensors, then walks the steps. */
#include <time.h>

#include "backend/cpu/program.h"

typedef struct run {
  const wnn_step *step;  /* whose range is shared */
  const wnn_unit *units; /* or those of several */
  char *scratch;
  size_t stride;
} run;

static void run_share(void *argument, size_t begin, size_t end, unsigned thread) {
  const run *r = argument;
  r->step->fn(&r->step->task, begin, end, r->scratch + thread * r->stride);
}

static void run_units(void *argument, size_t begin, size_t end, unsigned thread) {
  const run *r = argument;
  for (const wnn_unit *unit = r->units + begin; unit < r->units + end; unit++)
    if (unit->step) unit->step->fn(&unit->step->task, unit->begin, unit->end, r->scratch + thread * r->stride);
}

static void run_step(const wnn_program *program, const wnn_step *step) {
  char *scratch = program->arena + program->arena_bytes;
  if (!wnn_step_is_divisible(step->range, step->grain)) {
    step->fn(&step->task, 0, step->range, scratch);
    return;
  }
  run r = {.step = step, .scratch = scratch, .stride = program->scratch_bytes};
  wnn_pool_run(program->backend->options.pool, run_share, &r, step->range, step->grain);
}

static void run_job(const wnn_program *program, const wnn_job_plan *job) {
  run r = {.units = job->units, .scratch = program->arena + program->arena_bytes, .stride = program->scratch_bytes};
  wnn_pool_run(program->backend->options.pool, run_units, &r, job->unit_count, 1);
}

static uint64_t now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * UINT64_C(1000000000) + (uint64_t)t.tv_nsec;
}

static void run_profiled(wnn_program *program) {
  for (size_t i = 0; i < program->step_count; i++) {
    wnn_step *step = &program->steps[i];
    uint64_t start = now_ns();
    run_step(program, step);
    uint64_t taken = now_ns() - start;
    step->total_ns += taken;
    if (!step->runs++ || taken < step->min_ns) step->min_ns = taken;
  }
}

void wnn_cpu_run(wnn_program *program, void *const *bindings) {
  for (size_t i = 0; i < program->patch_count; i++) {
    const wnn_patch *patch = &program->patches[i];
    *patch->data = (char *)bindings[patch->binding] + patch->offset;
  }
  if (program->backend->options.profile) {
    run_profiled(program);
    return;
  }
  for (size_t i = 0; i < program->job_count; i++) {
    const wnn_job_plan *job = &program->jobs[i];
    if (job->units)
      run_job(program, job);
    else
      run_step(program, &program->steps[job->first]);
  }
}
