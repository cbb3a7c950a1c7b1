"""Cases of losses and their gradients, and of the gradients of the softmax: PyTorch on a CPU, computed in f64.

References: PyTorch CPU, NumPy.

Gradients come from PyTorch's automatic differentiation of its losses. Expectations are rounded to the type in which CANN's
public description says that the result is computed, and then to that of the output. The emulator computes in f64 too, so a
result may be off by one unit of the last place (two where terms cancel); f64 itself, which only sequences have, is compared
with a tolerance for sums of logarithms in another order. Writes cann-stubs/tests/data/loss.cases. Which types an operator
takes and gives is retyped here from that description and not read from the declarations.

    python xtask/golden/loss.py
"""

import itertools

import numpy as np
import torch
import torch.nn.functional as F

from cases import NULL, Cases, Ints, Out, Tensor, Text, kind

np.seterr(all="ignore")
INVALID, NULLPTR, INNER, TILING = 161002, 161001, 561103, 561002

TYPES = ["f32", "f16", "bf16"]
REDUCTIONS = ["none", "mean", "sum", "batchmean"]
cases = Cases()


def data(name, shape, seed=1, low=-3.0, high=3.0):
    random = np.random.default_rng(seed + sum(map(ord, name)) + 7 * sum(shape))
    # Few digits, so that the file stays small.
    x = np.round(random.uniform(low, high, size=shape) * 64) / 64
    return x.astype(kind(name))


def torched(x, needs_grad=False):
    x = np.asarray(x)
    wide = np.int64 if x.dtype.kind in "iub" else np.float64
    return torch.tensor(np.array(x.astype(wide)), requires_grad=needs_grad)


def rounded(x, *names):
    x = x.detach().numpy() if isinstance(x, torch.Tensor) else np.asarray(x)
    for name in names:
        x = x.astype(kind(name))
    return x


DIGITS = {"f64": 52, "f32": 23, "f16": 10, "bf16": 7}


def out(x, *names):
    """A result that is rounded to types in turn, within two units of the one with the fewest digits."""
    return Out(rounded(x, *names), ulps=2.0 * 2 ** (DIGITS[names[-1]] - min(DIGITS[name] for name in names)))


def untouched(shape, name):
    return Out(np.full(int(np.prod(shape)) * np.dtype(kind(name)).itemsize, 0xA5, np.uint8).view(kind(name)).reshape(shape))


def promoted(*names):
    return names[0] if len(set(names)) == 1 else "f32"


def gradient(loss, of, grad):
    """The gradient of a loss by an operand, times the gradient of the loss."""
    return torch.autograd.grad(loss, of, torch.broadcast_to(torched(grad), loss.shape))[0]


PAIRS = [
    # Name, extra arguments, the loss, types of mixed operands, targets.
    ("MseLoss", [], lambda x, t, r: F.mse_loss(x, t, reduction=r), (-3, 3)),
    ("L1Loss", [], lambda x, t, r: F.l1_loss(x, t, reduction=r), (-3, 3)),
    ("SmoothL1Loss", [0.75], lambda x, t, r: F.smooth_l1_loss(x, t, reduction=r, beta=0.75), (-3, 3)),
    ("SoftMarginLoss", [], lambda x, t, r: F.soft_margin_loss(x, t, reduction=r), (-1, 1)),
]
MIXES = [("f32", "f32", "f32"), ("f16", "f16", "f16"), ("bf16", "bf16", "bf16"), ("f16", "f32", "f32"), ("bf16", "f32", "f16"), ("f16", "bf16", "bf16"), ("f16", "f16", "f32")]
SHAPES = [((4, 5), (4, 5)), ((3, 1), (4,)), ((), ()), ((2, 3, 4), (3, 4)), ((1,), (2, 3))]


