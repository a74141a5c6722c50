/* Kernels through the public interface: contract, devices, residency, batches, random shapes against float64. */
#include <dlfcn.h>
#include <math.h>
#include <unistd.h>
#include <webnn/webnn_pack.h>

#include "support/folder.h"
#include "support/test.h"

#define NAME "webgpu-kernels/com.microsoft.EmbedLayerNormalization"
static const char shipped[] = WEBNN_SOURCE_DIR "/packs/com.microsoft.EmbedLayerNormalization";
static const char fixtures[] = WEBNN_SOURCE_DIR "/tests/packs/fixtures";

static wnn_device *devices[2]; /* processor, WebGPU or NULL */
static char no_webgpu[512];

static wnn_kernel *load(wnn_device *device, bool strict) {
  wnn_kernel_options options = WNN_KERNEL_OPTIONS_INIT;
  wnn_error error = {0};
  wnn_kernel *kernel = NULL;
  options.device = device;
  options.strict = strict;
  CHECK_OK(wnn_kernel_load(shipped, &options, &kernel, &error), error);
  return kernel;
}

/* ---- The files of cases -------------------------------------------------------------------------------------------
 */

static void on_case(void *user, const wnn_pack_report *report) {
  const char *device = user;
  if (report->skipped)
    test_skipped("%s, %s: %s", device, report->name, report->message);
  else if (report->status != WNN_OK)
    test_failed("%s, %s: %s", device, report->name, report->message);
  else
    test_passed();
}

static void case_files(void) {
  static const char *const names[] = {"cpu", "webgpu"};
  wnn_error error = {0};
  for (int i = 0; i < 2; i++) {
    if (!devices[i]) continue;
    wnn_kernel *kernel = load(devices[i], false);
    REQUIRE(kernel);
    CHECK_OK(wnn_kernel_test(kernel, on_case, (void *)(uintptr_t)names[i], &error), error);
    wnn_kernel_release(kernel);
  }
  if (!devices[1]) return;
  static const char *const packs[] = {"com.example.Scale", "com.example.Product"};
  for (int i = 0; i < 2; i++) {
    char path[4096];
    wnn_kernel_options options = WNN_KERNEL_OPTIONS_INIT;
    wnn_kernel *kernel;
    options.device = devices[1];
    snprintf(path, sizeof path, "%s/%s", fixtures, packs[i]);
    REQUIRE_OK(wnn_kernel_load(path, &options, &kernel, &error), error);
    CHECK_OK(wnn_kernel_test(kernel, on_case, (void *)(uintptr_t)packs[i], &error), error);
    wnn_kernel_release(kernel);
  }
}

/* ---- A call with everything -----------------------------------------------------------------------------------------
 */

typedef struct sample {
  uint32_t batch, sequence, hidden, words, positions, segments;
  bool segment, segment_ids, position_ids, mask, half;
  int32_t *ids, *segments_of, *positions_of, *mask_of;
  float *word, *position, *segment_table, *gamma, *beta;
  uint16_t *halves[5];
  double epsilon;
  wnn_kernel_input inputs[9];
  size_t input_count;
} sample;

static void add(sample *s, const char *name, wnn_pack_type type, uint32_t rank, uint32_t a, uint32_t b,
                const void *data) {
  s->inputs[s->input_count++] = (wnn_kernel_input){.name = name, .desc = {type, rank, {a, b}}, .data = data};
}

static int32_t *random_ids(uint64_t *state, size_t count, uint32_t rows) {
  int32_t *ids = malloc((count ? count : 1) * sizeof *ids);
  for (size_t i = 0; i < count; i++) ids[i] = (int32_t)(test_random(state) % (rows + 2u)) - 1; /* some lie outside */
  return ids;
}

static uint16_t to_half(float f); /* nearest even, for the moderate values that tests use */
static uint16_t to_half(float f) {
  uint32_t bits;
  memcpy(&bits, &f, 4);
  uint32_t sign = bits >> 16 & 0x8000, magnitude = bits & 0x7FFFFFFF;
  if (magnitude < 0x38800000) return (uint16_t)(sign | (uint32_t)lrintf(fabsf(f) * 0x1p24f));
  magnitude += 0xFFF + (magnitude >> 13 & 1);
  return (uint16_t)(sign | ((magnitude - 0x38000000) >> 13));
}
static float from_half(uint16_t h) {
  uint32_t exponent = h >> 10 & 31;
  float value = exponent ? ldexpf((float)(1024 + (h & 1023)), (int)exponent - 25) : ldexpf((float)(h & 1023), -24);
  return h & 0x8000 ? -value : value;
}

