"""Cases of products of matrices: NumPy in f64, rounded as CANN's public description says.

References: NumPy.

Most elements have few digits, so that every sum is exact in f32 and the expected bits are the only ones; those of others
are positive, and may differ by as many units of the last place as there are summands. Writes
cann-stubs/tests/data/matrix.cases. Which types an operator takes and gives is retyped here from CANN's public description
and not read from the declarations.

    python xtask/golden/matrix.py
"""

import ml_dtypes
import numpy as np

from cases import COMPLEX, FLOATS, NULL, UNSIGNED, Cases, Formatted, InOut, Ints, Out, Scalar, Tensor, Tensors, Text, kind, values

np.seterr(all="ignore")
INVALID, NULLPTR, INNER = 161002, 161001, 561103

F = ["f32", "f16", "bf16"]
cases = Cases()


def data(name, shape, seed=1, low=-16, high=16, special=False):
    random = np.random.default_rng(seed + sum(map(ord, name)) + 7 * sum(shape))
    if name == "bool":
        return random.uniform(size=shape) > 0.4
    x = random.integers(low, high, size=shape, endpoint=True)
    x = (x / 4 if name in FLOATS else x).astype(kind(name))
    if name in COMPLEX:
        x = x + (1j * random.integers(-3, 3, size=shape)).astype(kind(name))
    if special and x.size:
        x.reshape(-1)[[0, -1]] = [np.nan, np.inf]
    return x


def wide(x):
    return x.astype(np.complex128 if np.iscomplexobj(x) else np.float64)


def rounded(x, name):
    return np.asarray(x).astype(kind(name))


def compute(a, b, cube):
    """The type in which the 910B multiplies, by its table."""
    if a == b and a != "f32":
        return a
    return "f16" if cube == 2 else "f32"


def kernel(a, b, cube, out):
    inner = compute(a, b, cube)
    return "f32" if cube == -1 or (a == b and a != "f32" and out == "f32") else inner


def product(a, b, names, cube, out):
    """The result of the kernel, in its type."""
    inner = compute(*names, cube)
    return rounded(np.matmul(wide(rounded(a, inner)), wide(rounded(b, inner))), kernel(*names, cube, out))


def promoted(a, b):
    return a if a == b else "f32"


SHAPES = [
    ((5,), (5,)), ((3, 4), (4,)), ((4,), (4, 3)), ((3, 4), (4, 5)), ((1, 7), (7, 1)), ((2, 3, 4), (4,)), ((2, 3, 4), (4, 2)), ((4,), (2, 4, 3)),
    ((3, 4), (2, 4, 2)), ((2, 3, 4), (2, 4, 5)), ((1, 3, 4), (5, 4, 2)), ((2, 1, 3, 4), (3, 4, 2)), ((2, 1, 2, 1, 3, 4), (1, 3, 1, 2, 4, 2)),
    ((0, 4), (4, 3)), ((3, 0), (0, 2)), ((0,), (0,)), ((2, 0, 3), (2, 3, 4)), ((2, 3, 0), (2, 0, 4)), ((3, 0), (0,)),
]


