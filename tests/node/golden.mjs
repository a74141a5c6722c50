// Golden outputs of real models: finds the files, makes the inputs of the recipes, compares.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { root, shared, size } from './support.mjs';

/** Where fetch.sh and derive.py of the test data put models: WEBNN_MODELS, or build/models. */
const folder = process.env.WEBNN_MODELS ?? join(root, 'build', 'models');
const golden = shared('models/golden');

function find(model) {
  if (model.derived) {
    const file = join(folder, 'derived', model.derived);
    return existsSync(file) ? file : null;
  }
  const name = model.package.replace('@', '').replace('/', '-');
  for (const base of [join(folder, 'packages'), folder]) {
    const file = join(base, name, model.path);
    if (existsSync(file)) return file;
  }
  return null;
}

/** Models with a file: [{ id, file, cases }]; missing ones have file null. */
export function models() {
  if (!golden) return [];
  return readdirSync(golden).filter((name) => name.endsWith('.json') && name !== 'font5x7.json').sort().map((name) => {
    const { id, model, cases } = JSON.parse(readFileSync(join(golden, name), 'utf8'));
    return { id, file: find(model), name: basename(model.derived ?? model.path), cases };
  });
}

function text(shape, { text: letters, x, y, scale, fg, bg, rot180 }) {
  const font = JSON.parse(readFileSync(join(golden, 'font5x7.json'), 'utf8'));
  const [n, c, h, w] = shape, plane = new Float32Array(h * w).fill(bg);
  [...letters].forEach((letter, i) => font[letter].forEach((row, r) => {
    for (let column = 0; column < 5; column++) {
      if (!(row >> (4 - column) & 1)) continue;
      for (let dy = 0; dy < scale; dy++)
        for (let dx = 0; dx < scale; dx++) plane[(y + r * scale + dy) * w + x + (6 * i + column) * scale + dx] = fg;
    }
  }));
  if (rot180) plane.reverse();
  const data = new Float32Array(n * c * h * w);
  for (let p = 0; p < n * c; p++) data.set(plane, p * h * w);
  return data;
}

/** The input of a step: { dataType, shape, data }. previous: outputs of the step before. */
export function input({ dtype, shape, recipe }, previous) {
  const Type = { float32: Float32Array, int64: BigInt64Array, int32: Int32Array, uint8: Uint8Array, bool: Uint8Array }[dtype];
  const convert = Type === BigInt64Array ? BigInt : Number, count = size(shape);
  let data;
  switch (recipe.kind) {
    case 'const': data = new Type(count).fill(convert(recipe.value)); break;
    case 'list': data = Type.from(recipe.values, convert); break;
    case 'lcg': {
      let x = recipe.seed;
      data = Type.from({ length: count }, () => {
        x = (Math.imul(x, 1664525) + 1013904223) >>> 0;
        return recipe.lo + (recipe.hi - recipe.lo) * (x >>> 8) / 16777216;
      });
      break;
    }
    case 'prev': return previous[recipe.output];
    case 'text5x7': data = text(shape, recipe); break;
    default: throw new Error(`unknown recipe ${recipe.kind}`);
  }
  return { dataType: dtype === 'bool' ? 'uint8' : dtype, shape, data };
}

/** Fails when an output is not the golden one. got: { shape, data }. */
export function compare(name, got, want) {
  if (String(got.shape) !== String(want.shape)) throw new Error(`${name}: shape [${got.shape}], expected [${want.shape}]`);
  const { atol, rtol, share_within_1e_3: share } = want.tolerance;
  const pairs = want.values ? want.values.map((v, i) => [i, v])
    : [...want.samples.index.map((i, k) => [i, want.samples.value[k]]), ...want.top.index.map((i, k) => [i, want.top.value[k]])];
  let near = 0;
  for (const [i, v] of pairs) {
    const value = Number(got.data[i]), off = Math.abs(value - v);
    if (!(off <= atol + rtol * Math.abs(v))) throw new Error(`${name}[${i}] is ${value}, expected ${v} within ${atol}`);
    if (off <= 1e-3) near++;
  }
  if (share && near < share * pairs.length) throw new Error(`${name}: only ${near} of ${pairs.length} elements are within 0.001`);
}
