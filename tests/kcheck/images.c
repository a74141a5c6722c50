/* Random image networks, in which fusion and channels-last rewriting have much to do, against the reference kernels:
 * with all passes, and with each of them switched off. KCHECK_SEED repeats one network. */
#include <inttypes.h>
#include <math.h>

#include "support/test.h"

static uint64_t seed;
static uint32_t pick(uint32_t low, uint32_t high) { return low + (uint32_t)(test_random(&seed) % (high - low + 1)); }
static bool chance(uint32_t one_in) { return pick(1, one_in) == 1; }

static wnn_builder *builder;
static wnn_error error;
static bool refused; /* an operation did not take its operands: the network is given up */

static void accept(wnn_status status) { refused |= status != WNN_OK; }

static wnn_operand *constant(uint32_t rank, const uint32_t *shape, float scale, float offset) {
  wnn_desc desc = {.data_type = WNN_FLOAT32, .rank = rank};
  memcpy(desc.shape, shape, rank * sizeof *shape);
  size_t count = (size_t)wnn_desc_elements(&desc);
  float *data = malloc(count * sizeof *data);
  for (size_t i = 0; i < count; i++) data[i] = offset + scale * (float)test_uniform(&seed, -1, 1);
  wnn_operand *operand = NULL;
  accept(wnn_builder_constant(builder, &desc, data, count * sizeof *data, &operand, &error));
  free(data);
  return operand;
}

static const uint32_t *shape_of(wnn_operand *x) { return wnn_operand_desc(x)->shape; }

static wnn_operand *convolve(wnn_operand *x) {
  const uint32_t *s = shape_of(x);
  uint32_t channels = s[1], side = chance(2) ? 3 : 1, pad = side / 2, stride = chance(4) ? 2 : 1;
  bool depthwise = channels > 1 && chance(3);
  uint32_t outputs = depthwise ? channels : pick(1, chance(3) ? 40 : 12),
           filter[] = {outputs, depthwise ? 1 : channels, side, side};
  wnn_conv2d_options options = WNN_CONV2D_OPTIONS_INIT;
  const uint32_t padding[] = {pad, pad, pad, pad}, strides[] = {stride, stride};
  options.padding = (wnn_u32_list){padding, 4};
  options.strides = (wnn_u32_list){strides, 2};
  options.groups = depthwise ? channels : 1;
  if (chance(2)) options.bias = constant(1, &outputs, 1, 0);
  wnn_operand *y = NULL;
  accept(wnn_conv2d(builder, x, constant(4, filter, 2.0f / (float)(filter[1] * side), 0), &options, &y, &error));
  if (!refused && chance(3)) {
    wnn_batch_normalization_options norm = WNN_BATCH_NORMALIZATION_OPTIONS_INIT;
    if (chance(2)) norm.scale = constant(1, &outputs, 1, 1);
    if (chance(2)) norm.bias = constant(1, &outputs, 1, 0);
    accept(wnn_batch_normalization(builder, y, constant(1, &outputs, 1, 0), constant(1, &outputs, 0.4f, 1), &norm, &y,
                                   &error));
  }
  return y;
}

/* Another operand that broadcasts with x: a number, a value a channel, or a picture like x. */
static wnn_operand *companion(wnn_operand *x, wnn_operand *const *values, size_t count) {
  const uint32_t *s = shape_of(x);
  uint32_t shapes[][4] = {{1, 1, 1, 1}, {1, s[1], 1, 1}, {1, 1, s[2], s[3]}, {s[0], s[1], s[2], s[3]}};
  size_t at = pick(0, (uint32_t)count - 1);
  if (wnn_operand_desc(values[at])->rank == 4 && !memcmp(shape_of(values[at]), s, 4 * sizeof *s)) return values[at];
  uint32_t which = pick(0, 4);
  if (which == 4) return constant(3, shapes[1] + 1, 1, 0);
  return constant(4, shapes[which], 1, 0);
}

