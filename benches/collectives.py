#!/usr/bin/env python3
"""Measures collectives of this project in turn with OpenMPI, and with Gloo of PyTorch.

usage: benches/collectives.py --toolkit DIR --out FILE [--quick]

Each library has its own processes on this host, which `all_reduce` the same numbers; those of a library sleep while the
others take their turns. This project is the toolkit of `cargo xtask toolkit`, called through C. OpenMPI is measured where
`mpirun` is installed, and Gloo where PyTorch is. Results are compared before they are measured. A sample is the time of a
call on the slowest rank, in microseconds. FILE gets those of all turns.
"""

import argparse
import array
import atexit
import ctypes
import ctypes.util
import importlib.metadata
import importlib.util
import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time

# The ranks, whether they are threads of one process, and for each number of bytes the calls of one sample.
SUBJECTS = ((4, False, {4: 200, 64 << 10: 100, 1 << 20: 20, 64 << 20: 1}), (2, False, {4: 500}), (2, True, {4: 500}))


def call(function, *arguments):
    code = function(*arguments)
    if code:
        raise RuntimeError(f"{function.__name__} returned {code}")


def in_c(numbers):
    """The numbers as an argument, which keeps them."""
    return (ctypes.c_float * len(numbers)).from_buffer(numbers)


class Ours:
    """This project: sums of device memory, and a wait for the stream after each."""

    name = "this project"

    def __init__(self, rank, ranks, share, toolkit):
        load = lambda name: ctypes.CDLL(str(pathlib.Path(toolkit) / "lib64" / name), mode=ctypes.RTLD_GLOBAL)
        self.runtime, self.hccl = load("libascendcl.so"), load("libhccl.so")
        self.runtime.aclInit(None)
        call(self.runtime.aclrtSetDevice, rank)
        self.stream, self.comm, root = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.create_string_buffer(4108)
        call(self.runtime.aclrtCreateStream, ctypes.byref(self.stream))
        if rank == 0:
            call(self.hccl.HcclGetRootInfo, root)
        root = ctypes.create_string_buffer(bytes.fromhex(share(root.raw.hex())), 4108)
        call(self.hccl.HcclCommInitRootInfo, ranks, root, rank, ctypes.byref(self.comm))

    def prepare(self, numbers):
        size, host, held = ctypes.c_size_t(numbers.itemsize * len(numbers)), in_c(numbers), []
        for _ in range(2):
            held.append(ctypes.c_void_p())
            call(self.runtime.aclrtMalloc, ctypes.byref(held[-1]), size, 0)
        send, receive = held
        call(self.runtime.aclrtMemcpy, send, size, host, size, 1)
        arguments = (send, receive, ctypes.c_uint64(len(numbers)), 4, 0, self.comm, self.stream)

        def run():
            call(self.hccl.HcclAllReduce, *arguments)
            call(self.runtime.aclrtSynchronizeStream, self.stream)

        def result():
            call(self.runtime.aclrtMemcpy, host, size, receive, size, 2)
            return numbers
        return run, result


class OpenMpi:
    """OpenMPI, in processes that mpirun starts."""

    name = "OpenMPI"

    def __init__(self, *_):
        self.library = ctypes.CDLL(ctypes.util.find_library("mpi"), mode=ctypes.RTLD_GLOBAL)
        call(self.library.MPI_Init, None, None)
        # Without it mpirun reports a failure.
        atexit.register(self.library.MPI_Finalize)

    def prepare(self, numbers):
        received = array.array("f", bytes(numbers.itemsize * len(numbers)))
        handle = lambda name: ctypes.byref(ctypes.c_char.in_dll(self.library, name))
        arguments = (in_c(numbers), in_c(received), len(numbers), handle("ompi_mpi_float"), handle("ompi_mpi_op_sum"),
                     handle("ompi_mpi_comm_world"))
        return lambda: call(self.library.MPI_Allreduce, *arguments), lambda: received


class Gloo:
    """PyTorch's distributed package on processors, which works in place."""

    name = "Gloo"

    def __init__(self, rank, ranks, share, store):
        import torch.distributed
        self.torch = torch
        torch.set_num_threads(1)
        torch.distributed.init_process_group("gloo", f"file://{store}", rank=rank, world_size=ranks)

    def prepare(self, numbers):
        tensor = self.torch.frombuffer(numbers, dtype=self.torch.float32)
        return lambda: self.torch.distributed.all_reduce(tensor), lambda: numbers


