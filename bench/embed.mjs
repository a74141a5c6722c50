// EmbedLayerNormalization on the processor: the native kernel against the kernel of onnxruntime-node (a development
// dependency), batch 8, sequence 128, hidden 768, one and two threads, interleaved in one run. Best of the rounds.
//   node bench/embed.mjs [rounds]
import { createRequire } from 'node:module';
import { createDevice, getKernel } from '../node/kernels.mjs';

const ort = createRequire(import.meta.url)('onnxruntime-node');
const [batch, sequence, hidden, words] = [8, 128, 768, 30522];
const rounds = Number(process.argv[2] ?? 60);

// A model of the one node, written as the wire format of ONNX.
const varint = (n) => { const out = []; do { out.push((n & 127) | (n > 127 ? 128 : 0)); n = Math.floor(n / 128); } while (n); return Buffer.from(out); };
const field = (number, wire, bytes) => Buffer.concat([varint(number * 8 + wire), bytes]);
const block = (number, ...parts) => { const bytes = Buffer.concat(parts.map((p) => Buffer.from(p))); return field(number, 2, Buffer.concat([varint(bytes.length), bytes])); };
const number = (id, value) => field(id, 0, varint(value));
const value = (name, type, dims) => Buffer.concat([block(1, name), block(2, block(1, number(1, type), block(2, ...dims.map((d) => block(1, number(1, d))))))]);
const epsilon = Buffer.alloc(4);
epsilon.writeFloatLE(1e-12);
const ports = [['ids', 6, [batch, sequence]], ['segments', 6, [batch, sequence]], ['word', 1, [words, hidden]], ['position', 1, [512, hidden]], ['segment', 1, [2, hidden]],
  ['gamma', 1, [hidden]], ['beta', 1, [hidden]]];
const node = [...ports.map(([name]) => block(1, name)), block(2, 'y'), block(2, 'index'), block(4, 'EmbedLayerNormalization'), block(7, 'com.microsoft'),
  block(5, block(1, 'epsilon'), field(2, 5, epsilon), number(20, 1))];
const model = Buffer.concat([number(1, 8),
  block(7, block(1, ...node), block(2, 'g'), ...ports.map((p) => block(11, value(...p))), block(12, value('y', 1, [batch, sequence, hidden]))),
  block(8, block(1, ''), number(2, 17)), block(8, block(1, 'com.microsoft'), number(2, 1))]);

const table = (count, step) => Float32Array.from({ length: count }, (_, i) => Math.sin(i * step));
const data = {
  ids: Int32Array.from({ length: batch * sequence }, (_, i) => (i * 7919) % words), segments: Int32Array.from({ length: batch * sequence }, (_, i) => i & 1),
  word: table(words * hidden, 0.37), position: table(512 * hidden, 0.11), segment: table(2 * hidden, 0.05), gamma: table(hidden, 0.3), beta: table(hidden, 0.2),
};
const feeds = Object.fromEntries(ports.map(([name, type, dims]) => [name, new ort.Tensor(type === 1 ? 'float32' : 'int32', data[name], dims)]));

const contenders = [];
let reference;
for (const threads of [1, 2]) {
  const session = await ort.InferenceSession.create(model, { intraOpNumThreads: threads, interOpNumThreads: 1, graphOptimizationLevel: 'all' });
  contenders.push({ name: 'onnxruntime', threads, best: Infinity, run: () => session.run(feeds) });
  reference = (await session.run(feeds)).y.data;
  const device = await createDevice('cpu', { threads });
  const kernel = await getKernel('webgpu-kernels/com.microsoft.EmbedLayerNormalization', { version: 1, device });
  const names = { ids: 'inputIdsT', segments: 'segmentIdsT', word: 'wordEmbeddingT', position: 'positionEmbeddingT', segment: 'segmentEmbeddingT', gamma: 'gammaT', beta: 'betaT' };
  const inputs = {};
  for (const [name, , shape] of ports) inputs[names[name]] = await kernel.tensor({ data: data[name], shape });
  // onnxruntime returns its result in memory of its own; ours stays in a tensor of ours
  const first = await kernel(inputs, { output: 'gpu' });
  const own = { name: 'libwebnn', threads, best: Infinity, kernel: Infinity };
  own.run = async () => {
    const result = await kernel(inputs, { outputs: { outputT: first.outputT }, measure: true });
    own.kernel = Math.min(own.kernel, result.run.time / 1e6);
  };
  contenders.push(own);
  const got = (await kernel(inputs)).outputT.data;
  const error = got.reduce((most, x, i) => Math.max(most, Math.abs(x - reference[i])), 0);
  if (!(error < 1e-4)) throw new Error(`the results differ by ${error}`);
}
for (let round = 0; round < rounds; round++) {
  for (const one of contenders) {
    const start = process.hrtime.bigint();
    await one.run();
    one.best = Math.min(one.best, Number(process.hrtime.bigint() - start) / 1e6);
  }
}
for (const threads of [1, 2]) {
  const [theirs, ours] = contenders.filter((one) => one.threads === threads);
  console.log(`${threads} thread${threads > 1 ? 's' : ''}: onnxruntime ${theirs.best.toFixed(3)} ms, libwebnn ${ours.best.toFixed(3)} ms a call (kernel ${ours.kernel.toFixed(3)} ms): ${(theirs.best / ours.best).toFixed(2)} times as fast`);
}
process.exit(0);
