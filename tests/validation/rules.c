/* Rules between operands and parameters, which the table cannot say: calls with the error they must give. */
#include "support/test.h"
#include "validation/calls.h"

#define ARITHMETIC "add sub mul div max min pow "
#define COMPARISON "equal notEqual greater greaterOrEqual lesser lesserOrEqual"
#define REDUCE                                                                                                         \
  "reduceL1 reduceL2 reduceLogSum reduceLogSumExp reduceMax reduceMean reduceMin reduceProduct reduceSum "             \
  "reduceSumSquare"
#define POOL "averagePool2d l2Pool2d maxPool2d"
#define VALID NULL
#define MAX "4294967295"

/* clang-format off */
static const struct {
  const char *ops, *operands, *params;
  const char *names; /* in the error's sentence; VALID for a call that must succeed */
} rules[] = {
    /* Broadcasting. */
    {ARITHMETIC COMPARISON, "a:f32[2,3] b:f32[2]", "", "broadcast"},
    {ARITHMETIC COMPARISON, "a:f32[2,1,4] b:f32[3,2]", "", "broadcast"},
    {ARITHMETIC COMPARISON, "a:f32[2,1,3] b:f32[4,1]", "", VALID},
    {ARITHMETIC COMPARISON, "a:i64[] b:i64[1,1,1,1,1,1,1,1]", "", VALID},
    {ARITHMETIC COMPARISON, "a:u8[65536,1] b:u8[65536]", "", "output"},
    {"logicalAnd logicalOr logicalXor", "a:u8[2] b:u8[3]", "", "broadcast"},
    {"prelu", "input:f32[2,3] slope:f32[2]", "", "broadcast"},
    {"prelu", "input:f32[1,3] slope:f32[2,1,3]", "", VALID},
    {"where", "condition:u8[2] trueValue:f32[3] falseValue:f32[2]", "", "broadcast"},
    {"where", "condition:u8[3] trueValue:f32[2] falseValue:f32[2]", "", "broadcast"},
    {"where", "condition:u8[2,1] trueValue:f32[3] falseValue:f32[]", "", VALID},

    /* Axes. */
    {"softmax argMax argMin cumulativeSum", "input:f32[2,3]", "axis=2", "axis"},
    {"softmax argMax argMin cumulativeSum", "input:f32[2,3]", "axis=" MAX, "axis"},
    {"argMax argMin", "input:f32[2,3]", "axis=1 outputDataType=float32", "outputDataType"},
    {"argMax argMin", "input:f32[2,3]", "axis=1 outputDataType=uint32", "outputDataType"},
    {"argMax argMin", "input:f32[2,3]", "axis=1 outputDataType=int64 keepDimensions=true", VALID},
    {REDUCE, "input:f32[2,3]", "axes=[2]", "axes"},
    {REDUCE, "input:f32[2,3]", "axes=[0,0]", "axes"},
    {REDUCE, "input:f32[2,3]", "axes=[1," MAX "]", "axes"},
    {REDUCE, "input:f32[]", "axes=[0]", "axes"},
    {REDUCE, "input:f32[]", "axes=[]", VALID},
    {REDUCE, "input:f32[]", "", VALID},
    {REDUCE, "input:f32[2,3]", "axes=[1,0] keepDimensions=true", VALID},
    {REDUCE, "input:f32[2,3]", "axes=[0,1,0]", "axes"},

    /* Convolution. */
    {"conv2d", "input:f32[1,4,5,5] filter:f32[8,4,3,3]", "groups=3", "group"},
    {"conv2d", "input:f32[1,4,5,5] filter:f32[8,3,3,3]", "", "filter"},
    {"conv2d", "input:f32[1,4,5,5] filter:f32[8,4,3,3]", "groups=2", "filter"},
    {"conv2d", "input:f32[1,4,5,5] filter:f32[7,2,3,3]", "groups=2", "group"},
    {"conv2d", "input:f32[1,4,5,5] filter:f32[8,4,3,3] bias:f32[7]", "", "bias"},
    {"conv2d", "input:f32[1,4,5,5] filter:f32[8,4,6,3]", "", "height"},
    {"conv2d", "input:f32[1,4,5,5] filter:f32[8,4,3,6]", "", "width"},
    {"conv2d", "input:f32[1,4,5,5] filter:f32[8,4,6,6]", "padding=[1,0,0,1]", VALID},
    {"conv2d", "input:f32[1,4,5,5] filter:f32[8,4,3,3]", "dilations=[1," MAX "]", "width"},
    {"conv2d", "input:f32[1,4,5,5] filter:f32[8,4,3,3]", "padding=[" MAX "," MAX ",0,0]", "height"},
    {"conv2d", "input:f32[1,4,5,5] filter:f32[8,4,3,3]", "strides=[" MAX "," MAX "]", VALID},
    {"conv2d", "input:f32[1,5,5,4] filter:f32[8,3,3,4]", "inputLayout=nhwc filterLayout=ohwi", VALID},
    {"conv2d", "input:f32[1,5,5,4] filter:f32[3,3,4,8]", "inputLayout=nhwc filterLayout=hwio", VALID},
    {"conv2d", "input:f32[1,4,5,5] filter:f32[2,3,3,8]", "filterLayout=ihwo groups=2", VALID},
    {"conv2d", "input:f32[1,4,5,5] filter:f32[8,3,3,4]", "filterLayout=ihwo", "filter"},
    {"convTranspose2d", "input:f32[1,4,3,3] filter:f32[3,2,3,3]", "", "filter"},
    {"convTranspose2d", "input:f32[1,4,3,3] filter:f32[4,2,3,3]", "groups=3", "group"},
    {"convTranspose2d", "input:f32[1,4,3,3] filter:f32[4,2,3,3]", "strides=[2,2] outputPadding=[2,0]", "outputPadding"},
    {"convTranspose2d", "input:f32[1,4,3,3] filter:f32[4,2,3,3]", "outputPadding=[0,1]", "outputPadding"},
    {"convTranspose2d", "input:f32[1,4,3,3] filter:f32[4,2,3,3]", "strides=[2,2] outputPadding=[9,9] outputSizes=[7,8]", VALID},
    {"convTranspose2d", "input:f32[1,4,3,3] filter:f32[4,2,3,3]", "strides=[2,2] outputSizes=[6,7]", "output"},
    {"convTranspose2d", "input:f32[1,4,3,3] filter:f32[4,2,3,3]", "strides=[2,2] outputSizes=[7,9]", "output"},
    {"convTranspose2d", "input:f32[1,4,3,3] filter:f32[4,2,3,3] bias:f32[3]", "", "bias"},
    {"convTranspose2d", "input:f32[1,4,3,3] filter:f32[4,2,3,3] bias:f32[2]", "groups=2", "bias"},
    {"convTranspose2d", "input:f32[1,4,3,3] filter:f32[4,2,3,3]", "padding=[3,2,0,0]", "height"},
    {"convTranspose2d", "input:f32[1,4,3,3] filter:f32[4,2,3,3]", "padding=[0,0," MAX "," MAX "]", "width"},
    {"convTranspose2d", "input:f32[1,4,3,3] filter:f32[4,2,3,3]", "strides=[" MAX ",1]", "height"},
    {"convTranspose2d", "input:f32[1,4,3,3] filter:f32[4,2,3,3]", "dilations=[1," MAX "]", "width"},
    {"convTranspose2d", "input:f32[1,3,3,4] filter:f32[3,3,2,4]", "inputLayout=nhwc filterLayout=hwoi", VALID},
    {"convTranspose2d", "input:f32[1,4,3,3] filter:f32[2,3,3,4]", "filterLayout=ohwi", VALID},

    /* Pooling. */
    {POOL, "input:f32[1,2,6,6]", "windowDimensions=[7,6]", "height"},
    {POOL, "input:f32[1,2,6,6]", "windowDimensions=[6,7]", "width"},
    {POOL, "input:f32[1,2,6,6]", "windowDimensions=[3,3] dilations=[3,1]", "height"},
    {POOL, "input:f32[1,2,6,6]", "windowDimensions=[3,3] strides=[2,2] outputSizes=[2,3]", "outputSizes"},
    {POOL, "input:f32[1,2,6,6]", "windowDimensions=[3,3] strides=[2,2] outputSizes=[4,4]", "outputSizes"},
    {POOL, "input:f32[1,2,6,6]", "windowDimensions=[3,3] strides=[2,2] outputSizes=[0,0]", "outputSizes"},
    {POOL, "input:f32[1,2,6,6]", "windowDimensions=[3,3] strides=[2,2] outputSizes=[3,3]", VALID},
    {POOL, "input:f32[1,2,6,6]", "windowDimensions=[3,3] strides=[2,2] padding=[1,1,1,1] outputSizes=[2,2]", VALID},
    {POOL, "input:f32[1,2,6,6]", "windowDimensions=[3,3] strides=[2,2] outputShapeRounding=ceil", VALID},
    {POOL, "input:f32[1,2,6,6]", "padding=[" MAX "," MAX ",0,0]", "height"},
    {POOL, "input:f32[1,6,6,2]", "layout=nhwc", VALID},
    {POOL, "input:f32[1,2,6,6]", "", VALID},

    /* Normalization. */
    {"batchNormalization", "input:f32[2,3,4] mean:f32[3] variance:f32[3]", "axis=3", "axis"},
    {"batchNormalization", "input:f32[3] mean:f32[3] variance:f32[3]", "", "axis"},
    {"batchNormalization", "input:f32[3] mean:f32[3] variance:f32[3]", "axis=0", VALID},
    {"batchNormalization", "input:f32[2,3,4] mean:f32[2] variance:f32[3]", "", "mean"},
    {"batchNormalization", "input:f32[2,3,4] mean:f32[3] variance:f32[4]", "", "variance"},
    {"batchNormalization", "input:f32[2,3,4] mean:f32[3] variance:f32[3] scale:f32[1]", "", "scale"},
    {"batchNormalization", "input:f32[2,3,4] mean:f32[3] variance:f32[3] bias:f32[4]", "", "bias"},
    {"instanceNormalization", "input:f32[1,2,3,3] scale:f32[3]", "", "scale"},
    {"instanceNormalization", "input:f32[1,2,3,3] bias:f32[3]", "", "bias"},
    {"instanceNormalization", "input:f32[1,2,3,4] bias:f32[2]", "layout=nhwc", "bias"},
    {"instanceNormalization", "input:f32[1,2,3,4] scale:f32[4]", "layout=nhwc", VALID},
    {"layerNormalization", "input:f32[2,3]", "axes=[2]", "axes"},
    {"layerNormalization", "input:f32[2,3]", "axes=[1,1]", "axes"},
    {"layerNormalization", "input:f32[]", "axes=[0]", "axes"},
    {"layerNormalization", "input:f32[2,3] scale:f32[2,3]", "axes=[1]", "scale"},
    {"layerNormalization", "input:f32[2,3] bias:f32[1,3]", "axes=[1]", "bias"},
    {"layerNormalization", "input:f32[2,3] scale:f32[2]", "axes=[1]", "scale"},
    {"layerNormalization", "input:f32[2,3] bias:f32[2]", "axes=[1]", "bias"},
    {"layerNormalization", "input:f32[2,3,4] scale:f32[3,4]", "axes=[2,1]", "scale"},
    {"layerNormalization", "input:f32[2,3,4] scale:f32[4,3] bias:f32[4,3]", "axes=[2,1]", VALID},
    {"layerNormalization", "input:f32[2,3,4] scale:f32[3,4]", "", VALID},
    {"layerNormalization", "input:f32[2,3] scale:f32[] bias:f32[]", "axes=[]", VALID},
    {"layerNormalization", "input:f32[3] scale:f32[]", "", VALID},
    {"layerNormalization", "input:f32[]", "", VALID},

    /* Matrices. */
    {"gemm", "a:f32[2,3] b:f32[4,3]", "", "a "},
    {"gemm", "a:f32[2,3] b:f32[4,3]", "bTranspose=true", VALID},
    {"gemm", "a:f32[3,2] b:f32[4,3]", "aTranspose=true bTranspose=true", VALID},
    {"gemm", "a:f32[3,2] b:f32[3,4]", "", "a "},
    {"gemm", "a:f32[2,3] b:f32[3,4] c:f32[2]", "", "c "},
    {"gemm", "a:f32[2,3] b:f32[3,4] c:f32[3,4]", "", "c "},
    {"gemm", "a:f32[1,3] b:f32[3,4] c:f32[2,4]", "", "c "},
    {"gemm", "a:f32[2,3] b:f32[3,4] c:f32[2,1]", "", VALID},
    {"gemm", "a:f32[2,3] b:f32[3,4] c:f32[1,4]", "", VALID},
    {"gemm", "a:f32[2,3] b:f32[3,4] c:f32[1]", "", VALID},
    {"gemm", "a:f32[2,3] b:f32[3,4] c:f32[]", "", VALID},
    {"gemm", "a:f32[2,3] b:f32[3,4]", "", VALID},
    {"gemm", "a:f32[65536,1] b:f32[1,65536]", "", "output"},
    {"matmul", "a:f32[2,3] b:f32[4,3]", "", "a "},
    {"matmul", "a:f32[2,2,3] b:f32[3,3,4]", "", "a "},
    {"matmul", "a:f32[2,1,3,4] b:f32[5,4,6]", "", VALID},
    {"matmul", "a:f32[65536,1] b:f32[1,65536]", "", "output"},
    {"triangular", "input:i8[2,3,4]", "diagonal=-2147483648 upper=false", VALID},
    {"triangular", "input:i8[2,3,4]", "diagonal=2147483647", VALID},

    /* Limits of clamp are compared after the cast. */
    {"clamp", "input:f32[2]", "minValue=2 maxValue=1", "minValue"},
    {"clamp", "input:f32[2]", "minValue=1 maxValue=1", VALID},
    {"clamp", "input:u8[2]", "minValue=300 maxValue=255", VALID},
    {"clamp", "input:i8[2]", "minValue=1.4 maxValue=1", VALID},
    {"clamp", "input:i64[2]", "minValue=9223372036854775807 maxValue=9223372036854775806", "minValue"},
    {"clamp", "input:f32[2]", "minValue=9223372036854775807 maxValue=9223372036854775806", VALID},
    {"clamp", "input:u64[2]", "minValue=18446744073709551615 maxValue=-1", "minValue"},
    {"clamp", "input:f32[2]", "minValue=nan maxValue=1", VALID},
    {"clamp", "input:f16[2]", "minValue=inf", VALID},
    {"clamp", "input:f32[2]", "minValue=inf maxValue=-inf", "minValue"},
    {"clamp", "input:f32[2]", "", VALID},

    /* Data movement. */
    {"concat", "inputs:f32[2] inputs:f32[3]", "axis=1", "axis"},
    {"concat", "inputs:f32[2] inputs:f32[2,1]", "axis=0", "inputs[1]"},
    {"concat", "inputs:f32[2,3] inputs:f32[4,3] inputs:f32[2,4]", "axis=0", "inputs[2]"},
    {"concat", "inputs:f32[2,3] inputs:i32[2,3]", "axis=0", "inputs[1]"},
    {"concat", "inputs:u8[2000000000] inputs:u8[2000000000]", "axis=0", "output"},
    {"concat", "inputs:f32[2,3]", "axis=1", VALID},
    {"expand", "input:f32[3]", "newShape=[2,2]", "newShape"},
    {"expand", "input:f32[1]", "newShape=[0]", "newShape"},
    {"expand", "input:f32[1,3]", "newShape=[3]", "newShape"},
    {"expand", "input:f32[1]", "newShape=[]", "newShape"},
    {"expand", "input:f32[]", "newShape=[]", VALID},
    {"expand", "input:f32[]", "newShape=[1,2,3,4,5,6,7,8]", VALID},
    {"expand", "input:f32[]", "newShape=[1,1,1,1,1,1,1,1,1]", "newShape"},
    {"expand", "input:u8[1]", "newShape=[65536,32768]", "output"},
    {"expand", "input:f32[1]", "newShape=[2147483648]", "newShape"},
    {"expand", "input:u8[1]", "newShape=[2147483647]", VALID},
    {"expand", "input:f16[1]", "newShape=[2147483647]", "output"},
    {"pad", "input:f32[2,3]", "beginningPadding=[1] endingPadding=[0,1]", "beginningPadding"},
    {"pad", "input:f32[2,3]", "beginningPadding=[1,1] endingPadding=[0,1,2]", "endingPadding"},
    {"pad", "input:f32[2,3]", "beginningPadding=[2,0] endingPadding=[0,0] mode=reflection", "beginningPadding"},
    {"pad", "input:f32[2,3]", "beginningPadding=[0,0] endingPadding=[0,3] mode=reflection", "endingPadding"},
    {"pad", "input:f32[2,3]", "beginningPadding=[1,2] endingPadding=[1,2] mode=reflection", VALID},
    {"pad", "input:f32[2,3]", "beginningPadding=[9,9] endingPadding=[9,9] mode=edge", VALID},
    {"pad", "input:f32[2,3]", "beginningPadding=[" MAX ",0] endingPadding=[" MAX ",0]", "output"},
    {"pad", "input:f32[2,3]", "beginningPadding=[65536,65536] endingPadding=[0,0]", "output"},
    {"pad", "input:f32[]", "beginningPadding=[] endingPadding=[]", VALID},
    {"reshape", "input:f32[2,3]", "newShape=[5]", "newShape"},
    {"reshape", "input:f32[2,3]", "newShape=[6,0]", "newShape"},
    {"reshape", "input:f32[2,3]", "newShape=[]", "newShape"},
    {"reshape", "input:f32[2,3]", "newShape=[65536,65536,65536,65536]", "newShape"},
    {"reshape", "input:f32[1]", "newShape=[1,1,1,1,1,1,1,1,1]", "newShape"},
    {"reshape", "input:f32[1]", "newShape=[]", VALID},
    {"reshape", "input:f32[]", "newShape=[1,1,1,1,1,1,1,1]", VALID},
    {"reverse", "input:f32[2,3]", "axes=[2]", "axes"},
    {"reverse", "input:f32[2,3]", "axes=[1,1]", "axes"},
    {"reverse", "input:f32[]", "axes=[0]", "axes"},
    {"reverse", "input:f32[]", "axes=[]", VALID},
    {"reverse", "input:f32[2,3]", "", VALID},
    {"slice", "input:f32[4,4]", "starts=[0] sizes=[1,1]", "starts"},
    {"slice", "input:f32[4,4]", "starts=[0,0] sizes=[1]", "sizes"},
    {"slice", "input:f32[4,4]", "starts=[0,0] sizes=[1,1] strides=[1]", "strides"},
    {"slice", "input:f32[4,4]", "starts=[5,0] sizes=[1,1]", "starts"},
    {"slice", "input:f32[4,4]", "starts=[4,0] sizes=[1,1]", "starts"},
    {"slice", "input:f32[4,4]", "starts=[2,0] sizes=[3,4]", "sizes"},
    {"slice", "input:f32[4,4]", "starts=[1,0] sizes=[" MAX ",4]", "sizes"},
    {"slice", "input:f32[4,4]", "starts=[" MAX ",0] sizes=[2,4]", "starts"},
    {"slice", "input:f32[4,4]", "starts=[0,3] sizes=[4,1] strides=[" MAX ",3]", VALID},
    {"slice", "input:f32[]", "starts=[] sizes=[]", VALID},
    {"split", "input:f32[4,6]", "splits=2 axis=2", "axis"},
    {"split", "input:f32[4,6]", "splits=0", "splits"},
    {"split", "input:f32[4,6]", "splits=3", "splits"},
    {"split", "input:f32[4,6]", "splits=8193", "splits"},
    {"split", "input:f32[4,6]", "splits=" MAX, "splits"},
    {"split", "input:f32[4,6]", "splits=[]", "splits"},
    {"split", "input:f32[4,6]", "splits=[1,2]", "splits"},
    {"split", "input:f32[4,6]", "splits=[4,0]", "splits"},
    {"split", "input:f32[4,6]", "splits=[" MAX ",5]", "splits"},
    {"split", "input:f32[4,6]", "splits=[1,3]", VALID},
    {"split", "input:f32[4,6]", "splits=3 axis=1", VALID},
    {"tile", "input:f32[2,3]", "repetitions=[2]", "repetitions"},
    {"tile", "input:f32[]", "repetitions=[1]", "repetitions"},
    {"tile", "input:u8[65536,2]", "repetitions=[32768,1]", "output"},
    {"tile", "input:u8[65536,2]", "repetitions=[" MAX ",1]", "output"},
    {"tile", "input:f32[]", "repetitions=[]", VALID},
    {"transpose", "input:f32[2,3]", "permutation=[0]", "permutation"},
    {"transpose", "input:f32[2,3]", "permutation=[0,2]", "permutation"},
    {"transpose", "input:f32[2,3]", "permutation=[1,1]", "permutation"},
    {"transpose", "input:f32[]", "permutation=[]", VALID},
    {"transpose", "input:f32[2,3,4]", "", VALID},

    /* Gather and scatter. */
    {"gather", "input:f32[3,2] indices:i32[2]", "axis=2", "axis"},
    {"gather", "input:f32[3] indices:i64[]", "", VALID},
    {"gather", "input:f32[1,2,3,4,5] indices:i32[1,2,3,4]", "axis=4", VALID},
    {"gather", "input:f32[1,2,3,4,5] indices:i32[1,2,3,4,5]", "axis=4", "output"},
    {"gather", "input:u8[2,65536] indices:i32[32768]", "", "output"},
    {"gatherElements", "input:f32[3,2] indices:i32[2]", "", "indices"},
    {"gatherElements", "input:f32[3,2] indices:i32[1,2]", "axis=2", "axis"},
    {"gatherElements", "input:f32[3,2] indices:i32[1,1]", "", "indices"},
    {"gatherElements", "input:f32[3,2] indices:i32[1,2]", "axis=1", "indices"},
    {"gatherElements", "input:f32[3,2] indices:u32[9,2]", "", VALID},
    {"gatherND", "input:f32[3,2] indices:i32[2,3]", "", "indices"},
    {"gatherND", "input:f32[3,2] indices:i32[2]", "", VALID},
    {"gatherND", "input:f32[1,1,1,1,1,1,1,1] indices:i32[1,1,1]", "", "output"},
    {"scatterElements", "input:f32[3,2] indices:i32[2] updates:f32[2]", "", "indices"},
    {"scatterElements", "input:f32[3,2] indices:i32[1,2] updates:f32[2]", "", "updates"},
    {"scatterElements", "input:f32[3,2] indices:i32[1,2] updates:f32[1,2]", "axis=2", "axis"},
    {"scatterElements", "input:f32[3,2] indices:i32[1,1] updates:f32[1,1]", "", "indices"},
    {"scatterElements", "input:f32[3,2] indices:i32[1,2] updates:f32[2,2]", "", "updates"},
    {"scatterElements", "input:f32[3,2] indices:i32[3,5] updates:f32[3,5]", "axis=1", VALID},
    {"scatterND", "input:f32[3,2] indices:i32[1,3] updates:f32[1]", "", "indices"},
    {"scatterND", "input:f32[3,2] indices:i32[1,1] updates:f32[1,3]", "", "updates"},
    {"scatterND", "input:f32[3,2] indices:i32[1,1] updates:f32[2]", "", "updates"},
    {"scatterND", "input:f32[3,2] indices:i32[2] updates:f32[]", "", VALID},
    {"scatterND", "input:f32[1,1,1,1,1,1,1,1] indices:i32[1,1,1] updates:f32[1]", "", "updates"},

    /* Quantization. */
    {"dequantizeLinear", "input:i8[2,2] scale:f32[2] zeroPoint:i8[2]", "", "scale"},
    {"dequantizeLinear", "input:i8[2,2] scale:f32[1,2] zeroPoint:i8[2]", "", "zeroPoint"},
    {"dequantizeLinear", "input:i8[2,2] scale:f32[1,2] zeroPoint:i8[2,1]", "", "zeroPoint"},
    {"dequantizeLinear", "input:i8[4,4] scale:f32[2,3] zeroPoint:i8[2,3]", "", "scale"},
    {"dequantizeLinear", "input:i8[4,4] scale:f16[2,4] zeroPoint:i8[2,4]", "", VALID},
    {"dequantizeLinear", "input:i32[] scale:f32[] zeroPoint:i32[]", "", VALID},
    {"quantizeLinear", "input:f32[2,2] scale:f32[] zeroPoint:u8[]", "", "scale"},
    {"quantizeLinear", "input:f32[2,2] scale:f32[1,2] zeroPoint:u8[2]", "", "zeroPoint"},
    {"quantizeLinear", "input:f32[2,2] scale:f32[1,2] zeroPoint:u8[2,1]", "", "zeroPoint"},
    {"quantizeLinear", "input:f32[4,4] scale:f32[4,8] zeroPoint:u8[4,8]", "", "scale"},
    {"quantizeLinear", "input:f16[4,4] scale:f16[2,1] zeroPoint:u32[2,1]", "", VALID},

    /* Recurrent networks. */
    {"gru", "input:f32[2,1,3] weight:f32[1,6,3] recurrentWeight:f32[1,6,2]", "steps=3 hiddenSize=2", "steps"},
    {"gru", "input:f32[2,1,3] weight:f32[1,6,4] recurrentWeight:f32[1,6,2]", "steps=2 hiddenSize=2", "weight"},
    {"gru", "input:f32[2,1,3] weight:f32[1,6,3] recurrentWeight:f32[1,6,3]", "steps=2 hiddenSize=2", "recurrentWeight"},
    {"gru", "input:f32[2,1,3] weight:f32[1,6,3] recurrentWeight:f32[1,6,2]", "steps=2 hiddenSize=2 direction=both", "weight"},
    {"gru", "input:f32[2,1,3] weight:f32[2,6,3] recurrentWeight:f32[2,6,2]", "steps=2 hiddenSize=2 direction=both", VALID},
    {"gru", "input:f32[2,1,3] weight:f32[1,6,3] recurrentWeight:f32[1,6,2]", "steps=2 hiddenSize=400000000", "hiddenSize"},
    {"gru", "input:f32[2,1,3] weight:f32[1,6,3] recurrentWeight:f32[1,6,2] bias:f32[1,8]", "steps=2 hiddenSize=2", "bias"},
    {"gru", "input:f32[2,1,3] weight:f32[1,6,3] recurrentWeight:f32[1,6,2] recurrentBias:f32[2,6]", "steps=2 hiddenSize=2", "recurrentBias"},
    {"gru", "input:f32[2,1,3] weight:f32[1,6,3] recurrentWeight:f32[1,6,2] initialHiddenState:f32[1,2,2]", "steps=2 hiddenSize=2", "initialHiddenState"},
    {"gruCell", "input:f32[1,3] weight:f32[8,3] recurrentWeight:f32[6,2] hiddenState:f32[1,2]", "hiddenSize=2", "weight"},
    {"gruCell", "input:f32[1,3] weight:f32[6,3] recurrentWeight:f32[6,3] hiddenState:f32[1,2]", "hiddenSize=2", "recurrentWeight"},
    {"gruCell", "input:f32[1,3] weight:f32[6,3] recurrentWeight:f32[6,2] hiddenState:f32[2,2]", "hiddenSize=2", "hiddenState"},
    {"gruCell", "input:f32[1,3] weight:f32[6,3] recurrentWeight:f32[6,2] hiddenState:f32[1,2] bias:f32[2]", "hiddenSize=2", "bias"},
    {"gruCell", "input:f32[1,3] weight:f32[6,3] recurrentWeight:f32[6,2] hiddenState:f32[1,2] recurrentBias:f32[3]", "hiddenSize=2", "recurrentBias"},
    {"gruCell", "input:f32[1,3] weight:f32[6,3] recurrentWeight:f32[6,2] hiddenState:f32[1,2]", "hiddenSize=" MAX, "hiddenSize"},
    {"lstm", "input:f32[2,1,3] weight:f32[1,8,3] recurrentWeight:f32[1,8,2]", "steps=1 hiddenSize=2", "steps"},
    {"lstm", "input:f32[2,1,3] weight:f32[1,6,3] recurrentWeight:f32[1,8,2]", "steps=2 hiddenSize=2", "weight"},
    {"lstm", "input:f32[2,1,3] weight:f32[1,8,3] recurrentWeight:f32[1,2,8]", "steps=2 hiddenSize=2", "recurrentWeight"},
    {"lstm", "input:f32[2,1,3] weight:f32[1,8,3] recurrentWeight:f32[1,8,2]", "steps=2 hiddenSize=300000000", "hiddenSize"},
    {"lstm", "input:f32[2,1,3] weight:f32[1,8,3] recurrentWeight:f32[1,8,2] bias:f32[1,6]", "steps=2 hiddenSize=2", "bias"},
    {"lstm", "input:f32[2,1,3] weight:f32[1,8,3] recurrentWeight:f32[1,8,2] recurrentBias:f32[1,6]", "steps=2 hiddenSize=2", "recurrentBias"},
    {"lstm", "input:f32[2,1,3] weight:f32[1,8,3] recurrentWeight:f32[1,8,2] peepholeWeight:f32[1,8]", "steps=2 hiddenSize=2", "peepholeWeight"},
    {"lstm", "input:f32[2,1,3] weight:f32[1,8,3] recurrentWeight:f32[1,8,2] initialHiddenState:f32[1,1,3]", "steps=2 hiddenSize=2", "initialHiddenState"},
    {"lstm", "input:f32[2,1,3] weight:f32[1,8,3] recurrentWeight:f32[1,8,2] initialCellState:f32[2,1,2]", "steps=2 hiddenSize=2", "initialCellState"},
    {"lstm", "input:f32[2,1,3] weight:f32[2,8,3] recurrentWeight:f32[2,8,2] initialCellState:f32[2,1,2]", "steps=2 hiddenSize=2 direction=both returnSequence=true", VALID},
    {"lstmCell", "input:f32[1,3] weight:f32[8,2] recurrentWeight:f32[8,2] hiddenState:f32[1,2] cellState:f32[1,2]", "hiddenSize=2", "weight"},
    {"lstmCell", "input:f32[1,3] weight:f32[8,3] recurrentWeight:f32[2,8] hiddenState:f32[1,2] cellState:f32[1,2]", "hiddenSize=2", "recurrentWeight"},
    {"lstmCell", "input:f32[1,3] weight:f32[8,3] recurrentWeight:f32[8,2] hiddenState:f32[1,3] cellState:f32[1,2]", "hiddenSize=2", "hiddenState"},
    {"lstmCell", "input:f32[1,3] weight:f32[8,3] recurrentWeight:f32[8,2] hiddenState:f32[1,2] cellState:f32[2,2]", "hiddenSize=2", "cellState"},
    {"lstmCell", "input:f32[1,3] weight:f32[8,3] recurrentWeight:f32[8,2] hiddenState:f32[1,2] cellState:f32[1,2] bias:f32[6]", "hiddenSize=2", "bias"},
    {"lstmCell", "input:f32[1,3] weight:f32[8,3] recurrentWeight:f32[8,2] hiddenState:f32[1,2] cellState:f32[1,2] recurrentBias:f32[6]", "hiddenSize=2", "recurrentBias"},
    {"lstmCell", "input:f32[1,3] weight:f32[8,3] recurrentWeight:f32[8,2] hiddenState:f32[1,2] cellState:f32[1,2] peepholeWeight:f32[8]", "hiddenSize=2", "peepholeWeight"},
    {"lstmCell", "input:f32[1,3] weight:f32[8,3] recurrentWeight:f32[8,2] hiddenState:f32[1,2] cellState:f32[1,2]", "hiddenSize=536870912", "hiddenSize"},

    /* Resampling. */
    {"resample2d", "input:f32[1,1,2,2]", "scales=[0,1]", "scales"},
    {"resample2d", "input:f32[1,1,2,2]", "scales=[1,-2]", "scales"},
    {"resample2d", "input:f32[1,1,2,2]", "scales=[0.4,1]", "scales"},
    {"resample2d", "input:f32[1,1,2,2]", "scales=[1,3e38]", "scales"},
    {"resample2d", "input:f32[1,1,2,2]", "sizes=[1," MAX "]", "sizes"},
    {"resample2d", "input:f32[1,1,2,2]", "sizes=[65536,65536]", "output"},
    {"resample2d", "input:f32[1,1,2,2]", "axes=[2,2]", "axes"},
    {"resample2d", "input:f32[1,1,2,2]", "axes=[2,4]", "axes"},
    {"resample2d", "input:f32[1,1,2,2]", "axes=[3,0] sizes=[5,1]", VALID},
    {"resample2d", "input:f32[1,1,2,2]", "", VALID},
};
/* clang-format on */

