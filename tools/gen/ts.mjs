// Emits node/index.d.ts: the TypeScript declarations of the module, with what the table says as comments.

const rank = (lo, hi) => (lo === hi ? `rank ${lo}` : `rank ${lo} to ${hi ?? 8}`);
const comment = (lines, indent = '') => [`${indent}/**`, ...lines.map((line) => `${indent} * ${line}`), `${indent} */`];
const shown = (value) => (typeof value === 'string' ? `'${value}'` : String(value));

function types(o) {
  return o.as ? `the type of ${o.as}` : o.allowedTypes.length === 8 ? 'any type' : o.allowedTypes.join(', ');
}

/** Type of a parameter in TypeScript. */
function tsType(table, type) {
  const list = type.endsWith('[]'), base = type.replace('[]', '');
  const one = table.enums[base]?.idl ?? { bool: 'boolean', number: 'MLNumber', data_type: 'MLOperandDataType',
    splits: 'number | Iterable<number>' }[base] ?? 'number';
  return list ? `Iterable<${one}>` : one;
}

function range(p) {
  const parts = [];
  if (p.length) parts.push(`${p.length} items`);
  if (p.minimum) parts.push(p.type.endsWith('[]') ? `each at least ${p.minimum}` : `at least ${p.minimum}`);
  if (p.type.startsWith('u32') && !p.minimum) parts.push(p.modulo ? 'taken modulo 2^32' : '0 to 4294967295');
  if (p.type === 'f64' || p.type === 'f32[]') parts.push('finite');
  return parts.length ? ` (${parts.join(', ')})` : '';
}

function dictionaries(table) {
  const out = [];
  for (const [name, members] of table.dictionaries) {
    if (name === 'MLOperatorOptions') continue;
    out.push(`export interface ${name} extends MLOperatorOptions {`);
    for (const { name: member, param, operand } of members) {
      const fallback = param?.default === undefined ? '' : ` Default: ${shown(param.default)}.`;
      out.push(...comment([operand ? `${operand.doc} ${operand.ranks ? `Has ${types(operand)}, ${rank(...operand.ranks)}.` : ''}`.trim()
        : `${param.doc}${range(param)}${fallback}`], '  '));
      out.push(`  ${member}?: ${operand ? 'MLOperand' : tsType(table, param.type)};`);
    }
    out.push('}', '');
  }
  return out;
}

function limits(table) {
  const out = [], seen = new Set();
  for (const op of table.operations) {
    if (seen.has(op.limitsType)) continue;
    seen.add(op.limitsType);
    out.push(`export interface ${op.limitsType} {`, ...[...op.operands, ...op.outputs].map((o) => o.name).sort()
      .map((name) => `  readonly ${name}: MLTensorLimits;`), '}', '');
  }
  out.push(...comment(['What a context supports: data types and ranks of every operand, one member for each operation.']),
    'export interface MLOpSupportLimits {', '  readonly preferredInputLayout: MLInputOperandLayout;', '  readonly maxTensorByteLength: number;',
    '  readonly input: MLTensorLimits;', '  readonly constant: MLTensorLimits;', '  readonly output: MLTensorLimits;',
    ...table.operations.map((op) => `  readonly ${op.name}: ${op.limitsType};`), '}', '');
  return out;
}

function method(table, op) {
  const positional = op.operands.filter((o) => o.in !== 'options'), params = op.parameters.filter((p) => p.positional);
  const result = op.returnsList ? 'MLOperand[]' : 'MLOperand';
  const doc = [op.doc, '',
    ...positional.map((o) => `@param ${o.name} ${o.doc} Has ${types(o)}, ${rank(...o.ranks)}.`),
    ...params.map((p) => `@param ${p.name} ${p.doc}${range(p)}`),
    `@returns ${op.outputs.map((o) => `${o.name}: ${types(o)}, ${rank(...o.ranks)}`).join('; ')}.`,
    '@throws {TypeError} Operands of another builder, data types, ranks, shapes or options that do not fit.',
    '@throws {DOMException} InvalidStateError: the builder has built its graph, or the context is lost.',
    `@see https://www.w3.org/TR/webnn/${op.spec}`];
  const args = [...positional.map((o) => `${o.name}: ${o.variadic ? 'Iterable<MLOperand>' : 'MLOperand'}`),
    ...params.map((p) => `${p.name}: ${tsType(table, p.type)}`), `options?: ${op.optionsType}`];
  return [...comment(doc, '  '), `  ${op.name}(${args.join(', ')}): ${result};`, ''];
}

