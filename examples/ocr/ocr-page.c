/* Reads all text of a PNG picture with PP-OCR's three networks and draws what it found.
 *
 *   ocr-page --det det.onnx --cls cls.onnx --rec rec.onnx --keys keys.txt [--picture out.png] picture.png
 *
 * The first network gives for each pixel how likely it is text; connected pixels become boxes. The second one tells
 * which of them stand on their heads, the third one reads them. */
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../common/network.h"
#include "../common/picture.h"

enum {
  MAX_BOXES = 256,
  DET_STEP = 32,
  DET_MOST = 960,
  CLS_HEIGHT = 48,
  CLS_WIDTH = 192,
  REC_HEIGHT = 48,
  MAX_TEXT = 512
};
static const float text_level = 0.3f, box_level = 0.6f, turned_level = 0.9f;

typedef struct box {
  int x0, y0, x1, y1; /* in the picture */
  bool turned;
  float sure;
  char text[MAX_TEXT];
} box;

typedef struct reader {
  network det, cls, rec;
  char **keys;
  size_t key_count;
} reader;

/* ---- Where is text? ---------------------------------------------------------------------------------------- */

static uint32_t round_side(double side) {
  double steps = round(side / DET_STEP);
  return (uint32_t)(steps < 1 ? 1 : steps) * DET_STEP;
}

/* A part of the picture as planes of blue, green, red: (value / 255 - mean) / deviation. */
static void planes(const picture *p, const box *b, uint32_t width, uint32_t height, const float mean[3],
                   const float deviation[3], bool turned, float *out) {
  float step_x = (float)(b->x1 - b->x0) / (float)width, step_y = (float)(b->y1 - b->y0) / (float)height;
  for (int plane = 0; plane < 3; plane++)
    for (uint32_t y = 0; y < height; y++)
      for (uint32_t x = 0; x < width; x++) {
        float u = (float)(turned ? width - 1 - x : x), v = (float)(turned ? height - 1 - y : y);
        float value = picture_sample(p, (float)b->x0 + (u + 0.5f) * step_x - 0.5f,
                                     (float)b->y0 + (v + 0.5f) * step_y - 0.5f, 2 - plane);
        *out++ = (value / 255 - mean[plane]) / deviation[plane];
      }
}

typedef struct map {
  const float *at;
  uint32_t width, height;
  unsigned char *seen;
  uint32_t *stack;
} map;

/* Walks over the connected pixels from one on: their bounds, and the mean of their values. */
static void flood(map *m, uint32_t start, uint32_t bounds[4], double *mean, uint32_t *count) {
  size_t depth = 0;
  double sum = 0;
  *count = 0;
  m->stack[depth++] = start;
  m->seen[start] = 1;
  while (depth) {
    uint32_t at = m->stack[--depth], x = at % m->width, y = at / m->width;
    sum += (double)m->at[at];
    ++*count;
    if (x < bounds[0]) bounds[0] = x;
    if (y < bounds[1]) bounds[1] = y;
    if (x > bounds[2]) bounds[2] = x;
    if (y > bounds[3]) bounds[3] = y;
    const uint32_t near[4] = {x ? at - 1 : at, x + 1 < m->width ? at + 1 : at, y ? at - m->width : at,
                              y + 1 < m->height ? at + m->width : at};
    for (int i = 0; i < 4; i++) {
      if (m->seen[near[i]] || m->at[near[i]] < text_level) continue;
      m->seen[near[i]] = 1;
      m->stack[depth++] = near[i];
    }
  }
  *mean = sum / *count;
}

/* The network marks the core of a line; its box grows by a share of its area over its outline. */
static size_t find_boxes(map *m, const picture *p, box *boxes) {
  size_t count = 0;
  double scale_x = (double)p->width / m->width, scale_y = (double)p->height / m->height;
  for (uint32_t start = 0; start < m->width * m->height && count < MAX_BOXES; start++) {
    if (m->seen[start] || m->at[start] < text_level) continue;
    uint32_t bounds[4] = {UINT32_MAX, UINT32_MAX, 0, 0}, pixels;
    double mean;
    flood(m, start, bounds, &mean, &pixels);
    double w = bounds[2] - bounds[0] + 1, h = bounds[3] - bounds[1] + 1, grow = 1.5 * w * h / (2 * (w + h));
    if (mean < (double)box_level || w < 4 || h < 3) continue;
    box *b = &boxes[count++];
    *b = (box){.x0 = (int)fmax(0, (bounds[0] - grow) * scale_x),
               .y0 = (int)fmax(0, (bounds[1] - grow) * scale_y),
               .x1 = (int)fmin(p->width, (bounds[2] + 1 + grow) * scale_x),
               .y1 = (int)fmin(p->height, (bounds[3] + 1 + grow) * scale_y)};
  }
  return count;
}

