/* Operations that only move elements, on random shapes, data types and bits: every engine configuration must give what
 * a plain walk over coordinates gives, bit by bit (payloads of NaN included). */
#include <inttypes.h>

#include "support/test.h"

enum { MAX_BYTES = 1 << 20, ROUNDS = 150, MAX_PARTS = 4 };

/* A tensor of random bits, or of indices. */
typedef struct data {
  wnn_desc desc;
  unsigned char bytes[MAX_BYTES];
} data;

static wnn_context *contexts[4];
static size_t context_count;
static uint64_t state;
static size_t size; /* of an element of the round's data type */
static data input, other, third, results[MAX_PARTS];

static uint32_t below(uint32_t limit) { return (uint32_t)(test_random(&state) % limit); }

static size_t elements(const wnn_desc *desc) { return (size_t)wnn_desc_elements(desc); }

static void fill(data *d) {
  for (size_t i = 0; i < elements(&d->desc) * size; i++) d->bytes[i] = (unsigned char)test_random(&state);
}

/* Few dimensions may be large, so that inner loops and tiles are met. */
static wnn_desc random_desc(uint32_t min_rank, uint32_t max_rank) {
  wnn_desc desc = {(wnn_data_type)below(WNN_DATA_TYPE_COUNT), min_rank + below(max_rank - min_rank + 1), {0}};
  size_t count = 1;
  for (uint32_t i = 0; i < desc.rank; i++) {
    desc.shape[i] = 1 + below(below(3) ? 4 : 40);
    if (count * desc.shape[i] > 600) desc.shape[i] = 1;
    count *= desc.shape[i];
  }
  size = wnn_data_type_size(desc.data_type);
  return desc;
}

static void unravel(const wnn_desc *desc, size_t index, size_t at[WNN_MAX_RANK]) {
  for (uint32_t i = desc->rank; i-- > 0; index /= desc->shape[i]) at[i] = index % desc->shape[i];
}

static size_t ravel(const wnn_desc *desc, const size_t at[WNN_MAX_RANK]) {
  size_t index = 0;
  for (uint32_t i = 0; i < desc->rank; i++) index = index * desc->shape[i] + at[i];
  return index;
}

static void move(data *to, size_t i, const data *from, size_t j) {
  memcpy(to->bytes + i * size, from->bytes + j * size, size);
}

/* ---- Running ------------------------------------------------------------------------------------------------ */

