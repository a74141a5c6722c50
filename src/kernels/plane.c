/* The loop over planes. */
#include "kernels/plane.h"

size_t wnn_planes_scratch(const wnn_planes *planes) {
  const wnn_f32_plane *p = &planes->plane;
  return planes->weights ? 0 : WNN_PLANE_SCRATCH(p->out_w, p->stride_w, p->kernel_w) * sizeof(float);
}

void wnn_f32_planes(const wnn_task *task, size_t begin, size_t end, void *scratch) {
  const wnn_planes *s = task->params;
  wnn_f32_plane plane = s->plane;
  const float *input = task->inputs[0].data;
  const float *residual = s->residual_input ? task->inputs[s->residual_input].data : NULL;
  float *output = task->outputs[0].data;
  size_t in_size = (size_t)plane.in_h * plane.in_w, out_size = (size_t)plane.out_h * plane.out_w;
  plane.scratch = scratch;
  for (size_t i = begin; i < end; i++) {
    size_t channel = i % s->channels;
    plane.input = input + i * in_size;
    plane.output = output + i * out_size;
    plane.residual = residual ? residual + i * out_size : NULL;
    if (s->weights) plane.weights = s->weights + channel * plane.kernel_h * plane.kernel_w;
    plane.init = s->init ? s->init[channel] : 0;
    s->run(&plane);
  }
}
