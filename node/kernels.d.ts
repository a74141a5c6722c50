/** Kernel packs on a GPU through WebGPU, or on the processor. */

export type KernelDataType = 'float32' | 'float16' | 'int32' | 'uint32' | 'int64' | 'int16' | 'int8' | 'uint8' | 'bool';
export type KernelArray = Float32Array | Int32Array | Uint32Array | BigInt64Array | Int16Array | Int8Array | Uint8Array | Uint8ClampedArray | Uint16Array | ArrayBufferView;

/** Data and shape; the data type is that of the array's class (Uint16Array: bits of float16) unless given. */
export interface KernelInput { data: KernelArray; shape: number[]; dtype?: KernelDataType }
export interface KernelOutput { data: any; shape: number[]; dtype: KernelDataType }

export interface KernelDeviceOptions {
  /** Threads of a 'cpu' device; default: one a processor. */
  threads?: number;
  /** Path of a WebGPU library; default: WEBNN_WEBGPU_LIB, else the npm package bun-webgpu. */
  library?: string;
  lowPower?: boolean;
}

export class KernelDevice {
  private constructor();
  readonly kind: 'cpu' | 'webgpu';
  readonly vendor: string;
  readonly architecture: string;
  readonly description: string;
  readonly name: string;
  /** An adapter that computes on the processor. */
  readonly software: boolean;
  readonly float16: boolean;
  readonly timestamps: boolean;
  tensor(value: KernelInput | { shape: number[]; dtype: KernelDataType }): Promise<KernelTensor>;
}
export function createDevice(kind?: 'cpu' | 'webgpu', options?: KernelDeviceOptions): Promise<KernelDevice>;
/** Forgets the devices that kernels share. */
export function disposeSharedKernelRuntime(): void;

/** A tensor that stays on a device. */
export class KernelTensor {
  private constructor();
  readonly dtype: KernelDataType;
  readonly logicalDtype: KernelDataType;
  readonly shape: number[];
  readonly size: number;
  readonly byteLength: number;
  readonly device: KernelDevice;
  readonly destroyed: boolean;
  read(): Promise<KernelOutput>;
  destroy(): void;
}

export interface KernelOptions {
  /** Version of the pack's contract. One of version and revision is needed for a repository. */
  version?: number;
  revision?: string;
  /** The op id that the pack must have; needed for a URL. */
  expectedOpId?: string;
  /** Accept publishers other than webgpu-kernels. */
  trustRemoteCode?: boolean;
  verifyHashes?: boolean;
  /** Default 'auto': a hardware GPU, else the processor. */
  device?: 'auto' | 'cpu' | 'webgpu' | KernelDevice;
  /** An index outside its table is an error that names it, in place of being clamped. */
  strict?: boolean;
  /** Folders that hold packs, as NAME or OWNER/NAME. */
  path?: string | string[];
  /** Folder for fetched packs. */
  cache?: string;
  /** Base URL from which packs that are not found are fetched; default: none. */
  hub?: string;
  /** Bearer token, sent to the hub only. */
  token?: string;
  fetch?: typeof globalThis.fetch;
}

export interface KernelCall {
  attrs?: Record<string, unknown>;
  args?: Record<string, number | boolean | string>;
  tunables?: Record<string, number | boolean | string>;
  /** Asks for optional outputs, or says where an output goes. */
  outputs?: Record<string, KernelTensor | { shape?: number[]; dtype?: KernelDataType }>;
  /** 'gpu': outputs stay on the device, as KernelTensor. */
  output?: 'cpu' | 'gpu';
  variant?: string;
  /** Fills `run.time` of the result with nanoseconds by the device's clock. */
  measure?: boolean;
}

export type KernelInputs = Record<string, KernelInput | KernelTensor | number | boolean | string | undefined>;
export type KernelResult = Record<string, any> & { readonly run: { variant: string; time: number } };

export interface KernelPort {
  name: string; onnx: string; description: string; type: string; types: KernelDataType[]; storage: string; rank: string; shape: string;
  input: boolean; output: boolean; optional: boolean;
}
export interface Kernel {
  (inputs: KernelInputs, call?: KernelCall): Promise<KernelResult>;
  readonly opId: string;
  readonly ports: KernelPort[];
  readonly settings: { name: string; kind: string; default: string; values: string; description: string }[];
  readonly location: string;
  prewarm(inputs: KernelInputs, call?: KernelCall): Promise<void>;
  device(): Promise<KernelDevice>;
  tensor(value: KernelInput): Promise<KernelTensor>;
}

/** A repository "owner/name", a folder that starts with "/" or ".", or a URL. Errors have a `code` such as 'WNN_NOT_SUPPORTED'. */
export function getKernel(location: string, options?: KernelOptions): Promise<Kernel>;
/** Runs several calls in one submission. */
export function runAll(calls: [Kernel, KernelInputs, KernelCall?][]): Promise<KernelResult[]>;
