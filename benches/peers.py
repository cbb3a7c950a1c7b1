#!/usr/bin/env python3
"""Measures this project and other libraries in one process, on one thread.

usage: benches/peers.py --items FILE --toolkit DIR --out FILE [--repeats N]

The items come from `cargo bench --bench peers -- --json FILE`; the toolkit is one of `cargo xtask toolkit`, which is
called through C. NumPy, PyTorch, ONNX Runtime and OpenVINO are measured where they are installed; NumPy is needed. An
item that a library lacks is left out, and so is one whose numbers are not those of this project, but for rounding.
All take turns, and each figure is the median of its repetitions, in nanoseconds per element of the result. Progress
goes to standard error.
"""

import argparse
import ctypes
import datetime
import functools
import importlib
import json
import math
import os
import pathlib
import platform
import statistics
import sys
import time

# Before anything starts threads; the product is the one that has 8-bit floats.
if hasattr(os, "sched_setaffinity"):
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
os.environ["CANN_STUBS_SOC"] = "Ascend950"
# An executor whose plan the library keeps cannot be repeated.
os.environ["DISABLE_L2_CACHE"] = "1"
os.environ["OMP_NUM_THREADS"] = "1"

# The elements that a sample covers, so that the clock weighs little.
SAMPLE = 1_000_000
# The codes of element types in C, and the bytes of an element.
TYPES = {
    "f32": (0, 4), "f16": (1, 2), "i8": (2, 1), "i32": (3, 4), "u8": (4, 1), "i16": (6, 2), "i64": (9, 8),
    "f64": (11, 8), "bool": (12, 1), "bf16": (27, 2), "f8e5m2": (35, 1), "f8e4m3fn": (36, 1),
}
# The types that NumPy does not have by itself.
SMALL = ("bf16", "f8e4m3fn", "f8e5m2")


class Unsupported(Exception):
    """The library does not have the item, for a reason that may follow."""


def is_transposed(operand):
    return len(operand["dims"]) == 2 and operand["strides"] == [1, operand["dims"][0]] and operand["dims"][1] > 1


def is_every_other(operand):
    return operand["strides"] == [2]


def step_of(item):
    """The step of a range, small enough for the type to hold the end."""
    return {"i64": 1, "f32": 1.0}.get(item["out"], 1 / 1024)


@functools.lru_cache(maxsize=1)
def numbers(count):
    import numpy
    return numpy.random.default_rng(1).uniform(-100, 100, count).astype(numpy.float32)


