"""Cases of reductions, scans and histograms: NumPy in f64 or in exact integers, rounded to the type of the result.

References: NumPy.

Writes cann-stubs/tests/data/reductions.cases. Which types an operator takes and gives is retyped here from CANN's public
description and not read from the declarations.

    python xtask/golden/reductions.py
"""

import itertools

import numpy as np

from cases import (
    COMPLEX, FLOATS, INTEGERS, NULL, Cases, DType, InOut, Ints, Out, Scalar, Tensor, kind, values,
)

np.seterr(all="ignore")
INVALID, NULLPTR, INNER = 161002, 161001, 561103

F = ["f32", "f16", "bf16"]
FD = [*F, "f64"]
FDIB = [*FD, *INTEGERS, "bool"]
ALL = [*FDIB, *COMPLEX]

# Shape and axes; all of them if there are none.
SHAPES = [
    ((24,), [0]), ((2, 3, 4), [0]), ((2, 3, 4), [1]), ((2, 3, 4), [-1]), ((2, 3, 4), [0, 2]), ((2, 3, 4), [-2, -1]), ((2, 3, 4), []),
    ((1, 5, 1), [0]), ((1, 5, 1), [2]), ((2, 1, 3, 1, 2, 1, 2, 1), [0, 4, 6]), ((2, 1, 3, 1, 2, 1, 2, 1), []), ((1,), [0]), ((), []), ((), [-1]),
]
# Long enough for several leaves, and for both ways to walk.
LONG = [((3000,), [0]), ((3, 1100), [1]), ((1100, 3), [0]), ((5, 300, 7), [1]), ((300, 4, 3), [0, 2]), ((40, 130), [0]), ((130, 40), [1])]


