"""Programs: rows of calls that share tensors, as a PyTorch plugin makes them, and what PyTorch computes in their place.

References: PyTorch.

Each program has tensors with their elements or without, calls in order, and the elements that some of the tensors have at the
end, within `rtol · |expected| + atol`. PyTorch adds up sums of f32 in another order, so that most results may differ by 1e-5 of
their size, and gradients that went through a layer, whose summands of about 10 cancel, by 1e-4; what is compared exactly says so. Writes cann-stubs/tests/data/sequences.bin, which
cann-stubs/tests/shared/sequences.rs runs.

    python xtask/golden/sequences.py
"""

import math
import struct
import zlib

import numpy as np
import torch
import torch.nn.functional as F

import cases
from cases import Bools, Ints, Scalar, Text

NEAR = (1e-5, 1e-6)
THROUGH_LAYERS = (1e-4, 1e-4)
EXACT = (0.0, 0.0)


class Slot:
    """A tensor of a program, or a view of it."""

    def __init__(self, number, shape, view=b""):
        self.number, self.shape, self.view = number, tuple(shape), view

    def bytes(self):
        return b"t" + struct.pack("<H", self.number) + (self.view or b"\0")

    def seen(self, dims, strides, offset=0):
        numbers = struct.pack(f"<{2 * len(dims) + 1}q", *dims, *strides, offset)
        return Slot(self.number, dims, bytes([len(dims) + 1]) + numbers)

    def t(self):
        """The last two axes exchanged."""
        strides = [math.prod(self.shape[axis + 1 :]) for axis in range(len(self.shape))]
        dims = [*self.shape]
        for both in (dims, strides):
            both[-1], both[-2] = both[-2], both[-1]
        return self.seen(dims, strides)

    def reshaped(self, *dims):
        return self.seen(dims, [math.prod(dims[axis + 1 :]) for axis in range(len(dims))])


class Program:
    def __init__(self, name):
        self.name, self.slots, self.calls, self.ends = name, [], [], []

    def tensor(self, value):
        array = np.ascontiguousarray(value.detach().numpy() if torch.is_tensor(value) else value)
        array = array.reshape(np.shape(value))
        self.slots.append(cases.described(array) + b"\1" + array.tobytes())
        return Slot(len(self.slots) - 1, array.shape)

    def empty(self, shape, name="f32"):
        self.slots.append(cases.described(np.zeros(shape, cases.kind(name))) + b"\0")
        return Slot(len(self.slots) - 1, shape)

    def call(self, operator, *arguments, wait=False):
        encoded = b"".join(one.bytes() if isinstance(one, Slot) else listed(one) for one in arguments)
        head = struct.pack("<B", len(operator)) + operator.encode()
        self.calls.append(head + bytes([wait, len(arguments)]) + encoded)

    def ends_with(self, slot, value, near=NEAR):
        array = np.ascontiguousarray(value.detach().numpy() if torch.is_tensor(value) else value).reshape(np.shape(value))
        self.ends.append(struct.pack("<H2d", slot.number, *near) + cases.described(array) + array.tobytes())

    def bytes(self):
        parts = [struct.pack("<B", len(self.name)) + self.name.encode()]
        for rows in (self.slots, self.calls, self.ends):
            parts += [struct.pack("<H", len(rows)), *rows]
        return b"".join(parts)


def listed(argument):
    if isinstance(argument, list):
        return b"m" + bytes([len(argument)]) + b"".join(one.bytes() for one in argument)
    return cases.encoded(argument)


ONE = Scalar(1, "i64")


def random(*shape, seed):
    return torch.rand(shape, generator=torch.Generator().manual_seed(seed)) * 2 - 1


