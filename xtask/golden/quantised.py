"""Cases of quantised elements and rows: NumPy in f32, operation by operation in the order that CANN documents.

References: NumPy.

Everything is exact: each operation is rounded to f32 as here, and codes are the nearest whole numbers, halves to the even one,
saturated; NaN is 0. Writes cann-stubs/tests/data/quantised.cases. Types, shapes and codes of refusals are retyped from CANN's
documentation.

    python xtask/golden/quantised.py
"""

import itertools
import warnings

import ml_dtypes
import numpy as np

from cases import NULL, TYPES, Bools, Cases, Ints, Out, Tensor, Tensors, Text, kind

warnings.filterwarnings("ignore")
NULLPTR, INVALID, INNER, INNER_NULL, UNTILED = 161001, 161002, 561000, 561103, 561002
# The emulator's code for calls that it leaves to a device.
NOT_EMULATED = 561003
TYPES["f8e5m2"] = (35, ml_dtypes.float8_e5m2)
# NumPy has no hif8: bytes, which are not compared.
TYPES["hif8"] = (34, np.dtype("S1"))
F32, F16, BF16 = np.float32, np.float16, ml_dtypes.bfloat16
H = ["f16", "bf16"]
MOST = {"i8": F32(127), "i4": F32(7)}
cases = Cases()


