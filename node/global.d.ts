// Types of 'libwebnn/global': navigator.ml and the interfaces as globals.
import type * as webnn from './index.js';

declare global {
  var ML: typeof webnn.ML;
  var MLContext: typeof webnn.MLContext;
  var MLGraphBuilder: typeof webnn.MLGraphBuilder;
  var MLGraph: typeof webnn.MLGraph;
  var MLOperand: typeof webnn.MLOperand;
  var MLTensor: typeof webnn.MLTensor;
  type ML = webnn.ML;
  type MLContext = webnn.MLContext;
  type MLGraphBuilder = webnn.MLGraphBuilder;
  type MLGraph = webnn.MLGraph;
  type MLOperand = webnn.MLOperand;
  type MLTensor = webnn.MLTensor;
  interface Navigator {
    readonly ml: webnn.ML;
  }
  var navigator: Navigator;
}

export {};
