"""Cases of the operators that find elements by indices or by a mask.

References: NumPy, PyTorch.
Writes cann-stubs/tests/data/index.cases. Lists of types, shapes and refusals are retyped here from CANN's public description
and not read from the declarations. Where an element is written several times, the last one counts, as in NumPy and in PyTorch
on a CPU; halves are added in f32 and rounded once.

    python xtask/golden/index.py
"""

import itertools

import numpy as np
import torch

from cases import (
    COMPLEX, FLOATS, INTEGERS, NULL, TYPES, UNSIGNED, Cases, InOut, Ints, Out, Scalar, Sized, Tensor, Tensors, Text, kind,
    name_of, values,
)

np.seterr(all="ignore")
INVALID, NO_KERNEL, NULL_POINTER = 161002, 561103, 161001

ALL = [*FLOATS, *INTEGERS, *UNSIGNED, "bool", *COMPLEX]
B12 = [*FLOATS, *INTEGERS, "bool", *COMPLEX]
REAL = [*FLOATS, *INTEGERS, "bool"]
RANDOM = np.random.default_rng(12)


def tensor(name, *shape):
    """Elements of a type, the special ones among them."""
    return np.resize(values(name, max(int(np.prod(shape)), 1)), shape)


def index(*shape, below, low=0, name="i64"):
    return RANDOM.integers(low, below, shape).astype(kind(name))


def i64(*numbers):
    return np.array(numbers, np.int64)


def other(types):
    """Types that are not in a list, of those that NumPy draws."""
    return [name for name in TYPES if name not in [*types, "f8e4m3fn"]]


def wide(x):
    """The type in which elements are added."""
    return x.astype(np.float32) if name_of(x) in ("f16", "bf16") else x.copy()


def refuse(cases, operator, *arguments, code=INVALID):
    cases.add(operator, *arguments, code=code)


def selections(cases):
    for name in ALL:
        x = tensor(name, 3, 4, 5)
        for dim in (0, 1, 2, -1):
            ids = index(4, below=x.shape[dim], name="i32" if dim == 1 else "i64")
            cases.add("IndexSelect", Tensor(x), dim, Tensor(ids), Out(np.take(x, ids, dim)))
    x = tensor("f32", 3, 4)
    cases.add("IndexSelect", Tensor(x), 0, Tensor(np.int64(2)), Out(x[2:3]))
    cases.add("IndexSelect", Tensor(np.float32(7)), 0, Tensor(i64(0)), Out(np.float32(7)))
    cases.add("IndexSelect", Tensor(np.float32(7)), -1, Tensor(np.int64(0)), Out(np.float32(7)))
    refuse(cases, "IndexSelect", Tensor(np.float32(7)), 0, Tensor(i64(0)), Out(np.zeros(1, np.float32)))
    refuse(cases, "IndexSelect", Tensor(np.float32(7)), 0, Tensor(i64(0, 0)), Out(np.float32(0)), code=NO_KERNEL)
    cases.add("IndexSelect", Tensor(x), 1, Tensor(i64()), Out(np.zeros((3, 0), np.float32)))
    big = tensor("i32", 2, 1, 2, 1, 2, 1, 2, 3)
    cases.add("IndexSelect", Tensor(big), 7, Tensor(i64(2, 2, 0)), Out(big[..., [2, 2, 0]]))
    refuse(cases, "IndexSelect", Tensor(x), 2, Tensor(i64(0)), Out(np.zeros((3, 4), np.float32)))
    refuse(cases, "IndexSelect", Tensor(x), -3, Tensor(i64(0)), Out(np.zeros((1, 4), np.float32)))
    refuse(cases, "IndexSelect", Tensor(x), 0, Tensor(i64(0)), Out(np.zeros((2, 4), np.float32)))
    refuse(cases, "IndexSelect", Tensor(x), 0, Tensor(i64(0)), Out(np.zeros((1, 4), np.float16)))
    refuse(cases, "IndexSelect", Tensor(x), 0, Tensor(np.zeros((1, 1), np.int64)), Out(np.zeros((1, 4), np.float32)))
    for name in ("f32", "i16", "bool"):
        refuse(cases, "IndexSelect", Tensor(x), 0, Tensor(np.zeros(1, kind(name))), Out(np.zeros((1, 4), np.float32)))
    nine = np.zeros((1,) * 9, np.float32)
    refuse(cases, "IndexSelect", Tensor(nine), 0, Tensor(i64(0)), Out(nine))
    for position in range(2):
        arguments = [Tensor(x), 0, Tensor(i64(0)), Out(np.zeros((1, 4), np.float32))]
        arguments[2 * position] = NULL
        refuse(cases, "IndexSelect", *arguments, code=NULL_POINTER)

    for name in B12:
        x = tensor(name, 3, 4, 5)
        for dim in (0, 1, -1):
            size = x.shape[dim]
            for shape in ((2, 3), (4,)):
                ids = index(*shape, below=size, low=-size, name="i32" if dim else "i64")
                cases.add("GatherV2", Tensor(x), dim, Tensor(ids), Out(np.take(x, ids, dim)))
    x = tensor("f32", 3, 4)
    cases.add("GatherV2", Tensor(np.float32([10, 20, 30])), 0, Tensor(i64(-1)), Out(np.float32([30])))
    cases.add("GatherV2", Tensor(x), 0, Tensor(np.int64(-1)), Out(x[2:3]))
    cases.add("GatherV2", Tensor(np.float32(7)), 0, Tensor(i64(0)), Out(np.float32(7)))
    cases.add("GatherV2", Tensor(x), 1, Tensor(np.zeros((2, 0), np.int64)), Out(np.zeros((3, 2, 0), np.float32)))
    refuse(cases, "GatherV2", Tensor(x), 1, Tensor(np.zeros((2, 0), np.int64)), Out(np.zeros((3, 0), np.float32)))
    refuse(cases, "GatherV2", Tensor(x), 1, Tensor(i64(1)), Out(np.zeros((3, 2), np.float32)))
    for name in other(B12):
        refuse(cases, "GatherV2", Tensor(tensor(name, 3)), 0, Tensor(i64(1)), Out(tensor(name, 1)))

    for name in B12:
        x, ids = tensor(name, 4, 3), index(2, 3, below=4)
        cases.add("GatherV3", Tensor(x), 0, Tensor(ids), 0, 1, Out(x[ids]))
    x = tensor("f32", 4, 3)
    cases.add("GatherV3", Tensor(x), 0, Tensor(np.int64(2)), 0, 1, Out(x[2]))
    for dim, batch, mode in ((1, 0, 1), (-2, 0, 1), (0, 1, 1), (0, 0, 0)):
        refuse(cases, "GatherV3", Tensor(x), dim, Tensor(i64(0, 1)), batch, mode, Out(np.zeros((2, 3), np.float32)))

    for name in ALL:
        x = tensor(name, 3, 5)
        ids = index(2, 4, below=15, low=-15)
        cases.add("Take", Tensor(x), Tensor(ids), Out(np.take(x, ids)))
    x = tensor("f32", 2, 2)
    cases.add("Take", Tensor(x), Tensor(np.int32(3)), Out(x[1, 1]))
    cases.add("Take", Tensor(np.zeros(0, np.float32)), Tensor(i64()), Out(np.zeros(0, np.float32)))
    refuse(cases, "Take", Tensor(np.zeros(0, np.float32)), Tensor(i64(0)), Out(np.zeros(1, np.float32)))
    refuse(cases, "Take", Tensor(x), Tensor(i64(0, 1)), Out(np.zeros((2, 1), np.float32)))

    for name in B12:
        x = tensor(name, 4, 3)
        for shape in ((), (3,), (2, 2)):
            ids = index(*shape, below=4)
            cases.add("Embedding", Tensor(x), Tensor(ids), Out(x[ids]))
    x = tensor("f32", 4, 3)
    wider = tensor("f32", 5, 1000)
    cases.add("Embedding", Tensor(wider), Tensor(i64(4, 0, 4)), Out(wider[[4, 0, 4]]))
    cases.add("Embedding", Tensor(x), Tensor(i64()), Out(np.zeros((0, 3), np.float32)))
    refuse(cases, "Embedding", Tensor(x), Tensor(i64(0)), Out(np.zeros((2, 3), np.float32)))
    refuse(cases, "Embedding", Tensor(x), Tensor(i64(0)), Out(np.zeros(3, np.float32)))
    refuse(cases, "Embedding", Tensor(x), Tensor(i64(0)), Out(np.zeros((1, 4), np.float32)), code=NO_KERNEL)
    for name in UNSIGNED:
        refuse(cases, "Embedding", Tensor(tensor(name, 2, 2)), Tensor(i64(0)), Out(tensor(name, 1, 2)))

    types = ["f32", "f16", "bf16", "i32", "i64", "i8", "u8", "bool"]
    for name in types:
        x = tensor(name, 3, 4, 5)
        for count in (1, 2, 3):
            ids = np.stack([index(2, 3, below=size, low=-size) for size in x.shape[:count]], -1)
            y = x[tuple(np.moveaxis(ids, -1, 0))]
            cases.add("GatherNd", Tensor(x), Tensor(ids), True, Out(y))
            size = np.array(x.shape[:count])
            cases.add("GatherNd", Tensor(x), Tensor((ids % size).astype(np.int32)), False, Out(y))
    x = tensor("f32", 3, 4)
    cases.add("GatherNd", Tensor(x), Tensor(i64(1, 2)), True, Out(x[1, 2]))
    refuse(cases, "GatherNd", Tensor(x), Tensor(i64(1, 2, 0)), True, Out(np.float32(0)))
    refuse(cases, "GatherNd", Tensor(x), Tensor(np.int64(1)), True, Out(np.zeros(4, np.float32)))
    refuse(cases, "GatherNd", Tensor(x), Tensor(i64(1)), True, Out(np.zeros(3, np.float32)))
    for name in other(types):
        refuse(cases, "GatherNd", Tensor(tensor(name, 3)), Tensor(i64(1)), True, Out(tensor(name, 1)[0]))

    types = [*FLOATS, *INTEGERS, *UNSIGNED, "bool"]
    for name in types:
        x = tensor(name, 3, 4, 5)
        for dim in (0, 1, 2, -2):
            shape = [2, 3, 4]
            shape[dim] = 6
            size = x.shape[dim]
            ids = index(*shape, below=size, low=-size, name="i32" if dim == 2 else "i64")
            part = x[tuple(slice(None) if axis == dim % 3 else slice(shape[axis]) for axis in range(3))]
            cases.add("Gather", Tensor(x), dim, Tensor(ids), Out(np.take_along_axis(part, ids % size, dim)))
    x = tensor("f32", 3, 4)
    cases.add("Gather", Tensor(x), 1, Tensor(np.zeros((3, 0), np.float32)), Out(np.zeros((3, 0), np.float32)))
    cases.add("Gather", Tensor(np.float32(7)), 0, Tensor(i64(0, 0)), Out(np.float32([7, 7])))
    cases.add("Gather", Tensor(np.float32([7])), 0, Tensor(np.int64(0)), Out(np.float32(7)))
    refuse(cases, "Gather", Tensor(x), 0, Tensor(i64(0)), Out(np.zeros(1, np.float32)))
    refuse(cases, "Gather", Tensor(x), 1, Tensor(np.zeros((4, 1), np.int64)), Out(np.zeros((4, 1), np.float32)))
    refuse(cases, "Gather", Tensor(x), 2, Tensor(np.zeros((3, 1), np.int64)), Out(np.zeros((3, 1), np.float32)))
    refuse(cases, "Gather", Tensor(x), 0, Tensor(np.zeros((3, 1), np.int64)), Out(np.zeros((3, 2), np.float32)))
    refuse(cases, "Gather", Tensor(x[:, :0]), 1, Tensor(np.zeros((3, 1), np.int64)), Out(np.zeros((3, 1), np.float32)))
    for name in COMPLEX:
        refuse(cases, "Gather", Tensor(tensor(name, 3)), 0, Tensor(i64(0)), Out(tensor(name, 1)))