/* Builds op over the given tensors (some constant, by the bits of constants) and compares every result. */
static void check_on(wnn_context *context, int op, const void *args, data *const *operands, size_t count,
                     size_t result_count, unsigned constants) {
  static const char *const names[] = {"a", "b", "c", "d"};
  static unsigned char got[MAX_BYTES];
  wnn_builder *builder = NULL;
  wnn_graph *graph = NULL;
  wnn_operand *in[MAX_PARTS], *out[MAX_PARTS];
  wnn_named_operand outputs[MAX_PARTS];
  wnn_named_tensor bound[MAX_PARTS], made[MAX_PARTS];
  size_t bound_count = 0;
  wnn_error error = {0};
  REQUIRE_OK(wnn_builder_create(context, &builder, &error), error);
  for (size_t i = 0; i < count; i++) {
    size_t bytes = (size_t)wnn_desc_bytes(&operands[i]->desc);
    if (constants >> i & 1) {
      CHECK_OK(wnn_builder_constant(builder, &operands[i]->desc, operands[i]->bytes, bytes, &in[i], &error), error);
      continue;
    }
    CHECK_OK(wnn_builder_input(builder, names[i], &operands[i]->desc, &in[i], &error), error);
    bound[bound_count].name = names[i];
    CHECK_OK(
        wnn_context_create_tensor(context, &operands[i]->desc, WNN_TENSOR_WRITABLE, &bound[bound_count].tensor, &error),
        error);
    CHECK_OK(wnn_context_write_tensor(context, bound[bound_count++].tensor, operands[i]->bytes, bytes, &error), error);
  }
  REQUIRE_OK(wnn_builder_add(builder, op, args, in, count, out, MAX_PARTS, NULL, &error), error);
  for (size_t i = 0; i < result_count; i++) {
    const wnn_desc *desc = wnn_operand_desc(out[i]);
    CHECK(desc->rank == results[i].desc.rank &&
          !memcmp(desc->shape, results[i].desc.shape, desc->rank * sizeof desc->shape[0]));
    CHECK_EQ(desc->data_type, results[i].desc.data_type);
    outputs[i] = (wnn_named_operand){names[i], out[i]};
    made[i].name = names[i];
    CHECK_OK(wnn_context_create_tensor(context, desc, WNN_TENSOR_READABLE, &made[i].tensor, &error), error);
  }
  REQUIRE_OK(wnn_builder_build(builder, outputs, result_count, &graph, &error), error);
  REQUIRE_OK(wnn_context_dispatch(context, graph, bound, bound_count, made, result_count, &error), error);
  for (size_t i = 0; i < result_count; i++) {
    size_t bytes = (size_t)wnn_desc_bytes(&results[i].desc);
    CHECK_OK(wnn_context_read_tensor(context, made[i].tensor, got, bytes, &error), error);
    CHECK_MSG(!memcmp(got, results[i].bytes, bytes), "%s, result %zu, element size %zu, rank %" PRIu32,
              wnn_op_get(op)->name, i, size, results[i].desc.rank);
    wnn_tensor_release(made[i].tensor);
  }
  for (size_t i = 0; i < bound_count; i++) wnn_tensor_release(bound[i].tensor);
  wnn_graph_release(graph);
  wnn_builder_release(builder);
}

static void check(int op, const void *args, data *const *operands, size_t count, size_t result_count) {
  unsigned constants = below(4) ? below(1u << count) & ~1u : below(1u << count);
  for (size_t c = 0; c < context_count; c++) check_on(contexts[c], op, args, operands, count, result_count, constants);
}

static void check_unary(int op, const void *args) {
  data *operands[] = {&input};
  check(op, args, operands, 1, 1);
}

static void start(uint32_t min_rank, uint32_t max_rank) {
  input.desc = random_desc(min_rank, max_rank);
  fill(&input);
  results[0].desc = input.desc;
}

/* ---- One source position for each output element -------------------------------------------------------------- */

static void transpose(void) {
  for (int round = 0; round < ROUNDS; round++) {
    start(0, round % 8 ? 5 : 8);
    uint32_t order[WNN_MAX_RANK], rank = input.desc.rank;
    bool absent = below(8) == 0;
    for (uint32_t i = 0; i < rank; i++) order[i] = absent ? rank - 1 - i : i;
    for (uint32_t i = rank; !absent && i > 1; i--) {
      uint32_t j = below(i), swap = order[i - 1];
      order[i - 1] = order[j];
      order[j] = swap;
    }
    for (uint32_t i = 0; i < rank; i++) results[0].desc.shape[i] = input.desc.shape[order[i]];
    for (size_t i = 0; i < elements(&input.desc); i++) {
      size_t at[WNN_MAX_RANK], from[WNN_MAX_RANK];
      unravel(&results[0].desc, i, at);
      for (uint32_t d = 0; d < rank; d++) from[order[d]] = at[d];
      move(&results[0], i, &input, ravel(&input.desc, from));
    }
    wnn_transpose_args args = {{NULL, {absent ? NULL : order, absent ? 0 : rank}}};
    check_unary(WNN_OP_TRANSPOSE, &args);
  }
}

