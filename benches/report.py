#!/usr/bin/env python3
"""Writes a page of tables, and a chart beside it, from what was measured.

usage: benches/report.py MEASURED PAGE

MEASURED is the file of `benches/peers.py`, or that of `cargo bench --bench peers -- --json FILE`, which has this project
and the limit of memory alone. PAGE ends in .md; the chart gets the same name with .svg. Needs nothing but Python.
"""

import datetime
import json
import math
import pathlib
import sys
from xml.sax.saxutils import escape

OURS = "this project"

STYLE = """
    svg { color-scheme: light dark; font: 13px system-ui, "DejaVu Sans", sans-serif; }
    text { fill: #1f2328; }
    .note, .tick { fill: #59636e; }
    .tick, .value { font-size: 11px; }
    .name { text-anchor: end; }
    .tick { text-anchor: middle; }
    .head { font-weight: 600; font-size: 15px; }
    .grid { stroke: #d1d9e0; }
    .limit { stroke: #b3541e; stroke-width: 1.5; }
    .ours { fill: #3b6fb6; }
    .best { fill: #a8b3bf; }
    @media (prefers-color-scheme: dark) {
      text { fill: #e6edf3; }
      .note, .tick { fill: #9da7b3; }
      .grid { stroke: #3d444d; }
      .limit { stroke: #eb9a66; }
      .ours { fill: #79a8e6; }
      .best { fill: #656c76; }
    }
"""


def mean(ratios):
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def ours(item):
    """The time of this project in the run in which the others were measured."""
    return item.get("times", {}).get(OURS, item["time"])


def best(item):
    """The fastest other library and its time, if any has the item."""
    others = [(time, name) for name, time in item.get("times", {}).items() if name != OURS]
    return min(others, default=None)


def thousands(number):
    return f"{number:,}"


def table(items, names):
    """One row for each item, and the means."""
    head = ["item", "limit", OURS, "% of limit", *names]
    rows = ["| " + " | ".join(head) + " |", "|---" + "|---:" * (len(head) - 1) + "|"]
    for item in items:
        times = [item["times"].get(name) if "times" in item else None for name in names]
        fastest = min([ours(item), *(time for time in times if time)])
        figure = lambda time: "" if time is None else f"**{time:.3f}**" if time == fastest else f"{time:.3f}"
        cells = [item["item"], f"{item['limit']:.3f}", figure(ours(item)), f"{100 * item['limit'] / ours(item):.0f}"]
        rows.append("| " + " | ".join([*cells, *map(figure, times)]) + " |")
    ratios = [ours(item) / item["limit"] for item in items]
    means = ["× limit, geometric mean", "1", f"{mean(ratios):.2f}", f"{100 / mean(ratios):.0f}"]
    for name in names:
        ratios = [item["times"][name] / item["limit"] for item in items if item.get("times", {}).get(name)]
        means.append(f"{mean(ratios):.2f} ({len(ratios)})" if ratios else "")
    return rows + ["| " + " | ".join(means) + " |"]


def chart(items, size):
    """Bars of the times over the limit, on a logarithmic axis."""
    left, right, top, step = 200, 760, 74, 30
    ratios = [ours(item) / item["limit"] for item in items]
    ratios += [best(item)[0] / item["limit"] for item in items if best(item)]
    powers = range(math.floor(math.log2(min(min(ratios), 1))), math.ceil(math.log2(max(ratios))) + 1)
    at = lambda ratio: left + (math.log2(ratio) - powers[0]) / max(powers[-1] - powers[0], 1) * (right - left)
    bottom = top + step * len(items)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 920 {bottom + 34}" width="920" role="img" '
        'aria-labelledby="title description">',
        '  <title id="title">Time of each item as a multiple of the limit of memory</title>',
        '  <desc id="description">The page beside this chart has the same figures in tables.</desc>',
        f"  <style>{STYLE}  </style>",
        f'  <text class="head" x="12" y="24">Times the limit of memory, {thousands(size)} elements, one thread</text>',
        '  <rect class="ours" x="12" y="38" width="12" height="12"/><text x="30" y="49">this project</text>',
    ]
    if any(map(best, items)):
        lines.append('  <rect class="best" x="130" y="38" width="12" height="12"/>'
                     '<text x="148" y="49">the fastest other library, by name</text>')
    for power in powers:
        x = at(2.0 ** power)
        kind = "limit" if power == 0 else "grid"
        lines.append(f'  <line class="{kind}" x1="{x:.1f}" y1="{top - 8}" x2="{x:.1f}" y2="{bottom}"/>')
        lines.append(f'  <text class="tick" x="{x:.1f}" y="{bottom + 18}">{2.0 ** power:g}</text>')
    for row, item in enumerate(items):
        y = top + step * row
        lines.append(f'  <text class="name" x="{left - 10}" y="{y + 15}">{escape(item["item"])}</text>')
        bars = [("ours", ours(item), "", y)]
        if best(item):
            bars.append(("best", *best(item), y + 12))
        for kind, time, name, y in bars:
            ratio = time / item["limit"]
            note = escape(f"{ratio:.2f} {name}".rstrip())
            lines.append(f'  <rect class="{kind}" x="{left}" y="{y}" width="{max(at(ratio) - left, 1):.1f}" height="11"/>')
            lines.append(f'  <text class="value" x="{at(ratio) + 5:.1f}" y="{y + 10}">{note}</text>')
    return "\n".join([*lines, "</svg>", ""])


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    report = json.loads(pathlib.Path(sys.argv[1]).read_text())
    page = pathlib.Path(sys.argv[2])
    items, versions = report["items"], report.get("versions", {})
    names = [name for name in versions if name != OURS]
    sizes = list(dict.fromkeys(item["size"] for item in items))
    drawing = page.with_suffix(".svg")
    drawing.write_text(chart([item for item in items if item["size"] == sizes[-1]], sizes[-1]))

    lines = [
        "# Performance",
        "",
        "Measured by `cargo xtask bench`, which writes this page: nanoseconds per element of the result, medians, on one",
        "thread. The limit is a pass that reads and writes the bytes of the item and computes nothing, in a run before the",
        "others. This project is called through its C interface with an executor that is repeated; all libraries take turns in",
        "one process, and each figure contains the fixed cost of a call. The fastest is bold. A library without the item has no",
        "figure; behind its mean is the number of its items.",
        "",
        f"![Times the limit of memory]({drawing.name})",
        "",
        "| | |",
        "|---|---|",
        f"| date | {report.get('date', datetime.date.today().isoformat())} |",
    ]
    if "machine" in report:
        lines.append(f"| machine | {report['machine']} |")
    lines += [f"| {name} | {version} |" for name, version in versions.items()]
    for size in sizes:
        lines += ["", f"## {thousands(size)} elements", ""]
        lines += table([item for item in items if item["size"] == size], names)
    page.write_text("\n".join([*lines, ""]))


if __name__ == "__main__":
    main()
