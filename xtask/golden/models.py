"""Cases of parts of models: softmax with masks, choices, packed signs, adapters and gradients; NumPy in f64.

References: NumPy.
Results are rounded once to their type, and may be off by the stated units or distances. Writes
cann-stubs/tests/data/models.cases. What is refused, and with which code, is retyped from CANN's documentation where it has some.

    python xtask/golden/models.py
"""

import numpy as np

from cases import NULL, Cases, DType, Formatted, InOut, Out, Scalar, Tensor, Text, kind

NULLPTR, INVALID, INNER_NULL, UNTILED = 161001, 161002, 561103, 561002
F3 = ["f32", "f16", "bf16"]
cases = Cases()


def data(name, *shape, seed=0, low=-3.0, high=3.0):
    random = np.random.default_rng(seed + sum(map(ord, name)) + sum(shape))
    return random.uniform(low, high, shape).astype(kind(name))


def wide(array):
    return np.asarray(array).astype(np.float64)


def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def near(name):
    """How far a sum of some terms may be off: little beside numbers near 1."""
    return {"f32": 2e-6, "f16": 2e-3, "bf16": 2e-2}[name]


def masked_softmax():
    for name in F3:
        x, y = data(name, 2, 3, 4, 7), data(name, 2, 3, 4, 7, seed=1, low=0, high=1)
        for heads in [(2, 3), (1, 3), (2, 1), (1, 1)]:
            mask = np.random.default_rng(3).uniform(size=(*heads, 4, 7)) < 0.4
            scaled = wide(x) * float(np.float32(0.7))
            if name == "f16":
                scaled = wide((wide(x) * wide(np.float16(0.7))).astype(np.float16))
            expected = softmax(np.where(np.broadcast_to(mask, x.shape), -10000.0, scaled))
            cases.add("ScaledMaskedSoftmax", Tensor(x), Tensor(mask), 0.7, False, Out(expected.astype(kind(name)), 16 if name == "f32" else 2))
            g = wide(x) * wide(y)
            expected = np.where(mask, 0, (g - wide(y) * g.sum(-1, keepdims=True)) * 0.7).astype(kind(name))
            cases.add("ScaledMaskedSoftmaxBackward", Tensor(x), Tensor(y), Tensor(mask), 0.7, False, Out(expected, within=near(name)))
    x, mask = data("f32", 1, 2, 3, 5), np.zeros((1, 1, 3, 5), np.bool_)
    y = softmax(wide(x)).astype(np.float32)
    hidden = np.ones((1, 1, 3, 5), np.bool_)
    cases.add("ScaledMaskedSoftmax", Tensor(x), Tensor(hidden), 1.0, False, Out(np.full_like(x, 0.2), 1))

    def forward(x=x, mask=mask, flag=False, y=y, code=INVALID):
        cases.add("ScaledMaskedSoftmax", *(NULL if a is None else Tensor(a) for a in (x, mask)), 1.0, flag, NULL if y is None else Out(y), code=code)

    def backward(g=x, y=y, mask=mask, flag=False, out=x, code=INVALID):
        given = [NULL if a is None else Tensor(a) for a in (g, y, mask)]
        cases.add("ScaledMaskedSoftmaxBackward", *given, 1.0, flag, NULL if out is None else Out(out), code=code)

    for missing in ["x", "mask", "y"]:
        forward(**{missing: None, "code": INNER_NULL})
    forward(x=wide(x), y=wide(y))
    forward(y=y.astype(np.float16))
    forward(mask=mask.astype(np.uint8))
    forward(mask=mask[0])
    forward(mask=mask[:, :, :1])
    forward(flag=True)
    forward(y=y[0])
    forward(y=y[:, :1], code=INNER_NULL)
    for missing in ["g", "y", "mask", "out"]:
        backward(**{missing: None, "code": NULLPTR})
    backward(g=wide(x))
    backward(mask=mask[:, :, :1])
    backward(y=y[0])
    backward(out=x[0])
    backward(flag=True)
    for name in F3:
        x, bias, mask = data(name, 2, 3, 2, 4, 5), data(name, 2, 4, 5, seed=1), data(name, 3, 4, 5, seed=2)
        plain = softmax(wide(x) * 0.5 + wide(bias))
        both = softmax(wide(x) * 0.5 + wide(bias) + wide(mask)[:, None])
        operator = "MaskedSoftmaxWithRelPosBias"
        cases.add(operator, Tensor(x), NULL, Tensor(bias), 0.5, 0, Out(plain.astype(kind(name)), 16 if name == "f32" else 2))
        cases.add(operator, Tensor(x), Tensor(mask), Tensor(bias), 0.5, 0, Out(both.astype(kind(name)), 16 if name == "f32" else 2))
        cases.add(operator, Tensor(x[0]), Tensor(mask[:, None]), Tensor(bias[None]), 0.5, 0, Out(both[0].astype(kind(name)), 16 if name == "f32" else 2))
    cases.add(operator, Tensor(x), Tensor(mask[:2]), Tensor(bias), 0.5, 0, Out(x), code=UNTILED)
    cases.add(operator, Tensor(x), NULL, Tensor(wide(bias).astype(np.float32)), 0.5, 0, Out(x), code=INVALID)
    cases.add(operator, Tensor(x), NULL, NULL, 0.5, 0, Out(x), code=NULLPTR)