static void reverse(void) {
  for (int round = 0; round < ROUNDS; round++) {
    start(0, 6);
    uint32_t axes[WNN_MAX_RANK], count = 0;
    bool absent = below(4) == 0;
    for (uint32_t i = input.desc.rank; i-- > 0;)
      if (absent || below(2)) axes[count++] = i;
    for (size_t i = 0; i < elements(&input.desc); i++) {
      size_t at[WNN_MAX_RANK];
      unravel(&input.desc, i, at);
      for (uint32_t a = 0; a < count; a++) at[axes[a]] = input.desc.shape[axes[a]] - 1 - at[axes[a]];
      move(&results[0], i, &input, ravel(&input.desc, at));
    }
    wnn_reverse_args args = {{NULL, {absent ? NULL : axes, absent ? 0 : count}}};
    check_unary(WNN_OP_REVERSE, &args);
  }
}

static void slice(void) {
  for (int round = 0; round < ROUNDS; round++) {
    start(0, 6);
    uint32_t starts[WNN_MAX_RANK], sizes[WNN_MAX_RANK], strides[WNN_MAX_RANK], rank = input.desc.rank;
    bool absent = below(3) == 0;
    for (uint32_t i = 0; i < rank; i++) {
      starts[i] = below(input.desc.shape[i]);
      sizes[i] = 1 + below(input.desc.shape[i] - starts[i]);
      strides[i] = absent ? 1 : 1 + below(4);
      results[0].desc.shape[i] = (sizes[i] + strides[i] - 1) / strides[i];
    }
    for (size_t i = 0; i < elements(&results[0].desc); i++) {
      size_t at[WNN_MAX_RANK];
      unravel(&results[0].desc, i, at);
      for (uint32_t d = 0; d < rank; d++) at[d] = starts[d] + at[d] * strides[d];
      move(&results[0], i, &input, ravel(&input.desc, at));
    }
    wnn_slice_args args = {{starts, rank}, {sizes, rank}, {NULL, {absent ? NULL : strides, absent ? 0 : rank}}};
    check_unary(WNN_OP_SLICE, &args);
  }
}

static void expand(void) {
  for (int round = 0; round < ROUNDS; round++) {
    start(0, 4);
    uint32_t shape[WNN_MAX_RANK], extra = below(3), rank = input.desc.rank + extra;
    for (uint32_t i = 0; i < rank; i++) {
      if (i >= extra && below(2)) input.desc.shape[i - extra] = 1;
      shape[i] = i >= extra && input.desc.shape[i - extra] > 1 ? input.desc.shape[i - extra] : 1 + below(3);
      results[0].desc.shape[i] = shape[i];
    }
    results[0].desc.rank = rank;
    for (size_t i = 0; i < elements(&results[0].desc); i++) {
      size_t at[WNN_MAX_RANK], from[WNN_MAX_RANK];
      unravel(&results[0].desc, i, at);
      for (uint32_t d = 0; d < input.desc.rank; d++) from[d] = input.desc.shape[d] == 1 ? 0 : at[d + extra];
      move(&results[0], i, &input, ravel(&input.desc, from));
    }
    wnn_expand_args args = {{shape, rank}, {NULL}};
    check_unary(WNN_OP_EXPAND, &args);
  }
}

static void tile(void) {
  for (int round = 0; round < ROUNDS; round++) {
    start(0, 4);
    uint32_t repetitions[WNN_MAX_RANK];
    for (uint32_t i = 0; i < input.desc.rank; i++) {
      repetitions[i] = 1 + below(3);
      results[0].desc.shape[i] = input.desc.shape[i] * repetitions[i];
    }
    for (size_t i = 0; i < elements(&results[0].desc); i++) {
      size_t at[WNN_MAX_RANK];
      unravel(&results[0].desc, i, at);
      for (uint32_t d = 0; d < input.desc.rank; d++) at[d] %= input.desc.shape[d];
      move(&results[0], i, &input, ravel(&input.desc, at));
    }
    wnn_tile_args args = {{repetitions, input.desc.rank}, {NULL}};
    check_unary(WNN_OP_TILE, &args);
  }
}

