// Writes ONNX files: a model under construction, with pseudo-random weights, and its protobuf encoding.
//
// Weights are numbered in the order of creation; number and position give each value (see `uniform`), so that
// bench/networks.c can build the same network, weights included, without a file.

export const F32 = 1, U8 = 2, I8 = 3, I32 = 6, I64 = 7;
const bytesOf = { [F32]: 4, [U8]: 1, [I8]: 1, [I32]: 4, [I64]: 8 };
const arrayOf = { [F32]: Float32Array, [U8]: Uint8Array, [I8]: Int8Array, [I32]: Int32Array, [I64]: BigInt64Array };
export const typeName = { [F32]: 'float32', [U8]: 'uint8', [I8]: 'int8', [I32]: 'int32', [I64]: 'int64' };
export const product = (dims) => dims.reduce((a, b) => a * b, 1);

// Protobuf: a message is a list of byte chunks.
function varint(value) {
  const out = [];
  let v = BigInt.asUintN(64, BigInt(value));
  for (; v > 127n; v >>= 7n) out.push(Number(v & 127n) | 128);
  out.push(Number(v));
  return Buffer.from(out);
}
const size = (chunks) => chunks.reduce((sum, chunk) => sum + chunk.length, 0);
const int = (field, value) => [varint(field << 3), varint(value)];
const bytes = (field, chunks) => [varint((field << 3) | 2), varint(size(chunks)), ...chunks];
const text = (field, value) => bytes(field, [Buffer.from(value)]);
const float = (field, value) => {
  const b = Buffer.alloc(4);
  b.writeFloatLE(value);
  return [varint((field << 3) | 5), b];
};

function tensor(name, type, dims, array) {
  const raw = Buffer.from(array.buffer, array.byteOffset, array.byteLength);
  return [...dims.flatMap((d) => int(1, d)), ...int(2, type), ...text(8, name), ...bytes(9, [raw])];
}

function attribute(name, value) {
  const head = text(1, name);
  if (typeof value === 'string') return [...head, ...text(4, value), ...int(20, 3)];
  if (Array.isArray(value)) return [...head, ...value.flatMap((v) => int(8, v)), ...int(20, 7)];
  if (typeof value === 'object') return [...head, ...float(2, value.float), ...int(20, 1)];
  return [...head, ...int(3, value), ...int(20, 2)];
}

const port = (name, type, dims) =>
  [...text(1, name), ...bytes(2, bytes(1, [...int(1, type), ...bytes(2, dims.flatMap((d) => bytes(1, int(1, d))))]))];

// Values in [-scale/2, scale/2), from a linear congruential sequence.
export function uniform(number, count, scale) {
  const out = new Float32Array(count);
  let state = (Math.imul(number + 1, 0x9e3779b1) + 12345) >>> 0;
  for (let i = 0; i < count; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    out[i] = Math.fround(Math.fround((state >>> 8) / 16777216 - 0.5) * Math.fround(scale));
  }
  return out;
}

export class Model {
  inputs = [];
  outputs = [];
  flops = 0;
  bytes = 0;
  #nodes = [];
  #initializers = [];
  #inputs = [];
  #outputs = [];
  #names = 0;
  #weights = 0;
  #cache = new Map();

  constructor(opset = 17) {
    this.opset = opset;
  }

  name(prefix) {
    return `${prefix}${this.#names++}`;
  }

  input(dims, type = F32, fill = 'uniform') {
    const name = this.name('x');
    this.inputs.push({ name, type: typeName[type], dims, fill });
    this.#inputs.push(bytes(11, port(name, type, dims)));
    this.bytes += bytesOf[type] * product(dims);
    return name;
  }

  output(name, dims, type = F32) {
    this.outputs.push(name);
    this.#outputs.push(bytes(12, port(name, type, dims)));
    this.bytes += bytesOf[type] * product(dims);
    return this;
  }

  // A constant with given values, an array of numbers.
  constant(dims, values, type = F32) {
    const name = this.name('c');
    const array = type === I64 ? BigInt64Array.from(values, BigInt) : arrayOf[type].from(values);
    this.#initializers.push(bytes(5, tensor(name, type, dims, array)));
    this.bytes += bytesOf[type] * product(dims);
    return name;
  }

  // A scalar, made once for each value.
  scalar(value, type = F32) {
    const key = `${value}:${type}`;
    if (!this.#cache.has(key)) this.#cache.set(key, this.constant([], [value], type));
    return this.#cache.get(key);
  }

  ints(...values) {
    return this.constant([values.length], values, I64);
  }

  weight(dims, scale = 1) {
    const name = this.name('w');
    const values = uniform(this.#weights++, product(dims), scale);
    this.#initializers.push(bytes(5, tensor(name, F32, dims, values)));
    this.bytes += 4 * values.length;
    return name;
  }

  // Integers over the whole range of 7 bits: the peer's products of 8 bits may saturate beyond that.
  quantized(dims, type = I8) {
    const shift = type === I8 ? 0 : 128;
    return this.constant(dims, uniform(this.#weights++, product(dims), 127).map((v) => Math.round(v) + shift), type);
  }

  op(type, inputs, attributes = {}, outputs = 1) {
    const names = Array.from({ length: outputs }, () => this.name('t'));
    this.#nodes.push(bytes(1, [...inputs.flatMap((n) => text(1, n)), ...names.flatMap((n) => text(2, n)), ...text(3, `${type}_${names[0]}`),
      ...text(4, type), ...Object.entries(attributes).flatMap(([k, v]) => bytes(5, attribute(k, v)))]));
    return outputs === 1 ? names[0] : names;
  }

  encode() {
    const graph = [...this.#nodes.flat(), ...text(2, 'bench'), ...this.#initializers.flat(), ...this.#inputs.flat(), ...this.#outputs.flat()];
    return Buffer.concat([...int(1, 9), ...text(2, 'webnn-bench'), ...bytes(7, graph), ...bytes(8, [...text(1, ''), ...int(2, this.opset)])]);
  }
}
