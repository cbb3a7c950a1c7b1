"""Cases of steps of attention: parts that are joined, states in the place of keys, pairs by way of a third: PyTorch in f64 on a CPU.

References: PyTorch.

Results in f32 may differ by 32 units of the last place or a small part of the largest, where terms cancel; those in f16 and bf16
by one unit, or by a small part of the largest.
Writes cann-stubs/tests/data/attention_steps.cases. Shapes and formulas are retyped here from CANN's public description.

    python xtask/golden/attention_steps.py
"""

import numpy as np
import torch

from cases import NULL, Cases, InOut, Ints, Out, Tensor, Tensors, Text, kind

INVALID, NULLPTR, TILING, INNER = 161002, 161001, 561002, 561103
F = ["f32", "f16", "bf16"]
cases = Cases()
random = np.random.default_rng(37)


def draw(name, *shape, low=-1.0, high=1.0):
    return random.uniform(low, high, shape).astype(kind(name))


def columns(name, *shape):
    """Numbers of one sign in each column."""
    return (random.uniform(0.5, 2, shape) * np.where(np.arange(shape[-1]) % 3 == 1, -1, 1)).astype(kind(name))


def double(x):
    return torch.tensor(np.asarray(x, np.float64), requires_grad=True)


def near(x, name):
    x = np.asarray(x.detach() if hasattr(x, "detach") else x, np.float64)
    return Out(x.astype(kind(name)), ulps={"f32": 32, "f16": 1, "bf16": 1}[name])


def roughly(x, name):
    x = np.asarray(x.detach() if hasattr(x, "detach") else x, np.float64)
    part = {"f32": 2.0**-18, "f16": 2.0**-9, "bf16": 2.0**-6}[name]
    return Out(x.astype(kind(name)), within=part * float(np.abs(x).max(initial=1e-30)))


def joins():
    for name in F:
        for parts, rows, size in [(1, 3, 8), (3, 5, 16), (2, 4, 24)]:
            sums, results = draw("f32", parts, rows, low=-3, high=3), columns(name, parts, rows, size)
            if parts == 3:
                # +∞ counts as −∞: a part without keys.
                sums[1, 2], sums[0, 3] = np.inf, -np.inf
            wide = np.where(sums == np.inf, -np.inf, sums).astype(np.float64)
            total = torch.logsumexp(torch.tensor(wide), 0).numpy()
            out = (np.exp(wide - total)[..., None] * results.astype(np.float64)).sum(0)
            lists = [Tensors(*map(Tensor, sums)), Tensors(*map(Tensor, results))]
            cases.add("AttentionUpdate", *lists, 1, near(out, name), Out(total.astype(np.float32), within=1e-5))
            cases.add("AttentionUpdate", *lists, 0, near(out, name), NULL)
    one_sum, result, out = np.zeros(3, np.float32), np.ones((3, 8), np.float16), np.zeros((3, 8), np.float16)

    def wrong(code, sums=(one_sum,), results=(result,), kind=0, out=Out(out), lse=NULL, product="Ascend910B"):
        lists = [NULL if one is None else Tensors(*[NULL if x is None else Tensor(x) for x in one]) for one in (sums, results)]
        cases.add("AttentionUpdate", *lists, kind, out, lse, code=code, product=product)

    wrong(INVALID, kind=1)
    wrong(INVALID, lse=Out(one_sum))
    wrong(INVALID, kind=2, sums=None)
    wrong(NULLPTR, sums=None)
    wrong(NULLPTR, results=(None,))
    wrong(NULLPTR, out=NULL)
    wrong(INVALID, sums=(one_sum.astype(np.float16),))
    wrong(INVALID, results=(result.astype(np.int8),))
    wrong(INVALID, sums=(one_sum, one_sum))
    wrong(INVALID, sums=(one_sum,) * 17, results=(result,) * 17, product="Ascend950")
    wrong(0, sums=(one_sum,) * 17, results=(result,) * 17, out=Out(np.ones((3, 8), np.float16)))
    wrong(INVALID, results=(result[:, :4].copy(),), out=Out(out[:, :4]))
    wrong(INVALID, results=(result[:2],))
    wrong(INVALID, out=Out(out[:2]))
    wrong(INNER, out=Out(out.astype(np.float32)))
    wrong(INVALID, sums=(one_sum, one_sum), results=(result, result.astype(np.float32)), product="Ascend950")
    wrong(INVALID, product="Ascend310P")
    for name in F:
        for layout, shape in [("SBH", (3, 2, 4, 8)), ("TND", (5, 1, 2, 16))]:
            tokens, batches, heads, size = shape
            parts = []
            for _ in range(2):
                most = draw("f32", batches, heads, tokens) if layout == "SBH" else draw("f32", tokens, heads)
                parts.append((columns(name, tokens, batches, heads, size), most, draw("f32", *most.shape, low=0.5, high=4)))
            if layout == "TND":
                # The first part of one token has no keys, and holds no numbers.
                parts[0][1][1, 1], parts[0][2][1, 1], parts[0][0][1, 0, 1] = -np.inf, 0, np.nan
            most = np.maximum(parts[0][1], parts[1][1]).astype(np.float64)
            scaled = [part[2] * np.exp(part[1].astype(np.float64) - most) for part in parts]
            total = scaled[0] + scaled[1]
            turned = lambda x: (x.transpose(2, 0, 1) if layout == "SBH" else x[:, None])[..., None]
            out = sum(np.nan_to_num(part[0].astype(np.float64)) * turned(one / total) for part, one in zip(parts, scaled))
            laid = lambda x: x.reshape(tokens, batches, -1) if layout == "SBH" else x[:, 0]
            eight = lambda x: np.repeat(x[..., None].astype(np.float32), 8, -1)
            operands = [Tensor(one) for part in parts for one in (laid(part[0]), eight(part[1]), eight(part[2]))]
            results = [near(laid(out), name), Out(eight(most)), Out(eight(total), ulps=32)]
            ends = Tensor(np.array([2, 5], np.int64)) if layout == "TND" else NULL
            cases.add("RingAttentionUpdate", *operands, ends, Text(layout), *results)
            cases.add("RingAttentionUpdateV2", *operands, ends, Text(layout), Text("" if layout == "SBH" else "TND"), *results)
    cases.add("RingAttentionUpdate", *operands, ends, Text("BSH"), *results, code=TILING)
    cases.add("RingAttentionUpdate", NULL, *operands[1:], ends, Text(layout), *results, code=NULLPTR)
    cases.add("RingAttentionUpdate", operands[0], operands[0], *operands[2:], ends, Text(layout), *results, code=INVALID)
    cases.add("RingAttentionUpdate", *operands[:3], Tensor(np.zeros((4, 2, 16), kind(name))), *operands[4:], ends, Text(layout), *results, code=TILING)
    cases.add("RingAttentionUpdate", *operands, ends, Text(layout), *results, code=INVALID, product="Ascend310P")


