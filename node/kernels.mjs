// 'libwebnn/kernels': kernel packs on a GPU through WebGPU, or on the processor.
//   const kernel = await getKernel('webgpu-kernels/com.microsoft.EmbedLayerNormalization', { version: 1 });
//   const { outputT } = await kernel({ inputIdsT: { data, shape: [1, 2] }, ... });
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import './index.js'; // sets up the addon

const native = createRequire(import.meta.url)('./load.js');

const types = ['float32', 'float16', 'int32', 'uint32', 'int64', 'int16', 'int8', 'uint8', 'bool'];
const Float16 = globalThis.Float16Array;
const arrays = {
  float32: Float32Array, float16: Float16 ?? Uint16Array, int32: Int32Array, uint32: Uint32Array, int64: BigInt64Array,
  int16: Int16Array, int8: Int8Array, uint8: Uint8Array, bool: Uint8Array,
};
const classes = [
  [Float32Array, 'float32'], [Int8Array, 'int8'], [Int16Array, 'int16'], [Int32Array, 'int32'], [Uint8ClampedArray, 'uint8'],
  [Uint8Array, 'uint8'], [Uint16Array, 'float16'], [Uint32Array, 'uint32'], [BigInt64Array, 'int64'], ...(Float16 ? [[Float16, 'float16']] : []),
];

function fail(message, code = 'WNN_TYPE_ERROR', Type = TypeError) {
  throw Object.assign(new Type(message), { code });
}

// ---- Tensors

function checkShape(name, shape) {
  if (!Array.isArray(shape) || shape.length > 8 || !shape.every((d) => Number.isInteger(d) && d >= 0 && d < 2 ** 32)) {
    fail(`${name}: shape must be a list of at most 8 whole numbers of 0 or more`);
  }
  return shape.reduce((a, b) => a * b, 1);
}

/** The data type of an array: the explicit one, else that of its class. */
function typeOf(name, data, dtype) {
  if (data instanceof Float64Array) fail(`${name}: Float64Array has no counterpart; convert to Float32Array, so that the rounding is yours`);
  const own = classes.find(([Class]) => data instanceof Class)?.[1];
  if (dtype === undefined) return own ?? fail(`${name}: data must be a typed array`);
  if (!types.includes(dtype)) fail(`${name}: "${dtype}" is not a data type`);
  return dtype;
}

/** The bytes of a typed array as elements of a type. */
function bytesOf(name, data, dtype) {
  const Type = arrays[dtype];
  const halves = dtype === 'float16' && data instanceof Uint16Array;
  if (data instanceof Type || halves || (dtype === 'uint8' && data instanceof Uint8ClampedArray)) {
    return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  }
  if (dtype === 'float16' && !Float16) fail(`${name}: this Node.js has no Float16Array; give the bits in a Uint16Array`);
  if ((dtype === 'int64') !== data instanceof BigInt64Array) fail(`${name}: ${data.constructor.name} cannot hold elements of type ${dtype}`);
  return bytesOf(name, Type.from(data), dtype);
}

