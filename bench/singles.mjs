// Single operations of the benchmark. Each has a `row`: the line of the table it belongs to.
import { F32, I32, I64, I8, U8, Model, product } from './onnx.mjs';

const list = [];
const add = (row, name, build, opset = 17) => list.push({ row, name, opset, build });

const matmul = (m, k, n) => add('matmul', `matmul_${m}x${k}x${n}`, (model) => {
  model.flops = 2 * m * k * n;
  model.output(model.op('MatMul', [model.input([m, k]), model.weight([k, n])]), [m, n]);
});
for (const n of [256, 512, 1024, 2048]) matmul(n, n, n);
for (const [m, k, n] of [[1, 768, 3072], [4, 768, 3072], [16, 768, 3072], [128, 768, 3072], [128, 3072, 768], [128, 768, 768]]) matmul(m, k, n);
add('matmul', 'matmul_dynamic_512', (model) => {
  model.flops = 2 * 512 ** 3;
  model.output(model.op('MatMul', [model.input([512, 512]), model.input([512, 512])]), [512, 512]);
});
add('matmul', 'matmul_batch_12x128x64x128', (model) => {
  model.flops = 2 * 12 * 128 * 64 * 128;
  model.output(model.op('MatMul', [model.input([12, 128, 64]), model.input([12, 64, 128])]), [12, 128, 128]);
});

function convolution(row, name, size, channels, out, kernel, { stride = 1, groups = 1, chain = 1, pad = kernel >> 1 } = {}) {
  add(row, name, (model) => {
    let x = model.input([1, channels, size, size]);
    const to = Math.floor((size + 2 * pad - kernel) / stride) + 1;
    for (let i = 0; i < chain; i++) {
      const filter = model.weight([out, channels / groups, kernel, kernel], Math.sqrt(12 / ((channels / groups) * kernel * kernel)));
      x = model.op('Conv', [x, filter, model.weight([out], 0.1)], { kernel_shape: [kernel, kernel], strides: [stride, stride], pads: [pad, pad, pad, pad], group: groups });
      model.flops += 2 * to * to * out * (channels / groups) * kernel * kernel;
    }
    model.output(x, [1, out, to, to]);
  });
}
convolution('convolution', 'conv3x3_56_64', 56, 64, 64, 3);
convolution('convolution', 'conv3x3_28_128', 28, 128, 128, 3);
convolution('convolution', 'conv3x3_14_256', 14, 256, 256, 3);
convolution('convolution', 'conv3x3_56_64_chain8', 56, 64, 64, 3, { chain: 8 });
convolution('convolution', 'conv1x1_56_64_256', 56, 64, 256, 1);
convolution('convolution', 'conv1x1_14_1024_256', 14, 1024, 256, 1);
convolution('convolution', 'conv1x1_28_256_chain8', 28, 256, 256, 1, { chain: 8 });
convolution('convolution', 'conv7x7s2_224_3_64', 224, 3, 64, 7, { stride: 2 });
for (const [size, channels] of [[112, 32], [56, 144], [14, 576]]) {
  convolution('depthwise 3x3', `depthwise3x3_${size}_${channels}`, size, channels, channels, 3, { groups: channels });
  convolution('depthwise 3x3', `depthwise3x3_${size}_${channels}_chain8`, size, channels, channels, 3, { groups: channels, chain: 8 });
}
convolution('depthwise 3x3', 'depthwise5x5_28_120', 28, 120, 120, 5, { groups: 120 });

add('LayerNorm', 'layernorm_128x768', (model) => {
  const x = model.input([128, 768]);
  model.output(model.op('LayerNormalization', [x, model.weight([768]), model.weight([768])], { axis: -1 }), [128, 768]);
});
for (const axis of [-1, 1]) {
  add('Softmax', `softmax_12x128x128_axis${axis}`, (model) => model.output(model.op('Softmax', [model.input([12, 128, 128])], { axis }), [12, 128, 128]));
}
add('Gelu', 'gelu_128x3072', (model) => model.output(model.op('Gelu', [model.input([128, 3072])]), [128, 3072]), 20);
add('Gelu', 'gelu_parts_128x3072', (model) => {
  const x = model.input([128, 3072]);
  const erf = model.op('Add', [model.op('Erf', [model.op('Div', [x, model.scalar(Math.SQRT2)])]), model.scalar(1)]);
  model.output(model.op('Mul', [model.op('Mul', [x, erf]), model.scalar(0.5)]), [128, 3072]);
});
const unary = (row, op, fill = 'uniform', attributes = {}) =>
  add(row, `${op.toLowerCase()}_1M`, (model) => model.output(model.op(op, [model.input([1024, 1024], F32, fill)], attributes), [1024, 1024]));
