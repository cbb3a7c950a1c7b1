"""The calls that `measure.py` measures: each family of operators with some of its calls.

A line of the tables below is a call in several types. It names the operator, gives its arguments in the order of the C
function, and the same work in PyTorch, of the inputs in that order. A new operator gets a line here.
"""

import dataclasses
import functools
from typing import Any, Callable

import numpy
import torch
from torch.nn import functional

FLOATS = ("f32", "f16", "bf16")
# The elements of a large tensor, and the sides of a large matrix.
LARGE, SIDE = 4_000_000, 2000


@dataclasses.dataclass
class In:
    """An input: random numbers of a kind. The kinds are those of `measure.numbers`."""
    shape: Any
    dtype: str = ""
    kind: str = "normal"


@dataclasses.dataclass
class Turned:
    """A matrix of which this project gets the transposed view."""
    matrix: In


@dataclasses.dataclass
class Out:
    """An output. An operator in place has an input as its output, and is not compared."""
    shape: Any
    dtype: str = ""


@dataclasses.dataclass
class Scalar:
    """An `aclScalar` of f32."""
    value: float


@dataclasses.dataclass
class Float:
    """A number that C takes as a `float`; a Python float is a `double`."""
    value: float


@dataclasses.dataclass
class Type:
    """An `aclDataType`; without a name that of the item."""
    name: str = ""


@dataclasses.dataclass
class Tensors:
    """An `aclTensorList`."""
    tensors: list


@dataclasses.dataclass
class Truths:
    """An `aclBoolArray`."""
    values: list


@dataclasses.dataclass
class Item:
    group: str
    name: str
    dtype: str
    operator: str
    arguments: list
    reference: Callable
    # The same as a node of ONNX: its name and attributes.
    onnx: tuple = None
    # The same in NumPy or SciPy.
    numpy: Callable = None
    # Not where results are random, replace an input, depend on the order of equal elements, or are right in several ways.
    is_compared: bool = True
    # The part of the bytes of inputs that is read, where it is not all.
    read: float = 1.0


ITEMS = []
# The names of NumPy where they are not those of PyTorch.
IN_NUMPY = {"asin": "arcsin", "atan": "arctan", "atan2": "arctan2", "neg": "negative", "mul": "multiply", "div": "divide", "pow": "power"}


def item(group, name, operator, arguments, reference, dtypes=FLOATS, **more):
    """Adds a call in each of the types. Arguments are those of every type, or a function of the type."""
    for dtype in dtypes:
        made = arguments(dtype) if callable(arguments) else arguments
        made = Item(group, name, dtype, operator, made, reference, **more)
        if group == "elements" and dtype != "bf16":
            made.numpy = getattr(numpy, IN_NUMPY.get(name, name), None)
        ITEMS.append(made)


def matching(filters):
    """The items whose text has one of the filters, or all."""
    text = lambda item: f"{item.group}: {item.name} {item.dtype}"
    return [item for item in ITEMS if not filters or any(filter in text(item) for filter in filters)]


# Functions of one element, of numbers of a kind.
for name, operator, reference, kind, onnx, short in (
    ("exp", "Exp", torch.exp, "normal", "Exp", True),
    ("log", "Log", torch.log, "positive", "Log", False),
    ("log1p", "Log1p", torch.log1p, "positive", None, False),
    ("expm1", "Expm1", torch.expm1, "normal", None, False),
    ("sqrt", "Sqrt", torch.sqrt, "positive", "Sqrt", False),
    ("rsqrt", "Rsqrt", torch.rsqrt, "positive", None, False),
    ("reciprocal", "Reciprocal", torch.reciprocal, "positive", "Reciprocal", False),
    ("sin", "Sin", torch.sin, "normal", "Sin", False),
    ("cos", "Cos", torch.cos, "normal", "Cos", False),
    ("tan", "Tan", torch.tan, "unit", "Tan", False),
    ("asin", "Asin", torch.asin, "unit", "Asin", False),
    ("atan", "Atan", torch.atan, "normal", "Atan", False),
    ("sinh", "Sinh", torch.sinh, "normal", "Sinh", False),
    ("tanh", "Tanh", torch.tanh, "normal", "Tanh", True),
    ("erf", "Erf", torch.erf, "normal", "Erf", False),
    ("erfinv", "Erfinv", torch.erfinv, "unit", None, False),
    ("lgamma", "Lgamma", torch.lgamma, "positive", None, False),
    ("digamma", "Digamma", torch.digamma, "positive", None, False),
    ("floor", "Floor", torch.floor, "normal", "Floor", False),
    ("round", "Round", torch.round, "normal", "Round", False),
    ("abs", "Abs", torch.abs, "normal", "Abs", True),
    ("neg", "Neg", torch.neg, "normal", "Neg", False),
    ("sign", "Sign", torch.sign, "normal", "Sign", False),
    ("relu", "Relu", torch.relu, "normal", "Relu", True),
    ("sigmoid", "Sigmoid", torch.sigmoid, "normal", "Sigmoid", True),
    ("silu", "Silu", functional.silu, "normal", None, True),
    ("gelu", "Gelu", lambda x: functional.gelu(x, approximate="tanh"), "normal", None, True),
    ("mish", "Mish", functional.mish, "normal", "Mish", False),
    ("hardswish", "Hardswish", functional.hardswish, "normal", "HardSwish", True),
    ("logsigmoid", "LogSigmoid", functional.logsigmoid, "normal", None, False),
):
    item("elements", name, operator, [In(LARGE, kind=kind), Out(LARGE)], reference, FLOATS if short else ("f32",),
         onnx=(onnx, {}) if onnx else None)
