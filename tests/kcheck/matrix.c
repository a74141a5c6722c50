/* Slots of the matrix family against plain loops, at every set of processor features: sizes around the tiles,
 * strides, forbidden memory at the ends, special values. KCHECK_SEED repeats one case; --bench times the slots. */
#define _DEFAULT_SOURCE
#include <time.h>

#include "base/dtype.h"
#include "kcheck/slots.h"
#include "kernels/winograd.h"

#define NEAR(actual, expected, bound) SAME(actual, expected, bound, 1e-6)

/* A sum and the magnitudes in it. */
typedef struct sum {
  double value, bound, finite;
  bool overflow; /* a partial sum may leave the range of floats: the order decides what comes out */
} sum;

static void add(sum *s, double term) {
  s->value += term;
  s->bound += fabs(term);
  if (isfinite(term)) s->finite += fabs(term);
  if (s->finite > 3e38) s->overflow = true;
}

static double limited(double x, float lo, float hi) {
  return isnan(x) ? x : x < (double)lo ? (double)lo : x > (double)hi ? (double)hi : x;
}

/* ---- Matrix product ---- */

static void gemm_tile(void) {
  uint32_t mr = kernels.gemm_mr, m = pick(1, mr), vl = kernels.vl, n = pick(1, kernels.gemm_nv[m] * vl);
  uint32_t taps = chance(2) ? 1 : pick(1, 4), k = pick(1, 40), step = m + pick(0, 3);
  size_t offset = pick(0, 5), c_stride = n + pick(0, 9), panels = (n + vl - 1) / vl;
  size_t panel = (size_t)taps * k * vl + pick(0, 1) * 16;
  guarded a = guard_floats((size_t)taps * m * (k + offset), &seed, kind);
  guarded b = guard_floats(panels * panel, &seed, kind == SPECIAL ? WHOLE : kind);
  guarded c = guard_floats((m - 1) * c_stride + n, &seed, WHOLE),
          before = guard_floats((m - 1) * c_stride + n, &seed, WHOLE);
  guarded residual = guard_floats((m - 1) * c_stride + n, &seed, kind), init = guard_floats(n, &seed, kind);
  memcpy(c.data, before.data, c.size);
  const float *rows[4 * (WNN_GEMM_MAX_ROWS + 3)];
  for (uint32_t t = 0; t < taps; t++)
    for (uint32_t i = 0; i < m; i++) rows[t * step + i] = guard_read(&a) + (t * m + i) * (k + offset);
  wnn_f32_tile tile = {.m = m,
                       .n = n,
                       .taps = taps,
                       .k = k,
                       .a_step = step,
                       .accumulate = chance(3),
                       .limit = chance(2),
                       .lo = -20,
                       .hi = 30,
                       .a = rows,
                       .a_offset = offset,
                       .b = guard_read(&b),
                       .b_panel = panel,
                       .init = chance(2) ? guard_read(&init) : NULL,
                       .c = guard_write(&c),
                       .c_stride = c_stride,
                       .residual = chance(2) ? guard_read(&residual) : NULL,
                       .residual_stride = c_stride};
  kernels.f32_gemm_tile(&tile);
  for (uint32_t i = 0; i < m; i++) {
    for (uint32_t j = 0; j < c_stride && i * c_stride + j < c.size / 4; j++) {
      float old = guard_read(&before)[i * c_stride + j], got = tile.c[i * c_stride + j];
      if (j >= n) {
        NEAR(got, (double)old, 0);
        continue;
      }
      sum s = {0};
      add(&s, (double)(tile.accumulate ? old : tile.init ? tile.init[j] : 0.0f));
      for (uint32_t t = 0; t < taps; t++)
        for (uint32_t x = 0; x < k; x++)
          add(&s, (double)rows[t * step + i][offset + x] * (double)tile.b[j / vl * panel + (t * k + x) * vl + j % vl]);
      if (tile.residual) add(&s, (double)tile.residual[i * c_stride + j]);
      if (s.overflow) continue;
      NEAR(got, tile.limit ? limited(s.value, tile.lo, tile.hi) : s.value, s.bound);
    }
  }
  INTACT(c);
  guard_free(&a), guard_free(&b), guard_free(&c), guard_free(&before), guard_free(&residual), guard_free(&init);
}

