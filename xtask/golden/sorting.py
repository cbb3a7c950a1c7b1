"""Cases of the operators that order elements: sorting, selection by rank, search, unique elements.

References: NumPy.
Writes cann-stubs/tests/data/sorting.cases. NumPy sorts stably with NaN last, searches by bisection, and compares; what
it does not have (runs of equal neighbours) is a plain loop. Types, codes and rules of products are retyped here from
CANN's public description and not read from the declarations.

    python xtask/golden/sorting.py
"""

import numpy as np

from cases import FLOATS, INTEGERS, NULL, TYPES, UNSIGNED, Cases, Out, Scalar, Sized, Tensor, kind, name_of, values

np.seterr(all="ignore")
NULLPTR, INVALID, INNER = 161001, 161002, 561000
NONE = 1000  # The axis that UniqueConsecutive takes for none.

SORT = ["f32", "f16", "bf16", *INTEGERS, "bool"]
ARGSORT = ["f32", "f16", "bf16", *INTEGERS]
TOPK = ["f32", "f16", "bf16", "f64", *INTEGERS]
RANK = ["f32", "f16", "bf16", *INTEGERS]
SEARCH = ["f32", "f16", "f64", *INTEGERS]
UNIQUE = ["f32", "f16", "bf16", "f64", *INTEGERS, *UNSIGNED, "bool"]
CONSECUTIVE = [*UNIQUE, "c64", "c128"]


def wide(x):
    """The same values in a type that NumPy orders."""
    return x.astype(np.float32) if name_of(x) in ("bf16", "f16") else x


def ordered(x, axis, descending=False):
    """The positions of the elements in order: stable, NaN greatest."""
    x = wide(x)
    if not descending:
        return np.argsort(x, axis=axis, kind="stable")
    last = x.shape[axis] - 1
    return last - np.flip(np.argsort(np.flip(x, axis), axis=axis, kind="stable"), axis)


def taken(x, indices, axis):
    return np.take_along_axis(x, indices, axis)


def repeated(name, shape):
    """Elements of which many are equal."""
    pool = values(name)
    random = np.random.default_rng(len(shape) + sum(map(ord, name)))
    return pool[random.integers(0, len(pool), shape)]


def grids(name):
    """Tensors with repeated elements in several shapes, and an axis of each."""
    yield values(name, 40), 0
    for shape, axis in [((70,), -1), ((4, 9), 1), ((9, 4), 0), ((3, 5, 2), -2)]:
        yield repeated(name, shape), axis