def printing():
    """What PyTorch asks of a tensor to print it: the range of its numbers that are finite and not 0, and if all are whole."""
    program = Program("printing a tensor")
    x = torch.tensor([[0.5, -3.0, math.inf], [0.0, 1e5, math.nan], [7.25, -0.001, 2.0]])
    mask = x.isfinite() & x.ne(0)
    values = x.masked_select(mask)
    own = program.tensor(x)
    finite, other, both = (program.empty((3, 3), "bool") for _ in range(3))
    program.call("IsFinite", own, finite)
    program.call("NeScalar", own, Scalar(0, "f32"), other)
    program.call("BitwiseAndTensor", finite, other, both)
    chosen = program.empty((9,))
    # The sizes of the result are known once it is computed.
    program.call("MaskedSelect", own, both, chosen, wait=True)
    size = (len(values),)
    whole, least, most, up, differs = program.empty(size), program.empty(()), program.empty(()), program.empty(size), program.empty(size, "bool")
    program.call("Abs", chosen, whole)
    program.call("Min", whole, least)
    program.call("Max", whole, most)
    program.call("Ceil", chosen, up)
    program.call("NeTensor", chosen, up, differs)
    above, below = program.empty((), "bool"), program.empty((), "bool")
    program.call("GtScalar", most, Scalar(1e8, "f64"), above)
    program.call("LtScalar", least, Scalar(1e-4, "f64"), below)
    program.ends_with(both, mask, EXACT)
    program.ends_with(least, values.abs().min(), EXACT)
    program.ends_with(most, values.abs().max(), EXACT)
    program.ends_with(differs, values.ne(values.ceil()), EXACT)
    program.ends_with(above, values.abs().max() > 1e8, EXACT)
    program.ends_with(below, values.abs().min() < 1e-4, EXACT)
    return program


def perceptron():
    """Three steps of a perceptron of two layers with SGD."""
    program = Program("a perceptron with SGD")
    rows, inputs, hidden, classes, rate = 8, 6, 16, 4, 0.1
    x, target = random(rows, inputs, seed=1), torch.arange(rows) * 3 % classes
    weights = [random(hidden, inputs, seed=2), random(hidden, seed=3), random(classes, hidden, seed=4), random(classes, seed=5)]
    own, labels, ones, seed = program.tensor(x), program.tensor(target), program.tensor(torch.ones(classes)), program.tensor(torch.ones(()))
    slots = [program.tensor(weight) for weight in weights]
    w1, b1, w2, b2 = slots
    weights = [weight.clone().requires_grad_() for weight in weights]
    optimizer = torch.optim.SGD(weights, lr=rate, foreach=False)
    for _ in range(3):
        wide, active, logits, likely = program.empty((rows, hidden)), program.empty((rows, hidden)), program.empty((rows, classes)), program.empty((rows, classes))
        loss, total = program.empty(()), program.empty(())
        program.call("Addmm", b1, own, w1.t(), ONE, ONE, wide, 0)
        program.call("Relu", wide, active)
        program.call("Addmm", b2, active, w2.t(), ONE, ONE, logits, 0)
        program.call("LogSoftmax", logits, 1, likely)
        program.call("NLLLoss", likely, labels, ones, 1, -100, loss, total)
        by_likely, by_logits, by_active, by_wide = program.empty((rows, classes)), program.empty((rows, classes)), program.empty((rows, hidden)), program.empty((rows, hidden))
        program.call("NLLLossBackward", seed, likely, labels, ones, 1, -100, total, by_likely)
        program.call("LogSoftmaxBackward", by_likely, likely, 1, by_logits)
        grads = [program.empty(slot.shape) for slot in slots]
        program.call("Mm", by_logits.t(), active, grads[2], 0)
        program.call("ReduceSum", by_logits, Ints([0]), True, cases.DType("f32"), grads[3].reshaped(1, classes))
        program.call("Mm", by_logits, w2, by_active, 0)
        program.call("ThresholdBackward", by_active, active, Scalar(0, "i64"), by_wide)
        program.call("Mm", by_wide.t(), own, grads[0], 0)
        program.call("ReduceSum", by_wide, Ints([0]), True, cases.DType("f32"), grads[1].reshaped(1, hidden))
        program.call("ForeachAddListV2", slots, grads, Scalar(-rate, "f32"), slots)
        expected = F.nll_loss(F.log_softmax(F.linear(F.linear(x, *weights[:2]).relu(), *weights[2:]), 1), target)
        optimizer.zero_grad()
        expected.backward()
        optimizer.step()
        program.ends_with(loss, expected)
        for slot, weight in zip(grads, weights):
            program.ends_with(slot, weight.grad.clone(), (1e-5, 1e-5))
    for slot, weight in zip(slots, weights):
        program.ends_with(slot, weight)
    return program


