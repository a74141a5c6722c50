/* Softmax of rows, and along columns. */
#include "kernels/simd/math.h"
#include "kernels/ukernels.h"

/* A multiple of e^(x - greatest), the same for all x; greatest infinite or NaN gives NaN at least once, which the sum
 * spreads. */
WNN_INLINE wnn_vf part(wnn_vf x, wnn_vf greatest) {
  x = wnn_vf_raise(x - greatest, wnn_vf_set(-105.0f));
#if defined(WNN_SHIFT_PARTS)
  /* To base 2; what the factor lacks is 2^-26 of the exponent. */
  const float factor = 0x1.715476p+0f;
#if defined(WNN_ISA_AVX512)
  wnn_vf shifted = x * factor + WNN_SHIFT_PARTS, m = shifted - WNN_SHIFT_PARTS;
  return wnn_vf_scale(wnn_vf_power_parts(shifted, wnn_vf_product_less(x, wnn_vf_set(factor), m)), m);
#else
  const float shift = WNN_SHIFT_PARTS + 32; /* times 2^32, for normal numbers only */
  wnn_vf shifted = x * factor + shift, m = shifted - shift;
  return wnn_vf_power_parts(shifted, wnn_vf_product_less(x, wnn_vf_set(factor), m));
#endif
#else
  return wnn_vf_exp_within(x);
#endif
}

/* The greatest elements, which a vector holds in parts. NaN may get lost here; it comes back by the sum. */
WNN_INLINE wnn_vf greatest_of(size_t n, const float *x) {
  if (n < WNN_VL) {
    float most = -INFINITY;
    for (size_t i = 0; i < n; i++) most = x[i] > most || x[i] != x[i] ? x[i] : most;
    return wnn_vf_set(most);
  }
  wnn_vf most[4];
  size_t i = 0;
  /* The last elements first: they may be met twice. */
  most[0] = most[1] = most[2] = most[3] = wnn_vf_load(x + n - WNN_VL);
  for (; i + 4 * WNN_VL <= n; i += 4 * WNN_VL) WNN_UNROLL
  for (int j = 0; j < 4; j++) most[j] = wnn_vf_raise(most[j], wnn_vf_load(x + i + j * WNN_VL));
  for (; i + WNN_VL <= n; i += WNN_VL) most[0] = wnn_vf_raise(most[0], wnn_vf_load(x + i));
  return wnn_vf_raise(wnn_vf_raise(most[0], most[1]), wnn_vf_raise(most[2], most[3]));
}