static void pad(void) {
  for (int round = 0; round < ROUNDS; round++) {
    start(0, 3);
    wnn_padding_mode mode = (wnn_padding_mode)(round % 3);
    uint32_t begin[WNN_MAX_RANK], end[WNN_MAX_RANK], rank = input.desc.rank;
    for (uint32_t i = 0; i < rank; i++) {
      uint32_t limit = mode == WNN_PADDING_MODE_REFLECTION ? input.desc.shape[i] : 4;
      begin[i] = below(limit < 6 ? limit : 6);
      end[i] = below(limit < 6 ? limit : 6);
      results[0].desc.shape[i] += begin[i] + end[i];
    }
    uint64_t fill_bits = 0;
    wnn_number value = wnn_number_double((double)below(100));
    wnn_number_store(value, input.desc.data_type, &fill_bits);
    for (size_t i = 0; i < elements(&results[0].desc); i++) {
      size_t at[WNN_MAX_RANK];
      bool outside = false;
      unravel(&results[0].desc, i, at);
      for (uint32_t d = 0; d < rank; d++) {
        int64_t n = input.desc.shape[d], x = (int64_t)at[d] - begin[d];
        if (x >= 0 && x < n) {
        } else if (mode == WNN_PADDING_MODE_CONSTANT) {
          outside = true;
        } else if (mode == WNN_PADDING_MODE_EDGE) {
          x = x < 0 ? 0 : n - 1;
        } else {
          x = x < 0 ? -x : 2 * (n - 1) - x;
        }
        at[d] = (size_t)x;
      }
      if (outside)
        memcpy(results[0].bytes + i * size, &fill_bits, size);
      else
        move(&results[0], i, &input, ravel(&input.desc, at));
    }
    wnn_pad_args args = {{begin, rank}, {end, rank}, {NULL, mode, value}};
    check_unary(WNN_OP_PAD, &args);
  }
}

static void reshape(void) {
  for (int round = 0; round < ROUNDS; round++) {
    start(0, 5);
    uint32_t shape[2] = {(uint32_t)elements(&input.desc), 1};
    results[0].desc.rank = below(2) + 1;
    memcpy(results[0].desc.shape, shape, sizeof shape);
    memcpy(results[0].bytes, input.bytes, elements(&input.desc) * size);
    wnn_reshape_args args = {{shape, results[0].desc.rank}, {NULL}};
    check_unary(WNN_OP_RESHAPE, &args);
  }
}

/* ---- Parts ------------------------------------------------------------------------------------------------------- */

/* Cuts the input along axis into results; concat then joins what split made. */
static void split_and_concat(void) {
  for (int round = 0; round < ROUNDS; round++) {
    start(1, 5);
    uint32_t axis = below(input.desc.rank), sizes[MAX_PARTS], count = 1 + below(3), left;
    input.desc.shape[axis] = count + below(9);
    fill(&input);
    left = input.desc.shape[axis];
    for (uint32_t p = 0; p < count; p++) {
      sizes[p] = p + 1 < count ? 1 + below(left - (count - p - 1)) : left;
      left -= sizes[p];
      results[p].desc = input.desc;
      results[p].desc.shape[axis] = sizes[p];
    }
    uint32_t offset = 0;
    for (uint32_t p = 0; p < count; offset += sizes[p++])
      for (size_t i = 0; i < elements(&results[p].desc); i++) {
        size_t at[WNN_MAX_RANK];
        unravel(&results[p].desc, i, at);
        at[axis] += offset;
        move(&results[p], i, &input, ravel(&input.desc, at));
      }
    wnn_split_args args = {{sizes, count}, {NULL, axis}};
    check(WNN_OP_SPLIT, &args, (data *const[]){&input}, 1, count);

    static data parts[MAX_PARTS];
    memcpy(parts, results, sizeof parts);
    results[0] = input;
    wnn_concat_args join = {axis, {NULL}};
    check(WNN_OP_CONCAT, &join, (data *const[]){&parts[0], &parts[1], &parts[2]}, count, 1);
  }
}