def products():
    for left in F:
        for right in F:
            for out in F:
                for cube in [-1, 0, 1, 2, 3, 4]:
                    a, b = data(left, (3, 4)), data(right, (4, 5), seed=2)
                    cases.add("Mm", Tensor(a), Tensor(b), Out(rounded(product(a, b, (left, right), cube, out), out)), cube)
    for number, (first, second) in enumerate(SHAPES):
        for left, right, out in [("f32", "f32", "f32"), ("f16", "f16", "f16"), ("bf16", "bf16", "f32"), ("f16", "f32", "bf16")]:
            a, b = data(left, first, seed=number), data(right, second, seed=number + 9)
            vectors = len(first) == len(second) == 1
            result = rounded(np.matmul(wide(a), wide(b)), promoted(left, right)) if vectors else product(a, b, (left, right), 0, out)
            cases.add("Matmul", Tensor(a), Tensor(b), Out(rounded(result, out)), 0)
    # Long enough for several pieces and blocks, with an odd number of summands.
    for name in F:
        for first, second in [((530, 7), (7, 11)), ((3, 1031), (1031, 9)), ((1, 5), (5, 1100)), ((5, 401), (401, 50)), ((1, 1031), (1031, 1)), ((5, 77), (77, 1)), ((1, 9), (9, 1030)), ((600, 3), (3, 1))]:
            a, b = data(name, first, low=-2, high=2), data(name, second, seed=3, low=-2, high=2)
            cases.add("Mm", Tensor(a), Tensor(b), Out(product(a, b, (name, name), 0, "f32")), 0)
    random = np.random.default_rng(7)
    a, b = random.uniform(size=(9, 300)).astype(np.float32), random.uniform(size=(300, 7)).astype(np.float32)
    cases.add("Mm", Tensor(a), Tensor(b), Out((wide(a) @ wide(b)).astype(np.float32), ulps=300), 0)
    # A NaN or an infinity reaches its rows and columns; a zero times an infinity is NaN.
    for name in F:
        a, b = data(name, (3, 4), special=True), data(name, (4, 3), seed=5)
        b[0, 0] = 0
        cases.add("Mm", Tensor(a), Tensor(b), Out(product(a, b, (name, name), 0, name)), 0)
    # Rounded once from f32: each sum is beyond f16, or between two of its numbers.
    a, b = np.full((2, 8), 100, np.float16), np.full((8, 2), 100, np.float16)
    cases.add("Mm", Tensor(a), Tensor(b), Out(np.full((2, 2), np.inf, np.float16)), 0)
    cases.add("Mm", Tensor(a), Tensor(b), Out(np.full((2, 2), 80000, np.float32)), 0)
    for name in F:
        for left, right in [((2, 3, 4), (2, 4, 5)), ((1, 3, 4), (2, 4, 5)), ((2, 3, 4), (1, 4, 5)), ((0, 3, 4), (0, 4, 5)), ((2, 3, 0), (2, 0, 5))]:
            a, b = data(name, left), data(name, right, seed=4)
            cases.add("BatchMatMul", Tensor(a), Tensor(b), Out(product(a, b, (name, name), 0, name)), 0)
        a, b = data(name, (3, 4)), data(name, (4,), seed=6)
        cases.add("Mv", Tensor(a), Tensor(b), Out(product(a, b, (name, name), 0, name)), 0)
        a, b = data(name, (3, 0)), data(name, (0,))
        cases.add("Mv", Tensor(a), Tensor(b), Out(np.zeros(3, kind(name))), 0)
    for name in [*F, "i8", "i32", "u8"]:
        a, b = data(name, (9,), low=0, high=4), data(name, (9,), seed=8, low=0, high=4)
        cases.add("Dot", Tensor(a), Tensor(b), Out(rounded(wide(a) @ wide(b), name)))
        cases.add("Dot", Tensor(a[:0]), Tensor(b[:0]), Out(np.zeros((), kind(name))))


def outer():
    for left in ["f32", "f16", "i32", "f64", "i8", "u8", "i16", "bool", "i64", "c64", "c128"]:
        for right in [left, "f32"]:
            if left in ("f64", "c64", "c128") and right != left:
                continue
            a, b = data(left, (3,), low=0, high=9), data(right, (4,), seed=2, low=0, high=9)
            out = left if left == right else "f32"
            result = np.outer(a, b) if out == "bool" else rounded(np.outer(wide(a), wide(b)), out)
            cases.add("Ger", Tensor(a), Tensor(b), Out(result))
    zeros = np.array([-0.0, 0.0, -1.0], np.float32)
    cases.add("Ger", Tensor(zeros), Tensor(zeros), Out(np.multiply.outer(zeros, zeros)))
    cases.add("Ger", Tensor(zeros[:0]), Tensor(zeros), Out(np.zeros((0, 3), np.float32)))
    for name in [*F, "f64", "i64", "i32", "i16", "i8", "u8", "bool"]:
        own, a, b = data(name, (3, 4), low=0, high=5), data(name, (3,), low=0, high=3), data(name, (4,), seed=3, low=0, high=3)
        if name == "bool":
            result, one = own | np.outer(a, b), "bool"
        else:
            result, one = rounded(2 * wide(own) + 3 * np.outer(wide(a), wide(b)), name), name
        factors = [Scalar(1 if one == "bool" else 2, one), Scalar(1 if one == "bool" else 3, one)]
        cases.add("Addr", Tensor(own), Tensor(a), Tensor(b), *factors, Out(result))
        cases.add("InplaceAddr", InOut(own, result), Tensor(a), Tensor(b), *factors)
        plain = own | np.outer(a, b) if name == "bool" else rounded(wide(own) + np.outer(wide(a), wide(b)), name)
        cases.add("Addr", Tensor(own), Tensor(a), Tensor(b), NULL, NULL, Out(plain))
        cases.add("AddrV2", Tensor(own), Tensor(a), Tensor(b), *factors, Out(result))
        cases.add("InplaceAddrV2", InOut(own, plain), Tensor(a), Tensor(b), NULL, NULL)
    own, a = np.full((4,), np.nan, np.float32), data("f32", (4,))
    cases.add("Addr", Tensor(own), Tensor(a), Tensor(a), Scalar(0, "f32"), NULL, Out(np.outer(a, a)))
    cases.add("Addr", Tensor(own), Tensor(a), Tensor(a), Scalar(True, "bool"), NULL, Out(np.outer(a, a)), code=INVALID)
    whole = data("i32", (4,))
    cases.add("Addr", Tensor(whole), Tensor(whole), Tensor(whole), Scalar(1, "f32"), NULL, Out(np.outer(whole, whole)), code=INVALID)


