/* Signals: windows and filter banks as constants, Fourier transforms as products with a matrix of cosines and sines. */
#include <math.h>
#include <string.h>

#include "window.h"

static const double PI = 3.14159265358979323846;

/* The element type that an attribute asks for. */
static bool asked_type(ox_call *c, wnn_data_type *type) {
  int64_t given = ox_attr_i(c, "output_datatype");
  if (ox_type_carrier(given > 0 && given < 256 ? (int32_t)given : 0, type)) return true;
  return OX_UNSUPPORTED(c, "WebNN has no such data type");
}

/* Lists of doubles become a constant result. */
static bool out_doubles(ox_call *c, wnn_data_type type, uint32_t rank, const uint32_t *shape, const double *values) {
  wnn_desc desc = {type, rank, {0}};
  size_t count;
  memcpy(desc.shape, shape, rank * sizeof *shape);
  if (!ox_count_elements(&desc, &count)) return OX_BAD(c, "the result is too large");
  void *data = ox_keep_alloc(c, count, wnn_data_type_size(type));
  for (size_t i = 0; data && i < count; i++) ox_store_double(type, data, i, values[i]);
  return data && ox_out_const(c, 0, &desc, data);
}

/* ---- Windows: a0 - a1 cos(2 pi n / N) + a2 cos(4 pi n / N) ----------------------------------------------------------
 */

enum { HANN, HAMMING, BLACKMAN };

static bool lower_window(ox_call *c) {
  static const double terms[][3] = {{0.5, 0.5, 0}, {25.0 / 46, 21.0 / 46, 0}, {0.42, 0.5, 0.08}};
  const double *a = terms[c->op->arg];
  wnn_data_type type;
  int64_t size;
  if (!asked_type(c, &type) || !ox_const_int(c, 0, "the size of a window", &size)) return false;
  if (size < 0 || size > INT32_MAX / 8) return OX_BAD(c, "the size of the window is out of range");
  int64_t period = ox_attr_i(c, "periodic") ? size : size - 1;
  double *values = ox_temp(c, (size_t)size, sizeof *values);
  for (int64_t i = 0; values && i < size; i++) {
    double turn = period ? 2 * PI * (double)i / (double)period : 0;
    values[i] = a[0] - a[1] * cos(turn) + a[2] * cos(2 * turn);
  }
  return values && out_doubles(c, type, 1, (const uint32_t[]){(uint32_t)size}, values);
}

/* ---- Mel filter bank: triangles over the bins of a spectrum
 * ---------------------------------------------------------- */

typedef struct mel {
  int64_t bands, length, rate;
  double low, high; /* in mel */
} mel;

/* The bin that a band begins at. */
static int64_t mel_bin(const mel *m, int64_t band) {
  double at = m->low + (double)band * ((m->high - m->low) / (double)(m->bands + 2));
  return (int64_t)floor((double)(m->length + 1) * (700 * (pow(10, at / 2595) - 1)) / (double)m->rate);
}

static void mel_band(const mel *m, int64_t band, uint32_t bins, double *values) {
  int64_t from = mel_bin(m, band), top = mel_bin(m, band + 1), to = mel_bin(m, band + 2);
  for (int64_t j = from; j < to || j <= top; j++) {
    double value = j >= top && to > top ? (double)(to - j) / (double)(to - top)
                   : top > from         ? (double)(j - from) / (double)(top - from)
                                        : 1;
    if (j >= 0 && j < bins) values[j * m->bands + band] = value;
  }
}

static bool lower_mel(ox_call *c) {
  wnn_data_type type;
  mel m;
  double low, high;
  if (!asked_type(c, &type) || !ox_const_int(c, 0, "the number of bands", &m.bands) ||
      !ox_const_int(c, 1, "the length of the transform", &m.length) ||
      !ox_const_int(c, 2, "the sample rate", &m.rate) || !ox_const_double(c, 3, "the lower edge", &low) ||
      !ox_const_double(c, 4, "the upper edge", &high))
    return false;
  if (m.bands < 1 || m.length < 1 || m.rate < 1 || m.bands > INT32_MAX || m.length > INT32_MAX ||
      !(low >= 0 && high >= low && high <= 1e9))
    return OX_BAD(c, "an input is out of range");
  uint32_t bins = (uint32_t)(m.length / 2 + 1);
  if ((uint64_t)bins * (uint64_t)m.bands > WNN_MAX_TENSOR_BYTES / 8) return OX_BAD(c, "the result is too large");
  m.low = 2595 * log10(1 + low / 700);
  m.high = 2595 * log10(1 + high / 700);
  if (mel_bin(&m, m.bands + 1) >= bins) return OX_BAD(c, "the upper edge lies beyond the spectrum");
  double *values = ox_temp(c, (size_t)bins * (size_t)m.bands, sizeof *values);
  for (int64_t i = 0; values && i < m.bands; i++) mel_band(&m, i, bins, values);
  return values && out_doubles(c, type, 2, (const uint32_t[]){bins, (uint32_t)m.bands}, values);
}

