"""Cases of linear algebra: factors of matrices, determinants, equations with a triangle, distances.

References: PyTorch, NumPy, SciPy.

References compute in f64, or complex numbers in pairs of f64, and are rounded to the type of the output. So does the emulator,
in another order: results of f32 and halves are the same but for a last bit where a sum lies between two numbers; those of
f64 differ by the condition of the matrices, which are made so that it is below 100. Singular vectors have free signs, so
that any are accepted here; a test of the emulator multiplies them. Writes cann-stubs/tests/data/linalg.cases. Which types an
operator takes and gives is retyped here from CANN's public description and not read from the declarations.

    python xtask/golden/linalg.py
"""

import warnings

import ml_dtypes
import numpy as np
import scipy.spatial.distance
import torch

from cases import COMPLEX, FLOATS, INTEGERS, NULL, Cases, Out, Scalar, Tensor, kind

warnings.filterwarnings("ignore")
np.seterr(all="ignore")
INVALID, NULLPTR, INNER = 161002, 161001, 561103
ULPS = {"f32": 1, "f16": 1, "bf16": 1, "f64": 4096, "c64": 2, "c128": 8192}
ANY = float("inf")

F3 = ["f32", "f16", "bf16"]
FACTORED = ["f32", "f64", "c64", "c128"]
cases = Cases()


def data(name, shape, seed=1, low=-2.0, high=2.0):
    random = np.random.default_rng(seed + sum(map(ord, name)) + 7 * sum(shape))
    if name == "bool":
        return random.uniform(size=shape) > 0.4
    if name in INTEGERS:
        limits = np.iinfo(kind(name))
        return random.integers(limits.min, limits.max, size=shape, dtype=kind(name), endpoint=True)
    x = random.uniform(low, high, size=shape)
    if name in COMPLEX:
        x = x + 1j * random.uniform(low, high, size=shape)
    return x.astype(kind(name))


def regular(name, shape, seed=1):
    """Matrices that are far from singular, with their rows in any order."""
    x = wide(data(name, shape, seed, -1.0, 1.0)) + shape[-1] * np.eye(*shape[-2:])
    return x[..., np.random.default_rng(seed).permutation(shape[-2]), :].astype(kind(name))


def wide(x):
    return np.asarray(x).astype(np.complex128 if np.iscomplexobj(x) else np.float64)


def kept(x, name):
    """A result in the type of an output; of a complex number the real part."""
    x = np.asarray(x)
    if name not in COMPLEX and np.iscomplexobj(x):
        x = x.real
    return x.astype(kind(name))


def out(x, name):
    return Out(kept(x, name), ULPS.get(name, 0))


def tensor(x):
    return torch.from_numpy(np.ascontiguousarray(wide(x)))


SQUARES = [(1, 1), (2, 2), (7, 7), (2, 3, 3), (2, 1, 3, 4, 4), (20, 20)]


def inverses():
    for name in ["f32", "f16", "f64", "c64", "c128"]:
        for shape in SQUARES[:-1] if name in ("c64", "f64") else SQUARES:
            x = regular(name, shape)
            cases.add("Inverse", Tensor(x), out(np.linalg.inv(wide(x)), name))
        cases.add("Inverse", Tensor(np.zeros((0, 3), kind(name))), Out(np.zeros((0, 3), kind(name))))
        cases.add("Inverse", Tensor(np.zeros((2, 0, 0), kind(name))), Out(np.zeros((2, 0, 0), kind(name))))
        cases.add("Inverse", Tensor(np.zeros((0,), kind(name))), Out(np.zeros((0,), kind(name))))
    exact = np.array([[0, 4, 0], [-2, 0, 0], [0, 0, 0.5]])
    for name in ["f32", "f16", "f64", "c64"]:
        for to in ["f32", "f16", "bf16", "f64", "c64", "c128"]:
            if name in COMPLEX and to not in COMPLEX:
                cases.add("Inverse", Tensor(exact.astype(kind(name))), Out(exact.astype(kind(to))), code=INVALID)
            else:
                cases.add("Inverse", Tensor(exact.astype(kind(name))), Out(np.linalg.inv(exact).astype(kind(to))))
    nan = np.array([[1, 2], [np.nan, 3]], np.float32)
    cases.add("Inverse", Tensor(nan), Out(np.full((2, 2), np.nan, np.float32)))
    x = regular("f32", (3, 3))
    cases.add("Inverse", NULL, Out(x), code=NULLPTR)
    cases.add("Inverse", Tensor(x), NULL, code=NULLPTR)
    cases.add("Inverse", Tensor(x.astype(np.int32)), Out(x), code=INVALID)
    cases.add("Inverse", Tensor(x.astype(ml_dtypes.bfloat16)), Out(x), code=INVALID)
    cases.add("Inverse", Tensor(x), Out(x.astype(np.int32)), code=INVALID)
    cases.add("Inverse", Tensor(x), Out(x[:2]), code=INVALID)
    cases.add("Inverse", Tensor(x[:2]), Out(x[:2]), code=INVALID)
    cases.add("Inverse", Tensor(x[0]), Out(x[0]), code=INVALID)
    nine = np.ones((1,) * 9, np.float32)
    cases.add("Inverse", Tensor(nine), Out(nine), code=INVALID)