static void pack(void) {
  uint32_t vl = kernels.vl, n = pick(1, vl), taps = pick(1, 9), inputs = pick(1, 9), k = taps * inputs;
  bool columns = chance(2);
  size_t stride = (columns ? k : n) + pick(0, 5);
  guarded source = guard_floats(((columns ? n : k) - 1) * stride + (columns ? k : n), &seed, kind);
  guarded panel = guard_alloc((size_t)k * vl * sizeof(float));
  float scale = chance(2) ? 1 : 0.5f;
  size_t shift = pick(0, 3); /* the same bytes at any address */
  guarded askew = guard_alloc(source.size + shift);
  const void *lying = (char *)guard_write(&askew) + shift;
  memcpy((char *)guard_write(&askew) + shift, guard_read(&source), source.size);
  if (columns)
    kernels.f32_pack_columns(k, n, lying, stride, scale, taps, guard_write(&panel));
  else
    kernels.f32_pack_rows(k, n, lying, stride, scale, guard_write(&panel));
  for (uint32_t q = 0; q < k; q++)
    for (uint32_t j = 0; j < vl; j++) {
      uint32_t row = columns ? q % taps * inputs + q / taps : q;
      float value = j < n ? guard_read(&source)[columns ? j * stride + q : q * stride + j] * scale : 0;
      NEAR(guard_read(&panel)[row * vl + j], (double)value, 0);
    }
  INTACT(panel);
  guard_free(&source), guard_free(&panel), guard_free(&askew);
}

/* C of a whole blocked product, by an algebraic residual: C x = A (B x) for a random vector x. */
static void gemm_residual(void) {
  size_t m = pick(1, 300), n = pick(1, 300), k = pick(1, 1500);
  float *a = malloc(m * k * sizeof *a), *b = malloc(k * n * sizeof *b), *c = malloc(m * n * sizeof *c);
  for (size_t i = 0; i < m * k; i++) a[i] = (float)test_uniform(&seed, -1, 1);
  for (size_t i = 0; i < k * n; i++) b[i] = (float)test_uniform(&seed, -1, 1);
  float *panels = malloc(wnn_pack_size(&kernels, k, n) * sizeof *panels);
  wnn_pack_b(&kernels, k, n, b, n, false, 1, 1, panels);
  wnn_igemm g = {
      .u = &kernels, .m = m, .n = n, .k = k, .taps = 1, .groups = 1, .batches = 1, .a_row = k, .c_row = n, .b = panels};
  size_t units = wnn_igemm_plan(&g, pick(1, 3)), cut = units / 2;
  void *scratch = malloc(wnn_igemm_scratch(&g));
  wnn_view in = {.data = a}, out = {.data = c};
  wnn_task task = {.input_count = 1, .output_count = 1, .inputs = &in, .outputs = &out, .params = &g};
  wnn_f32_igemm(&task, cut, units, scratch);
  wnn_f32_igemm(&task, 0, cut, scratch);
  double *x = malloc(n * sizeof *x), *bx = calloc(k, sizeof *bx);
  for (size_t j = 0; j < n; j++) x[j] = test_uniform(&seed, -1, 1);
  for (size_t i = 0; i < k; i++)
    for (size_t j = 0; j < n; j++) bx[i] += (double)b[i * n + j] * x[j];
  for (size_t i = 0; i < m; i++) {
    double left = 0, right = 0;
    for (size_t j = 0; j < n; j++) left += (double)c[i * n + j] * x[j];
    for (size_t j = 0; j < k; j++) right += (double)a[i * k + j] * bx[j];
    /* Rounding of k sums of about sqrt(k) times 2^-24, n of them at random. */
    double bound = 6e-8 * (double)k * sqrt((double)n) + 1e-5;
    CHECK_MSG(fabs(left - right) <= bound, "%s, seed %" PRIu64 ": row %zu of %zu x %zu x %zu is off by %g", kernels.isa,
              from, i, m, k, n, left - right);
  }
  free(a), free(b), free(c), free(panels), free(scratch), free(x), free(bx);
}

/* ---- Conversion ---- */

