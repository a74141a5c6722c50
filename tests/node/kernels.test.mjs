// Kernel packs: the call form of the cards, every case file, residency, refusals, a hub on the loopback interface.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = resolve(process.env.WEBNN_MODULE ?? root);
const { getKernel, createDevice, runAll, disposeSharedKernelRuntime, KernelTensor } = await import(pathToFileURL(join(folder, 'node/kernels.mjs')));

const name = 'webgpu-kernels/com.microsoft.EmbedLayerNormalization';
const devices = { cpu: await createDevice('cpu', { threads: 2 }) };
let missing = null;
try { devices.webgpu = await createDevice('webgpu'); } catch (error) {
  assert.equal(error.code, 'WNN_NOT_SUPPORTED');
  missing = error.message;
}

const card = () => ({
  inputIdsT: { data: new Int32Array([0, 1]), shape: [1, 2] },
  wordEmbeddingT: { data: new Float32Array([1, 3, 2, 6]), shape: [2, 2] },
  positionEmbeddingT: { data: new Float32Array([0, 0, 1, -1]), shape: [2, 2] },
  gammaT: { data: new Float32Array([1, 1]), shape: [2] },
  betaT: { data: new Float32Array([0, 0]), shape: [2] },
});
const near = (got, want, tolerance = 1e-5) => {
  assert.equal(got.length, want.length);
  want.forEach((w, i) => assert.ok(Number.isNaN(w) ? Number.isNaN(got[i]) : Math.abs(got[i] - w) <= tolerance * Math.max(1, Math.abs(w)), `[${i}] is ${got[i]}, not ${w}`));
};

test('the example of the card', async () => {
  const inputIdsTData = new Int32Array([0, 1]), wordEmbeddingTData = new Float32Array([1, 3, 2, 6]);
  const positionEmbeddingTData = new Float32Array([0, 0, 1, -1]), gammaTData = new Float32Array([1, 1]), betaTData = new Float32Array(2);
  const kernel = await getKernel("webgpu-kernels/com.microsoft.EmbedLayerNormalization", { version: 1 });
  const { outputT } = await kernel({
    inputIdsT: { data: inputIdsTData, shape: [1, 2] },
    wordEmbeddingT: { data: wordEmbeddingTData, shape: [2, 2] },
    positionEmbeddingT: { data: positionEmbeddingTData, shape: [2, 2] },
    gammaT: { data: gammaTData, shape: [2] },
    betaT: { data: betaTData, shape: [2] },
  });
  assert.equal(kernel.opId, 'com.microsoft.EmbedLayerNormalization');
  assert.ok(outputT.data instanceof Float32Array);
  assert.deepEqual(outputT.shape, [1, 2, 2]);
  near(outputT.data, [-1, 1, -1, 1]);
  disposeSharedKernelRuntime();
  assert.equal((await kernel(card())).outputT.dtype, 'float32');
});

// The pack's own cases, through JavaScript.
const cases = JSON.parse(readFileSync(join(root, 'packs/com.microsoft.EmbedLayerNormalization/test.json'))).cases;
const arrays = { float32: Float32Array, int32: Int32Array, int64: BigInt64Array, float16: globalThis.Float16Array };
const fill = (d, count) => d.kind === 'values' ? d.values.map(Number)
  : d.kind === 'fillInt' ? Array.from({ length: count }, (_, i) => ((d.start ?? 0) + i * d.step) % d.modulo)
    : Array.from({ length: count }, (_, i) => (d.scale ?? 1) * (Math.sin(i * (d.sinStep ?? 0)) + Math.cos(i * (d.cosStep ?? 0))));
for (const kind of ['cpu', 'webgpu']) {
  test(`cases of test.json on ${kind}`, { skip: devices[kind] ? false : missing }, async () => {
    const kernel = await getKernel(name, { version: 1, device: devices[kind] });
    for (const one of cases) {
      const all = [...Object.values(one.inputs), ...Object.values(one.outputs ?? {})];
      if (all.some((t) => t.dtype === 'float16' && !arrays.float16)) continue;
      const inputs = Object.fromEntries(Object.entries(one.inputs).map(([key, t]) => {
        const values = fill(t.data, t.shape.reduce((a, b) => a * b, 1));
        return [key, { data: t.dtype === 'int64' ? BigInt64Array.from(values, BigInt) : arrays[t.dtype].from(values), shape: t.shape }];
      }));
      const outputs = Object.fromEntries(Object.keys(one.outputs ?? {}).map((key) => [key, {}]));
      const run = () => kernel(inputs, { attrs: one.attrs, outputs });
      if (one.throws) {
        await assert.rejects(run, (error) => error.message.includes(one.throws) && /^WNN_/.test(error.code), one.name);
        continue;
      }
      const result = await run();
      for (const [key, want] of Object.entries(one.outputs ?? {})) {
        assert.deepEqual(result[key].shape, want.shape, one.name);
        if (want.data) near(Array.from(result[key].data), want.data.values.map(Number), want.tolerance || 1e-12);
      }
    }
  });
}

