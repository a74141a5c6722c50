// Generated from ops/ops.json by tools/gen.mjs; edit the table, not this file.

/** Bytes: a buffer, or a view of a kind that goes with the data type (a Uint8Array goes with all). */
export type MLBufferSource = ArrayBuffer | SharedArrayBuffer | ArrayBufferView;
/** A number that becomes one element: clamped and rounded to nearest even for integer types. */
export type MLNumber = number | bigint;
export type MLNamedTensors = Record<string, MLTensor>;
export type MLNamedOperands = Record<string, MLOperand>;
export type MLOperandDataType = 'float32' | 'float16' | 'int32' | 'uint32' | 'int64' | 'uint64' | 'int8' | 'uint8';
export type MLPowerPreference = 'default' | 'high-performance' | 'low-power';
export type MLInputOperandLayout = 'nchw' | 'nhwc';
export type MLConv2dFilterOperandLayout = 'oihw' | 'hwio' | 'ohwi' | 'ihwo';
export type MLConvTranspose2dFilterOperandLayout = 'iohw' | 'hwoi' | 'ohwi';
export type MLGruWeightLayout = 'zrn' | 'rzn';
export type MLRecurrentNetworkActivation = 'relu' | 'sigmoid' | 'tanh';
export type MLRecurrentNetworkDirection = 'forward' | 'backward' | 'both';
export type MLLstmWeightLayout = 'iofg' | 'ifgo';
export type MLPaddingMode = 'constant' | 'edge' | 'reflection';
export type MLRoundingType = 'floor' | 'ceil';
export type MLInterpolationMode = 'nearest-neighbor' | 'linear';

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

export interface MLEluOptions extends MLOperatorOptions {
  /**
   * Factor alpha. (finite) Default: 1.
   */
  alpha?: number;
}

export interface MLHardSigmoidOptions extends MLOperatorOptions {
  /**
   * Factor alpha. (finite) Default: 0.2.
   */
  alpha?: number;
  /**
   * Factor or offset beta. (finite) Default: 0.5.
   */
  beta?: number;
}

export interface MLLeakyReluOptions extends MLOperatorOptions {
  /**
   * Factor alpha. (finite) Default: 0.01.
   */
  alpha?: number;
}

export interface MLLinearOptions extends MLOperatorOptions {
  /**
   * Factor alpha. (finite) Default: 1.
   */
  alpha?: number;
  /**
   * Factor or offset beta. (finite) Default: 0.
   */
  beta?: number;
}

export interface MLConv2dOptions extends MLOperatorOptions {
  /**
   * Added values. Has the type of input, rank 1.
   */
  bias?: MLOperand;
  /**
   * Spacing of the window taps: height, width. (2 items, each at least 1)
   */
  dilations?: Iterable<number>;
  /**
   * Layout of the filter. Default: 'oihw'.
   */
  filterLayout?: MLConv2dFilterOperandLayout;
  /**
   * Number of channel groups. (at least 1) Default: 1.
   */
  groups?: number;
  /**
   * Layout of input and output. Default: 'nchw'.
   */
  inputLayout?: MLInputOperandLayout;
  /**
   * Zero padding: top, bottom, left, right. (4 items, 0 to 4294967295)
   */
  padding?: Iterable<number>;
  /**
   * Step for each dimension. (2 items, each at least 1)
   */
  strides?: Iterable<number>;
}

export interface MLConvTranspose2dOptions extends MLOperatorOptions {
  /**
   * Added values. Has the type of input, rank 1.
   */
  bias?: MLOperand;
  /**
   * Spacing of the window taps: height, width. (2 items, each at least 1)
   */
  dilations?: Iterable<number>;
  /**
   * Layout of the filter. Default: 'iohw'.
   */
  filterLayout?: MLConvTranspose2dFilterOperandLayout;
  /**
   * Number of channel groups. (at least 1) Default: 1.
   */
  groups?: number;
  /**
   * Layout of input and output. Default: 'nchw'.
   */
  inputLayout?: MLInputOperandLayout;
  /**
   * Rows and columns added at the end of the output. (2 items, 0 to 4294967295)
   */
  outputPadding?: Iterable<number>;
  /**
   * Output height and width; overrides what would be computed. (2 items, 0 to 4294967295)
   */
  outputSizes?: Iterable<number>;
  /**
   * Zero padding: top, bottom, left, right. (4 items, 0 to 4294967295)
   */
  padding?: Iterable<number>;
  /**
   * Step for each dimension. (2 items, each at least 1)
   */
  strides?: Iterable<number>;
}

export interface MLPool2dOptions extends MLOperatorOptions {
  /**
   * Spacing of the window taps: height, width. (2 items, each at least 1)
   */
  dilations?: Iterable<number>;
  /**
   * Order of the data. Default: 'nchw'.
   */
  layout?: MLInputOperandLayout;
  /**
   * Rounding of the computed output size. Default: 'floor'.
   */
  outputShapeRounding?: MLRoundingType;
  /**
   * Output height and width; overrides what would be computed. (2 items, 0 to 4294967295)
   */
  outputSizes?: Iterable<number>;
  /**
   * Zero padding: top, bottom, left, right. (4 items, 0 to 4294967295)
   */
  padding?: Iterable<number>;
  /**
   * Step for each dimension. (2 items, each at least 1)
   */
  strides?: Iterable<number>;
  /**
   * Window height and width; the whole image when absent. (2 items, each at least 1)
   */
  windowDimensions?: Iterable<number>;
}

export interface MLBatchNormalizationOptions extends MLOperatorOptions {
  /**
   * Dimension the operation works along. (0 to 4294967295) Default: 1.
   */
  axis?: number;
  /**
   * Added values. Has the type of input, rank 1.
   */
  bias?: MLOperand;
  /**
   * Added to the variance before the root. (finite) Default: 0.00001.
   */
  epsilon?: number;
  /**
   * Factors. Has the type of input, rank 1.
   */
  scale?: MLOperand;
}

export interface MLInstanceNormalizationOptions extends MLOperatorOptions {
  /**
   * Added values. Has the type of input, rank 1.
   */
  bias?: MLOperand;
  /**
   * Added to the variance before the root. (finite) Default: 0.00001.
   */
  epsilon?: number;
  /**
   * Order of the data. Default: 'nchw'.
   */
  layout?: MLInputOperandLayout;
  /**
   * Factors. Has the type of input, rank 1.
   */
  scale?: MLOperand;
}

export interface MLLayerNormalizationOptions extends MLOperatorOptions {
  /**
   * Dimensions the operation works over; each at most once. (0 to 4294967295)
   */
  axes?: Iterable<number>;
  /**
   * Added values. Has the type of input, rank 0 to 8.
   */
  bias?: MLOperand;
  /**
   * Added to the variance before the root. (finite) Default: 0.00001.
   */
  epsilon?: number;
  /**
   * Factors. Has the type of input, rank 0 to 8.
   */
  scale?: MLOperand;
}

export interface MLGemmOptions extends MLOperatorOptions {
  /**
   * Transposes a first. Default: false.
   */
  aTranspose?: boolean;
  /**
   * Factor alpha. (finite) Default: 1.
   */
  alpha?: number;
  /**
   * Transposes b first. Default: false.
   */
  bTranspose?: boolean;
  /**
   * Factor or offset beta. (finite) Default: 1.
   */
  beta?: number;
  /**
   * Added matrix, broadcast to the result. Has the type of a, rank 0 to 2.
   */
  c?: MLOperand;
}

export interface MLTriangularOptions extends MLOperatorOptions {
  /**
   * Offset of the diagonal; positive is above the main one. Default: 0.
   */
  diagonal?: number;
  /**
   * Keeps the upper triangle, else the lower. Default: true.
   */
  upper?: boolean;
}

export interface MLArgMinMaxOptions extends MLOperatorOptions {
  /**
   * Keeps reduced dimensions with size 1. Default: false.
   */
  keepDimensions?: boolean;
  /**
   * Data type of the indices. Default: 'int32'.
   */
  outputDataType?: MLOperandDataType;
}

export interface MLCumulativeSumOptions extends MLOperatorOptions {
  /**
   * Leaves the element itself out of its sum. Default: false.
   */
  exclusive?: boolean;
  /**
   * Sums from the end. Default: false.
   */
  reversed?: boolean;
}

export interface MLReduceOptions extends MLOperatorOptions {
  /**
   * Dimensions the operation works over; each at most once. (0 to 4294967295)
   */
  axes?: Iterable<number>;
  /**
   * Keeps reduced dimensions with size 1. Default: false.
   */
  keepDimensions?: boolean;
}

export interface MLClampOptions extends MLOperatorOptions {
  /**
   * Upper limit; none when absent.
   */
  maxValue?: MLNumber;
  /**
   * Lower limit; none when absent.
   */
  minValue?: MLNumber;
}

export interface MLPadOptions extends MLOperatorOptions {
  /**
   * Method. Default: 'constant'.
   */
  mode?: MLPaddingMode;
  /**
   * Fill value of constant padding. Default: 0.
   */
  value?: MLNumber;
}

export interface MLReverseOptions extends MLOperatorOptions {
  /**
   * Dimensions the operation works over; each at most once. (0 to 4294967295)
   */
  axes?: Iterable<number>;
}

export interface MLSliceOptions extends MLOperatorOptions {
  /**
   * Step for each dimension. (each at least 1)
   */
  strides?: Iterable<number>;
}

export interface MLSplitOptions extends MLOperatorOptions {
  /**
   * Dimension the operation works along. (0 to 4294967295) Default: 0.
   */
  axis?: number;
}

export interface MLTransposeOptions extends MLOperatorOptions {
  /**
   * Output dimension i is input dimension permutation[i]; reversed when absent. (0 to 4294967295)
   */
  permutation?: Iterable<number>;
}