/* Values of float16 when half is set, so that float32 and float16 see the same numbers. */
static float *random_table(uint64_t *state, size_t count, float scale, uint16_t **half) {
  float *table = malloc((count ? count : 1) * sizeof *table);
  *half = malloc((count ? count : 1) * sizeof **half);
  for (size_t i = 0; i < count; i++) {
    (*half)[i] = to_half((float)test_uniform(state, -scale, scale));
    table[i] = from_half((*half)[i]);
  }
  return table;
}

static void fill(sample *s, uint64_t *state) {
  size_t tokens = (size_t)s->batch * s->sequence, h = s->hidden;
  s->ids = random_ids(state, tokens, s->words);
  s->segments_of = random_ids(state, tokens, s->segments);
  s->positions_of = random_ids(state, tokens, s->positions);
  s->mask_of = random_ids(state, tokens, 2);
  s->word = random_table(state, s->words * h, 2, &s->halves[0]);
  s->position = random_table(state, s->positions * h, 1, &s->halves[1]);
  s->segment_table = random_table(state, s->segments * h, 1, &s->halves[2]);
  s->gamma = random_table(state, h, 2, &s->halves[3]);
  s->beta = random_table(state, h, 1, &s->halves[4]);
  wnn_pack_type type = s->half ? WNN_PACK_FLOAT16 : WNN_PACK_FLOAT32;
#define TABLE(i, full) (s->half ? (const void *)s->halves[i] : (const void *)(full))
  add(s, "inputIdsT", WNN_PACK_INT32, 2, s->batch, s->sequence, s->ids);
  add(s, "wordEmbeddingT", type, 2, s->words, s->hidden, TABLE(0, s->word));
  add(s, "positionEmbeddingT", type, 2, s->positions, s->hidden, TABLE(1, s->position));
  if (s->segment) add(s, "segmentEmbeddingT", type, 2, s->segments, s->hidden, TABLE(2, s->segment_table));
  if (s->segment_ids) add(s, "segmentIdsT", WNN_PACK_INT32, 2, s->batch, s->sequence, s->segments_of);
  add(s, "gammaT", type, 1, s->hidden, 0, TABLE(3, s->gamma));
  add(s, "betaT", type, 1, s->hidden, 0, TABLE(4, s->beta));
  if (s->mask) add(s, "maskT", WNN_PACK_INT32, 2, s->batch, s->sequence, s->mask_of);
  if (s->position_ids) add(s, "positionIdsT", WNN_PACK_INT32, 2, s->batch, s->sequence, s->positions_of);
#undef TABLE
}

static void clear(sample *s) {
  free(s->ids), free(s->segments_of), free(s->positions_of), free(s->mask_of);
  free(s->word), free(s->position), free(s->segment_table), free(s->gamma), free(s->beta);
  for (int i = 0; i < 5; i++) free(s->halves[i]);
}

static size_t clamped(int32_t id, uint32_t rows) { return id < 0 ? 0 : (uint32_t)id >= rows ? rows - 1 : (size_t)id; }

/* The row of a token: sum as the contract stages it, and the normalized values in double. */
static void reference_row(const sample *s, size_t token, double *sum, double *out) {
  size_t h = s->hidden, p = s->position_ids ? clamped(s->positions_of[token], s->positions) : token % s->sequence;
  const float *word = s->word + clamped(s->ids[token], s->words) * h, *position = s->position + p * h;
  const float *segment =
      s->segment ? s->segment_table + (s->segment_ids ? clamped(s->segments_of[token], s->segments) : 0) * h : NULL;
  double mean = 0, variance = 0;
  for (size_t i = 0; i < h; i++) {
    float x = word[i];
    if (s->half) {
      if (segment) x = from_half(to_half(x + segment[i]));
      x = from_half(to_half(x + position[i]));
    } else {
      x += position[i];
      if (segment) x += segment[i];
    }
    sum[i] = x;
    mean += sum[i];
  }
  mean /= (double)h;
  for (size_t i = 0; i < h; i++) variance += (sum[i] - mean) * (sum[i] - mean);
  double deviation = sqrt(variance / (double)h + s->epsilon);
  for (size_t i = 0; i < h; i++) out[i] = (sum[i] - mean) / deviation * s->gamma[i] + s->beta[i];
}

static double value_at(const wnn_kernel_value *value, size_t i) {
  return value->desc.type == WNN_PACK_FLOAT16 ? from_half(((const uint16_t *)value->data)[i])
                                              : ((const float *)value->data)[i];
}

