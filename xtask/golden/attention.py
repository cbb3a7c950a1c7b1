"""Cases of attention and of rotations by positions: PyTorch in f64 on a CPU, rounded once.

References: PyTorch.

Rotations have operands of few digits, so that their results are exact in f32 and the expected bits are the only ones. Values
of attention have one sign in each column, so that no sum cancels: f32 may differ by 16 units of the last place, for a rounding
of each of some ten summands, and f16 and bf16 by one, where the f32 before it lies between two of their numbers. Gradients
are differences; they may differ by the 2⁻¹⁸th part of the largest in f32, and by a unit of the largest in f16 and bf16.
Writes cann-stubs/tests/data/attention.cases. Shapes, masks and layouts are retyped here from CANN's public description.

    python xtask/golden/attention.py
"""

import math

import ml_dtypes
import numpy as np
import torch

from cases import NULL, Cases, InOut, Ints, Out, Tensor, Tensors, Text, kind

INVALID, NULLPTR, TILING, MISSING, INNER = 161002, 161001, 561002, 561003, 561103
F = ["f32", "f16", "bf16"]
UNITS = {"f32": 16, "f16": 1, "bf16": 1}
cases = Cases()
random = np.random.default_rng(11)


def rounded(x, name):
    return np.asarray(x, np.float64).astype(kind(name))


def draw(name, shape, low=-1.5, high=1.5):
    return rounded(np.round(random.uniform(low, high, shape) * 16) / 16, name)


def steps(name, shape, parts=8, most=16):
    """Multiples of a power of two, which products keep exactly."""
    return rounded(random.integers(-most, most, shape, endpoint=True) / parts, name)


def columns(name, shape):
    """Numbers of one sign in each column."""
    sign = np.where(np.arange(shape[-1]) % 3 == 1, -1, 1)
    return rounded(random.integers(8, 32, shape) / 16 * sign, name)


def double(x):
    return torch.tensor(np.asarray(x, np.float64), requires_grad=True)


# Rotations.

