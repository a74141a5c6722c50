// What the tests share: the module under test, data outside the checkout, small helpers.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

export const root = fileURLToPath(new URL('../../', import.meta.url));
/** The module: of the checkout, or of WEBNN_MODULE, the folder of an installed package. */
export const packageFolder = resolve(process.env.WEBNN_MODULE ?? root);
export const load = (file) => import(pathToFileURL(resolve(packageFolder, 'node', file)));
export const webnn = await load('index.mjs');
export const commonjs = createRequire(import.meta.url)(packageFolder);
/** The addon that a release has, or the one to be tested in its place. */
export const addon = process.env.WEBNN_NODE_ADDON || resolve(packageFolder, 'node/prebuilt', `${process.platform}-${process.arch}.node`);
/** Why a test of memory or time is left out: sanitizers take more of both. */
export const instrumented = process.env.LD_PRELOAD?.includes('libasan') ? 'the addon is instrumented' : false;

/** The folder of test data, or null with a message. */
export function shared(part) {
  const folder = resolve(root, process.env.WEBNN_SHARED ?? '../shared', part);
  if (existsSync(folder)) return folder;
  console.log('skipped: ../shared is missing');
  return null;
}

// ---- Elements ----

const Float16 = globalThis.Float16Array;
export const arrays = {
  float32: Float32Array, float16: Float16 ?? Uint16Array, int32: Int32Array, uint32: Uint32Array,
  int64: BigInt64Array, uint64: BigUint64Array, int8: Int8Array, uint8: Uint8Array,
};

const scratch = new DataView(new ArrayBuffer(8));
/** Bits of the float16 nearest to a number, ties to even. */
export function toHalf(value) {
  if (Number.isNaN(value)) return 0x7e00;
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0;
  const x = Math.abs(value);
  if (x === 0) return sign;
  if (x >= 65520) return sign | 0x7c00;
  const exponent = Math.max(Math.floor(Math.log2(x || 1)), -14);
  for (const e of [exponent - 1, exponent, exponent + 1]) {
    if (e < -14 || x >= 2 ** (e + 1)) continue;
    const units = x / 2 ** (e - 10); // exact
    let n = Math.floor(units);
    if (units - n > 0.5 || (units - n === 0.5 && n % 2)) n++;
    if (e === -14) return sign | n; // subnormals, and the first of the normal numbers
    return sign | (((e + 15) << 10) + (n - 1024));
  }
  throw new Error(`no float16 for ${value}`);
}
export function fromHalf(bits) {
  const sign = bits & 0x8000 ? -1 : 1, exponent = (bits >> 10) & 31, fraction = bits & 1023;
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  return sign * (exponent ? (1024 + fraction) * 2 ** (exponent - 25) : fraction * 2 ** -24);
}
export const floatBits = (value) => { scratch.setFloat32(0, value); return scratch.getUint32(0); };

/** Numbers of JSON vectors, where some are strings. */
export const number = (value) => (typeof value !== 'string' ? value
  : /^-?\d+$/.test(value) && value !== '-0' ? BigInt(value) : Number(value));

/** A typed array of a data type from JSON numbers. */
export function encode(dataType, data) {
  const values = data.map(number);
  if (dataType === 'float16') {
    const bits = Uint16Array.from(values, toHalf);
    return Float16 ? new Float16(bits.buffer) : bits;
  }
  if (dataType === 'int64' || dataType === 'uint64') return arrays[dataType].from(values, BigInt);
  return arrays[dataType].from(values, Number);
}

/** Reads an ArrayBuffer as numbers (bigints for 64-bit types). */
export function decode(dataType, buffer) {
  if (dataType === 'float16') return Array.from(new Uint16Array(buffer), fromHalf);
  return Array.from(new arrays[dataType](buffer));
}

export const size = (shape) => shape.reduce((a, b) => a * b, 1);
/** Builds outputs, runs them once on inputs {name: typed array}, gives back {name: ArrayBuffer}. */
export async function compute(context, builder, outputs, inputs = {}) {
  const graph = await builder.build(outputs);
  const bind = async (entries, options, fill) => Object.fromEntries(await Promise.all(entries.map(async ([name, value]) => {
    const tensor = await context.createTensor({ dataType: value.dataType, shape: value.shape, ...options });
    if (fill) context.writeTensor(tensor, value.data);
    return [name, tensor];
  })));
  const ins = await bind(Object.entries(inputs), { writable: true }, true);
  const outs = await bind(Object.entries(outputs), { readable: true }, false);
  context.dispatch(graph, ins, outs);
  const result = {};
  for (const [name, tensor] of Object.entries(outs)) result[name] = await context.readTensor(tensor);
  for (const tensor of [...Object.values(ins), ...Object.values(outs)]) tensor.destroy();
  graph.destroy();
  return result;
}

/** Runs a program in a process of its own. The time limit is for what hangs, not for what is slow. */
export const program = (source, command = [process.execPath]) =>
  spawnSync(command[0], [...command.slice(1), '-e', source], { encoding: 'utf8', timeout: 600000 });

export const gc = globalThis.gc ?? null;
export const turn = () => new Promise((done) => setImmediate(done));
