"""Cases of gated linear units, their gradients, and the gradients of prelu: PyTorch on the CPU in f64, rounded once to the type of
the result.

References: PyTorch.

Results in f32 may be two units of the last place off, as PyTorch's functions of f64 are no more exact than ours and are
rounded after a few products. Writes cann-stubs/tests/data/activation.cases. Which types an operator takes is retyped here
from CANN's public description and not read from the declarations.

    python xtask/golden/activation.py
"""

import itertools

import numpy as np
import torch

from cases import NULL, Cases, Out, Tensor, kind

np.seterr(all="ignore")
INVALID, NULLPTR, TILING = 161002, 161001, 561002
F = ["f32", "f16", "bf16"]
cases = Cases()


def data(name, shape, seed=1):
    random = np.random.default_rng(seed + sum(map(ord, name)) + 7 * sum(shape))
    x = (np.round(random.uniform(-8, 8, size=shape) * 8) / 8).astype(kind(name))
    if x.size > 8:
        x.reshape(-1)[[0, 3, 5]] = [0, 30, -30]
    return x


def torched(x):
    return torch.from_numpy(np.asarray(x).astype(np.float64).copy())


def result(x, name, ulps=2):
    return Out(x.detach().numpy().astype(kind(name)), ulps=ulps)


SHAPES = [((6,), 0), ((3, 4), -1), ((4, 3), 0), ((2, 6, 3), 1), ((2, 3, 40), 2), ((1, 2, 1, 2, 1, 2, 1, 4), 7)]
METHODS = ["none", "tanh"]


def gelu(x, approximate):
    return torch.nn.functional.gelu(x, approximate=METHODS[approximate])


def gates():
    for (shape, dim), name in itertools.product(SHAPES, [*F, "f64"]):
        x = data(name, shape)
        half = torched(x).chunk(2, dim)[0].shape
        g = data(name, tuple(half), seed=2)
        leaf = torched(x).requires_grad_()
        y = torch.nn.functional.glu(leaf, dim)
        for out in {name, "f32"}:
            cases.add("Glu", Tensor(x), dim, result(y, out, ulps=8 if name == "f64" else 2))
        y.backward(torched(g))
        cases.add("GluBackward", Tensor(g), Tensor(x), dim, result(leaf.grad, name, ulps=64 if name == "f64" else 2))
        if name == "f64":
            continue
        leaf = torched(x).requires_grad_()
        first, second = leaf.chunk(2, dim)
        y = torch.nn.functional.silu(first) * second
        cases.add("SwiGlu", Tensor(x), dim, result(y, name))
        y.backward(torched(g))
        cases.add("SwiGluGrad", Tensor(g), Tensor(x), dim, result(leaf.grad, name))
        for approximate, left in itertools.product([0, 1], [False, True]):
            # PyTorch's sums of 1 and a function near −1 have few digits left further down.
            x = np.clip(x, kind(name)(-4), kind(name)(4)).astype(kind(name))
            leaf = torched(x).requires_grad_()
            halves = leaf.chunk(2, dim)
            gated, other = halves if left else halves[::-1]
            activated = gelu(gated, approximate)
            outs = [result(other * activated, name), result(activated, name)]
            cases.add("GeGluV3", Tensor(x), dim, approximate, left, *outs)
            # The gradient takes the rounded result of the activation.
            kept = activated.detach().numpy().astype(kind(name))
            of_gated, = torch.autograd.grad(activated, gated, torched(g) * other.detach())
            parts = [of_gated, torched(g) * torched(kept)]
            gradient = torch.cat(parts if left else parts[::-1], dim)
            arguments = [Tensor(g), Tensor(x), Tensor(kept), dim, approximate]
            # The derivative crosses zero, where terms cancel.
            cases.add("GeGluV3Backward", *arguments, left, result(gradient, name, ulps=16))
            if not left:
                cases.add("GeGlu", Tensor(x), dim, approximate, *outs)
                cases.add("GeGluBackward", *arguments, result(gradient, name, ulps=16))


PRELU = [((5,), (1,)), ((2, 3, 4), (3,)), ((2, 3, 4), (1,)), ((2, 3, 4), (1, 3)), ((3, 2), (2,)), ((2, 3, 2, 40), (3,))]


