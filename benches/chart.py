"""Draws how far each item is from the limit of memory, for this project and for the others."""

import math
from xml.sax.saxutils import escape

from samples import OURS, mean

STYLE = """
    svg { color-scheme: light dark; font: 12.5px system-ui, "DejaVu Sans", sans-serif; }
    .page { fill: #ffffff; }
    text { fill: #1f2328; }
    .quiet { fill: #6a737d; font-size: 11px; }
    .end { text-anchor: end; }
    .middle { text-anchor: middle; }
    .title { font-weight: 650; font-size: 19px; }
    .head { font-weight: 600; font-size: 13px; }
    .strong { font-weight: 600; }
    .band { fill: #f3f6fa; }
    .grid { stroke: #dfe4ea; }
    .limit { stroke: #c2571a; stroke-width: 1.5; }
    .ours { fill: #2f6fce; }
    .bar { fill: #c3ccd6; }
    .span { stroke: #c3ccd6; stroke-width: 1.5; }
    .peer { fill: #c3ccd6; }
    .best { fill: #55606d; }
    circle { stroke: #ffffff; }
    @media (prefers-color-scheme: dark) {
      .page { fill: #0d1117; }
      text { fill: #e6edf3; }
      .quiet { fill: #919ca8; }
      .band { fill: #151b23; }
      .grid { stroke: #2b323b; }
      .limit { stroke: #f0955a; }
      .ours { fill: #6ea8ff; }
      .bar { fill: #3b4653; }
      .span { stroke: #3b4653; }
      .peer { fill: #4a5664; }
      .best { fill: #c3ced9; }
      circle { stroke: #0d1117; }
    }
"""
WIDTH, LEFT, RIGHT, STEP = 940, 214, 664, 22


