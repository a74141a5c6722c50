/* The timeline: queue, runner, worker thread. */
#include "runtime/timeline.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <time.h>

#include "base/cpu.h"

enum {
  LOOK_NS = 100000,      /* from the worker's being woken to its look at the queue */
  LOOK_MOST_NS = 2000000 /* the time doubles up to this while others run what is queued */
};

/* A condition whose timed waits go by the clock that nobody sets. */
static bool init_condition(pthread_cond_t *condition) {
  pthread_condattr_t attributes;
  if (pthread_condattr_init(&attributes)) return false;
  bool fine = !pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC) && !pthread_cond_init(condition, &attributes);
  pthread_condattr_destroy(&attributes);
  return fine;
}

bool wnn_timeline_init(wnn_timeline *timeline) {
  *timeline = (wnn_timeline){.running = false};
  if (pthread_mutex_init(&timeline->mutex, NULL)) return false;
  if (init_condition(&timeline->work)) {
    if (!pthread_cond_init(&timeline->change, NULL)) return true;
    pthread_cond_destroy(&timeline->work);
  }
  pthread_mutex_destroy(&timeline->mutex);
  return false;
}

void wnn_timeline_end(wnn_timeline *timeline) {
  if (timeline->started) {
    wnn_timeline_lock(timeline);
    timeline->stop = true;
    pthread_cond_signal(&timeline->work);
    wnn_timeline_unlock(timeline);
    if (pthread_equal(timeline->worker, pthread_self())) {
      *timeline->gone = true;
      pthread_detach(timeline->worker);
    } else {
      pthread_join(timeline->worker, NULL);
    }
  }
  pthread_cond_destroy(&timeline->change);
  pthread_cond_destroy(&timeline->work);
  pthread_mutex_destroy(&timeline->mutex);
}

bool wnn_timeline_inside(const wnn_timeline *timeline) {
  return timeline->running && pthread_equal(timeline->runner, pthread_self());
}

static void become_runner(wnn_timeline *timeline) {
  timeline->running = true;
  timeline->runner = pthread_self();
}

static void unlink_job(wnn_timeline *timeline, wnn_job *job) {
  *(job->previous ? &job->previous->next : &timeline->head) = job->next;
  *(job->next ? &job->next->previous : &timeline->tail) = job->previous;
  job->previous = job->next = NULL;
  job->queued = false;
  if (!timeline->head) timeline->urgent = false;
}

/* Runs the first job; the caller is the runner. False, without the lock, when the timeline ended meanwhile, which
 * can happen only to the worker: other runners hold a reference to the context. */
static bool run_first(wnn_timeline *timeline, const bool *gone) {
  wnn_job *job = timeline->head;
  bool waited = job->waited;
  unlink_job(timeline, job);
  timeline->begun++;
  wnn_timeline_unlock(timeline);
  job->run(job);
  if (gone && *gone) return false;
  wnn_timeline_lock(timeline);
  if (waited) job->done = true;
  if (timeline->waiters) pthread_cond_broadcast(&timeline->change);
  return true;
}

/* What the worker saw when it last looked. */
typedef struct look {
  uint64_t begun, pushed;
  long delay_ns;
} look;

/* Waits for being woken or for the time of the next look. True when something has been left in the queue. While others
 * are at work or nothing new comes, the worker sleeps until the next dispatch wakes it, rather than disturb them. */
static bool look_later(wnn_timeline *timeline, look *last) {
  if (!timeline->watching) {
    pthread_cond_wait(&timeline->work, &timeline->mutex);
    last->begun = timeline->begun;
    return false;
  }
  struct timespec until;
  clock_gettime(CLOCK_MONOTONIC, &until);
  until.tv_nsec += last->delay_ns;
  until.tv_sec += until.tv_nsec / 1000000000;
  until.tv_nsec %= 1000000000;
  if (pthread_cond_timedwait(&timeline->work, &timeline->mutex, &until) != ETIMEDOUT) return false;
  const bool left = timeline->head && !timeline->running && timeline->begun == last->begun;
  const bool others = timeline->begun != last->begun || timeline->running;
  timeline->watching = !timeline->running && (timeline->head || timeline->pushed != last->pushed);
  if (!others)
    last->delay_ns = LOOK_NS;
  else if (last->delay_ns < LOOK_MOST_NS)
    last->delay_ns *= 2;
  last->begun = timeline->begun;
  last->pushed = timeline->pushed;
  return left;
}

