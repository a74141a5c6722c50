/* Cuts each output row into the part where the window lies inside and the borders where it does not. */
#include "kernels/window.h"

enum { LINES_BYTES = 128 * 1024 }; /* of input rows that are gone through together */

/* Taps first .. last - 1 of a window at `start` that lie in [0, size). */
typedef struct taps {
  int64_t start, first, last;
} taps;

static taps taps_inside(int64_t start, uint32_t count, uint32_t dilation, uint32_t size) {
  taps t = {start, 0, 0};
  if (start < 0) t.first = (-start + dilation - 1) / dilation;
  if (start < (int64_t)size) t.last = ((int64_t)size - 1 - start) / dilation + 1;
  if (t.last > (int64_t)count) t.last = count;
  if (t.last < t.first) t.last = t.first;
  return t;
}

/* The pixels x .. x + run->count - 1, all with the same taps inside. */
static void run_pixels(const wnn_sliding *s, const float *image, const float *weights, size_t x, const taps *rows,
                       wnn_f32_run *run) {
  const wnn_window *w = &s->image;
  taps columns = taps_inside((int64_t)x * w->stride_w - w->left, w->kernel_w, w->dilation_w, w->in_w);
  run->rows = (uint32_t)(rows->last - rows->first);
  run->columns = (uint32_t)(columns.last - columns.first);
  run->input = image;
  run->weights = weights;
  if (run->rows && run->columns) {
    int64_t top = rows->start + rows->first * w->dilation_h, left = columns.start + columns.first * w->dilation_w;
    run->input = image + ((size_t)top * w->in_w + (size_t)left) * w->channels;
    if (weights) run->weights = weights + ((size_t)rows->first * w->kernel_w + (size_t)columns.first) * w->channels;
  } else {
    run->rows = run->columns = 0;
  }
  if (s->average) run->scale = run->rows ? 1.0f / (float)(run->rows * run->columns) : 0;
  s->run(run);
}

void wnn_f32_slide(const wnn_task *task, size_t begin, size_t end, void *scratch) {
  (void)scratch;
  const wnn_sliding *s = task->params;
  const wnn_window *w = &s->image;
  const float *weights = s->weights;
  if (!weights && task->input_count > 1 && s->init_input != 1 && s->residual_input != 1) weights = task->inputs[1].data;
  const float *init = s->init ? s->init : s->init_input ? task->inputs[s->init_input].data : NULL;
  const float *residual = s->residual_input ? task->inputs[s->residual_input].data : NULL;
  size_t line = (size_t)w->out_w * w->channels, image_size = (size_t)w->in_h * w->in_w * w->channels;
  /* Output columns from inside_from to inside_to have the whole width of the window inside. */
  int64_t reach = (int64_t)(w->kernel_w - 1) * w->dilation_w;
  int64_t inside_from = w->left > 0 ? (w->left + (int64_t)w->stride_w - 1) / w->stride_w : 0;
  int64_t room = (int64_t)w->in_w - 1 - reach + w->left;
  int64_t inside_to = room < 0 ? 0 : room / w->stride_w + 1;
  if (inside_to > (int64_t)w->out_w) inside_to = w->out_w;
  /* Output rows before inside_down have the whole height inside, but for the first ones. Lines that are done as one
   * read what a level 2 cache can hold. */
  int64_t depth = (int64_t)w->in_h - 1 - (int64_t)(w->kernel_h - 1) * w->dilation_h + w->top;
  int64_t inside_down = depth < 0 ? 0 : depth / w->stride_h + 1;
  size_t most = LINES_BYTES / ((size_t)w->stride_h * w->in_w * w->channels * sizeof(float)) + 1;
  for (size_t index = begin; index < end;) {
    size_t batch = index / w->out_h, y = index % w->out_h;
    const float *image = (const float *)task->inputs[0].data + batch * image_size;
    taps rows = taps_inside((int64_t)y * w->stride_h - w->top, w->kernel_h, w->dilation_h, w->in_h);
    size_t lines = 1;
    if (rows.first == 0 && rows.last == (int64_t)w->kernel_h && inside_down > (int64_t)y) {
      lines = (size_t)inside_down - y;
      if (lines > end - index) lines = end - index;
      if (lines > most) lines = most;
    }
    wnn_f32_run run = {
        .lines = lines,
        .channels = w->channels,
        .input_line = (size_t)w->stride_h * w->in_w * w->channels,
        .pixel_step = (size_t)w->stride_w * w->channels,
        .row_step = (size_t)w->dilation_h * w->in_w * w->channels,
        .column_step = (size_t)w->dilation_w * w->channels,
        .output_line = line,
        .output_step = w->channels,
        .init = init,
        .weights_row = (size_t)w->kernel_w * w->channels,
        .limit = s->limit,
        .lo = s->lo,
        .hi = s->hi,
    };
    for (int64_t x = 0; x < (int64_t)w->out_w; x += (int64_t)run.count) {
      run.count = x >= inside_from && x < inside_to ? (size_t)(inside_to - x) : 1;
      size_t at = index * line + (size_t)x * w->channels;
      run.output = (float *)task->outputs[0].data + at;
      run.residual = residual ? residual + at : NULL;
      run_pixels(s, image, weights, (size_t)x, &rows, &run);
    }
    index += lines;
  }
}
