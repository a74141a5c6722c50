/* The networks of the benchmark through the builder: the same structures and weights as in networks.mjs. */
#include "networks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine.h"

/* A network under construction. Image networks keep the shape that they have reached. */
typedef struct net {
  wnn_builder *builder;
  wnn_operand *x;
  uint32_t channels, size;
  uint32_t weights; /* made so far: the number of the next one */
} net;

static void check(wnn_status status, const wnn_error *error) {
  if (status != WNN_OK) bench_die("builder: %s", error->message);
}
/* The operand that a builder call makes: MAKE(wnn_relu, x, NULL). */
#define MAKE(call, ...) (check(call(n->builder, __VA_ARGS__, &result, &error), &error), result)
#define SCRATCH                                                                                                        \
  wnn_operand *result = NULL;                                                                                          \
  wnn_error error = {0}

static wnn_desc shape(uint32_t rank, const uint32_t *dims) {
  wnn_desc desc = {WNN_FLOAT32, rank, {0}};
  memcpy(desc.shape, dims, rank * sizeof *dims);
  return desc;
}
#define SHAPE(...) shape(sizeof((uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t), (const uint32_t[]){__VA_ARGS__})

/* Values in [-scale/2, scale/2), the sequence that belongs to the number of the weight. */
static wnn_operand *weight(net *n, wnn_desc desc, double scale) {
  SCRATCH;
  const size_t count = (size_t)wnn_desc_elements(&desc);
  float *data = malloc(count * sizeof *data);
  if (!data) bench_die("no memory");
  uint32_t state = (n->weights++ + 1) * 0x9e3779b1u + 12345;
  for (size_t i = 0; i < count; i++) {
    state = state * 1664525u + 1013904223u;
    data[i] = ((float)(state >> 8) / 16777216.0f - 0.5f) * (float)scale;
  }
  /* The library frees the data once it has packed them. */
  return MAKE(wnn_builder_constant_borrowed, &desc, data, count * sizeof *data, free, data);
}

static wnn_operand *input(net *n, const char *name, wnn_desc desc) {
  SCRATCH;
  return MAKE(wnn_builder_input, name, &desc);
}

/* ---- Images ---- */

typedef enum activation { NONE, RELU, RELU6 } activation;

static void activate(net *n, activation kind) {
  SCRATCH;
  wnn_clamp_options limits = WNN_CLAMP_OPTIONS_INIT;
  limits.min_value = wnn_number_double(0), limits.max_value = wnn_number_double(6);
  if (kind == RELU) n->x = MAKE(wnn_relu, n->x, NULL);
  if (kind == RELU6) n->x = MAKE(wnn_clamp, n->x, &limits);
}

static void conv_padded(net *n, uint32_t out, uint32_t kernel, uint32_t stride, uint32_t groups, uint32_t pad,
                        activation kind) {
  SCRATCH;
  const uint32_t inner = n->channels / groups;
  wnn_operand *filter = weight(n, SHAPE(out, inner, kernel, kernel), sqrt(24.0 / (inner * kernel * kernel)));
  wnn_conv2d_options options = WNN_CONV2D_OPTIONS_INIT;
  options.bias = weight(n, SHAPE(out), 0.1);
  options.groups = groups;
  options.strides = WNN_U32(stride, stride);
  options.padding = WNN_U32(pad, pad, pad, pad);
  n->x = MAKE(wnn_conv2d, n->x, filter, &options);
  n->channels = out, n->size = (n->size + 2 * pad - kernel) / stride + 1;
  activate(n, kind);
}

static void conv(net *n, uint32_t out, uint32_t kernel, uint32_t stride, activation kind) {
  conv_padded(n, out, kernel, stride, 1, (kernel - 1) / 2, kind);
}

static void max_pool(net *n, uint32_t kernel, uint32_t stride, uint32_t pad) {
  SCRATCH;
  wnn_pool2d_options options = WNN_POOL2D_OPTIONS_INIT;
  options.window_dimensions = WNN_U32(kernel, kernel);
  options.strides = WNN_U32(stride, stride);
  options.padding = WNN_U32(pad, pad, pad, pad);
  n->x = MAKE(wnn_max_pool2d, n->x, &options);
  n->size = (n->size + 2 * pad - kernel) / stride + 1;
}

