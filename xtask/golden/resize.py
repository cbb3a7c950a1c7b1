"""Cases of images in another size: PyTorch on a CPU in the type of the images, halves in f32.

References: PyTorch.
Which element is nearest, and how much its neighbours count, is computed in f32 there as well as here, so that roundings
decide alike. Elements are positive, so that sums do not cancel: they are within a few units of the last place, as the order
of the products differs; f16 and bf16 are rounded once, and may fall to the other side. Writes
cann-stubs/tests/data/resize.cases. Which types an operator takes is retyped here from CANN's public description and not read
from the declarations.

    python xtask/golden/resize.py
"""

import numpy as np
import torch

from cases import NULL, Cases, Floats, Formatted, Ints, Out, Tensor, Text, kind

INVALID, NULLPTR, INNER = 161002, 161001, 561103

F = ["f32", "f16", "bf16"]
ULPS = {"f32": 8, "f16": 1, "bf16": 1, "f64": 8}
aten = torch.ops.aten
cases = Cases()


def data(name, shape, seed=1):
    random = np.random.default_rng(seed + sum(map(ord, name)) + 7 * sum(shape) + len(shape))
    numbers = random.integers(1, 200, size=shape)
    return numbers.astype(np.uint8) if name == "u8" else (numbers / 4).astype(kind(name))


def computed(x):
    x = np.asarray(x)
    return torch.from_numpy(x.astype(np.float64 if x.dtype == np.float64 else np.float32))


def rounded(x, name):
    return np.asarray(x).astype(kind(name))


def last(x):
    return np.moveaxis(np.asarray(x), 1, -1)


SIZES = {
    1: [((2, 3, 5), [8]), ((1, 2, 7), [3]), ((1, 1, 4), [4]), ((1, 2, 6), [12])],
    2: [((2, 3, 4, 5), [7, 3]), ((1, 2, 3, 4), [6, 8]), ((1, 1, 5, 5), [5, 5]), ((2, 1, 1, 6), [4, 1])],
    3: [((2, 2, 3, 4, 5), [5, 2, 7]), ((1, 1, 2, 3, 2), [4, 6, 4])],
}


