#!/usr/bin/env python3
"""Measures operators of this project beside PyTorch, NumPy, ONNX Runtime and OpenVINO, turn by turn.

usage: benches/operators/measure.py --toolkit DIR [--out FILE] [--add] [--quick] [--peers] [--gains] [FILTER...]

The toolkit is that of `cargo xtask toolkit`; it is called through C in the process of the others. All are on one processor,
with one thread. Each item of `items.py` is run by each in turn, once compared with PyTorch's result. A filter is a part of
"group: name type". Prints a line for each item, and writes the nanoseconds of each turn to FILE.

  --add    adds the turns to those in FILE
  --quick  few turns
  --peers  also NumPy, ONNX Runtime and OpenVINO where they are installed
  --gains  then the gain of two threads, for some items
"""

import argparse
import ctypes
import json
import math
import os
import pathlib
import random
import statistics
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
from libraries import TYPES, Ours, release, repeated
from machine import machine
from samples import OURS

TORCH, LIMIT = "PyTorch", "limit"
# The nanoseconds of a sample, and the most runs in it.
SAMPLE, MOST = 30e6, 2000
TURNS, QUICK = 5, 3
# What two threads are measured at.
GAINS = ("softmax f32", "layer norm f32", "convolution 3×3 f32", "attention f32", "sort, one lane f32", "sum, all f32", "add f32")
# The code of an executor that cannot be repeated.
NOT_REPEATABLE = "561000"
# As errors of one step of the type, for results of about one.
TOLERANCES = {"f32": 2e-4, "f16": 1e-2, "bf16": 5e-2}
# The allocator of C keeps memory, and asks for huge pages, as ours does.
TUNABLES = "glibc.malloc.mmap_threshold=4294967296:glibc.malloc.trim_threshold=34359738368:glibc.malloc.hugetlb=1"


def numbers(about, dtype, number):
    """Returns a tensor of PyTorch with the numbers of an input, by its number among the inputs."""
    import torch
    shape = (about.shape,) if isinstance(about.shape, int) else tuple(about.shape)
    generator = torch.Generator().manual_seed(1000 * number + sum(shape))
    normal = lambda: torch.randn(shape, generator=generator)
    kind, _, most = about.kind.partition(" ")
    if kind == "index":
        values = torch.randint(int(most), shape, generator=generator)
    elif kind == "truth":
        values = normal() > 0
    elif kind == "bytes":
        values = torch.randint(-128, 128, shape, generator=generator)
    elif about.kind == "unit positive":
        values = torch.rand(shape, generator=generator) * 0.98 + 0.01
    elif kind == "unit":
        values = torch.rand(shape, generator=generator) * 1.98 - 0.99
    elif kind == "positive":
        values = torch.rand(shape, generator=generator) * 4 + 1
    elif kind == "near":
        values = 1 + normal() * 0.01
    elif kind == "ones":
        values = torch.ones(shape)
    else:
        values = normal() * {"normal": 1, "small": 0.01}[kind]
        if dtype.startswith("i"):
            values = values * 1000
    return values.to(torch_type(dtype))


def torch_type(name):
    import torch
    names = {"f16": "float16", "bf16": "bfloat16", "bool": "bool", "u8": "uint8", "i4": "int8"}
    return getattr(torch, names.get(name) or name.replace("i", "int").replace("f", "float"))


