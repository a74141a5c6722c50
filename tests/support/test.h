/* Harness of the C test programs: checks, counters, the final line.
 *
 * A program is a set of functions `static void name(void)` and
 *
 *   #include "support/test.h"
 *   int main(int argc, char **argv) {
 *     test_begin(argc, argv);
 *     TEST(addition);            // each TEST counts as one: passed, failed or skipped
 *     return test_end();         // prints "N passed, N failed, N skipped"
 *   }
 *
 * Arguments select tests: those whose name contains one of them. Data-driven programs count their cases
 * with test_passed, test_failed and test_skipped instead of TEST. CHECK may be used from any thread;
 * REQUIRE and SKIP leave the enclosing function.
 *
 * Registration, in tests/<folder>/CMakeLists.txt:
 *   webnn_test(<name> <sources>... [LIBS <targets>...] [ARGS <arguments>...])
 * builds the program against the static library with src, include and tests on the include path.
 */
#ifndef WEBNN_TESTS_SUPPORT_TEST_H
#define WEBNN_TESTS_SUPPORT_TEST_H

#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <webnn/webnn.h>

#define TEST_UNUSED __attribute__((unused))
#define TEST_PRINTF(text, first) __attribute__((format(printf, text, first), unused))

static struct {
  unsigned passed, failed, skipped;
  atomic_uint bad; /* failed checks of the running test */
  bool skip;       /* the running test was skipped */
  int argc;        /* names that select tests */
  char **argv;
  const char *current; /* running test */
} test_state;

static TEST_UNUSED void test_begin(int argc, char **argv) {
  test_state.argc = argc;
  test_state.argv = argv;
  test_state.current = "";
  setvbuf(stdout, NULL, _IOLBF, 0);
}

static TEST_UNUSED int test_end(void) {
  printf("%u passed, %u failed, %u skipped\n", test_state.passed, test_state.failed, test_state.skipped);
  return test_state.failed ? 1 : 0;
}

static TEST_UNUSED bool test_selected(const char *name) {
  if (test_state.argc < 2) return true;
  for (int i = 1; i < test_state.argc; i++)
    if (strstr(name, test_state.argv[i])) return true;
  return false;
}

/* ---- Cases of data-driven tests ------------------------------------------------------------------- */

static TEST_UNUSED void test_passed(void) { test_state.passed++; }

static TEST_PRINTF(1, 2) void test_failed(const char *format, ...) {
  va_list args;
  va_start(args, format);
  fputs("failed: ", stdout);
  vprintf(format, args);
  putchar('\n');
  va_end(args);
  test_state.failed++;
}

static TEST_PRINTF(1, 2) void test_skipped(const char *format, ...) {
  va_list args;
  va_start(args, format);
  fputs("skipped: ", stdout);
  vprintf(format, args);
  putchar('\n');
  va_end(args);
  test_state.skipped++;
}

/* ---- Checks ------------------------------------------------------------------------------------------ */

/* Notes one failed check of the running test. */
static TEST_PRINTF(3, 4) void test_report(const char *file, int line, const char *format, ...) {
  char text[1024];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  /* A loop that goes wrong should not bury its first messages. */
  if (atomic_fetch_add(&test_state.bad, 1) < 20) printf("%s:%d: %s: %s\n", file, line, test_state.current, text);
}

