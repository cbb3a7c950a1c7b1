#!/usr/bin/env python3
"""Writes a page of tables and goals, and a chart beside it, from what was measured.

usage: benches/report.py PAGE MEASURED...

MEASURED are files of JSON whose entries are put together: that of `benches/peers.py`, or that of
`cargo run --release -p aclnn-peers -- --json FILE`, which has no Python library; that of `benches/collectives.py`; and one of
`cargo xtask bench` about the build. PAGE ends in .md; the chart gets the same name with .svg. Needs nothing but Python.
"""

import datetime
import json
import math
import pathlib
import sys

import chart
import goals
from samples import OURS, Subjects, mean

HEAD = """\
# Performance

Written by `cargo xtask bench`, from one run of it. The operators run on the emulator, on one thread unless a row says two,
in a build without `target-cpu`.

- **limit**: a pass over the same number of bytes, in huge pages, that computes nothing: the faster one of ordinary and
  streaming stores. A strided item reads all lines that hold its elements, a broadcast one its few elements.
- **this project**: the two-phase C interface with a repeated executor, called from Rust; a figure has the launch and the
  wait in it.
- **by hand**: one simple loop for the item in Rust, with AVX2 and F16C and nothing else, in huge pages too.
- **candle, ndarray**: in the same process as the columns before. candle converts operands before it computes.
- **gain of a pass over the bytes**: that of two threads, each of which moves half of the bytes on a processor of its own:
  what the machine has to give.
- **from Python**: this project through `ctypes`, in one process with the Python libraries beside it.
- **OpenMPI, Gloo**: each of the three has its own ranks, which take turns; all are called from Python, and this project
  waits for the stream after each call. A figure is the time of a call on the slowest rank.

The two processes take turns on one processor, turn by turn, so all columns were measured at the same time. Every figure is
a median. A ratio is the median of the ratios within each turn, to the figure of this project in the same process. Results
are compared before they are measured. PyTorch compiles each item once, for all sizes. A library without the item has no
figure; behind its mean is the number of its items.
"""


def figure(time):
    return "" if time is None else f"{time:.3f}"


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|---" + "|---:" * (len(head) - 1) + "|"]
    return lines + ["| " + " | ".join(row) + " |" for row in rows]


def items_of_size(subjects, names):
    """One row for each item, and the means."""
    names = [name for name in names if any(name in subject.samples for subject in subjects)]
    rows = []
    for subject in subjects:
        times = {name: subject.time(name) for name in (OURS, *names)}
        fastest = min(time for time in times.values() if time)
        bold = lambda time: f"**{figure(time)}**" if time == fastest else figure(time)
        percent = f"{100 / subject.over_limit():.0f}"
        rows.append([subject.name, figure(subject.limit()), bold(times[OURS]), percent,
                     *(bold(times[name]) for name in names)])
    ratio = mean([subject.over_limit() for subject in subjects])
    means = ["× limit, geometric mean", "1", f"{ratio:.2f}", f"{100 / ratio:.0f}"]
    for name in names:
        having = [subject.over_limit(name) for subject in subjects if name in subject.samples]
        means.append(f"{mean(having):.2f} ({len(having)})")
    short = [name.replace(f"{OURS}, ", "") for name in names]
    return table(["item", "limit", OURS, "% of limit", *short], [*rows, means])


def calls(subjects):
    """The nanoseconds of each way to call."""
    rows = []
    for subject in subjects.of("one element", "loop", "safe and raw", "checks", "live tensors", "streams"):
        for name in subject.samples:
            what = {"live tensors": f"{name} live tensors", "streams": f"{name} streams in turn",
                    "checks": f"checks {name}"}.get(subject.kind, name)
            rows.append([f"{subject.name}, {subject.elements()}", what, f"{subject.time(name):,.0f}"])
    return table(["call", "by", "ns"], rows)


def fresh_memory(subjects):
    rows = []
    for subject in subjects.of("fresh memory"):
        rows = [[name, f"{subject.time(name) * subject.size / 1e6:.2f}", f"{subject.ratio(name, OURS):.2f}"]
                for name in subject.samples]
    return table(["allocate, add and free 64 MiB", "ms", "× this project"], rows)


def growth(subjects):
    rows = []
    for subject in subjects.of("growth"):
        for elements in subject.counts():
            rows.append([f"{subject.name}, {int(elements):,}", figure(subject.time(elements)),
                         figure(subject.time(f"limit {elements}"))])
    return table(["item, elements", OURS, "limit, streaming"], rows)


