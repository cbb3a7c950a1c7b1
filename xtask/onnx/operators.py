"""Runs the test cases of the package onnx with aclnn-onnx and with ONNX Runtime, and writes docs/onnx-operators.md.

`cargo xtask onnx` runs it with the packages of requirements.txt. The cases become folders below the target directory: those
of operators are made by the package, those of models lie in it. A program of its own runs the cases of each side, and is
started again after a case that ended it.
"""

import argparse
import collections
import ctypes
import hashlib
import json
import locale
import os
import queue
import re
import shutil
import subprocess
import sys
import threading
import warnings
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, numpy_helper

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
DATA = Path(onnx.__file__).parent / "backend" / "test" / "data"
GROUPS = ["light", "pytorch-converted", "pytorch-operator", "simple"]
DEFAULT = {"rtol": 1e-3, "atol": 1e-7}
# Cases whose outputs are random numbers of NumPy, or of nobody's generator: only their types and shapes are compared.
DRAWN = re.compile("test_(bernoulli.*|training_dropout(_default)?(_mask)?)")
# The most seconds for one case.
PATIENCE = 300
# The most letters of a reason.
LONGEST = 240
PASSED, FAILED, MISSING = "passed", "failed", "not supported"


# Folders.


def write_value(value, value_type, path):
    """Writes an input or an output as the message of its declared type."""
    if isinstance(value, TensorProto):
        message = value
    elif value_type.HasField("sequence_type"):
        message = numpy_helper.from_list(value)
    elif value_type.HasField("optional_type"):
        message = numpy_helper.from_optional(value)
    else:
        message = numpy_helper.from_array(np.asarray(value))
    path.write_bytes(message.SerializeToString())


def write_tolerance(folder, tolerance):
    """Writes the tolerances of a case that differ from the default."""
    lines = [f"{name} {tolerance[name]}\n" for name in DEFAULT if tolerance[name] != DEFAULT[name]]
    if lines:
        (folder / "tolerance.txt").write_text("".join(lines))


def write_nodes(folder):
    """Writes the cases of operators. Returns the operator of each."""
    import onnx.backend.test.case.node as node
    from onnx.backend.test.loader import load_node_model_tests

    operators, expect, cases = {}, node.expect, node._NodeTestCases

    def noting(node_op, *arguments, **options):
        before = len(cases)
        expect(node_op, *arguments, **options)
        domain = node_op.domain + "." if node_op.domain not in ("", "ai.onnx") else ""
        for case in cases[before:]:
            operators[case.name] = domain + node_op.op_type

    # The modules with cases, which are imported next, take this function.
    node.expect = noting
    for case in load_node_model_tests():
        place = folder / case.name
        place.mkdir(parents=True)
        (place / "model.onnx").write_bytes(case.model.SerializeToString())
        write_tolerance(place, {"rtol": case.rtol, "atol": "inf" if DRAWN.fullmatch(case.name) else case.atol})
        for number, (inputs, outputs) in enumerate(case.data_sets):
            data = place / f"test_data_set_{number}"
            data.mkdir()
            for kind, values, ports in (("input", inputs, case.model.graph.input), ("output", outputs, case.model.graph.output)):
                for place_of_value, (value, port) in enumerate(zip(values, ports, strict=True)):
                    write_value(value, port.type, data / f"{kind}_{place_of_value}.pb")
    return operators


def tolerance_of(case):
    """Returns the tolerances that the package says for a model test."""
    file = case / "data.json"
    return DEFAULT | {k: v for k, v in (json.loads(file.read_text()) if file.exists() else {}).items() if k in DEFAULT}