static void transpose(void) {
  size_t rows = chance(2) ? pick(1, 4) : pick(1, 40), columns = pick(1, 40);
  size_t from_stride = columns + pick(0, 3), to_stride = rows + (chance(2) ? 0 : pick(0, 3));
  guarded a = guard_floats((rows - 1) * from_stride + columns, &seed, kind);
  guarded b = guard_alloc(((columns - 1) * to_stride + rows) * sizeof(float));
  kernels.f32_transpose(rows, columns, guard_read(&a), from_stride, guard_write(&b), to_stride);
  for (size_t r = 0; r < rows; r++)
    for (size_t c = 0; c < columns; c++)
      NEAR(guard_read(&b)[c * to_stride + r], (double)guard_read(&a)[r * from_stride + c], 0);
  for (size_t c = 0; c + 1 < columns; c++)
    for (size_t r = rows; r < to_stride; r++) CHECK_EQ(b.data[(c * to_stride + r) * sizeof(float)], GUARD_BYTE);
  INTACT(b);
  guard_free(&a), guard_free(&b);
}

static void convert(void) {
  size_t n = pick(0, 50);
  guarded words = guard_alloc(n * 2), floats = guard_alloc(n * 4), back = guard_alloc(n * 2);
  uint16_t *half = (uint16_t *)(void *)words.data, *again = (uint16_t *)(void *)back.data;
  for (size_t i = 0; i < n; i++) half[i] = (uint16_t)test_random(&seed);
  kernels.f32_widen(n, half, guard_write(&floats));
  for (size_t i = 0; i < n; i++) NEAR(guard_read(&floats)[i], (double)wnn_f16_to_f32(half[i]), 0);
  for (size_t i = 0; i < n; i++) guard_write(&floats)[i] = guard_number(&seed, kind) * 1.0009765f;
  kernels.f32_narrow(n, guard_read(&floats), again);
  for (size_t i = 0; i < n; i++) {
    uint16_t expected = wnn_f32_to_f16(guard_read(&floats)[i]);
    bool nan = (expected & 0x7FFF) > 0x7C00;
    CHECK_MSG(nan ? (again[i] & 0x7FFF) > 0x7C00 : again[i] == expected, "%s, seed %" PRIu64 ": %x, not %x",
              kernels.isa, from, again[i], expected);
  }
  INTACT(floats);
  INTACT(back);
  guard_free(&words), guard_free(&floats), guard_free(&back);
}

/* Sums are rounded after each addition. */
static void add_halves(void) {
  size_t n = pick(1, 50);
  uint32_t count = pick(1, 3);
  guarded words[3], floats = guard_alloc(n * 4), kept = guard_alloc(n * 2);
  const uint16_t *sources[3];
  for (uint32_t k = 0; k < 3; k++) {
    words[k] = guard_alloc(n * 2);
    uint16_t *half = (uint16_t *)(void *)words[k].data;
    for (size_t i = 0; i < n; i++) half[i] = wnn_f32_to_f16((float)test_uniform(&seed, -9, 9));
    sources[k] = half;
  }
  bool keep = chance(2);
  uint16_t *total = (uint16_t *)(void *)kept.data;
  kernels.f16_add_rows(count, sources, n, guard_write(&floats), keep ? total : NULL);
  for (size_t i = 0; i < n; i++) {
    float expected = wnn_f16_to_f32(sources[0][i]);
    for (uint32_t k = 1; k < count; k++)
      expected = wnn_f16_to_f32(wnn_f32_to_f16(expected + wnn_f16_to_f32(sources[k][i])));
    NEAR(guard_read(&floats)[i], (double)expected, 0);
    if (keep) CHECK_EQ(total[i], wnn_f32_to_f16(expected));
  }
  INTACT(floats);
  INTACT(kept);
  guard_free(&floats), guard_free(&kept);
  for (int k = 0; k < 3; k++) guard_free(&words[k]);
}

/* ---- Windows ---- */

typedef enum mode { DEPTHWISE, MAXIMUM, AVERAGE, L2 } window_mode;