def pairs():
    for name, extra, loss, (low, high) in PAIRS:
        for reduction in range(3):
            for mix in MIXES:
                for first, second in SHAPES if mix[0] == mix[1] == mix[2] else SHAPES[:2]:
                    own, target = data(mix[0], first), data(mix[1], second, 5, low, high)
                    shape = np.broadcast_shapes(first, second)
                    x, t = (torch.broadcast_to(torched(a), shape) for a in (own, target))
                    result = loss(x, t, REDUCTIONS[reduction])
                    cases.add(name, Tensor(own), Tensor(target), reduction, *extra, out(result, promoted(*mix[:2]), mix[2]))
            # Many elements, in several pieces.
            if reduction:
                for name_of in ["f32", "f16"]:
                    own, target = np.resize(data(name_of, (101,)), (3, 4099)), np.resize(data(name_of, (7,), 9, low, high), 4099)
                    result = loss(torched(own), torch.broadcast_to(torched(target), (3, 4099)), REDUCTIONS[reduction])
                    cases.add(name, Tensor(own), Tensor(target), reduction, *extra, out(result, name_of))
            for shape in [(0,), (2, 0)]:
                own = data("f32", shape)
                made = own if reduction == 0 else np.float32(np.nan if reduction == 1 else 0)
                cases.add(name, Tensor(own), Tensor(own), reduction, *extra, Out(made))
        # NaN and infinities reach the result.
        own, target = np.float32([np.nan, np.inf, -np.inf, 1, 0]), np.float32([1, 1, 1, np.nan, 0])
        for reduction in range(3):
            cases.add(name, Tensor(own), Tensor(target), reduction, *extra, out(loss(torched(own), torched(target), REDUCTIONS[reduction]), "f32"))
        for names in [("f32",) * 4, ("f16",) * 4, ("bf16",) * 4, ("f16", "f16", "f16", "f32")]:
            for reduction in range(3):
                for grad_shape, first, second in [((4, 5), (4, 5), (4, 5)), ((), (3, 1), (4,)), ((2, 1, 1), (3, 1), (4,)), ((), (), ())]:
                    grad, own = data(names[0], grad_shape, 3), data(names[1], first)
                    target = data(names[2], second, 5, low, high)
                    shape = np.broadcast_shapes(grad_shape, first, second)
                    x, t, g = (np.broadcast_to(a, shape) for a in (own, target, grad))
                    x = torched(x, True)
                    each = gradient(loss(x, torched(t), "none"), x, g)
                    result = each / (x.numel() if reduction == 1 else 1)
                    cases.add(name + "Backward", Tensor(grad), Tensor(own), Tensor(target), reduction, *extra, out(result, names[0], names[3]))
        empty = data("f32", (0, 3))
        cases.add(name + "Backward", Tensor(empty), Tensor(empty), Tensor(empty), 1, *extra, Out(empty))
    # Equal elements have no slope in the absolute difference.
    same = data("f32", (5,))
    cases.add("L1LossBackward", Tensor(same), Tensor(same), Tensor(same), 0, Out(np.zeros(5, np.float32)))
    # Integers keep all digits, and floats beside integers are floats.
    whole, other = np.array([2**60, -5, 7, 0]), np.array([-3, 2**61, 7, 1])
    difference = np.abs(whole - other)
    cases.add("L1Loss", Tensor(whole), Tensor(other), 0, Out(difference))
    cases.add("L1Loss", Tensor(whole), Tensor(other), 2, Out(difference.sum()))
    cases.add("L1Loss", Tensor(np.int32([1, 2, 9])), Tensor(np.float32([0.5, 4, 9])), 1, Out(np.float32(2.5 / 3), ulps=1))
    cases.add("L1Loss", Tensor(np.float32([0.5, 4, 9])), Tensor(np.int32([1, 2, 9])), 0, Out(np.float32([0.5, 2, 0])))
    cases.add("L1Loss", Tensor(np.int32([1, 2, 9])), Tensor(np.float32([0.5, 4, 9])), 0, Out(np.zeros(3, np.float32)), code=INVALID)
    cases.add("L1Loss", Tensor(whole), Tensor(other), 1, Out(np.int64(0)), code=INVALID)
    # The 950 has no slopes of the squared part for a small beta: NaN, and 0 where there is one gradient.
    near, target, grads = np.float32([1, 1.25, 0.5, 1]), np.ones(4, np.float32), np.float32([2, 3, 5, -7])
    for beta, slopes in [(0.0, [np.nan, 3, -5, np.nan]), (5e-7, [np.nan, 3, -5, np.nan]), (float(np.float32(1e-6)), [0, 3, -5, 0])]:
        arguments = [Tensor(near), Tensor(target), 0, beta]
        cases.add("SmoothL1LossBackward", Tensor(grads), *arguments, Out(np.float32(slopes)), product="Ascend950")
        slopes = np.float32([0, 2, -2, 0])
        for single in [np.float32(2), np.float32([2])]:
            cases.add("SmoothL1LossBackward", Tensor(single), *arguments, Out(slopes), product="Ascend950")
        expected = np.float32([np.nan, 3, -5, np.nan] if beta == 0 else [0, 3, -5, 0])
        cases.add("SmoothL1LossBackward", Tensor(grads), *arguments, Out(expected))
    # Below beta 0 nothing is squared.
    cases.add("SmoothL1Loss", Tensor(same), Tensor(same + np.float32(0.5)), 0, 0.0, Out(np.full(5, 0.5, np.float32)))
    for beta in [-1.0, float("nan")]:
        cases.add("SmoothL1Loss", Tensor(same), Tensor(same), 0, beta, Out(same), code=INVALID)
        cases.add("SmoothL1LossBackward", Tensor(same), Tensor(same), Tensor(same), 0, beta, Out(same), code=INVALID)
    # Along the first axis alone.
    for name in TYPES:
        own, target = data(name, (4, 3, 2)), data(name, (3, 1), 8)
        squares = (torched(own) - torched(target)) ** 2
        cases.add("MseLossOut", Tensor(own), Tensor(target), 0, out(squares, name))
        cases.add("MseLossOut", Tensor(own), Tensor(target), 1, out(squares.mean(0), name))
        cases.add("MseLossOut", Tensor(own), Tensor(target), 2, out(squares.sum(0), name))
    cases.add("MseLossOut", Tensor(data("f32", (0, 3))), Tensor(data("f32", (3,))), 2, untouched((3,), "f32"))
    # Every other number sums up, but leaves the result of no elements alone.
    own, target = data("f32", (4,)), data("f32", (4,), 2)
    cases.add("SoftMarginLoss", Tensor(own), Tensor(target), 7, out(F.soft_margin_loss(torched(own), torched(target), reduction="sum"), "f32"))
    cases.add("SoftMarginLoss", Tensor(own[:0]), Tensor(target[:0]), 7, untouched((), "f32"))


