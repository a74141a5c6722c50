/* Finds speech in a sound file with the Silero network and shows it as a timeline.
 *
 *   vad --model silero_vad_v5.onnx [--picture out.png] sound.wav
 *
 * The network takes 512 samples at 16 kHz and a state that it hands on from piece to piece. Speech starts above one
 * half and ends after a while below 0.35, so that short dips do not cut words. */
#include <getopt.h>
#include <math.h>
#include <sndfile.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../common/network.h"
#include "../common/picture.h"

enum { RATE = 16000, PIECE = 512, STATE = 2 * 128, LINE = 100, QUIET_PIECES = 10, MAX_SEGMENTS = 256 };
static const float start_level = 0.5f, end_level = 0.35f;

typedef struct sound {
  float *samples;
  size_t count;
} sound;
typedef struct segment {
  double start, end; /* seconds */
} segment;

static bool read_sound(const char *path, sound *s) {
  SF_INFO info = {0};
  SNDFILE *file = sf_open(path, SFM_READ, &info);
  *s = (sound){NULL, 0};
  if (!file) {
    fprintf(stderr, "%s: %s\n", path, sf_strerror(NULL));
    return false;
  }
  if (info.samplerate == RATE && info.channels == 1 && info.frames > 0 && info.frames < INT32_MAX) {
    s->samples = calloc((size_t)info.frames, sizeof *s->samples);
    if (s->samples) s->count = (size_t)sf_read_float(file, s->samples, info.frames);
  } else {
    fprintf(stderr, "%s: one channel at %d Hz is needed\n", path, RATE);
  }
  sf_close(file);
  return s->count > 0;
}

/* The probability of speech for each piece. */
static float *listen(const network *n, const sound *s, size_t *pieces) {
  *pieces = (s->count + PIECE - 1) / PIECE;
  float *probability = calloc(*pieces, sizeof *probability), state[STATE] = {0}, piece[PIECE];
  int64_t rate = RATE;
  for (size_t i = 0; probability && i < *pieces; i++) {
    size_t left = s->count - i * PIECE, length = left < PIECE ? left : PIECE;
    memset(piece, 0, sizeof piece);
    memcpy(piece, s->samples + i * PIECE, length * sizeof *piece);
    const wnn_onnx_tensor inputs[] = {{"input", {WNN_FLOAT32, 2, {1, PIECE}}, piece, sizeof piece},
                                      {"state", {WNN_FLOAT32, 3, {2, 1, 128}}, state, sizeof state},
                                      {"sr", {WNN_INT64, 0, {0}}, &rate, sizeof rate}};
    wnn_onnx_result *result = network_run(n, inputs, 3);
    const wnn_onnx_tensor *output = result ? wnn_onnx_result_find(result, "output") : NULL,
                          *next = result ? wnn_onnx_result_find(result, "stateN") : NULL;
    bool good = output && next && output->size >= sizeof *probability && next->size == sizeof state;
    if (good) {
      memcpy(&probability[i], output->data, sizeof *probability);
      memcpy(state, next->data, sizeof state);
    }
    wnn_onnx_result_release(result);
    if (!good) {
      free(probability);
      return NULL;
    }
  }
  return probability;
}

static size_t find_speech(const float *probability, size_t pieces, segment *segments) {
  size_t count = 0, quiet = 0;
  bool inside = false;
  const double length = (double)PIECE / RATE;
  for (size_t i = 0; i < pieces && count < MAX_SEGMENTS; i++) {
    if (!inside && probability[i] >= start_level) {
      inside = true;
      quiet = 0;
      segments[count].start = (double)i * length;
    }
    if (!inside) continue;
    quiet = probability[i] < end_level ? quiet + 1 : 0;
    segments[count].end = (double)(i + 1 - quiet) * length;
    if (quiet >= QUIET_PIECES) {
      inside = false;
      count++;
    }
  }
  return count + inside;
}

