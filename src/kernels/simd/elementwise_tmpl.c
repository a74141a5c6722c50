/* Elementwise programs: each step is one pass over a block that stays in the first level of the cache. */
#include "kernels/simd/math.h"
#include "kernels/ukernels.h"

/* ---- Parts of the formulas in WNN_VOP_FLOAT_... ---- */

WNN_INLINE wnn_vf limit(wnn_vf x, wnn_vf low, wnn_vf high) { return wnn_vf_raise(wnn_vf_lower(x, high), low); }

WNN_INLINE wnn_vf sign(wnn_vf x) {
  wnn_vf one = wnn_vf_select((wnn_vi)(x != wnn_vf_set(0.0f)), wnn_vf_copysign(wnn_vf_set(1.0f), x), wnn_vf_set(0.0f));
  return wnn_vf_select(wnn_vf_isnan(x), wnn_vf_set(0.0f), one);
}

/* NaN when either is; +0 is above -0. */
WNN_INLINE wnn_vf maximum(wnn_vf a, wnn_vf b) {
  wnn_vf equal = (wnn_vf)((wnn_vi)a & (wnn_vi)b);
  return wnn_vf_select((wnn_vi)(a == b), equal, wnn_vf_max(a, b));
}
WNN_INLINE wnn_vf minimum(wnn_vf a, wnn_vf b) {
  wnn_vf equal = (wnn_vf)((wnn_vi)a | (wnn_vi)b);
  return wnn_vf_select((wnn_vi)(a == b), equal, wnn_vf_min(a, b));
}

/* ---- Loops ---- */

/* A whole vector, or what is left. */
WNN_INLINE wnn_vf load_upto(const char *p, size_t n) {
  return n == WNN_VL ? wnn_vf_load((const float *)p) : wnn_vf_load_n((const float *)p, n);
}
WNN_INLINE void store_upto(char *p, wnn_vf x, size_t n) {
  if (n == WNN_VL)
    wnn_vf_store((float *)p, x);
  else
    wnn_vf_store_n((float *)p, x, n);
}
WNN_INLINE wnn_vi load_ints(const char *p, size_t n) { return (wnn_vi)load_upto(p, n); }
WNN_INLINE void store_ints(char *p, wnn_vi x, size_t n) { store_upto(p, (wnn_vf)x, n); }

/* What a step sees: pointers, and how many bytes each moves by for a vector of 32-bit lanes (0: one element for all).
 * Binary steps see rows of n elements, and how many bytes it is from row to row; for the others all is one row. */
typedef struct span {
  const char *a, *b, *c;
  char *to;
  size_t a_step, b_step, c_step;
  wnn_vf p, q;
  size_t rows, n, a_row, b_row;
} span;

#define LOOP_ARGUMENTS const span *s
#define TAIL(n) ((n) % WNN_VL)

/* One vector in, one out; the rest of a row is loaded and stored in part, so that nothing outside is touched. */
#define UNARY(name, formula)                                                                                           \
  static __attribute__((noinline)) void name##_loop(LOOP_ARGUMENTS) {                                                  \
    const wnn_vf zero = wnn_vf_set(0.0f), one = wnn_vf_set(1.0f), p = s->p, q = s->q;                                  \
    (void)zero, (void)one, (void)p, (void)q;                                                                           \
    const char *from = s->a;                                                                                           \
    char *to = s->to;                                                                                                  \
    size_t left = s->n;                                                                                                \
    for (; left >= WNN_VL; left -= WNN_VL, from += s->a_step, to += sizeof(wnn_vf)) {                                  \
      wnn_vf a = wnn_vf_load((const float *)from);                                                                     \
      wnn_vf_store((float *)to, formula);                                                                              \
    }                                                                                                                  \
    if (left) {                                                                                                        \
      wnn_vf a = wnn_vf_load_n((const float *)from, left);                                                             \
      wnn_vf_store_n((float *)to, formula, left);                                                                      \
    }                                                                                                                  \
  }
