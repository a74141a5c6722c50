/* Reads a line of text from a PNG picture with PP-OCR's recognition network.
 *
 *   ocr-line --model rec.onnx --keys keys.txt picture.png
 *
 * The picture is scaled to 48 rows, the network gives for every eighth column a probability for each
 * character, and the most probable ones, without repetitions and blanks, are the text. */
#include <getopt.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <webnn/webnn_onnx.h>

enum { HEIGHT = 48, COLUMNS_PER_STEP = 8, MAX_WIDTH = 4096 };

typedef struct picture {
  uint32_t width, height;
  unsigned char *rgb;
} picture;

static int fail(const char *what, const wnn_error *error) {
  fprintf(stderr, "ocr-line: %s: %s\n", what, error->message);
  return 1;
}

static double now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static bool read_png(const char *path, picture *p) {
  png_image image = {.version = PNG_IMAGE_VERSION};
  if (!png_image_begin_read_from_file(&image, path)) {
    fprintf(stderr, "ocr-line: %s: %s\n", path, image.message);
    return false;
  }
  image.format = PNG_FORMAT_RGB;
  p->width = image.width;
  p->height = image.height;
  p->rgb = malloc(PNG_IMAGE_SIZE(image));
  if (p->rgb && png_image_finish_read(&image, &(png_color){255, 255, 255}, p->rgb, 0, NULL)) return true;
  fprintf(stderr, "ocr-line: %s: %s\n", path, p->rgb ? image.message : "out of memory");
  png_image_free(&image);
  free(p->rgb);
  return false;
}

/* One channel of the picture at a position between pixels. */
static float sample(const picture *p, float x, float y, int channel) {
  if (x < 0) x = 0;
  if (y < 0) y = 0;
  if (x > (float)(p->width - 1)) x = (float)(p->width - 1);
  if (y > (float)(p->height - 1)) y = (float)(p->height - 1);
  uint32_t x0 = (uint32_t)x, y0 = (uint32_t)y, x1 = x0 + 1 < p->width ? x0 + 1 : x0,
           y1 = y0 + 1 < p->height ? y0 + 1 : y0;
  float fx = x - (float)x0, fy = y - (float)y0;
#define AT(column, row) ((float)p->rgb[((size_t)(row)*p->width + (column)) * 3 + (size_t)channel])
  float top = AT(x0, y0) * (1 - fx) + AT(x1, y0) * fx, bottom = AT(x0, y1) * (1 - fx) + AT(x1, y1) * fx;
#undef AT
  return top * (1 - fy) + bottom * fy;
}

/* The network's input: [1, 3, 48, width], channels blue, green, red, values -1 .. 1. */
static float *prepare(const picture *p, uint32_t *width) {
  uint64_t wide = ((uint64_t)p->width * HEIGHT + p->height / 2) / p->height;
  wide = (wide + COLUMNS_PER_STEP - 1) / COLUMNS_PER_STEP * COLUMNS_PER_STEP;
  *width = wide < COLUMNS_PER_STEP ? COLUMNS_PER_STEP : wide > MAX_WIDTH ? MAX_WIDTH : (uint32_t)wide;
  float *values = malloc(sizeof(float) * 3 * HEIGHT * *width), *out = values;
  if (!values) return NULL;
  float scale_x = (float)p->width / (float)*width, scale_y = (float)p->height / HEIGHT;
  for (int channel = 2; channel >= 0; channel--)
    for (uint32_t y = 0; y < HEIGHT; y++)
      for (uint32_t x = 0; x < *width; x++)
        *out++ =
            sample(p, ((float)x + 0.5f) * scale_x - 0.5f, ((float)y + 0.5f) * scale_y - 0.5f, channel) / 127.5f - 1;
  return values;
}

/* The characters, one a line; the network's class 0 is the blank, class k line k, the last one a space. */
static char **read_keys(const char *path, size_t *count) {
  FILE *file = fopen(path, "r");
  if (!file) {
    perror(path);
    return NULL;
  }
  char **keys = NULL, line[64];
  size_t room = 0;
  *count = 0;
  while (fgets(line, sizeof line, file)) {
    line[strcspn(line, "\r\n")] = 0;
    if (*count == room) {
      char **grown = realloc(keys, (room = room ? room * 2 : 1024) * sizeof *keys);
      if (!grown) break;
      keys = grown;
    }
    if (!(keys[*count] = strdup(line))) break;
    ++*count;
  }
  fclose(file);
  return keys;
}