def embedding_gradients(cases):
    for name in ("f32", "f16", "bf16"):
        for of_indices in ("i64", "i32", "i8", "f32"):
            grad, ids = tensor(name, 6, 3), np.array([0, 2, 2, 4, 0, 2])
            grad[~np.isfinite(grad.astype(np.float32))] = 1
            for padding in (-1, 2):
                for scale in (False, True):
                    wanted = torch.ops.aten.embedding_dense_backward(
                        torch.tensor(grad.astype(np.float32)), torch.tensor(ids), 5, padding, scale
                    ).numpy()
                    for out in {name, "f32"}:
                        cases.add(
                            "EmbeddingDenseBackward", Tensor(grad), Tensor(ids.astype(kind(of_indices))), 5, padding, scale,
                            Out(wanted.astype(kind(out)), 1),
                        )
    grad = tensor("f32", 2, 3, 4)[..., :2]
    grad = np.where(np.isfinite(grad), grad, 0).astype(np.float32)
    ids = np.array([[1, 1, 0], [0, 1, 2]])
    wanted = torch.ops.aten.embedding_dense_backward(torch.tensor(grad), torch.tensor(ids), 3, -1, False).numpy()
    cases.add("EmbeddingDenseBackward", Tensor(grad), Tensor(ids), 3, -1, False, Out(wanted, 1))
    zeros = np.zeros((3, 2), np.float32)
    cases.add("EmbeddingDenseBackward", Tensor(grad[:0]), Tensor(ids[:0]), 3, -1, False, Out(zeros))
    refuse(cases, "EmbeddingDenseBackward", Tensor(grad), Tensor(ids[:1]), 3, -1, False, Out(zeros))
    refuse(cases, "EmbeddingDenseBackward", Tensor(grad), Tensor(ids), 4, -1, False, Out(zeros))
    refuse(cases, "EmbeddingDenseBackward", Tensor(grad.astype(np.float64)), Tensor(ids), 3, -1, False, Out(zeros))