def adam():
    """Three steps of Adam, with the calls of its form for lists."""
    program = Program("Adam with lists")
    rate, beta1, beta2, eps = 0.01, 0.9, 0.999, 1e-8
    weights = [random(3, 5, seed=1).requires_grad_(), random(7, seed=2).requires_grad_()]
    slots = [program.tensor(weight) for weight in weights]
    first, second = ([program.tensor(torch.zeros_like(weight)) for weight in weights] for _ in range(2))
    optimizer = torch.optim.Adam(weights, lr=rate, betas=(beta1, beta2), eps=eps, foreach=True)
    for step in range(1, 4):
        for number, weight in enumerate(weights):
            weight.grad = random(*weight.shape, seed=10 * step + number)
        grads, roots = [program.tensor(weight.grad) for weight in weights], [program.empty(weight.shape) for weight in weights]
        optimizer.step()
        program.call("ForeachLerpScalar", first, grads, Scalar(1 - beta1, "f32"), first)
        program.call("ForeachMulScalarV2", second, Scalar(beta2, "f32"), second)
        program.call("ForeachAddcmulScalarV2", second, grads, grads, Scalar(1 - beta2, "f32"), second)
        program.call("ForeachSqrt", second, roots)
        program.call("ForeachDivScalarList", roots, cases.Scalars(*[Scalar(math.sqrt(1 - beta2**step), "f32")] * 2), roots)
        program.call("ForeachAddScalarV2", roots, Scalar(eps, "f32"), roots)
        for slot, mean, root in zip(slots, first, roots):
            program.call("InplaceAddcdiv", slot, mean, root, Scalar(-rate / (1 - beta1**step), "f32"))
    for number, weight in enumerate(weights):
        state = optimizer.state[weight]
        program.ends_with(slots[number], weight)
        program.ends_with(first[number], state["exp_avg"])
        program.ends_with(second[number], state["exp_avg_sq"])
    return program