unary('Erf', 'Erf');
unary('Sin', 'Sin');
for (const op of ['Tanh', 'Sigmoid', 'Exp', 'Relu', 'HardSwish']) unary('elementwise', op);
for (const op of ['Sqrt', 'Log']) unary('elementwise', op, 'positive');
add('Pow', 'pow_1M_scalar', (model) => model.output(model.op('Pow', [model.input([1024, 1024], F32, 'positive'), model.scalar(1.7)]), [1024, 1024]));
add('Pow', 'pow_1M_same', (model) => model.output(model.op('Pow', [model.input([1024, 1024], F32, 'positive'), model.input([1024, 1024])]), [1024, 1024]));

const binary = (row, name, op, a, b) => add(row, name, (model) => model.output(model.op(op, [model.input(a), model.input(b)]), a));
binary('elementwise', 'add_1M_same', 'Add', [1024, 1024], [1024, 1024]);
binary('broadcast Add', 'add_1M_row', 'Add', [1024, 1024], [1024]);
binary('broadcast Add', 'add_1M_column', 'Add', [1024, 1024], [1024, 1]);
binary('broadcast Add', 'add_1M_middle', 'Add', [64, 128, 128], [64, 1, 128]);
binary('broadcast Add', 'add_1M_scalar', 'Add', [1024, 1024], [1]);

const transpose = (name, dims, perm) =>
  add('transpose', `transpose_${name}`, (model) => model.output(model.op('Transpose', [model.input(dims)], { perm }), perm.map((p) => dims[p])));
transpose('1024x1024', [1024, 1024], [1, 0]);
transpose('heads_128x12x64', [1, 128, 12, 64], [0, 2, 1, 3]);
transpose('nchw_nhwc_64x112x112', [1, 64, 112, 112], [0, 2, 3, 1]);
transpose('nhwc_nchw_112x112x64', [1, 112, 112, 64], [0, 3, 1, 2]);
transpose('reversed_32x64x64x8', [32, 64, 64, 8], [3, 2, 1, 0]);

const resize = (row, mode, more) => add(row, `resize_${mode}2x_64x56x56`, (model) =>
  model.output(model.op('Resize', [model.input([1, 64, 56, 56]), '', model.constant([4], [1, 1, 2, 2])], { mode, ...more }), [1, 64, 112, 112]));
resize('bilinear resize', 'linear', { coordinate_transformation_mode: 'half_pixel' });
resize('movement', 'nearest', { coordinate_transformation_mode: 'asymmetric', nearest_mode: 'floor' });

for (const op of ['MaxPool', 'AveragePool']) {
  add('pooling', `${op.toLowerCase()}3x3s2_64x112x112`, (model) => model.output(
    model.op(op, [model.input([1, 64, 112, 112])], { kernel_shape: [3, 3], strides: [2, 2], pads: [1, 1, 1, 1] }), [1, 64, 56, 56]));
}
add('pooling', 'globalaveragepool_2048x7x7', (model) => model.output(model.op('GlobalAveragePool', [model.input([1, 2048, 7, 7])]), [1, 2048, 1, 1]));

add('ArgMax', 'argmax_last_1M', (model) => model.output(model.op('ArgMax', [model.input([1024, 1024])], { axis: 1, keepdims: 1 }), [1024, 1], I64));
for (const [name, dims, axes] of [['last_1M', [1024, 1024], [1]], ['first_1M', [1024, 1024], [0]], ['all_1M', [1024, 1024], [0, 1]], ['hw_256x56x56', [1, 256, 56, 56], [2, 3]]]) {
  add('reduction', `reducemean_${name}`, (model) =>
    model.output(model.op('ReduceMean', [model.input(dims)], { axes, keepdims: 1 }), dims.map((d, i) => (axes.includes(i) ? 1 : d))));
}