static void check_sample(const sample *s, const wnn_kernel_result *result, const char *device) {
  const wnn_kernel_value *output = wnn_kernel_result_find(result, "outputT"),
                         *sums = wnn_kernel_result_find(result, "embeddingSumT"),
                         *mask = wnn_kernel_result_find(result, "maskIndexT");
  REQUIRE(output && sums && mask);
  double *sum = malloc(s->hidden * sizeof *sum), *out = malloc(s->hidden * sizeof *out);
  size_t wrong = 0;
  for (size_t token = 0; token < (size_t)s->batch * s->sequence; token++) {
    reference_row(s, token, sum, out);
    for (size_t i = 0; i < s->hidden; i++) {
      size_t at = token * s->hidden + i;
      /* float16: one rounding; float32: an ulp of the largest intermediate for a sum of up to 4096 terms */
      double tolerance = s->half ? 1.0e-3 * fmax(1, fabs(out[i])) : 2e-5 * fmax(1, fabs(out[i]));
      if (fabs(value_at(sums, at) - sum[i]) != 0 || !(fabs(value_at(output, at) - out[i]) <= tolerance)) {
        if (!wrong++)
          CHECK_MSG(false, "%s, %u x %u x %u%s: token %zu, %zu: sum %g not %g, output %g not %g (%s)", device, s->batch,
                    s->sequence, s->hidden, s->half ? " half" : "", token, i, value_at(sums, at), sum[i],
                    value_at(output, at), out[i], wnn_kernel_result_variant(result));
      }
    }
  }
  for (uint32_t b = 0; b < s->batch; b++) {
    int32_t place = 0;
    while (s->mask && place < (int32_t)s->sequence && s->mask_of[b * s->sequence + (uint32_t)place]) place++;
    CHECK_EQ(((const int32_t *)mask->data)[b], s->mask ? place : 0);
  }
  free(sum);
  free(out);
}

static void random_shapes(void) {
  static const uint32_t hidden[] = {1,  2,  3,  4,   5,   7,   8,   15,   16,   17,   31,   33,
                                    63, 64, 65, 100, 127, 257, 768, 1023, 1024, 2048, 3001, 4096};
  static const uint32_t sequence[] = {1, 2, 3, 5, 17, 128, 512};
  uint64_t state = 20;
  wnn_kernel *kernels[2] = {load(devices[0], false), devices[1] ? load(devices[1], false) : NULL};
  wnn_device_info info[2];
  for (int i = 0; i < 2; i++)
    if (devices[i]) wnn_device_get_info(devices[i], &info[i]);
  for (int round = 0; round < 60; round++) {
    sample s = {.batch = 1 + (uint32_t)(test_random(&state) % 4),
                .sequence = sequence[test_random(&state) % 7],
                .hidden = hidden[test_random(&state) % 24]};
    if (round == 0) s.batch = 512, s.sequence = 1, s.hidden = 5;
    if (round == 1) s.batch = 3, s.sequence = 512, s.hidden = 12;
    while ((uint64_t)s.batch * s.sequence * s.hidden > 200000) s.sequence = 1 + s.sequence / 2;
    s.words = 1 + (uint32_t)(test_random(&state) % 50);
    s.segments = 1 + (uint32_t)(test_random(&state) % 3);
    s.segment = test_random(&state) & 1;
    s.segment_ids = s.segment && (test_random(&state) & 1);
    s.position_ids = test_random(&state) & 1;
    s.mask = test_random(&state) & 1;
    s.half = test_random(&state) & 1;
    s.positions =
        s.position_ids ? 1 + (uint32_t)(test_random(&state) % 20) : s.sequence + (uint32_t)(test_random(&state) % 3);
    s.epsilon = s.hidden < 4 ? 0.5 : 1e-5;
    fill(&s, &state);
    const wnn_setting epsilon = {.name = "epsilon", .kind = WNN_SETTING_NUMBER, .number = s.epsilon};
    const wnn_kernel_output outputs[] = {{.name = "maskIndexT"}, {.name = "embeddingSumT"}};
    wnn_kernel_call call = {.inputs = s.inputs,
                            .input_count = s.input_count,
                            .attrs = &epsilon,
                            .attr_count = 1,
                            .outputs = outputs,
                            .output_count = 2};
    for (int i = 0; i < 2; i++) {
      /* shaders of many variants take long to build on a software adapter: a part of the rounds does */
      if (!kernels[i] || (s.half && !info[i].float16) || (i == 1 && round % 3 == 2)) continue;
      wnn_kernel_result *result;
      wnn_error error = {0};
      wnn_status status = wnn_kernel_run(kernels[i], &call, &result, &error);
      CHECK_OK(status, error);
      if (status != WNN_OK) continue;
      check_sample(&s, result, i ? "webgpu" : "cpu");
      wnn_kernel_result_release(result);
    }
    clear(&s);
  }
  wnn_kernel_release(kernels[0]);
  wnn_kernel_release(kernels[1]);
}

