/* Finds faces in a PNG picture with the BlazeFace network and draws boxes and landmarks.
 *
 *   faces --model face_detection_front_128x128_barracuda.onnx [--picture out.png] picture.png
 *
 * The network looks at 128 x 128 pixels and gives, for 896 anchors, a score, a box and six points relative to the
 * anchor. The best ones are kept, with those that overlap them averaged in. */
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../common/network.h"
#include "../common/picture.h"

enum { SIDE = 128, POINTS = 6, VALUES = 4 + 2 * POINTS, ANCHORS = 896 };
static const float least_score = 0.5f, overlap_level = 0.3f;

typedef struct face {
  float score;
  float at[VALUES]; /* center x, y, width, height, then points; 0 to 1 of the square that the network saw */
} face;

/* The picture in the middle of a square, black around it, values -1 to 1. */
static void prepare(const picture *p, float *values) {
  float side = (float)(p->width > p->height ? p->width : p->height), left = (side - (float)p->width) / 2,
        top = (side - (float)p->height) / 2, step = side / SIDE;
  /* Each value is a mean over the pixels that it stands for. */
  int samples = (int)ceilf(step);
  for (int y = 0; y < SIDE; y++)
    for (int x = 0; x < SIDE; x++)
      for (int c = 0; c < 3; c++) {
        float sum = 0;
        for (int k = 0; k < samples * samples; k++) {
          float px = ((float)x + ((float)(k % samples) + 0.5f) / (float)samples) * step - left - 0.5f,
                py = ((float)y + ((float)(k / samples) + 0.5f) / (float)samples) * step - top - 0.5f;
          bool inside = px > -0.5f && py > -0.5f && px < (float)p->width - 0.5f && py < (float)p->height - 0.5f;
          sum += inside ? picture_sample(p, px, py, c) : 0;
        }
        *values++ = sum / (float)(samples * samples) / 127.5f - 1;
      }
}

/* 16 x 16 places with two anchors each, then 8 x 8 with six. */
static void anchor(int index, float *x, float *y) {
  int cells = index < 512 ? 16 : 8, place = index < 512 ? index / 2 : (index - 512) / 6;
  *x = ((float)(place % cells) + 0.5f) / (float)cells;
  *y = ((float)(place / cells) + 0.5f) / (float)cells;
}

static size_t decode(const wnn_onnx_result *result, face *found) {
  const wnn_onnx_tensor *scores[2] = {wnn_onnx_result_find(result, "Identity:0"),
                                      wnn_onnx_result_find(result, "Identity_1:0")},
                        *boxes[2] = {wnn_onnx_result_find(result, "Identity_2:0"),
                                     wnn_onnx_result_find(result, "Identity_3:0")};
  size_t count = 0;
  for (int i = 0; i < ANCHORS; i++) {
    int part = i >= 512, row = part ? i - 512 : i;
    if (!scores[part] || !boxes[part] || boxes[part]->size < (size_t)(row + 1) * VALUES * sizeof(float)) return 0;
    float raw = ((const float *)scores[part]->data)[row], score = 1 / (1 + expf(-raw)), x, y;
    if (score < least_score) continue;
    const float *box = (const float *)boxes[part]->data + (size_t)row * VALUES;
    anchor(i, &x, &y);
    face *f = &found[count++];
    f->score = score;
    for (int k = 0; k < VALUES; k++) {
      f->at[k] = box[k] / SIDE;
      if (k == 2 || k == 3) continue; /* sizes */
      f->at[k] += k % 2 ? y : x;
    }
  }
  return count;
}

static float overlap(const face *a, const face *b) {
  float w = fminf(a->at[0] + a->at[2] / 2, b->at[0] + b->at[2] / 2) -
            fmaxf(a->at[0] - a->at[2] / 2, b->at[0] - b->at[2] / 2),
        h = fminf(a->at[1] + a->at[3] / 2, b->at[1] + b->at[3] / 2) -
            fmaxf(a->at[1] - a->at[3] / 2, b->at[1] - b->at[3] / 2);
  if (w <= 0 || h <= 0) return 0;
  return w * h / (a->at[2] * a->at[3] + b->at[2] * b->at[3] - w * h);
}