def transformer():
    """A layer of a transformer, forwards and backwards."""
    program = Program("a transformer, forwards and backwards")
    batch, length, words, width, wide = 2, 5, 11, 8, 12
    tokens = torch.arange(batch * length).reshape(batch, length) * 7 % words
    table, gain, shift = random(words, width, seed=1), random(width, seed=2) + 1.5, random(width, seed=3)
    matrices = [random(width, width, seed=4 + number) for number in range(3)] + [random(wide, width, seed=7), random(width, wide, seed=8)]
    leaves = [table, gain, shift, *matrices]
    slots = [program.tensor(leaf) for leaf in leaves]
    leaves = [leaf.clone().requires_grad_() for leaf in leaves]
    table, gain, shift, query, key, value, up, down = leaves
    s_table, s_gain, s_shift, s_query, s_key, s_value, s_up, s_down = slots
    shape, square, scale = (batch, length, width), (batch, length, length), 1 / math.sqrt(width)
    ids = program.tensor(tokens)

    # Forwards.
    embedded = F.embedding(tokens, table)
    normed = F.layer_norm(embedded, (width,), gain, shift)
    q, k, v = (normed @ matrix.T for matrix in (query, key, value))
    scores = (q @ k.mT) * scale
    mask = torch.ones(length, length).tril() == 0
    weights = scores.masked_fill(mask, -math.inf).softmax(-1)
    mixed = embedded + weights @ v
    inner = mixed @ up.T
    outer = F.gelu(inner, approximate="tanh") @ down.T
    logits = (mixed + outer) @ table.T

    x, n = program.empty(shape), program.empty(shape)
    mean, rstd = program.empty((batch, length, 1)), program.empty((batch, length, 1))
    program.call("Embedding", s_table, ids, x)
    program.call("LayerNorm", x, Ints([width]), s_gain, s_shift, 1e-5, n, mean, rstd)
    qkv = [program.empty(shape) for _ in range(3)]
    for slot, matrix in zip(qkv, [s_query, s_key, s_value]):
        program.call("Matmul", n, matrix.t(), slot, 0)
    products, scaled, p = program.empty(square), program.empty(square), program.empty(square)
    program.call("Matmul", qkv[0], qkv[1].t(), products, 0)
    program.call("Muls", products, Scalar(scale, "f32"), scaled)
    lower, hidden = program.empty((length, length)), program.empty((length, length), "bool")
    program.call("Tril", program.tensor(torch.ones(length, length)), 0, lower)
    program.call("EqScalar", lower, Scalar(0, "f32"), hidden)
    program.call("InplaceMaskedFillScalar", scaled, hidden, Scalar(-math.inf, "f32"))
    program.call("Softmax", scaled, -1, p)
    seen, m, i, g, o, h, out = (program.empty(shape), program.empty(shape), program.empty((batch, length, wide)), program.empty((batch, length, wide)), program.empty(shape), program.empty(shape), program.empty((batch, length, words)))
    program.call("Matmul", p, qkv[2], seen, 0)
    program.call("Add", x, seen, ONE, m)
    program.call("Matmul", m, s_up.t(), i, 0)
    program.call("Gelu", i, g)
    program.call("Matmul", g, s_down.t(), o, 0)
    program.call("Add", m, o, ONE, h)
    program.call("Matmul", h, s_table.t(), out, 0)
    following, longer = program.empty((batch, 1), "i64"), program.empty((batch, length + 1), "i64")
    last = out.seen((batch, 1, words), (length * words, words, 1), (length - 1) * words)
    program.call("ArgMax", last, -1, False, following)
    program.call("Cat", [ids, following], 1, longer)
    program.ends_with(n, normed)
    program.ends_with(p, weights)
    program.ends_with(out, logits, (1e-5, 1e-5))
    program.ends_with(longer, torch.cat([tokens, logits[:, -1:].argmax(-1)], 1), EXACT)

    # Backwards, from a gradient of the logits.
    grad = random(batch, length, words, seed=20)
    logits.backward(grad)
    rows = batch * length
    d_out = program.tensor(grad)
    d_table, d_h = program.empty((words, width)), program.empty(shape)
    program.call("Mm", d_out.reshaped(rows, words).seen((words, rows), (1, words)), h.reshaped(rows, width), d_table, 0)
    program.call("Matmul", d_out, s_table, d_h, 0)
    d_down, d_g, d_i, d_up, d_m = program.empty((width, wide)), program.empty((batch, length, wide)), program.empty((batch, length, wide)), program.empty((wide, width)), program.empty(shape)
    program.call("Mm", d_h.seen((width, rows), (1, width)), g.reshaped(rows, wide), d_down, 0)
    program.call("Matmul", d_h, s_down, d_g, 0)
    program.call("GeluBackward", d_g, i, d_i)
    program.call("Mm", d_i.seen((wide, rows), (1, wide)), m.reshaped(rows, width), d_up, 0)
    program.call("Matmul", d_i, s_up, d_m, 0)
    program.call("InplaceAdd", d_m, d_h, ONE)
    d_p, d_v, d_s, d_products = program.empty(square), program.empty(shape), program.empty(square), program.empty(square)
    program.call("Matmul", d_m, qkv[2].t(), d_p, 0)
    program.call("Matmul", p.t(), d_m, d_v, 0)
    program.call("SoftmaxBackward", d_p, p, -1, d_s)
    program.call("Muls", d_s, Scalar(scale, "f32"), d_products)
    d_q, d_k, d_n = program.empty(shape), program.empty(shape), program.empty(shape)
    program.call("Matmul", d_products, qkv[1], d_q, 0)
    program.call("Matmul", d_products.t(), qkv[0], d_k, 0)
    for number, (d, matrix) in enumerate(zip([d_q, d_k, d_v], [s_query, s_key, s_value])):
        of_matrix, of_input = program.empty((width, width)), program.empty(shape)
        program.call("Mm", d.seen((width, rows), (1, width)), n.reshaped(rows, width), of_matrix, 0)
        program.call("Matmul", d, matrix, of_input if number else d_n, 0)
        if number:
            program.call("InplaceAdd", d_n, of_input, ONE)
        program.ends_with(of_matrix, leaves[3 + number].grad, THROUGH_LAYERS)
    d_x, d_gain, d_shift = program.empty(shape), program.empty((width,)), program.empty((width,))
    program.call("LayerNormBackward", d_n, x, Ints([width]), mean, rstd, s_gain, s_shift, Bools([True] * 3), d_x, d_gain, d_shift)
    program.call("InplaceAdd", d_x, d_m, ONE)
    by_words = program.empty((words, width))
    program.call("EmbeddingDenseBackward", d_x, ids, words, -1, False, by_words)
    program.call("InplaceAdd", d_table, by_words, ONE)
    for slot, leaf in [(d_table, table), (d_gain, gain), (d_shift, shift), (d_up, up), (d_down, down)]:
        program.ends_with(slot, leaf.grad, THROUGH_LAYERS)
    return program


