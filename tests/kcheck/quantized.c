/* Products of dequantized 8-bit tensors against the reference kernels, at every set of processor features. The products
 * are done in integers: results must agree as closely as float32 allows. KCHECK_SEED repeats one case. */
#include <inttypes.h>
#include <math.h>

#include "support/test.h"

static uint64_t seed;
static uint32_t pick(uint32_t low, uint32_t high) { return low + (uint32_t)(test_random(&seed) % (high - low + 1)); }
static bool chance(uint32_t one_in) { return pick(1, one_in) == 1; }

static wnn_builder *builder;
static wnn_error error;

/* Numbers of a constant: any of -1 to 1 or any bytes; positive; bytes in the middle, where a zero point costs no weight
 * its place in int8; at most 64 from there, so that pairs of products fit int16. */
typedef enum filling { ANY, SCALES, MIDDLE, NEAR } filling;

static wnn_operand *constant(wnn_data_type type, uint32_t rank, const uint32_t *shape, filling how) {
  wnn_desc desc = {.data_type = type, .rank = rank};
  memcpy(desc.shape, shape, rank * sizeof *shape);
  size_t count = (size_t)wnn_desc_elements(&desc), size = (size_t)wnn_desc_bytes(&desc);
  unsigned char *data = malloc(size);
  for (size_t i = 0; i < count; i++) {
    float value = (float)test_uniform(&seed, how == SCALES ? 0.01 : -1, 1);
    if (type == WNN_FLOAT32)
      memcpy(data + i * sizeof value, &value, sizeof value);
    else
      data[i] = (unsigned char)((how == MIDDLE ? 0
                                 : how == NEAR ? pick(0, 128) - 64
                                               : test_random(&seed)) +
                                (how != ANY && type == WNN_UINT8 ? 128 : 0));
  }
  wnn_operand *operand = NULL;
  CHECK_OK(wnn_builder_constant(builder, &desc, data, size, &operand, &error), error);
  free(data);
  return operand;
}

static wnn_operand *weights(uint32_t rank, const uint32_t *shape) {
  return constant(chance(2) ? WNN_INT8 : WNN_UINT8, rank, shape, chance(2) ? NEAR : ANY);
}

/* x with one scale and zero point, or one along a dimension. */
static wnn_operand *dequantize(wnn_operand *x, int axis) {
  const wnn_desc *desc = wnn_operand_desc(x);
  uint32_t shape[WNN_MAX_RANK];
  for (uint32_t i = 0; i < desc->rank; i++) shape[i] = (int)i == axis ? desc->shape[i] : 1;
  wnn_operand *y = NULL;
  CHECK_OK(wnn_dequantize_linear(builder, x, constant(WNN_FLOAT32, desc->rank, shape, SCALES),
                                 constant(desc->data_type, desc->rank, shape, chance(2) ? MIDDLE : ANY), NULL, &y,
                                 &error),
           error);
  return y;
}

static wnn_operand *make_conv(wnn_operand *x) {
  const uint32_t *s = wnn_operand_desc(x)->shape;
  static const uint32_t orders[][4] = {{0, 1, 2, 3}, {2, 3, 1, 0}, {0, 2, 3, 1}, {1, 2, 3, 0}};
  wnn_conv2d_options options = WNN_CONV2D_OPTIONS_INIT;
  options.input_layout = chance(2) ? WNN_INPUT_LAYOUT_NHWC : WNN_INPUT_LAYOUT_NCHW;
  options.filter_layout = (wnn_conv2d_filter_layout)pick(0, 3);
  uint32_t channels = s[options.input_layout == WNN_INPUT_LAYOUT_NHWC ? 3 : 1];
  uint32_t natural[] = {pick(1, 40), channels, pick(1, 3), pick(1, 3)}, shape[4];
  /* Depthwise, or some groups. */
  options.groups = chance(3) ? channels : channels % 2 == 0 && chance(3) ? 2 : 1;
  if (options.groups > 1) {
    natural[0] = options.groups * (chance(2) ? 1 : pick(1, 3));
    natural[1] = channels / options.groups;
  }
  for (int i = 0; i < 4; i++) shape[i] = natural[orders[options.filter_layout][i]];
  const uint32_t padding[] = {pick(0, 2), pick(0, 1), pick(0, 2), pick(1, 2)}, strides[] = {pick(1, 2), pick(1, 2)};
  options.padding = (wnn_u32_list){padding, 4};
  options.strides = (wnn_u32_list){strides, 2};
  if (chance(2)) options.bias = constant(WNN_FLOAT32, 1, natural, ANY);
  wnn_operand *w = weights(4, shape), *y = NULL;
  bool outputs_first = shape[0] == natural[0] && (options.filter_layout == 0 || options.filter_layout == 2);
  if (wnn_conv2d(builder, x, dequantize(w, chance(2) ? (outputs_first ? 0 : 3) : -1), &options, &y, &error))
    return NULL;
  return y;
}

