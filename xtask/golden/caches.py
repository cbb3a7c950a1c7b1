"""Cases of rows that are normalised, turned and quantised on their way to a cache: NumPy in f64, rounded once.

References: NumPy.

Numbers that a norm or a rotation computes may differ by one unit of f16 and bf16, where f32 lies between two of them; those that
are copied are exact. Steps of i8 are exact, as no number here lies halfway.
Writes cann-stubs/tests/data/caches.cases. Shapes, modes and formulas are retyped here from CANN's public description.

    python xtask/golden/caches.py
"""

import numpy as np

from cases import NULL, Cases, Formatted, InOut, Ints, Out, Tensor, Text, kind

INVALID, NULLPTR, TILING, LATER, INNER = 161002, 161001, 561002, 561003, 561103
cases = Cases()
random = np.random.default_rng(29)


def draw(name, *shape):
    """Numbers of few digits from a half to two, with both signs."""
    return (random.integers(4, 16, shape, endpoint=True) / 8 * random.choice([-1, 1], shape)).astype(kind(name))


def angles_of(name, *shape):
    """Cosines and sines, of which these are so small that no rotation cancels."""
    return [fine(name, *shape, low=low, high=high) for low, high in [(1, 2), (0.01, 0.05)]]


def fine(name, *shape, low, high):
    """Numbers of many digits, whose products lie halfway between nothing."""
    return random.uniform(low, high, shape).astype(kind(name))


def wide(x):
    return np.asarray(x, np.float64)


def rms(x, gamma, epsilon):
    return x / np.sqrt((x * x).mean(-1, keepdims=True) + epsilon) * gamma


def halves(x, cos, sin):
    first, second = np.split(x, 2, -1)
    return x * cos + np.concatenate([-second, first], -1) * sin


def apart(x, cos, sin):
    """Neighbours, of which the first ones come before all second ones."""
    first, second = x[..., ::2], x[..., 1::2]
    return np.concatenate([first, second], -1) * cos + np.concatenate([-second, first], -1) * sin


def steps(x, scale, offset, divides=False):
    return np.clip(np.rint((x / scale if divides else x * scale) + offset), -128, 127).astype(np.int8)


def grouped(cache, group):
    """Each block with the first elements of all tokens, then the next ones, in the shape that it had."""
    blocks, block = cache.shape[:2]
    return np.ascontiguousarray(cache.reshape(blocks, block, -1, group).transpose(0, 2, 1, 3)).reshape(cache.shape)