def choices():
    def chosen(x, p, k):
        made = x.copy()
        for row in range(len(x)):
            order = np.argsort(wide(x[row]), kind="stable")
            if k is not None and 0 < k[row] < x.shape[1]:
                made[row][wide(x[row]) < wide(x[row])[order[-k[row]]]] = -np.inf
            if p is not None and np.isfinite(wide(x[row])[order[-1]]):
                below = np.cumsum(softmax(wide(made[row])[order]))
                made[row][order[:-1][below[:-1] <= 1 - wide(p[row])]] = -np.inf
        return made

    for name in F3:
        x = data(name, 5, 9)
        x[1, 3:6] = x[1, 2]
        x[4, 2] = np.inf
        # Not on a border that a rounding moves.
        p, k = np.array([0.913, 0.537, 0.0, 1.0, 0.5]).astype(kind(name)), np.array([3, 5, 9, 0, 2], np.int32)
        for with_p, with_k in [(p, k), (p, None), (None, k)]:
            given = [NULL if a is None else Tensor(a) for a in (with_p, with_k)]
            cases.add("ApplyTopKTopP", Tensor(x), *given, Out(chosen(x, with_p, with_k)))
        cases.add("ApplyTopKTopP", Tensor(x[:, :1]), NULL, NULL, Out(x[:, :1]))
    many = data("f32", 1, 999)
    cases.add("ApplyTopKTopP", Tensor(many), Tensor(np.zeros(1, np.float32)), NULL, Out(np.where(many == many.max(), many, np.float32(-np.inf))))
    cases.add("ApplyTopKTopP", Tensor(x), Tensor(p[:4]), Tensor(k), Out(x), code=INVALID)
    cases.add("ApplyTopKTopP", Tensor(x), Tensor(p), Tensor(k.astype(np.int64)), Out(x), code=INVALID)
    cases.add("ApplyTopKTopP", Tensor(x[0]), Tensor(p), Tensor(k), Out(x[0]), code=INVALID)
    for wrong in [
        (Formatted("FRACTAL_NZ", Tensor(x)), Tensor(p), Tensor(k), Out(x)), (Tensor(x), Formatted("NCHW", Tensor(p)), Tensor(k), Out(x)),
        (Tensor(x), Tensor(p), Formatted("NHWC", Tensor(k)), Out(x)), (Tensor(x), Tensor(p), Tensor(k), Formatted("NCL", Out(x))),
    ]:
        cases.add("ApplyTopKTopP", *wrong, code=INVALID)
    cases.add("ApplyTopKTopP", NULL, Tensor(p), Tensor(k), Out(x), code=NULLPTR)


