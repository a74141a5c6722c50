/* Filling the public error out-parameter. */
#ifndef WNN_BASE_ERROR_H
#define WNN_BASE_ERROR_H

#include <stdarg.h>
#include <webnn/webnn.h>

/* Stores status and formatted message when error is not NULL; returns status, so that callers write
 * `return wnn_error_set(error, WNN_TYPE_ERROR, "...");`. Cuts long messages at a character boundary. */
wnn_status wnn_error_set(wnn_error *error, wnn_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
wnn_status wnn_error_setv(wnn_error *error, wnn_status status, const char *format, va_list args)
    __attribute__((format(printf, 3, 0)));
wnn_status wnn_error_oom(wnn_error *error);

#endif