def added(own, a, b, names, beta, alpha, out, cube=0, total=False):
    """`beta · own + alpha · a b` of the 910B, with its roundings."""
    kept, left, right = names
    matrices = wide(rounded(a, compute(left, right, cube))) @ wide(rounded(b, compute(left, right, cube)))
    halves = left == right != "f32"
    inner = kernel(left, right, cube, out)
    if alpha == beta == 1 and own.ndim <= 2 and (own.ndim == 1 or own.shape[0] == 1) and not (halves and out == "f32") and not (left == "bf16" and kept == "f16"):
        return rounded(rounded(matrices + wide(own), inner), out)
    scaled = "f32" if halves and out == "f32" else kept
    if halves and cube in (0, 3):
        return rounded(wide(rounded(beta * wide(own), scaled)) + alpha * rounded(matrices, "f32"), out)
    common = promoted(scaled, inner)
    return rounded(rounded(wide(rounded(beta * wide(own), scaled)) + alpha * wide(rounded(matrices, inner)), common), out)


def sums():
    factors = [(1.0, 1.0), (0.5, 2.0), (2.0, 0.5), (0.0, 1.0), (-1.0, 3.0)]
    for kept in F:
        for left, right in [("f32", "f32"), ("f16", "f16"), ("bf16", "bf16"), ("f16", "f32"), ("f16", "bf16")]:
            for out in F:
                for beta, alpha in factors:
                    for shape in [(3, 5), (5,), (1, 5), (3, 1)]:
                        own, a, b = data(kept, shape), data(left, (3, 4), seed=2), data(right, (4, 5), seed=3)
                        result = added(own, a, b, (kept, left, right), beta, alpha, out)
                        if beta == 0:
                            own = np.full_like(own, np.nan)
                            result = rounded(alpha * product(a, b, (left, right), 0, "f32" if left == right else out), out)
                            if kept != "f32" or left != "f16":
                                continue
                        cases.add("Addmm", Tensor(own), Tensor(a), Tensor(b), Scalar(beta, "f32"), Scalar(alpha, "f32"), Out(result), 0)
    for name in F:
        own, a, b = data(name, (3, 5)), data(name, (3, 4), seed=2), data(name, (4, 5), seed=3)
        result = added(own, a, b, (name,) * 3, 0.5, 2.0, name)
        scalars = [Scalar(0.5, "f32"), Scalar(2.0, "f32")]
        cases.add("InplaceAddmm", InOut(own, result), Tensor(a), Tensor(b), *scalars, 0)
        # Alpha zero leaves the product out, whatever it holds.
        bad = np.full_like(a, np.nan)
        cases.add("Addmm", Tensor(own), Tensor(bad), Tensor(b), scalars[0], Scalar(0, "f32"), Out(rounded(0.5 * wide(own), name)), 0)
        cases.add("Addmm", Tensor(own), Tensor(a[:, :0]), Tensor(b[:0]), scalars[0], scalars[1], Out(rounded(0.5 * wide(own), name)), 0)
        for turn_a in [0, 1]:
            for turn_b in [0, 1]:
                first, second = (a.T if turn_a else a), (b.T if turn_b else b)
                cases.add("Gemm", Tensor(first), Tensor(second), Tensor(own), 2.0, 0.5, turn_a, turn_b, Out(result), 0)
        for batches in [(2, 2), (2, 1), (1, 1)]:
            own, a, b = data(name, (2, 3, 5)[-3:] if batches[0] == 2 else (1, 3, 5)), data(name, (batches[0], 3, 4), seed=2), data(name, (batches[1], 4, 5), seed=3)
            result = added(own, a, b, (name,) * 3, 0.5, 2.0, name)
            cases.add("Baddbmm", Tensor(own), Tensor(a), Tensor(b), *scalars, Out(result), 0)
            cases.add("InplaceBaddbmm", InOut(own, result), Tensor(a), Tensor(b), *scalars, 0)
            row = data(name, (5,))
            cases.add("Baddbmm", Tensor(row), Tensor(a), Tensor(b), *scalars, Out(added(row, a, b, (name,) * 3, 0.5, 2.0, name)), 0)
        own, a, b = data(name, (3, 5)), data(name, (4, 3, 2), seed=2, low=-4, high=4), data(name, (4, 2, 5), seed=3, low=-4, high=4)
        result = rounded(0.5 * wide(own) + 2 * (wide(a) @ wide(b)).sum(0), name)
        cases.add("Addbmm", Tensor(own), Tensor(a), Tensor(b), *scalars, Out(result), 0)
        cases.add("InplaceAddbmm", InOut(own, result), Tensor(a), Tensor(b), *scalars, 0)
        cases.add("Addbmm", Tensor(np.full_like(own, np.nan)), Tensor(a), Tensor(b), Scalar(0, "f32"), scalars[1], Out(rounded(2 * (wide(a) @ wide(b)).sum(0), name)), 0)
    for name in [*F, "f64", "i32", "i64", "i16", "i8", "u8", "bool"]:
        own, a, b = data(name, (3,), low=0, high=4), data(name, (3, 4), seed=2, low=0, high=3), data(name, (4,), seed=3, low=0, high=3)
        if name == "bool":
            result, one = own | (wide(a) @ wide(b) > 0), [Scalar(True, "bool"), Scalar(True, "bool")]
        else:
            result, one = rounded(2 * wide(a) @ wide(b) + 3 * wide(own), name), [Scalar(2, name), Scalar(3, name)]
        cases.add("Addmv", Tensor(own), Tensor(a), Tensor(b), *one, Out(result), 0)


