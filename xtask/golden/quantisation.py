"""Cases of numbers in steps: PyTorch on the CPU.

References: PyTorch.

Everything is exact: PyTorch and the emulator multiply by the inverse of a step in f32, round to the nearest whole number, halves
to the even one, and multiply by the step again. Halves are compared with PyTorch's f32, rounded once. Writes
cann-stubs/tests/data/quantisation.cases. Which types an operator takes is retyped here from PyTorch's documentation.

    python xtask/golden/quantisation.py
"""

import itertools
import warnings

import numpy as np
import torch

from cases import NULL, Cases, DType, Out, Tensor, kind

warnings.filterwarnings("ignore")
INVALID, NULLPTR = 161002, 161001
F = ["f32", "f16", "bf16"]
INTEGERS = {"i8": torch.qint8, "u8": torch.quint8, "i32": torch.qint32}
SCALES = [0.5, 0.1, 2.0, 0.037, 1 / 3]
cases = Cases()


def data(name, shape):
    """Numbers on both sides of a range, halves of steps among them."""
    random = np.random.default_rng(3 + sum(map(ord, name)) + sum(shape))
    x = np.round(random.uniform(-6, 6, shape) * 16) / 16
    x.reshape(-1)[: min(x.size, 3)] = [0.25, -0.75, 50.0][: min(x.size, 3)]
    return x.astype(kind(name))


def single(x):
    return torch.from_numpy(np.asarray(x).astype(np.float32))


def quantized():
    for name, (to, torch_type), (shape, axis) in itertools.product(F, INTEGERS.items(), [((4, 5), -1), ((3, 2, 4), 1), ((5,), 0), ((2, 3), -2)]):
        x = data(name, shape)
        count = shape[axis]
        scale = np.array(SCALES[:count], np.float32)
        zero = np.arange(count, dtype=np.int32) - (0 if to == "u8" else 2)
        y = torch.quantize_per_channel(single(x), single(scale).double(), torch.from_numpy(zero).long(), axis % len(shape), torch_type).int_repr().numpy()
        y = y.astype(kind(to))
        cases.add("Quantize", Tensor(x), Tensor(scale), Tensor(zero), DType(to), axis, Out(y))
        narrow = zero.astype(kind("u8" if to == "u8" else "i8"))
        cases.add("Quantize", Tensor(x), Tensor(scale), Tensor(narrow), DType(to), axis, Out(y))
        y = torch.quantize_per_tensor(single(x), float(scale[0]), int(zero[0]), torch_type).int_repr().numpy().astype(kind(to))
        cases.add("Quantize", Tensor(x), Tensor(scale[:1]), Tensor(zero[:1]), DType(to), axis, Out(y))
        if name == "bf16" and axis == -1:
            halves = np.array([0.5, 2.0, 0.25, 1.0, 4.0]).astype(kind(name))
            y = torch.quantize_per_channel(single(x), single(halves).double(), torch.from_numpy(zero).long(), axis % len(shape), torch_type).int_repr().numpy()
            cases.add("Quantize", Tensor(x), Tensor(halves), Tensor(zero), DType(to), axis, Out(y.astype(kind(to))))
    x, scale, zero, out = data("f32", (2, 3)), np.ones(3, np.float32), np.zeros(3, np.int32), np.zeros((2, 3), np.int8)
    wrong = lambda x=x, scale=scale, zero=zero, to="i8", axis=1, out=out, code=INVALID: cases.add(
        "Quantize", *(NULL if one is None else Tensor(one) for one in (x, scale, zero)), DType(to), axis, NULL if out is None else Out(out), code=code
    )
    for missing in ["x", "scale", "zero", "out"]:
        wrong(**{missing: None, "code": NULLPTR})
    wrong(x=x.astype(np.float64))
    wrong(scale=scale.astype(np.float16))
    wrong(scale=scale[:2])
    wrong(zero=zero[:2])
    wrong(zero=zero[:1])
    wrong(zero=zero.astype(np.float32))
    wrong(axis=2)
    wrong(axis=0)
    wrong(to="u8")
    wrong(out=out.astype(np.int16), to="i16")
    wrong(out=out[:1])
    wrong(x=x[:0], out=out[:0], code=0)


