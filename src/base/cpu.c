/* Detection of processor features and of the number of usable processors. */
#define _GNU_SOURCE /* sched_getaffinity, syscall */
#include "base/cpu.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#ifdef __linux__
#include <sys/syscall.h>
#endif

/* Register state that the operating system saves (XCR0). */
static uint64_t enabled_state(void) {
  uint32_t low, high;
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return (uint64_t)high << 32 | low;
}

/* Whether the process may use tiles, which Linux keeps back until they are asked for (x86/xstate). */
static bool may_use_tiles(void) {
#if defined(__linux__) && defined(__x86_64__) && defined(SYS_arch_prctl)
  enum { ARCH_REQ_XCOMP_PERM = 0x1023, XFEATURE_XTILEDATA = 18 };
  return !syscall(SYS_arch_prctl, ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA);
#else
  return false;
#endif
}

uint64_t wnn_cpu_detect(void) {
  enum { FMA = 1 << 12, OSXSAVE = 1 << 27, AVX = 1 << 28, F16C = 1 << 29 };          /* leaf 1, ecx */
  enum { AVX2 = 1 << 5, AVX512F = 1 << 16, AVX512DQ = 1 << 17, AVX512BW = 1 << 30 }; /* leaf 7, ebx */
  const unsigned AVX512VL = 1u << 31, AVX512VNNI = 1u << 11;                         /* leaf 7, ebx and ecx */
  enum { AVXVNNI = 1 << 4 };                                                         /* leaf 7 sub-leaf 1, eax */
  const unsigned AMX = 1u << 24 | 1u << 25;        /* tiles, of 8-bit integers: leaf 7, edx */
  enum { YMM = 0x6, ZMM = 0xE6, TILES = 0x60000 }; /* XCR0 */
  const unsigned base = FMA | OSXSAVE | AVX | F16C, wide = AVX512F | AVX512DQ | AVX512BW;
  unsigned a, b, c, d;
  uint64_t features = 0;
  if (!__get_cpuid(1, &a, &b, &c, &d) || (c & base) != base) return 0;
  uint64_t state = enabled_state();
  if ((state & YMM) != YMM || !__get_cpuid_count(7, 0, &a, &b, &c, &d) || !(b & AVX2)) return 0;
  features |= WNN_CPU_AVX2;
  unsigned one_a, one_b, one_c, one_d;
  if (__get_cpuid_count(7, 1, &one_a, &one_b, &one_c, &one_d) && one_a & AVXVNNI) features |= WNN_CPU_AVXVNNI;
  if ((state & ZMM) != ZMM || (b & wide) != wide || !(b & AVX512VL)) return features;
  features |= WNN_CPU_AVX512;
  if (!(c & AVX512VNNI)) return features;
  features |= WNN_CPU_VNNI;
  if ((state & TILES) == TILES && (d & AMX) == AMX && may_use_tiles()) features |= WNN_CPU_AMX;
  return features;
}

#elif defined(__aarch64__)
uint64_t wnn_cpu_detect(void) { return WNN_CPU_NEON; } /* part of the architecture's base */
#else
uint64_t wnn_cpu_detect(void) { return 0; }
#endif

/* Processors' worth of time that a control group allows, rounded up; 0 when there is no limit. */
static unsigned quota_processors(void) {
  long long quota = -1, period = 0;
  FILE *file = fopen("/sys/fs/cgroup/cpu.max", "re");
  if (file) {
    if (fscanf(file, "%lld %lld", &quota, &period) != 2) quota = -1; /* "max 100000" */
    fclose(file);
  } else if ((file = fopen("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "re"))) {
    if (fscanf(file, "%lld", &quota) != 1) quota = -1;
    fclose(file);
    if ((file = fopen("/sys/fs/cgroup/cpu/cpu.cfs_period_us", "re"))) {
      if (fscanf(file, "%lld", &period) != 1) period = 0;
      fclose(file);
    }
  }
  if (quota <= 0 || period <= 0 || quota / period > 100000) return 0;
  return (unsigned)((quota + period - 1) / period);
}

#ifdef __linux__
/* Room for every processor that Linux can be built for; cpu_set_t ends at 1024. */
enum { MAX_PROCESSORS = 8192 };
typedef struct processor_set {
  cpu_set_t part[MAX_PROCESSORS / CPU_SETSIZE];
} processor_set;

bool wnn_cpu_stay_on(uint32_t processor) {
  processor_set set;
  memset(&set, 0, sizeof set);
  if (processor >= MAX_PROCESSORS) return false;
  CPU_SET_S(processor, sizeof set, set.part);
  return !sched_setaffinity(0, sizeof set, set.part);
}

bool wnn_cpu_allows(uint32_t processor) {
  processor_set before;
  memset(&before, 0, sizeof before);
  if (sched_getaffinity(0, sizeof before, before.part) || !wnn_cpu_stay_on(processor)) return false;
  sched_setaffinity(0, sizeof before, before.part);
  return true;
}
#else
bool wnn_cpu_stay_on(uint32_t processor) {
  (void)processor;
  return false;
}

bool wnn_cpu_allows(uint32_t processor) { return wnn_cpu_stay_on(processor); }
#endif

unsigned wnn_cpu_processors(void) {
  long count = 0;
#ifdef __linux__
  processor_set set;
  memset(&set, 0, sizeof set);
  if (!sched_getaffinity(0, sizeof set, set.part)) count = CPU_COUNT_S(sizeof set, set.part);
#endif
  if (count < 1) count = sysconf(_SC_NPROCESSORS_ONLN);
  if (count < 1) count = 1;
  unsigned quota = quota_processors();
  return quota && quota < (unsigned long)count ? quota : (unsigned)count;
}