static wnn_context *context;

/* One call on a builder of its own. */
static void check_rule(const char *op, const char *operands, const char *params, const char *names) {
  wnn_builder *builder = NULL;
  wnn_error error = {0};
  call c;
  call_parse(&c, op, operands, params);
  if (wnn_builder_create(context, &builder, &error)) {
    test_failed("builder: %s", error.message);
    return;
  }
  wnn_status status = call_add(&c, builder, "rule", &error);
  char *end = strstr(error.message, " Operands: ");
  if (end) *end = 0;
  char start[64];
  snprintf(start, sizeof start, "[rule] %s: ", op);
  if (!names && !status)
    test_passed();
  else if (!names)
    test_failed("%s(%s, %s): %s", op, operands, params, error.message);
  else if (status != WNN_TYPE_ERROR)
    test_failed("%s(%s, %s): %s, expected an error", op, operands, params, wnn_status_name(status));
  else if (strncmp(error.message, start, strlen(start)) || !strstr(error.message + strlen(start), names))
    test_failed("%s(%s, %s): no \"%s\" in \"%s\"", op, operands, params, names, error.message);
  else
    test_passed();
  wnn_builder_release(builder);
}

/* Counts that no text can say. */
static void many_inputs(void) {
  enum { MANY = WNN_MAX_TENSOR_COUNT + 1 };
  static wnn_operand *operands[MANY], *output;
  wnn_builder *builder = NULL;
  wnn_error error = {0};
  REQUIRE_OK(wnn_builder_create(context, &builder, &error), error);
  operands[0] = call_input(builder, &(wnn_desc){WNN_FLOAT32, 1, {2}});
  for (size_t i = 1; i < MANY; i++) operands[i] = operands[0];
  wnn_concat_args args = {0, {"many"}};
  CHECK_FAILS(wnn_builder_add(builder, WNN_OP_CONCAT, &args, operands, MANY, &output, 1, NULL, &error), error,
              WNN_TYPE_ERROR, "8193");
  CHECK_OK(wnn_builder_add(builder, WNN_OP_CONCAT, &args, operands, MANY - 1, &output, 1, NULL, &error), error);
  CHECK_EQ(wnn_operand_desc(output)->shape[0], 2 * WNN_MAX_TENSOR_COUNT);
  wnn_split_args parts = {{NULL, WNN_MAX_TENSOR_COUNT}, {"many", 0}};
  size_t count = 0;
  CHECK_OK(wnn_builder_add(builder, WNN_OP_SPLIT, &parts, &output, 1, operands, MANY, &count, &error), error);
  CHECK_EQ(count, WNN_MAX_TENSOR_COUNT);
  wnn_builder_release(builder);
}