const head = `// Generated from ops/ops.json by tools/gen.mjs; edit the table, not this file.

/** Bytes: a buffer, or a view of a kind that goes with the data type (a Uint8Array goes with all). */
export type MLBufferSource = ArrayBuffer | SharedArrayBuffer | ArrayBufferView;
/** A number that becomes one element: clamped and rounded to nearest even for integer types. */
export type MLNumber = number | bigint;
export type MLNamedTensors = Record<string, MLTensor>;
export type MLNamedOperands = Record<string, MLOperand>;
export type MLOperandDataType = DATA_TYPES;
ENUMS
export interface MLContextOptions {
  /** A hint. Default: 'default'. */
  powerPreference?: MLPowerPreference;
  /** A hint. Default: true. */
  accelerated?: boolean;
}

export interface MLContextLostInfo {
  readonly message: string;
}

export interface MLOperandDescriptor {
  dataType: MLOperandDataType;
  /** Sizes of the dimensions, each 1 to 2147483647; at most 8 of them. */
  shape: Iterable<number>;
}

export interface MLTensorDescriptor extends MLOperandDescriptor {
  /** Allows readTensor(). Default: false. */
  readable?: boolean;
  /** Allows writeTensor(). Default: false. */
  writable?: boolean;
}

export interface MLOperatorOptions {
  /** Names the operation in messages. */
  label?: string;
}

export interface MLRankRange {
  readonly min: number;
  readonly max: number;
}

export interface MLTensorLimits {
  readonly dataTypes: MLOperandDataType[];
  readonly rankRange: MLRankRange;
}
`;

