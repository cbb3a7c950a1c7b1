"""Golden texts of arrays, made with NumPy and ml_dtypes.

Writes numerics/tests/data/print.txt: for each array a line with `#`, the type, the sizes and the precision, a line with
its bytes in hexadecimal, and the text that `array2string` makes of it with a comma as separator. The text differs where
this project chose another form than NumPy:

- truth values are `true` and `false`;
- bf16 is printed as the f64 of its shortest decimals, which are found here by adding one digit after the other;
- the small floats of ml_dtypes are printed as f32, its small integers as i8.

    python xtask/golden/print.py
"""

from decimal import ROUND_HALF_EVEN, ROUND_UP, Context
from pathlib import Path

import ml_dtypes
import numpy as np

OUT = Path(__file__).resolve().parents[2] / "numerics" / "tests" / "data" / "print.txt"

NAMES = {
    np.float32: "f32", np.float16: "f16", np.float64: "f64", np.int8: "i8", np.uint8: "u8", np.int16: "i16",
    np.uint16: "u16", np.int32: "i32", np.uint32: "u32", np.int64: "i64", np.uint64: "u64", np.bool_: "bool",
    np.complex64: "c64", np.complex128: "c128", ml_dtypes.bfloat16: "bf16", ml_dtypes.float8_e4m3fn: "f8e4m3fn",
    ml_dtypes.float8_e5m2: "f8e5m2", ml_dtypes.float8_e4m3fnuz: "f8e4m3fnuz", ml_dtypes.float8_e5m2fnuz: "f8e5m2fnuz",
    ml_dtypes.float8_e8m0fnu: "f8e8m0", ml_dtypes.float6_e3m2fn: "f6e3m2", ml_dtypes.float6_e2m3fn: "f6e2m3",
    ml_dtypes.float4_e2m1fn: "f4e2m1", ml_dtypes.int4: "i4", ml_dtypes.uint4: "u4", ml_dtypes.int2: "i2",
    ml_dtypes.uint2: "u2",
}
FLOATS = [np.float16, np.float32, np.float64]
INTEGERS = [np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64]
SMALL = [kind for kind, name in NAMES.items() if name[0] == "f" and name[1] in "468" and name[2] in "e"]


def shortest(value):
    """Returns the shortest decimal that is rounded to this bf16."""
    if not np.isfinite(value):
        return np.float64(value)
    for digits in range(1, 18):
        # The nearest with so many digits, else the next one outwards: a power of two has more room on that side.
        for rounding in [ROUND_HALF_EVEN, ROUND_UP]:
            text = str(Context(prec=digits, rounding=rounding).create_decimal_from_float(float(value)))
            if np.array(float(text)).astype(ml_dtypes.bfloat16) == value:
                return np.float64(text)
    raise ValueError(value)


def text(array, precision):
    kind = array.dtype.type
    if kind is ml_dtypes.bfloat16:
        array = np.array([shortest(value) for value in array.ravel()], np.float64).reshape(array.shape)
    elif kind in SMALL:
        array = array.astype(np.float32)
    elif NAMES[kind] in ("i4", "u4", "i2", "u2"):
        array = array.astype(np.int8)
    result = np.array2string(array, separator=", ", precision=precision)
    return result.replace("True", "true").replace("False", "false")


