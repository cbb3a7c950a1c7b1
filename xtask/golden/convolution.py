"""Cases of convolutions: PyTorch on a CPU in f64, rounded to the types that CANN's public description names.

References: PyTorch.
Elements have few digits, so that every sum is exact in f32, and the expected bits are the only ones. Writes
cann-stubs/tests/data/convolution.cases. Which types an operator takes and gives is retyped here from CANN's public
description and not read from the declarations.

    python xtask/golden/convolution.py
"""

import ml_dtypes
import numpy as np
import torch

from cases import NULL, Bools, Cases, Formatted, Ints, Out, Tensor, Text, kind

INVALID, NULLPTR = 161002, 161001

F = ["f32", "f16", "bf16"]
cases = Cases()


def data(name, shape, seed=1):
    random = np.random.default_rng(seed + sum(map(ord, name)) + 7 * sum(shape) + len(shape))
    return (random.integers(-8, 8, size=shape, endpoint=True) / 4).astype(kind(name))


def wide(x):
    return torch.from_numpy(np.asarray(x).astype(np.float64))


def rounded(x, *names):
    x = x.numpy() if isinstance(x, torch.Tensor) else x
    for name in names:
        x = x.astype(kind(name))
    return x



class Convolution:
    """A convolution with its attributes."""

    def __init__(self, image, weight, stride=None, padding=None, dilation=None, groups=1, transposed=False, extra=None):
        axes = len(image) - 2
        self.shapes, self.groups, self.transposed, self.axes = (image, weight), groups, transposed, axes
        self.stride, self.padding = stride or [1] * axes, padding or [0] * axes
        self.dilation, self.extra = dilation or [1] * axes, extra or [0] * axes
        self.channels = weight[1] * groups if transposed else weight[0]

    def torch(self, x, w, b):
        """The result in f64; paddings that differ by side are padded before."""
        padding = self.padding
        if len(padding) != self.axes:
            pairs = [padding[2 * axis:2 * axis + 2] for axis in range(self.axes)]
            if self.transposed:
                whole = torch.convolution(x, w, b, self.stride, [0] * self.axes, self.dilation, True, self.extra, self.groups)
                cut = tuple(slice(before, whole.shape[2 + axis] - behind) for axis, (before, behind) in enumerate(pairs))
                return whole[(slice(None), slice(None), *cut)]
            x = torch.nn.functional.pad(x, [number for pair in reversed(pairs) for number in pair])
            padding = [0] * self.axes
        return torch.convolution(x, w, b, self.stride, padding, self.dilation, self.transposed, self.extra, self.groups)

    def attributes(self, again=False):
        """As they are passed; with `again`, the padding stands also in the place of the output padding."""
        extra = Ints(self.padding if again else self.extra) if self.transposed or again else NULL
        return [Ints(self.stride), Ints(self.padding), Ints(self.dilation), self.transposed, extra, self.groups]

    def add(self, names=("f32", "f32", "f32"), bias="f32", cube=0, again=False):
        x, w = data(names[0], self.shapes[0]), data(names[1], self.shapes[1], seed=2)
        b = data(bias, (self.channels,), seed=3) if bias else None
        inner = names[0] if names[0] == names[1] != "f32" else ("f16" if cube == 2 else "f32")
        exact = [wide(rounded(part, inner)) for part in (x, w)]
        kept = "f32" if inner == "bf16" and not (self.transposed and self.axes == 3) else inner
        result = self.torch(*exact, wide(rounded(b, kept)) if bias else None)
        direct = self.transposed and names[2] == "f32" and cube != 2
        out = rounded(result, *([] if direct else [inner]), names[2])
        tensor = Tensor(b) if bias else NULL
        cases.add("Convolution", Tensor(x), Tensor(w), tensor, *self.attributes(again), Out(out), cube)

    def add_backward(self, name="f32", mask=(True, True, True), cube=0, formats=False):
        x, w = data(name, self.shapes[0]), data(name, self.shapes[1], seed=2)
        shape = self.torch(wide(x), wide(w), None).shape
        g = data(name, tuple(shape), seed=4)
        results = torch.ops.aten.convolution_backward(
            wide(g), wide(x), wide(w), [self.channels], self.stride, self.padding, self.dilation, self.transposed, self.extra, self.groups, [True] * 3
        )
        outs = [Out(rounded(result, name)) if asked else NULL for result, asked in zip(results, mask)]
        plain = [Tensor(g), Tensor(x), Tensor(w)]
        if formats:
            plain = [Formatted("ND", tensor) for tensor in plain]
            outs = [Formatted("ND", out) if out is not NULL else NULL for out in outs]
        cases.add(
            "ConvolutionBackward", *plain, Ints([self.channels]), Ints(self.stride), Ints(self.padding), Ints(self.dilation), self.transposed,
            Ints(self.extra), self.groups, Bools(mask), cube, *outs
        )