def triangles():
    modes = {0: "reduced", 1: "complete", 2: "r", 7: "reduced"}
    for name in ["f32", "f16", "f64", "c64", "c128"]:
        for shape in [(1, 1), (3, 3), (5, 3), (3, 5), (1, 4), (4, 1), (2, 3, 4), (2, 1, 4, 2), (12, 9)]:
            x = data(name, shape)
            for mode, named in modes.items():
                if mode == 7 and shape != (5, 3):
                    continue
                q, r = torch.linalg.qr(tensor(x), named)
                q = Out(np.zeros(0, kind(name))) if mode == 2 else out(q.numpy(), name)
                cases.add("LinalgQr", Tensor(x), mode, q, out(r.numpy(), name))
                if mode < 2:
                    cases.add("Qr", Tensor(x), mode == 0, q, out(r.numpy(), name))
    # What is a triangle already keeps its signs, but for a column whose element below the diagonal is not 0.
    triangle = np.array([[-2, 3, 1], [0, -4, 0.5], [0, 0, 5]], np.float32)
    q, r = torch.linalg.qr(tensor(triangle))
    cases.add("LinalgQr", Tensor(triangle), 0, out(q.numpy(), "f32"), out(r.numpy(), "f32"))
    for first in [0.0, -1.0]:
        x = np.array([[first, 1], [4, 2]])
        q, r = torch.linalg.qr(tensor(x))
        for of_q, of_r in [("f64", "f64"), ("f32", "f16"), ("c64", "c128"), ("f16", "f64")]:
            to_q, to_r = kept(q.numpy(), of_q), kept(r.numpy(), of_r)
            cases.add("LinalgQr", Tensor(x), 0, Out(to_q, ULPS[of_q]), Out(to_r, ULPS[of_r]))
    turning = np.array([[1j, 2], [3, 1 - 1j]])
    q, r = torch.linalg.qr(tensor(turning))
    cases.add("LinalgQr", Tensor(turning), 0, out(q.numpy(), "c128"), out(r.numpy(), "c64"))
    # A Cast of complex numbers keeps the real part.
    cases.add("LinalgQr", Tensor(turning), 0, out(q.numpy(), "f64"), out(r.numpy(), "f64"))
    nan = np.array([[1, 2], [np.nan, 3]], np.float32)
    cases.add("LinalgQr", Tensor(nan), 0, Out(np.full((2, 2), np.nan, np.float32)), Out(np.array([[np.nan, np.nan], [0, np.nan]], np.float32)))
    empty = np.zeros((3, 0), np.float32)
    cases.add("LinalgQr", Tensor(empty), 0, Out(empty), Out(np.zeros((0, 0), np.float32)))
    x, q, r = (np.zeros(shape, np.float32) for shape in [(5, 3), (5, 3), (3, 3)])
    for operator, mode in [("LinalgQr", 0), ("Qr", True)]:
        cases.add(operator, NULL, mode, Out(q), Out(r), code=INNER)
        cases.add(operator, Tensor(x), mode, NULL, Out(r), code=INNER)
        cases.add(operator, Tensor(x), mode, Out(q), NULL, code=INNER)
        cases.add(operator, Tensor(x.astype(np.int32)), mode, Out(q), Out(r), code=INVALID)
        cases.add(operator, Tensor(x), mode, Out(q.astype(ml_dtypes.bfloat16)), Out(r), code=INVALID)
        cases.add(operator, Tensor(x), mode, Out(np.zeros((5, 5), np.float32)), Out(r), code=INVALID)
        cases.add(operator, Tensor(x), mode, Out(q), Out(x), code=INVALID)
        cases.add(operator, Tensor(x[0]), mode, Out(q), Out(r), code=INVALID)
    cases.add("LinalgQr", Tensor(x), 2, Out(q), Out(r), code=INVALID)