#define CHECK(condition)                                                                                               \
  do {                                                                                                                 \
    if (!(condition)) test_report(__FILE__, __LINE__, "%s", "not true: " #condition);                                  \
  } while (0)
#define REQUIRE(condition)                                                                                             \
  do {                                                                                                                 \
    if (!(condition)) {                                                                                                \
      test_report(__FILE__, __LINE__, "%s", "not true: " #condition);                                                  \
      return;                                                                                                          \
    }                                                                                                                  \
  } while (0)
/* Message instead of the condition: CHECK_MSG(a < b, "%d is not below %d", a, b). */
#define CHECK_MSG(condition, ...)                                                                                      \
  do {                                                                                                                 \
    if (!(condition)) test_report(__FILE__, __LINE__, __VA_ARGS__);                                                    \
  } while (0)
/* Integers. */
#define CHECK_EQ(actual, expected)                                                                                     \
  do {                                                                                                                 \
    long long actual_ = (long long)(actual), expected_ = (long long)(expected);                                        \
    if (actual_ != expected_)                                                                                          \
      test_report(__FILE__, __LINE__, "%s is %lld, expected %lld", #actual, actual_, expected_);                       \
  } while (0)
#define CHECK_STR(actual, expected)                                                                                    \
  do {                                                                                                                 \
    const char *actual_ = (actual), *expected_ = (expected);                                                           \
    if (!actual_ || strcmp(actual_, expected_))                                                                        \
      test_report(__FILE__, __LINE__, "%s is \"%s\", expected \"%s\"", #actual, actual_ ? actual_ : "(null)",          \
                  expected_);                                                                                          \
  } while (0)
/* text contains part. */
#define CHECK_CONTAINS(text, part)                                                                                     \
  do {                                                                                                                 \
    const char *text_ = (text), *part_ = (part);                                                                       \
    if (!text_ || !strstr(text_, part_))                                                                               \
      test_report(__FILE__, __LINE__, "\"%s\" does not contain \"%s\"", text_ ? text_ : "(null)", part_);              \
  } while (0)
/* Equal bytes. */
#define CHECK_BYTES(actual, expected, size)                                                                            \
  do {                                                                                                                 \
    if (memcmp(actual, expected, size))                                                                                \
      test_report(__FILE__, __LINE__, "bytes of %s differ from %s", #actual, #expected);                               \
  } while (0)
/* A call that must succeed; `error` is the wnn_error it was given. */
#define CHECK_OK(call, error)                                                                                          \
  do {                                                                                                                 \
    wnn_status status_ = (call);                                                                                       \
    if (status_ != WNN_OK)                                                                                             \
      test_report(__FILE__, __LINE__, "%s: %s: %s", #call, wnn_status_name(status_), (error).message);                 \
  } while (0)
#define REQUIRE_OK(call, error)                                                                                        \
  do {                                                                                                                 \
    wnn_status status_ = (call);                                                                                       \
    if (status_ != WNN_OK) {                                                                                           \
      test_report(__FILE__, __LINE__, "%s: %s: %s", #call, wnn_status_name(status_), (error).message);                 \
      return;                                                                                                          \
    }                                                                                                                  \
  } while (0)
/* A call that must fail with a status, the same status in `error`, and a message that contains part. */
#define CHECK_FAILS(call, error, expected, part)                                                                       \
  do {                                                                                                                 \
    memset(&(error), 0, sizeof(error));                                                                                \
    wnn_status status_ = (call), wanted_ = (expected);                                                                 \
    if (status_ != wanted_ || (error).status != wanted_)                                                               \
      test_report(__FILE__, __LINE__, "%s: %s (in the error: %s), expected %s; \"%s\"", #call,                         \
                  wnn_status_name(status_), wnn_status_name((error).status), wnn_status_name(wanted_),                 \
                  (error).message);                                                                                    \
    else if (!strstr((error).message, part))                                                                           \
      test_report(__FILE__, __LINE__, "%s: \"%s\" does not contain \"%s\"", #call, (error).message, part);             \
  } while (0)
/* Ends the running test as skipped. */
#define SKIP(reason)                                                                                                   \
  do {                                                                                                                 \
    printf("skipped: %s: %s\n", test_state.current, reason);                                                           \
    test_state.skip = true;                                                                                            \
    return;                                                                                                            \
  } while (0)

static TEST_UNUSED void test_run(const char *name, void (*function)(void)) {
  if (!test_selected(name)) return;
  test_state.current = name;
  test_state.skip = false;
  atomic_store(&test_state.bad, 0);
  function();
  unsigned bad = atomic_load(&test_state.bad);
  if (bad) {
    printf("failed: %s (%u checks)\n", name, bad);
    test_state.failed++;
  } else if (test_state.skip) {
    test_state.skipped++;
  } else {
    test_state.passed++;
  }
  test_state.current = "";
}
#define TEST(function) test_run(#function, function)

/* ---- Files and random numbers ------------------------------------------------------------------------ */

/* Path of a file in the folder ../shared beside the checkout (WEBNN_SHARED overrides), or NULL when it is
 * not there. The text lives until the next call. */
static TEST_UNUSED const char *test_shared(const char *name) {
  static char path[4096];
  const char *root = getenv("WEBNN_SHARED");
#ifdef WEBNN_SOURCE_DIR
  if (!root) root = WEBNN_SOURCE_DIR "/../shared";
#endif
  if (!root) root = "../shared";
  if (snprintf(path, sizeof path, "%s/%s", root, name) >= (int)sizeof path) return NULL;
  FILE *file = fopen(path, "rb");
  if (!file) return NULL;
  fclose(file);
  return path;
}

/* Whole file with a zero byte behind it, from malloc; NULL when it cannot be read. size may be NULL. */
static TEST_UNUSED char *test_read_file(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  if (!file) return NULL;
  size_t used = 0, capacity = 1 << 16;
  char *text = malloc(capacity);
  while (text) {
    used += fread(text + used, 1, capacity - used - 1, file);
    if (used < capacity - 1) break;
    char *grown = realloc(text, capacity *= 2);
    if (!grown) free(text);
    text = grown;
  }
  fclose(file);
  if (!text) return NULL;
  text[used] = 0;
  if (size) *size = used;
  return text;
}

/* xorshift64*: state must not be 0. */
static TEST_UNUSED uint64_t test_random(uint64_t *state) {
  *state ^= *state >> 12;
  *state ^= *state << 25;
  *state ^= *state >> 27;
  return *state * UINT64_C(0x2545F4914F6CDD1D);
}
/* Uniform in [low, high). */
static TEST_UNUSED double test_uniform(uint64_t *state, double low, double high) {
  return low + (high - low) * (double)(test_random(state) >> 11) * 0x1p-53;
}

#endif
