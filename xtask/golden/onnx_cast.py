#!/usr/bin/env python3
"""Writes the golden vectors of ONNX Cast and Range and of the small floating-point formats to numerics/tests/data.

The expectations are those of the references: ml_dtypes for the small formats, the reference evaluator of the onnx
package for Cast and the counts of Range, and the node tests that the onnx package generates. A value is left out where
reference and description disagree; `followed` below says where.

    pip install onnx==1.23.2 ml_dtypes==0.6.0 numpy
    python xtask/golden/onnx_cast.py
    python xtask/golden/onnx_cast.py nodes PYTHON...

The second form collects the node tests. A release of onnx generates them for its own version of an operator only, so
each PYTHON is an interpreter with another release: 1.13.1, 1.14.1, 1.16.2, 1.18.0, 1.19.1 and 1.20.1 have the versions 13,
19, 21, 23, 24 and 25 of Cast. (1.13.1 needs numpy<1.24 and protobuf<4, 1.14.1 numpy<2.)

All numbers are little-endian. Types are given by their code in TensorProto.DataType.

small_floats.bin, for each format that ml_dtypes has, to the end of the file:
    u8 type, u8 bits; 2^bits f32: the values of the codes; u32 n, n f32, n u8: numbers and their codes, nearest even,
    what is too large as ml_dtypes has it (infinity, NaN or the largest). n is 0 for float8e8m0.

onnx_cast.bin, for each conversion, to the end of the file:
    u8 from, u8 to, u8 saturate, u8 round_mode (0 up, 1 down, 2 nearest), u8 opset, u32 n;
    n elements of `from`, n elements of `to`; elements narrower than a byte take one byte each, the upper bits zero.

onnx_text.tsv, one line for each case: `read` or `write`, the type, the bits of the element in hexadecimal, the text.

onnx_range.tsv, one line for each case: the type, the bits of start, limit and delta in hexadecimal, the count.

onnx_nodes.bin, the node tests:
    u32 number of tests; for each test
        u16 length, name in UTF-8, followed by @ and the release of onnx that it is from
        u8 operator: 0 Cast, 1 CastLike, 2 Range, 3 Range expanded to its function body
        u8 version of the operator's opset
        i32 attribute `to` of Cast, -1 if there is none; a string (version 1) does not occur
        i8 attribute `saturate`, -1 if absent
        u8 attribute `round_mode`: 0 up, 1 down, 2 nearest, 255 if absent
        u8 number of inputs, u8 number of outputs
        for each of them a tensor:
            u8 type, u8 rank, rank u32 dimensions, u32 length, bytes: packed elements; of strings one after the other
            u32 length and UTF-8
    CastLike expanded to its function body is a Cast and listed as one. Tests that several releases have alike are
    listed once, for the first.
"""

import math
import random
import struct
import subprocess
import sys
import warnings
from pathlib import Path

warnings.simplefilter("ignore")
DATA = Path(__file__).resolve().parents[2] / "numerics" / "tests" / "data"
MODES = ["up", "down", "nearest"]


# The node tests: `dump` runs in the interpreter of each release and writes records to standard output.


def tensor_record(proto):
    from onnx import TensorProto, numpy_helper

    out = struct.pack("<BB", proto.data_type, len(proto.dims)) + struct.pack(f"<{len(proto.dims)}I", *proto.dims)
    if proto.data_type == TensorProto.STRING:
        data = b"".join(struct.pack("<I", len(text)) + text for text in proto.string_data)
    elif proto.HasField("raw_data"):
        data = proto.raw_data
    elif proto.int32_data and proto.data_type not in (TensorProto.INT32, TensorProto.FLOAT16, TensorProto.BFLOAT16):
        # One byte per element, or one byte of two elements.
        data = bytes(value & 0xFF for value in proto.int32_data)
    elif proto.data_type in (TensorProto.FLOAT16, TensorProto.BFLOAT16):
        data = b"".join(struct.pack("<H", value & 0xFFFF) for value in proto.int32_data)
    else:
        data = numpy_helper.to_array(proto).tobytes()
    return out + struct.pack("<I", len(data)) + data