class Call:
    """A call of this project, with its operands on the device."""

    def __init__(self, ours, item, inputs):
        self.ours, self.held, self.outputs = ours, [], []
        self.item, self.inputs = item, iter(inputs)
        self.bytes = 0
        arguments = [self.argument(argument) for argument in item.arguments]
        try:
            self.run = ours.plan(item.operator, arguments, self.held)
        except RuntimeError as why:
            if NOT_REPEATABLE not in str(why):
                raise RuntimeError(f"{item.operator}: {why}, {self.ours.told()}") from None
            self.run = repeated(lambda: self.once(arguments))

    def once(self, arguments):
        """Runs both phases, as of an operator whose results have sizes that depend on numbers."""
        size, executor, call = ctypes.c_uint64(), ctypes.c_void_p(), f"aclnn{self.item.operator}"
        operators, held = self.ours.operators, []
        self.ours.check(getattr(operators, f"{call}GetWorkspaceSize")(*arguments, ctypes.byref(size), ctypes.byref(executor)))
        workspace = self.ours.memory(size.value, held) if size.value else None
        self.ours.check(getattr(operators, call)(workspace, size, executor, self.ours.stream))
        self.ours.check(self.ours.runtime.aclrtSynchronizeStream(self.ours.stream))
        for free in held:
            free()

    def tensor(self, dtype, shape, strides=None, data=None):
        shape = (shape,) if isinstance(shape, int) else tuple(shape)
        code, bits = (29, 4) if dtype == "i4" else (TYPES[dtype][0], TYPES[dtype][1] * 8)
        count = math.prod(shape)
        size = count * bits // 8
        self.bytes += int(size * (self.item.read if data is not None else 1))
        memory = self.ours.memory(size, self.held)
        if data is not None:
            self.ours.check(self.ours.runtime.aclrtMemcpy(
                memory, ctypes.c_size_t(size), ctypes.c_void_p(data.data_ptr()), ctypes.c_size_t(size), 1))
        else:
            self.ours.check(self.ours.runtime.aclrtMemset(memory, ctypes.c_size_t(size), 0, ctypes.c_size_t(size)))
        array = lambda values: (ctypes.c_int64 * len(values))(*values)
        strides = strides or [math.prod(shape[axis + 1:]) for axis in range(len(shape))]
        if data is not None and isinstance(data, Transposed):
            shape, strides = shape[::-1], strides[::-1]
        tensor = ctypes.c_void_p(self.ours.meta.aclCreateTensor(
            array(shape), ctypes.c_uint64(len(shape)), code, array(strides), ctypes.c_int64(0), self.layout(shape), array([count]),
            ctypes.c_uint64(1), memory))
        self.held.append(lambda: self.ours.meta.aclDestroyTensor(tensor))
        return tensor, memory

    def layout(self, shape):
        """The code of the storage format: NCHW of images, and ND of all else."""
        return 0 if self.item.group == "images" and len(shape) == 4 else 2

    def argument(self, argument):
        import items
        match argument:
            case None:
                return None
            case bool():
                return ctypes.c_bool(argument)
            case int():
                return ctypes.c_int64(argument)
            case float():
                return ctypes.c_double(argument)
            case str():
                return ctypes.c_char_p(argument.encode())
            case list():
                return self.array("aclCreateIntArray", "aclDestroyIntArray", ctypes.c_int64, argument)
            case items.Truths(values):
                return self.array("aclCreateBoolArray", "aclDestroyBoolArray", ctypes.c_bool, values)
            case items.Float(value):
                return ctypes.c_float(value)
            case items.Scalar(value):
                return self.ours.scalar(float(value), self.held)
            case items.Type(name):
                return ctypes.c_int(TYPES[name or self.item.dtype][0])
            case items.Tensors(tensors):
                made = [self.argument(tensor) for tensor in tensors]
                pointers = (ctypes.c_void_p * len(made))(*[tensor.value for tensor in made])
                self.ours.meta.aclCreateTensorList.restype = ctypes.c_void_p
                return ctypes.c_void_p(self.ours.meta.aclCreateTensorList(pointers, ctypes.c_uint64(len(made))))
            case items.In(shape, dtype):
                return self.tensor(dtype or self.item.dtype, shape, data=next(self.inputs))[0]
            case items.Turned(matrix):
                return self.tensor(matrix.dtype or self.item.dtype, matrix.shape, data=Transposed(next(self.inputs)))[0]
            case items.Out(shape, dtype):
                tensor, memory = self.tensor(dtype or self.item.dtype, shape)
                self.outputs.append((memory, shape, dtype or self.item.dtype))
                return tensor
        raise TypeError(argument)

    def array(self, create, destroy, kind, values):
        create = getattr(self.ours.meta, create)
        create.restype = ctypes.c_void_p
        made = ctypes.c_void_p(create((kind * len(values))(*values), ctypes.c_uint64(len(values))))
        self.held.append(lambda: getattr(self.ours.meta, destroy)(made))
        return made

    def results(self):
        import torch
        for memory, shape, dtype in self.outputs:
            shape = (shape,) if isinstance(shape, int) else tuple(shape)
            host = torch.empty(shape, dtype=torch_type(dtype))
            size = ctypes.c_size_t(host.numel() * host.element_size())
            self.ours.check(self.ours.runtime.aclrtMemcpy(ctypes.c_void_p(host.data_ptr()), size, memory, size, 2))
            yield host