static void *worker_main(void *argument) {
  wnn_timeline *timeline = argument;
  bool gone = false;
  if (timeline->placed) wnn_cpu_stay_on(timeline->processor);
  wnn_timeline_lock(timeline);
  timeline->gone = &gone;
  look last = {timeline->begun, 0, LOOK_NS};
  while (!timeline->stop) {
    bool come = timeline->urgent && timeline->head && !timeline->running;
    if (!come && !look_later(timeline, &last)) continue;
    become_runner(timeline);
    while (timeline->head)
      if (!run_first(timeline, &gone)) return NULL;
    timeline->running = false;
    if (timeline->waiters) pthread_cond_broadcast(&timeline->change);
  }
  wnn_timeline_unlock(timeline);
  return NULL;
}

/* True when there is a worker, awake from now on. */
static bool wake_worker(wnn_timeline *timeline) {
  if (!timeline->started) {
    sigset_t all, before;
    sigfillset(&all); /* signals are for the program's own threads */
    if (pthread_sigmask(SIG_SETMASK, &all, &before)) return false;
    timeline->started = !pthread_create(&timeline->worker, NULL, worker_main, timeline);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    timeline->watching = timeline->started;
    return timeline->started;
  }
  timeline->watching = true;
  pthread_cond_signal(&timeline->work);
  return true;
}

/* Sees to it that somebody runs what is queued. */
static void hand_on(wnn_timeline *timeline) {
  if (timeline->running || !timeline->head) return;
  if (timeline->waiters) {
    pthread_cond_broadcast(&timeline->change);
  } else if ((timeline->urgent || !timeline->watching) && !wake_worker(timeline)) {
    become_runner(timeline);
    while (timeline->head) run_first(timeline, NULL);
    timeline->running = false;
    if (timeline->waiters) pthread_cond_broadcast(&timeline->change);
  }
}

bool wnn_timeline_take(wnn_timeline *timeline) {
  if (!wnn_timeline_idle(timeline)) return false;
  become_runner(timeline);
  return true;
}

void wnn_timeline_give(wnn_timeline *timeline) {
  timeline->running = false;
  if (timeline->waiters)
    pthread_cond_broadcast(&timeline->change);
  else
    hand_on(timeline);
}

static void append(wnn_timeline *timeline, wnn_job *job) {
  job->next = NULL;
  job->previous = timeline->tail;
  *(timeline->tail ? &timeline->tail->next : &timeline->head) = job;
  timeline->tail = job;
  job->queued = true;
  timeline->pushed++;
}

void wnn_timeline_push(wnn_timeline *timeline, wnn_job *job, bool awaited) {
  /* A second job: the caller does not wait after each. */
  if (!awaited || timeline->head) timeline->urgent = true;
  append(timeline, job);
  hand_on(timeline);
}

void wnn_timeline_remove(wnn_timeline *timeline, wnn_job *job) {
  unlink_job(timeline, job);
  if (job->waited) job->done = true;
  if (timeline->waiters) pthread_cond_broadcast(&timeline->change);
}

void wnn_timeline_wait(wnn_timeline *timeline, wnn_job *job) {
  job->waited = true;
  job->done = false;
  append(timeline, job);
  timeline->waiters++;
  while (!job->done) {
    if (timeline->running || !timeline->head) {
      pthread_cond_wait(&timeline->change, &timeline->mutex);
      continue;
    }
    become_runner(timeline);
    while (!job->done && timeline->head) run_first(timeline, NULL);
    timeline->running = false;
  }
  timeline->waiters--;
  if (timeline->waiters) pthread_cond_broadcast(&timeline->change);
  hand_on(timeline);
}

void wnn_timeline_drain(wnn_timeline *timeline) {
  timeline->waiters++;
  while (!wnn_timeline_idle(timeline)) {
    if (timeline->running) {
      pthread_cond_wait(&timeline->change, &timeline->mutex);
      continue;
    }
    become_runner(timeline);
    while (timeline->head) run_first(timeline, NULL);
    timeline->running = false;
    if (timeline->waiters > 1) pthread_cond_broadcast(&timeline->change);
  }
  timeline->waiters--;
}
