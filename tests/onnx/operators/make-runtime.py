#!/usr/bin/env python3
"""Writes operator vectors whose expected values come from ONNX Runtime: contrib operators, recurrent ones with every
option, operators newer than the Debian package of onnx.

    make-runtime.py OUT NODE_MODULES     needs node and the npm package onnxruntime-node in NODE_MODULES
"""
import json, os, subprocess, sys, tempfile
import numpy as np
import onnx
from onnx import helper, numpy_helper, TensorProto as T

MS = "com.microsoft"
rng = np.random.default_rng(7)
cases = []
TYPES = {np.dtype("float32"): "float32", np.dtype("int64"): "int64", np.dtype("int32"): "int32", np.dtype("uint8"): "uint8", np.dtype("int8"): "int8",
         np.dtype("bool"): "bool", np.dtype("float16"): "float16"}


def f(*shape, lo=-1.0, hi=1.0):
    return (rng.random(shape) * (hi - lo) + lo).astype(np.float32)


def u8(*shape):
    return rng.integers(0, 256, shape).astype(np.uint8)


def s8(*shape):
    return rng.integers(-63, 64, shape).astype(np.int8)


def i64(*v):
    return np.array(v, np.int64)


def num(v):
    if isinstance(v, np.bool_):
        return int(v)
    if isinstance(v, np.integer):
        return int(v) if abs(int(v)) <= 2**53 else str(int(v))
    v = float(v)
    return "NaN" if v != v else "Infinity" if v == np.inf else "-Infinity" if v == -np.inf else float("%.9g" % v)


def tensor(a):
    return {"dataType": TYPES[a.dtype], "shape": list(a.shape), "data": [num(v) for v in a.reshape(-1)]}


def attribute(v):
    if isinstance(v, float):
        return {"float": v}
    if isinstance(v, list) and v and isinstance(v[0], float):
        return {"floats": v}
    return v


def add(name, op, feeds, init=None, outs=("y",), opset=17, domain="", order=None, rel=1e-4, absolute=2e-5, **attrs):
    """order: inputs of the node by name, "" where absent."""
    init = init or {}
    order = order or list(feeds) + list(init)
    node = helper.make_node(op, order, list(outs), domain=domain, **attrs)
    cases.append({"name": name, "node": node, "feeds": feeds, "init": init, "outs": outs, "opset": opset, "domain": domain, "rel": rel, "abs": absolute,
                  "json": {"opType": op, "domain": domain, "inputs": order, "outputs": list(outs), "attributes": {k: attribute(v) for k, v in attrs.items()}}})


def recurrent():
    t, b, i, h = 4, 3, 3, 2
    for op, g, acts in (("LSTM", 4, ["Sigmoid", "Tanh", "Tanh"]), ("GRU", 3, ["Sigmoid", "Tanh"]), ("RNN", 1, ["Tanh"])):
        for direction in ("forward", "reverse", "bidirectional"):
            d = 2 if direction == "bidirectional" else 1
            base = {"w": f(d, g * h, i), "r": f(d, g * h, h), "b": f(d, 2 * g * h)}
            outs = ("y", "yh", "yc") if op == "LSTM" else ("y", "yh")
            kw = {"hidden_size": h, "direction": direction}
            add("%s_%s" % (op, direction), op, {"x": f(t, b, i)}, base, outs, **kw)
            lens = dict(base, lens=np.array([4, 2, 1], np.int32), h0=f(d, b, h))
            add("%s_%s_lengths" % (op, direction), op, {"x": f(t, b, i)}, lens, outs, **kw)
            kw2 = dict(kw, clip=0.4)
            add("%s_%s_clip" % (op, direction), op, {"x": f(t, b, i, lo=-3, hi=3)}, base, outs, **kw2)
            kw3 = dict(kw, activations=(["HardSigmoid"] + ["Relu"] * (len(acts) - 1) if len(acts) > 1 else ["Relu"]) * d)
            if len(acts) > 1:
                kw3.update(activation_alpha=[0.3] * d, activation_beta=[0.4] * d)
            add("%s_%s_activations" % (op, direction), op, {"x": f(t, b, i)}, base, outs, **kw3)
            if op == "GRU":
                add("GRU_%s_linear" % direction, op, {"x": f(t, b, i)}, base, outs, linear_before_reset=1, **kw)
            if op == "LSTM":
                peep = dict(base, h0=f(d, b, h), c0=f(d, b, h), p=f(d, 3 * h))
                add("LSTM_%s_peephole" % direction, op, {"x": f(t, b, i)}, peep, outs, order=["x", "w", "r", "b", "", "h0", "c0", "p"], **kw)


