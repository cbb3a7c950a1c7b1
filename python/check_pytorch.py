"""Checks which functions of PyTorch work on the emulator, and writes the numbers into docs/pytorch.md.

    python3 python/check_pytorch.py                     # makes an environment with everything, which fetches packages
    python3 python/check_pytorch.py --python PYTHON     # one that has torch, torch_npu and cann_emulator
    python3 python/check_pytorch.py --python PYTHON --only TEXT    # only expressions with this text; writes no page

Each line of pytorch_functions.txt is computed on the CPU and on the device "npu", with the gradients of its inputs and
parameters, and both are compared. Lines of several processes say what each rank gets. A process that dies or hangs is one
failure, and another one goes on behind it.
"""

import argparse
import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
PAGE = HERE.parent / "docs" / "pytorch.md"
FUNCTIONS = HERE / "pytorch_functions.txt"
PACKAGES = ["torch==2.12.0", "torch_npu==2.12.0", "numpy", "pyyaml"]
#: Seconds for one function on a busy machine.
LIMIT = 120
#: Seconds for the processes of one function, which end before the process that waits for them is killed.
LIMIT_OF_RANKS = 100
MARKS = ["<!-- what works -->", "<!-- end of what works -->"]


def functions(only):
    """Returns the lines of the list with the groups that they stand in."""
    group, lines = None, []
    for line in FUNCTIONS.read_text(encoding="utf-8").splitlines():
        if line.startswith("# "):
            group = line[2:]
        elif line and not line.startswith("#") and only in line:
            lines.append((group, line))
    return lines


# What follows runs in the environment with PyTorch.


class Inputs(dict):
    """Named tensors, made when they are used, the same on every device."""

    def __init__(self, device, torch):
        super().__init__(device=device, torch=torch, nn=torch.nn, F=torch.nn.functional)
        self.update({name: getattr(torch, name) for name in ("float16", "bfloat16", "float32", "int32", "int64")})
        if device == "npu":
            import torch_npu

            self["torch_npu"] = torch_npu
        self.leaves = []

    def __missing__(self, name):
        torch = self["torch"]
        if name not in TENSORS:
            raise NameError(f"no tensor {name}")
        random = torch.Generator().manual_seed(sum(map(ord, name)))
        value = TENSORS[name](torch, random)
        tensor = value.to(self["device"])
        if tensor.is_floating_point():
            tensor.requires_grad_()
            self.leaves.append(tensor)
        self[name] = tensor
        return tensor

    def module(self, text):
        """Returns the module of a text, with parameters that are the same on every device."""
        torch = self["torch"]
        torch.manual_seed(0)
        module = eval(text, {}, self).to(self["device"])
        self.leaves += list(module.parameters())
        return module


def normal(*shape):
    return lambda torch, random: torch.randn(shape, generator=random)


def uniform(low, high, *shape):
    return lambda torch, random: torch.rand(shape, generator=random) * (high - low) + low


def integers(low, high, *shape):
    return lambda torch, random: torch.randint(low, high, shape, generator=random)


def positive_definite(torch, random):
    a = torch.randn(5, 5, generator=random)
    return a @ a.T + 5 * torch.eye(5)


TENSORS = {
    # A matrix of 4 by 6, others like it, and vectors for its sides.
    "x": normal(4, 6), "y": normal(4, 6), "z": normal(4, 6), "p": uniform(0.5, 2, 4, 6), "q": uniform(0.5, 2, 4, 6),
    "u": uniform(-0.9, 0.9, 4, 6), "v": normal(6), "w": normal(4), "m": normal(6, 5), "s": normal(5, 5),
    "spd": positive_definite, "scale": normal(()),
    "i": integers(-9, 10, 4, 6), "j": integers(1, 10, 4, 6), "b": lambda torch, random: torch.rand(4, 6, generator=random) > 0.5,
    "index": integers(0, 4, 5), "columns": integers(0, 6, 4, 3), "labels": integers(0, 6, 4),
    "targets": uniform(0, 1, 4, 6), "signs": lambda torch, random: torch.randint(0, 2, (4, 6), generator=random) * 2.0 - 1,
    # Signals, images and volumes, in batches.
    "line": normal(2, 4, 12), "image": normal(2, 4, 8, 8), "volume": normal(2, 4, 4, 6, 6),
    "batch": normal(3, 4, 6), "batch2": normal(3, 6, 5),
    # Sequences: batch, place, feature; heads of attention.
    "words": integers(0, 10, 2, 7), "sequence": normal(2, 7, 16), "query": normal(2, 4, 7, 8), "key": normal(2, 4, 7, 8),
    "value": normal(2, 4, 7, 8), "mask": lambda torch, random: torch.ones(7, 7, dtype=torch.bool).tril(),
    "grid": uniform(-1, 1, 2, 5, 5, 2), "state": normal(1, 2, 16),
}  # fmt: skip


