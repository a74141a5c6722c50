/* Slots that move and convert elements against plain loops: transposes of every element size, the conversions of
 * elementwise programs, and programs over tiles whose operands repeat rows and columns. */
#define _DEFAULT_SOURCE
#include "base/dtype.h"
#include "kcheck/slots.h"

/* ---- Transposes ---- */

static void transposes(void) {
  static const size_t sizes[] = {1, 2, 4, 8};
  size_t size = sizes[pick(0, 3)], rows = pick(1, 40), columns = chance(3) ? pick(1, 100) : pick(1, 20);
  size_t from_stride = columns + pick(0, 5), to_stride = rows + pick(0, 5);
  guarded x = guard_alloc(((rows - 1) * from_stride + columns) * size),
          y = guard_alloc(((columns - 1) * to_stride + rows) * size);
  for (size_t i = 0; i < x.size; i++) x.data[i] = (char)test_random(&seed);
  switch (size) {
  case 1: kernels.transpose_1(rows, columns, x.data, from_stride, y.data, to_stride); break;
  case 2: kernels.transpose_2(rows, columns, x.data, from_stride, y.data, to_stride); break;
  case 4: kernels.f32_transpose(rows, columns, guard_read(&x), from_stride, guard_write(&y), to_stride); break;
  default: kernels.transpose_8(rows, columns, x.data, from_stride, y.data, to_stride); break;
  }
  for (size_t c = 0; c < columns; c++)
    for (size_t r = 0; r < to_stride && c * to_stride + r < y.size / size; r++)
      for (size_t b = 0; b < size; b++)
        EQUAL(y.data[(c * to_stride + r) * size + b], r < rows ? x.data[(r * from_stride + c) * size + b] : GUARD_BYTE);
  INTACT(y);
  guard_free(&x), guard_free(&y);
}

static void repeats(void) {
  uint32_t n = pick(1, 100), times = chance(2) ? 2 : pick(1, 5);
  guarded x = guard_alloc((size_t)n * 4), y = guard_alloc((size_t)n * times * 4);
  for (size_t i = 0; i < x.size; i++) x.data[i] = (char)pick(0, 255);
  kernels.repeat_4(n, times, x.data, y.data);
  for (size_t i = 0; i < (size_t)n * times; i++) EQUAL(memcmp(y.data + 4 * i, x.data + 4 * (i / times), 4), 0);
  INTACT(y);
  guard_free(&x), guard_free(&y);
}

/* ---- Conversions ---- */

typedef union lane {
  float f;
  int32_t i;
  uint32_t u;
  int64_t l;
  uint64_t ul;
  int8_t i8;
  uint8_t u8;
  uint16_t h;
} lane;

/* Truncated and limited. */
static double cut(double x, double low, double high) {
  return isnan(x) ? 0 : x <= low ? low : x >= high ? high : trunc(x);
}

#define CONVERSIONS(X)                                                                                                 \
  X(LOAD_F16, 2, 4, f, wnn_f16_to_f32(a.h))                                                                            \
  X(LOAD_I8, 1, 4, i, a.i8)                                                                                            \
  X(LOAD_U8, 1, 4, i, a.u8)                                                                                            \
  X(STORE_F16, 4, 2, h, wnn_f32_to_f16(a.f))                                                                           \
  X(STORE_8, 4, 1, u8, (uint8_t)(a.u & 255))                                                                           \
  X(ROUND_F16, 4, 4, f, wnn_f16_to_f32(wnn_f32_to_f16(a.f)))                                                           \
  X(WRAP_I8, 4, 4, i, (int32_t)(a.u & 255) - ((a.u & 128) ? 256 : 0))                                                  \
  X(WRAP_U8, 4, 4, i, (int32_t)(a.u & 255))                                                                            \
  X(F32_TO_I32, 4, 4, i, (int32_t)cut((double)a.f, -0x1p31, 0x1p31 - 1))                                               \
  X(F32_TO_U32, 4, 4, u, (uint32_t)cut((double)a.f, 0, 0x1p32 - 1))                                                    \
  X(F32_TO_I64, 4, 8, l, a.f >= 0x1p63f ? INT64_MAX : (int64_t)cut((double)a.f, -0x1p63, 0x1p63))                      \
  X(F32_TO_U64, 4, 8, ul, a.f >= 0x1p64f ? UINT64_MAX : (uint64_t)cut((double)a.f, 0, 0x1p64))                         \
  X(I32_TO_F32, 4, 4, f, (float)a.i)                                                                                   \
  X(U32_TO_F32, 4, 4, f, (float)a.u)                                                                                   \
  X(I64_TO_F32, 8, 4, f, (float)a.l)                                                                                   \
  X(U64_TO_F32, 8, 4, f, (float)a.ul)                                                                                  \
  X(I32_TO_I64, 4, 8, l, a.i)                                                                                          \
  X(U32_TO_I64, 4, 8, l, (int64_t)a.u)                                                                                 \
  X(I64_TO_I32, 8, 4, u, (uint32_t)(a.ul & UINT32_MAX))

