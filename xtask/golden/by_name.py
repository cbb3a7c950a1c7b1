"""Cases of operators that CANN publishes by their names, mostly without a description: units, optimizers, norms and what quantises.

References: NumPy, PyTorch.
Each is computed in f64 by the formula that the declaration states, by PyTorch's differentiation where it is a gradient, and rounded
once. Writes cann-stubs/tests/data/by_name.cases.

    python xtask/golden/by_name.py
"""

import ml_dtypes
import numpy as np
import torch
import torch.nn.functional as F

from cases import NULL, TYPES, Cases, Formatted, InOut, Ints, Out, Scalar, Tensor, Text, kind

NULLPTR, INVALID, UNTILED = 161001, 161002, 561002
F3 = ["f32", "f16", "bf16"]
cases = Cases()


def data(name, *shape, seed=0, low=-3.0, high=3.0):
    random = np.random.default_rng(seed + sum(map(ord, name)) + sum(shape))
    return random.uniform(low, high, shape).astype(kind(name))


def wide(array):
    return np.asarray(array).astype(np.float64)


def t(array):
    return torch.from_numpy(wide(array).copy())


def given(array):
    return NULL if array is None else Tensor(array)


def rounded(value, name):
    return np.asarray(value).astype(kind(name))


def near(name):
    """A distance for sums of a few terms of numbers up to about 8."""
    return {"f32": 2e-5, "f16": 8e-3, "bf16": 8e-2}[name]


def units():
    for name in F3:
        x = data(name, 2, 3, 8)
        first, second = wide(x)[..., :4], wide(x)[..., 4:]
        exact = F.gelu(t(first)).numpy() * second
        by_tanh = F.gelu(t(first), approximate="tanh").numpy() * second
        cases.add("GeluMul", Tensor(x), NULL, Out(rounded(exact, name), 2))
        cases.add("GeluMul", Tensor(x), Text("none"), Out(rounded(exact, name), 2))
        cases.add("GeluMul", Tensor(x), Text("tanh"), Out(rounded(by_tanh, name), 2))
        limit = np.array([0.5]).astype(kind(name))
        cases.add("FatreluMul", Tensor(x), Tensor(limit), Out(rounded(np.where(first > 0.5, first, 0) * second, name)))
        clamped = F.silu(t(np.minimum(first, 1.5))).numpy() * np.clip(second, -1.5, 1.5)
        cases.add("SwigluClamp", Tensor(x), 1.5, Out(rounded(clamped, name), 2))
        for dim, interleaved, groups in [(-1, False, None), (1, True, None), (2, True, np.array([1, 4], np.int64)), (0, False, None)]:
            x = data(name, 2, 4, 6, seed=4)
            rows = x.shape[: dim % 3]
            flat = t(x).reshape(*rows, -1).requires_grad_(True)
            a, b = (flat[..., ::2], flat[..., 1::2]) if interleaved else flat.chunk(2, -1)
            gate = a.clamp(max=1.5)
            y = (b.clamp(-1.5, 1.5) + 0.5) * gate * torch.sigmoid(1.25 * gate)
            half = list(x.shape)
            half[dim] //= 2
            g = data(name, *half, seed=5)
            y.backward(t(g).reshape(y.shape))
            made = rounded(flat.grad.numpy().reshape(x.shape), name)
            cases.add("ClippedSwigluGrad", Tensor(g), Tensor(x), given(groups), dim, 1.25, 1.5, 0.5, interleaved, Out(made, within=near(name)))
    cases.add("GeluMul", Tensor(x), Text("erf"), Out(x[..., :3]), code=UNTILED)
    cases.add("GeluMul", Tensor(x[0, 0]), NULL, Out(x[0, 0, :3]), code=UNTILED)
    cases.add("GeluMul", Tensor(x[..., :5]), NULL, Out(x[..., :3]), code=UNTILED)
    cases.add("GeluMul", Tensor(x), NULL, Out(x[..., :3].astype(np.float32)), code=INVALID)
    cases.add("GeluMul", NULL, NULL, Out(x[..., :3]), code=NULLPTR)
    cases.add("FatreluMul", Tensor(x), Tensor(x[0, 0]), Out(x[..., :3]), code=UNTILED)
    cases.add("FatreluMul", Tensor(x), NULL, Out(x[..., :3]), code=NULLPTR)
    cases.add("SwigluClamp", Tensor(x), 1.5, Out(x), code=INVALID)
    cases.add("ClippedSwigluGrad", Tensor(x), Tensor(x), NULL, 1, 1.0, 1.0, 1.0, False, Out(x), code=UNTILED)
    cases.add("ClippedSwigluGrad", Tensor(x), NULL, NULL, 1, 1.0, 1.0, 1.0, False, Out(x), code=NULLPTR)