item("elements", "isfinite", "IsFinite", [In(LARGE), Out(LARGE, "bool")], torch.isfinite)
item("elements", "bitwise not", "BitwiseNot", [In(LARGE), Out(LARGE)], torch.bitwise_not, ("i32",))

# Functions of some elements.
for name, operator, reference, kind, onnx, dtypes in (
    ("add", "Add", torch.add, "normal", "Add", FLOATS),
    ("mul", "Mul", torch.mul, "normal", "Mul", FLOATS),
    ("div", "Div", torch.div, "positive", "Div", FLOATS),
    ("maximum", "Maximum", torch.maximum, "normal", "Max", FLOATS),
    ("floor_divide", "FloorDivide", torch.floor_divide, "positive", None, ("f32", "f16", "i32")),
    ("remainder", "RemainderTensorTensor", torch.remainder, "positive", None, ("f32", "bf16", "i32", "i64")),
    ("fmod", "FmodTensor", torch.fmod, "positive", None, ("f32", "f16", "i32")),
    ("pow", "PowTensorTensor", torch.pow, "positive", "Pow", FLOATS),
    ("atan2", "Atan2", torch.atan2, "normal", None, ("f32",)),
    ("less", "LtTensor", torch.lt, "normal", "Less", FLOATS),
    ("bitwise and", "BitwiseAndTensor", torch.bitwise_and, "normal", None, ("i32",)),
):
    arguments = [In(LARGE, kind=kind), In(LARGE, kind=kind), *[Scalar(1)] * (name == "add"),
                 Out(LARGE, "bool" if name == "less" else "")]
    item("elements", name, operator, arguments, reference, dtypes, onnx=(onnx, {}) if onnx else None)
item("elements", "add a row", "Add", [In((SIDE, SIDE)), In(SIDE), Scalar(1), Out((SIDE, SIDE))], torch.add, onnx=("Add", {}))
item("elements", "pow 3", "PowTensorScalar", [In(LARGE), Scalar(3), Out(LARGE)], lambda x: x ** 3)
item("elements", "pow 2.5", "PowTensorScalar", [In(LARGE, kind="positive"), Scalar(2.5), Out(LARGE)], lambda x: x ** 2.5)
item("elements", "clamp", "Clamp", [In(LARGE), Scalar(-1), Scalar(1), Out(LARGE)], lambda x: x.clamp(-1, 1))
item("elements", "softplus", "Softplus", [In(LARGE), Scalar(1), Scalar(20), Out(LARGE)], functional.softplus)
item("elements", "elu", "Elu", [In(LARGE), Scalar(1), Scalar(1), Scalar(1), Out(LARGE)], functional.elu, ("f32", "f16"))
item("elements", "leaky relu", "LeakyRelu", [In(LARGE), Scalar(0.1), Out(LARGE)], lambda x: functional.leaky_relu(x, 0.1))
item("elements", "addcmul", "Addcmul", [In(LARGE), In(LARGE), In(LARGE), Scalar(0.5), Out(LARGE)],
     lambda a, b, c: torch.addcmul(a, b, c, value=0.5))
