/* A measured graph: what webnn profile shows and its page draws. */
#ifndef WNN_CLI_PROFILE_H
#define WNN_CLI_PROFILE_H

#include "net.h"

typedef struct cli_profile {
  const char *path;
  uint32_t threads;
  size_t runs, step_count;
  wnn_step_info *steps;
  double total_ns;    /* of all steps of a mean run */
  double dispatch_ns; /* of a mean run as the caller sees it */
} cli_profile;

/* Mean time of a step. */
double cli_step_ns(const wnn_step_info *step);
/* "12.3 GFLOP/s" when the step computes much for the bytes it moves, else "45 GB/s". */
const char *cli_step_rate(const wnn_step_info *step, char text[CLI_NUMBER_TEXT]);
/* A page with tables, the timeline and the picture of the net; needs nothing from elsewhere. */
void cli_profile_page(const cli_profile *p, const cli_net *net, FILE *out);

#endif