/* Every instruction set of the native kernel. */
static void cpu_features(void) {
  static const uint64_t masks[] = {0, WNN_CPU_AVX2, WNN_CPU_AVX2 | WNN_CPU_AVX512};
  for (size_t i = 0; i < sizeof masks / sizeof *masks; i++) {
    wnn_device_options options = WNN_DEVICE_OPTIONS_INIT;
    wnn_error error = {0};
    wnn_device *device;
    options.kind = WNN_DEVICE_CPU;
    options.threads = 1 + (uint32_t)i;
    options.cpu_features = masks[i];
    REQUIRE_OK(wnn_device_create(&options, &device, &error), error);
    wnn_kernel *kernel = load(device, false);
    for (uint32_t hidden = 1; hidden < 80; hidden += 3) {
      uint64_t state = hidden;
      sample s = {.batch = 2,
                  .sequence = 3,
                  .hidden = hidden,
                  .words = 5,
                  .positions = 3,
                  .segments = 2,
                  .segment = hidden & 2,
                  .half = hidden & 1,
                  .epsilon = 0.1};
      fill(&s, &state);
      const wnn_setting epsilon = {.name = "epsilon", .kind = WNN_SETTING_NUMBER, .number = s.epsilon};
      const wnn_kernel_output outputs[] = {{.name = "maskIndexT"}, {.name = "embeddingSumT"}};
      wnn_kernel_call call = {.inputs = s.inputs,
                              .input_count = s.input_count,
                              .attrs = &epsilon,
                              .attr_count = 1,
                              .outputs = outputs,
                              .output_count = 2};
      wnn_kernel_result *result;
      REQUIRE_OK(wnn_kernel_run(kernel, &call, &result, &error), error);
      check_sample(&s, result, "cpu");
      wnn_kernel_result_release(result);
      clear(&s);
    }
    wnn_kernel_release(kernel);
    wnn_device_release(device);
  }
}

/* ---- The rest of the interface
 * ------------------------------------------------------------------------------------------ */

static const int32_t ids[] = {0, 1};
static const float word[] = {1, 3, 2, 6}, position[] = {0, 0, 1, -1}, ones[] = {1, 1}, zeros[] = {0, 0};
static const wnn_kernel_input card[] = {
    {.name = "inputIdsT", .desc = {WNN_PACK_INT32, 2, {1, 2}}, .data = ids},
    {.name = "wordEmbeddingT", .desc = {WNN_PACK_FLOAT32, 2, {2, 2}}, .data = word},
    {.name = "positionEmbeddingT", .desc = {WNN_PACK_FLOAT32, 2, {2, 2}}, .data = position},
    {.name = "gammaT", .desc = {WNN_PACK_FLOAT32, 1, {2}}, .data = ones},
    {.name = "betaT", .desc = {WNN_PACK_FLOAT32, 1, {2}}, .data = zeros}};
static const wnn_kernel_call card_call = {.inputs = card, .input_count = 5};

static void check_card(const wnn_kernel_result *result) {
  const wnn_kernel_value *output = wnn_kernel_result_find(result, "outputT");
  REQUIRE(output && output->data && output->size == 16);
  for (int i = 0; i < 4; i++)
    CHECK_MSG(fabs(value_at(output, (size_t)i) - (i & 1 ? 1 : -1)) < 1e-5, "output %d is %g", i,
              value_at(output, (size_t)i));
  CHECK_EQ(wnn_kernel_result_count(result), 1); /* optional outputs only when asked for */
}

