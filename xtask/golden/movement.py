"""Cases of the operators that move elements, by NumPy and PyTorch on the CPU.

Writes cann-stubs/tests/data/movement.cases. Lists of types and codes are retyped here from CANN's public description and
not read from the declarations.

References: NumPy, PyTorch.

    python xtask/golden/movement.py
"""

from itertools import product

import ml_dtypes
import numpy as np
import torch
import torch.nn.functional as F

from arithmetic import library
from cases import COMPLEX, INTEGERS, NULL, TYPES, UNSIGNED, Cases, InOut, Ints, Out, Scalar, Tensor, Tensors, kind, name_of, values

INVALID, NULLPTR, INNER_NULLPTR = 161002, 161001, 561103

FLOAT = ["f32", "f16", "bf16"]
FD = [*FLOAT, "f64"]
EVERY = [name for name in TYPES if not name.startswith("f8")]
NARROW = ["f32", "f16", "bf16", "i64", "i8", "i32", "u8", "bool"]

CAT = [*FD, *INTEGERS, "bool", "c64"]
STACK = [*FD, *INTEGERS, *UNSIGNED, "bool", *COMPLEX]
SPLIT = [*FD, *INTEGERS, "bool", *COMPLEX]
REPEAT = [*FD, *INTEGERS, "bool", *COMPLEX, *UNSIGNED]
INTERLEAVE = [*FLOAT, *INTEGERS, "bool"]
ROLL = ["f32", "f16", "bf16", "i8", "u8", "i16", "i32", "u32", "bool", "i64"]
FLIP = [*FD, *INTEGERS, "bool", *COMPLEX]
FLATTEN = [*FLOAT, *INTEGERS, *UNSIGNED, "bool"]
TRIANGLE = [*FD, *INTEGERS, *UNSIGNED, "bool"]
EYE = [*FLOAT, *INTEGERS, "bool"]
DIAG = [*FD, *INTEGERS, "bool", "c64"]
FILL_DIAGONAL = [*FD, *INTEGERS, "bool"]
FILL = [*FD, *INTEGERS, "bool", *COMPLEX]
REFLECTION = [*FD, *INTEGERS, "bool", *COMPLEX]
REPLICATION = [*FD, *INTEGERS, *COMPLEX]
CIRCULAR = ["f32", "f16", "bf16", "i32", "i8"]

cases = Cases()


def t(*shape, name="f32"):
    """A tensor whose elements differ, as far as the type has so many."""
    return values(name, int(np.prod(shape))).reshape(shape)


def number(*shape, name="i32"):
    return np.arange(int(np.prod(shape))).astype(kind(name)).reshape(shape)


def cast(x, name):
    """As Cast does: integers become halves by way of f32."""
    if name in ("f16", "bf16") and x.dtype.kind in "iub":
        x = x.astype(np.float32)
    return x.astype(kind(name))


def promote(a, b):
    return a if a == b else library(a, b)


def untouched(*shape, name="i32"):
    """An output as it is before."""
    size = np.dtype(kind(name)).itemsize
    return np.frombuffer(b"\xA5" * size * int(np.prod(shape)), kind(name)).reshape(shape)


def filled(like, value=0):
    return np.full(like.shape, value, like.dtype)


def add(operator, *arguments, code=0):
    cases.add(operator, *arguments, code=code)


def of_types(accepted, call):
    """Calls with a tensor of each type; those that are not accepted are refused."""
    for name in EVERY:
        call(name, 0 if name in accepted else INVALID)


def refused(operator, *arguments, code=INVALID):
    add(operator, *arguments, code=code)


def chunked():
    """CANN does not describe it: what is refused here is what PyTorch refuses."""
    lists = [([(4, 3), (6, 3)], 0, 2), ([(5, 3), (3, 2, 2), (1,)], 0, 3), ([(2, 5), (2, 3, 2), (2, 7)], 1, 4), ([(3, 4)], -1, 1), ([(2, 3)], 0, 5)]
    for shapes, dim, chunks in lists:
        for name, made in [("f32", "f32"), ("bf16", "f32"), ("i64", "i64"), ("bool", "bool"), ("c64", "c64"), ("f16", "f16")]:
            parts = [t(*shape, name=name) for shape in shapes]
            whole = [torch.from_numpy(cast(part, "f32") if name in ("bf16", "f16") else part) for part in parts]
            result = torch._chunk_cat(whole, dim, chunks).numpy().astype(kind(made))
            add("ChunkCat", Tensors(*map(Tensor, parts)), dim, chunks, Out(result))
    for name in ["f64", "i8", "u8", "i16", "u16", "i32", "u32", "u64", "c128"]:
        parts = [t(3, 2, name=name), t(2, 2, name=name)]
        # PyTorch moves few unsigned types: the bits are what counts.
        moved = [part.view(f"i{part.itemsize}") if part.dtype.kind == "u" else part for part in parts]
        result = torch._chunk_cat([torch.from_numpy(part) for part in moved], 0, 2).numpy().view(parts[0].dtype)
        add("ChunkCat", Tensors(*map(Tensor, parts)), 0, 2, Out(result))
    x, out = t(4, 3), np.zeros((2, 12), np.float32)
    x = x.astype(np.float32)
    good = [Tensors(Tensor(x), Tensor(x)), 0, 2, Out(out)]
    for position, argument, code in [
        (0, NULL, NULLPTR), (3, NULL, NULLPTR), (0, Tensors(), INVALID), (0, Tensors(Tensor(x), Tensor(x.astype(np.float64))), INVALID), (0, Tensors(Tensor(x), Tensor(x[:0])), INVALID),
        (1, 2, INVALID), (1, 1, INVALID), (2, 0, INVALID), (2, 3, INVALID), (3, Out(out[:, :11]), INVALID), (3, Out(out.astype(np.int32)), INVALID),
    ]:
        arguments = list(good)
        arguments[position] = argument
        add("ChunkCat", *arguments, code=code)


