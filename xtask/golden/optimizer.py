"""Cases of optimizer steps, and of the loss scale of mixed precision, by PyTorch.

References: PyTorch's AdamW and SGD in f64 and its update of the scale; NumPy for the running mean of ApplyFusedEmaAdam, from CANN's
public description, which PyTorch does not have.
Writes cann-stubs/tests/data/optimizer.cases. Lists of types and codes are retyped here from CANN's public description and not read
from the declarations.

Tolerance: everything is computed in f64 and rounded once, as the reference is; one unit of the last place is for sums and powers in
another order.

    python xtask/golden/optimizer.py
"""

import numpy as np
import torch

from cases import NULL, Cases, InOut, Out, Tensor, Tensors, kind

np.seterr(all="ignore")
INVALID, NULL_POINTER = 161002, 161001
FLOATS = ["f32", "f16", "bf16"]
LR, BETA1, BETA2, DECAY, EPS = (float(np.float32(number)) for number in (0.01, 0.9, 0.99, 0.1, 1e-6))
random = np.random.default_rng(14)


def tensors(name, shape, count=4):
    """A parameter, a gradient and moments, of which those from the third on are positive."""
    # Few numbers, many times: the file stays small.
    made = [np.resize(random.normal(size=31), shape) for _ in range(count)]
    return [np.asarray(a if index < 3 else np.abs(a) + 0.01).astype(kind(name)) for index, a in enumerate(made)]


def adam(names, shape, step, amsgrad, maximize, weight_decay=DECAY):
    """The operands of a step, and what comes of them."""
    var, grad, m, v, greatest = (a.astype(kind(name)) for a, name in zip(tensors("f64", shape, 5), names))
    parameter = torch.nn.Parameter(torch.from_numpy(var.astype(np.float64)))
    optimizer = torch.optim.AdamW([parameter], lr=LR, betas=(BETA1, BETA2), eps=EPS, weight_decay=weight_decay, amsgrad=amsgrad, maximize=maximize)
    parameter.grad = torch.from_numpy(grad.astype(np.float64))
    state = [torch.from_numpy(a.astype(np.float64)) for a in (m, v, greatest)]
    optimizer.state[parameter] = {"step": torch.tensor(float(step)), "exp_avg": state[0], "exp_avg_sq": state[1], "max_exp_avg_sq": state[2]}
    optimizer.step()
    after = [a.detach().numpy() for a in (parameter, *state)]
    made = [np.asarray(a).astype(before.dtype) for a, before in zip(after, (var, m, v, greatest))]
    return (var, grad, m, v, greatest), made


def in_place(before, after):
    return InOut(before, after, 1)


# The last is computed in several parts.
SHAPES = [(3, 5), (), (5, 600)]


def adam_w(cases):
    for name in FLOATS:
        for index, (step, amsgrad, maximize) in enumerate([(0, False, False), (4, True, False), (9, False, True), (1, True, True)]):
            (var, grad, m, v, greatest), made = adam([name] * 5, SHAPES[index % 3], step, amsgrad, maximize)
            # Numbers are rounded to the type first, so that the reference is computed with these.
            numbers = [np.array([n]).astype(kind(name)) for n in (BETA1**step, BETA2**step, LR, DECAY, BETA1, BETA2, EPS)]
            described = by_tensors((var, grad, m, v, greatest), [float(n[0]) for n in numbers], amsgrad, maximize)
            if name == "f32":
                assert all(np.allclose(a, b, 1e-5, 1e-6) for a, b in zip(described, made)), "PyTorch computes the same"
            inputs = [in_place(a, b) for a, b in zip((var, m, v), described)]
            extra = Tensor(greatest) if amsgrad else NULL
            cases.add("ApplyAdamW", *inputs, *map(Tensor, numbers), Tensor(grad), extra, amsgrad, maximize)
    (var, grad, m, v, greatest), made = adam(["f32"] * 5, (3,), 1, False, False)
    inputs = [InOut(a, a) for a in (var, m, v)]
    numbers = [Tensor(np.ones(1, np.float32))] * 7
    cases.add("ApplyAdamW", *inputs, *numbers, Tensor(grad), NULL, True, False, code=NULL_POINTER)
    cases.add("ApplyAdamW", *inputs, *numbers[:6], NULL, Tensor(grad), NULL, False, False, code=NULL_POINTER)
    cases.add("ApplyAdamW", *inputs, *numbers[:6], Tensor(np.ones(1, np.float16)), Tensor(grad), NULL, False, False, code=INVALID)
    cases.add("ApplyAdamW", *inputs, *numbers[:6], Tensor(np.ones(2, np.float32)), Tensor(grad), NULL, False, False, code=INVALID)
    cases.add("ApplyAdamW", *inputs, *numbers, Tensor(grad[:2]), NULL, False, False, code=INVALID)
    cases.add("ApplyAdamW", *inputs, *numbers, Tensor(grad.astype(np.float16)), NULL, False, False, code=INVALID)


