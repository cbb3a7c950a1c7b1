"""The goals of this project, and what a run says about each."""

import math

from samples import ONE_ELEMENT, OURS, mean

LARGE, SMALL = 16_000_000, 1_000
IN_CACHE = (100_000, 1_000_000)
# Items that are one contiguous pass, of types that one instruction converts.
PLAIN = ("f32 + f32", "f16 + f32", "bf16 + f32", "f16 + bf16", "f16 + f16", "bf16 + bf16", "bool + f32", "s8 + u8",
         "s64 · f32", "f32 → f16", "f16 → f32", "f32 → bf16", "bf16 → f32", "f32 → s8", "f32 → bool", "f64 → f32",
         "s64 → f32", "range f32", "range s64")


class NotMeasured(Exception):
    pass


def at_most(values, limit):
    """Values by name, of which the greatest counts."""
    return extreme(values, limit, max, lambda value: value <= limit)


def at_least(values, limit):
    """Values by name, of which the least counts."""
    return extreme(values, limit, min, lambda value: value >= limit)


def extreme(values, limit, worst, is_met):
    if not values:
        raise NotMeasured
    name = worst(values, key=values.get)
    met = sum(map(is_met, values.values()))
    count = f"; {met} of {len(values)}" if len(values) > 1 else ""
    place = f" ({name})" if name else ""
    return f"{values[name]:.3g}{place}{count}", met == len(values)


def one(value, limit):
    return at_most({"": value}, limit)


def named(subjects, names):
    return [subject for subject in subjects if subject.name in names]


def over_best(subjects, peers=None):
    """The time over that of the fastest peer, or over those of some."""
    ratios = {}
    for subject in subjects:
        having = [subject.over(peer) for peer in subject.peers() if peers is None or peer in peers]
        if having:
            ratios[f"{subject.name}, {subject.size:,}"] = max(having)
    return ratios


def gains(subjects, *peers):
    """How many times as fast as the fastest of some peers, or of all."""
    return {name: 1 / ratio for name, ratio in over_best(subjects, peers or None).items()}


def only(subjects, kind):
    for subject in subjects.of(kind):
        return subject
    raise NotMeasured


def mean_over_limit(s):
    if not s.items(LARGE):
        raise NotMeasured
    return one(mean([subject.over_limit() for subject in s.items(LARGE)]), 1.3)


def each_over_limit(s):
    return at_most({subject.name: subject.over_limit() for subject in s.items(LARGE)}, 2)


def readers(s):
    return [subject for subject in s.items(LARGE) if subject.reads_what_it_writes()]


def in_cache(s, *names):
    return named([subject for size in IN_CACHE for subject in s.items(size)], names)


def reached_or_at_the_limit(s):
    """The part of each goal beside peers that is reached, or of 85 % of the limit where that is more: memory that has to be
    moved leaves no room for some of these goals."""
    values = {}
    for names, goal, peers in ((PLAIN, 1 / 1.05, ["by hand"]), (("f8e4m3 → f32", "f8e5m2 → f32"), 3, []),
                               (("f32 → f8e4m3", "f32 → f8e5m2"), 1.3, []), (("s32 + f16",), 1.9, [])):
        for subject in in_cache(s, *names):
            for name, gain in gains([subject], *peers).items():
                values[name] = max(gain / goal, 100 / subject.over_limit() / 85)
    return at_least(values, 1)


def small_calls(s):
    """The loop by hand, by 1.2, and the fixed cost: that of the same item with one element, in the same queue of launches
    with one wait behind it, spread over the elements."""
    fixed = lambda subject: subject.time(ONE_ELEMENT) / math.prod(subject.about["shape"])
    return at_most({subject.name: max(subject.time(OURS) - fixed(subject), 0) / subject.time("by hand")
                    for subject in s.items(SMALL) if {"by hand", ONE_ELEMENT} <= subject.samples.keys()}, 1.2)


def call(s, kind, name, limit):
    return one(only(s, kind).time(name), limit)


def flat(s, kind, limit):
    """The greatest of the times over the first."""
    return at_most({f"{subject.name}, {int(count):,}": subject.ratio(count, subject.counts()[0])
                    for subject in s.of(kind) for count in subject.counts()}, limit)


def flat_both_ways(s, limit):
    """Growth may neither slow down nor speed up."""
    values = {}
    for subject in s.of("growth"):
        for count in subject.counts():
            ratio = subject.ratio(count, subject.counts()[0])
            values[f"{subject.name}, {int(count):,}"] = max(ratio, 1 / ratio)
    return at_most(values, limit)


def two_threads(s, sizes):
    return {f"{subject.name}, {subject.size:,}": subject.ratio("one thread", "two threads")
            for subject in s.of("threads") if sizes(subject.size)}


def two_threads_of_limit(s):
    """The gain, and what the machine gives: the gain of a pass over the same bytes, at most 2."""
    having = [subject for subject in s.of("threads") if "limit, two threads" in subject.samples]
    gains = two_threads(s, lambda size: size >= 1_000_000)
    return at_least({f"{subject.name}, {subject.size:,}": gains[f"{subject.name}, {subject.size:,}"] * 100
                     / min(subject.ratio("limit, one thread", "limit, two threads"), 2)
                     for subject in having if subject.size >= 1_000_000}, 85)


def all_reduce(s, ranks, size):
    return [subject for subject in s.of("all_reduce") if (subject.name, subject.size) == (ranks, size)]