def cat():
    of_types(CAT, lambda name, code: add(
        "Cat", Tensors(Tensor(t(2, 3, name=name)), Tensor(t(2, 1, name=name))), 1,
        Out(np.concatenate([t(2, 3, name=name), t(2, 1, name=name)], 1)), code=code))
    # Promotion, one after the other; the result is converted to the output.
    for names in product(["f32", "f16", "bf16", "i32", "u8", "bool", "c64", "f64", "i64"], repeat=2):
        joined = promote(names[1], names[0])
        parts = [t(3, 2, name=name) if name not in FD else values(name, 6, special=False).reshape(3, 2) for name in names]
        code = 0 if joined in CAT else INVALID
        y = np.concatenate([cast(part, joined) for part in parts] if code == 0 else [parts[0], parts[0]])
        add("Cat", Tensors(*map(Tensor, parts)), 0, Out(y), code=code)
    x, y, z = number(2, 2), values("f16", 4, special=False).reshape(2, 2), number(2, 2, name="u8")
    add("Cat", Tensors(Tensor(x), Tensor(y), Tensor(z)), -2, Out(np.concatenate([x.astype(np.float32).astype(np.float16), y, z.astype(np.float16)])))
    add("Cat", Tensors(Tensor(x), Tensor(x)), 0, Out(np.concatenate([x, x]).astype(np.float64)))
    refused("Cat", Tensors(Tensor(x), Tensor(y)), 0, Out(np.concatenate([x, x])))
    refused("Cat", Tensors(Tensor(t(2, 2, name="f64")), Tensor(t(2, 2, name="c64"))), 0, Out(t(4, 2, name="c64")))
    # Eight axes, negative axes, one tensor.
    shape = (2, 1, 2, 1, 3, 1, 1, 2)
    for dim in (0, 4, -1, -8):
        add("Cat", Tensors(Tensor(number(*shape)), Tensor(number(*shape))), dim, Out(np.concatenate([number(*shape)] * 2, dim)))
    add("Cat", Tensors(Tensor(t(2, 3))), 0, Out(t(2, 3)))
    add("Cat", Tensors(Tensor(number(2, 3))), 0, Out(number(2, 3).astype(np.float32)))
    refused("Cat", Tensors(Tensor(t(2, 3))), 0, Out(t(3, 2)), code=INNER_NULLPTR)
    # Vectors without elements are dropped, whatever their type; other empty tensors are not.
    empty = Tensor(np.zeros(0, np.complex128))
    add("Cat", Tensors(empty, Tensor(t(2, 3))), 0, Out(t(2, 3)))
    add("Cat", Tensors(empty, Tensor(t(2, 3)), Tensor(t(1, 3))), 0, Out(np.concatenate([t(2, 3), t(1, 3)])))
    add("Cat", Tensors(Tensor(t(0, 3)), Tensor(t(2, 3)), Tensor(t(1, 3))), 0, Out(np.concatenate([t(2, 3), t(1, 3)])))
    refused("Cat", Tensors(Tensor(t(0, 2)), Tensor(t(2, 3))), 0, Out(t(2, 3)))
    refused("Cat", Tensors(Tensor(np.zeros((0, 3), np.complex128)), Tensor(t(2, 3))), 0, Out(t(2, 3)))
    add("Cat", Tensors(Tensor(t(0, 3)), Tensor(t(0, 3))), 0, Out(t(0, 3)))
    add("Cat", Tensors(empty), 0, NULL)
    add("Cat", Tensors(), 7, NULL)
    # Any output of one element; axes that do not exist; shapes that differ.
    add("Cat", Tensors(Tensor(t(1, 0)), Tensor(t(1, 0)), Tensor(t(1, 1))), 1, Out(t(1)))
    for dim in (2, -3):
        refused("Cat", Tensors(Tensor(t(2, 3)), Tensor(t(2, 3))), dim, Out(t(4, 3)))
    refused("Cat", Tensors(Tensor(t(2, 3)), Tensor(t(2, 4))), 0, Out(t(4, 3)))
    refused("Cat", Tensors(Tensor(t(2, 3)), Tensor(t(3))), 0, Out(t(3, 3)))
    refused("Cat", Tensors(Tensor(t()), Tensor(t())), 0, Out(t(2)))
    refused("Cat", Tensors(Tensor(t(2, 3)), Tensor(t(2, 3))), 0, Out(t(2, 6)))
    refused("Cat", Tensors(Tensor(t(*(1,) * 9)), Tensor(t(*(1,) * 9))), 0, Out(t(2, *(1,) * 8)))
    refused("Cat", NULL, 0, Out(t(1)), code=NULLPTR)
    refused("Cat", Tensors(Tensor(t(2)), NULL), 0, Out(t(4)), code=NULLPTR)
    refused("Cat", Tensors(Tensor(t(2)), Tensor(t(2))), 0, NULL, code=NULLPTR)


def stack():
    of_types(STACK, lambda name, code: add(
        "Stack", Tensors(Tensor(t(2, 3, name=name)), Tensor(t(2, 3, name=name))), 1,
        Out(np.stack([t(2, 3, name=name)] * 2, 1)), code=code))
    x, y = number(2, 3), values("f16", 6, special=False).reshape(2, 3)
    for dim in range(-3, 3):
        add("Stack", Tensors(Tensor(x), Tensor(y), Tensor(x)), dim, Out(np.stack([cast(x, "f16"), y, cast(x, "f16")], dim)))
    add("Stack", Tensors(Tensor(t()), Tensor(t())), 0, Out(np.stack([t(), t()])))
    add("Stack", Tensors(Tensor(t())), -1, Out(t(1, 1)))
    add("Stack", Tensors(Tensor(t(*(1,) * 7, 2)), Tensor(t(*(1,) * 7, 2))), -1, Out(np.stack([t(*(1,) * 7, 2)] * 2, -1)))
    add("Stack", Tensors(Tensor(t(0, 3)), Tensor(t(0, 3))), 0, Out(untouched(5, name="f32")))
    refused("Stack", Tensors(Tensor(x), Tensor(y)), 3, Out(np.stack([y, y])))
    refused("Stack", Tensors(Tensor(x), Tensor(y)), 0, Out(np.stack([x, x])))
    refused("Stack", Tensors(Tensor(x), Tensor(number(3, 2))), 0, Out(np.stack([x, x])))
    refused("Stack", Tensors(Tensor(x), Tensor(x)), 0, Out(np.stack([x, x], 2)))
    refused("Stack", NULL, 0, Out(x), code=INNER_NULLPTR)
    refused("Stack", Tensors(Tensor(x), Tensor(x)), 0, NULL, code=INNER_NULLPTR)
    refused("Stack", Tensors(Tensor(x), NULL), 0, Out(np.stack([x, x])), code=NULLPTR)


def split():
    def both(x, sections, dim, **more):
        parts = np.split(x, range(sections, x.shape[dim], sections), dim)
        add("SplitTensor", Tensor(x), sections, dim, Tensors(*map(Out, parts)), **more)
        add("SplitWithSize", Tensor(x), Ints(part.shape[dim] for part in parts), dim, Tensors(*map(Out, parts)), **more)

    of_types(SPLIT, lambda name, code: both(t(5, 2, name=name), 2, 0, code=code))
    for dim, sections in [(0, 1), (1, 2), (-1, 3), (-3, 4), (1, 7)]:
        both(number(4, 3, 5), sections, dim)
    both(number(1, 2, 1, 1, 2, 1, 1, 2), 1, -1)
    # An output may have another type, and in one operator all have the same.
    x = number(3, 2)
    add("SplitWithSize", Tensor(x), Ints([1, 0, 2]), 0, Tensors(Out(x[:1].astype(np.int8)), Out(x[:0]), Out(cast(x[1:], "f16"))))
    refused("SplitTensor", Tensor(x), 2, 0, Tensors(Out(x[:2].astype(np.int8)), Out(x[2:])))
    add("SplitTensor", Tensor(values("f32", 8, special=False)), 4, 0, Tensors(Out(values("f32", 8, special=False)[:4].astype(np.int32)), Out(values("f32", 8, special=False)[4:].astype(np.int32))))
    # Whole tensors are copied, and their shape is compared late.
    add("SplitTensor", Tensor(x), 3, 0, Tensors(Out(x)))
    refused("SplitTensor", Tensor(x), 3, 0, Tensors(Out(x.T)), code=INNER_NULLPTR)
    refused("SplitTensor", Tensor(x), 4, 0, Tensors(Out(x.T)))
    refused("SplitWithSize", Tensor(x), Ints([3]), 0, Tensors(Out(x.T)), code=INNER_NULLPTR)
    many = number(33, 2)
    refused("SplitTensor", Tensor(many), 1, 0, Tensors(*[Out(many[0])] * 33), code=INNER_NULLPTR)
    both(many, 1, 0)
    refused("SplitTensor", Tensor(x), 1, 0, Tensors(*[Out(x[:, :1])] * 3))
    refused("SplitTensor", Tensor(x), 1, 0, Tensors(Out(x[:1]), Out(x[:1])))
    refused("SplitTensor", Tensor(x), 0, 0, Tensors(Out(x)))
    refused("SplitTensor", Tensor(x[:0]), 1, 0, Tensors(Out(x[:0])))
    add("SplitTensor", Tensor(x[:0]), 0, 0, Tensors(Out(x[:0])))
    add("SplitTensor", Tensor(x[:0]), 1, 1, Tensors(Out(x[:0]), Out(x[:0])))
    refused("SplitTensor", Tensor(x), 1, 2, Tensors(Out(x)))
    refused("SplitTensor", Tensor(t()), 1, 0, Tensors(Out(t())))
    refused("SplitWithSize", Tensor(x), Ints([1, 1]), 0, Tensors(Out(x[:1]), Out(x[:1])))
    refused("SplitWithSize", Tensor(x), Ints([1, 2]), 0, Tensors(Out(x[:1])))
    refused("SplitWithSize", Tensor(x), Ints([4, -1]), 0, Tensors(Out(x), Out(x[:0])))
    refused("SplitWithSize", Tensor(x), Ints([1, 2]), 0, Tensors(Out(x[:1]), NULL), code=NULLPTR)
    refused("SplitWithSize", Tensor(x), NULL, 0, Tensors(Out(x)), code=NULLPTR)
    refused("SplitTensor", NULL, 1, 0, Tensors(Out(x)), code=NULLPTR)
    refused("SplitTensor", Tensor(x), 1, 0, NULL, code=NULLPTR)