class Ours:
    """This project, by the two-phase interface with a repeated executor."""

    name = "this project"

    def __init__(self, toolkit):
        libraries = pathlib.Path(toolkit) / "lib64"
        load = lambda name: ctypes.CDLL(str(libraries / name), mode=ctypes.RTLD_GLOBAL)
        self.runtime, self.meta, self.operators = map(load, ["libascendcl.so", "libnnopbase.so", "libopapi.so"])
        for create in (self.meta.aclCreateTensor, self.meta.aclCreateScalar):
            create.restype = ctypes.c_void_p
        self.check(self.runtime.aclInit(None))
        self.check(self.runtime.aclrtSetDevice(0))
        self.stream = ctypes.c_void_p()
        self.check(self.runtime.aclrtCreateStream(ctypes.byref(self.stream)))
        version = (pathlib.Path(__file__).parent.parent / "Cargo.toml").read_text()
        self.version = version.split('version = "', 1)[1].split('"')[0]

    def check(self, code):
        if code:
            raise RuntimeError(f"the emulator returned {code}")

    def memory(self, size, held):
        pointer = ctypes.c_void_p()
        self.check(self.runtime.aclrtMalloc(ctypes.byref(pointer), ctypes.c_size_t(max(size, 1)), 0))
        held.append(lambda: self.runtime.aclrtFree(pointer))
        return pointer

    def tensor(self, dtype, dims, strides, stored, held):
        code, size = TYPES[dtype]
        array = lambda values: (ctypes.c_int64 * len(values))(*values)
        memory = self.memory(stored * size, held)
        tensor = ctypes.c_void_p(self.meta.aclCreateTensor(
            array(dims), ctypes.c_uint64(len(dims)), code, array(strides), ctypes.c_int64(0), 2, array([stored]),
            ctypes.c_uint64(1), memory))
        held.append(lambda: self.meta.aclDestroyTensor(tensor))
        return tensor, memory

    def scalar(self, value, held):
        code, value = (9, ctypes.c_int64(value)) if isinstance(value, int) else (0, ctypes.c_float(value))
        scalar = ctypes.c_void_p(self.meta.aclCreateScalar(ctypes.byref(value), code))
        held.append(lambda: self.meta.aclDestroyScalar(scalar))
        return scalar

    def plan(self, name, arguments, held):
        """Runs phase one, and returns what launches the operator."""
        size, executor = ctypes.c_uint64(), ctypes.c_void_p()
        phase_one = getattr(self.operators, f"aclnn{name}GetWorkspaceSize")
        self.check(phase_one(*arguments, ctypes.byref(size), ctypes.byref(executor)))
        workspace = self.memory(size.value, held) if size.value else None
        self.check(self.meta.aclSetAclOpExecutorRepeatable(executor))
        held.append(lambda: self.meta.aclDestroyAclOpExecutor(executor))
        launch, wait, stream = getattr(self.operators, f"aclnn{name}"), self.runtime.aclrtSynchronizeStream, self.stream

        def run(times):
            for _ in range(times):
                self.check(launch(workspace, size, executor, stream))
            self.check(wait(stream))
        return run

    def filled(self, operand, held):
        """Makes a tensor with the numbers converted to its type."""
        stored = operand["stored"]
        tensor, memory = self.tensor(operand["dtype"], operand["dims"], operand["strides"], stored, held)
        temporary = []
        source, bytes_of_source = self.tensor("f32", [stored], [1], stored, temporary)
        data, size = numbers(stored), ctypes.c_size_t(stored * 4)
        self.check(self.runtime.aclrtMemcpy(bytes_of_source, size, ctypes.c_void_p(data.ctypes.data), size, 1))
        if operand["dtype"] == "f32":
            self.check(self.runtime.aclrtMemcpy(memory, size, bytes_of_source, size, 3))
        else:
            code = TYPES[operand["dtype"]][0]
            target = ctypes.c_void_p(self.meta.aclCreateTensor(
                (ctypes.c_int64 * 1)(stored), ctypes.c_uint64(1), code, None, ctypes.c_int64(0), 2,
                (ctypes.c_int64 * 1)(stored), ctypes.c_uint64(1), memory))
            temporary.append(lambda: self.meta.aclDestroyTensor(target))
            size, executor = ctypes.c_uint64(), ctypes.c_void_p()
            self.check(self.operators.aclnnCastGetWorkspaceSize(
                source, code, target, ctypes.byref(size), ctypes.byref(executor)))
            self.check(self.operators.aclnnCast(None, size, executor, self.stream))
            self.check(self.runtime.aclrtSynchronizeStream(self.stream))
        release(temporary)
        return tensor

    def prepare(self, item, held):
        tensors = [self.filled(operand, held) for operand in item["inputs"]]
        count, shape = math.prod(item["shape"]), item["shape"]
        strides = [math.prod(shape[axis + 1:]) for axis in range(len(shape))]
        out, memory = self.tensor(item["out"], shape, strides, count, held)
        if item["work"] == "Add":
            middle = [self.scalar(1, held)]
        elif item["work"] == "Cast":
            middle = [TYPES[item["out"]][0]]
        elif item["work"] == "Arange":
            step = step_of(item)
            middle = [self.scalar(value, held) for value in (type(step)(0), count * step, step)]
        else:
            middle = []

        def result():
            numpy = NumPy()
            host = numpy.numpy.empty(shape, numpy.dtype(item["out"]))
            size = ctypes.c_size_t(host.nbytes)
            self.check(self.runtime.aclrtMemcpy(ctypes.c_void_p(host.ctypes.data), size, memory, size, 2))
            return host
        return self.plan(item["work"], [*tensors, *middle, out], held), result


def release(held):
    while held:
        held.pop()()


def repeated(call):
    def run(times):
        for _ in range(times):
            call()
    return run


