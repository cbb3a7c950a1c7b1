#!/usr/bin/env python3
"""Writes a page about ONNX models, and a chart beside it, from what `measure.py` measured.

usage: benches/models/page.py PAGE MEASURED

PAGE ends in .md; the chart gets the same name with .svg. Needs nothing but Python.
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
from samples import mean

OURS, RUNTIME, TRACT, DIRECT = "aclnn-onnx", "ONNX Runtime", "tract", "the safe layer"
# Geometric means of ratios, and nanoseconds of a node above its calls.
MOST_RUNTIME, MOST_TRACT, MOST_NODE = 1.5, 1.0, 1000
SLOWEST = 10
# The most letters of a reason.
LONGEST = 160

HEAD = """\
# Performance of ONNX models

Written by `cargo xtask bench --onnx`, from one run of it. `aclnn-onnx` runs each model on the emulator, so the figures are
those of a processor and say nothing about an NPU. Beside it are the CPU provider of ONNX Runtime and the crate `tract-onnx`.

- The models are those of the folder `light` of the package onnx, models that other packages ship, and models that PyTorch
  exported. Inputs are those of their first data set, and all outputs are compared with the expected ones before a model is
  measured.
- Each engine is a process of its own. They take turns on one processor with one thread each. Inputs and outputs are tensors of
  the engine, and are not converted.
- A time is the median of all turns. A ratio is the median of the ratios within each turn: the time of `aclnn-onnx` over that of
  the other, so that less than 1 is faster.
- **launches** and **waits** are those of a run; **session** is the time to read the model and to make the session, in which
  weights are copied, constants are folded and patterns are replaced.
