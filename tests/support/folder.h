/* A folder of its own for the files of a test, below TMPDIR. */
#ifndef WEBNN_TESTS_FOLDER_H
#define WEBNN_TESTS_FOLDER_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { TEST_PATH = 4096 };

/* Makes the folder and stores its path, which leaves room for names of files in it. The test removes it. */
static inline bool test_folder(char path[TEST_PATH]) {
  const char *base = getenv("TMPDIR");
  int length = snprintf(path, TEST_PATH, "%s/webnn-test-XXXXXX", base && *base ? base : "/tmp");
  return length < TEST_PATH - 256 && mkdtemp(path);
}

#endif