def by_tensors(operands, numbers, amsgrad, maximize):
    """The described formula in f64, for numbers that are rounded so that they are no powers of each other."""
    var, grad, m, v, greatest = (np.asarray(a.astype(np.float64)) for a in operands)
    first, second, lr, decay, beta1, beta2, eps = numbers
    grad = -grad if maximize else grad
    m, v = beta1 * m + (1 - beta1) * grad, beta2 * v + (1 - beta2) * grad * grad
    root = np.sqrt((np.maximum(v, greatest) if amsgrad else v) / (1 - second * beta2)) + eps
    var = var * (1 - lr * decay) - lr / (1 - first * beta1) * m / root
    return [np.asarray(a).astype(operand.dtype) for a, operand in zip((var, m, v), (operands[0], *operands[2:]))]


def adam_w_v2(cases):
    mixes = [[name] * 5 for name in FLOATS] + [["f32", "f16", "f32", "f32", "f16"], ["f32", "bf16", "f32", "f32", "f32"], ["f16", "f32", "bf16", "f32", "f32"]]
    for index, names in enumerate(mixes):
        for step, amsgrad, maximize in [(0, False, False), (3, True, False), (8, False, True), (99, True, True)]:
            (var, grad, m, v, greatest), made = adam(names, SHAPES[(index + step) % 3], step, amsgrad, maximize)
            inputs = [in_place(a, b) for a, b in zip((var, m, v), made)]
            extra = in_place(greatest, made[3]) if amsgrad else NULL
            number = np.array([step]).astype([np.float32, np.int64][(index + step) % 2])
            cases.add("ApplyAdamWV2", *inputs, extra, Tensor(grad), Tensor(number), LR, BETA1, BETA2, DECAY, EPS, amsgrad, maximize)
    (var, grad, m, v, greatest), made = adam(["f32"] * 5, (4,), 2, False, False)
    inputs, number, rest = [in_place(a, b) for a, b in zip((var, m, v), made)], Tensor(np.float32(2)), (LR, BETA1, BETA2, DECAY, EPS)
    # Without amsgrad it is not looked at.
    cases.add("ApplyAdamWV2", *inputs, InOut(greatest, greatest), Tensor(grad), number, *rest, False, False)
    kept = [InOut(a, a) for a in (var, m, v)]
    cases.add("ApplyAdamWV2", *kept, NULL, Tensor(grad), number, *rest, True, False, code=NULL_POINTER)
    cases.add("ApplyAdamWV2", *kept, NULL, NULL, number, *rest, False, False, code=NULL_POINTER)
    cases.add("ApplyAdamWV2", *kept, NULL, Tensor(grad), Tensor(np.int32([2])), *rest, False, False, code=INVALID)
    cases.add("ApplyAdamWV2", *kept, NULL, Tensor(grad), Tensor(np.float32([2, 2])), *rest, False, False, code=INVALID)
    cases.add("ApplyAdamWV2", *kept, NULL, Tensor(grad[:2]), number, *rest, False, False, code=INVALID)
    cases.add("ApplyAdamWV2", *kept, NULL, Tensor(grad.astype(np.float64)), number, *rest, False, False, code=INVALID)
    none = [InOut(a[:0], a[:0]) for a in (var, m, v)]
    cases.add("ApplyAdamWV2", *none, NULL, Tensor(grad[:0]), number, *rest, False, False)


