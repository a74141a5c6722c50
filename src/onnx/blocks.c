/* Weights quantised in blocks of rows. The packed integers are unpacked at import and dequantised in the graph, where a
 * kernel may recognise the product. */
#include <string.h>

#include "quantized.h"

/* Elements of `bits` bits, the low ones first, rows padded to whole bytes, as one byte each. */
static wnn_operand *unpack(ox_call *c, size_t input, uint32_t bits, uint64_t rows, uint64_t row_elements,
                           const wnn_desc *out) {
  const ox_value *value = c->in[input];
  uint64_t row_bytes = (row_elements * bits + 7) / 8, have = wnn_desc_bytes(&value->desc);
  if (!wnn_desc_elements(out) || have != rows * row_bytes || wnn_desc_elements(out) != rows * row_elements) {
    OX_BAD(c, "input %zu has %llu bytes, not %llu", input, (unsigned long long)have,
           (unsigned long long)(rows * row_bytes));
    return NULL;
  }
  if (bits == 8) {
    ox_value *whole = ox_value_const(c->im, out, value->data);
    if (!whole) ox_no_memory(c);
    return ox_use(c, whole);
  }
  uint8_t *bytes = ox_keep_alloc(c, rows * row_elements, 1);
  if (!bytes) return NULL;
  const uint8_t *packed = value->data;
  uint8_t *next = bytes, mask = (uint8_t)((1u << bits) - 1);
  for (uint64_t r = 0; r < rows; r++) {
    for (uint64_t i = 0; i < row_elements; i++) {
      uint64_t at = i * bits;
      unsigned word = packed[r * row_bytes + at / 8];
      if (at % 8 + bits > 8) word |= (unsigned)packed[r * row_bytes + at / 8 + 1] << 8;
      *next++ = (uint8_t)(word >> at % 8) & mask;
    }
  }
  ox_value *whole = ox_value_const(c->im, out, bytes);
  if (!whole) ox_no_memory(c);
  return ox_use(c, whole);
}

/* The zero points of [n, blocks, 1]: packed integers, floats, or the middle of the range. */
static wnn_operand *block_weights(ox_call *c, wnn_operand *q, wnn_operand *scales, uint32_t n, uint32_t blocks,
                                  uint32_t bits) {
  const wnn_desc shape = {WNN_UINT8, 3, {n, blocks, 1}};
  wnn_operand *zero;
  if (!ox_has(c, 3)) {
    zero = ox_fill(c, WNN_UINT8, 3, shape.shape, (double)(1u << (bits - 1)));
    return ox_dequantize(c, q, scales, zero, 0);
  }
  if (ox_in_desc(c, 3)->data_type == WNN_UINT8) {
    if (!ox_need(c, 3, "zero_points")) return NULL;
    return ox_dequantize(c, q, scales, unpack(c, 3, bits, n, blocks, &shape), 0);
  }
  zero = OX_RESHAPE(c, ox_in(c, 3), n, blocks, 1);
  return ox_sub(c, ox_dequantize(c, q, scales, NULL, 0), ox_mul(c, zero, scales));
}

static bool lower_matmul_nbits(ox_call *c) {
  int64_t k = ox_attr_i(c, "K"), n = ox_attr_i(c, "N"), bits = ox_attr_i(c, "bits"), block = ox_attr_i(c, "block_size");
  if (k < 1 || n < 1 || k > INT32_MAX || n > INT32_MAX || bits < 2 || bits > 8 || block < 1 || block > INT32_MAX)
    return OX_BAD(c, "attributes K, N, bits or block_size are out of range");
  if (ox_has(c, 4)) return OX_UNSUPPORTED(c, "the input g_idx");
  if (ox_attr_i(c, "weight_prepacked")) return OX_UNSUPPORTED(c, "prepacked weights");
  if (!ox_need(c, 1, "B")) return false;
  uint64_t blocks = ((uint64_t)k + (uint64_t)block - 1) / (uint64_t)block, width = blocks * (uint64_t)block;
  if (ox_in_desc(c, 1)->data_type != WNN_UINT8 || width > INT32_MAX) return OX_BAD(c, "B must be packed bytes");
  const wnn_desc whole = {WNN_UINT8, 3, {(uint32_t)n, (uint32_t)blocks, (uint32_t)block}};
  /* Every block is padded to whole bytes by itself. */
  wnn_operand *q = unpack(c, 1, (uint32_t)bits, (uint64_t)n * blocks, (uint64_t)block, &whole);
  wnn_operand *a = ox_in(c, 0), *scales = OX_RESHAPE(c, ox_in(c, 2), (uint32_t)n, (uint32_t)blocks, 1);
  wnn_operand *w = block_weights(c, q, scales, (uint32_t)n, (uint32_t)blocks, (uint32_t)bits);
  w = ox_slice(c, OX_RESHAPE(c, w, (uint32_t)n, (uint32_t)width), 1, 0, (uint32_t)k);
  wnn_operand *y = ox_np_matmul(c, a, ox_cast(c, w ? OX_TRANSPOSE(c, w, 1, 0) : NULL, ox_desc(a)->data_type));
  return ox_out(c, 0, ox_has(c, 5) ? ox_add(c, y, ox_in(c, 5)) : y);
}

