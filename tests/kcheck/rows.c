/* Slots that work on rows against plain loops: softmax, normalization, reductions, the index of the extreme element. */
#define _DEFAULT_SOURCE
#include "kcheck/slots.h"

/* Around vectors, around groups of them, and long enough for several pieces. */
static size_t pick_length(void) { return chance(12) ? pick(1000, 2600) : chance(3) ? pick(1, 400) : pick(1, 70); }

/* ---- Softmax ---- */

/* A power of e near the end of its range has fewer digits. */
static void check_softmax(size_t n, const float *x, size_t step, const float *y) {
  double most = -INFINITY, sum = 0;
  for (size_t i = 0; i < n; i++)
    most = isnan(most) || (double)x[i * step] > most || isnan(x[i * step]) ? (double)x[i * step] : most;
  for (size_t i = 0; i < n; i++) sum += exp((double)x[i * step] - most);
  for (size_t i = 0; i < n; i++) {
    double expected = exp((double)x[i * step] - most) / sum;
    SAME(y[i * step], expected, expected + 1e-37, 3e-6);
  }
}

static void softmax(void) {
  size_t n = pick_length(), rows = n > 400 ? pick(1, 2) : pick(1, 10);
  guarded x = guard_floats(rows * n, &seed, kind), copy = guard_alloc(x.size), y = guard_alloc(x.size);
  if (chance(3))
    for (size_t i = 0; i < rows * n; i++) guard_write(&x)[i] *= 20;
  memcpy(copy.data, x.data, x.size);
  bool in_place = chance(3);
  kernels.f32_softmax(rows, n, guard_read(&x), guard_write(in_place ? &x : &y));
  for (size_t r = 0; r < rows; r++)
    check_softmax(n, guard_read(&copy) + r * n, 1, guard_read(in_place ? &x : &y) + r * n);
  INTACT(x);
  INTACT(y);
  guard_free(&x), guard_free(&copy), guard_free(&y);
}

static void softmax_columns(void) {
  size_t n = pick(1, 40), columns = pick(1, 70), stride = columns + pick(0, 5), size = (n - 1) * stride + columns;
  guarded x = guard_floats(size, &seed, kind), y = guard_alloc(x.size);
  kernels.f32_softmax_columns(n, columns, stride, guard_read(&x), guard_write(&y));
  for (size_t c = 0; c < columns; c++) check_softmax(n, guard_read(&x) + c, stride, guard_read(&y) + c);
  for (size_t i = 0; i < size; i++)
    if (i % stride >= columns) EQUAL(y.data[i * sizeof(float)], GUARD_BYTE);
  INTACT(y);
  guard_free(&x), guard_free(&y);
}

/* ---- Normalization ---- */

static void norm(void) {
  size_t n = pick_length();
  wnn_f32_norm s = {
      .source_count = chance(2) ? 1 : pick(2, 4), .n = n, .epsilon = chance(4) ? 0 : 1e-5, .uniform = chance(3)};
  guarded sources[4], scale = guard_floats(s.uniform ? 1 : n, &seed, WHOLE);
  guarded bias = guard_floats(s.uniform ? 1 : n, &seed, WHOLE);
  guarded total = guard_alloc(n * sizeof(float)), sum = guard_alloc(n * sizeof(float)),
          to = guard_alloc(n * sizeof(float));
  for (uint32_t k = 0; k < 4; k++) {
    sources[k] = guard_floats(n, &seed, kind);
    if (chance(8)) /* a large mean */
      for (size_t i = 0; i < n; i++) guard_write(&sources[k])[i] += 4096;
    s.sources[k] = guard_read(&sources[k]);
  }
  double mean = 0, variance = 0;
  for (size_t i = 0; i < n; i++) {
    float x = s.sources[0][i];
    for (uint32_t k = 1; k < s.source_count; k++) x += s.sources[k][i];
    guard_write(&total)[i] = x;
    mean += (double)x / (double)n;
  }
  for (size_t i = 0; i < n; i++) variance += pow((double)guard_read(&total)[i] - mean, 2) / (double)n;
  double deviation = sqrt(variance + s.epsilon);
  if (chance(2)) s.scale = guard_read(&scale);
  if (chance(2)) s.bias = guard_read(&bias);
  if (chance(2)) s.sum = guard_write(&sum);
  s.to = guard_write(&to);
  if (chance(4)) s.to = guard_write(&sources[0]);
  kernels.f32_norm(&s);
  for (size_t i = 0; i < n; i++) {
    double x = (double)guard_read(&total)[i];
    if (s.sum && s.source_count > 1) SAME(s.sum[i], x, 0, 0);
    double factor = s.scale ? (double)s.scale[s.uniform ? 0 : i] : 1,
           offset = s.bias ? (double)s.bias[s.uniform ? 0 : i] : 0;
    if (n == 1 || deviation < 1e-3 || fabs(mean) > 1e5 * deviation) continue; /* the mean's last digits decide */
    double y = (x - mean) / deviation;
    SAME(s.to[i], y * factor + offset, (fabs(y) + 1) * fabs(factor) + fabs(offset), 1e-5);
  }
  INTACT(sum);
  INTACT(to);
  for (uint32_t k = 0; k < 4; k++) {
    INTACT(sources[k]);
    guard_free(&sources[k]);
  }
  guard_free(&scale), guard_free(&bias), guard_free(&total), guard_free(&sum), guard_free(&to);
}

