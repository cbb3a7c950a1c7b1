"""Cases of operators of which CANN publishes little more than the parameters: samples of tokens, steps of sequences, checks of
gradients, codes of floats, boxes, exponential numbers, images, gates, rotations, steps of optimizers,
groups that share a power of two, and results that are quantised as they are computed.

References: NumPy, SciPy, PyTorch, torchvision's formulas, randomgen.
Each is computed in f64 by the formula that the declaration states, and rounded once. Writes
cann-stubs/tests/data/by_signature.cases.

    python xtask/golden/by_signature.py
"""

import heapq
import itertools

import ml_dtypes
import numpy as np
import torch
import torch.nn.functional as F
from randomgen import Philox
from scipy import stats

from cases import NULL, TYPES, Cases, InOut, Ints, Out, Tensor, Text, kind

NULLPTR, INVALID, UNTILED, NOT_EMULATED, INNER_NULL = 161001, 161002, 561002, 561003, 561103
F3 = ["f32", "f16", "bf16"]
cases = Cases()


def data(name, *shape, seed=0, low=-3.0, high=3.0):
    random = np.random.default_rng(seed + sum(map(ord, name)) + sum(shape))
    return random.uniform(low, high, shape).astype(kind(name))


def wide(array):
    return np.asarray(array).astype(np.float64)


def given(array):
    return NULL if array is None else Tensor(array)


def near(name):
    """A distance for sums of a few terms of numbers up to about 8."""
    return {"f32": 2e-5, "f16": 8e-3, "bf16": 8e-2}[name]


def t(array):
    return torch.from_numpy(wide(array).copy())


def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def samples():
    def chosen(x, k, p, part, most, of_logits):
        """The row with what is hidden, and the places from the greatest element to the smallest."""
        hidden = -np.inf if of_logits else 0.0
        made, order = wide(x), np.argsort(wide(x), kind="stable")
        if 1 <= k <= min(most, len(x) - 1):
            made[made < made[order[-k]]] = hidden
        below = np.cumsum(softmax(made[order]) if of_logits else made[order] / made.sum())
        made[order[:-1][below[:-1] <= 1 - wide(p)]] = hidden
        if part is not None:
            weights = softmax(made) if of_logits else made
            made[weights < wide(part) * weights.max()] = hidden
        return made, order[::-1]

    def expected(x, k, p, q, part=None, most=1024, eps=1e-8, of_logits=True):
        rows = [chosen(row, k[i], p[i], None if part is None else part[i], most, of_logits) for i, row in enumerate(x)]
        made, order = np.stack([row for row, _ in rows]), np.stack([order for _, order in rows])
        weights = softmax(made) if of_logits else made
        best = np.argmax(weights / (1 if q is None else np.abs(wide(q)) + eps), -1)
        return best.astype(np.int64), made.astype(np.float32), order.astype(np.int64), np.take_along_axis(made, order, -1).astype(np.float32)

    first, second = "TopKTopPSample", "TopKTopPSampleV2"
    for name in F3:
        x = data(name, 5, 11)
        # Not on a border that a rounding moves.
        p, k = np.array([0.913, 0.537, 0.05, 1.0, 0.71]).astype(kind(name)), np.array([3, 5, 11, 0, 2], np.int32)
        q = np.random.default_rng(5).exponential(size=x.shape).astype(np.float32)
        part = np.array([0.3, 0.01, 0.5, 0.2, 0.9]).astype(kind(name))
        for with_q in [q, None]:
            best, made, _, _ = expected(x, k, p, with_q)
            cases.add(first, Tensor(x), Tensor(k), Tensor(p), given(with_q), 1e-8, True, 32, Out(best), Out(made))
            cases.add(first, Tensor(x), Tensor(k), Tensor(p), given(with_q), 1e-8, False, 32, Out(best), NULL)
            for with_part in [part, None]:
                best, made, order, ordered = expected(x, k, p, with_q, with_part, most=4)
                outputs = [Out(best), Out(made), Out(order), Out(ordered)]
                cases.add(second, Tensor(x), Tensor(k), Tensor(p), given(with_q), given(with_part), 1e-8, True, 32, 4, True, True, *outputs)
                cases.add(second, Tensor(x), Tensor(k), Tensor(p), given(with_q), given(with_part), 1e-8, False, 32, 4, True, False, outputs[0], NULL, NULL, NULL)
        probable = softmax(wide(x)).astype(kind(name))
        best, made, order, ordered = expected(probable, k, p, q, part, eps=0.5, of_logits=False)
        cases.add(second, Tensor(probable), Tensor(k), Tensor(p), Tensor(q), Tensor(part), 0.5, True, 32, 1024, False, True, Out(best), Out(made), Out(order), Out(ordered))
    # The numbers of tokens have the probabilities of the logits.
    draws = np.random.default_rng(9).exponential(size=(4000, 4)).astype(np.float32)
    many = np.broadcast_to(np.log(np.array([0.1, 0.2, 0.3, 0.4], np.float32)), (4000, 4))
    best, _, _, _ = expected(many, np.zeros(4000, np.int32), np.ones(4000, np.float32), draws)
    assert stats.chisquare(np.bincount(best, minlength=4), 4000 * np.array([0.1, 0.2, 0.3, 0.4])).pvalue > 0.05
    best, made, _, _ = expected(x, k, p, q)
    arguments = dict(x=x, k=k, p=p, q=q, flag=True, best=best, made=made, code=0)

    def refused(**changed):
        a = {**arguments, **changed}
        cases.add(first, given(a["x"]), given(a["k"]), given(a["p"]), given(a["q"]), 1e-8, a["flag"], 32, NULL if a["best"] is None else Out(a["best"]), NULL if a["made"] is None else Out(a["made"]), code=a["code"])

    for missing in ["x", "k", "p", "best"]:
        refused(**{missing: None, "code": NULLPTR})
    refused(made=None, code=UNTILED)
    refused(k=k[:4], code=UNTILED)
    refused(q=q[:, :4], code=UNTILED)
    refused(x=x[0], code=UNTILED)
    refused(k=k.astype(np.int64), code=INVALID)
    refused(q=wide(q), code=INVALID)
    refused(best=best.astype(np.int32), code=INVALID)
    refused(made=wide(made), code=INVALID)
    refused(x=wide(x), code=INVALID)