def bags(cases):
    """Rows joined by bags. PyTorch in f64, which is exact for these numbers but for means, which are rounded once."""
    ids, starts = np.array([0, 2, 2, 1, 3, 3]), np.array([0, 2, 2, 5])
    ended = np.append(starts, 6)
    for name, of_indices in itertools.product(("f32", "f16", "bf16"), ("i64", "i32")):
        table = (np.arange(20).reshape(4, 5) * 7 % 11 - 5).astype(kind(name))
        wide = torch.tensor(table.astype(np.float64))
        factors = np.array([1, -2, 0.5, 3, 0, 2]).astype(kind(name))
        whole = lambda x: x.astype(kind(of_indices))
        for mode, has_end, padding, scaled in itertools.product(range(3), (False, True), (-1, 3, 2), (False, True)):
            if scaled and mode:
                continue
            given = torch.tensor(factors.astype(np.float64)) if scaled else None
            offsets = ended if has_end else starts
            out, of_index, sizes, greatest = torch.ops.aten._embedding_bag(
                wide, torch.tensor(ids), torch.tensor(offsets), False, mode, False, given, has_end, padding
            )
            results = [Out(whole(one.numpy())) for one in (of_index, sizes, greatest)]
            cases.add(
                "EmbeddingBag", Tensor(table), Tensor(whole(ids)), Tensor(whole(offsets)), False, mode, False,
                Tensor(factors) if scaled else NULL, has_end, padding, Out(out.numpy().astype(kind(name)), 1 if mode == 1 else 0), *results,
            )
    table = np.ones((4, 2), np.float32)
    # What no gradient needs may be left out, and bags may be empty.
    none = np.zeros(0, np.int64)
    rows = torch.ops.aten._embedding_bag(torch.tensor(table).double(), torch.tensor(ids), torch.tensor(starts))[0].numpy().astype(np.float32)
    plain = [Tensor(ids), Tensor(starts), False, 0, False, NULL, False, -1]
    size = np.zeros(4, np.int64)
    cases.add("EmbeddingBag", Tensor(table), *plain, Out(rows), Out(none), Out(size), Out(none))
    cases.add("EmbeddingBag", Tensor(table), Tensor(none), Tensor(np.zeros(2, np.int64)), False, 2, False, NULL, False, -1, Out(np.zeros((2, 2), np.float32)), Out(none), Out(size[:2]), Out(np.zeros((2, 2), np.int64)))

    def wrong(weight=table, ids=ids, starts=starts, mode=0, factors=None, has_end=False, padding=-1, out=rows, of_index=ids, sizes=size, greatest=size, code=INVALID):
        given = lambda x: NULL if x is None else Tensor(x)
        made = [NULL if x is None else Out(x) for x in (out, of_index, sizes, greatest)]
        cases.add("EmbeddingBag", given(weight), given(ids), given(starts), False, mode, False, given(factors), has_end, padding, *made, code=code)

    for missing in ("weight", "ids", "starts", "out", "of_index", "sizes", "greatest"):
        wrong(**{missing: None, "code": NULL_POINTER})
    wrong(weight=table.astype(np.float64), out=rows.astype(np.float64))
    wrong(weight=table[0])
    wrong(ids=ids.astype(np.int32))
    wrong(ids=ids[None])
    wrong(starts=starts[None])
    wrong(mode=3)
    wrong(mode=-1)
    wrong(mode=2)
    wrong(factors=np.ones(6, np.float32), mode=1)
    wrong(factors=np.ones(5, np.float32))
    wrong(factors=np.ones(6, np.float16))
    wrong(padding=4)
    wrong(has_end=True)
    wrong(starts=none, has_end=True, out=rows[:0])
    wrong(out=rows[:3])
    wrong(out=rows.astype(np.float16))
    wrong(of_index=ids[:5])
    wrong(sizes=size[:3])
    wrong(greatest=size[:3])


NOT = np.zeros(0, np.int64)


def entries(*given):
    """A list of indices: the tensors, with one without elements for each axis that is not indexed; and the same for NumPy."""
    lists = Tensors(*[Tensor(NOT if one is None else one) for one in given])
    return lists, tuple(slice(None) if one is None else one for one in given)


def advanced(cases):
    types = ["f32", "f16", "bf16", "f64", *INTEGERS, "bool"]
    a, b = index(3, below=3, low=-3), index(3, below=4, low=-4)
    column, row = index(2, 1, below=3), index(1, 3, below=5, name="i32")
    mask, plane = np.array([True, False, True]), RANDOM.random((4, 5)) < 0.5
    selections = [
        (a,), (None, b), (a, b), (a, None, b % 5), (None, None, index(2, 2, below=5)), (column, None, row), (None, b, row[0]),
        (np.int64(1),), (mask,), (None, plane), (mask, None, np.array([False, True, True, False, False])[[0, 1, 2, 3, 4]]),
    ]
    for name in types:
        x = tensor(name, 3, 4, 5)
        for given in selections:
            lists, key = entries(*given)
            cases.add("Index", Tensor(x), lists, Out(x[key]))
    x = tensor("f32", 3, 4, 5)
    for given in ((mask, np.array([1, 2])), (mask, np.array([-1]))):
        lists, key = entries(*given)
        cases.add("Index", Tensor(x), lists, Out(x[key]))
    cases.add("Index", Tensor(np.float32(3)), entries(i64(0))[0], Out(np.float32(3)))
    cases.add("Index", Tensor(x[:0]), entries(i64())[0], Out(np.zeros((0, 4, 5), np.float32)))
    refuse(cases, "Index", Tensor(x), entries(a)[0], Out(np.zeros((2, 4, 5), np.float32)), code=NO_KERNEL)
    refuse(cases, "Index", Tensor(x), entries(a, i64(0, 1))[0], Out(np.zeros((3, 5), np.float32)), code=NO_KERNEL)
    refuse(cases, "Index", Tensor(x), Tensors(Tensor(a), NULL), Out(np.zeros((3, 4, 5), np.float32)), code=NULL_POINTER)
    refuse(cases, "Index", Tensor(x), NULL, Out(np.zeros((3, 4, 5), np.float32)), code=NULL_POINTER)
    refuse(cases, "Index", Tensor(x), entries(a.astype(np.float32))[0], Out(np.zeros((3, 4, 5), np.float32)))
    refuse(cases, "Index", Tensor(x), entries(a)[0], Out(np.zeros((3, 4, 5), np.float16)))
    deep = np.zeros((1,) * 7, np.int64)
    refuse(cases, "Index", Tensor(x), entries(deep)[0], Out(np.zeros((1,) * 7 + (4,), np.float32)))
    for name in (*UNSIGNED, *COMPLEX):
        refuse(cases, "Index", Tensor(tensor(name, 3)), entries(i64(0))[0], Out(tensor(name, 1)))

    for name in types:
        for given in selections:
            x = tensor(name, 3, 4, 5)
            lists, key = entries(*given)
            shape = x[key].shape
            for fill in (tensor(name, *shape), tensor(name, *shape[-1:]), tensor(name)):
                fill = np.where(np.isfinite(wide(fill)), fill, fill.dtype.type(1)) if name in FLOATS else fill
                y = x.copy()
                y[key] = fill
                cases.add("IndexPutImpl", InOut(x, y), lists, Tensor(fill), False, False)
                y = wide(x)
                np.add.at(y, key, wide(fill))
                cases.add("IndexPutImpl", InOut(x, y.astype(kind(name))), lists, Tensor(fill), True, True)
    x, one = tensor("f32", 3, 4), np.float32([1])
    cases.add("IndexPutImpl", InOut(x, x), entries(None, None)[0], Tensor(one), False, False)
    cases.add("IndexPutImpl", InOut(x, x), entries(a)[0], Tensor(one[:0]), False, False)
    refuse(cases, "IndexPutImpl", InOut(x, x), entries(a, b, b)[0], Tensor(one), False, False)
    refuse(cases, "IndexPutImpl", InOut(np.float32(1), np.float32(1)), entries(a)[0], Tensor(one), False, False)
    refuse(cases, "IndexPutImpl", InOut(x, x), entries(np.array([True, False]))[0], Tensor(one), False, False)
    refuse(cases, "IndexPutImpl", InOut(x, x), entries(mask, b[:2])[0], Tensor(one), False, False)
    refuse(cases, "IndexPutImpl", InOut(x, x), entries(a)[0], Tensor(np.zeros(1, np.float16)), False, False)
    refuse(cases, "IndexPutImpl", InOut(x, x), entries(a)[0], Tensor(np.zeros(3, np.float32)), False, False, code=NO_KERNEL)


