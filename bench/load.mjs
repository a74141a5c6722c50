// Time from nothing to the first result, and peak memory: fresh processes of ours and of the peer through their JavaScript
// APIs, in turns.
//
//   node bench/load.mjs [--rounds N] [--only PART,...] [--build DIR]
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { prepare, root, works } from './models.mjs';

const self = fileURLToPath(import.meta.url);
const types = { float32: Float32Array, int64: BigInt64Array, int32: Int32Array, uint8: Uint8Array, int8: Int8Array };

function fill({ type, dims, fill: how }) {
  const array = new types[type](dims.reduce((a, b) => a * b, 1));
  const whole = type === 'int64' ? BigInt : Number;
  if (how.startsWith('value:')) return array.fill(whole(how.slice(6)));
  if (how !== 'uniform') return array.fill(whole(how === 'one' || how === 'ones' ? 1 : 0));
  for (let i = 0; i < array.length; i++) array[i] = type === 'float32' ? ((i * 7919) % 1000) / 500 - 1 : whole((i * 7919) % 100);
  return array;
}

async function child(engine, work, build) {
  const inputs = work.inputs.map((t) => ({ ...t, data: fill(t) }));
  const start = performance.now();
  if (engine === 'ours') {
    const { loadModel } = await import('../node/onnx.mjs');
    const shapes = Object.fromEntries(inputs.map((t) => [t.name, t.dims]));
    const model = await loadModel(work.file, { shapes });
    await model.run(Object.fromEntries(inputs.map((t) => [t.name, { dataType: t.type, shape: t.dims, data: t.data }])));
  } else {
    const require = createRequire([join(root, 'package.json'), join(build, 'peers/package.json')].find((p) => existsSync(join(p, '../node_modules/onnxruntime-node'))));
    const ort = require('onnxruntime-node');
    const session = await ort.InferenceSession.create(work.file);
    await session.run(Object.fromEntries(inputs.map((t) => [t.name, new ort.Tensor(t.type, t.data, t.dims)])));
  }
  const ms = performance.now() - start;
  const kb = Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1]);
  console.log(JSON.stringify({ ms, mb: kb / 1024 }));
}

const o = { rounds: 3, only: null, build: join(root, 'build'), child: null };
for (let i = 2; i < process.argv.length; i += 2) {
  const [name, value] = process.argv.slice(i, i + 2);
  o[name.slice(2)] = name === '--only' ? value.split(',') : name === '--rounds' ? Number(value) : value;
}
const chosen = works().filter((work) => work.kind !== 'operation' && (!o.only || o.only.some((part) => work.name.includes(part))));
if (o.child) {
  const [engine, name] = o.child.split(':');
  await child(engine, prepare(chosen.find((work) => work.name === name)), o.build);
} else {
  console.log('| work | ours ms | peer ms | ratio | ours MB | peer MB | share |\n|---|---|---|---|---|---|---|');
  for (const { name } of chosen) {
    const best = { ours: { ms: Infinity, mb: Infinity }, peer: { ms: Infinity, mb: Infinity } };
    for (let round = 0; round < o.rounds; round++) {
      for (const engine of ['ours', 'peer']) {
        const args = [self, '--child', `${engine}:${name}`, '--only', name, '--build', o.build];
        const env = { ...process.env, WEBNN_NODE_ADDON: process.env.WEBNN_NODE_ADDON ?? join(o.build, 'node/webnn.node') };
        const { stdout, stderr, status } = spawnSync(process.execPath, args, { encoding: 'utf8', env });
        if (status) throw new Error(`${engine} ${name}: ${stderr}`);
        const { ms, mb } = JSON.parse(stdout.trim().split('\n').pop());
        best[engine] = { ms: Math.min(best[engine].ms, ms), mb: Math.min(best[engine].mb, mb) };
      }
    }
    const { ours, peer } = best;
    const row = [ours.ms.toFixed(0), peer.ms.toFixed(0), (peer.ms / ours.ms).toFixed(1), ours.mb.toFixed(0), peer.mb.toFixed(0), (ours.mb / peer.mb).toFixed(2)];
    console.log(`| ${name} | ${row.join(' | ')} |`);
  }
}