def slices():
    of_types(NARROW, lambda name, code: add("Slice", Tensor(t(5, 2, name=name)), 0, 1, 5, 2, Out(t(5, 2, name=name)[1:5:2]), code=code))
    of_types(NARROW, lambda name, code: add(
        "SliceV2", Tensor(t(5, 4, name=name)), Ints([1, 0]), Ints([5, -1]), Ints([0, -1]), Ints([2, 2]), Out(t(5, 4, name=name)[1:5:2, :-1:2]), code=code))
    x = number(4, 3, 5)
    for dim, start, end, step in [(0, 0, 4, 1), (1, -2, 100, 1), (2, -100, -1, 2), (-1, 1, 5, 3), (-3, 3, 1, 1), (0, 7, 9, 1)]:
        index = [slice(None)] * 3
        index[dim] = slice(start, end, step)
        add("Slice", Tensor(x), dim, start, end, step, Out(x[tuple(index)]))
    y = number(10)
    add("Slice", Tensor(y), 0, -3, 100, 2, Out(y[[7, 9]]))
    add("Slice", Tensor(y), 0, 5, 2, 1, Out(y[:0]))
    for step in (0, -1):
        refused("Slice", Tensor(y), 0, 0, 10, step, Out(y))
    refused("Slice", Tensor(y), 1, 0, 10, 1, Out(y))
    refused("Slice", Tensor(t()), 0, 0, 1, 1, Out(t()))
    refused("Slice", Tensor(y), 0, 0, 9, 1, Out(y))
    refused("Slice", Tensor(y), 0, 0, 10, 1, Out(y.astype(np.int64)))
    refused("Slice", NULL, 0, 0, 10, 1, Out(y), code=NULLPTR)
    add("SliceV2", Tensor(x), Ints([1]), Ints([-1]), Ints([2]), Ints([2]), Out(x[:, :, 1:-1:2]))
    add("SliceV2", Tensor(x), Ints([]), Ints([]), Ints([]), Ints([]), Out(x))
    add("SliceV2", Tensor(t()), Ints([]), Ints([]), Ints([]), Ints([]), Out(t()))
    refused("SliceV2", Tensor(x), Ints([0, 0]), Ints([1, 1]), Ints([0, -3]), Ints([1, 1]), Out(x[:1]))
    refused("SliceV2", Tensor(x), Ints([0]), Ints([1, 1]), Ints([0, 1]), Ints([1, 1]), Out(x[:1, :1]))
    refused("SliceV2", Tensor(x), Ints([0]), Ints([1]), Ints([0]), Ints([0]), Out(x[:1]))
    refused("SliceV2", Tensor(x), Ints([0]), Ints([1]), Ints([3]), Ints([1]), Out(x[:1]))
    refused("SliceV2", Tensor(x), NULL, Ints([1]), Ints([0]), Ints([1]), Out(x[:1]), code=NULLPTR)


def permute():
    of_types(STACK, lambda name, code: add("Permute", Tensor(t(2, 3, name=name)), Ints([1, 0]), Out(t(2, 3, name=name).T), code=code))
    x = number(2, 3, 4, 5)
    for dims in [(0, 1, 2, 3), (3, 2, 1, 0), (0, -1, 1, 2), (-2, 0, 3, 1)]:
        add("Permute", Tensor(x), Ints(dims), Out(x.transpose(dims)))
    deep = number(2, 1, 3, 1, 2, 2, 1, 2)
    add("Permute", Tensor(deep), Ints([7, 0, 6, 1, 5, 2, 4, 3]), Out(deep.transpose(7, 0, 6, 1, 5, 2, 4, 3)))
    add("Permute", Tensor(t()), Ints([]), Out(t()))
    add("Permute", Tensor(t(1, 1)), Ints([1, 0]), Out(t(1, 1)))
    add("Permute", Tensor(t(0, 3)), Ints([1, 0]), Out(t(0, 7)))
    refused("Permute", Tensor(t(0, 3)), Ints([1, 0]), Out(t(3, 1)), code=INNER_NULLPTR)
    y = number(2, 3)
    for dims in ([0, -2], [0, 2], [0, -3], [0], [0, 1, 1]):
        refused("Permute", Tensor(y), Ints(dims), Out(y))
    refused("Permute", Tensor(y), Ints([1, 0]), Out(y))
    refused("Permute", Tensor(y), Ints([1, 0]), Out(y.T.astype(np.int64)))
    refused("Permute", Tensor(number(*(1,) * 9)), Ints(range(9)), Out(number(*(1,) * 9)))
    refused("Permute", Tensor(y), NULL, Out(y), code=NULLPTR)