def einsums():
    for name in ["f32", "f16", "i16", "i32", "i64", *UNSIGNED]:
        low = 0 if name in UNSIGNED else -6
        for equation in ["abcd,abced->abce", "bhqd,bhqkd->bhqk"]:
            x, y = data(name, (2, 3, 4, 5), low=low, high=6), data(name, (2, 3, 4, 7, 5), seed=2, low=low, high=6)
            result = rounded(np.einsum(equation, wide(x), wide(y)), name)
            cases.add("Einsum", Tensors(Tensor(x), Tensor(y)), Text(equation), Out(result))
        a, b = data(name, (3,), low=low, high=9), data(name, (4,), seed=2, low=low, high=9)
        for equation in ["a,b->ab", "i,j->ij"]:
            cases.add("Einsum", Tensors(Tensor(a), Tensor(b)), Text(equation), Out(np.outer(a, b)))
    # The library does not compare the sizes of that output, nor the last two of this one.
    a, b = data("f32", (3,)), data("f32", (4,), seed=2)
    cases.add("Einsum", Tensors(Tensor(a), Tensor(b)), Text("a,b->ab"), Out(np.outer(a, b).reshape(2, 6)))
    cases.add("Einsum", Tensors(Tensor(a), Tensor(b)), Text("a,b->ab"), Out(np.zeros((2, 5), np.float32)), code=INNER)
    cases.add("Einsum", Tensors(Tensor(a[:0]), Tensor(b)), Text("a,b->ab"), Out(np.zeros((0, 4), np.float32)))
    x, y = data("f32", (2, 3, 4, 5)), data("f32", (2, 3, 4, 7, 5), seed=2)
    result = np.einsum("abcd,abced->abce", x, y)
    equation = Text("abcd,abced->abce")
    both = Tensors(Tensor(x), Tensor(y))
    cases.add("Einsum", both, equation, Out(result.reshape(2, 3, 7, 4)))
    cases.add("Einsum", both, equation, Out(result[..., :6]), code=INNER)
    # f16 is all that other products multiply; integers are computed in it everywhere, so that large ones lose bits.
    cases.add("Einsum", Tensors(Tensor(x.astype(np.float16)), Tensor(y.astype(np.float16))), equation, Out(result.astype(np.float16)), product="Ascend910")
    cases.add("Einsum", both, equation, Out(result), code=INVALID, product="Ascend910")
    one = np.full((1, 1, 1, 1), 2049, np.int32)
    cases.add("Einsum", Tensors(Tensor(one), Tensor(np.ones((1, 1, 1, 1, 1), np.int32))), equation, Out(one - 1))
    for text in ["abcd, abced->abce", "ab,bc->ac", "abcd,abced", "...,...->...", "", "a,b->ba", "a,b->ab "]:
        cases.add("Einsum", both, Text(text), Out(result), code=INVALID)
    cases.add("Einsum", both, Text("a,b->ab"), Out(result), code=INVALID)
    cases.add("Einsum", Tensors(Tensor(x), Tensor(y[:1])), equation, Out(result), code=INVALID)
    cases.add("Einsum", Tensors(Tensor(x), Tensor(y[..., :3])), equation, Out(result), code=INVALID)
    cases.add("Einsum", both, equation, Out(result[:1]), code=INVALID)
    cases.add("Einsum", both, equation, Out(result[0]), code=INVALID)
    cases.add("Einsum", Tensors(Tensor(x[:, :, :, :0]), Tensor(y[..., :0])), equation, Out(result), code=INVALID)
    cases.add("Einsum", Tensors(Tensor(x)), equation, Out(result), code=INVALID)
    cases.add("Einsum", Tensors(Tensor(x), Tensor(y), Tensor(y)), equation, Out(result), code=INVALID)
    cases.add("Einsum", Tensors(Tensor(x), Tensor(y.astype(np.float16))), equation, Out(result), code=INVALID)
    cases.add("Einsum", both, equation, Out(result.astype(np.float16)), code=INVALID)
    wrong = Tensors(Tensor(x.astype(np.float64)), Tensor(y.astype(np.float64)))
    cases.add("Einsum", wrong, equation, Out(result.astype(np.float64)), code=INVALID)
    cases.add("Einsum", Tensors(Tensor(x), NULL), equation, Out(result), code=NULLPTR)
    cases.add("Einsum", NULL, equation, Out(result), code=NULLPTR)
    cases.add("Einsum", both, NULL, Out(result), code=NULLPTR)
    cases.add("Einsum", both, equation, NULL, code=NULLPTR)