/* One row; one_a, one_b: the element serves the whole row. */
#define BINARY(name, formula)                                                                                          \
  WNN_INLINE void name##_row(const float *pa, const float *pb, float *to, size_t n, const bool one_a,                  \
                             const bool one_b) {                                                                       \
    const wnn_vf zero = wnn_vf_set(0.0f);                                                                              \
    (void)zero;                                                                                                        \
    wnn_vf a = wnn_vf_set(*pa), b = wnn_vf_set(*pb);                                                                   \
    size_t i = 0;                                                                                                      \
    for (; i + 4 * WNN_VL <= n; i += 4 * WNN_VL) {                                                                     \
      WNN_UNROLL                                                                                                       \
      for (size_t j = i; j < i + 4 * WNN_VL; j += WNN_VL) {                                                            \
        if (!one_a) a = wnn_vf_load(pa + j);                                                                           \
        if (!one_b) b = wnn_vf_load(pb + j);                                                                           \
        wnn_vf_store(to + j, formula);                                                                                 \
      }                                                                                                                \
    }                                                                                                                  \
    for (; i + WNN_VL <= n; i += WNN_VL) {                                                                             \
      if (!one_a) a = wnn_vf_load(pa + i);                                                                             \
      if (!one_b) b = wnn_vf_load(pb + i);                                                                             \
      wnn_vf_store(to + i, formula);                                                                                   \
    }                                                                                                                  \
    if (i == n) return;                                                                                                \
    if (!one_a) a = wnn_vf_load_n(pa + i, n - i);                                                                      \
    if (!one_b) b = wnn_vf_load_n(pb + i, n - i);                                                                      \
    wnn_vf_store_n(to + i, formula, n - i);                                                                            \
  }                                                                                                                    \
  static __attribute__((noinline)) void name##_loop(LOOP_ARGUMENTS) {                                                  \
    if (!s->n) return;                                                                                                 \
    for (size_t r = 0; r < s->rows; r++) {                                                                             \
      const float *a = (const float *)(s->a + r * s->a_row), *b = (const float *)(s->b + r * s->b_row);                \
      float *to = (float *)s->to + r * s->n;                                                                           \
      if (s->a_step && s->b_step)                                                                                      \
        name##_row(a, b, to, s->n, false, false);                                                                      \
      else if (s->a_step)                                                                                              \
        name##_row(a, b, to, s->n, false, true);                                                                       \
      else if (s->b_step)                                                                                              \
        name##_row(a, b, to, s->n, true, false);                                                                       \
      else                                                                                                             \
        name##_row(a, b, to, s->n, true, true);                                                                        \
    }                                                                                                                  \
  }
/* The same for long formulas, which gain nothing from unrolling. */
static __attribute__((noinline)) void WNN_VF_POW_loop(LOOP_ARGUMENTS) {
  const char *pa = s->a, *pb = s->b;
  char *to = s->to;
  for (size_t left = s->n; left; left -= left < WNN_VL ? left : WNN_VL) {
    size_t n = left < WNN_VL ? left : WNN_VL;
    wnn_vf a = load_upto(pa, n), b = load_upto(pb, n);
    store_upto(to, wnn_vf_power(a, b), n);
    pa += s->a_step, pb += s->b_step, to += sizeof(wnn_vf);
  }
}
#define FLOAT_TEST(name, formula)                                                                                      \
  static __attribute__((noinline)) void name##_loop(LOOP_ARGUMENTS) {                                                  \
    const char *pa = s->a, *pb = s->b;                                                                                 \
    char *to = s->to;                                                                                                  \
    for (size_t left = s->n; left;                                                                                     \
         left -= left < WNN_VL ? left : WNN_VL, pa += s->a_step, pb += s->b_step, to += sizeof(wnn_vf)) {              \
      size_t n = left < WNN_VL ? left : WNN_VL;                                                                        \
      wnn_vf a = load_upto(pa, n), b = load_upto(pb, n);                                                               \
      (void)b;                                                                                                         \
      store_ints(to, (wnn_vi)(formula)&1, n);                                                                          \
    }                                                                                                                  \
  }