GOALS = [
    ("geometric mean at 1.6·10⁷: at most 1.3 times the limit", mean_over_limit),
    ("each item at 1.6·10⁷: at most twice the limit", each_over_limit),
    ("each item at 1.6·10⁷: at most 1.05 times the fastest peer", lambda s: at_most(over_best(s.items(LARGE)), 1.05)),
    ("items at 1.6·10⁷ that read at least what they write: 85 % of the limit",
     lambda s: at_least({subject.name: 100 / subject.over_limit() for subject in readers(s)}, 85)),
    ("the same: 1.3 times as fast as the fastest peer", lambda s: at_least(gains(readers(s)), 1.3)),
    ("f16 + f32 at 1.6·10⁷: 6 times as fast as PyTorch",
     lambda s: at_least(gains(named(s.items(LARGE), ["f16 + f32"]), "PyTorch"), 6)),
    ("transposed items at 1.6·10⁷: twice as fast as PyTorch, compiled",
     lambda s: at_least(gains(named(s.items(LARGE), ["f32 + f32 transposed", "f16 + f32 transposed"]),
                              "PyTorch, compiled"), 2)),
    ("plain items at 10⁵ and 10⁶: at most 1.05 times the loop by hand",
     lambda s: at_most(over_best(in_cache(s, *PLAIN), ["by hand"]), 1.05)),
    ("from 8-bit floats at 10⁵ and 10⁶: 3 times as fast as every peer",
     lambda s: at_least(gains(in_cache(s, "f8e4m3 → f32", "f8e5m2 → f32")), 3)),
    ("to 8-bit floats at 10⁵ and 10⁶: 1.3 times as fast as every peer",
     lambda s: at_least(gains(in_cache(s, "f32 → f8e4m3", "f32 → f8e5m2")), 1.3)),
    ("ranges of f16 and bf16 at 10⁵ and 10⁶: 1.8 times as fast as every peer",
     lambda s: at_least(gains(in_cache(s, "range f16", "range bf16")), 1.8)),
    ("s32 + f16 at 10⁵ and 10⁶: 1.9 times as fast as every peer",
     lambda s: at_least(gains(in_cache(s, "s32 + f16")), 1.9)),
    ("the goals beside peers at 10⁵ and 10⁶ but for ranges: reached, or at 85 % of the limit of memory (share of either)",
     reached_or_at_the_limit),
    ("each item at 10³, less the fixed cost: at most 1.2 times the loop by hand", small_calls),
    ("allocate, add and free 64 MiB: 5 times as fast as PyTorch",
     lambda s: at_least({"": only(s, "fresh memory").ratio("PyTorch", OURS)}
                        if "PyTorch" in only(s, "fresh memory").samples else {}, 5)),
    ("one element and the wait, through C: at most 150 ns", lambda s: call(s, "one element", "through C", 150)),
    ("one element and the wait, through the safe layer: at most 250 ns",
     lambda s: call(s, "one element", "safe layer", 250)),
    ("`run_into` of one element without a wait: at most 100 ns", lambda s: call(s, "loop", "run_into", 100)),
    ("safe over raw at 10⁴ elements: at most 1.05",
     lambda s: one(only(s, "safe and raw").ratio("safe", "raw, both phases"), 1.05)),
    ("a safe call of one element: no allocation", lambda s: one(only(s, "one element").about["allocations"], 0)),
    ("two threads from 10⁶ elements: 1.7 times as fast as one",
     lambda s: at_least(two_threads(s, lambda size: size >= 1_000_000), 1.7)),
    ("the same: 85 % of what a pass over the bytes gains on this machine", two_threads_of_limit),
    ("two threads: never slower than one (within 3 %)", lambda s: at_least(two_threads(s, lambda size: True), 0.97)),
    ("time of an element from 10⁷ to 2·10⁸: flat within 15 %", lambda s: flat_both_ways(s, 1.15)),
    ("a call among 1 to 10⁵ live tensors: flat within 15 %", lambda s: flat(s, "live tensors", 1.15)),
    ("a call on 1 to 64 streams: flat within 15 %", lambda s: flat(s, "streams", 1.15)),
    ("products of f32, 1024³: at least 90 % of NumPy and PyTorch",
     lambda s: at_least(gains(named(s.of("product"), ["f32 · f32"]), "NumPy", "PyTorch"), 0.9)),
    ("products of f16 and bf16, 1024³: as fast as PyTorch",
     lambda s: at_least(gains(named(s.of("product"), ["f16 · f16", "bf16 · bf16"]), "PyTorch"), 1)),
    ("`all_reduce` of 64 MiB by 4 processes: as fast as the fastest peer",
     lambda s: at_most(over_best(all_reduce(s, "4 processes", 64 << 20)), 1)),
    ("`all_reduce` of 4 bytes by 2 threads: at most 20 µs",
     lambda s: at_most({"": subject.time(OURS) for subject in all_reduce(s, "2 threads", 4)}, 20)),
    ("checks at their default over off, at 10⁴ elements: at most 1.05",
     lambda s: one(only(s, "checks").ratio("at their default", "off"), 1.05)),
]


def rows(subjects):
    """Each goal with what was measured and whether it is met."""
    lines = []
    for goal, judge in GOALS:
        try:
            measured, met = judge(subjects)
            lines.append([goal, measured, "met" if met else "**not met**"])
        except NotMeasured:
            lines.append([goal, "", "open"])
    return lines