def repeats():
    of_types(REPEAT, lambda name, code: add("Repeat", Tensor(t(2, 3, name=name)), Ints([2, 2]), Out(np.tile(t(2, 3, name=name), (2, 2))), code=code))
    x = number(2, 1, 3)
    for counts in [(1, 1, 1), (2, 3, 1), (3, 1, 1, 2), (1, 2, 1, 2, 1, 3, 1, 1)]:
        add("Repeat", Tensor(x), Ints(counts), Out(torch.tensor(x).repeat(counts).numpy()))
    add("Repeat", Tensor(t()), Ints([]), Out(t()))
    add("Repeat", Tensor(t()), Ints([3, 2]), Out(np.tile(t(), (3, 2))))
    add("Repeat", Tensor(x), Ints([2, 0, 1]), Out(untouched(5)))
    add("Repeat", Tensor(x[:0]), Ints([2, 1, 1]), Out(untouched(5)))
    add("Repeat", Tensor(x), Ints([2, 2, 2]), Out(number(0, 4)))
    refused("Repeat", Tensor(x), Ints([2, 2]), Out(x))
    refused("Repeat", Tensor(x), Ints([1] * 9), Out(x))
    refused("Repeat", Tensor(x), Ints([1, 1, -1]), Out(x))
    refused("Repeat", Tensor(x), Ints([2, 1, 1]), Out(x))
    refused("Repeat", Tensor(t()), Ints([1]), Out(t()))
    refused("Repeat", Tensor(x), NULL, Out(x), code=NULLPTR)

    of_types(NARROW, lambda name, code: add("Expand", Tensor(t(2, 1, name=name)), Ints([3, 2, 4]), Out(np.broadcast_to(t(2, 1, name=name), (3, 2, 4))), code=code))
    add("Expand", Tensor(t()), Ints([]), Out(t()))
    add("Expand", Tensor(t(1)), Ints([2, 1, 2, 1, 2, 1, 1, 3]), Out(np.broadcast_to(t(1), (2, 1, 2, 1, 2, 1, 1, 3))))
    add("Expand", Tensor(t(1, 3)), Ints([0, 3]), Out(t(0, 3)))
    y = number(3, 1)
    for size in ([2, -1, 4], [3], [2, 4], [3, 4, 1]):
        refused("Expand", Tensor(y), Ints(size), Out(np.broadcast_to(y, (2, 3, 4))))
    refused("Expand", Tensor(y), Ints([2, 3, 4]), Out(np.broadcast_to(y, (3, 4))))
    refused("Expand", Tensor(number(2)), Ints([1] * 8 + [2]), Out(number(*(1,) * 8, 2)))
    refused("Expand", Tensor(y), NULL, Out(y), code=NULLPTR)

    of_types(FILL, lambda name, code: add("InplaceFillTensor", InOut(t(2, 3, name=name), cast(np.full((2, 3), 3), name)), Tensor(np.array([3], np.int32)), code=code))
    add("InplaceFillTensor", InOut(number(4), filled(number(4), 2)), Tensor(np.array(2.75, np.float32)))
    add("InplaceFillTensor", InOut(number(0), number(0)), Tensor(np.array(2.75, np.float32)))
    refused("InplaceFillTensor", InOut(number(4), number(4)), Tensor(number(1, 1)))
    refused("InplaceFillTensor", InOut(number(4), number(4)), Tensor(number(2)))
    refused("InplaceFillTensor", NULL, Tensor(number(1)), code=NULLPTR)


def interleave():
    counts = np.array([2, 0, 3])

    def call(name, code):
        x = t(3, 2, name=name)
        add("RepeatInterleaveWithDim", Tensor(x), Tensor(counts), 0, 5, Out(np.repeat(x, counts, 0)), code=code)
        add("RepeatInterleaveIntWithDim", Tensor(x), 2, -1, 4, Out(np.repeat(x, 2, 1)), code=code)
        add("RepeatInterleave", Tensor(x), Tensor(np.array([3], np.int32)), 18, Out(np.repeat(x, 3)), code=code)
        add("RepeatInterleaveInt", Tensor(x), 2, 12, Out(np.repeat(x, 2)), code=code)
    of_types(INTERLEAVE, call)
    x = number(2, 3, 4)
    for dim, each in [(0, [1, 2]), (1, [0, 0, 4]), (-1, [1, 0, 2, 1]), (2, [3])]:
        y = np.repeat(x, each, dim)
        add("RepeatInterleaveWithDim", Tensor(x), Tensor(np.array(each, np.int32)), dim, y.shape[dim], Out(y))
        add("RepeatInterleaveIntWithDim", Tensor(x), 3, dim, 3 * x.shape[dim], Out(np.repeat(x, 3, dim)))
    each = np.arange(24) % 3
    add("RepeatInterleave", Tensor(x), Tensor(each), int(each.sum()), Out(np.repeat(x, each)))
    add("RepeatInterleave", Tensor(t()), Tensor(np.array(2)), 2, Out(np.repeat(t(), 2)))
    for count in (1, 4):
        add("RepeatInterleaveInt", Tensor(x), count, 24 * count, Out(np.repeat(x, count)))
    # One repetition is a copy, whose size is compared late and outputSize not at all.
    add("RepeatInterleaveInt", Tensor(x), 1, 7, Out(x.ravel()))
    refused("RepeatInterleaveInt", Tensor(x), 1, 24, Out(x.ravel()[:3]), code=INNER_NULLPTR)
    add("RepeatInterleaveIntWithDim", Tensor(x), 1, 0, 7, Out(x))
    refused("RepeatInterleaveIntWithDim", Tensor(x), 1, 0, 7, Out(x[:1]), code=INNER_NULLPTR)
    # Nothing to do.
    add("RepeatInterleave", Tensor(x[:0]), Tensor(np.array([2])), 5, Out(untouched(5)))
    add("RepeatInterleave", Tensor(x), Tensor(np.array([0])), 0, Out(number(0)))
    add("RepeatInterleaveInt", Tensor(x), 0, 0, Out(number(0)))
    add("RepeatInterleaveIntWithDim", Tensor(x), 0, 1, 0, Out(untouched(5)))
    add("RepeatInterleaveWithDim", Tensor(x[:0]), Tensor(np.array([2])), 1, 6, Out(untouched(5)))
    refused("RepeatInterleave", Tensor(x), Tensor(np.zeros(0, np.int64)), 24, Out(number(24)))
    refused("RepeatInterleave", Tensor(x), Tensor(np.ones(2, np.int64)), 24, Out(number(24)))
    refused("RepeatInterleave", Tensor(x), Tensor(np.ones((1, 1), np.int64)), 24, Out(number(24)))
    refused("RepeatInterleave", Tensor(x), Tensor(np.ones(1, np.int16)), 24, Out(number(24)))
    refused("RepeatInterleave", Tensor(x), Tensor(np.ones(1, np.int64)), 24, Out(number(23)))
    refused("RepeatInterleave", Tensor(x), NULL, 24, Out(number(24)), code=NULLPTR)
    refused("RepeatInterleaveInt", Tensor(x), -1, 24, Out(number(24)))
    refused("RepeatInterleaveIntWithDim", Tensor(x), 2, 3, 4, Out(x))
    refused("RepeatInterleaveIntWithDim", Tensor(t()), 2, 0, 2, Out(t(2)))
    refused("RepeatInterleaveWithDim", Tensor(x), Tensor(counts), 0, 5, Out(x))
    for name in ("i32", "i64"):
        add("RepeatInterleaveTensor", Tensor(counts.astype(kind(name))), 5, Out(np.repeat(np.arange(3), counts).astype(kind(name))))
        add("RepeatInterleaveTensor", Tensor(np.zeros((0, 2), kind(name))), 5, Out(untouched(5, name=name)))
    refused("RepeatInterleaveTensor", Tensor(counts), 5, Out(number(5)))
    refused("RepeatInterleaveTensor", Tensor(counts), 5, Out(number(4, name="i64")))
    refused("RepeatInterleaveTensor", Tensor(counts.astype(np.int16)), 5, Out(number(5, name="i16")))
    refused("RepeatInterleaveTensor", Tensor(counts[None]), 5, Out(number(5, name="i64")))


