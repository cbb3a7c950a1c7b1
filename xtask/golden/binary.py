"""Cases of whole quotients, remainders, powers, shifts and their kin, by NumPy and PyTorch.

References: NumPy, PyTorch.
Writes cann-stubs/tests/data/binary.cases. Promotion, lists of types and the special cases of the Ascend910B are retyped
here from CANN's public description and not read from the declarations. What that leaves open (the types of Fmod, Remainder
and XLogY, shifts by more bits than a type has) is as in PyTorch.

    python xtask/golden/binary.py
"""

import numpy as np
import torch

from cases import COMPLEX, FLOATS, INTEGERS, TYPES, UNSIGNED, Cases, InOut, Out, Scalar, Tensor, kind, values
from pairwise import cast, promote

np.seterr(all="ignore")
INVALID, NULL_POINTER = 161002, 161001

REAL = [*FLOATS, *INTEGERS]
B12 = [*REAL, "bool", *COMPLEX]
SMALL = ["f32", "f16", "bf16"]


def grid(name, other, nonzero=False):
    """Every value of one type beside every value of the other, at most twelve of each."""
    a, b = values(name)[:12], values(other)[:12]
    if nonzero and other not in FLOATS:
        b = b[b != 0]
    return a[:, None], b[None, :]


def wide(name):
    """The type in which a float type is computed."""
    return np.float32 if name in SMALL else kind(name)


def has_quotient(a, b):
    """Whether no integer is the smallest one divided by -1."""
    return ~((a == np.iinfo(a.dtype).min) & (b == a.dtype.type(-1 if a.dtype.kind == "i" else 0)))


def floor_divide(a, b, name):
    if name in FLOATS:
        return np.floor(a.astype(wide(name)) / b.astype(wide(name))).astype(kind(name))
    return np.floor_divide(a, b)


def fmod(a, b, name):
    return np.fmod(a.astype(wide(name)), b.astype(wide(name))).astype(kind(name))


def remainder(a, b, name):
    a, b = (torch.from_numpy(np.array(x.astype(wide(name)))) for x in np.broadcast_arrays(a, b))
    return torch.remainder(a, b).numpy().astype(kind(name))


def xlogy(a, b, name):
    a, b = (torch.from_numpy(np.array(x.astype(np.float64))) for x in np.broadcast_arrays(a, b))
    return torch.xlogy(a, b).numpy().astype(wide(name)).astype(kind(name))


def whole_power(base, exponent, name):
    bits = 8 * np.dtype(kind(name)).itemsize
    if exponent < 0:
        power = {1: 1, -1: 1 - 2 * (exponent % 2)}.get(base, 0)
    else:
        power = pow(base, exponent, 2**bits)
    power %= 2**bits
    return power - 2**bits if name != "u8" and power >= 2 ** (bits - 1) else power


def power(a, b, name):
    # One exponent for all would take NumPy's short cuts.
    a, b = (np.array(x) for x in np.broadcast_arrays(a, b))
    if name in COMPLEX:
        return np.power(a.astype(np.complex128), b.astype(np.complex128)).astype(kind(name))
    if name in FLOATS:
        return np.power(a.astype(np.float64), b.astype(np.float64)).astype(wide(name)).astype(kind(name))
    return np.array([whole_power(int(x), int(y), name) for x, y in zip(a.ravel(), b.ravel())], kind(name)).reshape(a.shape)


def ulps(name):
    return {"c128": 256, "c64": 2, "f64": 2}.get(name, 1)


def lighter(tensor, scalar, out=None):
    """The type of a tensor beside a scalar before the 950."""
    if tensor in COMPLEX or scalar in COMPLEX:
        return promote(tensor, scalar)
    if tensor in FLOATS:
        return tensor
    if scalar == "f64" and out == "f32":
        return "f32"
    return promote(tensor, scalar) if scalar in FLOATS or tensor == "bool" else tensor


def exponent_type(base, exponent, out=None):
    if exponent == "f64" and out == "f32":
        return "f32"
    if exponent in COMPLEX:
        return promote(base, exponent)
    if base in FLOATS:
        return base
    return promote(base, exponent) if exponent in FLOATS or base == "bool" else base


def base_type(base, exponent, out=None):
    if exponent == "f64" and out == "f32":
        return "f32"
    if base in COMPLEX:
        return promote(exponent, base)
    if exponent in FLOATS:
        return exponent
    return promote(exponent, base) if base in FLOATS or exponent == "bool" else exponent


