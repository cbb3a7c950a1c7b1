"""Cases of random numbers, which follow from the words of Philox 4x32-10.

References: randomgen, NumPy, SciPy.

randomgen computes the words, and agrees with the known answers of Random123, which the script checks first. How words become
numbers is retyped here in NumPy from CANN's public description of the mapping that the 950 documents as its own; the emulator
uses it everywhere, with fractions of 53 bits for positions. Every number is expected to the bit: the fractions and sums are
computed in the same order in f32, and the functions of a normal number in f64 and rounded once, with one unit of the last
place for functions of other libraries. SciPy judges whether the expected numbers have the distribution that they should have.
Writes cann-stubs/tests/data/random_numbers.cases.

    python xtask/golden/random_numbers.py
"""

import numpy as np
from ml_dtypes import bfloat16
from randomgen import Philox
from scipy import stats

from cases import NULL, Cases, DType, InOut, Ints, Out, Scalar, Tensor, kind

np.seterr(all="ignore")
INVALID, NULLPTR, INNER = 161002, 161001, 561103
f32 = np.float32
cases = Cases()


def words(seed, offset, count):
    counter = ((offset % 2**64) << 64) - 1
    return Philox(number=4, width=32, key=seed % 2**64, counter=counter % 2**128).random_raw(count).astype(np.uint32)


def known_answers():
    """Those that the authors of Philox publish with Random123."""
    pi = [0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344]
    for key, counter, expected in [
        (0, 0, [0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8]),
        (2**64 - 1, 2**128 - 1, [0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD]),
        (0xA4093822 | 0x299F31D0 << 32, sum(word << 32 * i for i, word in enumerate(pi)), [0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1]),
    ]:
        got = Philox(number=4, width=32, key=key, counter=(counter - 1) % 2**128).random_raw(4)
        assert [int(word) for word in got] == expected


def fraction(word, bits=23):
    return (word & ((1 << bits) - 1)).astype(f32) / f32(1 << bits)


def pairs(seed, offset, count):
    both = words(seed, offset, 2 * count).astype(np.uint64)
    return both[1::2] << np.uint64(32) | both[::2]


def doubles(seed, offset, count):
    return (pairs(seed, offset, count) >> np.uint64(11)).astype(np.float64) / 2.0**53


def uniform(name, count, start, end, seed, offset):
    bits = {"f16": 10, "bf16": 7}.get(name, 23)
    value = fraction(words(seed, offset, count), bits) * (f32(end) - f32(start)) + f32(start)
    seen = value.astype(kind(name)) if name in ("f16", "bf16") else value
    return np.where(seen.astype(np.float64) >= end, f32(start), value).astype(kind(name))


def standard(count, seed, offset):
    u = fraction(words(seed, offset, count + count % 2)).astype(np.float64)
    first, second = np.maximum(u[::2], np.float64(f32(1e-7))), u[1::2]
    radius, angle = np.sqrt(-2 * np.log(first)), 2 * np.pi * second
    return np.stack([radius * np.sin(angle), radius * np.cos(angle)], 1).astype(f32).reshape(-1)[:count]


def normal(name, mean, std, shape, seed, offset):
    count = int(np.prod(shape))
    value = standard(count, seed, offset).reshape(shape) * np.asarray(std).astype(f32) + np.asarray(mean).astype(f32)
    return value.astype(kind(name))


def whole(name, count, start, end, seed, offset):
    if name in ("f16", "bf16"):
        held = [number for number in range(start, end) if float(np.array(number).astype(kind(name))) == number]
        start, end = held[0], held[-1] + 1
    value = fraction(words(seed, offset, count)) * (f32(end) - f32(start)) + f32(start)
    if name == "bool":
        return np.round(value) != 0
    value = np.where(value >= f32(end), f32(start), value)
    return np.clip(np.trunc(value).astype(np.int64), start, end - 1).astype(kind(name))


def blank(name, shape):
    return np.zeros(shape, kind(name))


def seeds(seed, offset):
    """The tensors of a seed and an offset, and what is added to the offset."""
    return [Tensor(np.array([seed])), Tensor(np.array([offset - 5])), 5]


UNIFORM = ["f32", "f16", "bf16", "f64", "i8", "u8", "i16", "i32", "i64"]


