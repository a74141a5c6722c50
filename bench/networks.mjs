// Whole networks of the benchmark: image classifiers, encoders, and a quantised classifier. Structures are those of
// the published architectures; weights are pseudo-random.
import { F32, I8, U8, I32, Model } from './onnx.mjs';

// An image network in NCHW that knows the shape it has reached.
class Image {
  constructor(model, channels, size) {
    this.model = model;
    this.at = { x: model.input([1, channels, size, size]), channels, size };
  }

  conv(out, kernel, stride = 1, { groups = 1, activation = '', pad = (kernel - 1) >> 1 } = {}) {
    const { model, at } = this, inner = at.channels / groups;
    const size = Math.floor((at.size + 2 * pad - kernel) / stride) + 1;
    const filter = model.weight([out, inner, kernel, kernel], Math.sqrt(24 / (inner * kernel * kernel)));
    const bias = model.weight([out], 0.1);
    model.flops += 2 * size * size * out * inner * kernel * kernel;
    const x = model.op('Conv', [at.x, filter, bias], { kernel_shape: [kernel, kernel], strides: [stride, stride], pads: [pad, pad, pad, pad], group: groups });
    this.at = { x, channels: out, size };
    return this.activation(activation);
  }

  activation(kind) {
    if (kind === 'relu') this.at.x = this.model.op('Relu', [this.at.x]);
    if (kind === 'relu6') this.at.x = this.model.op('Clip', [this.at.x, this.model.scalar(0), this.model.scalar(6)]);
    return this;
  }

  maxPool(kernel, stride, pad = 0) {
    const size = Math.floor((this.at.size + 2 * pad - kernel) / stride) + 1;
    const x = this.model.op('MaxPool', [this.at.x], { kernel_shape: [kernel, kernel], strides: [stride, stride], pads: [pad, pad, pad, pad] });
    this.at = { ...this.at, x, size };
    return this;
  }

  add(x) {
    this.at.x = this.model.op('Add', [this.at.x, x]);
    return this;
  }

  classes(count) {
    const { model, at } = this;
    const flat = model.op('Flatten', [model.op('GlobalAveragePool', [at.x])], { axis: 1 });
    model.flops += 2 * at.channels * count;
    model.output(model.op('Gemm', [flat, model.weight([count, at.channels], 0.1), model.weight([count], 1)], { transB: 1 }), [1, count]);
  }
}

function mobilenetv2(model) {
  const net = new Image(model, 3, 224).conv(32, 3, 2, { activation: 'relu6' });
  for (const [expand, channels, repeat, first] of [[1, 16, 1, 1], [6, 24, 2, 2], [6, 32, 3, 2], [6, 64, 4, 2], [6, 96, 3, 1], [6, 160, 3, 2], [6, 320, 1, 1]]) {
    for (let i = 0; i < repeat; i++) {
      const from = net.at, stride = i ? 1 : first, hidden = from.channels * expand;
      if (expand > 1) net.conv(hidden, 1, 1, { activation: 'relu6' });
      net.conv(hidden, 3, stride, { groups: hidden, activation: 'relu6' }).conv(channels, 1);
      if (stride === 1 && from.channels === channels) net.add(from.x);
    }
  }
  net.conv(1280, 1, 1, { activation: 'relu6' }).classes(1000);
}

function resnet50(model) {
  const net = new Image(model, 3, 224).conv(64, 7, 2, { activation: 'relu' }).maxPool(3, 2, 1);
  for (const [width, repeat, first] of [[64, 3, 1], [128, 4, 2], [256, 6, 2], [512, 3, 2]]) {
    for (let i = 0; i < repeat; i++) {
      const from = net.at, stride = i ? 1 : first;
      net.conv(width, 1, 1, { activation: 'relu' }).conv(width, 3, stride, { activation: 'relu' }).conv(4 * width, 1);
      const main = net.at;
      net.at = { ...from };
      if (!i) net.conv(4 * width, 1, stride);
      const skip = net.at.x;
      net.at = main;
      net.add(skip).activation('relu');
    }
  }
  net.classes(1000);
}

function squeezenet(model) {
  const net = new Image(model, 3, 224).conv(64, 3, 2, { activation: 'relu', pad: 0 }).maxPool(3, 2);
  const fire = (squeeze, expand) => {
    const from = net.conv(squeeze, 1, 1, { activation: 'relu' }).at;
    const one = net.conv(expand, 1, 1, { activation: 'relu' }).at.x;
    net.at = { ...from };
    const three = net.conv(expand, 3, 1, { activation: 'relu' }).at.x;
    net.at = { ...net.at, x: model.op('Concat', [one, three], { axis: 1 }), channels: 2 * expand };
  };
  fire(16, 64), fire(16, 64), net.maxPool(3, 2), fire(32, 128), fire(32, 128), net.maxPool(3, 2);
  fire(48, 192), fire(48, 192), fire(64, 256), fire(64, 256);
  net.conv(1000, 1, 1, { activation: 'relu' });
  model.output(model.op('Flatten', [model.op('GlobalAveragePool', [net.at.x])], { axis: 1 }), [1, 1000]);
}

