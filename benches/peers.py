#!/usr/bin/env python3
"""Measures Python libraries in turn with the bench `peers`, whose items it takes.

usage: benches/peers.py --toolkit DIR --out FILE -- COMMAND...

COMMAND starts the bench `peers` with `--serve`: a process that measures this project, the limit of memory and loops
written by hand. This process measures NumPy, PyTorch, ONNX Runtime and OpenVINO where they are installed, NumPy being
needed, and this project once more: the toolkit, of `cargo xtask toolkit`, is called through C. All take turns on one
processor. An item that a library lacks is left out, and so is one whose numbers are not those of this project, but for
rounding. FILE gets the times of all turns, in nanoseconds. Progress goes to standard error.
"""

import argparse
import gc
import json
import math
import os
import pathlib
import platform
import subprocess
import sys
import time

import libraries
from machine import machine

# As in the bench: the elements that a sample covers, its most runs, and the samples that even a slow one takes.
SAMPLE = 8_000_000
MOST = 5_000
LEAST = 5


class Runner:
    """Takes samples until it had its share of the time."""

    def __init__(self, name, units, run):
        self.name, self.units, self.run = name, units, run
        self.times = min(max(SAMPLE // units, 1), MOST)
        self.spent, self.taken, self.long = 0, 0, False

    def turn(self, share):
        """Returns the nanoseconds of a unit, or none."""
        if self.taken >= LEAST and self.spent >= share * 1e9:
            return None
        begin = time.perf_counter_ns()
        # Once before the clock starts, to have the caches as this one leaves them.
        if not self.long:
            self.run(1)
        start = time.perf_counter_ns()
        self.run(self.times)
        end = time.perf_counter_ns()
        self.long = end - start >= self.times * 20e6
        self.spent += end - begin
        self.taken += 1
        return (end - start) / (self.times * self.units)


class Native:
    """The bench in its process."""

    def __init__(self, command):
        # It binds itself to a processor, and one that it starts to two.
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.about = self.read()

    def read(self):
        line = self.process.stdout.readline()
        if not line:
            sys.exit(f"the bench ended with {self.process.wait()}")
        return json.loads(line)

    def say(self, word):
        self.process.stdin.write(word + "\n")
        self.process.stdin.flush()

    def turn(self):
        self.say("turn")
        return self.read()


def compare(result, expected):
    """Returns the numbers of a result that can be read; they must be those expected, if there are any."""
    if result is None:
        return expected
    import numpy
    try:
        numbers = result().astype(numpy.float32)
    except libraries.Unsupported:
        return expected
    if expected is not None and not numpy.allclose(numbers, expected, rtol=0.02, atol=0.02):
        raise libraries.Unsupported("computes other numbers")
    return numbers if expected is None else expected


def prepare(about, peers, held, told):
    """Returns what runs the subject by each library that has it."""
    if about["kind"] not in ("item", "product"):
        return [Runner(*runner) for peer in peers for runner in peer.runners(about, held)]
    runners, expected = [], None
    for peer in peers:
        if (peer.name, about["item"]) in told:
            continue
        try:
            run, result = peer.prepare(about, held)
            run(1)
            expected = compare(result, expected)
        except Exception as why:
            if isinstance(peer, libraries.Ours):
                raise
            told.add((peer.name, about["item"]))
            reason = (str(why).strip() or "has no such item").split("\n")[0][:160]
            print(f"\r\033[K{peer.name}: {about['item']}: {reason}", file=sys.stderr)
            continue
        runners.append(Runner(peer.name, math.prod(about["shape"]), run))
    return runners


def measure(native, runners, turn):
    """Returns the times of each, turn by turn, and those that a turn returns."""
    samples = {}
    for _ in range(native.about["rounds"]):
        times = turn()
        times.update((runner.name, runner.turn(native.about["share"])) for runner in runners)
        for name, time in times.items():
            if time is not None:
                samples.setdefault(name, []).append(time)
    return samples


def products(native, peers, told):
    """Measures products of square matrices, which the bench does not have."""
    side, measured = 1024, []
    for dtype in ("f32", "f16", "bf16"):
        operand = {"dtype": dtype, "dims": [side, side], "strides": [side, 1], "stored": side * side}
        about = {"kind": "product", "item": f"{dtype} · {dtype}", "size": side, "work": "Matmul", "shape": [side, side],
                 "inputs": [operand] * 2, "out": dtype}
        print(f"\r\033[Kproducts of {side}³, {dtype}", end="", file=sys.stderr, flush=True)
        held = []
        about["samples"] = measure(native, prepare(about, peers, held, told), dict)
        measured.append(about)
        libraries.release(held)
    return measured


def bind(processors):
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, processors)


def main():
    arguments = argparse.ArgumentParser(usage=__doc__)
    arguments.add_argument("--toolkit", required=True)
    arguments.add_argument("--out", required=True)
    arguments.add_argument("command", nargs="+")
    arguments = arguments.parse_args()

    native = Native(arguments.command)
    processors = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
    # Before anything starts threads; the product is the one that has 8-bit floats.
    bind(processors[:1])
    os.environ["CANN_STUBS_SOC"] = "Ascend950"
    # An executor whose plan the library keeps cannot be repeated.
    os.environ["DISABLE_L2_CACHE"] = "1"
    os.environ["OMP_NUM_THREADS"] = "1"
    peers = [libraries.Ours(arguments.toolkit)]
    for kind in (libraries.NumPy, libraries.Torch, libraries.CompiledTorch, libraries.OnnxRuntime, libraries.OpenVino):
        try:
            peers.append(kind())
        except ImportError as why:
            if kind is libraries.NumPy:
                sys.exit(f"NumPy is needed: {why}")
            print(f"{kind.name} is left out: {why}", file=sys.stderr)

    start, measured, told, count = time.monotonic(), [], set(), native.about["subjects"]
    # A collection would fall into somebody's turn.
    gc.disable()
    for index in range(count):
        about, held = native.read(), []
        print(f"\r\033[K{time.monotonic() - start:4.0f} s, {index + 1} of {count}: {about['item']}, {about['size']:,}",
              end="", file=sys.stderr, flush=True)
        bind(processors[:2] if about["kind"] == "threads" else processors[:1])
        runners = prepare(about, peers, held, told)
        about["samples"] = measure(native, runners, native.turn)
        measured.append(about)
        runners.clear()
        libraries.release(held)
        gc.collect()
        native.say("next")
    bind(processors[:1])
    measured += products(native, peers, told)
    print(f"\r\033[K{count} measured in {time.monotonic() - start:.0f} s", file=sys.stderr)
    native.process.stdin.close()
    native.process.wait()
    report = {
        **native.about,
        "machine": machine(),
        "python": platform.python_version(),
        "versions": {**{peer.name: peer.version for peer in peers}, **native.about["versions"]},
        "measured": measured,
    }
    pathlib.Path(arguments.out).write_text(json.dumps(report, ensure_ascii=False))


if __name__ == "__main__":
    main()