static void by_name(void) {
  wnn_kernel_options options = WNN_KERNEL_OPTIONS_INIT;
  wnn_error error = {0};
  wnn_kernel *kernel;
  wnn_kernel_result *result;
  options.device = devices[0];
  CHECK_FAILS(wnn_kernel_load(NAME, &options, &kernel, &error), error, WNN_TYPE_ERROR, "version");
  options.version = 2;
  CHECK_FAILS(wnn_kernel_load(NAME, &options, &kernel, &error), error, WNN_IO_ERROR, "version 1");
  options.version = 1;
  CHECK_FAILS(wnn_kernel_load("someone/com.microsoft.EmbedLayerNormalization", &options, &kernel, &error), error,
              WNN_TYPE_ERROR, "trust");
  CHECK_FAILS(wnn_kernel_load("webgpu-kernels/ai.onnx.Nothing", &options, &kernel, &error), error, WNN_IO_ERROR,
              "not among");
  CHECK_FAILS(wnn_kernel_load("../nowhere", &options, &kernel, &error), error, WNN_IO_ERROR, "no pack");
  options.expected_op = "ai.onnx.Add";
  CHECK_FAILS(wnn_kernel_load(NAME, &options, &kernel, &error), error, WNN_DATA_ERROR, "ai.onnx.Add");
  options.expected_op = NULL;
  REQUIRE_OK(wnn_kernel_load(NAME, &options, &kernel, &error), error);
  CHECK_STR(wnn_kernel_op(kernel), "com.microsoft.EmbedLayerNormalization");
  CHECK_STR(wnn_kernel_metadata(kernel, "version"), "1");
  REQUIRE_OK(wnn_kernel_run(kernel, &card_call, &result, &error), error);
  check_card(result);
  CHECK_STR(wnn_kernel_result_variant(result), "native");
  wnn_kernel_result_release(result);
  wnn_kernel_release(kernel);
  options.path = fixtures;
  options.trust = true;
  REQUIRE_OK(wnn_kernel_load("me/com.example.Scale", &options, &kernel, &error), error);
  CHECK(!wnn_kernel_has_cpu(kernel));
  CHECK_FAILS(wnn_kernel_run(kernel, &card_call, &result, &error), error, WNN_NOT_SUPPORTED, "no native kernel");
  wnn_kernel_release(kernel);
}

static void ports(void) {
  wnn_kernel *kernel = load(devices[0], false);
  REQUIRE(kernel);
  static const char *const names[] = {"inputIdsT",         "segmentIdsT", "wordEmbeddingT", "positionEmbeddingT",
                                      "segmentEmbeddingT", "gammaT",      "betaT",          "maskT",
                                      "positionIdsT",      "outputT",     "maskIndexT",     "embeddingSumT"};
  static const char *const onnx[] = {"input_ids",         "segment_ids", "word_embedding", "position_embedding",
                                     "segment_embedding", "gamma",       "beta",           "mask",
                                     "position_ids",      "output",      "mask_index",     "embedding_sum"};
  static const char optional[] = "010010011011", rank[] = "222221122313";
  wnn_kernel_port port;
  size_t count = 0;
  for (; wnn_kernel_get_port(kernel, count, &port); count++) {
    REQUIRE(count < 12);
    CHECK_STR(port.name, names[count]);
    CHECK_STR(port.onnx, onnx[count]);
    CHECK_EQ(port.optional, optional[count] == '1');
    CHECK_EQ(port.rank[0], rank[count]);
    CHECK_EQ(port.input, count < 9);
    bool is_float = !strcmp(port.type, "T");
    CHECK_EQ(port.types, is_float ? 1 << WNN_PACK_FLOAT32 | 1 << WNN_PACK_FLOAT16 : 1 << WNN_PACK_INT32);
  }
  CHECK_EQ(count, 12);
  wnn_kernel_setting setting;
  REQUIRE(wnn_kernel_get_setting(kernel, 0, &setting));
  CHECK_STR(setting.name, "epsilon");
  CHECK_STR(setting.default_value, "9.999999960041972e-13");
  wnn_pack_desc desc;
  wnn_error error = {0};
  REQUIRE_OK(wnn_kernel_infer(kernel, &card_call, "outputT", &desc, &error), error);
  CHECK_EQ(desc.rank, 3);
  CHECK_EQ(desc.shape[2], 2);
  CHECK_FAILS(wnn_kernel_infer(kernel, &card_call, "maskIndexT", &desc, &error), error, WNN_TYPE_ERROR, "maskIndexT");
  char *text;
  REQUIRE_OK(wnn_kernel_render(kernel, &card_call, &text, &error), error);
  CHECK_CONTAINS(text, "@compute");
  CHECK_CONTAINS(text, "@group(0) @binding(0) var<storage, read> ids: array<i32>;");
  wnn_pack_text_free(text);
  wnn_kernel_release(kernel);
}

/* An index outside its table is named when the kernel is strict; without that it is clamped. */
static void strict(void) {
  static const int32_t bad[] = {0, 7};
  for (int i = 0; i < 2; i++) {
    if (!devices[i]) continue;
    wnn_kernel *kernel = load(devices[i], true);
    wnn_kernel_input inputs[5];
    wnn_error error = {0};
    wnn_kernel_result *result;
    memcpy(inputs, card, sizeof card);
    inputs[0].data = bad;
    wnn_kernel_call call = {.inputs = inputs, .input_count = 5};
    CHECK_FAILS(wnn_kernel_run(kernel, &call, &result, &error), error, WNN_TYPE_ERROR, "inputIdsT[0, 1] is 7");
    inputs[0].data = ids;
    CHECK_OK(wnn_kernel_run(kernel, &call, &result, &error), error);
    wnn_kernel_result_release(result);
    wnn_kernel_release(kernel);
  }
}