def fused_adam_w(cases):
    hyper = (LR, BETA1, BETA2, DECAY, EPS)
    for name in FLOATS:
        for step, amsgrad, maximize in [(0, False, False), (5, True, True)]:
            several = [adam([name] * 5, shape, step + index, amsgrad, maximize) for index, shape in enumerate([(2, 3), (4,), ()])]

            def lists(position, after=None, of=several):
                pairs = [(operands[position], operands[position] if after is None else made[after]) for operands, made in of]
                return Tensors(*(in_place(a, b) for a, b in pairs))

            numbers = Tensors(*(Tensor(np.array([step + index]).astype(np.float32 if amsgrad else np.int64)) for index in range(3)))
            grads = Tensors(*(Tensor(operands[1]) for operands, _ in several))
            extra = lists(4, 3) if amsgrad else NULL
            cases.add("FusedAdamw", lists(0, 0), grads, lists(2, 1), lists(3, 2), extra, numbers, NULL, NULL, *hyper, amsgrad, maximize)
            # A gradient that was not finite: nothing changes.
            one, zero = Tensor(np.ones(1, np.float32)), Tensor(np.zeros(1, np.float32))
            kept = lists(4) if amsgrad else NULL
            cases.add("FusedAdamw", lists(0), grads, lists(2), lists(3), kept, numbers, one, one, *hyper, amsgrad, maximize)
            doubled = Tensors(*(Tensor((operands[1] * 2).astype(kind(name))) for operands, _ in several))
            two = Tensor(np.array([2], np.float32))
            cases.add("FusedAdamw", lists(0, 0), doubled, lists(2, 1), lists(3, 2), extra, numbers, two, zero, *hyper, amsgrad, maximize)
    kept = lists(0)
    args = (kept, grads, lists(2), lists(3))
    cases.add("FusedAdamw", *args, NULL, numbers, NULL, NULL, *hyper, True, False, code=INVALID)
    cases.add("FusedAdamw", *args, NULL, numbers, NULL, NULL, -0.1, *hyper[1:], False, False, code=INVALID)
    cases.add("FusedAdamw", NULL, grads, lists(2), lists(3), NULL, numbers, NULL, NULL, *hyper, False, False, code=NULL_POINTER)
    cases.add("FusedAdamw", *[Tensors()] * 4, NULL, Tensors(), NULL, NULL, *hyper, False, False, code=INVALID)
    cases.add("FusedAdamw", *args, NULL, Tensors(), NULL, NULL, *hyper, False, False, code=INVALID)


def ema(cases):
    lr, decay, beta1, beta2, eps, weight_decay = 0.01, 0.9, 0.8, 0.95, 1e-3, 0.1
    for name in FLOATS:
        for mode in (0, 1):
            for corrects in (False, True):
                var, grad, m, v, mean = tensors(name, (3, 4), 5)
                x, g, first, second, average = (a.astype(np.float64) for a in (var, grad, m, v, mean))
                g = g + weight_decay * x if mode == 0 else g
                first, second = beta1 * first + (1 - beta1) * g, beta2 * second + (1 - beta2) * g * g
                left = [1 - beta1**3, 1 - beta2**3] if corrects else [1, 1]
                update = first / left[0] / (np.sqrt(second / left[1]) + eps) + (weight_decay * x if mode == 1 else 0)
                x = x - lr * update
                made = [a.astype(kind(name)) for a in (x, first, second, decay * average + (1 - decay) * x)]
                inputs = [in_place(a, b) for a, b in zip((var, m, v, mean), made)]
                hyper = (lr, decay, beta1, beta2, eps, mode, corrects, weight_decay)
                cases.add("ApplyFusedEmaAdam", Tensor(grad), *inputs, Tensor(np.array([3], np.int64)), *hyper)
    kept = [InOut(a, a) for a in (var, m, v, mean)]
    cases.add("ApplyFusedEmaAdam", Tensor(grad), *kept, Tensor(np.array([3], np.float32)), *hyper, code=INVALID)
    cases.add("ApplyFusedEmaAdam", Tensor(grad), *kept, NULL, *hyper, code=NULL_POINTER)
    cases.add("ApplyFusedEmaAdam", Tensor(grad), *kept, Tensor(np.array([3], np.int64)), *hyper, product="Ascend910", code=INVALID)