def graphed(inputs, torch):
    """Returns a function that captures a graph of another one, and replays it with the values of its arguments."""

    def run(function, *arguments):
        arguments = [argument.detach() for argument in arguments]
        if inputs["device"] == "cpu":
            return function(*arguments)
        static = [torch.zeros_like(argument) for argument in arguments]
        graph = torch.npu.NPUGraph()
        function(*static)
        with torch.npu.graph(graph):
            result = function(*static)
        for factor in [2, 1]:
            for place, argument in zip(static, arguments):
                place.copy_(argument * factor)
            graph.replay()
        return result

    return run


#: The group whose lines are computed by two processes, one for each device.
RANKS = "Several processes"


class Rank(dict):
    """What a line of [`RANKS`] is made of, for one rank: its number, its numbers, and results that are written."""

    def __init__(self, rank, device, torch):
        super().__init__(rank=rank, device=device, torch=torch, dist=torch.distributed, range=range)
        # Each rank has numbers of its own, on its device; the numbers of others are known to all.
        self["own"] = lambda of=rank, count=6: (torch.arange(count, dtype=torch.float32) + 10 * of).to(device)
        self["written"] = self.written

    def written(self, function, *shape):
        """Returns what a function wrote into a tensor of a shape."""
        out = self["torch"].zeros(shape, device=self["device"])
        function(out)
        return out


def ranks_of(line, device, torch):
    """Returns the results of a line on both ranks: on the CPU one after the other, otherwise in two processes."""
    if device == "cpu":
        return [eval(line, Rank(rank, "cpu", torch)) for rank in range(2)]
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port = found.getsockname()[1]
    own = {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port), "WORLD_SIZE": "2", "CANN_STUBS_DEVICES": "2"}
    with tempfile.TemporaryDirectory() as directory:
        # Into files, as nobody reads while both are waited for.
        paths = [Path(directory) / f"rank {rank}" for rank in range(2)]
        processes = []
        try:
            for rank, path in enumerate(paths):
                command, environment = [sys.executable, __file__, "--rank", line], os.environ | own | {"RANK": str(rank)}
                with path.open("wb") as out:
                    processes.append(subprocess.Popen(command, stdout=out, env=environment))
            wait_for(processes)
        finally:
            for process in processes:
                process.kill()
                process.wait()
        return [torch.tensor(json.loads(path.read_text().strip().splitlines()[-1])) for path in paths]


def wait_for(processes):
    """Waits until all ranks have succeeded. Raises an error when the first one fails, or when the time is up."""
    end = time.monotonic() + LIMIT_OF_RANKS
    while True:
        codes = [process.poll() for process in processes]
        for rank, code in enumerate(codes):
            if code:
                raise RuntimeError(f"rank {rank} ended with {code}")
        if None not in codes:
            return
        if time.monotonic() > end:
            raise RuntimeError(f"no answer of rank {codes.index(None)} in {LIMIT_OF_RANKS} s")
        time.sleep(0.02)


def rank(line):
    """Computes a line of [`RANKS`] as one of two processes, and prints the result."""
    import cann_emulator  # noqa: F401
    import torch

    torch.npu.set_device(int(os.environ["RANK"]))
    torch.distributed.init_process_group("hccl")
    result = eval(line, Rank(int(os.environ["RANK"]), "npu", torch))
    print(json.dumps(result.cpu().tolist()), flush=True)
    torch.distributed.destroy_process_group()


def flat(value, torch):
    """Returns the tensors of a result, in order, on the host."""
    if isinstance(value, torch.Tensor):
        return [value]
    if isinstance(value, (list, tuple)):
        return [tensor for part in value for tensor in flat(part, torch)]
    return [torch.tensor(value)]


