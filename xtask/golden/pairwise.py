"""Cases of comparisons, operations on bits and truth values, and extremes, by NumPy.

References: NumPy.
Writes cann-stubs/tests/data/pairwise.cases. Promotion and lists of types are retyped here from CANN's public description
and not read from the declarations.

    python xtask/golden/pairwise.py
"""

import numpy as np

from arithmetic import library
from cases import COMPLEX, FLOATS, INTEGERS, TYPES, UNSIGNED, Cases, InOut, Out, Scalar, Tensor, kind, values

np.seterr(all="ignore")
INVALID = 161002

B12 = [*FLOATS, *INTEGERS, "bool", *COMPLEX]
REAL = [*FLOATS, *INTEGERS, "bool"]
BITS = [*INTEGERS, "bool"]


def promote(a, b):
    """CANN's promotion; None where it has none. Unsigned integers of more than a byte promote with themselves alone."""
    if a == b:
        return a
    return None if a in UNSIGNED or b in UNSIGNED else library(a, b)


def beside_scalar(tensor, scalar):
    """The type in which a tensor is compared with a scalar, before the 950."""
    if tensor in COMPLEX or tensor in FLOATS and scalar not in COMPLEX:
        return tensor
    if tensor == "bool" or scalar in FLOATS or scalar in COMPLEX:
        return promote(tensor, scalar)
    return tensor


def cast(x, name):
    """As Cast does: integers become halves by way of f32."""
    if name in ("f16", "bf16") and x.dtype.kind in "iub":
        x = x.astype(np.float32)
    return x.astype(kind(name))


def truth(x):
    """As Cast to bool does it: a complex number by its real part."""
    return x.real != 0


COMPARISONS = {
    "Eq": (np.equal, B12),
    "Ne": (np.not_equal, B12),
    "Lt": (np.less, [*REAL, *UNSIGNED]),
    "Le": (np.less_equal, [*REAL, "u16"]),
    "Gt": (np.greater, [*REAL, *UNSIGNED]),
    "Ge": (np.greater_equal, [*FLOATS, *INTEGERS, *UNSIGNED]),
}
BITWISE = {
    "BitwiseAnd": (np.bitwise_and, [*BITS, "u16"]),
    "BitwiseOr": (np.bitwise_or, [*BITS, *UNSIGNED]),
    "BitwiseXor": (np.bitwise_xor, BITS),
}
EXTREMES = {"Maximum": (np.maximum, REAL), "Minimum": (np.minimum, REAL)}
LOGICAL = {"LogicalAnd": np.logical_and, "LogicalOr": np.logical_or, "LogicalXor": np.logical_xor}


def grid(name, other):
    """Every value of one type beside every value of the other, at most twelve of each."""
    a, b = values(name)[:12], values(other)[:12]
    return a[:, None], b[None, :]