#define X(name, formula) UNARY(WNN_VF_##name, formula)
WNN_VOP_FLOAT_UNARY(X)
#undef X
#define X(name, formula) BINARY(WNN_VF_##name, formula)
WNN_VOP_PLAIN_BINARY(X)
#undef X
#define X(name, formula) FLOAT_TEST(WNN_VF_##name, formula)
WNN_VOP_FLOAT_TEST(X)
#undef X

/* Large angles are rare: done again one by one, where the block has any. */
static void large_angles(const span *s, const float *from, float (*function)(float)) {
  float *to = (float *)s->to;
  for (size_t i = 0; i < s->n; i++)
    if (!(fabsf(from[i]) <= WNN_TRIG_MOST)) to[i] = function(from[i]);
}
static float exact_sine(float x) { return (float)sin((double)x); }
static float exact_cosine(float x) { return (float)cos((double)x); }
static float exact_tangent(float x) { return (float)tan((double)x); }

static bool has_large_angles(const span *s) {
  const float *from = (const float *)s->a;
  const wnn_vf most = wnn_vf_set(WNN_TRIG_MOST);
  wnn_vi any = {0};
  size_t i = 0, n = s->a_step ? s->n : 1;
  for (; i + WNN_VL <= n; i += WNN_VL) any |= ~(wnn_vi)(wnn_vf_abs(wnn_vf_load(from + i)) <= most);
  if (i < n) any |= ~(wnn_vi)(wnn_vf_abs(wnn_vf_load_n(from + i, n - i)) <= most);
  return wnn_vi_any(any);
}

static void trigonometry(const span *s, void (*loop)(LOOP_ARGUMENTS), float (*exact)(float)) {
  if (!has_large_angles(s)) {
    loop(s);
    return;
  }
  if (!s->a_step) {
    float value = exact(*(const float *)s->a);
    for (size_t i = 0; i < s->n; i++) ((float *)s->to)[i] = value;
    return;
  }
  /* In pieces, as the result may lie on the argument. */
  enum { PIECE = 64 };
  float copy[PIECE];
  for (size_t i = 0; i < s->n; i += PIECE) {
    span piece = *s;
    piece.n = s->n - i < PIECE ? s->n - i : PIECE;
    memcpy(copy, s->a + i * sizeof(float), piece.n * sizeof(float));
    piece.a = (const char *)copy;
    piece.to = s->to + i * sizeof(float);
    loop(&piece);
    large_angles(&piece, copy, exact);
  }
}

/* ---- Integers ---- */

#define INTEGER_LOOP(function, lane, name, result, formula)                                                            \
  static void function(const span *s, lane p, lane q) {                                                                \
    const lane *pa = (const lane *)s->a, *pb = (const lane *)s->b;                                                     \
    result *to = (result *)s->to;                                                                                      \
    (void)p, (void)q, (void)pb;                                                                                        \
    if (s->a_step && s->b_step) {                                                                                      \
      for (size_t i = 0; i < s->n; i++) {                                                                              \
        lane a = pa[i], b = pb[i];                                                                                     \
        (void)b;                                                                                                       \
        to[i] = (result)(formula);                                                                                     \
      }                                                                                                                \
      return;                                                                                                          \
    }                                                                                                                  \
    size_t a_step = s->a_step ? 1 : 0, b_step = s->b_step ? 1 : 0;                                                     \
    for (size_t i = 0; i < s->n; i++) {                                                                                \
      lane a = pa[i * a_step], b = pb[i * b_step];                                                                     \
      (void)b;                                                                                                         \
      to[i] = (result)(formula);                                                                                       \
    }                                                                                                                  \
  }
#define T int32_t
#define U uint32_t
#define X(name, result, formula) INTEGER_LOOP(WNN_VI_##name##_loop, T, name, result, formula)
WNN_VOP_INTEGER(X)
#undef X
#undef T
#define T uint32_t
#define X(name, result, formula) INTEGER_LOOP(WNN_VI_##name##_U_loop, T, name, result, formula)
WNN_VOP_INTEGER(X)
#undef X
#undef T
#undef U
#define T int64_t
#define U uint64_t
#define X(name, result, formula) INTEGER_LOOP(WNN_VL_##name##_loop, T, name, result, formula)
WNN_VOP_INTEGER(X)
#undef X
#undef T
#define T uint64_t
#define X(name, result, formula) INTEGER_LOOP(WNN_VL_##name##_U_loop, T, name, result, formula)
WNN_VOP_INTEGER(X)
#undef X
#undef T
#undef U

