"""Cases of the functions with attributes or several operands: PyTorch on a CPU in f64, its gradients by differentiation, or
NumPy where PyTorch lacks the function; rounded to the type of the result.

References: PyTorch, NumPy.
Writes cann-stubs/tests/data/parametric.cases. Which types a function takes and gives is retyped here from CANN's public
description and not read from the declarations.

    python xtask/golden/parametric.py
"""

import numpy as np
import torch
import torch.nn.functional as F
from scipy import special

from cases import COMPLEX, FLOATS, INTEGERS, NULL, Cases, InOut, Out, Scalar, Tensor, Text, kind, values

np.seterr(all="ignore")
INVALID, NULL_POINTER, INNER, TILING = 161002, 161001, 561103, 561002

F3 = ["f32", "f16", "bf16"]
F4 = [*F3, "f64"]
L = [*F4, *INTEGERS]


def f32(value):
    return float(np.float32(value))


def torch_of(function):
    """A function of tensors of PyTorch as one of arrays in f64."""
    return lambda *arrays: function(*[torch.from_numpy(np.ascontiguousarray(a, np.float64)) for a in arrays]).numpy()


def gradient(function):
    """The gradient of a function of one tensor, times the first operand."""

    def backward(g, x):
        x = x.clone().requires_grad_(True)
        function(x).backward(torch.ones_like(x))
        return g * x.grad

    return torch_of(backward)


def rounded(array, name):
    """Rounded to a type. To an integer it is truncated; what is too large for i32 becomes the limit, of which i8 has the low bits."""
    if name in FLOATS:
        return array.astype(kind(name))
    limits = np.iinfo(np.int32)
    return np.clip(np.trunc(array), limits.min, limits.max).astype(np.int32).astype(kind(name))


def shrunk(x, lambd, bias):
    return np.where(x > lambd, x - bias, np.where(x < -lambd, x + bias, 0.0))


def elu(alpha, scale, input_scale):
    def function(x):
        if not np.isfinite(alpha) or not np.isfinite(input_scale):
            return np.where(np.isnan(x), x, np.where(x > 0, x, -alpha) * scale)
        return np.where(x > 0, scale * x, alpha * scale * np.expm1(input_scale * x))

    return function


def gelu_by_tanh(x):
    """As PyTorch approximates it, without the cancellation of one minus tanh."""
    return x * torch.sigmoid(1.595769121 * (x + 0.044715 * x**3))


# Function, attributes, expected, types, types of the attributes that are refused.
ONE_TENSOR = [
    ("LeakyRelu", [0.01], torch_of(lambda x: F.leaky_relu(x, f32(0.01))), F4, []),
    ("LeakyRelu", [0.0], torch_of(lambda x: F.leaky_relu(x, 0.0)), F3, []),
    ("LeakyRelu", [-2.0], torch_of(lambda x: F.leaky_relu(x, -2.0)), F3, []),
    ("Elu", [1.0, 1.0, 1.0], torch_of(F.elu), F4, COMPLEX),
    ("Elu", [1.5, 0.75, 2.0], elu(1.5, 0.75, 2.0), F4, COMPLEX),
    ("Elu", [np.inf, 0.5, 1.0], elu(np.inf, 0.5, 1.0), F3, COMPLEX),
    ("Elu", [2.0, 0.5, np.nan], elu(2.0, 0.5, np.nan), F3, COMPLEX),
    ("Celu", [1.0], torch_of(F.celu), F3, COMPLEX),
    ("Celu", [2.5], torch_of(lambda x: F.celu(x, 2.5)), F3, COMPLEX),
    ("Celu", [-2.5], torch_of(lambda x: F.celu(x, -2.5)), F3, COMPLEX),
    ("Softplus", [1.0, 20.0], torch_of(F.softplus), F3, COMPLEX),
    ("Softplus", [0.5, 2.0], torch_of(lambda x: F.softplus(x, 0.5, 2.0)), F3, COMPLEX),
    ("Hardshrink", [0.5], torch_of(F.hardshrink), F3, []),
    ("Hardshrink", [-1.0], torch_of(lambda x: F.hardshrink(x, 0.0)), F3, []),
    ("Softshrink", [0.5], torch_of(F.softshrink), F3, []),
    ("Shrink", [0.5, 0.25], lambda x: shrunk(x, 0.5, 0.25), ["f32", "f16"], []),
    ("Swish", [1.0], torch_of(F.silu), F3, COMPLEX),
    ("Swish", [-0.5], torch_of(lambda x: x * torch.sigmoid(-0.5 * x)), F3, COMPLEX),
]
IN_PLACE = ["LeakyRelu", "Elu", "Celu"]

# Function, expected, types.
NO_ATTRIBUTES = [
    ("Selu", torch_of(F.selu), [*F3, "i32", "i8"], True),
    ("Hardsigmoid", lambda x: np.clip(x * f32(1 / 6) + 0.5, 0, 1), [*F3, "i32"], True),
    ("FastGelu", lambda x: x / (1 + np.exp(-1.702 * x)), F3, False),
]

