#!/usr/bin/env python3
"""Writes a page about operators, and a chart beside it, from what `measure.py` measured.

usage: benches/operators/page.py PAGE MEASURED [REASONS]

PAGE ends in .md; the chart gets the same name with .svg. REASONS is `reasons.tsv`: why an item takes longer. Needs nothing but
Python.
"""

import datetime
import json
import pathlib
import statistics
import sys
from xml.sax.saxutils import escape

sys.path.append(str(pathlib.Path(__file__).parent.parent))
import chart
from report import table
from samples import OURS, mean

TORCH, LIMIT = "PyTorch", "limit"
PEERS = (TORCH, "NumPy", "ONNX Runtime", "OpenVINO")
# Of PyTorch's time: the geometric mean, and the most of an item; of the limit of memory, for items that move bytes alone.
MEAN, MOST, MOVED = 0.8, 1.2, 1.5
# What is gained by two threads where a pass over the bytes gains GAIN_OF_LIMIT.
GAIN, GAIN_OF_LIMIT = 1.6, 1.8
MOVEMENT = "movement"

HEAD = """\
# Performance of operators

Written by `cargo xtask bench --operators`, from one run of it. The operators run on the emulator, so the figures are those of a
processor and say nothing about an NPU.

- Each item is a call of the C interface with a repeated executor, its launch and the wait, beside the same work in PyTorch. All
  take turns in one process, on one processor, with one thread each, and with the allocator of C set to keep its memory.
- Results are compared with PyTorch's before they are measured, where they do not depend on random numbers.
- Three processes measure one after the other, since some items depend on where their memory lies.
- A time is the median of all turns. A ratio is the median of the ratios within each turn: the time of this project over that of
  the other, so that less than 1 is faster.
- **limit**: a copy, by PyTorch, of as many bytes as the inputs and outputs of the item have together.
- PyTorch has no fast products of f16 and bf16 on processors without AVX-512, so these ratios are small on such a machine. The
  mean of the items in f32 says more there.
"""


def ratio(entry, other):
    """The ratio of two, by the turns that both took; none if the other has no times."""
    if other not in entry["samples"]:
        return None
    return statistics.median(a / b for a, b in zip(entry["samples"][OURS], entry["samples"][other], strict=True))


def shown(number):
    return "" if number is None else f"{number:.2f}"


def verdict(is_met):
    return "met" if is_met else "**not met**"


def title(entry):
    return f"{entry['name']}, {entry['dtype']}"


def goals(report, reasons):
    items = report["items"]
    ratios = [ratio(entry, TORCH) for entry in items]
    single = [ratio(entry, TORCH) for entry in items if entry["dtype"] == "f32"]
    over = [entry for entry, value in zip(items, ratios) if value > MOST]
    unexplained = [entry for entry in over if entry["name"] not in reasons]
    moved = [entry for entry in items if entry["group"] == MOVEMENT]
    rows = [[f"geometric mean of the items: at most {MEAN} of PyTorch's time", shown(mean(ratios)), verdict(mean(ratios) <= MEAN)]]
    if single:
        rows.append(["the same of the items in f32", shown(mean(single)), verdict(mean(single) <= MEAN)])
    rows.append([f"each item: at most {MOST} of PyTorch's time, but for those with a reason below",
                 f"{len(items) - len(over)} of {len(items)}, {len(over) - len(unexplained)} with a reason", verdict(not unexplained)])
    if moved:
        slow = [entry for entry in moved if ratio(entry, LIMIT) > MOVED and ratio(entry, TORCH) > MOST]
        rows.append([f"movement: at most {MOVED} times the limit, or {MOST} of PyTorch's time", f"{len(moved) - len(slow)} of {len(moved)}",
                     verdict(not slow)])
    gains = [entry for entry in report["gains"] if entry["gain"][LIMIT] >= GAIN_OF_LIMIT]
    if gains:
        fast = [entry for entry in gains if entry["gain"][OURS] >= GAIN]
        rows.append([f"two threads: a gain of {GAIN} where a pass over the bytes gains {GAIN_OF_LIMIT}", f"{len(fast)} of {len(gains)}",
                     verdict(len(fast) == len(gains))])
    return table(["goal", "measured", ""], rows)


def groups(items):
    return {name: [entry for entry in items if entry["group"] == name] for name in dict.fromkeys(entry["group"] for entry in items)}


def means(items):
    rows = []
    for name, members in [*groups(items).items(), ("all", items)]:
        ratios = [ratio(entry, TORCH) for entry in members]
        rows.append([name, str(len(members)), shown(mean(ratios)), str(sum(value > MOST for value in ratios))])
    return table(["group", "items", "geometric mean of PyTorch's time", f"over {MOST}"], rows)


def members(entries):
    peers = [name for name in PEERS if any(name in entry["samples"] for entry in entries)]
    rows = []
    for entry in entries:
        time = statistics.median(entry["samples"][OURS])
        rows.append([entry["name"], entry["dtype"], f"`aclnn{entry['operator']}`", f"{time / 1e3:,.1f}", f"{ratio(entry, LIMIT):.1f}",
                     *[shown(ratio(entry, peer)) for peer in peers]])
    lines = table(["item", "type", "call", "µs", "× limit", *[f"× {peer}" for peer in peers]], rows)
    return [lines[0], "|---|---|---|" + "---:|" * (2 + len(peers)), *lines[2:]]