def determinants():
    for name in FACTORED:
        logarithms = name
        for shape in SQUARES:
            if name in ("c64", "f64") and shape[-1] > 9:
                continue
            x = regular(name, shape)
            sign, logarithm = np.linalg.slogdet(wide(x))
            cases.add("Slogdet", Tensor(x), out(sign, name), out(logarithm, name))
            whole = torch.logdet(tensor(x)).numpy()
            cases.add("Logdet", Tensor(x), out(whole, name))
        singular = np.array([[1, 2], [2, 4]]).astype(kind(name))
        cases.add("Slogdet", Tensor(singular), Out(kind(name)(0)), Out(kind(name)(-np.inf)))
        if name == "f64":
            # Matrices with a row that is a sum of others: whether they are found to be singular depends on roundings.
            random = np.random.default_rng(7)
            for n in [2, 3, 4, 5] * 10:
                x = random.integers(-5, 6, (n, n)).astype(np.float64)
                x[random.integers(n)] = x[0] * random.integers(-2, 3) + x[-1]
                for given in [x, x.T.copy()]:
                    sign, logarithm = np.linalg.slogdet(given)
                    cases.add("Slogdet", Tensor(given), Out(sign), Out(logarithm, ulps=2))
        turned = np.array([[0, 2], [2, 0]]).astype(kind(name))
        cases.add("Slogdet", Tensor(turned), Out(kind(name)(-1)), out(np.log(4.0), name))
        cases.add("Logdet", Tensor(turned), out(torch.logdet(tensor(turned)).numpy(), name))
        empty = np.zeros((0, 3, 3), kind(name))
        cases.add("Slogdet", Tensor(empty), Out(np.zeros(0, kind(name))), Out(np.zeros(0, kind(name))))
        cases.add("Logdet", Tensor(empty), Out(np.zeros(0, kind(name))))
    cases.add("Logdet", Tensor(np.array([[1, 2], [2, 4]], np.float32)), Out(np.float32(-np.inf)))
    cases.add("Logdet", Tensor(-np.eye(3, dtype=np.float32)), Out(np.float32(np.nan)))
    # More axes than other operators have, and outputs of other types.
    x = regular("f32", (1,) * 7 + (2, 3, 3))
    sign, logarithm = np.linalg.slogdet(wide(x))
    cases.add("Slogdet", Tensor(x), Out(sign.astype(np.complex128)), Out(logarithm.astype(np.complex64), 1))
    cases.add("Logdet", Tensor(np.eye(2)), Out(np.float32(0)))
    x, one = regular("f32", (3, 3)), np.float32(0)
    for operator, outs in [("Slogdet", 2), ("Logdet", 1)]:
        plain = [Out(one)] * outs
        cases.add(operator, NULL, *plain, code=NULLPTR)
        cases.add(operator, Tensor(x), *plain[1:], NULL, code=NULLPTR)
        cases.add(operator, Tensor(x.astype(np.float16)), *plain, code=INVALID)
        cases.add(operator, Tensor(x.astype(np.complex64)), *plain, code=INVALID)
        cases.add(operator, Tensor(x), *plain[1:], Out(np.float16(0)), code=INVALID)
        cases.add(operator, Tensor(x), *plain[1:], Out(np.zeros(1, np.float32)), code=INVALID)
        cases.add(operator, Tensor(x[:2]), *plain, code=INVALID)
        cases.add(operator, Tensor(x[0]), *plain, code=INVALID)