static const struct {
  const char *name;
  uint16_t op;
  size_t from, to;
} conversions[] = {
#define X(name, from, to, member, formula) {#name, WNN_V_##name, from, to},
    CONVERSIONS(X)
#undef X
};

static lane converted(uint16_t op, lane a) {
  lane y = {.ul = 0};
  switch (op) {
#define X(name, from, to, member, formula)                                                                             \
  case WNN_V_##name: y.member = formula; break;
    CONVERSIONS(X)
#undef X
  default: break;
  }
  return y;
}

static void conversion(void) {
  uint32_t row = pick(0, sizeof conversions / sizeof conversions[0] - 1);
  uint16_t op = conversions[row].op;
  size_t n = chance(4) ? pick(0, 300) : pick(0, 40), from_size = conversions[row].from, to_size = conversions[row].to;
  bool floats = op == WNN_V_STORE_F16 || op == WNN_V_ROUND_F16 || (op >= WNN_V_F32_TO_I32 && op <= WNN_V_F32_TO_U64);
  /* Elements that are loaded from memory are never repeated. */
  bool repeat = chance(4) && !(op >= WNN_V_LOAD_F16 && op <= WNN_V_LOAD_U8);
  guarded x = guard_alloc(repeat ? 64 : n * from_size), y = guard_alloc(n * to_size);
  for (size_t i = 0; i < x.size / from_size; i++) {
    lane a = {.ul = test_random(&seed)};
    if (floats && chance(2)) a.f = guard_number(&seed, kind);
    if (floats && chance(4)) a.f = ldexpf((float)test_uniform(&seed, -2, 2), (int)pick(0, 70));
    memcpy(x.data + i * from_size, repeat && i ? x.data : (const char *)&a, from_size);
  }
  wnn_vstep step = {.op = op, .to = 1};
  if (op == WNN_V_F32_TO_I32) step.p.f32 = -0x1p31f, step.q.f32 = 0x1p31f;
  const wnn_vreg registers[] = {{x.data, repeat ? WNN_SPREAD_REPEAT : WNN_SPREAD_EACH}, {y.data, WNN_SPREAD_EACH}};
  kernels.vector_program(&step, 1, registers, 1, n);
  for (size_t i = 0; i < n; i++) {
    lane a = {.ul = 0}, actual = {.ul = 0};
    memcpy(&a, x.data + (repeat ? 0 : i * from_size), from_size);
    memcpy(&actual, y.data + i * to_size, to_size);
    lane expected = converted(op, a);
    bool half = op == WNN_V_STORE_F16, single = op == WNN_V_LOAD_F16 || op == WNN_V_ROUND_F16;
    float f = half ? wnn_f16_to_f32(actual.h) : actual.f, e = half ? wnn_f16_to_f32(expected.h) : expected.f;
    if ((half || single) && isnan(f) && isnan(e)) continue; /* whatever its bits */
    CHECK_MSG(!memcmp(&actual, &expected, to_size),
              "%s %s, seed %" PRIu64 ": %" PRIx64 " became %" PRIx64 ", not %" PRIx64, kernels.isa,
              conversions[row].name, from, a.ul, actual.ul, expected.ul);
  }
  INTACT(y);
  guard_free(&x), guard_free(&y);
}