def optimizers():
    for name in F3:
        var, g = data(name, 3, 5), data(name, 3, 5, seed=1)
        a, b = data(name, 3, 5, seed=2, low=0.1, high=2), data(name, 3, 5, seed=3, low=0.1, high=2)
        one = lambda value: np.array([value]).astype(kind(name))
        made = wide(var) - wide(one(0.3)) * wide(g)
        cases.add("ApplyGradientDescent", InOut(var, rounded(made, name), 1), Tensor(one(0.3)), Tensor(g))
        lr, rho, epsilon = (float(np.float32(value)) for value in (0.3, 0.9, 1e-3))
        accum = rho * wide(a) + (1 - rho) * wide(g) ** 2
        change = np.sqrt((wide(b) + epsilon) / (accum + epsilon)) * wide(g)
        outs = [wide(var) - lr * change, accum, rho * wide(b) + (1 - rho) * change**2]
        outs = [Out(rounded(out, name), 2) for out in outs]
        scalars = [Scalar(value, "f32") for value in (0.3, 0.9, 1e-3)]
        cases.add("ApplyAdadelta", Tensor(var), Tensor(a), Tensor(b), *scalars, Tensor(g), *outs)
        numbers = [one(value) for value in (0.9, 0.96, 0.3, 0.9, 0.98, 1e-3)]
        p1, p2, lr, b1, b2, epsilon = (float(wide(number)[0]) for number in numbers)
        m, v = b1 * wide(a) + (1 - b1) * wide(g), b2 * wide(b) + (1 - b2) * wide(g) ** 2
        for nesterov in (False, True):
            ahead = b1 * m + (1 - b1) * wide(g) if nesterov else m
            moved = wide(var) - lr * np.sqrt(1 - p2) / (1 - p1) * ahead / (np.sqrt(v) + epsilon)
            outs = [Out(rounded(out, name), 4) for out in (moved, m, v)]
            cases.add("ApplyAdamD", Tensor(var), Tensor(a), Tensor(b), *map(Tensor, numbers), Tensor(g), False, nesterov, *outs)
        scalars = [Scalar(value, "f32") for value in (0.9, 0.3, 0.9, 0.98, 1e-3)]
        p1, lr, b1, b2, epsilon = (float(scalar.array[0]) for scalar in scalars)
        m, v = b1 * wide(a) + (1 - b1) * wide(g), np.maximum(b2 * wide(b), np.abs(wide(g)))
        outs = [Out(rounded(out, name), 4) for out in (wide(var) - lr / (1 - p1) * m / (v + epsilon), m, v)]
        cases.add("ApplyAdamax", Tensor(var), Tensor(a), Tensor(b), *scalars, Tensor(g), *outs)
        numbers = [one(value) for value in (0.3, 0.5, 0.25, -0.5)]
        lr, l1, l2, power = (float(wide(number)[0]) for number in numbers)
        accum = wide(a) + wide(g) ** 2
        linear = wide(b) + wide(g) - (accum**-power - wide(a) ** -power) / lr * wide(var)
        moved = np.where(np.abs(linear) > l1, (np.sign(linear) * l1 - linear) / (accum**-power / lr + 2 * l2), 0)
        inouts = [InOut(before, rounded(after, name), -near(name)) for before, after in [(var, moved), (a, accum), (b, linear)]]
        cases.add("ApplyFtrl", *inouts, Tensor(g), *map(Tensor, numbers), False)
    plain = [InOut(array, array) for array in (var, a, b)]
    cases.add("ApplyFtrl", *plain, Tensor(g[:2]), *map(Tensor, numbers), False, code=INVALID)
    cases.add("ApplyFtrl", *plain, Tensor(g), Tensor(g), *map(Tensor, numbers[1:]), False, code=INVALID)
    cases.add("ApplyFtrl", *plain, Tensor(g), NULL, *map(Tensor, numbers[1:]), False, code=NULLPTR)
    cases.add("ApplyGradientDescent", plain[0], Tensor(g), Tensor(g), code=INVALID)
    cases.add("ApplyGradientDescent", plain[0], NULL, Tensor(g), code=NULLPTR)
    cases.add("ApplyAdamax", Tensor(var), Tensor(a), Tensor(b), NULL, *scalars[1:], Tensor(g), *outs, code=NULLPTR)
    cases.add("ApplyAdamax", Tensor(var), Tensor(a[:2]), Tensor(b), *scalars, Tensor(g), *outs, code=INVALID)
    cases.add("ApplyAdamD", Tensor(var), Tensor(a), Tensor(b), *map(Tensor, [numbers[0], *numbers, g]), Tensor(g), False, False, *outs, code=INVALID)
    cases.add("ApplyAdadelta", Tensor(var), Tensor(a), Tensor(wide(b)), *scalars[:3], Tensor(g), *outs, code=INVALID)


def differentiated(function, arrays, gradients):
    """The gradients of a function of arrays; of its results, those of some are given."""
    leaves = [t(array).requires_grad_(True) for array in arrays]
    function(*leaves).backward(t(gradients))
    return [leaf.grad.numpy() for leaf in leaves]


