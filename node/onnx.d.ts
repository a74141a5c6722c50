// Types of 'libwebnn/onnx'.
import type { MLContext, MLContextOptions, MLOperandDataType, MLTensor } from './index.js';

/** Elements: a typed array of the data type (Uint8Array: its bytes), nested arrays of numbers, or one number. */
export type ModelData = ArrayBuffer | ArrayBufferView | number | bigint | boolean | readonly unknown[];

/** An input: data alone where the model and the options settle the shape, or data with a shape, or a readable MLTensor. */
export type ModelInput = ModelData | MLTensor | { data: ModelData; shape?: Iterable<number>; dataType?: MLOperandDataType };

export interface ModelOutput {
  readonly dataType: MLOperandDataType;
  readonly shape: readonly number[];
  readonly data: Float32Array | Uint16Array | Int32Array | Uint32Array | BigInt64Array | BigUint64Array | Int8Array | Uint8Array;
}

/** An input or output as the file declares it. */
export interface ModelPort {
  readonly name: string;
  /** ONNX's name of the type, such as 'float'. */
  readonly type: string;
  /** The data type that carries it; null when none does. */
  readonly dataType: MLOperandDataType | null;
  /** Sizes; the name of an open dimension, or null where it has none. null: even the rank is open. */
  readonly shape: readonly (number | string | null)[] | null;
  /** The file has a default value. */
  readonly optional: boolean;
}

export interface LoadOptions {
  /** Context to run in. Default: a new one from contextOptions. */
  context?: MLContext;
  contextOptions?: MLContextOptions;
  /** Sizes of open dimensions by name. */
  sizes?: Record<string, number>;
  /** The same under the name that other runtimes use. */
  freeDimensionOverrides?: Record<string, number>;
  /** Whole shapes of inputs by name. */
  shapes?: Record<string, Iterable<number>>;
  /** Inputs that become constants. */
  values?: Record<string, { dataType: MLOperandDataType; shape?: Iterable<number>; data: ModelData }>;
  /** Compiled graphs kept, one for each set of shapes. Default: 8. */
  cache?: number;
}

export class Model {
  private constructor();
  readonly inputs: readonly ModelPort[];
  readonly outputs: readonly ModelPort[];
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  readonly metadata: Readonly<Record<string, string>>;
  readonly context: MLContext;
  readonly disposed: boolean;
  /**
   * Runs the model; the event loop goes on meanwhile. Compiles first when the shapes are new.
   * @param inputs Values by name.
   * @param outputs Names of the wanted outputs. Default: all.
   * @throws {TypeError} (rejection) Names, shapes or types do not fit.
   * @throws {DOMException} (rejection) InvalidStateError: disposed, or the context is lost. NotSupportedError,
   *   DataError, OperationError: the model cannot be lowered or compiled; the message names the node.
   */
  run(inputs: Record<string, ModelInput>, outputs?: Iterable<string>): Promise<Record<string, ModelOutput>>;
  stats(): { runs: number; hits: number; compiled: number; cached: number; importMs: number; buildMs: number; runMs: number };
  dispose(): void;
}

/**
 * Loads an ONNX model from a path, a file URL or bytes.
 * @throws {DOMException} (rejection) NotReadableError: the file. DataError: malformed.
 */
export function loadModel(source: string | URL | Uint8Array | ArrayBuffer, options?: LoadOptions): Promise<Model>;