def uniforms():
    for number, name in enumerate(UNIFORM):
        for start, end in [(0.0, 1.0), (2.5, 100.0), (100.0, 101.0), (3.0, 3.0)]:
            expected = uniform(name, 301, start, end, number, 7 * number)
            assert (expected.astype(np.float64) < end).all() or start == end, (name, start, end)
            cases.add("InplaceUniform", InOut(blank(name, 301), expected), start, end, number, 7 * number)
        expected = uniform(name, 60, 0.0, 9.0, -3, 2**40).reshape(3, 4, 5)
        cases.add("InplaceUniform", InOut(blank(name, (3, 4, 5)), expected), 0.0, 9.0, -3, 2**40)
        cases.add("InplaceUniformTensor", InOut(blank(name, (3, 4, 5)), expected), 0.0, 9.0, *seeds(-3, 2**40))
        cases.add("InplaceUniform", InOut(blank(name, (0, 4)), blank(name, (0, 4))), 0.0, 1.0, 1, 1)
    many = uniform("f32", 5000, -2.0, 6.0, 42, 0)
    cases.add("InplaceUniform", InOut(blank("f32", 5000), many), -2.0, 6.0, 42, 0)
    assert stats.kstest(many, stats.uniform(-2, 8).cdf).pvalue > 0.05
    halves = uniform("bf16", 5000, 0.0, 1.0, 4, 0).astype(np.float64)
    assert stats.chisquare(np.bincount((halves * 128).astype(int), minlength=128)).pvalue > 0.05
    one = [InOut(blank("f32", 3), uniform("f32", 3, 0.0, 1.0, 1, 1)), 0.0, 1.0]
    cases.add("InplaceUniform", NULL, 0.0, 1.0, 1, 1, code=NULLPTR)
    cases.add("InplaceUniform", one[0], 1.0, 0.5, 1, 1, code=INVALID)
    for name in ["bool", "c64", "u16"]:
        cases.add("InplaceUniform", InOut(blank(name, 3), blank(name, 3)), 0.0, 1.0, 1, 1, code=INVALID)
    cases.add("InplaceUniformTensor", *one, NULL, Tensor(np.array([1])), 0, code=NULLPTR)
    cases.add("InplaceUniformTensor", *one, Tensor(np.array([1])), NULL, 0, code=NULLPTR)
    cases.add("InplaceUniformTensor", *one, Tensor(np.array([1], np.uint64)), Tensor(np.array([0], np.uint64)), 1)
    cases.add("InplaceUniformTensor", *one, Tensor(np.array([1.0])), Tensor(np.array([1])), 0, code=INVALID)
    cases.add("InplaceUniformTensor", *one, Tensor(np.array([1, 2])), Tensor(np.array([1])), 0, code=INVALID)
    cases.add("InplaceUniform", InOut(blank("f32", (1,) * 9), blank("f32", (1,) * 9)), 0.0, 1.0, 1, 1, code=INVALID)
    for product in ["Ascend910", "Ascend310P"]:
        cases.add("InplaceUniform", InOut(blank("bf16", 3), blank("bf16", 3)), 0.0, 1.0, 1, 1, code=INVALID, product=product)