def sums():
    f32 = np.float32
    for name in F3:
        for shape, inner in [((3, 8), 1), ((2, 3, 4), 2), ((2, 2, 5), 1)]:
            x1, x2, gamma, g = data(name, *shape), data(name, *shape, seed=1), data(name, *shape[-inner:], seed=2), data(name, *shape, seed=3)
            beta, other = np.zeros_like(gamma), data(name, *shape, seed=4)
            axes = tuple(range(-inner, 0))
            for alpha in (1.0, 0.5):
                total = alpha * wide(x1) + wide(x2)
                mean, rstd = total.mean(axes, keepdims=True), 1 / np.sqrt(total.var(axes, keepdims=True) + 1e-5)
                size = list(shape[-inner:])
                forward = lambda x, y, w, b: F.layer_norm(alpha * x + y, size, w, b, 1e-5)
                of_x, of_y, of_w, of_b = differentiated(forward, [x1, x2, gamma, beta], g)
                saved = [Tensor(rstd.astype(f32)), Tensor(mean.astype(f32))]
                weights = [Out(of_w.astype(f32), within=2e-4), Out(of_b.astype(f32), within=2e-5)]
                if alpha == 1.0:
                    for dsum in (None, other):
                        made = rounded(of_x + (0 if dsum is None else wide(dsum)), name)
                        cases.add("AddLayerNormGrad", Tensor(g), Tensor(x1), Tensor(x2), *saved, Tensor(gamma), given(dsum), Out(made, within=near(name)), *weights)
                else:
                    outs = [Out(rounded(of_x, name), within=near(name)), Out(rounded(of_y, name), within=near(name))]
                    cases.add("DeepNormGrad", Tensor(g), Tensor(x1), Tensor(x2), Tensor(gamma), *saved[::-1], alpha, *outs, *weights[::-1])
    args = [Tensor(g), Tensor(x1), Tensor(x2), *saved, Tensor(gamma), NULL, Out(g), Out(beta.astype(f32)), Out(beta.astype(f32))]
    for place, wrong, code in [(0, NULL, NULLPTR), (1, Tensor(x1[:1]), UNTILED), (3, Tensor(x1), INVALID), (5, Tensor(gamma[:3]), UNTILED), (7, Out(g.astype(f32)), INVALID)]:
        cases.add("AddLayerNormGrad", *args[:place], wrong, *args[place + 1 :], code=code)
    args = [Tensor(g), Tensor(x1), Tensor(x2), Tensor(gamma), *saved[::-1], 0.5, Out(g), Out(g), Out(beta.astype(f32)), Out(beta.astype(f32))]
    for place, wrong, code in [(2, NULL, NULLPTR), (2, Tensor(x1[:1]), UNTILED), (4, Tensor(x1), INVALID), (3, Tensor(gamma[:3]), UNTILED)]:
        cases.add("DeepNormGrad", *args[:place], wrong, *args[place + 1 :], code=code)


def groups():
    for name in F3:
        for shape, count in [((2, 6, 3, 2), 3), ((1, 4), 2), ((2, 4, 5), 1)]:
            x, gamma, beta, g = data(name, *shape), data(name, shape[1], seed=1), data(name, shape[1], seed=2), data(name, *shape, seed=3)
            parts = wide(x).reshape(shape[0], count, -1)
            mean, rstd = parts.mean(-1), 1 / np.sqrt(parts.var(-1) + 1e-5)
            for factor in (None, 1.0, 1.5):
                def forward(x, w, b):
                    y = F.group_norm(x, count, w, b, 1e-5)
                    return y if factor is None else y * torch.sigmoid(factor * y)

                y = forward(t(x), t(gamma), t(beta)).numpy()
                outs = [Out(rounded(y, name), within=near(name)), Out(rounded(mean, name), within=near(name)), Out(rounded(rstd, name), within=near(name))]
                texts = NULL if factor is None else Text("NCHW")
                cases.add("GroupNormSwish", Tensor(x), Tensor(gamma), Tensor(beta), count, texts, 1e-5, factor is not None, factor or 1.0, *outs)
                if factor and shape != (1, 4):
                    made = differentiated(forward, [x, gamma, beta], g)
                    # The statistics are given in f32 here.
                    saved = [Tensor(mean.astype(np.float32)), Tensor(rstd.astype(np.float32))]
                    outs = [Out(rounded(made[0], name), within=4 * near(name)), *[Out(rounded(part, name), within=16 * near(name)) for part in made[1:]]]
                    cases.add("GroupNormSwishGrad", Tensor(g), *saved, Tensor(x), Tensor(gamma), Tensor(beta), count, texts, factor, True, True, *outs)
    start = [Tensor(g), *saved, Tensor(x), Tensor(gamma), Tensor(beta)]
    cases.add("GroupNormSwishGrad", *start, 3, NULL, 1.0, True, True, *outs, code=UNTILED)
    cases.add("GroupNormSwishGrad", *start, 1, Text("N"), 1.0, True, True, *outs, code=INVALID)
    cases.add("GroupNormSwishGrad", NULL, *start[1:], 1, NULL, 1.0, True, True, *outs, code=NULLPTR)
    outs = [Out(x), Out(rounded(mean, name)), Out(rounded(rstd, name))]
    cases.add("GroupNormSwish", Tensor(x), Tensor(gamma), Tensor(beta), 3, NULL, 1e-5, True, 1.0, *outs, code=UNTILED)
    cases.add("GroupNormSwish", Tensor(x), Tensor(gamma[:2]), Tensor(beta), 1, NULL, 1e-5, True, 1.0, *outs, code=UNTILED)
    cases.add("GroupNormSwish", Tensor(x), NULL, Tensor(beta), 1, NULL, 1e-5, True, 1.0, *outs, code=NULLPTR)


