/* Slots of the integer family against plain loops, at every set of processor features: sizes around the tiles, strides,
 * forbidden memory at the ends, the extremes of bytes and zero points. KCHECK_SEED repeats one case. */
#define _DEFAULT_SOURCE
#include <inttypes.h>

#include "kcheck/guard.h"
#include "kernels/qgemm.h"

static wnn_ukernels kernels;
static uint64_t seed, from;

static uint32_t pick(uint32_t low, uint32_t high) { return low + (uint32_t)(test_random(&seed) % (high - low + 1)); }
static bool chance(uint32_t one_in) { return pick(1, one_in) == 1; }

#define INTACT(g) CHECK_MSG(guard_intact(&(g)), "%s, seed %" PRIu64 ": wrote before %s", kernels.isa, from, #g)
#define EQUAL(actual, expected)                                                                                        \
  CHECK_MSG((actual) == (expected), "%s, seed %" PRIu64 ": %d, not %d", kernels.isa, from, (int)(actual),              \
            (int)(expected))

/* Bytes of any kind: all the same extreme, extremes, or random. */
static guarded random_bytes(size_t size) {
  static const uint8_t extremes[] = {0, 255, 128, 127, 1};
  guarded g = guard_alloc(size);
  uint32_t how = pick(0, 3), one = extremes[pick(0, 4)];
  for (size_t i = 0; i < size; i++)
    g.data[i] = (char)(how == 0 ? one : how == 1 ? extremes[pick(0, 4)] : (uint8_t)test_random(&seed));
  return g;
}

/* int16 as pairs tiles see them: -255 to 255. */
static guarded random_words(size_t count) {
  guarded g = guard_alloc(count * 2);
  uint32_t how = pick(0, 2);
  for (size_t i = 0; i < count; i++) {
    int16_t x = (int16_t)(how == 0 ? 255 : how == 1 ? (chance(2) ? 255 : -255) : (int)pick(0, 510) - 255);
    memcpy(g.data + 2 * i, &x, 2);
  }
  return g;
}

static int32_t byte_at(const guarded *g, size_t i, bool is_signed) {
  return is_signed ? (int8_t)g->data[i] : (uint8_t)g->data[i];
}

static void fill_floats(guarded *g, double low, double high) {
  for (size_t i = 0; i < g->size / 4; i++) guard_write(g)[i] = (float)test_uniform(&seed, low, high);
}

/* ---- What becomes of sums ---- */

typedef struct finishing {
  guarded scale, init, residual, c, shift;
  wnn_q_finish finish;
  uint32_t element;
} finishing;

static finishing random_finish(uint32_t m, uint32_t n, bool residuals) {
  finishing f = {.finish.result = (wnn_q_result)pick(0, 2)};
  wnn_q_finish *q = &f.finish;
  f.element = q->result == WNN_Q_BYTE ? 1 : 4;
  q->c_stride = n + pick(0, 5);
  q->residual_stride = n + pick(0, 3);
  f.scale = guard_alloc(n * 4), f.init = guard_alloc(n * 4), f.shift = guard_alloc(n * 4);
  f.residual = guard_alloc(((m - 1) * q->residual_stride + n) * 4);
  f.c = guard_alloc(((m - 1) * q->c_stride + n) * f.element);
  fill_floats(&f.scale, -0.01, 0.01);
  fill_floats(&f.init, -100, 100);
  fill_floats(&f.residual, -100, 100);
  for (uint32_t j = 0; j < n; j++) {
    int32_t x = (int32_t)pick(0, 2000000) - 1000000;
    memcpy(f.shift.data + 4 * j, &x, 4);
  }
  q->shift = (const int32_t *)(const void *)f.shift.data;
  q->scale = guard_read(&f.scale);
  q->init = chance(2) ? guard_read(&f.init) : NULL;
  q->residual = residuals && q->result == WNN_Q_FLOAT32 && chance(2) ? guard_read(&f.residual) : NULL;
  q->limit = chance(2);
  q->lo = -60, q->hi = 70;
  if (q->result == WNN_Q_BYTE) {
    bool is_signed = chance(2);
    q->zero = is_signed ? (int32_t)pick(0, 255) - 128 : (int32_t)pick(0, 255);
    q->lo = (float)((is_signed ? -128 : 0) - q->zero), q->hi = (float)((is_signed ? 127 : 255) - q->zero);
  }
  q->c = f.c.data;
  return f;
}