def reorder():
    of_types(ROLL, lambda name, code: add("Roll", Tensor(t(3, 4, name=name)), Ints([1, -1]), Ints([0, 1]), Out(np.roll(t(3, 4, name=name), (1, -1), (0, 1))), code=code))
    x = number(3, 2, 4)
    for shifts, dims in [([2], [0]), ([-9], [-1]), ([1, 1, 1], [0, 1, 2]), ([1, 2], [2, 2]), ([0], [1]), ([5], []), ([-1], []), ([24], [])]:
        add("Roll", Tensor(x), Ints(shifts), Ints(dims), Out(torch.roll(torch.tensor(x), shifts, dims).numpy() if dims else np.roll(x, shifts[0])))
    deep = number(2, 1, 3, 1, 2, 2, 1, 2)
    add("Roll", Tensor(deep), Ints([1] * 8), Ints(range(8)), Out(np.roll(deep, [1] * 8, range(8))))
    add("Roll", Tensor(t()), Ints([3]), Ints([]), Out(t()))
    add("Roll", Tensor(t(0, 3)), Ints([3]), Ints([9]), Out(t(0, 3)))
    refused("Roll", Tensor(t()), Ints([1]), Ints([0]), Out(t()))
    for shifts, dims in [([], []), ([1, 2], []), ([1], [0, 1]), ([1], [3]), ([1], [-4])]:
        refused("Roll", Tensor(x), Ints(shifts), Ints(dims), Out(x))
    refused("Roll", Tensor(x), Ints([1]), Ints([0]), Out(x[:2]))
    refused("Roll", Tensor(x), Ints([1]), NULL, Out(x), code=NULLPTR)

    of_types(FLIP, lambda name, code: add("Flip", Tensor(t(3, 4, name=name)), Ints([0]), Out(np.flip(t(3, 4, name=name), 0)), code=code))
    for dims in [(0, 1, 2), (-1,), (1, 0), (-3, 2)]:
        add("Flip", Tensor(x), Ints(dims), Out(np.flip(x, dims)))
    add("Flip", Tensor(x), Ints([]), Out(x))
    add("Flip", Tensor(deep), Ints(range(8)), Out(np.flip(deep)))
    add("Flip", Tensor(t()), Ints([-1]), Out(t()))
    add("Flip", Tensor(t(0, 3)), Ints([1]), Out(t(0, 3)))
    for dims in ([0, -3], [3], [-4]):
        refused("Flip", Tensor(x), Ints(dims), Out(x))
    refused("Flip", Tensor(x), Ints([0]), Out(x[:2]))
    refused("Flip", Tensor(x), Ints([0]), Out(x.astype(np.int64)))

    of_types(FLATTEN, lambda name, code: add("Flatten", Tensor(t(2, 3, 2, name=name)), 1, Out(t(2, 3, 2, name=name).reshape(2, 6)), code=code))
    for axis in (-3, -2, -1, 0, 1, 2):
        add("Flatten", Tensor(x), axis, Out(x.reshape(int(np.prod(x.shape[:axis % 3])), -1)))
    add("Flatten", Tensor(t()), -1, Out(t(1, 1)))
    add("Flatten", Tensor(t(3)), 0, Out(t(1, 3)))
    add("Flatten", Tensor(t(0, 3)), 1, Out(t(0, 3)))
    refused("Flatten", Tensor(x), 3, Out(x.reshape(24, 1)))
    refused("Flatten", Tensor(x), 1, Out(x.reshape(6, 4)))
    refused("Flatten", Tensor(x), 0, Out(x.ravel()))

    of_types(SPLIT, lambda name, code: add("ChannelShuffle", Tensor(t(2, 4, 1, name=name)), 2, Out(t(2, 4, 1, name=name)[:, [0, 2, 1, 3]]), code=code))
    for shape, groups in [((2, 6, 3), 3), ((1, 6, 2, 2), 2), ((1, 4, 1, 2, 1, 2, 2), 4), ((1, 4, 2), 1)]:
        y = number(*shape)
        add("ChannelShuffle", Tensor(y), groups, Out(torch.channel_shuffle(torch.tensor(y), groups).numpy()))
    add("ChannelShuffle", Tensor(number(0, 4, 2)), 2, Out(number(0, 4, 2)))
    for shape, groups in [((2, 6, 3), 4), ((2, 6, 3), 0), ((2, 6, 3), -1), ((2, 6), 2), ((1, 2, 1, 1, 1, 1, 1, 1), 2)]:
        refused("ChannelShuffle", Tensor(number(*shape)), groups, Out(number(*shape)))


def triangles():
    for operator, function in [("Tril", np.tril), ("Triu", np.triu)]:
        def call(name, code):
            x = t(3, 4, name=name)
            add(operator, Tensor(x), 0, Out(function(x).astype(x.dtype)), code=code)
            add("Inplace" + operator, InOut(x, function(x, 1).astype(x.dtype)), 1, code=code)
        of_types(TRIANGLE, call)
        x = number(2, 4, 3) + 1
        for diagonal in (-9, -2, -1, 0, 1, 2, 9, 2**63 - 1, -(2**63)):
            near = max(min(diagonal, 9), -9)
            add(operator, Tensor(x), diagonal, Out(function(x, near)))
            add("Inplace" + operator, InOut(x, function(x, near)), diagonal)
        deep = number(2, 1, 2, 1, 2, 1, 3, 3)
        add(operator, Tensor(deep), 0, Out(function(deep)))
        add(operator, Tensor(t(0, 3)), 0, Out(t(0, 3)))
        refused(operator, Tensor(t(3)), 0, Out(t(3)))
        refused(operator, Tensor(t()), 0, Out(t()))
        refused(operator, Tensor(x), 0, Out(x[:1]))
        refused(operator, Tensor(x), 0, Out(x.astype(np.int64)))
        refused(operator, NULL, 0, Out(x), code=NULLPTR)
    add("Triu", Tensor(t(0)), 0, Out(t(0)))
    refused("Tril", Tensor(t(0)), 0, Out(t(0)))