def turned(x, mode):
    size = x.shape[-1]
    if mode == 0:
        first, second = x[..., : size // 2], x[..., size // 2 :]
        return x, torch.cat((-second, first), -1)
    if mode == 1:
        return x, torch.stack((-x[..., 1::2], x[..., ::2]), -1).flatten(-2)
    if mode == 2:
        parts = x.chunk(4, -1)
        return x, torch.cat((-parts[1], parts[0], -parts[3], parts[2]), -1)
    even, odd = x[..., ::2], x[..., 1::2]
    return torch.cat((even, odd), -1), torch.cat((-odd, even), -1)


def rotate(x, cos, sin, mode):
    own, other = turned(x, mode)
    return own * cos + other * sin


def rotations():
    for name in F:
        # The shapes of x and of cosines in BSND, BNSD and SBND, of one sequence, and with angles for each element.
        for shape, angles in [((2, 3, 4, 8), (1, 3, 1, 8)), ((2, 4, 3, 8), (1, 1, 3, 8)), ((3, 2, 4, 6), (3, 1, 1, 6)), ((2, 3, 4, 8), (2, 3, 1, 8)), ((2, 3, 2, 8), (2, 3, 2, 8)), ((1, 1, 1, 2), (1, 1, 1, 2))]:
            for mode in range(4):
                if mode == 2 and shape[-1] % 4:
                    continue
                x, cos, sin = steps(name, shape), steps(name, angles, 16), steps(name, angles, 16)
                wide = [double(one) for one in (x, cos, sin)]
                result = rotate(*wide, mode)
                out = Out(rounded(result.detach(), name))
                on = "Ascend950" if mode > 1 else "Ascend910B"
                if mode > 1 or mode == 1 and sum(size != 1 for size in angles[:3]) > 1:
                    cases.add("RotaryPositionEmbedding", Tensor(x), Tensor(cos), Tensor(sin), mode, out, code=TILING)
                    on = "Ascend950"
                cases.add("RotaryPositionEmbedding", Tensor(x), Tensor(cos), Tensor(sin), mode, out, product=on)
                if mode == 0:
                    # The second form takes a matrix; without one it is the first, and PyTorch's plugin may pass an empty one.
                    second = [Tensor(x), Tensor(cos), Tensor(sin), mode]
                    cases.add("RotaryPositionEmbeddingV2", *second, NULL, out, product=on)
                    cases.add("RotaryPositionEmbeddingV2", *second, Tensor(np.zeros(0, x.dtype)), out, product=on)
                    matrix = steps(name, (shape[-1], shape[-1]))
                    by_matrix = wide[0] * wide[1] + (wide[0] @ double(matrix)) * wide[2]
                    by_matrix = Out(rounded(by_matrix.detach(), name), ulps=1)
                    cases.add("RotaryPositionEmbeddingV2", *second, Tensor(matrix), by_matrix)
                    cases.add("RotaryPositionEmbeddingV2", *second, Tensor(matrix), by_matrix, product="Ascend950", code=INVALID)
                    cases.add("RotaryPositionEmbeddingV2", *second, Tensor(matrix[1:]), by_matrix, code=561103)
                dy = steps(name, shape)
                result.backward(torch.tensor(dy.astype(np.float64)))
                dx, dcos, dsin = [Out(rounded(one.grad, name)) for one in wide]
                cases.add("RotaryPositionEmbeddingGrad", Tensor(dy), Tensor(cos), Tensor(sin), Tensor(x), mode, dx, dcos, dsin, product=on)
                cases.add("RotaryPositionEmbeddingGrad", Tensor(dy), Tensor(cos), Tensor(sin), NULL, mode, dx, NULL, NULL, product=on)
        for layout, shape, keys, angles in [(1, (1, 2, 2, 128), (1, 2, 1, 128), (1, 2, 1, 128)), (2, (2, 1, 2, 128), (2, 1, 1, 128), (2, 1, 1, 128)), (3, (1, 2, 2, 128), (1, 1, 2, 128), (1, 1, 2, 128))]:
            if name != "f16" and layout != 1:
                continue
            query, key = steps(name, shape), steps(name, keys)
            cos, sin = steps(name, angles, 16), steps(name, angles, 16)
            for text, mode in [("half", 0), ("interleave", 1), ("quarter", 2)]:
                after = [InOut(one, rounded(rotate(double(one), double(cos), double(sin), mode).detach(), name)) for one in (query, key)]
                if mode == 0:
                    cases.add("ApplyRotaryPosEmb", *after, Tensor(cos), Tensor(sin), layout)
                if name == "f16" and layout == 1:
                    cases.add("ApplyRotaryPosEmbV2", *after, Tensor(cos), Tensor(sin), layout, Text(text))
    x, cos = steps("f32", (2, 3, 4, 8)), steps("f32", (1, 3, 1, 8))
    operator, refused = "RotaryPositionEmbedding", dict(code=TILING)
    cases.add(operator, NULL, Tensor(cos), Tensor(cos), 0, Out(x), code=NULLPTR)
    cases.add(operator, Tensor(x), Tensor(cos), Tensor(cos.astype(np.float16)), 0, Out(x), code=INVALID)
    cases.add(operator, Tensor(x.astype(np.float64)), Tensor(cos), Tensor(cos), 0, Out(x), code=INVALID)
    cases.add(operator, Tensor(x), Tensor(cos), Tensor(cos), 4, Out(x), **refused)
    cases.add(operator, Tensor(x), Tensor(cos), Tensor(cos), -1, Out(x), **refused)
    cases.add(operator, Tensor(x[..., :7]), Tensor(cos[..., :7]), Tensor(cos[..., :7]), 0, Out(x[..., :7]), **refused)
    cases.add(operator, Tensor(x), Tensor(cos[:, :2]), Tensor(cos[:, :2]), 0, Out(x), **refused)
    cases.add(operator, Tensor(x), Tensor(cos), Tensor(cos[:, :1]), 0, Out(x), **refused)
    cases.add(operator, Tensor(x[0]), Tensor(cos[0]), Tensor(cos[0]), 0, Out(x[0]), **refused)
    cases.add(operator, Tensor(x), Tensor(cos), Tensor(cos), 0, Out(x[:1]), **refused)
    cases.add(operator, Tensor(x[:0]), Tensor(cos), Tensor(cos), 0, Out(x[:0]))
    wide = np.zeros((1, 1, 1, 898), np.float32)
    cases.add(operator, Tensor(wide), Tensor(wide), Tensor(wide), 0, Out(wide), **refused)
    cases.add(operator, Tensor(wide), Tensor(wide), Tensor(wide), 0, Out(wide), product="Ascend950")
    # Before the 950 the axes of cosines have a meaning in one of the layouts, and there are less than 1000 batches and heads.
    flat = lambda shape: np.zeros(shape, np.float32)
    for mode, shape, angles, fits in [
        (0, (2, 3, 4, 8), (1, 1, 1, 8), False), (0, (2, 3, 4, 8), (1, 3, 4, 8), False), (0, (2, 3, 4, 8), (2, 1, 1, 8), True), (0, (2, 3, 4, 8), (2, 3, 4, 8), True),
        (0, (1000, 1, 3, 2), (1, 1, 3, 2), False), (0, (999, 1, 3, 2), (1, 1, 3, 2), True), (0, (2, 1000, 3, 2), (2, 1, 3, 2), False), (0, (1000, 3, 1, 2), (1000, 1, 1, 2), True),
        (1, (2, 3, 4, 8), (1, 1, 1, 8), False), (1, (2, 3, 4, 8), (2, 3, 4, 8), False), (1, (100, 10, 3, 2), (1, 1, 3, 2), False), (1, (99, 10, 3, 2), (1, 1, 3, 2), True),
    ]:
        arguments = [Tensor(flat(shape)), Tensor(flat(angles)), Tensor(flat(angles)), mode, Out(flat(shape))]
        cases.add(operator, *arguments, code=0 if fits else TILING)
        cases.add(operator, *arguments, product="Ascend950")
    cases.add("ApplyRotaryPosEmb", InOut(x, x), InOut(x, x), Tensor(cos), Tensor(cos), 1, **refused)
    key, angle = steps("f32", (2, 3, 1, 128)), steps("f32", (2, 3, 1, 128))
    cases.add("ApplyRotaryPosEmb", InOut(key, key), InOut(key, key), Tensor(angle), Tensor(angle), 4, **refused)
    cases.add("ApplyRotaryPosEmbV2", InOut(key, key), InOut(key, key), Tensor(angle), Tensor(angle), 1, Text("third"), **refused)


# Attention.

def attend(query, key, value, scale, shift=None, before=False, hidden=None, kept=None, keep=1.0, clears=False, sinks=None):
    """Heads are [batch, head, token, element] in f64. Returns the result and what is known of each query."""
    group = query.shape[1] // key.shape[1]
    key, value = key.repeat_interleave(group, 1), value.repeat_interleave(group, 1)
    scores = query @ key.transpose(-1, -2)
    if shift is not None and before:
        scores = scores + shift
    scores = scores * scale
    if shift is not None and not before:
        scores = scores + shift
    least = float(np.finfo(np.float32).min)
    if hidden is not None:
        scores = scores.masked_fill(hidden, least)
    most = scores.amax(-1, keepdim=True)
    if sinks is not None:
        most = torch.maximum(most, sinks[None, :, None, None])
    powers = torch.exp(scores - most)
    total = powers.sum(-1, keepdim=True)
    if sinks is not None:
        total = total + torch.exp(sinks[None, :, None, None] - most)
    weights = powers / total
    if kept is not None:
        weights = weights * kept / keep
    nothing = (most == -math.inf) | ((most == least) if clears else torch.zeros_like(most, dtype=torch.bool))
    out = (torch.where(nothing, 0.0, weights)) @ value
    total = torch.where(nothing, 0.0, total)
    return out, most.detach(), total.detach()


def outside(queries, keys, first, last):
    """The pairs that a band hides."""
    distance = torch.arange(keys)[None] - torch.arange(queries)[:, None]
    return (distance < first) | (distance > last)


LAYOUTS = {
    "BSH": lambda x: x.transpose(0, 2, 1, 3).reshape(x.shape[0], x.shape[2], -1),
    "SBH": lambda x: x.transpose(2, 0, 1, 3).reshape(x.shape[2], x.shape[0], -1),
    "BSND": lambda x: x.transpose(0, 2, 1, 3),
    "BNSD": lambda x: x,
    "NBSD": lambda x: x.transpose(1, 0, 2, 3),
    "TND": lambda x: x[0].transpose(1, 0, 2),
    "NTD": lambda x: x[0],
}


def laid(x, layout):
    return np.ascontiguousarray(LAYOUTS[layout](np.asarray(x)))


def near(x, name):
    return Out(rounded(x, name), ulps=UNITS[name])


def roughly(x, name):
    x = np.asarray(x, np.float64)
    part = {"f32": 2.0**-18, "f16": 2.0**-10, "bf16": 2.0**-7}[name]
    return Out(rounded(x, name), within=max(part * float(np.abs(x).max(initial=0)), 1e-30))


def fused(version, query, keys, values, out, heads, scale, layout, shift=NULL, mask=NULL, lengths=NULL, of_keys=NULL, before=2147483647, after=2147483647, sharing=0, sparse=0, precise=0, lse=None, quant=NULL, table=NULL, block=0, rope=None, sinks=None, **more):
    """A call of FusedInferAttentionScore in one of its versions."""
    other = {1: 9, 2: 16, 3: 19, 4: 21, 5: 23}[version]
    name = "FusedInferAttentionScore" + ("" if version == 1 else f"V{version}")
    tail = [heads, scale, before, after, Text(layout), sharing, sparse, precise, block, 0, lse is not None]
    tail += {1: [], 2: [0, 0], 3: [0, 0], 4: [0, 0, 0], 5: [0, 0, 0, 0]}[version]
    others = [quant] + [NULL] * other
    others[7] = table
    if rope:
        others[17:19] = rope
    if sinks:
        others[21] = sinks
    cases.add(name, Tensor(query), Tensors(*map(Tensor, keys)), Tensors(*map(Tensor, values)), shift, mask, lengths, of_keys, *others, *tail, out, lse or NULL, **more)


def operands(name, batches=2, heads=4, sharing=2, queries=5, keys=7, size=8, wide=None):
    shape = lambda heads, tokens, size: (batches, heads, tokens, size)
    return draw(name, shape(heads, queries, size)), draw(name, shape(sharing, keys, size)), columns(name, shape(sharing, keys, wide or size))


def lse_of(most, total):
    return (most + torch.log(total)).numpy()


def paged(name, x, ends, block, flat, order):
    """The tokens of [batch, head, token, element] up to `ends` in blocks of a cache; all other tokens are NaN."""
    batches, heads, _, size = x.shape
    cache = np.full((len(order), block, heads, size), np.nan, kind(name))
    table = np.full((batches, max(-(-end // block) for end in ends)), 10**9, np.int32)
    order = iter(order)
    for batch, end in enumerate(ends):
        for page in range(-(-end // block)):
            table[batch, page] = next(order)
            tokens = x[batch, :, page * block : min(end, (page + 1) * block)].transpose(1, 0, 2)
            cache[table[batch, page], : len(tokens)] = tokens
    cache = cache.reshape(len(cache), block, -1) if flat else cache.transpose(0, 2, 1, 3)
    return np.ascontiguousarray(cache), table


def each_sequence(parts):
    return np.concatenate([attend(*part)[0].detach().numpy() for part in parts])


def paging():
    for name in ["f16", "bf16"]:
        # One token after the other, and a few together, with the layouts of caches that each layout of queries takes.
        for version, layout, queries, flat in [(1, "BSND", 1, True), (2, "BSH", 3, True), (3, "BNSD", 2, False), (4, "BNSD", 2, True), (5, "BNSD_BSND", 20, False)]:
            if name == "bf16" and version != 2:
                continue
            ends = [130, 57]
            q, k, v = operands(name, queries=queries, keys=130)
            wide = [double(x) for x in (q, k, v)]
            order = random.permutation(3)
            keys, table = paged(name, k, ends, 128, flat, order)
            values, _ = paged(name, v, ends, 128, flat, order)
            parts = [attend(wide[0][at : at + 1], wide[1][at : at + 1, :, :end], wide[2][at : at + 1, :, :end], 0.25) for at, end in enumerate(ends)]
            out = np.concatenate([part[0].detach().numpy() for part in parts])
            lse = np.concatenate([lse_of(*part[1:]) for part in parts]).astype(np.float32)
            of_out = "BSND" if layout == "BNSD_BSND" else layout
            fused(version, laid(q, layout[:4]), [keys], [values], near(laid(out, of_out), name), 4, 0.25, layout, of_keys=Ints(ends), sharing=2, table=Tensor(table), block=128, lse=Out(lse, within=1e-5))
            # With a mask that has a column for each token that the table has room for.
            if version not in [2, 5]:
                continue
            mask = random.uniform(size=(2, 1, queries, 256)) < 0.3
            mask[..., 0] = False
            hidden = torch.tensor(mask)
            parts = [(wide[0][at : at + 1], wide[1][at : at + 1, :, :end], wide[2][at : at + 1, :, :end], 0.25, None, False, hidden[at : at + 1, :, :, :end]) for at, end in enumerate(ends)]
            fused(version, laid(q, layout[:4]), [keys], [values], near(laid(each_sequence(parts), of_out), name), 4, 0.25, layout, of_keys=Ints(ends), sharing=2, table=Tensor(table), block=128, mask=Tensor(mask), sparse=1)
        # Sequences one after the other, with small blocks; the lengths of keys are not those of all before.
        q, k, v = operands(name, queries=5, keys=40)
        ends, order = [33, 7], random.permutation(6)
        flat = name == "f16"
        keys, table = paged(name, k, ends, 16, flat, order)
        values, _ = paged(name, v, ends, 16, flat, order)
        wide = [double(x) for x in (q, k, v)]
        out = each_sequence([(wide[0][at : at + 1, :, :queries], wide[1][at : at + 1, :, :end], wide[2][at : at + 1, :, :end], 0.25) for at, (queries, end) in enumerate([(1, 33)])])
        more = each_sequence([(wide[0][1:, :, :4], wide[1][1:, :, :7], wide[2][1:, :, :7], 0.25)])
        joined = lambda parts: np.concatenate(parts, 2)
        together = joined([q[:1, :, :1], q[1:, :, :4]])
        for layout in ["TND", "TND_NTD", "NTD_TND"]:
            of_query, of_out = (layout.split("_") * 2)[:2]
            fused(3, laid(together, of_query), [keys], [values], near(laid(joined([out, more]), of_out), name), 4, 0.25, layout, lengths=Ints([1, 5]), of_keys=Ints(ends), sharing=2, table=Tensor(table), block=16)
        # A part of each key stands apart: keys and values are one tensor.
        for queries, layout in [(1, "BSND"), (3, "BSND_NBSD"), (18, "BNSD_NBSD"), (2, "BSH_NBSD")]:
            q, k = draw(name, (2, 8, queries, 32)), columns(name, (2, 1, 50, 32))
            of_q, of_k = draw(name, (2, 8, queries, 8)), draw(name, (2, 1, 50, 8))
            joint = [double(np.concatenate([x.astype(np.float64), y.astype(np.float64)], -1)) for x, y in [(q, of_q), (k, of_k)]]
            of_query, of_out = (layout.split("_") * 2)[:2]
            out, *_ = attend(*joint, double(k), 0.125)
            given = [laid(x, of_query) for x in (q, of_q)]
            whole = [laid(x, of_query) for x in (k, of_k)]
            fused(3, given[0], [whole[0]], [whole[0]], near(laid(out.detach(), of_out), name), 8, 0.125, layout, sharing=1, rope=[Tensor(given[1]), Tensor(whole[1])])
            ends, order = [50, 9], random.permutation(8)
            keys, table = paged(name, k, ends, 16, True, order)
            apart, _ = paged(name, of_k, ends, 16, True, order)
            out = each_sequence([(joint[0][at : at + 1], joint[1][at : at + 1, :, :end], double(k[at : at + 1, :, :end]), 0.125) for at, end in enumerate(ends)])
            fused(4, given[0], [keys], [keys], near(laid(out, of_out), name), 8, 0.125, layout, of_keys=Ints(ends), sharing=1, table=Tensor(table), block=16, rope=[Tensor(given[1]), Tensor(apart)])
        # A score for each head that has no value.
        for queries in [1, 17]:
            q, k, v = operands(name, queries=queries)
            sinks = np.array([0.5, -1.0, 3.0, 0.0], np.float32)
            out, most, total = attend(double(q), double(k), double(v), 0.25, sinks=double(sinks))
            fused(4, q, [k], [v], near(out.detach(), name), 4, 0.25, "BNSD", sharing=2, sinks=Tensor(sinks), lse=Out(lse_of(most, total).astype(np.float32), within=1e-5))
        # A sequence without keys: its scores are the sinks alone.
        q, k, v = operands(name, queries=1)
        rows = [attend(double(q[:1]), double(k[:1, :, :3]), double(v[:1, :, :3]), 0.25, sinks=double(sinks))]
        out = np.concatenate([rows[0][0].detach().numpy(), np.zeros((1, 4, 1, 8))])
        known = np.concatenate([lse_of(*rows[0][1:]), sinks.reshape(1, 4, 1, 1)]).astype(np.float32)
        fused(4, q, [k], [v], near(out, name), 4, 0.25, "BNSD", of_keys=Ints([3, 0]), sharing=2, sinks=Tensor(sinks), lse=Out(known, within=1e-5))
        # A shift that has a column for each token that the table has room for.
        q, k, v = operands(name, queries=1, keys=40)
        ends, order = [33, 7], random.permutation(4)
        keys, table = paged(name, k, ends, 16, True, order)
        values, _ = paged(name, v, ends, 16, True, order)
        shift = draw(name, (1, 4, 1, 48))
        out = each_sequence([(double(q[at : at + 1]), double(k[at : at + 1, :, :end]), double(v[at : at + 1, :, :end]), 0.25, double(shift[..., :end])) for at, end in enumerate(ends)])
        cases.add("IncreFlashAttentionV3", Tensor(laid(q, "BSH")), Tensors(Tensor(keys)), Tensors(Tensor(values)), Tensor(shift), NULL, Ints(ends), *[NULL] * 7, Tensor(table), 4, 0.25, Text("BSH"), 2, 16, 0, near(laid(out, "BSH"), name))
        # One token after the other, by the operator for that alone.
        q, k, v = operands(name, queries=1, keys=40)
        ends, order = [33, 7], random.permutation(4)
        keys, table = paged(name, k, ends, 16, True, order)
        values, _ = paged(name, v, ends, 16, True, order)
        out = each_sequence([(double(q[at : at + 1]), double(k[at : at + 1, :, :end]), double(v[at : at + 1, :, :end]), 0.25) for at, end in enumerate(ends)])
        for form, others in [("V3", []), ("V4", [NULL])]:
            call = [Tensor(laid(q, "BSH")), Tensors(Tensor(keys)), Tensors(Tensor(values)), NULL, NULL, Ints(ends)]
            cases.add(f"IncreFlashAttention{form}", *call, *[NULL] * 7, Tensor(table), *others, 4, 0.25, Text("BSH"), 2, 16, 0, near(laid(out, "BSH"), name))
    q, k, v = operands("f16", queries=1, keys=130)
    # Numbers that take no room in the file.
    k = np.zeros_like(k)
    keys, table = paged("f16", k, [130, 57], 128, True, range(3))
    plain = dict(out=Out(laid(q, "BSH")), heads=4, scale=0.25, layout="BSH", sharing=2, of_keys=Ints([130, 57]), table=Tensor(table), block=128)
    wrong = lambda keys=keys, code=TILING, **changed: fused(3, laid(q, "BSH"), [keys], [keys], **{**plain, **changed}, code=code)
    wrong(of_keys=NULL)
    wrong(of_keys=Ints([130, 257]))
    wrong(of_keys=Ints([130, 57, 1]))
    wrong(block=0)
    wrong(block=64)
    wrong(block=256)
    wrong(block=16)
    wrong(table=Tensor(table[:1]))
    wrong(table=Tensor(table[0]))
    wrong(table=Tensor(table.astype(np.int64)))
    wrong(keys=paged("f16", k, [130, 57], 128, False, range(3))[0])
    wrong(keys=keys[..., :8].copy())
    wrong(rope=[Tensor(laid(q, "BSH")), NULL])
    wrong(rope=[Tensor(laid(q, "BSH").astype(np.float32)), Tensor(keys)], code=INVALID)
    wrong(rope=[Tensor(laid(q, "BSH")), Tensor(keys[..., :8].copy())])


def positioned():
    for name in F:
        # First elements of pairs, then second ones.
        if name != "f32":
            for tokens in [3, 1]:
                x = steps(name, (2, 3, 3, 64))
                cos, sin = steps(name, (2, 1, tokens, 64)), steps(name, (2, 1, tokens, 64))
                apart = np.concatenate([x[..., ::2], x[..., 1::2]], -1).astype(np.float64)
                crossed = np.concatenate([-x[..., 1::2], x[..., ::2]], -1).astype(np.float64)
                out = Out(rounded(apart * cos.astype(np.float64) + crossed * sin.astype(np.float64), name))
                cases.add("InterleaveRope", Tensor(x), Tensor(cos), Tensor(sin), out)
        # Angles that positions find: of one dimension, in sections, and in turns.
        for size, head, halves, sections, mode in [(32, 64, True, None, 0), (64, 64, False, [0, 0, 0], 0), (64, 64, True, [8, 12, 12], 0), (64, 96, False, [11, 11, 10], 1), (128, 128, True, [16, 16, 16, 16], 0), (64, 64, True, [8, 12, 12], 1), (32, 32, False, [], 0)]:
            tokens, most = 5, 9
            plain = not sections or sections[0] == 0
            q, k, cache = steps(name, (tokens, 3 * head)), steps(name, (tokens, head)), steps(name, (most, size))
            positions = random.integers(0, most, (tokens,) if plain else (len(sections), tokens))
            row = np.zeros(size // 2, int)
            if not plain and mode == 0:
                row = np.repeat(np.arange(len(sections)), sections)
            elif not plain:
                for pair in range(size // 2):
                    if pair % 3 and pair // 3 < sections[pair % 3]:
                        row[pair] = pair % 3
            turned_by = np.broadcast_to(positions, (len(sections) if not plain else 1, tokens))
            outs = []
            for x in (q, k):
                out = x.astype(np.float64)
                for token in range(tokens):
                    for first in range(0, x.shape[1], head):
                        for pair in range(size // 2):
                            angles = cache[turned_by[row[pair], token]].astype(np.float64)
                            cos, sin = angles[pair], angles[size // 2 + pair]
                            a, b = (pair, pair + size // 2) if halves else (2 * pair, 2 * pair + 1)
                            one, two = float(x[token, first + a]), float(x[token, first + b])
                            out[token, first + a], out[token, first + b] = one * cos - two * sin, two * cos + one * sin
                outs.append(Out(rounded(out, name)))
            given = NULL if sections is None else Ints(sections)
            call = [Tensor(positions), *map(Tensor, (q, k, cache)), given, head, halves]
            if mode == 0:
                cases.add("RopeWithSinCosCache", *call, *outs)
            cases.add("RopeWithSinCosCacheV2", *call, mode, *outs)
    q, cache, positions = steps("f16", (2, 64)), steps("f16", (3, 32)), np.array([0, 2])
    angle, x = steps("f16", (1, 1, 1, 64)), steps("f16", (1, 2, 1, 64))

    def wrong(code, positions=positions, q=q, k=q, cache=cache, sections=NULL, head=64, mode=0, out=None):
        arrays = map(Tensor, (positions, q, k, cache))
        cases.add("RopeWithSinCosCacheV2", *arrays, sections, head, True, mode, Out(q if out is None else out), Out(k), code=code)

    wrong(INVALID, mode=2)
    wrong(INVALID, positions=positions.astype(np.int32))
    wrong(INVALID, k=q[:1])
    wrong(INVALID, k=q.astype(np.float32))
    wrong(INVALID, cache=cache[:0])
    wrong(INVALID, sections=Ints([16, 8, 8]))
    wrong(INVALID, sections=Ints([8, 12, 12]))
    wrong(INVALID, head=0)
    wrong(INVALID, out=q[:, :32].copy())
    wrong(INNER, head=48)
    wrong(INNER, head=32, cache=np.concatenate([cache, cache], 1))
    for shape in [(1, 1, 2, 64), (1, 2, 1, 64), (1, 1, 1, 32)]:
        angles = steps("f16", shape)
        cases.add("InterleaveRope", Tensor(x), Tensor(angles), Tensor(angles), Out(x), code=TILING)
    half = [steps("f16", (1, 2, 1, 32)), steps("f16", (1, 1, 1, 32))]
    cases.add("InterleaveRope", Tensor(half[0]), Tensor(half[1]), Tensor(half[1]), Out(half[0]), code=TILING)
    cases.add("InterleaveRope", *[Tensor(np.ones((1, 1, 1, 64), np.float32))] * 3, Out(np.ones((1, 1, 1, 64), np.float32)), code=INVALID)


def caching():
    null = [NULL] * 3
    for name in ["f16", "bf16", "i8"]:
        number = lambda shape: (random.integers(-9, 9, shape) / (1 if name == "i8" else 4)).astype(kind(name))
        group = 32 // np.dtype(kind(name)).itemsize
        blocks, block, heads, size, tokens = 3, 4, 2, group * 2, 6
        key, value = number((tokens, heads, size)), number((tokens, heads, group))
        for wide in [np.int32, np.int64]:
            slots = random.permutation(blocks * block)[:tokens].astype(wide)
            slots[3] = -1
            written = []
            for x in (key, value):
                flat = number((blocks, block, heads, x.shape[2]))
                after = flat.reshape(blocks * block, heads, -1).copy()
                for token, slot in enumerate(slots):
                    if slot >= 0:
                        after[slot] = x[token]
                written.append((flat, after.reshape(flat.shape)))
            nz = lambda x: x.reshape(blocks, block, -1, group).transpose(0, 2, 1, 3)
            nz5 = lambda x: x.reshape(blocks, block, heads, -1, group).transpose(0, 2, 3, 1, 4)
            for lay, modes in [(lambda x: x, (NULL, NULL)), (lambda x: x, (Text("Norm"), Text("None"))), (lambda x: x.transpose(0, 2, 1, 3), (Text(""), Text("NHSD"))), (nz, (Text("PA_NZ"), NULL)), (nz5, (Text("PA_NZ"), Text("")))][: 1 if wide is np.int64 else 5]:
                of_key, of_value = (InOut(*[np.ascontiguousarray(lay(x)) for x in pair]) for pair in written)
                cases.add("ScatterPaKvCache", Tensor(key), of_key, Tensor(slots), Tensor(value), of_value, *null, *modes, NULL, NULL)
            if wide is np.int64:
                continue
            alone = InOut(*written[0])
            nothing = np.ones((), kind(name))
            cases.add("ScatterPaKvCache", Tensor(key), alone, Tensor(slots), Tensor(nothing), InOut(nothing, nothing), *null, NULL, NULL, NULL, NULL)
            cases.add("ScatterPaKvCache", Tensor(key), alone, Tensor(slots), NULL, NULL, *null, NULL, NULL, NULL, NULL)
        # Back, for sequences of some lengths; tokens before an offset are left out by whole blocks.
        table, lengths, offsets = np.array([[2, 0], [1, 1]], np.int32), np.array([5, 2], np.int32), np.array([0, 5], np.int32)
        caches = [written[0][1], written[1][1]]
        for form, ends in [("", lengths), ("sum", np.array([1, 6, 8], np.int32))]:
            for skipped in [None, offsets]:
                before = [number((9, heads, x.shape[3])) for x in caches]
                after = [x.copy() for x in before]
                for cache, out in zip(caches, after):
                    for sequence, first in enumerate([1, 6] if form else [0, 5]):
                        for token in range(lengths[sequence]):
                            page = token // block + (0 if skipped is None else skipped[sequence] // block)
                            out[first + token] = cache[table[sequence, page], token % block]
                given = NULL if skipped is None else Tensor(skipped)
                call = lambda caches, outs, mode: cases.add("GatherPaKvCache", *map(Tensor, caches), Tensor(table), Tensor(ends), *outs, given, mode, form == "sum")
                call(caches, [InOut(*pair) for pair in zip(before, after)], Text("Norm") if form else NULL)
                nz = lambda x: np.ascontiguousarray(x.reshape(blocks, block, -1, group).transpose(0, 2, 1, 3))
                call([nz(x) for x in caches], [InOut(x.reshape(9, -1), y.reshape(9, -1)) for x, y in zip(before, after)], Text("PA_NZ"))
    key = np.ones((2, 1, 16), np.float16)
    cache = np.zeros((1, 4, 1, 16), np.float16)
    slots, ends, table = np.array([0, 3], np.int32), np.array([2], np.int32), np.zeros((1, 1), np.int32)

    def refused(code, key=Tensor(key), cache=cache, slots=Tensor(slots), value=NULL, into=NULL, modes=(NULL, NULL)):
        cases.add("ScatterPaKvCache", key, cache if cache is NULL else Out(cache), slots, value, into, *null, *modes, NULL, NULL, code=code)

    refused(INNER, key=NULL)
    refused(INNER, cache=NULL)
    refused(INNER, slots=NULL)
    refused(INNER, value=Tensor(key))
    refused(INVALID, key=Tensor(key[0]))
    refused(INVALID, cache=cache.astype(np.float32))
    refused(INVALID, slots=Tensor(slots.astype(np.int16)))
    refused(INVALID, value=Tensor(key.astype(np.int8)), into=Out(cache.astype(np.int8)))
    refused(INNER, slots=Tensor(slots[:1]))
    refused(INNER, cache=cache[..., :8].copy())
    refused(INNER, modes=(Text("Other"), NULL))
    refused(INNER, modes=(NULL, Text("Other")))
    refused(INNER, modes=(NULL, Text("Alibi")))

    def unread(code, cache=cache, value=cache, table=Tensor(table), ends=Tensor(ends), out=key, mode=NULL, sums=False):
        cases.add("GatherPaKvCache", Tensor(cache), Tensor(value), table, ends, Out(out), Out(key), NULL, mode, sums, code=code)

    unread(NULLPTR, table=NULL)
    unread(INVALID, table=Tensor(np.zeros(1, np.int32)))
    unread(INVALID, ends=Tensor(np.array([2], np.int64)))
    unread(INVALID, out=key.astype(np.float32))
    unread(INNER, cache=cache.astype(np.float32), out=key.astype(np.float32))
    unread(INNER, table=Tensor(np.zeros((1, 1), np.int64)), ends=Tensor(np.array([2], np.int64)))
    unread(INNER, sums=True)
    unread(INNER, out=key[..., :8].copy())
    unread(INNER, mode=Text("BSND"))
    unread(INNER, mode=Text(""))


def compressing():
    """Tokens of sequences that are written without some; and keys alone."""
    batches, heads, blocks, block = 3, 2, 8, 4
    lengths = np.array([5, 3, 4])
    for name in ["f16", "bf16", "i8"]:
        for mode, starts in [("Alibi", None), ("Rope", [[1, 0], [2, 3], [0, -1]]), ("Omni", [[1, 0], [2, 3], [0, -1]])]:
            windows = np.array([[2, 3], [1, 3], [4, 9]])
            slots = np.array([[0, 6], [12, 16], [22, 27]])
            pairs, keys = [], []
            for size in (16, 32):
                x = random.integers(-9, 9, (lengths.sum(), heads, size)).astype(kind(name))
                before = random.integers(-9, 9, (blocks, block, 1, size)).astype(kind(name))
                after = before.reshape(-1, size).copy()
                for batch in range(batches):
                    own = x[lengths[:batch].sum() :][: lengths[batch]]
                    for head in range(heads):
                        rows, window = own[:, head], windows[batch, head]
                        if mode == "Alibi":
                            rows = rows[max(len(rows) - window, 0) :]
                        elif starts[batch][head] >= 0:
                            first = starts[batch][head]
                            out = rows[first : first + window]
                            mean = rounded(np.rint(out.astype(np.float64).mean(0)) if name == "i8" else out.astype(np.float64).mean(0), name) if len(out) else None
                            rows = [*rows[:first], *([mean] if mode == "Rope" and len(out) else []), *rows[first + window :]]
                        for at, row in enumerate(rows):
                            after[slots[batch, head] + at] = row
                keys.append(Tensor(x))
                pairs.append(InOut(before, after.reshape(before.shape), ulps=0 if name == "i8" else 1))
            for wide in [np.int32, np.int64]:
                flat = lambda list: Tensor(np.array(list).reshape(-1).astype(wide))
                given = [flat(windows), NULL if starts is None else flat(starts), flat(lengths)]
                cases.add("ScatterPaKvCache", keys[0], pairs[0], flat(slots), keys[1], pairs[1], *given, NULL, Text(mode), NULL, NULL)
        cases.add("ScatterPaKvCache", keys[0], pairs[0], flat(slots), NULL, NULL, flat(windows), NULL, flat(lengths), NULL, Text(mode), NULL, NULL, code=INNER)
        cases.add("ScatterPaKvCache", keys[0], pairs[0], flat(slots[0]), NULL, NULL, *given, NULL, Text(mode), NULL, NULL, code=INNER)
        group = 32 // np.dtype(kind(name)).itemsize
        key = random.integers(-9, 9, (3, 2, group)).astype(kind(name))
        before = random.integers(-9, 9, (2, 4, 2, group)).astype(kind(name))
        after = before.reshape(8, 2, -1).copy()
        after[[6, 1]] = key[[0, 2]]
        after = after.reshape(before.shape)
        nz = lambda x: np.ascontiguousarray(x.reshape(2, 4, 2, group).transpose(0, 2, 1, 3))
        for lay, text in [(lambda x: x, NULL), (lambda x: x, Text("Norm")), (nz, Text("PA_NZ"))]:
            call = [Tensor(key), InOut(lay(before), lay(after)), Tensor(np.array([6, -1, 1], np.int32)), *[NULL] * 3, text]
            cases.add("ScatterPaCache", *call, product="Ascend950")
            cases.add("ScatterPaCache", *call, code=INVALID)
    call = [Tensor(key), Out(before), Tensor(np.array([6, -1, 1], np.int32)), *[NULL] * 3]
    cases.add("ScatterPaCache", *call, Text("Other"), product="Ascend950", code=TILING)
    cases.add("ScatterPaCache", NULL, *call[1:], NULL, product="Ascend950", code=NULLPTR)
    cases.add("ScatterPaCache", Tensor(key[:2]), *call[1:], NULL, product="Ascend950", code=TILING)
    cases.add("ScatterPaCache", call[0], Out(before.reshape(2, 2, 4, -1)), *call[2:], NULL, product="Ascend950", code=TILING)


def inference():
    for name in ["f16", "bf16"]:
        # The layouts, plain, as a sum with a shift, and with a mask.
        for version in [1, 2, 3, 4, 5]:
            for layout, of_out in [("BSH", "BSH"), ("BSND", "BSND"), ("BNSD", "BNSD"), ("BNSD_BSND", "BSND")]:
                if (version != 2 or name == "bf16") and layout != "BSND" or version != 2 and name == "bf16":
                    continue
                q, k, v = operands(name)
                scale = 0.25
                shift = draw(name, (2, 4, 5, 7))
                mask = random.uniform(size=(2, 1, 5, 7)) < 0.3
                mask[..., 0] = False
                given = [laid(x, layout[:4]) for x in (q, k, v)]
                wide = [double(x) for x in (q, k, v)]
                out, most, total = attend(*wide, scale)
                fused(version, given[0], given[1:2], given[2:], near(laid(out.detach(), of_out), name), 4, scale, layout, sharing=2, lse=Out(lse_of(most, total).astype(np.float32), within=1e-5))
                out, most, total = attend(*wide, scale, shift=double(shift), hidden=torch.tensor(mask))
                fused(version, given[0], given[1:2], given[2:], near(laid(out.detach(), of_out), name), 4, scale, layout, sharing=2, shift=Tensor(shift), mask=Tensor(mask), lse=Out(lse_of(most, total).astype(np.float32), within=1e-5))
        # One tensor of keys for each sequence.
        q, k, v = operands(name, heads=2, sharing=1, queries=1)
        out, *_ = attend(double(q), double(k), double(v), 0.5)
        split = lambda x: [laid(x[at : at + 1], "BSND") for at in range(2)]
        fused(2, laid(q, "BSND"), split(k), split(v), near(laid(out.detach(), "BSND"), name), 2, 0.5, "BSND", sharing=1)
        short = [attend(double(q[at : at + 1]), double(k[at : at + 1, :, :end]), double(v[at : at + 1, :, :end]), 0.5)[0].detach().numpy() for at, end in [(0, 7), (1, 3)]]
        shorter = [split(k)[0], split(k)[1][:, :3].copy()], [split(v)[0], split(v)[1][:, :3].copy()]
        fused(2, laid(q, "BSND"), *shorter, near(laid(np.concatenate(short), "BSND"), name), 2, 0.5, "BSND", sharing=1)
        # As a tensor library calls it: a shift that hides, elements for rows that see nothing.
        for queries in [1, 6]:
            q, k, v = operands(name, batches=1, heads=4, sharing=2, queries=queries, keys=9)
            shift = draw(name, (1, 1, queries, 9))
            shift[random.uniform(size=shift.shape) < 0.4] = -np.inf
            shift[..., -1, :] = -np.inf
            out, *_ = attend(double(q), double(k), double(v), 0.25, shift=double(shift))
            out = torch.nan_to_num(out.detach(), nan=0.0)
            fused(2, laid(q, "BSND"), [laid(k, "BSND")], [laid(v, "BSND")], near(laid(out, "BSND"), name), 4, 0.25, "BSND", shift=Tensor(np.repeat(shift, 4, 1)), before=65535, after=65535, sharing=2, precise=0 if queries == 1 else 2)
        # The modes: bands around diagonals, and triangles of any size.
        triangle = np.triu(np.ones((2048, 2048), np.bool_), 1)
        for queries, keys in [(5, 7), (7, 5), (4, 4)]:
            q, k, v = operands(name, queries=queries, keys=keys)
            scale = 0.25
            given = [laid(x, "BNSD") for x in (q, k, v)]
            some = np.zeros((1, 1, queries, keys), np.bool_)
            some[..., 1::3, 2] = True
            diagonal = keys - queries
            for sparse, before, after, hidden, mask in [
                (0, 2, 1, outside(queries, keys, -2, 1) | torch.tensor(some), some), (1, 2, 1, torch.tensor(some), some),
                (2, 2, 1, outside(queries, keys, -99, 0), triangle), (3, 2, 1, outside(queries, keys, -99, diagonal), triangle),
                (4, 2, 1, outside(queries, keys, diagonal - 2, diagonal + 1), triangle),
            ]:
                # A triangle of 2048 by 2048 takes long to set up.
                if mask is triangle and (name == "bf16" or sparse == 2 or queries == 4 or (sparse == 3) != (queries == 7)):
                    continue
                out, most, _ = attend(*[double(x) for x in (q, k, v)], scale, hidden=hidden, clears=True)
                one = Tensor(mask[0, 0]) if mask is some else Tensor(mask)
                fused(2, given[0], given[1:2], given[2:], near(out.detach(), name), 4, scale, "BNSD", mask=one, before=before, after=after, sharing=2, sparse=sparse, precise=2)
            out, *_ = attend(*[double(x) for x in (q, k, v)], scale)
            fused(2, given[0], given[1:2], given[2:], near(out.detach(), name), 4, scale, "BNSD", before=0, after=0, sharing=2, sparse=3)
        # A row that is masked entirely: the mean of the values, or zeros.
        q, k, v = operands(name)
        mask = np.zeros((5, 7), np.int8)
        mask[2] = 1
        for precise in [0, 1, 2, 3]:
            out, *_ = attend(double(q), double(k), double(v), 0.25, hidden=torch.tensor(mask != 0), clears=precise > 1)
            fused(2, q, [k], [v], near(out.detach(), name), 4, 0.25, "BNSD", mask=Tensor(mask), sharing=2, sparse=1, precise=precise)
        # Lengths of sequences; queries behind them have zeros.
        q, k, v = operands(name)
        out, ends = np.zeros((2, 4, 5, 8)), [(3, 7), (5, 2)]
        known = np.full((2, 4, 5, 1), -np.inf, np.float32)
        for at, (queries, keys) in enumerate(ends):
            part, most, total = attend(double(q[at : at + 1, :, :queries]), double(k[at : at + 1, :, :keys]), double(v[at : at + 1, :, :keys]), 0.25)
            out[at, :, :queries], known[at, :, :queries] = part.detach().numpy()[0], lse_of(most, total)[0]
        for layout in ["BSH", "BNSD"]:
            fused(2, laid(q, layout), [laid(k, layout)], [laid(v, layout)], near(laid(out, layout), name), 4, 0.25, layout, lengths=Ints([3, 5]), of_keys=Ints([7, 2]), sharing=2, lse=Out(known, within=1e-5))
        # Sequences one after the other.
        q, k, v = operands(name, batches=1, queries=8, keys=9)
        out, ends = np.zeros((1, 4, 8, 8)), [(0, 3, 0, 4), (3, 7, 4, 9)]
        for first, last, begin, end in ends:
            part, *_ = attend(double(q[:, :, first:last]), double(k[:, :, begin:end]), double(v[:, :, begin:end]), 0.25)
            out[:, :, first:last] = part.detach().numpy()
        fused(2, laid(q, "TND"), [laid(k, "TND")], [laid(v, "TND")], near(laid(out, "TND"), name), 4, 0.25, "TND", lengths=Ints([3, 7]), of_keys=Ints([4, 9]), sharing=2)
        # No keys, no queries.
        fused(2, q, [k[:, :, :0]], [v[:, :, :0]], Out(np.zeros(q.shape, kind(name))), 4, 0.25, "BNSD", sharing=2)
        fused(2, q[:, :, :0], [k], [v], Out(q[:, :, :0]), 4, 0.25, "BNSD", sharing=2)
        # Prompts, and one token after the other.
        q, k, v = operands(name, wide=4)
        mask = random.uniform(size=(5, 7)) < 0.3
        mask[:, 0] = False
        out, *_ = attend(double(q), double(k), double(v), 0.25, hidden=torch.tensor(mask) | outside(5, 7, -3, 2))
        ends = [NULL] * 6
        for form, extra, tail in [("", [NULL], []), ("V2", [NULL] * 7, [0]), ("V3", [NULL] * 7, [0, 0])]:
            cases.add(f"PromptFlashAttention{form}", *map(Tensor, (q, k, v)), NULL, Tensor(mask), *extra, 4, 0.25, 3, 2, Text("BNSD"), 2, *tail, near(out.detach(), name))
        q, k, v = operands(name, queries=1)
        mask = np.zeros((2, 7), np.uint8)
        mask[0, 5:], mask[1, 2] = 1, 1
        out, *_ = attend(double(q), double(k), double(v), 0.25, hidden=torch.tensor(mask != 0)[:, None, None])
        ends = np.zeros((2, 4, 1, 8))
        for at, end in enumerate([4, 6]):
            ends[at] = attend(double(q[at : at + 1]), double(k[at : at + 1, :, :end]), double(v[at : at + 1, :, :end]), 0.25)[0].detach().numpy()
        given = [laid(x, "BSND") for x in (q, k, v)]
        for form, others, tail in [("", 0, []), ("V2", 5, []), ("V3", 8, [0, 1]), ("V4", 9, [0, 1])]:
            call = [Tensor(given[0]), Tensors(Tensor(given[1])), Tensors(Tensor(given[2])), NULL]
            for mask_of, length, result in [(Tensor(mask), NULL, out.detach()), (NULL, Ints([4, 6]), ends)]:
                cases.add(f"IncreFlashAttention{form}", *call, mask_of, length, *[NULL] * others, 4, 0.25, Text("BSND"), 2, *tail, near(laid(result, "BSND"), name))
    q, k, v = operands("f16")
    plain = dict(out=Out(q), heads=4, scale=0.25, layout="BNSD", sharing=2)
    wrong = lambda code, query=q, keys=[k], values=[v], **changed: fused(2, query, keys, values, **{**plain, **changed}, code=code)
    wrong(MISSING, quant=Tensor(np.ones(1, np.float32)))
    wrong(MISSING, layout="NTD")
    wrong(TILING, query=q[:, :, :1], out=Out(q[:, :, :1].transpose(0, 2, 1, 3)), layout="BNSD_BSND")
    wrong(MISSING, mask=Tensor(np.zeros((5, 7), np.bool_)), sparse=5)
    wrong(TILING, mask=Tensor(np.zeros((5, 7), np.bool_)), sparse=-1)
    wrong(TILING, heads=0)
    wrong(TILING, sharing=3)
    wrong(TILING, heads=2)
    wrong(TILING, keys=[k[:, :, :3]])
    wrong(TILING, keys=[k, k], values=[v, v])
    wrong(TILING, keys=[k[..., :4].copy()])
    wrong(TILING, lengths=Ints([3, 6]))
    wrong(TILING, of_keys=Ints([3, 3, 3]))
    wrong(TILING, layout="TND")
    wrong(TILING, mask=Tensor(np.zeros((5, 6), np.bool_)))
    wrong(TILING, mask=Tensor(np.zeros((5, 7), np.float16)))
    wrong(TILING, mask=Tensor(np.zeros((5, 7), np.bool_)), sparse=2)
    wrong(TILING, shift=Tensor(q))
    wrong(INVALID, shift=Tensor(np.zeros((1, 4, 5, 7), np.float32)))
    wrong(INVALID, query=q.astype(np.float32))
    wrong(INVALID, out=Out(q.astype(np.float32)))
    wrong(INVALID, values=[v.astype(ml_dtypes.bfloat16)])
    wrong(TILING, out=Out(q[:1]))
    wrong(TILING, lse=Out(np.zeros((2, 4, 5), np.float32)))
    cases.add("PromptFlashAttention", NULL, Tensor(k), Tensor(v), NULL, NULL, NULL, 4, 0.25, 9, 9, Text("BNSD"), 2, Out(q), code=NULLPTR)
    cases.add("PromptFlashAttention", Tensor(q), Tensor(k), Tensor(v), NULL, NULL, NULL, 4, 0.25, 9, 9, NULL, 2, Out(q), code=NULLPTR)
    cases.add("PromptFlashAttention", Tensor(q), Tensor(k), Tensor(v), NULL, NULL, NULL, 4, 0.25, 9, 9, Text("BNSD"), 2, Out(q), code=INVALID, product="Ascend910")
    # The 950 has prompts and single tokens, but not the first forms of both together.
    wrong(INVALID, product="Ascend950")
    for name in ["f16", "bf16"]:
        q, k, v = operands(name, queries=1)
        out = near(attend(double(q), double(k), double(v), 0.25)[0].detach(), name)
        cases.add("PromptFlashAttention", Tensor(q), Tensor(k), Tensor(v), NULL, NULL, NULL, 4, 0.25, 9, 9, Text("BNSD"), 2, out, product="Ascend950")
        cases.add("IncreFlashAttention", Tensor(q), Tensors(Tensor(k)), Tensors(Tensor(v)), NULL, NULL, NULL, 4, 0.25, Text("BNSD"), 2, out, product="Ascend950")


def flash(name, form, q, k, v, layout, scale=0.25, shift=None, mask=None, bits=None, keep=1.0, before=2147483647, after=2147483647, sparse=0, precise=0, kind_of=None, hidden=None, kept=None, parts=None, wants_shift=True):
    """A call for training, and of its gradients, in one of their forms."""
    wide = [double(x) for x in (q, k, v)]
    added = None if shift is None else double(shift)
    heads = q.shape[1]
    if parts is None:
        out, most, total = attend(*wide, scale, added, kind_of != 0, hidden, kept, keep, precise == 2)
    else:
        results = [attend(wide[0][:, :, a:b], wide[1][:, :, c:d], wide[2][:, :, c:d], scale, hidden=None if hidden is None else outside(b - a, d - c, *hidden)) for a, b, c, d in parts]
        out, most, total = [torch.cat([result[at] for result in results], 2) for at in range(3)]
    dy = draw(name, out.shape)
    out.backward(torch.tensor(dy.astype(np.float64)))
    lay = lambda x: laid(x, layout)
    known = [np.repeat(one.numpy().astype(np.float32), 8, -1) for one in (most, total)]
    known = [one[0].transpose(1, 0, 2) if layout == "TND" else one for one in known]
    optional = lambda x: NULL if x is None else Tensor(x)
    ends = [] if parts is None else [Ints([part[1] for part in parts]), Ints([part[3] for part in parts])]
    starts, last = ([NULL, NULL], [kind_of]) if form in ["V2", "V3", "V5"] else ([], [])
    sink, of_sink = ([NULL], [NULL]) if form in ["V3", "V5"] else ([], [])
    common = [scale, keep, before, after, heads, Text(layout), precise, sparse, *last]
    statistics_as = [Text("")] if form in ["V4", "V5"] else []
    statistics = [Out(known[0], within=1e-5), Out(known[1], ulps=64)]
    given = [Tensor(lay(x)) for x in (q, k, v)]
    operator = ("FlashAttentionScore" if parts is None else "FlashAttentionVarLenScore") + form
    in_parts = [given[0], NULL, given[1], NULL, given[2]] if form == "V5" else given
    cases.add(operator, *in_parts, optional(shift), optional(bits), NULL, optional(mask), *sink, NULL, *ends, *starts, *common, *statistics_as, *statistics, NULL, near(lay(out.detach()), name))
    if form in ["V4", "V5"]:
        return
    operator = ("FlashAttentionScoreGrad" if parts is None else "FlashAttentionUnpaddingScoreGrad") + form
    grads = [roughly(lay(one.grad), name) for one in wide]
    # A plugin passes the empty tensor that the operator leaves alone, and the result.
    rest = [Tensor(np.zeros(0, kind(name))), Tensor(lay(rounded(out.detach(), name)))] if form else [NULL, NULL]
    of_shift = roughly(added.grad, name) if shift is not None and wants_shift else NULL
    cases.add(operator, *given, Tensor(lay(dy)), optional(shift), optional(bits), NULL, optional(mask), *map(Tensor, known), *rest, *sink, NULL, *ends, *starts, *common, *grads, of_shift, *of_sink)


def training():
    for name in F:
        for layout in ["BSH", "SBH", "BSND", "BNSD"]:
            if name == "bf16" and layout != "BSND":
                continue
            flash(name, "", *operands(name), layout)
            if name != "f32":
                continue
            for form in ["V2", "V3"]:
                flash(name, form, *operands(name, wide=4), layout, kind_of=1)
        q, k, v = operands(name)
        for form, kind_of in [("", None), ("V2", 0), ("V2", 1), ("V3", 0)]:
            if name == "bf16" and form in ["", "V3"]:
                continue
            flash(name, form, q, k, v, "BNSD", shift=draw(name, (2, 4, 5, 7)), kind_of=kind_of)
            flash(name, form, q, k, v, "BSND", shift=draw(name, (1, 4, 1, 7)), kind_of=kind_of, wants_shift=False)
        for shape in [(5, 7), (1, 1, 5, 7), (2, 1, 5, 7), (2, 4, 5, 7)]:
            if name == "bf16":
                continue
            mask = random.uniform(size=shape) < 0.3
            mask[..., 0] = False
            flash(name, "", q, k, v, "BSH", mask=mask, sparse=1, hidden=torch.tensor(mask))
            flash(name, "", q, k, v, "BSH", mask=mask.astype(np.uint8), before=1, after=3, hidden=torch.tensor(mask) | outside(5, 7, -1, 3))
        if name == "bf16":
            continue
        # A row that is masked entirely.
        mask = np.zeros((5, 7), np.bool_)
        mask[3] = True
        flash(name, "", q, k, v, "BNSD", mask=mask, sparse=1, hidden=torch.tensor(mask))
        flash(name, "", q, k, v, "BNSD", mask=mask, sparse=1, hidden=torch.tensor(mask), precise=2)
        # Bits of weights that are kept, one for each; those of a head begin a byte or do not.
        for queries, keys in [(5, 7), (4, 6)]:
            q, k, v = operands(name, queries=queries, keys=keys)
            kept = random.uniform(size=(2, 4, queries, keys)) < 0.7
            bits = np.packbits(kept.reshape(-1), bitorder="little")
            bits = np.concatenate([bits, np.zeros(-len(bits) % 16, np.uint8)])
            flash(name, "", q, k, v, "BNSD", bits=bits, keep=0.7, kept=torch.tensor(kept.astype(np.float64)))
            if name == "f32":
                flash(name, "", q, k, v, "BNSD", bits=bits)
        q, k, v = operands(name, batches=1, queries=8, keys=9)
        parts = [(0, 3, 0, 4), (3, 8, 4, 9)]
        flash(name, "", q, k, v, "TND", parts=parts)
        for form in ["V2", "V4", "V5"]:
            flash(name, form, q, k, v, "TND", parts=parts, kind_of=1)
    triangle = np.triu(np.ones((2048, 2048), np.bool_), 1)
    q, k, v = operands("f16")
    q, k, v = operands("f16", batches=1, queries=8, keys=9)
    flash("f16", "", q, k, v, "TND", mask=triangle, sparse=2, hidden=(-99, 0), parts=[(0, 3, 0, 4), (3, 8, 4, 9)])
    # More queries than are computed together.
    q, k, v = operands("f16", batches=1, heads=1, sharing=1, queries=140, keys=20, size=2)
    flash("f16", "", q, k, v, "BNSD")

    q, k, v = operands("f32")
    known = np.zeros((2, 4, 5, 8), np.float32)

    def wrong(code, query=q, key=k, value=v, shift=NULL, bits=NULL, padding=NULL, mask=NULL, prefix=NULL, keep=1.0, heads=4, layout="BNSD", sparse=0, most=known, out=q):
        cases.add("FlashAttentionScore", Tensor(query), Tensor(key), Tensor(value), shift, bits, padding, mask, prefix, 0.25, keep, 99, 99, heads, Text(layout), 0, sparse, Out(most), Out(known), NULL, Out(out), code=code)

    wrong(INVALID, query=q.astype(np.float64))
    wrong(INVALID, key=k.astype(np.float16))
    wrong(INVALID, out=q.astype(np.float16))
    wrong(INVALID, shift=Tensor(np.zeros((2, 4, 5, 7), np.float16)))
    wrong(INVALID, heads=0)
    wrong(INVALID, heads=3)
    wrong(INVALID, layout="TND")
    wrong(INVALID, layout="BNSD_BSND")
    wrong(INVALID, layout="BSH")
    wrong(INVALID, key=k[..., :4])
    wrong(INVALID, key=k[:, :, :6])
    wrong(INVALID, value=np.concatenate([v, v], -1))
    wrong(INVALID, keep=0.0)
    wrong(INVALID, keep=1.5)
    wrong(TILING, bits=Tensor(np.zeros(16, np.uint8)), keep=0.5)
    wrong(TILING, mask=Tensor(np.zeros((5, 6), np.bool_)))
    wrong(INVALID, mask=Tensor(np.zeros((5, 7), np.int8)))
    wrong(TILING, most=known[..., :1])
    wrong(TILING, out=q[:1])
    wrong(MISSING, padding=Tensor(known))
    wrong(MISSING, prefix=Ints([1]))
    wrong(MISSING, mask=Tensor(np.zeros((5, 7), np.bool_)), sparse=6)
    empty = q[:, :, :0]
    cases.add("FlashAttentionScore", Tensor(empty), Tensor(k), Tensor(v), NULL, NULL, NULL, NULL, NULL, 0.25, 1.0, 9, 9, 4, Text("BNSD"), 0, 0, Out(known[:, :, :0]), Out(known[:, :, :0]), NULL, Out(empty))
    # Nulls come first, then empty results, and types and layouts after them.
    nothing = [Out(known[:, :, :0]), Out(known[:, :, :0]), NULL, Out(empty)]
    for text, code in [(Text("XYZ"), 0), (NULL, NULLPTR)]:
        cases.add("FlashAttentionScore", Tensor(empty.astype(np.float64)), Tensor(k), Tensor(v), NULL, NULL, NULL, NULL, NULL, 0.25, 1.0, 9, 9, 4, text, 0, 0, *nothing, code=code)
    cases.add("FlashAttentionScore", Tensor(empty), Tensor(k), Tensor(v), NULL, NULL, NULL, NULL, NULL, 0.25, 1.0, 9, 9, 4, Text("XYZ"), 0, 0, NULL, *nothing[1:], code=NULLPTR)
    # A pse that the operator makes has slopes of f32, whatever the query is; only a device makes it.
    half = [one.astype(np.float16) for one in (q, k, v)]
    slopes = np.ones(4, np.float32)
    for kind_of in [2, 3]:
        for shift, code in [(NULL, INVALID), (Tensor(slopes.astype(np.float16)), INVALID), (Tensor(slopes), MISSING)]:
            cases.add("FlashAttentionScoreV2", *map(Tensor, half), shift, NULL, NULL, NULL, NULL, NULL, NULL, 0.25, 1.0, 9, 9, 4, Text("BNSD"), 0, 0, kind_of, Out(known), Out(known), NULL, Out(half[0]), code=code)
    # What newer forms have more is refused by its name.
    more = [0.25, 1.0, 99, 99, 4, Text("BNSD"), 0, 0, 1, Out(known), Out(known), NULL, Out(q)]
    for wrong in [slopes[:2], slopes.astype(np.float16)]:
        cases.add("FlashAttentionScoreV3", *map(Tensor, (q, k, v)), *[NULL] * 4, Tensor(wrong), *[NULL] * 3, *more, code=INVALID)
    none = np.full(known.shape, -np.inf, np.float32)
    cases.add("FlashAttentionScore", Tensor(q), Tensor(k[:, :, :0]), Tensor(v[:, :, :0]), NULL, NULL, NULL, NULL, NULL, 0.25, 1.0, 9, 9, 4, Text("BNSD"), 0, 0, Out(none), Out(known), NULL, Out(np.zeros_like(q)))
    cases.add("FlashAttentionScoreGrad", *map(Tensor, (q, k, v, q)), NULL, NULL, NULL, NULL, NULL, Tensor(known), NULL, NULL, NULL, 0.25, 1.0, 9, 9, 4, Text("BNSD"), 0, 0, Out(q), Out(k), Out(v), NULL, code=NULLPTR)


def sinking():
    """Scores without a value, and parts of queries and keys that stand apart, for training."""
    far = 2147483647
    for name in F:
        q, k, v = operands(name)
        sinks = np.array([0.5, -1.0, 3.0, 0.0], np.float32)
        out, most, total = attend(double(q), double(k), double(v), 0.25, sinks=double(sinks))
        known = [np.repeat(one.numpy().astype(np.float32), 8, -1) for one in (most, total)]
        statistics = [Out(known[0], within=1e-5), Out(known[1], ulps=64)]
        cases.add("FlashAttentionScoreV3", *map(Tensor, (q, k, v)), *[NULL] * 4, Tensor(sinks), *[NULL] * 3, 0.25, 1.0, far, far, 4, Text("BNSD"), 0, 0, 1, *statistics, NULL, near(out.detach(), name))
        q, k, v = operands(name, batches=1, queries=8, keys=9)
        of_q, of_k = draw(name, (1, 4, 8, 16)), draw(name, (1, 2, 9, 16))
        joint = [double(np.concatenate([x.astype(np.float64), y.astype(np.float64)], -1)) for x, y in [(q, of_q), (k, of_k)]]
        for given in [None, sinks]:
            parts = [(0, 3, 0, 4), (3, 8, 4, 9)]
            results = [attend(joint[0][:, :, a:b], joint[1][:, :, c:d], double(v)[:, :, c:d], 0.25, sinks=None if given is None else double(given)) for a, b, c, d in parts]
            out, most, total = [torch.cat([result[at] for result in results], 2) for at in range(3)]
            known = [np.repeat(one.numpy().astype(np.float32), 8, -1)[0].transpose(1, 0, 2) for one in (most, total)]
            statistics = [Out(known[0], within=1e-5), Out(known[1], ulps=64)]
            operand = [Tensor(laid(x, "TND")) for x in (q, of_q, k, of_k, v)]
            sink = NULL if given is None else Tensor(given)
            cases.add("FlashAttentionVarLenScoreV5", *operand, *[NULL] * 4, sink, NULL, Ints([3, 8]), Ints([4, 9]), NULL, NULL, 0.25, 1.0, far, far, 4, Text("TND"), 0, 0, 1, Text(""), *statistics, NULL, near(laid(out.detach(), "TND"), name))


def sinking_back():
    """The gradients of sinks and of parts that stand apart."""
    far = 2147483647
    for name in F:
        q, k, v = operands(name)
        dy, sinks = draw(name, q.shape), np.array([0.5, -1.0, 3.0, 0.0], np.float32)
        wide = [double(x) for x in (q, k, v, sinks)]
        out, most, total = attend(*wide[:3], 0.25, sinks=wide[3])
        out.backward(torch.tensor(dy.astype(np.float64)))
        known = [Tensor(np.repeat(one.numpy().astype(np.float32), 8, -1)) for one in (most, total)]
        grads = [roughly(x.grad, "f32" if x is wide[3] else name) for x in wide]
        call = [*map(Tensor, (q, k, v, dy)), *[NULL] * 4, *known, NULL, NULL]
        rest = [*[NULL] * 3, 0.25, 1.0, far, far, 4, Text("BNSD"), 0, 0, 1, *grads[:3], NULL]
        cases.add("FlashAttentionScoreGradV3", *call, Tensor(sinks), *rest, grads[3])
        cases.add("FlashAttentionScoreGradV3", *call, Tensor(sinks), *rest, NULL)
        cases.add("FlashAttentionScoreGradV3", *call, Tensor(sinks[:3]), *rest, grads[3], code=INVALID)
        cases.add("FlashAttentionScoreGradV3", *call, Tensor(sinks), *rest, Out(sinks[:3]), code=TILING)
        q, k, v = operands(name, batches=1, queries=8, keys=9)
        of_q, of_k, dy = draw(name, (1, 4, 8, 16)), draw(name, (1, 2, 9, 16)), draw(name, q.shape)
        for rope, given in [(True, None), (True, sinks), (False, None)]:
            wide = [double(x) for x in (q, of_q, k, of_k, v, sinks)]
            joint = [torch.cat((wide[0], wide[1]), -1), torch.cat((wide[2], wide[3]), -1)] if rope else [wide[0], wide[2]]
            parts = [(0, 3, 0, 4), (3, 8, 4, 9)]
            results = [attend(joint[0][:, :, a:b], joint[1][:, :, c:d], wide[4][:, :, c:d], 0.25, sinks=None if given is None else wide[5]) for a, b, c, d in parts]
            out, most, total = [torch.cat([result[at] for result in results], 2) for at in range(3)]
            out.backward(torch.tensor(dy.astype(np.float64)))
            known = [Tensor(np.repeat(one.numpy().astype(np.float32), 8, -1)[0].transpose(1, 0, 2)) for one in (most, total)]
            operand = [Tensor(laid(x, "TND")) for x in (q, of_q, k, of_k, v, dy)]
            grads = [roughly(laid(x.grad, "TND"), name) if x.grad is not None else NULL for x in wide[:5]]
            ends = [Ints([3, 8]), Ints([4, 9])]
            numbers = [0.25, 1.0, far, far, 4, Text("TND"), 0, 0]
            if not rope:
                cases.add("FlashAttentionUnpaddingScoreGradV4", *[operand[at] for at in (0, 2, 4, 5)], *[NULL] * 4, *known, *[NULL] * 3, *ends, *numbers, *[grads[at] for at in (0, 2, 4)], NULL, Text("same_as_input"))
                cases.add("FlashAttentionUnpaddingScoreGradV4", *[operand[at] for at in (0, 2, 4, 5)], *[NULL] * 4, *known, *[NULL] * 3, *ends, *numbers, *[grads[at] for at in (0, 2, 4)], NULL, Text("other"), code=INVALID)
                cases.add("FlashAttentionUnpaddingScoreGradV3", operand[0], NULL, operand[2], NULL, *operand[4:], *[NULL] * 4, *known, *[NULL] * 3, *ends, NULL, NULL, *numbers, 1, grads[0], NULL, grads[2], NULL, grads[4], NULL)
                continue
            sink = NULL if given is None else Tensor(given)
            out_sink = NULL if given is None else roughly(wide[5].grad, "f32")
            fifth = [*operand, *[NULL] * 4, *known, NULL, NULL, sink, NULL, *ends, NULL, NULL, *numbers, 1, Text("")]
            cases.add("FlashAttentionUnpaddingScoreGradV5", *fifth, *grads, NULL, out_sink)
            if given is None:
                third = [*operand, *[NULL] * 4, *known, *[NULL] * 3, *ends, NULL, NULL, *numbers, 1]
                cases.add("FlashAttentionUnpaddingScoreGradV3", *third, *grads, NULL)
                cases.add("FlashAttentionUnpaddingScoreGradV3", *third, grads[0], NULL, *grads[2:], NULL, code=TILING)
                known = [Out(np.repeat(one.numpy().astype(np.float32), 8, -1)[0].transpose(1, 0, 2), ulps=64, within=within) for one, within in ((most, 1e-5), (total, None))]
                cases.add("FlashAttentionVarLenScoreV3", *operand[:5], *[NULL] * 5, *ends, NULL, NULL, *numbers, 1, *known, NULL, near(laid(out.detach(), "TND"), name))
                cases.add("FlashAttentionVarLenScoreV4", operand[0], operand[2], operand[4], *[NULL] * 5, *ends, *numbers, Text("other"), *known, NULL, near(laid(out.detach(), "TND"), name), code=INVALID)


rotations()
inference()
training()
paging()
positioned()
caching()
sinking()
sinking_back()
compressing()
cases.write("attention")
