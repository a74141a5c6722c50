/* Pictures for the examples. */
#include "picture.h"

#include <math.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool picture_make(picture *p, uint32_t width, uint32_t height, color fill) {
  *p = (picture){width, height, malloc((size_t)width * height * 3)};
  for (size_t i = 0; p->rgb && i < (size_t)width * height; i++) memcpy(p->rgb + i * 3, &fill, 3);
  if (!p->rgb) fprintf(stderr, "out of memory\n");
  return p->rgb != NULL;
}

bool picture_read(const char *path, picture *p) {
  png_image image = {.version = PNG_IMAGE_VERSION};
  *p = (picture){0, 0, NULL};
  if (!png_image_begin_read_from_file(&image, path)) {
    fprintf(stderr, "%s: %s\n", path, image.message);
    return false;
  }
  image.format = PNG_FORMAT_RGB;
  *p = (picture){image.width, image.height, malloc(PNG_IMAGE_SIZE(image))};
  if (p->rgb && png_image_finish_read(&image, &(png_color){255, 255, 255}, p->rgb, 0, NULL)) return true;
  fprintf(stderr, "%s: %s\n", path, p->rgb ? image.message : "out of memory");
  png_image_free(&image);
  picture_free(p);
  return false;
}

bool picture_write(const char *path, const picture *p) {
  png_image image = {.version = PNG_IMAGE_VERSION, .width = p->width, .height = p->height, .format = PNG_FORMAT_RGB};
  if (png_image_write_to_file(&image, path, 0, p->rgb, 0, NULL)) return true;
  fprintf(stderr, "%s: %s\n", path, image.message);
  return false;
}

void picture_free(picture *p) {
  free(p->rgb);
  p->rgb = NULL;
}

float picture_sample(const picture *p, float x, float y, int channel) {
  x = fminf(fmaxf(x, 0), (float)(p->width - 1));
  y = fminf(fmaxf(y, 0), (float)(p->height - 1));
  uint32_t x0 = (uint32_t)x, y0 = (uint32_t)y, x1 = x0 + 1 < p->width ? x0 + 1 : x0,
           y1 = y0 + 1 < p->height ? y0 + 1 : y0;
  float fx = x - (float)x0, fy = y - (float)y0;
#define AT(column, row) ((float)p->rgb[((size_t)(row)*p->width + (column)) * 3 + (size_t)channel])
  float top = AT(x0, y0) * (1 - fx) + AT(x1, y0) * fx, bottom = AT(x0, y1) * (1 - fx) + AT(x1, y1) * fx;
#undef AT
  return top * (1 - fy) + bottom * fy;
}

void picture_mix(picture *p, int x, int y, color c, float part) {
  if (x < 0 || y < 0 || (uint32_t)x >= p->width || (uint32_t)y >= p->height) return;
  unsigned char *at = p->rgb + ((size_t)y * p->width + (size_t)x) * 3, to[3] = {c.r, c.g, c.b};
  for (int i = 0; i < 3; i++) at[i] = (unsigned char)((float)at[i] * (1 - part) + (float)to[i] * part + 0.5f);
}

void picture_fill(picture *p, int x0, int y0, int x1, int y1, color c) {
  for (int y = y0; y < y1; y++)
    for (int x = x0; x < x1; x++) picture_mix(p, x, y, c, 1);
}

void picture_box(picture *p, int x0, int y0, int x1, int y1, int thick, color c) {
  picture_fill(p, x0, y0, x1, y0 + thick, c);
  picture_fill(p, x0, y1 - thick, x1, y1, c);
  picture_fill(p, x0, y0, x0 + thick, y1, c);
  picture_fill(p, x1 - thick, y0, x1, y1, c);
}

void picture_ellipse(picture *p, float x, float y, float radius_x, float radius_y, float angle, color c, float part) {
  float reach = fmaxf(radius_x, radius_y) + 2, cosine = cosf(angle), sine = sinf(angle),
        small = fminf(radius_x, radius_y);
  for (int py = (int)(y - reach); py <= (int)(y + reach); py++)
    for (int px = (int)(x - reach); px <= (int)(x + reach); px++) {
      float dx = (float)px - x, dy = (float)py - y, u = (dx * cosine + dy * sine) / radius_x,
            v = (dy * cosine - dx * sine) / radius_y, edge = (1 - sqrtf(u * u + v * v)) * small + 0.5f;
      if (edge > 0) picture_mix(p, px, py, c, edge < 1 ? edge * part : part);
    }
}

/* ---- Letters: 7 rows from the top, 5 bits a row, the highest bit on the left ------------------------------ */