def along(dim, ids):
    return (slice(None),) * dim + (ids,)


def slices(cases):
    for name in REAL:
        for operator, more in (("IndexAdd", ()), ("IndexAddV2", (1,))):
            for dim in (0, 1, 2):
                x = tensor(name, 3, 4, 5)
                shape = list(x.shape)
                shape[dim] = 6
                source = np.resize(values(name, special=False), shape)
                ids = index(6, below=x.shape[dim], name="i32" if dim else "i64")
                for alpha in (1, 3):
                    y = wide(x)
                    if operator == "IndexAddV2" and name == "f32":
                        y = y.astype(np.float64)
                    factor = y.dtype.type(alpha)
                    np.add.at(y, along(dim, ids), factor * source.astype(y.dtype))
                    ulps = 1 if operator == "IndexAddV2" else 0
                    cases.add(
                        operator, Tensor(x), dim - 3 * (dim == 1), Tensor(ids), Tensor(source), Scalar(alpha, "i64"), *more,
                        Out(y.astype(kind(name)), ulps),
                    )
    # Slices that are longer than the blocks in which they are moved.
    for name in ("f32", "f16", "i8"):
        x, source = np.ones((3, 9001), kind(name)), np.resize(np.arange(7).astype(kind(name)), (4, 9001))
        y, added = x.copy(), i64(2, 0, 2, 1)
        np.add.at(y, added, source)
        cases.add("IndexAdd", Tensor(x), 0, Tensor(added), Tensor(source), Scalar(1, "i32"), Out(y))
        y = x.copy()
        y[added] = source
        cases.add("InplaceIndexCopy", InOut(x, y), 0, Tensor(added), Tensor(source))
        cases.add("IndexSelect", Tensor(source), 0, Tensor(added), Out(source[added]))
    x, source, one = tensor("f32", 3, 4), tensor("f32", 2, 4), Scalar(1, "f32")
    ids, out = i64(2, 0), np.zeros((3, 4), np.float32)
    y = x.copy()
    y[ids] += source
    cases.add("IndexAddV2", Tensor(x), 0, Tensor(ids), Tensor(source), Scalar(9, "f32"), 0, Out(y))
    refuse(cases, "IndexAddV2", Tensor(x), 1, Tensor(ids), Tensor(x[:, :2]), one, 0, Out(out), code=NO_KERNEL)
    half = np.float32(0.5) * source
    y = x.copy()
    y[ids] += half
    cases.add("IndexAdd", Tensor(x), 0, Tensor(ids), Tensor(source), Scalar(0.5, "f64"), Out(y))
    cases.add("IndexAdd", Tensor(np.float32(1)), 0, Tensor(i64(0, 0)), Tensor(np.float32([2, 3])), one, Out(np.float32(6)))
    refuse(cases, "IndexAdd", Tensor(np.float32(1)), -1, Tensor(i64(0)), Tensor(np.float32([2])), one, Out(np.float32(0)))
    refuse(cases, "IndexAdd", Tensor(x), 0, Tensor(i64(0)), Tensor(source), one, Out(out))
    refuse(cases, "IndexAdd", Tensor(x), 0, Tensor(ids), Tensor(source[:, :3]), one, Out(out))
    refuse(cases, "IndexAdd", Tensor(x), 0, Tensor(ids), Tensor(source), one, Out(out[:2]))
    refuse(cases, "IndexAdd", Tensor(x), 2, Tensor(ids), Tensor(source), one, Out(out))
    refuse(cases, "IndexAdd", Tensor(x), 0, Tensor(ids), Tensor(source.astype(np.float64)), one, Out(out))
    refuse(cases, "IndexAdd", Tensor(x), 0, Tensor(ids), Tensor(source), NULL, Out(out), code=NULL_POINTER)
    refuse(cases, "IndexAdd", Tensor(tensor("c64", 3)), 0, Tensor(ids), Tensor(tensor("c64", 2)), one, Out(tensor("c64", 3)))

    for name in B12:
        for dim in (0, 1, 2):
            x = tensor(name, 3, 4, 5)
            ids = RANDOM.permutation(x.shape[dim])[:2].astype(np.int64 if dim else np.int32)
            shape = list(x.shape)
            shape[dim] = 2
            source = tensor(name, *shape)
            y = x.copy()
            y[along(dim, ids)] = source
            cases.add("InplaceIndexCopy", InOut(x, y), dim, Tensor(ids), Tensor(source))
            cases.add("IndexCopy", Tensor(x), dim - 3, Tensor(ids), Tensor(source), Out(y))
    x = tensor("f32", 3)
    twice = x.copy()
    twice[1] = 8
    cases.add("InplaceIndexCopy", InOut(x, twice), 0, Tensor(i64(1, 1)), Tensor(np.float32([7, 8])))
    cases.add("InplaceIndexCopy", InOut(x, twice), 0, Tensor(np.int64(1)), Tensor(np.float32(8)))
    refuse(cases, "InplaceIndexCopy", InOut(x, x), 0, Tensor(i64(1)), Tensor(np.float32([7, 8])))
    refuse(cases, "InplaceIndexCopy", InOut(x, x), 1, Tensor(i64(1)), Tensor(np.float32([7])))
    refuse(cases, "InplaceIndexCopy", InOut(x, x), 0, Tensor(i64(1)), Tensor(np.float32([[7]])))
    for name in UNSIGNED:
        refuse(cases, "InplaceIndexCopy", InOut(tensor(name, 3), tensor(name, 3)), 0, Tensor(i64(1)), Tensor(tensor(name, 1)))

    types = ["f32", "f16", "bf16", "i32", "i64", "bool"]
    for name in types:
        x = tensor(name, 3, 4)
        for value, of_value in ((2, "i32"), (-1.5, "f64"), (True, "bool")):
            filled = np.array([value]).astype(kind(of_value)).astype(kind(name))[0]
            for dim, ids in ((0, i64(2, -3, 2)), (1, i64(1, -1)), (-1, i64(0, 9, -9))):
                y = x.copy()
                inside = ids[(ids < x.shape[dim]) & (ids >= -x.shape[dim])]
                y[along(dim % 2, inside)] = filled
                cases.add("IndexFill", Tensor(x), dim, Tensor(ids), Scalar(value, of_value), Out(y))
                cases.add("InplaceIndexFill", InOut(x, y), dim, Tensor(ids.astype(np.int32)), Scalar(value, of_value))
                if len(inside) == len(ids):
                    cases.add("IndexFillTensor", Tensor(x), dim, Ints(ids.tolist()), Scalar(value, of_value), Out(y))
                    cases.add("InplaceIndexFillTensor", InOut(x, y), dim, Ints(ids.tolist()), Scalar(value, of_value))
    x, zero = np.float32([1, 2, 3]), Scalar(0, "i32")
    cases.add("IndexFill", Tensor(x), 0, Tensor(i64(5)), zero, Out(x))
    cases.add("IndexFill", Tensor(x), 0, Tensor(i64()), zero, Out(x))
    cases.add("IndexFillTensor", Tensor(x), 0, Ints([]), zero, Out(x))
    cases.add("IndexFillTensor", Tensor(np.int64([1, 2])), 0, Ints([1]), Scalar(2**24 + 1, "i64"), Out(np.int64([1, 2**24])))
    cases.add("IndexFill", Tensor(np.int64([1, 2])), 0, Tensor(i64(1)), Scalar(2**24 + 1, "i64"), Out(np.int64([1, 2**24 + 1])))
    refuse(cases, "IndexFillTensor", Tensor(x), 0, Ints([5]), zero, Out(x))
    refuse(cases, "InplaceIndexFillTensor", InOut(x, x), 0, Ints([-4]), zero)
    refuse(cases, "IndexFillTensor", Tensor(x), 0, Ints([0]), Scalar(1j, "c64"), Out(x))
    refuse(cases, "IndexFill", Tensor(x), 1, Tensor(i64(0)), zero, Out(x))
    refuse(cases, "IndexFill", Tensor(x), 0, Tensor(i64(0)), zero, Out(x[:2]))
    for name in other(types):
        refuse(cases, "InplaceIndexFill", InOut(tensor(name, 3), tensor(name, 3)), 0, Tensor(i64(1)), zero)
        refuse(cases, "InplaceIndexFillTensor", InOut(tensor(name, 3), tensor(name, 3)), 0, Ints([1]), zero)