def normals():
    for number, name in enumerate([*UNIFORM, "bool"]):
        mean, std = (50.0, 8.0) if name == "u8" else (-0.5, 2.0)
        expected = normal(name, mean, std, (301,), number, 3)
        cases.add("InplaceNormal", InOut(blank(name, 301), expected, 1), mean, std, number, 3)
        cases.add("InplaceNormalTensor", InOut(blank(name, 301), expected, 1), mean, std, *seeds(number, 3))
        cases.add("InplaceNormal", InOut(blank(name, 5), np.full(5, 3).astype(kind(name))), 3.0, 0.0, 1, 2)
        cases.add("InplaceNormal", InOut(blank(name, 0), blank(name, 0)), 0.0, 1.0, 1, 2)
    many = normal("f32", 1.0, 3.0, (5000,), 11, 12)
    cases.add("InplaceNormal", InOut(blank("f32", 5000), many, 1), 1.0, 3.0, 11, 12)
    assert stats.kstest(many, stats.norm(1, 3).cdf).pvalue > 0.05
    assert abs(stats.pearsonr(many[::2], many[1::2]).statistic) < 0.03
    own = InOut(blank("f32", 3), normal("f32", 0.0, 1.0, (3,), 1, 2), 1)
    cases.add("InplaceNormal", own, 0.0, -1.0, 1, 2, code=INVALID)
    cases.add("InplaceNormal", NULL, 0.0, 1.0, 1, 2, code=NULLPTR)
    cases.add("InplaceNormal", InOut(blank("c64", 3), blank("c64", 3)), 0.0, 1.0, 1, 2, code=INVALID)
    cases.add("InplaceNormalTensor", own, 0.0, 1.0, Tensor(np.array(1)), Tensor(np.array([1])), 0, code=INVALID)
    for out in ["f32", "f16", "bf16", "f64"]:
        cases.add("NormalFloatFloat", 2.0, 0.5, 5, 6, Out(normal(out, 2.0, 0.5, (4, 5), 5, 6), 1))
        for own in ["f32", "f16", "bf16", "f64"]:
            row = np.linspace(-3, 3, 5).astype(kind(own))
            column = np.linspace(0.5, 2, 4).reshape(4, 1).astype(kind(own))
            grid = np.linspace(0, 4, 20).reshape(4, 5).astype(kind(own))
            cases.add("NormalTensorFloat", Tensor(row), 0.5, 5, 6, Out(normal(out, row, 0.5, (4, 5), 5, 6), 1))
            cases.add("NormalFloatTensor", -1.5, Tensor(grid), 5, 6, Out(normal(out, -1.5, grid, (4, 5), 5, 6), 1))
            cases.add("NormalTensorTensor", Tensor(row), Tensor(column), 5, 6, Out(normal(out, row, column, (4, 5), 5, 6), 1))
    row, grid, out = np.zeros(5, f32), np.ones((4, 5), f32), Out(blank("f32", (4, 5)))
    cases.add("NormalFloatFloat", 0.0, -1.0, 5, 6, Out(normal("f32", 0.0, -1.0, (7,), 5, 6), 1))
    cases.add("NormalFloatFloat", 0.0, 1.0, 5, 6, Out(blank("f32", (0, 3))))
    cases.add("NormalFloatFloat", 0.0, 1.0, 5, 6, Out(blank("i32", 3)), code=INVALID)
    cases.add("NormalFloatFloat", 0.0, 1.0, 5, 6, NULL, code=NULLPTR)
    cases.add("NormalTensorFloat", Tensor(np.zeros(4, f32)), 1.0, 5, 6, out, code=INVALID)
    cases.add("NormalTensorFloat", Tensor(np.zeros(5, np.int32)), 1.0, 5, 6, out, code=INVALID)
    cases.add("NormalFloatTensor", 0.0, Tensor(row), 5, 6, out, code=INVALID)
    cases.add("NormalFloatTensor", 0.0, Tensor(row[:0]), 5, 6, Out(blank("f32", 0)), code=INVALID)
    cases.add("NormalTensorTensor", Tensor(row), Tensor(row), 5, 6, out, code=INVALID)
    cases.add("NormalTensorTensor", Tensor(grid), NULL, 5, 6, out, code=NULLPTR)


RANDOM = [*UNIFORM, "bool", "c64", "c128"]


