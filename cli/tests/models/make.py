"""Models for the tests of `aclnn onnx`, with values that NumPy computes: `python cli/tests/models/make.py`.

It needs the packages of `xtask/onnx/requirements.txt`. Every number is exact in its type.
"""

from pathlib import Path

import ml_dtypes
import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

HERE = Path(__file__).parent
F32, I64, BF16, STRING = TensorProto.FLOAT, TensorProto.INT64, TensorProto.BFLOAT16, TensorProto.STRING


def info(name, kind, shape):
    return helper.make_tensor_value_info(name, kind, shape)


def model(path, name, nodes, inputs, outputs, weights=(), domains=()):
    graph = helper.make_graph(nodes, name, inputs, outputs, [numpy_helper.from_array(array, name) for name, array in weights])
    opsets = [helper.make_opsetid("", 21), *(helper.make_opsetid(domain, 1) for domain in domains)]
    made = helper.make_model(graph, opset_imports=opsets, ir_version=10, producer_name="make.py", producer_version="1")
    if not domains:
        onnx.checker.check_model(made, full_check=True)
    helper.set_model_props(made, {"written by": "a test"} if name == "affine" else {})
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(made.SerializeToString(deterministic=True))


def data(folder, number, inputs, outputs):
    place = folder / f"test_data_set_{number}"
    place.mkdir(parents=True, exist_ok=True)
    for kind, values in (("input", inputs), ("output", outputs)):
        for at, value in enumerate(values):
            message = numpy_helper.from_list(value) if isinstance(value, list) else numpy_helper.from_array(value)
            (place / f"{kind}_{at}.pb").write_bytes(message.SerializeToString())


def affine(path):
    """Scales and shifts the last axis, and tells the shape."""
    nodes = [
        helper.make_node("Mul", ["x", "scale"], ["scaled"], "scaling"),
        helper.make_node("Add", ["scaled", "shift"], ["y"]),
        helper.make_node("Shape", ["x"], ["out/shape:0"]),
    ]
    outputs = [info("y", F32, ["rows", 3]), info("out/shape:0", I64, [2])]
    model(path, "affine", nodes, [info("x", F32, ["rows", 3])], outputs, [("scale", SCALE), ("shift", SHIFT)])


SCALE, SHIFT = np.array([2, 0.5, -1], np.float32), np.array([0.25, 1, 8], np.float32)
X = np.array([[1, 2, 3], [-4, 0.5, 0]], np.float32)
SHAPE = np.array([2, 3], np.int64)

affine(HERE / "affine.onnx")
np.save(HERE / "x.npy", X)
np.save(HERE / "y.npy", X * SCALE + SHIFT)
np.save(HERE / "shape.npy", SHAPE)
np.save(HERE / "ones_y.npy", np.ones((2, 3), np.float32) * SCALE + SHIFT)

# Types that NumPy does not name.
model(
    HERE / "widen.onnx",
    "widen",
    [helper.make_node("Cast", ["brain"], ["wide"], to=F32)],
    [info("brain", BF16, [3])],
    [info("wide", F32, [3])],
)
BRAIN = np.array([1, -2, 3.140625], ml_dtypes.bfloat16)
np.save(HERE / "brain.npy", BRAIN)
np.save(HERE / "wide.npy", BRAIN.astype(np.float32))

# Values that are no numbers, or no tensors.
text = np.array(["one", "two"], object)
model(HERE / "text.onnx", "text", [helper.make_node("Identity", ["text"], ["same"])], [info("text", STRING, [2])], [info("same", STRING, [2])])
(HERE / "text.pb").write_bytes(numpy_helper.from_array(text).SerializeToString())


def list_info(name):
    return helper.make_tensor_sequence_value_info(name, F32, None)


model(HERE / "list.onnx", "list", [helper.make_node("Identity", ["list"], ["same"])], [list_info("list")], [list_info("same")])
(HERE / "list.pb").write_bytes(numpy_helper.from_list([X, SHIFT]).SerializeToString())
np.save(HERE / "shift.npy", SHIFT)

# An operator that nobody knows, and a declared type without a shape.
nodes = [
    helper.make_node("Add", ["a", "a"], ["b"]),
    helper.make_node("Wavelet", ["b"], ["c"], "ripples", domain="com.example"),
    helper.make_node("Wavelet", ["c"], ["d"], domain="com.example"),
]
model(HERE / "unknown.onnx", "unknown", nodes, [info("a", F32, None)], [info("d", F32, None)], domains=["com.example"])

# Test cases.
cases = HERE / "cases"
right = [X * SCALE + SHIFT, SHAPE]
for name in ["right", "loose", "wrong"]:
    affine(cases / name / "model.onnx")
data(cases / "right", 0, [X], right)
data(cases / "right", 1, [2 * X], [2 * X * SCALE + SHIFT, SHAPE])
data(cases / "loose", 0, [X], [right[0] * np.float32(1.0078125), SHAPE])
(cases / "loose" / "tolerance.txt").write_text("rtol 0.01\n")
data(cases / "wrong", 0, [X], right)
data(cases / "wrong", 10, [X], right)
data(cases / "wrong", 9, [X], [right[0] * np.float32(1.0078125), SHAPE])
nested = cases / "more"
# A sum that goes on: the second input of the later sets is not that of the file.
steps = [helper.make_node("Add", ["x", "before"], ["after"])]
model(nested / "steps" / "model.onnx", "steps", steps, [info("x", F32, [3]), info("before", F32, [3])], [info("after", F32, [3])])
for number in range(3):
    data(nested / "steps", number, [SHIFT, 0 * SHIFT], [(number + 1) * SHIFT])
(nested / "steps" / "carried.txt").write_text("after before\n")
model(nested / "unknown" / "model.onnx", "unknown", nodes, [info("a", F32, None)], [info("d", F32, None)], domains=["com.example"])
data(nested / "unknown", 0, [X], [X])
model(nested / "list" / "model.onnx", "list", [helper.make_node("Identity", ["list"], ["same"])], [list_info("list")], [list_info("same")])
data(nested / "list", 0, [[X, SHIFT]], [[X, SHIFT]])

# An index beyond the axis, which the device finds, before a case that is right.
beyond = [helper.make_node("Gather", ["x", "at"], ["y"])]
broken = HERE / "broken"
model(broken / "a_beyond" / "model.onnx", "beyond", beyond, [info("x", F32, [3]), info("at", I64, [1])], [info("y", F32, [1])])
data(broken / "a_beyond", 0, [SHIFT, np.array([7], np.int64)], [SHIFT[:1]])
affine(broken / "b_right" / "model.onnx")
data(broken / "b_right", 0, [X], right)