item("elements", "lerp", "Lerp", [In(LARGE), In(LARGE), In(LARGE), Out(LARGE)], torch.lerp)
item("elements", "where", "SWhere", [In(LARGE, "bool", "truth"), In(LARGE), In(LARGE), Out(LARGE)], torch.where)
item("elements", "masked_fill", "InplaceMaskedFillScalar", [In(LARGE), In(LARGE, "bool", "truth"), Scalar(3)],
     lambda x, mask: x.masked_fill_(mask, 3), is_compared=False)
item("elements", "gelu backward", "GeluBackward", [In(LARGE), In(LARGE), Out(LARGE)],
     lambda g, x: torch.ops.aten.gelu_backward(g, x, approximate="tanh"))
item("elements", "sigmoid backward", "SigmoidBackward", [In(LARGE), In(LARGE), Out(LARGE)],
     lambda g, y: torch.ops.aten.sigmoid_backward(g, y))

# Reductions.
for name, dims in (("all", [0, 1]), ("last axis", [1]), ("first axis", [0])):
    shape = () if len(dims) == 2 else (SIDE,)
    item("reductions", f"sum, {name}", "ReduceSum", [In((SIDE, SIDE)), dims, False, Type(), Out(shape)],
         lambda x, dims=dims: x.sum(dims), (*FLOATS, "i32") if name == "all" else FLOATS)
    item("reductions", f"mean, {name}", "Mean", [In((SIDE, SIDE)), dims, False, Type(), Out(shape)],
         lambda x, dims=dims: x.mean(dims), ("f32", "bf16"))
    item("reductions", f"max, {name}", "Amax", [In((SIDE, SIDE)), dims, False, Out(shape)],
         lambda x, dims=dims: x.amax(dims), ("f32", "f16"))
item("reductions", "prod", "ProdDim", [In((SIDE, SIDE), kind="near one"), 1, False, Type(), Out(SIDE)], lambda x: x.prod(1), is_compared=False)
item("reductions", "prod, all", "Prod", [In((SIDE, SIDE), kind="near one"), Type(), Out(())], torch.prod, ("f32",))
item("reductions", "logsumexp", "LogSumExp", [In((SIDE, SIDE)), [1], False, Out(SIDE)], lambda x: x.logsumexp(1))
item("reductions", "var", "Var", [In((SIDE, SIDE)), [1], True, False, Out(SIDE)], lambda x: x.var(1))
item("reductions", "std, first axis", "Std", [In((SIDE, SIDE)), [0], 1, False, Out(SIDE)], lambda x: x.std(0), ("f32",))
item("reductions", "norm", "Norm", [In((SIDE, SIDE)), Scalar(2), [1], False, Out(SIDE)], lambda x: x.norm(2, 1), ("f32", "f16"))
item("reductions", "argmax", "ArgMax", [In((SIDE, SIDE)), 1, False, Out(SIDE, "i64")], lambda x: x.argmax(1))
item("reductions", "max with indices", "MaxDim", [In((SIDE, SIDE)), 1, False, Out(SIDE), Out(SIDE, "i64")], lambda x: x.max(1))
item("reductions", "any", "Any", [In((SIDE, SIDE), "bool", "truth"), [1], False, Out(SIDE, "bool")], lambda x: x.any(1), ("bool",))

# Along an axis.
for name, shape, axis in (("softmax", (SIDE, SIDE), 1), ("softmax, first axis", (SIDE, SIDE), 0), ("softmax of 64", (62_500, 64), 1)):
    item("along an axis", name, "Softmax", [In(shape), axis, Out(shape)], lambda x, axis=axis: x.softmax(axis),
         FLOATS if name == "softmax" else ("f32", "f16"), onnx=("Softmax", {"axis": axis}))
item("along an axis", "log_softmax", "LogSoftmax", [In((SIDE, SIDE)), 1, Out((SIDE, SIDE))], lambda x: x.log_softmax(1),
     onnx=("LogSoftmax", {"axis": 1}))
item("along an axis", "softmax backward", "SoftmaxBackward", [In((SIDE, SIDE)), In((SIDE, SIDE), kind="small"), 1, Out((SIDE, SIDE))],
     lambda g, y: torch.ops.aten._softmax_backward_data(g, y, 1, y.dtype))
