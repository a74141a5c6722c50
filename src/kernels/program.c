/* The block loop of elementwise programs. */
#include "kernels/program.h"

#include <string.h>

#include "base/dtype.h"

static void fill(char *to, const char *from, size_t count, uint32_t size) {
  switch (size) {
  case 1: memset(to, *(const unsigned char *)from, count); break;
  case 2:
    for (size_t i = 0; i < count; i++) memcpy(to + 2 * i, from, 2);
    break;
  case 4:
    for (size_t i = 0; i < count; i++) memcpy(to + 4 * i, from, 4);
    break;
  default:
    for (size_t i = 0; i < count; i++) memcpy(to + 8 * i, from, 8);
    break;
  }
}

/* Fills 64 bytes with one element, in lanes. */
static void repeat_element(const wnn_program_input *input, const char *from, char *to) {
  uint64_t bits = 0;
  float f;
  int32_t i;
  uint32_t width = 4;
  switch (input->load) {
  case WNN_V_LOAD_F16: {
    uint16_t half;
    memcpy(&half, from, 2);
    f = wnn_f16_to_f32(half);
    memcpy(&bits, &f, 4);
    break;
  }
  case WNN_V_LOAD_I8:
    i = *(const int8_t *)from;
    memcpy(&bits, &i, 4);
    break;
  case WNN_V_LOAD_U8:
    i = *(const uint8_t *)from;
    memcpy(&bits, &i, 4);
    break;
  default:
    width = input->size;
    memcpy(&bits, from, width);
    break;
  }
  fill(to, (const char *)&bits, 64 / width, width);
}

/* The elements first .. first + count - 1 of the output's order, from an input that repeats along some dimensions. */
static void expand(const wnn_elementwise *p, const wnn_program_input *input, const char *from, size_t first,
                   size_t count, char *to) {
  size_t at[WNN_MAX_RANK], offset = 0, rest = first;
  const uint32_t last = p->rank - 1;
  for (uint32_t d = p->rank; d-- > 0; rest /= p->dims[d]) {
    at[d] = rest % p->dims[d];
    offset += at[d] * input->strides[d];
  }
  while (count) {
    size_t run = p->dims[last] - at[last];
    if (run > count) run = count;
    if (input->strides[last])
      memcpy(to, from + offset * input->size, run * input->size);
    else
      fill(to, from + offset * input->size, run, input->size);
    to += run * input->size;
    count -= run;
    offset -= at[last] * input->strides[last];
    at[last] = 0;
    for (uint32_t d = last; d-- > 0;) {
      offset += input->strides[d];
      if (++at[d] < p->dims[d]) break;
      offset -= p->dims[d] * input->strides[d];
      at[d] = 0;
    }
  }
}

static void load(const wnn_elementwise *p, const wnn_program_input *input, void *from, char *scratch, size_t n,
                 wnn_vreg *reg) {
  *reg = (wnn_vreg){from, WNN_SPREAD_EACH};
  if (input->load == WNN_VOP_END) return;
  const wnn_vstep step = {.op = input->load, .to = 1};
  const wnn_vreg pair[] = {*reg, {scratch + input->lanes, WNN_SPREAD_EACH}};
  p->u->vector_program(&step, 1, pair, 1, n);
  *reg = pair[1];
}