static void check_run(window_mode mode) {
  wnn_f32_run run = {.rows = pick(0, 5),
                     .columns = chance(2) ? 3 : pick(0, 6),
                     .lines = pick(1, 3),
                     .count = pick(1, 17),
                     .channels = chance(3) ? pick(1, 3) : pick(1, 70)};
  if (!run.rows || !run.columns) run.rows = run.columns = 0;
  size_t dilation = chance(3) ? 2 : 1;
  run.column_step = dilation * run.channels;
  run.pixel_step = pick(1, 3) * run.channels;
  size_t width = (run.count - 1) * (run.pixel_step / run.channels) + (run.columns ? run.columns - 1 : 0) * dilation + 1;
  run.row_step = width * run.channels + pick(0, 7);
  run.input_line = pick(0, 2) * run.row_step;
  run.output_step = run.channels + (chance(2) ? 0 : pick(1, 3));
  run.output_line = run.count * run.output_step + pick(0, 5);
  size_t taps = (size_t)run.rows * run.columns;
  size_t out_size = (run.lines - 1) * run.output_line + (run.count - 1) * run.output_step + run.channels;
  size_t in_size =
      (run.lines - 1) * run.input_line + (run.rows ? run.rows - 1 : 0) * run.row_step + width * run.channels;
  guarded input = guard_floats(in_size, &seed, kind);
  guarded weights = guard_floats(taps * run.channels + 1, &seed, WHOLE), init = guard_floats(run.channels, &seed, kind);
  guarded residual = guard_floats(out_size, &seed, kind), output = guard_alloc(out_size * sizeof(float));
  run.input = guard_read(&input);
  run.output = guard_write(&output);
  run.limit = chance(2), run.lo = -3, run.hi = 40;
  run.scale = taps ? 1.0f / (float)taps : 0;
  if (mode == DEPTHWISE) {
    run.weights = guard_read(&weights) + 1;
    run.weights_row = run.columns * run.channels;
    if (chance(2)) run.init = guard_read(&init);
    if (chance(2)) run.residual = guard_read(&residual);
  }
  (mode == DEPTHWISE ? kernels.f32_depthwise
   : mode == MAXIMUM ? kernels.f32_pool_max
   : mode == AVERAGE ? kernels.f32_pool_average
                     : kernels.f32_pool_l2)(&run);
  for (size_t at = 0; at < out_size; at++) {
    size_t y = at / run.output_line, i = at % run.output_line / run.output_step,
           c = at % run.output_line % run.output_step;
    if (i >= run.count || c >= run.channels) {
      CHECK_EQ(output.data[at * sizeof(float)], GUARD_BYTE);
      continue;
    }
    sum s = {0};
    double largest = -INFINITY;
    if (run.init) add(&s, (double)run.init[c]);
    for (uint32_t p = 0; p < run.rows; p++)
      for (uint32_t q = 0; q < run.columns; q++) {
        double x =
            (double)run.input[y * run.input_line + i * run.pixel_step + p * run.row_step + q * run.column_step + c];
        if (mode == DEPTHWISE) x *= (double)run.weights[p * run.weights_row + q * run.channels + c];
        add(&s, mode == L2 ? x * x : x);
        largest = isnan(x) || isnan(largest) ? (double)NAN : x > largest ? x : largest;
      }
    if (run.residual) add(&s, (double)run.residual[at]);
    if (s.overflow && mode != MAXIMUM) continue;
    double value = mode == MAXIMUM   ? largest
                   : mode == AVERAGE ? s.value * (double)run.scale
                   : mode == L2      ? sqrt(s.value)
                                     : s.value;
    NEAR(run.output[at], run.limit ? limited(value, run.lo, run.hi) : value, s.bound + 1);
  }
  INTACT(output);
  guard_free(&input), guard_free(&weights), guard_free(&init), guard_free(&residual), guard_free(&output);
}

static void depthwise(void) { check_run(DEPTHWISE); }
static void pool_max(void) { check_run(MAXIMUM); }
static void pool_average(void) { check_run(AVERAGE); }
static void pool_l2(void) { check_run(L2); }

