"""Cases of samples between the elements of images: regions, attention to points and convolutions at moved places; of points and
elements that are nearest, networks between two products, and sums of parts of attention and of experts.

References: PyTorch, NumPy, SciPy, ONNX.
Samples are those of PyTorch's grid_sample in f64, and gradients its differentiation; boxes are kept by ONNX's reference; means of neighbours are
SciPy's, with the weights that OpenCV describes. Writes
cann-stubs/tests/data/interpolated.cases.

    python xtask/golden/interpolated.py
"""

import numpy as np
import torch
import torch.nn.functional as F
from scipy.ndimage import convolve1d

from cases import NULL, Cases, Floats, Formatted, Ints, Out, Sized, Tensor, Text, kind

NULLPTR, INVALID, UNTILED, NOT_EMULATED = 161001, 161002, 561002, 561003
F3 = ["f32", "f16", "bf16"]
cases = Cases()


def data(name, *shape, seed=0, low=-3.0, high=3.0):
    random = np.random.default_rng(seed + sum(map(ord, name)) + sum(shape))
    return random.uniform(low, high, shape).astype(kind(name))


def t(array):
    return torch.from_numpy(np.asarray(array).astype(np.float64))


def rounded(value, name):
    return np.asarray(value).astype(kind(name))


def near(name):
    return {"f32": 2e-5, "f16": 8e-3, "bf16": 8e-2}[name]


def sampled(image, y, x, padding="zeros"):
    """The numbers of an image [C, H, W] at places [N]: [C, N]."""
    height, width = image.shape[1:]
    grid = torch.stack([(2 * x + 1) / width - 1, (2 * y + 1) / height - 1], -1)
    return F.grid_sample(image[None], grid[None, None], padding_mode=padding, align_corners=False)[0, :, 0]


def roi_align(images, boxes, numbers, pooled, scale, ratio, aligned):
    shift = 0.5 if aligned else 0.0
    height, width = images.shape[2:]
    made = []
    for box, number in zip(boxes, numbers):
        left, top, right, bottom = (float(value) * scale - shift for value in box)
        tall, wide = bottom - top, right - left
        if not aligned:
            tall, wide = max(tall, 1.0), max(wide, 1.0)
        cells = tall / pooled[0], wide / pooled[1]
        counts = [ratio or int(np.ceil(cell)) for cell in cells]
        rows = top + (torch.arange(pooled[0] * counts[0]).double() + 0.5) * cells[0] / counts[0]
        columns = left + (torch.arange(pooled[1] * counts[1]).double() + 0.5) * cells[1] / counts[1]
        y, x = (axis.reshape(-1) for axis in torch.meshgrid(rows, columns, indexing="ij"))
        inside = (y >= -1) & (y <= height) & (x >= -1) & (x <= width)
        numbers_ = sampled(images[int(number)], y, x, "border") * inside
        numbers_ = numbers_.reshape(-1, pooled[0], counts[0], pooled[1], counts[1])
        made.append(numbers_.mean((2, 4)))
    return torch.stack(made)