test('what JavaScript alone can get wrong', async () => {
  const kernel = await getKernel(name, { version: 1, device: devices.cpu });
  const wrong = (change, message) => assert.rejects(kernel({ ...card(), ...change }), (e) => e instanceof TypeError && e.code === 'WNN_TYPE_ERROR' && e.message.includes(message), message);
  await wrong({ gammaT: { data: new Float64Array(2), shape: [2] } }, 'Float64Array');
  await wrong({ gammaT: { data: new Float32Array(3), shape: [2] } }, '3 elements');
  await wrong({ gammaT: { data: new Float32Array(2), shape: [-2] } }, 'shape');
  await wrong({ gammaT: { data: [1, 1], shape: [2] } }, 'gammaT');
  await wrong({ gammaT: new Float32Array(2) }, 'gammaT');
  await wrong({ other: 3 }, 'other');
  await wrong({ inputIdsT: { data: new BigInt64Array(2), shape: [1, 2] } }, 'int64');
  await wrong({ inputIdsT: { data: new Uint32Array(2), shape: [1, 2] } }, 'inputIdsT');
  await assert.rejects(kernel(card(), { outputs: { nothing: {} } }), /unknown output/);
  await assert.rejects(kernel(card(), { output: 'disk' }), /output must be/);
  for (const threads of [-1, 0.5, NaN, 2 ** 32, '2']) await assert.rejects(createDevice('cpu', { threads }), /threads/);
  await assert.rejects(getKernel(name), /version/);
  await assert.rejects(getKernel(name, { version: -1 }), /version/);
  await assert.rejects(getKernel('someone/ai.onnx.Add', { version: 1 }), /trust/);
  await assert.rejects(getKernel('webgpu-kernels/ai.onnx.Add', { version: 1 }), (e) => e.code === 'WNN_IO_ERROR');
});

test('strict', async () => {
  const kernel = await getKernel(name, { version: 1, device: devices.cpu, strict: true });
  const inputs = card();
  inputs.inputIdsT.data[1] = -3;
  await assert.rejects(kernel(inputs), /inputIdsT\[0, 1\] is -3/);
});

for (const kind of ['cpu', 'webgpu']) {
  test(`tensors that stay, many calls at once, on ${kind}`, { skip: devices[kind] ? false : missing }, async () => {
    const kernel = await getKernel(name, { version: 1, device: devices[kind] });
    const table = await kernel.tensor({ data: new Float32Array([1, 3, 2, 6]), shape: [2, 2] });
    await kernel.prewarm({ ...card(), wordEmbeddingT: table });
    const first = await kernel({ ...card(), wordEmbeddingT: table }, { output: 'gpu', outputs: { embeddingSumT: {} } });
    assert.ok(first.outputT instanceof KernelTensor);
    near((await first.embeddingSumT.read()).data, [1, 3, 3, 5]);
    const results = await runAll([[kernel, card(), { outputs: { outputT: first.outputT } }], [kernel, { ...card(), wordEmbeddingT: table }], [kernel, card(), { outputs: { maskIndexT: {} } }]]);
    assert.equal(results[0].outputT, first.outputT);
    near(results[1].outputT.data, [-1, 1, -1, 1]);
    assert.deepEqual([...results[2].maskIndexT.data], [0]);
    first.outputT.destroy();
    await assert.rejects(first.outputT.read(), (e) => e.code === 'WNN_INVALID_STATE');
  });
}