export interface MLGatherOptions extends MLOperatorOptions {
  /**
   * Dimension the operation works along. (0 to 4294967295) Default: 0.
   */
  axis?: number;
}

export interface MLScatterOptions extends MLOperatorOptions {
  /**
   * Dimension the operation works along. (0 to 4294967295) Default: 0.
   */
  axis?: number;
}

export interface MLGruOptions extends MLOperatorOptions {
  /**
   * Activation functions of the gates. (2 items)
   */
  activations?: Iterable<MLRecurrentNetworkActivation>;
  /**
   * Added values. Has the type of input, rank 2.
   */
  bias?: MLOperand;
  /**
   * Order of the time steps, or both. Default: 'forward'.
   */
  direction?: MLRecurrentNetworkDirection;
  /**
   * Hidden state before the first step; zeros when absent. Has the type of input, rank 3.
   */
  initialHiddenState?: MLOperand;
  /**
   * Order of the data. Default: 'zrn'.
   */
  layout?: MLGruWeightLayout;
  /**
   * Recurrent bias, gates packed. Has the type of input, rank 2.
   */
  recurrentBias?: MLOperand;
  /**
   * Applies the reset gate after the recurrent product. Default: true.
   */
  resetAfter?: boolean;
  /**
   * Also returns the hidden state of every step. Default: false.
   */
  returnSequence?: boolean;
}

export interface MLGruCellOptions extends MLOperatorOptions {
  /**
   * Activation functions of the gates. (2 items)
   */
  activations?: Iterable<MLRecurrentNetworkActivation>;
  /**
   * Added values. Has the type of input, rank 1.
   */
  bias?: MLOperand;
  /**
   * Order of the data. Default: 'zrn'.
   */
  layout?: MLGruWeightLayout;
  /**
   * Recurrent bias, gates packed. Has the type of input, rank 1.
   */
  recurrentBias?: MLOperand;
  /**
   * Applies the reset gate after the recurrent product. Default: true.
   */
  resetAfter?: boolean;
}

export interface MLLstmOptions extends MLOperatorOptions {
  /**
   * Activation functions of the gates. (3 items)
   */
  activations?: Iterable<MLRecurrentNetworkActivation>;
  /**
   * Added values. Has the type of input, rank 2.
   */
  bias?: MLOperand;
  /**
   * Order of the time steps, or both. Default: 'forward'.
   */
  direction?: MLRecurrentNetworkDirection;
  /**
   * Cell state before the first step; zeros when absent. Has the type of input, rank 3.
   */
  initialCellState?: MLOperand;
  /**
   * Hidden state before the first step; zeros when absent. Has the type of input, rank 3.
   */
  initialHiddenState?: MLOperand;
  /**
   * Order of the data. Default: 'iofg'.
   */
  layout?: MLLstmWeightLayout;
  /**
   * Cell to gate weights: input, output, forget. Has the type of input, rank 2.
   */
  peepholeWeight?: MLOperand;
  /**
   * Recurrent bias, gates packed. Has the type of input, rank 2.
   */
  recurrentBias?: MLOperand;
  /**
   * Also returns the hidden state of every step. Default: false.
   */
  returnSequence?: boolean;
}

export interface MLLstmCellOptions extends MLOperatorOptions {
  /**
   * Activation functions of the gates. (3 items)
   */
  activations?: Iterable<MLRecurrentNetworkActivation>;
  /**
   * Added values. Has the type of input, rank 1.
   */
  bias?: MLOperand;
  /**
   * Order of the data. Default: 'iofg'.
   */
  layout?: MLLstmWeightLayout;
  /**
   * Cell to gate weights: input, output, forget. Has the type of input, rank 1.
   */
  peepholeWeight?: MLOperand;
  /**
   * Recurrent bias, gates packed. Has the type of input, rank 1.
   */
  recurrentBias?: MLOperand;
}

export interface MLResample2dOptions extends MLOperatorOptions {
  /**
   * Dimensions the operation works over; each at most once. (2 items, 0 to 4294967295)
   */
  axes?: Iterable<number>;
  /**
   * Method. Default: 'nearest-neighbor'.
   */
  mode?: MLInterpolationMode;
  /**
   * Scale factor of each axis; only determines the size. (2 items, finite)
   */
  scales?: Iterable<number>;
  /**
   * Extent in each dimension. (2 items, each at least 1)
   */
  sizes?: Iterable<number>;
}

export interface MLBinarySupportLimits {
  readonly a: MLTensorLimits;
  readonly b: MLTensorLimits;
  readonly output: MLTensorLimits;
}

export interface MLLogicalNotSupportLimits {
  readonly a: MLTensorLimits;
  readonly output: MLTensorLimits;
}

export interface MLSingleInputSupportLimits {
  readonly input: MLTensorLimits;
  readonly output: MLTensorLimits;
}

export interface MLPreluSupportLimits {
  readonly input: MLTensorLimits;
  readonly output: MLTensorLimits;
  readonly slope: MLTensorLimits;
}

export interface MLConv2dSupportLimits {
  readonly bias: MLTensorLimits;
  readonly filter: MLTensorLimits;
  readonly input: MLTensorLimits;
  readonly output: MLTensorLimits;
}

export interface MLBatchNormalizationSupportLimits {
  readonly bias: MLTensorLimits;
  readonly input: MLTensorLimits;
  readonly mean: MLTensorLimits;
  readonly output: MLTensorLimits;
  readonly scale: MLTensorLimits;
  readonly variance: MLTensorLimits;
}

export interface MLNormalizationSupportLimits {
  readonly bias: MLTensorLimits;
  readonly input: MLTensorLimits;
  readonly output: MLTensorLimits;
  readonly scale: MLTensorLimits;
}

export interface MLGemmSupportLimits {
  readonly a: MLTensorLimits;
  readonly b: MLTensorLimits;
  readonly c: MLTensorLimits;
  readonly output: MLTensorLimits;
}

export interface MLConcatSupportLimits {
  readonly inputs: MLTensorLimits;
  readonly output: MLTensorLimits;
}

export interface MLSplitSupportLimits {
  readonly input: MLTensorLimits;
  readonly outputs: MLTensorLimits;
}

export interface MLGatherSupportLimits {
  readonly indices: MLTensorLimits;
  readonly input: MLTensorLimits;
  readonly output: MLTensorLimits;
}

export interface MLScatterSupportLimits {
  readonly indices: MLTensorLimits;
  readonly input: MLTensorLimits;
  readonly output: MLTensorLimits;
  readonly updates: MLTensorLimits;
}

export interface MLWhereSupportLimits {
  readonly condition: MLTensorLimits;
  readonly falseValue: MLTensorLimits;
  readonly output: MLTensorLimits;
  readonly trueValue: MLTensorLimits;
}

export interface MLQuantizeDequantizeLinearSupportLimits {
  readonly input: MLTensorLimits;
  readonly output: MLTensorLimits;
  readonly scale: MLTensorLimits;
  readonly zeroPoint: MLTensorLimits;
}

export interface MLGruSupportLimits {
  readonly bias: MLTensorLimits;
  readonly initialHiddenState: MLTensorLimits;
  readonly input: MLTensorLimits;
  readonly output0: MLTensorLimits;
  readonly output1: MLTensorLimits;
  readonly recurrentBias: MLTensorLimits;
  readonly recurrentWeight: MLTensorLimits;
  readonly weight: MLTensorLimits;
}

export interface MLGruCellSupportLimits {
  readonly bias: MLTensorLimits;
  readonly hiddenState: MLTensorLimits;
  readonly input: MLTensorLimits;
  readonly output: MLTensorLimits;
  readonly recurrentBias: MLTensorLimits;
  readonly recurrentWeight: MLTensorLimits;
  readonly weight: MLTensorLimits;
}

export interface MLLstmSupportLimits {
  readonly bias: MLTensorLimits;
  readonly initialCellState: MLTensorLimits;
  readonly initialHiddenState: MLTensorLimits;
  readonly input: MLTensorLimits;
  readonly output0: MLTensorLimits;
  readonly output1: MLTensorLimits;
  readonly output2: MLTensorLimits;
  readonly peepholeWeight: MLTensorLimits;
  readonly recurrentBias: MLTensorLimits;
  readonly recurrentWeight: MLTensorLimits;
  readonly weight: MLTensorLimits;
}

export interface MLLstmCellSupportLimits {
  readonly bias: MLTensorLimits;
  readonly cellState: MLTensorLimits;
  readonly hiddenState: MLTensorLimits;
  readonly input: MLTensorLimits;
  readonly output0: MLTensorLimits;
  readonly output1: MLTensorLimits;
  readonly peepholeWeight: MLTensorLimits;
  readonly recurrentBias: MLTensorLimits;
  readonly recurrentWeight: MLTensorLimits;
  readonly weight: MLTensorLimits;
}

/**
 * What a context supports: data types and ranks of every operand, one member for each operation.
 */
