// Turns the conformance vectors (JSON) into one flat binary file, so that a program without any library can run them.
//
//   node tests/port/flatten.mjs VECTORS-DIR FILE
//
// All numbers are little-endian. File: "WNNFLAT1", cases until the end of the file. Strings: u32 length, bytes.
//   case:    u32 1, id, u32 metric (0 ULP, 1 ATOL), f64 tolerance, u32 n, n tensors (inputs), u32 n, n operators,
//            u32 n, n tensors (expected)
//   tensor:  name, data type, u32 constant, u32 filled, u32 rank, u32 dims, u32 has exact values, padding to 8 bytes,
//            data (one element when filled), then f64 values before rounding when there are
//   operator: name, u32 n, n settings, u32 n, n output names
//   setting: i32 position (-1: by name), name, value
//   value:   u32 kind: 0 false, 1 true, 2 f64, 3 i64, 4 u64, 5 string, 6 operand (name), 7 list (u32 n, values)
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const disputed = JSON.parse(readFileSync(new URL('../conformance/disputed.json', import.meta.url)));

const chunks = [];
let length = 0;
const put = (buffer) => {
  chunks.push(buffer);
  length += buffer.length;
};
const write = (size, method) => (value) => {
  const b = Buffer.alloc(size);
  b[method](value);
  put(b);
};
const u32 = write(4, 'writeUInt32LE'), i32 = write(4, 'writeInt32LE'), f64 = write(8, 'writeDoubleLE');
const i64 = write(8, 'writeBigInt64LE'), u64 = write(8, 'writeBigUInt64LE');
const string = (value) => {
  const b = Buffer.from(value);
  u32(b.length);
  put(b);
};

const special = { NaN, Infinity, '-Infinity': -Infinity, '-0': -0 };
const number = (v) => (typeof v === 'string' ? special[v] ?? Number(v) : v);
const integer = (v) => (typeof v === 'string' && v in special ? 0n : BigInt(typeof v === 'string' ? v : Math.trunc(v)));

// binary16 with one rounding to nearest even.
function float16(value) {
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0, magnitude = Math.abs(value);
  if (Number.isNaN(value)) return 0x7e00;
  const even = (v) => {
    const floor = Math.floor(v), rest = v - floor;
    return rest > 0.5 || (rest === 0.5 && floor % 2) ? floor + 1 : floor;
  };
  if (magnitude < 2 ** -14) return sign | even(magnitude * 2 ** 24);
  if (magnitude >= 65520) return sign | 0x7c00;
  let exponent = Math.floor(Math.log2(magnitude));
  if (2 ** exponent > magnitude) exponent--;
  if (2 ** (exponent + 1) <= magnitude) exponent++;
  // A fraction that rounds up to the next power of two carries into the exponent.
  return sign | (((exponent + 14) << 10) + even(magnitude * 2 ** (10 - exponent)));
}

const encoders = {
  float32: [4, (b, v, at) => b.writeFloatLE(number(v), at)],
  float16: [2, (b, v, at) => b.writeUInt16LE(float16(number(v)), at)],
  int32: [4, (b, v, at) => b.writeInt32LE(Number(integer(v)), at)],
  uint32: [4, (b, v, at) => b.writeUInt32LE(Number(integer(v)), at)],
  int64: [8, (b, v, at) => b.writeBigInt64LE(integer(v), at)],
  uint64: [8, (b, v, at) => b.writeBigUInt64LE(BigInt.asUintN(64, integer(v)), at)],
  int8: [1, (b, v, at) => b.writeInt8(Number(integer(v)), at)],
  uint8: [1, (b, v, at) => b.writeUInt8(Number(integer(v)), at)],
};

function tensor(name, { dataType, shape, data, fill, constant }, exact) {
  const values = data ?? [fill], [size, encode] = encoders[dataType], bytes = Buffer.alloc(size * values.length);
  values.forEach((v, i) => encode(bytes, v, i * size));
  string(name), string(dataType), u32(constant ? 1 : 0), u32(data ? 0 : 1), u32(shape.length), shape.forEach(u32), u32(exact ? 1 : 0);
  const align = () => put(Buffer.alloc((8 - (length % 8)) % 8));
  align();
  put(bytes);
  if (exact) align(), values.forEach((v) => f64(number(v)));
}

function value(v) {
  if (typeof v === 'boolean') u32(v ? 1 : 0);
  else if (Array.isArray(v)) u32(7), u32(v.length), v.forEach(value);
  else if (typeof v === 'object') u32(6), string(v.ref);
  else if (typeof v === 'number') Number.isSafeInteger(v) && !Object.is(v, -0) ? (u32(3), i64(BigInt(v))) : (u32(2), f64(v));
  else if (v in special) u32(2), f64(special[v]);
  else if (/^-\d+$/.test(v)) u32(3), i64(BigInt(v));
  else if (/^\d+$/.test(v)) u32(4), u64(BigInt(v));
  else u32(5), string(v);
}

function operator({ name, arguments: list, outputs }) {
  const settings = list.flatMap((entry, i) => Object.entries(entry).flatMap(([key, v]) =>
    (key === 'options' ? Object.entries(v).filter(([k]) => k !== 'label').map(([k, item]) => [-1, k, item]) : [[i, key, v]])));
  string(name), u32(settings.length);
  for (const [position, key, v] of settings) i32(position), string(key), value(v);
  const names = [outputs].flat();
  u32(names.length), names.forEach(string);
}

const [folder, target] = process.argv.slice(2);
if (!target) {
  console.error('usage: flatten.mjs VECTORS-DIR FILE');
  process.exit(2);
}
put(Buffer.from('WNNFLAT1'));
let count = 0, skipped = 0;
for (const file of readdirSync(folder).filter((name) => name.endsWith('.json')).sort()) {
  for (const one of JSON.parse(readFileSync(join(folder, file), 'utf8')).cases) {
    if (one.beyondSpec) {
      skipped++;
      continue;
    }
    const { id, inputs, operators, expected, tolerance } = one;
    if (disputed[id]) {
      const { output: name, element, value: v } = disputed[id];
      expected[name].data[element] = v;
    }
    u32(1), string(id), u32(['ULP', 'ATOL'].indexOf(tolerance.metric)), f64(tolerance.value);
    const tensors = (object, exact) => {
      u32(Object.keys(object).length);
      for (const [name, t] of Object.entries(object)) tensor(name, t, exact && t.data);
    };
    tensors(inputs, false);
    u32(operators.length), operators.forEach(operator);
    tensors(expected, tolerance.metric === 'ATOL');
    count++;
  }
}
writeFileSync(target, Buffer.concat(chunks));
console.log(`${count} cases, ${skipped} beyond the specification left out, ${length} bytes`);
