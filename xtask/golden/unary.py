"""Cases of the functions of one tensor: NumPy and SciPy in f64, rounded to the type of the result.

References: NumPy, SciPy.
Writes cann-stubs/tests/data/unary.cases. Which types a function takes and gives is retyped here from CANN's public
description and not read from the declarations.

    python xtask/golden/unary.py
"""

import numpy as np
from scipy import special

from cases import COMPLEX, FLOATS, INTEGERS, NULL, UNSIGNED, Cases, InOut, Out, Tensor, kind, values

np.seterr(all="ignore")
INVALID = 161002

F = ["f32", "f16", "bf16"]
FD = [*F, "f64"]
FDC = [*FD, *COMPLEX]
I5B = [*INTEGERS, "bool"]




def lgamma(x):
    # +∞ for −∞, as C and PyTorch have it.
    return np.where(x == -np.inf, np.inf, special.gammaln(x))


def sinc(x):
    return np.where(x == 0, 1.0, np.sin(np.pi * x) / (np.pi * x))


def sinc_in(x, name):
    """With π and each step rounded to a type."""
    angle = x.astype(kind(name)) * np.array(np.pi).astype(kind(name))
    y = np.sin(angle.astype(np.float64)).astype(kind(name)) / angle
    return np.where(x == 0, np.array(1).astype(kind(name)), y)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def sign(x):
    if x.dtype == bool:
        return x
    if np.iscomplexobj(x):
        return np.where(x == 0, 0, x / np.abs(x))
    return np.where(np.isnan(x), 0.0, np.sign(x))


# Function, the types it takes, the types of integers that it computes in f32, whether it has a form in place.
FLOATING = {
    "Exp": (np.exp, FDC, ["bool", "i64"], FDC),
    "Exp2": (np.exp2, FD, I5B, FD),
    "Expm1": (np.expm1, F, ["bool", "i64"], F),
    "Log": (np.log, FDC, I5B, FDC),
    "Log2": (lambda x: np.log(x) / np.log(2) if np.iscomplexobj(x) else np.log2(x), FDC, I5B, FDC),
    "Log10": (lambda x: np.log(x) / np.log(10) if np.iscomplexobj(x) else np.log10(x), FDC, I5B, FDC),
    "Log1p": (np.log1p, FD, I5B, FD),
    "Sqrt": (np.sqrt, FDC, I5B, FDC),
    "Rsqrt": (lambda x: 1 / np.sqrt(x), FDC, I5B, FDC),
    "Reciprocal": (lambda x: 1 / x, FDC, I5B, FDC),
    "Sigmoid": (sigmoid, FDC, I5B, FDC),
    "Sin": (np.sin, FDC, I5B, FDC),
    "Cos": (np.cos, FDC, I5B, FDC),
    "Tan": (np.tan, FDC, I5B, FDC),
    "Asin": (np.arcsin, FD, I5B, FD),
    "Acos": (np.arccos, FD, I5B, FD),
    "Atan": (np.arctan, FD, I5B, FD),
    "Sinh": (np.sinh, FDC, I5B, FDC),
    "Cosh": (np.cosh, FDC, I5B, FDC),
    "Tanh": (np.tanh, F, I5B, F),
    "Asinh": (np.arcsinh, FDC, I5B, FDC),
    "Acosh": (np.arccosh, FDC, I5B, FDC),
    "Atanh": (np.arctanh, FDC, I5B, FDC),
    "Erf": (special.erf, FD, ["bool", "i64"], FD),
    "Erfc": (special.erfc, FD, ["bool", "i64"], FD),
    "Erfinv": (special.erfinv, F, I5B, F),
    "Digamma": (special.digamma, ["f32", "f16", "f64"], [], []),
    "Lgamma": (lgamma, ["f32", "f16", "f64"], [], []),
    "Sinc": (sinc, FD, I5B, FD),
    "Gelu": (lambda x: x / (1 + np.exp(-1.595769121 * (x + 0.044715 * x**3))), F, [], []),
    "Silu": (lambda x: x / (1 + np.exp(-x)), F, [], []),
    "LogSigmoid": (lambda x: np.minimum(x, 0) - np.log1p(np.exp(-np.abs(x))), F, [], []),
    "Mish": (lambda x: x * np.tanh(np.log1p(np.exp(x))), F, [], F),
    "Hardswish": (lambda x: x * np.clip(x + 3, 0, 6) * (1 / 6), F, [], F),
}

