#!/usr/bin/env python3
"""Writes operator vectors from the node tests of the Debian package python3-onnx, whose expected values come from numpy.

    make.py OUT      writes OUT/standard-*.json; see ../encode.h for the format

Only small cases are taken. Inputs that the importer must know at build time become initializers.
"""
import json, os, sys, warnings
import numpy as np
np.float, np.int, np.bool, np.object = float, int, bool, object  # names that the node tests of this release still use
import onnx
from onnx import helper, numpy_helper, AttributeProto as A
warnings.filterwarnings("ignore")
from onnx.backend.test.case.node import collect_testcases

SKIP_OPS = {"Adagrad", "Adam", "Momentum", "Gradient", "StringNormalizer", "TfIdfVectorizer", "SequenceInsert", "SequenceMap", "SequenceAt",
            "ConcatFromSequence", "SplitToSequence", "OptionalGetElement", "OptionalHasElement", "Optional", "NonMaxSuppression", "Bernoulli",
            "RandomUniformLike", "SoftmaxCrossEntropyLoss", "NegativeLogLikelihoodLoss"}
KEEP_INPUTS = {"Gather", "GatherElements", "GatherND", "ScatterElements", "ScatterND", "Scatter", "OneHot", "Where", "ReverseSequence", "Equal",
               "Less", "Greater", "LessOrEqual", "GreaterOrEqual", "Add", "Sub", "Mul", "Div", "Mod", "Max", "Min", "Pow", "BitShift", "MatMul",
               "MatMulInteger", "ConvInteger", "MaxUnpool", "RoiAlign"}
LIMIT = 1200
TYPES = {1: "float32", 2: "uint8", 3: "int8", 4: "uint16", 5: "int16", 6: "int32", 7: "int64", 9: "bool", 10: "float16", 11: "float64", 12: "uint32", 13: "uint64", 16: "bfloat16"}


def number(v):
    if isinstance(v, (bool, np.bool_)):
        return int(v)
    if isinstance(v, (int, np.integer)):
        return int(v) if abs(int(v)) < 2**53 else str(int(v))
    f = float(v)
    if np.isnan(f):
        return "NaN"
    if np.isinf(f):
        return "Infinity" if f > 0 else "-Infinity"
    return float("%.9g" % f)


def tensor(a):
    a = np.asarray(a)
    return {"dataType": TYPES[int(helper.mapping.NP_TYPE_TO_TENSOR_TYPE[a.dtype])], "shape": list(a.shape),
            "data": [number(v) for v in a.reshape(-1)]}


def attribute(a):
    if a.type == A.INT:
        return TYPES[a.i] if a.name in ("to", "dtype") and a.i in TYPES else a.i
    if a.type == A.FLOAT:
        return {"float": number(np.float32(a.f))}
    if a.type == A.STRING:
        return a.s.decode()
    if a.type == A.INTS:
        return {"ints": list(a.ints)}
    if a.type == A.FLOATS:
        return {"floats": [number(np.float32(f)) for f in a.floats]}
    if a.type == A.STRINGS:
        return [s.decode() for s in a.strings]
    if a.type == A.GRAPH:
        g = a.g
        return {"nodes": [plain_node(n) for n in g.node], "inputs": [i.name for i in g.input], "outputs": [o.name for o in g.output],
                "initializers": {i.name: tensor(numpy_helper.to_array(i)) for i in g.initializer}}
    if a.type == A.TENSOR:
        return tensor(numpy_helper.to_array(a.t))
    raise ValueError(a.type)


def plain_node(n):
    return {"opType": n.op_type, "inputs": list(n.input), "outputs": list(n.output), "attributes": {a.name: attribute(a) for a in n.attribute}}


def convert(case):
    graph = case.model.graph
    if len(graph.node) != 1:
        return None
    node = graph.node[0]
    if node.op_type in SKIP_OPS or node.domain not in ("", "ai.onnx"):
        return None
    if any(word in case.name for word in ("training", "BFLOAT16")):
        return None
    inputs, outputs = case.data_sets[0]
    arrays = list(inputs) + list(outputs)
    if not all(isinstance(a, np.ndarray) or np.isscalar(a) for a in arrays):
        return None
    if any(np.asarray(a).dtype == object or np.asarray(a).dtype.kind in "USc" for a in arrays) or sum(np.asarray(a).size for a in arrays) > LIMIT:
        return None
    names = [i.name for i in graph.input]
    feeds, init = {}, {}
    for k, (name, a) in enumerate(zip(names, inputs)):
        a = np.asarray(a)
        fixed = (k > 0 and node.op_type in ("Resize", "Upsample", "Pad")) or (k == 1 and node.op_type == "OneHot") or k > 0 and a.dtype in (np.int64, np.int32) and node.op_type not in KEEP_INPUTS
        (init if fixed else feeds)[name] = tensor(a)
    if node.op_type in ("ConstantOfShape", "Range", "NonZero", "Compress", "EyeLike", "Unique", "MelWeightMatrix", "HannWindow", "HammingWindow", "BlackmanWindow", "STFT"):
        for name in list(feeds):
            if node.op_type not in ("Compress", "STFT") or name != node.input[0]:
                init[name] = feeds.pop(name)
    opset = next(o.version for o in case.model.opset_import if o.domain in ("", "ai.onnx"))
    model = {"opset": opset,
             "nodes": [plain_node(node)],
             "graphInputs": list(feeds), "graphOutputs": [o.name for o in graph.output]}
    if init:
        model["initializers"] = init
    expected = {o.name: tensor(a) for o, a in zip(graph.output, outputs)}
    return {"name": case.name[5:] if case.name.startswith("test_") else case.name, "model": model, "feeds": feeds, "expected": expected,
            "tolerance": {"relative": max(case.rtol, 1e-3 if any(np.asarray(a).dtype == np.float16 for a in arrays) else 1e-4), "absolute": max(case.atol, 2e-6)}}


def main():
    out = sys.argv[1]
    cases, bad = [], {}
    for case in collect_testcases(None):
        try:
            c = convert(case)
        except Exception as e:  # a case this script cannot write
            bad[case.name] = repr(e)
            continue
        if c:
            cases.append(c)
    cases.sort(key=lambda c: c["name"])
    size, part, files = 0, [], 0
    def flush():
        nonlocal part, size, files
        if part:
            with open(os.path.join(out, "standard-%02d.json" % files), "w") as f:
                f.write("[\n" + ",\n".join(part) + "\n]\n")
            files += 1
        part, size = [], 0
    for c in cases:
        text = json.dumps(c, separators=(",", ":"))
        if size + len(text) > 400000:
            flush()
        part.append(text)
        size += len(text)
    flush()
    print(len(cases), "cases,", len(bad), "not written", list(bad.items())[:5])


main()
