//! Memory that was freed and whose pages are kept: the next allocation need not touch them for the first time.

use std::collections::BTreeMap;

use super::window::LARGE_PAGE;

/// The kept ranges of a device, as offsets.
#[derive(Debug, Default)]
pub(super) struct FreedPages {
    /// Start and end of each range; no two touch.
    ranges: BTreeMap<usize, usize>,
    bytes: usize,
}

impl FreedPages {
    /// Keeps `[start, end)`, of which nothing is kept.
    pub(super) fn add(&mut self, start: usize, end: usize) {
        self.bytes += end - start;
        let (mut first, mut last) = (start, end);
        if let Some((&before, &before_end)) = self.ranges.range(..start).next_back()
            && before_end == start
        {
            first = before;
        }
        if let Some(after_end) = self.ranges.remove(&end) {
            last = after_end;
        }
        self.ranges.insert(first, last);
    }

    /// Forgets `[start, end)`, which is allocated.
    pub(super) fn remove(&mut self, start: usize, end: usize) {
        while let Some((&first, &last)) = self.ranges.range(..end).next_back() {
            if last <= start {
                break;
            }
            self.ranges.remove(&first);
            self.bytes -= last.min(end) - first.max(start);
            if first < start {
                self.ranges.insert(first, start);
            }
            if last > end {
                self.ranges.insert(end, last);
            }
        }
    }

    /// Gives what is more than `most` bytes to `release`, by start and length, in whole pages: the highest addresses, as low
    /// ones are allocated first.
    pub(super) fn shrink(&mut self, most: usize, mut release: impl FnMut(usize, usize)) {
        while self.bytes > most
            && let Some((&start, &end)) = self.ranges.last_key_value()
        {
            let cut = (end.saturating_sub(self.bytes - most) & !(LARGE_PAGE - 1)).max(start);
            self.remove(cut, end);
            release(cut, end - cut);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_one_flag_per_unit() {
        const UNITS: usize = 400;
        let mut random = fastrand::Rng::with_seed(5);
        let (mut kept, mut model) = (FreedPages::default(), vec![false; UNITS]);
        for _ in 0..5_000 {
            let start = random.usize(..UNITS);
            let end = (start + 1 + random.usize(..40)).min(UNITS);
            if random.usize(..2) == 0 {
                // What is freed was allocated, so nothing of it is kept.
                kept.remove(start, end);
                kept.add(start, end);
                model[start..end].fill(true);
            } else {
                kept.remove(start, end);
                model[start..end].fill(false);
            }
            assert_eq!(kept.bytes, model.iter().filter(|kept| **kept).count());
            let ranges: Vec<_> = model.chunk_by(|a, b| a == b).map(|run| (run[0], run.len())).collect();
            let runs = ranges.iter().filter(|(kept, _)| *kept).map(|(_, len)| *len);
            assert!(kept.ranges.iter().map(|(start, end)| end - start).eq(runs), "no two ranges touch");
        }
    }

    #[test]
    fn the_highest_whole_pages_go_first() {
        const PAGE: usize = LARGE_PAGE;
        let mut kept = FreedPages::default();
        kept.add(0, 3 * PAGE);
        kept.add(5 * PAGE + 100, 9 * PAGE);
        let mut released = Vec::new();
        let mut shrink = |kept: &mut FreedPages, most| {
            released.clear();
            kept.shrink(most, |start, len| released.push((start, len)));
            released.clone()
        };
        assert_eq!(shrink(&mut kept, 7 * PAGE), []);
        assert_eq!(shrink(&mut kept, 5 * PAGE), [(7 * PAGE, 2 * PAGE)]);
        assert_eq!(shrink(&mut kept, PAGE), [(5 * PAGE + 100, 2 * PAGE - 100), (PAGE, 2 * PAGE)]);
        assert_eq!(kept.bytes, PAGE);
        assert_eq!(shrink(&mut kept, 0), [(0, PAGE)]);
    }
}