def segments():
    for name in F3:
        for shape in [(5,), (2, 3, 6), (2, 1)]:
            x = data(name, *shape, low=-1, high=0.5)
            t = shape[-1]
            sums = np.cumsum(wide(x), -1)
            y = np.where(np.tril(np.ones((t, t), bool)), np.exp(sums[..., :, None] - sums[..., None, :]), 0)
            cases.add("ExpSegsum", Tensor(x), Out(y.astype(kind(name)), 4))
            g, y = data(name, *shape, t, seed=1), y.astype(kind(name))
            p = wide(g) * wide(y)
            made = np.stack([p[..., k:, :k].sum((-1, -2)) for k in range(t)], -1).astype(kind(name))
            cases.add("ExpSegsumBackward", Tensor(g), Tensor(y), Out(made, within=4 * near(name)))
    cases.add("ExpSegsum", Tensor(x), Out(x), code=INVALID)
    cases.add("ExpSegsum", Tensor(x), NULL, code=NULLPTR)
    cases.add("ExpSegsumBackward", Tensor(x), Tensor(x), Out(x), code=INVALID)
    for name in F3:
        cost = data(name, 6, 4, low=-1, high=1)
        for tolerance in (1e-4, 1e-6):
            c, columns = np.exp(wide(cost)), np.ones(4)
            while True:
                rows = 1 / (6 * ((columns * c).sum(1) + 1e-8))
                before, columns = columns, 1 / (4 * ((rows[:, None] * c).sum(0) + 1e-8))
                if np.abs(before - columns).mean() <= tolerance:
                    break
            made = (columns * c * rows[:, None]).astype(kind(name))
            cases.add("Sinkhorn", Tensor(cost), Scalar(tolerance, "f32"), Out(made, 8))
        if name == "f32":
            cases.add("Sinkhorn", Tensor(cost), NULL, Out(made, within=2e-5))
    cases.add("Sinkhorn", Tensor(cost[0]), NULL, Out(cost[0]), code=INVALID)
    cases.add("Sinkhorn", NULL, NULL, Out(cost), code=NULLPTR)


def packing():
    for name in ["f32", "f16"]:
        x = np.array([5, 4, 3, 2, 0, -1, -2, 4, 3, 2, 1, 0, -1, -2], kind(name))
        packed = np.packbits(x >= 0, bitorder="little")
        for size in (1, 2):
            cases.add("SignBitsPack", Tensor(x), size, Out(packed.reshape(size, -1)))
            signs = np.where(np.unpackbits(packed, bitorder="little") > 0, 1, -1).astype(kind(name))
            cases.add("SignBitsUnpack", Tensor(packed), size, DType(name), Out(signs.reshape(size, -1)))
        cases.add("SignBitsPack", Tensor(x), 3, Out(packed.reshape(1, -1)), code=INVALID)
        cases.add("SignBitsPack", Tensor(x), 2, Out(packed.reshape(1, -1)), code=INVALID)
        cases.add("SignBitsUnpack", Tensor(packed), 2, DType("i32"), Out(signs.reshape(2, -1)), code=INVALID)
        cases.add("SignBitsUnpack", NULL, 2, DType(name), Out(signs.reshape(2, -1)), code=NULLPTR)
    x = np.array([[0, 1, 2], [3, -1, -4]], np.int32)
    made = np.array(["NCHW".index("NHWC"[axis]) for axis in x.ravel()], np.int32).reshape(2, 3)
    cases.add("DataFormatDimMap", Tensor(x), Text("NHWC"), Text("NCHW"), Out(made))
    cases.add("DataFormatDimMap", Tensor(x), Text("NHWC"), Text("NCDHW"), Out(made), code=INVALID)
    cases.add("DataFormatDimMap", Tensor(x.astype(np.float32)), Text("NHWC"), Text("NCHW"), Out(made), code=INVALID)
    permute, lengths = np.array([2, 0, 1], np.int32), np.array([2, 0, 4])
    starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)
    ends = np.concatenate([[0], np.cumsum(lengths[permute])]).astype(np.int32)
    made = np.concatenate([np.arange(starts[p], starts[p + 1]) for p in permute]).astype(np.int32)
    given = [Tensor(permute), Tensor(starts), Tensor(ends)]
    cases.add("ExpandIntoJaggedPermute", *given, 6, Out(made))
    cases.add("ExpandIntoJaggedPermute", *given, 5, Out(made), code=UNTILED)
    cases.add("ExpandIntoJaggedPermute", *given[:2], Tensor(ends[:3]), 6, Out(made), code=UNTILED)
    cases.add("ExpandIntoJaggedPermute", NULL, *given[1:], 6, Out(made), code=NULLPTR)


