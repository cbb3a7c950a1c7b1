"""Cases of recurrent networks and their cells: PyTorch on a CPU in f64.

References: PyTorch CPU.
Results are rounded once to the type of the operands; gates and states are within one unit of the last place, as exponentials
differ there. Gradients are sums and products of both signs: the distance is counted from the largest of them. CANN does not
describe cells: what is refused of those is what PyTorch refuses. A network is computed step by step, which `torch.nn.LSTM` and
`torch.nn.GRU` confirm; its gradients are those of autograd. In f16 the gates that gradients are made of are rounded, for which they
are within 2⁻⁸ of the largest. Writes cann-stubs/tests/data/recurrent.cases; and cann-stubs/tests/data/recurrent.bin for the safe
layer: whole networks as `torch.nn.LSTM` and `torch.nn.GRU` compute them in f64, with the gradients of autograd, as numbers of f32.

    python xtask/golden/recurrent.py
"""

import numpy as np
import torch

from cases import DATA, NULL, Cases, Formatted, Out, Tensor, Tensors, kind

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


def steps(cell, x, weights, first, is_reversed, mask):
    """One direction of one layer: what it shows, and what is kept of each step."""
    w, u, *biases = weights
    b, c = biases or (torch.zeros(len(w), dtype=w.dtype),) * 2
    state = list(first)
    shown, kept = [None] * len(x), [None] * len(x)
    for t in reversed(range(len(x))) if is_reversed else range(len(x)):
        ours, theirs = x[t] @ w.T + b, state[0] @ u.T + c
        if cell == "LSTM":
            i, f, g, o = (ours + theirs).chunk(4, 1)
            i, f, g, o = i.sigmoid(), f.sigmoid(), g.tanh(), o.sigmoid()
            after = f * state[1] + i * g
            made = [o * after.tanh(), after]
            gates = [i, g, f, o]
        else:
            (xr, xz, xn), (hr, hz, hn) = ours.chunk(3, 1), theirs.chunk(3, 1)
            r, z = (xr + hr).sigmoid(), (xz + hz).sigmoid()
            n = (xn + r * hn).tanh()
            made, gates = [(1 - z) * n + z * state[0]], [r, z, n, hn]
        m = mask[t][:, None]
        shown[t] = m * made[0]
        state = [m * new + (1 - m) * old for new, old in zip(made, state)]
        kept[t] = [*gates, *state, *([state[1].tanh()] if cell == "LSTM" else [])]
    return torch.stack(shown), state, [torch.stack(parts) for parts in zip(*kept)]