typedef struct letter {
  char sign;
  unsigned char rows[7];
} letter;
static const letter letters[] = {
    {'A', {14, 17, 17, 31, 17, 17, 17}}, {'B', {30, 17, 17, 30, 17, 17, 30}}, {'C', {14, 17, 16, 16, 16, 17, 14}},
    {'D', {30, 17, 17, 17, 17, 17, 30}}, {'E', {31, 16, 16, 30, 16, 16, 31}}, {'F', {31, 16, 16, 30, 16, 16, 16}},
    {'G', {14, 17, 16, 23, 17, 17, 14}}, {'H', {17, 17, 17, 31, 17, 17, 17}}, {'I', {14, 4, 4, 4, 4, 4, 14}},
    {'J', {7, 2, 2, 2, 2, 18, 12}},      {'K', {17, 18, 20, 24, 20, 18, 17}}, {'L', {16, 16, 16, 16, 16, 16, 31}},
    {'M', {17, 27, 21, 21, 17, 17, 17}}, {'N', {17, 25, 25, 21, 19, 19, 17}}, {'O', {14, 17, 17, 17, 17, 17, 14}},
    {'P', {30, 17, 17, 30, 16, 16, 16}}, {'Q', {14, 17, 17, 17, 21, 18, 13}}, {'R', {30, 17, 17, 30, 20, 18, 17}},
    {'S', {15, 16, 16, 14, 1, 1, 30}},   {'T', {31, 4, 4, 4, 4, 4, 4}},       {'U', {17, 17, 17, 17, 17, 17, 14}},
    {'V', {17, 17, 17, 17, 17, 10, 4}},  {'W', {17, 17, 17, 21, 21, 27, 17}}, {'X', {17, 17, 10, 4, 10, 17, 17}},
    {'Y', {17, 17, 10, 4, 4, 4, 4}},     {'Z', {31, 1, 2, 4, 8, 16, 31}},     {'0', {14, 17, 17, 17, 17, 17, 14}},
    {'1', {4, 12, 4, 4, 4, 4, 14}},      {'2', {14, 17, 1, 6, 8, 16, 31}},    {'3', {30, 1, 1, 14, 1, 1, 30}},
    {'4', {2, 6, 10, 18, 31, 2, 2}},     {'5', {31, 16, 30, 1, 1, 17, 14}},   {'6', {14, 16, 16, 30, 17, 17, 14}},
    {'7', {31, 1, 2, 4, 8, 8, 8}},       {'8', {14, 17, 17, 14, 17, 17, 14}}, {'9', {14, 17, 17, 15, 1, 1, 14}},
    {'%', {25, 25, 2, 4, 8, 19, 19}},    {'.', {0, 0, 0, 0, 0, 12, 12}},      {'-', {0, 0, 0, 14, 0, 0, 0}},
    {':', {0, 12, 12, 0, 12, 12, 0}},
};

int picture_text_width(int scale, const char *text) {
  int count = (int)strlen(text);
  return count ? (6 * count - 1) * scale : 0;
}

static bool is_set(const unsigned char *rows, int column, int row) {
  return column >= 0 && column < 5 && row >= 0 && row < 7 && (rows[row] >> (4 - column) & 1);
}

/* A stroke with round ends and smooth edges. */
static void stroke(picture *p, float x0, float y0, float x1, float y1, float radius, color c) {
  float dx = x1 - x0, dy = y1 - y0, length = dx * dx + dy * dy;
  for (int y = (int)(fminf(y0, y1) - radius - 1); y <= (int)(fmaxf(y0, y1) + radius + 1); y++)
    for (int x = (int)(fminf(x0, x1) - radius - 1); x <= (int)(fmaxf(x0, x1) + radius + 1); x++) {
      float u = (float)x - x0, v = (float)y - y0, t = length > 0 ? fminf(fmaxf((u * dx + v * dy) / length, 0), 1) : 0,
            edge = radius + 0.5f - hypotf(u - t * dx, v - t * dy);
      if (edge > 0) picture_mix(p, x, y, c, fminf(edge, 1));
    }
}

/* Cells next to each other are joined by strokes; diagonal ones where no corner lies between them. */
static void draw_letter(picture *p, float x, float y, float scale, float direction, color c,
                        const unsigned char *rows) {
  static const int steps[][2] = {{0, 0}, {1, 0}, {0, 1}, {1, 1}, {-1, 1}};
  for (int row = 0; row < 7; row++)
    for (int column = 0; column < 5; column++)
      for (int k = 0; k < 5 && is_set(rows, column, row); k++) {
        int right = column + steps[k][0], below = row + steps[k][1];
        bool corner = k > 2 && (is_set(rows, right, row) || is_set(rows, column, below));
        if (!is_set(rows, right, below) || corner) continue;
        stroke(p, x + direction * scale * ((float)column + 0.5f), y + direction * scale * ((float)row + 0.5f),
               x + direction * scale * ((float)right + 0.5f), y + direction * scale * ((float)below + 0.5f),
               0.55f * scale, c);
      }
}

void picture_text(picture *p, int x, int y, int scale, color c, bool turned, const char *text) {
  float size = (float)scale, left = (float)x, top = (float)y, direction = turned ? -1 : 1;
  if (turned) {
    left += (float)picture_text_width(scale, text);
    top += 7 * size;
  }
  for (int i = 0; text[i]; i++) {
    char sign = text[i] >= 'a' && text[i] <= 'z' ? (char)(text[i] - 'a' + 'A') : text[i];
    for (size_t k = 0; k < sizeof letters / sizeof *letters; k++)
      if (letters[k].sign == sign)
        draw_letter(p, left + direction * 6 * size * (float)i, top, size, direction, c, letters[k].rows);
  }
}