def train(text, inputs, torch):
    """Returns the parameters of a small model after five steps of an optimizer."""
    model = inputs.module("nn.Sequential(nn.Linear(6, 8), nn.Tanh(), nn.Linear(8, 5))")
    optimizer = eval(text, {}, inputs | {"parameters": list(model.parameters())})
    for _ in range(5):

        def closure():
            optimizer.zero_grad()
            loss = torch.nn.functional.mse_loss(model(inputs["x"].detach()), inputs["batch2"][0, :4].detach())
            loss.backward()
            return loss

        optimizer.step(closure)
    return list(model.parameters())


def computed(group, line, device, torch):
    """Returns the results of a line, and then its gradients or the error that there was instead."""
    inputs = Inputs(device, torch)
    inputs["graphed"] = graphed(inputs, torch)
    if device == "cpu":
        # `device` stands for both; where the device has a function of its own, the reference stands behind it.
        line = line.partition(" <=> ")[2] or line
    else:
        line = line.partition(" <=> ")[0]
    torch.manual_seed(0)
    if group == RANKS:
        return ranks_of(line, device, torch), []
    if group == "Optimizers":
        result = train(line, inputs, torch)
        return [tensor.detach().cpu() for tensor in result], []
    if " <- " in line:
        module, _, arguments = line.partition(" <- ")
        module = inputs.module(module)
        result = module(*eval(f"({arguments},)", {}, inputs))
    else:
        # What a function looks up are globals.
        result = eval(line, {"torch": torch, "F": torch.nn.functional}, inputs)
    result = flat(result, torch)
    forward = [tensor.detach().cpu() for tensor in result]
    grounds = [tensor for tensor in result if tensor.requires_grad and tensor.is_floating_point()]
    if not grounds:
        return forward, []
    try:
        # Weights that differ, so that no element of a gradient can stand for another.
        total = sum((tensor.float() * torch.linspace(0.5, 1.5, tensor.numel()).reshape(tensor.shape).to(device)).sum() for tensor in grounds)
        gradients = torch.autograd.grad(total, inputs.leaves, allow_unused=True)
        return forward, [None if gradient is None else gradient.cpu() for gradient in gradients]
    except Exception as error:
        return forward, error


def difference(expected, got, narrow, torch):
    """Returns how two lists of tensors differ, or nothing; `narrow` is true where they were computed in 16 bits."""
    if len(expected) != len(got):
        return f"{len(got)} results instead of {len(expected)}"
    for one, other in zip(expected, got):
        if (one is None) != (other is None):
            return "a gradient is missing" if other is None else "a gradient too many"
        if one is None:
            continue
        if one.dtype != other.dtype:
            return f"{other.dtype} instead of {one.dtype}"
        if one.shape != other.shape:
            return f"shape {list(other.shape)} instead of {list(one.shape)}"
        relative, absolute = (2e-2, 2e-2) if narrow else (1e-3, 1e-4)
        if one.is_floating_point() or one.is_complex():
            if not torch.allclose(one, other, rtol=relative, atol=absolute, equal_nan=True):
                return f"differs by up to {(one - other).abs().max().item():.2g}"
        elif not torch.equal(one, other):
            return f"{int((one != other).sum())} of {one.numel()} elements differ"
    return None


def told(error):
    """Returns an exception in one line, without what changes from run to run."""
    text = str(error)
    # The message of the library is behind lines of the plugin.
    inner = re.search(r"(aclnn\w+|acl\w+|Hccl\w+): .*", text)
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    text = inner.group(0).partition(";")[0] if inner else (lines[0] if lines else "")
    return f"{type(error).__name__}: {text.partition(' with attributes')[0]}"[:200].rstrip()


def check(group, line, torch):
    """Returns what is wrong with the results, and with the gradients: a sentence, nothing, or "none" where there are none."""
    expected, expected_gradients = computed(group, line, "cpu", torch)
    if isinstance(expected_gradients, Exception):
        raise expected_gradients
    try:
        got, gradients = computed(group, line, "npu", torch)
    except Exception as error:
        return told(error), "not tried" if expected_gradients else "none"
    narrow = any(word in line for word in ("half", "float16", "Muon"))
    forward = difference(expected, got, narrow, torch)
    # Some functions of the plugin have no gradient, whatever the device.
    own = " <=> " in line and isinstance(gradients, list) and not any(isinstance(part, torch.Tensor) for part in gradients)
    if own or not expected_gradients:
        return forward, "none"
    if isinstance(gradients, Exception):
        return forward, told(gradients)
    return forward, difference(expected_gradients, gradients, narrow, torch)