def threads(subjects):
    rows = []
    for subject in subjects.of("threads"):
        times = [f"{subject.time(name):.3f}" for name in ("one thread", "two threads")]
        others = [name.removesuffix(", one thread") for name in subject.samples
                  if name.endswith(", one thread") and name != "limit, one thread"]
        if "limit, one thread" in subject.samples:
            others.insert(0, "limit")
        gain = [f"{subject.ratio(f'{name}, one thread', f'{name}, two threads'):.2f}" for name in others]
        rows.append([f"{subject.name}, {subject.size:,}", *times, f"{subject.ratio('one thread', 'two threads'):.2f}",
                     *gain])
    head = ["item, elements", "one thread", "two threads", "gain", "gain of a pass over the bytes", "gain of PyTorch"]
    return table(head[:max(map(len, rows), default=4)], rows)


def products(subjects):
    """The operations of each library: a multiplication and a sum for each element of a row, a column and the result."""
    rows, all = [], subjects.of("product")
    names = list(dict.fromkeys(name for subject in all for name in subject.samples))
    for subject in all:
        # A time is that of an element of the result.
        rate = lambda name: f"{2 * subject.size / subject.time(name):.1f}" if name in subject.samples else ""
        rows.append([f"{subject.name}, {subject.size}³", *map(rate, names)])
    return table(["product", *names], rows)


def collectives(subjects):
    """The microseconds of each library, and the ratios to this project."""
    rows, all = [], subjects.of("all_reduce")
    names = list(dict.fromkeys(name for subject in all for name in subject.samples))
    for subject in all:
        having = lambda name, value: value(name) if name in subject.samples else ""
        rows.append([f"{subject.name}, {subject.size:,}",
                     *(having(name, lambda name: f"{subject.time(name):,.1f}") for name in names),
                     *(having(name, lambda name: f"{subject.ratio(name, OURS):.2f}") for name in names if name != OURS)])
    return table(["ranks, bytes", *names, *(f"{name}, × {OURS}" for name in names if name != OURS)], rows)


def facts(report):
    """Rows about the run, and the build."""
    rows = [["date", report.get("date", datetime.date.today().isoformat())]]
    rows += [[name, report[name]] for name in ("machine", "rustc", "python") if name in report]
    rows += [[name, version] for name, version in report.get("versions", {}).items()]
    if "build" in report:
        build = report["build"]
        if build["seconds"]:
            rows.append(["release build of `aclnn` from nothing", f"{build['seconds']:.0f} s"])
        libraries = sorted(build["libraries"].items(), key=lambda library: -library[1])
        rows += [[f"`{name}`", f"{size / 1e6:.2f} MB"] for name, size in libraries[:3]]
        if libraries[3:]:
            rest = sum(size for _, size in libraries[3:]) / 1e6
            rows.append([f"the other {len(libraries) - 3} drop-in libraries", f"{rest:.2f} MB"])
    return rows


def page(report, drawing):
    subjects = Subjects(report["measured"])
    items = subjects.of("item")
    sizes = list(dict.fromkeys(subject.size for subject in items))
    names = [name for name in ("by hand", "candle", "ndarray", f"{OURS}, from Python", *report.get("versions", {}))
             if name != OURS]
    names = list(dict.fromkeys(names))
    lines = [HEAD, f"![Times the limit of memory]({drawing})", "", "## Goals", ""]
    lines += ["What this run reached. A goal whose peers were not there, or whose size was not measured, is left open.", ""]
    lines += table(["goal", "measured", ""], goals.rows(subjects))
    for size in sizes:
        lines += ["", f"## {size:,} elements", "", "Nanoseconds for an element of the result; the fastest is bold.", ""]
        lines += items_of_size([subject for subject in items if subject.size == size], names)
    for title, rows in (("Calls", calls), ("Fresh memory", fresh_memory), ("Many elements", growth),
                        ("Two threads", threads), ("10⁹ operations a second in products of matrices", products),
                        ("Microseconds of `all_reduce`, sums of f32", collectives)):
        rows = rows(subjects)
        if len(rows) > 2:
            lines += ["", f"## {title}", "", *rows]
    lines += ["", "## The run", "", *table(["", ""], facts(report))]
    return "\n".join([*lines, ""])


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    path, report = pathlib.Path(sys.argv[1]), {}
    for file in sys.argv[2:]:
        for name, entry in json.loads(pathlib.Path(file).read_text()).items():
            # Lists and versions of several files are put together.
            known = report.get(name)
            report[name] = known + entry if isinstance(known, list) else {**known, **entry} if known else entry
    drawing = path.with_suffix(".svg")
    items = Subjects(report["measured"]).of("item")
    if items:
        drawing.write_text(chart.draw([item for item in items if item.size == items[-1].size]))
    path.write_text(page(report, drawing.name))


if __name__ == "__main__":
    main()