class NumPy:
    name = "NumPy"

    def __init__(self):
        import numpy
        self.numpy, self.version = numpy, numpy.__version__
        try:
            self.more = importlib.import_module("ml_dtypes")
            self.version += f" with ml_dtypes {self.more.__version__}"
        except ImportError:
            self.more = None

    def dtype(self, name):
        if name in SMALL:
            if self.more is None:
                raise Unsupported
            name = {"bf16": "bfloat16", "f8e4m3fn": "float8_e4m3fn", "f8e5m2": "float8_e5m2"}[name]
            return self.numpy.dtype(getattr(self.more, name))
        return self.numpy.dtype({"bool": "?"}.get(name) or f"{name[0]}{int(name[1:]) // 8}")

    def array(self, operand):
        dtype = self.dtype(operand["dtype"])
        with self.numpy.errstate(all="ignore"):
            data = numbers(operand["stored"]).astype(dtype)
        strides = [stride * dtype.itemsize for stride in operand["strides"]]
        return self.numpy.ndarray(operand["dims"], dtype, data, 0, strides)

    def prepare(self, item, held):
        numpy, dtype = self.numpy, self.dtype(item["out"])
        if item["work"] == "Arange":
            step = step_of(item)
            end = math.prod(item["shape"]) * step
            call = lambda: numpy.arange(0, end, step, dtype)
            return repeated(call), call
        arrays = [self.array(operand) for operand in item["inputs"]]
        out = numpy.ones(item["shape"], dtype)
        if item["work"] == "Cast":
            return repeated(lambda: numpy.copyto(out, arrays[0], casting="unsafe")), lambda: out
        function = {"Add": numpy.add, "Mul": numpy.multiply}[item["work"]]
        return repeated(lambda: function(*arrays, out=out, dtype=dtype, casting="unsafe")), lambda: out


class Torch:
    name = "PyTorch"

    def __init__(self):
        import torch
        torch.set_num_threads(1)
        self.torch, self.version = torch, torch.__version__

    def dtype(self, name):
        names = {
            "f32": "float32", "f16": "float16", "bf16": "bfloat16", "f64": "float64", "bool": "bool", "u8": "uint8",
            "f8e4m3fn": "float8_e4m3fn", "f8e5m2": "float8_e5m2",
        }
        return getattr(self.torch, names.get(name) or name.replace("i", "int"))

    def tensor(self, operand):
        data = self.torch.from_numpy(numbers(operand["stored"])).to(self.dtype(operand["dtype"]))
        return data.as_strided(operand["dims"], operand["strides"])

    def functions(self, item):
        """Returns the inputs, and the item as a function of them and of the place of its result."""
        torch, dtype, count = self.torch, self.dtype(item["out"]), math.prod(item["shape"])
        step = step_of(item)
        function = {
            "Add": lambda a, b, out: torch.add(a, b, out=out),
            "Mul": lambda a, b, out: torch.mul(a, b, out=out),
            "Cast": lambda a, out: a.to(dtype) if out is None else out.copy_(a),
            "Arange": lambda out: torch.arange(0, count * step, step, dtype=dtype, out=out),
        }[item["work"]]
        return [self.tensor(operand) for operand in item["inputs"]], function

    def prepare(self, item, held):
        inputs, function = self.functions(item)
        out = self.torch.ones(item["shape"]).to(self.dtype(item["out"]))
        return repeated(lambda: function(*inputs, out)), lambda: out.float().numpy()


class CompiledTorch(Torch):
    name = "PyTorch, compiled"

    def prepare(self, item, held):
        inputs, function = self.functions(item)
        self.torch._dynamo.reset()
        compiled = self.torch.compile(lambda *inputs: function(*inputs, None), dynamic=False)
        return repeated(lambda: compiled(*inputs)), lambda: compiled(*inputs).float().numpy()


