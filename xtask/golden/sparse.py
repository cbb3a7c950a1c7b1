"""Cases of attention over chosen keys and of the scores that choose them: PyTorch in f64 on a CPU, rounded once.

References: PyTorch.

Values have one sign in each column, so that no weighted mean cancels: f16 and bf16 may differ by one unit, where the f32 before it
lies between two of their numbers. Gradients may differ by a small part of the largest. Scores are sums of products of few digits
and exact in f32, so that keys have one order.
Writes cann-stubs/tests/data/sparse.cases. Shapes, modes and formulas are retyped here from CANN's public description.

    python xtask/golden/sparse.py
"""

import numpy as np
import torch

from cases import NULL, Cases, InOut, Ints, Out, Tensor, Text, kind

INVALID, NULLPTR, TILING = 161002, 161001, 561002
FAR = 2**63 - 1
cases = Cases()
random = np.random.default_rng(31)


def draw(name, *shape):
    return (random.integers(-4, 4, shape, endpoint=True) / 8).astype(kind(name))


def columns(name, *shape):
    """Numbers of one sign in each column."""
    return (random.integers(4, 8, shape) / 8 * np.where(np.arange(shape[-1]) % 3 == 1, -1, 1)).astype(kind(name))


def double(x):
    return torch.tensor(np.asarray(x, np.float64), requires_grad=True)


def near(x, name):
    return Out(np.asarray(x.detach() if hasattr(x, "detach") else x, np.float64).astype(kind(name)), ulps=1)


def roughly(x, name):
    x = np.asarray(x, np.float64)
    return Out(x.astype(kind(name)), within=float(np.abs(x).max() * {"f16": 2**-8, "bf16": 2**-5}[name]))


def attend(q, k, v, chosen, block, scale, seen, sinks=None):
    """One query of some heads, [heads, size], that share keys; returns the result and what is known of each head."""
    places = [key for one in chosen[: next((i for i, c in enumerate(chosen) if c < 0), None)] for key in range(one * block, (one + 1) * block) if key < seen]
    if not places and sinks is None:
        return q[:, :1] * 0 + v[:1] * 0, torch.full((len(q), 1), -np.inf, dtype=torch.float64), torch.zeros(len(q), 1, dtype=torch.float64)
    scores = q @ k[places].T * scale
    if sinks is not None:
        scores = torch.cat((scores, sinks[:, None]), 1)
    most = scores.amax(1, keepdim=True).detach()
    powers = torch.exp(scores - most)
    total = powers.sum(1, keepdim=True)
    return (powers / total)[:, : len(places)] @ v[places], most, total.detach()


def pick(blocks, width, filled):
    """Chosen blocks of a query, the rest of the list empty."""
    count = min(filled, blocks)
    return np.concatenate([random.permutation(blocks)[:count], -np.ones(width - count, int)]).astype(np.int32)


