/* The page of webnn profile: one HTML file with its styles, tables and pictures inside. */
#include <math.h>
#include <string.h>

#include "profile.h"

static const char head[] =
    "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
    "content=\"width=device-width\">\n<style>\n"
    "body{font:14px/1.4 sans-serif;margin:1.5em;color:#1d2733}\n"
    "h1{font-size:1.4em;margin:0 0 .2em}h2{font-size:1.1em;margin:1.4em 0 .4em}\n"
    "table{border-collapse:collapse}td,th{padding:2px 10px;text-align:right}td.l,th.l{text-align:left}\n"
    "tr:nth-child(even){background:#f3f6fa}th{border-bottom:1px solid #5b6b82}\n"
    ".scroll{overflow:auto;max-height:80vh;border:1px solid #c8d0dc}\n"
    ".bar{display:inline-block;height:.7em;background:#d9725c}\n"
    "svg rect:hover{stroke:#000;stroke-width:1.5}\n</style>\n";

static uint32_t hue_of(const char *op) {
  uint32_t h = 2166136261u;
  for (; *op; op++) h = (h ^ (unsigned char)*op) * 16777619u;
  return h % 360;
}

/* One row of boxes, as wide as their time, in the order they run; and a legend of operations. */
static void timeline(const cli_profile *p, FILE *out) {
  enum { WIDTH = 1200, HEIGHT = 64, AXIS = 22 };
  fprintf(out,
          "<div class=\"scroll\"><svg id=\"timeline\" xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" "
          "height=\"%d\" font-family=\"sans-serif\" font-size=\"10\">\n",
          WIDTH, HEIGHT + AXIS);
  double at = 0;
  for (size_t i = 0; i < p->step_count; i++) {
    const wnn_step_info *s = &p->steps[i];
    double ns = cli_step_ns(s), width = p->total_ns > 0 ? ns / p->total_ns * WIDTH : 0;
    char time[CLI_NUMBER_TEXT], rate[CLI_NUMBER_TEXT], shape[CLI_SHAPE_TEXT];
    fprintf(out, "<rect x=\"%.2f\" y=\"0\" width=\"%.2f\" height=\"%d\" fill=\"hsl(%u 55%% 62%%)\"><title>%s ", at,
            width, HEIGHT, hue_of(s->op), s->op);
    cli_put_xml(out, s->label, 120);
    fprintf(out, "\n%s, %s\n%s %s (%.1f %%)</title></rect>\n", s->kernel,
            cli_shape_text(s->output.rank, s->output.shape, shape), cli_time(ns * 1e-6, time), cli_step_rate(s, rate),
            p->total_ns > 0 ? 100 * ns / p->total_ns : 0);
    if (width > 6.2 * (double)strlen(s->op))
      fprintf(out, "<text x=\"%.2f\" y=\"%d\" text-anchor=\"middle\" pointer-events=\"none\">%s</text>\n",
              at + width / 2, HEIGHT / 2 + 4, s->op);
    at += width;
  }
  for (int i = 0; i <= 10; i++) {
    char time[CLI_NUMBER_TEXT];
    fprintf(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"%s\" fill=\"#5b6b82\">%s</text>\n", WIDTH * i / 10, HEIGHT + 15,
            i == 0    ? "start"
            : i == 10 ? "end"
                      : "middle",
            cli_time(p->total_ns * i / 10 * 1e-6, time));
  }
  fprintf(out, "</svg></div>\n");
}

static void operations(const cli_profile *p, FILE *out) {
  fprintf(out, "<table id=\"operations\"><tr><th class=\"l\">operation</th><th>calls</th><th>time</th><th>share</th>"
               "<th class=\"l\"></th></tr>\n");
  /* Largest sum first: pick the best operation not shown yet, by its first call. */
  double limit = INFINITY;
  size_t limit_first = 0;
  for (;;) {
    double best = -1;
    size_t first = 0, calls = 0;
    for (size_t i = 0; i < p->step_count; i++) {
      double sum = 0;
      size_t count = 0;
      bool earlier = false;
      for (size_t k = 0; k < p->step_count; k++) {
        if (strcmp(p->steps[k].op, p->steps[i].op)) continue;
        if (k < i) earlier = true;
        sum += cli_step_ns(&p->steps[k]);
        count++;
      }
      if (earlier || sum > limit || (sum == limit && i <= limit_first) || sum <= best) continue;
      best = sum;
      first = i;
      calls = count;
    }
    if (best < 0) break;
    char time[CLI_NUMBER_TEXT];
    double share = p->total_ns > 0 ? best / p->total_ns : 0;
    fprintf(out,
            "<tr><td class=\"l\"><span class=\"bar\" style=\"width:.7em;background:hsl(%u 55%% 62%%)\"></span> %s</td>"
            "<td>%zu</td><td>%s</td><td>%.1f %%</td><td class=\"l\"><span class=\"bar\" "
            "style=\"width:%.1fem\"></span></td></tr>\n",
            hue_of(p->steps[first].op), p->steps[first].op, calls, cli_time(best * 1e-6, time), share * 100,
            share * 20);
    limit = best;
    limit_first = first;
  }
  fprintf(out, "</table>\n");
}

static void calls(const cli_profile *p, FILE *out) {
  fprintf(out, "<div class=\"scroll\"><table id=\"calls\"><tr><th>#</th><th>time</th><th>share</th><th>rate</th>"
               "<th class=\"l\">kernel</th><th class=\"l\">result</th><th class=\"l\">node</th></tr>\n");
  for (size_t i = 0; i < p->step_count; i++) {
    const wnn_step_info *s = &p->steps[i];
    char time[CLI_NUMBER_TEXT], rate[CLI_NUMBER_TEXT], shape[CLI_SHAPE_TEXT];
    fprintf(out,
            "<tr><td>%zu</td><td>%s</td><td>%.1f %%</td><td>%s</td><td class=\"l\">%s</td><td class=\"l\">%s</td>"
            "<td class=\"l\">",
            i + 1, cli_time(cli_step_ns(s) * 1e-6, time), p->total_ns > 0 ? 100 * cli_step_ns(s) / p->total_ns : 0,
            cli_step_rate(s, rate), s->kernel, cli_desc_text(&s->output, shape));
    cli_put_xml(out, s->label, 100);
    fprintf(out, "</td></tr>\n");
  }
  fprintf(out, "</table></div>\n");
}

void cli_profile_page(const cli_profile *p, const cli_net *net, FILE *out) {
  char time[CLI_NUMBER_TEXT];
  fputs(head, out);
  fprintf(out, "<title>Profile of ");
  cli_put_xml(out, p->path, 200);
  fprintf(out, "</title></head><body>\n<h1>");
  cli_put_xml(out, p->path, 200);
  fprintf(out, "</h1>\n<p>%u thread%s, %zu runs, %s a run in %zu kernel calls</p>\n<h2>Timeline</h2>\n", p->threads,
          p->threads == 1 ? "" : "s", p->runs, cli_time(p->total_ns * 1e-6, time), p->step_count);
  timeline(p, out);
  fprintf(out, "<h2>Operations</h2>\n");
  operations(p, out);
  fprintf(out, "<h2>Kernel calls</h2>\n");
  calls(p, out);
  fprintf(out, "<h2>Graph</h2>\n<p>Redder boxes take more of the time; fused operations count for the node they "
               "were fused into.</p>\n<div class=\"scroll\" id=\"graph\">\n");
  cli_net_svg(net, out);
  fprintf(out, "</div>\n</body></html>\n");
}