def choleskys():
    for name in F3:
        for shape in SQUARES:
            x = wide(data(name, shape, low=-1.0, high=1.0))
            x = (x @ x.swapaxes(-1, -2) / shape[-1] + np.eye(shape[-1])).astype(kind(name))
            lower = np.linalg.cholesky(wide(x))
            cases.add("LinalgCholesky", Tensor(x), False, out(lower, name))
            # Only the lower half is read.
            half = (np.tril(wide(x)) + np.triu(np.full(shape, np.nan), 1)).astype(kind(name))
            cases.add("LinalgCholesky", Tensor(half), True, out(lower.swapaxes(-1, -2), name))
    x = np.eye(3, dtype=np.float32)
    cases.add("LinalgCholesky", Tensor(x[:0]), False, Out(x[:0]))
    cases.add("LinalgCholesky", NULL, False, Out(x), code=NULLPTR)
    cases.add("LinalgCholesky", Tensor(x), False, NULL, code=NULLPTR)
    cases.add("LinalgCholesky", Tensor(x), False, Out(x), code=INVALID, product="Ascend910")
    cases.add("LinalgCholesky", Tensor(x), False, Out(x), code=INVALID, product="Ascend310P")
    cases.add("LinalgCholesky", Tensor(x), False, Out(x), product="Ascend950")
    cases.add("LinalgCholesky", Tensor(x.astype(np.float64)), False, Out(x.astype(np.float64)), code=INVALID)
    cases.add("LinalgCholesky", Tensor(x), False, Out(x.astype(np.float16)), code=INVALID)
    cases.add("LinalgCholesky", Tensor(x), False, Out(x[:2]), code=INVALID)
    cases.add("LinalgCholesky", Tensor(x[:2]), False, Out(x[:2]), code=INVALID)
    cases.add("LinalgCholesky", Tensor(x[0]), False, Out(x[0]), code=INVALID)


def singular_values():
    for name in FACTORED:
        for shape in [(1, 1), (4, 4), (5, 3), (3, 5), (2, 3, 4), (2, 1, 4, 1), (12, 9)]:
            x = data(name, shape)
            m, n = shape[-2:]
            k, batch = min(m, n), shape[:-2]
            sigma = np.linalg.svd(wide(x), compute_uv=False)
            for full in [False, True]:
                u, v = ((m, m), (n, n)) if full else ((m, k), (n, k))
                cases.add("Svd", Tensor(x), full, True, out(sigma, name), Out(np.zeros(batch + u, kind(name)), ANY), Out(np.zeros(batch + v, kind(name)), ANY))
            untouched = np.zeros((0,), kind(name))
            cases.add("Svd", Tensor(x), False, False, out(sigma, name), Out(untouched), Out(untouched))
        cases.add("Svd", Tensor(np.zeros((3, 2), kind(name))), True, True, Out(np.zeros(2, kind(name))), Out(np.eye(3).astype(kind(name)), ANY), Out(np.eye(2).astype(kind(name)), ANY))
        empty = np.zeros((0, 3), kind(name))
        cases.add("Svd", Tensor(empty), False, True, Out(np.zeros(0, kind(name))), Out(np.zeros((0, 0), kind(name))), Out(empty.T))
    diagonal = np.array([[0, -3, 0], [0.5, 0, 0]], np.float32)
    # Squares of these elements are no numbers of f64.
    for factor in [1e-170, 1e-310, 1e160]:
        x = factor * np.array([[1.0, 1.0], [1.0, 1.0], [2.0, 1.0]])
        sigma = np.linalg.svd(x, compute_uv=False)
        cases.add("Svd", Tensor(x), False, True, out(sigma, "f64"), Out(np.zeros((3, 2)), ANY), Out(np.zeros((2, 2)), ANY))
    cases.add("Svd", Tensor(diagonal), False, True, Out(np.float32([3, 0.5])), Out(np.zeros((2, 2), np.float32), ANY), Out(np.zeros((3, 2), np.float32), ANY))
    x, s, u, v = (np.zeros(shape, np.float32) for shape in [(5, 3), 3, (5, 3), (3, 3)])
    for broken in range(3):
        outs = [Out(s), Out(u), Out(v)]
        cases.add("Svd", Tensor(x), False, True, *outs[:broken], NULL, *outs[broken + 1 :], code=NULLPTR)
        other = Out(outs[broken].array.astype(np.float64))
        cases.add("Svd", Tensor(x), False, True, *outs[:broken], other, *outs[broken + 1 :], code=INVALID)
        other = Out(np.zeros((7, 7), np.float32))
        cases.add("Svd", Tensor(x), False, True, *outs[:broken], other, *outs[broken + 1 :], code=INVALID)
    cases.add("Svd", Tensor(x), True, True, Out(s), Out(u), Out(v), code=INVALID)
    cases.add("Svd", Tensor(x.astype(np.float16)), False, True, Out(s), Out(u), Out(v), code=INVALID)
    cases.add("Svd", Tensor(s), False, True, Out(s), Out(u), Out(v), code=INVALID)
    cases.add("Svd", NULL, False, True, Out(s), Out(u), Out(v), code=NULLPTR)


