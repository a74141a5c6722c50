/* Makes the inputs of the examples: a page of text, a picture with two drawn faces, a sound with speech in it.
 *
 *   make-samples FOLDER     writes page.png, faces.png, speech.wav */
#include <math.h>
#include <sndfile.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "picture.h"

/* ---- Page ---------------------------------------------------------------------------------------------- */

static bool page(const char *path) {
  picture p;
  if (!picture_make(&p, 640, 480, (color){246, 244, 238})) return false;
  color ink = {24, 28, 40};
  picture_text(&p, 60, 50, 6, ink, false, "HELLO WEBNN");
  picture_text(&p, 60, 150, 4, ink, false, "READS THE WHOLE PAGE");
  picture_fill(&p, 50, 225, 480, 290, (color){30, 70, 130});
  picture_text(&p, 66, 240, 5, (color){255, 255, 255}, false, "WHITE ON BLUE");
  picture_text(&p, 300, 370, 6, ink, true, "UPSIDE");
  bool done = picture_write(path, &p);
  picture_free(&p);
  return done;
}

/* ---- Faces ----------------------------------------------------------------------------------------------- */

/* size: half of the width of the head. */
static void face(picture *p, float x, float y, float size, color skin, color hair) {
  color dark = {(unsigned char)(skin.r * 0.62f), (unsigned char)(skin.g * 0.55f), (unsigned char)(skin.b * 0.52f)};
  color lips = {170, 70, 70}, white = {245, 245, 240}, iris = {60, 42, 30}, black = {18, 14, 12};
  picture_ellipse(p, x, y - 0.25f * size, 1.12f * size, 1.35f * size, 0, hair, 1); /* hair behind */
  picture_fill(p, (int)(x - 0.42f * size), (int)(y + 0.8f * size), (int)(x + 0.42f * size), (int)(y + 1.9f * size),
               dark);
  picture_ellipse(p, x, y, size, 1.3f * size, 0, skin, 1); /* head */
  for (int i = 0; i < 12; i++)                             /* shade towards the jaw, light on the forehead */
    picture_ellipse(p, x, y + 1.0f * size, (0.85f - 0.05f * (float)i) * size, (0.45f - 0.03f * (float)i) * size, 0,
                    dark, 0.03f);
  for (int i = 0; i < 10; i++)
    picture_ellipse(p, x, y - 0.6f * size, (0.6f - 0.05f * (float)i) * size, (0.35f - 0.03f * (float)i) * size, 0,
                    white, 0.03f);
  picture_ellipse(p, x, y - 1.12f * size, 0.85f * size, 0.38f * size, 0, hair, 1); /* fringe */
  for (int side = -1; side <= 1; side += 2) {
    float ex = x + (float)side * 0.42f * size, ey = y - 0.18f * size;
    for (int i = 0; i < 8; i++) /* sockets */
      picture_ellipse(p, ex, ey - 0.03f * size, (0.32f - 0.02f * (float)i) * size, (0.24f - 0.018f * (float)i) * size,
                      0, dark, 0.1f);
    picture_ellipse(p, ex, ey, 0.2f * size, 0.105f * size, 0, white, 1);
    picture_ellipse(p, ex, ey, 0.1f * size, 0.105f * size, 0, iris, 1);
    picture_ellipse(p, ex, ey, 0.05f * size, 0.055f * size, 0, black, 1);
    picture_ellipse(p, ex, ey - 0.1f * size, 0.23f * size, 0.035f * size, 0, black, 0.8f);                    /* lid */
    picture_ellipse(p, ex, ey - 0.27f * size, 0.27f * size, 0.055f * size, (float)side * 0.12f, hair, 0.95f); /* brow */
    picture_ellipse(p, x + (float)side * 0.1f * size, y + 0.33f * size, 0.055f * size, 0.035f * size, 0, black, 0.6f);
    for (int i = 0; i < 6; i++) /* cheeks */
      picture_ellipse(p, x + (float)side * 0.5f * size, y + 0.3f * size, (0.25f - 0.03f * (float)i) * size,
                      (0.18f - 0.02f * (float)i) * size, 0, lips, 0.04f);
  }
  for (int i = 0; i < 6; i++) /* nose */
    picture_ellipse(p, x + 0.06f * size, y + 0.12f * size, (0.12f - 0.012f * (float)i) * size,
                    (0.3f - 0.03f * (float)i) * size, 0, dark, 0.08f);
  picture_ellipse(p, x, y + 0.34f * size, 0.17f * size, 0.06f * size, 0, dark, 0.4f);
  picture_ellipse(p, x, y + 0.68f * size, 0.34f * size, 0.11f * size, 0, lips, 1); /* mouth */
  picture_ellipse(p, x, y + 0.665f * size, 0.3f * size, 0.025f * size, 0, black, 0.8f);
}

static bool faces(const char *path) {
  picture p;
  if (!picture_make(&p, 480, 320, (color){120, 150, 170})) return false;
  for (int y = 0; y < 320; y++)
    for (int x = 0; x < 480; x++) picture_mix(&p, x, y, (color){190, 205, 210}, (float)y / 400);
  picture_ellipse(&p, 140, 330, 120, 90, 0, (color){50, 60, 110}, 1);
  picture_ellipse(&p, 350, 330, 110, 80, 0, (color){120, 40, 50}, 1);
  face(&p, 140, 145, 62, (color){226, 180, 150}, (color){50, 34, 24});
  face(&p, 350, 160, 54, (color){160, 110, 80}, (color){20, 16, 14});
  bool done = picture_write(path, &p);
  picture_free(&p);
  return done;
}