def latent():
    for name in ["f16", "bf16"]:
        batches, tokens, blocks, block = 2, 3, 4, 2
        kv, gamma = draw(name, batches, 1, tokens, 576), draw(name, 512)
        for mode, scaled in [("Norm", 0), (None, 0), ("PA", 0), ("PA_BNSD", 3), ("PA_NZ", 0), ("PA_NZ", 1), ("PA_NZ", 2), ("PA_BLK_BNSD", 0), ("PA_BLK_NZ", 3), ("Other", 0)]:
            cos, sin = angles_of(name, batches, 1, tokens if mode else 1, 64)
            normed = rms(wide(kv)[..., :512], wide(gamma), 1e-5)[:, 0].reshape(-1, 512)
            turned = apart(wide(kv)[..., 512:], wide(cos), wide(sin))[:, 0].reshape(-1, 64)
            paged = mode and mode.startswith("PA")
            written, scales, offsets, plain = [], [NULL] * 2, [NULL] * 2, []
            if mode and "BLK" in mode:
                index = np.array([[6, 0], [2, -1]])
                places = [[index[b, t // block] // block * block + t % block if index[b, t // block] >= 0 else -1 for t in range(tokens)] for b in range(batches)]
                places = np.array(places).reshape(-1)
            elif paged:
                index = places = random.permutation(blocks * block)[: batches * tokens]
                index[2] = -1
            else:
                index = np.array([[0, 3, 1], [2, -1, 0]])
                places = np.where(index < 0, -1, index + 4 * np.arange(batches)[:, None]).reshape(-1)
            for at, x in enumerate([turned, normed]):
                size = x.shape[1]
                is_step = scaled >> at & 1
                kept = "i8" if is_step else name
                before = random.integers(-9, 9, (blocks, block, 1, size) if paged else (2, 1, 4, size)).astype(kind(kept))
                after = before.reshape(-1, size).copy()
                if is_step:
                    scale, offset = fine("f32", size, low=4, high=20), fine("f32", size, low=-5, high=5)
                    rows = steps(x, wide(scale), wide(offset) if at else 0)
                    scales[at], offsets[at] = Tensor(scale if scaled == 2 else scale[None]), Tensor(offset.reshape(2, -1)) if at else NULL
                else:
                    rows = x.astype(kind(kept))
                for row, place in zip(rows, places):
                    if place >= 0:
                        after[place] = row
                after = after.reshape(before.shape)
                group = 32 if is_step else 16
                pair = (grouped(before, group), grouped(after, group)) if mode and mode.endswith("NZ") else (before, after)
                written.append(InOut(*pair, ulps=0 if is_step else 1))
                plain.append(x.reshape(batches, 1, tokens, size).astype(kind(name)))
            call = [Tensor(kv), Tensor(gamma), Tensor(cos), Tensor(sin), Tensor(index.reshape(-1).astype(np.int64)), *written, *scales, *offsets]
            text = NULL if mode is None else Text(mode)
            nothing = Out(np.zeros(0, kind(name)))
            if scaled or not paged:
                cases.add("KvRmsNormRopeCache", *call, 1e-5, text, False, nothing, nothing)
            if mode is None:
                cases.add("KvRmsNormRopeCacheV2", *call, NULL, 1e-5, text, False, nothing, nothing)
            if paged and not scaled:
                cases.add("KvRmsNormRopeCache", *call, 1e-5, text, True, *[Out(x, ulps=1) for x in plain])
        # With values beside: everything is normalised.
        for heads, mode in [(1, "Norm"), (2, "Norm"), (2, "PA"), (4, "PA_NZ")]:
            kv, gamma, v = draw(name, 2, heads, 3, 192), draw(name, 192), draw(name, 2, heads, 3, 128)
            cos, sin = angles_of(name, 2, 1, 3, 64)
            normed = rms(wide(kv), wide(gamma), 1e-6)
            keys = np.concatenate([apart(normed[..., :64], wide(cos), wide(sin)), normed[..., 64:]], -1)
            shape = lambda size: (2, heads, 4, size) if mode == "Norm" else (2, 4, heads, size)
            index = np.array([3, 1, 0, 2, -1, 1]) if mode == "Norm" else np.array([7, 1, 0, 2, -1, 4])
            pairs = []
            for x in (keys, wide(v)):
                before = random.integers(-9, 9, shape(x.shape[3])).astype(kind(name))
                after = before.copy()
                for token, place in enumerate(index):
                    if place >= 0 and mode == "Norm":
                        after[token // 3, :, place] = x[token // 3, :, token % 3].astype(kind(name))
                    elif place >= 0:
                        after[place // 4, place % 4] = x[token // 3, :, token % 3].astype(kind(name))
                pair = (grouped(before, 16), grouped(after, 16)) if mode == "PA_NZ" else (before, after)
                pairs.append(InOut(*pair, ulps=1))
            call = [Tensor(kv), Tensor(gamma), Tensor(cos), Tensor(sin), Tensor(index.astype(np.int64)), *pairs, *[NULL] * 4]
            cases.add("KvRmsNormRopeCacheV2", *call, Tensor(v), 1e-6, Text(mode), True, *[Out(x.astype(kind(name)), ulps=1) if mode != "Norm" else Out(np.zeros(0, kind(name))) for x in (keys, wide(v))])
    h = np.float16
    good = dict(kv=np.ones((1, 1, 2, 576), h), gamma=np.ones(512, h), cos=np.ones((1, 1, 2, 64), h), sin=np.ones((1, 1, 2, 64), h), index=np.array([0, 1], np.int64), k=np.zeros((1, 4, 1, 64), h), c=np.zeros((1, 4, 1, 512), h), ks=None, cs=None, ko=None, co=None, mode="PA")

    def wrong(code, product="Ascend910B", out=None, **other):
        now = good | other
        given = lambda x: NULL if x is None else Tensor(x)
        written = lambda x: NULL if x is None else Out(x)
        out = Out(np.zeros(0, h)) if out is None else out
        cases.add("KvRmsNormRopeCache", *[given(now[key]) for key in ("kv", "gamma", "cos", "sin", "index")], written(now["k"]), written(now["c"]), *[given(now[key]) for key in ("ks", "cs", "ko", "co")], 1e-5, Text(now["mode"]), out is not None and False, out, out, code=code, product=product)

    for name in ["kv", "gamma", "cos", "sin", "index", "k", "c"]:
        wrong(NULLPTR, **{name: None})
    wrong(NULLPTR, out=NULL)
    wrong(INVALID, kv=good["kv"].astype(np.float32))
    wrong(INVALID, gamma=good["gamma"].astype(np.float32))
    wrong(INVALID, index=good["index"].astype(np.int32))
    wrong(INVALID, k=good["k"].astype(np.float32))
    wrong(INVALID, product="Ascend310P")
    wrong(TILING, kv=np.ones((1, 1, 2, 512), h))
    wrong(TILING, kv=np.ones((1, 2, 2, 576), h))
    wrong(TILING, kv=np.ones((1, 1, 0, 576), h))
    wrong(TILING, gamma=np.ones(64, h))
    wrong(TILING, cos=np.ones((1, 1, 3, 64), h), sin=np.ones((1, 1, 3, 64), h))
    wrong(TILING, index=np.array([0], np.int64))
    wrong(TILING, k=np.zeros((1, 4, 1, 32), h))
    wrong(TILING, k=np.zeros((1, 4, 1, 64), np.int8))
    wrong(TILING, k=np.zeros((1, 4, 1, 64), np.int8), ks=np.ones(1, np.float32))
    wrong(TILING, ks=np.ones(64, np.float32))
    wrong(TILING, k=np.zeros((1, 4, 1, 64), np.int8), c=np.zeros((1, 4, 1, 512), np.int8), ks=np.ones(64, np.float32), cs=np.ones((1, 512), np.float32))
    wrong(TILING, mode="Norm", k=np.zeros((1, 1, 4, 64), np.int8), c=np.zeros((1, 1, 4, 512), h), ks=np.ones(64, np.float32))


def heads():
    for name in ["f16", "bf16"]:
        for (batches, tokens, of_query, of_key), scaled, is_plain in [((2, 3, 4, 2), 0, True), ((2, 3, 2, 1), 3, False), ((1, 4, 2, 2), 1, True), ((3, 1, 1, 1), 2, True)]:
            size, block, count = 128, 32, batches * tokens
            qkv, gammas = draw(name, count, (of_query + 2 * of_key) * size), draw(name, 2, size)
            angles = angles_of(name, count if is_plain else batches, size)
            cos, sin = (np.repeat(wide(x), count // len(x), 0)[:, None] for x in angles)
            parts = wide(qkv).reshape(count, -1, size)
            query = halves(rms(parts[:, :of_query], wide(gammas[0]), 1e-6), cos, sin)
            key = halves(rms(parts[:, of_query : of_query + of_key], wide(gammas[1]), 1e-6), cos, sin)
            value = parts[:, of_query + of_key :]
            index = random.permutation(block * batches)[:count].astype(np.int64)
            index[-1] = -1
            caches, scales, offsets = [], [NULL] * 2, [NULL] * 2
            for at, x in enumerate([key, value]):
                is_step = scaled >> at & 1
                kept = "i8" if is_step else name
                before = random.integers(-9, 9, (batches * block, of_key * size)).astype(kind(kept))
                rows = x
                if is_step:
                    scale, offset = fine("f32", of_key, size, low=0.01, high=0.1), fine("f32", of_key, size, low=-2, high=2)
                    rows = steps(x, wide(scale), wide(offset) if at else 0, True)
                    scales[at], offsets[at] = Tensor(scale), Tensor(offset) if at else NULL
                after = before.copy()
                for row, place in zip(rows.reshape(count, -1).astype(kind(kept)), index):
                    if place >= 0:
                        after[place] = row
                group = 32 if is_step else 16
                nz = lambda x: np.ascontiguousarray(x.reshape(batches, block, -1, group).transpose(0, 2, 1, 3))
                caches.append(InOut(nz(before), nz(after), ulps=0 if is_step or at else 1))
            rounded = lambda x: x.reshape(count, -1).astype(kind(name))
            plain = [Out(rounded(query), ulps=1), Out(rounded(key), ulps=1), Out(rounded(value))] if is_plain else [NULL] * 3
            cases.add("QkvRmsNormRopeCache", Tensor(qkv), *map(Tensor, gammas), *map(Tensor, angles), Tensor(index), Out(rounded(query), ulps=1), *caches, *scales, *offsets, Ints([batches, tokens, of_query + 2 * of_key, size]), Ints([of_query, of_key, of_key]), 1e-6, Text("PA_NZ") if is_plain else NULL, *plain)
    h = np.float16
    good = dict(qkv=np.ones((2, 384), h), index=np.zeros(2, np.int64), k=np.zeros((1, 8, 32, 16), h), sizes=[1, 2, 3, 128], numbers=[1, 1, 1], mode=NULL, plain=[NULL] * 3)

    def wrong(code, product="Ascend910B", **other):
        now = good | other
        given = lambda x: NULL if x is None else Tensor(x)
        gamma, angles = Tensor(np.ones(128, h)), Tensor(np.ones((2, 128), h))
        cases.add("QkvRmsNormRopeCache", given(now["qkv"]), gamma, gamma, angles, angles, given(now["index"]), Out(np.zeros((2, 128), h)), Out(now["k"]), Out(np.zeros((1, 8, 32, 16), h)), *[NULL] * 4, NULL if now["sizes"] is None else Ints(now["sizes"]), Ints(now["numbers"]), 1e-6, now["mode"], *now["plain"], code=code, product=product)

    plain = Out(np.zeros((2, 128), h))
    wrong(NULLPTR, qkv=None)
    wrong(NULLPTR, sizes=None)
    wrong(INVALID, qkv=np.ones((2, 384), np.float32))
    wrong(INVALID, product="Ascend950")
    wrong(LATER, numbers=[1, 1, 2])
    wrong(LATER, sizes=[1, 2, 6, 64])
    wrong(LATER, mode=Text("PA"))
    wrong(LATER, k=np.zeros((1, 8, 32, 16), np.int8))
    wrong(INNER, mode=Text("PA"), plain=[plain] * 3)
    wrong(INNER, plain=[plain, NULL, plain])


def dequantised():
    for name in ["f16", "bf16"]:
        for integers, shape, paged, plain in [(False, (2, 3), False, True), (True, (2, 3), True, False), (True, (3,), False, True), (False, (3,), True, False)]:
            of_query, heads, size = 4, 2, 16
            batches, tokens = (*shape, 1)[:2]
            count, length = batches * tokens, (of_query + 2 * heads) * size
            x = random.integers(-900, 900, (*shape, length)).astype(np.int32) if integers else draw(name, *shape, length)
            row, given = wide(x).reshape(count, length), [NULL] * 3
            if integers:
                columns, own = fine("f32", length, low=0.001, high=0.004), fine("f32", *shape, low=0.5, high=1.5)
                bias = random.integers(-90, 90, length).astype(np.int32) if plain else draw("f32", length)
                before, after = (wide(bias), 0) if plain else (0, wide(bias))
                row = (row + before) * wide(columns) * wide(own).reshape(-1, 1) + after
                given = [Tensor(columns), Tensor(own), Tensor(bias)]
            angles = angles_of(name, *((*shape, 1, size) if len(shape) == 2 else (*shape, size)))
            cos, sin = (wide(x).reshape(count, 1, size) for x in angles)
            parts = row.reshape(count, -1, size)
            turned = halves(parts[:, : of_query + heads], cos, sin)
            query, key, value = turned[:, :of_query], turned[:, of_query:], parts[:, of_query + heads :]
            index = np.array([7, 0, -1, 3, 5, 1][:count]) if paged else np.array([1, 0, 2][:batches])
            lists, caches = [[], []], []
            for at, x_own in enumerate([key, value]):
                scale, offset = fine("f32", heads, size, low=0.02, high=0.2), fine("f32", heads, size, low=-2, high=2)
                rows = steps(x_own, wide(scale), wide(offset) if plain else 0, True)
                before = random.integers(-9, 9, (batches, 4, heads, size)).astype(np.int8)
                after = before.copy()
                for at_row, one in enumerate(rows):
                    if paged:
                        if index[at_row] >= 0:
                            after.reshape(-1, heads, size)[index[at_row]] = one
                    else:
                        after[at_row // tokens, index[at_row // tokens] + at_row % tokens] = one
                caches.append(InOut(before, after))
                lists[0].append(Tensor(scale))
                lists[1].append(Tensor(offset) if plain else NULL)
            rounded = lambda x, ulps=1: Out(x.reshape(*shape, -1, size).astype(kind(name)), ulps=ulps)
            outs = [rounded(query), rounded(key), rounded(value)] if plain else [rounded(query), *[Out(np.zeros(0, kind(name)))] * 2]
            cases.add("DequantRopeQuantKvcache", Tensor(x), *map(Tensor, angles), *caches, Tensor(index.astype(np.int32)), *lists[0], *lists[1], *given, Ints([of_query * size, heads * size, heads * size]), Text("static"), NULL, plain, Text("page") if paged else NULL, *outs)
    h = np.float16
    good = dict(x=np.ones((2, 48), h), k=np.zeros((2, 4, 1, 16), np.int8), index=np.zeros(2, np.int32), sizes=[16, 16, 16], quant=NULL, mode=NULL)

    def wrong(code, product="Ascend910B", **other):
        now = good | other
        given = lambda x: NULL if x is None else Tensor(x)
        angles, scale, out = Tensor(np.ones((2, 16), h)), Tensor(np.ones((1, 16), np.float32)), Out(np.zeros((2, 1, 16), h))
        cases.add("DequantRopeQuantKvcache", given(now["x"]), angles, angles, Out(now["k"]), Out(np.zeros((2, 4, 1, 16), np.int8)), given(now["index"]), scale, scale, *[NULL] * 5, NULL if now["sizes"] is None else Ints(now["sizes"]), now["quant"], NULL, False, now["mode"], out, out, out, code=code, product=product)

    wrong(NULLPTR, x=None)
    wrong(NULLPTR, index=None)
    wrong(NULLPTR, sizes=None)
    wrong(INVALID, x=np.ones((2, 48), np.float32))
    wrong(INVALID, k=np.zeros((2, 4, 1, 16), h))
    wrong(INVALID, product="Ascend310P")
    wrong(TILING, x=np.ones((2, 48), np.int32))
    wrong(TILING, sizes=[16, 16])
    wrong(TILING, sizes=[0, 16, 16])
    wrong(TILING, mode=Text("other"))
    wrong(TILING, quant=Text("dynamic"))
    wrong(TILING, index=np.zeros(3, np.int32))
    wrong(TILING, k=np.zeros((2, 4, 1, 8), np.int8))


def scattered():
    for name in ["f16", "bf16"]:
        for pairs, scale_type, shifts in [(False, "f32", "i32"), (True, "bf16", "bf16"), (False, "f32", None)]:
            own = random.integers(-9, 9, (3, 2, 6, 32)).astype(np.int8)
            updates = draw(name, 2, 2, 3, 32)
            scale = fine(scale_type, 32, low=0.02, high=0.2)
            points = None if shifts is None else random.integers(-9, 9, 32).astype(kind(shifts))
            rows = steps(wide(updates), wide(scale), 0 if points is None else wide(points), True)
            index = np.array([[2, 3], [0, 1]]) if pairs else np.array([3, 0])
            after = own.copy()
            for entry, row in enumerate(rows):
                batch, first = index[entry] if pairs else (entry, index[entry])
                after[batch, :, first : first + 3] = row
            operands = [InOut(own, after), Tensor(index.astype(np.int32)), Tensor(updates), Tensor(scale), NULL if points is None else Tensor(points)]
            cases.add("InplaceQuantScatter", *operands, -2, -1, 1)
            cases.add("InplaceQuantScatterV2", *operands, 2, 3, 1, Text("rint"))
    own, index, updates = np.zeros((2, 4, 8), np.int8), np.zeros(2, np.int32), np.ones((2, 1, 8), np.float16)

    def wrong(code, own=own, index=index, updates=updates, scale=np.ones(8, np.float32), axis=1, quant=2):
        given = lambda x: NULL if x is None else Tensor(x)
        cases.add("InplaceQuantScatter", NULL if own is None else Out(own), given(index), given(updates), given(scale), NULL, axis, quant, 1, code=code)

    wrong(NULLPTR, own=None)
    wrong(NULLPTR, scale=None)
    wrong(INVALID, own=own.astype(np.int32))
    wrong(INVALID, updates=updates.astype(np.float32))
    wrong(INVALID, index=index.astype(np.int8))
    wrong(INVALID, axis=0)
    wrong(INVALID, axis=2)
    wrong(INVALID, axis=3)
    wrong(INVALID, quant=1)
    wrong(INVALID, scale=np.ones(4, np.float32))
    wrong(INVALID, own=own[0], updates=updates[0])
    wrong(INNER, updates=np.ones((2, 5, 8), np.float16))


def sparse(rows, columns):
    """A matrix with few elements that are not zero, which keeps the file small."""
    matrix, column = np.zeros((rows, columns)), np.arange(columns)
    for step in (5, 11, 17, 23):
        matrix[(column * step + step) % rows, column] = (column % 3 + 1) / 4 * np.where(column % 2, -1, 1)
    return matrix.astype(kind("bf16"))


def tokens_compressed():
    """Latent attention before its scores; what is multiplied again is rounded to bf16 in between."""
    name, size = "bf16", 1024
    rounded = lambda x: wide(x.astype(kind(name)))
    roughly = lambda x: Out(x.astype(kind(name)), within=float(np.abs(x).max() / 64))
    weights = {}
    nz = lambda x: Formatted("FRACTAL_NZ", Tensor(x))
    for operator, shape, count, mode, third in [
        ("MlaPrologV2WeightNz", (2, 1), 2, "PA_NZ", False), ("MlaProlog", (1,), 1, None, False),
        ("MlaPrologV2", (1,), 1, "PA_BSND", False),
        ("MlaPrologV3WeightNz", (2,), 1, "TND", True), ("MlaPrologV3", (1, 1), 1, "PA_BLK_NZ", True),
    ]:
        if count not in weights:
            weights[count] = [sparse(size, 1536), sparse(1536, count * 192), sparse(count * 128, 512).reshape(count, 128, 512), sparse(size, 576)]
        w_dq, w_uq, w_uk, w_dkv = weights[count]
        # Signs follow from the place, so that few products cancel.
        x, of_query, of_key = draw(name, *shape, size), np.abs(draw(name, 1536)), np.abs(draw(name, 512))
        cos, sin = angles_of(name, *shape, 64)
        factors = (0.5, 2.0) if third else (1.0, 1.0)
        cq = rms(wide(x) @ wide(w_dq), wide(of_query), 1e-5) * factors[0]
        queries = (rounded(cq) @ wide(w_uq)).reshape(*shape, count, 192)
        out = np.einsum("...nd,ndk->...nk", rounded(queries[..., :128]), wide(w_uk))
        turned = apart(queries[..., 128:], wide(cos)[..., None, :], wide(sin)[..., None, :])
        keys = wide(x) @ wide(w_dkv)
        parts = [rms(keys[..., :512], wide(of_key), 1e-6) * factors[1], apart(keys[..., 512:], wide(cos), wide(sin))]
        rows, block, blocks = int(np.prod(shape)), 16, 4
        if mode in ("BSND", "TND"):
            index, caches = None, [roughly(part[..., None, :]) for part in parts]
        else:
            index = random.permutation(block * blocks)[:rows].reshape(shape)
            index.flat[0] = -1
            places = index.reshape(-1)
            if "BLK" in (mode or ""):
                index, places = np.array([[35]]), np.array([32])
            caches = []
            for part in parts:
                before = random.integers(-9, 9, (blocks, block, 1, part.shape[-1])).astype(kind(name))
                after = before.reshape(-1, part.shape[-1]).copy()
                for row, place in zip(part.reshape(rows, -1), places):
                    if place >= 0:
                        after[place] = row.astype(kind(name))
                after = after.reshape(before.shape)
                changed = InOut(*((grouped(before, 16), grouped(after, 16)) if mode and mode.endswith("NZ") else (before, after)))
                changed.ulps = -float(np.abs(part).max() / 64)
                caches.append(changed)
        lay = nz if operator.endswith("Nz") else Tensor
        operands = [Tensor(x), lay(w_dq), lay(w_uq), Tensor(w_uk), lay(w_dkv), Tensor(of_query), Tensor(of_key), Tensor(sin), Tensor(cos)]
        place = NULL if index is None else Tensor(index.astype(np.int64))
        text, results = NULL if mode is None else Text(mode), [roughly(out), roughly(turned)]
        if not third:
            tail = [] if operator == "MlaProlog" else [NULL]
            call = [*operands, place, *caches, *[NULL] * 7, 1e-5, 1e-6, text, *results, *tail]
            cases.add(operator, *call)
            continue
        flags, alpha, late = ([], [NULL], []) if operator.endswith("Nz") else ([True], [], [1.0])
        middle = lambda numbers: [*[NULL] * 8, *alpha, 1e-5, 1e-6, text, *flags, *numbers, 0, 0, 0, 128, *late, *factors]
        norm = roughly(cq) if mode != "TND" else NULL
        call = lambda numbers: [*operands, *caches, place, *middle(numbers), *results, NULL, norm, NULL]
        cases.add(operator, *call((0, 0)))
    none = lambda *shape: np.zeros(shape, kind(name))
    # Most are refused whatever the shapes are.
    good = [none(2, 16), none(16, 16), none(16, 192), none(1, 128, 512), none(16, 576), none(1536), none(512), none(2, 64), none(2, 64)]
    whole = dict(at_0=none(2, 1024), at_1=none(1024, 1536), at_2=none(1536, 192), at_4=none(1024, 576))

    def wrong(code, product="Ascend910B", is_plain=False, mode="PA_BSND", scale=NULL, index=np.zeros(2, np.int64), modes=None, **other):
        operands = [other.get(f"at_{at}", x) for at, x in enumerate(good)]
        lay = lambda at, x: NULL if x is None else nz(x) if at in (1, 2, 4) and not is_plain else Tensor(x)
        operands = [lay(at, x) for at, x in enumerate(operands)]
        results, caches = [Out(none(2, 1, 512)), Out(none(2, 1, 64))], [Out(none(1, 16, 1, 512)), Out(none(1, 16, 1, 64))]
        scales, numbers = [scale, *[NULL] * 6], [1e-5, 1e-5, Text(mode)]
        if modes is None:
            cases.add("MlaPrologV2WeightNz", *operands, Tensor(index), *caches, *scales, *numbers, *results, NULL, code=code, product=product)
        else:
            cases.add("MlaPrologV3WeightNz", *operands, *caches, Tensor(index), *scales, NULL, NULL, *numbers, *modes, 0, 0, 128, 1.0, 1.0, *results, *[NULL] * 3, code=code, product=product)

    wrong(361001, product="Ascend950")
    wrong(-1, at_0=None)
    wrong(NULLPTR, at_1=None)
    wrong(INVALID, is_plain=True)
    wrong(INVALID, at_0=np.zeros((2, 1024), np.float16))
    wrong(INVALID, index=np.zeros(2, np.int32))
    wrong(TILING)
    wrong(TILING, **whole, mode="BSND")
    wrong(TILING, **whole, index=np.zeros(3, np.int64))
    wrong(LATER, scale=Tensor(np.ones(1, np.float32)))
    for modes in [(3, 0, 0), (0, 1, 0), (1, 1, 0), (0, 0, 2), (2, 1, 0)]:
        wrong(-1, modes=modes)
    wrong(TILING, modes=(0, 0, 0))

latent()
heads()
tokens_compressed()
dequantised()
scattered()
cases.write("caches")
