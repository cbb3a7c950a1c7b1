"""Files of cases: calls of operators with their arguments, and what comes of them.

A case is a call of one operator as a C program makes it: tensors with contiguous elements, numbers and scalars, in the
order of the C parameters. The tests of the emulator read the files (`cann-stubs/tests/support/cases.rs`), and run each
case also through views with gaps.
"""

from pathlib import Path
import struct
import zlib

import ml_dtypes
import numpy as np

DATA = Path(__file__).resolve().parents[2] / "cann-stubs" / "tests" / "data"

# Short name: aclDataType, NumPy type.
TYPES = {
    "f32": (0, np.float32), "f16": (1, np.float16), "i8": (2, np.int8), "i32": (3, np.int32), "u8": (4, np.uint8),
    "i16": (6, np.int16), "u16": (7, np.uint16), "u32": (8, np.uint32), "i64": (9, np.int64), "u64": (10, np.uint64),
    "f64": (11, np.float64), "bool": (12, np.bool_), "c64": (16, np.complex64), "c128": (17, np.complex128),
    "bf16": (27, ml_dtypes.bfloat16), "f8e4m3fn": (36, ml_dtypes.float8_e4m3fn),
}
FLOATS = ["f32", "f16", "bf16", "f64"]
COMPLEX = ["c64", "c128"]
SIGNED = ["i8", "i16", "i32", "i64"]
INTEGERS = ["i8", "u8", "i16", "i32", "i64"]
UNSIGNED = ["u16", "u32", "u64"]

# Numbers that tell roundings, wraps and special cases apart; integers beyond a type are left out.
REALS = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, 2.5, -2.5, 1 / 3, 0.1, 3.75, -7.25, 10.0, 88.0, 1e-3, 1e-30, 3e4, np.inf, -np.inf, np.nan]
WHOLE = [0, 1, -1, 2, -2, 3, 7, 100, 127, -128, 255, 2049, -32768, 65535, 2**31 - 1, -(2**31), 2**63 - 1, -(2**63)]


def kind(name):
    return TYPES[name][1]


def name_of(array):
    return next(name for name, (_, dtype) in TYPES.items() if np.dtype(dtype) == array.dtype)


def values(name, count=None, low=-4.0, high=4.0, special=True):
    """Numbers of a type: the special ones, then random ones up to `count`."""
    random = np.random.default_rng(sum(map(ord, name)) + (count or 0))
    if name == "bool":
        fixed = np.array([False, True, True, False])
    elif name in FLOATS:
        with np.errstate(over="ignore"):
            fixed = np.array(REALS if special else [0.5, -1.25, 3.0]).astype(kind(name))
    elif name in COMPLEX:
        fixed = np.array([0.5 + 1j, -1.25 + 0.25j, 3 - 2j, -0.75 - 1.5j, 1j, 2 + 0j]).astype(kind(name))
    else:
        limits = np.iinfo(kind(name))
        fixed = np.array([number for number in WHOLE if limits.min <= number <= limits.max], dtype=kind(name))
    if count is None:
        return fixed
    more = random.uniform(low, high, max(count - len(fixed), 0))
    if name in COMPLEX:
        more = more + 1j * random.uniform(low, high, len(more))
    if name == "bool":
        more = more > 0
    return np.concatenate([fixed, more.astype(kind(name))])[:count]


class Tensor:
    """An input tensor."""

    def __init__(self, array):
        self.array = np.ascontiguousarray(array).reshape(np.shape(array))

    def bytes(self):
        return b"T" + described(self.array) + self.array.tobytes()


class Out:
    """An output and its elements, each within `ulps` units of the last place of what is expected; infinite if any will do.
    Where terms cancel, `within` is the distance itself, which the file has as a negative number of units."""

    def __init__(self, array, ulps=0, within=None):
        self.array, self.ulps = np.ascontiguousarray(array).reshape(np.shape(array)), ulps if within is None else -within

    def bytes(self):
        return b"O" + described(self.array) + struct.pack("<f", self.ulps) + self.array.tobytes()