static void check_finished(const finishing *f, uint32_t i, uint32_t j, int32_t sum) {
  const wnn_q_finish *q = &f->finish;
  const char *c = f->c.data + (i * q->c_stride + j) * f->element;
  int32_t whole;
  memcpy(&whole, f->shift.data + 4 * j, 4);
  sum += whole;
  if (q->result == WNN_Q_INT32) {
    memcpy(&whole, c, 4);
    EQUAL(whole, sum);
    return;
  }
  double bound = fabs((double)sum * (double)q->scale[j]) + 300;
  double x = (double)sum * (double)q->scale[j] + (q->init ? (double)q->init[j] : 0);
  if (q->residual) x += (double)q->residual[i * q->residual_stride + j];
  if (q->limit || q->result == WNN_Q_BYTE) x = fmin(fmax(x, (double)q->lo), (double)q->hi);
  if (q->result == WNN_Q_FLOAT32) {
    float y;
    memcpy(&y, c, 4);
    CHECK_MSG(guard_same(y, x, bound, 1e-6), "%s, seed %" PRIu64 ": %g, not %g", kernels.isa, from, (double)y, x);
    return;
  }
  /* Near the middle between two integers either is right. */
  bool either = fabs(fabs(x - rint(x)) - 0.5) < 1e-6 * bound;
  uint8_t low = (uint8_t)(int32_t)((either ? floor(x) : rint(x)) + q->zero), got = (uint8_t)*c;
  CHECK_MSG(got == low || (either && got == (uint8_t)(low + 1)), "%s, seed %" PRIu64 ": byte %u, not %u (%g)",
            kernels.isa, from, got, low, x);
}

static void free_finish(finishing *f, uint32_t m, uint32_t n) {
  for (uint32_t i = 0; i + 1 < m; i++)
    for (size_t b = n * f->element; b < f->finish.c_stride * f->element; b++)
      EQUAL(f->c.data[i * f->finish.c_stride * f->element + b], GUARD_BYTE);
  INTACT(f->c);
  guard_free(&f->scale), guard_free(&f->init), guard_free(&f->residual), guard_free(&f->c), guard_free(&f->shift);
}

/* ---- Tiles ---- */