# Function, attributes, expected of the incoming gradient and the argument or the result, types, whether it broadcasts.
GRADIENTS = [
    ("ThresholdBackward", [0.5], lambda g, x: np.where(x <= 0.5, 0.0, g), F3, True),
    ("SigmoidBackward", [], lambda g, y: g * y * (1 - y), F4, True),
    ("TanhBackward", [], lambda g, y: g * (1 - y * y), F4, True),
    ("SiluBackward", [], gradient(F.silu), F3, False),
    ("SwishBackward", [2.0], gradient(lambda x: x * torch.sigmoid(2.0 * x)), F3, False),
    ("SwishBackward", [NULL], gradient(F.silu), F3, False),
    ("GeluBackward", [], gradient(gelu_by_tanh), F3, True),
    ("FastGeluBackward", [], gradient(lambda x: x * torch.sigmoid(1.702 * x)), F3, False),
    ("MishBackward", [], gradient(F.mish), F3, True),
    ("SoftplusBackward", [0.5, 2.0], gradient(lambda x: F.softplus(x, 0.5, 2.0)), F4, False),
    ("LeakyReluBackward", [0.01, False], gradient(lambda x: F.leaky_relu(x, f32(0.01))), F4, True),
    ("HardswishBackward", [], lambda g, x: g * np.where(x < -3, 0, np.where(x > 3, 1, x / 3 + 0.5)), F3, False),
    ("HardswishBackwardV2", [], lambda g, x: g * np.where(x <= -3, 0, np.where(x >= 3, 1, x / 3 + 0.5)), F3, False),
    ("HardsigmoidBackward", [], lambda g, x: np.where((x > -3) & (x < 3), g / 6, 0.0), F3, False),
    ("HardtanhBackward", [-1.0, 2.5], lambda g, x: np.where((x <= -1) | (x >= 2.5), 0.0, g), F3, False),
    ("HardshrinkBackward", [0.5], lambda g, x: np.where(np.abs(x) <= 0.5, 0.0, g), F3, True),
    ("SoftshrinkBackward", [0.5], lambda g, x: np.where((x >= -0.5) & (x <= 0.5), 0.0, g), F3, True),
]


def wide(x):
    return x.astype(np.float64)


def ulps(name):
    return {"f64": 8}.get(name, 1)


def attribute(value):
    return Scalar(value, "f32") if isinstance(value, float) else value


def clamps(cases):
    def clamp(x, low, high):
        x = x if low is None else np.maximum(x, low)
        return x if high is None else np.minimum(x, high)

    for name in L:
        x = values(name, 40)
        low, high = (np.array([value]).astype(kind(name))[0] for value in (0 if name == "u8" else -1, 2))
        lo, hi = Scalar(low, name), Scalar(high, name)
        cases.add("Clamp", Tensor(x), lo, hi, Out(clamp(x, low, high)))
        cases.add("Clamp", Tensor(x), hi, lo, Out(clamp(x, high, low)))
        cases.add("Clamp", Tensor(x), NULL, hi, Out(clamp(x, None, high)))
        cases.add("Clamp", Tensor(x), lo, NULL, Out(clamp(x, low, None)))
        cases.add("ClampMin", Tensor(x), lo, Out(clamp(x, low, None)))
        cases.add("ClampMax", Tensor(x), hi, Out(clamp(x, None, high)))
        cases.add("InplaceClampMax", InOut(x, clamp(x, None, high)), hi)
        cases.add("Hardtanh", Tensor(x), lo, hi, Out(clamp(x, low, high)))
        cases.add("InplaceHardtanh", InOut(x, clamp(x, low, high)), lo, hi)
        lows, highs = np.roll(x, 1)[:20].reshape(1, 20), values(name, 2).reshape(2, 1)
        y = x.reshape(2, 20)
        both = [Tensor(lows), Tensor(highs)]
        cases.add("ClampTensor", Tensor(y), *both, Out(clamp(y, lows, highs)))
        cases.add("ClampTensor", Tensor(y), NULL, both[1], Out(clamp(y, None, highs)))
        cases.add("ClampMinTensor", Tensor(y), both[0], Out(clamp(y, lows, None)))
        cases.add("ClampMaxTensor", Tensor(y), both[1], Out(clamp(y, None, highs)))
        cases.add("InplaceClampMinTensor", InOut(y, clamp(y, lows, None)), both[0])
        cases.add("InplaceClampMaxTensor", InOut(y, clamp(y, None, highs)), both[1])
    x, i = values("f32", 40), values("i32", 40)
    one, two = Scalar(1.0, "f32"), Scalar(2.5, "f32")
    # Before the 950 in the type of the output, to which the bounds are converted.
    cases.add("Clamp", Tensor(i), one, two, Out(clamp(i, 1, 2)))
    cases.add("Clamp", Tensor(i), one, two, Out(clamp(i.astype(np.float32), np.float32(1), np.float32(2.5))))
    cases.add("Clamp", Tensor(x), one, two, Out(clamp(x.astype(np.float16), np.float16(1), np.float16(2.5))))
    cases.add("Clamp", Tensor(x), Scalar(True, "bool"), Scalar(3, "i64"), Out(clamp(x, np.float32(1), np.float32(3))))
    cases.add("Clamp", Tensor(x), one, two, Out(i), code=INVALID)
    cases.add("Clamp", Tensor(x), NULL, NULL, Out(x), code=NULL_POINTER)
    cases.add("ClampMin", Tensor(x), NULL, Out(x), code=NULL_POINTER)
    cases.add("Clamp", Tensor(np.ones(3, np.bool_)), one, two, Out(np.ones(3, np.bool_)), code=INVALID)
    cases.add("Clamp", Tensor(values("c64")), one, two, Out(values("c64")), code=INVALID)
    cases.add("Clamp", Tensor(x), one, two, Out(x[:39]), code=INVALID)
    cases.add("Clamp", Tensor(x), Scalar(np.nan, "f32"), two, Out(np.full(40, np.nan, np.float32)))
    # Types are promoted only where there is something to compute.
    nothing = np.zeros((0, 3), np.float32)
    cases.add("Clamp", Tensor(nothing), one, two, Out(nothing.astype(np.int32)))
    untouched = np.full(40, 0xA5A5A5A5, np.uint32).view(np.float32)
    cases.add("ClampTensor", Tensor(nothing), Tensor(nothing), Tensor(x), Out(untouched))
    cases.add("ClampTensor", Tensor(x), NULL, NULL, Out(x), code=NULL_POINTER)
    cases.add("ClampTensor", Tensor(x), Tensor(x.astype(np.float16)), Tensor(wide(x)), Out(wide(x)))
    cases.add("ClampMinTensor", Tensor(i), Tensor(np.zeros(1, np.bool_)), Out(np.maximum(i, 0)))
    cases.add("ClampMinTensor", Tensor(x), Tensor(x), Out(i), code=INVALID)
    cases.add("ClampMinTensor", Tensor(x), Tensor(np.zeros((3, 1), np.float32)), Out(x), code=INVALID)
    cases.add("Hardtanh", Tensor(i), two, one, Out(i), code=INVALID)
    cases.add("Hardtanh", Tensor(i), Scalar(1, "i32"), Scalar(1.9, "f32"), Out(np.ones(40, np.int32)))
    cases.add("Hardtanh", Tensor(i), one, two, Out(clamp(i, 1, 2)))
    cases.add("Hardtanh", Tensor(x), Scalar(True, "bool"), two, Out(x), code=INVALID)
    cases.add("Hardtanh", Tensor(x), one, two, Out(wide(x)), code=INVALID)
    cases.add("Hardtanh", Tensor(x), one, NULL, Out(x), code=NULL_POINTER)