def constant(value, name, common):
    """A scalar in another type, as the library converts it on the host."""
    scalar = np.array([value]).astype(kind(name))
    if name in COMPLEX and common not in COMPLEX:
        return np.zeros(1, kind(common))
    return scalar.astype(np.float32).astype(kind(common)) if common == "bf16" else scalar.astype(kind(common))


def refused(from_, to):
    """Whether the library does not convert a result by itself."""
    return from_ in COMPLEX and to not in COMPLEX or from_ in FLOATS and to in INTEGERS + UNSIGNED or from_ != "bool" and to == "bool"


SPECIAL = {
    3.0: lambda x: x * (x * x),
    -1.0: lambda x: 1 / x,
    -2.0: lambda x: 1 / (x * x),
    0.5: np.sqrt,
    -0.5: lambda x: 1 / np.sqrt(x),
}
SCALARS = [("i64", 3), ("i32", -2), ("f32", 2.5), ("f64", 0.1), ("bool", True), ("c64", 1 + 0j), ("u16", 7)]


def quotients(cases):
    functions = {
        "FloorDivide": (floor_divide, [*REAL, "bool"], True),
        "FmodTensor": (fmod, REAL, True),
        "RemainderTensorTensor": (remainder, REAL, True),
        "XLogYTensor": (xlogy, [*REAL, "bool"], False),
    }
    for operator, (function, types, divides) in functions.items():
        for name in types:
            for other in types:
                common = promote(name, other)
                common = "f32" if common == "bool" or operator.startswith("XLogY") and common not in FLOATS else common
                a, b = grid(name, other, divides and common not in FLOATS)
                x, y = cast(a, common), cast(b, common)
                if divides and common in INTEGERS:
                    a, b = np.broadcast_arrays(a, b)
                    x, y = np.broadcast_arrays(x, y)
                    keep = has_quotient(x, y) & (y != 0)
                    a, b, x, y = a[keep], b[keep], x[keep], y[keep]
                made = function(x, y, common)
                near = (2 if common == "f64" else 1) if operator.startswith("XLogY") else 0
                cases.add(operator, Tensor(a), Tensor(b), Out(made, near))
                if name == other and not refused(common, name):
                    before = np.broadcast_to(a, made.shape)
                    cases.add("Inplace" + operator, InOut(before, made.astype(kind(name)), near), Tensor(b))
        for name in sorted(set(TYPES) - set(types) - {"f8e4m3fn"}):
            x = values(name)[1:4]
            cases.add(operator, Tensor(x), Tensor(x), Out(np.zeros(len(x), np.float32)), code=INVALID)
    for operator, (function, types, by_tensor) in {
        "FloorDivides": (floor_divide, [*REAL, "bool"], True),
        "FmodScalar": (fmod, REAL, False),
        "RemainderTensorScalar": (remainder, REAL, False),
        "RemainderScalarTensor": (remainder, REAL, False),
        "XLogYScalarOther": (xlogy, [*REAL, "bool"], False),
        "XLogYScalarSelf": (xlogy, [*REAL, "bool"], False),
    }.items():
        is_first = operator in ("RemainderScalarTensor", "XLogYScalarSelf")
        for name in types:
            for other, value in SCALARS:
                common = promote(name, other) if by_tensor else lighter(name, other)
                x = values(name)[:12]
                order = lambda tensor, scalar: (scalar, tensor) if is_first else (tensor, scalar)
                if common is None or common not in types:
                    cases.add(operator, *order(Tensor(x), Scalar(value, other)), Out(np.zeros(len(x), np.float32)), code=INVALID)
                    continue
                common = "f32" if common == "bool" or operator.startswith("XLogY") and common not in FLOATS else common
                if common in INTEGERS and is_first and operator.startswith("Rem"):
                    x = x[x != 0]
                made = function(*order(cast(x, common), constant(value, other, common)), common)
                near = (2 if common == "f64" else 1) if operator.startswith("XLogY") else 0
                cases.add(operator, *order(Tensor(x), Scalar(value, other)), Out(made, near))
                if not is_first and common == name:
                    cases.add("Inplace" + operator, InOut(x, made, near), Scalar(value, other))
    # Before the 950 FloorDivide converts its result to any output, the others do not.
    x, y = values("f32", 30), values("f32", 31, low=1)[:30]
    finite = np.isfinite(x) & (np.abs(y) > 0.01) & np.isfinite(y) & (np.abs(x) < 1e4)
    x, y = x[finite], y[finite]
    cases.add("FloorDivide", Tensor(x), Tensor(y), Out(np.floor(x / y).astype(np.int32)))
    cases.add("FmodTensor", Tensor(x), Tensor(y), Out(np.zeros(len(x), np.int32)), code=INVALID)
    cases.add("FloorDivide", Tensor(x[:0]), Tensor(y[:0]), Out(x[:0]))
    cases.add("FloorDivide", Tensor(x[:3]), Tensor(y[:4]), Out(x[:3]), code=INVALID)
    cases.add("FloorDivide", Tensor(x[:3]), Tensor(y[:3]), Out(x[:4]), code=INVALID)


