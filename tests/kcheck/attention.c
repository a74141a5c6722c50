/* The attention kernel against plain loops, at every set of processor features: sizes around the tiles, steps through
 * memory, shares, forbidden memory at the ends, special values. KCHECK_SEED repeats one case. */
#define _DEFAULT_SOURCE
#include <inttypes.h>

#include "kcheck/guard.h"
#include "kernels/attention.h"

static wnn_ukernels kernels;
static uint64_t seed, from;

static uint32_t pick(uint32_t low, uint32_t high) { return low + (uint32_t)(test_random(&seed) % (high - low + 1)); }
static bool chance(uint32_t one_in) { return pick(1, one_in) == 1; }

/* A matrix in memory with room between rows: `across` changes the order of its dimensions. */
typedef struct matrix {
  guarded memory;
  size_t row, column, batch;
} matrix;

static matrix make_matrix(size_t batches, size_t rows, size_t columns, bool across, filling kind) {
  size_t inner = across ? rows : columns, outer = across ? columns : rows, step = inner + pick(0, 3);
  matrix m = {.row = across ? 1 : step, .column = across ? step : 1, .batch = outer * step + pick(0, 5)};
  m.memory = guard_floats((batches - 1) * m.batch + (outer - 1) * step + inner, &seed, kind);
  return m;
}

static double element(const matrix *m, size_t batch, size_t row, size_t column) {
  return (double)guard_read(&m->memory)[batch * m->batch + row * m->row + column * m->column];
}

/* One row of results; false when a sum leaves the range of floats. */
static bool plain_row(const wnn_attention_params *p, const matrix *parts, size_t batch, size_t query, double *weights,
                      double *result, double *bounds) {
  double most = -INFINITY, total = 0;
  for (size_t k = 0; k < p->keys; k++) {
    double score = 0, bound = 0;
    for (size_t i = 0; i < p->depth; i++) {
      double term = element(&parts[WNN_ATTENTION_Q], batch, query, i) *
                    (double)(float)(element(&parts[WNN_ATTENTION_K], batch, k, i) * (double)p->scale);
      score += term;
      if (isfinite(term)) bound += fabs(term);
    }
    if (p->masked) score += element(&parts[WNN_ATTENTION_MASK], batch, query, k);
    if (bound > 1e30) return false;
    weights[k] = score;
    most = isnan(score) || score > most ? score : most;
  }
  for (size_t k = 0; k < p->keys; k++) total += weights[k] = exp(weights[k] - most);
  for (size_t k = 0; k < p->keys; k++)
    if (isnan(weights[k])) total = NAN;
  for (size_t i = 0; i < p->width; i++) {
    result[i] = bounds[i] = 0;
    for (size_t k = 0; k < p->keys; k++) {
      double term = weights[k] / total * element(&parts[WNN_ATTENTION_V], batch, k, i);
      result[i] += term;
      if (isfinite(term)) bounds[i] += fabs(term);
    }
    bounds[i] += 1e-30; /* weights near the least normal number come out as 0 */
    if (bounds[i] > 1e30) return false;
  }
  return true;
}

