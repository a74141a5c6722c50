// A real client: ONNX Runtime Web's WebNN provider gives the golden outputs of real models on top of this module.
// WebAssembly is compiled once, without the optimizing tier: its speed does not matter here.
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

/** Models with `If` whose branches read weights of the graph around them. The provider 1.30 does not find such weights
 * when it makes the graph of a branch, whatever module is below it: a branch with one MatMul fails if its weight is an
 * initializer of the outer graph and works if it is one of the branch. So these models get their weights in place. */
const scoped = new Set(['oww-hey-jarvis', 'silero-vad-legacy']);

/** A case that the API cannot express: the provider asks for a 2 x 2 window over one row, rounded down, so no row is
 * left; ONNX Runtime itself rounds that division towards zero. */
const unfit = { 'ppocr-cls': ['noise-batch2-32x96', /TypeError: \[p2o\.MaxPool\.0\] maxPool2d: The output height is 0/] };

for (const { id, file } of models()) {
  if (id.startsWith('derived-') || (only && !only.includes(id))) continue;
  test(id, { skip: missing || (file ? false : 'the model is not fetched') }, () => {
    const words = [...(scoped.has(id) ? ['--local-initializers'] : []), ...(unfit[id] ? [`--unfit=${unfit[id][0]}`] : [])];
    const child = spawnSync(process.execPath, ['--liftoff-only', client, id, ...words], { encoding: 'utf8', timeout: 600000, maxBuffer: 1 << 26 });
    assert.equal(child.status, 0, child.stderr.split('\\n').filter((line) => !/onnxruntime:/.test(line)).join('\\n').slice(-2000));
    const report = JSON.parse(child.stdout.trim().split('\n').at(-1));
    if (unfit[id]) assert.match(report.unfit, unfit[id][1]);
    // What the provider tells of its choice, for every case anew.
    let nodes = 0, inside = 0;
    for (const [, all, some] of child.stderr.matchAll(/number of nodes in the graph: (\d+) number of nodes supported by WebNN: (\d+)/g)) {
      nodes = Math.max(nodes, Number(all));
      inside = Math.max(inside, Number(some));
    }
    const counts = {};
    for (const [, type] of child.stderr.matchAll(/Operator type: \[(\w+)\] index: \[\d+\] name: \[[^\]]*\] supported: \[0\]/g)) counts[type] = (counts[type] ?? 0) + 1;
    console.log(`# ${id}: ${inside} of ${nodes} nodes in WebNN, ${report.calls.build} graphs, ${report.calls.dispatch} dispatches; left to wasm over all cases: ${
      Object.entries(counts).map(([type, n]) => `${type} x${n}`).join(', ') || 'none'}`);
    const reasons = new Set([...child.stderr.matchAll(/\[V:onnxruntime:[^\]]*\] (?!Operator type|Skipping|Graph transformer|Applying)(.*(?:support|has not shape|must be|should be|only|dynamic|unknown).*)$/gm)].map((m) => m[1].slice(0, 160)));
    for (const reason of [...reasons].slice(0, 8)) console.log(`#   ${reason}`);
    assert.ok(report.calls.dispatch > 0, 'no graph ran in this module');
    assert.ok(inside > 0);
  });
}
if (!models().length) test('models', { skip: '../shared is missing' }, () => {});