class OnnxRuntime:
    name = "ONNX Runtime"

    def __init__(self):
        import onnx
        import onnxruntime
        self.onnx, self.runtime, self.version = onnx, onnxruntime, onnxruntime.__version__
        self.numpy = NumPy()

    def code(self, name):
        names = {
            "f32": "FLOAT", "f16": "FLOAT16", "bf16": "BFLOAT16", "f64": "DOUBLE", "bool": "BOOL", "u8": "UINT8",
            "f8e4m3fn": "FLOAT8E4M3FN", "f8e5m2": "FLOAT8E5M2",
        }
        return getattr(self.onnx.TensorProto, names.get(name) or name.replace("i", "INT"))

    def value(self, operand):
        array = self.numpy.array({**operand, "dims": [operand["stored"]], "strides": [1]})
        if not is_every_other(operand):
            array = array.reshape(operand["dims"][::-1] if is_transposed(operand) else operand["dims"])
        if operand["dtype"] in SMALL:
            array = array.view(f"u{array.dtype.itemsize}")
        return self.runtime.OrtValue.ortvalue_from_numpy_with_onnx_type(array, self.code(operand["dtype"]))

    def prepare(self, item, held):
        helper, nodes, names, inputs = self.onnx.helper, [], [], []
        values = [self.value(operand) for operand in item["inputs"]]
        count = 0

        def node(kind, *sources, **attributes):
            nonlocal count
            count += 1
            nodes.append(helper.make_node(kind, sources, [f"v{count}"], **attributes))
            return f"v{count}"

        constants = []

        def constant(name, value, code, dims=(1,)):
            constants.append(helper.make_tensor(name, code, dims, [value]))
            return name

        for index, (operand, value) in enumerate(zip(item["inputs"], values)):
            name = f"in{index}"
            inputs.append(helper.make_tensor_value_info(name, self.code(operand["dtype"]), value.shape()))
            if is_transposed(operand):
                name = node("Transpose", name, perm=[1, 0])
            elif is_every_other(operand):
                bounds = [constant(f"{key}{index}", value, self.onnx.TensorProto.INT64)
                          for key, value in (("from", 0), ("to", operand["stored"]), ("axis", 0), ("step", 2))]
                name = node("Slice", name, *bounds)
            names.append((name, operand["dtype"]))
        to = lambda name, dtype: node("Cast", name, to=self.code(dtype))
        if item["work"] == "Arange":
            step, code = step_of(item), self.code(item["out"])
            end = math.prod(item["shape"]) * step
            result = node("Range", *[constant(f"r{at}", value, code, ()) for at, value in enumerate((0, end, step))])
        elif item["work"] == "Cast":
            result = to(names[0][0], item["out"])
        else:
            # There is no sum of bf16 or s16.
            computed = {"bf16": "f32", "i16": "i32"}.get(item["out"], item["out"])
            operands = [name if dtype == computed else to(name, computed) for name, dtype in names]
            result = node(item["work"], *operands)
            result = result if computed == item["out"] else to(result, item["out"])
        out = helper.make_tensor_value_info(result, self.code(item["out"]), item["shape"])
        graph = helper.make_graph(nodes, "item", inputs, [out], constants)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 19)], ir_version=9)
        options = self.runtime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 4
        session = self.runtime.InferenceSession(model.SerializeToString(), options, ["CPUExecutionProvider"])
        binding = session.io_binding()
        for index, value in enumerate(values):
            binding.bind_ortvalue_input(f"in{index}", value)
        # Kept between runs, like the tensors of the others.
        binding.bind_output(result)
        session.run_with_iobinding(binding)
        value = binding.get_outputs()[0]
        binding.bind_ortvalue_output(result, value)
        # NumPy knows neither bf16 nor 8-bit floats.
        read = value.numpy if item["out"] not in SMALL else None
        return repeated(lambda: session.run_with_iobinding(binding)), read