/* gemm as exporters write it: weights transposed, a bias. */
static wnn_operand *make_gemm(wnn_operand *x) {
  const wnn_desc *desc = wnn_operand_desc(x);
  const uint32_t flat[] = {desc->shape[0] * desc->shape[1] * desc->shape[2], desc->shape[3]};
  wnn_gemm_options options = WNN_GEMM_OPTIONS_INIT;
  options.b_transpose = chance(2);
  uint32_t columns = pick(1, 70),
           shape[] = {options.b_transpose ? columns : flat[1], options.b_transpose ? flat[1] : columns};
  if (chance(2)) options.c = constant(WNN_FLOAT32, 1, &columns, ANY);
  wnn_operand *w = weights(2, shape), *y = NULL;
  CHECK_OK(wnn_reshape(builder, x, (wnn_u32_list){flat, 2}, NULL, &y, &error), error);
  CHECK_OK(wnn_gemm(builder, y, dequantize(w, chance(2) ? !options.b_transpose : -1), &options, &y, &error), error);
  return y;
}

static wnn_operand *make_matmul(wnn_operand *x) {
  const wnn_desc *desc = wnn_operand_desc(x);
  uint32_t shape[] = {desc->shape[desc->rank - 1], pick(1, 70)};
  wnn_operand *w = weights(2, shape), *y = NULL;
  CHECK_OK(wnn_matmul(builder, x, dequantize(w, chance(2) ? 1 : -1), NULL, &y, &error), error);
  if (chance(2)) CHECK_OK(wnn_add(builder, y, constant(WNN_FLOAT32, 1, shape + 1, ANY), NULL, &y, &error), error);
  return y;
}

/* To bytes; the scale takes in about what comes out of the products. */
static wnn_operand *requantize(wnn_operand *y) {
  const wnn_desc *desc = wnn_operand_desc(y);
  wnn_desc scale = {.data_type = WNN_FLOAT32, .rank = desc->rank}, zero = scale;
  for (uint32_t i = 0; i < desc->rank; i++) scale.shape[i] = zero.shape[i] = 1;
  zero.data_type = chance(2) ? WNN_UINT8 : WNN_INT8;
  float number = (float)test_uniform(&seed, 20, 300);
  uint8_t byte = (uint8_t)test_random(&seed);
  wnn_operand *s = NULL, *z = NULL;
  CHECK_OK(wnn_builder_constant(builder, &scale, &number, sizeof number, &s, &error), error);
  CHECK_OK(wnn_builder_constant(builder, &zero, &byte, 1, &z, &error), error);
  CHECK_OK(wnn_quantize_linear(builder, y, s, z, NULL, &y, &error), error);
  return y;
}

