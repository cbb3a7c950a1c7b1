"""Cases of operators of several ranks: products with collectives, and experts that live on several ranks.

A case has a call for each rank of a group, one behind the other; "2 ranks" takes the place of the product, and the text
"group" that of the group's name.

References: NumPy. In f64 by the formulas of CANN's public description; most elements have few digits, so that sums are exact in
every order. Writes cann-stubs/tests/data/joint.cases.

    python xtask/golden/joint.py
"""

import numpy as np

from cases import NULL, Cases, InOut, Ints, Out, Tensor, Text, kind

INVALID, NULLPTR, INNER, MISSING = 161002, 161001, 561000, 561003
HALVES = ["f16", "bf16"]
GROUP, SUM = Text("group"), Text("sum")
f32 = np.float32
cases = Cases()


def data(name, shape, seed, low=-4, high=4):
    """Numbers with few digits."""
    x = np.random.default_rng([seed, *shape]).integers(low, high, size=shape, endpoint=True)
    return (x / 2 if name in HALVES + ["f32"] else x).astype(kind(name))


def wide(x):
    return np.asarray(x).astype(np.float64)


def rounded(x, name):
    return np.asarray(x).astype(f32).astype(kind(name))


def maybe(x):
    return NULL if x is None else Tensor(x)


def together(operator, calls, code=0):
    """The calls of all ranks."""
    for arguments in calls:
        cases.add(operator, *arguments, product=f"{len(calls)} ranks", code=code)


def summed(products, name):
    """The sum of what the ranks have rounded, rounded once."""
    return rounded(sum(wide(rounded(product, name)) for product in products), name)


def all_reduce():
    for ranks in (1, 2, 4):
        for name in HALVES:
            for outer, k, n in [((3,), 5, 7), ((2, 3), 8, 4), ((1,), 1, 1), ((), 6, 5), ((4,), 0, 3)]:
                x1 = [data(name, (*outer, k), 1 + r) for r in range(ranks)]
                x2 = [data(name, (k, n), 11 + r) for r in range(ranks)]
                bias = [data(name, (n,), 21 + r) for r in range(ranks)]
                x3 = [data(name, (*outer, n), 31 + r) for r in range(ranks)]
                plain = [wide(a) @ wide(b) for a, b in zip(x1, x2)]
                biased = [p + wide(b) for p, b in zip(plain, bias)]
                more = [p + wide(c) for p, c in zip(biased, x3)]
                first = lambda r: (Tensor(x1[r]), Tensor(x2[r]))
                out = lambda products: Out(summed(products, name))
                together("MatmulAllReduce", [(*first(r), NULL, GROUP, SUM, 0, 1, out(plain)) for r in range(ranks)])
                together("MatmulAllReduce", [(*first(r), Tensor(bias[r]), GROUP, SUM, 0, 1, out(biased)) for r in range(ranks)])
                both = lambda r: (*first(r), Tensor(bias[r]), Tensor(x3[r]), GROUP, SUM)
                together("MatmulAllReduceV2", [(*both(r), 0, 1, out(more)) for r in range(ranks)])
                together("MatmulAllReduceV3", [(*both(r), Text("aicpu"), 0, 1, out(more)) for r in range(ranks)])
    # A bias on one rank alone counts once. A bias of f32 goes with bf16.
    x1, x2, bias = data("bf16", (2, 3), 1), data("bf16", (3, 4), 2), data("f32", (4,), 3)
    sums = [wide(x1) @ wide(x2) + wide(bias), wide(x1) @ wide(x2)]
    out = Out(summed(sums, "bf16"))
    together("MatmulAllReduce", [(Tensor(x1), Tensor(x2), given, GROUP, SUM, 0, 1, out) for given in (Tensor(bias), NULL)])
    # What a rank gives is rounded before it is added.
    x1, x2 = np.array([[2048.0, 1.0]], np.float16), np.array([[1.0], [1.0]], np.float16)
    together("MatmulAllReduce", [(Tensor(x1), Tensor(x2), NULL, GROUP, SUM, 0, 1, Out(np.array([[4096.0]], np.float16)))] * 2)
    x1, x2 = data("f16", (2, 3), 1), data("f16", (3, 4), 2)
    o = lambda *shape, to="f16": Out(np.zeros(shape, kind(to)))
    def refused(x1=Tensor(x1), x2=Tensor(x2), bias=NULL, group=GROUP, op=SUM, turn=0, mode=1, out=o(2, 4), code=INVALID):
        together("MatmulAllReduce", [(x1, x2, bias, group, op, turn, mode, out)] * 2, code=code)
    refused(x1=NULL, code=NULLPTR)
    refused(x2=NULL, code=NULLPTR)
    refused(out=NULL, code=NULLPTR)
    refused(group=NULL, code=NULLPTR)
    refused(x1=Tensor(data("f32", (2, 3), 1)))
    refused(x2=Tensor(data("bf16", (3, 4), 1)))
    refused(out=o(2, 4, to="bf16"))
    refused(out=o(2, 5))
    refused(out=o(1, 2, 4))
    refused(bias=Tensor(data("f16", (3,), 1)))
    refused(bias=Tensor(data("bf16", (4,), 1)))
    refused(x2=Tensor(data("f16", (4, 4), 1)))
    refused(x1=Tensor(data("f16", (1, 1, 2, 3), 1)), out=o(1, 1, 2, 4), code=INNER)
    refused(op=Text("max"))
    refused(turn=1)
    refused(mode=0)
    refused(group=Text("no group of this name"))
    together("MatmulAllReduce", [(Tensor(x1[:0]), Tensor(x2), NULL, GROUP, SUM, 0, 1, o(0, 4))] * 2)