def data(name, shape, seed=0):
    """Numbers on both sides of zero; long rows repeat a few, so that the file stays small."""
    random = np.random.default_rng(seed + sum(map(ord, name)) + sum(shape))
    few = (random.standard_normal([*(min(size, 7) for size in shape[:-1]), min(shape[-1], 64)]) * 3).astype(kind(name))
    times = [-(-size // few.shape[axis]) for axis, size in enumerate(shape)]
    return np.ascontiguousarray(np.tile(few, times)[tuple(slice(size) for size in shape)])


def factors(name, shape, seed=1):
    random = np.random.default_rng(seed + sum(shape))
    few = random.uniform(0.25, 2, (*shape[:-1], min(shape[-1], 64))).astype(kind(name))
    return np.tile(few, -(-shape[-1] // 64))[..., : shape[-1]]


def f32(x):
    return np.asarray(x).astype(F32)


def codes(values, to):
    """The nearest whole numbers of a type; those of four bits are packed, eight in each i32."""
    most = MOST[to]
    whole = np.clip(np.rint(np.nan_to_num(values, nan=0.0)), -most - 1, most).astype(np.int8)
    return whole if to == "i8" else packed(whole)


def packed(whole):
    """Eight integers of four bits in each i32, the first one in the lowest bits."""
    eights = (whole.astype(np.uint32) & 15).reshape(*whole.shape[:-1], -1, 8)
    return (eights << np.arange(0, 32, 4, dtype=np.uint32)).sum(-1, dtype=np.uint32).view(np.int32)


def given(array):
    return NULL if array is None else Tensor(array)


def written(array):
    return NULL if array is None else Out(array)


def dynamic(v, to, inverse=False):
    """Rows and their scales."""
    most = MOST[to]
    m = np.abs(v).max(-1, keepdims=True)
    q = most / m
    scale = F32(1) / q if inverse else m * (F32(1) / most)
    return codes(v * q, to), scale[..., 0]


def shifted(v, to):
    most = MOST[to]
    high, low = v.max(-1, keepdims=True), v.min(-1, keepdims=True)
    scale = np.maximum((high - low) / (2 * most + 1), F32(1e-12))
    offset = most - high / scale
    return codes(v * (F32(1) / scale) + offset, to), scale[..., 0], offset[..., 0]


def dynamic_quant():
    for name, to, shape, smoothed in itertools.product(H, MOST, [(3, 16), (2, 3, 40), (2, 8)], [False, True]):
        x = data(name, shape)
        x[-1] = 0
        smooth = factors(name, shape[-1:]) if smoothed else None
        v = f32(x) * f32(smooth) if smoothed else f32(x)
        y, scale = dynamic(v, to)
        if to == "i8":
            cases.add("DynamicQuant", Tensor(x), given(smooth), Out(y), Out(scale))
        cases.add("DynamicQuantV2", Tensor(x), given(smooth), NULL, 2, Out(y), Out(scale), NULL)
        y, scale, offset = shifted(v, to)
        cases.add("DynamicQuantV2", Tensor(x), given(smooth), NULL, 2, Out(y), Out(scale), Out(offset))
    # Rows of which one does not fit the buffer of a core.
    for shape, smoothed in [((2, 16320), False), ((2, 16328), False), ((2, 12808), True), ((2, 15043), False), ((2, 10291), True)]:
        x = data("f16", shape)
        smooth = factors("f16", shape[-1:]) if smoothed else None
        y, scale = dynamic(f32(x) * f32(smooth) if smoothed else f32(x), "i8", shape[1] != 16320)
        cases.add("DynamicQuant", Tensor(x), given(smooth), Out(y), Out(scale))
    # Groups of rows with factors of their own; without factors they count for nothing.
    for name, ends in itertools.product(H, [[2, 2, 6], [1, 6, 9]]):
        x, smooth, ends = data(name, (2, 3, 16)), factors(name, (3, 16)), np.array(ends, np.int32)
        group = [next(g for g in range(3) if ends[g] >= row + 1) for row in range(6)]
        y, scale = dynamic(f32(x) * f32(smooth)[group].reshape(2, 3, 16), "i8", True)
        cases.add("DynamicQuantV2", Tensor(x), Tensor(smooth), Tensor(ends), 2, Out(y), Out(scale), NULL)
        y, scale = dynamic(f32(x), "i8")
        cases.add("DynamicQuantV2", Tensor(x), NULL, Tensor(ends), 2, Out(y), Out(scale), NULL)
    x = data("f16", (3, 16))
    y, scale = dynamic(f32(x), "i8")
    with_groups = lambda smooth, ends, code: cases.add(
        "DynamicQuantV2", Tensor(x), given(smooth), Tensor(ends), 2, Out(y), Out(scale), NULL, code=code
    )
    ends = np.array([1, 3], np.int32)
    with_groups(factors("f16", (2, 16)), ends.astype(np.int64), INNER_NULL)
    with_groups(factors("f16", (3, 16)), ends, INNER_NULL)
    with_groups(factors("f16", (16,)), ends, INNER_NULL)
    with_groups(factors("f16", (2, 16)), ends.astype(F32), INVALID)
    with_groups(factors("f16", (2, 16)), ends.reshape(1, 2), INVALID)

    def wrong(x=x, smooth=None, y=y, scale=scale, code=INVALID, product="Ascend910B"):
        cases.add("DynamicQuant", given(x), given(smooth), written(y), written(scale), code=code, product=product)

    for missing in ["x", "y", "scale"]:
        wrong(**{missing: None, "code": NULLPTR})
    wrong(x=f32(x))
    wrong(smooth=factors("bf16", (16,)))
    wrong(smooth=factors("f16", (15,)))
    wrong(smooth=factors("f16", (1, 16)))
    wrong(y=y.astype(np.uint8))
    wrong(scale=scale.astype(F16))
    wrong(x=x[0], y=y[0], scale=scale[:1].reshape(()))
    wrong(y=y[:, :8])
    wrong(y=y.view(np.int32))
    wrong(x=x[:, :12], y=np.zeros((3, 1), np.int32))
    wrong(scale=scale[:2])
    wrong(scale=scale.reshape(3, 1))
    wrong(x=x[:0], y=y[:0], scale=scale[:0], code=0)
    # The forms of the 950 alone are refused before anything is looked at.
    cases.add("DynamicQuantV3", NULL, NULL, NULL, 2, True, Text("pertoken"), NULL, NULL, NULL, code=INNER)
    cases.add("DynamicQuantV4", NULL, NULL, NULL, 2, True, Text("pertoken"), 0.0, NULL, NULL, NULL, code=INNER)
    # The older products compute in 16 bits, and round halves of codes away from zero.
    for product in ["Ascend910", "Ascend310P"]:
        x = data("f16", (3, 32))
        x[2, :] = 0
        x[1, :4] = [0.5, 1.5, -2.5, 127]
        x[1, 4:] = 0
        m = np.abs(x).max(-1, keepdims=True).astype(F32)
        q = np.where(m <= F32(1e-12), F32(0), F32(127) / m).astype(F16)
        product_of = x * q
        assert product_of.dtype == F16
        away = np.sign(product_of) * np.floor(np.abs(f32(product_of)) + 0.5)
        y, scale = np.clip(away, -128, 127).astype(np.int8), (m * (F32(1) / F32(127)))[:, 0]
        cases.add("DynamicQuant", Tensor(x), Tensor(factors("f16", (32,))), Out(y), Out(scale), product=product)
        wrong(x=x.astype(BF16), y=y, scale=scale, product=product)
        cases.add("DynamicQuantV2", Tensor(x), NULL, NULL, 2, Out(y), Out(scale), Out(scale), product=product, code=INNER_NULL)
    # All modes of the 950.
    for to in ["i8", "f8e5m2", "f8e4m3fn"]:
        for mode, axis in [("pertoken", -1), ("pertensor", None), ("perchannel", -2)]:
            x = data("bf16", (2, 4, 16))
            most = F32(127) if to == "i8" else F32(ml_dtypes.finfo(kind(to)).max)
            m = np.abs(f32(x)).max(axis, keepdims=True)
            y = f32(x) * (most / m)
            y = codes(y, "i8") if to == "i8" else y.astype(kind(to))
            scale = (m * (F32(1) / most)).reshape((1,) if axis is None else np.delete(x.shape, axis))
            cases.add("DynamicQuantV3", Tensor(x), NULL, NULL, 2, True, Text(mode), Out(y), Out(scale), NULL, product="Ascend950")
            bad = lambda *rest: cases.add("DynamicQuantV3", Tensor(x), NULL, *rest, product="Ascend950", code=INVALID)
            bad(NULL, 2, False, Text(mode), Out(y), Out(scale), NULL)
            bad(NULL, 2, True, Text(mode), Out(y), Out(scale), Out(scale))
            bad(NULL, 2, True, Text("per"), Out(y), Out(scale), NULL)
    # Only tokens come in groups.
    groups = [Tensor(factors("bf16", (2, 16))), Tensor(np.array([3, 8], np.int32))]
    for mode, scale in [("pertensor", np.zeros(1, F32)), ("perchannel", np.zeros((2, 16), F32))]:
        outputs = [Out(np.zeros(x.shape, np.int8)), Out(scale), NULL]
        cases.add("DynamicQuantV3", Tensor(x), *groups, 2, True, Text(mode), *outputs, product="Ascend950", code=INVALID)
    scale = np.zeros((2, 4), F32)
    outputs = [Out(np.zeros(x.shape, kind("f8e5m2"))), Out(scale), Out(scale)]
    cases.add("DynamicQuantV3", Tensor(x), NULL, NULL, 35, False, Text("pertoken"), *outputs, product="Ascend950", code=NOT_EMULATED)
    # The largest hif8 is 32768 where the attribute does not say another one.
    for most, wanted in [(0.0, 32768), (64.0, 64)]:
        scale = np.abs(f32(x)).max(-1) * (F32(1) / F32(wanted))
        y = Out(np.zeros(x.shape, kind("hif8")), np.inf)
        cases.add("DynamicQuantV4", Tensor(x), NULL, NULL, 34, True, Text("pertoken"), most, y, Out(scale), NULL, product="Ascend950")
        cases.add("DynamicBlockQuantV2", Tensor(x), 0.0, Text("round"), 34, 1, 64, most, y, Out(scale[..., None]), product="Ascend950")
    smooth = factors("bf16", (4,))
    y, scale = dynamic(np.moveaxis(f32(x) * f32(smooth)[:, None], 1, 2), "i8")
    cases.add("DynamicQuantV3", Tensor(x), Tensor(smooth), NULL, 2, True, Text("perchannel"), Out(np.moveaxis(y, 2, 1)), Out(scale), NULL, product="Ascend950")


ROUNDINGS = {"round": np.rint, "floor": np.floor, "ceil": np.ceil, "trunc": np.trunc}
PLACES = {"i8": 2, "i4": 3}


def ascend_quant():
    for name, to, mode, (square, shifts) in itertools.product(
        ["f32", *H], MOST, ROUNDINGS, [(False, False), (True, True), (False, True)]
    ):
        shape = (2, 3, 16)
        x = (data(name, shape).astype(F32) * (8 if to == "i8" else 1)).astype(kind(name))
        x.reshape(-1)[:4] = np.array([np.nan, np.inf, -np.inf, 0.5]).astype(kind(name))

        def expected(scale, offset):
            v = f32(x) * f32(scale)
            v = v * f32(scale) if square else v
            v = v + f32(offset) if offset is not None else v
            return codes(ROUNDINGS[mode](v), to)

        for own in ["f32", *H] if name == "f32" else [name]:
            for axis, size in [(-1, 16), (-2, 3), (-1, 1)]:
                scale, offset = factors(own, (size,)), factors(own, (size,), 5) if shifts else None
                wide = [1, 1, 1]
                wide[axis] = size
                y = expected(scale.reshape(wide), offset.reshape(wide) if shifts else None)
                head = [square, Text(mode), PLACES[to]]
                cases.add("AscendQuantV3", Tensor(x), Tensor(scale), given(offset), *head, axis, Out(y))
                if axis == -1:
                    cases.add("AscendQuant", Tensor(x), Tensor(scale), given(offset), *head, Out(y))
                if own == name and mode == "round":
                    scale, offset = scale.reshape(wide), offset.reshape(wide) if shifts else None
                    cases.add("AscendQuantV3", Tensor(x), Tensor(scale), given(offset), *head, axis % 3, Out(y))
    x, scale, y = data("f32", (2, 3, 16)), factors("f32", (16,)), np.zeros((2, 3, 16), np.int8)

    def wrong(x=x, scale=scale, offset=None, mode="round", to=2, axis=-1, y=y, code=INVALID, product="Ascend910B"):
        mode = NULL if mode is None else Text(mode)
        cases.add("AscendQuantV3", given(x), given(scale), given(offset), False, mode, to, axis, written(y), code=code, product=product)
        if axis == -1 and product == "Ascend910B" and x is not None and x.ndim and (offset is None or offset.ndim == 1):
            cases.add("AscendQuant", given(x), given(scale), given(offset), False, mode, to, written(y), code=code)

    for missing in ["x", "scale", "y"]:
        wrong(**{missing: None, "code": NULLPTR})
    wrong(x=x.astype(np.float64))
    wrong(x=x.astype(F16))
    wrong(x=x.astype(F16), scale=scale.astype(BF16))
    wrong(offset=scale.astype(F16))
    wrong(offset=scale[:1])
    wrong(to=3)
    wrong(to=4, y=y.astype(np.uint8))
    wrong(mode=None)
    wrong(mode="even")
    wrong(mode="hybrid")
    wrong(axis=0)
    wrong(axis=3)
    wrong(axis=-4)
    wrong(axis=1)
    wrong(scale=scale[:8])
    wrong(scale=scale.reshape(1, 16), axis=2)
    wrong(scale=scale[0], axis=2)
    wrong(y=y[:1])
    wrong(y=y.view(np.int32), to=3)
    wrong(x=x[:0], y=y[:0], code=0)
    wrong(product="Ascend910")
    v = codes(x * scale, "i8")
    wrong(product="Ascend310P", code=0, y=v)
    wrong(product="Ascend310P", axis=1, scale=scale[:3])
    wrong(product="Ascend310P", x=x.astype(BF16), scale=scale.astype(BF16))
    for to, place in [("f8e5m2", 35), ("f8e4m3fn", 36)]:
        wrong(product="Ascend950", to=place, code=0, y=(x * scale).astype(kind(to)))
        wrong(product="Ascend950", to=place, mode="floor", y=(x * scale).astype(kind(to)))
    cases.add("AscendQuant", Tensor(x), Tensor(scale), NULL, False, Text("round"), 2, Out(v), product="Ascend950", code=INVALID)
    two = [Tensor(x), Tensor(scale.reshape(1, 16)), NULL, False, Text("round"), 2, Out(v)]
    cases.add("AscendQuant", *two, code=INNER_NULL)
    cases.add("AscendQuant", Tensor(x), Tensor(scale), Tensor(scale.reshape(1, 1, 16)), False, Text("round"), 2, Out(v), code=INNER_NULL)


def silu(x, alpha=F32(1)):
    """x times its logistic function; the exponential is that of f64, rounded."""
    return x / (F32(1) + np.exp((-alpha * x).astype(np.float64)).astype(F32))


def halves(x, left=True, interleaved=False):
    n = x.shape[-1] // 2
    a, b = (x[..., 0::2], x[..., 1::2]) if interleaved else (x[..., :n], x[..., n:])
    return (a, b) if left else (b, a)


def unit(x, left):
    g, u = halves(x, left)
    return silu(g) * u


def group_of(ends, row):
    return next((g for g, end in enumerate(ends) if end > row), None)


def kept(array, rows):
    """An output of which only the first rows are written; the tests fill outputs with one byte before."""
    untouched = np.full(array.size * array.itemsize, 0xA5, np.uint8).view(array.dtype).reshape(array.shape).copy()
    untouched[:rows] = array[:rows]
    return untouched


def quotient(s, divides=False, product=False):
    """Rows by their scales in the forms of dequantised units."""
    m = np.abs(s).max(-1, keepdims=True)
    scale = m * (F32(1) / F32(127)) if product else m / F32(127)
    return codes(s / scale if divides else s * (F32(1) / scale), "i8"), scale[..., 0]


def dequant_swiglu_quant():
    tail = {"DequantSwigluQuant": [], "DequantSwigluQuantV2": [2, NULL, -1, 0, 7.0, 1.702, 1.0]}
    for name, operator, left in itertools.product(["i32", *H], tail, [True, False]):
        shape, half = (2, 3, 32), 16
        random = np.random.default_rng(11)
        x = random.integers(-900, 900, shape).astype(np.int32) if name == "i32" else data(name, shape)
        for bias_of, scaled in [(None, False), ("i32", True), ("f32", True), ("bf16", True)] if name == "i32" else [(None, False), (None, True)]:
            weight = activation = bias = None
            d = f32(x)
            if name == "i32":
                weight = factors("f32", (32,)) / F32(256)
                activation = factors("f32", (6,))
                bias = None if bias_of is None else random.integers(-300, 300, (32,)).astype(kind(bias_of))
                d = f32(x + bias if bias_of == "i32" else x) * weight * activation.reshape(2, 3, 1)
                d = d + f32(bias) if bias_of not in (None, "i32") else d
            s = unit(d, left)
            head = [Tensor(x), given(weight), given(activation), given(bias)]
            rest = tail[operator]
            smooth = factors("f32", (half,)) if scaled else None
            y, scale = quotient(s * smooth if scaled else s)
            cases.add(operator, *head, given(smooth), NULL, NULL, left, Text("Dynamic"), *rest, Out(y), Out(scale))
            # The shapes of outputs are not looked at, nor are scales that are not written.
            cases.add(operator, *head, given(smooth), NULL, NULL, left, Text("dynamic"), *rest, Out(y.reshape(6, 16)), Out(scale.reshape(6)))
            untouched = kept(np.zeros(1, F32), 0)
            for count, shifts, zero in [(half, half, False), (1, 1, False), (half, 1, False), (1, half, False), (1, 1, True)]:
                step, offset = factors("f32", (count,), 7), factors("f32", (shifts,), 8)
                step, offset = (step * 0, offset * 0) if zero else (step, offset)
                v = s / step + offset if count > 1 else s * (F32(1) / step) + offset
                y = codes(v if scaled else s, "i8")
                given_steps = [given(step if scaled else None), given(offset if scaled else None)]
                cases.add(operator, *head, *given_steps, NULL, left, NULL, *rest, Out(y), Out(untouched))
            # An offset without steps counts for nothing.
            cases.add(operator, *head, NULL, Tensor(factors("f32", (half,), 8)), NULL, left, NULL, *rest, Out(codes(s, "i8")), Out(untouched))
        if name == "f16":
            continue
        # Groups of rows, of which the last ones have none.
        for pairs, counts in [(False, [2, -1, 3]), (True, [[2, 1], [0, 3], [1, 0], [1, 9]])]:
            x = random.integers(-900, 900, (6, 64)).astype(np.int32) if name == "i32" else data(name, (6, 64))
            groups = [2, 0, 0, 0] if pairs else [0, 0, 2, 2, 2]
            total, g = len(groups), 4 if pairs else 3
            weight = bias = activation = None
            d = f32(x[:total])
            if name == "i32":
                weight, activation = factors("f32", (g, 64)) / F32(256), factors("f32", (6, 1))
                bias = None if pairs else random.integers(-300, 300, (g, 64)).astype(np.int32)
                d = f32(x[:total] if pairs else x[:total] + bias[groups]) * weight[groups] * activation[:total]
            s = unit(d, left)
            head = [Tensor(x), given(weight), given(activation), given(bias)]
            list_of = Tensor(np.array(counts, np.int64))
            full = lambda part: np.concatenate([part, np.zeros((6 - total, *part.shape[1:]), part.dtype)])
            smooth = factors("f32", (g, 32))
            y, scale = quotient(s * smooth[groups], True, True)
            cases.add(operator, *head, Tensor(smooth), NULL, list_of, left, Text("dynamic"), *rest, Out(kept(full(y), total)), Out(kept(full(scale), total)))
            for one in [False, True]:
                step, offset = factors("f32", (g,) if one else (g, 32), 7), factors("f32", (g,) if one else (g, 32), 8)
                if one:
                    step[0] = 0
                    by = np.where(step == 0, F32(1), step)[groups][:, None]
                    v = s * (F32(1) / by) + offset[groups][:, None]
                else:
                    v = s / step[groups] + offset[groups]
                cases.add(operator, *head, Tensor(step), Tensor(offset), list_of, left, Text("static"), *rest, Out(kept(full(codes(v, "i8")), total)), Out(kept(scale.repeat(6)[:6], 0)))
    for mode, left in itertools.product([1, 2, 3], [True, False]):
        x = data("bf16", (3, 32))
        g, u = halves(f32(x), left, mode == 1)
        limit, alpha, bias = F32(2.5), F32(1.702), F32(0.5)
        u = np.maximum(np.minimum(u, limit), -limit)
        if mode == 3:
            s = np.minimum(silu(g), limit) * u
        else:
            s = (u + bias) * silu(np.minimum(g, limit), alpha)
        y, scale = quotient(s)
        cases.add("DequantSwigluQuantV2", Tensor(x), *[NULL] * 6, left, Text("dynamic"), 2, NULL, -1, mode, 2.5, 1.702, 0.5, Out(y), Out(scale))
        # Limits keep NaN, whose code is 0.
        x[0, [0, 19]] = np.nan
        y = codes(np.where(np.isnan(halves(f32(x), left, mode == 1)).any(0), F32(0), s), "i8")
        cases.add("DequantSwigluQuantV2", Tensor(x), *[NULL] * 6, left, Text("static"), 2, NULL, -1, mode, 2.5, 1.702, 0.5, Out(y), Out(kept(scale, 0)))
    # Attributes that count on the 950 alone.
    x = data("bf16", (3, 32))
    y, scale = quotient(unit(f32(x), True))
    for to, rounding, axis, code in [(2, NULL, -1, 0), (2, Text("rint"), 1, 0), (2, NULL, 0, NOT_EMULATED), (2, Text("floor"), -1, NOT_EMULATED), (36, NULL, -1, NOT_EMULATED)]:
        for product in ["Ascend910B", "Ascend950"]:
            own = code if product == "Ascend950" else 0
            cases.add("DequantSwigluQuantV2", Tensor(x), *[NULL] * 6, True, Text("dynamic"), to, rounding, axis, 0, 7.0, 1.702, 1.0, Out(y), Out(scale), product=product, code=own)

    x, y, scale = data("bf16", (3, 64)), np.zeros((3, 32), np.int8), np.zeros(3, F32)
    whole, ones, list_of = np.zeros((3, 64), np.int32), np.ones(32, F32), np.array([1, 2], np.int64)
    two = np.ones((2, 32), F32)

    def wrong(x=x, weight=None, activation=None, bias=None, step=None, offset=None, groups=None, mode="dynamic", y=y, scale=scale, code=UNTILED):
        optional = [given(one) for one in (x, weight, activation, bias, step, offset, groups)]
        cases.add("DequantSwigluQuant", *optional, True, Text(mode), written(y), written(scale), code=code)

    for missing in ["x", "y", "scale"]:
        wrong(**{missing: None, "code": NULLPTR})
    wrong(x=f32(x), code=INVALID)
    wrong(x=whole, weight=ones.astype(F16), code=INVALID)
    wrong(bias=np.ones(64, F16), code=INVALID)
    wrong(y=y.astype(np.int32), code=INVALID)
    wrong(scale=scale.astype(F16), code=INVALID)
    wrong(groups=list_of.astype(np.int32), code=INVALID)
    wrong(x=x[0], y=y[0], scale=scale[0])
    wrong(x=x[:, :63])
    wrong(x=whole)
    wrong(x=whole, weight=ones)
    wrong(x=whole, weight=np.ones(64, F32), activation=np.ones(2, F32))
    wrong(mode="other")
    wrong(mode="static", step=ones)
    # A device writes past the end of these.
    wrong(y=y[:2])
    wrong(scale=scale[:2])
    wrong(x=x.astype(F16), groups=list_of)
    wrong(y=y.reshape(1, 3, 32), groups=list_of)
    wrong(scale=scale.reshape(1, 3), groups=list_of)
    wrong(groups=list_of, step=two.reshape(-1))
    wrong(groups=list_of, step=two.reshape(2, 1, 32))
    wrong(groups=list_of, mode="static", step=two[:, 0], offset=two)
    wrong(groups=list_of, mode="static", step=two[:, :1], offset=two[:, :1])
    wrong(bias=np.ones(64, F32), groups=list_of.reshape(1, 2))
    wrong(x=x[:, :32], y=y[:, :16], groups=list_of)
    wrong(mode="Dynamic", groups=list_of)
    wrong(groups=list_of, step=two, offset=two)
    wrong(groups=list_of, mode="static")
    wrong(groups=list_of.reshape(1, 1, 2))
    wrong(groups=list_of, step=ones)
    wrong(x=whole, weight=np.ones((1, 64), F32), bias=np.ones(64, np.int32), groups=list_of.reshape(1, 2))


def swi_glu_quant():
    for name, left, listed in itertools.product(["f32", *H], [True, False], [None, "ends", "counts"]):
        x = data(name, (2, 3, 32))
        s = unit(f32(x), left)
        ends = [6] if listed is None else [2, 2, 5]
        groups = [group_of(ends, row) for row in range(6)]
        list_of = None if listed is None else np.array(ends if listed == "ends" else [2, 0, 3], np.int32)
        g = 1 if listed is None else 3
        chosen = lambda table, neutral: np.stack([np.full(16, neutral) if one is None else table[one] for one in groups]).reshape(2, 3, 16).astype(F32)

        def add(smooth, offsets, mode, y, scale, to=2):
            head = [Tensor(x), given(smooth), given(offsets), given(list_of), left, NULL if mode is None else Text(mode)]
            if listed != "counts" and to == 2:
                cases.add("SwiGluQuant", *head, Out(y), Out(scale))
            cases.add("SwiGluQuantV2", *head, int(listed == "counts"), to, Out(y), Out(scale))

        smooth, offsets = factors("f32", (g, 16)), factors("f32", (g, 16), 5)
        v = s * chosen(smooth, 1)
        q = F32(127) / np.abs(v).max(-1, keepdims=True)
        for mode in [None, "dynamic"]:
            add(smooth, offsets, mode, codes(v * q, "i8"), q[..., 0])
        if listed is None:
            q = F32(127) / np.abs(s).max(-1, keepdims=True)
            add(None, None, None, codes(s * q, "i8"), q[..., 0])
        zeros = np.zeros((2, 3), F32)
        for mode in ["static", "dynamic_msd"]:
            add(smooth, offsets, mode, codes(v + chosen(offsets, 0), "i8"), zeros)
        one, shift = smooth[:, 0].copy(), offsets[:, 0].copy()
        wide = chosen(one[:, None].repeat(16, 1), 1), chosen(shift[:, None].repeat(16, 1), 0)
        add(one, shift, "static", codes(s * wide[0] + wide[1], "i8"), zeros)
    x, y, scale = data("f16", (3, 32)), np.zeros((3, 16), np.int8), np.zeros(3, F32)

    def wrong(x=x, smooth=None, offsets=None, groups=None, mode="dynamic", y=y, scale=scale, code=UNTILED):
        optional = [given(one) for one in (x, smooth, offsets, groups)]
        cases.add("SwiGluQuant", *optional, True, Text(mode), written(y), written(scale), code=code)

    for missing in ["x", "y", "scale"]:
        wrong(**{missing: None, "code": NULLPTR})
    wrong(x=x.astype(np.int32), code=INVALID)
    wrong(smooth=np.ones(16, F16), code=INVALID)
    wrong(groups=np.ones(1, np.int64), code=INVALID)
    wrong(scale=scale.astype(F16), code=INVALID)
    wrong(x=x[0], y=y[0], scale=scale[0])
    wrong(x=x[:, :31])
    wrong(mode="other")
    wrong(smooth=np.ones((2, 16), F32))
    wrong(smooth=np.ones(15, F32))
    two, ends = np.ones((2, 16), F32), np.array([1, 3], np.int32)
    for smooth, offsets, groups in [(two[0], two[0, :1], None), (two[0, :1], two[0], None), (two, two[:, 0], ends), (two[:, 0], two, ends)]:
        wrong(smooth=smooth, offsets=offsets, groups=groups, mode="static")
    wrong(y=y[:2])
    wrong(scale=scale[:2])


def clipped_swiglu():
    for name, interleaved, (shape, dim) in itertools.product(["f32", *H], [False, True], [((4, 12), -1), ((4, 6, 3), 1), ((2, 2, 4), 2), ((8,), 0)]):
        x = data(name, shape)
        # In the gate and in the other part.
        x.reshape(-1)[[0, -1]] = np.nan
        at = dim % len(shape)
        rows = int(np.prod(shape[:at]))
        flat = f32(x).reshape(rows, -1)
        a, b = halves(flat, True, interleaved)
        limit, alpha, bias = F32(3), F32(1.702), F32(1)
        out = (np.maximum(np.minimum(b, limit), -limit) + bias) * silu(np.minimum(a, limit), alpha)
        out_shape = list(shape)
        out_shape[at] //= 2
        out = out.astype(kind(name))
        for counts in [None, [1, 0, 2]]:
            if counts is not None and rows < 4:
                continue
            done = rows if counts is None else 3
            expected = kept(out, done).reshape(out_shape)
            list_of = None if counts is None else np.array(counts, np.int64)
            cases.add("ClippedSwiglu", Tensor(x), given(list_of), dim, 1.702, 3.0, 1.0, interleaved, Out(expected))
    x, out = data("f32", (3, 8)), np.zeros((3, 4), F32)

    def wrong(x=x, groups=None, dim=-1, limit=7.0, out=out, code=UNTILED, product="Ascend910B"):
        cases.add("ClippedSwiglu", given(x), given(groups), dim, 1.0, limit, 1.0, True, written(out), code=code, product=product)

    wrong(x=None, code=NULLPTR)
    wrong(out=None, code=NULLPTR)
    wrong(x=x.astype(np.float64), code=INVALID)
    wrong(out=out.astype(F16), code=INVALID)
    wrong(groups=np.ones(1, np.int32), code=INVALID)
    wrong(groups=np.ones((1, 1), np.int64))
    wrong(dim=2)
    wrong(dim=0)
    wrong(out=out[:, :3])
    wrong(out=out[:2])
    wrong(limit=0.0, product="Ascend950")
    wrong(product="Ascend910", code=INVALID)


def normalised(x, gamma, squares_first=True, eps=1e-5, short=None):
    """Rows by the root of their mean square; squares are summed one after the other in f64."""
    n = x.shape[-1]
    inverse = F32(1) / F32(n)
    terms = x * x * inverse if squares_first else x * x
    total = np.add.accumulate(terms.astype(np.float64), -1)[..., -1:].astype(F32)
    mean = total if squares_first else total * inverse
    y = x * (F32(1) / np.sqrt(mean + F32(eps)))
    return (y.astype(short) * gamma.astype(short)).astype(F32) if short else y * f32(gamma)


def add_rms_norm_quant():
    combinations = [("f16", "f32", "i32"), ("bf16", "bf16", "bf16"), ("bf16", "f32", "i32")]
    for (name, of_scales, of_zeros), divides, (twice, zero) in itertools.product(combinations, [True, False], [(False, False), (False, True), (True, True), (True, False)]):
        for shape in [(3, 32), (2, 2, 48), (60, 16)]:
            n = shape[-1]
            x1, x2, gamma = data(name, shape), data(name, shape, 1), factors(name, (n,))
            scales = [(factors(of_scales, (n,), seed).astype(F32) / F32(8 if divides else 0.125)).astype(kind(of_scales)) for seed in [2, 3]]
            zeros = [np.arange(n).astype(kind(of_zeros)) - np.array(7, kind(of_zeros)) * (seed + 1) if zero else None for seed in [0, 1]]
            zeros = [None if one is None else one.astype(kind(of_zeros)) for one in zeros]
            total = f32(x1) + f32(x2)
            rounded = total.astype(kind(name))
            rows = int(np.prod(shape[:-1]))
            normal = normalised(f32(rounded) if name == "f16" or rows <= 48 else total, gamma, short=F16 if name == "f16" else None)

            def y(norm, number, zeros=zeros):
                v = norm / f32(scales[number]) if divides else norm * f32(scales[number])
                return codes(v + f32(zeros[number]) if zero else v, "i8")

            second = Out(y(normal, 1)) if twice else Tensor(np.zeros(shape, np.int8))
            head = [Tensor(x1), Tensor(x2), Tensor(gamma), Tensor(scales[0]), given(scales[1] if twice else None), given(zeros[0]), given(zeros[1])]
            cases.add("AddRmsNormQuant", *head, -1, 1e-5, divides, Out(y(normal, 0)), second, Out(rounded))
            cases.add("AddRmsNormQuantV2", *head, NULL, -1, 1e-5, divides, Out(y(normal, 0)), second, Out(rounded), NULL)
            beta = data(name, (n,), 5)
            normal = normalised(f32(rounded), gamma, short=F16 if name == "f16" else None) + f32(beta)
            second = Out(y(normal, 1)) if twice else Tensor(np.zeros(shape, np.int8))
            cases.add("AddRmsNormQuantV2", *head, Tensor(beta), -1, 1e-5, divides, Out(y(normal, 0)), second, Out(rounded), NULL)
    # One scale and one offset.
    for name, of_scale, of_zero in itertools.product(H, ["f32", "bf16"], ["i32", "bf16"]):
        x1, x2, gamma, beta = data(name, (2, 3, 16)), data(name, (2, 3, 16), 1), factors(name, (16,)), data(name, (16,), 5)
        scale, zero = np.array([0.0625]).astype(kind(of_scale)), np.array([3]).astype(kind(of_zero))
        total = f32(x1) + f32(x2)
        normal = normalised(total, gamma)
        head = [Tensor(x1), Tensor(x2), Tensor(gamma), Tensor(scale), NULL, Tensor(zero), NULL]
        idle = Tensor(np.zeros((2, 3, 16), np.int8))
        quantised = lambda v: Out(codes(v * (F32(1) / f32(scale)) + f32(zero), "i8"))
        cases.add("AddRmsNormQuantV2", *head, NULL, -1, 1e-5, True, quantised(normal), idle, NULL, Out(normal.astype(kind(name))))
        head[2] = Tensor(gamma.reshape(1, 16))
        cases.add("AddRmsNormQuantV2", *head, Tensor(beta), -1, 1e-5, True, quantised(normal + f32(beta)), idle, Out(total.astype(kind(name))), NULL)
        cases.add("AddRmsNormQuantV2", *head, NULL, -1, 1e-5, True, quantised(normal), idle, NULL, NULL, code=NULLPTR)
        cases.add("AddRmsNormQuantV2", *head, NULL, -1, 1e-5, True, quantised(normal), idle, Out(total.astype(kind(name))), Out(normal.astype(kind(name))), code=NULLPTR)
    x, gamma, scales, y = data("f16", (3, 16)), factors("f16", (16,)), factors("f32", (16,)), np.zeros((3, 16), np.int8)

    def wrong(x=x, other=x, gamma=gamma, scales=scales, zeros=None, y=y, second=y, total=x, codes=(INVALID, INVALID)):
        head = [given(x), given(other), given(gamma), given(scales), NULL, given(zeros), NULL]
        cases.add("AddRmsNormQuant", *head, -1, 1e-5, True, written(y), written(second), written(total), code=codes[0])
        cases.add("AddRmsNormQuantV2", *head, NULL, -1, 1e-5, True, written(y), written(second), written(total), NULL, code=codes[1])

    for missing in ["x", "other", "gamma", "scales", "y", "second", "total"]:
        wrong(**{missing: None, "codes": (NULLPTR, NULLPTR)})
    # The second form looks at the second output even if it is not written, and at the shapes of what belongs to a row.
    second = lambda *rest, product="Ascend910B", code=INVALID: cases.add("AddRmsNormQuantV2", Tensor(x), Tensor(x), *rest, product=product, code=code)
    by = [Tensor(gamma), Tensor(scales), NULL, NULL, NULL]
    rest = [-1, 1e-5, True, Out(y), Tensor(y), Out(x), NULL]
    second(*by, NULL, *rest[:4], Tensor(y[0, :1]), Out(x), NULL)
    second(Tensor(gamma), Tensor(scales.reshape(1, 16)), *by[2:], NULL, *rest)
    second(*by[:3], Tensor(np.zeros((1, 16), np.int32)), NULL, NULL, *rest)
    second(*by, Tensor(gamma.reshape(1, 16)), *rest)
    second(*by, NULL, *rest, product="Ascend310P")
    # That with one scale and one offset.
    one = lambda zero: [Tensor(gamma), Tensor(scales[:1]), NULL, Tensor(zero)]
    second(*one(np.zeros(1, np.int32)), NULL, Tensor(gamma), *rest[:4], Tensor(y[0, :1]), Out(x), NULL)
    second(*one(np.zeros(1, np.int32)), Tensor(np.zeros(1, np.int32)), Tensor(gamma), *rest)
    for zero in [F32, F16]:
        second(*one(np.zeros(1, zero)), NULL, Tensor(gamma), *rest)
    wrong(x=x.astype(np.float64))
    wrong(scales=scales.astype(np.float64))
    wrong(zeros=np.zeros(16, np.int64))
    wrong(y=y.astype(np.int32))
    wrong(second=y.astype(np.int32))
    wrong(y=y[:2], codes=(INNER_NULL, INVALID))
    wrong(total=x[:2], codes=(INNER_NULL, INVALID))
    idle = {"y": kept(y, 0), "second": kept(y, 0), "total": kept(x, 0), "codes": (0, 0)}
    wrong(**(idle | {"x": x[:0]}))
    wrong(**(idle | {"second": y[:0]}))


def row_scales(v, to="i8"):
    return dynamic(v, to, True)


def norm_dynamic_quant():
    for name, (smooth1, smooth2), shape in itertools.product(H, [(False, False), (True, False), (True, True)], [(3, 32), (2, 2, 16)]):
        n = shape[-1]
        x1, x2, gamma, beta = data(name, shape), data(name, shape, 1), factors(name, (n,)), data(name, (n,), 5)
        smooth = [factors(name, (n,), 2) if smooth1 else None, factors(name, (n,), 3) if smooth2 else None]
        total = f32(x1) + f32(x2)
        normal = normalised(total, gamma, False)
        by = lambda norm, number: norm if smooth[number] is None else norm * f32(smooth[number])
        one = [Tensor(np.zeros(1, np.int8)), Tensor(np.zeros(1, F32))]
        for operator, plus in [("AddRmsNormDynamicQuant", None), ("AddRmsNormDynamicQuantV2", None), ("AddRmsNormDynamicQuantV2", beta)]:
            norm = normal if plus is None else normal + f32(plus)
            first = [Out(part) for part in row_scales(by(norm, 0))]
            second = [Out(part) for part in row_scales(by(norm, 1))] if smooth2 else one
            tail = [first[0], second[0], Out(total.astype(kind(name))), first[1], second[1]]
            middle = [1e-5] if operator == "AddRmsNormDynamicQuant" else [given(plus), 1e-5, NULL]
            cases.add(operator, Tensor(x1), Tensor(x2), Tensor(gamma), *map(given, smooth), *middle, *tail)
        if not smooth1:
            # Masks choose, and s4 is packed.
            both = [Out(part) for part in row_scales(normal)]
            packed_four = [Out(part) for part in row_scales(normal, "i4")]
            head = [Tensor(x1), Tensor(x2), Tensor(gamma), NULL, NULL, NULL, 1e-5]
            sum_of = Out(total.astype(kind(name)))
            cases.add("AddRmsNormDynamicQuantV2", *head, Bools([False, True]), one[0], both[0], sum_of, one[1], both[1])
            cases.add("AddRmsNormDynamicQuantV2", *head, Bools([True, True]), both[0], both[0], sum_of, both[1], both[1])
            idle = Tensor(np.zeros(1, np.int32))
            cases.add("AddRmsNormDynamicQuantV2", *head, Bools([True, False]), packed_four[0], idle, sum_of, packed_four[1], one[1])
            cases.add("AddRmsNormDynamicQuantV2", *head, Bools([False, False]), both[0], both[0], sum_of, both[1], both[1], code=INVALID)
            cases.add("AddRmsNormDynamicQuantV2", *head, Bools([True]), both[0], one[0], sum_of, both[1], one[1], code=INVALID)
            # Outputs that are not written have one element of their type.
            for inactive in [(idle, one[1]), (one[0], Tensor(np.zeros(1, F16))), (Tensor(np.zeros(2, np.int8)), one[1])]:
                cases.add("AddRmsNormDynamicQuantV2", *head, Bools([True, False]), both[0], inactive[0], sum_of, both[1], inactive[1], code=INNER_NULL)
        normal = normalised(f32(x1), gamma, False)
        for plus in [None, beta]:
            y, scale = row_scales(by(normal if plus is None else normal + f32(plus), 0))
            cases.add("RmsNormDynamicQuant", Tensor(x1), Tensor(gamma), given(smooth[0]), given(plus), 1e-5, 2, Out(y), Out(scale))
            # Empty ones count as absent.
            empty = lambda one: Tensor(gamma[:0] if one is None else one)
            cases.add("RmsNormDynamicQuant", Tensor(x1), Tensor(gamma), empty(smooth[0]), empty(plus), 1e-5, 2, Out(y), Out(scale))
    x, gamma, y, scale = data("f16", (3, 16)), factors("f16", (16,)), np.zeros((3, 16), np.int8), np.zeros(3, F32)

    def wrong(x=x, other=x, gamma=gamma, smooth=None, smooth2=None, y=y, second=y[0, :1], total=x, scale=scale, scale2=scale[:1], code=INVALID):
        head = [given(x), given(other), given(gamma), given(smooth), given(smooth2), 1e-5]
        cases.add("AddRmsNormDynamicQuant", *head, *map(written, [y, second, total, scale, scale2]), code=code)

    for missing in ["x", "other", "gamma", "y", "second", "total", "scale", "scale2"]:
        wrong(**{missing: None, "code": NULLPTR})
    wrong(x=f32(x))
    wrong(smooth=f32(gamma))
    wrong(y=y.view(np.int32), second=np.zeros(1, np.int32))
    wrong(scale=scale.astype(F16))
    wrong(other=x[:2], code=UNTILED)
    wrong(other=x[:0], code=UNTILED)
    wrong(gamma=gamma[:8], code=UNTILED)
    wrong(gamma=np.tile(gamma, (3, 1)), code=UNTILED)
    wrong(smooth=gamma[:8], code=UNTILED)
    wrong(y=y[:2], code=UNTILED)
    wrong(second=y, scale2=scale, code=INNER_NULL)
    idle = {"y": kept(y, 0), "second": kept(y[0, :1], 0), "total": kept(x, 0), "scale": kept(scale, 0), "scale2": kept(scale[:1], 0)}
    wrong(**idle, x=x[:0], code=0)

    def wrong(x=x, gamma=gamma, smooth=None, dst=2, eps=1e-5, y=y, scale=scale, code=UNTILED):
        cases.add("RmsNormDynamicQuant", given(x), given(gamma), given(smooth), NULL, eps, dst, written(y), written(scale), code=code)

    for missing in ["x", "gamma", "y", "scale"]:
        wrong(**{missing: None, "code": NULLPTR})
    wrong(x=f32(x), code=INVALID)
    wrong(gamma=f32(gamma), code=INVALID)
    wrong(scale=scale.astype(F16), code=INVALID)
    wrong(x=x[0], y=y[0], scale=scale[0])
    wrong(x=x[:0], y=y[:0], scale=scale[:0])
    wrong(gamma=gamma[:8])
    wrong(smooth=gamma[:8])
    wrong(dst=29)
    wrong(eps=0.0)
    wrong(y=y[:2])
    wrong(scale=scale[:2])


def rms_norm_quant():
    for name, to, shape, wide in itertools.product(H, MOST, [(3, 16), (2, 2, 32), (2, 8200)], [False, True]):
        n = shape[-1]
        x, gamma, beta = data(name, shape), factors(name, (n,)), data(name, (n,), 5)
        scale, offset = np.array([0.09375 if to == "i8" else 0.75]).astype(kind(name)), np.array([-3], np.int8)
        normal = normalised(f32(x), gamma, n <= 8192) + f32(beta)
        t = (normal * (F32(1) / f32(scale)) + f32(offset)).astype(F16)
        gamma, beta = (gamma.reshape(1, n), beta.reshape(1, n)) if wide else (gamma, beta)
        cases.add("RmsNormQuant", *map(Tensor, [x, gamma, beta, scale, offset]), 1e-5, Out(codes(f32(t), to)))
    x, gamma, scale, offset, y = data("f16", (3, 16)), factors("f16", (16,)), np.ones(1, F16), np.zeros(1, np.int8), np.zeros((3, 16), np.int8)

    def wrong(x=x, gamma=gamma, beta=gamma, scale=scale, offset=offset, y=y, code=INVALID):
        cases.add("RmsNormQuant", *map(given, [x, gamma, beta, scale, offset]), 1e-5, written(y), code=code)

    for missing in ["x", "gamma", "beta", "scale", "offset", "y"]:
        wrong(**{missing: None, "code": NULLPTR})
    wrong(x=f32(x))
    wrong(gamma=f32(gamma))
    wrong(offset=np.zeros(1, np.int32))
    wrong(y=y.astype(np.int16))
    wrong(gamma=gamma[:8], beta=gamma[:8])
    wrong(beta=gamma.reshape(1, 16))
    wrong(offset=np.zeros(2, np.int8))
    wrong(y=y[:, :8])
    wrong(gamma=np.tile(gamma, (2, 1)), beta=np.tile(gamma, (2, 1)), code=INNER_NULL)
    wrong(y=y[:2], code=INNER_NULL)


def dynamic_block_quant():
    for name, shape, least, operator in itertools.product(H, [(3, 300), (2, 4, 128), (2, 100)], [0.0, 0.25, 40.0], ["DynamicBlockQuant", "DynamicBlockQuantV2"]):
        x = data(name, shape)
        y, scales = np.zeros(shape, np.int8), []
        for left in range(0, shape[-1], 128):
            block = f32(x[..., left : left + 128])
            m = np.abs(block).max(-1, keepdims=True)
            scale, factor = m * (F32(1) / F32(127)), F32(1) / m * F32(127)
            if least > 0:
                scale, factor = np.minimum(scale, F32(1) / F32(least)), np.maximum(factor, F32(least))
            y[..., left : left + 128] = codes(block * factor, "i8")
            scales.append(scale)
        more = [0.0] if operator.endswith("V2") else []
        cases.add(operator, Tensor(x), least, NULL, 2, 1, 128, *more, Out(y), Out(np.concatenate(scales, -1)))
    for to, (down, across) in itertools.product(["i8", "f8e5m2", "f8e4m3fn"], [(1, 64), (64, 128), (128, 256)]):
        x = data("f32", (2, 130, 200))
        most = F32(127) if to == "i8" else F32(ml_dtypes.finfo(kind(to)).max)
        y, scales = np.zeros(x.shape, kind(to)), np.zeros((2, -(-130 // down), -(-200 // across)), F32)
        for top, left in itertools.product(range(0, 130, down), range(0, 200, across)):
            part = (slice(None), slice(top, top + down), slice(left, left + across))
            scale = np.abs(x[part]).max((1, 2), keepdims=True) * (F32(1) / most)
            v = x[part] / scale
            y[part] = codes(v, "i8") if to == "i8" else v.astype(kind(to))
            scales[:, top // down, left // across] = scale[:, 0, 0]
        place = {"i8": 2, "f8e5m2": 35, "f8e4m3fn": 36}[to]
        cases.add("DynamicBlockQuant", Tensor(x), 0.0, Text("rint"), place, down, across, Out(y), Out(scales), product="Ascend950")
        cases.add("DynamicBlockQuant", Tensor(x), 0.0, Text("round"), place, down, across, Out(y), Out(scales), product="Ascend950", code=UNTILED)
    x, y, scale = data("f16", (3, 256)), np.zeros((3, 256), np.int8), np.zeros((3, 2), F32)

    def wrong(x=x, least=0.0, to=2, down=1, across=128, y=y, scale=scale, code=UNTILED):
        cases.add("DynamicBlockQuant", given(x), least, NULL, to, down, across, written(y), written(scale), code=code)

    for missing in ["x", "y", "scale"]:
        wrong(**{missing: None, "code": NULLPTR})
    wrong(x=f32(x))
    wrong(least=-1.0)
    wrong(to=3)
    wrong(to=2 + 2**32)
    wrong(scale=scale.astype(F16), code=INVALID)
    wrong(down=64)
    wrong(across=256)
    wrong(x=x[0], y=y[0], scale=scale[0])
    wrong(y=y[:2])
    wrong(scale=scale[:2])
    wrong(scale=scale[:, :1])


def grouped_matmul_swiglu_quant():
    random = np.random.default_rng(17)
    rows, k, n, g = 7, 24, 32, 3
    x = random.integers(-128, 128, (rows, k)).astype(np.int8)
    weight = random.integers(-128, 128, (g, k, n)).astype(np.int8)
    of_rows = factors("f32", (rows,)) / F32(64)
    for of_columns, counts in itertools.product(["f32", *H], [[2, 0, 5], [1, 3, 1], [4, 2]]):
        by = (factors("f32", (g, n)) / F32(64)).astype(kind(of_columns))
        groups = [group for group, count in enumerate(counts) for _ in range(count)]
        total = len(groups)
        sums = np.stack([x[row].astype(np.int32) @ weight[group].astype(np.int32) for row, group in enumerate(groups)])
        y, scale = quotient(unit(f32(sums) * of_rows[:total, None] * f32(by)[groups], True), True)
        full = lambda part: np.concatenate([part, np.zeros((rows - total, *part.shape[1:]), part.dtype)])
        outputs = [Out(kept(full(y), total)), Out(kept(full(scale), total))]
        ends = Tensor(np.cumsum(counts).astype(np.int64))
        for operator in ["GroupedMatmulSwigluQuant", "GroupedMatmulSwigluQuantWeightNZ"]:
            cases.add(operator, Tensor(x), Tensor(weight), NULL, NULL, Tensor(by), Tensor(of_rows), ends, *outputs, NULL)
        for operator, (how, list_of) in itertools.product(["GroupedMatmulSwigluQuantV2", "GroupedMatmulSwigluQuantWeightNzV2"], [(0, ends), (1, Tensor(np.array(counts, np.int64)))]):
            head = [Tensor(x), Tensors(Tensor(weight)), Tensors(Tensor(by)), NULL, NULL, Tensor(of_rows), NULL, list_of]
            cases.add(operator, *head, 0, 0, 0, how, NULL, *outputs)
    # Nothing is written from the last end on, even if an earlier one is behind it.
    by, ends = factors("f32", (g, n)) / F32(64), Tensor(np.array([5, 3], np.int64))
    y, scale = quotient(unit(f32(x[:3].astype(np.int32) @ weight[0].astype(np.int32)) * of_rows[:3, None] * by[0], True), True)
    full = lambda part: np.concatenate([part, np.zeros((rows - 3, *part.shape[1:]), part.dtype)])
    outputs = [Out(kept(full(y), 3)), Out(kept(full(scale), 3))]
    cases.add("GroupedMatmulSwigluQuant", Tensor(x), Tensor(weight), NULL, NULL, Tensor(by), Tensor(of_rows), ends, *outputs, NULL)
    by, ends, y, scale = factors("f32", (g, n)), np.array([7], np.int64), np.zeros((rows, n // 2), np.int8), np.zeros(rows, F32)

    def wrong(x=x, weight=weight, by=by, of_rows=of_rows, ends=ends, y=y, scale=scale, code=INVALID):
        cases.add("GroupedMatmulSwigluQuant", given(x), given(weight), NULL, NULL, given(by), given(of_rows), given(ends), written(y), written(scale), NULL, code=code)

    for missing in ["x", "weight", "by", "of_rows", "ends", "y", "scale"]:
        wrong(**{missing: None, "code": NULLPTR})
    wrong(x=f32(x))
    wrong(weight=f32(weight))
    wrong(by=by.astype(np.float64))
    wrong(of_rows=of_rows.astype(F16))
    wrong(ends=ends.astype(np.int32))
    wrong(y=y.astype(np.int32))
    wrong(scale=scale.astype(F16))
    wrong(x=x[:, :8])
    wrong(weight=weight[0])
    wrong(weight=weight[..., :31], by=by[:, :31])
    wrong(by=by[:2])
    wrong(of_rows=of_rows[:2])
    wrong(y=y[:2])
    wrong(scale=scale[:2])
    wrong(ends=np.arange(4))


def powers(shape, seed=1):
    """Scales that round nothing."""
    return (2.0 ** np.random.default_rng(seed + sum(shape)).integers(-2, 2, size=shape)).astype(F32)


def whole(shape, seed=1, most=9):
    return np.random.default_rng(seed + sum(shape)).integers(-most, most, size=shape, endpoint=True)


FINALIZE = ["GroupedMatmulFinalizeRouting", "GroupedMatmulFinalizeRoutingV2", "GroupedMatmulFinalizeRoutingV3", "GroupedMatmulFinalizeRoutingWeightNz", "GroupedMatmulFinalizeRoutingWeightNzV2"]


def finalize_call(form, x, weight, scale, bias, tokens, groups, shared, factors, places, dtype, by, first, kind_of_list, out, turned=(False, False), offset=None, code=0):
    several = form not in (FINALIZE[0], FINALIZE[3])
    middle = [given(offset), NULL, NULL] if several else []
    tuning = [NULL] if form in (FINALIZE[2], FINALIZE[4]) else []
    cases.add(form, given(x), given(weight), given(scale), given(bias), *middle, given(tokens), given(groups), given(shared), given(factors), given(places), dtype, by, first, *turned, kind_of_list, *tuning, written(out), code=code)


def finalize_routing():
    e, m, k, n, results = 3, 8, 6, 5, 4
    x, weight, scale = whole((m, k)).astype(np.int8), whole((e, k, n), 2).astype(np.int8), powers((e, n))
    tokens, factors = powers((m,), 3), powers((m,), 4)
    places = np.array([3, 0, 1, 1, 2, 0, 3, 3], np.int64)
    shared, bias = whole((2, n), 5).astype(F32), whole((e, n), 6).astype(F32)
    for form, (dtype, to) in itertools.product(FINALIZE, enumerate(["f32", "f16", "bf16"])):
        for ends, beside, lasting in [([2, 2, 8], True, True), ([0, 5, 7], False, True), ([3, 4, 8], True, False)]:
            rows = np.zeros((m, n))
            groups = np.searchsorted(ends, np.arange(m), side="right")
            for row, group in enumerate(groups):
                if group < e:
                    rows[row] = (x[row].astype(int) @ weight[group].astype(int)) * scale[group].astype(float)
                    if lasting:
                        rows[row] = (rows[row] * tokens[row] + bias[group]) * factors[row]
            sums = np.zeros((results, n))
            if beside:
                sums[1:3] += shared * 0.5
            np.add.at(sums, places, rows)
            late = (bias, tokens, factors) if lasting else (None, None, None)
            half = shared.astype(kind("bf16")) if beside else None
            for counts in (False, True):
                listed = np.diff([0, *ends]) if counts else np.array(ends)
                index = places.astype(np.int32) if counts else places
                for turned in (False, True):
                    matrices = np.swapaxes(weight, 1, 2).copy() if turned else weight
                    finalize_call(form, x, matrices, scale if dtype else scale.astype(BF16), late[0], late[1], listed.astype(np.int64), half, late[2], index, dtype, 0.5, 1, int(counts), sums.astype(F32).astype(kind(to)), (False, turned))
    ends, out = np.array([2, 2, 8], np.int64), np.zeros((results, n), F32)

    def wrong(x=x, weight=weight, scale=scale, bias=bias, tokens=tokens, groups=ends, shared=shared.astype(BF16), factors=factors, places=places, dtype=0, first=1, kind_of_list=0, out=out, turned=(False, False), offset=None, code=INVALID):
        finalize_call(FINALIZE[1], x, weight, scale, bias, tokens, groups, shared, factors, places, dtype, 0.5, first, kind_of_list, out, turned, offset, code)

    for missing in ["x", "weight", "scale", "groups", "places", "out"]:
        wrong(**{missing: None, "code": NULLPTR})
    wrong(x=f32(x))
    wrong(weight=f32(weight))
    wrong(weight=np.zeros((e, k, 1), np.int32), code=NOT_EMULATED)
    wrong(scale=scale.astype(F16))
    wrong(bias=bias.astype(np.int32))
    wrong(tokens=tokens.astype(F16))
    wrong(groups=ends.astype(np.int32))
    wrong(shared=shared.astype(np.int8))
    wrong(factors=factors.astype(F16))
    wrong(places=f32(places))
    wrong(out=out.astype(np.int32))
    wrong(dtype=1)
    wrong(kind_of_list=2)
    wrong(turned=(True, False))
    wrong(turned=(False, True))
    wrong(weight=weight[0])
    wrong(scale=scale[:2])
    wrong(bias=bias[:, :4])
    wrong(tokens=tokens[:4])
    wrong(groups=np.arange(4))
    wrong(factors=factors[:4])
    wrong(places=places[:4])
    wrong(first=3)
    wrong(first=-1)
    wrong(shared=shared[:, :4].astype(BF16))
    wrong(offset=scale, code=NOT_EMULATED)


def reduce_sum():
    b, m, k, n = 3, 4, 7, 5
    x, weight = whole((b, m, k)).astype(np.int8), whole((b, k, n), 2).astype(np.int8)
    rows, scale = powers((b, m)), powers((n,), 3)
    sums = ((x.astype(int) @ weight.astype(int)) * rows.astype(float)[..., None]).sum(0) * scale.astype(float)
    nothing = Tensor(np.zeros(0, F32))

    def call(x=x, weight=weight, rows=rows, scale=scale, other=NULL, turned=(False, False), size=0, dims=(0,), keeps=False, out=None, code=0):
        cases.add("QuantMatmulReduceSumWeightNz", given(x), given(weight), given(rows), given(scale), other, NULL, nothing, NULL, NULL, *turned, size, Ints(dims), keeps, written(out), code=code)

    for to in H:
        out = sums.astype(F32).astype(kind(to))
        call(out=out)
        call(scale=scale.astype(BF16), other=nothing, keeps=True, out=out[None])
        call(weight=np.swapaxes(weight, 1, 2).copy(), turned=(False, True), out=out)
    refused = lambda code=INVALID, **changed: call(**({"out": out, "code": code} | changed))
    for missing in ["x", "weight", "rows", "scale", "out"]:
        refused(NULLPTR, **{missing: None})
    refused(x=f32(x))
    refused(weight=f32(weight))
    refused(rows=rows.astype(F16))
    refused(scale=scale.astype(F16))
    refused(out=out.astype(F32))
    refused(NOT_EMULATED, other=Tensor(scale))
    refused(NOT_EMULATED, size=32)
    refused(turned=(True, False))
    refused(dims=(1,))
    refused(keeps=True)
    refused(x=x[:2])
    refused(rows=rows[:, :3])
    refused(scale=scale[:4])
    refused(out=out[:3])
    refused(x=x[:, :0], rows=rows[:, :0], out=out[:0])


def grouped_dequant():
    g, m, k, n = 3, 6, 16, 8
    ends = np.array([2, 2, 5], np.int64)
    groups = np.searchsorted(ends, np.arange(m), side="right")
    x, weight, scale = data("f16", (m, k)), whole((g, k, n), 2, 100).astype(np.int8), factors("f32", (g, n))
    smooth = factors("f16", (k,), 3)
    old = np.frombuffer(b"\xa5" * (m * n * 2), F16).reshape(m, n)
    for form, by in itertools.product(["QuantGroupedMatmulDequant", "QuantGroupedMatmulDequantWeightNZ"], [None, smooth]):
        scaled = f32(x) * (1 if by is None else f32(by))
        for given_scale, mode in [(None, "pertoken"), (powers((m,), 4), "pertoken"), (powers((1,), 5), "pertensor")]:
            step = np.abs(scaled).max(-1) / F32(127) if given_scale is None else np.broadcast_to(given_scale, m)
            whole_rows = codes(scaled / step[:, None], "i8")
            out = old.copy()
            for row, group in enumerate(groups):
                if group < g:
                    sums = f32(whole_rows[row].astype(np.int64) @ weight[group].astype(np.int64))
                    out[row] = (sums * (scale[group] * step[row])).astype(F16)
            for turned in (True, False):
                matrices = np.swapaxes(weight, 1, 2).copy() if turned else weight
                cases.add(form, Tensor(x), Tensor(matrices), Tensor(scale), Tensor(ends), NULL, given(given_scale), NULL, given(by), Text(mode), turned, Out(out, 1), product="Ascend310P")
            if mode == "pertensor":
                both = (scale * given_scale).astype(F32).view(np.uint32).astype(np.int64)
                cases.add(form, Tensor(x), Tensor(weight), Tensor(both), Tensor(ends), NULL, given(given_scale), NULL, given(by), Text(mode), False, Out(out, 1), product="Ascend310P")

    def wrong(x=x, weight=weight, scale=scale, ends=ends, bias=None, rows=None, offset=None, smooth=smooth, mode="pertoken", out=old, code=INVALID, product="Ascend310P"):
        cases.add("QuantGroupedMatmulDequant", given(x), given(weight), given(scale), given(ends), given(bias), given(rows), given(offset), given(smooth), Text(mode), False, written(out), product=product, code=code)

    for missing in ["x", "weight", "scale", "ends", "out"]:
        wrong(**{missing: None, "code": NULLPTR})
    wrong(x=f32(x))
    wrong(weight=f32(weight))
    wrong(scale=scale.astype(F16))
    wrong(scale=scale.view(np.uint32).astype(np.int64))
    wrong(ends=ends.astype(np.int32))
    wrong(bias=scale[0], code=NOT_EMULATED)
    wrong(offset=scale[0], code=NOT_EMULATED)
    wrong(mode="pergroup")
    wrong(rows=scale[0, :5])
    wrong(smooth=smooth[:4])
    wrong(weight=weight[:, :8])
    wrong(scale=scale[:2])
    wrong(ends=ends[:2])
    wrong(out=old[:5])
    wrong(out=f32(old))
    wrong(product="Ascend910B")


def rotate_quant():
    for name, (shape, size) in itertools.product(H, [((3, 16), 16), ((4, 32), 8), ((2, 3, 24), 4)]):
        x, rotation = whole(shape).astype(kind(name)), whole((size, size), 2, 3).astype(kind(name))
        for turned in (False, True):
            matrix = f32(rotation).T if turned else f32(rotation)
            rows = (f32(x).reshape(-1, size) @ matrix).reshape(shape)
            for to in ["i8", "i4"]:
                y, scale = dynamic(rows, to)
                cases.add("RotateQuant", Tensor(x), Tensor(rotation), NULL, -1, Text("rint"), 0, 0.0, turned, Out(y), Out(scale))
        cases.add("RotateQuant", Tensor(x), Tensor(rotation), Tensor(np.zeros(0, F32)), len(shape) - 1, NULL, 0, 0.0, True, Out(y), Out(scale))
    x, rotation, y, scale = x[0], rotation, y[0], scale[0]

    def wrong(x=x, rotation=rotation, alpha=None, axis=-1, mode="rint", how=0, y=y, scale=scale, code=INVALID):
        cases.add("RotateQuant", given(x), given(rotation), given(alpha), axis, Text(mode), how, 0.0, False, written(y), written(scale), code=code)

    for missing in ["x", "rotation", "y", "scale"]:
        wrong(**{missing: None, "code": NULLPTR})
    wrong(x=f32(x), rotation=f32(rotation))
    wrong(rotation=rotation.astype(F16))
    wrong(y=y.astype(np.int16))
    wrong(scale=scale.astype(F16))
    wrong(alpha=np.ones(1, F32), code=NOT_EMULATED)
    wrong(axis=0)
    wrong(mode="floor", code=NOT_EMULATED)
    wrong(how=1, code=NOT_EMULATED)
    wrong(rotation=rotation[:3])
    wrong(rotation=np.ones((5, 5), BF16))
    wrong(y=y[:2])
    wrong(scale=scale[:2])


dynamic_quant()
ascend_quant()
dequant_swiglu_quant()
swi_glu_quant()
clipped_swiglu()
add_rms_norm_quant()
norm_dynamic_quant()
rms_norm_quant()
dynamic_block_quant()
grouped_matmul_swiglu_quant()
finalize_routing()
reduce_sum()
grouped_dequant()
rotate_quant()
cases.write("quantised")
