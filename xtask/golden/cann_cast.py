#!/usr/bin/env python3
"""Writes the golden vectors of CANN's conversions: numerics/tests/data/cann_cast.bin and acl_scalar.bin.

The expectations come from a slow implementation of the stated rules in exact arithmetic (Python integers and
fractions), independent of the Rust code. Its roundings are checked here against NumPy and, for bf16, ml_dtypes.

    pip install numpy ml_dtypes
    python xtask/golden/cann_cast.py

File: for each source type in the order of TYPES: the number of values (u32, little-endian), the values, then for each
target type in the same order the converted values. A NaN among floats is written quiet, with its sign.
"""

import math
import random
import struct
from fractions import Fraction
from pathlib import Path

import ml_dtypes
import numpy as np

FLOATS = {  # name: fraction bits, exponent bits
    "f32": (23, 8),
    "f16": (10, 5),
    "f64": (52, 11),
    "bf16": (7, 8),
}
INTS = {  # name: bits, signed
    "i8": (8, True), "u8": (8, False), "i16": (16, True), "u16": (16, False),
    "i32": (32, True), "u32": (32, False), "i64": (64, True), "u64": (64, False),
}  # fmt: skip
COMPLEX = {"c32": "f16", "c64": "f32", "c128": "f64"}
TYPES = ["f32", "f16", "f64", "bf16", "i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "bool", "c32", "c64", "c128"]


def size_of(t):
    if t in FLOATS:
        return (1 + sum(FLOATS[t])) // 8
    if t in INTS:
        return INTS[t][0] // 8
    return 1 if t == "bool" else 2 * size_of(COMPLEX[t])


# Values: floats as Python floats (every format fits), integers and bools as int, complex as pairs of floats.


def decode(t, raw):
    if t in COMPLEX:
        half = len(raw) // 2
        return decode(COMPLEX[t], raw[:half]), decode(COMPLEX[t], raw[half:])
    bits = int.from_bytes(raw, "little")
    if t in INTS:
        width, signed = INTS[t]
        return bits - (1 << width) if signed and bits >> (width - 1) else bits
    if t == "bool":
        return int(bits != 0)
    fraction_bits, exponent_bits = FLOATS[t]
    fraction = bits & ((1 << fraction_bits) - 1)
    exponent = bits >> fraction_bits & ((1 << exponent_bits) - 1)
    sign = -1.0 if bits >> (fraction_bits + exponent_bits) else 1.0
    if exponent == (1 << exponent_bits) - 1:
        return math.copysign(math.nan if fraction else math.inf, sign)
    bias = (1 << (exponent_bits - 1)) - 1
    if exponent == 0:
        return sign * math.ldexp(fraction, 1 - bias - fraction_bits)
    return sign * math.ldexp(fraction + (1 << fraction_bits), exponent - bias - fraction_bits)


def round_bits(t, value):
    """The bits of the float format nearest to an exact value, ties to even; value is a float or an int."""
    fraction_bits, exponent_bits = FLOATS[t]
    bias = (1 << (exponent_bits - 1)) - 1
    infinity = ((1 << exponent_bits) - 1) << fraction_bits
    sign = int(math.copysign(1, value) < 0) if isinstance(value, float) else int(value < 0)
    sign <<= fraction_bits + exponent_bits
    if isinstance(value, float) and math.isnan(value):
        return sign | infinity | 1 << (fraction_bits - 1)
    if isinstance(value, float) and math.isinf(value):
        return sign | infinity
    exact = abs(Fraction(value))
    if exact == 0:
        return sign
    exponent = exact.numerator.bit_length() - exact.denominator.bit_length()
    if Fraction(2) ** exponent > exact:
        exponent -= 1
    exponent = max(exponent, 1 - bias)
    scaled = exact / Fraction(2) ** (exponent - fraction_bits)
    whole, rest = divmod(scaled.numerator, scaled.denominator)
    doubled = 2 * rest
    if doubled > scaled.denominator or (doubled == scaled.denominator and whole % 2):
        whole += 1
    # A carry out of the fraction moves into the exponent by itself; subnormals have no leading one to subtract.
    bits = whole + ((exponent + bias - 1) << fraction_bits)
    return sign | min(bits, infinity)


def float_bytes(t, value):
    return round_bits(t, value).to_bytes(size_of(t), "little")


def as_float(t, value):
    """The value after one rounding to a float format."""
    return decode(t, float_bytes(t, value))


def truncated(value, width, signed):
    """Towards zero, saturating, NaN gives 0."""
    if math.isnan(value):
        return 0
    low, high = (-(1 << (width - 1)), (1 << (width - 1)) - 1) if signed else (0, (1 << width) - 1)
    if math.isinf(value):
        return high if value > 0 else low
    return max(low, min(high, math.trunc(Fraction(value))))


def low_bits(value, t):
    width = INTS[t][0]
    return (value & ((1 << width) - 1)).to_bytes(width // 8, "little")


def cast(source, target, value, raw):
    """The rules of Cast on the 910B, of a bool that is true whatever its byte."""
    if source == target and source != "bool":
        return raw
    if target in COMPLEX:
        part = COMPLEX[target]
        if source in COMPLEX:
            return b"".join(cast(COMPLEX[source], part, v, float_bytes(COMPLEX[source], v)) for v in value)
        return cast(source, part, value, raw) + bytes(size_of(part))
    if source in COMPLEX:
        part = COMPLEX[source]
        if target in INTS and INTS[target][0] <= 16:
            return low_bits(truncated(value[0], 32, True), target)
        return cast(part, target, value[0], float_bytes(part, value[0]))
    if target == "bool":
        return bytes([int(value != 0)])
    if target in FLOATS:
        # The type in between, where there are two steps.
        through_f32 = target in ("f16", "bf16") and (source == "f64" or source in INTS or source == "bool")
        return float_bytes(target, as_float("f32", value) if through_f32 else value)
    if source in FLOATS:
        width, signed = INTS[target]
        if width >= 32:
            return low_bits(truncated(value, width, signed), target)
        if target == "u8" and source in ("f32", "bf16"):
            return low_bits(truncated(value, 64, True), target)
        return low_bits(truncated(value, 32, True), target)
    return low_bits(value, target)


def scalar(source, target, value, raw):
    """The rules of the host for an aclScalar."""
    if source == target and source != "bool":
        return raw
    if source in COMPLEX and target not in COMPLEX:
        return bytes(size_of(target))
    if target in COMPLEX:
        part = COMPLEX[target]
        if source in COMPLEX:
            return b"".join(float_bytes(part, v) for v in value)
        return scalar(source, part, value, raw) + bytes(size_of(part))
    if target == "bool" and source in FLOATS:
        epsilon = 2.22e-16 if source == "f64" else as_float("f32", 1.1920929e-7)
        return bytes([int(abs(value) >= epsilon)])
    if source in FLOATS and math.isnan(value):
        if target == "f16":
            return (0xFFFF if math.copysign(1, value) < 0 else 0x7FFF).to_bytes(2, "little")
        if target == "bf16":
            return (0x7FC0).to_bytes(2, "little")
    if source == "i64" and target == "f16" and not -(2**31) <= value < 2**31:
        return float_bytes("f16", math.copysign(math.inf, value))
    if source == "f64" and target == "f16":
        return float_bytes("f16", value)
    if source in FLOATS and target == "u8":
        return low_bits(truncated(value, 32, True), target)
    if source in FLOATS and target == "u16":
        return low_bits(truncated(value, 32, True), "i16")
    return cast(source, target, value, raw)


def float_edges():
    magnitudes = [0.0, 0.5, 0.75, 0.999, 1.0, 1.5, 1.9, 2.5, 36.0, 300.0, 2048.0, 2049.0, 1e10, 1e20, 1e38, 1e300, math.inf, math.nan]
    magnitudes += [65504.0, 65519.0, 65519.999, 65520.0, 65536.0, 3.3895e38, 3.4028234e38, 3.4028235e38, 3.4028236e38]
    magnitudes += [1 + 2.0**-11 + 2.0**-30, 1 + 2.0**-11, 1 + 3 * 2.0**-11, 1 + 2.0**-8, 1 + 3 * 2.0**-8, 1 + 2.0**-8 + 2.0**-40]
    magnitudes += [1 + 2.0**-24, 1 + 3 * 2.0**-24, 1 + 2.0**-24 + 2.0**-50]
    magnitudes += [1.1920929e-7, 2.0**-23 - 2.0**-47, 1e-8, 2.22e-16, math.nextafter(2.22e-16, 0), 1e-16, 1e-40, 5e-324]
    for e in (-14, -24, -25, -26, -126, -127, -133, -134, -149, -150, -1022):
        magnitudes += [2.0**e, 1.5 * 2.0**e, 2.0**e * (1 + 2.0**-20)]
    for e in (7, 8, 15, 16, 24, 31, 32, 53, 63, 64):
        power = 2.0**e
        magnitudes += [power, power - 1, power + 1, math.nextafter(power, 0), math.nextafter(power, math.inf)]
        magnitudes += [as_float("f32", power * (1 - 2.0**-24)), as_float("f32", power * (1 + 2.0**-23))]
    return [s * m for m in magnitudes for s in (1, -1)]


def values(t, rng):
    """Edge values and random ones, as bytes; no value twice."""
    size = size_of(t)
    if t == "bool":
        return [bytes([b]) for b in (0, 1, 2, 127, 128, 255)]
    if t in COMPLEX:
        parts = values(COMPLEX[t], rng)
        pairs = [part + rng.choice(parts) for part in parts]
        return pairs + [bytes(size // 2) + part for part in parts[:40]]
    found = {}
    if t in INTS:
        width, signed = INTS[t]
        edges = [0, 1, 2, 36, 100, 200, 300, 2047, 2049, 65504, 65519, 65520, 16842753]
        edges += [d + (1 << e) for e in (7, 8, 11, 15, 16, 24, 25, 31, 32, 33, 53, 54, 62, 63, 64) for d in (-129, -3, -1, 0, 1, 3, 129)]
        for edge in edges:
            for value in (edge, -edge):
                if (-(1 << (width - 1)) if signed else 0) <= value < 1 << (width - signed):
                    found[low_bits(value, t)] = None
        for _ in range(120):
            found[low_bits(rng.getrandbits(64) >> rng.randrange(64), t)] = None
            found[low_bits(rng.getrandbits(64), t)] = None
    else:
        for edge in float_edges():
            found[float_bytes(t, edge)] = None
        for _ in range(40):
            found[rng.getrandbits(8 * size).to_bytes(size, "little")] = None
        for _ in range(120):
            magnitude = math.ldexp(1 + rng.random(), rng.randrange(-30, 72))
            found[float_bytes(t, rng.choice((1, -1)) * magnitude)] = None
    return list(found)


def check_roundings():
    """This file's roundings against NumPy and ml_dtypes."""
    rng = random.Random(1)
    doubles = float_edges() + [struct.unpack("<d", rng.randbytes(8))[0] for _ in range(2000)]
    doubles += [rng.uniform(-70000, 70000) for _ in range(2000)] + [rng.uniform(-1e-4, 1e-4) for _ in range(2000)]
    with np.errstate(all="ignore"):
        for t, dtype in (("f32", np.float32), ("f16", np.float16)):
            for value in doubles:
                if not math.isnan(value):
                    assert np.float64(value).astype(dtype).tobytes() == float_bytes(t, value), (t, value)
        for value in doubles:
            single = np.float32(value)
            if not math.isnan(value):
                expected = single.astype(ml_dtypes.bfloat16).tobytes()
                assert expected == float_bytes("bf16", float(single)), value
        for value in [rng.getrandbits(64) - 2**63 for _ in range(2000)]:
            for t, dtype in (("f32", np.float32), ("f64", np.float64)):
                assert np.int64(value).astype(dtype).tobytes() == float_bytes(t, value), (t, value)


def write(path, types, convert):
    rng = random.Random(20240229)
    out = bytearray()
    for source in types:
        raws = values(source, rng)
        out += struct.pack("<I", len(raws)) + b"".join(raws)
        for target in types:
            for raw in raws:
                converted = convert(source, target, decode(source, raw), raw)
                assert len(converted) == size_of(target)
                out += converted
    path.write_bytes(out)
    print(path.name, len(out), "bytes")


if __name__ == "__main__":
    check_roundings()
    data = Path(__file__).resolve().parents[2] / "numerics" / "tests" / "data"
    write(data / "cann_cast.bin", TYPES, cast)
    write(data / "acl_scalar.bin", [t for t in TYPES if t != "c32"], scalar)