/* ---- Reductions ---- */

static const struct {
  wnn_fold fold;
  double start, tolerance;
  size_t most; /* elements, so that products of large numbers stay in the range of doubles */
} folds[] = {{WNN_FOLD_SUM, 0, 2e-6, 0},    {WNN_FOLD_ABS, 0, 2e-6, 0},      {WNN_FOLD_SQUARE, 0, 2e-6, 0},
             {WNN_FOLD_EXP, 0, 2e-6, 0},    {WNN_FOLD_PRODUCT, 1, 1e-12, 6}, {WNN_FOLD_MAX, -INFINITY, 0, 0},
             {WNN_FOLD_MIN, INFINITY, 0, 0}};

typedef struct folded {
  double value, bound;
} folded;
static void fold_in(folded *f, wnn_fold fold, double x, double shift) {
  double term = fold == WNN_FOLD_ABS      ? fabs(x)
                : fold == WNN_FOLD_SQUARE ? x * x
                : fold == WNN_FOLD_EXP    ? exp(x - shift)
                                          : x;
  if (fold == WNN_FOLD_MAX || fold == WNN_FOLD_MIN) {
    bool better = fold == WNN_FOLD_MAX ? x > f->value : x < f->value;
    if (!isnan(f->value) && (better || isnan(x))) f->value = x;
    return;
  }
  f->value = fold == WNN_FOLD_PRODUCT ? f->value * term : f->value + term;
  f->bound = fold == WNN_FOLD_PRODUCT ? fabs(f->value) : f->bound + fabs(term);
}
/* Doubles as far as float32 can tell. */
static void check_folded(double actual, const folded *f, double tolerance) {
  bool same =
      isnan(f->value) ? isnan(actual) : actual == f->value || fabs(actual - f->value) <= tolerance * f->bound + 1e-290;
  CHECK_MSG(same, "%s, seed %" PRIu64 ": %.17g, not %.17g", kernels.isa, from, actual, f->value);
}

static void fold(void) {
  uint32_t row = pick(0, sizeof folds / sizeof folds[0] - 1);
  size_t n = folds[row].most ? pick(1, (uint32_t)folds[row].most) : pick_length();
  guarded x = guard_floats(n, &seed, kind);
  double shift = kind == LARGE ? 1e15 : 8, result = folds[row].start;
  if (chance(2) && folds[row].fold < WNN_FOLD_PRODUCT) result = 3;
  folded f = {result, fabs(result)};
  for (size_t i = 0; i < n; i++) fold_in(&f, folds[row].fold, (double)guard_read(&x)[i], (double)(float)shift);
  kernels.f32_fold(folds[row].fold, n, guard_read(&x), (double)(float)shift, &result);
  /* Powers of numbers above the shift may leave the range of floats. */
  if (folds[row].fold != WNN_FOLD_EXP || kind != SPECIAL) check_folded(result, &f, folds[row].tolerance);
  INTACT(x);
  guard_free(&x);
}

static void mean_runs(void) {
  size_t n = chance(4) ? pick(1, WNN_SHORT_RUN) : pick(1, 70), runs = pick(1, 13);
  float by = chance(3) ? 1.0f : (float)n;
  guarded x = guard_floats(runs * n, &seed, kind), to = guard_alloc(runs * sizeof(float));
  if (chance(3)) /* whose sum leaves the range of float32, though the mean does not */
    for (size_t i = 0; i < n; i++) guard_write(&x)[pick(0, (uint32_t)runs - 1) * n + i] = 1e38f;
  kernels.f32_mean_runs(runs, n, guard_read(&x), by, guard_write(&to));
  for (size_t r = 0; r < runs; r++) {
    folded f = {0, 0};
    for (size_t i = 0; i < n; i++) fold_in(&f, WNN_FOLD_SUM, (double)guard_read(&x)[r * n + i], 0);
    SAME(guard_read(&to)[r], (double)(float)(f.value / (double)by), f.bound / (double)by, 2e-6);
  }
  INTACT(to);
  guard_free(&x), guard_free(&to);
}