const classes = `/** The entry: makes contexts. */
export class ML {
  private constructor();
  /**
   * Makes a context.
   * @throws {TypeError} (rejection) options are malformed.
   */
  createContext(options?: MLContextOptions): Promise<MLContext>;
  /**
   * Always rejects: there is no WebGPU device behind this implementation.
   * @throws {DOMException} (rejection) NotSupportedError.
   */
  createContext(gpuDevice: GPUDevice): Promise<MLContext>;
}

/** A device of a WebGPU implementation. */
export interface GPUDevice {
  readonly queue: object;
}

/** Holds tensors and graphs, and one timeline on which everything happens in the order of the calls. */
export class MLContext {
  private constructor();
  readonly accelerated: boolean;
  /** Resolves when the context is lost, for example by destroy(). */
  readonly lost: Promise<MLContextLostInfo>;
  /**
   * Makes a tensor of zeros.
   * @throws {TypeError} (rejection) The descriptor is not valid.
   * @throws {DOMException} (rejection) InvalidStateError: the context is lost. UnknownError: memory is short.
   */
  createTensor(descriptor: MLTensorDescriptor): Promise<MLTensor>;
  /**
   * Makes a tensor for MLGraphBuilder.constant(). The bytes are copied at the call.
   * @throws {TypeError} (rejection) The descriptor is not valid, or inputData does not match it.
   * @throws {DOMException} (rejection) InvalidStateError: the context is lost. UnknownError: memory is short.
   */
  createConstantTensor(descriptor: MLOperandDescriptor, inputData: MLBufferSource): Promise<MLTensor>;
  /**
   * Reads a tensor into a new buffer.
   * @throws {TypeError} (rejection) The tensor is of another context, destroyed, or not readable.
   * @throws {DOMException} (rejection) InvalidStateError: tensor or context ended before the read.
   */
  readTensor(tensor: MLTensor): Promise<ArrayBuffer>;
  /**
   * Reads a tensor into a buffer of the same length.
   * @throws {TypeError} (rejection) As above; or outputData does not match, or was detached meanwhile.
   * @throws {DOMException} (rejection) InvalidStateError: tensor or context ended before the read.
   */
  readTensor(tensor: MLTensor, outputData: MLBufferSource): Promise<undefined>;
  /**
   * Writes a tensor. The bytes are copied at the call.
   * @throws {TypeError} The tensor is of another context, destroyed, or not writable; inputData does not match.
   */
  writeTensor(tensor: MLTensor, inputData: MLBufferSource): undefined;
  /**
   * Queues an execution of a graph. Every input and output needs a tensor of its own, by name.
   * @throws {TypeError} Names, descriptors or tensors do not match the graph.
   * @throws {DOMException} InvalidStateError: the graph is destroyed.
   */
  dispatch(graph: MLGraph, inputs: MLNamedTensors, outputs: MLNamedTensors): undefined;
  opSupportLimits(): MLOpSupportLimits;
  /** Ends the context, its tensors and its graphs. */
  destroy(): undefined;
}

/** A compiled graph. */
export class MLGraph {
  private constructor();
  destroy(): undefined;
}

/** A tensor of a context. */
export class MLTensor {
  private constructor();
  readonly dataType: MLOperandDataType;
  readonly shape: readonly number[];
  readonly readable: boolean;
  readonly writable: boolean;
  readonly constant: boolean;
  /** Ends the tensor; reads that are pending reject. */
  destroy(): undefined;
}

/** An input, constant or result in a graph that is being built. */
export class MLOperand {
  private constructor();
  readonly dataType: MLOperandDataType;
  readonly shape: readonly number[];
}

/** Builds one graph. */
export class MLGraphBuilder {
  /** @throws {DOMException} InvalidStateError: the context is lost. */
  constructor(context: MLContext);
  /**
   * Declares an input of the graph.
   * @throws {TypeError} The name is empty or taken, or the descriptor is not valid.
   * @throws {DOMException} InvalidStateError: the builder has built its graph, or the context is lost.
   */
  input(name: string, descriptor: MLOperandDescriptor): MLOperand;
  /**
   * A constant from bytes, which are copied at the call.
   * @throws {TypeError} The descriptor is not valid, or the buffer does not match it.
   * @throws {DOMException} InvalidStateError: the builder has built its graph, or the context is lost.
   */
  constant(descriptor: MLOperandDescriptor, buffer: MLBufferSource): MLOperand;
  /** A constant of rank 0. */
  constant(dataType: MLOperandDataType, value: MLNumber): MLOperand;
  /**
   * A constant from a constant tensor of the same context.
   * @throws {TypeError} Another context, destroyed, or not a constant tensor.
   */
  constant(tensor: MLTensor): MLOperand;
  /**
   * Compiles the graph that the outputs depend on. A builder can do this once.
   * @throws {TypeError} (rejection) No outputs, an empty name, an operand of another builder, an input or a constant.
   * @throws {DOMException} (rejection) InvalidStateError: the builder has built its graph, or the context is lost.
   *   OperationError: the graph cannot be compiled.
   */
  build(outputs: MLNamedOperands): Promise<MLGraph>;

METHODS}

/** The entry, as navigator.ml in a browser. */
export declare const ml: ML;
`;

export function declarations(table) {
  const enums = Object.values(table.enums).map((e) => `export type ${e.idl} = ${e.values.map(shown).join(' | ')};`);
  const text = [
    head.replace('DATA_TYPES', table.dataTypes.map(shown).join(' | ')).replace('ENUMS', `${enums.join('\n')}\n`),
    ...dictionaries(table), ...limits(table),
    classes.replace('METHODS', () => table.operations.flatMap((op) => method(table, op)).join('\n').trimEnd() + '\n'),
  ].join('\n');
  return text.replace(/[ \t]+$/gm, '');
}