def divergences():
    for is_log in [False, True]:
        low, high = (-3, 0) if is_log else (0.125, 1)
        for reduction in range(4):
            for mix in MIXES:
                for first, second in SHAPES if mix[0] == mix[1] == mix[2] else SHAPES[:2]:
                    own, target = data(mix[0], first), data(mix[1], second, 5, low, high)
                    shape = np.broadcast_shapes(first, second)
                    x, t = (torch.broadcast_to(torched(a), shape) for a in (own, target))
                    result = F.kl_div(x, t, reduction="none", log_target=is_log)
                    divisor = {1: result.numel(), 3: first[0] if first else 1}.get(reduction, 1)
                    result = result.sum() / divisor if reduction else result
                    made = rounded(result, promoted(*mix[:2]), mix[2])
                    made = made.reshape((1,) * len(shape)) if reduction == 2 else made
                    cases.add("KlDiv", Tensor(own), Tensor(target), reduction, is_log, Out(made, ulps=2))
            for name in TYPES:
                for grad_shape, first, second in [((4, 5), (4, 5), (4, 5)), ((), (3, 1), (4,)), ((3, 4), (4,), (3, 1)), ((), (), ()), ((2, 3, 4), (1, 3, 1), (2, 1, 4))]:
                    grad, own = data(name, grad_shape, 3), data(name, first)
                    target = data(name, second, 5, low, high)
                    x, t = torched(own, True), torched(target, True)
                    loss = F.kl_div(torch.broadcast_to(x, np.broadcast_shapes(first, second)), t, reduction="none", log_target=is_log)
                    divisor = {1: loss.numel(), 3: first[0] if first else 1}.get(reduction, 1)
                    through = "f16" if name == "f16" else "f32"
                    arguments = [Tensor(grad), Tensor(own), Tensor(target), reduction, is_log]
                    cases.add("KlDivBackward", *arguments, out(gradient(loss / divisor, x, grad), through, name))
                    loss = F.kl_div(torch.broadcast_to(torched(own), np.broadcast_shapes(first, second)), t, reduction="none", log_target=is_log)
                    cases.add("KlDivTargetBackward", *arguments, out(gradient(loss / divisor, t, grad), through, name))
            none = data("f32", (0, 3))
            made = none if reduction == 0 else np.float32(0 if reduction == 2 else np.nan)
            cases.add("KlDiv", Tensor(none), Tensor(none), reduction, is_log, Out(made))
    none = data("f32", (3, 0))
    cases.add("KlDiv", Tensor(none), Tensor(none), 3, False, Out(np.float32(0)))
    # A target of zero adds nothing, and a negative one has no logarithm.
    own, target = np.float32([-1, 2, 0.5, 1]), np.float32([0, -1, np.nan, 0.5])
    cases.add("KlDiv", Tensor(own), Tensor(target), 0, False, out(F.kl_div(torched(own), torched(target), reduction="none"), "f32"))
    grad = np.ones(2, np.float32)
    cases.add("KlDivTargetBackward", Tensor(grad), Tensor(grad), Tensor(np.float32([0, 1])), 0, False, Out(np.zeros(2, np.float32)))
    # Numbers that are no reduction leave gradients as they are.
    cases.add("KlDivBackward", Tensor(grad), Tensor(grad), Tensor(grad), 9, False, Out(-grad))
    cases.add("KlDiv", Tensor(own), Tensor(target), 4, False, Out(own), code=INVALID)
    cases.add("KlDiv", Tensor(own), Tensor(target), 1, False, Out(own), code=INVALID)