static void affine(void) {
  size_t n = pick_length();
  guarded x = guard_floats(n, &seed, kind), y = guard_alloc(x.size), copy = guard_alloc(x.size);
  guarded factors = guard_floats(3, &seed, chance(4) ? kind : WHOLE);
  const float *by = guard_read(&factors), bias = chance(3) ? -0.0f : by[2];
  memcpy(copy.data, x.data, x.size);
  guarded *to = chance(3) ? &x : &y;
  kernels.f32_affine(n, guard_read(&x), by[0], by[1], bias, guard_write(to));
  for (size_t i = 0; i < n; i++) {
    float difference = guard_read(&copy)[i] - by[0];
    float product = difference * by[1], once = fmaf(difference, by[1], bias), twice = product + bias;
    float got = guard_read(to)[i];
    /* Rounded once or twice, as the instruction set has it. */
    bool same = (isnan(got) && (isnan(once) || isnan(twice))) || !memcmp(&got, &once, sizeof got) ||
                !memcmp(&got, &twice, sizeof got);
    CHECK_MSG(same, "%s, seed %" PRIu64 ": %.9g, not %.9g", kernels.isa, from, (double)got, (double)once);
  }
  INTACT(x);
  INTACT(y);
  guard_free(&x), guard_free(&y), guard_free(&copy), guard_free(&factors);
}

static void fold_rows(void) {
  uint32_t row = pick(0, sizeof folds / sizeof folds[0] - 1);
  if (folds[row].fold == WNN_FOLD_EXP) row = 0;
  size_t rows = folds[row].most ? pick(1, (uint32_t)folds[row].most) : pick(1, 20), columns = pick(1, 70);
  size_t stride = columns + pick(0, 5), size = (rows - 1) * stride + columns;
  guarded x = guard_floats(size, &seed, kind), to = guard_alloc(columns * sizeof(double));
  double *results = (double *)(void *)to.data;
  for (size_t c = 0; c < columns; c++) results[c] = folds[row].start;
  kernels.f32_fold_rows(folds[row].fold, rows, columns, guard_read(&x), stride, results);
  for (size_t c = 0; c < columns; c++) {
    folded f = {folds[row].start, 0};
    for (size_t r = 0; r < rows; r++) fold_in(&f, folds[row].fold, (double)guard_read(&x)[r * stride + c], 0);
    check_folded(results[c], &f, 1e-12);
  }
  INTACT(to);
  guard_free(&x), guard_free(&to);
}

/* ---- Index of the extreme element ---- */

static size_t extreme(bool greatest, size_t n, const float *x, size_t step) {
  size_t best = 0;
  for (size_t i = 1; i < n && !isnan(x[best * step]); i++) {
    float a = x[i * step], b = x[best * step];
    if (isnan(a) || (greatest ? a > b : a < b)) best = i;
  }
  return best;
}

static void arg(void) {
  size_t n = pick_length(), index = SIZE_MAX;
  bool greatest = chance(2);
  guarded x = guard_floats(n, &seed, kind);
  kernels.f32_arg(greatest, n, guard_read(&x), &index);
  EQUAL(index, extreme(greatest, n, guard_read(&x), 1));
  guard_free(&x);
}

static void arg_columns(void) {
  size_t rows = pick(1, 40), columns = pick(1, 70), stride = columns + pick(0, 5);
  bool greatest = chance(2);
  guarded x = guard_floats((rows - 1) * stride + columns, &seed, kind), to = guard_alloc(columns * sizeof(int32_t));
  const int32_t *index = (const int32_t *)(const void *)to.data;
  kernels.f32_arg_columns(greatest, rows, columns, guard_read(&x), stride, (int32_t *)(void *)to.data);
  for (size_t c = 0; c < columns; c++) EQUAL(index[c], extreme(greatest, rows, guard_read(&x) + c, stride));
  INTACT(to);
  guard_free(&x), guard_free(&to);
}

int main(int argc, char **argv) {
  static const slot_check checks[] = {{"softmax", softmax, 600},
                                      {"softmax_columns", softmax_columns, 400},
                                      {"norm", norm, 900},
                                      {"fold", fold, 1200},
                                      {"mean_runs", mean_runs, 900},
                                      {"affine", affine, 600},
                                      {"fold_rows", fold_rows, 900},
                                      {"arg", arg, 600},
                                      {"arg_columns", arg_columns, 400}};
  return slots_main(argc, argv, checks, sizeof checks / sizeof checks[0]);
}
