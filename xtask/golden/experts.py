"""Cases of mixtures of experts: the choice of experts, the order of tokens by experts, and their sums.

References: loops in NumPy, by the formulas of CANN's public description, in f32 where the device computes in f32. Values of
exponentials may differ by the units of the last place that the case says; rows that are copied or added up have few digits,
so that they are exact. Writes cann-stubs/tests/data/experts.cases.

    python xtask/golden/experts.py
"""

import numpy as np

from cases import NULL, Cases, Ints, Out, Tensor, kind

np.seterr(all="ignore")
INVALID, NULLPTR, LAUNCHED, TILING, MISSING = 161002, 161001, 561103, 561002, 561003
ANY = float("inf")
F = ["f32", "f16", "bf16"]
ULPS = {"f32": 16, "f16": 1, "bf16": 1}
f32, i32 = np.float32, np.int32
cases = Cases()


def data(name, shape, seed=1):
    """Numbers with few digits."""
    x = np.random.default_rng(seed + sum(map(ord, name)) + 7 * sum(shape)).integers(-16, 16, size=shape, endpoint=True)
    return (x / 4 if name in F else x).astype(kind(name))


def reals(name, shape, seed=1):
    """Numbers of which no two of a row are close."""
    random = np.random.default_rng(seed)
    x = np.stack([random.permutation(shape[-1]) for _ in range(int(np.prod(shape[:-1])))])
    return ((x - shape[-1] / 2) * (6 / shape[-1])).reshape(shape).astype(kind(name))


def maybe(x):
    return NULL if x is None else Tensor(x)


def away(x):
    """To bf16, ties away from zero."""
    bits = np.asarray(x, f32).view(np.uint32)
    return ((bits + np.uint32(0x8000)) & np.uint32(0xFFFF0000)).view(f32).astype(kind("bf16"))


def softmax(row):
    row = np.asarray(row, f32)
    e = np.exp(row - row.max())
    return e / e.sum(dtype=f32)


def best(scores, k):
    return sorted(range(len(scores)), key=lambda i: (-scores[i], i))[:k]


def gating_softmax():
    for name in F:
        for shape, k in [((3, 5), 2), ((2, 3, 16), 4), ((4, 20), 20), ((1, 64), 8)]:
            for finished in (None, True):
                x = reals(name, shape)
                rows, experts = int(np.prod(shape[:-1])), shape[-1]
                if k < experts:
                    x[..., 3] = x[..., 1]
                flat = x.reshape(rows, experts)
                done = None if finished is None else (np.arange(rows) % 2 == 0)
                p = np.stack([softmax(row) for row in flat])
                idx = np.array([best(row, k) for row in flat.astype(f32)], i32)
                y = np.take_along_axis(p, idx, 1)
                late = np.stack([softmax(row[i]) for row, i in zip(flat.astype(f32), idx)])
                ids = idx if done is None else np.where(done[:, None], i32(experts), idx)
                places = (np.arange(k)[None] * rows + np.arange(rows)[:, None]).astype(i32)
                full = shape[:-1] + (k,)
                given = maybe(None if done is None else done.reshape(shape[:-1]))
                ulps = ULPS[name]
                first = Out((away(y) if name == "bf16" else y.astype(kind(name))).reshape(full), ulps)
                cases.add("MoeGatingTopKSoftmax", Tensor(x), given, k, first, Out(ids.reshape(full).astype(i32)), Out(places.reshape(full)))
                second = lambda y: Out(y.astype(kind(name)).reshape(full), ulps)
                ids_out = Out(ids.reshape(full).astype(i32))
                cases.add("MoeGatingTopKSoftmaxV2", Tensor(x), given, k, 0, True, second(y), ids_out, Out(p.reshape(shape).astype(f32), 16))
                cases.add("MoeGatingTopKSoftmaxV2", Tensor(x), given, k, 0, False, second(y), ids_out, NULL)
                cases.add("MoeGatingTopKSoftmaxV2", Tensor(x), given, k, 1, False, second(late), ids_out, NULL)
    # A half between two numbers of bf16: away from zero.
    x = np.zeros((1, 2), f32).astype(kind("bf16"))
    cases.add("MoeGatingTopKSoftmax", Tensor(x), NULL, 1, Out(np.full((1, 1), 0.5).astype(kind("bf16"))), Out(np.zeros((1, 1), i32)), Out(np.zeros((1, 1), i32)))
    x = reals("f32", (2, 8))
    o = lambda *shape, to=f32: Out(np.zeros(shape, to))
    first = lambda x=x, finished=None, k=2, y=o(2, 2), ids=o(2, 2, to=i32), places=o(2, 2, to=i32), code=TILING: cases.add(
        "MoeGatingTopKSoftmax", maybe(x), maybe(finished), k, y, ids, places, code=code
    )
    first(x=None, code=NULLPTR)
    first(y=NULL, code=NULLPTR)
    first(x=x.astype(np.float64), code=INVALID)
    first(y=o(2, 2, to=np.float16), code=INVALID)
    first(ids=o(2, 2, to=np.int64), code=INVALID)
    first(finished=np.zeros(2, i32), code=INVALID)
    first(finished=np.zeros(3, bool))
    first(k=0)
    first(k=9)
    first(x=x[0])
    first(x=x[:0], y=o(0, 2), ids=o(0, 2, to=i32), places=o(0, 2, to=i32))
    first(y=o(3, 2))
    second = lambda x=x, k=2, renorm=0, flag=False, y=o(2, 2), ids=o(2, 2, to=i32), p=NULL, code=TILING: cases.add(
        "MoeGatingTopKSoftmaxV2", maybe(x), NULL, k, renorm, flag, y, ids, p, code=code
    )
    second(renorm=2)
    second(flag=True)
    second(flag=True, p=o(2, 7))
    second(y=o(2, 3))
    second(x=None, code=NULLPTR)
    second(x=x[:0], y=o(0, 2), ids=o(0, 2, to=i32), code=0)