/* ---- Indices ------------------------------------------------------------------------------------------------------
 */

/* Random indices for dimensions of size n, also far outside, with the positions they stand for. `period` columns of the
 * last dimension address different dimensions. */
static size_t positions[MAX_BYTES];
static void fill_indices(data *d, const uint32_t *sizes, uint32_t period) {
  static const wnn_data_type types[] = {WNN_INT32, WNN_UINT32, WNN_INT64};
  static const int64_t extremes[] = {INT64_MIN, INT64_MAX, INT32_MIN, INT32_MAX, UINT32_MAX, -1, 0};
  d->desc.data_type = types[below(3)];
  for (size_t i = 0; i < elements(&d->desc); i++) {
    int64_t n = sizes[i % period];
    int64_t value = below(10) ? (int64_t)below((uint32_t)(4 * n)) - 2 * n : extremes[below(7)];
    switch (d->desc.data_type) {
    case WNN_INT32: {
      int32_t item = (int32_t)(uint32_t)(uint64_t)value;
      memcpy(d->bytes + i * 4, &item, 4);
      value = item;
      break;
    }
    case WNN_UINT32: {
      uint32_t item = (uint32_t)(uint64_t)value;
      memcpy(d->bytes + i * 4, &item, 4);
      value = item;
      break;
    }
    default: memcpy(d->bytes + i * 8, &value, 8); break;
    }
    if (value < -n) value = -n;
    if (value > n - 1) value = n - 1;
    positions[i] = (size_t)(value < 0 ? value + n : value);
  }
}

static void gather(void) {
  for (int round = 0; round < ROUNDS; round++) {
    start(1, 4);
    uint32_t axis = below(input.desc.rank), rank = below(3), at_rank = 0;
    other.desc = (wnn_desc){WNN_INT32, rank, {1 + below(4), 1 + below(3)}};
    fill_indices(&other, &input.desc.shape[axis], 1);
    wnn_desc *out = &results[0].desc;
    for (uint32_t i = 0; i < axis; i++) out->shape[at_rank++] = input.desc.shape[i];
    for (uint32_t i = 0; i < rank; i++) out->shape[at_rank++] = other.desc.shape[i];
    for (uint32_t i = axis + 1; i < input.desc.rank; i++) out->shape[at_rank++] = input.desc.shape[i];
    out->rank = at_rank;
    for (size_t i = 0; i < elements(out); i++) {
      size_t at[WNN_MAX_RANK], from[WNN_MAX_RANK];
      unravel(out, i, at);
      for (uint32_t d = 0; d < axis; d++) from[d] = at[d];
      from[axis] = positions[ravel(&other.desc, at + axis)];
      for (uint32_t d = axis + 1; d < input.desc.rank; d++) from[d] = at[d + rank - 1];
      move(&results[0], i, &input, ravel(&input.desc, from));
    }
    wnn_gather_args args = {{NULL, axis}};
    check(WNN_OP_GATHER, &args, (data *const[]){&input, &other}, 2, 1);
  }
}

/* gatherElements, and scatterElements of the same indices. */
static void elements_along_axis(void) {
  for (int round = 0; round < ROUNDS; round++) {
    start(1, 4);
    uint32_t axis = below(input.desc.rank);
    other.desc = input.desc;
    other.desc.shape[axis] = 1 + below(6);
    results[0].desc.shape[axis] = other.desc.shape[axis];
    fill_indices(&other, &input.desc.shape[axis], 1);
    third.desc = results[0].desc;
    fill(&third);
    for (size_t i = 0; i < elements(&other.desc); i++) {
      size_t at[WNN_MAX_RANK];
      unravel(&other.desc, i, at);
      at[axis] = positions[i];
      move(&results[0], i, &input, ravel(&input.desc, at));
    }
    wnn_gather_elements_args args = {{NULL, axis}};
    check(WNN_OP_GATHER_ELEMENTS, &args, (data *const[]){&input, &other}, 2, 1);

    results[0] = input;
    for (size_t i = 0; i < elements(&other.desc); i++) {
      size_t at[WNN_MAX_RANK];
      unravel(&other.desc, i, at);
      at[axis] = positions[i];
      move(&results[0], ravel(&input.desc, at), &third, i);
    }
    wnn_scatter_elements_args scatter = {{NULL, axis}};
    check(WNN_OP_SCATTER_ELEMENTS, &scatter, (data *const[]){&input, &other, &third}, 3, 1);
  }
}

