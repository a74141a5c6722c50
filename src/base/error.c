/* Filling the public error out-parameter; names of status codes. */
#include "base/error.h"

#include <stdio.h>
#include <string.h>

wnn_status wnn_error_setv(wnn_error *error, wnn_status status, const char *format, va_list args) {
  if (!error) return status;
  error->status = status;
  int length = vsnprintf(error->message, sizeof error->message, format, args);
  if (length < 0) error->message[0] = 0;
  if ((size_t)length >= sizeof error->message) {
    size_t end = sizeof error->message - 1;
    /* Do not leave half of a multi-byte character at the cut. */
    while (end && ((unsigned char)error->message[end - 1] & 0xC0) == 0x80) end--;
    if (end && (unsigned char)error->message[end - 1] >= 0xC0) end--;
    error->message[end] = 0;
  }
  return status;
}

wnn_status wnn_error_set(wnn_error *error, wnn_status status, const char *format, ...) {
  va_list args;
  va_start(args, format);
  wnn_error_setv(error, status, format, args);
  va_end(args);
  return status;
}

wnn_status wnn_error_oom(wnn_error *error) { return wnn_error_set(error, WNN_OUT_OF_MEMORY, "out of memory"); }

const char *wnn_status_name(wnn_status status) {
  switch (status) {
#define X(name, value, exception)                                                                                      \
  case name: return #name;
    WNN_STATUS_LIST(X)
#undef X
  }
  return "?";
}

const char *wnn_status_exception(wnn_status status) {
  switch (status) {
#define X(name, value, exception)                                                                                      \
  case name: return exception;
    WNN_STATUS_LIST(X)
#undef X
  }
  return "?";
}

const char *wnn_version(void) { return WNN_VERSION; }