def adaptive():
    for name in F3:
        for shape, flat in [((2, 3, 8), True), ((2, 3, 8), False), ((2, 2, 3, 5), True)]:
            beside = (*shape[:-2], shape[-1]) if flat else (*shape[:-2], 1, shape[-1])
            x, g = data(name, *shape), data(name, *shape, seed=9)
            scale, shift = data(name, *beside, seed=1, low=-1, high=1), data(name, *beside, seed=2)
            weight, bias = data(name, shape[-1], seed=3), data(name, shape[-1], seed=4)
            over = lambda a: a.unsqueeze(-2) if flat else a
            def forward(x, s, b, w, c):
                return F.layer_norm(x, [shape[-1]], w, c, 1e-5) * (1 + over(s)) + over(b)

            y = forward(t(x), t(scale), t(shift), t(weight), t(bias)).numpy()
            plain = forward(t(x), t(scale), t(shift), None, None).numpy()
            mean, rstd = wide(x).mean(-1), 1 / np.sqrt(wide(x).var(-1) + 1e-5)
            saved = [Out(rounded(mean[..., None], name), within=near(name)), Out(rounded(rstd[..., None], name), within=near(name))]
            args = [Tensor(x), Tensor(scale), Tensor(shift)]
            cases.add("AdaLayerNorm", *args, Tensor(weight), Tensor(bias), 1e-5, Out(rounded(y, name), within=4 * near(name)))
            cases.add("AdaLayerNorm", *args, NULL, NULL, 1e-5, Out(rounded(plain, name), within=2 * near(name)))
            cases.add("AdaLayerNormV2", *args, Tensor(weight), NULL, 1e-5, Out(rounded(forward(t(x), t(scale), t(shift), t(weight), None).numpy(), name), within=4 * near(name)), *saved)
            cases.add("AdaLayerNormV2", *args, NULL, NULL, 1e-5, Out(rounded(plain, name), within=2 * near(name)), NULL, NULL)
            made = differentiated(forward, [x, scale, shift, weight, bias], g)
            outs = [Out(rounded(part, name), within=16 * near(name)) for part in made]
            stats = [Tensor(rstd.astype(np.float32)), Tensor(mean.astype(np.float32))]
            cases.add("AdaLayerNormBackward", Tensor(g), Tensor(x), Ints([shape[-1]]), *stats, *args[1:], Tensor(weight), Tensor(bias), *outs)
            without = differentiated(lambda x, s, b: forward(x, s, b, None, None), [x, scale, shift], g)
            outs = [Out(rounded(part, name), within=16 * near(name)) for part in without]
            cases.add("AdaLayerNormBackward", Tensor(g), Tensor(x), Ints([shape[-1]]), *stats, *args[1:], NULL, NULL, *outs, NULL, NULL)
            s, b = (wide(a)[..., None, :] if flat else wide(a) for a in (scale, shift))
            cases.add("Modulate", *args, Out(rounded(wide(x) * (1 + s) + b, name), 1))
            cases.add("Modulate", Tensor(x), NULL, Tensor(shift), Out(rounded(wide(x) + b, name), 1))
            cases.add("Modulate", Tensor(x), Tensor(scale), NULL, Out(rounded(wide(x) * (1 + s), name), 1))
            made = differentiated(lambda x, s, b: x * (1 + over(s)) + over(b), [x, scale, shift], g)
            outs = [Out(rounded(part, name), within=4 * near(name)) for part in made]
            cases.add("ModulateBackward", Tensor(g), *args, *outs)
            if name == "f32":
                continue
            smooth = data(name, shape[-1], seed=5, low=0.5, high=2)
            z = (y * wide(smooth)).astype(np.float32)
            step = np.abs(z).max(-1) / np.float32(127)
            codes = np.rint(z / step[..., None]).astype(np.int8)
            # A code may differ by one where the quotient is near a half.
            clear = np.abs(np.abs(z / step[..., None]) % 1 - 0.5) > 1e-3
            assert clear.all(), "choose other numbers"
            cases.add("AdaLayerNormQuant", *args, Tensor(weight), Tensor(bias), Tensor(smooth), 1e-5, Text("dynamic"), Out(codes), Out(step, 8), NULL)
    args = [Tensor(x), Tensor(scale), Tensor(shift), Tensor(weight), Tensor(bias)]
    cases.add("AdaLayerNorm", *args[:1], Tensor(scale[:1]), *args[2:], 1e-5, Out(x), code=INVALID)
    cases.add("AdaLayerNorm", *args[:3], Tensor(weight[:2]), NULL, 1e-5, Out(x), code=INVALID)
    cases.add("AdaLayerNorm", Tensor(x[0, 0]), *args[1:], 1e-5, Out(x[0, 0]), code=INVALID)
    cases.add("AdaLayerNorm", NULL, *args[1:], 1e-5, Out(x), code=NULLPTR)
    cases.add("AdaLayerNormV2", *args, 1e-5, Out(x), Out(rounded(mean[0], name)), NULL, code=INVALID)
    cases.add("AdaLayerNormQuant", *args, NULL, 1e-5, Text("static"), Out(codes), Out(step), NULL, code=INVALID)
    cases.add("AdaLayerNormQuant", *args, NULL, 1e-5, NULL, Out(codes), Out(step), NULL, code=NULLPTR)
    cases.add("AdaLayerNormBackward", Tensor(g), Tensor(x), Ints([2]), *stats, *args[1:3], NULL, NULL, *outs, NULL, NULL, code=INVALID)
    cases.add("AdaLayerNormBackward", Tensor(g), NULL, Ints([5]), *stats, *args[1:3], NULL, NULL, *outs, NULL, NULL, code=NULLPTR)
    cases.add("Modulate", Tensor(x), Tensor(scale[:1]), NULL, Out(x), code=INVALID)
    cases.add("Modulate", Tensor(x), Tensor(scale.astype(np.float32)), NULL, Out(x), code=INVALID)
    cases.add("Modulate", NULL, NULL, NULL, Out(x), code=NULLPTR)
    cases.add("ModulateBackward", Tensor(g), *args[:3], *outs[:2], Out(x), code=INVALID)
    cases.add("ModulateBackward", NULL, *args[:3], *outs, code=NULLPTR)