/* A plane that begins and ends where memory that may be read does. */
static void check_plane(window_mode mode) {
  wnn_f32_plane p = {.in_h = pick(1, 20),
                     .in_w = pick(1, chance(3) ? 150 : 50),
                     .kernel_h = chance(2) ? 3 : pick(1, 5),
                     .stride_h = chance(2) ? 1 : pick(1, 3),
                     .dilation_h = chance(3) ? 2 : 1,
                     .dilation_w = mode == DEPTHWISE && chance(3) ? 2 : 1,
                     .limit = mode == DEPTHWISE && chance(2),
                     .lo = -3,
                     .hi = 40};
  p.kernel_w = chance(2) ? p.kernel_h : pick(1, 5);
  p.stride_w = mode == DEPTHWISE ? 1 : pick(1, 3);
  p.top = (int32_t)pick(0, p.kernel_h), p.left = (int32_t)pick(0, p.kernel_w);
  uint32_t high = p.in_h + (uint32_t)p.top + pick(0, 3), wide = p.in_w + (uint32_t)p.left + pick(0, 3);
  uint32_t reach_h = (p.kernel_h - 1) * p.dilation_h, reach_w = (p.kernel_w - 1) * p.dilation_w;
  p.out_h = high > reach_h ? (high - reach_h - 1) / p.stride_h + 1 : 1;
  p.out_w = wide > reach_w ? (wide - reach_w - 1) / p.stride_w + 1 : 1;
  size_t out_size = (size_t)p.out_h * p.out_w;
  guarded input = guard_floats((size_t)p.in_h * p.in_w, &seed, kind), output = guard_alloc(out_size * sizeof(float));
  guarded weights = guard_floats((size_t)p.kernel_h * p.kernel_w, &seed, WHOLE),
          residual = guard_floats(out_size, &seed, kind);
  guarded zeros = guard_alloc(p.in_w * sizeof(float)), columns = guard_alloc(p.out_w * sizeof(float));
  guarded scratch = guard_alloc(WNN_PLANE_SCRATCH(p.out_w, p.stride_w, p.kernel_w) * sizeof(float));
  memset(zeros.data, 0, zeros.size);
  p.input = guard_read(&input), p.output = guard_write(&output), p.scratch = guard_write(&scratch);
  p.weights = guard_read(&weights), p.zeros = guard_read(&zeros), p.columns = guard_read(&columns);
  if (mode == DEPTHWISE) {
    p.init = (float)pick(0, 3);
    if (chance(2)) p.residual = guard_read(&residual);
  }
  for (uint32_t x = 0; x < p.out_w; x++) {
    float count = 0;
    for (uint32_t q = 0; q < p.kernel_w; q++) {
      int32_t column = (int32_t)(x * p.stride_w + q) - p.left;
      count += column >= 0 && column < (int32_t)p.in_w;
    }
    guard_write(&columns)[x] = count;
  }
  (mode == DEPTHWISE ? kernels.f32_plane_depthwise
   : mode == MAXIMUM ? kernels.f32_plane_max
   : mode == AVERAGE ? kernels.f32_plane_average
                     : kernels.f32_plane_l2)(&p);
  for (size_t at = 0; at < out_size; at++) {
    uint32_t y = (uint32_t)(at / p.out_w), x = (uint32_t)(at % p.out_w), count = 0;
    sum s = {0};
    double largest = -INFINITY;
    add(&s, (double)p.init);
    for (uint32_t i = 0; i < p.kernel_h * p.kernel_w; i++) {
      int32_t row = (int32_t)(y * p.stride_h + i / p.kernel_w * p.dilation_h) - p.top;
      int32_t column = (int32_t)(x * p.stride_w + i % p.kernel_w * p.dilation_w) - p.left;
      if (row < 0 || row >= (int32_t)p.in_h || column < 0 || column >= (int32_t)p.in_w) continue;
      double v = (double)p.input[(size_t)row * p.in_w + (size_t)column];
      if (mode == DEPTHWISE) v *= (double)p.weights[i];
      add(&s, mode == L2 ? v * v : v);
      largest = isnan(v) || isnan(largest) ? (double)NAN : v > largest ? v : largest;
      count++;
    }
    if (p.residual) add(&s, (double)p.residual[at]);
    if (s.overflow && mode != MAXIMUM) continue;
    double value = mode == MAXIMUM   ? largest
                   : mode == AVERAGE ? (count ? s.value / count : 0)
                   : mode == L2      ? sqrt(s.value)
                                     : s.value;
    NEAR(p.output[at], p.limit ? limited(value, p.lo, p.hi) : value, s.bound + 1);
  }
  INTACT(output);
  INTACT(scratch);
  guard_free(&input), guard_free(&output), guard_free(&weights), guard_free(&residual), guard_free(&zeros);
  guard_free(&columns), guard_free(&scratch);
}

