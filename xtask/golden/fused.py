"""Cases of products of matrices with what comes before and after them: quantised factors, groups, biases, activations.

References: NumPy, PyTorch.

Most elements have few digits, so that sums are exact in every order and the results are the only ones; what is scaled by
numbers with long fractions is computed in f64 and rounded to f32 and then to the output, and may differ by the units of the
last place that the case says: two where f32 is summed in another order. Writes cann-stubs/tests/data/fused.cases. Formulas and
shapes are retyped here from CANN's public description.

    python xtask/golden/fused.py
"""

import ml_dtypes
import numpy as np
import torch

from cases import NULL, Cases, Formatted, Ints, Out, Tensor, Tensors, Text, kind

np.seterr(all="ignore")
INVALID, NULLPTR, RUNTIME, INNER, MISSING = 161002, 161001, 361001, 561103, 561003
UNTOUCHED = 0xA5

F = ["f32", "f16", "bf16"]
cases = Cases()


def data(name, shape, seed=1, low=-8, high=8):
    """Numbers with few digits."""
    random = np.random.default_rng(seed + sum(map(ord, name)) + 7 * sum(shape))
    x = random.integers(low, high, size=shape, endpoint=True)
    return (x / 4 if name in F else x).astype(kind(name))


def reals(name, shape, seed=1, low=-1.0, high=1.0):
    return np.random.default_rng(seed).uniform(low, high, size=shape).astype(kind(name))


def rounded(x, name):
    """From f64 to a type: integers to the nearest, floats by way of f32."""
    if name in ("i8", "i32"):
        limits = np.iinfo(kind(name))
        return np.clip(np.rint(x), limits.min, limits.max).astype(kind(name))
    return np.asarray(x).astype(np.float32).astype(kind(name))


def wide(x):
    return np.asarray(x).astype(np.float64)


def low_words(scale):
    """f32 in the lower halves of u64, as the operators that prepare scales give it; the upper halves hold something else."""
    return (np.asarray(scale, np.float32).view(np.uint32).astype(np.uint64)) | np.uint64(3 << 40)


def packed(weight):
    """Eight integers of four bits in each i32, the first in the lowest bits."""
    codes = (weight.reshape(*weight.shape[:-1], -1, 8).astype(np.int64) & 15).astype(np.uint32)
    return (codes << (4 * np.arange(8, dtype=np.uint32))).sum(-1, dtype=np.uint32).view(np.int32)


def gelu(x, approximate):
    return torch.nn.functional.gelu(torch.from_numpy(x), approximate=approximate).numpy()


