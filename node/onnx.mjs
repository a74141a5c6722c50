// 'libwebnn/onnx': ONNX models ready to run.
//   const model = await loadModel('model.onnx');
//   const { y } = await model.run({ x: new Float32Array(4) });   // y: { dataType, shape, data }
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import webnn from './index.js';

const native = createRequire(import.meta.url)('./load.js');
const { ml, MLContext, MLTensor } = webnn;

const dataTypes = ['float32', 'float16', 'int32', 'uint32', 'int64', 'uint64', 'int8', 'uint8'];
const arrays = {
  float32: Float32Array, float16: globalThis.Float16Array ?? Uint16Array, int32: Int32Array, uint32: Uint32Array,
  int64: BigInt64Array, uint64: BigUint64Array, int8: Int8Array, uint8: Uint8Array,
};
const MAX_RANK = 8;
const product = (shape) => shape.reduce((a, b) => a * b, 1);

/** Lists of tensors as the addon takes them: names, numbers, bytes. */
class List {
  names = [];
  facts = [];
  data = [];
  add(name, dataType, shape, bytes) {
    if (shape.length > MAX_RANK) throw new TypeError(`${name}: the rank is ${shape.length}, at most ${MAX_RANK} is possible`);
    for (const size of shape)
      if (!(Number.isInteger(size) && size >= 0 && size < 2 ** 32)) throw new TypeError(`${name}: ${size} is not a size`);
    this.names.push(name);
    this.facts.push(dataTypes.indexOf(dataType), shape.length, ...shape, ...new Array(MAX_RANK - shape.length).fill(0));
    this.data.push(bytes);
  }
  get numbers() { return Uint32Array.from(this.facts); }
}

const isList = (value) => Array.isArray(value) || ArrayBuffer.isView(value);

/** A typed array of the data type from what the user gave. */
function elements(name, dataType, data) {
  const Type = arrays[dataType];
  if (data instanceof Type || data instanceof Uint8Array) return data;
  if (data instanceof ArrayBuffer) return new Uint8Array(data);
  if (Array.isArray(data) && dataType !== 'float16') {
    const flat = data.flat(Infinity);
    return dataType === 'int64' || dataType === 'uint64' ? Type.from(flat, BigInt) : Type.from(flat, Number);
  }
  if (dataType === 'float16' && Array.isArray(data) && globalThis.Float16Array) return Float16Array.from(data.flat(Infinity), Number);
  if (typeof data === 'number' || typeof data === 'bigint' || typeof data === 'boolean') return elements(name, dataType, [data]);
  throw new TypeError(`${name}: a ${data?.constructor?.name ?? typeof data} cannot hold elements of type ${dataType}`);
}

const bytesOf = (view) => new Uint8Array(view.buffer, view.byteOffset, view.byteLength);

class Model {
  #handle;
  #context;
  #sizes;
  #shapes;
  #inputs;
  #outputs;

  constructor(token, [handle, inputs, outputs, metadata], context, sizes, shapes) {
    if (token !== secret) throw new TypeError('Illegal constructor');
    this.#handle = handle;
    this.#context = context;
    this.#sizes = sizes;
    this.#shapes = shapes;
    const freeze = (ports) => Object.freeze(ports.map((port) => Object.freeze({ ...port, shape: port.shape && Object.freeze(port.shape) })));
    this.#inputs = freeze(inputs);
    this.#outputs = freeze(outputs);
    this.metadata = Object.freeze(metadata);
  }

