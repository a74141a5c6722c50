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

/** Models that the provider itself gives up before it has built a graph, with its message. */
const refused = { 'oww-hey-jarvis': /raw_hash_map<>::at/, 'silero-vad-legacy': /raw_hash_map<>::at/ };

/** A case that the API cannot express: the provider asks for a 2 x 2 window over one row, rounded down, so no row is
 * left; ONNX Runtime itself rounds that division towards zero. */
const unfit = { 'ppocr-cls': 'noise-batch2-32x96' };

for (const { id, file } of models()) {
  if (id.startsWith('derived-') || (only && !only.includes(id))) continue;
  test(id, { skip: missing || (file ? false : 'the model is not fetched') }, () => {
    const child = spawnSync(process.execPath, ['--liftoff-only', client, id, unfit[id] ?? ''], { encoding: 'utf8', timeout: 600000, maxBuffer: 1 << 26 });
    if (refused[id]) {
      assert.match(child.stderr, refused[id]);
      console.log(`# ${id}: not taken by the provider: ${child.stderr.match(/^Error: .*ERROR_MESSAGE: (.*)/m)?.[1]}`);
      return;
    }
    assert.equal(child.status, 0, child.stderr.split('\\n').filter((line) => !/onnxruntime:/.test(line)).join('\\n').slice(-2000));
    const report = JSON.parse(child.stdout.trim().split('\n').at(-1));
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
    const reasons = new Set([...child.stderr.matchAll(/\[V:onnxruntime:[^\]]*\] (?!Operator type|Skipping|Graph transformer|Applying)(.*(?:support|must be|should be|only|dynamic|unknown).*)$/gm)].map((m) => m[1].slice(0, 160)));
    for (const reason of [...reasons].slice(0, 8)) console.log(`#   ${reason}`);
    assert.ok(report.calls.dispatch > 0, 'no graph ran in this module');
    assert.ok(inside > 0);
  });
}
if (!models().length) test('models', { skip: '../shared is missing' }, () => {});
