"""Cases of images at the places of a grid: PyTorch on a CPU in the type of the images, halves in f32.

References: PyTorch.
Places are computed in f32 there as well as here, so that roundings decide alike which element is nearest. Elements are
positive, so that sums do not cancel: they are within a few units of the last place, as the order of the products differs;
cubic weights have both signs, and a large part that all elements have in common keeps those sums from cancelling. Gradients
are sums of both signs: the distance is counted from the largest of them. CANN does not describe these operators: what is
refused here is what PyTorch refuses. Writes cann-stubs/tests/data/sampling.cases.

    python xtask/golden/sampling.py
"""

import itertools

import numpy as np
import torch

from cases import NULL, Bools, Cases, Formatted, Ints, Out, Tensor, kind

INVALID, NULLPTR = 161002, 161001
ULPS = {"f32": 16, "f16": 1, "bf16": 1, "f64": 16}
WITHIN = {"f32": 2**-19, "f16": 2**-10, "bf16": 2**-7, "f64": 2**-45}
LINEAR, NEAREST, CUBIC = range(3)
aten = torch.ops.aten
cases = Cases()


def random(*seed):
    return np.random.default_rng(sum(seed))


def images(name, shape, common=0.0):
    return (random(*shape).integers(1, 200, size=shape) / 4 + common).astype(kind(name))


def places(name, shape, axes, reach=1.6):
    """Places on images and beyond; no coordinate is in the middle between two elements."""
    return (np.round(random(axes, *shape).uniform(-reach, reach, size=(*shape, axes)) * 100) / 100 + 1 / 512).astype(kind(name))


def computed(x):
    return torch.from_numpy(x.astype(np.float64 if x.dtype == np.float64 else np.float32))


def rounded(x, name):
    return np.asarray(x.detach() if isinstance(x, torch.Tensor) else x).astype(kind(name))


def last(x):
    return np.moveaxis(x, 1, -1)


def near(result, name):
    return Out(rounded(result, name), within=float(np.abs(result.numpy()).max()) * WITHIN[name])


SHAPES = {2: [((2, 3, 4, 5), (3, 4)), ((1, 2, 1, 6), (5, 2))], 3: [((2, 2, 3, 4, 2), (2, 3, 2))]}


def sampled():
    for axes, shapes in SHAPES.items():
        forward, backward = getattr(aten, f"grid_sampler_{axes}d"), getattr(aten, f"grid_sampler_{axes}d_backward")
        for (shape, size), mode, padding, aligned in itertools.product(shapes, range(4 - axes + 1), range(3), [False, True]):
            for name in ["f32", "f16", "bf16", "f64"] if (padding, aligned) != (1, True) else ["f32"]:
                x, grid = images(name, shape, 256.0 if mode == CUBIC and padding else 0.0), places(name, (shape[0], *size), axes)
                attributes = [mode, padding, aligned]
                result = forward(computed(x), computed(grid), *attributes)
                made = near(result, name) if mode == CUBIC else Out(rounded(result, name), ulps=0 if mode == NEAREST else ULPS[name])
                cases.add(f"GridSampler{axes}D", Tensor(x), Tensor(grid), *attributes, made)
                # What all elements have in common would cancel in a slope.
                x = images(name, shape)
                g = (random(*result.shape, 7).integers(-8, 8, size=result.shape) / 8).astype(kind(name))
                back = backward(computed(g), computed(x), computed(grid), *attributes, [True, True])
                outs = [near(part, name) for part in back]
                operands = [Tensor(g), Tensor(x), Tensor(grid), *attributes]
                cases.add(f"GridSampler{axes}DBackward", *operands, Bools([True, True]), *outs)
                if name == "f32" and not aligned:
                    cases.add(f"GridSampler{axes}DBackward", *operands, Bools([True, False]), outs[0], NULL)
                    cases.add(f"GridSampler{axes}DBackward", *operands, Bools([False, True]), NULL, outs[1])
                    cases.add(f"GridSampler{axes}DBackward", *operands, Bools([False, False]), NULL, NULL)


def edges():
    """Exact places: on elements, at the ends, and in the middle between two elements, where the even one is nearest."""
    x = images("f32", (1, 1, 4, 4))
    line = np.float32([-1.5, -1, -0.75, -0.5, -0.25, 0, 0.25, 0.5, 0.75, 1, 1.5, 3, -3])
    grid = np.stack(np.meshgrid(line, line[::3]), axis=-1).astype(np.float32)[None]
    for mode, padding in itertools.product(range(3), range(3)):
        result = aten.grid_sampler_2d(computed(x), computed(grid), mode, padding, False)
        made = near(result, "f32") if mode == CUBIC else Out(rounded(result, "f32"), ulps=ULPS["f32"])
        cases.add("GridSampler2D", Tensor(x), Tensor(grid), mode, padding, False, made)
    # Channels behind the axes of the image.
    result = rounded(aten.grid_sampler_2d(computed(x), computed(grid), NEAREST, 0, False), "f32")
    cases.add("GridSampler2D", Formatted("NHWC", Tensor(last(x))), Tensor(grid), NEAREST, 0, False, Formatted("NHWC", Out(last(result))))