/* Outputs that stay on the device feed later calls of the same submission. */
static void resident(void) {
  for (int i = 0; i < 2; i++) {
    if (!devices[i]) continue;
    wnn_kernel *kernel = load(devices[i], false);
    wnn_error error = {0};
    wnn_pack_desc desc = {WNN_PACK_FLOAT32, 3, {1, 2, 2}}, table = {WNN_PACK_FLOAT32, 2, {2, 2}},
                  row = {WNN_PACK_INT32, 2, {1, 2}};
    wnn_pack_tensor *kept, *word_tensor, *id_tensor;
    REQUIRE_OK(wnn_pack_tensor_create(devices[i], &desc, NULL, &kept, &error), error);
    REQUIRE_OK(wnn_pack_tensor_create(devices[i], &table, word, &word_tensor, &error), error);
    REQUIRE_OK(wnn_pack_tensor_create(devices[i], &row, ids, &id_tensor, &error), error);
    wnn_kernel_input inputs[5];
    memcpy(inputs, card, sizeof card);
    inputs[0] = (wnn_kernel_input){.name = "inputIdsT", .tensor = id_tensor};
    inputs[1] = (wnn_kernel_input){.name = "wordEmbeddingT", .tensor = word_tensor};
    wnn_kernel_output output = {.name = "outputT", .tensor = kept};
    wnn_kernel_call first = {.inputs = inputs, .input_count = 5, .outputs = &output, .output_count = 1};
    wnn_kernel_item items[3] = {{kernel, &first}, {kernel, &card_call}, {kernel, &first}};
    wnn_kernel_result *results[3];
    REQUIRE_OK(wnn_kernel_prewarm(kernel, &first, &error), error);
    REQUIRE_OK(wnn_kernel_run_all(items, 3, results, &error), error);
    check_card(results[1]);
    float data[4];
    REQUIRE_OK(wnn_pack_tensor_read(kept, data, sizeof data, &error), error);
    CHECK(fabsf(data[0] + 1) < 1e-5f && fabsf(data[3] - 1) < 1e-5f);
    CHECK_FAILS(wnn_pack_tensor_read(kept, data, 3, &error), error, WNN_TYPE_ERROR, "16 bytes");
    wnn_pack_tensor *taken = wnn_kernel_result_take(results[0], "outputT");
    CHECK(taken == kept);
    wnn_pack_tensor_release(taken);
    for (int k = 0; k < 3; k++) wnn_kernel_result_release(results[k]);
    wnn_pack_tensor *wrong;
    desc.shape[2] = 3;
    REQUIRE_OK(wnn_pack_tensor_create(devices[i], &desc, NULL, &wrong, &error), error);
    output.tensor = wrong;
    CHECK_FAILS(wnn_kernel_run(kernel, &first, results, &error), error, WNN_TYPE_ERROR, "outputT");
    wnn_pack_tensor_release(wrong);
    wnn_pack_tensor_release(kept);
    wnn_pack_tensor_release(word_tensor);
    wnn_pack_tensor_release(id_tensor);
    wnn_kernel_release(kernel);
  }
}

