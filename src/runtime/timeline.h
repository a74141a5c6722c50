/* The timeline of a context: a FIFO of jobs and the right to run them.
 *
 * At any time at most one thread is the runner: it alone executes jobs, and it alone uses the backend. Who needs
 * something done now and finds the timeline idle becomes the runner for a moment and does it without queueing;
 * who must wait for a job becomes the runner whenever nobody is; what nobody waits for is run by a worker thread,
 * which is started when it is first needed.
 *
 * To wake the worker costs some microseconds and a place on a processor, in vain if the caller is about to wait. So
 * what is pushed as awaited, a dispatch above all, does not wake it while it watches: after it has been woken, it
 * looks at the queue by itself for a while, and takes what has been left there. */
#ifndef WNN_RUNTIME_TIMELINE_H
#define WNN_RUNTIME_TIMELINE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/* Part of a larger struct. */
typedef struct wnn_job {
  struct wnn_job *previous, *next;
  /* Called by the runner, without the lock. A job that is not waited for ends its own life here. */
  void (*run)(struct wnn_job *job);
  bool queued; /* in the FIFO, not begun */
  bool waited; /* lives on the stack of a thread in wnn_timeline_wait */
  bool done;
} wnn_job;

typedef struct wnn_timeline {
  pthread_mutex_t mutex; /* also guards the objects of the context, see runtime.h */
  pthread_cond_t work;   /* for the worker */
  pthread_cond_t change; /* for waiting callers */
  wnn_job *head, *tail;
  bool running;
  pthread_t runner; /* valid while running */
  unsigned waiters;
  bool started, stop;
  bool watching; /* the worker looks at the queue before long, without being woken */
  bool urgent;   /* something queued will not be waited for: the worker is to come at once */
  uint64_t begun, pushed; /* jobs, ever */
  pthread_t worker; /* valid when started */
  bool placed;      /* the worker stays on `processor` */
  uint32_t processor;
  bool *gone;       /* the worker's note that the timeline has ended under it */
} wnn_timeline;

bool wnn_timeline_init(wnn_timeline *timeline);
/* The timeline is idle, or the caller is the worker inside a job. */
void wnn_timeline_end(wnn_timeline *timeline);

static inline void wnn_timeline_lock(wnn_timeline *timeline) { pthread_mutex_lock(&timeline->mutex); }
static inline void wnn_timeline_unlock(wnn_timeline *timeline) { pthread_mutex_unlock(&timeline->mutex); }

/* ---- All below: with the lock held ---- */

static inline bool wnn_timeline_idle(const wnn_timeline *timeline) { return !timeline->running && !timeline->head; }
/* The caller runs a job of this timeline: it must not wait for another. */
bool wnn_timeline_inside(const wnn_timeline *timeline);
/* Becomes the runner if the timeline is idle. The lock may then be released until wnn_timeline_give. */
bool wnn_timeline_take(wnn_timeline *timeline);
void wnn_timeline_give(wnn_timeline *timeline);
/* Appends a job. awaited: the caller will probably wait for it, or for something after it, within microseconds; if not,
 * it is begun within some milliseconds. May release the lock for a while when no worker can be started. */
void wnn_timeline_push(wnn_timeline *timeline, wnn_job *job, bool awaited);
/* Takes a queued job out; one that is waited for becomes done. */
void wnn_timeline_remove(wnn_timeline *timeline, wnn_job *job);
/* Appends a job of the caller's stack and returns when it is done. Not inside a job. */
void wnn_timeline_wait(wnn_timeline *timeline, wnn_job *job);
/* Returns when the timeline is idle. Not inside a job. */
void wnn_timeline_drain(wnn_timeline *timeline);

#endif