PLAIN = [
    Convolution((2, 3, 9), (4, 3, 3)),
    Convolution((1, 4, 7), (6, 2, 2), stride=[2], padding=[1], dilation=[3], groups=2),
    Convolution((2, 3, 8), (4, 3, 3), padding=[0, 2]),
    Convolution((2, 3, 6, 7), (5, 3, 3, 2)),
    Convolution((1, 2, 8, 9), (4, 2, 3, 3), stride=[2, 1], padding=[1, 2], dilation=[1, 2]),
    Convolution((2, 4, 5, 6), (8, 1, 3, 3), padding=[1, 1], groups=4),
    Convolution((2, 6, 5, 5), (4, 3, 1, 1), groups=2),
    Convolution((1, 3, 6, 6), (2, 3, 3, 3), padding=[0, 1, 2, 0]),
    Convolution((3, 2, 4, 4), (5, 2, 4, 4)),
    Convolution((1, 2, 4, 5, 6), (3, 2, 2, 3, 2)),
    Convolution((2, 2, 4, 4, 4), (4, 1, 3, 3, 3), stride=[2, 1, 2], padding=[1, 1, 0], dilation=[1, 1, 1], groups=2),
]
TRANSPOSED = [
    Convolution((2, 3, 5), (3, 4, 3), transposed=True),
    Convolution((1, 4, 6), (4, 3, 4), stride=[3], padding=[1], dilation=[2], groups=2, transposed=True, extra=[2]),
    Convolution((2, 3, 4, 5), (3, 2, 3, 3), stride=[2, 2], padding=[1, 1], transposed=True, extra=[1, 0]),
    Convolution((1, 4, 5, 5), (4, 2, 2, 3), groups=4, transposed=True),
    Convolution((1, 2, 3, 4), (2, 3, 2, 2), stride=[1, 2], padding=[0, 1, 1, 0], transposed=True),
    Convolution((1, 2, 3, 3, 2), (2, 3, 2, 2, 3), stride=[2, 1, 2], padding=[1, 0, 1], transposed=True, extra=[1, 0, 1]),
]