def slower(items, reasons):
    """Rows about the items over the goal, the slowest first."""
    over = sorted(((ratio(entry, TORCH), entry) for entry in items if ratio(entry, TORCH) > MOST), key=lambda pair: -pair[0])
    rows = [[title(entry), shown(value), f"{ratio(entry, LIMIT):.1f}", reasons.get(entry["name"], "")] for value, entry in over]
    lines = table(["item", "× PyTorch", "× limit", "reason"], rows)
    return [lines[0], "|---|---:|---:|---|", *lines[2:]] if rows else [f"No item takes more than {MOST} of PyTorch's time."]


def threads(gains):
    names = [name for name in (OURS, LIMIT, TORCH) if any(name in entry["gain"] for entry in gains)]
    return table(["item", *names], [[entry["item"], *[shown(entry["gain"].get(name)) for name in names]] for entry in gains])


def page(report, reasons, drawing):
    lines = [HEAD, f"![Times of operators as multiples of PyTorch's]({drawing})", "", "## Goals", "", *goals(report, reasons), ""]
    lines += ["## Groups", "", *means(report["items"]), "", "## Over the goal", "", *slower(report["items"], reasons), ""]
    if report["gains"]:
        lines += ["## Two threads", "", "How many times as fast as one thread.", "", *threads(report["gains"]), ""]
    for name, entries in groups(report["items"]).items():
        lines += [f"## {name[0].upper()}{name[1:]}", "", *members(entries), ""]
    wrong = [entry for entry in report["items"] if entry["differs"] is not None]
    if wrong:
        lines += ["## Other results than PyTorch's", "", *table(["item", "greatest difference"],
                                                               [[title(entry), f"{entry['differs']:.2g}"] for entry in wrong]), ""]
    facts = [["date", datetime.date.today().isoformat()], ["machine", report["machine"]], *map(list, report["versions"].items())]
    return "\n".join([*lines, "## The run", "", *table(["", ""], facts), ""])


def draw(report):
    """A row for each item and a dot for each of its types, as multiples of PyTorch's time."""
    rows = {}
    for entry in report["items"]:
        rows.setdefault((entry["group"], entry["name"]), []).append((entry["dtype"], ratio(entry, TORCH)))
    # Ratios far below 1 are drawn at the edge.
    least = 0.125
    axis = chart.Axis([max(value, least) for values in rows.values() for _, value in values])
    left, right, step = chart.LEFT, chart.RIGHT, 18
    lines, y, group = [], 84, None
    top = y
    for (name_of_group, name), values in rows.items():
        if name_of_group != group:
            group = name_of_group
            lines.append(f'<text class="head" x="16" y="{y + 22}">{escape(group)}</text>')
            y += 30
        middle = y + step / 2
        lines.append(f'<text class="end" x="{left - 12}" y="{y + 13}">{escape(name)}</text>')
        if len(values) > 1:
            ends = [axis.at(max(value, least)) for _, value in values]
            lines.append(f'<line class="span" x1="{min(ends):.1f}" y1="{middle}" x2="{max(ends):.1f}" y2="{middle}"/>')
        for dtype, value in reversed(values):
            kind = "ours" if dtype == values[0][0] else "peer"
            lines.append(f'<circle class="{kind}" cx="{axis.at(max(value, least)):.1f}" cy="{middle}" r="4.5">'
                         f'<title>{dtype}: {chart.times(value)}</title></circle>')
        lines.append(f'<text class="quiet" x="{right + 30}" y="{y + 13}">{escape("  ".join(f"{dtype} {chart.times(value)}" for dtype, value in values))}</text>')
        y += step
    grid = []
    for power in range(-3, axis.most + 1):
        x = axis.at(2 ** power)
        grid.append(f'<line class="{"limit" if power == 0 else "grid"}" x1="{x:.1f}" y1="{top}" x2="{x:.1f}" y2="{y}"/>')
        grid.append(f'<text class="quiet middle" x="{x:.1f}" y="{y + 16}">{2 ** power:g}×</text>')
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {chart.WIDTH} {y + 34}" width="{chart.WIDTH}" role="img" '
        'aria-labelledby="title description">',
        '<title id="title">Time of each operator as a multiple of PyTorch\'s</title>',
        '<desc id="description">The page beside this chart has the same figures in tables.</desc>',
        f"<style>{chart.STYLE}</style>",
        f'<rect class="page" width="{chart.WIDTH}" height="{y + 34}" rx="8"/>',
        '<text class="title" x="16" y="34">Operators on one thread</text>',
        '<text class="quiet" x="16" y="54">as a multiple of PyTorch\'s time on the same processor; further left is faster. '
        'Blue is the first type of an item.</text>',
        *grid, *lines, "</svg>", "",
    ])


def read_reasons(path):
    lines = pathlib.Path(path).read_text().splitlines()
    return dict(line.split("\t") for line in lines if line and not line.startswith("#"))


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    path, report = pathlib.Path(sys.argv[1]), json.loads(pathlib.Path(sys.argv[2]).read_text())
    reasons = read_reasons(sys.argv[3]) if len(sys.argv) == 4 else {}
    file = path.with_suffix(".svg")
    file.write_text(draw(report))
    path.write_text(page(report, reasons, file.name))


if __name__ == "__main__":
    main()
