//! The bytes of an allocation that hold a value.

use std::collections::{BTreeMap, HashMap};

use cann_kernels::Span;

/// How many bytes of memory one page of bits describes.
const PAGE: usize = 4096;

/// How many runs of a view are kept as ranges; views of more runs are kept as bits.
const RANGES: usize = 1024;

/// How many views are remembered as written; a program uses the same few views again and again.
const REMEMBERED: usize = 16;

/// The bytes that were written: long ranges by start and end, scattered bytes as bits.
#[derive(Debug, Default)]
pub(crate) struct Written {
    /// Start and end of each range; no two touch.
    ranges: BTreeMap<usize, usize>,
    /// One bit for each byte, by the number of the page. A byte is written when it is here or in a range.
    pages: HashMap<usize, Box<[u64; PAGE / 64]>>,
    /// Views with gaps that are written completely.
    known: Vec<Span>,
    /// Ranges that were used last, each at the place of its start: parts of `ranges`. There are as many places as a power of
    /// two, and none before the first range.
    recent: Vec<(usize, usize)>,
    /// One less than the number of places.
    places: usize,
}

/// The most places that remember a range.
const PLACES: usize = 256;

impl Written {
    /// For an allocation of `len` bytes.
    pub(crate) fn new(len: usize) -> Self {
        Written { places: (len >> 9).clamp(1, PLACES).next_power_of_two() - 1, ..Written::default() }
    }

    /// Marks the bytes of `span` as holding values.
    pub(crate) fn mark(&mut self, span: &Span) {
        if span.is_dense() {
            if !self.is_recent(span.start(), span.end()) {
                self.insert(span.start(), span.end());
                self.note_recent(span.start(), span.end());
            }
            return;
        }
        if self.known.contains(span) || self.gap(span.start(), span.end()).is_none() {
            return;
        }
        if span.runs() <= RANGES {
            span.each_run(|start, end| {
                self.insert(start, end);
                true
            });
        } else {
            span.each_run(|start, end| {
                self.set_bits(start, end);
                true
            });
        }
        self.remember(span);
    }

    /// The first byte of `span` that holds no value.
    pub(crate) fn missing(&mut self, span: &Span) -> Option<usize> {
        if span.is_dense() && self.is_recent(span.start(), span.end()) {
            return None;
        }
        let gap = self.gap(span.start(), span.end());
        if self.range_at(span.start()).is_some_and(|end| end >= span.end()) {
            self.note_recent(span.start(), span.end());
        }
        if span.is_dense() || gap.is_none() || self.known.contains(span) {
            return gap.filter(|_| span.is_dense());
        }
        let mut missing = None;
        span.each_run(|start, end| {
            missing = self.gap(start, end);
            missing.is_none()
        });
        if missing.is_none() {
            self.remember(span);
        }
        missing
    }

    /// Returns whether `[start, end)` is known to be written without a search.
    #[inline]
    fn is_recent(&self, start: usize, end: usize) -> bool {
        self.recent.get((start >> 9) & self.places).is_some_and(|(from, to)| *from <= start && end <= *to)
    }

    fn note_recent(&mut self, start: usize, end: usize) {
        self.recent.resize(self.places + 1, (0, 0));
        self.recent[(start >> 9) & self.places] = (start, end);
    }

    fn remember(&mut self, span: &Span) {
        if self.known.len() == REMEMBERED {
            self.known.remove(0);
        }
        self.known.push(span.clone());
    }

    /// Returns whether no byte of `[start, end)` holds a value.
    pub(crate) fn is_blank(&self, start: usize, end: usize) -> bool {
        self.pieces(start, end).next().is_none()
    }

    /// Marks `[start, end)` as holding values in `pieces`, which are counted from `start`, and nowhere else. Pieces are kept
    /// as bits where they are `scattered`.
    pub(crate) fn carry(&mut self, (start, end): (usize, usize), pieces: &[(usize, usize)], scattered: bool) {
        self.remove(start, end);
        for &(from, to) in pieces {
            match scattered {
                true => self.set_bits(start + from, start + to),
                false => self.insert(start + from, start + to),
            }
        }
    }