def nearest():
    for axes, sizes in SIZES.items():
        for shape, size in sizes:
            for name in [*F, "f64", "u8"]:
                x = data(name, shape)
                near, exact = (getattr(aten, f"{kind}{axes}d")(torch.from_numpy(np.asarray(x).astype(np.float64)).float(), size) for kind in ("upsample_nearest", "_upsample_nearest_exact"))
                zeros = [0.0] * axes
                three = zeros if axes == 3 else []
                cases.add(f"UpsampleNearest{axes}d", Tensor(x), Ints(size), *three, Out(rounded(near, name)))
                if axes < 3:
                    cases.add(f"UpsampleNearest{axes}dV2", Tensor(x), Ints(size), *zeros, Out(rounded(near, name)))
                if name != "f64":
                    cases.add(f"UpsampleNearestExact{axes}d", Tensor(x), Ints(size), *zeros, Out(rounded(exact, name)))
                if name in F:
                    g = data(name, (*shape[:2], *size), seed=2)
                    for operator, backward in [("UpsampleNearest", "upsample_nearest"), ("UpsampleNearestExact", "_upsample_nearest_exact")]:
                        back = getattr(aten, f"{backward}{axes}d_backward")(computed(g), size, list(shape))
                        cases.add(f"{operator}{axes}dBackward", Tensor(g), Ints(size), Ints(shape), *zeros, Out(rounded(back, name), ulps=ULPS[name]))
    # Scales that are given count, whatever the sizes are.
    x = data("f32", (1, 2, 5, 6))
    near = aten.upsample_nearest2d(computed(x), [8, 9], 1.75, 1.5)
    cases.add("UpsampleNearest2dV2", Tensor(x), Ints([8, 9]), 1.75, 1.5, Out(near.numpy()))
    exact = aten._upsample_nearest_exact2d(computed(x), [8, 9], 1.75, 1.5)
    cases.add("UpsampleNearestExact2d", Tensor(x), Ints([8, 9]), 1.75, 1.5, Out(exact.numpy()))
    cases.add("UpsampleNearestExact2d", Formatted("ND", Tensor(x)), Ints([8, 9]), 1.75, 1.5, Formatted("ND", Out(exact.numpy())))
    near = aten.upsample_nearest2d(computed(x), [8, 9]).numpy()
    cases.add("UpsampleNearest2d", Formatted("NHWC", Tensor(last(x))), Ints([8, 9]), Formatted("NHWC", Out(last(near))))
    cases.add("UpsampleNearest2d", Formatted("ND", Tensor(x)), Ints([8, 9]), Formatted("ND", Out(near)), code=INVALID)
    cases.add("UpsampleNearest2d", Tensor(x), Ints([8, 8]), Out(near), code=INVALID)
    cases.add("UpsampleNearest2d", Tensor(x), Ints([8]), Out(near), code=INVALID)
    cases.add("UpsampleNearest2d", Tensor(x), Ints([8, 9]), Out(near[:, :1]), code=INVALID)
    cases.add("UpsampleNearest2d", Tensor(x[0]), Ints([8, 9]), Out(near[0]), code=INVALID)
    cases.add("UpsampleNearest2d", Tensor(x), Ints([8, 9]), Out(near.astype(np.float16)), code=INVALID)
    cases.add("UpsampleNearest2d", Tensor(x), NULL, Out(near), code=NULLPTR)
    cases.add("UpsampleNearest2d", Tensor(x[:0]), Ints([8, 9]), Out(near[:0]))
    cases.add("UpsampleNearestExact2d", Tensor(data("u8", (1, 2, 5, 6))), Ints([8, 9]), 0.0, 0.0, Out(near.astype(np.uint8)), code=INVALID, product="Ascend950")
    # Images say where channels are, or nothing; those of volumes do not.
    exact = aten._upsample_nearest_exact2d(computed(x), [8, 9]).numpy()
    scales = [0.0, 0.0]
    cases.add("UpsampleNearestExact2d", Formatted("NHWC", Tensor(last(x))), Ints([8, 9]), *scales, Formatted("NHWC", Out(last(exact))))
    for wrong in ["NDHWC", "NCDHW", "NCL"]:
        cases.add("UpsampleNearestExact2d", Formatted(wrong, Tensor(x)), Ints([8, 9]), *scales, Formatted(wrong, Out(exact)), code=INVALID)
        cases.add("UpsampleBicubic2d", Formatted(wrong, Tensor(x)), Ints([8, 9]), False, *scales, Formatted(wrong, Out(exact)), code=INVALID)
    # No batches or no channels, but not without rows or columns.
    for none in [np.s_[:0], np.s_[:, :0]]:
        cases.add("UpsampleNearestExact2d", Tensor(x[none]), Ints([8, 9]), *scales, Out(exact[none]))
    cases.add("UpsampleNearestExact2d", Tensor(x[:, :, :0]), Ints([8, 9]), *scales, Out(exact), code=INVALID)
    cases.add("UpsampleBicubic2d", Tensor(x[:, :0]), Ints([8, 9]), False, *scales, Out(exact[:, :0]), code=INVALID)
    cases.add("UpsampleNearest2d", Tensor(x[:, :0]), Ints([8, 9]), Out(exact[:, :0]), code=INVALID)


LINEAR = {1: ("UpsampleLinear1d", "upsample_linear1d"), 2: ("UpsampleBilinear2d", "upsample_bilinear2d"), 3: ("UpsampleTrilinear3d", "upsample_trilinear3d")}


