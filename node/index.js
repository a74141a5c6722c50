// The module for CommonJS: the interfaces of Web Neural Network API over the addon.
// Arguments are converted and checked in the addon; the classes here carry what the language must do
// itself: private state, property descriptors, promises that reject instead of throwing.
'use strict';
const native = require('./load.js');
const { types } = require('node:util');
// As they are now: what a program puts in their place later, such as timers that its tests turn by hand, does not concern
// the addon.
const { ArrayBuffer, DOMException, Promise, Uint8Array, setImmediate } = globalThis;
const { propertyIsEnumerable } = Object.prototype;

const token = Object.freeze({ __proto__: null });
const illegal = () => { throw new TypeError('Illegal constructor'); };
const dataTypes = ['float32', 'float16', 'int32', 'uint32', 'int64', 'uint64', 'int8', 'uint8'];

/** Runs a method whose result is a promise: it never throws. */
function promised(method, self, args) {
  try { return method.apply(self, args); } catch (error) { return Promise.reject(error); }
}

const isObject = (value) => typeof value === 'object' && value !== null;

class ML {
  #brand;
  constructor() { if (arguments[0] !== token) illegal(); }
  createContext() {
    try {
      if (!isObject(this) || !(#brand in this)) throw new TypeError('Illegal invocation');
      const device = arguments[0];
      if (isObject(device) && isDevice(device))
        throw new DOMException('There is no WebGPU device behind this implementation.', 'NotSupportedError');
      return Promise.resolve(native.createContext(device));
    } catch (error) {
      return Promise.reject(error);
    }
  }
}

/** Whether an object is a GPUDevice of some WebGPU implementation. */
function isDevice(object) {
  return (typeof GPUDevice === 'function' && object instanceof GPUDevice) ||
    Object.prototype.toString.call(object) === '[object GPUDevice]';
}

/** Settles the lost promise of a context that was lost by itself. */
let settle;

class MLContext {
  #lost;
  #lose;
  constructor() {
    if (arguments[0] !== token) illegal();
    this.#lost = new Promise((resolve) => { this.#lose = resolve; });
  }
  get accelerated() { return native.contextAccelerated.call(this); }
  get lost() {
    try { return this.#lost; } catch { return Promise.reject(new TypeError('Illegal invocation')); }
  }
  createTensor(descriptor) { return promised(native.createTensor, this, arguments); }
  createConstantTensor(descriptor, inputData) { return promised(native.createConstantTensor, this, arguments); }
  readTensor(tensor) { return promised(native.readTensor, this, arguments); }
  writeTensor(tensor, inputData) { native.writeTensor.apply(this, arguments); }
  dispatch(graph, inputs, outputs) { native.dispatch.apply(this, arguments); }
  opSupportLimits() { return limits(native.contextLimits.call(this)); }
  destroy() {
    // First, since reactions run in the order in which promises settle, and destroying rejects those that wait.
    this.#lose({ message: 'The context was destroyed by destroy().' });
    native.contextDestroy.call(this);
  }
  static { settle = (context, message) => context.#lose({ message }); }
}

class MLGraphBuilder {
  constructor(context) { native.builderInit.apply(this, arguments); }
  input(name, descriptor) { return native.input.apply(this, arguments); }
  constant(first) { return native.constant.apply(this, arguments); }
  build(outputs) { return promised(native.build, this, arguments); }
}
for (const { name, length, call } of native.ops) {
  const { [name]: method } = name.endsWith('Pool2d')
    ? { [name](input, options) { renameRounding(arguments); return call.apply(this, arguments); } }
    : { [name]() { return call.apply(this, arguments); } };
  Object.defineProperty(method, 'length', { value: length, configurable: true });
  Object.defineProperty(MLGraphBuilder.prototype, name, { value: method, writable: true, configurable: true });
}

/** Clients of earlier drafts, such as ONNX Runtime Web 1.30, give the rounding of pooling its former name. */
function renameRounding(args) {
  const options = args[1];
  if (isObject(options) && 'roundingType' in options && !('outputShapeRounding' in options))
    args[1] = { ...options, outputShapeRounding: options.roundingType };
}

class MLGraph {
  constructor() { if (arguments[0] !== token) illegal(); }
  destroy() { native.graphDestroy.call(this); }
}

class MLOperand {
  #shape;
  constructor() { if (arguments[0] !== token) illegal(); }
  get dataType() { return native.operandDataType.call(this); }
  get shape() { return (#shape in this && this.#shape) || (this.#shape = native.operandShape.call(this)); }
}

class MLTensor {
  #shape;
  constructor() { if (arguments[0] !== token) illegal(); }
  get dataType() { return native.tensorDataType.call(this); }
  get shape() { return (#shape in this && this.#shape) || (this.#shape = native.tensorShape.call(this)); }
  get readable() { return native.tensorReadable.call(this); }
  get writable() { return native.tensorWritable.call(this); }
  get constant() { return native.tensorConstant.call(this); }
  destroy() { native.tensorDestroy.call(this); }
}

/** What the model layer holds of the addon; not seen by users. */
class ModelHandle {
  constructor() { if (arguments[0] !== token) illegal(); }
}

/** Web IDL makes members enumerable and names the class of instances. */
for (const type of [ML, MLContext, MLGraphBuilder, MLGraph, MLOperand, MLTensor]) {
  for (const name of Object.getOwnPropertyNames(type.prototype))
    if (name !== 'constructor') Object.defineProperty(type.prototype, name, { enumerable: true });
  Object.defineProperty(type.prototype, Symbol.toStringTag, { value: type.name, configurable: true });
}

// ---- MLOpSupportLimits ----

const byName = (a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
/** Members of the dictionary in their order, with the place of their numbers. */
const places = (() => {
  let at = 2;
  const take = () => (at += 3) - 3;
  const list = ['input', 'constant', 'output'].map((name) => ({ name, at: take() }));
  for (const { name, limits: names } of native.ops)
    list.push({ name, members: names.map((member) => ({ name: member, at: take() })).sort(byName) });
  list.push({ name: 'maxTensorByteLength', value: (data) => data[1] });
  list.push({ name: 'preferredInputLayout', value: (data) => (data[0] ? 'nhwc' : 'nchw') });
  return list.sort(byName);
})();

function tensorLimits(data, at) {
  const mask = data[at];
  return { dataTypes: dataTypes.filter((_, i) => mask & (1 << i)), rankRange: { max: data[at + 2], min: data[at + 1] } };
}

function limits(data) {
  const result = {};
  for (const { name, at, members, value } of places) {
    if (value) result[name] = value(data);
    else if (!members) result[name] = tensorLimits(data, at);
    else {
      result[name] = {};
      for (const member of members) result[name][member.name] = tensorLimits(data, member.at);
    }
  }
  return result;
}

native.setup([
  token, DOMException, Symbol.iterator, Array.prototype.values,
  (value) => value++, // the language's ToNumeric
  (object, key) => propertyIsEnumerable.call(object, key),
  (value) => (types.isSharedArrayBuffer(value) ? new Uint8Array(value) : undefined),
  (size) => new ArrayBuffer(size),
  settle,
  async () => { await undefined; native.deliver(); },
  () => { setImmediate(native.deliver, true); },
  MLContext, MLGraphBuilder, MLGraph, MLOperand, MLTensor, ModelHandle,
]);

const ml = new ML(token);
module.exports = { ml, ML, MLContext, MLGraphBuilder, MLGraph, MLOperand, MLTensor };
