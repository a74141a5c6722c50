/* Slots of the vector family: elementwise programs, reductions, softmax, normalization, movement, resampling. */
#ifndef WNN_KERNELS_UKERNELS_VECTOR_H
#define WNN_KERNELS_UKERNELS_VECTOR_H

#include "kernels/kernel.h"

/* ---- Elementwise programs ---- */

/* Steps of an elementwise program work on lanes: float32, 32-bit or 64-bit integers. float16 and 8-bit integers are
 * loaded into 32-bit lanes and stored from them. Tests give lanes of 0 and 1, 32 bits wide. A trailing U: unsigned. */
#define WNN_VOP_PLAIN_UNARY(X)                                                                                         \
  X(ABS, wnn_vf_abs(a))                                                                                                \
  X(NEG, -a)                                                                                                           \
  X(SIGN, sign(a))                                                                                                     \
  X(CEIL, wnn_vf_ceil(a))                                                                                              \
  X(FLOOR, wnn_vf_floor(a))                                                                                            \
  X(ROUND_EVEN, wnn_vf_round_even(a))                                                                                  \
  X(RECIPROCAL, 1.0f / a)                                                                                              \
  X(SQRT, wnn_vf_sqrt(a))                                                                                              \
  X(EXP, wnn_vf_exp(a))                                                                                                \
  X(LOG, wnn_vf_log(a))                                                                                                \
  X(ERF, wnn_vf_erf(a))                                                                                                \
  X(TANH, wnn_vf_tanh(a))                                                                                              \
  X(SIGMOID, wnn_vf_sigmoid(a))                                                                                        \
  X(SOFTPLUS, wnn_vf_softplus(a))                                                                                      \
  X(SOFTSIGN, wnn_vf_softsign(a))                                                                                      \
  X(GELU, wnn_vf_gelu(a))                                                                                              \
  X(ELU, wnn_vf_select((wnn_vi)(a < zero), wnn_vf_expm1_negative(a) * p, a))                                           \
  X(HARD_SIGMOID, limit(a *p + q, zero, one))                                                                          \
  X(HARD_SWISH, a *limit(a + 3.0f, zero, wnn_vf_set(6.0f)) / 6.0f)                                                     \
  X(LEAKY_RELU, wnn_vf_select((wnn_vi)(a < zero), a *p, a))                                                            \
  X(LINEAR, a *p + q)                                                                                                  \
  X(RELU, wnn_vf_raise(a, zero))                                                                                       \
  X(CLAMP, limit(a, p, q))                                                                                             \
  X(SQUARE, a *a)                                                                                                      \
  X(CUBE, a *a *a)                                                                                                     \
  X(POW_HALF, wnn_vf_abs(wnn_vf_sqrt(wnn_vf_select((wnn_vi)(a == wnn_vf_set(-INFINITY)), -a, a))))                     \
  X(QUANTIZE, wnn_vf_round_even(a))
/* Trigonometry: these loops are good to WNN_TRIG_MOST, what lies beyond is done apart. */
#define WNN_VOP_TRIGONOMETRY(X)                                                                                        \
  X(SIN, wnn_vf_sine(a, 0))                                                                                            \
  X(COS, wnn_vf_sine(a, 1))                                                                                            \
  X(TAN, wnn_vf_tangent(a))
#define WNN_VOP_FLOAT_UNARY(X) WNN_VOP_PLAIN_UNARY(X) WNN_VOP_TRIGONOMETRY(X)

#define WNN_VOP_PLAIN_BINARY(X)                                                                                        \
  X(ADD, a + b)                                                                                                        \
  X(SUB, a - b)                                                                                                        \
  X(MUL, a *b)                                                                                                         \
  X(DIV, a / b)                                                                                                        \
  X(MAX, maximum(a, b))                                                                                                \
  X(MIN, minimum(a, b))                                                                                                \
  X(PRELU, wnn_vf_select((wnn_vi)(a < zero), a *b, a))

#define WNN_VOP_FLOAT_BINARY(X) WNN_VOP_PLAIN_BINARY(X) X(POW, wnn_vf_power(a, b))

/* To lanes of 0 and 1. */
#define WNN_VOP_FLOAT_TEST(X)                                                                                          \
  X(IS_NAN, a != a)                                                                                                    \
  X(IS_INFINITE, wnn_vf_abs(a) == wnn_vf_set(INFINITY))                                                                \
  X(EQUAL, a == b)                                                                                                     \
  X(NOT_EQUAL, a != b)                                                                                                 \
  X(GREATER, a > b)                                                                                                    \
  X(GREATER_OR_EQUAL, a >= b)                                                                                          \
  X(LESSER, a < b)                                                                                                     \
  X(LESSER_OR_EQUAL, a <= b)

