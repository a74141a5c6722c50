// The module for import statements; both kinds of import share one set of classes.
import webnn from './index.js';

export const { ml, ML, MLContext, MLGraphBuilder, MLGraph, MLOperand, MLTensor } = webnn;
export default webnn;