def node_record(case):
    import numpy as np
    import onnx
    from onnx import numpy_helper

    graph = case.model.graph
    operators = [node.op_type for node in graph.node]
    opset = next(entry.version for entry in case.model.opset_import if entry.domain == "")
    if opset > 25:
        return None
    if len(operators) == 1 and operators[0] in ("Cast", "CastLike", "Range"):
        operator = ["Cast", "CastLike", "Range"].index(operators[0])
        attributes = {entry.name: onnx.helper.get_attribute_value(entry) for entry in graph.node[0].attribute}
    elif case.name.startswith("test_range") and case.name.endswith("_expanded"):
        operator, attributes = 3, {}
    else:
        return None
    # The function body of CastLike leaves the second input unused.
    used = list(graph.node[0].input) if operator < 3 else [entry.name for entry in graph.input]
    names = [entry.name for entry in graph.input]
    out = b""
    mode = attributes.get("round_mode")
    if case.name.startswith("test_castlike") and case.name.endswith("_expanded"):
        opset = 13 if opset == 15 else opset
    out += struct.pack(
        "<BBibB",
        operator,
        opset,
        attributes.get("to", -1),
        attributes.get("saturate", -1),
        255 if mode is None else MODES.index(mode.decode()),
    )

    def proto(value, entry):
        if not isinstance(value, onnx.TensorProto):
            value = numpy_helper.from_array(np.asarray(value))
        # Where NumPy lacks a type, its bits come as an integer.
        value.data_type = entry.type.tensor_type.elem_type
        return value

    inputs, outputs = case.data_sets[0]
    by_name = {entry.name: proto(value, entry) for entry, value in zip(graph.input, inputs)}
    inputs = [by_name[name] for name in used]
    outputs = [proto(value, entry) for entry, value in zip(graph.output, outputs)]
    out += struct.pack("<BB", len(inputs), len(outputs))
    return out + b"".join(tensor_record(value) for value in inputs + outputs)


def dump():
    import onnx
    from onnx.backend.test.case.node import collect_testcases

    for case in collect_testcases(""):
        if not case.name.startswith(("test_cast", "test_range")):
            continue
        record = node_record(case)
        if record is not None:
            name = f"{case.name}@{onnx.__version__}".encode()
            sys.stdout.buffer.write(struct.pack("<II", len(name), len(record)) + name + record)


def nodes(interpreters):
    found = {}
    for interpreter in interpreters:
        data = subprocess.run([interpreter, __file__, "dump"], check=True, stdout=subprocess.PIPE).stdout
        before = len(found)
        while data:
            name_length, length = struct.unpack_from("<II", data)
            name = data[8 : 8 + name_length]
            record = data[8 + name_length : 8 + name_length + length]
            data = data[8 + name_length + length :]
            found.setdefault((name.split(b"@")[0], record), name)
        print(interpreter, len(found) - before, "tests")
    out = struct.pack("<I", len(found))
    for (_, record), name in found.items():
        out += struct.pack("<H", len(name)) + name + record
    save("onnx_nodes.bin", out)


def save(name, data):
    (DATA / name).write_bytes(data)
    print(name, len(data), "bytes")


if sys.argv[1:2] == ["dump"]:
    dump()
    sys.exit()
if sys.argv[1:2] == ["nodes"]:
    nodes(sys.argv[2:])
    sys.exit()

import ml_dtypes
import numpy as np
from onnx import TensorProto, helper
from onnx.reference.ops.op_cast import cast_to

SMALL = ["FLOAT8E4M3FN", "FLOAT8E4M3FNUZ", "FLOAT8E5M2", "FLOAT8E5M2FNUZ", "FLOAT8E8M0"]
SMALL += ["FLOAT4E2M1", "FLOAT6E2M3", "FLOAT6E3M2"]
FLOAT8 = SMALL[:4]
TYPES = ["BOOL", "DOUBLE", "FLOAT", "FLOAT16", "INT8", "INT16", "INT32", "INT64", "UINT8", "UINT16", "UINT32", "UINT64"]
TYPES += ["BFLOAT16", *SMALL[:6], "INT4", "UINT4", "INT2", "UINT2"]
FLOATS = ["DOUBLE", "FLOAT", "FLOAT16", "BFLOAT16", *SMALL]


def code(t):
    return getattr(TensorProto, t)


def dtype(t):
    return helper.tensor_dtype_to_np_dtype(code(t))


def bits(t):
    narrow = {"INT4": 4, "UINT4": 4, "INT2": 2, "UINT2": 2, "FLOAT4E2M1": 4, "FLOAT6E2M3": 6, "FLOAT6E3M2": 6}
    return narrow.get(t, 8 * dtype(t).itemsize)


def raw(array, t):
    data = array.tobytes()
    return bytes(byte & ((1 << bits(t)) - 1) for byte in data) if bits(t) < 8 else data


def boundaries(t):
    """Each value of a format, each middle, and what is next to either, as f32."""
    codes = np.arange(1 << bits(t), dtype=np.uint8).view(dtype(t))
    values = np.unique(codes.astype(np.float64))
    values = values[np.isfinite(values)]
    # The first value that would come after the largest, and its middle.
    top = values[-1] + (values[-1] - values[-2])
    values = np.concatenate([[-top], values, [top]])
    middles = (values[:-1] + values[1:]) / 2
    exact = np.concatenate([values, middles]).astype(np.float32)
    up, down = np.nextafter(exact, np.float32(np.inf)), np.nextafter(exact, np.float32(-np.inf))
    special = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, -np.nan, 1e30, -1e30, 1e-30, -1e-30, 1e-45], np.float32)
    special[5] = np.copysign(np.float32(np.nan), np.float32(-1))
    return np.concatenate([exact, up, down, special])