class Transposed:
    """The numbers of a matrix that is passed as its transposed view."""

    def __init__(self, matrix):
        self.matrix = matrix

    def data_ptr(self):
        return self.matrix.data_ptr()


def differs(item, call, expected):
    """Returns the greatest difference of the results from PyTorch's, if it is more than rounding."""
    results = list(call.results())
    if not isinstance(expected, (tuple, list)):
        # An operator may have outputs before it that PyTorch does not return.
        expected = [expected]
        results = [result for result in results if result.numel() == expected[0].numel()]
    if len(results) < len(expected):
        raise RuntimeError(f"{item.operator} has {len(results)} outputs like PyTorch's {len(expected)}")
    for ours, theirs in zip(results, expected):
        ours, theirs = ours.double().reshape(-1), theirs.double().reshape(-1)
        scale = max(theirs.abs().max().item(), 1e-30) if "product" in item.group or item.group == "images" else theirs.abs().clamp(min=1)
        difference = ((ours - theirs).abs() / scale).max().item()
        if not difference <= TOLERANCES.get(item.dtype, 0):
            return difference
    return None


class OnnxPeers:
    """ONNX Runtime and OpenVINO, which both read a model of one node."""

    def __init__(self):
        self.makers = {}
        try:
            import onnx
            self.onnx = onnx
        except ImportError:
            return
        for name, package, make in (("ONNX Runtime", "onnxruntime", self.runtime), ("OpenVINO", "openvino", self.openvino)):
            try:
                self.makers[name] = make(__import__(package))
            except ImportError:
                pass

    def model(self, item, inputs):
        helper, (node, attributes) = self.onnx.helper, item.onnx
        code = {"f32": 1, "f16": 10, "bf16": 16}[item.dtype]
        names = [f"x{index}" for index in range(len(inputs))]
        values = [helper.make_tensor_value_info(name, code, list(value.shape)) for name, value in zip(names, inputs)]
        result = helper.make_tensor_value_info("y", code, None)
        graph = helper.make_graph([helper.make_node(node, names, ["y"], **attributes)], "item", values, [result])
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10).SerializeToString()

    def runtime(self, runtime):
        def make(item, inputs):
            if item.dtype == "bf16":
                raise ValueError("NumPy has no such type")
            options = runtime.SessionOptions()
            options.intra_op_num_threads = options.inter_op_num_threads = 1
            options.log_severity_level = 4
            session = runtime.InferenceSession(self.model(item, inputs), options, providers=["CPUExecutionProvider"])
            binding = session.io_binding()
            for index, value in enumerate(inputs):
                binding.bind_ortvalue_input(f"x{index}", runtime.OrtValue.ortvalue_from_numpy(value.numpy()))
            # The memory of the result is kept between runs.
            binding.bind_output("y")
            session.run_with_iobinding(binding)
            binding.bind_ortvalue_output("y", binding.get_outputs()[0])
            return lambda: session.run_with_iobinding(binding)
        return make

    def openvino(self, openvino):
        core = openvino.Core()

        def make(item, inputs):
            if item.dtype == "bf16":
                raise ValueError("NumPy has no such type")
            settings = {"INFERENCE_NUM_THREADS": 1, "INFERENCE_PRECISION_HINT": item.dtype, "ENABLE_CPU_PINNING": False}
            request = core.compile_model(core.read_model(self.model(item, inputs)), "CPU", settings).create_infer_request()
            for index, value in enumerate(inputs):
                request.set_input_tensor(index, openvino.Tensor(value.numpy()))
            return request.infer
        return make

    def prepared(self, item, inputs):
        if item.onnx is None:
            return
        for name, make in self.makers.items():
            try:
                run = make(item, inputs)
                run()
                yield name, run
            except Exception:
                # Few nodes have all types there.
                continue


