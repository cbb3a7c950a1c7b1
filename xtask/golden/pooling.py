"""Cases of poolings: PyTorch on a CPU in f64, rounded once to the type of the result.

References: PyTorch.
Elements have few digits and are often equal, so that sums are exact and the first of equal elements counts. Averages and
their gradients are within one unit of the last place: divided in f64 here, and rounded. Writes
cann-stubs/tests/data/pooling.cases. Which types an operator takes is retyped here from CANN's public description and not
read from the declarations.

    python xtask/golden/pooling.py
"""

import numpy as np
import torch
import torch.nn.functional as nn

from cases import NULL, Cases, Formatted, Ints, Out, Scalar, Tensor, Text, kind

INVALID, NULLPTR = 161002, 161001

F = ["f32", "f16", "bf16"]
cases = Cases()


def data(name, shape, seed=1, low=-12, high=12):
    random = np.random.default_rng(seed + sum(map(ord, name)) + 7 * sum(shape) + len(shape))
    return (random.integers(low, high, size=shape, endpoint=True) / (1 if name[0] in "iu" else 4)).astype(kind(name))


def wide(x):
    return torch.from_numpy(np.asarray(x).astype(np.float64))


def rounded(x, name):
    return np.asarray(x).astype(kind(name))


def last(x):
    return np.moveaxis(np.asarray(x), 1, -1)


ACROSS = [
    # Sizes, kernel, stride, padding, ceil.
    ((2, 3, 6, 7), [2, 3], [2, 1], [0, 0], False),
    ((2, 3, 6, 7), [3], [], [1], False),
    ((1, 2, 7, 8), [3, 2], [2], [1, 1], True),
    ((3, 5, 6), [2], [2, 2], [0], False),
    ((3, 6, 6), [4, 4], [3, 3], [2, 1], True),
    ((1, 1, 5, 5), [5, 5], [1, 1], [0, 0], False),
]
VOLUMES = [
    ((2, 2, 4, 5, 6), [2, 3, 2], [2, 1, 2], [0, 1, 1], False),
    ((2, 4, 4, 5), [2], [], [1], True),
    ((1, 1, 3, 3, 3), [3], [1], [0], False),
]


def average():
    for sizes, operator, pool in [(ACROSS, "AvgPool2d", nn.avg_pool2d), (VOLUMES, "AvgPool3d", nn.avg_pool3d)]:
        for shape, kernel, stride, padding, ceil in sizes:
            for includes in [True, False]:
                for divisor in [0, 3]:
                    for name in F if divisor == 0 else ["f32"]:
                        x = data(name, shape)
                        own = wide(x).requires_grad_(True)
                        result = pool(own, kernel, stride or None, padding, ceil, includes, divisor or None)
                        g = data(name, tuple(result.shape), seed=2)
                        result.backward(wide(g))
                        attributes = [Ints(kernel), Ints(stride), Ints(padding), ceil, includes, divisor]
                        cube = [0] if operator == "AvgPool2d" else []
                        cases.add(operator, Tensor(x), *attributes, *cube, Out(rounded(result.detach(), name), ulps=1))
                        cases.add(f"{operator}Backward", Tensor(g), Tensor(x), *attributes, *cube, Out(rounded(own.grad, name), ulps=1))
    shape, kernel, stride, padding, ceil = ACROSS[0]
    x = data("f32", shape)
    result = rounded(nn.avg_pool2d(wide(x), 2), "f32")
    g = data("f32", result.shape)
    tail = [Ints([0]), False, True, 0, 0]
    own = wide(x).requires_grad_(True)
    nn.avg_pool2d(own, 2).backward(wide(g))
    back = rounded(own.grad, "f32")
    cases.add("AvgPool2dBackward", Tensor(g), Tensor(x), Ints([2]), NULL, *tail, Out(back, ulps=1))
    cases.add("AvgPool2d", Tensor(x[:0]), Ints([2]), Ints([]), *tail, Out(result[:0]))
    for wrong in ["ND", "NHWC"]:
        cases.add("AvgPool2d", Formatted(wrong, Tensor(x)), Ints([2]), Ints([]), *tail, Formatted(wrong, Out(result)), code=INVALID)
    cases.add("AvgPool2d", NULL, Ints([2]), Ints([]), *tail, Out(result), code=NULLPTR)
    cases.add("AvgPool2d", Tensor(x), Ints([2]), NULL, *tail, Out(result), code=NULLPTR)
    cases.add("AvgPool2d", Tensor(x), Ints([2]), Ints([]), *tail, Out(result[:, :, :2]), code=INVALID)
    cases.add("AvgPool2d", Tensor(x), Ints([2]), Ints([]), Ints([2]), *tail[1:], Out(result), code=INVALID)
    cases.add("AvgPool2d", Tensor(x), Ints([0]), Ints([]), *tail, Out(result), code=INVALID)
    cases.add("AvgPool2d", Tensor(x), Ints([2]), Ints([]), *tail, Out(result.astype(np.float16)), code=INVALID)
    cases.add("AvgPool2d", Tensor(x.astype(np.float64)), Ints([2]), Ints([]), *tail, Out(result.astype(np.float64)), code=INVALID)
    cases.add("AvgPool2d", Tensor(x), Ints([2]), Ints([]), *tail[:-1], 5, Out(result), code=INVALID)
    cases.add("AvgPool2d", Tensor(x), Ints([2]), Ints([]), *tail, Out(result), code=INVALID, product="Ascend910")
    cases.add("AvgPool2d", Tensor(x), Ints([2]), Ints([]), *tail[:-1], 1, Out(result, ulps=1), product="Ascend910")
    cases.add("AvgPool2d", Tensor(x[:, :, :0]), Ints([2]), Ints([]), *tail, Out(result[:, :, :0]), code=INVALID)