#: What is timed: the name, and a function that makes the work for a device.
SPEED = {
    "`a + b`, 24 elements": lambda torch, d: (torch.add, torch.ones(4, 6, device=d), torch.ones(4, 6, device=d)),
    "`a + b`, 4 million elements": lambda torch, d: (torch.add, torch.ones(2000, 2000, device=d), torch.ones(2000, 2000, device=d)),
    "`exp`, 4 million elements": lambda torch, d: (torch.exp, torch.ones(2000, 2000, device=d)),
    "`a @ b`, 512 by 512": lambda torch, d: (torch.mm, torch.ones(512, 512, device=d), torch.ones(512, 512, device=d)),
    "`softmax`, 1000 by 1000": lambda torch, d: (torch.softmax, torch.ones(1000, 1000, device=d), 1),
    "`sum`, 4 million elements": lambda torch, d: (torch.sum, torch.ones(2000, 2000, device=d)),
    "`conv2d`, 16 to 32 channels, 64 by 64": lambda torch, d: (torch.conv2d, torch.ones(4, 16, 64, 64, device=d), torch.ones(32, 16, 3, 3, device=d)),
    "a training step of a small model": lambda torch, d: (training_step(torch, d),),
}  # fmt: skip


def training_step(torch, device):
    """Returns a function that trains a model of three layers by one step."""
    nn = torch.nn
    model = nn.Sequential(nn.Linear(64, 256), nn.ReLU(), nn.Linear(256, 256), nn.ReLU(), nn.Linear(256, 10)).to(device)
    optimizer = torch.optim.Adam(model.parameters())
    images, labels = torch.ones(128, 64, device=device), torch.zeros(128, dtype=torch.int64, device=device)

    def step():
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(images), labels).backward()
        optimizer.step()

    return step


def speed(name, torch):
    """Returns the times of some work on the CPU and on the device, in seconds: the best of many turns, on one processor."""
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    torch.set_num_threads(1)
    best = dict.fromkeys(["cpu", "npu"], float("inf"))
    end = time.monotonic() + 3
    prepared = {device: SPEED[name](torch, device) for device in best}
    turns = 0
    while turns < 3 or time.monotonic() < end:
        turns += 1
        for device, (function, *arguments) in prepared.items():
            start = time.perf_counter()
            for _ in range(5):
                function(*arguments)
            torch.npu.synchronize()
            best[device] = min(best[device], time.perf_counter() - start)
    return best["cpu"], best["npu"]


def work():
    """Checks the lines that come in, and prints an answer in JSON for each."""
    answers = os.fdopen(os.dup(1), "w")
    # What libraries print does not belong to the answers.
    os.dup2(2, 1)
    import warnings

    warnings.simplefilter("ignore")
    import cann_emulator  # noqa: F401
    import torch

    torch.use_deterministic_algorithms(False)
    for line in sys.stdin:
        group, line = json.loads(line)
        try:
            answer = check(group, line, torch) if group else speed(line, torch)
        except Exception as error:
            answer = "the CPU: " + told(error), "none"
        print(json.dumps(answer), file=answers, flush=True)