static void plane_depthwise(void) { check_plane(DEPTHWISE); }
static void plane_max(void) { check_plane(MAXIMUM); }
static void plane_average(void) { check_plane(AVERAGE); }
static void plane_l2(void) { check_plane(L2); }

/* One tile through the three transforms against direct convolution. The bound of F(4x4): its transforms multiply
 * rounding errors by up to about 100 in the worst case, by about 10 on average. */
static void winograd(void) {
  uint32_t edge = chance(2) ? 2 : 4, side = edge + 2, vl = kernels.vl;
  size_t inputs = pick(1, 40), outputs = pick(1, vl), elements = side * side;
  guarded image = guard_floats(elements * inputs, &seed, WHOLE), filter = guard_floats(9 * inputs * vl, &seed, WHOLE);
  guarded panel = guard_alloc(elements * inputs * vl * sizeof(float)),
          tiles = guard_alloc(elements * inputs * sizeof(float));
  guarded products = guard_alloc(elements * outputs * sizeof(float));
  size_t pixel = outputs + pick(0, 3), row = pixel * edge + pick(0, 3),
         size = (edge - 1) * row + (edge - 1) * pixel + outputs;
  guarded out = guard_alloc(size * sizeof(float)), init = guard_floats(outputs, &seed, WHOLE),
          residual = guard_floats(size, &seed, WHOLE);
  memcpy(panel.data + (elements - 9) * inputs * vl * sizeof(float), filter.data, filter.size);
  kernels.f32_winograd_filter(edge, inputs, guard_write(&panel));
  const float *pixels[36];
  for (size_t i = 0; i < elements; i++) pixels[i] = guard_read(&image) + i * inputs;
  kernels.f32_winograd_input(edge, inputs, pixels, guard_write(&tiles), inputs);
  for (size_t e = 0; e < elements; e++)
    for (size_t o = 0; o < outputs; o++) {
      float value = 0;
      for (size_t c = 0; c < inputs; c++)
        value += guard_read(&tiles)[e * inputs + c] * guard_read(&panel)[(e * inputs + c) * vl + o];
      guard_write(&products)[e * outputs + o] = value;
    }
  wnn_f32_winograd_out w = {.channels = outputs,
                            .from_step = outputs,
                            .row_step = row,
                            .pixel_step = pixel,
                            .rows = pick(1, edge),
                            .columns = pick(1, edge),
                            .from = guard_read(&products),
                            .init = chance(2) ? guard_read(&init) : NULL,
                            .residual = chance(2) ? guard_read(&residual) : NULL,
                            .to = guard_write(&out),
                            .limit = chance(2),
                            .lo = -100,
                            .hi = 200};
  kernels.f32_winograd_output(edge, &w);
  for (uint32_t y = 0; y < w.rows; y++)
    for (uint32_t x = 0; x < w.columns; x++)
      for (size_t o = 0; o < outputs; o++) {
        size_t at = y * row + x * pixel + o;
        double value = (w.init ? (double)w.init[o] : 0) + (w.residual ? (double)w.residual[at] : 0);
        for (uint32_t t = 0; t < 9; t++)
          for (size_t c = 0; c < inputs; c++)
            value += (double)pixels[(y + t / 3) * side + x + t % 3][c] *
                     (double)guard_read(&filter)[(t * inputs + c) * vl + o];
        if (w.limit) value = limited(value, w.lo, w.hi);
        /* Terms are at most 64; 2^-24 of their greatest sum. */
        double bound = 64.0 * 9 * (double)inputs * (edge == 2 ? 6e-8 : 6e-7);
        CHECK_MSG(fabs((double)w.to[at] - value) <= bound, "%s, seed %" PRIu64 ": edge %u is off by %g", kernels.isa,
                  from, edge, (double)w.to[at] - value);
      }
  for (size_t i = 0; i < size; i++) { /* what lies outside the part asked for is not touched */
    size_t y = i / row, x = i % row / pixel, o = i % row % pixel;
    if (y < w.rows && x < w.columns && o < outputs) continue;
    CHECK_EQ(out.data[i * sizeof(float)], GUARD_BYTE);
  }
  INTACT(out);
  INTACT(tiles);
  guard_free(&image), guard_free(&filter), guard_free(&panel), guard_free(&tiles), guard_free(&products),
      guard_free(&out);
  guard_free(&init), guard_free(&residual);
}