/* ---- Choice and conversion ---- */

static void where32(const span *s) {
  const char *pc = s->a, *pa = s->b, *pb = s->c;
  char *to = s->to;
  for (size_t left = s->n; left; left -= left < WNN_VL ? left : WNN_VL) {
    size_t n = left < WNN_VL ? left : WNN_VL;
    wnn_vi c = (wnn_vi)(load_ints(pc, n) != 0);
    wnn_vi yes = load_ints(pa, n), no = load_ints(pb, n);
    store_ints(to, wnn_vi_select(c, yes, no), n);
    pc += s->a_step, pa += s->b_step, pb += s->c_step, to += sizeof(wnn_vi);
  }
}

static void where64(const span *s) {
  const int32_t *condition = (const int32_t *)s->a;
  const int64_t *yes = (const int64_t *)s->b, *no = (const int64_t *)s->c;
  int64_t *to = (int64_t *)s->to;
  size_t a = s->a_step ? 1 : 0, b = s->b_step ? 1 : 0, c = s->c_step ? 1 : 0;
  for (size_t i = 0; i < s->n; i++) to[i] = condition[i * a] ? yes[i * b] : no[i * c];
}

static void quantize(const span *s, int32_t low, int32_t high) {
  const char *pa = s->a, *pb = s->b;
  char *to = s->to;
  const wnn_vf most = wnn_vf_set(0x1p20f); /* the sum with an 8-bit zero point is out of every range by then */
  for (size_t left = s->n; left; left -= left < WNN_VL ? left : WNN_VL) {
    size_t n = left < WNN_VL ? left : WNN_VL;
    wnn_vf a = load_upto(pa, n);
    wnn_vi number = (wnn_vi)(a == a);
    a = wnn_vf_round_even(wnn_vf_raise(wnn_vf_lower((wnn_vf)((wnn_vi)a & number), most), -most));
    wnn_vi sum = wnn_vf_to_vi(a) + load_ints(pb, n);
    sum = wnn_vi_select((wnn_vi)(sum < low), wnn_vi_set(low), sum);
    sum = wnn_vi_select((wnn_vi)(sum > high), wnn_vi_set(high), sum);
    store_ints(to, sum & number, n);
    pa += s->a_step, pb += s->b_step, to += sizeof(wnn_vi);
  }
}

/* A plain loop over elements of types A and R, in place only when they have the same size. */
#define CONVERT(function, A, R, formula)                                                                               \
  static void function(const span *s, float p, float q) {                                                              \
    const A *pa = (const A *)s->a;                                                                                     \
    R *to = (R *)s->to;                                                                                                \
    (void)p, (void)q;                                                                                                  \
    if (s->a_step) {                                                                                                   \
      for (size_t i = 0; i < s->n; i++) {                                                                              \
        A a = pa[i];                                                                                                   \
        to[i] = (R)(formula);                                                                                          \
      }                                                                                                                \
    } else {                                                                                                           \
      A a = pa[0];                                                                                                     \
      for (size_t i = 0; i < s->n; i++) to[i] = (R)(formula);                                                          \
    }                                                                                                                  \
  }