def weights():
    for (shape, sizes), name in itertools.product(PRELU, F):
        x, g, weight = data(name, shape), data(name, shape, seed=2), np.abs(data(name, sizes, seed=3)) / 16
        weight = weight.astype(kind(name))
        leaves = [torched(x).requires_grad_(), torched(weight).reshape(-1).requires_grad_()]
        torch.nn.functional.prelu(*leaves).backward(torched(g))
        of_weight = leaves[1].grad.reshape(sizes) if weight.size == 1 else leaves[1].grad
        cases.add("PreluBackward", Tensor(g), Tensor(x), Tensor(weight), result(leaves[0].grad, name), result(of_weight, name))
        row = g[tuple([slice(0, 1)] * (len(shape) - 1))]
        leaves = [torched(x).requires_grad_(), torched(weight).reshape(-1).requires_grad_()]
        torch.nn.functional.prelu(*leaves).backward(torched(np.broadcast_to(row, shape)))
        of_weight = leaves[1].grad.reshape(sizes) if weight.size == 1 else leaves[1].grad
        cases.add("PreluBackward", Tensor(row), Tensor(x), Tensor(weight), result(leaves[0].grad, name), result(of_weight, name))


def refused():
    x, half = data("f32", (3, 4)), data("f32", (3, 2))
    out, whole = Out(half), Out(x)
    for operator, code in [("Glu", INVALID), ("SwiGlu", TILING)]:
        cases.add(operator, NULL, 1, out, code=NULLPTR)
        cases.add(operator, Tensor(x), 1, NULL, code=NULLPTR)
        cases.add(operator, Tensor(x), 2, out, code=code)
        cases.add(operator, Tensor(x), 0, out, code=code)
        cases.add(operator, Tensor(x), 1, whole, code=code)
        cases.add(operator, Tensor(x.astype(np.int32)), 1, out, code=INVALID)
        none = np.zeros((0, 4), np.float32)
        cases.add(operator, Tensor(none), 1, Out(none[:, :2]))
    cases.add("Glu", Tensor(np.float32(1)), 0, Out(np.float32(1)), code=INVALID)
    cases.add("Glu", Tensor(x), 1, Out(half.astype(np.int32)), code=INVALID)
    cases.add("SwiGlu", Tensor(x), 1, Out(half.astype(np.float16)), code=INVALID)
    cases.add("SwiGlu", Tensor(x), 1, out, code=INVALID, product="Ascend910")
    cases.add("SwiGlu", Tensor(x.astype(kind("bf16"))), 1, Out(half.astype(kind("bf16"))), code=INVALID, product="Ascend310P")
    cases.add("GluBackward", Tensor(half), Tensor(x), 1, out, code=INVALID)
    cases.add("GluBackward", Tensor(half.astype(np.float16)), Tensor(x), 1, whole, code=INVALID)
    cases.add("SwiGluGrad", Tensor(x), Tensor(x), 1, whole, code=TILING)
    cases.add("GeGlu", Tensor(x), 1, 2, out, out, code=INVALID)
    cases.add("GeGlu", Tensor(x), 1, 0, out, NULL, code=NULLPTR)
    cases.add("GeGlu", Tensor(x), 0, 0, out, out, code=INVALID)
    cases.add("GeGlu", Tensor(x), 1, 0, out, Out(half.astype(np.float16)), code=INVALID)
    cases.add("GeGlu", Tensor(np.float32(1)), 0, 0, Out(np.full((), 0xA5A5A5A5, np.uint32).view(np.float32)), Out(np.full((), 0xA5A5A5A5, np.uint32).view(np.float32)))
    cases.add("GeGluBackward", Tensor(half), Tensor(x), Tensor(x), 1, 0, whole, code=INVALID)
    cases.add("GeGluBackward", Tensor(half), Tensor(x), NULL, 1, 0, whole, code=NULLPTR)
    w = data("f32", (4,))
    cases.add("PreluBackward", Tensor(x), Tensor(x), Tensor(w[:3]), whole, Out(w[:3]), code=INVALID)
    cases.add("PreluBackward", Tensor(x), Tensor(x), Tensor(w), whole, Out(w[:1]), code=INVALID)
    cases.add("PreluBackward", Tensor(x), Tensor(x[:1]), Tensor(w), Out(x[:1]), Out(w), code=INVALID)
    cases.add("PreluBackward", Tensor(x), Tensor(x), Tensor(w.astype(np.float16)), whole, Out(w), code=INVALID)
    cases.add("PreluBackward", Tensor(x), Tensor(x), Tensor(w), NULL, Out(w), code=NULLPTR)


gates()
weights()
refused()
cases.write("activation")