/* few: rows up to which four vectors of columns are allowed. */
static void check_tile(void (*run)(const wnn_q_tile *tile), uint32_t group, uint32_t most_rows, uint32_t few) {
  uint32_t vl = kernels.vl, m = chance(3) ? pick(1, kernels.q_few) : pick(1, most_rows);
  uint32_t n = pick(1, (m <= few ? 4 : 2) * vl);
  uint32_t taps = chance(2) ? 1 : pick(1, 4), k = pick(1, 40), step = m + pick(0, 3);
  size_t offset = 4 * (size_t)pick(0, 5), panels = (n + vl - 1) / vl, panel = (size_t)taps * k * vl + pick(0, 1) * 16;
  size_t row = (size_t)k * 4 + offset;
  guarded a = group == 4 ? random_bytes(taps * m * row) : random_words(taps * m * row / 2);
  guarded b = group == 4 ? random_bytes(panels * panel * 4) : random_words(panels * panel * 2);
  for (size_t i = 0; group == 4 && kernels.q_narrow && i < b.size; i += 2) { /* pairs up to 128, some of them 128 */
    int p = (int8_t)b.data[i], q = (int8_t)b.data[i + 1];
    if ((p > 0) == (q > 0) && abs(p + q) > 128) b.data[i + 1] = (char)(p > 0 ? 128 - p : -128 - p);
  }
  finishing f = random_finish(m, n, true);
  const void *rows[4 * (WNN_Q_MAX_ROWS + 3)];
  uint32_t order[4 * (WNN_Q_MAX_ROWS + 3)]; /* rows one after the other, or anyhow */
  for (uint32_t t = 0; t < taps; t++) {
    bool mixed = chance(3);
    for (uint32_t i = 0; i < m; i++) {
      order[t * step + i] = t * m + (mixed ? pick(0, m - 1) : i);
      rows[t * step + i] = a.data + order[t * step + i] * row;
    }
  }
  wnn_q_tile tile = {.m = m,
                     .n = n,
                     .taps = taps,
                     .k = k,
                     .a_step = step,
                     .a = rows,
                     .a_offset = offset,
                     .b = (const int32_t *)(const void *)b.data,
                     .b_panel = panel,
                     .finish = f.finish};
  run(&tile);
  for (uint32_t i = 0; i < m; i++)
    for (uint32_t j = 0; j < n; j++) {
      int32_t sum = 0;
      for (uint32_t t = 0; t < taps; t++)
        for (uint32_t x = 0; x < k * group; x++) {
          size_t left = order[t * step + i] * row + offset, right = (j / vl * panel + (size_t)t * k * vl) * 4;
          right += ((size_t)(x / group) * vl + j % vl) * 4;
          int16_t p, q;
          if (group == 4) {
            p = (uint8_t)a.data[left + x], q = (int8_t)b.data[right + x % 4];
          } else {
            memcpy(&p, a.data + left + 2 * x, 2);
            memcpy(&q, b.data + right + x % 2 * 2, 2);
          }
          sum += p * q;
        }
      check_finished(&f, i, j, sum);
    }
  free_finish(&f, m, n);
  guard_free(&a), guard_free(&b);
}

static void pairs_tile(void) { check_tile(kernels.q_pairs_tile, 2, kernels.q_mr, kernels.q_few); }
static void bytes_tile(void) {
  if (kernels.q_bytes_tile) check_tile(kernels.q_bytes_tile, 4, kernels.q_mr, kernels.q_few);
}
static void matrix_tile(void) {
  if (!kernels.q_matrix_tile) return;
  kernels.q_matrix_begin();
  check_tile(kernels.q_matrix_tile, 4, WNN_Q_MAX_ROWS, 0);
  kernels.q_matrix_end();
}

static void depthwise(void) {
  uint32_t taps = pick(1, 10), channels = pick(1, 70);
  bool is_signed = chance(2);
  guarded a = random_bytes((size_t)taps * channels), w = random_words((size_t)(taps + 1) / 2 * channels * 2);
  finishing f = random_finish(1, channels, false);
  const void *rows[10];
  for (uint32_t t = 0; t < taps; t++) rows[t] = a.data + t * channels;
  const int16_t *weights = (const int16_t *)(const void *)w.data;
  if (taps % 2) /* the last pair's second weight meets any byte */
    for (uint32_t c = 0; c < channels; c++) memset(w.data + ((taps / 2 * channels + c) * 2 + 1) * 2, 0, 2);
  kernels.q_depthwise(&(wnn_q_depthwise){taps, is_signed, channels, rows, weights, f.finish});
  for (uint32_t c = 0; c < channels; c++) {
    int32_t sum = 0;
    for (uint32_t t = 0; t < taps; t++)
      sum += byte_at(&a, t * channels + c, is_signed) * weights[(t / 2 * channels + c) * 2 + t % 2];
    check_finished(&f, 0, c, sum);
  }
  free_finish(&f, 1, channels);
  guard_free(&a), guard_free(&w);
}