def thresholds(cases):
    for name in [*F3, *INTEGERS]:
        x = values(name, 40)
        limit, value = (np.array([v]).astype(kind(name))[0] for v in (1, 7))
        y = np.where(x <= limit, value, x)
        cases.add("Threshold", Tensor(x), Scalar(limit, name), Scalar(value, name), Out(y))
        cases.add("InplaceThreshold", InOut(x, y), Scalar(limit, name), Scalar(value, name))
    i, x = values("i32", 40), values("f32", 40)
    half = Scalar(2.5, "f32")
    cases.add("Threshold", Tensor(i), half, half, Out(np.where(i <= 2, 2, i)))
    cases.add("Threshold", Tensor(i), half, half, Out(np.where(i <= 2, 2, i).astype(np.float32)))
    cases.add("Threshold", Tensor(x), half, half, Out(i), code=INVALID)
    cases.add("Threshold", Tensor(wide(x)), half, half, Out(wide(x)), code=INVALID)
    cases.add("Threshold", Tensor(x), NULL, half, Out(x), code=NULL_POINTER)
    # i16 is compared in i32, beside which a scalar keeps its bits.
    s = values("i16", 40)
    cases.add("Threshold", Tensor(s), Scalar(40000, "i32"), Scalar(1, "i32"), Out(np.ones(40, np.int16)))


def numbers(cases):
    for name in [*F3, *INTEGERS, "bool"]:
        x = values(name, 40)
        y = x
        if name in FLOATS:
            y = np.where(np.isnan(x), np.array(0.5).astype(kind(name)), x)
            y = np.where(x == np.inf, np.array(7.25).astype(kind(name)), np.where(x == -np.inf, np.array(-9.0).astype(kind(name)), y))
        y = y.astype(kind(name))
        cases.add("NanToNum", Tensor(x), 0.5, 7.25, -9.0, Out(y))
        cases.add("InplaceNanToNum", InOut(x, y), 0.5, 7.25, -9.0)
    h, x = values("f16", 40), values("f32", 40)
    # What replaces is rounded to the type, and not replaced again.
    largest = float(np.finfo(np.float32).max)
    cases.add("NanToNum", Tensor(h), float("nan"), largest, -largest, Out(h))
    cases.add("NanToNum", Tensor(wide(x)), 0.0, 1.0, 2.0, Out(wide(x)), code=INVALID)
    cases.add("NanToNum", Tensor(x), 0.0, 1.0, 2.0, Out(h), code=INVALID)
    cases.add("NanToNum", Tensor(x), 0.0, 1.0, 2.0, Out(x), product="Ascend910", code=INVALID)