def entropies():
    for name in TYPES:
        for reduction in range(3):
            # Gradients take weights of the storage format of the predictions, which goes by the number of axes here.
            for shape, weights in [((4, 5), None), ((4, 5), (4, 5)), ((4, 5), (5,)), ((), None), ((2, 3, 2), (1, 3, 1))]:
                own = data(name, shape, 1, 0, 1)
                target, weight = data(name, shape, 5, 0, 1), None if weights is None else data(name, weights, 7, 0, 2)
                w = None if weight is None else torched(weight)
                x = torched(own, True)
                loss = F.binary_cross_entropy(x, torched(target), w, reduction=REDUCTIONS[reduction])
                passed = NULL if weight is None else Tensor(weight)
                cases.add("BinaryCrossEntropy", Tensor(own), Tensor(target), passed, reduction, out(loss, name))
                for grad_shape in [loss.shape if loss.shape else shape, ()]:
                    grad = data(name, tuple(grad_shape), 3)
                    each = F.binary_cross_entropy(x, torched(target), w, reduction="none")
                    result = gradient(each, x, grad) / (each.numel() if reduction == 1 else 1)
                    cases.add("BinaryCrossEntropyBackward", Tensor(grad), Tensor(own), Tensor(target), passed, reduction, out(result, name))
                for positive in [None, (5,) if shape[-1:] == (5,) else ()]:
                    pos = None if positive is None else data(name, positive, 9, 0.5, 2)
                    p = None if pos is None else torched(pos)
                    logits = data(name, shape, 11, -6, 6)
                    x2, t2 = torched(logits, True), torched(target, True)
                    each = F.binary_cross_entropy_with_logits(x2, t2, w, reduction="none", pos_weight=p)
                    single = torched(rounded(each, name))
                    loss = single if reduction == 0 else single.mean() if reduction == 1 else single.sum()
                    weights_passed = [passed, NULL if pos is None else Tensor(pos)]
                    cases.add("BinaryCrossEntropyWithLogits", Tensor(logits), Tensor(target), *weights_passed, reduction, out(loss, name))
                    grad = data(name, shape if reduction == 0 else (), 3)
                    divisor = each.numel() if reduction == 1 else 1
                    arguments = [Tensor(grad), Tensor(logits), Tensor(target), *weights_passed, reduction]
                    cases.add("BinaryCrossEntropyWithLogitsBackward", *arguments, out(gradient(each / divisor, x2, grad), name))
                    each = F.binary_cross_entropy_with_logits(x2, t2, w, reduction="none", pos_weight=p)
                    cases.add("BinaryCrossEntropyWithLogitsTargetBackward", *arguments, out(gradient(each / divisor, t2, grad), name))
            none = data(name, (0, 3))
            made = none if reduction == 0 else rounded(np.float32(np.nan if reduction == 1 else 0), name)
            cases.add("BinaryCrossEntropy", Tensor(none), Tensor(none), NULL, reduction, Out(made))
            cases.add("BinaryCrossEntropyWithLogits", Tensor(none), Tensor(none), NULL, NULL, reduction, Out(made))
            cases.add("BinaryCrossEntropyBackward", Tensor(none), Tensor(none), Tensor(none), NULL, reduction, Out(none))
            cases.add("BinaryCrossEntropyWithLogitsBackward", Tensor(none), Tensor(none), Tensor(none), NULL, NULL, reduction, Out(none))
    # The logarithms of certain errors are bounded, and slopes there by the least variance.
    own, target = np.float32([0, 1, 1, 0, 0.5]), np.float32([1, 0, 1, 0, 0.25])
    x = torched(own, True)
    each = F.binary_cross_entropy(x, torched(target), reduction="none")
    cases.add("BinaryCrossEntropy", Tensor(own), Tensor(target), NULL, 0, out(each, "f32"))
    cases.add("BinaryCrossEntropyBackward", Tensor(np.float32(1)), Tensor(own), Tensor(target), NULL, 0, out(gradient(each, x, np.float32(1)), "f32"))
    # Large numbers before the sigmoid.
    own, target = np.float32([100, -100, 90, -1e30, 1e30]), np.float32([0, 1, 1, 1, 0])
    cases.add("BinaryCrossEntropyWithLogits", Tensor(own), Tensor(target), NULL, NULL, 0, out(F.binary_cross_entropy_with_logits(torched(own), torched(target), reduction="none"), "f32"))
    # Types: without weights they may differ, of the sigmoid's loss target and result have one.
    for first, second, result in [("f16", "f32", "f32"), ("f32", "f16", "f16")]:
        own, target = data(first, (7,), 1, 0, 1), data(second, (7,), 5, 0, 1)
        cases.add("BinaryCrossEntropy", Tensor(own), Tensor(target), NULL, 2, out(F.binary_cross_entropy(torched(own), torched(target), reduction="sum"), "f32", result))
        each = rounded(F.binary_cross_entropy_with_logits(torched(own), torched(target), reduction="none"), "f32")
        cases.add("BinaryCrossEntropyWithLogits", Tensor(own), Tensor(target), NULL, NULL, 1, out(torched(each).mean(), "f32", result))
    x = data("f32", (3,), 1, 0, 1)
    half = x.astype(np.float16)
    for position in range(3):
        arguments = [Tensor(x), Tensor(x), Out(x)]
        arguments[position] = NULL
        cases.add("BinaryCrossEntropy", arguments[0], arguments[1], NULL, 0, arguments[2], code=INNER)
    cases.add("BinaryCrossEntropyBackward", NULL, Tensor(x), Tensor(x), NULL, 0, Out(x), code=NULLPTR)
    cases.add("BinaryCrossEntropy", Tensor(x), Tensor(x), Tensor(half), 0, Out(x), code=INVALID)
    cases.add("BinaryCrossEntropy", Tensor(x), Tensor(x), Tensor(x[:2].copy()), 0, Out(x), code=INNER)
    cases.add("BinaryCrossEntropy", Tensor(x), Tensor(x[:1].copy()), NULL, 0, Out(x), code=INVALID)
    cases.add("BinaryCrossEntropy", Tensor(x), Tensor(x), NULL, 1, Out(x), code=INVALID)
    cases.add("BinaryCrossEntropy", Tensor(x), Tensor(x), NULL, 1, Out(F.binary_cross_entropy(torched(x), torched(x)).numpy().astype(np.float32).reshape(1, 1), ulps=1))
    cases.add("BinaryCrossEntropyWithLogits", Tensor(x), Tensor(half), NULL, NULL, 0, Out(x), code=INVALID)
    cases.add("BinaryCrossEntropyWithLogits", Tensor(x), Tensor(x), Tensor(x[:2].copy()), NULL, 0, Out(x), code=INVALID)
    cases.add("BinaryCrossEntropyWithLogits", Tensor(x), Tensor(x), NULL, NULL, 1, Out(x), code=INNER)