class OpenVino:
    name = "OpenVINO"

    def __init__(self):
        import openvino
        self.openvino, self.version, self.numpy = openvino, openvino.__version__, NumPy()
        self.core = openvino.Core()

    def type(self, name):
        names = {"bool": "boolean", "f8e4m3fn": "f8e4m3", "f8e5m2": "f8e5m2"}
        return getattr(self.openvino.Type, names.get(name, name))

    def prepare(self, item, held):
        opset, numpy = self.openvino.opset13, self.numpy.numpy
        parameters, tensors, nodes = [], [], []
        for operand in item["inputs"]:
            array = numpy.ascontiguousarray(self.numpy.array({**operand, "dims": [operand["stored"]], "strides": [1]}))
            if not is_every_other(operand):
                array = array.reshape(operand["dims"][::-1] if is_transposed(operand) else operand["dims"])
            shape, dtype = list(array.shape), self.type(operand["dtype"])
            parameter = opset.parameter(shape, dtype)
            raw = array.view("u1").reshape(-1)
            tensor = self.openvino.Tensor(dtype, self.openvino.Shape(shape))
            ctypes.memmove(tensor.data.ctypes.data, raw.ctypes.data, raw.nbytes)
            node = parameter
            if is_transposed(operand):
                node = opset.transpose(node, numpy.array([1, 0]))
            elif is_every_other(operand):
                bounds = [numpy.array([bound]) for bound in (0, operand["stored"], 2)]
                node = opset.slice(node, *bounds)
            parameters.append(parameter)
            tensors.append(tensor)
            nodes.append(node)
        out = self.type(item["out"])
        if item["work"] == "Arange":
            raise Unsupported  # Evaluated while the model is compiled.
        if item["work"] == "Cast":
            result = opset.convert(nodes[0], out.get_type_name())
        else:
            nodes = [node if node.get_element_type() == out else opset.convert(node, out.get_type_name()) for node in nodes]
            result = {"Add": opset.add, "Mul": opset.multiply}[item["work"]](*nodes)
        model = self.openvino.Model([result], parameters, "item")
        # Otherwise sums of f32 may be computed in bf16.
        settings = {"INFERENCE_NUM_THREADS": 1, "INFERENCE_PRECISION_HINT": "f32", "ENABLE_CPU_PINNING": False}
        request = self.core.compile_model(model, "CPU", settings).create_infer_request()
        for index, tensor in enumerate(tensors):
            request.set_input_tensor(index, tensor)
        read = lambda: request.get_output_tensor(0).data
        return repeated(lambda: request.infer()), read if item["out"] not in SMALL else None


def compare(result, expected):
    """Returns the numbers of a result that can be read; they must be those expected, if there are any."""
    if result is None:
        return expected
    import numpy
    try:
        numbers = result().astype(numpy.float32)
    except Unsupported:
        return expected
    if expected is not None and not numpy.allclose(numbers, expected, rtol=0.02, atol=0.02):
        raise Unsupported("computes other numbers")
    return numbers if expected is None else expected


def measure(item, peers, repeats):
    """Returns the time of each library that has the item."""
    count = math.prod(item["shape"])
    times = min(max(SAMPLE // count, 1), 500)
    held, prepared, samples, expected = [], [], {}, None
    for peer in peers:
        try:
            run, result = peer.prepare(item, held)
            run(1)
            expected = compare(result, expected)
        except Exception as why:
            if isinstance(peer, Ours):
                raise
            reason = (str(why).strip() or "has no such item").split("\n")[0][:160]
            print(f"\r{peer.name}: {item['item']}: {reason}", file=sys.stderr)
            continue
        prepared.append((peer.name, run))
    for _ in range(repeats):
        for name, run in prepared:
            run(1)
            start = time.perf_counter_ns()
            run(times)
            samples.setdefault(name, []).append((time.perf_counter_ns() - start) / (times * count))
    prepared.clear()
    release(held)
    return {name: statistics.median(times) for name, times in samples.items()}


def machine():
    try:
        lines = pathlib.Path("/proc/cpuinfo").read_text().splitlines()
        model = next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        model = platform.processor() or platform.machine()
    return f"{model}, {os.cpu_count()} processors, {platform.system()} {platform.release()}"


def main():
    arguments = argparse.ArgumentParser(usage=__doc__)
    arguments.add_argument("--items", required=True)
    arguments.add_argument("--toolkit", required=True)
    arguments.add_argument("--out", required=True)
    arguments.add_argument("--repeats", type=int, default=9)
    arguments = arguments.parse_args()

    peers = [Ours(arguments.toolkit)]
    for kind in (NumPy, Torch, CompiledTorch, OnnxRuntime, OpenVino):
        try:
            peers.append(kind())
        except ImportError as why:
            if kind is NumPy:
                sys.exit(f"NumPy is needed: {why}")
            print(f"{kind.name} is left out: {why}", file=sys.stderr)
    items = json.loads(pathlib.Path(arguments.items).read_text())["items"]
    for index, item in enumerate(items):
        print(f"\r\033[K{index + 1} of {len(items)}: {item['item']}, {item['size']} elements", end="", file=sys.stderr)
        item["times"] = measure(item, peers, arguments.repeats)
    print(file=sys.stderr)
    report = {
        "date": datetime.date.today().isoformat(),
        "machine": machine(),
        "versions": {peer.name: peer.version for peer in peers},
        "items": items,
    }
    pathlib.Path(arguments.out).write_text(json.dumps(report, ensure_ascii=False, indent=1))


if __name__ == "__main__":
    main()