static wnn_operand *grow(wnn_operand *x, wnn_operand *const *values, size_t count) {
  const uint32_t *s = shape_of(x);
  uint32_t h = s[2], w = s[3];
  wnn_operand *y = NULL;
  switch (pick(0, 15)) {
  case 0: accept(wnn_relu(builder, x, NULL, &y, &error)); break;
  case 1: {
    wnn_clamp_options options = WNN_CLAMP_OPTIONS_INIT;
    options.min_value = wnn_number_double(-0.5);
    if (chance(2)) options.max_value = wnn_number_double(0.75);
    accept(wnn_clamp(builder, x, &options, &y, &error));
    break;
  }
  case 2: accept(wnn_add(builder, x, companion(x, values, count), NULL, &y, &error)); break;
  case 3: accept(wnn_mul(builder, companion(x, values, count), x, NULL, &y, &error)); break;
  case 4: accept(wnn_sigmoid(builder, x, NULL, &y, &error)); break;
  case 5: {
    wnn_operand *parts[] = {x, companion(x, values, count)};
    accept(wnn_concat(builder, parts, 2, pick(1, 3), NULL, &y, &error));
    if (refused) refused = false, y = x;
    break;
  }
  case 6: {
    wnn_pool2d_options options = WNN_POOL2D_OPTIONS_INIT;
    const uint32_t window[] = {2, 2}, padding[] = {0, 1, 1, 0};
    options.window_dimensions = (wnn_u32_list){window, 2};
    if (chance(2)) options.padding = (wnn_u32_list){padding, 4};
    if (chance(2)) options.strides = (wnn_u32_list){window, 2};
    if (h < 2 || w < 2) return x;
    accept((chance(2) ? wnn_max_pool2d : wnn_average_pool2d)(builder, x, &options, &y, &error));
    break;
  }
  case 7: {
    const uint32_t before[] = {0, pick(0, 1), pick(0, 2), pick(0, 2)}, after[] = {0, 0, pick(0, 2), pick(0, 1)};
    accept(wnn_pad(builder, x, (wnn_u32_list){before, 4}, (wnn_u32_list){after, 4}, NULL, &y, &error));
    break;
  }
  case 8: {
    wnn_reduce_options options = WNN_REDUCE_OPTIONS_INIT;
    const uint32_t axes[] = {2, 3};
    options.axes = (wnn_u32_list){axes, 2};
    options.keep_dimensions = true;
    accept(wnn_reduce_mean(builder, x, &options, &y, &error));
    if (!refused) accept(wnn_sub(builder, x, y, NULL, &y, &error));
    break;
  }
  case 9: {
    const uint32_t starts[] = {0, 0, pick(0, h - 1), 0}, sizes[] = {s[0], (s[1] + 1) / 2, h - starts[2], w};
    accept(wnn_slice(builder, x, (wnn_u32_list){starts, 4}, (wnn_u32_list){sizes, 4}, NULL, &y, &error));
    break;
  }
  case 10: {
    wnn_resample2d_options options = WNN_RESAMPLE2D_OPTIONS_INIT;
    const uint32_t sizes[] = {pick(1, 12), pick(1, 12)}, axes[] = {2, 3};
    options.sizes = (wnn_u32_list){sizes, 2};
    options.axes = (wnn_u32_list){axes, 2};
    options.mode = chance(2) ? WNN_INTERPOLATION_MODE_LINEAR : WNN_INTERPOLATION_MODE_NEAREST_NEIGHBOR;
    accept(wnn_resample2d(builder, x, &options, &y, &error));
    break;
  }
  case 11: accept(wnn_softmax(builder, x, pick(1, 3), NULL, &y, &error)); break;
  case 12: {
    wnn_transpose_options options = WNN_TRANSPOSE_OPTIONS_INIT;
    static const uint32_t orders[][4] = {{0, 2, 3, 1}, {0, 3, 1, 2}, {0, 1, 3, 2}};
    options.permutation = (wnn_u32_list){orders[pick(0, 2)], 4};
    accept(wnn_transpose(builder, x, &options, &y, &error));
    break;
  }
  default: y = convolve(x);
  }
  return y;
}