// An encoder as exporters write it, from hidden states and an additive mask on.
function encoder(layers, hidden, heads, sequence) {
  return (model) => {
    const depth = hidden / heads;
    let x = model.input([1, sequence, hidden]);
    const mask = model.input([1, 1, 1, sequence], F32, 'zero');
    const linear = (from, inner, outer) => {
      const product = model.op('MatMul', [from, model.weight([inner, outer], Math.sqrt(12 / inner))]);
      model.flops += 2 * sequence * inner * outer;
      return model.op('Add', [product, model.weight([outer], 0.1)]);
    };
    const split = (from, permutation) => model.op('Transpose', [model.op('Reshape', [from, model.ints(1, sequence, heads, depth)])], { perm: permutation });
    const normalize = (from) => model.op('LayerNormalization', [from, model.constant([hidden], new Array(hidden).fill(1)), model.weight([hidden], 0.1)],
      { axis: -1, epsilon: { float: 1e-12 } });
    for (let layer = 0; layer < layers; layer++) {
      const query = split(linear(x, hidden, hidden), [0, 2, 1, 3]);
      const key = split(linear(x, hidden, hidden), [0, 2, 3, 1]);
      const value = split(linear(x, hidden, hidden), [0, 2, 1, 3]);
      const scores = model.op('Div', [model.op('MatMul', [query, key]), model.scalar(Math.sqrt(depth))]);
      const weights = model.op('Softmax', [model.op('Add', [scores, mask])], { axis: -1 });
      const context = model.op('Transpose', [model.op('MatMul', [weights, value])], { perm: [0, 2, 1, 3] });
      model.flops += 4 * sequence * sequence * hidden;
      x = normalize(model.op('Add', [linear(model.op('Reshape', [context, model.ints(1, sequence, hidden)]), hidden, hidden), x]));
      const inner = linear(x, hidden, 4 * hidden);
      const erf = model.op('Add', [model.op('Erf', [model.op('Div', [inner, model.scalar(Math.SQRT2)])]), model.scalar(1)]);
      const gelu = model.op('Mul', [model.op('Mul', [inner, erf]), model.scalar(0.5)]);
      x = normalize(model.op('Add', [linear(gelu, 4 * hidden, hidden), x]));
    }
    model.output(x, [1, sequence, hidden]);
  };
}

// A residual classifier with quantize/dequantize pairs around every convolution: u8 activations, s8 weights for each
// channel, s32 biases.
function qdq(model) {
  const pair = (x, scale) => {
    const [s, zero] = [model.scalar(scale), model.scalar(128, U8)];
    return model.op('DequantizeLinear', [model.op('QuantizeLinear', [x, s, zero]), s, zero]);
  };
  let at = { x: pair(model.input([1, 3, 112, 112]), 1 / 256), channels: 3, size: 112, scale: 1 / 256 };
  const conv = (from, out, kernel, stride, relu) => {
    const inner = from.channels, pad = kernel >> 1, size = Math.floor((from.size + 2 * pad - kernel) / stride) + 1;
    const scales = Array.from({ length: out }, (_, i) => Math.fround((0.8 + (i % 5) / 10) / (40 * Math.sqrt(inner * kernel * kernel))));
    const filter = model.op('DequantizeLinear', [model.quantized([out, inner, kernel, kernel]), model.constant([out], scales),
      model.constant([out], new Array(out).fill(0), I8)], { axis: 0 });
    const bias = model.op('DequantizeLinear', [model.constant([out], Array.from({ length: out }, (_, i) => (i * 37) % 200 - 100), I32),
      model.constant([out], scales.map((s) => Math.fround(s * Math.fround(from.scale)))), model.constant([out], new Array(out).fill(0), I32)], { axis: 0 });
    model.flops += 2 * size * size * out * inner * kernel * kernel;
    const y = model.op('Conv', [from.x, filter, bias], { kernel_shape: [kernel, kernel], strides: [stride, stride], pads: [pad, pad, pad, pad] });
    return { x: pair(relu ? model.op('Relu', [y]) : y, 1 / 32), channels: out, size, scale: 1 / 32 };
  };
  at = conv(at, 32, 3, 2, true);
  for (const [channels, stride] of [[64, 2], [64, 1], [128, 2], [128, 1], [256, 2], [256, 1]]) {
    const skip = stride === 1 && at.channels === channels ? at : conv(at, channels, 1, stride, false);
    const main = conv(conv(at, channels, 3, stride, true), channels, 3, 1, false);
    at = { ...main, x: pair(model.op('Relu', [model.op('Add', [main.x, skip.x])]), 1 / 32) };
  }
  const flat = model.op('Flatten', [pair(model.op('GlobalAveragePool', [at.x]), 1 / 32)], { axis: 1 });
  model.output(flat, [1, at.channels]);
}

export const networks = {
  mobilenetv2, 'squeezenet1.1': squeezenet, resnet50, minilm: encoder(6, 384, 12, 128), bert: encoder(12, 768, 12, 128), qdq_resnet: qdq,
};

export function network(name) {
  const model = new Model(17);
  networks[name](model);
  return model;
}