add('movement', 'concat_4x16x112x112', (model) => {
  const parts = [0, 1, 2, 3].map(() => model.input([1, 16, 112, 112]));
  model.output(model.op('Concat', parts, { axis: 1 }), [1, 64, 112, 112]);
});
add('movement', 'gather_128of8192x768', (model) => {
  const table = model.weight([8192, 768]), ids = model.input([1, 128], I64, 'ids:8192');
  model.bytes = 8 * 128 * 768;
  model.output(model.op('Gather', [table, ids], { axis: 0 }), [1, 128, 768]);
});
add('normalization', 'batchnorm_64x112x112', (model) => {
  const x = model.input([1, 64, 112, 112]), variance = model.constant([64], Array.from({ length: 64 }, (_, i) => 0.5 + i / 64));
  model.output(model.op('BatchNormalization', [x, model.weight([64]), model.weight([64]), model.weight([64]), variance]), [1, 64, 112, 112]);
});
add('normalization', 'instancenorm_64x112x112', (model) => {
  const x = model.input([1, 64, 112, 112]);
  model.output(model.op('InstanceNormalization', [x, model.weight([64]), model.weight([64])]), [1, 64, 112, 112]);
});

for (const [op, gates] of [['LSTM', 4], ['GRU', 3]]) {
  add(op, `${op.toLowerCase()}_64_128_128`, (model) => {
    const [steps, size] = [64, 128], x = model.input([steps, 1, size]);
    model.flops = steps * 2 * gates * size * 2 * size;
    const weights = [model.weight([1, gates * size, size], 0.2), model.weight([1, gates * size, size], 0.2), model.weight([1, 2 * gates * size], 0.1)];
    const results = model.op(op, [x, ...weights], { hidden_size: size, ...(op === 'GRU' ? { linear_before_reset: 1 } : {}) }, op === 'LSTM' ? 3 : 2);
    model.output(results[0], [steps, 1, 1, size]);
  });
}

for (const [m, k, n] of [[128, 768, 3072], [1024, 1024, 1024], [1, 768, 3072]]) {
  add('u8 x s8 GEMM', `matmulinteger_${m}x${k}x${n}`, (model) => {
    model.flops = 2 * m * k * n;
    const x = model.input([m, k], U8);
    model.output(model.op('MatMulInteger', [x, model.quantized([k, n]), model.scalar(128, U8), model.scalar(0, I8)]), [m, n], I32);
  });
}
add('QDQ convolution', 'qdq_conv3x3_56_64', (model) => {
  model.flops = 2 * 56 * 56 * 64 * 64 * 9;
  const pair = (x, scale) => {
    const [s, zero] = [model.scalar(scale), model.scalar(128, U8)];
    return model.op('DequantizeLinear', [model.op('QuantizeLinear', [x, s, zero]), s, zero]);
  };
  const filter = model.op('DequantizeLinear', [model.quantized([64, 64, 3, 3]), model.scalar(0.001), model.scalar(0, I8)]);
  const y = model.op('Conv', [pair(model.input([1, 64, 56, 56]), 1 / 256), filter], { kernel_shape: [3, 3], pads: [1, 1, 1, 1] });
  model.output(pair(y, 1 / 64), [1, 64, 56, 56]);
});
add('quantisation', 'quantizelinear_1M', (model) =>
  model.output(model.op('QuantizeLinear', [model.input([1024, 1024]), model.scalar(0.02), model.scalar(128, U8)]), [1024, 1024], U8));
add('quantisation', 'dequantizelinear_1M', (model) =>
  model.output(model.op('DequantizeLinear', [model.input([1024, 1024], U8), model.scalar(0.02), model.scalar(128, U8)]), [1024, 1024]));

export const singles = list.map((entry) => ({
  ...entry,
  model() {
    const model = new Model(entry.opset);
    entry.build(model);
    return model;
  },
}));