def sort(cases):
    def add(x, axis, descending, to=None, **more):
        indices = ordered(x, axis, descending)
        y = taken(x, indices, axis)
        y = y.astype(np.float64).astype(kind(to)) if to else y
        cases.add("Sort", Tensor(x), True, axis, descending, Out(y), Out(indices), **more)

    for name in SORT:
        for x, axis in grids(name):
            add(x, axis, False)
            add(x, axis, True)
    for name in UNSIGNED:
        add(values(name, 40), 0, True, product="Ascend950")
        add(repeated(name, (40,)), 0, True, code=INVALID)
    # Long enough for the ways in which many elements are sorted.
    for name in ["f32", "f16", "i8", "u8"]:
        add(repeated(name, (1100,)), 0, False)
        add(repeated(name, (1100,)), 0, True)
    x = repeated("f32", (5, 7))
    cases.add("Sort", Tensor(x), False, 1, False, Out(np.sort(x, axis=1)), Out(ordered(x, 1)))
    numbers = np.array([3, 1, 2, 2, 300, -5], np.float32)
    add(numbers, 0, False, to="f16")
    add(numbers, 0, True, to="i32")
    add(numbers, 0, True, to="f64")
    add(numbers.astype(np.int64), 0, False, to="f32")
    add(numbers, 0, True, to="f64", product="Ascend950", code=INVALID)
    # The 910 sorts f32 as f16: what f16 does not tell apart keeps its order, and comes back rounded.
    close = np.array([1.0003, 1.0002, 2049.0, 2048.0, 70000.0, 1e-9, -1e-9], np.float32)
    halves = close.astype(np.float16)
    indices = ordered(halves, 0)
    cases.add("Sort", Tensor(close), True, 0, False, Out(halves[indices].astype(np.float32)), Out(indices), product="Ascend910")
    cases.add("Argsort", Tensor(close), 0, False, Out(ordered(close, 0)), product="Ascend910")
    add(close, 0, False)
    # No axes, axes of one element, empty ones, eight of them and more.
    zero = np.zeros((), np.int64)
    for axis in [0, -1]:
        cases.add("Sort", Tensor(np.float32(1.5)), True, axis, False, Out(np.float16(1.5)), Out(zero))
    one = values("f32", 5).reshape(5, 1)
    cases.add("Sort", Tensor(one), True, 1, True, Out(one), Out(np.zeros((5, 1), np.int64)))
    cases.add("Sort", Tensor(one), True, 1, True, Out(one.astype(np.float16)), Out(np.zeros((5, 1), np.int64)), code=NULLPTR)
    for shape, axis in [((0, 3), 1), ((0, 3), 0)]:
        add(np.zeros(shape, np.float32), axis, False)
    add(repeated("i32", (2, 1, 3, 1, 2, 2, 1, 2)), 4, True)
    add(repeated("i16", (2, 1, 3, 1, 2, 2, 1, 2, 1)), -2, False)
    for name in ["f64", "c64", "u16"]:
        x = values(name, 6)
        cases.add("Sort", Tensor(x), True, 0, False, Out(x), Out(np.zeros(6, np.int64)), code=INVALID)
    x, indices = values("f32", 6), np.zeros(6, np.int64)
    cases.add("Sort", Tensor(x), True, 1, False, Out(x), Out(indices), code=INVALID)
    cases.add("Sort", Tensor(x), True, -2, False, Out(x), Out(indices), code=INVALID)
    cases.add("Sort", Tensor(x), True, 0, False, Out(x), Out(indices.astype(np.int32)), code=INVALID)
    cases.add("Sort", Tensor(x), True, 0, False, Out(x[1:]), Out(indices), code=INVALID)
    cases.add("Sort", Tensor(x), True, 0, False, Out(x), Out(indices[1:]), code=INVALID)
    cases.add("Sort", Tensor(x), True, 0, False, Out(x.astype(np.complex64)), Out(indices), code=INVALID)
    # Null counts before types do.
    cases.add("Sort", NULL, True, 0, False, Out(x), Out(indices), code=NULLPTR)
    cases.add("Sort", Tensor(x.astype(np.float64)), True, 0, False, NULL, Out(indices), code=NULLPTR)
    cases.add("Sort", Tensor(x), True, 9, False, Out(x), NULL, code=NULLPTR)


def argsort(cases):
    for name in ARGSORT:
        for x, axis in grids(name):
            for descending in [False, True]:
                cases.add("Argsort", Tensor(x), axis, descending, Out(ordered(x, axis, descending)))
    x = values("u16", 9)
    cases.add("Argsort", Tensor(x), 0, True, Out(ordered(x, 0, True)), product="Ascend950")
    for name in ["bool", "f64", "u16", "c64"]:
        x = values(name, 6)
        cases.add("Argsort", Tensor(x), 0, True, Out(np.zeros(len(x), np.int64)), code=INVALID)
    cases.add("Argsort", Tensor(np.float32(3)), -1, False, Out(np.zeros((), np.int64)))
    cases.add("Argsort", Tensor(np.zeros((2, 0), np.int32)), 1, False, Out(np.zeros((2, 0), np.int64)))
    half = values("bf16", 4).reshape(4, 1)
    cases.add("Argsort", Tensor(half), 1, False, Out(np.zeros((4, 1), np.int64)), code=INVALID)
    cases.add("Argsort", Tensor(half), 1, False, Out(np.zeros((4, 1), np.int64)), product="Ascend950")
    x = values("f32", 6)
    cases.add("Argsort", Tensor(x), 1, False, Out(np.zeros(6, np.int64)), code=INVALID)
    cases.add("Argsort", Tensor(x), 0, False, Out(np.zeros(6, np.int32)), code=INVALID)
    cases.add("Argsort", Tensor(x), 0, False, Out(np.zeros(5, np.int64)), code=INVALID)
    cases.add("Argsort", Tensor(np.zeros((1,) * 9, np.float32)), 0, False, Out(np.zeros((1,) * 9, np.int64)), code=INVALID)
    cases.add("Argsort", Tensor(x), 0, False, NULL, code=NULLPTR)