item("along an axis", "log_softmax backward", "LogSoftmaxBackward",
     [In((SIDE, SIDE), kind="small"), In((SIDE, SIDE)), 1, Out((SIDE, SIDE))],
     lambda g, y: torch.ops.aten._log_softmax_backward_data(g, y, 1, y.dtype))
item("along an axis", "layer norm", "LayerNorm",
     [In((4000, 1000)), [1000], In(1000), In(1000), 1e-5, Out((4000, 1000)), None, None],
     lambda x, w, b: functional.layer_norm(x, (1000,), w, b), onnx=("LayerNormalization", {"axis": -1}))
item("along an axis", "rms norm", "RmsNorm", [In((4000, 1000)), In(1000), 1e-5, Out((4000, 1000)), Out((4000, 1), "f32")],
     lambda x, w: functional.rms_norm(x, (1000,), w, 1e-5))
item("along an axis", "layer norm backward", "LayerNormBackward",
     [In((4000, 1000)), In((4000, 1000)), [1000], In((4000, 1), "f32"), In((4000, 1), "f32", "positive"), In(1000), In(1000),
      Truths([True] * 3), Out((4000, 1000)), Out(1000), Out(1000)],
     lambda g, x, m, r, w, b: torch.ops.aten.native_layer_norm_backward(g, x, (1000,), m, r, w, b, [True] * 3), ("f32",))
item("along an axis", "batch norm", "BatchNorm",
     [In((32, 64, 44, 44)), In(64), In(64), In(64), In(64, kind="positive"), True, 0.1, 1e-5, Out((32, 64, 44, 44)), Out(64, "f32"),
      Out(64, "f32")],
     lambda x, w, b, m, v: functional.batch_norm(x, m, v, w, b, True), ("f32",))
item("along an axis", "batch norm, inference", "BatchNorm",
     [In((32, 64, 44, 44)), In(64), In(64), In(64), In(64, kind="positive"), False, 0.1, 1e-5, Out((32, 64, 44, 44)), Out(64, "f32"),
      Out(64, "f32")],
     lambda x, w, b, m, v: functional.batch_norm(x, m, v, w, b), ("f32", "bf16"))
item("along an axis", "group norm", "GroupNorm",
     [In((32, 64, 44, 44)), In(64), In(64), 32, 64, 1936, 8, 1e-5, Out((32, 64, 44, 44)), Out((32, 8)), Out((32, 8))],
     lambda x, w, b: functional.group_norm(x, 8, w, b), ("f32", "bf16"))
item("along an axis", "cumsum", "Cumsum", [In((SIDE, SIDE)), 1, Type(), Out((SIDE, SIDE))], lambda x: x.cumsum(1), ("f32", "f16"))
item("along an axis", "cumsum, first axis", "Cumsum", [In((SIDE, SIDE)), 0, Type(), Out((SIDE, SIDE))], lambda x: x.cumsum(0), ("f32",))
item("along an axis", "topk", "Topk", [In((SIDE, SIDE)), 10, 1, True, True, Out((SIDE, 10)), Out((SIDE, 10), "i64")],
     lambda x: x.topk(10), is_compared=False)
item("along an axis", "sort", "Sort", [In((SIDE, SIDE)), True, 1, False, Out((SIDE, SIDE)), Out((SIDE, SIDE), "i64")],
     lambda x: x.sort(dim=1, stable=True), ("f32", "f16", "i32"))
item("along an axis", "sort, one lane", "Sort", [In(LARGE), True, 0, False, Out(LARGE), Out(LARGE, "i64")],
     lambda x: x.sort(stable=True), ("f32",))
item("along an axis", "unique", "Unique2", [In(1_000_000, kind="index 1000"), True, True, True, Out(1_000_000), Out(1_000_000, "i64"),
     Out(1_000_000, "i64")], lambda x: x.unique(return_inverse=True, return_counts=True), ("i64",), is_compared=False)
item("along an axis", "histc", "Histc", [In(LARGE), 100, Scalar(-3), Scalar(3), Out(100)], lambda x: x.histc(100, -3, 3), ("f32",))
item("along an axis", "bincount", "Bincount", [In(LARGE, "i64", "index 1000"), None, 1000, Out(1000, "i64")],
     lambda x: x.bincount(minlength=1000), ("i64",))