def saturated(x, name):
    """Floats as integers: by way of 32 or 64 bits, which saturate, and then the low bits."""
    between = np.int64 if name == "i64" else np.int32
    limits = np.iinfo(between)
    low, high = x.astype(np.float64) <= limits.min, x.astype(np.float64) >= limits.max
    whole = np.where(low | high, 0, x).astype(between)
    return np.where(high, limits.max, np.where(low, limits.min, whole)).astype(kind(name))


def modes(cases):
    types = [*REAL, "bool"]
    for name in types:
        for other in types:
            common = promote(name, other)
            a, b = np.broadcast_arrays(*grid(name, other))
            if common not in FLOATS:
                keep = cast(b, common) != 0
                a, b = a[keep], b[keep]
            x, y = cast(a, common), cast(b, common)
            if common in SMALL:
                towards = np.trunc(x.astype(np.float32) / y.astype(np.float32)).astype(kind(common))
            elif name == other == "i32":
                keep = has_quotient(x, y)
                a, b, x, y = a[keep], b[keep], x[keep], y[keep]
                towards = (np.sign(x.astype(np.int64)) * np.sign(y.astype(np.int64)) * (np.abs(x.astype(np.int64)) // np.abs(y.astype(np.int64)))).astype(np.int32)
            else:
                towards = np.trunc(a.astype(np.float32) / b.astype(np.float32))
                if common in INTEGERS:
                    towards = saturated(towards, common)
                elif common == "f64":
                    towards = towards.astype(np.float64)
            cases.add("DivMod", Tensor(a), Tensor(b), 1, Out(towards))
            if common in INTEGERS:
                keep = has_quotient(x, y)
                a, b, x, y = a[keep], b[keep], x[keep], y[keep]
            below = "f32" if common == "bool" else common
            made = floor_divide(cast(x, below), cast(y, below), below)
            cases.add("DivMod", Tensor(a), Tensor(b), 2, Out(made))
            cases.add("DivV3", Tensor(a), Tensor(b), 2, Out(made))
            if name == other and common != "bool":
                cases.add("InplaceDivMod", InOut(a, made), Tensor(b), 2)
    for name in ["f32", "f16", "i32"]:
        x = values(name)[:12]
        result = np.float16 if name == "f16" else np.float32
        third = np.float32(3)
        cases.add("DivMod", Tensor(x), Tensor(values(name)[2:3]), 0, Out((x.astype(np.float32) / values(name)[2].astype(np.float32)).astype(result)))
        cases.add("DivMods", Tensor(x), Scalar(3, "f32"), 1, Out(np.trunc(x.astype(np.float32) / third).astype(result)))
        cases.add("DivMods", Tensor(x), Scalar(3, "f32"), 2, Out(np.floor(x.astype(np.float32) / third).astype(result)))
    x = values("i64")
    cases.add("DivMods", Tensor(x), Scalar(3, "i32"), 2, Out(x // 3))
    cases.add("InplaceDivMods", InOut(x, x // 3), Scalar(3, "i32"), 2)
    x = values("f32")
    for mode in [-1, 3]:
        cases.add("DivMod", Tensor(x), Tensor(x), mode, Out(x), code=INVALID)
    for mode in [1, 2]:
        cases.add("DivMod", Tensor(values("c64")), Tensor(values("c64")), mode, Out(values("c64")), code=INVALID)
    cases.add("DivMod", Tensor(x), Tensor(x), 2, Out(x.astype(np.int32)), code=INVALID)


def powers(cases):
    for name in B12:
        for other in B12:
            a, b = grid(name, other)
            common = promote(name, other)
            if common in COMPLEX and other in INTEGERS:
                # NumPy multiplies, which differs more and more.
                b = b[np.abs(b.astype(np.float64)) < 8][None, :]
            if common == "bool":
                cases.add("PowTensorTensor", Tensor(a), Tensor(b), Out(np.zeros((len(a), b.size), np.bool_)), code=INVALID)
                continue
            made = power(cast(a, common), cast(b, common), common)
            cases.add("PowTensorTensor", Tensor(a), Tensor(b), Out(made, ulps(common)))
            if name == other:
                cases.add("InplacePowTensorTensor", InOut(np.broadcast_to(a, made.shape), made, ulps(common)), Tensor(b))
    for name in UNSIGNED:
        x = values(name)
        cases.add("PowTensorTensor", Tensor(x), Tensor(x), Out(x), code=INVALID)
    numbers = [("i64", 2), ("i32", 3), ("f32", 1.0), ("f32", 0.5), ("f64", -0.5), ("f32", -1.0), ("f64", -2.0), ("f32", 2.5), ("i32", -1), ("bool", True), ("c64", 2 + 0j), ("f64", 0.1), ("f64", 2.0), ("u16", 2)]
    for name in B12:
        x = values(name)
        for other, value in numbers:
            common, as_tensors = exponent_type(name, other), promote(name, other)
            if common in (None, "bool") or as_tensors is None or refused(as_tensors, common):
                cases.add("PowTensorScalar", Tensor(x), Scalar(value, other), Out(np.zeros(len(x), kind(common or "f32"))), code=INVALID)
                continue
            base, real = cast(x, common), np.float32(value if not isinstance(value, complex) else 0)
            near = ulps(common)
            if real == 1:
                made = base
            elif real == 2 and common in ("i8", "u8", "i16"):
                made = (base.astype(np.int32) * base.astype(np.int32)).astype(kind(common))
            elif real == 2 and common not in SMALL:
                made = base * base
            elif common in SMALL and (real == 2 or float(real) in SPECIAL):
                single = base.astype(np.float32)
                made, near = (single * single if real == 2 else SPECIAL[float(real)](single)).astype(kind(common)), 0
            else:
                made = power(base, constant(value, other, common), common)
            cases.add("PowTensorScalar", Tensor(x), Scalar(value, other), Out(made, near))
            if common == name:
                cases.add("InplacePowTensorScalar", InOut(x, made, near), Scalar(value, other))
        for other, value in [("i64", 3), ("f32", 2.5), ("f64", 0.1), ("bool", True), ("c64", 1 + 1j)]:
            x = values(name)[:12]
            common, as_tensors = base_type(other, name), promote(other, name)
            if common in (None, "bool") or as_tensors is None or refused(as_tensors, common):
                cases.add("PowScalarTensor", Scalar(value, other), Tensor(x), Out(np.zeros(len(x), kind(common or "f32"))), code=INVALID)
                continue
            made = power(constant(value, other, common), cast(x, common), common)
            cases.add("PowScalarTensor", Scalar(value, other), Tensor(x), Out(made, ulps(common)))
    # A square of a small integer is computed in i32, whatever the output.
    u = np.array([200, 3], np.uint8)
    cases.add("PowTensorScalar", Tensor(u), Scalar(2, "i64"), Out(np.array([40000, 9], np.int32)))
    cases.add("PowTensorScalar", Tensor(u), Scalar(2, "i64"), Out(np.array([64, 9], np.uint8)))
    x = np.array([-np.inf, -0.0], np.float32)
    cases.add("PowTensorScalar", Tensor(x), Scalar(0.5, "f32"), Out(np.array([np.nan, -0.0], np.float32)))
    i = values("i32")
    cases.add("PowTensorScalar", Tensor(i), Scalar(0.5, "f32"), Out(i), code=INVALID)
    cases.add("PowTensorScalar", Tensor(i), Scalar(2.5, "f64"), Out(power(i, np.array([2.5]), "f32"), 1))
    # Without tensors of bf16 a product still computes in the type of such a scalar.
    for product in ["Ascend910", "Ascend310P"]:
        cases.add("PowTensorScalar", Tensor(i), Scalar(3, "bf16"), Out(power(i, np.array([3.0]), "bf16").astype(np.float32), 1), product=product)
    # On the 950 some exponents are refused, unless the tensor is empty.
    half = np.array([1, 2], np.float16)
    for tensor, other, value in [(half, "i32", 70000), (i, "i32", -1), (values("u8"), "i32", 300)]:
        cases.add("PowTensorScalar", Tensor(tensor), Scalar(value, other), Out(tensor), code=INVALID, product="Ascend950")
        cases.add("PowTensorScalar", Tensor(tensor[:0]), Scalar(value, other), Out(tensor[:0]), product="Ascend950")
    cases.add("PowTensorScalar", Tensor(values("u8")), Scalar(2, "i32"), Out(values("u8") * values("u8")), product="Ascend950")


def bits(cases):
    whole = [*INTEGERS, *UNSIGNED]
    for name in whole:
        for other in whole:
            a, b = np.broadcast_arrays(*grid(name, other))
            common = promote(name, other)
            for operator, is_left in [("LeftShift", True), ("RightShift", False)]:
                if common is None:
                    cases.add(operator, Tensor(a), Tensor(b), Out(np.zeros(a.shape, kind(name))), code=INVALID)
                    continue
                x, counts = cast(a, common), cast(b, common)
                width = 8 * x.dtype.itemsize
                inside = np.clip(counts, 0, width - 1).astype(x.dtype)
                made = np.where(counts == inside, np.left_shift(x, inside), 0) if is_left else np.right_shift(x, inside)
                cases.add(operator, Tensor(a), Tensor(b), Out(made.astype(x.dtype)))
            if common in ("i16", "i32", "i64"):
                x, y = cast(a, common), cast(b, common)
                cases.add("Gcd", Tensor(a), Tensor(b), Out(np.gcd(x, y)))
            else:
                cases.add("Gcd", Tensor(a), Tensor(b), Out(np.zeros(a.shape, np.int32)), code=INVALID)
        x = values(name)
        cases.add("LeftShifts", Tensor(x), Scalar(3, name), Out(np.left_shift(x, np.array(3, x.dtype))))
    flags, i = values("bool"), values("i32")[:4]
    cases.add("Gcd", Tensor(flags), Tensor(i), Out(np.gcd(flags.astype(np.int32), i).astype(np.int64)))
    cases.add("Gcd", Tensor(i), Tensor(i), Out(i.astype(np.float32)), code=INVALID)
    cases.add("Gcd", Tensor(i), Tensor(i), Out(i > 0), code=INVALID)
    # Without elements nothing but the types of the operands is looked at.
    none, one = np.zeros(0, np.uint16), np.zeros(1, np.int8)
    for operator in ["LeftShift", "RightShift"]:
        cases.add(operator, Tensor(none), Tensor(one), Out(np.zeros(5, np.float32), np.inf))
        cases.add(operator, Tensor(one), Tensor(none), Out(np.zeros(5, np.float32), np.inf))
        cases.add(operator, Tensor(none), Tensor(one > 0), Out(none), code=INVALID)
        cases.add(operator, Tensor(np.ones(1, np.uint16)), Tensor(one), Out(one), code=INVALID)
    cases.add("LeftShifts", Tensor(none), Scalar(1, "i8"), Out(np.zeros(5, np.float32), np.inf))
    for operator in ["LeftShift", "RightShift"]:
        cases.add(operator, Tensor(flags), Tensor(flags), Out(flags), code=INVALID)
        cases.add(operator, Tensor(values("f32")), Tensor(values("f32")), Out(values("f32")), code=INVALID)


def logarithms(cases):
    for name in [*REAL, "bool"]:
        a, b = grid(name, "f32")
        # Doubles are computed in f64, everything else in f32.
        in_type = promote(name, "f32")
        x, y = cast(a, in_type).astype(np.float64), cast(b, in_type).astype(np.float64)
        y = np.where(np.isnan(y), np.nan, np.where(x == 0, 0, x * np.log1p(y)))
        cases.add("Xlog1py", Tensor(a), Tensor(b), Out(y.astype(kind(in_type)), 4 if in_type == "f64" else 1))
    cases.add("Xlog1py", Tensor(values("i32")[:3]), Tensor(values("i32")[:3]), Out(values("i32")[:3]), code=INVALID)
    cases.add("Xlog1py", Tensor(values("c64")), Tensor(values("c64")), Out(values("c64")), code=INVALID)
    for operator, function in {"LogAddExp": np.logaddexp, "LogAddExp2": np.logaddexp2}.items():
        for name in [*REAL, *UNSIGNED, "bool"]:
            for other in ["f32", name]:
                for out in SMALL:
                    a, b = grid(name, other)
                    # Every operand is converted to the type of the output, doubles by way of f32.
                    x, y = (cast(v.astype(np.float32) if v.dtype == np.float64 else v, out).astype(np.float64) for v in (a, b))
                    cases.add(operator, Tensor(a), Tensor(b), Out(function(x, y).astype(np.float32).astype(kind(out)), 1))
        x = values("f64")
        cases.add(operator, Tensor(x), Tensor(x), Out(x), code=INVALID)
        cases.add(operator, Tensor(values("c64")), Tensor(values("c64")), Out(np.zeros(6, np.float32)), code=INVALID)


def main():
    cases = Cases()
    quotients(cases)
    modes(cases)
    powers(cases)
    bits(cases)
    logarithms(cases)
    cases.write("binary")


if __name__ == "__main__":
    main()
