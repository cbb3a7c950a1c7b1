"""Cases of losses whose classes several devices share, and of residual streams that are mixed: PyTorch in f64 on a CPU.

References: PyTorch.

Results are rounded once, and may be off by the stated units or distances. A device has the classes from a first to a last number;
others have sums of exponentials of their own. Writes cann-stubs/tests/data/vocabulary.cases. The formulas are those of Megatron,
and of the paper on manifold-constrained hyper-connections.

    python xtask/golden/vocabulary.py
"""

import numpy as np
import torch

from cases import NULL, Cases, Out, Tensor, kind

NULLPTR, INVALID = 161001, 161002
F3 = ["f32", "f16", "bf16"]
cases = Cases()
random = np.random.default_rng(47)


def draw(name, *shape):
    return (random.integers(-8, 8, shape, endpoint=True) / 8).astype(kind(name))


def double(x):
    return torch.tensor(np.asarray(x, np.float64), requires_grad=True)


def rounded(x, name):
    """Sums of few terms of few digits, rounded once."""
    x = np.asarray(x.detach() if hasattr(x, "detach") else x, np.float64)
    return Out(x.astype(kind(name)), within=1e-5) if name == "f32" else Out(x.astype(kind(name)), ulps=1)


def roughly(x, name):
    x = np.asarray(x, np.float64)
    return Out(x.astype(kind(name)), within=float(np.abs(x).max() * {"f32": 1e-5, "f16": 2**-9, "bf16": 2**-6}[name]))


def flags(is_elsewhere, as_bits):
    return np.packbits(is_elsewhere, bitorder="little") if as_bits else is_elsewhere