/* -1 on failure. */
static int detect(const reader *r, const picture *p, box *boxes) {
  static const float mean[3] = {0.485f, 0.456f, 0.406f}, deviation[3] = {0.229f, 0.224f, 0.225f};
  double larger = p->width > p->height ? p->width : p->height, scale = larger > DET_MOST ? DET_MOST / larger : 1;
  uint32_t width = round_side(p->width * scale), height = round_side(p->height * scale);
  size_t pixels = (size_t)width * height;
  const box all = {.x1 = (int)p->width, .y1 = (int)p->height};
  map m = {NULL, width, height, calloc(pixels, 1), malloc(pixels * sizeof(uint32_t))};
  float *values = malloc(pixels * 3 * sizeof *values);
  int count = -1;
  if (values && m.seen && m.stack) {
    planes(p, &all, width, height, mean, deviation, false, values);
    wnn_onnx_tensor input = {"x", {WNN_FLOAT32, 4, {1, 3, height, width}}, values, pixels * 3 * sizeof *values};
    wnn_onnx_result *result = network_run(&r->det, &input, 1);
    const wnn_onnx_tensor *output = result ? wnn_onnx_result_get(result, 0) : NULL;
    if (output && output->size == pixels * sizeof(float)) {
      m.at = output->data;
      count = (int)find_boxes(&m, p, boxes);
    }
    wnn_onnx_result_release(result);
  }
  free(values);
  free(m.seen);
  free(m.stack);
  return count;
}

/* ---- Which way up, and what does it say? ------------------------------------------------------------------- */

static const float half[3] = {0.5f, 0.5f, 0.5f};

static bool look_upright(const reader *r, const picture *p, box *b) {
  static float values[3 * CLS_HEIGHT * CLS_WIDTH];
  /* Lines longer than the network's input are judged by their first part. */
  box part = *b;
  int most = (b->y1 - b->y0) * CLS_WIDTH / CLS_HEIGHT;
  if (part.x1 - part.x0 > most) part.x1 = part.x0 + most;
  planes(p, &part, CLS_WIDTH, CLS_HEIGHT, half, half, false, values);
  wnn_onnx_tensor input = {"x", {WNN_FLOAT32, 4, {1, 3, CLS_HEIGHT, CLS_WIDTH}}, values, sizeof values};
  wnn_onnx_result *result = network_run(&r->cls, &input, 1);
  const wnn_onnx_tensor *output = result ? wnn_onnx_result_get(result, 0) : NULL;
  bool done = output && output->size == 2 * sizeof(float);
  if (done) b->turned = ((const float *)output->data)[1] > turned_level;
  wnn_onnx_result_release(result);
  return done;
}

/* The most probable class of each step; repetitions and class 0 say nothing, the class after the last key is a space.
 */
static void decode(const reader *r, const wnn_onnx_tensor *output, box *b) {
  const float *row = output->data;
  uint32_t steps = output->desc.shape[1], classes = output->desc.shape[2], last = 0, shown = 0;
  size_t used = 0;
  float sum = 0;
  for (uint32_t s = 0; s < steps; s++, row += classes) {
    uint32_t best = 0;
    for (uint32_t c = 1; c < classes; c++)
      if (row[c] > row[best]) best = c;
    if (best && best != last) {
      const char *key = best <= r->key_count ? r->keys[best - 1] : " ";
      if (used + strlen(key) < sizeof b->text)
        used += (size_t)snprintf(b->text + used, sizeof b->text - used, "%s", key);
      sum += row[best];
      shown++;
    }
    last = best;
  }
  b->sure = shown ? sum / (float)shown : 0;
}