def steps():
    random = np.random.default_rng(4)
    for name in ["i64", "i32"]:
        make = lambda *numbers: np.array(numbers).astype(kind(name))
        rows, queries, block, columns = 5, 3, 4, 6
        tables = random.permutation(rows * columns).reshape(rows, columns).astype(kind(name))
        tokens, positions, slots = make(7, 8, 9, 1, 2), make(0, 4, 22, 5, 6), make(9, 9, 9, 9, 9)
        lens, sampled = make(1, 5, 23, 6, 7), make(31, 32, 33).reshape(3, 1)
        after = [tokens.copy(), lens.copy(), lens.copy(), slots.copy()]
        for row in range(queries):
            place = lens[row]
            after[0][row], after[1][row], after[2][row] = sampled[row, 0], place, place + 1
            after[3][row] = tables[row, place // block] * block + place % block
        for row in range(queries, rows):
            after[0][row], after[1][row], after[3][row] = 0, 0, -1
        changed = lambda before, index: InOut(before, after[index])
        own = [changed(tokens, 0), Tensor(sampled), changed(positions, 1), changed(lens, 2), changed(slots, 3), Tensor(tables)]
        cases.add("AdvanceStep", *own, rows, queries, block)
        cases.add("AdvanceStepV2", *own, NULL, NULL, rows, queries, block)
        # Two drafts, of which some were accepted.
        drafts, accepted = random.integers(40, 60, (rows, 2)).astype(kind(name)), make(0, 2, 1, 0, 2)
        lens = (make(1, 5, 9, 6, 7)[:, None] + np.arange(3)).astype(kind(name)).reshape(-1)
        sampled = random.integers(60, 99, (rows, 3)).astype(kind(name))
        wide_after = [np.zeros(15, kind(name)) for _ in range(4)]
        for row in range(rows):
            for step in range(3):
                at, place = row * 3 + step, lens[row * 3 + step] + accepted[row]
                wide_after[0][at] = sampled[row, accepted[row]] if step == 0 else drafts[row, step - 1]
                wide_after[1][at], wide_after[2][at] = place, place + 1
                wide_after[3][at] = tables[row, place // block] * block + place % block
        blank = np.zeros(15, kind(name))
        outputs = [InOut(before, after) for before, after in zip([blank, blank, lens, blank], wide_after)]
        cases.add("AdvanceStepV2", outputs[0], Tensor(sampled), *outputs[1:], Tensor(tables), Tensor(drafts), Tensor(accepted), rows, rows, block)
    for index in range(6):
        cases.add("AdvanceStep", *own[:index], NULL, *own[index + 1 :], rows, queries, block, code=NULLPTR)
    cases.add("AdvanceStep", *own, rows, 6, block, code=UNTILED)
    cases.add("AdvanceStep", *own, rows, queries, 0, code=UNTILED)
    cases.add("AdvanceStep", *own, 4, queries, block, code=UNTILED)
    cases.add("AdvanceStep", *own[:5], Tensor(tables[:4]), rows, queries, block, code=UNTILED)
    cases.add("AdvanceStep", *own[:5], Tensor(wide(tables).astype(np.float32)), rows, queries, block, code=INVALID)
    cases.add("AdvanceStepV2", *own, Tensor(drafts), Tensor(accepted), rows, queries, block, code=UNTILED)


def checks():
    f32 = np.float32

    def first(name, val, before, step, expected, level, few=2, detect=2, zero=False):
        val, grad = np.array(val).astype(kind(name)), data(name, 3, 5)
        limits = [few, 100.0, 8.0, 50.0, 3.0, detect]
        after = np.zeros_like(grad) if zero else grad
        cases.add("SilentCheck", Tensor(val), InOut(grad, after), InOut(np.array(before, f32), np.array(expected, f32)), InOut(np.array([step]), np.array([step + 1])), *limits, Out(np.array([level], np.int32)))

    for name in F3:
        first(name, 2.0, [0, 0, 0], 0, [2, 2, 2], 0)
        first(name, 3.0, [2, 1, 2], 1, [3, 1, 3], 0)
        # The jump is 1 / 1, then 4 / 1, then 30 / 1.
        first(name, 3.0, [2, 1, 2], 2, [3, 1, 3], 0)
        first(name, 6.0, [2, 1, 2], 2, [6, 1, 6], 2)
        first(name, 32.0, [2, 1, 2], 2, [32, 1, 32], 1, zero=True)
        first(name, 32.0, [2, 1, 2], 1, [32, 1, 32], 0)
        first(name, 32.0, [2, 1, 2], 5, [32, 1, 32], 1, detect=1)
        first(name, 64.0, [2, 1, 2], 0, [64, 64, 64], 2)
        first(name, 128.0, [2, 1, 2], 1, [128, 1, 128], 1, detect=3, zero=True)
        first(name, np.inf, [2, 1, 2], 9, [2, 1, 2], 1, zero=True)
        first(name, np.nan, [2, 1, 2], 9, [2, 1, 2], 1, detect=1)
    val, grad, before, step = np.array(1, f32), data("f32", 4), np.array([1, 1, 1], f32), np.array([1])
    level = np.array([0], np.int32)

    def refused(val=val, grad=grad, before=before, step=step, level=level, code=INVALID):
        same = [NULL if array is None else InOut(array, array) for array in (grad, before, step)]
        cases.add("SilentCheck", given(val), *same, 1, 1.0, 1.0, 1.0, 1.0, 1, NULL if level is None else Out(level), code=code)

    for missing in ["val", "grad", "before", "step", "level"]:
        refused(**{missing: None, "code": NULLPTR})
    refused(val=wide(val))
    refused(val=val[None])
    refused(before=before[:2])
    refused(before=wide(before))
    refused(step=step.astype(np.int32))
    refused(step=np.array([1, 2]))
    refused(level=level.astype(np.int64), code=INNER_NULL)
    refused(level=np.zeros(2, np.int32), code=INNER_NULL)
    same = [InOut(array, array) for array in (grad[:0], before, step)]
    cases.add("SilentCheck", Tensor(val), *same, 1, 1.0, 1.0, 1.0, 1.0, 1, Out(level, np.inf))

    def second(name, val, most, average, step, expected, level, detect=2, zero=False):
        val, most, average, expected = (np.array([x]).astype(kind(name)) for x in (val, most, average, expected))
        grad = data(name, 3, 5)
        view = [Ints([3, 5]), Ints([5, 1]), Ints([0])]
        after = np.zeros_like(grad) if zero else grad
        cases.add("SilentCheckV2", Tensor(val), Tensor(most), InOut(average, expected), InOut(grad, after), InOut(np.array([step]), np.array([step + 1])), *view, 8.0, 4.0, 0.5, detect, Out(np.array([level], np.int32)))

    for name in F3:
        second(name, 2.0, 3.0, 0.0, 0, 1.0, 0)
        second(name, 2.0, 3.0, 1.0, 0, 1.5, 0)
        second(name, 2.0, 9.0, 1.0, 0, 1.0, 1, zero=True)
        second(name, 2.0, 9.0, 1.0, 0, 1.0, 1, detect=1)
        second(name, 2.0, 5.0, 1.0, 0, 1.5, 2)
        # The average of step 2 is 3 / 0.75.
        second(name, 2.0, 15.0, 3.0, 2, 2.5, 0)
        second(name, 2.0, 17.0, 3.0, 2, 2.5, 2)
        second(name, 2.0, 33.0, 3.0, 2, 3.0, 1)
        second(name, np.nan, 1.0, 3.0, 2, 3.0, 1)
        second(name, 1.0, np.inf, 3.0, 0, 3.0, 1, detect=3, zero=True)
    one = np.array([1], f32)

    def refused_too(val=one, most=one, average=one, grad=grad, step=step, level=level, limits=(8.0, 4.0, 0.5), code=INVALID, ints=(4,), **_):
        same = [NULL if array is None else InOut(array, array) for array in (average, grad, step)]
        view = [Ints(ints)] * 3 if ints is not None else [NULL] * 3
        cases.add("SilentCheckV2", given(val), given(most), *same, *view, *limits, 1, NULL if level is None else Out(level, 0 if code else np.inf), code=code)

    for missing in ["val", "most", "average", "grad", "step", "level", "ints"]:
        refused_too(**{missing: None, "code": NULLPTR})
    refused_too(val=wide(one))
    refused_too(most=one[0])
    refused_too(step=step.astype(np.int32))
    refused_too(limits=(4.0, 4.0, 0.5))
    refused_too(limits=(8.0, 4.0, 1.5))
    refused_too(level=level.astype(np.int64), code=INNER_NULL)
    refused_too(ints=(), code=0)


def codes():
    def lengths(frequencies):
        trees = [(max(int(count), 0) + 1, byte, [byte]) for byte, count in enumerate(frequencies)]
        heapq.heapify(trees)
        bits, age = [0] * 256, 256
        while len(trees) > 1:
            first, second = heapq.heappop(trees), heapq.heappop(trees)
            for byte in first[2] + second[2]:
                bits[byte] += 1
            heapq.heappush(trees, (first[0] + second[0], age, first[2] + second[2]))
            age += 1
        return bits

    def coded(exponents, frequencies):
        bits, code, width, words = lengths(frequencies), 0, 0, {}
        for byte in sorted(range(256), key=lambda byte: (bits[byte], byte)):
            code <<= bits[byte] - width
            width = bits[byte]
            words[byte] = format(code, f"0{width}b")
            code += 1
        text = "".join(words[byte] for byte in exponents)
        if len(text) >= 8 * len(exponents):
            return int(16 * len(exponents)).to_bytes(8, "little") + bytes(exponents)
        padded = text + "0" * (-len(text) % 8)
        return (2 * len(text) + 1).to_bytes(8, "little") + bytes(int(padded[at : at + 8], 2) for at in range(0, len(padded), 8))

    def floats(data, count, name):
        size = np.dtype(kind(name)).itemsize
        return np.frombuffer(data.ljust(count * size, b"\0"), kind(name))

    random = np.random.default_rng(12)
    for name in F3:
        size = np.dtype(kind(name)).itemsize
        word = {2: np.uint16, 4: np.uint32}[size]
        for spread, kinds, room in [(1.0, "counted", 1), (1.0, "given", 1), (0.0, "counted", 0), (None, "counted", 1)]:
            count = 172
            x = random.normal(size=count) * (spread or 0) + 1 if spread is not None else random.normal(size=count) * 10.0 ** random.uniform(-4, 4, count)
            x = x.astype(kind(name))
            x[:3] = [np.nan, -np.inf, -0.0]
            bits = x.view(word).astype(np.uint64)
            turned = ((bits << np.uint64(1) | bits >> np.uint64(8 * size - 1)) & np.uint64(2 ** (8 * size) - 1)).astype(word)
            parts = turned.view(np.uint8).reshape(count, size)
            exponents = [int(byte) for byte in parts[:, -1]]
            frequencies = np.bincount(exponents, minlength=256).astype(np.int32)
            before = np.arange(256, dtype=np.int32) if kinds == "counted" else frequencies
            stream = coded(exponents, frequencies)
            # The code is in the first output, or goes on in the second one.
            fixed = (len(stream) // size + 3) if room else 7
            var = 2 if room else len(stream) // size
            both = floats(stream, fixed + var, name)
            below = floats(parts[:, :-1].tobytes(), -(-count * (size - 1) // size), name)
            outputs = [Out(below), Out(both[:fixed]), Out(both[fixed:])]
            cases.add("HansEncode", Tensor(x), InOut(before, frequencies), kinds == "counted", False, *outputs)
            inputs = [Tensor(below), Tensor(both[:fixed]), Tensor(both[fixed:]), Tensor(frequencies)]
            cases.add("HansDecode", *inputs, False, Out(x))
    x, before = data("f32", 8), InOut(np.zeros(256, np.int32), np.zeros(256, np.int32))
    below, part = np.zeros(6, np.float32), np.zeros(4, np.float32)
    for missing in range(5):
        arguments = [Tensor(x), before, True, False, Out(below), Out(part), Out(part)]
        arguments[[0, 1, 4, 5, 6][missing]] = NULL
        cases.add("HansEncode", *arguments, code=NULLPTR)
    cases.add("HansEncode", Tensor(wide(x)), before, True, False, Out(below), Out(part), Out(part), code=INVALID)
    cases.add("HansEncode", Tensor(x), before, True, False, Out(below[:5]), Out(part), Out(part), code=UNTILED)
    short = np.zeros(255, np.int32)
    cases.add("HansEncode", Tensor(x), InOut(short, short), True, False, Out(below), Out(part), Out(part), code=UNTILED)
    numbers = Tensor(np.zeros(256, np.int32))
    for missing in range(5):
        arguments = [Tensor(below), Tensor(part), Tensor(part), numbers, False, Out(x)]
        arguments[[0, 1, 2, 3, 5][missing]] = NULL
        cases.add("HansDecode", *arguments, code=NULLPTR)
    cases.add("HansDecode", Tensor(below[:4]), Tensor(part), Tensor(part), numbers, False, Out(x), code=UNTILED)
    cases.add("HansDecode", Tensor(below), Tensor(part), Tensor(part), Tensor(np.zeros(256)), False, Out(x), code=INVALID)


def boxes():
    def corners(name, count, seed):
        start = data(name, count, 2, seed=seed, low=0, high=8)
        return np.concatenate([start, (wide(start) + wide(data(name, count, 2, seed=seed + 1, low=1, high=9))).astype(kind(name))], 1)

    def area(box, more):
        return (box[..., 2] - box[..., 0] + more) * (box[..., 3] - box[..., 1] + more)

    def overlap(a, b, mode, more, little=0.0):
        size = np.minimum(a[..., 2:], b[..., 2:]) - np.maximum(a[..., :2], b[..., :2]) + more
        common = np.clip(size, 0, None).prod(-1)
        return common / ((area(a, more) + area(b, more) - common if mode == "iou" else area(b, more)) + little)

    for name in F3:
        a, b = corners(name, 5, 1), corners(name, 3, 4)
        for mode in ["iou", "iof"]:
            for more in [0.0, 1.0, 0.25]:
                made = overlap(wide(a)[None], wide(b)[:, None], mode, more).astype(kind(name))
                cases.add("Iou", Tensor(a), Tensor(b), Text(mode), more, False, Out(made, 2))
                made = overlap(wide(a)[:3], wide(b), mode, more).astype(kind(name))
                cases.add("Iou", Tensor(a[:3]), Tensor(b), Text(mode), more, True, Out(made, 2))
                cases.add("Iou", Tensor(a[:3]), Tensor(b), Text(mode), more, True, Out(made[:, None], 2))
    made = np.zeros((3, 5), np.float32)
    a, b = corners("f32", 5, 1), corners("f32", 3, 4)
    for arguments in [(NULL, Tensor(b), Out(made)), (Tensor(a), NULL, Out(made)), (Tensor(a), Tensor(b), NULL)]:
        cases.add("Iou", *arguments[:2], Text("iou"), 1.0, False, arguments[2], code=NULLPTR)
    cases.add("Iou", Tensor(a), Tensor(b), NULL, 1.0, False, Out(made), code=NULLPTR)
    cases.add("Iou", Tensor(a), Tensor(b), Text("giou"), 1.0, False, Out(made), code=INVALID)
    cases.add("Iou", Tensor(a), Tensor(b), Text("iou"), 1.0, False, Out(made.T), code=INVALID)
    cases.add("Iou", Tensor(a), Tensor(b), Text("iou"), 1.0, True, Out(made), code=INVALID)
    cases.add("Iou", Tensor(a[:, :3]), Tensor(b), Text("iou"), 1.0, False, Out(made), code=INVALID)
    cases.add("Iou", Tensor(wide(a)), Tensor(wide(b)), Text("iou"), 1.0, False, Out(wide(made)), code=INVALID)

    def complete(a, b, mode):
        little, value = 1e-9, overlap(a, b, mode, 0.0, 1e-9)
        apart = (((a[..., :2] + a[..., 2:]) / 2 - (b[..., :2] + b[..., 2:]) / 2) ** 2).sum(-1)
        across = ((np.maximum(a[..., 2:], b[..., 2:]) - np.minimum(a[..., :2], b[..., :2])) ** 2).sum(-1) + little
        angle = lambda box: np.arctan((box[..., 2] - box[..., 0]) / (box[..., 3] - box[..., 1] + little))
        difference = angle(b) - angle(a)
        shape = 4 / np.pi**2 * difference**2
        return value - apart / across - shape / (1 - value + shape + little) * shape, difference

    for name in F3:
        a, b = corners(name, 5, 1), corners(name, 3, 4)
        a[4] = b[0]
        for centred in [False, True]:
            seen = [wide(box) for box in (a, b)]
            if centred:
                seen = [np.concatenate([box[:, :2] - box[:, 2:] / 2, box[:, :2] + box[:, 2:] / 2], 1) for box in seen]
            for mode in ["iou", "iof"]:
                columns = [Tensor(a.T), Tensor(b.T)]
                made = [part.astype(kind(name)) for part in complete(seen[0][None], seen[1][:, None], mode)]
                outputs = [Out(made[0], within=near(name)), Out(made[1], within=near(name))]
                cases.add("CIoU", *columns, centred, True, Text(mode), *outputs, product="Ascend950")
                made = [part[None].astype(kind(name)) for part in complete(seen[0][:3], seen[1], mode)]
                outputs = [Out(made[0], within=near(name)), Out(made[1], within=near(name))]
                cases.add("CIoU", Tensor(a[:3].T), columns[1], centred, False, Text(mode), *outputs, product="Ascend950")
    cases.add("CIoU", *columns, False, False, Text("iou"), *outputs, product="Ascend950", code=INVALID)
    cases.add("CIoU", *columns, False, False, Text("iou"), *outputs, code=INVALID)
    cases.add("CIoU", NULL, columns[1], False, False, Text("iou"), *outputs, product="Ascend950", code=NULLPTR)

    for name in ["f32", "f16"]:
        images, regions = data(name, 2, 3, 4, 5), np.array([[1, 0, 0, 4, 4], [0, 1, 1, 3, 3], [1, 2, 2, 3, 3]]).astype(kind(name))
        places = np.random.default_rng(8).integers(-1, 20, (3, 3, 2, 2)).astype(np.int32)
        grad = data(name, 3, 3, 2, 2)
        made = wide(images)
        for region, channel, row, column in np.ndindex(3, 3, 2, 2):
            if (place := places[region, channel, row, column]) >= 0:
                made[int(regions[region, 0]), channel].reshape(-1)[place] += wide(grad)[region, channel, row, column]
        after = InOut(images, made.astype(kind(name)), 8)
        cases.add("RoiPoolingGradWithArgMax", Tensor(grad), after, Tensor(regions), Tensor(places), 2, 2, 1.0)
    arguments = [Tensor(grad), after, Tensor(regions), Tensor(places)]
    for missing in range(4):
        cases.add("RoiPoolingGradWithArgMax", *arguments[:missing], NULL, *arguments[missing + 1 :], 2, 2, 1.0, code=NULLPTR)
    cases.add("RoiPoolingGradWithArgMax", *arguments, 2, 3, 1.0, code=INVALID)
    cases.add("RoiPoolingGradWithArgMax", *arguments[:3], Tensor(places.astype(np.int64)), 2, 2, 1.0, code=INVALID)
    cases.add("RoiPoolingGradWithArgMax", *arguments[:2], Tensor(regions[:, :4]), Tensor(places), 2, 2, 1.0, code=INVALID)


def exponentials():
    def words(seed, thread, block):
        counter = ((thread << 64) + block - 1) % 2**128
        return Philox(number=4, width=32, key=seed % 2**64, counter=counter).random_raw(4).astype(np.uint32)

    def drawn(count, seed, offset, rate):
        threads = min(-(-count // 256), 624) * 256
        made, first = np.zeros(count), -(-(offset % 2**64) // 4)
        for thread in range(min(threads, count)):
            for round in range(-(-count // (4 * threads))):
                for step, word in enumerate(words(seed, thread, first + round)):
                    if (at := (round * 4 + step) * threads + thread) < count:
                        fraction = np.float32(word) * np.float32(2.0**-32) + np.float32(2.0**-33)
                        little = np.finfo(np.float32).eps / 2
                        made[at] = -(-little if fraction >= 1 - little else np.log(np.float64(fraction))) / rate
        return made

    operator = "SimThreadExponential"
    for name in F3:
        for shape, seed, offset, rate in [((3, 5), 7, 0, 1.0), ((301,), -3, 5, 2.5), ((1300,), 2**40, 2**33 + 8, 0.25)]:
            count = int(np.prod(shape))
            made = drawn(count, seed, offset, rate).reshape(shape).astype(kind(name))
            cases.add(operator, InOut(np.zeros(shape, kind(name)), made, 1), count, rate, seed, offset)
    many = drawn(4000, 11, 12, 2.0)
    assert stats.kstest(many, stats.expon(scale=0.5).cdf).pvalue > 0.05
    own = InOut(np.zeros(4, np.float32), np.zeros(4, np.float32))
    none = InOut(np.zeros((0, 3), np.float32), np.zeros((0, 3), np.float32))
    cases.add(operator, none, 0, 1.0, 1, 1)
    cases.add(operator, NULL, 4, 1.0, 1, 1, code=NULLPTR)
    cases.add(operator, own, 5, 1.0, 1, 1, code=UNTILED)
    cases.add(operator, own, -1, 1.0, 1, 1, code=UNTILED)
    cases.add(operator, own, 4, 0.0, 1, 1, code=UNTILED)
    cases.add(operator, InOut(np.zeros(4), np.zeros(4)), 4, 1.0, 1, 1, code=INVALID)


def vocabularies():
    for name in F3:
        for index, mark in [("i64", "bool"), ("i32", "u8")]:
            logits = data(name, 5, 7)
            target = np.array([3, 10, 16, 17, 12]).astype(kind(index))
            most = data(name, 5, seed=4, low=3, high=4)
            start, end = 10, 17
            moved = wide(logits) - wide(most)[:, None]
            is_away = (target < start) | (target >= end)
            offset = np.where(is_away, 0, target - start)
            predicted = np.where(is_away, 0, moved[np.arange(5), offset])
            exps = np.exp(moved)
            results = [
                Out(predicted.astype(np.float32)), Out(exps.sum(-1).astype(np.float32), 1), Out(exps.astype(kind(name)), 1),
                Out(offset.astype(kind(index))), Out(is_away.astype(kind(mark))),
            ]
            operator, arguments = "CrossEntropySumExpAndIndexLogit", [Tensor(logits), Tensor(target), Tensor(most)]
            cases.add(operator, *arguments, start, end, *results)
    for missing in range(3):
        cases.add(operator, *arguments[:missing], NULL, *arguments[missing + 1 :], start, end, *results, code=NULLPTR)
    for missing in range(5):
        cases.add(operator, *arguments, start, end, *results[:missing], NULL, *results[missing + 1 :], code=NULLPTR)
    cases.add(operator, arguments[0], Tensor(target[:4]), arguments[2], start, end, *results, code=UNTILED)
    for bounds in [(-1, end), (end, start), (-(2**63), 2**63 - 1)]:
        cases.add(operator, *arguments, *bounds, *results, code=UNTILED)
    cases.add(operator, Tensor(logits[0]), *arguments[1:], start, end, *results, code=UNTILED)
    cases.add(operator, arguments[0], Tensor(wide(target)), arguments[2], start, end, *results, code=INVALID)
    cases.add(operator, Tensor(wide(logits)), *arguments[1:], start, end, *results, code=INVALID)

    for name in F3:
        for index in ["i64", "i32"]:
            x = data(name, 3, 4, 5)
            x[0, 0, :3], x[1, 1, 2], x[2, 3, 1] = x[0, 0, 3], np.nan, np.inf
            numbers = np.random.default_rng(6).integers(-9, 9, x.shape).astype(kind(index))
            for axis, descending in [(2, False), (-1, True), (0, False), (1, True)]:
                key = np.where(np.isnan(wide(x)), 1e9, wide(x))
                order = np.argsort(-key if descending else key, axis, kind="stable")
                made = np.take_along_axis(x, order, axis), np.take_along_axis(numbers, order, axis)
                for stable in [True, False]:
                    cases.add("SortWithIndex", Tensor(x), Tensor(numbers), axis, descending, stable, Out(made[0]), Out(made[1]))
    arguments, results = [Tensor(x), Tensor(numbers)], [Out(made[0]), Out(made[1])]
    cases.add("SortWithIndex", NULL, arguments[1], 0, False, True, *results, code=NULLPTR)
    cases.add("SortWithIndex", arguments[0], NULL, 0, False, True, *results, code=NULLPTR)
    cases.add("SortWithIndex", *arguments, 0, False, True, NULL, results[1], code=NULLPTR)
    cases.add("SortWithIndex", *arguments, 0, False, True, results[0], NULL, code=NULLPTR)
    cases.add("SortWithIndex", *arguments, 3, False, True, *results, code=INVALID)
    cases.add("SortWithIndex", arguments[0], Tensor(numbers[0]), 0, False, True, *results, code=INVALID)
    cases.add("SortWithIndex", Tensor(wide(x)), arguments[1], 0, False, True, *results, code=INVALID)


def gates():
    def unit(x, limit):
        gate, up = x.chunk(2, -1)
        if limit > 0:
            gate, up = gate.clamp(max=limit), up.clamp(-limit, limit)
        return F.silu(gate) * up

    for name in F3:
        x, grad = data(name, 2, 3, 8), data(name, 2, 3, 4, seed=1)
        weight, groups = data("f32", 6, seed=2), np.array([2, 1, 1])
        for limit, with_weight, with_groups in [(0.0, None, None), (1.5, weight, groups), (1.5, weight.reshape(2, 3, 1), None), (0.0, None, groups)]:
            factor = torch.ones(2, 3, 1).double() if with_weight is None else t(with_weight).reshape(2, 3, 1)
            wanted = t(x).requires_grad_(), factor.clone().requires_grad_()
            plain = unit(wanted[0], limit)
            made = plain * wanted[1]
            made.backward(t(grad))
            result = made.detach().numpy().astype(kind(name))
            cases.add("SwigluGroup", Tensor(x), given(with_weight), given(with_groups), limit, Out(result, within=near(name)))
            of_x = Out(wanted[0].grad.numpy().astype(kind(name)), within=near(name))
            plain = plain.detach().numpy().astype(kind(name))
            for before in [None, plain]:
                own = wanted[1].grad.numpy() if before is None else (wide(grad) * wide(before)).sum(-1, keepdims=True)
                of_weight = Out(own.reshape(-1).astype(np.float32), within=2e-5)
                arguments = [Tensor(grad), Tensor(x), given(with_weight), given(before), given(with_groups), limit]
                cases.add("SwigluGroupGrad", *arguments, of_x, of_weight)
                cases.add("SwigluGroupQuantGrad", *arguments, of_x, of_weight)
                cases.add("SwigluGroupGrad", *arguments, of_x, NULL)
    x, grad, made = Tensor(x), Tensor(grad), Out(result)
    # What is no number stays none, also beside a limit.
    lost = np.array([[np.nan, 1, 2, np.nan]], np.float32)
    cases.add("SwigluGroup", Tensor(lost), NULL, NULL, 1.5, Out(unit(t(lost), 1.5).numpy().astype(np.float32), 2))
    cases.add("SwigluGroup", NULL, NULL, NULL, 0.0, made, code=NULLPTR)
    cases.add("SwigluGroup", x, NULL, NULL, 0.0, NULL, code=NULLPTR)
    cases.add("SwigluGroup", grad, NULL, NULL, 0.0, made, code=UNTILED)
    cases.add("SwigluGroup", x, Tensor(weight[:5]), NULL, 0.0, made, code=UNTILED)
    cases.add("SwigluGroup", x, NULL, Tensor(groups[None]), 0.0, made, code=UNTILED)
    cases.add("SwigluGroup", x, NULL, Tensor(groups.astype(np.int32)), 0.0, made, code=INVALID)
    cases.add("SwigluGroup", x, Tensor(wide(weight)), NULL, 0.0, made, code=INVALID)
    for missing in range(2):
        cases.add("SwigluGroupGrad", *([grad, x][:missing] + [NULL] + [grad, x][missing + 1 :]), NULL, NULL, NULL, 0.0, of_x, NULL, code=NULLPTR)
    cases.add("SwigluGroupGrad", grad, x, NULL, NULL, NULL, 0.0, NULL, NULL, code=NULLPTR)
    cases.add("SwigluGroupGrad", grad, x, NULL, NULL, NULL, 0.0, made, NULL, code=UNTILED)
    cases.add("SwigluGroupGrad", grad, x, NULL, x, NULL, 0.0, of_x, NULL, code=UNTILED)
    cases.add("SwigluGroupGrad", grad, x, NULL, NULL, NULL, 0.0, of_x, Out(wide(weight)), code=INVALID)


def elements():
    for name in F3:
        x = data(name, 3, 5)
        for mask in [np.random.default_rng(3).integers(0, 2, x.shape).astype(kind(word)) for word in ["u8", "i8", "bool", "f32", name]]:
            made = (wide(x) * wide(mask) * np.float32(1.25)).astype(kind(name))
            cases.add("MaskedScale", Tensor(x), Tensor(mask), 1.25, Out(made), product="Ascend950")
    cases.add("MaskedScale", Tensor(x), Tensor(mask), 1.25, Out(made), code=INVALID)
    cases.add("MaskedScale", Tensor(x), Tensor(mask[:, :4]), 1.25, Out(made), product="Ascend950", code=INVALID)
    cases.add("MaskedScale", NULL, Tensor(mask), 1.25, Out(made), product="Ascend950", code=NULLPTR)
    for name in F3:
        first, second, third = data(name, 3, 5), data(name, 3, 5, seed=1), data(name, 1, seed=2)
        made = (wide(first) * wide(third) + wide(second)).astype(kind(name))
        for factor in [third, third[0]]:
            cases.add("FusedMulAddN", Tensor(first), Tensor(second), Tensor(factor), Out(made))
    cases.add("FusedMulAddN", Tensor(first), NULL, Tensor(third), Out(made), code=NULLPTR)
    cases.add("FusedMulAddN", Tensor(first), Tensor(second), Tensor(second), Out(made), code=UNTILED)
    cases.add("FusedMulAddN", Tensor(first), Tensor(second[0]), Tensor(third), Out(made), code=UNTILED)
    cases.add("FusedMulAddN", Tensor(first), Tensor(second), Tensor(wide(third)), Out(made), code=INVALID)

    random = np.random.default_rng(7)
    for name in ["f16", "u8"]:
        bkg, src = (random.integers(0, 256, (4, 5, 3)).astype(kind(name)) for _ in range(2))
        for mask in [random.integers(0, 2, (4, 5, channels)).astype(kind(name)) for channels in (1, 3)]:
            made = np.where(wide(mask) == 1, src, bkg)
            cases.add("BackgroundReplace", Tensor(bkg), Tensor(src), Tensor(mask), Out(made))
    cases.add("BackgroundReplace", NULL, Tensor(src), Tensor(mask), Out(made), code=NULLPTR)
    cases.add("BackgroundReplace", Tensor(bkg), Tensor(src), Tensor(mask[:, :, :2]), Out(made), code=UNTILED)
    cases.add("BackgroundReplace", Tensor(bkg), Tensor(src[:3]), Tensor(mask), Out(made), code=UNTILED)
    cases.add("BackgroundReplace", Tensor(bkg), Tensor(wide(src)), Tensor(mask), Out(made), code=INVALID)
    rgb, frame = (random.integers(0, 256, (4, 5, 3)).astype(np.uint8) for _ in range(2))
    for channels in (1, 3):
        alpha = random.integers(0, 256, (4, 5, channels)).astype(np.uint8)
        alpha[0, 0], alpha[0, 1] = 0, 255
        whole = [array.astype(np.int64) for array in (rgb, alpha, frame)]
        blended = ((whole[0] * whole[1] + whole[2] * (255 - whole[1])) // 255).astype(np.uint8)
        dimmed = (whole[0] * whole[1] // 255).astype(np.uint8)
        cases.add("BlendImagesCustom", Tensor(rgb), Tensor(alpha), Tensor(frame), Out(blended))
        cases.add("MrgbaCustom", Tensor(rgb), Tensor(alpha), Out(dimmed))
    cases.add("BlendImagesCustom", Tensor(rgb), Tensor(alpha), NULL, Out(blended), code=NULLPTR)
    cases.add("BlendImagesCustom", Tensor(rgb), Tensor(alpha), Tensor(frame[:3]), Out(blended), code=UNTILED)
    cases.add("MrgbaCustom", NULL, Tensor(alpha), Out(dimmed), code=NULLPTR)
    cases.add("MrgbaCustom", Tensor(rgb), Tensor(alpha[:, :, :2]), Out(dimmed), code=UNTILED)
    cases.add("MrgbaCustom", Tensor(rgb), Tensor(alpha.astype(np.int32)), Out(dimmed), code=INVALID)

    for name in [*F3, "i8", "u8", "i16", "i32", "i64"]:
        x = random.integers(0, 99, (2, 3, 4)).astype(kind(name))
        made = x.transpose(1, 2, 0).reshape(6, 4)
        cases.add("ConfusionTranspose", Tensor(x), Ints([1, 2, 0]), Ints([6, 4]), True, Out(made), product="Ascend950")
        made = x.reshape(6, 2, 2).transpose(2, 0, 1)
        cases.add("ConfusionTranspose", Tensor(x), Ints([2, 0, 1]), Ints([6, 2, 2]), False, Out(made), product="Ascend950")
    for perm, sizes in [([2, 0, 0], [6, 2, 2]), ([2, 0], [6, 2, 2]), ([2, 0, 1], [6, 2, 3]), ([2, 0, 1], [-1, 2, 2])]:
        cases.add("ConfusionTranspose", Tensor(x), Ints(perm), Ints(sizes), False, Out(made), product="Ascend950", code=INVALID)
    cases.add("ConfusionTranspose", Tensor(x), NULL, Ints([6, 4]), True, Out(made), product="Ascend950", code=NULLPTR)
    cases.add("ConfusionTranspose", Tensor(x), Ints([1, 2, 0]), Ints([6, 4]), True, Out(made), product="Ascend950", code=INVALID)


def rotations():
    for name in F3:
        x = data(name, 2, 3, 5, 12)
        for start, end in [(4, 12), (0, 6), (3, 11), (0, 12)]:
            size = end - start
            cos, sin = (data(name, 1, 1, 5, size, seed=seed) for seed in (1, 2))
            part, made = wide(x)[..., start:end], wide(x).copy()
            for mode in [0, 1]:
                half = np.concatenate([-part[..., size // 2 :], part[..., : size // 2]], -1)
                pairs = np.stack([-part[..., 1::2], part[..., ::2]], -1).reshape(part.shape)
                made[..., start:end] = part * wide(cos) + (pairs if mode else half) * wide(sin)
                after = made.astype(kind(name))
                own = InOut(x, after, 0)
                own.ulps = -near(name)
                cases.add("InplacePartialRotaryMul", own, Tensor(cos), Tensor(sin), mode, Ints([start, end]))
    arguments = [own, Tensor(cos), Tensor(sin)]
    for missing in range(3):
        cases.add("InplacePartialRotaryMul", *arguments[:missing], NULL, *arguments[missing + 1 :], 0, Ints([0, 12]), code=NULLPTR)
    for mode, slice in [(0, [0, 13]), (0, [3, 2]), (0, [0]), (0, [0, 8]), (4, [0, 12]), (0, [-2, 10])]:
        cases.add("InplacePartialRotaryMul", *arguments, mode, Ints(slice), code=UNTILED)
    cases.add("InplacePartialRotaryMul", own, Tensor(wide(cos)), Tensor(sin), 0, Ints([0, 12]), code=INVALID)


def optimizers():
    def adam(var, m, v, grad, numbers, nesterov):
        first, second, lr, beta1, beta2, epsilon = numbers
        m, v = beta1 * m + (1 - beta1) * grad, beta2 * v + (1 - beta2) * grad * grad
        ahead = beta1 * m + (1 - beta1) * grad if nesterov else m
        return var - lr * np.sqrt(1 - second) / (1 - first) * ahead / (np.sqrt(v) + epsilon), m, v

    for name in F3:
        var, m, grad = (data(name, 3, 5, seed=seed) for seed in range(3))
        v = data(name, 3, 5, seed=3, low=0, high=2)
        numbers = [np.array([number]).astype(kind(name)) for number in (0.81, 0.998, 0.1, 0.9, 0.999, 1e-3)]
        for nesterov in [False, True]:
            made = adam(*map(wide, (var, m, v, grad)), [wide(number)[0] for number in numbers], nesterov)
            own = [InOut(before, after.astype(kind(name)), 2) for before, after in zip((var, m, v), made)]
            cases.add("ApplyAdam", *own, *map(Tensor, numbers), Tensor(grad), False, nesterov, product="Ascend950")
    cases.add("ApplyAdam", *own, *map(Tensor, numbers), Tensor(grad), False, False, code=INVALID)
    cases.add("ApplyAdam", *own, *map(Tensor, numbers), NULL, False, False, product="Ascend950", code=NULLPTR)
    cases.add("ApplyAdam", *own, *map(Tensor, numbers), Tensor(grad[0]), False, False, product="Ascend950", code=INVALID)

    def stored(numbers, table, most):
        codes = []
        for number in numbers:
            distance = np.abs(wide(table) - (number / np.float64(most) if most else 0.0))
            step = int(np.argmin(distance))
            if number > 0 and table[step] < 0:
                step += 1
            elif number < 0 and table[step] > 0:
                step -= 1
            codes.append(step)
        return codes

    random = np.random.default_rng(15)
    signed = np.sort(np.concatenate([random.uniform(-1, 1, 253), [-1, 0, 1]])).astype(np.float32)
    plain = np.sort(np.concatenate([random.uniform(0, 1, 254), [0, 1]])).astype(np.float32)
    operator = "ApplyAdamWQuant"
    for name in F3:
        for shape, block in [((3, 5), 4), ((40,), 16), ((7,), 7)]:
            count = int(np.prod(shape))
            var, grad = data(name, *shape), data(name, *shape, seed=1)
            codes = [random.integers(0, 256, shape).astype(np.uint8) for _ in range(2)]
            most = [random.uniform(0.5, 2, -(-count // block)).astype(np.float32) for _ in range(2)]
            step, lr, beta1, beta2, decay, eps, scale = 3, 0.05, 0.9, 0.99, 0.1, 1e-3, 0.5
            g, after, made = wide(grad).reshape(-1) * scale, wide(var).reshape(-1).copy(), [np.zeros(count, np.uint8) for _ in range(2)]
            greatest = [part.copy() for part in most]
            for number, start in enumerate(range(0, count, block)):
                own = slice(start, min(start + block, count))
                m, v = (wide(table)[codes[i].reshape(-1)[own]] * wide(most[i][number]) for i, table in enumerate((signed, plain)))
                m, v = beta1 * m + (1 - beta1) * g[own], beta2 * v + (1 - beta2) * g[own] ** 2
                change = m / (1 - beta1**step) / (np.sqrt(v / (1 - beta2**step)) + eps)
                after[own] = after[own] * (1 - lr * decay) - lr * change
                for i, (moment, table) in enumerate([(m, signed), (v, plain)]):
                    greatest[i][number] = np.abs(moment).max()
                    made[i][own] = stored(moment, table, greatest[i][number])
            own = [InOut(var, after.reshape(shape).astype(kind(name)), 2), Tensor(grad)]
            own += [InOut(codes[i], made[i].reshape(shape)) for i in range(2)] + [Tensor(signed), Tensor(plain)]
            own += [InOut(most[i], greatest[i], 1) for i in range(2)] + [Tensor(np.array([step]))]
            cases.add(operator, *own, lr, beta1, beta2, decay, eps, scale, Text("BLOCKWISE"), block)
            cases.add(operator, *own, lr, beta1, beta2, decay, eps, scale, NULL, block)
    numbers = [lr, beta1, beta2, decay, eps, scale]
    for missing in range(9):
        cases.add(operator, *own[:missing], NULL, *own[missing + 1 :], *numbers, NULL, 7, code=NULLPTR)
    cases.add(operator, *own, *numbers, Text("ROWWISE"), 7, code=UNTILED)
    cases.add(operator, *own, *numbers, NULL, 0, code=UNTILED)
    cases.add(operator, *own, *numbers, NULL, 3, code=UNTILED)
    cases.add(operator, own[0], Tensor(grad[:5]), *own[2:], *numbers, NULL, 7, code=UNTILED)
    cases.add(operator, own[0], Tensor(wide(grad)), *own[2:], *numbers, NULL, 7, code=INVALID)
    cases.add(operator, *own[:4], Tensor(wide(signed)), *own[5:], *numbers, NULL, 7, code=INVALID)


TYPES.update({"f8e5m2": (35, ml_dtypes.float8_e5m2), "f8e8m0": (37, ml_dtypes.float8_e8m0fnu)})
new = {"product": "Ascend950"}
# Short floats: their number, the largest, and its exponent.
formats = [("f8e4m3fn", 36, 448, 8), ("f8e5m2", 35, 57344, 15)]


def blocks(x, group, algorithm, most, largest):
    """Short floats and exponents of the groups of the last axis; the byte 0 stands for no group."""
    count = -(-x.shape[-1] // group)
    y, exponents = np.zeros_like(x), np.full((*x.shape[:-1], -(-count // 2) * 2), -127.0)
    for part in range(count):
        own = slice(part * group, (part + 1) * group)
        m = np.abs(x[..., own]).max(-1)
        ratio = (m.astype(np.float32) / np.float32(most)).astype(np.float64)
        exponents[..., part] = np.floor(np.log2(m)) - largest if algorithm == 0 else np.ceil(np.log2(ratio))
        y[..., own] = np.clip(x[..., own] / 2.0 ** exponents[..., part : part + 1], -most, most)
    return y, exponents


def parts(x, ends, group, most, largest):
    """The same of groups that begin anew behind each end."""
    rows = x.shape[-1] // (2 * group) + len(ends)
    y, exponents, start = np.zeros_like(x), np.full((len(x), rows * 2), -127.0), 0
    for part, end in enumerate(ends):
        if end > start:
            own, powers = blocks(x[:, start:end], group, 0, most, largest)
            first = (start // (2 * group) + part) * 2
            y[:, start:end], exponents[:, first : first + powers.shape[1]] = own, powers
        start = end
    return y, exponents


def written(y, exponents, to, axis=-1):
    rank = y.ndim
    powers = (2.0**exponents).reshape(*exponents.shape[:-1], -1, 2)
    return Out(np.moveaxis(y, -1, axis).astype(kind(to))), Out(np.moveaxis(powers, -2, axis % rank).astype(kind("f8e8m0")))


def shared_powers():
    for name in F3[1:]:
        for to, code, most, largest in formats:
            for shape in [(3, 80), (2, 70, 5)]:
                x = data(name, *shape)
                x.flat[0] = 400
                for algorithm in (0, 1):
                    outs = []
                    for axis in (-1, -2):
                        outs += written(*blocks(np.moveaxis(wide(x), axis, -1), 32, algorithm, most, largest), to, axis)
                    cases.add("DynamicMxQuantWithDualAxis", Tensor(x), NULL, code, algorithm, *outs, **new)
                    cases.add("DynamicMxQuantWithDualAxisV2", Tensor(x), Text("rint"), code, algorithm, 0.0, *outs, **new)
    operator = "DynamicMxQuantWithDualAxis"
    cases.add(operator, NULL, NULL, code, 0, *outs, **new, code=NULLPTR)
    for missing in range(4):
        cases.add(operator, Tensor(x), NULL, code, 0, *outs[:missing], NULL, *outs[missing + 1 :], **new, code=NULLPTR)
    for arguments in [(Tensor(x), NULL, 36, 0), (Tensor(x), Text("floor"), code, 0), (Tensor(x), NULL, code, 2), (Tensor(x[0, 0]), NULL, code, 0)]:
        cases.add(operator, *arguments, *outs, **new, code=INVALID)
    cases.add(operator, Tensor(x), NULL, code, 0, *outs[:3], outs[1], **new, code=INVALID)
    cases.add(operator, Tensor(x), NULL, code, 0, *outs, code=INVALID)

    for name in F3[1:]:
        for to, code, most, largest in formats:
            for shape in [(70, 40), (2, 32, 65)]:
                x = data(name, *shape)
                x.flat[0] = 400
                height, width = shape[-2:]
                for algorithm in (0, 1):
                    y, along, down = np.zeros(shape), np.full((*shape[:-1], -(-width // 64) * 2), -127.0), np.full((*shape[:-2], width, -(-height // 64) * 2), -127.0)
                    for top in range(0, height, 32):
                        for left in range(0, width, 32):
                            own = (..., slice(top, top + 32), slice(left, left + 32))
                            block = wide(x)[own]
                            short, power = blocks(block.reshape(*shape[:-2], -1), 1024, algorithm, most, largest)
                            y[own] = short.reshape(block.shape)
                            along[..., top : top + 32, left // 32] = power[..., :1]
                            down[..., left : left + 32, top // 32] = power[..., :1]
                    both = written(y, along, to)
                    outs = [*both, written(np.swapaxes(y, -1, -2), down, to, -2)[1]]
                    cases.add("DynamicBlockMxQuant", Tensor(x), NULL, code, algorithm, 0.0, *outs, **new)
    cases.add("DynamicBlockMxQuant", NULL, NULL, code, 0, 0.0, *outs, **new, code=NULLPTR)
    cases.add("DynamicBlockMxQuant", Tensor(x[0, 0]), NULL, code, 0, 0.0, *outs, **new, code=INVALID)
    cases.add("DynamicBlockMxQuant", Tensor(x), Text("floor"), code, 0, 0.0, *outs, **new, code=INVALID)
    cases.add("DynamicBlockMxQuant", Tensor(x), NULL, code, 0, 0.0, *outs[:2], outs[1], **new, code=INVALID)
    cases.add("DynamicBlockMxQuant", Tensor(x), NULL, code, 0, 0.0, *outs, code=INVALID)

    for name in F3[1:]:
        for to, code, most, largest in formats:
            for ends, group in [([40, 40, 170, 200], 32), ([64, 130], 64), ([200], 96)]:
                for index in ["i64", "i32"]:
                    x = data(name, 200, 3)
                    outs = written(*parts(wide(x).T, ends, group, most, largest), to, 0)
                    arguments = [Tensor(x), Tensor(np.array(ends).astype(kind(index)))]
                    cases.add("GroupedDynamicMxQuant", *arguments, Text("rint"), code, group, *outs, **new)
                    cases.add("GroupedDynamicMxQuantV2", *arguments, Text("rint"), code, group, 0, 0.0, *outs, **new)
                    if group == 32:
                        both = [*written(*blocks(wide(x), 32, 0, most, largest), to), *outs]
                        cases.add("GroupedDynamicMxQuantWithDualAxis", *arguments, NULL, 0, code, 0.0, *both, **new)
            cases.add("GroupedDynamicMxQuantWithDualAxis", arguments[0], NULL, NULL, 0, code, 0.0, *both, **new, code=NULLPTR)
            cases.add("GroupedDynamicMxQuantWithDualAxis", *arguments, NULL, 0, 1, 0.0, *both, **new, code=INVALID)
    operator = "GroupedDynamicMxQuant"
    nothing = [Tensor(np.zeros((0, 3), kind(name))), Tensor(np.zeros(2, np.int64))]
    empty = [Out(np.zeros((0, 3), kind(to))), written(np.zeros((3, 0)), np.full((3, 4), -127.0), to, 0)[1]]
    cases.add(operator, *nothing, Text("rint"), code, 96, *empty, **new)
    along = Out(np.zeros((0, 1, 2), kind("f8e8m0")))
    cases.add("GroupedDynamicMxQuantWithDualAxis", *nothing, NULL, 0, code, 0.0, empty[0], along, *empty, **new)
    for missing in range(2):
        cases.add(operator, *arguments[:missing], NULL, *arguments[missing + 1 :], Text("rint"), code, 96, *outs, **new, code=NULLPTR)
    cases.add(operator, *arguments, Text("rint"), code, 33, *outs, **new, code=INVALID)
    cases.add(operator, *arguments, Text("rint"), 36, 96, *outs, **new, code=INVALID)
    cases.add(operator, *arguments, Text("rint"), code, 32, *outs, **new, code=INVALID)
    cases.add(operator, arguments[0], Tensor(np.array([200.0])), Text("rint"), code, 96, *outs, **new, code=INVALID)
    cases.add(operator, *arguments, Text("rint"), code, 96, *outs, code=INVALID)

    for name in F3[1:]:
        for to, code, most, largest in formats:
            for shape, of_gamma in [((3, 80), name), ((2, 2, 64), "f32")]:
                x, other = data(name, *shape), data(name, *shape, seed=1)
                gamma, beta = data(of_gamma, shape[-1], seed=2), data(of_gamma, shape[-1], seed=3)
                for adds in [False, True]:
                    for shift in [beta, None]:
                        total = wide(x) + wide(other) if adds else wide(x)
                        root = 1 / np.sqrt((total**2).mean(-1, keepdims=True) + 1e-5)
                        normed = total * root * wide(gamma) + (0 if shift is None else wide(shift))
                        for algorithm in (0, 1):
                            y, scales = written(*blocks(wide(normed.astype(np.float32)), 32, algorithm, most, largest), to)
                            rstd = Out(root.astype(np.float32), 1)
                            end = [Tensor(gamma), given(shift), 1e-5, algorithm, NULL, code]
                            if adds:
                                both = [Tensor(x), Tensor(other)]
                                result = Out(total.astype(np.float32).astype(kind(name)))
                                cases.add("AddRmsNormDynamicMxQuant", *both, *end, True, y, result, scales, rstd, **new)
                                cases.add("AddRmsNormDynamicMxQuant", *both, *end, False, y, result, scales, NULL, **new)
                            else:
                                cases.add("RmsNormDynamicMxQuant", Tensor(x), *end, True, y, scales, rstd, **new)
                                cases.add("RmsNormDynamicMxQuant", Tensor(x), *end, False, y, scales, NULL, **new)
    operator, end = "RmsNormDynamicMxQuant", [NULL, 1e-5, 0, NULL, code, True, y, scales, rstd]
    cases.add(operator, NULL, Tensor(gamma), *end, **new, code=NULLPTR)
    cases.add(operator, Tensor(x), NULL, *end, **new, code=NULLPTR)
    cases.add(operator, Tensor(x), Tensor(gamma), *end[:-1], NULL, **new, code=NULLPTR)
    cases.add(operator, Tensor(x), Tensor(gamma[:5]), *end, **new, code=INVALID)
    cases.add(operator, Tensor(x), Tensor(gamma), *end[:4], 36, *end[5:], **new, code=INVALID)
    cases.add(operator, Tensor(x), Tensor(gamma), *end, code=INVALID)
    cases.add("AddRmsNormDynamicMxQuant", Tensor(x), Tensor(other[:1]), Tensor(gamma), NULL, 1e-5, 0, NULL, code, False, y, result, scales, NULL, **new, code=INVALID)

    for source, _, _, _ in formats:
        for out, number in [("f32", 0), ("f16", 1), ("bf16", 27)]:
            for shape, axis in [((3, 80), -1), ((70, 2), 0), ((2, 40, 3), 1)]:
                x = data(source, *shape)
                lanes = np.moveaxis(wide(x), axis, -1)
                exponents = np.random.default_rng(5).integers(-3, 4, (*lanes.shape[:-1], -(-lanes.shape[-1] // 64) * 2)).astype(np.float64)
                factors = 2.0 ** np.repeat(exponents, 32, -1)[..., : lanes.shape[-1]]
                _, scales = written(lanes, exponents, source, axis)
                made = np.moveaxis(lanes * factors, -1, axis).astype(kind(out))
                cases.add("AntiMxQuant", Tensor(x), Tensor(scales.array), axis, number, Out(made), **new)
    arguments = [Tensor(x), Tensor(scales.array)]
    cases.add("AntiMxQuant", NULL, arguments[1], 1, 27, Out(made), **new, code=NULLPTR)
    cases.add("AntiMxQuant", *arguments, 3, 27, Out(made), **new, code=INVALID)
    cases.add("AntiMxQuant", *arguments, 0, 27, Out(made), **new, code=INVALID)
    cases.add("AntiMxQuant", *arguments, 1, 1, Out(made), **new, code=INVALID)
    cases.add("AntiMxQuant", *arguments, 1, 27, Out(made), code=INVALID)


def gated_groups():
    def units(x, dim=-1, left=True, mode=0, limit=0.0, alpha=0.0, bias=0.0):
        """What is quantised, in f32."""
        x = np.moveaxis(wide(x), dim, -1)
        half = x.shape[-1] // 2
        gate, other = (x[..., ::2], x[..., 1::2]) if mode == 1 else (x[..., :half], x[..., half:])
        if not left:
            gate, other = other, gate
        sigmoid = lambda x: 1 / (1 + np.exp(-x))
        if mode in (1, 2):
            gate, other = np.minimum(gate, limit), np.clip(other, -limit, limit)
            made = gate * sigmoid(alpha * gate) * (other + bias)
        elif mode == 3:
            made = np.minimum(gate * sigmoid(gate), limit) * np.clip(other, -limit, limit)
        else:
            made = gate * sigmoid(gate) * other
        return wide(np.moveaxis(made, -1, dim).astype(np.float32))

    def gradients(x, gradient, left):
        halves = [part.requires_grad_() for part in t(x).chunk(2, -1)]
        gate, other = halves if left else halves[::-1]
        (F.silu(gate) * other).backward(t(gradient))
        return torch.cat([part.grad for part in halves], -1).numpy().astype(np.float32).astype(np.float64)

    def along(made, axis, algorithm, to, most, largest):
        return written(*blocks(np.moveaxis(made, axis, -1), 32, algorithm, most, largest), to, axis)

    # Each shape and mode has another pair of types.
    pairs = itertools.cycle(itertools.product(F3[1:], formats))
    operator = "SwigluMxQuant"
    modes = [(True, 0, 0.0, 0.0, 0.0), (False, 0, 1.0, 1.0, 1.0), (True, 1, 1.5, 1.702, 1.0), (False, 2, 2.0, 1.0, 0.5), (True, 3, 1.25, 0.0, 0.0)]
    for shape, dim, axis in [((3, 160), -1, -1), ((2, 70, 6), 2, -2), ((140, 3), 0, 0), ((6, 2, 40), 0, 2)]:
        for left, mode, limit, alpha, bias in modes:
            name, (to, code, most, largest) = next(pairs)
            x = data(name, *shape)
            outs = along(units(x, dim, left, mode, limit, alpha, bias), axis, int(left), to, most, largest)
            cases.add(operator, Tensor(x), NULL, dim, left, mode, limit, alpha, bias, 0, axis, code, NULL, int(left), 0.0, *outs, **new)
    x = data("f16", 3, 80)
    x[1, 7] = np.nan
    outs = along(units(x), -1, 0, "f8e5m2", 57344, 15)
    cases.add(operator, Tensor(x), Tensor(np.zeros(0, np.int64)), -1, True, 0, 0.0, 0.0, 0.0, 1, -1, 35, Text("rint"), 0, 0.0, *outs, **new)
    nothing = [Out(np.zeros((0, 40), kind("f8e5m2"))), Out(np.zeros((0, 1, 2), kind("f8e8m0")))]
    call = dict(x=x, list=None, dim=-1, mode=0, axis=-1, number=35, round=NULL, algorithm=0, most=0.0, y=outs[0], scales=outs[1])

    def refused(code, product="Ascend950", **changed):
        a = {**call, **changed}
        cases.add(operator, given(a["x"]), given(a["list"]), a["dim"], True, a["mode"], 0.0, 0.0, 0.0, 0, a["axis"], a["number"], a["round"], a["algorithm"], a["most"], a["y"], a["scales"], product=product, code=code)

    refused(0, x=x[:0], y=nothing[0], scales=nothing[1])
    for missing in [{"x": None}, {"y": NULL}, {"scales": NULL}]:
        refused(NULLPTR, **missing)
    wrong = [{"x": wide(x).astype(np.float32)}, {"x": x[:, :79]}, {"x": x[:2]}, {"dim": 2}, {"dim": 0}, {"axis": 2}, {"axis": 0}, {"number": 36}, {"round": Text("floor")}, {"algorithm": 2}]
    wrong += [{"y": Out(np.zeros((3, 40), np.float16))}, {"y": Out(np.zeros((3, 80), kind("f8e5m2")))}, {"scales": Out(np.zeros((3, 2), kind("f8e8m0")))}, {"scales": Out(np.zeros((3, 1, 2), np.uint8))}, {"product": "Ascend910B"}]
    for changed in wrong:
        refused(INVALID, **changed)
    refused(UNTILED, mode=4)
    refused(NOT_EMULATED, list=np.array([3]))
    refused(NOT_EMULATED, most=1.0)

    for shape, ends in [((2, 70, 6), None), ((34, 70), None), ((100, 6), [30, 30, 90]), ((100, 6), [64, 100])]:
        for left, index, algorithm in [(True, "i64", 0), (False, "i32", 0 if ends else 1)]:
            name, (to, code, most, largest) = next(pairs)
            x, gradient = data(name, *shape), data(name, *shape[:-1], shape[-1] // 2, seed=1)
            groups = given(None if ends is None else np.array(ends).astype(kind(index)))
            for operator, made, head in [("SwigluMxQuantWithDualAxis", units(x, left=left), [Tensor(x)]), ("SwigluBackwardMxQuantWithDualAxis", gradients(x, gradient, left), [Tensor(x), Tensor(gradient)])]:
                outs = [*along(made, -1, algorithm, to, most, largest)]
                outs += along(made, -2, algorithm, to, most, largest) if ends is None else written(*parts(made.T, ends, 32, most, largest), to, 0)
                cases.add(operator, *head, groups, left, NULL, algorithm, code, 0.0, *outs, **new)

    # The last of them is of the gradients.
    arguments = dict(x=x, gradient=gradient, list=np.array(ends), round=NULL, algorithm=0, number=code, most=0.0, outs=outs)

    def refused_gradients(expected, product="Ascend950", **changed):
        a = {**arguments, **changed}
        cases.add(operator, given(a["x"]), given(a["gradient"]), given(a["list"]), False, a["round"], a["algorithm"], a["number"], a["most"], *a["outs"], product=product, code=expected)

    for missing in [{"x": None}, {"gradient": None}, *({"outs": [*outs[:i], NULL, *outs[i + 1 :]]} for i in range(4))]:
        refused_gradients(NULLPTR, **missing)
    wrong = [{"x": wide(x)}, {"x": x[:, :5]}, {"x": x[:64]}, {"x": x[0]}, {"x": x[None]}, {"gradient": gradient[:64]}, {"gradient": gradient.astype(np.float16)}, {"list": wide(ends)}, {"list": np.array([ends])}, {"list": np.array([100])}]
    wrong += [{"round": Text("floor")}, {"algorithm": 2}, {"number": 36}, {"outs": [*outs[:2], outs[0], outs[1]]}, {"outs": [outs[2], outs[3], *outs[2:]]}, {"product": "Ascend310P"}]
    for changed in wrong:
        refused_gradients(INVALID, **changed)
    refused_gradients(NOT_EMULATED, most=1.0)
    empty = [Out(np.zeros((0, 6), kind(to))), Out(np.zeros((0, 1, 2), kind("f8e8m0"))), Out(np.zeros((0, 6), kind(to))), written(np.zeros((6, 0)), np.full((6, 4), -127.0), to, 0)[1]]
    refused_gradients(0, x=x[:0], gradient=gradient[:0], outs=empty)
    operator, outs = "SwigluMxQuantWithDualAxis", [*empty[:3], Out(np.zeros((0, 6, 2), kind("f8e8m0")))]
    cases.add(operator, Tensor(np.zeros((0, 12), x.dtype)), NULL, True, NULL, 0, code, 0.0, *outs, **new)
    cases.add(operator, NULL, NULL, True, NULL, 0, code, 0.0, *outs, **new, code=NULLPTR)
    cases.add(operator, Tensor(np.zeros((0, 11), x.dtype)), NULL, True, NULL, 0, code, 0.0, *outs, **new, code=INVALID)
    cases.add(operator, Tensor(np.zeros((0, 12), x.dtype)), NULL, True, NULL, 0, code, 0.0, *outs, code=INVALID)


def computed():
    new = {"product": "Ascend950"}
    codes = [("i8", 2, 127), ("f8e4m3fn", 36, 448), ("f8e5m2", 35, 57344)]

    def held(number, to, most):
        if to == "i8":
            return np.clip(np.rint(number), -128, 127).astype(np.int8)
        return np.clip(np.asarray(number).astype(np.float32), -most, most).astype(kind(to))

    for name in F3:
        for to, code, most in codes:
            for shape in [(3, 7), (2, 2, 16)]:
                length = shape[-1]
                x, dy = data(name, *shape), data(name, *shape, seed=1)
                gamma, beta = data(name, length, seed=2), data(name, length, seed=3)
                for size in [1, length]:
                    scale, offset = data("f32", size, seed=4, low=0.02, high=0.5), data("f32", size, seed=5)
                    for divides in [True, False]:
                        by = lambda number: number / wide(scale) if divides else number * wide(scale)
                        root = 1 / np.sqrt((wide(x) ** 2).mean(-1, keepdims=True) + 1e-5)
                        for shift, add in [(offset, beta), (None, None)]:
                            normed = wide(x) * root * wide(gamma) + (0 if add is None else wide(add))
                            y = Out(held(by(normed) + (0 if shift is None else wide(shift)), to, most))
                            arguments = [Tensor(x), Tensor(gamma), Tensor(scale), given(shift), given(add), 1e-5, divides]
                            rstd = Out(root.astype(np.float32), 1)
                            cases.add("RmsNormQuantV3", *arguments, True, y, rstd, **new)
                            cases.add("RmsNormQuantV3", *arguments, False, y, NULL, **new)
                            own = root.astype(np.float32)
                            g, normed = wide(dy) * wide(gamma), wide(x) * wide(own)
                            dx = wide(own) * (g - normed * (g * normed).mean(-1, keepdims=True))
                            dx = Out(held(by(dx) + (0 if shift is None else wide(shift)), to, most))
                            of_gamma = (wide(dy) * normed).reshape(-1, length).sum(0)
                            back = [Tensor(dy), Tensor(x), Tensor(own), Tensor(gamma), Tensor(scale), given(shift)]
                            last = [dx, Out(of_gamma.astype(np.float32), within=2e-5)]
                            cases.add("RmsNormGradQuant", *back, Text("static"), divides, *last, **new)
                    for form in ["none", "tanh"]:
                        act = F.gelu(t(x), approximate=form).numpy()
                        result = held(act * wide(scale) + wide(offset), to, most)
                        gate = [Tensor(x), Tensor(scale), Tensor(offset), Text(form)]
                        cases.add("GeluQuant", *gate, Text("static"), Text("rint"), code, Out(result), NULL, **new)
                        for smooth in [scale, None]:
                            number = act * (1 if smooth is None else wide(smooth))
                            step = np.abs(number).max(-1, keepdims=True).astype(np.float32) / np.float32(most)
                            moved = [Out(held(number / wide(step), to, most)), Out(step)]
                            cases.add("GeluQuant", Tensor(x), given(smooth), NULL, Text(form), Text("dynamic"), Text("rint"), code, *moved, **new)
    for missing in range(3):
        cases.add("RmsNormQuantV3", *arguments[:missing], NULL, *arguments[missing + 1 :], True, y, rstd, **new, code=NULLPTR)
    cases.add("RmsNormQuantV3", *arguments, True, NULL, rstd, **new, code=NULLPTR)
    cases.add("RmsNormQuantV3", *arguments, True, y, NULL, **new, code=NULLPTR)
    cases.add("RmsNormQuantV3", Tensor(x), Tensor(gamma[:5]), *arguments[2:], True, y, rstd, **new, code=INVALID)
    cases.add("RmsNormQuantV3", *arguments, True, y, rstd, code=INVALID)
    for missing in range(5):
        cases.add("RmsNormGradQuant", *back[:missing], NULL, *back[missing + 1 :], Text("static"), divides, *last, **new, code=NULLPTR)
    cases.add("RmsNormGradQuant", *back, Text("dynamic"), divides, *last, **new, code=INVALID)
    cases.add("RmsNormGradQuant", *back[:2], Tensor(own[:1]), *back[3:], Text("static"), divides, *last, **new, code=INVALID)
    cases.add("RmsNormGradQuant", *back, Text("static"), divides, *last, code=INVALID)
    result = Out(result)
    cases.add("GeluQuant", NULL, *gate[1:], Text("static"), Text("rint"), code, result, NULL, **new, code=NULLPTR)
    cases.add("GeluQuant", *gate, Text("dynamic"), Text("rint"), code, result, NULL, **new, code=NULLPTR)
    cases.add("GeluQuant", *gate, Text("other"), Text("rint"), code, result, NULL, **new, code=INVALID)
    cases.add("GeluQuant", *gate[:3], Text("erf"), Text("static"), Text("rint"), code, result, NULL, **new, code=INVALID)
    cases.add("GeluQuant", Tensor(x), NULL, NULL, Text("none"), Text("static"), Text("rint"), code, result, NULL, **new, code=INVALID)
    cases.add("GeluQuant", *gate, Text("static"), Text("floor"), code, result, NULL, **new, code=INVALID)
    cases.add("GeluQuant", *gate, Text("static"), Text("rint"), 36, result, NULL, **new, code=INVALID)
    cases.add("GeluQuant", *gate, Text("static"), Text("rint"), code, result, NULL, code=INVALID)

    for name in F3:
        for to, code, most in codes:
            for down, across, counts, least in [(1, 4, [2, 0, 5], 0.0), (2, 3, [3, 4, 1], 0.0), (4, 128, [8], 40.0)]:
                x = data(name, 9, 7)
                x[0, :4] = 0
                scales, y, start = np.zeros((9 // down + len(counts), -(-7 // across)), np.float32), np.zeros((9, 7), kind(to)), 0
                for part, count in enumerate(counts):
                    for block, top in enumerate(range(start, start + count, down)):
                        for column, left in enumerate(range(0, 7, across)):
                            own = slice(top, min(top + down, start + count)), slice(left, left + across)
                            step = np.float64(np.abs(wide(x[own])).max()) / most
                            step = np.float32(min(step, 1 / least) if least else step)
                            scales[start // down + part + block, column] = step
                            if step:
                                y[own] = held(wide(x[own]) / np.float64(step), to, most)
                    start += count
                for listed, groups in [(1, counts), (0, np.cumsum(counts))]:
                    for word in ["i64", "i32"]:
                        head = [Tensor(x), Tensor(np.array(groups).astype(kind(word))), least, NULL, code, down, across, listed]
                        outs = [Out(y), Out(scales)]
                        cases.add("GroupedDynamicBlockQuant", *head, *outs, **new)
                        cases.add("GroupedDynamicBlockQuantV2", *head, 0.0, *outs, **new)
    for name in F3:
        for to, code, most in codes[1:]:
            for shape, ends in [((9, 7), [2, 2, 8]), ((4, 3, 5), [4]), ((6,), [1, 3])]:
                x, scale = data(name, *shape), data("f32", len(ends), low=0.5, high=200)
                y, greatest, start = np.zeros(shape, kind(to)), np.zeros(len(ends), np.float32), 0
                for part, end in enumerate(ends):
                    if end > start:
                        y[start:end] = held(wide(x[start:end]) * wide(scale[part]), to, most)
                        greatest[part] = np.abs(wide(x[start:end])).max()
                    start = end
                for word, amax in [("i64", "f32"), ("i32", name)]:
                    last = [Out(y), Out(greatest.astype(kind(amax)))]
                    cases.add("GroupedQuantMax", Tensor(x), Tensor(scale), Tensor(np.array(ends).astype(kind(word))), Text("rint"), code, *last, **new)
                y, greatest = held(wide(x) * wide(scale[:1]), to, most), np.array([np.abs(wide(x)).max()])
                cases.add("QuantMax", Tensor(x), Tensor(scale[:1]), NULL, code, Out(y), Out(greatest.astype(np.float32)), **new)
    whole = [Tensor(x), Tensor(scale[:1]), NULL, code, Out(y), Out(greatest.astype(np.float32))]
    for missing in [0, 1, 4, 5]:
        cases.add("QuantMax", *whole[:missing], NULL, *whole[missing + 1 :], **new, code=NULLPTR)
    cases.add("QuantMax", whole[0], Tensor(scale), *whole[2:], **new, code=INVALID)
    cases.add("QuantMax", *whole[:2], Text("floor"), *whole[3:], **new, code=INVALID)
    cases.add("QuantMax", *whole[:3], 36, *whole[4:], **new, code=INVALID)
    cases.add("QuantMax", *whole, code=INVALID)
    lost, best, none = np.array([1, np.nan, -9], np.float32), np.array([np.nan, 9], np.float32), np.zeros(2, np.float32)
    short = held(wide(lost), to, most)
    cases.add("QuantMax", Tensor(lost), Tensor(np.ones(1, np.float32)), NULL, code, Out(short), Out(best[:1]), **new)
    ones = Tensor(np.ones(2, np.float32))
    cases.add("GroupedQuantMax", Tensor(lost), ones, Tensor(np.array([2, 3])), Text("rint"), code, Out(short), Out(best), **new)
    # Groups without rows have the greatest element 0.
    cases.add("GroupedQuantMax", Tensor(np.zeros((0, 3), np.float32)), ones, Tensor(np.array([0, 0])), Text("rint"), code, Out(np.zeros((0, 3), kind(to))), Out(none), **new)

    operator = "GroupedDynamicBlockQuant"
    nothing = [Out(np.zeros((0, 7), kind(to))), Out(np.zeros((3, 2), np.float32))]
    cases.add(operator, Tensor(np.zeros((0, 7), head[0].array.dtype)), Tensor(np.zeros(3, np.int64)), 0.0, NULL, code, 2, 4, 0, *nothing, **new)
    cases.add(operator, NULL, *head[1:], *outs, **new, code=NULLPTR)
    cases.add(operator, head[0], NULL, *head[2:], *outs, **new, code=NULLPTR)
    cases.add(operator, *head, NULL, outs[1], **new, code=NULLPTR)
    cases.add(operator, *head[:5], 0, *head[6:], *outs, **new, code=UNTILED)
    cases.add(operator, *head[:7], 2, *outs, **new, code=UNTILED)
    cases.add(operator, *head[:3], Text("floor"), *head[4:], *outs, **new, code=UNTILED)
    cases.add(operator, *head[:4], 36, *head[5:], *outs, **new, code=UNTILED)
    cases.add(operator, *head, outs[0], Out(scales[:1]), **new, code=UNTILED)
    cases.add(operator, *head, *outs, code=INVALID)


if __name__ == "__main__":
    samples()
    steps()
    checks()
    codes()
    boxes()
    exponentials()
    vocabularies()
    gates()
    elements()
    rotations()
    optimizers()
    shared_powers()
    gated_groups()
    computed()
    cases.write("by_signature")
