/* What the processor can do and how many of them this process may use. */
#ifndef WNN_BASE_CPU_H
#define WNN_BASE_CPU_H

#include <webnn/webnn.h>

/* Processors that the scheduler and the control group grant to this process; at least 1. */
unsigned wnn_cpu_processors(void);

/* Tells the processor that this is a spin loop. */
static inline void wnn_cpu_relax(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("isb" ::: "memory");
#endif
}

#endif
