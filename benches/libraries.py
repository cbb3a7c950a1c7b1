"""The libraries that `peers.py` measures, each with the items that it has."""

import ctypes
import functools
import importlib
import math
import pathlib
import types

# The codes of element types in C, and the bytes of an element.
TYPES = {
    "f32": (0, 4), "f16": (1, 2), "i8": (2, 1), "i32": (3, 4), "u8": (4, 1), "i16": (6, 2), "i64": (9, 8),
    "f64": (11, 8), "bool": (12, 1), "bf16": (27, 2), "f8e5m2": (35, 1), "f8e4m3fn": (36, 1),
}
# Launches of this project that wait at a time, as in the bench: so few are left to the thread that waits.
BATCH = 500
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
    return numpy.random.default_rng(1).uniform(-8, 8, count).astype(numpy.float32)


class Library:
    """A library that is measured: `prepare` returns what runs an item so many times, and what returns its result."""

    def prepare(self, item, held):
        raise Unsupported

    def runners(self, about, held):
        """What else the library is measured at: names, units of a run, and what runs it so many times."""
        return []


class Ours(Library):
    """This project, by the two-phase interface with a repeated executor."""

    name = "this project, from Python"

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
            for before in range(0, times, BATCH):
                for _ in range(min(BATCH, times - before)):
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
        behind = [ctypes.c_int8(0)] if item["work"] == "Matmul" else []
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
        return self.plan(item["work"], [*tensors, *middle, out, *behind], held), result


def release(held):
    while held:
        held.pop()()


def repeated(call):
    def run(times):
        for _ in range(times):
            call()
    return run


class NumPy(Library):
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
        if item["work"] == "Matmul" and item["out"] != "f32":
            raise Unsupported("multiplies matrices of this type element by element")
        if item["work"] == "Arange":
            step = step_of(item)
            end = math.prod(item["shape"]) * step
            call = lambda: numpy.arange(0, end, step, dtype)
            return repeated(call), call
        arrays = [self.array(operand) for operand in item["inputs"]]
        out = numpy.ones(item["shape"], dtype)
        if item["work"] == "Cast":
            return repeated(lambda: numpy.copyto(out, arrays[0], casting="unsafe")), lambda: out
        function = {"Add": numpy.add, "Mul": numpy.multiply, "Matmul": numpy.matmul}[item["work"]]
        return repeated(lambda: function(*arrays, out=out, dtype=dtype, casting="unsafe")), lambda: out

    def runners(self, about, held):
        add, (a, b, out) = self.numpy.add, (self.numpy.ones(about["size"], "f4") for _ in range(3))
        if about["kind"] == "one element":
            return [(self.name, 1, repeated(lambda: add(a, b, out)))]
        if about["kind"] == "fresh memory":
            return [(self.name, about["size"], repeated(lambda: a + b))]
        return []


class Torch(Library):
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
        # Copied, so that two operands are not the same memory.
        data = self.torch.from_numpy(numbers(operand["stored"])).to(self.dtype(operand["dtype"]), copy=True)
        return data.as_strided(operand["dims"], operand["strides"])

    def functions(self, item):
        """Returns the operands, and the item as a function of them and of the place of its result."""
        torch, dtype, step = self.torch, self.dtype(item["out"]), step_of(item)
        function = {
            "Add": lambda a, b, out=None: torch.add(a, b, out=out),
            "Mul": lambda a, b, out=None: torch.mul(a, b, out=out),
            "Matmul": lambda a, b, out=None: torch.matmul(a, b, out=out),
            "Cast": lambda a, out=None: a.to(dtype) if out is None else out.copy_(a),
            "Arange": lambda end, out=None: torch.arange(0, end * step, step, dtype=dtype, out=out),
        }[item["work"]]
        if item["work"] == "Arange":
            return [math.prod(item["shape"])], function
        return [self.tensor(operand) for operand in item["inputs"]], function

    def prepare(self, item, held):
        operands, function = self.functions(item)
        out = self.torch.ones(item["shape"]).to(self.dtype(item["out"]))
        return repeated(lambda: function(*operands, out)), lambda: out.float().numpy()

    def runners(self, about, held):
        torch = self.torch
        if about["kind"] == "threads":
            run, _ = self.prepare(about, held)

            def on(threads):
                def run_on(times):
                    torch.set_num_threads(threads)
                    run(times)
                    torch.set_num_threads(1)
                return run_on
            return [(f"{self.name}, {name}", about["size"], on(count))
                    for count, name in ((1, "one thread"), (2, "two threads"))]
        a, b, out = (torch.ones(about["size"]) for _ in range(3))
        if about["kind"] == "one element":
            return [(self.name, 1, repeated(lambda: torch.add(a, b, out=out)))]
        if about["kind"] == "fresh memory":
            return [(self.name, about["size"], repeated(lambda: a + b))]
        return []


class CompiledTorch(Torch):
    """Each item is compiled once, for all sizes."""

    name = "PyTorch, compiled"

    def __init__(self):
        super().__init__()
        self.compiled = {}

    def prepare(self, item, held):
        if item["kind"] == "product":
            raise Unsupported("multiplies matrices as it does eagerly")
        operands, function = self.functions(item)
        if item["item"] not in self.compiled:
            # PyTorch keeps what it compiled with the code of a function, so each needs a code of its own.
            own = types.FunctionType(function.__code__.replace(), function.__globals__, item["item"],
                                     function.__defaults__, function.__closure__)
            self.compiled[item["item"]] = self.torch.compile(own, dynamic=True)
        compiled = self.compiled[item["item"]]
        return repeated(lambda: compiled(*operands)), lambda: compiled(*operands).float().numpy()

    def runners(self, about, held):
        return []


class OnnxRuntime(Library):
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
            result = node({"Matmul": "MatMul"}.get(item["work"], item["work"]), *operands)
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


class OpenVino(Library):
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
            product = lambda a, b: opset.matmul(a, b, False, False)
            result = {"Add": opset.add, "Mul": opset.multiply, "Matmul": product}[item["work"]](*nodes)
        model = self.openvino.Model([result], parameters, "item")
        # Otherwise sums of f32 may be computed in bf16.
        settings = {"INFERENCE_NUM_THREADS": 1, "INFERENCE_PRECISION_HINT": "f32", "ENABLE_CPU_PINNING": False}
        request = self.core.compile_model(model, "CPU", settings).create_infer_request()
        for index, tensor in enumerate(tensors):
            request.set_input_tensor(index, tensor)
        read = lambda: request.get_output_tensor(0).data
        return repeated(lambda: request.infer()), read if item["out"] not in SMALL else None