def write_models(folder):
    """Copies the cases of models, and makes the inputs of those that bring outputs alone."""
    for group in GROUPS[1:]:
        for case in sorted((DATA / group).iterdir()):
            if (case / "model.onnx").exists():
                shutil.copytree(case, folder / group / case.name)
                write_tolerance(folder / group / case.name, tolerance_of(case))
    for case in sorted((DATA / "real").iterdir()):
        told = json.loads((case / "data.json").read_text())
        source = DATA / "light" / Path(told["url"]).name
        place = folder / "light" / case.name
        data = place / "test_data_set_0"
        data.mkdir(parents=True)
        shutil.copy(source, place / "model.onnx")
        write_tolerance(place, tolerance_of(case))
        graph = onnx.load(source).graph
        weights = {weight.name for weight in graph.initializer}
        inputs = [port for port in graph.input if port.name not in weights]
        for number, port in enumerate(inputs):
            # Numbers from 0 up to 1, as onnx.backend.test.runner has it.
            shape = [axis.dim_value if axis.HasField("dim_value") else 1 for axis in port.type.tensor_type.shape.dim]
            count = int(np.prod(shape))
            ramp = (np.arange(count).reshape(shape) / count).astype(np.float32)
            write_value(ramp, port.type, data / f"input_{number}.pb")
        for number in range(len(graph.output)):
            shutil.copy(source.with_name(f"{source.stem}_output_{number}.pb"), data / f"output_{number}.pb")


def prepare(folder):
    """Writes all folders unless they are there. Returns the operator of each case of the folder `node`."""
    script = Path(__file__).read_bytes()
    stamp = f"{onnx.__version__} {np.__version__} {hashlib.sha256(script).hexdigest()}"
    index = folder / "operators.json"
    if index.exists() and (known := json.loads(index.read_text()))["stamp"] == stamp:
        return known["operators"]
    shutil.rmtree(folder, ignore_errors=True)
    with warnings.catch_warnings():
        # About numbers that are too large for a type, on purpose.
        warnings.simplefilter("ignore")
        operators = write_nodes(folder / "node")
    write_models(folder)
    index.write_text(json.dumps({"stamp": stamp, "operators": operators}))
    return operators


# ONNX Runtime.

# Types of which it takes arrays of NumPy.
FED = "FLOAT UINT8 INT8 UINT16 INT16 INT32 INT64 STRING BOOL FLOAT16 DOUBLE UINT32 UINT64".split()
FED = {TensorProto.DataType.Value(name) for name in FED}


def read_value(path, value_type):
    content = path.read_bytes()
    if value_type.HasField("sequence_type"):
        return numpy_helper.to_list(onnx.SequenceProto.FromString(content))
    if value_type.HasField("optional_type"):
        return numpy_helper.to_optional(onnx.OptionalProto.FromString(content))
    return TensorProto.FromString(content)


def as_array(value):
    return numpy_helper.to_array(value) if isinstance(value, TensorProto) else value


def differs(given, expected, rtol, atol):
    """Returns whether a value is not as expected, by the rule of `aclnn_onnx::cases`."""
    if given is None or expected is None:
        return given is not expected
    if isinstance(expected, (list, tuple)):
        if not isinstance(given, (list, tuple)) or len(given) != len(expected):
            return True
        return any(differs(one, other, rtol, atol) for one, other in zip(given, expected, strict=True))
    if given.shape != expected.shape:
        return True
    if atol == float("inf"):
        return given.dtype != expected.dtype
    if expected.dtype.kind in "OUS":
        return not np.array_equal(given.astype(object), expected.astype(object))
    if given.dtype != expected.dtype:
        return True
    if expected.dtype.kind in "biu" or expected.dtype.name in ("int4", "uint4", "int2", "uint2"):
        return not np.array_equal(given, expected)
    if expected.dtype.name == "bfloat16":
        rtol = max(rtol, 2**-6)
    if expected.dtype.kind == "V" or expected.dtype.itemsize == 1 or expected.dtype.name == "bfloat16":
        given, expected = given.astype(np.float32), expected.astype(np.float32)
    return not np.allclose(given, expected, rtol=rtol, atol=atol, equal_nan=True)


