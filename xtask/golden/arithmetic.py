"""Golden vectors of the arithmetic operators, made with NumPy and ml_dtypes.

Writes cann-stubs/tests/data/arithmetic_{pairs,alpha,scalars}.bin. The rules come from CANN's public description as this
project states it, retyped here and not read from the Rust code: operands are converted to the promoted type, one
operation is made (halves in f32, rounded once), integers wrap, complex numbers follow the plain formulas, integers
divide as f32.

    python xtask/golden/arithmetic.py
"""

from pathlib import Path

import ml_dtypes
import numpy as np

np.seterr(all="ignore")
OUT = Path(__file__).resolve().parents[2] / "cann-stubs" / "tests" / "data"

# Short name: (aclDataType, NumPy type, values that tell roundings, wraps and special cases apart).
TYPES = {
    "f32": (0, np.float32, [0.0, -0.0, 1.0, -1.5, 1 / 3, 16777217.0, 3e38, 1e-40, np.inf, np.nan]),
    "f16": (1, np.float16, [0.0, -0.0, 1.0, -1.5, 1 / 3, 2049.0, 60000.0, 6e-8, np.inf, np.nan]),
    "f64": (11, np.float64, [0.0, -0.0, 1.0, -1.5, 1 / 3, 2.0**53 + 2, 1e308, 5e-324, np.inf, np.nan]),
    "bf16": (27, ml_dtypes.bfloat16, [0.0, -0.0, 1.0, -1.5, 1 / 3, 256.0, 3e38, 1e-40, np.inf, np.nan]),
    "i8": (2, np.int8, [0, 1, -1, 127, -128, 7, -100, 100, 64, 3]),
    "u8": (4, np.uint8, [0, 1, 255, 128, 127, 7, 250, 10, 16, 17]),
    "i16": (6, np.int16, [0, 1, -1, 32767, -32768, 7, 2049, -300, 256, 3]),
    "i32": (3, np.int32, [0, 1, -1, 2**31 - 1, -(2**31), 7, 2049, 16777217, 16842753, -65536]),
    "i64": (9, np.int64, [0, 1, -1, 2**63 - 1, -(2**63), 7, 16777217, 2**53 + 1, 65520, -(2**32)]),
    "bool": (12, np.bool_, [False, True] * 5),
    "c64": (16, np.complex64, [0, 1, -1.5j, 1 + 1j, 1 / 3 - 2j, 16777217, 3e38 + 1j, 1e-30j, complex(np.inf, 0), complex(np.nan, 1)]),
    "c128": (17, np.complex128, [0, 1, -1.5j, 1 + 1j, 1 / 3 - 2j, 2.0**53 + 2, 1e200 + 1j, 1e-200j, complex(np.inf, 0), complex(np.nan, 1)]),
}
FLOATS = ["f32", "f16", "f64", "bf16"]
INTEGERS = ["i8", "u8", "i16", "i32", "i64"]
COMPLEX = ["c64", "c128"]
OPERATIONS = ["add", "sub", "mul", "div", "rsub"]


def values(name):
    return np.array(TYPES[name][2]).astype(TYPES[name][1])


def library(a, b):
    """The type to which CANN's library promotes two of these types."""
    if a == b:
        return a
    pair = {a, b}
    if "bool" in pair:
        return (pair - {"bool"}).pop()
    if "c128" in pair:
        return "c128"
    if "c64" in pair:
        return "c128" if "f64" in pair else "c64"
    floats = pair & set(FLOATS)
    if len(floats) == 1:
        return floats.pop()
    if len(floats) == 2:
        return "f64" if "f64" in pair else "f32"
    order = ["i64", "i32", "i16"]
    for name in order:
        if name in pair:
            return name
    return "i16"  # i8 with u8


def published(a, b):
    """The older page differs for these types in one pair of cells."""
    return "c64" if {a, b} == {"f64", "c64"} else library(a, b)