def adapters():
    y, x = data("f16", 4, 10), data("f16", 4, 6, seed=1)
    a, b = data("f16", 3, 2, 5, 6, seed=2, low=-1, high=1), data("f16", 3, 2, 4, 5, seed=3, low=-1, high=1)
    for index_type in (np.int32, np.int64):
        indices = np.array([2, 0, -1, 1], index_type)
        made = wide(y)
        short = wide(y)
        for row, adapter in enumerate(indices):
            if adapter >= 0:
                rank = np.float32(wide(a[adapter, 1]) @ wide(x[row]))
                made[row, 3:7] += 0.5 * wide(b[adapter, 1]) @ wide(rank)
                short[row, 3:7] += 0.5 * wide(b[adapter, 0]) @ wide(x[row, :5])
        given = [Tensor(y), Tensor(x), Tensor(b), Tensor(indices)]
        cases.add("AddLora", *given, Tensor(a), 1, 0.5, 3, 4, Out(made.astype(np.float16), 1))
        cases.add("AddLora", Tensor(y), Tensor(x[:, :5].copy()), *given[2:], NULL, 0, 0.5, 3, 4, Out(short.astype(np.float16), 1))
    # There are no such adapters.
    cases.add("AddLora", *given[:3], Tensor(indices + 2**32), Tensor(a), 1, 0.5, 3, 4, Out(y))
    cases.add("AddLora", Tensor(y), Tensor(x[:, :0].copy()), *given[2:], Tensor(a[..., :0].copy()), 1, 0.5, 3, 4, Out(y))
    cases.add("AddLora", Tensor(y), Tensor(x), Tensor(b[:, :, :0].copy()), given[3], Tensor(a), 1, 0.5, 3, 0, Out(y))
    cases.add("AddLora", *given, Tensor(a), 2, 0.5, 3, 4, Out(y), code=UNTILED)
    cases.add("AddLora", *given, Tensor(a), 1, 0.5, 7, 4, Out(y), code=UNTILED)
    cases.add("AddLora", *given, NULL, 1, 0.5, 3, 4, Out(y), code=UNTILED)
    cases.add("AddLora", *given[:3], Tensor(indices.astype(np.float32)), Tensor(a), 1, 0.5, 3, 4, Out(y), code=INVALID)
    cases.add("AddLora", NULL, *given[1:], Tensor(a), 1, 0.5, 3, 4, Out(y), code=NULLPTR)
    for name in F3:
        qkv, bias = data(name, 2, 3, 24), data(name, 24, seed=1)
        parts = (wide(qkv) + wide(bias)).reshape(2, 3, 3, 2, 4).transpose(2, 0, 3, 1, 4)
        outs = [(part / divisor).astype(kind(name)) for part, divisor in zip(parts, (2.0, 1.0, 1.0))]
        cases.add("TransformBiasRescaleQkv", Tensor(qkv), Tensor(bias), 2, *[Out(out) for out in outs])
    cases.add("TransformBiasRescaleQkv", Tensor(qkv), Tensor(bias), 3, *[Out(out) for out in outs], code=UNTILED)
    cases.add("TransformBiasRescaleQkv", Tensor(qkv), Tensor(bias[:9]), 2, *[Out(out) for out in outs], code=UNTILED)
    cases.add("TransformBiasRescaleQkv", Tensor(qkv), NULL, 2, *[Out(out) for out in outs], code=NULLPTR)


