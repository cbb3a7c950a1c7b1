"""Cases of normalisation, forward and backward: PyTorch on the CPU in f64 where it has the operator, otherwise the published
formula in NumPy's f64. What is expected is rounded once to the type of the result.

References: PyTorch, NumPy.

Results may be a unit of the last place off, as sums are not exact; gradients in f32 four, of the smallest normal size of what
cancels. Where a kernel of CANN rounds in between, the formula here does. Writes cann-stubs/tests/data/normalization.cases.
Which types an operator takes is retyped here from CANN's public description and not read from the declarations.

    python xtask/golden/normalization.py
"""

import itertools

import numpy as np
import torch

from cases import NULL, Bools, Cases, Formatted, InOut, Ints, Out, Scalar, Tensor, Text, kind

np.seterr(all="ignore")
INVALID, NULLPTR, INNER, TILING = 161002, 161001, 561103, 561002
F = ["f32", "f16", "bf16"]
EPS = 1e-5
cases = Cases()


def data(name, shape, seed=1, low=-4, high=4, special=False):
    """Few digits, so that the file stays small."""
    random = np.random.default_rng(seed + sum(map(ord, name)) + 7 * sum(shape))
    x = np.round(random.uniform(low, high, size=shape) * 8) / 8
    x = np.asarray(x).astype(kind(name))
    if special and x.size > 2:
        x.reshape(-1)[[0, x.size // 2]] = [np.nan, np.inf]
    return x


def wide(x):
    return np.asarray(x).astype(np.float64)


def torched(x):
    return None if x is None else torch.from_numpy(wide(x).copy())


def rounded(x, name):
    """A number of a type. What is left of terms that cancel in f64 is zero: operands are eighths, of at most a few thousand."""
    x = wide(x.numpy() if isinstance(x, torch.Tensor) else x)
    return np.where(np.abs(x) < 1e-12, 0 * x, x).astype(kind(name))


def result(x, name, ulps=1):
    """A result of a type; zeros of sums that cancel are as good as numbers near them only in f64, so inputs avoid them."""
    return Out(rounded(x, name), ulps=ulps)


def untouched(shape, name):
    """What an output holds that is not written."""
    kept = np.full(int(np.prod(shape)) * np.dtype(kind(name)).itemsize, 0xA5, np.uint8).view(kind(name))
    return Out(kept.reshape(shape))


def given(x):
    return NULL if x is None else Tensor(x)


ROWS = [((3, 4), 1), ((2, 3, 4), 1), ((2, 3, 4), 2), ((5,), 1), ((2, 1, 3, 1, 2, 1, 2, 5), 3), ((1, 7), 1), ((3, 1), 1), ((2, 70), 1), ((20, 3), 1)]


def layers():
    for (shape, inner), name in itertools.product(ROWS, F):
        dims = shape[len(shape) - inner:]
        kept = shape[: len(shape) - inner] + (1,) * inner
        for weights, given_as in [((True, True), name), ((True, False), "f32"), ((False, True), "f32"), ((False, False), name)]:
            x = data(name, shape)
            weight, bias = [data(given_as, dims, seed=seed) if has else None for has, seed in zip(weights, [5, 6])]
            y, mean, rstd = torch.native_layer_norm(torched(x), dims, torched(weight), torched(bias), EPS)
            out = name if all(weights) else "f32"
            saved = [result(mean.reshape(kept), "f32"), result(rstd.reshape(kept), name)] if weights[0] else [NULL, NULL]
            arguments = [Tensor(x), Ints(dims), given(weight), given(bias), EPS, result(y, out), *saved]
            cases.add("LayerNorm", *arguments)
            if all(weights):
                cases.add("FastLayerNorm", *arguments)
                cases.add("LayerNormWithImplMode", *arguments, 1)
            if shape == (3, 4):
                cases.add("LayerNorm", *arguments, product="Ascend950")
        gradients(shape, inner, name)
    # NaN and infinity make their row NaN, and no other one.
    x = data("f32", (3, 4))
    x[0, 1], x[2, 3] = np.nan, np.inf
    y, mean, rstd = torch.native_layer_norm(torched(x), (4,), None, None, EPS)
    cases.add("LayerNorm", Tensor(x), Ints([4]), NULL, NULL, EPS, result(y, "f32"), result(mean, "f32"), result(rstd, "f32"))
    # Numbers whose mean is large beside their differences.
    x = data("f32", (2, 64)) + np.float32(4096)
    y, mean, rstd = torch.native_layer_norm(torched(x), (64,), None, None, EPS)
    cases.add("LayerNorm", Tensor(x), Ints([64]), NULL, NULL, EPS, result(y, "f32"), result(mean, "f32"), result(rstd, "f32"))
    none = np.zeros((0, 4), np.float32)
    cases.add("LayerNorm", Tensor(none), Ints([4]), NULL, NULL, EPS, Out(none), Out(none[:, :1]), Out(none[:, :1]))
    bare = np.zeros((3, 0), np.float32)
    zero, nan = np.zeros((3, 1), np.float32), np.full((3, 1), np.nan, np.float32)
    cases.add("LayerNorm", Tensor(bare), Ints([0]), NULL, NULL, EPS, Out(bare), Out(zero), Out(nan))
    # The 950 leaves empty statistics alone; elsewhere they end where the result is written, as those of other shapes do.
    y = torch.native_layer_norm(torched(x), (64,), None, None, EPS)[0]
    for own, dims, out in [(x, [64], result(y, "f32")), (bare, [0], Out(bare))]:
        arguments = [Tensor(own), Ints(dims), NULL, NULL, EPS, out, Out(none), Out(none)]
        cases.add("LayerNorm", *arguments, product="Ascend950")
        cases.add("LayerNorm", *arguments, code=INNER)
    refused_layers()


def gradients(shape, inner, name):
    dims = shape[len(shape) - inner:]
    for has_weight, mask in [(True, (True, True, True)), (False, (True, False, True)), (True, (False, True, False)), (True, (True, False, False))]:
        x, g = data(name, shape), data(name, shape, seed=2)
        weight = data(name if mask[0] else "f32", dims, seed=5) if has_weight else None
        _, mean, rstd = torch.native_layer_norm(torched(x), dims, None, None, EPS)
        mean, rstd = rounded(mean, "f32"), rounded(rstd, "f32")
        ones = torch.ones(dims, dtype=torch.float64)
        used = ones if weight is None else torched(weight)
        expected = torch.ops.aten.native_layer_norm_backward(torched(g), torched(x), dims, torched(mean), torched(rstd), used, ones, (True,) * 3)
        outs = [result(y, to, ulps=4) if is_wanted else NULL for y, to, is_wanted in zip(expected, [name, "f32", name], mask)]
        cases.add("LayerNormBackward", Tensor(g), Tensor(x), Ints(dims), Tensor(mean), Tensor(rstd), given(weight), NULL, Bools(mask), *outs)


def refused_layers():
    x, w = data("f32", (3, 4)), data("f32", (4,))
    out, kept = Out(x), Out(np.zeros((3, 1), np.float32))
    plain = [Ints([4]), Tensor(w), NULL, EPS]
    cases.add("LayerNorm", NULL, *plain, out, kept, kept, code=NULLPTR)
    cases.add("LayerNorm", Tensor(x), NULL, Tensor(w), NULL, EPS, out, kept, kept, code=NULLPTR)
    cases.add("LayerNorm", Tensor(x), *plain, NULL, kept, kept, code=NULLPTR)
    cases.add("LayerNorm", Tensor(x.astype(np.float64)), *plain, out, kept, kept, code=INVALID)
    cases.add("LayerNorm", Tensor(x), Ints([4]), Tensor(w.astype(np.float16)), NULL, EPS, out, kept, kept, code=INVALID)
    cases.add("LayerNorm", Tensor(x.astype(np.float16)), Ints([4]), Tensor(w.astype(np.float16)), Tensor(w), EPS, out, kept, kept, code=INVALID)
    cases.add("LayerNorm", Tensor(x), Ints([3]), NULL, NULL, EPS, out, kept, kept, code=INVALID)
    cases.add("LayerNorm", Tensor(x), Ints([]), NULL, NULL, EPS, out, kept, kept, code=INVALID)
    cases.add("LayerNorm", Tensor(x), Ints([2, 3, 4]), NULL, NULL, EPS, out, kept, kept, code=INVALID)
    cases.add("LayerNorm", Tensor(x), Ints([4]), Tensor(w[:3]), NULL, EPS, out, kept, kept, code=INVALID)
    cases.add("LayerNorm", Tensor(x), *plain, Out(x[:2]), kept, kept, code=INVALID)
    cases.add("LayerNorm", Tensor(x), *plain, Out(x.astype(np.int32)), kept, kept, code=INVALID)
    flat = np.zeros((3,), np.float32)
    cases.add("LayerNorm", Tensor(x), *plain, out, Out(flat), kept, code=INVALID, product="Ascend950")
    cases.add("LayerNorm", Tensor(x), *plain, out, Out(flat[:2]), kept, code=INNER)
    _, mean, rstd = torch.native_layer_norm(torched(x), (4,), None, None, EPS)
    y = torch.native_layer_norm(torched(x), (4,), torched(w), None, EPS)[0]
    cases.add("LayerNorm", Tensor(x), *plain, result(y, "f32"), result(mean.reshape(3), "f32"), result(rstd, "f32"))
    bf16 = x.astype(kind("bf16"))
    cases.add("LayerNorm", Tensor(bf16), Ints([4]), NULL, NULL, EPS, out, NULL, NULL, code=INVALID, product="Ascend910")
    cases.add("LayerNormWithImplMode", Tensor(x), *plain, out, kept, kept, 3, code=INVALID)
    cases.add("LayerNormWithImplMode", Tensor(x), *plain, out, kept, kept, 2, code=INVALID)
    cases.add("FastLayerNorm", Tensor(x), *plain, Out(x.astype(np.float16)), kept, kept, code=INNER)
    cases.add("FastLayerNorm", Tensor(x), *plain, out, kept, kept, code=INVALID, product="Ascend950")
    g, mean, rstd, mask = Tensor(x), Tensor(flat[:, None]), Tensor(flat[:, None]), Bools([True] * 3)
    outs = [Out(x), Out(w), Out(w)]
    cases.add("LayerNormBackward", g, Tensor(x), Ints([4]), mean, rstd, NULL, NULL, Bools([True] * 2), *outs, code=INVALID)
    cases.add("LayerNormBackward", g, Tensor(x), Ints([4]), mean, rstd, NULL, NULL, mask, NULL, *outs[1:], code=NULLPTR)
    cases.add("LayerNormBackward", g, Tensor(x), Ints([4]), NULL, rstd, NULL, NULL, mask, *outs, code=NULLPTR)
    cases.add("LayerNormBackward", g, Tensor(x.astype(np.float16)), Ints([4]), mean, rstd, NULL, NULL, mask, *outs, code=INVALID)
    cases.add("LayerNormBackward", g, Tensor(x), Ints([4]), Tensor(flat[:2]), rstd, NULL, NULL, mask, *outs, code=INVALID)
    cases.add("LayerNormBackward", g, Tensor(x), Ints([4]), mean, rstd, NULL, NULL, Bools([False] * 3), NULL, NULL, NULL)
    none = np.zeros((0, 4), np.float32)
    zero = Out(np.zeros(4, np.float32))
    cases.add("LayerNormBackward", Tensor(none), Tensor(none), Ints([4]), Tensor(none[:, :1]), Tensor(none[:, :1]), NULL, NULL, mask, Out(none), zero, zero)


def sums_of_layers():
    for (shape, inner), name in itertools.product(ROWS[:5], F):
        dims = shape[len(shape) - inner:]
        kept = shape[: len(shape) - inner] + (1,) * inner
        x1, x2, gamma, beta = data(name, shape), data(name, shape, seed=2), data(name, dims, seed=5), data(name, dims, seed=6)
        for bias in [None, data(name, dims, seed=7), data(name, shape, seed=8)]:
            total = torched(x1) + torched(x2) + (0 if bias is None else torched(bias))
            y, mean, rstd = torch.native_layer_norm(total, dims, torched(gamma), torched(beta), EPS)
            saved = [result(mean.reshape(kept), "f32"), result(rstd.reshape(kept), "f32")]
            more = bias is not None
            last = result(total, name) if more else untouched(shape, name)
            cases.add("AddLayerNorm", Tensor(x1), Tensor(x2), Tensor(gamma), Tensor(beta), given(bias), EPS, more, result(y, name), *saved, last)
        total = 0.75 * torched(x1) + torched(x2)
        y, mean, rstd = torch.native_layer_norm(total, dims, torched(gamma), torched(beta), EPS)
        saved = [result(mean.reshape(kept), "f32"), result(rstd.reshape(kept), "f32")]
        cases.add("DeepNorm", Tensor(x1), Tensor(x2), Tensor(beta), Tensor(gamma), 0.75, EPS, *saved, result(y, name))
    x, w = data("f32", (3, 4)), data("f32", (4,))
    kept = Out(np.zeros((3, 1), np.float32))
    both = [Tensor(x), Tensor(x)]
    cases.add("AddLayerNorm", *both, Tensor(w[:3]), Tensor(w[:3]), NULL, EPS, False, Out(x), kept, kept, Out(x), code=TILING)
    cases.add("AddLayerNorm", *both, Tensor(w), Tensor(w), NULL, EPS, False, Out(x), Out(np.zeros((3, 1), np.float16)), kept, Out(x), code=INVALID)
    cases.add("DeepNorm", *both, Tensor(w), NULL, 1.0, EPS, kept, kept, Out(x), code=NULLPTR)
    cases.add("DeepNorm", *both, Tensor(w), Tensor(w.astype(np.float16)), 1.0, EPS, kept, kept, Out(x), code=INVALID)


def rms(x, gamma, inner, eps=1e-6):
    axes = tuple(range(x.ndim - inner, x.ndim))
    rstd = 1 / np.sqrt(np.mean(wide(x) ** 2, axis=axes, keepdims=True) + eps)
    return wide(x) * rstd * wide(gamma), rstd


def rms_gradients(g, x, rstd, gamma, inner):
    axes = tuple(range(x.ndim - inner, x.ndim))
    g, x, rstd, gamma = map(wide, (g, x, rstd, gamma))
    of_x = rstd * (g * gamma - x * rstd**2 * np.mean(g * gamma * x, axis=axes, keepdims=True))
    return of_x, np.sum(g * x * rstd, axis=tuple(range(x.ndim - inner)))


def half(x, name):
    return wide(wide(x).astype(kind(name)))


def root_mean_squares():
    # The formulas are PyTorch's.
    x, gamma = data("f32", (3, 4)), data("f32", (4,), seed=5)
    leaves = [torched(x).requires_grad_(), torched(gamma).requires_grad_()]
    y = torch.nn.functional.rms_norm(leaves[0], (4,), leaves[1], 1e-6)
    np.testing.assert_allclose(y.detach().numpy(), rms(x, gamma, 1)[0], rtol=1e-12)
    g = data("f32", (3, 4), seed=2)
    y.backward(torched(g))
    for ours, leaf in zip(rms_gradients(g, x, rms(x, gamma, 1)[1], gamma, 1), leaves):
        np.testing.assert_allclose(ours, leaf.grad.numpy(), rtol=1e-9)
    for (shape, inner), name in itertools.product(ROWS, F):
        dims = shape[len(shape) - inner:]
        for weight in {name, "f32"}:
            x, gamma, g = data(name, shape), data(weight, dims, seed=5), data(name, shape, seed=2)
            y, rstd = rms(x, gamma, inner)
            cases.add("RmsNorm", Tensor(x), Tensor(gamma), 1e-6, result(y, name), result(rstd, "f32"))
            rstd = rounded(rstd, "f32")
            of_x, of_gamma = rms_gradients(g, x, rstd, gamma, inner)
            cases.add("RmsNormGrad", Tensor(g), Tensor(x), Tensor(rstd), Tensor(gamma), result(of_x, name, ulps=4), result(of_gamma, "f32", ulps=4))
        gamma = data(name, dims, seed=5)
        y, rstd = rms(x, 1 + wide(gamma), inner)
        cases.add("GemmaRmsNorm", Tensor(x), Tensor(gamma), 1e-6, result(y, name), result(rstd, "f32"))
        added(shape, inner, name, "Ascend910B")
    added((2, 3, 4), 1, "bf16", "Ascend950")
    added((2, 3, 4), 1, "f16", "Ascend950")
    # The tensor library gives rstd fewer axes.
    x = data("f32", (1, 2, 3, 4))
    y, rstd = rms(x, np.ones(4), 1)
    cases.add("RmsNorm", Tensor(x), Tensor(np.ones(4, np.float32)), 1e-6, result(y, "f32"), result(rstd.reshape(1, 2, 3), "f32"))
    none = np.zeros((0, 4), np.float32)
    cases.add("RmsNorm", Tensor(none), Tensor(np.ones(4, np.float32)), 1e-6, Out(none), Out(none[:, :1]))
    refused_roots()


def added(shape, inner, name, product):
    dims = shape[len(shape) - inner:]
    x1, x2, gamma = data(name, shape), data(name, shape, seed=2), data(name, dims, seed=5)
    # So that the sum of halves has more digits than they have.
    x2 = (wide(x2) / 3).astype(kind(name))
    total = half(wide(x1) + wide(x2), "f32")
    if name == "f16" and product == "Ascend910B":
        total = half(total, "f16")
    y, rstd = rms(total, np.ones(dims), inner)
    if name != "f32" and product == "Ascend910B":
        y = half(y, name)
    y = y * wide(gamma)
    outs = [result(y, name), result(rstd, "f32"), result(total, name)]
    cases.add("AddRmsNorm", Tensor(x1), Tensor(x2), Tensor(gamma), 1e-6, *outs, product=product)
    place = [InOut(x1, outs[0].array, ulps=1), InOut(x2, outs[2].array, ulps=1)]
    cases.add("InplaceAddRmsNorm", *place, Tensor(gamma), 1e-6, outs[1], product=product)
    if name != "f32" and inner <= 2:
        cases.add("AddRmsNorm", Tensor(x1), Tensor(x2), Tensor(gamma), 1e-6, outs[0], NULL, outs[2], product=product)
        cases.add("AddRmsNorm", Tensor(x1), Tensor(x2), Tensor(gamma), 1e-6, outs[0], NULL, NULL, product=product)


def refused_roots():
    x, w = data("f32", (3, 4)), data("f32", (4,))
    kept = Out(np.zeros((3, 1), np.float32))
    cases.add("RmsNorm", Tensor(x), NULL, 1e-6, Out(x), kept, code=NULLPTR)
    # Shapes are told where the work is divided, and nothing is empty.
    kept_of = lambda rows: Out(np.zeros((rows, 1), np.float32))
    inplace = lambda first, second, weight, rows, code: cases.add("InplaceAddRmsNorm", InOut(first, first), InOut(second, second), Tensor(weight), 1e-6, kept_of(rows), code=code)
    inplace(x, x[:2].copy(), w, 3, TILING)
    inplace(x, x, w[:3].copy(), 3, TILING)
    inplace(x, x, w, 2, TILING)
    inplace(x[:0].copy(), x[:0].copy(), w, 0, TILING)
    inplace(x, x.astype(np.float16), w, 3, INVALID)
    cases.add("RmsNorm", Tensor(x), Tensor(w), 1e-6, Out(x), NULL, code=NULLPTR)
    cases.add("RmsNorm", Tensor(x.astype(np.int32)), Tensor(w), 1e-6, Out(x), kept, code=INVALID)
    cases.add("RmsNorm", Tensor(x), Tensor(w.astype(np.float16)), 1e-6, Out(x), kept, code=INVALID)
    cases.add("RmsNorm", Tensor(x), Tensor(w), 1e-6, Out(x), Out(np.zeros((3, 1), np.float16)), code=INVALID)
    cases.add("RmsNorm", Tensor(x), Tensor(w[:3]), 1e-6, Out(x), kept, code=TILING)
    cases.add("RmsNorm", Tensor(x), Tensor(w), 1e-6, Out(x), Out(np.zeros(2, np.float32)), code=TILING)
    cases.add("RmsNorm", Tensor(x.astype(np.float16)), Tensor(w), 1e-6, Out(x.astype(np.float16)), kept, code=INVALID, product="Ascend310P")
    cases.add("GemmaRmsNorm", Tensor(x.astype(np.float16)), Tensor(w), 1e-6, Out(x.astype(np.float16)), kept, code=INVALID)
    cases.add("RmsNormGrad", Tensor(x), Tensor(x), Tensor(w), Tensor(w), Out(x), Out(w.astype(np.float16)), code=INVALID)
    cases.add("RmsNormGrad", Tensor(x), Tensor(x), Tensor(w), Tensor(w), Out(x), Out(w), code=TILING)
    both = [Tensor(x), Tensor(x)]
    cases.add("AddRmsNorm", *both, Tensor(w), 1e-6, Out(x), kept, NULL, code=NULLPTR)
    cases.add("AddRmsNorm", *both, Tensor(w), 1e-6, Out(x), NULL, Out(x), code=INVALID)
    cases.add("AddRmsNorm", *both, Tensor(w), 1e-6, NULL, kept, Out(x), code=NULLPTR)
    cases.add("AddRmsNorm", Tensor(x), Tensor(x[:2]), Tensor(w), 1e-6, Out(x), kept, Out(x), code=INVALID)
    cases.add("AddRmsNorm", Tensor(x), Tensor(x.astype(np.float16)), Tensor(w), 1e-6, Out(x), kept, Out(x), code=INVALID)
    none = np.zeros((0, 4), np.float32)
    cases.add("AddRmsNorm", Tensor(none), Tensor(none), Tensor(w), 1e-6, Out(none), Out(none[:, :1]), Out(none))


GROUPS = [((2, 4, 3), 2), ((2, 4, 3), 4), ((2, 4, 3), 1), ((1, 6), 3), ((2, 6, 2, 5), 3), ((1, 2, 1, 3, 1, 2, 1, 2), 2), ((1, 4, 37), 2)]


def groups():
    for (shape, group), name in itertools.product(GROUPS, F):
        images, channels = shape[:2]
        area = int(np.prod(shape[2:]))
        for weights in [(True, True), (True, False), (False, False), (False, True)][: 4 if shape == (2, 4, 3) else 2]:
            x, g = data(name, shape), data(name, shape, seed=2)
            gamma, beta = [data(name, (channels,), seed=seed) if has else None for has, seed in zip(weights, [5, 6])]
            y, mean, rstd = torch.native_group_norm(torched(x), torched(gamma), torched(beta), images, channels, area, group, EPS)
            saved = [result(mean, name), result(rstd, name)]
            sizes = [images, channels, area, group]
            cases.add("GroupNorm", Tensor(x), given(gamma), given(beta), *sizes, EPS, result(y, name), *saved)
            activated = torch.nn.functional.silu(y)
            cases.add("GroupNormSilu", Tensor(x), given(gamma), given(beta), group, EPS, result(activated, name, ulps=2), *saved)
            cases.add("GroupNormSiluV2", Tensor(x), given(gamma), given(beta), group, EPS, False, result(y, name), *saved)
            mask = (True, weights[0], weights[1]) if weights != (False, False) else (True, True, True)
            mean, rstd = rounded(mean, name), rounded(rstd, name)
            expected = torch.ops.aten.native_group_norm_backward(
                torched(g), torched(x), torched(mean), torched(rstd), torched(gamma), images, channels, area, group, (True,) * 3
            )
            outs = [result(y, name, ulps=8) if is_wanted else NULL for y, is_wanted in zip(expected, mask)]
            cases.add("GroupNormBackward", Tensor(g), Tensor(x), Tensor(mean), Tensor(rstd), given(gamma), *sizes, Bools(mask), *outs)
    # Weights of f32 beside halves.
    x, gamma, beta = data("f16", (2, 4, 3)), data("f32", (4,), seed=5), data("f32", (4,), seed=6)
    y, mean, rstd = torch.native_group_norm(torched(x), torched(gamma), torched(beta), 2, 4, 3, 2, EPS)
    for product, saved in [("Ascend910B", "f16"), ("Ascend950", "f32")]:
        cases.add("GroupNormSiluV2", Tensor(x), Tensor(gamma), Tensor(beta), 2, EPS, False, result(y, "f16"), result(mean, saved), result(rstd, saved), product=product)
    none = np.zeros((2, 0, 3), np.float32)
    empty = [Out(none), Out(np.zeros((2, 2), np.float32)), Out(np.full((2, 2), np.nan, np.float32))]
    cases.add("GroupNorm", Tensor(none), NULL, NULL, 2, 0, 3, 2, EPS, *empty)
    cases.add("GroupNormSilu", Tensor(none), NULL, NULL, 2, EPS, *empty, code=INVALID)
    flat = np.zeros((2, 4, 0), np.float32)
    cases.add("GroupNormSilu", Tensor(flat), NULL, NULL, 2, EPS, Out(flat), *empty[1:])
    cases.add("GroupNormBackward", Tensor(flat), Tensor(flat), Tensor(empty[1].array), Tensor(empty[1].array), NULL, 2, 4, 0, 2, Bools([False, True, True]), NULL, untouched((4,), "f32"), untouched((4,), "f32"))
    zero = Out(np.zeros(4, np.float32))
    cases.add("GroupNormBackward", Tensor(flat), Tensor(flat), Tensor(empty[1].array), Tensor(empty[1].array), NULL, 2, 4, 0, 2, Bools([False, True, True]), NULL, zero, zero, product="Ascend950")
    x, w, kept = data("f32", (2, 4, 3)), data("f32", (4,)), Out(np.zeros((2, 2), np.float32))
    plain = [Tensor(w), NULL]
    cases.add("GroupNorm", NULL, *plain, 2, 4, 3, 2, EPS, Out(x), kept, kept, code=NULLPTR)
    cases.add("GroupNorm", Tensor(x), *plain, 2, 4, 3, 2, EPS, Out(x), NULL, kept, code=NULLPTR)
    cases.add("GroupNorm", Tensor(x), *plain, 2, 4, 3, 3, EPS, Out(x), kept, kept, code=INVALID)
    cases.add("GroupNorm", Tensor(x), *plain, 2, 4, 3, 0, EPS, Out(x), kept, kept, code=INVALID)
    cases.add("GroupNorm", Tensor(x), *plain, 2, 4, 3, 2, 0.0, Out(x), kept, kept, code=INVALID)
    cases.add("GroupNorm", Tensor(x), *plain, 2, 4, 4, 2, EPS, Out(x), kept, kept, code=INVALID)
    cases.add("GroupNorm", Tensor(x), Tensor(w[:2]), NULL, 2, 4, 3, 2, EPS, Out(x), kept, kept, code=INVALID)
    cases.add("GroupNorm", Tensor(x), *plain, 2, 4, 3, 2, EPS, Out(x), Out(np.zeros(4, np.float32)), kept, code=INVALID)
    cases.add("GroupNorm", Tensor(x), Tensor(w.astype(np.float16)), NULL, 2, 4, 3, 2, EPS, Out(x), kept, kept, code=INVALID)
    saved = [Tensor(np.zeros((2, 2), np.float32))] * 2
    outs = [Out(x), Out(w), Out(w)]
    cases.add("GroupNormBackward", Tensor(x), Tensor(x), *saved, NULL, 2, 4, 3, 2, NULL, *outs, code=INVALID)
    cases.add("GroupNormBackward", Tensor(x), Tensor(x), *saved, NULL, 2, 4, 3, 2, Bools([True]), *outs, code=INVALID)
    cases.add("GroupNormBackward", Tensor(x), Tensor(x), *saved, NULL, 2, 4, 3, 2, Bools([True] * 3), NULL, *outs[1:], code=INVALID)
    cases.add("GroupNormBackward", Tensor(x), NULL, *saved, NULL, 2, 4, 3, 2, Bools([True] * 3), *outs, code=NULLPTR)
    cases.add("GroupNormBackward", Tensor(x), Tensor(x), *saved, NULL, 2, 4, 2, 2, Bools([True] * 3), *outs, code=INVALID)


BATCHES = [(3, 4), (2, 3, 4), (2, 3, 2, 5), (2, 3, 1, 2, 3), (1, 2, 1, 3, 1, 2, 1, 2), (1, 3), (40, 2, 3)]


def batches():
    for shape, name, product in itertools.product(BATCHES, F, ["Ascend910B", "Ascend950"]):
        if product == "Ascend950" and shape not in [(2, 3, 4), (1, 3)]:
            continue
        channels = shape[1]
        for (weights, running), training in itertools.product([((True, True), True), ((False, True), False), ((True, False), True)], [True, False]):
            x, g = data(name, shape), data(name, shape, seed=2)
            of = "f32" if weights[0] else name
            weight, bias = [data(of, (channels,), seed=seed) if has else None for has, seed in zip(weights, [5, 6])]
            old_mean = data("f32", (channels,), seed=7) if running else None
            old_variance = np.abs(data("f32", (channels,), seed=8)) + np.float32(0.5) if running else None
            axes = tuple(axis for axis in range(len(shape)) if axis != 1)
            mean, variance = wide(x).mean(axes), wide(x).var(axes)
            if not training:
                mean = np.zeros(channels) if old_mean is None else wide(old_mean)
                variance = np.ones(channels) if old_variance is None else wide(old_variance)
            y = torch.nn.functional.batch_norm(torched(x), torch.from_numpy(mean), torch.from_numpy(variance), torched(weight), torched(bias), False, 0.1, EPS)
            count = x.size // channels
            unbiased = count / (count - 1) if count > 1 else (1.0 if product == "Ascend910B" else np.nan)
            updated = [NULL, NULL]
            if running:
                new = [0.75 * wide(old_mean) + 0.25 * mean, 0.75 * wide(old_variance) + 0.25 * variance * unbiased]
                updated = [InOut(old, rounded(now, "f32") if training else old, ulps=1) for old, now in zip([old_mean, old_variance], new)]
            inverse = 1 / np.sqrt(variance + EPS)
            second = inverse if product == "Ascend950" else variance
            saved = [result(mean, "f32"), result(second, "f32")] if training else [untouched((channels,), "f32"), NULL]
            cases.add("BatchNorm", Tensor(x), given(weight), given(bias), *updated, training, 0.25, EPS, result(y, name), *saved, product=product)
            mean, second = rounded(mean, "f32"), rounded(second, "f32")
            used = wide(second) if product == "Ascend950" and training else 1 / np.sqrt(wide(second if training else variance) + EPS)
            mask = (True, weights[0], weights[1])
            if training:
                expected = torch.ops.aten.native_batch_norm_backward(torched(g), torched(x), torched(weight), None, None, torched(mean), torch.from_numpy(used), True, EPS, (True,) * 3)
            else:
                expected = torch.ops.aten.native_batch_norm_backward(torched(g), torched(x), torched(weight), torched(mean), torch.from_numpy(wide(variance)), None, None, False, EPS, (True,) * 3)
            outs = [result(y, to, ulps=8) if is_wanted else NULL for y, to, is_wanted in zip(expected, [name, "f32", "f32"], mask)]
            statistics = [NULL, NULL, Tensor(mean), Tensor(second)] if training else [given(old_mean), given(old_variance), NULL, NULL]
            arguments = [Tensor(g), Tensor(x), given(weight), *statistics, training, EPS, Bools(mask)]
            cases.add("BatchNormBackward", *arguments, *outs, product=product)
            cases.add("FastBatchNormBackward", *arguments, 0, *outs, product=product)
        mean, variance = wide(x).mean(axes), wide(x).var(axes)
        inverse = 1 / np.sqrt(variance + EPS)
        if name != "bf16":
            cases.add("BatchNormStats", Tensor(x), EPS, result(mean, "f32"), result(inverse, "f32"), product=product)
        weight, bias = data("f32", (channels,), seed=5), data(name, (channels,), seed=6)
        mean, inverse = rounded(mean, "f32"), rounded(inverse, "f32")
        along = (1, channels) + (1,) * (len(shape) - 2)
        for weight, bias in [(weight, bias), (None, None)]:
            w, b = [fill if array is None else wide(array).reshape(along) for array, fill in [(weight, 1), (bias, 0)]]
            y = (wide(x) - wide(mean).reshape(along)) * wide(inverse).reshape(along) * w + b
            cases.add("BatchNormElemt", Tensor(x), given(weight), given(bias), Tensor(mean), Tensor(inverse), EPS, result(y, name, ulps=2), product=product)
    x, w = data("f32", (2, 3, 4)), data("f32", (3,))
    four = [Tensor(w), NULL, NULL, NULL]
    kept = [Out(w), Out(w)]
    cases.add("BatchNorm", NULL, *four, True, 0.1, EPS, Out(x), *kept, code=NULLPTR)
    cases.add("BatchNorm", Tensor(x), *four, True, 0.1, EPS, Out(x), NULL, kept[1], code=NULLPTR)
    cases.add("BatchNorm", Tensor(x), *four, True, 0.1, EPS, Out(x.astype(np.float16)), *kept, code=INNER)
    cases.add("BatchNorm", Tensor(x), *four, True, 0.1, EPS, Out(x[:1]), *kept, code=INVALID)
    cases.add("BatchNorm", Tensor(x), Tensor(w[:2]), NULL, NULL, NULL, True, 0.1, EPS, Out(x), *kept, code=INVALID)
    cases.add("BatchNorm", Tensor(x.astype(np.int32)), *four, True, 0.1, EPS, Out(x), *kept, code=INVALID)
    cases.add("BatchNorm", Tensor(w), *four, True, 0.1, EPS, Out(w), *kept, code=INVALID)
    none = np.zeros((0, 3, 4), np.float32)
    empty = [Out(np.zeros(3, np.float32)), Out(np.full(3, np.nan, np.float32))]
    cases.add("BatchNorm", Tensor(none), *four, True, 0.1, EPS, Out(none), *empty)
    cases.add("BatchNormStats", Tensor(none), EPS, *empty)
    cases.add("BatchNormStats", Tensor(data("bf16", (2, 3))), EPS, *kept, code=INVALID)
    cases.add("BatchNormStats", Tensor(none[:, :0]), EPS, Out(w[:0]), Out(w[:0]), code=INVALID)
    cases.add("BatchNormElemt", Tensor(x), NULL, NULL, NULL, Tensor(w), EPS, Out(x), code=INVALID)
    cases.add("BatchNormElemt", Tensor(x), NULL, NULL, Tensor(w), Tensor(w), EPS, Out(x.astype(np.float16)), code=INVALID)
    mask = Bools([True] * 3)
    cases.add("BatchNormBackward", Tensor(x), Tensor(x), *[NULL] * 5, True, EPS, NULL, Out(x), *kept, code=NULLPTR)
    cases.add("BatchNormBackward", Tensor(x), Tensor(x), *[NULL] * 5, True, EPS, mask, NULL, *kept, code=NULLPTR)
    cases.add("BatchNormBackward", Tensor(x), Tensor(x.astype(np.float16)), *[NULL] * 5, True, EPS, mask, Out(x), *kept, code=INVALID)
    cases.add("BatchNormBackward", Tensor(x), Tensor(x), Tensor(w[:2]), *[NULL] * 4, True, EPS, mask, Out(x), *kept, code=INVALID)
    short = Bools([True] * 2)
    for product, code in [("Ascend910B", INVALID), ("Ascend950", NULLPTR)]:
        cases.add("BatchNormBackward", Tensor(x), Tensor(x), *[NULL] * 5, True, EPS, short, Out(x), *kept, code=code, product=product)
    # What is empty is nothing, before the mask is looked at.
    cases.add("BatchNormBackward", Tensor(none), Tensor(none), *[NULL] * 5, True, EPS, NULL, Out(none), NULL, NULL)
    # On the 950 what belongs together has one type, that of the gradient or f32.
    h, v = x.astype(np.float16), w.astype(np.float16)
    pairs = lambda *given, outs=kept, training=True: [Tensor(h), Tensor(h), NULL, *given, training, EPS, mask, Out(h), *outs]
    for arguments in [pairs(Tensor(w), Tensor(v), NULL, NULL), pairs(NULL, NULL, Tensor(w), Tensor(v)), pairs(*[NULL] * 4, outs=[Out(w), Out(v)])]:
        cases.add("BatchNormBackward", *arguments, code=INVALID, product="Ascend950")
    # Formats that say how axes lie leave the channels on axis 1; on the 950 two of them have them last.
    image = data("f32", (2, 3, 2, 3))
    along = lambda axis: tuple(other for other in range(4) if other != axis)
    for format, product, axis in [("HWCN", "Ascend910B", 1), ("NDHWC", "Ascend910B", 1), ("NHWC", "Ascend910B", 1), ("HWCN", "Ascend950", 1), ("NDHWC", "Ascend950", 3), ("NHWC", "Ascend950", 3)]:
        y = torch.nn.functional.batch_norm(torched(np.moveaxis(image, axis, 1)), None, None, training=True, eps=EPS)
        mean, variance = wide(image).mean(along(axis)), wide(image).var(along(axis))
        saved = [result(mean, "f32"), result(1 / np.sqrt(variance + EPS) if product == "Ascend950" else variance, "f32")]
        y = Formatted(format, result(y.movedim(1, axis), "f32"))
        cases.add("BatchNorm", Formatted(format, Tensor(image)), *[NULL] * 4, True, 0.1, EPS, y, *saved, product=product)
        cases.add("BatchNorm", Formatted("NC1HWC0", Tensor(image)), *[NULL] * 4, True, 0.1, EPS, y, *saved, code=INVALID, product=product)
    # PyTorch's plugin passes empty statistics of the training where it does not train.
    none_saved, zero = [Tensor(w[:0])] * 2, np.zeros(3, np.float32)
    y = torch.ops.aten.native_batch_norm_backward(torched(x), torched(x), None, torched(zero), torched(zero + 1), None, None, False, EPS, (True,) * 3)
    outs = [result(y, "f32", ulps=4) for y in y]
    cases.add("BatchNormBackward", Tensor(x), Tensor(x), NULL, Tensor(zero), Tensor(zero + 1), *none_saved, False, EPS, mask, *outs)
    cases.add("BatchNormBackward", Tensor(none), Tensor(none), *[NULL] * 5, True, EPS, mask, Out(none), untouched((3,), "f32"), untouched((3,), "f32"))
    # The tests give images and volumes the formats with channels on axis 1.
    for name in F:
        image = data(name, (2, 3, 4, 5))
        sums = [result(wide(image).sum((0, 2, 3)), "f32"), result((wide(image) ** 2).sum((0, 2, 3)), "f32")]
        cases.add("BatchNormReduce", Tensor(image), *sums)
    cases.add("BatchNormReduce", Tensor(x), *kept, code=INVALID)
    cases.add("BatchNormReduce", Tensor(image), kept[0], Out(w.astype(np.float16)), code=INVALID)
    none = np.zeros((0, 3, 4, 5), np.float32)
    cases.add("BatchNormReduce", Tensor(none), Out(np.zeros(3, np.float32)), Out(np.zeros(3, np.float32)))


def parts():
    """Two devices have each a part of a batch: together they make what PyTorch makes of the whole."""
    for name, shapes in itertools.product(F, [[(2, 3, 4), (3, 3, 4)], [(4, 2), (1, 2)]]):
        xs, gs = [data(name, shape) for shape in shapes], [data(name, shape, seed=2) for shape in shapes]
        channels = shapes[0][1]
        weight = data("f32", (channels,), seed=5)
        axes = tuple(axis for axis in range(len(shapes[0])) if axis != 1)
        counts = np.array([x.size // channels for x in xs], np.float32)
        means = np.stack([wide(x).mean(axes) for x in xs])
        spreads = np.stack([1 / np.sqrt(wide(x).var(axes) + EPS) for x in xs])
        whole = torch.cat([torched(x) for x in xs])
        old = [data("f32", (channels,), seed=7), np.abs(data("f32", (channels,), seed=8)) + np.float32(0.5)]
        running = [torched(old[0]), torched(old[1])]
        _, mean, spread = torch.native_batch_norm(whole, None, None, *running, True, 0.25, EPS)
        # Parts of one element have a variance of 0, whose inverse root keeps few of its digits in f32.
        updated = [InOut(before, rounded(now, "f32"), ulps=64) for before, now in zip(old, running)]
        joined = [result(mean, "f32", ulps=64), result(spread, "f32", ulps=64)]
        arguments = [Tensor(xs[0]), Tensor(rounded(means, "f32")), Tensor(rounded(spreads, "f32"))]
        cases.add("BatchNormGatherStatsWithCounts", *arguments, *updated, 0.25, EPS, Tensor(counts), *joined)
        mean, spread = rounded(mean, "f32"), rounded(spread, "f32")
        along = (1, channels) + (1,) * len(axes[1:])
        totals = []
        for x, g in zip(xs, gs):
            total = wide(g).sum(axes)
            products = (wide(g) * (wide(x) - wide(mean).reshape(along))).sum(axes)
            totals.append((total, products))
            outs = [result(total, "f32"), result(products, "f32", ulps=4), result(products * wide(spread), "f32", ulps=4), result(total, "f32")]
            cases.add("BatchNormReduceBackward", Tensor(g), Tensor(x), Tensor(mean), Tensor(spread), Tensor(weight), True, True, True, *outs)
            cases.add("BatchNormReduceBackward", Tensor(g), Tensor(x), Tensor(mean), Tensor(spread), NULL, False, False, True, NULL, NULL, NULL, outs[3])
        total, products = [rounded(sum(parts), "f32") for parts in zip(*totals)]
        expected = torch.ops.aten.native_batch_norm_backward(
            torch.cat([torched(g) for g in gs]), whole, torched(weight), None, None, torched(mean), torched(spread), True, EPS, (True,) * 3
        )[0]
        for x, g, y in zip(xs, gs, expected.split([shape[0] for shape in shapes])):
            statistics = [Tensor(mean), Tensor(spread), Tensor(weight), Tensor(total), Tensor(products)]
            # Sums that are handed over in f32 cost some digits where terms cancel.
            cases.add("BatchNormElemtBackward", Tensor(g), Tensor(x), *statistics, Tensor(counts.astype(np.int32)), result(y, name, ulps=64))
    x, w = data("f32", (2, 3, 4)), data("f32", (3,))
    statistics = [Tensor(w), Tensor(w), NULL]
    cases.add("BatchNormReduceBackward", Tensor(x), Tensor(x), *statistics, True, False, False, NULL, Out(w), NULL, NULL, code=NULLPTR)
    cases.add("BatchNormReduceBackward", Tensor(x), Tensor(x.astype(np.float16)), *statistics, False, False, True, NULL, NULL, NULL, Out(w), code=INVALID)
    cases.add("BatchNormElemtBackward", Tensor(x), Tensor(x), *statistics, Tensor(w), Tensor(w[:2]), Tensor(w), Out(x), code=INVALID)
    cases.add("BatchNormElemtBackward", Tensor(x), Tensor(x), *statistics, Tensor(w), NULL, Tensor(w), Out(x), code=NULLPTR)
    cases.add("BatchNormGatherStatsWithCounts", Tensor(x), Tensor(w), Tensor(w), NULL, NULL, 0.1, EPS, Tensor(w), Out(w), Out(w), code=INVALID)


def instances():
    for name, order in itertools.product(["f32", "f16"], ["NCHW", "NHWC"]):
        x, gamma, beta = data(name, (2, 3, 4, 5)), data(name, (3,), seed=5), data(name, (3,), seed=6)
        axes = (2, 3) if order == "NCHW" else (1, 2)
        y = torch.nn.functional.instance_norm(torched(x), weight=torched(gamma), bias=torched(beta), eps=EPS).numpy()
        if order == "NHWC":
            x, y = np.moveaxis(x, 1, 3), np.moveaxis(y, 1, 3)
        mean, variance = wide(x).mean(axes, keepdims=True), wide(x).var(axes, keepdims=True)
        arguments = [Tensor(x), Tensor(gamma), Tensor(beta), Text(order), EPS, result(y, name), result(mean, name), result(variance, name)]
        cases.add("InstanceNorm", *arguments, product="Ascend310P")
        cases.add("InstanceNorm", *arguments, code=INVALID)
        arguments[3] = Text("CHWN")
        cases.add("InstanceNorm", *arguments, code=INVALID, product="Ascend310P")
        arguments[3], arguments[1] = Text(order), NULL
        cases.add("InstanceNorm", *arguments, code=NULLPTR, product="Ascend310P")
    none = np.zeros((0, 3, 4, 5), np.float32)
    kept, w = Out(np.zeros((0, 3, 1, 1), np.float32)), Tensor(np.ones(3, np.float32))
    cases.add("InstanceNorm", Tensor(none), w, w, Text("NCHW"), EPS, Out(none), kept, kept, product="Ascend310P")


def limited(x, p, axis, most, name, product="Ascend910B"):
    others = tuple(other for other in range(x.ndim) if other != axis % x.ndim)
    norms = np.linalg.norm(np.moveaxis(wide(x), axis, 0).reshape(x.shape[axis], -1), ord=p, axis=1)
    factors = np.where(norms > most, most / (norms + 1e-7), 1.0)
    factors = factors if product == "Ascend950" else half(factors, name)
    return wide(x) * np.expand_dims(factors, others)


def renorms():
    x = data("f32", (4, 5))
    ours = limited(x, 2, 0, 3.0, "f64", "Ascend950")
    np.testing.assert_allclose(torch.renorm(torched(x), 2, 0, 3.0).numpy(), ours, rtol=1e-6)
    for name, p, (shape, axis), product in itertools.product(F, [0.0, 1.0, 2.0, 2.5, np.inf], [((4, 5), 0), ((4, 5), -1), ((3, 2, 4), 1)], ["Ascend910B", "Ascend950"]):
        if product == "Ascend950" and axis == 1:
            continue
        x = data(name, shape)
        most = 3.5 if p else 4.0
        y = limited(x, p, axis, most, name, product)
        scalars = [Scalar(p, "f32"), axis, Scalar(most, "f32")]
        cases.add("Renorm", Tensor(x), *scalars, result(y, name), product=product)
        cases.add("InplaceRenorm", InOut(x, rounded(y, name), ulps=1), *scalars, product=product)
    x = data("f32", (4, 5))
    none = x[:0]
    one = Scalar(1, "f32")
    cases.add("Renorm", Tensor(none), one, 0, one, Out(none))
    cases.add("Renorm", Tensor(x), NULL, 0, one, Out(x), code=NULLPTR)
    cases.add("Renorm", Tensor(x), Scalar(-1, "f32"), 0, one, Out(x), code=INVALID)
    cases.add("Renorm", Tensor(x), one, 0, Scalar(-1, "f32"), Out(x), code=INVALID)
    cases.add("Renorm", Tensor(x), one, 2, one, Out(x), code=INVALID)
    cases.add("Renorm", Tensor(x[0]), one, 0, one, Out(x[0]), code=INVALID)
    cases.add("Renorm", Tensor(x), one, 0, one, Out(x.astype(np.float16)), code=INVALID)
    cases.add("Renorm", Tensor(x.astype(np.float64)), one, 0, one, Out(x.astype(np.float64)), code=INVALID)
    for name, numbers in itertools.product(F, [np.array([0, 3, 0], np.int64), np.array([[2, 1]], np.int32)]):
        x = data(name, (5, 6))
        y = rounded(limited(x, 2, 0, 2.5, name), name)
        rows = np.unique(numbers)
        expected = x.copy()
        expected[rows] = y[rows]
        cases.add("EmbeddingRenorm", InOut(x, expected, ulps=1), Tensor(numbers), 2.5, 2.0)
        cases.add("EmbeddingRenorm", InOut(x, x), Tensor(numbers), float("nan"), 2.0)
    cases.add("EmbeddingRenorm", InOut(x[0], x[0]), Tensor(numbers), 2.5, 2.0, code=INVALID)
    cases.add("EmbeddingRenorm", InOut(x, x), NULL, 2.5, 2.0, code=NULLPTR)
    cases.add("EmbeddingRenorm", InOut(x, x), Tensor(numbers.astype(np.int16)), 2.5, 2.0, code=INVALID)
    cases.add("EmbeddingRenorm", Formatted("FRACTAL_NZ", InOut(x, x)), Tensor(numbers), 2.5, 2.0, code=INVALID)
    cases.add("EmbeddingRenorm", InOut(x, x), Formatted("FRACTAL_NZ", Tensor(numbers)), 2.5, 2.0, code=INVALID)


layers()
sums_of_layers()
root_mean_squares()
groups()
batches()
parts()
instances()
renorms()
cases.write("normalization")