def refused():
    a, b, out = data("f32", (3, 4)), data("f32", (4, 5)), np.zeros((3, 5), np.float32)
    for operator in ["Mm", "Matmul"]:
        cases.add(operator, NULL, Tensor(b), Out(out), 0, code=NULLPTR)
        cases.add(operator, Tensor(a), Tensor(b), NULL, 0, code=NULLPTR)
        cases.add(operator, Tensor(a.astype(np.float64)), Tensor(b), Out(out), 0, code=INVALID)
        cases.add(operator, Tensor(a), Tensor(b), Out(out.astype(np.int32)), 0, code=INVALID)
        cases.add(operator, Tensor(a), Tensor(b[:3]), Out(out), 0, code=INVALID)
        cases.add(operator, Tensor(a), Tensor(b), Out(out), 5, code=INVALID)
        cases.add(operator, Tensor(a), Tensor(b), Out(out), -2, code=INVALID)
        cases.add(operator, Tensor(a), Tensor(b), Out(out), -1, code=INVALID, product="Ascend950")
        cases.add(operator, Tensor(a), Tensor(b), Out(out), 0, code=INVALID, product="Ascend910")
        half = [Tensor(a.astype(np.float16)), Tensor(b.astype(np.float16))]
        cases.add(operator, *half, Out((a @ b).astype(np.float16)), 3, product="Ascend910")
        cases.add(operator, Tensor(a), Tensor(b), Out(a @ b), 1, product="Ascend310P")
        bf16 = [Tensor(a.astype(ml_dtypes.bfloat16)), Tensor(b.astype(ml_dtypes.bfloat16))]
        cases.add(operator, *bf16, Out(out), 0, code=INVALID, product="Ascend910")
    cases.add("Mm", Tensor(a), Tensor(b), Out(out[:2]), 0, code=INVALID)
    cases.add("Mm", Tensor(a), Tensor(b[:, 0].copy()), Out(out[:, 0].copy()), 0, code=INVALID)
    # The library does not compare shapes: another one with as many elements is filled in order.
    cases.add("Matmul", Tensor(a), Tensor(b), Out((a @ b).reshape(5, 3)), 0)
    cases.add("Matmul", Tensor(a), Tensor(b), Out(out[:2]), 0, code=INNER)
    cases.add("Matmul", Tensor(np.float32(1)), Tensor(b), Out(out), 0, code=INVALID)
    cases.add("Matmul", Tensor(np.zeros((1,) * 7, np.float32)), Tensor(b), Out(out), 0, code=INVALID)
    cases.add("BatchMatMul", Tensor(np.zeros((2, 3, 4), np.float32)), Tensor(np.zeros((3, 4, 5), np.float32)), Out(np.zeros((3, 3, 5), np.float32)), 0, code=INVALID)
    cases.add("Mv", Tensor(a), Tensor(a[0].copy()), Out(out[:, 0].astype(np.float16)), 0, code=INVALID)
    cases.add("Mv", Tensor(a), Tensor(a[0].copy()), Out(out[:2, 0].copy()), 0, code=INVALID)
    cases.add("Dot", Tensor(a[0]), Tensor(a[1, :3]), Out(np.float32(0)), code=INVALID)
    cases.add("Dot", Tensor(a[0]), Tensor(a[1]), Out(np.zeros(1, np.float32)), code=INVALID)
    one = Scalar(1, "f32")
    cases.add("Addmm", Tensor(out), Tensor(a), Tensor(b), NULL, one, Out(out), 0, code=NULLPTR)
    cases.add("Addmm", Tensor(np.float32(1)), Tensor(a), Tensor(b), one, one, Out(out), 0, code=INVALID)
    cases.add("Addmm", Tensor(out[:2].copy()), Tensor(a), Tensor(b), one, one, Out(out), 0, code=INVALID)
    cases.add("InplaceAddmm", InOut(out[0].copy(), out[0].copy()), Tensor(a), Tensor(b), one, one, 0, code=INVALID)
    cases.add("Ger", Tensor(a[0].astype(ml_dtypes.bfloat16)), Tensor(b[0]), Out(np.zeros((4, 5), np.float32)), code=INVALID)
    cases.add("Ger", Tensor(a[0]), Tensor(b[0]), Out(np.zeros((4, 5), np.int32)), code=INVALID)
    weight = a.astype(np.float16)
    cases.add("TransMatmulWeight", InOut(weight, weight))
    for name in ["bf16", "i8", "u8", "f8e4m3fn"]:
        weight = data("i8", (4, 6), low=0, high=9).astype(kind(name))
        cases.add("TransMatmulWeight", InOut(weight, weight))
    # A weight may keep its format when it is brought into a layout of its own; a test of the emulator has others.
    half, wide_half = a.astype(np.float16), b.astype(np.float16)
    product = (half.astype(np.float64) @ wide_half.astype(np.float64)).astype(np.float16)
    cases.add("MatmulWeightNz", Tensor(half), Tensor(wide_half), Out(product), 0)
    cases.add("BatchMatMulWeightNz", Tensor(half[None]), Formatted("ND", Tensor(wide_half[None])), Out(product[None]), 0)
    scalar, zeros = Scalar(1, "f32"), np.zeros_like(product)
    cases.add("AddmmWeightNz", Tensor(zeros), Tensor(half), Tensor(wide_half), scalar, scalar, Out(product), 0)
    cases.add("TransMatmulWeight", InOut(a, a), code=INVALID)
    cases.add("TransMatmulWeight", InOut(weight[0].copy(), weight[0].copy()), code=INVALID)


products()
outer()
sums()
einsums()
refused()
cases.write("matrix")