def likelihoods():
    sizes = [((4, 3), (4,)), ((3,), ()), ((1, 5), (1,)), ((2, 3, 2, 2), (2, 2, 2))]
    for name, (shape, rows), reduction, label, ignored in itertools.product(TYPES, sizes, range(3), ["i64", "i32", "u8"], [-100, 1]):
        if label != "i64" and name != "f32":
            continue
        images = len(shape) == 4
        operator = "NLLLoss2d" if images else "NLLLoss"
        classes = shape[1] if len(shape) > 1 else shape[0]
        own = data(name, shape)
        labels = np.random.default_rng(len(rows) + abs(ignored)).integers(0, classes, size=rows).astype(kind(label))
        weight = data(name, (classes,), 9, 0.5, 2)
        total = np.where(labels == ignored, 0, weight.astype(np.float64)[labels]).sum()
        loss = F.nll_loss(torched(own), torched(labels).reshape(rows), torched(weight), ignore_index=ignored, reduction=REDUCTIONS[reduction])
        through = "f32" if name == "f16" else name
        made = [out(loss, through, name), untouched((), name) if reduction == 0 else out(total, through, name)]
        if rows == () and reduction == 0:
            made[0] = out(loss.reshape(()), through, name)
        cases.add(operator, Tensor(own), Tensor(labels), Tensor(weight), reduction, ignored, *made)
        x = torched(own, True)
        loss = F.nll_loss(x, torched(labels).reshape(rows), torched(weight), ignore_index=ignored, reduction=REDUCTIONS[reduction])
        grad, kept = data(name, tuple(loss.shape), 3), rounded(total, name)
        wanted = gradient(loss, x, grad)
        if reduction == 1:
            # The divisor is the rounded sum of weights that the caller passes.
            each = F.nll_loss(x, torched(labels).reshape(rows), torched(weight), ignore_index=ignored, reduction="sum")
            wanted = gradient(each, x, grad) / float(kept) if total else np.zeros(shape)
        cases.add(operator + "Backward", Tensor(grad), Tensor(own), Tensor(labels), Tensor(weight), reduction, ignored, Tensor(kept), out(wanted, name))
    # f16 is rounded once, to the type of the result.
    own, labels, weight = data("f16", (64, 3), 2), np.arange(64) % 3, data("f16", (3,), 9, 0.5, 2)
    loss = F.nll_loss(torched(own), torched(labels), torched(weight), reduction="sum")
    total = weight.astype(np.float64)[labels].sum()
    cases.add("NLLLoss", Tensor(own), Tensor(labels), Tensor(weight), 2, -100, out(loss, "f32"), out(total, "f32"))
    x, weight, grad = data("f32", (4, 3)), np.ones(3, np.float32), np.ones(4, np.float32)
    all_ignored = np.full(4, 2)
    one = np.float32(0)
    cases.add("NLLLoss", Tensor(x), Tensor(all_ignored), Tensor(weight), 1, 2, Out(np.float32(np.nan)), Out(one))
    cases.add("NLLLossBackward", Tensor(one), Tensor(x), Tensor(all_ignored), Tensor(weight), 1, 2, Tensor(one), Out(np.zeros((4, 3), np.float32)))
    # No rows, and no classes.
    none, no_labels = x[:0], all_ignored[:0]
    for reduction, made in [(0, [Out(grad[:0]), untouched((), "f32")]), (1, [Out(np.float32(np.nan)), Out(one)]), (2, [Out(one), Out(one)])]:
        cases.add("NLLLoss", Tensor(none), Tensor(no_labels), Tensor(weight), reduction, -100, *made)
    cases.add("NLLLossBackward", Tensor(grad[:0]), Tensor(none), Tensor(no_labels), Tensor(weight), 0, -100, Tensor(one), Out(none))
    cases.add("NLLLoss", Tensor(x[:, :0]), Tensor(all_ignored), Tensor(weight[:0]), 2, -100, Out(one), Out(one), code=INVALID)
    images = np.zeros((0, 3, 2, 2), np.float32)
    cases.add("NLLLoss2d", Tensor(images), Tensor(np.zeros((0, 2, 2), np.int64)), Tensor(weight), 1, -100, Out(np.float32(np.nan)), Out(one))
    # Of images the weights may have further axes, whose sizes are not looked at; without weights there is nothing to add.
    images, at = data("f32", (2, 3, 2, 2)), np.array([[[0, 1], [2, 0]], [[1, 1], [0, 2]]])
    weights = data("f32", (3,), 9, 0.5, 2)
    loss = F.nll_loss(torched(images), torched(at), torched(weights), reduction="sum")
    total = np.float32(weights.astype(np.float64)[at].sum())
    column = Tensor(weights.reshape(3, 1))
    cases.add("NLLLoss2d", Tensor(images), Tensor(at), column, 2, -100, out(loss, "f32"), Out(total, ulps=1))
    x4 = torched(images, True)
    wanted = gradient(F.nll_loss(x4, torched(at), torched(weights), reduction="sum"), x4, np.float32(1))
    cases.add("NLLLoss2dBackward", Tensor(one + 1), Tensor(images), Tensor(at), column, 2, -100, Tensor(total), out(wanted, "f32"))
    nothing = np.zeros((3, 0), np.float32)
    for reduction, made in [(0, [untouched((2, 2, 2), "f32"), untouched((), "f32")]), (1, [Out(np.float32(np.nan)), Out(one)]), (2, [Out(one), Out(one)])]:
        cases.add("NLLLoss2d", Tensor(images), Tensor(at), Tensor(nothing), reduction, -100, *made)
    cases.add("NLLLoss2dBackward", Tensor(one + 1), Tensor(images), Tensor(at), Tensor(nothing), 2, -100, Tensor(total), untouched((2, 3, 2, 2), "f32"))
    for wrong in [weights[:2], one, weights.reshape(1, 3)]:
        cases.add("NLLLoss2d", Tensor(images), Tensor(at), Tensor(wrong), 2, -100, Out(one), Out(one), code=INVALID)
    cases.add("NLLLoss", Tensor(x), Tensor(all_ignored), column, 2, -100, Out(one), Out(one), code=INVALID)
    labels = np.array([0, 1, 2, 0])
    good = [Tensor(x), Tensor(labels), Tensor(weight), 1, -100, Out(one), Out(one)]
    for position, argument, code in [
        (0, NULL, NULLPTR), (1, NULL, NULLPTR), (2, NULL, NULLPTR), (5, NULL, NULLPTR), (6, NULL, NULLPTR),
        (0, Tensor(x.astype(np.float64)), INVALID), (1, Tensor(labels.astype(np.int16)), INVALID), (1, Tensor(labels[:3]), INVALID),
        (2, Tensor(weight.astype(np.float16)), INVALID), (2, Tensor(weight[:2]), INVALID), (3, 3, INVALID), (3, -1, INVALID),
        (0, Tensor(x.reshape(2, 2, 3)), INVALID), (5, Out(grad), INVALID), (5, Out(np.zeros((1, 1), np.float32)), INVALID),
        (6, Out(grad), INVALID), (5, Out(np.int32(0)), INVALID),
    ]:
        arguments = list(good)
        arguments[position] = argument
        cases.add("NLLLoss", *arguments, code=code)
    bf16 = [data("bf16", (4, 3)), labels, data("bf16", (3,), 9, 0.5, 2)]
    cases.add("NLLLoss", *map(Tensor, bf16), 2, -100, Out(one), Out(one), product="Ascend910", code=INVALID)
    cases.add("NLLLoss", Tensor(x), Tensor(labels), Tensor(weight), 2, -100, out(F.nll_loss(torched(x), torched(labels), torched(weight), reduction="sum"), "f32"), Out(np.float32(4)), product="Ascend310P")


