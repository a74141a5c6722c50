/* Vector functions against the exact values: the greatest error over sweeps of all magnitudes, at every set of
 * processor features, must stay within the bounds that kernels/simd/math.h states. Then lengths, repeated operands,
 * memory around the operands, and the special values. */
#include <inttypes.h>
#include <math.h>

#include "kernels/ukernels.h"
#include "support/test.h"

enum { BATCH = 4096 };

static double exact_sigmoid(double x) { return 1 / (1 + exp(-x)); }
static double exact_gelu(double x) { return 0.5 * x * erfc(x * -0.70710678118654752440); }
static double exact_softplus(double x) { return (x > 0 ? x : 0) + log1p(exp(-fabs(x))); }
static double exact_softsign(double x) { return x / (1 + fabs(x)); }
static double exact_elu(double x) { return x < 0 ? expm1(x) : x; }
static double exact_reciprocal(double x) { return 1 / x; }

/* Bounds in units in the last place; a baseline without multiply-add gets one more. Arguments from low to high in
 * magnitude, of both signs unless positive. */
static const struct {
  const char *name;
  uint16_t op;
  double (*exact)(double);
  double bound, low, high;
  bool positive;
} functions[] = {
    {"exp", WNN_VF_EXP, exp, 2, 1e-20, 87, false},
    {"log", WNN_VF_LOG, log, 2, 1e-44, 3e38, true},
    {"sin", WNN_VF_SIN, sin, 2, 1e-20, 1048576, false},
    {"cos", WNN_VF_COS, cos, 2, 1e-20, 1048576, false},
    {"tan", WNN_VF_TAN, tan, 4, 1e-20, 1048576, false},
    {"large sin", WNN_VF_SIN, sin, 1, 2e6, 3e38, false},
    {"large tan", WNN_VF_TAN, tan, 1, 2e6, 3e38, false},
    {"erf", WNN_VF_ERF, erf, 3, 1e-20, 10, false},
    {"tanh", WNN_VF_TANH, tanh, 3, 1e-20, 20, false},
    {"sigmoid", WNN_VF_SIGMOID, exact_sigmoid, 3, 1e-20, 87, false},
    {"softplus", WNN_VF_SOFTPLUS, exact_softplus, 3, 1e-20, 87, false},
    {"softsign", WNN_VF_SOFTSIGN, exact_softsign, 2, 1e-20, 1e30, false},
    {"elu", WNN_VF_ELU, exact_elu, 3, 1e-20, 1e30, false},
    {"gelu", WNN_VF_GELU, exact_gelu, 8, 1e-20, 5, false},
    {"gelu tail", WNN_VF_GELU, exact_gelu, 16, 1, 12.5, false},
    {"sqrt", WNN_VF_SQRT, sqrt, 0.51, 1e-37, 3e38, true},
    {"reciprocal", WNN_VF_RECIPROCAL, exact_reciprocal, 0.51, 1e-37, 1e37, false},
};

static const uint64_t masks[] = {0, WNN_CPU_AVX2, WNN_CPU_AVX2 | WNN_CPU_AVX512};
static bool table_of(size_t i, wnn_ukernels *u) {
  if ((masks[i] & wnn_cpu_detect()) != masks[i]) return false;
  wnn_ukernels_init(u, masks[i]);
  return true;
}

/* Distance in units in the last place of the exact value rounded to float32. */
static double ulps(float actual, double exact) {
  float nearest = (float)exact;
  if (isnan(exact) || isinf(nearest)) return (isnan(exact) ? isnan(actual) : actual == nearest) ? 0 : INFINITY;
  double unit = (double)nextafterf(fabsf(nearest), INFINITY) - fabs((double)nearest);
  return fabs((double)actual - exact) / unit;
}