def special(x):
    """NaN, infinities and equal elements."""
    flat = x.reshape(-1)
    flat[3], flat[10], flat[20], flat[-1] = np.nan, np.inf, -np.inf, np.nan
    return x


def greatest():
    for shape, kernel, stride, padding, ceil in ACROSS:
        for name in F:
            for odd in [False, True]:
                x = special(data(name, shape)) if odd else data(name, shape)
                result, indices = nn.max_pool2d(wide(x), kernel, stride or None, padding, 1, ceil, return_indices=True)
                out, indices = rounded(result, name), indices.numpy()
                g = data(name, out.shape, seed=2)
                own = wide(x).requires_grad_(True)
                nn.max_pool2d(own, kernel, stride or None, padding, 1, ceil).backward(wide(g))
                back = rounded(own.grad, name)
                attributes = [Ints(kernel), Ints(stride), Ints(padding), Ints([1, 1]), ceil]
                for number in ["i32", "i64"]:
                    cases.add("MaxPool2dWithIndices", Tensor(x), *attributes, Out(out), Out(indices.astype(kind(number))))
                operands = [Tensor(g), Tensor(x), Tensor(indices.astype(np.int32)), *attributes]
                if name == "f32":
                    cases.add("MaxPool2dWithIndicesBackward", *operands, Out(back))
                else:
                    cases.add("MaxPool2dWithIndicesBackward", *operands, Out(back), code=INVALID)
                    cases.add("MaxPool2dWithIndicesBackward", *operands, Out(back), product="Ascend950")
                # The mask: numbers of elements, as i32, then whatever is there.
                taps, lines = int(np.prod(kernel * 2 if len(kernel) == 1 else kernel)), (-(-out.shape[-1] * out.shape[-2] // 16) + 1) * 32
                mask = np.zeros(int(np.prod(shape[:-2])) * taps * lines, np.int8)
                mask[:4 * indices.size] = np.frombuffer(indices.astype(np.int32).tobytes(), np.int8)
                mask = mask.reshape(*shape[:-2], taps, lines)
                cases.add("MaxPool2dWithMask", Tensor(x), *attributes, Out(out), Out(mask))
                cases.add("MaxPool2dWithMaskBackward", Tensor(g), Tensor(x), Tensor(mask), *attributes, Out(back))
                # A channels-last tensor has its planes elsewhere; the numbers are the same.
                if name == "f32" and len(shape) == 4:
                    formatted = [Formatted("NHWC", Tensor(last(x))), *attributes, Formatted("NHWC", Out(last(out))), Out(last(indices))]
                    cases.add("MaxPool2dWithIndices", *formatted)
                    # NHWC alone is read with its channels last.
                    for other in ["ND", "NDHWC"]:
                        cases.add("MaxPool2dWithIndices", Formatted(other, Tensor(x)), *attributes, Formatted(other, Out(out)), Out(indices))
    # A window of one element needs no mask.
    x = data("f32", (2, 3, 5, 6))
    out = x[:, :, ::2, ::3]
    back = np.zeros_like(x)
    back[:, :, ::2, ::3] = out
    mask = np.zeros((2, 3, 1, 64), np.int8)
    attributes = [Ints([1]), Ints([2, 3]), Ints([0]), Ints([1]), False]
    cases.add("MaxPool2dWithMask", Tensor(x), *attributes, Out(out), Out(mask))
    cases.add("MaxPool2dWithMaskBackward", Tensor(out), Tensor(x), Tensor(mask), *attributes, Out(back))

    result, indices = (part.numpy() for part in nn.max_pool2d(wide(x), 2, return_indices=True))
    out, indices = result.astype(np.float32), indices.astype(np.int32)
    plain = [Ints([2]), Ints([2]), Ints([0]), Ints([1]), False]
    for wrong in [np.int16, np.float32]:
        cases.add("MaxPool2dWithIndices", Tensor(x), *plain, Out(out), Out(indices.astype(wrong)), code=INVALID)
    cases.add("MaxPool2dWithIndices", Tensor(x), *plain, Out(out), Out(indices[:1]), code=INVALID)
    cases.add("MaxPool2dWithIndices", Tensor(x), *plain[:3], Ints([2]), False, Out(out), Out(indices), code=INVALID)
    cases.add("MaxPool2dWithIndices", Tensor(x), *plain[:2], Ints([2]), *plain[3:], Out(out), Out(indices), code=INVALID)
    cases.add("MaxPool2dWithIndices", Formatted("NC1HWC0", Tensor(x)), *plain, Formatted("NC1HWC0", Out(out)), Out(indices), code=INVALID)
    cases.add("MaxPool2dWithIndices", Tensor(x), *plain, Out(out), Out(indices), code=INVALID, product="Ascend910")
    cases.add("MaxPool2dWithIndices", Tensor(x), *plain, Out(out), NULL, code=NULLPTR)
    cases.add("MaxPool2dWithMask", Tensor(x), *plain, Out(out), Out(np.zeros((2, 3, 4, 64), np.int8)), code=INVALID, product="Ascend950")
    cases.add("MaxPool2dWithMask", Tensor(x), *plain, Out(out), Out(np.zeros((2, 3, 4, 32), np.int8)), code=INVALID)
    dilated, indices = nn.max_pool2d(wide(x), 2, 1, 0, [2, 3], return_indices=True)
    cases.add("MaxPool2dWithIndices", Tensor(x), Ints([2]), Ints([1]), Ints([0]), Ints([2, 3]), False, Out(rounded(dilated, "f32")), Out(indices.numpy()), product="Ascend950")

    for shape, kernel, stride, padding, ceil in VOLUMES:
        for name in F:
            x = data(name, shape)
            own = wide(x).requires_grad_(True)
            result, indices = nn.max_pool3d(own, kernel, stride or None, padding, 1, ceil, return_indices=True)
            g = data(name, tuple(result.shape), seed=2)
            result.backward(wide(g))
            attributes = [Ints(kernel), Ints(stride), Ints(padding), Ints([1]), ceil]
            indices = indices.numpy().astype(np.int32)
            cases.add("MaxPool3dWithArgmax", Tensor(x), *attributes, Out(rounded(result.detach(), name)), Out(indices))
            cases.add("MaxPool3dWithArgmaxBackward", Tensor(g), Tensor(x), Tensor(indices), *attributes, Out(rounded(own.grad, name)))


def plain():
    """MaxPool: without strides it moves by one, and paddings differ by side."""
    for name in ["f32", "f16"]:
        for shape in [(2, 3, 6, 7), (3, 6, 7)]:
            x = special(data(name, shape))
            for kernel, stride, pads, ceil in [([2, 3], [], [], 0), ([3], [2], [1], 0), ([3, 2], [2, 3], [1, 1], 1), ([3, 3], [2, 2], [0, 1, 2, 1], 0)]:
                around = {0: [0] * 4, 1: pads * 4, 2: [pads[0]] * 2 + [pads[-1]] * 2 if pads else None, 4: pads}[len(pads)]
                top, bottom, left, right = around
                padded = nn.pad(wide(x), [left, right, top, bottom], value=-np.inf)
                size = kernel * 2 if len(kernel) == 1 else kernel
                step = [1, 1] if not stride else stride * 2 if len(stride) == 1 else stride
                result = nn.max_pool2d(padded, size, step, ceil_mode=bool(ceil))
                if ceil:
                    # No window begins behind the image.
                    keep = [min(result.shape[-2], -(-(6 + top) // step[0])), min(result.shape[-1], -(-(7 + left) // step[1]))]
                    result = result[..., :keep[0], :keep[1]]
                head = [Ints(kernel), Ints(stride), 0, Ints(pads), Ints([]), ceil]
                cases.add("MaxPool", Tensor(x), *head, Out(rounded(result, name)))
    for name in ["i32", "i64", "u8", "i16", "i8"]:
        x = data(name, (1, 2, 5, 6), low=0 if name[0] == "u" else -100, high=100)
        if name == "i64":
            x.reshape(-1)[:4] = [2**53, 2**53 + 1, -(2**63), 2**63 - 1]
        windows = np.lib.stride_tricks.sliding_window_view(x, (2, 2), (2, 3))
        cases.add("MaxPool", Tensor(x), Ints([2]), Ints([1]), 0, Ints([0]), Ints([1]), 0, Out(windows.max((-1, -2))), product="Ascend950")
        cases.add("MaxPool", Tensor(x), Ints([2]), Ints([1]), 0, Ints([0]), Ints([1]), 0, Out(windows.max((-1, -2))), code=INVALID)
    x = data("f32", (1, 2, 4, 4))
    out = rounded(nn.max_pool2d(wide(x), 2), "f32")
    two, none = Ints([2]), Ints([])
    cases.add("MaxPool", Formatted("NHWC", Tensor(last(x))), two, two, 0, none, none, 0, Formatted("NHWC", Out(last(out))))
    cases.add("MaxPool", Tensor(x), two, two, 1, none, none, 0, Out(out), code=INVALID)
    cases.add("MaxPool", Tensor(x), two, two, 0, none, Ints([2]), 0, Out(out), code=INVALID)
    cases.add("MaxPool", Tensor(x), two, two, 0, Ints([2, 1, 0, 0]), none, 0, Out(out), code=INVALID)
    cases.add("MaxPool", Tensor(x), two, two, 0, Ints([0, 0, 0]), none, 0, Out(out), code=INVALID)
    cases.add("MaxPool", Tensor(x), two, two, 0, none, none, 0, Out(out[:, :, :1]), code=INVALID)
    cases.add("MaxPool", Tensor(x), two, two, 0, none, none, 0, Out(out), code=INVALID, product="Ascend910")
    cases.add("MaxPool", Tensor(x), NULL, two, 0, none, none, 0, Out(out), code=NULLPTR)
    cases.add("MaxPool", Tensor(x[:0]), two, two, 0, none, none, 0, Out(out[:0]))


def adaptive():
    for axes, shapes, average, extreme in [
        (2, [((2, 3, 5, 7), [2, 3]), ((3, 4, 6), [1, 1]), ((1, 2, 4, 4), [4, 4]), ((2, 3, 2, 3), [5, 4])], nn.adaptive_avg_pool2d, nn.adaptive_max_pool2d),
        (3, [((2, 2, 4, 5, 3), [2, 3, 1]), ((2, 3, 4, 4), [3, 2, 5])], nn.adaptive_avg_pool3d, nn.adaptive_max_pool3d),
    ]:
        for shape, size in shapes:
            for name in [*F, "f64"]:
                x = data(name, shape)
                own = wide(x).requires_grad_(True)
                result = average(own, size)
                g = data(name, tuple(result.shape), seed=2)
                result.backward(wide(g))
                if name != "f64":
                    cases.add(f"AdaptiveAvgPool{axes}d", Tensor(x), Ints(size), Out(rounded(result.detach(), name), ulps=1))
                    cases.add(f"AdaptiveAvgPool{axes}dBackward", Tensor(g), Tensor(x), Out(rounded(own.grad, name), ulps=1))
                own = wide(x).requires_grad_(True)
                result, indices = extreme(own, size, return_indices=True)
                result.backward(wide(g))
                indices = indices.numpy()
                cases.add(f"AdaptiveMaxPool{axes}d", Tensor(x), Ints(size), Out(rounded(result.detach(), name)), Out(indices))
                for places in [np.int32, np.int64]:
                    cases.add(f"AdaptiveMaxPool{axes}dBackward", Tensor(g), Tensor(x), Tensor(indices.astype(places)), Out(rounded(own.grad, name)))
    x = data("f32", (2, 3, 4, 4))
    out = rounded(nn.adaptive_avg_pool2d(wide(x), 2), "f32")
    cases.add("AdaptiveAvgPool2d", Formatted("ND", Tensor(x)), Ints([2, 2]), Formatted("ND", Out(out)), code=INVALID)
    cases.add("AdaptiveAvgPool2d", Tensor(x), Ints([2]), Out(out), code=INVALID)
    cases.add("AdaptiveAvgPool2d", Tensor(x), Ints([2, 3]), Out(out), code=INVALID)
    cases.add("AdaptiveAvgPool2d", Tensor(x), Ints([2, 2]), Out(out[:1]), code=INVALID)
    cases.add("AdaptiveAvgPool2d", Tensor(x), NULL, Out(out), code=NULLPTR)
    cases.add("AdaptiveAvgPool2d", Tensor(x[:0]), Ints([2, 2]), Out(out[:0]))
    cases.add("AdaptiveMaxPool2d", Tensor(x), Ints([2, 2]), Out(out), Out(out.astype(np.int32)), code=INVALID)
    # The first axis may be empty: batches, or channels where there are no batches.
    places = out.astype(np.int64)
    cases.add("AdaptiveMaxPool2d", Tensor(x[:0]), Ints([2, 2]), Out(out[:0]), Out(places[:0]))
    cases.add("AdaptiveMaxPool2d", Tensor(x[0][:0]), Ints([2, 2]), Out(out[0][:0]), Out(places[0][:0]))
    cases.add("AdaptiveMaxPool2d", Tensor(x[:, :0]), Ints([2, 2]), Out(out[:, :0]), Out(places[:, :0]), code=INVALID)
    cases.add("AdaptiveMaxPool2d", Tensor(x[:, :, :0]), Ints([2, 2]), Out(out), Out(places), code=INVALID)


def unpooled():
    """CANN does not describe these: what is refused here is what PyTorch refuses."""
    for axes, shape, size in [(2, (2, 3, 2, 3), [5, 6]), (2, (3, 2, 2), [4, 3]), (3, (2, 2, 2, 3, 2), [4, 5, 3]), (3, (2, 2, 2, 2), [3, 4, 4])]:
        extra = [Ints([2] * 3), Ints([0] * 3)] if axes == 3 else []
        planes, elements, count = int(np.prod(shape[:-axes])), int(np.prod(size)), int(np.prod(shape[-axes:]))
        random = np.random.default_rng(sum(shape))
        # No element has two values.
        places = np.stack([random.permutation(elements)[:count] for _ in range(planes)]).reshape(shape)
        unpool = nn.max_unpool2d if axes == 2 else nn.max_unpool3d
        for name in [*F, "f64"]:
            x = special(data(name, shape)) if count * planes > 20 else data(name, shape)
            own = wide(x).requires_grad_(True)
            result = unpool(own, torch.from_numpy(places), [2] * axes, output_size=[int(part) for part in size])
            g = data(name, tuple(result.shape), seed=2)
            result.backward(wide(g))
            for number in ["i64", "i32"]:
                indices = Tensor(places.astype(kind(number)))
                cases.add(f"MaxUnpool{axes}d", Tensor(x), indices, Ints(size), *extra, Out(rounded(result.detach(), name)))
                cases.add(f"MaxUnpool{axes}dBackward", Tensor(g), Tensor(x), indices, Ints(size), *extra, Out(rounded(own.grad, name)))
    x, places = data("f32", (2, 2, 2)), np.arange(8).reshape(2, 2, 2) % 4
    out = np.zeros((2, 3, 3), np.float32)
    # Where two elements have one place the last one stays, as PyTorch's loop over a plane leaves it.
    twice = np.zeros_like(places)
    kept = out.copy()
    kept[:, 0, 0] = x[:, 1, 1]
    cases.add("MaxUnpool2d", Tensor(x), Tensor(twice), Ints([3, 3]), Out(kept))
    cases.add("MaxUnpool2d", Tensor(x[:0][None]), Tensor(places[:0][None]), Ints([3, 3]), Out(out[:0][None]), code=INVALID)
    cases.add("MaxUnpool2d", Tensor(x[None][:0]), Tensor(places[None][:0]), Ints([3, 3]), Out(out[None][:0]))
    cases.add("MaxUnpool2d", Formatted("NHWC", Tensor(last(x[None]))), Formatted("NHWC", Tensor(last(twice[None]))), Ints([3, 3]), Formatted("NHWC", Out(last(kept[None]))))
    good = [Tensor(x), Tensor(places), Ints([3, 3]), Out(out)]
    for position, argument, code in [
        (0, NULL, NULLPTR), (1, NULL, NULLPTR), (2, NULL, NULLPTR), (3, NULL, NULLPTR), (0, Tensor(x.astype(np.int32)), INVALID),
        (0, Tensor(x[0]), INVALID), (1, Tensor(places.astype(np.int16)), INVALID), (1, Tensor(places[:1]), INVALID), (2, Ints([3]), INVALID),
        (2, Ints([3, 0]), INVALID), (3, Out(out[:1]), INVALID), (3, Out(out.astype(np.float16)), INVALID), (3, Formatted("NCHW", Out(out)), INVALID),
    ]:
        arguments = list(good)
        arguments[position] = argument
        cases.add("MaxUnpool2d", *arguments, code=code)
    volume = [Tensor(x[None]), Tensor(places[None]), Ints([3, 3, 3]), Ints([2] * 3), Ints([0] * 3), Out(np.zeros((1, 3, 3, 3), np.float32))]
    for position, argument, code in [(3, NULL, NULLPTR), (4, NULL, NULLPTR), (3, Ints([2, 2, 0]), INVALID), (4, Ints([0]), INVALID), (4, Ints([0, 0, -1]), INVALID)]:
        arguments = list(volume)
        arguments[position] = argument
        cases.add("MaxUnpool3d", *arguments, code=code)
    cases.add("MaxUnpool2dBackward", Tensor(out), Tensor(x), Tensor(places), Ints([3, 4]), Out(x), code=INVALID)
    cases.add("MaxUnpool2dBackward", Tensor(out), Tensor(x), Tensor(places), Ints([3, 3]), Out(x[:1]), code=INVALID)


def whole():
    """Images as one part each, with one to three axes. CANN does not describe these: batches and channels are as in ONNX."""
    for shape in [(2, 3, 5), (2, 3, 4, 5), (1, 2, 3, 2, 4)]:
        axes = tuple(range(2, len(shape)))
        for name in [*F, "f64"]:
            x = data(name, shape)
            if name != "f64":
                cases.add("GlobalAveragePool", Tensor(x), Out(rounded(wide(x).mean(axes, keepdim=True), name), ulps=1))
            cases.add("GlobalMaxPool", Tensor(x), Out(x.max(axes, keepdims=True)))
    x = data("f32", (2, 3, 4, 4))
    out = x.max((2, 3), keepdims=True)
    cases.add("GlobalMaxPool", Formatted("NHWC", Tensor(last(x))), Formatted("NHWC", Out(last(out))))
    for operator in ["GlobalAveragePool", "GlobalMaxPool"]:
        cases.add(operator, Tensor(x[:0]), Out(out[:0]))
        for own, made, code in [
            (NULL, Out(out), NULLPTR), (Tensor(x), NULL, NULLPTR), (Tensor(x.astype(np.int32)), Out(out.astype(np.int32)), INVALID), (Tensor(x), Out(out.astype(np.float16)), INVALID),
            (Tensor(x), Out(out[:, :1]), INVALID), (Tensor(x), Out(out[:, :, 0]), INVALID), (Tensor(x[:, :, :0]), Out(out), INVALID), (Tensor(x[0, 0]), Out(out[0, 0]), INVALID),
        ]:
            cases.add(operator, own, made, code=code)


def planes():
    """Windows whose numbers may stand behind two of 1."""
    for shape, kernel, stride, pads, ceil in [((2, 3, 6, 7), [2, 3], [2, 1], [], 0), ((1, 2, 5, 5), [1, 1, 3, 2], [1, 1, 2, 2], [1, 0, 1, 0], 1), ((3, 4, 6), [2], [3], [1], 0)]:
        for name in ["f32", "f16"]:
            x = special(data(name, shape))
            top, bottom, left, right = pads if len(pads) == 4 else (pads or [0]) * 4
            own = nn.pad(wide(x), [left, right, top, bottom], value=-np.inf)
            last_two = lambda numbers: numbers[-2:] if len(numbers) > 1 else numbers * 2
            out = rounded(nn.max_pool2d(own, last_two(kernel), last_two(stride), ceil_mode=bool(ceil)), name)
            cases.add("MaxPoolV3", Tensor(x), Ints(kernel), Ints(stride), Ints(pads), Scalar(ceil, "i64"), Out(out))
    x, out = data("f32", (1, 1, 3, 3)), np.zeros((1, 1, 2, 2), np.float32)

    def wrong(code=INVALID, x=x, kernel=[2, 2], stride=[1, 1], pads=[0], ceil=Scalar(0, "i64"), out=out):
        cases.add("MaxPoolV3", NULL if x is None else Tensor(x), Ints(kernel), Ints(stride), Ints(pads), ceil, Out(out), code=code)

    wrong(NULLPTR, x=None)
    wrong(NULLPTR, ceil=NULL)
    wrong(x=x.astype(np.float64))
    wrong(kernel=[2, 1, 2, 2])
    wrong(kernel=[2, 2, 2])
    wrong(stride=[0, 1])
    wrong(pads=[1, 1, 1])
    wrong(pads=[2])
    wrong(out=out[..., :1].copy())
    wrong(out=out.astype(np.float16))


def volumes():
    """The padding of TensorFlow: SAME has a position for each stride, and the smaller half stands before."""
    for shape, kernel, stride, kind_of, pads, ceil in [
        ((2, 2, 4, 5, 6), [2, 3, 2], [2, 1, 2], "VALID", None, 0),
        ((1, 3, 5, 4, 7), [3, 2, 3], [2, 2, 3], "SAME", None, 0),
        ((2, 1, 3, 3, 4), [2], [2], "CALCULATED", [0, 1, 1, 0, 0, 0], 1),
        ((1, 1, 3, 4, 3), [1, 2, 1], [1], "CALCULATED", None, 0),
    ]:
        three = lambda numbers: numbers * 3 if len(numbers) == 1 else numbers
        sizes, around = shape[2:], []
        for size, window, step in zip(sizes, three(kernel), three(stride)):
            missing = max((-(-size // step) - 1) * step + window - size, 0) if kind_of == "SAME" else 0
            around += [missing // 2, missing - missing // 2]
        around = pads or around
        for name in F:
            x = special(data(name, shape)) if kind_of == "VALID" else data(name, shape)
            own = nn.pad(wide(x), [around[4], around[5], around[2], around[3], around[0], around[1]], value=-np.inf)
            out = rounded(nn.max_pool3d(own, three(kernel), three(stride), ceil_mode=bool(ceil)), name)
            optional = NULL if pads is None else Ints(pads)
            cases.add("MaxPool3D", Tensor(x), Ints(kernel), Ints(stride), Text(kind_of), optional, NULL, ceil, Text("NCDHW"), Out(out))
            of_all = lambda numbers: Ints([1, *three(numbers), 1])
            cases.add("MaxPool3D", Tensor(last(x)), of_all(kernel), of_all(stride), Text(kind_of), optional, Ints([1]), ceil, Text("NDHWC"), Out(last(out)))
    x, out = data("f32", (1, 1, 2, 2, 2)), np.zeros((1, 1, 1, 1, 1), np.float32)

    def wrong(code=INVALID, x=x, kernel=[2], stride=[1], kind_of="VALID", pads=NULL, dilation=NULL, layout="NCDHW", out=out):
        cases.add("MaxPool3D", NULL if x is None else Tensor(x), Ints(kernel), Ints(stride), Text(kind_of), pads, dilation, 0, Text(layout), Out(out), code=code)

    wrong(NULLPTR, x=None)
    wrong(x=x.astype(np.float64))
    wrong(x=x[0, 0])
    wrong(kernel=[2, 2])
    wrong(kernel=[0])
    wrong(kernel=[2, 1, 2, 2, 2])
    wrong(kernel=[3])
    wrong(stride=[0])
    wrong(kind_of="FULL")
    wrong(kind_of="CALCULATED", pads=Ints([1, 1]))
    wrong(kind_of="CALCULATED", pads=Ints([2] * 6))
    wrong(dilation=Ints([2]))
    wrong(layout="NCHW")
    wrong(out=np.zeros((1, 1, 1, 1, 2), np.float32))
    wrong(out=out.astype(np.float16))


average()
greatest()
whole()
plain()
adaptive()
unpooled()
planes()
volumes()
cases.write("pooling")
