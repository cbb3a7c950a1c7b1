"""What was measured: the times of each who took turns at a subject, and their ratios."""

import math
import statistics

OURS = "this project"
FROM_PYTHON = f"{OURS}, from Python"
# The fixed cost of an item.
ONE_ELEMENT = f"{OURS}, one element"
# Those that are measured in the process of the bench; the others are in that of Python.
NATIVE = (OURS, "limit", "limit, streaming", "by hand", "candle", "ndarray")


def mean(ratios):
    """The geometric mean."""
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


class Subject:
    def __init__(self, measured):
        self.kind, self.name, self.size = measured["kind"], measured["item"], measured["size"]
        samples, self.about = measured["samples"], measured
        # Those of the bench in its order, then those of Python.
        names = dict.fromkeys([*measured.get("names", []), *samples])
        self.samples = {name: samples[name] for name in names if name in samples}

    def time(self, name):
        return statistics.median(self.samples[name]) if name in self.samples else None

    def ratio(self, over, under):
        """The ratio of two, by the turns that both took: slow moments of the machine concern both, which makes it steadier
        than the ratio of the medians."""
        return statistics.median(a / b for a, b in zip(self.samples[over], self.samples[under]))

    def store(self):
        return min(("limit", "limit, streaming"), key=self.time)

    def limit(self):
        return self.time(self.store())

    def over_limit(self, name=OURS):
        """How many times the limit it takes."""
        return self.ratio(name, self.store())

    def peers(self):
        return [name for name in self.samples if not name.startswith((OURS, "limit"))]

    def over(self, peer):
        """The time of this project over that of a peer, both in the process of the peer if there is one for several."""
        is_beside = peer not in NATIVE and FROM_PYTHON in self.samples
        return self.ratio(FROM_PYTHON if is_beside else OURS, peer)

    def elements(self):
        return f"{self.size:,} element{'s' if self.size > 1 else ''}"

    def counts(self):
        """The names that are numbers."""
        return sorted((name for name in self.samples if name.isdigit()), key=int)

    def reads_what_it_writes(self):
        """Whether at least as many bytes are read as are written."""
        size = {"bool": 1}
        of = lambda dtype: size.get(dtype) or (1 if dtype.startswith("f8") else int(dtype.lstrip("bfiu")) // 8)
        read = sum(operand["stored"] * of(operand["dtype"]) for operand in self.about["inputs"])
        return read >= math.prod(self.about["shape"]) * of(self.about["out"])


class Subjects:
    def __init__(self, measured):
        self.all = [Subject(entry) for entry in measured]

    def of(self, *kinds):
        return [subject for subject in self.all if subject.kind in kinds]

    def items(self, size):
        return [subject for subject in self.of("item") if subject.size == size]