def contrib():
    x, w = f(2, 3, 8), f(8)
    add("SkipLayerNormalization", "SkipLayerNormalization", {"x": x, "s": f(2, 3, 8)}, {"g": f(8), "b": f(8), "c": f(8)}, ("y", "", "", "sum"), domain=MS)
    add("SkipSimplifiedLayerNormalization", "SkipSimplifiedLayerNormalization", {"x": x, "s": f(2, 3, 8)}, {"g": f(8)}, ("y", "", "", "sum"), domain=MS, epsilon=1e-5)
    add("SimplifiedLayerNormalization", "SimplifiedLayerNormalization", {"x": x}, {"g": f(8)}, axis=-1, epsilon=1e-5)
    add("BiasGelu", "BiasGelu", {"x": f(2, 8, lo=-4, hi=4)}, {"b": w}, domain=MS)
    add("Gelu_ms", "Gelu", {"x": f(2, 8, lo=-4, hi=4)}, domain=MS)
    add("FastGelu", "FastGelu", {"x": f(2, 8, lo=-4, hi=4)}, {"b": w}, domain=MS)
    add("QuickGelu", "QuickGelu", {"x": f(2, 8, lo=-4, hi=4)}, domain=MS, alpha=1.5)
    for ta in (0, 1):
        for tb in (0, 1):
            add("FusedMatMul_%d%d" % (ta, tb), "FusedMatMul", {"a": f(2, 4, 3) if ta else f(2, 3, 4), "b": f(2, 5, 4) if tb else f(2, 4, 5)}, domain=MS, transA=ta, transB=tb, alpha=0.5)
    for act, params in (("Relu", None), ("LeakyRelu", [0.2]), ("Clip", [-0.2, 0.3]), ("HardSigmoid", [0.2, 0.4]), ("Tanh", None), ("Sigmoid", None)):
        kw = {"activation": act}
        if params:
            kw["activation_params"] = params
        add("FusedConv_" + act, "FusedConv", {"x": f(1, 2, 5, 5)}, {"w": f(3, 2, 3, 3), "b": f(3)}, domain=MS, pads=[1, 1, 1, 1], **kw)
    add("FusedGemm", "FusedGemm", {"a": f(3, 4)}, {"b": f(4, 5), "c": f(5)}, domain=MS, activation="LeakyRelu", activation_alpha=0.1)
    b, s, n, hd = 2, 3, 2, 4
    width = n * hd
    att = {"w": f(width, 3 * width), "b": f(3 * width)}
    for name, mask in (("raw", np.array([[1, 1, 0], [1, 1, 1]], np.int32)), ("lengths", np.array([2, 3], np.int32)), ("ends", np.array([3, 3, 1, 0], np.int32))):
        add("Attention_" + name, "Attention", {"x": f(b, s, width), "m": mask}, att, order=["x", "w", "b", "m"], domain=MS, num_heads=n)
    add("Attention_causal", "Attention", {"x": f(b, s, width)}, att, domain=MS, num_heads=n, unidirectional=1)
    add("Attention_past", "Attention", {"x": f(b, s, width), "past": f(2, b, n, 2, hd)}, att, ("y", "present"), order=["x", "w", "b", "", "past"], domain=MS, num_heads=n)
    add("MultiHeadAttention", "MultiHeadAttention", {"q": f(b, s, width), "k": f(b, 5, width), "v": f(b, 5, width)}, {"bias": f(3 * width)}, domain=MS, num_heads=n)
    add("MultiHeadAttention_mask", "MultiHeadAttention", {"q": f(b, s, width), "k": f(b, 3, width), "v": f(b, 3, width), "m": np.array([[1, 1, 0], [1, 0, 1]], np.int32)},
        order=["q", "k", "v", "", "m"], domain=MS, num_heads=n)
    add("MultiHeadAttention_past", "MultiHeadAttention", {"q": f(b, s, width), "k": f(b, s, width), "v": f(b, s, width), "ab": f(1, n, s, s + 2), "pk": f(b, n, 2, hd), "pv": f(b, n, 2, hd)},
        None, ("y", "nk", "nv"), order=["q", "k", "v", "", "", "ab", "pk", "pv"], domain=MS, num_heads=n)
    ang = np.outer(np.arange(8), 10000.0 ** (-np.arange(0, hd, 2) / hd))
    cos, sin = np.cos(ang).astype(np.float32), np.sin(ang).astype(np.float32)
    for inter in (0, 1):
        add("RotaryEmbedding_%d" % inter, "RotaryEmbedding", {"x": f(b, s, width)}, {"p": np.array([[0, 1, 2], [2, 3, 5]], np.int64), "cos": cos, "sin": sin}, domain=MS, interleaved=inter)
        add("RotaryEmbedding_4d_%d" % inter, "RotaryEmbedding", {"x": f(b, n, s, hd)}, {"p": i64(2), "cos": cos, "sin": sin}, domain=MS, interleaved=inter)
        for total, lens, steps in ((3, [2, 2], 3), (5, [4, 4], 1), (6, [5, 3], 1)):
            past, big = 8, 16
            wide = np.outer(np.arange(8), 10000.0 ** (-np.arange(0, big, 2) / big))
            pk, pv = f(b, 2, past, big), f(b, 2, past, big)
            for row, last in enumerate(lens):  # behind the end a cache holds zeros
                pk[row, :, last + 1 - steps:] = 0
                pv[row, :, last + 1 - steps:] = 0
            add("GroupQueryAttention_%d_%d" % (inter, total), "GroupQueryAttention",
                {"q": f(b, steps, 4 * big), "k": f(b, steps, 2 * big), "v": f(b, steps, 2 * big), "pk": pk, "pv": pv, "sl": np.array(lens, np.int32)},
                {"ts": np.array(total, np.int32), "cos": np.cos(wide).astype(np.float32), "sin": np.sin(wide).astype(np.float32)}, ("y", "nk", "nv"), domain=MS,
                num_heads=4, kv_num_heads=2, do_rotary=1, rotary_interleaved=inter, **({"local_window_size": 2} if total == 5 else {}))
    for bits in (4, 8):
        k, nn, block = 40 if bits == 4 else 32, 6, 16
        blocks = (k + block - 1) // block
        q = u8(nn, blocks, block * bits // 8)
        zp = u8(nn * ((blocks * bits + 7) // 8))
        add("MatMulNBits_%d" % bits, "MatMulNBits", {"x": f(2, 3, k)}, {"q": q, "s": f(nn * blocks, lo=0.01, hi=0.1), "z": zp}, domain=MS, K=k, N=nn, bits=bits, block_size=block, absolute=2e-4)
        add("MatMulNBits_%d_default" % bits, "MatMulNBits", {"x": f(2, 3, k)}, {"q": q, "s": f(nn * blocks, lo=0.01, hi=0.1)}, domain=MS, K=k, N=nn, bits=bits, block_size=block, absolute=2e-4)
    one = lambda v: np.array(v, np.float32)
    z = lambda v: np.array(v, np.uint8)
    for op in ("QLinearAdd", "QLinearMul"):
        add(op, op, {"a": u8(2, 6)}, {"as": one(0.02), "az": z(120), "b": u8(6), "bs": one(0.03), "bz": z(100), "ys": one(0.05), "yz": z(128)}, domain=MS, absolute=1)
    for op, kw in (("QLinearSigmoid", {}), ("QLinearLeakyRelu", {"alpha": 0.1})):
        add(op, op, {"a": u8(2, 6)}, {"as": one(0.05), "az": z(120), "ys": one(0.02), "yz": z(10)}, domain=MS, absolute=1, **kw)
    add("QLinearGlobalAveragePool", "QLinearGlobalAveragePool", {"a": u8(1, 3, 4, 4)}, {"as": one(0.05), "az": z(120), "ys": one(0.04), "yz": z(128)}, domain=MS, absolute=1)
    add("QLinearAveragePool", "QLinearAveragePool", {"a": u8(1, 3, 5, 5)}, {"as": one(0.05), "az": z(120), "ys": one(0.04), "yz": z(128)}, domain=MS, absolute=1, kernel_shape=[3, 3], pads=[1, 1, 1, 1])
    add("QLinearConcat", "QLinearConcat", {"a": u8(2, 3), "b": u8(2, 2)}, {"ys": one(0.04), "yz": z(128), "as": one(0.05), "az": z(120), "bs": one(0.03), "bz": z(110)},
        order=["ys", "yz", "a", "as", "az", "b", "bs", "bz"], domain=MS, absolute=1, axis=1)
    add("QGemm", "QGemm", {"a": u8(3, 4)}, {"as": one(0.02), "az": z(120), "b": s8(4, 5), "bs": one(0.03), "bz": np.array(0, np.int8), "c": np.arange(5).astype(np.int32), "ys": one(0.05), "yz": z(128)}, domain=MS, absolute=1)
    add("MatMulIntegerToFloat", "MatMulIntegerToFloat", {"a": u8(3, 4)}, {"b": s8(4, 5), "as": one(0.02), "bs": f(5, lo=0.01, hi=0.1), "az": z(120), "bz": np.zeros(5, np.int8), "bias": f(5)}, domain=MS)
    add("DynamicQuantizeMatMul", "DynamicQuantizeMatMul", {"a": f(3, 4)}, {"b": s8(4, 5), "bs": one(0.02), "bz": np.array(0, np.int8)}, domain=MS)


def standard():
    add("QLinearConv_group", "QLinearConv", {"x": u8(1, 4, 5, 5)}, {"xs": np.float32(0.03) * np.ones((), np.float32), "xz": np.array(110, np.uint8), "w": s8(4, 2, 3, 3), "ws": f(4, lo=0.005, hi=0.02),
        "wz": np.zeros(4, np.int8), "ys": np.array(0.05, np.float32), "yz": np.array(128, np.uint8), "b": np.arange(4).astype(np.int32) * 100}, pads=[1, 0, 1, 0], group=2, strides=[2, 1], absolute=0, rel=0)
    for name, kw, scales in (("half_pixel_down", {}, [1, 1, 0.6, 0.6]), ("asymmetric_up", {"coordinate_transformation_mode": "asymmetric"}, [1, 1, 1.7, 2.3]),
                             ("align", {"coordinate_transformation_mode": "align_corners"}, [1, 1, 2, 2]), ("pytorch", {"coordinate_transformation_mode": "pytorch_half_pixel"}, [1, 1, 0.5, 1.5])):
        for mode in ("nearest", "linear", "cubic"):
            if mode == "nearest" and name == "half_pixel_down":
                continue
            add("Resize_%s_%s" % (mode, name), "Resize", {"x": f(1, 2, 5, 5)}, {"s": np.array(scales, np.float32)}, order=["x", "", "s"], opset=18, mode=mode, **kw)
    for mode in ("linear", "cubic"):
        add("Resize_antialias_" + mode, "Resize", {"x": f(1, 2, 9, 9)}, {"z": i64(1, 2, 4, 5)}, order=["x", "", "", "z"], opset=18, mode=mode, antialias=1)
    add("GroupNormalization_21", "GroupNormalization", {"x": f(2, 6, 3, 3)}, {"s": f(6), "b": f(6)}, opset=21, num_groups=3)
    add("Gelu_20", "Gelu", {"x": f(2, 8, lo=-4, hi=4)}, opset=20)
    add("Gelu_20_tanh", "Gelu", {"x": f(2, 8, lo=-4, hi=4)}, opset=20, approximate="tanh")
    add("RMSNormalization", "RMSNormalization", {"x": f(2, 3, 8)}, {"s": f(8)}, opset=23)
    add("LayerNormalization", "LayerNormalization", {"x": f(2, 3, 8)}, {"s": f(3, 8), "b": f(3, 8)}, ("y", "mean", "inv"), axis=1)
    add("Attention_23", "Attention", {"q": f(2, 4, 3, 4), "k": f(2, 2, 5, 4), "v": f(2, 2, 5, 4)}, opset=23)
    add("Attention_23_causal", "Attention", {"q": f(2, 3, 8), "k": f(2, 3, 8), "v": f(2, 3, 8)}, opset=23, q_num_heads=2, kv_num_heads=2, is_causal=1)
    add("Attention_23_mask", "Attention", {"q": f(2, 2, 3, 4), "k": f(2, 2, 5, 4), "v": f(2, 2, 5, 4), "m": f(3, 5)}, opset=23, softcap=2.0)
    for eq, shapes in (("bij,bjk->bik", [(2, 3, 4), (2, 4, 5)]), ("bhid,bhjd->bhij", [(2, 2, 3, 4), (2, 2, 5, 4)]), ("ij->ji", [(3, 4)]), ("ij->", [(3, 4)]), ("ii->i", [(4, 4)]),
                       ("...ij,...jk->...ik", [(2, 3, 4), (2, 4, 2)]), ("i,j->ij", [(3,), (4,)]), ("bi,ij,bj->b", [(2, 3), (3, 4), (2, 4)])):
        add("Einsum_" + eq, "Einsum", {"x%d" % k: f(*s) for k, s in enumerate(shapes)}, equation=eq)
    add("Conv3d", "Conv", {"x": f(1, 2, 4, 5, 5)}, {"w": f(3, 2, 2, 3, 3), "b": f(3)}, pads=[1, 1, 0, 0, 1, 1], strides=[1, 2, 1])
    add("ConvTranspose3d", "ConvTranspose", {"x": f(1, 2, 3, 3, 3)}, {"w": f(2, 3, 2, 3, 3), "b": f(3)}, strides=[2, 1, 2], pads=[0, 1, 1, 1, 1, 0], output_padding=[1, 0, 0])
    add("Conv1d", "Conv", {"x": f(2, 4, 9)}, {"w": f(6, 2, 3), "b": f(6)}, group=2, auto_pad="SAME_LOWER", strides=[2], dilations=[1])
    for op in ("MaxPool", "AveragePool"):
        add(op + "_3d", op, {"x": f(1, 2, 4, 5, 5)}, kernel_shape=[2, 3, 2], strides=[2, 1, 2], pads=[0, 1, 1, 1, 1, 0])
        add(op + "_1d_ceil", op, {"x": f(1, 2, 9)}, kernel_shape=[3], strides=[2], pads=[1, 0], ceil_mode=1, opset=19 if op == "AveragePool" else 17)
    add("LpPool_3", "LpPool", {"x": f(1, 2, 6, 6)}, kernel_shape=[3, 2], strides=[2, 1], p=3, pads=[1, 0, 1, 0])
    add("LRN", "LRN", {"x": f(1, 5, 3, 3)}, size=3, alpha=0.01, beta=0.6, bias=1.5)
    for red in ("add", "mul", "max", "min"):
        add("ScatterElements_" + red, "ScatterElements", {"x": f(3, 4)}, {"i": np.array([[0, 1, 1, -1], [2, 2, 0, 1]], np.int64), "u": f(2, 4)}, opset=18, axis=1, reduction=red)
        add("ScatterND_" + red, "ScatterND", {"x": f(4, 3)}, {"i": np.array([[1], [1], [3]], np.int64), "u": f(3, 3)}, opset=18, reduction=red)
    add("TopK_large", "TopK", {"x": f(3, 40)}, {"k": i64(5)}, ("v", "i"), axis=1)
    add("TopK_small", "TopK", {"x": f(7, 3)}, {"k": i64(4)}, ("v", "i"), axis=0, largest=0)
    add("CumSum", "CumSum", {"x": f(3, 4)}, {"a": np.array(-1, np.int64)}, exclusive=1, reverse=1)
    add("ReverseSequence", "ReverseSequence", {"x": f(4, 3, 2)}, {"l": i64(4, 2, 1)}, batch_axis=1, time_axis=0)
    add("Mod_negative", "Mod", {"a": np.array([-7, 7, -8, 8], np.int64), "b": np.array([3, -3, 4, -4], np.int64)})


def sampled():
    x = f(2, 3, 5, 6)
    for mode in ("bilinear", "nearest", "bicubic"):
        for pad in ("zeros", "border", "reflection"):
            for corners in (0, 1):
                add("GridSample_%s_%s_%d" % (mode, pad, corners), "GridSample", {"x": x, "g": f(2, 3, 4, 2, lo=-1.6, hi=1.6)}, mode=mode, padding_mode=pad, align_corners=corners)
    add("GridSample_far", "GridSample", {"x": f(1, 1, 3, 4), "g": np.array([[[[-9, 7.3], [40.3, -55.7], [4.1, 0], [0.2, -3.5]]]], np.float32)}, padding_mode="reflection")
    for mode in ("linear", "nearest"):
        for pad in ("zeros", "border", "reflection"):
            add("GridSample_3d_%s_%s" % (mode, pad), "GridSample", {"x": f(1, 2, 3, 4, 5), "g": f(1, 2, 2, 3, 3, lo=-1.5, hi=1.5)}, opset=20, mode=mode, padding_mode=pad)
    for corners in (0, 1):
        add("AffineGrid_2d_%d" % corners, "AffineGrid", {"t": f(2, 2, 3)}, {"s": i64(2, 3, 4, 5)}, opset=20, align_corners=corners)
        add("AffineGrid_3d_%d" % corners, "AffineGrid", {"t": f(2, 3, 4)}, {"s": i64(2, 1, 2, 3, 4)}, opset=20, align_corners=corners)
    boxes = np.array([[0.5, 1, 7, 9], [2, 2, 2.4, 2.2], [-3, -2, 5, 14], [6, 5, 11, 12]], np.float32)
    image, which = f(2, 3, 9, 10), i64(0, 1, 1, 0)
    for mode in ("avg", "max"):
        for coord in ("half_pixel", "output_half_pixel"):
            for ratio in (0, 2):
                put = (lambda d: ({"x": image}, d)) if ratio == 0 else (lambda d: (dict({"x": image}, **d), {}))
                feeds, init = put({"r": boxes, "b": which})
                add("RoiAlign_%s_%s_%d" % (mode, coord, ratio), "RoiAlign", feeds, init, opset=16, mode=mode, coordinate_transformation_mode=coord, sampling_ratio=ratio,
                    output_height=2, output_width=3, spatial_scale=0.75)
    add("RoiAlign_10", "RoiAlign", {"x": image, "r": boxes, "b": which}, opset=10, sampling_ratio=1, output_height=3, output_width=2)
    add("MaxRoiPool", "MaxRoiPool", {"x": image, "r": np.array([[0, 0, 0, 5, 5], [1, 2, 3, 12, 9], [1, 7.5, 3.4, 8, 3.6], [0, 20, 20, 25, 25]], np.float32)}, pooled_shape=[3, 2], spatial_scale=0.8)
    for name, kw, filt, groups, out in (("plain", {}, (4, 2, 2, 3), 1, (4, 4)), ("padded", {"pads": [1, 0, 1, 2], "strides": [2, 1], "dilations": [1, 2]}, (4, 2, 2, 3), 1, (3, 4)),
                                        ("groups", {"group": 2, "offset_group": 2}, (4, 1, 2, 3), 2, (4, 4))):
        taps = filt[2] * filt[3]
        feeds = {"x": f(2, 2, 5, 6), "o": f(2, groups * taps * 2, *out, lo=-1.5, hi=1.5)}
        add("DeformConv_" + name, "DeformConv", feeds, {"w": f(*filt)}, order=["x", "w", "o"], opset=19, kernel_shape=list(filt[2:]), **kw)
        add("DeformConv_%s_mask" % name, "DeformConv", dict(feeds, m=f(2, groups * taps, *out)), {"w": f(*filt), "b": f(4)}, order=["x", "w", "o", "b", "m"], opset=19, kernel_shape=list(filt[2:]), **kw)


def signals():
    for op in ("HannWindow", "HammingWindow", "BlackmanWindow"):
        for periodic in (0, 1):
            add("%s_%d" % (op, periodic), op, {}, {"n": np.array(9, np.int64)}, periodic=periodic)
    add("MelWeightMatrix", "MelWeightMatrix", {}, {"a": i64(8)[0], "b": i64(32)[0], "c": i64(8000)[0], "d": np.float32(20), "e": np.float32(3600)})
    for opset in (17, 20):
        at = (lambda a, n: ({"axis": a}, {} if n is None else {"n": np.array(n, np.int64)}, ["x"] if n is None else ["x", "n"])) if opset == 17 else \
             (lambda a, n: ({}, dict({} if n is None else {"n": np.array(n, np.int64)}, a=np.array(a, np.int64)), ["x", "" if n is None else "n", "a"]))
        for name, shape, axis, n, kw in (("real", (2, 7, 1), 1, None, {}), ("complex", (2, 6, 2), 1, None, {}), ("inverse", (2, 6, 2), 1, None, {"inverse": 1}), ("half", (2, 8, 1), 1, None, {"onesided": 1}),
                                         ("longer", (2, 5, 1), 1, 8, {}), ("shorter", (2, 9, 2), 1, 6, {}), ("outer", (5, 3, 2, 1), 0, None, {}), ("middle", (2, 4, 3, 2), 1, 5, {"inverse": 1})):
            attrs, init, order = at(axis, n)
            add("DFT_%d_%s" % (opset, name), "DFT", {"x": f(*shape)}, init, opset=opset, order=order, **dict(attrs, **kw))
    add("DFT_20_default", "DFT", {"x": f(2, 3, 5, 1)}, opset=20)
    add("DFT_20_irfft", "DFT", {"x": f(2, 5, 2)}, opset=20, inverse=1, onesided=1)
    for half in (0, 1):
        add("STFT_%d" % half, "STFT", {"x": f(2, 20, 1)}, {"s": np.array(3, np.int64), "w": f(8, lo=0.1)}, onesided=half)
        add("STFT_length_%d" % half, "STFT", {"x": f(1, 20, 1)}, {"s": np.array(4, np.int64), "n": np.array(6, np.int64)}, order=["x", "s", "", "n"], onesided=half)
    add("STFT_window", "STFT", {"x": f(2, 15, 1), "w": f(5)}, {"s": np.array(2, np.int64)}, order=["x", "s", "w"])


def more():
    for shape in ((1, 1), (2, 2), (3, 4, 4), (2, 2, 6, 6)):
        add("Det_%d" % shape[-1], "Det", {"x": f(*shape)}, absolute=1e-5)
    add("Det_singular", "Det", {"x": np.array([[[0, 0], [0, 0]], [[0, 1], [1, 0]], [[1, 2], [2, 4]]], np.float32)})
    for name, kw, image, block, rows in (("plain", {}, (5, 5), (1, 5), 5), ("strides", {"strides": [2, 2]}, (5, 5), (3, 3), 4), ("pads", {"pads": [1, 0, 1, 2]}, (5, 5), (2, 3), 30), ("dilations", {"dilations": [1, 2]}, (6, 6), (2, 2), 20),
                                         ("rest", {"strides": [2, 3]}, (6, 7), (3, 2), 4), ("3d", {"strides": [2, 1, 2]}, (4, 3, 5), (2, 2, 1), 12)):
        add("Col2Im_" + name, "Col2Im", {"x": f(2, 2 * int(np.prod(block)), rows)}, {"i": i64(*image), "b": i64(*block)}, opset=18, **kw)
    for name, shape, kw in (("crop", (3, 4), {}), ("pad", (9, 8), {}), ("mixed", (3, 9), {}), ("axes", (4,), {"axes": [-2]}), ("odd", (4, 8), {"axes": [1, 0]})):
        add("CenterCropPad_" + name, "CenterCropPad", {"x": f(6, 7)}, {"s": i64(*shape)}, opset=18, **kw)
    for order in (0, 1):
        for name, shape, kw in (("2d", (2, 3, 5, 6), {"kernel_shape": [2, 3], "strides": [2, 1], "pads": [1, 1, 0, 1]}), ("ceil", (1, 2, 5, 5), {"kernel_shape": [3, 3], "strides": [2, 2], "ceil_mode": 1, "pads": [1, 1, 1, 1]}),
                                ("dilated", (1, 2, 6, 6), {"kernel_shape": [2, 2], "dilations": [2, 3]}), ("1d", (2, 2, 9), {"kernel_shape": [3], "strides": [2], "pads": [1, 1]}), ("3d", (1, 2, 4, 5, 4), {"kernel_shape": [2, 2, 2], "strides": [2, 2, 1]})):
            add("MaxPool_indices_%s_%d" % (name, order), "MaxPool", {"x": f(*shape)}, None, ("y", "i"), storage_order=order, **kw)
    add("MaxPool_indices_ties", "MaxPool", {"x": np.array([[[[1, 1, 2], [1, 2, 2], [0, 2, -1]]]], np.float32)}, None, ("y", "i"), kernel_shape=[2, 2])
    add("MaxUnpool", "MaxUnpool", {"x": f(1, 2, 2, 2), "i": np.array([[[[5, 7], [13, 15]], [[16, 19], [26, 30]]]], np.int64)}, kernel_shape=[2, 2], strides=[2, 2])
    add("MaxUnpool_1d", "MaxUnpool", {"x": f(1, 1, 3), "i": np.array([[[1, 2, 5]]], np.int64)}, kernel_shape=[2], strides=[2])
    for ex in (0, 1):
        for rev in (0, 1):
            add("CumProd_%d%d" % (ex, rev), "CumProd", {"x": f(3, 7, lo=0.5, hi=1.5)}, {"a": np.array(1, np.int64)}, opset=26, exclusive=ex, reverse=rev)
    add("Trilu_ms", "Trilu", {"x": f(3, 4)}, {"k": np.array(1, np.int64)}, domain=MS, upper=0)
    for axis in (0, 1):
        add("Unique_axis_%d" % axis, "Unique", {}, {"x": np.array([[2, 1, 2, 1], [3, 0, 3, 0], [2, 1, 2, 1]], np.float32)}, ("y", "i", "inv", "n"), axis=axis)
        add("Unique_unsorted_axis_%d" % axis, "Unique", {}, {"x": np.array([[2, 1, 2, 1], [3, 0, 3, 0], [2, 1, 2, 1]], np.float32)}, ("y", "i", "inv", "n"), axis=axis, sorted=0)
    add("Unique_wide", "Unique", {}, {"x": np.array([2**53 + 1, 2**53, 2**53 + 1, -5], np.int64)}, ("y", "i", "inv", "n"))
    b, t, h, dk, dv = 2, 5, 2, 3, 4
    for rule in ("linear", "gated", "delta", "gated_delta"):
        feeds = {"q": f(b, t, 2 * h * dk), "k": f(b, t, h * dk), "v": f(b, t, h * dv), "s": f(b, h, dk, dv)}
        order = ["q", "k", "v", "s", "", ""]
        if "gated" in rule:
            feeds["g"] = f(b, t, h * dk if rule == "gated" else h, lo=-1, hi=0)
            order[4] = "g"
        if "delta" in rule:
            feeds["e"] = f(b, t, h, lo=0, hi=1)
            order[5] = "e"
        while not order[-1]:
            order.pop()
        add("LinearAttention_" + rule, "LinearAttention", feeds, None, ("y", "n"), order=order, domain=MS, q_num_heads=2 * h, kv_num_heads=h, update_rule=rule)
    for act in ("none", "silu"):
        add("CausalConvWithState_" + act, "CausalConvWithState", {"x": f(2, 3, 5), "p": f(2, 3, 3)}, {"w": f(3, 1, 4), "b": f(3)}, ("y", "n"), order=["x", "w", "b", "p"], domain=MS, activation=act)


JS = """
const ort = require(process.argv[2] + '/onnxruntime-node'), fs = require('fs');
const ctor = { float32: Float32Array, int64: BigInt64Array, int32: Int32Array, uint8: Uint8Array, int8: Int8Array, bool: Uint8Array, float16: Uint16Array };
(async () => {
  const jobs = JSON.parse(fs.readFileSync(process.argv[3])), out = [];
  for (const job of jobs) {
    try {
      const s = await ort.InferenceSession.create(job.path, { intraOpNumThreads: 1, logSeverityLevel: 4 });
      const feeds = {};
      for (const [k, v] of Object.entries(job.feeds)) feeds[k] = new ort.Tensor(v.dataType, ctor[v.dataType].from(v.data, v.dataType === 'int64' ? BigInt : Number), v.shape);
      const r = await s.run(feeds), o = {};
      for (const [k, v] of Object.entries(r)) o[k] = { dataType: v.type, shape: v.dims, data: Array.from(v.data, (x) => Number.isNaN(Number(x)) ? 'NaN' : v.type === 'float32' ? Number(Number(x).toPrecision(9)) : typeof x === 'bigint' && (x > 2n ** 53n || x < -(2n ** 53n)) ? String(x) : Number(x)) };
      out.push(o);
    } catch (e) { out.push({ error: String(e.message || e) }); }
  }
  fs.writeFileSync(process.argv[4], JSON.stringify(out));
})();
"""


def integers():
    global rng
    rng = np.random.default_rng(11)
    one, z = (lambda v: np.array(v, np.float32)), (lambda v: np.array(v, np.uint8))
    quantized = {"w": s8(6, 12), "b": f(12), "xs": one(0.02), "ws": one(0.01), "mask": np.array([3, 2], np.int32), "xz": z(120), "wz": np.array(0, np.int8)}
    add("QAttention", "QAttention", {"x": u8(2, 3, 6)}, quantized, domain=MS, num_heads=2, absolute=1e-4)
    add("QAttention_causal", "QAttention", {"x": u8(2, 3, 6)}, {n: v for n, v in quantized.items() if n != "mask"}, order=["x", "w", "b", "xs", "ws", "", "xz", "wz"],
        domain=MS, num_heads=2, unidirectional=1, absolute=1e-4)
    tables = {"word": u8(7, 8), "position": u8(5, 8), "segment": u8(2, 8), "gamma": u8(8), "beta": u8(8), "mask": np.array([[1, 1, 0, 0], [1, 1, 1, 1]], np.int32)}
    for n, v in (("word", 0.02), ("position", 0.03), ("segment", 0.01), ("gamma", 0.01), ("beta", 0.02)):
        tables[n + "_scale"] = np.array(v, np.float32)
    for n, v in (("word", 120), ("position", 130), ("segment", 128), ("gamma", 3), ("beta", 127)):
        tables[n + "_zero"] = np.array(v, np.uint8)
    add("QEmbedLayerNormalization", "QEmbedLayerNormalization", {"ids": np.array([[1, 2, 3, 6], [0, 5, 4, 4]], np.int32), "types": np.array([[0, 0, 1, 1], [0, 1, 1, 1]], np.int32)},
        tables, ("y", "counts"), domain=MS, absolute=1e-4)
    for name, k in (("deep", 700), ("shallow", 30)):
        add("MatMulInteger_" + name, "MatMulInteger", {"a": u8(3, k)}, {"b": s8(k, 9), "az": z(200), "bz": np.array(-5, np.int8)}, absolute=0, rel=0)
        add("ConvInteger_" + name, "ConvInteger", {"x": u8(1, k // 4, 4, 4)}, {"w": s8(6, k // 4, 3, 3), "xz": z(7)}, absolute=0, rel=0, pads=[1, 1, 1, 1])
    add("QLinearConv_depthwise", "QLinearConv", {"x": u8(1, 5, 6, 6)}, {"xs": one(0.03), "xz": z(110), "w": s8(5, 1, 3, 3), "ws": f(5, lo=0.005, hi=0.02),
        "wz": np.zeros(5, np.int8), "ys": one(0.05), "yz": z(128), "b": np.arange(5).astype(np.int32) * 100}, pads=[1, 1, 1, 1], group=5, absolute=0, rel=0)
    add("QLinearMatMul", "QLinearMatMul", {"a": u8(2, 3, 20)}, {"as": one(0.02), "az": z(120), "b": s8(20, 7), "bs": one(0.01), "bz": np.array(0, np.int8), "ys": one(0.03), "yz": z(90)}, absolute=1)


def main():
    out, modules = sys.argv[1:3]
    recurrent()
    contrib()
    standard()
    first = len(cases)
    sampled()
    signals()
    more()
    integers()
    with tempfile.TemporaryDirectory() as tmp:
        jobs = []
        for k, c in enumerate(cases):
            vi = [helper.make_tensor_value_info(n, helper.mapping.NP_TYPE_TO_TENSOR_TYPE[a.dtype], a.shape) for n, a in c["feeds"].items()]
            vo = [helper.make_empty_tensor_value_info(n) if hasattr(helper, "make_empty_tensor_value_info") else onnx.ValueInfoProto(name=n) for n in c["outs"] if n]
            g = helper.make_graph([c["node"]], "g", vi, vo, [numpy_helper.from_array(np.asarray(a), n) for n, a in c["init"].items()])
            m = helper.make_model(g, opset_imports=[helper.make_opsetid("", c["opset"]), helper.make_opsetid(MS, 1)])
            m.ir_version = 10 if c["opset"] > 18 else 8
            path = os.path.join(tmp, "%d.onnx" % k)
            open(path, "wb").write(m.SerializeToString())
            jobs.append({"path": path, "feeds": {n: tensor(a) for n, a in c["feeds"].items()}})
        jp, rp, sp = (os.path.join(tmp, n) for n in ("jobs.json", "results.json", "run.js"))
        json.dump(jobs, open(jp, "w"))
        open(sp, "w").write(JS)
        subprocess.run(["node", sp, os.path.abspath(modules), jp, rp], check=True)
        results = json.load(open(rp))
    lines, later = [], []
    for k, (c, r) in enumerate(zip(cases, results)):
        if "error" in r:
            print("not written:", c["name"], r["error"][:160])
            continue
        model = {"opset": c["opset"], "opsets": {MS: 1}, "nodes": [c["json"]], "graphInputs": list(c["feeds"]), "graphOutputs": [o for o in c["outs"] if o]}
        if c["init"]:
            model["initializers"] = {n: tensor(np.asarray(a)) for n, a in c["init"].items()}
        (lines if k < first else later).append(json.dumps({"name": c["name"], "model": model, "feeds": {n: tensor(a) for n, a in c["feeds"].items()}, "expected": r,
                                 "tolerance": {"relative": c["rel"], "absolute": c["abs"]}}, separators=(",", ":")))
    half = len(lines) // 2
    for name, part in (("runtime-0.json", lines[:half]), ("runtime-1.json", lines[half:]), ("runtime-2.json", later)):
        with open(os.path.join(out, name), "w") as fo:
            fo.write("[\n" + ",\n".join(part) + "\n]\n")
    print(len(lines) + len(later), "cases")


main()