def attention():
    """Scaled dot-product attention with a causal mask."""
    program = Program("scaled dot-product attention")
    shape = (2, 3, 5, 16)
    q, k, v = (random(*shape, seed=seed) for seed in (1, 2, 3))
    hidden = torch.ones(5, 5, dtype=torch.bool).triu(1)
    most, total, out = program.empty((2, 3, 5, 8)), program.empty((2, 3, 5, 8)), program.empty(shape)
    mask, nothing = program.tensor(hidden), cases.NULL
    most_tokens = 2**31 - 1
    program.call("FlashAttentionScore", program.tensor(q), program.tensor(k), program.tensor(v), nothing, nothing, nothing, mask, nothing, 0.25, 1.0, most_tokens, most_tokens, 3, Text("BNSD"), 0, 1, most, total, nothing, out)
    program.ends_with(out, F.scaled_dot_product_attention(q, k, v, attn_mask=~hidden, scale=0.25))
    return program


def closeness():
    """What a comparison of two tensors asks: whether they are close, and how far off they are."""
    program = Program("comparing two tensors")
    a = random(4, 6, seed=1)
    b = a.clone()
    b[1, 2] += 0.5
    b[3, 0] *= 1 + 1e-7
    a[0, 0] = b[0, 0] = math.nan
    first, second = program.tensor(a), program.tensor(b)
    close, every, equal, same = program.empty((4, 6), "bool"), program.empty((), "bool"), program.empty((1,), "bool"), program.empty((1,), "bool")
    program.call("IsClose", first, second, 1e-5, 1e-8, True, close)
    program.call("All", close, Ints([0, 1]), False, every)
    program.call("Equal", first, second, equal)
    program.call("Equal", close, close, same)
    off, count, difference, distance = program.empty((4, 6), "bool"), program.empty((), "i64"), program.empty((4, 6)), program.empty((4, 6))
    program.call("LogicalNot", close, off)
    program.call("ReduceSum", off, Ints([0, 1]), False, cases.DType("i64"), count)
    program.call("Sub", first, second, ONE, difference)
    program.call("Abs", difference, distance)
    # Those that are close count as 0.
    program.call("InplaceMaskedFillScalar", distance, close, Scalar(0, "f32"))
    greatest, place = program.empty(()), program.empty((), "i64")
    program.call("MaxDim", distance.reshaped(24), 0, False, greatest, place)
    found = a.isclose(b, 1e-5, 1e-8, True)
    program.ends_with(close, found, EXACT)
    program.ends_with(every, found.all(), EXACT)
    program.ends_with(equal, torch.tensor([torch.equal(a, b)]), EXACT)
    program.ends_with(same, torch.tensor([True]), EXACT)
    program.ends_with(count, (~found).sum(), EXACT)
    value, index = (a - b).abs().masked_fill(found, 0).flatten().max(0)
    program.ends_with(greatest, value, EXACT)
    program.ends_with(place, index, EXACT)
    return program


def main():
    programs = [printing(), perceptron(), adam(), transformer(), attention(), closeness()]
    data = zlib.compress(b"".join(program.bytes() for program in programs), 9)
    (cases.DATA / "sequences.bin").write_bytes(data)
    calls = sum(len(program.calls) for program in programs)
    print(f"sequences: {len(programs)} programs, {calls} calls, {len(data)} bytes")


main()
