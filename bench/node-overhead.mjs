// Overhead of a call: one-node graph (add) on 16 floats, dispatch and read, against onnxruntime-node's run on the same
// operation, interleaved in one process. Prints the best and median time of a call, and the ratio.
//   node bench/node-overhead.mjs [rounds]
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const { ml, MLGraphBuilder } = require(fileURLToPath(new URL('../node/index.js', import.meta.url)));
const rounds = Number(process.argv[2] ?? 30), calls = 500, n = 16;

/** Bytes of an ONNX file with one Add of two float vectors. */
function addModel() {
  const varint = (v) => { const out = []; while (v > 127) { out.push((v & 127) | 128); v >>>= 7; } out.push(v); return out; };
  const number = (field, v) => [field << 3, ...varint(v)];
  const bytes = (field, content) => [(field << 3) | 2, ...varint(content.length), ...content];
  const text = (field, s) => bytes(field, [...Buffer.from(s)]);
  const value = (name) => [...text(1, name), ...bytes(2, bytes(1, [...number(1, 1), ...bytes(2, bytes(1, number(1, n)))]))];
  const node = [...text(1, 'a'), ...text(1, 'b'), ...text(2, 'y'), ...text(4, 'Add')];
  const graph = [...bytes(1, node), ...text(2, 'g'), ...bytes(11, value('a')), ...bytes(11, value('b')), ...bytes(12, value('y'))];
  return Uint8Array.from([...number(1, 8), ...bytes(7, graph), ...bytes(8, [...text(1, ''), ...number(2, 13)])]);
}

const a = Float32Array.from({ length: n }, (_, i) => i), b = Float32Array.from({ length: n }, (_, i) => 10 * i);

const context = await ml.createContext();
const builder = new MLGraphBuilder(context), desc = { dataType: 'float32', shape: [n] };
const graph = await builder.build({ y: builder.add(builder.input('a', desc), builder.input('b', desc)) });
const make = () => context.createTensor({ ...desc, readable: true, writable: true });
const inputs = { a: await make(), b: await make() }, outputs = { y: await make() }, y = outputs.y, out = new Float32Array(n);
context.writeTensor(inputs.a, a);
context.writeTensor(inputs.b, b);
const engines = {
  'libwebnn dispatch + readTensor': async () => { context.dispatch(graph, inputs, outputs); return new Float32Array(await context.readTensor(y)); },
  'libwebnn 2 writes + dispatch + readTensor into a buffer': async () => {
    context.writeTensor(inputs.a, a);
    context.writeTensor(inputs.b, b);
    context.dispatch(graph, inputs, outputs);
    await context.readTensor(y, out);
    return out;
  },
};
try {
  const ort = require('onnxruntime-node');
  const session = await ort.InferenceSession.create(addModel(), { intraOpNumThreads: 1, interOpNumThreads: 1 });
  const feeds = { a: new ort.Tensor('float32', a, [n]), b: new ort.Tensor('float32', b, [n]) };
  engines['onnxruntime-node run'] = async () => (await session.run(feeds)).y.data;
} catch (error) {
  console.log(`onnxruntime-node is not there: ${error.message.split('\n')[0]}`);
}

const times = Object.fromEntries(Object.keys(engines).map((name) => [name, []]));
for (const run of Object.values(engines)) {
  const got = await run();
  for (let i = 0; i < n; i++) if (got[i] !== 11 * i) throw new Error(`wrong result ${got[i]} at ${i}`);
  for (let i = 0; i < calls; i++) await run();
}
for (let round = 0; round < rounds; round++) {
  for (const [name, run] of Object.entries(engines)) {
    const start = performance.now();
    for (let i = 0; i < calls; i++) await run();
    times[name].push((performance.now() - start) / calls * 1000);
  }
}
const stats = Object.entries(times).map(([name, list]) => { list.sort((p, q) => p - q); return { name, best: list[0], median: list[list.length >> 1] }; });
for (const { name, best, median } of stats) console.log(`${name}: best ${best.toFixed(2)} us, median ${median.toFixed(2)} us`);
const ort = stats.find(({ name }) => name.startsWith('onnxruntime'));
if (ort) for (const s of stats) if (s !== ort) console.log(`${s.name}: ${(s.best / ort.best).toFixed(3)} of onnxruntime-node's time (best), ${(s.median / ort.median).toFixed(3)} (median)`);
