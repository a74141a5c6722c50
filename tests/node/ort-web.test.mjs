// A real client: ONNX Runtime Web's WebNN provider gives the golden outputs of real models on top of this module.
// Lists the nodes that it leaves to its own WebAssembly provider, with its reasons.
import test from 'node:test';
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { models } from './golden.mjs';

let missing = false;
try { createRequire(import.meta.url).resolve('onnxruntime-web'); } catch { missing = 'the package onnxruntime-web is not installed'; }
const client = fileURLToPath(new URL('ort-web-client.mjs', import.meta.url));
const only = process.env.WEBNN_MODEL_IDS?.split(',');

for (const { id, file } of models()) {
  if (id.startsWith('derived-') || (only && !only.includes(id))) continue;
  test(id, { skip: missing || (file ? false : 'the model is not fetched') }, () => {
    const child = spawnSync(process.execPath, [client, id], { encoding: 'utf8', timeout: 600000, maxBuffer: 1 << 26 });
    assert.equal(child.status, 0, child.stderr.slice(-2000));
    const report = JSON.parse(child.stdout.trim().split('\n').at(-1));
    const left = report.cases.flatMap((c) => c.left), counts = {};
    for (const type of left) counts[type] = (counts[type] ?? 0) + 1;
    console.log(`# ${id}: ${report.supported} of ${report.nodes} nodes in WebNN, ${report.calls.build} graphs, ${report.calls.dispatch} dispatches; left to wasm: ${
      Object.entries(counts).map(([type, n]) => `${type} x${n}`).join(', ') || 'none'}`);
    for (const reason of new Set(report.cases.flatMap((c) => c.reasons))) console.log(`#   ${reason}`);
    assert.ok(report.calls.dispatch > 0, 'no graph ran in this module');
    assert.ok(report.supported > 0);
  });
}
if (!models().length) test('models', { skip: '../shared is missing' }, () => {});