/* Writes the powers; returns their sums, which a vector holds in parts. */
WNN_INLINE wnn_vf powers(size_t n, const float *from, wnn_vf greatest, float *to) {
  wnn_vf sums[4] = {{0}, {0}, {0}, {0}};
  size_t i = 0;
  for (; i + 4 * WNN_VL <= n; i += 4 * WNN_VL) WNN_UNROLL
  for (int j = 0; j < 4; j++) {
    wnn_vf e = part(wnn_vf_load(from + i + j * WNN_VL), greatest);
    wnn_vf_store(to + i + j * WNN_VL, e);
    sums[j] += e;
  }
  for (; i + WNN_VL <= n; i += WNN_VL) {
    wnn_vf e = part(wnn_vf_load(from + i), greatest);
    wnn_vf_store(to + i, e);
    sums[0] += e;
  }
  if (i < n) {
    wnn_vf e = wnn_vf_first(part(wnn_vf_load_n(from + i, n - i), greatest), n - i);
    wnn_vf_store_n(to + i, e, n - i);
    sums[1] += e;
  }
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

enum { GROUP = 4, FEW = 4 }; /* rows side by side; vectors of a row that stay in registers */

WNN_INLINE void find_greatest(const int rows, size_t n, const float *x, wnn_vf greatest[GROUP]) {
  WNN_UNROLL
  for (int r = 0; r < rows; r++) greatest[r] = greatest_of(n, x + (size_t)r * n);
  WNN_UNROLL
  for (int r = 0; r < rows; r++) greatest[r] = wnn_vf_spread_most(greatest[r]);
}

/* Rows one by one or in groups. What waits across vectors is filled with work: the maxima of the next rows come before
 * these are scaled. */
WNN_INLINE void softmax_rows(const int group, size_t rows, size_t n, const float *from, float *to) {
  wnn_vf greatest[GROUP], factor[GROUP];
  find_greatest(group, n, from, greatest);
  for (size_t first = 0; first < rows; first += (size_t)group, from += (size_t)group * n, to += (size_t)group * n) {
    WNN_UNROLL
    for (int r = 0; r < group; r++) factor[r] = powers(n, from + (size_t)r * n, greatest[r], to + (size_t)r * n);
    WNN_UNROLL
    for (int r = 0; r < group; r++) factor[r] = 1.0f / wnn_vf_spread_total(factor[r]);
    if (first + (size_t)group < rows) find_greatest(group, n, from + (size_t)group * n, greatest);
    WNN_UNROLL
    for (int r = 0; r < group; r++) {
      float *row = to + (size_t)r * n;
      size_t i = 0;
      for (; i + WNN_VL <= n; i += WNN_VL) wnn_vf_store(row + i, wnn_vf_load(row + i) * factor[r]);
      if (i < n) wnn_vf_store_n(row + i, wnn_vf_load_n(row + i, n - i) * factor[r], n - i);
    }
  }
}

/* Groups of rows of V vectors, the last of which may be there in part: the powers stay in registers. */
WNN_INLINE void softmax_short(const int V, size_t rows, size_t n, const float *from, float *to) {
  const size_t last = n - (size_t)(V - 1) * WNN_VL;
  wnn_vf next[GROUP];
  find_greatest(GROUP, n, from, next);
  for (size_t first = 0; first < rows; first += GROUP) {
    wnn_vf greatest[GROUP];
    WNN_UNROLL
    for (int r = 0; r < GROUP; r++) greatest[r] = next[r];
    if (first + GROUP < rows) find_greatest(GROUP, n, from + GROUP * n, next);
    WNN_UNROLL
    for (int r = 0; r < GROUP; r++, from += n, to += n) {
      wnn_vf e[FEW], sum = {0};
      WNN_UNROLL
      for (int v = 0; v < V; v++) {
        const bool whole = v + 1 < V || last == WNN_VL;
        e[v] = part(whole ? wnn_vf_load(from + v * WNN_VL) : wnn_vf_load_n(from + v * WNN_VL, last), greatest[r]);
        if (!whole) e[v] = wnn_vf_first(e[v], last);
        sum += e[v];
      }
      const wnn_vf factor = 1.0f / wnn_vf_spread_total(sum);
      WNN_UNROLL
      for (int v = 0; v < V; v++) {
        if (v + 1 < V || last == WNN_VL)
          wnn_vf_store(to + v * WNN_VL, e[v] * factor);
        else
          wnn_vf_store_n(to + v * WNN_VL, e[v] * factor, last);
      }
    }
  }
}

void WNN_K(f32_softmax)(size_t rows, size_t n, const float *from, float *to) {
  enum { SHORT = 512 }; /* a group of short rows stays in the first level of the cache */
  size_t grouped = n <= SHORT ? rows - rows % GROUP : 0;
  if (grouped) {
    switch ((n + WNN_VL - 1) / WNN_VL) {
    case 1: softmax_short(1, grouped, n, from, to); break;
    case 2: softmax_short(2, grouped, n, from, to); break;
    case 3: softmax_short(3, grouped, n, from, to); break;
    case 4: softmax_short(4, grouped, n, from, to); break;
    default: softmax_rows(GROUP, grouped, n, from, to);
    }
  }
  if (grouped < rows) softmax_rows(1, rows - grouped, n, from + grouped * n, to + grouped * n);
}

void WNN_K(f32_softmax_columns)(size_t rows, size_t columns, size_t stride, const float *from, float *to) {
  for (size_t c = 0; c < columns; c += WNN_VL) {
    size_t n = columns - c < WNN_VL ? columns - c : WNN_VL;
    wnn_vf most = wnn_vf_set(-INFINITY), sum = wnn_vf_set(0.0f);
    const float *source = from + c;
    float *target = to + c;
    if (n == WNN_VL) {
      for (size_t r = 0; r < rows; r++) most = wnn_vf_max(most, wnn_vf_load(source + r * stride));
      for (size_t r = 0; r < rows; r++) {
        wnn_vf e = part(wnn_vf_load(source + r * stride), most);
        wnn_vf_store(target + r * stride, e);
        sum += e;
      }
      wnn_vf factor = 1.0f / sum;
      for (size_t r = 0; r < rows; r++) wnn_vf_store(target + r * stride, wnn_vf_load(target + r * stride) * factor);
      continue;
    }
    for (size_t r = 0; r < rows; r++) most = wnn_vf_max(most, wnn_vf_load_n(source + r * stride, n));
    for (size_t r = 0; r < rows; r++) {
      wnn_vf e = part(wnn_vf_load_n(source + r * stride, n), most);
      wnn_vf_store_n(target + r * stride, e, n);
      sum += e;
    }
    wnn_vf factor = 1.0f / sum;
    for (size_t r = 0; r < rows; r++)
      wnn_vf_store_n(target + r * stride, wnn_vf_load_n(target + r * stride, n) * factor, n);
  }
}