static void run(const wnn_ukernels *u, uint16_t op, const float *a, const float *b, float *to, size_t n) {
  const wnn_vstep step = {.op = op, .to = 2, .from = {0, 1, 0}, .p = {.f32 = 1}, .q = {.f32 = 0}};
  float *pa, *pb;
  memcpy(&pa, &a, sizeof a), memcpy(&pb, &b, sizeof b);
  const wnn_vreg registers[] = {{pa, WNN_SPREAD_EACH}, {pb, WNN_SPREAD_EACH}, {to, WNN_SPREAD_EACH}};
  u->vector_program(&step, 1, registers, 1, n);
}

static void errors(void) {
  static float x[BATCH], y[BATCH];
  for (size_t m = 0; m < sizeof masks / sizeof masks[0]; m++) {
    wnn_ukernels u;
    if (!table_of(m, &u)) continue;
    for (size_t f = 0; f < sizeof functions / sizeof functions[0]; f++) {
      double worst = 0, bound = functions[f].bound + (masks[m] || functions[f].bound < 1 ? 0 : 1);
      float where = 0;
      uint64_t seed = 1 + f;
      for (int batch = 0; batch < 64; batch++) {
        for (int i = 0; i < BATCH; i++) {
          /* Even over the logarithm, then over the range itself. */
          double t = batch < 40 ? exp(test_uniform(&seed, log(functions[f].low), log(functions[f].high)))
                                : test_uniform(&seed, functions[f].low, functions[f].high);
          x[i] = (float)(functions[f].positive || test_random(&seed) & 1 ? t : -t);
        }
        run(&u, functions[f].op, x, x, y, BATCH);
        for (int i = 0; i < BATCH; i++) {
          double exact = functions[f].exact((double)x[i]), error = ulps(y[i], exact);
          /* Next to denormals the unit is no measure of relative error, and gelu of -0 has either sign. */
          if (fabs(exact) < 0x1p-125 && functions[f].op != WNN_VF_LOG) error = fabs((double)y[i] - exact) / 0x1p-148;
          if (!(error <= worst)) worst = error, where = x[i];
        }
      }
      CHECK_MSG(worst <= bound, "%s of %a at mask %" PRIx64 ": %.3g ULP, bound %g", functions[f].name, (double)where,
                masks[m], worst, bound);
    }
  }
}

static void powers(void) {
  static float x[BATCH], e[BATCH], y[BATCH];
  for (size_t m = 0; m < sizeof masks / sizeof masks[0]; m++) {
    wnn_ukernels u;
    if (!table_of(m, &u)) continue;
    double worst = 0;
    uint64_t seed = 7;
    for (int batch = 0; batch < 64; batch++) {
      for (int i = 0; i < BATCH; i++) {
        x[i] = (float)exp(test_uniform(&seed, -80, 80));
        e[i] = (float)test_uniform(&seed, -4, 4);
        if (batch % 4 == 1) x[i] = -x[i], e[i] = roundf(e[i]);
        if (batch % 4 == 2) x[i] = (float)test_uniform(&seed, 0.9, 1.1), e[i] *= 200;
      }
      run(&u, WNN_VF_POW, x, e, y, BATCH);
      for (int i = 0; i < BATCH; i++) {
        double exact = pow((double)x[i], (double)e[i]), error = ulps(y[i], exact);
        if (fabs(exact) < 0x1p-125) error = fabs((double)y[i] - exact) / 0x1p-148;
        if (!(error <= worst)) worst = error;
      }
    }
    CHECK_MSG(worst <= 1, "pow at mask %" PRIx64 ": %.3g ULP", masks[m], worst);
  }
}

static const float specials[] = {0.0f,  -0.0f, 1.0f,        -1.0f,        INFINITY, -INFINITY, NAN,
                                 0.5f,  -2.0f, 3.0f,        1e-45f,       3e38f,    -3e38f,    2.0f,
                                 -0.5f, 1e30f, 16777216.0f, -16777217.0f, 120.0f,   -120.0f};
enum { SPECIALS = sizeof specials / sizeof specials[0] };

static bool same(float a, double exact) {
  if (isnan(exact)) return isnan(a);
  return ulps(a, exact) <= 4 && (exact != 0 || a == 0);
}