def regions():
    for name in F3[:2]:
        images = data(name, 2, 3, 7, 9)
        boxes = np.array([[0.5, 1, 11, 8], [4, 3.25, 9, 12], [-6, -7, 3, 2], [30, 3, 35, 9]]).astype(kind(name))
        numbers = np.array([0, 1, 1, 0])
        joined = np.concatenate([numbers[:, None].astype(kind(name)), boxes], 1)
        for ratio in (0, 2):
            for aligned in (False, True):
                leaf = t(images).requires_grad_(True)
                y = roi_align(leaf, boxes, numbers, (2, 3), 0.5, ratio, aligned)
                args = [2, 3, 0.5, ratio, aligned]
                cases.add("RoiAlignV2", Tensor(images), Tensor(joined), *args, Out(rounded(y.detach(), name), within=near(name)))
                g = data(name, 4, 3, 2, 3, seed=1)
                y.backward(t(g))
                made = rounded(leaf.grad, name)
                cases.add("RoiAlignV2Backward", Tensor(g), Tensor(joined), Ints(images.shape), *args, Out(made, within=4 * near(name)))
            y = rounded(roi_align(t(images), boxes, numbers, (2, 3), 0.5, ratio, False), name)
            for integers in (np.int32, np.int64):
                cases.add("RoiAlign", Tensor(images), Tensor(boxes), Tensor(numbers.astype(integers)), Text("avg"), 2, 3, ratio, 0.5, Out(y, within=near(name)))
    head = [Tensor(images), Tensor(boxes), Tensor(numbers)]
    cases.add("RoiAlign", *head, Text("max"), 2, 3, 0, 0.5, Out(y), code=NOT_EMULATED)
    cases.add("RoiAlign", *head, Text("sum"), 2, 3, 0, 0.5, Out(y), code=INVALID)
    cases.add("RoiAlign", *head, Text("avg"), 2, 2, 0, 0.5, Out(y), code=INVALID)
    cases.add("RoiAlign", *head, NULL, 2, 3, 0, 0.5, Out(y), code=NULLPTR)
    cases.add("RoiAlign", *head[:2], Tensor(numbers[:3]), Text("avg"), 2, 3, 0, 0.5, Out(y), code=INVALID)
    cases.add("RoiAlignV2", Tensor(images), Tensor(boxes), *args, Out(y), code=INVALID)
    cases.add("RoiAlignV2", Tensor(images), Tensor(joined), 0, 3, 0.5, 0, True, Out(y), code=INVALID)
    cases.add("RoiAlignV2", NULL, Tensor(joined), *args, Out(y), code=NULLPTR)
    cases.add("RoiAlignV2Backward", Tensor(g), Tensor(joined), Ints([1, 3, 7, 9]), *args, Out(images), code=INVALID)
    cases.add("RoiAlignV2Backward", Tensor(g), NULL, Ints(images.shape), *args, Out(images), code=NULLPTR)


def attended(value, shapes, location, weight):
    batch, _, heads, width = value.shape
    queries, points = location.shape[1], location.shape[4]
    parts, start = 0, 0
    for level, (height, wide) in enumerate(shapes):
        map_ = value[:, start : start + height * wide].permute(0, 2, 3, 1).reshape(batch * heads, width, height, wide)
        start += height * wide
        grid = (2 * location[:, :, :, level] - 1).transpose(1, 2).reshape(batch * heads, queries, points, 2)
        picked = F.grid_sample(map_, grid, padding_mode="zeros", align_corners=False)
        parts = parts + (picked * weight[:, :, :, level].transpose(1, 2).reshape(batch * heads, 1, queries, points)).sum(-1)
    return parts.reshape(batch, heads, width, queries).permute(0, 3, 1, 2).reshape(batch, queries, heads * width)


def points():
    shapes = np.array([[3, 4], [2, 2]])
    starts = np.array([0, 12])
    for name in F3:
        value = data(name, 2, 16, 2, 3)
        location, weight = data(name, 2, 5, 2, 2, 3, 2, seed=1, low=-0.1, high=1.1), data(name, 2, 5, 2, 2, 3, seed=2, low=0, high=0.5)
        leaves = [t(array).requires_grad_(True) for array in (value, location, weight)]
        y = attended(leaves[0], shapes, leaves[1], leaves[2])
        for integers in (np.int32, np.int64):
            args = [Tensor(value), Tensor(shapes.astype(integers)), Tensor(starts.astype(integers)), Tensor(location), Tensor(weight)]
            cases.add("MultiScaleDeformableAttnFunction", *args, Out(rounded(y.detach(), name), within=near(name)))
        if name == "f32":
            g = data(name, 2, 5, 6, seed=3)
            y.backward(t(g))
            outs = [Out(rounded(leaf.grad, name), within=4e-5) for leaf in leaves]
            cases.add("MultiScaleDeformableAttentionGrad", *args, Tensor(g), *outs)
            none = [Tensor(value), *args[1:3], Tensor(location[:, :0].copy()), Tensor(weight[:, :0].copy())]
            empty = [Out(array) for array in (np.zeros_like(value), location[:, :0].copy(), weight[:, :0].copy())]
            cases.add("MultiScaleDeformableAttentionGrad", *none, Tensor(g[:, :0].copy()), *empty)
            cases.add("MultiScaleDeformableAttentionGrad", *args, Tensor(g[:1]), *outs, code=INVALID)
            cases.add("MultiScaleDeformableAttentionGrad", *args, NULL, *outs, code=NULLPTR)
    made = rounded(y.detach(), name)
    cases.add("MultiScaleDeformableAttnFunction", *args[:2], Tensor(starts[:1]), *args[3:], Out(made), code=INVALID)
    cases.add("MultiScaleDeformableAttnFunction", *args[:4], Tensor(weight[:1]), Out(made), code=INVALID)
    cases.add("MultiScaleDeformableAttnFunction", NULL, *args[1:], Out(made), code=NULLPTR)


