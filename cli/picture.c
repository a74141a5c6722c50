/* PNG and JPEG files as arrays: decoded, scaled, normalised, laid out. */
#include <math.h>
#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>

#include "array.h"

typedef struct pixels {
  uint32_t width, height;
  unsigned char *rgba; /* 4 bytes a pixel */
} pixels;

static bool read_png(const char *path, pixels *p) {
  png_image image = {.version = PNG_IMAGE_VERSION};
  if (!png_image_begin_read_from_file(&image, path)) {
    cli_fail("%s: %s.", path, image.message);
    return false;
  }
  image.format = PNG_FORMAT_RGBA;
  *p = (pixels){image.width, image.height, NULL};
  if ((uint64_t)image.width * image.height <= CLI_MAX_ELEMENTS / 4) p->rgba = malloc(PNG_IMAGE_SIZE(image));
  if (p->rgba && png_image_finish_read(&image, NULL, p->rgba, 0, NULL)) return true;
  cli_fail("%s: %s.", path, p->rgba ? image.message : "it is too large");
  png_image_free(&image);
  free(p->rgba);
  return false;
}

typedef struct jpeg_failure {
  struct jpeg_error_mgr manager;
  jmp_buf back;
} jpeg_failure;

static void jpeg_failed(j_common_ptr info) { longjmp(((jpeg_failure *)info->err)->back, 1); }
static void jpeg_silent(j_common_ptr info) { (void)info; }

/* Decodes into memory that the caller frees, also after a failure. */
static bool decode_jpeg(struct jpeg_decompress_struct *info, jpeg_failure *failure, FILE *file, pixels *p,
                        unsigned char **row) {
  if (setjmp(failure->back)) return false;
  jpeg_create_decompress(info);
  jpeg_stdio_src(info, file);
  jpeg_read_header(info, TRUE);
  info->out_color_space = JCS_RGB;
  jpeg_start_decompress(info);
  p->width = info->output_width;
  p->height = info->output_height;
  if ((uint64_t)p->width * p->height > CLI_MAX_ELEMENTS / 4) return false;
  p->rgba = malloc((size_t)p->width * p->height * 4);
  *row = malloc((size_t)p->width * 3);
  if (!p->rgba || !*row) return false;
  for (unsigned char *out = p->rgba; info->output_scanline < info->output_height;) {
    jpeg_read_scanlines(info, row, 1);
    for (uint32_t x = 0; x < p->width; x++, out += 4) {
      memcpy(out, *row + (size_t)x * 3, 3);
      out[3] = 255;
    }
  }
  jpeg_finish_decompress(info);
  return true;
}

static bool read_jpeg(const char *path, pixels *p) {
  FILE *file = fopen(path, "rb");
  if (!file) {
    cli_fail("%s cannot be read.", path);
    return false;
  }
  struct jpeg_decompress_struct info;
  jpeg_failure failure;
  unsigned char *row = NULL;
  memset(&info, 0, sizeof info);
  info.err = jpeg_std_error(&failure.manager);
  failure.manager.error_exit = jpeg_failed;
  failure.manager.output_message = jpeg_silent;
  *p = (pixels){0, 0, NULL};
  bool done = decode_jpeg(&info, &failure, file, p, &row);
  if (!done) {
    cli_fail("%s is no JPEG picture that can be read.", path);
    free(p->rgba);
  }
  jpeg_destroy_decompress(&info);
  free(row);
  fclose(file);
  return done;
}

/* One channel at a place between pixels, edges repeated. */
static double between(const pixels *p, double x, double y, int channel) {
  x = fmin(fmax(x, 0), p->width - 1.0);
  y = fmin(fmax(y, 0), p->height - 1.0);
  uint32_t x0 = (uint32_t)x, y0 = (uint32_t)y, x1 = x0 + 1 < p->width ? x0 + 1 : x0,
           y1 = y0 + 1 < p->height ? y0 + 1 : y0;
  double fx = x - x0, fy = y - y0;
#define AT(column, row) p->rgba[((size_t)(row)*p->width + (column)) * 4 + (size_t)channel]
  double top = AT(x0, y0) * (1 - fx) + AT(x1, y0) * fx, bottom = AT(x0, y1) * (1 - fx) + AT(x1, y1) * fx;
#undef AT
  return top * (1 - fy) + bottom * fy;
}