def fake():
    per_tensor = torch.ops.aten._fake_quantize_per_tensor_affine_cachemask_tensor_qparams
    per_channel = torch.ops.aten.fake_quantize_per_channel_affine_cachemask
    for name, shape, (least, most) in itertools.product(F, [(4, 5), (3, 2, 5), ()], [(-4, 3), (0, 15)]):
        x = data(name, shape)
        for scale, zero in [(0.5, 1), (0.1, 0)]:
            scale, zero = np.array([scale], np.float32), np.array([zero], np.int32)
            y, mask = per_tensor(single(x), single(scale), torch.from_numpy(zero), torch.tensor([1]), least, most)
            arguments = [Tensor(x), Tensor(scale), Tensor(zero)]
            cases.add("FakeQuantPerTensorAffineCachemask", *arguments, 1.0, least, most, Out(y.numpy().astype(kind(name))), Out(mask.numpy()))
        cases.add("FakeQuantPerTensorAffineCachemask", *arguments, 0.0, least, most, Out(x), Out(np.ones(shape, np.bool_)))
        for axis in range(-len(shape), len(shape)):
            count = shape[axis]
            scale, zero = np.array(SCALES[:count], np.float32), np.arange(count, dtype=np.int32) % 3
            y, mask = per_channel(single(x), single(scale), torch.from_numpy(zero), axis % len(shape), least, most)
            arguments = [Tensor(x), Tensor(scale), Tensor(zero), axis, least, most]
            cases.add("FakeQuantPerChannelAffineCachemask", *arguments, Out(y.numpy().astype(kind(name))), Out(mask.numpy()))
    x = np.array([np.nan, np.inf, -np.inf, 0], np.float32)
    y, mask = per_tensor(single(x), torch.tensor([0.5]), torch.tensor([1], dtype=torch.int32), torch.tensor([1]), -4, 3)
    one, zero = np.full(1, 0.5, np.float32), np.ones(1, np.int32)
    cases.add("FakeQuantPerTensorAffineCachemask", Tensor(x), Tensor(one), Tensor(zero), 1.0, -4, 3, Out(y.numpy()), Out(mask.numpy()))
    x = data("f32", (2, 3))
    inside = np.ones((2, 3), np.bool_)

    def wrong(x=x, scale=one, zero=zero, least=-4, most=3, out=x, mask=inside, code=INVALID, axis=None):
        kind_of = "FakeQuantPerTensorAffineCachemask" if axis is None else "FakeQuantPerChannelAffineCachemask"
        given = [NULL if one is None else Tensor(one) for one in (x, scale, zero)]
        results = [NULL if one is None else Out(one) for one in (out, mask)]
        cases.add(kind_of, *given, 1.0 if axis is None else axis, least, most, *results, code=code)

    three, zeros = np.ones(3, np.float32), np.zeros(3, np.int32)
    for missing in ["x", "scale", "zero", "out", "mask"]:
        wrong(**{missing: None, "code": NULLPTR})
        wrong(**({"scale": three, "zero": zeros, "axis": 1} | {missing: None, "code": NULLPTR}))
    wrong(x=x.astype(np.float64), out=x.astype(np.float64))
    wrong(scale=three)
    wrong(zero=zeros)
    wrong(zero=zero.astype(np.int64))
    wrong(scale=one.astype(np.float16))
    wrong(least=4)
    wrong(out=x.astype(np.float16))
    wrong(out=x[:1])
    wrong(mask=inside.astype(np.uint8))
    wrong(mask=inside[:1])
    wrong(scale=three, zero=zeros, axis=2)
    wrong(scale=three, zero=zeros, axis=0)
    wrong(scale=three, zero=zeros[:2], axis=1)
    wrong(x=x[:0], out=x[:0], mask=inside[:0], code=0)


quantized()
fake()
cases.write("quantisation")