def scores_and_losses():
    for number, name in enumerate(F3 + F3):
        rows, size, classes, start = [(11, 5, 9, 4), (70, 8, 17, 0)][number // 3]
        x, w = draw(name, rows, size), draw(name, classes, size)
        target = random.integers(0, start + classes + 5, rows).astype([np.int64, np.int32][number % 2])
        end = start + classes - number % 2
        is_elsewhere = (target < start) | (target >= end)
        place = np.where(is_elsewhere, 0, target - start).astype(target.dtype)
        scores = double(x) @ double(w).T
        most = scores.amax(1)
        total = torch.exp(scores - most[:, None]).sum(1)
        predicted = torch.where(torch.tensor(is_elsewhere), 0.0, scores[torch.arange(rows), torch.tensor(place, dtype=torch.int64)] - most)
        f32 = lambda y: y.detach().numpy().astype(np.float32)
        for as_bits, with_scores in [(True, True), (False, False)]:
            cases.add(
                "FusedLinearOnlineMaxSum", Tensor(x), Tensor(w), Tensor(target), start, end, Out(f32(most), within=1e-5), Out(f32(total), within=1e-4), Out(f32(predicted), within=1e-5),
                Out(flags(is_elsewhere, as_bits)), Out(place), rounded(scores, name) if with_scores else NULL,
            )
        # Other devices have greater scores, and sums.
        joint = most.detach() + 0.5
        beside = torch.tensor(random.uniform(0.5, 2.0, rows))
        for smoothing in [0.0, 0.125]:
            x_wide, w_wide = double(x), double(w)
            scores = x_wide @ w_wide.T
            sums = beside + torch.exp(scores - joint[:, None]).sum(1)
            own = torch.where(torch.tensor(is_elsewhere), 0.0, scores[torch.arange(rows), torch.tensor(place, dtype=torch.int64)] - joint)
            logs = scores - joint[:, None] - sums.log()[:, None]
            part = smoothing * classes / (classes - 1)
            loss = (1 - part) * (sums.log() - own) - part * logs.mean(1)
            known = [Tensor(f32(joint)), Tensor(f32(sums)), Tensor(f32(own))]
            result = Out(f32(loss), within=1e-5)
            of_softmax = lambda kind_of: Out(logs.exp().detach().numpy().astype(kind(kind_of)), within={"f32": 1e-6, "f16": 2**-10, "bf16": 2**-7}[kind_of])
            wide_scores = Tensor(f32(scores))
            cases.add("FusedCrossEntropyLossWithMaxSum", *known, smoothing, NULL, NULL, wide_scores, result, of_softmax("f32"))
            cases.add("FusedCrossEntropyLossWithMaxSum", *known, smoothing, Tensor(x), Tensor(w), NULL, result, of_softmax(name))
            if smoothing == 0.0:
                cases.add("FusedCrossEntropyLossWithMaxSum", *known, smoothing, NULL, NULL, NULL, result, NULL)
            # The gradient of the sum of losses with factors. The mean of the logarithms is over the classes that are here.
            factor = draw("f32", rows)
            target_score = torch.where(torch.tensor(is_elsewhere), 0.0, scores[torch.arange(rows), torch.tensor(place, dtype=torch.int64)])
            full = sums.log() - (1 - part) * target_score - part * scores.mean(1)
            (full * double(factor).detach()).sum().backward()
            gradients = [roughly(x_wide.grad, name), roughly(w_wide.grad, name)]
            first = [Tensor(factor), Tensor(x), Tensor(w), Tensor(flags(is_elsewhere, number % 2 == 0)), Tensor(place), smoothing]
            cases.add("FusedLinearCrossEntropyLossGrad", *first, *known[:2], NULL, *gradients)
            cases.add("FusedLinearCrossEntropyLossGrad", *first, NULL, NULL, Tensor(logs.exp().detach().numpy().astype(np.float32)), *gradients)
    f, h = np.float32, np.float16
    good = dict(x=np.ones((3, 2), f), w=np.ones((4, 2), f), target=np.zeros(3, np.int64), start=0, end=4, most=np.zeros(3, f), mask=np.zeros(1, np.uint8), place=np.zeros(3, np.int64), scores=np.zeros((3, 4), f))

    def wrong(code=INVALID, **other):
        now = good | other
        operand = lambda key: NULL if now[key] is None else Tensor(now[key])
        out = lambda key: NULL if now[key] is None else Out(now[key])
        cases.add("FusedLinearOnlineMaxSum", operand("x"), operand("w"), operand("target"), now["start"], now["end"], out("most"), Out(good["most"]), Out(good["most"]), out("mask"), out("place"), out("scores"), code=code)

    for key in ["x", "w", "target", "most", "mask", "place"]:
        wrong(NULLPTR, **{key: None})
    wrong(w=np.ones((4, 2), h))
    wrong(x=np.ones((3, 2)))
    wrong(target=np.zeros(3, f))
    wrong(place=np.zeros(3, np.int32))
    wrong(most=np.zeros(3, h))
    wrong(most=np.zeros(4, f))
    wrong(w=np.ones((4, 3), f))
    wrong(target=np.zeros(4, np.int64))
    wrong(mask=np.zeros(3, np.uint8))
    wrong(mask=np.zeros(1, np.bool_))
    wrong(scores=np.zeros((3, 5), f))
    wrong(start=-1)
    wrong(start=3, end=2)
    wrong(start=0, end=5)
    known = dict(most=np.zeros(3, f), sum=np.ones(3, f), x=None, w=None, scores=np.zeros((3, 4), f), smoothing=0.0, loss=np.zeros(3, f), out=np.zeros((3, 4), f))

    def wrong_loss(code=INVALID, **other):
        now = known | other
        operand = lambda key: NULL if now[key] is None else Tensor(now[key])
        out = lambda key: NULL if now[key] is None else Out(now[key])
        cases.add("FusedCrossEntropyLossWithMaxSum", operand("most"), operand("sum"), operand("most"), now["smoothing"], operand("x"), operand("w"), operand("scores"), out("loss"), out("out"), code=code)

    for key in ["most", "sum", "loss"]:
        wrong_loss(NULLPTR, **{key: None})
    wrong_loss(sum=np.ones(3, h))
    wrong_loss(sum=np.ones(4, f))
    wrong_loss(scores=np.zeros((4, 4), f))
    wrong_loss(scores=np.zeros((3, 4)))
    wrong_loss(scores=None)
    wrong_loss(scores=None, x=np.ones((4, 2), f), w=np.ones((4, 2), f))
    wrong_loss(scores=None, out=None, smoothing=0.5)
    wrong_loss(out=np.zeros((3, 5), f))
    wrong_loss(smoothing=1.0)
    wrong_loss(smoothing=-0.5)
    wrong_loss(scores=np.zeros((3, 1), f), out=np.zeros((3, 1), f), smoothing=0.5)
    given = dict(grad=np.ones(3, f), x=np.ones((3, 2), f), w=np.ones((4, 2), f), mask=np.zeros(1, np.uint8), place=np.zeros(3, np.int64), smoothing=0.0, most=np.zeros(3, f), sum=np.ones(3, f), all=None, dw=np.zeros((4, 2), f))

    def wrong_grad(code=INVALID, **other):
        now = given | other
        operand = lambda key: NULL if now[key] is None else Tensor(now[key])
        cases.add("FusedLinearCrossEntropyLossGrad", operand("grad"), operand("x"), operand("w"), operand("mask"), operand("place"), now["smoothing"], operand("most"), operand("sum"), operand("all"), Out(given["x"]), Out(now["dw"]), code=code)

    for key in ["grad", "x", "w", "mask", "place"]:
        wrong_grad(NULLPTR, **{key: None})
    wrong_grad(grad=np.ones(3, h))
    wrong_grad(w=np.ones((4, 2), h))
    wrong_grad(place=np.zeros(3, f))
    wrong_grad(mask=np.zeros(2, np.uint8))
    wrong_grad(most=None)
    wrong_grad(sum=np.ones(4, f))
    wrong_grad(all=np.ones((4, 4), f))
    wrong_grad(dw=np.zeros((4, 3), f))
    wrong_grad(smoothing=1.5)
    empty = dict(grad=np.zeros(0, f), x=np.zeros((0, 2), f), mask=np.zeros(0, np.uint8), place=np.zeros(0, np.int64), most=np.zeros(0, f), sum=np.zeros(0, f))
    e = {key: Tensor(x) for key, x in empty.items()}
    cases.add("FusedLinearCrossEntropyLossGrad", e["grad"], e["x"], Tensor(given["w"]), e["mask"], e["place"], 0.0, e["most"], e["sum"], NULL, Out(empty["x"]), Out(given["dw"]))


def streams():
    for name in ["f16", "bf16"]:
        for before, count, size in [((2, 3), 4, 5), ((7,), 2, 8), ((1, 1), 1, 3)]:
            x, layer = draw(name, *before, count, size), draw(name, *before, size)
            mix, weights = draw("f32", *before, count, count), draw("f32", *before, count)
            inputs = [double(a) for a in (x, mix, layer, weights)]
            out = inputs[1] @ inputs[0] + inputs[3][..., None] * inputs[2][..., None, :]
            operands = [Tensor(x), Tensor(mix), Tensor(layer), Tensor(weights)]
            cases.add("MhcPost", *operands, rounded(out, name))
            grad = draw(name, *before, count, size)
            out.backward(double(grad).detach())
            written = [rounded(a.grad, kind_of) for a, kind_of in zip(inputs, [name, "f32", name, "f32"])]
            cases.add("MhcPostBackward", Tensor(grad), *operands, *written)
    f, h = np.float32, np.float16
    good = dict(x=np.ones((3, 2, 4), h), mix=np.ones((3, 2, 2), f), layer=np.ones((3, 4), h), weights=np.ones((3, 2), f), out=np.ones((3, 2, 4), h))

    def wrong(code=INVALID, **other):
        now = good | other
        operand = lambda key: NULL if now[key] is None else Tensor(now[key])
        cases.add("MhcPost", *map(operand, ["x", "mix", "layer", "weights"]), NULL if now["out"] is None else Out(now["out"]), code=code)
        if now["out"] is good["out"]:
            outs = [Out(good[key]) for key in ["x", "mix", "layer", "weights"]]
            cases.add("MhcPostBackward", Tensor(good["x"]), *map(operand, ["x", "mix", "layer", "weights"]), *outs, code=code)

    for key in ["x", "mix", "layer", "weights", "out"]:
        wrong(NULLPTR, **{key: None})
    wrong(x=np.ones((3, 2, 4), f))
    wrong(layer=np.ones((3, 4), f))
    wrong(mix=np.ones((3, 2, 2), h))
    wrong(mix=np.ones((3, 2, 3), f))
    wrong(layer=np.ones((3, 5), h))
    wrong(weights=np.ones((3, 3), f))
    wrong(x=np.ones((2, 4), h), mix=np.ones((2, 2), f), layer=np.ones(4, h), weights=np.ones(2, f))
    wrong(out=np.ones((3, 2, 5), h))


scores_and_losses()
streams()
cases.write("vocabulary")