def classes():
    for name, reduction, weighted, smoothing, ignored in itertools.product(TYPES, range(3), [False, True], [0.0, 0.25], [-100, 2]):
        own = data(name, (5, 4), 1, -6, 6)
        labels = np.array([0, 3, 2, 1, 3])
        weight = data("f32", (4,), 9, 0.5, 2)
        w, passed = (torched(weight), Tensor(weight)) if weighted else (None, NULL)
        loss = F.cross_entropy(torched(own), torched(labels), w, ignore_index=ignored, reduction=REDUCTIONS[reduction], label_smoothing=smoothing)
        loss = loss if reduction == 0 else loss.reshape(1)
        logarithms = F.log_softmax(torched(own), 1)
        unused = [untouched(loss.shape, name), untouched((5,), name)]
        words = [Text(REDUCTIONS[reduction]), ignored, smoothing, 0.0]
        cases.add("CrossEntropyLoss", Tensor(own), Tensor(labels), passed, *words, False, out(loss, name), out(logarithms, name), *unused)
        if smoothing == 0:
            x = torched(own, True)
            kept = rounded(F.log_softmax(x, 1), name)
            x = torched(kept, True)
            loss = F.cross_entropy(x, torched(labels), w, ignore_index=ignored, reduction=REDUCTIONS[reduction])
            grad = data(name, (5,) if reduction == 0 else (), 3)
            # PyTorch takes the softmax of what the device takes the exponentials of.
            factor = torched(np.where(labels == ignored, 0, weight[labels] if weighted else 1.0))
            factor = factor / factor.sum() if reduction == 1 else factor
            wanted = (torched(kept).exp() - F.one_hot(torched(labels), 4)) * (factor * torched(grad)).reshape(5, 1)
            assert torch.allclose(wanted, gradient(loss, x, grad), atol=0.1 if name != "f32" else 1e-5)
            cases.add("CrossEntropyLossGrad", Tensor(grad), Tensor(kept), Tensor(labels), passed, NULL, NULL, *words, out(wanted, name))
    x, labels, one, each = data("f32", (3, 4)), np.array([0, 1, 3]), np.zeros(1, np.float32), np.zeros(3, np.float32)
    good = [Tensor(x), Tensor(labels), NULL, Text("mean"), -100, 0.0, 0.0, False, Out(one), Out(x), Out(one), Out(each)]
    for position, argument, code in [
        (0, NULL, NULLPTR), (1, NULL, NULLPTR), (8, NULL, NULLPTR), (9, NULL, NULLPTR), (10, NULL, NULLPTR), (11, NULL, NULLPTR),
        (0, Tensor(x.astype(np.float64)), INVALID), (1, Tensor(labels.astype(np.int32)), INVALID), (2, Tensor(np.ones(4, np.float16)), INVALID),
        (0, Tensor(x[0]), TILING), (1, Tensor(labels[:2]), TILING), (2, Tensor(np.ones(3, np.float32)), TILING), (3, Text("median"), TILING),
        (5, 1.5, TILING), (8, Out(each), TILING), (9, Out(x[:2]), TILING), (11, Out(one), TILING), (8, Out(one.astype(np.float16)), INVALID),
    ]:
        arguments = list(good)
        arguments[position] = argument
        cases.add("CrossEntropyLoss", *arguments, code=code)
    for product in ["Ascend910", "Ascend310P"]:
        cases.add("CrossEntropyLoss", *good, code=INVALID, product=product)
    for name in TYPES:
        own, labels = data(name, (4, 5)), F.softmax(torched(data(name, (4, 5), 2)), 1).numpy().astype(kind(name))
        logarithms = F.log_softmax(torched(own), 1)
        wanted = [-(torched(labels) * logarithms).sum(1), logarithms.exp() - torched(labels)]
        cases.add("SoftmaxCrossEntropyWithLogits", Tensor(own), Tensor(labels), out(wanted[0], name), out(wanted[1], name))
    x = data("f32", (3, 4))
    each = x[:, 0].copy()
    cases.add("SoftmaxCrossEntropyWithLogits", Tensor(x[:0]), Tensor(x[:0]), Out(each[:0]), Out(x[:0]))
    for position, argument, code in [
        (0, NULL, NULLPTR), (1, NULL, NULLPTR), (2, NULL, NULLPTR), (3, NULL, NULLPTR), (0, Tensor(each), INVALID), (1, Tensor(each), INVALID),
        (2, Out(each.astype(np.float16)), INVALID), (1, Tensor(x[:2]), INNER), (2, Out(each[:2]), INNER), (3, Out(x[:2]), INNER),
    ]:
        arguments = [Tensor(x), Tensor(x), Out(each), Out(x)]
        arguments[position] = argument
        cases.add("SoftmaxCrossEntropyWithLogits", *arguments, code=code)