def fused():
    shapes = [((3, 4), (4, 5)), ((2, 3, 4), (2, 4, 5)), ((2, 1, 3, 4), (1, 3, 4, 2))]
    for name in F:
        for left, right in shapes:
            x1, x2 = data(name, left), data(name, right, seed=2)
            product = wide(x1) @ wide(x2)
            for bias in [None, *{name, "f32"}]:
                added = data(bias, product.shape[-1:], seed=3) if bias else None
                total = product + (0 if added is None else wide(added))
                given = NULL if added is None else Tensor(added)
                cases.add("FusedMatmul", Tensor(x1), Tensor(x2), given, NULL, Text(""), 0, Out(rounded(total, name)))
                cases.add("FusedMatmul", Tensor(x1), Tensor(x2), given, NULL, Text("relu"), 0, Out(rounded(np.maximum(total, 0), name)))
                if len(left) <= 3:
                    x3 = data(name, product.shape, seed=4)
                    cases.add("FusedMatmul", Tensor(x1), Tensor(x2), given, Tensor(x3), Text("add"), 0, Out(rounded(total + wide(x3), name)))
                    cases.add("FusedMatmul", Tensor(x1), Tensor(x2), given, Tensor(x3), Text("mul"), 0, Out(rounded(total * wide(x3), name)))
                    if name != "f32":
                        cases.add("FusedMatmul", Tensor(x1), Tensor(x2), given, NULL, Text("16cast32"), 0, Out(rounded(total, "f32")))
            if len(left) == 2 and name != "f32":
                for approximate, operation in [("none", "gelu_erf"), ("tanh", "gelu_tanh")]:
                    cases.add("FusedMatmul", Tensor(x1), Tensor(x2), NULL, NULL, Text(operation), 0, Out(rounded(gelu(product, approximate), name), ulps=1))
    x, y, out = data("f32", (3, 4)), data("f32", (4, 5)), np.zeros((3, 5), np.float32)
    half = [Tensor(x.astype(np.float16)), Tensor(y.astype(np.float16))]
    # Two bytes of each fraction are lost where f32 is multiplied in f16.
    fine, thin = reals("f32", (3, 4)), reals("f32", (4, 5), seed=2)
    cases.add("FusedMatmul", Tensor(fine), Tensor(thin), NULL, NULL, Text(""), 2, Out(rounded(wide(fine.astype(np.float16)) @ wide(thin.astype(np.float16)), "f32"), ulps=8))
    bad = np.full((3, 4), np.nan, np.float32)
    cases.add("FusedMatmul", Tensor(bad), Tensor(y), NULL, NULL, Text("relu"), 0, Out(np.full((3, 5), np.nan, np.float32)))
    cases.add("FusedMatmul", NULL, Tensor(y), NULL, NULL, Text("tanh"), 0, Out(out), code=INVALID)
    cases.add("FusedMatmul", NULL, Tensor(y), NULL, NULL, Text(""), 0, Out(out), code=NULLPTR)
    cases.add("FusedMatmul", Tensor(x), Tensor(y), NULL, NULL, Text("add"), 0, Out(out), code=NULLPTR)
    cases.add("FusedMatmul", *half, Tensor(y[0].astype(np.float16)), NULL, Text("gelu_erf"), 0, Out(out.astype(np.float16)), code=NULLPTR)
    cases.add("FusedMatmul", Tensor(x), Tensor(y), NULL, NULL, Text("gelu_tanh"), 0, Out(out), code=INVALID)
    cases.add("FusedMatmul", *half, NULL, NULL, Text("16cast32"), 0, Out(out.astype(np.float16)), code=INVALID)
    cases.add("FusedMatmul", *half, NULL, NULL, Text(""), 0, Out(out), code=INVALID)
    cases.add("FusedMatmul", Tensor(x), half[1], NULL, NULL, Text(""), 0, Out(out), code=INVALID)
    cases.add("FusedMatmul", Tensor(x), Tensor(y), NULL, NULL, Text(""), 7, Out(out), code=INVALID)
    cases.add("FusedMatmul", Tensor(x), Tensor(y[None]), NULL, NULL, Text(""), 0, Out(out), code=INVALID)
    cases.add("FusedMatmul", Tensor(x), Tensor(y[:3]), NULL, NULL, Text(""), 0, Out(out), code=INVALID)
    cases.add("FusedMatmul", Tensor(x), Tensor(y), NULL, NULL, Text(""), 0, Out(out[:2]), code=INVALID)