class Subject:
    """An item, and all who run it."""

    def __init__(self, ours, item, peers):
        import items
        import torch
        flat = []

        def collect(argument):
            match argument:
                case items.In(_, dtype):
                    flat.append(numbers(argument, dtype or item.dtype, len(flat)))
                case items.Turned(matrix):
                    flat.append(numbers(matrix, matrix.dtype or item.dtype, len(flat)))
                case items.Tensors(tensors):
                    for tensor in tensors:
                        collect(tensor)
        for argument in item.arguments:
            collect(argument)
        self.item, self.call = item, Call(ours, item, flat)
        self.call.run(1)
        expected = item.reference(*flat)
        self.differs = differs(item, self.call, expected) if item.is_compared else None
        half = max(self.call.bytes // 2, 64)
        source, target = torch.empty(half, dtype=torch.uint8).fill_(1), torch.empty(half, dtype=torch.uint8).fill_(2)
        runs = {OURS: self.call.run, TORCH: repeated(lambda: item.reference(*flat)), LIMIT: repeated(lambda: target.copy_(source))}
        if peers:
            if item.numpy is not None:
                runs["NumPy"] = repeated(lambda: item.numpy(*[value.numpy() for value in flat]))
            runs.update((name, repeated(run)) for name, run in peers.prepared(item, flat))
        self.runs, self.times = runs, {}
        for name, run in runs.items():
            start = time.perf_counter_ns()
            run(1)
            self.times[name] = int(min(max(SAMPLE / max(time.perf_counter_ns() - start, 1), 1), MOST))

    def turn(self):
        times = {}
        for name, run in self.runs.items():
            start = time.perf_counter_ns()
            run(self.times[name])
            times[name] = (time.perf_counter_ns() - start) / self.times[name]
        return times

    def release(self):
        release(self.call.held)


def subjects(options):
    """The items that are measured, each ready to run."""
    import items
    import torch
    torch.set_num_threads(options.threads)
    ours = Ours(options.toolkit)
    ours.runtime.aclGetRecentErrMsg.restype = ctypes.c_char_p
    ours.told = lambda: (ours.runtime.aclGetRecentErrMsg() or b"").decode().strip().replace("\n", " ")[:300]
    peers = OnnxPeers() if options.peers else None
    chosen = items.ITEMS if options.exactly else items.matching(options.filters)
    for item in chosen:
        if options.exactly and f"{item.name} {item.dtype}" not in options.filters:
            continue
        try:
            yield Subject(ours, item, peers)
        except Exception as why:
            print(f"{item.name} {item.dtype}: {str(why).splitlines()[0][:300]}", file=sys.stderr)


def ratio(samples, other):
    return statistics.median(a / b for a, b in zip(samples[OURS], samples[other]))


def measure(options):
    measured = []
    for subject in subjects(options):
        item, samples = subject.item, {}
        for _ in range(QUICK if options.quick else TURNS):
            for name, taken in subject.turn().items():
                samples.setdefault(name, []).append(taken)
        entry = {"group": item.group, "name": item.name, "dtype": item.dtype, "operator": item.operator, "bytes": subject.call.bytes,
                 "differs": subject.differs, "samples": samples}
        measured.append(entry)
        others = "".join(f"  {name} {ratio(samples, name):.2f}" for name in samples if name != OURS)
        wrong = f"  DIFFERS by {subject.differs:.2g}" if subject.differs is not None else ""
        print(f"{item.group:14} {item.name:34} {item.dtype:5} {statistics.median(samples[OURS]) / 1e3:9.1f} µs{others}{wrong}", flush=True)
        subject.release()
    return measured


def added(before, measured):
    """Returns what other processes measured, with the turns of this one behind."""
    own = {(entry["name"], entry["dtype"]): entry["samples"] for entry in measured}
    for entry in before:
        more = own.get((entry["name"], entry["dtype"]), {})
        entry["samples"] = {name: taken + more[name] for name, taken in entry["samples"].items() if name in more}
    return [entry for entry in before if entry["samples"]]


def serve(options):
    """Takes a turn for each line that it reads, and goes to the next item for each empty one."""
    for subject in subjects(options):
        print(json.dumps(f"{subject.item.name} {subject.item.dtype}"), flush=True)
        while sys.stdin.readline().strip():
            print(json.dumps(subject.turn()), flush=True)
        subject.release()
    print("null", flush=True)


def gains(options):
    """Returns how much faster two threads are than one, in two processes that take turns."""
    processors = sorted(os.sched_getaffinity(0))
    if len(processors) < 2:
        return []

    def start(threads):
        command = [sys.executable, __file__, "--toolkit", options.toolkit, "--serve", "--threads", str(threads), *GAINS]
        return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(process, line):
        process.stdin.write(line + "\n")
        process.stdin.flush()
        return json.loads(process.stdout.readline())
    both, found = [start(1), start(2)], []
    names = [json.loads(process.stdout.readline()) for process in both]
    while names[0] is not None and names[0] == names[1]:
        turns = [[ask(process, "turn") for process in both] for _ in range(QUICK if options.quick else 3 * TURNS)]
        gain = {name: statistics.median(one[name] / two[name] for one, two in turns) for name in turns[0][0]}
        found.append({"item": names[0], "gain": gain})
        print(f"{names[0]:34} two threads:", *(f"{name} {value:.2f}" for name, value in gain.items()), flush=True)
        names = [ask(process, "") for process in both]
    return found


def versions():
    import importlib.metadata
    found = {}
    for name in ("torch", "numpy", "onnxruntime", "openvino"):
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            pass
    return found


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--toolkit", required=True)
    parser.add_argument("--out")
    parser.add_argument("--threads", type=int, default=1)
    for flag in ("quick", "peers", "gains", "serve", "add"):
        parser.add_argument(f"--{flag}", action="store_true")
    parser.add_argument("filters", nargs="*")
    options = parser.parse_args()
    options.exactly = options.serve
    if os.environ.get("GLIBC_TUNABLES") != TUNABLES:
        os.execve(sys.executable, [sys.executable, *sys.argv], os.environ | {"GLIBC_TUNABLES": TUNABLES, "OMP_NUM_THREADS": "2"})
    all_processors = os.sched_getaffinity(0)
    if options.threads == 1:
        os.sched_setaffinity(0, {random.choice(sorted(all_processors))})
    if options.serve:
        return serve(options)
    measured = measure(options)
    ratios = [ratio(entry["samples"], TORCH) for entry in measured]
    if ratios:
        mean = math.exp(statistics.mean(map(math.log, ratios)))
        print(f"{len(ratios)} items, geometric mean {mean:.2f} of PyTorch's time, {sum(value > 1.2 for value in ratios)} over 1.2")
    os.sched_setaffinity(0, all_processors)
    gained = gains(options) if options.gains else []
    if options.out:
        if options.add:
            measured = added(json.loads(pathlib.Path(options.out).read_text())["items"], measured)
        report = {"machine": machine(), "versions": versions(), "items": measured, "gains": gained}
        pathlib.Path(options.out).write_text(json.dumps(report, ensure_ascii=False))


if __name__ == "__main__":
    main()