    /// The ranges of `[start, end)` that hold values, counted from `start`, in order.
    pub(crate) fn pieces(&self, start: usize, end: usize) -> impl Iterator<Item = (usize, usize)> + '_ {
        let mut at = start;
        std::iter::from_fn(move || {
            while at < end {
                if let Some(stop) = self.gap(at, end) {
                    let piece = (at - start, stop - start);
                    at = self.next_written(stop, end);
                    if piece.0 < piece.1 {
                        return Some(piece);
                    }
                } else {
                    let piece = (at - start, end - start);
                    at = end;
                    return Some(piece);
                }
            }
            None
        })
    }

    /// The first byte of `[start, end)` that holds no value.
    fn gap(&self, start: usize, end: usize) -> Option<usize> {
        let mut at = start;
        while at < end {
            at = match self.range_at(at) {
                Some(stop) => stop,
                None => {
                    let stop = self.ranges.range(at..).next().map_or(end, |(&next, _)| next.min(end));
                    match self.scan(at, stop, false) {
                        Some(clear) => return Some(clear),
                        None => stop,
                    }
                }
            };
        }
        None
    }

    /// The first byte of `[start, end)` that holds a value, or `end`.
    fn next_written(&self, start: usize, end: usize) -> usize {
        if self.range_at(start).is_some() {
            return start;
        }
        let range = self.ranges.range(start..).next().map_or(end, |(&next, _)| next.min(end));
        self.scan(start, range, true).unwrap_or(range)
    }

    /// The end of the range that holds `at`.
    fn range_at(&self, at: usize) -> Option<usize> {
        self.ranges.range(..=at).next_back().map(|(_, &end)| end).filter(|&end| end > at)
    }

    /// The first byte of `[start, end)` whose bit is `wanted`.
    fn scan(&self, start: usize, end: usize, wanted: bool) -> Option<usize> {
        let mut at = start;
        while at < end {
            let stop = ((at / PAGE + 1) * PAGE).min(end);
            match self.pages.get(&(at / PAGE)) {
                None if wanted => {}
                None => return Some(at),
                Some(page) => {
                    let bit = |byte: &usize| page[byte % PAGE / 64] >> (byte % 64) & 1 == u64::from(wanted);
                    if let Some(found) = (at..stop).find(bit) {
                        return Some(found);
                    }
                }
            }
            at = stop;
        }
        None
    }

    fn insert(&mut self, start: usize, end: usize) {
        let (mut start, mut end) = (start, end);
        if start >= end {
            return;
        }
        if let Some((&before, &before_end)) = self.ranges.range(..=start).next_back()
            && before_end >= start
        {
            if before_end >= end {
                return;
            }
            start = before;
        }
        while let Some((&next, &next_end)) = self.ranges.range(start..=end).next() {
            end = end.max(next_end);
            self.ranges.remove(&next);
        }
        self.ranges.insert(start, end);
    }

    fn remove(&mut self, start: usize, end: usize) {
        if start >= end {
            return;
        }
        self.known.clear();
        self.recent.fill((0, 0));
        while let Some((&before, &before_end)) = self.ranges.range(..end).next_back() {
            if before_end <= start {
                break;
            }
            self.ranges.remove(&before);
            self.insert(end, before_end);
            self.insert(before, start);
        }
        if !self.pages.is_empty() {
            self.each_word(start, end, |word, mask| *word &= !mask);
        }
    }

    fn set_bits(&mut self, start: usize, end: usize) {
        for page in start / PAGE..end.div_ceil(PAGE) {
            self.pages.entry(page).or_insert_with(|| Box::new([0; PAGE / 64]));
        }
        self.each_word(start, end, |word, mask| *word |= mask);
    }

    /// Calls `change` with every word of the pages there are, and the mask of the bits that stand for `[start, end)`.
    fn each_word(&mut self, start: usize, end: usize, mut change: impl FnMut(&mut u64, u64)) {
        let mut at = start;
        while at < end {
            let stop = ((at / PAGE + 1) * PAGE).min(end);
            if let Some(page) = self.pages.get_mut(&(at / PAGE)) {
                while at < stop {
                    let word_end = ((at / 64 + 1) * 64).min(stop);
                    let ones = u64::MAX >> (64 - (word_end - at));
                    change(&mut page[at % PAGE / 64], ones << (at % 64));
                    at = word_end;
                }
            }
            at = stop;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_one_flag_per_byte() {
        const BYTES: usize = 3 * PAGE + 100;
        let mut random = fastrand::Rng::with_seed(11);
        let (mut written, mut model) = (Written::new(BYTES), vec![false; BYTES]);
        for _ in 0..3_000 {
            let (start, len) = (random.usize(..BYTES), random.usize(..300));
            let end = (start + len).min(BYTES);
            match random.usize(..5) {
                0 => {
                    written.insert(start, end);
                    model[start..end].fill(true);
                }
                1 => {
                    written.remove(start, end);
                    model[start..end].fill(false);
                }
                2 => {
                    written.set_bits(start, end);
                    model[start..end].fill(true);
                }
                3 => {
                    // 1200 runs or 12: as bits or as ranges.
                    let runs = if random.usize(..2) == 0 { 1_200 } else { 12 };
                    let span = Span::of_view(random.usize(..1_000), 2, &[runs], &[3]);
                    written.mark(&span);
                    span.each_run(|start, end| {
                        model[start..end].fill(true);
                        true
                    });
                }
                _ => {
                    let other = random.usize(..BYTES - len);
                    let pieces: Vec<_> = written.pieces(other, other + len).collect();
                    let copy = model[other..other + len].to_vec();
                    let to = random.usize(..BYTES - len);
                    written.carry((to, to + len), &pieces, random.usize(..2) == 0);
                    model[to..to + len].copy_from_slice(&copy);
                }
            }
            let (start, end) = (random.usize(..BYTES), random.usize(..BYTES));
            let (start, end) = (start.min(end), start.max(end));
            let missing = (start..end).find(|byte| !model[*byte]);
            assert_eq!(written.missing(&Span::dense(start, end - start)), missing);
            assert_eq!(written.is_blank(start, end), !model[start..end].contains(&true));
            let span = Span::of_view(start.min(500), 4, &[random.usize(..700) + 1], &[3]);
            let mut expected = None;
            span.each_run(|start, end| {
                expected = (start..end).find(|byte| !model[*byte]);
                expected.is_none()
            });
            assert_eq!(written.missing(&span), expected);
        }
    }
}