def convert(x, target):
    """The conversions that promotion needs: integers become halves by way of f32, real numbers lose nothing else."""
    kind = TYPES[target][1]
    if target in COMPLEX:
        part = np.float32 if target == "c64" else np.float64
        if np.iscomplexobj(x):
            return x.astype(kind)
        out = np.zeros(x.shape, kind)
        out.real = x.astype(part)
        return out
    if target in ("f16", "bf16") and x.dtype.kind in "iub":
        return x.astype(np.float32).astype(kind)
    return x.astype(kind)


def complex_mul(a, b):
    out = np.zeros(np.broadcast(a, b).shape, a.dtype)
    out.real = a.real * b.real - a.imag * b.imag
    out.imag = a.real * b.imag + a.imag * b.real
    return out


def complex_div(a, b):
    out = np.zeros(np.broadcast(a, b).shape, a.dtype)
    norm = b.real * b.real + b.imag * b.imag
    out.real = (a.real * b.real + a.imag * b.imag) / norm
    out.imag = (a.imag * b.real - a.real * b.imag) / norm
    return out


def operate(operation, a, b, name):
    """One operation on values of type `name`, rounded to `name`."""
    if operation == "rsub":
        return operate("sub", b, a, name)
    if name == "bool":
        return {"add": a | b, "sub": a ^ b, "mul": a & b}[operation]
    if name in ("f16", "bf16"):
        wide = operate(operation, a.astype(np.float32), b.astype(np.float32), "f32")
        return wide.astype(TYPES[name][1])
    if operation == "add":
        return a + b
    if operation == "sub":
        return a - b
    if operation == "mul":
        return complex_mul(a, b) if name in COMPLEX else a * b
    return complex_div(a, b) if name in COMPLEX else a / b


def compute(operation, a, b, promoted):
    """All pairs of two vectors: the result and its type."""
    if operation == "div" and (promoted in INTEGERS or promoted == "bool"):
        promoted = "f32"
    a, b = convert(a, promoted)[:, None], convert(b, promoted)[None, :]
    return operate(operation, a, b, promoted), promoted


def record(file, head, *arrays):
    file.write(bytes(head))
    for array in arrays:
        file.write(np.ascontiguousarray(array).tobytes())


def pairs():
    """operation, a, b, edition (0 library, 1 published), result type; ten of a, ten of b, a hundred results."""
    with open(OUT / "arithmetic_pairs.bin", "wb") as file:
        for index, operation in enumerate(OPERATIONS):
            for a in TYPES:
                for b in TYPES:
                    if operation == "rsub" and "bool" in (a, b):
                        continue
                    for edition, promote in enumerate([library, published]):
                        promoted = promote(a, b)
                        if edition == 1 and promoted == library(a, b):
                            continue
                        result, kind = compute(operation, values(a), values(b), promoted)
                        head = [index, TYPES[a][0], TYPES[b][0], edition, TYPES[kind][0]]
                        record(file, head, values(a), values(b), result)


def scaled(operation, a, b, alpha, alpha_type, name):
    """alpha, on products before the 950."""
    product = {"add": b, "sub": b, "rsub": a}[operation]
    in_f32 = operation == "add" and name in ("f32", "f16", "i32")
    in_f32 |= operation == "sub" and name in ("f32", "f16", "bf16")
    if in_f32 and name == "i32":
        factor = np.float32(alpha).astype(np.int32)
        t = product * factor
    elif in_f32:
        t = product.astype(np.float32) * np.float32(alpha)
        wide_a, wide_b = a.astype(np.float32), b.astype(np.float32)
        result = wide_a + t if operation == "add" else wide_a - t
        return result.astype(TYPES[name][1])
    else:
        factor = convert(np.array([alpha], TYPES[alpha_type][1]), name)
        t = operate("mul", product, factor, name)
    if operation == "rsub":
        return operate("sub", b, t, name)
    return operate(operation, a, t, name)


