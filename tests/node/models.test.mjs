// 'libwebnn/onnx' on real models: golden outputs, shapes, options, errors.
import test from 'node:test';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { webnn, load, turn } from './support.mjs';
import { models, input, compare } from './golden.mjs';

const { loadModel, Model } = await load('onnx.mjs');
const { ml } = webnn;
const all = models();
const isDom = (name) => (error) => error instanceof DOMException && error.name === name;

for (const { id, file, cases } of all) {
  test(id, { skip: file ? false : 'the model is not fetched' }, async () => {
    const model = await loadModel(file);
    for (const { name, steps } of cases) {
      let previous = {};
      for (const step of steps) {
        const feeds = Object.fromEntries(Object.entries(step.inputs).map(([key, value]) => [key, input(value, previous)]));
        previous = await model.run(feeds);
        for (const [key, want] of Object.entries(step.outputs)) compare(`${id} ${name} ${key}`, previous[key], want);
      }
    }
    model.dispose();
  });
}

const small = all.find(({ id }) => id === 'ppocr-cls');
const file = small?.file;
const skip = file ? false : 'the model is not fetched';

test('names, types, shapes', { skip }, async () => {
  const model = await loadModel(pathToFileURL(file));
  assert.ok(model instanceof Model);
  assert.deepEqual([model.inputNames, model.outputNames], [['x'], ['softmax_0.tmp_0']]);
  assert.equal(model.inputs[0].dataType, 'float32');
  assert.deepEqual(model.inputs[0].shape.map((d) => typeof d), ['string', 'number', 'string', 'string']);
  assert.ok(Object.isFrozen(model.inputs) && Object.isFrozen(model.inputs[0]));
  assert.equal(model.disposed, false);
  model.dispose();
  model.dispose();
  assert.equal(model.disposed, true);
  await assert.rejects(model.run({}), isDom('InvalidStateError'));
});

test('data alone, with a shape, as a tensor, from bytes', { skip }, async () => {
  const context = await ml.createContext();
  const bytes = readFileSync(file);
  const probe = await loadModel(bytes, { context });
  assert.equal(probe.context, context);
  const [n, , h, w] = probe.inputs[0].shape;
  const data = new Float32Array(3 * 48 * 192).fill(0.25), shape = [1, 3, 48, 192];
  const { 'softmax_0.tmp_0': want } = await probe.run({ x: { data, shape } });
  assert.deepEqual([want.dataType, want.shape, want.data.length], ['float32', [1, 2], 2]);
  const fixed = await loadModel(new Uint8Array(bytes), { context, sizes: { [n]: 1, [h]: 48, [w]: 192 } });
  const tensor = await context.createTensor({ dataType: 'float32', shape, readable: true, writable: true });
  context.writeTensor(tensor, data);
  for (const [model, x] of [[fixed, data], [probe, tensor], [fixed, Array.from(data)], [probe, { data: data.buffer, shape }], [await loadModel(file, { shapes: { x: shape } }), data]]) {
    const { 'softmax_0.tmp_0': got } = await model.run({ x }, ['softmax_0.tmp_0']);
    assert.deepEqual(got, want);
  }
  const stats = probe.stats();
  assert.equal(stats.runs, 3);
  assert.equal(stats.compiled, 1);
  // Many runs at once complete in order.
  const order = [];
  await Promise.all([1, 2, 3, 4].map((i) => probe.run({ x: { data, shape } }).then(() => order.push(i))));
  assert.deepEqual(order, [1, 2, 3, 4]);
});

test('the event loop turns while a model loads and runs', { skip }, async () => {
  let ticks = 0, running = true;
  (async () => { while (running) { await turn(); ticks++; } })();
  const model = await loadModel(file);
  await model.run({ x: { data: new Float32Array(3 * 48 * 192), shape: [1, 3, 48, 192] } });
  running = false;
  assert.ok(ticks > 10);
});

test('errors', { skip }, async () => {
  await assert.rejects(loadModel('/nowhere/model.onnx'), isDom('NotReadableError'));
  await assert.rejects(loadModel(new Uint8Array([1, 2, 3])), isDom('DataError'));
  await assert.rejects(loadModel(new Uint8Array(0)), (error) => error instanceof DOMException);
  for (const wrong of [undefined, null, 1, {}, []]) await assert.rejects(loadModel(wrong), TypeError);
  await assert.rejects(loadModel(file, { context: {} }), TypeError);
  for (const size of [-1, 1.5, NaN, undefined, 2 ** 32]) {
    await assert.rejects(loadModel(file, { sizes: { n: size } }), TypeError);
    await assert.rejects(loadModel(file, { shapes: { x: [1, size] } }), TypeError);
  }
  const model = await loadModel(file);
  const x = new Float32Array(3 * 48 * 192), shape = [1, 3, 48, 192];
  for (const feeds of [{}, { y: x }, { x }, { x: { data: x, shape: [1, 3, 48, 191] } }, { x: { data: new Int32Array(3), shape: [3] } }, null, { x: 'x' },
    { x: { data: new Int32Array(x.length), shape, dataType: 'int32' } }, { x: { data: x, shape: [3, 48, 192] } }])
    await assert.rejects(model.run(feeds), TypeError);
  await assert.rejects(model.run({ x: { data: x, shape } }, ['nothing']), TypeError);
  await model.run({ x: { data: x, shape } }); // none of this harmed the model
  const context = await ml.createContext(), lost = await loadModel(file, { context });
  const pending = lost.run({ x: { data: x, shape } });
  context.destroy();
  await assert.rejects(pending, isDom('InvalidStateError'));
  await assert.rejects(lost.run({ x: { data: x, shape } }), isDom('InvalidStateError'));
});
