/* A folder of its own for the files of a test, below TMPDIR. */
#ifndef WEBNN_TESTS_FOLDER_H
#define WEBNN_TESTS_FOLDER_H

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { TEST_PATH = 4096 };

/* Makes the folder and stores its path, which leaves room for names of files in it. test_remove_folder removes
 * it. */
static inline bool test_folder(char path[TEST_PATH]) {
  const char *base = getenv("TMPDIR");
  int length = snprintf(path, TEST_PATH, "%s/webnn-test-XXXXXX", base && *base ? base : "/tmp");
  return length < TEST_PATH - 256 && mkdtemp(path);
}

/* Removes a folder and the files in it, which holds no folders; returns how many files there were. */
static inline int test_remove_folder(const char *folder) {
  char path[TEST_PATH + 300];
  int count = 0;
  DIR *listing = opendir(folder);
  for (struct dirent *e; listing && (e = readdir(listing));) {
    if (e->d_name[0] == '.') continue;
    snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
    count += !remove(path);
  }
  if (listing) closedir(listing);
  rmdir(folder);
  return count;
}

#endif