def arrays():
    for kind in FLOATS:
        yield from (np.array(x, kind) for x in [1.5, 0.1, 1 / 3, -0.0, np.nan, -np.inf, 1e-5, 1000, 60000])
        yield np.array([1, 2, 3], kind)
        yield np.array([0.5, -1.25, 100], kind)
        yield np.array([0.1, 1 / 3, 2 / 3, 0.7], kind)
        yield np.array([1e-5, 1 / 3, -2.5, 0], kind)
        yield np.array([0, -0.0], kind)
        yield np.array([0.0001, 0.05], kind)
        yield np.array([0.0002, 0.2], kind)
        yield np.array([999, 1, 0.9985], kind)
        yield np.array([1000, 0.5], kind)
        yield np.array([1, 1000], kind)
        yield np.array([1, 1001], kind)
        yield np.array([1, np.nan, -np.inf, np.inf, -2.5], kind)
        yield np.array([np.nan, np.inf], kind)
        yield np.array([np.nan, -np.inf], kind)
        yield np.array([1e4, np.nan, -np.inf], kind)
        yield np.array([[1.5, -2], [np.nan, 0.125]], kind)
        yield np.array([[[0.25, 1], [2, 3]], [[4, 5], [6, 7.5]]], kind)
        yield np.arange(40).astype(kind) / kind(7)
        yield (np.arange(24).astype(kind) / kind(8)).reshape(2, 3, 2, 2)
        yield np.finfo(kind).max * np.array([1, -1, 0.5], kind)
        yield np.array([np.finfo(kind).tiny, np.finfo(kind).smallest_subnormal, np.finfo(kind).eps], kind)
        yield np.zeros((0,), kind)
        yield np.zeros((2, 0, 3), kind)
    yield 2.0 ** np.arange(-24, 16).astype(np.float16)
    bits = np.arange(0, 0x7C00, 37, dtype=np.uint16)
    yield bits[bits >= np.float16(1).view(np.uint16)].view(np.float16)[:400]
    yield bits[bits < np.float16(1).view(np.uint16)].view(np.float16)[:400]
    yield np.array([1e300, 1, 1e-300])
    yield np.array([5e-324, 1.7976931348623157e308])
    yield np.array([123456789.0, 1])
    yield np.array([99999999.0, 1e5])
    yield np.array([0.123456789, 12.3456789012])
    yield np.array([1.99999999999, 0.1000000001])
    yield np.array([0.00012345678912])
    yield np.array([123456, 1000], np.float32)
    yield np.array([999999, 1000], np.float32)
    yield np.array([1e6, 1e5], np.float32)
    yield np.array([16777216, 16777217.5], np.float64)
    yield np.random.default_rng(1).normal(size=(5, 7)).astype(np.float32)
    yield np.random.default_rng(2).normal(size=(3, 4))
    yield np.exp(np.random.default_rng(3).normal(size=(6, 3)) * 12).astype(np.float32)
    yield np.exp(np.random.default_rng(4).normal(size=(6, 3)) * 12)

    for kind in INTEGERS:
        info = np.iinfo(kind)
        yield np.array([info.min, info.max, 0, 7], kind)
        yield np.array(info.max, kind)
        yield np.arange(100).reshape(5, 20).astype(kind)
    yield np.zeros((3, 0), np.int32)
    yield np.array([[-1, 10], [100, 1]], np.int64)
    yield np.arange(16).reshape(2, 2, 2, 2).astype(np.int32)
    yield np.arange(60).astype(np.uint64) * 10**15

    yield np.array(True)
    yield np.array([True, True])
    yield np.array([[True, False], [False, False]])
    yield np.arange(40) % 3 == 0

    for kind in [np.complex64, np.complex128]:
        yield np.array(1 + 2j, kind)
        yield np.array([1 + 2j, -0.5 - 1.25j], kind)
        yield np.array([complex(np.nan, -0.0), complex(np.inf, -np.inf)], kind)
        yield np.array([complex(1, np.nan), complex(-2.5, 3)], kind)
        yield np.array([complex(np.nan, np.nan)], kind)
        yield np.array([1e10 + 1j, 2 - 1e-5j], kind)
        yield np.array([1e-3j, 100], kind)
        yield (np.arange(24) / 7 - 1j * np.arange(24)).astype(kind).reshape(4, 6)

    yield np.array([1.5, 2, 3], ml_dtypes.bfloat16)
    yield np.array(0.1, ml_dtypes.bfloat16)
    yield np.array([0.1, 1 / 3, -2 / 3, 100], ml_dtypes.bfloat16)
    yield np.array([1e-5, 1 / 3, 1e30], ml_dtypes.bfloat16)
    yield np.array([1, np.nan, -np.inf, -0.0], ml_dtypes.bfloat16)
    yield np.array([14912, 300000, 257], ml_dtypes.bfloat16)
    yield 2.0 ** np.arange(-10, 20, 3).astype(ml_dtypes.bfloat16)
    yield np.arange(0x3F00, 0x4000, 3, dtype=np.uint16).view(ml_dtypes.bfloat16).reshape(2, 43)
    for kind in SMALL:
        count = 2 ** ml_dtypes.finfo(kind).bits
        codes = np.arange(0, count, max(1, count // 32)).astype(np.uint8)
        yield codes.view(kind)
        yield codes[: len(codes) // 8].view(kind)
    for kind in [ml_dtypes.int4, ml_dtypes.uint4, ml_dtypes.int2, ml_dtypes.uint2]:
        info = ml_dtypes.iinfo(kind)
        yield np.array([info.min, info.max, 1], kind)

    yield np.arange(1000).astype(np.int16)
    yield np.arange(1001).astype(np.int16)
    yield np.arange(1002).astype(np.int16).reshape(2, 501)
    yield np.arange(1002).astype(np.int16).reshape(501, 2)
    yield np.arange(1500).astype(np.int16).reshape(2, 3, 250)
    yield np.arange(1344).astype(np.int16).reshape(7, 6, 8, 4)
    yield np.arange(1024).astype(np.int16).reshape(4, 4, 4, 4, 4)
    # Elements that are left out do not count for the width of the columns.
    yield np.where(np.arange(1100) == 500, 30000, np.arange(1100) % 10).astype(np.int16)
    yield (np.arange(1500) / 7).astype(np.float16).reshape(3, 500)
    yield (np.arange(1001) % 2 == 0)
    yield (np.arange(1200) % 5 - 1.5j).astype(np.complex64).reshape(30, 40)


def lines():
    for array in arrays():
        yield from record(array, 8)
    for precision in [0, 1, 3, 17]:
        yield from record(np.array([1.5, 0.1, 2 / 3, -100.25]), precision)
        yield from record(np.array([1.5, 1e-7, 2 / 3], np.float32), precision)
        yield from record(np.array([1 / 3 + 1e5j, 2]), precision)
        yield from record(np.array([0.0625, 0.5]), precision)
        yield from record(np.array([1, 2, 3]), precision)


def record(array, precision):
    sizes = ",".join(map(str, array.shape))
    assert array.flags.c_contiguous
    data = np.asarray(array).tobytes()
    if NAMES[array.dtype.type] in ("i4", "i2"):
        # ml_dtypes keeps the sign in the upper bits.
        data = bytes(byte & (15 if NAMES[array.dtype.type] == "i4" else 3) for byte in data)
    yield f"# {NAMES[array.dtype.type]} [{sizes}] {precision}"
    yield data.hex()
    yield text(array, precision)


if __name__ == "__main__":
    with np.errstate(all="ignore"):
        written = list(lines())
    OUT.write_text("\n".join(written) + "\n")
    print(f"{OUT.name}: {OUT.stat().st_size} bytes, {sum(line.startswith('#') for line in written)} arrays")