def gradients():
    for name in F3:
        g = data(name, 7, 5)
        ends = [2, 2, 7]
        sums = np.stack([wide(g)[start:end].sum(0) for start, end in zip([0, *ends], ends)]).astype(kind(name))
        for integers in (np.int32, np.int64):
            cases.add("GroupedBiasAddGrad", Tensor(g), Tensor(np.array(ends, integers)), Out(sums, within=8 * near(name)))
            cases.add("GroupedBiasAddGradV2", Tensor(g), Tensor(np.array(ends, integers)), 0, Out(sums, within=8 * near(name)))
            sizes = np.diff([0, *ends]).astype(integers)
            cases.add("GroupedBiasAddGradV2", Tensor(g), Tensor(sizes), 1, Out(sums, within=8 * near(name)))
        g = data(name, 2, 3, 5)
        cases.add("GroupedBiasAddGrad", Tensor(g), NULL, Out(wide(g).sum(1).astype(kind(name)), within=8 * near(name)))
        repeats = np.array([2, 0, 3], np.int64)
        g = data(name, 2, 5, 3)
        made = np.stack([wide(g)[:, 0:2].sum(1), np.zeros((2, 3)), wide(g)[:, 2:5].sum(1)], 1).astype(kind(name))
        for axis in (1, -2):
            cases.add("RepeatInterleaveGrad", Tensor(g), Tensor(repeats.astype(np.int32) if axis > 0 else repeats), axis, Out(made, 1))
        g = data(name, 6, 2)
        made = wide(g).reshape(3, 2, 2).sum(1).astype(kind(name))
        cases.add("RepeatInterleaveGrad", Tensor(g), Tensor(np.array([9], np.int64)), 0, Out(made, 1))
    cases.add("GroupedBiasAddGrad", Tensor(g), NULL, Out(g), code=UNTILED)
    cases.add("GroupedBiasAddGradV2", Tensor(g), Tensor(repeats), 2, Out(g[:3]), code=UNTILED)
    cases.add("GroupedBiasAddGrad", Tensor(g), Tensor(g), Out(g), code=INVALID)
    cases.add("RepeatInterleaveGrad", Tensor(g), Tensor(repeats), 2, Out(made), code=UNTILED)
    cases.add("RepeatInterleaveGrad", Tensor(g), Tensor(repeats[:1]), 0, Out(g[:4]), code=UNTILED)
    cases.add("RepeatInterleaveGrad", Tensor(g), NULL, 0, Out(made), code=NULLPTR)
    for name in ["f32", "f16"]:
        g, weight = data(name, 2, 3, 4), data(name, 2, 4, 3, seed=1, low=0, high=1)
        places = np.random.default_rng(5).integers(0, 6, (2, 4, 3)).astype(np.int32)
        made = np.zeros((2, 3, 6))
        for b in range(2):
            for point in range(4):
                for which in range(3):
                    made[b, :, places[b, point, which]] += wide(g[b, :, point]) * wide(weight[b, point, which])
        cases.add("ThreeInterpolateBackward", Tensor(g), Tensor(places), Tensor(weight), 6, Out(made.astype(kind(name)), within=8 * near(name)))
    cases.add("ThreeInterpolateBackward", Tensor(g), Tensor(places), Tensor(weight), 5, Out(made.astype(kind(name))), code=INVALID)
    cases.add("ThreeInterpolateBackward", Tensor(g), Tensor(places[:1]), Tensor(weight), 6, Out(made.astype(kind(name))), code=INVALID)