/* Where the axes are: the options win, then a channel count of 1, 3 or 4 that the input declares. */
static void arrange(const cli_picture_options *options, const cli_wanted *w, bool *last, int *channels,
                    uint32_t *height, uint32_t *width, const pixels *p) {
  bool first_fits =
      w->rank >= 3 && (w->dims[w->rank - 3] == 1 || w->dims[w->rank - 3] == 3 || w->dims[w->rank - 3] == 4);
  bool last_fits =
      w->rank >= 3 && (w->dims[w->rank - 1] == 1 || w->dims[w->rank - 1] == 3 || w->dims[w->rank - 1] == 4);
  *last = options->layout ? options->layout == 2 : last_fits && !first_fits;
  int at = w->rank >= 3 ? w->rank - 3 : 0;
  int64_t c = -1, h = -1, x = -1;
  if (w->rank >= 3) {
    c = w->dims[*last ? at + 2 : at];
    h = w->dims[*last ? at : at + 1];
    x = w->dims[*last ? at + 1 : at + 2];
  } else if (w->rank == 2) {
    c = 1;
    h = w->dims[0];
    x = w->dims[1];
  }
  *channels = options->channels ? options->channels : c == 1 || c == 4 ? (int)c : 3;
  *height = options->height ? options->height : h > 0 && h <= INT32_MAX ? (uint32_t)h : p->height;
  *width = options->width ? options->width : x > 0 && x <= INT32_MAX ? (uint32_t)x : p->width;
}

static void fill(const pixels *p, const cli_picture_options *options, float *out, int channels, bool last,
                 uint32_t height, uint32_t width) {
  double step_x = (double)p->width / width, step_y = (double)p->height / height;
  size_t plane = (size_t)height * width;
  for (uint32_t y = 0; y < height; y++)
    for (uint32_t x = 0; x < width; x++)
      for (int c = 0; c < channels; c++) {
        double px = (x + 0.5) * step_x - 0.5, py = (y + 0.5) * step_y - 0.5, value;
        if (channels == 1)
          value = 0.299 * between(p, px, py, 0) + 0.587 * between(p, px, py, 1) + 0.114 * between(p, px, py, 2);
        else
          value = between(p, px, py, options->bgr && c < 3 ? 2 - c : c);
        int k = c < 3 ? c : 0;
        value *= options->scale;
        if (c < 3) value = (value - options->mean[k]) / options->std[k];
        size_t pixel = (size_t)y * width + x;
        out[last ? pixel * (size_t)channels + (size_t)c : plane * (size_t)c + pixel] = (float)value;
      }
}

bool cli_read_picture(const char *path, const cli_picture_options *options, const cli_wanted *wanted,
                      cli_array *array) {
  pixels p;
  bool last;
  int channels;
  uint32_t height, width;
  if (!(cli_has_suffix(path, ".png") ? read_png(path, &p) : read_jpeg(path, &p))) return false;
  arrange(options, wanted, &last, &channels, &height, &width, &p);
  uint32_t rank = wanted->rank >= 2 ? (uint32_t)wanted->rank : 4;
  *array = (cli_array){'f', 4, rank, {0}, NULL};
  for (uint32_t i = 0; i < rank; i++) array->shape[i] = 1;
  if (rank == 2) {
    array->shape[0] = height;
    array->shape[1] = width;
  } else {
    array->shape[rank - 3] = last ? height : (uint32_t)channels;
    array->shape[rank - 2] = last ? width : height;
    array->shape[rank - 1] = last ? (uint32_t)channels : width;
  }
  bool done = (rank > 2 || channels == 1) && cli_array_alloc(array, path);
  if (done) fill(&p, options, array->data, channels, last, height, width);
  free(p.rgba);
  return done;
}