/* Integers of type T (unsigned: U), element by element; the result has the type R. Every case is defined in C. */
#define WNN_VOP_INTEGER(X)                                                                                             \
  X(ADD, T, (T)((U)a + (U)b))                                                                                          \
  X(SUB, T, (T)((U)a - (U)b))                                                                                          \
  X(MUL, T, (T)((U)a * (U)b))                                                                                          \
  X(DIV, T, b == 0 ? 0 : b == (T)-1 && (T)-1 < 1 ? (T)(0 - (U)a) : (T)(a / b))                                         \
  X(MAX, T, a > b ? a : b)                                                                                             \
  X(MIN, T, a < b ? a : b)                                                                                             \
  X(PRELU, T, a < 1 && a != 0 ? (T)((U)a * (U)b) : a)                                                                  \
  X(ABS, T, a < 1 && a != 0 ? (T)(0 - (U)a) : a)                                                                       \
  X(NEG, T, (T)(0 - (U)a))                                                                                             \
  X(SIGN, T, (T)((a > 0) - (a < 1 && a != 0)))                                                                         \
  X(CLAMP, T, a<p ? p : a> q ? q : a)                                                                                  \
  X(EQUAL, int32_t, a == b)                                                                                            \
  X(NOT_EQUAL, int32_t, a != b)                                                                                        \
  X(GREATER, int32_t, a > b)                                                                                           \
  X(GREATER_OR_EQUAL, int32_t, a >= b)                                                                                 \
  X(LESSER, int32_t, a < b)                                                                                            \
  X(LESSER_OR_EQUAL, int32_t, a <= b)

/* Logic on 32-bit lanes, choice, conversions. To integers: truncated and limited, NaN gives 0. QUANTIZE: a float
 * rounded to even plus an integer, limited to p .. q; NaN gives 0. */
#define WNN_VOP_OTHER(X)                                                                                               \
  X(NOT)                                                                                                               \
  X(AND)                                                                                                               \
  X(OR)                                                                                                                \
  X(XOR)                                                                                                               \
  X(WHERE32)                                                                                                           \
  X(WHERE64)                                                                                                           \
  X(QUANTIZE)                                                                                                          \
  X(LOAD_F16)                                                                                                          \
  X(LOAD_I8)                                                                                                           \
  X(LOAD_U8)                                                                                                           \
  X(STORE_F16)                                                                                                         \
  X(STORE_8)                                                                                                           \
  X(ROUND_F16)                                                                                                         \
  X(WRAP_I8)                                                                                                           \
  X(WRAP_U8)                                                                                                           \
  X(F32_TO_I32)                                                                                                        \
  X(F32_TO_U32)                                                                                                        \
  X(F32_TO_I64)                                                                                                        \
  X(F32_TO_U64)                                                                                                        \
  X(I32_TO_F32)                                                                                                        \
  X(U32_TO_F32)                                                                                                        \
  X(I64_TO_F32)                                                                                                        \
  X(U64_TO_F32)                                                                                                        \
  X(I32_TO_I64)                                                                                                        \
  X(U32_TO_I64)                                                                                                        \
  X(I64_TO_I32)

typedef enum wnn_vop {
#define X(name, ...) WNN_VF_##name,
  WNN_VOP_FLOAT_UNARY(X) WNN_VOP_FLOAT_BINARY(X) WNN_VOP_FLOAT_TEST(X)
#undef X
#define X(name, ...) WNN_VI_##name,
      WNN_VOP_INTEGER(X)
#undef X
#define X(name, ...) WNN_VI_##name##_U,
          WNN_VOP_INTEGER(X)
#undef X
#define X(name, ...) WNN_VL_##name,
              WNN_VOP_INTEGER(X)
#undef X
#define X(name, ...) WNN_VL_##name##_U,
                  WNN_VOP_INTEGER(X)
#undef X
#define X(name) WNN_V_##name,
                      WNN_VOP_OTHER(X)
#undef X
                          WNN_VOP_END
} wnn_vop;

/* Limits or coefficients of a step, of the lane type that it works on. */
typedef union wnn_vparam {
  float f32;
  int32_t i32;
  uint32_t u32;
  int64_t i64;
  uint64_t u64;
} wnn_vparam;

enum { WNN_VREGS = 112, WNN_VSTEP_SOURCES = 3 };

typedef struct wnn_vstep {
  uint16_t op;                         /* wnn_vop */
  uint8_t to, from[WNN_VSTEP_SOURCES]; /* registers */
  wnn_vparam p, q;
} wnn_vstep;