export interface MLOpSupportLimits {
  readonly preferredInputLayout: MLInputOperandLayout;
  readonly maxTensorByteLength: number;
  readonly input: MLTensorLimits;
  readonly constant: MLTensorLimits;
  readonly output: MLTensorLimits;
  readonly add: MLBinarySupportLimits;
  readonly sub: MLBinarySupportLimits;
  readonly mul: MLBinarySupportLimits;
  readonly div: MLBinarySupportLimits;
  readonly max: MLBinarySupportLimits;
  readonly min: MLBinarySupportLimits;
  readonly pow: MLBinarySupportLimits;
  readonly equal: MLBinarySupportLimits;
  readonly notEqual: MLBinarySupportLimits;
  readonly greater: MLBinarySupportLimits;
  readonly greaterOrEqual: MLBinarySupportLimits;
  readonly lesser: MLBinarySupportLimits;
  readonly lesserOrEqual: MLBinarySupportLimits;
  readonly logicalNot: MLLogicalNotSupportLimits;
  readonly logicalAnd: MLBinarySupportLimits;
  readonly logicalOr: MLBinarySupportLimits;
  readonly logicalXor: MLBinarySupportLimits;
  readonly isNaN: MLLogicalNotSupportLimits;
  readonly isInfinite: MLLogicalNotSupportLimits;
  readonly abs: MLSingleInputSupportLimits;
  readonly neg: MLSingleInputSupportLimits;
  readonly sign: MLSingleInputSupportLimits;
  readonly identity: MLSingleInputSupportLimits;
  readonly ceil: MLSingleInputSupportLimits;
  readonly cos: MLSingleInputSupportLimits;
  readonly erf: MLSingleInputSupportLimits;
  readonly exp: MLSingleInputSupportLimits;
  readonly floor: MLSingleInputSupportLimits;
  readonly log: MLSingleInputSupportLimits;
  readonly reciprocal: MLSingleInputSupportLimits;
  readonly roundEven: MLSingleInputSupportLimits;
  readonly sin: MLSingleInputSupportLimits;
  readonly sqrt: MLSingleInputSupportLimits;
  readonly tan: MLSingleInputSupportLimits;
  readonly elu: MLSingleInputSupportLimits;
  readonly gelu: MLSingleInputSupportLimits;
  readonly hardSigmoid: MLSingleInputSupportLimits;
  readonly hardSwish: MLSingleInputSupportLimits;
  readonly leakyRelu: MLSingleInputSupportLimits;
  readonly linear: MLSingleInputSupportLimits;
  readonly prelu: MLPreluSupportLimits;
  readonly relu: MLSingleInputSupportLimits;
  readonly sigmoid: MLSingleInputSupportLimits;
  readonly softmax: MLSingleInputSupportLimits;
  readonly softplus: MLSingleInputSupportLimits;
  readonly softsign: MLSingleInputSupportLimits;
  readonly tanh: MLSingleInputSupportLimits;
  readonly conv2d: MLConv2dSupportLimits;
  readonly convTranspose2d: MLConv2dSupportLimits;
  readonly averagePool2d: MLSingleInputSupportLimits;
  readonly l2Pool2d: MLSingleInputSupportLimits;
  readonly maxPool2d: MLSingleInputSupportLimits;
  readonly batchNormalization: MLBatchNormalizationSupportLimits;
  readonly instanceNormalization: MLNormalizationSupportLimits;
  readonly layerNormalization: MLNormalizationSupportLimits;
  readonly gemm: MLGemmSupportLimits;
  readonly matmul: MLBinarySupportLimits;
  readonly triangular: MLSingleInputSupportLimits;
  readonly argMax: MLSingleInputSupportLimits;
  readonly argMin: MLSingleInputSupportLimits;
  readonly cumulativeSum: MLSingleInputSupportLimits;
  readonly reduceL1: MLSingleInputSupportLimits;
  readonly reduceL2: MLSingleInputSupportLimits;
  readonly reduceLogSum: MLSingleInputSupportLimits;
  readonly reduceLogSumExp: MLSingleInputSupportLimits;
  readonly reduceMax: MLSingleInputSupportLimits;
  readonly reduceMean: MLSingleInputSupportLimits;
  readonly reduceMin: MLSingleInputSupportLimits;
  readonly reduceProduct: MLSingleInputSupportLimits;
  readonly reduceSum: MLSingleInputSupportLimits;
  readonly reduceSumSquare: MLSingleInputSupportLimits;
  readonly cast: MLSingleInputSupportLimits;
  readonly clamp: MLSingleInputSupportLimits;
  readonly concat: MLConcatSupportLimits;
  readonly expand: MLSingleInputSupportLimits;
  readonly pad: MLSingleInputSupportLimits;
  readonly reshape: MLSingleInputSupportLimits;
  readonly reverse: MLSingleInputSupportLimits;
  readonly slice: MLSingleInputSupportLimits;
  readonly split: MLSplitSupportLimits;
  readonly tile: MLSingleInputSupportLimits;
  readonly transpose: MLSingleInputSupportLimits;
  readonly gather: MLGatherSupportLimits;
  readonly gatherElements: MLGatherSupportLimits;
  readonly gatherND: MLGatherSupportLimits;
  readonly scatterElements: MLScatterSupportLimits;
  readonly scatterND: MLScatterSupportLimits;
  readonly where: MLWhereSupportLimits;
  readonly dequantizeLinear: MLQuantizeDequantizeLinearSupportLimits;
  readonly quantizeLinear: MLQuantizeDequantizeLinearSupportLimits;
  readonly gru: MLGruSupportLimits;
  readonly gruCell: MLGruCellSupportLimits;
  readonly lstm: MLLstmSupportLimits;
  readonly lstmCell: MLLstmCellSupportLimits;
  readonly resample2d: MLSingleInputSupportLimits;
}

