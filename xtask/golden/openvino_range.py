"""Writes numerics/tests/data/openvino_range.tsv: ranges of mixed types as the library of OpenVINO evaluates them.

    python xtask/golden/openvino_range.py [COUNT]

The ranges are COUNT random Range-4 nodes (1500 by default) with constant inputs. OpenVINO infers their number of
elements, and its reference implementation computes the elements.

One line for each range: the type of the output; start, stop and step, each as a type and its bits in hexadecimal; the
number of elements, or `refused`; the bytes of the first four elements and of the last four, in hexadecimal.

Ranges that C++ does not define are left out: those with an input that does not fit into an integer output (or into 32
bits, for a narrower output), a step that truncates to zero, or a count of 2^32 or more.
"""

import math
import random
import sys
from pathlib import Path

import ml_dtypes
import numpy as np
import openvino as ov
from openvino import op
from openvino.utils.node_factory import NodeFactory

OUT = Path(__file__).resolve().parents[2] / "numerics" / "tests" / "data" / "openvino_range.tsv"
TYPES = {
    "f32": np.float32, "f64": np.float64, "f16": np.float16, "bf16": ml_dtypes.bfloat16,
    "i8": np.int8, "u8": np.uint8, "i16": np.int16, "u16": np.uint16,
    "i32": np.int32, "u32": np.uint32, "i64": np.int64, "u64": np.uint64,
}
FLOATS = ["f32", "f64", "f16", "bf16"]
LARGEST = 3000
nodes = NodeFactory("opset4")


def bits(value):
    return value.tobytes()[::-1].hex()


def as_type(name, value):
    """The nearest value of a type, as an array without axes; None if there is none."""
    if name in FLOATS:
        with np.errstate(over="ignore"):
            return np.array(value, dtype=np.float64).astype(TYPES[name])
    limits = np.iinfo(TYPES[name])
    if not math.isfinite(value) or not limits.min <= round(value) <= limits.max:
        return None
    return np.array(int(round(value)), dtype=TYPES[name])


def evaluate(inputs, output):
    """The elements, or None if OpenVINO refuses."""
    tensors, constants = [], []
    for name, value in inputs:
        tensor = ov.Tensor(getattr(ov.Type, name), ov.Shape([]))
        tensor.data.reshape(1).view(np.uint8)[:] = np.frombuffer(value.tobytes(), np.uint8)
        # A constant may share the memory of its tensor.
        tensors.append(tensor)
        constants.append(op.Constant(tensor))
    try:
        node = nodes.create("Range", [constant.output(0) for constant in constants], {"output_type": output})
    except RuntimeError:
        return None
    if node.output(0).partial_shape.get_shape()[0] > LARGEST:
        return "too many"
    result = [ov.Tensor(getattr(ov.Type, output), ov.Shape([0]))]
    ov.Model([node], []).evaluate(result, [])
    return np.array(result[0].data).copy().view(TYPES[output])


def number(rng):
    """A start, or the unit of a step."""
    return rng.choice([
        lambda: rng.randint(-20, 20),
        lambda: rng.randint(-300, 300),
        lambda: rng.randint(-40, 40) / 10,
        lambda: rng.randint(-40, 40) / 8,
        lambda: rng.randint(-30, 30) / 3,
        lambda: rng.uniform(-100, 100),
        lambda: rng.choice([1, -1]) * (2 ** rng.choice([8, 11, 16, 24, 31]) + rng.randint(-3, 3)),
        lambda: rng.uniform(-1, 1) * 10 ** rng.randint(-6, 12),
    ])()


def unusual(rng):
    return rng.choice([0.0, -0.0, math.inf, -math.inf, math.nan, 2.0**53 + 2, 1e-7])


def fits(output, values):
    if output in FLOATS:
        return True
    whole = [math.trunc(value) if math.isfinite(value) else None for value in map(float, values)]
    if whole[2] == 0 and values[2] != 0:
        return False
    narrow = np.iinfo(TYPES[output]).bits < 32 or output == "i32"
    low, high = (-(2**31), 2**31 - 1) if narrow else (-(2**62), 2**62)
    return all(value is None or low <= value <= high for value in whole)


def main():
    rng = random.Random(20)
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else 1500
    lines = []
    while len(lines) < wanted:
        output = rng.choice(list(TYPES))
        names = [rng.choice(list(TYPES)) for _ in range(3)]
        start, step = number(rng), number(rng)
        if rng.random() < 0.3:
            step = rng.choice([1, -1, 0.1, -0.1, 0.5, 3, -3, 0.3, 7])
        stop = start + step * (rng.randint(-3, 60) + rng.choice([0, 0, 0, 0.5, rng.random()]))
        numbers = [start, stop, step]
        if rng.random() < 0.03:
            numbers[rng.randrange(3)] = unusual(rng)
        values = [as_type(name, value) for name, value in zip(names, numbers)]
        if any(value is None for value in values) or not fits(output, values):
            continue
        if any(math.isinf(float(value)) for value in values) and all(map(math.isfinite, numbers)):
            continue
        elements = evaluate(list(zip(names, values)), output)
        if isinstance(elements, str):
            continue
        line = [output] + [f"{name}:{bits(value)}" for name, value in zip(names, values)]
        if elements is None and rng.random() < 0.9:
            continue
        if elements is None:
            line += ["refused"]
        else:
            line += [str(len(elements)), elements[:4].tobytes().hex(), elements[-4:].tobytes().hex()]
        lines.append("\t".join(line))
    OUT.write_text("".join(line + "\n" for line in lines))
    print(f"{OUT.name}: {OUT.stat().st_size} bytes, {len(lines)} ranges")


if __name__ == "__main__":
    main()