def convolutions():
    for name in F3:
        for groups, parts, stride, dilation, padding in [(1, 1, (1, 1), (1, 1), (1, 1, 1, 1)), (2, 2, (2, 1), (1, 2), (0, 1, 2, 1))]:
            x, weight, bias = data(name, 2, 4, 6, 7), data(name, 6, 4 // groups, 3, 2, seed=1, low=-1, high=1), data(name, 6, seed=2)
            top, bottom, left, right = padding
            rows = (6 + top + bottom - 2 * dilation[0] - 1) // stride[0] + 1
            columns = (7 + left + right - dilation[1] - 1) // stride[1] + 1
            offset = data(name, 2, 3 * parts * 6, rows, columns, seed=3, low=-1.5, high=1.5)
            taps = t(offset).reshape(2, 3, parts, 6, rows, columns)
            own, wide = t(x).requires_grad_(), [t(weight).requires_grad_(), t(bias).requires_grad_()]
            taps.requires_grad_()
            moved = torch.zeros(2, 4, rows, 3, columns, 2, dtype=torch.float64)
            for n in range(2):
                for channel in range(4):
                    part = channel // (4 // parts)
                    for tap in range(6):
                        y = torch.arange(rows)[:, None] * stride[0] - top + tap // 2 * dilation[0] + taps[n, 1, part, tap]
                        z = torch.arange(columns)[None, :] * stride[1] - left + tap % 2 * dilation[1] + taps[n, 0, part, tap]
                        picked = sampled(own[n, channel][None], y.reshape(-1), z.reshape(-1))[0].reshape(rows, columns)
                        moved[n, channel, :, tap // 2, :, tap % 2] = picked * taps[n, 2, part, tap]
            moved = moved.reshape(2, 4, rows * 3, columns * 2)
            y = F.conv2d(moved, *wide, stride=(3, 2), groups=groups)
            grad = data(name, *y.shape, seed=4)
            y.backward(t(grad))
            y, moved = y.detach(), moved.detach()
            backward = (grad, y, moved, own.grad, wide[0].grad, taps.grad.reshape(offset.shape), wide[1].grad)
            lists = [Ints([3, 2]), Ints([1, 1, *stride]), Ints(padding), Ints([1, 1, *dilation]), groups, parts, True]
            made = Out(rounded(y, name), within=8 * near(name))
            args = [Tensor(x), Tensor(weight), Tensor(offset)]
            cases.add("DeformableConv2d", *args, Tensor(bias), *lists, made, Out(rounded(moved, name), within=near(name)))
            plain = Out(rounded(F.conv2d(moved, t(weight), stride=(3, 2), groups=groups), name), within=8 * near(name))
            cases.add("DeformableConv2d", *args, NULL, *lists, plain, NULL)
            grad, _, moved, *gradients = backward
            given = [args[0], Tensor(grad), Tensor(rounded(moved, name)), *args[1:], *lists]
            outs = [Out(rounded(x, name), within=near(name) * max(1.0, float(x.abs().max()))) for x in gradients]
            cases.add("DeformableConv2dBackward", *given, *outs, product="Ascend950")
            cases.add("DeformableConv2dBackward", *given, *outs[:3], NULL, product="Ascend950")
            cases.add("DeformableConv2dBackward", *given, *outs, code=INVALID)
    zeros = lambda *shape: np.zeros(shape, kind(name))
    row, plain_lists = [Ints([1, 1]), Ints([1] * 4)], [Ints([1] * 4), 1, 1, True]
    # Without channels there is the bias alone, and without images the gradients of weights are 0.
    nothing = [Tensor(zeros(1, 0, 2, 2)), Tensor(zeros(6, 0, 1, 1)), Tensor(zeros(1, 3, 2, 2))]
    spread = np.broadcast_to(bias[:, None, None], (1, 6, 2, 2))
    cases.add("DeformableConv2d", *nothing, Tensor(bias), *row, Ints([0] * 4), *plain_lists, Out(spread.copy()), NULL)
    cases.add("DeformableConv2d", *nothing, NULL, *row, Ints([0] * 4), *plain_lists, Out(zeros(1, 6, 2, 2)), Out(zeros(1, 0, 2, 2)))
    # All of an image is what stands around it.
    nothing = [Tensor(zeros(1, 2, 0, 1)), Tensor(zeros(6, 2, 1, 1) + 1), Tensor(zeros(1, 3, 2, 1))]
    cases.add("DeformableConv2d", *nothing, Tensor(bias), *row, Ints([1, 1, 0, 0]), *plain_lists, Out(spread[..., :1].copy()), Out(zeros(1, 2, 2, 1)))
    nothing = [Tensor(zeros(0, 2, 2, 2)), Tensor(zeros(0, 6, 2, 2)), Tensor(zeros(0, 2, 2, 2)), Tensor(zeros(6, 2, 1, 1) + 1), Tensor(zeros(0, 3, 2, 2))]
    empty = [Out(zeros(0, 2, 2, 2)), Out(zeros(6, 2, 1, 1)), Out(zeros(0, 3, 2, 2)), Out(zeros(6))]
    cases.add("DeformableConv2dBackward", *nothing, *row, Ints([0] * 4), *plain_lists, *empty, product="Ascend950")
    for place, wrong, code in [
        (0, Ints([3]), INVALID), (0, Ints([3, 3]), INVALID), (1, Ints([2, 1, 1, 1]), INVALID), (2, Ints([0, 0, 0, -1]), INVALID),
        (4, 3, INVALID), (5, 3, INVALID), (6, False, INVALID), (2, NULL, NULLPTR),
    ]:
        cases.add("DeformableConv2d", *args, NULL, *lists[:place], wrong, *lists[place + 1 :], plain, NULL, code=code)
    cases.add("DeformableConv2d", NULL, *args[1:], NULL, *lists, plain, NULL, code=NULLPTR)
    for place, wrong, code in [
        (0, NULL, NULLPTR), (2, NULL, NULLPTR), (1, Tensor(grad[:, :, 1:]), INVALID), (2, Tensor(rounded(moved[:, :, 1:], name)), INVALID), (5, Ints([3]), INVALID), (9, 3, INVALID),
        (11, False, INVALID), (13, Out(rounded(gradients[1][1:], name)), INVALID), (15, Out(rounded(gradients[3][1:], name)), INVALID),
    ]:
        now = [*given, *outs]
        now[place] = wrong
        cases.add("DeformableConv2dBackward", *now, code=code, product="Ascend950")
    cases.add("DeformableConv2d", *args, Tensor(bias[:3]), *lists, plain, NULL, code=INVALID)
    cases.add("DeformableConv2d", *args, Formatted("NCHW", Tensor(bias)), *lists, plain, NULL, code=INVALID)


def parts():
    for name in F3:
        for mode, grad in [(0, data(name, 6, 4)), (1, data(name, 3, 2, 4))]:
            places = np.array([2, 0, 5, -1, 3, 1], np.int32)
            rows = t(grad).reshape(-1, 4)
            for active in (0, 4):
                limit = active if active and mode == 0 else 99
                picked = [[rows[place] for place in pair if 0 <= place < limit] for pair in places.reshape(3, 2)]
                made = torch.stack([sum(pair, torch.zeros(4, dtype=torch.float64)) for pair in picked])
                cases.add("MoeInitRoutingV2Grad", Tensor(grad), Tensor(places), 2, mode, active, Out(rounded(made, name), 1))
        operator = "MoeInitRoutingV2Grad"
    cases.add(operator, Tensor(grad), Tensor(places), 3, 1, 0, Out(rounded(made, name)), code=UNTILED)
    cases.add(operator, Tensor(grad), Tensor(places), 2, 0, 0, Out(rounded(made, name)), code=UNTILED)
    cases.add(operator, Tensor(grad), Tensor(places.astype(np.int64)), 2, 1, 0, Out(rounded(made, name)), code=INVALID)
    cases.add(operator, Tensor(grad), NULL, 2, 1, 0, Out(rounded(made, name)), code=NULLPTR)


def nearest():
    for name in F3[:2]:
        images = data(name, 2, 3, 7, 9)
        boxes = np.array([[1, 0.5, 1, 11, 8], [0, 4, 3.25, 9, 12], [1, -6, -7, 3, 2], [0, 30, 30, 40, 40]]).astype(kind(name))
        made, places = np.zeros((4, 3, 2, 3), kind(name)), np.full((4, 3, 2, 3), -1, np.int32)
        for region, box in enumerate(boxes.astype(np.float64)):
            away = lambda value: np.sign(value) * np.floor(np.abs(value) + 0.5)
            x1, y1, x2, y2 = (away(value * scale) for value, scale in zip(box[1:], (0.75, 0.5, 0.75, 0.5)))
            tall, wide = max(y2 - y1 + 1, 1) / 2, max(x2 - x1 + 1, 1) / 3
            for row in range(2):
                for column in range(3):
                    top, bottom = (int(np.clip(v, 0, 7)) for v in (np.floor(row * tall) + y1, np.ceil((row + 1) * tall) + y1))
                    left, right = (int(np.clip(v, 0, 9)) for v in (np.floor(column * wide) + x1, np.ceil((column + 1) * wide) + x1))
                    part = images[int(box[0]), :, top:bottom, left:right]
                    if part.size:
                        flat = part.reshape(3, -1).astype(np.float64).argmax(1)
                        made[region, :, row, column] = np.take_along_axis(part.reshape(3, -1), flat[:, None], 1)[:, 0]
                        places[region, :, row, column] = (top + flat // (right - left)) * 9 + left + flat % (right - left)
        args = [Tensor(images), Tensor(boxes), 2, 3, 0.5, 0.75]
        cases.add("RoiPoolingWithArgMax", *args, Out(made), Out(places))
        first, second = data(name, 2, 5, 2), data(name, 2, 4, 2, seed=1)
        leaves = [t(array).requires_grad_(True) for array in (first, second)]
        distances = ((leaves[0][:, :, None] - leaves[1][:, None]) ** 2).sum(-1)
        idx1, idx2 = distances.argmin(2), distances.argmin(1)
        g1, g2 = data(name, 2, 5, seed=2), data(name, 2, 4, seed=3)
        total = (distances.min(2).values * t(g1)).sum() + (distances.min(1).values * t(g2)).sum()
        total.backward()
        outs = [Out(rounded(leaf.grad, name), within=16 * near(name)) for leaf in leaves]
        ids = [Tensor(idx.numpy().astype(np.int32)) for idx in (idx1, idx2)]
        cases.add("ChamferDistanceBackward", Tensor(first), Tensor(second), *ids, Tensor(g1), Tensor(g2), *outs)
    cases.add("RoiPoolingWithArgMax", *args, Out(made), Out(places.astype(np.int64)), code=INVALID)
    cases.add("RoiPoolingWithArgMax", *args[:2], 3, *args[3:], Out(made), Out(places), code=INVALID)
    cases.add("RoiPoolingWithArgMax", NULL, *args[1:], Out(made), Out(places), code=NULLPTR)
    cases.add("ChamferDistanceBackward", Tensor(first), Tensor(second), *ids[::-1], Tensor(g1), Tensor(g2), *outs, code=INVALID)
    cases.add("ChamferDistanceBackward", Tensor(first), NULL, *ids, Tensor(g1), Tensor(g2), *outs, code=NULLPTR)


def gates():
    for name in F3:
        x, g = t(data("f32", 4, 8)), data(name, 4, 3, seed=1)
        for kind_, renorm in [(0, 0), (0, 1), (1, 0), (1, 1)]:
            leaf = x.clone().requires_grad_(True)
            n = torch.softmax(leaf, -1) if kind_ == 0 else torch.sigmoid(leaf)
            places = n.topk(3).indices
            chosen = n.gather(1, places)
            y = 1.5 * (chosen / (chosen.sum(-1, keepdim=True) + 0.25) if kind_ or renorm else chosen)
            y.backward(t(g))
            scores = n.detach().numpy().astype(np.float32)
            args = [Tensor(scores), Tensor(g), Tensor(places.numpy().astype(np.int32)), renorm, kind_, 1.5, 0.25]
            cases.add("MoeGatingTopKBackward", *args, Out(rounded(leaf.grad, name), within=near(name) / 4))
    out = Out(rounded(leaf.grad, name))
    cases.add("MoeGatingTopKBackward", *args[:4], 2, *args[5:], out, code=UNTILED)
    cases.add("MoeGatingTopKBackward", *args[:2], Tensor(places.numpy()), *args[3:], out, code=INVALID)
    cases.add("MoeGatingTopKBackward", args[0], NULL, *args[2:], out, code=NULLPTR)


def networks():
    functions = {
        "gelu": lambda x: F.gelu(x, approximate="tanh"), "relu": F.relu, "silu": F.silu, "fastgelu": lambda x: x * torch.sigmoid(1.702 * x),
    }
    for name in F3[1:]:
        nothing = [NULL] * 8
        for activation, function in functions.items():
            x, w1, w2 = data(name, 5, 6), data(name, 6, 8, seed=1, low=-1, high=1), data(name, 8, 4, seed=2, low=-1, high=1)
            b1, b2 = data(name, 8, seed=3), data(name, 4, seed=4)
            made = Out(rounded(function(t(x) @ t(w1) + t(b1)) @ t(w2) + t(b2), name), within=8 * near(name))
            head = [Tensor(x), Tensor(w1), Tensor(w2)]
            cases.add("FFN", *head, NULL, Tensor(b1), Tensor(b2), *nothing, Text(activation), 0, made)
            cases.add("FFNV3", *head, NULL, Tensor(b1), Tensor(b2), *nothing, Text(activation.upper()), 0, False, made)
            plain = Out(rounded(function(t(x) @ t(w1)) @ t(w2), name), within=8 * near(name))
            cases.add("FFNV2", *head, NULL, NULL, NULL, *nothing, Text(activation), 1, True, plain)
        for activation, function in [("geglu", functions["gelu"]), ("swiglu", F.silu), ("reglu", F.relu)]:
            a, b = (t(x) @ t(w1)).chunk(2, -1)
            made = Out(rounded(function(a) * b @ t(w2[:4]), name), within=8 * near(name))
            cases.add("FFN", Tensor(x.reshape(5, 1, 6)), Tensor(w1), Tensor(w2[:4]), NULL, NULL, NULL, *nothing, Text(activation), 0, Out(made.array.reshape(5, 1, 4), made.ulps))
        w1, w2 = data(name, 3, 6, 8, seed=5, low=-1, high=1), data(name, 3, 8, 4, seed=6, low=-1, high=1)
        b1, b2 = data(name, 3, 8, seed=7), data(name, 3, 4, seed=8)
        sizes, ends = np.array([2, 0, 3]), np.array([2, 2, 5])
        rows = np.repeat(np.arange(3), sizes)
        made = torch.stack([F.silu(t(x[row]) @ t(w1[e]) + t(b1[e])) @ t(w2[e]) + t(b2[e]) for row, e in enumerate(rows)])
        made = Out(rounded(made, name), within=8 * near(name))
        head, biases = [Tensor(x), Tensor(w1), Tensor(w2)], [Tensor(b1), Tensor(b2)]
        cases.add("FFN", *head, Ints(sizes), *biases, *nothing, Text("silu"), 0, made)
        for is_ends, list_ in [(False, sizes), (True, ends)]:
            cases.add("FFNV2", *head, Ints(list_), *biases, *nothing, Text("silu"), 0, is_ends, made)
            cases.add("FFNV3", *head, Tensor(list_), *biases, *nothing, Text("silu"), 0, is_ends, made)
    tail = [Text("silu"), 0, made]
    cases.add("FFN", *head, Ints(sizes[:2]), *biases, *nothing, *tail, code=INVALID)
    cases.add("FFN", *head, NULL, *biases, *nothing, *tail, code=INVALID)
    cases.add("FFN", *head, Ints(sizes), *biases, *nothing, Text("tanh"), 0, made, code=INVALID)
    cases.add("FFN", *head, Ints(sizes), *biases, Tensor(b1), *nothing[1:], *tail, code=NOT_EMULATED)
    cases.add("FFN", NULL, *head[1:], Ints(sizes), *biases, *nothing, *tail, code=NULLPTR)
    cases.add("FFNV3", *head, Tensor(sizes.astype(np.int32)), *biases, *nothing, *tail[:2], False, made, code=INVALID)


def boxes():
    """Boxes that ONNX's reference keeps."""
    from onnx import TensorProto, helper
    from onnx.reference import ReferenceEvaluator

    random = np.random.default_rng(8)
    for name in ["f32", "f16"]:
        for images, classes, count, most, overlap, score, centred in [(1, 1, 6, [3], [0.3], [0.2], 0), (2, 3, 9, [4], [0.5], [], 1), (1, 2, 5, [99], [], [0.4], 0), (1, 1, 4, [2], [1.0], [0.0], 0)]:
            if centred:
                given = np.concatenate([random.integers(0, 40, (images, count, 2)), random.integers(4, 30, (images, count, 2))], -1) / 8
            else:
                given = random.integers(0, 40, (images, count, 4)) / 8
            given = given.astype(kind(name))
            # No two scores are equal.
            scores = (np.stack([random.permutation(count) for _ in range(images * classes)]).reshape(images, classes, count) / 16 + 0.0625).astype(kind(name))
            names = ["b", "s", "m", "i", "t"][: 5 if score else 4]
            node = helper.make_node("NonMaxSuppression", names, ["y"], center_point_box=centred)
            inputs = [helper.make_tensor_value_info(own, TensorProto.INT64 if own == "m" else TensorProto.FLOAT, None) for own in names]
            graph = helper.make_graph([node], "g", inputs, [helper.make_tensor_value_info("y", TensorProto.INT64, None)])
            feeds = {"b": given.astype(np.float32), "s": scores.astype(np.float32), "m": np.array(most), "i": np.array(overlap or [0.0], np.float32), "t": np.array(score, np.float32)}
            [kept] = ReferenceEvaluator(helper.make_model(graph)).run(None, {own: feeds[own] for own in names})
            room = images * classes * min(most[0], count)
            cases.add("NonMaxSuppression", Tensor(given), Tensor(scores), Ints(most), Floats(overlap), Floats(score), centred, Sized(kept.astype(np.int32).reshape(-1, 3), [room, 3]))
    f = np.float32
    good = dict(boxes=np.ones((1, 2, 4), f), scores=np.ones((1, 1, 2), f), most=Ints([2]), overlap=Floats([0.5]), score=Floats([0.5]), centred=0, out=np.zeros((2, 3), np.int32))

    def wrong(code=INVALID, **other):
        now = good | other
        operand = lambda key: NULL if now[key] is None else Tensor(now[key])
        cases.add("NonMaxSuppression", operand("boxes"), operand("scores"), now["most"], now["overlap"], now["score"], now["centred"], NULL if now["out"] is None else Out(now["out"]), code=code)

    for key in ["boxes", "scores", "out"]:
        wrong(NULLPTR, **{key: None})
    for key in ["most", "overlap", "score"]:
        wrong(NULLPTR, **{key: NULL})
    wrong(boxes=np.ones((1, 2, 4), np.float16))
    wrong(boxes=np.ones((1, 2, 5), f))
    wrong(scores=np.ones((1, 1, 3), f))
    wrong(scores=np.ones((2, 1, 2), f))
    wrong(most=Ints([1, 2]))
    wrong(overlap=Floats([1.5]))
    wrong(centred=2)
    wrong(out=np.zeros((3, 3), np.int32))
    wrong(out=np.zeros((2, 3), np.int64))


def blurs():
    """Means of neighbours, of images whose channels stand last."""
    tables = {1: [1], 3: [0.25, 0.5, 0.25], 5: np.array([1, 4, 6, 4, 1]) / 16, 7: np.array([1, 3.5, 7, 9, 7, 3.5, 1]) / 32}

    def kernel(count, sigma):
        if sigma <= 0 and count in tables:
            return np.asarray(tables[count], np.float64)
        sigma = sigma if sigma > 0 else 0.3 * ((count - 1) / 2 - 1) + 0.8
        weights = np.exp(-((np.arange(count) - (count - 1) / 2) ** 2) / (2 * sigma**2))
        return weights / weights.sum()

    for name in ["f32", "f16"]:
        for shape, sizes, sigmas in [((6, 7), (3, 5), (0.0, 0.0)), ((5, 4, 3), (5, 1), (1.25, 0.75)), ((4, 6, 2), (7, 9), (0.0, 0.0)), ((1, 9, 1), (9, 3), (2.0, 0.0))]:
            for border, mode in [(0, "constant"), (1, "nearest"), (2, "reflect"), (4, "mirror")]:
                x = data(name, *shape)
                across, down = kernel(sizes[0], sigmas[0]), kernel(sizes[1], sigmas[1] or sigmas[0])
                made = convolve1d(convolve1d(np.asarray(x, np.float64), across, axis=1, mode=mode), down, axis=0, mode=mode)
                cases.add("GaussianBlur", Tensor(x), Ints(sizes), *sigmas, border, Out(rounded(made, name), within=near(name) / 4))
    x = data("f32", 3, 4)
    for ksize, border, out, code in [([3], 4, x, INVALID), ([2, 3], 4, x, INVALID), ([3, -1], 4, x, INVALID), ([3, 4099], 4, x, INVALID), ([3, 3], 3, x, INVALID), ([3, 3], 4, x[:2], INVALID), ([3, 3], 4, x.astype(np.float16), INVALID)]:
        cases.add("GaussianBlur", Tensor(x), Ints(ksize), 0.0, 0.0, border, Out(out), code=code)
    cases.add("GaussianBlur", NULL, Ints([3, 3]), 0.0, 0.0, 4, Out(x), code=NULLPTR)
    cases.add("GaussianBlur", Tensor(x), NULL, 0.0, 0.0, 4, Out(x), code=NULLPTR)
    cases.add("GaussianBlur", Tensor(x[0]), Ints([3, 3]), 0.0, 0.0, 4, Out(x[0]), code=INVALID)
    cases.add("GaussianBlur", Tensor(x[:0]), Ints([3, 3]), 0.0, 0.0, 4, Out(x[:0]))


nearest()
gates()
networks()
regions()
points()
convolutions()
parts()
boxes()
blurs()
cases.write("interpolated")