def channels():
    for name in F3:
        x = data(name, 2, 3, 4, 5)
        for axis, shape in [(1, (3,)), (-3, (3, 4)), (0, (2,)), (3, (5,))]:
            s, b = data(name, *shape, seed=1), data(name, *shape, seed=2)
            behind = (1,) * (4 - axis % 4 - len(shape))
            made = wide(x) * wide(s).reshape(*shape, *behind)
            cases.add("Scale", Tensor(x), Tensor(s), NULL, axis, len(shape), True, Out(made.astype(kind(name)), 1))
            made = made + wide(b).reshape(*shape, *behind)
            cases.add("Scale", Tensor(x), Tensor(s), Tensor(b), axis, 9, False, Out(made.astype(kind(name)), 1))
        sums, squares = data(name, 3, 4), data(name, 3, 4, seed=1, low=20, high=30)
        samples = np.array([4, 2, 3]).astype(kind(name))
        mean, variance = data(name, 4, seed=2), data(name, 4, seed=3, low=0.5, high=2)
        average = wide(sums).sum(0) / 9
        spread = wide(squares).sum(0) / 9 - average**2
        moved = lambda old, new: (0.75 * wide(old) + 0.25 * new).astype(kind(name))
        cases.add(
            "SyncBatchNormGatherStats", Tensor(sums), Tensor(squares), Tensor(samples),
            InOut(mean, moved(mean, average), 2), InOut(variance, moved(variance, spread * 9 / 8), 2), 0.25, 0.125,
            Out(average.astype(kind(name)), 2), Out((1 / np.sqrt(spread + 0.125)).astype(kind(name)), 2),
        )
    outs = [Out(average.astype(kind(name))), Out(average.astype(kind(name)))]
    inouts = [InOut(mean, mean), InOut(variance, variance)]
    cases.add("SyncBatchNormGatherStats", Tensor(sums), Tensor(squares), Tensor(samples[:2]), *inouts, 0.25, 0.125, *outs, code=INVALID)
    cases.add("SyncBatchNormGatherStats", Tensor(sums), NULL, Tensor(samples), *inouts, 0.25, 0.125, *outs, code=NULLPTR)
    cases.add("Scale", Tensor(x), Tensor(s), NULL, 4, 1, True, Out(x), code=INVALID)
    cases.add("Scale", Tensor(x), Tensor(s[:4]), NULL, 3, 1, True, Out(x), code=INVALID)
    cases.add("Scale", Tensor(x), NULL, NULL, 3, 1, True, Out(x), code=NULLPTR)