def gating():
    def expected(x, bias, k, kept, groups, mode, renorm, norm, factor, eps, table=None):
        y, ids, n_all = [], [], []
        for number, row in enumerate(x.astype(f32)):
            n = softmax(row) if norm == 0 else (1 / (1 + np.exp(-row))).astype(f32) if norm == 1 else np.sqrt(np.log1p(np.exp(row))).astype(f32)
            v = n if bias is None else n + bias.astype(f32)
            size = len(v) // groups
            score = [sum(sorted(v[g * size : (g + 1) * size])[-2:]) if mode else max(v[g * size : (g + 1) * size]) for g in range(groups)]
            stay = best(score, kept)
            idx = sorted((i for i in range(len(v)) if i // size in stay), key=lambda i: (-v[i], i))[:k] if table is None else list(table[number])
            out = n[idx]
            if norm == 1 or norm == 0 and renorm:
                out = out / (out.sum(dtype=f32) + f32(eps))
            y.append(out * f32(factor))
            ids.append(idx)
            n_all.append(n)
        return np.array(y, f32), np.array(ids, i32), np.array(n_all, f32)

    for name in F:
        for (rows, experts, k, kept, groups, mode), norm, renorm, flag in [
            ((3, 16, 3, 2, 4, 1), 1, 0, True), ((3, 16, 4, 1, 4, 0), 1, 0, False), ((2, 16, 3, 2, 4, 1), 0, 1, True),
            ((2, 32, 6, 4, 8, 0), 0, 0, True), ((2, 10, 10, 1, 1, 0), 1, 0, True), ((2, 8, 2, 4, 8, 0), 0, 1, True),
        ]:
            for with_bias in (False, True):
                x = reals(name, (rows, experts), 5)
                bias = (np.random.default_rng(2).permutation(experts) / 8).astype(kind(name)) if with_bias else None
                if mode and name != "f32":
                    bias = None
                y, ids, n = expected(x, bias, k, kept, groups, mode, renorm, norm, 2.5, 1e-20)
                out = Out(n, 16) if flag else Out(n, ANY)
                cases.add("MoeGatingTopK", Tensor(x), maybe(bias), k, kept, groups, mode, renorm, norm, flag, 2.5, 1e-20, Out(y.astype(kind(name)), ULPS[name]), Out(ids), out)
                if name == "f32":
                    cases.add("MoeGatingTopKV2", Tensor(x), maybe(bias), NULL, NULL, k, kept, groups, mode, renorm, norm, flag, 2.5, 1e-20, Out(y, 16), Out(ids), out)
    x = reals("f32", (3, 8), 4)
    table = np.array([[1, 7], [0, 3], [5, 2], [6, 4]], np.int64)
    y, ids, n = expected(x, None, 2, 1, 1, 0, 0, 1, 1.0, 0.0, table=table[[2, 0, 3]])
    for index in (i32, np.int64):
        cases.add("MoeGatingTopKV2", Tensor(x), NULL, Tensor(np.array([2, 0, 3], index)), Tensor(table.astype(index)), 2, 1, 1, 0, 0, 1, True, 1.0, 0.0, Out(y, 16), Out(ids), Out(n, 16))
    y, ids, n = expected(x, None, 2, 1, 1, 0, 0, 2, 1.0, 0.0)
    cases.add("MoeGatingTopK", Tensor(x), NULL, 2, 1, 1, 0, 0, 2, True, 1.0, 0.0, Out(y, 16), Out(ids), Out(n, 16), product="Ascend950")
    o = lambda *shape, to=f32: Out(np.zeros(shape, to))
    wrong = lambda x=x, bias=None, k=2, kept=1, groups=2, mode=0, renorm=0, norm=0, flag=True, y=o(3, 2), ids=o(3, 2, to=i32), out=o(3, 8), code=LAUNCHED: cases.add(
        "MoeGatingTopK", maybe(x), maybe(bias), k, kept, groups, mode, renorm, norm, flag, 1.0, 0.0, y, ids, out, code=code
    )
    wrong(x=None, code=NULLPTR)
    wrong(out=NULL, code=NULLPTR)
    wrong(x=x.astype(np.float64), code=INVALID)
    wrong(bias=np.zeros(8, np.float16), code=INVALID)
    wrong(ids=o(3, 2, to=np.int64), code=INVALID)
    wrong(out=o(3, 8, to=np.float16))
    wrong(out=o(3, 7))
    wrong(bias=np.zeros(7, f32))
    wrong(k=5)
    wrong(k=3)
    wrong(kept=3)
    wrong(groups=3)
    wrong(mode=2)
    wrong(mode=1, groups=8, kept=2)
    wrong(renorm=2)
    wrong(norm=2)
    wrong(y=o(2, 2))
    wrong(y=o(0, 2), ids=o(0, 2, to=i32), out=Out(np.zeros((3, 8), f32), ANY), code=0)


R, K, E, H = 5, 3, 4, 6


def choices(rows=R, k=K, experts=E, seed=3):
    random = np.random.default_rng(seed)
    return np.stack([random.permutation(experts)[:k] for _ in range(rows)]).astype(i32)


def order(ids):
    return sorted(range(len(ids)), key=lambda i: (ids[i], i))


def routing():
    ids = choices()
    flat = ids.reshape(-1)
    s = order(flat)
    inverse = np.empty(R * K, i32)
    inverse[s] = np.arange(R * K)
    counts = np.array([(flat == e).sum() for e in range(E)])
    for name in F:
        x = data(name, (R, H))
        numbers = (np.arange(K)[None] * R + np.arange(R)[:, None]).astype(i32)
        sorted_numbers = numbers.reshape(-1)[s]
        places = np.empty(R * K, i32)
        places[sorted_numbers] = np.arange(R * K)
        for active in (R, 3, 0, 100):
            out = x[sorted_numbers % R][: min(active, R) * K]
            cases.add("MoeInitRouting", Tensor(x), Tensor(numbers), Tensor(ids), active, Out(out), Out(places), Out(flat[s]))
        for active in (0, 4, 100):
            out = x[np.array(s) // K][: R * K if active == 0 else min(active, R * K)]
            for flag, expected in [(0, NULL), (1, Out(np.cumsum(counts).astype(i32))), (2, Out(counts.astype(i32)))]:
                cases.add("MoeInitRoutingV2", Tensor(x), Tensor(ids), active, 0, E, 0, flag, False, Out(out), Out(inverse), expected, NULL)
        capacity = 3
        padded, at, sources = np.zeros((E, capacity, H), kind(name)), np.full(R * K, -1, i32), np.full((E, capacity), -1)
        seen = [0] * E
        for i in s:
            e = flat[i]
            if seen[e] < capacity:
                padded[e, seen[e]] = x[i // K]
                at[i], sources[e, seen[e]] = e * capacity + seen[e], i
            seen[e] += 1
        cases.add("MoeInitRoutingV2", Tensor(x), Tensor(ids), 0, capacity, E, 1, 0, True, Out(padded), Out(at), NULL, Out(counts.astype(i32)))
        cases.add("MoeInitRoutingV2", Tensor(x), Tensor(ids), 0, capacity, E, 1, 0, False, Out(padded), Out(at), NULL, NULL)

        # Quantised: steps that are given, in halves, and steps of the rows.
        half = lambda v: np.asarray(v).astype(np.float16)
        scale, offset = np.array([0.3], f32), np.array([1.7], f32)
        in_halves = np.rint(half(half(half(x) * half(scale)) + half(offset)).astype(f32))
        in_f32 = np.rint(x.astype(f32) * scale + offset)
        q8 = lambda v: np.clip(v, -128, 127).astype(np.int8)
        taken = q8(in_halves)[np.array(s) // K]
        cases.add("MoeInitRoutingQuantV2", Tensor(x), Tensor(ids), Tensor(scale), Tensor(offset), 0, 0, E, 0, 2, False, 0, Out(taken), Out(inverse), Out(counts.astype(i32)), NULL, NULL)
        v3 = lambda scale, offset, active, capacity, mode, kind_, flag, quant, span, row_type, *outs, code=0, x=x, ids=ids: cases.add(
            "MoeInitRoutingV3", maybe(x), Tensor(ids), maybe(scale), maybe(offset), active, capacity, E, mode, kind_, flag, quant, span, row_type, *outs, code=code
        )
        none = Out(np.zeros(1, f32), ANY)
        spare = Out(np.zeros(E, np.int64), ANY)
        v3(scale, offset, -1, 0, 0, 1, True, 0, Ints([0, E]), 0, Out(q8(in_f32)[np.array(s) // K]), Out(inverse), Out(counts.astype(np.int64)), none)
        for scales in (None, np.linspace(0.5, 1.5, H, dtype=f32)[None], (np.arange(E * H, dtype=f32).reshape(E, H) + 1) / 8):
            def dynamic(row, e, is_v3):
                v = row.astype(f32) * (f32(1) if scales is None else scales[0 if len(scales) == 1 else e])
                step = f32(np.abs(v).max() / f32(127))
                t = (v / step).astype(f32)
                if is_v3:
                    return q8(np.rint(t)), step
                cut = t.astype(np.float16)
                cut = np.where(np.abs(cut.astype(f32)) > np.abs(t), np.nextafter(cut, np.float16(0)), cut).astype(f32)
                return q8(np.trunc(cut + np.copysign(0.5, cut))), step
            for is_v3 in (False, True):
                rows = [dynamic(x[i // K], flat[i], is_v3) for i in s]
                y, steps = np.stack([row for row, _ in rows]), np.array([step for _, step in rows], f32)
                if is_v3:
                    v3(scales, None, -1, 0, 0, 0, True, 1, Ints([0, E]), 0, Out(y), Out(inverse), Out(np.cumsum(counts)), Out(steps))
                else:
                    cases.add("MoeInitRoutingQuantV2", Tensor(x), Tensor(ids), maybe(scales), NULL, 0, 0, E, 0, 1, False, 1, Out(y), Out(inverse), Out(np.cumsum(counts).astype(i32)), NULL, Out(steps))
        # Ranges of experts, and places in both directions.
        start, end = 1, 3
        inside = [i for i in s if start <= flat[i] < end]
        at = np.full(R * K, -1, i32)
        at[inside] = np.arange(len(inside))
        of_range = counts[start:end]
        for active in (len(inside), 2):
            v3(None, None, active, 0, 0, 1, True, -1, Ints([start, end]), 0, Out(x[np.array(inside) // K][:active]), Out(at), Out(of_range.astype(np.int64)), none)
        scale_rows = np.arange(R, dtype=f32)
        v3(scale_rows, None, len(inside), 0, 0, 0, True, -1, Ints([start, end]), 0, Out(x[np.array(inside) // K]), Out(at), Out(np.cumsum(of_range)), Out(scale_rows[np.array(inside) // K]))
        v3(None, None, 0, 0, 0, 0, False, -1, Ints([]), 1, Out(x[np.array(s) // K]), Out(np.array(s, i32)), spare, none)
        v3(None, None, 0, 0, 0, 0, False, -1, NULL, 0, Out(x[np.array(s) // K]), Out(inverse), spare, none)
        pairs = np.zeros((E, 2), np.int64)
        used = [e for e in range(E) if counts[e]]
        pairs[: len(used)] = [(e, counts[e]) for e in used]
        v3(None, None, 0, 0, 0, 2, True, -1, NULL, 0, Out(x[np.array(s) // K]), Out(inverse), Out(pairs), none)
        at = np.full(R * K, -1, i32)
        for e in range(E):
            for c in range(capacity):
                if sources[e, c] >= 0:
                    at[sources[e, c]] = e * capacity + c
        v3(None, None, 0, capacity, 1, 1, True, -1, NULL, 0, Out(padded), Out(at), Out(counts.astype(np.int64)), none)
        if name == "f32":
            v3(None, None, -2, 0, 0, 1, True, -1, NULL, 0, Out(x[np.array(s) // K]), Out(inverse), spare, none, code=MISSING)
            v3(None, None, 0, 0, 0, 1, True, -1, Ints([3, 3]), 0, Out(x[np.array(s) // K]), Out(inverse), spare, none, code=MISSING)
            v3(None, None, 0, 0, 0, 1, True, -1, NULL, 0, Out(x[np.array(s) // K][:3]), Out(inverse), spare, none, code=MISSING)
            v3(None, None, 0, 0, 0, 1, True, -1, NULL, 0, Out(x[np.array(s) // K]), Out(inverse), spare, NULL, code=NULLPTR)
            v3(None, None, 0, 0, 0, 1, True, -1, NULL, 0, Out(x[:0]), Out(inverse[:0]), Out(np.zeros(E, np.int64)), none, x=x[:0], ids=ids[:0])
    x = data("i8", (R, H))
    v3(None, None, 0, 0, 0, 1, True, -1, NULL, 0, Out(x[np.array(s) // K]), Out(inverse), Out(counts.astype(np.int64)), none, x=x)
    x = data("f32", (R, H))
    out, places = x[np.array(s) // K], inverse
    wrong = lambda x=x, ids=ids, active=0, capacity=0, experts=E, mode=0, flag=0, before=False, out=out, places=places, count=None, counts_before=None, code=LAUNCHED: cases.add(
        "MoeInitRoutingV2", maybe(x), maybe(ids), active, capacity, experts, mode, flag, before, NULL if out is None else Out(out), NULL if places is None else Out(places),
        NULL if count is None else Out(count), NULL if counts_before is None else Out(counts_before), code=code
    )
    for missing in ("x", "ids", "out", "places"):
        wrong(**{missing: None}, code=NULLPTR)
    wrong(x=x.astype(np.float64), code=INVALID)
    wrong(ids=ids.astype(np.int64), code=INVALID)
    wrong(out=out.astype(np.float16), code=INVALID)
    wrong(count=np.zeros(E, np.int64), code=INVALID)
    wrong(x=x[:3])
    wrong(ids=ids[:, 0])
    wrong(active=-1)
    wrong(mode=2)
    wrong(mode=1, capacity=R + 1)
    wrong(flag=3)
    wrong(flag=1)
    wrong(flag=1, experts=0, count=np.zeros(0, i32))
    wrong(out=out[:4])
    wrong(places=places[:4])
    wrong(x=x[:0], ids=ids[:0], out=out[:0], places=places[:0], code=0)
    ids = np.array([0, 0, 1, 3, 3, 3, 4], i32)
    for number in (1, 3, 5, 7):
        running = np.array([(ids <= e).sum() for e in range(number)], i32)
        cases.add("MoeComputeExpertTokens", Tensor(ids), number, Out(running))
    cases.add("MoeComputeExpertTokens", Tensor(ids), 0, Out(np.zeros(0, i32)), code=TILING)
    cases.add("MoeComputeExpertTokens", Tensor(ids), 2049, Out(np.zeros(2049, i32)), code=TILING)
    cases.add("MoeComputeExpertTokens", Tensor(ids.astype(np.int64)), 3, Out(np.zeros(3, i32)), code=INVALID)


def re_routing():
    rng = np.random.default_rng(3)
    for ranks, experts in [(1, 1), (2, 3), (4, 2), (3, 5)]:
        counts = rng.integers(0, 4, size=(ranks, experts))
        counts[0, 0] = 0
        starts = np.concatenate([[0], counts.reshape(-1).cumsum()[:-1]]).reshape(ranks, experts)
        sources = [row for e in range(experts) for r in range(ranks) for row in range(starts[r, e], starts[r, e] + counts[r, e])]
        sources = np.array(sources, i32)
        for name in ("f16", "bf16", "i8"):
            for index in (i32, np.int64):
                x, scales = data(name, (len(sources), H)), data("f32", (len(sources),), 4)
                outs = lambda scaled: (Out(x[sources]), Out(scales[sources]) if scaled else NULL, Out(sources), Out(counts.sum(0).astype(index)))
                for scaled in (True, False):
                    given = Tensor(scales) if scaled else NULL
                    cases.add("MoeReRouting", Tensor(x), Tensor(counts.astype(index)), given, 1, 0, *outs(scaled))
    counts = counts.astype(i32)
    zeros = lambda *shape, kind=f32: Out(np.zeros(shape, kind))

    def wrong(x=x.astype(np.int8), counts=counts, scales=scales, kind=1, by=0, out=None, places=None, sums=None, code=TILING):
        n = len(sources)
        given = (out or zeros(n, H, kind=np.int8), zeros(n), places or zeros(n, kind=i32), sums or zeros(5, kind=i32))
        cases.add("MoeReRouting", maybe(x), maybe(counts), maybe(scales), kind, by, *given, code=code)

    wrong(x=None, code=NULLPTR)
    wrong(counts=None, code=NULLPTR)
    wrong(x=x.astype(np.float32), out=zeros(len(sources), H), code=INVALID)
    wrong(out=zeros(len(sources), H, kind=np.float16), code=INVALID)
    wrong(scales=scales.astype(np.float16), code=INVALID)
    wrong(places=zeros(len(sources), kind=np.int64), code=INVALID)
    wrong(sums=zeros(5, kind=np.int64), code=INVALID)
    wrong(kind=0)
    wrong(by=1)
    wrong(x=x.astype(np.int8)[1:])
    wrong(counts=counts[0])
    wrong(scales=scales[1:])
    wrong(places=zeros(len(sources) - 1, kind=i32))
    wrong(sums=zeros(4, kind=i32))


def permute():
    ids = choices()
    flat = ids.reshape(-1)
    s = np.array(order(flat))
    inverse = np.empty(R * K, i32)
    inverse[s] = np.arange(R * K)
    for name in [*F, "i8"]:
        x = data(name, (R, H))
        for index, number in [(i32, 0), (np.int64, 4), (i32, -5), (i32, 100)]:
            count = min(number, R * K) if number > 0 else R * K + number
            cases.add("MoeTokenPermute", Tensor(x), Tensor(ids.astype(index)), number, False, Out(x[s // K][:count]), Out(inverse))
        if name == "i8":
            continue
        one = ids[:, 0]
        s1 = np.array(order(one))
        inverse1 = np.empty(R, i32)
        inverse1[s1] = np.arange(R)
        cases.add("MoeTokenPermute", Tensor(x.reshape(R, 2, 3)), Tensor(one), 0, False, Out(x[s1].reshape(R, 2, 3)), Out(inverse1))
        for count in (R * K, 7):
            grad = data(name, (count, H), 2)
            total, weighted = np.zeros((R, H), f32), {}
            for r in range(R):
                for k in range(K):
                    if inverse[r * K + k] < count:
                        total[r] += grad[inverse[r * K + k]].astype(f32)
            cases.add("MoeTokenPermuteGrad", Tensor(grad), Tensor(inverse), K, False, Out(total.astype(kind(name))))
            for probs_name in (name, "f32"):
                probs = (np.random.default_rng(4).integers(-2, 3, (R, K)) / 2).astype(kind(probs_name))
                own = grad.copy()
                dead = next(i for i in range(R * K) if probs.reshape(-1)[i] == 0)
                if inverse[dead] < count:
                    own[inverse[dead]] = np.inf
                y = np.zeros((R, H), f32)
                for r in range(R):
                    for k in range(K):
                        place = inverse[r * K + k]
                        if place < count and probs[r, k] != 0:
                            y[r] += probs[r, k].astype(f32) * own[place].astype(f32)
                cases.add("MoeTokenUnpermute", Tensor(own), Tensor(inverse), Tensor(probs), False, NULL, Out(y.astype(kind(name))))
        rows = data(name, (R, H), 5)
        cases.add("MoeTokenUnpermute", Tensor(rows), Tensor(inverse1), NULL, False, NULL, Out(rows[inverse1]))
        back, grad = data(name, (R, H), 6), data(name, (R * K, H), 7)
        probs = (np.random.default_rng(4).integers(-2, 3, (R, K)) / 2).astype(kind(name))
        to, of_probs = np.zeros((R * K, H), f32), np.zeros((R, K), f32)
        for r in range(R):
            for k in range(K):
                place = inverse[r * K + k]
                to[place] = probs[r, k].astype(f32) * back[r].astype(f32)
                of_probs[r, k] = (back[r].astype(f32) * grad[place].astype(f32)).sum()
        cases.add("MoeTokenUnpermuteGrad", Tensor(grad), Tensor(back), Tensor(inverse), Tensor(probs), False, NULL, Out(to.astype(kind(name))), Out(of_probs.astype(kind(name))))
        alone = np.empty((R, H), kind(name))
        alone[inverse1] = back
        cases.add("MoeTokenUnpermuteGrad", NULL, Tensor(back), Tensor(inverse1), NULL, False, NULL, Out(alone), NULL)
    x = data("f32", (R, H))
    out = x[s // K]
    for product, divided in (("Ascend910B", TILING), ("Ascend950", LAUNCHED)):
        wrong = lambda x=x, ids=ids, number=0, padded=False, out=out, places=inverse, code=divided: cases.add(
            "MoeTokenPermute", maybe(x), maybe(ids), number, padded, NULL if out is None else Out(out), NULL if places is None else Out(places), product=product, code=code
        )
        for missing in ("x", "ids", "out", "places"):
            wrong(**{missing: None}, code=NULLPTR)
        wrong(x=x.astype(np.float64), code=INVALID)
        wrong(ids=ids.astype(f32), code=INVALID)
        wrong(padded=True, code=TILING if product == "Ascend910B" else INVALID)
        wrong(out=out[:3])
        wrong(places=inverse[:3])
        cases.add("MoeTokenUnpermute", NULL, Tensor(inverse), NULL, True, NULL, Out(x), product=product, code=NULLPTR if product == "Ascend910B" else INVALID)
        cases.add("MoeTokenUnpermute", Tensor(out), Tensor(inverse[:4]), Tensor(np.zeros((R, K), f32)), False, NULL, Out(x), product=product, code=divided)
        cases.add("MoeTokenPermuteGrad", Tensor(out), Tensor(inverse), 0, False, Out(x), product=product, code=divided)


def maps():
    ids = choices()
    full = np.zeros((R, E), bool)
    for r in range(R):
        full[r, ids[r]] = True
    ragged = full.copy()
    ragged[2] = False
    for name in F:
        x = data(name, (R, H))
        for map_, to in ((full, bool), (full, np.int8), (ragged, bool)):
            m = map_.astype(to)
            for probs_name in (None, name, "f32"):
                if probs_name == "f32" and name == "f16":
                    continue
                probs = None if probs_name is None else data(probs_name, (R, E), 3)
                cells = [(r, e) for e in range(E) for r in range(R) if map_[r, e]]
                places, taken = np.full(R * K, -1, i32), [0] * R
                for place, (r, e) in enumerate(cells):
                    places[r * K + taken[r]] = place
                    taken[r] += 1
                if len(cells) == R * K:
                    out = np.array([x[r] for r, _ in cells])
                    of_places = NULL if probs is None else Out(np.array([probs[c] for c in cells]))
                    cases.add("MoeTokenPermuteWithRoutingMap", Tensor(x), Tensor(m), maybe(probs), R * K, False, Out(out), of_places, Out(places))
                    grad = data(name, (R * K, H), 4)
                    total = np.zeros((R, H), f32)
                    for r in range(R):
                        for j in range(K):
                            total[r] += grad[places[r * K + j]].astype(f32)
                    total = total.astype(kind(name))
                    if probs is None:
                        cases.add("MoeTokenPermuteWithRoutingMapGrad", Tensor(grad), NULL, Tensor(places), NULL, E, R, False, Out(total), NULL)
                    else:
                        of_probs, to_probs = data(probs_name, (R * K,), 5), np.zeros((R, E), kind(probs_name))
                        for place, c in enumerate(cells):
                            to_probs[c] = of_probs[place]
                        cases.add("MoeTokenPermuteWithRoutingMapGrad", Tensor(grad), Tensor(of_probs), Tensor(places), Tensor(m), E, R, False, Out(total), Out(to_probs))
                    # Back: the factors row after row.
                    factors = None if probs is None else np.array([probs[r, e] for r in range(R) for e in range(E) if map_[r, e]])
                    y = np.zeros((R, H), f32)
                    for r in range(R):
                        for j in range(K):
                            q = f32(1) if factors is None else factors[r * K + j].astype(f32)
                            y[r] += q * grad[places[r * K + j]].astype(f32)
                    unwritten = Out(np.zeros(R * K, i32), ANY)
                    cases.add(
                        "MoeTokenUnpermuteWithRoutingMap", Tensor(grad), Tensor(places), Tensor(m), maybe(probs), False, Ints([R, H]),
                        Out(y.astype(kind(name))), unwritten, unwritten, NULL if probs is None else Out(factors)
                    )
                    back, index = data(name, (R, H), 6), np.random.default_rng(1).permutation(R * K).astype(i32)
                    tokens = np.array([r for r, _ in cells], i32)
                    g = np.zeros((R * K, H), f32)
                    for i in range(R * K):
                        g[index[i]] = back[tokens[i]].astype(f32)
                    if probs is None:
                        cases.add("MoeTokenUnpermuteWithRoutingMapGrad", Tensor(back), Tensor(index), Tensor(tokens), NULL, NULL, NULL, False, NULL, Out(g.astype(kind(name))), NULL)
                    else:
                        q = np.array([probs[c] for c in cells]).astype(f32)
                        e_all = (g * grad.astype(f32)).sum(1)
                        to_probs = np.zeros((R, E), f32)
                        for place, c in enumerate(cells):
                            to_probs[c] = e_all[place]
                        cases.add(
                            "MoeTokenUnpermuteWithRoutingMapGrad", Tensor(back), Tensor(index), Tensor(tokens), Tensor(m), Tensor(grad), Tensor(probs), False, NULL,
                            Out((q[:, None] * g).astype(kind(name))), Out(to_probs.astype(kind(probs_name)))
                        )
                capacity = 3
                picked = [r for e in range(E) for r in sorted(range(R), key=lambda r: not map_[r, e])[:capacity]]
                at = [(r, i // capacity) for i, r in enumerate(picked)]
                of_places = NULL if probs is None else Out(np.array([probs[c] for c in at]))
                picked = np.array(picked, i32)
                cases.add("MoeTokenPermuteWithRoutingMap", Tensor(x), Tensor(m), maybe(probs), E * capacity + 1, True, Out(x[picked]), of_places, Out(picked))
                grad = data(name, (E * capacity, H), 8)
                total, summed = np.zeros((R, H), f32), np.zeros((R, H), f32)
                for i, r in enumerate(picked):
                    total[r] += grad[i].astype(f32)
                    summed[r] += grad[i].astype(f32) * (f32(1) if probs is None else probs[at[i]].astype(f32))
                if probs is not None:
                    of_probs, to_probs = data(probs_name, (E * capacity,), 5), np.zeros((R, E), kind(probs_name))
                    for i, c in enumerate(at):
                        to_probs[c] = of_probs[i]
                    cases.add("MoeTokenPermuteWithRoutingMapGrad", Tensor(grad), Tensor(of_probs), Tensor(picked), Tensor(m), E, R, True, Out(total.astype(kind(name))), Out(to_probs))
                index = np.array(order(picked), i32)
                cases.add(
                    "MoeTokenUnpermuteWithRoutingMap", Tensor(grad), Tensor(picked), Tensor(m), maybe(probs), True, Ints([R, H]), Out(summed.astype(kind(name))),
                    Out(index), Out(picked[index]), NULL if probs is None else Out(np.array([probs[c] for c in at]))
                )
                if probs is not None:
                    back, tokens = data(name, (R, H), 6), picked[index]
                    g = back[picked].astype(f32)
                    q = np.array([probs[c] for c in at]).astype(f32)
                    e_all, to_probs = (g * grad.astype(f32)).sum(1), np.zeros((R, E), f32)
                    for i in range(E * capacity):
                        to_probs[tokens[i], index[i] // capacity] = e_all[index[i]]
                    cases.add(
                        "MoeTokenUnpermuteWithRoutingMapGrad", Tensor(back), Tensor(index), Tensor(tokens), Tensor(m), Tensor(grad), Tensor(probs), True, NULL,
                        Out((q[:, None] * g).astype(kind(name))), Out(to_probs.astype(kind(probs_name)))
                    )
    x, m = data("f32", (R, H)), full
    out, places = np.zeros((R * K, H), f32), np.zeros(R * K, i32)
    wrong = lambda x=x, m=m, probs=None, number=R * K, out=out, of_places=NULL, places=places, code=INVALID: cases.add(
        "MoeTokenPermuteWithRoutingMap", maybe(x), maybe(m), maybe(probs), number, False, Out(out), of_places, NULL if places is None else Out(places), code=code
    )
    wrong(x=None, code=NULLPTR)
    wrong(m=None, code=NULLPTR)
    wrong(places=None, code=NULLPTR)
    wrong(probs=np.zeros((R, E), f32), code=NULLPTR)
    wrong(of_places=Out(np.zeros(R * K, f32)))
    wrong(m=m.astype(i32))
    wrong(probs=np.zeros((R, E), np.float16), of_places=Out(np.zeros(R * K, np.float16)))
    wrong(m=m[0])
    wrong(number=R * E + 1)
    wrong(number=-1)
    wrong(out=out[:3])
    wrong(places=places[:3], code=MISSING)
    wrong(m=m[:0], code=0, out=out[:0], places=places[:0], number=0, x=x[:0])
    grad = lambda experts=E, rows=R, of_probs=None, map_=None, places=places, code=INVALID: cases.add(
        "MoeTokenPermuteWithRoutingMapGrad", Tensor(out), maybe(of_probs), maybe(places), maybe(map_), experts, rows, False, Out(x), NULL, code=code
    )
    grad(experts=0)
    grad(rows=0)
    grad(places=None, code=NULLPTR)
    grad(of_probs=np.zeros(R * K, f32), code=NULLPTR)
    grad(of_probs=np.zeros((R, K), f32), map_=m)
    back = lambda own=out, places=places, shape=Ints([R, H]), to=x, code=INVALID: cases.add(
        "MoeTokenUnpermuteWithRoutingMap", maybe(own), maybe(places), NULL, NULL, False, shape, Out(to), NULL, NULL, NULL, code=code
    )
    back(own=None, code=NULLPTR)
    back(shape=NULL, code=NULLPTR)
    back(to=x.astype(np.float16))
    back(own=out[0])
    back(to=x[:2], code=MISSING)
    back(own=out[:0], to=np.zeros((R, H), f32), code=0)


def finalize():
    ids = choices()
    for name in F:
        step = (lambda v: np.asarray(v, f32).astype(np.float16).astype(f32)) if name == "f16" else (lambda v: np.asarray(v, f32))

        def expected(own, p, x1, x2, bias, scales, k, column, special=None):
            wide = lambda v: None if v is None else v.astype(f32)
            own, x1, x2, bias, scales = map(wide, (own.reshape(-1, H), x1, x2, bias, scales))
            y = np.zeros((R, H), f32)
            for r in range(R):
                terms = [v[r] for v in (x1, x2) if v is not None]
                for j in range(k):
                    e = ids[r, j]
                    place = p[j * R + r] if column else p[r * k + j]
                    term = np.zeros(H, f32) if place < 0 else own[place]
                    if special is not None:
                        kind_, term = special(e, r, term)
                        if kind_ == "zero":
                            continue
                    if bias is not None:
                        term = step(term + bias[e])
                    terms.append(term if scales is None else step(scales[r, j] * term))
                total = terms[0]
                for term in terms[1:]:
                    total = step(total + term)
                y[r] = total
            return y

        own = data(name, (R * K, H), 1) * kind(name)(1.25)
        x1, x2, bias, scales = data(name, (R, H), 2), data(name, (R, H), 3), data(name, (E, H), 4), data(name, (R, K), 5)
        p = np.random.default_rng(6).permutation(R * K).astype(i32)
        for second in (None, x2):
            y = expected(own, p, x1, second, bias, scales, K, True)
            y = away(y) if name == "bf16" else y.astype(kind(name))
            cases.add("MoeFinalizeRouting", Tensor(own), Tensor(x1), maybe(second), Tensor(bias), Tensor(scales), Tensor(p), Tensor(ids), Out(y))
        padded = data(name, (E, 4, H), 7)
        q = np.random.default_rng(8).permutation(E * 4)[: R * K].astype(i32)
        q[[1, 6]] = -1
        wide_scales = [scales] + ([scales.astype(f32)] if name == "bf16" else [])
        for mode, (rows, places) in enumerate([(own, p), (padded, q), (own, p), (padded, q)]):
            for one, two, three in ((x1, x2, bias), (x1, None, None), (None, None, bias)):
                for factors in wide_scales:
                    y = expected(rows, places, one, two, three, factors, K, mode < 2)
                    args = [Tensor(rows), Tensor(places), maybe(one), maybe(two), maybe(three), Tensor(factors), Tensor(ids)]
                    cases.add("MoeFinalizeRoutingV2", *args, mode, Out(y.astype(kind(name))))
                    if factors is scales:
                        cases.add("MoeFinalizeRoutingV4", *args, NULL, NULL, NULL, NULL, mode, NULL, NULL, NULL, K, Out(y.astype(kind(name))))
        y = expected(own[:R], np.argsort(p[:R]).astype(i32), x1, None, None, None, 1, False)
        cases.add("MoeFinalizeRoutingV2", Tensor(own[:R]), Tensor(np.argsort(p[:R]).astype(i32)), Tensor(x1), NULL, NULL, NULL, NULL, 2, Out(y.astype(kind(name))))
        x, a1, a2, v = data(name, (R, H), 9), data(name, (1,), 10), data(name, (1,), 11), data(name, (1, H), 12)

        def special(e, r, term):
            if e == 0:
                return "zero", term
            if e == 1:
                return "copy", x[r].astype(f32)
            if e == 3:
                return "constant", step(step(a1.astype(f32)[0] * x[r].astype(f32)) + step(a2.astype(f32)[0] * v[0].astype(f32)))
            return "own", term

        y = expected(own, p, x1, None, None, scales, K, False, special)
        args = [Tensor(own), Tensor(p), Tensor(x1), NULL, NULL, Tensor(scales), Tensor(ids), Tensor(x), Tensor(a1), Tensor(a2), Tensor(v), 2, Ints([0, 1]), Ints([1, 2]), Ints([3, 4])]
        cases.add("MoeFinalizeRoutingV3", *args, Out(y.astype(kind(name))))
        cases.add("MoeFinalizeRoutingV4", *args, K, Out(y.astype(kind(name))))
        if name == "f32":
            cases.add("MoeFinalizeRoutingV3", *args[:12], Ints([0, 2]), Ints([1, 2]), Ints([3, 4]), Out(y), code=TILING)
    own, x1, bias, scales, out = (data("f32", shape) for shape in ((R * K, H), (R, H), (E, H), (R, K), (R, H)))
    wrong = lambda own=own, p=p, x1=None, x2=None, bias=None, scales=scales, ids=None, mode=2, out=out, code=LAUNCHED: cases.add(
        "MoeFinalizeRoutingV2", maybe(own), maybe(p), maybe(x1), maybe(x2), maybe(bias), maybe(scales), maybe(ids), mode, NULL if out is None else Out(out), code=code
    )
    for missing in ("own", "p", "out"):
        wrong(**{missing: None}, code=NULLPTR)
    wrong(own=own.astype(np.float64), code=INVALID)
    wrong(x1=x1.astype(np.float16), code=INVALID)
    wrong(p=p.astype(np.int64), code=INVALID)
    wrong(mode=3, code=INVALID)
    wrong(p=p[None], code=INVALID)
    wrong(own=own[None], mode=4)
    wrong(x2=x1)
    wrong(bias=bias)
    wrong(scales=scales.astype(np.float16))
    wrong(x1=x1[:2])
    wrong(out=out[:2])
    wrong(out=out[:0], code=0)
    first = lambda own=own, x1=x1, bias=bias, scales=scales, p=p, ids=ids, out=out, code=TILING: cases.add(
        "MoeFinalizeRouting", maybe(own), maybe(x1), NULL, maybe(bias), maybe(scales), maybe(p), maybe(ids), Out(out), code=code
    )
    for missing in ("own", "x1", "bias", "scales", "p", "ids"):
        first(**{missing: None}, code=NULLPTR)
    first(bias=bias.astype(np.float16), code=INVALID)
    first(own=own[:4])
    first(x1=x1[:2])
    first(ids=ids[:, :2])


gating_softmax()
gating()
routing()
re_routing()
permute()
maps()
finalize()
cases.write("experts")
