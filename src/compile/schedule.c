/* Jobs: independent steps that are near one another run side by side where that saves time. */
#include "compile/compile.h"

enum {
  WINDOW = 16,  /* steps ahead that may be drawn to a job: results live longer by as much */
  JOB_MOST = 8, /* steps of a job */
  WORTH = 50    /* a job saves at least this part of its time, since its steps give up their own way to share rows */
};

typedef struct scheduler {
  wnn_schedule_step *steps;
  double threads, handover_ns;
} scheduler;

static bool conflict(const wnn_schedule_step *a, const wnn_schedule_step *b) {
  for (uint32_t i = 0; i < a->use_count; i++)
    for (uint32_t k = 0; k < b->use_count; k++) {
      const wnn_schedule_use *x = &a->uses[i], *y = &b->uses[k];
      if (x->memory != y->memory || !(x->writes || y->writes)) continue;
      if (x->writes && y->writes && x->part != WNN_NONE && y->part != WNN_NONE && x->part != y->part) continue;
      return true;
    }
  return false;
}

static bool conflicts_with_any(const scheduler *s, uint32_t step, const uint32_t *others, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (conflict(&s->steps[step], &s->steps[others[i]])) return true;
  return false;
}

/* Nanoseconds that a job of these steps saves over one after the other; negative: none. */
static double gain(const scheduler *s, const uint32_t *job, uint32_t count) {
  double apart = 0, sum = 0, longest = 0;
  for (uint32_t i = 0; i < count; i++) {
    const wnn_schedule_step *step = &s->steps[job[i]];
    apart += step->divisible ? step->cost_ns / s->threads + s->handover_ns : step->cost_ns;
    sum += step->cost_ns;
    if (!step->divisible && step->cost_ns > longest) longest = step->cost_ns;
  }
  double together = (sum / s->threads > longest ? sum / s->threads : longest) + s->handover_ns;
  return apart - together - together / WORTH;
}

/* Draws to job[0] what may run beside it. Returns the number of steps. */
static uint32_t form_job(const scheduler *s, uint32_t first, size_t count, const bool *taken, uint32_t *job) {
  uint32_t passed[WINDOW], passed_count = 0, size = 1;
  double best = 0;
  job[0] = first;
  for (uint32_t at = first + 1; at < count && at - first <= WINDOW && size < JOB_MOST; at++) {
    if (taken[at]) continue;
    job[size] = at;
    double more = gain(s, job, size + 1);
    if (more > best && !conflicts_with_any(s, at, job, size) && !conflicts_with_any(s, at, passed, passed_count)) {
      best = more;
      size++;
    } else {
      passed[passed_count++] = at;
    }
  }
  return size;
}

bool wnn_schedule(const wnn_allocator *allocator, wnn_schedule_step *steps, size_t count, unsigned threads,
                  double handover_ns, uint32_t *order) {
  const scheduler s = {steps, threads, handover_ns};
  bool *taken = count ? wnn_mem_zalloc(allocator, count * sizeof *taken) : NULL;
  if (count && !taken) return false;
  uint32_t jobs = 0;
  size_t placed = 0;
  for (uint32_t first = 0; first < count; first++) {
    if (taken[first]) continue;
    uint32_t job[JOB_MOST];
    uint32_t size = form_job(&s, first, count, taken, job);
    for (uint32_t i = 0; i < size; i++) {
      taken[job[i]] = true;
      steps[job[i]].job = jobs;
      order[placed++] = job[i];
    }
    jobs++;
  }
  wnn_mem_free(allocator, taken, count * sizeof *taken);
  return true;
}