static void pool(void) {
  uint32_t taps = pick(1, 10), channels = pick(1, 150);
  bool is_signed = chance(2);
  guarded a = random_bytes((size_t)taps * channels), to = guard_alloc(channels);
  const void *rows[10];
  for (uint32_t t = 0; t < taps; t++) rows[t] = a.data + t * channels;
  kernels.q_pool_max(taps, is_signed, channels, rows, to.data);
  for (uint32_t c = 0; c < channels; c++) {
    int32_t most = INT32_MIN;
    for (uint32_t t = 0; t < taps; t++) {
      int32_t x = byte_at(&a, t * channels + c, is_signed);
      most = x > most ? x : most;
    }
    EQUAL(byte_at(&to, c, is_signed), most);
  }
  INTACT(to);
  guard_free(&a), guard_free(&to);
}

/* ---- Other forms ---- */

static void forms(void) {
  size_t n = pick(0, 150);
  int32_t zero = (int32_t)pick(0, 255);
  bool is_signed = chance(2);
  if (is_signed) zero -= 128;
  guarded a = random_bytes(n), flipped = guard_alloc(n), centred = guard_alloc(2 * n);
  kernels.q_flip(n, (uint8_t *)a.data, 0x80, (uint8_t *)flipped.data);
  kernels.q_center(n, a.data, is_signed, zero, (int16_t *)(void *)centred.data);
  for (size_t i = 0; i < n; i++) {
    int16_t x;
    memcpy(&x, centred.data + 2 * i, 2);
    EQUAL((uint8_t)flipped.data[i], (uint8_t)a.data[i] ^ 0x80);
    EQUAL(x, byte_at(&a, i, is_signed) - zero);
  }
  INTACT(flipped);
  INTACT(centred);
  guard_free(&a), guard_free(&flipped), guard_free(&centred);
}

/* ---- Floats and bytes ---- */

static const float scales[] = {0.02f, 0.5f, 1.0f, 3.0f, 0.0039215689f, 256.0f, 1e-3f, 1e-38f, 1e38f, -0.7f};

static int32_t quantized(float x, float scale, int32_t zero, bool is_signed) {
  float quotient = x / scale;
  if (isnan(quotient)) return 0;
  double y = rint((double)quotient) + zero;
  return (int32_t)fmin(fmax(y, is_signed ? -128 : 0), is_signed ? 127 : 255);
}

static void quantize(void) {
  size_t n = pick(0, 150);
  bool is_signed = chance(2), each = chance(2);
  size_t parameters = each ? n : 1;
  guarded scale = guard_alloc(parameters * 4), zero = random_bytes(parameters), to = guard_alloc(n);
  guarded x = guard_floats(n, &seed, SPECIAL);
  for (size_t i = 0; i < parameters; i++) guard_write(&scale)[i] = scales[pick(0, 9)];
  /* Whole and half steps, where rounding decides, and their neighbours. */
  for (size_t i = 0; i < n; i++)
    if (chance(2)) {
      float step = guard_read(&scale)[each ? i : 0], at = ((float)pick(0, 1200) - 600) / 2 * step;
      guard_write(&x)[i] = chance(3) ? nextafterf(at, chance(2) ? 1e9f : -1e9f) : at;
    }
  kernels.q_quantize(&(wnn_q_line){n, is_signed, each, guard_read(&scale), zero.data, guard_read(&x), NULL, to.data});
  for (size_t i = 0; i < n; i++) {
    int32_t expected = quantized(guard_read(&x)[i], guard_read(&scale)[each ? i : 0],
                                 byte_at(&zero, each ? i : 0, is_signed), is_signed);
    CHECK_MSG(byte_at(&to, i, is_signed) == expected, "%s, seed %" PRIu64 ": %g by %g is %d, not %d", kernels.isa, from,
              (double)guard_read(&x)[i], (double)guard_read(&scale)[each ? i : 0], byte_at(&to, i, is_signed),
              expected);
  }
  INTACT(to);
  guard_free(&scale), guard_free(&zero), guard_free(&to), guard_free(&x);
}