/* How a register's elements serve a tile of rows. Only steps of WNN_VOP_PLAIN_BINARY read rows and columns. */
typedef enum wnn_spread {
  WNN_SPREAD_EACH,   /* one element each, row after row */
  WNN_SPREAD_REPEAT, /* one for all, which 64 bytes of memory are filled with */
  WNN_SPREAD_ROW,    /* one row for all rows */
  WNN_SPREAD_COLUMN  /* one element for each row */
} wnn_spread;

/* The register that a step writes may be one of those it reads. */
typedef struct wnn_vreg {
  void *data;
  wnn_spread spread;
} wnn_vreg;

/* ---- Rows ---- */

/* Sum of f(x), or the extreme element. */
typedef enum wnn_fold {
  WNN_FOLD_SUM,
  WNN_FOLD_ABS,
  WNN_FOLD_SQUARE,
  WNN_FOLD_EXP, /* of x - shift */
  WNN_FOLD_PRODUCT,
  WNN_FOLD_MAX,
  WNN_FOLD_MIN
} wnn_fold;

/* Layer normalization of one row: the sum of up to four source rows, (x - mean) / deviation * scale + bias. With
 * `uniform` scale and bias are one element each for the whole row. Either may be NULL. `sum`, if any, receives the
 * sums; it may be `to`, as may the first source. */
typedef struct wnn_f32_norm {
  uint32_t source_count;
  const float *sources[4];
  size_t n;
  double epsilon;
  const float *scale, *bias;
  bool uniform;
  float *sum, *to;
} wnn_f32_norm;

/* One output row of bilinear resampling, for `count` pixels of `channels`: the blend of the rows `top` and `bottom`
 * (weight of the latter: `weight`); pixel i lies between low[i] and high[i], with weights[i] for the latter. A weight
 * of 0 leaves its element out. Scratch: 2 * count floats when channels is 1; `have` tells which rows it holds. */
typedef struct wnn_f32_resample {
  const float *top, *bottom;
  float weight;
  size_t count, channels;
  const uint32_t *low, *high;
  const float *weights;
  float *to, *scratch;
  const float *have[2];
} wnn_f32_resample;

/* vector_program: runs the steps over a tile of rows of n elements.
 * f32_softmax: rows of n. f32_softmax_columns: along rows `stride` apart, for some columns.
 * f32_fold: of one row, and of rows into one double a column (folded into what is there).
 * f32_mean_runs: to[i] = the sum of the n floats at from + i * n, divided by `by`. For n up to WNN_SHORT_RUN.
 * f32_affine: to[i] = (from[i] - mean) * factor + bias; may be in place.
 * repeat_4: each of n elements of 4 bytes `times` times.
 * f32_arg: index of the first greatest (least) element, the first NaN before all; for columns likewise.
 * f16_add_rows: sums of float16, rounded after each addition, as floats and (unless NULL) as float16.
 * transpose_N: as f32_transpose, elements of N bytes. */
enum { WNN_SHORT_RUN = 256 };
#define WNN_UKERNEL_VECTOR(X)                                                                                          \
  X(vector_program, (const wnn_vstep *steps, size_t count, const wnn_vreg *registers, size_t rows, size_t n))          \
  X(f32_softmax, (size_t rows, size_t n, const float *from, float *to))                                                \
  X(f32_softmax_columns, (size_t rows, size_t columns, size_t stride, const float *from, float *to))                   \
  X(f32_fold, (wnn_fold fold, size_t n, const float *from, double shift, double *result))                              \
  X(f32_fold_rows, (wnn_fold fold, size_t rows, size_t columns, const float *from, size_t stride, double *result))     \
  X(f32_mean_runs, (size_t runs, size_t n, const float *from, float by, float *to))                                    \
  X(f32_affine, (size_t n, const float *from, float mean, float factor, float bias, float *to))                        \
  X(repeat_4, (size_t n, size_t times, const void *from, void *to))                                                    \
  X(f32_arg, (bool greatest, size_t n, const float *from, size_t *index))                                              \
  X(f32_arg_columns, (bool greatest, size_t rows, size_t columns, const float *from, size_t stride, int32_t *index))   \
  X(f16_add_rows, (uint32_t count, const uint16_t *const *sources, size_t n, float *to, uint16_t *sum))                \
  X(f32_norm, (const wnn_f32_norm *norm))                                                                              \
  X(f32_resample, (wnn_f32_resample * row))                                                                            \
  X(transpose_1, (size_t rows, size_t columns, const void *from, size_t from_stride, void *to, size_t to_stride))      \
  X(transpose_2, (size_t rows, size_t columns, const void *from, size_t from_stride, void *to, size_t to_stride))      \
  X(transpose_8, (size_t rows, size_t columns, const void *from, size_t from_stride, void *to, size_t to_stride))

#endif