CONVERT(load_i8, int8_t, int32_t, a)
CONVERT(load_u8, uint8_t, int32_t, a)
CONVERT(store_8, uint32_t, uint8_t, a)
CONVERT(wrap_i8, uint32_t, int32_t, (int8_t)(uint8_t)a)
CONVERT(wrap_u8, uint32_t, int32_t, (uint8_t)a)
CONVERT(i32_to_f32, int32_t, float, a)
CONVERT(u32_to_f32, uint32_t, float, a)
CONVERT(i64_to_f32, int64_t, float, a)
CONVERT(u64_to_f32, uint64_t, float, a)
CONVERT(i32_to_i64, int32_t, int64_t, a)
CONVERT(u32_to_i64, uint32_t, int64_t, a)
CONVERT(i64_to_i32, uint64_t, int32_t, (uint32_t)a)
/* Truncating. p and q are the limits as floats: q is the limit itself, or the power of two above. */
CONVERT(f32_to_i32, float, int32_t,
        a != a   ? 0
        : a <= p ? (int32_t)p
        : a >= q ? (q >= 0x1p31f ? INT32_MAX : (int32_t)q)
                 : (int32_t)a)
CONVERT(f32_to_u32, float, uint32_t, !(a > 0) ? 0 : a >= 0x1p32f ? UINT32_MAX : (uint32_t)a)
CONVERT(f32_to_i64, float, int64_t, a != a ? 0 : a <= -0x1p63f ? INT64_MIN : a >= 0x1p63f ? INT64_MAX : (int64_t)a)
CONVERT(f32_to_u64, float, uint64_t, !(a > 0) ? 0 : a >= 0x1p64f ? UINT64_MAX : (uint64_t)a)

static void load_f16(const span *s) {
  const uint16_t *from = (const uint16_t *)s->a;
  float *to = (float *)s->to;
  size_t i = 0;
  for (; i + WNN_VL <= s->n; i += WNN_VL) wnn_vf_store(to + i, wnn_vf_load_f16(from + i));
  if (i < s->n) wnn_vf_store_n(to + i, wnn_vf_load_f16_n(from + i, s->n - i), s->n - i);
}

static void store_f16(const span *s) {
  const char *from = s->a;
  uint16_t *to = (uint16_t *)s->to;
  size_t left = s->n;
  for (; left >= WNN_VL; left -= WNN_VL, from += s->a_step, to += WNN_VL)
    wnn_vf_store_f16(to, wnn_vf_load((const float *)from));
  if (left) wnn_vf_store_f16_n(to, wnn_vf_load_n((const float *)from, left), left);
}

static void round_f16(const span *s) {
  const char *from = s->a;
  float *to = (float *)s->to;
  uint16_t words[WNN_VL];
  for (size_t left = s->n; left; left -= left < WNN_VL ? left : WNN_VL, from += s->a_step, to += WNN_VL) {
    size_t n = left < WNN_VL ? left : WNN_VL;
    wnn_vf_store_f16(words, wnn_vf_load_n((const float *)from, n));
    wnn_vf_store_n(to, wnn_vf_load_f16(words), n);
  }
}

#define LOGIC(function, formula)                                                                                       \
  static void function(const span *s) {                                                                                \
    const char *pa = s->a, *pb = s->b;                                                                                 \
    char *to = s->to;                                                                                                  \
    for (size_t left = s->n; left; left -= left < WNN_VL ? left : WNN_VL) {                                            \
      size_t n = left < WNN_VL ? left : WNN_VL;                                                                        \
      wnn_vi a = (wnn_vi)(load_ints(pa, n) != 0);                                                                      \
      wnn_vi b = (wnn_vi)(load_ints(pb, n) != 0);                                                                      \
      (void)b;                                                                                                         \
      store_ints(to, (formula)&1, n);                                                                                  \
      pa += s->a_step, pb += s->b_step, to += sizeof(wnn_vi);                                                          \
    }                                                                                                                  \
  }
LOGIC(logic_not, ~a)
LOGIC(logic_and, a &b)
LOGIC(logic_or, a | b)
LOGIC(logic_xor, a ^ b)

/* ---- Steps ---- */