static void dequantize(void) {
  size_t n = pick(0, 150);
  bool is_signed = chance(2), each = chance(2);
  size_t parameters = each ? n : 1;
  guarded scale = guard_floats(parameters, &seed, SPECIAL), zero = random_bytes(parameters), x = random_bytes(n);
  guarded to = guard_alloc(n * 4);
  kernels.q_dequantize(&(wnn_q_line){n, is_signed, each, guard_read(&scale), zero.data, NULL, x.data, to.data});
  for (size_t i = 0; i < n; i++) {
    float difference = (float)(byte_at(&x, i, is_signed) - byte_at(&zero, each ? i : 0, is_signed)),
          expected = difference * guard_read(&scale)[each ? i : 0], got = guard_read(&to)[i];
    CHECK_MSG(isnan(expected) ? isnan(got) : got == expected, "%s, seed %" PRIu64 ": %g, not %g", kernels.isa, from,
              (double)got, (double)expected);
  }
  INTACT(to);
  guard_free(&scale), guard_free(&zero), guard_free(&to), guard_free(&x);
}

static float side_value(const wnn_q_side *s, const guarded *g, size_t i) {
  volatile float product = (float)(byte_at(g, i, s->is_signed) - s->zero) * s->scale;
  return product;
}

static void pair(void) {
  size_t n = pick(0, 150);
  wnn_q_pair p = {.n = n, .multiply = chance(2), .relu = chance(2), .is_signed = chance(2)};
  guarded a = random_bytes(n), b = random_bytes(n), to = guard_alloc(n);
  p.a = (wnn_q_side){a.data, chance(2), scales[pick(0, 6)], (int32_t)pick(0, 127)};
  p.b = (wnn_q_side){b.data, chance(2), scales[pick(0, 6)], (int32_t)pick(0, 127)};
  p.scale = scales[pick(0, 6)], p.zero = (int32_t)pick(0, 127), p.to = to.data;
  kernels.q_pair(&p);
  for (size_t i = 0; i < n; i++) {
    float x = side_value(&p.a, &a, i), y = side_value(&p.b, &b, i), z = p.multiply ? x * y : x + y;
    if (p.relu) z = z < 0 ? 0 : z;
    EQUAL(byte_at(&to, i, p.is_signed), quantized(z, p.scale, p.zero, p.is_signed));
  }
  INTACT(to);
  guard_free(&a), guard_free(&b), guard_free(&to);
}

/* ---- All sets of features ---- */

static void every_set(void (*check)(void)) {
  static const uint64_t masks[] = {0, WNN_CPU_AVX2, WNN_CPU_AVX2 | WNN_CPU_AVXVNNI, WNN_CPU_AVX2 | WNN_CPU_AVX512,
                                   UINT64_MAX};
  const char *given = getenv("KCHECK_SEED");
  for (size_t i = 0; i < sizeof masks / sizeof masks[0]; i++) {
    wnn_ukernels_init(&kernels, masks[i] & wnn_cpu_detect());
    for (uint64_t case_number = 1; case_number <= 400; case_number++) {
      from = given ? strtoull(given, NULL, 0) : case_number;
      seed = from * UINT64_C(0x9E3779B97F4A7C15) + 1;
      check();
      if (given) break;
    }
  }
}

static void pairs_tiles(void) { every_set(pairs_tile); }
static void bytes_tiles(void) { every_set(bytes_tile); }
static void matrix_tiles(void) { every_set(matrix_tile); }
static void depthwise_pixels(void) { every_set(depthwise); }
static void pools(void) { every_set(pool); }
static void other_forms(void) { every_set(forms); }
static void quantizes(void) { every_set(quantize); }
static void dequantizes(void) { every_set(dequantize); }
static void pairs(void) { every_set(pair); }

int main(int argc, char **argv) {
  test_begin(argc, argv);
  TEST(pairs_tiles);
  TEST(bytes_tiles);
  TEST(matrix_tiles);
  TEST(depthwise_pixels);
  TEST(pools);
  TEST(other_forms);
  TEST(quantizes);
  TEST(dequantizes);
  TEST(pairs);
  return test_end();
}
