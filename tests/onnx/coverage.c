/* Which operators the importer knows, against the lists of others: every standard operator is either lowered or refused
 * with its reason, and nothing that the WebNN provider of ONNX Runtime takes is missing. */
#include <webnn/webnn_onnx.h>

#include "onnx/encode.h"
#include "support/test.h"

enum { NEWEST = 28 };

/* Of the provider's own tables: direct operations, decompositions. */
static const char provider[] =
    "Abs Cos Elu Erf Exp IsNaN Log Neg Pad Sin Tan Cast Ceil Gelu Relu Sign Sqrt Tanh Tile Clip Not Floor Shape Slice "
    "Split IsInf Sub Add ArgMax ArgMin Div Expand Max Min Mul Pow Concat Flatten LpPool Reshape Sigmoid Softmax "
    "Squeeze "
    "Dropout Trilu Equal Identity Less MaxPool ReduceL1 ReduceL2 Resize Softplus Softsign Unsqueeze Or HardSwish "
    "LeakyRelu MatMul ReduceMax ReduceMin ReduceSum Transpose And CumSum Xor GlobalLpPool Greater Reciprocal "
    "ReduceMean "
    "Round GlobalMaxPool HardSigmoid ReduceProd AveragePool Gemm PRelu ReduceLogSum Gather LessOrEqual "
    "GlobalAveragePool ReduceLogSumExp ReduceSumSquare GatherND GreaterOrEqual Conv GatherElements ScatterND Where "
    "ConvTranspose QuantizeLinear ScatterElements DequantizeLinear LayerNormalization InstanceNormalization GRU "
    "BatchNormalization LSTM ConvInteger DepthToSpace DynamicQuantizeLinear Einsum GroupNormalization LRN "
    "LpNormalization MatMulInteger RotaryEmbedding SimplifiedLayerNormalization";
static const char provider_contrib[] =
    "GatherBlockQuantized GroupNorm GroupQueryAttention MatMulNBits MultiHeadAttention RotaryEmbedding SkipGroupNorm "
    "SkipLayerNormalization SkipSimplifiedLayerNormalization";
/* What else the standard has and the importer lowers, at least for constants. */
static const char standard[] =
    "Acos Acosh AffineGrid Asin Asinh Atan Atanh Attention BitCast BitShift BitwiseAnd BitwiseNot BitwiseOr BitwiseXor "
    "BlackmanWindow CastLike CausalConvWithState Celu CenterCropPad Col2Im Compress Constant ConstantOfShape Cosh "
    "CumProd DFT DeformConv Det EyeLike GridSample HammingWindow HannWindow Hardmax If LinearAttention LogSoftmax Loop "
    "MaxRoiPool MaxUnpool Mean MeanVarianceNormalization MelWeightMatrix Mish Mod NonZero OneHot QLinearConv "
    "QLinearMatMul RMSNormalization RNN Range ReverseSequence RoiAlign STFT Scan Scatter Selu Shrink Sinh Size "
    "SpaceToDepth Sum SwiGLU Swish TensorScatter ThresholdedRelu TopK Unique Upsample";
/* The rest of it. */
static const char refused[] =
    "Bernoulli ConcatFromSequence ImageDecoder Multinomial NegativeLogLikelihoodLoss NonMaxSuppression Optional "
    "OptionalGetElement OptionalHasElement RandomNormal RandomNormalLike RandomUniform RandomUniformLike "
    "RegexFullMatch "
    "SequenceAt SequenceConstruct SequenceEmpty SequenceErase SequenceInsert SequenceLength SequenceMap "
    "SoftmaxCrossEntropyLoss SplitToSequence StringConcat StringNormalizer StringSplit TfIdfVectorizer";

static const char *next_word(const char *list, char word[64]) {
  size_t length = strcspn(list, " ");
  snprintf(word, 64, "%.*s", (int)length, list);
  list += length;
  return *list ? list + 1 : NULL;
}

static size_t expect_known(const char *list, const char *domain, int64_t opset, bool known) {
  char word[64];
  size_t count = 0;
  for (; list; count++) {
    list = next_word(list, word);
    CHECK_MSG(wnn_onnx_knows(domain, word, opset) == known, "%s is %s", word, known ? "missing" : "there");
  }
  return count;
}

static void lists(void) {
  size_t direct = expect_known(provider, "", NEWEST, true);
  CHECK_EQ(direct + expect_known(provider_contrib, "com.microsoft", 1, true), 117);
  expect_known(standard, "", NEWEST, true);
  expect_known(refused, "", NEWEST, false);
}

static void keep_reason(void *user, const wnn_onnx_report *report) {
  snprintf(user, 256, "%s %s: %s", report->support == WNN_ONNX_UNSUPPORTED ? "unsupported" : "fine", report->op,
           report->reason);
}

static void reasons(void) {
  wnn_context_options options = WNN_CONTEXT_OPTIONS_INIT;
  wnn_context *context;
  wnn_error error;
  char word[64], reason[256];
  REQUIRE_OK(wnn_context_create(&options, &context, &error), error);
  for (const char *list = refused; list;) {
    bytes graph = {0}, model = {0};
    static const int64_t size = 2;
    wnn_onnx_model *opened;
    size_t unsupported;
    list = next_word(list, word);
    put_port(&graph, 11, "x", 1, &size, 1);
    put_node(&graph, word, "x", "y");
    put_port(&graph, 12, "y", 1, &size, 1);
    finish_model(&graph, &model);
    REQUIRE_OK(wnn_onnx_open_bytes(model.data, model.size, NULL, &opened, &error), error);
    CHECK_OK(wnn_onnx_check(opened, context, NULL, keep_reason, reason, &unsupported, &error), error);
    CHECK_MSG(unsupported == 1 && strstr(reason, word) && !strstr(reason, "not known"), "%s: %s", word, reason);
    wnn_onnx_release(opened);
    bytes_free(&model);
  }
  wnn_context_release(context);
}

int main(int argc, char **argv) {
  test_begin(argc, argv);
  TEST(lists);
  TEST(reasons);
  return test_end();
}