# Function and the types that it keeps; exact.
KEEPING = {
    "Floor": (np.floor, [*FD, *INTEGERS, *UNSIGNED], True),
    "Ceil": (np.ceil, FD, True),
    "Trunc": (np.trunc, F, True),
    "Frac": (lambda x: x - np.trunc(x), [*F, *INTEGERS], True),
    "Round": (lambda x: x if x.dtype.kind == "i" else np.rint(x), [*FD, "i32", "i64"], True),
    "Neg": (np.negative, [*FD, "i8", "i32", "i64", *COMPLEX], True),
    "Sign": (sign, [*FD, "i32", "i64", "bool", *COMPLEX], False),
    "Relu": (lambda x: np.where(np.isnan(x) | (x > 0), x, np.zeros_like(x)), [*F, "i8", "u8", "i32", "i64"], True),
}

TESTS = {
    "IsFinite": (np.isfinite, [*FD, *I5B]),
    "IsPosInf": (np.isposinf, [*F, *I5B]),
    "IsNegInf": (np.isneginf, [*F, *I5B]),
    # Before the 950 by comparison with zero.
    "Signbit": (lambda x: x < 0, [*FD, *INTEGERS, *UNSIGNED, "bool"]),
}


def wide(x, name):
    return x.astype(np.complex128 if name in COMPLEX else np.float64)