/* ---- Speech ------------------------------------------------------------------------------------------------ */

enum { RATE = 16000, SECONDS = 6 };

/* A resonance of two poles. */
typedef struct resonator {
  double a, b, c, y1, y2;
} resonator;

static void tune(resonator *r, double frequency, double width) {
  const double pi = 3.14159265358979323846;
  r->c = -exp(-2 * pi * width / RATE);
  r->b = 2 * exp(-pi * width / RATE) * cos(2 * pi * frequency / RATE);
  r->a = 1 - r->b - r->c;
}

static double step(resonator *r, double x) {
  double y = r->a * x + r->b * r->y1 + r->c * r->y2;
  r->y2 = r->y1;
  r->y1 = y;
  return y;
}

/* Sounds of a made-up phrase: formants in hertz, milliseconds, voiced or hissing. */
typedef struct sound {
  double f1, f2, f3, ms;
  double voice, hiss;
} sound;
static const sound phrase[] = {
    {280, 2250, 2900, 90, 0.6, 0.0},  {730, 1090, 2440, 160, 1, 0},   {400, 1900, 2550, 60, 0.25, 0.05},
    {530, 1840, 2480, 140, 1, 0},     {1800, 4200, 5600, 80, 0, 0.5}, {270, 2290, 3010, 170, 1, 0},
    {300, 870, 2240, 60, 0.3, 0},     {570, 840, 2410, 190, 1, 0},    {250, 1200, 2200, 70, 0.4, 0},
    {660, 1720, 2410, 150, 1, 0},     {1500, 3000, 4500, 60, 0, 0.3}, {300, 870, 2240, 180, 1, 0},
    {350, 1400, 2300, 60, 0.4, 0.02}, {700, 1300, 2400, 200, 0.9, 0},
};

/* Adds the phrase at a time; pitch falls and wavers as voices do. */
static double speak(float *out, double start, double pitch) {
  resonator r[3];
  memset(r, 0, sizeof r);
  double at = start, phase = 0, f1 = phrase[0].f1, f2 = phrase[0].f2, f3 = phrase[0].f3, loud = 0, noisy = 0, flow = 0;
  uint32_t noise = 12345;
  size_t count = sizeof phrase / sizeof *phrase;
  for (size_t s = 0; s < count; s++) {
    size_t length = (size_t)(phrase[s].ms * RATE / 1000);
    for (size_t i = 0; i < length; i++, at += 1.0 / RATE) {
      double glide = 0.0012; /* mouths move gradually */
      f1 += (phrase[s].f1 - f1) * glide * 2;
      f2 += (phrase[s].f2 - f2) * glide * 2;
      f3 += (phrase[s].f3 - f3) * glide * 2;
      loud += (phrase[s].voice - loud) * glide * 3;
      noisy += (phrase[s].hiss - noisy) * glide * 4;
      tune(&r[0], f1, 80);
      tune(&r[1], f2, 110);
      tune(&r[2], f3, 160);
      double hertz = pitch * (1.12 - 0.16 * (at - start)) + 4 * sin(31 * at);
      phase += hertz / RATE;
      if (phase >= 1) phase -= 1;
      double open = phase < 0.6 ? phase / 0.6 : 0, pulse = open > 0 ? open * open * (1 - open) * 6.75 : 0;
      double glottis = pulse - flow; /* lips radiate the change of the flow */
      flow = pulse;
      noise = noise * 1664525u + 1013904223u;
      double white = (double)(noise >> 8) / 8388608.0 - 1;
      double source = loud * glottis * 6 + noisy * white * 0.5 + loud * white * 0.02;
      double value = step(&r[0], source) + 0.6 * step(&r[1], source) + 0.35 * step(&r[2], source);
      size_t index = (size_t)(at * RATE);
      if (index < (size_t)RATE * SECONDS) out[index] += (float)(0.5 * value);
    }
  }
  return at;
}

static bool speech(const char *path) {
  enum { COUNT = RATE * SECONDS };
  float *samples = calloc(COUNT, sizeof *samples);
  SF_INFO info = {.samplerate = RATE, .channels = 1, .format = SF_FORMAT_WAV | SF_FORMAT_PCM_16};
  if (!samples) return false;
  speak(samples, 0.8, 118);
  speak(samples, 3.6, 190);
  uint32_t noise = 1;
  for (int i = 0; i < COUNT; i++) {
    noise = noise * 1664525u + 1013904223u;
    samples[i] += (float)(((double)(noise >> 8) / 8388608.0 - 1) * 0.002);
    samples[i] = fmaxf(-0.99f, fminf(0.99f, samples[i]));
  }
  SNDFILE *file = sf_open(path, SFM_WRITE, &info);
  bool done = file && sf_write_float(file, samples, COUNT) == COUNT;
  if (!done) fprintf(stderr, "%s: %s\n", path, sf_strerror(file));
  if (file && sf_close(file)) done = false;
  free(samples);
  return done;
}

int main(int argc, char **argv) {
  static const struct {
    const char *name;
    bool (*make)(const char *path);
  } samples[] = {{"page.png", page}, {"faces.png", faces}, {"speech.wav", speech}};
  if (argc != 2) {
    fprintf(stderr, "usage: make-samples FOLDER\n");
    return 2;
  }
  for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", argv[1], samples[i].name);
    if (!samples[i].make(path)) return 1;
  }
  return 0;
}