REDUCTIONS = {0: lambda a, b: b, 1: np.add, 2: np.multiply, 3: np.maximum, 4: np.minimum, 7: lambda a, b: b}


def scattered(x, dim, ids, src, reduce):
    """Element by element, in order."""
    y = wide(x)
    for place in np.ndindex(*ids.shape):
        target = list(place)
        target[dim] = ids[place]
        y[tuple(target)] = REDUCTIONS[reduce](y[tuple(target)], wide(src)[place])
    return y.astype(x.dtype)


def scatters(cases):
    for name in B12:
        for dim in (0, 1):
            x = np.resize(values(name, special=False), (3, 4))
            shape = (5, 3) if dim == 0 else (2, 6)
            ids = index(*shape, below=x.shape[dim], low=-x.shape[dim])
            src = np.resize(values(name, special=False)[::-1], (5, 7))
            for reduce in (0, 1, 2, 3, 4, 7):
                if reduce in (3, 4) and name in COMPLEX:
                    refuse(cases, "Scatter", Tensor(x), dim, Tensor(ids), Tensor(src), reduce, Out(x), code=NO_KERNEL)
                    continue
                y = scattered(x, dim, ids, src, reduce)
                # A product of complex numbers may be fused or not.
                ulps = 4 if name in COMPLEX and reduce == 2 else 0
                cases.add("Scatter", Tensor(x), dim, Tensor(ids), Tensor(src), reduce, Out(y, ulps))
                cases.add("InplaceScatter", InOut(x, y, ulps), dim - 2, Tensor(ids.astype(np.int32)), Tensor(src), reduce)
                if reduce == 1:
                    cases.add("ScatterAdd", Tensor(x), dim, Tensor(ids), Tensor(src), Out(y))
            for reduce, value, of_value in ((0, 3, "i32"), (1, -1.5, "f32"), (2, True, "bool")):
                element = np.array([value]).astype(kind(of_value)).astype(kind(name))
                y = scattered(x, dim, ids, np.broadcast_to(element, ids.shape), reduce)
                ulps = 4 if name in COMPLEX and reduce == 2 else 0
                cases.add("ScatterValue", Tensor(x), dim, Tensor(ids), Scalar(value, of_value), reduce, Out(y, ulps))
                cases.add("InplaceScatterValue", InOut(x, y, ulps), dim, Tensor(ids), Scalar(value, of_value), reduce)
    x, zero, src = np.zeros(3, np.float32), i64(0, 0), np.float32([1, 2])
    cases.add("Scatter", Tensor(x), 0, Tensor(zero), Tensor(src), 1, Out(np.float32([3, 0, 0])))
    cases.add("Scatter", Tensor(x), 0, Tensor(np.zeros(0, np.float32)), Tensor(src), 1, Out(x))
    refuse(cases, "Scatter", Tensor(x), 0, Tensor(i64()), Tensor(src), 1, Out(x[:2]), code=NO_KERNEL)
    cases.add("Scatter", Tensor(np.float32([5])), 0, Tensor(i64(0)), Tensor(src), 0, Out(np.float32(1)))
    refuse(cases, "Scatter", Tensor(x), 0, Tensor(zero), Tensor(src), 0, Out(np.float32(1)), code=NO_KERNEL)
    cases.add("Scatter", Tensor(np.float32(5)), 0, Tensor(np.int64(0)), Tensor(np.float32(2)), 1, Out(np.float32(7)))
    refuse(cases, "Scatter", Tensor(np.float32(5)), 0, Tensor(i64(0)), Tensor(src), 0, Out(np.float32(1)))
    refuse(cases, "Scatter", Tensor(x), 0, Tensor(i64(0, 0, 0)), Tensor(src), 0, Out(x))
    refuse(cases, "Scatter", Tensor(x), 1, Tensor(zero), Tensor(src), 0, Out(x))
    refuse(cases, "Scatter", Tensor(x), 0, Tensor(zero), Tensor(src.astype(np.float16)), 0, Out(x))
    refuse(cases, "Scatter", Tensor(x), 0, Tensor(zero.astype(np.int16)), Tensor(src), 0, Out(x))
    refuse(cases, "Scatter", Tensor(x), 0, NULL, Tensor(src), 0, Out(x), code=NULL_POINTER)
    refuse(cases, "ScatterValue", Tensor(x), 0, Tensor(zero), Scalar(1j, "c64"), 0, Out(x))
    y = np.float32([3, 0, 0])
    cases.add("ScatterReduce", Tensor(x), 0, Tensor(zero), Tensor(src), 1, True, Out(y))
    cases.add("InplaceScatterReduce", InOut(x, y), 0, Tensor(zero), Tensor(src), 1, True)
    for reduce, own in ((0, True), (2, True), (3, True), (1, False), (6, True), (-1, True)):
        refuse(cases, "ScatterReduce", Tensor(x), 0, Tensor(zero), Tensor(src), reduce, own, Out(x))
    refuse(cases, "ScatterReduce", Tensor(x), 0, NULL, Tensor(src), 2, True, Out(x))
    refuse(cases, "ScatterReduce", Tensor(x.astype(np.int32)), 0, Tensor(zero), Tensor(src.astype(np.int32)), 1, True, Out(x.astype(np.int32)))
    for name in UNSIGNED:
        refuse(cases, "InplaceScatter", InOut(tensor(name, 3), tensor(name, 3)), 0, Tensor(zero), Tensor(tensor(name, 2)), 0)

    update = ["f32", "f16", "bf16", "bool", "i8", "i16", "i32", "i64"]
    for name in update:
        for count in (1, 2, 3):
            x = tensor(name, 3, 4, 5)
            rows = RANDOM.permutation(int(np.prod(x.shape[:count])))[:3]
            ids = np.stack(np.unravel_index(rows, x.shape[:count]), -1)
            updates = tensor(name, 3, *x.shape[count:])
            y = x.copy()
            y[tuple(np.moveaxis(ids, -1, 0))] = updates
            if name in ("f32", "f16", "bf16", "bool"):
                cases.add("ScatterNd", Tensor(x), Tensor(ids), Tensor(updates), Out(y))
            cases.add("ScatterNdUpdate", InOut(x, y), Tensor(ids.astype(np.int32)), Tensor(updates))
    x, ids, updates = tensor("f32", 3, 4), np.array([[1]]), tensor("f32", 1, 4)
    cases.add("ScatterNdUpdate", InOut(x, x), Tensor(ids[:0]), Tensor(updates[:0]))
    refuse(cases, "ScatterNd", Tensor(x), Tensor(ids), Tensor(updates[:, :2]), Out(x))
    refuse(cases, "ScatterNd", Tensor(x), Tensor(i64(1, 2)), Tensor(np.float32(3)), Out(x))
    refuse(cases, "ScatterNd", Tensor(x), Tensor(np.array([[1, 2, 0]])), Tensor(np.float32([3])), Out(x))
    refuse(cases, "ScatterNdUpdate", InOut(x, x), Tensor(ids), Tensor(updates[:, :2]), code=NO_KERNEL)
    for name in other(["f32", "f16", "bf16", "bool"]):
        refuse(cases, "ScatterNd", Tensor(tensor(name, 3)), Tensor(ids), Tensor(tensor(name, 1)), Out(tensor(name, 3)))
    for name in other(update):
        refuse(cases, "ScatterNdUpdate", InOut(tensor(name, 3), tensor(name, 3)), Tensor(ids), Tensor(tensor(name, 1)))

    for name in ("i8", "f16", "f32", "i32", "bf16"):
        x, updates = tensor(name, 3, 2, 6, 4), tensor(name, 2, 2, 2, 4)
        starts, y = i64(4, 0), x.copy()
        for entry, start in enumerate(starts):
            y[entry, :, start:start + 2] = updates[entry]
        cases.add("InplaceScatterUpdate", InOut(x, y), Tensor(starts), Tensor(updates), -2)
        pairs, y = np.array([[2, 1], [0, 3]], np.int32), x.copy()
        for entry, (row, start) in enumerate(pairs):
            y[row, :, start:start + 2] = updates[entry]
        cases.add("InplaceScatterUpdate", InOut(x, y), Tensor(pairs), Tensor(updates), 2)
    refuse(cases, "InplaceScatterUpdate", InOut(x, x), Tensor(np.int64(1)), Tensor(updates), -2)
    refuse(cases, "InplaceScatterUpdate", InOut(x, x), Tensor(i64()), Tensor(updates[:0]), -2)
    refuse(cases, "InplaceScatterUpdate", InOut(x, x), Tensor(starts), Tensor(updates[0]), -2)

    for name in B12:
        x, ids = tensor(name, 3, 4), i64(11, 0, 5, 0)
        source = np.resize(values(name, special=False), (2, 2))
        y = x.copy()
        y.reshape(-1)[ids] = source.reshape(-1)
        cases.add("InplacePut", InOut(x, y), Tensor(ids), Tensor(source), False)
        if name == "bf16":
            refuse(cases, "InplacePut", InOut(x, x), Tensor(ids), Tensor(source), True)
            continue
        y = wide(x)
        np.add.at(y.reshape(-1), ids, wide(source).reshape(-1))
        cases.add("InplacePut", InOut(x, y.astype(kind(name))), Tensor(ids), Tensor(source), True)
    x = tensor("f32", 2, 2)
    cases.add("InplacePut", InOut(x, x), Tensor(i64()), Tensor(x.reshape(-1)[:0]), False)
    refuse(cases, "InplacePut", InOut(x, x), Tensor(i64(0)), Tensor(x), False)
    refuse(cases, "InplacePut", InOut(x[:0], x[:0]), Tensor(i64(0)), Tensor(np.float32([1])), False)


