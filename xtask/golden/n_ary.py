"""Cases of functions of several operands, and of whether elements are close, equal or there, by NumPy.

References: NumPy, PyTorch.
Writes cann-stubs/tests/data/n_ary.cases. Promotion, lists of types and formulas are retyped here from CANN's public
description and not read from the declarations. What that leaves open (the types of MaxN, MinN, Complex and IsIn) is as for
their kin.

    python xtask/golden/n_ary.py
"""

from fractions import Fraction

import numpy as np
import torch

from binary import constant
from cases import COMPLEX, FLOATS, INTEGERS, NULL, TYPES, UNSIGNED, Cases, InOut, Out, Scalar, Tensor, Tensors, kind, values
from pairwise import beside_scalar, cast, promote

np.seterr(all="ignore")
INVALID, NULL_POINTER, NO_KERNEL = 161002, 161001, 561103

SMALL = ["f32", "f16", "bf16"]
REAL = [*FLOATS, *INTEGERS]


def wide(name):
    return np.float32 if name in SMALL else kind(name)


def turned(name, by, count=16):
    """The same values in another order, so that each meets others."""
    return np.roll(np.resize(values(name), count), by)


def choices(cases):
    types = [name for name in TYPES if not name.startswith("f8")]
    for name in types:
        for other in types:
            a, b = values(name)[:6][:, None], values(other)[:5][None, :]
            shape = (len(a), b.size)
            truth = np.resize(np.array([True, False, False]), shape)
            common = promote(name, other)
            if name in UNSIGNED and other in COMPLEX:
                common = other  # the library's table has these in this order alone
            if common is None:
                cases.add("SWhere", Tensor(truth), Tensor(a), Tensor(b), Out(np.zeros(shape, kind(name))), code=NO_KERNEL)
                continue
            cases.add("SWhere", Tensor(truth), Tensor(a), Tensor(b), Out(np.where(truth, cast(a, common), cast(b, common))))
    x, y = values("f32", 8), values("f32", 9)[:8]
    numbers = np.array([0, 1, 7, 255, 0, 2, 0, 3], np.uint8)
    cases.add("SWhere", Tensor(numbers), Tensor(x), Tensor(y), Out(np.where(numbers != 0, x, y)))
    # Whatever comes of it is cast to the output.
    x, y = np.array([1.5, -2.5, 3.0], np.float32), np.array([7, 8, 9], np.int8)
    truth = np.array([True, True, False])
    cases.add("SWhere", Tensor(truth), Tensor(x), Tensor(y), Out(np.array([1, -2, 9], np.int32)))
    # Three shapes, one element, eight axes, nothing.
    for first, second, third in [((3, 1), (1, 4), ()), ((), (1,), ()), ((2, 1, 1, 2, 1, 1, 1, 2), (1, 3, 1, 1, 2, 1, 1, 1), (1, 1)), ((0, 3), (3,), (1, 1))]:
        c = np.resize(np.array([True, False]), first)
        a, b = np.resize(np.arange(1, 13, dtype=np.float32), second), np.resize(-np.arange(1, 13, dtype=np.float32), third)
        cases.add("SWhere", Tensor(c), Tensor(a), Tensor(b), Out(np.where(c, a, b)))
    flags = values("bool")
    cases.add("SWhere", Tensor(flags), Tensor(flags), Tensor(~flags), Out(np.where(flags, flags, ~flags)))
    cases.add("SWhere", Tensor(flags), Tensor(flags), Tensor(~flags), Out(np.zeros(4, np.int32)), code=NO_KERNEL)
    i = values("i32")[:4]
    cases.add("SWhere", Tensor(i), Tensor(i), Tensor(i), Out(i), code=INVALID)
    cases.add("SWhere", Tensor(flags), Tensor(i), Tensor(i), Out(i[:3]), code=INVALID)
    cases.add("SWhere", Tensor(flags), Tensor(i), Tensor(i[:3]), Out(i), code=INVALID)
    cases.add("SWhere", NULL, Tensor(i), Tensor(i), Out(i), code=NULL_POINTER)