def topk(cases):
    def add(x, k, axis, largest, of_sorted=True, **more):
        indices = np.take(ordered(x, axis, largest), np.arange(k), axis=axis)
        y = taken(x, indices, axis)
        cases.add("Topk", Tensor(x), k, axis, largest, of_sorted, Out(y), Out(indices), **more)

    for name in TOPK:
        for x, axis in grids(name):
            for k in sorted({1, 3, x.shape[axis] // 2, x.shape[axis]} - {0}):
                if k <= x.shape[axis]:
                    add(x, k, axis, True)
                    add(x, k, axis, False)
    add(values("u32", 9), 4, 0, True, product="Ascend950")
    # Which elements, and not in which order.
    x = np.array([5, 1, 9, 9, 2], np.int32)
    add(x, 1, 0, True, False)
    # The 950 copies all of them.
    cases.add("Topk", Tensor(x), 5, 0, True, False, Out(x), Out(np.arange(5)), product="Ascend950")
    # The 910 computes f32 as f16, unless the tensor is large and k small.
    close = np.array([1.0003, 1.0002, 2049.0, 2048.0, 70000.0], np.float32)
    halves = close.astype(np.float16)
    indices = ordered(halves, 0, True)[:3]
    cases.add("Topk", Tensor(close), 3, 0, True, True, Out(halves[indices].astype(np.float32)), Out(indices), product="Ascend910")
    large = np.resize(close, 40000)
    add(large, 3, 0, True, product="Ascend910")
    cases.add("Topk", Tensor(np.float32(2)), 1, -1, True, True, Out(np.float32(2)), Out(np.zeros((), np.int64)))
    cases.add("Topk", Tensor(np.float32(2)), 2, -1, True, True, Out(np.float32(2)), Out(np.zeros((), np.int64)), code=INVALID)
    # Nothing to do; shapes are not looked at then.
    x = values("f32", 6)
    cases.add("Topk", Tensor(x), 0, 0, True, True, Out(x[:0]), Out(np.zeros(0, np.int64)))
    cases.add("Topk", Tensor(np.zeros((0, 4), np.float32)), 2, 1, True, True, Out(np.zeros((0, 2), np.float32)), Out(np.zeros((0, 2), np.int64)))
    # One element fits any shape of one element.
    cases.add("Topk", Tensor(np.array([1, 5, 2], np.float32)), 1, 0, True, True, Out(np.full((1, 1), 5, np.float32)), Out(np.ones((), np.int64)))
    out, indices = Out(x[:2]), Out(np.zeros(2, np.int64))
    for k, axis in [(7, 0), (-1, 0), (2, 1), (2, -2)]:
        cases.add("Topk", Tensor(x), k, axis, True, True, out, indices, code=INVALID)
    cases.add("Topk", Tensor(x), 3, 0, True, True, out, indices, code=INVALID)
    cases.add("Topk", Tensor(x), 2, 0, True, True, Out(np.zeros(2, np.float16)), indices, code=INVALID)
    cases.add("Topk", Tensor(x), 2, 0, True, True, out, Out(np.zeros(2, np.int32)), code=INVALID)
    for name in ["bool", "u16", "c64"]:
        y = values(name, 4)
        cases.add("Topk", Tensor(y), 2, 0, True, True, Out(y[:2]), indices, code=INVALID)
    cases.add("Topk", Tensor(x), 9, 0, True, True, NULL, indices, code=NULLPTR)


def kth(x, rank, axis, keep):
    """The element of a rank per row, and where it is."""
    indices = np.expand_dims(np.take(ordered(x, axis), rank, axis=axis), axis)
    y = taken(x, indices, axis)
    return (y, indices) if keep else (np.squeeze(y, axis), np.squeeze(indices, axis))


def middle(row, ignores_nan):
    """The middle element of a row and where it is."""
    nan = np.isnan(wide(row)) if name_of(row) in FLOATS else np.zeros(len(row), bool)
    if nan.any() and not ignores_nan:
        index = int(np.argmax(nan))
    else:
        count = len(row) - int(nan.sum())
        index = int(ordered(row, 0)[max(count - 1, 0) // 2])
    return row[index], index


def middles(x, axis, keep, ignores_nan):
    rows = np.moveaxis(x, axis, -1)
    found = [middle(row, ignores_nan) for row in rows.reshape(-1, x.shape[axis])]
    shape = rows.shape[:-1]
    y = np.array([one[0] for one in found], x.dtype).reshape(shape)
    indices = np.array([one[1] for one in found], np.int64).reshape(shape)
    return (np.expand_dims(y, axis), np.expand_dims(indices, axis)) if keep else (y, indices)


def ranks(cases):
    for name in RANK:
        for x, axis in grids(name):
            size = x.shape[axis]
            for k, keep in [(1, False), (size // 2, True), (size, False)]:
                y, indices = kth(x, k - 1, axis, keep)
                cases.add("Kthvalue", Tensor(x), k, axis, keep, Out(y), Out(indices))
            for ignores, prefix in [(False, ""), (True, "Nan")]:
                for keep in [False, True]:
                    y, indices = middles(x, axis, keep, ignores)
                    cases.add(prefix + "MedianDim", Tensor(x), axis, keep, Out(y), Out(indices))
                cases.add(prefix + "Median", Tensor(x), Out(middle(x.reshape(-1), ignores)[0]))
    x = values("u64", 9)
    cases.add("Kthvalue", Tensor(x), 4, 0, False, Out(kth(x, 3, 0, False)[0]), Out(kth(x, 3, 0, False)[1]), product="Ascend950")
    nan = np.full((2, 4), np.nan, np.float32)
    nan[0, 2] = 3
    cases.add("NanMedianDim", Tensor(nan), 1, False, *map(Out, middles(nan, 1, False, True)))
    cases.add("MedianDim", Tensor(nan), 1, False, *map(Out, middles(nan, 1, False, False)))
    # The 950 takes the middle with NaN last.
    cases.add("MedianDim", Tensor(nan), 1, False, *map(Out, kth(nan, 1, 1, False)), product="Ascend950")
    cases.add("Median", Tensor(np.array([4, 1, 3, 2], np.float32)), Out(np.float32(2)))
    cases.add("Median", Tensor(np.array([4, 1, 3, 2], np.float32)), Out(np.array([[2]], np.float32)))
    cases.add("Median", Tensor(np.float32(7)), Out(np.float32(7)))
    index = Out(np.zeros((), np.int64))
    for operator, arguments in [("MedianDim", []), ("NanMedianDim", []), ("Kthvalue", [1])]:
        for keep in [False, True]:
            cases.add(operator, Tensor(np.int32(7)), *arguments, -1, keep, Out(np.int32(7)), index)
    # Nothing at all.
    none = np.zeros(0)
    for name, expected in [("f32", np.nan), ("f16", np.nan), ("i64", -(2**63)), ("i32", -(2**31)), ("i16", 0), ("i8", 0), ("u8", 0)]:
        cases.add("Median", Tensor(none.astype(kind(name))), Out(np.array(expected, kind(name))))
    cases.add("NanMedian", Tensor(none.astype(np.float32)), Out(np.float32(np.nan)))
    cases.add("Median", Tensor(none.astype(np.float32)), Out(none.astype(np.float32)))
    empty = np.zeros((3, 0), np.float32)
    untouched = Out(np.zeros(3, np.float32), np.inf), Out(np.zeros(3, np.int64), np.inf)
    cases.add("MedianDim", Tensor(empty), 1, False, *untouched)
    cases.add("NanMedianDim", Tensor(empty), 1, False, *untouched, code=INVALID)
    for operator, arguments in [("MedianDim", []), ("NanMedianDim", []), ("Kthvalue", [1])]:
        cases.add(operator, Tensor(empty), *arguments, 0, False, Out(np.zeros(0, np.float32)), Out(np.zeros(0, np.int64)))
    cases.add("Kthvalue", Tensor(empty), 1, 1, False, *untouched, code=INVALID)
    # What is refused.
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    y, indices = Out(np.zeros(2, np.float32)), Out(np.zeros(2, np.int64))
    for k, axis in [(0, 1), (4, 1), (1, 2), (1, -3)]:
        cases.add("Kthvalue", Tensor(x), k, axis, False, y, indices, code=INVALID)
    cases.add("Kthvalue", Tensor(x), 1, 1, True, y, indices, code=INVALID)
    cases.add("Kthvalue", Tensor(np.float32(1)), 2, 0, False, Out(np.float32(1)), index, code=INVALID)
    for operator in ["MedianDim", "NanMedianDim"]:
        cases.add(operator, Tensor(x), 2, False, y, indices, code=INVALID)
        cases.add(operator, Tensor(x), 1, True, y, indices, code=INVALID)
        cases.add(operator, Tensor(x), 1, False, Out(np.zeros(2, np.float16)), indices, code=INVALID)
        cases.add(operator, Tensor(x), 1, False, y, Out(np.zeros(2, np.int32)), code=INVALID)
        cases.add(operator, Tensor(x[0]), 0, False, Out(np.zeros(1, np.float32)), Out(np.zeros(1, np.int64)), code=INVALID)
        half = values("bf16", 4).reshape(4, 1)
        cases.add(operator, Tensor(half), 1, True, Out(half), Out(np.zeros((4, 1), np.int64)), code=INVALID)
        cases.add(operator, Tensor(x), 9, False, y, NULL, code=NULLPTR)
    for operator in ["Median", "NanMedian"]:
        half = values("bf16", 4).reshape(4, 1)
        cases.add(operator, Tensor(half), Out(half[0, 0]), code=INVALID)
        cases.add(operator, Tensor(half[0, 0]), Out(half[0, 0]))
        cases.add(operator, Tensor(x), Out(np.float16(0)), code=INVALID)
        cases.add(operator, Tensor(x), Out(np.zeros(2, np.float32)), code=INVALID)
        cases.add(operator, NULL, Out(np.float32(0)), code=NULLPTR)
    for name in ["bool", "f64", "u16", "c64"]:
        x = values(name, 4)
        place = Out(x[0].reshape(())), index
        cases.add("Median", Tensor(x), place[0], code=INVALID)
        cases.add("NanMedian", Tensor(x), place[0], code=INVALID)
        cases.add("MedianDim", Tensor(x), 0, False, *place, code=INVALID)
        cases.add("NanMedianDim", Tensor(x), 0, False, *place, code=INVALID)
        cases.add("Kthvalue", Tensor(x), 1, 0, False, *place, code=INVALID)


def searched(sequence, x, right):
    side = "right" if right else "left"
    if sequence.ndim == 1:
        return np.searchsorted(wide(sequence), wide(x), side=side)
    rows = sequence.reshape(-1, sequence.shape[-1])
    return np.stack([np.searchsorted(wide(row), wide(one), side=side) for row, one in zip(rows, x.reshape(len(rows), -1))]).reshape(x.shape)


def sequence_of(name, shape):
    x = repeated(name, shape)
    x = np.where(np.isnan(wide(x)), 0, x).astype(x.dtype) if name in FLOATS else x
    return taken(x, ordered(x, -1), -1)


def search(cases):
    for name in SEARCH:
        for dims, shape in [((30,), (40,)), ((30,), (3, 5)), ((1,), (4,)), ((2, 3, 7), (2, 3, 4))]:
            sequence, x = sequence_of(name, dims), repeated(name, shape)
            for right in [False, True]:
                y = searched(sequence, x, right)
                cases.add("SearchSorted", Tensor(sequence), Tensor(x), False, right, NULL, Out(y.astype(np.int64)))
                cases.add("SearchSorted", Tensor(sequence), Tensor(x), True, right, NULL, Out(y.astype(np.int32)))
    whole = np.array([1, 3, 3, 5], np.int32)
    for right, expected in [(False, 1), (True, 3)]:
        cases.add("SearchSorted", Tensor(whole), Tensor(np.float32(3)), False, right, NULL, Out(np.array(expected)))
        cases.add("SearchSorteds", Tensor(whole), Scalar(3, "i64"), False, right, NULL, Out(np.array([expected])))
        cases.add("SearchSorteds", Tensor(whole.astype(np.float32)), Scalar(3.0, "f64"), True, right, NULL, Out(np.array([expected], np.int32)))
    # The scalar goes through f32, which makes 16777217 even.
    large = np.array([16777216, 16777217], np.int64)
    cases.add("SearchSorteds", Tensor(large), Scalar(16777217, "i64"), False, False, NULL, Out(np.array([0])))
    # Through the order that sorts it.
    mixed = repeated("f32", (2, 6))
    mixed[np.isnan(mixed)] = 0
    order = ordered(mixed, -1)
    x = repeated("f32", (2, 5))
    y = searched(taken(mixed, order, -1), x, False)
    cases.add("SearchSorted", Tensor(mixed), Tensor(x), False, False, Tensor(order), Out(y))
    # Of two types; integers are compared as floats then.
    y = searched(whole.astype(np.float32), x, True)
    cases.add("SearchSorted", Tensor(whole), Tensor(x), False, True, NULL, Out(y))
    cases.add("SearchSorted", Tensor(np.array([0, 100, 200], np.uint8)), Tensor(np.array([-1, 127], np.int8)), False, False, NULL, Out(np.array([0, 2])))
    # Without a sequence or elements, zeros.
    cases.add("SearchSorted", Tensor(whole[:0]), Tensor(whole), False, True, NULL, Out(np.zeros(4, np.int64)))
    cases.add("SearchSorted", Tensor(whole), Tensor(whole[:0]), False, True, NULL, Out(np.zeros(0, np.int64)))
    for name in ["bf16", "bool", "u16", "c64"]:
        x = values(name, 4)
        cases.add("SearchSorted", Tensor(x), Tensor(x), False, False, NULL, Out(np.zeros(4, np.int64)), code=INVALID)
    out, grid = Out(np.zeros(4, np.int64)), np.zeros((2, 4), np.int32)
    cases.add("SearchSorted", Tensor(whole), Tensor(whole), True, False, NULL, out, code=INVALID)
    cases.add("SearchSorted", Tensor(whole), Tensor(whole), False, False, NULL, Out(np.zeros(3, np.int64)), code=INVALID)
    cases.add("SearchSorted", Tensor(grid), Tensor(whole), False, False, NULL, out, code=INVALID)
    cases.add("SearchSorted", Tensor(grid), Tensor(np.zeros((3, 4), np.int32)), False, False, NULL, Out(np.zeros((3, 4), np.int64)), code=INVALID)
    cases.add("SearchSorted", Tensor(whole), Tensor(whole), False, False, Tensor(whole), out, code=INVALID)
    cases.add("SearchSorted", Tensor(whole), Tensor(whole), False, False, Tensor(np.zeros(3, np.int64)), out, code=INVALID)
    cases.add("SearchSorteds", Tensor(grid), Scalar(3, "i64"), False, False, NULL, Out(np.zeros(1, np.int64)), code=INVALID)
    cases.add("SearchSorteds", Tensor(whole), Scalar(3, "i64"), False, False, NULL, Out(np.zeros(0, np.int64)), code=INVALID)
    cases.add("SearchSorteds", Tensor(whole), NULL, False, False, NULL, Out(np.zeros(1, np.int64)), code=NULLPTR)
    cases.add("SearchSorted", Tensor(whole), NULL, False, False, NULL, out, code=NULLPTR)
    cases.add("SearchSorted", NULL, Tensor(whole), False, False, NULL, out, code=NULLPTR)


def bucketize(cases):
    for name in ["f32", "f16", "bf16", *INTEGERS]:
        boundaries, x = sequence_of(name, (9,)), repeated(name, (4, 5))
        for right in [False, True]:
            y = searched(boundaries, x, right)
            for narrow in [False, True]:
                out = y.astype(np.int32 if narrow else np.int64)
                cases.add("Bucketize", Tensor(x), Tensor(boundaries), narrow, right, Out(out), product="Ascend950")
    boundaries = np.array([1, 3, 5], np.float32)
    cases.add("Bucketize", Tensor(np.array([0, 3, 4], np.int8)), Tensor(boundaries), False, False, Out(np.array([0, 1, 2])), product="Ascend950")
    cases.add("Bucketize", Tensor(np.float32(3)), Tensor(boundaries), False, True, Out(np.array(2)), product="Ascend950")
    # An integer without axes takes the type of integer boundaries: 257 becomes 1.
    small = np.array([0, 2], np.int8)
    cases.add("Bucketize", Tensor(np.int32(257)), Tensor(small), False, False, Out(np.array(1)), product="Ascend950")
    cases.add("Bucketize", Tensor(boundaries), Tensor(boundaries[:0]), False, False, Out(np.zeros(3, np.int64)), product="Ascend950")
    cases.add("Bucketize", Tensor(boundaries[:0]), Tensor(boundaries), False, False, Out(np.zeros(0, np.int64)), product="Ascend950")
    out = Out(np.zeros(3, np.int64))
    for arguments in [
        (Tensor(boundaries), Tensor(boundaries.reshape(1, 3)), False, False, out),
        (Tensor(boundaries), Tensor(boundaries), True, False, out),
        (Tensor(boundaries), Tensor(boundaries), False, False, Out(np.zeros(2, np.int64))),
        (Tensor(boundaries.astype(np.float64)), Tensor(boundaries), False, False, out),
    ]:
        cases.add("Bucketize", *arguments, product="Ascend950", code=INVALID)
    cases.add("Bucketize", NULL, Tensor(boundaries), False, False, out, product="Ascend950", code=NULLPTR)
    for product in ["Ascend910", "Ascend910B"]:
        cases.add("Bucketize", Tensor(boundaries), Tensor(boundaries), False, False, out, product=product, code=INNER)
        cases.add("Bucketize", NULL, Tensor(boundaries), False, False, out, product=product, code=INNER)


def equal(a, b):
    """Whether two slices are equal; NaN equals nothing."""
    return bool(np.all(wide(a) == wide(b)))


def grouped(slices, order):
    """The first slice of each group of equal neighbours in an order, the group of each slice, the sizes of the groups."""
    first, inverse, counts = [], np.zeros(len(slices), np.int64), []
    for position, index in enumerate(order):
        if position == 0 or not equal(slices[index], slices[order[position - 1]]):
            first.append(index)
            counts.append(0)
        inverse[index] = len(first) - 1
        counts[-1] += 1
    return slices[np.array(first, np.int64)], inverse, np.array(counts, np.int64)


def unique(cases):
    def results(x):
        flat = x.reshape(-1)
        y, inverse, counts = grouped(flat, ordered(flat, 0))
        return y, inverse.reshape(x.shape), counts

    anything = lambda shape: Out(np.zeros(shape, np.int64), np.inf)
    for name in UNIQUE:
        for x in [values(name, 40), repeated(name, (40,)), repeated(name, (3, 4, 5)), repeated(name, (1,))]:
            y, inverse, counts = results(x)
            made = [x.size]
            cases.add("Unique", Tensor(x), True, True, Sized(y, made), Out(inverse))
            cases.add("Unique", Tensor(x), False, False, Sized(y, made), anything(()))
            cases.add("Unique2", Tensor(x), True, True, True, Sized(y, made), Out(inverse), Sized(counts, made))
            cases.add("Unique2", Tensor(x), True, False, False, Sized(y, made), anything(1), anything(1))
    x = repeated("i32", ())
    cases.add("Unique2", Tensor(x), True, True, True, Sized(x.reshape(1), [1]), Out(np.zeros((), np.int64)), Sized(np.ones(1, np.int64), [1]))
    # Nothing is computed, and no size is set.
    empty, some = np.zeros((0, 3), np.float32), np.zeros(4, np.float32)
    cases.add("Unique", Tensor(empty), True, True, Out(some, np.inf), Out(np.zeros((0, 3), np.int64)))
    x, index = values("f32", 6), np.zeros(6, np.int64)
    for name in ["c64"]:
        y = values(name, 4)
        cases.add("Unique", Tensor(y), True, False, Out(y), Out(np.zeros(4, np.int64)), code=INVALID)
        cases.add("Unique2", Tensor(y), True, False, False, Out(y), Out(np.zeros(4, np.int64)), Out(np.zeros(4, np.int64)), code=INVALID)
    cases.add("Unique", Tensor(x), True, False, Out(x), Out(index.astype(np.int32)), code=INVALID)
    cases.add("Unique", Tensor(x), True, True, Out(x), Out(index[1:]), code=INVALID)
    cases.add("Unique", Tensor(x), True, False, Out(x), NULL, code=NULLPTR)
    cases.add("Unique2", Tensor(x), True, False, False, Out(x), Out(index), Out(index.astype(np.int32)), code=INVALID)
    cases.add("Unique2", Tensor(x), True, False, True, Out(x), Out(index[1:]), Out(index), code=INVALID)
    cases.add("Unique2", Tensor(x), True, False, True, Out(x), Out(index), Out(index[1:]), code=INVALID)
    cases.add("Unique2", Tensor(x), True, False, False, Out(x), Out(index), NULL, code=NULLPTR)

    for name in CONSECUTIVE:
        x = np.repeat(repeated(name, (20,)), np.arange(20) % 4)
        y, inverse, counts = grouped(x, np.arange(len(x)))
        made = [x.size]
        cases.add("UniqueConsecutive", Tensor(x), True, True, NONE, Sized(y, made), Out(inverse), Sized(counts, made))
        cases.add("UniqueConsecutive", Tensor(x), False, False, NONE, Sized(y, made), anything(1), anything(1))
        grid = np.repeat(repeated(name, (3, 2)), [2, 1, 3], axis=0)
        y, inverse, counts = grouped(grid, np.arange(6))
        cases.add("UniqueConsecutive", Tensor(grid), True, True, 0, Sized(y, grid.shape), Out(inverse), Sized(counts, [6]))
        turned = np.ascontiguousarray(grid.T)
        cases.add("UniqueConsecutive", Tensor(turned), True, True, -1, Sized(np.ascontiguousarray(y.T), turned.shape), Out(inverse), Sized(counts, [6]))
        flat = grid.reshape(-1)
        y, inverse, counts = grouped(flat, np.arange(12))
        cases.add("UniqueConsecutive", Tensor(grid), True, True, NONE, Sized(y, [12]), Out(inverse.reshape(grid.shape)), Sized(counts, [12]))
    cases.add("UniqueConsecutive", Tensor(x), False, False, 2, Out(x), anything(1), anything(1), code=INVALID)
    x, index = values("f32", 6), np.zeros(6, np.int64)
    cases.add("UniqueConsecutive", Tensor(x), False, False, NONE, Out(x.astype(np.float16)), anything(1), anything(1), code=INVALID)
    cases.add("UniqueConsecutive", Tensor(x), False, False, NONE, Out(x), Out(index.astype(np.int32)), anything(1), code=INVALID)
    cases.add("UniqueConsecutive", Tensor(x), False, False, NONE, Out(x), NULL, anything(1), code=NULLPTR)

    for name in UNIQUE:
        pool = values(name)
        pool = pool[~np.isnan(wide(pool))] if name in FLOATS else pool
        random = np.random.default_rng(len(pool))
        grid = pool[random.integers(0, 3, (12, 2)) % len(pool)]
        order = sorted(range(12), key=lambda index: tuple(wide(grid[index]).tolist()))
        y, inverse, counts = grouped(grid, np.array(order))
        cases.add("UniqueDim", Tensor(grid), True, True, 0, Sized(y, grid.shape), Out(inverse), Sized(counts, [12]))
        turned = np.ascontiguousarray(grid.T)
        cases.add("UniqueDim", Tensor(turned), True, True, -1, Sized(np.ascontiguousarray(y.T), turned.shape), Out(inverse), Sized(counts, [12]))
    x = repeated("f32", (30,))
    y, inverse, counts = grouped(x, ordered(x, 0))
    cases.add("UniqueDim", Tensor(x), True, True, 0, Sized(y, [30]), Out(inverse), Sized(counts, [30]))
    x, index = values("f32", 6), np.zeros(6, np.int64)
    cases.add("UniqueDim", Tensor(x), True, False, 1, Out(x), Out(index), Out(index), code=INVALID)
    cases.add("UniqueDim", Tensor(x), True, False, 0, Out(x.astype(np.float16)), Out(index), Out(index), code=INVALID)
    cases.add("UniqueDim", Tensor(x), True, False, 0, Out(x), Out(index), Out(index.astype(np.int32)), code=INVALID)
    cases.add("UniqueDim", Tensor(x.astype(np.complex64)), True, False, 0, Out(x.astype(np.complex64)), Out(index), Out(index), code=INVALID)
    cases.add("UniqueDim", Tensor(x), True, False, 0, Out(x), Out(index), NULL, code=NULLPTR)


def products(cases):
    """Which types each product takes: bf16 from the 910B on but for Sort, unsigned integers of more than a byte on the 950."""
    for product in ["Ascend910", "Ascend310P", "Ascend950"]:
        is_950 = product == "Ascend950"
        floats = ["f32", "f16", "bf16"] if is_950 else ["f32", "f16"]
        unsigned = UNSIGNED if is_950 else []
        for name in TYPES:
            x = np.array([3, 1, 2]).astype(kind(name))
            code = lambda types: {"product": product, "code": 0 if name in types else INVALID}
            numbers = name not in ("c64", "c128")
            indices = ordered(x, 0) if numbers else np.zeros(3, np.int64)
            y = x[indices]
            cases.add("Sort", Tensor(x), True, 0, False, Out(y), Out(indices), **code([*SORT, *unsigned]))
            cases.add("Argsort", Tensor(x), 0, False, Out(indices), **code([*floats, *INTEGERS, *unsigned]))
            smallest = Out(y[:2]), Out(indices[:2])
            cases.add("Topk", Tensor(x), 2, 0, False, True, *smallest, **code([*floats, "f64", *INTEGERS, *unsigned]))
            middle = Out(y[1]), Out(indices[1])
            cases.add("Kthvalue", Tensor(x), 2, 0, False, *middle, **code([*floats, *INTEGERS, *unsigned]))
            for operator in ["MedianDim", "NanMedianDim"]:
                cases.add(operator, Tensor(x), 0, False, *middle, **code([*floats, *INTEGERS]))
            for operator in ["Median", "NanMedian"]:
                cases.add(operator, Tensor(x), middle[0], **code([*floats, *INTEGERS]))
            found = Out(np.array([1])) if numbers else Out(np.zeros(1, np.int64))
            cases.add("SearchSorted", Tensor(y), Tensor(y[1:2]), False, False, NULL, found, **code(SEARCH))
            of_all = [*floats, "f64", *INTEGERS, *UNSIGNED, "bool"]
            values, inverse, counts = grouped(x, indices)
            results = Sized(values, [3]), Out(inverse), Sized(counts, [3])
            cases.add("Unique2", Tensor(x), True, True, True, *results, **code(of_all))
            cases.add("UniqueDim", Tensor(x), True, True, 0, *results, **code(of_all))
            values, inverse, counts = grouped(x, np.arange(3))
            results = Sized(values, [3]), Out(inverse), Sized(counts, [3])
            cases.add("UniqueConsecutive", Tensor(x), True, True, NONE, *results, **code([*of_all, "c64", "c128"]))
        # What f64 values become; the 950 does not make them.
        x = np.array([2, 1], np.float32)
        cases.add("Sort", Tensor(x), True, 0, False, Out(x[::-1].astype(np.float64)), Out(np.array([1, 0])), product=product, code=INVALID if is_950 else 0)


def main():
    cases = Cases()
    for family in [sort, argsort, topk, ranks, search, bucketize, unique, products]:
        family(cases)
    cases.write("sorting")


if __name__ == "__main__":
    main()