def rule(state, q, k, v, beta, g, gk, scale):
    """One head: states are [values, keys]; returns the results and the state after each token."""
    outs, states = [], []
    for t in range(len(q)):
        state = state * np.exp(g[t])
        state = state * np.exp(gk[t])
        state = state + np.outer((v[t] - state @ k[t]) * beta[t], k[t])
        outs.append(state @ q[t] * scale)
        states.append(state)
    return outs, states


def deltas():
    name = "bf16"
    for of_state in ["bf16", "f32"]:
        for (key_heads, heads, size, wide), lengths, has_g, has_columns, accepted in [((1, 2, 8, 4), [2, 3], True, True, [1, 2]), ((2, 2, 16, 8), [1, 1, 2], True, False, None), ((2, 4, 4, 6), [3, 0], False, False, [2, 1])]:
            tokens = sum(lengths)
            q, k = draw(name, tokens, key_heads, size), draw(name, tokens, key_heads, size, low=-0.5, high=0.5)
            v, beta = draw(name, tokens, heads, wide), draw(name, tokens, heads, low=0, high=1)
            g, gk = draw("f32", tokens, heads, low=-1, high=0), draw("f32", tokens, heads, size, low=-1, high=0)
            state = draw(of_state, tokens + 3, heads, wide, size)
            index = random.permutation(tokens + 3)[:tokens].astype(np.int32)
            after, out = state.astype(np.float64), np.zeros((tokens, heads, wide))
            initial = draw(of_state, len(lengths), heads, wide, size)
            final, second = initial.astype(np.float64), np.zeros((tokens, heads, wide))
            first = 0
            d = lambda x: x.astype(np.float64)
            for sequence, length in enumerate(lengths):
                part = slice(first, first + length)
                for head in range(heads if length else 0):
                    of_key = head // (heads // key_heads)
                    zero = np.zeros(tokens)
                    operands = [d(q)[part, of_key], d(k)[part, of_key], d(v)[part, head], d(beta)[part, head], d(g)[part, head] if has_g else zero]
                    begin = index[first + (accepted[sequence] if accepted else 1) - 1]
                    outs, states = rule(d(state)[begin, head], *operands, d(gk)[part, head] if has_columns else np.zeros((tokens, size)), 0.5)
                    out[part, head] = outs
                    for at, one in zip(index[part], states):
                        after[at, head] = one
                    outs, states = rule(d(initial)[sequence, head], *operands, np.zeros((tokens, size)), 0.5)
                    second[part, head], final[sequence, head] = outs, states[-1]
                first += length
            rounded = after.astype(kind(of_state))
            part = {"f32": 2.0**-18, "bf16": 2.0**-7}[of_state]
            changed = InOut(state, rounded)
            changed.ulps = -part * float(np.abs(after).max())
            ints = lambda x: Tensor(np.array(x, np.int32))
            optional = [Tensor(g) if has_g else NULL, Tensor(gk) if has_columns else NULL]
            shared = [Tensor(q), Tensor(k), Tensor(v), Tensor(beta)]
            cases.add("RecurrentGatedDeltaRule", *shared, changed, ints(lengths), ints(index), *optional, ints(accepted) if accepted else NULL, 0.5, roughly(out, name))
            cases.add("ChunkGatedDeltaRule", *shared, Tensor(initial), ints(lengths), optional[0], 0.5, roughly(second, name), roughly(final, of_state))
    b = kind(name)
    good = dict(q=np.ones((2, 1, 8), b), v=np.ones((2, 2, 8), b), beta=np.ones((2, 2), b), state=np.zeros((3, 2, 8, 8), b), lengths=np.array([2], np.int32), index=np.array([0, 1], np.int32), g=None)

    def wrong(code, product="Ascend910B", **other):
        now = good | other
        given = lambda x: NULL if x is None else Tensor(x)
        cases.add("RecurrentGatedDeltaRule", given(now["q"]), given(now["q"]), given(now["v"]), given(now["beta"]), Out(now["state"]), given(now["lengths"]), given(now["index"]), given(now["g"]), NULL, NULL, 1.0, Out(np.zeros((2, 2, 8), b)), code=code, product=product)

    for key in ["q", "v", "beta", "lengths", "index"]:
        wrong(NULLPTR, **{key: None})
    wrong(INVALID, q=good["q"].astype(np.float16))
    wrong(INVALID, state=good["state"].astype(np.float16))
    wrong(INVALID, lengths=np.array([2], np.int64))
    wrong(INVALID, g=np.zeros((2, 2), b))
    wrong(INVALID, product="Ascend310P")
    wrong(TILING, q=np.ones((2, 3, 8), b))
    wrong(TILING, state=np.zeros((3, 2, 8, 4), b))
    wrong(TILING, index=np.array([0], np.int32))
    wrong(TILING, g=np.zeros((2, 1), np.float32))