def diagonals():
    of_types(EYE, lambda name, code: add("Eye", 2, 3, Out(np.eye(2, 3).astype(kind(name))), code=code))
    for rows, columns in [(3, 3), (4, 2), (1, 1), (0, 3), (3, 0)]:
        add("Eye", rows, columns, Out(np.eye(rows, columns, dtype=np.float32)))
    refused("Eye", 2, 3, Out(t(3, 2)))
    refused("Eye", -1, 3, Out(t(0, 3)))
    refused("Eye", 3, 3, Out(t(9)))
    refused("Eye", 3, 3, NULL, code=NULLPTR)

    def diag(name, code):
        add("Diag", Tensor(t(3, name=name)), 1, Out(np.diag(t(3, name=name), 1)), code=code)
        add("Diag", Tensor(t(3, 4, name=name)), -1, Out(np.diag(t(3, 4, name=name), -1)), code=code)
        add("DiagFlat", Tensor(t(2, 2, name=name)), 0, Out(np.diagflat(t(2, 2, name=name))), code=code)
    of_types(DIAG, diag)
    x = number(3, 4) + 1
    for diagonal in (-2, -1, 0, 1, 3):
        add("Diag", Tensor(x), diagonal, Out(np.diag(x, diagonal)))
        add("Diag", Tensor(x[0]), diagonal, Out(np.diag(x[0], diagonal)))
        add("DiagFlat", Tensor(x), diagonal, Out(np.diagflat(x, diagonal)))
        add("DiagFlat", Tensor(x), diagonal, Out(cast(np.diagflat(x, diagonal), "f16")))
    add("Diag", Tensor(t()), 0, Out(t(1, 1)))
    add("Diag", Tensor(t(1, 1)), 0, Out(t()))
    add("DiagFlat", Tensor(t()), 1, Out(np.diagflat(t(), 1)))
    for diagonal in (4, -3):
        add("Diag", Tensor(x), diagonal, Out(untouched(5)))
    add("Diag", Tensor(x), 5, Out(number(0)))
    refused("Diag", Tensor(x), 5, Out(number(1)))
    add("Diag", Tensor(number(0)), 0, Out(untouched(5)))
    add("Diag", Tensor(number(0)), 2, Out(filled(number(2, 2))))
    add("Diag", Tensor(number(0)), 2, Out(filled(number(3))))
    refused("Diag", Tensor(t(0, name="c64")), 2, Out(t(2, 2, name="c64")))
    add("DiagFlat", Tensor(number(0, 3)), 2, Out(untouched(5)))
    refused("Diag", Tensor(x), 0, Out(number(4)))
    refused("Diag", Tensor(x), 0, Out(number(3, name="i64")))
    refused("Diag", Tensor(number(1, 2, 2)), 0, Out(number(2)))
    refused("DiagFlat", Tensor(x[0]), 0, Out(number(4)), code=INNER_NULLPTR)
    refused("DiagFlat", NULL, 0, Out(number(4)), code=INNER_NULLPTR)
    refused("DiagFlat", Tensor(x), 0, NULL, code=INNER_NULLPTR)
    refused("Diag", NULL, 0, Out(number(4)), code=NULLPTR)

    def fill(x, value, wrap):
        y = x.copy()
        np.fill_diagonal(y, value, wrap)
        return y

    def of_type(name, code):
        x = t(3, 4, name=name)
        add("InplaceFillDiagonal", InOut(x, fill(x, 3, False)), Scalar(3, "i32"), False, code=code)
    of_types(FILL_DIAGONAL, of_type)
    for shape, wrap in product([(7, 3), (3, 7), (4, 4), (8, 3), (9, 1), (2, 2, 2), (3, 3, 3, 3)], [False, True]):
        y = number(*shape) - 99
        add("InplaceFillDiagonal", InOut(y, fill(y, 5, wrap)), Scalar(5.75, "f32"), wrap)
    y = number(2, 2, name="i64")
    add("InplaceFillDiagonal", InOut(y, fill(y, 2**24, False)), Scalar(2**24 + 1, "i64"), False)
    add("InplaceFillDiagonal", InOut(t(0, 2), t(0, 2)), Scalar(1, "i32"), False)
    add("InplaceFillDiagonal", InOut(t(2, 2, name="f16"), fill(t(2, 2, name="f16"), np.inf, False)), Scalar(np.inf, "f32"), False)
    refused("InplaceFillDiagonal", InOut(number(2, 2, name="i8"), number(2, 2, name="i8")), Scalar(128, "i32"), False)
    refused("InplaceFillDiagonal", InOut(t(2, 2, name="f16"), t(2, 2, name="f16")), Scalar(1e6, "f32"), False)
    refused("InplaceFillDiagonal", InOut(y, y), Scalar(1j, "c64"), False)
    refused("InplaceFillDiagonal", InOut(number(2), number(2)), Scalar(1, "i32"), False)
    refused("InplaceFillDiagonal", InOut(number(2, 2, 3), number(2, 2, 3)), Scalar(1, "i32"), False)
    refused("InplaceFillDiagonal", InOut(y, y), NULL, False, code=NULLPTR)


def wide(x):
    """For PyTorch, which has no unsigned integers to speak of: the same numbers in a type that it pads."""
    return torch.tensor(x.astype(np.complex128 if x.dtype.kind == "c" else np.float64 if name_of(x) in FD else np.int64))