def data(name, shape, special=False, seed=1):
    random = np.random.default_rng(seed + sum(map(ord, name)) + 7 * sum(shape))
    count = int(np.prod(shape))
    if name == "bool":
        return (random.uniform(size=shape) > 0.3) if count else np.zeros(shape, np.bool_)
    if name in FLOATS or name in COMPLEX:
        # Few digits, so that the file stays small.
        x = np.round(random.normal(size=shape) * 24) / 8
        if name in COMPLEX:
            x = x + 1j * np.round(random.normal(size=shape) * 8) / 8
        x = np.asarray(x).astype(kind(name))
        if special and count > 2:
            x.reshape(-1)[count // 2] = np.nan
            x.reshape(-1)[1] = np.inf
        return x
    limits = np.iinfo(kind(name))
    low, high = max(limits.min, -100), min(limits.max, 100)
    return random.integers(low, high, size=shape, endpoint=True).astype(kind(name))


def axes_of(dims, rank):
    return tuple(sorted(dim % rank for dim in dims)) if dims and rank else tuple(range(rank))


def wide(x):
    """The numbers in a type in which they are exact, integers as Python's."""
    if x.dtype == np.bool_:
        return x.astype(np.int64)
    if np.iscomplexobj(x):
        return x.astype(np.complex128)
    return x.astype(np.int64) if x.dtype.kind in "iu" else x.astype(np.float64)


def cast(x, name):
    """As Cast does it: floats are truncated to integers, which wrap; the real part of a complex number."""
    x = np.asarray(x)
    if name == "bool":
        return x.astype(np.bool_)
    if np.iscomplexobj(x) and name not in COMPLEX:
        x = x.real
    if x.dtype == np.bool_:
        return x.astype(kind(name))
    if name in FLOATS or name in COMPLEX:
        return x.astype(kind(name))
    if x.dtype.kind not in "iu":
        x = np.trunc(x.astype(np.float64)).astype(np.int64)
    return x.astype(kind(name))


def rounded(x, name):
    """A result that is computed in f32 where it is a half, and rounded once."""
    if name in ("f16", "bf16"):
        x = np.asarray(x).astype(np.float32)
    return cast(x, name)


def summed(x, axes, keep):
    x = wide(x)
    return np.sum(x, axis=axes, keepdims=keep)


def multiplied(x, axes, keep):
    return np.prod(wide(x), axis=axes, keepdims=keep)


# Units of the last place that a sum may be off.
ULPS = {"f32": 1, "f16": 0, "bf16": 0, "f64": 64, "c64": 8, "c128": 64}


def ulps(name):
    return ULPS.get(name, 0)


def sums(cases):
    for name, (shape, dims), keep in itertools.product(ALL, SHAPES, [False, True]):
        if name not in ("f32", "i32", "f16", "c64") and (shape != (2, 3, 4) or keep):
            continue
        x = data(name, shape)
        axes = axes_of(dims, len(shape))
        y = cast(np.any(x, axis=axes, keepdims=keep), name) if name == "bool" else rounded(summed(x, axes, keep), name)
        cases.add("ReduceSum", Tensor(x), Ints(dims), keep, DType(name), Out(y, ulps(name)))
        if name != "bool":
            y = np.mean(wide(x), axis=axes, keepdims=keep)
            if name in INTEGERS:
                # The sum wraps in the type, and the quotient is truncated.
                count = x.size // y.size
                total = summed(x, axes, keep).astype(kind(name)).astype(np.int64)
                y = np.sign(total) * (np.abs(total) // count)
            cases.add("Mean", Tensor(x), Ints(dims), keep, DType(name), Out(rounded(y, name), ulps(name)))
            cases.add("MeanV2", Tensor(x), Ints(dims), keep, False, Out(rounded(y, name), ulps(name)))
    for name, (shape, dims) in itertools.product(["f32", "f16", "f64", "i64", "c64", "bool"], LONG):
        x = data(name, shape)
        axes = axes_of(dims, len(shape))
        to = "i64" if name == "bool" else name
        y = rounded(summed(x, axes, False), to)
        cases.add("ReduceSum", Tensor(x), Ints(dims), False, DType(to), Out(y, ulps(to)))
    # Many equal terms: an error that grew with their count would be seen.
    x = np.full(100_000, 0.1, np.float32)
    cases.add("ReduceSum", Tensor(x), Ints([0]), False, DType("f32"), Out(rounded(summed(x, None, False), "f32"), 1))
    x = np.full(200_000, 0.1, np.float64)
    cases.add("ReduceSum", Tensor(x), Ints([0]), False, DType("f64"), Out(np.float64(20000.0), 16))
    x = np.full(70_000, 1.0).astype(kind("f16"))
    cases.add("Mean", Tensor(x), Ints([0]), False, DType("f16"), Out(np.ones((), np.float16)))
    # Elements are converted first.
    for name, to in itertools.product(["f32", "f16", "f64", "i8", "u8", "i32", "i64", "bool", "c64"], ["f32", "f16", "f64", "i8", "u8", "i64", "bool", "c128"]):
        x = data(name, (2, 3, 4))
        y = cast(x, to)
        y = np.any(y, axis=1) if to == "bool" else rounded(summed(y, (1,), False), to)
        cases.add("ReduceSum", Tensor(x), Ints([1]), False, DType(to), Out(y, ulps(to)))
    cases.add("ReduceSum", Tensor(np.float32([0.9, 0.9])), Ints([0]), False, DType("i32"), Out(np.int32(0)))
    cases.add("ReduceSum", Tensor(np.int8([100, 100])), Ints([0]), False, DType("i8"), Out(np.int8(-56)))
    cases.add("ReduceSum", Tensor(np.int8([100, 100])), Ints([0]), False, DType("i64"), Out(np.int64(200)))
    cases.add("ReduceSum", Tensor(np.int8([100, 100])), Ints([0]), False, DType("i64"), Out(np.int32(200)), code=INVALID)
    x = data("f32", (2, 3))
    cases.add("ReduceSum", Tensor(x), Ints([1, -1]), False, DType("f32"), Out(np.zeros(2, np.float32)), code=INVALID)
    # A tensor without axes is copied; an output that does not fit is found where it is written.
    one = np.float32(3)
    for shape, code in [((), 0), ((1, 1), 0), ((3,), INNER), ((0,), INNER)]:
        y = np.full(shape, 3, np.float32)
        cases.add("ReduceSum", Tensor(one), Ints([]), False, DType("f32"), Out(y), code=code)
        cases.add("AminmaxAll", Tensor(one), Out(one), Out(y), code=code)
        cases.add("Aminmax", Tensor(one), Ints([0]), False, Out(y), Out(one), code=code)
        cases.add("AminmaxDim", Tensor(one), -1, False, Out(y), Out(y), code=code)
        cases.add("ReduceLogSum", Tensor(one), Ints([]), False, True, Out(y), code=code)
    # The 950 multiplies by the reciprocal of the count, rounded to f32.
    for count, first in itertools.product([3, 7, 41, 49], [5.0, 7.0, 1.7]):
        x = np.zeros(count, np.float32)
        x[0] = first
        part = np.float32(first) * np.float32(1 / count)
        cases.add("Mean", Tensor(x), Ints([0]), False, DType("f32"), Out(part), product="Ascend950")
        cases.add("MeanV2", Tensor(x), Ints([0]), False, False, Out(part), product="Ascend950")
        cases.add("Mean", Tensor(x), Ints([0]), False, DType("f32"), Out(np.float32(np.float64(x[0]) / count)))
        cases.add("Mean", Tensor(x.astype(np.float64)), Ints([0]), False, DType("f64"), Out(x[:1].astype(np.float64)[0] / count), product="Ascend950")
    pair = np.float32([1, 2, 4, 8])
    cases.add("VarCorrection", Tensor(pair), Ints([0]), 1, False, Out(np.float32(28.75) * np.float32(1 / 3)), product="Ascend950")
    cases.add("ReduceSum", Tensor(x), Ints([2]), False, DType("f32"), Out(np.zeros(2, np.float32)), code=INVALID)
    cases.add("ReduceSum", Tensor(x), Ints([1]), False, DType("f32"), Out(np.zeros(3, np.float32)), code=INVALID)
    cases.add("ReduceSum", Tensor(x), NULL, False, DType("f32"), Out(np.zeros(2, np.float32)), code=NULLPTR)
    cases.add("ReduceSum", NULL, Ints([0]), False, DType("f32"), Out(np.zeros(2, np.float32)), code=NULLPTR)
    cases.add("ReduceSum", Tensor(x.astype(np.uint16)), Ints([0]), False, DType("f32"), Out(np.zeros(3, np.float32)), code=INVALID)
    cases.add("ReduceSum", Tensor(np.ones((1,) * 9, np.float32)), Ints([]), False, DType("f32"), Out(np.float32(1)), code=INVALID)
    # One element in any number of axes.
    for shape in [(), (1,), (1, 1, 1)]:
        y = np.full(shape, x.astype(np.float64).sum(), np.float32)
        cases.add("ReduceSum", Tensor(x), Ints([]), False, DType("f32"), Out(y, 1))
    # Empty operands; the output is written whatever its shape.
    for operator, value in [("ReduceSum", 0), ("ReduceNansum", 0), ("Mean", np.nan)]:
        for shape, dims, out in [((2, 0), [1], (2,)), ((0,), [], ()), ((0, 3), [0], (5,)), ((0, 3), [1], (0,))]:
            cases.add(operator, Tensor(np.zeros(shape, np.float32)), Ints(dims), False, DType("f32"), Out(np.full(out, value, np.float32)))
    for operator in ["ReduceSum", "Mean"]:
        cases.add(operator, Tensor(np.zeros((0,), np.complex64)), Ints([]), False, DType("c64"), Out(np.zeros((), np.complex64)), code=INVALID)
    # Infinities and NaN.
    for name in FD:
        x = data(name, (3, 5), special=True)
        cases.add("ReduceSum", Tensor(x), Ints([1]), False, DType(name), Out(rounded(summed(x, (1,), False), name), ulps(name)))
        if name != "f64":
            y = np.nansum(x.astype(np.float64), axis=1)
            cases.add("ReduceNansum", Tensor(x), Ints([1]), False, DType(name), Out(rounded(y, name), 1))
    for name in ["i8", "u8", "i16", "i32", "i64", "bool"]:
        x = data(name, (3, 5))
        y = np.any(x, axis=0) if name == "bool" else rounded(summed(x, (0,), False), name)
        cases.add("ReduceNansum", Tensor(x), Ints([0]), False, DType(name), Out(y))
    cases.add("ReduceNansum", Tensor(np.float32([np.nan, np.nan])), Ints([0]), True, DType("f32"), Out(np.zeros(1, np.float32)))
    # f32 beyond f16 overflows before it is added.
    cases.add("ReduceNansum", Tensor(np.float32([1e6, np.nan])), Ints([0]), False, DType("f16"), Out(np.float16(np.inf)))
    cases.add("ReduceNansum", Tensor(np.float32([1.5])), Ints([0]), False, DType("i32"), Out(np.int32(1)), code=INVALID)
    cases.add("ReduceNansum", Tensor(np.ones(2)), Ints([0]), False, DType("f64"), Out(np.ones(())), code=INVALID)
    # Means in another type.
    x = data("i32", (3, 4))
    cases.add("Mean", Tensor(x), Ints([1]), False, DType("f32"), Out(np.mean(x.astype(np.float64), axis=1).astype(np.float32), 1))
    cases.add("Mean", Tensor(x), Ints([1]), False, DType("f64"), Out(np.mean(x.astype(np.float64), axis=1).astype(np.float16)))
    x = data("c64", (3, 4))
    cases.add("Mean", Tensor(x), Ints([1]), False, DType("c64"), Out(np.mean(x.astype(np.complex128), axis=1).astype(np.complex64), 2))
    x = data("f32", (3, 4))
    cases.add("Mean", Tensor(x), Ints([1]), False, DType("i32"), Out(np.zeros(3, np.int32)), code=INVALID)
    cases.add("Mean", Tensor(x), Ints([1]), False, DType("f32"), Out(np.zeros(3, np.int32)), code=INVALID)
    cases.add("Mean", Tensor(x), Ints([1, 1]), False, DType("f32"), Out(np.zeros(3, np.float32)), code=INVALID)
    cases.add("Mean", Tensor(x > 0), Ints([1]), False, DType("f32"), Out(np.zeros(3, np.float32)), code=INVALID)
    cases.add("MeanV2", Tensor(x), Ints([]), True, True, Out(x))
    cases.add("MeanV2", Tensor(x), Ints([1]), True, True, Out(x.astype(np.float64).mean(axis=1, keepdims=True).astype(np.float32), 1))
    cases.add("MeanV2", Tensor(x), Ints([1]), False, False, Out(np.zeros(3, np.float16)), code=INVALID)


def extremes(cases):
    for name in FDIB:
        for (shape, dims), keep, special in itertools.product([*SHAPES, ((3, 400), [1]), ((400, 3), [0])], [False, True], [False, True]):
            if (keep or special) and (name not in ("f32", "bf16", "i32") or len(shape) > 3) or special and name not in FLOATS:
                continue
            x = data(name, shape, special)
            axes = axes_of(dims, len(shape))
            # NumPy's maximum of bool and of NaN is CANN's.
            for operator, function in [("Amax", np.max), ("Amin", np.min)]:
                cases.add(operator, Tensor(x), Ints(dims), keep, Out(np.asarray(function(x, axis=axes, keepdims=keep)).astype(kind(name))))
            cases.add("MaxV2", Tensor(x), Ints(dims), keep, False, Out(np.asarray(np.max(x, axis=axes, keepdims=keep)).astype(kind(name))))
            if len(dims) == 1 and shape:
                least, most = [np.asarray(f(x, axis=axes, keepdims=keep)).astype(kind(name)) for f in (np.min, np.max)]
                cases.add("Aminmax", Tensor(x), Ints(dims), keep, Out(least), Out(most))
                cases.add("AminmaxDim", Tensor(x), dims[0], keep, Out(least), Out(most))
            if not dims and not keep:
                least, most = np.asarray(np.min(x)), np.asarray(np.max(x))
                cases.add("AminmaxAll", Tensor(x), Out(least), Out(most))
                cases.add("Max", Tensor(x), Out(most))
                cases.add("Min", Tensor(x), Out(least))
                cases.add("Max", Tensor(x), Out(most.reshape((1, 1))))
    x = data("f32", (2, 3))
    out = np.zeros(2, np.float32)
    cases.add("Max", Tensor(x), Out(np.int32(np.trunc(x.max()))))
    cases.add("Max", Tensor(x), Out(out), code=INVALID)
    cases.add("Max", Tensor(x.astype(np.complex64)), Out(np.float32(0)), code=INVALID)
    for operator in ["Amax", "Amin"]:
        cases.add(operator, Tensor(np.zeros((2, 0), np.float32)), Ints([1]), False, Out(out), code=INVALID)
        cases.add(operator, Tensor(np.zeros((2, 0), np.float32)), Ints([0]), False, Out(np.zeros(0, np.float32)))
        cases.add(operator, Tensor(x), Ints([]), False, Out(np.zeros(1, np.float32)), code=INVALID)
        cases.add(operator, Tensor(x), Ints([1, 1]), False, Out(out), code=INVALID)
        cases.add(operator, Tensor(x), Ints([1]), False, Out(out.astype(np.float64)), code=INVALID)
        cases.add(operator, Tensor(x), Ints([3]), False, Out(out), code=INVALID)
    cases.add("MaxV2", Tensor(x), Ints([]), True, True, Out(x))
    cases.add("MaxV2", Tensor(x), Ints([]), False, True, Out(x))
    # Several axes of Aminmax: none reduces nothing, and neither range nor repetition is checked before the shape is known.
    cases.add("Aminmax", Tensor(x), Ints([]), False, Out(x), Out(x))
    cases.add("Aminmax", Tensor(x), Ints([0, 1]), False, Out(x.min()), Out(x.max()))
    cases.add("Aminmax", Tensor(x), Ints([1, 1]), False, Out(x.min(axis=1)), Out(x.max(axis=1)))
    cases.add("Aminmax", Tensor(x), Ints([0, 5]), False, Out(x.min()), Out(x.max()), code=NULLPTR)
    cases.add("Aminmax", Tensor(x), Ints([5]), False, Out(x.min()), Out(x.max()), code=INVALID)
    empty, nothing = np.zeros((2, 0), np.float32), np.zeros(2, np.float32)
    cases.add("Aminmax", Tensor(empty), Ints([1]), False, Out(nothing), Out(nothing), code=INVALID)
    cases.add("AminmaxDim", Tensor(empty), 1, False, Out(nothing), Out(nothing), code=INVALID)
    scalar = np.float32(2.5)
    cases.add("AminmaxDim", Tensor(scalar), -1, False, Out(scalar), Out(scalar))
    cases.add("AminmaxDim", Tensor(scalar), 0, False, Out(scalar), Out(scalar), code=INVALID)
    cases.add("AminmaxDim", Tensor(x), 0, False, Out(x.min(axis=0)), Out(x.max(axis=0).astype(np.float64)), code=INVALID)


def first(x, axis, keep, greatest):
    """The first of the extremes; a NaN before all numbers."""
    if x.dtype.kind not in "iub":
        x = x.astype(np.float64)
    position = np.argmax(x, axis=axis) if greatest else np.argmin(x, axis=axis)
    return np.expand_dims(position, axis) if keep and x.ndim else position


def positions(cases):
    shapes = [((24,), 0), ((2, 3, 4), 1), ((2, 3, 4), -1), ((2, 3, 4), 0), ((2, 1, 3, 1, 2, 1, 2, 1), 2), ((3, 400), 1), ((400, 3), 0), ((5, 1), 1)]
    for name, (shape, dim), keep, special in itertools.product([*FD, *INTEGERS, "bool"], shapes, [False, True], [False, True]):
        if special and name not in FLOATS or keep and name not in ("f32", "i64"):
            continue
        x = data(name, shape, special)
        if name == "bool" and len(shape) > 3:
            continue
        # Ties.
        if name in FLOATS and not special:
            x = np.round(x.astype(np.float32)).astype(kind(name))
        axis = dim % len(shape)
        most, least = first(x, axis, keep, True), first(x, axis, keep, False)
        if name != "bool":
            for to in ["i32", "i64"]:
                cases.add("ArgMax", Tensor(x), dim, keep, Out(most.astype(kind(to))))
                cases.add("ArgMin", Tensor(x), dim, keep, Out(least.astype(kind(to))))
        if name in (*F, "i64", "bool"):
            for operator, at in [("MaxDim", most), ("MinDim", least)]:
                value = np.take_along_axis(x, at if keep else np.expand_dims(at, axis), axis)
                value = value if keep else np.squeeze(value, axis)
                cases.add(operator, Tensor(x), dim, keep, Out(value), Out(at.astype(np.int32 if keep else np.int64)))
    x = data("f32", (2, 3))
    cases.add("ArgMax", Tensor(np.float32([1, 3, 3])), 0, False, Out(np.int64(1)))
    cases.add("ArgMax", Tensor(np.float32([-np.inf] * 70)), 0, False, Out(np.int64(0)))
    cases.add("ArgMin", Tensor(np.float32([np.inf] * 70)), 0, False, Out(np.int64(0)))
    cases.add("ArgMin", Tensor(np.int64([2**63 - 1] * 70)), 0, False, Out(np.int64(0)))
    cases.add("ArgMax", Tensor(np.float32(5)), 0, False, Out(np.int64(0)))
    cases.add("ArgMax", Tensor(np.float32(5)), 1, False, Out(np.int64(0)), code=INVALID)
    cases.add("ArgMin", Tensor(np.float32(5)), -1, False, Out(np.zeros(3, np.int64)))
    cases.add("ArgMax", Tensor(np.float32([1, 3, 3])), 0, False, Out(np.float32(1)))
    cases.add("ArgMax", Tensor(np.float32([1, 3, 3])), 0, False, Out(np.int64([1])))
    cases.add("ArgMin", Tensor(np.float32([1, 3, 3])), 0, False, Out(np.float32(0)), code=INVALID)
    cases.add("ArgMin", Tensor(np.zeros((2, 0), np.float32)), 1, False, Out(np.zeros(2, np.int64)), code=INVALID)
    cases.add("ArgMax", Tensor(np.zeros((0, 2), np.float32)), 1, False, Out(np.zeros(0, np.int64)))
    cases.add("ArgMax", Tensor(x > 0), 1, False, Out(np.zeros(2, np.int64)), code=INVALID)
    cases.add("ArgMax", Tensor(x), 1, False, Out(np.zeros(3, np.int64)), code=INVALID)
    cases.add("MaxDim", Tensor(x.astype(np.int32)), 1, False, Out(np.zeros(2, np.int32)), Out(np.zeros(2, np.int64)), code=INVALID)
    cases.add("MaxDim", Tensor(x), 1, False, Out(np.zeros(2, np.float16)), Out(np.zeros(2, np.int64)), code=INVALID)
    cases.add("MaxDim", Tensor(x), 2, False, Out(np.zeros(2, np.float32)), Out(np.zeros(2, np.int64)), code=INVALID)
    cases.add("MinDim", Tensor(x), 1, False, Out(np.zeros(2, np.float32)), Out(np.zeros(3, np.int64)), code=INVALID)
    cases.add("MaxDim", Tensor(np.float32(4)), 0, False, Out(np.float32([4])), Out(np.int32([0])))


def products(cases):
    for name, (shape, dims) in itertools.product(ALL, SHAPES):
        if len(dims) > 1 or name not in ("f32", "i8") and len(shape) > 3:
            continue
        x = data(name, shape)
        if name in (*FLOATS, *COMPLEX):
            x = (np.asarray(x) / 4 + (1 if name in FLOATS else 0.5)).astype(kind(name))
        axes = axes_of(dims, len(shape))
        function = np.all if name == "bool" else multiplied
        units = {"f32": 16, "f16": 1, "bf16": 1, "f64": 64, "c64": 64, "c128": 256}.get(name, 0)
        y = lambda keep: rounded(np.all(x, axis=axes, keepdims=keep) if name == "bool" else multiplied(x, axes, keep), name)
        if dims:
            cases.add("ProdDim", Tensor(x), dims[0], False, DType(name), Out(y(False), units))
            cases.add("ProdDim", Tensor(x), dims[0], True, DType(name), Out(y(bool(shape)), units))
        else:
            cases.add("Prod", Tensor(x), DType(name), Out(y(False), units))
    x = np.linspace(0.9, 1.1, 3000, dtype=np.float32)
    cases.add("Prod", Tensor(x), DType("f32"), Out(rounded(multiplied(x, None, False), "f32"), 256))
    i = np.int8([3, 7, 11])
    cases.add("Prod", Tensor(i), DType("i8"), Out(np.int8(-25)))
    cases.add("Prod", Tensor(i), DType("i64"), Out(np.int64(231)))
    cases.add("Prod", Tensor(i), DType("f32"), Out(np.float32(231)))
    cases.add("Prod", Tensor(np.float32([2.9, 2.9])), DType("i32"), Out(np.int32(4)))
    # Computed in f32, where it overflows; and where it vanishes it is false.
    cases.add("Prod", Tensor(np.float32([1e30, 1e30])), DType("f32"), Out(np.float32(np.inf)))
    cases.add("Prod", Tensor(np.float32([1e-30, 1e-30])), DType("bool"), Out(np.bool_(False)))
    cases.add("Prod", Tensor(np.float32([0.5, -3])), DType("bool"), Out(np.bool_(True)))
    cases.add("Prod", Tensor(np.float16([300, 300])), DType("f32"), Out(np.float32(90000)))
    cases.add("Prod", Tensor(np.zeros(0, np.float32)), DType("f32"), Out(np.float32(1)))
    cases.add("ProdDim", Tensor(np.zeros((2, 0), np.int32)), 1, False, DType("i32"), Out(np.ones(2, np.int32)))
    cases.add("Prod", Tensor(np.zeros(0, np.complex64)), DType("c64"), Out(np.complex64(1)), code=INVALID)
    cases.add("Prod", Tensor(i), DType("i32"), Out(np.int64(231)), code=INVALID)
    cases.add("ProdDim", Tensor(i), 1, False, DType("i8"), Out(np.int8(0)), code=INVALID)
    cases.add("Prod", Tensor(i.astype(np.uint16)), DType("i8"), Out(np.int8(0)), code=INVALID)


def truths(cases):
    for name, (shape, dims), keep in itertools.product(FDIB, SHAPES, [False, True]):
        if name not in ("f32", "bool") and (keep or shape != (2, 3, 4)):
            continue
        x = data(name, shape)
        x = np.where(np.random.default_rng(3).uniform(size=shape) > 0.7, np.zeros((), x.dtype), x).astype(x.dtype)
        axes = axes_of(dims, len(shape))
        cases.add("All", Tensor(x), Ints(dims), keep, Out(np.asarray(np.all(x, axis=axes, keepdims=keep))))
        cases.add("Any", Tensor(x), Ints(dims), keep, Out(np.asarray(np.any(x, axis=axes, keepdims=keep))))
        cases.add("Any", Tensor(x), Ints(dims), keep, Out(np.asarray(np.any(x, axis=axes, keepdims=keep)).astype(np.uint8)))
    x = np.float32([[0, -0.0], [np.nan, 1]])
    cases.add("Any", Tensor(x), Ints([1]), False, Out(np.array([False, True])))
    cases.add("All", Tensor(x), Ints([1]), False, Out(np.array([False, True])))
    cases.add("Any", Tensor(x), Ints([1, 1]), False, Out(np.array([False, True])))
    cases.add("All", Tensor(x), Ints([1, 1]), False, Out(np.array([False, True])), code=INVALID)
    cases.add("All", Tensor(x), Ints([]), False, Out(np.array([False])), code=INVALID)
    cases.add("Any", Tensor(x), Ints([]), False, Out(np.array([True])))
    cases.add("Any", Tensor(x), Ints([]), False, Out(np.float32(1)), code=INVALID)
    cases.add("All", Tensor(x.astype(np.complex64)), Ints([]), False, Out(np.bool_(True)), code=INVALID)
    for operator, value in [("All", True), ("Any", False)]:
        cases.add(operator, Tensor(np.zeros(0, np.bool_)), Ints([]), False, Out(np.bool_(value)))
        cases.add(operator, Tensor(np.zeros((0, 3), np.float32)), Ints([0]), False, Out(np.full(3, value)))
    cases.add("All", Tensor(x), NULL, False, Out(np.bool_(True)), code=NULLPTR)


def variance(x, axes, keep, correction):
    """As the library before the 950: distances from the mean in the type of the operand."""
    own = x.dtype
    x = x.astype(np.float64)
    count = int(np.prod([x.shape[axis] for axis in axes]))
    mean = np.mean(x, axis=axes, keepdims=True).astype(np.float32).astype(own).astype(np.float64)
    squares = np.sum((x - mean) ** 2, axis=axes, keepdims=keep)
    if count <= max(correction, 0) and correction >= 1:
        return np.full_like(squares, np.nan if count == 1 else np.inf)
    return squares / (count - correction)


def variances(cases):
    for name, (shape, dims), keep, correction in itertools.product(F, [*SHAPES, *LONG], [False, True], [0, 1, 3, -2]):
        if (keep or correction not in (0, 1)) and (name != "f32" or shape not in ((2, 3, 4), (24,))):
            continue
        if shape == ():
            continue
        x = data(name, shape)
        axes = axes_of(dims, len(shape))
        var = variance(x, axes, keep, correction)
        mean = rounded(np.mean(x.astype(np.float64), axis=axes, keepdims=keep), name)
        std = np.sqrt(var)
        v, s = Out(rounded(var, name), 2), Out(rounded(std, name), 2)
        dim = Ints(dims) if dims else NULL
        cases.add("VarCorrection", Tensor(x), dim, correction, keep, v)
        cases.add("Std", Tensor(x), Ints(dims), correction, keep, s)
        cases.add("StdMeanCorrection", Tensor(x), Ints(dims), correction, keep, s, Out(mean, 1))
        if name != "bf16":
            cases.add("VarMean", Tensor(x), dim, correction, keep, v, Out(mean, 1))
        if correction in (0, 1):
            cases.add("Var", Tensor(x), Ints(dims), correction == 1, keep, v)
    # A mean that is large against the distances from it.
    x = (1e4 + data("f32", (2000,)).astype(np.float64) * 1e-2).astype(np.float32)
    cases.add("VarCorrection", Tensor(x), NULL, 1, False, Out(variance(x, (0,), False, 1).astype(np.float32), 2))
    five = np.float32([5, 5])
    cases.add("VarCorrection", Tensor(five), Ints([]), 2, False, Out(np.float32(np.inf)))
    cases.add("Var", Tensor(five[:1]), NULL, True, False, Out(np.float32(np.nan)))
    cases.add("Var", Tensor(five[:1]), NULL, False, False, Out(np.float32(0)))
    cases.add("Std", Tensor(np.float32(3)), NULL, 0, False, Out(np.float32(0)))
    x = data("f32", (2, 3))
    two, y = np.zeros(2, np.float32), variance(x, (1,), False, 1)
    cases.add("Var", Tensor(x), Ints([1]), True, False, Out(y.astype(np.float16), 1))
    cases.add("VarCorrection", Tensor(x), Ints([1]), 1, False, Out(np.zeros(3, np.float32)), code=INVALID)
    cases.add("VarCorrection", Tensor(x), NULL, 1, False, Out(np.zeros(1, np.float32)), code=INVALID)
    cases.add("VarCorrection", Tensor(x), Ints([1, 1]), 1, False, Out(two), code=INVALID)
    cases.add("VarCorrection", Tensor(x.astype(np.float64)), Ints([1]), 1, False, Out(two), code=INVALID)
    cases.add("VarMean", Tensor(data("bf16", (2, 3))), Ints([1]), 1, False, Out(two), Out(two), code=INVALID)
    cases.add("StdMeanCorrection", Tensor(x), Ints([1]), 1, False, Out(two.astype(np.float16)), Out(two), code=INVALID)
    cases.add("Std", Tensor(x), Ints([]), 1, False, Out(np.float32([np.sqrt(variance(x, (0, 1), False, 1))]), 2))
    for operator, outs in [("VarCorrection", 1), ("Std", 1), ("VarMean", 2), ("StdMeanCorrection", 2)]:
        out = [Out(np.full(2, np.nan, np.float32)) for _ in range(outs)]
        cases.add(operator, Tensor(np.zeros((2, 0), np.float32)), Ints([1]), 1, False, *out)


def norm(x, order, axes, keep):
    x = np.abs(x.astype(np.float64))
    if order == np.inf:
        return np.max(x, axis=axes, keepdims=keep)
    if order == -np.inf:
        return np.min(x, axis=axes, keepdims=keep)
    if order == 0:
        return np.sum(x != 0, axis=axes, keepdims=keep).astype(np.float64)
    return np.sum(x**order, axis=axes, keepdims=keep) ** (1 / order)


def norms(cases):
    orders = [0, 1, 2, 3, 0.5, -1, np.inf, -np.inf]
    for name, (shape, dims), keep, order in itertools.product(F, [*SHAPES, ((3, 400), [1]), ((400, 3), [0])], [False, True], orders):
        if shape != (2, 3, 4) and (name != "f32" or order not in (2, np.inf)) or keep and order != 2:
            continue
        x = data(name, shape)
        y = rounded(norm(x, order, axes_of(dims, len(shape)), keep), name)
        # Off the 950 infinite orders are also the limits of i32.
        scalar = Scalar({np.inf: 2**31 - 1, -np.inf: -(2**31)}[order], "i32") if np.isinf(order) and keep is False and name == "f16" else Scalar(order, "f32")
        cases.add("Norm", Tensor(x), scalar, Ints(dims), keep, Out(y, 2))
        cases.add("LinalgVectorNorm", Tensor(x), scalar, Ints(dims), keep, DType(name), Out(y, 2))
    x = data("f16", (3, 4))
    y = norm(x, 2, (1,), False)
    cases.add("Norm", Tensor(x), Scalar(2, "i64"), Ints([1]), False, Out(y.astype(np.float32), 1))
    cases.add("Norm", Tensor(x), Scalar(2, "f32"), Ints([1]), False, Out(y.astype(np.float32).astype(np.float64)))
    i = data("i32", (3, 4))
    cases.add("Norm", Tensor(i), Scalar(1, "f32"), Ints([1]), False, Out(norm(i, 1, (1,), False).astype(np.float32)))
    cases.add("LinalgVectorNorm", Tensor(x), Scalar(2, "f32"), Ints([1]), False, DType("f32"), Out(y.astype(np.float32), 1))
    cases.add("LinalgVectorNorm", Tensor(x), Scalar(2, "f32"), Ints([1]), False, DType("f32"), Out(y.astype(np.float16)), code=INVALID)
    # Sums of powers are numbers of f32.
    for values_, order, made in [([1e30, 1e30], 2, np.inf), ([1e30], 3, np.inf), ([1e-30, 1e-30], 2, 0.0)]:
        cases.add("Norm", Tensor(np.float32(values_)), Scalar(order, "f32"), Ints([0]), False, Out(np.float32(made)))
    # On the 950 one element is its own norm, of every order but 0.
    for order in [2, 3, 1000, -2]:
        column = np.float32([[1e30], [-1e-30], [0.3]])
        cases.add("Norm", Tensor(column), Scalar(order, "f32"), Ints([1]), False, Out(np.abs(column[:, 0])), product="Ascend950")
    cases.add("Norm", Tensor(np.float32([[2], [0]])), Scalar(0, "f32"), Ints([1]), False, Out(np.float32([1, 0])), product="Ascend950")
    # Before it unsigned integers are taken too.
    for name in ["u16", "u32", "u64"]:
        u = np.arange(6).reshape(2, 3).astype(kind(name))
        cases.add("Norm", Tensor(u), Scalar(1, "f32"), Ints([1]), False, Out(u.sum(1).astype(kind(name))))
        cases.add("LinalgVectorNorm", Tensor(u), Scalar(1, "f32"), Ints([1]), False, DType(name), Out(u.sum(1).astype(kind(name))))
        cases.add("Norm", Tensor(u), Scalar(1, "f32"), Ints([1]), False, Out(u.sum(1).astype(kind(name))), product="Ascend950", code=INVALID)
    cases.add("LinalgVectorNorm", Tensor(x.astype(np.complex64)), Scalar(2, "f32"), Ints([1]), False, DType("f32"), Out(y.astype(np.float32)), code=INVALID)
    # Other types are computed in f32, complex numbers by their real parts.
    for name in ["i8", "u8", "i16", "i32", "i64", "bool", "f64", "c64", "c128"]:
        other = np.array([[1, 2, 3], [0, 1, 1]]).astype(kind(name))
        total = np.abs(other.real.astype(np.float64)).sum(1).astype(np.float32)
        other = other * (1 + 2j) if name in COMPLEX else other
        other = other.astype(kind(name))
        cases.add("Norm", Tensor(other), Scalar(1, "f32"), Ints([1]), False, Out(total))
        code = INVALID if name in COMPLEX else 0
        cases.add("LinalgVectorNorm", Tensor(other), Scalar(1, "f32"), Ints([1]), False, DType("f32"), Out(total), code=code)
    cases.add("Norm", Tensor(x), NULL, Ints([1]), False, Out(y.astype(np.float32)), code=NULLPTR)
    cases.add("Norm", Tensor(x), Scalar(2, "f32"), Ints([]), False, Out(np.zeros(1, np.float32)), code=INVALID)
    cases.add("Norm", Tensor(x), Scalar(2, "f32"), Ints([0, 0]), False, Out(np.zeros(4, np.float32)), code=INVALID)
    for order in [2, -1, -np.inf]:
        cases.add("Norm", Tensor(np.zeros((2, 0), np.float32)), Scalar(order, "f32"), Ints([1]), False, Out(np.zeros(2, np.float32)))
        cases.add("LinalgVectorNorm", Tensor(np.zeros((2, 0), np.float32)), Scalar(order, "f32"), Ints([1]), False, DType("f32"), Out(np.zeros(2, np.float32)))


def logsumexp(x, axes, keep):
    x = wide(x).astype(np.float64)
    most = np.max(x, axis=axes, keepdims=True)
    most = np.where(np.isinf(most), 0, most)
    return np.log(np.sum(np.exp(x - most), axis=axes, keepdims=keep)) + np.max(most, axis=axes, keepdims=keep)


def logarithms(cases):
    for name, (shape, dims), keep in itertools.product([*F, *INTEGERS, "bool"], [*SHAPES, ((3, 400), [1]), ((400, 3), [0])], [False, True]):
        if name != "f32" and shape != (2, 3, 4) or keep and name != "f32":
            continue
        to = name if name in F else "f32"
        x = data(name, shape)
        axes = axes_of(dims, len(shape))
        cases.add("LogSumExp", Tensor(x), Ints(dims), keep, Out(rounded(logsumexp(x, axes, keep), to), 1))
        if name in ("f32", "f16"):
            x = np.abs(x)
            y = rounded(np.log(summed(x, axes, keep)), name)
            cases.add("ReduceLogSum", Tensor(x), Ints(dims), keep, False, Out(y, 1))
    rows = np.float32([[-np.inf, -np.inf], [np.inf, 1], [np.nan, 0], [1000, 1000], [-np.inf, 2]])
    cases.add("LogSumExp", Tensor(rows), Ints([1]), False, Out(np.float32([-np.inf, np.inf, np.nan, 1000 + np.log(2), 2]), 1))
    x = data("f32", (2, 3))
    cases.add("LogSumExp", Tensor(x), Ints([1]), False, Out(rounded(logsumexp(x, (1,), False), "f16"), 1))
    cases.add("LogSumExp", Tensor(x.astype(np.float64)), Ints([1]), False, Out(np.zeros(2)), code=INVALID)
    cases.add("LogSumExp", Tensor(x), Ints([]), False, Out(np.zeros(1, np.float32)), code=INVALID)
    cases.add("LogSumExp", Tensor(np.zeros((2, 0), np.float32)), Ints([1]), False, Out(np.full(2, -np.inf, np.float32)))
    cases.add("ReduceLogSum", Tensor(np.float32([[0, 0], [-1, -2]])), Ints([1]), False, False, Out(np.float32([-np.inf, np.nan])))
    cases.add("ReduceLogSum", Tensor(x), Ints([]), True, True, Out(x))
    cases.add("ReduceLogSum", Tensor(np.zeros((2, 0), np.float32)), Ints([1]), False, False, Out(np.zeros(2, np.float32)))
    cases.add("ReduceLogSum", Tensor(x), Ints([1]), False, False, Out(np.zeros(2, np.float16)), code=INNER)
    cases.add("ReduceLogSum", Tensor(data("bf16", (2, 3))), Ints([1]), False, False, Out(np.zeros(2, np.float32)), code=INVALID)


SCANS = [((6,), 0), ((2, 3, 4), 0), ((2, 3, 4), 1), ((2, 3, 4), -1), ((1, 5, 1), 2), ((2, 1, 3, 1, 2, 1, 2, 1), 4), ((3, 300), 1), ((300, 3), 0)]


def scans(cases):
    for name, (shape, dim) in itertools.product([*FD, *INTEGERS, *COMPLEX], SCANS):
        if len(shape) != 3 and name not in ("f32", "i32", "bf16"):
            continue
        x = data(name, shape)
        axis = dim % len(shape)
        y = np.cumsum(wide(x), axis=axis)
        units = {"f32": 1, "f64": 128, "c64": 16, "c128": 256}.get(name, 0)
        cases.add("Cumsum", Tensor(x), dim, DType(name), Out(rounded(y, name), units))
        for exclusive, reverse in itertools.product([False, True], [False, True]):
            z = np.flip(wide(x), axis) if reverse else wide(x)
            total = np.cumsum(z, axis=axis)
            if exclusive:
                total = np.concatenate([np.zeros_like(np.take(total, [0], axis)), np.delete(total, -1, axis)], axis)
            z = np.flip(total, axis) if reverse else total
            cases.add("CumsumV2", Tensor(x), dim, exclusive, reverse, Out(rounded(z, name), units))
    one = np.float32([1, 2, 3])
    for exclusive, reverse, y in [(True, False, [0, 1, 3]), (False, True, [6, 5, 3]), (True, True, [5, 3, 0])]:
        cases.add("CumsumV2", Tensor(one), 0, exclusive, reverse, Out(np.float32(y)))
    cases.add("Cumsum", Tensor(np.int32([2**31 - 1, 1])), 0, DType("i32"), Out(np.int32([2**31 - 1, -(2**31)])))
    cases.add("Cumsum", Tensor(np.array([True, True, False])), 0, DType("i64"), Out(np.int64([1, 2, 2])))
    cases.add("Cumsum", Tensor(np.float32([1.9, 1.9])), 0, DType("i32"), Out(np.int32([1, 2])))
    for name in ["u16", "u32", "u64"]:
        cases.add("Cumsum", Tensor(np.array([1, 2, 3]).astype(kind(name))), 0, DType("i64"), Out(np.int64([1, 3, 6])))
    cases.add("Cumsum", Tensor(np.float32(7)), 0, DType("f32"), Out(np.float32(7)))
    cases.add("Cumsum", Tensor(np.float32(7)), 1, DType("f32"), Out(np.float32(7)), code=INVALID)
    cases.add("Cumsum", Tensor(one), 0, DType("f32"), Out(one.astype(np.float64)), code=INVALID)
    cases.add("Cumsum", Tensor(one), 0, DType("bool"), Out(one > 0), code=INVALID)
    cases.add("Cumsum", Tensor(one), 1, DType("f32"), Out(one), code=INVALID)
    cases.add("Cumsum", Tensor(one), 0, DType("f32"), Out(np.zeros((1, 3), np.float32)), code=INVALID)
    cases.add("Cumsum", Tensor(np.zeros((0, 3), np.float32)), 0, DType("f32"), Out(np.zeros((0, 3), np.float32)))
    cases.add("CumsumV2", Tensor(one), 0, False, False, Out(one.astype(np.float64)), code=INVALID)
    cases.add("Cumsum", NULL, 0, DType("f32"), Out(one), code=NULLPTR)
    for name, (shape, dim) in itertools.product([*FD, *INTEGERS, "u16", "u32", "u64"], SCANS):
        if len(shape) != 3 and name not in ("f32", "i32"):
            continue
        x = data(name, shape)
        if name in FLOATS:
            x = (x / 4 + 1).astype(kind(name))
        axis = dim % len(shape)
        if name in FLOATS:
            y = x.astype(np.float32 if name != "f64" else np.float64)
            y = np.cumprod(y, axis=axis)
        else:
            y = np.cumprod(x, axis=axis, dtype=kind(name))
        y = rounded(y, name)
        cases.add("Cumprod", Tensor(x), Scalar(dim, "i64"), DType(name), Out(y, 1))
        if name not in ("u16", "u32", "u64"):
            cases.add("InplaceCumprod", InOut(x, y, 1), Scalar(dim, "i32"))
    cases.add("Cumprod", Tensor(one), Scalar(0, "f32"), DType("f32"), Out(one), code=INVALID)
    cases.add("Cumprod", Tensor(one), Scalar(1, "i32"), DType("f32"), Out(one), code=INVALID)
    cases.add("Cumprod", Tensor(one), Scalar(0, "i32"), DType("f64"), Out(one), code=INVALID)
    cases.add("Cumprod", Tensor(one > 1), Scalar(0, "i32"), DType("f32"), Out(one), code=INVALID)
    cases.add("Cumprod", Tensor(one), Scalar(0, "i32"), DType("i32"), Out(np.int32([1, 2, 6])))
    cases.add("Cumprod", Tensor(one), NULL, DType("f32"), Out(one), code=NULLPTR)


def running(x, axis, greatest):
    """The extreme so far and the last of its positions; a NaN stays, and the latest one counts."""
    x = np.moveaxis(x, axis, -1)
    best, at = np.empty_like(x), np.empty(x.shape, np.int64)
    for row in np.ndindex(x.shape[:-1]):
        position = 0
        for index, value in enumerate(x[row]):
            held = x[row][position]
            better = value >= held if greatest else value <= held
            if better or value != value:
                position = index
            best[row][index], at[row][index] = x[row][position], position
    return np.moveaxis(best, -1, axis), np.moveaxis(at, -1, axis)


def running_extremes(cases):
    for name, (shape, dim), special in itertools.product(FDIB, SCANS, [False, True]):
        if len(shape) != 3 and name != "f32" or special and name not in FLOATS:
            continue
        x = data(name, shape, special)
        if name in FLOATS and not special:
            x = np.round(x.astype(np.float32)).astype(kind(name))
        for operator, greatest in [("Cummax", True), ("Cummin", False)]:
            value, at = running(x, dim % len(shape), greatest)
            cases.add(operator, Tensor(x), dim, Out(value), Out(at))
            cases.add(operator, Tensor(x), dim, Out(value), Out(at.astype(np.int32)))
    x = np.float32([1, 1, 0])
    cases.add("Cummax", Tensor(x), 0, Out(np.float64([1, 1, 1])), Out(np.int64([0, 1, 1])))
    cases.add("Cummin", Tensor(np.float32(3)), 0, Out(np.float32(3)), Out(np.int64(0)))
    cases.add("Cummax", Tensor(np.float32(3)), 0, Out(np.float32(3)), Out(np.int64(0)), code=INVALID)
    cases.add("Cummax", Tensor(x), 0, Out(x), Out(x), code=INVALID)
    cases.add("Cummax", Tensor(x), 1, Out(x), Out(np.int64([0, 1, 1])), code=INVALID)
    cases.add("Cummin", Tensor(x), 0, Out(x[:2]), Out(np.int64([0, 1])), code=INVALID)


def softmaxes(cases):
    for name, (shape, dim) in itertools.product(FD, SCANS):
        x = data(name, shape)
        axis = dim % len(shape)
        w = x.astype(np.float64)
        e = np.exp(w - w.max(axis=axis, keepdims=True))
        y = e / e.sum(axis=axis, keepdims=True)
        units = 8 if name == "f64" else 1
        cases.add("Softmax", Tensor(x), dim, Out(rounded(y, name), units))
        z = w - w.max(axis=axis, keepdims=True) - np.log(e.sum(axis=axis, keepdims=True))
        cases.add("LogSoftmax", Tensor(x), dim, Out(rounded(z, name), 64 if name == "f64" else 2))
    rows = np.float32([[np.inf, 1], [np.nan, 1], [-np.inf, 1], [1000, 1000]])
    nan = np.nan
    cases.add("Softmax", Tensor(rows), 1, Out(np.float32([[nan, nan], [nan, nan], [0, 1], [0.5, 0.5]])))
    cases.add("LogSoftmax", Tensor(rows), 1, Out(np.float32([[nan, nan], [nan, nan], [-np.inf, 0], [-np.log(2), -np.log(2)]]), 1024))
    x = data("f16", (3, 4))
    w = np.exp(x.astype(np.float64))
    y = rounded(w / w.sum(axis=1, keepdims=True), "f16")
    cases.add("Softmax", Tensor(x), 1, Out(y.astype(np.float32)))
    one = data("f32", (3,))
    cases.add("Softmax", Tensor(np.float32(2)), 0, Out(np.float32(1)))
    cases.add("Softmax", Tensor(one), 1, Out(one), code=INVALID)
    cases.add("Softmax", Tensor(one.astype(np.int32)), 0, Out(one), code=INVALID)
    cases.add("Softmax", Tensor(one), 0, Out(np.zeros(2, np.float32)), code=INVALID)
    # An empty operand of Softmax is not looked at; that of LogSoftmax is.
    cases.add("Softmax", Tensor(np.zeros((0,), np.int32)), 9, Out(np.zeros(0, np.float32)))
    cases.add("LogSoftmax", Tensor(np.zeros((0,), np.float32)), 9, Out(np.zeros(0, np.float32)), code=INVALID)
    cases.add("LogSoftmax", Tensor(one.astype(np.int32)), 0, Out(one), code=INVALID)


def histograms(cases):
    random = np.random.default_rng(11)
    for name in INTEGERS:
        x = random.integers(0, 20, size=300).astype(kind(name))
        counts = np.bincount(x.astype(np.int64), minlength=24)
        for to in ["i64", "i32", "f32", "f64"]:
            cases.add("Bincount", Tensor(x), NULL, 24, Out(counts.astype(kind(to))))
        for weight in ["f32", "f16", "f64", "i32", "bool"]:
            w = data(weight, (300,))
            sums = np.bincount(x.astype(np.int64), weights=w.astype(np.float64), minlength=24)
            cases.add("Bincount", Tensor(x), Tensor(w), 24, Out(sums.astype(np.float32 if weight == "f32" else np.float64), 1 if weight == "f32" else 64))
    x = np.int64([1, 1, 3])
    cases.add("Bincount", Tensor(x), NULL, 0, Out(np.int64([0, 2, 0, 1])))
    cases.add("Bincount", Tensor(x), NULL, 0, Out(np.int64([0, 2])))
    cases.add("Bincount", Tensor(x), Tensor(np.float64([0.5, 0.7, 2])), 0, Out(np.int32([0, 1, 0, 2])))
    cases.add("Bincount", Tensor(np.zeros(0, np.int64)), NULL, 3, Out(np.zeros(3, np.int64)))
    cases.add("Bincount", Tensor(x.reshape(1, 3)), NULL, 0, Out(np.zeros(4, np.int64)), code=INVALID)
    cases.add("Bincount", Tensor(x.astype(np.float32)), NULL, 0, Out(np.zeros(4, np.int64)), code=INVALID)
    cases.add("Bincount", Tensor(x), Tensor(np.float64([1, 2])), 0, Out(np.zeros(4)), code=INVALID)
    cases.add("Bincount", Tensor(x), NULL, 0, Out(np.zeros(4, np.int16)), code=INVALID)
    cases.add("Bincount", Tensor(x), NULL, 9, Out(np.zeros(4, np.int64)), code=INNER)
    for name in ["f32", "f16", "i64", "i32", "i16", "i8", "u8"]:
        x = (random.normal(size=500) * 4).astype(np.float32).astype(kind(name)) if name[0] == "f" else random.integers(0, 30, size=500).astype(kind(name))
        for low, high, bins in [(-4, 4, 8), (0, 20, 10), (5, 5, 4), (0, 0, 8)]:
            if name == "u8" and low < 0:
                continue
            w = x.astype(np.float32 if name[0] == "f" else np.int64)
            a, b = (w.min(), w.max()) if low == high else (w.dtype.type(low), w.dtype.type(high))
            inside = w[(w >= a) & (w <= b)]
            at = (inside - a) * w.dtype.type(bins)
            at = np.trunc(at / (b - a)).astype(np.int64) if name[0] == "f" else at // (b - a)
            counts = np.bincount(np.minimum(at, bins - 1), minlength=bins)
            for to in ["i32", "i64", "f32"]:
                if to == "f32" and name[0] != "f":
                    continue
                cases.add("Histc", Tensor(x), bins, Scalar(low, "f32"), Scalar(high, "f32"), Out(counts.astype(kind(to))))
    x = np.float32([1, 2, np.nan, 3])
    four = np.zeros(4, np.float32)
    cases.add("Histc", Tensor(x), 2, Scalar(1, "f32"), Scalar(3, "f32"), Out(np.float32([1, 2])))
    cases.add("Histc", Tensor(np.float32([2, 2])), 2, Scalar(0, "i32"), Scalar(0, "i32"), Out(np.float32([0, 2])))
    cases.add("Histc", Tensor(x), 4, Scalar(3, "f32"), Scalar(1, "f32"), Out(four), code=INVALID)
    cases.add("Histc", Tensor(x), 4, Scalar(0, "f32"), Scalar(np.inf, "f32"), Out(four), code=INVALID)
    cases.add("Histc", Tensor(x), 0, Scalar(0, "f32"), Scalar(1, "f32"), Out(np.zeros(0, np.float32)), code=INVALID)
    cases.add("Histc", Tensor(x), 3, Scalar(0, "f32"), Scalar(1, "f32"), Out(four), code=INVALID)
    cases.add("Histc", Tensor(x.astype(np.float64)), 4, Scalar(0, "f32"), Scalar(1, "f32"), Out(four), code=INVALID)
    # The output has to be one that is converted to the operand.
    cases.add("Histc", Tensor(np.int32([1, 2])), 4, Scalar(0, "f32"), Scalar(1, "f32"), Out(four), code=INVALID)
    cases.add("Histc", Tensor(np.zeros(0, np.float32)), 4, Scalar(0, "f32"), Scalar(1, "f32"), Out(four))


def other_products(cases):
    def on(product):
        return lambda *arguments, code=0: cases.add(*arguments, product=product, code=code)

    inf, nan = np.inf, np.nan
    call = on("Ascend950")
    x, h = np.float32([1.5, -2, 0.25]), np.float16([300, 300])
    call("ReduceSum", Tensor(x), Ints([0]), False, DType("f32"), Out(np.float32(-0.25)))
    call("ReduceNansum", Tensor(np.int32([1])), Ints([0]), False, DType("i32"), Out(np.int32(1)), code=INVALID)
    # The product of halves is rounded to their type before it is widened; that of truth values is whether all are true.
    call("Prod", Tensor(h), DType("f32"), Out(np.float32(inf)))
    call("Prod", Tensor(np.float32([1e-30, 1e-30])), DType("bool"), Out(np.bool_(True)))
    call("Prod", Tensor(np.float32([2, 0])), DType("bool"), Out(np.bool_(False)))
    # Without a count left, only elements that differ have an infinite variance.
    for values, both, alone in [([5, 5], nan, inf), ([5, 6], inf, inf), ([5], nan, nan)]:
        v = np.float32(values)
        call("VarMean", Tensor(v), NULL, 2, False, Out(np.float32(both)), Out(np.float32(np.mean(v))))
        call("VarCorrection", Tensor(v), NULL, 2, False, Out(np.float32(alone)))
    b = data("bf16", (3, 5))
    w = b.astype(np.float64)
    call("VarMean", Tensor(b), Ints([1]), 1, False, Out(rounded(w.var(axis=1, ddof=1), "bf16"), 1), Out(rounded(w.mean(axis=1), "bf16"), 1))
    call("StdMeanCorrection", Tensor(x), NULL, 1, False, Out(np.float16(x.astype(np.float64).std(ddof=1)), 1), Out(np.float32(x.mean()), 1))
    two = Scalar(2, "f32")
    call("Norm", Tensor(h), two, Ints([0]), False, Out(np.float32(np.hypot(300, 300)), 1))
    call("Norm", Tensor(x), two, Ints([0]), False, Out(np.float16(0)), code=INNER)
    call("Norm", Tensor(x.astype(np.float64)), two, Ints([0]), False, Out(np.float32(0)), code=INVALID)
    call("LinalgVectorNorm", Tensor(x), two, Ints([0]), False, DType("f16"), Out(np.float16(0)), code=INVALID)
    call("ArgMax", Tensor(np.uint16([1, 65535])), 0, False, Out(np.int32(1)))
    call("ArgMax", Tensor(x), 0, False, Out(np.float32(0)), code=INNER)
    call("MaxDim", Tensor(np.int32([1, 7, 7])), 0, False, Out(np.int32(7)), Out(np.int64(1)))
    call("MaxDim", Tensor(x), 0, False, Out(np.float32(0)), Out(np.int16(0)), code=NULLPTR)
    # A minimum begins again after a NaN.
    call("Cummin", Tensor(np.float32([1, nan, 3, 2])), 0, Out(np.float32([1, nan, 3, 2])), Out(np.int64([0, 1, 2, 3])))
    call("Cummin", Tensor(np.float64([1, nan, 3, 2])), 0, Out(np.float64([1, nan, nan, nan])), Out(np.int64([0, 1, 1, 1])))
    call("Cummin", Tensor(np.int8([3, 1, 2])), 0, Out(np.int32([3, 1, 1])), Out(np.int64([0, 1, 1])))
    call("Cummin", Tensor(x), 0, Out(np.float16([1.5, -2, -2])), Out(np.int64([0, 1, 1])), code=INNER)
    for product in ["Ascend910", "Ascend310P"]:
        call = on(product)
        call("ReduceSum", Tensor(b), Ints([0]), False, DType("bf16"), Out(np.zeros(5, b.dtype)), code=INVALID)
        call("ReduceSum", Tensor(x), Ints([0]), False, DType("f32"), Out(np.float32(-0.25)))
        call("ReduceNansum", Tensor(x), Ints([0]), False, DType("f32"), Out(np.float32(-0.25)), code=INVALID)
        call("MaxDim", Tensor(np.int32([1, 7])), 0, False, Out(np.int32(7)), Out(np.int64(1)), code=INVALID)
        call("Norm", Tensor(h), two, Ints([0]), False, Out(np.float16(np.hypot(300, 300)), 1))
        call("Norm", Tensor(x), Scalar(2**31 - 1, "i64"), Ints([0]), False, Out(np.float32(2)))
    # i64 is compared in f32, and the range of a histogram is not looked for.
    call("MaxDim", Tensor(np.int64([2**24 + 1, 0])), 0, False, Out(np.int64(2**24)), Out(np.int64(0)))
    call("Histc", Tensor(np.float32([2, 0.5])), 2, Scalar(0, "f32"), Scalar(0, "f32"), Out(np.float32([0, 1])))


def main():
    cases = Cases()
    for part in [sums, extremes, positions, products, truths, variances, norms, logarithms, scans, running_extremes, softmaxes, histograms, other_products]:
        part(cases)
    cases.write("reductions")


if __name__ == "__main__":
    main()
