/* Runs checks of slots at every set of processor features, with seeds and kinds of numbers that vary. A program lists
 * its checks in slot_checks and calls slots_main. KCHECK_SEED repeats one case. */
#ifndef WEBNN_TESTS_KCHECK_SLOTS_H
#define WEBNN_TESTS_KCHECK_SLOTS_H

#include <inttypes.h>

#include "kcheck/guard.h"
#include "kernels/ukernels.h"

static wnn_ukernels kernels;
static uint64_t seed, from;
static filling kind;

static TEST_UNUSED uint32_t pick(uint32_t low, uint32_t high) {
  return low + (uint32_t)(test_random(&seed) % (high - low + 1));
}
static TEST_UNUSED bool chance(uint32_t one_in) { return pick(1, one_in) == 1; }

#define SAME(actual, expected, bound, tolerance)                                                                       \
  CHECK_MSG(guard_same(actual, expected, bound, tolerance), "%s, seed %" PRIu64 ": %.9g, not %.9g", kernels.isa, from, \
            (double)(actual), (double)(expected))
#define EQUAL(actual, expected)                                                                                        \
  CHECK_MSG((long long)(actual) == (long long)(expected), "%s, seed %" PRIu64 ": %lld, not %lld", kernels.isa, from,   \
            (long long)(actual), (long long)(expected))
#define INTACT(g) CHECK_MSG(guard_intact(&(g)), "%s, seed %" PRIu64 ": wrote before %s", kernels.isa, from, #g)

typedef struct slot_check {
  const char *name;
  void (*run)(void);
  unsigned trials;
} slot_check;
static const slot_check *slot_current;

/* Fills the table for one of the sets of features; false where the processor lacks them. */
enum { SLOT_SETS = 3 };
static TEST_UNUSED bool slots_use(size_t set) {
  static const uint64_t masks[SLOT_SETS] = {0, WNN_CPU_AVX2, WNN_CPU_AVX2 | WNN_CPU_AVX512};
  if ((masks[set] & wnn_cpu_detect()) != masks[set]) return false;
  wnn_ukernels_init(&kernels, masks[set]);
  return true;
}

static TEST_UNUSED void slots_run(void) {
  const char *given = getenv("KCHECK_SEED");
  for (size_t set = 0; set < SLOT_SETS; set++) {
    if (!slots_use(set)) continue;
    for (unsigned i = 0; i < (given ? 1 : slot_current->trials); i++) {
      from = given ? strtoull(given, NULL, 0) : i;
      seed = from * UINT64_C(0x9E3779B97F4A7C15) + 1;
      kind = (filling)(from % FILLINGS);
      slot_current->run();
    }
  }
}

static TEST_UNUSED int slots_main(int argc, char **argv, const slot_check *checks, size_t count) {
  test_begin(argc, argv);
  for (size_t i = 0; i < count; i++) {
    slot_current = &checks[i];
    test_run(checks[i].name, slots_run);
  }
  return test_end();
}

#endif