def main():
    cases = Cases()
    for operator, (function, types) in [*COMPARISONS.items(), *BITWISE.items(), *EXTREMES.items()]:
        form = operator if operator in EXTREMES else operator + "Tensor"
        for name in types:
            for other in types:
                a, b = grid(name, other)
                common = promote(name, other)
                if common is None or common not in types:
                    cases.add(form, Tensor(a), Tensor(b), Out(np.zeros((len(a), b.size), kind(name))), code=INVALID)
                    continue
                y = function(cast(a, common), cast(b, common))
                cases.add(form, Tensor(a), Tensor(b), Out(y))
                if name == other and operator not in EXTREMES:
                    x = np.resize(a, y.shape)
                    in_place = function(x, b).astype(kind(name))
                    cases.add("Inplace" + form, InOut(x, in_place), Tensor(b))
        for name in sorted(set(TYPES) - set(types) - {"f8e4m3fn"}):
            x = values(name)[:4]
            cases.add(form, Tensor(x), Tensor(x), Out(np.zeros(len(x), np.bool_)), code=INVALID)
        if operator in EXTREMES:
            continue
        form = operator + "Scalar"
        for name in types:
            for other, value in [("i64", 2), ("i32", -1), ("f32", 2.5), ("f64", 0.1), ("bool", True), ("c64", 1 + 0j)]:
                x = values(name)[:12]
                common = promote(name, other) if operator in BITWISE else beside_scalar(name, other)
                if common is None or common not in types:
                    cases.add(form, Tensor(x), Scalar(value, other), Out(np.zeros(len(x), np.bool_)), code=INVALID)
                    continue
                scalar = np.array([value]).astype(kind(other))
                scalar = scalar.real if other in COMPLEX and common not in COMPLEX else scalar
                if common in INTEGERS + UNSIGNED and other in FLOATS:
                    continue
                y = function(cast(x, common), cast(scalar, common))
                cases.add(form, Tensor(x), Scalar(value, other), Out(y))
                if common == name:
                    cases.add("Inplace" + form, InOut(x, y.astype(kind(name))), Scalar(value, other))
    for operator, function in LOGICAL.items():
        for name in B12:
            for other in B12:
                a, b = grid(name, other)
                y = function(truth(a), truth(b))
                cases.add(operator, Tensor(a), Tensor(b), Out(y))
                if name == other and operator != "LogicalXor":
                    x = np.resize(a, y.shape)
                    in_place = function(truth(x), truth(b)).astype(kind(name))
                    cases.add("Inplace" + operator, InOut(x, in_place), Tensor(b))
        cases.add(operator, Tensor(values("f32")), Tensor(values("f32")), Out(function(values("f32"), values("f32")).astype(np.float16)))
    for name in [*FLOATS, *INTEGERS, "bool"]:
        for other in ["f32", name]:
            a, b = grid(name, other)
            common = promote(name, other)
            common = common if common in FLOATS else "f32"
            wide = np.arctan2(cast(a, common).astype(np.float64), cast(b, common).astype(np.float64))
            ulps = 4 if common == "f64" else 1
            cases.add("Atan2", Tensor(a), Tensor(b), Out(wide.astype(kind(common)), ulps))
            if name == other == common:
                x = np.resize(a, wide.shape)
                in_place = np.arctan2(x.astype(np.float64), b.astype(np.float64)).astype(kind(name))
                cases.add("InplaceAtan2", InOut(x, in_place, ulps), Tensor(b))
    # Whatever the type of the output is, the angle is cast to it.
    x, y = np.float32([1, -1, 0]), np.float32([-0.0, -1, -2])
    cases.add("Atan2", Tensor(x), Tensor(y), Out(np.trunc(np.arctan2(x, y)).astype(np.int32)))
    cases.add("InplaceAtan2", InOut(np.int8([1, -1, 0]), np.int8([1, -2, 3])), Tensor(y))
    # The 950 converts operands to the output first, unless both have one type whose numbers it holds.
    for operator, (function, _) in EXTREMES.items():
        for a, b, out in [("i32", "i32", "i8"), ("u8", "u8", "i8"), ("i16", "i16", "i32"), ("i32", "f32", "f64"), ("i8", "i32", "u8"), ("f32", "f32", "f16")]:
            x, y = grid(a, b)
            kept = a == b and (a, out) not in [("i32", "i8"), ("u8", "i8")]
            late = cast(function(cast(x, promote(a, b)), cast(y, promote(a, b))), out)
            cases.add(operator, Tensor(x), Tensor(y), Out(late if kept else function(cast(x, out), cast(y, out))), product="Ascend950")
            cases.add(operator, Tensor(x), Tensor(y), Out(late))
    # Beside a scalar bool is ordered too.
    flags = values("bool")
    for product in ["Ascend950", "Ascend910B"]:
        cases.add("GeScalar", Tensor(flags), Scalar(True, "bool"), Out(flags >= True), product=product)
        cases.add("InplaceGeScalar", InOut(flags, flags >= False), Scalar(False, "bool"), product=product)
        cases.add("GeTensor", Tensor(flags), Tensor(flags), Out(flags), product=product, code=INVALID)
    # Results of other types, shapes that do not fit, nothing.
    x, y = values("f32"), values("f32")[::-1]
    cases.add("EqTensor", Tensor(x), Tensor(y), Out((x == y).astype(np.complex64)))
    cases.add("LtTensor", Tensor(x), Tensor(y), Out((x < y).astype(np.float16)))
    cases.add("Maximum", Tensor(x), Tensor(y), Out(np.maximum(x, y).astype(np.float16)))
    cases.add("Maximum", Tensor(x), Tensor(y), Out(np.zeros(len(x), np.int32)), code=INVALID)
    cases.add("BitwiseAndTensor", Tensor(values("i32")), Tensor(values("i32")), Out(values("i32").astype(np.float32)))
    cases.add("EqTensor", Tensor(x[:3]), Tensor(x[:4]), Out(np.zeros(3, np.bool_)), code=INVALID)
    cases.add("EqTensor", Tensor(x[:0]), Tensor(x[:0]), Out(np.zeros(0, np.bool_)))
    cases.write("pairwise")


if __name__ == "__main__":
    main()