/* ---- Fourier transforms
 * ---------------------------------------------------------------------------------------------- */

enum { MATRIX_LIMIT = 16 * 1024 * 1024 };

typedef struct transform {
  uint32_t length;    /* of the full transform */
  uint32_t in, out;   /* rows of the input that count, and of the result */
  uint32_t from, to;  /* numbers in a row: 1 real, 2 complex */
  bool inverse, half; /* half: one of each pair of conjugates is left out */
} transform;

static bool small_enough(ox_call *c, const transform *t) {
  if ((uint64_t)t->in * t->from * t->out * t->to <= MATRIX_LIMIT) return true;
  return OX_UNSUPPORTED(c, "a transform of length %u is too long for a matrix", t->length);
}

/* What number (n, a) of the input adds to number (k, b) of the result. */
static double factor(const transform *t, uint32_t n, uint32_t a, uint32_t k, uint32_t b) {
  double turn = 2 * PI * (double)((uint64_t)n * k % t->length) / t->length;
  double size = 1;
  if (t->inverse) {
    size = 1.0 / t->length;
    /* The row that stands for a pair counts twice. */
    if (t->half && n && 2 * (uint64_t)n != t->length) size *= 2;
  }
  if (a == b) return size * cos(turn);
  return size * sin(turn) * (t->inverse == (a == 0) ? 1 : -1);
}

/* The matrix of [in from, out to]. */
static double *transform_matrix(ox_call *c, const transform *t) {
  size_t columns = (size_t)t->out * t->to;
  double *m = ox_temp(c, (size_t)t->in * t->from * columns, sizeof *m);
  for (uint32_t n = 0; m && n < t->in; n++) {
    for (uint32_t a = 0; a < t->from; a++) {
      double *row = m + ((size_t)n * t->from + a) * columns;
      for (uint32_t k = 0; k < t->out; k++) {
        for (uint32_t b = 0; b < t->to; b++) row[k * t->to + b] = factor(t, n, a, k, b);
      }
    }
  }
  return m;
}

static bool dft_plan(ox_call *c, const wnn_desc *in, uint32_t axis, transform *t) {
  uint32_t size = in->shape[axis];
  int64_t length;
  t->from = in->shape[in->rank - 1];
  t->inverse = ox_attr_i(c, "inverse") != 0;
  t->half = ox_attr_i(c, "onesided") != 0;
  bool back = t->inverse && t->half;
  length = back ? 2 * ((int64_t)size - 1) : size;
  if (ox_has(c, 1) && !ox_const_int(c, 1, "the length of the transform", &length)) return false;
  if (length < 1 || length > INT32_MAX) return OX_BAD(c, "the length of the transform is out of range");
  if (t->from < 1 || t->from > 2) return OX_BAD(c, "the last dimension holds neither real nor complex numbers");
  if (t->half && !t->inverse && t->from == 2) return OX_BAD(c, "the half of a spectrum needs real numbers");
  t->length = (uint32_t)length;
  uint32_t used = back ? t->length / 2 + 1 : t->length;
  t->in = size < used ? size : used;
  t->out = t->half && !t->inverse ? t->length / 2 + 1 : t->length;
  t->to = back ? 1 : 2;
  return small_enough(c, t);
}

static bool dft_axis(ox_call *c, const wnn_desc *in, uint32_t *axis) {
  int64_t given = c->op->since < 20 ? ox_attr_i(c, "axis") : -2;
  if (c->op->since >= 20 && ox_has(c, 2) && !ox_const_int(c, 2, "the axis", &given)) return false;
  if (!ox_axis(c, given, in->rank, axis)) return false;
  return *axis + 1 < in->rank || OX_BAD(c, "the axis is that of the complex numbers");
}

