// Child of ort-web.test.mjs: runs the cases of one model in ONNX Runtime Web's WebNN provider over this module, as
// 'libwebnn/global' installs it. Compares the outputs and prints one JSON line; the provider's log goes to stderr.
//   node ort-web-client.mjs MODEL_ID [--local-initializers] [--unfit=CASE]
// The unfit case must be refused by the API while its graph is made.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { load, webnn } from './support.mjs';
import { models, input, compare } from './golden.mjs';
import { localInitializers } from './onnx-scope.mjs';

setInterval(() => {}, 1000); // the event loop must turn while WebAssembly is being compiled
await load('global.mjs');
globalThis.GPUDevice ??= class GPUDevice {}; // the provider tests against it

const dist = dirname(createRequire(import.meta.url).resolve('onnxruntime-web'));
const ort = await import(pathToFileURL(`${dist}/ort.all.mjs`));
ort.env.wasm.numThreads = 1;
ort.env.wasm.wasmPaths = `${dist}/`;

// What the module is asked for: proof that the graphs run here.
const calls = { build: 0, dispatch: 0 };
for (const [type, name] of [[webnn.MLGraphBuilder, 'build'], [webnn.MLContext, 'dispatch']]) {
  const original = type.prototype[name];
  type.prototype[name] = function () { calls[name]++; return original.apply(this, arguments); };
}

const { file, cases } = models().find(({ id }) => id === process.argv[2]);
const unfit = process.argv.find((word) => word.startsWith('--unfit='))?.slice(8);
const bytes = process.argv.includes('--local-initializers') ? localInitializers(readFileSync(file)) : readFileSync(file);
const report = { cases: [], calls };
for (const { name, steps } of cases) {
  const first = steps[0].inputs;
  // Free dimensions by the symbols that the model has, from the shapes of the case.
  const { loadModel } = await load('onnx.mjs');
  const ports = await loadModel(file);
  const sizes = {};
  for (const port of ports.inputs)
    port.shape?.forEach((d, i) => { if (typeof d === 'string' && first[port.name]) sizes[d] = first[port.name].shape[i]; });
  const before = calls.dispatch;
  const creation = ort.InferenceSession.create(bytes, {
    executionProviders: [{ name: 'webnn', deviceType: 'cpu' }], freeDimensionOverrides: sizes, logSeverityLevel: 0 });
  if (name === unfit) {
    await assert.rejects(creation, (error) => { report.unfit = String(error); return true; });
    continue;
  }
  const session = await creation;
  let previous = {};
  for (const step of steps) {
    const feeds = {};
    for (const [key, value] of Object.entries(step.inputs)) {
      const { data, shape } = input(value, previous);
      feeds[key] = new ort.Tensor(value.dtype, data, shape);
    }
    const result = await session.run(feeds);
    previous = Object.fromEntries(Object.entries(result).map(([key, t]) => [key, { shape: t.dims, data: t.data, dataType: t.type }]));
    for (const [key, want] of Object.entries(step.outputs)) compare(`${name} ${key}`, previous[key], want);
  }
  report.cases.push({ name, dispatches: calls.dispatch - before });
  await session.release();
}
process.stdout.write(`${JSON.stringify(report)}\n`, () => process.exit(0));