# Losses.
item("losses", "binary cross-entropy with logits", "BinaryCrossEntropyWithLogits",
     [In(LARGE), In(LARGE, kind="unit positive"), None, None, 1, Out(())],
     functional.binary_cross_entropy_with_logits, ("f32", "bf16"))
item("losses", "cross-entropy", "CrossEntropyLoss",
     [In((4000, 1000)), In(4000, "i64", "index 1000"), None, "mean", -100, 0.0, 0.0, False, Out(1), Out((4000, 1000)),
      Out(1), Out(4000)],
     functional.cross_entropy, ("f32", "bf16"))
item("losses", "negative log-likelihood", "NLLLoss", [In((4000, 1000)), In(4000, "i64", "index 1000"), In(1000, kind="ones"), 1, -100, Out(()), Out(())],
     lambda x, t, w: functional.nll_loss(x, t, w), ("f32",), read=0.01)
item("losses", "mean squared error", "MseLoss", [In(LARGE), In(LARGE), 1, Out(())], functional.mse_loss, ("f32", "f16"))
item("losses", "smooth L1", "SmoothL1Loss", [In(LARGE), In(LARGE), 1, Float(1.0), Out(())], functional.smooth_l1_loss, ("f32",))
item("losses", "Kullback–Leibler", "KlDiv", [In(LARGE), In(LARGE, kind="positive"), 2, False, Out(())],
     lambda x, t: functional.kl_div(x, t, reduction="sum"), ("f32",))

# Products.
def product(name, a, b, out, dtypes=FLOATS, **more):
    item("products", name, "Matmul", [In(a), In(b), Out(out), 0], torch.matmul, dtypes, onnx=("MatMul", {}), **more)


product("512³", (512, 512), (512, 512), (512, 512))
product("1,024³", (1024, 1024), (1024, 1024), (1024, 1024))
product("one row", (1, 4096), (4096, 4096), (1, 4096))
product("4 rows", (4, 4096), (4096, 4096), (4, 4096))
product("64 products of 64³", (64, 64, 64), (64, 64, 64), (64, 64, 64))
product("100 · 3,000 · 100", (100, 3000), (3000, 100), (100, 100), ("f32",))
for rows in (1, 4, 64):
    item("products", f"linear of {rows} row{'s' * (rows > 1)}", "Addmm",
         [In(2048), In((rows, 2048)), Turned(In((2048, 2048))), Scalar(1), Scalar(1), Out((rows, 2048)), 0],
         lambda b, x, w: functional.linear(x, w, b))
item("products", "attention", "FlashAttentionScore",
     [*[In((1, 8, 512, 64)) for _ in range(3)], *[None] * 5, 0.125, 1.0, 65535, 65535, 8, "BNSD", 0, 0, Out((1, 8, 512, 8), "f32"),
      Out((1, 8, 512, 8), "f32"), None, Out((1, 8, 512, 64))], functional.scaled_dot_product_attention)
item("products", "attention, one query", "IncreFlashAttention",
     [In((1, 8, 1, 64)), Tensors([In((1, 8, 2048, 64))]), Tensors([In((1, 8, 2048, 64))]), None, None, None, 8, 0.125, "BNSD", 8,
      Out((1, 8, 1, 64))], functional.scaled_dot_product_attention, ("f16", "bf16"))
# Beside a product of the same size whose weights are floats.
DENSE = functools.cache(lambda: torch.ones(4096, 4096, dtype=torch.float16))
for dtype in ("i8", "i4"):
    weight, scale = In((4096, 4096), dtype, "bytes"), In((128, 4096), kind="small")
    # By rows, and by columns as the tensors of ggml lie.
    for layout, given in (("", (weight, scale)), (", by columns", (Turned(weight), Turned(In((4096, 128), kind="small"))))):
        item("products", f"weights of {dtype}, groups of 32, one row{layout}", "WeightQuantBatchMatmulV2",
             [In((1, 4096)), *given, None, None, None, None, 32, Out((1, 4096))],
             lambda x, w, s: x @ DENSE(), ("f16",), is_compared=False)