def paged(x, lengths, block):
    """Rows of sequences [sequence][key, heads, size] in shuffled blocks, and their table."""
    pages = [-(-length // block) for length in lengths]
    order = random.permutation(sum(pages) + 1)
    table = np.zeros((len(lengths), max(pages)), np.int32)
    cache = np.zeros((len(order), block, *x[0].shape[1:]), x[0].dtype)
    at = 0
    for sequence, rows in enumerate(x):
        for page in range(pages[sequence]):
            table[sequence, page] = order[at]
            part = rows[page * block : (page + 1) * block]
            cache[order[at], : len(part)] = part
            at += 1
    return cache, table


class Sequences:
    """Queries and keys of sequences of some lengths, in a layout."""

    def __init__(self, layout, own, queries, keys):
        self.layout, self.own, self.queries, self.keys = layout, own, queries, keys

    def queries_of(self, parts):
        if self.layout == "TND":
            return np.concatenate(parts)
        full = np.zeros((len(parts), max(self.queries), *parts[0].shape[1:]), parts[0].dtype)
        for to, part in zip(full, parts):
            to[: len(part)] = part
        return full

    def keys_of(self, parts, block=16):
        if self.own == "PA_BSND":
            state = random.bit_generator.state
            cache, self.table = paged(parts, self.keys, block)
            random.bit_generator.state = state
            return cache
        if self.own == "TND":
            return np.concatenate(parts)
        full = np.zeros((len(parts), max(self.keys), *parts[0].shape[1:]), parts[0].dtype)
        for to, part in zip(full, parts):
            to[: len(part)] = part
        return full

    def lengths(self):
        ends = lambda counts, joined: np.cumsum(counts) if joined else np.array(counts)
        return ends(self.queries, self.layout == "TND").astype(np.int32), ends(self.keys, self.own == "TND").astype(np.int32)


def given(sequences):
    of_query, of_key = sequences.lengths()
    table = Tensor(sequences.table) if sequences.own == "PA_BSND" else NULL
    return Tensor(of_query), Tensor(of_key), table


def latent():
    for name in ["f16", "bf16"]:
        for layout, own, queries, keys, heads, block, mode, known, sunk in [
            ("BSND", "BSND", [2, 1], [9, 5], 2, 1, 3, True, False),
            ("TND", "TND", [1, 2], [6, 7], 3, 2, 0, True, True),
            ("BSND", "PA_BSND", [2, 2], [20, 5], 1, 4, 3, False, False),
            ("TND", "PA_BSND", [2, 1], [18, 3], 2, 1, 3, False, True),
        ]:
            if name == "bf16" and layout == own:
                continue
            size, rope, scale, width = 512, 64, 0.125, 6
            all = Sequences(layout, own, queries, keys)
            parts = [[draw(name, count, heads, size), columns(name, of, 1, size), draw(name, count, heads, rope), draw(name, of, 1, rope)] for count, of in zip(queries, keys)]
            chosen = [np.stack([pick(-(-of // block), width, 1 + (number + of) % width) for number in range(count)])[:, None] for count, of in zip(queries, keys)]
            sinks = np.linspace(-1, 1, heads).astype(np.float32) if sunk else None
            outs, most, total = [], [], []
            for sequence, (q, k, q_rope, k_rope) in enumerate(parts):
                joint = [double(np.concatenate([x.astype(np.float64), y.astype(np.float64)], -1)) for x, y in [(q, q_rope), (k, k_rope)]]
                rows = [attend(joint[0][t], joint[1][:, 0], double(k)[:, 0], chosen[sequence][t, 0], block, scale, min(keys[sequence], t + 1 + keys[sequence] - queries[sequence]) if mode == 3 else keys[sequence], None if sinks is None else double(sinks)) for t in range(queries[sequence])]
                for to, at in [(outs, 0), (most, 1), (total, 2)]:
                    to.append(torch.stack([row[at] for row in rows]).detach().numpy())
            operand = lambda at: Tensor(all.queries_of([part[at] for part in parts]) if at % 2 == 0 else all.keys_of([part[at] for part in parts]))
            statistics = [NULL, NULL]
            if known:
                order = lambda x: all.queries_of(x)[..., 0][None].swapaxes(0, 0) if layout == "TND" else all.queries_of(x)[..., 0][:, None]
                first, second = order(most).astype(np.float32), order(total).astype(np.float32)
                if layout == "BSND":
                    # Behind the last query of a sequence nothing is known.
                    first[1, :, queries[1] :] = -np.inf
                statistics = [Out(first, within=1e-5), Out(second, ulps=64)]
            queries_tensor, keys_tensor = operand(0), operand(1)
            arguments = [queries_tensor, keys_tensor, keys_tensor, Tensor(all.queries_of(chosen))]
            of_query, of_key, table = given(all)
            arguments += [table, of_query, of_key, operand(2), operand(3)]
            rest = [scale, block, Text(layout), Text(own), mode, FAR, FAR, 2, known, near(all.queries_of(outs), name), *statistics]
            if sunk:
                cases.add("SparseFlashAttentionV2", *arguments, Tensor(sinks), *rest)
            else:
                cases.add("SparseFlashAttention", *arguments, *rest)
                cases.add("SparseFlashAttentionV2", *arguments, NULL, *rest)
    h = np.float16
    good = dict(q=np.ones((1, 1, 2, 512), h), k=np.ones((1, 4, 1, 512), h), chosen=np.zeros((1, 1, 1, 2), np.int32), qr=np.ones((1, 1, 2, 64), h), kr=np.ones((1, 4, 1, 64), h), table=None, lengths=None, block=1, layout="BSND", own="BSND", mode=3, kind=2, known=False)

    def wrong(code, product="Ascend910B", **other):
        now = good | other
        optional = lambda x: NULL if x is None else Tensor(x)
        cases.add("SparseFlashAttention", optional(now["q"]), optional(now["k"]), optional(now["k"]), optional(now["chosen"]), optional(now["table"]), NULL, optional(now["lengths"]), optional(now["qr"]), optional(now["kr"]), 0.5, now["block"], Text(now["layout"]), Text(now["own"]), now["mode"], FAR, FAR, now["kind"], now["known"], Out(np.zeros((1, 1, 2, 512), h)), NULL, NULL, code=code, product=product)

    for key in ["q", "k", "chosen"]:
        wrong(NULLPTR, **{key: None})
    wrong(INVALID, k=good["k"].astype(np.float32))
    wrong(INVALID, chosen=good["chosen"].astype(np.int64))
    wrong(INVALID, product="Ascend310P")
    wrong(TILING, q=np.ones((1, 1, 2, 256), h), k=np.ones((1, 4, 1, 256), h))
    wrong(TILING, k=np.ones((1, 4, 2, 512), h))
    wrong(TILING, qr=None)
    wrong(TILING, block=3)
    wrong(TILING, block=256)
    wrong(TILING, block=2, product="Ascend950")
    wrong(TILING, mode=2)
    wrong(TILING, kind=0)
    wrong(TILING, layout="SBND")
    wrong(TILING, own="TND")
    wrong(TILING, own="PA_BSND")
    wrong(TILING, known=True)
    wrong(TILING, chosen=np.zeros((1, 2, 1, 2), np.int32))
    wrong(TILING, lengths=np.zeros(2, np.int32))


def latent_gradients():
    for name, layout, queries, keys, heads, block, mode in [("f16", "BSND", [2, 2], [5, 5], 2, 1, 3), ("bf16", "TND", [1, 2], [6, 3], 1, 2, 0)]:
        size, rope, scale, width = 512, 64, 0.125, 3
        all = Sequences(layout, layout, queries, keys)
        parts = [[draw(name, count, heads, size), draw(name, of, 1, size), draw(name, of, 1, size), draw(name, count, heads, rope), draw(name, of, 1, rope), draw(name, count, heads, size)] for count, of in zip(queries, keys)]
        chosen = [np.stack([pick(-(-of // block), width, 2) for _ in range(count)])[:, None] for count, of in zip(queries, keys)]
        grads, outs, most, total = [], [], [], []
        for sequence, part in enumerate(parts):
            q, k, v, q_rope, k_rope = wide = [double(x) for x in part[:5]]
            rows = [attend(torch.cat((q, q_rope), -1)[t], torch.cat((k, k_rope), -1)[:, 0], v[:, 0], chosen[sequence][t, 0], block, scale, min(keys[sequence], t + 1 + keys[sequence] - queries[sequence]) if mode == 3 else keys[sequence]) for t in range(queries[sequence])]
            out = torch.stack([row[0] for row in rows])
            out.backward(double(part[5]).detach())
            outs.append(out.detach().numpy().astype(kind(name)))
            most.append(torch.stack([row[1] for row in rows])[..., 0].numpy().astype(np.float32))
            total.append(torch.stack([row[2] for row in rows])[..., 0].numpy().astype(np.float32))
            grads.append([x.grad.numpy() for x in wide])
        queries_of = lambda at: all.queries_of([part[at] for part in parts])
        keys_of = lambda at: all.keys_of([part[at] for part in parts])
        known = [Tensor(all.queries_of(x)[None] if layout == "TND" else all.queries_of(x)[:, None]) for x in (most, total)]
        of_query, of_key, _ = given(all)
        written = [roughly((all.keys_of if at in (1, 2, 4) else all.queries_of)([grad[at] for grad in grads]), name) for at in range(5)]
        cases.add("SparseFlashAttentionGrad", Tensor(queries_of(0)), Tensor(keys_of(1)), Tensor(keys_of(2)), Tensor(all.queries_of(chosen)), Tensor(queries_of(5)), Tensor(all.queries_of(outs)), *known, of_query, of_key, Tensor(queries_of(3)), Tensor(keys_of(4)), scale, block, Text(layout), mode, FAR, FAR, False, *written)


def selected():
    for name in ["f16", "bf16"]:
        for (groups, each, size, wide), queries, keys, block, mode in [((2, 2, 24, 16), [3, 2], [10, 4], 4, 2), ((1, 3, 16, 16), [4], [9], 2, 0), ((2, 1, 8, 8), [2, 3], [5, 7], 3, 3)]:
            scale, width = 0.5, 3
            parts = [[draw(name, count, groups * each, size), draw(name, of, groups, size), columns(name, of, groups, wide), draw(name, count, groups * each, wide)] for count, of in zip(queries, keys)]
            chosen = [np.stack([[pick(-(-of // block), width, 2) for _ in range(groups)] for _ in range(count)]) for count, of in zip(queries, keys)]
            outs, most, total, grads = [], [], [], []
            for sequence, part in enumerate(parts):
                q, k, v = all = [double(x) for x in part[:3]]
                seen = lambda t: {0: keys[sequence], 2: min(keys[sequence], t + 1), 3: min(keys[sequence], t + 1 + keys[sequence] - queries[sequence])}[mode]
                rows = [[attend(q[t, g * each : (g + 1) * each], k[:, g], v[:, g], chosen[sequence][t, g], block, scale, seen(t)) for g in range(groups)] for t in range(queries[sequence])]
                join = lambda at: torch.stack([torch.cat([one[at] for one in row]) for row in rows])
                out = join(0)
                if out.shape[-1] != wide:
                    raise ValueError("a query sees nothing")
                out.backward(double(part[3]).detach())
                outs.append(out.detach().numpy())
                most.append(np.repeat(join(1).numpy(), 8, -1).astype(np.float32))
                total.append(np.repeat(join(2).numpy(), 8, -1).astype(np.float32))
                grads.append([x.grad.numpy() for x in all])
            joined = [np.concatenate([part[at] for part in parts]) for at in range(4)]
            of_query, of_key = Ints(np.cumsum(queries)), Ints(np.cumsum(keys))
            mask = Tensor(np.triu(np.ones((2048, 2048), np.bool_), 1)) if mode else NULL
            picks = Tensor(np.concatenate(chosen))
            heads, out = groups * each, np.concatenate(outs)
            statistics = [np.concatenate(x) for x in (most, total)]
            cases.add("NsaSelectedAttention", *map(Tensor, joined[:3]), picks, mask, of_query, of_key, scale, heads, Text("TND"), mode, block, width, Out(statistics[0], within=1e-5), Out(statistics[1], ulps=64), near(out, name))
            written = [roughly(np.concatenate([grad[at] for grad in grads]), name) for at in range(3)]
            cases.add("NsaSelectedAttentionGrad", *map(Tensor, joined[:3]), Tensor(out.astype(kind(name))), Tensor(joined[3]), *map(Tensor, statistics), picks, of_query, of_key, mask, scale, block, width, heads, Text("TND"), mode, *written)
    q, picks, known = np.ones((2, 1, 8), np.float16), np.zeros((2, 1, 1), np.int32), np.zeros((2, 1, 8), np.float32)

    def wrong(code, q=q, picks=picks, ends=Ints([2]), heads=1, layout="TND", mode=0, block=2, width=1, known=known):
        tensor = NULL if q is None else Tensor(q)
        cases.add("NsaSelectedAttention", tensor, tensor, tensor, Tensor(picks), NULL, ends, ends, 0.5, heads, Text(layout), mode, block, width, Out(known), Out(known), Out(np.zeros((2, 1, 8), np.float16)), code=code)

    wrong(NULLPTR, q=None)
    wrong(INVALID, q=q.astype(np.float32))
    wrong(INVALID, picks=picks.astype(np.int64))
    wrong(INVALID, ends=NULL)
    wrong(INVALID, ends=Ints([3]))
    wrong(INVALID, heads=2)
    wrong(INVALID, layout="BSND")
    wrong(INVALID, mode=1)
    wrong(INVALID, block=0)
    wrong(INVALID, width=2)
    wrong(INVALID, known=known[..., :1].copy())


def score(q, k, w):
    """Scores of a query for all keys."""
    return (w[:, None] * torch.relu(q @ k.T)).sum(0)


def indexers():
    for name in ["f16", "bf16"]:
        for layout, own, queries, keys, heads, mode, count, values, weight in [
            ("BSND", "BSND", [3, 2], [9, 6], 8, 3, 4, True, name),
            ("TND", "TND", [2, 3], [7, 5], 16, 0, 6, True, "f32"),
            ("BSND", "PA_BSND", [1, 1], [20, 3], 24, 3, 8, False, name),
            ("TND", "PA_BSND", [2, 1], [33, 4], 3, 0, 5, False, name),
        ]:
            size = 128
            all = Sequences(layout, own, queries, keys)
            parts = [[draw(name, n, heads, size), draw(name, of, 1, size), draw(weight, n, heads)] for n, of in zip(queries, keys)]
            picks, best = [], []
            for sequence, (q, k, w) in enumerate(parts):
                rows, tops = [], []
                for t in range(queries[sequence]):
                    seen = min(keys[sequence], t + 1 + keys[sequence] - queries[sequence]) if mode == 3 else keys[sequence]
                    scores = score(double(q)[t], double(k)[:seen, 0], double(w)[t]).detach().numpy()
                    order = np.argsort(-scores, kind="stable")[:count]
                    rows.append(np.concatenate([order, -np.ones(count - len(order), int)]))
                    tops.append(np.concatenate([scores[order], np.full(count - len(order), -np.inf)]))
                picks.append(np.stack(rows).astype(np.int32)[:, None])
                best.append(np.stack(tops)[:, None])
            join = lambda x, empty: np.concatenate(x) if layout == "TND" else np.stack([np.concatenate([one, np.full((max(queries) - len(one), *one.shape[1:]), empty, one.dtype)]) for one in x])
            operands = [Tensor(all.queries_of([part[0] for part in parts])), Tensor(all.keys_of([part[1] for part in parts])), Tensor(all.queries_of([part[2] for part in parts]))]
            out = [Out(join(picks, -1)), Out(join(best, -np.inf).astype(kind(name)), ulps=1) if values else NULL]
            cases.add("LightningIndexer", *operands, *given(all), Text(layout), Text(own), count, mode, FAR, FAR, values, *out)
            if own == "PA_BSND":
                cases.add("LightningIndexer", *operands, *given(all), Text(layout), Text(own), count, mode, FAR, FAR, True, *out, code=TILING)
        # Integers with scales.
        for layout, own, queries, keys, heads in [("BSND", "BSND", [2, 2], [6, 6], 8), ("TND", "PA_BSND", [1, 2], [17, 5], 16)]:
            all = Sequences(layout, own, queries, keys)
            parts = [[random.integers(-9, 9, (n, heads, 128)).astype(np.int8), random.integers(-9, 9, (of, 1, 128)).astype(np.int8), draw(name, n, heads), 2.0 ** random.integers(-8, -4, (n, heads)), 2.0 ** random.integers(-8, -4, (of, 1))] for n, of in zip(queries, keys)]
            picks = []
            for sequence, (q, k, w, of_q, of_k) in enumerate(parts):
                rows = []
                for t in range(queries[sequence]):
                    seen = t + 1 + keys[sequence] - queries[sequence]
                    scores = score(double(q)[t] * double(of_q)[t][:, None], (double(k)[:, 0] * double(of_k))[:seen], double(w)[t]).detach().numpy()
                    rows.append(np.concatenate([np.argsort(-scores, kind="stable")[:4], -np.ones(max(4 - seen, 0), int)]))
                picks.append(np.stack(rows).astype(np.int32)[:, None])
            operands = [all.queries_of([part[0] for part in parts]), all.keys_of([part[1] for part in parts]), all.queries_of([part[2] for part in parts]), all.queries_of([part[3] for part in parts]).astype(np.float16), all.keys_of([part[4] for part in parts]).astype(np.float16)]
            cases.add("QuantLightningIndexer", *map(Tensor, operands), *given(all), 0, 0, Text(layout), Text(own), 4, 3, FAR, FAR, Out(all.queries_of(picks)))
            cases.add("QuantLightningIndexer", *map(Tensor, operands), *given(all), 1, 0, Text(layout), Text(own), 4, 3, FAR, FAR, Out(all.queries_of(picks)), code=TILING)
        # The gradients of the scores of chosen keys, and what is known of the softmax of all.
        for layout, queries, keys, heads, mode in [("BSND", [3, 3], [5, 5], 4, 3), ("TND", [2, 3], [4, 6], 2, 0)]:
            all = Sequences(layout, layout, queries, keys)
            size, width = 16, 3
            parts = [[draw(name, n, heads, size), draw(name, of, 1, size), draw(name, n, heads), draw(name, n, 1, width)] for n, of in zip(queries, keys)]
            picks = [np.stack([pick(max(of - n, 1), width, 2) for _ in range(n)])[:, None] for n, of in zip(queries, keys)]
            grads, most, total = [], [], []
            for sequence, part in enumerate(parts):
                q, k, w = wide = [double(x) for x in part[:3]]
                sum, known = 0, []
                for t in range(queries[sequence]):
                    scores = score(q[t], k[:, 0], w[t])
                    seen = min(keys[sequence], t + 1 + keys[sequence] - queries[sequence]) if mode == 3 else keys[sequence]
                    known.append([scores[:seen].max().item(), torch.exp(scores[:seen] - scores[:seen].max()).sum().item()])
                    chosen = [key for key in picks[sequence][t, 0] if 0 <= key < seen]
                    sum = sum + (scores[chosen] * double(part[3])[t, 0, : len(chosen)]).sum()
                sum.backward()
                grads.append([x.grad.numpy() for x in wide])
                most.append(np.array(known)[:, 0].astype(np.float32))
                total.append(np.array(known)[:, 1].astype(np.float32))
            queries_of = lambda at: Tensor(all.queries_of([part[at] for part in parts]))
            of_query, of_key, _ = given(all)
            keys_tensor = Tensor(all.keys_of([part[1] for part in parts]))
            written = [roughly((all.keys_of if at == 1 else all.queries_of)([grad[at] for grad in grads]), name) for at in range(3)]
            cases.add("LightningIndexerGrad", queries_of(0), keys_tensor, queries_of(3), Tensor(all.queries_of(picks)), queries_of(2), of_query, of_key, heads, Text(layout), mode, FAR, FAR, False, *written)
            ends = (Ints(np.cumsum(queries)), Ints(np.cumsum(keys))) if layout == "TND" else (NULL, NULL)
            statistics = [all.queries_of(x)[None] if layout == "TND" else all.queries_of(x)[:, None] for x in (most, total)]
            cases.add("DenseLightningIndexerSoftmaxLse", queries_of(0), keys_tensor, queries_of(2), *ends, Text(layout), mode, FAR, FAR, Out(statistics[0], within=1e-5), Out(statistics[1], ulps=64))
    q, k, w, out = np.ones((1, 2, 8, 128), np.float16), np.ones((1, 4, 1, 128), np.float16), np.ones((1, 2, 8), np.float16), np.zeros((1, 2, 1, 2), np.int32)

    def wrong(code, q=q, k=k, w=w, layout="BSND", own="BSND", count=2, mode=3, before=FAR, out=out, product="Ascend910B"):
        tensor = lambda x: NULL if x is None else Tensor(x)
        cases.add("LightningIndexer", tensor(q), tensor(k), tensor(w), NULL, NULL, NULL, Text(layout), Text(own), count, mode, before, FAR, False, Out(out), NULL, code=code, product=product)

    # A score that is no number is the greatest one.
    lost = k.copy()
    lost[0, 2, 0, 5] = np.nan
    picks = np.broadcast_to(np.array([2, 0], np.int32), out.shape).copy()
    wrong(0, k=lost, mode=0, out=picks)
    wrong(NULLPTR, q=None)
    wrong(NULLPTR, w=None)
    wrong(INVALID, q=q.astype(np.float32))
    wrong(INVALID, out=out.astype(np.int64))
    wrong(INVALID, w=w.astype(np.float32), product="Ascend950")
    wrong(INVALID, product="Ascend310P")
    wrong(TILING, q=np.ones((1, 2, 65, 128), np.float16), w=np.ones((1, 2, 65), np.float16))
    wrong(TILING, q=np.ones((1, 2, 2, 128), np.float16), w=np.ones((1, 2, 2), np.float16), product="Ascend950")
    wrong(TILING, q=q[..., :64].copy(), k=k[..., :64].copy())
    wrong(TILING, k=np.ones((1, 4, 2, 128), np.float16))
    wrong(TILING, layout="TND")
    wrong(TILING, own="PA_BSND")
    wrong(TILING, count=0, out=np.zeros((1, 2, 1, 0), np.int32))
    wrong(TILING, count=2049, out=np.zeros((1, 2, 1, 2049), np.int32))
    wrong(TILING, count=9216, out=np.zeros((1, 2, 1, 9216), np.int32))
    wrong(TILING, mode=1)
    wrong(TILING, before=1)
    wrong(TILING, out=out[..., :1].copy())


def compressed():
    for name in ["f16", "bf16"]:
        for ends, size, stride in [([9, 12, 20], 4, 2), (None, 3, 3), ([2, 20], 5, 1)]:
            x, w = columns(name, 20, 2, 8), np.abs(draw(name, size, 2)) + np.array(0.125, kind(name))
            x_wide, w_wide = double(x), double(w)
            begins, first = [], 0
            for end in ends or [20]:
                begins += [begin for begin in range(first, end, stride) if begin + size <= end]
                first = end
            out = torch.stack([(x_wide[begin : begin + size] * w_wide[:, :, None]).sum(0) for begin in begins])
            dy = draw(name, *out.shape)
            out.backward(double(dy).detach())
            lengths = NULL if ends is None else Ints(ends)
            layout = NULL if ends is None else Text("TND")
            cases.add("NsaCompress", Tensor(x), Tensor(w), lengths, layout, size, stride, 0, near(out, name))
            cases.add("NsaCompressGrad", Tensor(dy), Tensor(x), Tensor(w), lengths, size, stride, 0, layout, roughly(x_wide.grad, name), roughly(w_wide.grad, name))
    x, w, out = np.ones((4, 1, 8), np.float16), np.ones((2, 1), np.float16), np.zeros((3, 1, 8), np.float16)

    def wrong(code, x=x, w=w, ends=NULL, layout=NULL, size=2, stride=1, type=0, out=out):
        cases.add("NsaCompress", NULL if x is None else Tensor(x), Tensor(w), ends, layout, size, stride, type, Out(out), code=code)

    wrong(NULLPTR, x=None)
    wrong(INVALID, x=x.astype(np.float32))
    wrong(INVALID, w=w[:1])
    wrong(INVALID, ends=Ints([5]))
    wrong(INVALID, ends=Ints([3, 2]))
    wrong(INVALID, layout=Text("BSND"))
    wrong(INVALID, size=0)
    wrong(INVALID, stride=0)
    wrong(INVALID, type=1)
    wrong(INVALID, out=out[:2])


def weigh(q, k, scale, places):
    """The exponentials of one query of some heads, their sums and the greatest scores."""
    scores = q @ k[places].T * scale
    most = scores.amax(1, keepdim=True) if places else torch.full((len(q), 1), -np.inf, dtype=torch.float64)
    powers = torch.exp(scores - most)
    return powers, powers.sum(1, keepdim=True), most


def select(p, own, wide, blocks, hidden, count):
    """The selected blocks: a compressed block counts for each stride that it shares with a selected one. None if two are too close."""
    shared = [[len(set(range(i, i + own)) & set(range(j * wide, (j + 1) * wide))) for i in range(len(p))] for j in range(blocks)]
    scores = np.array(shared).reshape(blocks, len(p)) @ p
    order = [j for j in np.argsort(-scores, kind="stable") if not hidden[j]]
    gaps = -np.diff(scores[order])
    if np.any((gaps > 0) & (gaps < 1e-3)):
        return None
    return np.concatenate([order[:count], -np.ones(max(count - len(order), 0), int)]).astype(np.int32)


def ranked(name, groups, each, size, wide_value, queries, keys, own, wide, blocks, count, mask, hidden):
    """Attention over compressed blocks of sequences, drawn until no two selected blocks are close."""
    scale = 0.5
    while True:
        parts = [[draw(name, n, groups * each, size), draw(name, of, groups, size), columns(name, of, groups, wide_value)] for n, of in zip(queries, keys)]
        results = []
        for sequence, (q, k, v) in enumerate(parts):
            q, k, v = double(q).detach(), double(k).detach(), double(v).detach()
            for t in range(queries[sequence]):
                places = [i for i in range(keys[sequence]) if mask is None or not mask[t, i]]
                row = []
                for g in range(groups):
                    powers, total, most = weigh(q[t, g * each : (g + 1) * each], k[:, g], scale, places)
                    p = np.zeros(keys[sequence])
                    out = np.zeros((each, wide_value))
                    if places:
                        p[places] = (powers / total).sum(0).numpy()
                        out = (powers / total @ v[places, g]).numpy()
                    off = hidden[t] if hidden is not None else np.zeros(99, bool)
                    row.append((out, most.numpy(), total.numpy(), select(p, own, wide, blocks[sequence], off, count)))
                results.append(row)
        if all(one[3] is not None for row in results for one in row):
            join = lambda at: np.stack([np.concatenate([one[at] for one in row]) for row in results])
            ranks = np.stack([np.stack([one[3] for one in row]) for row in results])
            return parts, scale, join(0), join(1), join(2), ranks


def compressed_attention():
    for name in ["f16", "bf16"]:
        for (groups, each, size, wide_value), queries, keys, own, wide, blocks, count, masked in [
            ((2, 2, 24, 16), [3, 4], [7, 5], 2, 4, [2, 2], 1, False),
            ((1, 3, 16, 8), [9], [8], 2, 2, [5], 3, True),
            ((2, 1, 8, 8), [2, 1], [3, 6], 1, 3, [1, 2], 4, True),
        ]:
            mask = np.arange(max(keys))[None] > np.arange(max(queries))[:, None] - 1 if masked else None
            hidden = np.zeros((max(queries), max(blocks)), np.bool_)
            hidden[0, 0] = hidden[-1, -1] = True
            if not masked:
                hidden = None
            parts, scale, out, most, total, ranks = ranked(name, groups, each, size, wide_value, queries, keys, own, wide, blocks, count, mask, hidden)
            operands = [Tensor(np.concatenate([part[at] for part in parts])) for at in range(3)]
            stride = 16
            optional = lambda x: NULL if x is None else Tensor(x)
            for selected in [Ints(np.cumsum(blocks)), NULL]:
                if selected is NULL and [-(-(of - 1 + own) // wide) for of in keys] != blocks:
                    continue
                cases.add(
                    "NsaCompressAttention", *operands, optional(mask), optional(hidden), Ints(np.cumsum(queries)), Ints(np.cumsum(keys)), selected, scale, groups * each, Text("TND"), int(masked), own * stride, stride,
                    wide * stride, count, Out(np.repeat(most, 8, -1).astype(np.float32), within=1e-5), Out(np.repeat(total, 8, -1).astype(np.float32), ulps=64), near(out, name), Out(ranks),
                )
        # Where a model answers, keys lie in pages, or as they are.
        for layout, own_layout, queries, keys, joined in [("BSND", "PA_BSND", [1, 1, 1], [20, 7, 3], True), ("TND", "PA_BSND", [2, 1], [18, 5], False), ("BSND", "BSND", [2, 2], [6, 6], False), ("TND", "TND", [1, 2], [4, 7], False)]:
            groups, each, size, own, wide, count = 2, 2, 16, 2, 4, 3
            blocks = [-(-(of - 1 + own) // wide) for of in keys]
            parts, scale, out, _, _, ranks = ranked(name, groups, each, size, size, queries, keys, own, wide, blocks, count, None, None)
            all = Sequences(layout, own_layout, queries, keys)
            split = lambda x: all.queries_of(np.split(x, np.cumsum(queries)[:-1]))
            flat = lambda x: x.reshape(*x.shape[:2], -1) if joined else x
            operands = [Tensor(all.queries_of([part[0] for part in parts]))] + [Tensor(flat(all.keys_of([part[at] for part in parts]))) for at in (1, 2)]
            _, _, table = given(all)
            ends = lambda counts, joined: Ints(np.cumsum(counts)) if joined else Ints(counts)
            for selected in [NULL, ends(blocks, own_layout == "TND")]:
                cases.add(
                    "NsaCompressAttentionInfer", *operands, NULL, table, ends(queries, layout == "TND"), ends(keys, own_layout == "TND"), selected, NULL, groups * each, groups, wide * 4, count, own * 4, 4, scale,
                    Text(layout), 16, 0, near(split(out), name), Out(split(ranks)),
                )
    q, known, ranks = np.ones((2, 1, 8), np.float16), np.zeros((2, 1, 8), np.float32), np.zeros((2, 1, 1), np.int32)

    def wrong(code, q=q, mask=None, ends=Ints([2]), selected=NULL, heads=1, layout="TND", mode=0, sizes=(32, 16, 64, 1), known=known, ranks=ranks):
        tensor = NULL if q is None else Tensor(q)
        own = NULL if mask is None else Tensor(mask)
        cases.add("NsaCompressAttention", tensor, tensor, tensor, own, NULL, ends, ends, selected, 0.5, heads, Text(layout), mode, *sizes, Out(known), Out(known), Out(np.zeros((2, 1, 8), np.float16)), Out(ranks), code=code)

    wrong(NULLPTR, q=None)
    wrong(INVALID, q=q.astype(np.float32))
    wrong(INVALID, mask=np.zeros((1, 2), np.bool_))
    wrong(INVALID, mask=np.zeros((2, 2), np.float32))
    wrong(INVALID, ends=NULL)
    wrong(INVALID, ends=Ints([3]))
    wrong(INVALID, selected=Ints([1, 1]))
    wrong(INVALID, selected=Ints([-1]))
    wrong(INVALID, heads=2)
    wrong(INVALID, layout="BSND")
    wrong(INVALID, mode=2)
    wrong(INVALID, mode=1)
    for sizes in [(33, 16, 64, 1), (32, 16, 63, 1), (32, 0, 64, 1), (32, 16, 64, 0), (32, 16, 64, 2)]:
        wrong(INVALID, sizes=sizes)
    for sizes in [(2**36, 16, 64, 1), (32, 16, 2**40, 1), (32, 1, FAR, 1)]:
        wrong(561003, sizes=sizes)
    wrong(INVALID, known=known[..., :1].copy())
    wrong(INVALID, ranks=ranks.astype(np.int64))
    q, cache, table = np.ones((1, 1, 2, 8), np.float16), np.ones((2, 16, 8), np.float16), np.zeros((1, 2), np.int32)

    def wrong_infer(code, q=q, cache=cache, table=table, keys=Ints([20]), heads=2, groups=1, page=16, layout="BSND", mode=0, width=1):
        operand = lambda x: NULL if x is None else Tensor(x)
        cases.add("NsaCompressAttentionInfer", operand(q), operand(cache), operand(cache), NULL, operand(table), NULL, keys, NULL, NULL, heads, groups, 64, 1, 32, 16, 0.5, Text(layout), page, mode, Out(q if q is not None else cache), Out(np.zeros((1, 1, 1, width), np.int32)), code=code)

    def wrong_selected(code, q=q, cache=cache, table=table, keys=Ints([20]), heads=2, groups=1, page=16, layout="BSND", mode=0, width=1):
        operand = lambda x: NULL if x is None else Tensor(x)
        cases.add("NsaSelectedAttentionInfer", operand(q), operand(cache), operand(cache), Tensor(np.zeros((1, 1, 1, width), np.int32)), NULL, operand(table), NULL, keys, Text(layout), heads, groups, 64, 1, page, 0.5, mode, Out(q if q is not None else cache), code=code)

    for refuse in [wrong_infer, wrong_selected]:
        refuse(NULLPTR, q=None)
        refuse(INVALID, cache=cache.astype(np.float32))
        refuse(INVALID, cache=cache[..., :7].copy())
        refuse(INVALID, table=table.astype(np.int64))
        refuse(INVALID, table=np.zeros((2, 2), np.int32))
        refuse(INVALID, keys=NULL)
        refuse(INVALID, keys=Ints([33]))
        refuse(INVALID, heads=1)
        refuse(INVALID, groups=2)
        refuse(INVALID, page=8)
        refuse(INVALID, layout="BSH")
        refuse(INVALID, mode=2)
        refuse(INVALID, width=2)


def selected_in_pages():
    for name in ["f16", "bf16"]:
        for layout, own, queries, keys, mode, joined in [("BSND", "PA_BSND", [1, 1], [37, 9], 0, True), ("TND", "PA_BSND", [2, 1], [18, 5], 3, False), ("BSND", "BSND", [2, 2], [6, 6], 3, False), ("TND", "TND", [1, 2], [9, 7], 0, False)]:
            groups, each, size, wide, block, width, scale = 2, 2, 24, 16, 4, 3, 0.5
            all = Sequences(layout, own, queries, keys)
            parts = [[draw(name, n, groups * each, size), draw(name, of, groups, size), columns(name, of, groups, wide)] for n, of in zip(queries, keys)]
            chosen = [np.stack([np.stack([pick(-(-of // block), width, 2) for _ in range(groups)]) for _ in range(n)]) for n, of in zip(queries, keys)]
            outs = []
            for sequence, (q, k, v) in enumerate(parts):
                seen = lambda t: min(keys[sequence], t + 1 + keys[sequence] - queries[sequence]) if mode == 3 else keys[sequence]
                rows = [[attend(double(q)[t, g * each : (g + 1) * each], double(k)[:, g], double(v)[:, g], chosen[sequence][t, g], block, scale, seen(t))[0].detach().numpy() for g in range(groups)] for t in range(queries[sequence])]
                outs.append(np.stack([np.concatenate([part if part.shape[-1] == wide else np.zeros((each, wide)) for part in row]) for row in rows]))
            flat = lambda x: x.reshape(*x.shape[:2], -1) if joined else x
            operands = [all.queries_of([part[0] for part in parts]), flat(all.keys_of([part[1] for part in parts])), flat(all.keys_of([part[2] for part in parts])), all.queries_of(chosen)]
            _, _, table = given(all)
            ends = lambda counts, joined: Ints(np.cumsum(counts)) if joined else Ints(counts)
            cases.add(
                "NsaSelectedAttentionInfer", *map(Tensor, operands), NULL, table, ends(queries, layout == "TND"), ends(keys, own == "TND"), Text(layout), groups * each, groups, block, width, 16, scale, mode,
                near(all.queries_of(outs), name),
            )


def compressed_to_cache():
    for name in ["f16", "bf16"]:
        size, stride, page, heads, wide = 4, 2, 16, 2, 8
        lengths, slots = [20, 5, 4, 18, 2], np.array([3, 0, 6, -1, 5], np.int32)
        parts = [columns(name, length, heads, wide) for length in lengths]
        weight = np.abs(draw(name, size, heads)) + np.array(0.125, kind(name))
        before = draw(name, 7, heads, wide)
        after = before.astype(np.float64)
        for part, length, slot in zip(parts, lengths, slots):
            if length >= size and (length - size) % stride == 0 and slot >= 0:
                after[slot] = (part[-size:].astype(np.float64) * weight.astype(np.float64)[:, :, None]).sum(0)
        after = after.astype(kind(name))
        cache, table = paged(parts, lengths, page)
        common = [Tensor(weight), Tensor(slots)]
        counts, ends = Ints(lengths), Ints(np.cumsum(lengths))
        cases.add("NsaCompressWithCache", Tensor(cache), *common, counts, Tensor(table), Text("TND"), size, stride, 1, page, InOut(before, after, ulps=1))
        cases.add("NsaCompressWithCache", Tensor(cache), *common, ends, Tensor(table), NULL, size, stride, 0, page, InOut(before, after, ulps=1))
        cases.add("NsaCompressWithCache", Tensor(np.concatenate(parts)), *common, ends, NULL, Text("TND"), size, stride, 0, page, InOut(before, after, ulps=1))
    good = dict(x=np.ones((2, 16, 1, 8), np.float16), w=np.ones((4, 1), np.float16), slots=np.zeros(1, np.int32), table=np.zeros((1, 2), np.int32), ends=Ints([20]), layout=Text("TND"), size=4, stride=2, kind=1, page=16, out=np.ones((2, 1, 8), np.float16))

    def wrong(code, **other):
        now = good | other
        x = NULL if now["x"] is None else Tensor(now["x"])
        cases.add("NsaCompressWithCache", x, Tensor(now["w"]), Tensor(now["slots"]), now["ends"], Tensor(now["table"]), now["layout"], now["size"], now["stride"], now["kind"], now["page"], InOut(now["out"], now["out"]), code=code)

    wrong(NULLPTR, x=None)
    wrong(INVALID, x=good["x"].astype(np.float32))
    wrong(INVALID, w=good["w"][:3])
    wrong(INVALID, slots=good["slots"].astype(np.int64))
    wrong(INVALID, table=good["table"].astype(np.int64))
    wrong(INVALID, table=np.zeros((2, 2), np.int32))
    wrong(INVALID, ends=NULL)
    wrong(INVALID, ends=Ints([33]))
    wrong(INVALID, ends=Ints([-1]))
    wrong(INVALID, layout=Text("BSND"))
    wrong(INVALID, size=0)
    wrong(INVALID, stride=0)
    wrong(INVALID, kind=2)
    wrong(INVALID, page=8)
    wrong(INVALID, out=np.ones((2, 2, 8), np.float16))


def divergences():
    for name in ["f16", "bf16"]:
        for layout, queries, keys, heads, (groups, each), rope, mode, width, weight in [
            ("BSND", [3, 3], [5, 5], 4, (1, 2), 8, 3, 4, name),
            ("BSND", [2, 1], [4, 6], 3, (2, 2), 0, 0, 3, "f32"),
            ("TND", [2, 3], [4, 6], 2, (2, 1), 0, 3, 5, name),
            ("TND", [1, 2], [7, 3], 2, (1, 3), 16, 0, 2, "f32"),
        ]:
            all = Sequences(layout, layout, queries, keys)
            size, own, scale = 24, 16, 0.25
            shapes = lambda n, of: [(name, n, groups * each, size), (name, of, groups, size), (name, n, heads, own), (name, of, 1, own), (weight, n, heads), (name, n, groups * each, rope), (name, of, groups, rope)]
            parts = [[draw(*shape) for shape in shapes(n, of)] for n, of in zip(queries, keys)]
            picks = [np.stack([np.concatenate([random.permutation(of)[: min(width - 1, of)], -np.ones(width - min(width - 1, of), int)]) for _ in range(n)]).astype(np.int32)[:, None] for n, of in zip(queries, keys)]
            for sparse in [False, True]:
                loss, grads, most, total, most_index, total_index = 0, [], [], [], [], []
                for sequence, part in enumerate(parts):
                    q, k = [double(np.concatenate([part[at].astype(np.float64), part[at + 5].astype(np.float64)], -1)).detach() for at in (0, 1)]
                    qi, ki, w = wide = [double(part[at]) for at in (2, 3, 4)]
                    known = [[], [], [], []]
                    sum = 0
                    for t in range(queries[sequence]):
                        seen = min(keys[sequence], t + 1 + keys[sequence] - queries[sequence]) if mode == 3 else keys[sequence]
                        places = [key for key in picks[sequence][t, 0] if 0 <= key < seen] if sparse else list(range(seen))
                        all_heads = [weigh(q[t, g * each : (g + 1) * each], k[:, g], scale, places) for g in range(groups)]
                        p = torch.cat([powers / sums for powers, sums, _ in all_heads]).mean(0)
                        scores = score(qi[t], ki[:, 0], w[t])[places]
                        log = torch.log_softmax(scores, 0)
                        sum = sum + (p * (p.log() - log)).sum()
                        for to, x in zip(known, [torch.stack([one[2][:, 0] for one in all_heads]), torch.stack([one[1][:, 0] for one in all_heads]), scores.max() if places else torch.tensor(0.0), torch.exp(scores - scores.max()).sum() if places else torch.tensor(1.0)]):
                            to.append(x.detach().numpy())
                    sum.backward()
                    loss += sum.item()
                    grads.append([x.grad.numpy() for x in wide])
                    for to, x in zip([most, total, most_index, total_index], known):
                        to.append(np.stack(x).astype(np.float32))
                queries_of = lambda at: Tensor(all.queries_of([part[at] for part in parts]))
                keys_of = lambda at: Tensor(all.keys_of([part[at] for part in parts]))
                # Heads of keys before the tokens.
                of_heads = lambda x: Tensor(np.moveaxis(all.queries_of(x), -2, -3))
                of_index = lambda x: Tensor(all.queries_of(x)[None] if layout == "TND" else all.queries_of(x)[:, None])
                ropes = [queries_of(5), keys_of(6)] if rope else [NULL, NULL]
                ends = (Ints(np.cumsum(queries)), Ints(np.cumsum(keys))) if layout == "TND" else (Ints(queries), Ints(keys))
                written = []
                for at, kind_of in [(0, name), (1, name), (2, weight)]:
                    x = (all.keys_of if at == 1 else all.queries_of)([grad[at] for grad in grads])
                    written.append(roughly(x, kind_of) if kind_of != "f32" else Out(x.astype(np.float32), within=1e-4 * float(np.abs(x).max())))
                written.append(Out(np.array([loss], np.float32), within=1e-5 * max(1, loss)))
                first = [queries_of(0), keys_of(1), queries_of(2), keys_of(3), queries_of(4)]
                if sparse:
                    cases.add("SparseLightningIndexerGradKLLoss", *first, Tensor(all.queries_of(picks)), of_heads(most), of_heads(total), *ropes, *ends, scale, Text(layout), mode, FAR, FAR, False, *written)
                else:
                    cases.add("DenseLightningIndexerGradKLLoss", *first, of_heads(most), of_heads(total), of_index(most_index), of_index(total_index), *ropes, *ends, scale, Text(layout), mode, FAR, FAR, *written)
    h = np.float16
    good = dict(q=np.ones((1, 2, 2, 16), h), k=np.ones((1, 3, 1, 16), h), qi=np.ones((1, 2, 4, 8), h), ki=np.ones((1, 3, 1, 8), h), w=np.ones((1, 2, 4), h), picks=np.zeros((1, 2, 1, 2), np.int32), known=np.ones((1, 1, 2, 2), np.float32), ends=NULL, layout="BSND", mode=3, before=FAR, dw=np.ones((1, 2, 4), h), loss=np.ones(1, np.float32))

    def wrong(code, **other):
        now = good | other
        operand = lambda key: NULL if now[key] is None else Tensor(now[key])
        outputs = [Out(now["qi"]), Out(good["ki"]), Out(now["dw"]), Out(now["loss"])]
        cases.add("SparseLightningIndexerGradKLLoss", *map(operand, ["q", "k", "qi", "ki", "w", "picks", "known", "known"]), NULL, NULL, now["ends"], now["ends"], 0.5, Text(now["layout"]), now["mode"], now["before"], FAR, False, *outputs, code=code)

    wrong(NULLPTR, q=None)
    wrong(NULLPTR, picks=None)
    wrong(INVALID, k=good["k"].astype(np.float32))
    wrong(INVALID, picks=good["picks"].astype(np.int64))
    wrong(INVALID, dw=good["dw"].astype(np.float32))
    wrong(INVALID, loss=np.ones(1, h))
    wrong(TILING, q=np.ones((1, 1, 2, 16), h))
    wrong(TILING, k=np.ones((1, 3, 3, 16), h))
    wrong(TILING, ki=np.ones((1, 3, 2, 8), h))
    wrong(TILING, known=np.ones((1, 2, 2), np.float32))
    wrong(TILING, loss=np.ones(2, np.float32))
    wrong(TILING, mode=1)
    wrong(TILING, before=1)
    wrong(TILING, layout="TND")
    wrong(TILING, layout="PA_BSND")
    wrong(TILING, ends=Ints([1, 1]))


def flagged():
    for name in ["f16", "bf16"]:
        for layout, (groups, each, size, wide), queries, keys, block, with_flags, known in [
            ("BNSD", (2, 2, 24, 16), [5, 5], [7, 7], [2, 3], True, True),
            ("TND", (1, 3, 16, 16), [3, 4], [9, 2], [4, 2], True, True),
            ("TND", (2, 1, 8, 8), [2, 1], [3, 5], None, False, False),
            ("BNSD", (1, 2, 8, 8), [3, 1], [2, 4], [1, 1], True, False),
        ]:
            heads, scale = groups * each, 0.5
            rows, width = (-(-max(queries) // block[0]), -(-max(keys) // block[1])) if block else (1, 1)
            flags = random.integers(0, 3, (len(queries), heads, rows, width)) > 0
            parts = [[draw(name, n, heads, size), draw(name, of, groups, size), columns(name, of, groups, wide), draw(name, n, heads, wide)] for n, of in zip(queries, keys)]
            outs, logs, grads = [], [], []
            for sequence, part in enumerate(parts):
                q, k, v = inputs = [double(x) for x in part[:3]]
                row = []
                for t in range(queries[sequence]):
                    for h in range(heads):
                        places = [key for key in range(keys[sequence]) if not with_flags or flags[sequence, h, t // block[0], key // block[1]]]
                        if not places:
                            row.append((q[t, h, :1] * 0 + v[0, 0] * 0, torch.tensor(-np.inf)))
                            continue
                        scores = q[t, h] @ k[places, h // each].T * scale
                        row.append((torch.softmax(scores, 0) @ v[places, h // each], torch.logsumexp(scores, 0)))
                out = torch.stack([one[0] for one in row]).reshape(queries[sequence], heads, wide)
                out.backward(double(part[3]).detach())
                outs.append(out.detach().numpy())
                logs.append(np.array([one[1].item() for one in row], np.float32).reshape(queries[sequence], heads, 1))
                grads.append([x.grad.numpy() for x in inputs])

            def joined(parts, empty=0):
                if layout == "TND":
                    return np.concatenate(parts)
                full = np.full((len(parts), max(map(len, parts)), *parts[0].shape[1:]), empty, parts[0].dtype)
                for to, part in zip(full, parts):
                    to[: len(part)] = part
                return np.ascontiguousarray(full.swapaxes(1, 2))

            ends = [Ints(np.cumsum(x) if layout == "TND" else x) for x in (queries, keys)]
            operands = [joined([part[at] for part in parts]) for at in range(4)]
            mask = Tensor(flags if name == "f16" else flags.astype(np.int8)) if with_flags else NULL
            shape = Ints(block) if block else NULL
            out, log = joined(outs), joined(logs, -np.inf)
            layouts = [Text(layout), Text(layout)]
            first = [*map(Tensor, operands[:3]), mask, NULL, shape, *ends, NULL]
            rest = [*layouts, groups, 0, scale, 1, 128, FAR, FAR, int(known)]
            written = [near(out, name), Out(log, within=1e-5) if known else NULL]
            cases.add("BlockSparseAttention", *first, *rest, *written)
            cases.add("BlockSparseAttentionV2", *first, NULL, NULL, NULL, *rest, *written)
            cases.add("BlockSparseAttentionV3", *first, NULL, NULL, NULL, NULL, *rest, 0, 0.0, *written)
            if name == "f16":
                again = first[:2] + [Tensor(operands[2])] + first[3:]
                cases.add("BlockSparseAttention", *again[:3], mask, Tensor(np.zeros((4, 4), np.bool_)), *again[5:], *rest, *written, code=561003)
            gradients = [roughly(joined([grad[at] for grad in grads]), name) for at in range(3)]
            cases.add("BlockSparseAttentionGrad", Tensor(operands[3]), *map(Tensor, operands[:3]), Tensor(out.astype(kind(name))), Tensor(log), mask, NULL, shape, *ends, *layouts, groups, 0, scale, FAR, FAR, *gradients)
    h = np.float16
    good = dict(q=np.ones((1, 2, 3, 8), h), k=np.ones((1, 1, 4, 8), h), flags=np.ones((1, 2, 1, 1), np.bool_), shape=NULL, ends=NULL, layout="BNSD", own="BNSD", groups=1, mask=0, far=(FAR, FAR), known=0, log=NULL, out=np.ones((1, 2, 3, 8), h))

    def wrong(code, **other):
        now = good | other
        operand = lambda key: NULL if now[key] is None else Tensor(now[key])
        cases.add("BlockSparseAttention", operand("q"), operand("k"), operand("k"), operand("flags"), NULL, now["shape"], now["ends"], now["ends"], NULL, Text(now["layout"]), Text(now["own"]), now["groups"], now["mask"], 0.5, 1, 128, *now["far"], now["known"], Out(now["out"]), now["log"], code=code)

    wrong(NULLPTR, q=None)
    wrong(INVALID, k=good["k"].astype(np.float32))
    wrong(INVALID, k=good["k"][..., :4].copy())
    wrong(INVALID, flags=good["flags"].astype(np.float32))
    wrong(INVALID, flags=np.ones((1, 1, 1, 1), np.bool_))
    wrong(INVALID, shape=Ints([2, 2]))
    wrong(INVALID, shape=Ints([0, 2]))
    wrong(INVALID, shape=Ints([2]))
    wrong(INVALID, ends=Ints([4]))
    wrong(INVALID, layout="TND")
    wrong(INVALID, layout="BSND", own="BSND")
    wrong(INVALID, groups=2)
    wrong(INVALID, mask=1)
    wrong(INVALID, known=1)
    wrong(INVALID, known=2)
    wrong(INVALID, known=1, log=Out(np.ones((1, 2, 3), np.float32)))
    wrong(INVALID, out=np.ones((1, 2, 3, 4), h))
    wrong(INVALID, shape=Ints([2, 2, 2]))
    wrong(INVALID, far=(5, FAR))
    wrong(INVALID, far=(FAR, 0))
    # The third version quantises, which is not emulated.
    operands = [Tensor(good[key]) for key in ["q", "k", "k", "flags"]]
    layouts = [Text("BNSD"), Text("BNSD"), 1, 0, 0.5, 1, 128, FAR, FAR, 0]
    for quantised in [(1, 0.0), (0, 448.0)]:
        cases.add("BlockSparseAttentionV3", *operands, *[NULL] * 9, *layouts, *quantised, Out(good["out"]), NULL, code=561003)
    # Gradients have the same bounds.
    operands = [Tensor(good[key]) for key in ["out", "q", "k", "k", "out"]]
    grads = [Out(good[key]) for key in ["q", "k", "k"]]
    cases.add("BlockSparseAttentionGrad", *operands, Tensor(np.zeros((1, 2, 3, 1), np.float32)), Tensor(good["flags"]), *[NULL] * 4, Text("BNSD"), Text("BNSD"), 1, 0, 0.5, 5, FAR, *grads, code=INVALID)


latent()
latent_gradients()
selected()
indexers()
compressed()
compressed_attention()
selected_in_pages()
compressed_to_cache()
divergences()
flagged()
cases.write("sparse")