/** A tensor that stays on a device. */
export class KernelTensor {
  #handle;
  #device;
  constructor(token, handle, device, dtype, shape) {
    if (token !== secret) throw new TypeError('Illegal constructor');
    this.#handle = handle;
    this.#device = device;
    this.dtype = this.logicalDtype = dtype;
    this.shape = shape;
    this.size = shape.reduce((a, b) => a * b, 1);
    this.byteLength = this.size * arrays[dtype].BYTES_PER_ELEMENT;
  }
  get destroyed() { return this.#handle === null; }
  get device() { return this.#device; }
  /** Gives the memory back once nothing uses it. */
  destroy() { this.#handle = null; }
  async read() {
    const buffer = await native.packRead(KernelTensor.handle(this));
    return { data: new arrays[this.dtype](buffer), shape: [...this.shape], dtype: this.dtype };
  }
  static handle(tensor) { return tensor.#handle ?? fail('the tensor is destroyed', 'WNN_INVALID_STATE', Error); }
}
const secret = Symbol('libwebnn');

// ---- Devices

export class KernelDevice {
  #handle;
  constructor(token, handle) {
    if (token !== secret) throw new TypeError('Illegal constructor');
    this.#handle = handle;
    for (const key of ['kind', 'vendor', 'architecture', 'description', 'name', 'software', 'float16', 'timestamps']) this[key] = handle[key];
  }
  /** Uploads data; without data the contents are undefined. */
  async tensor({ data, shape, dtype }) {
    const type = data === undefined ? dtype : typeOf('tensor', data, dtype);
    const size = checkShape('tensor', shape);
    if (data !== undefined && data.length !== size) fail(`tensor: ${data.length} elements do not make the shape [${shape}]`);
    const bytes = data === undefined ? undefined : bytesOf('tensor', data, type);
    const handle = await native.packTensor(this.#handle, types.indexOf(type), shape, bytes);
    return new KernelTensor(secret, handle, this, type, [...shape]);
  }
  static handle(device) { return device.#handle; }
}

/** A device of one's own: kind 'cpu' or 'webgpu'. */
export async function createDevice(kind = 'webgpu', options = {}) {
  if (!native.packDevice) fail('this build has no kernel packs', 'WNN_NOT_SUPPORTED', Error);
  if (kind !== 'cpu' && kind !== 'webgpu') fail(`a device is 'cpu' or 'webgpu', not ${kind}`);
  const { threads = 0 } = options;
  if (!(Number.isInteger(threads) && threads >= 0 && threads < 2 ** 32)) fail(`threads must be a whole number of 0 or more, got ${threads}`);
  return new KernelDevice(secret, await native.packDevice({ ...options, kind }));
}

const shared = new Map();
const sharedDevice = (kind) => {
  if (!shared.has(kind)) {
    const made = createDevice(kind);
    shared.set(kind, made);
    made.catch(() => shared.delete(kind));
  }
  return shared.get(kind);
};

/** Forgets the devices that kernels share; calls that run keep theirs. */
export function disposeSharedKernelRuntime() { shared.clear(); }

/** 'auto': a hardware GPU; else the processor; else, for packs without a native kernel, a software GPU. */
async function chooseDevice(wish, hasNative) {
  if (wish instanceof KernelDevice) return wish;
  if (wish === 'cpu' || wish === 'webgpu') return sharedDevice(wish);
  let gpu;
  try { gpu = await sharedDevice('webgpu'); } catch (error) {
    if (!hasNative) throw error;
  }
  return gpu && !(gpu.software && hasNative) ? gpu : sharedDevice('cpu');
}

// ---- Loading

const repositoryName = /^[A-Za-z0-9._-]+\/[A-Za-z0-9._-]+$/;
const isUrl = (text) => /^https?:\/\//i.test(text);

function saveFile(path, bytes) {
  mkdirSync(dirname(path), { recursive: true });
  const temporary = `${path}.${process.pid}.${Math.random().toString(36).slice(2)}`;
  writeFileSync(temporary, bytes);
  renameSync(temporary, path);
}

/** Fetches the files of a pack that running it needs, checks them, keeps them in the cache. */
async function fetchPack(repository, revision, options) {
  const fetcher = options.fetch ?? globalThis.fetch;
  const direct = isUrl(repository);
  const hub = (options.hub ?? '').replace(/\/+$/, '');
  const origin = new URL(direct ? repository : hub).origin;
  let commit = revision;
  const cached = (file) => options.cache && !direct && join(options.cache, repository, revision, 'build/webgpu', file);
  const get = async (file, refresh) => {
    const place = cached(file);
    if (place && !refresh && existsSync(place)) return readFileSync(place);
    const url = direct ? `${repository.replace(/\/+$/, '')}/build/webgpu/${file}`
      : `${hub}/kernels/${repository}/resolve/${encodeURIComponent(commit)}/build/webgpu/${file}`;
    const trusted = options.hub && new URL(url).origin === new URL(hub).origin && new URL(url).origin === origin;
    const headers = options.token && trusted ? { Authorization: `Bearer ${options.token}` } : {};
    let response;
    try { response = await fetcher(url, { headers }); } catch (error) {
      fail(`${url} cannot be fetched: ${error.cause?.message ?? error.message}`, 'WNN_IO_ERROR', Error);
    }
    if (!response.ok) fail(`${url} cannot be fetched: ${response.status} ${response.statusText}`, 'WNN_IO_ERROR', Error);
    // the first answer names the commit behind a branch: the other files come from there
    const head = response.headers?.get?.('x-repo-commit');
    if (!direct && head && /^[0-9a-f]{40}$/.test(head)) commit = head;
    return Buffer.from(await response.arrayBuffer());
  };
  const immutable = /^[0-9a-f]{40}$/.test(revision ?? '');
  const files = [['metadata.json', await get('metadata.json', !immutable)]];
  let metadata;
  try { metadata = JSON.parse(files[0][1]); } catch (error) { fail(`metadata.json: ${error.message}`, 'WNN_DATA_ERROR', Error); }
  const digests = Object.entries(metadata?.digest?.files ?? {});
  const needed = digests.filter(([file]) => file === 'manifest.json' || /\.wgsl(\.jinja)?$/.test(file));
  const digest = (bytes) => createHash('sha256').update(bytes).digest('base64');
  await Promise.all(needed.map(async ([file, wanted]) => {
    if (!/^[A-Za-z0-9._-]+(\/[A-Za-z0-9._-]+)*$/.test(file) || file.includes('..')) fail(`metadata.json lists the path ${file}`, 'WNN_DATA_ERROR', Error);
    let bytes = await get(file, false);
    if (options.verifyHashes !== false && digest(bytes) !== wanted) bytes = await get(file, true); // a cached file of an older commit
    if (options.verifyHashes !== false && digest(bytes) !== wanted) fail(`${file} does not have the digest that metadata.json lists`, 'WNN_DATA_ERROR', Error);
    files.push([file, bytes]);
  }));
  for (const [file, bytes] of files) if (cached(file)) saveFile(cached(file), bytes);
  return files.map(([file, bytes]) => [file, new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)]);
}

async function load(location, options, device) {
  const common = {
    version: options.version, revision: options.revision, expectedOp: options.expectedOpId, trust: options.trustRemoteCode === true,
    verify: options.verifyHashes !== false, strict: options.strict === true, cache: options.cache,
    path: Array.isArray(options.path) ? options.path.join(':') : options.path, device,
  };
  if (isUrl(location)) {
    if (options.expectedOpId === undefined) fail(`${location}: a URL needs expectedOpId`);
    if (options.trustRemoteCode !== true) fail(`${location} is not of the publisher webgpu-kernels: set trustRemoteCode to load code of others`);
    const files = options.files ?? (options.files = await fetchPack(location, options.revision, options));
    return native.packLoad(`fetched/${options.expectedOpId}`, { ...common, version: options.version ?? 0, revision: options.revision ?? 'url', trust: true, files });
  }
  if (options.files) return native.packLoad(location, { ...common, files: options.files });
  try { return native.packLoad(location, common); } catch (error) {
    if (error.code !== 'WNN_IO_ERROR' || !options.hub || !repositoryName.test(location)) throw error;
  }
  if (options.version === undefined && options.revision === undefined) fail(`${location}: give a version or a revision; there is no default`);
  options.files = await fetchPack(location, options.revision ?? `v${options.version}`, options);
  return native.packLoad(location, { ...common, files: options.files });
}

// ---- Calls

const settings = (record, what) => {
  if (record === undefined) return [];
  if (typeof record !== 'object' || record === null) fail(`${what} must be an object`);
  return Object.entries(record).filter(([, value]) => value !== undefined);
};

/** What the addon takes for a call of a kernel. */
function makeCall(kernel, facts, device, inputs, options) {
  const args = new Map(settings(options.args, 'args'));
  const ports = new Map(facts.ports.map((port) => [port.name, port]));
  const rows = [];
  for (const [name, value] of Object.entries(inputs ?? {})) {
    if (value === undefined) continue;
    if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'string') {
      args.set(name, value);
    } else if (value instanceof KernelTensor) {
      if (value.device !== device) fail(`${name}: the tensor is on another device`);
      rows.push([name, 0, [], undefined, KernelTensor.handle(value)]);
    } else if (value && ArrayBuffer.isView(value.data)) {
      const dtype = typeOf(name, value.data, value.dtype);
      const size = checkShape(name, value.shape);
      if (value.data.length !== size) fail(`${name}: ${value.data.length} elements do not make the shape [${value.shape}]`);
      rows.push([name, types.indexOf(dtype), value.shape, bytesOf(name, value.data, dtype)]);
    } else {
      fail(`${name}: neither a tensor ({ data, shape }) nor a number, boolean or string`);
    }
  }
  const outputs = Object.entries(options.outputs ?? {}).filter(([, value]) => value !== undefined).map(([name, value]) => {
    if (value instanceof KernelTensor) {
      if (value.device !== device) fail(`${name}: the tensor is on another device`);
      return [name, undefined, undefined, KernelTensor.handle(value)];
    }
    if (value?.dtype !== undefined && !types.includes(value.dtype)) fail(`${name}: "${value.dtype}" is not a data type`);
    if (value?.shape !== undefined) checkShape(name, value.shape);
    return [name, value?.dtype === undefined ? undefined : types.indexOf(value.dtype), value?.shape];
  });
  if (options.output !== undefined && options.output !== 'cpu' && options.output !== 'gpu') fail(`output must be 'cpu' or 'gpu'`);
  for (const name of ports.keys()) args.delete(name);
  return {
    kernel, inputs: rows, attrs: settings(options.attrs, 'attrs'), args: [...args], tunables: settings(options.tunables, 'tunables'), outputs,
    variant: options.variant, resident: options.output === 'gpu', measure: options.measure === true,
    given: new Map([...Object.entries(inputs ?? {}), ...Object.entries(options.outputs ?? {})].filter(([, value]) => value instanceof KernelTensor)),
  };
}

function makeResult(raw, call, device) {
  const result = {};
  for (const [name, type, shape, buffer, handle] of raw.values) {
    const dtype = types[type];
    result[name] = buffer ? { data: new arrays[dtype](buffer), shape, dtype }
      : call.given.get(name) ?? new KernelTensor(secret, handle, device, dtype, shape);
  }
  Object.defineProperty(result, 'run', { value: { variant: raw.variant, time: raw.time }, enumerable: false });
  return result;
}

const internals = new WeakMap();

/** Runs several calls in one submission: [[kernel, inputs, options], ...]. All kernels must be on one device. */
export async function runAll(calls) {
  if (!calls.length) return [];
  const parts = calls.map(([kernel, inputs, options]) => ({ own: internals.get(kernel) ?? fail('not a kernel'), inputs, options }));
  const opened = await Promise.all(parts.map(({ own }) => own.open()));
  const made = parts.map(({ own, inputs, options }, i) => makeCall(opened[i].handle, own.facts, opened[i].device, inputs, options ?? {}));
  const raw = await native.packRun(made, false);
  return raw.map((one, i) => makeResult(one, made[i], opened[i].device));
}

/** Loads a pack; kernels.d.ts lists the options. */
export async function getKernel(location, options = {}) {
  if (!native.packLoad) fail('this build has no kernel packs', 'WNN_NOT_SUPPORTED', Error);
  const own = { ...options };
  if (own.version !== undefined && !(Number.isSafeInteger(own.version) && own.version >= 0)) fail(`version must be a whole number of 0 or more, got ${own.version}`);
  const local = typeof location === 'string' && /^[./]/.test(location);
  if (local && existsSync(location) && !statSync(location).isDirectory()) fail(`${location} is not a folder`);
  const facts = await load(location, own); // reads the contract; touches no device
  let pending;
  const open = () => {
    pending ??= (async () => {
      const device = await chooseDevice(own.device ?? 'auto', facts.native);
      return { device, handle: await load(location, own, KernelDevice.handle(device)) };
    })();
    pending.catch(() => { pending = undefined; });
    return pending;
  };
  const kernel = async (inputs, call = {}) => (await runAll([[kernel, inputs, call]]))[0];
  internals.set(kernel, { facts, open });
  return Object.assign(kernel, {
    opId: facts.op,
    ports: facts.ports,
    settings: facts.settings,
    location: facts.location,
    /** Chooses the variant and compiles its shaders for these shapes. */
    prewarm: async (inputs, call = {}) => {
      const { device, handle } = await open();
      await native.packRun([makeCall(handle, facts, device, inputs, call)], true);
    },
    /** The device that it runs on. */
    device: async () => (await open()).device,
    /** A tensor on that device. */
    tensor: async (value) => (await open()).device.tensor(value),
  });
}
