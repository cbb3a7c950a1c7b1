"""Cases of cells of recurrent networks: PyTorch on a CPU in f64.

References: PyTorch CPU.
Results are rounded once to the type of the operands; gates and states are within one unit of the last place, as exponentials
differ there. Gradients are sums and products of both signs: the distance is counted from the largest of them. CANN does not
describe these operators: what is refused here is what PyTorch refuses. Writes cann-stubs/tests/data/recurrent.cases.

    python xtask/golden/recurrent.py
"""

import numpy as np
import torch

from cases import NULL, Cases, Out, Tensor, kind

INVALID, NULLPTR = 161002, 161001
TYPES = ["f32", "f16", "bf16"]
WITHIN = {"f32": 2**-22, "f16": 2**-11, "bf16": 2**-8}
aten = torch.ops.aten
cases = Cases()


def data(name, *shape, seed=1, reach=3.0):
    random = np.random.default_rng(seed + 7 * sum(shape))
    return (np.round(random.uniform(-reach, reach, size=shape) * 64) / 64).astype(kind(name))


def wide(x):
    return torch.from_numpy(x.astype(np.float64))


def rounded(x, name):
    return np.asarray(x).astype(kind(name))


def near(result, name):
    return Out(rounded(result, name), within=float(np.abs(result.numpy()).max()) * WITHIN[name])


def cell(gates, before):
    """The states and gates of a cell, of what its gates are functions of."""
    i, f, g, o = gates.chunk(4, 1)
    i, f, g, o = i.sigmoid(), f.sigmoid(), g.tanh(), o.sigmoid()
    after = f * before + i * g
    return o * after.tanh(), after, torch.cat([i, f, g, o], 1)


def cells():
    # As PyTorch's own cell computes it.
    x, h, before, weight = (wide(data("f32", *shape)) for shape in [(3, 5), (3, 2), (3, 2), (8, 7)])
    own = torch.lstm_cell(x, (h, before), weight[:, :5], weight[:, 5:])
    for ours, theirs in zip(cell(x @ weight[:, :5].T + h @ weight[:, 5:].T, before), own):
        assert torch.allclose(ours, theirs)

    for rows, size in [(3, 4), (1, 1), (5, 7)]:
        for name in TYPES:
            x, h, before = data(name, rows, 4 * size), data(name, rows, 4 * size, seed=2), data(name, rows, size, seed=3)
            biases = [data(name, 4 * size, seed=seed, reach=1.0) for seed in (4, 5)]
            for with_biases in [False, True]:
                summed = wide(x) + wide(h) + sum(map(wide, biases) if with_biases else [])
                made = cell(summed, wide(before))
                passed = [Tensor(bias) if with_biases else NULL for bias in biases]
                cases.add("ThnnFusedLstmCell", Tensor(x), Tensor(h), Tensor(before), *passed, *[Out(rounded(part, name), ulps=1) for part in made])
            after, gates = rounded(made[1], name), rounded(made[2], name)
            for asked in [(True, True), (True, False), (False, True)]:
                grads = [data(name, rows, size, seed=seed) if is_asked else None for seed, is_asked in zip((6, 7), asked)]
                of_hidden, of_after = (wide(grad) if grad is not None else torch.zeros(rows, size, dtype=torch.float64) for grad in grads)
                i, f, g, o = wide(gates).chunk(4, 1)
                bent = wide(after).tanh()
                of_state = aten.tanh_backward(of_hidden * o, bent) + of_after
                parts = [aten.sigmoid_backward(of_state * g, i), aten.sigmoid_backward(of_state * wide(before), f), aten.tanh_backward(of_state * i, g), aten.sigmoid_backward(of_hidden * bent, o)]
                back = torch.cat(parts, 1)
                operands = [Tensor(grad) if grad is not None else NULL for grad in grads] + [Tensor(before), Tensor(after), Tensor(gates)]
                made_back = [near(back, name), near(of_state * f, name)]
                cases.add("ThnnFusedLstmCellBackward", *operands, True, *made_back, near(back.sum(0), name))
                cases.add("ThnnFusedLstmCellBackward", *operands, False, *made_back, NULL)
    # The derivatives of a cell, from nothing but its formula.
    summed, before = wide(data("f32", 2, 12)).requires_grad_(True), wide(data("f32", 2, 3)).requires_grad_(True)
    hidden, after, gates = cell(summed, before)
    grads = [wide(data("f32", 2, 3, seed=seed)) for seed in (6, 7)]
    wanted = torch.autograd.grad([hidden, after], [summed, before], grads)
    operands = [Tensor(rounded(part.detach(), "f32")) for part in (*grads, before, after, gates)]
    outs = [Out(rounded(part, "f32"), within=2e-6) for part in wanted]
    cases.add("ThnnFusedLstmCellBackward", *operands, True, *outs, Out(rounded(wanted[0].sum(0), "f32"), within=2e-6))


def refused():
    gates, before, bias = data("f32", 2, 12), data("f32", 2, 3), data("f32", 12)
    good = [Tensor(gates), Tensor(gates), Tensor(before), NULL, NULL, Out(before), Out(before), Out(gates)]
    for position, argument, code in [
        *[(position, NULL, NULLPTR) for position in (0, 1, 2, 5, 6, 7)], (3, Tensor(bias), INVALID), (0, Tensor(gates.astype(np.float64)), INVALID),
        (1, Tensor(gates.astype(np.float16)), INVALID), (1, Tensor(gates[:1]), INVALID), (2, Tensor(before[:, :2]), INVALID), (2, Tensor(before[0]), INVALID),
        (5, Out(before[:1]), INVALID), (7, Out(before), INVALID),
    ]:
        arguments = list(good)
        arguments[position] = argument
        cases.add("ThnnFusedLstmCell", *arguments, code=code)
    cases.add("ThnnFusedLstmCell", *good[:3], Tensor(bias), Tensor(bias[:4]), *good[5:], code=INVALID)
    none = [Tensor(gates[:0]), Tensor(gates[:0]), Tensor(before[:0])]
    cases.add("ThnnFusedLstmCell", *none, NULL, NULL, Out(before[:0]), Out(before[:0]), Out(gates[:0]))
    back = [Tensor(before), Tensor(before), Tensor(before), Tensor(before), Tensor(gates), True, Out(gates), Out(before), Out(bias)]
    for position, argument, code in [
        *[(position, NULL, NULLPTR) for position in (2, 3, 4, 6, 7, 8)], (0, Tensor(before[:1]), INVALID), (3, Tensor(before[:1]), INVALID),
        (4, Tensor(before), INVALID), (6, Out(before), INVALID), (7, Out(gates), INVALID), (8, Out(bias[:4]), INVALID), (8, Out(bias.astype(np.float16)), INVALID),
    ]:
        arguments = list(back)
        arguments[position] = argument
        cases.add("ThnnFusedLstmCellBackward", *arguments, code=code)
    cases.add("ThnnFusedLstmCellBackward", NULL, NULL, *back[2:], code=NULLPTR)
    empty = [Tensor(part[:0]) for part in (before, before, before, before, gates)]
    cases.add("ThnnFusedLstmCellBackward", *empty, True, Out(gates[:0]), Out(before[:0]), Out(np.zeros(12, np.float32)))


cells()
refused()
cases.write("recurrent")