def finalize_gradients():
    """The gradient of the sum of rows of experts, from its definition."""
    for name in F3:
        for mode, rows, k, active, shape, gone in [(0, 3, 2, 0, (6,), []), (2, 4, 3, 7, (7,), []), (1, 3, 2, 0, (2, 4), [1, 4]), (3, 2, 2, 0, (3, 1), [2])]:
            size, count = 5, int(np.prod(shape))
            grad, expanded = data(name, rows, size), data(name, *shape, size, seed=1)
            scales, bias = data(name, rows, k, seed=2), data(name, 4, size, seed=3)
            random = np.random.default_rng(mode)
            places = random.permutation(max(count, rows * k))[: rows * k].astype(np.int32)
            places[gone] = -1
            experts = random.integers(0, 4, (rows, k)).astype(np.int32)
            for with_scales, with_bias in [(True, True), (True, False), (False, False)]:
                if not with_scales:
                    if mode != 0:
                        continue
                    k_now, places_now = 1, places[:rows] % rows
                    places_now = random.permutation(rows).astype(np.int32)
                    shape_now = (rows,)
                else:
                    k_now, places_now, shape_now = k, places, shape
                dx = np.zeros((int(np.prod(shape_now)), size))
                ds = np.zeros((rows, k_now))
                for row in range(rows):
                    for choice in range(k_now):
                        place = places_now[choice * rows + row if mode < 2 else row * k_now + choice]
                        is_there = 0 <= place < len(dx)
                        if is_there:
                            dx[place] += wide(grad)[row] * (wide(scales)[row, choice] if with_scales else 1)
                        value = wide(expanded).reshape(-1, size)[place] if is_there else np.zeros(size)
                        ds[row, choice] = (wide(grad)[row] * (value + (wide(bias)[experts[row, choice]] if with_bias else 0))).sum()
                optional = lambda x, is_given: Tensor(x) if is_given else NULL
                outs = [Out(dx.reshape(*shape_now, size).astype(kind(name)), 1), Out(ds.astype(kind(name)), within=near(name) * 16) if with_scales else NULL]
                cases.add(
                    "MoeFinalizeRoutingV2Grad", Tensor(grad), Tensor(places_now), optional(expanded, with_scales), optional(scales, with_scales), optional(experts, with_bias), optional(bias, with_bias),
                    mode, active, *(shape if mode % 2 else (0, 0)), *outs,
                )
    f = np.float32
    good = dict(grad=np.ones((3, 4), f), places=np.arange(6, dtype=np.int32), expanded=np.ones((6, 4), f), scales=np.ones((3, 2), f), experts=None, bias=None, mode=0, out=np.ones((6, 4), f), ds=np.ones((3, 2), f))

    def wrong(code, **other):
        now = good | other
        operand = lambda key: NULL if now[key] is None else Tensor(now[key])
        out = lambda key: NULL if now[key] is None else Out(now[key])
        cases.add("MoeFinalizeRoutingV2Grad", *map(operand, ["grad", "places", "expanded", "scales", "experts", "bias"]), now["mode"], 0, 0, 0, out("out"), out("ds"), code=code)

    nothing, empty = np.zeros((0, 4), f), np.zeros(0, np.int32)
    cases.add(
        "MoeFinalizeRoutingV2Grad", Tensor(np.zeros((3, 0), f)), Tensor(good["places"]), Tensor(np.zeros((6, 0), f)), Tensor(good["scales"]), NULL, NULL, 0, 0, 0, 0, Out(np.zeros((6, 0), f)), Out(np.zeros((3, 2), f))
    )
    cases.add("MoeFinalizeRoutingV2Grad", Tensor(nothing), Tensor(empty), NULL, NULL, NULL, NULL, 1, 0, 2, 3, Out(np.zeros((2, 3, 4), f)), NULL)
    scales = np.ones((3, 2), f)
    cases.add("MoeFinalizeRoutingV2Grad", Tensor(good["grad"]), Tensor(good["places"]), Tensor(np.zeros((2, 0, 4), f)), Tensor(scales), NULL, NULL, 3, 0, 2, 0, Out(np.zeros((2, 0, 4), f)), Out(np.zeros((3, 2), f)))
    for missing in ["grad", "places", "out", "ds"]:
        wrong(NULLPTR, **{missing: None})
    wrong(INVALID, grad=np.ones((3, 4)))
    wrong(INVALID, out=np.ones((6, 4), np.float16))
    wrong(INVALID, ds=np.ones((3, 2), np.float16))
    wrong(INVALID, places=np.arange(6))
    wrong(UNTILED, places=np.arange(5, dtype=np.int32))
    wrong(UNTILED, expanded=None)
    wrong(UNTILED, bias=np.ones((2, 4), f))
    wrong(UNTILED, out=np.ones((5, 4), f))
    wrong(UNTILED, mode=4)
    wrong(UNTILED, mode=1)


masked_softmax()
choices()
segments()
packing()
adapters()
gradients()
channels()
finalize_gradients()
cases.write("models")