/** The entry: makes contexts. */
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

  /**
   * Sum a + b of each pair of elements; integers wrap.
   *
   * @param a First operand. Has any type, rank 0 to 8.
   * @param b Second operand. Has the type of a, rank 0 to 8.
   * @returns output: the type of a, rank 0 to 8.
   * @throws {TypeError} Operands of another builder, data types, ranks, shapes or options that do not fit.
   * @throws {DOMException} InvalidStateError: the builder has built its graph, or the context is lost.
   * @see https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-add
   */
  add(a: MLOperand, b: MLOperand, options?: MLOperatorOptions): MLOperand;

  /**
   * Difference a - b of each pair of elements; integers wrap.
   *
   * @param a First operand. Has any type, rank 0 to 8.
   * @param b Second operand. Has the type of a, rank 0 to 8.
   * @returns output: the type of a, rank 0 to 8.
   * @throws {TypeError} Operands of another builder, data types, ranks, shapes or options that do not fit.
   * @throws {DOMException} InvalidStateError: the builder has built its graph, or the context is lost.
   * @see https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-sub
   */
  sub(a: MLOperand, b: MLOperand, options?: MLOperatorOptions): MLOperand;

  /**
   * Product a * b of each pair of elements; integers wrap.
   *
   * @param a First operand. Has any type, rank 0 to 8.
   * @param b Second operand. Has the type of a, rank 0 to 8.
   * @returns output: the type of a, rank 0 to 8.
   * @throws {TypeError} Operands of another builder, data types, ranks, shapes or options that do not fit.
   * @throws {DOMException} InvalidStateError: the builder has built its graph, or the context is lost.
   * @see https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-mul
   */
  mul(a: MLOperand, b: MLOperand, options?: MLOperatorOptions): MLOperand;

  /**
   * Quotient a / b of each pair of elements; integers truncate toward zero, division by an integer zero gives 0.
   *
   * @param a First operand. Has any type, rank 0 to 8.
   * @param b Second operand. Has the type of a, rank 0 to 8.
   * @returns output: the type of a, rank 0 to 8.
   * @throws {TypeError} Operands of another builder, data types, ranks, shapes or options that do not fit.
   * @throws {DOMException} InvalidStateError: the builder has built its graph, or the context is lost.
   * @see https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-div
   */
  div(a: MLOperand, b: MLOperand, options?: MLOperatorOptions): MLOperand;

  /**
   * The larger element of each pair; NaN propagates.
   *
   * @param a First operand. Has any type, rank 0 to 8.
   * @param b Second operand. Has the type of a, rank 0 to 8.
   * @returns output: the type of a, rank 0 to 8.
   * @throws {TypeError} Operands of another builder, data types, ranks, shapes or options that do not fit.
   * @throws {DOMException} InvalidStateError: the builder has built its graph, or the context is lost.
   * @see https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-max
   */
  max(a: MLOperand, b: MLOperand, options?: MLOperatorOptions): MLOperand;

  /**
   * The smaller element of each pair; NaN propagates.
   *
   * @param a First operand. Has any type, rank 0 to 8.
   * @param b Second operand. Has the type of a, rank 0 to 8.
   * @returns output: the type of a, rank 0 to 8.
   * @throws {TypeError} Operands of another builder, data types, ranks, shapes or options that do not fit.
   * @throws {DOMException} InvalidStateError: the builder has built its graph, or the context is lost.
   * @see https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-min
   */
  min(a: MLOperand, b: MLOperand, options?: MLOperatorOptions): MLOperand;

  /**
   * a raised to the power b, element by element.
   *
   * @param a First operand. Has any type, rank 0 to 8.
   * @param b Second operand. Has the type of a, rank 0 to 8.
   * @returns output: the type of a, rank 0 to 8.
   * @throws {TypeError} Operands of another builder, data types, ranks, shapes or options that do not fit.
   * @throws {DOMException} InvalidStateError: the builder has built its graph, or the context is lost.
   * @see https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-pow
   */
  pow(a: MLOperand, b: MLOperand, options?: MLOperatorOptions): MLOperand;

  /**
   * 1 where a equals b, else 0.
   *
   * @param a First operand. Has any type, rank 0 to 8.
   * @param b Second operand. Has the type of a, rank 0 to 8.
   * @returns output: uint8, rank 0 to 8.
   * @throws {TypeError} Operands of another builder, data types, ranks, shapes or options that do not fit.
   * @throws {DOMException} InvalidStateError: the builder has built its graph, or the context is lost.
   * @see https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-equal
   */
  equal(a: MLOperand, b: MLOperand, options?: MLOperatorOptions): MLOperand;

  /**
   * 1 where a differs from b, else 0.
   *
   * @param a First operand. Has any type, rank 0 to 8.
   * @param b Second operand. Has the type of a, rank 0 to 8.
   * @returns output: uint8, rank 0 to 8.
   * @throws {TypeError} Operands of another builder, data types, ranks, shapes or options that do not fit.
   * @throws {DOMException} InvalidStateError: the builder has built its graph, or the context is lost.
   * @see https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-notequal
   */
  notEqual(a: MLOperand, b: MLOperand, options?: MLOperatorOptions): MLOperand;

  /**
   * 1 where a is above b, else 0.
   *
   * @param a First operand. Has any type, rank 0 to 8.
   * @param b Second operand. Has the type of a, rank 0 to 8.
   * @returns output: uint8, rank 0 to 8.
   * @throws {TypeError} Operands of another builder, data types, ranks, shapes or options that do not fit.
   * @throws {DOMException} InvalidStateError: the builder has built its graph, or the context is lost.
   * @see https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-greater
   */
  greater(a: MLOperand, b: MLOperand, options?: MLOperatorOptions): MLOperand;

  /**
   * 1 where a is at least b, else 0.
   *
   * @param a First operand. Has any type, rank 0 to 8.
   * @param b Second operand. Has the type of a, rank 0 to 8.
   * @returns output: uint8, rank 0 to 8.
   * @throws {TypeError} Operands of another builder, data types, ranks, shapes or options that do not fit.
   * @throws {DOMException} InvalidStateError: the builder has built its graph, or the context is lost.
   * @see https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-greaterorequal
   */
  greaterOrEqual(a: MLOperand, b: MLOperand, options?: MLOperatorOptions): MLOperand;

  /**
   * 1 where a is below b, else 0.
   *
   * @param a First operand. Has any type, rank 0 to 8.
   * @param b Second operand. Has the type of a, rank 0 to 8.
   * @returns output: uint8, rank 0 to 8.
   * @throws {TypeError} Operands of another builder, data types, ranks, shapes or options that do not fit.
   * @throws {DOMException} InvalidStateError: the builder has built its graph, or the context is lost.
   * @see https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-lesser
   */
  lesser(a: MLOperand, b: MLOperand, options?: MLOperatorOptions): MLOperand;

  /**
   * 1 where a is at most b, else 0.
   *
   * @param a First operand. Has any type, rank 0 to 8.
   * @param b Second operand. Has the type of a, rank 0 to 8.
   * @returns output: uint8, rank 0 to 8.
   * @throws {TypeError} Operands of another builder, data types, ranks, shapes or options that do not fit.
   * @throws {DOMException} InvalidStateError: the builder has built its graph, or the context is lost.
   * @see https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-lesserorequal
   */
  lesserOrEqual(a: MLOperand, b: MLOperand, options?: MLOperatorOptions): MLOperand;

  /**
   * 1 where a is zero, else 0.
   *
   * @param a First operand. Has uint8, rank 0 to 8.
   * @returns output: uint8, rank 0 to 8.
   * @throws {TypeError} Operands of another builder, data types, ranks, shapes or options that do not fit.
   * @throws {DOMException} InvalidStateError: the builder has built its graph, or the context is lost.
   * @see https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-logicalnot
   */
  logicalNot(a: MLOperand, options?: MLOperatorOptions): MLOperand;

  /**
   * 1 where both are non-zero, else 0.
   *
   * @param a First operand. Has uint8, rank 0 to 8.
   * @param b Second operand. Has the type of a, rank 0 to 8.
   * @returns output: uint8, rank 0 to 8.
   * @throws {TypeError} Operands of another builder, data types, ranks, shapes or options that do not fit.
   * @throws {DOMException} InvalidStateError: the builder has built its graph, or the context is lost.
   * @see https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-logicaland
   */
  logicalAnd(a: MLOperand, b: MLOperand, options?: MLOperatorOptions): MLOperand;

  /**
   * 1 where either is non-zero, else 0.
   *
   * @param a First operand. Has uint8, rank 0 to 8.
   * @param b Second operand. Has the type of a, rank 0 to 8.
   * @returns output: uint8, rank 0 to 8.
   * @throws {TypeError} Operands of another builder, data types, ranks, shapes or options that do not fit.
   * @throws {DOMException} InvalidStateError: the builder has built its graph, or the context is lost.
   * @see https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-logicalor
   */
  logicalOr(a: MLOperand, b: MLOperand, options?: MLOperatorOptions): MLOperand;

  /**
   * 1 where exactly one is non-zero, else 0.
   *
   * @param a First operand. Has uint8, rank 0 to 8.
   * @param b Second operand. Has the type of a, rank 0 to 8.
   * @returns output: uint8, rank 0 to 8.
   * @throws {TypeError} Operands of another builder, data types, ranks, shapes or options that do not fit.
   * @throws {DOMException} InvalidStateError: the builder has built its graph, or the context is lost.
   * @see https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-logicalxor
   */
  logicalXor(a: MLOperand, b: MLOperand, options?: MLOperatorOptions): MLOperand;

  /**
   * 1 where a is not a number, else 0.
   *
   * @param a First operand. Has float32, float16, rank 0 to 8.
   * @returns output: uint8, rank 0 to 8.
   * @throws {TypeError} Operands of another builder, data types, ranks, shapes or options that do not fit.
   * @throws {DOMException} InvalidStateError: the builder has built its graph, or the context is lost.
   * @see https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-isnan
   */
  isNaN(a: MLOperand, options?: MLOperatorOptions): MLOperand;

  /**
   * 1 where a is an infinity of either sign, else 0.
   *
   * @param a First operand. Has float32, float16, rank 0 to 8.
   * @returns output: uint8, rank 0 to 8.
   * @throws {TypeError} Operands of another builder, data types, ranks, shapes or options that do not fit.
   * @throws {DOMException} InvalidStateError: the builder has built its graph, or the context is lost.
   * @see https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-isinfinite
   */
  isInfinite(a: MLOperand, options?: MLOperatorOptions): MLOperand;

  /**
   * Magnitude of each element.
   *
   * @param input Input tensor. Has float32, float16, int32, int64, int8, rank 0 to 8.
   * @returns output: the type of input, rank 0 to 8.
   * @throws {TypeError} Operands of another builder, data types, ranks, shapes or options that do not fit.
   * @throws {DOMException} InvalidStateError: the builder has built its graph, or the context is lost.
   * @see https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-abs
   */
  abs(input: MLOperand, options?: MLOperatorOptions): MLOperand;

  /**
   * Each element with its sign inverted.
   *
   * @param input Input tensor. Has float32, float16, int32, int64, int8, rank 0 to 8.
   * @returns output: the type of input, rank 0 to 8.
   * @throws {TypeError} Operands of another builder, data types, ranks, shapes or options that do not fit.
   * @throws {DOMException} InvalidStateError: the builder has built its graph, or the context is lost.
   * @see https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-neg
   */
  neg(input: MLOperand, options?: MLOperatorOptions): MLOperand;

  /**
   * -1, 0 or 1 by the sign of each element; 0 for NaN.
   *
   * @param input Input tensor. Has float32, float16, int32, int64, int8, rank 0 to 8.
   * @returns output: the type of input, rank 0 to 8.
   * @throws {TypeError} Operands of another builder, data types, ranks, shapes or options that do not fit.
   * @throws {DOMException} InvalidStateError: the builder has built its graph, or the context is lost.
   * @see https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-sign
   */
  sign(input: MLOperand, options?: MLOperatorOptions): MLOperand;

  /**
   * An unchanged copy.
   *
   * @param input Input tensor. Has any type, rank 0 to 8.
   * @returns output: the type of input, rank 0 to 8.
   * @throws {TypeError} Operands of another builder, data types, ranks, shapes or options that do not fit.
   * @throws {DOMException} InvalidStateError: the builder has built its graph, or the context is lost.
   * @see https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-identity
   */
  identity(input: MLOperand, options?: MLOperatorOptions): MLOperand;

  /**
   * Each element rounded up to a whole number.
   *
   * @param input Input tensor. Has float32, float16, rank 0 to 8.
   * @returns output: the type of input, rank 0 to 8.
   * @throws {TypeError} Operands of another builder, data types, ranks, shapes or options that do not fit.
   * @throws {DOMException} InvalidStateError: the builder has built its graph, or the context is lost.
   * @see https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-ceil
   */
  ceil(input: MLOperand, options?: MLOperatorOptions): MLOperand;

  /**
   * Cosine of each element, in radians.
   *
   * @param input Input tensor. Has float32, float16, rank 0 to 8.
   * @returns output: the type of input, rank 0 to 8.
   * @throws {TypeError} Operands of another builder, data types, ranks, shapes or options that do not fit.
   * @throws {DOMException} InvalidStateError: the builder has built its graph, or the context is lost.
   * @see https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-cos
   */
  cos(input: MLOperand, options?: MLOperatorOptions): MLOperand;

  /**
   * Gauss error function of each element.
   *
   * @param input Input tensor. Has float32, float16, rank 0 to 8.
   * @returns output: the type of input, rank 0 to 8.
   * @throws {TypeError} Operands of another builder, data types, ranks, shapes or options that do not fit.
   * @throws {DOMException} InvalidStateError: the builder has built its graph, or the context is lost.
   * @see https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-erf
   */
  erf(input: MLOperand, options?: MLOperatorOptions): MLOperand;

  /**
   * e to the power of each element.
   *
   * @param input Input tensor. Has float32, float16, rank 0 to 8.
   * @returns output: the type of input, rank 0 to 8.
   * @throws {TypeError} Operands of another builder, data types, ranks, shapes or options that do not fit.
   * @throws {DOMException} InvalidStateError: the builder has built its graph, or the context is lost.
   * @see https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-exp
   */
  exp(input: MLOperand, options?: MLOperatorOptions): MLOperand;

  /**
   * Each element rounded down to a whole number.
   *
   * @param input Input tensor. Has float32, float16, rank 0 to 8.
   * @returns output: the type of input, rank 0 to 8.
   * @throws {TypeError} Operands of another builder, data types, ranks, shapes or options that do not fit.
   * @throws {DOMException} InvalidStateError: the builder has built its graph, or the context is lost.
   * @see https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-floor
   */
  floor(input: MLOperand, options?: MLOperatorOptions): MLOperand;

  /**
   * Natural logarithm of each element.
   *
   * @param input Input tensor. Has float32, float16, rank 0 to 8.
   * @returns output: the type of input, rank 0 to 8.
   * @throws {TypeError} Operands of another builder, data types, ranks, shapes or options that do not fit.
   * @throws {DOMException} InvalidStateError: the builder has built its graph, or the context is lost.
   * @see https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-log
   */
  log(input: MLOperand, options?: MLOperatorOptions): MLOperand;

  /**
   * 1 / x of each element.
   *
   * @param input Input tensor. Has float32, float16, rank 0 to 8.
   * @returns output: the type of input, rank 0 to 8.
   * @throws {TypeError} Operands of another builder, data types, ranks, shapes or options that do not fit.
   * @throws {DOMException} InvalidStateError: the builder has built its graph, or the context is lost.
   * @see https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-reciprocal
   */
  reciprocal(input: MLOperand, options?: MLOperatorOptions): MLOperand;

  /**
   * Each element rounded to the nearest whole number, halves to the even one.
   *
   * @param input Input tensor. Has float32, float16, rank 0 to 8.
   * @returns output: the type of input, rank 0 to 8.
   * @throws {TypeError} Operands of another builder, data types, ranks, shapes or options that do not fit.
   * @throws {DOMException} InvalidStateError: the builder has built its graph, or the context is lost.
   * @see https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-roundeven
   */
  roundEven(input: MLOperand, options?: MLOperatorOptions): MLOperand;

  /**
   * Sine of each element, in radians.
   *
   * @param input Input tensor. Has float32, float16, rank 0 to 8.
   * @returns output: the type of input, rank 0 to 8.
   * @throws {TypeError} Operands of another builder, data types, ranks, shapes or options that do not fit.
   * @throws {DOMException} InvalidStateError: the builder has built its graph, or the context is lost.
   * @see https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-sin
   */
  sin(input: MLOperand, options?: MLOperatorOptions): MLOperand;

  /**
   * Square root of each element.
   *
   * @param input Input tensor. Has float32, float16, rank 0 to 8.
   * @returns output: the type of input, rank 0 to 8.
   * @throws {TypeError} Operands of another builder, data types, ranks, shapes or options that do not fit.
   * @throws {DOMException} InvalidStateError: the builder has built its graph, or the context is lost.
   * @see https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-sqrt
   */
  sqrt(input: MLOperand, options?: MLOperatorOptions): MLOperand;

  /**
   * Tangent of each element, in radians.
   *
   * @param input Input tensor. Has float32, float16, rank 0 to 8.
   * @returns output: the type of input, rank 0 to 8.
   * @throws {TypeError} Operands of another builder, data types, ranks, shapes or options that do not fit.
   * @throws {DOMException} InvalidStateError: the builder has built its graph, or the context is lost.
   * @see https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-tan
   */
  tan(input: MLOperand, options?: MLOperatorOptions): MLOperand;

  /**
   * Exponential linear unit: x from 0 up, alpha * (e^x - 1) below.
   *
   * @param input Input tensor. Has float32, float16, rank 0 to 8.
   * @returns output: the type of input, rank 0 to 8.
   * @throws {TypeError} Operands of another builder, data types, ranks, shapes or options that do not fit.
   * @throws {DOMException} InvalidStateError: the builder has built its graph, or the context is lost.
   * @see https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-elu
   */
  elu(input: MLOperand, options?: MLEluOptions): MLOperand;

  /**
   * Gaussian error linear unit, the exact form with erf.
   *
   * @param input Input tensor. Has float32, float16, rank 0 to 8.
   * @returns output: the type of input, rank 0 to 8.
   * @throws {TypeError} Operands of another builder, data types, ranks, shapes or options that do not fit.
   * @throws {DOMException} InvalidStateError: the builder has built its graph, or the context is lost.
   * @see https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-gelu
   */
  gelu(input: MLOperand, options?: MLOperatorOptions): MLOperand;

  /**
   * alpha * x + beta, limited to 0 .. 1.
   *
   * @param input Input tensor. Has float32, float16, rank 0 to 8.
   * @returns output: the type of input, rank 0 to 8.
   * @throws {TypeError} Operands of another builder, data types, ranks, shapes or options that do not fit.
   * @throws {DOMException} InvalidStateError: the builder has built its graph, or the context is lost.
   * @see https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-hardsigmoid
   */
  hardSigmoid(input: MLOperand, options?: MLHardSigmoidOptions): MLOperand;

  /**
   * x * clamp(x + 3, 0, 6) / 6.
   *
   * @param input Input tensor. Has float32, float16, rank 0 to 8.
   * @returns output: the type of input, rank 0 to 8.
   * @throws {TypeError} Operands of another builder, data types, ranks, shapes or options that do not fit.
   * @throws {DOMException} InvalidStateError: the builder has built its graph, or the context is lost.
   * @see https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-hardswish
   */
  hardSwish(input: MLOperand, options?: MLOperatorOptions): MLOperand;

  /**
   * x from 0 up, alpha * x below.
   *
   * @param input Input tensor. Has float32, float16, rank 0 to 8.
   * @returns output: the type of input, rank 0 to 8.
   * @throws {TypeError} Operands of another builder, data types, ranks, shapes or options that do not fit.
   * @throws {DOMException} InvalidStateError: the builder has built its graph, or the context is lost.
   * @see https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-leakyrelu
   */
  leakyRelu(input: MLOperand, options?: MLLeakyReluOptions): MLOperand;

  /**
   * alpha * x + beta.
   *
   * @param input Input tensor. Has float32, float16, rank 0 to 8.
   * @returns output: the type of input, rank 0 to 8.
   * @throws {TypeError} Operands of another builder, data types, ranks, shapes or options that do not fit.
   * @throws {DOMException} InvalidStateError: the builder has built its graph, or the context is lost.
   * @see https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-linear
   */
  linear(input: MLOperand, options?: MLLinearOptions): MLOperand;

  /**
   * x from 0 up, slope * x below; the slope is a tensor.
   *
   * @param input Input tensor. Has float32, float16, int32, int64, int8, rank 0 to 8.
   * @param slope Slope for negative elements. Has the type of input, rank 0 to 8.
   * @returns output: the type of input, rank 0 to 8.
   * @throws {TypeError} Operands of another builder, data types, ranks, shapes or options that do not fit.
   * @throws {DOMException} InvalidStateError: the builder has built its graph, or the context is lost.
   * @see https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-prelu
   */
  prelu(input: MLOperand, slope: MLOperand, options?: MLOperatorOptions): MLOperand;

  /**
   * max(x, 0).
   *
   * @param input Input tensor. Has float32, float16, int32, int64, int8, rank 0 to 8.
   * @returns output: the type of input, rank 0 to 8.
   * @throws {TypeError} Operands of another builder, data types, ranks, shapes or options that do not fit.
   * @throws {DOMException} InvalidStateError: the builder has built its graph, or the context is lost.
   * @see https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-relu
   */
  relu(input: MLOperand, options?: MLOperatorOptions): MLOperand;

  /**
   * Logistic function 1 / (1 + e^-x).
   *
   * @param input Input tensor. Has float32, float16, rank 0 to 8.
   * @returns output: the type of input, rank 0 to 8.
   * @throws {TypeError} Operands of another builder, data types, ranks, shapes or options that do not fit.
   * @throws {DOMException} InvalidStateError: the builder has built its graph, or the context is lost.
   * @see https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-sigmoid
   */
  sigmoid(input: MLOperand, options?: MLOperatorOptions): MLOperand;

  /**
   * Exponentials along one axis, scaled to sum 1.
   *
   * @param input Input tensor. Has float32, float16, rank 1 to 8.
   * @param axis Dimension the operation works along. (0 to 4294967295)
   * @returns output: the type of input, rank 1 to 8.
   * @throws {TypeError} Operands of another builder, data types, ranks, shapes or options that do not fit.
   * @throws {DOMException} InvalidStateError: the builder has built its graph, or the context is lost.
   * @see https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-softmax
   */
  softmax(input: MLOperand, axis: number, options?: MLOperatorOptions): MLOperand;

  /**
   * ln(1 + e^x).
   *
   * @param input Input tensor. Has float32, float16, rank 0 to 8.
   * @returns output: the type of input, rank 0 to 8.
   * @throws {TypeError} Operands of another builder, data types, ranks, shapes or options that do not fit.
   * @throws {DOMException} InvalidStateError: the builder has built its graph, or the context is lost.
   * @see https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-softplus
   */
  softplus(input: MLOperand, options?: MLOperatorOptions): MLOperand;

  /**
   * x / (1 + |x|).
   *
   * @param input Input tensor. Has float32, float16, rank 0 to 8.
   * @returns output: the type of input, rank 0 to 8.
   * @throws {TypeError} Operands of another builder, data types, ranks, shapes or options that do not fit.
   * @throws {DOMException} InvalidStateError: the builder has built its graph, or the context is lost.
   * @see https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-softsign
   */
  softsign(input: MLOperand, options?: MLOperatorOptions): MLOperand;

  /**
   * Hyperbolic tangent of each element.
   *
   * @param input Input tensor. Has float32, float16, rank 0 to 8.
   * @returns output: the type of input, rank 0 to 8.
   * @throws {TypeError} Operands of another builder, data types, ranks, shapes or options that do not fit.
   * @throws {DOMException} InvalidStateError: the builder has built its graph, or the context is lost.
   * @see https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-tanh
   */
  tanh(input: MLOperand, options?: MLOperatorOptions): MLOperand;

  /**
   * 2-D convolution (cross-correlation) of a 4-D input with a 4-D filter.
   *
   * @param input Input tensor. Has float32, float16, rank 4.
   * @param filter Filter tensor. Has the type of input, rank 4.
   * @returns output: the type of input, rank 4.
   * @throws {TypeError} Operands of another builder, data types, ranks, shapes or options that do not fit.
   * @throws {DOMException} InvalidStateError: the builder has built its graph, or the context is lost.
   * @see https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-conv2d
   */
  conv2d(input: MLOperand, filter: MLOperand, options?: MLConv2dOptions): MLOperand;

  /**
   * Transposed 2-D convolution, which upsamples by its strides.
   *
   * @param input Input tensor. Has float32, float16, rank 4.
   * @param filter Filter tensor. Has the type of input, rank 4.
   * @returns output: the type of input, rank 4.
   * @throws {TypeError} Operands of another builder, data types, ranks, shapes or options that do not fit.
   * @throws {DOMException} InvalidStateError: the builder has built its graph, or the context is lost.
   * @see https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-convtranspose2d
   */
  convTranspose2d(input: MLOperand, filter: MLOperand, options?: MLConvTranspose2dOptions): MLOperand;

  /**
   * Mean over a sliding window; padding does not count.
   *
   * @param input Input tensor. Has float32, float16, rank 4.
   * @returns output: the type of input, rank 4.
   * @throws {TypeError} Operands of another builder, data types, ranks, shapes or options that do not fit.
   * @throws {DOMException} InvalidStateError: the builder has built its graph, or the context is lost.
   * @see https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-averagepool2d
   */
  averagePool2d(input: MLOperand, options?: MLPool2dOptions): MLOperand;

  /**
   * Euclidean norm over a sliding window.
   *
   * @param input Input tensor. Has float32, float16, rank 4.
   * @returns output: the type of input, rank 4.
   * @throws {TypeError} Operands of another builder, data types, ranks, shapes or options that do not fit.
   * @throws {DOMException} InvalidStateError: the builder has built its graph, or the context is lost.
   * @see https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-l2pool2d
   */
  l2Pool2d(input: MLOperand, options?: MLPool2dOptions): MLOperand;

  /**
   * Maximum over a sliding window; padding never wins.
   *
   * @param input Input tensor. Has any type, rank 4.
   * @returns output: the type of input, rank 4.
   * @throws {TypeError} Operands of another builder, data types, ranks, shapes or options that do not fit.
   * @throws {DOMException} InvalidStateError: the builder has built its graph, or the context is lost.
   * @see https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-maxpool2d
   */
  maxPool2d(input: MLOperand, options?: MLPool2dOptions): MLOperand;

  /**
   * Normalizes each channel by given mean and variance, then scales and shifts.
   *
   * @param input Input tensor. Has float32, float16, rank 1 to 8.
   * @param mean Mean of each channel. Has the type of input, rank 1.
   * @param variance Variance of each channel. Has the type of input, rank 1.
   * @returns output: the type of input, rank 1 to 8.
   * @throws {TypeError} Operands of another builder, data types, ranks, shapes or options that do not fit.
   * @throws {DOMException} InvalidStateError: the builder has built its graph, or the context is lost.
   * @see https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-batchnormalization
   */
  batchNormalization(input: MLOperand, mean: MLOperand, variance: MLOperand, options?: MLBatchNormalizationOptions): MLOperand;

  /**
   * Normalizes each channel of each sample by its own spatial mean and variance.
   *
   * @param input Input tensor. Has float32, float16, rank 4.
   * @returns output: the type of input, rank 4.
   * @throws {TypeError} Operands of another builder, data types, ranks, shapes or options that do not fit.
   * @throws {DOMException} InvalidStateError: the builder has built its graph, or the context is lost.
   * @see https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-instancenormalization
   */
  instanceNormalization(input: MLOperand, options?: MLInstanceNormalizationOptions): MLOperand;

  /**
   * Normalizes over the given axes by the mean and variance found there.
   *
   * @param input Input tensor. Has float32, float16, rank 0 to 8.
   * @returns output: the type of input, rank 0 to 8.
   * @throws {TypeError} Operands of another builder, data types, ranks, shapes or options that do not fit.
   * @throws {DOMException} InvalidStateError: the builder has built its graph, or the context is lost.
   * @see https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-layernormalization
   */
  layerNormalization(input: MLOperand, options?: MLLayerNormalizationOptions): MLOperand;

  /**
   * alpha * A * B + beta * C for matrices, either one transposed on demand.
   *
   * @param a First operand. Has float32, float16, rank 2.
   * @param b Second operand. Has the type of a, rank 2.
   * @returns output: the type of a, rank 2.
   * @throws {TypeError} Operands of another builder, data types, ranks, shapes or options that do not fit.
   * @throws {DOMException} InvalidStateError: the builder has built its graph, or the context is lost.
   * @see https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-gemm
   */
  gemm(a: MLOperand, b: MLOperand, options?: MLGemmOptions): MLOperand;

  /**
   * Matrix product; leading dimensions broadcast.
   *
   * @param a First operand. Has float32, float16, rank 2 to 8.
   * @param b Second operand. Has the type of a, rank 2 to 8.
   * @returns output: the type of a, rank 2 to 8.
   * @throws {TypeError} Operands of another builder, data types, ranks, shapes or options that do not fit.
   * @throws {DOMException} InvalidStateError: the builder has built its graph, or the context is lost.
   * @see https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-matmul
   */
  matmul(a: MLOperand, b: MLOperand, options?: MLOperatorOptions): MLOperand;

  /**
   * Upper or lower triangle of the last two dimensions, zero elsewhere.
   *
   * @param input Input tensor. Has any type, rank 2 to 8.
   * @returns output: the type of input, rank 2 to 8.
   * @throws {TypeError} Operands of another builder, data types, ranks, shapes or options that do not fit.
   * @throws {DOMException} InvalidStateError: the builder has built its graph, or the context is lost.
   * @see https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-triangular
   */
  triangular(input: MLOperand, options?: MLTriangularOptions): MLOperand;

  /**
   * Index of the largest element along an axis, the first one on a tie.
   *
   * @param input Input tensor. Has any type, rank 1 to 8.
   * @param axis Dimension the operation works along. (0 to 4294967295)
   * @returns output: int32, int64, rank 0 to 8.
   * @throws {TypeError} Operands of another builder, data types, ranks, shapes or options that do not fit.
   * @throws {DOMException} InvalidStateError: the builder has built its graph, or the context is lost.
   * @see https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-argmax
   */
  argMax(input: MLOperand, axis: number, options?: MLArgMinMaxOptions): MLOperand;

  /**
   * Index of the smallest element along an axis, the first one on a tie.
   *
   * @param input Input tensor. Has any type, rank 1 to 8.
   * @param axis Dimension the operation works along. (0 to 4294967295)
   * @returns output: int32, int64, rank 0 to 8.
   * @throws {TypeError} Operands of another builder, data types, ranks, shapes or options that do not fit.
   * @throws {DOMException} InvalidStateError: the builder has built its graph, or the context is lost.
   * @see https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-argmin
   */
  argMin(input: MLOperand, axis: number, options?: MLArgMinMaxOptions): MLOperand;

  /**
   * Running sum along an axis.
   *
   * @param input Input tensor. Has float32, float16, int32, uint32, int64, uint64, rank 1 to 8.
   * @param axis Dimension the operation works along. (taken modulo 2^32)
   * @returns output: the type of input, rank 1 to 8.
   * @throws {TypeError} Operands of another builder, data types, ranks, shapes or options that do not fit.
   * @throws {DOMException} InvalidStateError: the builder has built its graph, or the context is lost.
   * @see https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-cumulativesum
   */
  cumulativeSum(input: MLOperand, axis: number, options?: MLCumulativeSumOptions): MLOperand;

  /**
   * Sum of magnitudes over axes.
   *
   * @param input Input tensor. Has float32, float16, int32, uint32, int64, uint64, rank 0 to 8.
   * @returns output: the type of input, rank 0 to 8.
   * @throws {TypeError} Operands of another builder, data types, ranks, shapes or options that do not fit.
   * @throws {DOMException} InvalidStateError: the builder has built its graph, or the context is lost.
   * @see https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-reducel1
   */
  reduceL1(input: MLOperand, options?: MLReduceOptions): MLOperand;

  /**
   * Square root of the sum of squares over axes.
   *
   * @param input Input tensor. Has float32, float16, rank 0 to 8.
   * @returns output: the type of input, rank 0 to 8.
   * @throws {TypeError} Operands of another builder, data types, ranks, shapes or options that do not fit.
   * @throws {DOMException} InvalidStateError: the builder has built its graph, or the context is lost.
   * @see https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-reducel2
   */
  reduceL2(input: MLOperand, options?: MLReduceOptions): MLOperand;

  /**
   * Logarithm of the sum over axes.
   *
   * @param input Input tensor. Has float32, float16, rank 0 to 8.
   * @returns output: the type of input, rank 0 to 8.
   * @throws {TypeError} Operands of another builder, data types, ranks, shapes or options that do not fit.
   * @throws {DOMException} InvalidStateError: the builder has built its graph, or the context is lost.
   * @see https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-reducelogsum
   */
  reduceLogSum(input: MLOperand, options?: MLReduceOptions): MLOperand;

  /**
   * Logarithm of the sum of exponentials over axes.
   *
   * @param input Input tensor. Has float32, float16, rank 0 to 8.
   * @returns output: the type of input, rank 0 to 8.
   * @throws {TypeError} Operands of another builder, data types, ranks, shapes or options that do not fit.
   * @throws {DOMException} InvalidStateError: the builder has built its graph, or the context is lost.
   * @see https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-reducelogsumexp
   */
  reduceLogSumExp(input: MLOperand, options?: MLReduceOptions): MLOperand;

  /**
   * Maximum over axes; NaN propagates.
   *
   * @param input Input tensor. Has any type, rank 0 to 8.
   * @returns output: the type of input, rank 0 to 8.
   * @throws {TypeError} Operands of another builder, data types, ranks, shapes or options that do not fit.
   * @throws {DOMException} InvalidStateError: the builder has built its graph, or the context is lost.
   * @see https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-reducemax
   */
  reduceMax(input: MLOperand, options?: MLReduceOptions): MLOperand;

  /**
   * Mean over axes.
   *
   * @param input Input tensor. Has float32, float16, rank 0 to 8.
   * @returns output: the type of input, rank 0 to 8.
   * @throws {TypeError} Operands of another builder, data types, ranks, shapes or options that do not fit.
   * @throws {DOMException} InvalidStateError: the builder has built its graph, or the context is lost.
   * @see https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-reducemean
   */
  reduceMean(input: MLOperand, options?: MLReduceOptions): MLOperand;

  /**
   * Minimum over axes; NaN propagates.
   *
   * @param input Input tensor. Has any type, rank 0 to 8.
   * @returns output: the type of input, rank 0 to 8.
   * @throws {TypeError} Operands of another builder, data types, ranks, shapes or options that do not fit.
   * @throws {DOMException} InvalidStateError: the builder has built its graph, or the context is lost.
   * @see https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-reducemin
   */
  reduceMin(input: MLOperand, options?: MLReduceOptions): MLOperand;

  /**
   * Product over axes.
   *
   * @param input Input tensor. Has float32, float16, int32, uint32, int64, uint64, rank 0 to 8.
   * @returns output: the type of input, rank 0 to 8.
   * @throws {TypeError} Operands of another builder, data types, ranks, shapes or options that do not fit.
   * @throws {DOMException} InvalidStateError: the builder has built its graph, or the context is lost.
   * @see https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-reduceproduct
   */
  reduceProduct(input: MLOperand, options?: MLReduceOptions): MLOperand;

  /**
   * Sum over axes.
   *
   * @param input Input tensor. Has float32, float16, int32, uint32, int64, uint64, rank 0 to 8.
   * @returns output: the type of input, rank 0 to 8.
   * @throws {TypeError} Operands of another builder, data types, ranks, shapes or options that do not fit.
   * @throws {DOMException} InvalidStateError: the builder has built its graph, or the context is lost.
   * @see https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-reducesum
   */
  reduceSum(input: MLOperand, options?: MLReduceOptions): MLOperand;

  /**
   * Sum of squares over axes.
   *
   * @param input Input tensor. Has float32, float16, int32, uint32, int64, uint64, rank 0 to 8.
   * @returns output: the type of input, rank 0 to 8.
   * @throws {TypeError} Operands of another builder, data types, ranks, shapes or options that do not fit.
   * @throws {DOMException} InvalidStateError: the builder has built its graph, or the context is lost.
   * @see https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-reducesumsquare
   */
  reduceSumSquare(input: MLOperand, options?: MLReduceOptions): MLOperand;

  /**
   * Converts each element to another data type.
   *
   * @param input Input tensor. Has any type, rank 0 to 8.
   * @param dataType Data type of the output.
   * @returns output: any type, rank 0 to 8.
   * @throws {TypeError} Operands of another builder, data types, ranks, shapes or options that do not fit.
   * @throws {DOMException} InvalidStateError: the builder has built its graph, or the context is lost.
   * @see https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-cast
   */
  cast(input: MLOperand, dataType: MLOperandDataType, options?: MLOperatorOptions): MLOperand;

  /**
   * Limits each element to minValue .. maxValue.
   *
   * @param input Input tensor. Has any type, rank 0 to 8.
   * @returns output: the type of input, rank 0 to 8.
   * @throws {TypeError} Operands of another builder, data types, ranks, shapes or options that do not fit.
   * @throws {DOMException} InvalidStateError: the builder has built its graph, or the context is lost.
   * @see https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-clamp
   */
  clamp(input: MLOperand, options?: MLClampOptions): MLOperand;

  /**
   * Joins tensors along an axis.
   *
   * @param inputs Tensors to join. Has any type, rank 1 to 8.
   * @param axis Dimension the operation works along. (0 to 4294967295)
   * @returns output: the type of inputs, rank 1 to 8.
   * @throws {TypeError} Operands of another builder, data types, ranks, shapes or options that do not fit.
   * @throws {DOMException} InvalidStateError: the builder has built its graph, or the context is lost.
   * @see https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-concat
   */
  concat(inputs: Iterable<MLOperand>, axis: number, options?: MLOperatorOptions): MLOperand;

  /**
   * Repeats dimensions of size 1 to reach a larger shape.
   *
   * @param input Input tensor. Has any type, rank 0 to 8.
   * @param newShape Shape of the output. (each at least 1)
   * @returns output: the type of input, rank 0 to 8.
   * @throws {TypeError} Operands of another builder, data types, ranks, shapes or options that do not fit.
   * @throws {DOMException} InvalidStateError: the builder has built its graph, or the context is lost.
   * @see https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-expand
   */
  expand(input: MLOperand, newShape: Iterable<number>, options?: MLOperatorOptions): MLOperand;

  /**
   * Adds elements around the tensor.
   *
   * @param input Input tensor. Has any type, rank 0 to 8.
   * @param beginningPadding Elements added before each dimension. (0 to 4294967295)
   * @param endingPadding Elements added after each dimension. (0 to 4294967295)
   * @returns output: the type of input, rank 0 to 8.
   * @throws {TypeError} Operands of another builder, data types, ranks, shapes or options that do not fit.
   * @throws {DOMException} InvalidStateError: the builder has built its graph, or the context is lost.
   * @see https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-pad
   */
  pad(input: MLOperand, beginningPadding: Iterable<number>, endingPadding: Iterable<number>, options?: MLPadOptions): MLOperand;

  /**
   * The same elements under another shape.
   *
   * @param input Input tensor. Has any type, rank 0 to 8.
   * @param newShape Shape of the output. (each at least 1)
   * @returns output: the type of input, rank 0 to 8.
   * @throws {TypeError} Operands of another builder, data types, ranks, shapes or options that do not fit.
   * @throws {DOMException} InvalidStateError: the builder has built its graph, or the context is lost.
   * @see https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-reshape
   */
  reshape(input: MLOperand, newShape: Iterable<number>, options?: MLOperatorOptions): MLOperand;

  /**
   * Reverses the order of elements along axes.
   *
   * @param input Input tensor. Has any type, rank 0 to 8.
   * @returns output: the type of input, rank 0 to 8.
   * @throws {TypeError} Operands of another builder, data types, ranks, shapes or options that do not fit.
   * @throws {DOMException} InvalidStateError: the builder has built its graph, or the context is lost.
   * @see https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-reverse
   */
  reverse(input: MLOperand, options?: MLReverseOptions): MLOperand;

  /**
   * A window of the tensor, optionally strided.
   *
   * @param input Input tensor. Has any type, rank 0 to 8.
   * @param starts First index in each dimension. (0 to 4294967295)
   * @param sizes Extent in each dimension. (each at least 1)
   * @returns output: the type of input, rank 0 to 8.
   * @throws {TypeError} Operands of another builder, data types, ranks, shapes or options that do not fit.
   * @throws {DOMException} InvalidStateError: the builder has built its graph, or the context is lost.
   * @see https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-slice
   */
  slice(input: MLOperand, starts: Iterable<number>, sizes: Iterable<number>, options?: MLSliceOptions): MLOperand;

  /**
   * Cuts the tensor into parts along an axis.
   *
   * @param input Input tensor. Has any type, rank 1 to 8.
   * @param splits Number of equal parts, or the size of each part.
   * @returns outputs: the type of input, rank 1 to 8.
   * @throws {TypeError} Operands of another builder, data types, ranks, shapes or options that do not fit.
   * @throws {DOMException} InvalidStateError: the builder has built its graph, or the context is lost.
   * @see https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-split
   */
  split(input: MLOperand, splits: number | Iterable<number>, options?: MLSplitOptions): MLOperand[];

  /**
   * Repeats the whole tensor along each dimension.
   *
   * @param input Input tensor. Has any type, rank 0 to 8.
   * @param repetitions Repeat count of each dimension. (each at least 1)
   * @returns output: the type of input, rank 0 to 8.
   * @throws {TypeError} Operands of another builder, data types, ranks, shapes or options that do not fit.
   * @throws {DOMException} InvalidStateError: the builder has built its graph, or the context is lost.
   * @see https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-tile
   */
  tile(input: MLOperand, repetitions: Iterable<number>, options?: MLOperatorOptions): MLOperand;

  /**
   * Permutes the dimensions.
   *
   * @param input Input tensor. Has any type, rank 0 to 8.
   * @returns output: the type of input, rank 0 to 8.
   * @throws {TypeError} Operands of another builder, data types, ranks, shapes or options that do not fit.
   * @throws {DOMException} InvalidStateError: the builder has built its graph, or the context is lost.
   * @see https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-transpose
   */
  transpose(input: MLOperand, options?: MLTransposeOptions): MLOperand;

  /**
   * Takes slices along an axis by index.
   *
   * @param input Input tensor. Has any type, rank 1 to 8.
   * @param indices Integer indices; negative ones count from the end, others are clamped into range. Has int32, uint32, int64, rank 0 to 8.
   * @returns output: the type of input, rank 0 to 8.
   * @throws {TypeError} Operands of another builder, data types, ranks, shapes or options that do not fit.
   * @throws {DOMException} InvalidStateError: the builder has built its graph, or the context is lost.
   * @see https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-gather
   */
  gather(input: MLOperand, indices: MLOperand, options?: MLGatherOptions): MLOperand;

  /**
   * Takes single elements along an axis by index.
   *
   * @param input Input tensor. Has any type, rank 1 to 8.
   * @param indices Integer indices; negative ones count from the end, others are clamped into range. Has int32, uint32, int64, rank 1 to 8.
   * @returns output: the type of input, rank 1 to 8.
   * @throws {TypeError} Operands of another builder, data types, ranks, shapes or options that do not fit.
   * @throws {DOMException} InvalidStateError: the builder has built its graph, or the context is lost.
   * @see https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-gatherelements
   */
  gatherElements(input: MLOperand, indices: MLOperand, options?: MLGatherOptions): MLOperand;

  /**
   * Takes slices by full coordinates.
   *
   * @param input Input tensor. Has any type, rank 1 to 8.
   * @param indices Integer indices; negative ones count from the end, others are clamped into range. Has int32, uint32, int64, rank 1 to 8.
   * @returns output: the type of input, rank 0 to 8.
   * @throws {TypeError} Operands of another builder, data types, ranks, shapes or options that do not fit.
   * @throws {DOMException} InvalidStateError: the builder has built its graph, or the context is lost.
   * @see https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-gathernd
   */
  gatherND(input: MLOperand, indices: MLOperand, options?: MLOperatorOptions): MLOperand;

  /**
   * A copy of input with single elements replaced along an axis.
   *
   * @param input Input tensor. Has any type, rank 1 to 8.
   * @param indices Integer indices; negative ones count from the end, others are clamped into range. Has int32, uint32, int64, rank 1 to 8.
   * @param updates New values. Has the type of input, rank 1 to 8.
   * @returns output: the type of input, rank 1 to 8.
   * @throws {TypeError} Operands of another builder, data types, ranks, shapes or options that do not fit.
   * @throws {DOMException} InvalidStateError: the builder has built its graph, or the context is lost.
   * @see https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-scatterelements
   */
  scatterElements(input: MLOperand, indices: MLOperand, updates: MLOperand, options?: MLScatterOptions): MLOperand;

  /**
   * A copy of input with slices replaced at full coordinates.
   *
   * @param input Input tensor. Has any type, rank 1 to 8.
   * @param indices Integer indices; negative ones count from the end, others are clamped into range. Has int32, uint32, int64, rank 1 to 8.
   * @param updates New values. Has the type of input, rank 0 to 8.
   * @returns output: the type of input, rank 1 to 8.
   * @throws {TypeError} Operands of another builder, data types, ranks, shapes or options that do not fit.
   * @throws {DOMException} InvalidStateError: the builder has built its graph, or the context is lost.
   * @see https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-scatternd
   */
  scatterND(input: MLOperand, indices: MLOperand, updates: MLOperand, options?: MLOperatorOptions): MLOperand;

  /**
   * Elements of trueValue or falseValue, chosen by condition.
   *
   * @param condition uint8, non-zero is true. Has uint8, rank 0 to 8.
   * @param trueValue Values where condition holds. Has any type, rank 0 to 8.
   * @param falseValue Values elsewhere. Has the type of trueValue, rank 0 to 8.
   * @returns output: the type of trueValue, rank 0 to 8.
   * @throws {TypeError} Operands of another builder, data types, ranks, shapes or options that do not fit.
   * @throws {DOMException} InvalidStateError: the builder has built its graph, or the context is lost.
   * @see https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-where
   */
  where(condition: MLOperand, trueValue: MLOperand, falseValue: MLOperand, options?: MLOperatorOptions): MLOperand;

  /**
   * (input - zeroPoint) * scale; scale and zeroPoint broadcast by blocks.
   *
   * @param input Input tensor. Has uint8, int8, uint32, int32, rank 0 to 8.
   * @param scale Factors. Has float32, float16, rank 0 to 8.
   * @param zeroPoint Integer that stands for zero. Has the type of input, rank 0 to 8.
   * @returns output: the type of scale, rank 0 to 8.
   * @throws {TypeError} Operands of another builder, data types, ranks, shapes or options that do not fit.
   * @throws {DOMException} InvalidStateError: the builder has built its graph, or the context is lost.
   * @see https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-dequantizelinear
   */
  dequantizeLinear(input: MLOperand, scale: MLOperand, zeroPoint: MLOperand, options?: MLOperatorOptions): MLOperand;

  /**
   * roundEven(input / scale) + zeroPoint, limited to the range of the integer type.
   *
   * @param input Input tensor. Has float32, float16, rank 0 to 8.
   * @param scale Factors. Has the type of input, rank 0 to 8.
   * @param zeroPoint Integer that stands for zero. Has uint8, int8, uint32, int32, rank 0 to 8.
   * @returns output: the type of zeroPoint, rank 0 to 8.
   * @throws {TypeError} Operands of another builder, data types, ranks, shapes or options that do not fit.
   * @throws {DOMException} InvalidStateError: the builder has built its graph, or the context is lost.
   * @see https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-quantizelinear
   */
  quantizeLinear(input: MLOperand, scale: MLOperand, zeroPoint: MLOperand, options?: MLOperatorOptions): MLOperand;

  /**
   * Gated recurrent unit over a whole sequence.
   *
   * @param input Input tensor. Has float32, float16, rank 3.
   * @param weight Input weights, gates packed. Has the type of input, rank 3.
   * @param recurrentWeight Recurrent weights, gates packed. Has the type of input, rank 3.
   * @param steps Number of time steps. (at least 1)
   * @param hiddenSize Number of features in the hidden state. (at least 1)
   * @returns output0: the type of input, rank 3; output1: the type of input, rank 4.
   * @throws {TypeError} Operands of another builder, data types, ranks, shapes or options that do not fit.
   * @throws {DOMException} InvalidStateError: the builder has built its graph, or the context is lost.
   * @see https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-gru
   */
  gru(input: MLOperand, weight: MLOperand, recurrentWeight: MLOperand, steps: number, hiddenSize: number, options?: MLGruOptions): MLOperand[];

  /**
   * One step of a gated recurrent unit.
   *
   * @param input Input tensor. Has float32, float16, rank 2.
   * @param weight Input weights, gates packed. Has the type of input, rank 2.
   * @param recurrentWeight Recurrent weights, gates packed. Has the type of input, rank 2.
   * @param hiddenState Hidden state before the step. Has the type of input, rank 2.
   * @param hiddenSize Number of features in the hidden state. (at least 1)
   * @returns output: the type of input, rank 2.
   * @throws {TypeError} Operands of another builder, data types, ranks, shapes or options that do not fit.
   * @throws {DOMException} InvalidStateError: the builder has built its graph, or the context is lost.
   * @see https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-grucell
   */
  gruCell(input: MLOperand, weight: MLOperand, recurrentWeight: MLOperand, hiddenState: MLOperand, hiddenSize: number, options?: MLGruCellOptions): MLOperand;

  /**
   * Long short-term memory over a whole sequence.
   *
   * @param input Input tensor. Has float32, float16, rank 3.
   * @param weight Input weights, gates packed. Has the type of input, rank 3.
   * @param recurrentWeight Recurrent weights, gates packed. Has the type of input, rank 3.
   * @param steps Number of time steps. (at least 1)
   * @param hiddenSize Number of features in the hidden state. (at least 1)
   * @returns output0: the type of input, rank 3; output1: the type of input, rank 3; output2: the type of input, rank 4.
   * @throws {TypeError} Operands of another builder, data types, ranks, shapes or options that do not fit.
   * @throws {DOMException} InvalidStateError: the builder has built its graph, or the context is lost.
   * @see https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-lstm
   */
  lstm(input: MLOperand, weight: MLOperand, recurrentWeight: MLOperand, steps: number, hiddenSize: number, options?: MLLstmOptions): MLOperand[];

  /**
   * One step of a long short-term memory.
   *
   * @param input Input tensor. Has float32, float16, rank 2.
   * @param weight Input weights, gates packed. Has the type of input, rank 2.
   * @param recurrentWeight Recurrent weights, gates packed. Has the type of input, rank 2.
   * @param hiddenState Hidden state before the step. Has the type of input, rank 2.
   * @param cellState Cell state before the step. Has the type of input, rank 2.
   * @param hiddenSize Number of features in the hidden state. (at least 1)
   * @returns output0: the type of input, rank 2; output1: the type of input, rank 2.
   * @throws {TypeError} Operands of another builder, data types, ranks, shapes or options that do not fit.
   * @throws {DOMException} InvalidStateError: the builder has built its graph, or the context is lost.
   * @see https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-lstmcell
   */
  lstmCell(input: MLOperand, weight: MLOperand, recurrentWeight: MLOperand, hiddenState: MLOperand, cellState: MLOperand, hiddenSize: number, options?: MLLstmCellOptions): MLOperand[];

  /**
   * Resizes two dimensions of a 4-D tensor.
   *
   * @param input Input tensor. Has float32, float16, int8, uint8, rank 4.
   * @returns output: the type of input, rank 4.
   * @throws {TypeError} Operands of another builder, data types, ranks, shapes or options that do not fit.
   * @throws {DOMException} InvalidStateError: the builder has built its graph, or the context is lost.
   * @see https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-resample2d
   */
  resample2d(input: MLOperand, options?: MLResample2dOptions): MLOperand;
}

/** The entry, as navigator.ml in a browser. */
export declare const ml: ML;
