// All JSON vectors of ../shared/wpt through the module.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import assert from 'node:assert/strict';
import { webnn, shared, arrays, encode, number, size, toHalf, fromHalf, floatBits } from './support.mjs';

const { ml, MLGraphBuilder } = webnn;
const folder = shared('wpt');
const disputed = JSON.parse(readFileSync(new URL('../conformance/disputed.json', import.meta.url)));

/** Distance in units of the last place. Infinity: never near. */
function distance(dataType, actual, expected) {
  if (typeof actual === 'bigint') { const d = actual - BigInt(expected); return d < 0n ? -d : d; }
  if (dataType === 'float32') {
    if (Number.isNaN(actual) || Number.isNaN(Number(expected))) return Object.is(actual, Number(expected)) ? 0 : Infinity;
    const order = (v) => { const b = floatBits(v); return b & 0x80000000 ? -(b & 0x7fffffff) : b; };
    return Math.abs(order(actual) - order(Number(expected)));
  }
  if (dataType === 'float16') {
    if (Number.isNaN(actual) || Number.isNaN(expected)) return Object.is(actual, expected) ? 0 : Infinity;
    const a = toHalf(actual), b = toHalf(expected);
    if ((a & 0x7fff) === 0 && (b & 0x7fff) === 0) return 0;
    return (a ^ b) & 0x8000 ? Infinity : Math.abs((a & 0x7fff) - (b & 0x7fff));
  }
  return Math.abs(actual - Number(expected));
}

function check(tensor, tolerance, buffer, name) {
  const { dataType } = tensor;
  const bits = dataType === 'float16' ? new Uint16Array(buffer) : new arrays[dataType](buffer);
  const fill = 'fill' in tensor ? number(tensor.fill) : undefined;
  assert.equal(bits.length, size(tensor.shape), `${name}: number of elements`);
  for (let i = 0; i < bits.length; i++) {
    const actual = dataType === 'float16' ? fromHalf(bits[i]) : bits[i];
    const want = fill ?? number(tensor.data[i]);
    if (actual === want) continue;
    const ok = tolerance.metric === 'ATOL'
      ? Object.is(Number(actual), Number(want)) || Math.abs(Number(actual) - Number(want)) <= tolerance.value
      : distance(dataType, actual, want) <= tolerance.value;
    if (!ok) assert.fail(`${name}[${i}] is ${actual}, expected ${want} within ${tolerance.value} ${tolerance.metric}`);
  }
}

/** Literals of options: strings may stand for numbers. */
function literal(value, operands) {
  if (Array.isArray(value)) return value.map((v) => literal(v, operands));
  if (value && typeof value === 'object') {
    if ('ref' in value) return operands[value.ref];
    return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, literal(v, operands)]));
  }
  return typeof value === 'string' && /^(NaN|-?Infinity|-?\d+)$/.test(value) ? number(value) : value;
}

const data = (tensor) => ('fill' in tensor
  ? new arrays[tensor.dataType](size(tensor.shape)).fill(encode(tensor.dataType, [tensor.fill])[0])
  : encode(tensor.dataType, tensor.data));

async function run(context, vector) {
  const builder = new MLGraphBuilder(context);
  const wrong = disputed[vector.id];
  if (wrong) vector.expected[wrong.output].data[wrong.element] = wrong.value;
  const operands = {}, inputs = {}, outputs = {};
  for (const [name, tensor] of Object.entries(vector.inputs)) {
    const descriptor = { dataType: tensor.dataType, shape: tensor.shape };
    if (tensor.constant) {
      operands[name] = builder.constant(descriptor, data(tensor));
    } else {
      operands[name] = builder.input(name, descriptor);
      inputs[name] = { ...descriptor, data: data(tensor) };
    }
  }
  for (const { name, arguments: list, outputs: names } of vector.operators) {
    const result = builder[name](...list.map((entry) => literal(Object.values(entry)[0], operands)));
    if (Array.isArray(names)) names.forEach((n, i) => { operands[n] = result[i]; });
    else operands[names] = result;
  }
  for (const [name, tensor] of Object.entries(vector.expected)) {
    assert.equal(operands[name].dataType, tensor.dataType, `${name}.dataType`);
    assert.deepEqual([...operands[name].shape], tensor.shape, `${name}.shape`);
    outputs[name] = operands[name];
  }
  // An input that no output depends on must not be given.
  const graph = await builder.build(outputs);
  const ins = {}, outs = {};
  for (const [name, { dataType, shape, data: bytes }] of Object.entries(inputs)) {
    ins[name] = await context.createTensor({ dataType, shape, writable: true });
    context.writeTensor(ins[name], bytes);
  }
  for (const [name, { dataType, shape }] of Object.entries(outputs)) outs[name] = await context.createTensor({ dataType, shape, readable: true });
  context.dispatch(graph, ins, outs);
  for (const [name, tensor] of Object.entries(outs)) check(vector.expected[name], vector.tolerance, await context.readTensor(tensor), name);
  for (const tensor of [...Object.values(ins), ...Object.values(outs)]) tensor.destroy();
  graph.destroy();
}

if (folder) {
  const only = process.env.WEBNN_VECTORS ? new RegExp(process.env.WEBNN_VECTORS) : /./;
  const context = await ml.createContext();
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.json')).sort()) {
    const { cases } = JSON.parse(readFileSync(join(folder, file), 'utf8'));
    for (const vector of cases) {
      if (!only.test(vector.id)) continue;
      test(vector.id, { skip: vector.beyondSpec ? 'beyond the specification' : false }, () => run(context, vector));
    }
  }
} else {
  test('vectors', { skip: '../shared is missing' }, () => {});
}