def decimals(cases):
    def steps(x, digits, dtype):
        power = dtype(10.0) ** dtype(abs(digits))
        x = x.astype(dtype)
        return np.rint(x) if digits == 0 else np.rint(x * power) / power if digits > 0 else np.rint(x / power) * power

    for digits in (0, 1, 3, -1, -2):
        for name in F4:
            x = values(name, 60, low=-200, high=200)
            y = steps(x, digits, np.float64 if name == "f64" else np.float32).astype(kind(name))
            cases.add("RoundDecimals", Tensor(x), digits, Out(y))
            cases.add("InplaceRoundDecimals", InOut(x, y), digits)
    x = values("f32", 40)
    for digits in (39, -39):
        cases.add("RoundDecimals", Tensor(x), digits, Out(np.full(40, np.nan, np.float32)))
    i = np.array([0, 4, 5, 15, 25, -15, -25, -26, 149, 150, 250, 12345, 2**31 - 1, 2147483645, -(2**31)], np.int32)
    tens = [0, 0, 0, 20, 20, -20, -20, -30, 150, 150, 250, 12340, -(2**31), 2147483640, -(2**31)]
    hundreds = [0, 0, 0, 0, 0, 0, 0, 0, 100, 200, 200, 12300, 2147483600, 2147483600, -2147483600]
    cases.add("RoundDecimals", Tensor(i), 2, Out(i))
    cases.add("RoundDecimals", Tensor(i), -1, Out(np.array(tens, np.int32)))
    cases.add("RoundDecimals", Tensor(i), -2, Out(np.array(hundreds, np.int32)))
    billions = np.array([500000000, 500000001, 1499999999, 1500000000, -1500000000], np.int32)
    cases.add("RoundDecimals", Tensor(billions), -9, Out(np.array([0, 10**9, 10**9, 2 * 10**9, -2 * 10**9], np.int32)))
    cases.add("RoundDecimals", Tensor(i), -10, Out(np.zeros(15, np.int32)))
    cases.add("RoundDecimals", Tensor(i), -309, Out(np.full(15, -(2**31), np.int32)))
    # Longer integers are truncated, and a quotient of one becomes two.
    j = np.array([27, 9, 10, 19, 20, -15, -27, 2**62], np.int64)
    cases.add("RoundDecimals", Tensor(j), -1, Out(np.array([20, 0, 20, 20, 20, -10, -20, 2**62 // 10 * 10], np.int64)))
    cases.add("RoundDecimals", Tensor(j[:7]), 1, Out(j[:7]))
    cases.add("RoundDecimals", Tensor(values("i8")), 1, Out(values("i8")), code=INVALID)
    cases.add("RoundDecimals", Tensor(x), 1, Out(wide(x)), code=INVALID)


def logits(cases):
    """In f32: `eps` is rounded to it, and so is what it is less than one."""

    def logit(x, eps):
        if not eps < 0:
            # By NumPy: where the bounds are exchanged PyTorch has two ways. The lower one counts; on the 950 that is chosen here.
            low = np.float32(eps)
            x = np.where(x < low, low, np.where(x > 1 - low, 1 - low, x))
        return torch_of(torch.logit)(x)

    # A bound that is NaN moves nothing: chosen here.
    for eps in (-1.0, 0.0, 1e-6, 0.1, 0.5, 0.75, float("nan")):
        for name in F3:
            x = np.concatenate([values(name), values(name, 60, low=-0.25, high=1.25)[21:]])
            cases.add("Logit", Tensor(x), eps, Out(logit(x.astype(np.float32), eps).astype(kind(name)), 1))
    for shape in [(), (2, 1, 3, 1, 1, 2, 1, 2), (0, 3)]:
        x = np.linspace(-0.25, 1.25, int(np.prod(shape)), dtype=np.float32).reshape(shape)
        cases.add("Logit", Tensor(x), 0.125, Out(logit(x, 0.125).reshape(shape).astype(np.float32), 1))
    x, h = values("f32", 40), values("f16", 40)
    for name in ("f64", "i32", "bool", "c64"):
        cases.add("Logit", Tensor(values(name, 4)), 0.1, Out(values(name, 4)), code=INVALID)
    cases.add("Logit", Tensor(x), 0.1, Out(h), code=INVALID)
    cases.add("Logit", Tensor(x), 0.1, Out(x), product="Ascend910", code=INVALID)
    cases.add("Logit", Tensor(x), 0.1, Out(x), product="Ascend310P", code=INVALID)
    cases.add("Logit", NULL, 0.1, Out(x), code=NULL_POINTER)
    cases.add("Logit", Tensor(x), 0.1, NULL, code=NULL_POINTER)
    # There is no phase one of its own, so that shapes are looked at where the work is divided. That more than eight axes are
    # refused is chosen here.
    cases.add("Logit", Tensor(x), 0.1, Out(x[:39]), code=TILING)
    cases.add("Logit", Tensor(x), 0.1, Out(x.reshape(5, 8)), code=TILING)
    nine = np.ones((1,) * 9, np.float32)
    cases.add("Logit", Tensor(nine), 0.1, Out(nine), code=TILING)


def two_tensors(cases):
    for name in F3:
        x = values(name, 40)
        at_zero = np.roll(x, 3)
        y = np.where(np.isnan(x), np.array(0).astype(kind(name)), np.heaviside(x.astype(np.float64), wide(at_zero)).astype(kind(name)))
        cases.add("Heaviside", Tensor(x), Tensor(at_zero), Out(y))
        half = np.array([[0.5]]).astype(kind(name))
        y = np.where(np.isnan(x), 0, np.heaviside(wide(x), 0.5)).astype(kind(name))
        cases.add("Heaviside", Tensor(x), Tensor(half), Out(y))
        grid = x[:24].reshape(2, 3, 4)
        weight = np.array([0.25, -2.0, 0.1]).astype(kind(name))
        y = np.where(grid > 0, wide(grid), wide(weight).reshape(1, 3, 1) * wide(grid)).astype(kind(name))
        cases.add("Prelu", Tensor(grid), Tensor(weight), Out(y))
        cases.add("Prelu", Tensor(grid), Tensor(weight.reshape(3, 1)), Out(y))
        y = np.where(x > 0, wide(x), 0.25 * wide(x)).astype(kind(name))
        cases.add("Prelu", Tensor(x), Tensor(weight[:1].reshape(1, 1)), Out(y))
        cases.add("Prelu", Tensor(x), Tensor(weight), Out(x), code=INVALID)
    x, h = values("f32", 40), values("f16", 40)
    cases.add("Heaviside", Tensor(x), Tensor(x[:39]), Out(x), code=INVALID)
    cases.add("Heaviside", Tensor(x), Tensor(x), Out(x[:39]), code=INVALID)
    cases.add("Heaviside", Tensor(x), Tensor(x), Out(x.reshape(2, 20)), code=INNER)
    cases.add("Heaviside", Tensor(x), Tensor(x), Out(h), code=INNER)
    # Another type of the list is found out where a kernel is chosen.
    cases.add("Heaviside", Tensor(x), Tensor(h), Out(x), code=INNER)
    cases.add("Heaviside", Tensor(x[:0]), Tensor(h[:0]), Out(x[:0]))
    cases.add("Heaviside", Tensor(wide(x)), Tensor(wide(x)), Out(wide(x)), code=INVALID)
    weight = np.array([0.3], np.float32)
    y = np.where(h > 0, wide(h), wide(weight) * wide(h))
    cases.add("Prelu", Tensor(h), Tensor(weight), Out(y.astype(np.float32), 1))
    cases.add("Prelu", Tensor(h), Tensor(weight), Out(y), code=INVALID)


def gelus(cases):
    for name in F3:
        x = values(name, 40)
        for approximate, how in [(0, "none"), (1, "tanh"), (2, "none"), (-1, "none")]:
            y = torch_of(lambda x: F.gelu(x, approximate=how))(x)
            # Far on the negative side PyTorch loses the digits of one minus the error function.
            far = np.isfinite(x) & (x < -4)
            x, y = (np.where(far, np.array(0).astype(kind(name)), x).astype(kind(name)), np.where(far, 0.0, y))
            cases.add("GeluV2", Tensor(x), approximate, Out(np.where(x == -np.inf, np.nan, y).astype(kind(name)), 1))
    x = values("f32", 40)
    cases.add("GeluV2", Tensor(x), 0, Out(wide(x)), code=INVALID)
    cases.add("GeluV2", Tensor(wide(x)), 0, Out(wide(x)), code=INVALID)
    y = torch_of(F.logsigmoid)(x).astype(np.float32)
    cases.add("LogSigmoidForward", Tensor(x), Out(y, 1), NULL)
    cases.add("LogSigmoidForward", Tensor(x), Out(y, 1), Tensor(np.ones((2, 3), np.int8)))
    g = values("f32", 40, special=False)
    cases.add("LogSigmoidBackward", Tensor(g), Tensor(x), Tensor(g[:0]), Out(gradient(F.logsigmoid)(g, x).astype(np.float32), 1))
    cases.add("LogSigmoidBackward", Tensor(g), Tensor(x), NULL, Out(x), code=NULL_POINTER)


def gradients(cases):
    for operator, attributes, expected, types, broadcasts in GRADIENTS:
        given = [attribute(value) for value in attributes]
        for name in types:
            x, g = values(name, 40)[:18], values(name, 18, special=False)
            y, near = expected(wide(g), wide(x)).astype(kind(name)), 32 if name == "f64" else 1
            if operator == "SoftplusBackward" and name == "f64":
                # It is computed in f32.
                y = expected(*[wide(a.astype(np.float32)) for a in (g, x)])
                y, near = wide(y.astype(np.float32)), 2**30
            cases.add(operator, Tensor(g), Tensor(x), *given, Out(y, near))
            if broadcasts:
                column = g[:6].reshape(6, 1)
                y = expected(*np.broadcast_arrays(wide(column), wide(x[:3]).reshape(1, 3))).astype(kind(name))
                cases.add(operator, Tensor(column), Tensor(x[:3]), *given, Out(y, near))
        g, x = values("f32", 18, special=False), values("f32", 18)
        i = values("i16", 18)
        cases.add(operator, Tensor(i), Tensor(i), *given, Out(i), code=INVALID)
        cases.add(operator, Tensor(g), Tensor(x), *given, Out(x[:17]), code=INVALID)
        cases.add(operator, Tensor(g), NULL, *given, Out(x), code=NULL_POINTER)
        if not broadcasts:
            cases.add(operator, Tensor(g[:1]), Tensor(x), *given, Out(x), code=INVALID)
    g, x, h = values("f32", 18, special=False), values("f32", 18), values("f16", 18)
    one, infinite = Scalar(1.0, "f32"), Scalar(-1.0, "f32")
    for attributes, function in [([1.0, 1.0, 1.0], F.elu), ([1.5, 0.75, 2.0], None)]:
        alpha, scale, inner = attributes
        slope = np.where(x > 0, scale, alpha * scale * inner * np.exp(wide(x) * inner))
        result = np.where(x > 0, scale, inner * (wide(x) + alpha * scale))
        scalars = [Scalar(value, "f32") for value in attributes]
        if function:
            slope = gradient(function)(np.ones(18), x)
        cases.add("EluBackward", Tensor(g), *scalars, False, Tensor(x), Out((g * slope).astype(np.float32), 1))
        cases.add("EluBackward", Tensor(g), *scalars, True, Tensor(x), Out((g * result).astype(np.float32), 1))
    cases.add("EluBackward", Tensor(g), infinite, one, one, True, Tensor(x), Out(x), code=INVALID)
    cases.add("EluBackward", Tensor(g), infinite, one, one, False, Tensor(x), Out((g * np.where(x > 0, 1, -np.exp(wide(x)))).astype(np.float32), 1))
    cases.add("LeakyReluBackward", Tensor(g), Tensor(x), infinite, True, Out(x), code=INVALID)
    cases.add("SoftshrinkBackward", Tensor(g), Tensor(x), infinite, Out(x), code=INVALID)
    cases.add("SoftshrinkBackward", Tensor(g), Tensor(x), one, Out(h), code=INNER)
    scale, alpha = 1.0507009873554805, 1.6732632423543772
    for name in [*F3, "i32", "i8"]:
        g, y = values(name, 18, special=False) if name in FLOATS else values(name, 18) // 9, values(name, 18, special=False)
        out = rounded(wide(g) * np.where(y <= 0, wide(y) + scale * alpha, scale), name)
        cases.add("SeluBackward", Tensor(g), Tensor(y), Out(out, 1 if name in FLOATS else 0))
    for name in F3:
        g, x = values(name, 18, special=False), values(name, 18)
        near = np.abs(wide(x)) < 5
        for how, function in [("none", F.gelu), ("tanh", gelu_by_tanh)]:
            # Far on the negative side PyTorch loses the digits of one minus the error function.
            z = np.where(near, x, np.array(1.5).astype(kind(name)))
            y = gradient(function)(wide(g), wide(z)).astype(kind(name))
            cases.add("GeluBackwardV2", Tensor(g), Tensor(z), Text(how), Out(y, 1))
    g, x = values("f32", 18, special=False), values("f32", 18)
    cases.add("GeluBackwardV2", Tensor(g), Tensor(x), Text("exact"), Out(x), code=INVALID)
    cases.add("GeluBackwardV2", Tensor(g), Tensor(x), NULL, Out(x), code=NULL_POINTER)
    cases.add("GeluBackwardV2", Tensor(g), Tensor(x), Text("none"), Out(wide(x)), code=INVALID)
    # Operands of several types are promoted.
    g, x = values("f16", 18, special=False), values("f32", 18)
    y = gradient(F.mish)(wide(g), x)
    cases.add("MishBackward", Tensor(g), Tensor(x), Out(y.astype(np.float32), 1))
    y = gradient(gelu_by_tanh)(wide(g), x)
    cases.add("GeluBackward", Tensor(g), Tensor(x), Out(y.astype(np.float32), 1))
    i = np.arange(-9, 9, dtype=np.int32)
    y = gradient(F.softplus)(wide(g), i)
    cases.add("SoftplusBackward", Tensor(g), Tensor(i), Scalar(1.0, "f32"), Scalar(20.0, "f32"), Out(y.astype(np.float32), 1))
    for name in ["f16", "bf16"]:
        x = np.linspace(-4, 4, 17).astype(kind(name))
        g = np.linspace(1, 2, 17).astype(kind(name))
        y = np.minimum(wide(x), 0) - np.log1p(np.exp(-np.abs(wide(x))))
        cases.add("LogSigmoidForward", Tensor(x), Out(y.astype(kind(name)), 1), NULL)
        y = wide(g) / (1 + np.exp(wide(x)))
        cases.add("LogSigmoidBackward", Tensor(g), Tensor(x), Tensor(g[:0]), Out(y.astype(kind(name)), 1))
        y = wide(g) * np.where(wide(x) > 0, 1, np.exp(wide(x)))
        one = Scalar(1.0, "f32")
        cases.add("EluBackward", Tensor(g), one, one, one, False, Tensor(x), Out(y.astype(kind(name)), 1))
    for name in ["i8", "u8", "i32"]:
        x = np.arange(6).astype(kind(name))
        g = (10 + x).astype(kind(name))
        cases.add("ThresholdBackward", Tensor(g), Tensor(x), Scalar(2, "i32"), Out(np.where(x <= 2, 0, g).astype(kind(name))))
    z = values("c128", 6)
    o = np.roll(z, 1)
    cases.add("SigmoidBackward", Tensor(z), Tensor(o), Out(z * np.conj(o * (1 - o)), 4))
    z = values("c64", 6)
    o = np.roll(z, 1)
    w = (z.astype(np.complex128) * np.conj(o.astype(np.complex128) * (1 - o.astype(np.complex128)))).astype(np.complex64)
    cases.add("SigmoidBackward", Tensor(z), Tensor(o), Out(w, 2))


def products(cases):
    """What differs from product to product."""
    x, i, s = values("f32", 40), values("i32", 40), values("i16", 40)
    one, two = Scalar(1.0, "f32"), Scalar(2.5, "f32")
    new = "Ascend950"
    shrunk_to_zero = np.where(np.isnan(x), 0, torch_of(F.softshrink)(x)).astype(np.float32)
    cases.add("Softshrink", Tensor(x), Scalar(0.5, "f32"), Out(shrunk_to_zero, 1), product=new)
    # There the scalars take part in the promotion.
    cases.add("Clamp", Tensor(i), one, two, Out(i), product=new, code=INVALID)
    cases.add("Clamp", Tensor(i), one, two, Out(np.clip(i.astype(np.float32), np.float32(1), np.float32(2.5))), product=new)
    cases.add("Clamp", Tensor(i), Scalar(1, "i64"), Scalar(2, "u8"), Out(np.clip(i, 1, 2)), product=new)
    cases.add("Clamp", Tensor(x), one, Scalar(2 + 1j, "c64"), Out(x), product=new, code=INVALID)
    h = values("f16", 40)
    cases.add("ClampMax", Tensor(h), Scalar(2.5, "f64"), Out(np.minimum(h, np.float16(2.5))), product=new)
    # There the result of Threshold is cast to any type, and i16 is compared as it is.
    finite = np.linspace(-4, 4, 33, dtype=np.float32)
    y = np.trunc(np.where(finite <= 1, 2.5, finite)).astype(np.int32)
    cases.add("Threshold", Tensor(finite), one, two, Out(y), product=new)
    wrapped = np.int32(40000).astype(np.int16)
    cases.add("Threshold", Tensor(s), Scalar(40000, "i32"), Scalar(1, "i32"), Out(np.where(s <= wrapped, 1, s).astype(np.int16)), product=new)
    old = "Ascend910"
    b = values("bf16", 6)
    for operator in ("LeakyRelu", "Celu", "Hardshrink", "Swish"):
        cases.add(operator, Tensor(b), one, Out(b), product=old, code=INVALID)
    cases.add("Elu", Tensor(b), one, one, one, Out(torch_of(F.elu)(b).astype(kind("bf16")), 1), product=old)
    cases.add("FastGelu", Tensor(x), Out(x), product=old, code=INVALID)
    cases.add("IsInf", Tensor(x), Out(np.isinf(x)), product=old, code=INVALID)
    cases.add("IsInf", Tensor(x), Out(np.isinf(x)), product="Ascend310P")
    cases.add("RoundDecimals", Tensor(b), 0, Out(np.rint(wide(b)).astype(kind("bf16"))), product="Ascend310P")


def away(array, name):
    """Numbers of f32 in a shorter type, halves away from zero."""
    digits, least = (11, -13) if name == "f16" else (8, -125)
    step = 2.0 ** (np.maximum(np.frexp(array)[1], least) - digits)
    scaled = array.astype(np.float64) / step
    return (np.trunc(scaled + np.copysign(0.5, scaled)) * step).astype(kind(name))


def narrowed_away(cases):
    """The 950 narrows some functions half away from zero: at all numbers at which that is another one, and some more."""
    for operator, scalars, function, types in [
        ("Hardswish", [], lambda x: np.maximum(x, -3) * np.clip(x + 3, 0, 6) * np.float64(np.float32(1 / 6)), ["f16", "bf16"]),
        ("Hardsigmoid", [], lambda x: np.clip(x * np.float64(np.float32(1 / 6)) + 0.5, 0, 1), ["bf16"]),
        ("Selu", [], torch_of(F.selu), ["f16", "bf16"]),
        ("Celu", [2.5], torch_of(lambda x: F.celu(x, 2.5)), ["f16", "bf16"]),
    ]:
        for name in types:
            every = np.arange(65536, dtype=np.uint16).view(kind(name))
            every = every[np.isfinite(every) & (np.abs(wide(every)) < 100)]
            exact = function(wide(every).astype(np.float64)).astype(np.float32)
            y = away(exact, name)
            shown = (y != exact.astype(kind(name))) | (np.arange(len(every)) % 1500 == 0)
            x, y = every[shown][:200], y[shown][:200]
            numbers_ = [Scalar(value, "f32") for value in scalars]
            cases.add(operator, Tensor(x), *numbers_, Out(y), product="Ascend950")
            cases.add("Inplace" + operator, InOut(x, y), *numbers_, product="Ascend950")


# Functions that CANN publishes by their names alone: the standard formula.
BY_NAME = [
    ("Softsign", torch_of(F.softsign), False),
    ("SquaredRelu", torch_of(lambda x: F.relu(x) ** 2), False),
    ("FastGeluV2", lambda x: 0.5 * x * (1 + np.copysign(1 - 0.2888 * (np.minimum(np.abs(x) / np.sqrt(2), 1.769) - 1.769) ** 2, x)), False),
    ("HardsigmoidV2", torch_of(F.hardsigmoid), True),
    ("AsinhV2", np.arcsinh, False),
    ("AsinhWithAgent", np.arcsinh, False),
    ("AsinWithAgent", np.arcsin, False),
    ("FresnelCos", lambda x: special.fresnel(x)[1], False),
    ("FresnelSin", lambda x: special.fresnel(x)[0], False),
    ("Ndtri", special.ndtri, False),
]
# Of the first and the second operand.
PAIRS_BY_NAME = [
    ("AcosGrad", lambda g, x: -g / np.sqrt(1 - x * x)),
    ("AcosGradV2", lambda x, g: -g / np.sqrt(1 - x * x)),
    ("AsinhGrad", lambda y, g: g / np.cosh(y)),
    ("AtanGrad", lambda x, g: g / (1 + x * x)),
    ("SqrtBackward", lambda y, g: g / (2 * y)),
    ("SoftsignBackward", lambda g, x: g / (1 + np.abs(x)) ** 2),
    ("MulNoNan", lambda x, y: np.where(y == 0, 0, x * y)),
]


def by_name(cases):
    for operator, function, in_place in BY_NAME:
        for name in F3:
            x = np.concatenate([values(name, 60), np.linspace(0, 1, 40).astype(kind(name))])
            y = function(wide(x)).astype(kind(name))
            cases.add(operator, Tensor(x), Out(y, 1))
            if in_place:
                cases.add("Inplace" + operator, InOut(x, y, 1))
        x = values("f32", 8)
        if operator.startswith("Asinh"):
            cases.add(operator, Tensor(wide(x)), Out(function(wide(x)), 8))
        else:
            cases.add(operator, Tensor(wide(x)), Out(wide(x)), code=INVALID)
        cases.add(operator, Tensor(x), Out(x.astype(np.float16)), code=INVALID)
        cases.add(operator, Tensor(x), Out(x[:7]), code=TILING if operator == "SquaredRelu" else INVALID)
        cases.add(operator, NULL, Out(x), code=NULL_POINTER)
    for operator, function in PAIRS_BY_NAME:
        for name in F3:
            a, b = values(name, 60), np.roll(values(name, 60), 7)
            cases.add(operator, Tensor(a), Tensor(b), Out(function(wide(a), wide(b)).astype(kind(name)), 1))
        x = values("f32", 8)
        cases.add(operator, Tensor(x), Tensor(x.astype(np.float16)), Out(x), code=INVALID)
        cases.add(operator, Tensor(x), Tensor(x[:7]), Out(x), code=INVALID)
        cases.add(operator, Tensor(x), NULL, Out(x), code=NULL_POINTER)
    column, row = values("f32", 6, special=False).reshape(2, 3, 1), np.array([0, 1, -2], np.float32)
    cases.add("MulNoNan", Tensor(column), Tensor(row), Out(column * row))
    # Large arguments have the asymptotic value, and small ones the tail of the distribution.
    x = np.array([1.6, 3.7, 36.5, 1e3, 12345.678, 1e6, -2.25, 1e-20], np.float32)
    for operator, of in [("FresnelCos", 1), ("FresnelSin", 0)]:
        cases.add(operator, Tensor(x), Out(special.fresnel(wide(x))[of].astype(np.float32), 4))
    x = np.array([1e-30, 1e-38, 1e-12, 1e-5, 0.02, 0.0199, 0.5, 0.4999, 0.501, 1 - 2**-24, 0.98], np.float32)
    cases.add("Ndtri", Tensor(x), Out(special.ndtri(wide(x)).astype(np.float32), 1))
    for name in F3:
        x = values(name, 60)
        y = np.where(x <= 0.5, np.array(7.0).astype(kind(name)), x)
        half = Scalar(0.5, "f32")
        cases.add("ThresholdV2", Tensor(x), half, Scalar(7.0, "f32"), Out(y))
        g = np.roll(x, 5)
        cases.add("ReluGradV4", Tensor(g), Tensor(x), half, Out(np.where(x <= 0.5, np.zeros_like(g), g)))
        factors = [1.5, 0.75, 2.0]
        y = elu(*factors)(wide(x)).astype(kind(name))
        cases.add("EluV2", Tensor(x), *[Scalar(value, "f32") for value in factors], Out(y, 1))
        x = np.concatenate([values(name), values(name, 60, low=-0.25, high=1.25)[21:]])
        g = values(name, len(x))
        for eps in (-1.0, 0.0, 0.1):
            low = f32(max(eps, 0))
            inside = (wide(x) >= low) & (wide(x) <= np.float32(1 - low))
            y = np.where(inside, wide(g) / (wide(x) * (1 - wide(x))), 0.0 if eps >= 0 else np.nan).astype(kind(name))
            cases.add("LogitGrad", Tensor(x), Tensor(g), eps, Out(y, 1))
    for name in INTEGERS:
        x = values(name, 40)
        cases.add("ThresholdV2", Tensor(x), Scalar(1, name), Scalar(7, name), Out(np.where(x <= 1, 7, x).astype(kind(name))))
    x = values("f32", 12).reshape(3, 4)
    cases.add("LogitGrad", Tensor(x), Tensor(x[:2]), 0.0, Out(x), code=TILING)
    for name in F3[:2]:
        x, bias = values(name, 24, special=False).reshape(2, 3, 4), values(name, 3, special=False).reshape(3, 1)
        total = wide(x) + wide(bias)
        y = (np.where(total > 0, total, 0.25 * total) * 1.5).astype(kind(name))
        cases.add("FusedBiasLeakyRelu", Tensor(x), Tensor(bias), 0.25, 1.5, Out(y, 1))
        cases.add("FusedBiasLeakyRelu", Tensor(x), Tensor(bias[:2]), 0.25, 1.5, Out(y, 1), code=INVALID)


def main():
    cases = Cases()
    by_name(cases)
    for operator, attributes, function, types, refused in ONE_TENSOR:
        given = [attribute(value) for value in attributes]
        for name in types:
            x = values(name, 40)
            y = function(wide(x)).astype(kind(name))
            if operator == "Swish":
                y = np.where(x == (-np.inf if attributes[0] > 0 else np.inf), np.array(np.nan).astype(kind(name)), y)
            cases.add(operator, Tensor(x), *given, Out(y, ulps(name)))
            if operator in IN_PLACE:
                cases.add("Inplace" + operator, InOut(x, y, ulps(name)), *given)
        x = values("f32", 40)
        taken = {name for other in ONE_TENSOR if other[0] == operator for name in other[3]}
        for name in sorted({"f64", "i32", "c64"} - taken):
            other = values(name, 6)
            cases.add(operator, Tensor(other), *given, Out(other), code=INVALID)
        for name in refused:
            cases.add(operator, Tensor(x), *given[:-1], Scalar(1.0, name), Out(x), code=INVALID)
        cases.add(operator, Tensor(x), *given, Out(x.astype(np.int32)), code=INVALID)
        cases.add(operator, Tensor(x), *given, Out(x[:39]), code=INVALID)
        if operator != "Swish":
            cases.add(operator, Tensor(x), *given[:-1], NULL, Out(x), code=NULL_POINTER)
    x = values("f32", 40)
    cases.add("Swish", Tensor(x), NULL, Out(np.where(x == -np.inf, np.nan, torch_of(F.silu)(x)).astype(np.float32), 1))
    # Attributes of other types; a complex one that is not refused is read as zero.
    cases.add("LeakyRelu", Tensor(x), Scalar(2, "i64"), Out(np.where(x > 0, x, 2 * x)))
    cases.add("LeakyRelu", Tensor(x), Scalar(0.1, "f64"), Out(np.where(x > 0, x, x * np.float32(0.1))))
    cases.add("LeakyRelu", Tensor(x), Scalar(3 + 1j, "c64"), Out(np.where(x > 0, x, 0 * x)))
    cases.add("LeakyRelu", Tensor(x), Scalar(0.5, "f16"), Out(np.where(x > 0, x, x / 2).astype(np.float16)))
    for value in (0.0, -0.0, np.nan):
        cases.add("Celu", Tensor(x), Scalar(value, "f32"), Out(x), code=INVALID)
        cases.add("InplaceCelu", InOut(x, x), Scalar(value, "f32"), code=INVALID)
    cases.add("Softshrink", Tensor(x), Scalar(-1.0, "f32"), Out(x), code=INVALID)
    cases.add("Shrink", Tensor(x), Scalar(-1.0, "f32"), Scalar(0.0, "f32"), Out(x), code=INVALID)
    for operator, function, types, in_place in NO_ATTRIBUTES:
        for name in types:
            x = values(name, 40)
            y = rounded(function(wide(x)), name)
            cases.add(operator, Tensor(x), Out(y, 1 if name in FLOATS else 0))
            if in_place:
                cases.add("Inplace" + operator, InOut(x, y, 1 if name in FLOATS else 0))
        for name in sorted({"f64", "i32", "c64"} - set(types)):
            other = values(name, 6)
            cases.add(operator, Tensor(other), Out(other), code=INVALID)
    x = values("i32", 40)
    cases.add("Selu", Tensor(x), Out(rounded(torch_of(F.selu)(x), "i32").astype(np.float32)))
    for name in F3:
        x = values(name, 40)
        cases.add("IsInf", Tensor(x), Out(np.isinf(x)))
    cases.add("IsInf", Tensor(values("f64")), Out(np.isinf(values("f64"))), code=INVALID)
    # Shapes: none, one, eight axes; empty; nine.
    slope = Scalar(0.5, "f32")
    for shape in [(), (1,), (2, 1, 3, 1, 1, 2, 1, 2), (0, 3)]:
        x = np.linspace(-2, 2, int(np.prod(shape)), dtype=np.float32).reshape(shape)
        cases.add("LeakyRelu", Tensor(x), slope, Out(np.where(x > 0, x, x / 2)))
    x = np.ones((1,) * 9, np.float32)
    cases.add("LeakyRelu", Tensor(x), slope, Out(x), code=INVALID)
    # These take any number of axes.
    for operator, function in [("Silu", F.silu), ("Hardswish", F.hardswish), ("LogSigmoid", F.logsigmoid), ("Selu", F.selu)]:
        cases.add(operator, Tensor(x), Out(torch_of(function)(x).astype(np.float32), 1))
    cases.add("GeluV2", Tensor(x), 0, Out(torch_of(F.gelu)(x).astype(np.float32), 1))
    clamps(cases)
    thresholds(cases)
    numbers(cases)
    decimals(cases)
    logits(cases)
    two_tensors(cases)
    gelus(cases)
    gradients(cases)
    products(cases)
    narrowed_away(cases)
    cases.write("parametric")


if __name__ == "__main__":
    main()