/* Whole images, whose units of tiles and columns run in any order; as many channels as the method is used for. */
static void winograd_image(void) {
  uint32_t edge = chance(2) ? 2 : 4, inputs = pick(16, 48), outputs = pick(1, 200), top = pick(0, 2), left = pick(0, 2);
  wnn_winograd w = {.u = &kernels,
                    .edge = edge,
                    .batches = pick(1, 2),
                    .inputs = inputs,
                    .outputs = outputs,
                    .out_row = outputs + pick(0, 3),
                    .in_h = pick(1, 30),
                    .in_w = pick(1, 30),
                    .top = (int32_t)top,
                    .left = (int32_t)left,
                    .limit = chance(2),
                    .lo = -100,
                    .hi = 200};
  w.out_h = w.in_h + top > 2 ? w.in_h + top - 2 : 1, w.out_w = w.in_w + left > 2 ? w.in_w + left - 2 : 1;
  size_t out_pixels = w.batches * w.out_h * w.out_w, out_size = (out_pixels - 1) * w.out_row + outputs;
  guarded image = guard_floats(w.batches * w.in_h * w.in_w * inputs, &seed, WHOLE);
  guarded filter = guard_floats((size_t)outputs * 9 * inputs, &seed, WHOLE);
  guarded out = guard_alloc(out_size * sizeof(float)), init = guard_floats(outputs, &seed, WHOLE),
          residual = guard_floats(out_size, &seed, WHOLE), zeros = guard_alloc(inputs * sizeof(float));
  memset(zeros.data, 0, zeros.size);
  if (chance(2)) w.init = guard_read(&init);
  w.residual_input = chance(2);
  w.zeros = guard_read(&zeros);
  wnn_winograd_filter how = {&kernels,
                             {.outputs = outputs,
                              .inputs = inputs,
                              .groups = 1,
                              .taps_h = 3,
                              .taps_w = 3,
                              .output_stride = 9 * (size_t)inputs,
                              .input_stride = 1,
                              .height_stride = 3 * (size_t)inputs,
                              .width_stride = inputs},
                             edge};
  guarded weights = guard_alloc(wnn_winograd_weights_size(&kernels, &how.filter, edge) * sizeof(float));
  wnn_view from_filter = {.data = filter.data}, to_weights = {.data = weights.data};
  wnn_task pack_task = {.inputs = &from_filter, .outputs = &to_weights, .params = &how};
  wnn_winograd_pack(&pack_task, 0, (outputs + kernels.vl - 1) / kernels.vl, NULL);
  w.weights = guard_read(&weights);
  size_t units = wnn_winograd_plan(&w, pick(1, 9)), cut = pick(0, (uint32_t)units);
  guarded scratch = guard_alloc(wnn_winograd_scratch(&w));
  wnn_view in[] = {{.data = image.data}, {.data = residual.data}}, result = {.data = out.data};
  wnn_task task = {.inputs = in, .outputs = &result, .params = &w};
  wnn_f32_winograd(&task, cut, units, scratch.data);
  wnn_f32_winograd(&task, 0, cut, scratch.data);
  /* As above; columns are drawn, for the time it takes. */
  double bound = 64.0 * 9 * (double)inputs * (edge == 2 ? 6e-8 : 6e-7);
  for (size_t pixel = 0; pixel < out_pixels; pixel++) {
    int64_t batch = (int64_t)(pixel / w.out_w / w.out_h), y = (int64_t)(pixel / w.out_w % w.out_h) - top,
            x = (int64_t)(pixel % w.out_w) - left;
    for (size_t o = pick(0, 7); o < outputs; o += pick(1, 16)) {
      double value = (w.init ? (double)w.init[o] : 0);
      if (w.residual_input) value += (double)guard_read(&residual)[pixel * w.out_row + o];
      for (int64_t t = 0; t < 9; t++) {
        int64_t row = y + t / 3, column = x + t % 3;
        if (row < 0 || row >= w.in_h || column < 0 || column >= w.in_w) continue;
        const float *a = guard_read(&image) + ((batch * w.in_h + row) * w.in_w + column) * inputs;
        const float *b = guard_read(&filter) + (o * 9 + (size_t)t) * inputs;
        for (size_t c = 0; c < inputs; c++) value += (double)a[c] * (double)b[c];
      }
      if (w.limit) value = limited(value, w.lo, w.hi);
      float actual = guard_read(&out)[pixel * w.out_row + o];
      CHECK_MSG(fabs((double)actual - value) <= bound,
                "%s, seed %" PRIu64 ": edge %u, pixel %zu, column %zu is off by %g", kernels.isa, from, edge, pixel, o,
                (double)actual - value);
    }
    for (size_t o = outputs; pixel + 1 < out_pixels && o < w.out_row; o++)
      CHECK_EQ(out.data[(pixel * w.out_row + o) * sizeof(float)], GUARD_BYTE);
  }
  INTACT(out);
  INTACT(weights);
  INTACT(scratch);
  guard_free(&image), guard_free(&filter), guard_free(&out), guard_free(&init), guard_free(&residual);
  guard_free(&zeros), guard_free(&weights), guard_free(&scratch);
}