def refused():
    x, grid = images("f32", (2, 3, 4, 5)), places("f32", (2, 3, 4), 2)
    out = np.zeros((2, 3, 3, 4), np.float32)
    good = [Tensor(x), Tensor(grid), 0, 0, False, Out(out)]
    for position, argument, code in [
        (0, NULL, NULLPTR), (1, NULL, NULLPTR), (5, NULL, NULLPTR), (0, Tensor(x.astype(np.int32)), INVALID), (1, Tensor(grid.astype(np.float16)), INVALID),
        (0, Tensor(x[0]), INVALID), (0, Tensor(x[:1]), INVALID), (0, Tensor(x[:, :, :0]), INVALID), (1, Tensor(grid[0]), INVALID), (1, Tensor(grid[..., :1]), INVALID),
        (2, 3, INVALID), (2, -1, INVALID), (3, 3, INVALID), (3, -1, INVALID), (5, Out(out[:, :1]), INVALID), (5, Out(out.astype(np.float16)), INVALID),
        (5, Formatted("NHWC", Out(out)), INVALID),
    ]:
        arguments = list(good)
        arguments[position] = argument
        cases.add("GridSampler2D", *arguments, code=code)
    volume, inside = images("f32", (1, 1, 2, 2, 2)), places("f32", (1, 1, 1, 2), 3)
    cases.add("GridSampler3D", Tensor(volume), Tensor(inside), CUBIC, 0, False, Out(np.zeros((1, 1, 1, 1, 2), np.float32)), code=INVALID)
    # No batches, and no channels.
    cases.add("GridSampler2D", Tensor(x[:0]), Tensor(grid[:0]), 0, 0, False, Out(out[:0]))
    cases.add("GridSampler2D", Tensor(x[:, :0]), Tensor(grid), 0, 0, False, Out(out[:, :0]))
    back = [Tensor(out), Tensor(x), Tensor(grid), 0, 0, False, Bools([True, True]), Out(x), Out(grid)]
    for position, argument, code in [
        (0, NULL, NULLPTR), (1, NULL, NULLPTR), (2, NULL, NULLPTR), (6, NULL, NULLPTR), (7, NULL, NULLPTR), (8, NULL, NULLPTR), (6, Bools([True]), INVALID),
        (0, Tensor(out[:, :1]), INVALID), (7, Out(x[:1]), INVALID), (8, Out(grid[:1]), INVALID), (0, Tensor(out.astype(np.float16)), INVALID),
    ]:
        arguments = list(back)
        arguments[position] = argument
        cases.add("GridSampler2DBackward", *arguments, code=code)
    # Where a grid has no places, nothing goes back.
    nothing = [Tensor(out[:, :, :0]), Tensor(x), Tensor(grid[:, :0]), 0, 0, False, Bools([True, True]), Out(np.zeros_like(x)), Out(grid[:, :0])]
    cases.add("GridSampler2DBackward", *nothing)


def maps():
    for size, aligned, name in itertools.product([[2, 3, 3, 4], [1, 1, 1, 5], [2, 1, 2, 3, 4], [1, 2, 2, 1, 3]], [False, True], ["f32", "f16", "bf16", "f64"]):
        axes = len(size) - 2
        theta = (random(*size).integers(-16, 16, size=(size[0], axes, axes + 1)) / 8).astype(kind(name))
        result = torch.nn.functional.affine_grid(torch.from_numpy(theta.astype(np.float64)), size, align_corners=aligned)
        cases.add("AffineGrid", Tensor(theta), Ints(size), aligned, near(result, name))
    theta, out = np.zeros((1, 2, 3), np.float32), np.zeros((1, 2, 2, 2), np.float32)
    good = [Tensor(theta), Ints([1, 1, 2, 2]), False, Out(out)]
    for position, argument, code in [
        (0, NULL, NULLPTR), (1, NULL, NULLPTR), (3, NULL, NULLPTR), (0, Tensor(theta.astype(np.int32)), INVALID), (0, Tensor(theta[:, :1]), INVALID),
        (1, Ints([1, 1, 2]), INVALID), (1, Ints([1, 1, 0, 2]), INVALID), (1, Ints([2, 1, 2, 2]), INVALID), (3, Out(out[:, :1]), INVALID),
        (3, Out(out.astype(np.float16)), INVALID),
    ]:
        arguments = list(good)
        arguments[position] = argument
        cases.add("AffineGrid", *arguments, code=code)


sampled()
edges()
refused()
maps()
cases.write("sampling")