# Images.
def convolution(name, images, kernel, stride=1, padding=0, groups=1, dtypes=("f32", "bf16"), dilation=1, **more):
    (n, _, h, w), (c, _, kh, kw) = images, kernel
    side = lambda size, k: (size + 2 * padding - dilation * (k - 1) - 1) // stride + 1
    pair = lambda value: [value, value]
    item("images", f"convolution {name}", "Convolution",
         [In(images), In(kernel), In(c), pair(stride), pair(padding), pair(dilation), False, [0, 0], groups,
          Out((n, c, side(h, kh), side(w, kw))), 0],
         lambda x, w, b: functional.conv2d(x, w, b, stride, padding, dilation, groups), dtypes,
         onnx=("Conv", {"strides": pair(stride), "pads": pair(padding) * 2, "dilations": pair(dilation), "group": groups}), **more)


convolution("3×3", (8, 64, 56, 56), (64, 64, 3, 3), padding=1, dtypes=FLOATS)
convolution("3×3, stride 2", (8, 64, 56, 56), (128, 64, 3, 3), 2, 1)
convolution("1×1", (8, 256, 28, 28), (64, 256, 1, 1))
convolution("7×7, stride 2", (8, 3, 224, 224), (64, 3, 7, 7), 2, 3)
convolution("depthwise 3×3", (8, 128, 56, 56), (128, 1, 3, 3), padding=1, groups=128, dtypes=FLOATS)
convolution("depthwise 5×5, stride 2", (8, 128, 56, 56), (128, 1, 5, 5), 2, 2, groups=128, dtypes=("f32",))
convolution("3×3, 4 groups", (8, 128, 28, 28), (128, 32, 3, 3), padding=1, groups=4, dtypes=("f32",))
convolution("3×3 of one image of 7×7", (1, 512, 7, 7), (512, 512, 3, 3), padding=1, dtypes=("f32",))
convolution("1×1 of one image of 14×14", (1, 256, 14, 14), (512, 256, 1, 1), dtypes=("f32",))
convolution("3×3, dilation 2", (8, 64, 28, 28), (64, 64, 3, 3), padding=2, dilation=2, dtypes=("f32",))
item("images", "convolution 3×3, backward", "ConvolutionBackward",
     [In((8, 64, 28, 28)), In((8, 64, 28, 28)), In((64, 64, 3, 3)), [64], [1, 1], [1, 1], [1, 1], False, [0, 0], 1, Truths([True] * 3), 0,
      Out((8, 64, 28, 28)), Out((64, 64, 3, 3)), Out(64)],
     lambda g, x, w: torch.ops.aten.convolution_backward(g, x, w, [64], [1, 1], [1, 1], [1, 1], False, [0, 0], 1, [True] * 3), ("f32",))
item("images", "max pooling 3×3, stride 2", "MaxPool", [In((8, 64, 112, 112)), [3, 3], [2, 2], 0, [1, 1, 1, 1], [1, 1], 0, Out((8, 64, 56, 56))],
     lambda x: functional.max_pool2d(x, 3, 2, 1), ("f32",), onnx=("MaxPool", {"kernel_shape": [3, 3], "strides": [2, 2], "pads": [1] * 4}))
item("images", "max pooling with indices", "MaxPool2dWithIndices",
     [In((8, 64, 112, 112)), [3, 3], [2, 2], [1, 1], [1, 1], False, Out((8, 64, 56, 56)), Out((8, 64, 56, 56), "i32")],
     lambda x: functional.max_pool2d(x, 3, 2, 1, return_indices=True), ("f32",))
item("images", "average pooling 3×3, stride 2", "AvgPool2d", [In((8, 64, 112, 112)), [3, 3], [2, 2], [1, 1], False, True, 0, 0, Out((8, 64, 56, 56))],
     lambda x: functional.avg_pool2d(x, 3, 2, 1), ("f32", "bf16"))
item("images", "adaptive average pooling 7×7", "AdaptiveAvgPool2d", [In((8, 256, 56, 56)), [7, 7], Out((8, 256, 7, 7))],
     lambda x: functional.adaptive_avg_pool2d(x, 7), ("f32", "bf16"))
item("images", "global average pooling", "AdaptiveAvgPool2d", [In((8, 512, 28, 28)), [1, 1], Out((8, 512, 1, 1))],
     lambda x: functional.adaptive_avg_pool2d(x, 1), ("f32",))
item("images", "nearest, twice", "UpsampleNearest2d", [In((4, 64, 64, 64)), [128, 128], Out((4, 64, 128, 128))],
     lambda x: functional.interpolate(x, (128, 128)), ("f32", "f16"))