def random():
    for number, name in enumerate(RANDOM):
        ranges = [(0, 1), (0, 2), (3, 4)] if name == "bool" else [(0, 100), (7, 8), (2, 127)]
        if name not in ("u8", "bool"):
            ranges.append((-7, 9))
        if name in ("f16", "bf16"):
            ranges.append((2047, 2092))
        if name in ("i32", "i64", "f64"):
            ranges.append((2**30 + 1, 2**31 - 1))
        for start, end in ranges:
            expected = whole(name, 97, start, end, number, 1)
            cases.add("InplaceRandom", InOut(blank(name, 97), expected), start, end, number, 1)
            cases.add("InplaceRandomTensor", InOut(blank(name, 97), expected), start, end, *seeds(number, 1))
        last = {"bool": 1, "f32": 2**24, "f16": 2**11, "bf16": 2**8, "f64": 2**53, "c64": 2**24, "c128": 2**24}.get(name)
        last = int(np.iinfo(kind(name)).max) if last is None else last
        expected = (pairs(number, 2, 97) % np.uint64(last + 1)).astype(np.int64).astype(kind(name))
        cases.add("InplaceRandomWithoutFromTo", InOut(blank(name, 97), expected), number, 2)
        cases.add("InplaceRandomWithoutFromToTensor", InOut(blank(name, 97), expected), *seeds(number, 2))
    extremes = whole("i64", 40, -(2**63), 2**63 - 1, 5, 5)
    cases.add("InplaceRandom", InOut(blank("i64", 40), extremes), -(2**63), 2**63 - 1, 5, 5)
    # The numbers are f32, which become i32 at their limits, and of which i8 keeps the lower bits.
    wide = np.minimum(whole("i64", 40, 0, 2**40, 5, 6), 2**31 - 1)
    for name in ["i32", "i8"]:
        cases.add("InplaceRandom", InOut(blank(name, 40), wide.astype(kind(name))), 0, 2**40, 5, 6)
    many = whole("i32", 4000, 0, 50, 8, 9)
    cases.add("InplaceRandom", InOut(blank("i32", 4000), many), 0, 50, 8, 9)
    assert stats.chisquare(np.bincount(many, minlength=50)).pvalue > 0.05
    own = InOut(blank("i32", 3), blank("i32", 3))
    cases.add("InplaceRandom", own, 3, 3, 1, 1, code=INVALID)
    cases.add("InplaceRandom", NULL, 0, 3, 1, 1, code=NULLPTR)
    cases.add("InplaceRandom", InOut(blank("f16", 3), blank("f16", 3)), 2049, 2050, 1, 1, code=INVALID)
    cases.add("InplaceRandom", InOut(blank("u16", 3), blank("u16", 3)), 0, 3, 1, 1, code=INVALID)
    cases.add("InplaceRandom", InOut(blank("c64", 3), blank("c64", 3)), 0, 3, 1, 1, code=INVALID, product="Ascend950")
    cases.add("InplaceRandomWithoutFromTo", NULL, 1, 1, code=NULLPTR)


def bernoulli():
    names = [*UNIFORM, "bool"]
    for number, name in enumerate(names):
        u = fraction(words(number, 4, 60)).reshape(3, 4, 5)
        own = blank(name, (3, 4, 5))
        for probability in [0.0, 0.3, 1.0]:
            for of in ["f32", "f16", "f64", "bf16"]:
                p = Scalar(probability, of)
                expected = (u < p.array.astype(f32)).astype(kind(name))
                cases.add("Bernoulli", Tensor(own), p, number, 4, Out(expected))
                cases.add("InplaceBernoulli", InOut(own, expected), p, number, 4)
        for of in ["f32", "f16", "f64", "bf16"]:
            for p in [np.linspace(0, 1, 60).reshape(3, 4, 5), np.array([0.0, 0.25, 1.0, 0.5, np.nan]), np.array([0.5])]:
                p = p.astype(kind(of))
                expected = (u < p.astype(f32)).astype(kind(name))
                cases.add("BernoulliTensor", Tensor(own), Tensor(p), number, 4, Out(expected))
                cases.add("InplaceBernoulliTensor", InOut(own, expected), Tensor(p), number, 4)
    for name in ["u16", "u32", "u64"]:
        expected = (fraction(words(3, 4, 60)) < f32(0.5)).astype(kind(name))
        cases.add("Bernoulli", Tensor(blank(name, 60)), Scalar(0.5, "f32"), 3, 4, Out(expected), product="Ascend950")
        cases.add("Bernoulli", Tensor(blank(name, 60)), Scalar(0.5, "f32"), 3, 4, Out(expected), code=INVALID)
    own, out = Tensor(blank("f32", 3)), Out((fraction(words(1, 1, 3)) < f32(0.5)).astype(f32))
    for p, code in [(Scalar(1, "i32"), INVALID), (Scalar(1.5, "f32"), INVALID), (Scalar(-0.1, "f32"), INVALID), (Scalar(np.nan, "f32"), INVALID), (NULL, NULLPTR)]:
        cases.add("Bernoulli", own, p, 1, 1, out, code=code)
    half = Scalar(0.5, "f32")
    cases.add("Bernoulli", own, half, 1, 1, out)
    cases.add("Bernoulli", own, half, 1, 1, Out(blank("f16", 3)), code=INVALID)
    cases.add("Bernoulli", own, half, 1, 1, Out(blank("f32", 4)), code=INVALID)
    cases.add("Bernoulli", own, half, 1, 1, out, code=INVALID, product="Ascend310P")
    cases.add("BernoulliTensor", own, Tensor(np.full(3, 0.5, f32)), 1, 1, out)
    cases.add("BernoulliTensor", own, Tensor(np.ones(3, np.int32)), 1, 1, out, code=INVALID)
    cases.add("BernoulliTensor", own, Tensor(np.full(2, 0.5, f32)), 1, 1, out, code=INVALID)
    cases.add("BernoulliTensor", Tensor(blank("f32", 0)), Tensor(np.full(3, 0.5, f32)), 1, 1, Out(blank("f32", 0)))
    u = fraction(words(77, 0, 4000))
    assert stats.binomtest(int((u < f32(0.3)).sum()), 4000, 0.3).pvalue > 0.05