class Worker:
    """A process that checks lines."""

    def __init__(self, python, **variables):
        # An error of a function is then told by that function.
        early = {"TASK_QUEUE_ENABLE": "0", "CANN_STUBS_REFUSED_WORK": "call", "CANN_STUBS_LEAKS": "off"}
        environment = early | variables | os.environ
        self.log = tempfile.TemporaryFile("w+", errors="replace")
        self.process = subprocess.Popen(
            [python, __file__, "--work"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.log, env=environment, text=True
        )

    def ask(self, group, line):
        timer = threading.Timer(LIMIT, self.process.kill)
        timer.start()
        try:
            print(json.dumps([group, line]), file=self.process.stdin, flush=True)
            answer = self.process.stdout.readline()
        except BrokenPipeError:
            answer = ""
        late = not timer.is_alive()
        timer.cancel()
        if answer:
            return json.loads(answer)
        status = self.process.wait()
        self.log.seek(0)
        last = ([line.strip() for line in self.log if line.strip()] or [""])[-1]
        reason = f"no answer in {LIMIT} s" if late else f"the process ended with {status}: {last}"[:200]
        return reason, "not tried"

    def end(self):
        self.process.kill()
        self.process.wait()


def times(python):
    """Returns the table of the times."""
    text = "\nTime of the emulator divided by that of PyTorch on the CPU, both on one processor, in one run:\n\n| work | times |\n|---|---|\n"
    worker = Worker(python, TASK_QUEUE_ENABLE="1")
    for name in SPEED:
        cpu, npu = worker.ask(None, name)
        text += f"| {name} | {npu / cpu:.2g} |\n"
    worker.end()
    return text


def table(results, versions):
    """Returns the part of the page that says what works."""
    groups = {}
    for group, line, forward, backward in results:
        row = groups.setdefault(group, [0, 0, 0, 0])
        row[0] += forward is None
        row[1] += 1
        row[2] += backward is None
        row[3] += backward != "none"
    total = [sum(row[column] for row in groups.values()) for column in range(4)]
    text = f"With {versions}: {total[0]} of {total[1]} functions give the results of the CPU, and {total[2]} of {total[3]} its gradients.\n\n"
    text += "| group | results | gradients |\n|---|---|---|\n"
    for group, (forward, of, backward, of_backward) in groups.items():
        text += f"| {group} | {forward} of {of} | {f'{backward} of {of_backward}' if of_backward else ''} |\n"
    failed = [row for row in results if row[2] is not None or row[3] not in (None, "none")]
    text += "\nWhat does not work:\n\n| function | what happens |\n|---|---|\n" if failed else "\nEverything in the list works.\n"
    for _, line, forward, backward in failed:
        reason = forward if forward is not None else f"gradients: {backward}"
        line = line.partition(" <=> ")[0]
        text += f"| `{line.replace('|', chr(92) + '|')}` | {reason.replace('|', chr(92) + '|')} |\n"
    return text


def environment():
    """Makes an environment with the wheel of this repository and PyTorch, and returns its Python."""
    target = Path(os.environ.get("CARGO_TARGET_DIR", HERE.parent / "target")) / "pytorch"
    python = target / "venv" / "bin" / "python"
    run = lambda *command: subprocess.run([str(word) for word in command], check=True, cwd=HERE.parent)
    run("cargo", "xtask", "toolkit", "--out", target / "toolkit", "--wheel", target / "wheel")
    if not python.exists():
        run(sys.executable, "-m", "venv", target / "venv")
    run(python, "-m", "pip", "install", "--quiet", *PACKAGES)
    run(python, "-m", "pip", "install", "--quiet", "--no-index", "--force-reinstall", *(target / "wheel").glob("*.whl"))
    return python


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--python", help="a Python with torch, torch_npu and cann_emulator")
    parser.add_argument("--only", default="", help="check only the expressions with this text, and write no page")
    parser.add_argument("--work", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--rank", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.work:
        return work()
    if arguments.rank:
        return rank(arguments.rank)
    python = arguments.python or environment()
    versions = "import cann_emulator, importlib.metadata as m; print(*(f'{n} {m.version(n)}' for n in ('torch', 'torch_npu')), sep=' and ')"
    versions = subprocess.run([python, "-c", versions], check=True, capture_output=True, text=True).stdout.strip()
    results, worker = [], None
    for group, line in functions(arguments.only):
        worker = worker or Worker(python)
        forward, backward = worker.ask(group, line)
        if worker.process.poll() is not None:
            worker = None
        results.append((group, line, forward, backward))
        if forward is not None or backward not in (None, "none"):
            print(f"{group}: {line}: {forward} / {backward}", flush=True)
    if worker:
        worker.end()
    text = table(results, versions) + ("" if arguments.only else times(python))
    if arguments.only:
        print(text)
        return
    page = PAGE.read_text(encoding="utf-8")
    before, rest = page.split(MARKS[0])
    PAGE.write_text(f"{before}{MARKS[0]}\n{text}{MARKS[1]}{rest.split(MARKS[1])[1]}", encoding="utf-8")


if __name__ == "__main__":
    main()