"""


def ratio(entry, other, ours=OURS):
    """The ratio of two, by the turns that both took; none if one of them has no times."""
    if other not in entry["samples"] or ours not in entry["samples"]:
        return None
    pairs = zip(entry["samples"][ours], entry["samples"][other], strict=True)
    return statistics.median(a / b for a, b in pairs)


def ratios(models, other):
    return [found for found in (ratio(entry, other) for entry in models) if found is not None]


def shown(number, form=".2f"):
    return "" if number is None else f"{number:{form}}"


def time_of(entry, name=OURS):
    return statistics.median(entry["samples"][name])


def goals(report):
    rows = []
    for text, other, most in ((f"at most {MOST_RUNTIME} times that of {RUNTIME}", RUNTIME, MOST_RUNTIME),
                              (f"below that of {TRACT}", TRACT, MOST_TRACT)):
        found = ratios(report["models"], other)
        is_met = found and (mean(found) <= most if most > 1 else mean(found) < most)
        rows.append([f"geometric mean of the times: {text}", shown(mean(found) if found else None), verdict(found, is_met)])
    above = above_direct(report["chain"])
    rows.append([f"a node of the session: at most {MOST_NODE:,} ns above the call of its operator", shown(above, ",.0f"),
                 verdict(above is not None, above is not None and above <= MOST_NODE)])
    return table(["goal", "measured", ""], rows)


def verdict(is_measured, is_met):
    return "open" if not is_measured else "met" if is_met else "**not met**"


def above_direct(chain):
    """The nanoseconds that a session adds to a node."""
    if DIRECT not in chain["samples"]:
        return None
    pairs = zip(chain["samples"][OURS], chain["samples"][DIRECT], strict=True)
    return statistics.median(a - b for a, b in pairs) / chain["nodes_of_chain"]


def models(report):
    rows = []
    for entry in report["models"]:
        if OURS in entry["samples"]:
            rows.append([f"`{entry['model']}`", f"{time_of(entry) / 1e6:,.3f}", shown(ratio(entry, RUNTIME)),
                         shown(ratio(entry, TRACT)), str(entry["launches"]), str(entry["waits"]),
                         f"{entry['session_ms']:,.1f}"])
    means = [(found, len(report["models"])) for found in (ratios(report["models"], name) for name in (RUNTIME, TRACT))]
    # Behind the mean is the number of its models, where it is not of all.
    texts = [f"{mean(found):.2f}" + (f" ({len(found)})" if len(found) < count else "") if found else "" for found, count in means]
    head = ["model", "ms", f"× {RUNTIME}", f"× {TRACT}", "launches", "waits", "session, ms"]
    return table(head, [*rows, ["geometric mean", "", *texts, "", "", ""]])


def refused(report):
    """Rows about the models that an engine does not run."""
    rows = []
    for entry in report["models"]:
        for name, reason in entry["refused"].items():
            reason = reason if len(reason) <= LONGEST else f"{reason[:LONGEST]}…"
            rows.append([f"`{entry['model']}`", name, reason.replace("|", "\\|").replace("<", "&lt;").replace("`", "'")])
    lines = table(["model", "engine", "reason"], rows)
    return [lines[0], "|---|---|---|", *lines[2:]] if rows else ["Every engine runs every model."]


def operators(report):
    """The operators that take the most time over all models."""
    sums, places, shares = {}, {}, {}
    having = [entry for entry in report["models"] if OURS in entry["samples"]]
    for entry in having:
        whole = sum(time for time, _, _ in entry["operators"].values()) or 1
        for name, (time, nodes, launches) in entry["operators"].items():
            known = sums.get(name, (0, 0, 0))
            sums[name] = tuple(map(sum, zip(known, (time, nodes, launches), strict=True)))
            places.setdefault(name, []).append((time, entry["model"]))
            shares[name] = shares.get(name, 0) + time / whole / len(having)
    rows, all_time = [], sum(time for time, _, _ in sums.values()) or 1
    for name, (time, nodes, launches) in sorted(sums.items(), key=lambda item: -item[1][0])[:SLOWEST]:
        rows.append([f"`{name}`", f"{time / 1e6:,.2f}", f"{100 * time / all_time:.1f}", f"{100 * shares[name]:.1f}", str(nodes),
                     str(launches), f"`{max(places[name])[1]}`"])
    return table(["operator", "ms", "% of all", "% of a model, mean", "nodes", "launches", "most in"], rows)


def nodes(chain):
    rows = [[name, f"{time_of(chain, name) / chain['nodes_of_chain']:,.0f}"] for name in chain["samples"]]
    return table(["by", "ns a node"], rows)


def page(report, drawing):
    slow = [entry["model"] for entry in report["models"] if (ratio(entry, RUNTIME) or 0) > MOST_RUNTIME]
    lines = [HEAD]
    if drawing:
        lines += [f"![Times of models as multiples of ONNX Runtime]({drawing})", ""]
    lines += ["## Goals", "", *goals(report), ""]
    lines += ["## Models", "", *models(report), ""]
    if slow:
        lines += [f"More than {MOST_RUNTIME} times as long as {RUNTIME}: {len(slow)} of {len(report['models'])} models. The "
                  "operators of the emulator are not tuned for these yet; the next table says which ones take the time.", ""]
    lines += ["## The slowest operators", "",
              "The time of all nodes of an operator, each measured alone with a wait behind it, over all models. "
              "The mean of its share in a model counts small models as much as large ones.", "", *operators(report), ""]
    lines += ["## A node", "",
              f"A chain of {report['chain']['nodes_of_chain']:,} nodes (Relu, Add, Mul and Sigmoid of 16 elements), and the same "
              "calls made directly with the safe layer of this project.", "", *nodes(report["chain"]), ""]
    lines += ["## Models that an engine does not run", "", *refused(report), ""]
    facts = [["date", datetime.date.today().isoformat()], ["machine", report["machine"]]]
    facts += [[name, version] for name, version in report["versions"].items()]
    return "\n".join([*lines, "## The run", "", *table(["", ""], facts), ""])


def draw(report):
    """A row for each model: this project and tract, as multiples of ONNX Runtime's time."""
    rows = [(entry["model"], ratio(entry, RUNTIME), ratio(entry, RUNTIME, ours=TRACT)) for entry in report["models"]]
    rows = [row for row in rows if row[1] is not None]
    if not rows:
        return None
    axis = chart.Axis([number for row in rows for number in row[1:] if number is not None])
    top, left, right, step = 98, chart.LEFT, chart.RIGHT, chart.STEP
    bottom = top + step * len(rows)
    lines = [f'<rect class="band" x="12" y="{top + step * row}" width="{chart.WIDTH - 24}" height="{step}" rx="3"/>'
             for row in range(0, len(rows), 2)]
    lines += [line.replace(">limit<", ">1×<") for line in axis.lines(top - 4, bottom)]
    for row, (name, ours, tract) in enumerate(rows):
        y = top + step * row
        lines.append(f'<text class="end" x="{left - 12}" y="{y + 15}">{escape(name)}</text>')
        lines.append(chart.bar(axis, y + 5, ours, "ours"))
        if tract is not None:
            lines.append(f'<circle class="best" cx="{axis.at(tract):.1f}" cy="{y + step / 2}" r="5"/>')
        lines.append(f'<text class="end strong" x="{right + 64}" y="{y + 15}">{chart.times(ours)}</text>')
        lines.append(f'<text class="end" x="{right + 136}" y="{y + 15}">{chart.times(tract) if tract else ""}</text>')
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {chart.WIDTH} {bottom + 34}" width="{chart.WIDTH}" role="img" '
        'aria-labelledby="title description">',
        '<title id="title">Time of each model as a multiple of that with ONNX Runtime</title>',
        '<desc id="description">The page beside this chart has the same figures in tables.</desc>',
        f"<style>{chart.STYLE}</style>",
        f'<rect class="page" width="{chart.WIDTH}" height="{bottom + 34}" rx="8"/>',
        '<text class="title" x="16" y="34">ONNX models on one thread</text>',
        '<text class="quiet" x="16" y="54">as a multiple of the time with ONNX Runtime; shorter is better</text>',
        f'<rect class="ours" x="{left}" y="68" width="12" height="12" rx="2"/><text x="{left + 18}" y="78">{OURS}</text>',
        f'<circle class="best" cx="{left + 126}" cy="74" r="5"/><text x="{left + 136}" y="78">{TRACT}</text>',
        *lines, "</svg>", "",
    ])


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    path, report = pathlib.Path(sys.argv[1]), json.loads(pathlib.Path(sys.argv[2]).read_text())
    drawing, file = draw(report), path.with_suffix(".svg")
    if drawing:
        file.write_text(drawing)
    path.write_text(page(report, file.name if drawing else None))


if __name__ == "__main__":
    main()