def margins():
    """CANN's checks of these are not known: what is refused here is what PyTorch refuses."""
    for name, (shape, labels), reduction in itertools.product(TYPES, [((2, 5), [[1, 3, -1, 0, 2], [4, -1, 2, 2, 2]]), ((4,), [3, 0, -1, -1]), ((1, 3), [[0, 1, 2]])], range(3)):
        own, target = data(name, shape), np.array(labels)
        loss = F.multilabel_margin_loss(torched(own), torched(target), reduction=REDUCTIONS[reduction])
        flags = torch.ops.aten.multilabel_margin_loss_forward(torched(own), torched(target), 0)[1]
        for label in ["i64", "i32"]:
            cases.add("MultilabelMarginLoss", Tensor(own), Tensor(target.astype(kind(label))), reduction, out(loss, name), Out(rounded(flags, name)))
    x, labels, each = data("f32", (2, 3)), np.array([[0, -1, 0], [2, 1, -1]]), np.zeros(2, np.float32)
    for reduction, made in [(0, each[:0]), (1, np.float32(np.nan)), (2, np.float32(0))]:
        cases.add("MultilabelMarginLoss", Tensor(x[:0]), Tensor(labels[:0]), reduction, Out(made), Out(x[:0]))
    for position, argument, code in [
        (0, NULL, NULLPTR), (1, NULL, NULLPTR), (3, NULL, NULLPTR), (4, NULL, NULLPTR), (0, Tensor(x.astype(np.float64)), INVALID), (1, Tensor(x), INVALID),
        (1, Tensor(labels[:1]), INVALID), (2, 3, INVALID), (3, Out(np.zeros(3, np.float32)), INVALID), (4, Out(each), INVALID), (0, Tensor(x[None]), INVALID),
    ]:
        arguments = [Tensor(x), Tensor(labels), 0, Out(each), Out(x)]
        arguments[position] = argument
        cases.add("MultilabelMarginLoss", *arguments, code=code)


def sequences():
    """The loss of PyTorch in f64, and the logarithms of its forward pass: minus infinity where there is nothing."""
    steps, classes = 7, 5
    batches = [
        ([7, 5, 7], [3, 2, 0], True), ([7, 7, 4], [3, 3, 1], False), ([7, 1, 7], [3, 3, 2], True), ([7], [2], True), ([6], [3], None),
    ]
    for name, (lengths, counts, rows), blank, zero in itertools.product(["f32", "f64", "f16", "bf16"], batches, [0, 2], [False, True]):
        random, count = np.random.default_rng(sum(lengths) + blank), len(lengths)
        logarithms = F.log_softmax(torched(random.uniform(-2, 2, size=(steps, count, classes))), 2).numpy().astype(kind(name))
        others = [label for label in range(classes) if label != blank]
        labels = np.array([[others[(row + at * at) % 4] for at in range(4)] for row in range(count)])
        if rows is None:
            # One sequence, without an axis for a batch.
            logarithms, passed = logarithms[:, 0], labels[0, : counts[0]]
        else:
            passed = labels if rows else np.concatenate([labels[row, :length] for row, length in enumerate(counts)])
        wide = torched(logarithms)
        batch = wide if wide.ndim == 3 else wide[:, None]
        flat = torch.tensor(np.concatenate([labels[row, :length] for row, length in enumerate(counts)]))
        loss, alpha = torch.ops.aten._ctc_loss(batch, flat, lengths, counts, blank, zero)
        states = (2 * max(counts) + 1 + 7) // 8 * 8
        forward = np.full((count, steps, states), -np.inf)
        for row, (length, labelled) in enumerate(zip(lengths, counts)):
            forward[row, :length, : 2 * labelled + 1] = alpha[row, :length, : 2 * labelled + 1]
        ulps = 256 if name == "f64" else 2
        loss = loss if wide.ndim == 3 else loss[0]
        arrays = [Ints(lengths), Ints(counts), blank, zero]
        kept = [rounded(loss, name), rounded(forward, name)]
        cases.add("CtcLoss", Tensor(logarithms), Tensor(passed), *arrays, Out(kept[0], ulps=ulps), Out(kept[1], ulps=ulps))
        grad = data("f32", kept[0].shape, 3).astype(kind(name))
        width = alpha.shape[2]
        wanted = torch.ops.aten._ctc_loss_backward(
            torched(grad).reshape(count), batch, flat, lengths, counts, torched(kept[0]).reshape(count), torched(kept[1][:, :, :width]), blank, zero
        )
        # Two nearly equal exponentials are subtracted, and halves keep few digits of what is in them.
        tolerance = 1e7 if name == "f64" else 4
        wanted = rounded(wanted.reshape(wide.shape), name)
        # There may be more states than the longest target needs.
        longer = np.concatenate([kept[1], np.full_like(kept[1][:, :, :1], 7)], 2)
        for states in [kept[1], longer]:
            cases.add("CtcLossBackward", Tensor(grad), Tensor(logarithms), Tensor(passed), *arrays[:2], Tensor(kept[0]), Tensor(states), blank, zero, Out(wanted, ulps=tolerance))
    x, labels = data("f32", (4, 2, 3), 1, -3, 0), np.array([[1, 2], [2, 1]])
    good = [Tensor(x), Tensor(labels), Ints([4, 4]), Ints([2, 2]), 0, False, Out(np.zeros(2, np.float32)), Out(np.zeros((2, 4, 8), np.float32))]
    for position, argument, code in [
        (0, NULL, NULLPTR), (1, NULL, NULLPTR), (2, NULL, NULLPTR), (3, NULL, NULLPTR), (6, NULL, NULLPTR), (7, NULL, NULLPTR),
        (0, Tensor(x.astype(np.int32)), INVALID), (1, Tensor(labels.astype(np.int16)), INVALID), (2, Ints([4]), INVALID), (2, Ints([5, 4]), INVALID),
        (3, Ints([3, 2]), INVALID), (4, 3, INVALID), (4, -1, INVALID), (0, Tensor(x[:0]), INVALID), (6, Out(np.zeros(3, np.float32)), INVALID),
        (7, Out(np.zeros((2, 4, 5), np.float32)), INVALID), (6, Out(np.zeros(2, np.float16)), INVALID),
    ]:
        arguments = list(good)
        arguments[position] = argument
        cases.add("CtcLoss", *arguments, code=code)
    cases.add("CtcLoss", Tensor(x[:, :0]), Tensor(labels[:0]), Ints([]), Ints([]), 0, False, Out(np.zeros(0, np.float32)), Out(np.zeros((0, 4, 8), np.float32)))


