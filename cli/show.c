/* Numbers for people, clocks, and the progress bar. */
#include <math.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "request.h"

const char *cli_number(double value, const char *unit, char text[CLI_NUMBER_TEXT]) {
  static const char prefixes[] = " kMGTP";
  size_t k = 0;
  while (fabs(value) >= 1000 && k + 2 < sizeof prefixes) {
    value /= 1000;
    k++;
  }
  int digits = k == 0 && value == floor(value) ? 0 : fabs(value) < 10 ? 2 : fabs(value) < 100 ? 1 : 0;
  if (k)
    snprintf(text, CLI_NUMBER_TEXT, "%.*f %c%s", digits, value, prefixes[k], unit);
  else
    snprintf(text, CLI_NUMBER_TEXT, "%.*f%s%s", digits, value, *unit ? " " : "", unit);
  return text;
}

const char *cli_bytes(double bytes, char text[CLI_NUMBER_TEXT]) { return cli_number(bytes, "B", text); }

const char *cli_time(double ms, char text[CLI_NUMBER_TEXT]) {
  if (ms >= 1000)
    snprintf(text, CLI_NUMBER_TEXT, "%.2f s", ms / 1000);
  else if (ms >= 1)
    snprintf(text, CLI_NUMBER_TEXT, "%.*f ms", ms < 10 ? 2 : ms < 100 ? 1 : 0, ms);
  else if (ms >= 1e-3)
    snprintf(text, CLI_NUMBER_TEXT, "%.*f us", ms < 0.1 ? 1 : 0, ms * 1000);
  else
    snprintf(text, CLI_NUMBER_TEXT, "%.0f ns", ms * 1e6);
  return text;
}

double cli_now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

double cli_peak_mb(void) {
  struct rusage usage;
  return getrusage(RUSAGE_SELF, &usage) ? 0 : (double)usage.ru_maxrss / 1024;
}

enum { BAR = 30, REFRESH_MS = 60 };

void cli_progress_start(cli_progress *p, const cli_request *r, const char *what) {
  *p = (cli_progress){!r->quiet && !r->json && isatty(STDERR_FILENO) && *cli_bold(stderr), what, -1e9, 0, 0};
  if (p->shown) fprintf(stderr, "\r\033[K%s ...", what);
}

void cli_progress_step(cli_progress *p, size_t done, size_t total) {
  double now = p->shown ? cli_now_ms() : 0;
  if (!p->shown || (now - p->last_ms < REFRESH_MS && done < total)) return;
  p->last_ms = now;
  size_t full = total ? BAR * (done < total ? done : total) / total : 0;
  fprintf(stderr, "\r\033[K%s [%.*s%.*s] %zu/%zu", p->what, (int)full, "##############################",
          (int)(BAR - full), "..............................", done, total);
}

void cli_progress_end(cli_progress *p) {
  if (p->shown) fprintf(stderr, "\r\033[K");
}

void cli_progress_tap(void *user, const wnn_onnx_tapped *tapped) {
  cli_progress *p = user;
  if (!tapped->depth) cli_progress_step(p, ++p->done, p->total);
}