def quantised_sums():
    code = lambda z: np.clip(np.rint(z), -128, 127).astype(np.int8)
    for name in F3:
        x1, x2 = data(name, 4, 16), data(name, 4, 16, seed=1)
        gamma, beta, bias = data(name, 16, seed=2), data(name, 16, seed=3), data(name, 16, seed=4)
        s1, s2 = data(name, 16, seed=5, low=0.05, high=0.5), data(name, 1, seed=6, low=0.05, high=0.5)
        z1 = data(name, 16, seed=7)
        for with_bias in (bias, None):
            total = x1.astype(np.float32) + x2.astype(np.float32)
            total = total if with_bias is None else total + with_bias.astype(np.float32)
            y = F.layer_norm(t(total), [16], t(gamma), t(beta), 1e-5).numpy()
            outs = [Out(rounded(total, name)), Out(rounded(y, name), within=near(name))]
            head = [Tensor(x1), Tensor(x2), Tensor(gamma), Tensor(beta), given(with_bias)]
            for divides in (True, False):
                apply = (lambda a, s: a / wide(s)) if divides else (lambda a, s: a * wide(s))
                first, second = apply(y, s1) + wide(z1), apply(y, s2)
                assert all((np.abs(np.abs(z) % 1 - 0.5) > 1e-4).all() for z in (first, second)), "choose other numbers"
                both = [Out(code(first)), Out(code(second))]
                scales = [Tensor(s1), Tensor(s2), Tensor(z1), NULL]
                tail = [Text("static"), 1e-5, True, divides]
                cases.add("AddLayerNormQuant", *head, *scales, *tail, *both, outs[0], NULL, NULL)
                cases.add("AddLayerNormQuantV2", *head, *scales, *tail, *both, *outs, NULL, NULL)
            rows = y.astype(np.float32)
            made = []
            for s in (s1, s2):
                z = rows * s.astype(np.float32)
                step = np.abs(z).max(-1, keepdims=True) / np.float32(127)
                assert (np.abs(np.abs(z / step) % 1 - 0.5) > 1e-4).all(), "choose other numbers"
                made.append((code(z / step), step[..., 0]))
            scales = [Tensor(s1), Tensor(s2), NULL, NULL]
            steps = [Out(step, 8) for _, step in made]
            both = [Out(codes) for codes, _ in made]
            cases.add("AddLayerNormQuant", *head, *scales, Text("dynamic"), 1e-5, False, True, *both, NULL, *steps)
            z = rows
            step = np.abs(z).max(-1, keepdims=True) / np.float32(127)
            cases.add("AddLayerNormQuantV2", *head, NULL, NULL, NULL, NULL, Text("dynamic"), 1e-5, False, True, Out(code(z / step)), NULL, NULL, outs[1], Out(step[..., 0], 8), NULL)
        if name == "f32":
            continue
        total = x1.astype(np.float32) + x2.astype(np.float32)
        rstd = 1 / np.sqrt((wide(total) ** 2).mean(-1, keepdims=True) + 1e-5)
        y = wide(total) * rstd * wide(gamma)
        outs = [Out(y.astype(np.float32), 4), Out(rounded(y, name), 1), Out(rstd.astype(np.float32), 4), Out(rounded(total, name))]
        cases.add("AddRmsNormCast", Tensor(x1), Tensor(x2), Tensor(gamma), 1e-5, *outs)
    cases.add("AddRmsNormCast", Tensor(x1), Tensor(x2[:2]), Tensor(gamma), 1e-5, *outs, code=UNTILED)
    cases.add("AddRmsNormCast", Tensor(x1), Tensor(x2), Tensor(gamma.astype(np.float32)), 1e-5, *outs, code=INVALID)
    cases.add("AddRmsNormCast", NULL, Tensor(x2), Tensor(gamma), 1e-5, *outs, code=NULLPTR)
    end = [1e-5, False, True, Out(code(z)), NULL, NULL, Out(step[..., 0]), NULL]
    cases.add("AddLayerNormQuant", *head, NULL, NULL, NULL, NULL, Text("both"), *end, code=INVALID)
    cases.add("AddLayerNormQuant", *head, Tensor(s1[:3]), NULL, NULL, NULL, Text("dynamic"), *end, code=UNTILED)
    cases.add("AddLayerNormQuant", NULL, *head[1:], NULL, NULL, NULL, NULL, Text("dynamic"), *end, code=NULLPTR)
    cases.add("AddLayerNormQuant", *head, NULL, NULL, NULL, NULL, NULL, *end, code=NULLPTR)