/* ---- Tiles ---- */

static float plain(uint16_t op, float a, float b) {
  switch (op) {
  case WNN_VF_ADD: return a + b;
  case WNN_VF_SUB: return a - b;
  case WNN_VF_MUL: return a * b;
  case WNN_VF_DIV: return a / b;
  case WNN_VF_MAX: return isnan(a) || isnan(b) ? NAN : a > b ? a : b > a ? b : signbit(a) ? b : a;
  case WNN_VF_MIN: return isnan(a) || isnan(b) ? NAN : a < b ? a : b < a ? b : signbit(a) ? a : b;
  default: return a < 0 ? a * b : a;
  }
}

/* An operand of a tile, and the position of element (r, c) in it. */
static guarded operand(wnn_spread spread, size_t rows, size_t n) {
  size_t count = spread == WNN_SPREAD_EACH     ? rows * n
                 : spread == WNN_SPREAD_ROW    ? n
                 : spread == WNN_SPREAD_COLUMN ? rows
                                               : 16;
  guarded g = guard_floats(count, &seed, kind);
  if (spread == WNN_SPREAD_REPEAT)
    for (size_t i = 1; i < 16; i++) memcpy(g.data + i * sizeof(float), g.data, sizeof(float));
  return g;
}
static size_t place(wnn_spread spread, size_t n, size_t r, size_t c) {
  return spread == WNN_SPREAD_EACH ? r * n + c : spread == WNN_SPREAD_ROW ? c : spread == WNN_SPREAD_COLUMN ? r : 0;
}

static void tile(void) {
  size_t rows = pick(1, 6), n = chance(3) ? pick(1, 150) : pick(1, 40);
  wnn_spread sa = (wnn_spread)pick(0, 3), sb = (wnn_spread)pick(0, 3);
  uint16_t op = (uint16_t)pick(WNN_VF_ADD, WNN_VF_PRELU);
  guarded a = operand(sa, rows, n), b = operand(sb, rows, n), copy = guard_alloc(a.size),
          y = guard_alloc(rows * n * sizeof(float));
  memcpy(copy.data, a.data, a.size);
  bool in_place = sa == WNN_SPREAD_EACH && chance(2);
  /* Then a step over everything. */
  const wnn_vstep steps[] = {{.op = op, .to = 2, .from = {0, 1, 0}}, {.op = WNN_VF_NEG, .to = 2, .from = {2, 2, 2}}};
  guarded *to = in_place ? &a : &y;
  const wnn_vreg registers[] = {{a.data, sa}, {b.data, sb}, {to->data, WNN_SPREAD_EACH}};
  kernels.vector_program(steps, 2, registers, rows, n);
  for (size_t r = 0; r < rows; r++)
    for (size_t c = 0; c < n; c++) {
      float expected = -plain(op, guard_read(&copy)[place(sa, n, r, c)], guard_read(&b)[place(sb, n, r, c)]);
      float actual = guard_read(to)[r * n + c];
      bool zeros = op == WNN_VF_PRELU || !(expected == 0) || signbit(actual) == signbit(expected);
      SAME(actual, (double)expected, 0, 0);
      CHECK_MSG(zeros, "%s, seed %" PRIu64 ": zero of the wrong sign", kernels.isa, from);
    }
  INTACT(a);
  INTACT(y);
  guard_free(&a), guard_free(&b), guard_free(&copy), guard_free(&y);
}

int main(int argc, char **argv) {
  static const slot_check checks[] = {{"transposes", transposes, 1200},
                                      {"repeats", repeats, 600},
                                      {"conversion", conversion, 4000},
                                      {"tile", tile, 3000}};
  return slots_main(argc, argv, checks, sizeof checks / sizeof checks[0]);
}