def ways():
    for name in ["f16", "bf16"]:
        for (batches, heads, first, second, way, size), masked in [((1, 2, 3, 4, 5, 8), False), ((2, 1, 2, 3, 4, 16), True)]:
            q, k1, k2 = draw(name, batches, heads, first, second, size), draw(name, batches, heads, first, way, size), draw(name, batches, heads, way, second, size)
            v1, v2, dy = columns(name, batches, heads, first, way, size), columns(name, batches, heads, way, second, size), draw(name, batches, heads, first, second, size)
            wide = [double(x) for x in (q, k1, v1, k2, v2)]
            scores = (torch.einsum("bhijd,bhiwd->bhijw", wide[0], wide[1]) + torch.einsum("bhijd,bhwjd->bhijw", wide[0], wide[3])) * 0.5
            mask = random.random((batches, 1, first, 1, way)) < 0.3
            mask[..., 0] = False
            if masked:
                scores = scores.masked_fill(torch.tensor(mask), -torch.inf)
            most = scores.amax(-1, keepdim=True).detach()
            weights = torch.exp(scores - most)
            total = weights.sum(-1, keepdim=True)
            weights = weights / total
            out = torch.einsum("bhijw,bhiwd->bhijd", weights, wide[2]) + torch.einsum("bhijw,bhwjd->bhijd", weights, wide[4])
            out.backward(torch.tensor(dy.astype(np.float64)))
            known = [np.repeat(x.detach().numpy().astype(np.float32), 8, -1) for x in (most, total)]
            operands = [Tensor(x) for x in (q, k1, v1, k2, v2)]
            hidden = Tensor(mask) if masked else NULL
            cases.add("FusedFloydAttention", *operands, hidden, 0.5, Out(known[0], within=1e-5), Out(known[1], ulps=64), near(out, name))
            y = out.detach().numpy().astype(kind(name))
            # What is given of the result was rounded, which moves each gradient.
            grads = [roughly(x.grad, name) for x in wide]
            for grad in grads:
                grad.ulps *= 4
            call = [*operands, Tensor(dy), hidden, *map(Tensor, known), Tensor(y), 0.5]
            cases.add("FusedFloydAttentionGrad", *call, *grads)
            cases.add("FusedFloydAttentionGrad", *call, *grads[:4], Out(v2[:, :, 1:]), code=TILING)
    refused = [*operands[:4], NULL, hidden, 0.5, Out(known[0]), Out(known[1]), near(out, name)]
    cases.add("FusedFloydAttention", *refused, code=NULLPTR)
    cases.add("FusedFloydAttention", *operands[:4], operands[1], *refused[5:], code=TILING)
    cases.add("FusedFloydAttention", *operands[:4], Tensor(v2.astype(np.float32)), *refused[5:], code=INVALID)


joins()
deltas()
ways()
cases.write("attention_steps")
