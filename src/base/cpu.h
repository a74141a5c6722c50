/* What the processor can do and how many of them this process may use. */
#ifndef WNN_BASE_CPU_H
#define WNN_BASE_CPU_H

#include <webnn/webnn.h>

/* Processors that the scheduler and the control group grant to this process; at least 1. */
unsigned wnn_cpu_processors(void);

/* Whether this process may use a logical processor. The calling thread is moved there for a moment to find out, since
 * where it may run now does not tell where it may be sent. */
bool wnn_cpu_allows(uint32_t processor);
/* Keeps the calling thread on a logical processor. */
bool wnn_cpu_stay_on(uint32_t processor);

/* Tells the processor that this is a spin loop. */
static inline void wnn_cpu_relax(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("isb" ::: "memory");
#endif
}

#endif