/* A buffer of the caller as a tensor; the same buffer read and written is refused by name. */
static void external_buffers(void) {
  if (!devices[1]) SKIP(no_webgpu);
  wnn_error error = {0};
  char path[4096];
  wnn_kernel_options options = WNN_KERNEL_OPTIONS_INIT;
  wnn_kernel *kernel;
  options.device = devices[1];
  snprintf(path, sizeof path, "%s/com.example.Scale", fixtures);
  REQUIRE_OK(wnn_kernel_load(path, &options, &kernel, &error), error);
  const float data[64] = {5, 6, 7, 8};
  wnn_pack_desc whole = {WNN_PACK_FLOAT32, 1, {64}}, part = {WNN_PACK_FLOAT32, 1, {4}};
  wnn_pack_tensor *owner, *wrapped, *same;
  REQUIRE_OK(wnn_pack_tensor_create(devices[1], &whole, data, &owner, &error), error);
  uint64_t offset, size;
  void *buffer = wnn_pack_tensor_webgpu(owner, &offset, &size);
  CHECK(buffer && offset == 0 && size == 256);
  CHECK_FAILS(wnn_pack_tensor_wrap(devices[1], &whole, buffer, 0, 16, &wrapped, &error), error, WNN_TYPE_ERROR,
              "needs 256");
  CHECK_FAILS(wnn_pack_tensor_wrap(devices[1], &part, buffer, 2, 16, &wrapped, &error), error, WNN_TYPE_ERROR,
              "multiple");
  REQUIRE_OK(wnn_pack_tensor_wrap(devices[1], &part, buffer, 0, 16, &wrapped, &error), error);
  REQUIRE_OK(wnn_pack_tensor_wrap(devices[1], &part, buffer, 0, 16, &same, &error), error);
  wnn_kernel_input inputs[] = {{.name = "a", .tensor = wrapped}, {.name = "b", .desc = part, .data = word}};
  wnn_kernel_call call = {.inputs = inputs, .input_count = 2};
  wnn_kernel_result *result;
  REQUIRE_OK(wnn_kernel_run(kernel, &call, &result, &error), error);
  const float *sum = wnn_kernel_result_find(result, "z")->data;
  CHECK(sum[0] == 6 && sum[1] == 9 && sum[2] == 9 && sum[3] == 14);
  wnn_kernel_result_release(result);
  wnn_kernel_output output = {.name = "z", .tensor = same};
  call.outputs = &output;
  call.output_count = 1;
  CHECK_FAILS(wnn_kernel_run(kernel, &call, &result, &error), error, WNN_TYPE_ERROR, "same buffer");
  wnn_pack_tensor_release(same);
  wnn_pack_tensor_release(wrapped);
  wnn_pack_tensor_release(owner);
  wnn_kernel_release(kernel);
}

/* A device of the caller: results go through its queue, and it stays usable when ours is released. */
static void external_device(void) {
  if (!devices[1]) SKIP(no_webgpu);
  wnn_error error = {0};
  wnn_device_options options = WNN_DEVICE_OPTIONS_INIT;
  wnn_device *borrowed;
  options.webgpu_device = wnn_device_webgpu(devices[1]);
  CHECK_FAILS(wnn_device_create(&options, &borrowed, &error), error, WNN_TYPE_ERROR, "belong together");
  options.webgpu_instance = wnn_device_webgpu_instance(devices[1]);
  REQUIRE(options.webgpu_device && options.webgpu_instance);
  REQUIRE_OK(wnn_device_create(&options, &borrowed, &error), error);
  CHECK(wnn_device_webgpu(borrowed) == options.webgpu_device);
  /* one buffer, known to both */
  wnn_pack_desc desc = {WNN_PACK_FLOAT32, 2, {2, 2}};
  wnn_pack_tensor *owner, *lent;
  REQUIRE_OK(wnn_pack_tensor_create(devices[1], &desc, word, &owner, &error), error);
  uint64_t offset, size;
  void *buffer = wnn_pack_tensor_webgpu(owner, &offset, &size);
  REQUIRE_OK(wnn_pack_tensor_wrap(borrowed, &desc, buffer, offset, size, &lent, &error), error);
  wnn_kernel *kernel = load(borrowed, false);
  REQUIRE(kernel);
  wnn_kernel_input inputs[5];
  memcpy(inputs, card, sizeof inputs);
  for (int i = 0; i < 5; i++)
    if (!strcmp(inputs[i].name, "wordEmbeddingT"))
      inputs[i] = (wnn_kernel_input){.name = "wordEmbeddingT", .tensor = lent};
  wnn_kernel_call call = {.inputs = inputs, .input_count = 5};
  wnn_kernel_result *result;
  REQUIRE_OK(wnn_kernel_run(kernel, &call, &result, &error), error);
  check_card(result);
  wnn_kernel_result_release(result);
  wnn_kernel_release(kernel);
  wnn_pack_tensor_release(lent);
  wnn_device_release(borrowed);
  float data[4] = {0};
  REQUIRE_OK(wnn_pack_tensor_read(owner, data, sizeof data, &error), error);
  CHECK(!memcmp(data, word, sizeof data));
  wnn_pack_tensor_release(owner);
}

/* A device that goes away is an error of the call, and of those after it. */
static void lost_device(void) {
  if (!devices[1]) SKIP(no_webgpu);
  const char *path = getenv("WEBNN_WEBGPU_LIB");
  void *library = path ? dlopen(path, RTLD_NOW) : NULL;
  if (!library) SKIP("WEBNN_WEBGPU_LIB names no library");
  void (*destroy)(void *);
  *(void **)&destroy = dlsym(library, "wgpuDeviceDestroy");
  REQUIRE(destroy);
  wnn_error error = {0};
  wnn_device_options options = WNN_DEVICE_OPTIONS_INIT;
  wnn_device *device;
  REQUIRE_OK(wnn_device_create(&options, &device, &error), error);
  wnn_kernel *kernel = load(device, false);
  REQUIRE(kernel);
  wnn_kernel_result *result;
  REQUIRE_OK(wnn_kernel_run(kernel, &card_call, &result, &error), error);
  wnn_kernel_result_release(result);
  destroy(wnn_device_webgpu(device));
  for (int i = 0; i < 2; i++) {
    wnn_status status = wnn_kernel_run(kernel, &card_call, &result, &error);
    CHECK(status == WNN_OPERATION_ERROR || status == WNN_INVALID_STATE);
    CHECK_CONTAINS(error.message, "WebGPU");
  }
  wnn_kernel_release(kernel);
  wnn_device_release(device);
}

