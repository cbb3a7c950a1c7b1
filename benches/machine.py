"""The machine that a bench runs on."""

import os
import pathlib
import platform


def machine():
    """Returns the model of the processor, the number of processors and the operating system."""
    try:
        lines = pathlib.Path("/proc/cpuinfo").read_text().splitlines()
        model = next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        model = platform.processor() or platform.machine()
    return f"{model}, {os.cpu_count()} processors, {platform.system()} {platform.release()}"