static void check_case(filling kind) {
  wnn_attention_params p = {.u = &kernels,
                            .batches = pick(1, 4),
                            .queries = pick(1, chance(4) ? 90 : 20),
                            .keys = chance(8) ? 256 * pick(1, 4) : pick(1, chance(4) ? 300 : 40),
                            .depth = pick(1, 40),
                            .width = pick(1, 40),
                            .k_across = chance(2),
                            .v_across = chance(2),
                            .masked = chance(2),
                            .scale = chance(2) ? 0.25f : -0.125f};
  bool common = chance(3); /* one row of the mask for all queries */
  matrix parts[WNN_ATTENTION_PARTS];
  parts[WNN_ATTENTION_Q] = make_matrix(p.batches, p.queries, p.depth, false, kind);
  parts[WNN_ATTENTION_K] = make_matrix(p.batches, p.keys, p.depth, p.k_across, kind == SPECIAL ? WHOLE : kind);
  parts[WNN_ATTENTION_V] = make_matrix(p.batches, p.keys, p.width, p.v_across, kind);
  parts[WNN_ATTENTION_MASK] = make_matrix(p.batches, common ? 1 : p.queries, p.keys, false, kind);
  parts[WNN_ATTENTION_OUT] = make_matrix(p.batches, p.queries, p.width, false, WHOLE);
  if (common) parts[WNN_ATTENTION_MASK].row = 0;
  size_t offsets[4 * WNN_ATTENTION_PARTS], count = parts[WNN_ATTENTION_OUT].memory.size / sizeof(float);
  for (size_t b = 0; b < p.batches; b++)
    for (size_t i = 0; i < WNN_ATTENTION_PARTS; i++) offsets[b * WNN_ATTENTION_PARTS + i] = b * parts[i].batch;
  p.offsets = offsets;
  for (int i = 0; i < WNN_ATTENTION_PARTS; i++) p.row[i] = parts[i].row;
  if (p.k_across) p.row[WNN_ATTENTION_K] = parts[WNN_ATTENTION_K].column;
  if (p.v_across) p.row[WNN_ATTENTION_V] = parts[WNN_ATTENTION_V].column;
  float *before = malloc(count * sizeof *before);
  memcpy(before, parts[WNN_ATTENTION_OUT].memory.data, count * sizeof *before);

  size_t units = wnn_attention_plan(&p, pick(1, 3)), cut = pick(0, (uint32_t)units);
  guarded scratch = guard_alloc((wnn_attention_scratch(&p) + 63) / 64 * 64);
  wnn_view inputs[4] = {{0}}, output = {.data = parts[WNN_ATTENTION_OUT].memory.data};
  for (int i = 0; i < 4; i++) inputs[i].data = parts[i].memory.data;
  wnn_task task = {.input_count = 4, .output_count = 1, .inputs = inputs, .outputs = &output, .params = &p};
  wnn_f32_attention(&task, cut, units, scratch.data);
  wnn_f32_attention(&task, 0, cut, scratch.data);

  double *weights = malloc(p.keys * sizeof *weights), result[40], bounds[40];
  const float *out = guard_read(&parts[WNN_ATTENTION_OUT].memory);
  for (size_t b = 0; b < p.batches; b++)
    for (size_t q = 0; q < p.queries; q++) {
      float *old = before + b * parts[WNN_ATTENTION_OUT].batch + q * p.row[WNN_ATTENTION_OUT];
      const float *got = out + (old - before);
      bool fine = plain_row(&p, parts, b, q, weights, result, bounds);
      for (size_t i = 0; i < p.width; i++) {
        CHECK_MSG(!fine || guard_same(got[i], result[i], bounds[i], 2e-6), "%s, seed %" PRIu64 ": %g, not %g",
                  kernels.isa, from, (double)got[i], result[i]);
        old[i] = got[i];
      }
    }
  CHECK_MSG(!memcmp(before, out, count * sizeof *out), "%s, seed %" PRIu64 ": wrote between rows", kernels.isa, from);
  for (int i = 0; i < WNN_ATTENTION_PARTS; i++) {
    CHECK_MSG(guard_intact(&parts[i].memory), "%s, seed %" PRIu64 ": wrote before part %d", kernels.isa, from, i);
    guard_free(&parts[i].memory);
  }
  CHECK(guard_intact(&scratch));
  guard_free(&scratch);
  free(weights), free(before);
}

static void each(filling kind, uint32_t count) {
  static const uint64_t masks[] = {0, WNN_CPU_AVX2, WNN_CPU_AVX2 | WNN_CPU_AVX512};
  const char *one = getenv("KCHECK_SEED");
  for (size_t i = 0; i < sizeof masks / sizeof *masks; i++) {
    if ((masks[i] & wnn_cpu_detect()) != masks[i]) continue;
    wnn_ukernels_init(&kernels, masks[i]);
    for (uint32_t n = 0; n < count; n++) {
      seed = from = one ? strtoull(one, NULL, 10) : 1000 * (uint64_t)kind + n;
      check_case(kind);
      if (one) break;
    }
  }
}

static void numbers(void) { each(WHOLE, 250); }
static void special_numbers(void) { each(SPECIAL, 250); }

int main(int argc, char **argv) {
  test_begin(argc, argv);
  TEST(numbers);
  TEST(special_numbers);
  return test_end();
}