/* The mean of each channel, as a row. */
static void pool_all(net *n) {
  SCRATCH;
  n->x = MAKE(wnn_average_pool2d, n->x, NULL);
  n->x = MAKE(wnn_reshape, n->x, WNN_U32(1, n->channels), NULL);
}

static void classes(net *n, uint32_t count) {
  SCRATCH;
  pool_all(n);
  wnn_gemm_options options = WNN_GEMM_OPTIONS_INIT;
  wnn_operand *matrix = weight(n, SHAPE(count, n->channels), 0.1);
  options.c = weight(n, SHAPE(count), 1);
  options.b_transpose = true;
  n->x = MAKE(wnn_gemm, n->x, matrix, &options);
}

static void add(net *n, wnn_operand *other) {
  SCRATCH;
  n->x = MAKE(wnn_add, n->x, other, NULL);
}

static void image(net *n) { n->channels = 3, n->size = 224, n->x = input(n, "x0", SHAPE(1, 3, 224, 224)); }

static void mobilenetv2(net *n) {
  static const uint32_t stages[][4] = {{1, 16, 1, 1}, {6, 24, 2, 2},  {6, 32, 3, 2}, {6, 64, 4, 2},
                                       {6, 96, 3, 1}, {6, 160, 3, 2}, {6, 320, 1, 1}};
  image(n);
  conv(n, 32, 3, 2, RELU6);
  for (size_t s = 0; s < sizeof stages / sizeof *stages; s++) {
    for (uint32_t i = 0; i < stages[s][2]; i++) {
      const net from = *n;
      const uint32_t stride = i ? 1 : stages[s][3], hidden = from.channels * stages[s][0];
      if (stages[s][0] > 1) conv(n, hidden, 1, 1, RELU6);
      conv_padded(n, hidden, 3, stride, hidden, 1, RELU6);
      conv(n, stages[s][1], 1, 1, NONE);
      if (stride == 1 && from.channels == n->channels) add(n, from.x);
    }
  }
  conv(n, 1280, 1, 1, RELU6);
  classes(n, 1000);
}

static void resnet50(net *n) {
  static const uint32_t stages[][3] = {{64, 3, 1}, {128, 4, 2}, {256, 6, 2}, {512, 3, 2}};
  image(n);
  conv(n, 64, 7, 2, RELU);
  max_pool(n, 3, 2, 1);
  for (size_t s = 0; s < sizeof stages / sizeof *stages; s++) {
    const uint32_t width = stages[s][0];
    for (uint32_t i = 0; i < stages[s][1]; i++) {
      net skip = *n;
      const uint32_t stride = i ? 1 : stages[s][2];
      conv(n, width, 1, 1, RELU);
      conv(n, width, 3, stride, RELU);
      conv(n, 4 * width, 1, 1, NONE);
      skip.weights = n->weights;
      if (!i) conv(&skip, 4 * width, 1, stride, NONE);
      n->weights = skip.weights;
      add(n, skip.x);
      activate(n, RELU);
    }
  }
  classes(n, 1000);
}

static void fire(net *n, uint32_t squeeze, uint32_t expand) {
  SCRATCH;
  conv(n, squeeze, 1, 1, RELU);
  net three = *n;
  conv(n, expand, 1, 1, RELU);
  three.weights = n->weights;
  conv(&three, expand, 3, 1, RELU);
  wnn_operand *parts[] = {n->x, three.x};
  n->x = MAKE(wnn_concat, parts, 2, 1, NULL);
  n->channels = 2 * expand, n->weights = three.weights;
}

static void squeezenet(net *n) {
  image(n);
  conv_padded(n, 64, 3, 2, 1, 0, RELU);
  max_pool(n, 3, 2, 0), fire(n, 16, 64), fire(n, 16, 64);
  max_pool(n, 3, 2, 0), fire(n, 32, 128), fire(n, 32, 128);
  max_pool(n, 3, 2, 0), fire(n, 48, 192), fire(n, 48, 192), fire(n, 64, 256), fire(n, 64, 256);
  conv(n, 1000, 1, 1, RELU);
  pool_all(n);
}

/* ---- Encoders ---- */