def slices():
    integers = ["i32", "i8", "u8"]
    for operator, ufunc, types in [
        ("ScatterMul", np.multiply, F3 + integers), ("ScatterMax", np.maximum, F3 + integers),
        ("ScatterMin", np.minimum, F3 + integers), ("ScatterDiv", np.divide, F3),
    ]:
        for name in types:
            x, updates = data(name, 4, 3, low=1, high=4), data(name, 2, 3, seed=1, low=1, high=4)
            for ids in [np.array([1, 3]), np.array([2, 0], np.int32)]:
                y = x.astype(np.float32) if name in F3 else x.copy()
                ufunc.at(y, ids, updates.astype(y.dtype))
                cases.add(operator, InOut(x, rounded(y, name)), Tensor(ids), Tensor(updates), False)
        x, updates = data("f32", 4, 3), data("f32", 2, 3)
        for args, code in [
            ((InOut(x, x), Tensor(np.array([0])), Tensor(updates), False), UNTILED),
            ((InOut(x, x), Tensor(np.array([0, 1])), Tensor(wide(updates)), False), INVALID),
            ((InOut(x, x), NULL, Tensor(updates), False), NULLPTR),
        ]:
            cases.add(operator, *args, code=code)
    cases.add("ScatterMul", InOut(x, rounded(wide(x) * np.array([[1], [wide(updates)[0, 0]], [1], [1]]), "f32")), Tensor(np.array([1])), Tensor(np.full((1, 3), updates[0, 0])), True)
    for name in [*F3, "i32", "i64", "f64", "i8"]:
        x = data(name, 5, 4, 6)
        part = np.s_[1:5:2, -3:2, :]
        value = data(name, *x[part].shape, seed=1)
        y = x.copy()
        y[part] = value
        cases.add("StridedSliceAssignV2", InOut(x, y), Tensor(value), Ints([1, -3, -99]), Ints([5, 2, 99]), Ints([2, 1, 1]), NULL)
        y = x.copy()
        y[:, :, 2:4] = value = data(name, 5, 4, 2, seed=2)
        cases.add("StridedSliceAssignV2", InOut(x, y), Tensor(value), Ints([2]), Ints([4]), Ints([1]), Ints([-1]))
    same = InOut(x, x)
    for begin, end, step, axes in [([2], [4], [2], [-1]), ([2], [5], [1], [-1]), ([2], [4], [1], [3]), ([2, 0], [4, 1], [1, 1], [2, -1]), ([2], [4], [1], None), ([2], [4], [0], [0])]:
        cases.add("StridedSliceAssignV2", same, Tensor(value), Ints(begin), Ints(end), Ints(step), NULL if axes is None else Ints(axes), code=UNTILED)
    cases.add("StridedSliceAssignV2", same, Tensor(value.astype(np.float32)), Ints([2]), Ints([4]), Ints([1]), Ints([2]), code=INVALID)
    cases.add("StridedSliceAssignV2", same, NULL, Ints([2]), Ints([4]), Ints([1]), Ints([2]), code=NULLPTR)


def products():
    for name in F3:
        a, b, c = data(name, 3, 5), data(name, 3, 5, seed=1), data(name, 3, 5, seed=2)
        made = Out(rounded(0.5 * wide(c) + 2 * wide(a) * wide(b), name), 1)
        cases.add("AddMatMatElements", Tensor(a), Tensor(b), Tensor(c), Scalar(2.0, "f32"), Scalar(0.5, "f32"), made)
        factors = [Tensor(np.array([factor]).astype(kind(name))) for factor in (0.5, 2.0)]
        cases.add("AddMatMatElementsPlus", Tensor(c), Tensor(a), Tensor(b), *factors, made)
        # Whole numbers and halves, whose sums are exact.
        whole = lambda *shape, seed=0: np.rint(data(name, *shape, seed=seed).astype(np.float32)).astype(kind(name))
        batch, m, k, n = 4, 3, 6, 5
        x1, x2 = whole(batch, m, k), whole(batch, k, n, seed=1)
        result = wide(x1) @ wide(x2)
        for turned, left in [(False, x1), (True, np.ascontiguousarray(x1.swapaxes(0, 1)))]:
            order = Ints([1, 0, 2] if turned else [0, 1, 2])
            for operator in ["TransposeBatchMatMul", "TransposeBatchMatMulWeightNz"]:
                args = [Tensor(left), Tensor(x2), NULL, NULL, order, Ints([0, 1, 2]), Ints([1, 0, 2]), 0]
                cases.add(operator, *args, 1, Out(rounded(result.swapaxes(0, 1), name)))
                parts = result.reshape(2, 2, m, n).transpose(0, 2, 1, 3).reshape(2, m, 2 * n)
                cases.add(operator, *args, 2, Out(rounded(parts, name)))
        x, w, bias = whole(4, 6), whole(6, 5, seed=3), whole(5, seed=4)
        total = (wide(x) @ wide(w)) / 1
        for by_tanh in (0, 1):
            approximate = "tanh" if by_tanh else "none"
            for beside in (None, bias):
                y = F.gelu(torch.from_numpy(total + (0 if beside is None else wide(beside))), approximate=approximate).numpy()
                cases.add("FusedMatmulGelu", Tensor(x), Tensor(w), given(beside), by_tanh, Out(rounded(y, name), within=near(name)))
        if name == "f32":
            continue
        ends = [2, 2, 6]
        x, w, y = whole(6, 3), whole(6, 4, seed=1), np.ones((3, 3, 4), np.float32)
        made = y.copy()
        for group, (start, end) in enumerate(zip([0, *ends], ends)):
            made[group] += (wide(x)[start:end].T @ wide(w)[start:end]).astype(np.float32)
        ids, sizes = np.array(ends, np.int64), np.diff([0, *ends]).astype(np.int64)
        args = [Tensor(x), Tensor(w)]
        cases.add("GroupedMatmulAdd", *args, Tensor(ids), InOut(y, made), True, False, 2)
        cases.add("GroupedMatmulAdd", *args, Tensor(ids), InOut(y.reshape(9, 4), made.reshape(9, 4)), True, False, 2)
        cases.add("GroupedMatmulAddV2", *args, Tensor(ids), InOut(y, made), True, False, 2, 0)
        cases.add("GroupedMatmulAddV2", *args, Tensor(sizes), InOut(y, made), True, False, 2, 1)
    same = InOut(y, y)
    for wrong in [
        (Tensor(x[:5]), Tensor(w), Tensor(ids), same, True, False, 2), (*args, Tensor(ids[:2]), same, True, False, 2),
        (*args, Tensor(ids.astype(np.int32)), same, True, False, 2), (*args, Tensor(ids), same, False, False, 2),
        (*args, Tensor(ids), same, True, True, 2), (*args, Tensor(ids), same, True, False, 0),
        (Tensor(x.astype(np.float32)), Tensor(w), Tensor(ids), same, True, False, 2),
        (Formatted("FRACTAL_NZ", Tensor(x)), Tensor(w), Tensor(ids), same, True, False, 2),
        (Tensor(x), Formatted("NCHW", Tensor(w)), Tensor(ids), same, True, False, 2),
        (*args, Tensor(ids), Formatted("NCHW", Out(y)), True, False, 2),
    ]:
        cases.add("GroupedMatmulAdd", *wrong, code=INVALID)
    cases.add("GroupedMatmulAdd", *args, NULL, same, True, False, 2, code=NULLPTR)
    cases.add("GroupedMatmulAddV2", *args, Tensor(ids), same, True, False, 2, 2, code=INVALID)
    out = Out(rounded(result.swapaxes(0, 1), name))
    plain, y_order = Ints([0, 1, 2]), Ints([1, 0, 2])
    for first, second, third, factor, code in [
        (Ints([2, 0, 1]), plain, y_order, 1, INVALID), (plain, Ints([0, 2, 1]), y_order, 1, INVALID), (plain, plain, plain, 1, INVALID),
        (plain, plain, y_order, 3, INVALID), (plain, plain, y_order, 2, INVALID), (NULL, plain, y_order, 1, NULLPTR),
    ]:
        cases.add("TransposeBatchMatMul", Tensor(x1), Tensor(x2), NULL, NULL, first, second, third, 0, factor, out, code=code)
    cases.add("TransposeBatchMatMul", Tensor(x1), Tensor(x2[:, :5]), NULL, NULL, plain, plain, y_order, 0, 1, out, code=INVALID)
    cases.add("TransposeBatchMatMul", Tensor(x1), Tensor(x2[0]), NULL, NULL, plain, plain, y_order, 0, 1, out, code=INVALID)
    cases.add("TransposeBatchMatMulWeightNz", NULL, Tensor(x2), NULL, NULL, plain, plain, y_order, 0, 1, out, code=NULLPTR)
    cases.add("FusedMatmulGelu", Tensor(a), Tensor(b), NULL, 0, Out(a), code=INVALID)
    cases.add("FusedMatmulGelu", Tensor(a), NULL, NULL, 0, Out(a), code=NULLPTR)