def network(cell, x, params, first, directions, biases, mask):
    """All layers: what the last one shows, the last states, and what is kept of each direction of each layer."""
    each = 2 + biases
    shown, lasts, kept = x, [], []
    for number in range(len(params) // each):
        own = params[number * each : (number + 1) * each]
        if number % directions == 0:
            below, joined = shown, []
        out, state, parts = steps(cell, below, own, [part[number] for part in first], number % directions == 1, mask)
        joined.append(out)
        shown = torch.cat(joined, 2)
        lasts.append(state)
        kept.append(parts)
    return shown, [torch.stack(parts) for parts in zip(*lasts)], list(zip(*kept))


def near_all(result, name, within):
    return Out(rounded(result.detach(), name), within=max(float(result.detach().abs().max()), 1e-3) * within)


# Steps, batches, input, state; layers, directions, biases, batches before steps.
NETWORKS = [
    ((3, 2, 4, 3), (1, 1, True, False)), ((4, 3, 5, 2), (2, 2, True, True)), ((1, 1, 1, 1), (1, 1, False, False)),
    ((2, 3, 3, 4), (1, 2, False, True)), ((5, 1, 2, 9), (3, 1, True, False)),
]


def drawn(cell, name, sizes, options):
    """The operands of a network: input, parameters and first states."""
    (t, b, i, h), (layers, directions, biases, batch_first) = sizes, options
    gates, states = (4, 2) if cell == "LSTM" else (3, 1)
    x = data(name, *((b, t, i) if batch_first else (t, b, i)), reach=1.5)
    params = []
    for number in range(layers * directions):
        own = [(gates * h, i if number < directions else directions * h), (gates * h, h)] + [(gates * h,)] * (2 if biases else 0)
        params += [data(name, *shape, seed=10 * number + place, reach=0.8) for place, shape in enumerate(own)]
    return x, params, [data(name, layers * directions, b, h, seed=90 + number, reach=1.0) for number in range(states)]


def confirmed(cell, x, params, first, options, made):
    """Whether PyTorch's own module shows the same."""
    layers, directions, biases, batch_first = options
    module = getattr(torch.nn, cell)(x.shape[2], first[0].shape[2], layers, bias=biases, batch_first=batch_first, bidirectional=directions == 2).double()
    with torch.no_grad():
        for own, param in zip(module.parameters(), params):
            own.copy_(param)
        shown, lasts = module(x, tuple(first) if cell == "LSTM" else first[0])
    assert torch.allclose(shown, made[0])
    assert all(torch.allclose(*pair) for pair in zip(lasts if cell == "LSTM" else [lasts], made[1]))


def add_network(cell, name, sizes, options, counts=None, given=(True, True, True, True)):
    """The cases of a network, forward and backward. `given` says whether first states are passed, and the gradients of each result."""
    (t, b, i, h), (layers, directions, biases, batch_first) = sizes, options
    x, params, first = drawn(cell, name, sizes, options)
    is_lstm, within = cell == "LSTM", {"f32": 2**-20, "f16": 2**-10}[name]
    if not given[0]:
        first = [np.zeros_like(part) for part in first]
    leaves = [wide(part).requires_grad_() for part in (x, *params, *first)]
    own_x, own_params, own_first = leaves[0], leaves[1 : 1 + len(params)], leaves[1 + len(params) :]
    mask = torch.ones(t, b, dtype=torch.float64) if counts is None else (torch.arange(b)[None] < torch.tensor(counts)[:, None]).double()
    by_step = own_x.transpose(0, 1) if batch_first else own_x
    shown, lasts, kept = network(cell, by_step, own_params, own_first, directions, 2 if biases else 0, mask)
    shown = shown.transpose(0, 1) if batch_first else shown
    if counts is None:
        confirmed(cell, own_x.detach(), [part.detach() for part in own_params], [part.detach() for part in own_first], options, (shown.detach(), [part.detach() for part in lasts]))
    passed_x = x if counts is None else x.reshape(t * b, i)
    passed = [Tensor(passed_x), Tensors(*map(Tensor, params))]
    batch_sizes = NULL if counts is None else Tensor(np.array(counts, np.int64))
    states = Tensors(*map(Tensor, first)) if is_lstm else Tensor(first[0])
    if not given[0]:
        states = NULL
    numbers = [biases, layers]
    flags = [directions == 2, batch_first]
    outs = [near_all(part, name, within) for part in (shown, *lasts)]
    lists = [Tensors(*[near_all(part, name, within) for part in parts]) for parts in kept]
    cases.add(cell, *passed, states, batch_sizes, *numbers, 0.0, True, *flags, *outs, *lists)
    cases.add(cell, *passed, states, batch_sizes, *numbers, 0.5, False, *flags, *outs, *[NULL] * len(lists))

    if not given[0] and is_lstm:
        return
    results = [shown, *lasts]
    grads = [data(name, *result.shape, seed=40 + number, reach=1.0) if is_given else None for number, (result, is_given) in enumerate(zip(results, given[1:]))]
    summed = sum((result * wide(grad)).sum() for result, grad in zip(results, grads) if grad is not None)
    wanted = torch.autograd.grad(summed, leaves)
    rough = {"f32": 2**-18, "f16": 2**-8}[name]
    to_x, to_params, to_first = wanted[0], wanted[1 : 1 + len(params)], wanted[1 + len(params) :]
    to_x = to_x if counts is None else to_x.reshape(t * b, i)
    outs = [near_all(part, name, rough) for part in (to_x, *to_first)]
    to_params = Tensors(*[near_all(part, name, rough) for part in to_params])
    passed_grads = [NULL if grad is None else Tensor(grad) for grad in grads]
    lists = [Tensors(*[Tensor(rounded(part.detach(), name)) for part in parts]) for parts in kept]
    if is_lstm:
        cases.add("LstmBackward", passed[0], states, passed[1], *passed_grads, *lists, batch_sizes, *numbers, 0.0, True, *flags, NULL, *outs, to_params)
    else:
        cases.add("GRUBackward", *passed, states, *passed_grads, *lists, batch_sizes, *numbers, *flags, *outs, to_params)


def networks():
    for sizes, options in NETWORKS:
        for cell in ("LSTM", "GRU"):
            for name in ("f32", "f16"):
                add_network(cell, name, sizes, options)
    for cell in ("LSTM", "GRU"):
        add_network(cell, "f32", *NETWORKS[0], given=(False, True, False, True))
        add_network(cell, "f32", *NETWORKS[1], given=(True, False, True, False))
    # Sequences of several lengths, steps before batches.
    for name in ("f32", "f16"):
        add_network("LSTM", name, (4, 3, 2, 3), (1, 1, True, False), counts=[3, 2, 2, 1])
        add_network("LSTM", name, (3, 2, 4, 2), (2, 2, False, False), counts=[2, 2, 1])
    # One layer on the 310P.
    for options in [(1, 1, True, False), (1, 2, True, False), (1, 2, False, False)]:
        x, params, first = drawn("LSTM", "f16", (3, 2, 4, 5), options)
        shown, lasts, _ = network("LSTM", wide(x), [wide(part) for part in params], [wide(part) for part in first], options[1], 2 if options[2] else 0, torch.ones(3, 2, dtype=torch.float64))
        each = [list(map(Tensor, params[number : number + 2 + 2 * options[2]])) for number in range(0, len(params), 2 + 2 * options[2])]
        weights = [*each[0][:2], *(each[0][2:] or [NULL, NULL]), *(each[1][:2] if len(each) > 1 else [NULL, NULL]), *(each[1][2:] if len(each) > 1 and options[2] else [NULL, NULL])]
        outs = [near_all(part, "f16", 2**-10) for part in (shown, *lasts)]
        head, flags = [Tensor(x), *map(Tensor, first), *weights], [1, options[2], False, options[1] == 2]
        cases.add("BidirectionLSTM", *head, *flags, *outs, product="Ascend310P")
        cases.add("BidirectionLSTMV2", *head, NULL, *flags, False, *outs, product="Ascend310P")
        if options == (1, 1, True, False):
            broken = lambda place, argument: [*head, *flags, *outs][:place] + [argument] + [*head, *flags, *outs][place + 1 :]
            for place, argument, code in [(0, NULL, NULLPTR), (1, NULL, NULLPTR), (5, NULL, NULLPTR), (0, Tensor(x.astype(np.float32)), INVALID), (3, Tensor(x[0]), 561002), (11, 2, 561002), (13, True, 561002), (15, Out(x), 561002)]:
                cases.add("BidirectionLSTM", *broken(place, argument), code=code, product="Ascend310P")
            cases.add("BidirectionLSTM", *head, *flags, *outs, code=INVALID)


def networks_refused():
    (t, b, i, h), options = NETWORKS[0]
    for cell in ("LSTM", "GRU"):
        x, params, first = drawn(cell, "f32", *NETWORKS[0])
        is_lstm = cell == "LSTM"
        states = Tensors(*map(Tensor, first)) if is_lstm else Tensor(first[0])
        state, step = np.zeros((1, b, h), np.float32), np.zeros((t, b, h), np.float32)
        lasts = 2 if is_lstm else 1
        lists = 7 if is_lstm else 5
        good = [Tensor(x), Tensors(*map(Tensor, params)), states, NULL, True, 1, 0.0, True, False, False, Out(step), *[Out(state)] * lasts, *[Tensors(Out(step))] * lists]
        end = len(good) - 1
        half = [part.astype(np.float16) for part in params]
        for place, argument, code in [
            *[(place, NULL, NULLPTR) for place in (0, 1, 10, 11, end)], (0, Tensor(x.astype(np.float64)), INVALID), (0, Tensor(x.astype(np.float16)), INVALID),
            (1, Tensors(*map(Tensor, half)), INVALID), (1, Tensors(*map(Tensor, params[:3])), INVALID), (1, Tensors(*map(Tensor, params[::-1])), INVALID), (5, 2, INVALID),
            (5, 0, INVALID), (5, -1, INVALID), (5, 2**62, INVALID), (4, False, INVALID), (8, True, INVALID), (10, Out(state), INVALID), (11, Out(step), INVALID), (end, Tensors(Out(state)), INVALID),
            (end, Tensors(Out(step), Out(step)), INVALID), (0, Tensor(x[0]), INVALID), (0, Tensor(x[:, :, :2]), INVALID),
            (3, Tensor(np.array([2, 2, 1], np.int64)), INVALID),
        ]:
            arguments = list(good)
            arguments[place] = argument
            cases.add(cell, *arguments, code=code)
        if is_lstm:
            cases.add(cell, *good[:2], Tensors(Tensor(first[0])), *good[3:], code=INVALID)
            packed = [Tensor(x.reshape(t * b, i)), *good[1:]]
            for counts in (np.array([2, 2, 1], np.int32), np.array([], np.int64).reshape(0, 1), np.array([2, 2, 1, 1], np.int64)):
                cases.add(cell, *packed[:3], Tensor(counts), *packed[4:], code=INVALID)
        else:
            cases.add(cell, *good[:2], Tensor(first[0][0]), *good[3:], code=INVALID)
        cases.add(cell, *good, code=INVALID, product="Ascend910")
        # Nothing comes in, and nothing is written.
        none = [Tensor(x[:0]), *good[1:10], Out(step[:0]), *[Tensor(state)] * lasts, *[Tensors(Out(step[:0]))] * lists]
        cases.add(cell, *none)
    x, params, first = drawn("LSTM", "f32", *NETWORKS[0])
    lists = [Tensors(Tensor(step))] * 7
    good = [Tensor(x), Tensors(*map(Tensor, first)), Tensors(*map(Tensor, params)), Tensor(step), Tensor(state), Tensor(state), *lists, NULL, True, 1, 0.0, True, False, False, NULL, Out(x), Out(state), Out(state), Tensors(*map(Out, params))]
    for place, argument, code in [
        *[(place, NULL, NULLPTR) for place in (0, 1, 2, 6, 12, 21, 22, 23, 24)], (1, Tensors(Tensor(first[0])), NULLPTR), (6, Tensors(Tensor(step), Tensor(step)), NULLPTR), (2, Tensors(*map(Tensor, params[:2])), NULLPTR),
        (24, Tensors(*map(Out, params[:2])), NULLPTR), (3, Tensor(state), INVALID), (4, Tensor(step), INVALID), (21, Out(step), INVALID), (22, Out(step), INVALID), (24, Tensors(*map(Out, params[::-1])), INVALID),
        (4, Formatted("ND", Tensor(state)), INVALID), (0, Formatted("NCHW", Tensor(x)), INVALID), (3, Tensor(step.astype(np.float16)), INVALID),
    ]:
        arguments = list(good)
        arguments[place] = argument
        cases.add("LstmBackward", *arguments, code=code)
    cases.add("LstmBackward", *good[:21], Formatted("ND", Out(x)), *good[22:], product="Ascend910", code=INVALID)


# Kind; steps, batches, elements, size; layers, directions, biases, batches before steps, first states; sequences at each step.
LAYERS = [
    ("LSTM", (3, 2, 4, 3), (1, 1, True, False, True), None), ("LSTM", (4, 3, 5, 2), (2, 2, True, True, True), None),
    ("LSTM", (2, 1, 1, 4), (3, 1, False, False, False), None), ("LSTM", (4, 3, 2, 3), (2, 2, True, False, False), [3, 2, 2, 1]),
    ("GRU", (3, 2, 4, 3), (1, 1, True, False, True), None), ("GRU", (4, 3, 5, 2), (2, 2, True, True, True), None),
    ("GRU", (2, 1, 1, 4), (3, 1, False, False, False), None),
]


def layers():
    """Numbers of each network: what it is, its operands, its results, and the gradients of these and of the operands."""
    numbers = []
    for number, (cell, (t, b, i, h), (count, directions, biases, batch_first, given), running) in enumerate(LAYERS):
        module = getattr(torch.nn, cell)(i, h, count, bias=biases, batch_first=batch_first, bidirectional=directions == 2).double()
        random = np.random.default_rng(70 + number)
        draw = lambda *shape: torch.from_numpy(random.uniform(-1, 1, size=shape).astype(np.float32).astype(np.float64))
        with torch.no_grad():
            for param in module.parameters():
                param.copy_(draw(*param.shape))
        x = draw(*((b, t, i) if batch_first else (t, b, i))).requires_grad_()
        first = [(draw(count * directions, b, h) * given).requires_grad_() for _ in range(2 if cell == "LSTM" else 1)]
        fed = x
        if running is not None:
            lengths = [sum(at < still for still in running) for at in range(b)]
            fed = torch.nn.utils.rnn.pack_padded_sequence(x, lengths)
        shown, last = module(fed, tuple(first) if cell == "LSTM" else first[0])
        if running is not None:
            shown, _ = torch.nn.utils.rnn.pad_packed_sequence(shown, total_length=t)
        results = [shown, *(last if cell == "LSTM" else [last])]
        grads = [draw(*result.shape) for result in results]
        leaves = [x, *module.parameters(), *first]
        wanted = torch.autograd.grad(results, leaves, grads)
        numbers += [np.array([cell == "LSTM", t, b, i, h, count, directions, biases, batch_first, given, running is not None, *(running or [])])]
        numbers += [part.detach().numpy().ravel() for part in (*leaves, *results, *grads, *wanted)]
    numbers = np.concatenate(numbers).astype("<f4")
    (DATA / "recurrent.bin").write_bytes(numbers.tobytes())
    print(f"recurrent: {len(numbers)} numbers")


cells()
refused()
networks()
layers()
networks_refused()
cases.write("recurrent")