def sums(cases):
    types = [*FLOATS, "i8", "u8", "i32", "i64"]
    factors = [(0.5, "f32"), (1.0, "f32"), (np.nan, "f32"), (0.1, "f64"), (-3, "i64")]
    for index, name in enumerate(types):
        for other in types:
            common = promote(name, other)
            a, b, c = turned(name, 0), turned(other, 1), turned(name, 3)
            if common not in types:
                cases.add("Addcmul", Tensor(a), Tensor(b), Tensor(c), Scalar(1, "i32"), Out(np.zeros(16, np.int16)), code=INVALID)
                continue
            value, of = factors[(index + len(other)) % len(factors)]
            if common in INTEGERS:
                value, of = [(2.5, "f32"), (-3, "i64") if common != "u8" else (3, "i64")][index % 2]
            x, y, z = (cast(v, common).astype(wide(common)) for v in (a, b, c))
            factor = constant(value, of, common).astype(wide(common))
            if np.isnan(value) and common in [*SMALL, "i32"]:
                factor = np.ones(1, wide(common))
            made = (x + y * z * factor).astype(kind(common))
            cases.add("Addcmul", Tensor(a), Tensor(b), Tensor(c), Scalar(value, of), Out(made))
            if common == name:
                cases.add("InplaceAddcmul", InOut(a, made), Tensor(b), Tensor(c), Scalar(value, of))
    types = [*FLOATS, "i64"]
    for name in types:
        for other in types:
            common = promote(name, other)
            a, b, c = turned(name, 0), turned(other, 1), turned(name, 3)
            c = np.where(c == 0, 1, c).astype(c.dtype) if name == "i64" else c
            value, of = (3, "i64") if common == "i64" else (0.1, "f64")
            x, y, z = (cast(v, common).astype(wide(common)) for v in (a, b, c))
            factor = constant(value, of, common).astype(wide(common))
            if common == "i64":
                # Towards zero; the smallest number by -1 is not among them.
                quotient = np.array([int(n) // int(d) if (n < 0) == (d < 0) else -(-int(n) // int(d)) for n, d in zip(y, z)])
                made = x + quotient.astype(np.int64) * factor
            else:
                made = (x + y / z * factor).astype(kind(common))
            cases.add("Addcdiv", Tensor(a), Tensor(b), Tensor(c), Scalar(value, of), Out(made))
            if common == name:
                cases.add("InplaceAddcdiv", InOut(a, made), Tensor(b), Tensor(c), Scalar(value, of))
    x = values("f32")
    for operator in ["Addcmul", "Addcdiv"]:
        cases.add(operator, Tensor(x), Tensor(x), Tensor(x), Scalar(2, "f32"), Out(np.zeros(len(x), np.int32)), code=INVALID)
        cases.add(operator, Tensor(x), Tensor(x), Tensor(x[:3]), Scalar(2, "f32"), Out(x), code=INVALID)
        cases.add(operator, Tensor(x[:0]), Tensor(x[:1]), Tensor(x[:0]), Scalar(2, "f32"), Out(x[:0]))
        cases.add(operator, Tensor(x), Tensor(x), Tensor(x), NULL, Out(x), code=NULL_POINTER)
        for name in ["i16", "bool", "c64", "u16"]:
            y = values(name)[:4]
            cases.add(operator, Tensor(y), Tensor(y), Tensor(y), Scalar(2, "i32"), Out(y), code=INVALID)
    a, b, c = x[:, None][:5], x[None, 2:6], x[2:3]
    cases.add("Addcmul", Tensor(a), Tensor(b), Tensor(c), Scalar(0.5, "f32"), Out(a + b * c * np.float32(0.5)))


def between(start, end, weight):
    return np.where(weight < 0.5, start + weight * (end - start), end + (weight - 1) * (end - start)).astype(np.float32)


def lerps(cases):
    for name in SMALL:
        a, b = turned(name, 0, 24), turned(name, 5, 24)
        w = np.linspace(-0.5, 1.5, 24).astype(kind(name))
        x, y, z = (v.astype(np.float32) for v in (a, b, w))
        made = between(x, y, z).astype(kind(name))
        cases.add("Lerp", Tensor(a), Tensor(b), Tensor(w), Out(made))
        cases.add("InplaceLerp", InOut(a, made), Tensor(b), Tensor(w))
        for value, of in [(0.25, "f32"), (0.7, "f64"), (1, "i32")]:
            factor = constant(value, of, name).astype(np.float32)
            made = between(x, y, factor)
            cases.add("Lerps", Tensor(a), Tensor(b), Scalar(value, of), Out(made.astype(kind(name))))
            cases.add("InplaceLerps", InOut(a, made.astype(kind(name))), Tensor(b), Scalar(value, of))
            cases.add("Lerps", Tensor(a), Tensor(b), Scalar(value, of), Out(made.astype(kind(name)).astype(np.float64)))
        cases.add("Lerp", Tensor(a), Tensor(b), Tensor(w), Out(np.zeros(24)), code=INVALID)
    x, d, i = values("f32")[:4], values("f64")[:4], values("i32")[:4]
    cases.add("Lerp", Tensor(x), Tensor(d), Tensor(x), Out(x), code=INVALID)
    cases.add("Lerp", Tensor(d), Tensor(d), Tensor(d), Out(d), code=INVALID)
    cases.add("Lerps", Tensor(x), Tensor(x), Scalar(0.5, "f32"), Out(i), code=INVALID)
    cases.add("Lerp", Tensor(x[:, None]), Tensor(x[:3]), Tensor(x[:1]), Out(between(x[:, None], x[:3], x[:1])))


def comparisons(cases):
    for name in [*REAL, "bool"]:
        a = turned(name, 0, 24)
        b = np.concatenate([a[:8], turned(name, 1, 16)]) if name == "bool" else np.concatenate([a[:8], (a[8:16].astype(wide(name)) * np.ones(1, wide(name)) + 1).astype(kind(name)), turned(name, 1, 8)])
        single = np.float64 if name in ("f64", "i64") else np.float32
        for rtol, atol, equal_nan in [(1e-5, 1e-8, False), (1e-5, 1e-8, True), (0.5, 0.0, False), (0.0, -1.0, True)]:
            x, y = a.astype(single), b.astype(single)
            r, t = single(np.float32(rtol)), single(np.float32(atol))
            close = (x == y) | np.isfinite(y) & (np.abs(x - y) <= t + r * np.abs(y))
            close |= equal_nan & np.isnan(x) & np.isnan(y)
            cases.add("IsClose", Tensor(a), Tensor(b), rtol, atol, equal_nan, Out(close))
    x = values("f32")
    cases.add("IsClose", Tensor(x), Tensor(x), 0.0, 0.0, False, Out(x), code=NO_KERNEL)
    cases.add("IsClose", Tensor(x), Tensor(x.astype(np.float16)), 0.0, 0.0, False, Out(x > 0), code=INVALID)
    cases.add("IsClose", Tensor(values("c64")), Tensor(values("c64")), 0.0, 0.0, False, Out(np.zeros(6, np.bool_)), code=INVALID)
    cases.add("IsClose", Tensor(x[:0]), Tensor(x[:1]), 0.0, 0.0, False, Out(np.zeros(0, np.bool_)))

    yes, no = np.array([True]), np.array([False])
    for name in [*REAL, *UNSIGNED, "bool"]:
        x = values(name)
        x = x[x == x]
        changed = x.copy()
        changed[-1] = 0 if name in FLOATS else ~changed[-1]
        cases.add("Equal", Tensor(x), Tensor(x), Out(yes))
        cases.add("Equal", Tensor(x), Tensor(changed), Out(no))
    f, i = np.array([[0.0, 1.0], [2.0, 3.0]], np.float32), np.array([[0, 1], [2, 3]], np.int16)
    long = np.arange(9000, dtype=np.float32) % 64
    late = long.copy()
    late[8999] = 70
    many = [
        (f, i, yes), (f, i + np.int16(1), no), (f, -f, no), (np.float32([0.0]), np.float32([-0.0]), yes), (np.float32([np.nan]), np.float32([np.nan]), no),
        (f, f[0], no), (f[:1], f[:1, :1], no), (f[:0], f[:0], yes), (f[:0], f[:, :0], no), (np.float32(2), np.float32(2), yes), (long, long, yes), (long, late, no),
    ]
    for a, b, answer in many:
        cases.add("Equal", Tensor(a), Tensor(b), Out(answer))
    cases.add("Equal", Tensor(f), Tensor(f), Out(np.array(True)), code=INVALID)
    cases.add("Equal", Tensor(f), Tensor(f), Out(np.float32([1])), code=INVALID)
    cases.add("Equal", Tensor(values("c64")), Tensor(values("c64")), Out(yes), code=INVALID)
    cases.add("Equal", Tensor(values("u16")), Tensor(values("i16")), Out(yes), code=INVALID)

    for name in REAL:
        x = values(name)
        for value, of in [(1, "i32"), (2.5, "f32"), (300, "i64")]:
            common = beside_scalar(name, of)
            number = constant(value, of, common)
            same = cast(x, common) == number
            for invert in [False, True]:
                cases.add("IsInTensorScalar", Tensor(x), Scalar(value, of), False, invert, Out(same != invert))
                cases.add("IsInScalarTensor", Scalar(value, of), Tensor(x), True, invert, Out(np.array(same.any() != invert)))
    cases.add("IsInScalarTensor", Scalar(1, "i32"), Tensor(x[:0]), False, True, Out(yes))
    cases.add("IsInTensorScalar", Tensor(x), Scalar(1, "i32"), False, False, Out(x), code=INVALID)
    cases.add("IsInScalarTensor", Scalar(1, "i32"), Tensor(x), False, False, Out(np.zeros(2, np.bool_)), code=INVALID)


def lists(cases):
    for operator, function in {"MaxN": np.maximum, "MinN": np.minimum}.items():
        for name in REAL:
            a, b, c = turned(name, 0), turned(name, 1), turned(name, 3)
            cases.add(operator, Tensors(Tensor(a), Tensor(b), Tensor(c)), Out(function(function(a, b), c)))
        i, f, h = turned("i8", 0), turned("f32", 1), turned("f16", 2)
        made = function(function(i.astype(np.float32), f), h.astype(np.float32))
        cases.add(operator, Tensors(Tensor(i), Tensor(f), Tensor(h)), Out(made))
        cases.add(operator, Tensors(Tensor(f)), Out(f))
        several = [turned("f32", by) for by in range(7)]
        cases.add(operator, Tensors(*map(Tensor, several)), Out(function.reduce(several)))
        cases.add(operator, Tensors(Tensor(f[:4, None]), Tensor(f[None, :3])), Out(function(f[:4, None], f[None, :3])))
        cases.add(operator, Tensors(Tensor(f), NULL), Out(f), code=NULL_POINTER)
        cases.add(operator, Tensors(Tensor(f)), Out(i), code=INVALID)
        cases.add(operator, Tensors(Tensor(values("c64"))), Out(values("c64")), code=INVALID)
    for name in SMALL:
        a = turned(name, 0)
        b = np.where(np.arange(len(a)) % 2 == 0, a + np.array(0.25, kind(name)), turned(name, 3)).astype(kind(name))
        close = np.abs(a.astype(np.float32) - b.astype(np.float32)) < np.float32(0.5)
        cases.add("ApproximateEqual", Tensor(a), Tensor(b), 0.5, Out(close))
        cases.add("ApproximateEqual", Tensor(a), Tensor(b), 0.5, Out(a), code=INVALID)
    f, h = turned("f32", 0), turned("f16", 0)
    cases.add("ApproximateEqual", Tensor(f), Tensor(h), 0.5, Out(f == f), code=INVALID)
    cases.add("ApproximateEqual", NULL, Tensor(f), 0.5, Out(f == f), code=NULL_POINTER)
    for operator in ["AddN", "Sum", "SumV2"]:
        for name in [*REAL, *COMPLEX]:
            a, b, c = turned(name, 0), turned(name, 1), turned(name, 3)
            # Halves are added in f32 and rounded once, the others as they come.
            x, y, z = (v if name in COMPLEX else v.astype(wide(name)) for v in (a, b, c))
            cases.add(operator, Tensors(Tensor(a), Tensor(b), Tensor(c)), Out((x + y + z).astype(kind(name))))
        i, f, h = turned("i8", 0), turned("f32", 1), turned("f16", 2)
        cases.add(operator, Tensors(Tensor(i), Tensor(f), Tensor(h)), Out(i.astype(np.float32) + f + h.astype(np.float32)))
        cases.add(operator, Tensors(Tensor(f)), Out(f))
        cases.add(operator, Tensors(Tensor(f[:4, None]), Tensor(f[None, :3])), Out(f[:4, None] + f[None, :3]))
        cases.add(operator, Tensors(Tensor(f), NULL), Out(f), code=NULL_POINTER)
        cases.add(operator, Tensors(Tensor(f)), Out(i), code=INVALID)
        cases.add(operator, Tensors(Tensor(f > 0)), Out(f > 0), code=INVALID)
    for name, made in [("f32", np.complex64), ("f64", np.complex128)]:
        a, b = turned(name, 0)[:, None], turned(name, 1)[None, :5]
        z = np.empty((16, 5), made)
        z.real, z.imag = a, b
        cases.add("Complex", Tensor(a), Tensor(b), Out(z))
        cases.add("Complex", Tensor(a), Tensor(b), Out(z.real.copy()), code=INVALID)
        # By NumPy's cosine and sine in f64.
        z.real, z.imag = (a.astype(np.float64) * np.cos(b.astype(np.float64))), (a.astype(np.float64) * np.sin(b.astype(np.float64)))
        cases.add("Polar", Tensor(a), Tensor(b), Out(z, 4 if name == "f64" else 1))
        cases.add("Polar", Tensor(a), Tensor(b), Out(z.real.copy()), code=INVALID)
    cases.add("Polar", Tensor(values("f16")), Tensor(values("f16")), Out(np.zeros(21, np.complex64)), code=INVALID)
    cases.add("Complex", Tensor(values("f32")), Tensor(values("f64")), Out(np.zeros(21, np.complex64)), code=INVALID)


def spaced(cases):
    for name in FLOATS:
        for start, end, steps, base in [(0, 3, 4, 10.0), (-1, 2, 7, 2.0), (2, -2, 5, 0.5), (1, 9, 1, 3.0), (0, 1, 0, 2.0)]:
            y = np.logspace(start, end, steps, base=base).astype(kind(name))
            cases.add("LogSpace", Scalar(start, "f32"), Scalar(end, "i64"), steps, base, Out(y, 4 if name == "f64" else 1))
    y = np.zeros(4, np.float32)
    cases.add("LogSpace", Scalar(0, "f32"), Scalar(1, "f32"), 3, 2.0, Out(y), code=INVALID)
    cases.add("LogSpace", Scalar(0, "f32"), Scalar(1, "f32"), 4, 2.0, Out(y.astype(np.int32)), code=INVALID)
    cases.add("LogSpace", Scalar(0, "c64"), Scalar(1, "f32"), 4, 2.0, Out(y), code=INVALID)
    cases.add("LogSpace", NULL, Scalar(1, "f32"), 4, 2.0, Out(y), code=NO_KERNEL)


def others(cases):
    product = "Ascend950"
    for name in ["f32", "f16", "bf16", "i32", "i64"]:
        x = values(name)
        made = (x.astype(wide(name)) * x.astype(wide(name))).astype(kind(name))
        cases.add("Square", Tensor(x), Out(made), product=product)
        cases.add("Square", Tensor(x), Out(made), code=INVALID)
    for name in ["f32", "f16", "bf16", "i8", "i32"]:
        x = values(name)
        two, half = (cast(np.array([v], np.float32), name).astype(wide(name)) for v in (2, 3))
        made = (two + x.astype(wide(name)) * half).astype(kind(name))
        cases.add("AddV3", Scalar(2, "i32"), Tensor(x), Scalar(3, "i32"), Out(made), product=product)
        cases.add("InplaceAddV3", Scalar(2, "i32"), InOut(x, made), Scalar(3, "i32"), product=product)
        cases.add("AddV3", Scalar(2, "i32"), Tensor(x), Scalar(3, "i32"), Out(made), code=INVALID)
    for name in [*INTEGERS, "u16", "bool"]:
        x, y = turned(name, 0), turned(name, 3)
        cases.add("BitwiseAndTensorOut", Tensor(x), Tensor(y), Out(x & y), product=product)
        cases.add("InplaceBitwiseAndTensorOut", InOut(x, x & y), Tensor(y), product=product)
        cases.add("BitwiseAndTensorOut", Tensor(x), Tensor(y), Out(x & y), code=INVALID)
    # The product and the sum are one instruction there.
    a, near = np.float32([-1, 1, 0.1]), np.float32(1 + 2**-12)
    b = np.float32([near, 3, 0.7])
    made = (a.astype(np.float64) + (b * b).astype(np.float64) * np.float64(near)).astype(np.float32)
    cases.add("Addcmul", Tensor(a), Tensor(b), Tensor(b), Scalar(near, "f32"), Out(made), product=product)
    # In f64 this sum would be rounded twice: 24929 · 673 + 2⁻³⁰ is just above a tie.
    exact = np.float32(16777218)
    assert Fraction(24929) * 673 + Fraction(1, 2**30) > Fraction(16777216 + 16777218, 2)
    tie = [Tensor(np.float32([value])) for value in (2**-30, 24929, 1)]
    cases.add("Addcmul", *tie, Scalar(673, "f32"), Out(np.float32([exact])), product=product)
    # There value and weight keep their digits.
    x = turned("f16", 0)
    tenth = np.float32(0.1)
    wide_x = x.astype(np.float32)
    cases.add("Addcmul", Tensor(x), Tensor(x), Tensor(x), Scalar(0.1, "f32"), Out((wide_x + wide_x * wide_x * tenth).astype(np.float16)), product=product)
    cases.add("Lerps", Tensor(x), Tensor(x[::-1]), Scalar(0.1, "f32"), Out(between(wide_x, wide_x[::-1], tenth).astype(np.float16)), product=product)


def rectified(cases):
    """CANN does not describe it: as Add with the negative results cut off, which is PyTorch's function of this name."""
    for name in REAL:
        x, y, alpha = turned(name, 0), turned(name, 3), np.array(2).astype(wide(name))
        made = x.astype(wide(name)) + y.astype(wide(name)) * alpha
        made = np.where(made < 0, np.zeros_like(made), made).astype(kind(name))
        if name in ["f32", "f64", "i32", "i64"]:
            assert np.array_equal(torch._add_relu(torch.from_numpy(x.copy()), torch.from_numpy(y.copy()), alpha=2).numpy(), made, equal_nan=name[0] == "f")
        cases.add("AddRelu", Tensor(x), Tensor(y), Scalar(2, "i32"), Out(made))
        cases.add("InplaceAddRelu", InOut(x, made), Tensor(y), Scalar(2, "i32"))
    for name, other in [("f16", "f32"), ("i8", "f16"), ("u8", "i16")]:
        x, y, common = values(name, special=False)[:3], values(other, special=False)[:3, None], promote(name, other)
        made = cast(x, common).astype(wide(common)) - cast(y, common).astype(wide(common))
        cases.add("AddRelu", Tensor(x), Tensor(y), Scalar(-1, "i32"), Out(np.where(made < 0, np.zeros_like(made), made).astype(kind(common))))
    x = values("f32", 6)
    good = [Tensor(x), Tensor(x), Scalar(1, "f32"), Out(x)]
    for position, argument, code in [
        (0, NULL, NULL_POINTER), (1, NULL, NULL_POINTER), (2, NULL, NULL_POINTER), (3, NULL, NULL_POINTER), (0, Tensor(x > 0), INVALID), (1, Tensor(x[:4]), INVALID),
        (3, Out(x[:4]), INVALID), (3, Out(x.astype(np.int32)), INVALID), (2, Scalar(1, "c64"), INVALID),
    ]:
        arguments = list(good)
        arguments[position] = argument
        cases.add("AddRelu", *arguments, code=code)


def main():
    cases = Cases()
    rectified(cases)
    choices(cases)
    sums(cases)
    lerps(cases)
    comparisons(cases)
    lists(cases)
    spaced(cases)
    others(cases)
    cases.write("n_ary")


if __name__ == "__main__":
    main()