def vectors():
    f32 = np.float32
    for out, code in [("f16", 1), ("bf16", 27)]:
        x = np.random.default_rng(1).integers(-1000, 1000, (3, 6)).astype(np.int32)
        columns = data("f32" if out == "f16" else "bf16", 6, low=0.01, high=0.1)
        rows = data("f32", 3, low=0.5, high=2)
        for bias in [None, np.arange(6, dtype=np.int32), data("f32", 6), data("f16", 6), data("bf16", 6)]:
            whole = bias is not None and bias.dtype == np.int32
            for given_rows in (rows, None):
                made = (x + bias if whole else x).astype(f32) * columns.astype(f32) * (f32(1) if given_rows is None else rows[:, None])
                made = made if whole or bias is None else made + bias.astype(f32)
                cases.add("DequantBias", Tensor(x), Tensor(columns), given(given_rows), given(bias), code, Out(rounded(made, out)))
        head = [Tensor(x), Tensor(columns)]
        cases.add("DequantBias", *head, NULL, NULL, 28 - code, Out(rounded(made, out)), code=UNTILED)
        cases.add("DequantBias", *head, Tensor(rows[:2]), NULL, code, Out(rounded(made, out)), code=UNTILED)
        cases.add("DequantBias", *head, NULL, NULL, code, Out(made.astype(f32)), code=INVALID)
        cases.add("DequantBias", NULL, *head[1:], NULL, NULL, code, Out(rounded(made, out)), code=NULLPTR)
        x = np.arange(-12, 12, dtype=np.int8).reshape(2, 3, 4)
        for name in [out, "f32"]:
            for size in (1, 4):
                s, o = data(name, size, low=0.5, high=2), data(name, size, seed=1)
                for squared in (False, True):
                    for offset in (o, None):
                        made = (x.astype(f32) + (0 if offset is None else o.astype(f32))) * s.astype(f32)
                        made = made * s.astype(f32) if squared else made
                        cases.add("AscendAntiQuant", Tensor(x), Tensor(s), given(offset), code, squared, Out(rounded(made, out)))
        cases.add("AscendAntiQuant", Tensor(x), Tensor(s), NULL, 28 - code, False, Out(rounded(made, out)), code=INVALID)
        cases.add("AscendAntiQuant", Tensor(x), Tensor(s[:3]), NULL, code, False, Out(rounded(made, out)), code=INVALID)
        cases.add("AscendAntiQuant", Tensor(x), NULL, NULL, code, False, Out(rounded(made, out)), code=NULLPTR)
    for name in F3:
        x, scale, offset = data(name, 5, 6), data(name, 3, 6, seed=1, low=2, high=9), data(name, 1, seed=2)
        for ends in [[2, 2, 5], [1, 3, 4]]:
            group = [next((g for g in range(3) if ends[g] > row), None) for row in range(5)]
            for shift in (offset, None):
                made = np.zeros((5, 6), np.int8)
                for row, which in enumerate(group):
                    if which is not None:
                        z = x[row].astype(f32) * scale[which].astype(f32) + (f32(0) if shift is None else shift.astype(f32))
                        made[row] = np.clip(np.rint(z), -128, 127)
                cases.add("GroupQuant", Tensor(x), Tensor(scale), Tensor(np.array(ends, np.int32)), given(shift), 2, Out(made))
    ends = np.array(ends, np.int64)
    cases.add("GroupQuant", Tensor(x), Tensor(scale), Tensor(ends), NULL, 3, Out(made), code=INVALID)
    cases.add("GroupQuant", Tensor(x), Tensor(scale[:2]), Tensor(ends), NULL, 2, Out(made), code=INVALID)
    cases.add("GroupQuant", Tensor(x), NULL, Tensor(ends), NULL, 2, Out(made), code=NULLPTR)
    for name in F3[1:]:
        # Whole numbers, whose products are exact.
        whole = lambda *shape, seed=0: np.rint(data(name, *shape, seed=seed).astype(f32)).astype(kind(name))
        x, p1, p2 = whole(2, 3, 8), whole(3, 3, seed=1), whole(8, 8, seed=2)
        z = (wide(p1) @ (wide(x) @ wide(p2))).astype(f32)
        for ratio in (1.0, 0.75):
            step = np.abs(z).reshape(2, -1).max(1) / (f32(7) / f32(ratio))
            codes = np.clip(np.rint(z / step[:, None, None]), -8, 7).astype(np.int8)
            eights = (codes.astype(np.uint32) & 15).reshape(2, 3, 1, 8)
            packed = (eights << np.arange(0, 32, 4, dtype=np.uint32)).sum(-1, dtype=np.uint32).view(np.int32)
            args = [Tensor(x), Tensor(p1), Tensor(p2)]
            cases.add("FlatQuant", *args, ratio, Out(packed), Out(step))
            cases.add("FlatQuantV2", *args, ratio, 0.0, Out(packed), Out(step))
            cases.add("FlatQuantV3", *args, NULL, ratio, 0.0, 0, Out(packed), Out(step))
    cases.add("FlatQuant", *args, 1.5, Out(packed), Out(step), code=INVALID)
    cases.add("FlatQuant", *args[:2], Tensor(p2[:7]), 1.0, Out(packed), Out(step), code=INVALID)
    cases.add("FlatQuant", *args[:2], NULL, 1.0, Out(packed), Out(step), code=NULLPTR)