def masks(cases):
    for name in REAL:
        x, mask = tensor(name, 3, 4, 5), RANDOM.random((3, 4, 5)) < 0.4
        for one in (mask, mask[:, :, :1], mask[0, 0], np.zeros((3, 4, 5), np.bool_), np.ones((3, 4, 5), np.bool_)):
            whole = np.broadcast_to(one, x.shape)
            y = x[whole]
            cases.add("MaskedSelect", Tensor(x), Tensor(one), Sized(y, [x.size]))
            cases.add("MaskedSelect", Tensor(x), Tensor(3 * one.astype(np.uint8)), Sized(y, [x.size]))
    x, mask = np.int32([1, 2, 3]), np.array([[True, False, True], [False, False, True]])
    cases.add("MaskedSelect", Tensor(x), Tensor(mask), Sized(np.int32([1, 3, 3]), [6]))
    cases.add("MaskedSelect", Tensor(x), Tensor(mask), Sized(np.float16([1, 3, 3]), [6]))
    cases.add("MaskedSelect", Tensor(np.float32(7)), Tensor(np.bool_(True)), Sized(np.float32([7]), [1]))
    cases.add("MaskedSelect", Tensor(x[:0]), Tensor(mask[0][:0]), Out(np.zeros(0, np.int32)))
    refuse(cases, "MaskedSelect", Tensor(x), Tensor(mask), Out(np.zeros(3, np.int32)))
    refuse(cases, "MaskedSelect", Tensor(x), Tensor(mask), Out(np.zeros((2, 3), np.int32)))
    refuse(cases, "MaskedSelect", Tensor(x), Tensor(mask.astype(np.int32)), Out(np.zeros(6, np.int32)))
    refuse(cases, "MaskedSelect", Tensor(x), Tensor(mask[:, :2]), Out(np.zeros(6, np.int32)))
    for name in (*UNSIGNED, *COMPLEX):
        refuse(cases, "MaskedSelect", Tensor(tensor(name, 3)), Tensor(mask[0]), Out(tensor(name, 3)))

    types = ["f32", "i32", "i64", "f16", "i8", "bool", "bf16"]
    for name in types:
        x, mask = tensor(name, 3, 4, 5), RANDOM.random((3, 4, 5)) < 0.4
        for one in (mask, mask[:, :1, :], mask[0, :, :1], np.bool_(True)):
            for value, of_value in ((5, "i32"), (-1.5, "f32"), (False, "bool")):
                element = np.array(value).astype(kind(of_value))
                y = np.where(one, element.astype(kind(name)), x)
                cases.add("InplaceMaskedFillScalar", InOut(x, y), Tensor(one), Scalar(value, of_value))
                if name not in ("i8",) or of_value != "f32":
                    cases.add("InplaceMaskedFillTensor", InOut(x, y), Tensor(one), Tensor(element))
    x, mask = tensor("f32", 3), np.array([True, False, True])
    cases.add("InplaceMaskedFillScalar", InOut(x, x), Tensor(np.zeros(3, np.bool_)), Scalar(1, "i32"))
    cases.add("InplaceMaskedFillScalar", InOut(x[:0], x[:0]), Tensor(mask[:0]), Scalar(1, "i32"))
    refuse(cases, "InplaceMaskedFillTensor", InOut(x, x), Tensor(mask), Tensor(np.float32([1])))
    refuse(cases, "InplaceMaskedFillScalar", InOut(x, x), Tensor(mask.astype(np.uint8)), Scalar(1, "i32"))
    refuse(cases, "InplaceMaskedFillScalar", InOut(x, x), Tensor(np.ones((2, 3), np.bool_)), Scalar(1, "i32"))
    refuse(cases, "InplaceMaskedFillScalar", InOut(x, x), NULL, Scalar(1, "i32"), code=NULL_POINTER)
    refuse(cases, "InplaceMaskedFillScalar", InOut(x, x), Tensor(mask), NULL, code=NULL_POINTER)
    for name in other(types):
        refuse(cases, "InplaceMaskedFillScalar", InOut(tensor(name, 3), tensor(name, 3)), Tensor(mask), Scalar(1, "i32"))

    for name in REAL:
        x, mask = tensor(name, 3, 4), RANDOM.random((3, 4)) < 0.5
        source = tensor(name, 15)[::-1]
        for one in (mask, mask[0], mask[:, :1]):
            y, whole = x.copy(), np.broadcast_to(one, x.shape)
            y[whole] = source[: whole.sum()]
            cases.add("InplaceMaskedScatter", InOut(x, y), Tensor(one), Tensor(source.reshape(3, 5)))
            cases.add("InplaceMaskedScatter", InOut(x, y), Tensor(one.astype(np.uint8)), Tensor(source))
    x = tensor("f32", 3)
    refuse(cases, "InplaceMaskedScatter", InOut(x, x), Tensor(np.ones((2, 3), np.bool_)), Tensor(x))
    refuse(cases, "InplaceMaskedScatter", InOut(x, x), Tensor(np.ones(3, np.bool_)), Tensor(x.astype(np.float64)))

    for name in (*REAL, *UNSIGNED):
        x = tensor(name, 3, 4, 5)
        x[RANDOM.random(x.shape) < 0.4] = 0
        for one in (x, x[0, 0], x[:, :1], np.zeros_like(x), np.resize(np.delete(values(name), 0), 2100)):
            found = np.argwhere(one)
            if name not in UNSIGNED:
                cases.add("Nonzero", Tensor(one), Sized(found, [one.size, one.ndim]))
            cases.add("NonzeroV2", Tensor(one), Sized(found.T, [one.ndim, one.size]))
    x = np.float32([0, np.nan, -0.0, 2])
    cases.add("Nonzero", Tensor(x), Sized(np.int64([[1], [3]]), [4, 1]))
    cases.add("Nonzero", Tensor(x[:0]), Out(np.zeros((0, 1), np.int64)))
    refuse(cases, "Nonzero", Tensor(x), Out(np.zeros((4, 1), np.int32)))
    for name in (*UNSIGNED, *COMPLEX):
        refuse(cases, "Nonzero", Tensor(tensor(name, 3)), Out(np.zeros((3, 1), np.int64)))
    refuse(cases, "NonzeroV2", Tensor(tensor("c64", 3)), Out(np.zeros((1, 3), np.int64)))