/* ---- Running ---- */

static const slot_check checks[] = {{"gemm_tile", gemm_tile, 1500},
                                    {"pack", pack, 400},
                                    {"gemm_residual", gemm_residual, 25},
                                    {"transpose", transpose, 400},
                                    {"convert", convert, 150},
                                    {"add_halves", add_halves, 150},
                                    {"depthwise", depthwise, 600},
                                    {"pool_max", pool_max, 250},
                                    {"pool_average", pool_average, 200},
                                    {"pool_l2", pool_l2, 200},
                                    {"plane_depthwise", plane_depthwise, 1500},
                                    {"plane_max", plane_max, 250},
                                    {"plane_average", plane_average, 250},
                                    {"plane_l2", plane_l2, 200},
                                    {"winograd", winograd, 200},
                                    {"winograd_image", winograd_image, 150}};

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Best rate of a tile of gemm_mr rows, in a level 1 cache, for some depths. */
static void bench_gemm(void) {
  enum { DEPTH = 256 };
  static float a[WNN_GEMM_MAX_ROWS][DEPTH + 16], b[DEPTH * 32], c[WNN_GEMM_MAX_ROWS * 32];
  const float *rows[WNN_GEMM_MAX_ROWS];
  for (int i = 0; i < WNN_GEMM_MAX_ROWS; i++) rows[i] = a[i];
  for (size_t m = 0; m < SLOT_SETS; m++) {
    if (!slots_use(m)) continue;
    uint32_t n = kernels.gemm_nv[kernels.gemm_mr] * kernels.vl;
    for (uint32_t k = 16; k <= DEPTH; k *= 2) {
      wnn_f32_tile tile = {.m = kernels.gemm_mr,
                           .n = n,
                           .taps = 1,
                           .k = k,
                           .a_step = WNN_GEMM_MAX_ROWS,
                           .a = rows,
                           .b = b,
                           .b_panel = (size_t)k * kernels.vl,
                           .c = c,
                           .c_stride = 32};
      double best = 1;
      for (int r = 0; r < 40; r++) {
        double start = seconds();
        for (int i = 0; i < 2000; i++) kernels.f32_gemm_tile(&tile);
        double time = (seconds() - start) / 2000;
        if (time < best) best = time;
      }
      printf("f32_gemm_tile %-8s %2u x %2u x %3u: %6.1f GFLOP/s\n", kernels.isa, tile.m, n, k,
             2e-9 * tile.m * n * k / best);
    }
  }
}

int main(int argc, char **argv) {
  if (argc > 1 && !strcmp(argv[1], "--bench")) {
    bench_gemm();
    return 0;
  }
  return slots_main(argc, argv, checks, sizeof checks / sizeof checks[0]);
}