class InOut(Out):
    """A tensor that is read and written."""

    def __init__(self, before, after, ulps=0):
        super().__init__(after, ulps)
        self.before = np.ascontiguousarray(before)

    def bytes(self):
        return b"R" + described(self.array) + struct.pack("<f", self.ulps) + self.before.tobytes() + self.array.tobytes()


class Scalar:
    """A scalar argument."""

    def __init__(self, value, name):
        self.array = np.array([value]).astype(kind(name))

    def bytes(self):
        return b"S" + bytes([TYPES[name_of(self.array)][0]]) + self.array.tobytes()


class Sized:
    """An output of the sizes `made`, which gets the sizes of its result when that is computed."""

    def __init__(self, array, made):
        self.array, self.made = np.ascontiguousarray(array).reshape(np.shape(array)), list(made)

    def bytes(self):
        return b"V" + Ints(self.made).bytes()[1:] + described(self.array) + self.array.tobytes()


class Formatted:
    """A tensor or an output whose storage has another format than tensors with so many axes have."""

    FORMATS = {
        "NCHW": 0, "NHWC": 1, "ND": 2, "NC1HWC0": 3, "FRACTAL_Z": 4, "HWCN": 16, "NDHWC": 27, "FRACTAL_NZ": 29, "NCDHW": 30,
        "NDC1HWC0": 32, "FRACTAL_Z_3D": 33, "NCL": 47,
    }

    def __init__(self, format, tensor):
        self.format, self.tensor = self.FORMATS[format], tensor

    def bytes(self):
        return b"Y" + struct.pack("<i", self.format) + self.tensor.bytes()


class Tensors:
    """A list of tensors, outputs or nulls."""

    def __init__(self, *tensors):
        self.tensors = tensors

    def bytes(self):
        return b"M" + bytes([len(self.tensors)]) + b"".join(map(encoded, self.tensors))


class Scalars:
    """A list of scalars."""

    def __init__(self, *scalars):
        self.scalars = scalars

    def bytes(self):
        return b"C" + bytes([len(self.scalars)]) + b"".join(map(encoded, self.scalars))


class Floats:
    """An array of f32 numbers."""

    def __init__(self, numbers):
        self.numbers = list(numbers)

    def bytes(self):
        return b"G" + struct.pack(f"<B{len(self.numbers)}f", len(self.numbers), *self.numbers)


class Bools:
    """An array of truth values."""

    def __init__(self, truths):
        self.truths = list(truths)

    def bytes(self):
        return b"H" + bytes([len(self.truths), *map(int, self.truths)])


class Ints:
    """An array of integers."""

    def __init__(self, numbers):
        self.numbers = list(numbers)

    def bytes(self):
        return b"L" + struct.pack(f"<B{len(self.numbers)}q", len(self.numbers), *self.numbers)


class Text:
    """A text."""

    def __init__(self, text):
        self.text = text.encode()

    def bytes(self):
        return b"X" + bytes([len(self.text)]) + self.text


class DType:
    """An element type as an argument."""

    def __init__(self, name):
        self.name = name

    def bytes(self):
        return b"D" + bytes([TYPES[self.name][0]])


NULL = type("Null", (), {"bytes": lambda self: b"N"})()


def described(array):
    return struct.pack(f"<BB{array.ndim}q", TYPES[name_of(array)][0], array.ndim, *array.shape)


def encoded(argument):
    if isinstance(argument, bool):
        return b"B" + bytes([argument])
    if isinstance(argument, int):
        return b"I" + struct.pack("<q", argument)
    if isinstance(argument, float):
        return b"F" + struct.pack("<d", argument)
    return argument.bytes()


class Cases:
    """The cases of a file."""

    def __init__(self):
        self.parts, self.count = [], 0

    def add(self, operator, *arguments, product="Ascend910B", code=0):
        head = struct.pack("<B", len(operator)) + operator.encode() + struct.pack("<B", len(product)) + product.encode()
        body = b"".join(map(encoded, arguments))
        self.parts.append(head + struct.pack("<iB", code, len(arguments)) + body)
        self.count += 1

    def write(self, name):
        data = zlib.compress(b"".join(self.parts), 9)
        (DATA / f"{name}.cases").write_bytes(data)
        print(f"{name}: {self.count} cases, {len(data)} bytes")
