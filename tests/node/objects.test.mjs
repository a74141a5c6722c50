// Contexts, tensors, buffers, builders and graphs: every step of the specification that script can see.
import test from 'node:test';
import assert from 'node:assert/strict';
import { copyFileSync, cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { webnn, addon, arrays, compute, decode, instrumented, packageFolder, program, toHalf, turn } from './support.mjs';

const { ml, MLContext, MLGraphBuilder, MLTensor, MLGraph } = webnn;
const desc = { dataType: 'float32', shape: [2, 2] };
const rw = { ...desc, readable: true, writable: true };
const context = await ml.createContext();
const other = await ml.createContext();
const ise = { name: 'InvalidStateError' };
const isDom = (name) => (error) => error instanceof DOMException && error.name === name;
const relu = async (c = context) => {
  const builder = new MLGraphBuilder(c);
  return builder.build({ y: builder.relu(builder.input('x', desc)) });
};
const floats = async (tensor, c = context) => [...new Float32Array(await c.readTensor(tensor))];

// ---- createContext ----

test('createContext converts its options', async () => {
  for (const options of [undefined, null, {}, () => {}, { powerPreference: 'low-power' }, { accelerated: 0 }, { deviceType: 'npu' }])
    assert.ok(await ml.createContext(options) instanceof MLContext);
  for (const wrong of [1, 'x', true, Symbol('x'), { powerPreference: 'fast' }, { powerPreference: null }])
    await assert.rejects(ml.createContext(wrong), TypeError);
  const read = [];
  await ml.createContext(new Proxy({}, { get(_, key) { if (typeof key === 'string') read.push(key); } }));
  assert.deepEqual(read, ['accelerated', 'powerPreference']);
  assert.equal((await ml.createContext({ accelerated: false })).accelerated, false);
  assert.equal(context.accelerated, true);
  assert.notEqual(await ml.createContext(), await ml.createContext());
  const thrown = new Error('mine');
  await assert.rejects(ml.createContext({ get accelerated() { throw thrown; } }), (error) => error === thrown);
});

test('createContext of a GPUDevice is not supported', async () => {
  const saved = globalThis.GPUDevice;
  globalThis.GPUDevice = class GPUDevice {};
  try { await assert.rejects(ml.createContext(new GPUDevice()), isDom('NotSupportedError')); } finally { globalThis.GPUDevice = saved; }
  await assert.rejects(ml.createContext({ [Symbol.toStringTag]: 'GPUDevice' }), isDom('NotSupportedError'));
});

// ---- Tensors ----

test('createTensor', async () => {
  const tensor = await context.createTensor({ dataType: 'int8', shape: [3, 1], writable: true });
  assert.ok(tensor instanceof MLTensor);
  assert.deepEqual([tensor.dataType, tensor.shape, tensor.readable, tensor.writable, tensor.constant], ['int8', [3, 1], false, true, false]);
  assert.deepEqual(await floats(await context.createTensor(rw)), [0, 0, 0, 0]);
  assert.equal((await context.readTensor(await context.createTensor({ dataType: 'int64', shape: [], readable: true }))).byteLength, 8);
  const wrong = [undefined, null, {}, 1, { dataType: 'float32' }, { shape: [1] }, { dataType: 'int4', shape: [1] }, { dataType: 'float64', shape: [1] },
    ...[[0], [2 ** 31], [65536, 32768], [46341, 46341], [-1], [NaN], [2, 0, 2], new Array(9).fill(1), new Array(5000).fill(1), 3, [2 ** 29, 1]]
      .map((shape) => ({ dataType: 'float32', shape }))];
  for (const descriptor of wrong) await assert.rejects(context.createTensor(descriptor), TypeError);
  const read = [];
  await assert.rejects(context.createTensor(new Proxy({}, { get(_, key) { read.push(key); return { dataType: 'int8', shape: [0] }[key]; } })), TypeError);
  assert.deepEqual(read, ['dataType', 'shape', 'readable', 'writable']);
  for (const [dataType, Type] of Object.entries(arrays)) {
    const t = await context.createTensor({ dataType, shape: [2], readable: true, writable: true });
    const data = new Type(2);
    data[1] = typeof data[0] === 'bigint' ? 5n : 5;
    context.writeTensor(t, data);
    assert.deepEqual(new Type(await context.readTensor(t)), data, dataType);
  }
});

test('createConstantTensor', async () => {
  const tensor = await context.createConstantTensor(desc, new Float32Array([1, 2, 3, 4]));
  assert.deepEqual([tensor.readable, tensor.writable, tensor.constant], [false, false, true]);
  await assert.rejects(context.readTensor(tensor), TypeError);
  assert.throws(() => context.writeTensor(tensor, new Float32Array(4)), TypeError);
  await assert.rejects(context.createConstantTensor(desc, new Float32Array(3)), TypeError);
  await assert.rejects(context.createConstantTensor(desc, new Int32Array(4)), TypeError);
  await assert.rejects(context.createConstantTensor({ dataType: 'float32', shape: [0] }, new Float32Array(0)), TypeError);
  await assert.rejects(context.createConstantTensor(desc, [1, 2, 3, 4]), TypeError);
  const data = new Float32Array([1, 2, 3, 4]);
  const promise = context.createConstantTensor(desc, data);
  data.fill(9); // too late
  const builder = new MLGraphBuilder(context);
  const { y } = await compute(context, builder, { y: builder.neg(builder.constant(await promise)) });
  assert.deepEqual(decode('float32', y), [-1, -2, -3, -4]);
});

test('buffers that match and that do not', async () => {
  const views = [Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array, Float32Array, Float64Array,
    BigInt64Array, BigUint64Array, ...(globalThis.Float16Array ? [Float16Array] : [])];
  const fits = { float32: ['Float32Array'], float16: ['Float16Array', 'Uint16Array'], int32: ['Int32Array'],
    uint32: ['Uint32Array'], int64: ['BigInt64Array'], uint64: ['BigUint64Array'], int8: ['Int8Array'], uint8: [] };
  for (const [dataType, names] of Object.entries(fits)) {
    const tensor = await context.createTensor({ dataType, shape: [8], writable: true, readable: true });
    const bytes = 8 * arrays[dataType].BYTES_PER_ELEMENT;
    for (const Type of views) {
      const view = new Type(bytes / Type.BYTES_PER_ELEMENT);
      const ok = Type === Uint8Array || names.includes(Type.name);
      const shared = new Type(new SharedArrayBuffer(bytes));
      for (const buffer of [view, shared]) {
        if (ok) {
          context.writeTensor(tensor, buffer);
          assert.equal(await context.readTensor(tensor, buffer), undefined);
        } else {
          assert.throws(() => context.writeTensor(tensor, buffer), TypeError, `${Type.name} for ${dataType}`);
          await assert.rejects(context.readTensor(tensor, buffer), TypeError);
          await assert.rejects(context.createConstantTensor({ dataType, shape: [8] }, buffer), TypeError);
          assert.throws(() => new MLGraphBuilder(context).constant({ dataType, shape: [8] }, buffer), TypeError);
        }
      }
    }
    for (const buffer of [new ArrayBuffer(bytes), new SharedArrayBuffer(bytes), Buffer.alloc(bytes)]) {
      context.writeTensor(tensor, buffer);
      await context.readTensor(tensor, buffer);
      new MLGraphBuilder(context).constant({ dataType, shape: [8] }, buffer);
    }
    const wrong = [new DataView(new ArrayBuffer(bytes)), new ArrayBuffer(bytes + 1), new ArrayBuffer(bytes - 1), new Uint8Array(bytes + 1),
      new SharedArrayBuffer(bytes * 2), undefined, null, {}, 'x', 1, [1, 2, 3, 4, 5, 6, 7, 8], new Proxy(new Uint8Array(bytes), {})];
    for (const buffer of wrong) {
      assert.throws(() => context.writeTensor(tensor, buffer), TypeError);
      await assert.rejects(context.readTensor(tensor, buffer), TypeError);
      assert.throws(() => new MLGraphBuilder(context).constant({ dataType, shape: [8] }, buffer), TypeError);
    }
  }
});

test('a read into the memory of WebAssembly takes Int8Array for bytes', async () => {
  const tensor = await context.createTensor(rw);
  context.writeTensor(tensor, new Float32Array([1, 2, 3, 4]));
  const shared = { initial: 1, maximum: 1, shared: true };
  for (const { buffer } of [new WebAssembly.Memory({ initial: 1 }), new WebAssembly.Memory(shared)]) {
    await context.readTensor(tensor, new Int8Array(buffer, 32, 16));
    assert.deepEqual([...new Float32Array(buffer, 28, 6)], [0, 1, 2, 3, 4, 0]);
    for (const Type of [Uint8ClampedArray, Int16Array, Int32Array])
      await assert.rejects(context.readTensor(tensor, new Type(buffer, 32, 16 / Type.BYTES_PER_ELEMENT)), TypeError);
    assert.throws(() => context.writeTensor(tensor, new Int8Array(buffer, 32, 16)), TypeError);
  }
});

test('windows into buffers, detached and resizable ones', async () => {
  const tensor = await context.createTensor(rw);
  const buffer = new ArrayBuffer(24);
  new Float32Array(buffer).set([0, 1, 2, 3, 4, 5]);
  context.writeTensor(tensor, new Float32Array(buffer, 4, 4));
  assert.deepEqual(await floats(tensor), [1, 2, 3, 4]);
  await context.readTensor(tensor, new Uint8Array(buffer, 8, 16));
  assert.deepEqual([...new Float32Array(buffer)], [0, 1, 1, 2, 3, 4]);
  const gone = new ArrayBuffer(16), view = new Float32Array(gone);
  structuredClone(gone, { transfer: [gone] });
  for (const source of [gone, view]) {
    assert.throws(() => context.writeTensor(tensor, source), TypeError);
    await assert.rejects(context.readTensor(tensor, source), TypeError);
    await assert.rejects(context.createConstantTensor(desc, source), TypeError);
    assert.throws(() => new MLGraphBuilder(context).constant(desc, source), TypeError);
  }
  // Detached while the read is under way.
  const target = new ArrayBuffer(16), targetView = new Float32Array(target);
  const reads = [context.readTensor(tensor, target), context.readTensor(tensor, targetView)];
  structuredClone(target, { transfer: [target] });
  for (const read of reads) await assert.rejects(read, TypeError);
  if (ArrayBuffer.prototype.resize) {
    const resizable = new ArrayBuffer(16, { maxByteLength: 32 });
    new Float32Array(resizable).set([5, 6, 7, 8]);
    context.writeTensor(tensor, resizable);
    assert.deepEqual(await floats(tensor), [5, 6, 7, 8]);
    const read = context.readTensor(tensor, resizable);
    resizable.resize(8);
    await assert.rejects(read, TypeError);
    assert.throws(() => context.writeTensor(tensor, resizable), TypeError);
    const growing = new SharedArrayBuffer(16, { maxByteLength: 32 });
    context.writeTensor(tensor, growing);
    assert.deepEqual(await floats(tensor), [0, 0, 0, 0]);
  }
});

test('writeTensor copies at the call, reads are snapshots in order', async () => {
  const tensor = await context.createTensor(rw), data = new Float32Array([1, 2, 3, 4]);
  context.writeTensor(tensor, data);
  const first = floats(tensor);
  data.fill(7);
  context.writeTensor(tensor, data);
  const second = floats(tensor);
  data.fill(0);
  assert.deepEqual(await Promise.all([first, second]), [[1, 2, 3, 4], [7, 7, 7, 7]]);
  assert.equal(context.writeTensor(tensor, data), undefined);
});

test('readTensor chooses its form by the number of arguments', async () => {
  const tensor = await context.createTensor(rw);
  assert.ok(await context.readTensor(tensor) instanceof ArrayBuffer);
  await assert.rejects(context.readTensor(tensor, undefined), TypeError);
  assert.notEqual(await context.readTensor(tensor), await context.readTensor(tensor));
});

test('flags, foreign and destroyed tensors', async () => {
  const plain = await context.createTensor(desc), data = new Float32Array(4);
  assert.throws(() => context.writeTensor(plain, data), TypeError);
  await assert.rejects(context.readTensor(plain), TypeError);
  const foreign = await other.createTensor(rw);
  assert.throws(() => context.writeTensor(foreign, data), TypeError);
  await assert.rejects(context.readTensor(foreign), TypeError);
  await assert.rejects(context.readTensor(foreign, data), TypeError);
  const tensor = await context.createTensor(rw);
  const pending = [context.readTensor(tensor), context.readTensor(tensor, data)];
  assert.equal(tensor.destroy(), undefined);
  tensor.destroy();
  for (const read of pending) await assert.rejects(read, isDom('InvalidStateError'));
  assert.throws(() => context.writeTensor(tensor, data), TypeError);
  await assert.rejects(context.readTensor(tensor), TypeError);
  assert.deepEqual([tensor.dataType, tensor.shape, tensor.readable], ['float32', [2, 2], true]);
});

test('reads behind a long computation are cut off by destroy, and by loss', async () => {
  const c = await ml.createContext(), builder = new MLGraphBuilder(c), big = { dataType: 'float32', shape: [512, 512] };
  let y = builder.input('x', big);
  const w = y;
  for (let i = 0; i < 30; i++) y = builder.matmul(y, w);
  const graph = await builder.build({ y });
  const x = await c.createTensor(big), out = await c.createTensor({ ...big, readable: true }), late = await c.createTensor(rw);
  c.dispatch(graph, { x }, { y: out });
  const reads = [c.readTensor(out), c.readTensor(out, new Float32Array(512 * 512))];
  out.destroy();
  for (const read of reads) await assert.rejects(read, ise);
  c.dispatch(graph, { x }, { y: await c.createTensor(big) });
  const cut = [c.readTensor(late), c.createTensor(desc), c.createConstantTensor(desc, new Float32Array(4)), relu(c)];
  c.destroy();
  for (const promise of cut) await assert.rejects(promise, ise);
});

// ---- dispatch ----

test('dispatch checks in order', async () => {
  const builder = new MLGraphBuilder(context);
  const a = builder.input('a', desc), b = builder.input('b', desc), unused = builder.input('unused', desc);
  const graph = await builder.build({ sum: builder.add(a, b), difference: builder.sub(a, b) });
  const make = () => context.createTensor(rw);
  const [ta, tb, ts, td, extra] = await Promise.all([make(), make(), make(), make(), make()]);
  context.writeTensor(ta, new Float32Array([1, 2, 3, 4]));
  context.writeTensor(tb, new Float32Array([10, 20, 30, 40]));
  const inputs = { a: ta, b: tb }, outputs = { sum: ts, difference: td };
  assert.equal(context.dispatch(graph, inputs, outputs), undefined);
  assert.deepEqual([await floats(ts), await floats(td)], [[11, 22, 33, 44], [-9, -18, -27, -36]]);
  context.dispatch(graph, { b: tb, a: ta }, { difference: td, sum: ts }); // any order of the names
  assert.deepEqual(await floats(td), [-9, -18, -27, -36]);
  const fails = (i, o, g = graph, c = context, error = TypeError) => assert.throws(() => c.dispatch(g, i, o), error);
  const wrongShape = await context.createTensor({ ...rw, shape: [4] }), wrongType = await context.createTensor({ ...rw, dataType: 'int32' });
  const constant = await context.createConstantTensor(desc, new Float32Array(4)), foreign = await other.createTensor(rw);
  for (const bad of [wrongShape, wrongType, constant, foreign, tb, ts, null, undefined, {}, 1, Promise.resolve(extra)]) {
    fails({ a: bad, b: tb }, outputs);
    fails(inputs, { sum: ts, difference: bad === tb || bad === ts ? ts : bad });
  }
  for (const bad of [{}, { a: ta }, { ...inputs, c: extra }, { a: ta, B: tb }, { ...inputs, unused: extra }, 1, null, undefined, 'x', [ta, tb]]) fails(bad, outputs);
  for (const bad of [{}, { sum: ts }, { ...outputs, more: extra }, { sum: ts, Difference: td }]) fails(inputs, bad);
  fails(inputs, { sum: ta, difference: td });
  fails({ ...inputs, [Symbol('x')]: extra }, outputs);
  Object.defineProperty(inputs, 'hidden', { value: 1, enumerable: false });
  context.dispatch(graph, inputs, outputs); // only own enumerable members count
  context.dispatch(graph, Object.assign(Object.create({ inherited: 1 }), inputs), outputs);
  fails(inputs, outputs, await relu(other));
  fails(inputs, outputs, {});
  fails(inputs, outputs, graph, other);
  const gone = await make();
  gone.destroy();
  fails({ a: gone, b: tb }, outputs);
  const order = [];
  const spy = (object, name) => new Proxy(object, { get(target, key) { order.push(`${name}.${String(key)}`); return target[key]; } });
  context.dispatch(graph, spy({ a: ta, b: tb }, 'in'), spy(outputs, 'out'));
  assert.deepEqual(order, ['in.a', 'in.b', 'out.sum', 'out.difference']);
  // A record is read key by key: each is looked for anew, since reading the ones before it can have removed it.
  order.length = 0;
  const log = (name) => (...args) => { order.push(name); return Reflect[name](...args); };
  context.dispatch(graph, new Proxy({ ...inputs }, { ownKeys: log('ownKeys'), getOwnPropertyDescriptor: log('getOwnPropertyDescriptor'), get: log('get') }), outputs);
  assert.deepEqual(order, ['ownKeys', 'getOwnPropertyDescriptor', 'get', 'getOwnPropertyDescriptor', 'get']);
  context.dispatch(graph, { get a() { delete this.c; return ta; }, b: tb, c: extra }, outputs);
  context.dispatch(graph, { get a() { Object.defineProperty(this, 'c', { enumerable: false }); return ta; }, b: tb, c: extra }, outputs);
  graph.destroy();
  graph.destroy();
  fails(inputs, outputs, graph, context, isDom('InvalidStateError'));
  fails({ a: gone }, outputs, graph, context, isDom('InvalidStateError')); // the graph's state comes first
  assert.equal(unused.dataType, 'float32');
});

test('names of any kind', async () => {
  const builder = new MLGraphBuilder(context);
  const names = ['ü', '\0', 'a\0b', 'a\0c', '__proto__', '7', 'toString', '😀', ' '];
  const inputs = names.map((name) => builder.input(name, desc));
  assert.throws(() => builder.input('a\0b', desc), TypeError);
  assert.throws(() => builder.input('', desc), TypeError);
  builder.input('\ud800', desc);
  assert.throws(() => builder.input('\ufffd', desc), TypeError); // the same USVString
  const one = new MLGraphBuilder(context), doubled = one.input('x', desc);
  const merged = await one.build({ '\ud800': one.neg(doubled), b: one.abs(doubled), '\udfff': one.relu(doubled) });
  const [from, first, second] = await Promise.all([1, 2, 3].map(() => context.createTensor(rw)));
  context.writeTensor(from, new Float32Array([-1, 1, -1, 1]));
  context.dispatch(merged, { x: from }, { '\ufffd': first, b: second });
  assert.deepEqual([await floats(first), await floats(second)], [[0, 1, 0, 1], [1, 1, 1, 1]]);
  const record = (values) => Object.fromEntries(names.map((name, i) => [name, values[i]]));
  const own = (values) => { // also for __proto__
    const object = {};
    names.forEach((name, i) => Object.defineProperty(object, name, { value: values[i], enumerable: true }));
    return object;
  };
  assert.equal(Object.keys(record(inputs)).length, names.length);
  const graph = await builder.build(own(inputs.map((x) => builder.neg(x))));
  const make = () => Promise.all(names.map(() => context.createTensor(rw)));
  const ins = await make(), outs = await make();
  ins.forEach((tensor, i) => context.writeTensor(tensor, new Float32Array(4).fill(i + 1)));
  context.dispatch(graph, own(ins), own(outs));
  for (let i = 0; i < names.length; i++) assert.deepEqual(await floats(outs[i]), new Array(4).fill(-i - 1), JSON.stringify(names[i]));
});

// ---- Builders ----

test('input and constant check in order', async () => {
  const builder = new MLGraphBuilder(context);
  for (const name of [undefined, null, 12, {}]) builder.input(name, desc);
  assert.throws(() => builder.input(Symbol('x'), desc), TypeError);
  assert.throws(() => builder.input('12', desc), TypeError);
  for (const wrong of [undefined, null, {}, { dataType: 'float32' }, { dataType: 'float32', shape: [0] }, 3]) {
    assert.throws(() => builder.input('y', wrong), TypeError);
    assert.throws(() => builder.constant(wrong, new Float32Array(1)), TypeError);
  }
  const data = new Float32Array([1, 2, 3, 4]);
  const c = builder.constant(desc, data);
  data.fill(0);
  const { y } = await compute(context, builder, { y: builder.identity(c) });
  assert.deepEqual(decode('float32', y), [1, 2, 3, 4]);
  // Spent: state first, except for constant(tensor).
  assert.throws(() => builder.input('', desc), isDom('InvalidStateError'));
  assert.throws(() => builder.constant({ dataType: 'float32', shape: [0] }, new Float32Array(1)), isDom('InvalidStateError'));
  assert.throws(() => builder.constant(desc, new Int32Array(4)), isDom('InvalidStateError'));
  assert.throws(() => builder.constant('float32', 1), isDom('InvalidStateError'));
  assert.throws(() => builder.constant(await_foreign), TypeError);
  assert.throws(() => builder.relu(new MLGraphBuilder(context).input('x', desc)), isDom('InvalidStateError'));
});
const await_foreign = await other.createConstantTensor(desc, new Float32Array(4));

test('constant chooses its form by the first argument', async () => {
  const builder = new MLGraphBuilder(context);
  const tensor = await context.createConstantTensor(desc, new Float32Array(4)), plain = await context.createTensor(rw);
  assert.deepEqual(builder.constant(tensor).shape, [2, 2]);
  for (const wrong of [plain, await_foreign, {}, 'float32', undefined, null, 1]) assert.throws(() => builder.constant(wrong), TypeError);
  tensor.destroy();
  assert.throws(() => builder.constant(tensor), TypeError);
  assert.deepEqual(builder.constant('int8', 3).shape, []);
  for (const wrong of ['float64', 1, true]) assert.throws(() => builder.constant(wrong, 1), TypeError);
  for (const wrong of [null, undefined, {}]) assert.throws(() => builder.constant(wrong, new Float32Array(4)), TypeError);
  assert.deepEqual(builder.constant(plain, new Float32Array(4)).shape, [2, 2]); // any object with the members will do
  assert.throws(() => builder.constant('float32', Symbol('x')), TypeError);
  assert.throws(() => builder.constant(desc, 1), TypeError);
  assert.throws(() => builder.constant(desc, undefined), TypeError);
});

test('numbers become elements exactly', async () => {
  const big = 2n ** 53n + 1n;
  const cases = {
    int8: [[3.7, 4], [2.5, 2], [-1.5, -2], [300, 127], [-Infinity, -128], [NaN, 0], [-0, 0], [-129n, -128], [2n ** 100n, 127], ['5', 5], [true, 1], [null, 0]],
    uint8: [[-1, 0], [255.5, 255], [254.5, 254], [-(2n ** 70n), 0]],
    int32: [[2 ** 31, 2 ** 31 - 1], [-(2 ** 31) - 5, -(2 ** 31)]],
    uint32: [[4000000000, 4000000000], [-1, 0], [2 ** 40, 4294967295]],
    int64: [[big, big], [2n ** 63n, 2n ** 63n - 1n], [-(2n ** 63n), -(2n ** 63n)], [-(2n ** 63n) - 1n, -(2n ** 63n)], [1e30, 2n ** 63n - 1n], [2n ** 200n, 2n ** 63n - 1n]],
    uint64: [[2n ** 64n - 1n, 2n ** 64n - 1n], [2n ** 64n, 2n ** 64n - 1n], [-1n, 0n], [-(2n ** 100n), 0n], [1e30, 2n ** 64n - 1n]],
    float32: [[0.1, Math.fround(0.1)], [NaN, NaN], [-Infinity, -Infinity], [-0, -0], [1e39, Infinity], [big, 2 ** 53], [2n ** 100n, 2 ** 100],
      [2n ** 24n + 1n, 2 ** 24], [2n ** 24n + 3n, 2 ** 24 + 4], [2n ** 90n + 2n ** 66n + 1n, 2 ** 90 + 2 ** 67], [2n ** 90n + 2n ** 66n, 2 ** 90],
      [2n ** 128n, Infinity], [2n ** 128n - 2n ** 103n - 1n, 3.4028234663852886e38], [2n ** 128n - 2n ** 103n, Infinity], [-(2n ** 5000n), -Infinity],
      [{ valueOf: () => 7n }, 7], [Object(3n), 3], ['0x10', 16]],
    float16: [[65519.99, 65504], [65520, Infinity], [1e-8, 0], [-1e-8, -0], [65519n, 65504], [65520n, Infinity], [2 ** -24, 2 ** -24], [2049, 2048], [2051n, 2052]],
  };
  for (const [dataType, list] of Object.entries(cases)) {
    const builder = new MLGraphBuilder(context);
    const outputs = Object.fromEntries(list.map(([value], i) => [`y${i}`, builder.identity(builder.constant(dataType, value))]));
    const result = await compute(context, builder, outputs);
    list.forEach(([value, expected], i) => {
      const [actual] = decode(dataType, result[`y${i}`]);
      assert.ok(Object.is(actual, expected), `${dataType} of ${typeof value === 'object' ? 'object' : String(value)} is ${actual}, expected ${expected}`);
    });
  }
  const builder = new MLGraphBuilder(context), x = builder.input('x', { dataType: 'int64', shape: [3] });
  const { y } = await compute(context, builder, { y: builder.clamp(x, { minValue: -big, maxValue: big }) },
    { x: { dataType: 'int64', shape: [3], data: BigInt64Array.of(-big - 5n, 1n, big + 5n) } });
  assert.deepEqual(decode('int64', y), [-big, 1n, big]);
});

test('operations: ownership, state, labels in messages', async () => {
  const builder = new MLGraphBuilder(context), x = builder.input('x', desc);
  const stranger = new MLGraphBuilder(context).input('x', desc);
  assert.throws(() => builder.add(x, stranger), TypeError);
  assert.throws(() => builder.concat([x, stranger], 0), TypeError);
  assert.throws(() => builder.gemm(x, x, { c: stranger }), TypeError);
  const label = 'stem/\u202econv\n\0 ü';
  assert.throws(() => builder.reshape(x, [5], { label: 'my_label' }), { name: 'TypeError', message: /\[my_label\]/ });
  assert.throws(() => builder.reshape(x, [5], { label }), (error) => !/[\u202e\n\0]/.test(error.message) && error.message.includes('ü'));
  assert.equal(builder.concat(new Set([x, builder.relu(x)]), 0).shape[0], 4);
  assert.throws(() => builder.concat([], 0), TypeError);
  assert.equal(builder.split(x, [1, 1]).length, 2);
  assert.equal(builder.split(x, 2)[1].shape[0], 1);
  assert.throws(() => builder.split(x, 3), TypeError);
  assert.throws(() => builder.split(x, 2 ** 32 - 1), TypeError);
  assert.deepEqual(builder.transpose(x).shape, [2, 2]);
  assert.deepEqual(builder.reduceSum(x, { axes: [] }).shape, [2, 2]);
  assert.deepEqual(builder.reduceSum(x, { axes: undefined }).shape, []);
  assert.deepEqual(builder.tile(x, [2 ** 32 + 1, 2]).shape, [2, 4]);
});

test('the former name of the rounding of pooling', () => {
  const builder = new MLGraphBuilder(context), x = builder.input('x', { dataType: 'float32', shape: [1, 1, 3, 3] });
  const pool = (more) => builder.maxPool2d(x, { windowDimensions: [2, 2], strides: [2, 2], ...more }).shape;
  assert.deepEqual(pool({}), [1, 1, 1, 1]);
  assert.deepEqual(pool({ outputShapeRounding: 'ceil' }), [1, 1, 2, 2]);
  assert.deepEqual(pool({ roundingType: 'ceil' }), [1, 1, 2, 2]);
  assert.deepEqual(pool({ roundingType: 'ceil', outputShapeRounding: 'floor' }), [1, 1, 1, 1]);
});

test('build checks in order', async () => {
  const builder = new MLGraphBuilder(context), x = builder.input('x', desc), y = builder.relu(x);
  const stranger = new MLGraphBuilder(context);
  const foreign = stranger.relu(stranger.input('x', desc));
  for (const wrong of [undefined, null, 1, {}, [], { '': y }, { y: foreign }, { y: x }, { y: builder.constant('float32', 1) }, { y: null }, { y, z: 1 },
    { y, [Symbol('x')]: y }])
    await assert.rejects(builder.build(wrong), TypeError);
  const constant = await context.createConstantTensor(desc, new Float32Array(4));
  const sum = builder.add(y, builder.constant(constant));
  constant.destroy();
  await assert.rejects(builder.build({ sum }), TypeError);
  const graph = await builder.build({ one: y, two: y }); // the failures left the builder usable
  assert.ok(graph instanceof MLGraph);
  await assert.rejects(builder.build({ y }), isDom('InvalidStateError'));
  assert.throws(() => builder.relu(x), isDom('InvalidStateError'));
  const tensors = await Promise.all([1, 2, 3].map(() => context.createTensor(rw)));
  context.writeTensor(tensors[0], new Float32Array([-1, 2, -3, 4]));
  context.dispatch(graph, { x: tensors[0] }, { one: tensors[1], two: tensors[2] });
  assert.deepEqual(await floats(tensors[2]), [0, 2, 0, 4]);
});

test('a graph keeps its weights', async () => {
  const constant = await context.createConstantTensor(desc, new Float32Array([1, 2, 3, 4]));
  const builder = new MLGraphBuilder(context);
  const graph = await builder.build({ y: builder.add(builder.constant(constant), builder.input('x', desc)) });
  constant.destroy();
  const x = await context.createTensor(rw), y = await context.createTensor(rw);
  context.dispatch(graph, { x }, { y });
  assert.deepEqual(await floats(y), [1, 2, 3, 4]);
});

// ---- The end of a context ----

test('destroy and what follows', async () => {
  const c = await ml.createContext();
  assert.equal(c.lost, c.lost);
  let settled = false;
  c.lost.then(() => { settled = true; });
  await turn();
  assert.equal(settled, false);
  const tensor = await c.createTensor(rw), out = await c.createTensor(rw), graph = await relu(c), builder = new MLGraphBuilder(c);
  const constant = await c.createConstantTensor(desc, new Float32Array(4));
  const x = builder.input('x', desc);
  const pending = [c.createTensor(desc), c.readTensor(tensor), builder.build({ y: builder.relu(x) })];
  const late = new MLGraphBuilder(c), operand = late.input('x', desc);
  assert.equal(c.destroy(), undefined);
  assert.equal(c.destroy(), undefined);
  const info = await c.lost;
  assert.deepEqual(Object.keys(info), ['message']);
  assert.match(info.message, /destroy/);
  for (const promise of pending) await assert.rejects(promise, isDom('InvalidStateError'));
  await assert.rejects(c.createTensor(desc), isDom('InvalidStateError'));
  await assert.rejects(c.createConstantTensor(desc, new Float32Array(4)), isDom('InvalidStateError'));
  await assert.rejects(c.createConstantTensor(desc, new Int32Array(4)), isDom('InvalidStateError'));
  await assert.rejects(c.readTensor(tensor), TypeError);
  assert.throws(() => c.writeTensor(tensor, new Float32Array(4)), TypeError);
  assert.throws(() => c.dispatch(graph, { x: tensor }, { y: out }), isDom('InvalidStateError'));
  assert.throws(() => new MLGraphBuilder(c), isDom('InvalidStateError'));
  assert.throws(() => late.relu(operand), isDom('InvalidStateError'));
  assert.throws(() => late.input('y', desc), isDom('InvalidStateError'));
  assert.throws(() => late.constant('float32', 1), isDom('InvalidStateError'));
  assert.throws(() => late.constant(constant), TypeError);
  await assert.rejects(late.build({ y: operand }), isDom('InvalidStateError'));
  assert.ok(c.opSupportLimits().add);
  assert.equal(c.accelerated, true);
  tensor.destroy();
  graph.destroy();
});

test('lost settles before the promises that a loss cuts off', async () => {
  const c = await ml.createContext(), tensor = await c.createTensor(rw), order = [];
  const all = [c.readTensor(tensor), c.createTensor(desc)].map((promise, i) => promise.catch(() => { order.push(i); }));
  all.push(c.lost.then(() => { order.push('lost'); }));
  c.destroy();
  await Promise.all(all);
  assert.equal(order[0], 'lost');
});

test('promise reactions never run inside a call', async () => {
  const tensor = await context.createTensor(rw);
  let inside = true;
  const promise = context.readTensor(tensor).then(() => { assert.equal(inside, false); });
  context.lost.then(() => {});
  context.writeTensor(tensor, new Float32Array(4));
  inside = false;
  await promise;
});

test('float16', async () => {
  const builder = new MLGraphBuilder(context), half = { dataType: 'float16', shape: [2] };
  const { y } = await compute(context, builder, { y: builder.add(builder.input('x', half), builder.constant('float16', 0.5)) },
    { x: { ...half, data: new Uint8Array(Uint16Array.of(toHalf(1), toHalf(-2)).buffer) } });
  assert.deepEqual(decode('float16', y), [1.5, -1.5]);
});

// ---- A hostile program ----

test('conversions that destroy and build in the middle of a call', async () => {
  const c = await ml.createContext(), graph = await relu(c);
  const [x, y] = await Promise.all([c.createTensor(rw), c.createTensor(rw)]);
  assert.throws(() => c.dispatch(graph, { x }, { get y() { x.destroy(); return y; } }), TypeError);
  const z = await c.createTensor(rw);
  assert.throws(() => c.dispatch(graph, { x: z }, { get y() { graph.destroy(); return y; } }), isDom('InvalidStateError'));
  let built;
  const builder = new MLGraphBuilder(c), operand = builder.input('x', desc), result = builder.relu(operand);
  await assert.rejects(builder.build({ get y() { built = builder.build({ y: result }); return result; } }), isDom('InvalidStateError'));
  assert.ok(await built instanceof MLGraph);
  const late = new MLGraphBuilder(c), input = late.input('x', desc);
  let last;
  assert.throws(() => late.softmax(input, { valueOf() { last = late.build({ y: late.relu(input) }); return 1; } }), isDom('InvalidStateError'));
  assert.ok(await last instanceof MLGraph);
  await assert.rejects(c.createTensor({ dataType: 'float32', get shape() { c.destroy(); return [1]; } }), isDom('InvalidStateError'));
  // Buffers that go away while the descriptor before them is read.
  const data = new Float32Array(4), descriptor = { dataType: 'float32', get shape() { structuredClone(data, { transfer: [data.buffer] }); return [2, 2]; } };
  await assert.rejects(context.createConstantTensor(descriptor, data), TypeError);
  const again = new MLGraphBuilder(context), bytes = new Float32Array(4);
  assert.throws(() => again.constant({ get dataType() { structuredClone(bytes, { transfer: [bytes.buffer] }); return 'float32'; }, shape: [2, 2] }, bytes), TypeError);
  // Iterators that change what they go through.
  const parts = [again.input('a', desc)];
  assert.equal(again.concat({ * [Symbol.iterator]() { yield* parts; parts.push(1); yield again.relu(parts[0]); } }, 0).shape[0], 4);
  const shape = [{ valueOf() { shape.length = 1; return 4; } }, 9, 9];
  assert.deepEqual(again.reshape(parts[0], shape).shape, [4]);
});

test('objects of other realms', async () => {
  const realm = runInNewContext('({ shape: [2, 2], inputs: {}, data: new Float32Array([1, 2, 3, 4]), buffer: new ArrayBuffer(16), shared: new SharedArrayBuffer(16), axes: new Set([0]) })');
  const tensor = await context.createTensor({ ...rw, shape: realm.shape });
  context.writeTensor(tensor, realm.data);
  for (const buffer of [realm.buffer, realm.shared]) {
    await context.readTensor(tensor, buffer);
    assert.deepEqual([...new Float32Array(buffer)], [1, 2, 3, 4]);
  }
  const builder = new MLGraphBuilder(context);
  const graph = await builder.build({ y: builder.reduceSum(builder.input('x', desc), { axes: realm.axes }) });
  realm.inputs.x = tensor;
  const y = await context.createTensor({ dataType: 'float32', shape: [2], readable: true });
  context.dispatch(graph, realm.inputs, { y });
  assert.deepEqual(await floats(y), [4, 6]);
});

/** What a program prints that uses the module in a process of its own. */
function printed(source, command) {
  const child = program(`const { ml, MLGraphBuilder } = require(${JSON.stringify(packageFolder)});
    const desc = { dataType: 'float32', shape: [2], readable: true, writable: true }; (async () => {${source}})();`, command);
  assert.equal(child.status, 0, child.stderr);
  return child.stdout.trim();
}

test('globals that a program replaces later, timers above all', () => {
  assert.equal(printed(`
    const context = await ml.createContext(), tensor = await context.createTensor(desc), shared = new SharedArrayBuffer(8);
    for (const name of ['setImmediate', 'setTimeout', 'queueMicrotask', 'Promise', 'Uint8Array', 'ArrayBuffer', 'DOMException'])
      globalThis[name] = function () { throw new Error(name); };
    for (let i = 0; i < 100; i++) await context.readTensor(tensor, shared);
    const failures = [await context.readTensor(1).catch((error) => error.name)];
    context.destroy();
    failures.push(await context.createTensor(desc).catch((error) => error.name));
    console.log((await ml.createContext()) !== context, ...failures);`), 'true TypeError InvalidStateError');
});

test('copies of the module in one process keep apart', { skip: existsSync(addon) ? false : 'there is no prebuilt addon (make node)' }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'webnn-copy-'));
  try {
    cpSync(join(packageFolder, 'node'), join(folder, 'node'), { recursive: true });
    copyFileSync(addon, join(folder, 'copy.node'));
    assert.equal(printed(`
      process.env.WEBNN_NODE_ADDON = ${JSON.stringify(join(folder, 'copy.node'))};
      const copy = require(${JSON.stringify(join(folder, 'node', 'index.js'))});
      const context = await ml.createContext(), other = await copy.ml.createContext(), tensor = await other.createTensor(desc);
      const failures = [await context.readTensor(tensor).catch((error) => error.message)];
      try { new MLGraphBuilder(other); } catch (error) { failures.push(error.message); }
      console.log(failures.join(' '));`),
    "Failed to execute 'readTensor' on 'MLContext': tensor: The value is not of type 'MLTensor'. " +
      "Failed to construct 'MLGraphBuilder': context: The value is not of type 'MLContext'.");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('memory that is short rejects and does not end the process', { skip: instrumented }, () => {
  assert.equal(printed(`
    const context = await ml.createContext(), tensor = await context.createTensor({ dataType: 'int8', shape: [2 ** 31 - 1], readable: true });
    console.log(await context.readTensor(tensor).catch((error) => error.name));`, ['sh', '-c', 'ulimit -v 4300000; exec "$0" "$@"', process.execPath]), 'UnknownError');
});