def solved():
    shapes = [((3, 2), (3, 3)), ((1, 1), (1, 1)), ((7, 5), (7, 7)), ((2, 1, 4, 2), (2, 1, 4, 4))]
    broadcast = [((3, 2), (2, 3, 3)), ((2, 3, 2), (1, 3, 3)), ((4, 1, 3, 1), (2, 3, 3))]
    for name in FACTORED:
        for sides, square in shapes + broadcast:
            b, a = data(name, sides), regular(name, square, seed=3)
            batch = np.broadcast_shapes(sides[:-2], square[:-2])
            for upper in [False, True]:
                for transpose in [False, True]:
                    a = (wide(data(name, square, seed=3)) + 3 * np.eye(square[-1])).astype(kind(name))
                    matrix = np.triu(wide(a)) if upper else np.tril(wide(a))
                    # The other half is not read.
                    a = np.where(np.triu(np.ones(square), 1) if not upper else np.tril(np.ones(square), -1), np.nan, a).astype(kind(name))
                    for ones in [False, True] if name == "f32" else [False]:
                        if ones:
                            matrix = matrix - np.eye(square[-1]) * matrix + np.eye(square[-1])
                        turned = matrix.swapaxes(-1, -2) if transpose else matrix
                        x = np.linalg.solve(np.broadcast_to(turned, batch + turned.shape[-2:]), np.broadcast_to(wide(b), batch + sides[-2:]))
                        copied = np.broadcast_to(a, batch + square[-2:])
                        plain = [Tensor(b), Tensor(a), upper, transpose, ones, out(x, name)]
                        cases.add("TriangularSolve", *plain, Out(copied))
                        if batch == square[:-2]:
                            cases.add("TriangularSolve", *plain, NULL)
                        else:
                            cases.add("TriangularSolve", *plain, NULL, code=INNER)
        empty = np.zeros((0, 2), kind(name))
        cases.add("TriangularSolve", Tensor(empty), Tensor(np.zeros((0, 0), kind(name))), False, False, False, Out(empty), NULL)
    zero = np.array([[0, 0], [1, 1]], np.float32)
    cases.add("TriangularSolve", Tensor(np.float32([[2, -2], [1, 1]])), Tensor(zero), False, False, False, Out(np.float32([[np.inf, -np.inf], [-np.inf, np.inf]])), NULL)
    b, a = data("f32", (3, 2)), regular("f32", (3, 3))
    flags = [False, False, False]
    cases.add("TriangularSolve", NULL, Tensor(a), *flags, Out(b), NULL, code=INNER)
    cases.add("TriangularSolve", Tensor(b), NULL, *flags, Out(b), NULL, code=INNER)
    cases.add("TriangularSolve", Tensor(b), Tensor(a), *flags, NULL, NULL, code=INNER)
    cases.add("TriangularSolve", Tensor(b), Tensor(a.astype(np.float64)), *flags, Out(b), NULL, code=INVALID)
    cases.add("TriangularSolve", Tensor(b), Tensor(a), *flags, Out(b.astype(np.float64)), NULL, code=INVALID)
    cases.add("TriangularSolve", Tensor(b), Tensor(a), *flags, Out(b), Out(a.astype(np.float64)), code=INVALID)
    cases.add("TriangularSolve", Tensor(b), Tensor(a), *flags, Out(b), Out(a[:2]), code=INVALID)
    cases.add("TriangularSolve", Tensor(b), Tensor(a), *flags, Out(a), NULL, code=INVALID)
    cases.add("TriangularSolve", Tensor(b[:2]), Tensor(a), *flags, Out(b[:2]), NULL, code=INVALID)
    cases.add("TriangularSolve", Tensor(b), Tensor(a[:, :2]), *flags, Out(b), NULL, code=INVALID)
    cases.add("TriangularSolve", Tensor(b[:, 0]), Tensor(a), *flags, Out(b[:, 0]), NULL, code=INVALID)
    cases.add("TriangularSolve", Tensor(b.astype(np.float64)), Tensor(a.astype(np.float64)), False, False, True, Out(b.astype(np.float64)), NULL, code=INVALID)
    cases.add("TriangularSolve", Tensor(b.astype(np.float16)), Tensor(a.astype(np.float16)), *flags, Out(b.astype(np.float16)), NULL, code=INVALID)