def of_950(cases):
    """What the 950 takes beside the others."""

    def add(*arguments, code=0):
        cases.add(*arguments, product="Ascend950", code=code)

    x16, x32 = tensor("u16", 3, 4), tensor("u32", 3, 4)
    ids = i64(2, 0)
    add("GatherV2", Tensor(x16), 0, Tensor(ids - 3), Out(x16[ids]))
    add("GatherNd", Tensor(x32), Tensor(np.array([[1, 2], [0, 3]])), True, Out(x32[[1, 0], [2, 3]]))
    add("MaskedSelect", Tensor(x16), Tensor(x16 > 1), Sized(x16[x16 > 1], [x16.size]))
    add("Nonzero", Tensor(x32), Sized(np.argwhere(x32), [x32.size, 2]))
    y = x32.copy()
    y[ids] = x32[:2]
    add("InplaceIndexCopy", InOut(x32, y), 0, Tensor(ids), Tensor(x32[:2]))
    c64 = tensor("c64", 3, 4)
    add("Index", Tensor(c64), entries(ids, i64(-1, 1))[0], Out(c64[ids, i64(-1, 1)]))
    i8 = tensor("i8", 3, 4)
    y = i8.copy()
    y[:, 1] = 7
    add("IndexFill", Tensor(i8), 1, Tensor(i64(1, 9)), Scalar(7, "i32"), Out(y))
    add("IndexFillTensor", Tensor(np.int64([1, 2])), 0, Ints([1]), Scalar(2**24 + 1, "i64"), Out(np.int64([1, 2**24 + 1])))
    u8 = tensor("u8", 3, 4)
    y = u8.copy()
    y[1] = 9
    add("ScatterNdUpdate", InOut(u8, y), Tensor(np.array([[1]])), Tensor(np.full((1, 4), 9, np.uint8)))
    i16 = tensor("i16", 3)
    add("ScatterNdUpdate", InOut(i16, i16), Tensor(np.array([[1]])), Tensor(i16[:1]), code=INVALID)
    # A tensor without axes counts as one with a single axis, but elsewhere not.
    add("Scatter", Tensor(np.float32(5)), 0, Tensor(i64(0)), Tensor(np.float32([2, 3])), 1, Out(np.float32(7)))
    for name in ("f32", "i32"):
        x = tensor(name, 2, 4, 3)
        for dim, batch, shape in ((1, 1, (2, 5)), (2, 0, (2, 2)), (-1, 1, (2,)), (1, 0, ())):
            ids = index(*shape, below=x.shape[dim])
            if batch:
                y = np.stack([np.take(one, of_one, dim - 1 if dim > 0 else dim) for one, of_one in zip(x, ids)])
            else:
                y = np.take(x, ids, dim)
            add("GatherV3", Tensor(x), dim, Tensor(ids), batch, 0, Out(y))
    x = tensor("f32", 2, 4, 3)
    add("GatherV3", Tensor(x), 0, Tensor(i64(0, 1)), 1, 0, Out(x), code=INVALID)
    add("GatherV3", Tensor(x), 1, Tensor(np.zeros((3, 2), np.int64)), 1, 0, Out(x[:, :2]), code=INVALID)
    names = {1: "sum", 2: "prod", 3: "amax", 4: "amin", 5: "mean"}
    for name in ("f32", "f64", "i8", "i32", "i64"):
        x = np.resize(values(name, special=False), (3, 4))
        ids = np.array([[0, 2, 1, 1], [2, 2, 0, 1]])
        src = np.resize(values(name, special=False)[::-1], (2, 4))
        for number, reduce in names.items():
            for own in (True, False):
                y = torch.tensor(x).scatter_reduce(0, torch.tensor(ids), torch.tensor(src), reduce, include_self=own).numpy()
                add("ScatterReduce", Tensor(x), 0, Tensor(ids), Tensor(src), number, own, Out(y))
                add("InplaceScatterReduce", InOut(x, y), -2, Tensor(ids), Tensor(src), number, own)
    nan = np.float32([1, np.nan, 3])
    y = torch.tensor(nan).scatter_reduce(0, torch.tensor([0, 1, 2]), torch.tensor(np.float32([np.nan, 2, 4])), "amax").numpy()
    add("ScatterReduce", Tensor(nan), 0, Tensor(i64(0, 1, 2)), Tensor(np.float32([np.nan, 2, 4])), 3, True, Out(y))
    truths = np.array([True, False])
    add("ScatterReduce", Tensor(truths), 0, Tensor(i64(0)), Tensor(truths), 5, True, Out(truths), code=NO_KERNEL)
    add("ScatterReduce", Tensor(c64), 0, Tensor(np.zeros((1, 4), np.int64)), Tensor(c64), 3, True, Out(c64), code=NO_KERNEL)


