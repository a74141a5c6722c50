// The examples of the API's documentation, as tests: code unchanged, with the data they leave open, what they
// print or state, and values where they are documented. Also used by the TypeScript test.

const f32 = (n, f = (i) => ((i * 37) % 19) / 19 - 0.5) => Float32Array.from({ length: n }, (_, i) => f(i));
const rows = (...list) => list.flat(Infinity);

/**
 * code: the example. given: names it uses, as TypeScript declarations and values made from a builder.
 * logs: what it prints. shapes: of its variables. values: of its results for inputs.
 * results: names for the results of its calls of the builder that it does not keep.
 */
export const examples = [
  { name: 'labels', given: { a: ['MLOperand', (b) => b.input('a', desc([2, 3]))], b: ['MLOperand', (b) => b.input('b', desc([3, 4]))] },
    code: `const y = builder.matmul(a, b, { label: 'decoder.proj' });`,
    shapes: { y: [2, 4] } },
  { name: 'support limits', given: {},
    code: `const limits = context.opSupportLimits();
const canUseFp16 = limits.softmax.input.dataTypes.includes('float16');
const maxRank = limits.add.a.rankRange.max;`,
    equal: { canUseFp16: true, maxRank: 8 } },
  { name: 'add', given: {},
    code: `const a = builder.input('a', { dataType: 'float32', shape: [2, 3] });
const bias = builder.constant(
  { dataType: 'float32', shape: [3] }, new Float32Array([0.1, 0.2, 0.3]));

// bias is broadcast across the first dimension: the output shape is [2, 3].
const y = builder.add(a, bias);
console.log(y.shape); // [2, 3]`,
    logs: [[2, 3]], values: { inputs: { a: [1, 2, 3, 4, 5, 6] }, y: [1.1, 2.2, 3.3, 4.1, 5.2, 6.3] } },
  { name: 'greater and where', given: {},
    code: `// Keep only values greater than a threshold, zero elsewhere.
const x = builder.input('x', { dataType: 'float32', shape: [4] });
const threshold = builder.constant('float32', 0.5);
const zero = builder.constant('float32', 0);

const mask = builder.greater(x, threshold);   // uint8: 1 or 0
const y = builder.where(mask, x, zero);       // see where()`,
    types: { mask: 'uint8' }, values: { inputs: { x: [0.25, 0.5, 0.75, -1] }, mask: [0, 0, 1, 0], y: [0, 0, 0.75, 0] } },
  { name: 'sqrt and reduceSum', given: {},
    code: `const x = builder.input('x', { dataType: 'float32', shape: [3] });

// Euclidean norm of a vector built from unary and reduction operations.
const norm = builder.sqrt(builder.reduceSum(builder.mul(x, x)));
console.log(norm.shape); // []`,
    logs: [[]], values: { inputs: { x: [2, 3, 6] }, norm: [7] } },
  { name: 'softmax and prelu', given: { slopeData: ['Float32Array', () => f32(64, () => 0.25)] },
    code: `const logits = builder.input('logits', { dataType: 'float32', shape: [1, 10] });
const probabilities = builder.softmax(logits, 1);

const x = builder.input('x', { dataType: 'float32', shape: [1, 64] });
const slope = builder.constant({ dataType: 'float32', shape: [64] }, slopeData);
const activated = builder.prelu(x, slope);`,
    shapes: { probabilities: [1, 10], activated: [1, 64] },
    values: { inputs: { logits: new Array(10).fill(3), x: Array.from({ length: 64 }, (_, i) => i - 32) },
      probabilities: new Array(10).fill(0.1), activated: Array.from({ length: 64 }, (_, i) => (i < 32 ? (i - 32) / 4 : i - 32)) } },
  { name: 'conv2d', given: { filterData: ['Float32Array', () => f32(32 * 27, () => 1)], biasData: ['Float32Array', () => f32(32, (i) => i)] },
    code: `const input = builder.input('input', { dataType: 'float32', shape: [1, 3, 224, 224] });
const filter = builder.constant({ dataType: 'float32', shape: [32, 3, 3, 3] }, filterData);
const bias = builder.constant({ dataType: 'float32', shape: [32] }, biasData);

const y = builder.conv2d(input, filter, {
  strides: [2, 2],
  padding: [1, 1, 1, 1],
  bias,
});
console.log(y.shape); // [1, 32, 112, 112]`,
    logs: [[1, 32, 112, 112]],
    values: { inputs: { input: new Array(3 * 224 * 224).fill(1) },
      y: Array.from({ length: 32 * 112 * 112 }, (_, i) => {
        const c = Math.floor(i / 12544), r = Math.floor(i / 112) % 112, k = i % 112;
        return 3 * (r ? 3 : 2) * (k ? 3 : 2) + c; // the padding of the first row and column takes a row of taps
      }) } },
  { name: 'pooling', given: {},
    code: `const x = builder.input('x', { dataType: 'float32', shape: [1, 64, 56, 56] });

const halved = builder.maxPool2d(x, { windowDimensions: [2, 2], strides: [2, 2] });
console.log(halved.shape); // [1, 64, 28, 28]

// Global average pooling: the window defaults to the full spatial size.
const pooled = builder.averagePool2d(x);
console.log(pooled.shape); // [1, 64, 1, 1]`,
    logs: [[1, 64, 28, 28], [1, 64, 1, 1]],
    values: { inputs: { x: Array.from({ length: 64 * 3136 }, (_, i) => Math.floor(i / 3136) + (i % 2 ? 0.5 : -0.5)) },
      halved: Array.from({ length: 64 * 784 }, (_, i) => Math.floor(i / 784) + 0.5), pooled: Array.from({ length: 64 }, (_, i) => i) } },
  { name: 'layerNormalization', given: { gammaData: ['Float32Array', () => f32(768, () => 2)], betaData: ['Float32Array', () => f32(768, () => 1)] },
    code: `const hidden = builder.input('hidden', { dataType: 'float32', shape: [1, 128, 768] });
const gamma = builder.constant({ dataType: 'float32', shape: [768] }, gammaData);
const beta = builder.constant({ dataType: 'float32', shape: [768] }, betaData);

// Normalize over the last dimension only.
const normalized = builder.layerNormalization(hidden, {
  axes: [2],
  scale: gamma,
  bias: beta,
  epsilon: 1e-12,
});`,
    shapes: { normalized: [1, 128, 768] },
    values: { inputs: { hidden: Array.from({ length: 128 * 768 }, (_, i) => (i % 2 ? 3 : 5)) },
      normalized: Array.from({ length: 128 * 768 }, (_, i) => (i % 2 ? -1 : 3)) } },
  { name: 'gemm', given: { weights: ['Float32Array', () => f32(512000, () => 0.5)], biasData: ['Float32Array', () => f32(1000, (i) => i)] },
    code: `// A fully connected layer: y = x * W^T + bias
const x = builder.input('x', { dataType: 'float32', shape: [8, 512] });
const w = builder.constant({ dataType: 'float32', shape: [1000, 512] }, weights);
const bias = builder.constant({ dataType: 'float32', shape: [1000] }, biasData);

const y = builder.gemm(x, w, { c: bias, bTranspose: true });
console.log(y.shape); // [8, 1000]`,
    logs: [[8, 1000]],
    values: { inputs: { x: Array.from({ length: 8 * 512 }, (_, i) => Math.floor(i / 512)) },
      y: Array.from({ length: 8000 }, (_, i) => Math.floor(i / 1000) * 256 + (i % 1000)) } },
  { name: 'matmul', given: {},
    code: `// Attention scores for 12 heads: [1, 12, 128, 64] x [1, 12, 64, 128]
const q = builder.input('q', { dataType: 'float32', shape: [1, 12, 128, 64] });
const kT = builder.input('kT', { dataType: 'float32', shape: [1, 12, 64, 128] });
const scores = builder.matmul(q, kT);
console.log(scores.shape); // [1, 12, 128, 128]`,
    logs: [[1, 12, 128, 128]],
    values: { inputs: { q: new Array(12 * 8192).fill(2), kT: Array.from({ length: 12 * 8192 }, (_, i) => i % 128) },
      scores: Array.from({ length: 12 * 16384 }, (_, i) => 128 * (i % 128)) } },
  { name: 'triangular', given: {},
    code: `// input: [[7, 1, 2],
//         [9, 4, 8],
//         [2, 6, 3]]
const input = builder.constant(
  { dataType: 'float32', shape: [3, 3] },
  new Float32Array([7, 1, 2, 9, 4, 8, 2, 6, 3]));

builder.triangular(input);
// upper:            [[7, 1, 2], [0, 4, 8], [0, 0, 3]]
builder.triangular(input, { diagonal: 1 });
// upper, excluding the main diagonal: [[0, 1, 2], [0, 0, 8], [0, 0, 0]]
builder.triangular(input, { upper: false });
// lower:            [[7, 0, 0], [9, 4, 0], [2, 6, 3]]
builder.triangular(input, { upper: false, diagonal: 1 });
// lower, plus one diagonal above:     [[7, 1, 0], [9, 4, 8], [2, 6, 3]]`,
    results: { triangular: [rows([7, 1, 2], [0, 4, 8], [0, 0, 3]), rows([0, 1, 2], [0, 0, 8], [0, 0, 0]),
      rows([7, 0, 0], [9, 4, 0], [2, 6, 3]), rows([7, 1, 0], [9, 4, 8], [2, 6, 3])] } },
  { name: 'reductions', given: {},
    code: `const x = builder.input('x', { dataType: 'float32', shape: [2, 3, 4] });

const total = builder.reduceSum(x);                                  // shape []
const perRow = builder.reduceMean(x, { axes: [2] });                 // shape [2, 3]
const kept = builder.reduceMax(x, { axes: [1, 2], keepDimensions: true }); // shape [2, 1, 1]
const best = builder.argMax(x, 2);                                   // int32, shape [2, 3]`,
    shapes: { total: [], perRow: [2, 3], kept: [2, 1, 1], best: [2, 3] }, types: { best: 'int32' },
    values: { inputs: { x: Array.from({ length: 24 }, (_, i) => i) }, total: [276], perRow: [1.5, 5.5, 9.5, 13.5, 17.5, 21.5],
      kept: [11, 23], best: [3, 3, 3, 3, 3, 3] } },
  { name: 'cast', given: { x: ['MLOperand', (b) => b.input('x', desc([4]))], threshold: ['MLOperand', (b) => b.constant('float32', 0.5)] },
    code: `// Turn a uint8 comparison mask into float32 so it can be multiplied.
const mask = builder.greater(x, threshold);
const maskF32 = builder.cast(mask, 'float32');
const y = builder.mul(x, maskF32);`,
    types: { mask: 'uint8', maskF32: 'float32' }, values: { inputs: { x: [0.25, 0.5, 0.75, -1] }, y: [0, 0, 0.75, -0] } },
  { name: 'clamp', given: { x: ['MLOperand', (b) => b.input('x', desc([4]))] },
    code: `// ReLU6
const relu6 = builder.clamp(x, { minValue: 0, maxValue: 6 });`,
    values: { inputs: { x: [-1, 2, 6, 7.5] }, relu6: [0, 2, 6, 6] } },
  { name: 'concat', given: {},
    code: `const a = builder.input('a', { dataType: 'float32', shape: [1, 3] });
const b = builder.input('b', { dataType: 'float32', shape: [1, 5] });
console.log(builder.concat([a, b], 1).shape); // [1, 8]`,
    logs: [[1, 8]], inputs: { a: [1, 2, 3], b: [4, 5, 6, 7, 8] }, results: { concat: [[1, 2, 3, 4, 5, 6, 7, 8]] } },
  { name: 'pad', given: {},
    code: `// input: [[1, 2, 3],
//         [4, 5, 6]]
const input = builder.constant(
  { dataType: 'float32', shape: [2, 3] }, new Float32Array([1, 2, 3, 4, 5, 6]));
const begin = [1, 2];
const end = [1, 2];

builder.pad(input, begin, end);
// "constant": [[0,0,0,0,0,0,0], [0,0,1,2,3,0,0], [0,0,4,5,6,0,0], [0,0,0,0,0,0,0]]

builder.pad(input, begin, end, { mode: 'edge' });
// "edge":     [[1,1,1,2,3,3,3], [1,1,1,2,3,3,3], [4,4,4,5,6,6,6], [4,4,4,5,6,6,6]]

builder.pad(input, begin, end, { mode: 'reflection' });
// "reflection": [[6,5,4,5,6,5,4], [3,2,1,2,3,2,1], [6,5,4,5,6,5,4], [3,2,1,2,3,2,1]]`,
    results: { pad: [rows([0, 0, 0, 0, 0, 0, 0], [0, 0, 1, 2, 3, 0, 0], [0, 0, 4, 5, 6, 0, 0], [0, 0, 0, 0, 0, 0, 0]),
      rows([1, 1, 1, 2, 3, 3, 3], [1, 1, 1, 2, 3, 3, 3], [4, 4, 4, 5, 6, 6, 6], [4, 4, 4, 5, 6, 6, 6]),
      rows([6, 5, 4, 5, 6, 5, 4], [3, 2, 1, 2, 3, 2, 1], [6, 5, 4, 5, 6, 5, 4], [3, 2, 1, 2, 3, 2, 1])] } },
  { name: 'reshape', given: {},
    code: `const x = builder.input('x', { dataType: 'float32', shape: [1, 64, 7, 7] });
const flat = builder.reshape(x, [1, 64 * 7 * 7]);`,
    shapes: { flat: [1, 3136] },
    values: { inputs: { x: Array.from({ length: 3136 }, (_, i) => i) }, flat: Array.from({ length: 3136 }, (_, i) => i) } },
  { name: 'slice', given: {},
    code: `const x = builder.input('x', { dataType: 'float32', shape: [4, 6] });
// Rows 1-2, columns 0-3.
const part = builder.slice(x, [1, 0], [2, 4]);
console.log(part.shape); // [2, 4]`,
    logs: [[2, 4]], values: { inputs: { x: Array.from({ length: 24 }, (_, i) => i) }, part: [6, 7, 8, 9, 12, 13, 14, 15] } },
  { name: 'split', given: {},
    code: `const qkv = builder.input('qkv', { dataType: 'float32', shape: [1, 128, 2304] });
const [q, k, v] = builder.split(qkv, 3, { axis: 2 });
console.log(q.shape); // [1, 128, 768]`,
    logs: [[1, 128, 768]],
    values: { inputs: { qkv: Array.from({ length: 128 * 2304 }, (_, i) => Math.floor((i % 2304) / 768)) },
      q: new Array(128 * 768).fill(0), k: new Array(128 * 768).fill(1), v: new Array(128 * 768).fill(2) } },
  { name: 'transpose', given: {},
    code: `// NHWC to NCHW
const nhwc = builder.input('x', { dataType: 'float32', shape: [1, 224, 224, 3] });
const nchw = builder.transpose(nhwc, { permutation: [0, 3, 1, 2] });
console.log(nchw.shape); // [1, 3, 224, 224]`,
    logs: [[1, 3, 224, 224]],
    values: { inputs: { x: Array.from({ length: 3 * 50176 }, (_, i) => i % 1024) },
      nchw: Array.from({ length: 3 * 50176 }, (_, i) => ((i % 50176) * 3 + Math.floor(i / 50176)) % 1024) } },
  { name: 'gather', given: { embeddings: ['Float32Array', () => f32(30000 * 768, (i) => Math.floor(i / 768))] },
    code: `// Embedding lookup: 30000 x 768 table, 16 token ids.
const table = builder.constant({ dataType: 'float32', shape: [30000, 768] }, embeddings);
const ids = builder.input('ids', { dataType: 'int32', shape: [16] });
const vectors = builder.gather(table, ids, { axis: 0 });
console.log(vectors.shape); // [16, 768]`,
    logs: [[16, 768]],
    values: { inputs: { ids: Array.from({ length: 16 }, (_, i) => i * 1999) },
      vectors: Array.from({ length: 16 * 768 }, (_, i) => Math.floor(i / 768) * 1999) } },
  { name: 'where as a mask', given: {},
    code: `// Causal attention mask: keep the lower triangle, fill the rest with -inf.
const scores = builder.input('scores', { dataType: 'float32', shape: [1, 12, 128, 128] });
const ones = builder.constant({ dataType: 'uint8', shape: [128, 128] }, new Uint8Array(128 * 128).fill(1));
const lower = builder.triangular(ones, { upper: false });
const masked = builder.where(lower, scores, builder.constant('float32', -Infinity));`,
    shapes: { masked: [1, 12, 128, 128] },
    values: { inputs: { scores: new Array(12 * 16384).fill(1) },
      masked: Array.from({ length: 12 * 16384 }, (_, i) => ((i % 128) <= (Math.floor(i / 128) % 128) ? 1 : -Infinity)) } },
  { name: 'quantizeLinear', given: {},
    code: `// Per-tensor int8 quantization round trip.
const x = builder.input('x', { dataType: 'float32', shape: [1, 16] });
const scale = builder.constant({ dataType: 'float32', shape: [1, 1] }, new Float32Array([0.05]));
const zeroPoint = builder.constant({ dataType: 'int8', shape: [1, 1] }, new Int8Array([0]));

const q = builder.quantizeLinear(x, scale, zeroPoint);   // int8
const restored = builder.dequantizeLinear(q, scale, zeroPoint); // float32`,
    types: { q: 'int8', restored: 'float32' },
    values: { inputs: { x: Array.from({ length: 16 }, (_, i) => i - 8) },
      q: Array.from({ length: 16 }, (_, i) => Math.min(127, Math.max(-128, (i - 8) * 20))),
      restored: Array.from({ length: 16 }, (_, i) => Math.min(6.35, Math.max(-6.4, i - 8))) } },
];

function desc(shape) { return { dataType: 'float32', shape }; }