def vectors():
    names = [*F3, "f64", *INTEGERS, *COMPLEX]
    for name in names:
        for first, second, dim, axis in [
            ((3,), (3,), 0, 0), ((3,), (3,), -1, 0), ((4, 3), (4, 3), 1, 1), ((3, 4), (3, 4), 0, 0), ((3, 4), (3, 1), -2, 0), ((3, 2), (5, 3, 2), 0, 1),
            ((5, 3, 2), (3, 2), 1, 1), ((1, 4), (3, 4), 0, 0), ((2, 3, 1, 4), (1, 3, 5, 1), -3, 1), ((3,), (2, 3), -1, 1),
        ]:
            a, b = data(name, first), data(name, second, seed=2)
            shape = np.broadcast_shapes(first, second)
            x, y = (np.moveaxis(np.broadcast_to(one if name in INTEGERS else wide(one), shape), axis, -1) for one in (a, b))
            result = np.stack([x[..., (i + 1) % 3] * y[..., (i + 2) % 3] - x[..., (i + 2) % 3] * y[..., (i + 1) % 3] for i in range(3)], -1)
            cases.add("LinalgCross", Tensor(a), Tensor(b), dim, out(np.moveaxis(result, -1, axis), name))
        empty = np.zeros((0, 3), kind(name))
        cases.add("LinalgCross", Tensor(empty), Tensor(empty), 1, Out(empty))
    a = data("f32", (4, 3))
    cases.add("LinalgCross", NULL, Tensor(a), 1, Out(a), code=NULLPTR)
    cases.add("LinalgCross", Tensor(a), NULL, 1, Out(a), code=NULLPTR)
    cases.add("LinalgCross", Tensor(a), Tensor(a), 1, NULL, code=NULLPTR)
    cases.add("LinalgCross", Tensor(a), Tensor(a), 0, Out(a), code=INVALID)
    cases.add("LinalgCross", Tensor(a), Tensor(a), 2, Out(a), code=INVALID)
    cases.add("LinalgCross", Tensor(a), Tensor(a), -3, Out(a), code=INVALID)
    # The number of the axis is one of self.
    cases.add("LinalgCross", Tensor(a[0]), Tensor(a), 1, Out(a), code=INVALID)
    cases.add("LinalgCross", Tensor(a), Tensor(a.astype(np.float64)), 1, Out(a), code=INVALID)
    cases.add("LinalgCross", Tensor(a), Tensor(a), 1, Out(a.astype(np.float64)), code=INVALID)
    cases.add("LinalgCross", Tensor(a), Tensor(a), 1, Out(a[:2]), code=INVALID)
    cases.add("LinalgCross", Tensor(a), Tensor(a[:2]), 1, Out(a), code=INVALID)
    cases.add("LinalgCross", Tensor(a > 0), Tensor(a > 0), 1, Out(a > 0), code=INVALID)
    half = a.astype(ml_dtypes.bfloat16)
    cases.add("LinalgCross", Tensor(half), Tensor(half), 1, Out(half), code=INVALID, product="Ascend910")

    for name in [*names, "bool"]:
        to = "i64" if name in INTEGERS or name == "bool" else name
        for shape in [(1, 1), (3, 3), (2, 5), (5, 2), (0, 3), (3, 0), (20, 21)]:
            x = data(name, shape)
            with np.errstate(over="ignore"):
                total = np.trace(x.astype(np.int64) if to == "i64" else wide(x)) if min(shape) else 0
            cases.add("Trace", Tensor(x), Out(np.asarray(total).astype(kind(to)), ULPS.get(name, 0)))
    x, one = data("f32", (3, 3)), np.float32(0)
    cases.add("Trace", NULL, Out(one), code=NULLPTR)
    cases.add("Trace", Tensor(x), NULL, code=NULLPTR)
    cases.add("Trace", Tensor(x), Out(np.float64(0)), code=INVALID)
    cases.add("Trace", Tensor(x.astype(np.int32)), Out(np.int32(0)), code=INVALID)
    cases.add("Trace", Tensor(x[0]), Out(one), code=INVALID)
    cases.add("Trace", Tensor(x[None]), Out(one), code=INVALID)
    cases.add("Trace", Tensor(x), Out(np.zeros(1, np.float32)), code=INVALID)
    cases.add("Trace", Tensor(x.astype(np.uint16)), Out(np.int64(0)), code=INVALID)