def shared_powers():
    TYPES.update({"f8e5m2": (35, ml_dtypes.float8_e5m2), "f8e8m0": (37, ml_dtypes.float8_e8m0fnu)})
    new = "Ascend950"
    for name in F3:
        for to, code, most, emax in [("f8e4m3fn", 36, 448, 8), ("f8e5m2", 35, 57344, 15)]:
            for shape, axis, group in [((2, 80), -1, 32), ((2, 64), 1, 64), ((70, 3), 0, 32), ((2, 40, 3), 1, 32)]:
                # Groups of f32 have 32 elements.
                refused = {"code": INVALID if name == "f32" and group != 32 else 0}
                x = data(name, *shape)
                x.flat[0] = 400
                lanes = np.moveaxis(wide(x), axis, -1)
                count = -(-lanes.shape[-1] // group)
                for algorithm in (0, 1):
                    y, scales = np.zeros_like(lanes), np.zeros((*lanes.shape[:-1], -(-count // 2) * 2))
                    exponents = np.full(scales.shape, -127)
                    for part in range(count):
                        piece = lanes[..., part * group : (part + 1) * group]
                        m = np.abs(piece).max(-1)
                        if algorithm == 0:
                            e = np.floor(np.log2(m)) - emax
                        else:
                            ratio = (m.astype(np.float32) / np.float32(most)).astype(np.float64)
                            e = np.ceil(np.log2(ratio))
                        exponents[..., part] = e
                        y[..., part * group : (part + 1) * group] = np.clip(piece / 2.0 ** e[..., None], -most, most)
                    # What stands for no group is the byte 0, which is the least power of two.
                    powers = np.moveaxis((2.0**exponents).reshape(*scales.shape[:-1], -1, 2), -2, axis % x.ndim)
                    outs = [Out(rounded(np.moveaxis(y, -1, axis), to)), Out(powers.astype(kind("f8e8m0")))]
                    cases.add("DynamicMxQuant", Tensor(x), axis, NULL, code, group, algorithm, *outs, product=new, **refused)
                    cases.add("DynamicMxQuantV2", Tensor(x), axis, Text("rint"), code, group, algorithm, 0.0, *outs, product=new, **refused)
                    cases.add("DynamicMxQuantV3", Tensor(x), axis, Text("rint"), code, group, algorithm, 0.0, 0.0, *outs, product=new, **refused)
    for args, refused in [((Tensor(x), 3, NULL, code, 32, 0), INVALID), ((Tensor(x), 1, NULL, 36, 32, 0), INVALID), ((Tensor(x), 1, NULL, code, 33, 0), INVALID), ((Tensor(x), 1, Text("floor"), code, 32, 0), INVALID), ((Tensor(x), 1, NULL, code, 32, 2), INVALID), ((NULL, 1, NULL, code, 32, 0), NULLPTR)]:
        cases.add("DynamicMxQuant", *args, *outs, product=new, code=refused)
    cases.add("DynamicMxQuant", Tensor(x), 1, NULL, code, 32, 0, *outs, code=INVALID)
    short, powers = np.zeros((2, 31), kind(to)), np.zeros((2, 1, 2), kind("f8e8m0"))
    cases.add("DynamicMxQuant", Tensor(np.ones((2, 31), np.float32)), 1, NULL, code, 32, 0, Out(short), Out(powers), product=new, code=INVALID)


shared_powers()
slices()
products()
vectors()
units()
optimizers()
sums()
groups()
adaptive()
quantised_sums()
cases.write("by_name")