class Axis:
    """A logarithmic axis of multiples of the limit."""

    def __init__(self, ratios):
        self.least = min(-0.25, math.log2(min(ratios)))
        self.most = max(math.ceil(math.log2(max(ratios))), 1)

    def at(self, ratio):
        return LEFT + (math.log2(ratio) - self.least) / (self.most - self.least) * (RIGHT - LEFT)

    def lines(self, top, bottom):
        for power in range(0, self.most + 1, 1 + self.most // 8):
            x = self.at(2 ** power)
            kind, name = ("limit", "limit") if power == 0 else ("grid", f"{2 ** power}×")
            yield f'<line class="{kind}" x1="{x:.1f}" y1="{top}" x2="{x:.1f}" y2="{bottom}"/>'
            yield f'<text class="quiet middle" x="{x:.1f}" y="{bottom + 16}">{name}</text>'


def times(ratio):
    return f"{ratio:.2f}×" if ratio < 9.995 else f"{ratio:.0f}×"


def bar(axis, y, ratio, kind):
    """A bar from the limit on, so that none is best."""
    x = axis.at(ratio)
    start = min(axis.at(1), x)
    return f'<rect class="{kind}" x="{start:.1f}" y="{y}" width="{max(abs(x - axis.at(1)), 3):.1f}" height="12" rx="2"/>'


def means(subjects, top):
    """The geometric mean of each, over the items that it has."""
    ratios = {}
    for subject in subjects:
        for name in (OURS, *subject.peers()):
            ratios.setdefault(name, []).append(subject.over_limit(name))
    rows = sorted(((mean(of), name, len(of)) for name, of in ratios.items()), key=lambda row: (row[0], row[1]))
    axis, lines = Axis([row[0] for row in rows]), []
    lines += axis.lines(top - 4, top + STEP * len(rows))
    for row, (ratio, name, count) in enumerate(rows):
        y = top + STEP * row
        strong = " strong" if name == OURS else ""
        lines.append(f'<text class="end{strong}" x="{LEFT - 12}" y="{y + 14}">{escape(name)}</text>')
        lines.append(bar(axis, y + 4, ratio, "ours" if name == OURS else "bar"))
        lines.append(f'<text class="end{strong}" x="{RIGHT + 64}" y="{y + 14}">{times(ratio)}</text>')
        if count < len(subjects):
            lines.append(f'<text class="quiet" x="{RIGHT + 76}" y="{y + 14}">of the {count} items that it has</text>')
    return lines, top + STEP * len(rows)


def items(subjects, top):
    """A row for each item: this project, the fastest of the others by name, and the rest."""
    ratios = [(subject.over_limit(), sorted((subject.over_limit(name), name) for name in subject.peers()))
              for subject in subjects]
    axis = Axis([ratio for ours, peers in ratios for ratio in (ours, *(peer for peer, _ in peers))])
    bottom = top + STEP * len(subjects)
    lines = [f'<rect class="band" x="12" y="{top + STEP * row}" width="{WIDTH - 24}" height="{STEP}" rx="3"/>'
             for row in range(0, len(subjects), 2)]
    lines += axis.lines(top - 4, bottom)
    for row, (subject, (ours, peers)) in enumerate(zip(subjects, ratios)):
        y = top + STEP * row
        lines.append(f'<text class="end" x="{LEFT - 12}" y="{y + 15}">{escape(subject.name)}</text>')
        middle = y + STEP / 2
        if peers:
            ends = axis.at(peers[0][0]), axis.at(peers[-1][0])
            lines.append(f'<line class="span" x1="{ends[0]:.1f}" y1="{middle}" x2="{ends[1]:.1f}" y2="{middle}"/>')
        lines.append(bar(axis, y + 5, ours, "ours"))
        for index, (ratio, name) in reversed(list(enumerate(peers))):
            kind, radius = ("best", 5) if index == 0 else ("peer", 3.5)
            lines.append(f'<circle class="{kind}" cx="{axis.at(ratio):.1f}" cy="{middle}" r="{radius}">'
                         f'<title>{escape(name)}: {times(ratio)}</title></circle>')
        lines.append(f'<text class="end strong" x="{RIGHT + 64}" y="{y + 15}">{times(ours)}</text>')
        if peers:
            lines.append(f'<text class="end" x="{RIGHT + 126}" y="{y + 15}">{times(peers[0][0])}</text>')
            lines.append(f'<text class="quiet" x="{RIGHT + 136}" y="{y + 15}">{escape(peers[0][1])}</text>')
    return lines, bottom


def draw(subjects):
    size = subjects[0].size
    upper, end = means(subjects, 98)
    top = end + 92
    lower, bottom = items(subjects, top)
    heads = [
        f'<text class="title" x="16" y="34">How close to the limit of memory</text>',
        f'<text class="quiet" x="16" y="54">{size:,} elements on one thread, as a multiple of the time in which memory '
        'can move the bytes; shorter is better</text>',
        '<text class="head" x="16" y="82">Geometric mean</text>',
        f'<text class="head" x="16" y="{top - 28}">Each item</text>',
        f'<rect class="ours" x="{LEFT}" y="{top - 38}" width="12" height="12" rx="2"/>'
        f'<text x="{LEFT + 18}" y="{top - 28}">{OURS}</text>',
        f'<circle class="best" cx="{LEFT + 126}" cy="{top - 32}" r="5"/>'
        f'<text x="{LEFT + 136}" y="{top - 28}">the fastest of the others</text>',
        f'<circle class="peer" cx="{LEFT + 314}" cy="{top - 32}" r="3.5"/>'
        f'<text x="{LEFT + 322}" y="{top - 28}">the rest</text>',
    ]
    heads += [f'<text class="quiet end" x="{RIGHT + at}" y="{top - 8}">{name}</text>'
              for at, name in ((64, "this"), (126, "fastest other"))]
    height = bottom + 34
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" role="img" '
        'aria-labelledby="title description">',
        '<title id="title">Time of each item as a multiple of the limit of memory</title>',
        '<desc id="description">The page beside this chart has the same figures in tables.</desc>',
        f"<style>{STYLE}</style>",
        f'<rect class="page" width="{WIDTH}" height="{height}" rx="8"/>',
        *heads, *upper, *lower, "</svg>", "",
    ])