def pads():
    def constant(x, pad, value, **more):
        y = F.pad(wide(x), pad, value=value).numpy().astype(x.dtype)
        add("ConstantPadNd", Tensor(x), Ints(pad), Scalar(value, "f32"), Out(y), **more)
    of_types(STACK, lambda name, code: constant(t(2, 3, name=name), [1, 2, 0, 1], 1, code=code))
    x = number(2, 3, 4)
    for pad in ([], [0, 0], [1, -1], [-1, -1, 2, 0], [-2, 1, -1, -1, 3, 2], [-4, 5], [5, -4], [4, 0, -1, 0]):
        constant(x, pad, 9)
    y = np.array([1, 2, 3], np.int32)
    add("ConstantPadNd", Tensor(y), Ints([1, -1]), Scalar(9, "i32"), Out(np.array([9, 1, 2], np.int32)))
    add("ConstantPadNd", Tensor(y), Ints([1, 0]), Scalar(-2.75, "f64"), Out(np.array([-2, 1, 2, 3], np.int32)))
    add("ConstantPadNd", Tensor(number(0, 2)), Ints([0, 1, 1, 1]), Scalar(7, "i32"), Out(np.full((2, 3), 7, np.int32)))
    add("ConstantPadNd", Tensor(number(2, 0)), Ints([0, 0, 1, 1]), Scalar(7, "i32"), Out(number(4, 0)), code=INVALID)
    add("ConstantPadNd", Tensor(number(0, 3)), Ints([1, 1]), Scalar(7, "i32"), Out(number(0, 5)))
    add("ConstantPadNd", Tensor(y), Ints([-1, -2]), Scalar(7, "i32"), Out(number(0)))
    refused("ConstantPadNd", Tensor(y), Ints([-4, 0]), Scalar(7, "i32"), Out(number(0)))
    refused("ConstantPadNd", Tensor(y), Ints([-4, 5]), Scalar(7, "i32"), Out(number(4)))
    refused("ConstantPadNd", Tensor(y), Ints([1]), Scalar(7, "i32"), Out(number(4)))
    refused("ConstantPadNd", Tensor(y), Ints([1, 1, 1, 1]), Scalar(7, "i32"), Out(number(5)))
    refused("ConstantPadNd", Tensor(y), Ints([1, 1]), Scalar(7, "i32"), Out(number(4)))
    refused("ConstantPadNd", Tensor(y), Ints([1, 1]), Scalar(7, "i32"), Out(number(5, name="i64")))
    refused("ConstantPadNd", Tensor(y), Ints([1, 1]), NULL, Out(number(5)), code=NULLPTR)

    def border(operator, mode, x, pad, **more):
        batch = wide(x)
        y = np.pad(np.asarray(batch), [(0, 0)] * (x.ndim - len(pad) // 2) + [(pad[i], pad[i + 1]) for i in range(len(pad) - 2, -1, -2)], mode)
        add(operator, Tensor(x), Ints(pad), Out(y.astype(x.dtype)), **more)
    for name, mode, types in [("Reflection", "reflect", REFLECTION), ("Replication", "edge", REPLICATION), ("Circular", "wrap", CIRCULAR)]:
        axes = 2 if name == "Circular" else 1
        for dims in range(axes, 4):
            of_types(types, lambda dtype, code: border(f"{name}Pad{dims}d", mode, t(1, *(2,) * (dims - 1), 4, name=dtype), [1, 2, 1, 0, 0, 1][:2 * dims], code=code))
        x = number(2, 3, 4, 5, 3)
        for dims in range(axes, 4):
            pad = [1, 2, 3, 0, 2, 2][:2 * dims]
            for rank in (dims + 1, dims + 2):
                border(f"{name}Pad{dims}d", mode, x[(0,) * (5 - rank)], pad)
                border(f"{name}Pad{dims}d", mode, x[(0,) * (5 - rank)], [0] * 2 * dims)
            operator = f"{name}Pad{dims}d"
            whole = number(*(3,) * (dims + 1))
            pad = [1] * 2 * dims
            right = np.zeros([3] + [5] * dims, np.int32)
            refused(operator, Tensor(whole), Ints(pad), Out(right[:, 1:]))
            refused(operator, Tensor(whole), Ints(pad[:-1]), Out(right))
            refused(operator, Tensor(whole), Ints([*pad, 0, 0]), Out(right))
            refused(operator, Tensor(whole[0]), Ints(pad), Out(right[0]))
            refused(operator, Tensor(whole), Ints(pad), Out(right.astype(np.int8)))
            refused(operator, NULL, Ints(pad), Out(right), code=NULLPTR)
            refused(operator, Tensor(whole), NULL, Out(right), code=NULLPTR)
            # Without batches, or with other axes that are empty, there is nothing to pad with.
            batch = np.zeros((0, *right.shape), np.int32)
            add(operator, Tensor(np.zeros((0, *whole.shape), np.int32)), Ints(pad), Out(batch))
            if name != "Reflection":
                refused(operator, Tensor(whole[:0]), Ints(pad), Out(right[:0]))
    add("ReflectionPad1d", Tensor(y[None]), Ints([2, 1]), Out(np.array([[3, 2, 1, 2, 3, 2]], np.int32)))
    add("ReplicationPad1d", Tensor(y[None]), Ints([2, 1]), Out(np.array([[1, 1, 1, 2, 3, 3]], np.int32)))
    refused("ReflectionPad1d", Tensor(y[None]), Ints([3, 0]), Out(number(1, 6)))
    border("ReplicationPad1d", "edge", y[None], [7, 9])
    border("CircularPad2d", "wrap", number(1, 2, 3), [3, 3, 2, 2])
    # Several times around: the whole turns are one part.
    for pad in [[7, 5, 1, 9], [2, 3, 11, 0], [3, 10, 4, 4]]:
        border("CircularPad2d", "wrap", number(2, 2, 3), pad)
    border("CircularPad3d", "wrap", number(1, 2, 1, 2), [5, 5, 3, 4, 2, 9])
    # Negative numbers cut, as in PyTorch.
    for operator, mode in [("ReplicationPad2d", "replicate"), ("CircularPad2d", "circular"), ("ReflectionPad2d", "reflect")]:
        z = number(1, 2, 5, 6)
        add(operator, Tensor(z), Ints([-1, 2, -2, 1]), Out(F.pad(wide(z)[..., 2:, 1:], [0, 2, 0, 1], mode).numpy().astype(np.int32)))


def windows():
    def unfold(x, kernel, dilation, padding, stride, name=None):
        y = F.unfold(torch.tensor(x.astype(np.float32)), kernel, dilation, padding, stride).numpy()
        add("Im2col", Tensor(x), Ints(kernel), Ints(dilation), Ints(padding), Ints(stride), Out(cast(y, name or name_of(x))))
    shape = (2, 3, 6, 7)
    small = (np.arange(252) % 100).reshape(shape)
    of_types(FLOAT, lambda name, code: unfold(small.astype(kind(name)), [2, 3], [1, 1], [1, 0], [2, 1]) if code == 0 else add(
        "Im2col", Tensor(t(1, 1, 2, 2, name=name)), Ints([1, 1]), Ints([1, 1]), Ints([0, 0]), Ints([1, 1]), Out(t(1, 1, 4, name=name)), code=code))
    x = small.astype(np.float32)
    for kernel, dilation, padding, stride in [
        ([1, 1], [1, 1], [0, 0], [1, 1]), ([3, 2], [2, 3], [0, 0], [1, 2]), ([3, 3], [1, 1], [1, 1], [1, 1]),
        ([2, 2], [3, 1], [4, 2], [3, 5]), ([6, 7], [1, 1], [0, 0], [1, 1]), ([1, 2], [1, 1], [9, 0], [2, 1])]:
        unfold(x, kernel, dilation, padding, stride)
        unfold(x[0], kernel, dilation, padding, stride)
    unfold(x, [2, 2], [1, 1], [1, 1], [1, 1], "f16")
    unfold(x, [2, 2], [1, 1], [1, 1], [1, 1], "i32")
    one = [1, 1]
    add("Im2col", Tensor(x[:0]), Ints(one), Ints(one), Ints([0, 0]), Ints(one), Out(t(0, 3, 42)))
    y = Out(t(3, 42))
    refused("Im2col", Tensor(x[0, :, :0]), Ints(one), Ints(one), Ints([0, 0]), Ints(one), Out(t(3, 0)))
    refused("Im2col", Tensor(x[0, 0]), Ints(one), Ints(one), Ints([0, 0]), Ints(one), Out(t(1, 42)))
    refused("Im2col", Tensor(x[0]), Ints([7, 1]), Ints(one), Ints([0, 0]), Ints(one), y)
    refused("Im2col", Tensor(x[0]), Ints([0, 1]), Ints(one), Ints([0, 0]), Ints(one), y)
    refused("Im2col", Tensor(x[0]), Ints(one), Ints([1]), Ints([0, 0]), Ints(one), y)
    refused("Im2col", Tensor(x[0]), Ints(one), Ints(one), Ints([-1, 0]), Ints(one), y)
    refused("Im2col", Tensor(x[0]), Ints(one), Ints(one), Ints([0, 0]), Ints([1, 0]), y)
    refused("Im2col", Tensor(x[0]), Ints(one), Ints(one), Ints([0, 0]), Ints(one), Out(t(42, 3)))
    refused("Im2col", Tensor(x[0]), Ints(one), NULL, Ints([0, 0]), Ints(one), y, code=NULLPTR)


def strided():
    """Only on the 950; TensorFlow's masks, by NumPy's indices."""
    x = number(4, 3, 5)
    everything = slice(None)

    def call(index, begin, end, strides, masks=(0, 0, 0, 0, 0), code=0, product="Ascend950", out=None):
        y = x[index] if out is None else out
        cases.add("StridedSlice", Tensor(x), Ints(begin), Ints(end), Ints(strides), *masks, Out(y), code=code, product=product)
    call(np.s_[1:3, :, ::2], [1, 0, 0], [3, 3, 5], [1, 1, 2])
    call(np.s_[::-1], [3], [-9], [-1])
    call(np.s_[::-1, -2:], [0, -2], [0, 0], [-1, 1], (1, 3, 0, 0, 0))
    call(np.s_[..., 1], [0, 1], [0, 2], [1, 1], (0, 0, 1, 0, 2))
    call(np.s_[:, None, 1:2], [0, 7, 1], [4, 8, 2], [1, 1, 1], (0, 0, 0, 2, 0))
    call(np.s_[2, ..., 4:0:-2], [2, 0, 4], [0, 0, 0], [1, 1, -2], (0, 0, 2, 0, 1))
    call(np.s_[-1], [-1], [0], [1], (0, 0, 0, 0, 1))
    call(np.s_[2:2], [2], [2], [1], out=x[2:2])
    call(everything, [], [], [])
    call(everything, [], [], [], code=INNER_NULLPTR, out=x[:2])
    call(everything, [0], [4], [0], code=INVALID)
    call(everything, [0, 0], [4, 3], [1, 1], (0, 0, 3, 0, 0), code=INVALID)
    call(everything, [0], [4], [-1], (0, 0, 0, 0, 1), code=INVALID)
    call(everything, [0, 0], [4], [1], code=INVALID)
    call(everything, [4], [0], [1], (0, 0, 0, 0, 1), code=INVALID)
    call(everything, [0], [4], [1], code=INVALID, out=x[:3])
    call(everything, [0], [4], [1], code=INVALID, product="Ascend910B")
    for name in EVERY:
        y = t(3, 2, name=name)
        code = INVALID if name in ("f64", "c128") else 0
        cases.add("StridedSlice", Tensor(y), Ints([1]), Ints([3]), Ints([1]), 0, 0, 0, 0, 0, Out(y[1:3]), code=code, product="Ascend950")
    # Types that only the 950 takes.
    for name in UNSIGNED:
        y = t(3, 2, name=name)
        cases.add("Cat", Tensors(Tensor(y), Tensor(y)), 0, Out(np.concatenate([y, y])), product="Ascend950")
        cases.add("Flip", Tensor(y), Ints([0]), Out(y[::-1]), product="Ascend950")
        cases.add("RepeatInterleaveInt", Tensor(y), 2, 12, Out(np.repeat(y, 2)), product="Ascend950")
    # A value may have types that the product has no tensors of.
    for product_ in ["Ascend910", "Ascend310P"]:
        cases.add("InplaceFillTensor", InOut(x, np.full_like(x, 3)), Tensor(np.array(3).astype(kind("bf16"))), product=product_)
    y = t(3, 3, name="c64")
    cases.add("Tril", Tensor(y), 0, Out(np.tril(y)), product="Ascend950")
    cases.add("Roll", Tensor(y), Ints([1]), Ints([1]), Out(np.roll(y, 1, 1)), product="Ascend950")
    for code, name in [(35, "float8_e5m2"), (36, "float8_e4m3fn"), (37, "float8_e8m0fnu")]:
        TYPES[name] = (code, getattr(ml_dtypes, name))
        y = np.arange(7, 13, dtype=np.uint8).reshape(2, 3).view(kind(name))
        cases.add("Cat", Tensors(Tensor(y), Tensor(y[:1])), 0, Out(np.concatenate([y, y[:1]])), product="Ascend950")
        cases.add("ConstantPadNd", Tensor(y), Ints([-1, 0]), Scalar(0, "f32"), Out(y[:, 1:]), code=INVALID, product="Ascend950")
        for operator, mode in [("ReflectionPad1d", "reflect"), ("ReplicationPad1d", "edge")]:
            cases.add(operator, Tensor(y), Ints([1, 2]), Out(np.pad(y, [(0, 0), (1, 2)], mode)), product="Ascend950")
        if code < 37:
            cases.add("Permute", Tensor(y), Ints([1, 0]), Out(y.T), product="Ascend950")
            cases.add("Repeat", Tensor(y), Ints([2, 1]), Out(np.tile(y, (2, 1))), product="Ascend950")
            cases.add("StridedSlice", Tensor(y), Ints([1]), Ints([2]), Ints([1]), 0, 0, 0, 0, 0, Out(y[1:]), product="Ascend950")
    z = t(2, 3, name="bool")
    cases.add("ReplicationPad1d", Tensor(z), Ints([1, 1]), Out(np.pad(z, [(0, 0), (1, 1)], "edge")), product="Ascend950")


def backward():
    def of_border(name, mode, x, pad, **more):
        own = torch.tensor(x.astype(np.float64), requires_grad=True)
        result = F.pad(own if x.ndim > 2 or len(pad) < 2 * (x.ndim) else own[None], pad, mode)
        gradient = np.random.default_rng(x.size).integers(-8, 9, tuple(result.shape))
        result.backward(torch.tensor(gradient, dtype=torch.float64))
        operands = [Tensor(gradient.astype(x.dtype)), Tensor(x), Ints(pad), Out(own.grad.numpy().astype(x.dtype))]
        add(f"{name}Pad{len(pad) // 2}dBackward", *operands, **more)

    for name, mode in [("Reflection", "reflect"), ("Replication", "replicate"), ("Circular", "circular")]:
        for axes in [1, 2, 3]:
            if name == "Circular" and axes == 1:
                continue
            for dtype in ["f32", "f16", "bf16"] + (["f64"] if name != "Circular" else []):
                for batch in [(), (2,)]:
                    x = number(*batch, 3, *(3, 4, 5)[:axes], name=dtype)
                    of_border(name, mode, x, [1, 2, 0, 2, 1, 1][: 2 * axes])
                of_border(name, mode, number(2, 1, *(2,) * axes, name=dtype), [0] * 2 * axes)
            operator, pad = f"{name}Pad{axes}dBackward", [1] * 2 * axes
            own, given = number(2, *(3,) * axes, name="f32"), number(2, *(5,) * axes, name="f32")
            refused(operator, NULL, Tensor(own), Ints(pad), Out(own), code=NULLPTR)
            refused(operator, Tensor(given), Tensor(own), Ints(pad), NULL, code=NULLPTR)
            refused(operator, Tensor(given), Tensor(own), Ints(pad[1:]), Out(own))
            refused(operator, Tensor(given[1:]), Tensor(own), Ints(pad), Out(own))
            refused(operator, Tensor(given), Tensor(own), Ints(pad), Out(own[1:]))
            refused(operator, Tensor(given), Tensor(own.astype(np.float16)), Ints(pad), Out(own))
            refused(operator, Tensor(given.astype(np.int32)), Tensor(own.astype(np.int32)), Ints(pad), Out(own.astype(np.int32)))
    for dtype in FLOAT:
        for shape, axis, size, step in [((7,), 0, 3, 1), ((7,), -1, 3, 2), ((8,), 0, 2, 3), ((2, 9, 3), 1, 4, 3), ((5, 4), 0, 5, 1), ((3, 1), 1, 1, 7)]:
            own = torch.zeros(shape, dtype=torch.float64, requires_grad=True)
            result = own.unfold(axis, size, step)
            gradient = np.random.default_rng(size).integers(-8, 9, tuple(result.shape))
            result.backward(torch.tensor(gradient, dtype=torch.float64))
            add("UnfoldGrad", Tensor(gradient.astype(kind(dtype))), Ints(shape), axis, size, step, Out(own.grad.numpy().astype(kind(dtype))))
    own, given = np.zeros(5, np.float32), np.zeros((3, 3), np.float32)
    refused("UnfoldGrad", NULL, Ints([5]), 0, 3, 1, Out(own), code=INNER_NULLPTR)
    refused("UnfoldGrad", Tensor(given), NULL, 0, 3, 1, Out(own), code=INNER_NULLPTR)
    refused("UnfoldGrad", Tensor(given), Ints([5]), 0, 3, 1, NULL, code=INNER_NULLPTR)
    refused("UnfoldGrad", Tensor(given), Ints([6]), 0, 3, 1, Out(own))
    refused("UnfoldGrad", Tensor(given), Ints([5]), 1, 3, 1, Out(own))
    refused("UnfoldGrad", Tensor(given), Ints([5]), 0, 3, 0, Out(own))
    refused("UnfoldGrad", Tensor(given), Ints([5]), 0, 6, 1, Out(own))
    refused("UnfoldGrad", Tensor(given), Ints([5]), 0, 2, 1, Out(own))
    refused("UnfoldGrad", Tensor(given.astype(np.float16)), Ints([5]), 0, 3, 1, Out(own))


def main():
    for part in (backward, cat, chunked, stack, split, slices, permute, repeats, interleave, reorder, triangles, diagonals, pads, windows, strided):
        part()
    cases.write("movement")


if __name__ == "__main__":
    main()