def mask(count, keep, seed, offset):
    """Bits of whole blocks of 128 elements, the lowest bit first."""
    bits = -(-count // 128) * 128
    return np.packbits(fraction(words(seed, offset, bits)) < f32(keep), bitorder="little")


def kept(x, bits, probability, out=None):
    keeps = np.unpackbits(bits, bitorder="little")[: x.size].reshape(x.shape) == 1
    divisor = np.asarray(1 - probability).astype(x.dtype).astype(f32)
    result = np.where(keeps, x.astype(f32) / divisor, f32(0)).astype(x.dtype)
    return result.astype(kind(out)) if out else result


def dropout():
    for name in ["f32", "f16", "bf16"]:
        for shape in [(5,), (128,), (3, 43), (20, 30)]:
            count = int(np.prod(shape))
            x = np.linspace(-4, 4, count).reshape(shape).astype(kind(name))
            x.reshape(-1)[:3] = [np.nan, np.inf, -0.0]
            for probability in [0.1, 0.5]:
                bits = mask(count, 1 - probability, 9, 2)
                expected = kept(x, bits, probability)
                cases.add("Dropout", Tensor(x), probability, True, 9, 2, Out(expected), Out(bits))
                cases.add("DropoutV3", Tensor(x), NULL, probability, 9, 2, Out(expected), Out(bits))
                cases.add("DropoutDoMask", Tensor(x), Tensor(bits), probability, Out(expected))
                more = np.concatenate([bits, bits[:7]])
                cases.add("DropoutDoMask", Tensor(x), Tensor(more), probability, Out(expected))
                other = "f16" if name == "f32" else "f32"
                cases.add("DropoutDoMask", Tensor(x), Tensor(bits), probability, Out(kept(x, bits, probability, other)))
                scale = 1 / (1 - probability)
                expected = kept(x, bits, 1 - 1 / scale)
                cases.add("DropoutBackward", Tensor(x), Tensor(bits), scale, Out(expected))
                cases.add("DropoutV3Grad", Tensor(x), Tensor(bits), scale, Out(expected))
            untouched = np.full(bits.shape, 0xA5, np.uint8)
            cases.add("Dropout", Tensor(x), 0.0, True, 9, 2, Out(x), Out(untouched))
            cases.add("Dropout", Tensor(x), 0.5, False, 9, 2, Out(x), Out(untouched))
            cases.add("Dropout", Tensor(x), 1.0, True, 9, 2, Out(blank(name, shape)), Out(untouched))
            cases.add("DropoutV3", Tensor(x), NULL, 0.0, 9, 2, Out(x), Out(np.full_like(untouched, 0xFF)))
            cases.add("DropoutDoMask", Tensor(x), Tensor(untouched), 0.0, Out(x))
            cases.add("DropoutDoMask", Tensor(x), Tensor(untouched), 1.0, Out(blank(name, shape)))
            cases.add("DropoutBackward", Tensor(x), Tensor(untouched), 1.0, Out(x))
            cases.add("DropoutBackward", Tensor(x), Tensor(untouched), 0.0, Out(blank(name, shape)))
    for shape in [(1,), (128,), (129,), (10, 20, 3), (0, 5)]:
        count = int(np.prod(shape))
        for probability in [0.0, 0.25, 1.0]:
            bits = mask(count, 1 - probability, 3, 2**33)
            cases.add("DropoutGenMask", Ints(shape), probability, 3, 2**33, Out(bits))
            for name in ["f32", "f16", "bf16"]:
                keep = np.asarray(1 - probability).astype(kind(name)).astype(f32)
                bits = mask(count, keep, 3, 2**33)
                cases.add("DropoutGenMaskV2", Ints(shape), probability, 3, 2**33, DType(name), Out(bits))
                cases.add("DropoutGenMaskV2Tensor", Ints(shape), probability, *seeds(3, 2**33), DType(name), Out(bits))
    assert (mask(128, 0, 3, 1) == 0).all() and (mask(128, 1, 3, 1) == 0xFF).all()
    bits = np.unpackbits(mask(4096, 0.7, 3, 1))
    assert stats.binomtest(int(bits.sum()), 4096, 0.7).pvalue > 0.05
    x, bits = np.ones(130, f32), np.zeros(32, np.uint8)
    out, drawn = Out(kept(x, bits, 0.5)), Out(mask(130, 0.5, 1, 1))
    dropped = Out(kept(x, mask(130, 0.5, 1, 1), 0.5))
    cases.add("Dropout", Tensor(x), 0.5, True, 1, 1, dropped, drawn)
    cases.add("Dropout", NULL, 0.5, True, 1, 1, dropped, drawn, code=NULLPTR)
    cases.add("Dropout", Tensor(x), 0.5, True, 1, 1, dropped, NULL, code=NULLPTR)
    cases.add("Dropout", Tensor(x), 1.5, True, 1, 1, dropped, drawn, code=INVALID)
    cases.add("Dropout", Tensor(x), 0.5, True, 1, 1, dropped, Out(bits[:31]), code=INVALID)
    cases.add("Dropout", Tensor(x), 0.5, True, 1, 1, Out(x[:129]), drawn, code=INVALID)
    cases.add("Dropout", Tensor(x.astype(np.float64)), 0.5, True, 1, 1, dropped, drawn, code=INVALID)
    narrow = x.astype(bfloat16)
    cases.add("Dropout", Tensor(narrow), 0.5, True, 1, 1, Out(narrow), drawn, code=INVALID, product="Ascend950")
    cases.add("DropoutV3", Tensor(x), Tensor(x), 0.5, 1, 1, dropped, drawn, code=INVALID)
    cases.add("DropoutGenMask", Ints([130]), 0.5, 1, 1, Out(bits[:20]), code=INVALID)
    cases.add("DropoutGenMask", Ints([130]), -0.5, 1, 1, drawn, code=INVALID)
    cases.add("DropoutGenMask", Ints([-1]), 0.5, 1, 1, drawn, code=INVALID)
    cases.add("DropoutGenMask", Ints([130]), 0.5, 1, 1, Out(bits.astype(np.int8)), code=INVALID)
    cases.add("DropoutGenMask", NULL, 0.5, 1, 1, drawn, code=NULLPTR)
    cases.add("DropoutGenMaskV2", Ints([130]), 0.5, 1, 1, DType("f64"), drawn, code=INVALID)
    cases.add("DropoutDoMask", Tensor(x), Tensor(bits), 0.5, out)
    cases.add("DropoutDoMask", Tensor(x), Tensor(bits[:31]), 0.5, out, code=INVALID)
    cases.add("DropoutDoMask", Tensor(x), Tensor(bits), 1.5, out, code=INVALID)
    cases.add("DropoutDoMask", Tensor(x), NULL, 0.5, out, code=NULLPTR)
    # Nothing but null is looked at where there is nothing to do.
    untouched = np.frombuffer(bytes([0xA5] * 12), np.int32)
    cases.add("DropoutDoMask", Tensor(x), Tensor(bits[:0]), 7.5, Out(untouched))
    cases.add("DropoutDoMask", Tensor(x[:0]), Tensor(bits), 7.5, Out(untouched))
    for scale in [0.5, -1.0, np.nan]:
        cases.add("DropoutBackward", Tensor(x), Tensor(bits), float(scale), out, code=INVALID)
    cases.add("DropoutBackward", Tensor(x), Tensor(np.zeros(48, np.uint8)), 2.0, out, code=INVALID)


def rrelu():
    for name in ["f32", "f16", "bf16"]:
        for shape in [(5,), (300,), (3, 4, 5)]:
            count = int(np.prod(shape))
            # The slopes may have another shape, but not another format, which is that of so many axes.
            wide = (1,) * (len(shape) - 1)
            x = np.linspace(-3, 3, count).reshape(shape).astype(kind(name))
            x.reshape(-1)[:2] = [np.nan, -np.inf]
            drawn = uniform(name, count, 0.125, 0.5, 4, 5).reshape(shape)
            slopes = np.where(x < 0, drawn, kind(name)(1))
            expected = (x.astype(f32) * slopes.astype(f32)).astype(kind(name))
            middle = np.where(x < 0, f32(0.3125) * x.astype(f32), x.astype(f32)).astype(kind(name))
            for limits in [(Scalar(0.125, "f32"), Scalar(0.5, "f64")), (Scalar(0.125, "f16"), Scalar(0.5, "bf16"))]:
                cases.add("RReluWithNoise", Tensor(x), Out(slopes), *limits, True, 4, 5, Out(expected))
                cases.add("InplaceRReluWithNoise", InOut(x, expected), Out(slopes), *limits, True, 4, 5)
                same = np.frombuffer(bytes([0xA5]) * (7 * x.itemsize), x.dtype).reshape(wide + (7,))
                cases.add("RReluWithNoise", Tensor(x), Out(same), *limits, False, 4, 5, Out(middle))
                cases.add("InplaceRReluWithNoise", InOut(x, middle), Out(same), *limits, False, 4, 5)
            more = np.arange(count + 3).astype(kind(name))
            drawn = np.concatenate([slopes.reshape(-1), more[count:]]).reshape(wide + (-1,))
            cases.add("RReluWithNoise", Tensor(x), InOut(more.reshape(drawn.shape), drawn), *limits, True, 4, 5, Out(expected))
    x, half, out = Tensor(np.ones(3, f32)), Scalar(0.5, "f32"), Out(np.ones(3, f32))
    cases.add("RReluWithNoise", x, out, half, half, True, 1, 1, out)
    cases.add("RReluWithNoise", x, Out(np.ones(2, f32)), half, half, True, 1, 1, out, code=INVALID)
    cases.add("RReluWithNoise", x, Out(np.ones(3, np.float16)), half, half, True, 1, 1, out, code=INVALID)
    cases.add("RReluWithNoise", x, out, Scalar(1, "i32"), half, True, 1, 1, out, code=INVALID)
    cases.add("RReluWithNoise", x, NULL, half, half, True, 1, 1, out, code=NULLPTR)
    cases.add("RReluWithNoise", x, out, NULL, half, True, 1, 1, out, code=NULLPTR)
    cases.add("RReluWithNoise", x, out, half, half, True, 1, 1, Out(np.ones(4, f32)), code=INVALID)
    cases.add("RReluWithNoise", Tensor(np.ones(3)), Out(np.ones(3)), half, half, True, 1, 1, Out(np.ones(3)), code=INVALID)
    untouched = np.frombuffer(bytes([0xA5] * 12), f32)
    cases.add("RReluWithNoise", Tensor(np.zeros(0, f32)), Out(untouched), half, half, True, 1, 1, Out(np.zeros(0, f32)))


def again(weights, samples, seed, offset):
    rows = weights.reshape(-1, weights.shape[-1]).astype(np.float64)
    u = doubles(seed, offset, len(rows) * samples).reshape(len(rows), samples)
    result = np.stack([np.searchsorted(np.cumsum(row), t * np.cumsum(row)[-1], side="right") for row, t in zip(rows, u)])
    return result.reshape(*weights.shape[:-1], samples).astype(np.int64)


def once(weights, samples, seed, offset):
    rows = weights.reshape(-1, weights.shape[-1]).astype(np.float64)
    u = doubles(seed, offset, rows.size).reshape(rows.shape)
    keys = rows / -np.log1p(-u)
    result = np.argsort(-keys, axis=1, kind="stable")[:, :samples]
    return result.reshape(*weights.shape[:-1], samples).astype(np.int64)


def multinomial():
    for name in ["f32", "f16", "bf16", "f64"]:
        for weights in [np.array([1.0, 0.0, 3.0, 0.5, 2.0]), np.array([[0.0, 1.0, 1.0], [2.0, 0.25, 0.0], [1.0, 1.0, 1.0]]), np.linspace(0, 9, 600).reshape(2, 300)]:
            weights = weights.astype(kind(name))
            expected = again(weights, 20, 6, 7)
            assert (np.take_along_axis(weights, expected, -1) > 0).all()
            cases.add("Multinomial", Tensor(weights), 20, True, 6, 7, Out(expected))
            cases.add("MultinomialTensor", Tensor(weights), 20, True, *seeds(6, 7), Out(expected))
            expected = once(weights, 2, 6, 7)
            cases.add("Multinomial", Tensor(weights), 2, False, 6, 7, Out(expected))
            cases.add("MultinomialTensor", Tensor(weights), 2, False, *seeds(6, 7), Out(expected))
    # Whatever has a weight comes before what has none, which follows in its order.
    few = np.array([0.0, 0.0, 5.0, 0.0], f32)
    cases.add("Multinomial", Tensor(few), 4, False, 1, 1, Out(np.array([2, 0, 1, 3])))
    cases.add("Multinomial", Tensor(few), 3, True, 1, 1, Out(np.array([2, 2, 2])))
    weights = np.array([1.0, 2.0, 3.0, 4.0], f32)
    expected = again(weights, 3000, 13, 1)
    cases.add("Multinomial", Tensor(weights), 3000, True, 13, 1, Out(expected))
    assert stats.chisquare(np.bincount(expected), weights * 300.0).pvalue > 0.05
    expected = once(np.tile(weights, (2000, 1)), 2, 13, 1)
    cases.add("Multinomial", Tensor(np.tile(weights, (2000, 1))), 2, False, 13, 1, Out(expected))
    # The second of two is drawn by the weights that are left.
    pairs_of = [(i, j) for i in range(4) for j in range(4) if i != j]
    chances = [float(weights[i] * weights[j] / 10 / (10 - weights[i])) for i, j in pairs_of]
    counts = [int(((expected[:, 0] == i) & (expected[:, 1] == j)).sum()) for i, j in pairs_of]
    assert stats.chisquare(counts, np.array(chances) / np.sum(chances) * 2000).pvalue > 0.05
    out = Out(np.zeros(2, np.int64))
    cases.add("Multinomial", NULL, 2, True, 1, 1, out, code=NULLPTR)
    cases.add("Multinomial", Tensor(weights), 0, True, 1, 1, Out(np.zeros(0, np.int64)), code=INVALID)
    cases.add("Multinomial", Tensor(weights), 5, False, 1, 1, Out(np.zeros(5, np.int64)), code=INVALID)
    cases.add("Multinomial", Tensor(weights), 2, True, 1, 1, Out(np.zeros(2, np.int32)), code=INVALID)
    cases.add("Multinomial", Tensor(weights), 2, True, 1, 1, Out(np.zeros((1, 2), np.int64)), code=INVALID)
    cases.add("Multinomial", Tensor(weights.astype(np.int32)), 2, True, 1, 1, out, code=INVALID)
    cases.add("Multinomial", Tensor(weights.reshape(1, 2, 2)), 2, True, 1, 1, out, code=INVALID)
    cases.add("Multinomial", Tensor(np.float32(1)), 2, True, 1, 1, out, code=INVALID)
    cases.add("Multinomial", Tensor(np.zeros((0, 4), f32)), 2, True, 1, 1, Out(np.zeros((0, 2), np.int64)))


def permutation(n, seed, offset):
    result = np.arange(n)
    bits = pairs(seed, offset, n)
    for last in range(n - 1, 0, -1):
        other = int(bits[last]) * (last + 1) >> 64
        result[[last, other]] = result[[other, last]]
    return result


def randperm():
    for name in UNIFORM:
        for n in [0, 1, 2, 100]:
            cases.add("Randperm", n, 3, 4, Out(permutation(n, 3, 4).astype(kind(name))))
    cases.add("Randperm", 3000, -1, 9, Out(permutation(3000, -1, 9)))
    # Every order of three is as likely as another.
    orders = [tuple(permutation(3, seed, 0)) for seed in range(3000)]
    assert stats.chisquare(list(map(orders.count, set(orders)))).pvalue > 0.05 and len(set(orders)) == 6
    cases.add("Randperm", 3, 1, 1, NULL, code=INNER)
    cases.add("Randperm", -1, 1, 1, Out(np.zeros(0, np.int64)), code=INVALID)
    cases.add("Randperm", 3, 1, 1, Out(np.zeros(4, np.int64)), code=INVALID)
    cases.add("Randperm", 4, 1, 1, Out(np.zeros((2, 2), np.int64)), code=INVALID)
    cases.add("Randperm", 3, 1, 1, Out(np.zeros(3, np.bool_)), code=INVALID)
    cases.add("Randperm", 3, 1, 1, Out(np.zeros(3, bfloat16)), code=INVALID, product="Ascend910")


known_answers()
uniforms()
normals()
random()
bernoulli()
dropout()
rrelu()
multinomial()
randperm()
cases.write("random_numbers")