static wnn_operand *linear(net *n, wnn_operand *x, uint32_t from, uint32_t to) {
  SCRATCH;
  wnn_operand *product = MAKE(wnn_matmul, x, weight(n, SHAPE(from, to), sqrt(12.0 / from)), NULL);
  return MAKE(wnn_add, product, weight(n, SHAPE(to), 0.1), NULL);
}

static wnn_operand *heads(net *n, wnn_operand *x, uint32_t sequence, uint32_t count, uint32_t depth, bool transposed) {
  SCRATCH;
  wnn_transpose_options options = WNN_TRANSPOSE_OPTIONS_INIT;
  options.permutation = transposed ? WNN_U32(0, 2, 3, 1) : WNN_U32(0, 2, 1, 3);
  wnn_operand *parts = MAKE(wnn_reshape, x, WNN_U32(1, sequence, count, depth), NULL);
  return MAKE(wnn_transpose, parts, &options);
}

static wnn_operand *normalize(net *n, wnn_operand *x, uint32_t hidden) {
  SCRATCH;
  wnn_layer_normalization_options options = WNN_LAYER_NORMALIZATION_OPTIONS_INIT;
  options.axes = WNN_U32(2);
  options.bias = weight(n, SHAPE(hidden), 0.1);
  options.epsilon = 1e-12;
  return MAKE(wnn_layer_normalization, x, &options);
}

static void encoder(net *n, uint32_t layers, uint32_t hidden, uint32_t count, uint32_t sequence) {
  SCRATCH;
  const uint32_t depth = hidden / count;
  n->x = input(n, "x0", SHAPE(1, sequence, hidden));
  wnn_operand *mask = input(n, "x1", SHAPE(1, 1, 1, sequence));
  const float root = (float)sqrt(depth);
  wnn_operand *scale = MAKE(wnn_builder_constant_number, WNN_FLOAT32, wnn_number_double((double)root));
  wnn_transpose_options back = WNN_TRANSPOSE_OPTIONS_INIT;
  back.permutation = WNN_U32(0, 2, 1, 3);
  for (uint32_t layer = 0; layer < layers; layer++) {
    wnn_operand *query = heads(n, linear(n, n->x, hidden, hidden), sequence, count, depth, false);
    wnn_operand *key = heads(n, linear(n, n->x, hidden, hidden), sequence, count, depth, true);
    wnn_operand *value = heads(n, linear(n, n->x, hidden, hidden), sequence, count, depth, false);
    wnn_operand *scores = MAKE(wnn_matmul, query, key, NULL);
    scores = MAKE(wnn_div, scores, scale, NULL);
    scores = MAKE(wnn_add, scores, mask, NULL);
    scores = MAKE(wnn_softmax, scores, 3, NULL);
    wnn_operand *context = MAKE(wnn_matmul, scores, value, NULL);
    context = MAKE(wnn_transpose, context, &back);
    context = MAKE(wnn_reshape, context, WNN_U32(1, sequence, hidden), NULL);
    wnn_operand *sum = MAKE(wnn_add, linear(n, context, hidden, hidden), n->x, NULL);
    n->x = normalize(n, sum, hidden);
    wnn_operand *inner = MAKE(wnn_gelu, linear(n, n->x, hidden, 4 * hidden), NULL);
    sum = MAKE(wnn_add, linear(n, inner, 4 * hidden, hidden), n->x, NULL);
    n->x = normalize(n, sum, hidden);
  }
}

static void minilm(net *n) { encoder(n, 6, 384, 12, 128); }
static void bert(net *n) { encoder(n, 12, 768, 12, 128); }

wnn_operand *bench_network(const char *name, wnn_builder *builder) {
  static const struct {
    const char *name;
    void (*make)(net *n);
  } networks[] = {{"mobilenetv2", mobilenetv2},
                  {"squeezenet1.1", squeezenet},
                  {"resnet50", resnet50},
                  {"minilm", minilm},
                  {"bert", bert}};
  net n = {.builder = builder};
  for (size_t i = 0; i < sizeof networks / sizeof *networks; i++) {
    if (strcmp(networks[i].name, name)) continue;
    networks[i].make(&n);
    return n.x;
  }
  bench_die("no network %s", name);
}