def quant_all_reduce():
    ranks, m, k, n = 2, 3, 8, 5
    for name in HALVES:
        x1 = [data("i8", (m, k), 1 + r, -9, 9) for r in range(ranks)]
        x2 = [data("i8", (k, n), 11 + r, -9, 9) for r in range(ranks)]
        bias = [data("i32", (n,), 21 + r, -50, 50) for r in range(ranks)]
        x3 = [data(name, (m, n), 31 + r) for r in range(ranks)]
        scale = (np.array([0.5, 0.25, 1.0, 2.0, 0.125])).astype(f32)
        rows = np.array([0.5, 1.0, 0.25], f32)
        plain = [(wide(a) @ wide(b) + wide(c)) * wide(scale) for a, b, c in zip(x1, x2, bias)]
        by_rows = [p * wide(rows)[:, None] + wide(c) for p, c in zip(plain, x3)]
        alone = [(wide(a) @ wide(b)) * 0.5 for a, b in zip(x1, x2)]
        with_x3 = [p + wide(c) for p, c in zip(plain, x3)]
        wanted = lambda products: Out(summed(products, name), 1)
        bits = scale.view(np.uint32).astype(np.uint64)
        first = lambda r: (Tensor(x1[r]), Tensor(x2[r]))
        more = lambda r: (*first(r), Tensor(bias[r]), Tensor(x3[r]))
        end = (GROUP, SUM, 0, 1)
        together("QuantMatmulAllReduce", [(*first(r), Tensor(bias[r]), NULL, Tensor(bits), *end, wanted(plain)) for r in range(ranks)])
        together("QuantMatmulAllReduce", [(*first(r), NULL, NULL, Tensor(np.array([0.5], f32)), *end, wanted(alone)) for r in range(ranks)])
        together("QuantMatmulAllReduce", [(*more(r), Tensor(scale), *end, wanted(with_x3)) for r in range(ranks)])
        together("QuantMatmulAllReduceV2", [(*more(r), Tensor(scale), Tensor(rows), *end, wanted(by_rows)) for r in range(ranks)])
        together("QuantMatmulAllReduceV2", [(*more(r), Tensor(scale), NULL, *end, wanted(with_x3)) for r in range(ranks)])
        together("QuantMatmulAllReduceV3", [(*more(r), Tensor(scale), Tensor(rows), NULL, NULL, *end, wanted(by_rows)) for r in range(ranks)])
        late = lambda r: (*more(r), Tensor(rows), Tensor(scale), NULL, NULL, GROUP, SUM)
        together("QuantMatmulAllReduceV4", [(*late(r), 0, 1, 0, 0, wanted(by_rows)) for r in range(ranks)])
        together("QuantMatmulAllReduceV5", [(*late(r), Text("aicpu"), 0, 1, 0, 0, wanted(by_rows)) for r in range(ranks)])
        comm = Tensor(np.ones(n, kind(name)))
        together("QuantMatmulAllReduceV3", [(*more(r), Tensor(scale), Tensor(rows), comm, comm, *end, wanted(by_rows)) for r in range(ranks)], code=MISSING)
        together("QuantMatmulAllReduceV4", [(*late(r), 0, 1, 32, 0, wanted(by_rows)) for r in range(ranks)], code=INVALID)
        together("QuantMatmulAllReduce", [(*first(r), Tensor(x3[r][0]), NULL, Tensor(scale), *end, wanted(plain)) for r in range(ranks)], code=INVALID)
        together("QuantMatmulAllReduce", [(*first(r), NULL, NULL, NULL, *end, wanted(plain)) for r in range(ranks)], code=NULLPTR)
        together("QuantMatmulAllReduceV2", [(*more(r), Tensor(scale), Tensor(rows[:2]), *end, wanted(by_rows)) for r in range(ranks)], code=INVALID)