static int by_score(const void *a, const void *b) {
  float x = ((const face *)a)->score, y = ((const face *)b)->score;
  return (x < y) - (x > y);
}

/* Faces that overlap a better one are averaged into it, weighted by score. */
static size_t merge(face *faces, size_t count) {
  size_t kept = 0;
  qsort(faces, count, sizeof *faces, by_score);
  while (count > kept) {
    face best = faces[kept], sum = {0};
    float weight = 0;
    size_t left = kept + 1;
    for (size_t i = kept; i < count; i++) {
      if (overlap(&best, &faces[i]) < overlap_level) {
        faces[left++] = faces[i];
        continue;
      }
      for (int k = 0; k < VALUES; k++) sum.at[k] += faces[i].at[k] * faces[i].score;
      weight += faces[i].score;
    }
    for (int k = 0; k < VALUES; k++) sum.at[k] /= weight;
    sum.score = best.score;
    faces[kept++] = sum;
    count = left;
  }
  return kept;
}

static int by_place(const void *a, const void *b) {
  float x = ((const face *)a)->at[0], y = ((const face *)b)->at[0];
  return (x > y) - (x < y);
}

static void show(const face *f, picture *p) {
  float side = (float)(p->width > p->height ? p->width : p->height), left = (side - (float)p->width) / 2,
        top = (side - (float)p->height) / 2;
  int x0 = (int)((f->at[0] - f->at[2] / 2) * side - left), y0 = (int)((f->at[1] - f->at[3] / 2) * side - top),
      x1 = (int)((f->at[0] + f->at[2] / 2) * side - left), y1 = (int)((f->at[1] + f->at[3] / 2) * side - top);
  printf("face %d,%d to %d,%d  %.0f %%\n", x0, y0, x1, y1, (double)f->score * 100);
  picture_box(p, x0, y0, x1, y1, 3, (color){230, 40, 40});
  for (int i = 0; i < POINTS; i++)
    picture_ellipse(p, f->at[4 + 2 * i] * side - left, f->at[5 + 2 * i] * side - top, 3.5f, 3.5f, 0,
                    (color){40, 220, 60}, 1);
}

static int run(const char *model, const char *path, const char *picture_path) {
  static float values[SIDE * SIDE * 3];
  static face found[ANCHORS];
  picture p;
  network n;
  wnn_context *context;
  if (!picture_read(path, &p)) return 1;
  if (!network_context(0, &context)) return 1;
  bool done = network_open(context, model, &n);
  prepare(&p, values);
  wnn_onnx_tensor input = {"input:0", {WNN_FLOAT32, 4, {1, SIDE, SIDE, 3}}, values, sizeof values};
  wnn_onnx_result *result = done ? network_run(&n, &input, 1) : NULL;
  done = result != NULL;
  if (done) {
    size_t count = merge(found, decode(result, found));
    qsort(found, count, sizeof *found, by_place);
    for (size_t i = 0; i < count; i++) show(&found[i], &p);
    printf("%zu found\n", count);
    if (picture_path) done = picture_write(picture_path, &p);
  }
  wnn_onnx_result_release(result);
  network_close(&n);
  wnn_context_release(context);
  picture_free(&p);
  return done ? 0 : 1;
}

int main(int argc, char **argv) {
  static const struct option options[] = {
      {"model", required_argument, NULL, 'm'}, {"picture", required_argument, NULL, 'p'}, {0}};
  const char *model = NULL, *picture_path = NULL;
  for (int c; (c = getopt_long(argc, argv, "", options, NULL)) != -1;) {
    if (c == '?') return 2;
    *(c == 'm' ? &model : &picture_path) = optarg;
  }
  if (!model || optind + 1 != argc) {
    fprintf(stderr, "usage: faces --model face_detection_front.onnx [--picture out.png] picture.png\n");
    return 2;
  }
  return run(model, argv[optind], picture_path);
}
