#!/usr/bin/env python3
"""Writes vectors of operators as opsets 1 to 6 had them: attributes that became inputs later, broadcasting by axis. No
runtime computes those versions any more; the expected values are numpy's.

    make-old.py OUT      writes OUT/old.json
"""
import json, os, sys
import numpy as np

rng = np.random.default_rng(3)
cases = []


def f(*shape):
    return rng.integers(-8, 9, shape).astype(np.float32) / 4


def tensor(a):
    a = np.asarray(a)
    return {"dataType": "bool" if a.dtype == bool else str(a.dtype), "shape": list(a.shape), "data": [float(v) if a.dtype.kind == "f" else int(v) for v in a.reshape(-1)]}


def add(name, opset, op, feeds, expected, init=None, **attrs):
    outs = ["y%d" % i for i in range(len(expected))]
    plain = {k: {"float": v} if isinstance(v, float) else v for k, v in attrs.items()}
    cases.append({"name": "%s_%d_%s" % (op, opset, name), "model": {
        "opset": opset, "nodes": [{"opType": op, "inputs": list(feeds) + list(init or {}), "outputs": outs, "attributes": plain}], "graphInputs": list(feeds), "graphOutputs": outs,
        **({"initializers": {k: tensor(v) for k, v in init.items()}} if init else {})}, "feeds": {k: tensor(v) for k, v in feeds.items()}, "expected": {o: tensor(e) for o, e in zip(outs, expected)},
        "tolerance": {"relative": 1e-5, "absolute": 1e-6}})


def main():
    x, c, w = f(2, 3, 4, 5), f(3, 4), f(4, 5)
    for op, fn in (("Add", np.add), ("Sub", np.subtract), ("Mul", np.multiply), ("Div", np.divide)):
        b = np.abs(c) + 1
        add("axis", 6, op, {"a": x, "b": b}, [fn(x, b[None, :, :, None])], broadcast=1, axis=1)
        add("end", 1, op, {"a": x, "b": np.abs(w) + 1}, [fn(x, np.abs(w) + 1)], broadcast=1)
        add("same", 6, op, {"a": w, "b": np.abs(w) + 1}, [fn(w, np.abs(w) + 1)])
    add("axis", 6, "Pow", {"a": np.abs(x), "b": np.full(3, 2, np.float32)}, [np.abs(x) ** 2], broadcast=1, axis=1)
    for op, fn in (("Greater", np.greater), ("Less", np.less)):
        add("axis", 1, op, {"a": x, "b": c}, [fn(x, c[None, :, :, None])], broadcast=1, axis=1)
    flags, more = rng.integers(0, 2, (2, 3, 4)).astype(bool), rng.integers(0, 2, 3).astype(bool)
    for op, fn in (("And", np.logical_and), ("Or", np.logical_or), ("Xor", np.logical_xor)):
        add("axis", 1, op, {"a": flags, "b": more}, [fn(flags, more[None, :, None])], broadcast=1, axis=1)
    slope = np.array([0.5, 2, -1], np.float32)
    add("channels", 6, "PRelu", {"x": x, "s": slope}, [np.where(x < 0, x * slope[None, :, None, None], x)])
    add("limits", 6, "Clip", {"x": x}, [np.clip(x, -0.5, 1)], min=-0.5, max=1.0)
    add("open", 6, "Clip", {"x": x}, [np.maximum(x, -0.5)], min=-0.5)
    scale, bias, mean, var = f(3), f(3), f(3), np.abs(f(3)) + 0.5
    shape = (1, 3, 1, 1)
    normal = (x - mean.reshape(shape)) / np.sqrt(var.reshape(shape) + np.float32(1e-3)) * scale.reshape(shape) + bias.reshape(shape)
    add("test", 6, "BatchNormalization", {"x": x}, [normal], {"s": scale, "b": bias, "m": mean, "v": var}, is_test=1, epsilon=1e-3)
    add("test", 1, "BatchNormalization", {"x": x}, [normal], {"s": scale, "b": bias, "m": mean, "v": var}, is_test=1, epsilon=1e-3, consumed_inputs=[0, 0, 0, 1, 1])
    add("test", 6, "Dropout", {"x": x}, [x], is_test=1, ratio=0.3)
    a, b, bias = f(3, 4), f(5, 4), f(5)
    add("broadcast", 6, "Gemm", {"a": a, "b": b, "c": bias}, [2 * a @ b.T + 0.5 * bias], alpha=2.0, beta=0.5, transB=1, broadcast=1)
    add("attribute", 1, "Reshape", {"x": x}, [x.reshape(2, 12, 5)], shape=[0, -1, 5])
    add("name", 1, "Cast", {"x": x}, [x.astype(np.int32)], to="INT32")
    add("default", 1, "Concat", {"a": x, "b": x}, [np.concatenate([x, x], 1)])
    add("paddings", 1, "Pad", {"x": w}, [np.pad(w, ((1, 2), (0, 1)), constant_values=1.5)], paddings=[1, 0, 2, 1], mode="constant", value=1.5)
    add("pads", 2, "Pad", {"x": w}, [np.pad(w, ((1, 2), (0, 1)), mode="reflect")], pads=[1, 0, 2, 1], mode="reflect")
    add("attribute", 1, "Slice", {"x": x}, [x[:, 1:3, :, -3:-1]], starts=[1, -3], ends=[3, -1], axes=[1, 3])
    add("attribute", 2, "Split", {"x": x}, [x[:, :, :1], x[:, :, 1:4]], axis=2, split=[1, 3])
    add("attribute", 1, "Squeeze", {"x": x[:1]}, [x[0]], axes=[0])
    add("attribute", 1, "Unsqueeze", {"x": w}, [w[None, :, None]], axes=[0, 2])
    add("flat", 1, "Softmax", {"x": x}, [(lambda e: (e / e.sum(1, keepdims=True)).reshape(x.shape))(np.exp(x.reshape(2, -1)))])
    add("attribute", 1, "TopK", {"x": w}, [-np.sort(-w, 1)[:, :2], np.argsort(-w, 1, kind="stable")[:, :2].astype(np.int64)], k=2)
    add("tiles", 1, "Tile", {"x": w}, [np.concatenate([w, w, w], 1)], {"t": np.array(3, np.float32), "a": np.array(1, np.float32)})
    add("old", 1, "Selu", {"x": w}, [np.where(w > 0, np.float32(1.0507) * w, np.float32(1.0507) * np.float32(1.6732) * (np.exp(w) - 1)).astype(np.float32)])
    add("several", 1, "Max", {"a": w, "b": w * 0 + 0.25, "c": -w}, [np.maximum(np.abs(w), 0.25)], consumed_inputs=[0, 0, 0])
    add("axes", 1, "ReduceSum", {"x": x}, [x.sum((1, 3), keepdims=True)], axes=[1, 3])
    with open(os.path.join(sys.argv[1], "old.json"), "w") as out:
        out.write("[\n" + ",\n".join(json.dumps(c, separators=(",", ":")) for c in cases) + "\n]\n")
    print(len(cases), "cases")


main()