/* Descriptors at and beyond the limits, of inputs and tensors; none of the refused ones may cost memory. */
static void descriptors(void) {
  static const struct {
    wnn_desc desc;
    bool good;
  } cases[] = {
      {{WNN_UINT8, 1, {2147483647}}, true},
      {{WNN_FLOAT16, 1, {1073741823}}, true},
      {{WNN_FLOAT32, 1, {536870911}}, true},
      {{WNN_INT64, 1, {268435455}}, true},
      {{WNN_FLOAT32, 8, {1, 1, 1, 1, 1, 1, 1, 1}}, true},
      {{WNN_FLOAT32, 0, {0}}, true},
      {{WNN_UINT8, 1, {2147483648u}}, false},
      {{WNN_UINT8, 2, {46341, 46341}}, false},
      {{WNN_UINT8, 2, {65536, 65536}}, false},
      {{WNN_UINT8, 4, {65536, 65536, 65536, 65536}}, false},
      {{WNN_FLOAT32, 1, {536870912}}, false},
      {{WNN_FLOAT16, 1, {1073741824}}, false},
      {{WNN_INT64, 1, {268435456}}, false},
      {{WNN_FLOAT32, 1, {0}}, false},
      {{WNN_FLOAT32, 2, {3, 0}}, false},
      {{WNN_FLOAT32, 9, {1, 1, 1, 1, 1, 1, 1, 1}}, false},
      {{WNN_FLOAT32, UINT32_MAX, {1}}, false},
      {{(wnn_data_type)WNN_DATA_TYPE_COUNT, 1, {1}}, false},
      {{(wnn_data_type)-1, 1, {1}}, false},
      {{WNN_FLOAT32, 1, {UINT32_MAX}}, false},
  };
  wnn_builder *builder = NULL;
  wnn_error error = {0};
  REQUIRE_OK(wnn_builder_create(context, &builder, &error), error);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    wnn_operand *operand = NULL;
    wnn_tensor *tensor = NULL;
    char name[16];
    snprintf(name, sizeof name, "x%zu", i);
    wnn_status status = wnn_builder_input(builder, name, &cases[i].desc, &operand, &error);
    CHECK_MSG(status == (cases[i].good ? WNN_OK : WNN_TYPE_ERROR), "input %zu: %s", i, wnn_status_name(status));
    CHECK_EQ(wnn_desc_bytes(&cases[i].desc) != 0, cases[i].good);
    CHECK_EQ(wnn_desc_elements(&cases[i].desc) != 0, cases[i].good);
    if (cases[i].good) continue;
    status = wnn_context_create_tensor(context, &cases[i].desc, 0, &tensor, &error);
    CHECK_MSG(status == WNN_TYPE_ERROR, "tensor %zu: %s", i, wnn_status_name(status));
    status = wnn_builder_constant(builder, &cases[i].desc, &error, 1, &operand, &error);
    CHECK_MSG(status == WNN_TYPE_ERROR, "constant %zu: %s", i, wnn_status_name(status));
  }
  wnn_builder_release(builder);
}

int main(int argc, char **argv) {
  test_begin(argc, argv);
  wnn_context_options options = WNN_CONTEXT_OPTIONS_INIT;
  options.threads = 1;
  wnn_error error;
  if (wnn_context_create(&options, &context, &error)) {
    test_failed("context: %s", error.message);
    return test_end();
  }
  for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
    char ops[256], *save;
    snprintf(ops, sizeof ops, "%s", rules[i].ops);
    for (char *op = strtok_r(ops, " ", &save); op; op = strtok_r(NULL, " ", &save))
      if (test_selected(op)) check_rule(op, rules[i].operands, rules[i].params, rules[i].names);
  }
  TEST(many_inputs);
  TEST(descriptors);
  wnn_context_release(context);
  return test_end();
}