def main():
    cases = Cases()
    for operator, (function, types, integers, in_place) in FLOATING.items():
        for name in [*types, *integers]:
            x = values(name, 40)
            result = "f32" if name in integers else name
            # Near the roots of some functions both sides lose digits in f64.
            ulps = {"f64": 64 if operator in ("Digamma", "Lgamma") else 8, "c128": 32, "c64": 2}.get(result, 1)
            # Logarithms take integers in f64, the others in f32.
            given = x.astype(np.float32) if name in integers and not operator.startswith("Log") else x
            y = sinc_in(given, result) if operator == "Sinc" else function(wide(given, name)).astype(kind(result))
            cases.add(operator, Tensor(x), Out(y, ulps))
            if name in in_place:
                cases.add("Inplace" + operator, InOut(x, y, ulps))
            elif name in integers:
                cases.add("Inplace" + operator, InOut(x, x), code=INVALID) if in_place else None
        for name in sorted({"f32", "f64", "bf16", "i32", "u16", "c64"} - set(types) - set(integers)):
            x = values(name)
            cases.add(operator, Tensor(x), Out(x), code=INVALID)
    for operator, (function, types, in_place) in KEEPING.items():
        for name in types:
            x = values(name, 40)
            y = (function(x) if name not in FLOATS else function(x.astype(np.float64))).astype(kind(name))
            if operator == "Round" and name == "f64":
                # 0 or 1 is added to the lower integer, so that nothing but −0 becomes −0.
                y = np.where(x == 0, x, y + 0.0)
            cases.add(operator, Tensor(x), Out(y, 4 if name in COMPLEX else 0))
            if in_place:
                cases.add("Inplace" + operator, InOut(x, y))
        for name in sorted({"f32", "f64", "bf16", "i32", "u16", "c64"} - set(types)):
            x = values(name)
            cases.add(operator, Tensor(x), Out(x), code=INVALID)
    for name in [*FD, *INTEGERS, "bool"]:
        x = values(name, 40)
        cases.add("Abs", Tensor(x), Out(np.abs(x)))
    cases.add("Abs", Tensor(values("c64", 40)), Out(np.abs(values("c64", 40).astype(np.complex128)).astype(np.float32), 1))
    cases.add("Abs", Tensor(values("c128", 40)), Out(values("f64", 40)), code=INVALID)
    for name, part in [("c64", "f32"), ("c128", "f64")]:
        x = values(name, 40)
        cases.add("Real", Tensor(x), Out(x.real))
        cases.add("Real", Tensor(x.real), Out(x.real)) if name == "c64" else None
    cases.add("Real", Tensor(values("f16", 40)), Out(values("f16", 40)))
    for name in ["f32", "f16", *I5B]:
        x = values(name, 40)
        y = np.angle(x.astype(np.float64)).astype(np.float16 if name == "f16" else np.float32)
        # NumPy has π for −0, PyTorch zero.
        cases.add("AngleV2", Tensor(x), Out(np.where(x == 0, np.zeros_like(y), y)))
    z = values("c64", 40)
    cases.add("AngleV2", Tensor(z), Out(np.angle(z.astype(np.complex128)).astype(np.float32), 1))
    for name in ["bf16", "f64", "c128"]:
        cases.add("AngleV2", Tensor(values(name)), Out(values("f32")), code=INVALID)
    for operator, (function, types) in TESTS.items():
        for name in types:
            x = values(name, 40)
            y = function(x.astype(np.float64)) if name in FLOATS else function(x)
            cases.add(operator, Tensor(x), Out(np.asarray(y, np.bool_)))
    for name in [*FD, *I5B]:
        x = values(name, 40)
        zero = x == 0
        cases.add("LogicalNot", Tensor(x), Out(zero))
        cases.add("InplaceLogicalNot", InOut(x, zero.astype(kind(name))))
    # Signs of zero and NaN count on the 950.
    for name in FD:
        x = values(name, 40)
        cases.add("Signbit", Tensor(x), Out(np.signbit(x)), product="Ascend950")
    # There halves are computed in f32.
    for name in ["f16", "bf16"]:
        x = values(name, 40)
        cases.add("Sinc", Tensor(x), Out(sinc_in(x, "f32").astype(kind(name))), product="Ascend950")
    # Shapes: none, one, eight axes; empty.
    for shape in [(), (1,), (2, 1, 3, 1, 1, 2, 1, 2), (0, 3)]:
        x = np.linspace(-2, 2, int(np.prod(shape)), dtype=np.float32).reshape(shape)
        cases.add("Exp", Tensor(x), Out(np.exp(x.astype(np.float64)).astype(np.float32), 1))
    x = np.ones((1,) * 9, np.float32)
    cases.add("Exp", Tensor(x), Out(x), code=INVALID)
    cases.add("Sign", Tensor(x), Out(x))
    # In f64 a fraction within 10⁻¹⁴ of a half, relative to it, counts as one.
    near = np.array([1.5 - 2**-52, 2.5 + 2**-51, 2.5 + 1e-13, 0.5 - 1e-14])
    cases.add("Round", Tensor(near), Out(np.array([2.0, 2.0, 3.0, 0.0])))
    # Outputs of other types.
    x = values("f32", 40)
    y = np.exp(x.astype(np.float64))
    cases.add("Exp", Tensor(x), Out(y.astype(np.float16), 1))
    cases.add("Exp", Tensor(x), Out(y.astype(np.int32)), code=INVALID)
    cases.add("Exp", Tensor(x), Out(np.zeros(39, np.float32)), code=INVALID)
    i = values("i32", 40, low=0, high=50)
    cases.add("Sigmoid", Tensor(i), Out(sigmoid(i.astype(np.float64)).astype(np.float16), 1))
    cases.add("Log", Tensor(i), Out(np.log(i.astype(np.float64)).astype(np.float32).astype(np.float64)))
    cases.add("Log10", Tensor(i), Out(np.zeros(40)), code=INVALID)
    for name in [*INTEGERS, "bool"]:
        x = values(name, 40)
        cases.add("BitwiseNot", Tensor(x), Out(~x))
    i = values("i32", 40)
    cases.add("BitwiseNot", Tensor(i), Out((~i).astype(np.float32)))
    cases.add("BitwiseNot", Tensor(i), Out(np.zeros(40, np.bool_)), code=INVALID)
    for name in ["f32", "u16", "c64"]:
        cases.add("BitwiseNot", Tensor(values(name)), Out(values(name)), code=INVALID)
    for name in UNSIGNED:
        x = values(name)
        cases.add("BitwiseNot", Tensor(x), Out(~x), product="Ascend950")
    cases.add("BitwiseNot", NULL, Out(i), code=561103)
    # What is null is told by two codes.
    x = values("f32")
    for operator, code in [("Exp", 161001), ("Sinc", 561103)]:
        cases.add(operator, NULL, Out(x), code=code)
        cases.add(operator, Tensor(x), NULL, code=code)
        cases.add("Inplace" + operator, NULL, code=code)
    cases.write("unary")


if __name__ == "__main__":
    main()
