#!/usr/bin/env python3
"""Writes a page about the errors of functions in f32, of this project and of PyTorch.

usage: benches/operators/accuracy.py [PAGE]

PAGE is docs/accuracy.md if none is named. Runs `cargo test` for the errors of this project. Needs PyTorch.
`EVERY_ARGUMENT=1` makes both go over every f32, which takes hours.
"""

import datetime
import math
import os
import pathlib
import re
import subprocess
import sys

import torch

ROOT = pathlib.Path(__file__).parent.parent.parent
TEST = "cargo test --release --locked -p cann-kernels --lib -- --nocapture functions::accuracy::".split()
# As in kernels/src/functions/accuracy.rs, where the error is explained.
STRIDE = 61
END = 2.0**128
ALL = 2**32
BLOCK = 2**15

# Twice the square root of 2/π.
SLOPE = 2 * math.sqrt(2 / math.pi)


def each(function):
    """The same function in both types."""
    return function, function


# The function in f32, and the exact one in f64. Formulas that lose digits in f64 are replaced by others.
FUNCTIONS = {
    "exp": each(torch.exp),
    "exp2": each(torch.exp2),
    "expm1": each(torch.expm1),
    "log": each(torch.log),
    "log2": each(torch.log2),
    "log10": each(torch.log10),
    "log1p": each(torch.log1p),
    "sqrt": each(torch.sqrt),
    "rsqrt": each(torch.rsqrt),
    "reciprocal": each(torch.reciprocal),
    "sin": each(torch.sin),
    "cos": each(torch.cos),
    "tan": each(torch.tan),
    "asin": each(torch.asin),
    "acos": each(torch.acos),
    "atan": each(torch.atan),
    "sinh": each(torch.sinh),
    "cosh": each(torch.cosh),
    "tanh": each(torch.tanh),
    "asinh": each(torch.asinh),
    "acosh": each(torch.acosh),
    "atanh": each(torch.atanh),
    "erf": each(torch.erf),
    "erfc": each(torch.erfc),
    "erfinv": each(torch.erfinv),
    "lgamma": each(torch.lgamma),
    "sigmoid": each(torch.sigmoid),
    "silu": (torch.nn.functional.silu, lambda x: x * torch.sigmoid(x)),
    "log_sigmoid": (
        torch.nn.functional.logsigmoid,
        lambda x: x.clamp(max=0) - torch.log1p(torch.exp(-x.abs())),
    ),
    "mish": (torch.nn.functional.mish, lambda x: x * torch.tanh(torch.log1p(torch.exp(x)))),
    "selu": each(torch.selu),
    "gelu": (
        lambda x: torch.nn.functional.gelu(x, approximate="tanh"),
        lambda x: x * torch.sigmoid(SLOPE * (x + 0.044715 * x * x * x)),
    ),
}

HEAD = """\
# Accuracy of functions

Written by `benches/operators/accuracy.py` on {date}, from one run with PyTorch {torch} on a processor with {level}.

The table has the largest error of each function of one element in f32, and an argument at which it occurs. The unit is the
distance between neighbouring f32 where the exact result lies (1 ulp): correctly rounded results are off by at most 0.5. The
exact result is that of the same function in f64: of the standard library of Rust for this project, of PyTorch for PyTorch.
Both were given the same {count} arguments: {arguments}.

- **rounded**: no result is off by more than 0.501.
- An infinite result counts as 2¹²⁸. **NaN**: one of the result and the exact result is NaN, the other is not.
- Errors above 10⁶ are results of 0 where the exact one is small and not 0.
- `gelu` is the approximation by tanh. Each project is compared with its own constants: those of this project are CANN's.
- PyTorch has no `fast_gelu`, x / (1 + exp(−1.702 x)).
- `digamma` is missing, since this project rounds it from the very function that would be the reference; so is `sinc`, whose
  steps are rounded one by one as CANN's are.

`cargo test -p cann-kernels functions::accuracy::` fails where an error of this project is beyond 1, or beyond 0.51 for functions
that are rounded from f64. Results do not depend on the instruction set of the processor; those of PyTorch may.

| function | this project | at | PyTorch | at |
|---|---:|---:|---:|---:|
"""


def every():
    return os.environ.get("EVERY_ARGUMENT") == "1"


def blocks():
    """The bit patterns of the arguments."""
    step = 1 if every() else STRIDE
    for start in range(0, ALL, BLOCK * step):
        yield torch.arange(start, min(start + BLOCK * step, ALL), step)
    if not every():
        codes = torch.arange(2**16) << 16
        yield torch.cat([codes - 1, codes, codes + 1]) % ALL


def errors(result, exact):
    """The errors in units of the last place."""
    is_number = ~result.isnan()
    differs = is_number != ~exact.isnan()
    exact = exact.clamp(-END, END)
    power = (exact.view(torch.int64) & (0x7FF << 52)).view(torch.float64)
    unit = power.clamp(2.0**-126, 2.0**127) * 2.0**-23
    distance = (result.double().clamp(-END, END) - exact).abs() / unit
    return torch.where(differs, math.inf, torch.where(is_number, distance, 0.0))


def measured():
    """For each function the largest error and its argument, and how many arguments there were."""
    # Blocks are too small for more threads.
    torch.set_num_threads(1)
    largest, count = {name: (0.0, math.nan) for name in FUNCTIONS}, 0
    for bits in blocks():
        x = bits.to(torch.uint32).view(torch.float32)
        wide = x.double()
        count += len(x)
        for name, (function, exact) in FUNCTIONS.items():
            of_block = errors(function(x), exact(wide))
            place = int(of_block.argmax())
            if of_block[place] > largest[name][0]:
                largest[name] = float(of_block[place]), float(x[place])
    return largest, count


def of_this_project():
    """The same, as the test prints it."""
    output = subprocess.run(TEST, cwd=ROOT, check=True, text=True, stdout=subprocess.PIPE).stdout
    lines = re.findall(r"^accuracy of (\w+): (\S+) at (\S+), largest of (\d+)$", output, re.MULTILINE)
    counts = {int(line[3]) for line in lines}
    if len(counts) != 1:
        sys.exit("the test printed no errors, or goes over several numbers of arguments")
    return {name: (float(most), float(at)) for name, most, at, _ in lines}, counts.pop()


def shown(error, at):
    if error <= 0.501:
        return ["rounded", ""]
    figure = "NaN" if math.isinf(error) else f"{error:.2f}" if error < 1000 else f"{error:.1e}"
    return [figure, f"{at:.9g}"]


def main():
    page = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs/accuracy.md"
    ours, count = of_this_project()
    theirs, count_of_theirs = measured()
    if count != count_of_theirs:
        sys.exit(f"the test goes over {count} arguments and this script over {count_of_theirs}: STRIDE differs")
    order = [*FUNCTIONS, *(name for name in ours if name not in FUNCTIONS)]
    rows = [
        [f"`{name}`", *shown(*ours[name]), *(shown(*theirs[name]) if name in theirs else ["", ""])] for name in order
    ]
    head = HEAD.format(
        date=datetime.date.today(),
        torch=torch.__version__,
        level=torch.backends.cpu.get_cpu_capability(),
        count=f"{count:,}",
        arguments="all" if every() else f"every {STRIDE}st bit pattern, and each bf16 with its two neighbours",
    )
    page.write_text(head + "".join("| " + " | ".join(row) + " |\n" for row in rows), encoding="utf-8")


if __name__ == "__main__":
    main()