/* One line of text: a mark for each hundredth of the sound. */
static void show_line(const float *probability, size_t pieces) {
  static const char marks[] = " .:-=+*#";
  for (size_t i = 0; i < LINE; i++) {
    float most = 0;
    for (size_t k = i * pieces / LINE; k < (i + 1) * pieces / LINE || k == i * pieces / LINE; k++)
      if (k < pieces) most = fmaxf(most, probability[k]);
    putchar(marks[(int)(fminf(most, 0.999f) * (float)(sizeof marks - 1))]);
  }
  putchar('\n');
}

static bool draw(const char *path, const sound *s, const float *probability, size_t pieces, const segment *segments,
                 size_t count) {
  enum { WIDTH = 900, WAVE = 160, CURVE = 80, HEIGHT = WAVE + CURVE + 30 };
  picture p;
  double seconds = (double)s->count / RATE;
  if (!picture_make(&p, WIDTH, HEIGHT, (color){255, 255, 255})) return false;
  for (size_t i = 0; i < count; i++)
    picture_fill(&p, (int)(segments[i].start / seconds * WIDTH), 0, (int)(segments[i].end / seconds * WIDTH),
                 WAVE + CURVE, (color){214, 238, 214});
  for (int x = 0; x < WIDTH; x++) {
    size_t first = s->count * (size_t)x / WIDTH, end = s->count * (size_t)(x + 1) / WIDTH;
    float low = 0, high = 0;
    for (size_t i = first; i < end; i++) {
      low = fminf(low, s->samples[i]);
      high = fmaxf(high, s->samples[i]);
    }
    picture_fill(&p, x, (int)((1 - high) * WAVE / 2), x + 1, (int)((1 - low) * WAVE / 2) + 1, (color){60, 90, 150});
    float value = probability[(size_t)x * pieces / WIDTH];
    picture_fill(&p, x, WAVE + (int)((1 - value) * (CURVE - 4)), x + 1, WAVE + CURVE, (color){200, 90, 70});
  }
  for (int second = 0; second <= (int)seconds; second++) {
    char text[16];
    int x = (int)(second / seconds * WIDTH);
    snprintf(text, sizeof text, "%d", second);
    picture_fill(&p, x, WAVE + CURVE, x + 1, WAVE + CURVE + 6, (color){0, 0, 0});
    picture_text(&p, x + 3, WAVE + CURVE + 10, 2, (color){0, 0, 0}, false, text);
  }
  bool done = picture_write(path, &p);
  picture_free(&p);
  return done;
}

static int run(const char *model, const char *path, const char *picture_path) {
  sound s;
  network n;
  wnn_context *context;
  segment segments[MAX_SEGMENTS];
  size_t pieces;
  if (!read_sound(path, &s)) return 1;
  if (!network_context(1, &context)) return 1;
  bool done = network_open(context, model, &n);
  double start = network_now_ms();
  float *probability = done ? listen(&n, &s, &pieces) : NULL;
  double taken = network_now_ms() - start;
  done = probability != NULL;
  if (done) {
    size_t count = find_speech(probability, pieces, segments);
    double seconds = (double)s.count / RATE;
    show_line(probability, pieces);
    for (size_t i = 0; i < count; i++) printf("speech %.2f s to %.2f s\n", segments[i].start, segments[i].end);
    printf("%zu of speech in %.2f s\n", count, seconds);
    fprintf(stderr, "%.0f ms for %.2f s of sound: %.0f times as fast as it sounds\n", taken, seconds,
            seconds * 1e3 / taken);
    if (picture_path) done = draw(picture_path, &s, probability, pieces, segments, count);
  }
  free(probability);
  free(s.samples);
  network_close(&n);
  wnn_context_release(context);
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
    fprintf(stderr, "usage: vad --model silero_vad_v5.onnx [--picture out.png] sound.wav\n");
    return 2;
  }
  return run(model, argv[optind], picture_path);
}