/* Results as floats; of bytes if *bytes. */
static float *run(uint64_t from, const wnn_context_options *options, size_t *count, bool *integers, bool *bytes) {
  seed = from * UINT64_C(0x9E3779B97F4A7C15) + 1;
  wnn_context *context = NULL;
  wnn_graph *graph = NULL;
  CHECK_OK(wnn_context_create(options, &context, &error), error);
  CHECK_OK(wnn_builder_create(context, &builder, &error), error);
  wnn_desc desc = {.data_type = chance(2) ? WNN_UINT8 : WNN_INT8,
                   .rank = 4,
                   .shape = {pick(1, 2), pick(1, 12), pick(1, 12), chance(4) ? pick(60, 140) : pick(1, 40)}};
  wnn_operand *x = NULL, *y;
  CHECK_OK(wnn_builder_input(builder, "x", &desc, &x, &error), error);
  x = dequantize(x, -1);
  /* What moves elements, or picks the largest, does so as bytes. */
  wnn_pool2d_options pooling = WNN_POOL2D_OPTIONS_INIT;
  const uint32_t two[] = {pick(1, 2), pick(1, 2)}, order[] = {0, 2, 1, 3};
  wnn_transpose_options transposing = WNN_TRANSPOSE_OPTIONS_INIT;
  pooling.window_dimensions = (wnn_u32_list){two, 2};
  pooling.layout = chance(2) ? WNN_INPUT_LAYOUT_NHWC : WNN_INPUT_LAYOUT_NCHW;
  transposing.permutation = (wnn_u32_list){order, 4};
  if (chance(4) && desc.shape[1] > 1 && desc.shape[2] > 1 && desc.shape[3] > 1)
    CHECK_OK(wnn_max_pool2d(builder, x, &pooling, &x, &error), error);
  if (chance(4)) CHECK_OK(wnn_transpose(builder, x, &transposing, &x, &error), error);
  y = from % 2 ? make_conv(x) : from % 4 ? make_gemm(x) : make_matmul(x);
  float *result = NULL;
  if (y) {
    if (chance(2)) CHECK_OK(wnn_relu(builder, y, NULL, &y, &error), error);
    *bytes = chance(2);
    if (*bytes) y = requantize(y);
    wnn_named_operand output = {"y", y};
    CHECK_OK(wnn_builder_build(builder, &output, 1, &graph, &error), error);
    wnn_named_tensor in = {.name = "x"}, out = {.name = "y"};
    const wnn_desc *shape = wnn_graph_output_desc(graph, 0);
    CHECK_OK(wnn_context_create_tensor(context, &desc, WNN_TENSOR_WRITABLE, &in.tensor, &error), error);
    CHECK_OK(wnn_context_create_tensor(context, shape, WNN_TENSOR_READABLE, &out.tensor, &error), error);
    size_t size = (size_t)wnn_desc_bytes(&desc);
    unsigned char *data = malloc(size);
    for (size_t i = 0; i < size; i++) data[i] = (unsigned char)test_random(&seed);
    CHECK_OK(wnn_context_write_tensor(context, in.tensor, data, size, &error), error);
    free(data);
    CHECK_OK(wnn_context_dispatch(context, graph, &in, 1, &out, 1, &error), error);
    *count = (size_t)wnn_desc_elements(shape);
    result = malloc(*count * sizeof *result);
    unsigned char *read = malloc(*count);
    if (*bytes) {
      CHECK_OK(wnn_context_read_tensor(context, out.tensor, read, *count, &error), error);
      for (size_t i = 0; i < *count; i++)
        result[i] = shape->data_type == WNN_INT8 ? (float)(int8_t)read[i] : (float)read[i];
    } else {
      CHECK_OK(wnn_context_read_tensor(context, out.tensor, result, *count * sizeof *result, &error), error);
    }
    free(read);
    wnn_step_info step;
    for (size_t i = 0; wnn_graph_step(graph, i, &step); i++)
      *integers |= !strcmp(step.kernel, "q_product") || !strcmp(step.kernel, "q_depthwise");
    wnn_tensor_release(in.tensor);
    wnn_tensor_release(out.tensor);
  }
  wnn_graph_release(graph);
  wnn_builder_release(builder);
  wnn_context_release(context);
  return result;
}

enum { SETS = 6 };

static void products(void) {
  const char *given = getenv("KCHECK_SEED");
  unsigned done = 0, in_integers = 0;
  for (uint64_t from = given ? strtoull(given, NULL, 0) : 1; done < 200 && from < 1000; from++) {
    wnn_context_options options = WNN_CONTEXT_OPTIONS_INIT;
    options.reference = true;
    options.threads = 1;
    size_t count = 0, again = 0;
    bool integers = false, bytes = false;
    float *expected = run(from, &options, &count, &integers, &bytes);
    if (!expected) continue;
    done++;
    options.reference = false;
    const uint64_t masks[SETS] = {
        0,         WNN_CPU_AVX2, WNN_CPU_AVX2 | WNN_CPU_AVXVNNI, WNN_CPU_AVX2 | WNN_CPU_AVX512, ~(uint64_t)WNN_CPU_AMX,
        UINT64_MAX};
    for (size_t m = 0; m < SETS; m++) {
      options.cpu_features = masks[m];
      integers = false;
      float *actual = run(from, &options, &again, &integers, &bytes);
      float scale = 0, worst = 0;
      size_t apart = 0; /* bytes that differ by one: floats of the reference kernels that fall beside a half */
      for (size_t i = 0; actual && i < count; i++) {
        if (bytes && fabsf(actual[i] - expected[i]) == 1) {
          apart++;
          continue;
        }
        scale = fmaxf(scale, fabsf(expected[i]));
        worst = fmaxf(worst, fabsf(actual[i] - expected[i]));
      }
      CHECK_MSG(actual && again == count && worst <= (bytes ? 0 : 1e-5f * scale + 1e-6f) && apart <= 1 + count / 500,
                "seed %" PRIu64 ", mask %" PRIx64 ": off by %g of %g", from, masks[m], (double)worst, (double)scale);
      in_integers += integers;
      free(actual);
    }
    free(expected);
    if (given) break;
  }
  CHECK(given || done == 200);
  CHECK_MSG(given || in_integers == SETS * done, "%u of %u products were done in integers", in_integers, SETS * done);
}

int main(int argc, char **argv) {
  test_begin(argc, argv);
  TEST(products);
  return test_end();
}