def between():
    for axes, sizes in SIZES.items():
        operator, function = LINEAR[axes]
        for shape, size in sizes:
            for aligned in [False, True]:
                for name in F:
                    x, g = data(name, shape), data(name, (*shape[:2], *size), seed=2)
                    zeros = [0.0] * axes
                    result = getattr(aten, function)(computed(x), size, aligned)
                    cases.add(operator, Tensor(x), Ints(size), aligned, *zeros, Out(rounded(result, name), ulps=ULPS[name]))
                    back = getattr(aten, f"{function}_backward")(computed(g), size, list(shape), aligned)
                    cases.add(f"{operator}Backward", Tensor(g), Ints(size), Ints(shape), aligned, *zeros, Out(rounded(back, name), ulps=ULPS[name]))
                    if axes == 2:
                        cases.add(f"{operator}BackwardV2", Tensor(g), Ints(size), Ints(shape), aligned, *zeros, Out(rounded(back, name), ulps=ULPS[name]))
                        # The weights of cubic interpolation have both signs; a large part that all elements have in
                        # common keeps sums from cancelling.
                        x = x + kind(name)(64)
                        wide = {"f32": 32, "f16": 2, "bf16": 2}[name]
                        result = aten.upsample_bicubic2d(computed(x), size, aligned)
                        cases.add("UpsampleBicubic2d", Tensor(x), Ints(size), aligned, *zeros, Out(rounded(result, name), ulps=wide))
                        smooth = np.ones_like(g)
                        back = aten.upsample_bicubic2d_backward(computed(smooth), size, list(shape), aligned)
                        cases.add("UpsampleBicubic2dBackward", Tensor(smooth), Ints(size), Ints(shape), aligned, *zeros, Out(rounded(back, name), ulps=2 * wide))
                if axes == 2:
                    x = data("f64", shape)
                    result = aten.upsample_bilinear2d(computed(x), size, aligned).numpy()
                    channels = Formatted("NHWC", Tensor(last(x))), Formatted("NHWC", Out(last(result), ulps=8))
                    cases.add(operator, channels[0], Ints(size), aligned, 0.0, 0.0, channels[1])
                    cases.add(operator, Tensor(x), Ints(size), aligned, 0.0, 0.0, Out(result), code=INVALID)
    x = data("f32", (1, 2, 4, 6))
    size = [7, 9]
    plain = aten.upsample_bilinear2d(computed(x), size, False).numpy()
    scaled = aten.upsample_bilinear2d(computed(x), size, False, 1.8, 1.6).numpy()
    # Scales that lead to the sizes count; others do not, but on the 950.
    cases.add("UpsampleBilinear2d", Tensor(x), Ints(size), False, 1.8, 1.6, Out(scaled, ulps=8))
    cases.add("UpsampleBilinear2d", Tensor(x), Ints(size), False, 1.8, 1.9, Out(plain, ulps=8))
    other = aten.upsample_bilinear2d(computed(x), size, False, 1.8, 1.9).numpy()
    cases.add("UpsampleBilinear2d", Tensor(x), Ints(size), False, 1.8, 1.9, Out(other, ulps=8), product="Ascend950")
    cases.add("UpsampleBilinear2d", NULL, Ints(size), False, 0.0, 0.0, Out(plain), code=INNER)
    cases.add("UpsampleBilinear2d", Tensor(x), NULL, False, 0.0, 0.0, Out(plain), code=INVALID)
    cases.add("UpsampleBilinear2d", Tensor(x), Ints(size), False, 0.0, 0.0, NULL, code=INNER)
    cases.add("UpsampleBilinear2d", Tensor(x), Ints(size), False, -1.0, 0.0, Out(plain), code=INVALID)
    cases.add("UpsampleBilinear2d", Formatted("ND", Tensor(x)), Ints(size), False, 0.0, 0.0, Formatted("ND", Out(plain)), code=INVALID)
    cases.add("UpsampleBilinear2d", Tensor(x), Ints([7, 8]), False, 0.0, 0.0, Out(plain), code=INVALID)
    cases.add("UpsampleBilinear2dBackward", NULL, Ints(size), Ints([1, 2, 4, 6]), False, 0.0, 0.0, Out(x), code=NULLPTR)
    cases.add("UpsampleBilinear2dBackward", Tensor(plain), Ints(size), Ints([1, 2, 4, 5]), False, 0.0, 0.0, Out(x), code=INVALID)
    cases.add("UpsampleBicubic2d", Formatted("ND", Tensor(x)), Ints(size), True, 0.0, 0.0, Formatted("ND", Out(aten.upsample_bicubic2d(computed(x), size, True).numpy(), ulps=32)))