def forward():
    for convolution in PLAIN + TRANSPOSED:
        convolution.add()
        convolution.add(bias=None)
        for name in ["f16", "bf16"]:
            convolution.add((name,) * 3, name)
            convolution.add((name, name, "f32"), "f32")
    for names in [("f32", "f16", "f32"), ("f16", "bf16", "f16"), ("bf16", "f32", "bf16")]:
        for convolution in [PLAIN[3], TRANSPOSED[2]]:
            for cube in [0, 1, 3, 4]:
                convolution.add(names, "f32", cube)
    for convolution in [PLAIN[3], TRANSPOSED[2]]:
        convolution.add(cube=2)
        convolution.add(("f32", "f32", "f16"), "f32", 2)
    # Rounded to f16 before the output, which is f32: beyond its largest number.
    x = np.full((1, 4, 20), 100, np.float16)
    cases.add("Convolution", Tensor(x), Tensor(x[:, :, :3]), NULL, *PLAIN[0].attributes(), Out(np.full((1, 1, 18), np.inf, np.float32)), 0)
    # A transposed convolution gives f32 as it is.
    w = np.full((4, 1, 3), 100, np.float16)
    whole = torch.conv_transpose1d(wide(x), wide(w)).numpy()
    cases.add("Convolution", Tensor(x), Tensor(w), NULL, *TRANSPOSED[0].attributes(), Out(whole.astype(np.float32)), 0)
    # Many positions and channels, so that there are several blocks.
    Convolution((1, 40, 70), (3, 40, 65)).add()
    Convolution((1, 3, 70, 70), (2, 3, 3, 3), padding=[1, 1]).add()
    Convolution((1, 40, 3, 5), (40, 9, 3, 4), stride=[2, 2], padding=[1, 1], transposed=True, extra=[0, 1]).add()
    # As a tensor library calls it: the padding again in the place of the output padding.
    Convolution((1, 3, 9), (4, 3, 3), padding=[1]).add(again=True)
    Convolution((1, 3, 9), (3, 4, 3), stride=[2], transposed=True).add(again=True)
    # Padding that cuts off elements.
    x, w = data("f32", (1, 2, 6, 6)), data("f32", (2, 2, 2, 2))
    cut = torch.convolution(wide(x)[:, :, 1:-1, 1:-1], wide(w), None, [1, 1], [0, 0], [1, 1], False, [0, 0], 1)
    cases.add("Convolution", Tensor(x), Tensor(w), NULL, Ints([1, 1]), Ints([-1, -1]), Ints([1, 1]), False, NULL, 1, Out(rounded(cut, "f32")), 0)
    # NaN and infinity reach the positions whose window has them.
    x = data("f32", (1, 2, 5, 5))
    x[0, 0, 2, 2], x[0, 1, 4, 4] = np.nan, np.inf
    w = np.abs(data("f32", (2, 2, 2, 2), seed=5)) + 1
    result = torch.conv2d(wide(x), wide(w))
    cases.add("Convolution", Tensor(x), Tensor(w), NULL, *PLAIN[3].attributes(), Out(rounded(result, "f32")), 0)
    # Channels behind the axes of the image.
    volume = PLAIN[9]
    x, w = data("f32", volume.shapes[0]), data("f32", volume.shapes[1], seed=2)
    last = lambda x: Tensor(np.moveaxis(x, 1, -1))
    out = np.moveaxis(rounded(volume.torch(wide(x), wide(w), None), "f32"), 1, -1)
    cases.add("Convolution", Formatted("NDHWC", last(x)), Formatted("NDHWC", last(w)), NULL, *volume.attributes(), Formatted("NDHWC", Out(out)), 0)
    # No batches, and no channels.
    cases.add("Convolution", Tensor(x[:0, :, 0]), Tensor(w[:, :, 0]), NULL, Ints([1, 1]), Ints([0, 0]), Ints([1, 1]), False, NULL, 1, Out(np.zeros((0, 3, 3, 5), np.float32)), 0)


def backward():
    for convolution in PLAIN + TRANSPOSED:
        if len(convolution.padding) != convolution.axes:
            continue
        for name in F:
            convolution.add_backward(name)
    for mask in [(True, False, False), (False, True, False), (False, False, True), (False, True, True), (False, False, False)]:
        PLAIN[4].add_backward(mask=mask)
        TRANSPOSED[2].add_backward(mask=mask)
    PLAIN[0].add_backward(formats=True)
    Convolution((3, 30, 12, 12), (2, 30, 3, 3), padding=[1, 1]).add_backward()
    Convolution((2, 1, 5000), (2, 1, 3), padding=[1]).add_backward()
    g, x, w = np.zeros((0, 2, 4), np.float32), np.zeros((0, 3, 6), np.float32), data("f32", (2, 3, 3))
    outs = [Out(x), Out(np.zeros_like(w)), Out(np.zeros(2, np.float32))]
    tail = [Ints([1]), Ints([0]), Ints([1]), False, Ints([0]), 1]
    cases.add("ConvolutionBackward", Tensor(g), Tensor(x), Tensor(w), Ints([2]), *tail, Bools([True] * 3), 0, *outs)
    # The sizes of the bias are looked at where there is nothing else, and its gradient is asked for.
    for sizes, mask, code in [(Ints([3]), [True] * 3, INVALID), (Ints([2, 2]), [True] * 3, INVALID), (NULL, [True] * 3, NULLPTR), (NULL, [True, True, False], 0)]:
        made = [*outs[:2], outs[2] if mask[2] else NULL]
        cases.add("ConvolutionBackward", Tensor(g), Tensor(x), Tensor(w), sizes, *tail, Bools(mask), 0, *made, code=code)
    g, x = data("f32", (1, 2, 4)), data("f32", (1, 3, 6))
    outs = [Out(x), Out(w), Out(np.zeros(2, np.float32))]
    operands = [Tensor(g), Tensor(x), Tensor(w)]
    three = [True] * 3
    cases.add("ConvolutionBackward", *operands, NULL, *tail, Bools([True, True]), 0, *outs, code=NULLPTR)
    cases.add("ConvolutionBackward", *operands, NULL, *tail, NULL, 0, *outs, code=NULLPTR)
    cases.add("ConvolutionBackward", *operands, NULL, *tail, Bools(three), 0, NULL, *outs[1:], code=NULLPTR)
    cases.add("ConvolutionBackward", *operands, NULL, *tail[:4], NULL, 1, Bools(three), 0, *outs, code=NULLPTR)
    cases.add("ConvolutionBackward", *operands, NULL, *tail[:4], Ints([1]), 1, Bools(three), 0, *outs, code=INVALID)
    cases.add("ConvolutionBackward", *operands, NULL, *tail, Bools(three), 4, *outs, code=INVALID)
    cases.add("ConvolutionBackward", *operands, NULL, *tail, Bools(three), 0, *outs[:2], Out(np.zeros(3, np.float32)), code=INVALID)
    cases.add("ConvolutionBackward", Tensor(g[:, :, :3]), *operands[1:], NULL, *tail, Bools(three), 0, *outs, code=INVALID)


