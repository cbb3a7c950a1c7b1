"""Measures ONNX models with aclnn-onnx, ONNX Runtime and tract in turn.

usage: benches/models/measure.py --engines FILE --out FILE [--quick] FOLDER...

`cargo xtask bench --onnx` runs it with the packages of xtask/onnx/requirements.txt. Each engine is a process that stays alive,
loads the models that it is told, and runs them as often as it is told; all are on one processor. The results of a model are
compared with the expected ones before it is measured. FOLDER holds test cases at any depth. FILE of --out gets the nanoseconds
of a run, turn by turn.
"""

import argparse
import json
import os
import select
import subprocess
import sys
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

sys.path.append(str(Path(__file__).parent.parent))
from machine import machine

OURS, RUNTIME, TRACT = "aclnn-onnx", "ONNX Runtime", "tract"
# The nanoseconds that a sample takes about, and its most runs.
SAMPLE, MOST = 150e6, 2000
# The samples of each, and those of a model that takes longer than LONG nanoseconds.
TURNS, FEW, LONG = 15, 5, 400e6
# The most seconds for one answer.
PATIENCE = 600
# The nodes of the chain; `direct` of ours.rs calls the same operators.
CHAIN = 1000


class Engine:
    """A process that runs models."""

    def __init__(self, command):
        self.command, self.process = command, None
        self.start()

    def start(self):
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(self.command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL)
        self.version = self.read()["version"]

    def read(self):
        if not select.select([self.process.stdout], [], [], PATIENCE)[0]:
            self.process.kill()
        line = self.process.stdout.readline()
        return json.loads(line) if line else None

    def ask(self, line):
        """Returns the answer to a line. A process that ends is started again."""
        self.process.stdin.write(f"{line}\n".encode())
        self.process.stdin.flush()
        answer = self.read()
        if answer is None:
            code = self.process.wait()
            self.start()
            answer = {"error": f"its process ended with {code}, or took more than {PATIENCE} s"}
        return answer


class Runner:
    """What an engine measures in its turns."""

    def __init__(self, engine, word, once):
        self.engine, self.word, self.once = engine, word, once
        self.count = int(min(max(SAMPLE // once, 1), MOST))

    def turn(self):
        if self.once < LONG:
            # To have the caches as this one leaves them.
            self.engine.ask(f"{self.word} 1")
        return self.engine.ask(f"{self.word} {self.count}")["ns"] / self.count


def measure(engines, folder, quick, is_chain=False):
    """Returns the times of the engines that run a model, and why the others do not."""
    runners, entry = {}, {"model": folder.name.removeprefix("test_"), "samples": {}, "refused": {}}
    for name, engine in engines.items():
        loaded = engine.ask(f"load {folder}")
        for word in ("run", "direct") if is_chain and name == OURS else ("run",):
            first = loaded if "error" in loaded else engine.ask(f"{word} 1")
            if "error" in first:
                entry["refused"][name] = " ".join(first["error"].replace(str(folder), "…").split())
                break
            runners[name if word == "run" else "the safe layer"] = Runner(engine, word, engine.ask(f"{word} 1")["ns"])
        if name == OURS:
            entry |= {key: value for key, value in loaded.items() if key != "error"}
    is_long = sum(max(runner.once, SAMPLE) for runner in runners.values()) > len(runners) * LONG
    for _ in range(2 if quick else FEW if is_long else TURNS):
        for name, runner in runners.items():
            entry["samples"].setdefault(name, []).append(runner.turn())
    return entry


def write_chain(folder):
    """Writes a case whose time is that of its nodes and not of their sixteen elements. NumPy computes what is expected."""
    data = folder / "test_data_set_0"
    data.mkdir(parents=True, exist_ok=True)
    x, w = np.linspace(-1, 1, 16, dtype=np.float32), np.linspace(0.5, 1.5, 16, dtype=np.float32)
    nodes, name, y = [], "x", x
    for number in range(CHAIN):
        kind = ["Relu", "Add", "Mul", "Sigmoid"][number % 4]
        out = "y" if number == CHAIN - 1 else f"v{number}"
        nodes.append(helper.make_node(kind, [name, "w"] if kind in ("Add", "Mul") else [name], [out]))
        y = {"Relu": lambda: np.maximum(y, 0), "Add": lambda: y + w, "Mul": lambda: y * w,
             "Sigmoid": lambda: 1 / (1 + np.exp(-y))}[kind]()
        name = out
    port = lambda name: helper.make_tensor_value_info(name, TensorProto.FLOAT, [16])
    graph = helper.make_graph(nodes, "chain", [port("x"), port("w")], [port("y")])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=10)
    onnx.save(model, folder / "model.onnx")
    for file, array in (("input_0", x), ("input_1", w), ("output_0", y)):
        (data / f"{file}.pb").write_bytes(numpy_helper.from_array(array).SerializeToString())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--engines", required=True, help="the program aclnn-bench-models")
    parser.add_argument("--out", required=True, type=Path, help="where the times go")
    parser.add_argument("--quick", action="store_true", help="two turns")
    parser.add_argument("folders", nargs="+", type=Path)
    arguments = parser.parse_args()
    folders = sorted({data.parent for folder in arguments.folders for data in folder.glob("**/test_data_set_0")})
    if not folders:
        sys.exit("no folder holds a test case")
    about = machine()
    if hasattr(os, "sched_setaffinity"):
        # The engines inherit it, and use as many threads.
        os.sched_setaffinity(0, [min(os.sched_getaffinity(0))])
    os.environ |= {"ACLNN_BACKEND": "emulator", "OMP_NUM_THREADS": "1", "RAYON_NUM_THREADS": "1"}
    engines = {
        OURS: Engine([arguments.engines, "ours"]),
        RUNTIME: Engine([sys.executable, str(Path(__file__).with_name("runtime.py"))]),
        TRACT: Engine([arguments.engines, "tract"]),
    }
    chain = arguments.out.parent / "chain"
    write_chain(chain)
    report = {"machine": about, "versions": {name: engine.version for name, engine in engines.items()}}
    report["chain"] = {"nodes_of_chain": CHAIN} | measure(engines, chain, arguments.quick, is_chain=True)
    report["models"] = []
    for number, folder in enumerate(folders):
        print(f"{number + 1}/{len(folders)} {folder.name}", file=sys.stderr, flush=True)
        report["models"].append(measure(engines, folder, arguments.quick))
    for engine in engines.values():
        engine.process.stdin.close()
        engine.process.wait()
    arguments.out.write_text(json.dumps(report))


if __name__ == "__main__":
    main()