static bool lower_dft(ox_call *c) {
  wnn_operand *x = ox_in(c, 0);
  if (!x) return false;
  const wnn_desc in = *ox_desc(x);
  transform t = {0};
  uint32_t axis, order[WNN_MAX_RANK], moved[WNN_MAX_RANK];
  if (!dft_axis(c, &in, &axis) || !dft_plan(c, &in, axis, &t)) return false;
  double *m = transform_matrix(c, &t);
  if (!m) return false;
  /* The axis swaps places with the one before the numbers; doing so again restores the order. */
  for (uint32_t i = 0; i < in.rank; i++) order[i] = i;
  order[axis] = in.rank - 2;
  order[in.rank - 2] = axis;
  x = ox_transpose(c, ox_slice(c, x, axis, 0, t.in), order);
  if (!x) return false;
  uint32_t rows = 1, columns = t.out * t.to, wide = t.in * t.from;
  memcpy(moved, ox_desc(x)->shape, sizeof moved);
  for (uint32_t i = 0; i + 2 < in.rank; i++) rows *= moved[i];
  moved[in.rank - 2] = t.out;
  moved[in.rank - 1] = t.to;
  wnn_operand *matrix = ox_constant_doubles(c, in.data_type, 2, (const uint32_t[]){wide, columns}, m);
  wnn_operand *y = ox_matmul(c, OX_RESHAPE(c, x, rows, wide), matrix);
  return ox_out(c, 0, ox_transpose(c, ox_reshape(c, y, in.rank, moved), order));
}

/* Frames that step along the signal are a convolution with the rows of the matrix, the window multiplied in. */
static bool lower_stft(ox_call *c) {
  wnn_operand *x = ox_in(c, 0), *window = ox_in_optional(c, 2);
  int64_t step, length = 0;
  if (!x || !ox_const_int(c, 1, "the step of the frames", &step)) return false;
  const wnn_desc in = *ox_desc(x), *w = ox_desc(window);
  if (ox_has(c, 3)) {
    if (!ox_const_int(c, 3, "the length of a frame", &length)) return false;
  } else if (window && w->rank == 1) {
    length = w->shape[0];
  }
  transform t = {.half = ox_attr_i(c, "onesided") != 0, .to = 2};
  t.from = in.rank == 3 ? in.shape[2] : 1;
  if (in.rank < 2 || in.rank > 3 || t.from > 2) return OX_BAD(c, "the signal is not [batch, length, 1 or 2]");
  if (t.half && t.from == 2) return OX_BAD(c, "the half of a spectrum needs real numbers");
  if (step < 1 || step > INT32_MAX || length < 1 || length > in.shape[1])
    return OX_BAD(c, "the step or the length of a frame is out of range");
  if (window && (w->rank != 1 || w->shape[0] != length)) return OX_BAD(c, "the window is not as long as a frame");
  t.length = t.in = (uint32_t)length;
  t.out = t.half ? t.length / 2 + 1 : t.length;
  if (!small_enough(c, &t)) return false;
  double *m = transform_matrix(c, &t);
  uint32_t columns = t.out * t.to;
  wnn_operand *taps = m ? ox_constant_doubles(c, in.data_type, 3, (const uint32_t[]){t.in, t.from, columns}, m) : NULL;
  taps = taps ? OX_TRANSPOSE(c, taps, 2, 1, 0) : NULL; /* [columns, from, length] */
  if (window) taps = ox_mul(c, taps, window);
  ox_window frames = {.rank = 1, .kernel = {t.in}, .strides = {(uint32_t)step}, .dilations = {1}, .groups = 1};
  x = OX_TRANSPOSE(c, OX_RESHAPE(c, x, in.shape[0], in.shape[1], t.from), 0, 2, 1);
  wnn_operand *y = ox_convolve(c, x, taps, NULL, &frames);
  if (!y) return false;
  uint32_t count = ox_desc(y)->shape[2];
  return ox_out(c, 0, OX_RESHAPE(c, OX_TRANSPOSE(c, y, 0, 2, 1), in.shape[0], count, t.out, t.to));
}

#define WINDOW "output_datatype:i=1 periodic:i=1"
static const ox_op ops[] = {
    {"", "HannWindow", 17, 1, 1, 1, WINDOW, lower_window, HANN, OX_INLINE},
    {"", "HammingWindow", 17, 1, 1, 1, WINDOW, lower_window, HAMMING, OX_INLINE},
    {"", "BlackmanWindow", 17, 1, 1, 1, WINDOW, lower_window, BLACKMAN, OX_INLINE},
    {"", "MelWeightMatrix", 17, 5, 5, 1, "output_datatype:i=1", lower_mel, 0, OX_INLINE},
    {"", "DFT", 17, 1, 2, 1, "axis:i=1 inverse:i=0 onesided:i=0", lower_dft, 0, 0},
    {"", "DFT", 20, 1, 3, 1, "inverse:i=0 onesided:i=0", lower_dft, 0, 0},
    {"", "STFT", 17, 2, 4, 1, "onesided:i=1", lower_stft, 0, 0},
};
OX_FAMILY(signal, ops);