/* Blocks of rows of the innermost dimension: inputs are used where they are. */
static void run_rows(const wnn_task *task, const wnn_elementwise *p, size_t begin, size_t end, char *scratch,
                     wnn_vreg *registers) {
  const uint32_t last = p->rank - 1;
  const size_t inner = p->dims[last];
  size_t at[WNN_MAX_RANK], offsets[WNN_PROGRAM_INPUTS] = {0}, row = begin / p->blocks, piece = begin % p->blocks;
  size_t rest = row;
  for (uint32_t d = last; d-- > 0; rest /= p->dims[d]) {
    at[d] = rest % p->dims[d];
    for (uint32_t i = 0; i < p->input_count; i++) offsets[i] += at[d] * p->inputs[i].strides[d];
  }
  bool fresh = true; /* the row has changed */
  for (size_t unit = begin; unit < end; unit++) {
    size_t first = piece * p->block, n = inner - first < p->block ? inner - first : p->block;
    for (uint32_t i = 0; i < p->input_count; i++) {
      const wnn_program_input *input = &p->inputs[i];
      char *data = task->inputs[i].data;
      if (input->strides[last]) {
        load(p, input, data + (offsets[i] + first) * input->size, scratch, n, &registers[i]);
      } else if (fresh) {
        registers[i] = (wnn_vreg){scratch + input->repeat, WNN_SPREAD_REPEAT};
        repeat_element(input, data + offsets[i] * input->size, registers[i].data);
      }
    }
    registers[p->register_count - 1].data = (char *)task->outputs[0].data + (row * inner + first) * p->output_size;
    p->u->vector_program(p->steps, p->step_count, registers, 1, n);
    fresh = false;
    if (++piece < p->blocks) continue;
    piece = 0, row++, fresh = true;
    for (uint32_t d = last; d-- > 0;) {
      for (uint32_t i = 0; i < p->input_count; i++) offsets[i] += p->inputs[i].strides[d];
      if (++at[d] < p->dims[d]) break;
      for (uint32_t i = 0; i < p->input_count; i++) offsets[i] -= p->dims[d] * p->inputs[i].strides[d];
      at[d] = 0;
    }
  }
}

/* Tiles of some rows of the innermost dimension: the vector steps repeat rows and columns by themselves. */
static void run_tiles(const wnn_task *task, const wnn_elementwise *p, size_t begin, size_t end, char *scratch,
                      wnn_vreg *registers) {
  const uint32_t outer = p->rank - 2;
  const size_t height = p->dims[outer], n = p->dims[outer + 1];
  for (size_t unit = begin; unit < end; unit++) {
    size_t first = unit % p->blocks * p->rows, rows = height - first < p->rows ? height - first : p->rows;
    for (uint32_t i = 0; i < p->input_count; i++) {
      const wnn_program_input *input = &p->inputs[i];
      size_t offset = first * input->strides[outer], rest = unit / p->blocks;
      for (uint32_t d = outer; d-- > 0; rest /= p->dims[d]) offset += rest % p->dims[d] * input->strides[d];
      char *data = (char *)task->inputs[i].data + offset * input->size;
      if (input->spread == WNN_SPREAD_EACH) {
        load(p, input, data, scratch, rows * n, &registers[i]);
      } else if (input->spread == WNN_SPREAD_REPEAT) {
        registers[i] = (wnn_vreg){scratch + input->repeat, WNN_SPREAD_REPEAT};
        repeat_element(input, data, registers[i].data);
      } else {
        registers[i] = (wnn_vreg){data, input->spread};
      }
    }
    size_t at = (unit / p->blocks * height + first) * n;
    registers[p->register_count - 1].data = (char *)task->outputs[0].data + at * p->output_size;
    p->u->vector_program(p->steps, p->step_count, registers, rows, n);
  }
}

/* Blocks over short rows: inputs that repeat are written out first. */
static void run_blocks(const wnn_task *task, const wnn_elementwise *p, size_t begin, size_t end, char *scratch,
                       wnn_vreg *registers) {
  for (size_t unit = begin; unit < end; unit++) {
    size_t first = unit * p->block, n = p->total - first < p->block ? p->total - first : p->block;
    for (uint32_t i = 0; i < p->input_count; i++) {
      const wnn_program_input *input = &p->inputs[i];
      char *data = task->inputs[i].data;
      if (input->dense) {
        data += first * input->size;
      } else {
        expand(p, input, data, first, n, scratch + input->expand);
        data = scratch + input->expand;
      }
      load(p, input, data, scratch, n, &registers[i]);
    }
    registers[p->register_count - 1].data = (char *)task->outputs[0].data + first * p->output_size;
    p->u->vector_program(p->steps, p->step_count, registers, 1, n);
  }
}

void wnn_program_kernel(const wnn_task *task, size_t begin, size_t end, void *scratch) {
  const wnn_elementwise *p = task->params;
  wnn_vreg registers[WNN_VREGS];
  for (uint32_t i = p->input_count; i < p->register_count; i++)
    registers[i] = (wnn_vreg){(char *)scratch + p->slots[i], WNN_SPREAD_EACH};
  (p->rows ? run_tiles : p->blocks ? run_rows : run_blocks)(task, p, begin, end, scratch, registers);
}