EXPONENTS = [0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 7.25, float("inf")]


def distances():
    for name in F3:
        for p in EXPONENTS:
            for first, second in [((4, 3), (5, 3)), ((1, 1), (1, 1)), ((2, 4, 3), (2, 5, 3)), ((4, 3), (2, 5, 3)), ((3, 1, 2, 5), (1, 2, 4, 5)), ((3, 0), (2, 0)), ((0, 2), (3, 2))]:
                a, b = data(name, first), data(name, second, seed=2)
                if first == (4, 3):
                    b[..., 1, :] = a[2]
                    b[..., 0, 0] = a[0, 0]
                x, y = tensor(a).requires_grad_(), tensor(b)
                d = torch.cdist(x, y, p=p, compute_mode="donot_use_mm_for_euclid_dist")
                cases.add("Cdist", Tensor(a), Tensor(b), p, 2 if p == 2 else 0, out(d.detach().numpy(), name))
                if min(first) and min(second):
                    rounded = kept(d.detach().numpy(), name)
                    gradient = data(name, tuple(d.shape), seed=5)
                    batch = np.broadcast_shapes(first[:-2], second[:-2])
                    spread = [one.detach().expand(batch + tuple(one.shape[-2:])) for one in (x, y)]
                    # In f64 no difference is equal to a largest one that is rounded.
                    result = torch.ops.aten._cdist_backward(tensor(gradient), *spread, p, d.detach() if np.isinf(p) else tensor(rounded))
                    cases.add("CdistBackward", Tensor(gradient), Tensor(a), Tensor(b), Tensor(rounded), p, out(result.numpy(), name))
    for name in ["f32", "f16"]:
        for p in EXPONENTS:
            for shape in [(4, 3), (1, 3), (0, 3), (3, 0), (2, 1), (9, 5)]:
                x = data(name, shape)
                if shape == (4, 3):
                    x[3] = x[1]
                result = torch.nn.functional.pdist(tensor(x), p).numpy() if shape[1] else np.zeros(3)
                cases.add("Pdist", Tensor(x), p, out(result, name))
                cases.add("PdistForward", Tensor(x), Scalar(p, "f32"), out(result, name))
    x = data("f32", (5, 4))
    cases.add("Pdist", Tensor(x), 2.0, out(scipy.spatial.distance.pdist(wide(x)), "f32"))
    cases.add("PdistForward", Tensor(x), Scalar(2, "i32"), out(scipy.spatial.distance.pdist(wide(x)), "f32"))
    d = np.zeros(10, np.float32)
    for operator, p, null in [("Pdist", lambda p: p, NULLPTR), ("PdistForward", lambda p: Scalar(p, "f32"), INNER)]:
        cases.add(operator, NULL, p(2.0), Out(d), code=null)
        cases.add(operator, Tensor(x), p(2.0), NULL, code=null)
        cases.add(operator, Tensor(x), p(-1.0), Out(d), code=INVALID)
        cases.add(operator, Tensor(x), p(2.0), Out(d.astype(np.float16)), code=INVALID)
        cases.add(operator, Tensor(x.astype(np.float64)), p(2.0), Out(d.astype(np.float64)), code=INVALID)
        cases.add(operator, Tensor(x), p(2.0), Out(d[:9]), code=INVALID)
        cases.add(operator, Tensor(x[None]), p(2.0), Out(d), code=INVALID)
    cases.add("Pdist", Tensor(x), float("nan"), Out(d), code=INVALID)
    cases.add("PdistForward", Tensor(x), NULL, Out(d), code=INNER)
    y, d = data("f32", (3, 4)), np.zeros((5, 3), np.float32)
    cases.add("Cdist", NULL, Tensor(y), 2.0, 2, Out(d), code=NULLPTR)
    cases.add("Cdist", Tensor(x), Tensor(y), 2.0, 2, NULL, code=NULLPTR)
    for mode in [0, 1]:
        cases.add("Cdist", Tensor(x), Tensor(y), 2.0, mode, Out(d), code=INVALID)
    for p in [-1.0, float("nan")]:
        cases.add("Cdist", Tensor(x), Tensor(y), p, 0, Out(d), code=INVALID)
        cases.add("CdistBackward", Tensor(d), Tensor(x), Tensor(y), Tensor(d), p, Out(x), code=INVALID)
    cases.add("Cdist", Tensor(x), Tensor(y[:, :3]), 1.0, 0, Out(d), code=INVALID)
    cases.add("Cdist", Tensor(x), Tensor(y[0]), 1.0, 0, Out(d), code=INVALID)
    cases.add("Cdist", Tensor(x), Tensor(y), 1.0, 0, Out(d.T), code=INVALID)
    cases.add("Cdist", Tensor(x), Tensor(y.astype(np.float16)), 1.0, 0, Out(d), code=INVALID)
    cases.add("Cdist", Tensor(x), Tensor(y), 1.0, 0, Out(d), code=INVALID, product="Ascend910")
    cases.add("Cdist", Tensor(x), Tensor(y), 1.0, 0, out(torch.cdist(tensor(x), tensor(y), p=1.0).numpy(), "f32"), product="Ascend950")
    cases.add("CdistBackward", Tensor(d), Tensor(x), Tensor(y), Tensor(d.T), 1.0, Out(x), code=INVALID)
    cases.add("CdistBackward", Tensor(d), Tensor(x), Tensor(y), Tensor(d), 1.0, Out(y), code=INVALID)
    cases.add("CdistBackward", NULL, Tensor(x), Tensor(y), Tensor(d), 1.0, Out(x), code=NULLPTR)


def distances_that_are_rounded():
    """The largest difference has the gradient, also where the distance is rounded: PyTorch in f32, which rounds differences too."""
    random = np.random.default_rng(3)
    a, b, gradient = (torch.from_numpy(random.uniform(-2, 2, shape).astype(np.float32)) for shape in [(4, 6), (5, 6), (4, 5)])
    d = torch.cdist(a, b, p=float("inf"))
    result = torch.ops.aten._cdist_backward(gradient, a, b, float("inf"), d)
    cases.add("CdistBackward", *[Tensor(one.numpy()) for one in (gradient, a, b, d)], float("inf"), Out(result.numpy(), within=2e-6))


inverses()
triangles()
determinants()
choleskys()
singular_values()
solved()
vectors()
distances()
distances_that_are_rounded()
cases.write("linalg")