static bool read_line(const reader *r, const picture *p, box *b) {
  uint32_t width = (uint32_t)ceil((double)(b->x1 - b->x0) * REC_HEIGHT / (b->y1 - b->y0) / 8) * 8;
  if (width < 16) width = 16;
  if (width > 4096) width = 4096;
  size_t count = (size_t)3 * REC_HEIGHT * width;
  float *values = malloc(count * sizeof *values);
  bool done = false;
  if (values) {
    planes(p, b, width, REC_HEIGHT, half, half, b->turned, values);
    wnn_onnx_tensor input = {"x", {WNN_FLOAT32, 4, {1, 3, REC_HEIGHT, width}}, values, count * sizeof *values};
    wnn_onnx_result *result = network_run(&r->rec, &input, 1);
    const wnn_onnx_tensor *output = result ? wnn_onnx_result_get(result, 0) : NULL;
    done = output && output->desc.rank == 3;
    if (done) decode(r, output, b);
    wnn_onnx_result_release(result);
  }
  free(values);
  return done;
}

/* ---- All of it ----------------------------------------------------------------------------------------------- */

static bool read_keys(const char *path, reader *r) {
  FILE *file = fopen(path, "r");
  char line[64];
  size_t room = 0;
  if (!file) {
    perror(path);
    return false;
  }
  while (fgets(line, sizeof line, file)) {
    line[strcspn(line, "\r\n")] = 0;
    if (r->key_count == room) {
      char **grown = realloc(r->keys, (room = room ? room * 2 : 1024) * sizeof *grown);
      if (!grown) break;
      r->keys = grown;
    }
    if (!(r->keys[r->key_count] = strdup(line))) break;
    r->key_count++;
  }
  fclose(file);
  return r->key_count > 0;
}

static void show(const box *b, picture *p) {
  printf("%d,%d to %d,%d%s  %.0f %%  %s\n", b->x0, b->y0, b->x1, b->y1, b->turned ? " turned" : "",
         (double)b->sure * 100, b->text);
  color mark = b->turned ? (color){30, 90, 220} : (color){220, 40, 40};
  picture_box(p, b->x0, b->y0, b->x1, b->y1, 2, mark);
  picture_text(p, b->x0, b->y0 >= 18 ? b->y0 - 17 : b->y1 + 3, 2, mark, false, b->text);
}

/* Reading order: boxes whose middles lie on the same line from left to right, lines from top to bottom. */
static int by_place(const void *a, const void *b) {
  const box *p = a, *q = b;
  int middle_p = p->y0 + p->y1, middle_q = q->y0 + q->y1;
  if (abs(middle_p - middle_q) > 24) return middle_p < middle_q ? -1 : 1;
  return (p->x0 > q->x0) - (p->x0 < q->x0);
}

static bool read_page(const reader *r, picture *p, const char *picture_path) {
  static box boxes[MAX_BOXES];
  double start = network_now_ms();
  int count = detect(r, p, boxes);
  bool done = count >= 0;
  if (done) qsort(boxes, (size_t)count, sizeof *boxes, by_place);
  for (int i = 0; i < count && done; i++) done = look_upright(r, p, &boxes[i]) && read_line(r, p, &boxes[i]);
  double taken = network_now_ms() - start;
  for (int i = 0; i < count && done; i++) show(&boxes[i], p);
  if (done) printf("%d found\n", count);
  if (done) fprintf(stderr, "%.0f ms for three networks, compilation included\n", taken);
  return done && (!picture_path || picture_write(picture_path, p));
}

int main(int argc, char **argv) {
  static const struct option options[] = {{"det", required_argument, NULL, 0},     {"cls", required_argument, NULL, 1},
                                          {"rec", required_argument, NULL, 2},     {"keys", required_argument, NULL, 3},
                                          {"picture", required_argument, NULL, 4}, {0}};
  const char *paths[5] = {NULL};
  for (int c; (c = getopt_long(argc, argv, "", options, NULL)) != -1;) {
    if (c == '?') return 2;
    paths[c] = optarg;
  }
  if (!paths[0] || !paths[1] || !paths[2] || !paths[3] || optind + 1 != argc) {
    fprintf(stderr, "usage: ocr-page --det FILE --cls FILE --rec FILE --keys FILE [--picture out.png] picture.png\n");
    return 2;
  }
  reader r = {0};
  picture p = {0};
  wnn_context *context = NULL;
  bool done = picture_read(argv[optind], &p) && read_keys(paths[3], &r) && network_context(0, &context) &&
              network_open(context, paths[0], &r.det) && network_open(context, paths[1], &r.cls) &&
              network_open(context, paths[2], &r.rec) && read_page(&r, &p, paths[4]);
  network_close(&r.det);
  network_close(&r.cls);
  network_close(&r.rec);
  wnn_context_release(context);
  for (size_t i = 0; i < r.key_count; i++) free(r.keys[i]);
  free(r.keys);
  picture_free(&p);
  return done ? 0 : 1;
}