static void special_values(void) {
  for (size_t m = 0; m < sizeof masks / sizeof masks[0]; m++) {
    wnn_ukernels u;
    if (!table_of(m, &u)) continue;
    for (size_t f = 0; f < sizeof functions / sizeof functions[0]; f++) {
      float y[SPECIALS];
      run(&u, functions[f].op, specials, specials, y, SPECIALS);
      for (int i = 0; i < SPECIALS; i++) {
        double x = (double)specials[i], exact = functions[f].exact(x);
        if (functions[f].op == WNN_VF_SOFTSIGN && isinf(x)) exact = copysign(1, x);
        if (functions[f].op == WNN_VF_GELU && x == -INFINITY) exact = 0;
        if (fabs(exact) < 1e-37 && fabs((double)y[i] - exact) < 1e-44) continue;
        CHECK_MSG(same(y[i], exact), "%s of %g at mask %" PRIx64 ": %g, not %g", functions[f].name, x, masks[m],
                  (double)y[i], exact);
      }
    }
    float a[SPECIALS * SPECIALS], b[SPECIALS * SPECIALS], y[SPECIALS * SPECIALS];
    for (int i = 0; i < SPECIALS * SPECIALS; i++) a[i] = specials[i / SPECIALS], b[i] = specials[i % SPECIALS];
    run(&u, WNN_VF_POW, a, b, y, SPECIALS * SPECIALS);
    for (int i = 0; i < SPECIALS * SPECIALS; i++) {
      double exact = pow((double)a[i], (double)b[i]);
      if (fabs(exact) < 1e-37 && fabs((double)y[i] - exact) < 1e-44) continue;
      CHECK_MSG(same(y[i], exact), "pow(%g, %g) at mask %" PRIx64 ": %g, not %g", (double)a[i], (double)b[i], masks[m],
                (double)y[i], exact);
    }
  }
}

/* Every length up to some vectors, with bytes around that must stay, and repeated operands. */
static void lengths(void) {
  enum { MOST = 80, GUARD = 32 };
  float a[MOST], b[MOST], line[16], to[MOST + 2 * GUARD];
  uint64_t seed = 3;
  for (int i = 0; i < MOST; i++) a[i] = (float)test_uniform(&seed, -4, 4), b[i] = (float)test_uniform(&seed, -4, 4);
  for (int i = 0; i < 16; i++) line[i] = 2.5f;
  for (size_t m = 0; m < sizeof masks / sizeof masks[0]; m++) {
    wnn_ukernels u;
    if (!table_of(m, &u)) continue;
    for (size_t n = 0; n <= MOST; n++)
      for (int repeat = 0; repeat < 4; repeat++) {
        for (int i = 0; i < MOST + 2 * GUARD; i++) to[i] = -77;
        const wnn_vstep step = {.op = WNN_VF_SUB, .to = 2, .from = {0, 1, 0}};
        const wnn_vreg registers[] = {{repeat & 1 ? line : a, (wnn_spread)(repeat & 1)},
                                      {repeat & 2 ? line : b, (wnn_spread)(repeat >> 1)},
                                      {to + GUARD, WNN_SPREAD_EACH}};
        u.vector_program(&step, 1, registers, 1, n);
        for (size_t i = 0; i < MOST + 2 * GUARD; i++) {
          float expected = -77;
          if (i >= GUARD && i - GUARD < n)
            expected = (repeat & 1 ? 2.5f : a[i - GUARD]) - (repeat & 2 ? 2.5f : b[i - GUARD]);
          CHECK_MSG(to[i] == expected, "length %zu, repeat %d, mask %" PRIx64 ": element %zu", n, repeat, masks[m], i);
        }
      }
  }
}

int main(int argc, char **argv) {
  test_begin(argc, argv);
  TEST(errors);
  TEST(powers);
  TEST(special_values);
  TEST(lengths);
  return test_end();
}