item("images", "bilinear, twice", "UpsampleBilinear2d", [In((4, 64, 64, 64)), [128, 128], False, 0.0, 0.0, Out((4, 64, 128, 128))],
     lambda x: functional.interpolate(x, (128, 128), mode="bilinear"), ("f32", "f16"))
item("images", "grid sampler", "GridSampler2D", [In((4, 16, 128, 128)), In((4, 128, 128, 2), kind="unit"), 0, 0, False, Out((4, 16, 128, 128))],
     lambda x, g: functional.grid_sample(x, g, align_corners=False), ("f32",))

# Indices and movement.
ROWS, WIDTH = 40_000, 100
item("indices", "index_select of rows", "IndexSelect", [In((ROWS, WIDTH)), 0, In(ROWS, "i64", f"index {ROWS}"), Out((ROWS, WIDTH))],
     lambda x, i: x.index_select(0, i), ("f32", "f16"))
item("indices", "embedding", "Embedding", [In((ROWS, WIDTH)), In(ROWS, "i64", f"index {ROWS}"), Out((ROWS, WIDTH))],
     lambda w, i: functional.embedding(i, w), ("f32", "bf16"))
item("indices", "gather", "Gather", [In((SIDE, SIDE)), 1, In((SIDE, SIDE), "i64", f"index {SIDE}"), Out((SIDE, SIDE))],
     lambda x, i: x.gather(1, i), ("f32", "f16"))
item("indices", "scatter_add", "ScatterAdd", [In((SIDE, SIDE)), 1, In((SIDE, SIDE), "i64", f"index {SIDE}"), In((SIDE, SIDE)), Out((SIDE, SIDE))],
     lambda x, i, s: x.scatter_add(1, i, s), ("f32", "bf16"))
item("indices", "scatter", "Scatter", [In((SIDE, SIDE)), 1, In((SIDE, SIDE), "i64", f"index {SIDE}"), In((SIDE, SIDE)), 0, Out((SIDE, SIDE))],
     lambda x, i, s: x.scatter(1, i, s), ("f32",))
item("indices", "index_add of rows", "IndexAdd", [In((ROWS, WIDTH)), 0, In(ROWS, "i64", f"index {ROWS}"), In((ROWS, WIDTH)), Scalar(1), Out((ROWS, WIDTH))],
     lambda x, i, s: x.index_add(0, i, s), ("f32",))
item("indices", "nonzero", "Nonzero", [In(LARGE, "bool", "truth"), Out((LARGE, 1), "i64")], torch.nonzero, ("bool",))
item("movement", "flip", "Flip", [In((SIDE, SIDE)), [1], Out((SIDE, SIDE))], lambda x: x.flip(1), ("f32", "f16"))
item("movement", "roll", "Roll", [In((SIDE, SIDE)), [7], [1], Out((SIDE, SIDE))], lambda x: x.roll(7, 1), ("f32", "f16"))
item("movement", "stack", "Stack", [Tensors([In(1_000_000) for _ in range(4)]), 1, Out((1_000_000, 4))], lambda *x: torch.stack(x, 1), ("f32", "f16"))
item("movement", "cat", "Cat", [Tensors([In((SIDE, 500)) for _ in range(4)]), 1, Out((SIDE, SIDE))], lambda *x: torch.cat(x, 1), ("f32", "f16"))
item("movement", "repeat", "Repeat", [In((500, SIDE)), [4, 1], Out((SIDE, SIDE))], lambda x: x.repeat(4, 1), ("f32", "f16"))
item("movement", "repeat along rows", "Repeat", [In((SIDE, 500)), [1, 4], Out((SIDE, SIDE))], lambda x: x.repeat(1, 4), ("f32",))
item("movement", "transpose", "Permute", [In((SIDE, SIDE)), [1, 0], Out((SIDE, SIDE))], lambda x: x.t().contiguous(), ("f32", "f16"))
item("movement", "NCHW to NHWC", "Permute", [In((8, 64, 88, 88)), [0, 2, 3, 1], Out((8, 88, 88, 64))], lambda x: x.permute(0, 2, 3, 1).contiguous(),
     ("f32", "f16"))
item("movement", "NHWC to NCHW", "Permute", [In((8, 88, 88, 64)), [0, 3, 1, 2], Out((8, 64, 88, 88))], lambda x: x.permute(0, 3, 1, 2).contiguous(),
     ("f32", "f16"))