/* Prints the text and returns the mean probability of its characters. */
static double decode(const wnn_onnx_tensor *output, char **keys, size_t key_count) {
  const float *row = output->data;
  uint32_t steps = output->desc.shape[1], classes = output->desc.shape[2], last = 0, shown = 0;
  double sum = 0;
  for (uint32_t s = 0; s < steps; s++, row += classes) {
    uint32_t best = 0;
    for (uint32_t c = 1; c < classes; c++)
      if (row[c] > row[best]) best = c;
    if (best && best != last) {
      fputs(best <= key_count ? keys[best - 1] : " ", stdout);
      sum += (double)row[best];
      shown++;
    }
    last = best;
  }
  putchar('\n');
  return shown ? sum / shown : 0;
}

static int run(const char *model_path, const char *keys_path, const char *picture_path, uint32_t threads) {
  picture p;
  size_t key_count;
  char **keys = read_keys(keys_path, &key_count);
  if (!keys || !read_png(picture_path, &p)) return 1;
  uint32_t width;
  float *pixels = prepare(&p, &width);
  free(p.rgb);
  if (!pixels) return 1;

  wnn_error error;
  wnn_context *context;
  wnn_onnx_model *model;
  wnn_onnx_session *session;
  wnn_onnx_result *result;
  wnn_context_options options = WNN_CONTEXT_OPTIONS_INIT;
  options.threads = threads;
  double start = now_ms();
  if (wnn_context_create(&options, &context, &error)) return fail("context", &error);
  if (wnn_onnx_open(model_path, &model, &error)) return fail(model_path, &error);
  if (wnn_onnx_session_create(context, model, NULL, &session, &error)) return fail(model_path, &error);
  wnn_onnx_tensor input = {"x", {WNN_FLOAT32, 4, {1, 3, HEIGHT, width}}, pixels, sizeof(float) * 3 * HEIGHT * width};
  if (wnn_onnx_session_run(session, &input, 1, NULL, 0, &result, &error)) return fail("run", &error);
  double first = now_ms() - start, best = 1e30;
  for (int i = 0; i < 10; i++) {
    wnn_onnx_result *again;
    start = now_ms();
    if (wnn_onnx_session_run(session, &input, 1, NULL, 0, &again, &error)) return fail("run", &error);
    double taken = now_ms() - start;
    if (taken < best) best = taken;
    wnn_onnx_result_release(again);
  }

  double confidence = decode(wnn_onnx_result_get(result, 0), keys, key_count);
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  fprintf(stderr, "confidence %.1f %%, %.1f ms a run (%u threads, best of 10), %.0f ms to the first result, %.1f MB\n",
          confidence * 100, best, wnn_context_threads(context), first, (double)usage.ru_maxrss / 1024);
  wnn_onnx_result_release(result);
  wnn_onnx_session_release(session);
  wnn_onnx_release(model);
  wnn_context_release(context);
  for (size_t i = 0; i < key_count; i++) free(keys[i]);
  free(keys);
  free(pixels);
  return 0;
}

int main(int argc, char **argv) {
  static const struct option options[] = {{"model", required_argument, NULL, 'm'},
                                          {"keys", required_argument, NULL, 'k'},
                                          {"threads", required_argument, NULL, 't'},
                                          {0}};
  const char *model = NULL, *keys = NULL;
  uint32_t threads = 0;
  for (int c; (c = getopt_long(argc, argv, "", options, NULL)) != -1;) {
    if (c == 'm')
      model = optarg;
    else if (c == 'k')
      keys = optarg;
    else if (c == 't')
      threads = (uint32_t)strtoul(optarg, NULL, 10);
    else
      return 2;
  }
  if (!model || !keys || optind + 1 != argc) {
    fprintf(stderr, "usage: ocr-line --model rec.onnx --keys keys.txt [--threads N] picture.png\n");
    return 2;
  }
  return run(model, keys, argv[optind], threads);
}