def others():
    for name in F:
        for padding, stride, dilation, multiple in [([0, 0], [1, 1], [1, 1], 1), ([1, 2], [2, 1], [1, 2], 2)]:
            x, w, b = data(name, (2, 3, 7, 8)), data(name, (3 * multiple, 1, 3, 2), seed=2), data(name, (3 * multiple,), seed=3)
            for bias in [None, b]:
                result = torch.conv2d(wide(x), wide(w), None if bias is None else wide(b), stride, padding, dilation, 3)
                cases.add("ConvDepthwise2d", Tensor(x), Tensor(w), Ints([3, 2]), NULL if bias is None else Tensor(b), Ints(stride), Ints(padding), Ints(dilation), Out(rounded(result, name)), 0)
        x, w, b = data(name, (6, 2, 3)), data(name, (3, 3, 4), seed=2), data(name, (4,), seed=3)
        for pad in [0, 2]:
            result = torch.conv_tbc(wide(x), wide(w), wide(b), pad)
            cases.add("ConvTbc", Tensor(x), Tensor(w), Tensor(b), pad, Out(rounded(result, name)), 0)
            g = data(name, tuple(result.shape), seed=4)
            back = torch.ops.aten.conv_tbc_backward(wide(g), wide(x), wide(w), wide(b), pad)
            backward = [Tensor(g), Tensor(x), Tensor(w), Tensor(b), pad, 0, *[Out(rounded(part, name)) for part in back]]
            cases.add("ConvTbcBackward", *backward)
            for position, argument, code in [(0, NULL, NULLPTR), (3, NULL, NULLPTR), (8, NULL, NULLPTR), (4, 3, INVALID), (4, -1, INVALID), (5, 4, INVALID), (3, Tensor(b[:2]), INVALID), (0, Tensor(g[1:]), INVALID)]:
                arguments = list(backward)
                arguments[position] = argument
                cases.add("ConvTbcBackward", *arguments, code=code)
            cases.add("ConvTbc", *[Formatted("ND", Tensor(part)) for part in (x, w)], Tensor(b), pad, Formatted("ND", Out(rounded(result, name))), 0)
        for sizes, kernel, dilation, padding, stride in [([5, 6], [2, 3], [1, 1], [0, 0], [1, 1]), ([7, 6], [3, 2], [2, 1], [1, 1], [2, 3])]:
            windows = torch.nn.functional.unfold(torch.zeros(2, 3, *sizes), kernel, dilation, padding, stride)
            columns = data(name, tuple(windows.shape))
            result = torch.nn.functional.fold(wide(columns), sizes, kernel, dilation, padding, stride)
            attributes = [Ints(part) for part in (sizes, kernel, dilation, padding, stride)]
            cases.add("Im2colBackward", Tensor(columns), *attributes, Out(rounded(result, name)))
            cases.add("Im2colBackward", Tensor(columns[0]), *attributes, Out(rounded(result[0], name)))
    cases.add("Im2colBackward", Tensor(columns[:, :-1]), *attributes, Out(rounded(result, name)), code=INVALID)
    cases.add("Im2colBackward", NULL, *attributes, Out(rounded(result, name)), code=NULLPTR)
    cases.add("ConvTbc", Tensor(x), Tensor(w), NULL, pad, Out(np.zeros((8, 2, 4), kind(name))), 0, code=NULLPTR)
    x, w = data("f32", (2, 3, 7, 8)), data("f32", (3, 1, 3, 2))
    cases.add("ConvDepthwise2d", Tensor(x), Tensor(w), Ints([2, 2]), NULL, *[Ints([1, 1])] * 3, Out(np.zeros((2, 3, 7, 9), np.float32)), 0, code=INVALID)