item("movement", "heads apart", "Permute", [In((8, 512, 16, 64)), [0, 2, 1, 3], Out((8, 16, 512, 64))], lambda x: x.permute(0, 2, 1, 3).contiguous(),
     ("f32", "f16"))
item("movement", "pad", "ConstantPadNd", [In((32, 64, 44, 44)), [1, 1, 1, 1], Scalar(0), Out((32, 64, 46, 46))],
     lambda x: functional.pad(x, (1, 1, 1, 1)), ("f32", "f16"))
item("movement", "triu", "Triu", [In((SIDE, SIDE)), 0, Out((SIDE, SIDE))], torch.triu, ("f32", "f16"))

# Random numbers.
item("random", "normal", "InplaceNormal", [In(LARGE), Float(0), Float(1), 1, 0], lambda x: x.normal_(), is_compared=False)
item("random", "uniform", "InplaceUniform", [In(LARGE), 0.0, 1.0, 1, 0], lambda x: x.uniform_(), is_compared=False)
item("random", "bernoulli", "InplaceBernoulli", [In(LARGE), Scalar(0.5), 1, 0], lambda x: x.bernoulli_(0.5), ("f32",), is_compared=False)
item("random", "dropout", "Dropout", [In(LARGE), 0.5, True, 1, 0, Out(LARGE), Out(LARGE // 8, "u8")], lambda x: functional.dropout(x), is_compared=False)
item("random", "randperm", "Randperm", [1_000_000, 1, 0, Out(1_000_000)], lambda: torch.randperm(1_000_000), ("i64",), is_compared=False)
item("random", "multinomial", "Multinomial", [In((100, 1000), kind="positive"), 100, True, 1, 0, Out((100, 100), "i64")],
     lambda x: x.multinomial(100, True), ("f32",), is_compared=False)
item("random", "multinomial, each once", "Multinomial", [In((100, 1000), kind="positive"), 100, False, 1, 0, Out((100, 100), "i64")],
     lambda x: x.multinomial(100), ("f32",), is_compared=False)

# Linear algebra.
item("linear algebra", "cdist", "Cdist", [In((1000, 64)), In((1000, 64)), Float(2), 2, Out((1000, 1000))], torch.cdist, ("f32",))
item("linear algebra", "cdist, p = 1", "Cdist", [In((1000, 64)), In((1000, 64)), Float(1), 2, Out((1000, 1000))],
     lambda a, b: torch.cdist(a, b, 1), ("f32",))
item("linear algebra", "svd", "Svd", [In((200, 200)), False, True, Out(200), Out((200, 200)), Out((200, 200))],
     lambda x: torch.svd(x), ("f32",), is_compared=False)
item("linear algebra", "qr", "LinalgQr", [In((300, 300)), 0, Out((300, 300)), Out((300, 300))], torch.linalg.qr, ("f32",), is_compared=False)
item("linear algebra", "slogdet", "Slogdet", [In((8, 200, 200)), Out(8), Out(8)], torch.slogdet, ("f32",))
item("linear algebra", "inverse", "Inverse", [In((8, 200, 200)), Out((8, 200, 200))], torch.inverse, ("f32",))

# Lists of tensors.
LIST = lambda: Tensors([In(40_000) for _ in range(100)])
OUTS = lambda: Tensors([Out(40_000) for _ in range(100)])
item("lists", "foreach exp", "ForeachExp", lambda _: [LIST(), OUTS()], lambda *x: torch._foreach_exp(x), ("f32", "f16"))
item("lists", "foreach addcdiv", "ForeachAddcdivScalar",
     lambda dtype: [LIST(), LIST(), Tensors([In(40_000, kind="positive") for _ in range(100)]), In(1, dtype, "ones"), OUTS()],
     lambda *x: torch._foreach_addcdiv(x[:100], x[100:200], x[200:300]), ("f32",))
item("lists", "AdamW", "ApplyAdamWV2",
     [In(LARGE), In(LARGE), In(LARGE, kind="positive"), None, In(LARGE), In(1, "f32", "ones"), Float(1e-3), Float(0.9), Float(0.999),
      Float(0.01), Float(1e-8), False, False],
     lambda x, m, v, g, step: torch._fused_adamw_([x], [g], [m], [v], [], [step], amsgrad=False, lr=1e-3, beta1=0.9, beta2=0.999, weight_decay=0.01,
                                                  eps=1e-8, maximize=False), ("f32",), is_compared=False)