def alphas():
    """operation, type, type of alpha; alpha, ten of a, ten of b, ten results."""
    with open(OUT / "arithmetic_alpha.bin", "wb") as file:
        for index, operation in enumerate(OPERATIONS):
            if operation not in ("add", "sub", "rsub"):
                continue
            for name in TYPES:
                if operation == "rsub" and name == "bool":
                    continue
                choices = [("i64", 3), ("i64", 0)]
                if name == "i32":
                    choices.append(("i64", 16777217))
                if name in FLOATS + COMPLEX:
                    choices += [("f32", -0.3), ("f64", 1.1)]
                if name == "bool":
                    choices = [("bool", False), ("i64", 5)]
                for alpha_type, alpha in choices:
                    a, b = values(name), values(name)[::-1]
                    # A scalar in a scalar's type: alpha is what that type makes of it.
                    alpha = np.array([alpha], TYPES[alpha_type][1])[0]
                    result = scaled(operation, a, b, alpha, alpha_type, name)
                    head = [index, TYPES[name][0], TYPES[alpha_type][0]]
                    record(file, head, np.array([alpha], TYPES[alpha_type][1]), a, b, result)


UNSIGNED = {"u16": (7, np.uint16), "u32": (8, np.uint32), "u64": (10, np.uint64)}


def beside_scalar(tensor, scalar):
    """The type for a tensor and a scalar in Adds and Subs on products before the 950; None where there is none."""
    if tensor in COMPLEX or scalar in COMPLEX:
        return None if scalar in UNSIGNED else library(tensor, scalar)
    if tensor in FLOATS:
        return tensor
    if scalar in FLOATS:
        return scalar
    if tensor == "bool":
        return None if scalar in UNSIGNED else scalar
    return tensor


SMALL_FLOAT_DIVISIONS = {
    ("f16", "f32"), ("f32", "f16"), ("bf16", "f32"), ("f32", "bf16"), ("bf16", "f64"), ("f16", "bf16"), ("bf16", "f16"),
}


def scalar_types(operation, tensor, scalar):
    """Compute type and result type beside a scalar; None where the pair is refused."""
    if operation == "mul" and tensor == "bf16" and scalar not in COMPLEX:
        return "f32", "bf16" if scalar == "f64" else "f32"
    if operation == "mul" and (tensor, scalar) == ("bool", "f64"):
        return "f32", "f32"
    if operation == "div":
        if (tensor, scalar) in SMALL_FLOAT_DIVISIONS:
            return "f32", tensor
        promoted = None if scalar in UNSIGNED else library(tensor, scalar)
    else:
        promoted = beside_scalar(tensor, scalar)
    if promoted is None:
        return None
    if operation == "div" and (promoted in INTEGERS or promoted == "bool"):
        promoted = "f32"
    return promoted, promoted


def scalars():
    """operation, tensor, scalar, outcome, result type; the scalar, ten of the tensor, ten results.

    Outcome: 0 invalid parameter, 1 accepted, 2 no kernel.
    """
    chosen = {"f32": 1 / 3, "f16": 1 / 3, "f64": 1 / 3, "bf16": 1 / 3, "c64": 1 / 3 - 1j, "c128": 1 / 3 - 1j, "bool": True}
    with open(OUT / "arithmetic_scalars.bin", "wb") as file:
        for index, operation in enumerate(OPERATIONS):
            if operation == "rsub":
                continue
            for tensor in TYPES:
                for scalar in list(TYPES) + list(UNSIGNED):
                    code, kind = UNSIGNED.get(scalar, TYPES.get(scalar, (None, None))[:2])
                    value = np.array([chosen.get(scalar, 3)]).astype(kind)
                    types = scalar_types(operation, tensor, scalar)
                    if types is None:
                        outcome = 2 if operation == "mul" else 0
                        record(file, [index, TYPES[tensor][0], code, outcome, 0], value)
                        continue
                    compute_type, result_type = types
                    a = convert(values(tensor), compute_type)
                    result = operate(operation, a, convert(value, compute_type), compute_type)
                    head = [index, TYPES[tensor][0], code, 1, TYPES[result_type][0]]
                    record(file, head, value, values(tensor), result.astype(TYPES[result_type][1]))


if __name__ == "__main__":
    OUT.mkdir(parents=True, exist_ok=True)
    pairs()
    alphas()
    scalars()
    print("\n".join(f"{path.name}: {path.stat().st_size} bytes" for path in sorted(OUT.glob("arithmetic_*.bin"))))