test('bug cases from public reports', (t) => {
  const place = resolve(root, process.env.WEBNN_SHARED ?? '../shared', 'cases');
  if (!existsSync(place)) return t.skip('../shared is missing');
  const ports = ['inputIdsT', 'segmentIdsT', 'wordEmbeddingT', 'positionEmbeddingT', 'segmentEmbeddingT', 'gammaT', 'betaT', 'maskT', 'positionIdsT'];
  return Promise.all(readdirSync(place).filter((file) => /^\d+-embedln/.test(file)).map(async (file) => {
    const one = JSON.parse(readFileSync(join(place, file)));
    const node = one.model.nodes[0];
    const inputs = {};
    node.inputs.forEach((input, i) => {
      const value = one.model.initializers[input] ?? one.feeds[input];
      if (value) inputs[ports[i]] = { data: arrays[value.dataType].from(value.data), shape: value.shape };
    });
    for (const device of Object.values(devices)) {
      const kernel = await getKernel(name, { version: 1, device });
      const result = await kernel(inputs, { attrs: node.attributes, outputs: { maskIndexT: {} } });
      if (one.expected.error) { // ids are clamped into the table; strictly they are refused
        assert.ok(result.outputT.data.every(Number.isFinite));
        const strict = await getKernel(name, { version: 1, device, strict: true });
        await assert.rejects(strict(inputs), /outside its table/);
        continue;
      }
      near(result.outputT.data, one.expected.y.data, one.tolerance.relative + one.tolerance.absolute);
      // the mask index of a pack is the first zero: a count of ones agrees only without holes
      if (one.expected.mask_index) assert.deepEqual([...result.maskIndexT.data], [2, 1]);
    }
  }));
});

// ---- A hub of our own

const commit = '0123456789abcdef0123456789abcdef01234567';
const fixtures = join(root, 'tests/packs/fixtures');
const requests = [];
let spoil = null;
const server = createServer((request, response) => {
  requests.push({ url: request.url, token: request.headers.authorization });
  const match = /^\/(?:kernels\/me\/([\w.]+)\/resolve\/(\w+)|direct\/([\w.]+))\/build\/webgpu\/(.+)$/.exec(request.url);
  const file = match && join(fixtures, match[1] ?? match[3], match[4]);
  if (!match || (match[2] && match[2] !== 'v1' && match[2] !== commit) || !existsSync(file)) return response.writeHead(404).end();
  response.writeHead(200, { 'x-repo-commit': commit });
  response.end(Buffer.concat([readFileSync(file), Buffer.from(spoil === match[4] ? ' ' : '')]));
});
await new Promise((done) => server.listen(0, '127.0.0.1', done));
const hub = `http://127.0.0.1:${server.address().port}`;
const cache = mkdtempSync(join(tmpdir(), 'webnn-kernels-'));
after(() => {
  server.close();
  server.closeAllConnections();
  rmSync(cache, { recursive: true });
});

test('fetching from a hub', async () => {
  const options = { version: 1, hub, token: 'secret', trustRemoteCode: true };
  const kernel = await getKernel('me/com.example.Scale', { ...options, cache });
  assert.equal(kernel.opId, 'com.example.Scale');
  assert.ok(requests[0].url.includes('/resolve/v1/') && requests.slice(1).every((r) => r.url.includes(`/resolve/${commit}/`)), 'files come from one commit');
  assert.ok(requests.every((r) => r.token === 'Bearer secret'));
  spoil = 'scale.wgsl.jinja';
  await assert.rejects(getKernel('me/com.example.Scale', options), (e) => e.code === 'WNN_DATA_ERROR' && e.message.includes('scale.wgsl.jinja'));
  await getKernel('me/com.example.Scale', { ...options, verifyHashes: false });
  spoil = null;
  await assert.rejects(getKernel('me/com.example.Nothing', options), (e) => e.code === 'WNN_IO_ERROR' && e.message.includes('404'));
  // without the hub the cache has it
  const count = requests.length;
  const cached = await getKernel('me/com.example.Scale', { version: 1, cache, trustRemoteCode: true });
  assert.equal(cached.opId, 'com.example.Scale');
  assert.equal(requests.length, count);
  const url = `${hub}/direct/com.example.Scale`;
  await assert.rejects(getKernel(url, { version: 1, trustRemoteCode: true }), /expectedOpId/);
  await assert.rejects(getKernel(url, { version: 1, expectedOpId: 'com.example.Scale' }), /trust/);
  await assert.rejects(getKernel(url, { version: 1, expectedOpId: 'com.example.Other', trustRemoteCode: true }), /com.example.Scale/);
  const direct = await getKernel(url, { version: 1, expectedOpId: 'com.example.Scale', trustRemoteCode: true, device: devices.webgpu ?? 'auto' });
  assert.ok(requests.at(-1).url.startsWith('/direct/') && requests.at(-1).token === undefined);
  if (!devices.webgpu) return;
  const { z } = await direct({ a: { data: new Int8Array([1, -2]), shape: [2] }, b: { data: new Int8Array([5]), shape: [1] }, gain: 3 });
  assert.deepEqual([z.dtype, ...z.data], ['int8', 8, -1]);
});