static void run_step(const wnn_vstep *step, const span *s) {
  switch ((wnn_vop)step->op) {
  case WNN_VF_SIN: trigonometry(s, WNN_VF_SIN_loop, exact_sine); break;
  case WNN_VF_COS: trigonometry(s, WNN_VF_COS_loop, exact_cosine); break;
  case WNN_VF_TAN: trigonometry(s, WNN_VF_TAN_loop, exact_tangent); break;
#define X(name, formula)                                                                                               \
  case WNN_VF_##name: WNN_VF_##name##_loop(s); break;
    WNN_VOP_PLAIN_UNARY(X)
    WNN_VOP_FLOAT_BINARY(X)
    WNN_VOP_FLOAT_TEST(X)
#undef X
#define X(name, result, formula)                                                                                       \
  case WNN_VI_##name: WNN_VI_##name##_loop(s, step->p.i32, step->q.i32); break;                                        \
  case WNN_VI_##name##_U: WNN_VI_##name##_U_loop(s, step->p.u32, step->q.u32); break;                                  \
  case WNN_VL_##name: WNN_VL_##name##_loop(s, step->p.i64, step->q.i64); break;                                        \
  case WNN_VL_##name##_U: WNN_VL_##name##_U_loop(s, step->p.u64, step->q.u64); break;
    WNN_VOP_INTEGER(X)
#undef X
  case WNN_V_NOT: logic_not(s); break;
  case WNN_V_AND: logic_and(s); break;
  case WNN_V_OR: logic_or(s); break;
  case WNN_V_XOR: logic_xor(s); break;
  case WNN_V_WHERE32: where32(s); break;
  case WNN_V_WHERE64: where64(s); break;
  case WNN_V_QUANTIZE: quantize(s, step->p.i32, step->q.i32); break;
  case WNN_V_LOAD_F16: load_f16(s); break;
  case WNN_V_STORE_F16: store_f16(s); break;
  case WNN_V_ROUND_F16: round_f16(s); break;
#define CASE(name, function)                                                                                           \
  case WNN_V_##name: function(s, step->p.f32, step->q.f32); break;
    CASE(LOAD_I8, load_i8)
    CASE(LOAD_U8, load_u8)
    CASE(STORE_8, store_8)
    CASE(WRAP_I8, wrap_i8)
    CASE(WRAP_U8, wrap_u8)
    CASE(F32_TO_I32, f32_to_i32)
    CASE(F32_TO_U32, f32_to_u32)
    CASE(F32_TO_I64, f32_to_i64)
    CASE(F32_TO_U64, f32_to_u64)
    CASE(I32_TO_F32, i32_to_f32)
    CASE(U32_TO_F32, u32_to_f32)
    CASE(I64_TO_F32, i64_to_f32)
    CASE(U64_TO_F32, u64_to_f32)
    CASE(I32_TO_I64, i32_to_i64)
    CASE(U32_TO_I64, u32_to_i64)
    CASE(I64_TO_I32, i64_to_i32)
  case WNN_VOP_END: break;
  }
}

/* Bytes from row to row of n lanes. */
static size_t row_of(const wnn_vreg *reg, size_t n) {
  return reg->spread == WNN_SPREAD_EACH ? n * 4 : reg->spread == WNN_SPREAD_COLUMN ? 4 : 0;
}
static size_t step_of(const wnn_vreg *reg) {
  return reg->spread == WNN_SPREAD_EACH || reg->spread == WNN_SPREAD_ROW ? sizeof(wnn_vf) : 0;
}

void WNN_K(vector_program)(const wnn_vstep *steps, size_t count, const wnn_vreg *registers, size_t rows, size_t n) {
  for (size_t i = 0; i < count; i++) {
    const wnn_vstep *step = &steps[i];
    const wnn_vreg *a = &registers[step->from[0]], *b = &registers[step->from[1]], *c = &registers[step->from[2]];
    span s = {.a = a->data,
              .b = b->data,
              .c = c->data,
              .to = registers[step->to].data,
              .a_step = step_of(a),
              .b_step = step_of(b),
              .c_step = step_of(c),
              .p = wnn_vf_set(step->p.f32),
              .q = wnn_vf_set(step->q.f32),
              .rows = 1,
              .n = rows * n};
    if (a->spread > WNN_SPREAD_REPEAT || b->spread > WNN_SPREAD_REPEAT)
      s.rows = rows, s.n = n, s.a_row = row_of(a, n), s.b_row = row_of(b, n);
    run_step(step, &s);
  }
}