def weight_quant_all_reduce():
    ranks, m, n = 2, 3, 6
    for name in HALVES:
        for k, group in [(8, 0), (64, 32)]:
            count = 1 if group == 0 else k // group
            x1 = [data(name, (m, k), 1 + r, -2, 2) for r in range(ranks)]
            x2 = [data("i8", (k, n), 11 + r) for r in range(ranks)]
            shape = (n,) if group == 0 else (count, n)
            scale = (2.0 ** np.random.default_rng(5).integers(-1, 2, size=shape)).astype(kind(name))
            offset = data(name, shape, 6)
            spread = lambda x: np.repeat(wide(x).reshape(count, n), k // count, axis=0)
            x3 = [data(name, (m, n), 31 + r) for r in range(ranks)]
            bias = [data("f32" if name == "bf16" else name, (n,), 21 + r) for r in range(ranks)]
            weights = [(wide(w) + spread(offset)) * spread(scale) for w in x2]
            full = [wide(a) @ w + wide(b) + wide(c) for a, w, b, c in zip(x1, weights, bias, x3)]
            bare = [wide(a) @ (wide(w) * spread(scale)) for a, w in zip(x1, x2)]
            out = lambda products: Out(summed(products, name), 1)
            more = lambda r: (Tensor(x1[r]), Tensor(x2[r]), Tensor(bias[r]), Tensor(scale), Tensor(offset), Tensor(x3[r]), GROUP, SUM)
            less = lambda r: (Tensor(x1[r]), Tensor(x2[r]), NULL, Tensor(scale), NULL, NULL, GROUP, SUM)
            together("WeightQuantMatmulAllReduce", [(*more(r), 0, 1, group, out(full)) for r in range(ranks)])
            together("WeightQuantMatmulAllReduce", [(*less(r), 0, 1, group, out(bare)) for r in range(ranks)])
            together("WeightQuantMatmulAllReduceV2", [(*more(r), Text("aicpu"), 0, 1, group, out(full)) for r in range(ranks)])
            together("WeightQuantMatmulAllReduce", [(*less(r), 0, 1, 7, out(bare)) for r in range(ranks)], code=INVALID)


def norms():
    ranks, m, k, n, eps = 2, 3, 4, 8, 1e-6
    for name in HALVES:
        residual, gamma = data(name, (1, m, n), 41), data(name, (n,), 42)
        x1 = [data(name, (1, m, k), 1 + r) for r in range(ranks)]
        x2 = [data(name, (k, n), 11 + r) for r in range(ranks)]
        i1 = [data("i8", (1, m, k), 1 + r) for r in range(ranks)]
        i2 = [data("i8", (k, n), 11 + r) for r in range(ranks)]
        scale = np.full(n, 0.5, kind(name))
        single = np.full(n, 0.5, f32)
        forms = [
            ("", lambda r: (Tensor(x1[r]), Tensor(x2[r]), NULL), [wide(a) @ wide(b) for a, b in zip(x1, x2)], ()),
            ("Quant", lambda r: (Tensor(i1[r]), Tensor(i2[r]), NULL, Tensor(single)), [wide(a) @ wide(b) / 2 for a, b in zip(i1, i2)], ()),
            ("WeightQuant", lambda r: (Tensor(x1[r]), Tensor(i2[r]), NULL, Tensor(scale), NULL), [wide(a) @ wide(b) / 2 for a, b in zip(x1, i2)], (0,)),
        ]
        for form, first, products, last in forms:
            y = rounded(wide(summed(products, name)) + wide(residual), name)
            normed = wide(y) / np.sqrt((wide(y) ** 2).mean(-1, keepdims=True) + eps) * wide(gamma)
            end = (eps, GROUP, SUM, 0, 1, *last)
            norm = Out(rounded(normed, name), 4)
            together(f"{form}MatmulAllReduceAddRmsNorm", [(*first(r), Tensor(residual), Tensor(gamma), *end, Out(y), norm) for r in range(ranks)])
            together(f"Inplace{form}MatmulAllReduceAddRmsNorm", [(*first(r), InOut(residual, y), Tensor(gamma), *end, norm) for r in range(ranks)])
            together(f"{form}MatmulAllReduceAddRmsNorm", [(*first(r), Tensor(residual), NULL, *end, Out(y), norm) for r in range(ranks)], code=NULLPTR)
            together(f"{form}MatmulAllReduceAddRmsNorm", [(*first(r), Tensor(residual), Tensor(gamma[:-1]), *end, Out(y), norm) for r in range(ranks)], code=INVALID)


def gathers():
    for ranks in (1, 2, 4):
        for name in HALVES:
            m, k, n = 3, 256, 5
            x1 = [data(name, (m, k), 1 + r, -1, 1) for r in range(ranks)]
            x2 = [data(name, (k, n), 11 + r, -1, 1) for r in range(ranks)]
            rows = np.concatenate(x1)
            out = lambda r: Out(rounded(wide(rows) @ wide(x2[r]), name), 1)
            first = lambda r: (Tensor(x1[r]), Tensor(x2[r]))
            together("AllGatherMatmul", [(*first(r), NULL, GROUP, 0, 0, 1, out(r), Out(rows)) for r in range(ranks)])
            together("AllGatherMatmul", [(*first(r), NULL, GROUP, 0, 0, 1, out(r), NULL) for r in range(ranks)])
            floats = (NULL, NULL, NULL, NULL, 0, GROUP, 0, 0, 1, 0, Text("aicpu"))
            together("AllGatherMatmulV2", [(*first(r), *floats, out(r), Out(rows), NULL) for r in range(ranks)])
            i1 = [data("i8", (m, k), 1 + r) for r in range(ranks)]
            i2 = [data("i8", (k, n), 11 + r) for r in range(ranks)]
            of_rows = [2.0 ** -np.arange(m * r, m * r + m, dtype=f32)[:, None] for r in range(ranks)]
            of_columns = np.array([[0.5, 0.25, 1.0, 2.0, 0.125]], f32)
            all_rows = np.concatenate(i1)
            whole = lambda r: Out(rounded(wide(all_rows) @ wide(i2[r]) * wide(np.concatenate(of_rows)) * wide(of_columns), name), 1)
            scales = lambda r: (NULL, Tensor(of_rows[r]), Tensor(of_columns), NULL, 0, GROUP, 0, 0, 1, 0, Text("aiv"))
            together("AllGatherMatmulV2", [(Tensor(i1[r]), Tensor(i2[r]), *scales(r), whole(r), Out(all_rows), NULL) for r in range(ranks)])
            if ranks == 1:
                continue
            refused = lambda code=INVALID, bias=NULL, index=0, k=k: together(
                "AllGatherMatmul",
                [(Tensor(x1[r][:, :k]), Tensor(x2[r][:k]), bias, GROUP, index, 0, 1, out(r), NULL) for r in range(ranks)], code=code
            )
            refused(index=1)
            refused(k=255)
            refused(bias=Tensor(data(name, (n,), 1)))
    for ranks in (1, 2, 4):
        for name in HALVES:
            m, k, n = 8, 6, 5
            x1 = [data(name, (m, k), 1 + r) for r in range(ranks)]
            x2 = [data(name, (k, n), 11 + r) for r in range(ranks)]
            whole = summed([wide(a) @ wide(b) for a, b in zip(x1, x2)], name)
            part = lambda whole, r: Out(whole[r * m // ranks:(r + 1) * m // ranks], 1)
            first = lambda r: (Tensor(x1[r]), Tensor(x2[r]))
            together("MatmulReduceScatter", [(*first(r), NULL, GROUP, SUM, 0, 1, part(whole, r)) for r in range(ranks)])
            floats = (NULL, NULL, NULL, NULL, 0, GROUP, SUM, 0, 1, 0, Text("aicpu"))
            together("MatmulReduceScatterV2", [(*first(r), *floats, part(whole, r), NULL) for r in range(ranks)])
            i1 = [data("i8", (m, k), 1 + r) for r in range(ranks)]
            i2 = [data("i8", (k, n), 11 + r) for r in range(ranks)]
            of_rows, of_columns = 2.0 ** -np.arange(m, dtype=f32), np.array([0.5, 0.25, 1.0, 2.0, 0.125], f32)
            sums = summed([wide(a) @ wide(b) * wide(of_rows)[:, None] * wide(of_columns) for a, b in zip(i1, i2)], name)
            scales = (NULL, Tensor(of_rows), Tensor(of_columns), NULL, 0, GROUP, SUM, 0, 1, 0, Text("aiv"))
            together("MatmulReduceScatterV2", [(Tensor(i1[r]), Tensor(i2[r]), *scales, part(sums, r), NULL) for r in range(ranks)])
            if ranks == 2:
                odd = lambda r: (Tensor(x1[r][:7]), Tensor(x2[r]), NULL, GROUP, SUM, 0, 1, part(whole, r))
                together("MatmulReduceScatter", [odd(r) for r in range(ranks)], code=INVALID)
                other = lambda r: (*first(r), NULL, GROUP, Text("max"), 0, 1, part(whole, r))
                together("MatmulReduceScatter", [other(r) for r in range(ranks)], code=INVALID)


def exchanges():
    for ranks in (1, 2, 4):
        for name in HALVES:
            m, k, n = 8, 3, 4
            x1 = [data(name, (m, k), 1 + r) for r in range(ranks)]
            x2 = [data(name, (k * ranks, n), 11 + r) for r in range(ranks)]
            bias = [data(name, (n,), 21 + r) for r in range(ranks)]
            part = m // ranks
            beside = lambda r: np.concatenate([x[r * part:(r + 1) * part] for x in x1], axis=1)
            product = lambda r: wide(beside(r)) @ wide(x2[r])
            axes = Ints([-2, -1])
            plain = lambda r: Out(rounded(product(r), name))
            biased = lambda r: Out(rounded(product(r) + wide(bias[r]), name))
            together("AlltoAllMatmul", [(Tensor(x1[r]), Tensor(x2[r]), NULL, axes, GROUP, False, False, plain(r), NULL) for r in range(ranks)])
            turned = lambda r: Tensor(np.ascontiguousarray(x2[r].T))
            together("AlltoAllMatmul", [(Tensor(x1[r]), turned(r), Tensor(bias[r]), NULL, GROUP, False, True, biased(r), Out(beside(r))) for r in range(ranks)])
            together("AlltoAllMatmulV2", [(Tensor(x1[r]), Tensor(x2[r]), NULL, axes, GROUP, Text("aicpu"), False, False, plain(r), Out(beside(r))) for r in range(ranks)])
            together("AlltoAllMatmul", [(Tensor(x1[r]), Tensor(x2[r]), NULL, Ints([-1, -2]), GROUP, False, False, plain(r), NULL) for r in range(ranks)], code=INVALID)
            m, k, n = 3, 5, 8
            x1 = [data(name, (m, k), 1 + r) for r in range(ranks)]
            x2 = [data(name, (k, n), 11 + r) for r in range(ranks)]
            bias = [data(name, (n,), 21 + r) for r in range(ranks)]
            products = [rounded(wide(a) @ wide(b) + wide(c), name) for a, b, c in zip(x1, x2, bias)]
            columns = lambda r: Out(np.concatenate([p[:, r * n // ranks:(r + 1) * n // ranks] for p in products]))
            first = lambda r: (Tensor(x1[r]), Tensor(x2[r]), Tensor(bias[r]))
            together("MatmulAlltoAll", [(*first(r), Ints([-1, -2]), GROUP, False, False, columns(r)) for r in range(ranks)])
            turned = lambda r: (Tensor(np.ascontiguousarray(x1[r].T)), Tensor(x2[r]), Tensor(bias[r]))
            together("MatmulAlltoAllV2", [(*turned(r), NULL, GROUP, Text("aiv"), True, False, columns(r)) for r in range(ranks)])


def quantised_exchanges():
    for ranks in (1, 2, 4):
        for name in HALVES:
            m, k, n = 8, 3, 4
            part = m // ranks
            x1 = [data("i8", (m, k), 1 + r) for r in range(ranks)]
            x2 = [data("i8", (k * ranks, n), 11 + r) for r in range(ranks)]
            bias = [data("f32", (n,), 21 + r) for r in range(ranks)]
            rows = [(2.0 ** np.random.default_rng(31 + r).integers(-1, 2, size=part)).astype(f32) for r in range(ranks)]
            scale = (2.0 ** np.random.default_rng(5).integers(-1, 2, size=n)).astype(f32)
            beside = lambda r: np.concatenate([x[r * part:(r + 1) * part] for x in x1], axis=1)
            scaled = lambda r: wide(beside(r)) @ wide(x2[r]) * wide(rows[r])[:, None] * wide(scale)
            plain, biased = lambda r: Out(rounded(scaled(r), name)), lambda r: Out(rounded(scaled(r) + wide(bias[r]), name))
            axes, one, modes = Ints([-2, -1]), np.array([0.5], f32), (3, 2, 0, -1, -1, 0)
            head = lambda r, bias=NULL: (Tensor(x1[r]), Tensor(x2[r]), bias, Tensor(rows[r]), Tensor(scale), NULL, NULL, NULL, GROUP)
            together("AlltoAllQuantMatmul", [(*head(r), axes, *modes, False, False, plain(r), NULL) for r in range(ranks)])
            together("AlltoAllQuantMatmul", [(*head(r, Tensor(bias[r])), NULL, *modes, False, False, biased(r), Out(beside(r))) for r in range(ranks)])
            turned = lambda r: (Tensor(x1[r]), Tensor(np.ascontiguousarray(x2[r].T)), Tensor(bias[r]), *head(r)[3:])
            together("AlltoAllQuantMatmulV2", [(*turned(r), Text("aicpu"), axes, *modes, False, True, biased(r), NULL) for r in range(ranks)])
            # Floats, of which the greatest of each row after the exchange is 127 times a power of two.
            whole = [data("i8", (part, k * ranks), 41 + r, -126, 126) for r in range(ranks)]
            for r, own in enumerate(whole):
                own[:, r] = 127
            floats = [np.concatenate([whole[to][:, r * k:(r + 1) * k] for to in range(ranks)]).astype(f32) / 2 for r in range(ranks)]
            moved = lambda r: whole[r].astype(f32) / 2
            narrow = lambda x: Tensor(x.astype(kind(name)))
            product = lambda r: wide(moved(r)) @ wide(x2[r]) * wide(scale)
            late = lambda r: (narrow(floats[r]), Tensor(x2[r]), NULL, NULL, Tensor(scale), NULL, NULL, NULL, GROUP)
            codes = (7, 2, 0, -1, 2, 0)
            together("AlltoAllQuantMatmul", [(*late(r), axes, *codes, False, False, Out(rounded(product(r), name), 1), Out(moved(r).astype(kind(name)))) for r in range(ranks)])
            together("AlltoAllQuantMatmulV2", [(*late(r), Text("aiv"), axes, *codes, False, False, Out(rounded(product(r), name), 1), NULL) for r in range(ranks)])

            wrong = lambda change, code=INVALID, modes=modes, turned=False: together("AlltoAllQuantMatmul", [(*(change.get(i, x) for i, x in enumerate(head(r))), axes, *modes, turned, False, plain(r), NULL) for r in range(ranks)], code=code)
            for position in (0, 1, 3, 4):
                wrong({position: NULL}, NULLPTR)
            for position in (5, 6, 7):
                wrong({position: Tensor(one)}, MISSING)
            wrong({2: Tensor(np.zeros(n, np.int32))})
            wrong({3: Tensor(np.ones(part + 1, f32))})
            wrong({1: Tensor(np.zeros((k * ranks, n), np.float16))})
            wrong({}, modes=(3, 2, 1, -1, -1, 0))
            for modes in ((0, 2, 0, -1, -1, 0), (7, 2, 0, -1, -1, 0), (3, 3, 0, -1, -1, 0), (3, 2, 0, 2, -1, 0)):
                wrong({}, MISSING, modes=modes)
            wrong({}, modes=(3, 2, 0, -1, -1, 32))
            wrong({}, turned=True)
            wrong({0: Tensor(np.zeros((m, k), np.float16))}, modes=codes)
            wrong({0: Tensor(np.zeros((m, k), np.float16)), 3: NULL}, MISSING, modes=(7, 2, 0, -1, 36, 0))

            m, k, n = 3, 5, 8
            x1, x2 = [data("i8", (m, k), 1 + r) for r in range(ranks)], [data("i8", (k, n), 11 + r) for r in range(ranks)]
            bias = [data("f32", (n,), 21 + r) for r in range(ranks)]
            rows = [(2.0 ** np.random.default_rng(31 + r).integers(-1, 2, size=m)).astype(f32) for r in range(ranks)]
            scale = (2.0 ** np.random.default_rng(5).integers(-1, 2, size=n)).astype(f32)
            products = [rounded(wide(a) @ wide(b) * wide(s)[:, None] * wide(scale) + wide(c), name) for a, b, s, c in zip(x1, x2, rows, bias)]
            columns = lambda r: Out(np.concatenate([p[:, r * n // ranks:(r + 1) * n // ranks] for p in products]))
            first = lambda r: (Tensor(x1[r]), Tensor(x2[r]), Tensor(bias[r]), Tensor(rows[r]), Tensor(scale), NULL, NULL, NULL)
            last = (3, 2, 0, -1, 0)
            together("QuantMatmulAlltoAll", [(*first(r), Ints([-1, -2]), GROUP, *last, False, False, columns(r)) for r in range(ranks)])
            turned = lambda r: (Tensor(np.ascontiguousarray(x1[r].T)), *first(r)[1:])
            together("QuantMatmulAlltoAllV2", [(*turned(r), NULL, GROUP, Text("aiv"), *last, True, False, columns(r)) for r in range(ranks)])
            together("QuantMatmulAlltoAllV2", [(*first(r), NULL, GROUP, Text("other"), *last, False, False, columns(r)) for r in range(ranks)], code=MISSING)
            for position, argument, code in [(0, NULL, NULLPTR), (1, NULL, NULLPTR), (3, NULL, NULLPTR), (4, NULL, NULLPTR), (5, Tensor(one), MISSING), (6, Tensor(one), MISSING), (3, Tensor(np.ones(m + 1, f32)), INVALID), (0, Tensor(np.zeros((m, k), np.float16)), INVALID)]:
                calls = [list(first(r)) for r in range(ranks)]
                for call in calls:
                    call[position] = argument
                together("QuantMatmulAlltoAll", [(*call, Ints([-1, -2]), GROUP, *last, False, False, columns(r)) for r, call in enumerate(calls)], code=code)


def barriers():
    x = data("f32", (3,), 1)
    for ranks in (1, 2, 4):
        together("DistributeBarrier", [(InOut(x, x), GROUP, ranks)] * ranks)
        together("DistributeBarrierV2", [(InOut(x, x), NULL, NULL, GROUP, ranks)] * ranks)
        together("DistributeBarrier", [(InOut(x, x), GROUP, ranks + 1)] * ranks, code=INVALID)
    for name in ("f16", "bf16", "i8", "u8", "i16", "i32", "i64", "bool"):
        own = np.array([1, 0, 1]).astype(kind(name))
        together("DistributeBarrier", [(InOut(own, own), GROUP, 2)] * 2)
    together("DistributeBarrier", [(NULL, GROUP, 2)] * 2, code=NULLPTR)
    together("DistributeBarrier", [(InOut(x, x), NULL, 2)] * 2, code=NULLPTR)


class Experts:
    """Where the rows of tokens go: tokens of rank r choose experts `ids[r]`; ranks from `shared_ranks` on have `local` each."""

    def __init__(self, ids, experts, shared=0, shared_ranks=0, active=None):
        self.ids, self.experts, self.shared, self.shared_ranks = ids, experts, shared, shared_ranks
        self.ranks, self.tokens, self.k = len(ids), ids[0].shape[0], ids[0].shape[1]
        self.local = experts // (self.ranks - shared_ranks)
        self.active = active or [np.ones_like(own, dtype=bool) for own in ids]

    def own(self, rank):
        return 1 if rank < self.shared_ranks else self.local

    def rows(self, rank):
        """The rows on a rank: (expert there, rank, token, choice), and choice -1 for a shared expert."""
        found = []
        for source in range(self.ranks):
            for token in range(self.tokens):
                if rank < self.shared_ranks:
                    copies = self.shared_ranks // self.shared
                    if rank % copies == source % copies and self.active[source][token, 0]:
                        found.append((0, source, token, -1))
                    continue
                for choice in range(self.k):
                    expert = self.ids[source][token, choice]
                    first = (rank - self.shared_ranks) * self.local
                    if self.active[source][token, choice] and first <= expert < first + self.local:
                        found.append((int(expert - first), source, token, choice))
        return sorted(found, key=lambda row: row[:2])

    def ends(self, rank):
        """Running sums over the experts of a rank and the ranks that send rows."""
        rows = self.rows(rank)
        cells = [(e, s) for e in range(self.own(rank)) for s in range(self.ranks)]
        return np.cumsum([sum(row[:2] == cell for row in rows) for cell in cells]).astype(np.int32)

    def counts(self, rank):
        rows = self.rows(rank)
        return np.array([sum(row[0] == e for row in rows) for e in range(self.own(rank))], np.int64)

    def attributes(self, rank):
        return (self.ranks, rank, self.experts, Text(""), 0, 0, 0, self.shared, self.shared_ranks)


def chosen(ranks, tokens, k, experts, seed):
    """Different experts for each token."""
    random = np.random.default_rng(seed)
    return [np.stack([random.permutation(experts)[:k] for _ in range(tokens)]).astype(np.int32) for _ in range(ranks)]


ANY = float("inf")
FORMS = [  # ranks, experts, shared experts, ranks of shared experts, tokens, choices
    (1, 4, 0, 0, 3, 2), (2, 4, 0, 0, 5, 2), (2, 6, 1, 0, 4, 3), (4, 8, 0, 0, 3, 4), (2, 2, 1, 1, 3, 1), (4, 6, 2, 2, 4, 3),
    (4, 2, 1, 2, 5, 2),
]


def dispatches():
    width = 32
    for form, (ranks, experts, shared, shared_ranks, tokens, k) in enumerate(FORMS):
        for masked in (False, "tokens", "choices"):
            ids = chosen(ranks, tokens, k, experts, form)
            active, mask = None, [None] * ranks
            if masked:
                active = [np.arange(tokens)[:, None].repeat(k, 1) < tokens - r % 3 for r in range(ranks)]
                if masked == "choices":
                    active = [a & ~((np.arange(k) == k - 1) & (np.arange(tokens)[:, None] == 1) & (k > 1)) for a in active]
                mask = [a if masked == "choices" else a[:, 0] for a in active]
            layer = Experts(ids, experts, shared, shared_ranks, active)
            room = ranks * tokens * max(k, 1)
            for name in HALVES:
                x = [data(name, (tokens, width), 51 + r, -100, 100) for r in range(ranks)]
                scales = np.array([[1.0, 2.0, 0.5, 0.25] * 8] * (experts + (shared if shared_ranks else 0)), f32)
                scales *= 2.0 ** (np.arange(len(scales)) % 3)[:, None].astype(f32)
                for quant in (0, 2):
                    for kind_of_counts in (0, 1):
                        if masked and (name == "f16" or kind_of_counts == 0):
                            continue
                        versions = {"": [], "V2": [], "V3": [], "V4": []}
                        for r in range(ranks):
                            rows = layer.rows(r)
                            expanded = np.zeros((room, width), np.int8 if quant else kind(name))
                            steps = np.zeros(room, f32)
                            for place, (expert, source, token, choice) in enumerate(rows):
                                row = x[source][token]
                                if quant:
                                    number = expert + (r - shared_ranks) * layer.local + (shared if shared_ranks else 0)
                                    if choice < 0:
                                        number = r // (shared_ranks // shared)
                                    row = row.astype(f32) * scales[number]
                                    steps[place] = np.abs(row).max() / f32(127)
                                    row = np.rint(row / steps[place])
                                expanded[place] = row
                            counts = layer.counts(r) if kind_of_counts else np.cumsum(layer.counts(r))
                            places = np.zeros((tokens * k,), np.int32)
                            seen = {}
                            for place, expert in enumerate(ids[r].reshape(-1)):
                                if layer.active[r].reshape(-1)[place]:
                                    places[place] = seen.get(expert, 0)
                                    seen[expert] = places[place] + 1
                            given = (Tensor(x[r]), Tensor(ids[r]), Tensor(scales) if quant else NULL, maybe(mask[r]), NULL)
                            attributes = (GROUP, *layer.attributes(r), quant, tokens * ranks, kind_of_counts)
                            zeros = lambda *shape: Out(np.zeros(shape, np.int32))
                            late = (Out(np.asarray(counts, np.int64)), Out(layer.ends(r)), zeros(1), Out(np.zeros(room, f32)))
                            first = (Out(expanded), Out(steps, 0 if quant else ANY))
                            versions[""].append((*given, *attributes, *first, Out(places), *late))
                            assist = zeros(room * 128)
                            versions["V2"].append((*given, *attributes, Text(""), *first, assist, *late))
                            special = (*attributes, Text(""), 0, 0, 0)
                            versions["V3"].append((*given, NULL, *special, *first, assist, *late))
                            versions["V4"].append((*given, NULL, NULL, *special, *first, assist, *late))
                        for version, calls in versions.items():
                            if version in ("", "V2") or (quant == 0 and name == "bf16" and kind_of_counts):
                                together(f"MoeDistributeDispatch{version}", calls)
    # What is refused.
    ids, x = chosen(2, 3, 2, 4, 1), data("f16", (3, width), 1)
    layer = Experts(ids, 4)
    zeros = lambda *shape, to=np.int32: Out(np.zeros(shape, to))
    def refused(x=Tensor(x), own=ids, experts=4, size=2, add=0, quant=0, kind_of_counts=1, scales=NULL, rows=zeros(12, width, to=np.float16), counts=zeros(2, to=np.int64), group=GROUP, code=INVALID, tp=0):
        calls = []
        for r in range(2):
            attributes = (group, size, r + add, experts, Text(""), tp, 0, 0, 0, 0, quant, 0, kind_of_counts)
            outputs = (rows, zeros(12, to=f32), zeros(6), counts, zeros(4), zeros(1), zeros(12, to=f32))
            calls.append((x, Tensor(own[r]) if own is not None else NULL, scales, NULL, NULL, *attributes, *outputs))
        together("MoeDistributeDispatch", calls, code=code)
    refused(x=NULL, code=NULLPTR)
    refused(own=None, code=NULLPTR)
    refused(rows=NULL, code=NULLPTR)
    refused(counts=NULL, code=NULLPTR)
    refused(group=NULL, code=NULLPTR)
    refused(x=Tensor(x.astype(f32)))
    refused(x=Tensor(x[:, :31]))
    refused(x=Tensor(x[:2]))
    refused(own=[i.astype(np.int64) for i in ids])
    refused(experts=5)
    refused(experts=0)
    refused(size=3)
    refused(add=1)
    refused(quant=1)
    refused(kind_of_counts=2)
    refused(scales=Tensor(np.ones((4, width), f32)))
    refused(quant=2)
    refused(rows=zeros(12, width + 32, to=np.float16))
    refused(counts=zeros(4, to=np.int64))
    refused(counts=zeros(2))
    refused(tp=2, code=MISSING)


def combinations():
    width, eps = 32, 1e-6
    for form, (ranks, experts, shared, shared_ranks, tokens, k) in enumerate(FORMS):
        for special in (None, (1, 1, 0), (1, 1, 2)):
            zero, copy, constant = special or (0, 0, 0)
            ids = chosen(ranks, tokens, min(k, experts), experts + zero + copy + constant, 10 + form)
            active = [np.arange(tokens)[:, None].repeat(ids[0].shape[1], 1) < tokens - r % 2 for r in range(ranks)]
            layer = Experts(ids, experts, shared, shared_ranks, active)
            for name in HALVES:
                factors = [(2.0 ** np.random.default_rng([form, r]).integers(-2, 1, size=ids[0].shape)).astype(f32) for r in range(ranks)]
                room = ranks * tokens * max(k, 1)
                expanded = [data(name, (room, width), 61 + r) for r in range(ranks)]
                beside = [data(name, (tokens, width), 71 + r) for r in range(ranks)]
                own = [data(name, (tokens, width), 81 + r) for r in range(ranks)]
                first, second = data(name, (constant,), 3), data(name, (constant,), 4)
                row = data(name, (constant, width), 5)
                sums = [np.zeros((tokens, width)) for _ in range(ranks)]
                for r in range(ranks):
                    for place, (_, source, token, choice) in enumerate(layer.rows(r)):
                        factor = 1.0 if choice < 0 else factors[source][token, choice]
                        sums[source][token] += factor * wide(expanded[r][place])
                    for token, choice in np.argwhere(active[r] & (ids[r] >= experts + zero)):
                        number = ids[r][token, choice] - experts - zero - copy
                        term = wide(own[r][token])
                        if number >= 0:
                            term = float(first[number]) * term + float(second[number]) * wide(row[number])
                        sums[r][token] += factors[r][token, choice] * term
                versions = {version: [] for version in ("", "V2", "V3", "V4", "AddRmsNorm", "AddRmsNormV2")}
                residual, gamma = data(name, (tokens, 1, width), 91), data(name, (width,), 92)
                for r in range(ranks):
                    ends = layer.ends(r)
                    assist = Tensor(np.zeros(4, np.int32))
                    given = (Tensor(expanded[r]), Tensor(ids[r]), assist, Tensor(ends), Tensor(factors[r]))
                    masks = (NULL, Tensor(active[r][:, 0]), NULL, NULL, NULL, NULL)
                    attributes = (GROUP, *layer.attributes(r), 0, 0, 0, 0)
                    plain, with_beside = rounded(sums[r], name), rounded(sums[r] + wide(beside[r]), name)
                    out = lambda x: Out(x, 1)
                    constants = (Tensor(first), Tensor(second), Tensor(row)) if constant else (NULL, NULL, NULL)
                    more = (NULL, Tensor(own[r]) if special else NULL, *constants)
                    versions[""].append((*given, *masks, *attributes, out(plain)))
                    versions["V2"].append((*given, *masks, Tensor(beside[r]), *attributes, Text(""), out(with_beside)))
                    late = (*attributes, Text(""), zero, copy, constant)
                    versions["V3"].append((*given, *masks, NULL, *more, *late, out(plain)))
                    versions["V4"].append((*given, *masks, Tensor(beside[r]), *more, NULL, *late, out(with_beside)))
                    total = rounded(wide(plain.reshape(tokens, 1, width)) + wide(residual), name)
                    mean = 1 / np.sqrt((wide(total) ** 2).mean(-1, keepdims=True) + eps)
                    normed = rounded(wide(total) * mean * wide(gamma), name)
                    results = (Out(normed, 4), Out(mean.astype(f32), 8), out(total))
                    norms = (Tensor(residual), Tensor(gamma), *masks, NULL)
                    versions["AddRmsNorm"].append((*given, *norms, *attributes, Text(""), eps, *results))
                    versions["AddRmsNormV2"].append((*given, *norms, *more, *attributes, Text(""), eps, zero, copy, constant, *results))
                for version, calls in versions.items():
                    if special is None or version in ("V3", "V4", "AddRmsNormV2"):
                        together(f"MoeDistributeCombine{version}", calls)
    ids = chosen(2, 3, 2, 4, 1)
    layer = Experts(ids, 4)
    def refused(x=Tensor(data("f16", (12, width), 1)), counts=Tensor(layer.ends(0)), factors=Tensor(np.ones((3, 2), f32)), quant=0, out=Out(np.zeros((3, width), np.float16)), code=INVALID):
        calls = []
        for r in range(2):
            attributes = (GROUP, *layer.attributes(r), 0, 0, quant, 0)
            calls.append((x, Tensor(ids[r]), Tensor(np.zeros(6, np.int32)), counts, factors, *[NULL] * 6, *attributes, out))
        together("MoeDistributeCombine", calls, code=code)
    refused(x=NULL, code=NULLPTR)
    refused(counts=NULL, code=NULLPTR)
    refused(factors=NULL, code=NULLPTR)
    refused(out=NULL, code=NULLPTR)
    refused(factors=Tensor(np.ones((3, 2), np.float16)))
    refused(factors=Tensor(np.ones((3, 3), f32)))
    refused(counts=Tensor(np.zeros(3, np.int32)))
    refused(counts=Tensor(np.zeros(4, np.int64)))
    refused(out=Out(np.zeros((3, width), f32)))
    refused(out=Out(np.zeros((2, width), np.float16)))
    refused(quant=2, code=MISSING)


def grouped():
    for ranks, local in [(1, 2), (2, 2), (4, 1), (2, 3)]:
        k, n, m = 5, 4, 3
        random = np.random.default_rng([ranks, local])
        # By the rank that sends, the rank that receives and its expert.
        counts = random.integers(0, 4, size=(ranks, ranks, local))
        counts[0, -1] = 0
        for name in HALVES:
            x = [data(name, (int(counts[r].sum()), k), 1 + r) for r in range(ranks)]
            weight = [data(name, (local, k, n), 11 + r) for r in range(ranks)]
            own, own_weight = data(name, (m, k), 21), data(name, (k, n), 22)
            pieces = [np.split(x[r], np.cumsum(counts[r].reshape(-1))[:-1]) for r in range(ranks)]
            alone = Out(rounded(wide(own) @ wide(own_weight), name))
            # Rows on the way back: by the rank that has the expert, the expert and the rank that they go to.
            back = [
                [[data(name, (int(counts[to, r, e]), k), 31 + r + 7 * to + e) for to in range(ranks)] for e in range(local)]
                for r in range(ranks)
            ]
            for version, mode in (("", ()), ("V2", (Text("aicpu"),))):
                first, last = [], []
                for r in range(ranks):
                    of_experts = [np.concatenate([pieces[s][r * local + e] for s in range(ranks)]) for e in range(local)]
                    y = np.concatenate([rounded(wide(rows) @ wide(w), name) for rows, w in zip(of_experts, weight[r])])
                    sent, received = Ints(counts[r].reshape(-1).tolist()), Ints(counts[:, r].reshape(-1).tolist())
                    turned = version == "V2"
                    w = np.ascontiguousarray(weight[r].swapaxes(1, 2)) if turned else weight[r]
                    beside = (NULL, NULL) if turned else (Tensor(own), Tensor(own_weight))
                    head = (Tensor(x[r]), Tensor(w), NULL, NULL, *beside, GROUP, *mode, ranks, sent, received)
                    outputs = (Out(y), NULL if turned else alone, Out(np.concatenate(of_experts)) if turned else NULL)
                    first.append((*head, turned, False, turned, *outputs))
                    rows = np.concatenate([np.concatenate(rows) for rows in back[r]])
                    products = [rounded(wide(back[s][e][r]) @ wide(weight[s][e]), name) for s in range(ranks) for e in range(local)]
                    beside = (Tensor(own), Tensor(own_weight)) if turned else (NULL, NULL)
                    head = (Tensor(rows), Tensor(weight[r]), NULL, NULL, *beside, GROUP, *mode, ranks, received, sent)
                    last.append((*head, False, False, Out(np.concatenate(products)), alone if turned else NULL))
                together(f"AlltoAllvGroupedMatMul{version}", first)
                together(f"GroupedMatMulAlltoAllv{version}", last)
    x, weight = data("f16", (4, 5), 1), data("f16", (2, 5, 3), 2)
    o = lambda *shape: Out(np.zeros(shape, np.float16))
    def refused(x=Tensor(x), weight=Tensor(weight), sent=Ints([1, 1, 1, 1]), received=Ints([1, 1, 1, 1]), size=2, y=o(4, 3), told=NULL, code=INVALID):
        call = (x, weight, told, NULL, NULL, NULL, GROUP, size, sent, received, False, False, False, y, NULL, NULL)
        together("AlltoAllvGroupedMatMul", [call] * 2, code=code)
    refused(x=NULL, code=NULLPTR)
    refused(weight=NULL, code=NULLPTR)
    refused(sent=NULL, code=NULLPTR)
    refused(y=NULL, code=NULLPTR)
    refused(weight=Tensor(data("bf16", (2, 5, 3), 2)))
    refused(weight=Tensor(data("f16", (2, 4, 3), 2)))
    refused(sent=Ints([1, 1, 2]))
    refused(sent=Ints([1, 1, 3, -1]))
    refused(sent=Ints([1, 1, 1, 2]))
    refused(received=Ints([1, 1, 1, 2]))
    refused(size=4)
    refused(y=o(4, 4))
    refused(told=Tensor(np.ones(4, np.int64)), code=MISSING)


all_reduce()
quant_all_reduce()
weight_quant_all_reduce()
norms()
gathers()
exchanges()
quantised_exchanges()
barriers()
grouped()
dispatches()
combinations()
cases.write("joint")