def of_others(cases):
    """What the 910 and the 310P take."""
    bf16, ids = tensor("bf16", 3), i64(2, 0)
    zero = Scalar(0, "i32")
    for product in ("Ascend910", "Ascend310P"):
        f32 = tensor("f32", 3)
        cases.add("IndexSelect", Tensor(f32), 0, Tensor(ids), Out(f32[ids]), product=product)
        cases.add("IndexSelect", Tensor(bf16), 0, Tensor(ids), Out(bf16[ids]), product=product, code=INVALID)
        cases.add("GatherV3", Tensor(bf16), 0, Tensor(ids), 0, 1, Out(bf16[ids]), product=product)
        code = INVALID if product == "Ascend910" else 0
        cases.add("Index", Tensor(bf16), entries(ids)[0], Out(bf16[ids]), product=product, code=code)
        cases.add("IndexFill", Tensor(f32), 0, Tensor(ids), zero, Out(f32), product=product, code=INVALID)
        y = f32.copy()
        y[ids] = 0
        cases.add("IndexFillTensor", Tensor(f32), 0, Ints([2, 0]), zero, Out(y), product=product)
        y = f32.copy()
        y[0] = 1.5
        mask, value = np.array([True, False, False]), np.array(1.5).astype(kind("bf16"))
        cases.add("InplaceMaskedFillTensor", InOut(f32, y), Tensor(mask), Tensor(value), product=product)
        cases.add("InplaceMaskedFillScalar", InOut(bf16, bf16), Tensor(mask), zero, product=product, code=INVALID)
        cases.add(
            "ScatterReduce", Tensor(f32), 0, Tensor(i64(1)), Tensor(f32[:1]), 0, True,
            Out(np.where([False, True, False], f32[0], f32).astype(np.float32)), product=product,
        )


def marked(cases):
    """An axis of classes, on at the index of each element."""
    ids = np.array([[1, 0, 4], [2, -1, 1]])
    for name in [*FLOATS, *INTEGERS]:
        on, off = (np.array(v).astype(kind(name)) for v in (5, 2))
        for given in [ids, ids.astype(np.int32), np.array(3), ids[:0]]:
            for axis in range(-given.ndim - 1, given.ndim + 1):
                hot = np.moveaxis(given[..., None] == np.arange(4), -1, axis)
                cases.add("OneHot", Tensor(given), 4, Tensor(on), Tensor(off.reshape(1)), axis, Out(np.where(hot, on, off)))
        # Of several elements the first counts.
        hot = ids[..., None] == np.arange(4)
        several = [Tensor(np.array([value, on + on, off]).astype(kind(name))) for value in (on, off)]
        cases.add("OneHot", Tensor(ids), 4, *several, 2, Out(np.where(hot, on, off)))
    y = np.zeros((2, 3, 4), np.float32)
    one = y[0, 0, :1]
    for classes, on, axis, out in [(4, one, 3, y), (4, one, -4, y), (5, one, 2, y), (-1, one, 2, y), (4, one[:0], 2, y), (4, one.astype(np.float64), 2, y)]:
        refuse(cases, "OneHot", Tensor(ids), classes, Tensor(on), Tensor(one), axis, Out(out))
    refuse(cases, "OneHot", Tensor(ids.astype(np.int16)), 4, Tensor(one), Tensor(one), 2, Out(y))
    for name in other([*FLOATS, *INTEGERS]):
        z = np.zeros((2, 3, 4), kind(name))
        refuse(cases, "OneHot", Tensor(ids), 4, Tensor(z[0, 0, :1]), Tensor(z[0, 0, :1]), 2, Out(z))


def slices_added(cases):
    """Slices of the first axis, each as often as its number occurs."""
    for name in [*FLOATS, *INTEGERS]:
        x = tensor(name, 4, 3)
        for ids in [np.array([1, 3, 1]), np.array([[0, 2], [2, 2]], np.int32), np.array(3)]:
            updates = np.ones((*ids.shape, 3), kind(name)) * np.array(2).astype(kind(name))
            y = x.astype(np.float32) if name in ("f16", "bf16") else x.copy()
            np.add.at(y, ids, updates.astype(y.dtype))
            cases.add("TfScatterAdd", InOut(x, y.astype(kind(name))), Tensor(ids), Tensor(updates))
    x = tensor("f32", 4, 3)
    cases.add("TfScatterAdd", InOut(x, x), Tensor(NOT), Tensor(x[:0]))
    refuse(cases, "TfScatterAdd", InOut(x, x), Tensor(i64(0)), Tensor(x[:2]))
    refuse(cases, "TfScatterAdd", InOut(x, x), Tensor(i64(0)), Tensor(x[:1].astype(np.float64)))
    refuse(cases, "TfScatterAdd", InOut(x[0, 0], x[0, 0]), Tensor(i64(0)), Tensor(x[0, :1]))
    for name in other([*FLOATS, *INTEGERS]):
        refuse(cases, "TfScatterAdd", InOut(tensor(name, 2), tensor(name, 2)), Tensor(i64(0)), Tensor(tensor(name, 1)))


def listed(cases):
    """Slices in the tensors of a list, from a position on; what reaches over an end is left out."""
    for name in ["f32", "f16", "bf16", "i8", "u8", "i16", "u16", "i32", "u32"]:
        for axis, sizes, lengths in [(-2, (3, 4), (5, 3, 7)), (1, (2, 3), (4, 2, 2)), (-1, (2, 3), (3, 3, 5)), (2, (2, 3, 2), (3, 6, 4))]:
            updates = tensor(name, 3, *sizes)
            own = axis % updates.ndim - 1
            starts = np.array([1, 0, lengths[2] - sizes[own]])
            for mask in (None, np.array([1, 0, 2], np.uint8)):
                befores, afters = [], []
                for number, length in enumerate(lengths):
                    shape = list(sizes)
                    shape[own] = length
                    before = np.roll(tensor(name, *shape), number)
                    after = before.copy()
                    if mask is None or mask[number]:
                        place = [slice(None)] * len(sizes)
                        end = min(starts[number] + sizes[own], length)
                        place[own] = slice(starts[number], end)
                        part = [slice(None)] * len(sizes)
                        part[own] = slice(0, end - starts[number])
                        after[tuple(place)] = updates[number][tuple(part)]
                    befores.append(before)
                    afters.append(after)
                for index_name in ("i64", "i32"):
                    pairs = Tensors(*(InOut(before, after) for before, after in zip(befores, afters)))
                    given = NULL if mask is None else Tensor(mask)
                    text = NULL if mask is None else Text("update")
                    cases.add("ScatterList", pairs, Tensor(starts.astype(kind(index_name))), Tensor(updates), given, text, axis)
    x, updates = tensor("f32", 4, 3), tensor("f32", 2, 2, 3)
    both = Tensors(InOut(x, x), InOut(x, x))
    good = [both, Tensor(i64(0, 1)), Tensor(updates), NULL, Text("update"), -2]
    TILING, MISSING = 561002, 561003
    for position, argument, code in [
        (0, NULL, NULL_POINTER), (1, NULL, NULL_POINTER), (2, NULL, NULL_POINTER), (1, Tensor(np.float32([0, 1])), INVALID),
        (2, Tensor(updates.astype(np.float16)), INVALID), (2, Tensor(updates.astype(np.float64)), INVALID), (3, Tensor(np.float32([0, 1])), INVALID),
        (1, Tensor(i64(0, 1, 2)), TILING), (3, Tensor(np.ones(3, np.uint8)), TILING), (4, Text("add"), TILING), (5, 0, TILING), (5, 3, TILING),
        (2, Tensor(updates[:1]), TILING), (2, Tensor(tensor("f32", 2, 5, 3)), TILING), (2, Tensor(tensor("f32", 2, 2, 2)), TILING),
        (0, Tensors(InOut(x, x)), TILING), (1, Tensor(i64([0, 1], [0, 1])), MISSING),
    ]:
        arguments = list(good)
        arguments[position] = argument
        cases.add("ScatterList", *arguments, code=code)


def main():
    cases = Cases()
    selections(cases)
    embedding_gradients(cases)
    bags(cases)
    advanced(cases)
    slices(cases)
    scatters(cases)
    masks(cases)
    of_950(cases)
    of_others(cases)
    slices_added(cases)
    marked(cases)
    listed(cases)
    cases.write("index")


if __name__ == "__main__":
    main()