/* Rows are gathered first and dequantised after. */
static bool lower_gather_blocks(ox_call *c) {
  wnn_desc d = *ox_in_desc(c, 0);
  int64_t bits = ox_attr_i(c, "bits");
  uint32_t gather_axis, quantize_axis;
  if (!d.rank || !ox_axis(c, ox_attr_i(c, "gather_axis"), d.rank, &gather_axis) ||
      !ox_axis(c, ox_attr_i(c, "quantize_axis"), d.rank, &quantize_axis))
    return false;
  if (gather_axis == quantize_axis) return OX_BAD(c, "attributes 'gather_axis' and 'quantize_axis' are the same");
  int32_t type = c->in[0]->onnx_type;
  bool unpacked = type == OX_INT4 || type == OX_UINT4, packed = !unpacked && bits == 4;
  if (bits != 4 && bits != 8) return OX_UNSUPPORTED(c, "attribute 'bits' is neither 4 nor 8");
  wnn_operand *data, *zero = NULL, *scales = ox_in(c, 2), *indices = ox_in(c, 1);
  uint64_t rows = 1;
  for (uint32_t i = 0; i + 1 < d.rank; i++) rows *= d.shape[i];
  if (packed) {
    if (!ox_need(c, 0, "data")) return false;
    if (d.shape[d.rank - 1] > INT32_MAX / 2) return OX_BAD(c, "data is too large");
    d.shape[d.rank - 1] *= 2;
    data = unpack(c, 0, 4, rows, d.shape[d.rank - 1], &d);
  } else {
    data = ox_in(c, 0);
  }
  const wnn_desc s = *ox_desc(scales);
  if (s.rank != d.rank) return OX_BAD(c, "scales and data differ in rank");
  if (ox_has(c, 3)) {
    wnn_desc z = s;
    z.data_type = WNN_UINT8;
    uint64_t zero_rows = 1;
    for (uint32_t i = 0; i + 1 < s.rank; i++) zero_rows *= s.shape[i];
    if (packed && !ox_need(c, 3, "zero_points")) return false;
    zero = packed ? unpack(c, 3, 4, zero_rows, s.shape[s.rank - 1], &z) : ox_in(c, 3);
  } else {
    bool unsigned_bytes = d.data_type == WNN_UINT8 && !unpacked;
    zero = ox_fill(c, d.data_type, s.rank, s.shape, unsigned_bytes ? (bits == 4 ? 8 : 128) : 0);
  }
  data = ox_gather(c, data, indices, gather_axis);
  scales = ox_gather(c, scales, indices, gather_axis);
  zero = ox_gather(c, zero, indices, gather_axis);
  return ox_out(c, 0, ox_dequantize(c, data, scales, zero, 0));
}

static const ox_op ops[] = {
    {"com.microsoft", "MatMulNBits", 1, 3, 6, 1,
     "K:i N:i bits:i=4 block_size:i accuracy_level:i=0 weight_prepacked:i=0", lower_matmul_nbits, 0, 0},
    {"com.microsoft", "GatherBlockQuantized", 1, 3, 4, 1, "bits:i=4 block_size:i=128 gather_axis:i=0 quantize_axis:i=1",
     lower_gather_blocks, 0, OX_NO_FOLD},
};
OX_FAMILY(blocks, ops);