/* The network of `from`; returns the outputs one after the other, NULL when it was given up. */
static float *run(uint64_t from, const wnn_context_options *options, size_t *total) {
  seed = from * UINT64_C(0x9E3779B97F4A7C15) + 1;
  refused = false;
  wnn_context *context = NULL;
  wnn_graph *graph = NULL;
  accept(wnn_context_create(options, &context, &error));
  accept(wnn_builder_create(context, &builder, &error));
  wnn_desc desc = {.data_type = WNN_FLOAT32, .rank = 4, .shape = {pick(1, 2), pick(1, 6), pick(3, 12), pick(3, 12)}};
  wnn_operand *values[20] = {0};
  accept(wnn_builder_input(builder, "x", &desc, &values[0], &error));
  size_t count = 1, wanted = pick(3, 18);
  while (!refused && count < wanted) {
    values[count] = grow(values[chance(3) ? pick(0, (uint32_t)count - 1) : count - 1], values, count);
    if (values[count] && wnn_desc_elements(wnn_operand_desc(values[count])) < 20000) count++;
  }
  /* The last value, and one in the middle that has other users too. */
  wnn_named_operand outputs[2] = {{"a", values[count - 1]}, {"b", values[count / 2]}};
  size_t output_count = count > 3 && chance(2) ? 2 : 1;
  float *result = NULL;
  if (!refused && values[count - 1] != values[0] && (output_count == 1 || values[count / 2] != values[0]))
    if (!wnn_builder_build(builder, outputs, output_count, &graph, &error)) {
      wnn_named_tensor in = {.name = "x"}, out[2];
      accept(wnn_context_create_tensor(context, &desc, WNN_TENSOR_WRITABLE, &in.tensor, &error));
      size_t size = (size_t)wnn_desc_bytes(&desc), at = 0;
      float *data = malloc(size);
      for (size_t i = 0; i < size / sizeof *data; i++) data[i] = (float)test_uniform(&seed, -1, 1);
      accept(wnn_context_write_tensor(context, in.tensor, data, size, &error));
      free(data);
      *total = 0;
      for (size_t i = 0; i < output_count; i++) {
        const wnn_desc *d = wnn_graph_output_desc(graph, i);
        out[i].name = wnn_graph_output_name(graph, i);
        *total += (size_t)wnn_desc_elements(d);
        accept(wnn_context_create_tensor(context, d, WNN_TENSOR_READABLE, &out[i].tensor, &error));
      }
      accept(wnn_context_dispatch(context, graph, wnn_graph_input_count(graph) ? &in : NULL,
                                  wnn_graph_input_count(graph), out, output_count, &error));
      result = malloc(*total * sizeof *result);
      for (size_t i = 0; i < output_count; i++) {
        size_t bytes = (size_t)wnn_desc_bytes(wnn_tensor_desc(out[i].tensor));
        accept(wnn_context_read_tensor(context, out[i].tensor, result + at, bytes, &error));
        at += bytes / sizeof *result;
        wnn_tensor_release(out[i].tensor);
      }
      wnn_tensor_release(in.tensor);
      CHECK_MSG(!refused, "seed %" PRIu64 ": %s", from, error.message);
    }
  wnn_graph_release(graph);
  wnn_builder_release(builder);
  wnn_context_release(context);
  return result;
}

static void networks(void) {
  const char *given = getenv("KCHECK_SEED");
  unsigned done = 0;
  for (uint64_t from = given ? strtoull(given, NULL, 0) : 1; done < 150 && from < 2000; from++) {
    wnn_context_options options = WNN_CONTEXT_OPTIONS_INIT;
    options.threads = 1;
    options.reference = true;
    size_t total, again;
    float *expected = run(from, &options, &total);
    if (!expected) continue;
    done++;
    options.reference = false;
    const uint64_t features = options.cpu_features;
    static const uint64_t disabled[] = {0,         WNN_PASS_FUSE, WNN_PASS_LAYOUT, WNN_PASS_WINOGRAD, WNN_PASS_INPLACE,
                                        UINT64_MAX};
    for (size_t d = 0; d < sizeof disabled / sizeof disabled[0]; d++) {
      options.disabled_passes = disabled[d];
      options.threads = 1 + (uint32_t)(d & 1);
      options.cpu_features = d % 3 == 2 ? 0 : features; /* 0: the instructions that every processor has */
      float *actual = run(from, &options, &again);
      CHECK_MSG(actual && again == total, "seed %" PRIu64 " without passes %" PRIx64 ": no result", from, disabled[d]);
      float worst = 0, scale = 1;
      for (size_t i = 0; actual && i < total; i++) {
        if (isnan(expected[i]) && isnan(actual[i])) continue;
        float difference = fabsf(actual[i] - expected[i]);
        if (!(difference <= worst)) worst = difference;
        if (fabsf(expected[i]) > scale) scale = fabsf(expected[i]);
      }
      CHECK_MSG(worst <= 2e-5f * scale, "seed %" PRIu64 " without passes %" PRIx64 ": off by %g of %g", from,
                disabled[d], (double)worst, (double)scale);
      free(actual);
    }
    free(expected);
    if (given) break;
  }
  CHECK(given || done == 150);
}

int main(int argc, char **argv) {
  test_begin(argc, argv);
  TEST(networks);
  return test_end();
}