def windows():
    """Sums over a window that grows with the step. CANN does not describe these: what is refused is what the others refuse."""
    for shape, size in [*SIZES[2], ((1, 2, 12, 9), [3, 4]), ((1, 1, 7, 8), [1, 8]), ((1, 1, 3, 20), [5, 6])]:
        for aligned, scales in [(False, []), (True, []), (False, [size[0] / shape[2] * 1.25, size[1] / shape[3] * 0.75])]:
            if scales and (size[0] == shape[2] or size[1] == shape[3]):
                # PyTorch leaves such an axis alone, but in its gradient.
                continue
            for name in F:
                x, given = data(name, shape), scales or [0.0, 0.0]
                for operator, gradient, function in [
                    ("UpsampleBilinear2dAA", "UpsampleBilinear2dAABackward", "_upsample_bilinear2d_aa"),
                    ("UpsampleBicubic2dAA", "UpsampleBicubic2dAAGrad", "_upsample_bicubic2d_aa"),
                ]:
                    # As above, a large part in common keeps the sums of cubic interpolation from cancelling.
                    own, wide = (x, ULPS[name]) if "linear" in operator else (x + kind(name)(64), {"f32": 32, "f16": 2, "bf16": 2}[name])
                    result = getattr(aten, function)(computed(own), size, aligned, *scales)
                    cases.add(operator, Tensor(own), Ints(size), aligned, *given, Out(rounded(result, name), ulps=wide))
                    g = np.ones((*shape[:2], *size), kind(name))
                    back = getattr(aten, f"{function}_backward")(computed(g), size, list(shape), aligned, *scales)
                    # Gradients are sums of a few weights; the distance is that of the largest of them.
                    within = float(np.abs(back.numpy()).max()) * {"f32": 2**-20, "f16": 2**-10, "bf16": 2**-7}[name]
                    cases.add(gradient, Tensor(g), Ints(size), Ints(shape), aligned, *given, Out(rounded(back, name), within=within))
    x = data("f32", (1, 2, 4, 6))
    result = aten._upsample_bilinear2d_aa(computed(x), [2, 3], False).numpy()
    attributes = [Ints([2, 3]), False, 0.0, 0.0]
    cases.add("UpsampleBilinear2dAA", Formatted("NHWC", Tensor(last(x))), *attributes, Formatted("NHWC", Out(last(result), ulps=8)))
    for position, argument, code in [
        (0, NULL, NULLPTR), (1, NULL, NULLPTR), (5, NULL, NULLPTR), (0, Tensor(x[0]), INVALID), (0, Tensor(x.astype(np.float64)), INVALID), (1, Ints([2]), INVALID),
        (1, Ints([2, 4]), INVALID), (5, Out(result[:, :1]), INVALID), (5, Out(result.astype(np.float16)), INVALID),
    ]:
        for operator in ["UpsampleBilinear2dAA", "UpsampleBicubic2dAA"]:
            arguments = [Tensor(x), *attributes, Out(result)]
            arguments[position] = argument
            cases.add(operator, *arguments, code=code)
    cases.add("UpsampleBicubic2dAAGrad", Tensor(result), Ints([2, 3]), Ints([1, 2, 4, 5]), False, 0.0, 0.0, Out(x), code=INVALID)


def scaled():
    """Sizes that follow from scales."""
    for shape, scales in [((2, 3, 4, 5), [2.0, 2.0]), ((1, 2, 5, 7), [0.5, 1.5]), ((1, 1, 3, 4), [1.0, 1.0, 3.0, 0.75])]:
        for name in ["f32", "f16"]:
            x = data(name, shape)
            for mode in ["nearest", "bilinear"]:
                corners = {} if mode == "nearest" else {"align_corners": False}
                made = torch.nn.functional.interpolate(computed(x), scale_factor=scales[-2:], mode=mode, **corners)
                cases.add("Resize", Tensor(x), Floats(scales), Text(mode), Out(rounded(made, name), ulps=0 if mode == "nearest" else ULPS[name]))
    x = data("f32", (1, 1, 2, 3))
    out = np.repeat(np.repeat(x, 2, 2), 2, 3)
    cases.add("Resize", NULL, Floats([2.0, 2.0]), Text("nearest"), Out(out), code=NULLPTR)
    cases.add("Resize", Tensor(x), NULL, Text("nearest"), Out(out), code=NULLPTR)
    cases.add("Resize", Tensor(x), Floats([2.0, 2.0]), Text("cubic"), Out(out), code=INVALID)
    cases.add("Resize", Tensor(x), Floats([2.0]), Text("nearest"), Out(out), code=INVALID)
    cases.add("Resize", Tensor(x), Floats([2.0, 1.0, 2.0, 2.0]), Text("nearest"), Out(out), code=INVALID)
    cases.add("Resize", Tensor(x), Floats([2.0, 3.0]), Text("nearest"), Out(out), code=INVALID)
    cases.add("Resize", Tensor(x), Floats([-2.0, 2.0]), Text("nearest"), Out(out), code=INVALID)
    cases.add("Resize", Tensor(x.astype(np.float64)), Floats([2.0, 2.0]), Text("nearest"), Out(out.astype(np.float64)), code=INVALID)
    cases.add("Resize", Tensor(x), Floats([2.0, 2.0]), Text("nearest"), Out(out.astype(np.float16)), code=INVALID)


nearest()
between()
windows()
scaled()
cases.write("resize")