def refused():
    x, w, out = data("f32", (1, 3, 5, 5)), data("f32", (4, 3, 3, 3)), np.zeros((1, 4, 3, 3), np.float32)
    one, none = Ints([1, 1]), Ints([0, 0])
    tail = [NULL, one, none, one, False, NULL, 1]

    def refuse(code, *arguments, product="Ascend910B"):
        cases.add("Convolution", *arguments, code=code, product=product)

    refuse(NULLPTR, NULL, Tensor(w), *tail, Out(out), 0)
    refuse(NULLPTR, Tensor(x), NULL, *tail, Out(out), 0)
    refuse(NULLPTR, Tensor(x), Tensor(w), *tail, NULL, 0)
    for position in [1, 2, 3]:
        refuse(NULLPTR, Tensor(x), Tensor(w), *tail[:position], NULL, *tail[position + 1:], Out(out), 0)
    refuse(NULLPTR, Tensor(x), Tensor(w), NULL, one, none, one, True, NULL, 1, Out(out), 0)
    for number, wrong in enumerate(["ND", "NHWC"]):
        refuse(INVALID, Formatted(wrong, Tensor(x)), Tensor(w), *tail, Formatted(wrong, Out(out)), 0)
        refuse(INVALID, Tensor(x), Formatted(wrong, Tensor(w)), *tail, Out(out), 0)
    refuse(INVALID, Tensor(x), Tensor(w), *tail, Formatted("ND", Out(out)), 0)
    refuse(INVALID, Tensor(x.astype(np.float64)), Tensor(w), *tail, Out(out), 0)
    refuse(INVALID, Tensor(x), Tensor(w), Tensor(np.zeros(4, np.int32)), *tail[1:], Out(out), 0)
    refuse(INVALID, Tensor(x), Tensor(w), Tensor(np.zeros(3, np.float32)), *tail[1:], Out(out), 0)
    refuse(INVALID, Tensor(x[0]), Tensor(w), *tail, Out(out), 0)
    refuse(INVALID, Tensor(x), Tensor(w), *tail, Out(out[:, :3]), 0)
    refuse(INVALID, Tensor(x), Tensor(w[:, :2]), *tail, Out(out), 0)
    refuse(INVALID, Tensor(x), Tensor(w), NULL, one, none, one, False, NULL, 0, Out(out), 0)
    refuse(INVALID, Tensor(x), Tensor(w), NULL, Ints([0, 1]), none, one, False, NULL, 1, Out(out), 0)
    refuse(INVALID, Tensor(x), Tensor(w), NULL, Ints([1]), none, one, False, NULL, 1, Out(out), 0)
    refuse(INVALID, Tensor(x), Tensor(w), NULL, one, none, Ints([3, 1]), False, NULL, 1, Out(out), 0)
    for cube in [-1, 5]:
        refuse(INVALID, Tensor(x), Tensor(w), *tail, Out(out), cube)
    for product in ["Ascend910", "Ascend310P"]:
        for cube in [0, 3, 4]:
            refuse(INVALID, Tensor(x), Tensor(w), *tail, Out(out), cube, product=product)
        half = [x.astype(np.float16), w.astype(np.float16)]
        result = rounded(torch.conv2d(wide(x), wide(w)), "f16")
        cases.add("Convolution", *map(Tensor, half), *tail, Out(result), 0, product=product)
        cases.add("Convolution", Tensor(x), Tensor(w), *tail, Out(result.astype(np.float32)), 1, product=product)
        refuse(INVALID, Tensor(x.astype(ml_dtypes.bfloat16)), Tensor(w), *tail, Out(out), 1, product=product)
    # Output padding that reaches over both the stride and the dilation; a weight that reaches far over the edge.
    x, w = data("f32", (1, 3, 5)), data("f32", (3, 2, 3))
    refuse(INVALID, Tensor(x), Tensor(w), NULL, Ints([2]), Ints([0]), Ints([1]), True, Ints([2]), 1, Out(np.zeros((1, 2, 13), np.float32)), 0)
    far = [NULL, Ints([1]), Ints([0]), Ints([128]), True, Ints([0]), 1]
    refuse(INVALID, Tensor(x), Tensor(w), *far, Out(np.zeros((1, 2, 261), np.float32)), 0)
    result = torch.conv_transpose1d(wide(x), wide(w), dilation=128)
    cases.add("Convolution", Tensor(x), Tensor(w), *far, Out(rounded(result, "f32")), 0, product="Ascend950")