def softmax_gradients():
    shapes = [((3, 4, 5), 1), ((3, 4, 5), -1), ((3, 4, 5), 0), ((7,), 0), ((), 0), ((), -1), ((1, 300), 1), ((300, 3), 0)]
    for name, (shape, axis) in itertools.product(TYPES, shapes):
        grad = data(name, shape, 3)
        x = torched(data(name, shape))
        for operator, function in [("SoftmaxBackward", F.softmax), ("LogSoftmaxBackward", F.log_softmax)]:
            result = rounded(function(x, axis), name)
            g, y = torched(grad), torched(result)
            wanted = y * (g - (g * y).sum(axis, keepdim=True)) if operator == "SoftmaxBackward" else g - y.exp() * g.sum(axis, keepdim=True)
            # PyTorch's own, which has no halves on a CPU.
            own = torch.ops.aten._softmax_backward_data if operator == "SoftmaxBackward" else torch.ops.aten._log_softmax_backward_data
            assert torch.allclose(own(g, y, axis, torch.float64), wanted)
            for to in [name, "f32", "f64"] if shape == (3, 4, 5) else [name]:
                cases.add(operator, Tensor(grad), Tensor(result), axis, out(wanted, name, to))
    x, half = data("f32", (3, 4)), data("f16", (3, 4))
    for operator in ["SoftmaxBackward", "LogSoftmaxBackward"]:
        for position, argument, code in [
            (0, NULL, NULLPTR), (1, NULL, NULLPTR), (3, NULL, NULLPTR), (0, Tensor(half), INVALID), (0, Tensor(x[:2]), INVALID), (2, 2, INVALID), (2, -3, INVALID),
            (3, Out(x[:2]), INVALID), (0, Tensor(x.astype(np.float64)), INVALID),
        ]:
            arguments = [Tensor(x), Tensor(x), 1, Out(x)]
            arguments[position] = argument
            cases.add(operator, *arguments, code=code)
        # Nothing but nulls is looked at where there are no elements; the 950 looks.
        cases.add(operator, Tensor(x[:0]), Tensor(half), 9, untouched((3, 4), "f32"))
        cases.add(operator, Tensor(x[:0]), Tensor(half), 9, Out(x), code=INVALID, product="Ascend950")


def refused():
    x = data("f32", (3, 4))
    one, small = np.float32(0), x[:2].copy()
    for name, extra in [("MseLoss", []), ("L1Loss", []), ("SmoothL1Loss", [1.0]), ("SoftMarginLoss", []), ("KlDiv", [False])]:
        for position, argument, code in [
            (0, NULL, NULLPTR), (1, NULL, NULLPTR), (-1, NULL, NULLPTR), (1, Tensor(small), INVALID), (0, Tensor(np.zeros((1,) * 9, np.float32)), INVALID),
            (-1, Out(small), INVALID), (0, Tensor(x.astype(np.complex64)), INVALID),
        ]:
            arguments = [Tensor(x), Tensor(x), 0, *extra, Out(x)]
            arguments[position] = argument
            cases.add(name, *arguments, code=code)
        if name != "SoftMarginLoss":
            cases.add(name, Tensor(x), Tensor(x), 4, *extra, Out(one), code=INVALID)
        if name not in ("SmoothL1Loss", "KlDiv"):
            cases.add(name, Tensor(x), Tensor(x), 1, *extra, Out(np.zeros(1, np.float32)), code=INVALID)
        bf16 = data("bf16", (3, 4))
        cases.add(name, Tensor(bf16), Tensor(bf16), 0, *extra, Out(bf16), code=INVALID, product="Ascend910")
    # Its result has a shape that nobody looks at before the kernel.
    cases.add("SmoothL1Loss", Tensor(x), Tensor(x), 1, 1.0, Out(x), code=INNER)
    cases.add("SmoothL1Loss", Tensor(x), Tensor(x), 1, 1.0, Out(np.zeros((1, 1), np.float32)))
    for name, extra in [("MseLoss", []), ("L1Loss", []), ("SmoothL1Loss", [1.0]), ("SoftMarginLoss", []), ("KlDiv", [False])]:
        for position, argument, code in [(0, NULL, NULLPTR), (1, NULL, NULLPTR), (2, NULL, NULLPTR), (-1, NULL, NULLPTR), (0, Tensor(small), INVALID), (-1, Out(small), INVALID)]:
            arguments = [Tensor(x), Tensor(x), Tensor(x), 0, *extra, Out(x)]
            arguments[position] = argument
            cases.add(name + "Backward", *arguments, code=code)
    cases.add("MseLossBackward", Tensor(x.astype(np.float16)), Tensor(x), Tensor(x), 0, Out(x), code=INVALID)
    cases.add("MseLoss", Tensor(x.astype(np.float64)), Tensor(x), 0, Out(x), code=INVALID)
    cases.add("MseLoss", Tensor(x), Tensor(x), 0, Out(x.astype(np.float64)), code=INVALID)


softmax_gradients()
pairs()
divergences()
entropies()
likelihoods()
classes()
margins()
sequences()
refused()
cases.write("loss")