def small_floats():
    out = b""
    for t in SMALL:
        codes = np.arange(1 << bits(t), dtype=np.uint8).view(dtype(t))
        out += struct.pack("<BB", code(t), bits(t)) + codes.astype(np.float32).tobytes()
        numbers = np.zeros(0, np.float32) if t == "FLOAT8E8M0" else boundaries(t)
        out += struct.pack("<I", len(numbers)) + numbers.tobytes() + raw(numbers.astype(dtype(t)), t)
    save("small_floats.bin", out)


def values(t, rng):
    """Edge values and random ones of a type."""
    if t == "BOOL":
        return np.array([False, True])
    if bits(t) <= 8:
        codes = np.arange(1 << bits(t), dtype=np.uint8)
        if t in ("INT4", "INT2"):
            return codes.astype(np.int8).astype(dtype(t))
        return codes.astype(dtype(t)) if t.startswith("UINT") else codes.view(dtype(t))
    if t not in FLOATS:
        info = np.iinfo(dtype(t))
        edges = {d + s * (1 << e) for e in (0, 1, 2, 3, 4, 7, 8, 9, 11, 15, 16, 24, 25, 31, 32, 53, 62, 63) for d in (-1, 0, 1) for s in (1, -1)}
        edges |= {info.min, info.max, 200, 300, 464, 465, 2049, 65504, 65519, 65520}
        edges |= {rng.getrandbits(64) >> rng.randrange(64) for _ in range(60)}
        return np.array(sorted(v for v in edges if info.min <= v <= info.max), dtype(t))
    edges = [0.0, 0.25, 0.3, 0.5, 0.75, 1.0, 1.5, 1.75, 2.5, 3.5, 5.0, 6.0, 7.0, 9.0, 36.0, 100.5, 200.0, 240.0, 247.9, 248.0, 300.0]
    edges += [448.0, 463.9, 464.0, 464.1, 480.0, 2049.0, 57344.0, 61439.0, 61440.0, 65504.0, 65519.9, 65520.0, 1e6, 3e9, 1e10, 1e20, 1e38]
    edges += [2.0**e * m for e in (-9, -10, -11, -14, -16, -17, -18, -24, -25, -126, 127) for m in (1, 1.0001, 1.5, 1.9999)]
    edges += [math.inf, math.nan, 1e-7, 1e-40, 3.3895e38]
    edges += [math.ldexp(1 + rng.random(), rng.randrange(-20, 34)) for _ in range(60)]
    edges = np.array(edges + [-v for v in edges], np.float64)
    edges[len(edges) // 2 :] = np.copysign(edges[len(edges) // 2 :], -1)
    return edges.astype(dtype(t))


def followed(source, target, array):
    """Which values the reference converts as this crate does."""
    wide = array.astype(np.float64) if source not in ("INT64", "UINT64") else array
    keep = np.ones(len(array), bool)
    if target in FLOATS and target not in ("DOUBLE", "FLOAT") and source in ("DOUBLE", "INT32", "UINT32", "INT64", "UINT64"):
        # The references round twice, by way of f32; values of f32 are left. NumPy rounds f64 to f16 once.
        if (source, target) != ("DOUBLE", "FLOAT16"):
            single = array.astype(np.float32)
            same = [not math.isfinite(s) or int(s) == int(v) and float(s) == float(v) for s, v in zip(single, array)]
            keep &= np.array(same, bool)
    if target == "FLOAT8E8M0":
        # Zero, infinity, subnormal and negative numbers depart from the table.
        wide = wide.astype(np.float64)
        keep &= (wide >= 2.0**-126) & (wide <= 2.0**127) | np.isnan(wide)
    if source in FLOATS and target not in FLOATS and target != "BOOL":
        # NaN and what is out of range depend on the processor; what is negative too, for unsigned types of 32 and 64 bits.
        high = {"INT64": 2.0**63, "UINT64": 2.0**63, "UINT32": 2.0**32}.get(target, 2.0**31)
        low = -1.0 if target in ("UINT32", "UINT64") else -high
        keep &= (wide > low) & (wide < high)
    return keep


def onnx_cast():
    rng = random.Random(20240229)
    out = b""
    for source in TYPES:
        array = values(source, rng)
        for target in TYPES:
            settings = [(1, "up")]
            if target in FLOAT8:
                settings += [(0, "up")]
            if target == "FLOAT8E8M0":
                settings = [(saturate, mode) for saturate in (1, 0) for mode in MODES]
            kept = array[followed(source, target, array)]
            for saturate, mode in settings:
                if source == target and target == "FLOAT8E8M0":
                    continue  # the evaluator makes negative zero of NaN and so on: it goes by way of f32
                try:
                    result = cast_to(kept, code(target), bool(saturate), mode)
                except TypeError:
                    # NumPy cannot clip bool and the integers narrower than a byte; f32 holds them all.
                    result = cast_to(kept.astype(np.float32), code(target), bool(saturate), mode)
                assert result.dtype == dtype(target), (source, target, result.dtype)
                out += struct.pack("<BBBBBI", code(source), code(target), saturate, MODES.index(mode), 25, len(kept))
                out += raw(kept, source) + raw(result, target)
    save("onnx_cast.bin", out)


def hexadecimal(value):
    return value.tobytes()[::-1].hex()


def onnx_text():
    rng, ties = random.Random(7), random.Random(8)
    lines = []
    texts = ["3.14", "1000", "1e-5", "1E8", "+INF", "INF", "-INF", "NaN", "inf", "+inf", "nan", "-Inf", "0", "-0", "-0.0", ".5", "5."]
    texts += [" 7 ", "314.15926", "1e400", "-1e400", "1e-400", "65504", "65519.999", "65520", "5.9604645e-8", "2.98023223876953125e-08"]
    texts += [f"{rng.uniform(-1, 1) * 10 ** rng.randrange(-12, 12):.{rng.randrange(1, 17)}g}" for _ in range(200)]
    for t in ("FLOAT", "DOUBLE", "FLOAT16"):
        for text in texts:
            lines.append(("read", t, hexadecimal(np.array([text]).astype(dtype(t))[0]), text))
        numbers = [float(text) for text in texts] + [rng.uniform(-9, 9) for _ in range(200)]
        # In the middle between the two nearest with one digit less, which tell the element from its neighbours too.
        low, high, parts = {"FLOAT": (128, 1024, 64), "DOUBLE": (2**23, 2**24, 1024), "FLOAT16": (2, 16, 16)}[t]
        numbers += [(ties.randrange(low * parts, high * parts) | 1) / parts for _ in range(60)]
        numbers = np.array(numbers).astype(dtype(t))
        for number, text in zip(numbers, cast_to(numbers, TensorProto.STRING, True)):
            if "e" not in text:
                lines.append(("write", t, hexadecimal(number), text))
    for t in ("INT8", "UINT8", "INT32", "INT64", "UINT64"):
        info = np.iinfo(dtype(t))
        for number in np.array([0, 1, 42, info.min, info.max], dtype(t)):
            lines.append(("read", t, hexadecimal(number), str(int(number))))
            lines.append(("write", t, hexadecimal(number), str(cast_to(np.array([number]), TensorProto.STRING, True)[0])))
    for value in (False, True):
        lines.append(("write", "BOOL", hexadecimal(np.bool_(value)), str(cast_to(np.array([value]), TensorProto.STRING, True)[0])))
    lines = [(kind, str(code(t)), *rest) for kind, t, *rest in lines]
    save("onnx_text.tsv", "".join("\t".join(line) + "\n" for line in lines).encode())


def onnx_range():
    """The evaluator's Range is this call of NumPy, for which it takes the scalars as Python numbers."""
    rng = random.Random(11)
    lines = []
    for t in ("FLOAT", "DOUBLE", "INT16", "INT32", "INT64"):
        cases = [(1, 5, 2), (10, 6, -3), (3, 9, 3), (10, 4, -2), (5, 5, 1), (0, 5, -1), (5, 0, 1)]
        if t in FLOATS:
            cases += [(0, 0.3, 0.1), (1, 1.3, 0.1), (0, 1, 0.1), (0, 0.7, 0.1), (0, 1e-3, 1e-5), (1, -1, -0.3), (0, 5, math.inf)]
            cases += [(rng.uniform(-9, 9), rng.uniform(-9, 9), rng.choice((1, -1)) * 10 ** rng.uniform(-3, 1)) for _ in range(300)]
            cases += [(0, n * step, step) for n in range(1, 40) for step in (0.1, 0.01, 0.7)]
        else:
            cases += [(rng.randrange(-9999, 9999), rng.randrange(-9999, 9999), rng.choice((1, -1)) * rng.randrange(1, 99)) for _ in range(100)]
        for case in cases:
            scalars = [np.array(value).astype(dtype(t)) for value in case]
            result = np.arange(*(scalar.item() for scalar in scalars))
            lines.append((str(code(t)), *(hexadecimal(scalar) for scalar in scalars), str(len(result))))
    save("onnx_range.tsv", "".join("\t".join(line) + "\n" for line in lines).encode())


small_floats()
onnx_cast()
onnx_text()
onnx_range()