def serve(kind, address, about, rank, ranks):
    """A rank: takes its turns until the other side hangs up."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(address)
        stream = connection.makefile("rw")

        def say(word):
            print(json.dumps(word), file=stream, flush=True)

        def share(word):
            say(word)
            return json.loads(stream.readline())

        say(rank)
        library, prepared = kind(rank, ranks, share, about), {}
        for line in stream:
            size, times = json.loads(line)
            if size not in prepared:
                run, result = library.prepare(array.array("f", [rank + 1]) * (size // 4))
                run()
                # Gloo adds to the result from now on, whose numbers no longer matter.
                if result().tobytes() != (array.array("f", [ranks * (ranks + 1) / 2]) * (size // 4)).tobytes():
                    sys.exit(f"{kind.name} computes other numbers")
                prepared[size] = run
            run = prepared[size]
            # Once before the clock starts: all ranks are awake then, and the caches are as this library leaves them.
            run()
            start = time.perf_counter()
            for _ in range(times):
                run()
            say((time.perf_counter() - start) / times * 1e6)


class Group:
    """The ranks of a library."""

    def __init__(self, kind, toolkit, ranks, are_threads, directory):
        self.name, address = kind.name, f"{directory}/{kind.__name__}"
        server = socket.socket(socket.AF_UNIX)
        server.bind(address)
        server.listen(ranks)
        server.settimeout(60)
        about = toolkit if kind is Ours else f"{address}.store"
        command = [sys.executable, __file__, "--serve", kind.__name__, address, about, str(ranks)]
        if kind is OpenMpi:
            commands = [["mpirun", "--oversubscribe", "-n", str(ranks), *command]]
        elif are_threads:
            commands = [[*command, "threads"]]
        else:
            commands = [[*command, str(rank)] for rank in range(ranks)]
        self.processes = [subprocess.Popen(command, stdin=subprocess.DEVNULL) for command in commands]
        self.streams = [server.accept()[0].makefile("rw") for _ in range(ranks)]
        self.streams = dict(sorted((self.hear(stream), stream) for stream in self.streams)).values()
        if kind is Ours:
            self.say([self.hear(stream) for stream in self.streams][0])

    def hear(self, stream):
        line = stream.readline()
        if not line:
            sys.exit(f"{self.name} ended")
        return json.loads(line)

    def say(self, word):
        for stream in self.streams:
            print(json.dumps(word), file=stream, flush=True)

    def turn(self, size, times):
        """Returns the microseconds of a call on the slowest rank."""
        self.say([size, times])
        return max([self.hear(stream) for stream in self.streams])

    def close(self):
        for stream in self.streams:
            stream.close()
        for process in self.processes:
            process.wait()


def peers():
    """The other libraries that are installed, and their versions."""
    versions = {}
    if shutil.which("mpirun") and ctypes.util.find_library("mpi"):
        told = subprocess.run(["mpirun", "--version"], capture_output=True, text=True).stdout
        versions[OpenMpi] = told.split("\n")[0].split()[-1]
    if importlib.util.find_spec("torch"):
        versions[Gloo] = f"that of PyTorch {importlib.metadata.version('torch')}"
    for kind in {OpenMpi, Gloo} - set(versions):
        print(f"{kind.name} is left out: it is not installed", file=sys.stderr)
    return versions


def main():
    arguments = argparse.ArgumentParser(usage=__doc__)
    arguments.add_argument("--toolkit", required=True)
    arguments.add_argument("--out", required=True)
    arguments.add_argument("--quick", action="store_true")
    arguments = arguments.parse_args()
    os.environ |= {"CANN_STUBS_DEVICES": str(max(ranks for ranks, *_ in SUBJECTS)), "OMP_NUM_THREADS": "1"}
    # As root, which is what containers run as, mpirun starts nothing without both.
    os.environ |= {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}

    versions, measured = peers(), []
    for ranks, are_threads, sizes in SUBJECTS:
        what = f"{ranks} {'threads' if are_threads else 'processes'}"
        with tempfile.TemporaryDirectory() as directory:
            kinds = [Ours] if are_threads else [Ours, *versions]
            groups = [Group(kind, arguments.toolkit, ranks, are_threads, directory) for kind in kinds]
            for size, times in sizes.items():
                print(f"all_reduce of {size:,} bytes by {what}", file=sys.stderr)
                turns = [[group.turn(size, times) for group in groups] for _ in range(3 if arguments.quick else 15)]
                samples = {group.name: list(times) for group, times in zip(groups, zip(*turns))}
                measured.append({"kind": "all_reduce", "item": what, "size": size, "samples": samples})
            for group in groups:
                group.close()
    report = {"versions": {kind.name: version for kind, version in versions.items()}, "measured": measured}
    pathlib.Path(arguments.out).write_text(json.dumps(report))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--serve"]:
        kind, address, about, ranks, *rank = sys.argv[2:]
        kind, ranks = globals()[kind], int(ranks)
        rank = int(os.environ["OMPI_COMM_WORLD_RANK"]) if kind is OpenMpi else rank[0]
        if rank == "threads":
            for rank in range(ranks):
                threading.Thread(target=serve, args=(kind, address, about, rank, ranks)).start()
        else:
            serve(kind, address, about, int(rank), ranks)
    else:
        main()