def weights(operator, *more):
    for name in ["f16", "bf16"]:
        bias_type = "f16" if name == "f16" else "f32"
        for k, group in [(32, 0), (48, 32), (128, 32), (128, 64)]:
            m, n = 3, 8
            x = data(name, (m, k))
            for bits in [8, 4]:
                weight = data("i8", (k, n), seed=k, low=-(2 ** (bits - 1)), high=2 ** (bits - 1) - 1)
                held = weight if bits == 8 else packed(weight)
                shapes = [(-(-k // group), n)] if group else [(1,), (1, 1), (n,), (1, n)]
                for number, shape in enumerate(shapes):
                    scale = (2.0 ** -data("i32", shape, seed=3, low=0, high=3)).astype(kind(name))
                    offset = data(name, shape, seed=4).round() if number % 2 == 0 else None
                    spread = lambda a: np.repeat(wide(a), group, 0)[:k] if group else wide(a)
                    floats = (wide(weight) + (0 if offset is None else spread(offset))) * spread(scale)
                    bias = data(bias_type, (n,), seed=5) if number % 2 else None
                    result = wide(x) @ floats + (0 if bias is None else wide(bias))
                    arguments = [Tensor(x), Tensor(held), Tensor(scale), NULL if offset is None else Tensor(offset)]
                    given = NULL if bias is None else Tensor(bias)
                    cases.add(operator, *arguments, NULL, NULL, given, group, *more, Out(rounded(result, name)))
                    quant = np.full((n,), 0.125, np.float32)
                    cases.add(operator, *arguments, Tensor(low_words(quant)), NULL, given, group, *more, Out(rounded(result * 0.125, "i8")))
                    cases.add(operator, *arguments, Tensor(low_words(quant[:1])), Tensor(quant[:1] * 24), given, group, *more, Out(rounded(result * 0.125 + 3, "i8")))
    # Scales with long fractions.
    x, weight, scale = reals("f16", (5, 64)), data("i8", (64, 24), low=-128, high=127), reals("f16", (2, 24), low=0.001, high=0.02)
    result = wide(x) @ (wide(weight) * np.repeat(wide(scale), 32, 0))
    cases.add(operator, Tensor(x), Tensor(weight), Tensor(scale), NULL, NULL, NULL, NULL, 32, *more, Out(rounded(result, "f16"), ulps=2))
    words = low_words(scale[:1].astype(np.float32))
    result = wide(x) @ (wide(weight) * wide(scale[:1]))
    cases.add(operator, Tensor(x), Tensor(weight), Tensor(words), NULL, NULL, NULL, NULL, 0, *more, Out(rounded(result, "f16"), ulps=2))

    def refused(code=INVALID, product="Ascend910B", **changed):
        given = {"x": x, "weight": weight, "scale": scale[:1], "offset": None, "quant": None, "quant_offset": None, "bias": None, "group": 0, "out": np.zeros((5, 24), np.float16)} | changed
        tensors = [NULL if given[key] is None else Tensor(given[key]) for key in ["x", "weight", "scale", "offset", "quant", "quant_offset", "bias"]]
        cases.add(operator, *tensors, given["group"], *more, Out(given["out"]), code=code, product=product)

    for missing in ["x", "weight", "scale"]:
        refused(NULLPTR, **{missing: None})
    refused(RUNTIME, "Ascend910")
    refused(x=x.astype(np.float32))
    refused(weight=weight.astype(np.int16))
    refused(scale=scale[:1].astype(np.float32))
    refused(scale=scale)
    refused(group=32)
    refused(group=16, scale=np.repeat(scale, 2, 0))
    refused(group=64)
    refused(group=-1)
    refused(offset=scale)
    refused(offset=scale[:1].astype(np.float32))
    refused(bias=np.zeros(24, np.float32))
    refused(bias=np.zeros(23, np.float16))
    refused(out=np.zeros((5, 24), np.float32))
    refused(out=np.zeros((5, 24), np.int8))
    refused(out=np.zeros((4, 24), np.float16))
    refused(quant=low_words(np.ones(24, np.float32)))
    refused(quant_offset=np.ones(24, np.float32))
    refused(x=x[:0].copy(), out=np.zeros((0, 24), np.float16))
    refused(x=x[:, :60].copy())
    refused(x=x[None], out=np.zeros((1, 5, 24), np.float16))
    refused(weight=np.zeros((64, 65536), np.int8), scale=scale[:1, :1].copy(), out=np.zeros((5, 65536), np.float16))
    refused(product="Ascend310P", x=x.astype(ml_dtypes.bfloat16), out=np.zeros((5, 24), ml_dtypes.bfloat16))
    refused(product="Ascend310P", weight=packed(np.clip(weight, -8, 7)))
    refused(product="Ascend950", quant=low_words(np.ones(24, np.float32)), out=np.zeros((5, 24), np.int8))
    batch = np.stack([x, -x])
    result = wide(batch) @ (wide(weight) * wide(scale[:1]))
    cases.add(operator, Tensor(batch), Tensor(weight[None]), Tensor(scale[:1]), NULL, NULL, NULL, NULL, 0, *more, Out(rounded(result, "f16"), ulps=2), product="Ascend310P")


def quantised():
    m, k, n = 4, 70, 6
    for batch in [(), (2,)]:
        x1, x2 = data("i8", (*batch, m, k), low=-128, high=127), data("i8", (*batch, k, n), seed=2, low=-128, high=127)
        sums = x1.astype(np.int64) @ x2.astype(np.int64)
        whole = data("i32", (n,), seed=3, low=-50000, high=50000)
        tokens = reals("f32", (m,), seed=4, low=0.5, high=2.0)
        for out in ["f16", "bf16", "i8", "i32"]:
            for name, count in [("f32", n), ("f32", 1), ("bf16", n), ("u64", n), ("i64", 1)]:
                scale = reals("bf16" if name == "bf16" else "f32", (count,), seed=5, low=0.0001, high=0.002 if out == "i8" else 0.01)
                if out == "i32":
                    scale = np.ones_like(scale)
                held = low_words(scale).view(np.uint64 if name == "u64" else np.int64) if name in ("u64", "i64") else scale
                for bias in [None, whole]:
                    total = wide(sums) + (0 if bias is None else wide(bias))
                    given = NULL if bias is None else Tensor(bias)
                    for turned in [(False, False), (True, False), (False, True), (True, True)] if bias is None else [(False, False)]:
                        first = np.swapaxes(x1, -1, -2) if turned[0] else x1
                        second = np.swapaxes(x2, -1, -2) if turned[1] else x2
                        result = Out(rounded(total * wide(scale), out))
                        cases.add("QuantMatmulV3", Tensor(first), Tensor(second), Tensor(held), NULL, given, *turned, result)
                        five(Tensor(first), Tensor(second), NULL, Tensor(held), NULL, NULL, NULL, NULL, given, *turned, 0, result)
                    if out in ("f16", "bf16"):
                        result = Out(rounded(total * wide(scale) * wide(tokens)[:, None], out))
                        cases.add("QuantMatmulV4", Tensor(x1), Tensor(x2), Tensor(held), NULL, Tensor(tokens), given, False, False, result)
                        five(Tensor(x1), Tensor(x2), Tensor(tokens), Tensor(held), NULL, NULL, NULL, NULL, given, False, False, 0, result)
        scale, offset = np.full(n, 2.0**-12, np.float32), data("f32", (n,), seed=8)
        result = Out(rounded(wide(sums) * wide(scale) + wide(offset), "i8"))
        cases.add("QuantMatmulV3", Tensor(x1), Tensor(x2), Tensor(scale), Tensor(offset), NULL, False, False, result)
        five(Tensor(x1), Tensor(x2), NULL, Tensor(scale), NULL, NULL, NULL, Tensor(offset), NULL, False, False, 0, result)
        for name in ["f32", "bf16", "f16"]:
            bias = data(name, (n,), seed=9)
            result = Out(rounded(wide(sums) * wide(scale) * wide(tokens)[:, None] + wide(bias), "bf16"))
            cases.add("QuantMatmulV4", Tensor(x1), Tensor(x2), Tensor(scale), NULL, Tensor(tokens), Tensor(bias), False, False, result)
    # Sums that f32 does not hold, and results beyond i8.
    x1, x2 = np.full((1, 3000), 127, np.int8), np.full((3000, 2), 127, np.int8)
    x1[0, 0] = 126
    one = np.ones(1, np.float32)
    cases.add("QuantMatmulV3", Tensor(x1), Tensor(x2), Tensor(one), NULL, NULL, False, False, Out(np.full((1, 2), 3000 * 127 * 127 - 127, np.int32)))
    cases.add("QuantMatmulV3", Tensor(x1), Tensor(-x2), Tensor(one), NULL, NULL, False, False, Out(np.full((1, 2), -128, np.int8)))

    x1, x2, out = x1[:, :8].copy(), x2[:8], np.zeros((1, 2), np.float16)

    def refused(code=INVALID, product="Ascend910B", **changed):
        given = {"x1": x1, "x2": x2, "scale": one, "offset": None, "tokens": None, "bias": None, "out": out} | changed
        tensors = [NULL if given[key] is None else Tensor(given[key]) for key in ["x1", "x2", "scale", "offset", "tokens", "bias"]]
        cases.add("QuantMatmulV4", *tensors, False, False, Out(given["out"]), code=code, product=product)

    for missing in ["x1", "x2", "scale"]:
        refused(NULLPTR, **{missing: None})
    refused(RUNTIME, "Ascend910")
    refused(x1=x1.astype(np.int16))
    refused(x2=x2.astype(np.uint8))
    refused(scale=one.astype(np.float16))
    refused(scale=np.ones(3, np.float32))
    refused(offset=one)
    refused(offset=one, tokens=one, out=out.astype(np.int8))
    refused(bias=np.zeros(2, np.float16))
    refused(bias=np.zeros(2, np.int64))
    refused(tokens=np.ones(2, np.float32))
    refused(tokens=one.astype(np.float16))
    refused(out=out.astype(np.float32))
    refused(out=out[:, :1].copy())
    refused(x1=x1[:, :7].copy())
    refused(x1=x1[:0].copy(), out=out[:0].copy())
    v5 = [Tensor(x1), Tensor(x2), NULL, Tensor(one)]
    five(*v5, Tensor(one), NULL, NULL, NULL, NULL, False, False, 0, Out(out), code=MISSING)
    five(*v5, NULL, NULL, NULL, NULL, NULL, False, False, 32, Out(out), code=MISSING)
    # PyTorch's plugin passes empty tensors where operands are absent.
    nothing = Tensor(np.zeros(0, np.float32))
    for half in [np.float16, ml_dtypes.bfloat16]:
        small, weight, tokens = data("i8", (5, 8), 3), data("i8", (8, 6), 4), data("f32", (5,), 6)
        scale = data("f32", (6,), 5)
        wanted = (small.astype(np.int64) @ weight.astype(np.int64)) * scale.astype(np.float64) * tokens.astype(np.float64)[:, None]
        five(Tensor(small), Tensor(weight), Tensor(tokens), Tensor(scale), nothing, nothing, nothing, nothing, nothing, False, False, 0, Out(wanted.astype(half), ulps=1))


def five(x1, x2, *others, **more):
    """The fifth form, and the one whose weight is stored in blocks, which the emulator sees by its strides."""
    cases.add("QuantMatmulV5", x1, x2, *others, **more)
    cases.add("QuantMatmulWeightNz", x1, Formatted("FRACTAL_NZ", x2), *others, **more)


def scales():
    for form, more in [("TransQuantParamV2", ()), ("TransQuantParamV3", (0,)), ("TransQuantParamV3", (1,))]:
        scale = np.array([0.5, 1e-3, -2.0, 0.0, np.inf], np.float32)
        packed_scale = scale.view(np.uint32).astype(np.uint64)
        cases.add(form, Tensor(scale), NULL, *more, Out(packed_scale))
        cases.add(form, Tensor(scale[:1]), NULL, *more, Out(packed_scale[:1].astype(np.int64)))
        cases.add(form, NULL, NULL, *more, Out(packed_scale), code=NULLPTR)
        # An offset: rounded, clamped, and in nine bits from bit 37 on.
        offset = np.array([0.4, -0.6, 254.5, 300.0, -1000.0], np.float32)
        nine_bits = np.clip(np.rint(offset), -256, 255).astype(np.int64) & 0x1FF
        with_offset = packed_scale | nine_bits.astype(np.uint64) << np.uint64(37)
        cases.add(form, Tensor(scale), Tensor(offset), *more, Out(with_offset))
        of_all = packed_scale | nine_bits[1].astype(np.uint64) << np.uint64(37)
        cases.add(form, Tensor(scale), Tensor(offset[1:2]), *more, Out(of_all.astype(np.int64)))
        for_all = packed_scale[0] | nine_bits.astype(np.uint64) << np.uint64(37)
        cases.add(form, Tensor(scale[:1]), Tensor(offset), *more, Out(for_all))
        cases.add(form, Tensor(scale), Tensor(offset[:2]), *more, Out(packed_scale), code=INVALID)
        cases.add(form, Tensor(scale), Tensor(offset.astype(np.float16)), *more, Out(packed_scale), code=INVALID)
        cases.add(form, Tensor(scale.astype(np.float16)), NULL, *more, Out(packed_scale), code=INVALID)
        cases.add(form, Tensor(scale), NULL, *more, Out(scale), code=INVALID)
        cases.add(form, Tensor(scale), NULL, *more, Out(packed_scale[:2]), code=INVALID)
    cases.add("TransQuantParamV3", Tensor(scale), NULL, 2, Out(packed_scale), code=INVALID)


FORMS = ["GroupedMatmul", "GroupedMatmulV2", "GroupedMatmulV3", "GroupedMatmulV4", "GroupedMatmulV5", "GroupedMatmulWeightNz"]


def grouped_call(form, x, weight, out, bias=None, scale=None, offset=None, factors=None, shifts=None, tokens=None, groups=None, split_item=3, group_type=0, list_type=0, activation=0, parts=0, code=0, product="Ascend910B"):
    some = lambda tensors: NULL if tensors is None else Tensors(*map(Tensor, tensors))
    blocks = lambda array: Formatted("FRACTAL_NZ", Tensor(array)) if form == FORMS[5] else Tensor(array)
    weights = NULL if weight is None else Tensors(*map(blocks, weight))
    arguments = [some(x), weights, some(bias), some(scale), some(offset), some(factors), some(shifts)]
    if form in FORMS[3:]:
        arguments.append(some(tokens))
    if groups is None:
        arguments.append(NULL)
    elif form in FORMS[:2]:
        arguments.append(Ints(groups))
    else:
        arguments.append(Tensor(np.array(groups, np.int64)))
    if form in FORMS[3:]:
        arguments += [NULL, NULL, NULL]
    arguments.append(split_item)
    if form != FORMS[0]:
        arguments.append(group_type)
    if form in FORMS[3:]:
        arguments += [list_type, activation]
    if form in FORMS[4:]:
        arguments.append(NULL)
    if form == FORMS[5]:
        arguments.append(parts)
    arguments.append(Tensors(*(each if isinstance(each, Out) else Out(each) for each in out)) if out is not None else NULL)
    if form in FORMS[3:]:
        arguments += [NULL, NULL]
    cases.add(form, *arguments, code=code, product=product)


def untouched(name, shape):
    return np.frombuffer(bytes([UNTOUCHED]) * (int(np.prod(shape)) * np.dtype(kind(name)).itemsize), kind(name)).reshape(shape)


def grouped():
    e, m, k, n = 3, 7, 6, 5
    ends = [2, 2, 7]
    sizes = np.diff([0, *ends])
    parts = np.split(np.arange(m), ends[:-1])
    for form in FORMS:
        for name in F if form != FORMS[0] else F[1:]:
            x, weight = data(name, (m, k)), data(name, (e, k, n), seed=2)
            bias = data("f32" if name == "bf16" else name, (e, n), seed=3)
            results = [wide(x[rows]) @ wide(weight[g]) for g, rows in enumerate(parts)]
            biased = [result + wide(bias[g]) for g, result in enumerate(results)]
            joined = rounded(np.concatenate(results), name)
            several = [weight[g] for g in range(e)]
            # V1 takes one x, weight and output for a pair of matrices.
            if form != FORMS[0]:
                grouped_call(form, [x], [weight], [joined], groups=ends)
                grouped_call(form, [x], [weight], [rounded(np.concatenate(biased), name)], bias=[bias], groups=ends, split_item=2)
            grouped_call(form, [x], several, [rounded(np.concatenate(biased), name)], bias=list(bias), groups=ends)
            grouped_call(form, [x], several, [rounded(each, name) for each in results], groups=ends, split_item=0)
            grouped_call(form, [x[rows] for rows in parts], several, [joined], split_item=2)
            pairs = [data(name, shape, seed=number) for number, shape in enumerate([(2, 3), (4, 2, 3), (2, 1, 2, 5)])]
            mats = [data(name, (each.shape[-1], 2 + number), seed=9) for number, each in enumerate(pairs)]
            answers = [rounded(wide(a) @ wide(b), name) for a, b in zip(pairs, mats)]
            grouped_call(form, pairs, mats, answers, split_item=0, group_type=-1)
            grouped_call(form, pairs[:1], mats[:1], answers[:1], split_item=1, group_type=-1)
            if form in FORMS[2:]:
                # Rows behind the last end keep what is there.
                short = np.concatenate([joined[:4], untouched(name, (3, n))])
                short[2:4] = rounded(wide(x[2:4]) @ wide(weight[2]), name)
                grouped_call(form, [x], [weight], [short], groups=[2, 2, 4])
            if form in FORMS[3:]:
                grouped_call(form, [x], [weight], [joined], groups=sizes, list_type=1)
                other = np.concatenate([wide(x[:3]) @ wide(weight[2]), wide(x[3:]) @ wide(weight[0])])
                grouped_call(form, [x], [weight], [rounded(other, name)], groups=[[2, 3], [0, 4]], list_type=2)
            if form != FORMS[0]:
                # A single weight takes any number of groups.
                grouped_call(form, [x], [weight[:1]], [rounded(wide(x) @ wide(weight[0]), name)], groups=[3, m])
    for form in FORMS[1:]:
        # Integers with scales, and floats with weights of integers.
        x, weight = data("i8", (m, k), low=-128, high=127), data("i8", (e, k, n), seed=2, low=-128, high=127)
        bias, scale = data("i32", (e, n), seed=3, low=-999, high=999), reals("f32", (e, n), seed=4, low=0.001, high=0.01)
        sums = [x[rows].astype(np.int64) @ weight[g].astype(np.int64) for g, rows in enumerate(parts)]
        scaled = [(wide(each) + wide(bias[g])) * wide(scale[g]) for g, each in enumerate(sums)]
        for out in ["f16", "bf16", "i8"]:
            grouped_call(form, [x], [weight], [rounded(np.concatenate(scaled), out)], bias=[bias], scale=[scale], groups=ends)
        grouped_call(form, [x], [weight], [rounded(np.concatenate(scaled), "f16")], bias=[bias], scale=[low_words(scale)], groups=ends)
        grouped_call(form, [x], [weight], [np.concatenate(sums).astype(np.int32)], scale=[np.ones((e, n), np.float32)], groups=ends)
        offset = data("f32", (e, n), seed=6)
        shifted = [each + wide(offset[g]) for g, each in enumerate(scaled)]
        grouped_call(form, [x], [weight], [rounded(np.concatenate(shifted), "i8")], bias=[bias], scale=[scale], offset=[offset], groups=ends)
        if form in FORMS[3:]:
            tokens = reals("f32", (m,), seed=5, low=0.0002, high=0.002)
            whole = np.concatenate(scaled) * wide(tokens)[:, None]
            silu = lambda a: torch.nn.functional.silu(torch.from_numpy(a)).numpy()
            fast = lambda a: a * torch.sigmoid(torch.from_numpy(1.702 * a)).numpy()
            for activation, function in enumerate([lambda a: a, lambda a: np.maximum(a, 0), lambda a: gelu(a, "tanh"), None, fast, silu]):
                if function is not None:
                    result = Out(rounded(function(whole), "bf16"), ulps=1 if activation > 1 else 0)
                    grouped_call(form, [x], [weight], [result], bias=[bias], scale=[scale], tokens=[tokens], groups=ends, activation=activation)
            grouped_call(form, [x], [weight], [result.array], scale=[scale], groups=ends, activation=3, code=INVALID)
        for name in ["f16", "bf16"]:
            x, factors, shifts = data(name, (m, k)), (2.0 ** -data("i32", (e, n), low=0, high=3)).astype(kind(name)), data(name, (e, n), seed=8).round()
            floats = [(wide(weight[g]) + wide(shifts[g])) * wide(factors[g]) for g in range(e)]
            result = np.concatenate([wide(x[rows]) @ floats[g] for g, rows in enumerate(parts)])
            grouped_call(form, [x], [weight], [rounded(result, name)], factors=[factors], shifts=[shifts], groups=ends)
            grouped_call(form, [x], [weight], [rounded(result, name)], factors=[factors], groups=ends, code=INVALID)
            grouped_call(form, [x], [weight], [rounded(result, name)], groups=ends, code=INVALID)
        x, weight = data("f16", (m, k)), data("f16", (e, k, n))
        out = np.zeros((m, n), np.float16)
        refused = lambda **changed: grouped_call(form, **({"x": [x], "weight": [weight], "out": [out], "groups": ends, "code": INVALID} | changed))
        for missing in ["x", "weight", "out"]:
            refused(**{missing: None, "code": NULLPTR})
            refused(**{missing: [], "code": NULLPTR})
        refused(x=[x.astype(np.float64)])
        refused(weight=[weight.astype(np.float32)])
        refused(out=[out.astype(np.float32)])
        refused(split_item=4)
        refused(split_item=2, group_type=-1)
        refused(group_type=1)
        refused(group_type=3)
        refused(groups=None)
        refused(groups=[])
        refused(groups=[1, 2, 3, 4, 7])
        refused(weight=[weight[:, :5].copy()])
        refused(out=[out[:, :4].copy()])
        refused(out=[out[:5].copy()])
        refused(x=[x[None]])
        refused(bias=[np.zeros((2, n), np.float16)])
        refused(bias=[np.zeros((e, n), np.int32)])
        refused(product="Ascend910")
        refused(group_type=-1, split_item=0, x=[x, x], weight=[weight[0]], out=[out, out], groups=None)
        if form == FORMS[1]:
            refused(groups=[2, 5, 6])
            refused(groups=[3, 2, 7])
            refused(product="Ascend310P")
        else:
            grouped_call(form, [x], [weight], [rounded(np.concatenate([wide(x[rows]) @ wide(weight[g]) for g, rows in enumerate(parts)]), "f16")], groups=ends, product="Ascend310P")
        if form == FORMS[5]:
            refused(parts=32, code=MISSING)
            refused(group_type=2, x=[x.T.copy().T], weight=[weight[0]], out=[np.zeros((e, m, n), np.float16)])
        if form in FORMS[3:]:
            refused(list_type=3)
            refused(list_type=2)
            refused(activation=1)


def early():
    m, k, n = 4, 70, 6
    x1, x2 = data("i8", (m, k), low=-128, high=127), data("i8", (k, n), seed=2, low=-128, high=127)
    for batch in [(), (2,)]:
        first, second = [np.broadcast_to(x, (*batch, *x.shape)).copy() for x in (x1, x2)]
        for bias in [None, data("i32", (n,), seed=3, low=-50000, high=50000)]:
            total = wide(first) @ wide(second) + (0 if bias is None else wide(bias))
            given = NULL if bias is None else Tensor(bias)
            cases.add("QuantMatmul", Tensor(first), Tensor(second), given, 0.0078125, Out(rounded(total * 0.0078125, "f16")))
            scale = reals("f32", (n,), seed=5, low=0.0001, high=0.01)
            for turned in [(False, False), (True, False), (False, True), (True, True)]:
                left, right = [np.swapaxes(x, -1, -2).copy() if so else x for x, so in zip((first, second), turned)]
                cases.add("QuantMatmulV2", Tensor(left), Tensor(right), given, Tensor(low_words(scale)), *turned, Out(rounded(total * wide(scale), "f16")))
    out, scale = np.zeros((m, n), np.float16), low_words(scale)
    for position in (0, 1, 4):
        arguments = [Tensor(x1), Tensor(x2), NULL, 0.5, Out(out)]
        arguments[position] = NULL
        cases.add("QuantMatmul", *arguments, code=INNER)
    for position, argument, code in [(0, NULL, INNER), (1, NULL, INNER), (3, NULL, INNER), (6, NULL, INNER), (0, Tensor(x1.astype(np.float16)), INVALID), (2, Tensor(scale), INVALID), (3, Tensor(scale[:5]), INVALID), (6, Out(out.astype(np.float32)), INVALID), (6, Out(out[:3]), INVALID)]:
        arguments = [Tensor(x1), Tensor(x2), NULL, Tensor(scale), False, False, Out(out)]
        arguments[position] = argument
        cases.add("QuantMatmulV2", *arguments, code=code)


def fused_quantised():
    m, k, n = 4, 12, 6
    # No number is so far below zero that its GELU loses all digits in the reference.
    x1, x2 = data("i8", (m, k), low=-2, high=2), data("i8", (k, n), seed=2, low=-2, high=2)
    tokens, scale = 2.0 ** data("f32", (m,), seed=4, low=-8, high=0).round(), 2.0 ** data("f32", (n,), seed=5, low=-24, high=-16).round()
    tokens, scale = tokens.astype(np.float32), scale.astype(np.float32)
    total = wide(x1) @ wide(x2) * wide(scale)
    for form, blocks in [("FusedQuantMatmul", lambda x: x), ("FusedQuantMatmulWeightNz", lambda x: Formatted("FRACTAL_NZ", x))]:
        head = (Tensor(x1), blocks(Tensor(x2)))
        for name in ["f16", "bf16"]:
            x3, bias = data(name, (m, n), seed=6), data("f32", (n,), seed=7)
            for rows, added in [(None, None), (tokens, bias)]:
                sums = total * (1 if rows is None else wide(rows)[:, None]) + (0 if added is None else wide(added))
                given, late = NULL if rows is None else Tensor(rows), NULL if added is None else Tensor(added)
                ends = {"": sums, "relu": np.maximum(sums, 0), "add": sums + wide(x3), "mul": sums * wide(x3), "gelu_erf": gelu(sums, "none"), "gelu_tanh": gelu(sums, "tanh")}
                for operation, result in ends.items():
                    third = Tensor(x3) if operation in ("add", "mul") else NULL
                    beside = late
                    if added is not None and "gelu" in operation:
                        cases.add(form, *head, given, Tensor(scale), NULL, NULL, NULL, NULL, late, NULL, Text(operation), 0, Out(rounded(result, name)), code=NULLPTR)
                        beside, result = NULL, gelu(total * wide(rows)[:, None], {"gelu_erf": "none", "gelu_tanh": "tanh"}[operation])
                    cases.add(form, *head, given, Tensor(scale), NULL, NULL, NULL, NULL, beside, third, Text(operation), 0, Out(rounded(result, name), ulps=1 if "gelu" in operation else 0))
        offset = data("f32", (n,), seed=8)
        cases.add(form, *head, NULL, Tensor(scale), NULL, NULL, NULL, Tensor(offset), NULL, NULL, Text("relu"), 0, Out(rounded(np.maximum(total + wide(offset), 0), "i8")))
        cases.add(form, *head, NULL, Tensor(np.ones(1, np.float32)), NULL, NULL, NULL, NULL, NULL, NULL, Text(""), 0, Out(rounded(wide(x1) @ wide(x2), "i32")))
    good = [Tensor(x1), Tensor(x2), NULL, Tensor(scale), NULL, NULL, NULL, NULL, NULL, Tensor(x3), Text("add"), 0, Out(rounded(total, "bf16"))]
    for position, argument, code in [
        (0, NULL, NULLPTR), (1, NULL, NULLPTR), (3, NULL, NULLPTR), (9, NULL, NULLPTR), (12, NULL, NULLPTR), (10, Text("tanh"), INVALID), (4, Tensor(scale), MISSING),
        (5, Tensor(scale), MISSING), (11, 32, MISSING), (9, Tensor(x3.astype(np.float16)), INVALID), (9, Tensor(x3[:3]), INVALID), (0, Tensor(x1.astype(np.float16)), INVALID),
    ]:
        arguments = list(good)
        arguments[position] = argument
        cases.add("FusedQuantMatmul", *arguments, code=code)


fused()
early()
fused_quantised()
weights("WeightQuantBatchMatmulNz")
weights("WeightQuantBatchMatmulV2")
weights("WeightQuantBatchMatmulV3", 0)
quantised()
scales()
grouped()
cases.write("fused")
