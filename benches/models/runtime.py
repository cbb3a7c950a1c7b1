"""Runs ONNX models with ONNX Runtime's CPU provider, as the program beside it does with others.

`measure.py` starts it. Each line of the standard input is answered by a line of JSON.
"""

import json
import sys
import time
from pathlib import Path

import onnx
import onnxruntime

sys.path.append(str(Path(__file__).parent.parent.parent / "xtask" / "onnx"))
import operators


class Model:
    """The model of a test case, and the inputs of its first data set."""

    def __init__(self, folder):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 4
        start = time.perf_counter()
        providers = ["CPUExecutionProvider"]
        self.session = onnxruntime.InferenceSession(folder / "model.onnx", options, providers=providers)
        self.seconds = time.perf_counter() - start
        graph = onnx.load(folder / "model.onnx").graph
        weights = {weight.name for weight in graph.initializer}
        self.names, self.feeds = [port.name for port in graph.output], {}
        data = folder / "test_data_set_0"
        for number, port in enumerate(port for port in graph.input if port.name not in weights):
            if (data / f"input_{number}.pb").exists():
                array = operators.as_array(operators.read_value(data / f"input_{number}.pb", port.type))
                self.feeds[port.name] = onnxruntime.OrtValue.ortvalue_from_numpy(array)
        self.compare(folder, data, graph)

    def compare(self, folder, data, graph):
        tolerance = dict(operators.DEFAULT)
        if (folder / "tolerance.txt").exists():
            lines = (folder / "tolerance.txt").read_text().splitlines()
            tolerance |= {name: float(number) for name, number in map(str.split, lines)}
        for number, (port, output) in enumerate(zip(graph.output, self.run(), strict=True)):
            file = data / f"output_{number}.pb"
            if not file.exists():
                continue
            expected = operators.as_array(operators.read_value(file, port.type))
            if operators.differs(output.numpy(), expected, **tolerance):
                raise ValueError(f"output {port.name} differs")

    def run(self):
        return self.session.run_with_ort_values(self.names, self.feeds)


def main():
    print(json.dumps({"version": onnxruntime.__version__}), flush=True)
    model = None
    for line in sys.stdin:
        word, _, rest = line.strip().partition(" ")
        try:
            if word == "load":
                model = None
                model = Model(Path(rest))
                answer = {"session_ms": model.seconds * 1e3}
            else:
                start = time.perf_counter_ns()
                for _ in range(int(rest)):
                    model.run()
                answer = {"ns": time.perf_counter_ns() - start}
        except Exception as error:
            answer = {"error": str(error)}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