def quantised():
    whole = lambda shape, seed, most: np.random.default_rng(seed + sum(shape)).integers(-most, most, size=shape, endpoint=True)
    for form in PLAIN:
        x, w = whole(form.shapes[0], 1, 9).astype(np.int8), whole(form.shapes[1], 2, 9).astype(np.int8)
        count = form.channels
        scale = (2.0 ** whole((count,), 3, 2)).astype(np.float32)
        bits = scale.view(np.uint32).astype(np.uint64) | np.uint64(3 << 40)
        sums, channels = form.torch(wide(x), wide(w), None), (1, count, *[1] * form.axes)
        spread = lambda x: wide(x).reshape(channels)
        for to in F:
            for bias in [None, "i32", "f32", "f16", "bf16"]:
                added = None if bias is None else whole((count,), 4, 20).astype(kind(bias))
                early, late = [0 if added is None or (bias == "i32") != so else spread(added) for so in (True, False)]
                held = {"f32": scale, "f16": bits, "bf16": bits.view(np.int64)}[to]
                out = rounded((sums + early) * spread(scale) + late, "f32", to)
                cases.add("QuantConvolution", Tensor(x), Tensor(w), NULL if added is None else Tensor(added), Tensor(held), NULL, *form.attributes(), 0, Text("rint"), Out(out))
            cases.add("QuantConvolution", Tensor(x), Tensor(w), NULL, Tensor(np.float32([0.5])), NULL, *form.attributes(True), 0, NULL, Out(rounded(sums / 2, "f32", to)))
    # Sums of more products of integers than f32 holds, of which the last one counts.
    attributes = (Ints([1, 1]), Ints([0, 0]), Ints([1, 1]), False, NULL, 1)
    for terms in (1024, 1025, 8000):
        x, w = np.full((1, terms, 1, 2), 127, np.int8), np.full((3, terms, 1, 1), 127, np.int8)
        x[0, -1, 0], w[1], w[2, ::2] = [126, -1], -128, -127
        sums = torch.einsum("nchw,oc->nohw", wide(x), wide(w[:, :, 0, 0]))
        added = np.array([-int(sums[0, 0, 0, 0]) + 1, -int(sums[0, 1, 0, 1]), 5], np.int32)
        exact = rounded(sums + wide(added).reshape(1, 3, 1, 1), "f32")
        cases.add("QuantConvolution", Tensor(x), Tensor(w), Tensor(added), Tensor(np.float32([1])), NULL, *attributes, 0, NULL, Out(rounded(exact, "f32")))
    w = np.ones((3, 8739, 1, 1), np.int8)
    cases.add("QuantConvolution", Tensor(w[:1]), Tensor(w), NULL, Tensor(np.float32([1])), NULL, *attributes, 0, NULL, Out(np.zeros((1, 3, 1, 1), np.float32)), code=561003)
    x, w, scale, out = np.ones((1, 2, 4, 4), np.int8), np.ones((3, 2, 2, 2), np.int8), np.ones(3, np.float32), np.zeros((1, 3, 3, 3), np.float16)
    good = [Tensor(x), Tensor(w), NULL, Tensor(scale), NULL, *attributes, 0, Text("rint"), Out(out)]
    for position, argument, code in [
        (0, NULL, NULLPTR), (1, NULL, NULLPTR), (3, NULL, NULLPTR), (5, NULL, NULLPTR), (13, NULL, NULLPTR), (0, Tensor(x.astype(np.float16)), INVALID),
        (1, Tensor(w.astype(np.float16)), INVALID), (2, Tensor(np.zeros(3, np.int64)), INVALID), (2, Tensor(np.zeros(2, np.int32)), INVALID),
        (3, Tensor(np.ones(3, np.float16)), INVALID), (3, Tensor(np.ones(2, np.float32)), INVALID), (4, Tensor(scale), 561003), (5, Ints([1]), INVALID),
        (6, Ints([-1, 0]), INVALID), (8, True, INVALID), (10, 2, INVALID), (11, 1, 561003), (12, Text("floor"), 561003), (13, Out(out[:, :2]), INVALID),
        (13, Out(out.astype(np.int32)), INVALID), (0, Tensor(x[0]), INVALID), (7, Ints([4, 4]), INVALID),
    ]:
        arguments = list(good)
        arguments[position] = argument
        cases.add("QuantConvolution", *arguments, code=code)


forward()
quantised()
backward()
others()
refused()
cases.write("convolution")
