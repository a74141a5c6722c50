/* Pictures for the examples: PNG files, sampling, lines and letters. */
#ifndef EXAMPLES_PICTURE_H
#define EXAMPLES_PICTURE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct picture {
  uint32_t width, height;
  unsigned char *rgb;
} picture;
typedef struct color {
  unsigned char r, g, b;
} color;

/* All give false after a message on standard error. */
bool picture_make(picture *p, uint32_t width, uint32_t height, color fill);
bool picture_read(const char *path, picture *p);
bool picture_write(const char *path, const picture *p);
void picture_free(picture *p);

/* One channel at a place between pixels; edges repeat. */
float picture_sample(const picture *p, float x, float y, int channel);
/* Mixes a color in, part 0 to 1; outside the picture nothing happens. */
void picture_mix(picture *p, int x, int y, color c, float part);
void picture_box(picture *p, int x0, int y0, int x1, int y1, int thick, color c);
void picture_fill(picture *p, int x0, int y0, int x1, int y1, color c);
/* An ellipse with smooth edges, turned by an angle in radians. */
void picture_ellipse(picture *p, float x, float y, float radius_x, float radius_y, float angle, color c, float part);
/* Capital letters, digits and a few signs, 5 x 7 cells of `scale` pixels with one between letters; turned by 180
 * degrees with `turned`. x, y: the upper left corner of all. */
void picture_text(picture *p, int x, int y, int scale, color c, bool turned, const char *text);
int picture_text_width(int scale, const char *text);

#endif