  get inputs() { return this.#inputs; }
  get outputs() { return this.#outputs; }
  get inputNames() { return this.#inputs.map((port) => port.name); }
  get outputNames() { return this.#outputs.map((port) => port.name); }
  get context() { return this.#context; }
  get disposed() { return this.#handle === null; }

  /** Shape of an input from its declaration, the options and the number of elements. */
  #shape(port, length) {
    const given = this.#shapes[port.name];
    if (given) return given;
    if (!port.shape) throw new TypeError(`${port.name}: the model leaves the rank open; give { data, shape }`);
    const shape = port.shape.map((d) => (typeof d === 'number' ? d : this.#sizes[d] ?? null));
    const open = shape.filter((d) => d === null).length;
    if (open > 1) throw new TypeError(`${port.name}: the shape [${port.shape.map((d) => d ?? '?').join(', ')}] has ${open} open dimensions; give { data, shape } or sizes`);
    if (open === 1) {
      const rest = product(shape.map((d) => d ?? 1));
      if (rest && length % rest === 0) shape[shape.indexOf(null)] = length / rest;
      else throw new TypeError(`${port.name}: ${length} elements do not fill the shape [${port.shape.map((d) => d ?? '?').join(', ')}]`);
    }
    return shape;
  }

  async #feed(list, name, value) {
    const port = this.#inputs.find((p) => p.name === name);
    if (!port) throw new TypeError(`the model has no input '${name}'; it has ${this.inputNames.map((n) => `'${n}'`).join(', ')}`);
    if (value instanceof MLTensor) {
      list.add(name, value.dataType, value.shape, new Uint8Array(await this.#context.readTensor(value)));
      return;
    }
    const plain = value === null || typeof value !== 'object' || isList(value) || value instanceof ArrayBuffer;
    const { data, shape: given, dataType = port.dataType } = plain ? { data: value } : value;
    if (!arrays[dataType]) throw new TypeError(`${name}: no data type '${dataType}'`);
    const view = elements(name, dataType, data);
    const length = view.byteLength / arrays[dataType].BYTES_PER_ELEMENT;
    const shape = given ? Array.from(given, Number) : this.#shape(port, length);
    if (product(shape) !== length) throw new TypeError(`${name}: the shape [${shape.join(', ')}] has ${product(shape)} elements, the data ${length}`);
    list.add(name, dataType, shape, bytesOf(view));
  }

  async run(feeds, outputs) {
    if (this.#handle === null) throw new DOMException('The model is disposed.', 'InvalidStateError');
    if (feeds === null || typeof feeds !== 'object') throw new TypeError('the inputs are not an object');
    const list = new List();
    for (const [name, value] of Object.entries(feeds)) await this.#feed(list, name, value);
    if (this.#handle === null) throw new DOMException('The model is disposed.', 'InvalidStateError');
    const flat = await native.modelRun(this.#handle, list.names, list.numbers, list.data, outputs === undefined ? undefined : Array.from(outputs, String));
    const result = {};
    for (let i = 0; i < flat.length; i += 4) {
      const [name, dataType, shape, buffer] = flat.slice(i, i + 4);
      Object.defineProperty(result, name, { value: { dataType, shape, data: new arrays[dataType](buffer) }, enumerable: true, writable: true, configurable: true });
    }
    return result;
  }

  stats() {
    if (this.#handle === null) throw new DOMException('The model is disposed.', 'InvalidStateError');
    return native.modelStats(this.#handle);
  }

  /** Gives the model back; runs under way complete. */
  dispose() { this.#handle = null; }
}
if (Symbol.dispose) Object.defineProperty(Model.prototype, Symbol.dispose, { value: Model.prototype.dispose, writable: true, configurable: true });
Object.defineProperty(Model.prototype, Symbol.toStringTag, { value: 'Model', configurable: true });
const secret = Symbol('secret');

export async function loadModel(source, options = {}) {
  if (!native.modelOpen) throw new DOMException('This build of libwebnn has no ONNX importer.', 'NotSupportedError');
  const { context = await ml.createContext(options.contextOptions), sizes = options.freeDimensionOverrides ?? {}, shapes = {}, values = {}, cache = 0 } = options;
  if (!(context instanceof MLContext)) throw new TypeError('options.context is not an MLContext');
  if (source instanceof URL) source = fileURLToPath(source);
  if (source instanceof ArrayBuffer) source = new Uint8Array(source);
  if (typeof source !== 'string' && !(source instanceof Uint8Array)) throw new TypeError('the model is not a path and not bytes');
  const sizeList = new List(), shapeList = new List(), valueList = new List();
  for (const [name, size] of Object.entries(sizes)) sizeList.add(name, 'uint32', [Number(size)]);
  for (const [name, shape] of Object.entries(shapes)) shapeList.add(name, 'float32', Array.from(shape, Number));
  for (const [name, { dataType, shape = [], data }] of Object.entries(values)) {
    if (!arrays[dataType]) throw new TypeError(`options.values.${name}: no data type '${dataType}'`);
    valueList.add(name, dataType, Array.from(shape, Number), bytesOf(elements(name, dataType, data)));
  }
  const parts = await native.modelOpen(context, source, sizeList.names, sizeList.numbers, shapeList.names, shapeList.numbers,
    valueList.names, valueList.numbers, valueList.data, cache);
  return new Model(secret, parts, context, { ...sizes }, { ...shapes });
}

export { Model };