static void no_library(void) {
  wnn_device_options options = WNN_DEVICE_OPTIONS_INIT;
  wnn_error error = {0};
  wnn_device *device;
  options.webgpu_library = "/nowhere/libwebgpu.so";
  CHECK_FAILS(wnn_device_create(&options, &device, &error), error, WNN_NOT_SUPPORTED, "/nowhere/libwebgpu.so");
  options.webgpu_library = "libm.so.6";
  CHECK_FAILS(wnn_device_create(&options, &device, &error), error, WNN_NOT_SUPPORTED, "lacks wgpuCreateInstance");
}

/* ---- Fetching
 * ------------------------------------------------------------------------------------------------------------- */

typedef struct hub {
  unsigned fetched;
  const char *spoil; /* a file that arrives changed */
} hub;

static bool fetch(void *user, const char *repository, const char *revision, const char *file, wnn_pack_sink *sink) {
  hub *h = user;
  char path[4096];
  if (strcmp(revision, "v1") || strncmp(file, "build/webgpu/", 13)) return false;
  snprintf(path, sizeof path, "%s/%s/%s", fixtures, strchr(repository, '/') + 1, file + 13);
  size_t size;
  char *data = test_read_file(path, &size);
  if (!data) return false;
  h->fetched++;
  bool good = wnn_pack_sink_write(sink, data, size) &&
              (!h->spoil || strcmp(h->spoil, file + 13) || wnn_pack_sink_write(sink, " ", 1));
  free(data);
  return good;
}

static void fetching(void) {
  char cache[TEST_PATH];
  REQUIRE(test_folder(cache));
  hub h = {0};
  wnn_kernel_options options = WNN_KERNEL_OPTIONS_INIT;
  wnn_error error = {0};
  wnn_kernel *kernel;
  options.version = 1;
  options.trust = true;
  options.fetch = fetch;
  options.fetch_user = &h;
  options.cache = cache;
  h.spoil = "manifest.json";
  CHECK_FAILS(wnn_kernel_load("me/com.example.Scale", &options, &kernel, &error), error, WNN_DATA_ERROR, "digest");
  h.spoil = NULL;
  REQUIRE_OK(wnn_kernel_load("me/com.example.Scale", &options, &kernel, &error), error);
  CHECK_EQ(h.fetched, 3); /* metadata came from the cache the second time */
  wnn_kernel_release(kernel);
  options.fetch = NULL;
  REQUIRE_OK(wnn_kernel_load("me/com.example.Scale", &options, &kernel, &error), error);
  wnn_kernel_release(kernel);
  options.revision = "../v1";
  CHECK_FAILS(wnn_kernel_load("me/com.example.Scale", &options, &kernel, &error), error, WNN_TYPE_ERROR, "revision");
  char command[TEST_PATH + 16];
  snprintf(command, sizeof command, "rm -r '%s'", cache);
  CHECK_EQ(system(command), 0);
}

int main(int argc, char **argv) {
  test_begin(argc, argv);
  wnn_device_options options = WNN_DEVICE_OPTIONS_INIT;
  wnn_error error = {0};
  options.kind = WNN_DEVICE_CPU;
  if (wnn_device_create(&options, &devices[0], &error) != WNN_OK) return 1;
  options.kind = WNN_DEVICE_WEBGPU;
  if (wnn_device_create(&options, &devices[1], &error) != WNN_OK) {
    snprintf(no_webgpu, sizeof no_webgpu, "%s", error.message);
    test_skipped("everything on WebGPU: %s", no_webgpu);
  }
  TEST(case_files);
  TEST(random_shapes);
  TEST(cpu_features);
  TEST(by_name);
  TEST(ports);
  TEST(strict);
  TEST(resident);
  TEST(external_buffers);
  TEST(external_device);
  TEST(lost_device);
  TEST(no_library);
  TEST(fetching);
  wnn_device_release(devices[0]);
  wnn_device_release(devices[1]);
  return test_end();
}