/* gatherND, and scatterND of the same indices. */
static void slices_by_coordinates(void) {
  for (int round = 0; round < ROUNDS; round++) {
    start(1, 4);
    uint32_t depth = 1 + below(input.desc.rank), outer = below(3), rank = 0;
    other.desc = (wnn_desc){WNN_INT32, outer + 1, {1 + below(4), 1 + below(3)}};
    other.desc.shape[outer] = depth;
    fill_indices(&other, input.desc.shape, depth);
    wnn_desc *out = &results[0].desc;
    for (uint32_t i = 0; i < outer; i++) out->shape[rank++] = other.desc.shape[i];
    for (uint32_t i = depth; i < input.desc.rank; i++) out->shape[rank++] = input.desc.shape[i];
    out->rank = rank;
    third.desc = *out;
    fill(&third);
    static size_t sources[MAX_BYTES];
    for (size_t i = 0; i < elements(out); i++) {
      size_t at[WNN_MAX_RANK], from[WNN_MAX_RANK], row = 0;
      unravel(out, i, at);
      for (uint32_t d = 0; d < outer; d++) row = row * other.desc.shape[d] + at[d];
      for (uint32_t d = 0; d < depth; d++) from[d] = positions[row * depth + d];
      for (uint32_t d = depth; d < input.desc.rank; d++) from[d] = at[outer + d - depth];
      sources[i] = ravel(&input.desc, from);
      move(&results[0], i, &input, sources[i]);
    }
    size_t count = elements(out);
    wnn_gather_nd_args args = {{NULL}};
    check(WNN_OP_GATHER_ND, &args, (data *const[]){&input, &other}, 2, 1);

    results[0] = input;
    for (size_t i = 0; i < count; i++) move(&results[0], sources[i], &third, i);
    wnn_scatter_nd_args scatter = {{NULL}};
    check(WNN_OP_SCATTER_ND, &scatter, (data *const[]){&input, &other, &third}, 3, 1);
  }
}

int main(int argc, char **argv) {
  test_begin(argc, argv);
  state = getenv("SEED") ? strtoull(getenv("SEED"), NULL, 0) | 1 : UINT64_C(0x9E3779B97F4A7C15);
  printf("SEED=%" PRIu64 "\n", state);
  const struct {
    bool reference;
    uint64_t features;
    uint32_t threads;
  } configs[] = {{true, UINT64_MAX, 1}, {false, 0, 1}, {false, WNN_CPU_AVX2, 2}, {false, UINT64_MAX, 2}};
  for (size_t i = 0; i < sizeof configs / sizeof *configs; i++) {
    wnn_context_options options = WNN_CONTEXT_OPTIONS_INIT;
    options.reference = configs[i].reference;
    options.cpu_features = configs[i].features;
    options.threads = configs[i].threads;
    wnn_error error;
    if (wnn_context_create(&options, &contexts[context_count++], &error)) {
      test_failed("context: %s", error.message);
      return test_end();
    }
  }
  TEST(transpose);
  TEST(reverse);
  TEST(slice);
  TEST(expand);
  TEST(tile);
  TEST(pad);
  TEST(reshape);
  TEST(split_and_concat);
  TEST(gather);
  TEST(elements_along_axis);
  TEST(slices_by_coordinates);
  for (size_t i = 0; i < context_count; i++) wnn_context_release(contexts[i]);
  return test_end();
}