def sgd(cases):
    lr, decay, momentum, dampening = (float(np.float32(number)) for number in (0.05, 0.1, 0.9, 0.3))
    for name in FLOATS:
        for momentum_used, nesterov, maximize, first in [(0, False, False, False), (momentum, False, True, False), (momentum, True, False, False), (momentum, False, False, True)]:
            damp = 0.0 if nesterov else dampening
            befores, afters = [], []
            for shape in [(2, 3), (5,)]:
                var, grad, buffer = tensors(name, shape, 3)
                parameter = torch.nn.Parameter(torch.from_numpy(var.astype(np.float64)))
                parameter.grad = torch.from_numpy(grad.astype(np.float64))
                optimizer = torch.optim.SGD([parameter], lr=lr, momentum=momentum_used, dampening=damp, weight_decay=decay, nesterov=nesterov, maximize=maximize)
                if momentum_used and not first:
                    optimizer.state[parameter] = {"momentum_buffer": torch.from_numpy(buffer.astype(np.float64))}
                optimizer.step()
                after = optimizer.state[parameter]["momentum_buffer"].numpy() if momentum_used else buffer
                befores.append((var, grad, buffer))
                afters.append((parameter.detach().numpy().astype(kind(name)), after.astype(kind(name))))
            params = Tensors(*(in_place(before[0], after[0]) for before, after in zip(befores, afters)))
            grads = Tensors(*(InOut(before[1], before[1]) for before in befores))
            buffers = Tensors(*(in_place(before[2], after[1]) for before, after in zip(befores, afters))) if momentum_used else NULL
            hyper = (decay, float(momentum_used), lr, damp, nesterov, maximize, first)
            cases.add("FusedSgd", params, grads, buffers, NULL, *hyper)
            scaled = Tensors(*(InOut((before[1] * 4).astype(kind(name)), before[1]) for before in befores))
            cases.add("FusedSgd", params, scaled, buffers, Tensor(np.array([4], np.float32)), *hyper)
    cases.add("FusedSgd", params, grads, NULL, NULL, *hyper, code=INVALID)
    cases.add("FusedSgd", params, Tensors(), buffers, NULL, *hyper, code=INVALID)
    cases.add("FusedSgd", NULL, grads, buffers, NULL, *hyper, code=NULL_POINTER)


def scales(cases):
    for scale, tracker, found, interval in [(1024, 3, 0, 4), (1024, 2, 0, 4), (1024, 3, 1, 4), (3e38, 3, 0, 4), (1024, 9, 0, 4), (0.1, 0, 0, 1)]:
        before = np.array([scale], np.float32)
        s, t = torch.from_numpy(before.copy()), torch.tensor([tracker], dtype=torch.int32)
        torch._amp_update_scale_(s, t, torch.tensor([float(found)]), 2.5, 0.5, interval)
        given = [Tensor(before), Tensor(np.array([tracker], np.int32)), Tensor(np.array([found], np.float32))]
        cases.add("AmpUpdateScale", *given, 2.5, 0.5, interval, Out(s.numpy()), Out(t.numpy()))
    for name in ["f16", "bf16"]:
        one = np.ones(1).astype(kind(name))
        given = [Tensor(one * 8), Tensor(np.array([1], np.int32)), Tensor(one * 0)]
        cases.add("AmpUpdateScale", *given, 2.0, 0.5, 2, Out((one * 16).astype(kind(name))), Out(np.array([0], np.int32)))
    # A scale stays that would become infinite in its own type. CANN's description does not say in which type the product is
    # looked at; f32 alone would make an infinite scale here, which never comes back.
    for name, start in [("f16", 40000.0), ("bf16", 2e38), ("f32", 2e38)]:
        one = np.ones(1).astype(kind(name))
        scale = (one * start).astype(kind(name))
        with np.errstate(over="ignore"):
            assert np.isinf(scale * kind(name)(2))
        rest = [Tensor(np.array([1], np.int32)), Tensor(one * 0), 2.0, 0.5, 2]
        cases.add("AmpUpdateScale", Tensor(scale), *rest, Out(scale), Out(np.array([0], np.int32)))
    one = np.ones(1).astype(kind("bf16"))
    two = np.ones(2, np.float32)
    cases.add("AmpUpdateScale", *given[:2], Tensor(two), 2.0, 0.5, 2, Out(one), Out(np.array([0], np.int32)), code=INVALID)
    cases.add("AmpUpdateScale", given[0], Tensor(np.array([1], np.int64)), given[2], 2.0, 0.5, 2, Out(one), Out(np.array([0], np.int32)), code=INVALID)
    cases.add("AmpUpdateScale", NULL, *given[1:], 2.0, 0.5, 2, Out(one), Out(np.array([0], np.int32)), code=NULL_POINTER)


def main():
    cases = Cases()
    adam_w(cases)
    adam_w_v2(cases)
    fused_adam_w(cases)
    ema(cases)
    sgd(cases)
    scales(cases)
    cases.write("optimizer")


if __name__ == "__main__":
    main()
