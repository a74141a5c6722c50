/* libFuzzer target: random calls through the operation table, then build, dispatch and read, with the reference
 * kernels and with the fast ones. Whatever the bytes say, calls succeed or fail with a status and a message. */
#include <stdlib.h>
#include <string.h>
#include <webnn/webnn.h>

enum { MAX_OPERANDS = 64, MAX_ELEMENTS = 4096, MAX_CALLS = 24, MAX_LIST = 6, MAX_OUTPUTS = 4 };

typedef struct stream {
  const uint8_t *at, *end;
} stream;

static uint8_t byte(stream *s) { return s->at < s->end ? *s->at++ : 0; }

/* Mostly small numbers, since they make valid calls; now and then the extremes. */
static uint32_t number(stream *s) {
  static const uint32_t extremes[] = {0x7FFFFFFF, 0xFFFFFFFF, 0x80000000, 65536, 46341, 255};
  uint8_t b = byte(s);
  return b < 240 ? b % 8 : extremes[b % 6];
}

static double real(stream *s) {
  uint64_t bits = 0;
  uint8_t b = byte(s);
  if (b < 200) return (double)((int)b - 100) / 16;
  for (int i = 0; i < 8; i++) bits = bits << 8 | byte(s);
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static wnn_desc descriptor(stream *s) {
  wnn_desc desc = {(wnn_data_type)(byte(s) % WNN_DATA_TYPE_COUNT), byte(s) % 6u, {0}};
  for (uint32_t i = 0; i < desc.rank; i++) desc.shape[i] = 1 + byte(s) % 6u;
  return desc;
}

static void fill(stream *s, void *data, size_t size) {
  for (size_t i = 0; i < size; i++) ((uint8_t *)data)[i] = byte(s);
}

typedef struct lists {
  uint32_t items[64][MAX_LIST];
  unsigned used;
} lists;

/* One argument struct with random members; lists point into `memory`. */
static void random_args(stream *s, const wnn_op_info *row, char *args, lists *memory) {
  memcpy(args, row->defaults, row->args_size);
  for (uint32_t i = 0; i < row->param_count; i++) {
    const wnn_param_info *p = &row->params[i];
    char *field = args + p->offset;
    if (!p->positional && byte(s) % 3 == 0) continue; /* keep the default */
    switch (p->kind) {
    case WNN_PARAM_BOOL: *(bool *)field = byte(s) & 1; break;
    case WNN_PARAM_U32:
    case WNN_PARAM_I32: {
      uint32_t value = number(s);
      memcpy(field, &value, 4);
      break;
    }
    case WNN_PARAM_F64: {
      double value = real(s);
      memcpy(field, &value, 8);
      break;
    }
    case WNN_PARAM_NUMBER: {
      wnn_number value = byte(s) & 1 ? wnn_number_double(real(s)) : wnn_number_int64((int32_t)number(s));
      memcpy(field, &value, sizeof value);
      break;
    }
    case WNN_PARAM_ENUM:
    case WNN_PARAM_DATA_TYPE: {
      uint32_t count = p->enumeration ? p->enumeration->count : WNN_DATA_TYPE_COUNT, value = byte(s) % (count + 1);
      memcpy(field, &value, 4);
      break;
    }
    case WNN_PARAM_U32_LIST:
    case WNN_PARAM_F32_LIST:
    case WNN_PARAM_ENUM_LIST:
    case WNN_PARAM_SPLITS: {
      uint32_t *items = memory->items[memory->used++ % 64], count = byte(s) % (MAX_LIST + 1);
      if (p->length && byte(s) % 8) count = p->length;
      for (uint32_t k = 0; k < count; k++) {
        items[k] = number(s);
        if (p->kind == WNN_PARAM_F32_LIST) {
          float value = (float)real(s);
          memcpy(&items[k], &value, 4);
        } else if (p->kind == WNN_PARAM_ENUM_LIST) {
          items[k] %= p->enumeration->count + 1;
        }
      }
      wnn_u32_list list = {items, count};
      if (p->kind == WNN_PARAM_SPLITS && byte(s) & 1) list = (wnn_u32_list){NULL, number(s)};
      memcpy(field, &list, sizeof list);
      break;
    }
    }
  }
}

typedef struct pool {
  wnn_operand *operands[MAX_OPERANDS];
  bool result[MAX_OPERANDS];
  unsigned count;
} pool;

static void keep(pool *p, wnn_operand *operand, bool result) {
  if (p->count == MAX_OPERANDS || wnn_desc_elements(wnn_operand_desc(operand)) > MAX_ELEMENTS) return;
  p->operands[p->count] = operand;
  p->result[p->count++] = result;
}

static void sources(stream *s, wnn_builder *builder, pool *p) {
  unsigned count = 1 + byte(s) % 5;
  for (unsigned i = 0; i < count; i++) {
    wnn_desc desc = descriptor(s);
    uint64_t size = wnn_desc_bytes(&desc);
    wnn_operand *operand;
    char name[8] = {'x', (char)('0' + i), 0};
    if (byte(s) & 1) {
      void *data = malloc(size ? size : 1);
      if (!data) return;
      fill(s, data, size);
      if (!wnn_builder_constant(builder, &desc, data, size, &operand, NULL)) keep(p, operand, false);
      free(data);
    } else if (!wnn_builder_input(builder, name, &desc, &operand, NULL)) {
      keep(p, operand, false);
    }
  }
}

static void calls(stream *s, wnn_builder *builder, pool *p) {
  lists memory = {.used = 0};
  unsigned count = 1 + byte(s) % MAX_CALLS;
  for (unsigned i = 0; i < count && p->count; i++) {
    int op = byte(s) % WNN_OP_COUNT;
    const wnn_op_info *row = wnn_op_get(op);
    _Alignas(16) char args[512];
    wnn_operand *operands[16], *outputs[8];
    size_t operand_count = row->operand_count, made = 0;
    if (row->args_size > sizeof args) abort();
    random_args(s, row, args, &memory);
    if (row->operands[row->operand_count - 1].variadic) operand_count = byte(s) % 5;
    for (size_t k = 0; k < operand_count; k++) {
      bool absent = k < row->operand_count && row->operands[k].optional && byte(s) & 1;
      operands[k] = absent ? NULL : p->operands[byte(s) % p->count];
    }
    wnn_error error = {WNN_OK, ""};
    wnn_status status = wnn_builder_add(builder, op, args, operands, operand_count, outputs, 8, &made, &error);
    if (status && (!error.message[0] || error.status != status)) abort();
    for (size_t k = 0; !status && k < made; k++) keep(p, outputs[k], true);
  }
}

static void run(stream *s, wnn_context *context, wnn_graph *graph) {
  wnn_named_tensor bound[2][64];
  size_t counts[2] = {wnn_graph_input_count(graph), wnn_graph_output_count(graph)};
  bool fine = true;
  for (int side = 0; side < 2; side++)
    for (size_t i = 0; i < counts[side]; i++) {
      const wnn_desc *desc = side ? wnn_graph_output_desc(graph, i) : wnn_graph_input_desc(graph, i);
      bound[side][i].name = side ? wnn_graph_output_name(graph, i) : wnn_graph_input_name(graph, i);
      bound[side][i].tensor = NULL;
      fine &= !wnn_context_create_tensor(context, desc, WNN_TENSOR_READABLE | WNN_TENSOR_WRITABLE,
                                         &bound[side][i].tensor, NULL);
      if (!fine || side) continue;
      size_t size = (size_t)wnn_desc_bytes(desc);
      void *data = malloc(size);
      if (!data) continue;
      fill(s, data, size);
      fine &= !wnn_context_write_tensor(context, bound[0][i].tensor, data, size, NULL);
      free(data);
    }
  if (fine && wnn_context_dispatch(context, graph, bound[0], counts[0], bound[1], counts[1], NULL)) abort();
  wnn_context_finish(context);
  for (int side = 0; side < 2; side++)
    for (size_t i = 0; i < counts[side]; i++) wnn_tensor_release(bound[side][i].tensor);
}

static void one(const uint8_t *data, size_t size, bool reference) {
  wnn_context_options options = WNN_CONTEXT_OPTIONS_INIT;
  options.threads = 1;
  options.reference = reference;
  wnn_context *context;
  wnn_builder *builder;
  stream s = {data, data + size};
  pool p = {.count = 0};
  if (wnn_context_create(&options, &context, NULL)) return;
  if (!wnn_builder_create(context, &builder, NULL)) {
    sources(&s, builder, &p);
    calls(&s, builder, &p);
    wnn_named_operand outputs[MAX_OUTPUTS];
    static const char *const names[MAX_OUTPUTS] = {"y0", "y1", "y2", "y3"};
    size_t count = 0;
    for (unsigned i = p.count; i-- > 0 && count < MAX_OUTPUTS;)
      if (p.result[i]) {
        outputs[count] = (wnn_named_operand){names[count], p.operands[i]};
        count++;
      }
    wnn_graph *graph;
    if (count && !wnn_builder_build(builder, outputs, count, &graph, NULL)) {
      run(&s, context, graph);
      wnn_graph_release(graph);
    }
    wnn_builder_release(builder);
  }
  wnn_context_release(context);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  one(data, size, true);
  one(data, size, false);
  return 0;
}
