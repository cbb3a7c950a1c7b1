"""Cases of casts between storage formats: NumPy, by the definition of each format.

References: NumPy.
Elements are put where the format says, one after the other; the rest is zero. Tensors are of u32, whose outputs have no gaps, since
both tensors of a cast must be contiguous. Writes cann-stubs/tests/data/formats.cases.

    python xtask/golden/formats.py
"""

import itertools

import numpy as np

from cases import NULL, Cases, Formatted, Out, Tensor, kind

NULLPTR, INVALID, INNER = 161001, 161002, 561103
cases = Cases()


def blocks(size, of):
    return -(-size // of)


def private(name, x, letters, c0):
    """The elements of `x`, whose axes have these letters, in a private format."""
    if name == "FRACTAL_NZ":
        *outer, m, n = x.shape
        to = np.zeros((*outer, blocks(n, c0), blocks(m, 16), 16, c0), x.dtype)
        for index in itertools.product(*map(range, x.shape)):
            *lead, i, j = index
            to[(*lead, j // c0, i // 16, i % 16, j % c0)] = x[index]
        return to
    sizes = dict(zip(letters, x.shape))
    n, c, d, h, w = (sizes.get(letter, 1) for letter in "NCDHW")
    c1 = blocks(c, c0)
    to = np.zeros({"NC1HWC0": (n, c1, h, w, c0), "NDC1HWC0": (n, d, c1, h, w, c0)}.get(name, (d * c1 * h * w, blocks(n, 16), 16, c0)), x.dtype)
    for index in itertools.product(*map(range, x.shape)):
        at = dict(zip(letters, index))
        i, k, e, y, z = (at.get(letter, 0) for letter in "NCDHW")
        if name == "NC1HWC0":
            place = (i, k // c0, y, z, k % c0)
        elif name == "NDC1HWC0":
            place = (i, e, k // c0, y, z, k % c0)
        else:
            place = (((e * c1 + k // c0) * h + y) * w + z, i // 16, i % 16, k % c0)
        to[place] = x[index]
    return to


PAIRS = [
    ("ND", "FRACTAL_NZ", None, [(3, 5), (16, 8), (33, 17), (2, 17, 9), (2, 1, 16, 16), (1, 1)]),
    ("NCHW", "NC1HWC0", "NCHW", [(2, 3, 2, 2), (1, 16, 1, 3), (2, 19, 3, 1)]),
    ("NHWC", "NC1HWC0", "NHWC", [(2, 2, 2, 3), (1, 3, 2, 17)]),
    ("NCHW", "FRACTAL_Z", "NCHW", [(3, 3, 2, 2), (17, 9, 1, 3), (16, 8, 1, 1)]),
    ("HWCN", "FRACTAL_Z", "HWCN", [(2, 1, 9, 18)]),
    ("NCDHW", "NDC1HWC0", "NCDHW", [(2, 3, 2, 2, 2), (1, 17, 1, 2, 3)]),
    ("NDHWC", "NDC1HWC0", "NDHWC", [(2, 2, 1, 2, 9)]),
    ("NCDHW", "FRACTAL_Z_3D", "NCDHW", [(3, 3, 2, 2, 2), (17, 9, 2, 1, 2)]),
]
for plain, name, letters, shapes in PAIRS:
    for shape in shapes:
        x = np.arange(1, 1 + np.prod(shape), dtype=np.uint32).reshape(shape)
        for c0 in (8, 16):
            y = private(name, x, letters, c0)
            cases.add("NpuFormatCast", Formatted(plain, Tensor(x)), Formatted(name, Out(y)))
            cases.add("NpuFormatCast", Formatted(name, Tensor(y)), Formatted(plain, Out(x)))

# Elements are moved as they are, whatever their type is. C0 is 16 for types of two bytes, 8 for those of four, 32 for bytes.
for dtype, c0 in (("f32", 8), ("i32", 8), ("f16", 16), ("bf16", 16), ("i8", 32), ("u8", 32)):
    x = np.arange(1, 16).reshape(3, 5).astype(kind(dtype))
    y = private("FRACTAL_NZ", x, None, c0)
    cases.add("NpuFormatCast", Formatted("ND", Tensor(x)), Formatted("FRACTAL_NZ", Out(y)))
    cases.add("NpuFormatCast", Formatted("FRACTAL_NZ", Tensor(y)), Formatted("ND", Out(x)))

x = np.arange(15, dtype=np.uint32).reshape(3, 5)
y = private("FRACTAL_NZ", x, None, 8)
good = [Formatted("ND", Tensor(x)), Formatted("FRACTAL_NZ", Out(y))]
for position, argument, code in [
    (0, NULL, INNER), (1, NULL, INNER), (0, Formatted("ND", Tensor(x.astype(np.float64))), INVALID), (1, Formatted("FRACTAL_NZ", Out(y.astype(np.uint64))), INVALID),
    (0, Formatted("ND", Tensor(x.astype(np.int32))), INNER), (1, Formatted("NC1HWC0", Out(y)), INVALID), (1, Formatted("ND", Out(x)), INVALID),
    (1, Formatted("FRACTAL_NZ", Out(y[:, :, :15])), INVALID), (1, Formatted("FRACTAL_NZ", Out(y[..., :7])), INVALID), (0, Formatted("NHWC", Tensor(x)), INVALID),
]:
    arguments = list(good)
    arguments[position] = argument
    cases.add("NpuFormatCast", *arguments, code=code)
for product in ("Ascend910", "Ascend310P"):
    cases.add("NpuFormatCast", *good, code=INVALID, product=product)


def packed(x):
    """Codes of four bits, of which i32 holds eight, the first one in its lowest bits."""
    codes = (x.astype(np.int64) & 15).reshape(*x.shape[:-1], -1, 8)
    return (codes << 4 * np.arange(8)).sum(-1).astype(np.uint32).view(np.int32)


for shape in [(3, 8), (1, 16), (5, 72), (2, 3, 24)]:
    x = np.random.default_rng(sum(shape)).integers(-8, 8, size=shape).astype(np.int32)
    cases.add("ConvertWeightToINT4Pack", Formatted("ND", Tensor(x)), Out(packed(x)))
x = np.zeros((3, 16), np.int32)
good = [Tensor(x), Out(packed(x))]
for position, argument, code in [
    (0, NULL, NULLPTR), (1, NULL, NULLPTR), (0, Tensor(x.astype(np.float32)), INVALID), (0, Tensor(x.astype(np.int8)), INVALID),
    (1, Out(packed(x).astype(np.int8)), INVALID), (0, Tensor(x[0]), INVALID), (0, Tensor(x[None, None]), INVALID), (0, Tensor(x[:, :12]), INVALID),
    (0, Tensor(x[:2]), INVALID), (1, Out(packed(x)[:, :1]), INVALID), (0, Formatted("FRACTAL_NZ", Tensor(x)), INVALID), (0, Formatted("NCHW", Tensor(x)), INVALID), (0, Tensor(x.reshape(3, 2, 8)), INVALID),
    (1, Formatted("FRACTAL_NZ", Out(packed(x))), INVALID),
]:
    arguments = list(good)
    arguments[position] = argument
    cases.add("ConvertWeightToINT4Pack", *arguments, code=code)
for product in ("Ascend910", "Ascend310P"):
    cases.add("ConvertWeightToINT4Pack", *good, code=INVALID, product=product)
cases.write("formats")