def array_of(value):
    """Returns the array of a value of ONNX Runtime, of any type."""
    code, shape = value.element_type(), value.shape()
    if code in FED:
        return value.numpy()
    # It would give codes as integers.
    message = TensorProto(data_type=code, dims=shape)
    message.raw_data = ctypes.string_at(value.data_ptr(), (int(np.prod(shape)) * bits_of(code) + 7) // 8)
    return numpy_helper.to_array(message)


def bits_of(code):
    """Returns the bits of an element."""
    name = TensorProto.DataType.Name(code)
    for bits in (2, 4, 8, 16, 32, 64, 128):
        if name.endswith(f"INT{bits}") or name.startswith(f"FLOAT{bits}"):
            return bits
    return {"BFLOAT16": 16, "FLOAT": 32, "DOUBLE": 64, "BOOL": 8, "COMPLEX64": 64, "COMPLEX128": 128}[name]


def run_reference(folder):
    """Runs a case with ONNX Runtime. Returns what became of it, and why."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    tolerance = dict(DEFAULT)
    if (folder / "tolerance.txt").exists():
        tolerance |= {k: float(v) for k, v in map(str.split, (folder / "tolerance.txt").read_text().splitlines())}
    model = onnx.load(folder / "model.onnx")
    weights = {weight.name for weight in model.graph.initializer}
    carried, state = [], {}
    if (folder / "carried.txt").exists():
        carried = [line.split() for line in (folder / "carried.txt").read_text().splitlines()]
    session = None
    for data in sorted(folder.glob("test_data_set_*"), key=lambda path: int(path.name.rsplit("_", 1)[1])):
        changed = onnx.ModelProto.FromString(model.SerializeToString())
        feeds, ports = {}, [port for port in model.graph.input if port.name not in weights]
        for number, port in enumerate(ports):
            file = data / f"input_{number}.pb"
            if not file.exists():
                continue
            value = read_value(file, port.type)
            if isinstance(value, TensorProto) and value.data_type not in FED:
                # Python cannot give it, but a model can hold it.
                value.name = port.name
                changed.graph.initializer.append(value)
                kept = [other for other in changed.graph.input if other.name != port.name]
                del changed.graph.input[:]
                changed.graph.input.extend(kept)
            else:
                feeds[port.name] = state.get(port.name, as_array(value))
        try:
            if session is None or len(feeds) < len(ports):
                session = onnxruntime.InferenceSession(changed.SerializeToString(), options, providers=["CPUExecutionProvider"])
        except Exception as error:
            return MISSING, str(error)
        types = [port.type for port in model.graph.output]
        plain = all(not t.HasField("tensor_type") or t.tensor_type.elem_type in FED for t in types)
        try:
            if plain:
                outputs = session.run(None, feeds)
            else:
                given = {name: onnxruntime.OrtValue.ortvalue_from_numpy(value) for name, value in feeds.items()}
                names = [port.name for port in model.graph.output]
                outputs = [array_of(value) for value in session.run_with_ort_values(names, given)]
        except Exception as error:
            return (MISSING if "NOT_IMPLEMENTED" in str(error) else FAILED), str(error)
        for number, output in enumerate(outputs):
            file = data / f"output_{number}.pb"
            if file.exists() and differs(output, as_array(read_value(file, types[number])), **tolerance):
                return FAILED, f"output {number} differs"
        names = [port.name for port in model.graph.output]
        state = {given: outputs[names.index(output)] for output, given in carried}
    return PASSED, ""


def reference():
    """Runs the cases that the lines of the standard input name, as the example `cases` of aclnn-onnx does."""
    for line in sys.stdin:
        try:
            outcome, reason = run_reference(Path(line.strip()))
        except Exception as error:
            outcome, reason = FAILED, repr(error)
        print(outcome, line.strip(), " ".join(reason.split()), sep="\t", flush=True)


# Both sides.


class Runner:
    """A program that runs one case for each line it reads."""

    def __init__(self, command):
        self.command, self.process = command, None

    def start(self):
        self.process = subprocess.Popen(
            self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        self.lines = queue.Queue()

        def read(lines, out):
            for line in out:
                lines.put(line)
            lines.put(None)

        threading.Thread(target=read, args=(self.lines, self.process.stdout), daemon=True).start()

    def run(self, folder):
        """Returns what became of a case, and why."""
        if self.process is None:
            self.start()
        try:
            self.process.stdin.write(f"{folder}\n")
            self.process.stdin.flush()
            line = self.lines.get(timeout=PATIENCE)
        except BrokenPipeError:
            line = None
        except queue.Empty:
            self.process.kill()
            self.process.wait()
            self.process = None
            return FAILED, f"it does not end within {PATIENCE} s"
        if line is None:
            code = self.process.wait()
            self.process = None
            return FAILED, f"the process ended with {'signal' if code < 0 else 'code'} {abs(code)}"
        outcome, _, reason = line.rstrip("\n").split("\t", 2)
        return outcome, reason


Case = collections.namedtuple("Case", "name group operator outcome reason reference")


def run_all(folder, folders, operators, command, wanted, beside=True):
    """Runs the cases whose names hold a text, on both sides, or on ours alone."""
    ours, theirs = Runner(command), Runner([sys.executable, __file__, "--reference"])
    folders = [(place, group) for place, group in folders if wanted in place.name]
    cases = []
    for number, (place, group) in enumerate(folders):
        if sys.stderr.isatty():
            print(f"\r{number}/{len(folders)} {place.name:.60}\x1b[K", end="", file=sys.stderr, flush=True)
        outcome, reason = ours.run(place)
        # No page tells of the machine.
        reason = reason.replace(str(folder), "…")
        operator = operators[place.name] if group == "node" else None
        cases.append(Case(place.name, group, operator, outcome, reason, theirs.run(place) if beside else None))
    if sys.stderr.isatty():
        print("\r\x1b[K", end="", file=sys.stderr)
    return cases


# The page.


def counts(cases):
    of = collections.Counter(case.outcome for case in cases)
    host = sum(case.outcome == PASSED and case.reason != "" for case in cases)
    theirs = sum(case.reference[0] == PASSED for case in cases)
    return [len(cases), of[PASSED], of[FAILED], of[MISSING], host, theirs]


def table(title, rows):
    head = [title, "cases", PASSED, FAILED, MISSING, "on the host", "passed by ONNX Runtime"]
    lines = [f"| {' | '.join(head)} |", "|---" + "|--:" * (len(head) - 1) + "|"]
    lines += [f"| {name} | {' | '.join(map(str, numbers))} |" for name, numbers in rows]
    return "\n".join(lines)


def grouped(cases, key):
    groups = collections.defaultdict(list)
    for case in cases:
        groups[key(case)].append(case)
    return groups


def shown(reason):
    reason = reason if len(reason) <= LONGEST else reason[:LONGEST] + "…"
    return reason.replace("|", "\\|").replace("<", "&lt;")


def list_of(cases):
    """Lists cases with their reasons; those of one reason together."""
    lines = ["| cases | | reason | ONNX Runtime |", "|---|---|---|---|"]
    reasons = grouped(cases, lambda case: (case.outcome, case.reason, case.reference[0]))
    for (outcome, reason, theirs), same in sorted(reasons.items(), key=lambda item: item[1][0].name):
        names = ", ".join(f"`{case.name.removeprefix('test_')}`" for case in same)
        lines.append(f"| {names} | {outcome} | {shown(reason)} | {theirs} |")
    return "\n".join(lines)


def write_page(cases):
    import onnxruntime

    nodes = [case for case in cases if case.group == "node"]
    models = [case for case in cases if case.group != "node"]
    operators = sorted(grouped(nodes, lambda case: case.operator).items(), key=lambda item: (item[0].count("."), item[0]))
    groups = sorted(grouped(models, lambda case: case.group).items())
    here = sum(case.outcome == PASSED and case.reference[0] != PASSED for case in cases)
    there = sum(case.outcome != PASSED and case.reference[0] == PASSED for case in cases)
    summary = table("", [("operators", counts(nodes)), ("models", counts(models)), ("all", counts(cases))])
    summary += f"\n\n{here} cases pass here and not with ONNX Runtime, {there} with ONNX Runtime and not here."
    try:
        locale.setlocale(locale.LC_ALL, "en_US.UTF-8")
    except locale.Error:
        summary += "\nThe machine lacks the locale `en_US.UTF-8`, which ONNX Runtime needs for some cases of StringNormalizer."
    lists = [
        f"### {name}\n\n{list_of(wrong)}"
        for name, members in operators + groups
        if (wrong := [case for case in members if case.outcome != PASSED])
    ]
    page = (HERE / "page.md").read_text()
    for word, text in {
        "ONNX_VERSION": onnx.__version__,
        "ORT_VERSION": onnxruntime.__version__,
        "SUMMARY": summary,
        "OPERATORS": table("operator", [(f"`{name}`", counts(members)) for name, members in operators]),
        "MODELS": table("group", [(f"`{name}`", counts(members)) for name, members in groups]),
        "CASES": "\n\n".join(lists) or "All of them pass.",
    }.items():
        page = page.replace(word, text)
    (ROOT / "docs" / "onnx-operators.md").write_text(page)


def check(cases):
    """Fails if a case does not pass that the page does not list."""
    _, _, listed = (ROOT / "docs" / "onnx-operators.md").read_text().partition("## Cases that do not pass")
    new = [case for case in cases if case.outcome != PASSED and f"`{case.name.removeprefix('test_')}`" not in listed]
    for case in new:
        print(case.outcome, case.name, case.reason, sep="  ")
    print(f"{sum(case.outcome == PASSED for case in cases)} of {len(cases)} cases pass")
    if new:
        sys.exit(f"{len(new)} cases do not pass that docs/onnx-operators.md does not list; repair them, or run `cargo xtask onnx`")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--folder", type=Path, help="where the folders of the cases are")
    parser.add_argument("--runner", help="the example `cases` of aclnn-onnx")
    parser.add_argument("--models", action="store_true", help="the folder holds models; print what becomes of them")
    parser.add_argument("--prepare", action="store_true", help="write the folders, and run nothing")
    parser.add_argument("--check", action="store_true", help="run no ONNX Runtime, and compare with the page")
    parser.add_argument("--filter", default="", help="run the cases whose names hold this text, and write no page")
    parser.add_argument("--reference", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.reference:
        return reference()
    operators = {} if arguments.models else prepare(arguments.folder)
    if arguments.models:
        # The models of packages, and those that PyTorch exported, lie beside each other.
        sets = sorted(arguments.folder.glob("**/test_data_set_0"))
        folders = [(data.parent, "models") for data in sets]
    else:
        folders = [(place, "node") for place in sorted((arguments.folder / "node").iterdir())]
        folders += [(place, group) for group in GROUPS for place in sorted((arguments.folder / group).iterdir())]
    if arguments.prepare:
        print(f"{len(folders)} cases are in {arguments.folder}")
        return None
    os.environ.setdefault("ACLNN_BACKEND", "emulator")
    if arguments.check:
        return check(run_all(arguments.folder, folders, operators, [arguments.runner], "", beside=False))
    cases = run_all(arguments.folder, folders, operators, [arguments.runner], arguments.filter)
    is_printed = arguments.models or arguments.filter
    for case in cases if is_printed else []:
        print(case.outcome, case.name, case.reason, f"(ONNX Runtime: {': '.join(filter(None, case.reference))})", sep="  ")
    total, passed, failed, missing, _, theirs = counts(cases)
    print(f"{passed} passed, {failed} failed, {missing} not supported; ONNX Runtime: {theirs} of {total} passed")
    if not is_printed:
        write_page(cases)
    return None


if __name__ == "__main__":
    main()
